//! Containers: members, elements, and what separates them.

use super::ahead::Role;
use super::*;

impl Scanner<'_> {
    /// Reads a scalar or opens a container. The cursor may stand on trivia.
    pub(super) fn value(&mut self) -> Scan<Step> {
        self.value_due = true;
        self.trivia()?;
        let start = self.at;
        match self.byte(start) {
            Some(b'"' | b'\'') if self.lost_closer_before(Frame::Array, Frame::Object)? => {
                return Ok(Step::Name);
            }
            Some(b'"') => self.string(self.role())?,
            Some(b'{') if self.rules.has(Rule::SetLiteral) && self.is_set(start) => {
                self.open_edited(Rule::SetLiteral, start, start + 1, "[", Frame::Tuple);
                return Ok(Step::Opened);
            }
            Some(b'{') => return Ok(self.open(Frame::Object)),
            Some(b'[') => return Ok(self.open(Frame::Array)),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b't') if self.literal("true") => {}
            Some(b'f') if self.literal("false") => {}
            Some(b'n') if self.literal("null") => {}
            None => return self.cut_at_value(),
            Some(_) => return self.odd_value(),
        }
        self.value_due = false;
        if !self.was_cut {
            self.good = self.at;
        }
        Ok(Step::After)
    }

    fn open(&mut self, frame: Frame) -> Step {
        self.value_due = false;
        self.stack.push(frame);
        self.at += 1;
        self.good = self.at;
        Step::Opened
    }

    /// The text ends where a value is due.
    #[cold]
    fn cut_at_value(&mut self) -> Scan<Step> {
        self.value_due = false;
        if self.stack.is_empty() {
            return Err(self.refuse(self.at, self.at, Expected::Value, Why::NoJson));
        }
        self.cut_back()
    }

    /// The literal `word`, if it stands here as a whole word.
    fn literal(&mut self, word: &str) -> bool {
        let end = self.at + word.len();
        let whole =
            self.bytes[self.at..self.limit].starts_with(word.as_bytes()) && self.ends_token(end);
        if whole {
            self.at = end;
            self.last = Last::Literal;
        }
        whole
    }

    /// Whether a number or literal can end at `at`: a delimiter of JSON or nothing follows.
    #[inline]
    pub(super) fn ends_token(&self, at: usize) -> bool {
        matches!(
            self.byte(at),
            None | Some(b',' | b'}' | b']' | b' ' | b'\n' | b'\r' | b'\t')
        )
    }

    /// What a string at the cursor would be.
    pub(super) fn role(&self) -> Role {
        match self.stack.top() {
            None => Role::Top,
            Some(frame) if frame.is_object() => Role::Member,
            Some(_) => Role::Element,
        }
    }

    /// Behind an opening bracket.
    pub(super) fn first(&mut self) -> Scan<Step> {
        self.set_mark();
        let object = self.stack.top().is_some_and(Frame::is_object);
        if !object && self.hash_value_follows(self.at) {
            return Ok(Step::Value);
        }
        self.trivia()?;
        match self.byte(self.at) {
            Some(b'}' | b']' | b')') => self.closer(),
            Some(b'"') => Ok(if object { Step::Name } else { Step::Value }),
            Some(b',') => self.surplus_commas(object),
            None => self.cut(self.at, ""),
            Some(0x80..) if self.rest(self.at).starts_with(['｝', '］']) => self.separator(),
            Some(b'{') if object && self.stack.depth() == 1 && self.doubled.is_none() => {
                self.double_brace()
            }
            _ => Ok(if object { Step::Name } else { Step::Value }),
        }
    }

    /// A second `{` directly behind the first: braces doubled by a template.
    #[cold]
    fn double_brace(&mut self) -> Scan<Step> {
        let start = self.at;
        // A template doubles the braces in strings too, so with such strings two texts could be meant.
        let rule = self.doubled_rule(!self.rest(start + 1).contains("{{"));
        self.need(rule, start, start + 1, Expected::Name)?;
        self.doubled = Some((self.edit(rule, start, start + 1, ""), rule));
        self.at += 1;
        Ok(Step::Opened)
    }

    /// The rule for doubled braces: where a schema wants an object they are one envelope too many, if no string
    /// holds some.
    pub(super) fn doubled_rule(&self, strings_hold_none: bool) -> Rule {
        match strings_hold_none && self.schema_wants_object() {
            true => Rule::ExtraEnvelope,
            false => Rule::DoubledBraces,
        }
    }

    /// Whether the whole text has a schema, and that takes an object.
    pub(super) fn schema_wants_object(&self) -> bool {
        let schema = self.tool.and_then(|tool| tool.schema.as_ref());
        schema.is_some_and(|schema| schema.wants_object())
    }

    /// A comma where a member or element is due.
    #[cold]
    fn surplus_commas(&mut self, object: bool) -> Scan<Step> {
        let (rule, expected) = if object {
            (Rule::SurplusComma, Expected::Name)
        } else {
            (Rule::ArrayComma, Expected::Value)
        };
        let start = self.at;
        self.need(rule, start, start + 1, expected)?;
        if self.byte(self.peek(start + 1)).is_none() && self.stack.depth() > 0 {
            return self.cut_back();
        }
        self.edit(rule, start, start + 1, "");
        self.at += 1;
        self.good = self.at;
        self.trivia()?;
        match self.byte(self.at) {
            Some(b'}' | b']' | b')') => self.closer(),
            Some(b',') => self.surplus_commas_again(object),
            None => self.cut_back(),
            _ => Ok(if object { Step::Name } else { Step::Value }),
        }
    }

    /// More of them: a loop by way of the step machine would lose the mark, so it stays here.
    fn surplus_commas_again(&mut self, object: bool) -> Scan<Step> {
        let rule = if object {
            Rule::SurplusComma
        } else {
            Rule::ArrayComma
        };
        loop {
            self.trivia()?;
            match self.byte(self.at) {
                Some(b',') => {
                    self.need(rule, self.at, self.at + 1, Expected::Value)?;
                    self.edit(rule, self.at, self.at + 1, "");
                    self.at += 1;
                    self.good = self.at;
                }
                Some(b'}' | b']' | b')') => return self.closer(),
                None => return self.cut_back(),
                _ => return Ok(if object { Step::Name } else { Step::Value }),
            }
        }
    }

    /// Behind a value in a container.
    pub(super) fn after(&mut self) -> Scan<Step> {
        self.trivia()?;
        match self.byte(self.at) {
            Some(b',') => self.comma(),
            Some(b'}' | b']' | b')') => self.closer(),
            None => self.cut(self.at, ""),
            Some(_) => self.separator(),
        }
    }

    /// A comma behind a value: trailing, surplus, or one that separates.
    fn comma(&mut self) -> Scan<Step> {
        let comma = self.at;
        self.mark = (comma, self.edits.mark());
        self.note_comma();
        let object = self.stack.top().is_some_and(Frame::is_object);
        let white = self.white_end(comma + 1);
        let next = self.peek(white);
        if !object && self.hash_value_follows(comma + 1) {
            self.at = comma + 1;
            self.good = self.at;
            return Ok(Step::Value);
        }
        match self.byte(next) {
            Some(b'}' | b']' | b')') => {
                self.need(Rule::TrailingComma, comma, comma + 1, Expected::Closer)?;
                self.edit(Rule::TrailingComma, comma, comma + 1, "");
                self.at = comma + 1;
                self.trivia()?;
                return self.closer();
            }
            Some(0x80..) if self.rest(next).starts_with(['｝', '］']) => {
                self.need(Rule::TrailingComma, comma, comma + 1, Expected::Closer)?;
                self.edit(Rule::TrailingComma, comma, comma + 1, "");
                self.at = comma + 1;
                self.trivia()?;
                return self.separator();
            }
            Some(b',') => {
                let (rule, expected) = if object {
                    (Rule::SurplusComma, Expected::Name)
                } else {
                    (Rule::ArrayComma, Expected::Value)
                };
                self.need(rule, next, next + 1, expected)?;
                self.edit(rule, comma, comma + 1, "");
                self.at = comma + 1;
                self.trivia()?;
                return self.comma_again(object);
            }
            Some(b';') if !object => {
                self.need(Rule::ListSeparator, next, next + 1, Expected::Value)?;
                self.edit(Rule::ListSeparator, comma, comma + 1, "");
                self.at = comma + 1;
                self.trivia()?;
                return self.separator();
            }
            None if !self.comment_swallows(comma + 1) => {
                self.good = comma + 1;
                self.at = self.limit;
                return self.cut_back();
            }
            _ => {}
        }
        self.good = comma + 1;
        // Where nothing but white space stands between, it need not be walked again.
        self.at = if next == white { next } else { comma + 1 };
        if object && self.byte(next).is_some_and(|byte| byte.is_ascii_digit()) {
            self.refuse_grouped_digits(next)?;
        }
        Ok(if object { Step::Name } else { Step::Value })
    }

    /// A comma in parentheses makes a tuple of them.
    fn note_comma(&mut self) {
        if self.stack.top() == Some(Frame::Tuple)
            && let Some(tuple) = self.fixes.last_mut()
        {
            tuple.comma = true;
        }
    }

    /// The last of several commas stands at the cursor.
    #[cold]
    fn comma_again(&mut self, object: bool) -> Scan<Step> {
        loop {
            let comma = self.at;
            let next = self.peek(comma + 1);
            let rule = match self.byte(next) {
                Some(b',') if object => Rule::SurplusComma,
                Some(b',') => Rule::ArrayComma,
                Some(b'}' | b']' | b')') => Rule::TrailingComma,
                None => return self.cut_back(),
                _ => {
                    self.at = comma + 1;
                    self.good = self.at;
                    return Ok(if object { Step::Name } else { Step::Value });
                }
            };
            self.need(rule, comma, comma + 1, Expected::Closer)?;
            self.edit(rule, comma, comma + 1, "");
            self.at = comma + 1;
            self.trivia()?;
            if rule == Rule::TrailingComma {
                return self.closer();
            }
        }
    }

    /// `{"n": 1,234}`: behind a number and a comma stand digits that are no member name.
    fn refuse_grouped_digits(&self, digits: usize) -> Scan<()> {
        let end = self.token_end(digits);
        let grouped =
            self.last == Last::Number && !matches!(self.byte(self.peek(end)), Some(b':' | b'='));
        if grouped {
            Err(self.refuse(digits, end, Expected::Name, Why::GroupedNumber))
        } else {
            Ok(())
        }
    }

    /// Neither comma nor closer behind a value: another separator, or none at all.
    #[cold]
    fn separator(&mut self) -> Scan<Step> {
        let at = self.at;
        let object = self.stack.top().is_some_and(Frame::is_object);
        let next_step = if object { Step::Name } else { Step::Value };
        let Some(character) = self.character(at) else {
            return self.cut(at, "");
        };
        let end = at + character.len_utf8();
        let rule = match character {
            '，' => Some(Rule::FullwidthPunctuation),
            ';' | '；' | '、' => Some(Rule::ListSeparator),
            '｝' | '］' => return self.wide_closer(character),
            _ => None,
        };
        if let Some(rule) = rule {
            self.need(rule, at, end, Expected::CommaOrCloser)?;
            self.note_comma();
            self.mark = (at, self.edits.mark());
            let next = self.peek(end);
            let closes = matches!(self.byte(next), Some(b'}' | b']' | b')'))
                || self.rest(next).starts_with(['｝', '］']);
            if self.byte(next).is_none() {
                self.at = self.limit;
                return self.cut_back();
            }
            self.edit(rule, at, end, if closes { "" } else { "," });
            self.at = end;
            self.good = end;
            self.trivia()?;
            if !closes {
                return Ok(next_step);
            }
            return if self.byte(self.at).is_some_and(|byte| byte.is_ascii()) {
                self.closer()
            } else {
                self.separator()
            };
        }
        if self.is_ellipsis(at) {
            return Err(self.refuse(
                at,
                self.token_end(at),
                Expected::CommaOrCloser,
                Why::Ellipsis,
            ));
        }
        // Joined strings, cut behind the sign.
        if character == '+' && self.last == Last::Text && self.byte(self.peek(end)).is_none() {
            return self.cut(at, "");
        }
        self.missing_comma(at, object)
    }

    fn wide_closer(&mut self, character: char) -> Scan<Step> {
        let at = self.at;
        let closer = if character == '｝' { "}" } else { "]" };
        let fits = self
            .stack
            .top()
            .is_some_and(|frame| closer.starts_with(frame.closer()));
        let end = at + character.len_utf8();
        if !fits {
            return Err(self.refuse(at, end, Expected::CommaOrCloser, Why::Syntax));
        }
        self.need(Rule::FullwidthPunctuation, at, end, Expected::CommaOrCloser)?;
        self.edit(Rule::FullwidthPunctuation, at, end, closer);
        self.at = end;
        self.close()
    }

    /// Two values side by side.
    fn missing_comma(&mut self, at: usize, object: bool) -> Scan<Step> {
        let newline = self.text[self.good..at].contains('\n');
        let byte = self.bytes[at];
        let quote = self.quote_at(at).is_some();
        let rule = if object {
            if !self.name_ahead(at) {
                if quote && self.last == Last::Text {
                    return Err(self.refuse(
                        at,
                        self.token_end(at),
                        Expected::CommaOrCloser,
                        Why::RuleOff(Rule::InnerQuote),
                    ));
                }
                if matches!(byte, b'{' | b'[')
                    && self.stack.below(1) == Some(Frame::Array)
                    && self.last != Last::Container
                {
                    return self.missing_closer(at);
                }
                if !newline && let Some((start, end)) = self.words_behind(at) {
                    return self.quote_text(Rule::BareValue, start, end);
                }
                let why = if self.is_operator(at) {
                    Why::Code
                } else {
                    Why::Syntax
                };
                return Err(self.refuse(at, self.token_end(at), Expected::CommaOrCloser, why));
            }
            if let Some(quotes) = self.quote_at(at)
                && let Some(end) = self.name_end(at)
            {
                let content = at + quotes.open.len_utf8();
                self.refuse_swallowed_separator(content, &self.text[content..end])?;
            }
            // A bare name behind a string on its line may be a part of that string.
            if self.last == Last::Text && !quote && !newline {
                Rule::MissingCommaStrings
            } else {
                Rule::MissingComma
            }
        } else {
            let digit = byte.is_ascii_digit() || byte == b'-';
            let opener = matches!(byte, b'{' | b'[')
                || byte == b'(' && newline
                || self.rest(at).starts_with(['｛', '［']);
            let word = self
                .character(at)
                .is_some_and(|c| c.is_alphabetic() || c == '_');
            match self.last {
                _ if !(quote || digit || opener || word) => {
                    let why = if self.is_operator(at) {
                        Why::Code
                    } else {
                        Why::Syntax
                    };
                    return Err(self.refuse(at, self.token_end(at), Expected::CommaOrCloser, why));
                }
                // In Python two strings in parentheses are one.
                Last::Text if quote && self.stack.top() == Some(Frame::Tuple) => {
                    return Err(self.refuse(
                        at,
                        self.token_end(at),
                        Expected::CommaOrCloser,
                        Why::Syntax,
                    ));
                }
                // `[True north]`, `[5 apples]`: the words may belong together.
                _ if word && !newline && !self.is_literal_word(at) => {
                    return Err(self.refuse(
                        at,
                        self.token_end(at),
                        Expected::CommaOrCloser,
                        Why::Syntax,
                    ));
                }
                Last::Text if quote && !newline => Rule::MissingCommaStrings,
                Last::Number if digit && !newline => {
                    let digits = self.rest(at).bytes().take_while(u8::is_ascii_digit).count();
                    if digits == 3 {
                        return Err(self.refuse(
                            at,
                            at + digits,
                            Expected::CommaOrCloser,
                            Why::GroupedNumber,
                        ));
                    }
                    Rule::NumberList
                }
                _ => Rule::MissingComma,
            }
        };
        self.need(rule, at, self.token_end(at), Expected::CommaOrCloser)?;
        let place = self.good.max(self.edited_to());
        self.mark = (place, self.edits.mark());
        self.edit(rule, place, place, ",");
        Ok(if object { Step::Name } else { Step::Value })
    }

    /// Whether the word at `at` stands for a literal, or is the prefix of a string.
    pub(super) fn is_literal_word(&self, at: usize) -> bool {
        let end = self.token_end(at);
        let word = &self.text[at..end];
        let prefixed = matches!(self.byte(end), Some(b'"' | b'\''));
        prefixed
            || [
                "true",
                "false",
                "null",
                "none",
                "nan",
                "infinity",
                "undefined",
                "nil",
            ]
            .iter()
            .any(|literal| word.eq_ignore_ascii_case(literal))
    }

    /// `[{"i": 1 {"i": 2}]`: the next element begins before the last one was closed.
    fn missing_closer(&mut self, at: usize) -> Scan<Step> {
        self.need(Rule::MismatchedCloser, at, at + 1, Expected::CommaOrCloser)?;
        self.edit(Rule::MismatchedCloser, at, at, "},");
        self.stack.pop();
        self.set_mark();
        Ok(Step::Value)
    }
}
