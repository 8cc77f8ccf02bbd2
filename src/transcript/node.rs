//! A value inside a JSON text, read in place: no tree, no copies, no recursion.
//!
//! Logs are read through this and not through a parser's value: it knows the byte of everything, keeps the text
//! of numbers and objects, takes lone surrogates and any depth, and skips what nobody asks for. A text that is
//! not JSON gives wrong or missing values, never a panic; whoever cares asks `repair::check` first.

use std::borrow::Cow;

use memchr::{memchr, memchr2};

/// One value of a JSON text.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    /// The whole text.
    text: &'a [u8],
    /// Where the value begins.
    start: usize,
}

impl<'a> Node<'a> {
    /// The first value of `text`; `None` if there is nothing but white space.
    pub fn new(text: &'a [u8]) -> Option<Node<'a>> {
        Node::at(text, 0)
    }

    fn at(text: &'a [u8], from: usize) -> Option<Node<'a>> {
        let start = skip_space(text, from);
        (start < text.len()).then_some(Node { text, start })
    }

    /// Byte of the text at which the value begins.
    pub fn offset(self) -> usize {
        self.start
    }

    /// Length of the text that the value is part of.
    pub fn text_len(self) -> usize {
        self.text.len()
    }

    /// The value as it stands in the text.
    pub fn bytes(self) -> &'a [u8] {
        &self.text[self.start..skip_value(self.text, self.start)]
    }

    /// The member of that name, if this is an object that has it.
    pub fn get(self, name: &str) -> Option<Node<'a>> {
        self.members()
            .find(|(key, _)| *key == name.as_bytes())
            .map(|(_, value)| value)
    }

    /// The value at the end of a path of member names.
    pub fn path(self, names: &[&str]) -> Option<Node<'a>> {
        names.iter().try_fold(self, |node, name| node.get(name))
    }

    /// Several members in one pass; of a name that stands twice the first counts.
    pub fn fields<const N: usize>(self, names: [&str; N]) -> [Option<Node<'a>>; N] {
        let mut found = [None; N];
        let mut missing = N;
        for (key, value) in self.members() {
            let wanted = names.iter().position(|name| name.as_bytes() == key);
            if let Some(index) = wanted
                && found[index].is_none()
            {
                found[index] = Some(value);
                missing -= 1;
                if missing == 0 {
                    break;
                }
            }
        }
        found
    }

    /// The members of an object, names as they stand in the text; nothing for other values.
    pub fn members(self) -> Members<'a> {
        Members(Walk::new(self, b'{'))
    }

    /// The elements of an array; nothing for other values.
    pub fn items(self) -> Items<'a> {
        Items(Walk::new(self, b'['))
    }

    /// Whether this is an object.
    pub fn is_object(self) -> bool {
        self.text[self.start] == b'{'
    }

    /// Whether this is an array.
    pub fn is_array(self) -> bool {
        self.text[self.start] == b'['
    }

    /// Whether this is a string.
    pub fn is_string(self) -> bool {
        self.text[self.start] == b'"'
    }

    /// Whether this is `null`.
    pub fn is_null(self) -> bool {
        self.text[self.start] == b'n'
    }

    /// Whether this is `true`.
    pub fn is_true(self) -> bool {
        self.text[self.start] == b't'
    }

    /// Whether this is the string `wanted`.
    pub fn is(self, wanted: &str) -> bool {
        match self.string_bytes() {
            Some(bytes) if bytes == wanted.as_bytes() => true,
            Some(bytes) => memchr(b'\\', bytes).is_some() && decode(bytes, usize::MAX) == wanted,
            None => false,
        }
    }

    /// The characters of a string. A lone surrogate reads as U+FFFD.
    pub fn text(self) -> Option<Cow<'a, str>> {
        self.string_bytes().map(|bytes| decode(bytes, usize::MAX))
    }

    /// The characters of a string, owned.
    pub fn string(self) -> Option<String> {
        self.text().map(Cow::into_owned)
    }

    /// The first characters of a string, up to about `limit` bytes: for long texts of which the start decides.
    pub fn head(self, limit: usize) -> Option<Cow<'a, str>> {
        self.string_bytes().map(|bytes| decode(bytes, limit))
    }

    /// A string's characters, or a number's digits: what an id may be.
    pub fn string_or_number(self) -> Option<String> {
        match self.text[self.start] {
            b'"' => self.string(),
            b'-' | b'0'..=b'9' => std::str::from_utf8(self.bytes()).ok().map(str::to_owned),
            _ => None,
        }
    }

    /// The number as a double.
    pub fn number(self) -> Option<f64> {
        match self.text[self.start] {
            b'-' | b'0'..=b'9' => std::str::from_utf8(self.bytes()).ok()?.parse().ok(),
            _ => None,
        }
    }

    /// The value's text without white space between its tokens, nothing else touched.
    pub fn minified(self) -> String {
        let text = self.bytes();
        let mut out = Vec::with_capacity(text.len());
        let mut at = 0;
        while at < text.len() {
            let next = match text[at] {
                b'"' => skip_string(text, at),
                b' ' | b'\t' | b'\n' | b'\r' => {
                    at += 1;
                    continue;
                }
                _ => at + 1,
            };
            out.extend_from_slice(&text[at..next]);
            at = next;
        }
        String::from_utf8_lossy(&out).into_owned()
    }

    /// What stands between the quotes of a string.
    fn string_bytes(self) -> Option<&'a [u8]> {
        if !self.is_string() {
            return None;
        }
        let end = skip_string(self.text, self.start);
        let closed = end > self.start + 1 && self.text[end - 1] == b'"';
        Some(&self.text[self.start + 1..end - usize::from(closed)])
    }
}

/// A walk over the values of one container.
#[derive(Clone)]
struct Walk<'a> {
    text: &'a [u8],
    /// Where the next name or value is looked for; past the end when there is none.
    at: usize,
}

impl<'a> Walk<'a> {
    fn new(node: Node<'a>, opener: u8) -> Walk<'a> {
        let is_container = node.text[node.start] == opener;
        Walk {
            text: node.text,
            at: if is_container {
                node.start + 1
            } else {
                usize::MAX
            },
        }
    }

    /// The first byte of the next token, past commas and colons; `None` at a closer or the end.
    fn next_token(&mut self) -> Option<usize> {
        loop {
            let at = skip_space(self.text, self.at);
            match self.text.get(at)? {
                b',' | b':' => self.at = at + 1,
                b'}' | b']' => return None,
                _ => return Some(at),
            }
        }
    }

    fn value(&mut self) -> Option<Node<'a>> {
        let start = self.next_token()?;
        self.at = skip_value(self.text, start).max(start + 1);
        Some(Node {
            text: self.text,
            start,
        })
    }
}

/// Iterator of [`Node::items`].
#[derive(Clone)]
pub struct Items<'a>(Walk<'a>);

impl<'a> Iterator for Items<'a> {
    type Item = Node<'a>;

    fn next(&mut self) -> Option<Node<'a>> {
        self.0.value()
    }
}

/// Iterator of [`Node::members`].
#[derive(Clone)]
pub struct Members<'a>(Walk<'a>);

impl<'a> Iterator for Members<'a> {
    type Item = (&'a [u8], Node<'a>);

    fn next(&mut self) -> Option<(&'a [u8], Node<'a>)> {
        let key = self.0.value()?.string_bytes()?;
        Some((key, self.0.value()?))
    }
}

fn skip_space(text: &[u8], from: usize) -> usize {
    let Some(rest) = text.get(from..) else {
        return text.len();
    };
    let space = rest
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'))
        .count();
    from + space
}

/// Bytes of a string that are looked at one by one.
const SHORT: usize = 16;

/// The byte behind the string that begins at `at`, or the end of the text.
pub(super) fn skip_string(text: &[u8], at: usize) -> usize {
    let mut at = at + 1;
    // Names and most values are short: a call that is made to search far costs more than they do.
    let near = text.len().min(at + SHORT);
    while at < near {
        match text[at] {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    while let Some(found) = text.get(at..).and_then(|rest| memchr2(b'"', b'\\', rest)) {
        if text[at + found] == b'"' {
            return at + found + 1;
        }
        at += found + 2;
    }
    text.len()
}

/// The byte behind the value that begins at `at`, or the end of the text. A depth counter stands for a stack.
fn skip_value(text: &[u8], at: usize) -> usize {
    let mut at = at;
    let mut depth = 0usize;
    while at < text.len() {
        match text[at] {
            b'"' => {
                at = skip_string(text, at);
                if depth == 0 {
                    return at;
                }
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                // A closer without an opener ends the scalar before it.
                if depth <= 1 {
                    return if depth == 0 { at } else { at + 1 };
                }
                depth -= 1;
            }
            b',' | b':' | b' ' | b'\t' | b'\n' | b'\r' if depth == 0 => return at,
            _ => {}
        }
        at += 1;
    }
    at
}

/// The characters of the string that begins at byte `at`, in one pass; `None` if they are no UTF-8.
pub(super) fn string_at(text: &[u8], at: usize) -> Option<String> {
    let mut out = Vec::with_capacity(256);
    let mut rest = &text[at + 1..];
    while let Some(end) = memchr2(b'"', b'\\', rest) {
        out.extend_from_slice(&rest[..end]);
        rest = &rest[end..];
        if rest[0] == b'"' {
            return String::from_utf8(out).ok();
        }
        let (character, length) = unescape(rest);
        out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        rest = &rest[length..];
    }
    out.extend_from_slice(rest);
    String::from_utf8(out).ok()
}

/// A member name as text.
pub(super) fn decode_name(name: &[u8]) -> String {
    decode(name, usize::MAX).into_owned()
}

/// The characters that stand for themselves or are escaped in the inside of a string.
fn decode(bytes: &[u8], limit: usize) -> Cow<'_, str> {
    let end = bytes.len().min(limit);
    if memchr(b'\\', &bytes[..end]).is_none() {
        return lossy_head(&bytes[..end]);
    }
    // Bytes first, so that their encoding is checked once and not at every escape.
    let mut out = Vec::with_capacity(end);
    let mut at = 0;
    while at < bytes.len() && out.len() < limit {
        let rest = &bytes[at..];
        let plain = memchr(b'\\', rest).unwrap_or(rest.len());
        let room = plain.min(limit - out.len());
        out.extend_from_slice(&rest[..room]);
        at += plain;
        if at >= bytes.len() || room < plain {
            break;
        }
        let (character, length) = unescape(&bytes[at..]);
        out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        at += length;
    }
    Cow::Owned(match String::from_utf8(out) {
        Ok(text) => text,
        Err(error) => lossy_head(error.as_bytes()).into_owned(),
    })
}

/// UTF-8 as text; what a limit cut off in the middle of a character is left out.
fn lossy_head(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(error) if error.error_len().is_none() => {
            String::from_utf8_lossy(&bytes[..error.valid_up_to()])
        }
        Err(_) => String::from_utf8_lossy(bytes),
    }
}

/// The character of the escape at the start of `bytes`, and the bytes it takes.
pub(super) fn unescape(bytes: &[u8]) -> (char, usize) {
    let simple = match bytes.get(1) {
        Some(b'n') => '\n',
        Some(b't') => '\t',
        Some(b'r') => '\r',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'u') => return unescape_unicode(bytes),
        Some(other) if other.is_ascii() => char::from(*other),
        _ => return (char::REPLACEMENT_CHARACTER, 1),
    };
    (simple, 2)
}

fn unescape_unicode(bytes: &[u8]) -> (char, usize) {
    let unit = |from: usize| {
        let digits = bytes.get(from..from + 6)?.strip_prefix(b"\\u")?;
        let digits = std::str::from_utf8(digits).ok()?;
        u32::from_str_radix(digits, 16).ok()
    };
    match (unit(0), unit(6)) {
        (Some(high @ 0xD800..=0xDBFF), Some(low @ 0xDC00..=0xDFFF)) => {
            let code = 0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00);
            (
                char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER),
                12,
            )
        }
        (Some(code), _) => (
            char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER),
            6,
        ),
        (None, _) => (char::REPLACEMENT_CHARACTER, 2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(text: &str) -> Node<'_> {
        Node::new(text.as_bytes()).unwrap()
    }

    #[test]
    fn values_are_found_by_path() {
        let text = r#" {"a": {"b" : [1, "x\"y", {"c":null}], "d": true}, "e": -1.50e3, "f":"}"} "#;
        for (path, wanted) in [
            (&["a", "d"][..], Some("true")),
            (&["a", "b"], Some(r#"[1, "x\"y", {"c":null}]"#)),
            (&["e"], Some("-1.50e3")),
            (&["f"], Some(r#""}""#)),
            (&["g"], None),
            (&["e", "x"], None),
        ] {
            let found = node(text).path(path).map(Node::bytes);
            assert_eq!(found, wanted.map(str::as_bytes), "{path:?}");
        }
        let items: Vec<_> = node(text).path(&["a", "b"]).unwrap().items().collect();
        assert_eq!(items.len(), 3);
        assert_eq!(items[1].text().unwrap(), "x\"y");
        assert_eq!(
            node(text).get("e").unwrap().offset(),
            text.find("-1").unwrap()
        );
    }

    #[test]
    fn fields_are_taken_in_one_pass_and_the_first_of_a_name_counts() {
        let [a, b, c] = node(r#"{"a":1,"a":2,"c":3}"#).fields(["a", "b", "c"]);
        assert_eq!(a.unwrap().bytes(), b"1");
        assert!(b.is_none());
        assert_eq!(c.unwrap().bytes(), b"3");
    }

    #[test]
    fn strings_are_decoded() {
        for (source, wanted) in [
            (r#""plain""#, "plain"),
            (r#""a\n\t\r\b\f\/\\\"b""#, "a\n\t\r\u{8}\u{c}/\\\"b"),
            (r#""\u00e9\u65e5\ud83d\ude00""#, "é日😀"),
            (r#""\ud83d lone""#, "\u{fffd} lone"),
            (r#""日""#, "日"),
            (r#""open"#, "open"),
            (r#""open\"#, "open\u{fffd}"),
            (r#""\u12""#, "\u{fffd}12"),
        ] {
            assert_eq!(node(source).text().unwrap(), wanted, "{source}");
        }
        assert!(node(r#""a\u0062""#).is("ab"));
        assert!(!node("1").is("1"));
    }

    #[test]
    fn a_string_in_place_reads_the_same() {
        for source in [
            r#""""#,
            r#""a\n\u00e9\ud83d\ude00\"b""#,
            r#""open\"#,
            r#""a"#,
            r#""\u12"#,
            r#""\"#,
        ] {
            let text = format!("{{\"k\": {source}");
            assert_eq!(
                string_at(text.as_bytes(), 6).as_deref(),
                node(source).text().as_deref(),
                "{source}"
            );
        }
        assert_eq!(string_at(b"\"a\xff\"", 0), None);
    }

    #[test]
    fn a_head_ends_on_a_character() {
        assert_eq!(node(r#""日日日""#).head(4).unwrap(), "日");
        assert_eq!(node(r#""a\nbcdef""#).head(4).unwrap(), "a\nbc");
    }

    #[test]
    fn only_white_space_between_tokens_goes() {
        let text = "{ \"a b\" : [ 1.0 , \" \\\" x \" ] ,\n\t\"c\":{ } }";
        assert_eq!(node(text).minified(), r#"{"a b":[1.0," \" x "],"c":{}}"#);
    }

    #[test]
    fn what_is_no_json_gives_little_but_never_panics() {
        let deep = "[".repeat(200_000);
        let seeds = [
            "",
            "{",
            "}",
            "]",
            "\"",
            "{\"",
            "{\"a",
            "{\"a\"",
            "{\"a\":",
            "{\"a\":}",
            "{:}",
            "[,]",
            "[1",
            "{1:2}",
            "\\",
            "{\"a\":\"\\",
            "nul",
            "-",
            "{\"a\":1]",
            &deep,
        ];
        for text in seeds {
            let Some(node) = Node::new(text.as_bytes()) else {
                continue;
            };
            let _ = (node.bytes(), node.minified(), node.text(), node.number());
            let _ = (
                node.get("a").map(Node::bytes),
                node.items().count(),
                node.members().count(),
            );
        }
    }
}
