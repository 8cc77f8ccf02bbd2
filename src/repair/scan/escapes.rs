//! What a string holds: quotes, backslashes and control characters that JSON cannot have there.

use super::endings::Ending;
use super::find::special;
use super::quotes::Quotes;
use super::*;
use edit::Stored;

impl Scanner<'_> {
    /// How the backslashes between two places are to be read.
    pub(super) fn plan(&self, from: usize, ending: Ending, quotes: &Quotes, raw: bool) -> Plan {
        match raw {
            true => Plan::Literal(Rule::ByteOrRawPrefix),
            false if ending.literal => Plan::Literal(Rule::DoubtfulBackslash),
            false => self.survey(from, ending.at, quotes).plan(),
        }
    }

    /// Edits what JSON cannot hold in a string of `[from, end)` that wants double quotes.
    pub(super) fn plain_content(&mut self, from: usize, end: usize) -> Scan<()> {
        let ending = Ending::clean(end, 1);
        let quotes = &super::quotes::DOUBLE;
        let plan = self.plan(from, ending, quotes, false);
        self.content(from, ending, quotes, None, plan)
    }

    /// Edits what JSON cannot hold between the quotes.
    pub(super) fn content(
        &mut self,
        from: usize,
        ending: Ending,
        quotes: &Quotes,
        fix: Option<(FixId, Rule)>,
        plan: Plan,
    ) -> Scan<()> {
        if quotes.open == '`'
            && let Some(template) = self.text[from..ending.at].find("${")
        {
            let place = from + template;
            self.need(
                Rule::CodeLiteral,
                place,
                place + 2,
                Expected::StringCharacter,
            )?;
        }
        let mut inner_fix = fix.filter(|_| quotes.rule.is_some());
        let mut literal_fix = None;
        let mut control_fix = None;
        let mut at = from;
        loop {
            at = special(&self.bytes[..ending.at], at);
            let Some(byte) = self.bytes[..ending.at].get(at).copied() else {
                break;
            };
            match byte {
                b'"' => {
                    let rule = ending
                        .doubt
                        .filter(|_| quotes.rule.is_none())
                        .unwrap_or(Rule::InnerQuote);
                    let (fix, rule) =
                        *inner_fix.get_or_insert_with(|| (self.edits.next_fix(), rule));
                    self.edit_as(fix, rule, at, at + 1, "\\\"");
                    at += 1;
                }
                // Nothing odd was counted: all but an escaped apostrophe or back quote stays as it is.
                b'\\'
                    if plan == Plan::Keep
                        && !matches!(self.bytes.get(at + 1), Some(b'\'' | b'`')) =>
                {
                    at += 2
                }
                // JSON in every reading but a literal one.
                b'\\'
                    if !matches!(plan, Plan::Literal(_))
                        && ending.at > at + 1
                        && is_json_escape(self.bytes[at + 1]) =>
                {
                    at += 2
                }
                b'\\' => at = self.backslash(at, ending.at, plan, quotes, fix, &mut literal_fix)?,
                _ => {
                    self.need(Rule::RawControl, at, at + 1, Expected::StringCharacter)?;
                    let fix = *control_fix.get_or_insert_with(|| self.edits.next_fix());
                    let span = Span::new(at as u32, at as u32 + 1);
                    match byte {
                        b'\n' => {
                            self.edits
                                .push_common(Rule::RawControl, fix, span, Stored::LINE_FEED)
                        }
                        _ => self
                            .edits
                            .push(Rule::RawControl, fix, span, control_escape(byte)),
                    }
                    at += 1;
                }
            }
        }
        Ok(())
    }

    /// One escape inside a string. Gives the place behind it.
    pub(super) fn backslash(
        &mut self,
        at: usize,
        end: usize,
        plan: Plan,
        quotes: &Quotes,
        delimiters: Option<(FixId, Rule)>,
        fix: &mut Option<FixId>,
    ) -> Scan<usize> {
        let bytes = &self.bytes[..end];
        let escape = Escape::read(self.text, at, end, quotes.open);
        let raw = plan == Plan::Literal(Rule::ByteOrRawPrefix);
        match escape.kind {
            Kind::Fixed if !raw => return Ok(escape.end),
            Kind::Fixed if bytes.get(at + 1) == Some(&b'"') => {
                let fix = *fix.get_or_insert_with(|| self.edits.next_fix());
                self.edit_as(fix, Rule::ByteOrRawPrefix, at, at, "\\\\");
                return Ok(escape.end);
            }
            Kind::Unicode if !raw => return Ok(escape.end),
            Kind::Known if !matches!(plan, Plan::Literal(_)) => return Ok(escape.end),
            Kind::Apostrophe if !raw => {
                let (fix, rule) = match delimiters {
                    Some((fix, rule)) if rule == Rule::BacktickQuotes => (fix, rule),
                    _ => {
                        self.need(Rule::EscapedApostrophe, at, escape.end, Expected::Escape)?;
                        (self.edits.next_fix(), Rule::EscapedApostrophe)
                    }
                };
                self.edit_as(fix, rule, at, at + 1, "");
                return Ok(escape.end);
            }
            Kind::Delimiter => {
                if let Some((fix, rule)) = delimiters {
                    self.edit_as(fix, rule, at, at + 1, "");
                }
                return Ok(escape.end);
            }
            Kind::Broken | Kind::Foreign(_) | Kind::Unknown | Kind::Known => {}
            Kind::Fixed | Kind::Unicode | Kind::Apostrophe => {}
        }
        let rule = match plan {
            Plan::Literal(rule) => rule,
            Plan::Decode => Rule::ForeignEscape,
            Plan::Broken => Rule::BrokenUnicodeEscape,
            Plan::Stray | Plan::Keep => Rule::StrayBackslash,
        };
        self.need(rule, at, escape.end, Expected::Escape)?;
        let fix = *fix.get_or_insert_with(|| self.edits.next_fix());
        match (plan, escape.kind) {
            (Plan::Decode, Kind::Foreign(_)) => {
                let text = json_character(escape.value);
                self.edit_as(fix, rule, at, escape.end, &text);
                Ok(escape.end)
            }
            _ => {
                self.edit_as(fix, rule, at, at + 1, "\\\\");
                // A control character or quote behind the backslash still wants its own edit.
                let behind = bytes.get(at + 1).copied().unwrap_or(b' ');
                Ok(if behind < 0x20 || raw && matches!(behind, b'\\' | b'"') {
                    at + 1
                } else {
                    self.border(at + 2).min(end)
                })
            }
        }
    }

    /// The next character border at or behind `at`.
    pub(super) fn border(&self, at: usize) -> usize {
        (at..self.text.len())
            .find(|at| self.text.is_char_boundary(*at))
            .unwrap_or(self.text.len())
    }

    /// Counts the escapes between two places.
    pub(super) fn survey(&self, from: usize, end: usize, quotes: &Quotes) -> Survey {
        let mut survey = Survey::default();
        let mut at = from;
        while let Some(found) = memchr::memchr(b'\\', &self.bytes[at..end]) {
            let escape = Escape::read(self.text, at + found, end, quotes.open);
            survey.count(&escape);
            at = escape.end.max(at + found + 1);
        }
        survey
    }
}

/// What the backslashes of one string are.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Survey {
    /// `\b \f \n \r \t`.
    pub(super) known: usize,
    /// `\u` and four hex digits.
    pub(super) unicode: usize,
    /// Escapes JSON does not know and no other language means.
    pub(super) unknown: usize,
    /// Escapes of other languages: one bit a kind.
    pub(super) foreign: u16,
    /// A foreign escape that looks like the start of a word (`\alpha`).
    pub(super) word: bool,
    /// `\u` with one to three hex digits.
    pub(super) broken: usize,
}

/// How the odd backslashes of a string are mended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Plan {
    /// There are none.
    Keep,
    /// Each is a literal backslash, and no other reading exists.
    Stray,
    /// Every lone backslash is literal.
    Literal(Rule),
    /// Foreign escapes are decoded.
    Decode,
    /// Broken `\u` escapes are kept as text.
    Broken,
}

impl Survey {
    pub(super) fn count(&mut self, escape: &Escape) {
        match escape.kind {
            Kind::Fixed | Kind::Apostrophe | Kind::Delimiter => {}
            Kind::Known => self.known += 1,
            Kind::Unicode => self.unicode += 1,
            Kind::Unknown => self.unknown += 1,
            Kind::Broken => self.broken += 1,
            Kind::Foreign(kind) => {
                self.foreign |= 1 << kind;
                self.word |= escape.word;
            }
        }
    }

    pub(super) fn plan(self) -> Plan {
        let odd = self.unknown + self.broken + self.foreign.count_ones() as usize;
        if odd == 0 {
            Plan::Keep
        } else if self.unknown == 0
            && self.broken == 0
            && self.foreign.count_ones() == 1
            && !self.word
        {
            Plan::Decode
        } else if self.unknown == 0 && self.foreign == 0 {
            Plan::Broken
        } else if self.known == 0 && self.unicode == 0 && self.foreign == 0 && self.broken == 0 {
            Plan::Stray
        } else {
            Plan::Literal(Rule::DoubtfulBackslash)
        }
    }
}

/// What kind of escape a backslash begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `\"`, `\\`, `\/`: JSON, and the same in every reading.
    Fixed,
    /// `\b \f \n \r \t`: JSON, but also what paths begin with.
    Known,
    /// `\u` and four hex digits.
    Unicode,
    /// `\'`.
    Apostrophe,
    /// A back quote, in back quotes.
    Delimiter,
    /// `\u` and one to three hex digits.
    Broken,
    /// Of another language; the number tells the kinds apart.
    Foreign(u8),
    /// None that anybody knows.
    Unknown,
}

/// One escape of a string.
pub(super) struct Escape {
    pub(super) kind: Kind,
    /// Behind its last byte.
    pub(super) end: usize,
    /// The character a foreign one means; `None` for nothing at all (a continued line).
    pub(super) value: Option<char>,
    /// Letters go on behind a foreign one, as in `\alpha`.
    pub(super) word: bool,
}

impl Escape {
    /// Reads the escape whose backslash stands at `at`, inside `end`, in a string that `open` opened.
    pub(super) fn read(text: &str, at: usize, end: usize, open: char) -> Escape {
        let bytes = &text.as_bytes()[..end];
        let plain = |kind, len: usize| Escape {
            kind,
            end: (at + len).min(end),
            value: None,
            word: false,
        };
        let foreign = |kind, len: usize, value, word| Escape {
            kind: Kind::Foreign(kind),
            end: at + len,
            value,
            word,
        };
        let Some(next) = text[at + 1..end].chars().next() else {
            return plain(Kind::Unknown, 1);
        };
        let letter_at = |place: usize| {
            bytes.get(place).is_some_and(u8::is_ascii_alphanumeric)
                || bytes.get(place) == Some(&b'.')
        };
        match next {
            '"' | '\\' | '/' => plain(Kind::Fixed, 2),
            'b' | 'f' | 'n' | 'r' | 't' => plain(Kind::Known, 2),
            '\'' => plain(Kind::Apostrophe, 2),
            '`' if open == '`' => plain(Kind::Delimiter, 2),
            '$' if open == '`' && bytes.get(at + 2) == Some(&b'{') => {
                foreign(8, 2, Some('$'), false)
            }
            'u' => match hex_digits(bytes, at + 2, 4) {
                4 => plain(Kind::Unicode, 6),
                0 if bytes.get(at + 2) == Some(&b'{') => {
                    let digits = hex_digits(bytes, at + 3, 6);
                    let value = hex_value(text, at + 3, digits);
                    if digits > 0 && bytes.get(at + 3 + digits) == Some(&b'}') && value.is_some() {
                        foreign(0, 4 + digits, value, false)
                    } else {
                        plain(Kind::Unknown, 2)
                    }
                }
                0 => plain(Kind::Unknown, 2),
                digits => plain(Kind::Broken, 2 + digits),
            },
            'U' if hex_digits(bytes, at + 2, 8) == 8 && hex_value(text, at + 2, 8).is_some() => {
                foreign(1, 10, hex_value(text, at + 2, 8), false)
            }
            'x' if hex_digits(bytes, at + 2, 2) == 2 => {
                foreign(2, 4, hex_value(text, at + 2, 2), false)
            }
            '0'..='7' => {
                let digits = bytes[at + 1..]
                    .iter()
                    .take(3)
                    .take_while(|byte| matches!(byte, b'0'..=b'7'))
                    .count();
                let value = u32::from_str_radix(&text[at + 1..at + 1 + digits], 8)
                    .ok()
                    .and_then(char::from_u32);
                // `\1` is also a group of a regular expression, `\01` is not.
                if digits == 3 || next == '0' {
                    foreign(
                        3,
                        1 + digits,
                        value,
                        bytes.get(at + 1 + digits).is_some_and(u8::is_ascii_digit),
                    )
                } else {
                    plain(Kind::Unknown, 2)
                }
            }
            'v' => foreign(4, 2, Some('\u{B}'), letter_at(at + 2)),
            'a' => foreign(5, 2, Some('\u{7}'), letter_at(at + 2)),
            'e' => foreign(6, 2, Some('\u{1B}'), letter_at(at + 2)),
            '\n' => foreign(7, 2, None, false),
            '\r' if bytes.get(at + 2) == Some(&b'\n') => foreign(7, 3, None, false),
            other => plain(Kind::Unknown, 1 + other.len_utf8()),
        }
    }
}

/// How many hex digits stand at `at`, up to `most`.
pub(super) fn hex_digits(bytes: &[u8], at: usize, most: usize) -> usize {
    bytes.get(at..).map_or(0, |rest| {
        rest.iter()
            .take(most)
            .take_while(|byte| byte.is_ascii_hexdigit())
            .count()
    })
}

pub(super) fn hex_value(text: &str, at: usize, digits: usize) -> Option<char> {
    u32::from_str_radix(text.get(at..at + digits)?, 16)
        .ok()
        .and_then(char::from_u32)
}

/// A character as it stands in a JSON string; nothing for a continued line.
pub(super) fn json_character(value: Option<char>) -> String {
    match value {
        None => String::new(),
        Some('"') => "\\\"".into(),
        Some('\\') => "\\\\".into(),
        Some(control) if (control as u32) < 0x20 => control_escape(control as u8).into(),
        Some(other) => other.into(),
    }
}

/// Whether a byte behind a backslash makes an escape of JSON of two bytes.
pub(super) const fn is_json_escape(byte: u8) -> bool {
    matches!(byte, b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't')
}

/// The escape of a control character (RFC 8259 section 7).
pub(super) fn control_escape(byte: u8) -> &'static str {
    const ESCAPES: [&str; 32] = [
        "\\u0000", "\\u0001", "\\u0002", "\\u0003", "\\u0004", "\\u0005", "\\u0006", "\\u0007",
        "\\b", "\\t", "\\n", "\\u000b", "\\f", "\\r", "\\u000e", "\\u000f", "\\u0010", "\\u0011",
        "\\u0012", "\\u0013", "\\u0014", "\\u0015", "\\u0016", "\\u0017", "\\u0018", "\\u0019",
        "\\u001a", "\\u001b", "\\u001c", "\\u001d", "\\u001e", "\\u001f",
    ];
    ESCAPES[byte as usize & 31]
}

/// Bytes at the end of a cut string that are half an escape, or half of a surrogate pair.
pub(super) fn half_escape(text: &str) -> usize {
    let bytes = text.as_bytes();
    for len in 1..=5 {
        let Some(at) = bytes.len().checked_sub(len) else {
            break;
        };
        if bytes[at] == b'\\' {
            let backslashes = bytes[..at]
                .iter()
                .rev()
                .take_while(|byte| **byte == b'\\')
                .count();
            if backslashes % 2 == 1 {
                break;
            }
            let half = len == 1
                || (bytes[at + 1] == b'u' && bytes[at + 2..].iter().all(u8::is_ascii_hexdigit));
            // It may be the half of a pair whose other half stands before it.
            return if half {
                len + half_pair(&bytes[..at])
            } else {
                0
            };
        }
    }
    half_pair(bytes)
}

/// Bytes of the escape of a high surrogate at the end.
fn half_pair(bytes: &[u8]) -> usize {
    let Some((before, escape)) = bytes.split_last_chunk::<6>() else {
        return 0;
    };
    let is_high = escape.starts_with(b"\\u")
        && matches!(escape[2], b'd' | b'D')
        && matches!(escape[3], b'8' | b'9' | b'a' | b'b' | b'A' | b'B')
        && escape[4..].iter().all(u8::is_ascii_hexdigit);
    let backslashes = before.iter().rev().take_while(|byte| **byte == b'\\');
    if is_high && backslashes.count() % 2 == 0 {
        6
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_escapes_at_the_end_are_measured() {
        for (text, half) in [
            ("a\\", 1),
            ("a\\u00", 4),
            ("a\\u", 2),
            ("a\\\\", 0),
            ("a\\n", 0),
            ("a\\ud83d", 6),
            ("a\\ud83d\\ude80", 0),
            ("a\\ud83d\\", 7),
            ("a\\ud83d\\ude8", 11),
            ("a\\\\ud83d", 0),
            ("a\\u00e9", 0),
            ("", 0),
        ] {
            assert_eq!(half_escape(text), half, "{text}");
        }
    }
}
