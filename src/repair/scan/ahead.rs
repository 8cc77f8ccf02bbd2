//! Looking ahead: what a quote could end, and whether a member name follows. Nothing here changes anything.

use super::*;

/// What a string is in its container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A member name.
    Name,
    /// The value of a member.
    Member,
    /// An element.
    Element,
    /// The whole text.
    Top,
}

/// How well a quote fits as the end of its string, by what follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fit {
    /// What follows cannot stand there.
    No,
    /// What follows can stand there after a further fault, or says nothing.
    Weak,
    /// What follows is what the container wants.
    Strong,
}

/// Longest member name that is looked for, in bytes.
pub(super) const LONGEST_NAME: usize = 256;

impl Scanner<'_> {
    /// Whether a member name and a colon follow at `from`.
    pub(super) fn name_ahead(&mut self, from: usize) -> bool {
        let start = self.peek(from);
        if !self.pay(start - from + 8) {
            return false;
        }
        let Some(end) = self.name_end(start) else {
            return false;
        };
        self.pay(end - start);
        let colon = self.peek(end);
        let rest = self.rest(colon);
        if rest.starts_with("==") {
            return false;
        }
        // `https://` is no name; behind a quoted name, `//` begins a comment.
        let quoted = self.quote_at(start).is_some();
        rest.starts_with([':', '=', '：']) && (quoted || !rest.starts_with("://"))
    }

    /// Where a name that begins at `start` ends: behind its closing quote, or behind its word.
    pub(super) fn name_end(&self, start: usize) -> Option<usize> {
        let Some(quotes) = self.quote_at(start) else {
            let rest = self.rest(start);
            let word = name_len(rest);
            // `u'name'`
            if word == 1
                && rest.starts_with(['u', 'U', 'b', 'B'])
                && matches!(self.byte(start + 1), Some(b'"' | b'\''))
            {
                return self.name_end(start + 1);
            }
            return (0 < word && word <= LONGEST_NAME).then_some(start + word);
        };
        let mut at = start + quotes.open.len_utf8();
        let stop = self.limit.min(start + LONGEST_NAME);
        if quotes.open.is_ascii() {
            let bytes = &self.bytes[..stop];
            loop {
                at += memchr::memchr3(quotes.open as u8, b'\\', b'\n', bytes.get(at..)?)?;
                match bytes[at] {
                    b'\\' => at += 2,
                    b'\n' => return None,
                    _ => return Some(at + 1),
                }
            }
        }
        while at < stop {
            let character = self.character(at)?;
            at += character.len_utf8();
            if character == '\\' {
                at += self.character(at)?.len_utf8();
            } else if quotes.close.contains(&character) {
                return Some(at);
            } else if character == '\n' {
                return None;
            }
        }
        None
    }

    /// How well a quote that ends before `after` fits as the end of a string of this role.
    pub(super) fn fit(&mut self, after: usize, role: Role) -> Fit {
        let next = self.peek(after);
        if !self.pay(next - after + 8) {
            return Fit::No;
        }
        if matches!(role, Role::Member | Role::Element) && self.comment_in_string(after, role) {
            return Fit::No;
        }
        let Some(character) = self.character(next) else {
            return if role == Role::Top {
                Fit::Strong
            } else {
                Fit::Weak
            };
        };
        let bytes = self.bytes;
        let newline = || bytes[after..next].contains(&b'\n');
        match role {
            Role::Top => match character {
                ':' => Fit::Strong,
                _ => Fit::Weak,
            },
            Role::Name => match character {
                ':' | '：' => Fit::Strong,
                '=' if !self.rest(next).starts_with("==") => Fit::Strong,
                '{' | '[' | ',' | '}' => Fit::Weak,
                c if next > after && (c.is_ascii_digit() || self.quote_at(next).is_some()) => {
                    Fit::Weak
                }
                't' | 'f' | 'n' | 'T' | 'F' | 'N' | '-' if next > after => Fit::Weak,
                // `"a"1`, `"a" .5`
                '0'..='9' | 't' | 'f' | 'n' | '+' | '.' | 'u' | 'I'
                    if self.scalar_at(next) && self.scalar_then_separator(next) =>
                {
                    Fit::Weak
                }
                _ => Fit::No,
            },
            Role::Member => match character {
                '}' => self.fit_closer(next + 1),
                ',' | '，' => self.fit_comma(next + character.len_utf8()),
                ']' => Fit::Weak,
                ')' if self.stack.top() == Some(Frame::Call) => Fit::Strong,
                ';' | '；' | '、' if self.name_ahead(next + character.len_utf8()) => Fit::Strong,
                '+' if self.byte(self.peek(next + 1)).is_none() => Fit::Weak,
                '+' if self.quote_at(self.peek(next + 1)).is_some() => Fit::Strong,
                '｝' => Fit::Strong,
                '.' if self.is_ellipsis(next) => Fit::Weak,
                c if !newline()
                    && next > after
                    && c.is_alphabetic()
                    && self.bare_member_ahead(next) =>
                {
                    Fit::Weak
                }
                _ if self.quote_at(next).is_some() || newline() => {
                    if self.name_ahead(next) {
                        Fit::Strong
                    } else if next > after
                        && self.quote_at(next).is_some()
                        && self.string_closes(next, role)
                    {
                        Fit::Weak
                    } else {
                        Fit::No
                    }
                }
                _ => Fit::No,
            },
            Role::Element => match character {
                ']' => self.fit_closer(next + 1),
                ')' | '}' if self.stack.top() == Some(Frame::Tuple) => Fit::Strong,
                '}' | ')' => Fit::Weak,
                ',' | '，' => self.fit_element_comma(next + character.len_utf8()),
                ';' | '；' | '、' => Fit::Weak,
                '+' if self.byte(self.peek(next + 1)).is_none() => Fit::Weak,
                '+' if self.quote_at(self.peek(next + 1)).is_some() => Fit::Strong,
                '］' => Fit::Strong,
                '.' if self.is_ellipsis(next) => Fit::Weak,
                // `"use "{" here"`: a space before the quote and none behind it.
                '{' | '[' if next == after && self.spaced_quote(after) => Fit::No,
                '{' | '[' if newline() => Fit::Strong,
                '{' | '[' => Fit::Weak,
                _ if newline()
                    && (self.quote_at(next).is_some() || self.scalar_then_separator(next)) =>
                {
                    Fit::Strong
                }
                _ if newline() => Fit::Weak,
                // `"x = """`: an empty string glued to another is none.
                _ if next == after && self.bytes[next..self.limit].starts_with(b"\"\"") => Fit::No,
                _ if self.quote_at(next).is_some() && self.string_closes(next, role) => Fit::Weak,
                c if next > after
                    && (c.is_ascii_digit() || matches!(c, 't' | 'f' | 'n'))
                    && self.scalar_then_separator(next) =>
                {
                    Fit::Weak
                }
                _ => Fit::No,
            },
        }
    }

    /// `"grep "#include" src"`: what begins like a line comment behind the quote that ends before `after` goes on to
    /// another quote that ends the string better. A comment that holds an element (`// "b",`) is one.
    fn comment_in_string(&mut self, after: usize, role: Role) -> bool {
        let start = self.white_end(after);
        let marker = match self.byte(start) {
            Some(b'#') => 1,
            Some(b'/') if self.byte(start + 1) == Some(b'/') => 2,
            _ => return false,
        };
        let text = self.text;
        let line = &text[start + marker..self.line_end(start).max(start + marker)];
        if !self.pay(line.len()) {
            return true;
        }
        let Some(quote) = self.text[..after].chars().next_back() else {
            return false;
        };
        let Some((text, behind)) = line.rsplit_once(quote) else {
            return false;
        };
        let glued = start == after;
        if !glued && line.trim_start().starts_with(quote) {
            return false;
        }
        let closers = behind.trim_matches([' ', '\t', ',', '}', ']', ')', ';']);
        let separated = behind.contains([',', '}', ']']);
        let ends = start + marker + text.len() + quote.len_utf8();
        closers.is_empty()
            && (separated || glued || text.matches(quote).count() % 2 == 0)
            && self.fit(ends, role) == Fit::Strong
    }

    /// `b: "y"`: a bare name, a colon and the start of a value.
    fn bare_member_ahead(&mut self, at: usize) -> bool {
        let Some(end) = self.name_end(at) else {
            return false;
        };
        let colon = self.peek(end);
        if self.byte(colon) != Some(b':') {
            return false;
        }
        let value = self.peek(colon + 1);
        match self.byte(value) {
            Some(b'"' | b'\'') => self.string_closes(value, Role::Member),
            Some(b'{' | b'[') => true,
            _ => self.scalar_then_separator(value),
        }
    }

    /// Whether white space stands before the quote that ends before `after`.
    fn spaced_quote(&self, after: usize) -> bool {
        let mut before = self.text[..after].chars().rev();
        before.next();
        before.next().is_some_and(char::is_whitespace)
    }

    /// A string and its closer: does the rest suit the closer? `after` is behind it.
    fn fit_closer(&mut self, after: usize) -> Fit {
        let next = self.peek(after);
        self.pay(next - after + 1);
        match self.byte(next) {
            None | Some(b'}' | b']' | b',') => Fit::Strong,
            Some(0x80..) if self.rest(next).starts_with(['，', '｝', '］']) => Fit::Strong,
            Some(b'{' | b'[')
                if self.stack.depth() > 1 && self.text[after..next].contains('\n') =>
            {
                Fit::Strong
            }
            Some(b')') if matches!(self.stack.below(1), Some(Frame::Tuple | Frame::Call)) => {
                Fit::Strong
            }
            Some(b')' | b';' | b'`' | b'<') if self.stack.depth() <= 1 => Fit::Strong,
            Some(_) if self.quote_at(next).is_some() => {
                if self.stack.depth() > 1 && self.text[after..next].contains('\n') {
                    Fit::Strong
                } else {
                    Fit::No
                }
            }
            Some(_) if self.stack.depth() <= 1 || self.text[after..next].contains('\n') => {
                Fit::Weak
            }
            Some(b'{' | b'[') => Fit::Weak,
            Some(_) => Fit::No,
        }
    }

    /// A member's string and a comma: a name, a closer, or the end has to follow.
    fn fit_comma(&mut self, after: usize) -> Fit {
        let next = self.peek(after);
        self.pay(next - after + 1);
        match self.byte(next) {
            None => Fit::Weak,
            Some(b'}' | b']' | b',') => Fit::Strong,
            Some(0x80..) if self.rest(next).starts_with(['｝', '］']) => Fit::Strong,
            Some(b'.') if self.is_ellipsis(next) => Fit::Strong,
            _ if self.name_ahead(next) => Fit::Strong,
            Some(_) if self.quote_at(next).is_some() && self.name_end(next).is_none() => Fit::Weak,
            Some(_) if self.quote_at(next).is_some() && self.name_with_fault(next) => Fit::Weak,
            _ if self.half_quoted_name_at(next) => Fit::Weak,
            // The text is cut off inside a bare name.
            _ if next + name_len(self.rest(next)) == self.limit => Fit::Weak,
            _ => Fit::No,
        }
    }

    /// `b": 2`: a name that lost its opening quote.
    pub(super) fn half_quoted_name_at(&self, at: usize) -> bool {
        let rest = self.rest(at);
        let word = name_len(rest);
        word > 0
            && rest[word..]
                .trim_start()
                .strip_prefix('"')
                .is_some_and(|rest| rest.trim_start().starts_with(':'))
    }

    /// A quoted name behind which the colon is missing, or that swallowed its colon, or in doubled quotes.
    fn name_with_fault(&mut self, at: usize) -> bool {
        let Some(end) = self.name_end(at) else {
            return true;
        };
        let open = self.character(at).map_or(1, char::len_utf8);
        let name = &self.text[at + open..end];
        if name == "\"" {
            return true;
        }
        let next = self.peek(end);
        if name.starts_with(char::is_whitespace) {
            return false;
        }
        let swallowed = name
            .trim_end_matches(['"', '\''])
            .trim_end_matches([' ', '[', '{'])
            .ends_with(':');
        swallowed
            || self.member_without_quote(at + open)
            || matches!(
                self.byte(next),
                None | Some(b'{' | b'[' | b'}' | b',' | b'0'..=b'9')
            )
            || next > end && self.literal_at(next)
            || next > end && self.quote_at(next).is_some() && self.string_closes(next, Role::Name)
    }

    /// `b: 2, "c"`: a name that lost its closing quote, with a value that is no string.
    fn member_without_quote(&self, at: usize) -> bool {
        let word = name_len(self.rest(at));
        let colon = self.peek(at + word);
        if word == 0 || self.byte(colon) != Some(b':') {
            return false;
        }
        let value = self.peek(colon + 1);
        match self.byte(value) {
            Some(b'[' | b'{') => true,
            Some(b'0'..=b'9' | b'-') => self.scalar_then_separator(value),
            _ => self.literal_at(value),
        }
    }

    /// An element's string and a comma: an element, a closer, or the end has to follow.
    fn fit_element_comma(&mut self, after: usize) -> Fit {
        let next = self.peek(after);
        self.pay(next - after + 1);
        match self.character(next) {
            None => Fit::Weak,
            Some('{' | '[' | ']' | ',' | '(' | '-' | '0'..='9' | '］' | '｛' | '［') => {
                Fit::Strong
            }
            Some('+' | '.') if self.is_number_form(next) => Fit::Strong,
            Some('t' | 'f' | 'n' | 'T' | 'F' | 'N') if self.scalar_then_separator(next) => {
                Fit::Strong
            }
            Some('u' | 'b' | 'r' | 'f') if self.quote_at(next + 1).is_some() => Fit::Strong,
            Some(_) if self.is_ellipsis(next) => Fit::Strong,
            Some(_) if self.quote_at(next).is_some() && self.string_is_doubtful(next) => Fit::Weak,
            Some(_) if self.quote_at(next).is_some() => Fit::Strong,
            Some(_) => Fit::Weak,
        }
    }

    /// A word or number at `at` behind which the container goes on.
    fn scalar_then_separator(&self, at: usize) -> bool {
        let end = self.token_end(at);
        let next = self.peek(end);
        self.text[end..next].contains('\n')
            || matches!(self.byte(next), None | Some(b',' | b'}' | b']' | b')'))
            || self.rest(next).starts_with(['，', '｝', '］'])
    }

    /// Whether a number in any notation stands at `at`, or a literal.
    pub(super) fn scalar_at(&self, at: usize) -> bool {
        let rest = self.rest(at);
        let number = rest.starts_with(|c: char| c.is_ascii_digit())
            || rest.starts_with(['+', '.', '-']) && self.is_number_form(at);
        let word = &self.text[at..self.token_end(at)];
        number || matches!(word, "NaN" | "Infinity" | "undefined") || self.literal_at(at)
    }

    /// `true`, `None` and their like at `at`, with a separator behind.
    pub(super) fn literal_at(&self, at: usize) -> bool {
        let end = self.token_end(at);
        matches!(
            &self.text[at..end],
            "true" | "false" | "null" | "True" | "False" | "None"
        ) && (self.ends_token(end) || self.scalar_then_separator(at))
    }

    /// Whether a string that opens at `at` closes on its line with something fitting behind.
    fn string_closes(&mut self, at: usize, role: Role) -> bool {
        let Some(end) = self.string_end(at) else {
            return false;
        };
        let next = self.peek(end);
        match self.byte(next) {
            None | Some(b',' | b'}' | b']') => true,
            _ => role != Role::Name && self.quote_at(next).is_some() && next > end,
        }
    }

    /// Whether a string that opens at `at` has a quote on its line that cannot end it: more is wrong than a quote before.
    fn string_is_doubtful(&mut self, at: usize) -> bool {
        let Some(end) = self.string_end(at) else {
            return false;
        };
        let next = self.peek(end);
        !self.text[end..next].contains('\n')
            && self.character(next).is_some_and(char::is_alphanumeric)
    }

    /// Behind the quote that closes the string at `at` on its line.
    pub(super) fn string_end(&mut self, at: usize) -> Option<usize> {
        let quotes = self.quote_at(at)?;
        let mut end = at + quotes.open.len_utf8();
        loop {
            let character = self.character(end)?;
            end += character.len_utf8();
            if !self.pay(1) || character == '\n' {
                return None;
            }
            if character == '\\' {
                end += self.character(end).map_or(0, char::len_utf8);
            } else if quotes.close.contains(&character) {
                return Some(end);
            }
        }
    }

    /// Whether the brace at `at` opens a Python set: a quoted string and a comma, a string in single quotes alone, or
    /// numbers with commas between them.
    pub(super) fn is_set(&mut self, at: usize) -> bool {
        let first = self.peek(at + 1);
        if self.quote_at(first).is_none() {
            let rest = self.rest(first);
            let numbers = rest
                .bytes()
                .position(|byte| !matches!(byte, b'0'..=b'9' | b'-' | b'.' | b',' | b' ' | b'\n'));
            return numbers.is_some_and(|end| {
                self.pay(end);
                rest[end..].starts_with('}')
                    && rest[..end].trim_end().contains(',')
                    && rest.starts_with(|c: char| c.is_ascii_digit() || c == '-')
            });
        }
        let Some(end) = self.name_end(first) else {
            return false;
        };
        self.pay(end - at);
        let next = self.peek(end);
        match self.byte(next) {
            Some(b',') => !self.name_ahead(next + 1),
            Some(b'}') => self.byte(first) == Some(b'\''),
            _ => false,
        }
    }

    /// `...` or `…` at `at`.
    pub(super) fn is_ellipsis(&self, at: usize) -> bool {
        match self.byte(at) {
            Some(b'.') => self.bytes[at..self.limit].starts_with(b"..."),
            Some(0xE2) => self.rest(at).starts_with('…'),
            _ => false,
        }
    }

    /// A sign of arithmetic between values at `at`.
    pub(super) fn is_operator(&self, at: usize) -> bool {
        self.rest(at)
            .starts_with(['+', '*', '/', '%', '&', '|', '<', '>', '?', '(', '=', '.'])
    }
}

/// What a bare member name is made of: letters and digits of any script, `_ $ - .`
pub(super) fn is_name_character(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$' | '-' | '.') || is_mark(c)
}

/// Length in bytes of the bare name that `text` begins with; 0 where it begins with none.
pub(super) fn name_len(text: &str) -> usize {
    let ascii = text.bytes().position(|byte| {
        !(byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'-' | b'.'))
    });
    match ascii {
        Some(at) if text.as_bytes()[at].is_ascii() => at,
        _ => text
            .find(|c: char| !is_name_character(c))
            .unwrap_or(text.len()),
    }
}

/// Combining marks, which belong to the letter before them. `char` has no test for them.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36F}' | '\u{900}'..='\u{903}' | '\u{93A}'..='\u{94F}' | '\u{E31}'..='\u{E4E}' | '\u{3099}'..='\u{309A}')
}
