//! The policy as rows: what each fault comes to, at which level, and the near misses that stay as they are.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use jsonmedic::repair::{
    LADDER, Level, RULES, Schema, ToolContext, Verdict, auto, repair_within, rule::Needs,
};

/// Source, output (a refusal's message for `refused`), worst level. A row holds at its level and above; below it the text
/// is refused. `valid` texts come out as they are, and what is refused is refused at every level.
fn rows(rows: &[(&str, &str, &str)]) {
    with(&ToolContext::default(), rows);
}

fn with(tool: &ToolContext, rows: &[(&str, &str, &str)]) {
    for &(source, output, worst) in rows {
        let level = Level::ALL.into_iter().find(|level| level.name() == worst);
        for allow in Level::ALL {
            let at = format!("--allow {} {source:?}", allow.name());
            let (_, repair) = auto(source, allow, tool);
            let result = repair.edits.apply(source, |_| true);
            match (&repair.verdict, level) {
                (Verdict::Valid, None) => {
                    assert_eq!((worst, result.as_str()), ("valid", source), "{at}");
                }
                // A valid text that a schema would mend at a higher level stays as it is.
                (Verdict::Valid, Some(level)) if allow < level => {
                    assert_eq!(result, source, "{at}")
                }
                (Verdict::Valid, Some(level)) => {
                    assert_eq!(result, output, "{at}");
                    assert_eq!(repair.worst(), Some(level), "{at}");
                }
                (Verdict::Refused(refusal), None) => {
                    let message = refusal.message(source);
                    assert_eq!(worst, "refused", "{at}: {message}");
                    if allow == Level::Guess {
                        assert_eq!(message, output, "{at}");
                    }
                }
                (Verdict::Refused(refusal), Some(level)) => {
                    assert!(allow < level, "{at}: {}", refusal.message(source));
                }
            }
        }
    }
}

fn tool(name: &str, properties: serde_json::Value, required: &[&str]) -> ToolContext {
    let schema =
        serde_json::json!({"type": "object", "properties": properties, "required": required});
    ToolContext {
        schema: Some(Arc::new(Schema::new(schema))),
        ..ToolContext::named(name)
    }
}

/// Valid JSON comes out byte for byte, whatever its strings hold.
#[test]
fn valid_texts_are_never_touched() {
    rows(&[
        ("0", "", "valid"),
        ("-0", "", "valid"),
        ("1e999", "", "valid"),
        ("1.10", "", "valid"),
        ("12345678901234567890", "", "valid"),
        (r#""""#, "", "valid"),
        ("[]", "", "valid"),
        ("{}", "", "valid"),
        (" \t\r\n{ \"a\" : 1 }\n", "", "valid"),
        (r#"{"a":1,"a":2}"#, "", "valid"),
        (r#""\ud800""#, "", "valid"),
        (r#""\ude00\ud83d""#, "", "valid"),
        (r#"{"s":"```json\n{}\n```"}"#, "", "valid"),
        (r#"{"s":"“curly” ‘quotes’ «kept»"}"#, "", "valid"),
        (r#"{"s":"// no comment, /* none */ # none"}"#, "", "valid"),
        (r#"{"s":"{'k':'v',}"}"#, "", "valid"),
        (r#"{"s":"<think>x</think><tool_call>"}"#, "", "valid"),
        (r#"{"s":"True, None, NaN ..."}"#, "", "valid"),
        (r#"{"s":"C:\\temp\\new"}"#, "", "valid"),
        (r#"{"p":"C:\temp\new"}"#, "", "valid"),
        (r#"{"s":"&quot;x&quot;"}"#, "", "valid"),
        (r#""{\"a\":1}""#, "", "valid"),
        (r#"{"s":"，：｛｝"}"#, "", "valid"),
        (r#"{"s":"it's"}"#, "", "valid"),
    ]);
}

/// A fence, prose, tags, model tokens, a byte order mark around one value.
#[test]
fn what_stands_around_one_value() {
    rows(&[
        ("```json\n{\"a\": 1}\n```", r#"{"a": 1}"#, "safe"),
        ("```\n{\"a\": 1}\n```", r#"{"a": 1}"#, "safe"),
        ("~~~json\n{\"a\": 1}\n~~~", r#"{"a": 1}"#, "safe"),
        ("````json\n{\"a\": 1}\n````", r#"{"a": 1}"#, "safe"),
        (
            "```json title=\"x\"\n{\"a\": 1}\n```",
            r#"{"a": 1}"#,
            "safe",
        ),
        ("``` json\n{\"a\": 1}\n```", r#"{"a": 1}"#, "safe"),
        (
            "Sure:\n```json\n{\"a\": 1}\n```\nDone.",
            r#"{"a": 1}"#,
            "safe",
        ),
        ("> ```json\n> {\"a\": 1}\n> ```", r#"{"a": 1}"#, "safe"),
        (r#"Here it is: {"a": 1}"#, r#"{"a": 1}"#, "safe"),
        (r#"{"a": 1} Hope that helps!"#, r#"{"a": 1}"#, "safe"),
        (
            r#"Don't worry, {"a": 1}, as you wanted"#,
            r#"{"a": 1}"#,
            "safe",
        ),
        ("\u{feff}{\"a\": 1}", r#"{"a": 1}"#, "safe"),
        (r#"<think>{"a": 0}?</think>{"a": 1}"#, r#"{"a": 1}"#, "safe"),
        (r#"<tool_call>{"a": 1}</tool_call>"#, r#"{"a": 1}"#, "safe"),
        (r#"<|python_tag|>{"a": 1}<|eom_id|>"#, r#"{"a": 1}"#, "safe"),
        (r#"<![CDATA[{"a": 1}]]>"#, r#"{"a": 1}"#, "safe"),
        (r#"[TOOL_CALLS] {"a": 1}"#, r#"{"a": 1}"#, "safe"),
        (r#"[2024-01-01 10:00:00] {"a": 1}"#, r#"{"a": 1}"#, "safe"),
        (r#"Replace {name}: {"a": 1}"#, r#"{"a": 1}"#, "safe"),
        (r#"See [note]: {"a": 1}"#, r#"{"a": 1}"#, "safe"),
        (
            "The sign \"[\" opens a list.\n{\"a\": 1}",
            r#"{"a": 1}"#,
            "safe",
        ),
        (r#"Use '{' and '}'. {"a": 1}"#, r#"{"a": 1}"#, "safe"),
        (
            "```json\n{\"a\": \"```\\nx\\n```\"}\n```",
            r#"{"a": "```\nx\n```"}"#,
            "safe",
        ),
        ("```json\n{\"a\": \"x\n```", r#"{"a": "x\n"}"#, "lossy"),
        (
            r#"<tool_call>{"a": {"b": 1}</tool_call>"#,
            r#"{"a": {"b": 1}}"#,
            "lossy",
        ),
        (
            r#"Use [1] as the source: {"a": 1}"#,
            "1:24: expected the end, found `{` (several different values, and nothing says which one is meant)",
            "refused",
        ),
        (
            r#"Result: (1, {"a": 1})"#,
            "1:1: expected a value, found `Result`",
            "refused",
        ),
        (
            r#"Sets: {1, {"a": 2}}"#,
            "1:7: expected a value, found `{`",
            "refused",
        ),
        (
            r#"List: [1, {"a": 1}, foo]"#,
            "1:21: expected a value, found `foo` (bare-value is off)",
            "refused",
        ),
        // Brackets of sentences and code are no answers.
        (r#"{0} {"a": 1}"#, r#"{"a": 1}"#, "safe"),
        (r#"[12:30] {"a": 1}"#, r#"{"a": 1}"#, "safe"),
        ("Result: []", "[]", "safe"),
        ("Done.\n{}", "{}", "safe"),
        ("<tool_call>{}</tool_call>", "{}", "safe"),
        ("[TOOL_CALLS]list{}", "{}", "safe"),
        ("functions.list {}", "{}", "safe"),
        ("Found: [1, 2, 3] (three)", "[1, 2, 3]", "safe"),
        (
            "The docs say so [1].",
            "1:1: expected a value, found `The` (no JSON in this text)",
            "refused",
        ),
        (
            "It returns {} when empty",
            "1:1: expected a value, found `It` (no JSON in this text)",
            "refused",
        ),
        (
            "TypeError: {} is not callable",
            "1:1: expected a value, found `TypeError` (no JSON in this text)",
            "refused",
        ),
        (
            "[404] not found",
            "1:1: expected a value, found `[` (no JSON in this text)",
            "refused",
        ),
        (
            "read data[\"key\"] first",
            "1:1: expected a value, found `read` (no JSON in this text)",
            "refused",
        ),
        (
            "true is the answer",
            "1:1: expected a value, found `true` (no JSON in this text)",
            "refused",
        ),
        (
            r#"{"a": 1} 5"#,
            "1:10: expected the end, found `5` (several different values, and nothing says which one is meant)",
            "refused",
        ),
        (
            r#"<think>{"a": 1}</think>"#,
            "1:1: expected a value, found `<` (no JSON in this text)",
            "refused",
        ),
    ]);
}

/// Equal values, empty chunks, lines, and values that are not the same.
#[test]
fn several_values() {
    rows(&[
        (r#"{"a":1}{"a": 1}"#, r#"{"a":1}"#, "lossy"),
        ("[1]\n[1]", "[1]", "lossy"),
        (r#"{"a":"}{"}{"a":"}{"}"#, r#"{"a":"}{"}"#, "lossy"),
        (r#"{}{"a":1}"#, r#"{"a":1}"#, "safe"),
        (r#"{}{}{"a":1}"#, r#"{"a":1}"#, "safe"),
        ("{\"a\":1}\n{\"b\":2}", "[{\"a\":1},\n{\"b\":2}]", "guess"),
        ("{'a':1}\n{b:2,}\n", "[{\"a\":1},\n{\"b\":2}]\n", "guess"),
        (
            r#"{"a":1}{"b":2}"#,
            "1:8: expected the end, found `{` (several different values, and nothing says which one is meant)",
            "refused",
        ),
        (
            r#"{"a":1} {"b":2}"#,
            "1:9: expected the end, found `{` (several different values, and nothing says which one is meant)",
            "refused",
        ),
        (
            r#"{"a":1}{"a":1.0}"#,
            "1:8: expected the end, found `{` (several different values, and nothing says which one is meant)",
            "refused",
        ),
        (
            "First: {\"a\":1}\nSecond: {\"b\":2}",
            "2:9: expected the end, found `{` (several different values, and nothing says which one is meant)",
            "refused",
        ),
        (
            r#"[] and {"a":1}"#,
            "1:8: expected the end, found `{` (several different values, and nothing says which one is meant)",
            "refused",
        ),
        (
            "```json\n{\"a\":1}\n```\n```json\n{\"b\":2}\n```",
            "5:1: expected the end, found `{` (several different values, and nothing says which one is meant)",
            "refused",
        ),
        (
            r#"{"a":1}[1]"#,
            "1:8: expected the end, found `[` (several different values, and nothing says which one is meant)",
            "refused",
        ),
        (r#"{"s":"}{"}"#, "", "valid"),
    ]);
}

/// Quotes that are not JSON round a whole object or array, and doubled braces.
#[test]
fn quotes_round_a_whole_document() {
    rows(&[
        (r#"'{"a": 1}'"#, r#"{"a": 1}"#, "guess"),
        (r#"`{"a": 1}`"#, r#"{"a": 1}"#, "guess"),
        (r#"“{"a": 1}”"#, r#"{"a": 1}"#, "guess"),
        (r#"'''{"a": 1}'''"#, r#"{"a": 1}"#, "guess"),
        (r#"JSON.parse('{"a": 1}')"#, r#"{"a": 1}"#, "guess"),
        (r#"{{"a": 1}}"#, r#"{"a": 1}"#, "guess"),
        ("'{a: 1}'", r#"{"a": 1}"#, "guess"),
        (r#"'{\"a\": 1}'"#, r#"{"a": 1}"#, "guess"),
        ("'hello'", r#""hello""#, "safe"),
        ("'[}'", r#""[}""#, "safe"),
        ("{''},s:}", "1:5: expected the end, found `,`", "refused"),
        (
            "{{name}}",
            "1:3: expected a member name in double quotes, found `name`",
            "refused",
        ),
    ]);
}

/// Prose, errors and empty texts.
#[test]
fn no_json() {
    rows(&[
        (
            "",
            "1:1: expected a value, found the end (no JSON in this text)",
            "refused",
        ),
        (
            " \n",
            "1:1: expected a value, found the end (no JSON in this text)",
            "refused",
        ),
        (
            "```json\n```",
            "1:1: expected a value, found ``` (no JSON in this text)",
            "refused",
        ),
        (
            "I cannot do that.",
            "1:1: expected a value, found `I` (no JSON in this text)",
            "refused",
        ),
        (
            "\n  No JSON here.",
            "1:1: expected a value, found `No` (no JSON in this text)",
            "refused",
        ),
        (
            "Error: timeout",
            "1:1: expected a value, found `Error` (no JSON in this text)",
            "refused",
        ),
        (
            "<html><body>502</body></html>",
            "1:1: expected a value, found `<` (no JSON in this text)",
            "refused",
        ),
        (
            "a=1&b=2",
            "1:1: expected a value, found `a` (no JSON in this text)",
            "refused",
        ),
        (
            ",",
            "1:1: expected a value, found `,` (no JSON in this text)",
            "refused",
        ),
        (
            "foo",
            "1:1: expected a value, found `foo` (no JSON in this text)",
            "refused",
        ),
        (
            "%7B%22a%22%7D",
            "1:1: expected a value, found `%` (no JSON in this text)",
            "refused",
        ),
        (
            "}",
            "1:1: expected a value, found `}` (no JSON in this text)",
            "refused",
        ),
        (
            "function f() {}",
            "1:1: expected a value, found `function` (no JSON in this text)",
            "refused",
        ),
        (
            "- [ ] task",
            "1:1: expected a value, found `-` (no JSON in this text)",
            "refused",
        ),
        (
            r#"{"a": }"#,
            "1:7: expected a value, found `}` (a value is missing, and nothing says which)",
            "refused",
        ),
    ]);
}

/// Trailing, surplus and missing commas.
#[test]
fn commas() {
    rows(&[
        (r#"{"a": 1,}"#, r#"{"a": 1}"#, "safe"),
        ("[1, 2,\n]", "[1, 2\n]", "safe"),
        (r#"{,"a":1,,"b":2}"#, r#"{"a":1,"b":2}"#, "safe"),
        ("{,}", "{}", "safe"),
        ("[1,,2]", "[1,2]", "guess"),
        ("[,1]", "[1]", "guess"),
        ("{\"a\": 1\n\"b\": 2}", "{\"a\": 1,\n\"b\": 2}", "safe"),
        (r#"[{"i":1}{"i":2}]"#, r#"[{"i":1},{"i":2}]"#, "safe"),
        ("[\"a\"\n\"b\"]", "[\"a\",\n\"b\"]", "safe"),
        ("[true false]", "[true, false]", "safe"),
        (r#"{"a": 1 "b": 2}"#, r#"{"a": 1, "b": 2}"#, "safe"),
        (r#"{"a":"x" "b":"y"}"#, r#"{"a":"x", "b":"y"}"#, "safe"),
        (r#"["a" "b"]"#, r#"["a", "b"]"#, "guess"),
        ("[1 2]", "[1, 2]", "guess"),
        ("[1],", "[1]", "safe"),
        (r#"{"s": ",}",}"#, r#"{"s": ",}"}"#, "safe"),
        (
            "[1 234]",
            "1:4: expected `,` or a closer, found `234` (digits in groups: nothing says which number is meant)",
            "refused",
        ),
        (
            r#"{"n": 1,234}"#,
            "1:9: expected a member name in double quotes, found `234` (digits in groups: nothing says which number is meant)",
            "refused",
        ),
        (
            r#"{"n": 1.234,5}"#,
            "1:13: expected a member name in double quotes, found `5` (digits in groups: nothing says which number is meant)",
            "refused",
        ),
        (
            "[True north]",
            "1:7: expected `,` or a closer, found `north`",
            "refused",
        ),
        (
            "[5 apples]",
            "1:4: expected `,` or a closer, found `apples`",
            "refused",
        ),
        (r#"{"s":"[1,,2],"}"#, "", "valid"),
    ]);
}

/// Colons, and signs that stand for commas and colons.
#[test]
fn separators() {
    rows(&[
        (r#"{"a" 1}"#, r#"{"a": 1}"#, "safe"),
        (
            r#"{"a" [1], "b" {"c" 2}}"#,
            r#"{"a": [1], "b": {"c": 2}}"#,
            "safe",
        ),
        (r#"{"a" /* c */ 1}"#, r#"{"a" : 1}"#, "safe"),
        (r#"{"a" -1}"#, r#"{"a": -1}"#, "safe"),
        (
            r#"{"a": "x", "b" true}"#,
            r#"{"a": "x", "b": true}"#,
            "safe",
        ),
        (
            r#"{"a" null， "b": "x"， "c" None}"#,
            r#"{"a": null, "b": "x", "c": null}"#,
            "safe",
        ),
        (
            "{a true}",
            "1:2: expected a member name in double quotes, found `a`",
            "refused",
        ),
        (r#"{"a"= 1}"#, r#"{"a": 1}"#, "safe"),
        (r#"{"a"=> 1}"#, r#"{"a": 1}"#, "safe"),
        (r#"{"a":: 1}"#, r#"{"a": 1}"#, "safe"),
        (r#"{"a":= 1}"#, r#"{"a": 1}"#, "safe"),
        (r#"{"a" "b"}"#, r#"{"a": "b"}"#, "guess"),
        (r#"｛"a"：1，"b"：［2］｝"#, r#"{"a":1,"b":[2]}"#, "safe"),
        (r#"{"a":1；"b":2}"#, r#"{"a":1,"b":2}"#, "guess"),
        ("[1、2]", "[1,2]", "guess"),
        (r#"{"a":1;"b":2}"#, r#"{"a":1,"b":2}"#, "guess"),
        (r#"{"a": 1};"#, r#"{"a": 1}"#, "safe"),
        (
            r#"{"a": "x": "y"}"#,
            "1:10: expected `,` or a closer, found `:`",
            "refused",
        ),
        (
            r#"{"a": 1: 2}"#,
            "1:7: expected a value, found `1`",
            "refused",
        ),
        ("{a: b: c}", "1:5: expected a value, found `b`", "refused"),
        (r#"{"a", 1: 2}"#, "1:5: expected `:`, found `,`", "refused"),
        (r#"{"s":"，：；、"}"#, "", "valid"),
    ]);
}

/// Comments between tokens, never in strings.
#[test]
fn comments() {
    rows(&[
        ("{\"a\": 1 // it's \"c\"\n}", "{\"a\": 1 \n}", "safe"),
        ("[1, #one\n2]", "[1, \n2]", "safe"),
        ("# {\"x\": 0}\n{\"a\": 1}", "\n{\"a\": 1}", "safe"),
        (r#"{"a": /* c */ 1}"#, r#"{"a":  1}"#, "safe"),
        (
            "{\"a\": \"x\", \"b\":// it's\n1}",
            "{\"a\": \"x\", \"b\":\n1}",
            "safe",
        ),
        ("[1, // ... more items\n2]", "[1, \n2]", "lossy"),
        (r#"{"a": 1 /* c"#, r#"{"a": 1 }"#, "lossy"),
        (r#"{"a": 1, // c"#, r#"{"a": 1}"#, "lossy"),
        (
            "[1, // x ]",
            "1:5: expected a value, found `// x ]`",
            "refused",
        ),
        (
            r#"{"a": 1 // }"#,
            "1:9: expected `,` or a closer, found `// }`",
            "refused",
        ),
        (
            r#"{"u": "http://x//y#z",}"#,
            r#"{"u": "http://x//y#z"}"#,
            "safe",
        ),
        (r#"{"c": #fff}"#, r##"{"c": "#fff"}"##, "guess"),
        ("[1, #fff]", r##"[1, "#fff"]"##, "guess"),
        ("[#fff,\n1]", "[\"#fff\",\n1]", "guess"),
        ("[1, #fff\n]", "[1, \"#fff\"\n]", "guess"),
        ("[ # one\n1, # two\n]", "[ \n1 \n]", "safe"),
    ]);
}

/// Other quotes as delimiters.
#[test]
fn quotes() {
    rows(&[
        ("{'a': 'b'}", r#"{"a": "b"}"#, "safe"),
        (r#"{'a': 'say "hi"'}"#, r#"{"a": "say \"hi\""}"#, "safe"),
        (r#"{'a': 'it\'s'}"#, r#"{"a": "it's"}"#, "safe"),
        ("{`a`: `b`}", r#"{"a": "b"}"#, "safe"),
        (r"{`a`: `\`b\`\n`}", r#"{"a": "`b`\n"}"#, "safe"),
        (r"{`a`: `\${b}`}", r#"{"a": "${b}"}"#, "guess"),
        (r#"{“a”: “it’s "b"”}"#, r#"{"a": "it’s \"b\""}"#, "safe"),
        ("{„a“: ‘b’}", r#"{"a": "b"}"#, "safe"),
        ("{＂a＂: 1}", r#"{"a": 1}"#, "safe"),
        (r#"{"a": """x "y" z"""}"#, r#"{"a": "x \"y\" z"}"#, "safe"),
        (r#"{"a": """x """ + """y"""}"#, r#"{"a": "x y"}"#, "safe"),
        (
            r#"{"a": """x "y"""", "b": 1}"#,
            r#"{"a": "x \"y\"", "b": 1}"#,
            "guess",
        ),
        ("{«a»: 「b」}", r#"{"a": "b"}"#, "guess"),
        ("u'x'", r#""x""#, "safe"),
        (
            r#"{'a': b'x', 'r': r'\d'}"#,
            r#"{"a": "x", "r": "\\d"}"#,
            "guess",
        ),
        ("{u'a': u'b', u'c': 1}", r#"{"a": "b", "c": 1}"#, "safe"),
        ("{'a': 'it's'}", r#"{"a": "it's"}"#, "guess"),
        (
            r#"{"a": “b", "c": “d”}"#,
            r#"{"a": "b", "c": "d"}"#,
            "guess",
        ),
        (r#"{"a": "b”}"#, r#"{"a": "b"}"#, "guess"),
        (r#"{“a": "b”}"#, r#"{"a": "b"}"#, "guess"),
        ("[“a, “b”]", r#"["a", "b"]"#, "guess"),
        ("{“a”: “b “c”}", r#"{"a": "b “c"}"#, "guess"),
        ("{“a”: b”}", r#"{"a": "b"}"#, "guess"),
        (r#"{"s":"'x' `y` “z” ＂w＂"}"#, "", "valid"),
    ]);
}

/// Bare names, literals of other languages, bare words.
#[test]
fn names_and_words() {
    rows(&[
        (
            "{a: 1, b-c: 2, $d.e: 3, ключ: 4}",
            r#"{"a": 1, "b-c": 2, "$d.e": 3, "ключ": 4}"#,
            "safe",
        ),
        ("{true: 1, 2: 3}", r#"{"true": 1, "2": 3}"#, "safe"),
        (
            "[True, FALSE, None, Null]",
            "[true, false, null, null]",
            "safe",
        ),
        ("[none, nil]", "[null, null]", "guess"),
        ("[NaN, -Infinity, undefined]", "[null, null, null]", "lossy"),
        ("[(1, 2), (), (3,)]", "[[1, 2], [], [3]]", "safe"),
        ("{'a', 'b'}", r#"["a", "b"]"#, "guess"),
        ("[{1, -2.5}]", "[[1, -2.5]]", "guess"),
        (
            r#"{"a": main.go, "b": 1}"#,
            r#"{"a": "main.go", "b": 1}"#,
            "guess",
        ),
        (
            r#"{"a": 2026-01-02, "b": 1}"#,
            r#"{"a": "2026-01-02", "b": 1}"#,
            "guess",
        ),
        (
            r#"{"a": https://x.org/a?b=c, "b": 1}"#,
            r#"{"a": "https://x.org/a?b=c", "b": 1}"#,
            "guess",
        ),
        (r#"{"a": 5px, "b": 1}"#, r#"{"a": "5px", "b": 1}"#, "guess"),
        (
            r#"{"a": C:\x\y.txt, "b": 1}"#,
            r#"{"a": "C:\\x\\y.txt", "b": 1}"#,
            "guess",
        ),
        (
            r#"{"a": hello world, "b": 1}"#,
            r#"{"a": "hello world", "b": 1}"#,
            "guess",
        ),
        (
            "{a: , b: 1}",
            "1:5: expected a value, found `,` (a value is missing, and nothing says which)",
            "refused",
        ),
        (
            r#"{"a": ...}"#,
            "1:7: expected a value, found `...` (left-out items: nothing says what they were)",
            "refused",
        ),
        (
            "[1, ...]",
            "1:5: expected a value, found `...` (left-out items: nothing says what they were)",
            "refused",
        ),
        (
            r#"{"a": 1, ...}"#,
            "1:10: expected a member name in double quotes, found `...` (left-out items: nothing says what they were)",
            "refused",
        ),
        (
            r#"{"a": x => 1}"#,
            "1:7: expected a value, found `x` (program code has no JSON form)",
            "refused",
        ),
        (
            r#"{"a": f(x)}"#,
            "1:7: expected a value, found `f` (program code has no JSON form)",
            "refused",
        ),
        (
            r#"{"a": 1 + 2}"#,
            "1:9: expected `,` or a closer, found `+` (program code has no JSON form)",
            "refused",
        ),
        (
            r#"{"a": x || y}"#,
            "1:7: expected a value, found `x` (program code has no JSON form)",
            "refused",
        ),
        (
            r#"{"a": 2**10}"#,
            "1:7: expected a value, found `2` (program code has no JSON form)",
            "refused",
        ),
        (
            r#"{"a": make && make test}"#,
            r#"{"a": "make && make test"}"#,
            "guess",
        ),
        (
            r#"{"a": x ? 1 : 2}"#,
            "1:7: expected a value, found `x` (program code has no JSON form)",
            "refused",
        ),
        (
            r#"{"x": (1)}"#,
            "1:7: expected a value, found `(`",
            "refused",
        ),
        (
            "{\"x\": (\"a\"\n\"b\")}",
            r#"2:1: expected `,` or a closer, found `"`"#,
            "refused",
        ),
        (
            "{a}",
            "1:2: expected a member name in double quotes, found `a`",
            "refused",
        ),
        (
            r#"{"a": new Map()}"#,
            "1:7: expected a value, found `new Map` (program code has no JSON form)",
            "refused",
        ),
        (
            "[1, 2].length",
            "1:7: expected the end, found `.length` (program code has no JSON form)",
            "refused",
        ),
        (
            r#"{"a": 1} | x"#,
            "1:10: expected the end, found `|` (program code has no JSON form)",
            "refused",
        ),
        (
            r#"cb(1, {"a": 2})"#,
            "1:1: expected a value, found `cb` (program code has no JSON form)",
            "refused",
        ),
        (r#"{"s":"None ... x => 1"}"#, "", "valid"),
    ]);
}

/// Numbers of other languages; no digit is rounded.
#[test]
fn numbers() {
    rows(&[
        (
            "[+5, .5, 5., 0x1F, -0x10]",
            "[5, 0.5, 5.0, 31, -16]",
            "safe",
        ),
        (
            "{'n': 9007199254740993}",
            r#"{"n": 9007199254740993}"#,
            "safe",
        ),
        ("{n: 1.10}", r#"{"n": 1.10}"#, "safe"),
        (
            "[012, 0b1, 0o7, 10n, 1_000]",
            "[12, 1, 7, 10, 1000]",
            "guess",
        ),
        (r#"{"d": Decimal("1.50")}"#, r#"{"d": "1.50"}"#, "lossy"),
        (r#"{"d": new Date(0)}"#, r#"{"d": 0}"#, "lossy"),
        (
            r#"{"t": Timestamp(1, 2)}"#,
            "1:7: expected a value, found `Timestamp` (only a constructor with one argument has a JSON form)",
            "refused",
        ),
        (
            r#"{"n": 60*60}"#,
            "1:7: expected a value, found `60` (program code has no JSON form)",
            "refused",
        ),
        (
            r#"{"n": 1,234,567}"#,
            "1:9: expected a member name in double quotes, found `234` (digits in groups: nothing says which number is meant)",
            "refused",
        ),
    ]);
}

/// Control characters, backslashes, joined strings.
#[test]
fn strings() {
    rows(&[
        (
            "{\"s\": \"a\nb\tc\0\"}",
            r#"{"s": "a\nb\tc\u0000"}"#,
            "safe",
        ),
        ("{\"s\": \"a\r\nb\"}", r#"{"s": "a\r\nb"}"#, "safe"),
        (r#"{"s": "\d+\.\$"}"#, r#"{"s": "\\d+\\.\\$"}"#, "safe"),
        (
            r#"{"p": "C:\Users\me"}"#,
            r#"{"p": "C:\\Users\\me"}"#,
            "safe",
        ),
        (
            r#"{"p": "C:\Users\new"}"#,
            r#"{"p": "C:\\Users\\new"}"#,
            "guess",
        ),
        (
            r#"{"s": "\d \u00e9 \n"}"#,
            r#"{"s": "\\d \u00e9 \\n"}"#,
            "guess",
        ),
        (r#"{"s": "\x41"}"#, r#"{"s": "A"}"#, "guess"),
        (r#"{"s": "\01"}"#, r#"{"s": "\u0001"}"#, "guess"),
        (r#"{"s": "\1\2"}"#, r#"{"s": "\\1\\2"}"#, "safe"),
        (r#"{"s": "\u{1F680}"}"#, r#"{"s": "🚀"}"#, "guess"),
        (r#"{"s": "\u12"}"#, r#"{"s": "\\u12"}"#, "guess"),
        (r#"{"s": "\alpha"}"#, r#"{"s": "\\alpha"}"#, "guess"),
        (r#"{"s": "it\'s"}"#, r#"{"s": "it's"}"#, "safe"),
        ("{\"s\": \"a\" +\n\"b\"}", r#"{"s": "ab"}"#, "safe"),
        (r#"{"s": "a" "b"}"#, r#"{"s": "ab"}"#, "guess"),
        (
            r#"{"s": "a" + b + "c"}"#,
            "1:11: expected `,` or a closer, found `+` (program code has no JSON form)",
            "refused",
        ),
        (
            r#"{"s": "a" + b}"#,
            "1:11: expected `,` or a closer, found `+` (program code has no JSON form)",
            "refused",
        ),
        (
            r#"{"a": "say "hi" now", "b": 1}"#,
            r#"{"a": "say \"hi\" now", "b": 1}"#,
            "guess",
        ),
        (r#"{"a": "b, "c": 1}"#, r#"{"a": "b", "c": 1}"#, "guess"),
        (r#"{"a: 1}"#, r#"{"a": 1}"#, "guess"),
        (
            r#"{"a": "b", "c: 2, "d": 3}"#,
            r#"{"a": "b", "c": 2, "d": 3}"#,
            "guess",
        ),
        (
            r#"{"a": "b", "c: [2, "d"]}"#,
            r#"{"a": "b", "c": [2, "d"]}"#,
            "guess",
        ),
        (
            r#"{"a": {"b": "c}, "d": 1}"#,
            r#"{"a": {"b": "c"}, "d": 1}"#,
            "guess",
        ),
        (
            r#"{"a": ["b", "c], "d": "e"}"#,
            r#"{"a": ["b", "c"], "d": "e"}"#,
            "guess",
        ),
        (
            "{\"a\": {\n \"b\": \"c\n },\n \"d\": 1\n}",
            "{\"a\": {\n \"b\": \"c\"\n },\n \"d\": 1\n}",
            "guess",
        ),
        (
            r#"{"a": "awk -F"," "{print $1}"", "b": 1}"#,
            r#"{"a": "awk -F\",\" \"{print $1}\"", "b": 1}"#,
            "guess",
        ),
        (r#"["x = """, 1]"#, r#"["x = \"\"", 1]"#, "guess"),
        // Code in a string: the end is where the rest of the text closes what is open.
        (
            r#"{"a": "d = {"x": 1, "y": [2]}\n", "b": 1}"#,
            r#"{"a": "d = {\"x\": 1, \"y\": [2]}\n", "b": 1}"#,
            "guess",
        ),
        (
            r#"{"a": "s = "x" + "y"", "b": 1}"#,
            r#"{"a": "s = \"x\" + \"y\"", "b": 1}"#,
            "guess",
        ),
        (
            r#"{"a": "def f(x="y", z="w"):\n", "b": 1}"#,
            r#"{"a": "def f(x=\"y\", z=\"w\"):\n", "b": 1}"#,
            "guess",
        ),
        (
            r#"{"a": "b "c"", "d": "e "f" g"}"#,
            r#"{"a": "b \"c\"", "d": "e \"f\" g"}"#,
            "guess",
        ),
        (r#"{a": 1}"#, r#"{"a": 1}"#, "guess"),
        (r#"{"l": ["x]}"#, r#"{"l": ["x"]}"#, "guess"),
        (
            r#"[{"a": "b}, {"a": "c"}]"#,
            r#"[{"a": "b"}, {"a": "c"}]"#,
            "guess",
        ),
        (r#"{"s":"\b\f\n\r\t\u00e9\/"}"#, "", "valid"),
    ]);
}

/// A whole document escaped once.
#[test]
fn layers() {
    rows(&[
        (r#"{\"a\":1}"#, r#"{"a":1}"#, "safe"),
        (
            r#"[1, {\"a\": \"x\\ny\"}]"#,
            r#"[1, {"a": "x\ny"}]"#,
            "safe",
        ),
        ("```json\n{\\\"a\\\":1}\n```", r#"{"a":1}"#, "safe"),
        (r#"{\n"a": 1\n}"#, r#"{ "a": 1 }"#, "safe"),
        (
            "{&quot;a&quot;:&quot;b &amp;amp; caf&#233;&quot;}",
            r#"{"a":"b &amp; café"}"#,
            "safe",
        ),
        ("{'a': '&quot;'}", r#"{"a": "&quot;"}"#, "safe"),
        ("[“[&quot;”]", r#"["[&quot;"]"#, "safe"),
        (
            "{&quot;a&quot;:&quot;&unknown;&quot;}",
            "1:2: expected a member name in double quotes, found `&`",
            "refused",
        ),
    ]);
}

/// Calls, assignments and returns that only carry the value.
#[test]
fn program_code() {
    rows(&[
        (r#"callback({"a": 1});"#, r#"{"a": 1}"#, "safe"),
        (r#"const x = {"a": 1};"#, r#"{"a": 1}"#, "safe"),
        (r#"return {"a": 1};"#, r#"{"a": 1}"#, "safe"),
        (r#"module.exports = {"a": 1}"#, r#"{"a": 1}"#, "safe"),
        (r#"({"a": 1})"#, r#"{"a": 1}"#, "safe"),
        (")]}',\n{\"a\": 1}", r#"{"a": 1}"#, "safe"),
        (r#"while(1);{"a": 1}"#, r#"{"a": 1}"#, "safe"),
        (
            r#"f({"a":1}, {"b":2})"#,
            "1:12: expected the end, found `{` (several different values, and nothing says which one is meant)",
            "refused",
        ),
        (
            r#"x = f(y, {"a": 1});"#,
            "1:5: expected a value, found `f` (program code has no JSON form)",
            "refused",
        ),
        (
            r#"then g(x="y", z={"a": 1}) runs"#,
            "1:6: expected a value, found `g` (program code has no JSON form)",
            "refused",
        ),
        ("A=1 B=[2]", "1:1: expected a value, found `A`", "refused"),
        (
            r#"OrderedDict([("a", 1)])"#,
            "1:1: expected a value, found `OrderedDict` (program code has no JSON form)",
            "refused",
        ),
    ]);
}

/// Cut texts, closers of the wrong kind, one too many.
#[test]
fn structure() {
    rows(&[
        (r#"{"a": 1"#, r#"{"a": 1}"#, "lossy"),
        (r#"{"a": "b"#, r#"{"a": "b"}"#, "lossy"),
        (r#"{"a": 1, "b"#, r#"{"a": 1}"#, "lossy"),
        (r#"{"a": 1, "b":"#, r#"{"a": 1}"#, "lossy"),
        ("[1, tru", "[1, true]", "lossy"),
        ("{a: 'b', c", r#"{"a": "b"}"#, "lossy"),
        (r#"{"s": "x\u00"#, r#"{"s": "x"}"#, "lossy"),
        (r#"{"n": 12."#, r#"{"n": 12}"#, "lossy"),
        ("[1e+", "[1]", "lossy"),
        ("[-", "[]", "lossy"),
        (r#"{"v": 1.2.3e"#, r#"{"v": "1.2.3e"}"#, "guess"),
        ("[12..", r#"["12.."]"#, "guess"),
        (r#"{"a": """x"#, r#"{"a": "x"}"#, "lossy"),
        (
            "{'a': \"\"\"f(\"x\")\ng('y'",
            "{\"a\": \"f(\\\"x\\\")\\ng('y'\"}",
            "lossy",
        ),
        (r#"{"s": "a" +"#, r#"{"s": "a" }"#, "lossy"),
        (r"[r'{\\", r#"["{\\\\"]"#, "guess"),
        (r"r'\\", r#""\\\\""#, "guess"),
        (
            r#"{"c":"{\n \"v\": \"1\"\n}\n"#,
            r#"{"c":"{\n \"v\": \"1\"\n}\n"}"#,
            "lossy",
        ),
        (r#"{"a": 1}}"#, r#"{"a": 1}"#, "safe"),
        (r#"{"a": 1}]}"#, r#"{"a": 1}"#, "safe"),
        (r#"{"a": [1]]}"#, r#"{"a": [1]}"#, "guess"),
        (r#"{"a": [1}"#, r#"{"a": [1]}"#, "guess"),
        (r#"{"a":1]"#, r#"{"a":1}"#, "guess"),
        ("(1, 2]", "[1, 2]", "guess"),
        ("(1, 2}", "[1, 2]", "guess"),
        (
            r#"{"a": {"b": 1}}, "c": 2}"#,
            r#"{"a": {"b": 1}, "c": 2}"#,
            "guess",
        ),
        (
            r#"{"r": [[1], 2], [3]]}"#,
            r#"{"r": [[1], 2, [3]]}"#,
            "guess",
        ),
        (r#"[{"a":{"b":[1}]},2]"#, r#"[{"a":{"b":[1]}},2]"#, "guess"),
        (r#""a": 1, "b": 2}"#, r#"{"a": 1, "b": 2}"#, "guess"),
        ("[tru]", r#"["tru"]"#, "guess"),
        (
            r#"{"a\": 1}"#,
            "1:4: expected a closing quote, found `\\`",
            "refused",
        ),
        (
            r#"{"a": {"b 1}}"#,
            "1:8: expected a closing quote, found `\"`",
            "refused",
        ),
        (
            r#""a: {"b": 1}}"#,
            r#"1:1: expected a value, found `"`"#,
            "refused",
        ),
        (
            r#"{"a": 1,}b": 2}"#,
            "1:10: expected the end, found `b`",
            "refused",
        ),
        (
            r#"{"a": 1}, 2}"#,
            "1:9: expected the end, found `,`",
            "refused",
        ),
        ("{}{", "{}", "lossy"),
    ]);
}

/// A plain text for a tool of the map; JSON is never wrapped.
#[test]
fn plain_text_for_a_known_tool() {
    with(
        &ToolContext::named("read_file"),
        &[
            ("main.go", r#"{"file":"main.go"}"#, "guess"),
            (" src/a b.go\n", r#"{"file":"src/a b.go"}"#, "guess"),
            ("'main.go'", r#"{"file":"main.go"}"#, "guess"),
            ("```\nmain.go\n```", r#"{"file":"main.go"}"#, "guess"),
            ("file=main.go", r#"{"file":"main.go"}"#, "guess"),
            (r#""file":"a.go""#, r#"{"file":"a.go"}"#, "guess"),
            (r#"Sure: {"file":"a"}"#, r#"{"file":"a"}"#, "safe"),
            ("\u{feff}{\"file\":\"a\"}", r#"{"file":"a"}"#, "safe"),
            (r#"{"file":"a"}{"file":"a"}"#, r#"{"file":"a"}"#, "lossy"),
            (r#"JSON('{"file":"a"}1')"#, r#"{"file":"a"}"#, "safe"),
            ("404", "", "valid"),
            (r#""main.go""#, "", "valid"),
        ],
    );
    for refused in [
        "--file a.go",
        "-v",
        "Let me look at it.",
        "a.go\nb.go",
        "",
        "read(\"a.go\")",
    ] {
        let (_, repair) = auto(refused, Level::Guess, &ToolContext::named("read_file"));
        assert!(!repair.is_valid(), "{refused:?}");
    }
    with(
        &ToolContext::named("Bash"),
        &[
            ("ls -la", r#"{"command":"ls -la"}"#, "guess"),
            (
                "git push --force",
                r#"{"command":"git push --force"}"#,
                "guess",
            ),
            (
                "curl -d '{\"a\":1}' x.org",
                r#"{"command":"curl -d '{\"a\":1}' x.org"}"#,
                "guess",
            ),
            ("{ a; b; }", r#"{"command":"{ a; b; }"}"#, "guess"),
            (
                r#"echo {"a":1} > x"#,
                r#"{"command":"echo {\"a\":1} > x"}"#,
                "guess",
            ),
            (
                "cat <<E\n{\"a\":1}\nE",
                r#"{"command":"cat <<E\n{\"a\":1}\nE"}"#,
                "guess",
            ),
            (
                r#"I run {"command":"ls"} now"#,
                r#"{"command":"ls"}"#,
                "safe",
            ),
        ],
    );
    with(
        &ToolContext::named("Glob"),
        &[
            ("[ab].c", r#"{"pattern":"[ab].c"}"#, "guess"),
            ("**/*.rs", r#"{"pattern":"**/*.rs"}"#, "guess"),
        ],
    );
    with(
        &ToolContext::named("@coder"),
        &[
            (
                "read --file main.go",
                r#"{"cmd":"read","args":{"file":"main.go"}}"#,
                "guess",
            ),
            ("tree", r#"{"cmd":"tree"}"#, "guess"),
        ],
    );
    for refused in ["git push --force", "--file x"] {
        let (_, repair) = auto(refused, Level::Guess, &ToolContext::named("@coder"));
        assert!(!repair.is_valid(), "{refused:?}");
    }
}

/// Flags that are the parameters of a tool.
#[test]
fn declared_flags_are_parameters() {
    let edit = tool(
        "edit",
        serde_json::json!({
            "path": {"type": "string"},
            "all": {"type": "boolean"},
            "tags": {"type": "array", "items": {"type": "string"}},
            "n": {"type": "integer"},
        }),
        &["path"],
    );
    with(
        &edit,
        &[
            (
                "edit --path a.py --all --tags x --tags 'y z'",
                r#"{"path":"a.py","all":true,"tags":["x","y z"]}"#,
                "guess",
            ),
            ("--path=a.py --n 5", r#"{"path":"a.py","n":5}"#, "guess"),
        ],
    );
    for refused in ["edit --file x", "frob --path x", "edit --path \"a"] {
        let (_, repair) = auto(refused, Level::Guess, &edit);
        assert!(!repair.is_valid(), "{refused:?}");
    }
}

/// What a schema proves, and what it says nothing about.
#[test]
fn a_schema_proves_types() {
    let any = tool(
        "t",
        serde_json::json!({
            "n": {"type": "integer"},
            "b": {"type": "boolean"},
            "s": {"type": "string"},
            "l": {"type": "array", "items": {"type": "string"}},
            "o": {"type": "object"},
            "e": {"anyOf": [{"type": "string"}, {"type": "array"}]},
        }),
        &[],
    );
    with(
        &any,
        &[
            (r#"{"n":"5"}"#, r#"{"n":5}"#, "safe"),
            (r#"{"b":"False"}"#, r#"{"b":false}"#, "safe"),
            (r#"{"s":1.10}"#, r#"{"s":"1.10"}"#, "safe"),
            (
                r#"{"s":12345678901234567890}"#,
                r#"{"s":"12345678901234567890"}"#,
                "safe",
            ),
            // What was spelled anew on the way becomes the text that was written.
            (r#"{"s":+4915}"#, r#"{"s":"+4915"}"#, "safe"),
            (r#"{"s":/**/02134/**/}"#, r#"{"s":"02134"}"#, "guess"),
            (
                r#"{"s":[.5,-.5],"n":+5}"#,
                r#"{"s":[0.5,-0.5],"n":5}"#,
                "safe",
            ),
            (r#"{"s":5.}"#, r#"{"s":"5."}"#, "safe"),
            (r#"{'s':-.50,}"#, r#"{"s":"-.50"}"#, "safe"),
            (r#"{"s":1_000}"#, r#"{"s":"1_000"}"#, "guess"),
            (r#"{"s":0x1F}"#, r#"{"s":"0x1F"}"#, "safe"),
            (r#"{"e":+1}"#, r#"{"e":1}"#, "safe"),
            // Either spelling could be the text.
            (r#"{s: True}"#, r#"{"s": true}"#, "safe"),
            // One layer too many where an object is wanted.
            (r#"{{"n":5}}"#, r#"{"n":5}"#, "safe"),
            (r#"'{"n":5}'"#, r#"{"n":5}"#, "safe"),
            // A template would have doubled the braces in the string too.
            (r#"{{"s":"{{x}}"}}"#, r#"{"s":"{{x}}"}"#, "guess"),
            (r#"{{"o":{{"x":1}}}}"#, r#"{"o":{"x":1}}"#, "safe"),
            (
                r#"{{"o":{{"x":"{{y}}"}}}}"#,
                r#"{"o":{"x":"{{y}}"}}"#,
                "guess",
            ),
            (r#"{'s':5,'n':"+5"}"#, r#"{"s":"5","n":"+5"}"#, "safe"),
            (r#"{"l":"[\"a\", \"b\"]"}"#, r#"{"l":["a", "b"]}"#, "safe"),
            (r#"{"l":"a"}"#, r#"{"l":["a"]}"#, "safe"),
            (r#"{"o":"{\"x\":1}"}"#, r#"{"o":{"x":1}}"#, "safe"),
            (r#"{'o':'{"x":1}',}"#, r#"{"o":{"x":1}}"#, "safe"),
            (r#""{\"n\":5}""#, r#"{"n":5}"#, "safe"),
            (r#"{"l":"['a']"}"#, r#"{"l":["a"]}"#, "guess"),
            (r#"{"n":"5px"}"#, "", "valid"),
            (r#"{"n":"012"}"#, "", "valid"),
            (r#"{"b":"yes"}"#, "", "valid"),
            (r#"{"b":1}"#, "", "valid"),
            (r#"{"s":null}"#, "", "valid"),
            (r#"{"l":""}"#, "", "valid"),
            (r#"{"e":"[1]"}"#, "", "valid"),
            (r#"{"x":"{\"y\":1}"}"#, "", "valid"),
            ("", "{}", "guess"),
        ],
    );
    let file = tool(
        "save",
        serde_json::json!({"path": {"type": "string"}, "content": {"type": "string"}}),
        &["path", "content"],
    );
    with(
        &file,
        &[
            (
                r#"{"arguments":{"path":"a","content":"b"}}"#,
                r#"{"path":"a","content":"b"}"#,
                "safe",
            ),
            (
                r#"{"name":"save","arguments":"{\"path\":\"a\",\"content\":\"[1]\"}"}"#,
                r#"{"path":"a","content":"[1]"}"#,
                "safe",
            ),
            (
                r#"{"id":"call_1","type":"function","arguments":{"path":"a","content":"b"}}"#,
                r#"{"path":"a","content":"b"}"#,
                "safe",
            ),
            (
                r#"{"tool":"other","arguments":{"path":"a","content":"b"}}"#,
                "",
                "valid",
            ),
            (
                r#"{"id":"callback","arguments":{"path":"a","content":"b"}}"#,
                "",
                "valid",
            ),
            (
                r#"{"id":{"k":1},"arguments":{"path":"a","content":"b"}}"#,
                "",
                "valid",
            ),
            (r#"{"arguments":"{\"path\":\"a\"}"}"#, "", "valid"),
            (
                r#"{"content":"x</content>\n<parameter name=\"path\">/a</parameter>"}"#,
                r#"{"content":"x","path":"/a"}"#,
                "guess",
            ),
            (
                r#"{"path":"a","content":"<parameter name=\"path\">"}"#,
                "",
                "valid",
            ),
        ],
    );
}

/// Every rule's example on every rung, beside `tests/golden/matrix.txt`: rules that fight show here.
/// `UPDATE_GOLDEN=1` writes the file anew.
#[test]
fn rules_and_rungs() {
    let mut matrix = String::new();
    let rungs = LADDER
        .iter()
        .map(|rung| format!("{:>4}", rung.number))
        .collect::<String>();
    let _ = writeln!(matrix, "{:<22}{rungs}", "rule");
    for info in &RULES {
        let _ = write!(matrix, "{:<22}", info.id);
        let tool = match info.needs {
            Needs::Nothing => ToolContext::default(),
            Needs::Tool(name) => ToolContext::named(name),
            Needs::Schema(text) => ToolContext {
                schema: serde_json::from_str(text)
                    .ok()
                    .map(|root| Arc::new(Schema::new(root))),
                ..ToolContext::default()
            },
        };
        for rung in &LADDER {
            let repair = repair_within(info.example.0, rung, Level::Guess, &tool);
            let cell = match (&repair.verdict, repair.worst()) {
                (Verdict::Valid, None) => "-",
                (Verdict::Valid, Some(level)) => level.name(),
                (Verdict::Refused(_), _) => ".",
            };
            let _ = write!(matrix, "{:>4}", &cell[..cell.len().min(3)]);
        }
        matrix.push('\n');
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/matrix.txt");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::create_dir_all(path.parent().unwrap_or(&path)).unwrap_or_default();
        std::fs::write(&path, &matrix).unwrap_or_default();
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(golden, matrix, "UPDATE_GOLDEN=1 writes {}", path.display());
}
