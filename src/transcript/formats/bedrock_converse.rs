//! Bedrock Converse: whole responses, streams, and both inside invocation logs.

use super::openai_chat::find;
use super::{Adapter, content_text, time_of};
use crate::transcript::call::RawFrom;
use crate::transcript::classify;
use crate::transcript::fact::{Answer, Call, Fact, Reading, Record, Verdict};
use crate::transcript::node::Node;

pub(super) const ADAPTER: Adapter = Adapter {
    id: "bedrock-converse",
    lives: "invocation logs, responses and streams that programs keep",
    keeps: "streams: the arguments, joined from their pieces; malformed ones often as text",
    sniff,
    read,
    marks: &["toolUse", "toolResult", "stopReason", "messageStart"],
    reads_garbage: true,
    ..Adapter::SIMPLE
};

const EVENTS: [&str; 5] = [
    "messageStart",
    "contentBlockStart",
    "contentBlockDelta",
    "contentBlockStop",
    "messageStop",
];

fn sniff(record: &Record<'_>) -> bool {
    let Some(node) = record.node else {
        return false;
    };
    let is_event = node.fields(EVENTS).iter().any(Option::is_some);
    is_event || response_in(node).is_some() || request_in(node).is_some()
}

fn response_in(node: Node<'_>) -> Option<Node<'_>> {
    find(node, &|node| {
        let [output, stop] = node.fields(["output", "stopReason"]);
        stop.is_some() && output.is_some_and(|output| output.get("message").is_some())
    })
}

fn request_in(node: Node<'_>) -> Option<Node<'_>> {
    let is_block = |block: Node<'_>| block.get("toolUse").or(block.get("toolResult")).is_some();
    find(node, &|node| {
        let messages = node.get("messages").into_iter().flat_map(Node::items);
        let mut blocks = messages
            .filter_map(|message| message.get("content"))
            .flat_map(Node::items);
        blocks.any(is_block)
    })
}

fn read(record: &Record<'_>, out: &mut Vec<Fact>) {
    let Some(node) = record.node else { return };
    let [start, open, delta, _, stop] = node.fields(EVENTS);
    let stream = |event: Node<'_>| {
        let index = event
            .get("contentBlockIndex")
            .and_then(Node::string_or_number);
        format!("{}/", index.unwrap_or_default())
    };
    let everything = String::new();
    if start.is_some() {
        out.push(Fact::Aborted {
            streams: everything,
        });
    } else if let Some(event) = open {
        let Some(tool) = event.path(&["start", "toolUse"]) else {
            return;
        };
        let [id, name] = tool.fields(["toolUseId", "name"]);
        out.push(Fact::Opened {
            stream: stream(event),
            call: Call {
                place: record.place_at(tool),
                id: id.and_then(Node::string),
                tool: name.and_then(Node::string),
                raw: Some(String::new()),
                raw_from: Some(RawFrom::Deltas),
                time: time_of(node),
                ..Call::default()
            },
        });
    } else if let Some(event) = delta {
        let text = event
            .path(&["delta", "toolUse", "input"])
            .and_then(Node::string);
        out.extend(text.map(|text| Fact::Piece {
            stream: stream(event),
            text,
        }));
    } else if let Some(event) = stop {
        out.push(Fact::Closed {
            streams: everything,
            stop: event.get("stopReason").and_then(Node::string),
        });
    } else {
        read_whole(record, node, out);
    }
}

fn read_whole(record: &Record<'_>, node: Node<'_>, out: &mut Vec<Fact>) {
    let blank = Call {
        model: node.get("modelId").and_then(Node::string),
        time: time_of(node),
        ..Call::default()
    };
    let request = request_in(node).and_then(|request| request.get("messages"));
    for message in request.into_iter().flat_map(Node::items) {
        let history = Call {
            replayed: true,
            ..blank.clone()
        };
        read_message(record, message, &history, out);
    }
    let Some(response) = response_in(node) else {
        return;
    };
    let [output, stop] = response.fields(["output", "stopReason"]);
    let Some(message) = output.and_then(|output| output.get("message")) else {
        return;
    };
    let blank = Call {
        stop: stop.and_then(Node::string),
        ..blank
    };
    if matches!(
        blank.stop.as_deref(),
        Some("malformed_tool_use" | "malformed_model_output")
    ) {
        let texts = message.get("content").into_iter().flat_map(Node::items);
        let text = texts.filter_map(|block| block.get("text")).last();
        out.push(Fact::Called(Call {
            place: record.place_at(text.unwrap_or(message)),
            raw: text.and_then(Node::string),
            raw_from: text.map(|_| RawFrom::Verbatim),
            reading: Reading::Free,
            verdict: Some(Verdict::Unreadable),
            ..blank
        }));
        return;
    }
    read_message(record, message, &blank, out);
}

fn read_message(record: &Record<'_>, message: Node<'_>, blank: &Call, out: &mut Vec<Fact>) {
    for block in message.get("content").into_iter().flat_map(Node::items) {
        let [tool, result] = block.fields(["toolUse", "toolResult"]);
        if let Some(tool) = tool {
            let [id, name, input] = tool.fields(["toolUseId", "name", "input"]);
            let id = id.and_then(Node::string);
            let is_empty = input.is_none_or(|input| input.members().next().is_none());
            let mut call = Call {
                place: record.place_of(id.as_deref(), tool),
                id,
                tool: name.and_then(Node::string),
                raw: input.map(Node::minified),
                raw_from: input.map(|_| RawFrom::ReEncoded),
                reading: Reading::Parsed,
                ..blank.clone()
            };
            if is_empty && classify::is_cut(call.stop.as_deref()) {
                call.verdict = Some(Verdict::Cut);
                call.raw = None;
                call.raw_from = None;
            }
            out.push(Fact::Called(call));
        } else if let Some(result) = result {
            let [id, status, content] = result.fields(["toolUseId", "status", "content"]);
            let failed = status.is_some_and(|status| status.is("error"));
            let Some(id) = id.and_then(Node::string) else {
                continue;
            };
            out.push(Fact::Answered(Answer {
                place: record.place_at(result),
                id,
                verdict: if failed {
                    Verdict::ToolError
                } else {
                    Verdict::Fine
                },
                complaint: content.filter(|_| failed).map(content_text),
                ..Answer::default()
            }));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::transcript::formats::rows;

    fn log(history: &str, content: &str, stop: &str) -> String {
        format!(
            r#"{{"schemaType":"ModelInvocationLog","modelId":"m","input":{{"inputBodyJson":{{"messages":[{history}]}}}},"output":{{"outputBodyJson":{{"output":{{"message":{{"role":"assistant","content":[{content}]}}}},"stopReason":"{stop}"}}}}}}"#
        )
    }

    #[test]
    fn whole_responses_tell_by_their_stop_reason() {
        let call = |input: &str| {
            format!(r#"{{"toolUse":{{"toolUseId":"tooluse_1","name":"find","input":{input}}}}}"#)
        };
        let result = |status: &str| {
            format!(
                r#"{{"role":"user","content":[{{"toolResult":{{"toolUseId":"tooluse_1","status":"{status}","content":[{{"text":"x"}}]}}}}]}}"#
            )
        };
        let asked = format!(
            r#"{{"role":"assistant","content":[{}]}}"#,
            call("{\"q\": 5}")
        );
        for (text, wanted) in [
            (log("", &call("{}"), "tool_use"), ""),
            (log("", &call("{}"), "max_tokens"), "truncated find"),
            (
                log("", r#"{"text":"{\"q\": }"}"#, "malformed_tool_use"),
                "malformed {\"q\": } verbatim",
            ),
            (
                log("", r#"{"text":"<q>"}"#, "malformed_model_output"),
                "malformed <q> verbatim",
            ),
            (
                log(
                    &format!("{asked},{}", result("error")),
                    r#"{"text":"ok"}"#,
                    "end_turn",
                ),
                "tool-error find {\"q\":5} re-encoded re-encoded",
            ),
            (
                log(
                    &format!("{asked},{}", result("success")),
                    r#"{"text":"ok"}"#,
                    "end_turn",
                ),
                "",
            ),
        ] {
            assert_eq!(rows(&text), wanted, "{text}");
        }
    }

    #[test]
    fn pieces_are_joined() {
        let stream = |stop: &str| {
            [
                r#"{"contentBlockStart":{"contentBlockIndex":1,"start":{"toolUse":{"toolUseId":"tooluse_1","name":"find"}}}}"#.to_owned(),
                r#"{"contentBlockDelta":{"contentBlockIndex":1,"delta":{"toolUse":{"input":"{\"q\": "}}}}"#.into(),
                r#"{"contentBlockDelta":{"contentBlockIndex":1,"delta":{"toolUse":{"input":"'a'"}}}}"#.into(),
                r#"{"contentBlockStop":{"contentBlockIndex":1}}"#.into(),
                format!(r#"{{"messageStop":{{"stopReason":"{stop}"}}}}"#),
            ]
            .join("\n")
        };
        assert_eq!(
            rows(&stream("tool_use")),
            "malformed find {\"q\": 'a' deltas"
        );
        assert_eq!(
            rows(&stream("max_tokens")),
            "truncated find {\"q\": 'a' deltas"
        );
    }
}
