//! mini-swe-agent: one trajectory a document; a rejected response is kept whole beside the complaint.

use super::openai_chat::Shared;
use super::{Adapter, content_head, time_from_number};
use crate::transcript::classify;
use crate::transcript::fact::{Answer, Fact, Record, Verdict};
use crate::transcript::node::Node;

pub(super) const ADAPTER: Adapter = Adapter {
    id: "mini-swe-agent",
    lives: "*.traj.json, rewritten while it grows",
    keeps: "the arguments as the model sent them",
    sniff,
    read,
    ..Adapter::SIMPLE
};

fn sniff(record: &Record<'_>) -> bool {
    let format = record
        .node
        .and_then(|node| node.get("trajectory_format")?.text());
    format.is_some_and(|format| format.starts_with("mini-swe-agent"))
}

fn read(record: &Record<'_>, out: &mut Vec<Fact>) {
    let Some(node) = record.node else { return };
    for message in node.get("messages").into_iter().flat_map(Node::items) {
        let [role, extra, id, content] =
            message.fields(["role", "extra", "tool_call_id", "content"]);
        let [response, code, time] = extra.map_or([None; 3], |extra| {
            extra.fields(["response", "returncode", "timestamp"])
        });
        if let (Some(id), Some(code)) = (id.and_then(Node::string), code.and_then(Node::number)) {
            let failed = code != 0.0;
            out.push(Fact::Answered(Answer {
                place: record.place_at(message),
                id,
                verdict: if failed {
                    Verdict::ToolError
                } else {
                    Verdict::Fine
                },
                complaint: content.filter(|_| failed).map(content_head),
                ..Answer::default()
            }));
            continue;
        }
        let Some(response) = response else { continue };
        let shared = Shared {
            time: time.and_then(Node::number).and_then(time_from_number),
            ..Shared::default_of(record)
        };
        let first = out.len();
        shared.response(response, out);
        if role.is_some_and(|role| role.is("user")) {
            let text = content.map(content_head).unwrap_or_default();
            blame(&mut out[first..], &text);
        }
    }
}

/// Says of the calls of a rejected response why it was rejected. Where one of them does not parse, that is why, and
/// the others are innocent.
fn blame(facts: &mut [Fact], text: &str) {
    let verdict = if text.contains("Unknown tool") {
        Some(Verdict::UnknownTool)
    } else if text.contains("Missing '") {
        Some(Verdict::Schema)
    } else {
        None
    };
    let is_unreadable =
        |fact: &Fact| matches!(fact, Fact::Called(call) if classify::fails_alone(call));
    let parses = !facts.iter().any(is_unreadable);
    for fact in facts {
        if let Fact::Called(call) = fact {
            if parses || classify::fails_alone(call) {
                call.complaint = Some(text.to_owned());
            }
            if parses {
                call.verdict = verdict;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::transcript::formats::rows;

    fn trajectory(messages: &str) -> String {
        format!("{{\n\"messages\": [{messages}],\n\"trajectory_format\": \"mini-swe-agent-1.1\"}}")
    }

    fn rejected(arguments: &str, stop: &str, text: &str) -> String {
        let arguments = serde_json::to_string(arguments).unwrap();
        trajectory(&format!(
            r#"{{"role":"user","content":"{text}","extra":{{"interrupt_type":"FormatError","response":{{"choices":[{{"finish_reason":"{stop}","message":{{"role":"assistant","tool_calls":[{{"id":"call_0001","function":{{"name":"bash","arguments":{arguments}}}}}]}}}}]}}}}}}"#
        ))
    }

    #[test]
    fn a_rejected_response_is_parsed_before_the_complaint_is_believed() {
        for (arguments, stop, text, wanted) in [
            (
                "{\"command\": \"x\" \"}",
                "stop",
                "Error parsing: x.Missing 'command' argument",
                "malformed bash {\"command\": \"x\" \"} verbatim",
            ),
            (
                "{\"command\": \"x",
                "length",
                "Missing 'command' argument",
                "truncated bash {\"command\": \"x verbatim",
            ),
            (
                "{\"cmd\":1}",
                "stop",
                "Missing 'command' argument in bash tool call.",
                "schema bash {\"cmd\":1} verbatim",
            ),
            (
                "{}",
                "stop",
                "Unknown tool 'bash'.",
                "unknown-tool bash {} verbatim",
            ),
        ] {
            assert_eq!(
                rows(&rejected(arguments, stop, text)),
                wanted,
                "{arguments}"
            );
        }
    }

    #[test]
    fn a_return_code_says_how_a_tool_ended() {
        let log = |code: u32| {
            trajectory(&format!(
                r#"{{"role":"assistant","extra":{{"response":{{"choices":[{{"finish_reason":"stop","message":{{"tool_calls":[{{"id":"call_0001","function":{{"name":"bash","arguments":"{{}}"}}}}]}}}}]}}}}}},{{"role":"tool","tool_call_id":"call_0001","content":"x","extra":{{"returncode":{code}}}}}"#
            ))
        };
        assert_eq!(rows(&log(0)), "");
        assert_eq!(rows(&log(2)), "tool-error bash {} verbatim");
    }
}
