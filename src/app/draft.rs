//! The draft: unfinished work that outlives a crash.

use std::sync::Arc;

use super::event::{Draft, Effect};
use super::history::Place;
use super::{App, Document};
use crate::repair::{Decision, Rule, Span};
use crate::visible::visible;

impl App {
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
        let decided = bench.decided.list().into_iter();
        let mut decisions: Vec<(String, Span, Decision)> = decided
            .map(|(place, decision)| (place.rule.id().to_owned(), place.span, decision))
            .collect();
        decisions.sort_by_key(|(rule, span, _)| (*span, rule.clone()));
        self.effects.push(Effect::SaveDraft(Draft {
            name: bench.doc.name.clone(),
            source,
            tool: bench.doc.tool.name.clone(),
            rung: bench.ladder.chosen.then(|| bench.ladder.strategy().number),
            decisions,
            saved: None,
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
                self.bench.decided.put(Place { rule, span }, decision);
            }
        }
        if let Some(rung) = draft.rung.filter(|rung| (1..=10).contains(rung)) {
            self.bench.ladder.at = usize::from(rung) - 1;
            self.bench.ladder.chosen = true;
        }
        self.bench.dirty = true;
        self.bench.rewritten = true;
        self.effects.push(Effect::TakeOffered);
        self.save_draft();
    }
}
