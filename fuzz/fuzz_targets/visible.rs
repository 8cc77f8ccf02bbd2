//! Shown text holds nothing that a terminal acts on.
#![no_main]

use jsonmedic::visible::{visible, visible_bytes};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut shown = visible_bytes(bytes);
    if let Ok(text) = std::str::from_utf8(bytes) {
        shown.push_str(&visible(text));
    }
    let acts = |c: char| {
        c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
            || matches!(c, '\u{e0000}'..='\u{e007f}')
    };
    assert!(!shown.contains(acts), "{shown:?}");
});
