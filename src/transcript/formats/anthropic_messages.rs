//! Anthropic messages: whole ones, which keep only objects, and streams, which keep the text in pieces.

use super::openai_chat::find;
use super::{Adapter, content_text, time_of};
use crate::transcript::call::RawFrom;
use crate::transcript::classify;
use crate::transcript::fact::{Answer, Call, Fact, Record, Verdict};
use crate::transcript::node::Node;

pub(super) const ADAPTER: Adapter = Adapter {
    id: "anthropic-messages",
    lives: "message logs and streams that programs and proxies keep",
    keeps: "streams: the arguments, joined from their pieces; whole messages: only that they were cut off",
    sniff,
    read,
    marks: &[
        "tool_use",
        "input_json_delta",
        "message_start",
        "message_delta",
        "message_stop",
        "tool_result",
    ],
    reads_garbage: true,
    ..Adapter::SIMPLE
};

const EVENTS: [&str; 6] = [
    "message_start",
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
];

fn sniff(record: &Record<'_>) -> bool {
    let Some(node) = record.node else {
        return false;
    };
    let is_event = node
        .get("type")
        .is_some_and(|kind| EVENTS.iter().any(|event| kind.is(event)));
    is_event || message_in(node).is_some()
}

fn read(record: &Record<'_>, out: &mut Vec<Fact>) {
    let Some(node) = record.node else { return };
    let [kind, message, index, block, delta] =
        node.fields(["type", "message", "index", "content_block", "delta"]);
    let stream = index
        .and_then(Node::string_or_number)
        .map(|index| format!("{index}/"));
    match kind.and_then(Node::text).unwrap_or_default().as_ref() {
        "message_start" => {
            // Blocks are numbered anew in each message.
            out.push(Fact::Aborted {
                streams: String::new(),
            });
            let model = message.and_then(|message| message.get("model"));
            out.extend(model.and_then(Node::string).map(Fact::Model));
        }
        "content_block_start" => {
            let (Some(stream), Some(block)) = (stream, block) else {
                return;
            };
            let [kind, id, name] = block.fields(["type", "id", "name"]);
            if kind.is_some_and(|kind| kind.is("tool_use")) {
                let call = Call {
                    place: record.place_at(block),
                    id: id.and_then(Node::string),
                    tool: name.and_then(Node::string),
                    raw: Some(String::new()),
                    raw_from: Some(RawFrom::Deltas),
                    time: time_of(node),
                    ..Call::default()
                };
                out.push(Fact::Opened { stream, call });
            }
        }
        "content_block_delta" => {
            let text = delta
                .and_then(|delta| delta.get("partial_json"))
                .and_then(Node::string);
            if let (Some(stream), Some(text)) = (stream, text) {
                out.push(Fact::Piece { stream, text });
            }
        }
        "message_delta" => {
            let stop = delta
                .and_then(|delta| delta.get("stop_reason"))
                .and_then(Node::string);
            if stop.is_some() {
                out.push(Fact::Closed {
                    streams: String::new(),
                    stop,
                });
            }
        }
        "message_stop" => out.push(Fact::Closed {
            streams: String::new(),
            stop: None,
        }),
        _ => read_whole(record, node, out),
    }
}

fn read_whole(record: &Record<'_>, node: Node<'_>, out: &mut Vec<Fact>) {
    let time = time_of(node);
    let request = find(node, &|node| {
        node.get("messages").is_some_and(Node::is_array)
    });
    let history = request.and_then(|request| request.get("messages"));
    for message in history.into_iter().flat_map(Node::items) {
        for block in message.get("content").into_iter().flat_map(Node::items) {
            out.extend(block_fact(record, block, &time, None, true));
        }
    }
    let Some(message) = message_in(node) else {
        return;
    };
    let [model, content, stop] = message.fields(["model", "content", "stop_reason"]);
    out.extend(model.and_then(Node::string).map(Fact::Model));
    let stop = stop.and_then(Node::string);
    let last = content
        .into_iter()
        .flat_map(Node::items)
        .last()
        .map(Node::offset);
    for block in content.into_iter().flat_map(Node::items) {
        let Some(mut fact) = block_fact(record, block, &time, stop.as_deref(), false) else {
            continue;
        };
        // The limit cuts the block that was being written; those before it are whole.
        if let Fact::Called(call) = &mut fact
            && classify::is_cut(stop.as_deref())
            && last == Some(block.offset())
        {
            call.verdict = Some(Verdict::Cut);
            call.raw = None;
            call.raw_from = None;
        }
        out.push(fact);
    }
}

fn block_fact(
    record: &Record<'_>,
    block: Node<'_>,
    time: &Option<String>,
    stop: Option<&str>,
    replayed: bool,
) -> Option<Fact> {
    let [kind, id, name, input, answered, content, failed] = block.fields([
        "type",
        "id",
        "name",
        "input",
        "tool_use_id",
        "content",
        "is_error",
    ]);
    match kind?.text()?.as_ref() {
        "tool_use" => {
            let id = id.and_then(Node::string);
            Some(Fact::Called(Call {
                place: record.place_of(id.as_deref(), block),
                id,
                tool: name.and_then(Node::string),
                stop: stop.map(str::to_owned),
                time: time.clone(),
                replayed,
                ..Call::parsed(input)
            }))
        }
        "tool_result" => {
            let failed = failed.is_some_and(Node::is_true);
            Some(Fact::Answered(Answer {
                place: record.place_at(block),
                id: answered.and_then(Node::string)?,
                verdict: if failed {
                    Verdict::ToolError
                } else {
                    Verdict::Fine
                },
                complaint: content.filter(|_| failed).map(content_text),
                ..Answer::default()
            }))
        }
        _ => None,
    }
}

fn message_in(node: Node<'_>) -> Option<Node<'_>> {
    find(node, &|node| {
        let [kind, role, content] = node.fields(["type", "role", "content"]);
        kind.is_some_and(|kind| kind.is("message"))
            && role.is_some_and(|role| role.is("assistant"))
            && content.is_some_and(Node::is_array)
    })
}

#[cfg(test)]
mod tests {
    use crate::transcript::formats::rows;

    #[test]
    fn a_whole_message_only_tells_that_its_last_block_was_cut() {
        let message = |stop: &str| {
            format!(
                r#"{{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{{"type":"tool_use","id":"toolu_01","name":"go","input":{{}}}},{{"type":"tool_use","id":"toolu_02","name":"write","input":{{}}}}],"stop_reason":"{stop}"}}"#
            )
        };
        assert_eq!(rows(&message("tool_use")), "");
        assert_eq!(rows(&message("refusal")), "");
        assert_eq!(rows(&message("max_tokens")), "truncated write");
        assert_eq!(
            rows(&format!(r#"{{"response":{}}}"#, message("max_tokens"))),
            "truncated write"
        );
    }

    #[test]
    fn pieces_are_joined_within_their_message() {
        let event = |kind: &str, rest: &str| {
            format!("event: {kind}\ndata: {{\"type\":\"{kind}\"{rest}}}\n\n")
        };
        let start = event("message_start", r#","message":{"id":"m1","model":"m"}"#);
        let open = |index: u32, id: &str| {
            event(
                "content_block_start",
                &format!(
                    r#","index":{index},"content_block":{{"type":"tool_use","id":"{id}","name":"go","input":{{}}}}"#
                ),
            )
        };
        let piece = |index: u32, text: &str| {
            let text = serde_json::to_string(text).unwrap();
            event(
                "content_block_delta",
                &format!(
                    r#","index":{index},"delta":{{"type":"input_json_delta","partial_json":{text}}}"#
                ),
            )
        };
        let end = |stop: &str| {
            event(
                "message_delta",
                &format!(r#","delta":{{"stop_reason":"{stop}"}}"#),
            ) + &event("message_stop", "")
        };
        let log = [
            start.clone(),
            open(0, "toolu_01"),
            piece(0, ""),
            open(1, "toolu_02"),
            piece(1, "{\"a\": "),
            piece(1, "'x'}"),
            end("tool_use"),
            start.clone(),
            open(0, "toolu_03"),
            piece(0, "{\"a\": 1"),
            end("max_tokens"),
            start,
            open(0, "toolu_04"),
            piece(0, "{\"a\": 1"),
        ];
        assert_eq!(
            rows(&log.concat()),
            "malformed go {\"a\": 'x'} deltas\ntruncated go {\"a\": 1 deltas\ntruncated go {\"a\": 1 deltas"
        );
    }
}
