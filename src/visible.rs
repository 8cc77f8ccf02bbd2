//! Hostile text made visible: the one place that decides which characters may reach a terminal as they are.
//!
//! Every layer may use it, and whatever shows text that was not written in this crate must: texts and tool names
//! from logs, paths, error texts, and strings after their escapes were decoded.

use std::borrow::Cow;
use std::io;

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

/// `text` with a stand-in for every character that a terminal acts on, hides or reorders. Borrowed when there is none.
pub fn visible(text: &str) -> Cow<'_, str> {
    let Some(first) = text.find(|character| stand_in(character).is_some()) else {
        return Cow::Borrowed(text);
    };
    let mut out = String::with_capacity(text.len() + 16);
    out.push_str(&text[..first]);
    for character in text[first..].chars() {
        match stand_in(character) {
            Some(sign) => out.push_str(&sign),
            None => out.push(character),
        }
    }
    Cow::Owned(out)
}

/// As [`visible`], for bytes that may be no UTF-8, such as file names: a stray byte is shown as `⟨xFF⟩`.
pub fn visible_bytes(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        out.push_str(&visible(chunk.valid()));
        for byte in chunk.invalid() {
            out.push_str(&format!("⟨x{byte:02X}⟩"));
        }
    }
    out
}

/// What is shown in place of `character`; `None` where the character itself may be shown.
pub fn stand_in(character: char) -> Option<Cow<'static, str>> {
    let code = character as u32;
    match code {
        0..0x20 => Some(Cow::Borrowed(CONTROLS[code as usize])),
        0x20..0x7F => None,
        0x7F => Some(Cow::Borrowed("␡")),
        _ if is_hidden(code) => Some(Cow::Owned(format!("⟨{code:04X}⟩"))),
        _ => None,
    }
}

/// `value` as JSON on one line, in which every character that has a stand-in is an escape: such a line is safe on a
/// terminal and says the same to a reader.
pub fn write_json(out: impl io::Write, value: &impl Serialize) -> io::Result<()> {
    value
        .serialize(&mut Serializer::with_formatter(out, Escaping))
        .map_err(io::Error::from)
}

/// Compact JSON that escapes what [`visible`] would replace.
struct Escaping;

impl Formatter for Escaping {
    fn write_string_fragment<W>(&mut self, out: &mut W, fragment: &str) -> io::Result<()>
    where
        W: ?Sized + io::Write,
    {
        escape(out, fragment)
    }

    /// In valid JSON the hidden characters stand inside strings only, but for white space, which stays.
    fn write_raw_fragment<W>(&mut self, out: &mut W, fragment: &str) -> io::Result<()>
    where
        W: ?Sized + io::Write,
    {
        escape(out, fragment)
    }
}

fn escape<W: ?Sized + io::Write>(out: &mut W, fragment: &str) -> io::Result<()> {
    let plain = fragment.is_ascii() && memchr::memchr(0x7F, fragment.as_bytes()).is_none();
    if plain {
        return out.write_all(fragment.as_bytes());
    }
    let mut kept = 0;
    for (at, character) in fragment.char_indices() {
        // Quotes, backslashes and characters below U+0020 never come here as part of a string.
        if character < '\u{7F}' || stand_in(character).is_none() {
            continue;
        }
        out.write_all(&fragment.as_bytes()[kept..at])?;
        for unit in character.encode_utf16(&mut [0; 2]) {
            write!(out, "\\u{unit:04x}")?;
        }
        kept = at + character.len_utf8();
    }
    out.write_all(&fragment.as_bytes()[kept..])
}

/// Signs for U+0000 to U+001F: the control pictures, but for the three that people know by other signs.
const CONTROLS: [&str; 32] = [
    "␀", "␁", "␂", "␃", "␄", "␅", "␆", "␇", "␈", "⇥", "⏎", "␋", "␌", "␍", "␎", "␏", //
    "␐", "␑", "␒", "␓", "␔", "␕", "␖", "␗", "␘", "␙", "␚", "␛", "␜", "␝", "␞", "␟",
];

/// Whether a character from U+0080 on is shown by its number.
fn is_hidden(code: u32) -> bool {
    HIDDEN
        .binary_search_by(|&(first, last)| {
            if code < first {
                std::cmp::Ordering::Greater
            } else if last < code {
                std::cmp::Ordering::Less
            } else {
                std::cmp::Ordering::Equal
            }
        })
        .is_ok()
}

/// Ranges of characters that are control codes, take no room or change the order of their neighbours. Sorted.
const HIDDEN: [(u32, u32); 18] = [
    (0x80, 0x9F),       // C1 controls
    (0xAD, 0xAD),       // soft hyphen
    (0x34F, 0x34F),     // combining grapheme joiner
    (0x61C, 0x61C),     // Arabic letter mark
    (0x115F, 0x1160),   // Hangul fillers
    (0x17B4, 0x17B5),   // Khmer inherent vowels
    (0x180B, 0x180F),   // Mongolian selectors and vowel separator
    (0x200B, 0x200F),   // zero-width space and joiners, direction marks
    (0x2028, 0x202E),   // line and paragraph separators, embeddings and overrides
    (0x2060, 0x206F),   // word joiner, invisible operators, isolates
    (0x3164, 0x3164),   // Hangul filler
    (0xFE00, 0xFE0F),   // variation selectors
    (0xFEFF, 0xFEFF),   // byte order mark
    (0xFFA0, 0xFFA0),   // half-width Hangul filler
    (0xFFF0, 0xFFFB),   // interlinear annotation
    (0x1BCA0, 0x1BCA3), // shorthand format controls
    (0x1D173, 0x1D17A), // musical format controls
    (0xE0000, 0xE0FFF), // tags and further variation selectors
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows() {
        for (text, shown) in [
            ("", ""),
            ("plain, ñ 日本語 🚀", "plain, ñ 日本語 🚀"),
            ("a\tb\r\nc", "a⇥b␍⏎c"),
            ("\u{1b}[31m\u{1b}]52;c;eA==\u{7}", "␛[31m␛]52;c;eA==␇"),
            ("\0\u{1}\u{8}\u{b}\u{c}\u{e}\u{1f}\u{7f}", "␀␁␈␋␌␎␟␡"),
            ("\u{80}\u{9b}31m\u{9f}", "⟨0080⟩⟨009B⟩31m⟨009F⟩"),
            ("a\u{202e}b\u{2066}c\u{2069}", "a⟨202E⟩b⟨2066⟩c⟨2069⟩"),
            (
                "\u{feff}x\u{200b}\u{200d}\u{2060}\u{ad}",
                "⟨FEFF⟩x⟨200B⟩⟨200D⟩⟨2060⟩⟨00AD⟩",
            ),
            ("\u{2028}\u{2029}", "⟨2028⟩⟨2029⟩"),
            ("\u{e0041}\u{e0100}\u{fe0f}", "⟨E0041⟩⟨E0100⟩⟨FE0F⟩"),
            // Spaces that take room stay: they are seen.
            ("\u{a0}\u{2003}\u{3000}…×−", "\u{a0}\u{2003}\u{3000}…×−"),
        ] {
            assert_eq!(visible(text), shown);
            assert_eq!(visible_bytes(text.as_bytes()), shown);
        }
    }

    #[test]
    fn bytes_that_are_no_utf_8_are_shown_by_value() {
        assert_eq!(visible_bytes(b"a\xFFb\xC3"), "a⟨xFF⟩b⟨xC3⟩");
    }

    #[test]
    fn json_holds_no_hidden_character_and_says_the_same() {
        for (text, json) in [
            ("a\"\\\n\u{1b}", r#""a\"\\\n\u001b""#),
            ("ñ\u{7f}日\u{9b}31m", r#""ñ\u007f日\u009b31m""#),
            (
                "\u{202e}x\u{e0041}\u{feff}",
                r#""\u202ex\udb40\udc41\ufeff""#,
            ),
        ] {
            let mut out = Vec::new();
            write_json(&mut out, &text).unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), json);
            assert_eq!(serde_json::from_str::<String>(json).unwrap(), text);
        }
        let raw = serde_json::value::RawValue::from_string("{ \"\u{9b}\":\t1.10}".into()).unwrap();
        let mut out = Vec::new();
        write_json(&mut out, &raw).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "{ \"\\u009b\":\t1.10}");
    }

    #[test]
    fn nothing_visible_needs_a_second_pass_and_no_control_gets_through() {
        for character in (0..=0x10FFFF).filter_map(char::from_u32) {
            let shown = visible(character.encode_utf8(&mut [0; 4])).into_owned();
            assert!(matches!(visible(&shown), Cow::Borrowed(_)), "{shown}");
            assert!(!shown.chars().any(char::is_control), "{shown}");
        }
        assert!(HIDDEN.is_sorted_by(|a, b| a.1 < b.0));
    }
}
