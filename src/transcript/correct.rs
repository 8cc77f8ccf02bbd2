//! The log line of a failed call with the repaired arguments in it, everything else untouched.

use super::call::{Badge, FailedCall, RawFrom};
use super::node::{self, Node};

/// The corrected line, with `output` in place of the arguments. `text` begins with the line that holds the call; in
/// a document spread over lines the arguments may stand further down.
pub fn corrected_line(
    text: &[u8],
    call: &FailedCall,
    output: &str,
) -> Result<String, &'static str> {
    let Some(raw) = &call.raw else {
        return Err("the log lost the arguments");
    };
    match call.raw_from {
        Some(RawFrom::Deltas) => return Err("the arguments are spread over several lines"),
        Some(RawFrom::ErrorText) => {
            return Err("the log holds the arguments only inside an error message");
        }
        _ if call.has(Badge::LogClipped) => {
            return Err("the log holds only the beginning of the arguments");
        }
        _ => {}
    }
    let mut lines = text.split(|byte| *byte == b'\n');
    lines
        .find_map(|line| correct(line, raw, output))
        .ok_or("the arguments do not stand in the log as a text of their own")
}

fn correct(line: &[u8], raw: &str, output: &str) -> Option<String> {
    if line.trim_ascii() == raw.as_bytes() {
        return Some(output.to_owned());
    }
    let mut out = String::with_capacity(line.len());
    let mut kept = 0;
    // All strings that are the arguments, since some formats write them twice.
    for token in strings(line).filter(|token| token.text == raw) {
        let (span, with) = match wrapper(line, &token) {
            Some(object) => (object, output.to_owned()),
            None => (token.start..token.end, quoted(output)),
        };
        out.push_str(std::str::from_utf8(line.get(kept..span.start)?).ok()?);
        out.push_str(&with);
        kept = span.end;
    }
    if kept == 0 {
        // A call as part of a text.
        let token = strings(line).find(|token| token.text.contains(raw))?;
        let at = token.text.find(raw)?;
        let encoded =
            |at: usize| token.start + 1 + encoded_len(&line[token.start + 1..token.end - 1], at);
        out.push_str(std::str::from_utf8(&line[..encoded(at)]).ok()?);
        let quoted = quoted(output);
        out.push_str(&quoted[1..quoted.len() - 1]);
        kept = encoded(at + raw.len());
    }
    out.push_str(std::str::from_utf8(&line[kept..]).ok()?);
    Some(out)
}

/// A string of a line, with its quotes.
struct Token {
    start: usize,
    end: usize,
    text: String,
}

fn strings(line: &[u8]) -> impl Iterator<Item = Token> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + memchr::memchr(b'"', line.get(at..)?)?;
        let end = node::skip_string(line, start);
        at = end;
        let text = Node::new(&line[start..end])?.string()?;
        (start + 1 < end).then_some(Token { start, end, text })
    })
}

/// The object that stands where arguments should, because they could not be parsed: `{"wrapper":{"raw":..}}`.
fn wrapper(line: &[u8], token: &Token) -> Option<std::ops::Range<usize>> {
    let before = |end: usize, with: &[u8]| {
        let line = line[..end].trim_ascii_end();
        line.ends_with(with).then(|| line.len() - with.len())
    };
    let at = before(token.start, b":")?;
    let at = before(at, b"\"raw\"")?;
    let at = before(at, b"{")?;
    let at = before(at, b":")?;
    let at = before(at, b"\"__unparsedToolInput\"")?;
    let at = before(at, b"{")?;
    let object = Node::new(&line[at..])?;
    Some(at..at + object.bytes().len())
}

/// Bytes of the escaped text that stand for the first `plain` bytes of the text.
fn encoded_len(escaped: &[u8], plain: usize) -> usize {
    let (mut at, mut seen) = (0, 0);
    while seen < plain && at < escaped.len() {
        let (bytes, length) = match escaped[at] {
            b'\\' => {
                let (character, length) = node::unescape(&escaped[at..]);
                (character.len_utf8(), length)
            }
            _ => (1, 1),
        };
        seen += bytes;
        at += length;
    }
    at
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use crate::transcript::read_all;

    use super::*;

    /// The corrected line of the first failure.
    fn corrected(log: &str, output: &str) -> Result<String, &'static str> {
        let call = read_all("log".as_ref(), log.as_bytes()).remove(0);
        corrected_line(log.as_bytes(), &call, output)
    }

    #[test]
    fn only_the_arguments_change() {
        let codex = |arguments: &str| {
            format!(
                r#"{{"type":"function_call", "name":"sh\u00e9ll", "arguments": {arguments},"call_id":"c1"}}"#
            )
        };
        let claude = |input: &str| {
            format!(
                r#"{{"sessionId":"s","type":"assistant","message":{{"role":"assistant","content":[{{"type":"tool_use","id":"t1","name":"Read","input":{input}}}]}}}}"#
            )
        };
        for (log, output, wanted) in [
            (
                codex(r#""{\"a\":\"\\u00e9\",}""#),
                r#"{"a":"\u00e9"}"#,
                codex(r#""{\"a\":\"\\u00e9\"}""#),
            ),
            (
                claude(r#"{"__unparsedToolInput": {"raw":"{a: 1}","len":6}}"#),
                r#"{"a": 1}"#,
                claude(r#"{"a": 1}"#),
            ),
        ] {
            assert_eq!(
                corrected(&log, output).as_deref(),
                Ok(wanted.as_str()),
                "{log}"
            );
        }
    }

    #[test]
    fn a_text_inside_a_text_is_found_behind_escapes() {
        let line = br#"{"text":"\u65e5\n<t>{\"a\": 1,}</t> \u65e5"}"#;
        let wanted = r#"{"text":"\u65e5\n<t>{\"a\": 1}</t> \u65e5"}"#;
        assert_eq!(correct(line, "{\"a\": 1,}", "{\"a\": 1}").unwrap(), wanted);
    }

    #[test]
    fn what_cannot_be_corrected_says_why() {
        let clipped = r#"{"sessionId":"s","type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Read","input":{"__unparsedToolInput":{"raw":"{","len":99}}}]}}"#;
        let why = corrected(clipped, "{}");
        assert_eq!(
            why,
            Err("the log holds only the beginning of the arguments")
        );
    }
}
