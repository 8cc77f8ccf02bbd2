//! A member's name and the colon behind it, in all the forms that names take.

use super::ahead::{Role, is_name_character, name_len};
use super::*;

impl Scanner<'_> {
    /// A member name and its colon.
    pub(super) fn member(&mut self) -> Scan<Step> {
        self.trivia()?;
        match self.byte(self.at) {
            Some(b'"') => {
                let start = self.at;
                self.string(Role::Name)?;
                if self.was_cut {
                    return Ok(Step::After);
                }
                self.colon(start)
            }
            None => self.cut_back(),
            Some(b'{') if self.lost_closer_before(Frame::Object, Frame::Array)? => Ok(Step::Value),
            Some(b'[' | b'{') if self.reopen_array()? => Ok(Step::Value),
            Some(_) => self.odd_name(),
        }
    }

    /// A member name that does not begin with a double quote.
    #[cold]
    pub(super) fn odd_name(&mut self) -> Scan<Step> {
        let at = self.at;
        if self.quote_at(at).is_some() {
            self.odd_string(Role::Name, false)?;
            return if self.was_cut {
                Ok(Step::After)
            } else {
                self.colon(at)
            };
        }
        if self.is_ellipsis(at) {
            return Err(self.refuse(at, self.token_end(at), Expected::Name, Why::Ellipsis));
        }
        let prefix = self
            .string_prefix(at)
            .filter(|len| self.byte(self.peek(at + len + 1)) != Some(b':'));
        if let Some(len) = prefix {
            let plain = self.bytes[at..at + len].eq_ignore_ascii_case(b"u");
            let rule = if plain {
                Rule::StringPrefix
            } else {
                Rule::ByteOrRawPrefix
            };
            self.need(rule, at, at + len, Expected::Name)?;
            self.edit(rule, at, at + len, "");
            self.at = at + len;
            self.odd_string(Role::Name, false)?;
            return if self.was_cut {
                Ok(Step::After)
            } else {
                self.colon(at + len)
            };
        }
        let rest = self.rest(at);
        let len = name_len(rest);
        if len == 0 {
            return Err(self.refuse(at, self.token_end(at), Expected::Name, Why::Syntax));
        }
        let end = at + len;
        let next = self.peek(end);
        match self.character(next) {
            Some(':' | '=' | '：') => {}
            None => return self.cut_back(),
            Some('{' | '[') => {}
            Some('"' | '\'') if self.byte(self.peek(next + 1)) == Some(b':') => {
                return self.half_quoted_name(at, end, next);
            }
            _ => return self.name_of_words(at, end),
        }
        let rule = if self.stack.top() == Some(Frame::Call) {
            Rule::NamedParameters
        } else {
            Rule::BareKey
        };
        self.need(rule, at, end, Expected::Name)?;
        let fix = self.edit(rule, at, at, "\"");
        self.edit_as(fix, rule, end, end, "\"");
        self.at = end;
        self.good = end;
        self.colon(at)
    }

    /// `b": 2`: the opening quote is missing.
    fn half_quoted_name(&mut self, at: usize, end: usize, quote: usize) -> Scan<Step> {
        self.need(Rule::MissingQuote, at, end, Expected::Name)?;
        let fix = self.edit(Rule::MissingQuote, at, at, "\"");
        if self.bytes[quote] != b'"' || quote != end {
            self.edit_as(fix, Rule::MissingQuote, end, quote + 1, "\"");
        }
        self.at = quote + 1;
        self.good = self.at;
        self.colon(at)
    }

    /// `first name: "x"`: several words before the colon.
    fn name_of_words(&mut self, at: usize, first: usize) -> Scan<Step> {
        let line = self.line_near(at);
        let words = line
            .find(|c: char| !(is_name_character(c) || c == ' ' || c == '\t'))
            .unwrap_or(line.len());
        let name = line[..words].trim_end();
        let colon = line[words..].starts_with(':') && name.split_whitespace().count() <= 4;
        if !colon || name.is_empty() {
            return Err(self.refuse(at, first, Expected::Name, Why::Syntax));
        }
        let end = at + name.len();
        self.need(Rule::MissingQuote, at, end, Expected::Name)?;
        let fix = self.edit(Rule::MissingQuote, at, at, "\"");
        self.escape_text(fix, Rule::MissingQuote, at, end);
        self.edit_as(fix, Rule::MissingQuote, end, end, "\"");
        self.at = end;
        self.good = end;
        self.colon(at)
    }

    /// The colon behind a name that began at `name`.
    pub(super) fn colon(&mut self, name: usize) -> Scan<Step> {
        let end_of_name = self.at;
        self.trivia()?;
        let at = self.at;
        let Some(byte) = self.byte(at) else {
            return self.cut_back();
        };
        if byte == b':' && !matches!(self.byte(at + 1), Some(b':' | b'=')) {
            self.at += 1;
            self.good = self.at;
            self.refuse_missing_value()?;
            return Ok(Step::Value);
        }
        self.odd_colon(name, end_of_name)
    }

    /// `{"a": , ..}` and `{"a": }`: nothing says which value was meant.
    fn refuse_missing_value(&self) -> Scan<()> {
        match self.byte(self.at) {
            Some(b' ' | b'\n' | b'\r' | b'\t' | b',' | b'}' | b']') => {}
            _ => return Ok(()),
        }
        let next = self.peek(self.at);
        match self.byte(next) {
            Some(b',' | b'}' | b']') => {
                Err(self.refuse(next, next + 1, Expected::Value, Why::MissingValue))
            }
            _ => Ok(()),
        }
    }

    #[cold]
    fn odd_colon(&mut self, name: usize, end_of_name: usize) -> Scan<Step> {
        let at = self.at;
        let rest = self.rest(at);
        let lookalike = ["=>", ":=", "::", "==", "="]
            .into_iter()
            .find(|sign| rest.starts_with(*sign));
        let call = self.stack.top() == Some(Frame::Call);
        if let Some(sign) = lookalike.filter(|sign| *sign != "==") {
            let end = at + sign.len();
            let rule = if call {
                Rule::NamedParameters
            } else {
                Rule::ColonLookalike
            };
            self.need(rule, at, end, Expected::Colon)?;
            self.edit(rule, at, end, ":");
            self.at = end;
        } else if rest.starts_with('：') {
            self.need(Rule::FullwidthPunctuation, at, at + 3, Expected::Colon)?;
            self.edit(Rule::FullwidthPunctuation, at, at + 3, ":");
            self.at = at + 3;
        } else {
            let byte = rest.as_bytes()[0];
            let negative = byte == b'-' && rest.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
            let scalar = negative || self.scalar_at(at);
            let quoted_name = self.quote_at(name).is_some();
            let rule = if matches!(byte, b'{' | b'[') || scalar && quoted_name {
                Rule::MissingColon
            } else if self.quote_at(at).is_some() && quoted_name {
                Rule::MissingColonStrings
            } else {
                return Err(self.refuse(at, self.token_end(at), Expected::Colon, Why::Syntax));
            };
            self.need(rule, at, self.token_end(at), Expected::Colon)?;
            let place = end_of_name.max(self.edited_to());
            self.edit(rule, place, place, ":");
        }
        self.good = self.at;
        self.refuse_missing_value()?;
        Ok(Step::Value)
    }
}
