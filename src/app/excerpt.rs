//! One line of a text around a place, with what to underline: for refusals and messages.

use super::text::Text;
use crate::repair::Span;

/// A line, cut around the place where it is long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// Line number from 1.
    pub number: usize,
    /// The line, visible.
    pub line: String,
    /// Cells before the first caret.
    pub offset: usize,
    /// How many carets: at least one.
    pub cells: usize,
}

/// The line of byte `at`, with carets up to `end`, in at most `width` cells.
pub fn excerpt(text: &Text, at: u32, end: u32, width: usize) -> Excerpt {
    let at = at.min(text.len());
    let line = text.lines().line_of(at);
    let span = text.line(line);
    let at = at.min(span.end);
    let width = width.max(8);
    let cell = text.cell_of(at);
    // A long line is cut so that the place has a third of the width before it.
    let skip = if cell < width * 2 / 3 {
        0
    } else {
        cell - width / 3
    };
    let start = text.byte_at(line, skip);
    let mut out = Excerpt {
        number: line + 1,
        line: String::new(),
        offset: 0,
        cells: 0,
    };
    let mut used = 0;
    if span.start < start {
        out.line.push('…');
        used = 1;
    }
    for glyph in text.glyphs(Span::new(start, span.end)) {
        if width <= used + glyph.cells {
            out.line.push('…');
            break;
        }
        if glyph.at < at {
            out.offset = used + glyph.cells;
        } else if glyph.at < end.max(at + 1) {
            out.cells += glyph.cells;
        }
        used += glyph.cells;
        out.line.push_str(&glyph.sign);
    }
    if start == at && span.start < start {
        out.offset = 1;
    }
    out.cells = out.cells.max(1);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn rows() {
        let text = Text::new(Arc::new("{\"a\": [\n  日本 ...\n]}\n".into()));
        for (at, end, number, line, offset, cells) in [
            (17, 20, 2, "  日本 ...", 7, 3),
            (10, 13, 2, "  日本 ...", 2, 2),
            (0, 0, 1, "{\"a\": [", 0, 1),
            (24, 24, 4, "", 0, 1),
        ] {
            let found = excerpt(&text, at, end, 40);
            assert_eq!(
                (found.number, found.line.as_str(), found.offset, found.cells),
                (number, line, offset, cells)
            );
        }
    }

    #[test]
    fn a_long_line_is_cut_on_both_sides() {
        let text = Text::new(Arc::new("0123456789".repeat(1_000)));
        let found = excerpt(&text, 5_005, 5_008, 30);
        assert_eq!(found.line, "…5678901234567890123456789012…");
        assert_eq!((found.offset, found.cells), (11, 3));
    }
}
