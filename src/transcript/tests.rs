//! What ledger, selection and register do together, as rows over logs of one format.

use std::path::Path;

use super::{FailedCall, Kinds, Pause, Reader, Register, Source, read_all};

fn rows(log: &str) -> Vec<FailedCall> {
    read_all(Path::new("log"), log.as_bytes())
}

fn call(id: &str, tool: &str, arguments: &str) -> String {
    let arguments = serde_json::Value::from(arguments);
    format!(
        r#"{{"type":"function_call","name":"{tool}","arguments":{arguments},"call_id":"{id}"}}"#
    ) + "\n"
}

fn answer(id: &str, output: &str) -> String {
    format!(r#"{{"type":"function_call_output","call_id":"{id}","output":"{output}"}}"#) + "\n"
}

fn fine(id: &str, tool: &str) -> String {
    call(id, tool, "{}") + &answer(id, "ok")
}

/// Ids of the retries of all failed calls, `-` where there is none, `=` in front where it is the repaired value.
fn retries(log: &str) -> String {
    let retry = |row: FailedCall| match row.retry {
        Some(retry) if retry.equal => format!("={}", retry.call_id.unwrap()),
        Some(retry) => retry.call_id.unwrap(),
        None => "-".to_owned(),
    };
    rows(log)
        .into_iter()
        .map(retry)
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn the_retry_is_the_next_call_of_the_tool_that_succeeds_within_ten() {
    let failed = call("call_0", "t", "{,}");
    let others = |count: usize| {
        (0..count)
            .map(|n| fine(&format!("call_x{n}"), "u"))
            .collect::<String>()
    };
    for (log, wanted) in [
        (failed.clone(), "-"),
        (failed.clone() + &fine("call_1", "t"), "=call_1"),
        (
            failed.clone() + &call("call_1", "t", "{\"a\":1}") + &answer("call_1", "ok"),
            "call_1",
        ),
        (
            failed.clone() + &others(9) + &fine("call_1", "t"),
            "=call_1",
        ),
        (failed.clone() + &others(10) + &fine("call_1", "t"), "-"),
        // Another tool is no retry, nor is a call that fails too; and that one has the same retry.
        (failed.clone() + &fine("call_1", "u"), "-"),
        (
            failed.clone() + &call("call_1", "t", "{]") + &fine("call_2", "t"),
            "=call_2 =call_2",
        ),
        (
            failed.clone()
                + &call("call_1", "t", "{}")
                + &answer("call_1", "aborted")
                + &fine("call_2", "t"),
            "=call_2 =call_2",
        ),
        // A call without an answer counts for nothing.
        (
            failed.clone() + &call("call_1", "t", "{}") + &fine("call_2", "t"),
            "=call_2",
        ),
        // What came before is no retry.
        (fine("call_1", "t") + &failed, "-"),
    ] {
        assert_eq!(retries(&log), wanted, "{log}");
    }
}

#[test]
fn a_retry_belongs_to_the_session() {
    let line = |session: &str, message: &str| {
        format!(r#"{{"sessionId":"{session}","isSidechain":false,"type":"x","message":{message}}}"#)
            + "\n"
    };
    let call = |session: &str, id: &str, input: &str| {
        line(
            session,
            &format!(
                r#"{{"role":"assistant","content":[{{"type":"tool_use","id":"{id}","name":"t","input":{input}}}]}}"#
            ),
        ) + &line(
            session,
            &format!(
                r#"{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"{id}","content":"x"}}]}}"#
            ),
        )
    };
    let failed = call(
        "s1",
        "toolu_01",
        r#"{"__unparsedToolInput":{"raw":"{\"a\": 1,}","len":9}}"#,
    );
    let log =
        failed + &call("s2", "toolu_02", "{\"a\":1}") + &call("s1", "toolu_03", "{ \"a\" : 1 }");
    assert_eq!(retries(&log), "=toolu_03");
}

#[test]
fn a_row_knows_where_it_stands_and_what_was_said() {
    let log = "\n".to_owned()
        + r#"{"timestamp":"2026-02-03T04:05:06Z","type":"session_meta","payload":{"id":"s1"}}"#
        + "\r\n"
        + r#"{"timestamp":"2026-02-03T04:05:07Z","type":"turn_context","payload":{"model":"m1"}}"#
        + "\n"
        + &format!(
            r#"{{"timestamp":"2026-02-03T04:05:08Z","type":"response_item","payload":{}}}"#,
            call("call_1", "t", "{\"a\": ").trim_end()
        )
        + "\n"
        + &answer("call_1", &"é".repeat(3000));
    let [row] = &rows(&log)[..] else {
        panic!("{:?}", rows(&log));
    };
    assert_eq!(
        (row.origin.line, row.origin.byte),
        (
            Some(4),
            Some(log.find("{\"timestamp\":\"2026-02-03T04:05:08Z").unwrap() as u64)
        )
    );
    assert_eq!(row.session.as_deref(), Some("s1"));
    assert_eq!(row.model.as_deref(), Some("m1"));
    assert_eq!(row.time.as_deref(), Some("2026-02-03T04:05:08Z"));
    assert_eq!(row.complaint.as_deref(), Some("é".repeat(1024).as_str()));
}

#[test]
fn a_failure_whose_call_is_elsewhere_is_still_listed() {
    let log = fine("call_1", "t") + &answer("call_9", "unsupported call: u");
    let [row] = &rows(&log)[..] else {
        panic!("{:?}", rows(&log));
    };
    assert_eq!(
        (row.kind.id(), row.call_id.as_deref(), &row.raw),
        ("unknown-tool", Some("call_9"), &None)
    );
    assert_eq!(row.origin.line, Some(3));
}

#[test]
fn a_last_line_counts_if_it_is_whole() {
    let line = call("call_1", "t", "{,}");
    assert_eq!(rows(line.trim_end()).len(), 1);
    let two = line.clone() + &line.replace("call_1", "call_2");
    assert_eq!(rows(&two[..two.len() - 2]).len(), 1);
}

#[test]
fn a_document_is_one_whatever_its_name_says() {
    let pretty = "[\n  {\n    \"role\": \"assistant\",\n    \"content\": [\n      {\"type\": \"text\", \"text\": \"<use_mcp_tool><arguments>{,}</arguments>\"}\n    ]\n  }\n]\n";
    let [row] = &rows(pretty)[..] else {
        panic!("{:?}", rows(pretty));
    };
    assert_eq!((row.format, row.origin.line), ("cline", Some(5)));
    let compact = serde_json::from_str::<serde_json::Value>(pretty)
        .unwrap()
        .to_string();
    assert_eq!(rows(&compact)[0].origin.line, Some(1));
}

#[test]
fn what_is_no_log_gives_nothing() {
    let deep = "[".repeat(100_000);
    for text in [
        "",
        "\n",
        "plain text\n",
        "{\"a\":1}\n",
        "{}",
        "[]",
        "\0\0\0",
        "data: x\n",
        &deep,
    ] {
        assert_eq!(rows(text), [], "{}", &text[..text.len().min(20)]);
    }
    let prose = "# notes\n".repeat(100) + &call("call_1", "t", "{,}");
    assert_eq!(rows(&prose), []);
}

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

/// A log of one of the formats whose lines are selected, with failures of every kind in it.
fn random_log(dice: &mut Dice) -> String {
    let mut log = String::new();
    let format = dice.roll(3);
    for n in 0..200 {
        let id = format!("call_{n:05}");
        let tool = ["t", "u", "v"][dice.roll(3) as usize];
        let filler = "x".repeat(dice.roll(3000) as usize);
        let arguments = ["{}", "{\"a\":1}", "{\"a\": 1,}", "{\"a\": \"x", ""]
            [[0, 0, 0, 1, 1, 2, 3, 4][dice.roll(8) as usize]];
        match format {
            0 => {
                log += &call(&id, tool, arguments);
                if dice.roll(10) == 0 {
                    log += &format!(
                        "{{\"type\":\"turn_context\",\"timestamp\":\"x\",\"payload\":{{\"model\":\"m{n}\"}}}}\n"
                    );
                }
                let output = [
                    "ok",
                    "ok",
                    "ok",
                    "ok",
                    "failed to parse function arguments: x",
                    "unsupported call: x",
                    "Exit code: 2\\nOutput:",
                ];
                let output = output[dice.roll(7) as usize];
                if dice.roll(10) != 0 {
                    log += &answer(&id, &format!("{output}{filler}"));
                }
            }
            1 => {
                let unparsed = format!(
                    r#"{{"__unparsedToolInput":{{"raw":{},"len":{}}}}}"#,
                    serde_json::Value::from(arguments),
                    arguments.len()
                );
                let input = if arguments.starts_with('{')
                    && arguments.ends_with('}')
                    && !arguments.contains(",}")
                {
                    arguments
                } else {
                    &unparsed
                };
                let session = dice.roll(2);
                let line = |message: &str| {
                    format!(
                        r#"{{"parentUuid":"p","isSidechain":false,"sessionId":"s{session}","version":"2.1.200","type":"x","message":{message}}}"#
                    ) + "\n"
                };
                let text = [
                    "fine",
                    "a tag <invoke name=\\\"t\\\">",
                    "<invoke name=\\\"t\\\">1</invoke>",
                ][[0, 0, 0, 0, 1, 2][dice.roll(6) as usize]];
                log += &line(&format!(
                    r#"{{"id":"m{n}","role":"assistant","content":[{{"type":"text","text":"{text} {filler}"}}],"stop_reason":null}}"#
                ));
                if dice.roll(4) != 0 {
                    let stop = ["null", "\"tool_use\"", "\"max_tokens\""][dice.roll(3) as usize];
                    log += &line(&format!(
                        r#"{{"id":"m{n}","role":"assistant","content":[{{"type":"tool_use","id":"{id}","name":"{tool}","input":{input}}}],"stop_reason":{stop}}}"#
                    ));
                }
                let (failed, said) = [
                    ("false", "ok"),
                    ("false", "ok"),
                    ("true", "<tool_use_error>InputValidationError: x"),
                    ("true", "Exit code 1"),
                ][dice.roll(4) as usize];
                if dice.roll(10) != 0 {
                    log += &line(&format!(
                        r#"{{"role":"user","content":[{{"tool_use_id":"{id}","type":"tool_result","content":"{said}{filler}","is_error":{failed}}}]}}"#
                    ));
                }
            }
            _ => {
                let arguments = serde_json::Value::from(arguments);
                log += &format!(
                    r#"{{"role": "assistant", "content": "{}", "tool_calls": [{{"id": "{id}", "type": "function", "function": {{"name": "{tool}", "arguments": {arguments}}}}}]}}"#,
                    "x".repeat(n % 7)
                );
                log += "\n";
                log += &format!(
                    r#"{{"role": "tool", "tool_call_id": "{id}", "content": "said {filler}"}}"#
                );
                log += "\n";
                if dice.roll(8) == 0 {
                    log += "{\"role\": \"assistant\", \"content\": \"<tool_call>{'name': 'w'}</tool_call>\"}\n";
                }
            }
        }
    }
    log
}

#[test]
fn reading_the_lines_that_matter_is_reading_all() {
    let mut selected = 0;
    for seed in 0..12 {
        let log = random_log(&mut Dice(seed));
        let mut all = Reader::default();
        all.learn(log.as_bytes());
        let adapter = all.adapter().unwrap();
        selected += usize::from(super::select::lines(log.as_bytes(), adapter).is_some());
        all.lines(super::Chunk::whole(log.as_bytes(), 0));
        let source = Source {
            ledger: 0,
            adapter,
            paths: &["log".into()],
            is_document: false,
            far: None,
            name: None,
            again: false,
        };
        let mut register = Register::new(Kinds::ALL);
        let mut wanted: Vec<FailedCall> = Vec::new();
        register.take(source, all.settle(Pause::End), &mut |event| {
            if let super::FeedEvent::Failed(call) = event {
                wanted.push(*call);
            }
        });
        let found = rows(&log);
        let brief = |rows: &[FailedCall]| -> Vec<String> {
            rows.iter()
                .map(|row| {
                    format!(
                        "{:?} {:?} {} {:?} {:?} {:?} {:?} {:?}",
                        row.origin.line,
                        row.call_id,
                        row.kind.id(),
                        row.stop_reason,
                        row.model,
                        row.session,
                        row.complaint.as_ref().map(|text| text.len()),
                        row.retry
                    )
                })
                .collect()
        };
        assert!(
            10 < wanted.len(),
            "seed {seed} has too few failures to show anything"
        );
        assert_eq!(brief(&found), brief(&wanted), "seed {seed}");
    }
    assert!(
        3 < selected,
        "{selected} of 12 logs were read by selected lines"
    );
}
