//! Edits: the one way in which an output differs from its source. No output comes into being anywhere else.

use std::ops::Range;

use super::rule::{Rule, RuleSet};
use super::span::Span;

/// The edits of one occurrence (both quotes of a string) share a fix and stand or fall together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FixId(pub u32);

/// One change: the bytes of `span` give way to `after`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edit<'a> {
    /// Bytes of the source that go; empty for an insertion.
    pub span: Span,
    /// Text that comes in their place; empty for a deletion.
    pub after: &'a str,
    /// The fix it belongs to.
    pub fix: FixId,
    /// The rule that asked for it.
    pub rule: Rule,
}

/// An edit as it is stored: 24 bytes, its text in the shared `texts`.
#[derive(Clone, Copy, Debug)]
struct Row {
    span: Span,
    text: u32,
    text_len: u32,
    fix: FixId,
    rule: Rule,
}

/// Replacement texts that occur by the million, so that each is stored once.
const COMMON: &str = "\"\\\"\\n\\r\\t,:nulltruefalse";

/// A replacement text among the shared ones: where it stands, and how long it is.
#[derive(Clone, Copy, Debug)]
pub(in crate::repair) struct Stored(u32, u32);

impl Stored {
    pub(in crate::repair) const NOTHING: Stored = Stored(0, 0);
    pub(in crate::repair) const QUOTE: Stored = Stored(0, 1);
    pub(in crate::repair) const BACKSLASH: Stored = Stored(1, 1);
    pub(in crate::repair) const ESCAPED_QUOTE: Stored = Stored(1, 2);
    pub(in crate::repair) const LINE_FEED: Stored = Stored(3, 2);
    pub(in crate::repair) const CARRIAGE_RETURN: Stored = Stored(5, 2);
    pub(in crate::repair) const TAB: Stored = Stored(7, 2);
    pub(in crate::repair) const COMMA: Stored = Stored(9, 1);
    pub(in crate::repair) const COLON: Stored = Stored(10, 1);
    pub(in crate::repair) const NULL: Stored = Stored(11, 4);
    pub(in crate::repair) const TRUE: Stored = Stored(15, 4);
    pub(in crate::repair) const FALSE: Stored = Stored(19, 5);

    /// The common text that is `text`, if there is one.
    pub(in crate::repair) fn common(text: &str) -> Option<Stored> {
        Some(match text {
            "" => Stored::NOTHING,
            "\"" => Stored::QUOTE,
            "\\" => Stored::BACKSLASH,
            "\\\"" => Stored::ESCAPED_QUOTE,
            "\\n" => Stored::LINE_FEED,
            "\\r" => Stored::CARRIAGE_RETURN,
            "\\t" => Stored::TAB,
            "," => Stored::COMMA,
            ":" => Stored::COLON,
            "null" => Stored::NULL,
            "true" => Stored::TRUE,
            "false" => Stored::FALSE,
            _ => return None,
        })
    }
}

/// Edits beyond which a list takes no more: 480 MB of rows.
pub(in crate::repair) const MOST: usize = 20_000_000;

/// The edits of one repair.
#[derive(Clone, Debug)]
pub struct Edits {
    /// Sorted, disjoint, on character borders. Written only by `push`, which the scanner, the
    /// extraction and the wrapping call. Checked by `tests/property.rs`.
    rows: Vec<Row>,
    /// Replacement texts, addressed by `Row::text`. Begins with `COMMON` once there is an edit.
    texts: String,
    /// Length of the source the spans belong to; applying to another text is a bug.
    source_len: u32,
    /// Number of fixes handed out.
    fixes: u32,
    /// Rows that the list takes.
    room: usize,
    /// Where the first edit stood for which there was no room.
    full_at: Option<u32>,
    /// Rules whose edits were merged into those of another rule, or undone by them.
    merged: RuleSet,
}

impl Default for Edits {
    fn default() -> Edits {
        Edits::new(0)
    }
}

/// How far back a cut or a second try takes the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::repair) struct Mark {
    rows: usize,
    texts: usize,
    fixes: u32,
}

impl Edits {
    /// An empty list for a source of `source_len` bytes.
    pub(in crate::repair) fn new(source_len: u32) -> Edits {
        Edits {
            rows: Vec::new(),
            texts: String::new(),
            source_len,
            fixes: 0,
            room: MOST,
            full_at: None,
            merged: RuleSet::EMPTY,
        }
    }

    /// Where the first edit stood for which there was no room: the text is refused there.
    pub(in crate::repair) fn full_at(&self) -> Option<u32> {
        self.full_at
    }

    /// A list that takes `room` edits.
    #[cfg(test)]
    pub(in crate::repair) fn with_room(mut self, room: usize) -> Edits {
        self.room = room;
        self
    }

    /// Number of edits.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether nothing is changed.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The rules that made edits.
    pub(in crate::repair) fn rules(&self) -> RuleSet {
        self.rows.iter().map(|row| row.rule).collect()
    }

    /// The rules without which this list would not have come about: those that made edits, and those whose edits were
    /// merged into others.
    pub(in crate::repair) fn needed(&self) -> RuleSet {
        self.rules().union(self.merged)
    }

    /// Number of fixes: the units that a user accepts or rejects.
    pub fn fixes(&self) -> usize {
        self.fixes as usize
    }

    /// Bytes of the source the edits belong to.
    pub fn source_len(&self) -> u32 {
        self.source_len
    }

    /// The edit at `index`, in source order.
    pub fn get(&self, index: usize) -> Option<Edit<'_>> {
        self.rows.get(index).map(|row| self.edit(row))
    }

    /// All edits in source order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Edit<'_>> + ExactSizeIterator + Clone {
        self.rows.iter().map(|row| self.edit(row))
    }

    /// Index of the first edit that ends after byte `at`, by binary search.
    pub fn first_after(&self, at: u32) -> usize {
        self.rows
            .partition_point(|row| row.span.end <= at && row.span.start < at)
    }

    fn edit(&self, row: &Row) -> Edit<'_> {
        let after = &self.texts[row.text as usize..(row.text + row.text_len) as usize];
        Edit {
            span: row.span,
            after,
            fix: row.fix,
            rule: row.rule,
        }
    }

    /// A new fix, to be given to `push`.
    pub(in crate::repair) fn next_fix(&mut self) -> FixId {
        let fix = FixId(self.fixes);
        self.fixes += 1;
        fix
    }

    /// Adds an edit behind all others.
    pub(in crate::repair) fn push(&mut self, rule: Rule, fix: FixId, span: Span, after: &str) {
        let text = match Stored::common(after) {
            Some(stored) => stored,
            None => self.store(after),
        };
        self.push_common(rule, fix, span, text);
    }

    /// As [`Edits::push`], with a text that is stored already.
    #[inline]
    pub(in crate::repair) fn push_common(
        &mut self,
        rule: Rule,
        fix: FixId,
        span: Span,
        after: Stored,
    ) {
        debug_assert!(
            self.rows
                .last()
                .is_none_or(|row| row.span.end <= span.start),
            "edits out of order"
        );
        let full = self.rows.len() >= self.room || self.texts.len() > u32::MAX as usize;
        if full || self.texts.is_empty() || self.rows.len() == self.rows.capacity() {
            self.grow();
        }
        if full {
            self.full_at.get_or_insert(span.start);
            return;
        }
        self.rows.push(Row {
            span,
            text: after.0,
            text_len: after.1,
            fix,
            rule,
        });
    }

    /// Room for the next edit. A quarter more at a time: a list that doubles holds up to twice what it needs.
    #[cold]
    fn grow(&mut self) {
        if self.texts.is_empty() {
            self.texts.push_str(COMMON);
        }
        if self.rows.len() == self.rows.capacity() && self.rows.len() < self.room {
            self.rows.reserve_exact((self.rows.len() / 4).max(16));
        }
    }

    /// Gives the edit at `index` another rule: for an opener whose closer turned out to be doubtful.
    pub(in crate::repair) fn relabel(&mut self, index: usize, rule: Rule) {
        // Without room for the opener there is nothing to relabel.
        if let Some(row) = self.rows.get_mut(index) {
            row.rule = rule;
        }
    }

    /// Gives an edit another replacement. A list that is full is refused whatever it holds.
    pub(in crate::repair) fn retext(&mut self, index: usize, after: &str) {
        if self.full_at.is_some() {
            return;
        }
        let stored = self.store(after);
        if let Some(row) = self.rows.get_mut(index) {
            (row.text, row.text_len) = (stored.0, stored.1);
        }
    }

    fn store(&mut self, after: &str) -> Stored {
        if self.texts.is_empty() {
            self.texts.push_str(COMMON);
        }
        let at = self.texts.len();
        self.texts.push_str(after);
        Stored(at as u32, after.len() as u32)
    }

    /// Where the list stands now.
    pub(in crate::repair) fn mark(&self) -> Mark {
        Mark {
            rows: self.rows.len(),
            texts: self.texts.len(),
            fixes: self.fixes,
        }
    }

    /// Takes back all edits since `mark`, by count and never by position.
    pub(in crate::repair) fn take_back(&mut self, mark: Mark) {
        self.rows.truncate(mark.rows);
        self.texts.truncate(mark.texts);
        self.fixes = mark.fixes;
        if self.rows.len() < self.room {
            self.full_at = None;
        }
    }

    /// The edits of `earlier`, which stand before all of these in the same source, and these.
    pub(in crate::repair) fn behind(mut self, earlier: &Edits) -> Edits {
        let (own, common) = (
            self.texts.len().max(COMMON.len()) as u32,
            COMMON.len() as u32,
        );
        for row in &mut self.rows {
            row.fix.0 += earlier.fixes;
        }
        self.fixes += earlier.fixes;
        if self.texts.is_empty() {
            self.texts.push_str(COMMON);
        }
        self.texts
            .push_str(earlier.texts.get(COMMON.len()..).unwrap_or(""));
        let moved = earlier.rows.iter().map(|row| Row {
            text: if row.text < common {
                row.text
            } else {
                row.text - common + own
            },
            ..*row
        });
        self.rows.splice(0..0, moved);
        self.merged = self.merged.union(earlier.merged);
        self
    }

    /// These edits, and then `later`, whose places are bytes of the output of these: one list over the source.
    /// An edit of `later` that touches text that an earlier edit wrote takes that edit's place; the less sure of the
    /// two rules stays.
    pub(in crate::repair) fn then(&self, later: &Edits) -> Edits {
        let mut out = Edits::new(self.source_len);
        out.fixes = self.fixes + later.fixes;
        out.full_at = self.full_at.or(later.full_at);
        out.merged = self.needed().union(later.needed());
        // `lag`: source byte minus output byte, behind the earlier edits that were taken so far.
        let mut lag = 0i64;
        let mut earlier = self.iter().peekable();
        let mut later = later.iter().peekable();
        let place = |edit: &Edit<'_>, lag: i64| {
            let start = edit.span.start as i64 - lag;
            (start, start + edit.after.len() as i64)
        };
        while let Some(edit) = later.next() {
            let (mut start, mut end) = (edit.span.start as i64, edit.span.end as i64);
            while let Some(first) = earlier.next_if(|first| {
                let (from, to) = place(first, lag);
                to <= start
                    && !(from == to
                        && from == start
                        && edit.span.is_empty()
                        && first.span.is_empty())
            }) {
                out.push(first.rule, first.fix, first.span, first.after);
                lag += first.span.len() as i64 - first.after.len() as i64;
            }
            let mut text = String::new();
            let mut rule = edit.rule;
            let from = start + lag;
            let mut source_start = from;
            let mut replacement = edit.after.to_owned();
            let mut tail = String::new();
            loop {
                let touched = earlier.next_if(|first| {
                    let (from, to) = place(first, lag);
                    from < end && (start < to || start < from)
                });
                if let Some(first) = touched {
                    let (from, to) = place(&first, lag);
                    if from < start {
                        text.push_str(&first.after[..(start - from) as usize]);
                        source_start = first.span.start as i64;
                    } else if from == start {
                        source_start = source_start.min(first.span.start as i64);
                    }
                    if end < to {
                        tail = first.after[(end - from) as usize..].to_owned();
                        end = to;
                        start = start.min(from);
                    }
                    if rule.level() < first.rule.level() {
                        rule = first.rule;
                    }
                    lag += first.span.len() as i64 - first.after.len() as i64;
                    continue;
                }
                // The rest of a half covered replacement may be touched by the next later edit too.
                let Some(next) =
                    later.next_if(|next| !tail.is_empty() && (next.span.start as i64) < end)
                else {
                    break;
                };
                let kept = tail.len() as i64 - (end - next.span.start as i64);
                replacement.push_str(&tail[..kept as usize]);
                replacement.push_str(next.after);
                let beyond = end - next.span.end as i64;
                tail = if beyond > 0 {
                    tail[tail.len() - beyond as usize..].to_owned()
                } else {
                    String::new()
                };
                end = end.max(next.span.end as i64);
            }
            text.push_str(&replacement);
            text.push_str(&tail);
            let span = Span::new(source_start as u32, (end + lag) as u32);
            out.push(rule, FixId(self.fixes + edit.fix.0), span, &text);
        }
        for first in earlier {
            out.push(first.rule, first.fix, first.span, first.after);
        }
        out.agree();
        out
    }

    /// This list without the edits of `fixes`, which are in ascending order.
    pub(in crate::repair) fn without_fixes(mut self, fixes: &[FixId]) -> Edits {
        if !fixes.is_empty() {
            self.merged = self.needed();
            self.rows
                .retain(|row| fixes.binary_search(&row.fix).is_err());
        }
        self
    }

    /// The edits of one fix stand or fall together, so they share the rule that is the least sure among them.
    fn agree(&mut self) {
        let mut worst: Vec<Option<Rule>> = vec![None; self.fixes as usize];
        for row in &self.rows {
            let slot = &mut worst[row.fix.0 as usize];
            if slot.is_none_or(|rule| rule.level() < row.rule.level()) {
                *slot = Some(row.rule);
            }
        }
        for row in &mut self.rows {
            row.rule = worst[row.fix.0 as usize].unwrap_or(row.rule);
        }
    }

    /// This list without edits that write what stands there already. Where such an edit was less sure than all that is
    /// left, its rule goes on to a neighbour, so that the doubt stays in the list.
    pub(in crate::repair) fn without_idle(self, source: &str) -> Edits {
        let idle = |edit: &Edit<'_>| edit.span.text(source) == edit.after;
        if !self.iter().any(|edit| idle(&edit)) {
            return self;
        }
        let mut out = Edits::new(self.source_len);
        out.fixes = self.fixes;
        out.full_at = self.full_at;
        out.merged = self.needed();
        for edit in self.iter().filter(|edit| !idle(edit)) {
            out.push(edit.rule, edit.fix, edit.span, edit.after);
        }
        let worst = out.iter().map(|edit| edit.rule.level()).max();
        let doubt = self
            .iter()
            .filter(idle)
            .max_by_key(|edit| edit.rule.level());
        if let Some(doubt) = doubt.filter(|doubt| worst < Some(doubt.rule.level())) {
            let neighbour = out
                .rows
                .partition_point(|row| row.span.end <= doubt.span.start);
            let neighbour = neighbour.min(out.rows.len().saturating_sub(1));
            let fix = out.next_fix();
            if let Some(row) = out.rows.get_mut(neighbour) {
                (row.rule, row.fix) = (doubt.rule, fix);
            }
        }
        out
    }

    /// The output as a run of pieces of the source and of replacements, over the edits for which `live` holds.
    pub fn pieces<'a>(
        &'a self,
        source: &'a str,
        live: impl Fn(FixId) -> bool + 'a,
    ) -> impl Iterator<Item = Piece<'a>> + 'a {
        self.belong_to(source);
        Pieces {
            edits: self,
            source,
            live,
            rows: 0,
            at: 0,
        }
    }

    fn belong_to(&self, source: &str) {
        assert_eq!(
            source.len(),
            self.source_len as usize,
            "edits of another source"
        );
    }

    /// The whole output over the edits for which `live` holds: all [`Edits::pieces`] in one string.
    ///
    /// # Panics
    /// If `source` is not the text that the edits belong to.
    pub fn apply(&self, source: &str, live: impl Fn(FixId) -> bool) -> String {
        let room = source.len() + self.rows.len() + KEPT;
        if self.rows.len() < source.len() / FAR {
            let mut out = String::with_capacity(room);
            self.pieces(source, live)
                .for_each(|piece| out.push_str(piece.text()));
            return out;
        }
        self.belong_to(source);
        let (bytes, texts) = (source.as_bytes(), self.texts.as_bytes());
        let mut out = Vec::with_capacity(room);
        let mut at = 0;
        for row in self.rows.iter().filter(|row| live(row.fix)) {
            copy::<KEPT>(&mut out, bytes, at..row.span.start as usize);
            let text = row.text as usize;
            copy::<NEW>(&mut out, texts, text..text + row.text_len as usize);
            at = row.span.end as usize;
        }
        out.extend_from_slice(&bytes[at..]);
        // Spans of another text may cut characters in two: `pieces` says that it is another.
        String::from_utf8(out).unwrap_or_else(|_| {
            self.pieces(source, live)
                .map(|piece| piece.text())
                .collect()
        })
    }
}

/// Bytes from one edit to the next beyond which a copy of any length costs less than the check of all bytes at the end.
const FAR: usize = 128;

/// Bytes of the source between two edits, and bytes of a replacement, that are mostly enough.
const KEPT: usize = 64;
const NEW: usize = 8;

/// Adds `from[span]` to `out`. To copy `N` bytes and to cut off what is too much takes half the time of a copy of any
/// length: where faults are many the stretches between them are short, and no two have the same length.
#[inline(always)]
fn copy<const N: usize>(out: &mut Vec<u8>, from: &[u8], span: Range<usize>) {
    let behind = from.get(span.start..).and_then(<[u8]>::first_chunk::<N>);
    match behind.filter(|_| span.len() <= N) {
        Some(chunk) => {
            let len = out.len() + span.len();
            out.extend_from_slice(chunk);
            out.truncate(len);
        }
        None => out.extend_from_slice(&from[span]),
    }
}

/// What [`Edits::pieces`] gives.
struct Pieces<'a, F> {
    edits: &'a Edits,
    source: &'a str,
    live: F,
    /// The next edit.
    rows: usize,
    /// The next byte of the source.
    at: u32,
}

impl<'a, F: Fn(FixId) -> bool> Iterator for Pieces<'a, F> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        while let Some(row) = self.edits.rows.get(self.rows) {
            if (self.live)(row.fix) {
                break;
            }
            self.rows += 1;
        }
        let row = self.edits.rows.get(self.rows);
        let until = row.map_or(self.edits.source_len, |row| row.span.start);
        if self.at < until {
            let kept = Span::new(self.at, until);
            self.at = until;
            return Some(Piece::Kept(kept, kept.text(self.source)));
        }
        let edit = self.edits.edit(row?);
        self.rows += 1;
        self.at = edit.span.end;
        Some(Piece::New(edit))
    }
}

/// A stretch of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// Text taken over from the source.
    Kept(Span, &'a str),
    /// The replacement of a live edit; its text may be empty.
    New(Edit<'a>),
}

impl<'a> Piece<'a> {
    /// The text that stands in the output.
    pub fn text(&self) -> &'a str {
        match self {
            Piece::Kept(_, text) => text,
            Piece::New(edit) => edit.after,
        }
    }
}

/// Which side of a replaced stretch to stand on where a byte has no counterpart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bias {
    /// At the start of the replacement.
    Before,
    /// Behind the replacement.
    After,
}

/// Source bytes to output bytes and back, over one choice of live edits.
#[derive(Clone, Debug, Default)]
pub struct PositionMap {
    /// For each live edit in order: its source span and its output span.
    edges: Vec<(Span, Span)>,
    /// Lengths of both texts.
    lens: (u32, u32),
}

impl PositionMap {
    /// Builds the map over the edits for which `live` holds: O(edits).
    pub fn new(edits: &Edits, live: impl Fn(FixId) -> bool) -> PositionMap {
        let mut edges = Vec::with_capacity(edits.len());
        let (mut from, mut to) = (0, 0);
        for edit in edits.iter().filter(|edit| live(edit.fix)) {
            to += edit.span.start - from;
            let end = to + edit.after.len() as u32;
            edges.push((edit.span, Span::new(to, end)));
            (from, to) = (edit.span.end, end);
        }
        let lens = (edits.source_len(), to + (edits.source_len() - from));
        PositionMap { edges, lens }
    }

    /// Length of the output in bytes.
    pub fn output_len(&self) -> u32 {
        self.lens.1
    }

    /// The byte of the output where byte `at` of the source stands, by binary search: O(log n).
    /// Inside a replaced span there is no such byte, and `bias` picks the side.
    pub fn to_output(&self, at: u32, bias: Bias) -> u32 {
        Self::across(&self.edges, at, bias, |edge| (edge.0, edge.1))
    }

    /// The byte of the source where byte `at` of the output stands.
    pub fn to_source(&self, at: u32, bias: Bias) -> u32 {
        Self::across(&self.edges, at, bias, |edge| (edge.1, edge.0))
    }

    fn across(
        edges: &[(Span, Span)],
        at: u32,
        bias: Bias,
        pick: impl Fn(&(Span, Span)) -> (Span, Span),
    ) -> u32 {
        let index = edges.partition_point(|edge| {
            pick(edge).0.start < at || (pick(edge).0.start == at && bias == Bias::After)
        });
        let Some(edge) = index.checked_sub(1).map(|last| pick(&edges[last])) else {
            return at;
        };
        let (here, there) = edge;
        if at < here.end || (at == here.end && here.is_empty() && bias == Bias::Before) {
            return if bias == Bias::Before {
                there.start
            } else {
                there.end
            };
        }
        there.end + (at - here.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_list_says_where_and_a_step_back_makes_room() {
        let mut edits = Edits::new(9).with_room(2);
        let marks: Vec<Mark> = (0..4)
            .map(|at| {
                let mark = edits.mark();
                let fix = edits.next_fix();
                edits.push(Rule::TrailingComma, fix, Span::new(at, at + 1), "");
                mark
            })
            .collect();
        assert_eq!((edits.len(), edits.full_at()), (2, Some(2)));
        assert_eq!(edits.then(&Edits::new(7)).full_at(), Some(2));
        edits.take_back(marks[2]);
        assert_eq!((edits.len(), edits.full_at()), (2, Some(2)));
        edits.take_back(marks[1]);
        assert_eq!((edits.len(), edits.full_at()), (1, None));
    }

    fn sample() -> (&'static str, Edits) {
        let source = "{'a': 1,}";
        let mut edits = Edits::new(source.len() as u32);
        let quotes = edits.next_fix();
        edits.push(Rule::SingleQuotes, quotes, Span::new(1, 2), "\"");
        edits.push(Rule::SingleQuotes, quotes, Span::new(3, 4), "\"");
        let comma = edits.next_fix();
        edits.push(Rule::TrailingComma, comma, Span::new(7, 8), "");
        (source, edits)
    }

    #[test]
    fn pieces_make_the_output() {
        let (source, edits) = sample();
        assert_eq!(edits.apply(source, |_| true), "{\"a\": 1}");
        assert_eq!(edits.apply(source, |fix| fix != FixId(0)), "{'a': 1}");
        assert_eq!(edits.apply(source, |_| false), source);
    }

    #[test]
    fn kept_bytes_map_there_and_back() {
        let (source, edits) = sample();
        let map = PositionMap::new(&edits, |_| true);
        assert_eq!(map.output_len(), 8);
        for at in [0, 2, 5, 6] {
            assert_eq!(
                map.to_source(map.to_output(at, Bias::Before), Bias::After),
                at,
                "byte {at}"
            );
        }
        assert_eq!(map.to_output(8, Bias::Before), 7);
        assert_eq!(map.to_output(source.len() as u32, Bias::After), 8);
    }

    #[test]
    fn later_edits_are_told_in_places_of_the_source() {
        // earlier: source -> middle, later: middle -> output; each row (start, end, after)
        type Rows = &'static [(u32, u32, &'static str)];
        let make = |len: usize, rows: Rows| {
            let mut edits = Edits::new(len as u32);
            for (start, end, after) in rows {
                let fix = edits.next_fix();
                edits.push(Rule::ProseAround, fix, Span::new(*start, *end), after);
            }
            edits
        };
        let cases: &[(&str, Rows, Rows)] = &[
            (
                "abcdef",
                &[(1, 2, "XY"), (4, 5, "")],
                &[(0, 1, "q"), (4, 4, "i")],
            ),
            ("abcdef", &[(1, 2, "XYZ")], &[(2, 3, "!")]),
            ("abcdef", &[(1, 2, "XYZ")], &[(1, 2, "1"), (3, 4, "3")]),
            ("abcdef", &[(1, 2, "XYZ")], &[(0, 6, "all")]),
            (
                "abcdef",
                &[(1, 3, ""), (4, 4, "ins")],
                &[(1, 2, "D"), (5, 5, "+")],
            ),
            ("a&quot;b", &[(1, 7, "\"")], &[(1, 2, "\\\"")]),
            (
                "'x'",
                &[(0, 1, "\""), (2, 3, "\"")],
                &[(0, 1, ""), (2, 3, "")],
            ),
            (
                "abc",
                &[(0, 0, "<"), (3, 3, ">")],
                &[(0, 1, "["), (4, 5, "]")],
            ),
            (
                "abc",
                &[(0, 0, "<"), (3, 3, ">")],
                &[(0, 0, "["), (5, 5, "]")],
            ),
            (
                "abcdef",
                &[(2, 4, "12345678")],
                &[(3, 4, "a"), (5, 7, "b"), (9, 10, "c")],
            ),
        ];
        for (source, first, second) in cases {
            let earlier = make(source.len(), first);
            let middle = earlier.apply(source, |_| true);
            let later = make(middle.len(), second);
            let both = earlier.then(&later);
            assert_eq!(
                both.apply(source, |_| true),
                later.apply(&middle, |_| true),
                "{source} {first:?} {second:?}"
            );
            let sorted = both
                .iter()
                .zip(both.iter().skip(1))
                .all(|(a, b)| a.span.end <= b.span.start);
            assert!(sorted, "{source} {first:?} {second:?}");
        }
    }

    #[test]
    fn common_texts_are_stored_once() {
        let mut edits = Edits::new(100);
        let texts = [
            "", "\"", "\\\"", "\\n", "\\r", "\\t", ",", ":", "\\", "null", "true", "false", "True",
            "\\u0000",
        ];
        for (place, text) in texts.into_iter().enumerate() {
            let fix = edits.next_fix();
            edits.push(Rule::RawControl, fix, Span::at(place as u32), text);
        }
        assert!(edits.iter().map(|edit| edit.after).eq(texts));
        assert_eq!(edits.texts.len(), COMMON.len() + "True\\u0000".len());
    }

    #[test]
    fn taking_back_goes_by_count() {
        let (source, mut edits) = sample();
        let mark = edits.mark();
        let fix = edits.next_fix();
        edits.push(Rule::ProseAround, fix, Span::new(8, 9), "a long text");
        edits.take_back(mark);
        assert_eq!(edits.apply(source, |_| true), "{\"a\": 1}");
        assert_eq!(edits.fixes(), 2);
    }
}
