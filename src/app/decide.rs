//! Deciding about edits, and taking decisions back.

use super::App;
use super::bench::Bench;
use super::history::{About, Change, Decided, Place, RuleSide, Step};
use super::keys::Action;
use super::ladder::Ladder;
use super::rows::{EditRow, shown_level};
use crate::repair::{Decision, Fix, Level, RULES, Review, Rule, RuleSet};

/// From so many fixes on, a decision about all of a safe rule is kept as one.
const MANY: usize = 10_000;

/// Up to so many changed fixes are found one by one.
const FEW: usize = 1_000;

impl App {
    /// Decides about the chosen row, and goes on to the next edit if asked to.
    pub(super) fn decide_row(&mut self, decision: Decision, go_on: bool) {
        let Some((row, index)) = self.chosen_row() else {
            return self.say("no edit is chosen");
        };
        if self.guess_is_off(row.rule, decision) {
            return;
        }
        let next = if go_on { self.after(index) } else { None };
        let changes = self.changes(row, decision);
        self.decide(changes);
        if let Some(next) = next {
            self.choose_fix(next);
        }
    }

    /// Accepts or rejects the chosen row; an undecided one is accepted by the first press.
    pub(super) fn toggle_row(&mut self) {
        let decision = match self.chosen_row() {
            Some((row, _)) if row.decision == Decision::On => Decision::Off,
            _ => Decision::On,
        };
        self.decide_row(decision, false);
    }

    /// Decides about all fixes of the chosen rule.
    pub(super) fn decide_rule(&mut self, decision: Decision) {
        let Some((row, _)) = self.chosen_row() else {
            return self.say("no edit is chosen");
        };
        let rule = row.rule;
        if self.guess_is_off(rule, decision) {
            return;
        }
        let own: Vec<EditRow> = self
            .bench
            .rows
            .list()
            .iter()
            .copied()
            .filter(|row| row.rule == rule)
            .collect();
        let count: usize = own.iter().map(|row| row.count).sum();
        let changes = own
            .into_iter()
            .flat_map(|row| self.changes(row, decision))
            .collect();
        self.decide(changes);
        let word = if decision == Decision::On {
            "accepted"
        } else {
            "rejected"
        };
        self.say(format!(
            "{word} {} of {}",
            super::words::count(count, "edit"),
            rule.id()
        ));
    }

    /// A guess is not accepted one by one while guesses are not allowed.
    fn guess_is_off(&mut self, rule: Rule, decision: Decision) -> bool {
        let allowed = self.bench.guesses
            || self.bench.by_hand.has(rule)
            || self.options.allow == Some(Level::Guess);
        let off = decision == Decision::On && self.bench.level(rule) == Level::Guess && !allowed;
        if off {
            self.say(format!(
                "{} is a guess and off: `M` allows guesses",
                rule.id()
            ));
        }
        off
    }

    /// Back to what the levels say.
    pub(super) fn reset(&mut self) {
        let before = Box::new(self.bench.decided.clone());
        if !before.is_empty() {
            self.decide(vec![Change::All {
                before,
                after: Box::default(),
            }]);
        }
        self.say("back to the decisions before yours");
    }

    /// All undecided edits are accepted: one step of the history.
    pub(super) fn accept_undecided(&mut self) {
        let Some(review) = &self.bench.review else {
            return;
        };
        let open = review
            .fixes()
            .iter()
            .filter(|fix| review.decision(fix.id) == Decision::Undecided);
        let changes = open
            .filter_map(|fix| self.bench.change(*fix, Decision::On))
            .collect();
        self.decide(changes);
    }

    /// What changes when a row is decided about.
    fn changes(&self, row: EditRow, decision: Decision) -> Vec<Change> {
        let bench = &self.bench;
        let Some(review) = &bench.review else {
            return Vec::new();
        };
        // Only safe rules: on another rung a loss that nobody saw must not be accepted with them.
        if row.count < MANY || bench.level(row.rule) != Level::Safe {
            return row
                .fixes(review)
                .filter_map(|fix| bench.change(fix, decision))
                .collect();
        }
        let others = review
            .fixes()
            .iter()
            .filter(|fix| fix.rule == row.rule && review.decision(fix.id) != row.decision);
        let kept =
            others.filter_map(|fix| Some((bench.place(*fix)?.span, review.decision(fix.id))));
        let after = RuleSide {
            all: Some(decision),
            places: kept.collect(),
        };
        vec![Change::Rule {
            rule: row.rule,
            before: bench.decided.rule(row.rule),
            after,
        }]
    }

    /// Decides: one step of the history.
    fn decide(&mut self, changes: Vec<Change>) {
        if changes.is_empty() {
            return;
        }
        self.apply_changes(&changes, false);
        self.bench.history.push(Step::Decisions(changes));
        self.bench.dirty = true;
        self.touch_draft();
    }

    /// Puts one side of decisions in force.
    fn apply_changes(&mut self, changes: &[Change], back: bool) {
        for change in changes {
            change.apply(&mut self.bench.decided, back);
        }
        let deciding = self.deciding();
        let bench = &mut self.bench;
        let few = changes.len() < FEW;
        let places = changes.iter().map(|change| match change {
            Change::Place { place, .. } if few => Some(*place),
            _ => None,
        });
        match places.collect::<Option<Vec<Place>>>() {
            // A few fixes are found by their places; the others are as they were.
            Some(places) => {
                for place in places {
                    let Some(index) = bench.index_of(place) else {
                        continue;
                    };
                    let Some(fix) = bench.review.as_ref().map(|review| review.fixes()[index])
                    else {
                        continue;
                    };
                    let own = bench.decided.get(place);
                    let decision = own.unwrap_or_else(|| deciding.by_level(fix.rule));
                    if let Some(review) = &mut bench.review {
                        review.decide(fix.id, decision);
                    }
                }
                self.refresh();
            }
            None => self.apply_decisions(),
        }
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
            Some(Step::Decisions(changes)) => self.apply_changes(&changes, back),
            Some(Step::Guesses(on)) => {
                self.bench.guesses = on != back;
                self.after_guesses();
            }
            Some(Step::ByHand(rule, on)) => self.switch(rule, on != back),
            Some(Step::Text {
                before,
                after,
                decided,
                rung,
                guesses,
                by_hand,
            }) => {
                self.bench.doc = if back { *before } else { *after };
                self.bench.decided = if back {
                    Decided::clone(&decided)
                } else {
                    Decided::default()
                };
                self.reread(true);
                if back {
                    if let Some(rung) = rung {
                        self.bench.ladder = Ladder::starting(rung, true);
                    }
                    self.bench.guesses = guesses;
                    if by_hand.is_empty() {
                        self.after_guesses();
                    } else {
                        self.bench.by_hand = by_hand;
                        self.reread(false);
                    }
                }
            }
        }
        self.touch_draft();
    }

    /// Switches `typographic-text` on for this text, or off again: one step of the history.
    pub(super) fn toggle_typographic(&mut self) {
        let rule = Rule::TypographicText;
        if self.bench.doc.source.is_empty() {
            return self.say("no text yet");
        }
        let on = !self.bench.by_hand.has(rule);
        self.bench.history.push(Step::ByHand(rule, on));
        self.bench.dirty = true;
        self.switch(rule, on);
        self.touch_draft();
        self.say(match on {
            true => {
                "typographic-text is on: curly quotes in strings become plain ones; each is listed"
            }
            false => "typographic-text is off: typographic signs in strings stay",
        });
    }

    /// What the user may switch on here, in words: tool arguments may be program code, in which typographic signs are
    /// a fault.
    pub fn offer(&self) -> Option<String> {
        let key = self.keymap.key(self.contexts(), Action::Typographic)?;
        let words = format!("typographic signs inside strings are kept: {key} replaces them");
        self.bench.ladder.typographic.then_some(words)
    }

    fn switch(&mut self, rule: Rule, on: bool) {
        let own = self.bench.by_hand;
        self.bench.by_hand = match on {
            true => own.union(RuleSet::of(&[rule])),
            false => own.without(rule),
        };
        self.reread(false);
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

    /// How fixes are decided about that the user said nothing about.
    pub(super) fn deciding(&self) -> Deciding {
        Deciding {
            allow: self.options.allow.unwrap_or(Level::Safe),
            guesses: self.bench.guesses,
            by_hand: self.bench.by_hand,
            floor: self.bench.doc.floor(),
        }
    }

    /// Decides about each fix of a review; says whether that changed anything.
    pub(super) fn decide_all(&self, review: &mut Review) -> bool {
        self.deciding().decide_all(&self.bench.decided, review)
    }
}

/// What decides about a fix that the user said nothing about.
#[derive(Clone, Copy, Debug)]
pub struct Deciding {
    /// The level that was allowed beforehand.
    pub allow: Level,
    /// Whether guesses are allowed for this text.
    pub guesses: bool,
    /// Rules that the user switched on by hand.
    pub by_hand: RuleSet,
    /// Whether nothing is safe, since the text was clipped or repaired before.
    pub floor: bool,
}

impl Deciding {
    /// The decision that the level of a rule makes.
    pub fn by_level(self, rule: Rule) -> Decision {
        let level = shown_level(rule, self.floor);
        match level {
            _ if rule == Rule::PickedCandidate || level <= self.allow => Decision::On,
            // Who asks for a rule by its name has decided about it.
            _ if self.by_hand.has(rule) => Decision::On,
            Level::Guess if self.guesses => Decision::On,
            Level::Guess => Decision::Off,
            _ => Decision::Undecided,
        }
    }

    /// Decides about each fix of a review: as the user did at that place, else by its level. Says whether that changed
    /// anything.
    pub fn decide_all(self, decided: &Decided, review: &mut Review) -> bool {
        // Most rules were not decided about place by place: their fixes need not be looked up.
        let rules = RULES
            .each_ref()
            .map(|row| (decided.about(row.rule), self.by_level(row.rule)));
        let mut changed = false;
        for index in 0..review.fixes().len() {
            let fix = review.fixes()[index];
            let (about, by_level) = &rules[fix.rule as usize];
            let own = match about {
                About::All(own) => *own,
                About::Places => {
                    let edit = review.repair().edits.get(fix.first);
                    let place = edit.map(|edit| Place {
                        rule: fix.rule,
                        span: edit.span,
                    });
                    place.and_then(|place| decided.get(place))
                }
            };
            let decision = own.unwrap_or(*by_level);
            changed |= review.decision(fix.id) != decision;
            review.decide(fix.id, decision);
        }
        changed
    }
}

impl Bench {
    /// The change that decides about one fix; `None` if nothing changes.
    fn change(&self, fix: Fix, decision: Decision) -> Option<Change> {
        if self.review.as_ref()?.decision(fix.id) == decision {
            return None;
        }
        let place = self.place(fix)?;
        Some(Change::Place {
            place,
            before: self.decided.get(place),
            after: Some(decision),
        })
    }
}
