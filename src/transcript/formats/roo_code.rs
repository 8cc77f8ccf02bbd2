//! Roo Code: one array of messages on one line; results that are JSON in a string say what went wrong.

use super::cline::messages;
use super::{Adapter, content_text, time_from_number};
use crate::transcript::call::Badge;
use crate::transcript::fact::{Answer, Call, Fact, Record, Verdict};
use crate::transcript::node::Node;

pub(super) const ADAPTER: Adapter = Adapter {
    id: "roo-code",
    lives: "the extension's tasks/<id>/api_conversation_history.json",
    keeps: "nothing of unreadable arguments; they are listed by their marker",
    sniff,
    read,
    ..Adapter::SIMPLE
};

/// Cline's histories have the same shape; these carry a time on each message and none of Cline's own members.
fn sniff(record: &Record<'_>) -> bool {
    let Some(node) = record.node.filter(|node| node.is_array()) else {
        return false;
    };
    let Some(first) = node.items().next() else {
        return false;
    };
    let [role, content, ts, info] = first.fields(["role", "content", "ts", "modelInfo"]);
    let is_task = || {
        let text = content.map(content_text).unwrap_or_default();
        text.starts_with("<task>")
    };
    role.is_some() && ts.is_some() && info.is_none() && !is_task()
}

fn read(record: &Record<'_>, out: &mut Vec<Fact>) {
    let Some(node) = record.node else { return };
    for message in messages(node) {
        let [content, ts] = message.fields(["content", "ts"]);
        let time = ts.and_then(Node::number).and_then(time_from_number);
        for block in content.into_iter().flat_map(Node::items) {
            out.extend(read_block(record, block, &time));
        }
    }
}

fn read_block(record: &Record<'_>, block: Node<'_>, time: &Option<String>) -> Option<Fact> {
    let [kind, id, name, input, of, content, failed] = block.fields([
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
                badges: vec![Badge::RepairedUpstream],
                time: time.clone(),
                doubtful: true,
                ..Call::parsed(input)
            }))
        }
        "tool_result" => {
            let text = content.map(content_text).unwrap_or_default();
            let verdict = verdict(&text, failed.is_some_and(Node::is_true));
            Some(Fact::Answered(Answer {
                place: record.place_at(block),
                id: of.and_then(Node::string)?,
                verdict,
                raw_lost: verdict == Verdict::Unreadable,
                complaint: (verdict != Verdict::Fine).then_some(text),
                time: time.clone(),
                ..Answer::default()
            }))
        }
        _ => None,
    }
}

fn verdict(text: &str, failed: bool) -> Verdict {
    let object = Node::new(text.as_bytes()).filter(|node| node.is_object());
    let [status, kind, error] = object.map_or([None; 3], |object| {
        object.fields(["status", "type", "error"])
    });
    let is_error = failed || status.is_some_and(|status| status.is("error"));
    if status.is_some_and(|status| status.is("denied")) {
        // A refusal carries no flag.
        Verdict::Denied
    } else if !is_error {
        Verdict::Fine
    } else if kind.is_some_and(|kind| kind.is("invalid_argument"))
        || error
            .and_then(Node::text)
            .is_some_and(|error| error.contains("missing nativeArgs"))
    {
        Verdict::Unreadable
    } else if kind.is_some_and(|kind| kind.is("unknown_tool")) {
        Verdict::UnknownTool
    } else if text.contains("Missing value for required parameter") {
        Verdict::Schema
    } else {
        Verdict::ToolError
    }
}

#[cfg(test)]
mod tests {
    use crate::transcript::formats::rows;

    #[test]
    fn results_say_what_went_wrong() {
        let log = |text: &str, is_error: bool| {
            let text = serde_json::to_string(text).unwrap();
            format!(
                r#"[{{"role":"user","content":[{{"type":"text","text":"<user_message>go"}}],"ts":1}},{{"role":"assistant","content":[{{"type":"tool_use","id":"call_0001","name":"write","input":{{"path":"a"}}}}],"ts":1700000000000}},{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"call_0001","content":{text},"is_error":{is_error}}}],"ts":3}}]"#
            )
        };
        let object = "write {\"path\":\"a\"} re-encoded re-encoded repaired-upstream";
        for (text, is_error, wanted) in [
            ("1 | x", false, String::new()),
            (
                r#"{"status":"error","error":"Invalid tool call: missing nativeArgs."}"#,
                true,
                "malformed write repaired-upstream".into(),
            ),
            (
                r#"{"status":"error","type":"invalid_argument"}"#,
                true,
                "malformed write repaired-upstream".into(),
            ),
            (
                "Missing value for required parameter 'x'.",
                true,
                format!("schema {object} maybe-malformed"),
            ),
            (
                r#"{"status":"error","type":"unknown_tool"}"#,
                true,
                format!("unknown-tool {object}"),
            ),
            (
                r#"{"status":"denied"}"#,
                false,
                format!("tool-error {object} denied"),
            ),
            ("no such file", true, format!("tool-error {object}")),
            ("quotes {\"status\":\"denied\"}", false, String::new()),
        ] {
            assert_eq!(rows(&log(text, is_error)), wanted, "{text}");
        }
    }
}
