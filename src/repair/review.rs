//! A repair and what the user decided about its fixes.

use std::sync::Arc;

use super::edit::{Edit, FixId, Piece, PositionMap};
use super::rule::{Level, Rule};
use super::verdict::{Refusal, Verdict};
use super::{Repair, check};

/// What the user wants of one fix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Decision {
    /// Applied.
    On,
    /// Left out.
    Off,
    /// Shown as applied, and asked about before anything leaves.
    Undecided,
}

/// One fix: the edits of one occurrence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fix {
    /// Its number.
    pub id: FixId,
    /// Its rule; all edits of a fix share it.
    pub rule: Rule,
    /// Index of its first edit in source order.
    pub first: usize,
    /// How many edits it has.
    pub edits: usize,
}

/// A repair that is never changed, and one decision a fix.
#[derive(Clone, Debug)]
pub struct Review {
    repair: Arc<Repair>,
    /// The fixes, by the place of their first edit. Together they name each edit once.
    fixes: Arc<Vec<Fix>>,
    /// One decision a fix, addressed by `FixId`.
    decisions: Vec<Decision>,
    /// The decisions that `reset` goes back to.
    defaults: Arc<Vec<Decision>>,
}

impl Review {
    /// Safe fixes are on; lossy ones are undecided and guesses off, unless `allow` covers them.
    /// `allow` is the level that the user allowed beforehand, `Safe` when nothing was said.
    pub fn new(repair: Arc<Repair>, allow: Level) -> Review {
        let count = repair.edits.fixes();
        let mut fixes: Vec<Option<Fix>> = vec![None; count];
        for (index, edit) in repair.edits.iter().enumerate() {
            let slot = &mut fixes[edit.fix.0 as usize];
            let fix = slot.get_or_insert(Fix {
                id: edit.fix,
                rule: edit.rule,
                first: index,
                edits: 0,
            });
            fix.edits += 1;
        }
        let default = |fix: &Option<Fix>| match fix {
            Some(fix) if fix.rule == Rule::PickedCandidate || fix.rule.level() <= allow => {
                Decision::On
            }
            Some(fix) if fix.rule.level() == Level::Lossy => Decision::Undecided,
            Some(_) => Decision::Off,
            None => Decision::On,
        };
        let defaults: Vec<Decision> = fixes.iter().map(default).collect();
        let mut fixes: Vec<Fix> = fixes.into_iter().flatten().collect();
        fixes.sort_by_key(|fix| fix.first);
        Review {
            repair,
            fixes: Arc::new(fixes),
            decisions: defaults.clone(),
            defaults: Arc::new(defaults),
        }
    }

    /// The repair under review.
    pub fn repair(&self) -> &Repair {
        &self.repair
    }

    /// The fixes in the order of their first edits.
    pub fn fixes(&self) -> &[Fix] {
        &self.fixes
    }

    /// The edits of one fix in source order: O(edits) in the worst case.
    pub fn edits(&self, fix: Fix) -> impl Iterator<Item = Edit<'_>> {
        let edits =
            (fix.first..self.repair.edits.len()).filter_map(|index| self.repair.edits.get(index));
        edits.filter(move |edit| edit.fix == fix.id).take(fix.edits)
    }

    /// What was decided about a fix.
    pub fn decision(&self, fix: FixId) -> Decision {
        self.decisions[fix.0 as usize]
    }

    /// Whether a fix is in the output: on or undecided.
    pub fn is_live(&self, fix: FixId) -> bool {
        self.decision(fix) != Decision::Off
    }

    /// Decides about one fix.
    pub fn decide(&mut self, fix: FixId, decision: Decision) {
        self.decisions[fix.0 as usize] = decision;
    }

    /// Decides about all fixes of a rule.
    pub fn decide_rule(&mut self, rule: Rule, decision: Decision) {
        for fix in self.fixes.iter() {
            if fix.rule == rule {
                self.decisions[fix.id.0 as usize] = decision;
            }
        }
    }

    /// Back to the decisions of `new`.
    pub fn reset(&mut self) {
        self.decisions.clone_from(&self.defaults);
    }

    /// All decisions, to be kept for undo.
    pub fn decisions(&self) -> &[Decision] {
        &self.decisions
    }

    /// Puts kept decisions back; ignored when they belong to another repair.
    pub fn restore(&mut self, decisions: &[Decision]) {
        if decisions.len() == self.decisions.len() {
            self.decisions.copy_from_slice(decisions);
        }
    }

    /// How many fixes wait for a decision.
    pub fn undecided(&self) -> usize {
        self.fixes
            .iter()
            .filter(|fix| self.decision(fix.id) == Decision::Undecided)
            .count()
    }

    /// The worst level among the fixes in the output.
    pub fn worst(&self) -> Option<Level> {
        self.fixes
            .iter()
            .filter(|fix| self.is_live(fix.id))
            .map(|fix| fix.rule.level())
            .max()
    }

    /// The output as pieces.
    pub fn pieces<'a>(&'a self, source: &'a str) -> impl Iterator<Item = Piece<'a>> + 'a {
        self.repair.edits.pieces(source, |fix| self.is_live(fix))
    }

    /// The output.
    pub fn output(&self, source: &str) -> String {
        self.repair.edits.apply(source, |fix| self.is_live(fix))
    }

    /// The map between source and output bytes.
    pub fn positions(&self) -> PositionMap {
        PositionMap::new(&self.repair.edits, |fix| self.is_live(fix))
    }

    /// Checks an output of this review with no rule on. `Err` holds the refusal, whose places are bytes of `output`,
    /// and the fix that is off and lies nearest before it, which is the likely cause.
    pub fn verify(&self, output: &str) -> Result<(), (Refusal, Option<Fix>)> {
        let Verdict::Refused(refusal) = check(output) else {
            return Ok(());
        };
        let at = self
            .positions()
            .to_source(refusal.at, super::edit::Bias::After);
        let off = self.fixes.iter().filter(|fix| !self.is_live(fix.id));
        let distance = |fix: &&Fix| {
            let edits = self.edits(**fix);
            edits
                .map(|edit| edit.span.start.abs_diff(at).min(edit.span.end.abs_diff(at)))
                .min()
                .unwrap_or(u32::MAX)
        };
        let cause = off.min_by_key(distance).copied();
        Err((refusal, cause))
    }
}
