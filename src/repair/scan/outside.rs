//! The whole text: finding the value in it, and what may stand around.

use super::around::tag_len;
use super::*;

/// One value found in a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) start: usize,
    pub(super) end: usize,
    /// Where the text counts as ended for it: before the closing fence of a cut reply.
    limit: usize,
}

impl Candidate {
    fn span(self) -> Span {
        Span::new(self.start as u32, self.end as u32)
    }
}

/// What several values come to.
enum Several {
    Keep(Candidate, Rule),
    Lines,
}

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
                match not_an_object(self.text, &self.edits) {
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
        self.limit = self.before_closing_tags();
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
                        self.run(Step::Value)?;
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
            _ if self.half_quoted_head(head) => {
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

    // ---- heads

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

    /// `'{"a": 1}'`: quotes that are not JSON round a whole object or array.
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
            quotes
                .close
                .iter()
                .find(|close| text.ends_with(**close))?
                .len_utf8()
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
        if !inner.starts_with(['{', '['])
            || !inner.ends_with(['}', ']'])
            || triple && !text.ends_with(&self.text[head..head + 3])
        {
            return None;
        }
        let start = self.peek(head + open);
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
        self.need(Rule::QuotedDocument, head, head + open, Expected::Value)?;
        let fix = self.edit(Rule::QuotedDocument, head, head + open, "");
        (self.at, self.limit) = (start, inner_end);
        let read = self.run(Step::Value).and_then(|()| self.trivia());
        self.limit = limit;
        read?;
        self.edit_as(fix, Rule::QuotedDocument, inner_end, inner_end + close, "");
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

    // ---- candidates

    /// Reads a value at `start` on the side. Gives its extent.
    pub(super) fn probe(&mut self, start: usize, limit: usize, rules: RuleSet) -> Scan<Candidate> {
        let mut probe = Scanner::new(self.text, rules);
        (probe.at, probe.limit, probe.fuel) = (start, limit, self.fuel);
        let result = probe.run(Step::Value);
        let end = probe.at;
        self.fuel = probe.fuel.saturating_sub(end.max(start) - start);
        result?;
        if rules == self.rules {
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
    fn extract(&mut self, head: usize, otherwise: Option<Box<Refusal>>) -> Scan<()> {
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
    fn candidates(&mut self, from: usize, rules: RuleSet) -> Scan<Vec<Candidate>> {
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
    fn is_no_value(&self, at: usize) -> bool {
        let rest = self.rest(at);
        let before = &self.text[..at];
        let task =
            rest.starts_with("[ ] ") && before.trim_end_matches(' ').ends_with(['-', '*', '+']);
        let body = rest[1..].trim_start().starts_with('}') && before.trim_end().ends_with(')');
        let data = before.ends_with("<![CDATA");
        task || body || data
    }

    /// `"["`, `'{'`, `"W, ["`: a bracket directly before the quote that ends a quotation of its line.
    fn is_quoted_bracket(&self, at: usize) -> bool {
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
    fn bracket_end(&mut self, at: usize) -> usize {
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
    fn bracketed(&mut self, at: usize, rules: RuleSet, found: &mut Vec<Candidate>) -> Scan<usize> {
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
    fn holds_value(&mut self, from: usize, to: usize) -> bool {
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
    fn looks_like_json(&mut self, at: usize) -> (bool, bool) {
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
    fn fenced(&mut self, at: usize, rules: RuleSet, found: &mut Vec<Candidate>) -> Scan<usize> {
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
    fn is_one_word(&self, content: usize, len: usize) -> bool {
        let behind = self.rest(self.token_end(content)).trim_start();
        behind.is_empty()
            || behind.starts_with(&"`".repeat(len))
            || behind.starts_with(&"~".repeat(len))
    }

    /// Where the content of a fence begins; in a quoted block its line has a quote mark too.
    fn behind_quote_mark(&self, at: usize, content: usize) -> usize {
        let quoted = self.text[..at].trim_end_matches(' ').ends_with('>');
        let next = self.peek(content);
        if quoted && self.byte(next) == Some(b'>') {
            self.peek(next + 1)
        } else {
            next
        }
    }

    /// Behind the fence that closes the block of a value which ends at `end`; `end` where there is none.
    fn behind_closing_fence(&self, end: usize) -> usize {
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
    fn fence_follows(&self, end: usize) -> bool {
        let rest = self
            .rest(end)
            .trim_start_matches([' ', '\n', '\r', '\t', '>', ';']);
        rest.is_empty() || rest.starts_with("```") || rest.starts_with("~~~")
    }

    // ---- one value and what stands around it

    /// Keeps `found` and takes off all the rest.
    fn take(&mut self, found: Candidate) -> Scan<()> {
        self.start_over();
        let around = self.code_around(found)?;
        let quoted = self.quotes_around(found);
        if quoted {
            self.need(
                Rule::QuotedDocument,
                found.start - 1,
                found.start,
                Expected::Value,
            )?;
        }
        if around.is_none() {
            self.refuse_lost_head(found.start)?;
            self.refuse_enclosed(found)?;
            self.refuse_argument(found.start)?;
            self.refuse_in_command(found.start, found.end)?;
        }
        if !quoted {
            self.outside(0, found.start, Side::Before, around)
                .map_err(|refusal| beside(refusal, found))?;
            self.take_value(found)?;
            return self.tail(Candidate {
                end: self.at,
                ..found
            });
        }
        self.outside(0, found.start - 1, Side::Before, around)?;
        let fix = self.edit(Rule::QuotedDocument, found.start - 1, found.start, "");
        self.take_value(found)?;
        let end = self.at + 1;
        self.edit_as(fix, Rule::QuotedDocument, end - 1, end, "");
        self.tail(Candidate { end, ..found })
    }

    /// Reads the value of `found` into the edit list.
    fn take_value(&mut self, found: Candidate) -> Scan<()> {
        let probed = self.probed.take().filter(|probed| {
            (probed.start, probed.end, probed.limit) == (found.start, found.end, found.limit)
        });
        if let Some(probed) = probed {
            self.edits = probed.edits.behind(&self.edits);
            (self.at, self.good, self.last) = (probed.end, probed.good, probed.last);
            self.was_cut = probed.was_cut;
            return Ok(());
        }
        let limit = std::mem::replace(&mut self.limit, found.limit);
        self.at = found.start;
        self.good = found.start;
        let read = self.run(Step::Value);
        self.limit = limit;
        read
    }

    fn start_over(&mut self) {
        let fuel = self.fuel;
        let (tool, limit) = (self.tool, self.text.len());
        let probed = self.probed.take();
        *self = Scanner {
            fuel,
            tool,
            limit,
            probed,
            ..Scanner::new(self.text, self.rules)
        };
    }

    /// `'{"a": 1}'` inside prose.
    fn quotes_around(&self, found: Candidate) -> bool {
        let before = self.text[..found.start].chars().next_back();
        let after = self.text[found.end..].chars().next();
        before == after && matches!(before, Some('\'' | '"'))
    }

    /// Text before a bracket that shows that the bracket is not where the value begins.
    fn refuse_lost_head(&self, start: usize) -> Scan<()> {
        let before = self.text[..start].trim();
        let listed = before.strip_suffix(',').is_some_and(|list| {
            let value = list.trim_end();
            let one_word = !value.contains(char::is_whitespace);
            let ends = value.ends_with(['"', '\'', '”', '}', ']']) && !ends_in_label(value);
            let tuple = list
                .rfind('(')
                .is_some_and(|open| is_list_of_scalars(&list[open + 1..]));
            ends || tuple || one_word && !value.ends_with(char::is_alphabetic)
        });
        let quoted_name = before
            .strip_suffix(':')
            .is_some_and(|name| name.trim_end().ends_with(['"', '\'', '”']));
        let negated = before.ends_with('!') && before.len() == 1;
        if before.starts_with(':') || listed || quoted_name || negated {
            let at = self.peek(0);
            return Err(self.refuse(at, self.token_end(at), Expected::Value, Why::Syntax));
        }
        Ok(())
    }

    /// `{x, {"a": 1}}`: a bracket in the text before the value is closed behind it, so the value is a part.
    fn refuse_enclosed(&mut self, found: Candidate) -> Scan<()> {
        let mut open = Vec::new();
        let mut behind_tag = 0;
        for (at, byte) in self.bytes[..found.start].iter().enumerate() {
            match byte {
                _ if at < behind_tag => {}
                b'<' => behind_tag = at + tag_len(&self.text[at..]).unwrap_or(0),
                b'{' | b'[' if !self.is_no_value(at) && !self.is_quoted_bracket(at) => {
                    open.push(at)
                }
                b'}' | b']' => {
                    open.pop();
                }
                _ => {}
            }
        }
        let Some(outer) = open.last().copied() else {
            return Ok(());
        };
        let closer = if self.bytes[outer] == b'{' { '}' } else { ']' };
        if self.text[found.end..].contains(closer) {
            return Err(self.refuse(outer, outer + 1, Expected::Value, Why::Syntax));
        }
        Ok(())
    }

    /// Behind the value: nothing, more values, or what is taken off.
    fn tail(&mut self, first: Candidate) -> Scan<()> {
        let end = first.end;
        if self.was_cut && end == self.text.len() {
            return Ok(());
        }
        self.limit = self.text.len();
        let next = self.peek(end);
        if self.byte(next).is_none() {
            self.at = end;
            return self.trivia();
        }
        self.refuse_early_close(next)?;
        self.refuse_expression(end)?;
        let mut found = vec![first];
        found.append(&mut self.candidates(self.behind_closing_fence(end), self.rules)?);
        if found.len() > 1 {
            return self.several(&found);
        }
        let around = self.open_around;
        if around.is_none() {
            self.refuse_incidental(first.start, end)?;
        }
        self.outside(end, self.limit, Side::After, around)
            .map_err(|refusal| beside(refusal, first))
    }

    /// `{"a": 1}, "b": 2}`: members go on behind the value.
    fn refuse_early_close(&mut self, next: usize) -> Scan<()> {
        let mut at = next;
        while let Some(b'}' | b']' | b')') = self.byte(at) {
            at = self.peek(at + 1);
        }
        let comma = matches!(self.byte(at), Some(b','));
        let behind = if comma { self.peek(at + 1) } else { at };
        let goes_on = match self.byte(at) {
            Some(b',') => {
                self.byte(behind).is_some()
                    && (self.name_ahead(behind)
                        || !matches!(self.byte(behind), Some(b'{' | b'[' | b')')))
                    && !self.is_fence(behind)
                    && !self.sentence_goes_on(at)
            }
            Some(b':') => true,
            Some(_) if self.quote_at(at).is_some() => {
                self.name_ahead(at) || self.byte(at) == Some(b'"')
            }
            _ => false,
        };
        if !goes_on {
            return Ok(());
        }
        let member = comma && self.name_ahead(behind) && !self.rules.has(Rule::EarlyClose);
        let why = if member {
            Why::RuleOff(Rule::EarlyClose)
        } else {
            Why::Syntax
        };
        Err(self.refuse(at, self.token_end(at), Expected::End, why))
    }

    /// `[1, 2].length`, `{"a": 1} | x`: the value is a part of program code.
    fn refuse_expression(&self, end: usize) -> Scan<()> {
        let rest = self.rest(end);
        let member = rest
            .strip_prefix('.')
            .is_some_and(|name| name.starts_with(|c: char| c.is_alphabetic() || c == '_'));
        let line = &self.text[end..self.line_end(end).max(end)];
        let sign = line.trim_start_matches(' ');
        let operand = sign
            .strip_prefix("==")
            .or_else(|| sign.strip_prefix("||"))
            .or_else(|| sign.strip_prefix("&&"))
            .or_else(|| sign.strip_prefix(['+', '*', '%', '|', '&', '?']));
        let table = {
            let start = memchr::memrchr(b'\n', &self.bytes[..end]).map_or(0, |lf| lf + 1);
            self.text[start..end].trim_start().starts_with('|')
        };
        // One operand and the end of the line: more words are a sentence.
        let operation = operand.is_some_and(|operand| {
            let operand = operand.trim();
            !operand.is_empty()
                && operand
                    .starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '('))
                && !operand.contains(char::is_whitespace)
        }) && !table;
        if member || operation {
            let at = self.peek(end);
            return Err(self.refuse(at, self.token_end(at), Expected::End, Why::Code));
        }
        Ok(())
    }

    /// `{"a": 1}, as you wanted`: the comma at `at` is one of the sentence around the value, and no closer follows.
    fn sentence_goes_on(&mut self, at: usize) -> bool {
        let rest = self.rest(at + 1);
        let words = rest.trim_start_matches(' ');
        let end = words
            .find(|c: char| !c.is_alphabetic())
            .unwrap_or(words.len());
        let word = &words[..end];
        let literal = matches!(
            word,
            "true" | "false" | "null" | "True" | "False" | "None" | "NaN" | "undefined"
        );
        let behind = at + 1 + rest.len() - words.len();
        words.len() < rest.len()
            && end > 0
            && !literal
            && words[end..].starts_with([' ', '.', ',', '!', '\n'])
            && !self.name_ahead(behind)
            && !words.contains(['}', ']', '"'])
    }

    // ---- several values

    fn several(&mut self, found: &[Candidate]) -> Scan<()> {
        let second = found[1];
        let choice = self.choose(found);
        let refused = |why| {
            let mut refusal = self.refuse(
                second.start,
                self.token_end(second.start),
                Expected::End,
                why,
            );
            refusal.candidates = found.iter().map(|candidate| candidate.span()).collect();
            refusal
        };
        let rule = match &choice {
            None => return Err(refused(Why::SeveralValues)),
            Some(Several::Keep(_, rule)) => *rule,
            Some(Several::Lines) => Rule::JsonLines,
        };
        if !self.rules.has(rule) {
            let why = if rule.level() == Level::Guess && !self.rules.is_empty()
                || rule != Rule::JsonLines
            {
                Why::RuleOff(rule)
            } else {
                Why::SeveralValues
            };
            return Err(refused(why));
        }
        match choice {
            Some(Several::Keep(kept, rule)) => self.keep(found, kept, rule),
            _ => self.lines(found),
        }
    }

    /// What several values come to, by the order of the policy; `None`: the user has to say.
    fn choose(&mut self, found: &[Candidate]) -> Option<Several> {
        let last = found[found.len() - 1];
        let is_empty = |candidate: &Candidate| {
            self.text[candidate.start..candidate.end].replace([' ', '\n'], "") == "{}"
        };
        let chunks = found[..found.len() - 1].iter().all(is_empty)
            && self.bytes[last.start] == b'{'
            && found
                .windows(2)
                .all(|pair| self.text[pair[0].end..pair[1].start].trim().is_empty());
        if chunks && !is_empty(&last) {
            return Some(Several::Keep(last, Rule::EmptyFirstChunk));
        }
        let texts: Option<Vec<String>> = found
            .iter()
            .map(|candidate| self.compact(*candidate))
            .collect();
        let texts = texts?;
        if texts.windows(2).all(|pair| pair[0] == pair[1]) {
            return Some(Several::Keep(found[0], Rule::RepeatedValue));
        }
        let tool = self
            .tool
            .filter(|tool| tool.wants_object() || tool.schema.is_some());
        if let Some(tool) = tool {
            let fits = |text: &String| match &tool.schema {
                Some(schema) => schema.fits(text),
                None => text.starts_with('{'),
            };
            let fitting: Vec<usize> = (0..found.len())
                .filter(|index| fits(&texts[*index]))
                .collect();
            return match fitting[..] {
                [only] => Some(Several::Keep(found[only], Rule::SchemaCandidate)),
                _ => None,
            };
        }
        self.is_json_lines(found).then_some(Several::Lines)
    }

    /// The value of a candidate after its own repair, without white space; `None` where it is not to be had.
    fn compact(&mut self, found: Candidate) -> Option<String> {
        let mut part = Scanner::new(self.text, self.rules);
        part.fuel = self.fuel;
        part.take_value(found).ok()?;
        self.fuel = part.fuel.saturating_sub(found.end - found.start);
        let edits = &part.edits;
        let mut text = String::new();
        let mut quoted = false;
        let mut escaped = false;
        for piece in edits.pieces(self.text, |_| true) {
            let (from, stretch) = match piece {
                Piece::Kept(span, stretch) => (span.start as usize, stretch),
                Piece::New(edit) => {
                    push_token_text(&mut text, edit.after, &mut quoted, &mut escaped);
                    continue;
                }
            };
            let start = found.start.max(from) - from;
            let end = found.end.min(from + stretch.len()).max(from) - from;
            if start < end {
                push_token_text(&mut text, &stretch[start..end], &mut quoted, &mut escaped);
            }
        }
        Some(text)
    }

    /// One value a line and nothing else.
    fn is_json_lines(&self, found: &[Candidate]) -> bool {
        let separator = |text: &str| {
            let rest = text.replace('\u{1e}', "");
            let rest = rest.trim().trim_start_matches(',').trim();
            text.contains('\n')
                && (rest.is_empty()
                    || rest.starts_with("//")
                    || rest.starts_with("/*") && rest.ends_with("*/"))
        };
        let head = self.text[..found[0].start]
            .trim_matches(|c: char| c.is_whitespace() || c == '\u{1e}' || c == '\u{feff}');
        let tail = self.text[found[found.len() - 1].end..]
            .trim_matches(|c: char| c.is_whitespace() || c == '\u{1e}');
        found
            .windows(2)
            .all(|pair| separator(&self.text[pair[0].end..pair[1].start]))
            && (head.is_empty() || head.starts_with("/*") && head.ends_with("*/"))
            && tail.is_empty()
    }

    /// Keeps one of several values; what stands between and the others go with the rule that chose.
    fn keep(&mut self, found: &[Candidate], kept: Candidate, rule: Rule) -> Scan<()> {
        self.start_over();
        let index = found
            .iter()
            .position(|candidate| candidate.start == kept.start)
            .unwrap_or(0);
        let fix = self.edits.next_fix();
        if index > 0 {
            self.outside(0, found[0].start, Side::Before, None)?;
            self.edit_as(fix, rule, found[0].start, kept.start, "");
        } else {
            let around = self.code_around(kept)?;
            self.outside(0, kept.start, Side::Before, around)?;
        }
        self.take_value(kept)?;
        let mut end = self.at;
        if index + 1 < found.len() {
            let last = found[found.len() - 1].end;
            self.edit_as(fix, rule, end, last, "");
            end = last;
        }
        if end < self.text.len() {
            self.limit = self.text.len();
            self.outside(end, self.limit, Side::After, None)?;
        }
        Ok(())
    }

    /// An array of one value a line.
    fn lines(&mut self, found: &[Candidate]) -> Scan<()> {
        self.start_over();
        let fix = self.edits.next_fix();
        let mut end = 0;
        for (index, candidate) in found.iter().enumerate() {
            let between = &self.text[end..candidate.start];
            if between.trim_matches([' ', '\n', '\r', '\t']).is_empty() {
                self.edit_as(
                    fix,
                    Rule::JsonLines,
                    end,
                    end,
                    if index == 0 { "[" } else { "," },
                );
            } else {
                self.edit_as(
                    fix,
                    Rule::JsonLines,
                    end,
                    candidate.start,
                    if index == 0 { "[" } else { ",\n" },
                );
            }
            self.take_value(*candidate)?;
            end = self.at;
        }
        let tail = self.text[end..]
            .trim_end_matches([' ', '\n', '\r', '\t'])
            .len();
        self.edit_as(fix, Rule::JsonLines, end, end + tail, "]");
        self.at = self.limit;
        Ok(())
    }
}

/// A scalar beside the value is a candidate as the value is.
fn beside(mut refusal: Box<Refusal>, value: Candidate) -> Box<Refusal> {
    if refusal.why == Why::SeveralValues && refusal.candidates.is_empty() {
        refusal.candidates = vec![value.span(), refusal.found];
        refusal.candidates.sort();
    }
    refusal
}

/// Adds what counts of a stretch of JSON: everything but white space outside strings.
fn push_token_text(out: &mut String, text: &str, quoted: &mut bool, escaped: &mut bool) {
    for character in text.chars() {
        if *quoted {
            out.push(character);
            if *escaped {
                *escaped = false;
            } else if character == '\\' {
                *escaped = true;
            } else if character == '"' {
                *quoted = false;
            }
        } else if !matches!(character, ' ' | '\n' | '\r' | '\t') {
            *quoted = character == '"';
            out.push(character);
        }
    }
}

/// Whether a lossy rule would pass: then the text is a value with a loss, and no prose.
fn is_lossy(refusal: &Refusal) -> bool {
    refusal.needs() == Some(Level::Lossy)
}

/// Whether the text would be a value that is cut off.
fn is_cut(refusal: &Refusal) -> bool {
    refusal.why == Why::RuleOff(Rule::CutOff)
}

/// `1, "a", None,`: what stands before a container in a tuple.
fn is_list_of_scalars(text: &str) -> bool {
    let text = text.trim();
    let text = text.strip_suffix(',').unwrap_or(text);
    !text.is_empty()
        && text.split(',').all(|part| {
            let part = part.trim();
            let quoted = part.len() > 1
                && (part.starts_with('"') && part.ends_with('"')
                    || part.starts_with('\'') && part.ends_with('\''));
            let literal = ["true", "false", "null", "none"]
                .iter()
                .any(|word| part.eq_ignore_ascii_case(word));
            quoted || literal || part.parse::<f64>().is_ok()
        })
}

/// `Dear [Name]`: a text that ends in a bracketed word.
fn ends_in_label(text: &str) -> bool {
    text.strip_suffix(']')
        .and_then(|inner| inner.rsplit_once('['))
        .is_some_and(|(_, word)| {
            word.starts_with(char::is_alphabetic)
                && word.chars().all(|c| c.is_alphanumeric() || c == ' ')
        })
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
