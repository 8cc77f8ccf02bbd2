//! Codex: rollouts of `{timestamp, type, payload}` lines, arguments kept as the string that the model sent.

use super::{Adapter, Alarm, content_text, is_unreadable, member_value};
use crate::transcript::call::RawFrom;
use crate::transcript::fact::{Answer, Call, Fact, Reading, Record, Verdict};
use crate::transcript::node::{self, Node};

pub(super) const ADAPTER: Adapter = Adapter {
    id: "codex",
    lives: "~/.codex/sessions and archived_sessions (or $CODEX_HOME), also as .jsonl.zst",
    keeps: "the arguments as the model sent them; no stop reason",
    sniff,
    read,
    marks: &[
        "_call",
        "\"session_meta\"",
        "\"turn_context\"",
        "\"instructions\"",
    ],
    alarms: &[
        Alarm {
            needle: "\"arguments\"",
            check: is_unreadable,
        },
        Alarm {
            needle: "\"output\"",
            check: is_failure,
        },
    ],
    call: "_call\"",
    context: &["\"session_meta\"", "\"turn_context\""],
    ..Adapter::SIMPLE
};

const LINES: [&str; 5] = [
    "session_meta",
    "turn_context",
    "response_item",
    "event_msg",
    "compacted",
];

fn sniff(record: &Record<'_>) -> bool {
    let Some(node) = record.node else {
        return false;
    };
    let [kind, payload, call, id, time, instructions, content] = node.fields([
        "type",
        "payload",
        "call_id",
        "id",
        "timestamp",
        "instructions",
        "content",
    ]);
    let is_one_of =
        |names: &[&str]| kind.is_some_and(|kind| names.iter().any(|name| kind.is(name)));
    let is_item = || {
        let first = content.and_then(|content| content.items().next()?.get("type"));
        first.is_some_and(|first| first.is("input_text") || first.is("output_text"))
    };
    (payload.is_some_and(Node::is_object) && is_one_of(&LINES))
        || (call.is_some() && is_one_of(&["function_call", "function_call_output", "local_shell_call"]))
        // Before the lines had envelopes.
        || (id.is_some() && time.is_some() && instructions.is_some() && kind.is_none())
        || (is_one_of(&["message"]) && is_item())
}

fn read(record: &Record<'_>, out: &mut Vec<Fact>) {
    let Some(node) = record.node else { return };
    let [kind, payload, time, id] = node.fields(["type", "payload", "timestamp", "id"]);
    let time = time.and_then(Node::string);
    let Some(kind) = kind else {
        out.extend(id.and_then(Node::string).map(Fact::Session));
        return;
    };
    let Some(payload) = payload else {
        return read_item(record, node, time, out);
    };
    if kind.is("response_item") {
        read_item(record, payload, time, out);
    } else if kind.is("session_meta") {
        out.extend(payload.get("id").and_then(Node::string).map(Fact::Session));
    } else if kind.is("turn_context") {
        out.extend(payload.get("model").and_then(Node::string).map(Fact::Model));
    }
}

fn read_item(record: &Record<'_>, item: Node<'_>, time: Option<String>, out: &mut Vec<Fact>) {
    let [kind, id, name, arguments, input, action, output] = item.fields([
        "type",
        "call_id",
        "name",
        "arguments",
        "input",
        "action",
        "output",
    ]);
    let Some(kind) = kind.and_then(Node::text) else {
        return;
    };
    let id = id.and_then(Node::string);
    let call = Call {
        place: record.place_at(item),
        id: id.clone(),
        tool: name.and_then(Node::string),
        time: time.clone(),
        ..Call::default()
    };
    match &*kind {
        "function_call" => out.push(Fact::Called(match arguments {
            Some(object) if !object.is_string() => parsed(call, object),
            arguments => Call {
                raw: arguments.and_then(Node::string),
                raw_from: arguments.map(|_| RawFrom::Verbatim),
                ..call
            },
        })),
        "custom_tool_call" => out.push(Fact::Called(Call {
            raw: input.and_then(Node::string),
            raw_from: input.map(|_| RawFrom::Verbatim),
            reading: Reading::Free,
            ..call
        })),
        "local_shell_call" => {
            let tool = Some("local_shell".to_owned());
            out.extend(action.map(|action| Fact::Called(parsed(Call { tool, ..call }, action))));
        }
        "function_call_output" | "custom_tool_call_output" | "local_shell_call_output" => {
            let (Some(id), Some(output)) = (id, output) else {
                return;
            };
            let (text, failed) = output_text(output);
            let verdict = match verdict(&text) {
                Verdict::Fine if failed => Verdict::ToolError,
                verdict => verdict,
            };
            out.push(Fact::Answered(Answer {
                place: record.place_at(item),
                id,
                verdict,
                // Also of a fine one: it is what was said to arguments that do not parse.
                complaint: Some(text),
                time,
                ..Answer::default()
            }));
        }
        _ => {}
    }
}

fn parsed(call: Call, arguments: Node<'_>) -> Call {
    Call {
        raw: Some(arguments.minified()),
        raw_from: Some(RawFrom::ReEncoded),
        reading: Reading::Parsed,
        ..call
    }
}

/// The text of an output in each of its shapes, and whether a flag says that the call failed.
fn output_text(output: Node<'_>) -> (String, bool) {
    let [content, success] = output.fields(["content", "success"]);
    match content {
        Some(content) => {
            let failed = success.is_some_and(|success| success.bytes() == b"false");
            (content_text(content), failed)
        }
        None => (content_text(output), false),
    }
}

/// A second look at an output: its first bytes say whether the call failed.
fn is_failure(text: &[u8], at: usize) -> bool {
    let Some(at) = member_value(text, at) else {
        return false;
    };
    if text[at] != b'"' {
        return true;
    }
    // An exit code stands in front of the output, or behind it in a wrapper.
    let end = node::skip_string(text, at);
    Node::new(&text[at..end])
        .and_then(|node| match text[at + 1..].starts_with(b"{") {
            true => node.text(),
            false => node.head(1024),
        })
        .is_some_and(|head| verdict(&head) != Verdict::Fine)
}

/// What an output says. There is no flag; only the start counts, since outputs quote such texts.
fn verdict(text: &str) -> Verdict {
    const ERRORS: [&str; 4] = [
        "apply_patch verification failed",
        "execution error",
        "exec_command failed",
        "aborted",
    ];
    let starts = |starts: &[&str]| starts.iter().any(|start| text.starts_with(start));
    if starts(&["failed to parse function arguments"]) {
        // The same words stand for bad JSON; the ledger parses the text first.
        Verdict::Schema
    } else if starts(&["unsupported call: ", "unsupported custom tool call: "]) {
        Verdict::UnknownTool
    } else if starts(&["rejected"]) {
        Verdict::Denied
    } else if starts(&ERRORS) || exit_code(text).is_some_and(|code| code != 0.0) {
        Verdict::ToolError
    } else {
        Verdict::Fine
    }
}

/// The exit code in a wrapper, or in the lines before the output.
fn exit_code(text: &str) -> Option<f64> {
    if text.starts_with('{') {
        return Node::new(text.as_bytes())?
            .path(&["metadata", "exit_code"])?
            .number();
    }
    text.lines()
        .take(8)
        .take_while(|line| !line.starts_with("Output:"))
        .find_map(|line| {
            let code = line
                .strip_prefix("Process exited with code ")
                .or_else(|| line.strip_prefix("Exit code: "))?;
            code.trim().parse().ok()
        })
}

#[cfg(test)]
mod tests {
    use crate::transcript::formats::rows;

    fn item(payload: &str) -> String {
        format!(
            r#"{{"timestamp":"2026-02-03T04:05:06.000Z","type":"response_item","payload":{payload}}}"#
        )
    }

    fn call(id: &str, arguments: &str) -> String {
        let arguments = serde_json::to_string(arguments).unwrap();
        item(&format!(
            r#"{{"type":"function_call","name":"run","arguments":{arguments},"call_id":"{id}"}}"#
        ))
    }

    fn output(id: &str, output: &str) -> String {
        let output = serde_json::to_string(output).unwrap();
        item(&format!(
            r#"{{"type":"function_call_output","call_id":"{id}","output":{output}}}"#
        ))
    }

    #[test]
    fn arguments_are_parsed_before_the_output_is_believed() {
        let parse_error = "failed to parse function arguments: expected value at line 1 column 1";
        for (arguments, answer, wanted) in [
            ("{\"a\":1}", "Process exited with code 0\nOutput:\nok", ""),
            ("{\"a\":1", parse_error, "malformed run {\"a\":1 verbatim"),
            (
                "{\"a\":\"x",
                parse_error,
                "truncated run {\"a\":\"x verbatim",
            ),
            (
                "{\"a\":\"1\"}",
                parse_error,
                "schema run {\"a\":\"1\"} verbatim",
            ),
            ("", parse_error, "malformed run  verbatim"),
            ("", "ok", ""),
            (
                "{}",
                "unsupported call: run",
                "unknown-tool run {} verbatim",
            ),
            (
                "{}",
                "Chunk ID: 3f\nWall time: 0.1\nProcess exited with code 2\nOutput:\n",
                "tool-error run {} verbatim",
            ),
            (
                "{}",
                "Exit code: 1\nWall time: 1\nOutput:\n",
                "tool-error run {} verbatim",
            ),
            (
                "{}",
                "{\"output\":\"\",\"metadata\":{\"exit_code\":1}}",
                "tool-error run {} verbatim",
            ),
            ("{}", "{\"output\":\"\",\"metadata\":{\"exit_code\":0}}", ""),
            ("{}", "Output:\nProcess exited with code 2", ""),
            ("{}", "the words failed to parse function arguments", ""),
            ("{}", "execution error: Io", "tool-error run {} verbatim"),
            (
                "{}",
                "aborted by user after 2.0s",
                "tool-error run {} verbatim",
            ),
            (
                "{}",
                "rejected by user",
                "tool-error run {} verbatim denied",
            ),
        ] {
            let log = [call("c1", arguments), output("c1", answer)].join("\n");
            assert_eq!(rows(&log), wanted, "{arguments} {answer}");
        }
    }

    #[test]
    fn free_text_is_not_parsed() {
        let patch = item(
            r#"{"type":"custom_tool_call","call_id":"c1","name":"apply_patch","input":"*** Begin {"}"#,
        );
        let answer = |text: &str| {
            item(&format!(
                r#"{{"type":"custom_tool_call_output","call_id":"c1","output":"{text}"}}"#
            ))
        };
        assert_eq!(rows(&[patch.clone(), answer("Success")].join("\n")), "");
        assert_eq!(
            rows(&[patch, answer("apply_patch verification failed: x")].join("\n")),
            "tool-error apply_patch *** Begin { verbatim"
        );
    }

    #[test]
    fn old_rollouts_hold_bare_items_and_compacted_ones_are_history() {
        let bare = concat!(
            "{\"id\":\"s9\",\"timestamp\":\"2025-03-01T00:00:00Z\",\"instructions\":null}\n",
            "{\"type\":\"function_call\",\"name\":\"shell\",\"arguments\":\"{'a'}\",\"call_id\":\"c1\"}\n",
        );
        assert_eq!(rows(bare), "malformed shell {'a'} verbatim");
        let compacted = [
            call("c1", "{}"),
            format!(
                r#"{{"timestamp":"t","type":"compacted","payload":{{"message":"m","replacement_history":[{}]}}}}"#,
                r#"{"type":"function_call","name":"run","arguments":"{","call_id":"c0"}"#
            ),
        ];
        assert_eq!(rows(&compacted.join("\n")), "");
    }
}
