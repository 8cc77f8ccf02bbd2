//! Continue: one document a session, each call as a string and as a state.

use super::{Adapter, content_text};
use crate::transcript::call::RawFrom;
use crate::transcript::fact::{Answer, Call, Fact, Record, Verdict};
use crate::transcript::node::Node;

pub(super) const ADAPTER: Adapter = Adapter {
    id: "continue",
    lives: "~/.continue/sessions/*.json",
    keeps: "the arguments as the model sent them",
    sniff,
    read,
    ..Adapter::SIMPLE
};

fn sniff(record: &Record<'_>) -> bool {
    let Some(node) = record.node else {
        return false;
    };
    let [session, history] = node.fields(["sessionId", "history"]);
    session.is_some() && history.is_some_and(Node::is_array)
}

fn read(record: &Record<'_>, out: &mut Vec<Fact>) {
    let Some(node) = record.node else { return };
    let [session, history] = node.fields(["sessionId", "history"]);
    out.extend(session.and_then(Node::string).map(Fact::Session));
    for step in history.into_iter().flat_map(Node::items) {
        let [message, states] = step.fields(["message", "toolCallStates"]);
        let calls = message.and_then(|message| message.get("toolCalls"));
        for call in calls.into_iter().flat_map(Node::items) {
            out.extend(read_call(record, call));
        }
        for state in states.into_iter().flat_map(Node::items) {
            // The same call again, for sessions that keep it only here.
            let [call, status, output] = state.fields(["toolCall", "status", "output"]);
            let Some(Fact::Called(call)) = call.and_then(|call| read_call(record, call)) else {
                continue;
            };
            let Some(id) = call.id.clone() else { continue };
            out.push(Fact::Called(call));
            let status = status.and_then(Node::text).unwrap_or_default();
            let text = output.map(content_text).unwrap_or_default();
            let verdict = match &*status {
                "done" => Verdict::Fine,
                "errored" if is_about_arguments(&text) => Verdict::Schema,
                "errored" => Verdict::ToolError,
                "canceled" => Verdict::Denied,
                _ => continue,
            };
            out.push(Fact::Answered(Answer {
                place: record.place_at(state),
                id,
                verdict,
                complaint: (verdict != Verdict::Fine).then_some(text),
                ..Answer::default()
            }));
        }
    }
}

fn read_call(record: &Record<'_>, call: Node<'_>) -> Option<Fact> {
    let [id, function] = call.fields(["id", "function"]);
    let [name, arguments] = function?.fields(["name", "arguments"]);
    let id = id.and_then(Node::string);
    Some(Fact::Called(Call {
        place: record.place_of(id.as_deref(), call),
        id,
        tool: name.and_then(Node::string),
        raw: arguments.and_then(Node::string),
        raw_from: arguments.map(|_| RawFrom::Verbatim),
        ..Call::default()
    }))
}

/// ``Argument `x` is required``.
fn is_about_arguments(text: &str) -> bool {
    text.split("Argument `").skip(1).any(|rest| {
        rest.split_once('`')
            .is_some_and(|(_, rest)| rest.starts_with(" is required"))
    })
}

#[cfg(test)]
mod tests {
    use crate::transcript::formats::rows;

    fn session(arguments: &str, status: &str, output: &str) -> String {
        let arguments = serde_json::to_string(arguments).unwrap();
        let call =
            format!(r#"{{"id":"call_0001","function":{{"name":"go","arguments":{arguments}}}}}"#);
        format!(
            r#"{{"sessionId":"s1","history":[{{"message":{{"role":"assistant","toolCalls":[{call}]}},"toolCallStates":[{{"toolCallId":"call_0001","toolCall":{call},"status":"{status}","parsedArgs":{{}},"output":[{{"content":"{output}"}}]}}]}}]}}"#
        )
    }

    #[test]
    fn the_string_comes_before_the_state_and_a_call_is_one_row() {
        for (arguments, status, output, wanted) in [
            ("{}", "done", "x", ""),
            (
                "{\"a\": \"x\"y\"}",
                "errored",
                "Argument `a` is required",
                "malformed go {\"a\": \"x\"y\"} verbatim",
            ),
            (
                "{\"a\": \"x",
                "canceled",
                "",
                "truncated go {\"a\": \"x verbatim",
            ),
            (
                "{\"b\": 1}",
                "errored",
                "failed: Argument `a` is required (string)",
                "schema go {\"b\": 1} verbatim",
            ),
            ("{}", "errored", "exit code 1", "tool-error go {} verbatim"),
            ("{}", "canceled", "", "tool-error go {} verbatim denied"),
            ("{}", "generating", "", ""),
        ] {
            assert_eq!(
                rows(&session(arguments, status, output)),
                wanted,
                "{arguments} {status}"
            );
        }
    }
}
