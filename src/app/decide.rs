//! Deciding about edits, and taking decisions back.

use super::App;
use super::history::{Change, Decided, Place, Step};
use crate::repair::{Decision, Fix, Level, Review, Rule};

impl App {
    pub(super) fn decide_row(&mut self, decision: Decision, go_on: bool) {
        let Some((fixes, rule)) = self.chosen_row() else {
            return self.say("no edit is chosen");
        };
        if self.guess_is_off(rule, decision) {
            return;
        }
        let row = self.bench.row().unwrap_or(0);
        let next = if go_on { self.after(row) } else { None };
        self.decide(&fixes, Some(decision));
        if let Some(next) = next {
            self.choose_fix(next);
        }
    }

    pub(super) fn toggle_row(&mut self) {
        let Some((fixes, rule)) = self.chosen_row() else {
            return self.say("no edit is chosen");
        };
        let live = self.bench.review.as_ref().is_some_and(|review| {
            // An undecided edit is accepted by the first press.
            fixes
                .first()
                .is_some_and(|fix| review.decision(fix.id) == Decision::On)
        });
        let decision = if live { Decision::Off } else { Decision::On };
        if !self.guess_is_off(rule, decision) {
            self.decide(&fixes, Some(decision));
        }
    }

    pub(super) fn decide_rule(&mut self, decision: Decision) {
        let Some((_, rule)) = self.chosen_row() else {
            return self.say("no edit is chosen");
        };
        if self.guess_is_off(rule, decision) {
            return;
        }
        let Some(review) = &self.bench.review else {
            return;
        };
        let fixes: Vec<_> = review
            .fixes()
            .iter()
            .copied()
            .filter(|fix| fix.rule == rule)
            .collect();
        let word = if decision == Decision::On {
            "accepted"
        } else {
            "rejected"
        };
        let count = super::words::count(fixes.len(), "edit");
        self.decide(&fixes, Some(decision));
        self.say(format!("{word} {count} of {}", rule.id()));
    }

    /// A guess is not accepted one by one while guesses are not allowed.
    fn guess_is_off(&mut self, rule: Rule, decision: Decision) -> bool {
        let allowed = self.bench.guesses || self.options.allow == Some(Level::Guess);
        let off = decision == Decision::On && self.bench.level(rule) == Level::Guess && !allowed;
        if off {
            self.say(format!(
                "{} is a guess and off: `M` allows guesses",
                rule.id()
            ));
        }
        off
    }

    pub(super) fn reset(&mut self) {
        let Some(review) = &self.bench.review else {
            return;
        };
        let fixes: Vec<_> = review.fixes().to_vec();
        self.decide(&fixes, None);
        self.say("back to the decisions before yours");
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

    /// Decides about fixes: one step of the history.
    pub(super) fn decide(&mut self, fixes: &[Fix], decision: Option<Decision>) {
        let bench = &mut self.bench;
        let mut changes = Vec::new();
        for fix in fixes {
            let Some(place) = bench.place(*fix) else {
                continue;
            };
            let before = bench.decided.get(&place).copied();
            if before != decision {
                changes.push(Change {
                    place,
                    before,
                    after: decision,
                });
            }
        }
        if changes.is_empty() {
            return;
        }
        self.apply_changes(&changes, |change| change.after);
        self.bench.history.push(Step::Decisions(changes));
        self.bench.dirty = true;
        self.touch_draft();
    }

    /// Puts one side of decisions in force.
    pub(super) fn apply_changes(
        &mut self,
        changes: &[Change],
        side: impl Fn(&Change) -> Option<Decision>,
    ) {
        let allow = self.options.allow.unwrap_or(Level::Safe);
        let bench = &mut self.bench;
        for change in changes {
            match side(change) {
                Some(decision) => bench.decided.insert(change.place, decision),
                None => bench.decided.remove(&change.place),
            };
            let Some(index) = bench.index_of(change.place) else {
                continue;
            };
            let fix = bench.review.as_ref().map(|review| review.fixes()[index]);
            if let Some(fix) = fix {
                let decision = side(change).unwrap_or_else(|| bench.decision_by_level(fix, allow));
                if let Some(review) = &mut bench.review {
                    review.decide(fix.id, decision);
                }
            }
        }
        self.refresh();
        self.reveal();
    }

    /// Undoes or redoes one step.
    pub(super) fn travel(&mut self, back: bool) {
        let history = &mut self.bench.history;
        let step = if back {
            history.back()
        } else {
            history.forth()
        };
        match step {
            None if back => self.say("nothing to undo"),
            None => self.say("nothing to redo"),
            Some(Step::Decisions(changes)) => {
                self.apply_changes(
                    &changes,
                    |change| if back { change.before } else { change.after },
                );
            }
            Some(Step::Guesses(on)) => {
                self.bench.guesses = on != back;
                self.after_guesses();
            }
            Some(Step::Text {
                before,
                after,
                decided,
            }) => {
                let guesses = self.bench.guesses;
                self.bench.doc = if back { *before } else { *after };
                self.bench.decided = if back {
                    Decided::clone(&decided)
                } else {
                    Decided::new()
                };
                self.reread(true);
                self.bench.guesses = guesses && back;
            }
        }
        self.touch_draft();
    }

    /// After guesses were allowed or not: the rungs are read again only if `--allow` had switched rules off.
    pub(super) fn after_guesses(&mut self) {
        if self.options.allow.is_some_and(|level| level < Level::Guess) {
            self.reread(false);
        } else {
            self.apply_decisions();
            self.reveal();
        }
    }

    /// Decides about each fix of a review: as the user did at that place, else by its level.
    pub(super) fn decide_all(&self, review: &mut Review) {
        let allow = self.options.allow.unwrap_or(Level::Safe);
        let bench = &self.bench;
        for index in 0..review.fixes().len() {
            let fix = review.fixes()[index];
            let own = match bench.decided.is_empty() {
                true => None,
                false => {
                    let edit = review.repair().edits.get(fix.first);
                    let place = edit.map(|edit| Place {
                        rule: fix.rule,
                        span: edit.span,
                    });
                    place.and_then(|place| bench.decided.get(&place).copied())
                }
            };
            review.decide(
                fix.id,
                own.unwrap_or_else(|| bench.decision_by_level(fix, allow)),
            );
        }
    }
}
