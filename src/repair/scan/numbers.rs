//! Numbers: RFC 8259 section 6, and the notations of other languages. No digit is ever rounded.

use super::*;

impl Scanner<'_> {
    /// A number at the cursor, which stands on a digit or a minus sign.
    pub(super) fn number(&mut self) -> Scan<()> {
        let start = self.at;
        match self.strict_number(start) {
            Some(end) if self.ends_token(end) => {
                self.at = end;
                self.last = Last::Number;
                Ok(())
            }
            _ => self.odd_number(start),
        }
    }

    /// Where the number of RFC 8259 that begins at `at` ends; `None` where there is none.
    fn strict_number(&self, at: usize) -> Option<usize> {
        let digits = |mut at: usize| {
            while let Some(b'0'..=b'9') = self.byte(at) {
                at += 1;
            }
            at
        };
        let mut at = if self.byte(at) == Some(b'-') {
            at + 1
        } else {
            at
        };
        at = match self.byte(at)? {
            b'0' => at + 1,
            b'1'..=b'9' => digits(at + 1),
            _ => return None,
        };
        if self.byte(at) == Some(b'.') {
            let end = digits(at + 1);
            if end == at + 1 {
                return None;
            }
            at = end;
        }
        if let Some(b'e' | b'E') = self.byte(at) {
            let sign = at + 1 + usize::from(matches!(self.byte(at + 1), Some(b'+' | b'-')));
            let end = digits(sign);
            if end == sign {
                return None;
            }
            at = end;
        }
        Some(at)
    }

    /// Whether `+` or `.` at `at` begins a number.
    pub(super) fn is_number_form(&self, at: usize) -> bool {
        let rest = self
            .rest(at)
            .trim_start_matches('+')
            .trim_start_matches('.');
        let signs = self.rest(at).len() - rest.len();
        signs <= 2 && rest.starts_with(|c: char| c.is_ascii_digit())
    }

    /// A number in another notation, a cut one, or a word that begins with a digit.
    #[cold]
    pub(super) fn odd_number(&mut self, start: usize) -> Scan<()> {
        if self.bytes[start] == b'-' && self.character(start + 1).is_some_and(char::is_alphabetic) {
            return self.odd_value().map(|_| ());
        }
        let end = self.number_word_end(start);
        let word = &self.text[start..end];
        if end == self.limit && !self.stack.is_empty() && is_half_number(word) {
            return self.cut_number(start, word);
        }
        let next = self.peek(end);
        let strict = self.strict_number(start) == Some(end);
        if self.number_ends(end, next) {
            if let Some(refused) = self.grouped(start, end, word) {
                return Err(refused);
            }
            if strict {
                self.at = end;
                self.last = Last::Number;
                return Ok(());
            }
            let form = number_form(word).map(|text| (Rule::NumberForm, text));
            if let Some((rule, text)) =
                form.or_else(|| number_radix(word).map(|text| (Rule::NumberRadix, text)))
            {
                self.need(rule, start, end, Expected::Value)?;
                self.number_edits(rule, start, end, &text);
                self.at = end;
                self.last = Last::Number;
                return Ok(());
            }
        }

        if self.is_operator(next) && next > end && !self.is_ellipsis(next) {
            return Err(self.refuse(next, next + 1, Expected::CommaOrCloser, Why::Code));
        }
        if strict && (self.is_ellipsis(next) || self.is_wide(next)) {
            self.at = end;
            self.last = Last::Number;
            return Ok(());
        }
        if self.stack.is_empty() {
            if let Some(end) = self.strict_number(start) {
                // Prose may follow a number that stands alone; the caller looks at what does.
                self.at = end;
                self.last = Last::Number;
                return Ok(());
            }
            return Err(self.refuse(start, end.max(start + 1), Expected::Value, Why::NoJson));
        }
        if word == "-" {
            return Err(self.refuse(start, end, Expected::Value, Why::Syntax));
        }
        self.bare().map(|_| ())
    }

    /// Edits only the bytes that differ, so that the digits stay in view.
    fn number_edits(&mut self, rule: Rule, start: usize, end: usize, text: &str) {
        let word = &self.text[start..end];
        if let Some(at) = word
            .find(|c: char| c != '+')
            .filter(|at| *at > 0 && &word[*at..] == text)
        {
            self.edit(rule, start, start + at, "");
        } else {
            self.edit(rule, start, end, text);
        }
    }

    fn number_word_end(&self, start: usize) -> usize {
        let bytes = &self.bytes[..self.limit];
        let mut at = start;
        while let Some(byte) = bytes.get(at) {
            let exponent_sign = matches!(byte, b'+' | b'-')
                && (at == start || matches!(bytes[at - 1], b'e' | b'E'));
            if !(byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_') || exponent_sign) {
                break;
            }
            if bytes[at..].starts_with(b"...") {
                break;
            }
            at += 1;
        }
        at
    }

    /// Whether a number that ends at `end` is whole, with `next` the place of what follows.
    fn number_ends(&self, end: usize, next: usize) -> bool {
        match self.character(next) {
            None | Some(',' | '}' | ']' | ')' | ';' | '，' | '；' | '、' | '｝' | '］') => {
                true
            }
            Some(_) if self.quote_at(next).is_some() => next > end || self.byte(next) == Some(b'"'),
            Some('{' | '[') => true,
            Some('0'..='9' | '-') => next > end,
            Some(c) => {
                next > end
                    && (self.text[end..next].contains('\n')
                        || c == '/'
                        || c == '#'
                        || c.is_alphabetic() && self.stack.top().is_some())
                    && !self.words_follow(end, next)
            }
        }
    }

    /// `5 apples`: words on the same line that belong to the number.
    fn words_follow(&self, end: usize, next: usize) -> bool {
        if self.text[end..next].contains('\n') {
            return false;
        }
        let word_end = self.token_end(next);
        !matches!(
            self.byte(self.peek(word_end)),
            Some(b':' | b'=' | b'"' | b',' | b']' | b'}')
        ) || {
            let word = &self.text[next..word_end];
            !matches!(self.byte(self.peek(word_end)), Some(b':' | b'='))
                && !matches!(word, "true" | "false" | "null" | "True" | "False" | "None")
        }
    }

    fn is_wide(&self, at: usize) -> bool {
        self.rest(at).starts_with(['，', '；', '、', '｝', '］'])
    }

    /// `1.234,5` and `1,234`: in an object, digits behind the comma that are no member name.
    fn grouped(&self, start: usize, end: usize, word: &str) -> Option<Box<Refusal>> {
        let object = self.stack.top() == Some(Frame::Object);
        let digits = |at: usize| self.rest(at).bytes().take_while(u8::is_ascii_digit).count();
        if !object || self.byte(end) != Some(b',') {
            return None;
        }
        let next = digits(end + 1);
        let is_group = next > 0
            && word
                .bytes()
                .all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'+'))
            && !matches!(self.byte(self.peek(end + 1 + next)), Some(b':' | b'='));
        is_group.then(|| self.refuse(start, end, Expected::Value, Why::GroupedNumber))
    }

    /// A number that the text ends in: the half part goes.
    fn cut_number(&mut self, start: usize, word: &str) -> Scan<()> {
        let whole = word.trim_end_matches(['+', '-', 'e', 'E', '.']);
        self.at = self.limit;
        self.value_due = false;
        if whole.is_empty() {
            return self.cut_back().map(|_| ());
        }
        self.cut(start + whole.len(), "").map(|_| ())
    }
}

/// `12.`, `1e`, `1e+`, `-`: a number cut inside. What is left of it is a JSON number.
fn is_half_number(word: &str) -> bool {
    let whole = word.trim_end_matches(['+', '-', 'e', 'E', '.']);
    let tail = &word[whole.len()..];
    let half = matches!(tail, "-" | "." | "e" | "E" | "e+" | "e-" | "E+" | "E-");
    if whole.is_empty() {
        return tail == "-";
    }
    half && check(whole) == Verdict::Valid && !(tail == "." && whole.contains('.'))
}

/// The JSON text of `+5`, `.5`, `5.`, `0x1F`: forms that mean the same number everywhere.
fn number_form(word: &str) -> Option<String> {
    let (sign, body) = match word.strip_prefix('-') {
        Some(body) => ("-", body),
        None => ("", word.strip_prefix('+').unwrap_or(word)),
    };
    if let Some(hex) = body.strip_prefix("0x").or_else(|| body.strip_prefix("0X")) {
        return (hex.len() <= 512)
            .then(|| decimal(hex, 16))
            .flatten()
            .map(|digits| format!("{sign}{digits}"));
    }
    let (mantissa, exponent) = match body.find(['e', 'E']) {
        Some(at) => body.split_at(at),
        None => (body, ""),
    };
    let whole_exponent = exponent.is_empty() || {
        let digits = exponent[1..]
            .strip_prefix(['+', '-'])
            .unwrap_or(&exponent[1..]);
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let (integer, fraction) = match mantissa.split_once('.') {
        Some((integer, fraction)) => (integer, Some(fraction)),
        None => (mantissa, None),
    };
    let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let has_digits = !integer.is_empty() || fraction.is_some_and(|fraction| !fraction.is_empty());
    let leading_zero = integer.len() > 1 && integer.starts_with('0');
    if !(whole_exponent && has_digits && all_digits(integer) && all_digits(fraction.unwrap_or("")))
        || leading_zero
    {
        return None;
    }
    let integer = if integer.is_empty() { "0" } else { integer };
    Some(match fraction {
        None => format!("{sign}{integer}{exponent}"),
        Some("") => format!("{sign}{integer}.0{exponent}"),
        Some(fraction) => format!("{sign}{integer}.{fraction}{exponent}"),
    })
}

/// The JSON text of `012`, `0b1`, `0o7`, `10n`, `1_000`: forms that mean different numbers to different writers.
fn number_radix(word: &str) -> Option<String> {
    let (sign, body) = match word.strip_prefix('-') {
        Some(body) => ("-", body),
        None => ("", word.strip_prefix('+').unwrap_or(word)),
    };
    let lower = body.to_ascii_lowercase();
    let digits = if let Some(binary) = lower.strip_prefix("0b") {
        decimal(binary, 2)?
    } else if let Some(octal) = lower.strip_prefix("0o") {
        decimal(octal, 8)?
    } else if let Some(big) = lower.strip_suffix('n') {
        let digits = big.replace('_', "");
        let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        plain.then(|| strip_zeros(&digits).to_owned())?
    } else {
        let joined = lower.replace('_', "");
        let grouped = lower.contains('_')
            && !lower.starts_with('_')
            && !lower.ends_with('_')
            && !lower.contains("__");
        if lower.contains('_') && !grouped {
            return None;
        }
        let (integer, rest) = joined.split_at(joined.find(['.', 'e']).unwrap_or(joined.len()));
        if integer.is_empty() || !integer.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        number_form(&format!("{}{rest}", strip_zeros(integer)))?
    };
    Some(format!("{sign}{digits}"))
}

fn strip_zeros(digits: &str) -> &str {
    let stripped = digits.trim_start_matches('0');
    if stripped.is_empty() { "0" } else { stripped }
}

/// Digits of another radix as decimal digits, exactly: schoolbook, so the caller bounds the length.
fn decimal(digits: &str, radix: u32) -> Option<String> {
    if digits.is_empty() || digits.len() > 512 {
        return None;
    }
    let mut out: Vec<u32> = vec![0];
    for digit in digits.chars() {
        let mut carry = digit.to_digit(radix)?;
        for place in &mut out {
            carry += *place * radix;
            *place = carry % 10;
            carry /= 10;
        }
        while carry > 0 {
            out.push(carry % 10);
            carry /= 10;
        }
    }
    Some(
        out.iter()
            .rev()
            .filter_map(|digit| char::from_digit(*digit, 10))
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_with_one_meaning() {
        for (word, text) in [
            ("+5", Some("5")),
            (".5", Some("0.5")),
            ("-.5", Some("-0.5")),
            ("5.", Some("5.0")),
            ("5.e3", Some("5.0e3")),
            ("+1e+5", Some("1e+5")),
            ("0x1F", Some("31")),
            ("-0x10", Some("-16")),
            ("0xFFFFFFFFFFFFFFFFFF", Some("4722366482869645213695")),
            ("012", None),
            ("1_0", None),
            (".", None),
            ("5px", None),
            ("0x", None),
        ] {
            assert_eq!(number_form(word).as_deref(), text, "{word}");
        }
    }

    #[test]
    fn forms_with_several_meanings() {
        for (word, text) in [
            ("012", Some("12")),
            ("00.5", Some("0.5")),
            ("0b101", Some("5")),
            ("0o17", Some("15")),
            ("10n", Some("10")),
            ("1_000", Some("1000")),
            ("-007", Some("-7")),
            ("1__0", None),
            ("10L", None),
            ("5px", None),
        ] {
            assert_eq!(number_radix(word).as_deref(), text, "{word}");
        }
    }
}
