//! Claude Code: one JSON object a line, one content block a message line, an object as a call's input.

use super::{Adapter, Alarm, always, content_text, is_true};
use crate::transcript::call::RawFrom;
use crate::transcript::fact::{Answer, Call, Fact, Reading, Record, Verdict};
use crate::transcript::node::Node;

pub(super) const ADAPTER: Adapter = Adapter {
    id: "claude-code",
    lives: "~/.claude/projects (or $CLAUDE_CONFIG_DIR/projects), sub-agents included; stream-json output",
    keeps: "about the first 2 KB of unreadable arguments; older versions keep nothing of them",
    sniff,
    read,
    marks: &["tool_use", "tool_result", "invoke name=", "\"stop_reason\""],
    alarms: &[
        Alarm {
            needle: "\"is_error\"",
            check: is_true,
        },
        Alarm {
            needle: "__unparsedToolInput",
            check: always,
        },
        Alarm {
            needle: "invoke name=",
            check: always,
        },
    ],
    call: "\"tool_use\"",
    ..Adapter::SIMPLE
};

/// Leaked calls of one text that are listed.
const MAX_LEAKS: usize = 64;
/// The first version that keeps what it cannot parse. Older ones store an empty object instead.
const KEEPS_UNPARSED: [u32; 3] = [2, 1, 181];

fn sniff(record: &Record<'_>) -> bool {
    let Some(node) = record.node else {
        return false;
    };
    let [kind, session, stream, message, sidechain, subtype, data] = node.fields([
        "type",
        "sessionId",
        "session_id",
        "message",
        "isSidechain",
        "subtype",
        "data",
    ]);
    let is_progress = || {
        let inner = data.and_then(|data| data.get("type"));
        inner.is_some_and(|inner| inner.is("agent_progress"))
    };
    let has_content = message.is_some_and(|message| message.get("content").is_some());
    kind.is_some_and(Node::is_string)
        && ((session.is_some() && (has_content || sidechain.is_some() || is_progress()))
            || (stream.is_some() && (has_content || subtype.is_some())))
}

fn read(record: &Record<'_>, out: &mut Vec<Fact>) {
    let Some(node) = record.node else { return };
    let [message, session, stream, time, version, data, failed] = node.fields([
        "message",
        "sessionId",
        "session_id",
        "timestamp",
        "version",
        "data",
        "isApiErrorMessage",
    ]);
    // A sub-agent's progress wraps the same kind of line.
    let inline = data.and_then(|data| data.path(&["message", "message"]));
    let Some(message) = message.or(inline) else {
        return;
    };
    let [role, id, model, content, stop] =
        message.fields(["role", "id", "model", "content", "stop_reason"]);
    let line = Line {
        record,
        session: session.or(stream).and_then(Node::string),
        time: time.and_then(Node::string),
        is_old: version
            .and_then(Node::text)
            .is_none_or(|version| is_old(&version)),
        message: id.and_then(Node::string),
        model: model
            .filter(|model| !model.is("<synthetic>"))
            .and_then(Node::string),
        stop: stop.and_then(Node::string),
    };
    let is_model =
        role.is_some_and(|role| role.is("assistant")) && !failed.is_some_and(Node::is_true);
    for block in content.into_iter().flat_map(Node::items) {
        let Some(kind) = block.get("type") else {
            continue;
        };
        if kind.is("tool_use") {
            out.push(Fact::Called(line.call(block)));
        } else if kind.is("tool_result") {
            out.extend(line.answer(block).map(Fact::Answered));
        } else if is_model && kind.is("text") {
            line.leaks(block, out);
        }
    }
    if let (Some(message), Some(reason)) = (line.message, line.stop) {
        out.push(Fact::Stopped { message, reason });
    }
}

/// What all blocks of a line share.
struct Line<'a> {
    record: &'a Record<'a>,
    session: Option<String>,
    time: Option<String>,
    is_old: bool,
    message: Option<String>,
    model: Option<String>,
    stop: Option<String>,
}

impl Line<'_> {
    fn blank(&self, place: Node<'_>) -> Call {
        Call {
            place: self.record.place_at(place),
            session: self.session.clone(),
            time: self.time.clone(),
            message: self.message.clone(),
            model: self.model.clone(),
            stop: self.stop.clone(),
            ..Call::default()
        }
    }

    fn call(&self, block: Node<'_>) -> Call {
        let [id, name, input] = block.fields(["id", "name", "input"]);
        let mut call = Call {
            id: id.and_then(Node::string),
            tool: name.and_then(Node::string),
            reading: Reading::Parsed,
            ..self.blank(block)
        };
        let Some(input) = input else { return call };
        match input.get("__unparsedToolInput") {
            Some(unparsed) => {
                let [raw, len] = unparsed.fields(["raw", "len"]);
                call.raw = raw.and_then(Node::string);
                call.raw_from = raw.map(|_| RawFrom::Verbatim);
                call.clipped = match (&call.raw, len.and_then(Node::number)) {
                    (Some(raw), Some(len)) => raw.len() as f64 != len,
                    _ => false,
                };
                call.verdict = Some(Verdict::Unreadable);
            }
            None => {
                call.raw = Some(input.minified());
                call.raw_from = Some(RawFrom::ReEncoded);
                call.doubtful = self.is_old && input.members().next().is_none();
            }
        }
        call
    }

    fn answer(&self, block: Node<'_>) -> Option<Answer> {
        let [id, content, failed] = block.fields(["tool_use_id", "content", "is_error"]);
        let mut answer = Answer {
            place: self.record.place_at(block),
            id: id.and_then(Node::string)?,
            session: self.session.clone(),
            time: self.time.clone(),
            ..Answer::default()
        };
        if failed.is_some_and(Node::is_true) {
            let text = content.map(content_text).unwrap_or_default();
            answer.verdict = verdict(&text);
            answer.complaint = Some(text);
        }
        Some(answer)
    }

    /// Calls that stand as text: a line that begins with the tag of a call.
    fn leaks(&self, block: Node<'_>, out: &mut Vec<Fact>) {
        let Some(text) = block.get("text").and_then(Node::text) else {
            return;
        };
        let mut from = 0;
        for _ in 0..MAX_LEAKS {
            let Some(leak) = next_leak(&text, from) else {
                return;
            };
            from = leak.end;
            out.push(Fact::Leaked(Call {
                tool: Some(leak.tool.to_owned()),
                raw: Some(text[leak.start..leak.end].to_owned()),
                raw_from: Some(RawFrom::Verbatim),
                reading: Reading::Free,
                ..self.blank(block)
            }));
        }
    }
}

struct Leak<'a> {
    tool: &'a str,
    start: usize,
    end: usize,
}

/// The next `<invoke name="N">`, with or without a namespace, that begins a line; to its closing tag or the end.
fn next_leak(text: &str, from: usize) -> Option<Leak<'_>> {
    let mut from = from;
    loop {
        let name = from + text[from..].find("invoke name=\"")?;
        from = name + "invoke name=\"".len();
        let start = text[..name].rfind('<')?;
        let namespace = &text[start + 1..name];
        let is_tag = namespace.is_empty()
            || namespace
                .strip_suffix(':')
                .is_some_and(|word| word.chars().all(char::is_alphanumeric));
        let line = text[..start].rfind('\n').map_or(0, |lf| lf + 1);
        if !is_tag || !text[line..start].trim().is_empty() {
            continue;
        }
        let Some((tool, rest)) = text[from..].split_once("\">") else {
            continue;
        };
        if tool.contains(['"', '\n']) {
            continue;
        }
        let closer = format!("</{namespace}invoke>");
        let body = text.len() - rest.len();
        let end = rest
            .find(&closer)
            .map_or(text.len(), |at| body + at + closer.len());
        return Some(Leak { tool, start, end });
    }
}

/// What an error text says. Only its start counts: results quote such texts.
fn verdict(text: &str) -> Verdict {
    let text = text.trim_start();
    let text = text.strip_prefix("<tool_use_error>").unwrap_or(text);
    let text = text.strip_prefix("Error: ").unwrap_or(text);
    const DENIED: [&str; 3] = [
        "The user doesn't want to",
        "Permission to use",
        "Claude requested permissions",
    ];
    if text.starts_with("InputValidationError") {
        let head = text.lines().next().unwrap_or_default();
        match head.contains("could not be parsed as JSON") {
            true => Verdict::Unreadable,
            false => Verdict::Schema,
        }
    } else if text.starts_with("No such tool available") {
        Verdict::UnknownTool
    } else if DENIED.iter().any(|start| text.starts_with(start)) {
        Verdict::Denied
    } else {
        Verdict::ToolError
    }
}

fn is_old(version: &str) -> bool {
    let mut numbers = version.split('.').map(|part| part.parse().unwrap_or(0));
    let version: [u32; 3] = std::array::from_fn(|_| numbers.next().unwrap_or(0));
    version < KEEPS_UNPARSED
}

#[cfg(test)]
mod tests {
    use crate::transcript::formats::rows;

    /// A line as the agent writes it.
    fn line(kind: &str, version: &str, message: &str) -> String {
        format!(
            r#"{{"parentUuid":null,"isSidechain":false,"sessionId":"s1","version":"{version}","type":"{kind}","timestamp":"2026-02-03T04:05:06.000Z","message":{message}}}"#
        )
    }

    fn call(id: &str, name: &str, input: &str) -> String {
        let message = format!(
            r#"{{"id":"m-{id}","role":"assistant","model":"m","content":[{{"type":"tool_use","id":"{id}","name":"{name}","input":{input}}}],"stop_reason":null}}"#
        );
        line("assistant", "2.1.200", &message)
    }

    fn result(id: &str, text: &str, is_error: bool) -> String {
        let message = format!(
            r#"{{"role":"user","content":[{{"tool_use_id":"{id}","type":"tool_result","content":"{text}","is_error":{is_error}}}]}}"#
        );
        line("user", "2.1.200", &message)
    }

    fn says(message: &str, text: &str, stop: &str) -> String {
        let message = format!(
            r#"{{"id":"{message}","role":"assistant","model":"m","content":[{{"type":"text","text":"{text}"}}],"stop_reason":{stop}}}"#
        );
        line("assistant", "2.1.200", &message)
    }

    #[test]
    fn answers_are_told_apart_by_their_start() {
        let broken = r#"{"__unparsedToolInput":{"raw":"{\"a\": 1,}","len":9}}"#;
        let clipped = r#"{"__unparsedToolInput":{"raw":"{\"a\": \"xx","len":5000}}"#;
        let cut = r#"{"__unparsedToolInput":{"raw":"{\"a\": \"xx","len":9}}"#;
        for (input, answer, is_error, wanted) in [
            ("{ \"a\" : 1 }", "fine", false, ""),
            (broken, "", true, "malformed Read {\"a\": 1,} verbatim"),
            (
                clipped,
                "",
                true,
                "malformed Read {\"a\": \"xx verbatim log-clipped",
            ),
            (cut, "", true, "truncated Read {\"a\": \"xx verbatim"),
            (
                "{ \"a\" : [1, 2] }",
                "<tool_use_error>InputValidationError: Read failed: `b` is missing</tool_use_error>",
                true,
                "schema Read {\"a\":[1,2]} re-encoded re-encoded",
            ),
            (
                "{}",
                "<tool_use_error>InputValidationError: Read was called with input that could not be parsed as JSON.\\nYou sent",
                true,
                "malformed Read {} re-encoded re-encoded",
            ),
            (
                "{}",
                "<tool_use_error>Error: No such tool available: Red</tool_use_error>",
                true,
                "unknown-tool Read {} re-encoded re-encoded",
            ),
            (
                "{}",
                "Exit code 2",
                true,
                "tool-error Read {} re-encoded re-encoded",
            ),
            (
                "{}",
                "Sibling tool call errored",
                true,
                "tool-error Read {} re-encoded re-encoded",
            ),
            (
                "{}",
                "The user doesn't want to proceed with this tool use.",
                true,
                "tool-error Read {} re-encoded re-encoded denied",
            ),
            (
                "{}",
                "log: <tool_use_error>InputValidationError: x",
                false,
                "",
            ),
            (
                "{}",
                "exit 1: <tool_use_error>InputValidationError: x",
                true,
                "tool-error Read {} re-encoded re-encoded",
            ),
        ] {
            let log = [call("t1", "Read", input), result("t1", answer, is_error)].join("\n");
            assert_eq!(rows(&log), wanted, "{input} {answer}");
        }
    }

    #[test]
    fn an_empty_object_of_an_old_version_may_have_been_more() {
        let call = |version: &str| {
            let message = r#"{"id":"m","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Write","input":{}}]}"#;
            let answer = result(
                "t1",
                "<tool_use_error>InputValidationError: x is missing",
                true,
            );
            [line("assistant", version, message), answer].join("\n")
        };
        assert_eq!(
            rows(&call("1.0.128")),
            "schema Write {} re-encoded re-encoded maybe-malformed"
        );
        assert_eq!(
            rows(&call("2.1.181")),
            "schema Write {} re-encoded re-encoded"
        );
    }

    #[test]
    fn a_call_in_a_text_counts_if_its_message_has_no_real_one() {
        let leak = "I look.\\n<invoke name=\\\"Bash\\\">\\n<parameter name=\\\"command\\\">ls</parameter>\\n</invoke> done";
        let found = "malformed Bash <invoke name=\"Bash\">\n<parameter name=\"command\">ls</parameter>\n</invoke> verbatim markup-leak";
        let prefixed = "<x:invoke name=\\\"A\\\">1</x:invoke>";
        for (log, wanted) in [
            (vec![says("m1", leak, "\"tool_use\"")], found),
            (
                vec![says("m1", leak, "null"), says("m2", "next", "null")],
                found,
            ),
            (
                vec![says("m-t1", leak, "null"), call("t1", "Bash", "{}")],
                "",
            ),
            (
                vec![call("t1", "Bash", "{}"), says("m-t1", leak, "null")],
                "",
            ),
            (
                vec![says(
                    "m1",
                    "the tag <invoke name=\\\"Bash\\\"> in prose",
                    "null",
                )],
                "",
            ),
            (
                vec![says("m1", prefixed, "null")],
                "malformed A <x:invoke name=\"A\">1</x:invoke> verbatim markup-leak",
            ),
            (
                vec![says("m1", "<invoke name=\\\"A\\\">\\n12", "\"max_tokens\"")],
                "truncated A <invoke name=\"A\">\n12 verbatim markup-leak",
            ),
            (
                vec![line(
                    "user",
                    "2.1.200",
                    r#"{"role":"user","content":"Your tool call was malformed and could not be parsed. Please retry."}"#,
                )],
                "",
            ),
        ] {
            assert_eq!(rows(&log.join("\n")), wanted, "{log:?}");
        }
    }

    #[test]
    fn progress_and_streamed_output_hold_the_same_messages() {
        let message = r#"{"id":"m","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Grep","input":{"__unparsedToolInput":{"raw":"{a}","len":3}}}]}"#;
        let progress = format!(
            r#"{{"type":"progress","sessionId":"s","isSidechain":false,"data":{{"type":"agent_progress","message":{{"type":"assistant","message":{message}}}}}}}"#
        );
        let streamed = format!(
            r#"{{"type":"assistant","message":{message},"parent_tool_use_id":null,"session_id":"s"}}"#
        );
        for log in [progress, streamed] {
            assert_eq!(rows(&log), "malformed Grep {a} verbatim", "{log}");
        }
    }

    #[test]
    fn a_stop_reason_may_come_in_a_later_line() {
        let broken = r#"{"__unparsedToolInput":{"raw":"{\"a\": 1","len":7}}"#;
        let log = [
            call("t1", "Read", broken),
            says("m-t1", "", "\"max_tokens\""),
        ]
        .join("\n");
        assert_eq!(rows(&log), "truncated Read {\"a\": 1 verbatim");
    }
}
