//! One of several values, kept by the user's own choice.

use super::edit::{Edits, FixId};
use super::rule::{Level, Rule, RuleSet};
use super::span::Span;
use super::strategy::{LADDER, Strategy};
use super::tool::ToolContext;
use super::verdict::Verdict;
use super::{Repair, auto, repair_with};

/// As [`repair_within`](super::repair_within), on the stretch `kept` alone: what stands around it goes, as one listed edit of the user's own.
/// All places are places of `source`.
///
/// # Panics
/// If `kept` does not lie on character borders inside `source`.
pub fn repair_picked(
    source: &str,
    kept: Span,
    strategy: &Strategy,
    allow: Level,
    tool: &ToolContext,
) -> Repair {
    let rules = strategy.rules.and(RuleSet::up_to(allow));
    repair_picked_with(source, kept, strategy, rules, tool)
}

/// As [`repair_picked`], with `rules` in place of the strategy's own.
///
/// # Panics
/// If `kept` does not lie on character borders inside `source`.
pub fn repair_picked_with(
    source: &str,
    kept: Span,
    strategy: &Strategy,
    rules: RuleSet,
    tool: &ToolContext,
) -> Repair {
    let inner = repair_with(kept.text(source), strategy, rules, tool);
    let mut edits = Edits::new(source.len() as u32);
    let dropped = edits.next_fix();
    let before = Span::new(0, kept.start);
    if !before.is_empty() {
        edits.push(Rule::PickedCandidate, dropped, before, "");
    }
    append(&mut edits, &inner.edits, kept.start);
    let moved = |span: Span| Span::new(span.start + kept.start, span.end + kept.start);
    let behind = Span::new(kept.end, source.len() as u32);
    if !behind.is_empty() {
        edits.push(Rule::PickedCandidate, dropped, behind, "");
    }
    let verdict = match inner.verdict {
        Verdict::Valid => Verdict::Valid,
        Verdict::Refused(mut refusal) => {
            refusal.at += kept.start;
            refusal.good += kept.start;
            refusal.found = moved(refusal.found);
            for candidate in &mut refusal.candidates {
                *candidate = moved(*candidate);
            }
            Verdict::Refused(refusal)
        }
    };
    Repair {
        edits,
        verdict,
        problems: inner.problems,
    }
}

/// An array of all stretches of `kept`, each repaired on its own: by the user's own choice. Refused where one of them
/// is. The strategy is the least sure one that was needed.
///
/// # Panics
/// If the stretches overlap, are unsorted, or do not lie on character borders inside `source`.
pub fn repair_all_picked(source: &str, kept: &[Span], allow: Level) -> (&'static Strategy, Repair) {
    let mut edits = Edits::new(source.len() as u32);
    let array = edits.next_fix();
    let mut widest = &LADDER[0];
    let mut end = 0;
    for (index, span) in kept.iter().enumerate() {
        let (rung, inner) = auto(span.text(source), allow, &ToolContext::default());
        if let Verdict::Refused(_) = inner.verdict {
            let refused = repair_picked(source, *span, rung, allow, &ToolContext::default());
            return (rung, refused);
        }
        if widest.number < rung.number {
            widest = rung;
        }
        let opener = if index == 0 { "[" } else { "," };
        edits.push(
            Rule::PickedCandidate,
            array,
            Span::new(end, span.start),
            opener,
        );
        append(&mut edits, &inner.edits, span.start);
        end = span.end;
    }
    edits.push(
        Rule::PickedCandidate,
        array,
        Span::new(end, source.len() as u32),
        "]",
    );
    (
        widest,
        Repair {
            edits,
            verdict: Verdict::Valid,
            problems: Vec::new(),
        },
    )
}

/// Adds the edits of a stretch that begins at byte `start` of the source.
fn append(edits: &mut Edits, inner: &Edits, start: u32) {
    let first = edits.fixes() as u32;
    for _ in 0..inner.fixes() {
        edits.next_fix();
    }
    for edit in inner.iter() {
        let span = Span::new(edit.span.start + start, edit.span.end + start);
        edits.push(edit.rule, FixId(first + edit.fix.0), span, edit.after);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repair::{Review, strategy};
    use std::sync::Arc;

    #[test]
    fn all_become_an_array() {
        let source = "x {'a':1} y {b:2} z";
        let (rung, repair) =
            repair_all_picked(source, &[Span::new(2, 9), Span::new(12, 17)], Level::Safe);
        assert!(repair.is_valid());
        assert_eq!(
            repair.edits.apply(source, |_| true),
            "[{\"a\":1},{\"b\":2}]"
        );
        assert_eq!(
            (rung.id, repair.worst()),
            ("unquoted-keys", Some(Level::Lossy))
        );
    }

    #[test]
    fn the_rest_goes_as_one_fix_and_the_value_is_repaired_on_its_own() {
        for (source, start, end, output, fixes) in [
            ("{\"a\":1}{\"b\":2}", 7, 14, "{\"b\":2}", 1),
            ("{\"a\":1} {'b':2} x", 8, 15, "{\"b\":2}", 2),
            ("{\"a\":1}", 0, 7, "{\"a\":1}", 0),
        ] {
            let rung = strategy::widest(Level::Safe);
            let tool = ToolContext::default();
            let found = repair_picked(source, Span::new(start, end), rung, Level::Guess, &tool);
            assert!(found.is_valid(), "{source}");
            let review = Review::new(Arc::new(found), Level::Safe);
            assert_eq!(review.output(source), output);
            assert_eq!(review.fixes().len(), fixes);
            assert_eq!(review.undecided(), 0);
        }
    }
}
