//! What each command does.

use super::bench::OutputView;
use super::event::Effect;
use super::insert::{Insert, LIMIT};
use super::keys::Action;
use super::layout::{Share, Size};
use super::leave::{Form, Leave};
use super::overlay::{Ask, Move, Overlay, PromptKind, Strategies};
use super::{App, Focus, Screen, Waiting};
use crate::repair::Decision;

impl App {
    /// Carries out a command.
    pub(super) fn act(&mut self, action: Action) {
        // What was said is about what was done before, and may no longer be true.
        if !matches!(action, Action::Redraw | Action::Suspend) {
            self.messages.until = None;
        }
        match action {
            Action::Interrupt => self.interrupt(),
            Action::Suspend => self.effects.push(Effect::Suspend),
            Action::Redraw => self.effects.push(Effect::Redraw),
            Action::Help => self.overlay = Some(Overlay::Help { top: 0 }),
            Action::Palette => self.open_palette(),
            Action::Messages => self.overlay = Some(Overlay::Messages { top: 0 }),
            Action::Back => self.back(),
            Action::Quit => self.try_quit(),
            Action::FocusNext => self.focus_step(true),
            Action::FocusPrevious => self.focus_step(false),
            Action::FocusSource => self.focus = Focus::Source,
            Action::FocusOutput => self.focus = Focus::Output,
            Action::FocusEdits => self.focus = Focus::Edits,
            Action::Zoom => self.zoom = !self.zoom,
            Action::ViewNext => self.step_view(true),
            Action::ViewPrevious => self.step_view(false),
            Action::Grow => self.grow(1),
            Action::Shrink => self.grow(-1),
            Action::Wrap => self.wrap(),
            Action::ScrollLeft => self.scroll_sideways(-8),
            Action::ScrollRight => self.scroll_sideways(8),
            Action::Search => self.prompt(PromptKind::Search, ""),
            Action::SearchNext => self.search_again(false),
            Action::SearchPrevious => self.search_again(true),
            Action::Undo => self.travel(true),
            Action::Redo => self.travel(false),
            Action::Copy => self.leave(Leave::Copy(Form::Output)),
            Action::CopyMenu => self.open_copy_menu(),
            Action::Accept => self.leave(Leave::Accept),
            Action::Message => self.leave(Leave::Copy(Form::Message)),
            Action::Insert => self.start_insert(),
            Action::Editor => {
                let text = self.bench.doc.source.shared();
                let id = self.ask_world(Waiting::Edit {
                    turn: self.bench.turn,
                });
                self.effects.push(Effect::EditExternally { id, text });
            }
            Action::PasteSource => {
                let id = self.ask_world(Waiting::Paste);
                self.effects.push(Effect::ReadClipboard { id });
            }
            Action::OpenFile => self.prompt(PromptKind::Open, ""),
            Action::Tool => self.open_tools(),
            Action::Feed => self.flip(),
            Action::FeedColumn => self.feed_column(),
            Action::Down => self.go(Move::Rows(1)),
            Action::Up => self.go(Move::Rows(-1)),
            Action::HalfDown => self.go(Move::Halves(1)),
            Action::HalfUp => self.go(Move::Halves(-1)),
            Action::PageDown => self.go(Move::Halves(2)),
            Action::PageUp => self.go(Move::Halves(-2)),
            Action::First => self.go(Move::First),
            Action::Last => self.go(Move::Last),
            Action::Left => self.go_sideways(false),
            Action::Right => self.go_sideways(true),
            Action::EditNext => self.go_edit(true),
            Action::EditPrevious => self.go_edit(false),
            Action::OpenNext => self.go_open(true),
            Action::OpenPrevious => self.go_open(false),
            Action::EditAccept => self.decide_row(Decision::On, true),
            Action::EditReject => self.decide_row(Decision::Off, true),
            Action::EditToggle => self.toggle_row(),
            Action::RuleAccept => self.decide_rule(Decision::On),
            Action::RuleReject => self.decide_rule(Decision::Off),
            Action::Reset => self.reset(),
            Action::EditShow => {
                self.reveal();
                self.focus = Focus::Source;
            }
            Action::Unfold => self.fold(false),
            Action::Fold => self.fold(true),
            Action::Sort => {
                self.bench.folding.order = self.bench.folding.order.next();
                self.reshape();
                self.reveal();
                self.say(format!("edits by {}", self.bench.folding.order.word()));
            }
            Action::HideBlank => {
                self.bench.folding.hide_blank = !self.bench.folding.hide_blank;
                self.reshape();
                self.reveal();
                let hidden = super::words::count(self.bench.rows.blank, "edit");
                match self.bench.folding.hide_blank {
                    true if self.bench.rows.blank == 0 => {
                        self.say("no edit is of white space only: none is hidden");
                    }
                    true => self.say(format!(
                        "{hidden} of white space only hidden, still in force"
                    )),
                    false => self.say("all edits listed"),
                }
            }
            Action::OutputDown => self.scroll_output(1),
            Action::OutputUp => self.scroll_output(-1),
            Action::RungNext => self.step_rung(1),
            Action::RungPrevious => self.step_rung(-1),
            Action::RungAuto => match self.bench.ladder.auto {
                Some(auto) => {
                    if let Some(Overlay::Strategies(list)) = &mut self.overlay {
                        list.at = auto;
                    }
                    self.step_to(auto);
                    self.look_at_chosen();
                }
                None => self.say("the rungs are still being worked out"),
            },
            Action::Strategies => {
                if self.bench.doc.source.is_empty() {
                    return self.say("no text yet");
                }
                let at = self.bench.ladder.at;
                self.overlay = Some(Overlay::Strategies(Strategies {
                    at,
                    ..Strategies::default()
                }));
                self.look_at_chosen();
            }
            Action::RungPick => {
                if let Some(Overlay::Strategies(list)) = self.overlay.take() {
                    self.step_to(list.at);
                }
            }
            Action::Chatcli => match self.bench.ladder.chatcli() {
                Some(index) => {
                    self.overlay = None;
                    self.step_to(index);
                }
                None => self.say("none of rungs 1 to 7 gives valid JSON"),
            },
            Action::Candidates => self.open_candidates(),
            Action::CandidateKeep => self.keep_candidate(),
            Action::CandidateSplit => self.split(),
            Action::AllowGuesses => {
                if self.bench.guesses {
                    self.say(
                        "guesses are allowed for this text; `x` rejects one, `u` takes it back",
                    );
                } else {
                    self.ask = Some(Ask::Guesses);
                }
            }
            Action::Typographic => self.toggle_typographic(),
            Action::CallNext => self.step_call(true),
            Action::CallPrevious => self.step_call(false),
            Action::CallOpen => self.open_chosen(),
            Action::CallDismiss => {
                self.feed.dismiss();
                self.relist();
            }
            Action::ShowDismissed => {
                self.feed.show_dismissed = !self.feed.show_dismissed;
                self.relist();
            }
            Action::Filter if self.feed.in_preview => self.prompt(PromptKind::Search, ""),
            Action::Filter => {
                let text = self.feed.filter.text.clone();
                self.prompt(PromptKind::Filter, &text);
            }
            Action::FeedSort => {
                use super::feed::FeedOrder::*;
                let (order, word) = match self.feed.order {
                    Time => (Tool, "tool"),
                    Tool => (Outcome, "outcome"),
                    Outcome => (Time, "time"),
                };
                self.feed.order = order;
                self.relist();
                self.say(format!("calls by {word}"));
            }
            Action::Choose => self.choose(),
            Action::LeaveInsert => self.end_insert(),
            Action::RepairNow => self.repair_typed(),
        }
    }

    /// Closes what is open, ends a search, stops the work.
    fn back(&mut self) {
        if self.overlay.take().is_some() {
            return;
        }
        if self.zoom {
            self.zoom = false;
        } else if !self.search.is_empty() {
            self.search.clear();
        } else if self.screen == Screen::Bench && self.spinner().is_some() {
            self.stop_work();
        } else if self.screen == Screen::Feed && !self.feed.filter.is_empty() {
            self.set_filter("");
        } else {
            self.messages.until = None;
        }
    }

    /// Whatever is still being worked out is not wanted any more; what is on the screen stays.
    fn stop_work(&mut self) {
        let bench = &mut self.bench;
        bench.turn.0 += 1;
        bench.working = None;
        bench.stale = false;
        self.effects.push(Effect::Stop(bench.turn));
        let (done, all) = bench.ladder.progress();
        let valid = bench.review.as_ref();
        if valid.is_some_and(|review| review.repair().is_valid()) && bench.shown.is_none() {
            self.ask_shown();
        }
        self.say(match done {
            0 => "stopped; `s` or an edit reads the text again".to_owned(),
            _ => format!(
                "stopped with {done} of {all} rungs worked out; `s` or an edit reads the text again"
            ),
        });
    }

    fn focus_step(&mut self, forward: bool) {
        if self.overlay.is_some() {
            return;
        }
        if self.screen == Screen::Feed {
            self.feed.in_preview = !self.feed.in_preview;
            return;
        }
        self.focus = match (self.focus, forward) {
            (Focus::Source, true) | (Focus::Edits, false) => Focus::Output,
            (Focus::Output, true) | (Focus::Source, false) => Focus::Edits,
            (Focus::Edits, true) | (Focus::Output, false) => Focus::Source,
        };
    }

    fn step_view(&mut self, forward: bool) {
        let all = OutputView::ALL;
        let at = all
            .iter()
            .position(|view| *view == self.bench.view)
            .unwrap_or(0);
        let step = if forward { 1 } else { all.len() - 1 };
        self.bench.view = all[(at + step) % all.len()];
        self.compare();
        self.reveal();
        match self.bench.view {
            OutputView::Retry if self.retry().is_none() => {
                self.say("the log holds no second try of this call")
            }
            OutputView::Tree if !self.bench.is_valid() => self.say("a tree needs valid JSON"),
            _ => {}
        }
    }

    /// The agent's own second try of the call on the Bench.
    pub fn retry(&self) -> Option<&crate::transcript::Retry> {
        self.bench.doc.call.as_ref()?.retry.as_ref()
    }

    fn grow(&mut self, rows: i16) {
        let stacked = Size::of(self.size) == Size::Stacked;
        let change = match (self.screen, self.focus) {
            (Screen::Feed, _) => (Share::Feed, if self.feed.in_preview { -rows } else { rows }),
            (_, Focus::Source) if stacked => (Share::Source, rows),
            (_, Focus::Output) if stacked => (Share::Output, rows),
            (_, Focus::Edits) if stacked => (Share::Edits, rows),
            (_, Focus::Source) => (Share::Columns, 2 * rows),
            (_, Focus::Output) => (Share::Columns, -2 * rows),
            (_, Focus::Edits) => (Share::Rows, -rows),
        };
        self.move_share(change.0, change.1);
    }

    /// Moves a border; within bounds that no screen exceeds.
    pub(super) fn move_share(&mut self, share: Share, by: i16) {
        let moved = &mut self.shares[share as usize];
        *moved = moved.saturating_add(by).clamp(-300, 300);
    }

    fn wrap(&mut self) {
        let wrap = !self.bench.source_pane.wrap;
        for pane in [
            &mut self.bench.source_pane,
            &mut self.bench.output_pane,
            &mut self.feed.preview_pane,
        ] {
            pane.wrap = wrap;
            pane.left = 0;
        }
        self.reveal();
        self.say(if wrap {
            "long lines wrap"
        } else {
            "long lines scroll: H and L"
        });
    }

    fn scroll_sideways(&mut self, by: isize) {
        let panes = match (self.screen, self.focus) {
            (Screen::Feed, _) => vec![&mut self.feed.preview_pane],
            (_, Focus::Source) => vec![&mut self.bench.source_pane],
            (_, Focus::Output) => vec![&mut self.bench.output_pane],
            (_, Focus::Edits) => vec![&mut self.bench.source_pane, &mut self.bench.output_pane],
        };
        let mut wraps = false;
        for pane in panes {
            wraps |= pane.wrap;
            pane.left = pane.left.saturating_add_signed(by);
        }
        if wraps {
            self.say("long lines wrap: W lets them scroll");
        }
    }

    /// From one screen to the other.
    fn flip(&mut self) {
        self.zoom = false;
        match self.screen {
            Screen::Bench => {
                self.screen = Screen::Feed;
                self.feed.fresh = if self.feed.at == 0 {
                    0
                } else {
                    self.feed.fresh
                };
            }
            Screen::Feed => self.screen = Screen::Bench,
        }
    }

    fn feed_column(&mut self) {
        if Size::of(self.size) == Size::Full {
            self.feed_column = !self.feed_column;
        } else {
            self.say("the Feed's column needs 160 columns; `f` shows the Feed");
        }
    }

    fn start_insert(&mut self) {
        let source = &self.bench.doc.source;
        if LIMIT < source.as_str().len() {
            let size = super::words::size(LIMIT);
            return self.say(format!("over {size}: `e` opens your editor"));
        }
        let caret = self.bench.source_pane.caret.min(source.len());
        self.overlay = None;
        self.screen = Screen::Bench;
        self.focus = Focus::Source;
        self.insert = Some(Insert::new(source.as_str(), caret));
    }

    fn step_rung(&mut self, by: isize) {
        if self.bench.doc.source.is_empty() {
            return self.say("no text yet");
        }
        let at = self.bench.ladder.at;
        match at
            .checked_add_signed(by)
            .filter(|index| *index < crate::repair::LADDER.len())
        {
            Some(index) => self.step_to(index),
            None if by < 0 => self.say("this is the first rung"),
            None => self.say("this is the last rung"),
        }
    }
}
