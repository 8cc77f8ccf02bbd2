//! Layers: a text that went through one more encoder is decoded once, and its repair is told in places of the source.

use super::*;

impl Scanner<'_> {
    /// A document whose quotes are all escaped or written as entities. `None` where it is none.
    pub(super) fn layered(&mut self, head: usize) -> Option<Scan<()>> {
        if self.has_quote_token(head) {
            let decoded = quote_tokens(self.text, head);
            return Some(self.through_layer(Rule::GuillemetQuotes, decoded));
        }
        if let Some((decoded, strings_hold_none)) = doubled_everywhere(self.text, head) {
            let rule = self.doubled_rule(strings_hold_none);
            return Some(self.through_layer(rule, decoded));
        }
        // Prose or a fence may stand before it, but no other bracket and no quote.
        let place = memchr::memchr3(b'{', b'[', b'"', &self.bytes[head..self.limit])?;
        let before = &self.text[head..head + place];
        // `'{\"a\": 1}'`: one pair of quotes around it all is a fault of its own, seen once the escapes are gone.
        let quoted = matches!(before, "'" | "`") && self.rest(head).trim_end().ends_with(before);
        let quoted = quoted && self.rest(head + place).contains("\\\"");
        if !quoted
            && before.contains([
                '\'', '“', '”', '„', '‘', '’', '«', '＂', '＇', '「', '『', '(',
            ])
        {
            return None;
        }
        let head = head + place;
        let inner = self.rest(head).strip_prefix(['{', '['])?;
        let starts = |signs: &[&str]| {
            let inner = inner.trim_start_matches(is_between);
            signs.iter().any(|sign| inner.starts_with(sign))
        };
        let escaped = starts(&["\\\"", "\\n", "\\r", "\\t"]);
        let entity = starts(&["&quot;", "&#34;", "&#39;", "&apos;", "&#x27;", "&#x22;"]);
        let (rule, decoded) = if escaped {
            (Rule::EscapedDocument, unescape(self.text, head)?)
        } else if entity {
            (Rule::HtmlEntities, entities(self.text, head)?)
        } else {
            return None;
        };
        Some(self.through_layer(rule, decoded))
    }

    /// Whether a quote token stands behind `head`. Its bar is rare in all texts.
    fn has_quote_token(&self, head: usize) -> bool {
        let bytes = &self.bytes[head..self.limit];
        memchr::memchr_iter(b'|', bytes)
            .filter_map(|bar| bytes.get(bar.checked_sub(1)?..))
            .any(|rest| rest.starts_with(QUOTE_TOKEN.as_bytes()))
    }

    /// Repairs the decoded text and writes both kinds of edits into one list.
    fn through_layer(&mut self, rule: Rule, decoded: Vec<(Span, char)>) -> Scan<()> {
        let first = decoded.first().map_or(Span::at(0), |part| part.0);
        self.need(
            rule,
            first.start as usize,
            first.end as usize,
            Expected::Name,
        )?;
        let mut layer = Edits::new(self.text.len() as u32);
        let fix = layer.next_fix();
        for (span, value) in decoded {
            layer.push(rule, fix, span, value.encode_utf8(&mut [0; 4]));
        }
        let text = layer.apply(self.text, |_| true);
        let rules = self
            .rules
            .without(Rule::EscapedDocument)
            .without(Rule::HtmlEntities);
        let mut inner = Scanner::new(&text, rules);
        inner.fuel = inner.fuel.min(self.fuel);
        let (verdict, plain) = strict(&text);
        let result = if verdict == Verdict::Valid {
            Ok(())
        } else {
            inner.document(&plain)
        };
        self.edits = layer.then(&inner.edits).without_idle(self.text);
        result.map_err(|refusal| {
            let map = PositionMap::new(&layer, |_| true);
            let place = |at: u32| map.to_source(at, Bias::Before);
            let span =
                |span: Span| Span::new(place(span.start), place(span.end).max(place(span.start)));
            let candidates = refusal.candidates.iter().copied().map(span).collect();
            let (at, found, good) = (place(refusal.at), span(refusal.found), place(refusal.good));
            Box::new(Refusal {
                at,
                found,
                good,
                candidates,
                ..*refusal
            })
        })
    }
}

/// `{{"a": {{"b": 1}}}}`: the braces of a template, doubled at every depth. `None` where one stands alone outside of
/// strings, and where only the outermost are doubled, which needs no layer. `true` where no string can hold doubled ones.
fn doubled_everywhere(text: &str, head: usize) -> Option<(Vec<(Span, char)>, bool)> {
    let bytes = text.as_bytes();
    if !bytes[head..].starts_with(b"{{") {
        return None;
    }
    let (mut parts, mut at, mut openers) = (Vec::new(), head, 0);
    let mut strings_hold_none = !text.contains(['\'', '`']);
    while let Some(found) = memchr::memchr3(b'{', b'}', b'"', &bytes[at..]) {
        at += found;
        if bytes[at] == b'"' {
            at += 1;
            let content = at;
            loop {
                at += memchr::memchr2(b'"', b'\\', bytes.get(at..)?)?;
                if bytes[at] == b'"' {
                    break;
                }
                at += 2;
            }
            let string = &text[content..at];
            strings_hold_none &= !string.contains("{{") && !string.contains("}}");
            at += 1;
            continue;
        }
        if bytes.get(at + 1) != Some(&bytes[at]) {
            return None;
        }
        openers += usize::from(bytes[at] == b'{');
        parts.push((Span::new(at as u32, at as u32 + 2), bytes[at] as char));
        at += 2;
    }
    (openers > 1).then_some((parts, strings_hold_none))
}

/// What can stand before the first string of a JSON text.
fn is_between(c: char) -> bool {
    matches!(
        c,
        '{' | '[' | '}' | ']' | ',' | ':' | '.' | '-' | '+' | ' ' | '\n' | '\r' | '\t'
    ) || c.is_ascii_digit()
        || "truefalsn".contains(c)
}

/// The token that some chat templates write for a double quote.
const QUOTE_TOKEN: &str = "<|\"|>";

/// The places of all quote tokens from `from` on.
fn quote_tokens(text: &str, from: usize) -> Vec<(Span, char)> {
    let places = text[from..].match_indices(QUOTE_TOKEN);
    places
        .map(|(at, token)| {
            let start = from + at;
            (Span::new(start as u32, (start + token.len()) as u32), '"')
        })
        .collect()
}

/// Undoes one level of JSON escapes from `from` on; `None` where a quote stands unescaped or an escape is unknown.
fn unescape(text: &str, from: usize) -> Option<Vec<(Span, char)>> {
    let bytes = text.as_bytes();
    let mut parts = Vec::new();
    let mut at = from;
    while let Some(found) = memchr::memchr2(b'\\', b'"', &bytes[at..]) {
        at += found;
        if bytes[at] == b'"' {
            return None;
        }
        let (value, len) = match bytes.get(at + 1)? {
            b'"' => ('"', 2),
            b'\\' => ('\\', 2),
            b'/' => ('/', 2),
            b'n' => ('\n', 2),
            b'r' => ('\r', 2),
            b't' => ('\t', 2),
            b'\'' => ('\'', 2),
            b'u' => {
                match char::from_u32(u32::from_str_radix(text.get(at + 2..at + 6)?, 16).ok()?) {
                    Some(value) if value >= ' ' => (value, 6),
                    // A surrogate or a control character stays an escape.
                    _ => {
                        at += 6;
                        continue;
                    }
                }
            }
            _ => return None,
        };
        parts.push((Span::new(at as u32, (at + len) as u32), value));
        at += len;
    }
    Some(parts)
}

/// Undoes one level of HTML entities from `from` on; `None` where a quote stands as it is, or an entity is unknown.
fn entities(text: &str, from: usize) -> Option<Vec<(Span, char)>> {
    let bytes = text.as_bytes();
    let mut parts = Vec::new();
    let mut at = from;
    while let Some(found) = memchr::memchr2(b'&', b'"', &bytes[at..]) {
        at += found;
        if bytes[at] == b'"' {
            return None;
        }
        let name = text[at + 1..]
            .split(|c: char| !(c.is_ascii_alphanumeric() || c == '#'))
            .next()
            .unwrap_or("");
        let end = at + 1 + name.len();
        if name.is_empty() || bytes.get(end) != Some(&b';') {
            at += 1;
            continue;
        }
        parts.push((Span::new(at as u32, end as u32 + 1), entity(name)?));
        at = end + 1;
    }
    Some(parts)
}

/// The character of an entity, by its name or number (HTML, section 13.5).
fn entity(name: &str) -> Option<char> {
    const NAMES: [(&str, char); 26] = [
        ("quot", '"'),
        ("apos", '\''),
        ("amp", '&'),
        ("lt", '<'),
        ("gt", '>'),
        ("nbsp", '\u{a0}'),
        ("hellip", '…'),
        ("mdash", '—'),
        ("ndash", '–'),
        ("lsquo", '‘'),
        ("rsquo", '’'),
        ("ldquo", '“'),
        ("rdquo", '”'),
        ("laquo", '«'),
        ("raquo", '»'),
        ("bull", '•'),
        ("middot", '·'),
        ("copy", '©'),
        ("reg", '®'),
        ("trade", '™'),
        ("deg", '°'),
        ("euro", '€'),
        ("times", '×'),
        ("rarr", '→'),
        ("larr", '←'),
        ("eacute", 'é'),
    ];
    let Some(number) = name.strip_prefix('#') else {
        return NAMES
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| *value);
    };
    let code = match number.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16),
        None => number.parse(),
    };
    char::from_u32(code.ok()?)
}
