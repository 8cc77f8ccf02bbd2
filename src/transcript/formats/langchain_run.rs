//! LangChain runs: one run a line, of a model or of a tool.

use super::Adapter;
use super::openai_chat::Shared;
use crate::transcript::call::RawFrom;
use crate::transcript::fact::{Answer, Call, Fact, Reading, Record, Verdict};
use crate::transcript::node::Node;

pub(super) const ADAPTER: Adapter = Adapter {
    id: "langchain-run",
    lives: "exported runs of a tracer, one a line",
    keeps: "the arguments as the model sent them; of tool runs a Python repr",
    sniff,
    read,
    marks: &["tool_call", "run_type"],
    ..Adapter::SIMPLE
};

fn sniff(record: &Record<'_>) -> bool {
    let kind = record.node.and_then(|node| {
        let [kind, inputs] = node.fields(["run_type", "inputs"]);
        kind.filter(|_| inputs.is_some())
    });
    kind.is_some_and(Node::is_string)
}

fn read(record: &Record<'_>, out: &mut Vec<Fact>) {
    let Some(node) = record.node else { return };
    let [kind, outputs, start] = node.fields(["run_type", "outputs", "start_time"]);
    let time = start.and_then(Node::string);
    if kind.is_some_and(|kind| kind.is("tool")) {
        return read_tool(record, node, time, out);
    }
    let generations = outputs.and_then(|outputs| outputs.get("generations"));
    for generation in generations
        .into_iter()
        .flat_map(Node::items)
        .flat_map(Node::items)
    {
        let [info, message] = generation.fields(["generation_info", "message"]);
        let Some(kwargs) = message.and_then(|message| message.get("kwargs")) else {
            continue;
        };
        let reason = info.and_then(|info| info.get("finish_reason"));
        let shared = Shared {
            time: time.clone(),
            stop: reason.and_then(Node::string),
            model: kwargs
                .path(&["response_metadata", "model_name"])
                .and_then(Node::string),
            ..Shared::default_of(record)
        };
        read_message(record, kwargs, &shared, out);
    }
}

/// The same calls stand up to three times: as the provider sent them, parsed, and sorted out as invalid.
fn read_message<'a>(
    record: &'a Record<'a>,
    kwargs: Node<'a>,
    shared: &Shared<'a>,
    out: &mut Vec<Fact>,
) {
    let [original, parsed, invalid] =
        kwargs.fields(["additional_kwargs", "tool_calls", "invalid_tool_calls"]);
    if let Some(original) = original {
        shared.message(original, out);
    }
    let call = |call: Node<'_>| {
        let [id, name] = call.fields(["id", "name"]);
        let id = id.and_then(Node::string);
        Call {
            place: record.place_of(id.as_deref(), call),
            id,
            tool: name.and_then(Node::string),
            time: shared.time.clone(),
            stop: shared.stop.clone(),
            model: shared.model.clone(),
            ..Call::default()
        }
    };
    for node in parsed.into_iter().flat_map(Node::items) {
        out.push(Fact::Called(Call {
            raw: node.get("args").map(Node::minified),
            raw_from: Some(RawFrom::ReEncoded),
            reading: Reading::Parsed,
            ..call(node)
        }));
    }
    for node in invalid.into_iter().flat_map(Node::items) {
        let [args, error] = node.fields(["args", "error"]);
        out.push(Fact::Called(Call {
            raw: args.and_then(Node::string),
            raw_from: args.map(|_| RawFrom::Verbatim),
            verdict: Some(Verdict::Unreadable),
            complaint: error.and_then(Node::string),
            ..call(node)
        }));
    }
}

fn read_tool(record: &Record<'_>, node: Node<'_>, time: Option<String>, out: &mut Vec<Fact>) {
    let [name, inputs, error, extra] = node.fields(["name", "inputs", "error", "extra"]);
    let Some(id) = extra
        .and_then(|extra| extra.get("tool_call_id"))
        .and_then(Node::string)
    else {
        return;
    };
    let input = inputs
        .and_then(|inputs| inputs.get("input"))
        .and_then(Node::string);
    let error = error.and_then(Node::string);
    let verdict = match &error {
        None => Verdict::Fine,
        Some(error) if error.contains("ValidationError") => Verdict::Schema,
        Some(_) => Verdict::ToolError,
    };
    let place = record.place_of(Some(&id), node);
    out.push(Fact::Called(Call {
        place,
        id: Some(id.clone()),
        tool: name.and_then(Node::string),
        raw_from: input.as_ref().map(|_| RawFrom::Verbatim),
        raw: input,
        reading: Reading::Free,
        time: time.clone(),
        ..Call::default()
    }));
    out.push(Fact::Answered(Answer {
        place,
        id,
        verdict,
        complaint: error,
        time,
        ..Answer::default()
    }));
}

#[cfg(test)]
mod tests {
    use crate::transcript::formats::rows;

    fn run(original: &str, parsed: &str, invalid: &str, stop: &str) -> String {
        format!(
            r#"{{"id":"r1","run_type":"llm","inputs":{{}},"outputs":{{"generations":[[{{"generation_info":{{"finish_reason":"{stop}"}},"message":{{"kwargs":{{"additional_kwargs":{{"tool_calls":{original}}},"tool_calls":{parsed},"invalid_tool_calls":{invalid}}}}}}}]]}},"error":null}}"#
        )
    }

    fn tool(error: &str) -> String {
        format!(
            r#"{{"id":"r2","name":"go","run_type":"tool","inputs":{{"input":"{{'a': 1}}"}},"outputs":null,"error":{error},"extra":{{"tool_call_id":"call_0002"}}}}"#
        )
    }

    #[test]
    fn a_call_that_stands_twice_is_one_row() {
        let original = r#"[{"id":"call_0001","type":"function","function":{"name":"go","arguments":"{\"a\": 1,}"}}]"#;
        let invalid = r#"[{"name":"go","args":"{\"a\": 1,}","id":"call_0001","error":"no JSON"}]"#;
        let wanted = "malformed go {\"a\": 1,} verbatim";
        assert_eq!(rows(&run(original, "[]", invalid, "tool_calls")), wanted);
        assert_eq!(rows(&run("[]", "[]", invalid, "tool_calls")), wanted);
        assert_eq!(
            rows(&run("[]", "[]", invalid, "length")),
            wanted.replace("malformed", "truncated")
        );
        let parsed = r#"[{"name":"go","args":{"a":1},"id":"call_0001"}]"#;
        assert_eq!(
            rows(&run(
                &original.replace(",}", "}"),
                parsed,
                "[]",
                "tool_calls"
            )),
            ""
        );
    }

    #[test]
    fn a_python_repr_is_never_parsed() {
        assert_eq!(rows(&tool("null")), "");
        assert_eq!(
            rows(&tool("\"ValidationError(..)\"")),
            "schema go {'a': 1} verbatim"
        );
        assert_eq!(
            rows(&tool("\"TimeoutError()\"")),
            "tool-error go {'a': 1} verbatim"
        );
    }
}
