//! Rungs, texts, searches, candidates, the mouse.

use jsonmedic::app::{Focus, Screen};
use jsonmedic::repair::LADDER;

use crate::bed::*;
use crate::texts::*;

#[test]
fn the_ladder_is_stepped_and_each_rung_starts_from_the_source() {
    let bed = Bed::on(GUESS, 120, 40);
    assert_eq!(bed.app.bench.ladder.at, 9);
    let bed = bed.press("<");
    assert_eq!(bed.app.bench.ladder.at, 8);
    assert!(bed.line("2 Output").contains("REFUSED"));
    assert!(bed.screen().contains("number-radix (guess)"));
    let bed = bed.press("< < < < < < < < <");
    assert_eq!(bed.app.bench.ladder.at, 0);
    assert_eq!(
        bed.status().split("  ").next(),
        Some("this is the first rung")
    );
    let bed = bed.press("=");
    assert_eq!(bed.app.bench.ladder.at, 9);
    assert_eq!(
        bed.press(">").status().split("  ").next(),
        Some("this is the last rung")
    );
}

#[test]
fn decisions_survive_a_step_where_both_rungs_make_the_edit() {
    // Rung 9 is auto; rung 10 makes the same edits.
    let bed = Bed::on("{'a': NaN, 'b': Infinity}", 80, 24).press("x");
    assert_eq!((bed.app.bench.ladder.at, bed.marks().as_str()), (8, "x-?"));
    let bed = bed.press(">");
    assert_eq!((bed.app.bench.ladder.at, bed.marks().as_str()), (9, "x-?"));
    let bed = bed.press("a");
    let bed = bed.press("= }");
    assert_eq!(bed.app.bench.ladder.at, 8);
    assert!(!bed.marks().contains('?') || bed.marks().matches('?').count() <= 1);
}

#[test]
fn the_list_of_strategies_picks_one() {
    let bed = Bed::on("{'a': 1,}", 80, 24).press("t");
    let bed = bed.press("gg j enter");
    assert_eq!(bed.app.bench.ladder.at, 1);
    assert!(bed.app.overlay.is_none());
    let bed = bed.press("t gg / \"losses enter enter");
    assert_eq!(LADDER[bed.app.bench.ladder.at].id, "with-losses");
    let bed = bed.press("t C");
    assert_eq!(LADDER[bed.app.bench.ladder.at].id, "object-literal");
    let bed = bed.press("t = esc");
    assert_eq!(Some(bed.app.bench.ladder.at), bed.app.bench.ladder.auto);
    let bed = Bed::on(GUESS, 80, 24).press("t C");
    assert!(bed.status().contains("none of rungs 1 to 7"));
}

#[test]
fn moving_in_source_and_output_chooses_the_edit_under_the_caret() {
    let bed = Bed::on(GUESS, 120, 40).press("1 gg");
    assert_eq!(bed.app.focus, Focus::Source);
    let bed = bed.press("right");
    assert_eq!(bed.rule(), "single-quotes");
    let bed = bed.press("j right");
    // Column 3 of line 2 is inside 'score'; the quote before it was passed.
    let bed = bed.press("left");
    assert_eq!(
        bed.app
            .bench
            .fix()
            .and_then(|fix| bed.app.bench.place(fix))
            .map(|place| place.span.start),
        Some(37)
    );
    let bed = bed.press("2 gg right");
    assert_eq!(bed.rule(), "single-quotes");
}

#[test]
fn clicks_choose_panes_edits_and_bytes() {
    let bed = Bed::on(GUESS, 120, 40);
    // Row 3 of Edits: pane top 24, first row 25.
    let bed = bed.click(10, 27);
    assert_eq!((bed.app.focus, bed.rule()), (Focus::Edits, "number-radix"));
    // `NaN` in Source: column 1 + 4 + 10, line 2.
    let bed = bed.click(15, 5);
    assert_eq!((bed.app.focus, bed.rule()), (Focus::Source, "non-finite"));
    // `012` in Output.
    let bed = bed.click(60 + 1 + 4 + 35, 4);
    assert_eq!((bed.app.focus, bed.rule()), (Focus::Output, "number-radix"));
    // The border between Source and Output.
    let bed = bed.drag((60, 10), (70, 10));
    assert!(
        bed.screen()
            .lines()
            .nth(3)
            .unwrap()
            .chars()
            .position(|letter| letter == '┐')
            == Some(69),
        "{}",
        bed.screen()
    );
    let bed = bed.wheel(true, 5, 6).wheel(false, 100, 30);
    assert_eq!(bed.marks(), "xx-?xx");
}

#[test]
fn searches_go_round() {
    let bed = Bed::on(REFUSED, 80, 24).press("1 gg / \"id enter");
    assert_eq!(bed.app.bench.source_pane.caret, 16);
    let bed = bed.press("n");
    assert_eq!(bed.app.bench.source_pane.caret, 35);
    let bed = bed.press("n");
    assert_eq!(bed.app.bench.source_pane.caret, 16);
    let bed = bed.press("N");
    assert_eq!(bed.app.bench.source_pane.caret, 35);
    let bed = bed.press("/ \"zzz enter");
    assert!(bed.status().contains("`zzz` is not there"));
    let bed = Bed::on(LOSSY, 80, 24).press("/ \"cut enter");
    assert_eq!(bed.rule(), "cut-off");
}

#[test]
fn a_candidate_is_kept_as_the_users_own_edit() {
    let bed = Bed::on(SEVERAL, 80, 24).press("c j enter");
    assert_eq!(bed.output(), "{\"path\":\"b\"}");
    assert_eq!(
        bed.app.bench.doc.source.as_str(),
        SEVERAL,
        "the source stays"
    );
    assert!(
        bed.line("picked-candidate").contains("[x] LOSSY"),
        "{}",
        bed.screen()
    );
    // It was the user's own choice: nothing is asked.
    let bed = bed.press("y");
    assert_eq!(bed.copied(), Some("{\"path\":\"b\"}"));
    let bed = bed.press("u");
    assert!(bed.line("2 Output").contains("REFUSED"));
}

#[test]
fn a_split_makes_calls_that_are_walked() {
    let bed = Bed::on("{\"path\":\"a\"}{'path':'b'}", 80, 24).press("c b");
    assert_eq!(bed.output(), "{\"path\":\"a\"}");
    assert!(bed.line("BENCH").contains("(call 1 of 2)"));
    let bed = bed.press(".");
    assert_eq!(bed.output(), "{\"path\":\"b\"}");
    let bed = bed.press(".");
    assert!(bed.status().contains("this is the last of the calls"));
    assert_eq!(bed.press(",").output(), "{\"path\":\"a\"}");
}

#[test]
fn without_several_values_there_are_no_candidates() {
    for text in [SAFE, REFUSED] {
        let bed = Bed::on(text, 80, 24).press("c");
        assert!(
            bed.status().contains("nothing to choose from"),
            "{}",
            bed.screen()
        );
    }
}

#[test]
fn focus_zoom_views_and_screens() {
    let bed = Bed::on(LOSSY, 80, 24);
    assert_eq!(bed.app.focus, Focus::Edits);
    let bed = bed.press("tab");
    assert_eq!(bed.app.focus, Focus::Source);
    let bed = bed.press("shift-tab");
    assert_eq!(bed.app.focus, Focus::Edits);
    let bed = bed.press("1 z");
    assert!(!bed.screen().contains("3 Edits"));
    let bed = bed.press("z 2 + + W f");
    assert_eq!(bed.app.screen, Screen::Feed);
    let bed = bed.press("f");
    assert_eq!(bed.app.screen, Screen::Bench);
    let bed = bed.press("F");
    assert!(bed.status().contains("160 columns"));
    assert!(
        !Bed::on(LOSSY, 200, 60)
            .press("F")
            .screen()
            .contains("Failed calls")
    );
    for (keys, word) in [
        ("v", "diff"),
        ("v v", "tree"),
        ("V", "retry"),
        ("v v v v", "text"),
    ] {
        assert!(
            Bed::on(LOSSY, 80, 24)
                .press(keys)
                .line("2 Output")
                .contains(&format!("view: {word}"))
        );
    }
}

#[test]
fn a_tree_folds_and_follows() {
    let bed = Bed::on("{'a': {'b': [1, 2]}, 'c': 3}", 80, 24).press("v v 2 gg j left");
    assert!(
        bed.line("\"a\": {1 member}").contains("▸"),
        "{}",
        bed.screen()
    );
    assert!(!bed.screen().contains("\"b\": "));
    let bed = bed.press("right");
    assert!(bed.screen().contains("\"b\": [2 elements]"));
}

#[test]
fn long_lines_scroll_when_they_do_not_wrap() {
    let text = format!("[\"{}END\"]", "x".repeat(310));
    let bed = Bed::on(&text, 80, 24).press("1");
    assert!(bed.screen().contains("END"));
    let bed = bed.press("W");
    assert!(!bed.screen().contains("END"));
    let bed = bed.press("L ".repeat(32).trim());
    assert!(bed.screen().contains("END"), "{}", bed.screen());
    let bed = bed.press("H ".repeat(40).trim());
    assert!(bed.line("1 [\"xxx").starts_with('┃'));
}

#[test]
fn long_work_shows_and_can_be_stopped() {
    let mut bed = Bed::new(80, 24);
    bed.slow = true;
    let bed = bed.open("t", SAFE, None);
    assert!(!bed.screen().contains("working"), "not at once");
    assert_eq!(bed.app.wake(), Some(1_150));
    let bed = bed.wait(200);
    assert!(bed.line("2 Output").contains("working"));
    let Some(jsonmedic::app::Effect::Repair(job)) = bed.asked.last().cloned() else {
        panic!("no job")
    };
    let mut bed = bed.press("esc");
    assert!(bed.status().starts_with("stopped"));
    assert!(!bed.screen().contains("working"));
    // What comes after all is dropped.
    jsonmedic::app::work::work(&job, |event| bed.send(event), || false);
    assert!(bed.app.bench.review.is_none());
}

#[test]
fn releases_of_keys_mean_nothing() {
    use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
    let mut bed = Bed::on(SAFE, 80, 24);
    let marks = bed.marks();
    let release = KeyEvent::new_with_kind(
        KeyCode::Char('x'),
        KeyModifiers::NONE,
        KeyEventKind::Release,
    );
    bed.send(jsonmedic::app::Event::Key(release));
    assert_eq!(bed.marks(), marks);
}

#[test]
fn every_pane_and_list_can_be_searched() {
    // In the tree a match opens the branches above it.
    let bed = Bed::on("{'a': {'b': [1, 22]}, 'c': 3}", 80, 24).press("v v 2 gg j left");
    let in_source_alone = bed.screen().matches("22").count();
    let bed = bed.press("/ \"22 enter");
    assert!(
        in_source_alone < bed.screen().matches("22").count(),
        "{}",
        bed.screen()
    );
    // In the difference the match is an edit.
    let bed = Bed::on(GUESS, 80, 24).press("v 2 gg / \"NaN enter");
    assert_eq!(bed.rule(), "non-finite");
    // In the help and the messages the line comes to the top, whatever its letters' case.
    let bed = Bed::on(SAFE, 80, 24).press("? / \"OSC enter");
    let first = |bed: &Bed| bed.screen().lines().nth(2).unwrap_or_default().to_owned();
    assert!(first(&bed).contains("OSC 52"), "{}", bed.screen());
    let before = first(&bed);
    let bed = bed.press("n");
    assert!(first(&bed).contains("OSC 52") && first(&bed) != before);
    assert_eq!(first(&bed.press("N")), before);
    let bed = Bed::on(SAFE, 80, 24).press("? / \"zzz enter esc !");
    assert!(first(&bed).contains("`zzz` is not there"));
    let bed = bed.press("/ \"nothing enter");
    assert!(bed.status().contains("`nothing` is not there"));
    // Short lists say that they have none.
    let bed = Bed::on(SAFE, 80, 24).press("Y / \"a enter");
    assert!(bed.status().contains("no search in it"), "{}", bed.status());
}

#[test]
fn the_rungs_are_counted_while_they_are_worked_out_and_the_rest_can_be_stopped() {
    let mut bed = Bed::new(120, 40);
    bed.slow = true;
    let mut bed = bed.open("t", SAFE, None);
    let Some(jsonmedic::app::Effect::Repair(job)) = bed.asked.last().cloned() else {
        panic!("no job")
    };
    let asked = std::cell::Cell::new(0);
    let stale = || {
        asked.set(asked.get() + 1);
        3 < asked.get()
    };
    jsonmedic::app::work::work(&job, |event| bed.send(event), stale);
    // The output is there at once, and the title says what is still to come.
    let bed = bed.wait(200);
    assert_eq!(bed.output(), r#"{"a": 1, "b": [true, null]}"#);
    let title = bed.line("2 Output");
    assert!(
        title.contains("valid JSON · ") && title.contains("rung 4 of 10"),
        "{title}"
    );
    let bed = bed.press("esc");
    assert!(
        bed.status()
            .starts_with("stopped with 4 of 10 rungs worked out")
    );
    let turn = bed.app.bench.turn;
    let stops = |effect: &jsonmedic::app::Effect| matches!(effect, jsonmedic::app::Effect::Stop(at) if *at == turn);
    assert!(bed.asked.iter().any(stops));
    assert!(!bed.line("2 Output").contains("of 10"));
    assert!(bed.press("y").copied().is_some());
}

#[test]
fn the_output_of_a_big_text_comes_with_its_edits_unless_something_was_decided_meanwhile() {
    let text = format!("[{} NaN]", "{'a': True},\n".repeat(30_000));
    let mut bed = Bed::on(&text, 80, 24);
    assert!(bed.output().starts_with("[{\"a\": true},") && bed.app.bench.is_valid());
    // Nothing was asked of the second thread.
    bed.slow = true;
    let mut bed = bed.press("G x").paste(&text);
    let Some(jsonmedic::app::Effect::Repair(job)) = bed.asked.last().cloned() else {
        panic!("no job")
    };
    let (deciding, decided) = job.shown.as_ref().expect("a big text");
    let mut review = jsonmedic::repair::Review::new(
        std::sync::Arc::new(jsonmedic::repair::auto(&text, job.allow, &job.tool).1),
        jsonmedic::repair::Level::Safe,
    );
    deciding.decide_all(decided, &mut review);
    assert_eq!(
        review.undecided(),
        1,
        "what was decided about the text before is gone"
    );
    jsonmedic::app::work::work(&job, |event| bed.send(event), || false);
    assert!(bed.app.bench.is_valid() && bed.output().ends_with(" null]"));
}

#[test]
fn a_refusal_is_told_to_its_end_on_the_smallest_screen() {
    let bed = Bed::on(REFUSED, 40, 10);
    assert!(bed.screen().contains("refused at line 3"));
    assert!(
        bed.line("1 Source 2 Output")
            .trim_end()
            .ends_with("refused")
    );
    let bed = bed.press("G");
    assert!(
        bed.screen().contains("Y  copy the source"),
        "{}",
        bed.screen()
    );
    let bed = bed.press("gg");
    assert!(bed.screen().contains("refused at line 3"));
    // The question has the whole line of the keys.
    let bed = Bed::on(LOSSY, 40, 10).press("y");
    assert!(bed.screen().contains("a accepts and copies  esc goes back"));
}
