//! What holds for any text at all. Shared by the property tests and the fuzz targets, so it panics where it does not.

use std::collections::BTreeMap;
use std::sync::Arc;

use jsonmedic::repair::{
    Bias, Decision, Edit, LADDER, Level, Piece, PositionMap, Repair, Review, Rule, RuleSet, Schema,
    Strategy, ToolContext, Verdict, auto, check, climb, repair_within, strategy,
};

/// No tool, a tool of the map, a tool with a schema.
pub fn tools() -> [ToolContext; 3] {
    let schema = serde_json::json!({
        "type": "object",
        "properties": {
            "a": {"type": "string"},
            "b": {"type": "array", "items": {"type": "integer"}},
            "file_path": {"type": "string"},
        },
        "required": ["a"],
    });
    [
        ToolContext::default(),
        ToolContext::named("read_file"),
        ToolContext {
            schema: Some(Arc::new(Schema::new(schema))),
            ..ToolContext::named("save")
        },
    ]
}

/// The check agrees with another reader, where that one can hold the text: it refuses 128 levels.
pub fn validity(text: &str) {
    let ours = check(text) == Verdict::Valid;
    if text
        .bytes()
        .filter(|byte| matches!(byte, b'{' | b'['))
        .count()
        < 100
    {
        let theirs: Result<serde::de::IgnoredAny, _> = serde_json::from_str(text);
        assert_eq!(ours, theirs.is_ok(), "{theirs:?} {text:?}");
    }
}

/// Edits are sorted, disjoint, on character borders, of rules that are on, and make the output; the output is JSON and
/// has no fault of its own; places map there and back.
pub fn edits(text: &str, rung: &Strategy, allow: Level, repair: &Repair, tool: &ToolContext) {
    let at = |what: &str| format!("{what}: {} {allow:?} {text:?}", rung.id);
    let rules = rung.rules.and(RuleSet::up_to(allow));
    let (mut end, mut output) = (0, String::new());
    let mut rules_of_fixes = BTreeMap::new();
    for edit in repair.edits.iter() {
        let (start, stop) = (edit.span.start as usize, edit.span.end as usize);
        assert!(end <= start && start <= stop, "{}", at("order"));
        assert!(text.get(start..stop).is_some(), "{}", at("borders"));
        assert!(rules.has(edit.rule), "{}: {}", at("rule"), edit.rule.id());
        assert!(text[start..stop] != *edit.after, "{}", at("idle edit"));
        let rule = *rules_of_fixes.entry(edit.fix).or_insert(edit.rule);
        assert_eq!(rule, edit.rule, "{}", at("rules of one fix"));
        output.push_str(&text[end..start]);
        output.push_str(edit.after);
        end = stop;
    }
    output.push_str(&text[end..]);
    assert_eq!(
        output,
        repair.edits.apply(text, |_| true),
        "{}",
        at("pieces")
    );
    let worst = repair.edits.iter().map(|edit| edit.rule.level()).max();
    assert_eq!(repair.worst(), worst, "{}", at("worst"));
    match &repair.verdict {
        Verdict::Valid => {
            assert_eq!(
                check(&output),
                Verdict::Valid,
                "{}: {output:?}",
                at("output")
            );
            if rung.reading == strategy::Reading::Structure {
                let again = repair_within(&output, rung, allow, tool);
                assert!(again.is_valid(), "{}: {output:?}", at("again"));
                // `True` where the schema wants a text: which text is left to the user, and `true` as it was
                // written is one. Nothing else is found the second time.
                let spelled = repair.used().has(Rule::LiteralCase) && !repair.problems.is_empty();
                let literal = |edit: Edit<'_>| {
                    edit.rule == Rule::ScalarType && matches!(edit.after, "\"true\"" | "\"false\"")
                };
                assert!(
                    again.edits.iter().all(|edit| spelled && literal(edit)),
                    "{}: {output:?}",
                    at("again")
                );
            }
        }
        Verdict::Refused(refusal) => {
            let (start, stop) = (refusal.found.start as usize, refusal.found.end as usize);
            assert!(text.get(start..stop).is_some(), "{}", at("found"));
            assert!(
                text.is_char_boundary(refusal.at as usize),
                "{}",
                at("place")
            );
            assert!(!refusal.message(text).is_empty(), "{}", at("message"));
        }
    }
    let map = PositionMap::new(&repair.edits, |_| true);
    assert_eq!(map.output_len() as usize, output.len(), "{}", at("length"));
    for piece in repair.edits.pieces(text, |_| true) {
        if let Piece::Kept(span, _) = piece {
            for byte in [span.start, span.end - 1] {
                let there = map.to_output(byte, Bias::After);
                assert_eq!(map.to_source(there, Bias::After), byte, "{}", at("map"));
            }
        }
    }
}

/// Every rung at every level keeps the promises, valid text stays, and `auto` is the best of the climb.
pub fn every_rung(text: &str, tool: &ToolContext) {
    let valid = check(text) == Verdict::Valid;
    for allow in Level::ALL {
        let mut best = None;
        for (rung, repair) in climb(text, allow, tool) {
            edits(text, rung, allow, &repair, tool);
            if valid && tool.schema.is_none() && rung.reading == strategy::Reading::Structure {
                assert!(repair.edits.is_empty(), "valid text: {} {text:?}", rung.id);
            }
            let rank = (repair.worst(), repair.problems.len(), rung.number);
            if repair.is_valid() && best.is_none_or(|best| rank < best) {
                best = Some(rank);
            }
        }
        // Valid text is the user's to change, or the schema's.
        if valid {
            continue;
        }
        let (rung, repair) = auto(text, allow, tool);
        let rank = (repair.worst(), repair.problems.len(), rung.number);
        match best {
            Some(best) => assert_eq!(rank, best, "{allow:?} {text:?}"),
            None => {
                assert!(!repair.is_valid(), "{allow:?} {text:?}");
                assert_eq!(rung.id, strategy::widest(allow).id, "{text:?}");
            }
        }
    }
}

/// Any choice of fixes is checked again, and the check is the check of its output.
pub fn every_choice(text: &str, mut keep: impl FnMut() -> bool) {
    for rung in &LADDER[6..] {
        let repair = repair_within(text, rung, Level::Guess, &ToolContext::default());
        let mut review = Review::new(Arc::new(repair), Level::Guess);
        let fixes: Vec<_> = review.fixes().iter().map(|fix| fix.id).take(64).collect();
        for id in fixes {
            if !keep() {
                review.decide(id, Decision::Off);
            }
            let output = review.output(text);
            let verified = review.verify(&output);
            assert_eq!(
                verified.is_ok(),
                check(&output) == Verdict::Valid,
                "{text:?}"
            );
        }
    }
}
