//! The values that stand in a text: in prose, in fences, side by side.

use super::*;

impl Scanner<'_> {
    /// Reads a value at `start` on the side. Gives its extent.
    pub(super) fn probe(&mut self, start: usize, limit: usize, rules: RuleSet) -> Scan<Candidate> {
        let mut probe = Scanner::new(self.text, rules);
        (probe.at, probe.limit, probe.fuel) = (start, limit, self.fuel);
        let result = probe.run(Step::Value);
        let end = probe.at;
        self.fuel = probe.fuel.saturating_sub(end.max(start) - start);
        result?;
        // A short value is read again sooner than kept.
        if rules == self.rules && 256 < end - start {
            self.probed = Some(Box::new(Probed {
                start,
                end,
                limit,
                good: probe.good,
                last: probe.last,
                was_cut: probe.was_cut,
                edits: probe.edits,
            }));
        }
        Ok(Candidate { start, end, limit })
    }

    /// Finds the one value in prose, or says why there is none.
    pub(super) fn extract(&mut self, head: usize, otherwise: Option<Box<Refusal>>) -> Scan<()> {
        let found = self.candidates(head, self.rules)?;
        match found.len() {
            0 => Err(otherwise.unwrap_or_else(|| {
                self.refuse(head, self.token_end(head), Expected::Value, Why::NoJson)
            })),
            1 => {
                self.refuse_incidental(found[0].start, found[0].end)?;
                self.take(found[0])
            }
            _ => self.several(&found),
        }
    }

    /// All values from `from` on, in source order. A bracket that looks like JSON and cannot be read is a refusal.
    pub(super) fn candidates(&mut self, from: usize, rules: RuleSet) -> Scan<Vec<Candidate>> {
        let mut found = Vec::new();
        let mut at = from;
        while at < self.limit {
            let Some(step) = self.bytes[at..self.limit]
                .iter()
                .position(|byte| matches!(byte, b'{' | b'[' | b'<' | b'`' | b'~'))
            else {
                break;
            };
            at += step;
            if let Some(end) = self.thinking_end(at) {
                at = end;
            } else if self.is_fence(at) {
                at = self.fenced(at, rules, &mut found)?;
            } else if matches!(self.bytes[at], b'{' | b'[') && self.is_no_value(at) {
                at += 1;
            } else if matches!(self.bytes[at], b'{' | b'[') && !self.is_label(at) {
                at = self.bracketed(at, rules, &mut found)?;
            } else {
                at += 1;
            }
        }
        Ok(found)
    }

    /// `- [ ] task`, `f() {}`, `<![CDATA[`: brackets of lists, code and markup.
    pub(super) fn is_no_value(&self, at: usize) -> bool {
        let rest = self.rest(at);
        let before = &self.text[..at];
        let task =
            rest.starts_with("[ ] ") && before.trim_end_matches(' ').ends_with(['-', '*', '+']);
        let body = rest[1..].trim_start().starts_with('}') && before.trim_end().ends_with(')');
        let data = before.ends_with("<![CDATA");
        task || body || data
    }

    /// `"["`, `'{'`, `"W, ["`: a bracket directly before the quote that ends a quotation of its line.
    pub(super) fn is_quoted_bracket(&self, at: usize) -> bool {
        let Some(quote) = self.character(at + 1) else {
            return false;
        };
        let open = match quote {
            '"' | '\'' | '`' => quote,
            '”' => '“',
            '’' => '‘',
            _ => return false,
        };
        let line = memchr::memrchr(b'\n', &self.bytes[..at]).map_or(0, |lf| lf + 1);
        let line = &self.text[line..at];
        let opened = line.ends_with(open)
            || (quote == '"' && line.len() < 1024 && line.matches('"').count() % 2 == 1);
        let behind = at + 1 + quote.len_utf8();
        let closes = self.character(behind).is_none_or(|c| {
            c.is_whitespace() || matches!(c, '.' | ',' | ')' | ';' | ':' | '?' | '!')
        });
        opened && closes
    }

    /// Where the bracket at `at` is closed, by counting brackets outside double quotes; the end of the text if it is not.
    pub(super) fn bracket_end(&mut self, at: usize) -> usize {
        let mut depth = 0usize;
        let mut place = at;
        while let Some(byte) = self.byte(place) {
            if !self.pay(1) {
                break;
            }
            match byte {
                b'"' => {
                    if let Some(end) = self.string_end(place) {
                        place = end;
                        continue;
                    }
                }
                b'{' | b'[' => depth += 1,
                b'}' | b']' => {
                    depth -= 1;
                    if depth == 0 {
                        return place + 1;
                    }
                }
                _ => {}
            }
            place += 1;
        }
        self.limit
    }

    /// A bracket in prose. Gives the place to go on at.
    pub(super) fn bracketed(
        &mut self,
        at: usize,
        rules: RuleSet,
        found: &mut Vec<Candidate>,
    ) -> Scan<usize> {
        let (looks, certain) = self.looks_like_json(at);
        if !looks {
            return Ok(at + 1);
        }
        // A sign in quotation marks is no value, unless it reads as one.
        let quoted = certain && found.is_empty() && self.is_quoted_bracket(at);
        let rules = if certain && !quoted {
            rules
        } else {
            rules.and(RuleSet::up_to(Level::Safe))
        };
        match self.probe(at, self.limit, rules) {
            Ok(candidate) => {
                found.push(candidate);
                Ok(candidate.end.max(at + 1))
            }
            Err(_) if quoted => Ok(at + 1),
            Err(refusal) if certain => Err(refusal),
            Err(refusal) if self.fuel == 0 => Err(refusal),
            Err(refusal) => {
                // No value of its own; but what stands inside it is none either.
                let end = self.bracket_end(at);
                if found.is_empty() && self.holds_value(at + 1, end) {
                    return Err(refusal);
                }
                let closed = matches!(self.bytes[end - 1], b'}' | b']');
                Ok(if closed { end } else { at + 1 })
            }
        }
    }

    /// Whether an object or a list of strings begins inside a bracket.
    pub(super) fn holds_value(&mut self, from: usize, to: usize) -> bool {
        let mut at = from;
        while let Some(step) = self.bytes[at..to.max(at)]
            .iter()
            .position(|byte| matches!(byte, b'{' | b'['))
        {
            at += step;
            if !self.pay(step + 1) || self.looks_like_json(at).1 {
                return true;
            }
            at += 1;
        }
        false
    }

    /// Whether the bracket at `at` can begin a value, and whether it can be nothing else.
    pub(super) fn looks_like_json(&mut self, at: usize) -> (bool, bool) {
        let next = self.peek(at + 1);
        let Some(character) = self.character(next) else {
            return (false, false);
        };
        if self.bytes[at] == b'{' {
            let name = self.quote_at(next).is_some() || self.name_ahead(next);
            let certain = name || self.rest(at).starts_with("{\\\"");
            let doubled = character == '{' && {
                let inner = self.peek(next + 1);
                self.quote_at(inner).is_some() || self.name_ahead(inner)
            };
            let certain = certain || doubled;
            return (certain || matches!(character, '}' | '{' | ','), certain);
        }
        let certain = matches!(character, '{') || self.quote_at(next).is_some();
        let uncertain = matches!(
            character,
            '[' | ']' | '(' | '［' | '｛' | '+' | '.' | '-' | '0'
                ..='9' | 't' | 'f' | 'n' | 'T' | 'F' | 'N'
        );
        (certain || uncertain, certain)
    }

    /// A fence: its content is a candidate if it is one value. Gives the place to go on at.
    pub(super) fn fenced(
        &mut self,
        at: usize,
        rules: RuleSet,
        found: &mut Vec<Candidate>,
    ) -> Scan<usize> {
        let fence = self.fence(at);
        let content = self.behind_quote_mark(at, fence.content);
        if self.is_fence(content) && fence.opens_line {
            return Ok(content.max(at + fence.len));
        }
        let close = self.closing_fence(fence.content, fence.len, self.bytes[at]);
        let Some(first) = self.character(content) else {
            return Ok(self.limit);
        };
        let jsonish = matches!(first, '{' | '[');
        // What is cut off is no scalar.
        let rules = if jsonish {
            rules
        } else {
            rules.without(Rule::CutOff)
        };
        let whole = self.probe(content, self.limit, rules);
        // A string that runs to the end of the text swallowed the fence that ends it.
        let swallowed = close.is_some_and(|close| {
            let behind = self.line_end(close);
            matches!(&whole, Ok(candidate) if candidate.end > behind || candidate.end == self.limit)
                && self.text[behind..self.limit].trim().is_empty()
        });
        let mut result = match whole {
            Ok(candidate) if swallowed => {
                Err(self.refuse(candidate.end, candidate.end, Expected::End, Why::Syntax))
            }
            Ok(candidate) if self.fence_follows(candidate.end) => Ok(candidate),
            Ok(candidate) if candidate.end == self.limit && close.is_none() => Ok(candidate),
            Ok(candidate) if jsonish && close.is_none_or(|close| candidate.end <= close) => {
                Ok(candidate)
            }
            Ok(candidate) => {
                Err(self.refuse(candidate.end, candidate.end, Expected::End, Why::Syntax))
            }
            Err(refusal) => Err(refusal),
        };
        if let (Err(_), Some(close)) = (&result, close) {
            match self.probe(content, close, rules) {
                Ok(candidate) if self.text[candidate.end..close].trim().is_empty() => {
                    result = Ok(candidate);
                }
                Err(refusal) if is_lossy(&refusal) => result = Err(refusal),
                _ => {}
            }
        }
        match result {
            Ok(candidate) => {
                found.push(candidate);
                Ok(self.behind_closing_fence(candidate.end).max(at + fence.len))
            }
            Err(refusal) if jsonish && (is_lossy(&refusal) || self.looks_like_json(content).1) => {
                Err(refusal)
            }
            Err(refusal) if is_lossy(&refusal) && self.is_one_word(content, fence.len) => {
                Err(refusal)
            }
            Err(_) => {
                let first = self.first_closing_fence(fence.content, fence.len, self.bytes[at]);
                let skipped = if jsonish {
                    self.bracket_end(content)
                } else {
                    fence.content
                };
                Ok(first.unwrap_or(skipped).max(at + fence.len))
            }
        }
    }

    /// Whether a fenced text is one word, behind which nothing or the closing fence stands.
    pub(super) fn is_one_word(&self, content: usize, len: usize) -> bool {
        let behind = self.rest(self.token_end(content)).trim_start();
        behind.is_empty()
            || behind.starts_with(&"`".repeat(len))
            || behind.starts_with(&"~".repeat(len))
    }

    /// Where the content of a fence begins; in a quoted block its line has a quote mark too.
    pub(super) fn behind_quote_mark(&self, at: usize, content: usize) -> usize {
        let quoted = self.text[..at].trim_end_matches(' ').ends_with('>');
        let next = self.peek(content);
        if quoted && self.byte(next) == Some(b'>') {
            self.peek(next + 1)
        } else {
            next
        }
    }

    /// Behind the fence that closes the block of a value which ends at `end`; `end` where there is none.
    pub(super) fn behind_closing_fence(&self, end: usize) -> usize {
        let rest = self.rest(end);
        let fence = rest.trim_start_matches([' ', '\n', '\r', '\t', '>', ';']);
        let at = end + (rest.len() - fence.len());
        if !(fence.starts_with("```") || fence.starts_with("~~~")) {
            return end;
        }
        let marks = fence
            .bytes()
            .take_while(|byte| *byte == fence.as_bytes()[0])
            .count();
        // With an info string it opens the next block.
        if self
            .rest(at + marks)
            .starts_with(|c: char| c.is_alphanumeric())
        {
            end
        } else {
            at + marks
        }
    }

    /// Whether nothing, or a closing fence, stands behind a fenced value.
    pub(super) fn fence_follows(&self, end: usize) -> bool {
        let rest = self
            .rest(end)
            .trim_start_matches([' ', '\n', '\r', '\t', '>', ';']);
        rest.is_empty() || rest.starts_with("```") || rest.starts_with("~~~")
    }
}

/// One value found in a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) start: usize,
    pub(super) end: usize,
    /// Where the text counts as ended for it: before the closing fence of a cut reply.
    pub(super) limit: usize,
}

impl Candidate {
    pub(super) fn span(self) -> Span {
        Span::new(self.start as u32, self.end as u32)
    }
}

/// Whether a lossy rule would pass: then the text is a value with a loss, and no prose.
pub(super) fn is_lossy(refusal: &Refusal) -> bool {
    refusal.needs() == Some(Level::Lossy)
}
