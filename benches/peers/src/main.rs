//! `cargo run --release --manifest-path benches/peers/Cargo.toml [WORD ...]`: every figure of speed and memory, each
//! as a ratio taken in one run where it is one. WORDs pick sections: broken, valid, hostile, depth, memory, process.
//!
//! Broken text is measured against the crate jsonrepair-rs, ours with the complete edit list and the output. The other
//! sections are those of `cargo bench`. Whole processes need `cargo build --release` before.

use std::hint::black_box;

use jsonmedic::repair::{Level, ToolContext, auto};

#[path = "../../figures/main.rs"]
#[allow(dead_code)]
mod figures;

use figures::{in_turn, mend, ratio_row, texts};

fn main() {
    if figures::child() {
        return;
    }
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.is_empty() || words.iter().any(|word| word == "broken") {
        broken();
    }
    figures::run(&words);
}

fn broken() {
    println!("broken text, edits listed and output made, against jsonrepair-rs");
    println!(
        "{:<28} {:>9} {:>9} {:>7}   bound",
        "text", "ours MB/s", "its MB/s", "ratio"
    );
    for (name, text) in texts::broken() {
        let (_, repair) = auto(&text, Level::Guess, &ToolContext::default());
        assert!(repair.is_valid(), "{name}: {:?}", repair.verdict);
        let peer = || {
            black_box(jsonrepair_rs::jsonrepair(black_box(&text)).ok());
        };
        let (ratio, ours, theirs) = in_turn(|| assert!(mend(&text) > 0), peer);
        let bound = match jsonrepair_rs::jsonrepair(&text) {
            Ok(_) => "0.35, at most 0.5",
            Err(_) => "none: it refuses this text",
        };
        ratio_row(name, text.len(), ratio, ours, theirs, bound);
    }
}
