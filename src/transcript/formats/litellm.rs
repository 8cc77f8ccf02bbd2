//! LiteLLM: one logging payload a line, with a response of chat shape.

use super::openai_chat::{Shared, exchange};
use super::{Adapter, time_from_number};
use crate::transcript::fact::{Call, Fact, Record, Verdict};
use crate::transcript::node::Node;

pub(super) const ADAPTER: Adapter = Adapter {
    id: "litellm",
    lives: "logging payloads of the proxy, one a line",
    keeps: "the arguments as the model sent them; of bad ones in a history only the decoder's words",
    sniff,
    read,
    marks: &["\"tool_calls\"", "\"error_str\"", "malformed_function_call"],
    ..Adapter::SIMPLE
};

/// What Python's decoder says of a text that is no JSON.
const DECODER: [&str; 8] = [
    "Expecting ',' delimiter",
    "Expecting ':' delimiter",
    "Expecting value",
    "Expecting property name",
    "Unterminated string",
    "Extra data",
    "Invalid control character",
    "Invalid \\escape",
];

fn sniff(record: &Record<'_>) -> bool {
    let Some(node) = record.node else {
        return false;
    };
    let [status, response, error, parameters, provider] = node.fields([
        "status",
        "response",
        "error_str",
        "model_parameters",
        "custom_llm_provider",
    ]);
    status.is_some()
        && response.is_some()
        && (error.is_some() || parameters.is_some() || provider.is_some())
}

fn read(record: &Record<'_>, out: &mut Vec<Fact>) {
    let Some(node) = record.node else { return };
    let [status, error, model, start, response] =
        node.fields(["status", "error_str", "model", "startTime", "response"]);
    let time = start.and_then(|start| {
        start
            .string()
            .or_else(|| start.number().and_then(time_from_number))
    });
    let model = model.and_then(Node::string);
    let shared = Shared {
        time: time.clone(),
        model: model.clone(),
        ..Shared::default_of(record)
    };
    exchange(node, &shared, out);
    let lost = |stop: Option<String>, complaint: Option<String>| {
        Fact::Called(Call {
            place: record.place_at(node),
            verdict: Some(Verdict::Unreadable),
            stop,
            complaint,
            time: time.clone(),
            model: model.clone(),
            ..Call::default()
        })
    };
    if status.is_some_and(|status| status.is("failure"))
        && let Some(error) = error.and_then(Node::string)
        && DECODER.iter().any(|words| error.contains(words))
    {
        // The provider was sent a history with bad arguments in it; they are not in the payload.
        out.push(lost(None, Some(error)));
    }
    let choices = response.and_then(|response| response.get("choices"));
    for choice in choices.into_iter().flat_map(Node::items) {
        let stop = choice
            .get("finish_reason")
            .filter(|stop| stop.is("malformed_function_call"));
        out.extend(stop.map(|stop| lost(stop.string(), None)));
    }
}

#[cfg(test)]
mod tests {
    use crate::transcript::formats::rows;

    fn payload(status: &str, response: &str, error: &str) -> String {
        format!(
            r#"{{"id":"l1","status":"{status}","model":"m","startTime":1.5,"messages":[],"response":{response},"error_str":{error},"model_parameters":{{}}}}"#
        )
    }

    #[test]
    fn payloads_tell_of_bad_arguments_in_three_ways() {
        let choice = |stop: &str, calls: &str| {
            format!(
                r#"{{"choices":[{{"finish_reason":"{stop}","message":{{"role":"assistant","content":null,"tool_calls":{calls}}}}}]}}"#
            )
        };
        let call = r#"[{"id":"call_0001","function":{"name":"go","arguments":"{\"a\": 1"}}]"#;
        for (log, wanted) in [
            (
                payload("success", &choice("tool_calls", call), "null"),
                "malformed go {\"a\": 1 verbatim",
            ),
            (
                payload("success", &choice("length", call), "null"),
                "truncated go {\"a\": 1 verbatim",
            ),
            (
                payload("success", &choice("malformed_function_call", "[]"), "null"),
                "malformed",
            ),
            (
                payload(
                    "failure",
                    "{}",
                    "\"BadRequestError: Expecting ',' delimiter: line 1\"",
                ),
                "malformed",
            ),
            (
                payload("failure", "{}", "\"RateLimitError: slow down\""),
                "",
            ),
            (payload("success", &choice("stop", "[]"), "null"), ""),
        ] {
            assert_eq!(rows(&log), wanted, "{log}");
        }
    }
}
