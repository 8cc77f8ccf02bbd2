//! The whole text: finding the value in it, and what may stand around.

use super::candidates::Candidate;
use super::*;

impl<'a> Scanner<'a> {
    /// Reads the whole text: one value, what stands around it, or a refusal. Where no JSON can be read, plain text for a
    /// known tool is tried.
    pub(super) fn document(&mut self, plain: &Plain) -> Scan<()> {
        let refusal = match self.read_document(plain) {
            Ok(())
                if self
                    .tool
                    .is_some_and(|tool| tool.schema.is_none() && tool.wants_object()) =>
            {
                match finish::not_an_object(self.text, &self.edits) {
                    None => return Ok(()),
                    Some(refusal) => Box::new(refusal),
                }
            }
            Ok(()) => return Ok(()),
            Err(refusal) => refusal,
        };
        let several = refusal.why == Why::SeveralValues;
        if !several
            && self.rules.has(Rule::PlainString)
            && self.tool.is_some_and(|tool| tool.plain_field().is_some())
        {
            let mut plain = Scanner::new(self.text, self.rules);
            plain.tool = self.tool;
            if plain.wrap().is_ok() {
                *self = plain;
                return Ok(());
            }
        }
        Err(refusal)
    }

    fn read_document(&mut self, plain: &Plain) -> Scan<()> {
        if let Some(at) = looks_like_utf16(self.bytes) {
            return Err(self.refuse(at, at, Expected::Utf8, Why::Utf16));
        }
        let head = self.peek(0);
        let Some(first) = self.character(head) else {
            return self.empty();
        };
        // A tag before the first token closes nothing: it stands in a comment.
        self.limit = Some(self.before_closing_tags())
            .filter(|end| head < *end)
            .unwrap_or(self.limit);
        if let Some(result) = self.layered(head) {
            return result;
        }
        match first {
            '{' | '[' | '｛' | '［' if !self.is_label(head) => {
                self.run_from(plain)?;
                self.tail(Candidate {
                    start: head,
                    end: self.at,
                    limit: self.limit,
                })
            }
            '(' => {
                let probe = self.probe(head, self.limit, self.rules);
                match probe {
                    // Cut off, parentheses round a container are taken for those of a program.
                    Ok(candidate)
                        if !self.opens_container(head) || self.bytes[candidate.end - 1] == b')' =>
                    {
                        self.trivia()?;
                        if self.at < head || !self.take_over(candidate) {
                            self.run(Step::Value)?;
                        }
                        self.tail(Candidate {
                            start: head,
                            end: self.at,
                            limit: self.limit,
                        })
                    }
                    Ok(_) => self.extract(head, None),
                    // A value inside a broken tuple is not the whole.
                    Err(refusal)
                        if !self.opens_container(head) && self.parenthesis_holds_value(head) =>
                    {
                        Err(refusal)
                    }
                    Err(refusal) => self.extract(head, Some(refusal)),
                }
            }
            _ if self.quote_at(head).is_some() && !self.is_fence(head) => self.quoted_head(head),
            _ if self.half_quoted_head(head) || self.bare_members(head) => {
                self.need(
                    Rule::MissingOpener,
                    head,
                    self.token_end(head),
                    Expected::Value,
                )?;
                self.headless_members(head)
            }
            _ => self.scalar_or_prose(head),
        }
    }

    /// `city: "Pau", opts: {"x": 1}}`: a member and the name of the next one, bare, and all of the text reads as an object
    /// that lost its brace. As prose it would lose the first members.
    fn bare_members(&mut self, head: usize) -> bool {
        let colon = self.peek(head + super::ahead::name_len(self.rest(head)));
        if colon == head || self.byte(colon) != Some(b':') {
            return false;
        }
        let value = self.peek(colon + 1);
        let end = match self.byte(value) {
            Some(b'"') => self.string_end(value),
            Some(b'0'..=b'9' | b'-' | b't' | b'f' | b'n') => Some(self.token_end(value)),
            _ => None,
        };
        let comma = end.map_or(self.limit, |end| self.peek(end));
        if self.byte(comma) != Some(b',') || !self.name_ahead(comma + 1) {
            return false;
        }
        let mut probe = Scanner::new(
            self.text,
            RuleSet::up_to(Level::Guess).without(Rule::BareValue),
        );
        (probe.at, probe.limit, probe.fuel) = (head, self.limit, self.fuel);
        probe.stack.push(Frame::Object);
        probe.set_mark();
        let whole = probe.run(Step::Name).is_ok() && self.is_only(probe.at);
        self.fuel = probe.fuel.saturating_sub(probe.at.max(head) - head);
        whole
    }

    /// Whether a bracket stands behind the parenthesis at `at`.
    fn opens_container(&self, at: usize) -> bool {
        matches!(self.byte(self.peek(at + 1)), Some(b'{' | b'['))
    }

    /// Whether a bracket stands between the parenthesis at `at` and its own.
    fn parenthesis_holds_value(&mut self, at: usize) -> bool {
        let (mut depth, mut place) = (0usize, at);
        while let Some(byte) = self.byte(place) {
            match byte {
                b'"' => {
                    if let Some(end) = self.string_end(place) {
                        place = end;
                        continue;
                    }
                }
                b'(' => depth += 1,
                b')' => {
                    depth -= 1;
                    if depth == 0 {
                        return false;
                    }
                }
                b'{' | b'[' => return true,
                _ => {}
            }
            place += 1;
        }
        false
    }

    /// Nothing but white space.
    fn empty(&mut self) -> Scan<()> {
        let takes_nothing = self.tool.is_some_and(|tool| {
            tool.schema
                .as_ref()
                .is_some_and(|schema| schema.requires_nothing())
        });
        if !takes_nothing {
            return Err(self.refuse(0, 0, Expected::Value, Why::NoJson));
        }
        self.need(Rule::EmptyArguments, 0, 0, Expected::Value)?;
        self.edit(Rule::EmptyArguments, 0, self.limit, "{}");
        Ok(())
    }

    /// The text begins with a quote: a string, a document in quotes, or members without their brace.
    fn quoted_head(&mut self, head: usize) -> Scan<()> {
        if let Some(result) = self.quoted_document(head) {
            return result;
        }
        let probe = self.probe(head, self.limit, self.rules);
        let end = match probe {
            Ok(candidate) => candidate.end,
            // With that rule on it is a string, so what stands inside is no value.
            Err(refusal) if is_cut(&refusal) => return Err(refusal),
            Err(refusal) => return self.extract(head, Some(refusal)),
        };
        let next = self.peek(end);
        match self.character(next) {
            Some(':' | '：') => {
                self.need(
                    Rule::MissingOpener,
                    head,
                    self.token_end(head),
                    Expected::End,
                )?;
                self.headless_members(head)
            }
            None => {
                self.run(Step::Value)?;
                self.tail(Candidate {
                    start: head,
                    end: self.at,
                    limit: self.limit,
                })
            }
            Some(',') if self.byte(self.peek(next + 1)).is_none() => {
                self.run(Step::Value)?;
                self.tail(Candidate {
                    start: head,
                    end: self.at,
                    limit: self.limit,
                })
            }
            Some(';') => {
                self.run(Step::Value)?;
                self.tail(Candidate {
                    start: head,
                    end: self.at,
                    limit: self.limit,
                })
            }
            Some(_) => {
                let refusal = self.refuse(next, self.token_end(next), Expected::End, Why::Syntax);
                self.extract(head, Some(refusal))
            }
        }
    }

    /// `'{"a": 1}'`: quotes that are not JSON round a whole object or array; the second one may be lost.
    fn quoted_document(&mut self, head: usize) -> Option<Scan<()>> {
        let quotes = self.quote_at(head)?;
        let triple = [b"\"\"\"", b"'''"]
            .iter()
            .any(|quote| self.bytes[head..self.limit].starts_with(*quote));
        let open = if triple { 3 } else { quotes.open.len_utf8() };
        if quotes.rule.is_none() && !triple {
            return None;
        }
        let text = self.rest(head).trim_end();
        let text = text.strip_suffix(';').map_or(text, str::trim_end);
        let close = if triple {
            text.ends_with(&self.text[head..head + 3]).then_some(3)?
        } else {
            let close = quotes.close.iter().find(|close| text.ends_with(**close));
            close.map_or(0, |close| close.len_utf8())
        };
        let inner_end = head + text.len().checked_sub(close).filter(|end| *end > open)?;
        let inner = self.text[head + open..inner_end].trim();
        // The name of the language may stand behind the opening quotes, as in a fence.
        let named = inner
            .strip_prefix("json")
            .map(str::trim_start)
            .filter(|rest| triple && rest.starts_with(['{', '[']));
        let open = match named {
            Some(rest) => self.text[..inner_end].trim_end().len() - rest.len() - head,
            None => open,
        };
        let inner = named.unwrap_or(inner);
        let start = self.peek(head + open);
        // A reply that was cut off lost more than its second quote.
        let cut =
            close == 0 && self.byte(start) == Some(b'{') && self.name_ahead(self.peek(start + 1));
        if !inner.starts_with(['{', '[']) || !inner.ends_with(['}', ']']) && !cut {
            return None;
        }
        // A text of brackets that do not even match is a string.
        let all = RuleSet::up_to(Level::Guess)
            .without(Rule::MismatchedCloser)
            .without(Rule::SurplusCloserInside)
            .without(Rule::EarlyClose);
        let found = self.probe(start, inner_end, all).ok()?;
        if self.peek(found.end) < inner_end && !self.text[found.end..inner_end].trim().is_empty() {
            return None;
        }
        Some(self.take_quoted(head, open, start, inner_end, close))
    }

    fn take_quoted(
        &mut self,
        head: usize,
        open: usize,
        start: usize,
        inner_end: usize,
        close: usize,
    ) -> Scan<()> {
        let limit = self.text.len();
        self.trivia()?;
        // Where a schema wants an object it is no string that was meant.
        let rule = match self.schema_wants_object() && self.byte(start) == Some(b'{') && close > 0 {
            true => Rule::StringifiedValue,
            false => Rule::QuotedDocument,
        };
        self.need(rule, head, head + open, Expected::Value)?;
        let fix = self.edit(rule, head, head + open, "");
        (self.at, self.limit) = (head + open, inner_end);
        let read = self
            .trivia()
            .and_then(|()| self.run(Step::Value))
            .and_then(|()| self.trivia());
        self.limit = limit;
        read?;
        if close > 0 {
            self.edit_as(fix, rule, inner_end, inner_end + close, "");
        }
        self.at = inner_end + close;
        self.good = self.at;
        self.outside(self.at, limit, Side::After, None)
    }

    /// `code": "uptime"}`: a name that lost its opening quote, and its object the brace.
    fn half_quoted_head(&self, head: usize) -> bool {
        let rest = self.rest(head);
        let word = super::ahead::name_len(rest);
        word > 0
            && rest[word..]
                .strip_prefix('"')
                .is_some_and(|rest| rest.trim_start().starts_with(':'))
    }

    /// Members without their opening brace.
    fn headless_members(&mut self, head: usize) -> Scan<()> {
        self.trivia()?;
        self.headless = Some(self.edit(Rule::MissingOpener, head, head, "{"));
        self.stack.push(Frame::Object);
        self.set_mark();
        self.run(Step::Name)?;
        self.tail(Candidate {
            start: head,
            end: self.at,
            limit: self.limit,
        })
    }

    /// A scalar alone, or text in which a value has to be found.
    fn scalar_or_prose(&mut self, head: usize) -> Scan<()> {
        let probe = self.probe(head, self.limit, self.rules);
        if let Ok(found) = &probe
            && self.is_only(found.end)
        {
            self.run(Step::Value)?;
            return self.tail(Candidate {
                start: head,
                end: self.at,
                limit: self.limit,
            });
        }
        if self.byte(head) == Some(b':') {
            return Err(self.refuse(head, head + 1, Expected::Value, Why::NoJson));
        }
        let probe = match probe {
            Err(refusal) if is_cut(&refusal) => return Err(refusal),
            probe => probe,
        };
        let scalar = probe.err().filter(|refusal| {
            matches!(refusal.why, Why::RuleOff(_)) && refusal.at as usize == head
        });
        let whole_word = self.byte(self.peek(self.token_end(head))).is_none();
        self.extract(head, scalar.filter(|_| whole_word))
    }

    /// Whether nothing but trivia, a comma or a semicolon follows.
    fn is_only(&self, end: usize) -> bool {
        let next = self.peek(end);
        match self.byte(next) {
            None => true,
            Some(b';' | b',') => self.byte(self.peek(next + 1)).is_none(),
            Some(_) => false,
        }
    }
}

/// Whether the text would be a value that is cut off.
fn is_cut(refusal: &Refusal) -> bool {
    refusal.why == Why::RuleOff(Rule::CutOff)
}

/// A NUL beside every ASCII byte: UTF-16 that was read as UTF-8. Gives the first NUL.
fn looks_like_utf16(bytes: &[u8]) -> Option<usize> {
    let head = &bytes[..bytes.len().min(64)];
    if head.len() < 4 {
        return None;
    }
    let all = |odd: usize| {
        head.chunks_exact(2)
            .all(|pair| pair[odd] == 0 && pair[1 - odd] != 0)
    };
    if all(1) {
        Some(1)
    } else if all(0) {
        Some(0)
    } else {
        None
    }
}

/// Which side of the value a stretch of text is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Before,
    After,
}
