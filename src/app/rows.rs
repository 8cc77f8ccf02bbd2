//! The rows of the Edits pane: one a fix, equal ones folded.

use crate::repair::{Decision, Edit, Fix, Level, RULES, Review, Rule, RuleSet};

/// One row: a fix, or several that fold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EditRow {
    /// Index of its first fix in [`Review::fixes`].
    pub first: usize,
    /// How many fixes it stands for.
    pub count: usize,
    /// Their rule.
    pub rule: Rule,
    /// What is decided about all of them.
    pub decision: Decision,
}

/// How the rows are sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// By place in the source.
    #[default]
    Position,
    /// The worst level first.
    Level,
    /// By the rule's name.
    Rule,
}

impl Order {
    /// The next way to sort.
    pub fn next(self) -> Order {
        match self {
            Order::Position => Order::Level,
            Order::Level => Order::Rule,
            Order::Rule => Order::Position,
        }
    }

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Order::Position => "position",
            Order::Level => "level",
            Order::Rule => "rule",
        }
    }
}

/// All rows of one review, and what the title counts.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    list: Vec<EditRow>,
    /// Fixes by level as shown: all, off, undecided.
    pub levels: [Tally; 3],
    /// Rows that are not listed since they change white space only.
    pub blank: usize,
}

/// Fixes of one level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// All.
    pub all: usize,
    /// Off.
    pub off: usize,
    /// Undecided.
    pub undecided: usize,
}

/// How rows are made.
#[derive(Clone, Copy, Debug, Default)]
pub struct Folding {
    /// How they are sorted.
    pub order: Order,
    /// Rules whose fixes are listed one by one.
    pub unfolded: RuleSet,
    /// Fixes that change white space only are left out.
    pub hide_blank: bool,
    /// No fix is shown as safe, since the source was clipped or repaired before.
    pub floor: bool,
}

impl Rows {
    /// Makes the rows: O(fixes).
    pub fn new(source: &str, review: &Review, folding: Folding) -> Rows {
        let mut rows = Rows::default();
        // The row of each rule and decision, if there is one.
        let mut safe = [[usize::MAX; 3]; RULES.len()];
        for (index, fix) in review.fixes().iter().enumerate() {
            let decision = review.decision(fix.id);
            let level = shown_level(fix.rule, folding.floor);
            let tally = &mut rows.levels[level as usize];
            tally.all += 1;
            tally.off += usize::from(decision == Decision::Off);
            tally.undecided += usize::from(decision == Decision::Undecided);
            if folding.hide_blank && is_blank(source, review, *fix) {
                rows.blank += 1;
                continue;
            }
            let row = EditRow {
                first: index,
                count: 1,
                rule: fix.rule,
                decision,
            };
            if folding.unfolded.has(fix.rule) {
                rows.list.push(row);
            } else if fix.rule.level() == Level::Safe {
                // All safe fixes of a rule fold, wherever they stand: none of them needs a look of its own.
                let at = &mut safe[fix.rule as usize][decision as usize];
                *at = (*at).min(rows.list.len());
                match rows.list.get_mut(*at) {
                    Some(row) => row.count += 1,
                    None => rows.list.push(row),
                }
            } else {
                match rows.list.last_mut() {
                    // Others fold only with a neighbour that makes the very same change.
                    Some(last) if folds(source, review, last, index, row) => last.count += 1,
                    _ => rows.list.push(row),
                }
            }
        }
        rows.sort(review, folding);
        rows
    }

    fn sort(&mut self, review: &Review, folding: Folding) {
        match folding.order {
            Order::Position => self.list.sort_by_key(|row| review.fixes()[row.first].first),
            Order::Level => {
                self.list.sort_by_key(|row| {
                    (
                        std::cmp::Reverse(shown_level(row.rule, folding.floor)),
                        row.first,
                    )
                });
            }
            Order::Rule => self.list.sort_by_key(|row| (row.rule.id(), row.first)),
        }
    }

    /// The rows.
    pub fn list(&self) -> &[EditRow] {
        &self.list
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Fixes that wait for a decision.
    pub fn undecided(&self) -> usize {
        self.levels.iter().map(|tally| tally.undecided).sum()
    }

    /// All fixes, and those in the output.
    pub fn totals(&self) -> (usize, usize) {
        let all: usize = self.levels.iter().map(|tally| tally.all).sum();
        let off: usize = self.levels.iter().map(|tally| tally.off).sum();
        (all, all - off)
    }

    /// The row that stands for the fix at `index`.
    pub fn row_of(&self, review: &Review, index: usize) -> Option<usize> {
        self.list
            .iter()
            .position(|row| row.stands_for(review, index))
    }
}

impl EditRow {
    /// The fixes of the row, in order.
    pub fn fixes<'a>(self, review: &'a Review) -> impl Iterator<Item = Fix> + 'a {
        let tail = review.fixes()[self.first..].iter().copied();
        tail.filter(move |fix| fix.rule == self.rule && review.decision(fix.id) == self.decision)
            .take(self.count)
    }

    /// Whether the fix at `index` belongs to the row.
    fn stands_for(self, review: &Review, index: usize) -> bool {
        if self.count == 1 || index < self.first {
            return index == self.first;
        }
        let fix = review.fixes()[index];
        if fix.rule != self.rule || review.decision(fix.id) != self.decision {
            return false;
        }
        self.rule.level() == Level::Safe || index < self.first + self.count
    }
}

/// The level as it is shown: at least lossy where the source was clipped or repaired before.
pub fn shown_level(rule: Rule, floor: bool) -> Level {
    match rule {
        // The user picked it, and sees it named as lossy; it waits for no decision.
        Rule::PickedCandidate => Level::Lossy,
        _ if floor => rule.level().max(Level::Lossy),
        _ => rule.level(),
    }
}

/// Whether the fix at `index` is the direct neighbour of `last` and makes the same change.
fn folds(source: &str, review: &Review, last: &EditRow, index: usize, row: EditRow) -> bool {
    let neighbour =
        last.rule == row.rule && last.decision == row.decision && last.first + last.count == index;
    neighbour && {
        let change = |index: usize| {
            let fix = review.fixes()[index];
            let edit = review.repair().edits.get(fix.first);
            edit.map(|edit: Edit<'_>| {
                (
                    fix.edits,
                    edit.span.text(source).to_owned(),
                    edit.after.to_owned(),
                )
            })
        };
        let (one, two) = (change(last.first), change(index));
        one.as_ref().is_some_and(|(edits, ..)| *edits == 1) && one == two
    }
}

/// Whether a fix takes or puts white space only.
fn is_blank(source: &str, review: &Review, fix: Fix) -> bool {
    let blank = |text: &str| text.chars().all(char::is_whitespace);
    fix.edits <= 4
        && review
            .edits(fix)
            .all(|edit| blank(edit.span.text(source)) && blank(edit.after))
}
