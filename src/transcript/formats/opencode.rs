//! opencode: one JSON file a part, or an export of a session in one document.

use super::super::date;
use super::Adapter;
use crate::transcript::call::RawFrom;
use crate::transcript::fact::{Answer, Call, Fact, Reading, Record, Verdict};
use crate::transcript::node::Node;

pub(super) const ADAPTER: Adapter = Adapter {
    id: "opencode",
    lives: "~/.local/share/opencode/storage, one file a part; opencode export",
    keeps: "unreadable arguments inside the error text; a clipped text of calls that were never finished",
    sniff,
    read,
    ..Adapter::SIMPLE
};

fn sniff(record: &Record<'_>) -> bool {
    let Some(node) = record.node else {
        return false;
    };
    let [info, messages, session, message, kind, role] =
        node.fields(["info", "messages", "sessionID", "messageID", "type", "role"]);
    let is_export = || {
        let first = messages.and_then(|messages| messages.items().next());
        info.is_some_and(Node::is_object) && first.is_some_and(|first| first.get("parts").is_some())
    };
    session.is_some() && (message.is_some() && kind.is_some() || role.is_some()) || is_export()
}

fn read(record: &Record<'_>, out: &mut Vec<Fact>) {
    let Some(node) = record.node else { return };
    let [messages, kind, role] = node.fields(["messages", "type", "role"]);
    if let Some(messages) = messages {
        for message in messages.items() {
            let [info, parts] = message.fields(["info", "parts"]);
            let message = info.map(Message::of).unwrap_or_default();
            for part in parts.into_iter().flat_map(Node::items) {
                read_part(record, part, &message, out);
            }
        }
    } else if kind.is_some() {
        read_part(record, node, &Message::default(), out);
    } else if role.is_some() {
        // A message's own file says why it ended; its parts lie elsewhere.
        let message = Message::of(node);
        if let (Some(message), Some(reason)) = (message.id, message.finish) {
            out.push(Fact::Stopped { message, reason });
        }
    }
}

#[derive(Default)]
struct Message {
    id: Option<String>,
    finish: Option<String>,
    model: Option<String>,
}

impl Message {
    fn of(info: Node<'_>) -> Message {
        let [id, finish, model] = info.fields(["id", "finish", "modelID"]);
        Message {
            id: id.and_then(Node::string),
            finish: finish.and_then(Node::string),
            model: model.and_then(Node::string),
        }
    }
}

fn read_part(record: &Record<'_>, part: Node<'_>, message: &Message, out: &mut Vec<Fact>) {
    let [kind, id, tool, state, session, of] =
        part.fields(["type", "callID", "tool", "state", "sessionID", "messageID"]);
    let (Some(id), Some(state)) = (id.and_then(Node::string), state) else {
        return;
    };
    if !kind.is_some_and(|kind| kind.is("tool")) {
        return;
    }
    let [status, input, raw, error, time] =
        state.fields(["status", "input", "raw", "error", "time"]);
    let start = time
        .and_then(|time| time.get("start"))
        .and_then(Node::number);
    let call = Call {
        place: record.place_of(Some(&id), part),
        id: Some(id.clone()),
        tool: tool.and_then(Node::string),
        stop: message.finish.clone(),
        message: of.and_then(Node::string).or(message.id.clone()),
        session: session.and_then(Node::string),
        model: message.model.clone(),
        time: start
            .filter(|start| 1e11 < *start)
            .map(|start| date::stamp_millis(start as i64)),
        ..Call::parsed(input)
    };
    let answer = |verdict: Verdict, complaint: Option<String>| {
        Fact::Answered(Answer {
            place: call.place,
            id: id.clone(),
            verdict,
            complaint,
            ..Answer::default()
        })
    };
    let status = status.and_then(Node::text).unwrap_or_default();
    match &*status {
        "completed" if call.tool.as_deref() == Some("invalid") => {
            let [tool, error] = input.map_or([None; 2], |input| input.fields(["tool", "error"]));
            let error = error.and_then(Node::string).unwrap_or_default();
            let (verdict, raw) = rejected(&error);
            let facts = [
                Fact::Called(Call {
                    tool: tool.and_then(Node::string),
                    raw_from: raw.map(|_| RawFrom::ErrorText),
                    raw: raw.map(str::to_owned),
                    ..call.clone()
                }),
                answer(verdict, Some(error.clone())),
            ];
            out.extend(facts);
        }
        "completed" => {
            let fact = answer(Verdict::Fine, None);
            out.extend([Fact::Called(call), fact]);
        }
        "error" => {
            let error = error.and_then(Node::string).unwrap_or_default();
            let verdict = match error.contains("rejected permission") {
                true => Verdict::Denied,
                false => Verdict::ToolError,
            };
            let fact = answer(verdict, Some(error));
            out.extend([Fact::Called(call), fact]);
        }
        "pending" => {
            // Whether it stays so only the end shows.
            let Some(raw) = raw.and_then(Node::string).filter(|raw| !raw.is_empty()) else {
                return;
            };
            out.push(Fact::Opened {
                stream: format!("{id}/"),
                call: Call {
                    raw: Some(raw),
                    raw_from: Some(RawFrom::Verbatim),
                    reading: Reading::Json,
                    verdict: Some(Verdict::Cut),
                    ..call
                },
            });
        }
        _ => {}
    }
}

/// What the error of a rejected call says, and the arguments in it. They may hold the very words that follow them.
fn rejected(error: &str) -> (Verdict, Option<&str>) {
    let between = |start: &str| {
        let (_, behind) = error.split_once(start)?;
        let (raw, _) = behind.rsplit_once(".\nError message: ")?;
        Some(raw)
    };
    if let Some(raw) = between("JSON parsing failed: Text: ") {
        (Verdict::Unreadable, Some(raw))
    } else if let Some(raw) = between("Type validation failed: Value: ") {
        (Verdict::Schema, Some(raw))
    } else if error.contains("Model tried to call unavailable tool") {
        (Verdict::UnknownTool, None)
    } else {
        (Verdict::Schema, None)
    }
}

#[cfg(test)]
mod tests {
    use crate::transcript::formats::rows;

    fn export(part: &str) -> String {
        format!(
            r#"{{"info":{{"id":"s"}},"messages":[{{"info":{{"id":"m","role":"assistant","finish":"stop"}},"parts":[{part}]}}]}}"#
        )
    }

    fn part(tool: &str, state: &str) -> String {
        format!(
            r#"{{"id":"p1","sessionID":"s","messageID":"m","type":"tool","callID":"call_0001","tool":"{tool}","state":{state}}}"#
        )
    }

    fn invalid(error: &str) -> String {
        let error = serde_json::to_string(error).unwrap();
        part(
            "invalid",
            &format!(
                r#"{{"status":"completed","input":{{"tool":"write","error":{error}}},"output":"x"}}"#
            ),
        )
    }

    #[test]
    fn a_completed_call_may_have_failed() {
        for (part, wanted) in [
            (
                part(
                    "read",
                    r#"{"status":"completed","input":{"a": 1},"output":"x"}"#,
                ),
                "",
            ),
            (
                invalid(
                    "Invalid input for tool write: JSON parsing failed: Text: {\"a\": \".\nError message: \"}}.\nError message: JSON Parse error",
                ),
                "malformed write {\"a\": \".\nError message: \"}} error-text",
            ),
            (
                invalid(
                    "JSON parsing failed: Text: {\"a\": \"x.\nError message: Unterminated string",
                ),
                "truncated write {\"a\": \"x error-text",
            ),
            (
                invalid("Type validation failed: Value: {}.\nError message: [..]"),
                "schema write {} error-text",
            ),
            (
                invalid("Model tried to call unavailable tool 'write'."),
                "unknown-tool write",
            ),
            (
                part(
                    "bash",
                    r#"{"status":"error","input":{"a": 1},"error":"The user rejected permission to use this"}"#,
                ),
                "tool-error bash {\"a\":1} re-encoded re-encoded denied",
            ),
            (
                part("bash", r#"{"status":"error","input":{},"error":"404"}"#),
                "tool-error bash {} re-encoded re-encoded",
            ),
            (
                part(
                    "bash",
                    r#"{"status":"pending","input":{},"raw":"{\"a\": "}"#,
                ),
                "truncated bash {\"a\":  verbatim",
            ),
            (
                part("bash", r#"{"status":"pending","input":{},"raw":""}"#),
                "",
            ),
            (part("bash", r#"{"status":"running","input":{}}"#), ""),
        ] {
            assert_eq!(rows(&export(&part)), wanted, "{part}");
            assert_eq!(rows(&part), wanted, "{part}");
        }
    }
}
