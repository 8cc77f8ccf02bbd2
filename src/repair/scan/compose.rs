//! Layers: a text that went through one more encoder is decoded once, and its repair is told in places of the source.

use super::*;

/// One decoded stretch: its place in the source, and the character it means.
struct Decoded {
    span: Span,
    value: char,
}

impl Scanner<'_> {
    /// A document whose quotes are all escaped or written as entities. `None` where it is none.
    pub(super) fn layered(&mut self, head: usize) -> Option<Scan<()>> {
        let inner = self.rest(head).strip_prefix(['{', '['])?;
        let inner = inner.trim_start_matches([' ', '\n', '\r', '\t']);
        let escaped = ["\\\"", "\\n", "\\r", "\\t", "{\\\"", "[\\\""]
            .iter()
            .any(|start| inner.starts_with(start));
        let entity = ["&quot;", "&#34;", "&#39;", "&apos;", "&#x27;", "&#x22;"]
            .iter()
            .any(|start| inner.starts_with(start));
        let (rule, decoded) = if escaped {
            (Rule::EscapedDocument, unescape(self.text, head)?)
        } else if entity {
            (Rule::HtmlEntities, entities(self.text, head)?)
        } else {
            return None;
        };
        Some(self.through_layer(rule, head, &decoded))
    }

    /// Repairs the decoded text and writes both kinds of edits into one list.
    fn through_layer(&mut self, rule: Rule, head: usize, decoded: &[Decoded]) -> Scan<()> {
        let first = decoded
            .first()
            .map_or(head, |part| part.span.start as usize);
        self.need(
            rule,
            first,
            decoded.first().map_or(head, |part| part.span.end as usize),
            Expected::Name,
        )?;
        let mut text = String::with_capacity(self.text.len());
        let mut at = 0;
        for part in decoded {
            text.push_str(&self.text[at..part.span.start as usize]);
            text.push(part.value);
            at = part.span.end as usize;
        }
        text.push_str(&self.text[at..]);
        let rules = self
            .rules
            .without(Rule::EscapedDocument)
            .without(Rule::HtmlEntities);
        let mut inner = Scanner::new(&text, rules);
        inner.fuel = inner.fuel.min(self.fuel);
        let result = inner.read_layer();
        self.merge(rule, decoded, &inner.edits);
        result.map_err(|refusal| self.outward(*refusal, decoded))
    }

    /// The decoded text: one value, what stands around it included, and no further layer.
    fn read_layer(&mut self) -> Scan<()> {
        if check(self.text) == Verdict::Valid {
            return Ok(());
        }
        self.document()
    }

    /// Writes the decodings and the edits of the decoded text, in source order. An edit that covers a decoded
    /// character takes its place.
    fn merge(&mut self, rule: Rule, decoded: &[Decoded], inner: &Edits) {
        let fix = self.edits.next_fix();
        let base = self.edits.fixes() as u32;
        for _ in 0..inner.fixes() {
            self.edits.next_fix();
        }
        // How far the decoded text lags behind the source before the next decoded part.
        let mut lag = 0;
        let mut parts = decoded.iter().peekable();
        let write = |edits: &mut Edits, part: &Decoded| {
            edits.push(rule, fix, part.span, part.value.encode_utf8(&mut [0; 4]));
        };
        let part_lag = |part: &Decoded| part.span.len() - part.value.len_utf8() as u32;
        for edit in inner.iter() {
            while let Some(part) = parts.next_if(|part| {
                part.span.start - lag + part.value.len_utf8() as u32 <= edit.span.start
            }) {
                lag += part_lag(part);
                write(&mut self.edits, part);
            }
            let start = edit.span.start + lag;
            while let Some(part) = parts.next_if(|part| part.span.start - lag < edit.span.end) {
                lag += part_lag(part);
            }
            let span = Span::new(start, edit.span.end + lag);
            self.edits
                .push(edit.rule, FixId(base + edit.fix.0), span, edit.after);
        }
        for part in parts {
            write(&mut self.edits, part);
        }
    }

    /// A refusal of the decoded text, told in places of the source.
    fn outward(&self, refusal: Refusal, decoded: &[Decoded]) -> Box<Refusal> {
        let place = |at: u32| {
            let mut lag = 0;
            for part in decoded {
                if part.span.start - lag >= at {
                    break;
                }
                lag += part.span.len() - part.value.len_utf8() as u32;
            }
            at + lag
        };
        let span = |span: Span| Span::new(place(span.start), place(span.end));
        Box::new(Refusal {
            at: place(refusal.at),
            found: span(refusal.found),
            good: place(refusal.good),
            candidates: refusal.candidates.iter().copied().map(span).collect(),
            ..refusal
        })
    }
}

/// Undoes one level of JSON escapes from `from` on; `None` where a quote stands unescaped or an escape is unknown.
fn unescape(text: &str, from: usize) -> Option<Vec<Decoded>> {
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
                let code = u32::from_str_radix(text.get(at + 2..at + 6)?, 16).ok()?;
                match char::from_u32(code) {
                    Some(value) if code >= 0x20 => (value, 6),
                    // A surrogate or a control character stays an escape.
                    _ => {
                        at += 6;
                        continue;
                    }
                }
            }
            _ => return None,
        };
        parts.push(Decoded {
            span: Span::new(at as u32, (at + len) as u32),
            value,
        });
        at += len;
    }
    Some(parts)
}

/// Undoes one level of HTML entities from `from` on; `None` where a quote stands as it is.
fn entities(text: &str, from: usize) -> Option<Vec<Decoded>> {
    const NAMES: [(&str, char); 12] = [
        ("&quot;", '"'),
        ("&#34;", '"'),
        ("&#x22;", '"'),
        ("&apos;", '\''),
        ("&#39;", '\''),
        ("&#x27;", '\''),
        ("&amp;", '&'),
        ("&lt;", '<'),
        ("&gt;", '>'),
        ("&#10;", '\n'),
        ("&#92;", '\\'),
        ("&nbsp;", ' '),
    ];
    let bytes = text.as_bytes();
    let mut parts = Vec::new();
    let mut at = from;
    while let Some(found) = memchr::memchr2(b'&', b'"', &bytes[at..]) {
        at += found;
        if bytes[at] == b'"' {
            return None;
        }
        match NAMES.iter().find(|(name, _)| text[at..].starts_with(name)) {
            Some((name, value)) => {
                let end = at + name.len();
                parts.push(Decoded {
                    span: Span::new(at as u32, end as u32),
                    value: *value,
                });
                at = end;
            }
            None => at += 1,
        }
    }
    Some(parts)
}
