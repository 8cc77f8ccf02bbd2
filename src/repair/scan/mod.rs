//! The scanner (first state: strict reading only).

use super::*;

pub(super) fn check(text: &str) -> Verdict {
    let refused = |at: usize| {
        Verdict::Refused(Refusal {
            at: at as u32,
            expected: Expected::Value,
            found: Span::at(at as u32),
            why: Why::Syntax,
            good: 0,
            candidates: Vec::new(),
        })
    };
    match serde_json::from_str::<serde::de::IgnoredAny>(text) {
        Ok(_) => Verdict::Valid,
        Err(_) => refused(0),
    }
}

pub(super) fn repair(
    source: &str,
    _strategy: &Strategy,
    _rules: RuleSet,
    _tool: &ToolContext,
) -> Repair {
    Repair {
        edits: Edits::new(source.len() as u32),
        verdict: check(source),
        notices: Vec::new(),
        problems: Vec::new(),
    }
}
