//! Closing brackets: the right one, one of another kind, one too many.

use super::endings::Rest;
use super::*;

/// How a closer that does not fit can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    /// Closers for the levels above its own are missing.
    Insert(usize),
    /// It is the wrong kind for the innermost level.
    Replace,
    /// It and the next one stand in each other's place.
    Swap,
    /// It closes nothing.
    Delete,
}

impl Scanner<'_> {
    /// A closing bracket at the cursor, with no comma before it.
    pub(super) fn closer(&mut self) -> Scan<Step> {
        let Some(top) = self.stack.top() else {
            return Err(self.refuse(self.at, self.at + 1, Expected::End, Why::Syntax));
        };
        match (self.bytes[self.at], top) {
            (b'}', Frame::Object) | (b']', Frame::Array) => {
                self.at += 1;
                self.close()
            }
            (b')', Frame::Tuple | Frame::Call) | (b'}', Frame::Tuple) => self.close_edited(top),
            _ => self.odd_closer(),
        }
    }

    /// The innermost level is done; its closer was stepped over.
    pub(super) fn close(&mut self) -> Scan<Step> {
        self.stack.pop();
        let empty = self.is_opened();
        if empty {
            self.empty_end = self.at;
        }
        self.good = self.at;
        self.last = Last::Container;
        self.value_due = false;
        if self.stack.is_empty() {
            self.close_root(empty)?;
        }
        Ok(Step::After)
    }

    /// The closer of a tuple, set or call: its opener was edited, so it is too.
    fn close_edited(&mut self, top: Frame) -> Scan<Step> {
        let at = self.at;
        let Some(Edited { fix, opener, comma }) = self.fixes.last().copied() else {
            return Err(self.refuse(at, at + 1, Expected::Closer, Why::Syntax));
        };
        let Some(opened) = self.edits.get(opener) else {
            return Err(self.refuse(at, at + 1, Expected::Closer, Why::Syntax));
        };
        let (rule, start) = (opened.rule, opened.span.start as usize);
        if (rule == Rule::SetLiteral) != (self.bytes[at] == b'}') {
            return self.odd_closer();
        }
        let empty = self.good == start + 1;
        if rule == Rule::Tuple && !comma && !empty {
            return Err(self.refuse(start, start + 1, Expected::Value, Why::Syntax));
        }
        self.fixes.pop();
        self.edit_as(
            fix,
            rule,
            at,
            at + 1,
            if top == Frame::Call { "}" } else { "]" },
        );
        self.at += 1;
        self.close()
    }

    /// The last level was closed: a doubled brace wants its twin, and an object may have been closed too early.
    fn close_root(&mut self, empty: bool) -> Scan<()> {
        if let Some((fix, rule)) = self.doubled.take() {
            self.trivia()?;
            let twin = self.at;
            if self.byte(twin) != Some(b'}') {
                return Err(self.refuse(twin, twin + 1, Expected::Closer, Why::Syntax));
            }
            self.edit_as(fix, rule, twin, twin + 1, "");
            self.at = twin + 1;
            self.good = self.at;
            return Ok(());
        }
        let closed_object = self.bytes[self.at - 1] == b'}';
        // A closer that stands there by an edit closes for good.
        let own = self.edited_to() < self.at;
        if closed_object && own && !empty && self.rules.has(Rule::EarlyClose) {
            let comma = self.peek(self.at);
            let tail = self.rest(comma).trim_end();
            if self.byte(comma) == Some(b',') && self.name_ahead(comma + 1) && tail.ends_with('}') {
                self.edit(Rule::EarlyClose, self.at - 1, self.at, "");
                self.stack.push(Frame::Object);
            }
        }
        Ok(())
    }

    /// A closer of the wrong kind: the reading after which the rest fits, if there is just one in this order.
    #[cold]
    fn odd_closer(&mut self) -> Scan<Step> {
        let at = self.at;
        let found = self.bytes[at];
        let matches = |frame: Frame| match found {
            b'}' => frame == Frame::Object,
            b']' => frame == Frame::Array,
            _ => matches!(frame, Frame::Tuple | Frame::Call),
        };
        let depth = self.stack.depth();
        let missing =
            (1..depth.min(64)).find(|count| self.stack.below(*count).is_some_and(matches));
        let readings = [
            missing.map(Reading::Insert),
            Some(Reading::Replace),
            self.swapped().then_some(Reading::Swap),
            Some(Reading::Delete),
        ];
        let reading = readings
            .into_iter()
            .flatten()
            .find(|reading| self.rest_fits(*reading));
        let (rule, reading) = match reading {
            Some(Reading::Delete) => (Rule::SurplusCloserInside, Reading::Delete),
            Some(reading) => (Rule::MismatchedCloser, reading),
            None => {
                // Nothing fits as far as one can see: name the rule that is nearest, but do not apply it.
                let why = if self.rules.has(Rule::MismatchedCloser) {
                    Why::Syntax
                } else {
                    Why::RuleOff(Rule::MismatchedCloser)
                };
                return Err(self.refuse(at, at + 1, Expected::CommaOrCloser, why));
            }
        };
        self.need(rule, at, at + 1, Expected::CommaOrCloser)?;
        if self
            .stack
            .top()
            .is_some_and(|frame| matches!(frame, Frame::Tuple | Frame::Call))
        {
            return self.odd_closer_of_edited(reading);
        }
        match reading {
            Reading::Insert(count) => {
                if (0..count)
                    .filter_map(|level| self.stack.below(level))
                    .any(|frame| matches!(frame, Frame::Tuple | Frame::Call))
                {
                    return Err(self.refuse(at, at + 1, Expected::CommaOrCloser, Why::Syntax));
                }
                let closers: String = (0..count)
                    .filter_map(|level| self.stack.below(level))
                    .map(Frame::closer)
                    .collect();
                self.edit(rule, at, at, &closers);
                for _ in 0..count {
                    self.stack.pop();
                }
                self.closer()
            }
            Reading::Replace => {
                let closer = self
                    .stack
                    .top()
                    .map_or(String::new(), |top| top.closer().to_string());
                self.edit(rule, at, at + 1, &closer);
                self.at += 1;
                self.close()
            }
            Reading::Swap => {
                let fix = self.edits.next_fix();
                let closers: Vec<String> = (0..2)
                    .filter_map(|level| self.stack.below(level))
                    .map(|frame| frame.closer().to_string())
                    .collect();
                for (index, closer) in closers.iter().enumerate() {
                    self.edit_as(fix, rule, at + index, at + index + 1, closer);
                }
                self.at += 2;
                self.stack.pop();
                self.close()
            }
            Reading::Delete => {
                self.edit(rule, at, at + 1, "");
                self.at += 1;
                if self.is_opened() {
                    return Ok(Step::Opened);
                }
                self.good = self.at;
                Ok(Step::After)
            }
        }
    }

    /// Whether nothing was read since a level was opened.
    fn is_opened(&self) -> bool {
        let closer = self.text[..self.at].chars().next_back();
        let from = self.at - closer.map_or(0, char::len_utf8);
        self.text[..self.good].ends_with(['{', '[', '(', '｛', '［', ','])
            && self.peek(self.good) >= from
    }

    /// `{"a": [1}]`: the closers of the two innermost levels stand in each other's place.
    fn swapped(&self) -> bool {
        let closers = [self.stack.below(0), self.stack.below(1)].map(|frame| match frame {
            Some(Frame::Object) => Some(b'}'),
            Some(Frame::Array) => Some(b']'),
            _ => None,
        });
        closers[0].is_some() && closers == [self.byte(self.at + 1), self.byte(self.at)]
    }

    /// `{"a": [[1], 2], [3]]}`: an array was closed before its last elements, and its closer comes once more. Takes the
    /// early one out; the cursor stands on the element behind it.
    pub(super) fn reopen_array(&mut self) -> Scan<bool> {
        let before = self.text[..self.at].trim_end();
        let Some(closed) = before.strip_suffix(',').map(str::trim_end) else {
            return Ok(false);
        };
        let Some(place) = closed
            .len()
            .checked_sub(1)
            .filter(|_| closed.ends_with(']'))
        else {
            return Ok(false);
        };
        let last = self.edits.get(self.edits.len().wrapping_sub(1));
        // An empty array has no element that the next one could follow.
        let empty = self.empty_end == closed.len() || closed[..place].trim_end().ends_with('[');
        if empty
            || last.is_some_and(|edit| place < edit.span.end as usize)
            || self.last != Last::Container
            || !self.surplus_closer_follows()
        {
            return Ok(false);
        }
        self.need(
            Rule::EarlyClose,
            self.at,
            self.token_end(self.at),
            Expected::Name,
        )?;
        self.edit(Rule::EarlyClose, place, place + 1, "");
        self.stack.push(Frame::Array);
        Ok(true)
    }

    /// `{"a": [1, 2, "b": 3}`, `[{"a": 1, {"a": 2}]`: behind a comma in a container of kind `inner` stands what only the
    /// one around it, of kind `outer`, can have, and with a closer before that comma the rest has no fault.
    pub(super) fn lost_closer_before(&mut self, inner: Frame, outer: Frame) -> Scan<bool> {
        let comma = self.mark.0;
        if self.stack.top() != Some(inner)
            || self.stack.below(1) != Some(outer)
            || self.byte(comma) != Some(b',')
            || self.white_end(comma + 1) != self.at
            || comma < self.edited_to()
            || outer == Frame::Object && !self.name_ahead(self.at)
        {
            return Ok(false);
        }
        self.stack.pop();
        if self.rest_behind(comma, comma) != Rest::Whole {
            self.stack.push(inner);
            return Ok(false);
        }
        // Without the rule the first fault is the colon, or the brace.
        let (place, expected) = match inner {
            Frame::Object => (self.at, Expected::Name),
            _ => {
                let end = self.name_end(self.at);
                (
                    end.map_or(self.at, |end| self.peek(end)),
                    Expected::CommaOrCloser,
                )
            }
        };
        self.need(
            Rule::MismatchedCloser,
            place,
            self.token_end(place),
            expected,
        )?;
        let closer = inner.closer().to_string();
        self.edit(Rule::MismatchedCloser, comma, comma, &closer);
        self.value_due = false;
        Ok(true)
    }

    /// Whether the first closer from the cursor on that closes nothing is a `]` behind which an object goes on or ends.
    fn surplus_closer_follows(&mut self) -> bool {
        let (mut depth, mut at) = (0usize, self.at);
        while let Some(byte) = self.byte(at) {
            if !self.pay(1) {
                return false;
            }
            match byte {
                b'"' => match self.string_end(at) {
                    Some(end) => {
                        at = end;
                        continue;
                    }
                    None => return false,
                },
                b'{' | b'[' => depth += 1,
                b'}' | b']' if 0 < depth => depth -= 1,
                b']' => {
                    let next = self.peek(at + 1);
                    return match self.byte(next) {
                        Some(b'}') => true,
                        Some(b',') => self.name_ahead(next + 1),
                        _ => false,
                    };
                }
                b'}' => return false,
                _ => {}
            }
            at += 1;
        }
        false
    }

    /// `(1, 2]`: the opener of the tuple was edited, so the closer is of its fix.
    fn odd_closer_of_edited(&mut self, reading: Reading) -> Scan<Step> {
        let at = self.at;
        let top = self.stack.top();
        match (reading, self.fixes.pop()) {
            (Reading::Replace, Some(Edited { opener, .. })) => {
                let closer = top.map_or(String::new(), |top| top.closer().to_string());
                if self.text[at..at + 1] != closer {
                    self.edit(Rule::MismatchedCloser, at, at + 1, &closer);
                } else {
                    // The byte is right as it is, but the reading is a guess: the opener says so.
                    self.edits.relabel(opener, Rule::MismatchedCloser);
                }
                self.at += 1;
                self.close()
            }
            _ => Err(self.refuse(at, at + 1, Expected::CommaOrCloser, Why::Syntax)),
        }
    }

    /// Whether what follows the closer at the cursor suits the brackets that are open after `reading`.
    fn rest_fits(&mut self, reading: Reading) -> bool {
        let (mut skip, mut at) = match reading {
            Reading::Insert(count) => (count + 1, self.at + 1),
            Reading::Replace => (1, self.at + 1),
            Reading::Swap => (2, self.at + 2),
            Reading::Delete => (0, self.at + 1),
        };
        for _ in 0..256 {
            let next = self.peek(at);
            if !self.pay(next - at + 1) {
                return false;
            }
            let top = self.stack.below(skip);
            match (self.byte(next), top) {
                (Some(b'}'), Some(Frame::Object)) | (Some(b']'), Some(Frame::Array)) => {
                    skip += 1;
                    at = next + 1;
                }
                (Some(b')'), Some(Frame::Tuple | Frame::Call)) => {
                    skip += 1;
                    at = next + 1;
                }
                (Some(b','), Some(frame)) => {
                    let behind = self.peek(next + 1);
                    if matches!(self.byte(behind), Some(b'}' | b']') | None) {
                        at = next + 1;
                        continue;
                    }
                    return frame.is_object() == self.name_ahead(next + 1);
                }
                (None, None) => return true,
                (None, Some(_)) => return false,
                (Some(b'}' | b']' | b')'), _) => return false,
                (Some(byte), None) => return !matches!(byte, b',' | b'"' | b'{' | b'['),
                (Some(_), Some(frame)) => {
                    let newline = self.text[at..next].contains('\n');
                    return newline && frame.is_object() == self.name_ahead(next);
                }
            }
        }
        false
    }
}
