//! The Bench: one text, its ladder, the review of the rung on the screen and the output that comes of it.

use std::sync::Arc;

use super::event::{Effect, News, Turn};
use super::history::{Decided, History, Place, Step};
use super::ladder::Ladder;
use super::pane::Pane;
use super::rows::{Folding, Rows, shown_level};
use super::text::Text;
use super::tree::Tree;
use super::work::{Job, Show, Shown, decisions_print, show};
use super::{App, Document, Focus};
use crate::repair::{
    Bias, Decision, Fix, Level, Refusal, Review, Rule, RuleSet, Span, ToolContext,
};
use crate::transcript::{Badge, FailedCall};

/// An output up to this length is put together at once; a longer one by the worker.
pub(super) const INLINE: usize = 256 * 1024;

/// A text and where it comes from.
#[derive(Clone, Debug, Default)]
pub struct Doc {
    /// As shown: a path, `pasted text`, `stdin`.
    pub name: String,
    /// The source. Never changed by a repair.
    pub source: Text,
    /// The tool whose arguments it is.
    pub tool: Arc<ToolContext>,
    /// The failed call it was taken from.
    pub call: Option<Arc<FailedCall>>,
    /// The candidate that the user keeps.
    pub pick: Option<Span>,
}

impl Doc {
    /// Whether nothing about it is safe, since the log clipped it or an agent repaired it before.
    pub fn floor(&self) -> bool {
        self.call
            .as_ref()
            .is_some_and(|call| call.badges.iter().any(|badge| badge.is_lossy()))
    }

    /// Whether the log holds only its beginning.
    pub fn is_clipped(&self) -> bool {
        self.call
            .as_ref()
            .is_some_and(|call| call.has(Badge::LogClipped))
    }
}

/// How the Output pane shows the output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OutputView {
    /// As it is.
    #[default]
    Text,
    /// Against the source, from the edit list.
    Diff,
    /// As a tree that folds.
    Tree,
    /// Against the agent's own retry.
    Retry,
}

impl OutputView {
    /// All views, in the order of `v`.
    pub const ALL: [OutputView; 4] = [
        OutputView::Text,
        OutputView::Diff,
        OutputView::Tree,
        OutputView::Retry,
    ];

    /// Its word in the title.
    pub fn word(self) -> &'static str {
        match self {
            OutputView::Text => "text",
            OutputView::Diff => "diff",
            OutputView::Tree => "tree",
            OutputView::Retry => "retry",
        }
    }
}

/// The state of the Bench.
#[derive(Debug, Default)]
pub struct Bench {
    /// The text.
    pub doc: Doc,
    /// Counts texts, tools and picks: answers to older turns are dropped.
    pub turn: Turn,
    /// When the running work began; `None` when there is none.
    pub working: Option<u64>,
    /// The rungs.
    pub ladder: Ladder,
    /// The repair on the screen with its decisions.
    pub review: Option<Review>,
    /// The output, if the rung on the screen gives one.
    pub shown: Option<Shown>,
    /// Whether the worker is putting a newer output together.
    pub stale: bool,
    /// The rows of the Edits pane.
    pub rows: Rows,
    /// How they are made.
    pub folding: Folding,
    /// First row in the Edits pane.
    pub rows_top: usize,
    /// The chosen fix: index into [`Review::fixes`].
    pub chosen: Option<usize>,
    /// What the user decided.
    pub decided: Decided,
    /// Whether guesses are allowed for this text.
    pub guesses: bool,
    /// Rules that the user switched on by hand for this text.
    pub by_hand: RuleSet,
    /// Whether the closing of a cut call was agreed to, where that needs its own yes.
    pub cut_agreed: bool,
    /// Undo and redo.
    pub history: History,
    /// The window over the source.
    pub source_pane: Pane,
    /// The window over the output.
    pub output_pane: Pane,
    /// How the output is shown.
    pub view: OutputView,
    /// The output as a tree, made when that view is on.
    pub tree: Option<Tree>,
    /// Whether the output is the same JSON value as the agent's own retry; `None` where there is none to compare.
    pub same_as_retry: Option<bool>,
    /// What the tool's schema wants at the place of the chosen edit.
    pub schema_wants: Option<String>,
    /// Both laid out and compared line by line, made when that view is on: sign and line.
    pub retry_lines: Vec<(char, String)>,
    /// First of those lines on the screen.
    pub retry_top: usize,
    /// First line of a refusal on the screen, where it is longer than its pane.
    pub refusal_top: usize,
    /// Whether a decision or text was changed since the last result left.
    pub dirty: bool,
    /// Whether the text itself was, so that taking all decisions back leaves something to lose.
    pub rewritten: bool,
    /// Calls that a split made, and which of them is on the Bench.
    pub parts: Option<Parts>,
}

/// The calls that one text was split into.
#[derive(Clone, Debug)]
pub struct Parts {
    /// Each call's text.
    pub texts: Vec<Arc<String>>,
    /// Index of the one on the Bench.
    pub at: usize,
}

impl Bench {
    /// The refusal of the rung on the screen.
    pub fn refusal(&self) -> Option<&Refusal> {
        self.ladder.current()?.refusal()
    }

    /// Whether there is an output and it is JSON.
    pub fn is_valid(&self) -> bool {
        !self.stale
            && self
                .shown
                .as_ref()
                .is_some_and(|shown| shown.fault.is_none())
    }

    /// The chosen fix.
    pub fn fix(&self) -> Option<Fix> {
        self.review.as_ref()?.fixes().get(self.chosen?).copied()
    }

    /// Index of the row that holds the chosen fix.
    pub fn row(&self) -> Option<usize> {
        self.rows.row_of(self.review.as_ref()?, self.chosen?)
    }

    /// The level of a rule as it is shown here.
    pub fn level(&self, rule: Rule) -> Level {
        shown_level(rule, self.doc.floor())
    }

    /// The place of a fix.
    pub fn place(&self, fix: Fix) -> Option<Place> {
        let edit = self.review.as_ref()?.repair().edits.get(fix.first)?;
        Some(Place {
            rule: fix.rule,
            span: edit.span,
        })
    }

    /// The fix at a place: index into [`Review::fixes`], by binary search.
    pub fn index_of(&self, place: Place) -> Option<usize> {
        let review = self.review.as_ref()?;
        let edits = &review.repair().edits;
        let start = |fix: &Fix| edits.get(fix.first).map_or(0, |edit| edit.span.start);
        let fixes = review.fixes();
        let first = fixes.partition_point(|fix| start(fix) < place.span.start);
        let near = fixes[first..]
            .iter()
            .take_while(|fix| start(fix) == place.span.start);
        let same = |fix: &&Fix| {
            fix.rule == place.rule
                && edits
                    .get(fix.first)
                    .is_some_and(|edit| edit.span == place.span)
        };
        near.enumerate()
            .find(|(_, fix)| same(fix))
            .map(|(offset, _)| first + offset)
    }

    /// Chooses the first fix whose edits reach byte `at` of the source.
    pub fn choose_at(&mut self, at: u32) {
        let Some(review) = &self.review else { return };
        let edits = &review.repair().edits;
        let index = edits.first_after(at.saturating_sub(1));
        for index in index..index + 3 {
            match edits.get(index) {
                Some(edit) if edit.span.contains(at) || edit.span == Span::at(at) => {
                    self.chosen = review.fixes().iter().position(|fix| fix.id == edit.fix);
                    return;
                }
                _ => {}
            }
        }
    }
}

impl App {
    /// Puts a document on the Bench: one step of the history.
    pub(super) fn open(&mut self, document: Document) {
        let doc = Doc {
            name: document.name,
            source: Text::new(document.text),
            tool: Arc::new(document.tool),
            call: None,
            pick: None,
        };
        self.bench.parts = None;
        self.replace(doc);
    }

    /// Puts a text on the Bench and notes the step, unless it is the first.
    pub(super) fn replace(&mut self, doc: Doc) {
        let bench = &mut self.bench;
        let before = std::mem::replace(&mut bench.doc, doc);
        let decided = Arc::new(std::mem::take(&mut bench.decided));
        if 0 < bench.turn.0 {
            let after = Box::new(bench.doc.clone());
            bench.history.push(Step::Text {
                before: Box::new(before),
                after,
                decided,
                rung: bench.ladder.chosen.then_some(bench.ladder.at),
                guesses: bench.guesses,
                by_hand: bench.by_hand,
            });
        }
        self.reread(true);
    }

    /// Reads the text on the Bench with every rung. `fresh` starts at the top and with the auto rung.
    pub(super) fn reread(&mut self, fresh: bool) {
        if fresh {
            self.bench.guesses = false;
            self.bench.by_hand = RuleSet::EMPTY;
        }
        let allow = self.allowed();
        let deciding = self.deciding();
        let bench = &mut self.bench;
        bench.turn.0 += 1;
        bench.working = Some(self.now.millis);
        let chosen = bench.ladder.chosen && !fresh;
        let at = if chosen { bench.ladder.at } else { 0 };
        bench.ladder = Ladder::starting(at, chosen);
        bench.review = None;
        bench.shown = None;
        bench.stale = false;
        bench.tree = None;
        bench.same_as_retry = None;
        bench.rows = Rows::default();
        bench.chosen = None;
        bench.cut_agreed = false;
        bench.folding.floor = bench.doc.floor();
        bench.refusal_top = 0;
        if fresh {
            bench.rows_top = 0;
            bench.source_pane = Pane {
                wrap: bench.source_pane.wrap,
                ..Pane::default()
            };
            bench.output_pane = Pane {
                wrap: bench.output_pane.wrap,
                ..Pane::default()
            };
        }
        if bench.doc.source.is_empty() {
            bench.working = None;
            return;
        }
        let job = Job {
            turn: bench.turn,
            source: bench.doc.source.shared(),
            allow,
            by_hand: bench.by_hand,
            tool: Arc::clone(&bench.doc.tool),
            pick: bench.doc.pick,
            shown: (INLINE < bench.doc.source.len() as usize && bench.view != OutputView::Tree)
                .then_some((deciding, Arc::new(bench.decided.clone()))),
        };
        self.effects.push(Effect::Repair(job));
    }

    /// The level above which rules are off in every rung.
    fn allowed(&self) -> Level {
        match self.options.allow {
            Some(level) if !self.bench.guesses => level,
            _ => Level::Guess,
        }
    }

    /// Takes news from the worker.
    pub(super) fn take_news(&mut self, turn: Turn, news: News) {
        if turn != self.bench.turn {
            return;
        }
        match news {
            News::Auto(rung, review) => {
                let asked = self.bench.by_hand.has(Rule::TypographicText);
                if asked && !rung.repair.used().has(Rule::TypographicText) {
                    self.say("no typographic sign in a string of program code: nothing to replace");
                }
                self.bench.ladder.take_first(&self.bench.doc.source, rung);
                let ladder = &self.bench.ladder;
                if self.bench.review.is_none() && ladder.current().is_some() {
                    match review.filter(|_| ladder.auto == Some(ladder.at)) {
                        Some(review) => self.show_review(*review),
                        None => self.show_rung(),
                    }
                    self.choose_first();
                }
            }
            News::Rung(rung) => {
                let bench = &mut self.bench;
                bench.ladder.take(&bench.doc.source, rung);
                if bench.review.is_none() && bench.ladder.current().is_some() {
                    self.show_rung();
                    self.choose_first();
                }
            }
            News::Ladder(climbed) => {
                self.bench.ladder.take_all(climbed);
                self.bench.working = None;
            }
        }
    }

    /// Makes the review of the rung on the screen, with the user's decisions in it.
    pub(super) fn show_rung(&mut self) {
        let Some(slot) = self.bench.ladder.current() else {
            return;
        };
        let repair = Arc::clone(&slot.repair);
        self.bench.review = Some(Review::new(repair, Level::Safe));
        self.bench.tree = None;
        self.apply_decisions();
    }

    /// Takes a review whose output the worker is putting together already.
    fn show_review(&mut self, mut review: Review) {
        // What was decided since the worker was asked makes it another output.
        let changed = self.decide_all(&mut review);
        self.bench.review = Some(review);
        if changed {
            self.refresh();
        } else {
            self.reshape();
            self.bench.stale = true;
        }
    }

    /// Brings the review in line with what was decided, then rows and output.
    pub(super) fn apply_decisions(&mut self) {
        let Some(mut review) = self.bench.review.take() else {
            return;
        };
        self.decide_all(&mut review);
        self.bench.review = Some(review);
        self.refresh();
    }

    /// Makes rows and output anew after a decision.
    pub(super) fn refresh(&mut self) {
        self.reshape();
        let bench = &mut self.bench;
        let Some(review) = &bench.review else { return };
        if !review.repair().is_valid() {
            bench.shown = None;
            return;
        }
        let source = bench.doc.source.shared();
        if source.len() <= INLINE {
            bench.shown = Some(show(&source, review));
            bench.stale = false;
            self.compare();
        } else {
            self.ask_shown();
        }
    }

    /// Has the worker put the output together.
    pub(super) fn ask_shown(&mut self) {
        let bench = &mut self.bench;
        let Some(review) = &bench.review else { return };
        bench.stale = true;
        let question = Show {
            turn: bench.turn,
            source: bench.doc.source.shared(),
            review: review.clone(),
            tree: bench.view == OutputView::Tree,
        };
        self.effects.push(Effect::Show(Box::new(question)));
    }

    /// Makes the rows anew.
    pub(super) fn reshape(&mut self) {
        let bench = &mut self.bench;
        let Some(review) = &bench.review else { return };
        bench.rows = Rows::new(bench.doc.source.as_str(), review, bench.folding);
    }

    /// Takes an output that the worker put together.
    pub(super) fn take_shown(&mut self, turn: Turn, shown: Shown) {
        let bench = &self.bench;
        let asked = bench.review.as_ref().map(decisions_print);
        // An answer about decisions that were changed since is dropped: the next one is on its way.
        if turn != bench.turn || !bench.stale || asked != Some(shown.decisions) {
            return;
        }
        self.bench.shown = Some(shown);
        self.bench.stale = false;
        self.compare();
        self.reveal();
    }

    /// Chooses the first undecided edit, else the first; without edits shows the refusal.
    fn choose_first(&mut self) {
        let bench = &mut self.bench;
        let list = bench.rows.list();
        let first = list
            .iter()
            .position(|row| row.decision == Decision::Undecided)
            .unwrap_or(0);
        bench.chosen = match (&bench.review, list.get(first)) {
            (Some(_), Some(row)) => Some(row.first),
            _ => None,
        };
        if bench.refusal().is_some() {
            // The refusal is what matters; `]` goes to the edits made before it.
            bench.chosen = None;
            if self.focus != Focus::Source {
                self.focus = Focus::Output;
            }
        } else if !self.bench.rows.is_empty() && self.focus == Focus::Output {
            self.focus = Focus::Edits;
        }
        self.reveal();
    }

    /// Brings the chosen edit, or the refusal, to the middle third of Source and Output, and its row into the list.
    pub(super) fn reveal(&mut self) {
        // While text is typed, the window over Source belongs to the caret.
        let typing = self.insert.is_some();
        let (source_room, output_room) = (self.source_room(), self.output_room());
        let rows = self.rows_room();
        let bench = &mut self.bench;
        let span = match bench.fix().and_then(|fix| bench.place(fix)) {
            Some(place) => place.span,
            None => match bench.refusal() {
                Some(refusal) => Span::at(refusal.at),
                None => return,
            },
        };
        if !typing {
            bench
                .source_pane
                .reveal(&bench.doc.source, source_room, span.start);
            bench.source_pane.caret = span.start;
        }
        if let Some(shown) = &bench.shown {
            let at = shown
                .map
                .to_output(span.start, Bias::Before)
                .min(shown.text.len());
            bench.output_pane.reveal(&shown.text, output_room, at);
            bench.output_pane.caret = at;
            if let Some(tree) = &mut bench.tree {
                tree.reveal(at, output_room.height);
            }
        }
        if let Some(row) = bench.row() {
            bench.rows_top = bench.rows_top.min(row);
            if bench.rows_top + rows <= row {
                bench.rows_top = row + 1 - rows.max(1);
            }
            let most = bench.rows.list().len().saturating_sub(rows);
            bench.rows_top = bench.rows_top.min(most);
        }
        bench.schema_wants = bench.wants();
    }

    /// Goes to the rung at `index`; the source and what was decided stay.
    pub(super) fn step_to(&mut self, index: usize) {
        let bench = &mut self.bench;
        if bench.ladder.slot(index).is_none() {
            self.say("the rungs are still being worked out");
            return;
        }
        let place = bench.fix().and_then(|fix| bench.place(fix));
        bench.refusal_top = 0;
        bench.ladder.at = index;
        bench.ladder.chosen = Some(index) != bench.ladder.auto;
        self.show_rung();
        self.choose_first();
        // The same edit stays chosen where the new rung makes it too.
        if let Some(index) = place.and_then(|place| self.bench.index_of(place)) {
            self.bench.chosen = Some(index);
            self.reveal();
        }
    }
}
