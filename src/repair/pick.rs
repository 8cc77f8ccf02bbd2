//! One of several values, kept by the user's own choice.

use super::edit::{Edits, FixId};
use super::rule::{Level, Rule};
use super::span::Span;
use super::strategy::Strategy;
use super::tool::ToolContext;
use super::verdict::Verdict;
use super::{Repair, repair_within};

/// As [`repair_within`], on the stretch `kept` alone: what stands around it goes, as one listed edit of the user's own.
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
    let inner = repair_within(kept.text(source), strategy, allow, tool);
    let mut edits = Edits::new(source.len() as u32);
    let dropped = edits.next_fix();
    let before = Span::new(0, kept.start);
    if !before.is_empty() {
        edits.push(Rule::PickedCandidate, dropped, before, "");
    }
    let first = dropped.0 + 1;
    for _ in 0..inner.edits.fixes() {
        edits.next_fix();
    }
    let moved = |span: Span| Span::new(span.start + kept.start, span.end + kept.start);
    for edit in inner.edits.iter() {
        let fix = FixId(first + edit.fix.0);
        edits.push(edit.rule, fix, moved(edit.span), edit.after);
    }
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
    let mut notices = inner.notices;
    for notice in &mut notices {
        notice.span = moved(notice.span);
    }
    Repair {
        edits,
        verdict,
        notices,
        problems: inner.problems,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repair::{Review, strategy};
    use std::sync::Arc;

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
