//! The ten rungs over the text on the Bench, and which of them is on the screen.

use std::sync::Arc;

use super::text::Text;
use super::words;
use super::work::{Climbed, Rung};
use crate::repair::{LADDER, Notice, Position, Refusal, Repair, Strategy, Verdict};

/// What is known of the ladder so far.
#[derive(Clone, Debug, Default)]
pub struct Ladder {
    /// One slot a rung, filled as the worker reports.
    slots: [Option<Slot>; LADDER.len()],
    /// Index of the auto rung.
    pub auto: Option<usize>,
    /// Index of the rung on the screen.
    pub at: usize,
    /// Whether the user chose the rung; else it follows `auto`.
    pub chosen: bool,
    /// Whether typographic signs in strings are to be pointed out.
    pub typographic: bool,
}

/// One rung and where it stopped.
#[derive(Clone, Debug)]
pub struct Slot {
    /// What it made.
    pub repair: Arc<Repair>,
    /// Where it stopped.
    pub place: Option<Position>,
    /// How many fixes it makes.
    pub fixes: usize,
    /// The same by level.
    pub levels: [usize; 3],
    /// What a reader should know of text that no edit changed.
    pub notices: Vec<Notice>,
}

impl Slot {
    fn new(source: &Text, rung: Rung) -> Slot {
        let Rung {
            repair,
            levels,
            notices,
            ..
        } = rung;
        let place = match &repair.verdict {
            Verdict::Refused(refusal) => Some(source.position(refusal.at)),
            Verdict::Valid => None,
        };
        let fixes = levels.iter().sum();
        Slot {
            repair,
            place,
            fixes,
            levels,
            notices,
        }
    }

    /// The refusal, if it refused.
    pub fn refusal(&self) -> Option<&Refusal> {
        match &self.repair.verdict {
            Verdict::Refused(refusal) => Some(refusal),
            Verdict::Valid => None,
        }
    }

    /// The outcome in a few cells: `valid`, `valid+14`, `✗ 1:32`. Where `cells` do not hold it, it is shortened so that
    /// no number becomes another one: `+1.5M`, `✗ 1:113…`.
    pub fn outcome(&self, cross: &str, cells: usize) -> String {
        let fits = |text: &String| text.chars().count() <= cells;
        match (self.place, self.fixes) {
            (Some(place), _) => {
                let whole = format!("{cross} {place}");
                if fits(&whole) {
                    return whole;
                }
                let head = whole.chars().take(cells.saturating_sub(1));
                head.chain(['…']).collect()
            }
            (None, 0) => "valid".into(),
            (None, fixes) => {
                let short = words::rounded(fixes);
                let forms = [
                    format!("valid+{fixes}"),
                    format!("valid+{short}"),
                    format!("+{short}"),
                ];
                forms.into_iter().find(fits).unwrap_or("valid".into())
            }
        }
    }
}

impl Ladder {
    /// A ladder that knows nothing yet; `at` stays on the screen if the user chose it.
    pub fn starting(at: usize, chosen: bool) -> Ladder {
        Ladder {
            at,
            chosen,
            ..Ladder::default()
        }
    }

    /// Takes the auto rung, which comes first.
    pub fn take_first(&mut self, source: &Text, rung: Rung) {
        let index = usize::from(rung.strategy.number) - 1;
        self.auto = Some(index);
        if !self.chosen {
            self.at = index;
        }
        self.slots[index] = Some(Slot::new(source, rung));
    }

    /// Takes another rung.
    pub fn take(&mut self, source: &Text, rung: Rung) {
        let index = usize::from(rung.strategy.number) - 1;
        self.slots[index] = Some(Slot::new(source, rung));
    }

    /// Takes what is known once all rungs are.
    pub fn take_all(&mut self, climbed: Climbed) {
        self.typographic = climbed.typographic;
    }

    /// How many rungs have reported, and how many there are.
    pub fn progress(&self) -> (usize, usize) {
        (self.slots.iter().flatten().count(), LADDER.len())
    }

    /// The rung at `index`, if it has reported.
    pub fn slot(&self, index: usize) -> Option<&Slot> {
        self.slots.get(index)?.as_ref()
    }

    /// The rung on the screen, if it has reported.
    pub fn current(&self) -> Option<&Slot> {
        self.slot(self.at)
    }

    /// The strategy on the screen.
    pub fn strategy(&self) -> &'static Strategy {
        &LADDER[self.at]
    }

    /// Whether all rungs have reported.
    pub fn is_complete(&self) -> bool {
        self.slots.iter().all(Option::is_some)
    }

    /// Whether every rung has reported and refused.
    pub fn all_refused(&self) -> bool {
        self.slots
            .iter()
            .all(|slot| slot.as_ref().is_some_and(|slot| slot.place.is_some()))
    }

    /// The first of rungs 1 to 7 that is valid: what ChatCLI would take.
    pub fn chatcli(&self) -> Option<usize> {
        (0..7).find(|index| self.slot(*index).is_some_and(|slot| slot.place.is_none()))
    }

    /// The rungs that make the edit of `rule` at byte `start`: by number.
    pub fn makers(&self, rule: crate::repair::Rule, start: u32) -> Vec<u8> {
        let makes = |slot: &Slot| {
            let edits = &slot.repair.edits;
            let mut index = edits.first_after(start);
            while let Some(edit) = edits.get(index).filter(|edit| edit.span.start <= start) {
                if edit.rule == rule && edit.span.start == start {
                    return true;
                }
                index += 1;
            }
            false
        };
        let found = self
            .slots
            .iter()
            .zip(LADDER.iter())
            .filter(|(slot, _)| slot.as_ref().is_some_and(makes));
        found.map(|(_, rung)| rung.number).collect()
    }

    /// The rungs that stopped at byte `at`: by number.
    pub fn stopped_at(&self, at: u32) -> Vec<u8> {
        let stops = |slot: &Slot| slot.refusal().is_some_and(|refusal| refusal.at == at);
        let found = self
            .slots
            .iter()
            .zip(LADDER.iter())
            .filter(|(slot, _)| slot.as_ref().is_some_and(stops));
        found.map(|(_, rung)| rung.number).collect()
    }
}
