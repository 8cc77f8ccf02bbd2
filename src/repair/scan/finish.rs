//! What a tool and its schema say about a text that was read.

use super::*;

/// The schema's part, once the text is read.
pub(super) fn finish(
    source: &str,
    mut repair: Repair,
    rules: RuleSet,
    tool: &ToolContext,
) -> Repair {
    if !repair.is_valid() {
        return repair;
    }
    if let Some(schema) = &tool.schema {
        let output = repair.edits.apply(source, |_| true);
        let proved = guide::guide(&output, schema, tool, rules);
        let proved = as_written(source, &repair.edits, proved, rules);
        let checked = if proved.is_empty() {
            schema.problems(&output)
        } else {
            let guided = proved.apply(&output, |_| true);
            repair.edits = repair.edits.then(&proved).without_idle(source);
            schema.problems(&guided)
        };
        repair.problems = checked;
    }
    if rules.has(Rule::TypographicText) {
        let output = repair.edits.apply(source, |_| true);
        repair.edits = repair.edits.then(&typographic::edits(&output));
    }
    refuse_if_full(source, &mut repair);
    if !rules.is_empty()
        && tool.wants_object()
        && let Some(refusal) = not_an_object(source, &repair.edits)
    {
        repair.verdict = Verdict::Refused(refusal);
        repair.problems.clear();
    }
    repair
}

/// `proved`, where a number or literal that `edits` spelled anew becomes the text that was written: `"+49"` and not
/// `"49"`. With a literal the text could be either, so that is a guess.
fn as_written(source: &str, edits: &Edits, mut proved: Edits, rules: RuleSet) -> Edits {
    // The places of its edits in the output, and in the source.
    let (mut lag, mut spelled) = (0i64, Vec::new());
    for edit in edits.iter() {
        let start = (i64::from(edit.span.start) - lag) as u32;
        lag += i64::from(edit.span.len()) - edit.after.len() as i64;
        if matches!(
            edit.rule,
            Rule::NumberForm | Rule::NumberRadix | Rule::LiteralCase
        ) {
            spelled.push((Span::new(start, start + edit.after.len() as u32), edit.span));
        }
    }
    if spelled.is_empty() {
        return proved;
    }
    let map = PositionMap::new(edits, |_| true);
    let mut unproved = Vec::new();
    for index in 0..proved.len() {
        let Some(edit) = proved.get(index) else { break };
        if edit.rule != Rule::ScalarType || !edit.after.starts_with('"') {
            continue;
        }
        let span = edit.span;
        let first = spelled.partition_point(|(there, _)| there.end < span.start);
        let after = spelled.partition_point(|(there, _)| there.start <= span.end);
        let (Some((_, from)), Some((_, to))) =
            (spelled[first..after].first(), spelled[first..after].last())
        else {
            continue;
        };
        if matches!(edit.after, "\"true\"" | "\"false\"") {
            if !rules.has(Rule::BareValue) {
                unproved.push(edit.fix);
                continue;
            }
            proved.relabel(index, Rule::BareValue);
        }
        let start = map.to_source(span.start, Bias::After).min(from.start);
        let end = map.to_source(span.end, Bias::Before).max(to.end);
        proved.retext(index, &tree::encode(Span::new(start, end).text(source)));
    }
    proved.without_fixes(&unproved)
}

/// The tool takes an object, so any other outcome is none.
pub(super) fn not_an_object(source: &str, edits: &Edits) -> Option<Refusal> {
    let mut pieces = edits.pieces(source, |_| true);
    let first = pieces.find_map(|piece| {
        piece
            .text()
            .trim_start_matches([' ', '\n', '\r', '\t'])
            .chars()
            .next()
    });
    if first == Some('{') {
        return None;
    }
    let scanner = Scanner::new(source, RuleSet::EMPTY);
    let at = scanner.peek(0);
    Some(*scanner.refuse(
        at,
        scanner.token_end(at),
        Expected::Object,
        Why::NotAnObject,
    ))
}
