//! OpenAI chat completions: whole responses alone or in any wrapper, and bare message lines.

use super::completion;
use super::declared::Declared;
use super::{Adapter, Alarm, always, content_head, is_unreadable, member_value, time_of};
use crate::transcript::call::{Badge, RawFrom};
use crate::transcript::classify;
use crate::transcript::fact::{Answer, Call, Fact, Reading, Record, Verdict};
use crate::transcript::node::Node;
use crate::transcript::reader::{line_end, line_start};

pub(super) const ADAPTER: Adapter = Adapter {
    id: "openai-chat",
    lives: "request and response logs of programs and proxies, message lines",
    keeps: "the arguments as the model sent them",
    sniff,
    read,
    marks: &["\"tool_call", "\"function_call\"", "\"assistant\""],
    alarms: &[
        Alarm {
            needle: "\"arguments\"",
            check: is_unreadable,
        },
        Alarm {
            needle: "\"tools\"",
            check: always,
        },
        Alarm {
            needle: "\"assistant\"",
            check: holds_opener,
        },
    ],
    call: "\"tool_calls\"",
    ..Adapter::SIMPLE
};

const ROLES: [&str; 6] = [
    "system",
    "developer",
    "user",
    "assistant",
    "tool",
    "function",
];

fn sniff(record: &Record<'_>) -> bool {
    let Some(node) = record.node else {
        return false;
    };
    is_message(node)
        || node.items().next().is_some_and(is_message)
        || response_in(node).is_some()
        || messages_in(node).is_some()
}

fn read(record: &Record<'_>, out: &mut Vec<Fact>) {
    let Some(node) = record.node else { return };
    let time = time_of(node);
    let shared = Shared {
        record,
        time,
        ..Shared::default_of(record)
    };
    if is_message(node) {
        return shared.message(node, out);
    }
    if node.is_array() {
        return node
            .items()
            .for_each(|message| shared.message(message, out));
    }
    exchange(node, &shared, out);
}

/// A request, a response, or both, somewhere in a record.
pub(super) fn exchange<'a>(node: Node<'a>, shared: &Shared<'a>, out: &mut Vec<Fact>) {
    let messages = messages_in(node);
    let tools = find(node, &|node| node.get("tools").is_some_and(Node::is_array));
    let shared = Shared {
        declared: Declared::new(tools.and_then(|node| node.get("tools"))),
        ..shared.clone()
    };
    // What was sent along is history: calls that were seen when they were made.
    if let Some(messages) = messages {
        let history = Shared {
            replayed: true,
            ..shared.clone()
        };
        messages
            .items()
            .for_each(|message| history.message(message, out));
    }
    if let Some(response) = response_in(node) {
        shared.response(response, out);
    }
}

/// What the calls of a record have in common.
#[derive(Clone)]
pub(super) struct Shared<'a> {
    /// The record.
    pub record: &'a Record<'a>,
    /// When.
    pub time: Option<String>,
    /// The session.
    pub session: Option<String>,
    /// The model.
    pub model: Option<String>,
    /// Why the model stopped.
    pub stop: Option<String>,
    /// The tools of the request.
    pub declared: Declared<'a>,
    /// Whether these are calls of a stored history.
    pub replayed: bool,
}

impl<'a> Shared<'a> {
    /// Nothing in common but the record.
    pub(super) fn default_of(record: &'a Record<'a>) -> Shared<'a> {
        Shared {
            record,
            time: None,
            session: None,
            model: None,
            stop: None,
            declared: Declared::new(None),
            replayed: false,
        }
    }

    /// The calls of a response.
    pub(super) fn response(&self, response: Node<'a>, out: &mut Vec<Fact>) {
        let [model, choices] = response.fields(["model", "choices"]);
        for choice in choices.into_iter().flat_map(Node::items) {
            let [message, stop] = choice.fields(["message", "finish_reason"]);
            let Some(message) = message else { continue };
            let of_choice = Shared {
                stop: stop.and_then(Node::string),
                model: model.and_then(Node::string).or(self.model.clone()),
                ..self.clone()
            };
            of_choice.message(message, out);
        }
    }

    /// The calls or the result in one message.
    pub(super) fn message(&self, message: Node<'a>, out: &mut Vec<Fact>) {
        let [role, calls, legacy, id, content] = message.fields([
            "role",
            "tool_calls",
            "function_call",
            "tool_call_id",
            "content",
        ]);
        let mut has_calls = false;
        for call in calls.into_iter().flat_map(Node::items) {
            has_calls = true;
            out.extend(self.call(call).map(Fact::Called));
        }
        if let Some(function) = legacy.filter(|legacy| legacy.is_object()) {
            has_calls = true;
            out.push(Fact::Called(self.function(function, None, function)));
        }
        if let (Some(role), Some(id)) = (role, id.and_then(Node::string))
            && role.is("tool")
        {
            // There is no sign of failure here, but it is what the agent said to a call that did not parse.
            out.push(Fact::Answered(Answer {
                place: self.record.place_at(message),
                id,
                complaint: content.map(content_head),
                ..Answer::default()
            }));
        }
        // In a history the same text would come again with every request, and it has no id to know it by.
        let is_model = role.is_some_and(|role| role.is("assistant"));
        if is_model && !has_calls && !self.replayed {
            self.leaks(content, out);
        }
    }

    fn call(&self, call: Node<'a>) -> Option<Call> {
        let [id, function, custom] = call.fields(["id", "function", "custom"]);
        let id = id.and_then(Node::string);
        if let Some(custom) = custom {
            let [name, input] = custom.fields(["name", "input"]);
            return Some(Call {
                tool: name.and_then(Node::string),
                raw: input.and_then(Node::string),
                raw_from: Some(RawFrom::Verbatim),
                reading: Reading::Free,
                ..self.blank(id, call)
            });
        }
        // Some programs leave the inner object out.
        Some(self.function(function.unwrap_or(call), id, call))
    }

    fn function(&self, function: Node<'a>, id: Option<String>, place: Node<'a>) -> Call {
        let [name, arguments] = function.fields(["name", "arguments"]);
        let mut call = Call {
            tool: name.and_then(Node::string),
            ..self.blank(id, place)
        };
        match arguments {
            Some(text) if text.is_string() => {
                call.raw = text.string();
                call.raw_from = Some(RawFrom::Verbatim);
            }
            Some(object) if !object.is_null() => {
                call.raw = Some(object.minified());
                call.raw_from = Some(RawFrom::ReEncoded);
                call.reading = Reading::Parsed;
            }
            _ => {}
        }
        if let (Some(tool), Some(raw)) = (&call.tool, &call.raw)
            && !raw.trim().is_empty()
            && classify::parses(raw)
        {
            let verdict = self.declared.verdict(tool, raw);
            call.verdict = (verdict != Verdict::Fine).then_some(verdict);
        }
        call
    }

    fn blank(&self, id: Option<String>, place: Node<'a>) -> Call {
        Call {
            place: self.record.place_of(id.as_deref(), place),
            id,
            time: self.time.clone(),
            session: self.session.clone(),
            model: self.model.clone(),
            stop: self.stop.clone(),
            replayed: self.replayed,
            ..Call::default()
        }
    }

    /// Calls that a server did not take out of the text.
    fn leaks(&self, content: Option<Node<'a>>, out: &mut Vec<Fact>) {
        let Some(content) = content else { return };
        let Some(text) = content.text() else { return };
        for found in completion::calls(&text) {
            out.push(Fact::Called(Call {
                tool: found.tool,
                raw: Some(found.raw),
                raw_from: Some(RawFrom::Verbatim),
                badges: vec![Badge::MarkupLeak],
                ..self.blank(None, content)
            }));
        }
    }
}

fn is_message(node: Node<'_>) -> bool {
    let [role, content, calls] = node.fields(["role", "content", "tool_calls"]);
    let is_text =
        |content: Node<'_>| content.is_string() || content.is_null() || content.is_array();
    role.is_some_and(|role| ROLES.iter().any(|name| role.is(name)))
        && (content.is_some_and(is_text) || calls.is_some())
}

/// The object with `choices`, alone or in a wrapper.
pub(super) fn response_in(node: Node<'_>) -> Option<Node<'_>> {
    find(node, &|node| {
        let first = node
            .get("choices")
            .and_then(|choices| choices.items().next());
        first.is_some_and(|choice| choice.get("message").is_some())
    })
}

fn messages_in(node: Node<'_>) -> Option<Node<'_>> {
    let has_messages = |node: Node<'_>| {
        let messages = node.get("messages");
        messages.is_some_and(|messages| messages.items().next().is_some_and(is_message))
    };
    find(node, &has_messages)?.get("messages")
}

/// The first object for which `is_it` holds: the node, or one inside it, not deep.
pub(super) fn find<'a>(node: Node<'a>, is_it: &dyn Fn(Node<'a>) -> bool) -> Option<Node<'a>> {
    const DEPTH: usize = 3;
    let mut level = vec![node];
    for _ in 0..=DEPTH {
        if let Some(found) = level.iter().find(|node| node.is_object() && is_it(**node)) {
            return Some(*found);
        }
        level = level
            .into_iter()
            .flat_map(Node::members)
            .map(|(_, value)| value)
            .filter(|value| value.is_object())
            .collect();
    }
    None
}

/// A second look at a line of the model: whether it holds the beginning of a call as text and no real call.
fn holds_opener(text: &[u8], at: usize) -> bool {
    let line = &text[line_start(text, at)..line_end(text, at)];
    let calls =
        memchr::memmem::find(line, b"\"tool_calls\"").map(|calls| calls + "\"tool_calls\"".len());
    let has_calls = calls
        .and_then(|at| member_value(line, at))
        .is_some_and(|at| line[at..].starts_with(b"[{"));
    !has_calls && completion::has_opener(line)
}

#[cfg(test)]
mod tests {
    use crate::transcript::formats::rows;

    const TOOLS: &str = r#"[{"type":"function","function":{"name":"go","parameters":{"type":"object","properties":{"to":{"type":"string"}},"required":["to"]}}}]"#;

    fn response(calls: &str, stop: &str) -> String {
        format!(
            r#"{{"id":"r1","object":"chat.completion","model":"m","choices":[{{"index":0,"message":{{"role":"assistant","content":null,"tool_calls":{calls}}},"finish_reason":"{stop}"}}]}}"#
        )
    }

    fn call(id: &str, arguments: &str) -> String {
        let arguments = serde_json::to_string(arguments).unwrap();
        format!(
            r#"[{{"id":"{id}","type":"function","function":{{"name":"go","arguments":{arguments}}}}}]"#
        )
    }

    #[test]
    fn arguments_and_the_stop_reason_decide() {
        for (arguments, stop, wanted) in [
            ("{\"to\":\"x\"}", "tool_calls", ""),
            ("", "tool_calls", ""),
            (
                "{\"to\":\"x\"",
                "tool_calls",
                "malformed go {\"to\":\"x\" verbatim",
            ),
            (
                "{\"to\":\"x\"",
                "length",
                "truncated go {\"to\":\"x\" verbatim",
            ),
            (
                "{\"to\":\"x",
                "tool_calls",
                "truncated go {\"to\":\"x verbatim",
            ),
            (
                "{\"to\":\"x\", \"n\": NaN}",
                "stop",
                "malformed go {\"to\":\"x\", \"n\": NaN} verbatim",
            ),
        ] {
            let alone = response(&call("call_0001", arguments), stop);
            let wrapped = format!(r#"{{"at":1,"log":{{"reply":{alone}}}}}"#);
            assert_eq!(rows(&alone), wanted, "{arguments}");
            assert_eq!(rows(&wrapped), wanted, "{arguments}");
        }
    }

    #[test]
    fn declared_tools_decide_what_is_rejected() {
        for (arguments, wanted) in [
            ("{\"to\":\"x\"}", ""),
            ("{\"too\":\"x\"}", "schema go {\"too\":\"x\"} verbatim"),
            ("\"{}\"", "schema go \"{}\" verbatim"),
        ] {
            let reply = response(&call("call_0001", arguments), "tool_calls");
            let log = format!(
                r#"{{"request":{{"messages":[{{"role":"user","content":"x"}}],"tools":{TOOLS}}},"response":{reply}}}"#
            );
            assert_eq!(rows(&log), wanted, "{arguments}");
            let other = log.replace(
                r#""function":{"name":"go","arg"#,
                r#""function":{"name":"gone","arg"#,
            );
            let unknown = format!("unknown-tool gone {arguments} verbatim");
            assert_eq!(rows(&other), unknown, "{arguments}");
        }
    }

    #[test]
    fn history_is_reported_once_and_only_if_it_is_new() {
        let old = format!(
            r#"{{"role":"assistant","content":"","tool_calls":{}}}"#,
            call("call_0001", "{")
        );
        let request = format!(
            r#"{{"request":{{"messages":[{old},{{"role":"tool","tool_call_id":"call_0001","content":"no JSON"}}]}},"response":{}}}"#,
            response("[]", "stop")
        );
        let wanted = "malformed go { verbatim";
        assert_eq!(rows(&[request.clone(), request.clone()].join("\n")), wanted);
        let first = response(&call("call_0001", "{"), "tool_calls");
        assert_eq!(rows(&[first.clone(), request.clone()].join("\n")), wanted);
        let cut = response(&call("call_0001", "{"), "length");
        assert_eq!(rows(&[cut, request].join("\n")), "truncated go { verbatim");
    }

    #[test]
    fn message_lines_stand_alone() {
        let line = format!(
            r#"{{"role": "assistant", "tool_calls": {}}}"#,
            call("call_0001", "{a}")
        );
        assert_eq!(rows(&line), "malformed go {a} verbatim");
        let leak = r#"{"role":"assistant","content":"<tool_call>\n{\"name\": \"go\", \"arguments\": {}\n</tool_call>"}"#;
        assert_eq!(
            rows(leak),
            "malformed go {\"name\": \"go\", \"arguments\": {} verbatim markup-leak"
        );
        let fine = r#"{"role":"assistant","content":"a tag <tool_call> in prose"}"#;
        assert_eq!(rows(fine), "");
    }
}
