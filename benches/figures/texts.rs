//! The texts: made by a small generator of pseudo-random numbers, the same bytes on every run.

const MEGABYTE: usize = 1 << 20;

const WORDS: [&str; 16] = [
    "config", "server", "retry", "session", "message", "value", "index", "parser", "stream",
    "buffer", "branch", "naïve", "café", "数据", "🚀", "Größe",
];

const CODE: [&str; 4] = [
    "fn main() {\n    println!(\"{:?}\", v);\n}\n",
    "def load(path):\n    \"\"\"Read {\"a\": 1}.\"\"\"\n    return json.load(f)  # noqa\n",
    "printf \"%s\\n\" \"$HOME\" | sed -e 's/a/b/'\n",
    "C:\\Users\\dev> cargo build\n\tCompiling demo\r\n",
];

/// xorshift64: good enough to mix words.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides as u64) as usize
    }
}

fn record(dice: &mut Dice, id: usize) -> String {
    let words: Vec<&str> = (0..1 + dice.roll(4))
        .map(|_| WORDS[dice.roll(16)])
        .collect();
    let tags: Vec<String> = (0..dice.roll(5))
        .map(|_| format!("\"{}\"", WORDS[dice.roll(16)]))
        .collect();
    format!(
        "{{\"id\":{id},\"name\":\"{}\",\"ok\":{},\"score\":-{}.{},\"none\":null,\"tags\":[{}],\"nested\":{{\"a\":{},\"note\":\"line one\\nline \\\"two\\\"\\t{}\"}}}}",
        words.join(" "),
        dice.roll(2) == 0,
        dice.roll(1000),
        dice.roll(1_000_000),
        tags.join(","),
        dice.roll(1 << 30),
        WORDS[dice.roll(16)]
    )
}

fn records(size: usize) -> String {
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    let mut text = String::from("[");
    let mut id = 0;
    while text.len() < size {
        if id > 0 {
            text.push(',');
        }
        text.push_str(&record(&mut dice, id));
        id += 1;
    }
    text.push(']');
    text
}

fn pretty(text: &str) -> String {
    let value: serde_json::Value = serde_json::from_str(text).expect("a generated text is valid");
    serde_json::to_string_pretty(&value).expect("a value can be written")
}

/// Code in strings; `raw` leaves line breaks and tabs as they are.
fn strings(size: usize, raw: bool) -> String {
    let mut dice = Dice(42);
    let mut text = String::from("{\"files\":[");
    while text.len() < size {
        let code: String = (0..1 + dice.roll(20)).map(|_| CODE[dice.roll(4)]).collect();
        let quoted = serde_json::to_string(&code).expect("a string can be written");
        let quoted = if raw {
            quoted.replace("\\n", "\n").replace("\\t", "\t")
        } else {
            quoted
        };
        text.push_str(&format!(
            "{{\"path\":\"src/{}.rs\",\"content\":{quoted}}},",
            dice.roll(1000)
        ));
    }
    text.push_str("{}]}");
    text
}

/// Records as a careless model writes them: a fault in nearly every member, and which one is a matter of chance.
fn sloppy(size: usize) -> String {
    let mut dice = Dice(7);
    let mut text = String::from("[\n");
    let mut id = 0;
    while text.len() < size {
        let words = [
            WORDS[dice.roll(16)],
            WORDS[dice.roll(16)],
            WORDS[dice.roll(16)],
        ];
        let members = [
            ("id", id.to_string()),
            ("name", quoted(&mut dice, words[0])),
            (
                "ok",
                ["true", "True", "false", "False"][dice.roll(4)].into(),
            ),
            ("none", ["null", "None"][dice.roll(2)].into()),
            (
                "score",
                format!("-{}.{}", dice.roll(1000), dice.roll(100_000)),
            ),
            ("note", quoted(&mut dice, "line one\\nline two")),
            (
                "tags",
                format!(
                    "[{}, {}{}]",
                    quoted(&mut dice, words[1]),
                    quoted(&mut dice, words[2]),
                    [",", ""][dice.roll(2)]
                ),
            ),
        ];
        text.push_str("  {");
        for (place, (name, value)) in members.into_iter().enumerate() {
            let name = match dice.roll(3) {
                0 => format!("\"{name}\""),
                1 => format!("'{name}'"),
                _ => name.into(),
            };
            let last = place == 6;
            let comma = if dice.roll(10) == 0 && !last { "" } else { "," };
            let comment = ["", "", "", "", "  // as before", "  /* note */"][dice.roll(6)];
            text.push_str(&format!("\n    {name}: {value}{comma}{comment}"));
        }
        text.push_str("\n  },\n");
        id += 1;
    }
    text.push_str("]\n");
    text
}

fn quoted(dice: &mut Dice, text: &str) -> String {
    let quote = ['"', '\''][dice.roll(2)];
    format!("{quote}{text}{quote}")
}

/// Texts that are valid.
pub fn valid() -> Vec<(&'static str, String)> {
    let minimal = records(MEGABYTE);
    let spaced = pretty(&minimal);
    vec![
        ("valid minimal", minimal),
        ("valid pretty", spaced),
        ("valid strings", strings(MEGABYTE, false)),
    ]
}

/// Texts with many faults, one at the head, a cut, and code with raw line breaks.
pub fn broken() -> Vec<(&'static str, String)> {
    let minimal = records(MEGABYTE);
    let many = minimal
        .replace("\"id\":", "id: ")
        .replace("\"ok\":true", "'ok': True")
        .replace("\"none\":null", "none: None")
        .replace("]", ",]")
        .replace("[,]", "[]");
    let head = minimal.replacen("[{\"id\"", "[{id", 1);
    let mut cut = minimal.clone();
    cut.truncate(minimal.len() - 700);
    while !cut.is_char_boundary(cut.len()) || cut.ends_with(['\\', ']', '}']) {
        cut.pop();
    }
    let reply = format!("Sure, here it is:\n\n```json\n{minimal}\n```\nAnything else?\n");
    vec![
        ("many faults", many),
        ("faults of all kinds", sloppy(MEGABYTE)),
        ("one fault at the head", head),
        ("cut off", cut),
        ("prose and fence", reply),
        ("code with raw line breaks", strings(MEGABYTE, true)),
    ]
}

/// What stands before, what is repeated, what stands behind.
pub type Pattern = (&'static str, &'static str, &'static str);

/// Texts that cost a careless reader more than their length.
#[rustfmt::skip]
pub const HOSTILE: &[(&str, Pattern)] = &[
    ("brace_open", ("", "{", "")),
    ("bracket_open", ("", "[", "")),
    ("brace_close", ("", "}", "")),
    ("bracket_close", ("", "]", "")),
    ("dquote", ("", "\"", "")),
    ("squote", ("", "'", "")),
    ("backslash", ("", "\\", "")),
    ("backtick", ("", "`", "")),
    ("block_comment_open", ("", "/*", "")),
    ("line_comment", ("", "// x\n", "")),
    ("slash", ("", "/", "")),
    ("hash", ("", "# x\n", "")),
    ("comma", ("", ",", "")),
    ("colon", ("", ":", "")),
    ("fence", ("", "```\n", "")),
    ("fence_json", ("", "```json\n", "")),
    ("obj_in_arr", ("", "[{\"a\":", "")),
    ("alt_quote", ("", "\"'", "")),
    ("unclosed_str", ("", "{\"a\": \"b\n", "")),
    ("unclosed_str_arr", ("[", "\"b\n", "")),
    ("bare_words", ("", "foo bar baz ", "")),
    ("key_frag", ("", "key: ", "")),
    ("obj_key_frag", ("{", "key: ", "")),
    ("key_frag_nl", ("{", "key: value\n", "")),
    ("digits", ("", "1", "")),
    ("minus", ("", "-", "")),
    ("digits_in_arr", ("[", "1 2 3 ", "")),
    ("exp", ("[", "1e", "")),
    ("space", ("", " ", "")),
    ("newline", ("", "\n", "")),
    ("nul", ("", "\0", "")),
    ("bom", ("", "\u{feff}", "")),
    ("esc_quote", ("{\"a\":\"", "\\\"", "")),
    ("esc_quote_all", ("", "\\\"", "")),
    ("esc_u", ("[\"", "\\u", "")),
    ("smart_quote", ("", "“a” ", "")),
    ("smart_open", ("", "“", "")),
    ("str_pairs", ("", "\"a\" \"b\" ", "")),
    ("str_commaless", ("[", "\"a\" ", "")),
    ("dbl_dquote", ("{\"a\":", "\"\"x", "")),
    ("inner_quotes", ("{\"a\": \"", "say \"hi\" to, ", "\"}")),
    ("inner_quotes_bad", ("{\"a\": \"", "\", \"x", "")),
    ("str_colon", ("", "\"a\": ", "")),
    ("concat", ("", "\"a\" + ", "")),
    ("callback", ("", "cb(", "")),
    ("ndjson", ("", "{\"a\":1}\n", "")),
    ("empty_objs", ("", "{} ", "")),
    ("py_words", ("[", "True None ", "")),
    ("ellipsis", ("[", "1, ..., ", "")),
    ("think", ("", "<think>", "")),
    ("think_obj", ("", "<think>{", "")),
    ("close_open", ("", "}{", "")),
    ("mismatch", ("", "[}", "")),
    ("angle", ("", "<", "")),
    ("html_ent", ("", "&quot;", "")),
    ("paren", ("", "(", "")),
    ("key_no_val", ("{", "\"a\", ", "")),
    ("emoji", ("", "🚀", "")),
    ("long_key", ("{", "abc_", "")),
    ("comment_in_obj", ("{", "/* x */", "")),
    ("open_comment_in_obj", ("{", "\"a\":1, /* ", "")),
    ("str_open_each_line", ("{", "\"k\": \"v, \n", "")),
    ("prose_braces", ("", "see {x} and [y] for it's \"z\"; ", "")),
    ("single_apos", ("{", "'k': 'it's', ", "")),
];

/// A hostile text of about `size` bytes.
pub fn hostile((head, part, tail): &Pattern, size: usize) -> String {
    let count = (size - head.len() - tail.len()) / part.len();
    format!("{head}{}{tail}", part.repeat(count.max(1)))
}

/// Brackets for depth: what opens a level, what closes it.
pub const BRACKETS: &[(&str, &str, &str)] = &[
    ("arrays", "[", "]"),
    ("arrays, open", "[", ""),
    ("objects", "{\"a\":", "}"),
    ("objects, open", "{\"a\":", ""),
    ("objects of bare names", "{a:", "}"),
    ("objects of single quotes", "{'a':", "}"),
    ("both in turn, open", "[{\"a\":", ""),
    ("tuples", "(1,", ")"),
    ("closers alone", "", "]"),
];
