//! How a result leaves: copied, written or accepted, and what is asked before.

use std::path::PathBuf;
use std::sync::Arc;

use super::event::Effect;
use super::overlay::{Ask, Overlay, PromptKind};
use super::{App, Waiting, forms};
use crate::repair::{Rule, tool::map_field};

/// Forms in which something can be copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The output as it is.
    Output,
    /// Without white space between tokens.
    Compact,
    /// A member or element a line.
    Pretty,
    /// The source as it is.
    Source,
    /// The output though it is not JSON.
    Broken,
    /// The edits as JSON.
    Edits,
    /// Source against output.
    Diff,
    /// A message for the model.
    Message,
    /// The line of the log with the repaired arguments in it.
    Line,
}

impl Form {
    /// What it is called in messages.
    pub fn word(self) -> &'static str {
        match self {
            Form::Output => "output",
            Form::Compact => "compact output",
            Form::Pretty => "pretty output",
            Form::Source => "source",
            Form::Broken => "text, not JSON",
            Form::Edits => "edits",
            Form::Diff => "diff",
            Form::Message => "message",
            Form::Line => "log line",
        }
    }

    /// Its row in the copy menu.
    pub fn about(self) -> &'static str {
        match self {
            Form::Output => "the output as it is",
            Form::Compact => "the output, compact",
            Form::Pretty => "the output, pretty",
            Form::Source => "the source as it is",
            Form::Broken => "the text with the edits that are on, though it is not JSON",
            Form::Edits => "the edits as JSON",
            Form::Diff => "the difference between source and output",
            Form::Message => "a message for the model: send it again, this is why",
            Form::Line => "the log line with the repaired arguments in it",
        }
    }

    /// Its letter in the copy menu.
    pub fn letter(self) -> char {
        match self {
            Form::Output => 'y',
            Form::Compact => 'c',
            Form::Pretty => 'p',
            Form::Source => 's',
            Form::Broken => 'b',
            Form::Edits => 'e',
            Form::Diff => 'd',
            Form::Message => 'm',
            Form::Line => 'l',
        }
    }

    /// Whether it carries the repaired value out, so that nothing may be undecided.
    pub(super) fn carries_output(self) -> bool {
        matches!(
            self,
            Form::Output | Form::Compact | Form::Pretty | Form::Diff | Form::Line
        )
    }
}

/// What is about to leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leave {
    /// To the clipboard.
    Copy(Form),
    /// Accepted: to stdout, to a file, or the call is marked done.
    Accept,
}

impl Leave {
    /// The keys that answer the question about losses.
    pub fn answers(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Leave::Copy(_) => &[("a", "accepts and copies"), ("esc", "goes back")],
            Leave::Accept => &[("a", "accepts and writes"), ("esc", "goes back")],
        }
    }
}

/// Tools that act, beside those whose field is `cmd` or `command`: a cut call of theirs needs its own yes.
const ACTING: [&str; 4] = ["Write", "Edit", "write_file", "patch"];

impl App {
    /// Lets something leave, or asks first, or says why it cannot.
    pub(super) fn leave(&mut self, leave: Leave) {
        let needs_output = match leave {
            Leave::Copy(form) => form.carries_output(),
            Leave::Accept => true,
        };
        if needs_output {
            if let Some(why) = self.no_output() {
                self.say(why);
                return;
            }
            if 0 < self.bench.rows.undecided() {
                self.ask = Some(Ask::Undecided(leave));
                return;
            }
            if self.closes_cut_call() && !self.bench.cut_agreed {
                self.ask = Some(Ask::Cut(leave));
                return;
            }
        }
        match leave {
            Leave::Copy(Form::Line) => self.fetch_line(),
            Leave::Copy(form) => self.copy(form),
            Leave::Accept => self.accept(),
        }
    }

    /// Why there is no output that may leave; `None` if there is one.
    fn no_output(&self) -> Option<String> {
        let bench = &self.bench;
        if bench.doc.source.is_empty() {
            return Some("nothing to copy yet".to_owned());
        }
        if bench.working.is_some() && bench.review.is_none() || bench.stale {
            return Some("the output is still being put together".to_owned());
        }
        if bench.refusal().is_some() {
            return Some("refused: there is no output; `Y` copies the source as it is".to_owned());
        }
        match bench.shown.as_ref().map(|shown| &shown.fault) {
            Some(None) => None,
            Some(Some(fault)) => {
                let place = fault.refusal.position(bench.shown.as_ref()?.text.as_str());
                let cause = match fault.cause {
                    Some(fix) => format!("{} off", fix.rule.id()),
                    None => fault.refusal.why.word().to_owned(),
                };
                Some(format!(
                    "not valid: {cause}, at {place} of the output; `Y` copies the text as it is"
                ))
            }
            None => Some("there is no output yet".to_owned()),
        }
    }

    /// Whether the output closes a cut call of a tool that acts.
    fn closes_cut_call(&self) -> bool {
        let tool = &self.bench.doc.tool;
        let acts = tool.name.as_deref().is_some_and(|name| {
            ACTING.contains(&name) || matches!(map_field(name), Some("cmd" | "command"))
        });
        let cut = |review: &crate::repair::Review| {
            review
                .fixes()
                .iter()
                .any(|fix| fix.rule == Rule::CutOff && review.is_live(fix.id))
        };
        acts && self.bench.review.as_ref().is_some_and(cut)
    }

    fn copy(&mut self, form: Form) {
        let text = match forms::text(self, form) {
            Ok(text) => text,
            Err(why) => return self.say(why),
        };
        self.copy_text(form, text);
    }

    /// Asks for a text to be put on the clipboard.
    pub(super) fn copy_text(&mut self, form: Form, text: Arc<String>) {
        let number = self.bench.doc.call.as_ref().map(|call| call.number);
        let id = self.ask_world(Waiting::Copy {
            form,
            bytes: text.len(),
            number,
        });
        self.effects.push(Effect::Copy {
            id,
            text,
            what: form.word(),
        });
    }

    /// Asks for the log line of the call on the Bench.
    fn fetch_line(&mut self) {
        let Some(call) = &self.bench.doc.call else {
            return self.say("this text comes from no log");
        };
        let Some(offset) = call.origin.byte else {
            return self.say("this log has no lines");
        };
        let path = call.origin.path.clone();
        let id = self.ask_world(Waiting::Line);
        self.effects.push(Effect::ReadLine { id, path, offset });
    }

    fn accept(&mut self) {
        if self.options.stdout {
            let Some(shown) = &self.bench.shown else {
                return;
            };
            let text = shown.text.shared();
            let id = self.ask_world(Waiting::Accept);
            self.effects.push(Effect::Accept { id, text });
        } else if let Some(call) = &self.bench.doc.call {
            let (number, place) = (call.number, super::feed::place(call));
            self.left("accepted", Some(number));
            self.say(format!("accepted: {place} is done"));
        } else {
            let name = &self.bench.doc.name;
            let path = if name.is_empty() || name.contains(' ') || name == "stdin" {
                "out.json".to_owned()
            } else {
                format!("{}.fixed.json", name.trim_end_matches(".json"))
            };
            self.prompt(PromptKind::Write, &path);
        }
    }

    /// Asks for the output to be written.
    pub(super) fn write_to(&mut self, path: PathBuf, replace: bool) {
        let Some(shown) = &self.bench.shown else {
            return;
        };
        let text = shown.text.shared();
        let id = self.ask_world(Waiting::Write { path: path.clone() });
        self.effects.push(Effect::Write {
            id,
            path,
            text,
            replace,
        });
    }

    /// Opens the copy menu with the forms there are.
    pub(super) fn open_copy_menu(&mut self) {
        if self.bench.doc.source.is_empty() {
            return self.say("nothing to copy yet");
        }
        let mut list = Vec::new();
        if self.no_output().is_none() {
            list.extend([Form::Output, Form::Compact, Form::Pretty]);
        } else if self.bench.shown.is_some() {
            list.push(Form::Broken);
        }
        list.extend([Form::Source, Form::Edits]);
        if self.no_output().is_none() {
            list.push(Form::Diff);
        }
        list.push(Form::Message);
        if self.no_output().is_none() && self.bench.doc.call.is_some() {
            list.push(Form::Line);
        }
        self.overlay = Some(Overlay::CopyMenu { forms: list, at: 0 });
    }

    /// Leaves, or asks when a decision would be lost.
    pub(super) fn try_quit(&mut self) {
        let bench = &self.bench;
        let work = !bench.decided.is_empty()
            || bench.guesses
            || !bench.by_hand.is_empty()
            || bench.doc.pick.is_some();
        if bench.dirty && (work || bench.rewritten) {
            self.ask = Some(Ask::Quit);
        } else {
            self.quit();
        }
    }

    /// Leaves: 0 when a result was accepted, else 1. The draft goes.
    pub(super) fn quit(&mut self) {
        self.draft_due = None;
        self.effects.push(Effect::RemoveDraft);
        self.save_session();
        let code = if self.accepted { 0 } else { 1 };
        self.effects.push(Effect::Quit { code });
    }

    /// Leaves at once; the draft stays.
    pub(super) fn interrupt(&mut self) {
        if self.draft_due.take().is_some() {
            self.save_draft();
        }
        self.save_session();
        self.effects.push(Effect::Quit { code: 130 });
    }

    fn save_session(&mut self) {
        if let Some(session) = &self.options.session {
            let mut session = session.clone();
            session.shares = self.shares.to_vec();
            self.feed.keep(&mut session);
            self.effects.push(Effect::SaveSession(session));
        }
    }
}
