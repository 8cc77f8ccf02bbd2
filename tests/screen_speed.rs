//! What the user waits for, measured on the real program in a real terminal: the first picture, a pasted text repaired,
//! a key answered. Ignored, since only an optimized build on a quiet machine tells:
//! `cargo test --release --test screen_speed -- --ignored --nocapture`.

#![cfg(feature = "tui")]

mod support;

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use support::{Setup, Tty};

/// So many runs; the median counts.
const RUNS: usize = 7;

/// The size at which the targets hold.
const SIZE: (u16, u16) = (240, 70);

/// The end of a frame.
const FRAME: &[u8] = b"\x1b[?2026l";

/// Ten megabytes of the same faults over and over.
fn big(unit: &str) -> String {
    let mut text = String::from("[");
    while text.len() < 10 << 20 {
        text.push_str(unit);
    }
    text.push_str("{}]");
    text
}

/// Prints the median and its bound; whether it holds. Beside it stands the program's own processor time, which a busy
/// machine changes little.
fn tell(what: &str, mut times: Vec<(Duration, Duration)>, most: Duration) -> bool {
    let middle = times.len() / 2;
    times.sort_by_key(|(_, own)| *own);
    let own = times[middle].1;
    times.sort();
    let (median, worst) = (times[middle].0, times[times.len() - 1].0);
    println!(
        "{what:52} median {median:>9.2?}  worst {worst:>9.2?}  at most {most:>6?}  processor {own:>9.2?}"
    );
    median <= most
}

/// How long the program's threads have run on a processor; zero where the system does not tell.
fn processor(tty: &Tty) -> Duration {
    let tasks = format!("/proc/{}/task", tty.pid().as_raw_nonzero());
    let tasks = std::fs::read_dir(tasks).into_iter().flatten().flatten();
    let nanos = tasks.filter_map(|task| {
        let told = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
        told.split(' ').next()?.parse::<u64>().ok()
    });
    Duration::from_nanos(nanos.sum())
}

fn setup() -> Setup {
    Setup::program(&[]).size(SIZE.0, SIZE.1)
}

/// Whether every rung has its outcome in the strip.
fn is_complete(screen: &vt100::Screen) -> bool {
    let shown = screen.contents();
    let strip = shown.lines().nth(1).unwrap_or_default();
    !strip.contains('…') && !shown.contains(" of 10")
}

#[test]
#[ignore = "needs an optimized build and a quiet machine"]
fn what_the_user_waits_for() {
    let mut holds = true;
    // The shell tells the time and becomes the program: making a terminal and a process is not what is measured.
    let first = |_| {
        let setup = Setup::shell("date +%s%N; exec \"$JSONMEDIC\"");
        let tty = setup.size(SIZE.0, SIZE.1).start();
        tty.wait_raw(FRAME);
        let shown = SystemTime::now().duration_since(UNIX_EPOCH);
        let raw = tty.raw();
        let line = raw.split(|byte| *byte == b'\r').next();
        let told = line.and_then(|line| std::str::from_utf8(line).ok()?.parse().ok());
        let begin = Duration::from_nanos(told.expect("the shell told the time"));
        let shown = shown.expect("a time after 1970");
        (shown.saturating_sub(begin), processor(&tty))
    };
    let times = (0..3 * RUNS).map(first).collect();
    holds &= tell("exec to first frame", times, Duration::from_millis(5));

    let texts = [
        ("dense", "{'id': 1, 'name': 'x y', 'tags': [True, None]},\n"),
        (
            "one fault a line",
            "{\"id\": 1, \"name\": \"日本 ñandú\", \"tags\": [true, null],},\n",
        ),
        (
            "one line",
            "{'id': 1, \"name\": \"plain\", \"tags\": [true, null, 1.5]},",
        ),
    ];
    for (name, unit) in texts {
        let text = big(unit);
        let (mut pasted, mut keys) = (Vec::new(), Vec::new());
        for _ in 0..RUNS {
            let tty = setup().start();
            tty.wait("Paste or type JSON");
            let (begin, before) = (Instant::now(), processor(&tty));
            tty.paste(&text);
            // Said over the output, once that is on the screen.
            tty.wait_screen("the repaired text", |screen| {
                screen.contents().contains("valid JSON")
            });
            pasted.push((begin.elapsed(), processor(&tty).saturating_sub(before)));
            tty.wait_screen("all rungs", is_complete);
            for key in "G]jkgg".split_inclusive(|_| true) {
                let (frames, before) = (tty.frames(), processor(&tty));
                let begin = Instant::now();
                tty.send(key.as_bytes());
                tty.wait_frame(frames);
                keys.push((begin.elapsed(), processor(&tty).saturating_sub(before)));
            }
        }
        let what = format!("paste of 10 MB to repaired frame, {name}");
        holds &= tell(&what, pasted, Duration::from_millis(400));
        let what = format!("key to frame at 10 MB, {name}");
        holds &= tell(&what, keys, Duration::from_millis(4));
    }
    assert!(holds, "a bound is not held");
}
