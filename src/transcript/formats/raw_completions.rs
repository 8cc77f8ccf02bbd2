//! Raw completions: calls as text, before any server has taken them out.

use super::completion::{self, Found};
use super::{Adapter, time_of};
use crate::transcript::call::RawFrom;
use crate::transcript::fact::{Call, Fact, Record};
use crate::transcript::node::Node;

pub(super) const ADAPTER: Adapter = Adapter {
    id: "raw-completions",
    lives: "logs of completion servers, and completions kept by programs, in the markup of 16 model families",
    keeps: "the text as the model wrote it",
    sniff,
    read,
    ..Adapter::SIMPLE
};

/// Members that hold a completion where there are no choices.
const TEXTS: [&str; 6] = [
    "text",
    "completion",
    "content",
    "output",
    "response",
    "generated_text",
];

fn sniff(record: &Record<'_>) -> bool {
    let Some(node) = record.node else {
        return false;
    };
    let [object, role] = node.fields(["object", "role"]);
    if object.is_some_and(|object| object.is("text_completion")) {
        return true;
    }
    // A message with a role belongs to a conversation.
    role.is_none() && texts(node).iter().any(|text| text.holds_call())
}

fn read(record: &Record<'_>, out: &mut Vec<Fact>) {
    let Some(node) = record.node else { return };
    let time = time_of(node);
    let model = node.get("model").and_then(Node::string);
    for text in texts(node) {
        let Some(characters) = text.node.text() else {
            continue;
        };
        for Found { tool, raw } in completion::calls(&characters) {
            out.push(Fact::Called(Call {
                place: record.place_at(text.node),
                tool,
                raw: Some(raw),
                raw_from: Some(RawFrom::Verbatim),
                stop: text.stop.clone(),
                model: model.clone(),
                time: time.clone(),
                ..Call::default()
            }));
        }
    }
}

/// The calls in a text that somebody pasted, without any log around it.
pub(in crate::transcript) fn read_pasted(record: &Record<'_>, text: &str, out: &mut Vec<Fact>) {
    for Found { tool, raw } in completion::calls(text) {
        let at = text.find(&raw).unwrap_or_default();
        out.push(Fact::Called(Call {
            place: record.place(at),
            tool,
            raw: Some(raw),
            raw_from: Some(RawFrom::Verbatim),
            ..Call::default()
        }));
    }
}

/// A completion in a record, and why it ended.
struct Text<'a> {
    node: Node<'a>,
    stop: Option<String>,
}

impl Text<'_> {
    fn holds_call(&self) -> bool {
        completion::has_opener(self.node.bytes())
            && self
                .node
                .text()
                .is_some_and(|text| !completion::calls(&text).is_empty())
    }
}

fn texts(node: Node<'_>) -> Vec<Text<'_>> {
    let [choices, finish, stop] = node.fields(["choices", "finish_reason", "stop_reason"]);
    if let Some(choices) = choices {
        fn of_choice(choice: Node<'_>) -> Option<Text<'_>> {
            let [text, message, stop] = choice.fields(["text", "message", "finish_reason"]);
            let message = message.filter(|message| {
                let calls = message.get("tool_calls");
                calls.and_then(|calls| calls.items().next()).is_none()
            });
            Some(Text {
                node: text
                    .or_else(|| message?.get("content"))
                    .filter(|node| node.is_string())?,
                stop: stop.and_then(Node::string),
            })
        }
        return choices.items().filter_map(of_choice).collect();
    }
    let stop = finish.or(stop).and_then(Node::string);
    TEXTS
        .iter()
        .filter_map(|name| node.get(name))
        .filter(|node| node.is_string())
        .map(|node| Text {
            node,
            stop: stop.clone(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::transcript::formats::rows;

    fn line(text: &str, stop: &str) -> String {
        let text = serde_json::to_string(text).unwrap();
        format!(
            r#"{{"id":"cmpl-1","object":"text_completion","model":"m","choices":[{{"index":0,"text":{text},"finish_reason":"{stop}"}}]}}"#
        )
    }

    #[test]
    fn the_stop_reason_tells_a_cut_from_a_slip() {
        let text = "<tool_call>\n{\"name\": \"dig\", \"arguments\": {}";
        let found = "dig {\"name\": \"dig\", \"arguments\": {} verbatim";
        assert_eq!(rows(&line(text, "stop")), format!("malformed {found}"));
        assert_eq!(rows(&line(text, "length")), format!("truncated {found}"));
        assert_eq!(rows(&line("no call", "stop")), "");
    }

    #[test]
    fn a_completion_is_found_in_other_shapes_and_behind_escapes() {
        let found = "malformed dig {'a': 1} verbatim";
        for log in [
            r#"{"choices":[{"message":{"content":"<function=dig>{'a': 1}</function>"},"finish_reason":"stop"}]}"#,
            r#"{"completion":"\u003cfunction=dig\u003e{'a': 1}\u003c/function\u003e"}"#,
        ] {
            assert_eq!(rows(log), found, "{log}");
        }
        assert_eq!(rows(r#"{"text":"The <tool_call> tag."}"#), "");
    }
}
