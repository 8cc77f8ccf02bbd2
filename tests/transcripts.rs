//! Every format, from files as agents leave them: the rows of `fixtures/transcripts/expected.jsonl`, and no other.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use jsonmedic::feed::{Follower, Start, Wanted, scan, walk};
use jsonmedic::transcript::formats::FORMATS;
use jsonmedic::transcript::{FailedCall, FeedEvent, Kinds, Register};
use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/transcripts")
}

fn below_root(path: &Path) -> String {
    let below = path.strip_prefix(root()).unwrap();
    below.to_string_lossy().replace('\\', "/")
}

/// What of a row is compared.
fn brief(call: &FailedCall) -> String {
    let badges: BTreeSet<&str> = call.badges.iter().map(|badge| badge.id()).collect();
    format!(
        "{}:{:?} {} {:?} {:?} {:?} {:?} {:?} {badges:?}",
        below_root(&call.origin.path),
        call.origin.line,
        call.kind.id(),
        call.call_id,
        call.tool,
        call.raw,
        call.raw_from.map(|from| from.id()),
        call.stop_reason,
    )
}

fn expected() -> Vec<String> {
    let text = fs::read_to_string(root().join("expected.jsonl")).unwrap();
    let rows = text.lines().map(|line| {
        let row: Value = serde_json::from_str(line).unwrap();
        let text = |name: &str| row[name].as_str().map(str::to_owned);
        let badges = row["badges"].as_array().unwrap();
        let badges: BTreeSet<&str> = badges.iter().filter_map(Value::as_str).collect();
        format!(
            "{}:{:?} {} {:?} {:?} {:?} {:?} {:?} {badges:?}",
            text("file").unwrap(),
            row["line"].as_u64(),
            text("kind").unwrap(),
            text("call_id"),
            text("tool"),
            text("raw"),
            text("raw_from"),
            text("stop_reason"),
        )
    });
    let mut rows: Vec<String> = rows.collect();
    rows.sort();
    rows
}

fn failed(events: Vec<FeedEvent>) -> Vec<FailedCall> {
    let calls = events.into_iter().filter_map(|event| match event {
        FeedEvent::Failed(call) => Some(*call),
        _ => None,
    });
    calls.collect()
}

fn scanned() -> Vec<FailedCall> {
    let mut events = Vec::new();
    let mut register = Register::new(Kinds::ALL);
    scan(&[root()], &Wanted::default(), &mut register, &mut |event| {
        events.push(event);
        true
    });
    failed(events)
}

#[test]
fn a_scan_finds_what_is_expected_and_nothing_else() {
    let mut found: Vec<String> = scanned().iter().map(brief).collect();
    found.sort();
    for (found, expected) in found.iter().zip(&expected()) {
        assert_eq!(found, expected);
    }
    assert_eq!(found.len(), expected().len());
}

#[test]
fn a_row_has_the_format_that_its_folder_is_named_after_and_none_is_missing() {
    let mut formats = BTreeSet::new();
    for call in scanned() {
        let path = below_root(&call.origin.path);
        assert!(
            path.starts_with(&format!("{}/", call.format)),
            "{path} is read as {}",
            call.format
        );
        formats.insert(call.format);
    }
    assert_eq!(formats, FORMATS.iter().map(|adapter| adapter.id).collect());
}

/// Logs that grow byte by byte, as far as they grow at all, say the same.
#[test]
fn a_log_that_grows_tells_the_same_rows() {
    let folder = tempfile::tempdir().unwrap();
    let mut now = std::time::Instant::now();
    let mut follower = Follower::new(Register::new(Kinds::ALL), Wanted::default());
    let mut events = Vec::new();
    for path in walk(&[root()]).files {
        let name = below_root(&path);
        if !name.contains('/') {
            continue;
        }
        let copy = folder.path().join(&name);
        fs::create_dir_all(copy.parent().unwrap()).unwrap();
        fs::write(&copy, "").unwrap();
        follower.follow(&copy, Start::End, now).unwrap();
        let text = fs::read(&path).unwrap();
        // In pieces that end nowhere in particular.
        for end in (0..text.len()).step_by(997).skip(1).chain([text.len()]) {
            fs::write(&copy, &text[..end]).unwrap();
            follower.hint(&copy, now).unwrap();
        }
        now += std::time::Duration::from_secs(120);
        follower.tick(now);
        events.append(&mut follower.events());
    }
    let original = |mut call: FailedCall| {
        let below = call.origin.path.strip_prefix(folder.path()).unwrap();
        call.origin.path = root().join(below);
        call
    };
    let mut found: Vec<String> = failed(events)
        .into_iter()
        .map(original)
        .map(|call| brief(&call))
        .collect();
    found.sort();
    for (found, expected) in found.iter().zip(&expected()) {
        assert_eq!(found, expected);
    }
    assert_eq!(found.len(), expected().len());
}
