//! Places in a source: byte spans, and lines and columns for showing.

/// A range of bytes of the source, on character borders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// A span from byte `start` to before byte `end`.
    pub const fn new(start: u32, end: u32) -> Span {
        Span { start, end }
    }

    /// An empty span: a place between two bytes.
    pub const fn at(place: u32) -> Span {
        Span {
            start: place,
            end: place,
        }
    }

    /// Length in bytes.
    pub const fn len(self) -> u32 {
        self.end - self.start
    }

    /// Whether the span holds no byte.
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Whether the byte at `place` lies inside.
    pub const fn contains(self, place: u32) -> bool {
        self.start <= place && place < self.end
    }

    /// The text of the span.
    ///
    /// # Panics
    /// If the span does not lie on character borders inside `source`.
    pub fn text(self, source: &str) -> &str {
        &source[self.start as usize..self.end as usize]
    }

    /// The span as a range of `usize`, for slicing.
    pub const fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A place for people: both numbers start at 1, the column counts characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Line number from 1; lines end at LF.
    pub line: usize,
    /// Column from 1, in characters (Unicode scalar values), not screen cells.
    pub column: usize,
}

impl std::fmt::Display for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// The line starts of one text: O(n) to build, O(log n + column) to ask.
#[derive(Clone, Debug, Default)]
pub struct LineIndex {
    /// Byte offset at which each line begins; the first is always 0. Checked by `tests` below.
    starts: Vec<u32>,
    /// Length of the text in bytes.
    len: u32,
}

impl LineIndex {
    /// Finds all line starts of `text`.
    pub fn new(text: &str) -> LineIndex {
        let mut starts = vec![0];
        starts.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at as u32 + 1));
        LineIndex {
            starts,
            len: text.len() as u32,
        }
    }

    /// Number of lines; a final LF opens one more, empty line.
    pub fn lines(&self) -> usize {
        self.starts.len()
    }

    /// The bytes of a line (counted from 0) without its LF; `None` past the end.
    pub fn line(&self, index: usize) -> Option<Span> {
        let start = *self.starts.get(index)?;
        let end = self.starts.get(index + 1).map_or(self.len, |next| next - 1);
        Some(Span::new(start, end))
    }

    /// The line (counted from 0) that holds byte `at`.
    pub fn line_of(&self, at: u32) -> usize {
        self.starts.partition_point(|start| *start <= at) - 1
    }

    /// Line and column of byte `at` of the text this index was made from.
    pub fn position(&self, text: &str, at: u32) -> Position {
        let line = self.line_of(at);
        let head = &text.as_bytes()[self.starts[line] as usize..at as usize];
        let column = 1 + head.iter().filter(|byte| !is_continuation(**byte)).count();
        Position {
            line: line + 1,
            column,
        }
    }
}

/// Line and column of one byte without an index: O(n).
pub fn position(text: &str, at: u32) -> Position {
    let head = &text.as_bytes()[..at as usize];
    let line_start = memchr::memrchr(b'\n', head).map_or(0, |lf| lf + 1);
    Position {
        line: 1 + memchr::memchr_iter(b'\n', head).count(),
        column: 1 + head[line_start..]
            .iter()
            .filter(|byte| !is_continuation(**byte))
            .count(),
    }
}

/// Whether a byte of UTF-8 is not the first of its character.
const fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn index_and_direct_count_agree() {
        let text = "{\n\"ñ日\": 1,\r\n\n}\n";
        let index = LineIndex::new(text);
        for (at, _) in text.char_indices().chain([(text.len(), ' ')]) {
            assert_eq!(
                index.position(text, at as u32),
                position(text, at as u32),
                "byte {at}"
            );
        }
        assert_eq!(
            index.position(text, text.len() as u32),
            Position { line: 5, column: 1 }
        );
        assert_eq!(index.line(1).unwrap().text(text), "\"ñ日\": 1,\r");
        assert_eq!(index.line(5), None);
    }
}
