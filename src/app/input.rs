//! Keys, pastes and the mouse, as they mean something where the user is.

use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent};

use super::bench::Doc;
use super::event::Turn;
use super::insert::Insert;
use super::keys::{Context, Meaning, Press, Situation};
use super::layout::Size;
use super::leave::Leave;
use super::overlay::{Ask, Overlay, PromptKind};
use super::text::Text;
use super::{App, Document, Focus, Screen};

/// So long after the last key the typed text is repaired.
pub(super) const TYPED_MS: u64 = 120;

/// Bursts that follow each other within this are one paste over a slow line.
const BURST_MS: u64 = 1_000;

impl App {
    /// Where a key is looked up, the narrowest context first.
    pub fn contexts(&self) -> &'static [Context] {
        use Context::*;
        match (&self.overlay, self.screen, self.focus) {
            _ if self.insert.is_some() => &[Typing, Always],
            (Some(Overlay::Strategies(_)), ..) => &[StrategyList, List, Always],
            (Some(Overlay::Candidates(_)), ..) => &[CandidateList, List, Always],
            (Some(_), ..) => &[List, Always],
            (None, Screen::Feed, _) => &[FeedList, Normal, Always],
            (None, Screen::Bench, Focus::Source) => &[Source, Bench, Normal, Always],
            (None, Screen::Bench, Focus::Output) => &[Output, Bench, Normal, Always],
            (None, Screen::Bench, Focus::Edits) => &[Edits, Bench, Normal, Always],
        }
    }

    /// What the hints are for.
    pub fn situation(&self) -> Situation {
        match (&self.overlay, self.screen) {
            _ if self.insert.is_some() => Situation::Typing,
            (Some(Overlay::Strategies(_)), _) => Situation::Strategies,
            (Some(Overlay::Candidates(_)), _) => Situation::Candidates,
            (Some(Overlay::Palette(_) | Overlay::Tools(_)), _) => Situation::Finder,
            (Some(Overlay::Help { .. } | Overlay::Messages { .. }), _) => Situation::Reading,
            (Some(_), _) => Situation::List,
            (None, Screen::Feed) => Situation::Feed,
            (None, Screen::Bench) if self.bench.doc.source.is_empty() => Situation::Empty,
            (None, Screen::Bench) if self.bench.refusal().is_some() => Situation::Refused,
            (None, Screen::Bench) if self.bench.review.is_some() && self.bench.rows.is_empty() => {
                Situation::Valid
            }
            (None, Screen::Bench) => Situation::Review,
        }
    }

    /// A key.
    pub(super) fn key(&mut self, key: KeyEvent) {
        let Some(press) = Press::of(key) else { return };
        // What holds at any time comes first: leaving must work over every question and prompt.
        if let Meaning::Do(action) = self.keymap.meaning(&[Context::Always], None, press) {
            return self.act(action);
        }
        if Size::of(self.size) == Size::Tiny && self.insert.is_none() {
            if press.is("q") {
                self.quit();
            }
            return;
        }
        if self.ask.is_some() {
            return self.answer(press);
        }
        if self.prompt.is_some() {
            return self.prompt_key(press);
        }
        if self.insert.is_some() {
            return self.insert_key(key, press);
        }
        if self.finder_key(press) {
            return;
        }
        let before = self.half.take();
        match self.keymap.meaning(self.contexts(), before, press) {
            Meaning::Do(action) => self.act(action),
            Meaning::Wait => self.half = Some(press),
            Meaning::Nothing => self.letter(press),
        }
        if matches!(self.overlay, Some(Overlay::Candidates(_))) {
            self.reveal_candidate();
        }
    }

    /// A key while a question is open. Only `a` says yes, so that the key that asked never confirms; the question
    /// about leaving takes enter too. `y` copies everywhere else, so it must not leave without copying.
    fn answer(&mut self, press: Press) {
        let quits = matches!(self.ask, Some(Ask::Quit));
        let draft = matches!(self.ask, Some(Ask::Draft(_)));
        if press.is("a") || (quits && press.is("enter")) {
            self.agree();
        } else if press.is("esc") {
            self.decline();
        } else if draft && press.is("d") {
            self.drop_draft();
        } else if draft && press.is("q") {
            // Nothing was begun yet that could be lost: the draft waits for the next start.
            self.decline();
            self.quit();
        }
    }

    fn prompt_key(&mut self, press: Press) {
        let Some(prompt) = &mut self.prompt else {
            return;
        };
        match press.code() {
            KeyCode::Esc => {
                let kind = prompt.kind;
                self.prompt = None;
                if kind == PromptKind::Filter {
                    self.set_filter("");
                }
            }
            KeyCode::Enter => self.submit(),
            KeyCode::Tab => self.complete(),
            _ => {
                prompt.names.clear();
                let changed = prompt.line.key(press);
                if changed && prompt.kind == PromptKind::Filter {
                    let text = prompt.line.text.clone();
                    self.set_filter(&text);
                }
            }
        }
    }

    fn insert_key(&mut self, key: KeyEvent, press: Press) {
        if let Meaning::Do(action) = self.keymap.meaning(self.contexts(), None, press) {
            return self.act(action);
        }
        let Some(insert) = &mut self.insert else {
            return;
        };
        let changed = insert.key(key);
        self.after_typing(changed);
    }

    /// Keeps the caret in the window, and asks for a repair when typing pauses.
    fn after_typing(&mut self, changed: bool) {
        let now = self.now.millis;
        let Some(insert) = &mut self.insert else {
            return;
        };
        let caret = insert.caret();
        if changed {
            insert.changed = Some(now);
            let text = Text::new(Arc::new(insert.text()));
            self.typed = Some(text);
            self.touch_draft();
        }
        let text = self
            .typed
            .clone()
            .unwrap_or_else(|| self.bench.doc.source.clone());
        let room = self.source_room();
        self.bench.source_pane.caret = caret;
        self.bench.source_pane.follow(&text, room, caret);
    }

    /// Repairs what is typed so far.
    pub(super) fn repair_typed(&mut self) {
        let Some(insert) = &mut self.insert else {
            return;
        };
        insert.changed = None;
        let Some(text) = self.typed.take() else {
            return;
        };
        if self.before_insert.is_none() {
            self.before_insert = Some((self.bench.doc.clone(), self.bench.decided.clone()));
        }
        self.bench.doc.source = text;
        self.bench.doc.pick = None;
        self.bench.decided = Default::default();
        let pane = self.bench.source_pane;
        self.reread(true);
        self.bench.source_pane = pane;
    }

    /// Back to Normal: all that was typed is one step of the history.
    pub(super) fn end_insert(&mut self) {
        self.repair_typed();
        self.insert = None;
        self.typed = None;
        let Some((before, decided)) = self.before_insert.take() else {
            return;
        };
        let bench = &mut self.bench;
        if before.source.as_str() == bench.doc.source.as_str() {
            return;
        }
        if bench.doc.name.is_empty() {
            bench.doc.name = "typed text".to_owned();
        }
        bench.dirty |= !before.source.is_empty();
        bench.rewritten |= !before.source.is_empty();
        let after = Box::new(bench.doc.clone());
        let decided = Arc::new(decided);
        let waits = bench.review.is_none() && !bench.doc.source.is_empty();
        bench.history.push(super::history::Step::Text {
            before: Box::new(before),
            after,
            decided,
            rung: None,
            guesses: false,
            by_hand: crate::repair::RuleSet::EMPTY,
        });
        if waits || !bench.rows.is_empty() {
            self.focus = Focus::Edits;
        }
    }

    /// Keys typed into the palette or the tool picker.
    fn finder_key(&mut self, press: Press) -> bool {
        let line = match &mut self.overlay {
            Some(Overlay::Palette(finder)) => &mut finder.line,
            Some(Overlay::Tools(finder)) => &mut finder.line,
            _ => return false,
        };
        let types = press.typed().is_some()
            || press.is("backspace")
            || press.is("ctrl-u")
            || press.is("ctrl-w");
        if !types {
            return false;
        }
        if line.key(press) {
            match &self.overlay {
                Some(Overlay::Palette(_)) => self.find_actions(),
                _ => self.find_tools(),
            }
        }
        true
    }

    /// A letter of the copy menu.
    fn letter(&mut self, press: Press) {
        let Some(Overlay::CopyMenu { forms, .. }) = &self.overlay else {
            return;
        };
        let form = forms
            .iter()
            .copied()
            .find(|form| Some(form.letter()) == press.typed());
        if let Some(form) = form {
            self.overlay = None;
            self.leave(Leave::Copy(form));
        }
    }

    /// A paste. It never acts as a command: it goes where text is typed, else it becomes the source.
    pub(super) fn paste(&mut self, text: String) {
        if !self.take_dropped(&text) {
            self.paste_text(text);
        }
    }

    /// A paste that is a text.
    pub(super) fn paste_text(&mut self, text: String) {
        let text = line_ends(text);
        if self.ask.is_some() {
            return self.say("not pasted: answer the question first, with a or esc");
        }
        if let Some(prompt) = &mut self.prompt {
            prompt.line.paste(&text.0);
            if prompt.kind == PromptKind::Filter {
                let text = prompt.line.text.clone();
                self.set_filter(&text);
            }
            return;
        }
        match &mut self.overlay {
            Some(Overlay::Palette(finder)) => {
                finder.line.paste(&text.0);
                return self.find_actions();
            }
            Some(Overlay::Tools(finder)) => {
                finder.line.paste(&text.0);
                return self.find_tools();
            }
            _ => {}
        }
        if let Some(insert) = &mut self.insert {
            if super::insert::LIMIT < insert.text().len() + text.0.len() {
                // Too much to edit here: the whole is the source, and is read at once.
                let mut whole = insert.text();
                if whole.is_empty() {
                    whole = text.0;
                } else {
                    whole.insert_str(insert.caret() as usize, &text.0);
                }
                self.end_insert();
                self.paste_as_source(whole);
            } else {
                if insert.is_empty() && self.bench.doc.name.is_empty() {
                    self.bench.doc.name = "pasted text".to_owned();
                }
                insert.paste(&text.0);
                self.after_typing(true);
                // A paste is whole as it comes: no need to wait for the next key.
                self.repair_typed();
            }
            if text.1 {
                self.say("the paste had CR for line ends: read as LF");
            }
            return;
        }
        self.paste_as_source(text.0);
        if text.1 {
            self.say("the paste had CR for line ends: read as LF");
        }
    }

    /// A burst of keys. One paste may come in several bursts: together they are one step of the history, so that one
    /// undo brings back what was there.
    pub(super) fn burst(&mut self, text: String) {
        let replaces = self.ask.is_none()
            && self.prompt.is_none()
            && self.insert.is_none()
            && !matches!(self.overlay, Some(Overlay::Palette(_) | Overlay::Tools(_)));
        let now = self.now.millis;
        let last = self.last_burst.take();
        let goes_on =
            last.is_some_and(|(turn, at)| turn == self.bench.turn && now <= at + BURST_MS);
        if !replaces {
            return self.paste(text);
        }
        let had_text = !self.bench.doc.source.is_empty();
        if goes_on {
            let whole = [self.bench.doc.source.as_str(), &text].concat();
            self.travel(true);
            self.paste_as_source(whole);
        } else {
            self.paste(text);
        }
        // On an empty Bench there is no step to take back, and what follows is a paste of its own.
        if had_text {
            self.last_burst = Some((self.bench.turn, now));
            self.say("so many keys at once were read as a paste: `u` brings the text before back");
        }
    }

    /// A text in place of the source: one step of the history.
    pub(super) fn paste_as_source(&mut self, text: String) {
        if text.is_empty() {
            return self.say("nothing to paste");
        }
        self.overlay = None;
        self.insert = None;
        self.screen = Screen::Bench;
        self.focus = Focus::Edits;
        let tool = self.options.tool.clone();
        self.open(Document {
            name: "pasted text".to_owned(),
            text: Arc::new(text),
            tool,
        });
        self.touch_draft();
    }

    /// The editor gave the text back.
    pub(super) fn edited(&mut self, turn: Turn, text: String) {
        if text == self.bench.doc.source.as_str() {
            return self.say("the text is as it was");
        }
        if turn != self.bench.turn && self.bench.doc.source.is_empty() {
            self.bench.doc.name = "edited text".to_owned();
        }
        let doc = Doc {
            source: Text::new(Arc::new(text)),
            pick: None,
            ..self.bench.doc.clone()
        };
        self.replace(doc);
        self.bench.dirty = true;
        self.bench.rewritten = true;
        self.touch_draft();
    }

    /// Starts Insert mode on an empty Bench.
    pub(super) fn insert_if_empty(&mut self) {
        if self.screen == Screen::Bench && self.bench.doc.source.is_empty() && self.insert.is_none()
        {
            self.focus = Focus::Source;
            self.insert = Some(Insert::new("", 0));
        }
    }
}

/// Some terminals send CR for every line end of a paste: where there is no LF at all, it is read as LF. Says whether.
fn line_ends(text: String) -> (String, bool) {
    if text.contains('\n') || !text.contains('\r') {
        return (text, false);
    }
    (text.replace('\r', "\n"), true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lone_cr_is_a_line_end_only_where_there_is_no_lf() {
        for (pasted, read) in [
            ("a\rb", "a\nb"),
            ("a\r\nb\r", "a\r\nb\r"),
            ("a\nb", "a\nb"),
            ("", ""),
        ] {
            assert_eq!(line_ends(pasted.to_owned()).0, read);
        }
    }
}
