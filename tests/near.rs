//! Each rule beside what looks like its fault and is none: texts that it mends, and texts that it must leave alone.

use std::sync::Arc;

use jsonmedic::repair::rule::Needs;
use jsonmedic::repair::{Level, RULES, Rule, RuleInfo, Schema, ToolContext, Verdict, auto};

/// Texts and what comes of them.
type Rows = &'static [(&'static str, &'static str)];

/// No rung has these: the user picks a value, or switches the rule on.
const BY_HAND: [Rule; 2] = [Rule::PickedCandidate, Rule::TypographicText];

#[test]
fn each_rule_mends_its_faults_at_its_level_and_not_below() {
    for (info, fires, _) in table() {
        let tool = tool(info);
        for (source, output) in fires {
            for allow in Level::ALL {
                let repair = auto(source, allow, &tool).1;
                let at = format!("{} at {}: {source:?}", info.id, allow.name());
                if allow < info.level {
                    // Valid text that the schema would mend stays; all else is refused.
                    assert!(!repair.used().has(info.rule), "{at}");
                    assert!(!repair.is_valid() || repair.edits.is_empty(), "{at}");
                } else {
                    assert_eq!(repair.verdict, Verdict::Valid, "{at}");
                    assert_eq!(repair.edits.apply(source, |_| true), *output, "{at}");
                    assert!(repair.used().has(info.rule), "{at}");
                    assert_eq!(repair.worst(), Some(info.level), "{at}");
                }
            }
        }
    }
}

#[test]
fn what_looks_like_a_fault_and_is_none_is_left_alone() {
    for (info, _, near) in table() {
        let tool = tool(info);
        for (source, outcome) in near {
            for allow in Level::ALL {
                let repair = auto(source, allow, &tool).1;
                let at = format!("{} at {}: {source:?}", info.id, allow.name());
                assert!(!repair.is_valid() || !repair.used().has(info.rule), "{at}");
                match *outcome {
                    "valid" => assert!(repair.is_valid() && repair.edits.is_empty(), "{at}"),
                    "refused" => assert!(!repair.is_valid(), "{at}"),
                    output if allow == Level::Guess => {
                        assert_eq!(repair.verdict, Verdict::Valid, "{at}");
                        assert_eq!(repair.edits.apply(source, |_| true), output, "{at}");
                    }
                    _ => {}
                }
                assert!(BY_HAND.iter().all(|rule| !repair.used().has(*rule)), "{at}");
            }
        }
    }
}

#[test]
fn every_rule_has_rows_of_both_kinds() {
    let table: Vec<_> = table().collect();
    for info in RULES.iter().filter(|info| !BY_HAND.contains(&info.rule)) {
        let rows = table.iter().filter(|row| row.0.rule == info.rule);
        let (fires, near) = rows.fold((0, 0), |sum, row| {
            (sum.0 + row.1.len(), sum.1 + row.2.len())
        });
        assert!(
            1 <= fires && 2 <= near,
            "{}: {fires} mended, {near} left alone",
            info.id
        );
    }
}

/// The rows of `TABLE`, each with its rule.
fn table() -> impl Iterator<Item = (&'static RuleInfo, Rows, Rows)> {
    TABLE.iter().map(|(id, fires, near)| {
        let info = RULES.iter().find(|info| info.id == *id);
        (
            info.unwrap_or_else(|| panic!("no rule is called {id}")),
            *fires,
            *near,
        )
    })
}

/// The tool of a rule's example.
fn tool(info: &RuleInfo) -> ToolContext {
    match info.needs {
        Needs::Nothing => ToolContext::default(),
        Needs::Tool(name) => ToolContext::named(name),
        Needs::Schema(text) => ToolContext {
            schema: serde_json::from_str(text)
                .ok()
                .map(|root| Arc::new(Schema::new(root))),
            ..ToolContext::default()
        },
    }
}

/// Rule, texts it mends with the result, texts it leaves alone with what comes of them: `valid` as they are, `refused` at
/// every level, or what other rules make of them.
#[rustfmt::skip]
const TABLE: &[(&str, Rows, Rows)] = &[
    (
        "code-fence",
        &[
            ("Ok.\n```json\n[{\"a\": 1}]\n```\nBye.", "[{\"a\": 1}]"),
        ],
        &[
            ("{\"a\": \"```json\\n[1]\\n```\"}", "valid"),
            ("```bash\nls\n```", "refused"),
            ("`` {\"a\": 1} ``", "{\"a\": 1}"),
        ],
    ),
    (
        "prose-around",
        &[
            ("The call is [{\"a\": \"b: {c}\"}] as you asked.", "[{\"a\": \"b: {c}\"}]"),
            ("{\"a\": 1}\"", "{\"a\": 1}"),
            ("I'm calling {\"a\": 1}, don't stop", "{\"a\": 1}"),
            ("It's {\"a\": 1}, isn't it", "{\"a\": 1}"),
        ],
        &[
            ("{\"a\": \"Here it is: {}\"}", "valid"),
            ("It is {name} or [note].", "refused"),
            ("Use [1] or {\"a\": 1}.", "refused"),
            ("{\"a\": 1} true, false", "refused"),
            ("{\"a\": 1}\"b", "refused"),
            ("[1, 2]\"", "refused"),
        ],
    ),
    (
        "byte-order-mark",
        &[
            ("\u{feff}[{\"a\": 1}]", "[{\"a\": 1}]"),
        ],
        &[
            ("{\"a\": \"\u{feff}\"}", "valid"),
            ("{\u{feff}\"a\": 1}", "{\"a\": 1}"),
        ],
    ),
    (
        "thinking",
        &[
            ("<thinking>[{\"a\": 0}]</thinking>\n[{\"a\": 1}]", "[{\"a\": 1}]"),
        ],
        &[
            ("{\"a\": \"<think>b</think>\"}", "valid"),
            ("<think>{\"a\": 1}</think>", "refused"),
            ("<think>{\"a\": 1}", "{\"a\": 1}"),
        ],
    ),
    (
        "tool-markup",
        &[
            ("<tool_call>[{\"a\": \"</tool_call>\"}]</tool_call>", "[{\"a\": \"</tool_call>\"}]"),
            ("[TOOL_CALLS][{\"a\": 1}]", "[{\"a\": 1}]"),
            ("{\"a\": 1}<|im_end|>", "{\"a\": 1}"),
        ],
        &[
            ("{\"a\": \"<|im_end|>\"}", "valid"),
            ("[\"[TOOL_CALLS]\"]", "valid"),
            ("<b>no</b>", "refused"),
            ("<tool_call>read</tool_call><tool_call>{\"a\": 1}</tool_call>", "refused"),
        ],
    ),
    (
        "code-around",
        &[
            ("window.x = [{\"a\": \"x = 1;\"}];", "[{\"a\": \"x = 1;\"}]"),
            ("cb([{\"a\": 1}]);", "[{\"a\": 1}]"),
            ("x = {\"a\": 1} - as you wanted", "{\"a\": 1}"),
            ("const a = {\"x\": 1}; // as is", "{\"x\": 1}"),
        ],
        &[
            ("{\"a\": \"x = {};\"}", "valid"),
            ("f(x, {\"a\": 1})", "refused"),
            ("const x = y;", "refused"),
            ("x = {\"a\": 1} if y else None", "refused"),
            ("x = f({\"a\": 1}) + 1", "refused"),
            ("x = {\"a\": 1} or y", "refused"),
            ("return not {\"a\": 1}", "refused"),
            ("const a = {\"x\": 1}; const b = \"y\";", "refused"),
        ],
    ),
    (
        "final-semicolon",
        &[
            ("[{\"a\": \";\"}] ;", "[{\"a\": \";\"}]"),
        ],
        &[
            ("{\"a\": \";\"}", "valid"),
            ("{\"a\": 1; \"b\": 2}", "{\"a\": 1, \"b\": 2}"),
            (";", "refused"),
        ],
    ),
    (
        "surplus-closer",
        &[
            ("[{\"a\": \"}\"}]]}", "[{\"a\": \"}\"}]"),
        ],
        &[
            ("{\"a\": \"}}\"}", "valid"),
            ("{\"a\": [1]], \"b\": 2}", "{\"a\": [1], \"b\": 2}"),
            ("}", "refused"),
        ],
    ),
    (
        "empty-first-chunk",
        &[
            ("{}{\"a\": [{}]}", "{\"a\": [{}]}"),
        ],
        &[
            ("{}\n{\"a\": 1}", "[{},\n{\"a\": 1}]"),
            ("{\"a\": {}}", "valid"),
            ("[]{\"a\": 1}", "refused"),
            ("{}[1]", "refused"),
        ],
    ),
    (
        "escaped-document",
        &[
            ("[{\\\"a\\\": \\\"b \\\\\\\"c\\\\\\\"\\\"}]", "[{\"a\": \"b \\\"c\\\"\"}]"),
            ("{\\n\\\"a\\\": 1\\n}", "{\n\"a\": 1\n}"),
        ],
        &[
            ("{\"a\": \"{\\\"b\\\": 1}\"}", "valid"),
            ("\"{\\\"a\\\": 1}\"", "valid"),
            ("{'a': '\\\\\"'}", "{\"a\": \"\\\\\\\"\"}"),
        ],
    ),
    (
        "html-entities",
        &[
            ("[{&quot;a&quot;: &quot;b &lt; c &amp; d&quot;}]", "[{\"a\": \"b < c & d\"}]"),
        ],
        &[
            ("{\"a\": \"&quot;b&quot;\"}", "valid"),
            ("[\"&amp;\"]", "valid"),
            ("{'a': '&quot;'}", "{\"a\": \"&quot;\"}"),
        ],
    ),
    (
        "token-noise",
        &[
            ("[\u{a0}{\u{200b}\"a\":\u{3000}1}\u{0}]", "[ {\"a\": 1}]"),
        ],
        &[
            ("{\"a\": \"\u{a0}\u{200b}\"}", "valid"),
            ("{\"a\u{200b}\": 1}", "valid"),
            ("{\u{0}\"\u{0}a\u{0}\"\u{0}:\u{0}1\u{0}}\u{0}", "refused"),
        ],
    ),
    (
        "repeated-value",
        &[
            ("[{\"a\": 1}] [{\"a\":1}]\n[{\"a\" : 1}]", "[{\"a\": 1}]"),
        ],
        &[
            ("[{\"a\": 1}, {\"a\": 1}]", "valid"),
            ("{\"a\": 1}{\"a\": 1.0}", "refused"),
            ("{\"a\": 1}{\"b\": 1}", "refused"),
        ],
    ),
    (
        "json-lines",
        &[
            ("{\"a\": [1]}\n{\"b\": \"}\"}\n{\"c\": 3}\n", "[{\"a\": [1]},\n{\"b\": \"}\"},\n{\"c\": 3}]\n"),
        ],
        &[
            ("{\"a\": 1} {\"b\": 2}", "refused"),
            ("{\"a\": 1}\nand\n{\"b\": 2}", "refused"),
            ("[{\"a\": 1},\n{\"b\": 2}]", "valid"),
        ],
    ),
    (
        "schema-candidate",
        &[
            ("See [2] and [note]: {\"file\": \"a\"} or \"b\"", "{\"file\": \"a\"}"),
        ],
        &[
            ("{\"file\": \"a\"} {\"file\": \"b\"}", "refused"),
            ("[1] and [2]", "refused"),
        ],
    ),
    (
        "quoted-document",
        &[
            ("'[{\"a\": 1}]'", "[{\"a\": 1}]"),
            ("`{\"a\": \"b\"}`", "{\"a\": \"b\"}"),
            ("'{\"a\": 1}", "{\"a\": 1}"),
            ("'{'a': \"it's", "{\"a\": \"it's\"}"),
        ],
        &[
            ("'text'", "\"text\""),
            ("'{a}", "\"{a}\""),
            ("'[x", "\"[x\""),
            ("\"{\\\"a\\\": 1}\"", "valid"),
            ("['{\"a\": 1}']", "[\"{\\\"a\\\": 1}\"]"),
        ],
    ),
    (
        "doubled-braces",
        &[
            ("{{\"a\": [{\"b\": 1}]}}", "{\"a\": [{\"b\": 1}]}"),
            ("{{\"a\": {{\"b\": \"{x}\"}}, \"c\": [{{}}]}}", "{\"a\": {\"b\": \"{x}\"}, \"c\": [{}]}"),
        ],
        &[
            ("{\"a\": \"{{b}}\"}", "valid"),
            ("{{name}}", "refused"),
            ("[[1]]", "valid"),
        ],
    ),
    (
        "plain-string",
        &[
            ("src/a b.go", "{\"file\":\"src/a b.go\"}"),
        ],
        &[
            ("\"main.go\"", "valid"),
            ("{\"file\": \"main.go\"}", "valid"),
            ("Let me look.\nThen I go.", "refused"),
        ],
    ),
    (
        "command-line",
        &[
            ("tree --dir ./src --deep", "{\"cmd\":\"tree\",\"args\":{\"dir\":\"./src\",\"deep\":true}}"),
            ("read --file \"my file.go\" --all", "{\"cmd\":\"read\",\"args\":{\"file\":\"my file.go\",\"all\":true}}"),
        ],
        &[
            ("tree", "{\"cmd\":\"tree\"}"),
            ("frob --dir x", "refused"),
            ("{\"cmd\": \"read --file x\"}", "valid"),
            ("read --file \"a", "refused"),
        ],
    ),
    (
        "named-parameters",
        &[
            ("dict(a=1, b='x, y')", "{\"a\":1, \"b\":\"x, y\"}"),
        ],
        &[
            ("{\"a\": \"dict(b=1)\"}", "valid"),
            ("f(a=1, {\"b\": 2})", "refused"),
            ("a=1", "refused"),
        ],
    ),
    (
        "empty-arguments",
        &[
            (" \n", "{}"),
        ],
        &[
            ("{}", "valid"),
            (".", "refused"),
        ],
    ),
    (
        "trailing-comma",
        &[
            ("[{\"a\": [1,],},]", "[{\"a\": [1]}]"),
        ],
        &[
            ("{\"a\": \",}\"}", "valid"),
            ("[\"a,\", 1]", "valid"),
            ("{,\"a\": 1}", "{\"a\": 1}"),
        ],
    ),
    (
        "surplus-comma",
        &[
            ("[{,\"a\": {\"b\": 1,,},}]", "[{\"a\": {\"b\": 1}}]"),
        ],
        &[
            ("{\"a\": \",,\"}", "valid"),
            ("[1,,2]", "[1,2]"),
            ("{\"a\":, \"b\": 1}", "refused"),
        ],
    ),
    (
        "missing-comma",
        &[
            ("[{\"a\": [1]\n\"b\": \"x\"\n\"c\": null}\n{\"d\": 1}]", "[{\"a\": [1],\n\"b\": \"x\",\n\"c\": null},\n{\"d\": 1}]"),
        ],
        &[
            ("{\"a\": \"b\\n\\\"c\\\": 1\"}", "valid"),
            ("[1 2]", "[1, 2]"),
            ("[\"a\" \"b\"]", "[\"a\", \"b\"]"),
        ],
    ),
    (
        "missing-colon",
        &[
            ("[{\"a\" {\"b\" [1], \"c\" -2, \"d\" true}}]", "[{\"a\": {\"b\": [1], \"c\": -2, \"d\": true}}]"),
            ("{\"a\"1, \"b\" .5, \"c\"true}", "{\"a\":1, \"b\": 0.5, \"c\":true}"),
        ],
        &[
            ("{\"a\": \"\\\"b\\\" 1\"}", "valid"),
            ("{\"a\" \"b\"}", "{\"a\": \"b\"}"),
            ("{\"a\"}", "refused"),
            ("{\"a\"b}", "refused"),
        ],
    ),
    (
        "colon-lookalike",
        &[
            ("[{\"a\" = {\"b\" => 1, \"c\" := 2, \"d\" :: 3}}]", "[{\"a\" : {\"b\" : 1, \"c\" : 2, \"d\" : 3}}]"),
        ],
        &[
            ("{\"a\": \"b => 1\"}", "valid"),
            ("{\"a\": x => 1}", "refused"),
            ("{\"a\" == 1}", "refused"),
        ],
    ),
    (
        "fullwidth-punctuation",
        &[
            ("［｛\"a\"：［1，2］｝］", "[{\"a\":[1,2]}]"),
        ],
        &[
            ("{\"a\": \"［｛，：｝］\"}", "valid"),
            ("{\"a\": 1；\"b\": 2}", "{\"a\": 1,\"b\": 2}"),
            ("１", "refused"),
        ],
    ),
    (
        "comment",
        &[
            ("[{\"a\": 1, /* \"b\": 2 */ # c\n\"d\": \"//\"} // }\n]", "[{\"a\": 1,  \n\"d\": \"//\"} \n]"),
            ("{\"p\": \"x\" # in the \"y\"\n}", "{\"p\": \"x\" \n}"),
            ("[\"a\" // \"b\",\n, \"c\"]", "[\"a\" \n, \"c\"]"),
            ("{\"a\": \"x\" // 5\" wide\n, \"b\": \"y\"// z\n}", "{\"a\": \"x\" \n, \"b\": \"y\"\n}"),
        ],
        &[
            ("{\"a\": \"/* b */ // c # d\"}", "valid"),
            ("{\"a\": \"http://x.org\"}", "valid"),
            ("[1, // ... more\n2]", "[1, \n2]"),
            ("{\"cmd\": \"grep \"//TODO\" src\"\n}", "{\"cmd\": \"grep \\\"//TODO\\\" src\"\n}"),
        ],
    ),
    (
        "array-comma",
        &[
            ("[{\"a\": [,1,,2]}]", "[{\"a\": [1,2]}]"),
        ],
        &[
            ("[\",,\"]", "valid"),
            ("{\"a\": 1,, \"b\": 2}", "{\"a\": 1, \"b\": 2}"),
            ("[1,]", "[1]"),
        ],
    ),
    (
        "number-list",
        &[
            ("{\"a\": [1 2.5 -3]}", "{\"a\": [1, 2.5, -3]}"),
        ],
        &[
            ("[\"1 2\"]", "valid"),
            ("[1 234]", "refused"),
            ("{\"a\": 1 2}", "refused"),
        ],
    ),
    (
        "missing-comma-strings",
        &[
            ("{\"a\": [\"b\" \"c\", \"d\" \"e\"]}", "{\"a\": [\"b\", \"c\", \"d\", \"e\"]}"),
        ],
        &[
            ("[\"\\\"a\\\" \\\"b\\\"\"]", "valid"),
            ("[\"a\"\n\"b\"]", "[\"a\",\n\"b\"]"),
            ("{\"a\": \"b\" \"c\": 1}", "{\"a\": \"b\", \"c\": 1}"),
        ],
    ),
    (
        "missing-colon-strings",
        &[
            ("[{\"a\" \"b\", \"c\" \"d\"}]", "[{\"a\": \"b\", \"c\": \"d\"}]"),
        ],
        &[
            ("{\"a\": \"\\\"b\\\" \\\"c\\\"\"}", "valid"),
            ("{\"a\" 1}", "{\"a\": 1}"),
            ("{\"a\", \"b\": 1}", "refused"),
        ],
    ),
    (
        "list-separator",
        &[
            ("[{\"a\": 1； \"b\": [1、2; 3]}]", "[{\"a\": 1, \"b\": [1,2, 3]}]"),
        ],
        &[
            ("{\"a\": \"1; 2、3；\"}", "valid"),
            ("{\"a\": 1};", "{\"a\": 1}"),
            ("[\"a;\", \"b\"]", "valid"),
        ],
    ),
    (
        "single-quotes",
        &[
            ("[{'a': ['b \"c\"', \"it's\"]}]", "[{\"a\": [\"b \\\"c\\\"\", \"it's\"]}]"),
        ],
        &[
            ("{\"a\": \"'b'\"}", "valid"),
            ("[it's]", "[\"it's\"]"),
            ("don't", "refused"),
        ],
    ),
    (
        "backtick-quotes",
        &[
            ("[{`a`: `b \"c\"\n\\`d\\``}]", "[{\"a\": \"b \\\"c\\\"\\n`d`\"}]"),
        ],
        &[
            ("{\"a\": \"`b`\"}", "valid"),
            ("['`b`']", "[\"`b`\"]"),
            ("```\n```", "refused"),
        ],
    ),
    (
        "typographic-quotes",
        &[
            ("[{“a”: ‘b’, „c“: ＂d \"e\"＂}]", "[{\"a\": \"b\", \"c\": \"d \\\"e\\\"\"}]"),
        ],
        &[
            ("{\"a\": \"“b” ‘c’\"}", "valid"),
            ("{«a»: 1}", "{\"a\": 1}"),
            ("['“a”']", "[\"“a”\"]"),
        ],
    ),
    (
        "triple-quotes",
        &[
            ("[{\"a\": \"\"\"b \"c\"\nd\"\"\", 'b': '''it's'''}]", "[{\"a\": \"b \\\"c\\\"\\nd\", \"b\": \"it's\"}]"),
        ],
        &[
            ("{\"a\": \"\\\"\\\"\\\"b\\\"\\\"\\\"\"}", "valid"),
            ("[\"\", \"a\"]", "valid"),
            ("{\"a\": \"\"\"b \"\"\"c\"\"\" d\"\"\"}", "{\"a\": \"b \\\"\\\"\\\"c\\\"\\\"\\\" d\"}"),
        ],
    ),
    (
        "raw-control",
        &[
            ("[{\"a\tb\": [\"c\nd\u{1}\"]}]", "[{\"a\\tb\": [\"c\\nd\\u0001\"]}]"),
        ],
        &[
            ("{\"a\": \"b\\nc\"}", "valid"),
            ("{\n\"a\":\t1\n}", "valid"),
            ("{\"a\": \"b\u{7f}\"}", "valid"),
        ],
    ),
    (
        "escaped-apostrophe",
        &[
            ("[{\"a\": \"it\\'s\", 'b': 'c\\'d'}]", "[{\"a\": \"it's\", \"b\": \"c'd\"}]"),
        ],
        &[
            ("{\"a\": \"it's\"}", "valid"),
            ("{\"a\": \"b\\\\'\"}", "valid"),
            ("{'a': 'it's'}", "{\"a\": \"it's\"}"),
        ],
    ),
    (
        "stray-backslash",
        &[
            ("[{\"a\": \"C:\\Users\\me\", \"b\": \"\\d+\\.\\(\"}]", "[{\"a\": \"C:\\\\Users\\\\me\", \"b\": \"\\\\d+\\\\.\\\\(\"}]"),
        ],
        &[
            ("{\"a\": \"C:\\\\Users\"}", "valid"),
            ("{\"a\": \"C:\\temp\\new\"}", "valid"),
            ("{\"a\": \"\\d\\n\"}", "{\"a\": \"\\\\d\\\\n\"}"),
        ],
    ),
    (
        "concatenation",
        &[
            ("[{\"a\": \"b\" + 'c' +\n \"d\"}]", "[{\"a\": \"bcd\"}]"),
        ],
        &[
            ("{\"a\": \"b + c\"}", "valid"),
            ("{\"a\": \"b\" + c}", "refused"),
            ("{\"a\": 1 + 2}", "refused"),
        ],
    ),
    (
        "string-prefix",
        &[
            ("[{u'a': [U\"b\", u'c']}]", "[{\"a\": [\"b\", \"c\"]}]"),
        ],
        &[
            ("{\"a\": \"u'b'\"}", "valid"),
            ("{'a': b'c'}", "{\"a\": \"c\"}"),
            ("{\"a\": u}", "{\"a\": \"u\"}"),
        ],
    ),
    (
        "triple-quotes-unclear",
        &[
            ("[{\"a\": \"\"\"b \"\"\"c\"\"\" d\"\"\", \"e\": 1}]", "[{\"a\": \"b \\\"\\\"\\\"c\\\"\\\"\\\" d\", \"e\": 1}]"),
        ],
        &[
            ("{\"a\": \"b \\\"\\\"\\\" c\"}", "valid"),
            ("{\"a\": \"\"\"b \"c\" d\"\"\"}", "{\"a\": \"b \\\"c\\\" d\"}"),
            ("{\"a\": \"\"\"b\"\"\"}", "{\"a\": \"b\"}"),
        ],
    ),
    (
        "doubtful-backslash",
        &[
            ("[{\"a\": \"C:\\Users\\new\", \"b\": \"\\bc\\b\\d\"}]", "[{\"a\": \"C:\\\\Users\\\\new\", \"b\": \"\\\\bc\\\\b\\\\d\"}]"),
        ],
        &[
            ("{\"a\": \"C:\\\\Users\\\\new\"}", "valid"),
            ("{\"a\": \"C:\\temp\\new\"}", "valid"),
            ("{\"a\": \"\\d\\w\"}", "{\"a\": \"\\\\d\\\\w\"}"),
        ],
    ),
    (
        "foreign-escape",
        &[
            ("[{\"a\": \"\\x41\\x42\", \"b\": \"\\u{1F680}\", \"c\": \"\\0\"}]", "[{\"a\": \"AB\", \"b\": \"🚀\", \"c\": \"\\u0000\"}]"),
        ],
        &[
            ("{\"a\": \"\\\\x41\"}", "valid"),
            ("{\"a\": \"\\x4\"}", "{\"a\": \"\\\\x4\"}"),
            ("{\"a\": \"\\alpha\"}", "{\"a\": \"\\\\alpha\"}"),
        ],
    ),
    (
        "broken-unicode-escape",
        &[
            ("[{\"a\": \"b\\u12 c\", \"d\": \"\\u12g4\"}]", "[{\"a\": \"b\\\\u12 c\", \"d\": \"\\\\u12g4\"}]"),
        ],
        &[
            ("{\"a\": \"\\u0012\"}", "valid"),
            ("{\"a\": \"\\\\u12\"}", "valid"),
            ("{\"a\": \"C:\\users\"}", "{\"a\": \"C:\\\\users\"}"),
        ],
    ),
    (
        "adjacent-strings",
        &[
            ("[{\"a\": \"b\" \"c\", \"d\": \"e\" 'f'}]", "[{\"a\": \"bc\", \"d\": \"ef\"}]"),
        ],
        &[
            ("{\"a\": \"b \\\"c\\\"\"}", "valid"),
            ("[\"a\" \"b\"]", "[\"a\", \"b\"]"),
            ("{\"a\": \"b\" \"c\": 1}", "{\"a\": \"b\", \"c\": 1}"),
        ],
    ),
    (
        "guillemet-quotes",
        &[
            ("[{«a»: 「b \"c\"」}]", "[{\"a\": \"b \\\"c\\\"\"}]"),
        ],
        &[
            ("{\"a\": \"«b» 「c」\"}", "valid"),
            ("{“a”: 1}", "{\"a\": 1}"),
            ("[\"«»\"]", "valid"),
        ],
    ),
    (
        "byte-or-raw-prefix",
        &[
            ("[{'a': b'c', 'd': r'\\e\\n'}]", "[{\"a\": \"c\", \"d\": \"\\\\e\\\\n\"}]"),
        ],
        &[
            ("{\"a\": \"b'c'\"}", "valid"),
            ("{u'a': 1}", "{\"a\": 1}"),
            ("{\"a\": rb}", "{\"a\": \"rb\"}"),
        ],
    ),
    (
        "inner-quote",
        &[
            ("[{\"a\": \"b \"c\", d \"e\" f\", \"g\": [\"h \"i\" j\"]}]", "[{\"a\": \"b \\\"c\\\", d \\\"e\\\" f\", \"g\": [\"h \\\"i\\\" j\"]}]"),
            ("{\"a\": \"{\"b\": \"c\", \"d\": [1]}\", \"e\": 1}", "{\"a\": \"{\\\"b\\\": \\\"c\\\", \\\"d\\\": [1]}\", \"e\": 1}"),
            ("{\"cmd\": \"grep \"#include\" src\",\n\"n\": 1}", "{\"cmd\": \"grep \\\"#include\\\" src\",\n\"n\": 1}"),
            ("{\"a\": \"color: \"#fff\"\",\n\"n\": 1}", "{\"a\": \"color: \\\"#fff\\\"\",\n\"n\": 1}"),
            ("[\"see \"//x\"\",\n\"y\"]", "[\"see \\\"//x\\\"\",\n\"y\"]"),
            ("{\"a\": \"5\" # bolt\",\n\"n\": 1}", "{\"a\": \"5\\\" # bolt\",\n\"n\": 1}"),
        ],
        &[
            ("{\"a\": \"b \\\"c\\\" d\"}", "valid"),
            ("{'a': 'b \"c\" d'}", "{\"a\": \"b \\\"c\\\" d\"}"),
            ("{\"a\": \"b\": \"c\"}", "refused"),
        ],
    ),
    (
        "missing-quote",
        &[
            ("[{\"a\": \"b, \"c\": 1}, {d\": 2}, {\"e: 3}]", "[{\"a\": \"b\", \"c\": 1}, {\"d\": 2}, {\"e\": 3}]"),
            ("{\"a\": {\"x\": “b.c\"}, \"d\": 1}", "{\"a\": {\"x\": \"b.c\"}, \"d\": 1}"),
            ("{\"x\": {`a\": 1, \"c\": \"d\"}, \"b\": 2}", "{\"x\": {\"a\": 1, \"c\": \"d\"}, \"b\": 2}"),
            ("{'x': [{'a': \"it's, 'b': 'c'}], 'd': 1}", "{\"x\": [{\"a\": \"it's\", \"b\": \"c\"}], \"d\": 1}"),
            ("{\"a: \"[1, 2], \"b\": 3}", "{\"a\":[1, 2], \"b\": 3}"),
        ],
        &[
            ("{\"a\": \"b, \\\"c\\\": 1\"}", "valid"),
            ("{\"a\": \"b", "{\"a\": \"b\"}"),
            ("{\"a\": \"b\", c: 1}", "{\"a\": \"b\", \"c\": 1}"),
            ("{\"a\": {\"content\": \"if (x) { y(); }", "{\"a\": {\"content\": \"if (x) { y(); }\"}}"),
            ("{\"a\": \"end,\"\", file\": [\"b\"]}", "refused"),
            ("{\"a: \"[1, 2]\", cmd\": {}}", "refused"),
            ("{\"a\": \"x\" \": b\": 1}", "refused"),
        ],
    ),
    (
        "bare-key",
        &[
            ("[{a: {b-c: 1, $d.e: 2, été: 3}}]", "[{\"a\": {\"b-c\": 1, \"$d.e\": 2, \"été\": 3}}]"),
        ],
        &[
            ("{\"a\": \"b: 1\"}", "valid"),
            ("{a b: 1}", "{\"a b\": 1}"),
            ("{a}", "refused"),
        ],
    ),
    (
        "literal-case",
        &[
            ("[{\"a\": [True, FALSE, None, Null]}]", "[{\"a\": [true, false, null, null]}]"),
        ],
        &[
            ("{\"a\": \"True None\"}", "valid"),
            ("[Truth]", "[\"Truth\"]"),
            ("[none]", "[null]"),
        ],
    ),
    (
        "tuple",
        &[
            ("[{'a': (1, ('b',), ())}]", "[{\"a\": [1, [\"b\"], []]}]"),
        ],
        &[
            ("{\"a\": \"(1, 2)\"}", "valid"),
            ("{'a': (1)}", "refused"),
            ("f(1, 2)", "refused"),
        ],
    ),
    (
        "number-form",
        &[
            ("[{\"a\": [+5, -.5, 5.e3, 0xFF]}]", "[{\"a\": [5, -0.5, 5.0e3, 255]}]"),
        ],
        &[
            ("{\"a\": \"+5 .5 0x1F\"}", "valid"),
            ("[012]", "[12]"),
            ("[1.2.3]", "[\"1.2.3\"]"),
        ],
    ),
    (
        "non-finite",
        &[
            ("[{\"a\": [NaN, -Infinity, undefined, inf]}]", "[{\"a\": [null, null, null, null]}]"),
        ],
        &[
            ("{\"a\": \"NaN\"}", "valid"),
            ("[None]", "[null]"),
            ("[Nancy]", "[\"Nancy\"]"),
        ],
    ),
    (
        "constructor",
        &[
            ("[{\"a\": ObjectId(\"b\"), \"c\": new Date(0), \"d\": Decimal('1.50')}]", "[{\"a\": \"b\", \"c\": 0, \"d\": \"1.50\"}]"),
        ],
        &[
            ("{\"a\": \"ObjectId(\\\"b\\\")\"}", "valid"),
            ("{\"a\": Timestamp(1, 2)}", "refused"),
            ("{\"a\": Date.now()}", "refused"),
        ],
    ),
    (
        "elision-comment",
        &[
            ("[{\"a\": [1, /* ... 3 more */ 5, # ... and so on\n 6]}]", "[{\"a\": [1,  5, \n 6]}]"),
            ("{\"a\": [/* same as above */], \"b\": {// unchanged\n}}", "{\"a\": [], \"b\": {\n}}"),
            ("[1, // 97 more items\n]", "[1 \n]"),
        ],
        &[
            ("{\"a\": \"// ... more\"}", "valid"),
            ("[1, ... , 2]", "refused"),
            ("[1 /* one ... */]", "[1 ]"),
            ("[1, /* unchanged since then */ 2]", "[1,  2]"),
            ("[/* none */]", "[]"),
        ],
    ),
    (
        "bare-value",
        &[
            ("[{\"a\": main.go, \"b\": [2026-01-02, x y]}]", "[{\"a\": \"main.go\", \"b\": [\"2026-01-02\", \"x y\"]}]"),
            ("{\"a\": 10 MB, \"b\": -5 C}", "{\"a\": \"10 MB\", \"b\": \"-5 C\"}"),
            ("{\"a\": 2026-01-05 10:00:00}", "{\"a\": \"2026-01-05 10:00:00\"}"),
        ],
        &[
            ("{\"a\": \"main.go\"}", "valid"),
            ("main.go", "refused"),
            ("{\"a\": f(x)}", "refused"),
            ("{\"a\": true false}", "refused"),
            ("{\"a\": 1 if x else 2}", "refused"),
            ("{\"a\": 1 b: 2}", "{\"a\": 1, \"b\": 2}"),
        ],
    ),
    (
        "none-literal",
        &[
            ("[{\"a\": [none, nil]}]", "[{\"a\": [null, null]}]"),
        ],
        &[
            ("{\"a\": \"none\"}", "valid"),
            ("[None]", "[null]"),
            ("[nonesuch]", "[\"nonesuch\"]"),
        ],
    ),
    (
        "number-radix",
        &[
            ("[{\"a\": [012, 0b101, 0o17, 10n, 1_000.5]}]", "[{\"a\": [12, 5, 15, 10, 1000.5]}]"),
        ],
        &[
            ("{\"a\": \"012\"}", "valid"),
            ("[0x1F]", "[31]"),
            ("[1_]", "[\"1_\"]"),
        ],
    ),
    (
        "set-literal",
        &[
            ("[{'a': {'b', 'c'}}]", "[{\"a\": [\"b\", \"c\"]}]"),
        ],
        &[
            ("{\"a\": \"{'b'}\"}", "valid"),
            ("{}", "valid"),
            ("{\"a\", \"b\": 1}", "refused"),
        ],
    ),
    (
        "code-literal",
        &[
            ("[{\"a\": /b\\/c[,}]+/gi, \"d\": 1}]", "[{\"a\": \"/b\\\\/c[,}]+/gi\", \"d\": 1}]"),
        ],
        &[
            ("{\"a\": \"/b/\"}", "valid"),
            ("[1 /* b */]", "[1 ]"),
            ("{\"a\": /b}", "{\"a\": \"/b\"}"),
        ],
    ),
    (
        "cut-off",
        &[
            ("[{\"a\": [1, {\"b\": \"c\\u00", "[{\"a\": [1, {\"b\": \"c\"}]}]"),
            ("{\"a\": {\"b\": 1, \"c\":", "{\"a\": {\"b\": 1}}"),
        ],
        &[
            ("{\"a\": \"b}", "{\"a\": \"b\"}"),
            ("[tru]", "[\"tru\"]"),
            ("{\"a\": 1}}", "{\"a\": 1}"),
        ],
    ),
    (
        "missing-opener",
        &[
            ("\"a\": {\"b\": 1}, \"c\": [2]}", "{\"a\": {\"b\": 1}, \"c\": [2]}"),
            ("city: \"Pau\", opts: {\"x\": 1}}", "{\"city\": \"Pau\", \"opts\": {\"x\": 1}}"),
            ("a: 1,\nb: 2}", "{\"a\": 1,\n\"b\": 2}"),
        ],
        &[
            ("{\"a\": \"\\\"b\\\": 1}\"}", "valid"),
            (": 1}", "refused"),
            ("a: 1}", "refused"),
            ("Note: \"x\", see: the {\"a\": 1}", "{\"a\": 1}"),
            ("level: \"info\", msg: {\"a\": 1} done", "{\"a\": 1}"),
        ],
    ),
    (
        "mismatched-closer",
        &[
            ("{\"a\": [{\"b\": [1, 2}]}", "{\"a\": [{\"b\": [1, 2]}]}"),
            ("{\"a\": [{\"b\": 1, \"c\": 2, {\"b\": 3}]}", "{\"a\": [{\"b\": 1, \"c\": 2}, {\"b\": 3}]}"),
            ("{\"a\": [{\"b\": 1}, {\"b\": 2}, \"c\": 2}", "{\"a\": [{\"b\": 1}, {\"b\": 2}], \"c\": 2}"),
            ("{\"e\": [{\"a\": 1, \"b\": [1], {\"a\": 2}]}", "{\"e\": [{\"a\": 1, \"b\": [1]}, {\"a\": 2}]}"),
        ],
        &[
            ("{\"a\": \"[1}\"}", "valid"),
            ("{\"a\": [1]]}", "{\"a\": [1]}"),
            ("{\"a\": 1", "{\"a\": 1}"),
            ("{\"x\": [\"k\", \"b\": 1]}", "refused"),
            ("{\"x\": [\"a: b\", \"c\"]}", "valid"),
        ],
    ),
    (
        "early-close",
        &[
            ("{\"a\": {\"b\": \"}\"}}, \"c\": [1]}", "{\"a\": {\"b\": \"}\"}, \"c\": [1]}"),
        ],
        &[
            ("{\"a\": \"}, \\\"b\\\": 1\"}", "valid"),
            ("{\"a\": 1}, 2}", "refused"),
            ("[{\"a\": 1}, {\"b\": 2}]", "valid"),
        ],
    ),
    (
        "surplus-closer-inside",
        &[
            ("{\"a\": [1]], \"b\": {\"c\": 2}}", "{\"a\": [1], \"b\": {\"c\": 2}}"),
        ],
        &[
            ("{\"a\": \"]]\"}", "valid"),
            ("{\"a\": 1}}", "{\"a\": 1}"),
            ("[[1]]", "valid"),
        ],
    ),
    (
        "stringified-value",
        &[
            ("{\"paths\": \"[\\\"a\\\", \\\"]\\\"]\", \"n\": 1}", "{\"paths\": [\"a\", \"]\"], \"n\": 1}"),
        ],
        &[
            ("{\"other\": \"[\\\"a\\\"]\"}", "valid"),
            ("{\"paths\": [\"[1]\"]}", "valid"),
        ],
    ),
    (
        "scalar-type",
        &[
            ("{\"n\": \"5\", \"paths\": [\"x\"]}", "{\"n\": 5, \"paths\": [\"x\"]}"),
        ],
        &[
            ("{\"n\": \"5px\"}", "valid"),
            ("{\"n\": \"012\"}", "valid"),
            ("{\"paths\": [\"5\"]}", "valid"),
        ],
    ),
    (
        "single-item",
        &[
            ("{\"paths\": \"a b\", \"n\": 5}", "{\"paths\": [\"a b\"], \"n\": 5}"),
        ],
        &[
            ("{\"paths\": [\"a\"]}", "valid"),
            ("{\"paths\": \"\"}", "valid"),
        ],
    ),
    (
        "extra-envelope",
        &[
            ("{\"name\": \"t\", \"arguments\": {\"n\": 5}}", "{\"n\": 5}"),
            ("{\"input\": \"{\\\"n\\\": 5}\"}", "{\"n\": 5}"),
        ],
        &[
            ("{\"n\": 5, \"arguments\": {}}", "valid"),
            ("{\"other\": {\"n\": 5}}", "valid"),
        ],
    ),
    (
        "leaked-markup",
        &[
            ("{\"a\": \"x</a>\\n<parameter name=\\\"b\\\">y\"}", "{\"a\": \"x\",\"b\":\"y\"}"),
        ],
        &[
            ("{\"a\": \"x</a>\", \"b\": \"y\"}", "valid"),
            ("{\"a\": \"<b>\", \"b\": \"</b>\"}", "valid"),
        ],
    ),
];
