//! Moving: through texts, edits, lists and calls; and searching.

use super::bench::OutputView;
use super::overlay::Move;
use super::rows::EditRow;
use super::{App, Focus, Screen};
use crate::repair::{Bias, Decision, RuleSet};

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
        if bench.refusal().is_some() {
            // No refusal is longer; the view stops at its end.
            const LONGEST: usize = 16;
            bench.refusal_top = by.apply(bench.refusal_top, LONGEST, room.height);
            return;
        }
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

    /// The chosen row and its index.
    pub(super) fn chosen_row(&self) -> Option<(EditRow, usize)> {
        let index = self.bench.row()?;
        Some((*self.bench.rows.list().get(index)?, index))
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
}
