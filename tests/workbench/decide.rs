//! Deciding about edits: keys in, marks and output out.

use jsonmedic::app::Options;
use jsonmedic::repair::Level;
use jsonmedic::transcript::Badge;

use crate::bed::*;
use crate::texts::*;

#[test]
fn rows() {
    for (text, keys, marks, rule) in [
        // Safe is on, lossy undecided, guess off; the cursor is on the first undecided.
        (GUESS, "", "xx-?xx", "non-finite"),
        (GUESS, "a", "xx-xxx", "raw-control"),
        (GUESS, "x", "xx--xx", "raw-control"),
        (GUESS, "space", "xx-xxx", "non-finite"),
        (GUESS, "space space", "xx--xx", "non-finite"),
        (GUESS, "space space space", "xx-xxx", "non-finite"),
        (GUESS, "gg x", "-x-?xx", "non-finite"),
        (GUESS, "G x", "xx-?x-", "non-finite"),
        (GUESS, "gg ]", "xx-?xx", "bare-key"),
        (GUESS, "gg ] ] [", "xx-?xx", "bare-key"),
        (GUESS, "gg }", "xx-?xx", "non-finite"),
        (GUESS, "G {", "xx-?xx", "non-finite"),
        (GUESS, "gg X", "-x-?xx", "single-quotes"),
        (GUESS, "gg X A", "xx-?xx", "single-quotes"),
        (GUESS, "x gg x R", "xx-?xx", "bare-key"),
        // A guess is off until guesses are allowed; M asks, and M again does not answer.
        (GUESS, "[ a", "xx-?xx", "number-radix"),
        (GUESS, "M", "xx-?xx", "non-finite"),
        (GUESS, "M M", "xx-?xx", "non-finite"),
        (GUESS, "M esc", "xx-?xx", "non-finite"),
        (GUESS, "M a", "xxx?xx", "non-finite"),
        (GUESS, "M a [ x", "xx-?xx", "non-finite"),
        (GUESS, "M a u", "xx-?xx", "non-finite"),
        (GUESS, "M a u ctrl-r", "xxx?xx", "non-finite"),
        // Undo and redo.
        (GUESS, "x u", "xx-?xx", "raw-control"),
        (GUESS, "x u ctrl-r", "xx--xx", "raw-control"),
        (GUESS, "x u u u", "xx-?xx", "raw-control"),
        // Two losses: a decision goes on to the next undecided one.
        (LOSSY, "", "xxx?x?", "non-finite"),
        (LOSSY, "a", "xxxxx?", "cut-off"),
        (LOSSY, "a x", "xxxxx-", "cut-off"),
        (LOSSY, "} a", "xxx?xx", "non-finite"),
        (LOSSY, "} }", "xxx?x?", "non-finite"),
        // Folded rows can be opened, and one of them rejected.
        (SAFE, "gg", "xxx", "single-quotes"),
        (SAFE, "gg right", "xxxx", "single-quotes"),
        (SAFE, "gg right x", "-xxx", "single-quotes"),
        (SAFE, "gg l x h", "-xxx", "single-quotes"),
        (SAFE, "gg right left", "xxx", "single-quotes"),
    ] {
        let bed = Bed::on(text, 80, 24).press(keys);
        assert_eq!(
            (bed.marks().as_str(), bed.rule()),
            (marks, rule),
            "{keys}\n{}",
            bed.screen()
        );
    }
}

#[test]
fn the_output_follows_the_decisions_and_is_checked_at_once() {
    let bed = Bed::on(SAFE, 80, 24);
    assert_eq!(bed.output(), r#"{"a": 1, "b": [true, null]}"#);
    assert!(bed.line("2 Output").contains("valid JSON"));
    let bed = bed.press("G x");
    assert_eq!(bed.rule(), "trailing-comma");
    assert_eq!(bed.output(), r#"{"a": 1, "b": [true, null,],}"#);
    assert!(
        bed.line("2 Output")
            .contains("not valid: trailing-comma off")
    );
    assert!(
        bed.status()
            .starts_with("not valid JSON while trailing-comma is off"),
        "{}",
        bed.status()
    );
    let bed = bed.press("y");
    assert!(
        bed.status()
            .starts_with("not valid: trailing-comma off, at 1:26"),
        "{}",
        bed.status()
    );
    assert_eq!(bed.copied(), None);
    let bed = bed.press("w");
    assert!(bed.app.prompt.is_none());
    let bed = bed.press("a y");
    assert_eq!(bed.copied(), Some(r#"{"a": 1, "b": [true, null]}"#));
}

#[test]
fn an_edit_inside_a_rejected_one_says_what_it_needs() {
    let bed = Bed::on("{'a': 'x\ny'}", 80, 24).press("gg space");
    assert!(
        bed.line("raw-control").contains("needs #1"),
        "{}",
        bed.screen()
    );
    let bed = bed.press("space");
    assert!(!bed.screen().contains("needs #"));
}

#[test]
fn what_was_allowed_beforehand_is_on() {
    for (allow, marks) in [
        (Level::Safe, None),
        (Level::Lossy, Some("xxxxxx")),
        (Level::Guess, Some("xxxxxx")),
    ] {
        let options = Options {
            allow: Some(allow),
            ..Options::default()
        };
        let bed = Bed::with(options, 80, 24).open("t", LOSSY, None);
        match marks {
            Some(marks) => assert_eq!(bed.marks(), marks),
            // Rules above the level are off: the rung stops at the first of them.
            None => assert!(bed.line("2 Output").contains("REFUSED")),
        }
    }
    // Guesses can still be allowed for one text; then the rungs are read again.
    let options = Options {
        allow: Some(Level::Safe),
        ..Options::default()
    };
    let bed = Bed::with(options, 80, 24).open("t", "[012]", None);
    assert!(
        bed.screen().contains("M  allow guesses"),
        "{}",
        bed.screen()
    );
    let bed = bed.press("M a");
    assert_eq!(bed.output(), "[12]");
}

#[test]
fn nothing_about_a_clipped_text_is_safe() {
    let mut one = call(7, "Edit", "{'a': 1, 'b': 2,}");
    one.badges = vec![Badge::LogClipped];
    let bed = Bed::new(80, 24).fail(one).press("esc f enter");
    assert_eq!(bed.marks(), "??");
    assert!(bed.line("single-quotes").contains("LOSSY"));
    assert!(bed.line("3 Edits").contains("3 lossy (3 undecided)"));
    let bed = bed.press("y");
    assert!(bed.status().starts_with("3 losses undecided: "));
    assert_eq!(bed.copied(), None);
    assert_eq!(bed.press("a").copied(), Some("{\"a\": 1, \"b\": 2}"));
}

#[test]
fn edits_sort_and_white_space_hides() {
    let bed = Bed::on(GUESS, 80, 24).press("S");
    assert_eq!(bed.marks(), "-?xxxx");
    let bed = bed.press("S");
    assert_eq!(bed.marks(), "x?-xxx");
    let bed = Bed::on("\u{a0}{'a': 1}", 80, 24);
    let rows = bed.app.bench.rows.list().len();
    let bed = bed.press("b");
    assert_eq!(
        bed.app.bench.rows.list().len(),
        rows - 1,
        "{}",
        bed.screen()
    );
    assert_eq!(bed.output(), " {\"a\": 1}", "hidden edits stay in force");
    assert_eq!(bed.press("b").app.bench.rows.list().len(), rows);
}

#[test]
fn typographic_signs_in_strings_are_replaced_only_where_the_user_says_so() {
    let code = "{'path': 'a.rs', 'content': 'say “hi”'}";
    let prose = "{'path': 'a.md', 'content': 'say “hi”'}";
    for (text, keys, output, rules) in [
        (
            code,
            "",
            r#"{"path": "a.rs", "content": "say “hi”"}"#,
            "single-quotes",
        ),
        (
            code,
            "T",
            r#"{"path": "a.rs", "content": "say \"hi\""}"#,
            "single-quotes typographic-text",
        ),
        (
            code,
            "T T",
            r#"{"path": "a.rs", "content": "say “hi”"}"#,
            "single-quotes",
        ),
        (
            code,
            "T u",
            r#"{"path": "a.rs", "content": "say “hi”"}"#,
            "single-quotes",
        ),
        (
            code,
            "T u ctrl-r",
            r#"{"path": "a.rs", "content": "say \"hi\""}"#,
            "single-quotes typographic-text",
        ),
        // It is an edit like any other: listed, and rejected on its own.
        (
            code,
            "T G x",
            r#"{"path": "a.rs", "content": "say “hi”"}"#,
            "single-quotes typographic-text",
        ),
        // No file of program code: what the writer meant.
        (
            prose,
            "T",
            r#"{"path": "a.md", "content": "say “hi”"}"#,
            "single-quotes",
        ),
        // Valid JSON is edited where the user switches a rule on by hand.
        (
            r#"{"cmd":"echo ‘a’"}"#,
            "T",
            r#"{"cmd":"echo 'a'"}"#,
            "typographic-text",
        ),
    ] {
        let bed = Bed::on(text, 120, 40).press(keys);
        let rows = bed.app.bench.rows.list().iter();
        let named: Vec<&str> = rows.map(|row| row.rule.id()).collect();
        assert_eq!(
            (bed.output(), named.join(" ").as_str()),
            (output, rules),
            "{text} {keys}\n{}",
            bed.screen()
        );
    }
    let bed = Bed::on(code, 120, 40).press("T G");
    assert!(bed.screen().contains("[x] guess  typographic-text"));
    assert!(bed.screen().contains("typographic-text · guess · on"));
    // By the palette too, and what cannot be done is said.
    let bed = Bed::on(prose, 80, 24).press(": \"typographic.toggle enter");
    let told = "no typographic sign in a string of program code: nothing to replace";
    assert!(bed.status().starts_with(told), "{}", bed.status());
}

#[test]
fn typographic_signs_are_pointed_out_in_tool_arguments_alone() {
    let text = r#"{"cmd":"echo ‘a’"}"#;
    let offer = "typographic signs inside strings are kept: T replaces them";
    for (tool, offered) in [(None, false), (Some("bash"), true)] {
        let bed = Bed::new(120, 40).open("pasted text", text, tool);
        assert_eq!(bed.status().contains(offer), offered, "{tool:?}");
        let bed = bed.press("T");
        assert!(!bed.screen().contains("are kept"));
    }
}
