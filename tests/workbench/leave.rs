//! How a result leaves, and what is asked before.

use jsonmedic::app::{Effect, Options, Outcome};

use crate::bed::*;
use crate::texts::*;

fn copied(route: &str) -> Result<Outcome, &'static str> {
    Ok(Outcome::Copied {
        route: route.to_owned(),
    })
}

#[test]
fn nothing_lossy_leaves_unseen() {
    // The key that asked never confirms.
    for keys in [
        "y", "y y", "y y y", "y esc y", "y enter", "y q", "y space", "y x esc", "w w", "Y y y",
        "Y p",
    ] {
        let bed = Bed::on(LOSSY, 80, 24).press(keys);
        assert_eq!(bed.copied(), None, "{keys}");
        assert!(bed.marks().contains('?'), "{keys}");
        assert_eq!(bed.code(), None, "{keys}");
    }
    let bed = Bed::on(LOSSY, 80, 24).press("y");
    assert_eq!(
        bed.status(),
        "2 losses undecided: non-finite 4:11 NaN → null, cut-off 5:9 (no stop reason)"
    );
    assert!(
        bed.screen()
            .contains(" a accepts and copies  esc goes back   better: ask for it again")
    );
    let bed = bed.press("a");
    assert_eq!(bed.marks(), "xxxxxx");
    assert!(bed.copied().is_some_and(|text| text.ends_with("run();\"}")));
}

#[test]
fn saying_no_shows_what_waits() {
    let bed = Bed::on(LOSSY, 80, 24).press("gg y esc");
    assert_eq!(bed.rule(), "non-finite");
    assert!(bed.status().contains("nothing left"));
}

#[test]
fn copied_is_said_only_with_the_route() {
    let bed = Bed::on(SAFE, 80, 24).press("y");
    assert!(!bed.screen().contains("copied") && !bed.screen().contains("sent"));
    let length = bed.output().len();
    for (outcome, words) in [
        (
            copied("clipboard: X11"),
            format!("copied {length} B (clipboard: X11)"),
        ),
        (
            Ok(Outcome::Sent {
                route: "to the terminal (OSC 52)".into(),
            }),
            format!("sent {length} B to the terminal (OSC 52)"),
        ),
        (
            Ok(Outcome::Written {
                path: "/tmp/out.json".into(),
            }),
            format!("written {length} B to /tmp/out.json"),
        ),
        (
            Err("no display"),
            "not copied: no display; `w` writes a file".to_owned(),
        ),
    ] {
        let bed = Bed::on(SAFE, 80, 24).press("y").answer(outcome);
        assert!(bed.status().starts_with(&words), "{}", bed.status());
    }
    let bed = Bed::on(SAFE, 80, 24)
        .press("Y s")
        .answer(copied("clipboard: X11"));
    assert!(
        bed.status()
            .starts_with("copied the source, 29 B (clipboard: X11)"),
        "{}",
        bed.status()
    );
}

#[test]
fn a_message_stays_six_seconds_and_is_kept() {
    let bed = Bed::on(SAFE, 80, 24)
        .press("y")
        .answer(copied("clipboard: X11"))
        .wait(5_900);
    assert!(bed.status().starts_with("copied"));
    let bed = bed.wait(200);
    assert!(!bed.status().starts_with("copied"));
    assert!(bed.press("!").screen().contains("14:02:11  copied"));
}

#[test]
fn exit_codes() {
    for (text, keys, code) in [
        (SAFE, "q", Some(1)),
        (SAFE, "ctrl-c", Some(130)),
        (SAFE, "i ctrl-c", Some(130)),
        (SAFE, "? ctrl-c", Some(130)),
        (SAFE, "/ \"x ctrl-c", Some(130)),
        (LOSSY, "y ctrl-c", Some(130)),
        // A decision that has not left is asked about; q and y (copy elsewhere) do not answer, a and enter do.
        (SAFE, "x q", None),
        (SAFE, "x q q", None),
        (SAFE, "x q esc", None),
        (SAFE, "x q a", Some(1)),
        (SAFE, "x q y", None),
        (SAFE, "x q y esc", None),
        (SAFE, "x q enter", Some(1)),
        ("", "esc q", Some(1)),
    ] {
        assert_eq!(Bed::on(text, 80, 24).press(keys).code(), code, "{keys}");
    }
    let bed = Bed::on(SAFE, 80, 24)
        .press("y")
        .answer(copied("clipboard: X11"))
        .press("q");
    assert_eq!(bed.code(), Some(0));
    assert!(
        bed.asked
            .iter()
            .any(|effect| matches!(effect, Effect::RemoveDraft))
    );
    let bed = Bed::on(SAFE, 80, 24)
        .press("y")
        .answer(Err("no display"))
        .press("q");
    assert_eq!(bed.code(), Some(1));
}

#[test]
fn accepting_goes_to_stdout_a_file_or_the_call() {
    let options = Options {
        stdout: true,
        ..Options::default()
    };
    let bed = Bed::with(options, 80, 24)
        .open("stdin", SAFE, None)
        .press("w");
    assert!(
        matches!(bed.asked.last(), Some(Effect::Accept { text, .. }) if text.as_str() == bed.output())
    );
    assert_eq!(bed.answer(Ok(Outcome::Accepted)).code(), Some(0));

    let bed = Bed::on(SAFE, 80, 24).press("ctrl-s");
    assert!(bed.status().starts_with("write to file: out.json"));
    let bed = bed.press("ctrl-u \"x.json enter");
    assert!(
        matches!(bed.asked.last(), Some(Effect::Write { path, replace: false, .. }) if path.as_os_str() == "x.json")
    );
    let bed = bed.answer(Ok(Outcome::Exists {
        path: "x.json".into(),
    }));
    assert!(bed.status().starts_with("x.json is there"));
    assert!(bed.screen().contains(" a replaces it  esc goes back "));
    let bed = bed.press("w a");
    assert!(matches!(
        bed.asked.last(),
        Some(Effect::Write { replace: true, .. })
    ));
    let bed = bed.answer(Ok(Outcome::Written {
        path: "x.json".into(),
    }));
    assert!(bed.status().starts_with("written to x.json"));

    let options = Options {
        audit: true,
        ..Options::default()
    };
    let bed = Bed::with(options, 80, 24)
        .fail(call(5, "Edit", SAFE))
        .press("esc f enter w");
    assert!(
        bed.status().starts_with("accepted: 0f3c.jsonl:5 is done"),
        "{}",
        bed.status()
    );
    let Some(Effect::Audit { record, .. }) = bed.asked.last() else {
        panic!("no audit line")
    };
    assert_eq!(
        (
            record.left.as_str(),
            record.tool.as_deref(),
            record.edits.len()
        ),
        ("accepted", Some("Edit"), 8)
    );
    assert!(bed.press("f").line("Edit").contains('✓'));
}

#[test]
fn a_closed_cut_of_a_tool_that_acts_needs_its_own_yes() {
    let cut = "{\"command\": \"rm -rf build";
    for (tool, asks) in [
        ("Bash", true),
        ("run_command", true),
        ("Write", true),
        ("Edit", true),
        ("write_file", true),
        ("patch", true),
        ("read_file", false),
        ("Grep", false),
    ] {
        let bed = Bed::new(80, 24).open("t", cut, Some(tool)).press("a y");
        assert_eq!(
            bed.status()
                .starts_with(&format!("a cut {tool} call was closed")),
            asks,
            "{tool}: {}",
            bed.status()
        );
        assert_eq!(bed.copied().is_none(), asks, "{tool}");
        let bed = bed.press("y");
        assert_eq!(bed.copied().is_none(), asks, "{tool}");
        if asks {
            assert_eq!(
                bed.press("a").copied(),
                Some("{\"command\": \"rm -rf build\"}")
            );
        }
    }
    // Both questions, one after the other, each with its own yes.
    let bed = Bed::new(80, 24).open("t", cut, Some("Bash")).press("y a");
    assert_eq!(bed.copied(), None);
    assert!(bed.status().starts_with("a cut Bash call was closed"));
    assert_eq!(bed.press("esc").copied(), None);
}

#[test]
fn the_copy_menu_holds_the_forms_there_are() {
    for (keys, text) in [
        ("Y c", "{\"a\":1,\"b\":[true,null]}"),
        (
            "Y p",
            "{\n  \"a\": 1,\n  \"b\": [\n    true,\n    null\n  ]\n}",
        ),
        ("Y s", SAFE),
        ("Y j j j enter", SAFE),
    ] {
        assert_eq!(
            Bed::on(SAFE, 80, 24).press(keys).copied(),
            Some(text),
            "{keys}"
        );
    }
    let edits = Bed::on(SAFE, 80, 24)
        .press("Y e")
        .copied()
        .unwrap()
        .to_owned();
    let edits: serde_json::Value = serde_json::from_str(&edits).unwrap();
    assert_eq!(edits[0]["rule"], "single-quotes");
    assert_eq!(edits[0]["before"], "'");
    let diff = Bed::on(SAFE, 80, 24)
        .press("Y d")
        .copied()
        .unwrap()
        .to_owned();
    assert!(
        diff.contains("\n-{'a'") && diff.contains("\n+{\"a\""),
        "{diff}"
    );
    // Refused or not valid: the text as it is, and what explains it.
    let bed = Bed::on(REFUSED, 80, 24).press("Y");
    assert!(!bed.screen().contains("compact"));
    assert_eq!(bed.press("s").copied(), Some(REFUSED));
    let bed = Bed::on(SAFE, 80, 24).press("G x Y b");
    assert_eq!(bed.copied(), Some(r#"{"a": 1, "b": [true, null,],}"#));
}

#[test]
fn the_message_for_the_model_says_what_where_and_why() {
    let text = Bed::new(80, 24)
        .open("t", REFUSED, Some("Edit"))
        .press("m")
        .copied()
        .unwrap()
        .to_owned();
    for part in [
        "`Edit`",
        "Line 3, column 3 (byte 27)",
        "expected a value, found `...`",
        "3 |   ...",
        "  |   ^^^",
        "Send it again",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    let text = Bed::on(LOSSY, 80, 24)
        .press("m")
        .copied()
        .unwrap()
        .to_owned();
    for part in ["4:11: `NaN`", "ends too early"] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
}

#[test]
fn the_log_line_is_corrected_in_place() {
    let raw = "{'a': \"ñ\n\"}";
    let line = serde_json::json!({"type": "x", "raw": raw, "n": 1}).to_string();
    let bed = Bed::new(80, 24)
        .fail(call(5, "Edit", raw))
        .press("esc f enter Y l");
    let Some(Effect::ReadLine { offset: 500, .. }) = bed.asked.last() else {
        panic!("no line was asked for")
    };
    let bed = bed.answer(Ok(Outcome::Line(line)));
    let line: serde_json::Value = serde_json::from_str(bed.copied().unwrap()).unwrap();
    assert_eq!(line["raw"], "{\"a\": \"ñ\\n\"}");
    assert_eq!(line["n"], 1);
}

#[test]
fn drafts_are_kept_until_a_clean_quit_and_offered_later() {
    let bed = Bed::on(GUESS, 80, 24).press("x").wait(2_000);
    let Some(Effect::SaveDraft(draft)) = bed.asked.last() else {
        panic!("no draft")
    };
    let draft = draft.clone();
    assert_eq!(draft.source.as_str(), GUESS);
    assert_eq!(draft.decisions.len(), 1);
    let bed = bed.press("gg x ctrl-c");
    assert!(matches!(
        bed.asked.iter().rev().nth(1),
        Some(Effect::SaveDraft(_))
    ));
    assert!(
        !bed.asked
            .iter()
            .any(|effect| matches!(effect, Effect::RemoveDraft))
    );

    let mut bed = Bed::new(80, 24);
    bed.send(jsonmedic::app::Event::Draft(draft));
    assert!(
        bed.status()
            .starts_with("an unfinished text is there (pasted text, 118 B)")
    );
    let bed = bed.press("a");
    assert_eq!(bed.marks(), "xx--xx");
}

#[test]
fn the_question_names_what_is_lost_why_the_reply_ended_and_what_its_provider_advises() {
    for (stop, ended, advice) in [
        (
            Some("max_tokens"),
            "(stop max_tokens)",
            "raise `max_tokens`",
        ),
        (Some("length"), "(stop length)", "raise `max_output_tokens`"),
        (
            Some("MAX_TOKENS"),
            "(stop MAX_TOKENS)",
            "raise `maxOutputTokens`",
        ),
        (None, "(no stop reason)", "ask for it again"),
    ] {
        let mut one = call(1, "write_file", "{'path': 'a', 'content': 'x");
        one.stop_reason = stop.map(str::to_owned);
        let bed = Bed::new(120, 40).fail(one).press("esc f enter");
        assert!(bed.screen().contains(&format!("Better: {advice}")));
        if let Some(stop) = stop {
            assert!(bed.screen().contains(&format!("ended with `{stop}`")));
        }
        let bed = bed.press("y");
        assert_eq!(
            bed.status(),
            format!("1 loss undecided: cut-off 1:28 {ended}")
        );
        assert!(bed.line("accepts and copies").contains(advice));
        // A call that acts needs its own yes, with the same words.
        let bed = bed.press("a");
        assert!(bed.status().starts_with("a cut write_file call was closed"));
        assert!(bed.line("accepts and copies").contains(advice));
        assert_eq!(bed.copied(), None);
        assert!(bed.press("a").copied().is_some());
    }
    // Many losses of a kind are one entry; without a cut nothing is advised.
    let bed = Bed::on("[NaN, NaN, 1, NaN]", 120, 40).press("y");
    assert_eq!(bed.status(), "3 losses undecided: non-finite x3");
    assert!(!bed.screen().contains("better:"));
}
