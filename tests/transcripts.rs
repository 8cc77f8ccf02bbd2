//! Every format, from files as agents leave them: the rows of `fixtures/transcripts/expected.jsonl`, and no other.

#[path = "texts/logs.rs"]
mod logs;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use jsonmedic::feed::{Follower, Start, Wanted, scan, walk};
use jsonmedic::transcript::formats::FORMATS;
use jsonmedic::transcript::{FailedCall, FeedEvent, Kinds, Register, read_all};
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

/// JSON with a space behind each comma and colon, as Python's writer leaves it.
struct Spaced;

impl serde_json::ser::Formatter for Spaced {
    fn begin_array_value<W: ?Sized + std::io::Write>(
        &mut self,
        out: &mut W,
        first: bool,
    ) -> std::io::Result<()> {
        out.write_all(if first { b"" } else { b", " })
    }

    fn begin_object_key<W: ?Sized + std::io::Write>(
        &mut self,
        out: &mut W,
        first: bool,
    ) -> std::io::Result<()> {
        out.write_all(if first { b"" } else { b", " })
    }

    fn begin_object_value<W: ?Sized + std::io::Write>(
        &mut self,
        out: &mut W,
    ) -> std::io::Result<()> {
        out.write_all(b": ")
    }
}

/// The members of each object in the opposite order, but for arguments, of which the order is the model's.
fn reversed(value: Value) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(reversed).collect(),
        Value::Object(members) => {
            let turned = members.into_iter().rev().map(|(name, value)| {
                let is_kept = ["input", "args", "arguments", "parsedArgs", "parameters"]
                    .contains(&name.as_str());
                let value = if is_kept { value } else { reversed(value) };
                (name, value)
            });
            Value::Object(turned.collect())
        }
        other => other,
    }
}

/// A log with each line's JSON written by `write`.
fn rewritten(text: &str, write: &dyn Fn(Value) -> String) -> String {
    if let Ok(document) = serde_json::from_str::<Value>(text) {
        return write(document);
    }
    let line = |line: &str| {
        let (head, body) = match line.strip_prefix("data:") {
            Some(body) => ("data: ", body),
            None => ("", line),
        };
        match serde_json::from_str::<Value>(body) {
            Ok(value) if value.is_object() || value.is_array() => head.to_owned() + &write(value),
            _ => line.to_owned(),
        }
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// However a program writes its JSON, the rows are the same.
#[test]
fn the_order_of_members_and_the_white_space_between_them_say_nothing() {
    let spaced = |value: Value| {
        let mut out = Vec::new();
        let mut writer = serde_json::Serializer::with_formatter(&mut out, Spaced);
        serde::Serialize::serialize(&value, &mut writer).unwrap();
        String::from_utf8(out).unwrap()
    };
    // Without line, since a document in one line has others.
    let told = |path: &Path, text: &str| {
        let mut rows: Vec<String> = read_all(path, text.as_bytes())
            .into_iter()
            .map(|mut call| {
                call.origin.line = None;
                format!("{} {:?} {:?}", brief(&call), call.session, call.model)
            })
            .collect();
        rows.sort();
        rows
    };
    let mut rows = 0;
    for path in walk(&[root()]).files {
        let text = fs::read_to_string(&path).unwrap();
        let wanted = told(&path, &text);
        rows += wanted.len();
        for (name, other) in [
            ("spaced", rewritten(&text, &spaced)),
            ("compact", rewritten(&text, &|value| value.to_string())),
            (
                "reversed",
                rewritten(&text, &|value| reversed(value).to_string()),
            ),
            (
                "slashes",
                rewritten(&text, &|value| {
                    value
                        .to_string()
                        .replace('/', "\\/")
                        .replace('<', "\\u003c")
                }),
            ),
            ("carriage returns", text.replace('\n', "\r\n")),
            ("no last line break", text.trim_end().to_owned()),
            ("byte order mark", format!("\u{feff}{text}")),
        ] {
            assert_eq!(told(&path, &other), wanted, "{name}: {}", path.display());
        }
    }
    assert!(50 < rows, "{rows}");
}

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides.max(1)
    }
}

/// A text with some of its bytes gone, doubled or other ones.
fn damaged(text: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut text = text.to_vec();
    for _ in 0..1 + dice.roll(8) {
        let at = dice.roll(text.len());
        let to = (at + dice.roll(40)).min(text.len());
        match dice.roll(6) {
            0 => drop(text.drain(at..to)),
            1 => text.truncate(at),
            2 => {
                let part = text[at..to].to_vec();
                let place = dice.roll(text.len());
                text.splice(place..place, part);
            }
            3 if at < text.len() => text[at] = b"\"\\{}[],:\n<>|'\xff\0"[dice.roll(15)],
            4 => drop(text.splice(at..at, "日\u{202e}</function>".bytes())),
            _ => text.splice(at..at, *b"\\u").for_each(drop),
        }
    }
    text
}

#[test]
fn damaged_logs_never_stop_the_reader() {
    let logs: Vec<Vec<u8>> = walk(&[root()])
        .files
        .iter()
        .map(|path| fs::read(path).unwrap())
        .collect();
    let mut dice = Dice(1);
    for _ in 0..1500 {
        let log = &logs[dice.roll(logs.len())];
        let text = damaged(log, &mut dice);
        logs::in_pieces(&text, dice.roll(text.len()));
    }
}

/// Arguments in pieces of any length.
#[test]
fn streamed_pieces_are_joined_as_they_were() {
    let mut dice = Dice(1);
    for text in [
        "{}",
        "",
        " ",
        "{\"a\": \"日本\\n\"}",
        "{'a': 1,}",
        "{\"a\": \"x\ny\t🚀",
        "{\"a\": 1}{\"b\": 2}",
        "data: [DONE]",
        "\u{feff}{a: \\u00e9}",
    ] {
        for _ in 0..50 {
            logs::joined(text, || 1 + dice.roll(9));
        }
    }
}

/// Texts of which a part repeats so often that looking far from each place would take for ever.
#[test]
fn time_stays_in_proportion() {
    let line = |text: &str| {
        let text = Value::from(text);
        format!(
            r#"{{"object":"text_completion","choices":[{{"text":{text},"finish_reason":"stop"}}]}}"#
        )
    };
    let claude = |text: &str| {
        let text = Value::from(text);
        format!(
            r#"{{"sessionId":"s","isSidechain":false,"type":"assistant","message":{{"id":"m","role":"assistant","content":[{{"type":"text","text":{text}}}]}}}}"#
        )
    };
    let chatcli = |text: &str| {
        format!(
            r#"{{"version":2,"chat_history":[{{"role":"assistant","content":{}}}]}}"#,
            Value::from(text)
        )
    };
    let start = std::time::Instant::now();
    for unit in [
        "<tool_call>",
        "<tool_call>{",
        "<tool_call>x<arg_key>",
        "<function=f>",
        "<function=f><parameter=a>",
        ">>>f\n{",
        "[TOOL_CALLS][",
        "[TOOL_CALLS]f[ARGS]{",
        "<｜tool▁call▁begin｜>f<｜tool▁sep｜>{",
        "<｜DSML｜invoke name=\"f\">",
        "<|tool_call_begin|>f<|tool_call_argument_begin|>{",
        "<|channel|>to=functions.f<|message|>{",
        "Action: f\nAction Input: {\n",
        "<minimax:tool_call><invoke name=\"f\">",
        "<|python_tag|>{",
        "<invoke name=\"f\">\n",
        "<tool_call name=\"f\" args='{ />",
    ] {
        let text = unit.repeat((1 << 18) / unit.len());
        for log in [line(&text), claude(&text), chatcli(&text)] {
            read_all(Path::new("log"), log.as_bytes());
        }
    }
    let lines = "{\"type\":\"function_call\",\"arguments\":\"{\",\"call_id\":\"c\"".repeat(1 << 14);
    read_all(Path::new("log"), lines.as_bytes());
    // A second each, unoptimised and on a busy machine, where quadratic time would be hours.
    assert!(
        start.elapsed() < std::time::Duration::from_secs(120),
        "{:?}",
        start.elapsed()
    );
}
