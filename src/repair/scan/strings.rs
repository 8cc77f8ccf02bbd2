//! Strings: where one ends, and what inside it JSON cannot hold.

use super::ahead::{Fit, Quotes, Role};
use super::*;
use edit::Stored;

/// Where a string ends.
#[derive(Clone, Copy, Debug)]
struct Ending {
    /// One past the last byte of the content.
    at: usize,
    /// Bytes of the closing quote; 0 where it is missing.
    close: usize,
    /// The rule that picked this end among several readings.
    doubt: Option<Rule>,
    /// The text ends inside the string.
    cut: bool,
    /// Bytes behind the opening quote that go with it: `""a""`.
    extra: usize,
    /// Every backslash is literal, also one before a quote.
    literal: bool,
}

impl Ending {
    const fn clean(at: usize, close: usize) -> Ending {
        Ending {
            at,
            close,
            doubt: None,
            cut: false,
            extra: 0,
            literal: false,
        }
    }

    const fn doubtful(at: usize, close: usize, rule: Rule) -> Ending {
        Ending {
            doubt: Some(rule),
            ..Ending::clean(at, close)
        }
    }
}

/// A string up to its first unescaped double quote.
struct Skimmed {
    /// Where that quote stands.
    end: usize,
    /// Whether anything before it is not JSON.
    odd: bool,
    survey: Survey,
}

/// What stands behind a possible end of a string.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rest {
    /// It closes all that is open, without a fault of quotes.
    Whole,
    /// It has a fault that a rule covers: nothing speaks against the end.
    Faulty,
    /// It is no rest of this text.
    Broken,
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

/// What the backslashes of one string are.
#[derive(Clone, Copy, Debug, Default)]
struct Survey {
    /// `\b \f \n \r \t`.
    known: usize,
    /// `\u` and four hex digits.
    unicode: usize,
    /// Escapes JSON does not know and no other language means.
    unknown: usize,
    /// Escapes of other languages: one bit a kind.
    foreign: u16,
    /// A foreign escape that looks like the start of a word (`\alpha`).
    word: bool,
    /// `\u` with one to three hex digits.
    broken: usize,
}

/// How the odd backslashes of a string are mended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Plan {
    /// There are none.
    Keep,
    /// Each is a literal backslash, and no other reading exists.
    Stray,
    /// Every lone backslash is literal.
    Literal(Rule),
    /// Foreign escapes are decoded.
    Decode,
    /// Broken `\u` escapes are kept as text.
    Broken,
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
        let confirmed = self.rules.is_empty()
            || self.fit(after, role) >= Fit::Weak && !self.goes_on(after, role);
        let triple = skimmed.end == start + 1 && self.byte(after) == Some(b'"');
        if !confirmed || triple {
            return self.odd_string(role, false);
        }
        if skimmed.odd {
            let quotes = &super::ahead::DOUBLE;
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

    // ---- where a string ends

    /// The end of the string that opens at `start`.
    fn ending(&mut self, start: usize, quotes: &Quotes, role: Role) -> Scan<Ending> {
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

    /// Whether program code goes on behind a string: `+ name`, `if x else y`.
    fn code_follows(&self, at: usize) -> bool {
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
    fn swallowed_string(
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
    fn opened_twice(
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
    fn ends_at_other_quote(
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
    fn first_close(&self, from: usize, quotes: &Quotes) -> Option<(usize, usize)> {
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
    fn resolve(
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
    fn rest_behind(&mut self, content: usize, after: usize) -> Rest {
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

    fn resolve_by_looks(
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

    /// `""a""`: both quotes doubled.
    fn doubled_quotes(&mut self, content: usize, quotes: &Quotes, role: Role) -> Option<Ending> {
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

    /// `“a": 1`: a plain name and another quote, with the colon behind it.
    fn name_in_mixed_quotes(&mut self, content: usize) -> Option<Ending> {
        let word = super::ahead::name_len(self.rest(content));
        let at = content + word;
        let quote = self.character(at)?;
        let other = word > 0 && matches!(quote, '"' | '\'' | '”' | '“' | '’' | '`' | '＂');
        (other && self.fit(at + quote.len_utf8(), Role::Name) == Fit::Strong)
            .then(|| Ending::doubtful(at, quote.len_utf8(), Rule::MissingQuote))
    }

    /// `"a:"b"`: the name lost its closing quote and swallowed the colon.
    fn name_with_colon_inside(&self, content: usize, until: usize) -> Option<Ending> {
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
    fn embedded(&mut self, content: usize, quotes: &Quotes, role: Role) -> Option<Ending> {
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
    fn lost_quote_before_name(&mut self, content: usize, at: usize) -> Option<usize> {
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
    fn before_closers<'t>(&self, text: &'t str) -> Option<&'t str> {
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
    fn end_at_other_quote(&self, content: usize, end: usize) -> Ending {
        let last = self.text[content..end].chars().next_back();
        let len = last
            .filter(|c| matches!(c, '”' | '“' | '„' | '’' | '＂'))
            .map_or(0, char::len_utf8);
        Ending::doubtful(end - len, len, Rule::MissingQuote)
    }

    /// The end of `"word"` at `at`, if it is one: a member name as programs have them.
    fn name_word_end(&self, at: usize) -> Option<usize> {
        let open = self.character(at)?;
        let inner = at + open.len_utf8();
        let rest = self.rest(inner);
        let word = rest.find(|c: char| !super::ahead::is_name_character(c))?;
        let close = rest[word..].chars().next()?;
        (0 < word && word <= 64 && matches!(close, '"' | '\'' | '”'))
            .then(|| inner + word + close.len_utf8())
    }

    /// `["x, "y"]`: the quote at `at` opens the next element, and the next quote closes it well.
    fn lost_quote_before_element(
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
    fn unclosed(
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
            // `{"a\": 1}`: a name that swallowed its own end and all behind it is not cut off.
            if self.ends_in_closers(content).is_some()
                && let Some(ending) = self.escaped_quote(content, quotes, role)
            {
                let at = ending.at - 1;
                return Err(self.refuse(at, at + 1, Expected::Quote, Why::Syntax));
            }
        } else if role != Role::Top {
            if let Some(ending) = self.other_quote(content, quotes, role)
                && self.is_closed(content, ending)
            {
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

    /// Whether a closer follows another quote, or ends the text: else it is cut off, and most quotes also stand in texts.
    fn is_closed(&self, content: usize, ending: Ending) -> bool {
        let next = self.peek(ending.at + ending.close);
        let closer = matches!(self.byte(next), Some(b'}' | b']'));
        let curly = self.rest(ending.at).starts_with(['”', '＂']);
        closer && curly || self.ends_in_closers(content).is_some()
    }

    /// Whether the text ends behind the colon at `at`: a cut name is dropped, whatever quote was meant to end it.
    fn ends_behind_colon(&self, at: usize) -> bool {
        let colon = self.peek(at);
        let len = self.character(colon).map_or(0, char::len_utf8);
        self.byte(self.peek(colon + len)).is_none()
    }

    /// The end of the string where the text's last characters are the closers of what is open.
    fn ends_in_closers(&self, content: usize) -> Option<usize> {
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
    fn other_quote(&mut self, content: usize, quotes: &Quotes, role: Role) -> Option<Ending> {
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
    fn escaped_quote(&mut self, content: usize, quotes: &Quotes, role: Role) -> Option<Ending> {
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

    // ---- what a string holds

    /// How the backslashes between two places are to be read.
    fn plan(&self, from: usize, ending: Ending, quotes: &Quotes, raw: bool) -> Plan {
        match raw {
            true => Plan::Literal(Rule::ByteOrRawPrefix),
            false if ending.literal => Plan::Literal(Rule::DoubtfulBackslash),
            false => self.survey(from, ending.at, quotes).plan(),
        }
    }

    /// Edits what JSON cannot hold in a string of `[from, end)` that wants double quotes.
    pub(super) fn plain_content(&mut self, from: usize, end: usize) -> Scan<()> {
        let ending = Ending::clean(end, 1);
        let quotes = &super::ahead::DOUBLE;
        let plan = self.plan(from, ending, quotes, false);
        self.content(from, ending, quotes, None, plan)
    }

    /// Edits what JSON cannot hold between the quotes.
    fn content(
        &mut self,
        from: usize,
        ending: Ending,
        quotes: &Quotes,
        fix: Option<(FixId, Rule)>,
        plan: Plan,
    ) -> Scan<()> {
        if quotes.open == '`'
            && let Some(template) = self.text[from..ending.at].find("${")
        {
            let place = from + template;
            self.need(
                Rule::CodeLiteral,
                place,
                place + 2,
                Expected::StringCharacter,
            )?;
        }
        let mut inner_fix = fix.filter(|_| quotes.rule.is_some());
        let mut literal_fix = None;
        let mut control_fix = None;
        let mut at = from;
        loop {
            at = special(&self.bytes[..ending.at], at);
            let Some(byte) = self.bytes[..ending.at].get(at).copied() else {
                break;
            };
            match byte {
                b'"' => {
                    let rule = ending
                        .doubt
                        .filter(|_| quotes.rule.is_none())
                        .unwrap_or(Rule::InnerQuote);
                    let (fix, rule) =
                        *inner_fix.get_or_insert_with(|| (self.edits.next_fix(), rule));
                    self.edit_as(fix, rule, at, at + 1, "\\\"");
                    at += 1;
                }
                // Nothing odd was counted: all but an escaped apostrophe or back quote stays as it is.
                b'\\'
                    if plan == Plan::Keep
                        && !matches!(self.bytes.get(at + 1), Some(b'\'' | b'`')) =>
                {
                    at += 2
                }
                // JSON in every reading but a literal one.
                b'\\'
                    if !matches!(plan, Plan::Literal(_))
                        && ending.at > at + 1
                        && is_json_escape(self.bytes[at + 1]) =>
                {
                    at += 2
                }
                b'\\' => at = self.backslash(at, ending.at, plan, quotes, fix, &mut literal_fix)?,
                _ => {
                    self.need(Rule::RawControl, at, at + 1, Expected::StringCharacter)?;
                    let fix = *control_fix.get_or_insert_with(|| self.edits.next_fix());
                    let span = Span::new(at as u32, at as u32 + 1);
                    match byte {
                        b'\n' => {
                            self.edits
                                .push_common(Rule::RawControl, fix, span, Stored::LINE_FEED)
                        }
                        _ => self
                            .edits
                            .push(Rule::RawControl, fix, span, control_escape(byte)),
                    }
                    at += 1;
                }
            }
        }
        Ok(())
    }

    /// One escape inside a string. Gives the place behind it.
    fn backslash(
        &mut self,
        at: usize,
        end: usize,
        plan: Plan,
        quotes: &Quotes,
        delimiters: Option<(FixId, Rule)>,
        fix: &mut Option<FixId>,
    ) -> Scan<usize> {
        let bytes = &self.bytes[..end];
        let escape = Escape::read(self.text, at, end, quotes.open);
        let raw = plan == Plan::Literal(Rule::ByteOrRawPrefix);
        match escape.kind {
            Kind::Fixed if !raw => return Ok(escape.end),
            Kind::Fixed if bytes.get(at + 1) == Some(&b'"') => {
                let fix = *fix.get_or_insert_with(|| self.edits.next_fix());
                self.edit_as(fix, Rule::ByteOrRawPrefix, at, at, "\\\\");
                return Ok(escape.end);
            }
            Kind::Unicode if !raw => return Ok(escape.end),
            Kind::Known if !matches!(plan, Plan::Literal(_)) => return Ok(escape.end),
            Kind::Apostrophe if !raw => {
                let (fix, rule) = match delimiters {
                    Some((fix, rule)) if rule == Rule::BacktickQuotes => (fix, rule),
                    _ => {
                        self.need(Rule::EscapedApostrophe, at, escape.end, Expected::Escape)?;
                        (self.edits.next_fix(), Rule::EscapedApostrophe)
                    }
                };
                self.edit_as(fix, rule, at, at + 1, "");
                return Ok(escape.end);
            }
            Kind::Delimiter => {
                if let Some((fix, rule)) = delimiters {
                    self.edit_as(fix, rule, at, at + 1, "");
                }
                return Ok(escape.end);
            }
            Kind::Broken | Kind::Foreign(_) | Kind::Unknown | Kind::Known => {}
            Kind::Fixed | Kind::Unicode | Kind::Apostrophe => {}
        }
        let rule = match plan {
            Plan::Literal(rule) => rule,
            Plan::Decode => Rule::ForeignEscape,
            Plan::Broken => Rule::BrokenUnicodeEscape,
            Plan::Stray | Plan::Keep => Rule::StrayBackslash,
        };
        self.need(rule, at, escape.end, Expected::Escape)?;
        let fix = *fix.get_or_insert_with(|| self.edits.next_fix());
        match (plan, escape.kind) {
            (Plan::Decode, Kind::Foreign(_)) => {
                let text = json_character(escape.value);
                self.edit_as(fix, rule, at, escape.end, &text);
                Ok(escape.end)
            }
            _ => {
                self.edit_as(fix, rule, at, at + 1, "\\\\");
                // A control character or quote behind the backslash still wants its own edit.
                let behind = bytes.get(at + 1).copied().unwrap_or(b' ');
                Ok(if behind < 0x20 || raw && matches!(behind, b'\\' | b'"') {
                    at + 1
                } else {
                    self.border(at + 2).min(end)
                })
            }
        }
    }

    /// The next character border at or behind `at`.
    pub(super) fn border(&self, at: usize) -> usize {
        (at..self.text.len())
            .find(|at| self.text.is_char_boundary(*at))
            .unwrap_or(self.text.len())
    }

    /// Counts the escapes between two places.
    fn survey(&self, from: usize, end: usize, quotes: &Quotes) -> Survey {
        let mut survey = Survey::default();
        let mut at = from;
        while let Some(found) = memchr::memchr(b'\\', &self.bytes[at..end]) {
            let escape = Escape::read(self.text, at + found, end, quotes.open);
            survey.count(&escape);
            at = escape.end.max(at + found + 1);
        }
        survey
    }

    // ---- triple quotes

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

impl Survey {
    fn count(&mut self, escape: &Escape) {
        match escape.kind {
            Kind::Fixed | Kind::Apostrophe | Kind::Delimiter => {}
            Kind::Known => self.known += 1,
            Kind::Unicode => self.unicode += 1,
            Kind::Unknown => self.unknown += 1,
            Kind::Broken => self.broken += 1,
            Kind::Foreign(kind) => {
                self.foreign |= 1 << kind;
                self.word |= escape.word;
            }
        }
    }

    fn plan(self) -> Plan {
        let odd = self.unknown + self.broken + self.foreign.count_ones() as usize;
        if odd == 0 {
            Plan::Keep
        } else if self.unknown == 0
            && self.broken == 0
            && self.foreign.count_ones() == 1
            && !self.word
        {
            Plan::Decode
        } else if self.unknown == 0 && self.foreign == 0 {
            Plan::Broken
        } else if self.known == 0 && self.unicode == 0 && self.foreign == 0 && self.broken == 0 {
            Plan::Stray
        } else {
            Plan::Literal(Rule::DoubtfulBackslash)
        }
    }
}

/// What kind of escape a backslash begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `\"`, `\\`, `\/`: JSON, and the same in every reading.
    Fixed,
    /// `\b \f \n \r \t`: JSON, but also what paths begin with.
    Known,
    /// `\u` and four hex digits.
    Unicode,
    /// `\'`.
    Apostrophe,
    /// A back quote, in back quotes.
    Delimiter,
    /// `\u` and one to three hex digits.
    Broken,
    /// Of another language; the number tells the kinds apart.
    Foreign(u8),
    /// None that anybody knows.
    Unknown,
}

/// One escape of a string.
pub(super) struct Escape {
    pub(super) kind: Kind,
    /// Behind its last byte.
    pub(super) end: usize,
    /// The character a foreign one means; `None` for nothing at all (a continued line).
    pub(super) value: Option<char>,
    /// Letters go on behind a foreign one, as in `\alpha`.
    pub(super) word: bool,
}

impl Escape {
    /// Reads the escape whose backslash stands at `at`, inside `end`, in a string that `open` opened.
    pub(super) fn read(text: &str, at: usize, end: usize, open: char) -> Escape {
        let bytes = &text.as_bytes()[..end];
        let plain = |kind, len: usize| Escape {
            kind,
            end: (at + len).min(end),
            value: None,
            word: false,
        };
        let foreign = |kind, len: usize, value, word| Escape {
            kind: Kind::Foreign(kind),
            end: at + len,
            value,
            word,
        };
        let Some(next) = text[at + 1..end].chars().next() else {
            return plain(Kind::Unknown, 1);
        };
        let letter_at = |place: usize| {
            bytes.get(place).is_some_and(u8::is_ascii_alphanumeric)
                || bytes.get(place) == Some(&b'.')
        };
        match next {
            '"' | '\\' | '/' => plain(Kind::Fixed, 2),
            'b' | 'f' | 'n' | 'r' | 't' => plain(Kind::Known, 2),
            '\'' => plain(Kind::Apostrophe, 2),
            '`' if open == '`' => plain(Kind::Delimiter, 2),
            '$' if open == '`' && bytes.get(at + 2) == Some(&b'{') => {
                foreign(8, 2, Some('$'), false)
            }
            'u' => match hex_digits(bytes, at + 2, 4) {
                4 => plain(Kind::Unicode, 6),
                0 if bytes.get(at + 2) == Some(&b'{') => {
                    let digits = hex_digits(bytes, at + 3, 6);
                    let value = hex_value(text, at + 3, digits);
                    if digits > 0 && bytes.get(at + 3 + digits) == Some(&b'}') && value.is_some() {
                        foreign(0, 4 + digits, value, false)
                    } else {
                        plain(Kind::Unknown, 2)
                    }
                }
                0 => plain(Kind::Unknown, 2),
                digits => plain(Kind::Broken, 2 + digits),
            },
            'U' if hex_digits(bytes, at + 2, 8) == 8 && hex_value(text, at + 2, 8).is_some() => {
                foreign(1, 10, hex_value(text, at + 2, 8), false)
            }
            'x' if hex_digits(bytes, at + 2, 2) == 2 => {
                foreign(2, 4, hex_value(text, at + 2, 2), false)
            }
            '0'..='7' => {
                let digits = bytes[at + 1..]
                    .iter()
                    .take(3)
                    .take_while(|byte| matches!(byte, b'0'..=b'7'))
                    .count();
                let value = u32::from_str_radix(&text[at + 1..at + 1 + digits], 8)
                    .ok()
                    .and_then(char::from_u32);
                // `\1` is also a group of a regular expression, `\01` is not.
                if digits == 3 || next == '0' {
                    foreign(
                        3,
                        1 + digits,
                        value,
                        bytes.get(at + 1 + digits).is_some_and(u8::is_ascii_digit),
                    )
                } else {
                    plain(Kind::Unknown, 2)
                }
            }
            'v' => foreign(4, 2, Some('\u{B}'), letter_at(at + 2)),
            'a' => foreign(5, 2, Some('\u{7}'), letter_at(at + 2)),
            'e' => foreign(6, 2, Some('\u{1B}'), letter_at(at + 2)),
            '\n' => foreign(7, 2, None, false),
            '\r' if bytes.get(at + 2) == Some(&b'\n') => foreign(7, 3, None, false),
            other => plain(Kind::Unknown, 1 + other.len_utf8()),
        }
    }
}

/// How many hex digits stand at `at`, up to `most`.
fn hex_digits(bytes: &[u8], at: usize, most: usize) -> usize {
    bytes.get(at..).map_or(0, |rest| {
        rest.iter()
            .take(most)
            .take_while(|byte| byte.is_ascii_hexdigit())
            .count()
    })
}

fn hex_value(text: &str, at: usize, digits: usize) -> Option<char> {
    u32::from_str_radix(text.get(at..at + digits)?, 16)
        .ok()
        .and_then(char::from_u32)
}

/// A character as it stands in a JSON string; nothing for a continued line.
pub(super) fn json_character(value: Option<char>) -> String {
    match value {
        None => String::new(),
        Some('"') => "\\\"".into(),
        Some('\\') => "\\\\".into(),
        Some(control) if (control as u32) < 0x20 => control_escape(control as u8).into(),
        Some(other) => other.into(),
    }
}

/// Whether a byte behind a backslash makes an escape of JSON of two bytes.
const fn is_json_escape(byte: u8) -> bool {
    matches!(byte, b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't')
}

/// The escape of a control character (RFC 8259 section 7).
fn control_escape(byte: u8) -> &'static str {
    const ESCAPES: [&str; 32] = [
        "\\u0000", "\\u0001", "\\u0002", "\\u0003", "\\u0004", "\\u0005", "\\u0006", "\\u0007",
        "\\b", "\\t", "\\n", "\\u000b", "\\f", "\\r", "\\u000e", "\\u000f", "\\u0010", "\\u0011",
        "\\u0012", "\\u0013", "\\u0014", "\\u0015", "\\u0016", "\\u0017", "\\u0018", "\\u0019",
        "\\u001a", "\\u001b", "\\u001c", "\\u001d", "\\u001e", "\\u001f",
    ];
    ESCAPES[byte as usize & 31]
}

/// Bytes at the end of a cut string that are half an escape, or half of a surrogate pair.
fn half_escape(text: &str) -> usize {
    let bytes = text.as_bytes();
    for len in 1..=5 {
        let Some(at) = bytes.len().checked_sub(len) else {
            break;
        };
        if bytes[at] == b'\\' {
            let backslashes = bytes[..at]
                .iter()
                .rev()
                .take_while(|byte| **byte == b'\\')
                .count();
            if backslashes % 2 == 1 {
                break;
            }
            let half = len == 1
                || (bytes[at + 1] == b'u' && bytes[at + 2..].iter().all(u8::is_ascii_hexdigit));
            return if half { len } else { 0 };
        }
    }
    let high = bytes.len().checked_sub(6).map(|at| &bytes[at..]);
    let is_high = |escape: &[u8]| {
        escape.starts_with(b"\\u")
            && matches!(escape[2], b'd' | b'D')
            && matches!(escape[3], b'8' | b'9' | b'a' | b'b' | b'A' | b'B')
    };
    match high {
        Some(escape) if is_high(escape) && escape[4..].iter().all(u8::is_ascii_hexdigit) => 6,
        _ => 0,
    }
}

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// The high bit of each byte that is a double quote, a backslash or a control character; bits above the lowest one that
/// is set may be wrong. Turning bit 1 over puts the double quote right behind the control characters, and no other byte
/// below it.
#[inline(always)]
pub(super) const fn special_bits(word: u64) -> u64 {
    let low = word ^ (ONES * 0x02);
    let slash = word ^ (ONES * b'\\' as u64);
    (low.wrapping_sub(ONES * 0x21) & !low | slash.wrapping_sub(ONES) & !slash) & HIGH
}

/// The next byte at or behind `from` that is a double quote, a backslash or a control character; the length of `bytes`
/// if there is none.
#[inline]
pub(super) fn special(bytes: &[u8], from: usize) -> usize {
    special_or(bytes, from, b'"')
}

/// As [`special`], or the byte `other`. Eight bytes at a time: strings are most of what is read.
#[inline]
pub(super) fn special_or(bytes: &[u8], from: usize, other: u8) -> usize {
    let mut at = from;
    while let Some(chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) {
        let word = u64::from_le_bytes(*chunk);
        let mut found = special_bits(word);
        if other != b'"' {
            let other = word ^ (ONES * other as u64);
            found |= other.wrapping_sub(ONES) & !other & HIGH;
        }
        if found != 0 {
            return at + (found.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while let Some(byte) = bytes.get(at) {
        if matches!(byte, b'"' | b'\\' | 0..=0x1F) || *byte == other {
            return at;
        }
        at += 1;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_bytes_are_found_at_every_offset() {
        for byte in 0..=255u8 {
            let is_special = matches!(byte, b'"' | b'\\' | 0..=0x1F);
            for (place, filler) in (0..20).flat_map(|place| [(place, b'\x7f'), (place, 0xFF)]) {
                let mut bytes = vec![filler; 20];
                bytes[place] = byte;
                let found = if is_special { place } else { 20 };
                for from in 0..=place {
                    assert_eq!(
                        special(&bytes, from),
                        found,
                        "{byte} at {place} from {from}"
                    );
                    let other = if byte == filler { from } else { place };
                    assert_eq!(special_or(&bytes, from, byte), other, "{byte} at {place}");
                }
                assert_eq!(special(&bytes, place + 1), 20);
            }
        }
        assert_eq!(
            special("ñ日本語🚀 plain text".as_bytes(), 0),
            "ñ日本語🚀 plain text".len()
        );
    }

    #[test]
    fn half_escapes_at_the_end_are_measured() {
        for (text, half) in [
            ("a\\", 1),
            ("a\\u00", 4),
            ("a\\u", 2),
            ("a\\\\", 0),
            ("a\\n", 0),
            ("a\\ud83d", 6),
            ("a\\ud83d\\ude80", 0),
            ("a\\u00e9", 0),
            ("", 0),
        ] {
            assert_eq!(half_escape(text), half, "{text}");
        }
    }
}
