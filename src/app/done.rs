//! What comes back from the world.

use std::sync::Arc;

use super::event::{AuditRecord, Effect, EffectId, Outcome};
use super::feed::State;
use super::leave::Form;
use super::overlay::Ask;
use super::{App, Waiting, forms, words};

impl App {
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
            (Waiting::Dropped { .. }, Outcome::Opened(document)) => {
                self.insert = None;
                self.screen = super::Screen::Bench;
                self.focus = super::Focus::default();
                self.say(format!("opened {}", document.name));
                self.open(document);
            }
            (Waiting::Complete, Outcome::Completed(found)) => self.completed(found),
            (Waiting::Paste, Outcome::Clipboard(text)) => self.paste_as_source(text),
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
            // No such file: then it is a text like any other.
            Waiting::Dropped { text } => {
                self.paste_text(text.clone());
                self.say(format!("taken as a text, not as a path: {why}"));
            }
            Waiting::Complete => self.say(why),
            Waiting::Paste => self.say(format!("nothing pasted: {why}")),
            Waiting::Edit { .. } => self.say(format!("not edited: {why}")),
            Waiting::Line => self.say(format!("no log line: {why}")),
            Waiting::Tools => self.say(format!("no tool definitions: {why}")),
        }
    }

    /// A result has left: the call is done, the audit line is due, and nothing would be lost by leaving.
    pub(super) fn left(&mut self, how: &'static str, number: Option<u64>) {
        self.accepted = true;
        self.bench.dirty = false;
        self.bench.rewritten = false;
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
}
