//! Undo and redo: text and decisions in one history.

use std::collections::HashMap;
use std::sync::Arc;

use super::bench::Doc;
use crate::repair::{Decision, Rule, Span};

/// A fix named so that it is found again on another rung: its rule and its first edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The rule.
    pub rule: Rule,
    /// The span of its first edit.
    pub span: Span,
}

/// What the user decided, by place. What is not here is as the level says.
pub type Decided = HashMap<Place, Decision>;

/// One step that can be undone.
#[derive(Clone, Debug)]
pub enum Step {
    /// Another text, with what was decided about the one before.
    Text {
        /// The text before.
        before: Box<Doc>,
        /// The text after.
        after: Box<Doc>,
        /// What was decided about the text before.
        decided: Arc<Decided>,
    },
    /// Decisions.
    Decisions(Vec<Change>),
    /// Guesses were allowed, or no longer.
    Guesses(bool),
}

/// One decision that changed; `None` is the level's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The fix.
    pub place: Place,
    /// What was decided before.
    pub before: Option<Decision>,
    /// What is decided now.
    pub after: Option<Decision>,
}

/// Steps done and steps undone.
#[derive(Clone, Debug, Default)]
pub struct History {
    done: Vec<Step>,
    undone: Vec<Step>,
}

/// So many steps are kept.
const KEPT: usize = 1_000;

impl History {
    /// Notes a step; what was undone is gone.
    pub fn push(&mut self, step: Step) {
        self.undone.clear();
        if self.done.len() == KEPT {
            self.done.remove(0);
        }
        self.done.push(step);
    }

    /// The step to undo, which becomes the next one to redo.
    pub fn back(&mut self) -> Option<Step> {
        let step = self.done.pop()?;
        self.undone.push(step.clone());
        Some(step)
    }

    /// The step to redo, which becomes the next one to undo.
    pub fn forth(&mut self) -> Option<Step> {
        let step = self.undone.pop()?;
        self.done.push(step.clone());
        Some(step)
    }
}
