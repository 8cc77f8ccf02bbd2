//! Speed as ratios taken in one run: ours and a reference in turn, the median of the rounds' ratios.
//!
//! `cargo run --release --manifest-path benches/peers/Cargo.toml [ROUNDS [WORD]]`: WORD picks rows by name.
//!
//! Valid text is measured against serde_json's `from_slice::<IgnoredAny>` (which does not check UTF-8 inside strings;
//! ours does), broken text against the crate jsonrepair-rs, ours with the complete edit list and the output.

use std::hint::black_box;
use std::time::{Duration, Instant};

use jsonmedic::repair::{Level, ToolContext, Verdict, auto, check_bytes};

mod texts;

fn main() {
    let rounds: usize = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(15);
    let wanted = std::env::args().nth(2).unwrap_or_default();
    let is_wanted = |(name, _): &(&'static str, String)| name.contains(&wanted);
    println!("{:<28} {:>10} {:>10} {:>8}", "text", "ours MB/s", "peer MB/s", "ratio");
    for (name, text) in texts::valid().into_iter().filter(is_wanted) {
        let ours = || assert_eq!(check_bytes(black_box(text.as_bytes())), Verdict::Valid);
        let peer = || {
            serde_json::from_slice::<serde::de::IgnoredAny>(black_box(text.as_bytes())).unwrap();
        };
        row(name, text.len(), rounds, ours, peer);
    }
    for (name, text) in texts::broken().into_iter().filter(is_wanted) {
        let ours = || {
            let (_, repair) = auto(black_box(&text), Level::Guess, &ToolContext::default());
            assert!(repair.is_valid(), "{name}: {:?}", repair.verdict);
            black_box(repair.edits.apply(&text, |_| true));
        };
        let peer = || {
            black_box(jsonrepair_rs::jsonrepair(black_box(&text)).ok());
        };
        row(name, text.len(), rounds, ours, peer);
    }
}

/// One line of the table. A round runs each side until 20 ms have passed.
fn row(name: &str, len: usize, rounds: usize, ours: impl Fn(), peer: impl Fn()) {
    let mut ratios = Vec::new();
    let (mut best_ours, mut best_peer) = (Duration::MAX, Duration::MAX);
    for _ in 0..rounds {
        let (a, b) = (each(&ours), each(&peer));
        (best_ours, best_peer) = (best_ours.min(a), best_peer.min(b));
        ratios.push(a.as_secs_f64() / b.as_secs_f64());
    }
    ratios.sort_by(f64::total_cmp);
    let speed = |time: Duration| len as f64 / time.as_secs_f64() / 1e6;
    println!("{name:<28} {:>10.0} {:>10.0} {:>8.2}", speed(best_ours), speed(best_peer), ratios[ratios.len() / 2]);
}

fn each(work: impl Fn()) -> Duration {
    let start = Instant::now();
    let mut count = 0;
    while count == 0 || start.elapsed() < Duration::from_millis(20) {
        work();
        count += 1;
    }
    start.elapsed() / count
}
