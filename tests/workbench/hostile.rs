//! Hostile text through every widget: no control, bidi, zero-width or tag character ever stands in a cell.

use jsonmedic::app::{Event, Options, Outcome};
use jsonmedic::repair::{Schema, ToolContext};
use jsonmedic::transcript::{Badge, FeedEvent, Retry};

use crate::bed::*;

/// Escapes, queries, clipboard writes, C1, bidi, zero-width, tags, a BOM, and more marks than fit a cell.
const EVIL: &str = "\u{1b}]52;c;ZXZpbA==\u{7}\u{1b}[2J\u{9b}6n\u{90}\u{0}\u{8}\u{e}\u{7f}\u{202e}\u{2066}\u{200b}\u{feff}\u{e0041}\u{ad}a\u{301}\u{301}";

fn check(bed: &Bed, what: &str) {
    for cell in &bed.buffer().content {
        for character in cell.symbol().chars() {
            assert!(
                jsonmedic::visible::stand_in(character).is_none(),
                "{what}: U+{:04X} in a cell\n{:?}",
                character as u32,
                cell.symbol()
            );
        }
        assert!(cell.symbol().len() <= 64, "{what}: {:?}", cell.symbol());
    }
}

/// The same characters as JSON escapes, which a decoder would turn back.
fn escaped() -> String {
    EVIL.chars()
        .map(|character| format!("\\u{:04x}", (character as u32).min(0xffff)))
        .collect()
}

fn call_of(raw: &str) -> jsonmedic::transcript::FailedCall {
    let mut one = call(1, EVIL, raw);
    one.origin.path = format!("/tmp/{EVIL}.jsonl").into();
    one.stop_reason = Some(EVIL.into());
    one.complaint = Some(EVIL.into());
    one.badges = vec![Badge::LogClipped, Badge::RepairedUpstream];
    one.session = Some(EVIL.into());
    one.retry = Some(Retry {
        call_id: None,
        line: Some(2),
        equal: false,
        raw: format!("{{\"a\": \"{}\"}}", escaped()),
    });
    one
}

fn bed(raw: &str, width: u16, height: u16) -> Bed {
    let schema = serde_json::json!({"type": "object", "properties": {EVIL: {"type": "string"}}, "required": [EVIL]});
    let tool = ToolContext {
        schema: Some(Schema::new(schema).into()),
        ..ToolContext::named(EVIL)
    };
    let options = Options {
        roots: vec![EVIL.into()],
        tools: vec![tool],
        feed: true,
        ..Options::default()
    };
    Bed::with(options, width, height).fail(call_of(raw))
}

#[test]
fn no_widget_lets_it_through() {
    let texts = [
        format!("{{'a{EVIL}': '{EVIL}', {EVIL}: 1, b: NaN, 'c': 012,}}"),
        format!("{{\"a\": ...{EVIL}}}"),
        EVIL.to_string(),
        format!("{{\"a\": \"{}\"}}", escaped()),
        format!("{{\"a\":\"{EVIL}\"}}{{\"b\":\"{EVIL}\"}}"),
        format!(
            "{{\"{}\": [1, {{\"x{EVIL}\": 2}}],",
            "\u{301}".repeat(3_000)
        ),
    ];
    for text in &texts {
        for (width, height) in [(40, 10), (80, 24), (120, 40), (200, 60)] {
            // Every list once at the usual sizes, the panes at all of them.
            let usual = (width, height) == (80, 24) || (width, height) == (120, 40);
            for keys in [
                "",
                "enter",
                "enter t",
                "enter t gg",
                "enter c",
                "enter ?",
                "enter :",
                "enter Y",
                "enter !",
                "enter s",
                "enter v",
                "enter v v",
                "enter v v v",
                "enter i",
                "enter M a",
                "enter M a v v",
                "enter 1 z",
                "enter 2 z",
                "enter 3 z",
                "enter W L L",
                "/ ",
                "tab",
                "enter m",
                "enter c b",
                "enter y",
                "enter w",
            ] {
                if usual || keys.len() < 8 {
                    check(&bed(text, width, height).press(keys), keys);
                }
            }
        }
    }
}

#[test]
fn titles_prompts_messages_and_errors_neither() {
    let mut one = bed("{'a': 1}", 80, 24);
    one.send(Event::Feed(FeedEvent::Note(EVIL.into())));
    check(&one, "note");
    one.send(Event::Say(EVIL.into()));
    check(&one, "message");
    check(&one.press("!"), "messages");
    let one = bed("{'a': 1}", 80, 24).press("enter y a").answer(Err(EVIL));
    check(&one, "error");
    let one = bed("{'a': 1}", 80, 24)
        .press("enter y a")
        .answer(Ok(Outcome::Copied { route: EVIL.into() }));
    check(&one, "route");
    for keys in ["enter /", "/", "enter o", "enter :", "enter s"] {
        check(&bed("{'a': 1}", 80, 24).press(keys).paste(EVIL), keys);
    }
    let one = Bed::new(80, 24).open(EVIL, EVIL, Some(EVIL));
    check(&one, "document");
    check(&one.press("esc w"), "write");
    let one = Bed::new(80, 24).paste(EVIL);
    check(&one, "insert");
    let mut one = Bed::new(80, 24);
    one.send(Event::Draft(jsonmedic::app::Draft {
        name: EVIL.into(),
        ..Default::default()
    }));
    check(&one, "draft");
}

#[test]
fn copies_hold_the_true_bytes() {
    let text = format!(
        "{{\"a\": \"{}\"}}",
        EVIL.replace(|character: char| (character as u32) < 0x20, "")
    );
    let bed = Bed::on(&text, 80, 24).press("y");
    assert_eq!(bed.copied(), Some(text.as_str()));
    assert_eq!(Bed::on(EVIL, 80, 24).press("Y s").copied(), Some(EVIL));
}
