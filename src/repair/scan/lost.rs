//! Strings whose own closing quote was lost, doubled or is of another kind, and strings that are cut off.

use super::ahead::{Fit, Role};
use super::endings::{Ending, Rest};
use super::escapes::half_escape;
use super::quotes::Quotes;
use super::*;

impl Scanner<'_> {
    /// `""a""`: both quotes doubled.
    pub(super) fn doubled_quotes(
        &mut self,
        content: usize,
        quotes: &Quotes,
        role: Role,
    ) -> Option<Ending> {
        let quote = quotes.close[0];
        if self.character(content)? != quote {
            return None;
        }
        let pair: String = [quote, quote].iter().collect();
        let inner = content + quote.len_utf8();
        let end = inner + self.rest(inner).find(&pair)?;
        if end == inner || !self.pay(end - inner) || self.text[inner..end].contains(['\n', quote]) {
            return None;
        }
        let ending = Ending::doubtful(end, pair.len(), Rule::InnerQuote);
        (self.fit(end + pair.len(), role) >= Fit::Weak).then_some(Ending {
            extra: quote.len_utf8(),
            ..ending
        })
    }

    /// `"a:"b"`: the name lost its closing quote and swallowed the colon.
    pub(super) fn name_with_colon_inside(&self, content: usize, until: usize) -> Option<Ending> {
        let name = &self.text[content..until];
        let colon = name.find(':')?;
        let word = name[..colon].trim_end();
        let plain = !word.is_empty()
            && word
                .chars()
                .all(|c| super::ahead::is_name_character(c) || c == ' ');
        plain.then(|| Ending::doubtful(content + word.len(), 0, Rule::MissingQuote))
    }

    /// `"{"a": 1}"`: a JSON text inside a string whose quotes were not escaped. Ends where its brackets balance.
    pub(super) fn embedded(
        &mut self,
        content: usize,
        quotes: &Quotes,
        role: Role,
    ) -> Option<Ending> {
        let quote = quotes.close[0];
        if !self.rest(content).starts_with(['{', '[']) {
            return None;
        }
        let (mut depth, mut quoted) = (0usize, false);
        let mut at = content;
        while let Some(character) = self.character(at) {
            if !self.pay(1) {
                return None;
            }
            match character {
                '\\' => at += self.character(at + 1).map_or(0, char::len_utf8),
                c if c == quote => quoted = !quoted,
                '{' | '[' if !quoted => depth += 1,
                '}' | ']' if !quoted => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        let close = at + 1;
                        let closes = self.character(close) == Some(quote)
                            && self.fit(close + quote.len_utf8(), role) == Fit::Strong;
                        return closes
                            .then(|| Ending::doubtful(close, quote.len_utf8(), Rule::InnerQuote));
                    }
                }
                _ => {}
            }
            at += character.len_utf8();
        }
        None
    }

    /// The quote at `at` opens a member name, so the string before it lost its own. Gives the end of that string.
    pub(super) fn lost_quote_before_name(&mut self, content: usize, at: usize) -> Option<usize> {
        let before = &self.text[content..at];
        let trimmed = before.trim_end();
        let separated = trimmed.ends_with([',', '，']);
        let newline = before[trimmed.len()..].contains('\n');
        let mut trimmed = trimmed;
        let mut separated = separated;
        // `[{"a": "b}, {"c": "d"}]`: the quote was lost before the closer of an element.
        if self.stack.top() == Some(Frame::Object)
            && self.stack.below(1) == Some(Frame::Array)
            && let Some(list) = trimmed.strip_suffix('{')
            && let Some(element) = list.trim_end().strip_suffix(',')
            && let Some(value) = element.trim_end().strip_suffix('}')
        {
            trimmed = value.trim_end();
            separated = !value.contains(['{', '}']);
        } else if let Some(value) = self.before_closers(trimmed) {
            trimmed = value;
            separated = true;
        } else if self.stack.top() == Some(Frame::Array) {
            return None;
        }
        if trimmed.ends_with(['{', '[', '(']) {
            return None;
        }
        let end = self.name_word_end(at)?;
        let colon = self.peek(end);
        if self.byte(colon) != Some(b':') {
            return None;
        }
        let value = self.peek(colon + 1);
        let plausible = self.quote_at(value).is_some()
            || matches!(self.byte(value), Some(b'{' | b'[' | b'-' | b'0'..=b'9'))
            || ["true", "false", "null"]
                .iter()
                .any(|word| self.rest(value).starts_with(word));
        let glued = before
            .chars()
            .next_back()
            .is_some_and(char::is_alphanumeric);
        if !(plausible && (separated || newline || glued)) {
            return None;
        }
        Some(content + trimmed.trim_end_matches([',', '，']).trim_end().len())
    }

    /// `b}, ` and `b\n  ],`: the value before the closers of what is open, where an object goes on behind the comma.
    pub(super) fn before_closers<'t>(&self, text: &'t str) -> Option<&'t str> {
        let mut value = text.strip_suffix(',')?.trim_end();
        let closers = value
            .rsplit(|c: char| !matches!(c, '}' | ']') && !c.is_whitespace())
            .next()?;
        let mut level = 0;
        for closer in closers.chars().filter(|c| !c.is_whitespace()) {
            if self.stack.below(level)?.closer() != closer {
                return None;
            }
            level += 1;
        }
        value = value[..value.len() - closers.len()].trim_end();
        let inside = level > 0 && self.stack.below(level)? == Frame::Object;
        (inside && !value.contains(['{', '}', '[', ']'])).then_some(value)
    }

    /// A string that lost its own closing quote: another kind of quote at its end stands in for it.
    pub(super) fn end_at_other_quote(&self, content: usize, end: usize) -> Ending {
        let last = self.text[content..end].chars().next_back();
        let len = last
            .filter(|c| matches!(c, '”' | '“' | '„' | '’' | '＂'))
            .map_or(0, char::len_utf8);
        Ending::doubtful(end - len, len, Rule::MissingQuote)
    }

    /// The end of `"word"` at `at`, if it is one: a member name as programs have them.
    pub(super) fn name_word_end(&self, at: usize) -> Option<usize> {
        let open = self.character(at)?;
        let inner = at + open.len_utf8();
        let rest = self.rest(inner);
        let word = rest.find(|c: char| !super::ahead::is_name_character(c))?;
        let close = rest[word..].chars().next()?;
        (0 < word && word <= 64 && matches!(close, '"' | '\'' | '”'))
            .then(|| inner + word + close.len_utf8())
    }

    /// `["x, "y"]`: the quote at `at` opens the next element, and the next quote closes it well.
    pub(super) fn lost_quote_before_element(
        &mut self,
        content: usize,
        at: usize,
        len: usize,
    ) -> Option<usize> {
        let before = self.text[content..at].trim_end();
        let behind = self.character(at + len)?;
        if !before.ends_with(',') || behind.is_whitespace() || matches!(behind, ',' | ']') {
            return None;
        }
        let quote = self.character(at)?;
        let close = at + len + self.rest(at + len).find(quote)?;
        self.pay(close - at);
        (self.fit(close + len, Role::Element) == Fit::Strong)
            .then(|| content + before.trim_end_matches(',').trim_end().len())
    }

    /// No quote ends the string: it lost its quote, or the text is cut off.
    pub(super) fn unclosed(
        &mut self,
        content: usize,
        quotes: &Quotes,
        role: Role,
        first: Option<usize>,
    ) -> Scan<Ending> {
        let doubt = first.map(|_| Rule::InnerQuote);
        let text = self.rest(content);
        self.pay(text.len());
        if let Some(first) = first
            && (role == Role::Name || self.ends_in_closers(content).is_some())
        {
            // A quote stands there, nothing behind it suits, and the text is not cut off: no reading is left.
            let next = self.peek(first + quotes.close[0].len_utf8());
            let why = if self.is_operator(next) {
                Why::Code
            } else {
                Why::Syntax
            };
            let expected = if role == Role::Name {
                Expected::Colon
            } else {
                Expected::CommaOrCloser
            };
            return Err(self.refuse(next, self.token_end(next), expected, why));
        }
        if role == Role::Name {
            if self.ends_in_outer_closer()
                && let Some(ending) = self.name_in_mixed_quotes(content)
            {
                return Ok(ending);
            }
            let colon = self.name_with_colon_inside(content, self.line_end(content));
            if let Some(ending) = colon.filter(|_| self.ends_in_closers(content).is_some()) {
                return Ok(ending);
            }
            if let Some(ending) = self.other_quote(content, quotes, role)
                && self.is_closed(content, ending)
                && !self.ends_behind_colon(ending.at + ending.close)
            {
                return Ok(ending);
            }
            // `{"a\": 1}`, `{"a 1}`: a name that swallowed its own end and all behind it is not cut off.
            if self.ends_in_closers(content).is_some() {
                let at = match self.escaped_quote(content, quotes, role) {
                    Some(ending) => ending.at - 1,
                    None => content - quotes.open.len_utf8(),
                };
                return Err(self.refuse(at, at + 1, Expected::Quote, Why::Syntax));
            }
        } else if role != Role::Top {
            if let Some(ending) = self.other_quote(content, quotes, role)
                && self.is_closed(content, ending)
            {
                return Ok(ending);
            }
            if let Some(ending) = self.end_of_swallowed(content, quotes, role) {
                return Ok(ending);
            }
            // A cut text may hold JSON itself; one that swallowed its own end ends in a closer.
            if self.rest(content).trim_end().ends_with(['}', ']'])
                && let Some(ending) = self.escaped_quote(content, quotes, role)
            {
                return Ok(ending);
            }
            if let Some(end) = self.ends_in_closers(content) {
                return Ok(Ending::doubtful(end, 0, Rule::MissingQuote));
            }
        }
        let end = self.limit - half_escape(&self.text[content..self.limit]);
        Ok(Ending {
            at: end,
            close: 0,
            doubt,
            cut: true,
            extra: 0,
            literal: false,
        })
    }

    /// `{"a": {"b": “x"}, "c": 1}`: the text ends in the closer of its outermost level, and that is reached from another
    /// quote, or from before a member name, without a further fault of quotes.
    fn end_of_swallowed(&mut self, content: usize, quotes: &Quotes, role: Role) -> Option<Ending> {
        if self.stack.depth() < 2 || !self.ends_in_outer_closer() {
            return None;
        }
        let mut at = content;
        while let Some(character) = self.character(at) {
            if !self.pay(1) {
                return None;
            }
            let len = character.len_utf8();
            if character == '\\' {
                at += 1 + self.character(at + 1).map_or(0, char::len_utf8);
                continue;
            }
            if matches!(character, '"' | '\'' | '”' | '“' | '’' | '`' | '＂') {
                let ending = match self.lost_quote_before_name(content, at) {
                    Some(end) => Some(self.end_at_other_quote(content, end)),
                    None => (!quotes.close.contains(&character)
                        && self.fit(at + len, role) == Fit::Strong)
                        .then(|| Ending::doubtful(at, len, Rule::MissingQuote)),
                };
                if let Some(ending) = ending
                    && self.rest_behind(content, ending.at + ending.close) == Rest::Whole
                {
                    return Some(ending);
                }
            }
            at += len;
        }
        None
    }

    /// Whether the last character of the text is the closer of the outermost level.
    fn ends_in_outer_closer(&self) -> bool {
        let outer = self.stack.depth().checked_sub(1);
        let closer = outer.and_then(|level| self.stack.below(level));
        closer.is_some_and(|frame| self.rest(self.at).trim_end().ends_with(frame.closer()))
    }

    /// Whether a closer follows another quote, or ends the text: else it is cut off, and most quotes also stand in texts.
    pub(super) fn is_closed(&self, content: usize, ending: Ending) -> bool {
        let next = self.peek(ending.at + ending.close);
        let closer = matches!(self.byte(next), Some(b'}' | b']'));
        let curly = self.rest(ending.at).starts_with(['”', '＂']);
        closer && curly || self.ends_in_closers(content).is_some()
    }

    /// Whether the text ends behind the colon at `at`: a cut name is dropped, whatever quote was meant to end it.
    pub(super) fn ends_behind_colon(&self, at: usize) -> bool {
        let colon = self.peek(at);
        let len = self.character(colon).map_or(0, char::len_utf8);
        self.byte(self.peek(colon + len)).is_none()
    }

    /// The end of the string where the text's last characters are the closers of what is open.
    pub(super) fn ends_in_closers(&self, content: usize) -> Option<usize> {
        let mut text = self.rest(content).trim_end();
        if self.stack.is_empty() {
            return None;
        }
        // The last closer of the text belongs to the outermost level, and all have to be there.
        for level in (0..self.stack.depth()).rev() {
            text = text
                .strip_suffix(self.stack.below(level)?.closer())?
                .trim_end();
        }
        let text = text.strip_suffix(',').map_or(text, str::trim_end);
        Some(content + text.len())
    }

    /// Another kind of quote ends the string well: `"b”`.
    pub(super) fn other_quote(
        &mut self,
        content: usize,
        quotes: &Quotes,
        role: Role,
    ) -> Option<Ending> {
        let mut at = content;
        while let Some(character) = self.character(at) {
            if !self.pay(1) {
                return None;
            }
            let len = character.len_utf8();
            let other = matches!(character, '"' | '\'' | '”' | '“' | '’' | '`' | '＂')
                && !quotes.close.contains(&character);
            if other && self.fit(at + len, role) == Fit::Strong {
                return Some(Ending::doubtful(at, len, Rule::MissingQuote));
            }
            if character == '\\' {
                at += self.character(at + 1).map_or(0, char::len_utf8);
            }
            at += len;
        }
        None
    }

    /// `"C:\dir\"}`: the backslash before the quote was meant as one.
    pub(super) fn escaped_quote(
        &mut self,
        content: usize,
        quotes: &Quotes,
        role: Role,
    ) -> Option<Ending> {
        let mut at = content;
        while let Some(character) = self.character(at) {
            if !self.pay(1) {
                return None;
            }
            at += character.len_utf8();
            if character == '\\' {
                let next = self.character(at)?;
                if quotes.close.contains(&next)
                    && self.fit(at + next.len_utf8(), role) == Fit::Strong
                {
                    let ending = Ending::doubtful(at, next.len_utf8(), Rule::DoubtfulBackslash);
                    return Some(Ending {
                        literal: true,
                        ..ending
                    });
                }
                at += next.len_utf8();
            }
        }
        None
    }
}
