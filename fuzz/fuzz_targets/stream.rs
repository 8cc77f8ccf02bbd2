//! Arguments that came in pieces are joined as they were.
#![no_main]

#[path = "../../tests/texts/logs.rs"]
#[allow(dead_code)]
mod logs;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u64, &str)| {
    let (mut bits, arguments) = input;
    logs::joined(arguments, || {
        bits = bits.rotate_left(4);
        (bits & 15) as usize
    });
});
