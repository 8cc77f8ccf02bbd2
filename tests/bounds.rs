//! What a text or a log may cost at most: time by its length alone, memory by what the README says.
//!
//! `cargo test --release --test bounds -- --ignored --nocapture` runs the large ones too and prints what it measured;
//! it needs 3 GB of memory and 3 GB of disk for a minute.

#![cfg(all(feature = "cli", target_os = "linux"))]

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use jsonmedic::repair::{Level, ToolContext, auto};

/// What a run of the program came to.
struct Ran {
    code: i32,
    said: String,
    /// Peak of the resident memory in bytes.
    peak: u64,
}

fn run(arguments: &[&str], file: &Path) -> Ran {
    let start = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_jsonmedic"))
        .args(arguments)
        .arg(file)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    let code = loop {
        let lines = std::fs::read_to_string(&status).unwrap_or_default();
        let line = lines.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
        peak = peak.max(kilobytes.unwrap_or(0u64) << 10);
        if let Some(status) = child.try_wait().expect("it can be waited for") {
            break status.code().unwrap_or(-1);
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let time = start.elapsed();
    let output = child.wait_with_output().expect("it has ended");
    let ran = Ran {
        code,
        said: String::from_utf8_lossy(&output.stderr).into_owned(),
        peak,
    };
    let size = std::fs::metadata(file).map_or(0, |about| about.len());
    println!(
        "{arguments:?}, {} MB: exit {code}, {:.1} s, peak {} MB",
        size / 1_000_000,
        time.as_secs_f64(),
        peak / 1_000_000
    );
    ran
}

fn written(folder: &tempfile::TempDir, write: impl FnOnce(&mut dyn Write)) -> std::path::PathBuf {
    let path = folder.path().join("text.json");
    let mut file = BufWriter::new(File::create(&path).expect("a file can be made"));
    write(&mut file);
    file.flush().expect("there is room");
    path
}

#[test]
fn a_text_over_four_gibibytes_is_refused_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("large.json");
    let file = File::create(&path).expect("a file can be made");
    // A hole of five gibibytes takes no room.
    file.set_len(5 << 30).expect("the file system knows holes");
    for arguments in [&["fix"][..], &["fix", "--allow", "guess"]] {
        let ran = run(arguments, &path);
        assert_eq!(ran.code, 2, "{}", ran.said);
        assert!(ran.said.contains("over 4 GiB"), "{}", ran.said);
        assert!(ran.peak < 100 << 20, "{}", ran.peak);
    }
}

#[test]
#[ignore = "a gigabyte"]
fn one_gigabyte_on_one_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = written(&folder, |file| {
        file.write_all(b"{\"a\": \"").expect("there is room");
        let part = vec![b'x'; 1_000_000];
        for _ in 0..1_000 {
            file.write_all(&part).expect("there is room");
        }
    });
    // Cut off inside a string: one edit closes it.
    let ran = run(&["fix", "--allow", "lossy"], &path);
    assert_eq!(ran.code, 0, "{}", ran.said);
    assert!(ran.peak < 1_100_000_000, "{}", ran.peak);
    // As a log it is no record; a batch names the line and goes on.
    let ran = run(&["scan"], &path);
    assert!(ran.peak < 200_000_000, "{}", ran.peak);
    let ran = run(&["fix"], &path);
    assert_eq!(ran.code, 1, "{}", ran.said);
    assert!(ran.said.len() < 1_000, "{}", ran.said.len());
}

#[test]
#[ignore = "half a gigabyte of edits"]
fn more_edits_than_the_bound_are_refused() {
    for item in ["'a',", "1 ", "\"a\" ", "/**/1,"] {
        let folder = tempfile::tempdir().expect("a folder");
        let path = written(&folder, |file| {
            file.write_all(b"[").expect("there is room");
            for _ in 0..21_000_000 {
                file.write_all(item.as_bytes()).expect("there is room");
            }
            file.write_all(b"1]").expect("there is room");
        });
        let ran = run(&["fix", "--allow", "guess"], &path);
        assert_eq!(ran.code, 1, "{}", ran.said);
        assert!(ran.said.contains("over 20000000 edits"), "{}", ran.said);
        assert!(ran.peak < 1_200_000_000, "{}", ran.peak);
    }
}

/// The shortest of some tries, in time on the processor where the system tells it: others use the machine too.
fn shortest(tries: usize, mut work: impl FnMut()) -> Duration {
    let spent = || {
        let line = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        line.split(' ').next()?.parse::<u64>().ok()
    };
    let times = (0..tries).map(|_| {
        let (start, before) = (Instant::now(), spent());
        work();
        match (before, spent()) {
            (Some(before), Some(after)) => Duration::from_nanos(after - before),
            _ => start.elapsed(),
        }
    });
    times.min().unwrap_or_default()
}

#[test]
fn time_grows_with_the_length_alone() {
    let traps = [
        "{\"",
        "[\"",
        "[",
        "{\"a\":",
        "{'a':",
        "\"a\" ",
        "'",
        "\\",
        "/*",
        "//",
        "/**/",
        "#",
        "```",
        "```json\n",
        "<",
        "<tool_call>",
        "{{",
        "}}",
        "((",
        "set((",
        "\"\"\"",
        "'''",
        "`",
        "a:",
        "a=",
        ",",
        ":",
        "...",
        "\u{201c}",
        "&quot;",
        "\\\"",
        "\\\\\"",
        "\"a\": \"b\"c\", ",
        "\"a\" \"b\" ",
        "{\"a\": 1 ",
        "{\"a\": 'it's', ",
        "[1,]",
        "{\"a\":1}{",
        "data: ",
        "\n",
        " ",
        "\u{feff}",
        "json ",
        "f(",
        "{\"name\": \"x\", \"arguments\": \"{",
        "1_000",
        "0x",
        "-",
        "1.",
        "True ",
        "NaN,",
        "r\"",
        "b'",
        "<!--",
        "<think>",
        "|",
        "\u{1b}[",
        "\\u00",
        "\\x",
        "\\ud800",
        "[ERROR] ",
        "{'a': r'",
        "\"a\\",
        "]}",
    ];
    let work = |text: &str, level| {
        let result = auto(text, level, &ToolContext::default());
        std::hint::black_box(result.1.edits.len());
    };
    let mut slow = Vec::new();
    for trap in traps {
        for level in [Level::Safe, Level::Guess] {
            let short = trap.repeat(8_192 / trap.len());
            let long = trap.repeat(8 * 8_192 / trap.len());
            let is_slow = || {
                let before = shortest(3, || work(&short, level));
                let after = shortest(3, || work(&long, level));
                // Eight times the length; what starts anew with each byte would take 64 times.
                Duration::from_millis(60) < after && 24 * before < after
            };
            // A machine that does something else for a moment is not slow four times in a row.
            if (0..4).all(|_| is_slow()) {
                slow.push(format!("{trap:?} at {level}"));
            }
        }
    }
    assert!(slow.is_empty(), "{slow:#?}");
}

/// A log with so many failed calls.
fn failures(file: &mut dyn Write, count: usize) {
    for number in 0..count {
        writeln!(
            file,
            r#"{{"type":"assistant","uuid":"u{number}","sessionId":"s","version":"2.0","timestamp":"2026-11-30T10:00:00Z","message":{{"id":"m{number}","role":"assistant","model":"x","stop_reason":"tool_use","content":[{{"type":"tool_use","id":"toolu_{number}","name":"Read","input":{{"__unparsedToolInput":{{"raw":"{{\"a\": 1,}}"}}}}}}]}}}}"#
        )
        .expect("there is room");
    }
}

#[test]
fn failures_in_one_log_cost_the_same_each() {
    let folder = tempfile::tempdir().expect("a folder");
    let scan = |count: usize| {
        let path = written(&folder, |file| failures(file, count));
        let path = path.with_extension("jsonl");
        std::fs::rename(folder.path().join("text.json"), &path).expect("it can be renamed");
        let times = (0..3).map(|_| {
            let start = Instant::now();
            let ran = run(&["scan"], &path);
            assert_eq!(ran.code, 0, "{}", ran.said);
            assert!(
                ran.said.contains(&format!("{count} failed calls")),
                "{}",
                ran.said
            );
            start.elapsed()
        });
        times.min().unwrap_or_default()
    };
    let is_slow = || {
        let (before, after) = (scan(1_000), scan(8_000));
        println!("{before:?} for 1,000 and {after:?} for 8,000");
        24 * before.max(Duration::from_millis(20)) < after
    };
    assert!(
        !(0..3).all(|_| is_slow()),
        "eight times as many took over 24 times as long"
    );
}

#[test]
#[ignore = "a log of 60 MB"]
fn a_failed_call_costs_a_kilobyte() {
    const COUNT: usize = 200_000;
    let folder = tempfile::tempdir().expect("a folder");
    let path = written(&folder, |file| failures(file, COUNT));
    let ran = run(&["scan"], &path);
    assert_eq!(ran.code, 0, "{}", ran.said);
    assert!(
        ran.peak < 200_000_000 + 1_024 * COUNT as u64,
        "{}",
        ran.peak
    );
}
