//! The Feed: order, following, filters, states.

use jsonmedic::app::{Event, Options, Screen};
use jsonmedic::transcript::{FeedEvent, How, Kind, Retry};

use crate::bed::*;
use crate::texts::*;

fn watching() -> Bed {
    let options = Options {
        feed: true,
        roots: vec!["~/logs".into()],
        ..Options::default()
    };
    let mut bed = Bed::with(options, 80, 24);
    bed.send(Event::Feed(FeedEvent::Ready {
        files: 2,
        how: How::Events,
    }));
    bed
}

fn at(number: u64, tool: &str, raw: &str, minute: u32) -> jsonmedic::transcript::FailedCall {
    let mut one = call(number, tool, raw);
    one.time = Some(format!("2026-11-03T14:{minute:02}:00Z"));
    one
}

#[test]
fn the_newest_is_on_top_and_followed_only_from_there() {
    let bed = watching()
        .fail(at(1, "one", SAFE, 1))
        .fail(at(2, "two", SAFE, 2));
    assert_eq!(
        bed.app.feed.chosen().map(|entry| entry.call.number),
        Some(2)
    );
    let bed = bed.press("j").fail(at(3, "three", SAFE, 3));
    assert_eq!(
        bed.app.feed.chosen().map(|entry| entry.call.number),
        Some(1),
        "the choice stays on its call"
    );
    assert!(bed.status().starts_with("+ "), "{}", bed.status());
    assert!(bed.status().contains("new: three (claude-code)"));
    assert!(bed.line("Failed calls").contains("follow off"));
    let bed = bed.press("gg");
    assert_eq!(
        bed.app.feed.chosen().map(|entry| entry.call.number),
        Some(3)
    );
    assert!(bed.line("Failed calls").contains("follow on"));
    // On the Bench a new call shows in the title.
    let bed = bed.press("enter").fail(at(4, "four", SAFE, 4));
    assert!(
        bed.line("BENCH").contains("feed 3 new +1"),
        "{}",
        bed.line("BENCH")
    );
}

#[test]
fn filters_by_field_and_by_fuzzy_words() {
    let mut other = at(3, "Grep", REFUSED, 3);
    other.format = "codex";
    other.complaint = Some("could not be parsed".into());
    let mut schema = at(4, "Edit", "{}", 4);
    schema.kind = Kind::Schema;
    let bed = watching()
        .fail(at(1, "write_file", LOSSY, 1))
        .fail(at(2, "Edit", SAFE, 2))
        .fail(other)
        .fail(schema);
    for (filter, count) in [
        ("tool:write", 1),
        ("tool:edit", 1),
        ("format:codex", 1),
        ("file:0f3c", 3),
        ("rule:ellipsis", 1),
        ("level:lossy", 1),
        ("level:refused", 1),
        ("kind:schema", 1),
        ("kind:all", 4),
        ("since:1h", 3),
        ("since:1m", 2),
        ("parsed", 1),
        ("wrtfl", 1),
        ("tool:write format:codex", 0),
        ("nothing-like-this", 0),
    ] {
        let bed = again(&bed);
        let bed = bed.press("/").paste(filter).press("enter");
        assert_eq!(
            bed.app.feed.listed.len(),
            count,
            "{filter}\n{}",
            bed.screen()
        );
    }
}

/// The same calls in a fresh workbench: an `App` cannot be cloned.
fn again(bed: &Bed) -> Bed {
    let calls = bed.app.feed.calls.iter().map(|entry| (*entry.call).clone());
    calls.fold(watching(), Bed::fail)
}

#[test]
fn calls_are_dismissed_shown_and_brought_back() {
    let bed = watching()
        .fail(at(1, "one", SAFE, 1))
        .fail(at(2, "two", SAFE, 2))
        .press("d");
    assert!(!bed.screen().contains(" two "));
    assert!(bed.status().contains("1 dismissed"));
    let bed = bed.press("D");
    assert!(bed.line(" two ").contains('–'));
    let bed = bed.press("gg d D");
    assert!(bed.line(" two ").contains('●'));
}

#[test]
fn states_and_how_a_result_left() {
    let bed = watching().fail(at(1, "one", SAFE, 1)).press("enter");
    assert_eq!(bed.app.screen, Screen::Bench);
    let bed = bed.press("f");
    assert!(bed.line(" one ").contains('○'));
    let bed = bed.press("f y").answer(Ok(jsonmedic::app::Outcome::Sent {
        route: "to the terminal (OSC 52)".into(),
    }));
    let line = bed.press("f").line(" one ");
    assert!(line.contains('✓') && line.contains("sent"), "{line}");
}

#[test]
fn calls_are_walked_from_the_bench_and_keep_their_decisions() {
    let bed = watching()
        .fail(at(1, "one", GUESS, 1))
        .fail(at(2, "two", LOSSY, 2))
        .press("enter x");
    assert_eq!(bed.marks(), "xxx-x?");
    let bed = bed.press(".");
    assert_eq!(bed.marks(), "xx-?xx");
    let bed = bed.press(".");
    assert!(bed.status().contains("oldest failed call"));
    let bed = bed.press(",");
    assert_eq!(bed.marks(), "xxx-x?");
    assert!(bed.press(",").status().contains("newest failed call"));
}

#[test]
fn notes_retries_and_answers_reach_the_screen() {
    let mut bed = watching().fail(at(1, "one", "{'a': 1}", 1));
    bed.send(Event::Feed(FeedEvent::Note(
        "0f3c.jsonl was rotated; following the new file".into(),
    )));
    assert!(bed.status().starts_with("0f3c.jsonl was rotated"));
    bed.send(Event::Feed(FeedEvent::Explained {
        number: 1,
        complaint: "bad JSON".into(),
    }));
    bed.send(Event::Feed(FeedEvent::Retried {
        number: 1,
        retry: Retry {
            call_id: None,
            line: Some(9),
            equal: true,
            raw: "{\"a\":1}".into(),
        },
    }));
    assert!(bed.screen().contains("complaint: bad JSON"));
    assert!(
        bed.screen()
            .contains("retry (line 9): the same value as the repair")
    );
    // Where there is room it has a column of its own.
    let bed = bed.resize(120, 40);
    assert!(bed.line(" one ").contains("retry same"));
    let bed = bed.press("enter");
    assert!(
        bed.screen().contains("same as the agent's own retry"),
        "{}",
        bed.screen()
    );
}

#[test]
fn the_title_counts_the_files_that_are_followed_now() {
    let mut bed = watching();
    assert!(bed.line("FEED").contains("2 files"));
    bed.send(Event::Feed(FeedEvent::Counts(
        jsonmedic::transcript::Counts {
            files: 3,
            ..Default::default()
        },
    )));
    assert!(bed.line("FEED").contains("3 files"));
}

#[test]
fn a_call_without_text_says_so() {
    let mut lost = at(1, "one", "", 1);
    lost.raw = None;
    lost.repair = None;
    let bed = watching().fail(lost).press("enter");
    assert_eq!(bed.app.screen, Screen::Feed);
    assert!(bed.status().contains("the log lost the text"));
    assert!(bed.line(" one ").contains("no text"));
}

#[test]
fn many_calls_of_the_first_reading_are_listed_together() {
    let options = Options {
        feed: true,
        roots: vec!["~/logs".into()],
        ..Options::default()
    };
    let mut bed = Bed::with(options, 80, 24);
    for number in 1..=2_100 {
        bed = bed.fail(at(number, "one", "[1,]", (number % 60) as u32));
    }
    assert_eq!(bed.app.feed.listed.len(), 2_001);
    bed.send(Event::Feed(FeedEvent::Ready {
        files: 2,
        how: How::Events,
    }));
    assert_eq!(bed.app.feed.listed.len(), 2_100);
    assert!(bed.app.feed.listed.is_sorted_by(|one, two| {
        let unix = |index: &usize| bed.app.feed.calls[*index].unix;
        unix(two) <= unix(one)
    }));
}

#[test]
fn the_choice_stays_in_sight_while_calls_come_in_above_it() {
    let mut bed = watching();
    for number in 1..=10 {
        bed = bed.fail(at(number, "old", SAFE, number as u32));
    }
    bed = bed.press("G");
    for number in 11..=20 {
        bed = bed.fail(at(number, "new", SAFE, number as u32));
        assert!(bed.screen().contains("▸ 14:01:00"), "{}", bed.screen());
    }
}

#[test]
fn the_preview_is_searched_and_the_list_filtered() {
    let raw = format!("{{'a': 1,\n{}'needle': 2}}", "'x': 1,\n".repeat(40));
    let bed = watching().fail(at(1, "one", &raw, 1)).press("/ \"on enter");
    assert!(bed.screen().contains("/on"));
    let bed = bed.press("tab / \"needle enter");
    assert!(bed.screen().contains("'needle'"), "{}", bed.screen());
    assert!(bed.press("n").status().len() < 200);
}
