//! What `fix` makes of a text and says about it: results, edits, refusals, layouts, at any size and depth.

#![cfg(feature = "cli")]

mod common;

use common::{Ran, fix, report};
use serde_json::Value;

#[test]
fn a_report_has_all_its_fields_in_order() {
    for (text, names) in [("[1]", 10), ("", 10), ("}", 10)] {
        let report = report("", text);
        let fields: Vec<&str> = report
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        let expected = [
            "version", "id", "status", "strategy", "worst", "output", "edits", "notices", "schema",
            "refusal",
        ];
        assert_eq!(fields, expected[..names]);
    }
    let refusal = &report("", "")["refusal"];
    let fields: Vec<&str> = refusal
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    let expected = [
        "offset",
        "line",
        "column",
        "expected",
        "found",
        "rule",
        "needs",
        "message",
        "candidates",
    ];
    assert_eq!(fields, expected);
}

#[test]
fn stderr_says_one_line_when_edited_and_the_reason_when_refused() {
    for (flags, text, code, out, err) in [
        (
            "",
            "{'a': 1,}",
            0,
            "{\"a\": 1}",
            "3 edits, worst safe: single-quotes, trailing-comma\n",
        ),
        ("", "[1,]", 0, "[1]", "1 edit, worst safe: trailing-comma\n"),
        (
            "--allow lossy",
            "{'a': [1",
            0,
            "{\"a\": [1]}",
            "3 edits, worst lossy: cut-off, single-quotes\n",
        ),
        (
            "",
            "{'a': NaN}",
            1,
            "",
            "stdin:1:7: expected a value, found `NaN`\n  \
             non-finite is off: value JSON cannot write\n  \
             `--allow lossy` turns it on; `jsonmedic explain non-finite` says why it is lossy\n\
             before the stop: 2 edits, worst safe: single-quotes\n",
        ),
        (
            "--strategy parse",
            "{'a': 1}",
            1,
            "",
            "stdin:1:2: expected a member name in double quotes, found `'`\n  \
             single-quotes is off: string in single quotes\n  \
             `--strategy quotes-only` turns it on; `jsonmedic explain single-quotes` says why it is safe\n",
        ),
    ] {
        let ran = fix(flags, text);
        assert_eq!(
            (ran.code, ran.out.as_str(), ran.err.as_str()),
            (code, out, err),
            "{text}"
        );
        // Silence about the result where a report is asked for.
        assert_eq!(report(flags, text)["status"] == "refused", code == 1);
    }
}

#[test]
fn a_refusal_names_the_candidates_and_how_to_pick_one() {
    let ran = fix("", r#"{"path":"a"} {"path":"b"}"#);
    assert_eq!(ran.code, 1);
    assert!(
        ran.err
            .starts_with("stdin:1:14: expected the end, found `{`\n"),
        "{}",
        ran.err
    );
    assert!(
        ran.err.contains("all: 1 at 1:1, 2 at 1:14\n"),
        "{}",
        ran.err
    );
}

#[test]
fn the_edit_list_is_told_on_stderr_with_hostile_text_visible() {
    let ran = fix("--report text --allow lossy", "{'a\u{202e}\u{1b}': NaN,\n}");
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (0, "{\"a\u{202e}\\u001b\": null\n}")
    );
    let lines: Vec<&str> = ran.err.lines().collect();
    assert_eq!(
        lines[0],
        "5 edits, worst lossy: non-finite, single-quotes, raw-control, trailing-comma"
    );
    let rules: Vec<&str> = lines[1..]
        .iter()
        .map(|line| line.split_whitespace().nth(2).unwrap())
        .collect();
    assert_eq!(
        rules,
        [
            "single-quotes",
            "raw-control",
            "single-quotes",
            "non-finite",
            "trailing-comma"
        ]
    );
    assert!(lines[2].contains("`␛` -> `\\u001b`"), "{}", lines[2]);
    assert!(!ran.err.contains(['\u{1b}', '\u{202e}']));
}

/// Checks what `product.md` says of a report, whatever the text.
#[test]
fn source_and_edits_are_the_output() {
    for text in [
        "{'a': 1,}",
        "Sure:\n```json\n{'ñ': \"日\n本\", b: [1 // x\n 2,],}\n```\nBye.",
        "{\"a\": [1, {\"b\": \"c",
        "{a: b c, d: NaN, 'e': 0x1F,}",
        "\u{feff}[1, +2, .5]",
    ] {
        let report = report("--allow guess", text);
        assert_eq!(report["status"], "repaired", "{text}");
        let (mut output, mut at, mut worst) = (String::new(), 0, "safe");
        for edit in report["edits"].as_array().unwrap() {
            let place = |name: &str| edit[name].as_u64().unwrap() as usize;
            let (start, end) = (place("start"), place("end"));
            assert!(at <= start && start <= end, "{text}: sorted and disjoint");
            assert_eq!(edit["before"], text[start..end]);
            assert_ne!(edit["before"], edit["after"]);
            let line_start = text[..start].rfind('\n').map_or(0, |lf| lf + 1);
            assert_eq!(place("line"), 1 + text[..start].matches('\n').count());
            assert_eq!(place("column"), 1 + text[line_start..start].chars().count());
            output += &text[at..start];
            output += edit["after"].as_str().unwrap();
            at = end;
            let rank = |level: &str| {
                ["safe", "lossy", "guess"]
                    .iter()
                    .position(|name| *name == level)
            };
            let safety = edit["safety"].as_str().unwrap();
            if rank(worst) < rank(safety) {
                worst = safety;
            }
        }
        output += &text[at..];
        assert_eq!(report["output"], output);
        assert_eq!(report["worst"], worst);
        assert!(serde_json::from_str::<Value>(&output).is_ok(), "{output}");
        assert_eq!(fix("--allow guess", text).out, output);
    }
}

#[test]
fn layout_touches_white_space_alone() {
    let text = "{'a': [1.10, -0, 1e999, \"\\u0041\", {}], \"a\": 12345678901234567890,}";
    for (style, out) in [
        (
            "as-is",
            "{\"a\": [1.10, -0, 1e999, \"\\u0041\", {}], \"a\": 12345678901234567890}",
        ),
        (
            "compact",
            "{\"a\":[1.10,-0,1e999,\"\\u0041\",{}],\"a\":12345678901234567890}",
        ),
        (
            "pretty",
            "{\n  \"a\": [\n    1.10,\n    -0,\n    1e999,\n    \"\\u0041\",\n    {}\n  ],\n  \"a\": 12345678901234567890\n}",
        ),
    ] {
        assert_eq!(fix(&format!("--style {style}"), text).out, out);
    }
    let report = report("--style pretty", "[1,]");
    assert_eq!(report["output"], "[1]", "a report's output is as it is");
}

#[test]
fn a_schema_from_a_file_or_a_request_guides_the_repair() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tools.json");
    let schema = r#"{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}"#;
    std::fs::write(
        &file,
        format!(r#"{{"tools":[{{"name":"count","input_schema":{schema}}}]}}"#),
    )
    .unwrap();
    let flags = format!("--tools {} --tool count", file.display());
    assert_eq!(fix(&flags, r#"{"n": "5"}"#).out, r#"{"n": 5}"#);
    let request = format!(r#"{{"text": "{{\"n\": \"5\"}}", "schema": {schema}}}"#);
    let ran = fix("--batch", request);
    assert!(ran.out.contains(r#""output":"{\"n\": 5}""#), "{}", ran.out);
    assert!(ran.out.contains(r#""rule":"scalar-type""#), "{}", ran.out);
}

#[test]
fn depth_costs_no_stack() {
    let (open, close) = ("[".repeat(100_000), "]".repeat(100_000));
    let valid = format!("{open}{close}");
    for flags in ["", "--allow guess", "--style compact"] {
        assert_eq!(
            fix(flags, &valid),
            Ran {
                code: 0,
                out: valid.clone(),
                err: String::new()
            }
        );
    }
    assert_eq!(fix("--style pretty", &valid).code, 0);
    assert_eq!(fix("", &open).code, 1);
    let closed = fix("--allow lossy", &open);
    assert_eq!((closed.code, closed.out), (0, valid));
    assert_eq!(
        report("--allow lossy", &open)["edits"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

#[test]
fn ten_megabytes_on_one_line() {
    let text = format!("{{\"a\": \"{}\"}}", "x".repeat(10_000_000));
    assert_eq!(
        fix("", &text),
        Ran {
            code: 0,
            out: text.clone(),
            err: String::new()
        }
    );
    let cut = &text[..text.len() - 2];
    let ran = fix("--allow lossy --style compact", cut);
    assert_eq!((ran.code, ran.out.len()), (0, text.len() - 1));
}

/// Quadratic work on the lines and columns of a report would take hours here.
#[test]
fn a_report_of_very_many_edits_on_one_line_is_linear() {
    let text = format!("[{}'a']", "'a', ".repeat(100_000));
    let report = report("", &text);
    let edits = report["edits"].as_array().unwrap();
    assert_eq!(edits.len(), 200_002);
    assert_eq!(edits[200_001]["column"], text.len() - 1);
}
