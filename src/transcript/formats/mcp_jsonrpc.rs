//! MCP over JSON-RPC: requests and answers joined by an id that is unique only inside a connection.

use super::{Adapter, content_text};
use crate::transcript::call::RawFrom;
use crate::transcript::fact::{Answer, Call, Fact, Reading, Record, Verdict};
use crate::transcript::node::Node;

pub(super) const ADAPTER: Adapter = Adapter {
    id: "mcp-jsonrpc",
    lives: "logs of MCP servers and clients, one message a line",
    keeps: "the arguments as they were sent; a line that is no JSON as it is",
    sniff,
    read,
    marks: &["jsonrpc", "tools/call"],
    reads_garbage: true,
    local_ids: true,
    ..Adapter::SIMPLE
};

fn sniff(record: &Record<'_>) -> bool {
    message(record).is_some_and(|node| node.get("jsonrpc").is_some())
}

/// The message of a line; some programs write a time in front of it.
fn message<'a>(record: &Record<'a>) -> Option<Node<'a>> {
    if record.node.is_some() {
        return record.node;
    }
    let at = memchr::memmem::find(record.bytes, b"{\"jsonrpc\"")?;
    let node = Node::new(&record.bytes[at..])?;
    let is_whole = std::str::from_utf8(node.bytes()).is_ok_and(crate::transcript::classify::parses);
    is_whole.then_some(node)
}

fn read(record: &Record<'_>, out: &mut Vec<Fact>) {
    let Some(node) = message(record) else {
        out.extend(garbled(record));
        return;
    };
    let [id, method, params, result, error] =
        node.fields(["id", "method", "params", "result", "error"]);
    let id = id.and_then(Node::string_or_number);
    let place = record.place(0);
    if method.is_some_and(|method| method.is("initialize")) {
        // A new connection counts from the start.
        out.push(Fact::Reconnected);
    } else if method.is_some_and(|method| method.is("tools/call")) {
        let [name, arguments] =
            params.map_or([None; 2], |params| params.fields(["name", "arguments"]));
        let call = Call {
            place,
            id,
            tool: name.and_then(Node::string),
            ..Call::default()
        };
        out.push(Fact::Called(match arguments {
            Some(text) if text.is_string() => Call {
                raw: text.string(),
                raw_from: Some(RawFrom::Verbatim),
                ..call
            },
            arguments => Call {
                raw: arguments.map(Node::minified),
                raw_from: arguments.map(|_| RawFrom::ReEncoded),
                reading: Reading::Parsed,
                ..call
            },
        }));
    } else if let Some(error) = error.filter(|error| error.is_object()) {
        let [code, message] = error.fields(["code", "message"]);
        let code = code.and_then(Node::number).unwrap_or_default();
        let message = message.and_then(Node::string).unwrap_or_default();
        let verdict = match code as i64 {
            -32700 => {
                out.push(Fact::ParseError { complaint: message });
                return;
            }
            -32602 => rejected(&message),
            _ => Verdict::ToolError,
        };
        out.extend(answer(record, id, verdict, Some(message)));
    } else if let Some(result) = result {
        let [failed, content] = result.fields(["isError", "content"]);
        let (verdict, complaint) = match failed.is_some_and(Node::is_true) {
            false => (Verdict::Fine, None),
            true => {
                let text = content.map(content_text).unwrap_or_default();
                let verdict = match text.contains("-32602") {
                    true => rejected(&text),
                    false => Verdict::ToolError,
                };
                (verdict, Some(text))
            }
        };
        out.extend(answer(record, id, verdict, complaint));
    }
}

fn answer(
    record: &Record<'_>,
    id: Option<String>,
    verdict: Verdict,
    complaint: Option<String>,
) -> Option<Fact> {
    Some(Fact::Answered(Answer {
        place: record.place(0),
        id: id?,
        verdict,
        complaint,
        ..Answer::default()
    }))
}

fn rejected(message: &str) -> Verdict {
    match message.contains("Unknown tool") {
        true => Verdict::UnknownTool,
        false => Verdict::Schema,
    }
}

/// A line that is no JSON and looks like a call. What it is about is read as well as it can be.
fn garbled(record: &Record<'_>) -> Option<Fact> {
    let text = std::str::from_utf8(record.bytes).ok()?.trim();
    let text = &text[text.find('{')?..];
    if !text.contains("tools/call") {
        return None;
    }
    let quoted = |name: &str| {
        let (_, behind) = text.split_once(&format!("\"{name}\""))?;
        let value = behind.trim_start().strip_prefix(':')?.trim_start();
        Some(match value.strip_prefix('"') {
            Some(value) => value.split('"').next()?.to_owned(),
            None => value.split([',', '}', ' ']).next()?.to_owned(),
        })
    };
    Some(Fact::Garbled(Call {
        place: record.place(0),
        id: quoted("id"),
        tool: quoted("name"),
        raw: Some(text.to_owned()),
        raw_from: Some(RawFrom::Verbatim),
        ..Call::default()
    }))
}

#[cfg(test)]
mod tests {
    use crate::transcript::formats::rows;

    fn call(id: &str, arguments: &str) -> String {
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"find","arguments":{arguments}}}}}"#
        )
    }

    #[test]
    fn codes_and_results_decide() {
        let object = "find {\"q\":1} re-encoded re-encoded";
        for (arguments, answer, wanted) in [
            (
                "{\"q\": 1}",
                r#""result":{"content":[],"isError":false}"#,
                String::new(),
            ),
            (
                "{\"q\": 1}",
                r#""result":{"content":[{"type":"text","text":"503"}],"isError":true}"#,
                format!("tool-error {object}"),
            ),
            (
                "{\"q\": 1}",
                r#""result":{"content":[{"type":"text","text":"MCP error -32602: q"}],"isError":true}"#,
                format!("schema {object}"),
            ),
            (
                "{\"q\": 1}",
                r#""error":{"code":-32602,"message":"q: Required"}"#,
                format!("schema {object}"),
            ),
            (
                "{\"q\": 1}",
                r#""error":{"code":-32602,"message":"Unknown tool: find"}"#,
                format!("unknown-tool {object}"),
            ),
            (
                "{\"q\": 1}",
                r#""error":{"code":-32603,"message":"boom"}"#,
                format!("tool-error {object}"),
            ),
            (
                r#""{\"q\": ""#,
                r#""error":{"code":-32602,"message":"must be an object"}"#,
                "truncated find {\"q\":  verbatim".into(),
            ),
            (
                r#""{\"q\": 1}""#,
                r#""error":{"code":-32602,"message":"must be an object"}"#,
                "schema find {\"q\": 1} verbatim".into(),
            ),
        ] {
            for id in ["7", "\"call-0007\""] {
                let log = format!(
                    "{}\n{{\"jsonrpc\":\"2.0\",\"id\":{id},{answer}}}",
                    call(id, arguments)
                );
                assert_eq!(rows(&log), wanted, "{log}");
                let prefixed = log.replace("{\"jsonrpc", "2026-01-01T00:00:00Z [info] {\"jsonrpc");
                assert_eq!(rows(&prefixed), wanted, "{prefixed}");
            }
        }
    }

    #[test]
    fn a_line_that_is_no_json_counts_if_the_other_side_says_so() {
        let start = r#"{"jsonrpc":"2.0","id":0,"method":"initialize"}"#;
        let broken = r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"find","arguments":{"q":1}"#;
        let error =
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}"#;
        let fine = r#"{"jsonrpc":"2.0","id":5,"result":{"content":[]}}"#;
        assert_eq!(
            rows(&[start, broken, error].join("\n")),
            format!("malformed find {broken} verbatim")
        );
        assert_eq!(rows(&[start, broken, fine].join("\n")), "");
        assert_eq!(rows(&[start, error].join("\n")), "");
    }

    #[test]
    fn ids_begin_anew_with_a_connection() {
        let start = r#"{"jsonrpc":"2.0","id":0,"method":"initialize"}"#.to_owned();
        let fine = r#"{"jsonrpc":"2.0","id":1,"result":{"content":[]}}"#.to_owned();
        let failed = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"q"}}"#.to_owned();
        let log = [
            start.clone(),
            call("1", "{}"),
            fine,
            start,
            call("1", "{\"q\":1}"),
            failed,
        ];
        assert_eq!(
            rows(&log.join("\n")),
            "schema find {\"q\":1} re-encoded re-encoded"
        );
    }
}
