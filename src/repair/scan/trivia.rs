//! What stands between tokens: white space, comments, invisible characters.

use super::*;

/// What a piece of trivia is, and where it ends.
pub(super) enum Trivia {
    /// White space of RFC 8259.
    White(usize),
    /// A comment, without its line break. `true` where it never ends.
    Comment(usize, bool),
    /// An invisible character; `true` where a space has to stay in its place.
    Noise(usize, bool),
    /// A literal `\n`, `\r` or `\t` between tokens.
    Escape(usize),
}

impl Scanner<'_> {
    /// Steps over white space, and with the rules over comments and invisible characters.
    pub(super) fn trivia(&mut self) -> Scan<()> {
        loop {
            self.white();
            match self.byte(self.at) {
                Some(byte) if begins_trivia(byte) => {}
                _ => return Ok(()),
            }
            if !self.odd_trivia()? {
                return Ok(());
            }
        }
    }

    #[inline]
    pub(super) fn white(&mut self) {
        self.at = self.white_end(self.at);
    }

    /// Behind the white space at `at`.
    #[inline]
    pub(super) fn white_end(&self, mut at: usize) -> usize {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.byte(at) {
            at += 1;
        }
        at
    }

    /// Takes one comment or one run of invisible characters. `false` where there is none.
    #[cold]
    fn odd_trivia(&mut self) -> Scan<bool> {
        let start = self.at;
        match self.trivia_at(start) {
            None => return Ok(false),
            Some(Trivia::White(end)) => self.at = end,
            Some(Trivia::Comment(end, open)) => {
                let rule = if leaves_out(self.text, start, end) {
                    Rule::ElisionComment
                } else {
                    Rule::Comment
                };
                self.need(rule, start, end, self.due())?;
                if open {
                    if !self.stack.is_empty() {
                        self.need(Rule::CutOff, start, end, Expected::CommaOrCloser)?;
                    }
                } else if self.trivia_ends(end) && self.swallows_closers(start, end) {
                    return Err(self.refuse(start, end, self.due(), Why::Syntax));
                }
                self.edit(rule, start, end, "");
                self.at = end;
            }
            Some(Trivia::Noise(end, space)) => {
                let (mut end, mut space) = (end, space);
                while let Some(Trivia::Noise(next, wide)) = self.trivia_at(end) {
                    (end, space) = (next, space || wide);
                }
                let rule = if start == 0 && self.text.starts_with('\u{feff}') && end == 3 {
                    Rule::ByteOrderMark
                } else {
                    Rule::TokenNoise
                };
                self.need(rule, start, end, self.due())?;
                self.edit(rule, start, end, if space { " " } else { "" });
                self.at = end;
            }
            Some(Trivia::Escape(end)) => {
                let mut end = end;
                while let Some(Trivia::Escape(next)) = self.trivia_at(end) {
                    end = next;
                }
                self.need(Rule::EscapedDocument, start, end, self.due())?;
                self.edit(Rule::EscapedDocument, start, end, " ");
                self.at = end;
            }
        }
        Ok(true)
    }

    /// A line comment to the end of the text whose own last character would close what is open: it may be no comment.
    fn swallows_closers(&self, start: usize, end: usize) -> bool {
        let last = self.text[start..end].trim_end().chars().next_back();
        !self.stack.is_empty() && matches!(last, Some('}' | ']'))
    }

    /// Whether the trivia from `from` on is a last comment that swallows the closers of what is open.
    pub(super) fn comment_swallows(&self, from: usize) -> bool {
        let mut at = from;
        while let Some(trivia) = self.trivia_at(at) {
            let (Trivia::White(end)
            | Trivia::Comment(end, _)
            | Trivia::Noise(end, _)
            | Trivia::Escape(end)) = trivia;
            let last = matches!(trivia, Trivia::Comment(..)) && self.trivia_ends(end);
            if last && self.swallows_closers(at, end) {
                return true;
            }
            at = end;
        }
        false
    }

    /// Whether nothing but white space follows.
    fn trivia_ends(&self, from: usize) -> bool {
        self.rest(from)
            .trim_start_matches([' ', '\n', '\r', '\t'])
            .is_empty()
    }

    /// What trivia begins at `at`.
    pub(super) fn trivia_at(&self, at: usize) -> Option<Trivia> {
        let rest = &self.bytes[at..self.limit];
        Some(match *rest.first()? {
            b' ' | b'\n' | b'\r' | b'\t' => {
                let white = rest
                    .iter()
                    .take_while(|byte| matches!(byte, b' ' | b'\n' | b'\r' | b'\t'))
                    .count();
                Trivia::White(at + white)
            }
            b'/' if rest.starts_with(b"//") => Trivia::Comment(self.line_end(at), false),
            b'/' if rest.starts_with(b"/*") => match memchr::memmem::find(&rest[2..], b"*/") {
                Some(found) => Trivia::Comment(at + found + 4, false),
                None => Trivia::Comment(self.limit, true),
            },
            b'#' if !self.is_hash_value(at) => Trivia::Comment(self.line_end(at), false),
            b'<' if rest.starts_with(b"<!--") => match memchr::memmem::find(rest, b"-->") {
                Some(found) => Trivia::Comment(at + found + 3, false),
                None => return None,
            },
            b'\\' => match rest.get(1) {
                Some(b'n' | b'r' | b't')
                    if !rest.get(2).is_some_and(|byte| byte.is_ascii_alphanumeric()) =>
                {
                    Trivia::Escape(at + 2)
                }
                Some(b'n' | b'r' | b't') if rest.get(2).is_some_and(u8::is_ascii_digit) => {
                    Trivia::Escape(at + 2)
                }
                _ => return None,
            },
            // Control characters say nothing between tokens; ESC begins a sequence, which is more than one byte.
            0..=0x08 | 0x0B | 0x0C | 0x0E..=0x1A | 0x1C..=0x1F | 0x7F => {
                Trivia::Noise(at + 1, false)
            }
            0x80.. => {
                let character = self.text[at..].chars().next()?;
                let end = at + character.len_utf8();
                if end > self.limit {
                    return None;
                }
                match character {
                    '\u{200B}'..='\u{200F}'
                    | '\u{2060}'..='\u{2064}'
                    | '\u{FEFF}'
                    | '\u{00AD}'
                    | '\u{180E}'
                    | '\u{202A}'..='\u{202E}'
                    | '\u{2066}'..='\u{2069}' => Trivia::Noise(end, false),
                    '\u{85}'
                    | '\u{A0}'
                    | '\u{1680}'
                    | '\u{2000}'..='\u{200A}'
                    | '\u{2028}'
                    | '\u{2029}'
                    | '\u{202F}'
                    | '\u{205F}'
                    | '\u{3000}' => Trivia::Noise(end, true),
                    _ => return None,
                }
            }
            _ => return None,
        })
    }

    /// Where a value is due, `#fff` is a bare word and `# note` a comment. Without a space it is the one or the other by
    /// what follows on its line and on the next.
    fn is_hash_value(&self, at: usize) -> bool {
        self.value_due && self.reads_as_hash_value(at)
    }

    fn reads_as_hash_value(&self, at: usize) -> bool {
        let Some(frame) = self.stack.top() else {
            return false;
        };
        let rest = self.rest(at + 1);
        let word = rest
            .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-')))
            .unwrap_or(rest.len());
        if word == 0 {
            return false;
        }
        let line = &self.line_near(at)[1..];
        let behind = line[word..].trim_start();
        // No comments are stepped over here: a thousand lines of them would go a thousand calls deep.
        let below = || self.byte(self.white_end(self.line_end(at)));
        if frame.is_object() {
            return match behind.chars().next() {
                Some(next) => matches!(next, ',' | '}'),
                None => matches!(below(), None | Some(b',' | b'}' | b'"' | b'\'')),
            };
        }
        let colour = matches!(word, 3 | 4 | 6 | 8)
            && rest[..word].bytes().all(|byte| byte.is_ascii_hexdigit());
        let separated = match behind.chars().next() {
            Some(next) => matches!(next, ',' | ']'),
            None => matches!(below(), Some(b',' | b']')),
        };
        colour && separated || line.trim_end().ends_with([']', '}'])
    }

    /// Whether a value such as `#fff` follows a comma or an opening bracket in an array.
    pub(super) fn hash_value_follows(&self, from: usize) -> bool {
        let rest = self.rest(from);
        let white = rest.len() - rest.trim_start_matches([' ', '\n', '\r', '\t']).len();
        self.byte(from + white) == Some(b'#') && self.reads_as_hash_value(from + white)
    }

    /// The end of the line that holds `at`, before its line break.
    pub(super) fn line_end(&self, at: usize) -> usize {
        let (from, mut end) = self.line.get();
        // Asked again and again on one long line, so each line is searched once.
        if !(from..=end).contains(&at) {
            let found = memchr::memchr(b'\n', &self.bytes[at..]);
            end = found.map_or(self.bytes.len(), |found| at + found);
            self.line.set((at, end));
        }
        let end = end.min(self.limit).max(at);
        if end > at && self.bytes[end - 1] == b'\r' {
            end - 1
        } else {
            end
        }
    }

    /// Where the next token begins, comments and invisible characters stepped over. Changes nothing.
    pub(super) fn peek(&self, from: usize) -> usize {
        let mut at = from;
        loop {
            at = self.white_end(at);
            match self.byte(at) {
                Some(byte) if begins_trivia(byte) => {}
                _ => return at,
            }
            match self.trivia_at(at) {
                Some(
                    Trivia::White(end)
                    | Trivia::Comment(end, _)
                    | Trivia::Noise(end, _)
                    | Trivia::Escape(end),
                ) => at = end,
                None => return at,
            }
        }
    }
}

/// Whether trivia other than white space can begin with a byte.
const fn begins_trivia(byte: u8) -> bool {
    matches!(byte, b'/' | b'#' | b'\\' | b'<' | 0..=0x1A | 0x1C..=0x1F | 0x7F..)
}

/// What comments say in place of items, where no ellipsis begins them: in lower case.
const LEFT_OUT: &[&str] = &[
    "omitted",
    "truncated",
    "unchanged",
    "same as above",
    "same as before",
    "rest of",
    "remaining",
    "existing code",
    "other fields",
    "other items",
    "more items",
    "more fields",
    "more entries",
    "and so on",
    "for brevity",
    "left out",
    "snip",
    "etc.",
];

/// Whether the comment from `start` to `end` says that something was left out: by its ellipsis, or in words where the
/// items would stand, before the closer.
pub(super) fn leaves_out(text: &str, start: usize, end: usize) -> bool {
    let comment = &text[start..end];
    if is_elision(comment) {
        return true;
    }
    let next = text.as_bytes()[end..]
        .iter()
        .find(|byte| !matches!(byte, b' ' | b'\n' | b'\r' | b'\t'));
    if !matches!(next, Some(b']' | b'}')) || 200 < comment.len() {
        return false;
    }
    says_left_out(comment.as_bytes())
}

/// Whether any of [`LEFT_OUT`] stands in a comment. Most pairs of letters begin none of them, and comments are many.
fn says_left_out(comment: &[u8]) -> bool {
    /// For each first letter the second ones, by their low five bits, which are the same in both cases.
    const BEGINS: [u32; 256] = {
        let mut table = [0; 256];
        let mut index = 0;
        while index < LEFT_OUT.len() {
            let words = LEFT_OUT[index].as_bytes();
            let second = 1 << (words[1] & 31);
            table[words[0] as usize] |= second;
            table[words[0].to_ascii_uppercase() as usize] |= second;
            index += 1;
        }
        table
    };
    let begins = |pair: &[u8]| BEGINS[pair[0] as usize] >> (pair[1] & 31) & 1 == 1;
    let stands = |rest: &[u8], words: &&str| {
        rest.get(..words.len())
            .is_some_and(|text| text.eq_ignore_ascii_case(words.as_bytes()))
    };
    comment.windows(2).enumerate().any(|(at, pair)| {
        begins(pair) && LEFT_OUT.iter().any(|words| stands(&comment[at..], words))
    })
}

/// Whether a comment begins with an ellipsis.
fn is_elision(comment: &str) -> bool {
    let sign = |byte: &u8| {
        !matches!(
            byte,
            b'/' | b'*' | b'#' | b'<' | b'!' | b'-' | b' ' | b'\t' | b'\n' | b'\r'
        )
    };
    let text = comment.bytes().position(|byte| sign(&byte));
    let text = text.map_or("", |at| &comment[at..]);
    text.starts_with("...") || text.starts_with('…')
}
