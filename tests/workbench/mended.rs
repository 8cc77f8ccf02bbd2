//! Where people who saw the program for the first time lost something or were told something wrong.

use std::sync::Arc;

use jsonmedic::app::{Draft, Effect, Event};

use crate::bed::{AFTERNOON, Bed};
use crate::texts::{GUESS, SAFE};

#[test]
fn one_undo_brings_back_what_bursts_of_keys_replaced() {
    let mut bed = Bed::on(GUESS, 80, 24).press("x < M a");
    let (marks, output) = (bed.marks(), bed.output().to_owned());
    let rung = bed.app.bench.ladder.at;
    bed.send(Event::Burst("jjaaxxjj".into()));
    bed.send(Event::Burst("kkaaxxkk".into()));
    assert_eq!(bed.app.bench.doc.source.as_str(), "jjaaxxjjkkaaxxkk");
    assert!(bed.status().contains("`u` brings the text before back"));
    let bed = bed.press("u");
    assert_eq!(bed.app.bench.doc.source.as_str(), GUESS);
    assert_eq!((bed.marks(), bed.output()), (marks, output.as_str()));
    assert_eq!(
        (bed.app.bench.ladder.at, bed.app.bench.guesses),
        (rung, true)
    );
    // A later one is another paste.
    let mut bed = bed.press("ctrl-r").wait(2_000);
    bed.send(Event::Burst("{'a': 12}".into()));
    assert_eq!(
        bed.press("u").app.bench.doc.source.as_str(),
        "jjaaxxjjkkaaxxkk"
    );
}

#[test]
fn an_offered_draft_is_taken_kept_or_deleted() {
    let offered = || {
        let mut bed = Bed::on("{'a': 1,}", 80, 24);
        bed.send(Event::Draft(Draft {
            name: String::new(),
            source: Arc::new("{'kept': 1,}".into()),
            saved: Some(AFTERNOON - 200),
            ..Draft::default()
        }));
        bed
    };
    let bed = offered();
    assert_eq!(
        bed.status(),
        "an unfinished text is there (typed text, 12 B, 3 min old): take it?"
    );
    let keys = " a takes it  d deletes it  esc keeps it for later  q quits  ";
    assert!(bed.line("takes it").starts_with(keys));
    for (key, answer, code) in [
        ("a", Some(Effect::TakeOffered), None),
        ("d", Some(Effect::DropOffered), None),
        ("esc", Some(Effect::LeaveOffered), None),
        ("q", Some(Effect::LeaveOffered), Some(1)),
    ] {
        let bed = offered().press(key);
        let told = bed.asked.iter().find(|effect| {
            matches!(
                effect,
                Effect::DropOffered | Effect::LeaveOffered | Effect::TakeOffered
            )
        });
        assert_eq!(
            format!("{told:?}"),
            format!("{:?}", answer.as_ref()),
            "{key}"
        );
        assert_eq!(bed.code(), code, "{key}");
        assert_eq!(bed.output().contains("kept"), key == "a", "{key}");
        // What is taken is kept at once, in a draft of this run.
        let keeps = bed.asked.iter().any(
            |effect| matches!(effect, Effect::SaveDraft(draft) if draft.source.contains("kept")),
        );
        assert_eq!(keeps, key == "a", "{key}");
        assert!(bed.app.ask.is_none(), "{key}");
    }
}

#[test]
fn the_strip_cuts_no_number_into_another() {
    // One line: the rungs without the needed rule stop far behind its start, and `auto` makes many edits.
    let mut long = format!("[{}\"a\": ", "1,".repeat(60_000));
    long.truncate(120_001);
    long.push_str("'b']");
    let many = format!("[{}1]", "'a',".repeat(12_345));
    for (text, width, parts) in [
        (long.as_str(), 120, &["✗ 1:120…", "10 guess"][..]),
        (many.as_str(), 120, &["+12k"]),
        (many.as_str(), 160, &["10 guess", "+12k"]),
        (long.as_str(), 160, &["10 guess", "✗ 1:1…"]),
    ] {
        let bed = Bed::on(text, width, 40);
        let screen = bed.screen();
        let rows: Vec<&str> = screen.lines().take(3).collect();
        let strip = rows.join("\n");
        for part in parts {
            assert!(strip.contains(part), "{part}:\n{strip}");
        }
        assert!(
            !strip.contains("✗ 1:1200") && !strip.contains("+123"),
            "{strip}"
        );
    }
}

#[test]
fn a_message_goes_with_the_next_command() {
    let bed = Bed::on(GUESS, 80, 24).press("> > >");
    assert!(bed.status().starts_with("this is the last rung"));
    assert!(!bed.press("<").status().contains("this is the last rung"));
    let bed = Bed::on(SAFE, 80, 24).press("b");
    assert!(
        bed.status()
            .starts_with("no edit is of white space only: none is hidden")
    );
}

#[test]
fn the_message_for_the_model_says_why_and_holds_no_control_characters() {
    let bed = Bed::new(80, 24)
        .open(
            "x",
            "{'a': 1, 'b': 012,}",
            Some("Wr\u{1b}[31mite\u{202e}\u{7}"),
        )
        .press("m");
    let text = bed.copied().unwrap_or_default().to_owned();
    assert!(!text.contains(['\u{1b}', '\u{202e}', '\u{7}']), "{text:?}");
    for part in [
        "` are not valid JSON (RFC 8259)",
        "- 1:2: `'a'` became `\"a\"`: ",
        ", 2 times. ",
        "- 1:15: `012` became `12`: ",
        ", a guess. ",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let bed = Bed::on("{'a': 1}", 80, 24).press("m");
    let text = bed.copied().unwrap_or_default();
    assert!(
        text.starts_with("The JSON in your last reply is not valid JSON"),
        "{text}"
    );
    let bed = Bed::on("{}", 80, 24).press("m");
    assert_eq!(bed.copied(), None);
    assert!(bed.status().starts_with("valid JSON as it is"));
}

#[test]
fn prompts_say_what_ends_them_and_filters_name_what_they_do_not_know() {
    let bed = Bed::on("{'a': 1}", 80, 24).press("w");
    assert!(
        bed.screen()
            .contains(" enter writes it  tab completes  esc goes back ")
    );
    let bed = Bed::new(80, 24).press("esc f /");
    assert!(
        bed.screen()
            .contains(" enter keeps the filter  esc lists all ")
    );
    let bed = bed.press("\"bogus:xx");
    let told = "no field `bogus`; there are tool format file rule kind level since";
    assert!(bed.screen().contains(told));
    assert_eq!(bed.press("enter").status(), told);
}

#[test]
fn a_message_that_is_cut_names_the_list_that_holds_it() {
    let mut bed = Bed::on("{'a': 1}", 80, 24);
    bed.send(Event::Say("long ".repeat(30)));
    assert!(bed.status().ends_with("… !"), "{}", bed.status());
    assert_eq!(bed.status().chars().count(), 78);
}

#[test]
fn nothing_is_asked_where_nothing_would_be_lost() {
    assert_eq!(Bed::on(SAFE, 80, 24).press("x R q").code(), Some(1));
    assert_eq!(Bed::on(SAFE, 80, 24).press("x u q").code(), Some(1));
    let bed = Bed::on(SAFE, 80, 24).press("x q");
    assert_eq!(bed.code(), None);
    assert_eq!(
        bed.status(),
        "there are decisions that were not copied or written"
    );
    let bed = Bed::on(SAFE, 80, 24).press("i \"[ esc q");
    assert_eq!(bed.code(), None, "the text was changed");
}

#[test]
fn titles_and_small_screens_tell_the_truth() {
    let bed = Bed::new(80, 24).press("\"{'a'");
    assert!(bed.line("BENCH").contains("typed text"));
    let bed = Bed::on(SAFE, 20, 8);
    assert!(bed.screen().contains("needs 40x10, has") && bed.screen().contains("q quits"));
}
