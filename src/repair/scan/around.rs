//! What stands around the value, piece by piece: fences, tags, thoughts, program code, sentences.

use super::candidates::Candidate;
use super::outside::Side;
use super::*;

/// A code fence.
pub(super) struct Fence {
    /// How many back quotes or tildes.
    pub(super) len: usize,
    /// Where its content begins: behind the info string.
    pub(super) content: usize,
    /// Whether nothing but the info string stands on its line.
    pub(super) opens_line: bool,
}

/// Tags in which a model thinks aloud.
const THINKING: [&str; 5] = ["think", "thinking", "thought", "reasoning", "scratchpad"];

/// Tags that hold one call each.
const CALL_TAGS: [&str; 4] = ["tool_call", "tool_use", "function_call", "function"];

/// Words before a value that only carry it.
const CARRIERS: [&str; 6] = [
    "return",
    "export default",
    "while(1);",
    "for(;;);",
    ")]}',",
    "=",
];

/// Calls around a value that make something else of it.
const COLLECTIONS: [&str; 13] = [
    "OrderedDict",
    "defaultdict",
    "Counter",
    "deque",
    "set",
    "frozenset",
    "Set",
    "Map",
    "WeakMap",
    "sorted",
    "reversed",
    "len",
    "str",
];

/// Most closing tags that are looked at.
const MOST_TAGS: usize = 16;

impl Scanner<'_> {
    /// Takes off all text of `[from, to)`, naming what each piece is.
    pub(super) fn outside(
        &mut self,
        from: usize,
        to: usize,
        side: Side,
        around: Option<FixId>,
    ) -> Scan<()> {
        let mut at = from;
        let mut code = around;
        let mut fence = self.fence_fix;
        while at < to {
            let rest = &self.text[at..to];
            let white = rest.len() - rest.trim_start_matches([' ', '\n', '\r', '\t']).len();
            if white == rest.len() {
                break;
            }
            let start = at + white;
            let (end, rule) = self.piece(start, to, side, code.is_some());
            if rule == Rule::ProseAround
                && (reads_as_value(&self.text[start..end]) || self.is_other_call(start, end))
            {
                // `{"a": 1} 5`: as good a value as the other one, and nothing says which is meant.
                return Err(self.refuse(start, end, Expected::End, Why::SeveralValues));
            }
            self.need(
                rule,
                start,
                end,
                if side == Side::Before {
                    Expected::Value
                } else {
                    Expected::End
                },
            )?;
            let fix = match rule {
                Rule::CodeFence => *fence.get_or_insert_with(|| self.edits.next_fix()),
                Rule::CodeAround => *code.get_or_insert_with(|| self.edits.next_fix()),
                _ => self.edits.next_fix(),
            };
            let trailing = self.text[end..to].len()
                - self.text[end..to]
                    .trim_start_matches([' ', '\n', '\r', '\t'])
                    .len();
            match side {
                Side::Before => self.edit_as(fix, rule, at, end + trailing, ""),
                Side::After => self.edit_as(fix, rule, at, end, ""),
            }
            at = if side == Side::Before {
                end + trailing
            } else {
                end
            };
        }
        self.fence_fix = fence;
        self.open_around = code;
        self.at = to;
        Ok(())
    }

    /// `<tool_call>read</tool_call>`: a text outside the value fills the tag of a call, so it is a call of its own.
    fn is_other_call(&self, start: usize, end: usize) -> bool {
        let before = self.text[..start].trim_end();
        CALL_TAGS.iter().any(|name| {
            let opens = before
                .strip_suffix('>')
                .and_then(|tag| tag.strip_suffix(name))
                .is_some_and(|tag| tag.ends_with('<'));
            let closes = self.text[end..]
                .trim_start()
                .strip_prefix("</")
                .is_some_and(|tag| tag.starts_with(name));
            opens && closes
        })
    }

    /// The piece of outside text at `at`: where it ends and which rule takes it off.
    fn piece(&self, at: usize, to: usize, side: Side, in_code: bool) -> (usize, Rule) {
        let rest = &self.text[at..to];
        if let Some(end) = self.thinking_end(at).filter(|end| *end <= to) {
            return (end, Rule::Thinking);
        }
        if self.is_fence(at) {
            let fence = self.fence(at);
            return (self.fence_line_end(at, fence.len, to), Rule::CodeFence);
        }
        if let Some(len) = tag_len(rest) {
            return (at + len, Rule::ToolMarkup);
        }
        match self.trivia_at(at) {
            Some(super::trivia::Trivia::Comment(end, false)) if !rest.starts_with('#') => {
                return (end.min(to), Rule::Comment);
            }
            Some(super::trivia::Trivia::Noise(mut end, _)) => {
                while let Some(super::trivia::Trivia::Noise(next, _)) = self.trivia_at(end) {
                    end = next;
                }
                let rule = if at == 0 && rest.starts_with('\u{feff}') && end == 3 {
                    Rule::ByteOrderMark
                } else {
                    Rule::TokenNoise
                };
                return (end.min(to), rule);
            }
            Some(super::trivia::Trivia::Escape(end)) => {
                return (end.min(to), Rule::EscapedDocument);
            }
            _ => {}
        }
        let first = rest.as_bytes()[0];
        if side == Side::After {
            match first {
                b';' => return (at + 1, Rule::FinalSemicolon),
                b',' => return (at + 1, Rule::TrailingComma),
                b')' if in_code => return (at + 1, Rule::CodeAround),
                b'}' | b']' | b')' => return (at + 1, Rule::SurplusCloser),
                b'{' | b'[' if rest.trim_end().len() == 1 => return (at + 1, Rule::CutOff),
                _ => {}
            }
        } else if in_code {
            return (at + rest.trim_end().len(), Rule::CodeAround);
        }
        (self.prose_end(at, to), Rule::ProseAround)
    }

    /// Prose runs to the next fence, tag or thought.
    fn prose_end(&self, at: usize, to: usize) -> usize {
        for (index, byte) in self.bytes[at + 1..to].iter().enumerate() {
            let place = at + 1 + index;
            let ends = match byte {
                b'<' => {
                    tag_len(&self.text[place..to]).is_some() || self.thinking_end(place).is_some()
                }
                b'`' | b'~' => self.is_fence(place),
                _ => false,
            };
            if ends {
                return at + self.text[at..place].trim_end().len();
            }
        }
        at + self.text[at..to].trim_end().len()
    }

    /// Where the closing tags and model tokens at the end of the text begin: a value that is cut off ends before them. A
    /// tag counts only where its opener stands before the first bracket, since a string may hold others.
    pub(super) fn before_closing_tags(&self) -> usize {
        let head = &self.text[..self.text.find(['{', '[']).unwrap_or(0)];
        let mut end = self.limit;
        for _ in 0..MOST_TAGS {
            let text = self.text[..end].trim_end();
            let bracket = if text.ends_with('>') { '<' } else { '[' };
            let Some(open) = text
                .strip_suffix(['>', ']'])
                .and_then(|inner| inner.rfind(bracket))
                .filter(|open| 0 < *open && tag_len(&text[*open..]) == Some(text.len() - open))
            else {
                break;
            };
            let tag = &text[open..];
            let token = tag[1..].starts_with(['|', '｜']) || matches!(tag, "</s>" | "<eos>");
            let closes = tag[1..tag.len() - 1].strip_prefix('/').is_some_and(|name| {
                // What stands in a thinking block is no value.
                if THINKING.contains(&name) {
                    return false;
                }
                let before = if bracket == '<' { head } else { &text[..open] };
                before.contains(&format!("{bracket}{name}"))
            });
            if !(token || closes) {
                break;
            }
            end = text[..open].len();
        }
        end
    }

    /// Program code that carries the value: gives the fix for its pieces.
    pub(super) fn code_around(&mut self, found: Candidate) -> Scan<Option<FixId>> {
        let head = self.peek(0).min(found.start);
        let before = self.text[head..found.start].trim();
        if before.is_empty() {
            return Ok(None);
        }
        let after = self.text[found.end..].trim_start();
        let identifier = |text: &str| {
            let text = text.trim();
            !text.is_empty()
                && text
                    .chars()
                    .all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '.'))
                && !text.starts_with(|c: char| c.is_ascii_digit())
        };
        if let Some(open) = before.find('(') {
            let (name, arguments) = before.split_at(open);
            // What these make of their argument is another value.
            let made = name.trim().trim_start_matches("new ").rsplit('.').next();
            if arguments == "(" && made.is_some_and(|made| COLLECTIONS.contains(&made)) {
                return Err(self.refuse(head, head + name.len(), Expected::Value, Why::Code));
            }
            if identifier(name) && arguments.len() > 1 && before.ends_with(',') {
                return Err(self.refuse(head, head + name.len(), Expected::Value, Why::Code));
            }
        }
        let call = before.strip_suffix('(').is_some_and(|name| {
            name.trim().is_empty() || identifier(name) || assigned(name, identifier)
        });
        let assignment = before
            .strip_suffix('=')
            .is_some_and(|name| assigned_name(name, identifier));
        let carrier = CARRIERS.contains(&before);
        let is_code = (call
            && (after.starts_with([')', ',']) || after.is_empty() || self.limit == found.end))
            || assignment
            || carrier;
        if !is_code {
            return Ok(None);
        }
        self.need(
            Rule::CodeAround,
            head,
            self.token_end(head),
            Expected::Value,
        )?;
        Ok(Some(self.edits.next_fix()))
    }

    /// Behind a closed thinking block that begins at `at`.
    pub(super) fn thinking_end(&self, at: usize) -> Option<usize> {
        let rest = self.rest(at).strip_prefix('<')?;
        let name = THINKING.iter().find(|name| {
            rest.strip_prefix(**name)
                .is_some_and(|rest| rest.starts_with(['>', ' ']))
        })?;
        let close = format!("</{name}>");
        // Whether any closing tag follows is asked once, so that a thousand openers cost no thousand searches.
        let last = *self.last_thought.get_or_init(|| {
            THINKING
                .iter()
                .filter_map(|name| self.text.rfind(&format!("</{name}>")))
                .max()
                .unwrap_or(0)
        });
        if last <= at {
            return None;
        }
        rest.find(&close).map(|found| at + 1 + found + close.len())
    }

    /// Whether a code fence stands at `at`: at the start of a line, or of the text, quote marks allowed.
    pub(super) fn is_fence(&self, at: usize) -> bool {
        let rest = self.rest(at);
        if !(rest.starts_with("```") || rest.starts_with("~~~"))
            || (at > 0 && self.bytes[at - 1] == self.bytes[at])
        {
            return false;
        }
        let line_start = memchr::memrchr(b'\n', &self.bytes[..at]).map_or(0, |lf| lf + 1);
        let before = &self.text[line_start..at];
        before.trim_matches([' ', '\t', '>', '\u{feff}']).is_empty()
            || before.trim_end().ends_with(['}', ']', ':'])
    }

    /// The fence at `at`.
    pub(super) fn fence(&self, at: usize) -> Fence {
        let mark = self.bytes[at];
        let len = self.bytes[at..self.limit]
            .iter()
            .take_while(|byte| **byte == mark)
            .count();
        let info = at + len;
        let line_end = self.line_end(info);
        let line = &self.text[info..line_end];
        let spaces = line.len() - line.trim_start_matches(' ').len();
        let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+' | '.');
        let word = spaces
            + line[spaces..]
                .find(|c| !is_word(c))
                .unwrap_or(line.len() - spaces);
        // Behind the word of the language: nothing, a file name, or attributes as `title="x"` and `{.class}`.
        let more = line[word..].trim();
        let value = matches!(&line[spaces..word], "true" | "false" | "null")
            || line[spaces..].starts_with(|c: char| c == '-' || c.is_ascii_digit());
        let attributes = spaces < word
            && (more.starts_with([':', ','])
                || more.starts_with("{.")
                || more.starts_with("{#")
                || more.find('=').is_some_and(|sign| {
                    more[..sign].chars().all(is_word) && !more.contains(['{', '`'])
                }));
        let opens_line = more.is_empty() && !(value && 0 < spaces) || attributes;
        let word = if opens_line || spaces == 0 { word } else { 0 };
        Fence {
            len,
            content: if opens_line { line_end } else { info + word },
            opens_line,
        }
    }

    /// The end of what belongs to a fence on its line.
    fn fence_line_end(&self, at: usize, len: usize, to: usize) -> usize {
        let fence = self.fence(at);
        debug_assert_eq!(fence.len, len);
        let mut end = fence.content.min(to);
        // `> ` of a quoted block goes with the fence.
        let rest = &self.text[end..to];
        let quoted = rest.trim_start_matches(['\r', '\n', ' ']);
        if quoted.starts_with('>') {
            end = to.min(end + (rest.len() - quoted.len()) + 1);
        }
        end
    }

    /// Where the last line that is nothing but a fence of at least `len` marks stands, from `from` on.
    pub(super) fn closing_fence(&mut self, from: usize, len: usize, mark: u8) -> Option<usize> {
        let fence: String = std::iter::repeat_n(mark as char, len).collect();
        let mut end = self.limit;
        loop {
            let found = memchr::memmem::rfind(&self.bytes[from..end], fence.as_bytes())? + from;
            if !self.pay(end - found) {
                return None;
            }
            let line_start = memchr::memrchr(b'\n', &self.bytes[..found]).map_or(0, |lf| lf + 1);
            let line = &self.text[line_start..self.line_end(found)];
            if line_start > from && line.trim_matches([' ', '\t', '>', mark as char]).is_empty() {
                return Some(line_start);
            }
            end = found;
        }
    }

    /// Behind the first line that is nothing but a fence of at least `len` marks, from `from` on.
    pub(super) fn first_closing_fence(
        &mut self,
        from: usize,
        len: usize,
        mark: u8,
    ) -> Option<usize> {
        let fence: String = std::iter::repeat_n(mark as char, len).collect();
        let mut at = from;
        loop {
            let found = memchr::memmem::find(&self.bytes[at..self.limit], fence.as_bytes())? + at;
            if !self.pay(found - at + len) {
                return None;
            }
            let line_start = memchr::memrchr(b'\n', &self.bytes[..found]).map_or(0, |lf| lf + 1);
            let line_end = self.line_end(found);
            if self.text[line_start..line_end]
                .trim_matches([' ', '\t', '>', mark as char])
                .is_empty()
            {
                return Some(line_end);
            }
            at = found + len;
        }
    }

    /// `[CONTENT]`, `[/INST]`, `{name}`, `[note]`: brackets round one word are no value.
    pub(super) fn is_label(&self, at: usize) -> bool {
        let rest = self.rest(at);
        let (open, close) = match rest.as_bytes() {
            [b'{', b'{', ..] => (2, "}}"),
            [b'{', ..] => (1, "}"),
            [b'[', ..] => (1, "]"),
            _ => return false,
        };
        let Some(end) = bounded(rest, 48).find(close).filter(|end| open <= *end) else {
            return false;
        };
        let word = rest[open..end].trim();
        let behind = end + close.len();
        if word.len() > 40 {
            return false;
        }
        if is_time(word) {
            return !self.rest(at + behind).trim().is_empty();
        }
        // `{0}` of a format; `[1]` could be a list.
        if open == 1 && close == "}" && word.bytes().all(|byte| byte.is_ascii_digit()) {
            return !word.is_empty() && !self.rest(at + behind).trim().is_empty();
        }
        let word = word.strip_prefix('/').unwrap_or(word);
        let plain = !word.is_empty()
            && word
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ' ' | '.'))
            && word.starts_with(char::is_alphabetic)
            && ![
                "true",
                "false",
                "null",
                "none",
                "nil",
                "nan",
                "infinity",
                "undefined",
            ]
            .iter()
            .any(|literal| word.eq_ignore_ascii_case(literal));
        // Alone it is a broken value; with text behind it is a label.
        plain && !self.rest(at + behind).trim().is_empty()
    }
}

/// `2024-01-01 10:00:00`, `10:00:00.123Z`, `10:00`: the time of a log line.
fn is_time(word: &str) -> bool {
    let bytes = word.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let mut signs = 0;
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'0'..=b'9' => {}
            b'-' | b':' if 0 < at && digit(at - 1) && digit(at + 1) => signs += 1,
            b'.' | b',' | b'+' | b'T' | b' ' if 0 < at && digit(at - 1) && digit(at + 1) => {}
            b'Z' if at + 1 == bytes.len() => {}
            _ => return false,
        }
    }
    let minutes = signs == 1 && bytes.len() == 5 && bytes[2] == b':';
    (2 <= signs || minutes) && digit(0)
}

/// Length of a tag or model token at the start of `text`.
pub(super) fn tag_len(text: &str) -> Option<usize> {
    for mark in ["<![CDATA[", "]]>"] {
        if text.starts_with(mark) {
            return Some(mark.len());
        }
    }
    if let Some(rest) = text.strip_prefix('<') {
        let close = bounded(rest, 200).find('>')?;
        let inner = &rest[..close];
        let token = (inner.starts_with('|') && inner.ends_with('|') && inner.len() > 1)
            || (inner.starts_with('｜') && inner.ends_with('｜'));
        let tag = inner
            .trim_start_matches('/')
            .starts_with(|c: char| c.is_alphabetic())
            && !inner.contains(['<', '{', '\n'])
            && close <= 200;
        return (token || tag).then_some(close + 2);
    }
    let rest = text.strip_prefix('[')?;
    let close = bounded(rest, 40).find(']')?;
    let word = rest[..close].strip_prefix('/').unwrap_or(&rest[..close]);
    let label = word.len() > 1 && word.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    label.then_some(close + 2)
}

/// `x = f`: an assignment whose value is a call.
fn assigned(text: &str, identifier: impl Fn(&str) -> bool) -> bool {
    text.split_once('=')
        .is_some_and(|(name, call)| assigned_name(name, &identifier) && identifier(call))
}

/// `const x`, `window.y`, `module.exports`: what can stand before `=`.
fn assigned_name(text: &str, identifier: impl Fn(&str) -> bool) -> bool {
    let name = text.trim();
    let name = ["const ", "let ", "var ", "export const ", "my "]
        .iter()
        .find_map(|word| name.strip_prefix(word))
        .unwrap_or(name);
    identifier(name)
}

/// The first `most` bytes of a text, cut back to a character border.
fn bounded(text: &str, most: usize) -> &str {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Whether a text outside the value is a scalar of its own, or several: JSON ones, or strings in single quotes.
fn reads_as_value(text: &str) -> bool {
    if text.contains(',') && text.len() <= 4096 && super::taken::is_list_of_scalars(text) {
        return true;
    }
    let quoted = text.len() > 1
        && text.starts_with('\'')
        && text.ends_with('\'')
        && text.matches('\'').count() == 2;
    quoted || text.len() <= 4096 && check(text) == Verdict::Valid
}
