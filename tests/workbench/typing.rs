//! Insert mode and pastes.

use jsonmedic::app::Outcome;

use crate::bed::*;
use crate::texts::*;

#[test]
fn an_empty_bench_takes_what_is_typed_or_pasted() {
    let bed = Bed::new(80, 24);
    assert!(bed.line("1 Source").contains("INSERT"));
    assert!(bed.screen().contains("Paste or type JSON. esc, then:"));
    let bed = bed.press("\"{a:1}").wait(121);
    assert_eq!(bed.output(), "{\"a\":1}");
    let bed = bed.press("esc");
    assert!(!bed.line("1 Source").contains("INSERT"));
    assert_eq!(bed.app.bench.doc.source.as_str(), "{a:1}");

    let bed = Bed::new(80, 24).paste(LOSSY);
    assert_eq!(bed.marks(), "xxx?x?");
    // The hints say what comes after it.
    assert!(
        bed.screen()
            .contains("esc to review: a accept, x reject, y copy")
    );
    // In Insert no letter is a command.
    let bed = bed.press("a y q");
    assert!(bed.app.bench.doc.source.as_str().ends_with("run();") && bed.code().is_none());
    let bed = bed.press("esc");
    assert!(bed.app.bench.doc.source.as_str().ends_with("run();ayq"));
}

#[test]
fn a_paste_in_normal_replaces_the_source_and_is_undone_at_once() {
    let bed = Bed::on(SAFE, 80, 24).press("x").paste(GUESS);
    assert_eq!(bed.app.bench.doc.source.as_str(), GUESS);
    assert_eq!(bed.marks(), "xx-?xx");
    let bed = bed.press("u");
    assert_eq!(bed.app.bench.doc.source.as_str(), SAFE);
    assert!(bed.marks().contains('-'), "the decision came back too");
    let bed = bed.press("ctrl-r");
    assert_eq!(bed.app.bench.doc.source.as_str(), GUESS);
}

#[test]
fn pasted_text_never_acts_as_commands() {
    let commands = "q\nyyMa}x:quit\n\u{1b}[201~ctrl";
    for keys in ["", "f", "t", "?", "1", "z"] {
        let bed = Bed::on(SAFE, 80, 24).press(keys).paste(commands);
        assert_eq!(bed.app.bench.doc.source.as_str(), commands, "{keys}");
        assert!(bed.asked.is_empty() || bed.code().is_none());
    }
    // Over a question it goes nowhere; in a prompt it is text.
    let bed = Bed::on(LOSSY, 80, 24).press("y").paste("a");
    assert_eq!((bed.copied(), bed.app.ask.is_some()), (None, true));
    let bed = Bed::on(LOSSY, 80, 24).press("/").paste("cut\nq");
    assert_eq!(
        bed.app
            .prompt
            .as_ref()
            .map(|prompt| prompt.line.text.as_str()),
        Some("cut")
    );
}

#[test]
fn carriage_returns_survive_insert_escape_and_paste() {
    let text = "{\"a\":\r\n 1,\r\n}";
    let bed = Bed::on(text, 80, 24).press("1 i esc");
    assert_eq!(bed.app.bench.doc.source.as_str(), text);
    let bed = bed.press("i right left \"x backspace esc");
    assert_eq!(bed.app.bench.doc.source.as_str(), text);
    let bed = bed.press("gg i").paste("[\r\n").press("esc");
    assert_eq!(bed.app.bench.doc.source.as_str(), format!("[\r\n{text}"));
    let bed = Bed::new(80, 24).paste(text).press("esc");
    assert_eq!(bed.app.bench.doc.source.as_str(), text);
    // A terminal that sends CR for line ends is understood, and it is said.
    let bed = Bed::on("1", 80, 24).paste("{\r\"a\": 1\r}");
    assert_eq!(bed.app.bench.doc.source.as_str(), "{\n\"a\": 1\n}");
    assert!(bed.status().contains("read as LF"));
}

#[test]
fn what_was_typed_is_one_step() {
    let bed = Bed::on(SAFE, 80, 24)
        .press("1 gg i \"xx")
        .wait(200)
        .press("\"yy esc");
    assert_eq!(bed.app.bench.doc.source.as_str(), format!("xxyy{SAFE}"));
    let bed = bed.press("u");
    assert_eq!(bed.app.bench.doc.source.as_str(), SAFE);
}

#[test]
fn insert_starts_where_the_refusal_is() {
    let bed = Bed::on(REFUSED, 80, 24).press("i");
    let bed = bed.press("\"x esc");
    assert!(
        bed.app.bench.doc.source.as_str().contains("  x..."),
        "{}",
        bed.screen()
    );
}

#[test]
fn typing_repairs_when_it_pauses_or_at_f5() {
    let bed = Bed::new(80, 24).press("\"[1,]").wait(60);
    assert_eq!(bed.output(), "");
    assert_eq!(bed.press("F5").output(), "[1]");
}

#[test]
fn long_texts_are_edited_elsewhere() {
    let long = format!("[{}1]", "1,".repeat(40_000));
    let bed = Bed::on(&long, 80, 24).press("i");
    assert!(bed.app.insert.is_none());
    assert!(bed.status().contains("`e` opens your editor"));
    let bed = bed.press("e").answer(Ok(Outcome::Edited("[2,]".into())));
    assert_eq!(bed.output(), "[2]");
    let bed = bed.press("u");
    assert_eq!(bed.app.bench.doc.source.as_str(), long);
    // A paste that makes the text too long leaves Insert mode.
    let bed = Bed::new(80, 24).paste(&long);
    assert!(bed.app.insert.is_none());
    assert_eq!(bed.app.bench.doc.source.as_str(), long);
}

#[test]
fn files_and_the_clipboard_become_the_source() {
    let bed = Bed::on(SAFE, 80, 24)
        .press("o \"a.txt enter")
        .answer(Err("no such file"));
    assert!(bed.status().starts_with("not opened: no such file"));
    let bed = bed.press("p").answer(Ok(Outcome::Clipboard("[3,]".into())));
    assert_eq!(bed.output(), "[3]");
    let bed = bed.press("p").answer(Err("no display"));
    assert!(bed.status().starts_with("nothing pasted: no display"));
}

#[test]
fn the_palette_finds_and_runs() {
    let bed = Bed::on(LOSSY, 80, 24).press("ctrl-p \"strategies enter");
    assert!(bed.screen().contains("# strategy"));
    let bed = Bed::on(LOSSY, 80, 24).press(": \"guesses enter");
    assert!(bed.status().starts_with("a guess picks one"));
}

#[test]
fn a_tool_is_named_by_hand() {
    let bed = Bed::on("main.go", 80, 24);
    assert!(bed.line("2 Output").contains("REFUSED"));
    let bed = bed.press("s \"read_file enter");
    assert_eq!(bed.marks(), "-");
    assert_eq!(bed.press("M a").output(), "{\"file\":\"main.go\"}");
}
