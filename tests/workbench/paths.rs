//! Paths that are typed and dropped.

use jsonmedic::app::paths::Completed;
use jsonmedic::app::{Document, Effect, Outcome};

use crate::bed::*;
use crate::texts::*;

fn opened(text: &str) -> Result<Outcome, &'static str> {
    Ok(Outcome::Opened(Document {
        name: "/tmp/a.json".into(),
        text: std::sync::Arc::new(text.into()),
        ..Document::default()
    }))
}

#[test]
fn a_dropped_path_is_opened_and_a_text_that_looks_like_one_stays_a_text() {
    // In Normal and on an empty Bench, which is in Insert mode.
    for bed in [Bed::on(SAFE, 80, 24), Bed::new(80, 24)] {
        let bed = bed.paste("'/tmp/a.json' ");
        let asked = bed.asked.last();
        assert!(
            matches!(asked, Some(Effect::OpenFile { path, .. }) if path.as_os_str() == "/tmp/a.json"),
            "{asked:?}"
        );
        let bed = bed.answer(opened("{'from': 'a file'}"));
        assert_eq!(bed.output(), r#"{"from": "a file"}"#);
        assert!(bed.line("BENCH").contains("/tmp/a.json"));
    }
    let bed = Bed::on(SAFE, 80, 24)
        .paste("/items/0")
        .answer(Err("no such file"));
    assert_eq!(bed.app.bench.doc.source.as_str(), "/items/0");
    assert!(bed.status().contains("taken as a text"), "{}", bed.status());
    // Where text is typed, a path is text.
    let bed = Bed::new(80, 24).press("\"[").paste("/tmp/a.json");
    assert_eq!(
        bed.press("F5").app.bench.doc.source.as_str(),
        "[/tmp/a.json"
    );
    let bed = Bed::on(SAFE, 80, 24).press("o").paste("/tmp/a.json");
    assert_eq!(
        bed.app
            .prompt
            .as_ref()
            .map(|prompt| prompt.line.text.as_str()),
        Some("/tmp/a.json")
    );
}

#[test]
fn tab_completes_a_path() {
    let found = |typed: &str, text: &str, names: &[&str]| {
        Ok(Outcome::Completed(Completed {
            typed: typed.into(),
            text: text.into(),
            names: names.iter().map(|name| (*name).to_owned()).collect(),
        }))
    };
    let line = |bed: &Bed| {
        bed.app
            .prompt
            .as_ref()
            .map(|prompt| prompt.line.text.clone())
    };
    let bed = Bed::on(SAFE, 80, 24).press("o \"re tab");
    assert!(matches!(bed.asked.last(), Some(Effect::Complete { typed, .. }) if typed == "re"));
    let bed = bed.answer(found("re", "reply-", &["reply-1.json", "reply-\u{202e}2"]));
    assert_eq!(line(&bed).as_deref(), Some("reply-"));
    assert!(bed.screen().contains("reply-1.json  reply-⟨202E⟩2"));
    // The next key takes the names away; an answer to another line is dropped.
    let bed = bed.press("\"1");
    assert!(!bed.screen().contains("reply-1.json"));
    let bed = bed
        .press("tab \"x")
        .answer(found("reply-1", "reply-1.json", &["reply-1.json"]));
    assert_eq!(line(&bed).as_deref(), Some("reply-1x"));
    let bed = bed.press("tab").answer(found("reply-1x", "reply-1x", &[]));
    assert!(
        bed.app
            .message()
            .is_some_and(|text| text.contains("begins so"))
    );
    // Where no path is typed there is nothing to complete.
    let bed = Bed::on(SAFE, 80, 24).press("/ \"a tab");
    assert!(
        !bed.asked
            .iter()
            .any(|effect| matches!(effect, Effect::Complete { .. }))
    );
    assert!(!bed.screen().contains("tab completes"));
}
