//! Every rung at every level, with one of the tools that the first byte picks.
#![no_main]

#[path = "../../tests/texts/promises.rs"]
#[allow(dead_code)]
mod promises;

use std::sync::LazyLock;

use jsonmedic::repair::ToolContext;
use libfuzzer_sys::fuzz_target;

static TOOLS: LazyLock<[ToolContext; 3]> = LazyLock::new(promises::tools);

fuzz_target!(|input: (u8, &str)| {
    let (tool, text) = input;
    promises::every_rung(text, &TOOLS[tool as usize % 3]);
});
