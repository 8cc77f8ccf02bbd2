//! OpenAI Responses: whole objects, and the events of a stream.

use super::declared::Declared;
use super::openai_chat::find;
use super::{Adapter, content_head, time_of};
use crate::transcript::call::RawFrom;
use crate::transcript::classify;
use crate::transcript::fact::{Answer, Call, Fact, Reading, Record, Verdict};
use crate::transcript::node::Node;

pub(super) const ADAPTER: Adapter = Adapter {
    id: "openai-responses",
    lives: "response logs and streams that programs and proxies keep",
    keeps: "the arguments as the model sent them",
    sniff,
    read,
    marks: &[
        "function_call",
        "custom_tool_call",
        "response.completed",
        "response.incomplete",
        "response.failed",
        "output_item",
    ],
    reads_garbage: true,
    ..Adapter::SIMPLE
};

fn sniff(record: &Record<'_>) -> bool {
    let Some(node) = record.node else {
        return false;
    };
    let is_event = node
        .get("type")
        .and_then(Node::text)
        .is_some_and(|kind| kind.starts_with("response."));
    is_event || response_in(node).is_some()
}

fn read(record: &Record<'_>, out: &mut Vec<Fact>) {
    let Some(node) = record.node else { return };
    let kind = node.get("type").and_then(Node::text).unwrap_or_default();
    if kind.starts_with("response.") {
        return read_event(record, node, &kind, out);
    }
    let shared = Shared {
        record,
        time: time_of(node),
        ..Shared::of(record, node)
    };
    let request = find(node, &|node| node.get("input").is_some_and(Node::is_array));
    let history = request.and_then(|request| request.get("input"));
    for item in history.into_iter().flat_map(Node::items) {
        out.extend(shared.item(item, true));
    }
    if let Some(response) = response_in(node) {
        shared.response(response, out);
    }
}

fn read_event(record: &Record<'_>, event: Node<'_>, kind: &str, out: &mut Vec<Fact>) {
    let [item, id, delta, arguments, response] =
        event.fields(["item", "item_id", "delta", "arguments", "response"]);
    let stream = |id: Node<'_>| id.string().map(|id| format!("{id}/"));
    match kind {
        "response.output_item.added" => {
            let Some(item) = item else { return };
            let name = item.get("id").and_then(stream);
            if let (Some(stream), Some(Fact::Called(mut call))) =
                (name, Shared::of(record, event).item(item, false))
            {
                call.raw.get_or_insert_default();
                call.raw_from = Some(RawFrom::Deltas);
                out.push(Fact::Opened { stream, call });
            }
        }
        "response.function_call_arguments.delta" => {
            if let (Some(stream), Some(text)) = (id.and_then(stream), delta.and_then(Node::string))
            {
                out.push(Fact::Piece { stream, text });
            }
        }
        "response.function_call_arguments.done" => {
            if let (Some(stream), Some(text)) =
                (id.and_then(stream), arguments.and_then(Node::string))
            {
                out.push(Fact::Whole { stream, text });
            }
        }
        "response.output_item.done" => {
            let Some(item) = item else { return };
            let [id, arguments] = item.fields(["id", "arguments"]);
            if let (Some(stream), Some(text)) =
                (id.and_then(stream), arguments.and_then(Node::string))
            {
                out.push(Fact::Whole { stream, text });
            }
        }
        "response.completed" | "response.incomplete" | "response.failed" => {
            let Some(response) = response else { return };
            let stop = stop_of(response);
            for item in response.get("output").into_iter().flat_map(Node::items) {
                if let Some(streams) = item.get("id").and_then(stream) {
                    let stop = stop.clone();
                    out.push(Fact::Closed { streams, stop });
                }
            }
            // The same calls once more, for whoever joined in late.
            Shared::of(record, event).response(response, out);
        }
        _ => {}
    }
}

struct Shared<'a> {
    record: &'a Record<'a>,
    time: Option<String>,
    model: Option<String>,
    stop: Option<String>,
    declared: Declared<'a>,
}

impl<'a> Shared<'a> {
    fn of(record: &'a Record<'a>, node: Node<'a>) -> Shared<'a> {
        let tools = find(node, &|node| node.get("tools").is_some_and(Node::is_array));
        Shared {
            record,
            time: time_of(node),
            model: None,
            stop: None,
            declared: Declared::new(tools.and_then(|node| node.get("tools"))),
        }
    }

    fn response(&self, response: Node<'a>, out: &mut Vec<Fact>) {
        let [model, output] = response.fields(["model", "output"]);
        let of_response = Shared {
            record: self.record,
            time: self.time.clone(),
            model: model.and_then(Node::string),
            stop: stop_of(response),
            declared: self.declared,
        };
        for item in output.into_iter().flat_map(Node::items) {
            out.extend(of_response.item(item, false));
        }
    }

    fn item(&self, item: Node<'a>, replayed: bool) -> Option<Fact> {
        let [kind, id, name, arguments, input, output] =
            item.fields(["type", "call_id", "name", "arguments", "input", "output"]);
        let id = id.and_then(Node::string);
        let mut call = Call {
            place: self.record.place_of(id.as_deref(), item),
            id: id.clone(),
            tool: name.and_then(Node::string),
            raw_from: Some(RawFrom::Verbatim),
            stop: self.stop.clone(),
            model: self.model.clone(),
            time: self.time.clone(),
            replayed,
            ..Call::default()
        };
        match kind?.text()?.as_ref() {
            "function_call" => {
                call.raw = arguments.and_then(Node::string);
                if let (Some(tool), Some(raw)) = (&call.tool, &call.raw)
                    && !raw.trim().is_empty()
                    && classify::parses(raw)
                {
                    let verdict = self.declared.verdict(tool, raw);
                    call.verdict = (verdict != Verdict::Fine).then_some(verdict);
                }
                Some(Fact::Called(call))
            }
            "custom_tool_call" => {
                call.raw = input.and_then(Node::string);
                call.reading = Reading::Free;
                Some(Fact::Called(call))
            }
            "function_call_output" | "custom_tool_call_output" => Some(Fact::Answered(Answer {
                place: call.place,
                id: id?,
                complaint: output.map(content_head),
                ..Answer::default()
            })),
            _ => None,
        }
    }
}

/// Why the model stopped: the reason of an incomplete response, else its status.
fn stop_of(response: Node<'_>) -> Option<String> {
    let reason = response
        .path(&["incomplete_details", "reason"])
        .and_then(Node::string);
    reason.or_else(|| response.get("status").and_then(Node::string))
}

fn response_in(node: Node<'_>) -> Option<Node<'_>> {
    find(node, &|node| {
        let [object, output] = node.fields(["object", "output"]);
        object.is_some_and(|object| object.is("response")) && output.is_some_and(Node::is_array)
    })
}

#[cfg(test)]
mod tests {
    use crate::transcript::formats::rows;

    fn whole(arguments: &str, status: &str, reason: &str) -> String {
        let arguments = serde_json::to_string(arguments).unwrap();
        format!(
            r#"{{"id":"resp_1","object":"response","status":"{status}","incomplete_details":{reason},"model":"m","output":[{{"type":"reasoning"}},{{"type":"function_call","id":"fc_1","call_id":"call_0001","name":"go","arguments":{arguments}}}]}}"#
        )
    }

    #[test]
    fn the_reason_of_an_incomplete_response_counts() {
        for (arguments, status, reason, wanted) in [
            ("{}", "completed", "null", ""),
            (
                "{\"a\": 1",
                "completed",
                "null",
                "malformed go {\"a\": 1 verbatim",
            ),
            (
                "{\"a\": 1",
                "incomplete",
                r#"{"reason":"max_output_tokens"}"#,
                "truncated go {\"a\": 1 verbatim",
            ),
            (
                "{\"a\": 1",
                "incomplete",
                r#"{"reason":"content_filter"}"#,
                "malformed go {\"a\": 1 verbatim",
            ),
        ] {
            assert_eq!(
                rows(&whole(arguments, status, reason)),
                wanted,
                "{arguments} {reason}"
            );
        }
    }

    #[test]
    fn a_stream_and_its_summary_are_one_call() {
        let event = |kind: &str, rest: &str| {
            format!("event: {kind}\ndata: {{\"type\":\"{kind}\",{rest}}}\n\n")
        };
        let item = |arguments: &str| {
            format!(
                r#"{{"type":"function_call","id":"fc_1","call_id":"call_0001","name":"go","arguments":"{arguments}"}}"#
            )
        };
        let added = event(
            "response.output_item.added",
            &format!(r#""item":{}"#, item("")),
        );
        let delta = event(
            "response.function_call_arguments.delta",
            r#""item_id":"fc_1","delta":"{'a"#.to_owned().as_str(),
        )
        .replace("{'a}", "{'a\"}");
        let done = event(
            "response.function_call_arguments.done",
            r#""item_id":"fc_1","arguments":"{'a'}""#,
        );
        let end = event(
            "response.completed",
            &format!(
                r#""response":{{"id":"resp_1","status":"completed","output":[{}]}}"#,
                item("{'a'}")
            ),
        );
        let wanted = "malformed go {'a'} verbatim";
        assert_eq!(
            rows(&[added.clone(), delta.clone(), done, end.clone()].concat()),
            wanted
        );
        // Without the whole text at its end, the pieces count.
        assert_eq!(rows(&[added, delta].concat()), "truncated go {'a deltas");
        assert_eq!(rows(&end), wanted);
    }
}
