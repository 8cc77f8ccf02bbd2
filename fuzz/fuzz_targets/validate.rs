//! The check against serde_json's.
#![no_main]

#[path = "../../tests/texts/promises.rs"]
#[allow(dead_code)]
mod promises;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| promises::validity(text));
