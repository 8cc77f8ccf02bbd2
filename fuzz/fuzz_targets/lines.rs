//! Any bytes as a log, in one piece and in two.
#![no_main]

#[path = "../../tests/texts/logs.rs"]
#[allow(dead_code)]
mod logs;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    // The first byte says where the log is cut.
    if let Some((cut, log)) = input.split_first() {
        logs::in_pieces(log, log.len() * usize::from(*cut) / 256);
    }
});
