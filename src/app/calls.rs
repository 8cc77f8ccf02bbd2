//! Going from call to call.

use std::sync::Arc;

use super::bench::Doc;
use super::text::Text;
use super::{App, Focus, Screen, feed};

impl App {
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
        let call = Arc::clone(&entry.call);
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
            source: Text::new(Arc::new(raw)),
            tool: Arc::new(tool),
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
        if let Some(call) = &self.bench.doc.call
            && self.bench.dirty
            && !self.bench.decided.is_empty()
        {
            self.kept
                .insert(call.number, std::mem::take(&mut self.bench.decided));
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
}
