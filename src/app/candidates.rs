//! Choosing among several values: one is kept, or all are split into calls.

use std::sync::Arc;

use super::bench::{Doc, Parts};
use super::overlay::{Candidates, Overlay, PREVIEWED};
use super::text::Text;
use super::{App, Focus};
use crate::repair::{Level, Span, auto};

impl App {
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
            .map(|span| Arc::new(span.text(source).to_owned()))
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

    pub(super) fn open_part(&mut self, to: usize) {
        let Some(parts) = &mut self.bench.parts else {
            return;
        };
        parts.at = to;
        let text = Arc::clone(&parts.texts[to]);
        let doc = Doc {
            source: Text::new(text),
            pick: None,
            ..self.bench.doc.clone()
        };
        self.replace(doc);
        self.focus = Focus::Edits;
    }

    /// What each candidate comes to, in a few words; only as many as are quickly looked at.
    pub(super) fn candidate_outcomes(&self) -> Vec<String> {
        let source = self.bench.doc.source.as_str();
        let Some(refusal) = self.bench.refusal() else {
            return Vec::new();
        };
        let mut read = 0;
        let quick = refusal.candidates.iter().take_while(|span| {
            read += span.len() as usize;
            read <= PREVIEWED
        });
        let word = |span: &Span| {
            let (_, repair) = auto(span.text(source), Level::Guess, &self.bench.doc.tool);
            match (repair.is_valid(), repair.worst()) {
                (false, _) => "refused".to_owned(),
                (true, None) => "valid".to_owned(),
                (true, Some(level)) => format!("repaired, {level}"),
            }
        };
        quick.take(64).map(word).collect()
    }

    pub(super) fn preview_candidate(&mut self, at: usize) {
        let source = self.bench.doc.source.shared();
        let Some(span) = self
            .bench
            .refusal()
            .and_then(|refusal| refusal.candidates.get(at).copied())
        else {
            return;
        };
        let text = span.text(&source);
        let problems = match text.len() <= PREVIEWED {
            true => auto(text, Level::Guess, &self.bench.doc.tool)
                .1
                .problems
                .len(),
            false => 0,
        };
        if let Some(Overlay::Candidates(list)) = &mut self.overlay {
            list.text = Text::new(Arc::new(text.to_owned()));
            list.problems = problems;
        }
        self.reveal_candidate();
    }
}
