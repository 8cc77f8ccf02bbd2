//! Cline: the SDK's sessions, which keep what they could not read, and the extension's histories, which do not.

use super::{Adapter, content_text, time_from_number};
use crate::transcript::call::{Badge, RawFrom};
use crate::transcript::fact::{Answer, Call, Fact, Reading, Record, Verdict};
use crate::transcript::node::Node;

pub(super) const ADAPTER: Adapter = Adapter {
    id: "cline",
    lives: "~/.cline/data/sessions/<id>/<id>.messages.json; the extension's tasks/<id>/api_conversation_history.json",
    keeps: "SDK: the text as the model sent it; extension: of calls as text everything, of others an object",
    sniff,
    read,
    ..Adapter::SIMPLE
};

fn sniff(record: &Record<'_>) -> bool {
    record
        .node
        .is_some_and(|node| messages(node).take(50).any(is_message))
}

/// A message with content blocks, or with calls that the SDK sorted out.
fn is_message(message: Node<'_>) -> bool {
    let [role, content, metadata] = message.fields(["role", "content", "metadata"]);
    let has_invalid = metadata.is_some_and(|metadata| metadata.get("invalidToolCalls").is_some());
    let block = content.and_then(|content| content.items().next());
    role.is_some() && (has_invalid || block.is_some_and(|block| block.get("type").is_some()))
}

/// The messages of an array, or of a document that holds one.
pub(super) fn messages(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let list = match node.is_array() {
        true => Some(node),
        false => node.get("messages"),
    };
    list.into_iter().flat_map(Node::items)
}

fn read(record: &Record<'_>, out: &mut Vec<Fact>) {
    let Some(node) = record.node else { return };
    for message in messages(node) {
        let [role, content, metadata, ts] = message.fields(["role", "content", "metadata", "ts"]);
        let time = ts.and_then(Node::number).and_then(time_from_number);
        let invalid = metadata.and_then(|metadata| metadata.get("invalidToolCalls"));
        for call in invalid.into_iter().flat_map(Node::items) {
            out.push(Fact::Called(sorted_out(record, call, time.clone())));
        }
        let is_model = role.is_some_and(|role| role.is("assistant"));
        for block in content.into_iter().flat_map(Node::items) {
            read_block(record, block, is_model, &time, out);
        }
    }
}

/// A call that the SDK could not read and therefore did not run.
fn sorted_out(record: &Record<'_>, call: Node<'_>, time: Option<String>) -> Call {
    let [id, name, input, reason] = call.fields(["toolCallId", "toolName", "input", "reason"]);
    let [raw, error] = input.map_or([None; 2], |input| {
        input.fields(["rawInputText", "parseError"])
    });
    let id = id.and_then(Node::string);
    Call {
        place: record.place_of(id.as_deref(), call),
        id,
        tool: name.and_then(Node::string),
        raw: raw.and_then(Node::string),
        raw_from: raw.map(|_| RawFrom::Verbatim),
        reading: Reading::Parsed,
        verdict: Some(Verdict::Unreadable),
        complaint: error.or(reason).and_then(Node::string),
        badges: vec![Badge::RepairedUpstream],
        time,
        ..Call::default()
    }
}

fn read_block(
    record: &Record<'_>,
    block: Node<'_>,
    is_model: bool,
    time: &Option<String>,
    out: &mut Vec<Fact>,
) {
    let [kind, id, name, input, of, content, text] = block.fields([
        "type",
        "id",
        "name",
        "input",
        "tool_use_id",
        "content",
        "text",
    ]);
    match kind.and_then(Node::text).unwrap_or_default().as_ref() {
        "tool_use" => {
            let id = id.and_then(Node::string);
            out.push(Fact::Called(Call {
                place: record.place_of(id.as_deref(), block),
                id,
                tool: name.and_then(Node::string),
                time: time.clone(),
                doubtful: true,
                ..Call::parsed(input)
            }));
        }
        "tool_result" => {
            let Some(id) = of.and_then(Node::string) else {
                return;
            };
            let text = content.map(content_text).unwrap_or_default();
            let verdict = verdict(&text);
            out.push(Fact::Answered(Answer {
                place: record.place_at(block),
                id,
                verdict,
                complaint: (verdict != Verdict::Fine).then_some(text),
                ..Answer::default()
            }));
        }
        "text" if is_model => {
            let Some(node) = text else { return };
            let Some(text) = node.text() else { return };
            out.extend(text_calls(&text).map(|raw| {
                Fact::Called(Call {
                    place: record.place_at(node),
                    tool: Some("use_mcp_tool".to_owned()),
                    raw: Some(raw.to_owned()),
                    raw_from: Some(RawFrom::Verbatim),
                    time: time.clone(),
                    ..Call::default()
                })
            }));
        }
        _ => {}
    }
}

/// The arguments of calls that stand as text.
fn text_calls(text: &str) -> impl Iterator<Item = &str> {
    text.split("<use_mcp_tool>").skip(1).filter_map(|call| {
        let (_, behind) = call.split_once("<arguments>")?;
        let raw = behind
            .split_once("</arguments>")
            .map_or(behind, |(raw, _)| raw);
        Some(raw.trim())
    })
}

/// There is no flag; the words of the extension stand at the start of a result or in its error.
fn verdict(text: &str) -> Verdict {
    const FAILED: &str = "The tool execution failed with the following error:";
    let Some(at) = text.find(FAILED).filter(|at| *at < 200) else {
        return match text.starts_with("The user denied this operation") {
            true => Verdict::Denied,
            false => Verdict::Fine,
        };
    };
    let error = &text[at..];
    if error.contains("Missing value for required parameter") {
        Verdict::Schema
    } else if error.contains("Invalid JSON argument used with") {
        Verdict::Unreadable
    } else {
        Verdict::ToolError
    }
}

#[cfg(test)]
mod tests {
    use crate::transcript::formats::rows;

    #[test]
    fn the_sdk_keeps_what_it_could_not_read() {
        let session = |raw: &str| {
            let raw = serde_json::to_string(raw).unwrap();
            format!(
                r#"{{"messages":[{{"role":"assistant","content":[{{"type":"text","text":"x"}}],"metadata":{{"invalidToolCalls":[{{"toolCallId":"call_0001","toolName":"edit","input":{{"rawInputText":{raw},"parseError":"bad"}},"reason":"invalid"}}]}}}}]}}"#
            )
        };
        assert_eq!(
            rows(&session("{\"a\": 1,}")),
            "malformed edit {\"a\": 1,} verbatim repaired-upstream"
        );
        assert_eq!(
            rows(&session("{\"a\": \"x")),
            "truncated edit {\"a\": \"x verbatim repaired-upstream"
        );
    }

    #[test]
    fn the_extension_answers_in_words() {
        let log = |text: &str| {
            let text = serde_json::to_string(text).unwrap();
            format!(
                r#"[{{"role":"user","content":[{{"type":"text","text":"go"}}]}},{{"role":"assistant","content":[{{"type":"tool_use","id":"toolu_01","name":"write","input":{{"path": "a"}}}}]}},{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"toolu_01","content":[{{"type":"text","text":{text}}}]}}]}}]"#
            )
        };
        let object = "write {\"path\":\"a\"} re-encoded re-encoded";
        for (text, wanted) in [
            ("done", String::new()),
            (
                "The tool execution failed with the following error:\n<error>\nMissing value for required parameter 'x'",
                format!("schema {object} maybe-malformed"),
            ),
            (
                "The tool execution failed with the following error:\n<error>\nno such file",
                format!("tool-error {object}"),
            ),
            (
                "The user denied this operation.",
                format!("tool-error {object} denied"),
            ),
            (
                "Command executed.\nOutput:\nMissing value for required parameter",
                String::new(),
            ),
        ] {
            assert_eq!(rows(&log(text)), wanted, "{text}");
        }
    }

    #[test]
    fn calls_as_text_are_parsed() {
        let log = |arguments: &str| {
            let text = format!(
                "<use_mcp_tool>\n<server_name>s</server_name>\n<arguments>\n{arguments}\n</arguments>\n</use_mcp_tool>"
            );
            let text = serde_json::to_string(&text).unwrap();
            format!(
                "[\n{{\"role\":\"assistant\",\"content\":[{{\"type\":\"text\",\"text\":{text}}}]}}\n]"
            )
        };
        assert_eq!(
            rows(&log("{\"a\": 1,}")),
            "malformed use_mcp_tool {\"a\": 1,} verbatim"
        );
        assert_eq!(rows(&log("{\"a\": 1}")), "");
    }
}
