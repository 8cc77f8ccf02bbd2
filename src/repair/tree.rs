//! A valid JSON text as nodes with their places: for the schema guide and for notices. Values stay text.

use super::span::Span;

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Object,
    Array,
    Text,
    Number,
    Bool,
    Null,
}

/// One value of the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) kind: Kind,
    /// Its bytes.
    pub(super) span: Span,
    /// The bytes of its member name, quotes included; empty for elements and the root.
    pub(super) name: Span,
    /// Index behind its last descendant.
    pub(super) end: usize,
}

/// The nodes of one text, each before its descendants.
pub(super) struct Tree<'a> {
    pub(super) text: &'a str,
    pub(super) nodes: Vec<Node>,
}

impl<'a> Tree<'a> {
    /// Reads a text that is known to be valid JSON: without recursion, O(n).
    pub(super) fn new(text: &'a str) -> Tree<'a> {
        let bytes = text.as_bytes();
        let mut nodes: Vec<Node> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        let mut name = Span::at(0);
        let mut at = 0;
        while let Some(byte) = bytes.get(at) {
            let start = at;
            let kind = match byte {
                b'{' => Kind::Object,
                b'[' => Kind::Array,
                b'}' | b']' => {
                    if let Some(index) = open.pop() {
                        let end = nodes.len();
                        nodes[index].span.end = at as u32 + 1;
                        nodes[index].end = end;
                    }
                    at += 1;
                    continue;
                }
                b'"' => Kind::Text,
                b't' | b'f' => Kind::Bool,
                b'n' => Kind::Null,
                b'-' | b'0'..=b'9' => Kind::Number,
                _ => {
                    at += 1;
                    continue;
                }
            };
            at = match kind {
                Kind::Object | Kind::Array => at + 1,
                Kind::Text => string_end(bytes, at),
                _ => scalar_end(bytes, at),
            };
            let span = Span::new(start as u32, at as u32);
            let in_object = open
                .last()
                .is_some_and(|index| nodes[*index].kind == Kind::Object);
            if kind == Kind::Text && in_object && name.is_empty() {
                name = span;
                continue;
            }
            let index = nodes.len();
            nodes.push(Node {
                kind,
                span,
                name,
                end: index + 1,
            });
            name = Span::at(0);
            if matches!(kind, Kind::Object | Kind::Array) {
                open.push(index);
            }
        }
        Tree { text, nodes }
    }

    /// The members or elements of a node.
    pub(super) fn children(&self, index: usize) -> impl Iterator<Item = usize> + '_ {
        let end = self.nodes[index].end;
        let mut next = index + 1;
        std::iter::from_fn(move || {
            let child = (next < end).then_some(next)?;
            next = self.nodes[child].end;
            Some(child)
        })
    }

    /// The member of that name; the last one where it stands twice.
    pub(super) fn member(&self, index: usize, name: &str) -> Option<usize> {
        self.children(index)
            .filter(|child| self.name(*child) == name)
            .last()
    }

    /// A member's name, decoded.
    pub(super) fn name(&self, index: usize) -> String {
        decode(self.nodes[index].name.text(self.text))
    }

    /// A node's text as it stands.
    pub(super) fn raw(&self, index: usize) -> &'a str {
        self.nodes[index].span.text(self.text)
    }
}

/// Behind the string that opens at `at`.
fn string_end(bytes: &[u8], at: usize) -> usize {
    let mut at = at + 1;
    while let Some(found) = memchr::memchr2(b'"', b'\\', &bytes[at..]) {
        at += found;
        if bytes[at] == b'"' {
            return at + 1;
        }
        at += 2;
    }
    bytes.len()
}

fn scalar_end(bytes: &[u8], at: usize) -> usize {
    let rest = &bytes[at..];
    at + rest
        .iter()
        .position(|byte| matches!(byte, b',' | b'}' | b']' | b' ' | b'\n' | b'\r' | b'\t'))
        .unwrap_or(rest.len())
}

/// The text that a JSON string means. A lone surrogate escape becomes U+FFFD, so this is for comparing and
/// showing, and for content that is JSON itself.
pub(super) fn decode(string: &str) -> String {
    let inner = string
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
        .unwrap_or(string);
    if !inner.contains('\\') {
        return inner.to_owned();
    }
    let mut units: Vec<u16> = Vec::new();
    let mut out = String::with_capacity(inner.len());
    let mut characters = inner.chars();
    let flush = |units: &mut Vec<u16>, out: &mut String| {
        out.extend(char::decode_utf16(units.drain(..)).map(|unit| unit.unwrap_or('\u{FFFD}')));
    };
    while let Some(character) = characters.next() {
        if character != '\\' {
            flush(&mut units, &mut out);
            out.push(character);
            continue;
        }
        match characters.next() {
            Some('u') => {
                let digits: String = characters.by_ref().take(4).collect();
                units.push(u16::from_str_radix(&digits, 16).unwrap_or(0xFFFD));
            }
            Some(escape) => {
                flush(&mut units, &mut out);
                out.push(match escape {
                    'b' => '\u{8}',
                    'f' => '\u{C}',
                    'n' => '\n',
                    'r' => '\r',
                    't' => '\t',
                    other => other,
                });
            }
            None => {}
        }
    }
    flush(&mut units, &mut out);
    out
}

/// A text as a JSON string.
pub(super) fn encode(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            control if control < ' ' => out.push_str(&format!("\\u{:04x}", control as u32)),
            other => out.push(other),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_know_their_places_and_names() {
        let text = r#"{"a": [1, "x\"]", {}], "b\u0041": {"c": null}, "a": true}"#;
        let tree = Tree::new(text);
        let shown: Vec<(String, &str)> = (0..tree.nodes.len())
            .map(|index| (tree.name(index), tree.raw(index)))
            .collect();
        let names: Vec<&str> = shown.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["", "a", "", "", "", "bA", "c", "a"]);
        assert_eq!(shown[1].1, r#"[1, "x\"]", {}]"#);
        assert_eq!(tree.children(0).collect::<Vec<_>>(), [1, 5, 7]);
        assert_eq!(tree.member(0, "a"), Some(7));
    }

    #[test]
    fn strings_are_decoded_and_encoded() {
        assert_eq!(
            decode(r#""a\n\ud83d\ude80\u00e9\ud800\/""#),
            "a\n🚀é\u{FFFD}/"
        );
        assert_eq!(encode("a\"\\\n\u{1}"), r#""a\"\\\n\u0001""#);
    }
}
