//! Every screen in its main states at four sizes. The text of each picture is kept; where a style carries the
//! meaning, a test of its own looks at the buffer.

use jsonmedic::app::Event;
use jsonmedic::app::{Look, Options, Theme};
use jsonmedic::repair::Schema;
use jsonmedic::repair::ToolContext;
use jsonmedic::transcript::{Badge, Counts, FeedEvent, How, Kind, Retry};
use ratatui::style::Modifier;

use crate::bed::*;
use crate::texts::*;

const SIZES: [(u16, u16); 5] = [(40, 10), (80, 24), (120, 40), (160, 20), (200, 60)];

fn keep(name: &str, bed: &Bed) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, bed.screen()));
}

fn keep_all(name: &str, make: impl Fn(u16, u16) -> Bed) {
    for (width, height) in SIZES {
        keep(&format!("{name}-{width}x{height}"), &make(width, height));
    }
}

/// Seven calls as in drawing C, and what the logs hold beside them.
fn feed(width: u16, height: u16) -> Bed {
    let roots = vec!["~/.claude/projects".to_owned(), "~/.codex".to_owned()];
    let mut bed = Bed::with(
        Options {
            feed: true,
            roots,
            ..Options::default()
        },
        width,
        height,
    );
    bed.send(Event::Feed(FeedEvent::Ready {
        files: 214,
        how: How::Events,
    }));
    let rows = [
        (
            12,
            "bash",
            "codex",
            "rollout-7.jsonl",
            "13:50:12",
            "{\"command\": \"a\tb\"}",
        ),
        (
            64,
            "write_file",
            "claude-code",
            "9a1e.jsonl",
            "13:51:30",
            "{\"path\": \"a\", \"content\": \"x",
        ),
        (
            377,
            "Grep",
            "claude-code",
            "0f3c.jsonl",
            "13:58:47",
            "{'pattern': 'x'}",
        ),
        (
            1290,
            "read_file",
            "openai-chat",
            "api.log",
            "13:59:02",
            "main.go",
        ),
        (
            401,
            "Edit",
            "claude-code",
            "0f3c.jsonl",
            "14:01:40",
            "{'file_path': 'a', 'all': True}",
        ),
        (
            88,
            "bash",
            "codex",
            "rollout-7.jsonl",
            "14:01:58",
            "{'command': 'ls', 'limit': NaN, 'why': \"x",
        ),
        (
            412,
            "write_file",
            "claude-code",
            "0f3c.jsonl",
            "14:02:11",
            "{'path': 'src/main.rs', 'items': [{'id': 1},\n  ...\n]}",
        ),
    ];
    for (line, tool, format, file, time, raw) in rows {
        let mut one = call(line, tool, raw);
        one.format = format;
        one.origin.path = format!("/home/user/logs/{file}").into();
        one.time = Some(format!("2026-11-03T{time}Z"));
        if line == 64 {
            one.badges = vec![Badge::LogClipped];
            one.raw_complete = false;
            one.kind = Kind::Truncated;
        }
        if line == 412 {
            one.complaint =
                Some("Write was called with input that could not be parsed as JSON".into());
        }
        bed = bed.fail(one);
    }
    let counts = Counts {
        failed: [6, 1, 3, 0, 1036],
        files: 214,
        ..Counts::default()
    };
    bed.send(Event::Feed(FeedEvent::Counts(counts)));
    bed
}

#[test]
fn feed_with_calls() {
    keep_all("feed", |width, height| {
        feed(width, height).press("j j d D k")
    });
}

#[test]
fn feed_without_calls() {
    keep_all("feed-empty", |width, height| {
        let roots = vec!["~/.claude/projects".to_owned()];
        let mut bed = Bed::with(
            Options {
                feed: true,
                roots,
                ..Options::default()
            },
            width,
            height,
        );
        bed.send(Event::Feed(FeedEvent::Ready {
            files: 214,
            how: How::Polling,
        }));
        bed
    });
    let mut bed = Bed::with(
        Options {
            feed: true,
            roots: vec!["~/x".into()],
            ..Options::default()
        },
        80,
        24,
    );
    bed.send(Event::Feed(FeedEvent::Progress {
        files: 131,
        total: 214,
        bytes: 1,
        found: 0,
    }));
    keep("feed-scanning-80x24", &bed);
}

#[test]
fn bench_with_losses() {
    keep_all("bench-lossy", |width, height| {
        let mut one = call(388, "write_file", LOSSY);
        one.stop_reason = Some("max_tokens".into());
        feed(width, height).fail(one).press("gg enter")
    });
}

#[test]
fn bench_with_a_guess() {
    keep_all("bench-guess", |width, height| {
        Bed::new(width, height)
            .fail(call(436, "write_file", GUESS))
            .press("esc f enter [")
    });
}

#[test]
fn bench_refused() {
    keep_all("bench-refused", |width, height| {
        Bed::on(REFUSED, width, height)
    });
}

#[test]
fn bench_safe_and_valid_and_empty() {
    keep_all("bench-safe", |width, height| Bed::on(SAFE, width, height));
    keep_all("bench-valid", |width, height| Bed::on(VALID, width, height));
    keep_all("bench-empty", Bed::new);
}

#[test]
fn strategies() {
    keep_all("strategies", |width, height| {
        Bed::new(width, height)
            .fail(call(436, "write_file", GUESS))
            .press("esc f enter t")
    });
}

#[test]
fn candidates() {
    keep_all("candidates", |width, height| {
        let schema =
            serde_json::json!({"type": "object", "properties": {"path": {"type": "string"}}});
        let tool = ToolContext {
            schema: Some(Schema::new(schema).into()),
            ..ToolContext::named("read_file")
        };
        let options = Options {
            tools: vec![tool],
            ..Options::default()
        };
        let mut one = call(88, "read_file", SEVERAL);
        one.format = "codex";
        one.origin.path = "rollout-7.jsonl".into();
        Bed::with(options, width, height)
            .fail(one)
            .press("esc f enter c")
    });
}

#[test]
fn views_of_the_output() {
    for (keys, name) in [("v", "diff"), ("v v", "tree"), ("v v v", "retry")] {
        let mut one = call(3, "Edit", SAFE);
        one.retry = Some(Retry {
            call_id: None,
            line: Some(9),
            equal: false,
            raw: "{\"a\": 1, \"b\": [true]}".into(),
        });
        keep_all(&format!("view-{name}"), |width, height| {
            let bed = Bed::new(width, height).fail(one.clone());
            bed.press("esc f enter").press(keys).press("2")
        });
    }
    keep(
        "view-diff-side-by-side-160x30",
        &Bed::on(GUESS, 160, 30).press("v 2 z"),
    );
}

#[test]
fn lists_and_questions() {
    for (keys, name) in [
        ("?", "help"),
        (":", "palette"),
        ("Y", "copy-menu"),
        ("!", "messages"),
        ("s", "tools"),
        ("y", "ask-undecided"),
        ("M", "ask-guesses"),
        ("/", "prompt"),
        ("i", "insert"),
    ] {
        keep_all(name, |width, height| {
            Bed::on(LOSSY, width, height).press(keys)
        });
    }
}

#[test]
fn other_looks() {
    let with = |look| {
        Bed::with(
            Options {
                look,
                ..Options::default()
            },
            80,
            24,
        )
        .open("a", LOSSY, Some("write_file"))
    };
    keep(
        "ascii-80x24",
        &with(Look {
            unicode: false,
            ..Look::default()
        }),
    );
    for theme in [Theme::Dark, Theme::Light, Theme::HighContrast] {
        for colour in [true, false] {
            let bed = with(Look {
                theme,
                colour,
                unicode: true,
            });
            // The words do not depend on the colours.
            assert_eq!(bed.screen(), with(Look::default()).screen());
            let coloured = bed
                .buffer()
                .content
                .iter()
                .any(|cell| cell.fg != ratatui::style::Color::Reset);
            assert_eq!(
                coloured,
                colour && theme != Theme::HighContrast,
                "{theme:?} {colour}"
            );
        }
    }
}

#[test]
fn small_and_odd_sizes_are_drawn_without_a_panic() {
    for (width, height) in [
        (1, 1),
        (10, 1),
        (1, 50),
        (39, 9),
        (40, 9),
        (39, 30),
        (500, 200),
        (59, 18),
        (60, 17),
        (100, 18),
        (109, 18),
        (160, 18),
    ] {
        for text in [LOSSY, REFUSED, GUESS, SEVERAL, VALID, ""] {
            for keys in ["", "t", "c", "?", "Y", "z", "v", "v v", "f", "i"] {
                let bed = Bed::on(text, width, height).press("esc").press(keys);
                assert_eq!(bed.screen().lines().count(), usize::from(height));
            }
        }
    }
    assert_eq!(
        Bed::on(LOSSY, 39, 20)
            .screen()
            .lines()
            .next()
            .unwrap()
            .trim(),
        "needs 40x10, has 39x20; q quits"
    );
    assert_eq!(Bed::on(LOSSY, 39, 20).press("q").code(), Some(1));
    assert_eq!(Bed::on(LOSSY, 39, 20).press("ctrl-c").code(), Some(130));
}

/// The modifiers of the cells that show `part`, in the first line that holds it from column `from` on.
fn modifiers(bed: &Bed, part: &str, from: usize) -> Modifier {
    let buffer = bed.buffer();
    for y in 0..buffer.area.height {
        let line: Vec<&str> = (0..buffer.area.width)
            .map(|x| buffer[(x, y)].symbol())
            .collect();
        for x in from..line.len() {
            if line[x..].concat().starts_with(part) {
                return buffer[(x as u16, y)].modifier;
            }
        }
    }
    panic!("no `{part}` in\n{}", bed.screen());
}

#[test]
fn spans_are_underlined_by_level_and_the_chosen_one_is_reversed_in_both_texts() {
    let double = Modifier::UNDERLINED | Modifier::SLOW_BLINK;
    let dotted = Modifier::UNDERLINED | Modifier::RAPID_BLINK;
    let dashed = double | dotted;
    let bed = Bed::on(GUESS, 120, 40).press("gg");
    // Source, left half.
    assert_eq!(modifiers(&bed, "'score", 0), Modifier::UNDERLINED);
    assert_eq!(modifiers(&bed, "NaN", 0), dashed);
    assert_eq!(modifiers(&bed, "012", 0), dotted);
    // The first quote of 'path' is the chosen edit.
    assert_eq!(
        modifiers(&bed, "'path", 0),
        Modifier::UNDERLINED | Modifier::REVERSED
    );
    assert_eq!(
        modifiers(&bed, "\"path", 60),
        Modifier::UNDERLINED | Modifier::REVERSED
    );
    // Output, right half: the source's text stands there while the guess is off.
    let bed = bed.press("] ]");
    assert_eq!(bed.rule(), "number-radix");
    assert_eq!(modifiers(&bed, "012", 0), dotted | Modifier::REVERSED);
    // It is also the place that is not JSON, which is bold.
    let there = modifiers(&bed, "012", 60);
    assert_eq!(there, dotted | Modifier::REVERSED | Modifier::BOLD);
    assert_eq!(modifiers(&bed, "null", 60), dashed);
    let bed = bed.press("] a");
    assert_eq!(modifiers(&bed, "null", 60) & double, double);
    assert!(!modifiers(&bed, "null", 60).contains(Modifier::RAPID_BLINK));
}

#[test]
fn the_row_of_the_chosen_edit_is_in_sight_and_marked() {
    let text = format!(
        "[{}]",
        (0..200)
            .map(|n| format!("NaN, Infinity, {n}"))
            .collect::<Vec<_>>()
            .join(",\n")
    );
    let mut bed = Bed::on(&text, 80, 24);
    for _ in 0..120 {
        bed = bed.press("]");
        assert!(bed.line("▸ [").contains("non-finite"));
    }
    // Both texts follow: the line of the edit stands in the middle third.
    assert!(bed.line("▸ [").contains(" 61:"), "{}", bed.line("▸ ["));
    let source: Vec<String> = bed
        .screen()
        .lines()
        .skip(2)
        .take(5)
        .map(str::to_owned)
        .collect();
    assert!(
        source[1..4]
            .iter()
            .any(|line| line.contains(" 61 ") || line.contains("│61 ")),
        "{source:?}"
    );
}

#[test]
fn detail_says_what_the_schema_wants() {
    let schema = serde_json::json!({"type": "object", "properties": {"lines": {"type": "integer"}, "score": {"type": "number"}}});
    let tool = ToolContext {
        schema: Some(Schema::new(schema).into()),
        ..ToolContext::named("write_file")
    };
    let bed = Bed::with(
        Options {
            tools: vec![tool],
            ..Options::default()
        },
        120,
        40,
    );
    let bed = bed
        .fail(call(436, "write_file", GUESS))
        .press("esc f enter [");
    assert!(
        bed.screen()
            .contains("schema: /lines wants an integer, both fit"),
        "{}",
        bed.screen()
    );
    let bed = bed.press("M a ]");
    assert!(
        bed.screen().contains("schema: /score wants a number"),
        "{}",
        bed.screen()
    );
}

#[test]
fn the_parts_of_a_full_screen_have_their_sizes() {
    use jsonmedic::app::layout::{Area, layout};
    let size = |area: Option<Area>| area.map(|area| (area.width, area.height));
    let full = layout(&Bed::on(LOSSY, 200, 60).app);
    assert_eq!(size(full.feed), Some((44, 56)));
    assert_eq!(
        (size(full.source), size(full.output)),
        (Some((78, 40)), Some((78, 40)))
    );
    assert_eq!(
        (size(full.edits), size(full.detail)),
        (Some((96, 16)), Some((60, 16)))
    );
    let wide = layout(&Bed::on(LOSSY, 120, 40).app);
    assert_eq!(
        (size(wide.source), size(wide.edits), size(wide.detail)),
        (Some((60, 21)), Some((66, 14)), Some((54, 14)))
    );
    let narrow = layout(&Bed::on(LOSSY, 100, 40).app);
    assert_eq!((size(narrow.edits), narrow.detail), (Some((100, 14)), None));
    let stacked = layout(&Bed::on(LOSSY, 80, 24).app);
    assert_eq!(
        (
            size(stacked.source),
            size(stacked.output),
            size(stacked.edits)
        ),
        (Some((80, 7)), Some((80, 6)), Some((80, 8)))
    );
}
