//! The texts: made by a small generator of pseudo-random numbers, the same bytes on every run.

const MEGABYTE: usize = 1 << 20;

const WORDS: [&str; 16] = [
    "config", "server", "retry", "session", "message", "value", "index", "parser", "stream", "buffer", "branch",
    "naïve", "café", "数据", "🚀", "Größe",
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
    let words: Vec<&str> = (0..1 + dice.roll(4)).map(|_| WORDS[dice.roll(16)]).collect();
    let tags: Vec<String> = (0..dice.roll(5)).map(|_| format!("\"{}\"", WORDS[dice.roll(16)])).collect();
    format!(
        "{{\"id\":{id},\"name\":\"{}\",\"ok\":{},\"score\":-{}.{},\"none\":null,\"tags\":[{}],\"nested\":{{\"a\":{},\"note\":\"line one\\nline \\\"two\\\"\\t{}\"}}}}",
        words.join(" "), dice.roll(2) == 0, dice.roll(1000), dice.roll(1_000_000), tags.join(","), dice.roll(1 << 30), WORDS[dice.roll(16)]
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
        let quoted = if raw { quoted.replace("\\n", "\n").replace("\\t", "\t") } else { quoted };
        text.push_str(&format!("{{\"path\":\"src/{}.rs\",\"content\":{quoted}}},", dice.roll(1000)));
    }
    text.push_str("{}]}");
    text
}

/// Texts that are valid.
pub fn valid() -> Vec<(&'static str, String)> {
    let minimal = records(MEGABYTE);
    let spaced = pretty(&minimal);
    vec![("valid minimal", minimal), ("valid pretty", spaced), ("valid strings", strings(MEGABYTE, false))]
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
        ("one fault at the head", head),
        ("cut off", cut),
        ("prose and fence", reply),
        ("code with raw line breaks", strings(MEGABYTE, true)),
    ]
}
