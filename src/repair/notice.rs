//! Notices: what a reader should know about text that is not changed.

use std::collections::HashSet;

use super::Repair;
use super::edit::{Bias, PositionMap};
use super::span::Span;
use super::tool::ToolContext;
use super::tree::{Kind, Tree};

/// What a notice is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Topic {
    /// A member name that stands twice in one object (RFC 8259 section 4).
    DuplicateName,
    /// An integer that a double does not hold exactly (RFC 8259 section 6).
    BigInteger,
    /// A valid scalar where the tool wants an object.
    NotAnObject,
    /// Legal escapes that look like the backslashes of a path or a formula.
    PathEscape,
    /// Content that seems to be escaped once too often or too seldom.
    EscapeLevel,
    /// The log holds only the beginning of the text.
    LogClipped,
    /// The agent repaired the text before it was logged.
    RepairedUpstream,
}

impl Topic {
    /// Its name in reports.
    pub const fn id(self) -> &'static str {
        match self {
            Topic::DuplicateName => "duplicate-name",
            Topic::BigInteger => "big-integer",
            Topic::NotAnObject => "not-an-object",
            Topic::PathEscape => "path-escape",
            Topic::EscapeLevel => "escape-level",
            Topic::LogClipped => "log-clipped",
            Topic::RepairedUpstream => "repaired-upstream",
        }
    }

    /// What it means, in one sentence without a full stop.
    pub const fn message(self) -> &'static str {
        match self {
            Topic::DuplicateName => {
                "this name stands twice in its object; most readers take the last one"
            }
            Topic::BigInteger => "beyond 2^53: a reader that uses doubles rounds it",
            Topic::NotAnObject => "valid JSON, but the tool takes an object",
            Topic::PathEscape => {
                "the escapes are legal, but the text looks like a path or a formula"
            }
            Topic::EscapeLevel => "the content seems to be escaped once too often or too seldom",
            Topic::LogClipped => "the log holds only the beginning of this text",
            Topic::RepairedUpstream => "the agent repaired this text before it was logged",
        }
    }
}

/// One notice about one place of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notice {
    /// What it is about.
    pub topic: Topic,
    /// The bytes it is about.
    pub span: Span,
}

/// What a reader should know about the text of a valid repair that no edit changed, in source order. Reads the whole
/// output, so it is asked for only where notices are shown.
pub fn notices(source: &str, repair: &Repair, tool: &ToolContext) -> Vec<Notice> {
    if !repair.is_valid() {
        return Vec::new();
    }
    let output = repair.edits.apply(source, |_| true);
    let tree = Tree::new(&output);
    let mut found = Vec::new();
    if tool.wants_object()
        && tree
            .nodes
            .first()
            .is_some_and(|root| root.kind != Kind::Object)
    {
        found.push(Notice {
            topic: Topic::NotAnObject,
            span: tree.nodes[0].span,
        });
    }
    for (index, node) in tree.nodes.iter().enumerate() {
        let topic = match node.kind {
            Kind::Object => {
                duplicates(&tree, index, &mut found);
                continue;
            }
            Kind::Number if is_big(tree.raw(index)) => Topic::BigInteger,
            Kind::Text if looks_like_path(tree.raw(index)) => Topic::PathEscape,
            Kind::Text if looks_escaped_twice(tree.raw(index)) => Topic::EscapeLevel,
            _ => continue,
        };
        found.push(Notice {
            topic,
            span: node.span,
        });
    }
    let map = PositionMap::new(&repair.edits, |_| true);
    for notice in &mut found {
        // The first byte of the token itself, not of what was deleted before it.
        let mut start = map
            .to_source(notice.span.start + 1, Bias::Before)
            .saturating_sub(1);
        while !source.is_char_boundary(start as usize) {
            start -= 1;
        }
        notice.span = Span::new(
            start,
            map.to_source(notice.span.end, Bias::Before).max(start),
        );
    }
    found.sort_by_key(|notice| (notice.span, notice.topic));
    found
}

/// The names of an object that stood in it before. Names are compared as they are meant, escapes decoded.
fn duplicates(tree: &Tree<'_>, object: usize, found: &mut Vec<Notice>) {
    let mut seen = HashSet::new();
    for child in tree.children(object) {
        if !seen.insert(tree.name(child)) {
            found.push(Notice {
                topic: Topic::DuplicateName,
                span: tree.nodes[child].name,
            });
        }
    }
}

/// Whether an integer lies outside -(2^53)+1 to 2^53-1 (RFC 8259 section 6).
fn is_big(number: &str) -> bool {
    const LARGEST: &str = "9007199254740991";
    let digits = number.strip_prefix('-').unwrap_or(number);
    let integer = digits.bytes().all(|byte| byte.is_ascii_digit());
    integer && (digits.len() > LARGEST.len() || digits.len() == LARGEST.len() && digits > LARGEST)
}

/// A form feed or backspace escape before a letter is hardly ever meant; behind a drive letter no escape is.
fn looks_like_path(string: &str) -> bool {
    let bytes = string.as_bytes();
    let letter = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_alphabetic);
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'\\', &bytes[at..]) {
        at += found;
        let escape = bytes.get(at + 1).copied().unwrap_or(0);
        let odd = matches!(escape, b'b' | b'f') && letter(at + 2);
        let drive = matches!(escape, b'b' | b'f' | b'n' | b'r' | b't')
            && at >= 2
            && bytes[at - 1] == b':'
            && letter(at - 2)
            && !(at >= 3 && letter(at - 3));
        if odd || drive {
            return true;
        }
        at += 2;
    }
    false
}

/// `\\\\n` between letters and no line break at all: the content seems to have gone through one more encoder. And a
/// content that is itself in escaped quotes.
fn looks_escaped_twice(string: &str) -> bool {
    let inner = string.trim_matches('"');
    let quoted = inner.len() > 4
        && inner.starts_with("\\\"")
        && inner.ends_with("\\")
        && string.ends_with("\\\"\"");
    let literal = string.matches("\\\\n").count();
    quoted
        || literal > 0 && !string.replace("\\\\", "").contains("\\n") && !string.contains(":\\\\")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repair::{Level, auto};

    #[test]
    fn each_topic_is_found_where_it_stands() {
        type Row = (
            &'static str,
            Option<&'static str>,
            &'static [(&'static str, &'static str)],
        );
        let rows: &[Row] = &[
            (r#"{"a":1,"b":2}"#, None, &[]),
            (
                r#"{"a":1,"\u0061":2,"a":3}"#,
                None,
                &[
                    ("duplicate-name", r#""\u0061""#),
                    ("duplicate-name", "\"a\""),
                ],
            ),
            (r#"[{"a":1},{"a":2}]"#, None, &[]),
            (
                r#"[9007199254740991,-9007199254740992,1e99,9007199254740993.0]"#,
                None,
                &[("big-integer", "-9007199254740992")],
            ),
            (
                r#"{'id': 12345678901234567890,}"#,
                None,
                &[("big-integer", "12345678901234567890")],
            ),
            ("404", Some("search_files"), &[("not-an-object", "404")]),
            (
                r#"{"path":"C:\temp\new"}"#,
                None,
                &[("path-escape", r#""C:\temp\new""#)],
            ),
            (
                r#"{"eq":"$\frac{a}{b}$"}"#,
                None,
                &[("path-escape", r#""$\frac{a}{b}$""#)],
            ),
            (r#"{"t":"note:\tb","u":"line\nnext"}"#, None, &[]),
            (
                r#"{"s":"cat <<EOF\\nhi\\nEOF"}"#,
                None,
                &[("escape-level", r#""cat <<EOF\\nhi\\nEOF""#)],
            ),
            (r#"{"s":"C:\\new"}"#, None, &[]),
            (
                r#"{"r":"\"120-180\""}"#,
                None,
                &[("escape-level", r#""\"120-180\"""#)],
            ),
        ];
        for (source, tool, expected) in rows {
            let tool = tool.map_or_else(ToolContext::default, ToolContext::named);
            let (_, repair) = auto(source, Level::Guess, &tool);
            let found: Vec<(&str, &str)> = notices(source, &repair, &tool)
                .iter()
                .map(|notice| (notice.topic.id(), notice.span.text(source)))
                .collect();
            assert_eq!(&found[..], *expected, "{source}");
        }
    }
}
