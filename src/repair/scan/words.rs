//! Where a value or name is due and no JSON token stands: words, other quotes, tuples, program code.

use super::ahead::{Fit, is_name_character};
use super::*;

impl Scanner<'_> {
    /// A value that does not begin as JSON values do.
    #[cold]
    pub(super) fn odd_value(&mut self) -> Scan<Step> {
        let at = self.at;
        if self.quote_at(at).is_some() {
            self.odd_string(self.role(), false)?;
            return Ok(self.done());
        }
        let Some(character) = self.character(at) else {
            return self.cut_back();
        };
        match character {
            '}' | ']' | ')' | ',' | ':' => {
                let why = if self.stack.is_empty() {
                    Why::NoJson
                } else {
                    Why::MissingValue
                };
                return Err(self.refuse(at, at + 1, Expected::Value, why));
            }
            '｛' => return self.wide_opener('{', Frame::Object),
            '［' => return self.wide_opener('[', Frame::Array),
            '(' => return self.tuple(),
            '+' | '.' if self.is_number_form(at) => {
                self.odd_number(at)?;
                return Ok(self.done());
            }
            _ if self.is_ellipsis(at) => {
                return Err(self.refuse(at, self.token_end(at), Expected::Value, Why::Ellipsis));
            }
            '/' => return self.regex_or_path(),
            _ => {}
        }
        if let Some(len) = self.string_prefix(at)
            && !self.is_lost_quote(at + len)
        {
            return self.prefixed_string(at, len);
        }
        self.word()
    }

    pub(super) fn done(&mut self) -> Step {
        self.value_due = false;
        if !self.was_cut {
            self.good = self.at;
        }
        Step::After
    }

    fn wide_opener(&mut self, opener: char, frame: Frame) -> Scan<Step> {
        let at = self.at;
        self.need(Rule::FullwidthPunctuation, at, at + 3, Expected::Value)?;
        self.edit(
            Rule::FullwidthPunctuation,
            at,
            at + 3,
            opener.encode_utf8(&mut [0; 4]),
        );
        self.at = at + 3;
        self.stack.push(frame);
        self.value_due = false;
        self.good = self.at;
        Ok(Step::Opened)
    }

    /// `(1, 2)`: opened here, its closer gets an edit of the same fix.
    fn tuple(&mut self) -> Scan<Step> {
        let at = self.at;
        if self.rest(at).starts_with("() =>") || self.rest(at).starts_with("()=>") {
            return Err(self.refuse(at, at + 2, Expected::Value, Why::Code));
        }
        self.need(Rule::Tuple, at, at + 1, Expected::Value)?;
        self.open_edited(Rule::Tuple, at, at + 1, "[", Frame::Tuple);
        Ok(Step::Opened)
    }

    /// Opens a level whose opener is not JSON's.
    pub(super) fn open_edited(
        &mut self,
        rule: Rule,
        start: usize,
        end: usize,
        opener: &str,
        frame: Frame,
    ) {
        let fix = self.edit(rule, start, end, opener);
        self.fixes.push(Edited {
            fix,
            opener: self.edits.len() - 1,
            comma: false,
        });
        self.stack.push(frame);
        self.at = end;
        self.good = end;
        self.value_due = false;
    }

    /// Length of a Python string prefix with its quote behind it.
    pub(super) fn string_prefix(&self, at: usize) -> Option<usize> {
        let rest = &self.bytes[at..self.limit];
        let len = rest
            .iter()
            .take(2)
            .take_while(|byte| matches!(byte.to_ascii_lowercase(), b'u' | b'b' | b'r' | b'f'))
            .count();
        (len > 0 && matches!(rest.get(len), Some(b'"' | b'\''))).then_some(len)
    }

    /// `b", "c": 1`: the quote behind the letters ends a string that lost its opening quote.
    fn is_lost_quote(&mut self, quote: usize) -> bool {
        self.fit(quote + 1, self.role()) == Fit::Strong
            && self.byte(quote + 1) != Some(self.bytes[quote])
    }

    fn prefixed_string(&mut self, at: usize, len: usize) -> Scan<Step> {
        let prefix = self.text[at..at + len].to_ascii_lowercase();
        let rule = if prefix == "u" {
            Rule::StringPrefix
        } else {
            Rule::ByteOrRawPrefix
        };
        self.need(rule, at, at + len, Expected::Value)?;
        self.edit(rule, at, at + len, "");
        self.at = at + len;
        self.odd_string(self.role(), prefix.contains('r'))?;
        Ok(self.done())
    }

    /// A word: a literal in another spelling, a constructor, or a bare value.
    fn word(&mut self) -> Scan<Step> {
        let at = self.at;
        let rest = self.rest(at);
        let signed = usize::from(rest.starts_with(['-', '+']));
        let letters = rest[signed..]
            .find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'))
            .unwrap_or(rest.len() - signed);
        let end = at + signed + letters;
        let word = &self.text[at..end];
        if self.word_ends(end) {
            if let Some((rule, value)) = odd_literal(word) {
                self.need(rule, at, end, Expected::Value)?;
                self.edit(rule, at, end, value);
                self.at = end;
                self.last = Last::Literal;
                return Ok(self.done());
            }
            if matches!(word, "true" | "false" | "null") {
                self.at = end;
                self.last = Last::Literal;
                return Ok(self.done());
            }
        }
        if end == self.limit
            && !self.stack.is_empty()
            && let Some(full) = half_literal(word)
        {
            return self.cut_literal(at, full);
        }
        let may_call = matches!(self.byte(end), Some(b'(' | b'.')) || word == "new";
        if may_call && let Some(step) = self.constructor()? {
            return Ok(step);
        }
        self.bare()
    }

    /// A half literal at the end of the text is completed.
    fn cut_literal(&mut self, at: usize, full: &str) -> Scan<Step> {
        self.value_due = false;
        self.at = self.limit;
        self.cut(at, full)
    }

    /// Whether a word can end at `at`: what follows separates, or nothing follows.
    fn word_ends(&self, at: usize) -> bool {
        let next = self.peek(at);
        match self.character(next) {
            None | Some(',' | '}' | ']' | ')' | ';' | '，' | '；' | '、' | '｝' | '］') => {
                true
            }
            Some(_) if self.is_ellipsis(next) => true,
            Some(c) => {
                next > at
                    && (self.text[at..next].contains('\n')
                        || self.quote_at(next).is_some()
                        || matches!(
                            c,
                            '{' | '[' | 't' | 'f' | 'n' | 'T' | 'F' | 'N' | '-' | '0'..='9'
                        ))
            }
        }
    }

    /// `ObjectId("x")`, `new Date("..")`, `Decimal('1.5')`: the argument is kept. Other calls are code.
    fn constructor(&mut self) -> Scan<Option<Step>> {
        let start = self.at;
        let mut at = start;
        if self.rest(at).starts_with("new ") {
            at += 4;
        }
        let rest = self.rest(at);
        let len = rest
            .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$' | '.')))
            .unwrap_or(rest.len());
        let name = &rest[..len];
        let open = at + len;
        if len == 0 || self.byte(open) != Some(b'(') {
            return Ok(None);
        }
        let last = name.rsplit('.').next().unwrap_or(name);
        let argument = self.peek(open + 1);
        if last == "dict" && self.name_ahead(argument) && self.quote_at(argument).is_none() {
            self.need(Rule::NamedParameters, start, open + 1, Expected::Value)?;
            self.open_edited(Rule::NamedParameters, start, open + 1, "{", Frame::Call);
            return Ok(Some(Step::Opened));
        }
        let capital = last.starts_with(|c: char| c.is_uppercase());
        let collection = matches!(
            last,
            "Map" | "Set" | "WeakMap" | "WeakSet" | "Array" | "Object" | "Function" | "Symbol"
        );
        let close = if capital && !collection {
            self.lone_argument(argument)
        } else {
            None
        };
        let Some(close) = close else {
            let why = if capital && !collection {
                Why::Constructor
            } else {
                Why::Code
            };
            return Err(self.refuse(start, open, Expected::Value, why));
        };
        self.need(Rule::Constructor, start, open, Expected::Value)?;
        let fix = self.edit(Rule::Constructor, start, argument, "");
        // The argument alone: a scalar, so nothing nests here.
        let (stack, limit) = (std::mem::take(&mut self.stack), self.limit);
        (self.at, self.limit) = (argument, close);
        let read = self.value();
        (self.stack, self.limit) = (stack, limit);
        read?;
        let end = self.peek(self.at);
        if end != close {
            return Err(self.refuse(self.at, close, Expected::Closer, Why::Constructor));
        }
        self.edit_as(fix, Rule::Constructor, self.at, close + 1, "");
        self.at = close + 1;
        Ok(Some(self.done()))
    }

    /// Where the parenthesis behind one scalar argument stands.
    fn lone_argument(&mut self, argument: usize) -> Option<usize> {
        let end = if let Some(quotes) = self.quote_at(argument) {
            let mut at = argument + quotes.open.len_utf8();
            loop {
                let character = self.character(at)?;
                at += character.len_utf8();
                if !self.pay(1) {
                    return None;
                }
                if character == '\\' {
                    at += self.character(at)?.len_utf8();
                } else if quotes.close.contains(&character) {
                    break at;
                }
            }
        } else {
            self.byte(argument)
                .filter(|byte| byte.is_ascii_digit() || *byte == b'-')?;
            self.token_end(argument)
        };
        let close = self.peek(end);
        (self.byte(close) == Some(b')')).then_some(close)
    }

    /// `/b+/i` or a path.
    fn regex_or_path(&mut self) -> Scan<Step> {
        let at = self.at;
        let line = self.line_near(at);
        let close = line[1..]
            .char_indices()
            .find(|(index, c)| *c == '/' && !line[..index + 1].ends_with('\\'));
        if let Some((index, _)) = close {
            let end = at + 1 + index + 1;
            let flags = self
                .rest(end)
                .bytes()
                .take_while(u8::is_ascii_lowercase)
                .count();
            let body = &self.text[at + 1..end - 1];
            if self.word_ends(end + flags) && !body.is_empty() {
                let plain = body.chars().all(|c| is_name_character(c) || c == ' ');
                let rule = if plain {
                    Rule::BareValue
                } else {
                    Rule::CodeLiteral
                };
                return self.quote_text(rule, at, end + flags);
            }
        }
        self.bare()
    }
}

/// The rule and the JSON text for a word that means a literal elsewhere.
pub(super) fn odd_literal(word: &str) -> Option<(Rule, &'static str)> {
    Some(match word {
        "true" | "false" | "null" => return None,
        "none" | "nil" | "Nil" | "NIL" => (Rule::NoneLiteral, "null"),
        "None" | "NONE" => (Rule::LiteralCase, "null"),
        _ if word.eq_ignore_ascii_case("true") => (Rule::LiteralCase, "true"),
        _ if word.eq_ignore_ascii_case("false") => (Rule::LiteralCase, "false"),
        _ if word.eq_ignore_ascii_case("null") => (Rule::LiteralCase, "null"),
        "undefined" => (Rule::NonFinite, "null"),
        _ => {
            let bare = word.strip_prefix(['-', '+']).unwrap_or(word);
            let lost = ["nan", "infinity", "inf"]
                .iter()
                .any(|name| bare.eq_ignore_ascii_case(name));
            return lost.then_some((Rule::NonFinite, "null"));
        }
    })
}

/// The literal that a word at the end of the text is the beginning of.
fn half_literal(word: &str) -> Option<&'static str> {
    const FULL: [(&str, &str); 8] = [
        ("true", "true"),
        ("false", "false"),
        ("null", "null"),
        ("True", "true"),
        ("False", "false"),
        ("None", "null"),
        ("NaN", "null"),
        ("undefined", "null"),
    ];
    let whole = |full: &str| full.starts_with(word) && !word.is_empty();
    FULL.iter()
        .find(|(full, _)| whole(full))
        .map(|(_, value)| *value)
}
