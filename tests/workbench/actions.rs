//! Every command once, by its own key: keys in, state out. A command without a row here fails the test, as does a row
//! whose key does nothing.

use std::collections::BTreeSet;

use jsonmedic::app::keys::{Context, Keymap, ROWS, markdown};
use jsonmedic::app::overlay::{Ask, Overlay, PromptKind};
use jsonmedic::app::{Effect, Focus, Screen};
use jsonmedic::repair::Decision;

use crate::bed::*;
use crate::texts::*;

/// The command, where it starts, the keys before it, its key, and what holds after it and not before.
type Script = (
    &'static str,
    fn() -> Bed,
    &'static str,
    &'static str,
    fn(&Bed) -> bool,
);

fn safe() -> Bed {
    Bed::on(SAFE, 80, 24)
}

fn lossy() -> Bed {
    Bed::on(LOSSY, 80, 24)
}

fn guess() -> Bed {
    Bed::on(GUESS, 80, 24)
}

fn full() -> Bed {
    Bed::on(LOSSY, 200, 60)
}

fn several() -> Bed {
    Bed::on(SEVERAL, 80, 24)
}

fn empty() -> Bed {
    Bed::new(80, 24)
}

fn long() -> Bed {
    let mut lines = "{'a': 1,}\n".repeat(200);
    lines.insert(0, '[');
    Bed::on(&lines, 80, 24)
}

fn wide() -> Bed {
    Bed::on(&format!("[\"{}\"]", "x".repeat(400)), 80, 24)
}

fn calls() -> Bed {
    let bed = empty().press("esc f");
    [(1, "one", SAFE), (2, "two", LOSSY), (3, "three", REFUSED)]
        .into_iter()
        .fold(bed, |bed, (number, tool, raw)| {
            bed.fail(call(number, tool, raw))
        })
}

fn asked(bed: &Bed, is: fn(&Effect) -> bool) -> bool {
    bed.asked.iter().any(is)
}

fn decision(bed: &Bed, wanted: Decision) -> bool {
    let row = bed.app.bench.row();
    row.is_some_and(|row| bed.app.bench.rows.list()[row].decision == wanted)
}

/// The line of Output that is at the top.
fn top_line(bed: &Bed) -> usize {
    let shown = bed.app.bench.shown.as_ref();
    shown.map_or(0, |shown| {
        shown.text.lines().line_of(bed.app.bench.output_pane.top)
    })
}

#[rustfmt::skip]
const SCRIPTS: &[Script] = &[
    ("app.interrupt", lossy, "", "ctrl-c", |bed| bed.code() == Some(130)),
    ("app.suspend", lossy, "", "ctrl-z", |bed| asked(bed, |effect| matches!(effect, Effect::Suspend))),
    ("app.redraw", lossy, "", "ctrl-l", |bed| asked(bed, |effect| matches!(effect, Effect::Redraw))),
    ("help.show", lossy, "", "?", |bed| matches!(bed.app.overlay, Some(Overlay::Help { .. }))),
    ("palette.show", lossy, "", ":", |bed| matches!(bed.app.overlay, Some(Overlay::Palette(_)))),
    ("app.back", lossy, "?", "esc", |bed| bed.app.overlay.is_none()),
    ("app.quit", lossy, "", "q", |bed| bed.code() == Some(1)),
    ("focus.next", lossy, "", "tab", |bed| bed.app.focus == Focus::Source),
    ("focus.previous", lossy, "", "shift-tab", |bed| bed.app.focus == Focus::Output),
    ("focus.source", lossy, "", "1", |bed| bed.app.focus == Focus::Source),
    ("focus.output", lossy, "", "2", |bed| bed.app.focus == Focus::Output),
    ("focus.edits", lossy, "1", "3", |bed| bed.app.focus == Focus::Edits),
    ("view.zoom", lossy, "", "z", |bed| bed.app.zoom && !bed.screen().contains("1 Source")),
    ("view.next", lossy, "", "v", |bed| bed.screen().contains("view: diff")),
    ("view.previous", lossy, "", "V", |bed| bed.screen().contains("view: retry")),
    ("pane.grow", lossy, "", "+", |bed| bed.app.shares.iter().any(|share| 0 < *share)),
    ("pane.shrink", lossy, "", "-", |bed| bed.app.shares.iter().any(|share| *share < 0)),
    ("view.wrap", wide, "1", "W", |bed| !bed.app.bench.source_pane.wrap),
    ("view.left", wide, "1 W L L", "H", |bed| bed.app.bench.source_pane.left == 8),
    ("view.right", wide, "1 W", "L", |bed| bed.app.bench.source_pane.left == 8),
    ("search.start", lossy, "", "/", |bed| bed.app.prompt.as_ref().is_some_and(|prompt| prompt.kind == PromptKind::Search)),
    ("search.next", lossy, "1 gg / \"main enter", "n", |bed| Some(bed.app.bench.source_pane.caret as usize) == LOSSY.rfind("main")),
    ("search.previous", lossy, "1 gg / \"main enter n", "N", |bed| Some(bed.app.bench.source_pane.caret as usize) == LOSSY.find("main")),
    ("history.undo", lossy, "x", "u", |bed| bed.marks() == "xxx?x?"),
    ("history.redo", lossy, "x u", "ctrl-r", |bed| bed.marks() == "xxx-x?"),
    ("output.copy", safe, "", "y", |bed| bed.copied() == Some(bed.output())),
    ("output.menu", safe, "", "Y", |bed| matches!(bed.app.overlay, Some(Overlay::CopyMenu { .. }))),
    ("output.accept", safe, "", "w", |bed| bed.app.prompt.as_ref().is_some_and(|prompt| prompt.kind == PromptKind::Write)),
    ("source.edit", safe, "", "i", |bed| bed.app.insert.is_some()),
    ("source.editor", safe, "", "e", |bed| asked(bed, |effect| matches!(effect, Effect::EditExternally { .. }))),
    ("source.paste", safe, "", "p", |bed| asked(bed, |effect| matches!(effect, Effect::ReadClipboard { .. }))),
    ("source.open", safe, "", "o", |bed| bed.app.prompt.as_ref().is_some_and(|prompt| prompt.kind == PromptKind::Open)),
    ("tool.pick", safe, "", "s", |bed| matches!(bed.app.overlay, Some(Overlay::Tools(_)))),
    ("feed.show", safe, "", "f", |bed| bed.app.screen == Screen::Feed),
    ("feed.column", full, "", "F", |bed| !bed.app.feed_column && !bed.screen().contains("Failed calls")),
    ("messages.show", safe, "", "!", |bed| matches!(bed.app.overlay, Some(Overlay::Messages { .. }))),
    ("move.down", lossy, "gg", "j", |bed| bed.app.bench.row() == Some(1)),
    ("move.up", lossy, "G", "k", |bed| bed.app.bench.row() == Some(4)),
    ("move.left", lossy, "1 gg right right", "left", |bed| bed.app.bench.source_pane.caret == 1),
    ("move.right", lossy, "1 gg", "right", |bed| bed.app.bench.source_pane.caret == 1),
    ("move.first", lossy, "G", "gg", |bed| bed.app.bench.row() == Some(0)),
    ("move.last", lossy, "gg", "G", |bed| bed.app.bench.row() == Some(5)),
    ("move.half-down", long, "1 gg", "ctrl-d", |bed| 0 < bed.app.bench.source_pane.caret),
    ("move.half-up", long, "1 G", "ctrl-u", |bed| bed.app.bench.source_pane.caret < bed.app.bench.doc.source.len()),
    ("move.page-down", long, "1 gg", "pgdn", |bed| 0 < bed.app.bench.source_pane.caret),
    ("move.page-up", long, "1 G", "pgup", |bed| bed.app.bench.source_pane.caret < bed.app.bench.doc.source.len()),
    ("edit.next", lossy, "gg", "]", |bed| bed.rule() == "code-fence"),
    ("edit.previous", lossy, "gg ]", "[", |bed| bed.rule() == "prose-around"),
    ("edit.next-open", lossy, "", "}", |bed| bed.rule() == "cut-off"),
    ("edit.previous-open", lossy, "G", "{", |bed| bed.rule() == "non-finite"),
    ("edit.accept", lossy, "", "a", |bed| bed.marks() == "xxxxx?" && bed.rule() == "cut-off"),
    ("edit.reject", lossy, "", "x", |bed| bed.marks() == "xxx-x?" && bed.rule() == "cut-off"),
    ("edit.toggle", lossy, "", "space", |bed| decision(bed, Decision::On) && bed.rule() == "non-finite"),
    ("rule.accept", lossy, "x { {", "A", |bed| bed.marks() != "xxx-x?"),
    ("rule.reject", safe, "gg", "X", |bed| bed.marks().starts_with('-')),
    ("edits.reset", lossy, "x", "R", |bed| bed.marks() == "xxx?x?"),
    ("edit.show", lossy, "", "enter", |bed| bed.app.focus == Focus::Source),
    ("edits.unfold", safe, "gg", "right", |bed| bed.app.bench.rows.list().len() == 4),
    ("edits.fold", safe, "gg right", "left", |bed| bed.app.bench.rows.list().len() == 3),
    ("edits.sort", lossy, "", "S", |bed| bed.marks().starts_with("??")),
    ("edits.hide-blank", lossy, "", "b", |bed| bed.app.bench.folding.hide_blank),
    ("output.down", long, "gg", "J", |bed| top_line(bed) == 1),
    ("output.up", long, "gg J J", "K", |bed| top_line(bed) == 1),
    ("rung.next", lossy, "", ">", |bed| bed.app.bench.ladder.at == 9),
    ("rung.previous", lossy, "", "<", |bed| bed.app.bench.ladder.at == 7),
    ("rung.auto", lossy, "<", "=", |bed| bed.app.bench.ladder.at == 8),
    ("strategies.show", lossy, "", "t", |bed| matches!(bed.app.overlay, Some(Overlay::Strategies(_)))),
    ("rung.pick", lossy, "t k", "enter", |bed| bed.app.overlay.is_none() && bed.app.bench.ladder.at == 7),
    ("rung.chatcli", safe, "> t", "C", |bed| bed.app.overlay.is_none() && bed.app.bench.ladder.at < 7),
    ("candidates.show", several, "", "c", |bed| matches!(bed.app.overlay, Some(Overlay::Candidates(_)))),
    ("candidate.keep", several, "c j", "enter", |bed| bed.output() == r#"{"path":"b"}"#),
    ("candidate.split", several, "c", "b", |bed| bed.screen().contains("(call 1 of 2)")),
    ("guesses.allow", guess, "", "M", |bed| matches!(bed.app.ask, Some(Ask::Guesses))),
    ("typographic.toggle", || Bed::on("{'cmd': '“a”'}", 80, 24), "", "T", |bed| bed.output() == r#"{"cmd": "\"a\""}"#),
    ("message.copy", lossy, "", "m", |bed| bed.copied().is_some_and(|text| text.contains("Send it again"))),
    ("call.next", calls, "enter", ".", |bed| bed.screen().contains("BENCH   two")),
    ("call.previous", calls, "G enter", ",", |bed| bed.screen().contains("BENCH   two")),
    ("call.open", calls, "", "enter", |bed| bed.screen().contains("BENCH   three")),
    ("call.dismiss", calls, "", "d", |bed| !bed.screen().contains(" three ")),
    ("feed.show-dismissed", calls, "d", "D", |bed| bed.screen().contains(" three ")),
    ("feed.filter", calls, "", "/", |bed| bed.app.prompt.as_ref().is_some_and(|prompt| prompt.kind == PromptKind::Filter)),
    ("feed.sort", calls, "", "S", |bed| bed.status().contains("calls by tool")),
    ("list.choose", safe, "Y", "enter", |bed| bed.copied() == Some(bed.output())),
    ("insert.leave", empty, "\"{a:1}", "esc", |bed| bed.app.insert.is_none()),
    ("insert.repair", empty, "\"{a:1}", "F5", |bed| bed.output() == r#"{"a":1}"#),
];

#[test]
fn every_command_does_what_it_says_by_its_key() {
    for (id, start, before, key, holds) in SCRIPTS {
        let row = ROWS.iter().find(|row| row.id == *id);
        let keys = row.expect("the command is in the table").keys.iter();
        let mut words = keys.flat_map(|(_, words)| *words);
        assert!(words.any(|word| word == key), "{id} has no key {key}");
        let bed = start().press(before);
        assert!(!holds(&bed), "{id} holds before {key}\n{}", bed.screen());
        let bed = bed.press(key);
        assert!(holds(&bed), "{id} after {before} {key}\n{}", bed.screen());
    }
    let scripts: BTreeSet<&str> = SCRIPTS.iter().map(|(id, ..)| *id).collect();
    let missing: Vec<&str> = ROWS
        .iter()
        .map(|row| row.id)
        .filter(|id| !scripts.contains(id))
        .collect();
    assert_eq!(missing, Vec::<&str>::new(), "commands without a script");
}

/// The rows that `text` does not name: by command and by each of its keys.
fn unnamed(text: &str, keymap: &Keymap) -> Vec<&'static str> {
    let named = |context: Context, row: &jsonmedic::app::keys::Row| {
        let keys: Vec<&str> = keymap.keys(context, row.action).collect();
        text.lines()
            .any(|line| line.contains(row.help) && keys.iter().all(|key| line.contains(*key)))
    };
    let rows = ROWS
        .iter()
        .filter(|row| !row.keys.iter().all(|(context, _)| named(*context, row)));
    rows.map(|row| row.id).collect()
}

#[test]
fn every_command_is_bound_and_stands_in_the_help_and_in_the_readme() {
    let (keymap, _) = Keymap::new(&[]);
    let help: Vec<String> = jsonmedic::app::help::lines(&keymap, 300)
        .iter()
        .map(jsonmedic::app::help::HelpLine::words)
        .collect();
    let help = help.join("\n");
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md"));
    let readme = readme.expect("the README is there");
    assert!(
        readme.contains(&markdown()),
        "the table of keys in the README is another one"
    );
    for text in [&help, &readme] {
        assert_eq!(unnamed(text, &keymap), Vec::<&str>::new());
        // And the comparison can fail: without its line each command is missed.
        for row in &ROWS {
            let lines = text.lines().filter(|line| !line.contains(row.help));
            let without = lines.collect::<Vec<_>>().join("\n");
            assert!(unnamed(&without, &keymap).contains(&row.id), "{}", row.id);
        }
    }
    assert!(
        ROWS.iter()
            .all(|row| row.keys.iter().any(|(_, words)| !words.is_empty()))
    );
}
