//! Fixes switched off one by one, checked after each.
#![no_main]

#[path = "../../tests/texts/promises.rs"]
#[allow(dead_code)]
mod promises;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u64, &str)| {
    let (mut bits, text) = input;
    promises::every_choice(text, || {
        bits = bits.rotate_left(1);
        bits & 1 == 1
    });
});
