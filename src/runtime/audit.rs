//! The audit file: one JSON line for a result that left, and why it may be trusted. Until the user says otherwise it
//! holds what somebody answered for, results with a loss or a guess, and no texts.

use std::path::Path;

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::clock;
use crate::app::event::AuditRecord;
use crate::files;
use crate::transcript::date;
use crate::visible;

/// What is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Audit {
    /// Nothing.
    Off,
    /// Rules, places and hashes of results with a loss or a guess: no texts.
    #[default]
    Reviewed,
    /// The same of every result.
    Hashes,
    /// Of every result, with the texts.
    Full,
}

#[derive(Serialize)]
struct Line<'a> {
    version: u32,
    time: String,
    left: &'a str,
    name: &'a str,
    tool: Option<&'a str>,
    strategy: &'a str,
    edits: Vec<Edit<'a>>,
    source: Text<'a>,
    output: Text<'a>,
}

#[derive(Serialize)]
struct Edit<'a> {
    rule: &'a str,
    safety: &'a str,
    start: u32,
    end: u32,
}

#[derive(Serialize)]
struct Text<'a> {
    bytes: usize,
    sha256: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
}

/// Adds the line to `audit.jsonl` in the state folder.
pub fn write(state: &Path, audit: Audit, record: &AuditRecord) -> Result<(), String> {
    if !wants(audit, record) {
        return Ok(());
    }
    let path = state.join("audit.jsonl");
    files::append_private(&path, &line(audit, record, clock::unix()))
        .map_err(|error| format!("{}: {}", files::shown(&path), files::words(&error)))
}

fn wants(audit: Audit, record: &AuditRecord) -> bool {
    match audit {
        Audit::Off => false,
        Audit::Reviewed => record.edits.iter().any(|(_, safety, _)| *safety != "safe"),
        Audit::Hashes | Audit::Full => true,
    }
}

fn line(audit: Audit, record: &AuditRecord, unix: i64) -> String {
    let text = |text| Text {
        bytes: str::len(text),
        sha256: hash(text),
        text: (audit == Audit::Full).then_some(text),
    };
    let line = Line {
        version: 1,
        time: date::stamp(unix),
        left: &record.left,
        name: &record.name,
        tool: record.tool.as_deref(),
        strategy: record.strategy,
        edits: record
            .edits
            .iter()
            .map(|(rule, safety, span)| Edit {
                rule,
                safety,
                start: span.start,
                end: span.end,
            })
            .collect(),
        source: text(&record.source),
        output: text(&record.output),
    };
    let mut out = Vec::new();
    // Writing into memory does not fail.
    let _ = visible::write_json(&mut out, &line);
    out.push(b'\n');
    String::from_utf8_lossy(&out).into_owned()
}

fn hash(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repair::Span;
    use std::sync::Arc;

    #[test]
    fn what_was_answered_for_is_written_unless_the_user_says_otherwise() {
        let record = |edits| AuditRecord {
            left: "copied".into(),
            name: "a.json".into(),
            tool: None,
            strategy: "with-losses",
            edits,
            source: Arc::new("abc".into()),
            output: Arc::new("abc".into()),
        };
        let safe = record(vec![("trailing-comma", "safe", Span::new(1, 2))]);
        let lossy = record(vec![
            ("trailing-comma", "safe", Span::new(1, 2)),
            ("cut-off", "lossy", Span::new(3, 3)),
        ]);
        for (audit, of_safe, of_lossy) in [
            (Audit::Off, false, false),
            (Audit::Reviewed, false, true),
            (Audit::Hashes, true, true),
            (Audit::Full, true, true),
        ] {
            assert_eq!(
                (wants(audit, &safe), wants(audit, &lossy)),
                (of_safe, of_lossy),
                "{audit:?}"
            );
        }
    }

    #[test]
    fn texts_are_hashed_unless_the_user_wants_them() {
        let record = AuditRecord {
            left: "copied".into(),
            name: "a\u{1b}.json".into(),
            tool: Some("Edit".into()),
            strategy: "with-losses",
            edits: vec![("cut-off", "lossy", Span::new(1, 1))],
            source: Arc::new("abc".into()),
            output: Arc::new(String::new()),
        };
        let head = r#"{"version":1,"time":"1970-01-01T00:00:00Z","left":"copied","name":"a\u001b.json","tool":"Edit","strategy":"with-losses","edits":[{"rule":"cut-off","safety":"lossy","start":1,"end":1}],"#;
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let none = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        for (audit, source, output) in [
            (Audit::Hashes, "", ""),
            (Audit::Full, r#","text":"abc""#, r#","text":"""#),
        ] {
            let want = format!(
                r#"{head}"source":{{"bytes":3,"sha256":"{abc}"{source}}},"output":{{"bytes":0,"sha256":"{none}"{output}}}}}"#
            );
            assert_eq!(line(audit, &record, 0), want + "\n");
        }
    }
}
