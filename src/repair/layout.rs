//! White space between tokens, over text: digits, escapes, order and duplicates stay as they are.

/// How valid JSON is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Style {
    /// As it stands.
    #[default]
    AsIs,
    /// No white space between tokens.
    Compact,
    /// A member or an element a line, two spaces a level.
    Pretty,
}

/// Levels that are indented; deeper ones stay at this depth, so that the length stays linear.
const DEEPEST: usize = 100;

/// Lays out one valid JSON text that comes in pieces. Linear, no recursion, constant memory.
/// Text that is not JSON comes out with all its strings and words too, in some layout.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    style: Style,
    depth: usize,
    /// Inside a string; the opening quote was taken.
    in_string: bool,
    /// Inside a string, directly behind a backslash.
    escaped: bool,
    /// Directly behind an opening bracket: nothing stands inside yet.
    opened: bool,
}

impl Layout {
    /// A layout at the start of a text.
    pub fn new(style: Style) -> Layout {
        Layout {
            style,
            ..Layout::default()
        }
    }

    /// Takes the next piece of the text and hands what comes of it to `put`, in order.
    pub fn feed<E>(
        &mut self,
        piece: &str,
        put: &mut impl FnMut(&str) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.style == Style::AsIs {
            return if piece.is_empty() { Ok(()) } else { put(piece) };
        }
        let mut rest = piece;
        while !rest.is_empty() {
            let taken = if self.in_string {
                self.string(rest, put)?
            } else {
                self.token(rest, put)?
            };
            rest = &rest[taken..];
        }
        Ok(())
    }

    /// Copies the string up to its closing quote or the end of the piece; says how many bytes.
    fn string<E>(
        &mut self,
        text: &str,
        put: &mut impl FnMut(&str) -> Result<(), E>,
    ) -> Result<usize, E> {
        let bytes = text.as_bytes();
        let mut at = 0;
        // The byte behind a backslash is no end, whatever it is.
        if std::mem::take(&mut self.escaped) {
            at = text.chars().next().map_or(0, char::len_utf8);
        }
        while let Some(found) = memchr::memchr2(b'"', b'\\', &bytes[at..]) {
            at += found + 1;
            if bytes[at - 1] == b'"' {
                self.in_string = false;
                put(&text[..at])?;
                return Ok(at);
            }
            let Some(next) = text[at..].chars().next() else {
                self.escaped = true;
                break;
            };
            at += next.len_utf8();
        }
        put(text)?;
        Ok(text.len())
    }

    /// Takes one token, or a run of white space, or the part of a word that the piece holds.
    fn token<E>(
        &mut self,
        text: &str,
        put: &mut impl FnMut(&str) -> Result<(), E>,
    ) -> Result<usize, E> {
        let pretty = self.style == Style::Pretty;
        let first = text.as_bytes()[0];
        match first {
            b' ' | b'\t' | b'\n' | b'\r' => {
                let is_space = |c: char| matches!(c, ' ' | '\t' | '\n' | '\r');
                return Ok(text.len() - text.trim_start_matches(is_space).len());
            }
            b'}' | b']' => {
                self.depth = self.depth.saturating_sub(1);
                if !std::mem::take(&mut self.opened) {
                    self.line(put)?;
                }
                put(&text[..1])?;
            }
            b',' => {
                put(",")?;
                self.line(put)?;
            }
            b':' => put(if pretty { ": " } else { ":" })?,
            b'{' | b'[' => {
                self.first_inside(put)?;
                put(&text[..1])?;
                self.depth += 1;
                self.opened = true;
            }
            b'"' => {
                self.first_inside(put)?;
                put("\"")?;
                self.in_string = true;
            }
            _ => {
                self.first_inside(put)?;
                let ends = |c: char| " \t\n\r{}[],:\"".contains(c);
                let end = text.find(ends).unwrap_or(text.len());
                put(&text[..end])?;
                return Ok(end);
            }
        }
        Ok(1)
    }

    /// Breaks the line when this is the first thing inside a container.
    fn first_inside<E>(&mut self, put: &mut impl FnMut(&str) -> Result<(), E>) -> Result<(), E> {
        if std::mem::take(&mut self.opened) {
            self.line(put)?;
        }
        Ok(())
    }

    fn line<E>(&self, put: &mut impl FnMut(&str) -> Result<(), E>) -> Result<(), E> {
        if self.style != Style::Pretty {
            return Ok(());
        }
        put("\n")?;
        for _ in 0..self.depth.min(DEEPEST) {
            put("  ")?;
        }
        Ok(())
    }
}

/// A whole text in one go.
pub fn lay_out(text: &str, style: Style) -> String {
    let mut out = String::with_capacity(text.len());
    let mut put = |part: &str| -> Result<(), std::convert::Infallible> {
        out.push_str(part);
        Ok(())
    };
    let Ok(()) = Layout::new(style).feed(text, &mut put);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: &[(&str, &str, &str)] = &[
        // source, compact, pretty
        ("1", "1", "1"),
        (" [ ] ", "[]", "[]"),
        ("{ }", "{}", "{}"),
        (
            "{\"a\" : 1.10 , \"a\": [ -0, 1e999,{ }]}",
            "{\"a\":1.10,\"a\":[-0,1e999,{}]}",
            "{\n  \"a\": 1.10,\n  \"a\": [\n    -0,\n    1e999,\n    {}\n  ]\n}",
        ),
        (
            "[\"a , : [\\\" {\\\\\", \"\\ud800\\u0041\t\",null ]",
            "[\"a , : [\\\" {\\\\\",\"\\ud800\\u0041\t\",null]",
            "[\n  \"a , : [\\\" {\\\\\",\n  \"\\ud800\\u0041\t\",\n  null\n]",
        ),
    ];

    #[test]
    fn rows() {
        for (source, compact, pretty) in ROWS {
            assert_eq!(lay_out(source, Style::AsIs), *source);
            assert_eq!(lay_out(source, Style::Compact), *compact);
            assert_eq!(lay_out(source, Style::Pretty), *pretty);
        }
    }

    #[test]
    fn pieces_do_not_matter() {
        for (source, compact, pretty) in ROWS {
            for (style, whole) in [(Style::Compact, compact), (Style::Pretty, pretty)] {
                let mut out = String::new();
                let mut layout = Layout::new(style);
                for character in source.chars() {
                    let piece = character.to_string();
                    let fed = layout.feed(&piece, &mut |part: &str| {
                        out.push_str(part);
                        Ok::<(), ()>(())
                    });
                    assert_eq!(fed, Ok(()));
                }
                assert_eq!(out, *whole);
            }
        }
    }

    #[test]
    fn depth_costs_no_stack_and_no_square() {
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        assert_eq!(lay_out(&deep, Style::Compact), deep);
        let pretty = lay_out(&deep, Style::Pretty);
        assert!(pretty.len() < 200_000 * (2 + 2 * DEEPEST));
        assert_eq!(lay_out(&pretty, Style::Compact), deep);
    }
}
