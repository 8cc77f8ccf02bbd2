//! Where people who saw the program for the first time lost something or were told something wrong.

use std::sync::Arc;

use jsonmedic::app::{Draft, Effect, Event};

use crate::bed::{AFTERNOON, Bed};
use crate::texts::GUESS;

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
        ("a", None, None),
        ("d", Some(Effect::DropOffered), None),
        ("esc", Some(Effect::LeaveOffered), None),
        ("q", Some(Effect::LeaveOffered), Some(1)),
    ] {
        let bed = offered().press(key);
        let told = bed
            .asked
            .iter()
            .find(|effect| matches!(effect, Effect::DropOffered | Effect::LeaveOffered));
        assert_eq!(
            format!("{told:?}"),
            format!("{:?}", answer.as_ref()),
            "{key}"
        );
        assert_eq!(bed.code(), code, "{key}");
        assert_eq!(bed.output().contains("kept"), key == "a", "{key}");
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
