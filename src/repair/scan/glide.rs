//! The fast lane: plain JSON is stepped over token by token, as long as nothing is odd.
//!
//! Bare member names and clean single-quoted strings, the two commonest faults, are edited on the way where their
//! rules are on. It never decides between readings: at the first byte that is anything else it stands still and
//! leaves that token to the slow lane. A string counts as read only once what follows confirms its end (the next name
//! and its colon, or a closer with something fitting behind), so that the slow lane gets to see the whole of a string
//! with a doubtful end.

use super::strings::{special, special_or};
use super::*;
use edit::Stored;

/// What the fast lane keeps in registers.
pub(super) struct Lane<'a> {
    pub(super) text: &'a str,
    pub(super) bytes: &'a [u8],
    pub(super) edits: &'a mut Edits,
    pub(super) rules: RuleSet,
    pub(super) bare_key: bool,
    pub(super) single_quotes: bool,
    pub(super) at: usize,
    pub(super) good: usize,
    /// Where the scanner's mark goes at the end.
    pub(super) mark: Option<(usize, Mark)>,
    pub(super) last: Last,
    pub(super) top: Option<Frame>,
    /// Start and end of the comment that was looked at last.
    pub(super) comment: (usize, usize),
}

/// A member name and the colon behind it.
#[derive(Clone, Copy)]
pub(super) struct Name {
    pub(super) start: usize,
    pub(super) end: usize,
    /// Behind the colon.
    pub(super) value: usize,
    /// The rule that quotes the name, if it needs one.
    rule: Option<Rule>,
}

/// The bytes of a bare name that needs no second look.
const IN_NAME: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        let sign = byte as u8;
        table[byte] = sign.is_ascii_alphanumeric() || matches!(sign, b'_' | b'$' | b'-');
        byte += 1;
    }
    table
};

impl Scanner<'_> {
    /// Goes on from `step` as far as everything is plain. Gives the step to go on with.
    pub(super) fn glide(&mut self, step: Step) -> Step {
        // Behind the last closer the cursor stays where the value ends.
        if matches!(step, Step::Name | Step::Opened) || step == Step::After && self.stack.is_empty()
        {
            return step;
        }
        let mut lane = Lane {
            text: self.text,
            bytes: &self.bytes[..self.limit],
            edits: &mut self.edits,
            rules: self.rules,
            bare_key: self.rules.has(Rule::BareKey),
            single_quotes: self.rules.has(Rule::SingleQuotes),
            at: self.at,
            good: self.good,
            mark: None,
            last: self.last,
            top: self.stack.top(),
            comment: (0, 0),
        };
        let step = lane.run(step, &mut self.stack);
        let Lane {
            at,
            good,
            mark,
            last,
            ..
        } = lane;
        (self.at, self.good, self.last) = (at, good, last);
        self.mark = mark.unwrap_or(self.mark);
        step
    }
}

impl Lane<'_> {
    fn run(&mut self, mut step: Step, stack: &mut Stack) -> Step {
        loop {
            let at = white(self.bytes, self.at);
            self.at = at;
            let Some(&byte) = self.bytes.get(at) else {
                return step;
            };
            let plain = if step == Step::Value {
                self.value(at, byte, stack)
            } else {
                self.after(at, byte, stack)
            };
            match plain.or_else(|| self.odd(step, at, byte)) {
                Some(next) => step = next,
                None => return step,
            }
        }
    }

    /// A value at the cursor, if it is plain.
    #[inline(always)]
    fn value(&mut self, at: usize, byte: u8, stack: &mut Stack) -> Option<Step> {
        match byte {
            b'"' => {
                let quote = string(self.bytes, at + 1)?;
                self.string(at, quote, None)
            }
            b'\'' if self.single_quotes => {
                let quote = single_quoted(self.bytes, at + 1)?;
                self.string(at, quote, Some(Rule::SingleQuotes))
            }
            b'{' => {
                let first = white(self.bytes, at + 1);
                if self.bytes.get(first) == Some(&b'}') && self.top.is_some() {
                    return Some(self.pass(first + 1, Last::Container));
                }
                let name = self.name(first)?;
                self.open(Frame::Object, at + 1, name.value, stack);
                self.good = name.value;
                self.take_name(name);
                Some(Step::Value)
            }
            b'[' => {
                let first = white(self.bytes, at + 1);
                if self.bytes.get(first) == Some(&b']') && self.top.is_some() {
                    return Some(self.pass(first + 1, Last::Container));
                }
                if !begins_value(self.bytes, first) {
                    return None;
                }
                self.open(Frame::Array, at + 1, first, stack);
                Some(Step::Value)
            }
            b'-' | b'0'..=b'9' => {
                let end = number(self.bytes, at)?;
                Some(self.pass(end, Last::Number))
            }
            b't' | b'f' | b'n' => {
                let end = literal(self.bytes, at)?;
                Some(self.pass(end, Last::Literal))
            }
            _ => None,
        }
    }

    /// What stands behind a value, if it is plain.
    #[inline(always)]
    fn after(&mut self, at: usize, byte: u8, stack: &mut Stack) -> Option<Step> {
        match (byte, self.top) {
            (b',', Some(Frame::Object)) => {
                let name = self.name(white(self.bytes, at + 1))?;
                self.mark = Some((at, self.edits.mark()));
                self.at = name.value;
                self.good = name.value;
                self.take_name(name);
                Some(Step::Value)
            }
            (b',', Some(Frame::Array)) => {
                let next = white(self.bytes, at + 1);
                if !begins_value(self.bytes, next) {
                    return None;
                }
                self.mark = Some((at, self.edits.mark()));
                self.at = next;
                self.good = at + 1;
                Some(Step::Value)
            }
            // The last closer is the slow lane's.
            (b'}', Some(Frame::Object)) | (b']', Some(Frame::Array)) if stack.depth() > 1 => {
                stack.pop();
                self.top = stack.top();
                Some(self.pass(at + 1, Last::Container))
            }
            _ => None,
        }
    }

    /// Steps over a value that ends at `end`.
    #[inline]
    pub(super) fn pass(&mut self, end: usize, last: Last) -> Step {
        self.at = end;
        self.good = end;
        self.last = last;
        Step::After
    }

    #[inline]
    fn open(&mut self, frame: Frame, inside: usize, value: usize, stack: &mut Stack) {
        stack.push(frame);
        self.top = Some(frame);
        self.mark = Some((inside, self.edits.mark()));
        self.good = inside;
        self.at = value;
    }

    /// The member name at `at`, if a colon stands behind it.
    #[inline]
    pub(super) fn name(&self, at: usize) -> Option<Name> {
        let (end, rule) = match *self.bytes.get(at)? {
            b'"' => (string(self.bytes, at + 1)? + 1, None),
            b'\'' if self.single_quotes => (
                single_quoted(self.bytes, at + 1)? + 1,
                Some(Rule::SingleQuotes),
            ),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' if self.bare_key => {
                let mut end = at + 1;
                while self
                    .bytes
                    .get(end)
                    .is_some_and(|byte| IN_NAME[*byte as usize])
                {
                    end += 1;
                }
                (end, Some(Rule::BareKey))
            }
            _ => return None,
        };
        let colon = white(self.bytes, end);
        let lone = self.bytes.get(colon) == Some(&b':')
            && !matches!(self.bytes.get(colon + 1), Some(b':' | b'=' | b'/'));
        lone.then_some(Name {
            start: at,
            end,
            value: colon + 1,
            rule,
        })
    }

    #[inline]
    pub(super) fn take_name(&mut self, name: Name) {
        if let Some(rule) = name.rule {
            let inside = usize::from(rule != Rule::BareKey);
            self.quote(rule, name.start, name.end - inside, inside);
        }
    }

    /// Double quotes at `open` and `close`, each in place of `len` bytes: one fix.
    fn quote(&mut self, rule: Rule, open: usize, close: usize, len: usize) {
        let fix = self.edits.next_fix();
        for at in [open, close] {
            self.push(rule, fix, at, at + len, Stored::QUOTE);
        }
    }

    #[inline]
    pub(super) fn push(&mut self, rule: Rule, fix: FixId, start: usize, end: usize, after: Stored) {
        let span = Span::new(start as u32, end as u32);
        self.edits.push_common(rule, fix, span, after);
    }

    /// A string as a value, from its quote at `at` to that at `quote`, up to and including what confirms its end.
    #[inline]
    fn string(&mut self, at: usize, quote: usize, rule: Option<Rule>) -> Option<Step> {
        let next = white(self.bytes, quote + 1);
        match (*self.bytes.get(next)?, self.top?) {
            (b',', Frame::Object) => {
                let name = self.name(white(self.bytes, next + 1))?;
                if let Some(rule) = rule {
                    self.quote(rule, at, quote, 1);
                }
                self.mark = Some((next, self.edits.mark()));
                self.pass(name.value, Last::Text);
                self.take_name(name);
                Some(Step::Value)
            }
            (b',', Frame::Array) => {
                let value = white(self.bytes, next + 1);
                if !begins_value(self.bytes, value) && self.bytes.get(value) != Some(&b'\'') {
                    return None;
                }
                if let Some(rule) = rule {
                    self.quote(rule, at, quote, 1);
                }
                self.mark = Some((next, self.edits.mark()));
                self.pass(value, Last::Text);
                self.good = next + 1;
                Some(Step::Value)
            }
            (b'}', Frame::Object) | (b']', Frame::Array) => {
                let behind = white(self.bytes, next + 1);
                if !matches!(self.bytes.get(behind), None | Some(b',' | b'}' | b']')) {
                    return None;
                }
                if let Some(rule) = rule {
                    self.quote(rule, at, quote, 1);
                }
                Some(self.pass(quote + 1, Last::Text))
            }
            _ => None,
        }
    }
}

/// The closing quote of a single-quoted string whose content begins at `at`, is not empty before another quote, and
/// holds nothing that has to be looked at.
#[inline]
fn single_quoted(bytes: &[u8], at: usize) -> Option<usize> {
    let quote = special_or(bytes, at, b'\'');
    let plain = bytes.get(quote) == Some(&b'\'');
    let triple = quote == at && bytes.get(quote + 1) == Some(&b'\'');
    (plain && !triple).then_some(quote)
}

/// Over white space. Where it is more than one byte it is mostly a line break and an indentation.
#[inline]
pub(super) fn white(bytes: &[u8], mut at: usize) -> usize {
    const SPACES: u64 = u64::from_ne_bytes([b' '; 8]);
    if bytes.get(at).is_none_or(|byte| *byte > b' ') {
        return at;
    }
    match bytes[at] {
        b'\n' => at += 1,
        b' ' if bytes.get(at + 1).is_some_and(|byte| *byte > b' ') => return at + 1,
        _ => {}
    }
    loop {
        while let Some(chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) {
            let other = u64::from_le_bytes(*chunk) ^ SPACES;
            if other != 0 {
                at += (other.trailing_zeros() / 8) as usize;
                break;
            }
            at += 8;
        }
        match bytes.get(at) {
            Some(b' ' | b'\n' | b'\r' | b'\t') => at += 1,
            _ => return at,
        }
    }
}

/// Whether JSON can have a value at `at`.
#[inline]
pub(super) fn begins_value(bytes: &[u8], at: usize) -> bool {
    matches!(
        bytes.get(at),
        Some(b'"' | b'{' | b'[' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n')
    )
}

/// Whether a scalar can end at `at`.
#[inline]
fn ends(bytes: &[u8], at: usize) -> bool {
    matches!(
        bytes.get(at),
        None | Some(b',' | b'}' | b']' | b' ' | b'\n' | b'\r' | b'\t')
    )
}

/// The closing quote of a string whose content begins at `at` and is plain.
#[inline]
fn string(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at = special(bytes, at);
        match bytes.get(at)? {
            b'"' => return Some(at),
            b'\\' => match bytes.get(at + 1)? {
                b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => at += 2,
                b'u' if bytes.get(at + 2..at + 6)?.iter().all(u8::is_ascii_hexdigit) => at += 6,
                _ => return None,
            },
            _ => return None,
        }
    }
}

/// The end of a whole literal at `at`.
#[inline]
fn literal(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = &bytes[at..];
    let len = match rest[0] {
        b't' if rest.starts_with(b"true") => 4,
        b'f' if rest.starts_with(b"false") => 5,
        b'n' if rest.starts_with(b"null") => 4,
        _ => return None,
    };
    ends(bytes, at + len).then_some(at + len)
}

/// The end of a whole number at `at` (RFC 8259 section 6).
#[inline]
fn number(bytes: &[u8], at: usize) -> Option<usize> {
    let digits = |mut at: usize| {
        while let Some(b'0'..=b'9') = bytes.get(at) {
            at += 1;
        }
        at
    };
    let some = |at: usize| Some(digits(at)).filter(|end| *end > at);
    let mut end = at + usize::from(bytes[at] == b'-');
    end = match bytes.get(end)? {
        b'0' => end + 1,
        b'1'..=b'9' => digits(end + 1),
        _ => return None,
    };
    if bytes.get(end) == Some(&b'.') {
        end = some(end + 1)?;
    }
    if let Some(b'e' | b'E') = bytes.get(end) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        end = some(end + 1 + sign)?;
    }
    ends(bytes, end).then_some(end)
}
