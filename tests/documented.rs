//! What the two published systems document, example by example, through the real program: the seven strategies
//! with the tools' fields, and the one-answer repair.

#![cfg(feature = "cli")]

mod common;

use common::run;
use serde_json::{Value, json};

/// One example: what is known, the text, and what must come of it.
struct Row {
    tool: &'static str,
    text: &'static str,
    /// The lowest `--allow` that reaches `output`.
    allow: &'static str,
    /// The strategy that answers by `auto`, where the documents say which.
    strategy: &'static str,
    output: &'static str,
}

const fn row(
    tool: &'static str,
    text: &'static str,
    allow: &'static str,
    strategy: &'static str,
    output: &'static str,
) -> Row {
    Row {
        tool,
        text,
        allow,
        strategy,
        output,
    }
}

/// The seven strategies.
#[rustfmt::skip]
const SEVEN: &[Row] = &[
    row("", r#"{"cmd":"read","args":{"file":"main.go"}}"#, "safe", "parse", r#"{"cmd":"read","args":{"file":"main.go"}}"#),
    row("", "{'cmd':'read','file':'main.go'}", "safe", "quotes-only", r#"{"cmd":"read","file":"main.go"}"#),
    row("", r#"{'a': 'it\'s "b"'}"#, "safe", "quotes-only", r#"{"a": "it's \"b\""}"#),
    row("", r#"{cmd: "read", file: "main.go"}"#, "safe", "unquoted-keys", r#"{"cmd": "read", "file": "main.go"}"#),
    row("", "{cmd: 'read', file: 'main.go'}", "safe", "quotes-and-keys", r#"{"cmd": "read", "file": "main.go"}"#),
    row("", r#"{"cmd":"read","file":"main.go",}"#, "safe", "commas-only", r#"{"cmd":"read","file":"main.go"}"#),
    row("read_file", "main.go", "guess", "wrap", r#"{"file":"main.go"}"#),
    row("run_command", "ls -la", "guess", "wrap", r#"{"cmd":"ls -la"}"#),
    row("search_files", "TODO", "guess", "wrap", r#"{"term":"TODO"}"#),
    row("", "{cmd: read, file: main.go, append: true}", "guess", "object-literal", r#"{"cmd": "read", "file": "main.go", "append": true}"#),
    row("", r#"{cmd: 'read', "file": main.go}"#, "guess", "object-literal", r#"{"cmd": "read", "file": "main.go"}"#),
    row("", "{display: none, n: null, x: -1.10}", "guess", "object-literal", r#"{"display": null, "n": null, "x": -1.10}"#),
];

/// Plain text for a known tool.
#[rustfmt::skip]
const WRAPS: &[Row] = &[
    row("read", "config.yaml", "guess", "wrap", r#"{"file":"config.yaml"}"#),
    row("write_file", "output.txt", "guess", "wrap", r#"{"file":"output.txt"}"#),
    row("write", "data.json", "guess", "wrap", r#"{"file":"data.json"}"#),
    row("list_directory", "./src", "guess", "wrap", r#"{"dir":"./src"}"#),
    row("exec", "make test", "guess", "wrap", r#"{"cmd":"make test"}"#),
    row("search", "func main", "guess", "wrap", r#"{"term":"func main"}"#),
    row("run_command", "go build", "guess", "wrap", r#"{"cmd":"go build"}"#),
    row("tree", "./internal", "guess", "wrap", r#"{"dir":"./internal"}"#),
    row("run_tests", "./pkg", "guess", "wrap", r#"{"dir":"./pkg"}"#),
    row("Bash", "echo \"x\"", "guess", "wrap", r#"{"command":"echo \"x\""}"#),
    row("Read", "a.txt", "guess", "wrap", r#"{"file_path":"a.txt"}"#),
    row("Grep", "foo|bar", "guess", "wrap", r#"{"pattern":"foo|bar"}"#),
    // Looked up exactly, then lower-cased.
    row("READ_FILE", "main.go", "guess", "wrap", r#"{"file":"main.go"}"#),
    row("Shell", "pwd", "guess", "wrap", r#"{"command":"pwd"}"#),
    row("grep", "x", "guess", "wrap", r#"{"pattern":"x"}"#),
    // Command fields take the text as it is; a glob may begin like JSON.
    row("run_command", "ls -l", "guess", "wrap", r#"{"cmd":"ls -l"}"#),
    row("run_command", "test -d x", "guess", "wrap", r#"{"cmd":"test -d x"}"#),
    row("Bash", "[ -f x ]", "guess", "wrap", r#"{"command":"[ -f x ]"}"#),
    row("Glob", "[ab].c", "guess", "wrap", r#"{"pattern":"[ab].c"}"#),
    row("Glob", "{a,b}.ts", "guess", "wrap", r#"{"pattern":"{a,b}.ts"}"#),
    // Taken off first: white space, one fence, one pair of quotes that are not JSON.
    row("read_file", " main.go\n", "guess", "wrap", r#"{"file":"main.go"}"#),
    row("read_file", "```\nmain.go\n```", "guess", "wrap", r#"{"file":"main.go"}"#),
    row("read_file", "'a.go'", "guess", "wrap", r#"{"file":"a.go"}"#),
    row("@coder", "read --file main.go", "guess", "wrap", r#"{"cmd":"read","args":{"file":"main.go"}}"#),
    // What reads as JSON is not wrapped.
    row("read_file", "```json\n{\"file\":\"a\"}\n```", "safe", "one-answer", r#"{"file":"a"}"#),
    row("read_file", "Sure: {\"file\":\"a\"}", "safe", "one-answer", r#"{"file":"a"}"#),
    row("read_file", "\u{feff}{\"file\":\"a\"}", "safe", "", r#"{"file":"a"}"#),
    row("read_file", "\"file\":\"a.go\"", "guess", "", r#"{"file":"a.go"}"#),
    row("search_files", "404", "safe", "parse", "404"),
    row("read_file", "\"main.go\"", "safe", "parse", "\"main.go\""),
];

/// The one-answer repair.
#[rustfmt::skip]
const ONE_ANSWER: &[Row] = &[
    row("", "Here it is:\n```json\n{\"a\": 1}\n```\nAnything else?", "safe", "one-answer", r#"{"a": 1}"#),
    row("", "[1, 2,]", "safe", "commas-only", "[1, 2]"),
    row("", "{\"a\": 1 // note\n}", "safe", "one-answer", ""),
    row("", "{\"a\": 1, /* note */ \"b\": 2}", "safe", "one-answer", ""),
    row("", "{'a': 'b'}", "safe", "quotes-only", r#"{"a": "b"}"#),
    row("", "{a: 1}", "safe", "unquoted-keys", r#"{"a": 1}"#),
    row("", r#"{"ok": True, "x": None}"#, "safe", "", r#"{"ok": true, "x": null}"#),
    row("", "\"line one\nline two\"", "safe", "one-answer", r#""line one\nline two""#),
    row("", r#"{"x": NaN}"#, "lossy", "with-losses", r#"{"x": null}"#),
    row("", r#"{"x": undefined}"#, "lossy", "with-losses", r#"{"x": null}"#),
    row("", r#"{"items": [{"id": 1}, {"id":"#, "lossy", "with-losses", r#"{"items": [{"id": 1}, {}]}"#),
    row("", "{“a”: “b”}", "safe", "one-answer", r#"{"a": "b"}"#),
    row("", "{\"a\": 1\n \"b\": 2}", "safe", "one-answer", "{\"a\": 1,\n \"b\": 2}"),
    row("", "[+5, .5, 0x1F]", "safe", "one-answer", "[5, 0.5, 31]"),
    row("", "{'n': 12345678901234567890, 'n': 1.10}", "safe", "quotes-only", r#"{"n": 12345678901234567890, "n": 1.10}"#),
];

/// Where the ladder differs from the seven strategies on purpose.
#[rustfmt::skip]
const DIFFERENT: &[Row] = &[
    // Faults compose at any depth.
    row("", "{a:{b:c}}", "guess", "", r#"{"a":{"b":"c"}}"#),
    row("", "{a:[b]}", "guess", "", r#"{"a":["b"]}"#),
    row("", "{'a':{'b':True}}", "safe", "", r#"{"a":{"b":true}}"#),
    row("", "{'a':{b:True,},}", "safe", "", r#"{"a":{"b":true}}"#),
    row("", "{a:{b:'c',},}", "safe", "", r#"{"a":{"b":"c"}}"#),
    row("", r#"{a:{b:"c, d: e"}}"#, "safe", "", r#"{"a":{"b":"c, d: e"}}"#),
    row("", "[{a:1}]", "safe", "", r#"[{"a":1}]"#),
    row("", "['a',]", "safe", "", r#"["a"]"#),
    // Strings are not looked into.
    row("", r#"{"a":"[x,]",}"#, "safe", "", r#"{"a":"[x,]"}"#),
    row("", r#"{"a":"{x, }",}"#, "safe", "", r#"{"a":"{x, }"}"#),
    // A string that is nearly JSON stays that string.
    row("", r#"{"a":"C:\Users"}"#, "safe", "", r#"{"a":"C:\\Users"}"#),
    row("", "{\"a\":\"x\ny\"}", "safe", "", r#"{"a":"x\ny"}"#),
    row("", "{\"a\":\"x\ty\"}", "safe", "", r#"{"a":"x\ty"}"#),
    row("", r#"{"a":"b "c""}"#, "guess", "", r#"{"a":"b \"c\""}"#),
    row("", r#"{"a":"b "c, d" e"}"#, "guess", "", r#"{"a":"b \"c, d\" e"}"#),
    row("", r#"{"a":"b\"}"#, "guess", "", r#"{"a":"b\\"}"#),
    row("", r#"{"a":"b”}"#, "guess", "", r#"{"a":"b"}"#),
    row("", "{a: “b”}", "safe", "", r#"{"a": "b"}"#),
    // Separators.
    row("", r#"{"a":"b" "c":"d"}"#, "safe", "", r#"{"a":"b", "c":"d"}"#),
    row("", r#"{"a":1 "b":2}"#, "safe", "", r#"{"a":1, "b":2}"#),
    row("", r#"{"a"=1}"#, "safe", "", r#"{"a":1}"#),
    row("", r#"{"a" 1}"#, "safe", "", r#"{"a": 1}"#),
    // Closers.
    row("", r#"{"a":"b"}}"#, "safe", "", r#"{"a":"b"}"#),
    row("", r#"{"a":[1}"#, "guess", "", r#"{"a":[1]}"#),
    row("", r#"{"a":1]"#, "guess", "", r#"{"a":1}"#),
    row("", r#"{{"a":1}}"#, "guess", "", r#"{"a":1}"#),
    // Apostrophes and escapes.
    row("", "{'a':'b's','c':'d'}", "guess", "", r#"{"a":"b's","c":"d"}"#),
    row("", r"{'a':'b\'s','c':True}", "safe", "", r#"{"a":"b's","c":true}"#),
    row("", r"{'a':'b\nc','d':True}", "safe", "", r#"{"a":"b\nc","d":true}"#),
    row("", r"{'a':'C:\temp\n'}", "safe", "", r#"{"a":"C:\temp\n"}"#),
    // Digits, order, duplicates, spelling.
    row("", "{a: 9007199254740993, b: x}", "guess", "", r#"{"a": 9007199254740993, "b": "x"}"#),
    row("", r#"{"a":9007199254740993,"b":True}"#, "safe", "", r#"{"a":9007199254740993,"b":true}"#),
    row("", r#"{"a":1e999}"#, "safe", "parse", r#"{"a":1e999}"#),
    row("", "{b: x, a: y}", "guess", "", r#"{"b": "x", "a": "y"}"#),
    row("", "{a: x, a: y}", "guess", "", r#"{"a": "x", "a": "y"}"#),
    row("", "{a: 1.10, b: <c>}", "guess", "", r#"{"a": 1.10, "b": "<c>"}"#),
    // Values.
    row("", "{display: none}", "guess", "", r#"{"display": null}"#),
    row("", r#"{"a":NaN}"#, "lossy", "", r#"{"a":null}"#),
    row("", r#"{"a":[.5,5.,+1,0x1F]}"#, "safe", "", r#"{"a":[0.5,5.0,1,31]}"#),
    row("", r#"{"a":012}"#, "guess", "", r#"{"a":12}"#),
    row("", "{'a':(1,2)}", "safe", "", r#"{"a":[1,2]}"#),
    // JSON is not wrapped.
    row("@coder", r#"'{"cmd":"tree"}'"#, "guess", "", r#"{"cmd":"tree"}"#),
    row("@coder", "{&quot;a&quot;:&quot;b, c: d&quot;}", "safe", "", r#"{"a":"b, c: d"}"#),
    // What the seven give up.
    row("", "{“a”:“b”}", "safe", "", r#"{"a":"b"}"#),
    row("", "{`a`:1}", "safe", "", r#"{"a":1}"#),
    row("", r#"{"a":1"#, "lossy", "", r#"{"a":1}"#),
    row("", r#"{"a":"b"#, "lossy", "", r#"{"a":"b"}"#),
    row("", "{$a:1}", "safe", "", r#"{"$a":1}"#),
    row("", r#"{a":1}"#, "guess", "", r#"{"a":1}"#),
    row("", r#"{"a":1} ok"#, "safe", "", r#"{"a":1}"#),
    row("", r#"{\"a\":1}"#, "safe", "", r#"{"a":1}"#),
    row("", r#""{\"a\":1}""#, "safe", "parse", r#""{\"a\":1}""#),
];

/// What neither may answer, whatever is allowed: tool, text, the byte where it stops.
#[rustfmt::skip]
const REFUSED: &[(&str, &str, u64)] = &[
    ("", r#"{"items": [{"id": 1}, ...]}"#, 22),
    ("", r#"{"a": , "b": 1}"#, 6),
    ("", "main.go", 0),
    ("", r#"{"path":"a"}{"path":"b"}"#, 12),
    ("read_file", "Let me look at it.", 0),
    ("read_file", "--file a.go", 0),
    ("", r#"{"a":1}{"b":2}"#, 7),
    ("", r#"{"a":1,...}"#, 7),
    ("", "{a: , b: c}", 4),
];

#[test]
fn the_seven_strategies() {
    answers_as_documented(SEVEN);
}

#[test]
fn plain_text_goes_into_the_field_of_the_tool() {
    answers_as_documented(WRAPS);
}

#[test]
fn the_ladder_differs_where_it_means_to() {
    answers_as_documented(DIFFERENT);
}

#[test]
fn the_one_answer_repair() {
    answers_as_documented(ONE_ANSWER);
}

#[test]
fn every_tool_of_the_map_has_its_field() {
    let map: Value = serde_json::from_str(include_str!("../assets/tool_fields.json")).unwrap();
    let pairs: Vec<(&str, &str)> = map
        .as_object()
        .unwrap()
        .iter()
        .flat_map(|(field, tools)| {
            tools
                .as_array()
                .unwrap()
                .iter()
                .map(move |tool| (tool.as_str().unwrap(), field.as_str()))
        })
        .collect();
    assert!(38 <= pairs.len());
    let reports = batch(
        "guess",
        "auto",
        pairs.iter().map(|(tool, _)| (*tool, "alpha")),
    );
    for ((tool, field), report) in pairs.iter().zip(reports) {
        assert_eq!(
            report["output"],
            format!("{{\"{field}\":\"alpha\"}}"),
            "{tool}"
        );
    }
}

#[test]
fn chatcli_is_the_first_of_the_seven_that_passes() {
    for allow in ["safe", "guess"] {
        let reports = batch(
            allow,
            "chatcli",
            SEVEN.iter().map(|row| (row.tool, row.text)),
        );
        for (row, report) in SEVEN.iter().zip(reports) {
            if rank(row.allow) <= rank(allow) {
                assert_eq!(report["strategy"], row.strategy, "{}", row.text);
                assert_eq!(report["output"], row.output, "{}", row.text);
            } else {
                assert_eq!(report["status"], "refused", "{}", row.text);
            }
        }
    }
}

#[test]
fn a_valid_scalar_is_wrapped_only_where_that_is_asked_for() {
    for (tool, text, wrapped) in [
        ("search_files", "404", r#"{"term":"404"}"#),
        ("read_file", "\"main.go\"", r#"{"file":"main.go"}"#),
    ] {
        let untouched = &batch("guess", "auto", [(tool, text)].into_iter())[0];
        assert_eq!(untouched["status"], "valid");
        assert_eq!(untouched["notices"][0]["rule"], "not-an-object");
        let asked = &batch("guess", "wrap", [(tool, text)].into_iter())[0];
        assert_eq!(
            (&asked["output"], &asked["worst"]),
            (&json!(wrapped), &json!("guess"))
        );
    }
}

#[test]
fn what_has_no_answer_is_refused_at_every_level() {
    for allow in ["safe", "lossy", "guess"] {
        let reports = batch(
            allow,
            "auto",
            REFUSED.iter().map(|(tool, text, _)| (*tool, *text)),
        );
        for ((_, text, at), report) in REFUSED.iter().zip(reports) {
            assert_eq!(
                (&report["status"], &report["output"]),
                (&json!("refused"), &Value::Null),
                "{text} at {allow}"
            );
            assert_eq!(report["refusal"]["offset"], *at, "{text} at {allow}");
        }
    }
}

/// Below its level a row is refused and says which level would pass; from its level on it has its output, and the
/// worst level of the edits is the row's.
fn answers_as_documented(rows: &[Row]) {
    for allow in ["safe", "lossy", "guess"] {
        let reports = batch(allow, "auto", rows.iter().map(|row| (row.tool, row.text)));
        for (row, report) in rows.iter().zip(reports) {
            let context = format!("{} at {allow}: {report}", row.text);
            if rank(allow) < rank(row.allow) {
                assert_eq!(report["status"], "refused", "{context}");
                continue;
            }
            let output = report["output"]
                .as_str()
                .unwrap_or_else(|| panic!("{context}"));
            if row.output.is_empty() {
                // White space round what is removed is nobody's business.
                let value: Value = serde_json::from_str(output).unwrap();
                assert_eq!(value["a"], 1, "{context}");
            } else {
                assert_eq!(output, row.output, "{context}");
            }
            let worst = if report["status"] == "valid" {
                Value::Null
            } else {
                json!(row.allow)
            };
            assert_eq!(report["worst"], worst, "{context}");
            if !row.strategy.is_empty() {
                assert_eq!(report["strategy"], row.strategy, "{context}");
            }
        }
    }
}

fn rank(level: &str) -> usize {
    ["safe", "lossy", "guess"]
        .iter()
        .position(|name| *name == level)
        .expect("a level")
}

fn batch<'a>(
    allow: &str,
    strategy: &str,
    texts: impl Iterator<Item = (&'a str, &'a str)>,
) -> Vec<Value> {
    let lines: Vec<String> = texts
        .map(|(tool, text)| {
            let tool = if tool.is_empty() {
                Value::Null
            } else {
                json!(tool)
            };
            json!({"text": text, "tool": tool}).to_string()
        })
        .collect();
    let ran = run(
        &["fix", "--batch", "--allow", allow, "--strategy", strategy],
        lines.join("\n").as_bytes(),
    );
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let reports: Vec<Value> = ran
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(reports.len(), lines.len());
    reports
}
