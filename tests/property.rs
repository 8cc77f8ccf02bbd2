//! What holds for every text: random values with known faults come back, and any text at all keeps the promises of an
//! edit list. `PROPTEST_CASES` raises the number of cases; the cases are the same on every run unless
//! `PROPTEST_RNG_SEED` names another seed.

mod texts;

use jsonmedic::repair::{Level, ToolContext, Verdict, auto, check};
use proptest::prelude::*;
use serde_json::Value;
use texts::{AROUND, Dice, FAULTS, Fault, Writer, container, promises, value};

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
        for tool in &promises::tools()[..2] {
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
        let text = mutated(&format!("{}{inner}{}", around.0, around.1), seed.rotate_left(17));
        promises::validity(&text);
        for tool in &promises::tools() {
            promises::every_rung(&text, tool);
        }
    }

    #[test]
    fn any_choice_of_fixes_is_checked_again(value in value(), faults in faults(), seed in any::<u64>()) {
        let text = mutated(&Writer::write(&value, &faults, seed), seed.rotate_left(31));
        let mut dice = Dice::new(seed);
        promises::every_choice(&text, || dice.once_in(2));
    }
}

/// Texts that broke a promise once: fuzzing found them.
#[test]
fn texts_that_broke_a_promise() {
    const TEXTS: &[&str] = &[
        "r'{\\\\",
        "SONp56arse('{}1J')",
        "{''},s:}",
        "{\"r\": [], [\"c\"]]}\0&amp;\0",
        "{\"r\": [ /* [ */ ], [\"c\"]]}",
        // A set whose closer was edited, and which an early close would have edited again.
        "{'a'}, \"b\": 1}",
        // What looks like a closing tag, in a comment that begins before it.
        "#:a`[88<|\u{c}\u{c}```json\nmnd|>",
        "// a\n{\"a\": 1}<|x|>",
        "# <|x|>",
        // Noise between a quote and the document in it.
        "'\u{b}{\"a\":\0\0{\"a\": -",
        "'\u{b}{\"a\": 1}\u{b}'",
        // A literal that its schema wants as a text.
        "a==：=n{'a': True}...0t",
        // Escaped whitespace inside what another rule removes.
        "[1]\\t,",
        "{\\\"a\\\": [1\\t,]\\t}",
        "[&quot;a&quot;&nbsp;,]",
        "`hjson\n{\"son\n{'!{0:n${null,a2}\n}\u{2}+`/*,:2}\n}\u{2}a",
    ];
    for text in TEXTS {
        for tool in &promises::tools() {
            promises::every_rung(text, tool);
        }
        promises::every_choice(text, || true);
        promises::every_choice(text, || false);
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
            for tool in &promises::tools()[..2] {
                let (_, repair) = auto(text, Level::Guess, tool);
                if repair.is_valid() {
                    assert_eq!(check(&repair.edits.apply(text, |_| true)), Verdict::Valid);
                }
            }
        }
    });
    assert!(run.is_ok_and(|thread| thread.join().is_ok()));
}

/// Nor does what repeats without brackets: one line, one word, one quote after the other.
#[test]
fn repeated_pieces_need_no_stack() {
    const PIECES: &[&str] = &[
        "#fff\n",
        "\",\" \"",
        "x = \"y\"\n",
        "a,",
        "a ",
        "a: b, ",
        "'a' ",
        "\"a\" ",
        "\"a",
        "\\\"",
        "// a\n",
        "# {",
        "{}",
        "1 ",
        "(1)",
        "a + ",
        "x(",
        "```\n",
        "<a>",
        "&quot;",
        "\"\"\"",
        "],[",
        "\u{200b}",
    ];
    let run = std::thread::Builder::new()
        .stack_size(512 * 1024)
        .spawn(|| {
            for before in ["", "{\"a\": ", "[1, ", "{\"a\": \"b "] {
                for piece in PIECES {
                    let text = before.to_owned() + &piece.repeat(10_000 / piece.len());
                    let (_, repair) = auto(&text, Level::Guess, &ToolContext::default());
                    let output = repair.edits.apply(&text, |_| true);
                    assert_eq!(
                        repair.is_valid(),
                        check(&output) == Verdict::Valid,
                        "{before}{piece}"
                    );
                }
            }
        });
    assert!(run.is_ok_and(|thread| thread.join().is_ok()));
}
