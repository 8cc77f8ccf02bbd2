//! pi: one entry a line, a tree of messages.

use super::{Adapter, content_text};
use crate::transcript::call::Badge;
use crate::transcript::fact::{Answer, Call, Fact, Record, Verdict};
use crate::transcript::node::Node;

pub(super) const ADAPTER: Adapter = Adapter {
    id: "pi",
    lives: "~/.pi/agent/sessions/--<cwd>--/*.jsonl",
    keeps: "what is left after the agent's own repair; cut calls are listed by their marker",
    sniff,
    read,
    marks: &["toolCall", "toolResult", "\"session\""],
    ..Adapter::SIMPLE
};

fn sniff(record: &Record<'_>) -> bool {
    let Some(node) = record.node else {
        return false;
    };
    let [kind, version, folder, id, parent, message] =
        node.fields(["type", "version", "cwd", "id", "parentId", "message"]);
    let is = |name: &str| kind.is_some_and(|kind| kind.is(name));
    (is("session") && version.is_some() && folder.is_some() && id.is_some())
        || (is("message") && parent.is_some() && message.is_some_and(Node::is_object))
}

fn read(record: &Record<'_>, out: &mut Vec<Fact>) {
    let Some(node) = record.node else { return };
    let [kind, id, time, message] = node.fields(["type", "id", "timestamp", "message"]);
    if kind.is_some_and(|kind| kind.is("session")) {
        out.extend(id.and_then(Node::string).map(Fact::Session));
        return;
    }
    let Some(message) = message else { return };
    let time = time.and_then(Node::string);
    let [role, content, stop, model, of, failed] = message.fields([
        "role",
        "content",
        "stopReason",
        "model",
        "toolCallId",
        "isError",
    ]);
    if role.is_some_and(|role| role.is("toolResult")) {
        let Some(id) = of.and_then(Node::string) else {
            return;
        };
        let mut answer = Answer {
            place: record.place_at(message),
            id,
            time,
            ..Answer::default()
        };
        if failed.is_some_and(Node::is_true) {
            let text = content.map(content_text).unwrap_or_default();
            answer.verdict = verdict(&text);
            // Arguments that were cut off are mended and then miss what was cut.
            answer.is_of_cut = answer.verdict == Verdict::Schema;
            answer.complaint = Some(text);
        }
        out.push(Fact::Answered(answer));
        return;
    }
    for block in content.into_iter().flat_map(Node::items) {
        let [kind, id, name, arguments] = block.fields(["type", "id", "name", "arguments"]);
        if !kind.is_some_and(|kind| kind.is("toolCall")) {
            continue;
        }
        out.push(Fact::Called(Call {
            place: record.place_at(block),
            id: id.and_then(Node::string),
            tool: name.and_then(Node::string),
            doubtful: arguments.is_some_and(|arguments| arguments.members().next().is_none()),
            badges: vec![Badge::RepairedUpstream],
            stop: stop.and_then(Node::string),
            model: model.and_then(Node::string),
            time: time.clone(),
            ..Call::parsed(arguments)
        }));
    }
}

fn verdict(text: &str) -> Verdict {
    if text.starts_with("Validation failed for tool") {
        Verdict::Schema
    } else if text.starts_with("Tool ")
        && text
            .lines()
            .next()
            .is_some_and(|line| line.ends_with(" not found"))
    {
        Verdict::UnknownTool
    } else {
        Verdict::ToolError
    }
}

#[cfg(test)]
mod tests {
    use crate::transcript::formats::rows;

    #[test]
    fn a_rejected_call_of_a_cut_message_was_cut() {
        let log = |arguments: &str, stop: &str, text: &str, is_error: bool| {
            [
                r#"{"type":"session","version":3,"id":"s1","cwd":"/"}"#.to_owned(),
                format!(r#"{{"type":"message","id":"1","parentId":null,"message":{{"role":"assistant","content":[{{"type":"toolCall","id":"toolu_01","name":"edit","arguments":{arguments}}}],"model":"m","stopReason":"{stop}"}}}}"#),
                format!(r#"{{"type":"message","id":"2","parentId":"1","message":{{"role":"toolResult","toolCallId":"toolu_01","content":[{{"type":"text","text":"{text}"}}],"isError":{is_error}}}}}"#),
            ]
            .join("\n")
        };
        let failed = "Validation failed for tool \\\"edit\\\"";
        for (arguments, stop, text, is_error, wanted) in [
            ("{\"a\": 1}", "toolUse", "x", false, ""),
            (
                "{\"a\": 1}",
                "toolUse",
                failed,
                true,
                "schema edit {\"a\":1} re-encoded re-encoded repaired-upstream",
            ),
            (
                "{}",
                "toolUse",
                failed,
                true,
                "schema edit {} re-encoded re-encoded repaired-upstream maybe-malformed",
            ),
            (
                "{\"a\": 1}",
                "length",
                failed,
                true,
                "truncated edit repaired-upstream",
            ),
            (
                "{}",
                "toolUse",
                "Tool edit not found",
                true,
                "unknown-tool edit {} re-encoded re-encoded repaired-upstream",
            ),
            (
                "{}",
                "length",
                "Could not find the text",
                true,
                "tool-error edit {} re-encoded re-encoded repaired-upstream",
            ),
        ] {
            assert_eq!(
                rows(&log(arguments, stop, text, is_error)),
                wanted,
                "{arguments} {stop} {text}"
            );
        }
    }
}
