//! A hostile corpus through every screen and verb of the real program, on a terminal whose raw bytes are read one by one.
//!
//! The plain run takes a few seconds. `JSONMEDIC_HOSTILE_SECONDS=600 cargo test --release --test hostile -- --nocapture`
//! goes on for ten minutes; the seed that it prints repeats a run with `JSONMEDIC_HOSTILE_SEED`.

#![cfg(feature = "tui")]

mod support;

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use jsonmedic::app::keys::ROWS;
use support::{Home, PROGRAM, Setup, Tty, key_bytes};

/// What programs in logs have done to terminals: colours, titles, links, clipboard writes and reads, queries whose
/// answers come back as keys, character sets, C1 controls, device control strings, hidden and reordering characters.
const ATOMS: &[&str] = &[
    "\u{1b}[31m",
    "\u{1b}[2J\u{1b}[H",
    "\u{1b}]0;owned\u{7}",
    "\u{1b}]8;;http://x.invalid\u{1b}\\y",
    "\u{1b}]52;c;b3duZWQ=\u{7}",
    "\u{1b}]52;c;?\u{7}",
    "\u{1b}[6n\u{1b}[c\u{1b}[>c\u{1b}[?2026$p",
    "\u{1b}]11;?\u{1b}\\",
    "\u{1b}P$qm\u{1b}\\",
    "\u{1b}Ptmux;\u{1b}\u{1b}]52;c;b3duZWQ=\u{7}\u{1b}\\",
    "\u{1b}_Gf=100;AAAA\u{1b}\\",
    "\u{1b}^private\u{1b}\\",
    "\u{1b}[?1049l\u{1b}[?2004l\u{1b}[!p\u{1b}c",
    "\u{1b}[201~q",
    "\u{1b}(0\u{e}\u{f}",
    "\u{1b}",
    "\u{9b}31m",
    "\u{9d}0;owned\u{9c}",
    "\u{90}q\u{9c}\u{84}\u{85}\u{8d}",
    "\u{7f}\u{8}\u{8}\u{7}\u{0}\u{b}\u{c}\u{5}",
    "\u{202e}\u{2066}\u{2069}\u{200f}",
    "\u{200b}\u{200d}\u{feff}\u{2060}\u{ad}\u{61c}",
    "\u{e0041}\u{e007f}",
    "\r\n\ttab\rback",
    "a\u{301}\u{301}\u{301}",
    "日本語👩\u{200d}👩\u{200d}👧",
];

/// Texts to put them in, each broken in another way; `@` is where they go, `%` where their escapes go.
const FRAMES: &[&str] = &[
    "{'a@': '@', @: 1, b: NaN, 'c': 012,}",
    "{\"a\": \"%\", \"b\": \"@\",}",
    "{\"path\": \"@\", \"content\": \"%",
    "{\"a\": ...@}",
    "Here it is:@\n```json\n{\"a\": \"@\" \"b\": 2}\n```\n@",
    "{\"a\":\"@\"}{\"b\":\"%\"}",
    "@",
    "<tool_call>@{\"name\": \"@\", \"arguments\": {\"%\": True}}</tool_call>",
    "[\"@\",, \"%\", /*@*/ 1]",
    "{\"a\": \"{\\\"b\\\": \\\"%\\\"}\", \"a\": 12345678901234567890123,}",
];

#[test]
fn the_hostile_corpus_never_reaches_the_terminal() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let limit = Duration::from_secs(number("JSONMEDIC_HOSTILE_SECONDS").unwrap_or(6));
    let seed = number("JSONMEDIC_HOSTILE_SEED").unwrap_or(20_261_130);
    println!("JSONMEDIC_HOSTILE_SEED={seed}");
    let mut dice = Dice(seed.max(1));
    let start = Instant::now();
    let (mut runs, mut bytes) = (0, 0);
    // Each way once, whatever the time.
    while runs < WAYS.len() || start.elapsed() < limit {
        bytes += WAYS[runs % WAYS.len()](&mut dice);
        runs += 1;
    }
    println!("{runs} runs of the program, {bytes} bytes read");
}

/// The ways of a text to the terminal. Each gives the number of bytes that came.
const WAYS: [fn(&mut Dice) -> usize; 4] = [
    |dice| verbs(dice, Home::new()),
    |dice| {
        let home = Home::new();
        let name = hostile_file(&home, dice);
        walk(
            dice,
            Setup::command_os(vec![PROGRAM.into(), name]).home(home),
            None,
        )
    },
    |dice| {
        let text = dice.text();
        walk(dice, Setup::program(&[]), Some(text))
    },
    |dice| {
        let home = Home::new();
        hostile_log(&home, dice);
        let words = [PROGRAM, "watch", "--from-start", "logs"];
        walk(dice, Setup::command(&words).home(home), None)
    },
];

/// A walk of random keys through the workbench.
fn walk(dice: &mut Dice, setup: Setup, paste: Option<String>) -> usize {
    let (columns, rows) = dice.one(&[(40, 10), (80, 24), (120, 40), (200, 60)]);
    let setup = setup.size(columns, rows).env("VISUAL", "true");
    let mut tty = setup.silent().start();
    tty.wait_raw(b"\x1b[?2026l");
    if let Some(text) = paste {
        tty.paste(&text);
    }
    let left_out = ["app.interrupt", "app.quit", "app.suspend"];
    let keys: Vec<&str> = ROWS
        .iter()
        .filter(|row| !left_out.contains(&row.id))
        .flat_map(|row| row.keys.iter().flat_map(|(_, keys)| keys.iter().copied()))
        .filter(|key| *key != "q")
        .collect();
    for _ in 0..40 {
        match dice.below(12) {
            0 => tty.paste(&dice.text()),
            1 => tty.send(dice.evil().as_bytes()),
            2 => tty.send(b"\x1b[27u\x1b[27u\x1b[27u\r"),
            3 => tty.send(b":\x1b[200~copy\x1b[201~\r"),
            _ => tty.send(&key_bytes(dice.one(&keys))),
        }
        if dice.below(8) == 0 {
            tty.pause();
        }
    }
    tty.pause();
    let status = tty.end_by(b"\x1b[27u\x1b[27u\x1b[27u\x03");
    assert!(
        matches!(status, 0 | 1 | 130),
        "status {status}: {}",
        tty.contents()
    );
    tty.assert_restored();
    held(&tty, Screen::Workbench)
}

/// Every verb that prints to a terminal.
fn verbs(dice: &mut Dice, home: Home) -> usize {
    let name = hostile_file(&home, dice);
    hostile_log(&home, dice);
    let evil = OsString::from(dice.evil().replace('\0', ""));
    let tools = home.put("tools.json", &dice.text());
    let mut home = Some(home);
    let mut total = 0;
    let words = |line: &str| -> Vec<OsString> {
        let words = line.split(' ').map(|word| match word {
            "NAME" => name.clone(),
            "EVIL" => evil.clone(),
            "TOOLS" => tools.clone().into(),
            "--EVIL" => [OsString::from("--"), evil.clone()].concat_os(),
            word => word.into(),
        });
        std::iter::once(PROGRAM.into()).chain(words).collect()
    };
    for line in [
        "fix NAME",
        "fix --allow guess NAME",
        "fix --allow guess --style pretty NAME",
        "fix --report text --allow guess NAME",
        "fix --report json --allow guess NAME",
        "fix --allow guess --tool EVIL --field EVIL NAME",
        "fix --tools TOOLS NAME",
        "fix --pick first NAME",
        "fix -o EVIL/EVIL NAME",
        "fix EVIL",
        "fix --allow EVIL NAME",
        "fix --strategy EVIL NAME",
        "fix --EVIL",
        "EVIL",
        "explain EVIL",
        "completions EVIL",
        "formats EVIL",
        "scan logs",
        "scan --kind all logs",
        "scan --score logs",
        "scan --json --kind all logs",
        "scan --emit-line --kind all logs",
        "scan --tool EVIL logs",
        "scan --since EVIL logs",
        "scan EVIL NAME",
        "watch --json --from-start --for 1 logs",
        "watch --json EVIL --for 1",
    ] {
        let setup = Setup::command_os(words(line)).home(home.take().expect("it comes back"));
        let mut tty = setup.size(100, 30).start();
        let status = tty.end();
        assert!(matches!(status, 0..=2), "{line:?}: {}", tty.contents());
        tty.drain();
        total += held(&tty, Screen::Lines(line));
        home = Some(tty.take_home());
    }
    total
}

/// Where bytes were read.
#[derive(Clone, Copy)]
enum Screen<'a> {
    /// A verb's lines: colours, and the end of a line of progress.
    Lines(&'a str),
    /// The workbench: its own modes, places and colours, and a clipboard write.
    Workbench,
}

/// Reads everything that came, byte by byte; gives how much it was.
fn held(tty: &Tty, screen: Screen<'_>) -> usize {
    let raw = tty.raw();
    if let Err((at, fault)) = check(&raw, screen) {
        let from = at.saturating_sub(200);
        panic!(
            "{fault} at byte {at} of {}: {}",
            match screen {
                Screen::Lines(line) => line,
                Screen::Workbench => "the workbench",
            },
            raw[from..raw.len().min(at + 60)].escape_ascii()
        );
    }
    raw.len()
}

fn check(raw: &[u8], screen: Screen<'_>) -> Result<(), (usize, String)> {
    let mut at = 0;
    while at < raw.len() {
        let rest = &raw[at..];
        at += match rest[0] {
            0x1b => sequence(rest, screen).map_err(|fault| (at, fault))?,
            b'\r' | b'\n' => 1,
            _ => {
                let text = rest.utf8_chunks().next().map_or("", |chunk| chunk.valid());
                let Some(character) = text.chars().next() else {
                    return Err((at, "a byte that is no UTF-8".into()));
                };
                if acts(character) {
                    return Err((at, format!("U+{:04X}", character as u32)));
                }
                character.len_utf8()
            }
        };
    }
    Ok(())
}

/// Whether a terminal acts on the character, hides it or reorders others by it: a list of this test's own.
fn acts(character: char) -> bool {
    character.is_control()
        || matches!(
            character as u32,
            0xad | 0x61c | 0x180e | 0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f | 0xfeff | 0xfff9..=0xfffb
                | 0xe0000..=0xe0fff
        )
}

/// The length of a sequence that is one of ours.
fn sequence(rest: &[u8], screen: Screen<'_>) -> Result<usize, String> {
    let fault = || format!("the sequence {}", rest[..rest.len().min(40)].escape_ascii());
    match rest.get(1) {
        Some(b'[') => {
            let end = rest[2..]
                .iter()
                .position(|byte| (0x40..0x7f).contains(byte))
                .ok_or_else(fault)?
                + 3;
            let inside = std::str::from_utf8(&rest[2..end]).map_err(|_| fault())?;
            let (parameters, last) = inside.split_at(inside.len() - 1);
            let numbers = |signs: &str| {
                parameters
                    .chars()
                    .all(|c| c.is_ascii_digit() || signs.contains(c))
            };
            let ours = match (screen, last) {
                (_, "m") => numbers(";:"),
                (Screen::Lines(_), "K") => parameters.is_empty(),
                (Screen::Lines(_), _) => false,
                (_, "H") => numbers(";"),
                (_, "J" | "K") => numbers(""),
                (_, "h" | "l") => matches!(
                    parameters,
                    "?1049" | "?2004" | "?1000" | "?1002" | "?1006" | "?1004" | "?2026" | "?25"
                ),
                (_, "p") => parameters == "?2004$",
                (_, "u") => matches!(parameters, ">1" | "<1"),
                (_, "q") => matches!(parameters, "6 " | "0 " | "2 "),
                (_, "r") => parameters.is_empty(),
                _ => false,
            };
            ours.then_some(end).ok_or_else(fault)
        }
        Some(b']') if matches!(screen, Screen::Workbench) => {
            let end = rest.iter().position(|byte| *byte == 7).ok_or_else(fault)?;
            let text = rest[..end].strip_prefix(b"\x1b]52;c;").ok_or_else(fault)?;
            let copied = STANDARD.decode(text).map_err(|_| fault())?;
            (!copied.is_empty() && copied.len() <= 65_536 && std::str::from_utf8(&copied).is_ok())
                .then_some(end + 1)
                .ok_or_else(fault)
        }
        _ => Err(fault()),
    }
}

#[test]
fn the_reader_of_bytes_sees_what_must_not_come() {
    for atom in ATOMS.iter().filter(|atom| !atom.starts_with(['a', '\r'])) {
        for screen in [Screen::Lines("a line"), Screen::Workbench] {
            // Colours and two of our own modes are told from theirs by their place alone; every key script ends in
            // the terminal's state.
            let ours = matches!(*atom, "\u{1b}[31m")
                || matches!(screen, Screen::Workbench)
                    && matches!(*atom, "\u{1b}[2J\u{1b}[H" | "\u{1b}]52;c;b3duZWQ=\u{7}");
            assert_eq!(check(atom.as_bytes(), screen).is_ok(), ours, "{atom:?}");
        }
    }
    assert!(check("plain ␛[31m ⟨202E⟩ 日本".as_bytes(), Screen::Lines("")).is_ok());
}

/// A broken text in a file with a hostile name; the name.
fn hostile_file(home: &Home, dice: &mut Dice) -> OsString {
    let text = dice.text();
    let mut name = dice.evil().replace(['/', '\0'], "").into_bytes();
    name.truncate(120);
    name.extend_from_slice(b"\xff.json");
    let name = OsString::from_vec(name);
    std::fs::write(home.path().join(&name), text).expect("the file can be written");
    name
}

/// A log with failed calls whose every text is hostile.
fn hostile_log(home: &Home, dice: &mut Dice) {
    let mut lines = String::new();
    for number in 0..6 {
        let id = format!("toolu_{number}{}", dice.evil());
        let (tool, text) = (dice.evil(), dice.text());
        let call = serde_json::json!({
            "type": "assistant", "uuid": dice.evil(), "sessionId": dice.evil(), "version": dice.evil(),
            "timestamp": "2026-11-30T10:00:00Z", "cwd": dice.evil(),
            "message": {"id": format!("m{number}"), "role": "assistant", "model": dice.evil(), "stop_reason": "tool_use",
                "content": [{"type": "tool_use", "id": id, "name": tool, "input": {"__unparsedToolInput": {"raw": text}}}]}
        });
        let error = format!("InputValidationError: {} failed: {}", tool, dice.evil());
        let result = serde_json::json!({
            "type": "user", "sessionId": "s", "timestamp": "2026-11-30T10:00:01Z",
            "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "is_error": true,
                "content": format!("<tool_use_error>{error}</tool_use_error>")}]}
        });
        lines.push_str(&format!("{call}\n{result}\n"));
        lines.push_str(&dice.evil().replace('\n', ""));
        lines.push('\n');
    }
    home.put("logs/session.jsonl", &lines);
}

/// Numbers that a seed decides.
struct Dice(u64);

impl Dice {
    /// A number below `bound`, by xorshift.
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }

    fn one<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// Some of the atoms, one behind the other.
    fn evil(&mut self) -> String {
        let count = 1 + self.below(4);
        (0..count).map(|_| self.one(ATOMS)).collect()
    }

    /// The same as JSON escapes, which a decoder turns back.
    fn escaped(&mut self) -> String {
        let evil = self.evil();
        let units = evil.encode_utf16();
        units.map(|unit| format!("\\u{unit:04x}")).collect()
    }

    fn text(&mut self) -> String {
        let frame = self.one(FRAMES);
        let mut out = String::new();
        for character in frame.chars() {
            match character {
                '@' => out.push_str(&self.evil()),
                '%' => out.push_str(&self.escaped()),
                character => out.push(character),
            }
        }
        out
    }
}

trait ConcatOs {
    fn concat_os(self) -> OsString;
}

impl<const N: usize> ConcatOs for [OsString; N] {
    fn concat_os(self) -> OsString {
        self.into_iter().fold(OsString::new(), |mut all, part| {
            all.push(part);
            all
        })
    }
}
