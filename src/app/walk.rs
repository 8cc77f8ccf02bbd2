//! Moving: through texts, edits, lists and calls; and searching.

use super::bench::{Doc, OutputView, Parts};
use super::layout::layout;
use super::overlay::{Candidates, Move, Overlay};
use super::{App, Focus, Screen, feed};
use crate::repair::{Bias, Decision, Fix, Rule, RuleSet, Span};

impl App {
    /// Moves in whatever has the focus.
    pub(super) fn go(&mut self, by: Move) {
        if self.overlay.is_some() {
            return self.move_list(by);
        }
        match (self.screen, self.focus) {
            (Screen::Feed, _) if self.feed.in_preview => {
                let room = self.preview_room();
                let text = self.feed.preview.clone();
                match by {
                    Move::First => self.feed.preview_pane.top = 0,
                    Move::Last => self.feed.preview_pane.follow(&text, room, text.len()),
                    _ => self
                        .feed
                        .preview_pane
                        .scroll(&text, room, by.rows(room.height)),
                }
            }
            (Screen::Feed, _) => {
                let rows = self.feed_rows();
                let to = by.apply(self.feed.at, self.feed.listed.len(), rows);
                self.feed.go(to, rows);
            }
            (_, Focus::Source) => {
                let room = self.source_room();
                let bench = &mut self.bench;
                let text = bench.doc.source.clone();
                match by {
                    Move::First => bench.source_pane.caret = 0,
                    Move::Last => bench.source_pane.caret = text.len(),
                    _ => bench
                        .source_pane
                        .move_rows(&text, room, by.rows(room.height)),
                }
                bench
                    .source_pane
                    .follow(&text, room, bench.source_pane.caret);
                self.choose_under_source();
            }
            (_, Focus::Output) => self.go_in_output(by),
            (_, Focus::Edits) => {
                let rows = self.rows_room();
                let at = self.bench.row().unwrap_or(0);
                let to = by.apply(at, self.bench.rows.list().len(), rows);
                self.choose_row(to);
            }
        }
    }

    fn go_in_output(&mut self, by: Move) {
        let room = self.output_room();
        let bench = &mut self.bench;
        if let (OutputView::Tree, Some(tree)) = (bench.view, &mut bench.tree) {
            let to = by.apply(tree.at, tree.len(), room.height);
            tree.go(to, room.height);
            let at = tree.chosen().map_or(0, |node| node.span.start);
            self.choose_under_output(at);
            return;
        }
        if bench.view == OutputView::Retry && !bench.retry_lines.is_empty() {
            bench.retry_top = by.apply(bench.retry_top, bench.retry_lines.len(), room.height);
            return;
        }
        if bench.view == OutputView::Diff {
            // The diff follows the chosen edit.
            let count = bench.rows.list().len();
            let row = self.bench.row().unwrap_or(0);
            return self.choose_row(by.apply(row, count, room.height));
        }
        let Some(shown) = &bench.shown else { return };
        let text = shown.text.clone();
        let pane = &mut bench.output_pane;
        match by {
            Move::First => pane.caret = 0,
            Move::Last => pane.caret = text.len(),
            _ => pane.move_rows(&text, room, by.rows(room.height)),
        }
        pane.follow(&text, room, pane.caret);
        let at = pane.caret;
        self.choose_under_output(at);
    }

    /// Moves the caret of the focused text by one glyph.
    pub(super) fn go_sideways(&mut self, forward: bool) {
        match self.focus {
            Focus::Source => {
                let room = self.source_room();
                let text = self.bench.doc.source.clone();
                self.bench.source_pane.move_glyphs(&text, room, forward);
                self.choose_under_source();
            }
            Focus::Output => {
                if self.bench.view == OutputView::Tree {
                    return self.fold(!forward);
                }
                let room = self.output_room();
                let Some(shown) = &self.bench.shown else {
                    return;
                };
                let text = shown.text.clone();
                self.bench.output_pane.move_glyphs(&text, room, forward);
                let at = self.bench.output_pane.caret;
                self.choose_under_output(at);
            }
            Focus::Edits => self.fold(!forward),
        }
    }

    /// Chooses the edit under the caret of Source.
    pub(super) fn choose_under_source(&mut self) {
        let at = self.bench.source_pane.caret;
        self.bench.choose_at(at);
        self.show_row();
        let room = self.output_room();
        let bench = &mut self.bench;
        if let Some(shown) = &bench.shown {
            let there = shown.map.to_output(at, Bias::Before).min(shown.text.len());
            bench.output_pane.follow(&shown.text, room, there);
            bench.output_pane.caret = there;
        }
    }

    /// Chooses the edit under a byte of Output.
    pub(super) fn choose_under_output(&mut self, at: u32) {
        let room = self.source_room();
        let bench = &mut self.bench;
        let Some(shown) = &bench.shown else { return };
        let there = shown
            .map
            .to_source(at, Bias::Before)
            .min(bench.doc.source.len());
        bench.choose_at(there);
        bench.source_pane.caret = there;
        let text = bench.doc.source.clone();
        bench.source_pane.follow(&text, room, there);
        self.show_row();
    }

    /// Keeps the chosen row in the list.
    fn show_row(&mut self) {
        let rows = self.rows_room().max(1);
        if let Some(row) = self.bench.row() {
            let top = self.bench.rows_top.min(row);
            self.bench.rows_top = top.max((row + 1).saturating_sub(rows));
        }
    }

    /// Chooses a row of the Edits pane.
    pub(super) fn choose_row(&mut self, row: usize) {
        let bench = &mut self.bench;
        if let Some(row) = bench.rows.list().get(row) {
            bench.chosen = Some(row.first);
            self.reveal();
        }
    }

    /// Chooses a fix by its index.
    pub(super) fn choose_fix(&mut self, index: usize) {
        self.bench.chosen = Some(index);
        self.reveal();
    }

    /// The fixes of the chosen row and their rule.
    pub(super) fn chosen_row(&self) -> Option<(Vec<Fix>, Rule)> {
        let bench = &self.bench;
        let row = bench.rows.list().get(bench.row()?)?;
        Some((row.fixes(bench.review.as_ref()?).collect(), row.rule))
    }

    /// Where to go on after a decision about `row`: to the next undecided edit, else to the next row.
    pub(super) fn after(&self, row: usize) -> Option<usize> {
        let list = self.bench.rows.list();
        let around = (row + 1..list.len()).chain(0..row);
        let open = around
            .map(|index| &list[index])
            .find(|row| row.decision == Decision::Undecided);
        open.or_else(|| list.get(row + 1)).map(|row| row.first)
    }

    /// To the next or previous edit.
    pub(super) fn go_edit(&mut self, forward: bool) {
        let count = self.bench.rows.list().len();
        if count == 0 {
            return self.say("no edits");
        }
        match (self.bench.row(), forward) {
            (None, _) => self.choose_row(0),
            (Some(row), true) if row + 1 < count => self.choose_row(row + 1),
            (Some(row), false) if 0 < row => self.choose_row(row - 1),
            (_, true) => self.say("this is the last edit"),
            (_, false) => self.say("this is the first edit"),
        }
    }

    /// To the next or previous edit that waits for a decision.
    pub(super) fn go_open(&mut self, forward: bool) {
        if !self.go_undecided(forward) {
            let off = self.bench.rows.levels[2].off;
            match off {
                0 => self.say("no edit waits for a decision"),
                _ => self.say("no edit waits for a decision; guesses are off, `M` allows them"),
            }
        }
    }

    /// As `go_open`, without a word; says whether there was one.
    pub(super) fn go_undecided(&mut self, forward: bool) -> bool {
        let list = self.bench.rows.list();
        let count = list.len();
        let row = self.bench.row();
        let start = row.unwrap_or(if forward { count.saturating_sub(1) } else { 0 });
        let found = (1..=count)
            .map(|step| {
                if forward {
                    (start + step) % count
                } else {
                    (start + count - step) % count
                }
            })
            .find(|index| list[*index].decision == Decision::Undecided);
        if let Some(index) = found {
            self.choose_row(index);
        }
        found.is_some()
    }

    /// Folds or unfolds the chosen row, or the chosen branch of the tree.
    pub(super) fn fold(&mut self, fold: bool) {
        let rows = self.output_room().height;
        let bench = &mut self.bench;
        if let (OutputView::Tree, Focus::Output, Some(tree)) =
            (bench.view, self.focus, &mut bench.tree)
        {
            return tree.fold(fold, rows);
        }
        let Some(fix) = bench.fix() else { return };
        let unfolded = bench.folding.unfolded;
        bench.folding.unfolded = match fold {
            true => unfolded.without(fix.rule),
            false => unfolded.union(RuleSet::of(&[fix.rule])),
        };
        self.reshape();
        self.reveal();
    }

    /// Scrolls Output without leaving Edits.
    pub(super) fn scroll_output(&mut self, rows: isize) {
        let room = self.output_room();
        let bench = &mut self.bench;
        if let Some(shown) = &bench.shown {
            let text = shown.text.clone();
            bench.output_pane.scroll(&text, room, rows);
        }
    }

    /// Starts a search in the focused pane.
    pub(super) fn search_for(&mut self, text: String) {
        if let Some(Overlay::Strategies(list)) = &mut self.overlay {
            list.search = text;
            return self.search_strategies(false);
        }
        self.search = text;
        if !self.search.is_empty() {
            self.search_again(false);
        }
    }

    /// To the next or previous match, round the end.
    pub(super) fn search_again(&mut self, back: bool) {
        if matches!(self.overlay, Some(Overlay::Strategies(_))) {
            return self.search_strategies(back);
        }
        if self.search.is_empty() {
            return self.say("nothing to search for: `/`");
        }
        if self.screen == Screen::Feed {
            return self.say("`/` filters the Feed");
        }
        let found = match self.focus {
            Focus::Source => {
                let text = self.bench.doc.source.clone();
                let hit = find(
                    text.as_str(),
                    &self.search,
                    self.bench.source_pane.caret,
                    back,
                );
                let room = self.source_room();
                if let Some(at) = hit {
                    self.bench.source_pane.caret = at;
                    self.bench.source_pane.reveal(&text, room, at);
                    self.choose_under_source();
                }
                hit.is_some()
            }
            Focus::Output => {
                let Some(shown) = &self.bench.shown else {
                    return self.say("no output to search in");
                };
                let text = shown.text.clone();
                let hit = find(
                    text.as_str(),
                    &self.search,
                    self.bench.output_pane.caret,
                    back,
                );
                let room = self.output_room();
                if let Some(at) = hit {
                    self.bench.output_pane.caret = at;
                    self.bench.output_pane.reveal(&text, room, at);
                    self.choose_under_output(at);
                }
                hit.is_some()
            }
            Focus::Edits => self.search_edits(back),
        };
        if !found {
            let text = super::words::brief(&self.search, 24);
            self.say(format!("`{text}` is not there"));
        }
    }

    fn search_edits(&mut self, back: bool) -> bool {
        let bench = &self.bench;
        let Some(review) = &bench.review else {
            return false;
        };
        let list = bench.rows.list();
        let count = list.len();
        let start = bench.row().unwrap_or(0);
        let hit = (1..=count)
            .map(|step| {
                if back {
                    (start + count - step) % count
                } else {
                    (start + step) % count
                }
            })
            .find(|index| {
                let row = list[*index];
                let edit = review.repair().edits.get(review.fixes()[row.first].first);
                let before = edit.map_or("", |edit| edit.span.text(bench.doc.source.as_str()));
                let after = edit.map_or("", |edit| edit.after);
                [row.rule.id(), before, after]
                    .iter()
                    .any(|text| text.contains(&self.search))
            });
        if let Some(index) = hit {
            self.choose_row(index);
        }
        hit.is_some()
    }

    /// Rows of the Feed's list.
    pub(super) fn feed_rows(&self) -> usize {
        usize::from(layout(self).feed.unwrap_or_default().inner().height).max(1)
    }

    /// Room of the Feed's preview.
    pub(super) fn preview_room(&self) -> super::pane::Room {
        let area = layout(self).preview.unwrap_or_default().inner();
        super::pane::Room {
            width: usize::from(area.width).max(2),
            height: usize::from(area.height).max(1),
        }
    }

    /// Lists the calls again.
    pub(super) fn relist(&mut self) {
        self.feed.relist(self.now.unix);
        let rows = self.feed_rows();
        self.feed.go(self.feed.at, rows);
    }

    /// Opens the chosen call in the Bench.
    pub(super) fn open_chosen(&mut self) {
        let Some(entry) = self.feed.chosen_mut() else {
            return self.say("no call is chosen");
        };
        let call = std::sync::Arc::clone(&entry.call);
        let Some(raw) = call.raw.clone() else {
            return self.say("the log lost the text of this call");
        };
        if entry.state == feed::State::New {
            entry.state = feed::State::Seen;
        }
        self.keep_decisions();
        let tool = feed::tool_of(&call, &self.options.tools);
        let number = call.number;
        let doc = Doc {
            name: feed::place(&call),
            source: super::text::Text::new(std::sync::Arc::new(raw)),
            tool: std::sync::Arc::new(tool),
            call: Some(call),
            pick: None,
        };
        // Each call has its own decisions and its own history.
        self.bench.doc = Doc::default();
        self.bench.history = super::history::History::default();
        self.bench.parts = None;
        self.bench.decided = Default::default();
        self.replace(doc);
        self.bench.decided = self.kept.remove(&number).unwrap_or_default();
        self.bench.dirty = !self.bench.decided.is_empty();
        self.screen = Screen::Bench;
        self.focus = Focus::Edits;
        self.zoom = false;
    }

    /// Keeps what was decided about the call on the Bench, for when it is opened again.
    fn keep_decisions(&mut self) {
        if let Some(call) = &self.bench.doc.call {
            if self.bench.dirty && !self.bench.decided.is_empty() {
                self.kept
                    .insert(call.number, std::mem::take(&mut self.bench.decided));
            }
        }
    }

    /// To the next or previous failed call, or part of a split.
    pub(super) fn step_call(&mut self, forward: bool) {
        if let Some(parts) = &self.bench.parts {
            let to = parts.at.checked_add_signed(if forward { 1 } else { -1 });
            return match to.filter(|to| *to < parts.texts.len()) {
                Some(to) => self.open_part(to),
                None if forward => self.say("this is the last of the calls"),
                None => self.say("this is the first of the calls"),
            };
        }
        if self.feed.listed.is_empty() {
            return self.say("no failed calls");
        }
        let open = self.bench.doc.call.as_ref().map(|call| call.number);
        let at = open.and_then(|number| {
            self.feed
                .listed
                .iter()
                .position(|index| self.feed.calls[*index].call.number == number)
        });
        let to = match (at, forward) {
            (None, _) => Some(self.feed.at),
            (Some(at), true) => (at + 1 < self.feed.listed.len()).then_some(at + 1),
            (Some(at), false) => at.checked_sub(1),
        };
        match to {
            Some(to) => {
                let rows = self.feed_rows();
                self.feed.go(to, rows);
                self.open_chosen();
            }
            None if forward => self.say("this is the oldest failed call"),
            None => self.say("this is the newest failed call"),
        }
    }

    /// Opens the list of candidates.
    pub(super) fn open_candidates(&mut self) {
        match self.bench.refusal().map(|refusal| refusal.candidates.len()) {
            Some(0) | None => self.say("there is nothing to choose from here"),
            Some(_) => {
                let outcomes = self.candidate_outcomes();
                self.overlay = Some(Overlay::Candidates(Candidates {
                    outcomes,
                    ..Candidates::default()
                }));
                self.look_at_chosen();
            }
        }
    }

    /// Brings the chosen candidate into Source.
    pub(super) fn reveal_candidate(&mut self) {
        if let Some(span) = self.chosen_candidate() {
            let room = self.source_room();
            let text = self.bench.doc.source.clone();
            self.bench.source_pane.reveal(&text, room, span.start);
        }
    }

    fn chosen_candidate(&self) -> Option<Span> {
        let Some(Overlay::Candidates(list)) = &self.overlay else {
            return None;
        };
        self.bench.refusal()?.candidates.get(list.at).copied()
    }

    /// Keeps the chosen candidate: the source stays, dropping the others is the user's own edit.
    pub(super) fn keep_candidate(&mut self) {
        let Some(span) = self.chosen_candidate() else {
            return;
        };
        self.overlay = None;
        let doc = Doc {
            pick: Some(span),
            ..self.bench.doc.clone()
        };
        self.replace(doc);
        self.bench.dirty = true;
        self.touch_draft();
    }

    /// Splits into one call a candidate, each repaired on its own.
    pub(super) fn split(&mut self) {
        let Some(refusal) = self.bench.refusal() else {
            return;
        };
        let source = self.bench.doc.source.as_str();
        let texts: Vec<_> = refusal
            .candidates
            .iter()
            .map(|span| std::sync::Arc::new(span.text(source).to_owned()))
            .collect();
        if texts.is_empty() {
            return;
        }
        self.overlay = None;
        let count = texts.len();
        self.bench.parts = Some(Parts { texts, at: 0 });
        self.open_part(0);
        self.say(format!(
            "{count} calls: `.` and `,` walk them, `u` takes the split back"
        ));
    }

    fn open_part(&mut self, to: usize) {
        let Some(parts) = &mut self.bench.parts else {
            return;
        };
        parts.at = to;
        let text = std::sync::Arc::clone(&parts.texts[to]);
        let doc = Doc {
            source: super::text::Text::new(text),
            pick: None,
            ..self.bench.doc.clone()
        };
        self.replace(doc);
        self.focus = Focus::Edits;
    }
}

/// The next match behind byte `from`, or the last one before it; round the end.
fn find(text: &str, wanted: &str, from: u32, back: bool) -> Option<u32> {
    let bytes = text.as_bytes();
    let from = (from as usize).min(bytes.len());
    let found = if back {
        let finder = memchr::memmem::FinderRev::new(wanted);
        finder
            .rfind(&bytes[..(from + wanted.len()).saturating_sub(1).min(bytes.len())])
            .or_else(|| finder.rfind(bytes))
    } else {
        let finder = memchr::memmem::Finder::new(wanted);
        let start = (from + 1).min(bytes.len());
        finder
            .find(&bytes[start..])
            .map(|at| start + at)
            .or_else(|| finder.find(bytes))
    };
    found.map(|at| at as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_are_found_round_the_end() {
        for (from, back, hit) in [
            (0, false, Some(4)),
            (4, false, Some(0)),
            (4, true, Some(0)),
            (0, true, Some(4)),
            (9, true, Some(4)),
        ] {
            assert_eq!(
                find("ab, abc", "ab", from, back),
                hit,
                "from {from}, back {back}"
            );
        }
        assert_eq!(find("", "ab", 0, false), None);
        assert_eq!(find("x", "ab", 1, true), None);
    }
}
