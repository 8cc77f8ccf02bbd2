//! Writers that do to log files whatever programs do to them, and the real `watch --json` beside them: each failed call
//! is told once. A few seconds of it are part of the tests; ten minutes are
//!
//! ```sh
//! JSONMEDIC_STRESS_SECONDS=600 cargo test --release --test stress -- --ignored --nocapture
//! ```
//!
//! What counts as lost: a line that stood in some file for longer than the watch takes to look at everything, while
//! the watch ran, and was not told. What nobody could have seen is counted apart. What counts as doubled: any line
//! that was told twice, but for those of the last seconds before a `kill -9`.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Writers with call ids, and as many without.
const WRITERS: usize = 3;
/// A text that stood for this long could be seen: the look at everything of `--poll`, and a busy machine.
const VISIBLE: Duration = Duration::from_secs(10);
/// The same among other tests, which may take the machine for themselves.
const VISIBLE_AMONG_OTHERS: Duration = Duration::from_secs(30);
/// Rows of this time before a `kill -9` may come again.
const UNSAVED: Duration = Duration::from_secs(1);
/// How long the last rows may take.
const REST: Duration = Duration::from_secs(20);
/// Old generations of a log that are kept.
const KEPT: usize = 12;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Events,
    Polling,
}

#[test]
fn events_lose_and_double_nothing() {
    stress(Mode::Events, Duration::from_secs(4), None);
}

#[test]
fn polling_loses_and_doubles_nothing() {
    stress(Mode::Polling, Duration::from_secs(4), None);
}

#[test]
fn a_watch_that_is_killed_and_resumed_loses_and_doubles_nothing() {
    let pace = Some(Duration::from_millis(1500));
    stress(Mode::Events, Duration::from_secs(5), pace);
}

#[test]
#[ignore = "ten minutes; the time in seconds is JSONMEDIC_STRESS_SECONDS"]
fn ten_minutes_of_events() {
    stress(Mode::Events, long(), Some(Duration::from_secs(40)));
}

#[test]
#[ignore = "ten minutes; the time in seconds is JSONMEDIC_STRESS_SECONDS"]
fn ten_minutes_of_polling() {
    stress(Mode::Polling, long(), Some(Duration::from_secs(40)));
}

fn long() -> Duration {
    let seconds = std::env::var("JSONMEDIC_STRESS_SECONDS").ok();
    Duration::from_secs(seconds.map_or(600, |text| text.parse().expect("a number of seconds")))
}

/// Lets the writers loose on a folder for a time. With a pace, the watch is ended that often and resumed.
fn stress(mode: Mode, time: Duration, pace: Option<Duration>) {
    let folder = tempfile::tempdir().unwrap();
    let state = tempfile::tempdir().unwrap();
    let logs = folder.path().join("logs");
    // The last folder that a first look comes to; a line of it that is told says that the rest was looked at.
    fs::create_dir_all(logs.join("z")).unwrap();
    let visible = match time < VISIBLE_AMONG_OTHERS {
        true => VISIBLE_AMONG_OTHERS,
        false => VISIBLE,
    };
    let mut supervisor = Supervisor::new(mode, &logs, state.path(), pace.is_some(), visible);
    supervisor.start();
    let until = Instant::now() + time;
    let calm = Arc::clone(&supervisor.calm);
    let writers: Vec<JoinHandle<Vec<Line>>> = (0..2 * WRITERS)
        .map(|number| {
            let folder = logs.join(format!("w{number}"));
            let calm = Arc::clone(&calm);
            thread::spawn(move || Writer::new(number, &folder, calm).run(until))
        })
        .collect();
    let mut dice = Dice(seed() ^ 0x5eed);
    if let Some(pace) = pace {
        let mut kills = 0;
        while Instant::now() + pace < until {
            thread::sleep(pace);
            kills += 1;
            supervisor.restart(kills % 2 == 0, Duration::from_millis(dice.roll(700)));
        }
    }
    let written: Vec<Line> = writers
        .into_iter()
        .flat_map(|writer| writer.join().unwrap())
        .collect();
    supervisor.wait_for(
        written
            .iter()
            .filter(|line| line.must_be_told(visible))
            .count(),
    );
    let told = supervisor.end();
    report(mode, visible, &written, &told);
}

/// A seed that is new in every run, and said, so that a run can be had again as far as threads allow.
fn seed() -> u64 {
    let named = std::env::var("JSONMEDIC_STRESS_SEED").ok();
    named.map_or_else(
        || u64::from(std::process::id()),
        |text| text.parse().unwrap(),
    )
}

/// Compares what was written with what was told, and fails where they differ.
fn report(mode: Mode, visible: Duration, written: &[Line], told: &Told) {
    let mut times: HashMap<u64, Vec<Instant>> = HashMap::new();
    let mut places: HashMap<u64, Vec<&str>> = HashMap::new();
    for (number, at, place) in &told.rows {
        places.entry(*number).or_default().push(place);
        times.entry(*number).or_default().push(*at);
    }
    let (mut lost, mut unseen, mut doubled, mut again) = (Vec::new(), 0, Vec::new(), 0);
    for line in written {
        match times.remove(&line.number).as_deref() {
            None if line.must_be_told(visible) => lost.push(line.clone()),
            None => unseen += 1,
            Some([_]) => {}
            Some(told_at) => {
                let was_killed = told
                    .kills
                    .iter()
                    .any(|kill| told_at[0] <= *kill && kill.duration_since(told_at[0]) < UNSAVED);
                match was_killed && told_at.len() == 2 {
                    true => again += 1,
                    false => doubled.push((line.clone(), told_at.len())),
                }
            }
        }
    }
    println!(
        "{mode:?}: {} lines written, {} told, {} ends; lost {}, doubled {}; gone before anyone could look {unseen}, \
         told again after kill -9 {again}",
        written.len(),
        told.rows.len(),
        told.ends.len(),
        lost.len(),
        doubled.len(),
    );
    for end in &told.ends {
        println!(
            "ended {:?} ago, killed: {}",
            end.elapsed(),
            told.kills.contains(end)
        );
    }
    for line in lost.iter().take(10) {
        println!("lost    {}", line.story());
    }
    for (line, times) in doubled.iter().take(10) {
        println!(
            "doubled {}, {times} times: {}",
            line.story(),
            places[&line.number].join(" and ")
        );
    }
    let (lost, doubled, invented) = (lost.len(), doubled.len(), times.len());
    assert_eq!(
        (lost, doubled, invented),
        (0, 0, 0),
        "lost, doubled, invented; seed {}",
        seed()
    );
}

/// A line that was written, and how it fared.
#[derive(Clone, Debug)]
struct Line {
    number: u64,
    /// What was done when it was written.
    by: &'static str,
    written: Instant,
    /// When the last file that held it went, and by what.
    gone: Option<(Instant, &'static str)>,
}

impl Line {
    /// What was done to it, for whoever looks for the cause.
    fn story(&self) -> String {
        let gone = self.gone.map(|(gone, by)| {
            let after = gone.duration_since(self.written).as_millis();
            format!(", gone after {after} ms by {by}")
        });
        format!(
            "{} written {:?} ago by {}{}",
            self.number,
            self.written.elapsed(),
            self.by,
            gone.unwrap_or_default()
        )
    }

    fn must_be_told(&self, visible: Duration) -> bool {
        self.gone
            .is_none_or(|(gone, _)| visible <= gone.duration_since(self.written))
    }
}

/// What came out of the watch.
#[derive(Default)]
struct Told {
    /// Number, time and place.
    rows: Vec<(u64, Instant, String)>,
    /// When it was ended by `kill -9`.
    kills: Vec<Instant>,
    /// When it was ended, also by asking.
    ends: Vec<Instant>,
}

/// Runs the watch.
struct Supervisor {
    mode: Mode,
    logs: PathBuf,
    state: PathBuf,
    resumes: bool,
    told: Arc<Mutex<Told>>,
    running: Option<(Child, JoinHandle<()>)>,
    /// Since when the watch runs; nothing is destroyed while it does not.
    calm: Arc<Calm>,
    probes: u64,
}

/// Whether writers may destroy what they wrote.
#[derive(Default)]
struct Calm {
    /// How long a text has to stand so that it must be seen.
    visible: Duration,
    is_down: AtomicBool,
    up_since: Mutex<Option<Instant>>,
}

impl Calm {
    fn allows_loss(&self) -> bool {
        // What goes in a short run is not expected, so it may go at once.
        let settled = match self.visible == VISIBLE {
            true => VISIBLE,
            false => Duration::from_millis(500),
        };
        let since = *self.up_since.lock().unwrap();
        !self.is_down.load(Ordering::SeqCst) && since.is_some_and(|since| settled < since.elapsed())
    }
}

impl Supervisor {
    fn new(mode: Mode, logs: &Path, state: &Path, resumes: bool, visible: Duration) -> Supervisor {
        Supervisor {
            mode,
            logs: logs.to_owned(),
            state: state.to_owned(),
            resumes,
            told: Arc::default(),
            running: None,
            calm: Arc::new(Calm {
                visible,
                ..Calm::default()
            }),
            probes: 0,
        }
    }

    /// Starts the watch and waits until it tells what happens.
    fn start(&mut self) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_jsonmedic"));
        command.args(["watch", "--json", "--kind", "all"]);
        if self.mode == Mode::Polling {
            command.arg("--poll");
        }
        if self.resumes {
            command.arg("--resume");
        }
        let mut child = command
            .arg(&self.logs)
            .env("XDG_STATE_HOME", &self.state)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let told = Arc::clone(&self.told);
        let probed = Arc::new(AtomicBool::new(false));
        let is_up = Arc::clone(&probed);
        let reader = thread::spawn(move || {
            for line in out.lines() {
                let line = line.unwrap();
                match number_in(&line) {
                    Some((number, place)) => {
                        told.lock()
                            .unwrap()
                            .rows
                            .push((number, Instant::now(), place))
                    }
                    None => is_up.store(true, Ordering::SeqCst),
                }
            }
        });
        self.running = Some((child, reader));
        // A line of which the number is no number, until one is told.
        let until = Instant::now() + REST;
        while !probed.load(Ordering::SeqCst) {
            assert!(Instant::now() < until, "the watch does not start");
            self.probes += 1;
            let probe = line_with_id(&format!("probe {}", self.probes), 0);
            append(&self.logs.join("z/probe.jsonl"), probe.as_bytes());
            thread::sleep(Duration::from_millis(50));
        }
        *self.calm.up_since.lock().unwrap() = Some(Instant::now());
        self.calm.is_down.store(false, Ordering::SeqCst);
    }

    /// Ends the watch in the middle of the work and starts it again.
    fn restart(&mut self, kill: bool, pause: Duration) {
        self.calm.is_down.store(true, Ordering::SeqCst);
        // Whoever has begun to destroy something ends that first.
        thread::sleep(Duration::from_millis(100));
        self.stop(kill);
        thread::sleep(pause);
        self.start();
    }

    fn stop(&mut self, kill: bool) {
        let (mut child, reader) = self.running.take().unwrap();
        match kill {
            true => child.kill().unwrap(),
            false => {
                let pid = rustix::process::Pid::from_child(&child);
                rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
            }
        }
        child.wait().unwrap();
        reader.join().unwrap();
        let mut told = self.told.lock().unwrap();
        let now = Instant::now();
        told.ends.push(now);
        if kill {
            told.kills.push(now);
        }
    }

    /// Waits until so many different lines are told.
    fn wait_for(&self, count: usize) {
        let until = Instant::now() + REST;
        loop {
            let told: std::collections::HashSet<u64> = self
                .told
                .lock()
                .unwrap()
                .rows
                .iter()
                .map(|row| row.0)
                .collect();
            if count <= told.len() || until < Instant::now() {
                return;
            }
            thread::sleep(Duration::from_millis(100));
        }
    }

    /// What was told, after a moment in which nothing more may come.
    fn end(mut self) -> Told {
        thread::sleep(Duration::from_millis(2500));
        self.stop(false);
        std::mem::take(&mut self.told.lock().unwrap())
    }
}

/// The number in the arguments of a row, and where it stood.
fn number_in(row: &str) -> Option<(u64, String)> {
    let row: serde_json::Value = serde_json::from_str(row).unwrap();
    let raw = row["raw"].as_str().unwrap();
    let number = raw[1..].split(' ').next().unwrap().parse().ok()?;
    let path = Path::new(row["path"].as_str().unwrap());
    let name = path.file_name().unwrap().to_string_lossy();
    Some((number, format!("{name}@{}", row["offset"])))
}

fn line_with_id(number: &str, pad: usize) -> String {
    format!(
        r#"{{"type":"function_call","name":"t","pad":"{}","arguments":"{{{number} ","call_id":"call_{number:0>8}"}}"#,
        padding(pad)
    ) + "\n"
}

fn line_without_id(number: &str, pad: usize) -> String {
    format!(
        r#"{{"object":"text_completion","pad":"{}","choices":[{{"text":"<function=t>{{{number} </function>","finish_reason":"stop"}}]}}"#,
        padding(pad)
    ) + "\n"
}

/// Characters of one to four bytes.
fn padding(length: usize) -> String {
    "xö日😀".chars().cycle().take(length).collect()
}

/// Numbers that look random.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

/// How often in so many times, what is done, and its name.
type Habit = (u64, fn(&mut Writer), &'static str);

/// What is done to a log.
#[rustfmt::skip]
const HABITS: &[Habit] = &[
    (40, Writer::append_some,       "append"),
    (12, Writer::write_half,        "half line"),
    ( 3, Writer::rotate,            "rename rotation"),
    ( 2, Writer::rotate_numbers,    "numbered rotation"),
    ( 3, Writer::copy_and_truncate, "copytruncate"),
    ( 3, Writer::replace,           "temp and rename"),
    ( 3, Writer::rewrite,           "rewrite in place"),
    ( 1, Writer::truncate,          "truncate"),
    ( 2, Writer::delete,            "delete and make again"),
    ( 2, Writer::nest,              "new nested folders"),
    ( 1, Writer::burst,             "50 files at once"),
    ( 1, Writer::move_away,         "move to another folder"),
];

/// A program that writes logs.
struct Writer {
    has_ids: bool,
    folder: PathBuf,
    log: PathBuf,
    dice: Dice,
    calm: Arc<Calm>,
    lines: Vec<Line>,
    /// Numbers of lines by the file that holds them.
    held: HashMap<PathBuf, Vec<u64>>,
    /// The rest of a line of which the beginning is written.
    half: Vec<u8>,
    /// The index of that line.
    half_line: usize,
    /// The first number of this writer.
    base: u64,
    files: u64,
    /// Old generations and folders, oldest first, and since when they are.
    old: Vec<(PathBuf, Instant)>,
    by: &'static str,
}

impl Writer {
    fn new(number: usize, folder: &Path, calm: Arc<Calm>) -> Writer {
        fs::create_dir(folder).unwrap();
        Writer {
            has_ids: number < WRITERS,
            folder: folder.to_owned(),
            log: folder.join("a.jsonl"),
            dice: Dice(seed().wrapping_add(number as u64 * 7919)),
            calm,
            lines: Vec::new(),
            held: HashMap::new(),
            half: Vec::new(),
            half_line: 0,
            base: (number as u64 + 1) * 10_000_000,
            files: 0,
            old: Vec::new(),
            by: "start",
        }
    }

    fn run(mut self, until: Instant) -> Vec<Line> {
        self.append_some();
        let all: u64 = HABITS.iter().map(|habit| habit.0).sum();
        while Instant::now() < until {
            let mut roll = self.dice.roll(all);
            for (weight, habit, name) in HABITS {
                if roll < *weight {
                    self.by = name;
                    habit(&mut self);
                    break;
                }
                roll -= weight;
            }
            self.prune();
            // Often at once, sometimes after a rest.
            let pause = match self.dice.roll(10) {
                0..3 => 0,
                3..9 => self.dice.roll(60),
                _ => 150 + self.dice.roll(500),
            };
            thread::sleep(Duration::from_millis(pause));
        }
        self.by = "end";
        self.append_some();
        self.lines
    }

    /// A new line, which `path` will hold.
    fn line(&mut self, path: &Path) -> String {
        let number = self.base + self.lines.len() as u64;
        self.lines.push(Line {
            number,
            by: self.by,
            written: Instant::now(),
            gone: None,
        });
        self.held.entry(path.to_owned()).or_default().push(number);
        let pad = match self.dice.roll(30) {
            0 => self.dice.roll(20_000),
            1..6 => self.dice.roll(2_000),
            _ => self.dice.roll(100),
        };
        match self.has_ids {
            true => line_with_id(&number.to_string(), pad as usize),
            false => line_without_id(&number.to_string(), pad as usize),
        }
    }

    /// The rest of a half line, and so many more.
    fn some_lines(&mut self, count: u64) -> Vec<u8> {
        let mut text = std::mem::take(&mut self.half);
        if !text.is_empty() {
            self.lines[self.half_line].written = Instant::now();
        }
        for _ in 0..count {
            let log = self.log.clone();
            text.extend(self.line(&log).bytes());
        }
        text
    }

    fn append_some(&mut self) {
        let count = 1 + self.dice.roll(4);
        let text = self.some_lines(count);
        // In one piece or two, as a full buffer is written.
        let at = match self.dice.roll(2) {
            0 => text.len(),
            _ => self.dice.roll(text.len() as u64) as usize,
        };
        append(&self.log, &text[..at]);
        append(&self.log, &text[at..]);
        self.written_now();
    }

    /// A line that ends anywhere, also inside a character.
    fn write_half(&mut self) {
        let mut text = self.some_lines(0);
        let log = self.log.clone();
        let line = self.line(&log).into_bytes();
        let at = 1 + self.dice.roll(line.len() as u64 - 2) as usize;
        text.extend(&line[..at]);
        append(&self.log, &text);
        self.half = line[at..].to_vec();
        self.half_line = self.lines.len() - 1;
    }

    /// The half line, if there is one, is made whole: it would otherwise be torn.
    fn complete(&mut self) {
        if !self.half.is_empty() {
            let rest = self.some_lines(0);
            append(&self.log, &rest);
        }
    }

    /// The lines of the log are there as a whole from now on.
    fn written_now(&mut self) {
        if let Some(line) = self.lines.last_mut() {
            line.written = Instant::now();
        }
    }

    fn old_name(&mut self) -> PathBuf {
        self.files += 1;
        self.folder.join(format!("a.jsonl.{}", self.files))
    }

    /// The log under `from` lies under `to` now.
    fn moved(&mut self, from: &Path, to: &Path) {
        let lines = self.held.remove(from).unwrap_or_default();
        self.held.insert(to.to_owned(), lines);
    }

    /// What a file held is gone.
    fn gone(&mut self, path: &Path, by: &'static str) {
        for number in self.held.remove(path).unwrap_or_default() {
            let line = &mut self.lines[(number - self.base) as usize];
            line.gone = Some((Instant::now(), by));
        }
    }

    /// Renamed; whoever has it open writes on for a moment.
    fn rotate(&mut self) {
        self.complete();
        let mut late = OpenOptions::new().append(true).open(&self.log).unwrap();
        let old = self.old_name();
        fs::rename(&self.log, &old).unwrap();
        let log = self.log.clone();
        self.moved(&log, &old);
        if self.dice.roll(2) == 0 {
            let line = self.line(&old);
            late.write_all(line.as_bytes()).unwrap();
        }
        self.old.push((old, Instant::now()));
        self.append_some();
    }

    /// `a.jsonl` becomes `a.jsonl.old`, and what was called so goes.
    fn rotate_numbers(&mut self) {
        self.complete();
        let old = self.folder.join("a.jsonl.old");
        if old.exists() {
            if !self.may_go(&old) {
                return self.append_some();
            }
            self.gone(&old, "numbered rotation");
        }
        fs::rename(&self.log, &old).unwrap();
        let log = self.log.clone();
        self.moved(&log, &old);
        self.append_some();
    }

    fn copy_and_truncate(&mut self) {
        self.complete();
        let old = self.old_name();
        fs::copy(&self.log, &old).unwrap();
        File::create(&self.log).unwrap();
        let log = self.log.clone();
        self.moved(&log, &old);
        // Who looks every other second finds the copy then.
        for number in self.held[&old].clone() {
            let line = &mut self.lines[(number - self.base) as usize];
            line.written = line.written.max(Instant::now());
        }
        self.old.push((old, Instant::now()));
        self.append_some();
    }

    /// Written aside with more in it, and renamed.
    fn replace(&mut self) {
        self.complete();
        let mut text = fs::read(&self.log).unwrap();
        let log = self.log.clone();
        text.extend(self.line(&log).bytes());
        let names = ["a.jsonl.tmp", ".tmpXq3f", "tmp4z9k", ".a.jsonl.swp"];
        let aside = self.folder.join(names[self.dice.roll(4) as usize]);
        fs::write(&aside, &text).unwrap();
        if self.dice.roll(3) == 0 {
            thread::sleep(Duration::from_millis(self.dice.roll(20)));
        }
        fs::rename(&aside, &self.log).unwrap();
        self.written_now();
    }

    fn rewrite(&mut self) {
        self.complete();
        let mut text = fs::read(&self.log).unwrap();
        let log = self.log.clone();
        text.extend(self.line(&log).bytes());
        fs::write(&self.log, &text).unwrap();
        self.written_now();
    }

    fn truncate(&mut self) {
        self.complete();
        let log = self.log.clone();
        if !self.may_go(&log) {
            return;
        }
        File::create(&self.log).unwrap();
        self.gone(&log, "truncate");
        self.append_some();
    }

    fn delete(&mut self) {
        self.complete();
        let log = self.log.clone();
        if !self.may_go(&log) {
            return;
        }
        fs::remove_file(&self.log).unwrap();
        self.gone(&log, "delete");
        self.append_some();
    }

    /// Folders in folders, with a file that is there before anyone could watch.
    fn nest(&mut self) {
        self.files += 1;
        let folder = self.folder.join(format!("n{}/x/y", self.files));
        fs::create_dir_all(&folder).unwrap();
        self.new_file(&folder.join("s.jsonl"), 3);
        self.old.push((folder, Instant::now()));
    }

    fn burst(&mut self) {
        self.files += 1;
        let folder = self.folder.join(format!("b{}", self.files));
        fs::create_dir(&folder).unwrap();
        for n in 0..50 {
            self.new_file(&folder.join(format!("{n}.jsonl")), 1);
        }
        self.old.push((folder, Instant::now()));
    }

    fn move_away(&mut self) {
        self.complete();
        self.files += 1;
        let folder = self.folder.join(format!("m{}", self.files));
        fs::create_dir(&folder).unwrap();
        let to = folder.join("moved.jsonl");
        fs::rename(&self.log, &to).unwrap();
        let log = self.log.clone();
        self.moved(&log, &to);
        let line = self.line(&to);
        append(&to, line.as_bytes());
        self.old.push((folder, Instant::now()));
        self.append_some();
    }

    fn new_file(&mut self, path: &Path, lines: u64) {
        for _ in 0..1 + self.dice.roll(lines) {
            let line = self.line(path);
            append(path, line.as_bytes());
        }
    }

    /// Whether a file may be destroyed: sometimes at once where a watch runs, else when everyone had time to look.
    fn may_go(&mut self, path: &Path) -> bool {
        let held = self.held.get(path).cloned().unwrap_or_default();
        let is_seen = held.iter().all(|number| {
            let line = &self.lines[(number - self.base) as usize];
            self.calm.visible < line.written.elapsed()
        });
        self.calm.allows_loss() && (is_seen || self.dice.roll(4) == 0)
    }

    /// Old generations go.
    fn prune(&mut self) {
        while KEPT < self.old.len()
            && self.calm.allows_loss()
            && self.calm.visible < self.old[0].1.elapsed()
        {
            let (path, _) = self.old.remove(0);
            let is_in = |file: &&PathBuf| file.starts_with(&path);
            let files: Vec<PathBuf> = self.held.keys().filter(is_in).cloned().collect();
            match path.is_dir() {
                true => fs::remove_dir_all(&path).unwrap(),
                false => fs::remove_file(&path).unwrap(),
            }
            for file in files {
                self.gone(&file, "old generation");
            }
        }
    }
}

fn append(path: &Path, text: &[u8]) {
    let mut options = OpenOptions::new();
    let mut file = options.append(true).create(true).open(path).unwrap();
    file.write_all(text).unwrap();
}
