//! The fast lane: strict JSON is stepped over token by token, as long as nothing is odd.
//!
//! It changes nothing but the cursor and its bookkeeping, and it never decides: at the first byte that is not plain
//! RFC 8259 it stands still and leaves that token to the slow lane. A string counts as read only once what follows
//! confirms its end (the next name and its colon, or a closer with something fitting behind), so that the slow lane
//! gets to see the whole of a string with a doubtful end.

use super::strings::special;
use super::*;

/// What the fast lane keeps in registers.
struct Lane<'a> {
    bytes: &'a [u8],
    at: usize,
    good: usize,
    /// Where the scanner's mark goes at the end; `UNMARKED` while it stays.
    mark: usize,
    last: Last,
    top: Option<Frame>,
}

const UNMARKED: usize = usize::MAX;

impl Scanner<'_> {
    /// Goes on from `step` as far as everything is plain. Gives the step to go on with.
    pub(super) fn glide(&mut self, step: Step) -> Step {
        if matches!(step, Step::Name | Step::Opened) {
            return step;
        }
        let mut lane = Lane {
            bytes: &self.bytes[..self.limit],
            at: self.at,
            good: self.good,
            mark: UNMARKED,
            last: self.last,
            top: self.stack.top(),
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
        if mark != UNMARKED {
            self.mark = (mark, self.edits.mark());
        }
        step
    }
}

impl Lane<'_> {
    fn run(&mut self, mut step: Step, stack: &mut Stack) -> Step {
        loop {
            let at = white(self.bytes, self.at);
            let Some(&byte) = self.bytes.get(at) else {
                return step;
            };
            if step == Step::Value {
                match byte {
                    b'"' => match self.string(at) {
                        Some(next) => step = next,
                        None => return step,
                    },
                    b'{' => {
                        let first = white(self.bytes, at + 1);
                        let value = match self.bytes.get(first) {
                            Some(b'}') if self.top.is_some() => {
                                self.pass(first + 1, Last::Container);
                                step = Step::After;
                                continue;
                            }
                            Some(b'"') => name(self.bytes, first),
                            _ => None,
                        };
                        let Some(value) = value else { return step };
                        self.open(Frame::Object, at + 1, value, stack);
                    }
                    b'[' => {
                        let first = white(self.bytes, at + 1);
                        if self.bytes.get(first) == Some(&b']') && self.top.is_some() {
                            self.pass(first + 1, Last::Container);
                            step = Step::After;
                            continue;
                        }
                        if !begins_value(self.bytes, first) {
                            return step;
                        }
                        self.open(Frame::Array, at + 1, first, stack);
                    }
                    b'-' | b'0'..=b'9' => match number(self.bytes, at) {
                        Some(end) => {
                            self.pass(end, Last::Number);
                            step = Step::After;
                        }
                        None => return step,
                    },
                    b't' | b'f' | b'n' => match literal(self.bytes, at) {
                        Some(end) => {
                            self.pass(end, Last::Literal);
                            step = Step::After;
                        }
                        None => return step,
                    },
                    _ => return step,
                }
                continue;
            }
            match (byte, self.top) {
                (b',', Some(frame @ (Frame::Object | Frame::Array))) => {
                    match self.separated(at, frame) {
                        Some(value) => {
                            self.mark = at;
                            self.at = value;
                            self.good = at + 1;
                            step = Step::Value;
                        }
                        None => return step,
                    }
                }
                // The last closer is the slow lane's.
                (b'}', Some(Frame::Object)) | (b']', Some(Frame::Array)) if stack.depth() > 1 => {
                    stack.pop();
                    self.top = stack.top();
                    self.pass(at + 1, Last::Container);
                }
                _ => return step,
            }
        }
    }

    /// Steps over a value that ends at `end`.
    #[inline]
    fn pass(&mut self, end: usize, last: Last) {
        self.at = end;
        self.good = end;
        self.last = last;
    }

    #[inline]
    fn open(&mut self, frame: Frame, inside: usize, value: usize, stack: &mut Stack) {
        stack.push(frame);
        self.top = Some(frame);
        self.mark = inside;
        self.good = inside;
        self.at = value;
    }

    /// Where the next value begins behind the comma at `comma`: behind a name and its colon in an object.
    #[inline]
    fn separated(&self, comma: usize, frame: Frame) -> Option<usize> {
        let next = white(self.bytes, comma + 1);
        if frame == Frame::Object {
            return name(self.bytes, next);
        }
        begins_value(self.bytes, next).then_some(next)
    }

    /// A string as a value, up to and including what confirms its end.
    #[inline]
    fn string(&mut self, at: usize) -> Option<Step> {
        let quote = string(self.bytes, at + 1)?;
        let next = white(self.bytes, quote + 1);
        let frame = self.top?;
        match (*self.bytes.get(next)?, frame) {
            (b',', Frame::Object | Frame::Array) => {
                let value = self.separated(next, frame)?;
                self.mark = next;
                self.pass(value, Last::Text);
                self.good = next + 1;
                Some(Step::Value)
            }
            (b'}', Frame::Object) | (b']', Frame::Array) => {
                let behind = white(self.bytes, next + 1);
                if !matches!(self.bytes.get(behind), None | Some(b',' | b'}' | b']')) {
                    return None;
                }
                self.pass(quote + 1, Last::Text);
                Some(Step::After)
            }
            _ => None,
        }
    }
}

/// Over white space.
#[inline]
fn white(bytes: &[u8], mut at: usize) -> usize {
    if bytes.get(at).is_none_or(|byte| *byte > b' ') {
        return at;
    }
    while let Some(b' ' | b'\n' | b'\r' | b'\t') = bytes.get(at) {
        at += 1;
    }
    at
}

/// Whether JSON can have a value at `at`.
#[inline]
fn begins_value(bytes: &[u8], at: usize) -> bool {
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

/// A member name at `at` and its colon. Gives the place behind the colon.
#[inline]
fn name(bytes: &[u8], at: usize) -> Option<usize> {
    if bytes.get(at) != Some(&b'"') {
        return None;
    }
    let colon = white(bytes, string(bytes, at + 1)? + 1);
    (bytes.get(colon) == Some(&b':') && !matches!(bytes.get(colon + 1), Some(b':' | b'=')))
        .then_some(colon + 1)
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
