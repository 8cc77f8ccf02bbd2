//! `cargo bench --bench figures [-- WORD ...]`: the figures of speed and memory, each beside its bound. WORDs pick
//! sections. The peers' crate prints these too, and the comparison with the fastest other repairer.

#![allow(missing_docs)]

pub mod texts;
mod ways;

pub use ways::{child, in_turn, mend};

use std::time::Duration;

fn main() {
    if ways::child() {
        return;
    }
    // Cargo adds a word of its own.
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with("--"))
        .collect();
    run(&words);
}

/// Prints the sections that `words` name; all without a word.
pub fn run(words: &[String]) {
    let sections: [(&str, fn()); 5] = [
        ("valid", ways::valid),
        ("hostile", ways::hostile),
        ("depth", ways::depth),
        ("memory", ways::memory),
        ("process", ways::process),
    ];
    for (name, section) in sections {
        if words.is_empty() || words.iter().any(|word| word == name) {
            section();
        }
    }
}

/// The line of a table for a ratio that was taken in one run.
pub fn ratio_row(name: &str, len: usize, ratio: f64, ours: Duration, peer: Duration, bound: &str) {
    let speed = |time: Duration| len as f64 / time.as_secs_f64() / 1e6;
    let (ours, peer) = (speed(ours), speed(peer));
    println!("{name:<28} {ours:>9.0} {peer:>9.0} {ratio:>7.2}   {bound}");
}
