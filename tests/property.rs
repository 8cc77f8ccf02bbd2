//! What holds for every text: random values with known faults come back, and any text at all keeps the promises of an
//! edit list. `PROPTEST_CASES` raises the number of cases; the cases are the same on every run unless
//! `PROPTEST_RNG_SEED` names another seed.

mod texts;

use std::collections::HashMap;
use std::sync::Arc;

use jsonmedic::repair::{
    Bias, Decision, LADDER, Level, Piece, PositionMap, Repair, Review, RuleSet, Schema, Strategy,
    ToolContext, Verdict, auto, check, climb, repair_within, strategy,
};
use proptest::prelude::*;
use serde_json::Value;
use texts::{AROUND, Dice, FAULTS, Fault, Writer, container, value};

fn config() -> ProptestConfig {
    // Failing cases become rows of a test table, so no file beside the sources keeps them.
    let config = ProptestConfig {
        failure_persistence: None,
        max_global_rejects: 1_000_000,
        ..ProptestConfig::default()
    };
    if std::env::var_os("PROPTEST_RNG_SEED").is_some() {
        return config;
    }
    ProptestConfig {
        rng_seed: proptest::test_runner::RngSeed::Fixed(20_261_130),
        ..config
    }
}

fn tools() -> [ToolContext; 3] {
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

/// The output and the worst level of `auto` without a tool.
fn mend(text: &str, allow: Level) -> Result<(String, Option<Level>), String> {
    let (rung, repair) = auto(text, allow, &ToolContext::default());
    match &repair.verdict {
        Verdict::Valid => Ok((repair.edits.apply(text, |_| true), repair.worst())),
        Verdict::Refused(refusal) => Err(format!("{}: {}", rung.id, refusal.message(text))),
    }
}

/// The text comes back as `value`, labelled no worse than `worst`.
fn comes_back(text: &str, value: &Value, worst: Level) -> Result<(), TestCaseError> {
    for allow in Level::ALL.into_iter().filter(|allow| worst <= *allow) {
        let mended = mend(text, allow);
        prop_assert!(mended.is_ok(), "{allow:?} {text:?}: {mended:?}");
        if let Ok((output, level)) = mended {
            let read: Result<Value, _> = serde_json::from_str(&output);
            prop_assert!(
                read.as_ref().is_ok_and(|read| read == value),
                "{allow:?} {text:?} -> {output:?}"
            );
            prop_assert!(level <= Some(worst), "{level:?}: {text:?}");
        }
    }
    Ok(())
}

/// Whether `cut` is what is left of `whole` after its end was lost.
fn is_rest_of(cut: &Value, whole: &Value) -> bool {
    match (cut, whole) {
        (Value::Array(cut), Value::Array(whole)) => prefix(cut.iter(), whole.iter()),
        (Value::Object(cut), Value::Object(whole)) => {
            cut.keys().zip(whole.keys()).all(|(a, b)| a == b)
                && prefix(cut.values(), whole.values())
        }
        (Value::String(cut), Value::String(whole)) => whole.starts_with(cut.as_str()),
        (Value::Number(_), Value::Number(_)) => true,
        (cut, whole) => cut == whole,
    }
}

fn prefix<'v>(
    cut: impl ExactSizeIterator<Item = &'v Value>,
    whole: impl ExactSizeIterator<Item = &'v Value>,
) -> bool {
    let last = cut.len();
    cut.len() <= whole.len()
        && cut.zip(whole).enumerate().all(|(index, (cut, whole))| {
            cut == whole || index + 1 == last && is_rest_of(cut, whole)
        })
}

fn faults() -> impl proptest::strategy::Strategy<Value = Vec<Fault>> {
    prop::sample::subsequence(FAULTS, 0..5)
}

/// What holds for each repair of each text.
fn keeps_its_promises(
    text: &str,
    rung: &Strategy,
    allow: Level,
    repair: &Repair,
    tool: &ToolContext,
) -> Result<String, TestCaseError> {
    let at = |what: &str| format!("{what}: {} {allow:?} {text:?}", rung.id);
    let rules = rung.rules.and(RuleSet::up_to(allow));
    let mut end = 0;
    let mut output = String::new();
    let mut last = 0;
    let mut rules_of_fixes = HashMap::new();
    for (index, edit) in repair.edits.iter().enumerate() {
        let (start, stop) = (edit.span.start as usize, edit.span.end as usize);
        prop_assert!(
            start <= stop && (index == 0 || last <= start),
            "{}",
            at("sorted")
        );
        prop_assert!(
            text.is_char_boundary(start) && text.is_char_boundary(stop),
            "{}",
            at("borders")
        );
        prop_assert!(rules.has(edit.rule), "{}: {}", at("rule"), edit.rule.id());
        prop_assert!(text[start..stop] != *edit.after, "{}", at("idle edit"));
        let fix = *rules_of_fixes.entry(edit.fix).or_insert(edit.rule);
        prop_assert_eq!(fix, edit.rule, "{}", at("rules of one fix"));
        output.push_str(&text[end..start]);
        output.push_str(edit.after);
        (end, last) = (stop, stop);
    }
    output.push_str(&text[end..]);
    prop_assert_eq!(
        &output,
        &repair.edits.apply(text, |_| true),
        "{}",
        at("pieces")
    );
    prop_assert_eq!(
        repair.worst(),
        repair.edits.iter().map(|edit| edit.rule.level()).max()
    );
    match &repair.verdict {
        Verdict::Valid => {
            prop_assert_eq!(
                check(&output),
                Verdict::Valid,
                "{}: {:?}",
                at("output"),
                &output
            );
            let again = repair_within(&output, rung, allow, tool);
            if rung.reading == strategy::Reading::Structure {
                prop_assert!(
                    again.edits.is_empty() && again.is_valid(),
                    "{}: {:?}",
                    at("again"),
                    &output
                );
            }
        }
        Verdict::Refused(refusal) => {
            let (start, stop) = (refusal.found.start as usize, refusal.found.end as usize);
            prop_assert!(refusal.at as usize <= text.len(), "{}", at("place"));
            prop_assert!(
                text.get(start..stop).is_some() && text.is_char_boundary(refusal.at as usize),
                "{}",
                at("found")
            );
            prop_assert!(!refusal.message(text).is_empty());
        }
    }
    let map = PositionMap::new(&repair.edits, |_| true);
    prop_assert_eq!(map.output_len() as usize, output.len());
    for piece in repair.edits.pieces(text, |_| true) {
        if let Piece::Kept(span, _) = piece {
            for byte in [span.start, span.end - 1] {
                let there = map.to_output(byte, Bias::After);
                prop_assert_eq!(map.to_source(there, Bias::After), byte, "{}", at("map"));
            }
        }
    }
    Ok(output)
}

/// All rungs, all levels, all tools.
fn holds_everywhere(text: &str) -> Result<(), TestCaseError> {
    let valid = check(text) == Verdict::Valid;
    if text.matches(['{', '[']).count() < 100 && !text.contains("\\u") {
        let theirs: Result<serde::de::IgnoredAny, _> = serde_json::from_str(text);
        let big = text.contains(['e', 'E']);
        prop_assert!(theirs.is_ok() == valid || big, "{text:?}: {theirs:?}");
    }
    for tool in &tools() {
        for allow in Level::ALL {
            let mut best = None;
            for (rung, repair) in climb(text, allow, tool) {
                keeps_its_promises(text, rung, allow, &repair, tool)?;
                if valid && tool.schema.is_none() && rung.number != 6 {
                    prop_assert!(repair.edits.is_empty(), "valid touched: {text:?}");
                }
                let rank = (repair.worst(), repair.problems.len(), rung.number);
                if repair.is_valid() && best.is_none_or(|best| rank < best) {
                    best = Some(rank);
                }
            }
            if valid {
                continue;
            }
            let (rung, repair) = auto(text, allow, tool);
            match best {
                Some(best) => {
                    let rank = (repair.worst(), repair.problems.len(), rung.number);
                    prop_assert_eq!(rank, best, "{:?} {:?}", allow, text);
                }
                None => {
                    prop_assert!(!repair.is_valid() && rung.number as usize == 8 + allow as usize)
                }
            }
        }
    }
    Ok(())
}

/// Deletes, doubles, swaps and inserts pieces of a text.
fn mutated(text: &str, seed: u64) -> String {
    const PIECES: &[&str] = &[
        "\"", "'", "{", "}", "[", "]", ",", ":", "\\", "\n", "/", "#", "`", "```", "“", "”", "(",
        ")", "+", "u'", "NaN", "0x", "...", "<", ">", "<think>", "&quot;", "\\\"", "，", "\u{0}",
        "\u{feff}", "//", "/*", "1 234", "{}", " x", "}\n{",
    ];
    let mut dice = Dice::new(seed);
    let mut characters: Vec<String> = text.chars().map(String::from).collect();
    for _ in 0..=dice.roll(4) {
        let at = dice.roll(characters.len() + 1);
        match dice.roll(4) {
            0 if at < characters.len() => {
                characters.remove(at);
            }
            1 if at < characters.len() => characters.insert(at, characters[at].clone()),
            2 if at + 1 < characters.len() => characters.swap(at, at + 1),
            _ => characters.insert(at, (*dice.pick(PIECES)).to_owned()),
        }
    }
    characters.concat()
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn faults_with_one_answer_come_back(value in value(), faults in faults(), seed in any::<u64>()) {
        // Quotes round a whole object are a layer of their own.
        prop_assume!(!value.as_str().is_some_and(|text| text.trim_start().starts_with(['{', '['])));
        comes_back(&Writer::write(&value, &faults, seed), &value, Level::Safe)?;
    }

    #[test]
    fn what_stands_around_goes(value in container(), faults in faults(), seed in any::<u64>(), around in prop::sample::select(AROUND)) {
        let inner = Writer::write(&value, &faults, seed);
        prop_assume!(inner.starts_with(['{', '[']));
        comes_back(&format!("{}{inner}{}", around.0, around.1), &value, Level::Safe)?;
    }

    #[test]
    fn surplus_closers_go(value in container(), closers in "[}\\]]{1,3}") {
        comes_back(&format!("{value}{closers}"), &value, Level::Safe)?;
    }

    #[test]
    fn a_layer_too_many_comes_off(value in container(), entities in any::<bool>()) {
        let text = value.to_string();
        let layered = if entities {
            text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
        } else {
            let quoted = serde_json::to_string(&text).unwrap_or_default();
            quoted[1..quoted.len() - 1].to_owned()
        };
        comes_back(&layered, &value, Level::Safe)?;
    }

    #[test]
    fn valid_texts_stay(value in value(), pretty in any::<bool>()) {
        let text = if pretty { serde_json::to_string_pretty(&value).unwrap_or_default() } else { value.to_string() };
        for tool in &tools()[..2] {
            for allow in Level::ALL {
                let (rung, repair) = auto(&text, allow, tool);
                prop_assert!(repair.is_valid() && repair.edits.is_empty() && rung.number == 1, "{text:?}");
            }
        }
    }

    #[test]
    fn a_cut_text_keeps_what_is_complete(value in container(), faults in faults(), seed in any::<u64>(), cut in any::<prop::sample::Index>()) {
        let whole = Writer::write(&value, &faults, seed);
        prop_assume!(!whole.starts_with('('));
        let mut at = cut.index(whole.len()).max(1);
        while !whole.is_char_boundary(at) {
            at -= 1;
        }
        let text = &whole[..at];
        if let Ok((output, level)) = mend(text, Level::Guess) {
            let read: Value = serde_json::from_str(&output).unwrap_or_default();
            let guess = level == Some(Level::Guess);
            prop_assert!(guess || is_rest_of(&read, &value), "{text:?} -> {output:?}, whole {whole:?}");
            prop_assert!(Some(Level::Lossy) <= level || read == value, "{level:?} {text:?} -> {output:?}");
        }
        if faults.is_empty() && !text.trim_end().ends_with(['}', ']', '>']) {
            prop_assert!(mend(text, Level::Lossy).is_ok(), "{text:?}");
        }
    }

    #[test]
    fn different_values_side_by_side_are_refused(first in container(), second in container(), gap in prop::sample::select(&["", " ", "\n\nand ", ";"])) {
        prop_assume!(first != second && first != serde_json::json!({}));
        let mended = mend(&format!("{first}{gap}{second}"), Level::Guess);
        prop_assert!(mended.is_err(), "{first}{gap}{second} -> {mended:?}");
    }

    #[test]
    fn any_text_keeps_the_promises(value in value(), faults in faults(), seed in any::<u64>(), around in prop::sample::select(AROUND)) {
        let inner = Writer::write(&value, &faults, seed);
        holds_everywhere(&mutated(&format!("{}{inner}{}", around.0, around.1), seed.rotate_left(17)))?;
    }

    #[test]
    fn any_choice_of_fixes_is_checked_again(value in value(), faults in faults(), seed in any::<u64>()) {
        let text = mutated(&Writer::write(&value, &faults, seed), seed.rotate_left(31));
        if std::env::var("SHOW").is_ok() { eprintln!("TEXT {text:?}"); }
        for rung in &LADDER[6..] {
            let repair = Arc::new(repair_within(&text, rung, Level::Guess, &ToolContext::default()));
            let mut review = Review::new(repair, Level::Guess);
            let fixes: Vec<_> = review.fixes().iter().map(|fix| fix.id).collect();
            let mut dice = Dice::new(seed);
            for id in fixes {
                if dice.once_in(2) {
                    review.decide(id, Decision::Off);
                }
                let output = review.output(&text);
                let verified = review.verify(&output);
                prop_assert_eq!(verified.is_ok(), check(&output) == Verdict::Valid);
            }
        }
    }
}

/// No recursion on what comes in: a million levels on a stack of 512 KiB.
#[test]
fn a_million_levels_need_no_stack() {
    const LEVELS: usize = 1_000_000;
    let texts = [
        "[".repeat(LEVELS),
        "[".repeat(LEVELS) + &"]".repeat(LEVELS),
        "{\"a\":".repeat(LEVELS),
        "{\"a\":".repeat(LEVELS) + "1" + &"}".repeat(LEVELS),
        "{a:".repeat(LEVELS),
        "[{'a':".repeat(LEVELS / 2),
        "(".repeat(LEVELS),
        "［".repeat(LEVELS),
        "｛a：".repeat(LEVELS),
        "{".repeat(LEVELS),
        "]".repeat(LEVELS),
    ];
    let thread = std::thread::Builder::new().stack_size(512 * 1024);
    let run = thread.spawn(move || {
        for text in &texts {
            for tool in &tools()[..2] {
                let (_, repair) = auto(text, Level::Guess, tool);
                if repair.is_valid() {
                    assert_eq!(check(&repair.edits.apply(text, |_| true)), Verdict::Valid);
                }
            }
        }
    });
    assert!(run.is_ok_and(|thread| thread.join().is_ok()));
}

/// Texts that once broke a promise.
#[test]
fn what_was_found_once_stays_mended() {
    let found = [
        // A set whose closer was edited, and which an early close would have edited again.
        "{'a'}, \"b\": 1}",
    ];
    for text in found {
        if let Err(broken) = holds_everywhere(text) {
            panic!("{broken}");
        }
    }
}
