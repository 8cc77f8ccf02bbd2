//! Where a string ends, by what follows its quotes.

use super::ahead::{Fit, Role};
use super::find::special;
use super::quotes::Quotes;
use super::*;

impl Scanner<'_> {
    /// The end of the string that opens at `start`.
    pub(super) fn ending(&mut self, start: usize, quotes: &Quotes, role: Role) -> Scan<Ending> {
        let content = start + quotes.open.len_utf8();
        let Some((first, len)) = self.first_close(content, quotes) else {
            return self.unclosed(content, quotes, role, None);
        };
        if self.rules.is_empty() {
            return Ok(Ending::clean(first, len));
        }
        let fit = self.fit(first + len, role);
        if role == Role::Name
            && fit < Fit::Strong
            && let Some(ending) = self.name_in_mixed_quotes(content)
        {
            return Ok(ending);
        }
        if role == Role::Name && fit == Fit::Weak {
            let text = self.text[content..first].trim_end();
            // `"a: "[1]`: the closing quote slipped behind the colon.
            if text.ends_with(':')
                && let Some(ending) = self.name_with_colon_inside(content, first)
                && ending.at + 1 >= content + text.len()
            {
                return Ok(Ending {
                    close: first + len - ending.at,
                    ..ending
                });
            }
            self.refuse_swallowed_separator(content, text)?;
        }
        if fit >= Fit::Weak {
            if let Some(ending) = self.swallowed_string(content, first, quotes, role) {
                return Ok(ending);
            }
            if let Some(ending) = self.opened_twice(content, first, len, quotes, role) {
                return Ok(ending);
            }
            return Ok(Ending::clean(first, len));
        }
        let next = self.peek(first + len);
        if matches!(role, Role::Member | Role::Element) && self.byte(next) == Some(b':') {
            return Err(self.refuse(next, next + 1, Expected::CommaOrCloser, Why::Syntax));
        }
        if matches!(role, Role::Member | Role::Element) && self.code_follows(next) {
            return Err(self.refuse(
                next,
                self.token_end(next),
                Expected::CommaOrCloser,
                Why::Code,
            ));
        }
        match self.resolve(content, first, quotes, role) {
            Some(ending) => Ok(ending),
            None => self.unclosed(content, quotes, role, Some(first)),
        }
    }

    /// `", cmd"`: what stands before a lost colon or comma and begins with a separator is no name; it is what stood
    /// between two strings.
    pub(super) fn refuse_swallowed_separator(&self, content: usize, name: &str) -> Scan<()> {
        if !begins_with_separator(name.as_bytes()) {
            return Ok(());
        }
        Err(self.refuse(content, content + name.len(), Expected::Name, Why::Syntax))
    }

    /// Whether program code goes on behind a string: `+ name`, `if x else y`.
    pub(super) fn code_follows(&self, at: usize) -> bool {
        let rest = self.rest(at);
        if let Some(behind) = rest.strip_prefix('+') {
            return behind
                .trim_start()
                .starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '$' | '('));
        }
        let line = self.line_near(at);
        line.strip_prefix("if ")
            .is_some_and(|line| line.contains(" else "))
    }

    /// `“b", "c": “d”`: another quote ends the string, and the one that closes it belongs to a later string, whose opener
    /// stands in between.
    pub(super) fn swallowed_string(
        &mut self,
        content: usize,
        first: usize,
        quotes: &Quotes,
        role: Role,
    ) -> Option<Ending> {
        let open = self.text[content..first].rfind(quotes.open)?;
        let before = self.text[content..content + open].trim_end();
        if quotes.close.contains(&quotes.open) || !before.ends_with([':', ',', '[', '{']) {
            return None;
        }
        self.ends_at_other_quote(content, content + open, quotes, role)
    }

    /// `“b, “c”`: the string is opened twice and closed once. Behind a comma it is the next one that opens.
    pub(super) fn opened_twice(
        &self,
        content: usize,
        first: usize,
        len: usize,
        quotes: &Quotes,
        role: Role,
    ) -> Option<Ending> {
        if quotes.close.contains(&quotes.open) {
            return None;
        }
        let text = &self.text[content..first];
        let open = text.find(quotes.open)?;
        let before = text[..open].trim_end();
        Some(match before.strip_suffix(',') {
            Some(element) if role == Role::Element => {
                Ending::doubtful(content + element.trim_end().len(), 0, Rule::MissingQuote)
            }
            _ => Ending::doubtful(first, len, Rule::InnerQuote),
        })
    }

    /// The first quote of another kind before `until` that ends the string well.
    pub(super) fn ends_at_other_quote(
        &mut self,
        content: usize,
        until: usize,
        quotes: &Quotes,
        role: Role,
    ) -> Option<Ending> {
        if !matches!(role, Role::Member | Role::Element) || !self.pay(until - content) {
            return None;
        }
        let text = &self.text[content..until];
        for (index, quote) in text.match_indices(['"', '\'', '`', '”', '’']) {
            let at = content + index;
            let escaped = text[..index].ends_with('\\');
            if !escaped
                && !quotes.close.iter().any(|close| quote.starts_with(*close))
                && self.fit(at + quote.len(), role) == Fit::Strong
            {
                return Some(Ending::doubtful(at, quote.len(), Rule::MissingQuote));
            }
        }
        None
    }

    /// The first closing quote that no backslash stands before.
    pub(super) fn first_close(&self, from: usize, quotes: &Quotes) -> Option<(usize, usize)> {
        if quotes.open == '"' {
            let bytes = &self.bytes[..self.limit];
            let mut at = from;
            loop {
                at = special(bytes, at);
                match bytes.get(at)? {
                    b'"' => return Some((at, 1)),
                    // The byte behind a backslash is skipped; the rest of its character is neither quote nor backslash.
                    b'\\' => at += 2,
                    _ => at += 1,
                }
            }
        }
        if quotes.open.is_ascii() {
            let bytes = &self.bytes[..self.limit];
            let mut at = from;
            loop {
                at += memchr::memchr2(quotes.open as u8, b'\\', bytes.get(at..)?)?;
                if bytes[at] != b'\\' {
                    return Some((at, 1));
                }
                at += 2;
            }
        }
        let mut at = from;
        loop {
            let character = self.character(at)?;
            let len = character.len_utf8();
            if quotes.close.contains(&character) {
                return Some((at, len));
            }
            at += len;
            if character == '\\' {
                at += self.character(at)?.len_utf8();
            }
        }
    }

    /// The first quote does not fit as the end: the end that looks best, unless the rest of the text suits another one.
    pub(super) fn resolve(
        &mut self,
        content: usize,
        first: usize,
        quotes: &Quotes,
        role: Role,
    ) -> Option<Ending> {
        let looks = self.resolve_by_looks(content, first, quotes, role);
        if !matches!(role, Role::Member | Role::Element)
            || looks.is_some_and(|ending| {
                self.rest_behind(content, ending.at + ending.close) != Rest::Broken
            })
        {
            return looks;
        }
        let mut at = first;
        while let Some(character) = self.character(at) {
            let len = character.len_utf8();
            if self.tail_fuel == 0 || !self.pay(1) {
                break;
            }
            if character == '\\' {
                at += 1 + self.character(at + 1).map_or(0, char::len_utf8);
                continue;
            }
            if quotes.close.contains(&character) {
                let next = self.white_end(at + len);
                let separated = matches!(self.byte(next), Some(b',' | b'}' | b']'));
                if separated && self.rest_behind(content, at + len) == Rest::Whole {
                    return Some(Ending::doubtful(at, len, Rule::InnerQuote));
                }
            }
            at += len;
        }
        looks
    }

    /// What stands from `after` on, if the string whose content begins at `content` ends there.
    pub(super) fn rest_behind(&mut self, content: usize, after: usize) -> Rest {
        const RULES: RuleSet = RuleSet::of(&[
            Rule::RawControl,
            Rule::TrailingComma,
            Rule::SingleQuotes,
            Rule::EscapedApostrophe,
            Rule::StrayBackslash,
            Rule::BareKey,
            Rule::LiteralCase,
        ]);
        if self.tail_fuel == 0 {
            return Rest::Faulty;
        }
        // Behind a quoted name, `b=` and `b:` are program code sooner than members.
        let before = self.text[..content]
            .trim_end_matches(['"', '\''])
            .trim_end();
        let quoted = before
            .strip_suffix(':')
            .is_some_and(|name| name.trim_end().ends_with(['"', '\'']));
        let rules = if quoted {
            RULES.without(Rule::BareKey)
        } else {
            RULES
        };
        let mut rest = Scanner::new(self.text, self.rules.and(rules));
        (rest.at, rest.good, rest.limit) = (after, after, self.limit);
        // The rest is looked at as it stands: no end in it is sought this way.
        (rest.fuel, rest.tail_fuel) = (self.tail_fuel, 0);
        rest.stack = self.stack.clone();
        let read = rest.run(Step::After);
        let cost = rest.at.max(after) - after + (self.tail_fuel - rest.fuel) + 64;
        self.tail_fuel = self.tail_fuel.saturating_sub(cost);
        let refusal = match read {
            Ok(()) if !self.text[rest.at..self.limit].contains('"') => return Rest::Whole,
            Ok(()) => return Rest::Broken,
            Err(refusal) => refusal,
        };
        match refusal.why {
            Why::RuleOff(
                Rule::BareKey
                | Rule::MismatchedCloser
                | Rule::SurplusCloserInside
                | Rule::EarlyClose,
            ) => Rest::Broken,
            Why::RuleOff(Rule::MissingComma)
                if quoted && self.quote_at(refusal.at as usize).is_none() =>
            {
                Rest::Broken
            }
            Why::RuleOff(_) => Rest::Faulty,
            _ => Rest::Broken,
        }
    }

    pub(super) fn resolve_by_looks(
        &mut self,
        content: usize,
        first: usize,
        quotes: &Quotes,
        role: Role,
    ) -> Option<Ending> {
        if let Some(ending) = self.doubled_quotes(content, quotes, role) {
            return Some(ending);
        }
        if role == Role::Name
            && let Some(ending) = self
                .name_in_mixed_quotes(content)
                .or_else(|| self.name_with_colon_inside(content, first))
        {
            return Some(ending);
        }
        if let Some(ending) = self.embedded(content, quotes, role) {
            return Some(ending);
        }
        if self.text[content..first]
            .trim_end()
            .ends_with([':', ',', '[', '{'])
            && let Some(ending) = self.ends_at_other_quote(content, first, quotes, role)
        {
            return Some(ending);
        }
        let mut weak = None;
        let mut escaped = None;
        let mut at = content;
        while let Some(character) = self.character(at) {
            let len = character.len_utf8();
            if !self.pay(len) {
                return None;
            }
            if character == '\\' {
                let next = self.character(at + 1).map_or(0, char::len_utf8);
                let quote = at + 1;
                if escaped.is_none()
                    && self
                        .character(quote)
                        .is_some_and(|c| quotes.close.contains(&c))
                    && self.fit(quote + next, role) == Fit::Strong
                {
                    escaped = Some(Ending {
                        literal: true,
                        ..Ending::doubtful(quote, next, Rule::DoubtfulBackslash)
                    });
                }
                at += 1 + next;
                continue;
            }
            if quotes.close.contains(&character) {
                if matches!(role, Role::Member | Role::Element)
                    && let Some(end) = self.lost_quote_before_name(content, at)
                {
                    return Some(escaped.unwrap_or_else(|| self.end_at_other_quote(content, end)));
                }
                if role == Role::Element
                    && at == first
                    && let Some(end) = self.lost_quote_before_element(content, at, len)
                {
                    return Some(Ending::doubtful(end, 0, Rule::MissingQuote));
                }
                match self.fit(at + len, role) {
                    Fit::Strong => {
                        return Some(escaped.unwrap_or(Ending::doubtful(
                            at,
                            len,
                            Rule::InnerQuote,
                        )));
                    }
                    Fit::Weak if weak.is_none() && at > first => {
                        weak = Some(Ending::doubtful(at, len, Rule::InnerQuote));
                    }
                    _ => {}
                }
            }
            at += len;
        }
        escaped.or(weak)
    }

    /// `“a": 1`: a plain name and another quote, with the colon behind it.
    pub(super) fn name_in_mixed_quotes(&mut self, content: usize) -> Option<Ending> {
        let word = super::ahead::name_len(self.rest(content));
        let at = content + word;
        let quote = self.character(at)?;
        let other = word > 0 && matches!(quote, '"' | '\'' | '”' | '“' | '’' | '`' | '＂');
        (other && self.fit(at + quote.len_utf8(), Role::Name) == Fit::Strong)
            .then(|| Ending::doubtful(at, quote.len_utf8(), Rule::MissingQuote))
    }
}

/// Whether the first sign of a name is one that stands between strings.
pub(super) fn begins_with_separator(name: &[u8]) -> bool {
    matches!(
        name.trim_ascii_start().first(),
        Some(b',' | b':' | b'}' | b']')
    )
}

/// Where a string ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ending {
    /// One past the last byte of the content.
    pub(super) at: usize,
    /// Bytes of the closing quote; 0 where it is missing.
    pub(super) close: usize,
    /// The rule that picked this end among several readings.
    pub(super) doubt: Option<Rule>,
    /// The text ends inside the string.
    pub(super) cut: bool,
    /// Bytes behind the opening quote that go with it: `""a""`.
    pub(super) extra: usize,
    /// Every backslash is literal, also one before a quote.
    pub(super) literal: bool,
}

impl Ending {
    pub(super) const fn clean(at: usize, close: usize) -> Ending {
        Ending {
            at,
            close,
            doubt: None,
            cut: false,
            extra: 0,
            literal: false,
        }
    }

    pub(super) const fn doubtful(at: usize, close: usize, rule: Rule) -> Ending {
        Ending {
            doubt: Some(rule),
            ..Ending::clean(at, close)
        }
    }
}

/// What stands behind a possible end of a string.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Rest {
    /// It closes all that is open, without a fault of quotes.
    Whole,
    /// It has a fault that a rule covers: nothing speaks against the end.
    Faulty,
    /// It is no rest of this text.
    Broken,
}
