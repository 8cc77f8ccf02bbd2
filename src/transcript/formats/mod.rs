//! The log formats that are known: one adapter a file, all of them in one table.

use std::path::Path;

use super::classify;
use super::date;
use super::fact::{Fact, Record};
use super::node::{self, Node};

mod anthropic_messages;
mod bedrock_converse;
mod chatcli;
mod claude_code;
mod cline;
mod codex;
mod completion;
mod continue_dev;
mod declared;
mod gemini_api;
mod gemini_cli;
mod goose;
mod langchain_run;
mod litellm;
mod mcp_jsonrpc;
mod mini_swe_agent;
mod openai_chat;
mod openai_chat_sse;
mod openai_responses;
mod opencode;
mod openhands;
mod pi;
mod qwen_code;
mod raw_completions;
mod roo_code;
mod swe_agent;

/// How one agent writes its log. Stateless: a record in, facts out.
pub struct Adapter {
    /// Its name, the `format` of a row.
    pub id: &'static str,
    /// Where such logs lie, in words.
    pub lives: &'static str,
    /// What of a broken call survives in them, in words.
    pub keeps: &'static str,
    /// Whether a record is of this format. Asked of the first records of a file until one says yes.
    pub sniff: fn(&Record<'_>) -> bool,
    /// The facts of a record.
    pub read: fn(&Record<'_>, &mut Vec<Fact>),
    /// A line without any of these texts holds no fact; empty if every line has to be read.
    pub marks: &'static [&'static str],
    /// What may show a failure; empty if every marked line has to be read.
    pub alarms: &'static [Alarm],
    /// A text that stands in every line which holds a call. Used with `alarms`.
    pub call: &'static str,
    /// Texts of the lines that say what holds from there on: a session, a model. Used with `alarms`.
    pub context: &'static [&'static str],
    /// Whether lines that are no JSON mean something.
    pub reads_garbage: bool,
    /// Whether ids of calls are unique only inside a file or connection.
    pub local_ids: bool,
}

impl Adapter {
    /// A format whose lines are all read, and mean something only as JSON. It knows no record: `sniff` and `read` are for
    /// each format to say.
    const SIMPLE: Adapter = Adapter {
        id: "",
        lives: "",
        keeps: "",
        sniff: |_| false,
        read: |_, _| {},
        marks: &[],
        alarms: &[],
        call: "",
        context: &[],
        reads_garbage: false,
        local_ids: false,
    };
}

impl std::fmt::Debug for Adapter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id)
    }
}

/// A text in a log, and a look at what stands behind it.
pub struct Alarm {
    /// The text.
    pub needle: &'static str,
    /// Whether the line has to be read, from the whole buffer and the byte behind the text.
    pub check: fn(&[u8], usize) -> bool,
}

/// All adapters, in the order in which they are asked: those that are surest of their format first.
pub static FORMATS: &[Adapter] = &[
    claude_code::ADAPTER,
    codex::ADAPTER,
    qwen_code::ADAPTER,
    gemini_cli::ADAPTER,
    pi::ADAPTER,
    goose::ADAPTER,
    litellm::ADAPTER,
    langchain_run::ADAPTER,
    openhands::ADAPTER,
    opencode::ADAPTER,
    continue_dev::ADAPTER,
    mini_swe_agent::ADAPTER,
    swe_agent::ADAPTER,
    chatcli::ADAPTER,
    mcp_jsonrpc::ADAPTER,
    bedrock_converse::ADAPTER,
    gemini_api::ADAPTER,
    openai_responses::ADAPTER,
    anthropic_messages::ADAPTER,
    openai_chat_sse::ADAPTER,
    raw_completions::ADAPTER,
    roo_code::ADAPTER,
    cline::ADAPTER,
    openai_chat::ADAPTER,
];

/// Logs that are known and not read, and why.
pub static NOT_READ: &[(&str, &str, &str)] = &[
    (
        "crush",
        "<project>/.crush/crush.db",
        "an SQLite store; not read yet",
    ),
    (
        "goose (new)",
        "~/.local/share/goose/sessions/sessions.db",
        "an SQLite store; not read yet",
    ),
    (
        "opencode (newest)",
        "~/.local/share/opencode/*.db",
        "an SQLite store; not read yet",
    ),
    (
        "cursor",
        "<settings>/Cursor/User/globalStorage/state.vscdb",
        "an SQLite store; not read yet",
    ),
    (
        "zed",
        "~/.local/share/zed/threads/threads.db",
        "an SQLite store; not read yet",
    ),
    (
        "aider",
        "<project>/.aider.chat.history.md",
        "no tool calls: edits are search and replace blocks, which may hold broken JSON on purpose",
    ),
];

/// The adapter of that name.
pub fn find(id: &str) -> Option<&'static Adapter> {
    FORMATS.iter().find(|adapter| adapter.id == id)
}

/// The adapter of the format that a record is of.
pub fn sniff(record: &Record<'_>) -> Option<&'static Adapter> {
    FORMATS.iter().find(|adapter| (adapter.sniff)(record))
}

/// The calls in a text without a log around it, in the markup of a model family; `None` if there are none.
pub(super) fn pasted(record: &Record<'_>, out: &mut Vec<Fact>) -> Option<&'static Adapter> {
    let text = std::str::from_utf8(record.bytes).ok()?;
    raw_completions::read_pasted(record, text, out);
    let adapter = FORMATS
        .iter()
        .find(|adapter| adapter.id == raw_completions::ADAPTER.id);
    adapter.filter(|_| !out.is_empty())
}

/// The folder whose files share their calls with the file at `path`, for agents that write a file an event.
pub fn group(path: &Path) -> Option<&Path> {
    let folder = path.parent()?;
    let name = path.file_name()?.to_str()?;
    if folder.file_name()? == "events" && name.starts_with("event-") {
        return Some(folder);
    }
    let mut below = folder.ancestors().zip(folder.ancestors().skip(1));
    below
        .find(|(kind, store)| {
            let is_kind = kind
                .file_name()
                .is_some_and(|kind| kind == "part" || kind == "message");
            is_kind && store.file_name().is_some_and(|store| store == "storage")
        })
        .map(|(_, store)| store)
}

/// An alarm that needs no second look.
fn always(_: &[u8], _: usize) -> bool {
    true
}

/// Whether the member whose name ends before `at` has the value `true`.
fn is_true(text: &[u8], at: usize) -> bool {
    member_value(text, at).is_some_and(|at| text[at..].starts_with(b"true"))
}

/// Whether the member whose name ends before `at` is a string that is no JSON text.
fn is_unreadable(text: &[u8], at: usize) -> bool {
    let Some(at) = member_value(text, at).filter(|at| text[*at] == b'"') else {
        return false;
    };
    // Blank arguments count as none.
    let raw = node::string_at(text, at);
    raw.is_none_or(|raw| !raw.trim().is_empty() && !classify::parses(&raw))
}

/// The byte at which the value of the member begins whose name ends before `at`. White space may stand there:
/// some agents write it.
fn member_value(text: &[u8], at: usize) -> Option<usize> {
    let is_space = |byte: &&u8| matches!(byte, b' ' | b'\t');
    let colon = at + text.get(at..)?.iter().take_while(is_space).count();
    let rest = text.get(colon..)?.strip_prefix(b":")?;
    let value = colon + 1 + rest.iter().take_while(is_space).count();
    (value < text.len()).then_some(value)
}

/// The text of a content field: a string, or the texts of its blocks, one a line.
fn content_text(content: Node<'_>) -> String {
    if let Some(text) = content.string() {
        return text;
    }
    let texts: Vec<String> = content
        .items()
        .filter_map(|block| {
            block.string().or_else(|| {
                let [text, inner] = block.fields(["text", "content"]);
                text.or(inner).and_then(Node::string)
            })
        })
        .collect();
    texts.join("\n")
}

/// As [`content_text`], but only as much of a long text as a complaint may have.
fn content_head(content: Node<'_>) -> String {
    const ENOUGH: usize = 4096;
    match content.head(ENOUGH) {
        Some(text) => text.into_owned(),
        None => content_text(content),
    }
}

/// When a record was written, by the names that programs give it.
fn time_of(node: Node<'_>) -> Option<String> {
    let [ts, timestamp, time, created_at, created] =
        node.fields(["ts", "timestamp", "time", "created_at", "created"]);
    let found = ts.or(timestamp).or(time).or(created_at).or(created)?;
    found
        .string()
        .or_else(|| found.number().and_then(time_from_number))
}

/// Seconds or milliseconds since 1970 as RFC 3339; small numbers are counters and not times.
fn time_from_number(number: f64) -> Option<String> {
    if number < 1e9 {
        None
    } else if number < 1e11 {
        Some(date::stamp_millis((number * 1000.0) as i64))
    } else {
        Some(date::stamp_millis(number as i64))
    }
}

/// The rows of a log, one a line: kind, tool, text, where it comes from, badges. What is missing is left out.
#[cfg(test)]
fn rows(log: &str) -> String {
    let rows: Vec<String> = super::read_all("log".as_ref(), log.as_bytes())
        .into_iter()
        .map(|call| {
            let mut words = vec![call.kind.id().to_owned()];
            words.extend(call.tool);
            words.extend(call.raw);
            words.extend(call.raw_from.map(|from| from.id().to_owned()));
            words.extend(call.badges.iter().map(|badge| badge.id().to_owned()));
            words.join(" ")
        })
        .collect();
    rows.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_every_alarm_comes_with_a_call_mark() {
        for (index, adapter) in FORMATS.iter().enumerate() {
            let same = FORMATS.iter().position(|other| other.id == adapter.id);
            assert_eq!(same, Some(index), "{}", adapter.id);
            assert_eq!(
                adapter.alarms.is_empty(),
                adapter.call.is_empty(),
                "{}",
                adapter.id
            );
        }
    }

    #[test]
    fn a_second_look_takes_the_white_space_that_agents_write() {
        for (line, check, wanted) in [
            (
                r#"{"is_error":true}"#,
                is_true as fn(&[u8], usize) -> bool,
                true,
            ),
            (r#"{"is_error" : true}"#, is_true, true),
            (r#"{"is_error":false}"#, is_true, false),
            (r#"{"is_error""#, is_true, false),
            (r#"{"is_error":"{}"}"#, is_unreadable, false),
            (r#"{"is_error": "{\"a\":1,}"}"#, is_unreadable, true),
            (r#"{"is_error": "{\"a\":1}"}"#, is_unreadable, false),
            (r#"{"is_error": {"a":1}}"#, is_unreadable, false),
        ] {
            assert_eq!(check(line.as_bytes(), 11), wanted, "{line}");
        }
    }

    #[test]
    fn files_of_an_event_each_belong_together() {
        for (path, folder) in [
            ("/c/1/events/event-00001-a.json", Some("/c/1/events")),
            ("/c/1/events/notes.json", None),
            ("/d/storage/part/m1/p1.json", Some("/d/storage")),
            ("/d/storage/message/s1/m1.json", Some("/d/storage")),
            ("/d/storage/log.jsonl", None),
            ("x.jsonl", None),
        ] {
            assert_eq!(group(path.as_ref()), folder.map(Path::new), "{path}");
        }
    }

    #[test]
    fn times_in_numbers_become_dates() {
        for (number, wanted) in [
            (1_000_000_000.5, Some("2001-09-09T01:46:40.500Z")),
            (2_147_483_648_000.0, Some("2038-01-19T03:14:08.000Z")),
            (12.0, None),
        ] {
            assert_eq!(time_from_number(number).as_deref(), wanted);
        }
    }
}
