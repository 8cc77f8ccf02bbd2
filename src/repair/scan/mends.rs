//! The commonest faults, mended without leaving the fast lane: comments, trailing and missing commas, literals in
//! another spelling, single-quoted strings with quotes in them, raw line breaks in strings.
//!
//! Each of them only where the slow lane could not come to anything else. What is doubtful in any way, what ends the
//! text, and what would be refused is left to the slow lane, which says why.

use super::ahead::LONGEST_NAME;
use super::endings::begins_with_separator;
use super::escapes::{Escape, Kind, json_character};
use super::find::special_or;
use super::glide::{Lane, begins_value, white};
use super::trivia::leaves_out;
use super::words::odd_literal;
use super::*;
use edit::Stored;

impl Lane<'_> {
    /// The token at the cursor, which is not plain: mended if it is a common fault.
    #[cold]
    pub(super) fn odd(&mut self, step: Step, at: usize, byte: u8) -> Option<Step> {
        let frame = self.spot.top.filter(|_| !self.rules.is_empty())?;
        match (step, byte) {
            (_, b'/') => {
                let end = self.comment(at)?;
                self.take_comment(at, end);
                self.spot.at = end;
                Some(step)
            }
            (Step::Value, b'"' | b'\'') => self.odd_string(at, byte, frame),
            (Step::Value, _) if byte.is_ascii_alphabetic() => self.odd_word(at),
            (Step::After, b',') => self.odd_comma(at, frame),
            (Step::After, _) => self.missing_comma(at, byte, frame),
            _ => None,
        }
    }

    /// The end of the comment at `at`, if it is one that goes, and something follows.
    fn comment(&mut self, at: usize) -> Option<usize> {
        if self.comment.0 == at && 0 < at {
            return Some(self.comment.1);
        }
        if !self.rules.has(Rule::Comment) {
            return None;
        }
        let rest = &self.bytes[at..];
        let end = match rest.get(1)? {
            b'/' => {
                let line = at + memchr::memchr(b'\n', rest)?;
                line - usize::from(self.bytes[line - 1] == b'\r')
            }
            b'*' => {
                let behind = &rest[2..];
                let close = memchr::memchr_iter(b'*', behind)
                    .find(|star| behind.get(star + 1) == Some(&b'/'))?;
                at + close + 4
            }
            _ => return None,
        };
        let goes = !leaves_out(self.text, at, end) && white(self.bytes, end) < self.bytes.len();
        if goes {
            self.comment = (at, end);
        }
        goes.then_some(end)
    }

    fn take_comment(&mut self, at: usize, end: usize) {
        let fix = self.edits.next_fix();
        self.push(Rule::Comment, fix, at, end, Stored::NOTHING);
    }

    /// Behind white space and comments; `None` where a comment is not as usual.
    fn over_comments(&mut self, from: usize) -> Option<usize> {
        let mut at = white(self.bytes, from);
        while self.bytes.get(at) == Some(&b'/') {
            at = white(self.bytes, self.comment(at)?);
        }
        Some(at)
    }

    /// A comma behind which neither a name nor a value stands directly: it is one too many, or comments follow.
    fn odd_comma(&mut self, at: usize, frame: Frame) -> Option<Step> {
        let behind = self.over_comments(at + 1)?;
        let mark = self.edits.mark();
        if closes(self.bytes, behind, frame) {
            if !self.rules.has(Rule::TrailingComma) {
                return None;
            }
            let fix = self.edits.next_fix();
            self.push(Rule::TrailingComma, fix, at, at + 1, Stored::NOTHING);
            self.spot.mark = (at, mark);
            self.spot.at = at + 1;
            return Some(Step::After);
        }
        let name = match frame {
            Frame::Object => Some(self.name(behind)?),
            Frame::Array if begins_value(self.bytes, behind) => None,
            _ => return None,
        };
        self.spot.mark = (at, mark);
        let mut place = white(self.bytes, at + 1);
        while place < behind {
            let end = self.comment(place)?;
            self.take_comment(place, end);
            place = white(self.bytes, end);
        }
        (self.spot.at, self.spot.good) = (behind, at + 1);
        self.take(name);
        Some(Step::Value)
    }

    /// No comma behind a value, and a member or an element that cannot belong to that value.
    fn missing_comma(&mut self, at: usize, byte: u8, frame: Frame) -> Option<Step> {
        if !self.rules.has(Rule::MissingComma) {
            return None;
        }
        let newline = self.bytes[self.spot.good..at].contains(&b'\n');
        let name = match frame {
            Frame::Object => {
                let quoted = matches!(byte, b'"' | b'\'');
                if quoted && begins_with_separator(&self.bytes[at + 1..]) {
                    return None;
                }
                if self.spot.last == Last::Text && !quoted && !newline {
                    return None;
                }
                Some(self.name_ahead(at)?)
            }
            Frame::Array if matches!(byte, b'"' | b'{' | b'[') && newline => None,
            _ => return None,
        };
        let last = self.edits.get(self.edits.len().wrapping_sub(1));
        let place = self
            .spot
            .good
            .max(last.map_or(0, |edit| edit.span.end as usize));
        self.spot.mark = (place, self.edits.mark());
        let fix = self.edits.next_fix();
        self.push(Rule::MissingComma, fix, place, place, Stored::COMMA);
        self.take(name);
        Some(Step::Value)
    }

    fn take(&mut self, name: Option<glide::Name>) {
        if let Some(name) = name {
            let mut spot = self.spot;
            self.take_name(name, &mut spot);
            self.spot = spot;
        }
    }

    /// The member name at `at`, if it is short enough to count where nothing else says that a name is due.
    fn name_ahead(&self, at: usize) -> Option<glide::Name> {
        self.name(at)
            .filter(|name| name.end - name.start <= LONGEST_NAME)
    }

    /// A word that means a literal elsewhere.
    fn odd_word(&mut self, at: usize) -> Option<Step> {
        let rest = &self.bytes[at..];
        let len = rest
            .iter()
            .position(|byte| !(byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$')))?;
        let end = at + len;
        if !matches!(self.bytes.get(white(self.bytes, end))?, b',' | b'}' | b']') {
            return None;
        }
        let (rule, value) = odd_literal(&self.text[at..end])?;
        if !self.rules.has(rule) {
            return None;
        }
        let fix = self.edits.next_fix();
        self.push(rule, fix, at, end, Stored::common(value)?);
        Some(self.spot.pass(end, Last::Literal))
    }

    /// A string that holds what JSON cannot, or behind which a fault follows that does not make its end doubtful.
    fn odd_string(&mut self, at: usize, quote: u8, frame: Frame) -> Option<Step> {
        let single = quote == b'\'';
        if single && !self.rules.has(Rule::SingleQuotes) {
            return None;
        }
        let mark = self.edits.mark();
        let fix = single.then(|| self.edits.next_fix());
        if let Some(fix) = fix {
            self.push(Rule::SingleQuotes, fix, at, at + 1, Stored::QUOTE);
        }
        let end = self.content(at + 1, quote, fix);
        let Some(end) = end.filter(|end| self.is_end(end + 1, frame)) else {
            self.edits.take_back(mark);
            return None;
        };
        if let Some(fix) = fix {
            self.push(Rule::SingleQuotes, fix, end, end + 1, Stored::QUOTE);
        }
        Some(self.spot.pass(end + 1, Last::Text))
    }

    /// Mends what stands in a string that begins at `from`. Gives the place of its closing quote; `None` where anything
    /// in it is out of the common.
    fn content(&mut self, from: usize, quote: u8, fix: Option<FixId>) -> Option<usize> {
        let (raw, apostrophe) = (
            self.rules.has(Rule::RawControl),
            self.rules.has(Rule::EscapedApostrophe),
        );
        let (mut controls, mut foreign) = (None, None);
        let mut at = from;
        loop {
            at = special_or(self.bytes, at, quote);
            let byte = *self.bytes.get(at)?;
            let escape = match byte {
                _ if byte == quote => {
                    let triple = at == from && self.bytes.get(at + 1) == Some(&quote);
                    return (!triple).then_some(at);
                }
                b'"' => {
                    self.push(Rule::SingleQuotes, fix?, at, at + 1, Stored::ESCAPED_QUOTE);
                    at += 1;
                    continue;
                }
                b'\\' => {
                    match self.bytes.get(at + 1)? {
                        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => at += 2,
                        b'u' if self
                            .bytes
                            .get(at + 2..at + 6)?
                            .iter()
                            .all(u8::is_ascii_hexdigit) =>
                        {
                            at += 6
                        }
                        b'\'' if apostrophe => {
                            let own = self.edits.next_fix();
                            self.push(Rule::EscapedApostrophe, own, at, at + 1, Stored::NOTHING);
                            at += 2;
                        }
                        _ => at = self.foreign_escape(at, &mut foreign)?,
                    }
                    continue;
                }
                b'\n' => Stored::LINE_FEED,
                b'\r' => Stored::CARRIAGE_RETURN,
                b'\t' => Stored::TAB,
                _ => return None,
            };
            if !raw {
                return None;
            }
            let fix = *controls.get_or_insert_with(|| self.edits.next_fix());
            self.push(Rule::RawControl, fix, at, at + 1, escape);
            at += 1;
        }
    }

    /// An escape of another language, if all in its string are of one kind. Gives the place behind it.
    fn foreign_escape(&mut self, at: usize, found: &mut Option<(u8, FixId)>) -> Option<usize> {
        let escape = Escape::read(self.text, at, self.bytes.len(), '"');
        let Kind::Foreign(kind) = escape.kind else {
            return None;
        };
        if escape.word || !self.rules.has(Rule::ForeignEscape) {
            return None;
        }
        let (first, fix) = *found.get_or_insert_with(|| (kind, self.edits.next_fix()));
        if first != kind {
            return None;
        }
        let span = Span::new(at as u32, escape.end as u32);
        let text = json_character(escape.value);
        self.edits.push(Rule::ForeignEscape, fix, span, &text);
        Some(escape.end)
    }

    /// Whether what follows the quote that ends before `from` leaves no doubt that it ends its string.
    fn is_end(&mut self, from: usize, frame: Frame) -> bool {
        let next = white(self.bytes, from);
        let Some(byte) = self.bytes.get(next) else {
            return false;
        };
        let newline = || self.bytes[from..next].contains(&b'\n');
        match (byte, frame) {
            (b',', Frame::Object | Frame::Array) => {
                let Some(behind) = self.over_comments(next + 1) else {
                    return false;
                };
                closes(self.bytes, behind, frame)
                    || match frame {
                        Frame::Object => self.name_ahead(behind).is_some(),
                        _ => {
                            begins_value(self.bytes, behind)
                                || self.bytes.get(behind) == Some(&b'\'')
                        }
                    }
            }
            (b'}', Frame::Object) | (b']', Frame::Array) => {
                let behind = white(self.bytes, next + 1);
                matches!(self.bytes.get(behind), None | Some(b',' | b'}' | b']'))
            }
            (b'"' | b'\'', Frame::Object) => self.name_ahead(next).is_some(),
            (_, Frame::Object) => newline() && self.name_ahead(next).is_some(),
            (b'"' | b'{' | b'[', Frame::Array) => newline(),
            _ => false,
        }
    }
}

/// Whether the closer of `frame` stands at `at`.
fn closes(bytes: &[u8], at: usize, frame: Frame) -> bool {
    match bytes.get(at) {
        Some(b'}') => frame == Frame::Object,
        Some(b']') => frame == Frame::Array,
        _ => false,
    }
}
