//! The one value that is kept, and what may stand before and behind it.

use super::around::tag_len;
use super::candidates::Candidate;
use super::outside::Side;
use super::*;

/// Words between two operands in programming languages.
const OPERATORS: [&str; 5] = ["or", "and", "in", "is", "instanceof"];

/// Words before an operand that make another value of it.
const UNARY: [&str; 4] = ["not", "typeof", "void", "delete"];

impl Scanner<'_> {
    /// Keeps `found` and takes off all the rest.
    pub(super) fn take(&mut self, found: Candidate) -> Scan<()> {
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
    pub(super) fn take_value(&mut self, found: Candidate) -> Scan<()> {
        if self.take_over(found) {
            return Ok(());
        }
        let limit = std::mem::replace(&mut self.limit, found.limit);
        self.at = found.start;
        self.good = found.start;
        let read = self.run(Step::Value);
        self.limit = limit;
        read
    }

    /// Takes the value of `found` over from the probe that has read it, if that is the last one.
    pub(super) fn take_over(&mut self, found: Candidate) -> bool {
        let probed = self.probed.take().filter(|probed| {
            (probed.start, probed.end, probed.limit) == (found.start, found.end, found.limit)
        });
        let Some(probed) = probed else {
            return false;
        };
        self.edits = probed.edits.behind(&self.edits);
        (self.at, self.good, self.last) = (probed.end, probed.good, probed.last);
        self.was_cut = probed.was_cut;
        true
    }

    pub(super) fn start_over(&mut self) {
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
    pub(super) fn quotes_around(&self, found: Candidate) -> bool {
        let before = self.text[..found.start].chars().next_back();
        let after = self.text[found.end..].chars().next();
        before == after && matches!(before, Some('\'' | '"'))
    }

    /// Text before a bracket that shows that the bracket is not where the value begins.
    pub(super) fn refuse_lost_head(&self, start: usize) -> Scan<()> {
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
        // `"a: {"b": 1}}`: a name that lost its closing quote.
        let quoted_name = quoted_name
            || before
                .strip_prefix(['"', '\''])
                .and_then(|name| name.strip_suffix(':'))
                .is_some_and(|name| super::ahead::name_len(name) == name.len());
        let last = before.rsplit(char::is_whitespace).next().unwrap_or("");
        let code = before.starts_with("return ") || before.contains("= ");
        let negated = before == "!" || code && (UNARY.contains(&last) || last == "!");
        if before.starts_with(':') || listed || quoted_name || negated {
            let at = self.peek(0);
            return Err(self.refuse(at, self.token_end(at), Expected::Value, Why::Syntax));
        }
        Ok(())
    }

    /// `{x, {"a": 1}}`: a bracket in the text before the value is closed behind it, so the value is a part.
    pub(super) fn refuse_enclosed(&mut self, found: Candidate) -> Scan<()> {
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
    pub(super) fn tail(&mut self, first: Candidate) -> Scan<()> {
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
        match around {
            None => self.refuse_incidental(first.start, end)?,
            Some(_) => self.refuse_statement(end)?,
        }
        self.outside(end, self.limit, Side::After, around)
            .map_err(|refusal| beside(refusal, first))
    }

    /// `{"a": 1}, "b": 2}`: members go on behind the value.
    pub(super) fn refuse_early_close(&mut self, next: usize) -> Scan<()> {
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
            // `{"a": 1}b": 2}`
            Some(_) if at == next && self.half_quoted_name_at(at) => true,
            Some(b'"') => {
                // A lone quote at the end begins nothing, and ends no string that holds such quotes itself.
                let lone = self.byte(self.peek(at + 1)).is_none() && self.text[..at].contains('"');
                !lone || self.name_ahead(at)
            }
            Some(_) if self.quote_at(at).is_some() => self.name_ahead(at),
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
    pub(super) fn refuse_expression(&self, end: usize) -> Scan<()> {
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
        let operation = operand.is_some_and(is_operand) && !table;
        if member || operation {
            let at = self.peek(end);
            return Err(self.refuse(at, self.token_end(at), Expected::End, Why::Code));
        }
        Ok(())
    }

    /// `x = {"a": 1} if y else z`, `const a = {}; const b = 1;`: program code goes on behind the value that it carries.
    fn refuse_statement(&self, end: usize) -> Scan<()> {
        let line = &self.text[end..self.line_end(end).max(end)];
        let rest = line.trim_start_matches([' ', '\t', ')']);
        let at = end + line.len() - rest.len();
        self.refuse_expression(at)?;
        let operation = rest
            .split_once(' ')
            .is_some_and(|(word, operand)| OPERATORS.contains(&word) && is_operand(operand));
        let second = rest.strip_prefix(';').is_some_and(|next| {
            let next = next.trim_start();
            !next.is_empty() && !next.starts_with(['/', '#', '`', '<', ';'])
        });
        if operation || second || self.code_follows(at) {
            return Err(self.refuse(at, self.token_end(at), Expected::End, Why::Code));
        }
        Ok(())
    }

    /// `{"a": 1}, as you wanted`: the comma at `at` is one of the sentence around the value, and no closer follows.
    pub(super) fn sentence_goes_on(&mut self, at: usize) -> bool {
        let rest = self.rest(at + 1);
        let words = rest.trim_start_matches(' ');
        let letters = |text: &str| {
            let end = text.find(|c: char| !c.is_alphabetic());
            end.unwrap_or(text.len())
        };
        let mut end = letters(words);
        // `don't`
        if let Some(more) = words[end..].strip_prefix(['\'', '’'])
            && end > 0
            && letters(more) > 0
        {
            end = words.len() - more.len() + letters(more);
        }
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
}

/// A scalar beside the value is a candidate as the value is.
pub(super) fn beside(mut refusal: Box<Refusal>, value: Candidate) -> Box<Refusal> {
    if refusal.why == Why::SeveralValues && refusal.candidates.is_empty() {
        refusal.candidates = vec![value.span(), refusal.found];
        refusal.candidates.sort();
    }
    refusal
}

/// Whether one operand stands between an operator and the end of the line: more words are a sentence.
fn is_operand(text: &str) -> bool {
    let operand = text.trim();
    operand.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '('))
        && !operand.contains(char::is_whitespace)
}

/// `1, "a", None,`: what stands before a container in a tuple.
pub(super) fn is_list_of_scalars(text: &str) -> bool {
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
pub(super) fn ends_in_label(text: &str) -> bool {
    text.strip_suffix(']')
        .and_then(|inner| inner.rsplit_once('['))
        .is_some_and(|(_, word)| {
            word.starts_with(char::is_alphabetic)
                && word.chars().all(|c| c.is_alphanumeric() || c == ' ')
        })
}
