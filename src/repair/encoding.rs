//! Bytes to text, before any scan: JSON is UTF-8, and nothing is transcoded.

use super::span::Position;
use super::{Expected, Refusal, Span, Why};

/// Bytes that are no JSON text, whatever they say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// Where and why. Its `found` span is in bytes and need not lie on character borders.
    pub refusal: Refusal,
    /// Line and column of the place; columns count characters, and each stray byte as one.
    pub position: Position,
    /// What stands there, in words.
    pub found: String,
}

impl Unreadable {
    /// Place, expected, found and reason, as [`Refusal::message`] words it.
    pub fn message(&self) -> String {
        let Unreadable {
            refusal,
            position,
            found,
        } = self;
        format!(
            "{position}: expected {}, found {found} ({})",
            refusal.expected,
            refusal.why.reason()
        )
    }
}

/// The text that `bytes` hold, or the place of the first byte that is no UTF-8. UTF-16 is named as such, also
/// where it happens to be UTF-8 with a NUL beside every character.
pub fn decode(bytes: &[u8]) -> Result<&str, Box<Unreadable>> {
    if u32::try_from(bytes.len()).is_err() {
        return Err(unreadable(bytes, 0, Why::TooLarge));
    }
    if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
        return Err(unreadable(bytes, 0, Why::Utf16));
    }
    match simdutf8::compat::from_utf8(bytes) {
        Ok(text) => match wide(bytes) {
            Some(why) => Err(unreadable(bytes, 0, why)),
            None => Ok(text),
        },
        Err(error) => {
            let why = match bytes {
                [0, 1..=255, 0, 1..=255, ..] | [1..=255, 0, 1..=255, 0, ..] => Why::Utf16,
                _ => Why::NotUtf8,
            };
            Err(unreadable(bytes, error.valid_up_to(), why))
        }
    }
}

/// Whether a text is UTF-16 or UTF-32 of ASCII characters without a mark, read as UTF-8: every character has its NULs
/// on the same side. One character alone proves nothing.
pub fn wide(bytes: &[u8]) -> Option<Why> {
    // Every one of the four patterns has a NUL among the first four bytes, so other texts cost nothing.
    if bytes.len() < 4 || !bytes[..4].contains(&0) {
        return None;
    }
    let every = |size: usize, holds: fn(&[u8]) -> bool| {
        bytes.len() >= 2 * size && bytes.chunks_exact(size).all(holds)
    };
    if every(2, |pair| pair[0] != 0 && pair[1] == 0)
        || every(2, |pair| pair[0] == 0 && pair[1] != 0)
    {
        return Some(Why::Utf16);
    }
    let is_utf_32 = every(4, |four| four[0] != 0 && four[1..] == [0; 3])
        || every(4, |four| four[..3] == [0; 3] && four[3] != 0);
    is_utf_32.then_some(Why::NotUtf8)
}

#[cold]
fn unreadable(bytes: &[u8], at: usize, why: Why) -> Box<Unreadable> {
    let head = &bytes[..at];
    let line_start = memchr::memrchr(b'\n', head).map_or(0, |lf| lf + 1);
    let position = Position {
        line: 1 + memchr::memchr_iter(b'\n', head).count(),
        // The bytes before `at` are UTF-8.
        column: 1 + head[line_start..]
            .iter()
            .filter(|byte| *byte & 0xC0 != 0x80)
            .count(),
    };
    let found = match (why, bytes.get(at)) {
        (Why::TooLarge, _) => format!("{} bytes", bytes.len()),
        (Why::Utf16, _) => "UTF-16".to_owned(),
        (_, Some(0)) | (_, Some(0x20..0x7F)) => "UTF-32".to_owned(),
        (_, Some(byte)) => format!("the byte {byte:02X}"),
        (_, None) => "the end".to_owned(),
    };
    let at = at as u32;
    Box::new(Unreadable {
        refusal: Refusal {
            at,
            expected: match why {
                Why::TooLarge => Expected::Value,
                _ => Expected::Utf8,
            },
            found: Span::at(at),
            why,
            good: 0,
            candidates: Vec::new(),
        },
        position,
        found,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows() {
        let utf_16 = |text: &str, unit: fn(u16) -> [u8; 2]| -> Vec<u8> {
            text.encode_utf16().flat_map(unit).collect()
        };
        let utf_32: Vec<u8> = "[1]\n"
            .chars()
            .flat_map(|c| (c as u32).to_le_bytes())
            .collect();
        for (bytes, found) in [
            (b"{\"a\": 1}".to_vec(), "text"),
            (Vec::new(), "text"),
            (b"1\0".to_vec(), "text"),
            (b"[1,\0 2]".to_vec(), "text"),
            (b"\0[1]".to_vec(), "text"),
            (
                b"[\"\xff\"]".to_vec(),
                "1:3: expected UTF-8, found the byte FF (JSON is UTF-8; convert the text first)",
            ),
            (
                "\n\"ñ".bytes().chain([0xE6]).collect(),
                "2:3: expected UTF-8, found the byte E6 (JSON is UTF-8; convert the text first)",
            ),
            (
                b"\xff\xfe[\0]\0".to_vec(),
                "1:1: expected UTF-8, found UTF-16 (this is UTF-16; convert it to UTF-8 first)",
            ),
            (
                utf_16("[\"é\"]", u16::to_le_bytes),
                "1:5: expected UTF-8, found UTF-16 (this is UTF-16; convert it to UTF-8 first)",
            ),
            (
                utf_16("[\"é\"]", u16::to_be_bytes),
                "1:6: expected UTF-8, found UTF-16 (this is UTF-16; convert it to UTF-8 first)",
            ),
            (
                utf_16("[1]", u16::to_le_bytes),
                "1:1: expected UTF-8, found UTF-16 (this is UTF-16; convert it to UTF-8 first)",
            ),
            (
                utf_16("[1]", u16::to_be_bytes),
                "1:1: expected UTF-8, found UTF-16 (this is UTF-16; convert it to UTF-8 first)",
            ),
            (
                utf_32,
                "1:1: expected UTF-8, found UTF-32 (JSON is UTF-8; convert the text first)",
            ),
        ] {
            let outcome = match decode(&bytes) {
                Ok(text) => {
                    assert_eq!(text.as_bytes(), bytes);
                    "text".to_owned()
                }
                Err(unreadable) => unreadable.message(),
            };
            assert_eq!(outcome, found, "{bytes:x?}");
        }
    }
}
