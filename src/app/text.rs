//! A text of any size, ready to be shown: where its lines begin, and which byte stands in which screen cell.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use crate::repair::{LineIndex, Position, Span};
use crate::visible::stand_in;

/// A long line is measured in stretches of about so many bytes, so that no question reads more than one of them.
const CHUNK: usize = 4096;

/// More characters than this in one cell are not drawn as one: a name of thousands of accents must not be either.
const CLUSTER: usize = 12;

/// A text with its lines. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Text {
    text: Arc<String>,
    lines: Arc<LineIndex>,
    /// The stretches of long lines, without the first of each line. Sorted; on grapheme borders but in pathological
    /// runs. Checked by `long_lines_agree_with_short_ones`.
    stretches: Arc<Vec<Stretch>>,
}

/// A part of a long line: where it begins, and what its line holds before it.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    at: u32,
    cells: usize,
    characters: usize,
}

impl Default for Text {
    fn default() -> Text {
        Text::new(Arc::default())
    }
}

/// What stands in one place of the screen: the bytes of the text it comes from, and what is drawn for them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glyph<'a> {
    /// First byte in the text.
    pub at: u32,
    /// One past the last byte.
    pub end: u32,
    /// What is drawn: the characters themselves or their stand-in.
    pub sign: Cow<'a, str>,
    /// How many cells that takes.
    pub cells: usize,
}

/// A row on the screen: a line, or a part of one where lines wrap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its bytes, without the LF.
    pub span: Span,
    /// Its line, counted from 0.
    pub line: usize,
    /// Whether the line begins here.
    pub opens: bool,
    /// Whether the line ends here.
    pub closes: bool,
}

impl Text {
    /// Measures a text: O(bytes).
    pub fn new(text: Arc<String>) -> Text {
        let lines = LineIndex::new(&text);
        let mut stretches = Vec::new();
        for line in (0..lines.lines()).filter_map(|line| lines.line(line)) {
            measure(&text, line, &mut stretches);
        }
        Text {
            text,
            lines: Arc::new(lines),
            stretches: Arc::new(stretches),
        }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The text, shared.
    pub fn shared(&self) -> Arc<String> {
        Arc::clone(&self.text)
    }

    /// Length in bytes.
    pub fn len(&self) -> u32 {
        self.text.len() as u32
    }

    /// Whether there is no byte.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The line starts.
    pub fn lines(&self) -> &LineIndex {
        &self.lines
    }

    /// The bytes of a line without its LF; an empty span at the end for a line that is not there.
    pub fn line(&self, line: usize) -> Span {
        self.lines.line(line).unwrap_or(Span::at(self.len()))
    }

    /// Line and column of byte `at` for people: O(stretch), also on a line of any length.
    pub fn position(&self, at: u32) -> Position {
        let at = at.min(self.len());
        let line = self.lines.line_of(at);
        let stretch = self.stretch_of(at, self.line(line));
        let tail = self
            .text
            .get(stretch.at as usize..at as usize)
            .unwrap_or_default();
        Position {
            line: line + 1,
            column: 1 + stretch.characters + tail.chars().count(),
        }
    }

    /// The cell of its line in which byte `at` stands, counted from 0: O(stretch).
    pub fn cell_of(&self, at: u32) -> usize {
        let at = at.min(self.len());
        let line = self.line(self.lines.line_of(at));
        let Stretch {
            at: start, cells, ..
        } = self.stretch_of(at, line);
        cells
            + self
                .glyphs(Span::new(start, at.min(line.end)))
                .map(|glyph| glyph.cells)
                .sum::<usize>()
    }

    /// The byte of the glyph that covers `cell` of a line; the line's end beyond it: O(stretch).
    pub fn byte_at(&self, line: usize, cell: usize) -> u32 {
        let span = self.line(line);
        let from = self
            .stretches
            .partition_point(|stretch| stretch.at <= span.start);
        let to = self
            .stretches
            .partition_point(|stretch| stretch.at < span.end);
        let own = &self.stretches[from.min(to)..to];
        let index = own.partition_point(|stretch| stretch.cells <= cell);
        let (start, mut cells) = index
            .checked_sub(1)
            .map_or((span.start, 0), |index| (own[index].at, own[index].cells));
        for glyph in self.glyphs(Span::new(start, span.end)) {
            cells += glyph.cells;
            if cell < cells {
                return glyph.at;
            }
        }
        span.end
    }

    /// The glyphs of a span within one line.
    pub fn glyphs(&self, span: Span) -> Glyphs<'_> {
        Glyphs {
            text: &self.text,
            at: span.start as usize,
            end: span.end as usize,
        }
    }

    /// The row that holds byte `at`. `wrap` is the width at which lines wrap; `None` where they do not.
    pub fn row_of(&self, at: u32, wrap: Option<usize>) -> Row {
        let at = at.min(self.len());
        let line = self.lines.line_of(at);
        let span = self.line(line);
        let at = at.min(span.end);
        let mut row = self.row_from(self.stretch_of(at, span).at, line, wrap);
        while row.span.end <= at && !row.closes {
            row = self.row_from(row.span.end, line, wrap);
        }
        row
    }

    /// The row behind `row`.
    pub fn next_row(&self, row: Row, wrap: Option<usize>) -> Option<Row> {
        if !row.closes {
            return Some(self.row_from(row.span.end, row.line, wrap));
        }
        let start = self.lines.line(row.line + 1)?.start;
        Some(self.row_from(start, row.line + 1, wrap))
    }

    /// The row before `row`.
    pub fn row_before(&self, row: Row, wrap: Option<usize>) -> Option<Row> {
        (0 < row.span.start).then(|| self.row_of(row.span.start - 1, wrap))
    }

    /// The row that begins at `start`, which must be a row's start.
    fn row_from(&self, start: u32, line: usize, wrap: Option<usize>) -> Row {
        let span = self.line(line);
        let end = match wrap {
            None => span.end,
            Some(width) => self.wrapped_end(start, span, width.max(2)),
        };
        Row {
            // Without wrapping a row is the whole line, also where the question named a later stretch of it.
            span: if wrap.is_none() {
                span
            } else {
                Span::new(start, end)
            },
            line,
            opens: wrap.is_none() || start == span.start,
            closes: end == span.end,
        }
    }

    fn wrapped_end(&self, start: u32, line: Span, width: usize) -> u32 {
        // A row never crosses into the next stretch, so that rows can be found from the stretch's start.
        let next = self
            .stretches
            .partition_point(|stretch| stretch.at <= start);
        let stop = self
            .stretches
            .get(next)
            .map_or(line.end, |stretch| stretch.at.min(line.end));
        let head = &self.text.as_bytes()[start as usize..stop as usize];
        if let Some(head) = head.get(..width + 1).filter(|head| is_plain(head)) {
            return start + head.len() as u32 - 1;
        }
        let mut cells = 0;
        for glyph in self.glyphs(Span::new(start, stop)) {
            cells += glyph.cells;
            // A glyph wider than the row still gets a row: each row moves on.
            if width < cells && start < glyph.at {
                return glyph.at;
            }
        }
        stop
    }

    /// The stretch that holds byte `at` of `line`.
    fn stretch_of(&self, at: u32, line: Span) -> Stretch {
        let index = self.stretches.partition_point(|stretch| stretch.at <= at);
        match index.checked_sub(1).map(|index| self.stretches[index]) {
            Some(stretch) if line.start < stretch.at => stretch,
            _ => Stretch {
                at: line.start,
                cells: 0,
                characters: 0,
            },
        }
    }
}

/// The glyphs of a stretch of text, in order.
#[derive(Clone, Debug)]
pub struct Glyphs<'a> {
    text: &'a str,
    at: usize,
    end: usize,
}

impl<'a> Iterator for Glyphs<'a> {
    type Item = Glyph<'a>;

    fn next(&mut self) -> Option<Glyph<'a>> {
        if self.end <= self.at {
            return None;
        }
        let at = self.at;
        let byte = self.text.as_bytes()[at];
        let follower = self.text.as_bytes().get(at + 1);
        if is_plain(&[byte]) && follower.is_none_or(u8::is_ascii) {
            self.at = at + 1;
            return Some(glyph(at..self.at, Cow::Borrowed(&self.text[at..at + 1]), 1));
        }
        let rest = &self.text[at..self.end];
        let first = rest.chars().next()?;
        if let Some(sign) = stand_in(first) {
            self.at = at + first.len_utf8();
            let cells = sign.width();
            return Some(glyph(at..self.at, sign, cells));
        }
        // A cluster ends before the first character that has a stand-in: a joiner inside an emoji must be seen.
        let cluster = rest.graphemes(true).next()?;
        let length: usize = cluster
            .chars()
            .take(CLUSTER)
            .take_while(|character| stand_in(*character).is_none())
            .map(char::len_utf8)
            .sum();
        let cluster = &rest[..length];
        self.at = at + length;
        let cells = cluster.width();
        if cells == 0 {
            // A combining mark with nothing before it: it gets the customary circle to stand on.
            return Some(glyph(at..self.at, Cow::Owned(format!("◌{cluster}")), 1));
        }
        Some(glyph(at..self.at, Cow::Borrowed(cluster), cells))
    }
}

fn glyph(bytes: Range<usize>, sign: Cow<'_, str>, cells: usize) -> Glyph<'_> {
    Glyph {
        at: bytes.start as u32,
        end: bytes.end as u32,
        sign,
        cells,
    }
}

/// The glyphs of a short text that is no document: for titles and messages.
pub fn glyphs(text: &str) -> Glyphs<'_> {
    Glyphs {
        text,
        at: 0,
        end: text.len(),
    }
}

/// How many cells a text takes when it is drawn through [`glyphs`].
pub fn cells(text: &str) -> usize {
    glyphs(text).map(|glyph| glyph.cells).sum()
}

/// Whether each byte is one printable ASCII character: one byte, one cell.
fn is_plain(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| (0x20..0x7F).contains(byte))
}

/// Notes the stretches of a long line.
fn measure(text: &str, line: Span, stretches: &mut Vec<Stretch>) {
    let (mut at, mut cells, mut characters) = (line.start as usize, 0, 0);
    let end = line.end as usize;
    while CHUNK < end - at {
        let border = border(text, at + CHUNK, end);
        let stretch = &text[at..border];
        characters += stretch.chars().count();
        cells += if is_plain(stretch.as_bytes()) {
            stretch.len()
        } else {
            Glyphs {
                text,
                at,
                end: border,
            }
            .map(|glyph| glyph.cells)
            .sum()
        };
        if border < end {
            stretches.push(Stretch {
                at: border as u32,
                cells,
                characters,
            });
        }
        at = border;
    }
}

/// A good place near `at` to end a stretch: before an ASCII character if one is near, else between two characters.
fn border(text: &str, at: usize, end: usize) -> usize {
    let bytes = text.as_bytes();
    (at..end.min(at + 64))
        .find(|&at| is_plain(&bytes[at..at + 1]))
        .or_else(|| (at..end).find(|&at| text.is_char_boundary(at)))
        .unwrap_or(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Text {
        Text::new(Arc::new(text.to_owned()))
    }

    fn signs(source: &str) -> Vec<(String, usize)> {
        glyphs(source)
            .map(|glyph| (glyph.sign.into_owned(), glyph.cells))
            .collect()
    }

    #[test]
    fn wide_combining_and_hidden_characters_take_their_cells() {
        for (source, shown) in [
            ("ab", vec![("a", 1), ("b", 1)]),
            ("日x", vec![("日", 2), ("x", 1)]),
            ("e\u{301}x", vec![("e\u{301}", 1), ("x", 1)]),
            ("\u{301}", vec![("◌\u{301}", 1)]),
            ("\t\u{1b}", vec![("⇥", 1), ("␛", 1)]),
            ("a\u{202e}b", vec![("a", 1), ("⟨202E⟩", 6), ("b", 1)]),
            ("👩\u{200d}💻", vec![("👩", 2), ("⟨200D⟩", 6), ("💻", 2)]),
            ("\r", vec![("␍", 1)]),
        ] {
            let shown: Vec<(String, usize)> = shown
                .into_iter()
                .map(|(sign, cells)| (sign.to_owned(), cells))
                .collect();
            assert_eq!(signs(source), shown, "{source:?}");
        }
        // A tower of accents becomes several glyphs, none of them long.
        let tower = format!("a{}", "\u{301}".repeat(5_000));
        assert!(glyphs(&tower).all(|glyph| glyph.sign.len() < 64));
    }

    #[test]
    fn bytes_and_cells_map_both_ways() {
        let text = text("{\"ñ日\": \u{202e}1}\r\nx");
        for (at, cell) in [
            (0, 0),
            (2, 2),
            (4, 3),
            (7, 5),
            (10, 8),
            (13, 14),
            (15, 16),
            (17, 0),
            (18, 1),
        ] {
            assert_eq!(text.cell_of(at), cell, "byte {at}");
        }
        for (cell, at) in [
            (0, 0),
            (3, 4),
            (4, 4),
            (8, 10),
            (13, 10),
            (14, 13),
            (99, 16),
        ] {
            assert_eq!(text.byte_at(0, cell), at, "cell {cell}");
        }
        assert_eq!(text.byte_at(7, 0), text.len());
    }

    #[test]
    fn long_lines_agree_with_short_ones() {
        let unit = "日本 ñ e\u{301} plain \u{202e}👩\u{200d}💻, ";
        let long = text(&unit.repeat(600));
        let per_unit = cells(unit);
        for index in [0, 1, 77, 150, 599] {
            let at = (index * unit.len()) as u32;
            assert_eq!(long.cell_of(at), index * per_unit, "unit {index}");
            assert_eq!(long.byte_at(0, index * per_unit), at, "unit {index}");
            let column = index * unit.chars().count() + 1;
            assert_eq!(
                long.position(at),
                Position { line: 1, column },
                "unit {index}"
            );
        }
    }

    #[test]
    fn rows_cover_every_byte_once_and_can_be_walked_back() {
        for source in [
            "",
            "a",
            "abc\n\nde",
            "abcdefghij",
            "日本日本日\n",
            "\u{202e}\u{e0041}x\u{202e}",
            &"x y ".repeat(1_300),
            &"日\u{301}é".repeat(700),
        ] {
            let text = text(source);
            for wrap in [None, Some(2), Some(4), Some(33)] {
                let mut row = text.row_of(0, wrap);
                let mut rows = vec![row];
                while let Some(next) = text.next_row(row, wrap) {
                    assert!(row.span.end <= next.span.start && next.span.start <= row.span.end + 1);
                    assert_eq!(
                        text.row_before(next, wrap),
                        Some(row),
                        "{wrap:?} at {next:?}"
                    );
                    row = next;
                    rows.push(row);
                }
                assert_eq!(row.span.end, text.len());
                for row in rows {
                    assert_eq!(text.row_of(row.span.start, wrap), row);
                    let cells: usize = text.glyphs(row.span).map(|glyph| glyph.cells).sum();
                    let fits = |width| cells <= width || text.glyphs(row.span).count() == 1;
                    assert!(wrap.is_none_or(fits), "{cells} cells at {wrap:?}");
                }
            }
        }
    }
}
