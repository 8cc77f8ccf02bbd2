//! Malformed or cut off: what an argument text and a stop reason say together.

use super::call::Kind;
use super::fact::Verdict as Said;
use super::fact::{Answer, Call, Reading};
use crate::repair::{self, Verdict};

/// Stop reasons that say the output limit was reached.
const CUTS: [&str; 5] = [
    "max_tokens",
    "length",
    "max_output_tokens",
    "MAX_TOKENS",
    "model_context_window_exceeded",
];

/// Whether a stop reason says that the output limit was reached.
pub(super) fn is_cut(stop: Option<&str>) -> bool {
    stop.is_some_and(|stop| CUTS.contains(&stop))
}

/// Whether a text is JSON by RFC 8259.
pub(super) fn parses(raw: &str) -> bool {
    repair::check(raw) == Verdict::Valid
}

/// The kind of a text that could not be parsed. The end of a text that the log clipped says nothing.
pub(super) fn kind_of(raw: Option<&str>, stop: Option<&str>, clipped: bool) -> Kind {
    let ends_open = || raw.is_some_and(|raw| !clipped && ends_open(raw));
    match is_cut(stop) || ends_open() {
        true => Kind::Truncated,
        false => Kind::Malformed,
    }
}

/// How a call failed, by its own text and by the answer; `None` if it did not. The text comes first: one error
/// message stands for several kinds in some formats.
pub(super) fn kind_of_call(call: &Call, answer: Option<&Answer>) -> Option<Kind> {
    if call.far.is_some() {
        // Its kind is known but for a stop reason that came later.
        return is_cut(call.stop.as_deref()).then_some(Kind::Truncated);
    }
    let raw = match answer {
        Some(answer) if answer.raw_lost => None,
        _ => call.raw.as_deref(),
    };
    let stop = call
        .stop
        .as_deref()
        .or(answer.and_then(|answer| answer.stop.as_deref()));
    let by_text = || Some(kind_of(raw, stop, call.clipped));
    if call.reading == Reading::Json && !is_readable(call) {
        let is_blank = raw.is_some_and(|raw| raw.trim().is_empty());
        return match call.verdict {
            Some(Said::Cut) => Some(Kind::Truncated),
            _ if is_blank => None,
            _ => by_text(),
        };
    }
    let is_blank = call.reading == Reading::Json && raw.is_some_and(|raw| raw.trim().is_empty());
    let verdicts = [call.verdict, answer.map(|answer| answer.verdict)];
    let verdict = verdicts
        .into_iter()
        .flatten()
        .find(|verdict| *verdict != Said::Fine)?;
    match verdict {
        Said::Fine => None,
        // Nothing was sent, and the agent could not read it.
        Said::Unreadable | Said::Schema if is_blank => by_text(),
        Said::Unreadable => by_text(),
        Said::Cut => Some(Kind::Truncated),
        Said::Schema => Some(Kind::Schema),
        Said::UnknownTool => Some(Kind::UnknownTool),
        Said::ToolError | Said::Denied => Some(Kind::ToolError),
    }
}

/// Whether a call is a failure whatever its answer says.
pub(super) fn fails_alone(call: &Call) -> bool {
    kind_of_call(call, None).is_some()
}

/// Whether the text of a call gives no reason to doubt it: it parses, or is not to be parsed, or nothing was sent.
pub(super) fn is_readable(call: &Call) -> bool {
    match (&call.raw, call.reading) {
        (Some(raw), Reading::Json) => raw.trim().is_empty() || parses(raw),
        _ => true,
    }
}

/// Whether a text is the beginning of a JSON text that ends inside a string or a literal, or after a comma or colon.
/// A text that ends after a whole value lacks nothing but closers, and a model forgets those without any limit.
fn ends_open(raw: &str) -> bool {
    let text = raw.as_bytes();
    let mut open: Vec<u8> = Vec::new();
    let mut due = Due::Value;
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        due = match (byte, due) {
            (b' ' | b'\t' | b'\n' | b'\r', due) => {
                at += 1;
                due
            }
            (b'{' | b'[', Due::Value | Due::ValueOrCloser) => {
                open.push(*byte);
                at += 1;
                if *byte == b'{' {
                    Due::NameOrCloser
                } else {
                    Due::ValueOrCloser
                }
            }
            (b'}', Due::Comma | Due::NameOrCloser) if open.pop() == Some(b'{') => {
                at += 1;
                Due::Comma
            }
            (b']', Due::Comma | Due::ValueOrCloser) if open.pop() == Some(b'[') => {
                at += 1;
                Due::Comma
            }
            (b',', Due::Comma) if !open.is_empty() => {
                at += 1;
                if open.last() == Some(&b'{') {
                    Due::Name
                } else {
                    Due::Value
                }
            }
            (b':', Due::Colon) => {
                at += 1;
                Due::Value
            }
            (b'"', Due::Name | Due::NameOrCloser | Due::Value | Due::ValueOrCloser) => {
                match string(text, at) {
                    Token::Whole(end) => at = end,
                    Token::Open => return true,
                    Token::Bad => return false,
                }
                if matches!(due, Due::Name | Due::NameOrCloser) {
                    Due::Colon
                } else {
                    Due::Comma
                }
            }
            (_, Due::Value | Due::ValueOrCloser) => {
                match word(text, at) {
                    Token::Whole(end) => at = end,
                    Token::Open => return true,
                    Token::Bad => return false,
                }
                Due::Comma
            }
            _ => return false,
        };
    }
    // After an opener or a whole name nothing says that more was meant to come than closers.
    matches!(due, Due::Value | Due::Name) && !open.is_empty()
}

/// What a place of a JSON text calls for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Due {
    Value,
    ValueOrCloser,
    Name,
    NameOrCloser,
    Colon,
    Comma,
}

enum Token {
    /// Ends before this byte.
    Whole(usize),
    /// The text ends inside it.
    Open,
    /// No JSON.
    Bad,
}

/// The string that begins at `at`.
fn string(text: &[u8], at: usize) -> Token {
    let mut at = at + 1;
    loop {
        match text.get(at) {
            None => return Token::Open,
            Some(b'"') => return Token::Whole(at + 1),
            Some(0..=0x1f) => return Token::Bad,
            Some(b'\\') => match text.get(at + 1) {
                None => return Token::Open,
                Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => at += 2,
                Some(b'u') => {
                    let digits = &text[at + 2..text.len().min(at + 6)];
                    if !digits.iter().all(u8::is_ascii_hexdigit) {
                        return Token::Bad;
                    }
                    at += 2 + digits.len();
                }
                Some(_) => return Token::Bad,
            },
            Some(_) => at += 1,
        }
    }
}

/// The literal or number that begins at `at`. A number that ends with the text is whole if it could be.
fn word(text: &[u8], at: usize) -> Token {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.');
    let length = text[at..].iter().take_while(|byte| is_part(byte)).count();
    let (word, end) = (&text[at..at + length], at + length);
    if word.is_empty() {
        return Token::Bad;
    }
    let is_whole = std::str::from_utf8(word).is_ok_and(parses);
    let begins_literal = || {
        [&b"true"[..], b"false", b"null"]
            .iter()
            .any(|name| name.starts_with(word))
    };
    let begins_number = || std::str::from_utf8(word).is_ok_and(|word| parses(&format!("{word}0")));
    match is_whole {
        true => Token::Whole(end),
        false if end == text.len() && (begins_literal() || begins_number()) => Token::Open,
        false => Token::Bad,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_ends_inside_something_was_cut() {
        for (raw, is_open) in [
            (r#"{"cmd": "ssh build@HOST"#, true),
            (r#"{"cm"#, true),
            (r#"{"a": "x\"#, true),
            (r#"{"a": "x\u00"#, true),
            (r#"{"a": tr"#, true),
            (r#"{"a": -"#, true),
            (r#"{"a": 1."#, true),
            (r#"{"a": 1e+"#, true),
            (r#"{"a":"#, true),
            (r#"{"a": 1, "#, true),
            (r#"[1,"#, true),
            (r#"[[{"a":[{"b":"c"#, true),
            // Only closers are missing.
            (r#"{"a": 12"#, false),
            (r#"{"a": true"#, false),
            (r#"{"command":["bash", "-lc", "ls" "#, false),
            ("{", false),
            ("[", false),
            (r#"{"a""#, false),
            (r#"{"a": {}"#, false),
            // No beginning of a JSON text.
            (r#"cmd":"pwd"}"#, false),
            (r#"{"q": 'a"#, false),
            (r#"{"q": Tru"#, false),
            (r#"{"a": 1}{"b": "c"#, false),
            (r#"{"a": 01, "b": "c"#, false),
            (r#"{"a": "x\q, "b": "c"#, false),
            ("{\"a\": \"x\ny", false),
            (r#"{"a": 1]"#, false),
            (r#"{,"a": "b"#, false),
            ("", false),
            ("1,", false),
        ] {
            assert_eq!(ends_open(raw), is_open, "{raw}");
        }
        assert!(ends_open(
            &r#"{"a":["#.repeat(100_000).replace('[', "[\"x\",")
        ));
    }

    #[test]
    fn the_stop_reason_counts_and_a_clipped_end_does_not() {
        for (raw, stop, clipped, kind) in [
            (Some(r#"{"a": 1"#), None, false, Kind::Malformed),
            (Some(r#"{"a": 1"#), Some("length"), false, Kind::Truncated),
            (
                Some(r#"{"a": "x"#),
                Some("tool_calls"),
                false,
                Kind::Truncated,
            ),
            (Some(r#"{"a": "x"#), None, true, Kind::Malformed),
            (
                Some(r#"{"a": "x"#),
                Some("max_tokens"),
                true,
                Kind::Truncated,
            ),
            (
                None,
                Some("model_context_window_exceeded"),
                false,
                Kind::Truncated,
            ),
            (None, Some("refusal"), false, Kind::Malformed),
        ] {
            assert_eq!(kind_of(raw, stop, clipped), kind, "{raw:?} {stop:?}");
        }
    }
}
