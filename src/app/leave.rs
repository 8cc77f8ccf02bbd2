//! How a result leaves: copied, written or accepted, and what is asked before.

use std::path::PathBuf;
use std::sync::Arc;

use super::event::{AuditRecord, Draft, Effect, EffectId, Outcome};
use super::feed::State;
use super::history::Place;
use super::overlay::{Ask, Overlay, PromptKind};
use super::{App, Document, Waiting, forms, words};
use crate::repair::{Decision, Rule, Span, tool::map_field};
use crate::visible::visible;

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
    fn carries_output(self) -> bool {
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
    /// What `a` does, in a word.
    pub fn word(self) -> &'static str {
        match self {
            Leave::Copy(_) => "copies",
            Leave::Accept => "writes",
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

    /// All undecided edits are accepted: one step of the history.
    pub(super) fn accept_undecided(&mut self) {
        let Some(review) = &self.bench.review else {
            return;
        };
        let open: Vec<_> = review
            .fixes()
            .iter()
            .copied()
            .filter(|fix| review.decision(fix.id) == Decision::Undecided)
            .collect();
        self.decide(&open, Some(Decision::On));
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

    /// An effect was carried out, or was not.
    pub(super) fn done(&mut self, id: EffectId, outcome: Result<Outcome, String>) {
        let Some(waiting) = self.waiting.remove(&id) else {
            if let Err(why) = outcome {
                self.say(why);
            }
            return;
        };
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(why) => return self.failed(&waiting, &why),
        };
        match (waiting, outcome) {
            (
                Waiting::Copy {
                    form,
                    bytes,
                    number,
                },
                Outcome::Copied { route },
            ) => {
                self.copied("copied", form, bytes, number, &format!("({route})"));
            }
            (
                Waiting::Copy {
                    form,
                    bytes,
                    number,
                },
                Outcome::Sent { route },
            ) => {
                self.copied("sent", form, bytes, number, &route);
            }
            (
                Waiting::Copy {
                    form,
                    bytes,
                    number,
                },
                Outcome::Written { path },
            ) => {
                self.copied("written", form, bytes, number, &format!("to {path}"));
            }
            (Waiting::Write { path }, Outcome::Exists { .. }) => {
                self.ask = Some(Ask::Overwrite(path))
            }
            (Waiting::Write { .. }, Outcome::Written { path }) => {
                let number = self.bench.doc.call.as_ref().map(|call| call.number);
                self.left("written", number);
                self.say(format!("written to {path}"));
            }
            (Waiting::Accept, Outcome::Accepted) => {
                let number = self.bench.doc.call.as_ref().map(|call| call.number);
                self.left("accepted", number);
                if number.is_some() {
                    self.say("accepted: it goes to stdout when you leave");
                } else {
                    self.quit();
                }
            }
            (Waiting::Open, Outcome::Opened(document)) => {
                self.screen = super::Screen::Bench;
                self.open(document);
            }
            (Waiting::Paste, Outcome::Clipboard(text)) => self.paste_as_source(&text),
            (Waiting::Edit { turn }, Outcome::Edited(text)) => self.edited(turn, text),
            (Waiting::Line, Outcome::Line(line)) => match forms::line(self, &line) {
                Ok(line) => self.copy_text(Form::Line, Arc::new(line)),
                Err(why) => self.say(why),
            },
            (Waiting::Tools, Outcome::Tools(tools)) => {
                let count = words::count(tools.len(), "tool");
                self.options.tools = tools;
                self.say(format!("{count} known now"));
                self.open_tools();
            }
            _ => {}
        }
    }

    fn copied(
        &mut self,
        how: &'static str,
        form: Form,
        bytes: usize,
        number: Option<u64>,
        route: &str,
    ) {
        let size = words::size(bytes);
        match form {
            Form::Output => self.say(format!("{how} {size} {route}")),
            _ => self.say(format!("{how} the {}, {size} {route}", form.word())),
        }
        if form.carries_output() && form != Form::Diff {
            self.left(how, number);
        }
    }

    fn failed(&mut self, waiting: &Waiting, why: &str) {
        match waiting {
            Waiting::Copy { .. } => self.say(format!("not copied: {why}; `w` writes a file")),
            Waiting::Write { path } => {
                self.say(format!("not written to {}: {why}", path.display()))
            }
            Waiting::Accept => self.say(format!("not accepted: {why}")),
            Waiting::Open => self.say(format!("not opened: {why}")),
            Waiting::Paste => self.say(format!("nothing pasted: {why}")),
            Waiting::Edit { .. } => self.say(format!("not edited: {why}")),
            Waiting::Line => self.say(format!("no log line: {why}")),
            Waiting::Tools => self.say(format!("no tool definitions: {why}")),
        }
    }

    /// A result has left: the call is done, the audit line is due, and nothing would be lost by leaving.
    fn left(&mut self, how: &'static str, number: Option<u64>) {
        self.accepted = true;
        self.bench.dirty = false;
        if let Some(entry) = number.and_then(|number| self.feed.by_number(number)) {
            entry.state = State::Done(how);
        }
        if self.options.audit {
            let record = Box::new(self.record(how));
            self.next_id += 1;
            self.effects.push(Effect::Audit {
                id: EffectId(self.next_id),
                record,
            });
        }
    }

    fn record(&self, how: &str) -> AuditRecord {
        let bench = &self.bench;
        let mut edits = Vec::new();
        if let Some(review) = &bench.review {
            for edit in review
                .repair()
                .edits
                .iter()
                .filter(|edit| review.is_live(edit.fix))
            {
                edits.push((edit.rule.id(), bench.level(edit.rule).name(), edit.span));
            }
        }
        AuditRecord {
            left: how.to_owned(),
            name: bench.doc.name.clone(),
            tool: bench.doc.tool.name.clone(),
            strategy: bench.ladder.strategy().id,
            edits,
            source: bench.doc.source.shared(),
            output: bench
                .shown
                .as_ref()
                .map(|shown| shown.text.shared())
                .unwrap_or_default(),
        }
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
        if self.bench.dirty {
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

    /// Something worth keeping changed: the draft is written within two seconds.
    pub(super) fn touch_draft(&mut self) {
        let due = self.now.millis + 1_500;
        self.draft_due.get_or_insert(due);
    }

    /// Asks for the draft to be kept.
    pub(super) fn save_draft(&mut self) {
        let bench = &self.bench;
        let source = match &self.insert {
            Some(insert) => Arc::new(insert.text()),
            None => bench.doc.source.shared(),
        };
        let decided = bench.decided.iter();
        let mut decisions: Vec<(String, Span, Decision)> = decided
            .map(|(place, decision)| (place.rule.id().to_owned(), place.span, *decision))
            .collect();
        decisions.sort_by_key(|(rule, span, _)| (*span, rule.clone()));
        self.effects.push(Effect::SaveDraft(Draft {
            name: bench.doc.name.clone(),
            source,
            tool: bench.doc.tool.name.clone(),
            rung: bench.ladder.chosen.then(|| bench.ladder.strategy().number),
            decisions,
        }));
    }

    /// Takes a draft that was offered.
    pub(super) fn take_draft(&mut self, draft: Draft) {
        let tool = crate::repair::ToolContext {
            name: draft.tool,
            ..Default::default()
        };
        self.screen = super::Screen::Bench;
        // An empty Bench waits in Insert mode, whose next key would put its own text in the draft's place.
        self.insert = None;
        self.focus = super::Focus::default();
        self.open(Document {
            name: visible(&draft.name).into_owned(),
            text: draft.source,
            tool,
        });
        for (id, span, decision) in draft.decisions {
            if let Some(rule) = Rule::find(&id) {
                self.bench.decided.insert(Place { rule, span }, decision);
            }
        }
        if let Some(rung) = draft.rung.filter(|rung| (1..=10).contains(rung)) {
            self.bench.ladder.at = usize::from(rung) - 1;
            self.bench.ladder.chosen = true;
        }
        self.bench.dirty = true;
        self.touch_draft();
    }
}
