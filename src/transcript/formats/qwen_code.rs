//! Qwen Code: Gemini's parts in Claude's envelopes, with a word for what went wrong.

use super::Adapter;
use crate::transcript::call::Badge;
use crate::transcript::fact::{Answer, Call, Fact, Record, Verdict};
use crate::transcript::node::Node;

pub(super) const ADAPTER: Adapter = Adapter {
    id: "qwen-code",
    lives: "~/.qwen/projects/<cwd>/chats/*.jsonl",
    keeps: "what is left after the agent's own repair; cut calls are listed by their marker",
    sniff,
    read,
    marks: &["functionCall", "toolCallResult"],
    ..Adapter::SIMPLE
};

fn sniff(record: &Record<'_>) -> bool {
    let Some(node) = record.node else {
        return false;
    };
    let [session, parent, message] = node.fields(["sessionId", "parentUuid", "message"]);
    session.is_some()
        && parent.is_some()
        && message.is_some_and(|message| message.get("parts").is_some())
}

fn read(record: &Record<'_>, out: &mut Vec<Fact>) {
    let Some(node) = record.node else { return };
    let [session, time, model, message, result] = node.fields([
        "sessionId",
        "timestamp",
        "model",
        "message",
        "toolCallResult",
    ]);
    let session = session.and_then(Node::string);
    let time = time.and_then(Node::string);
    let parts = message.and_then(|message| message.get("parts"));
    if let Some(result) = result {
        let [id, status, kind] = result.fields(["callId", "status", "errorType"]);
        let Some(id) = id.and_then(Node::string) else {
            return;
        };
        let error = parts
            .and_then(|parts| parts.items().next())
            .and_then(|part| part.path(&["functionResponse", "response", "error"]))
            .and_then(Node::string)
            .unwrap_or_default();
        let status = status.and_then(Node::text).unwrap_or_default();
        let verdict = match &*status {
            "error" => verdict(&kind.and_then(Node::text).unwrap_or_default(), &error),
            "cancelled" => Verdict::Denied,
            _ => Verdict::Fine,
        };
        let is_cut = verdict == Verdict::Cut;
        out.push(Fact::Answered(Answer {
            place: record.place_at(result),
            id,
            verdict,
            // What is left of a cut call is what the agent could make of it.
            raw_lost: is_cut,
            stop: is_cut.then(|| "max_tokens".to_owned()),
            complaint: (verdict != Verdict::Fine).then_some(error),
            session,
            time,
            ..Answer::default()
        }));
        return;
    }
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
            doubtful: args.is_some_and(|args| args.members().next().is_none()),
            badges: vec![Badge::RepairedUpstream],
            session: session.clone(),
            model: model.and_then(Node::string),
            time: time.clone(),
            ..Call::parsed(args)
        }));
    }
}

fn verdict(kind: &str, error: &str) -> Verdict {
    match kind {
        "output_truncated" => Verdict::Cut,
        "invalid_tool_params" if error.contains("truncated due to max_tokens") => Verdict::Cut,
        "invalid_tool_params" => Verdict::Schema,
        "tool_not_registered" => Verdict::UnknownTool,
        _ => Verdict::ToolError,
    }
}

#[cfg(test)]
mod tests {
    use crate::transcript::formats::rows;

    #[test]
    fn the_error_type_decides() {
        let line = |kind: &str, parts: &str, more: &str| {
            format!(
                r#"{{"uuid":"u","parentUuid":null,"sessionId":"s1","type":"{kind}","model":"m","message":{{"role":"x","parts":[{parts}]}}{more}}}"#
            )
        };
        let log = |args: &str, kind: &str, error: &str| {
            let status = if kind.is_empty() { "success" } else { "error" };
            [
                line("assistant", &format!(r#"{{"functionCall":{{"id":"call_0001","name":"edit","args":{args}}}}}"#), ""),
                line(
                    "tool_result",
                    &format!(r#"{{"functionResponse":{{"id":"call_0001","response":{{"error":"{error}"}}}}}}"#),
                    &format!(r#","toolCallResult":{{"callId":"call_0001","status":"{status}","errorType":"{kind}"}}"#),
                ),
            ]
            .join("\n")
        };
        let object = "edit {\"a\":1} re-encoded re-encoded repaired-upstream";
        for (args, kind, error, wanted) in [
            ("{\"a\": 1}", "", "", String::new()),
            (
                "{\"a\": 1}",
                "output_truncated",
                "x",
                "truncated edit repaired-upstream".into(),
            ),
            (
                "{\"a\": 1}",
                "invalid_tool_params",
                "was truncated due to max_tokens limit",
                "truncated edit repaired-upstream".into(),
            ),
            (
                "{\"a\": 1}",
                "invalid_tool_params",
                "params must",
                format!("schema {object}"),
            ),
            (
                "{}",
                "invalid_tool_params",
                "params must",
                "schema edit {} re-encoded re-encoded repaired-upstream maybe-malformed".into(),
            ),
            (
                "{\"a\": 1}",
                "tool_not_registered",
                "x",
                format!("unknown-tool {object}"),
            ),
            (
                "{\"a\": 1}",
                "shell_execute_error",
                "x",
                format!("tool-error {object}"),
            ),
        ] {
            assert_eq!(rows(&log(args, kind, error)), wanted, "{kind} {error}");
        }
    }
}
