//! How soon a failed call is told and shown, what a watch costs while nothing happens, and what memory a scan takes.
//! On a busy machine these bounds are far from what is seen; the figures themselves come from
//!
//! ```sh
//! cargo test --release --test paces -- --ignored --nocapture --test-threads 1
//! ```

#![cfg(target_os = "linux")]

mod support;

use std::fs::{self, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use support::{PROGRAM, Setup};

/// How soon a line that was written has to be told and shown.
const SOON: Duration = Duration::from_millis(250);
/// Bytes of memory that no scan may take.
const MEMORY: u64 = 200 << 20;

fn call(n: usize) -> String {
    format!(
        r#"{{"type":"function_call","name":"tool_{n:04}","arguments":"{{{n}","call_id":"call_{n:06}"}}"#
    ) + "\n"
}

fn append(path: &Path, text: &str) {
    let mut options = OpenOptions::new();
    let mut file = options.append(true).create(true).open(path).unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// The program on a folder, and the lines that it writes.
struct Watch {
    child: Child,
    lines: std::io::Lines<BufReader<std::process::ChildStdout>>,
}

impl Watch {
    /// Starts it and waits until it tells what happens.
    fn start(folder: &Path, flags: &[&str]) -> Watch {
        let mut child = Command::new(PROGRAM)
            .args(["watch", "--json"])
            .args(flags)
            .arg(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut watch = Watch { child, lines };
        let probe = folder.join("probe.jsonl");
        fs::write(&probe, "").unwrap();
        // What is written before it follows is not told, so one line after the other until one is.
        let over = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
        let is_over = std::sync::Arc::clone(&over);
        let prober = thread::spawn(move || {
            for n in 9000.. {
                if is_over.load(std::sync::atomic::Ordering::SeqCst) {
                    return;
                }
                append(&probe, &call(n));
                thread::sleep(Duration::from_millis(50));
            }
        });
        watch.lines.next().unwrap().unwrap();
        over.store(true, std::sync::atomic::Ordering::SeqCst);
        prober.join().unwrap();
        watch
    }

    /// Waits for the row of a call.
    fn wait_for(&mut self, n: usize) {
        let id = format!("call_{n:06}");
        while !self.lines.next().unwrap().unwrap().contains(&id) {}
    }

    /// Processor time of all its threads so far.
    fn cost(&self) -> Duration {
        let tasks = format!("/proc/{}/task", self.child.id());
        let times = fs::read_dir(tasks).unwrap().map(|task| {
            let stat = fs::read_to_string(task.unwrap().path().join("schedstat")).unwrap();
            stat.split(' ').next().unwrap().parse::<u64>().unwrap()
        });
        Duration::from_nanos(times.sum())
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Times from a line that is written to the line that tells it.
fn times_to_json(flags: &[&str], rounds: usize) -> Vec<Duration> {
    let folder = tempfile::tempdir().unwrap();
    for n in 0..200 {
        fs::write(folder.path().join(format!("{n}.jsonl")), call(n)).unwrap();
    }
    let mut watch = Watch::start(folder.path(), flags);
    let log = folder.path().join("7.jsonl");
    // A log that has begun to change is looked at more often, where there are no events.
    append(&log, &call(999));
    watch.wait_for(999);
    (1000..1000 + rounds)
        .map(|n| {
            let start = Instant::now();
            append(&log, &call(n));
            watch.wait_for(n);
            start.elapsed()
        })
        .collect()
}

#[test]
fn a_line_that_is_written_is_told_soon() {
    for flags in [&[][..], &["--poll"]] {
        let time = median(times_to_json(flags, 9));
        println!("written -> told {flags:?}: {time:?}");
        assert!(time <= SOON, "{flags:?}: {time:?}");
    }
}

#[test]
fn a_line_that_is_written_is_shown_soon() {
    let setup = Setup::program(&[]);
    let logs = setup.home.path().join("logs");
    fs::create_dir(&logs).unwrap();
    let log = logs.join("a.jsonl");
    append(&log, &call(0));
    let mut setup = setup;
    setup
        .command
        .extend(["watch".into(), logs.into_os_string()]);
    let mut tty = setup.start();
    tty.wait("FEED");
    // The first one that is shown says that it follows.
    for n in 1..200 {
        append(&log, &call(n));
        thread::sleep(Duration::from_millis(20));
        if tty.contents().contains("tool_") {
            break;
        }
    }
    tty.wait("tool_");
    let times = (1000..1009).map(|n| {
        let start = Instant::now();
        append(&log, &call(n));
        tty.wait(&format!("tool_{n}"));
        start.elapsed()
    });
    let time = median(times.collect());
    println!("written -> shown: {time:?}");
    tty.keys("q");
    tty.end();
    assert!(time <= SOON, "{time:?}");
}

/// The share of a processor that a watch on so many files takes while nothing happens.
fn idle(files: usize, flags: &[&str], time: Duration) -> f64 {
    let folder = tempfile::tempdir().unwrap();
    for n in 0..files {
        let below = folder.path().join(format!("{}", n % 100));
        fs::create_dir_all(&below).unwrap();
        fs::write(below.join(format!("{n}.jsonl")), call(n)).unwrap();
    }
    let watch = Watch::start(folder.path(), flags);
    // What is still to do from the beginning.
    thread::sleep(Duration::from_millis(2500));
    let (start, before) = (Instant::now(), watch.cost());
    thread::sleep(time);
    (watch.cost() - before).as_secs_f64() / start.elapsed().as_secs_f64()
}

#[test]
fn a_watch_costs_next_to_nothing_while_nothing_happens() {
    let share = idle(1000, &[], Duration::from_secs(5));
    println!("idle, 1,000 files: {:.3} %", share * 100.0);
    // A debug build does the same with ten times the work.
    let bound = if cfg!(debug_assertions) { 0.03 } else { 0.01 };
    assert!(share < bound, "{share}");
}

/// The most memory that a run takes.
fn peak(arguments: &[&str]) -> u64 {
    let mut child = Command::new(PROGRAM)
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    while child.try_wait().unwrap().is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        most = most.max(kilobytes.unwrap_or(0) * 1024);
        thread::sleep(Duration::from_millis(1));
    }
    most
}

#[test]
#[ignore = "makes 100,000 files; means something in a release build only"]
fn a_hundred_thousand_files_are_followed_in_5_s_and_200_mb() {
    let folder = tempfile::tempdir().unwrap();
    for n in 0..100_000 {
        let below = folder.path().join(format!("{}", n % 200));
        if n < 200 {
            fs::create_dir(&below).unwrap();
        }
        fs::write(below.join(format!("{n}.jsonl")), call(n)).unwrap();
    }
    let start = Instant::now();
    let watch = Watch::start(folder.path(), &[]);
    let time = start.elapsed();
    let status = fs::read_to_string(format!("/proc/{}/status", watch.child.id())).unwrap();
    let most = status
        .lines()
        .find(|line| line.starts_with("VmHWM"))
        .unwrap();
    let most: u64 = most.split_whitespace().nth(1).unwrap().parse().unwrap();
    println!("100,000 files: {time:?}, {} MB", most >> 10);
    assert!(time < Duration::from_secs(5) && most * 1024 < MEMORY);
}

#[test]
#[ignore = "writes 240 MB; takes minutes in a debug build"]
fn long_argument_texts_are_not_held() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("a.jsonl");
    for n in 0..6 {
        let text = "line of text\\\\n".repeat((40 << 20) / 15);
        append(
            &log,
            &call(n).replace("\"{", &format!("\"{{\\\"text\\\": \\\"{text}\\\", ")),
        );
    }
    let most = peak(&["scan", "--json", log.to_str().unwrap()]);
    println!("peak, six texts of 40 MB: {} MB", most >> 20);
    assert!((40 << 20..MEMORY).contains(&most), "{most}");
}

#[test]
fn a_sparse_log_of_1_gb_is_streamed() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("a.jsonl");
    append(&log, &call(1));
    let file = OpenOptions::new().write(true).open(&log).unwrap();
    file.set_len(1 << 30).unwrap();
    append(&log, &("\n".to_owned() + &call(2)));
    let most = peak(&["scan", "--json", log.to_str().unwrap()]);
    println!("peak, a hole of 1 GB: {} MB", most >> 20);
    assert!(most < MEMORY, "{most}");
}

#[test]
#[ignore = "takes a minute and means something in a release build only"]
fn figures() {
    for flags in [&[][..], &["--poll"]] {
        let times = times_to_json(flags, 101);
        let most = times.iter().max().copied().unwrap_or_default();
        println!(
            "written -> told {flags:?}: median {:?}, most {most:?}",
            median(times)
        );
    }
    for (files, flags) in [(1000, &[][..]), (20_000, &[]), (1000, &["--poll"])] {
        let share = idle(files, flags, Duration::from_secs(35));
        println!("idle, {files} files {flags:?}: {:.3} %", share * 100.0);
        assert!(share < 0.01);
    }
}
