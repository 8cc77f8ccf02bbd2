//! What the user waits for, measured on the real program in a real terminal: the first picture, a pasted text repaired,
//! a key answered. Ignored, since only an optimized build on a quiet machine tells:
//! `cargo test --release --test screen_speed -- --ignored --nocapture`.

#![cfg(feature = "tui")]

mod support;

use std::time::{Duration, Instant};

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

/// Prints the median and its bound; whether it holds.
fn tell(what: &str, mut times: Vec<Duration>, most: Duration) -> bool {
    times.sort();
    let (median, worst) = (times[times.len() / 2], times[times.len() - 1]);
    println!("{what:44} median {median:>10.2?}  worst {worst:>10.2?}  at most {most:?}");
    median <= most
}

fn start() -> Tty {
    Setup::program(&[]).size(SIZE.0, SIZE.1).start()
}

#[test]
#[ignore = "needs an optimized build and a quiet machine"]
fn what_the_user_waits_for() {
    let mut holds = true;
    let first = |_| {
        let begin = Instant::now();
        let tty = start();
        tty.wait_raw(FRAME);
        begin.elapsed()
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
            let tty = start();
            tty.wait("Paste or type JSON");
            let begin = Instant::now();
            tty.paste(&text);
            // Counted in the title of Edits once the repair is on the screen, and the output beside it.
            tty.wait_screen("the repaired text", |screen| {
                screen.contents().contains("valid JSON")
            });
            pasted.push(begin.elapsed());
            tty.wait_screen("all rungs", |screen| !screen.contents().contains(" of 10"));
            for key in "G]jkgg".split_inclusive(|_| true) {
                let before = tty.frames();
                let begin = Instant::now();
                tty.send(key.as_bytes());
                tty.wait_frame(before);
                keys.push(begin.elapsed());
            }
        }
        let what = format!("paste of 10 MB to repaired frame, {name}");
        holds &= tell(&what, pasted, Duration::from_millis(400));
        let what = format!("key to frame at 10 MB, {name}");
        holds &= tell(&what, keys, Duration::from_millis(4));
    }
    assert!(holds, "a bound is not held");
}
