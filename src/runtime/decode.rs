//! What the terminal sends, taken apart: bytes in, keys, mouse and pastes out.
//!
//! Written here and not taken from crossterm for four reasons: a sequence that arrives in two parts over a slow line
//! must not come out as commands (`esc`, `[`, `A`); a late answer to a question (`OSC 11`) must be swallowed; an end
//! marker inside a paste must be noticed; and a closed window must end the reading. The types are crossterm's.

use crossterm::event::{
    KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

/// One thing that the user did at the terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A key went down or repeats; releases are dropped.
    Key(KeyEvent),
    /// A button, a wheel step or a drag.
    Mouse(MouseEvent),
    /// The bytes between the paste brackets.
    Paste(Vec<u8>),
    /// A paste end without a start: what came before it was part of a paste that held an end marker itself.
    StrayEnd,
    /// The terminal says that it marks pastes.
    MarksPastes,
    /// The window came to the front (`true`) or went away.
    Focus(bool),
}

const PASTE_START: &[u8] = b"\x1b[200~";
/// What ends a paste.
pub const PASTE_END: &[u8] = b"\x1b[201~";

/// Answers of terminals are short; what is longer is not one, and is not kept waiting for its end.
const LONGEST_SEQUENCE: usize = 4096;

/// Takes bytes as they come and gives whole inputs.
#[derive(Debug, Default)]
pub struct Decoder {
    /// Bytes that are no whole input yet. In a paste: its text so far.
    pending: Vec<u8>,
    /// Whether the start of a paste was seen and its end was not.
    pasting: bool,
}

/// What stands at the start of the pending bytes.
enum Step {
    /// This many bytes are done with, and may have been an input.
    Done(usize, Option<Input>),
    /// A paste starts behind this many bytes.
    Paste(usize),
    /// The rest is still on its way.
    More,
}

impl Decoder {
    /// Takes the bytes of one read.
    pub fn feed(&mut self, bytes: &[u8], out: &mut Vec<Input>) {
        // An end marker may straddle two reads, so the search begins a little before the new bytes.
        let mut from = self.pending.len().saturating_sub(PASTE_END.len() - 1);
        self.pending.extend_from_slice(bytes);
        let mut at = 0;
        while at < self.pending.len() {
            if self.pasting {
                let Some(end) = memchr::memmem::find(&self.pending[from.max(at)..], PASTE_END)
                else {
                    break;
                };
                let end = from.max(at) + end;
                // A paste is handed on as it lies, since it may be long; what follows it seldom is.
                let rest = self.pending.split_off(end + PASTE_END.len());
                let mut pasted = std::mem::replace(&mut self.pending, rest);
                pasted.truncate(end);
                pasted.drain(..at);
                out.push(Input::Paste(pasted));
                self.pasting = false;
                (at, from) = (0, 0);
                continue;
            }
            match step(&self.pending[at..]) {
                Step::Done(len, input) => {
                    out.extend(input);
                    at += len;
                }
                Step::Paste(len) => {
                    self.pasting = true;
                    at += len;
                    from = at;
                }
                Step::More => break,
            }
        }
        self.pending.drain(..at);
    }

    /// Whether bytes wait for their rest.
    pub fn waits(&self) -> bool {
        self.pasting || !self.pending.is_empty()
    }

    /// Whether a paste has begun and not ended.
    pub fn in_paste(&self) -> bool {
        self.pasting
    }

    /// No more bytes came in time: a lone escape is the key, a paste without an end is what there is of it.
    pub fn give_up(&mut self, out: &mut Vec<Input>) {
        let pending = std::mem::take(&mut self.pending);
        if std::mem::take(&mut self.pasting) {
            out.push(Input::Paste(pending));
            return;
        }
        match pending.as_slice() {
            [0x1b] => out.push(key(KeyCode::Esc, KeyModifiers::NONE)),
            [0x1b, byte] if byte.is_ascii_graphic() => {
                out.push(character(char::from(*byte), KeyModifiers::ALT));
            }
            _ => {}
        }
    }

    /// Forgets what was begun: after the terminal was in other hands.
    pub fn reset(&mut self) {
        *self = Decoder::default();
    }
}

fn step(bytes: &[u8]) -> Step {
    match bytes {
        [0x1b] => Step::More,
        [0x1b, b'[', rest @ ..] => control_sequence(bytes, rest),
        [0x1b, b'O'] => Step::More,
        [0x1b, b'O', byte, ..] => Step::Done(3, single_shift(*byte)),
        [0x1b, b']' | b'P' | b'_' | b'^' | b'X', ..] => string(bytes),
        // Two keys: ctrl-c must not get lost in a chord that nobody knows.
        [0x1b, 0x1b | 0x00..=0x08 | 0x0a..=0x0c | 0x0e..=0x1a, ..] => {
            Step::Done(1, Some(key(KeyCode::Esc, KeyModifiers::NONE)))
        }
        [0x1b, rest @ ..] => match plain(rest, KeyModifiers::ALT) {
            Step::Done(len, input) => Step::Done(len + 1, input),
            other => other,
        },
        _ => plain(bytes, KeyModifiers::NONE),
    }
}

/// One character or control byte without an escape.
fn plain(bytes: &[u8], with: KeyModifiers) -> Step {
    let byte = bytes[0];
    let control = |c: char| Some(key(KeyCode::Char(c), with | KeyModifiers::CONTROL));
    match byte {
        b'\r' => Step::Done(1, Some(key(KeyCode::Enter, with))),
        b'\t' => Step::Done(1, Some(key(KeyCode::Tab, with))),
        0x7f => Step::Done(1, Some(key(KeyCode::Backspace, with))),
        0x00 => Step::Done(1, control(' ')),
        0x01..=0x1a => Step::Done(1, control(char::from(byte - 1 + b'a'))),
        0x1c..=0x1f => Step::Done(1, control(char::from(byte - 0x1c + b'4'))),
        0x20..0x7f => Step::Done(1, Some(character(char::from(byte), with))),
        _ => wide(bytes, with),
    }
}

/// One character of more than one byte; a byte that begins none is dropped.
fn wide(bytes: &[u8], with: KeyModifiers) -> Step {
    let len = match bytes[0] {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return Step::Done(1, None),
    };
    let head = &bytes[..len.min(bytes.len())];
    match std::str::from_utf8(head) {
        Ok(text) => Step::Done(len, text.chars().next().map(|c| character(c, with))),
        Err(error) if error.error_len().is_none() => Step::More,
        Err(_) => Step::Done(1, None),
    }
}

/// `esc [ parameters final`.
fn control_sequence(bytes: &[u8], rest: &[u8]) -> Step {
    // The Linux console sends `esc [ [ A` for F1.
    if let [b'[', byte, ..] = rest {
        let number = byte.wrapping_sub(b'A');
        let input = (number < 5).then(|| key(KeyCode::F(number + 1), KeyModifiers::NONE));
        return Step::Done(4, input);
    }
    if rest == b"[" {
        return Step::More;
    }
    let body = rest.iter().take_while(|byte| (0x20..0x40).contains(*byte));
    let len = body.count();
    if LONGEST_SEQUENCE < len {
        return Step::Done(len + 2, None);
    }
    let Some(&last) = rest.get(len) else {
        return Step::More;
    };
    let whole = len + 3;
    if !(0x40..0x7f).contains(&last) {
        // A control byte or an escape breaks the sequence off and is looked at on its own.
        return Step::Done(whole - 1, None);
    }
    if bytes[..whole] == *PASTE_START {
        return Step::Paste(whole);
    }
    if bytes[..whole] == *PASTE_END {
        return Step::Done(whole, Some(Input::StrayEnd));
    }
    let body = std::str::from_utf8(&rest[..len]).unwrap_or_default();
    if last == b'M' && body.is_empty() {
        // The oldest mouse report has three bytes behind its final; none was asked for.
        return if rest.len() < 4 {
            Step::More
        } else {
            Step::Done(6, None)
        };
    }
    Step::Done(whole, sequence(body, last))
}

/// The input that a whole control sequence stands for; answers to questions stand for none.
fn sequence(body: &str, last: u8) -> Option<Input> {
    if let Some(report) = body.strip_prefix('<') {
        return mouse(report, last);
    }
    // The answer about mode 2004: set now, or always.
    if last == b'y' && matches!(body, "?2004;1$" | "?2004;3$") {
        return Some(Input::MarksPastes);
    }
    let mut fields = body.split(';');
    let first = fields.next().unwrap_or_default();
    let second = fields.next().unwrap_or_default();
    let (with, kind) = modifiers(second)?;
    let named = |code| Some(Input::Key(KeyEvent::new_with_kind(code, with, kind)));
    match last {
        b'I' => Some(Input::Focus(true)),
        b'O' => Some(Input::Focus(false)),
        b'Z' => Some(key(KeyCode::BackTab, KeyModifiers::SHIFT)),
        // With parameters it is the answer to a question for the cursor.
        b'R' if !body.is_empty() => None,
        b'u' => keyboard(first, with, kind),
        b'~' if first == "27" => keyboard(fields.next().unwrap_or_default(), with, kind),
        b'~' => named(numbered(first.parse().ok()?)?),
        _ => named(lettered(last)?),
    }
}

/// The second parameter: `1 + bits`, and after a colon 1 press, 2 repeat, 3 release.
fn modifiers(field: &str) -> Option<(KeyModifiers, KeyEventKind)> {
    let mut parts = field.split(':');
    let bits = parts.next().and_then(|text| text.parse::<u8>().ok());
    let bits = bits.unwrap_or(1).saturating_sub(1);
    let table = [
        (1, KeyModifiers::SHIFT),
        (2, KeyModifiers::ALT),
        (4, KeyModifiers::CONTROL),
        (8, KeyModifiers::SUPER),
        (16, KeyModifiers::HYPER),
        (32, KeyModifiers::META),
    ];
    let set = table.iter().filter(|(bit, _)| bits & bit != 0);
    let with = set.fold(KeyModifiers::NONE, |all, (_, one)| all | *one);
    match parts.next() {
        Some("3") => None,
        Some("2") => Some((with, KeyEventKind::Repeat)),
        _ => Some((with, KeyEventKind::Press)),
    }
}

fn lettered(last: u8) -> Option<KeyCode> {
    Some(match last {
        b'A' => KeyCode::Up,
        b'B' => KeyCode::Down,
        b'C' => KeyCode::Right,
        b'D' => KeyCode::Left,
        b'H' => KeyCode::Home,
        b'F' => KeyCode::End,
        b'P' => KeyCode::F(1),
        b'Q' => KeyCode::F(2),
        b'R' => KeyCode::F(3),
        b'S' => KeyCode::F(4),
        _ => return None,
    })
}

fn numbered(number: u8) -> Option<KeyCode> {
    Some(match number {
        1 | 7 => KeyCode::Home,
        2 => KeyCode::Insert,
        3 => KeyCode::Delete,
        4 | 8 => KeyCode::End,
        5 => KeyCode::PageUp,
        6 => KeyCode::PageDown,
        11..=15 => KeyCode::F(number - 10),
        17..=21 => KeyCode::F(number - 11),
        23..=26 => KeyCode::F(number - 12),
        28..=29 => KeyCode::F(number - 13),
        31..=34 => KeyCode::F(number - 14),
        _ => return None,
    })
}

/// A key of the keyboard protocol: its code point, or a number of the private area for keys without one.
fn keyboard(field: &str, with: KeyModifiers, kind: KeyEventKind) -> Option<Input> {
    let code: u32 = field.split(':').next()?.parse().ok()?;
    let code = match code {
        27 => KeyCode::Esc,
        13 | 57414 => KeyCode::Enter,
        9 if with.contains(KeyModifiers::SHIFT) => KeyCode::BackTab,
        9 => KeyCode::Tab,
        127 => KeyCode::Backspace,
        57399..=57408 => KeyCode::Char(char::from(b'0' + (code - 57399) as u8)),
        57409..=57413 => KeyCode::Char(['.', '/', '*', '-', '+'][(code - 57409) as usize]),
        57415 => KeyCode::Char('='),
        57417 => KeyCode::Left,
        57418 => KeyCode::Right,
        57419 => KeyCode::Up,
        57420 => KeyCode::Down,
        57421 => KeyCode::PageUp,
        57422 => KeyCode::PageDown,
        57423 => KeyCode::Home,
        57424 => KeyCode::End,
        57425 => KeyCode::Insert,
        57426 => KeyCode::Delete,
        57376..=57398 => KeyCode::F((code - 57376) as u8 + 13),
        57344.. => return None,
        _ => match char::from_u32(code)? {
            c if with.contains(KeyModifiers::SHIFT) => KeyCode::Char(c.to_ascii_uppercase()),
            c => KeyCode::Char(c),
        },
    };
    Some(Input::Key(KeyEvent::new_with_kind(code, with, kind)))
}

/// `esc O letter`: keys of the application keypad.
fn single_shift(byte: u8) -> Option<Input> {
    let code = match byte {
        b'M' => KeyCode::Enter,
        b'j'..=b'y' => KeyCode::Char(char::from(byte - b'j' + b'*')),
        _ => lettered(byte)?,
    };
    Some(key(code, KeyModifiers::NONE))
}

/// An answer of the terminal (colours, version): swallowed up to its end, never typed.
fn string(bytes: &[u8]) -> Step {
    let body = &bytes[2..];
    let end = body.iter().position(|byte| matches!(byte, 0x07 | 0x1b));
    match end {
        Some(end) if body[end] == 0x07 => Step::Done(end + 3, None),
        Some(end) if end + 1 == body.len() => Step::More,
        Some(end) if body[end + 1] == b'\\' => Step::Done(end + 4, None),
        Some(end) => Step::Done(end + 2, None),
        None if LONGEST_SEQUENCE < body.len() => Step::Done(bytes.len(), None),
        None => Step::More,
    }
}

/// `esc [ < bits ; column ; row M`, with `m` for a release.
fn mouse(report: &str, last: u8) -> Option<Input> {
    let mut numbers = report.split(';').map(|text| text.parse::<u16>().ok());
    let bits = numbers.next()??;
    let column = numbers.next()??.checked_sub(1)?;
    let row = numbers.next()??.checked_sub(1)?;
    let button = match bits & 3 {
        0 => Some(MouseButton::Left),
        1 => Some(MouseButton::Middle),
        2 => Some(MouseButton::Right),
        _ => None,
    };
    let kind = match (bits & 0b1110_0000, button) {
        (64, Some(MouseButton::Left)) => MouseEventKind::ScrollUp,
        (64, Some(MouseButton::Middle)) => MouseEventKind::ScrollDown,
        (64, Some(MouseButton::Right)) => MouseEventKind::ScrollLeft,
        (64, None) => MouseEventKind::ScrollRight,
        (32, Some(button)) => MouseEventKind::Drag(button),
        (32, None) => MouseEventKind::Moved,
        (0, Some(button)) if last == b'M' => MouseEventKind::Down(button),
        (0, Some(button)) if last == b'm' => MouseEventKind::Up(button),
        _ => return None,
    };
    let table = [
        (4, KeyModifiers::SHIFT),
        (8, KeyModifiers::ALT),
        (16, KeyModifiers::CONTROL),
    ];
    let set = table.iter().filter(|(bit, _)| bits & bit != 0);
    let modifiers = set.fold(KeyModifiers::NONE, |all, (_, one)| all | *one);
    Some(Input::Mouse(MouseEvent {
        kind,
        column,
        row,
        modifiers,
    }))
}

fn character(c: char, with: KeyModifiers) -> Input {
    let shift = if c.is_uppercase() {
        KeyModifiers::SHIFT
    } else {
        KeyModifiers::NONE
    };
    key(KeyCode::Char(c), with | shift)
}

fn key(code: KeyCode, with: KeyModifiers) -> Input {
    Input::Key(KeyEvent::new(code, with))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The inputs in words, so that a row fits a line.
    fn words(inputs: &[Input]) -> String {
        let word = |input: &Input| match input {
            Input::Key(event) => {
                let mut text = String::new();
                for (bit, name) in [
                    (KeyModifiers::CONTROL, "ctrl-"),
                    (KeyModifiers::ALT, "alt-"),
                    (KeyModifiers::SHIFT, "shift-"),
                ] {
                    if event.modifiers.contains(bit) {
                        text += name;
                    }
                }
                if event.kind == KeyEventKind::Repeat {
                    text += "again-";
                }
                match event.code {
                    KeyCode::Char(' ') => text += "space",
                    KeyCode::Char(c) => text.push(c),
                    KeyCode::F(n) => text += &format!("F{n}"),
                    code => text += &format!("{code:?}").to_lowercase(),
                }
                text
            }
            Input::Mouse(event) => format!("{:?}@{},{}", event.kind, event.column, event.row),
            Input::Paste(bytes) => format!("paste<{}>", bytes.escape_ascii()),
            Input::StrayEnd => "stray".into(),
            Input::MarksPastes => "marks".into(),
            Input::Focus(here) => format!("focus-{here}"),
        };
        inputs.iter().map(word).collect::<Vec<_>>().join(" ")
    }

    const ROWS: &[(&[u8], &str)] = &[
        (b"a", "a"),
        (b"A", "shift-A"),
        ("日".as_bytes(), "日"),
        (b"\xff\xc3(", "("),
        (b"\r", "enter"),
        (b"\n", "ctrl-j"),
        (b"\t", "tab"),
        (b"\x1b[Z", "shift-backtab"),
        (b"\x7f", "backspace"),
        (b"\x03\x1a\x0c\x10", "ctrl-c ctrl-z ctrl-l ctrl-p"),
        (b"\x00", "ctrl-space"),
        (b"\x1bx", "alt-x"),
        (b"\x1b\x1bx", "esc alt-x"),
        (
            b"\x1b\x03\x1b\r\x1b\x7f",
            "esc ctrl-c alt-enter alt-backspace",
        ),
        (b"\x1b[A\x1b[B\x1bOC\x1bOD", "up down right left"),
        (b"\x1b[1;5C", "ctrl-right"),
        (
            b"\x1b[H\x1b[F\x1b[1~\x1b[4~\x1b[5~\x1b[6~",
            "home end home end pageup pagedown",
        ),
        (
            b"\x1bOP\x1b[11~\x1b[[A\x1b[15~\x1b[24~\x1b[P",
            "F1 F1 F1 F5 F12 F1",
        ),
        // The keyboard protocol, with presses, repeats and releases.
        (
            b"\x1b[27u\x1b[99;5u\x1b[13u\x1b[97;6u",
            "esc ctrl-c enter ctrl-shift-A",
        ),
        (b"\x1b[106;1:2u\x1b[106;1:3u\x1b[57416u", "again-j"),
        (b"\x1b[1;1:3A", ""),
        // Mouse.
        (b"\x1b[<0;5;3M\x1b[<0;5;3m", "Down(Left)@4,2 Up(Left)@4,2"),
        (
            b"\x1b[<64;1;1M\x1b[<65;1;1M\x1b[<32;9;9M",
            "ScrollUp@0,0 ScrollDown@0,0 Drag(Left)@8,8",
        ),
        (b"\x1b[<0;0;3M\x1b[<;;M\x1b[<999999;1;1M", ""),
        (b"\x1b[I\x1b[O", "focus-true focus-false"),
        // Pastes: control codes are text in there, an end marker inside leaves a stray one behind.
        (
            b"\x1b[200~a\x03\x1b[A\r\n\x1b[201~b",
            "paste<a\\x03\\x1b[A\\r\\n> b",
        ),
        (b"\x1b[200~\x1b[201~", "paste<>"),
        (b"\x1b[200~a\x1b[201~q\x1b[201~", "paste<a> q stray"),
        // Answers to questions are never keys.
        (b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\j", "j"),
        (b"\x1b]11;rgb:0000/0000/0000\x07j", "j"),
        (b"\x1bP1$r0m\x1b\\\x1b_Gok\x1b\\j", "j"),
        (b"\x1b[?62;4c\x1b[12;40R\x1b[?2026;2$yj", "j"),
        // Whether pastes are marked: set, always set; and not known, not set, never set.
        (b"\x1b[?2004;1$y\x1b[?2004;3$yj", "marks marks j"),
        (b"\x1b[?2004;0$y\x1b[?2004;2$y\x1b[?2004;4$yj", "j"),
        // Broken sequences fall away, what follows is read.
        (b"\x1b[1;\x1b[Aj", "up j"),
        (b"\x1b[99999~j", "j"),
    ];

    #[test]
    fn bytes_become_inputs() {
        for (bytes, want) in ROWS {
            let mut out = Vec::new();
            Decoder::default().feed(bytes, &mut out);
            assert_eq!(words(&out), *want, "{}", bytes.escape_ascii());
        }
    }

    #[test]
    fn the_cut_between_two_reads_makes_no_difference() {
        for (bytes, want) in ROWS {
            for cut in 0..=bytes.len() {
                let mut out = Vec::new();
                let mut decoder = Decoder::default();
                decoder.feed(&bytes[..cut], &mut out);
                decoder.feed(&bytes[cut..], &mut out);
                assert_eq!(words(&out), *want, "{} at {cut}", bytes.escape_ascii());
            }
        }
    }

    #[test]
    fn waiting_in_vain_gives_what_there_is() {
        let rows: &[(&[u8], &str)] = &[
            (b"\x1b", "esc"),
            (b"\x1bO", "alt-shift-O"),
            (b"\x1b]", "alt-]"),
            (b"\x1b[", "alt-["),
            (b"\x1b]11;rgb", ""),
            (b"\x1b[200~half", "paste<half>"),
        ];
        for (bytes, want) in rows {
            let mut out = Vec::new();
            let mut decoder = Decoder::default();
            decoder.feed(bytes, &mut out);
            assert!(out.is_empty() && decoder.waits());
            decoder.give_up(&mut out);
            assert_eq!(words(&out), *want, "{}", bytes.escape_ascii());
            assert!(!decoder.waits());
        }
    }

    #[test]
    fn no_bytes_make_it_panic() {
        // Every pair and triple out of the bytes that steer the decoder.
        let bytes = b"\x1b[O]<;:MmuR~?12\x00\x07\x80\xc3\xf0\\";
        let mut out = Vec::new();
        for a in bytes {
            for b in bytes {
                for c in bytes {
                    for d in bytes {
                        let mut decoder = Decoder::default();
                        decoder.feed(&[0x1b, *a, *b, *c, *d, b'M'], &mut out);
                        decoder.give_up(&mut out);
                    }
                }
            }
        }
    }
}
