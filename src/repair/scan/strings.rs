//! Strings: clean ones, those in other quotes, joined and triple-quoted ones.

use super::ahead::{Fit, Role};
use super::endings::Ending;
use super::escapes::{Escape, Kind, Survey, half_escape};
use super::find::special;
use super::quotes::Quotes;
use super::*;

/// A string up to its first unescaped double quote.
struct Skimmed {
    /// Where that quote stands.
    end: usize,
    /// Whether anything before it is not JSON.
    odd: bool,
    survey: Survey,
}

/// Where a string goes on in a further part.
struct Joint {
    /// One past the content of the part before.
    end: usize,
    /// The opening quote of the next part.
    open: usize,
    /// The rule that joins them.
    rule: Rule,
    /// The fix of the quotes so far.
    fix: Option<(FixId, Rule)>,
}

impl Quotes {
    /// The same quotes three times, as `ending` closes them.
    fn tripled(self, ending: Ending) -> Quotes {
        Quotes {
            rule: Some(ending.doubt.unwrap_or(Rule::TripleQuotes)),
            ..self
        }
    }
}

impl<'a> Scanner<'a> {
    /// Reads the string whose opening quote stands at the cursor.
    pub(super) fn string(&mut self, role: Role) -> Scan<()> {
        let start = self.at;
        let Some(skimmed) = self.skim(start + 1) else {
            return self.odd_string(role, false);
        };
        let after = skimmed.end + 1;
        let wanted = match role {
            Role::Name => Fit::Strong,
            _ => Fit::Weak,
        };
        let confirmed =
            self.rules.is_empty() || self.fit(after, role) >= wanted && !self.goes_on(after, role);
        let triple = skimmed.end == start + 1 && self.byte(after) == Some(b'"');
        if !confirmed || triple {
            return self.odd_string(role, false);
        }
        if skimmed.odd {
            let quotes = &super::quotes::DOUBLE;
            self.content(
                start + 1,
                Ending::clean(skimmed.end, 1),
                quotes,
                None,
                skimmed.survey.plan(),
            )?;
        }
        self.at = after;
        self.good = after;
        self.last = Last::Text;
        Ok(())
    }

    /// Finds the first unescaped double quote and counts what stands before it; `None` where there is no such quote.
    fn skim(&self, from: usize) -> Option<Skimmed> {
        let bytes = &self.bytes[..self.limit];
        let mut survey = Survey::default();
        let mut odd = false;
        let mut at = from;
        loop {
            at = special(bytes, at);
            match bytes.get(at)? {
                b'"' => {
                    return Some(Skimmed {
                        end: at,
                        odd,
                        survey,
                    });
                }
                b'\\' => match bytes.get(at + 1)? {
                    b'"' | b'\\' | b'/' => at += 2,
                    b'b' | b'f' | b'n' | b'r' | b't' => {
                        survey.known += 1;
                        at += 2;
                    }
                    _ => {
                        let escape = Escape::read(self.text, at, self.limit, '"');
                        odd |= escape.kind != Kind::Unicode;
                        survey.count(&escape);
                        at = escape.end.max(at + 1);
                    }
                },
                _ => {
                    odd = true;
                    at += 1;
                }
            }
        }
    }

    /// Whether the string goes on behind its closing quote: `+ "..."` or a second string that belongs to it.
    fn goes_on(&mut self, after: usize, role: Role) -> bool {
        let next = self.peek(after);
        match self.byte(next) {
            Some(b'+') => role != Role::Name && self.quote_at(self.peek(next + 1)).is_some(),
            Some(_) if role == Role::Member && self.quote_at(next).is_some() => {
                !self.name_ahead(next)
            }
            _ => false,
        }
    }

    /// Any string but a clean one in double quotes. `raw`: backslashes mean nothing (`r'..'`).
    #[cold]
    pub(super) fn odd_string(&mut self, role: Role, raw: bool) -> Scan<()> {
        let start = self.at;
        let Some(quotes) = self.quote_at(start) else {
            return Err(self.refuse(start, self.token_end(start), Expected::Value, Why::Syntax));
        };
        if let Some(rule) = quotes.rule {
            self.need(
                rule,
                start,
                start + quotes.open.len_utf8(),
                if role == Role::Name {
                    Expected::Name
                } else {
                    Expected::Value
                },
            )?;
        }
        let triple = self.triple_ending(start, role);
        if let Some(ending) = triple.or_else(|| self.cut_triple(start, role)) {
            let parts = self.take_triple(start, quotes, ending, role, raw)?;
            return self.join(parts, role);
        }
        let open_len = quotes.open.len_utf8();
        let ending = self.ending(start, quotes, role)?;
        if let Some(rule) = ending.doubt {
            self.need_at_doubt(rule, start, quotes)?;
        }
        if role == Role::Name && ending.cut {
            self.at = self.limit;
            return self.cut_back().map(|_| ());
        }
        let fix = self.open_quote(start, open_len + ending.extra, quotes, ending.doubt);
        let from = start + open_len + ending.extra;
        let plan = self.plan(from, ending, quotes, raw);
        self.content(from, ending, quotes, fix, plan)?;
        let next = self.close_string(ending, quotes, fix, role)?;
        self.join(next, role)
    }

    /// A doubtful string under rules without that doubt: the refusal points behind the quote that cannot end it.
    fn need_at_doubt(&self, rule: Rule, start: usize, quotes: &Quotes) -> Scan<()> {
        let first = self.first_close(start + quotes.open.len_utf8(), quotes);
        let place = first.map_or(self.limit, |(at, len)| self.peek(at + len));
        self.need(rule, place, self.token_end(place), Expected::CommaOrCloser)
    }

    /// The edit that makes the opening quote a double quote; its fix is shared with the closing one.
    fn open_quote(
        &mut self,
        start: usize,
        len: usize,
        quotes: &Quotes,
        doubt: Option<Rule>,
    ) -> Option<(FixId, Rule)> {
        let rule = match (doubt, quotes.rule) {
            (Some(doubt), Some(rule)) if rule.level() < doubt.level() => doubt,
            (_, Some(rule)) => rule,
            (Some(doubt), None) if len > 1 => doubt,
            _ => return None,
        };
        let fix = self.edit(rule, start, start + len, "\"");
        Some((fix, rule))
    }

    /// The closing quote, or what comes in its place: a joined string, or the end of a cut text.
    fn close_string(
        &mut self,
        ending: Ending,
        quotes: &Quotes,
        fix: Option<(FixId, Rule)>,
        role: Role,
    ) -> Scan<Option<Joint>> {
        self.last = Last::Text;
        if ending.cut {
            self.at = self.limit;
            return self.cut(ending.at, "\"").map(|_| None);
        }
        let after = ending.at + ending.close;
        if let Some((open, rule)) = self.joined(after, role)? {
            return Ok(Some(Joint {
                end: ending.at,
                open,
                rule,
                fix,
            }));
        }
        let close = &self.text[ending.at..after];
        if close != "\"" {
            let (fix, rule) = match (fix, ending.doubt) {
                (Some(fix), _) => fix,
                (None, doubt) => (
                    self.edits.next_fix(),
                    doubt.or(quotes.rule).unwrap_or(Rule::MissingQuote),
                ),
            };
            self.edit_as(fix, rule, ending.at, after, "\"");
        }
        self.at = after;
        self.good = after;
        Ok(None)
    }

    /// Where the next part of a joined string begins, and the rule that joins it.
    fn joined(&mut self, after: usize, role: Role) -> Scan<Option<(usize, Rule)>> {
        if role == Role::Name {
            return Ok(None);
        }
        let next = self.peek(after);
        if self.byte(next) == Some(b'+') {
            let quote = self.peek(next + 1);
            if self.quote_at(quote).is_some() {
                self.need(Rule::Concatenation, next, next + 1, Expected::CommaOrCloser)?;
                return Ok(Some((quote, Rule::Concatenation)));
            }
            if self.byte(quote).is_some() && role != Role::Top {
                return Err(self.refuse(next, next + 1, Expected::CommaOrCloser, Why::Code));
            }
        }
        if role == Role::Member && self.quote_at(next).is_some() && !self.name_ahead(next) {
            self.need(
                Rule::AdjacentStrings,
                next,
                next + 1,
                Expected::CommaOrCloser,
            )?;
            return Ok(Some((next, Rule::AdjacentStrings)));
        }
        Ok(None)
    }

    /// Joins part after part: what stands between two contents goes.
    fn join(&mut self, first: Option<Joint>, role: Role) -> Scan<()> {
        let mut joint = first;
        while let Some(Joint {
            end,
            open,
            rule,
            fix,
        }) = joint
        {
            let Some(quotes) = self.quote_at(open) else {
                break;
            };
            let triple = self.triple_ending(open, role);
            let width = if triple.is_some() {
                3
            } else {
                quotes.open.len_utf8()
            };
            let quotes = &match triple {
                Some(ending) => quotes.tripled(ending),
                None => *quotes,
            };
            if let Some(rule) = quotes.rule {
                self.need(rule, open, open + width, Expected::Value)?;
            }
            let content = open + width;
            let ending = match triple {
                Some(ending) => ending,
                None => self.ending(open, quotes, role)?,
            };
            if let Some(rule) = ending.doubt {
                self.need_at_doubt(rule, open, quotes)?;
            }
            // A doubtful end may leave no other trace.
            let joined = ending.doubt.filter(|doubt| rule.level() < doubt.level());
            self.edit(joined.unwrap_or(rule), end, content + ending.extra, "");
            let fix = match (fix, ending.doubt.or(quotes.rule)) {
                (_, Some(rule)) if fix.is_none() || ending.doubt.is_some() => {
                    Some((self.edits.next_fix(), rule))
                }
                (fix, _) => fix,
            };
            let from = content + ending.extra;
            let plan = self.plan(from, ending, quotes, false);
            self.content(from, ending, quotes, fix, plan)?;
            joint = self.close_string(ending, quotes, fix, role)?;
        }
        Ok(())
    }

    /// The end of a triple-quoted string that opens at `start`; `None` where it is none.
    fn triple_ending(&mut self, start: usize, role: Role) -> Option<Ending> {
        let quote = *[b"\"\"\"", b"'''"]
            .into_iter()
            .find(|quote| self.bytes[start..self.limit].starts_with(*quote))?;
        let mut at = start + 3;
        let mut seen = 0;
        loop {
            let found = at + memchr::memmem::find(&self.bytes[at..self.limit], &quote)?;
            if !self.pay(found - at + 3) {
                return None;
            }
            let backslashes = self.bytes[start + 3..found]
                .iter()
                .rev()
                .take_while(|byte| **byte == b'\\')
                .count();
            if backslashes % 2 == 1 {
                at = found + 1;
                continue;
            }
            let after = found + 3;
            let fit = self.fit(after, role);
            if fit == Fit::Strong || (fit == Fit::Weak && seen == 0) {
                // Where what follows says little, one more triple quote could be the real end.
                let more =
                    || memchr::memmem::find(&self.bytes[after..self.limit], &quote).is_some();
                let doubtful = 0 < seen || fit == Fit::Weak && role != Role::Top && more();
                let doubt = doubtful.then_some(Rule::TripleQuotesUnclear);
                return Some(Ending {
                    doubt,
                    ..Ending::clean(found, 3)
                });
            }
            // `"""say "hi""""`: the last three close, the ones before belong to the text.
            let run = self.bytes[found..self.limit]
                .iter()
                .take(6)
                .take_while(|byte| **byte == quote[0])
                .count();
            if (4..6).contains(&run) && self.fit(found + run, role) == Fit::Strong {
                let end = found + run - 3;
                return Some(Ending {
                    doubt: Some(Rule::TripleQuotesUnclear),
                    ..Ending::clean(end, 3)
                });
            }
            seen += 1;
            at = after;
        }
    }

    /// A triple-quoted string that never closes: the text is cut off inside it.
    fn cut_triple(&mut self, start: usize, role: Role) -> Option<Ending> {
        let content = start + 3;
        let quote = *[b"\"\"\"", b"'''"]
            .into_iter()
            .find(|quote| self.bytes[start..self.limit].starts_with(*quote))?;
        let cut = matches!(role, Role::Member | Role::Element)
            && self.rules.has(Rule::TripleQuotes)
            && self.pay(self.limit - content)
            && self.ends_in_closers(content).is_none();
        if !cut {
            return None;
        }
        // Single quotes belong to the text, unless one of them could end a string.
        let sign = quote[0] as char;
        let text = self.rest(content).trim_end_matches(sign);
        let ends = text
            .match_indices(sign)
            .any(|(index, _)| self.fit(content + index + 1, role) == Fit::Strong);
        Some(Ending {
            cut: true,
            doubt: ends.then_some(Rule::TripleQuotesUnclear),
            ..self.cut_end(content, sign)
        })
    }

    /// The end of a cut triple-quoted string; half of its closing quotes may be there.
    fn cut_end(&self, content: usize, quote: char) -> Ending {
        let text = self.rest(content).trim_end_matches(quote);
        Ending::clean(content + text.len() - half_escape(text), 0)
    }

    fn take_triple(
        &mut self,
        start: usize,
        quotes: &Quotes,
        ending: Ending,
        role: Role,
        raw: bool,
    ) -> Scan<Option<Joint>> {
        let rule = ending.doubt.unwrap_or(Rule::TripleQuotes);
        self.need(rule, start, start + 3, Expected::Value)?;
        let fix = self.edit(rule, start, start + 3, "\"");
        let quotes = quotes.tripled(ending);
        let plan = self.plan(start + 3, ending, &quotes, raw);
        self.content(start + 3, ending, &quotes, Some((fix, rule)), plan)?;
        self.close_string(ending, &quotes, Some((fix, rule)), role)
    }
}
