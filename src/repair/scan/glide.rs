//! The fast lane: plain JSON is stepped over token by token, as long as nothing is odd.
//!
//! Bare member names and clean single-quoted strings, the two commonest faults, are edited on the way where their
//! rules are on. It never decides between readings: at the first byte that is anything else it stands still and
//! leaves that token to the slow lane. A string counts as read only once what follows confirms its end (the next name
//! and its colon, or a closer with something fitting behind), so that the slow lane gets to see the whole of a string
//! with a doubtful end.

use super::find::{special, special_bits, special_or};
use super::*;
use edit::Stored;

/// What the fast lane reads and writes.
pub(super) struct Lane<'a> {
    pub(super) text: &'a str,
    pub(super) bytes: &'a [u8],
    pub(super) edits: &'a mut Edits,
    pub(super) rules: RuleSet,
    quoting: Quoting,
    pub(super) spot: Spot,
    /// Start and end of the comment that was looked at last.
    pub(super) comment: (usize, usize),
}

/// Where the fast lane stands. Kept apart, so that it stays in registers while all is plain.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    pub(super) at: usize,
    pub(super) good: usize,
    /// The scanner's mark.
    pub(super) mark: (usize, Mark),
    pub(super) last: Last,
    pub(super) top: Option<Frame>,
}

/// The rules that quote what is plain otherwise.
#[derive(Clone, Copy)]
struct Quoting {
    bare_key: bool,
    single_quotes: bool,
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
        // No token of the lane begins so; entering it has its price.
        if let Some(b'(' | b')' | 0x80..) = self.byte(self.at) {
            return step;
        }
        let mut lane = Lane {
            text: self.text,
            bytes: &self.bytes[..self.limit],
            edits: &mut self.edits,
            rules: self.rules,
            quoting: Quoting {
                bare_key: self.rules.has(Rule::BareKey),
                single_quotes: self.rules.has(Rule::SingleQuotes),
            },
            spot: Spot {
                at: self.at,
                good: self.good,
                mark: self.mark,
                last: self.last,
                top: self.stack.top(),
            },
            comment: (0, 0),
        };
        let step = lane.run(step, &mut self.stack);
        let Spot {
            at,
            good,
            mark,
            last,
            ..
        } = lane.spot;
        (self.at, self.good, self.mark, self.last) = (at, good, mark, last);
        step
    }
}

impl Lane<'_> {
    fn run(&mut self, mut step: Step, stack: &mut Stack) -> Step {
        let bytes = self.bytes;
        let mut spot = self.spot;
        loop {
            spot.at = white(bytes, spot.at);
            let Some(&byte) = bytes.get(spot.at) else {
                break;
            };
            let plain = if step == Step::Value {
                self.value(bytes, byte, &mut spot, stack)
            } else {
                self.after(bytes, byte, &mut spot, stack)
            };
            if let Some(next) = plain {
                step = next;
                continue;
            }
            self.spot = spot;
            let mended = self.odd(step, spot.at, byte);
            spot = self.spot;
            match mended {
                Some(next) => step = next,
                None => break,
            }
        }
        self.spot = spot;
        step
    }

    /// A value at the cursor, if it is plain.
    #[inline(always)]
    fn value(
        &mut self,
        bytes: &[u8],
        byte: u8,
        spot: &mut Spot,
        stack: &mut Stack,
    ) -> Option<Step> {
        let at = spot.at;
        match byte {
            b'"' => {
                let quote = string(bytes, at + 1)?;
                self.string(bytes, quote, None, spot)
            }
            b'\'' if self.quoting.single_quotes => {
                let quote = single_quoted(bytes, at + 1)?;
                self.string(bytes, quote, Some(Rule::SingleQuotes), spot)
            }
            b'{' => {
                let first = white(bytes, at + 1);
                if bytes.get(first) == Some(&b'}') && spot.top.is_some() {
                    return Some(spot.pass(first + 1, Last::Container));
                }
                let name = name(bytes, first, self.quoting)?;
                stack.push(Frame::Object);
                spot.top = Some(Frame::Object);
                spot.mark = (at + 1, self.edits.mark());
                self.take_name(name, spot);
                Some(Step::Value)
            }
            b'[' => {
                let first = white(bytes, at + 1);
                if bytes.get(first) == Some(&b']') && spot.top.is_some() {
                    return Some(spot.pass(first + 1, Last::Container));
                }
                if !begins_value(bytes, first) {
                    return None;
                }
                stack.push(Frame::Array);
                spot.top = Some(Frame::Array);
                spot.mark = (at + 1, self.edits.mark());
                (spot.at, spot.good) = (first, at + 1);
                Some(Step::Value)
            }
            b'-' | b'0'..=b'9' => {
                let end = number(bytes, at)?;
                Some(spot.pass(end, Last::Number))
            }
            b't' | b'f' | b'n' => {
                let end = literal(bytes, at)?;
                Some(spot.pass(end, Last::Literal))
            }
            _ => None,
        }
    }

    /// What stands behind a value, if it is plain.
    #[inline(always)]
    fn after(
        &mut self,
        bytes: &[u8],
        byte: u8,
        spot: &mut Spot,
        stack: &mut Stack,
    ) -> Option<Step> {
        let at = spot.at;
        match (byte, spot.top) {
            (b',', Some(Frame::Object)) => {
                let name = name(bytes, white(bytes, at + 1), self.quoting)?;
                spot.mark = (at, self.edits.mark());
                self.take_name(name, spot);
                Some(Step::Value)
            }
            (b',', Some(Frame::Array)) => {
                let next = white(bytes, at + 1);
                if !begins_value(bytes, next) {
                    return None;
                }
                spot.mark = (at, self.edits.mark());
                (spot.at, spot.good) = (next, at + 1);
                Some(Step::Value)
            }
            // The last closer is the slow lane's.
            (b'}', Some(Frame::Object)) | (b']', Some(Frame::Array)) if stack.depth() > 1 => {
                stack.pop();
                spot.top = stack.top();
                Some(spot.pass(at + 1, Last::Container))
            }
            _ => None,
        }
    }

    /// A string as a value, from the cursor to its quote at `quote`, up to and including what confirms its end.
    #[inline(always)]
    fn string(
        &mut self,
        bytes: &[u8],
        quote: usize,
        rule: Option<Rule>,
        spot: &mut Spot,
    ) -> Option<Step> {
        let open = spot.at;
        let next = white(bytes, quote + 1);
        match (*bytes.get(next)?, spot.top?) {
            (b',', Frame::Object) => {
                let name = name(bytes, white(bytes, next + 1), self.quoting)?;
                if let Some(rule) = rule {
                    self.quote(rule, open, quote, 1);
                }
                spot.last = Last::Text;
                spot.mark = (next, self.edits.mark());
                self.take_name(name, spot);
                Some(Step::Value)
            }
            (b',', Frame::Array) => {
                let value = white(bytes, next + 1);
                if !begins_value(bytes, value) && bytes.get(value) != Some(&b'\'') {
                    return None;
                }
                if let Some(rule) = rule {
                    self.quote(rule, open, quote, 1);
                }
                spot.last = Last::Text;
                spot.mark = (next, self.edits.mark());
                (spot.at, spot.good) = (value, next + 1);
                Some(Step::Value)
            }
            (b'}', Frame::Object) | (b']', Frame::Array) => {
                let behind = white(bytes, next + 1);
                if !matches!(bytes.get(behind), None | Some(b',' | b'}' | b']')) {
                    return None;
                }
                if let Some(rule) = rule {
                    self.quote(rule, open, quote, 1);
                }
                Some(spot.pass(quote + 1, Last::Text))
            }
            _ => None,
        }
    }

    /// The member name at `at`, if a colon stands behind it.
    pub(super) fn name(&self, at: usize) -> Option<Name> {
        name(self.bytes, at, self.quoting)
    }

    /// Quotes a member name if it has to be, and steps behind its colon.
    #[inline]
    pub(super) fn take_name(&mut self, name: Name, spot: &mut Spot) {
        if let Some(rule) = name.rule {
            let inside = usize::from(rule != Rule::BareKey);
            self.quote(rule, name.start, name.end - inside, inside);
        }
        (spot.at, spot.good) = (name.value, name.value);
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
}

impl Spot {
    /// Steps over a value that ends at `end`.
    #[inline]
    pub(super) fn pass(&mut self, end: usize, last: Last) -> Step {
        self.at = end;
        self.good = end;
        self.last = last;
        Step::After
    }
}

/// The member name at `at`, if a colon stands behind it.
#[inline(always)]
fn name(bytes: &[u8], at: usize, quoting: Quoting) -> Option<Name> {
    let (end, rule) = if bytes.get(at) == Some(&b'"') {
        (string(bytes, at + 1)? + 1, None)
    } else {
        odd_name(bytes, at, quoting)?
    };
    let colon = white(bytes, end);
    let lone = bytes.get(colon) == Some(&b':')
        && !matches!(bytes.get(colon + 1), Some(b':' | b'=' | b'/'));
    lone.then_some(Name {
        start: at,
        end,
        value: colon + 1,
        rule,
    })
}

/// The end of a name that has to be quoted, and the rule that does so.
fn odd_name(bytes: &[u8], at: usize, quoting: Quoting) -> Option<(usize, Option<Rule>)> {
    match *bytes.get(at)? {
        b'\'' if quoting.single_quotes => {
            Some((single_quoted(bytes, at + 1)? + 1, Some(Rule::SingleQuotes)))
        }
        b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' if quoting.bare_key => {
            let mut end = at + 1;
            while bytes.get(end).is_some_and(|byte| IN_NAME[*byte as usize]) {
                end += 1;
            }
            Some((end, Some(Rule::BareKey)))
        }
        _ => None,
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

/// The closing quote of a string whose content begins at `at` and is plain. Most names end within eight bytes.
#[inline(always)]
fn string(bytes: &[u8], at: usize) -> Option<usize> {
    let Some(chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) else {
        return long_string(bytes, at);
    };
    let found = special_bits(u64::from_le_bytes(*chunk));
    let quote = at + (found.trailing_zeros() / 8) as usize;
    if found != 0 && bytes[quote] == b'"' {
        return Some(quote);
    }
    long_string(bytes, quote)
}

/// As [`string`], of any length.
fn long_string(bytes: &[u8], mut at: usize) -> Option<usize> {
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
