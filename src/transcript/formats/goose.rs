//! Goose: requests and responses as content of messages, one message a line; newer versions use a database.

use super::{Adapter, content_text, time_from_number};
use crate::transcript::call::RawFrom;
use crate::transcript::fact::{Answer, Call, Fact, Reading, Record, Verdict};
use crate::transcript::node::Node;

pub(super) const ADAPTER: Adapter = Adapter {
    id: "goose",
    lives: "~/.local/share/goose/sessions/*.jsonl (versions with a database are not read)",
    keeps: "unreadable arguments inside the error text, in some versions",
    sniff,
    read,
    marks: &["toolRequest", "toolResponse"],
    ..Adapter::SIMPLE
};

fn sniff(record: &Record<'_>) -> bool {
    let Some(node) = record.node else {
        return false;
    };
    let [folder, count, role, created, content] =
        node.fields(["working_dir", "message_count", "role", "created", "content"]);
    let is_block = |block: Node<'_>| {
        let kind = block.get("type").and_then(Node::text).unwrap_or_default();
        matches!(&*kind, "toolRequest" | "toolResponse")
    };
    (folder.is_some() && count.is_some())
        || (role.is_some()
            && created.is_some()
            && content.into_iter().flat_map(Node::items).any(is_block))
}

fn read(record: &Record<'_>, out: &mut Vec<Fact>) {
    let Some(node) = record.node else { return };
    let [created, content] = node.fields(["created", "content"]);
    let time = created.and_then(Node::number).and_then(time_from_number);
    for block in content.into_iter().flat_map(Node::items) {
        let [kind, id, call, result] = block.fields(["type", "id", "toolCall", "toolResult"]);
        let (Some(kind), Some(id)) = (kind.and_then(Node::text), id.and_then(Node::string)) else {
            continue;
        };
        match (&*kind, call, result) {
            ("toolRequest", Some(call), _) => {
                let place = record.place_of(Some(&id), block);
                out.push(Fact::Called(Call {
                    place,
                    id: Some(id),
                    time: time.clone(),
                    ..request(call)
                }));
            }
            ("toolResponse", _, Some(result)) => {
                let (verdict, complaint) = response(result);
                out.push(Fact::Answered(Answer {
                    place: record.place_at(block),
                    id,
                    verdict,
                    complaint,
                    time: time.clone(),
                    ..Answer::default()
                }));
            }
            _ => {}
        }
    }
}

fn request(call: Node<'_>) -> Call {
    let [value, error] = call.fields(["value", "error"]);
    if let Some(error) = error.and_then(error_text) {
        let raw = quoted(&error);
        return Call {
            raw_from: raw.map(|_| RawFrom::ErrorText),
            raw: raw.map(str::to_owned),
            reading: Reading::Parsed,
            verdict: Some(verdict(&error)),
            complaint: Some(error),
            ..Call::default()
        };
    }
    let [name, arguments] = value.map_or([None; 2], |value| value.fields(["name", "arguments"]));
    Call {
        tool: name.and_then(Node::string),
        ..Call::parsed(arguments)
    }
}

fn response(result: Node<'_>) -> (Verdict, Option<String>) {
    let [value, error] = result.fields(["value", "error"]);
    if let Some(error) = error.and_then(error_text) {
        return (verdict(&error), Some(error));
    }
    let [failed, content] = value.map_or([None; 2], |value| value.fields(["isError", "content"]));
    match failed.is_some_and(Node::is_true) {
        true => (Verdict::ToolError, content.map(content_text)),
        false => (Verdict::Fine, None),
    }
}

/// The words of an error, which may be an object with a message.
fn error_text(error: Node<'_>) -> Option<String> {
    error
        .string()
        .or_else(|| error.get("message").and_then(Node::string))
}

fn verdict(error: &str) -> Verdict {
    if error.contains("Could not interpret tool use parameters") {
        match error.contains("EOF while parsing a string")
            || error.contains("may have been truncated")
        {
            true => Verdict::Cut,
            false => Verdict::Unreadable,
        }
    } else if error.contains("Tool '") && error.contains("' not found") {
        Verdict::UnknownTool
    } else if error.contains("-32602") {
        Verdict::Schema
    } else {
        Verdict::ToolError
    }
}

/// The arguments in an error text, from the first quote to the last: they may hold quotes.
fn quoted(error: &str) -> Option<&str> {
    let (_, behind) = error.split_once("Raw arguments: '")?;
    Some(behind.rsplit_once('\'').map_or(behind, |(raw, _)| raw))
}

#[cfg(test)]
mod tests {
    use crate::transcript::formats::rows;

    fn request(call: &str) -> String {
        format!(
            r#"{{"id":"m1","role":"assistant","created":1,"content":[{{"type":"toolRequest","id":"call_0001","toolCall":{call}}}]}}"#
        )
    }

    fn response(result: &str) -> String {
        format!(
            r#"{{"id":"m2","role":"user","created":2,"content":[{{"type":"toolResponse","id":"call_0001","toolResult":{result}}}]}}"#
        )
    }

    #[test]
    fn errors_quote_the_arguments_or_only_tell_of_them() {
        let parse = |rest: &str| {
            let error = serde_json::to_string(&format!(
                "-32602: Could not interpret tool use parameters for id call_0001: {rest}"
            ))
            .unwrap();
            let error = format!(r#"{{"status":"error","error":{error}}}"#);
            [request(&error), response(&error)].join("\n")
        };
        let fine = request(r#"{"status":"success","value":{"name":"shell","arguments":{"a": 1}}}"#);
        let object = "shell {\"a\":1} re-encoded re-encoded";
        for (log, wanted) in [
            (parse("expected `,`. Raw arguments: '{\"a\": 'x'}'"), "malformed {\"a\": 'x'} error-text".to_owned()),
            (parse("expected `,`"), "malformed".into()),
            (parse("EOF while parsing a string"), "truncated".into()),
            (parse("the response may have been truncated"), "truncated".into()),
            ([fine.clone(), response(r#"{"status":"success","value":{"content":[],"isError":false}}"#)].join("\n"), String::new()),
            ([fine.clone(), response(r#"{"status":"success","value":{"content":[{"type":"text","text":"x"}],"isError":true}}"#)].join("\n"), format!("tool-error {object}")),
            ([fine.clone(), response(r#"{"status":"error","error":"-32002: Tool 'shell' not found"}"#)].join("\n"), format!("unknown-tool {object}")),
            ([fine.clone(), response(r#"{"status":"error","error":"-32602: missing field `b`"}"#)].join("\n"), format!("schema {object}")),
            ([fine, response(r#"{"status":"error","error":"-32603: boom"}"#)].join("\n"), format!("tool-error {object}")),
        ] {
            assert_eq!(rows(&log), wanted, "{log}");
        }
    }
}
