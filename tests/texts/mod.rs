//! Random JSON values, and writers that put known faults into them.

pub mod promises;

use proptest::prelude::*;
use serde_json::{Map, Number, Value};

/// What strings are made of: everything that looks like something else.
const PARTS: &[&str] = &[
    "a",
    "b c",
    "word",
    " ",
    "\"",
    "'",
    "`",
    "“",
    "”",
    "’",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    ",",
    ":",
    ";",
    ", ",
    ": ",
    "//",
    "/*",
    "*/",
    "#",
    "# ",
    "```",
    "```json\n",
    "\n",
    "\t",
    "\r\n",
    "\\",
    "\\n",
    "\\\"",
    "\\u0041",
    "...",
    "…",
    "，",
    "：",
    "｝",
    "true",
    "True",
    "None",
    "NaN",
    "null",
    "1",
    "-1.5",
    "<think>",
    "</think>",
    "</tool_call>",
    "<|im_end|>",
    "&quot;",
    "&amp;",
    "\"x\": 1",
    "'k': 'v'",
    ",}",
    "\"}",
    "\"]",
    "\", \"b\": \"",
    "}{",
    "C:\\Users\\new",
    "\\d+\\.",
    "https://x.org/a?b=c#d",
    "日本",
    "é",
    "🚀",
    "\u{200b}",
    "\u{2028}",
    "\u{0}",
    "\u{7f}",
    "it's",
    "$x",
    "${y}",
    "+",
    "=",
    "=>",
    "*",
    "|",
    "@",
    "%s",
    "--",
    "5\"",
];

/// Words that are member names without quotes, and some that are not.
const NAMES: &[&str] = &[
    "a",
    "b",
    "file_path",
    "maxResults",
    "$ref",
    "_id",
    "a-b",
    "a.b",
    "true",
    "null",
    "None",
    "имя",
    "键",
    "café",
    "x1",
];

/// A string of look-alikes.
pub fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PARTS), 0..6).prop_map(|parts| parts.concat())
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => prop::sample::select(NAMES).prop_map(str::to_owned),
        1 => text(),
    ]
}

fn number() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<i16>().prop_map(|n| Value::Number(n.into())),
        any::<u32>().prop_map(|n| Value::Number(n.into())),
        (any::<i8>(), 0u8..100).prop_map(|(whole, part)| {
            let number = Number::from_f64(f64::from(whole) + f64::from(part) / 128.0);
            number.map_or(Value::Null, Value::Number)
        }),
    ]
}

/// Any JSON value of a few levels. Member names differ within their object.
pub fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::Bool),
        2 => number(),
        4 => text().prop_map(Value::String),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            prop::collection::vec((name(), inner), 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

/// An object or array, as stands in prose.
pub fn container() -> impl Strategy<Value = Value> {
    value().prop_filter("a container", |value| value.is_object() || value.is_array())
}

/// Random choices from one number.
pub struct Dice(u64);

impl Dice {
    /// Choices that follow from `seed` alone.
    pub fn new(seed: u64) -> Dice {
        Dice(seed | 1)
    }

    /// A number below `sides`.
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % sides
    }

    /// True once in `sides`.
    pub fn once_in(&mut self, sides: usize) -> bool {
        self.roll(sides) == 0
    }

    /// One of several.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.roll(from.len())]
    }
}

/// Which faults a writer makes; each stands for one row of the policy whose level is safe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    SingleQuotes,
    Backticks,
    Curly,
    FullwidthQuotes,
    TripleQuotes,
    BareNames,
    TrailingCommas,
    SurplusCommas,
    MissingCommas,
    Literals,
    RawControls,
    Comments,
    Noise,
    Colons,
    Fullwidth,
    Numbers,
    Concatenation,
    StrayBackslashes,
    Tuples,
}

/// All of them.
pub const FAULTS: &[Fault] = &[
    Fault::SingleQuotes,
    Fault::Backticks,
    Fault::Curly,
    Fault::FullwidthQuotes,
    Fault::TripleQuotes,
    Fault::BareNames,
    Fault::TrailingCommas,
    Fault::SurplusCommas,
    Fault::MissingCommas,
    Fault::Literals,
    Fault::RawControls,
    Fault::Comments,
    Fault::Noise,
    Fault::Colons,
    Fault::Fullwidth,
    Fault::Numbers,
    Fault::Concatenation,
    Fault::StrayBackslashes,
    Fault::Tuples,
];

/// Writes a value with faults.
pub struct Writer<'a> {
    faults: &'a [Fault],
    dice: Dice,
    out: String,
    /// A comma was left out, so a sign would read as arithmetic.
    unsigned: bool,
}

impl Writer<'_> {
    /// The text of `value` with `faults`, spread by `seed`.
    pub fn write(value: &Value, faults: &[Fault], seed: u64) -> String {
        let mut writer = Writer {
            faults,
            dice: Dice::new(seed),
            out: String::new(),
            unsigned: false,
        };
        writer.value(value, false);
        writer.out
    }

    fn makes(&mut self, fault: Fault, sides: usize) -> bool {
        self.faults.contains(&fault) && self.dice.once_in(sides)
    }

    fn value(&mut self, value: &Value, in_tuple: bool) {
        match value {
            Value::Null => self.word("null", &["None", "NULL", "Null"]),
            Value::Bool(true) => self.word("true", &["True", "TRUE"]),
            Value::Bool(false) => self.word("false", &["False", "FALSE"]),
            Value::Number(number) => self.number(&number.to_string()),
            Value::String(text) => self.string(text, in_tuple),
            Value::Array(items) => {
                let tuple = items.len() > 1 && self.makes(Fault::Tuples, 3);
                let wide = !tuple && self.makes(Fault::Fullwidth, 4);
                self.out.push(if tuple {
                    '('
                } else if wide {
                    '［'
                } else {
                    '['
                });
                for (index, item) in items.iter().enumerate() {
                    self.gap();
                    self.value(item, tuple);
                    self.gap();
                    self.comma(index + 1 < items.len(), tuple, false);
                }
                self.gap();
                self.out.push(if tuple {
                    ')'
                } else if wide {
                    '］'
                } else {
                    ']'
                });
            }
            Value::Object(members) => {
                let wide = self.makes(Fault::Fullwidth, 4);
                self.out.push(if wide { '｛' } else { '{' });
                if self.makes(Fault::SurplusCommas, 4) && !members.is_empty() {
                    self.out.push(',');
                }
                for (index, (name, item)) in members.iter().enumerate() {
                    self.gap();
                    self.name(name);
                    self.colon();
                    self.value(item, false);
                    self.gap();
                    self.comma(index + 1 < members.len(), false, true);
                }
                self.gap();
                self.out.push(if wide { '｝' } else { '}' });
            }
        }
    }

    fn word(&mut self, plain: &str, others: &[&str]) {
        if self.makes(Fault::Literals, 2) {
            let other = *self.dice.pick(others);
            self.out.push_str(other);
        } else {
            self.out.push_str(plain);
        }
    }

    fn number(&mut self, digits: &str) {
        let written = match (digits.parse::<u64>(), digits.split_once('.')) {
            _ if !self.makes(Fault::Numbers, 2) => digits.to_owned(),
            (Ok(whole), _) if self.dice.once_in(2) => format!("{whole:#x}"),
            (Ok(_), _) if !self.unsigned => format!("+{digits}"),
            (Err(_), Some(("0", part))) => format!(".{part}"),
            (Err(_), Some((whole, "0"))) => format!("{whole}."),
            _ => digits.to_owned(),
        };
        self.out.push_str(&written);
    }

    /// A comma, another sign for it, or a line break in its place.
    fn comma(&mut self, more: bool, tuple: bool, object: bool) {
        self.unsigned = false;
        if !more {
            if self.makes(Fault::TrailingCommas, 2) && !self.ends_in_opener() {
                self.out.push(',');
            }
        } else if !tuple && self.makes(Fault::MissingCommas, 3) {
            self.out.push('\n');
            self.unsigned = true;
        } else if self.makes(Fault::Fullwidth, 3) {
            self.out.push('，');
        } else {
            self.out.push(',');
            if object && self.makes(Fault::SurplusCommas, 5) {
                self.out.push_str(" ,");
            }
        }
    }

    fn ends_in_opener(&self) -> bool {
        self.out.trim_end().ends_with(['{', '[', '(', '｛', '［'])
    }

    fn colon(&mut self) {
        let sign = if self.makes(Fault::Colons, 3) {
            *self.dice.pick(&["=", "=>", " => ", ":=", "::"])
        } else if self.makes(Fault::Fullwidth, 3) {
            "："
        } else {
            *self.dice.pick(&[":", ": ", " : "])
        };
        self.out.push_str(sign);
        // Where a value is due nothing but white space is sure to be no part of it.
        if self.dice.once_in(4) {
            self.out.push(' ');
        }
    }

    /// White space, comments and invisible characters between tokens.
    fn gap(&mut self) {
        let plain = *self.dice.pick(&["", "", " ", "\n", "\r\n", "\t"]);
        self.out.push_str(plain);
        if self.makes(Fault::Noise, 5) {
            let noise = *self
                .dice
                .pick(&["\u{a0}", "\u{200b}", "\u{3000}", "\u{c}", "\u{2060}"]);
            self.out.push_str(noise);
        }
        if self.makes(Fault::Comments, 4) {
            let comment = *self.dice.pick(&[
                "// note\n",
                "// it's \"so\", }\n",
                "/* {\"a\": 1,} */",
                "# see below ]\n",
                "/* two\nlines */ ",
                "//\n",
                "/**/",
            ]);
            self.out.push(' ');
            self.out.push_str(comment);
        }
    }

    fn name(&mut self, name: &str) {
        let bare = !name.is_empty()
            && !name.contains("..")
            && name
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '-' | '.'));
        if bare && self.makes(Fault::BareNames, 2) {
            self.out.push_str(name);
        } else {
            let quote = self.quote(name);
            // A raw line break in a name reads as the end of a line.
            let raw = self.faults.contains(&Fault::RawControls) && name.contains('\n');
            let faults = self.faults;
            if raw {
                self.faults = &[];
            }
            self.quoted(name, quote, true);
            self.faults = faults;
        }
    }

    fn string(&mut self, text: &str, in_tuple: bool) {
        let parts: Vec<char> = text.chars().collect();
        if parts.len() > 1 && !in_tuple && self.makes(Fault::Concatenation, 3) {
            let at = 1 + self.dice.roll(parts.len() - 1);
            let (left, right): (String, String) =
                (parts[..at].iter().collect(), parts[at..].iter().collect());
            let quote = self.quote(&left);
            self.quoted(&left, quote, true);
            let plus = *self.dice.pick(&[" + ", "+", " +\n  "]);
            self.out.push_str(plus);
            let quote = self.quote(&right);
            self.quoted(&right, quote, true);
        } else if self.faults.contains(&Fault::StrayBackslashes) && only_stray(text) {
            self.out.push('"');
            self.out.push_str(&text.replace('"', "\\\""));
            self.out.push('"');
        } else {
            let quote = self.quote(text);
            self.quoted(text, quote, false);
        }
    }

    /// A pair of quotes in which `text` has one reading.
    fn quote(&mut self, text: &str) -> (char, char) {
        const PAIRS: &[(Fault, char, char)] = &[
            (Fault::SingleQuotes, '\'', '\''),
            (Fault::Backticks, '`', '`'),
            (Fault::Curly, '“', '”'),
            (Fault::FullwidthQuotes, '＂', '＂'),
        ];
        for &(fault, open, close) in PAIRS {
            let clear = match open {
                '`' => !text.contains("${"),
                '\'' => true,
                _ => !text.contains(['“', '”', '＂']),
            };
            if clear && self.makes(fault, 2) {
                return (open, close);
            }
        }
        ('"', '"')
    }

    fn quoted(&mut self, text: &str, (open, close): (char, char), short: bool) {
        let triple = open == '"'
            && !short
            && !text.contains('"')
            && !text.is_empty()
            && self.makes(Fault::TripleQuotes, 3);
        let raw = triple || self.faults.contains(&Fault::RawControls);
        let delimiter = |quote: char| match triple {
            true => quote.to_string().repeat(3),
            false => quote.to_string(),
        };
        self.out.push_str(&delimiter(open));
        for character in text.chars() {
            match character {
                '\\' => self.out.push_str("\\\\"),
                '"' if open == '"' => self.out.push_str("\\\""),
                '\'' | '`' if character == open => {
                    self.out.push('\\');
                    self.out.push(character);
                }
                control if control < ' ' && !raw => {
                    self.out.push_str(&format!("\\u{:04x}", control as u32));
                }
                other => self.out.push(other),
            }
        }
        self.out.push_str(&delimiter(close));
    }
}

/// Whether each backslash of a text begins an escape that nobody knows, so that it can stand alone.
fn only_stray(text: &str) -> bool {
    let mut rest = text;
    let mut found = false;
    while let Some(at) = rest.find('\\') {
        if !rest[at + 1..].starts_with(['d', '.', '$', '(', 'w', 's']) {
            return false;
        }
        found = true;
        rest = &rest[at + 1..];
    }
    found && !text.chars().any(|c| c < ' ')
}

/// What can stand around one value without saying anything about it: before it, behind it.
pub const AROUND: &[(&str, &str)] = &[
    ("", ""),
    ("```json\n", "\n```"),
    ("```\n", "\n```\n"),
    (
        "Here it is:\n\n```json\n",
        "\n```\n\nTell me if you need more.",
    ),
    ("~~~json\n", "\n~~~"),
    ("Here is the result: ", ""),
    ("Sure! ", "\nHope that helps."),
    ("It's what I'd use, don't worry: ", " - isn't it?"),
    ("<tool_call>", "</tool_call>"),
    ("<tool_call>\n", "\n</tool_call>"),
    ("<think>Maybe {\"a\": 0}, or [1].</think>\n", ""),
    ("", "<|im_end|>"),
    ("<|start|>assistant<|message|>", "<|call|>"),
    ("callback(", ");"),
    ("const x = ", ";"),
    ("return ", ";"),
    ("\u{feff}", ""),
    ("", ";"),
    ("// a note\n", "\n// another\n"),
    ("2026-01-05 10:11:12 INFO args=", ""),
    ("assistant: ", "\n\n"),
];
