//! ChatCLI: one document a session; calls as text are mended by the agent when it runs them.

use super::{Adapter, content_head};
use crate::transcript::call::{Badge, RawFrom};
use crate::transcript::fact::{Answer, Call, Fact, Record, Verdict};
use crate::transcript::node::Node;

pub(super) const ADAPTER: Adapter = Adapter {
    id: "chatcli",
    lives: "~/.chatcli/sessions/*.json",
    keeps: "calls as text as the model wrote them; of others an object",
    sniff,
    read,
    ..Adapter::SIMPLE
};

fn sniff(record: &Record<'_>) -> bool {
    let history = record.node.and_then(|node| node.get("chat_history"));
    history.is_some_and(Node::is_array)
}

fn read(record: &Record<'_>, out: &mut Vec<Fact>) {
    let Some(node) = record.node else { return };
    for message in node.get("chat_history").into_iter().flat_map(Node::items) {
        let [role, content, calls, of, failed] =
            message.fields(["role", "content", "tool_calls", "tool_call_id", "is_error"]);
        for call in calls.into_iter().flat_map(Node::items) {
            let [id, name, arguments] = call.fields(["id", "name", "arguments"]);
            let id = id.and_then(Node::string);
            out.push(Fact::Called(Call {
                place: record.place_of(id.as_deref(), call),
                id,
                tool: name.and_then(Node::string),
                ..Call::parsed(arguments)
            }));
        }
        if let Some(id) = of.and_then(Node::string) {
            let failed = failed.is_some_and(Node::is_true);
            out.push(Fact::Answered(Answer {
                place: record.place_at(message),
                id,
                verdict: if failed {
                    Verdict::ToolError
                } else {
                    Verdict::Fine
                },
                complaint: content.filter(|_| failed).map(content_head),
                ..Answer::default()
            }));
        }
        if role.is_some_and(|role| role.is("assistant"))
            && let Some(content) = content
            && let Some(text) = content.text()
        {
            out.extend(text_calls(&text).map(|(tool, raw)| {
                Fact::Called(Call {
                    place: record.place_at(content),
                    tool: Some(tool.to_owned()),
                    raw: Some(raw.to_owned()),
                    raw_from: Some(RawFrom::Verbatim),
                    badges: vec![Badge::RepairedUpstream],
                    ..Call::default()
                })
            }));
        }
    }
}

/// Tool and arguments of `<tool_call name="@x" args='..' />`.
fn text_calls(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split("<tool_call ")
        .skip(1)
        .take(256)
        .filter_map(|call| {
            let (_, behind) = call.split_once("name=")?;
            let quote = behind
                .chars()
                .next()
                .filter(|quote| matches!(quote, '"' | '\''))?;
            let (tool, behind) = behind[1..].split_once(quote)?;
            let (_, behind) = behind.split_once("args=")?;
            let quote = behind
                .chars()
                .next()
                .filter(|quote| matches!(quote, '"' | '\''))?;
            // The arguments may hold the quote: the end is the quote before the end of the tag.
            let body = &behind[1..];
            let end = ["/>", ">"].iter().find_map(|end| {
                let places = body.match_indices(end).map(|(at, _)| body[..at].trim_end());
                places
                    .into_iter()
                    .find_map(|before| before.strip_suffix(quote))
            });
            Some((tool, end.unwrap_or(body).trim()))
        })
}

#[cfg(test)]
mod tests {
    use crate::transcript::formats::rows;

    #[test]
    fn calls_as_text_are_parsed() {
        let log = |text: &str| {
            let text = serde_json::to_string(text).unwrap();
            format!(
                "{{\n\"version\": 2,\n\"chat_history\": [{{\"role\": \"assistant\", \"content\": {text}}}]\n}}"
            )
        };
        for (text, wanted) in [
            ("<tool_call name=\"@coder\" args='{\"a\":1}' />", ""),
            (
                "<tool_call name=\"@coder\" args='{\"a\":1' />",
                "malformed @coder {\"a\":1 verbatim repaired-upstream",
            ),
            (
                "<tool_call name=\"@coder\" args='{\"a\":'x'}'/>",
                "malformed @coder {\"a\":'x'} verbatim repaired-upstream",
            ),
            (
                "<tool_call name=\"@coder\" args='{\"a\": \"x",
                "truncated @coder {\"a\": \"x verbatim repaired-upstream",
            ),
            ("The tag <tool_call> in prose.", ""),
        ] {
            assert_eq!(rows(&log(text)), wanted, "{text}");
        }
    }

    #[test]
    fn a_flag_says_that_a_tool_failed() {
        let log = |is_error: bool| {
            format!(
                r#"{{"version":2,"chat_history":[{{"role":"assistant","content":"","tool_calls":[{{"id":"call_0001","name":"run","arguments":{{"a": 1}}}}]}},{{"role":"tool","content":"x","tool_call_id":"call_0001","is_error":{is_error}}}]}}"#
            )
        };
        assert_eq!(rows(&log(false)), "");
        assert_eq!(
            rows(&log(true)),
            "tool-error run {\"a\":1} re-encoded re-encoded"
        );
    }
}
