//! Gemini API: a malformed call is no call any more but a finish reason, with the text in its message at best.

use super::openai_chat::find;
use super::{Adapter, time_of};
use crate::transcript::call::RawFrom;
use crate::transcript::fact::{Call, Fact, Reading, Record, Verdict};
use crate::transcript::node::Node;

pub(super) const ADAPTER: Adapter = Adapter {
    id: "gemini-api",
    lives: "response logs and streams that programs and proxies keep",
    keeps: "often the text of a malformed call in the finish message",
    sniff,
    read,
    marks: &["functionCall", "finishReason"],
    reads_garbage: true,
    ..Adapter::SIMPLE
};

fn sniff(record: &Record<'_>) -> bool {
    record.node.is_some_and(|node| response_in(node).is_some())
}

fn response_in(node: Node<'_>) -> Option<Node<'_>> {
    find(node, &|node| {
        let first = node
            .get("candidates")
            .and_then(|candidates| candidates.items().next());
        first.is_some_and(|first| {
            first.get("content").is_some() || first.get("finishReason").is_some()
        })
    })
}

fn read(record: &Record<'_>, out: &mut Vec<Fact>) {
    const MARKER: &str = "Malformed function call: ";
    let Some(node) = record.node else { return };
    let Some(response) = response_in(node) else {
        return;
    };
    let [model, candidates] = response.fields(["modelVersion", "candidates"]);
    for candidate in candidates.into_iter().flat_map(Node::items) {
        let [content, reason, message] =
            candidate.fields(["content", "finishReason", "finishMessage"]);
        let reason = reason.and_then(Node::string);
        let blank = Call {
            place: record.place_at(candidate),
            stop: reason.clone(),
            model: model.and_then(Node::string),
            time: time_of(node),
            ..Call::default()
        };
        let parts = content.and_then(|content| content.get("parts"));
        for call in parts
            .into_iter()
            .flat_map(Node::items)
            .filter_map(|part| part.get("functionCall"))
        {
            let [id, name, args] = call.fields(["id", "name", "args"]);
            out.push(Fact::Called(Call {
                place: record.place_at(call),
                id: id.and_then(Node::string),
                tool: name.and_then(Node::string),
                raw: args.map(Node::minified),
                raw_from: args.map(|_| RawFrom::ReEncoded),
                reading: Reading::Parsed,
                ..blank.clone()
            }));
        }
        let verdict = match reason.as_deref() {
            Some("MALFORMED_FUNCTION_CALL") => Verdict::Unreadable,
            Some("UNEXPECTED_TOOL_CALL" | "TOO_MANY_TOOL_CALLS") => Verdict::UnknownTool,
            _ => continue,
        };
        let message = message.and_then(Node::string);
        let raw = message
            .as_deref()
            .and_then(|message| Some(message.split_once(MARKER)?.1));
        out.push(Fact::Called(Call {
            tool: raw.and_then(tool_of).map(str::to_owned),
            raw: raw.map(str::to_owned),
            raw_from: raw.map(|_| RawFrom::ErrorText),
            reading: Reading::Free,
            verdict: Some(verdict),
            complaint: message.clone(),
            ..blank
        }));
    }
}

/// The function in `print(default_api.f(..))` and in `call:f{..}`.
fn tool_of(raw: &str) -> Option<&str> {
    let (behind, end) = match raw.split_once("default_api.") {
        Some((_, behind)) => (behind, '('),
        None => (raw.split_once("call:")?.1, '{'),
    };
    behind
        .split(end)
        .next()
        .map(str::trim)
        .filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use crate::transcript::formats::rows;

    #[test]
    fn a_finish_reason_stands_for_a_call() {
        let log = |reason: &str, message: &str| {
            let message = serde_json::to_string(message).unwrap();
            format!(
                r#"{{"modelVersion":"m","candidates":[{{"content":{{}},"finishReason":"{reason}","finishMessage":{message}}}]}}"#
            )
        };
        for (reason, message, wanted) in [
            ("STOP", "", ""),
            ("MAX_TOKENS", "", ""),
            (
                "MALFORMED_FUNCTION_CALL",
                "Malformed function call: print(default_api.find(q='x'))",
                "malformed find print(default_api.find(q='x')) error-text",
            ),
            (
                "MALFORMED_FUNCTION_CALL",
                "Malformed function call: call:find{q:\"x\"}",
                "malformed find call:find{q:\"x\"} error-text",
            ),
            ("MALFORMED_FUNCTION_CALL", "", "malformed"),
            ("UNEXPECTED_TOOL_CALL", "", "unknown-tool"),
            ("TOO_MANY_TOOL_CALLS", "", "unknown-tool"),
        ] {
            assert_eq!(rows(&log(reason, message)), wanted, "{reason} {message}");
            let stream = format!("data: {}\n\n", log(reason, message));
            assert_eq!(rows(&stream), wanted, "{reason} {message}");
        }
    }
}
