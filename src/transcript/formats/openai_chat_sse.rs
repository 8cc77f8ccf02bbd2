//! OpenAI chat completions as they are streamed: `data:` lines with pieces of calls.

use super::{Adapter, time_of};
use crate::transcript::call::RawFrom;
use crate::transcript::fact::{Call, Fact, Record};
use crate::transcript::node::Node;

pub(super) const ADAPTER: Adapter = Adapter {
    id: "openai-chat-sse",
    lives: "streams that programs and proxies keep",
    keeps: "the arguments, joined from their pieces; parallel calls interleave",
    sniff,
    read,
    marks: &["\"tool_calls\"", "finish_reason", "[DONE]"],
    reads_garbage: true,
    ..Adapter::SIMPLE
};

fn sniff(record: &Record<'_>) -> bool {
    let Some(node) = record.node else {
        return false;
    };
    let [object, choices] = node.fields(["object", "choices"]);
    object.is_some_and(|object| object.is("chat.completion.chunk"))
        || choices
            .and_then(|choices| choices.items().next())
            .is_some_and(|choice| choice.get("delta").is_some())
}

fn read(record: &Record<'_>, out: &mut Vec<Fact>) {
    let Some(node) = record.node else {
        if record.bytes.trim_ascii().ends_with(b"[DONE]") {
            out.push(Fact::Done);
        }
        return;
    };
    let [id, model, choices] = node.fields(["id", "model", "choices"]);
    let response = id.and_then(Node::string).unwrap_or_default();
    for choice in choices.into_iter().flat_map(Node::items) {
        let [index, delta, stop] = choice.fields(["index", "delta", "finish_reason"]);
        let number = |node: Option<Node<'_>>| {
            node.and_then(Node::string_or_number)
                .unwrap_or_else(|| "0".into())
        };
        let streams = format!("{response}/{}/", number(index));
        let calls = delta.and_then(|delta| delta.get("tool_calls"));
        for piece in calls.into_iter().flat_map(Node::items) {
            let [index, id, function] = piece.fields(["index", "id", "function"]);
            let [name, arguments] =
                function.map_or([None; 2], |function| function.fields(["name", "arguments"]));
            let stream = format!("{streams}{}/", number(index));
            let id = id.and_then(Node::string).filter(|id| !id.is_empty());
            let name = name.and_then(Node::string).filter(|name| !name.is_empty());
            let text = arguments.and_then(Node::string).unwrap_or_default();
            if id.is_none() && name.is_none() {
                out.push(Fact::Piece { stream, text });
                continue;
            }
            let call = Call {
                place: record.place_at(piece),
                id,
                tool: name,
                raw: Some(text),
                raw_from: Some(RawFrom::Deltas),
                model: model.and_then(Node::string),
                time: time_of(node),
                ..Call::default()
            };
            out.push(Fact::Opened { stream, call });
        }
        if let Some(stop) = stop.and_then(Node::string) {
            out.push(Fact::Closed {
                streams,
                stop: Some(stop),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::transcript::formats::rows;

    fn chunk(response: &str, delta: &str, stop: &str) -> String {
        format!(
            "data: {{\"id\":\"{response}\",\"object\":\"chat.completion.chunk\",\"model\":\"m\",\"choices\":[{{\"index\":0,\"delta\":{delta},\"finish_reason\":{stop}}}]}}\n\n"
        )
    }

    fn piece(index: u32, id: &str, arguments: &str) -> String {
        let arguments = serde_json::to_string(arguments).unwrap();
        let head = match id {
            "" => String::new(),
            id => format!(r#""id":"{id}","#),
        };
        let name = match id {
            "" => "",
            _ => r#""name":"go","#,
        };
        format!(
            r#"{{"tool_calls":[{{"index":{index},{head}"function":{{{name}"arguments":{arguments}}}}}]}}"#
        )
    }

    #[test]
    fn interleaved_pieces_are_joined() {
        let log = [
            chunk("r1", &piece(0, "call_aaaa", ""), "null"),
            chunk("r1", &piece(1, "call_bbbb", ""), "null"),
            chunk("r1", &piece(0, "", "{\"a\""), "null"),
            chunk("r1", &piece(1, "", "{\"b\": "), "null"),
            chunk("r1", &piece(1, "", "1,}"), "null"),
            chunk("r1", &piece(0, "", ": 1}"), "null"),
            chunk("r1", "{}", "\"tool_calls\""),
            "data: [DONE]\n\n".into(),
        ];
        assert_eq!(rows(&log.concat()), "malformed go {\"b\": 1,} deltas");
    }

    #[test]
    fn how_a_stream_ends_decides() {
        let open = |arguments: &str| {
            [
                chunk("r1", &piece(0, "call_aaaa", ""), "null"),
                chunk("r1", &piece(0, "", arguments), "null"),
            ]
            .concat()
        };
        let done = "data: [DONE]\n\n";
        let stop = |stop: &str| chunk("r1", "{}", stop);
        for (log, wanted) in [
            (
                open("{\"a\": 1") + &stop("\"tool_calls\"") + done,
                "malformed go {\"a\": 1 deltas",
            ),
            (
                open("{\"a\": 1") + &stop("\"length\"") + done,
                "truncated go {\"a\": 1 deltas",
            ),
            // Neither a reason nor an end: aborted.
            (open("{\"a\": 1"), "truncated go {\"a\": 1 deltas"),
            (open("{\"a\": 1") + done, "malformed go {\"a\": 1 deltas"),
            (open("{\"a\": 1}"), ""),
            (open(""), ""),
            // The end of one stream is not the end of another.
            (
                open("{\"a\"")
                    + &chunk("r2", &piece(0, "call_cccc", "{"), "null")
                    + &chunk("r1", &piece(0, "", ": 1}"), "null")
                    + done,
                "truncated go { deltas",
            ),
        ] {
            assert_eq!(rows(&log), wanted, "{log}");
        }
    }

    #[test]
    fn an_id_in_every_piece_is_one_call() {
        let log = [
            chunk("r1", &piece(0, "call_aaaa", "{\"a\""), "null"),
            chunk("r1", &piece(0, "call_aaaa", ": 1"), "null"),
            chunk("r1", "{}", "\"stop\""),
        ];
        assert_eq!(rows(&log.concat()), "malformed go {\"a\": 1 deltas");
    }
}
