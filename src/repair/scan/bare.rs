//! Values without quotes: where they end, and what is no such value.

use super::ahead::{Fit, Role};
use super::*;

impl Scanner<'_> {
    /// A bare word as a value: a string up to the next delimiter at this depth.
    pub(super) fn bare(&mut self) -> Scan<Step> {
        let at = self.at;
        if self.stack.is_empty() {
            let prose = !self.rules.has(Rule::ProseAround) && self.rest(at).contains(['{', '[']);
            let why = if prose {
                Why::RuleOff(Rule::ProseAround)
            } else {
                Why::NoJson
            };
            return Err(self.refuse(at, self.token_end(at), Expected::Value, why));
        }
        if let Some(step) = self.lost_opening_quote(at)? {
            return Ok(step);
        }
        let end = self.bare_end(at);
        let text = &self.text[at..end];
        if let Some(why) = self.not_bare(at, text) {
            let found = if why == Why::Ellipsis {
                at + text.find("...").unwrap_or(0)
            } else {
                at
            };
            return Err(self.refuse(
                found,
                self.token_end(found).max(found + 1),
                Expected::Value,
                why,
            ));
        }
        self.quote_text(Rule::BareValue, at, end)
    }

    /// `{"a": 10 MB}`: with the number or literal before them the words at `at` are one bare value. Gives its place.
    pub(super) fn words_behind(&mut self, at: usize) -> Option<(usize, usize)> {
        let word = self.character(at).is_some_and(char::is_alphabetic);
        if !word || !matches!(self.last, Last::Number | Last::Literal) || self.is_literal_word(at) {
            return None;
        }
        let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
        let start = self.text[..self.good].trim_end_matches(part).len();
        let end = self.bare_end(start);
        let whole = start < self.good && self.edited_to() <= start && at < end;
        let bare = whole && self.not_bare(start, &self.text[start..end]).is_none();
        bare.then_some((start, end))
    }

    /// Makes a string of `[start, end)` as it stands.
    pub(super) fn quote_text(&mut self, rule: Rule, start: usize, end: usize) -> Scan<Step> {
        self.need(rule, start, self.token_end(start).min(end), Expected::Value)?;
        let fix = self.edit(rule, start, start, "\"");
        self.escape_text(fix, rule, start, end);
        self.edit_as(fix, rule, end, end, "\"");
        self.at = end;
        self.last = Last::Text;
        Ok(self.done())
    }

    /// Escapes what a string cannot hold as it is, every backslash included.
    pub(super) fn escape_text(&mut self, fix: FixId, rule: Rule, start: usize, end: usize) {
        for at in start..end {
            match self.bytes[at] {
                b'"' | b'\\' => self.edit_as(fix, rule, at, at, "\\"),
                control @ 0..=0x1F => {
                    let escape = match control {
                        b'\n' => "\\n".to_owned(),
                        b'\r' => "\\r".to_owned(),
                        b'\t' => "\\t".to_owned(),
                        other => format!("\\u{other:04x}"),
                    };
                    self.edit_as(fix, rule, at, at + 1, &escape);
                }
                _ => {}
            }
        }
    }

    /// `{"a": b", ..}`: the word runs to a quote that would end a string well.
    fn lost_opening_quote(&mut self, at: usize) -> Scan<Option<Step>> {
        let line = self.line_near(at);
        let ascii = memchr::memchr2(b'"', b'`', line.as_bytes());
        let mut quote = ascii.into_iter().chain(line.find('”')).min();
        quote = quote.map(|found| at + found);
        // An apostrophe ends a word only where no other stands on the line before a delimiter.
        let single = line.find('\'').map(|found| at + found);
        self.pay(quote.or(single).unwrap_or(at) - at);
        if let Some(place) = single
            && quote.is_none_or(|quote| place < quote)
            && self.fit(place + 1, self.role()) == Fit::Strong
        {
            quote = Some(place);
        }
        let Some(quote) = quote else {
            return Ok(None);
        };
        let role = self.role();
        let width = self.character(quote).map_or(1, char::len_utf8);
        let before = self.text[at..quote].trim_end();
        if before.ends_with([',', ':', '{', '[', '=', '(', '\\'])
            || before.contains('“')
            || self.fit(quote + width, role) != Fit::Strong
        {
            return Ok(None);
        }
        let next = self.text[at..quote].find(", ").map(|comma| at + comma + 1);
        if next.is_some_and(|next| self.name_ahead(next)) {
            return Ok(None);
        }
        self.need(Rule::MissingQuote, at, self.token_end(at), Expected::Value)?;
        let fix = self.edit(Rule::MissingQuote, at, at, "\"");
        self.plain_content(at, quote)?;
        self.edit_as(fix, Rule::MissingQuote, quote, quote + width, "\"");
        self.at = quote + width;
        self.last = Last::Text;
        Ok(Some(self.done()))
    }

    /// Where a bare value ends: before a comma, closer, line break or comment at its depth, white space cut off.
    fn bare_end(&mut self, at: usize) -> usize {
        let mut depth = 0usize;
        let mut end = self.limit;
        let mut before = ' ';
        let mut walked = 0;
        for (index, character) in self.text[at..self.limit].char_indices() {
            walked = index;
            match character {
                '\n' | '\r' => {
                    end = at + index;
                    break;
                }
                '{' | '[' | '(' => depth += 1,
                '}' | ']' | ')' if depth > 0 => depth -= 1,
                ',' | '，' if depth > 0 => {}
                '}' | ']' | ',' | '，' | '；' | '｝' | '］' => {
                    end = at + index;
                    break;
                }
                ')' if self
                    .stack
                    .top()
                    .is_some_and(|top| matches!(top, Frame::Tuple | Frame::Call)) =>
                {
                    end = at + index;
                    break;
                }
                ';' if self.name_ahead(at + index + 1)
                    || matches!(self.byte(self.peek(at + index + 1)), Some(b'}' | b']')) =>
                {
                    end = at + index;
                    break;
                }
                '/' | '#' if before.is_whitespace() && index > 0 => {
                    if let Some(super::trivia::Trivia::Comment(..)) = self.trivia_at(at + index) {
                        end = at + index;
                        break;
                    }
                }
                _ => {}
            }
            before = character;
        }
        self.pay(walked);
        at + self.text[at..end].trim_end().len()
    }

    /// Why a text is no bare value, if it is none.
    fn not_bare(&self, at: usize, text: &str) -> Option<Why> {
        let end = at + text.len();
        if text.contains("...") || text.contains('…') {
            return Some(Why::Ellipsis);
        }
        if text.is_empty() || !text.chars().any(char::is_alphanumeric) {
            return Some(Why::Syntax);
        }
        // `a: b` where a value is due: a member without its braces, or a name and a second colon.
        let label = text.split_whitespace().next().unwrap_or("");
        if label.ends_with(':') && !label[..label.len() - 1].contains(':') {
            return Some(Why::Syntax);
        }
        let words = text.split_whitespace().count();
        let arithmetic = |sign: char| {
            let mut parts = text.splitn(2, sign);
            match (parts.next(), parts.next()) {
                (Some(left), Some(right)) => {
                    left.trim().parse::<f64>().is_ok()
                        && right
                            .trim_start_matches([sign, ' '])
                            .starts_with(|c: char| c.is_ascii_digit())
                }
                _ => false,
            }
        };
        let call = text.char_indices().any(|(index, c)| {
            c == '('
                && index > 0
                && text[..index]
                    .ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ')' | '.'))
        });
        let code = text.contains("=>")
            || call
            || text.starts_with('!')
            || text.starts_with("new ")
            || (text.starts_with("function") && text.contains(['(', '{']))
            || (text.starts_with('<') && words > 1)
            || text.contains(" + ")
            || arithmetic('*')
            || (words > 1
                && !begins_with_date(text)
                && (arithmetic('+') || arithmetic('-') || arithmetic('/') || arithmetic('%')))
            || text.starts_with("lambda ")
            || is_choice(text)
            || ordered(text, [" ? ", " : "])
            || (self.role() == Role::Element && ordered(text, [" for ", " in "]))
            || ordered(text, [" if ", " else "])
            || text.contains("${") && text.starts_with('`');
        if code {
            return Some(Why::Code);
        }
        if text.contains(['"', '`', '{', '}']) && !text.contains(char::is_alphanumeric)
            || text.contains('"')
        {
            return Some(Why::Syntax);
        }
        // A word at the very end of a cut text may be half of anything; several are no value at all.
        if end == self.limit && words > 1 {
            return Some(Why::Syntax);
        }
        let balance =
            |open: char, close: char| text.matches(open).count() == text.matches(close).count();
        if !(balance('{', '}') && balance('[', ']') && balance('(', ')')) {
            return Some(Why::Syntax);
        }
        None
    }
}

/// `2026-01-05 10:00`
fn begins_with_date(text: &str) -> bool {
    let date = text.as_bytes().first_chunk::<10>();
    date.is_some_and(|date| {
        date.iter().enumerate().all(|(at, byte)| match at {
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        })
    })
}

/// `a || b`, `x ?? y`: two names and a sign of logic. Commands have more words.
fn is_choice(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().take(4).collect();
    matches!(words[..], [_, "||" | "&&" | "??" | "and" | "or", _])
        && words.iter().all(|word| !word.contains(['/', '.', '-']))
}

/// Whether two signs stand in a text, the second behind the first.
fn ordered(text: &str, signs: [&str; 2]) -> bool {
    text.split_once(signs[0])
        .is_some_and(|(_, behind)| behind.contains(signs[1]))
}
