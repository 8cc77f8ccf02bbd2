//! OpenHands: one file an event; before version 1, one array of events.

use super::{Adapter, content_text};
use crate::transcript::call::{Badge, RawFrom};
use crate::transcript::fact::{Answer, Call, Fact, Reading, Record, Verdict};
use crate::transcript::node::Node;

pub(super) const ADAPTER: Adapter = Adapter {
    id: "openhands",
    lives: "<conversation>/events/event-*.json, one file an event; older: one array of events",
    keeps: "the arguments as the model sent them; older: inside the error text",
    sniff,
    read,
    ..Adapter::SIMPLE
};

fn sniff(record: &Record<'_>) -> bool {
    let Some(node) = record.node else {
        return false;
    };
    is_event(node) || node.items().take(20).any(is_old_event)
}

fn is_event(node: Node<'_>) -> bool {
    let [kind, source] = node.fields(["kind", "source"]);
    let is_event = |kind: Node<'_>| {
        let kind = kind.text().unwrap_or_default();
        kind.ends_with("Event") || kind.ends_with("Observation") || kind.ends_with("Action")
    };
    source.is_some() && kind.is_some_and(is_event)
}

fn is_old_event(node: Node<'_>) -> bool {
    let [source, action, observation, id] = node.fields(["source", "action", "observation", "id"]);
    source.is_some_and(Node::is_string)
        && id.is_some()
        && (action.is_some_and(Node::is_string) || observation.is_some_and(Node::is_string))
}

fn read(record: &Record<'_>, out: &mut Vec<Fact>) {
    let Some(node) = record.node else { return };
    if node.is_array() {
        return node.items().for_each(|event| read_old(record, event, out));
    }
    let [kind, id, tool, call, action, error, observation, time] = node.fields([
        "kind",
        "tool_call_id",
        "tool_name",
        "tool_call",
        "action",
        "error",
        "observation",
        "timestamp",
    ]);
    let (Some(kind), Some(id)) = (kind.and_then(Node::text), id.and_then(Node::string)) else {
        return;
    };
    let time = time.and_then(Node::string);
    let tool = tool.and_then(Node::string);
    if let Some(call) = call {
        let arguments = call.get("arguments").and_then(Node::string);
        let accepted = action.is_some_and(Node::is_object);
        out.push(Fact::Called(Call {
            place: record.place_of(Some(&id), node),
            id: Some(id),
            tool,
            raw_from: arguments.as_ref().map(|_| RawFrom::Verbatim),
            raw: arguments,
            // What was accepted was mended first where that was needed.
            badges: if accepted {
                vec![Badge::RepairedUpstream]
            } else {
                Vec::new()
            },
            time,
            ..Call::default()
        }));
        return;
    }
    let mut answer = Answer {
        place: record.place_at(node),
        id,
        tool,
        time,
        ..Answer::default()
    };
    if let Some(error) = error.and_then(Node::string) {
        answer.verdict = verdict(&error);
        answer.complaint = Some(error);
    } else if kind.contains("Reject") {
        answer.verdict = Verdict::Denied;
        answer.complaint = node.get("rejection_reason").and_then(Node::string);
    } else if let Some(observation) = observation {
        let [failed, content] = observation.fields(["is_error", "content"]);
        if failed.is_some_and(Node::is_true) {
            answer.verdict = Verdict::ToolError;
            answer.complaint = content.map(content_text);
        }
    } else {
        return;
    }
    out.push(Fact::Answered(answer));
}

fn verdict(error: &str) -> Verdict {
    if error.contains("unparseable JSON") {
        Verdict::Unreadable
    } else if error.contains("Parameters provided") {
        Verdict::Schema
    } else if error.contains("not found. Available:") {
        Verdict::UnknownTool
    } else {
        Verdict::ToolError
    }
}

/// Before version 1 the error itself quotes the arguments.
fn read_old(record: &Record<'_>, event: Node<'_>, out: &mut Vec<Fact>) {
    const QUOTED: &str = "Failed to parse tool call arguments: ";
    let [observation, content, message, metadata, time] = event.fields([
        "observation",
        "content",
        "message",
        "tool_call_metadata",
        "timestamp",
    ]);
    if !observation.is_some_and(|observation| observation.is("error")) {
        return;
    }
    let texts = [content, message]
        .into_iter()
        .flatten()
        .filter_map(Node::string);
    let said = texts
        .into_iter()
        .find_map(|text| match text.split_once(QUOTED) {
            Some((_, raw)) => Some((Verdict::Unreadable, Some(raw.to_owned()), text.clone())),
            None if text.contains("Missing required argument") => {
                Some((Verdict::Schema, None, text))
            }
            None => None,
        });
    let Some((verdict, raw, complaint)) = said else {
        return;
    };
    let [id, tool] = metadata.map_or([None; 2], |metadata| {
        metadata.fields(["tool_call_id", "function_name"])
    });
    let id = id.and_then(Node::string);
    out.push(Fact::Called(Call {
        place: record.place_of(id.as_deref(), event),
        id,
        tool: tool.and_then(Node::string),
        raw_from: raw.as_ref().map(|_| RawFrom::ErrorText),
        raw,
        reading: Reading::Parsed,
        verdict: Some(verdict),
        complaint: Some(complaint),
        time: time.and_then(Node::string),
        ..Call::default()
    }));
}

#[cfg(test)]
mod tests {
    use crate::transcript::formats::rows;

    fn action(arguments: &str, accepted: bool) -> String {
        let arguments = serde_json::to_string(arguments).unwrap();
        let action = if accepted { r#"{"kind":"X"}"# } else { "null" };
        format!(
            r#"{{"id":"e1","source":"agent","action":{action},"tool_name":"edit","tool_call_id":"call_0001","tool_call":{{"id":"call_0001","arguments":{arguments}}},"kind":"ActionEvent"}}"#
        )
    }

    fn error(text: &str) -> String {
        format!(
            r#"{{"id":"e2","source":"agent","tool_call_id":"call_0001","error":"{text}","kind":"AgentErrorEvent"}}"#
        )
    }

    fn observation(is_error: bool) -> String {
        format!(
            r#"{{"id":"e3","source":"environment","tool_call_id":"call_0001","observation":{{"content":[{{"type":"text","text":"x"}}],"is_error":{is_error}}},"kind":"ObservationEvent"}}"#
        )
    }

    #[test]
    fn arguments_come_before_errors() {
        for (events, wanted) in [
            ([action("{}", true), observation(false)], ""),
            (
                [action("{\"a\": \\n1}", false), error("x: unparseable JSON")],
                "malformed edit {\"a\": \\n1} verbatim",
            ),
            (
                [
                    action("{\"a\": 1}", false),
                    error("x. Parameters provided: ['a']"),
                ],
                "schema edit {\"a\": 1} verbatim",
            ),
            (
                [
                    action("{}", false),
                    error("Tool 'edit' not found. Available: []"),
                ],
                "unknown-tool edit {} verbatim",
            ),
            (
                [action("{}", true), observation(true)],
                "tool-error edit {} verbatim repaired-upstream",
            ),
            (
                [action("{\"a\": \"x", false), String::new()],
                "truncated edit {\"a\": \"x verbatim",
            ),
        ] {
            assert_eq!(rows(&events.join("\n")), wanted, "{events:?}");
        }
    }

    #[test]
    fn old_errors_quote_the_arguments() {
        let event = |text: &str| {
            let text = serde_json::to_string(text).unwrap();
            format!(
                r#"[{{"id":0,"source":"agent","action":"message","args":{{}}}},{{"id":1,"source":"agent","observation":"error","content":{text},"tool_call_metadata":{{"function_name":"edit","tool_call_id":"call_0009"}}}}]"#
            )
        };
        assert_eq!(
            rows(&event("Failed to parse tool call arguments: {\"a\": }")),
            "malformed edit {\"a\": } error-text"
        );
        assert_eq!(
            rows(&event("Missing required argument \"path\"")),
            "schema edit"
        );
        assert_eq!(rows(&event("the server is busy")), "");
    }
}
