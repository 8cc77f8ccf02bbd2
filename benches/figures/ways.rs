//! The sections: how each figure is taken.

use std::fs::File;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use jsonmedic::repair::{Level, ToolContext, Verdict, auto, check_bytes};

use super::{ratio_row, texts};

const ROUNDS: usize = 15;
const MEGABYTE: usize = 1 << 20;

/// Two works in turn: the median of the rounds' ratios, and the best time of each. A round runs each for 20 ms.
pub fn in_turn(ours: impl Fn(), peer: impl Fn()) -> (f64, Duration, Duration) {
    let each = |work: &dyn Fn()| {
        let (start, mut count) = (Instant::now(), 0);
        while count == 0 || start.elapsed() < Duration::from_millis(20) {
            work();
            count += 1;
        }
        start.elapsed() / count
    };
    turns(ROUNDS, || each(&ours), || each(&peer))
}

fn turns(
    rounds: usize,
    mut ours: impl FnMut() -> Duration,
    mut peer: impl FnMut() -> Duration,
) -> (f64, Duration, Duration) {
    let (mut best_ours, mut best_peer) = (Duration::MAX, Duration::MAX);
    let mut ratios: Vec<f64> = (0..rounds)
        .map(|_| {
            let (ours, peer) = (ours(), peer());
            (best_ours, best_peer) = (best_ours.min(ours), best_peer.min(peer));
            ours.as_secs_f64() / peer.as_secs_f64()
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    (ratios[rounds / 2], best_ours, best_peer)
}

/// The repair of a text at the widest level, its edits listed, its output made.
pub fn mend(text: &str) -> usize {
    let (_, repair) = auto(black_box(text), Level::Guess, &ToolContext::default());
    black_box(repair.edits.apply(text, |_| true));
    repair.edits.len()
}

pub fn valid() {
    println!("\nvalid text, UTF-8 checked, against serde_json IgnoredAny, which does not check it");
    println!(
        "{:<28} {:>9} {:>9} {:>7}   bound",
        "text", "ours MB/s", "its MB/s", "ratio"
    );
    for (name, text) in texts::valid() {
        let bytes = text.as_bytes();
        let (ratio, ours, peer) = in_turn(
            || assert_eq!(check_bytes(black_box(bytes)), Verdict::Valid),
            || assert!(serde_json::from_slice::<serde::de::IgnoredAny>(black_box(bytes)).is_ok()),
        );
        ratio_row(name, bytes.len(), ratio, ours, peer, "0.95, at most 1.15");
    }
}

pub fn hostile() {
    println!(
        "\nhostile patterns, library call: milliseconds, and the growth exponent (at most 1.1; 250 ms)"
    );
    println!(
        "{:<28} {:>9} {:>9} {:>7}",
        "pattern", "256 KB", "1 MB", "growth"
    );
    for (name, pattern) in texts::HOSTILE {
        let best = |size: usize| {
            let text = texts::hostile(pattern, size);
            let time = |_| {
                let start = Instant::now();
                mend(&text);
                start.elapsed().as_secs_f64() * 1e3
            };
            (0..5).map(time).fold(f64::MAX, f64::min)
        };
        let (small, large) = (best(MEGABYTE / 4), best(MEGABYTE));
        // Below 20 ms a growth says nothing.
        let growth = (large.max(20.0) / small.max(20.0)).log2() / 2.0;
        let flag = if growth > 1.1 || large > 250.0 {
            "  <--"
        } else {
            ""
        };
        println!("{name:<28} {small:>9.1} {large:>9.1} {growth:>7.2}{flag}");
    }
}

pub fn depth() {
    println!("\n1,000,000 levels on a stack of 8 MiB: milliseconds");
    for (name, open, close) in texts::BRACKETS {
        let levels = MEGABYTE.min(1_000_000);
        let text = open.repeat(levels) + &close.repeat(levels);
        let thread = std::thread::Builder::new().stack_size(8 << 20);
        let start = Instant::now();
        let edits = thread
            .spawn(move || mend(&text))
            .ok()
            .and_then(|thread| thread.join().ok());
        let time = start.elapsed().as_secs_f64() * 1e3;
        match edits {
            Some(edits) => println!("{name:<28} {time:>9.1} {edits:>9} edits"),
            None => println!("{name:<28}   aborted  <--"),
        }
    }
}

/// The most memory that this process had at once, in bytes; only Linux tells.
fn peak() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes << 10)
}

/// The part of [`memory`] that runs in a process of its own: whether this is that process.
pub fn child() -> bool {
    let mut words = std::env::args()
        .skip_while(|word| word != "--memory-of")
        .skip(1);
    let Some(text) = words.next().and_then(|path| std::fs::read(path).ok()) else {
        return false;
    };
    // Touched once without the repair, so that what is counted is its own.
    let before = peak().unwrap_or(0);
    let edits = match check_bytes(&text) {
        Verdict::Valid => 0,
        Verdict::Refused(_) => std::str::from_utf8(&text).map_or(0, mend),
    };
    let most = peak().unwrap_or(0) - before;
    println!("{most} {edits}");
    true
}

pub fn memory() {
    println!(
        "\nmemory beyond the input: times the input, and what is allowed (valid 0.1; else 1 and 32 bytes an edit)"
    );
    // Of valid texts sixteen in an array, so that what the code itself takes does not count.
    let many = |(name, text): (_, String)| (name, format!("[{}]", vec![text; 16].join(",")));
    for (name, text) in texts::valid().into_iter().map(many).chain(texts::broken()) {
        let file = Scratch::new("memory", text.as_bytes());
        let Ok(own) = std::env::current_exe() else {
            return;
        };
        let out = Command::new(own).arg("--memory-of").arg(&file.0).output();
        let out = out.map(|out| String::from_utf8_lossy(&out.stdout).into_owned());
        let numbers: Vec<usize> = out
            .iter()
            .flat_map(|out| out.split_whitespace())
            .filter_map(|word| word.parse().ok())
            .collect();
        let [most, edits] = numbers[..] else {
            println!("{name:<28} not known here");
            continue;
        };
        let times = |bytes: usize| bytes as f64 / text.len() as f64;
        let allowed = if edits == 0 {
            0.1
        } else {
            1.0 + times(32 * edits)
        };
        // What the code itself takes when it runs for the first time.
        let slack = times(512 << 10);
        let flag = if times(most) > allowed + slack {
            "  <--"
        } else {
            ""
        };
        println!("{name:<28} {:>9.2} {allowed:>9.2}{flag}", times(most));
    }
}

/// A file that goes when it is dropped.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str, bytes: &[u8]) -> Scratch {
        let name = format!("jsonmedic-bench-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, bytes).expect("the folder for temporary files can be written");
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// The binary: of this build, or the one that was built before.
fn binary() -> PathBuf {
    let built = option_env!("CARGO_BIN_EXE_jsonmedic").map(PathBuf::from);
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let near = ["target/release/jsonmedic", "../../target/release/jsonmedic"];
    let found = near
        .iter()
        .map(|path| root.join(path))
        .find(|path| path.exists());
    built.or(found).unwrap_or_default()
}

/// How long a process takes from start to end, its standard input a file.
fn spawned(program: &Path, words: &[&str], input: &Path) -> Duration {
    let input = File::open(input).expect("the file was just written");
    let start = Instant::now();
    let done = Command::new(program)
        .args(words)
        .stdin(input)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    assert!(
        done.is_ok_and(|status| status.success()),
        "{}",
        program.display()
    );
    start.elapsed()
}

pub fn process() {
    let binary = binary();
    if !binary.exists() {
        println!("\nwhole processes: run `cargo build --release` first");
        return;
    }
    let size = std::fs::metadata(&binary).map_or(0, |data| data.len());
    println!(
        "\nwhole processes of {} ({:.1} MB)",
        binary.display(),
        size as f64 / 1e6
    );
    println!(
        "{:<28} {:>9} {:>9} {:>7}   bound",
        "text", "fix ms", "cat ms", "ratio"
    );
    let (_, minimal) = texts::valid().swap_remove(0);
    let row = |name: &str, text: &str, rounds: usize, bound: &str| {
        let file = Scratch::new("process", text.as_bytes());
        let (ratio, ours, peer) = turns(
            rounds,
            || spawned(&binary, &["fix"], &file.0),
            || spawned(Path::new("cat"), &[], &file.0),
        );
        let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
        let (ours, peer) = (milliseconds(ours), milliseconds(peer));
        println!("{name:<28} {ours:>9.2} {peer:>9.2} {ratio:>7.2}   {bound}");
    };
    let small = r#"{"path": "src/main.rs", "content": "fn main() {}", "tags": [1, 2, 3]}"#;
    let array = |text: &str, count: usize| format!("[{}]", vec![text; count].join(","));
    row("valid 1 KB", &array(small, 14), 101, "1.0 ms, at most 1.5");
    row(
        "valid 16 MB",
        &array(&minimal, 16),
        11,
        "1.3, at most 1.7 of a copy",
    );
}
