//! Gemini CLI: a message comes again, whole, whenever a call is added to it; older sessions are one document.

use super::Adapter;
use crate::transcript::fact::{Answer, Call, Fact, Record, Verdict};
use crate::transcript::node::Node;

pub(super) const ADAPTER: Adapter = Adapter {
    id: "gemini-cli",
    lives: "~/.gemini/tmp/<project>/chats/session-*.jsonl; older: .json, rewritten",
    keeps: "nothing of unreadable arguments; they are listed by their marker",
    sniff,
    read,
    marks: &["\"toolCalls\"", "\"sessionId\"", "malformed function call"],
    ..Adapter::SIMPLE
};

fn sniff(record: &Record<'_>) -> bool {
    let Some(node) = record.node else {
        return false;
    };
    let [session, project, kind, calls, set] =
        node.fields(["sessionId", "projectHash", "type", "toolCalls", "$set"]);
    (session.is_some() && project.is_some())
        || set.is_some_and(Node::is_object)
        || (kind.is_some_and(|kind| kind.is("gemini")) && calls.is_some())
}

fn read(record: &Record<'_>, out: &mut Vec<Fact>) {
    let Some(node) = record.node else { return };
    let [session, messages] = node.fields(["sessionId", "messages"]);
    out.extend(session.and_then(Node::string).map(Fact::Session));
    match messages {
        Some(messages) => messages
            .items()
            .for_each(|message| read_message(record, message, out)),
        None => read_message(record, node, out),
    }
}

fn read_message(record: &Record<'_>, message: Node<'_>, out: &mut Vec<Fact>) {
    let [kind, calls, model, time, content] =
        message.fields(["type", "toolCalls", "model", "timestamp", "content"]);
    let time = time.and_then(Node::string);
    let model = model.and_then(Node::string);
    if kind.is_some_and(|kind| kind.is("error")) {
        let text = content.and_then(Node::string).unwrap_or_default();
        if text.to_lowercase().contains("malformed function call") {
            out.push(Fact::Called(Call {
                place: record.place_at(content.unwrap_or(message)),
                stop: Some("MALFORMED_FUNCTION_CALL".to_owned()),
                verdict: Some(Verdict::Unreadable),
                complaint: Some(text),
                time,
                ..Call::default()
            }));
        }
        return;
    }
    for call in calls.into_iter().flat_map(Node::items) {
        let [id, name, args, result, status] =
            call.fields(["id", "name", "args", "result", "status"]);
        let Some(id) = id.and_then(Node::string) else {
            continue;
        };
        let place = record.place_of(Some(&id), call);
        out.push(Fact::Called(Call {
            place,
            id: Some(id.clone()),
            tool: name.and_then(Node::string),
            model: model.clone(),
            time: time.clone(),
            ..Call::parsed(args)
        }));
        let status = status.and_then(Node::text).unwrap_or_default();
        let error = result
            .and_then(|result| result.items().next())
            .and_then(|first| first.path(&["functionResponse", "response", "error"]))
            .and_then(Node::string)
            .unwrap_or_default();
        let verdict = match &*status {
            "success" => Verdict::Fine,
            "error" => verdict(&error),
            "cancelled" => Verdict::Denied,
            _ => continue,
        };
        out.push(Fact::Answered(Answer {
            place,
            id,
            verdict,
            complaint: (verdict != Verdict::Fine).then_some(error),
            ..Answer::default()
        }));
    }
}

/// What an error says; those about arguments begin with the path of the one that is wrong.
fn verdict(error: &str) -> Verdict {
    let is_about_arguments = error.starts_with("params must ")
        || (error.starts_with("params/") && error.contains(" must "));
    if is_about_arguments {
        Verdict::Schema
    } else if error.starts_with("Tool \"") && error.contains("\" not found") {
        Verdict::UnknownTool
    } else {
        Verdict::ToolError
    }
}

#[cfg(test)]
mod tests {
    use crate::transcript::formats::rows;

    const HEAD: &str = r#"{"sessionId":"s1","projectHash":"p","startTime":"t"}"#;

    fn call(id: &str, status: &str, error: &str) -> String {
        let error = serde_json::to_string(error).unwrap();
        format!(
            r#"{{"id":"{id}","name":"edit","args":{{"a": 1}},"status":"{status}","result":[{{"functionResponse":{{"response":{{"error":{error}}}}}}}]}}"#
        )
    }

    fn message(calls: &[String]) -> String {
        format!(
            r#"{{"id":"g1","type":"gemini","content":"","toolCalls":[{}]}}"#,
            calls.join(",")
        )
    }

    #[test]
    fn the_status_and_the_start_of_the_error_decide() {
        let object = "edit {\"a\":1} re-encoded re-encoded";
        for (status, error, wanted) in [
            ("success", "", String::new()),
            ("executing", "", String::new()),
            (
                "error",
                "params must have required property 'b'",
                format!("schema {object}"),
            ),
            (
                "error",
                "params/a must be string",
                format!("schema {object}"),
            ),
            (
                "error",
                "Tool \"edit\" not found in registry.",
                format!("unknown-tool {object}"),
            ),
            (
                "error",
                "Exit Code: 1, params must",
                format!("tool-error {object}"),
            ),
            (
                "cancelled",
                "[Operation Cancelled]",
                format!("tool-error {object} denied"),
            ),
        ] {
            let message = message(&[call("edit-0001", status, error)]);
            let lines = [HEAD.to_owned(), message.clone()].join("\n");
            assert_eq!(rows(&lines), wanted, "{status} {error}");
            let document = format!(
                "{{\n\"sessionId\":\"s1\",\n\"projectHash\":\"p\",\n\"messages\":[{message}]\n}}"
            );
            assert_eq!(rows(&document), wanted, "{status} {error}");
        }
    }

    #[test]
    fn a_message_that_comes_again_is_one_row_a_call() {
        let first = call("edit-0001", "error", "params must");
        let again = [
            call("edit-0001", "error", "params must have x"),
            call("edit-0002", "executing", ""),
        ];
        let last = [again[0].clone(), call("edit-0002", "error", "Exit Code: 1")];
        let log = [
            HEAD.to_owned(),
            message(&[first]),
            message(&again),
            message(&last),
        ];
        assert_eq!(rows(&log.join("\n")).lines().count(), 2);
    }

    #[test]
    fn an_error_message_may_stand_for_a_call() {
        let error = r#"{"id":"e1","type":"error","content":"Model stream ended with malformed function call."}"#;
        assert_eq!(rows(&[HEAD, error].join("\n")), "malformed");
        assert_eq!(
            rows(&[HEAD, &error.replace("malformed function call", "an error")].join("\n")),
            ""
        );
    }
}
