//! Undo and redo: text and decisions in one history.

use std::collections::HashMap;
use std::sync::Arc;

use super::bench::Doc;
use crate::repair::{Decision, Rule, RuleSet, Span};

/// A fix named so that it is found again on another rung: its rule and its first edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The rule.
    pub rule: Rule,
    /// The span of its first edit.
    pub span: Span,
}

/// What the user decided. What is not here is as the level says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decided {
    places: HashMap<Place, Decision>,
    /// Of a rule with very many fixes: what holds for those that are not in `places`.
    rules: HashMap<Rule, Decision>,
}

impl Decided {
    /// What was decided about a place.
    pub fn get(&self, place: Place) -> Option<Decision> {
        self.places
            .get(&place)
            .or_else(|| self.rules.get(&place.rule))
            .copied()
    }

    /// Decides about a place, or takes the decision back.
    pub fn set(&mut self, place: Place, decision: Option<Decision>) {
        match decision {
            Some(decision) => self.places.insert(place, decision),
            None => self.places.remove(&place),
        };
    }

    /// Decides about a rule, all but the places kept.
    fn set_rule(&mut self, rule: Rule, side: &RuleSide) {
        self.places.retain(|place, _| place.rule != rule);
        self.places.extend(
            side.places
                .iter()
                .map(|(span, decision)| (Place { rule, span: *span }, *decision)),
        );
        match side.all {
            Some(decision) => self.rules.insert(rule, decision),
            None => self.rules.remove(&rule),
        };
    }

    /// What is decided about a rule as a whole, and about places of it.
    pub fn rule(&self, rule: Rule) -> RuleSide {
        let own = self.places.iter().filter(|(place, _)| place.rule == rule);
        RuleSide {
            all: self.rules.get(&rule).copied(),
            places: own
                .map(|(place, decision)| (place.span, *decision))
                .collect(),
        }
    }

    /// Whether the places of a rule have to be looked up.
    pub fn about(&self, rule: Rule) -> About {
        match self.places.keys().any(|place| place.rule == rule) {
            true => About::Places,
            false => About::All(self.rules.get(&rule).copied()),
        }
    }

    /// Whether nothing was decided.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty() && self.rules.is_empty()
    }

    /// All decisions; of a rule as a whole with [`EVERYWHERE`] as its place.
    pub fn list(&self) -> Vec<(Place, Decision)> {
        let rules = self.rules.iter().map(|(rule, decision)| {
            (
                Place {
                    rule: *rule,
                    span: EVERYWHERE,
                },
                *decision,
            )
        });
        let places = self
            .places
            .iter()
            .map(|(place, decision)| (*place, *decision));
        rules.chain(places).collect()
    }

    /// Takes one of [`list`](Decided::list) back in.
    pub fn put(&mut self, place: Place, decision: Decision) {
        if place.span == EVERYWHERE {
            self.rules.insert(place.rule, decision);
        } else {
            self.places.insert(place, decision);
        }
    }
}

/// How a rule was decided about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// All its fixes alike.
    All(Option<Decision>),
    /// Place by place.
    Places,
}

/// Stands for every place of a rule: no text is so long.
pub const EVERYWHERE: Span = Span::at(u32::MAX);

/// What is decided about one rule.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RuleSide {
    /// About all places that are not listed.
    pub all: Option<Decision>,
    /// About these places.
    pub places: Vec<(Span, Decision)>,
}

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
        /// The rung that the user had chosen for the text before.
        rung: Option<usize>,
        /// Whether guesses were allowed for it.
        guesses: bool,
        /// The rules that were on by hand for it.
        by_hand: RuleSet,
    },
    /// Decisions.
    Decisions(Vec<Change>),
    /// Guesses were allowed, or no longer.
    Guesses(bool),
    /// A rule was switched on by hand (`true`) or off again.
    ByHand(Rule, bool),
}

/// Something that was decided otherwise than before; `None` is the level's own decision.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// About one fix.
    Place {
        /// The fix.
        place: Place,
        /// What was decided before.
        before: Option<Decision>,
        /// What is decided now.
        after: Option<Decision>,
    },
    /// About very many fixes of one rule.
    Rule {
        /// The rule.
        rule: Rule,
        /// What was decided before.
        before: RuleSide,
        /// What is decided now.
        after: RuleSide,
    },
    /// About everything.
    All {
        /// What was decided before.
        before: Box<Decided>,
        /// What is decided now.
        after: Box<Decided>,
    },
}

impl Change {
    /// Puts one side in force.
    pub fn apply(&self, decided: &mut Decided, back: bool) {
        match self {
            Change::Place {
                place,
                before,
                after,
            } => decided.set(*place, if back { *before } else { *after }),
            Change::Rule {
                rule,
                before,
                after,
            } => decided.set_rule(*rule, if back { before } else { after }),
            Change::All { before, after } => decided.clone_from(if back { before } else { after }),
        }
    }
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
