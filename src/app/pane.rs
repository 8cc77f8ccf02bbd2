//! How a pane stands over its text: which row is at the top, which column at the left, where the caret is.

use super::text::{Row, Text};
use crate::repair::Span;

/// The window of one pane over a text. Places are bytes, so they hold when the pane changes its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pane {
    /// A byte of the row at the top.
    pub top: u32,
    /// The first cell shown where lines do not wrap.
    pub left: usize,
    /// The caret's byte.
    pub caret: u32,
    /// Whether lines wrap.
    pub wrap: bool,
}

impl Default for Pane {
    fn default() -> Pane {
        Pane {
            top: 0,
            left: 0,
            caret: 0,
            wrap: true,
        }
    }
}

/// The room a text has: columns and rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// Columns for text, without the line numbers.
    pub width: usize,
    /// Rows.
    pub height: usize,
}

impl Pane {
    /// The width at which lines wrap, if they do.
    pub fn wrap_at(&self, room: Room) -> Option<usize> {
        self.wrap.then_some(room.width.max(2))
    }

    /// The row at the top.
    pub fn top_row(&self, text: &Text, room: Room) -> Row {
        text.row_of(self.top, self.wrap_at(room))
    }

    /// Moves the window by rows, down for positive ones; stops at both ends of the text.
    pub fn scroll(&mut self, text: &Text, room: Room, rows: isize) {
        let wrap = self.wrap_at(room);
        let mut row = self.top_row(text, room);
        for _ in 0..rows.unsigned_abs() {
            let next = if rows < 0 {
                text.row_before(row, wrap)
            } else {
                text.next_row(row, wrap)
            };
            let Some(next) = next else { break };
            row = next;
        }
        self.top = row.span.start.min(self.last_top(text, room));
    }

    /// Brings a byte to the middle third of the window, if the text is longer than the window.
    pub fn reveal(&mut self, text: &Text, room: Room, at: u32) {
        let wrap = self.wrap_at(room);
        let row = text.row_of(at, wrap);
        let third = (room.height / 3).max(1);
        let offset = self.offset_of(text, room, row);
        if offset.is_none_or(|offset| offset < third || room.height - third <= offset) {
            let mut top = row;
            for _ in 0..third {
                let Some(before) = text.row_before(top, wrap) else {
                    break;
                };
                top = before;
            }
            self.top = top.span.start.min(self.last_top(text, room));
        }
        self.reveal_cell(text, room, at);
    }

    /// Keeps a byte inside the window, moving as little as possible.
    pub fn follow(&mut self, text: &Text, room: Room, at: u32) {
        let wrap = self.wrap_at(room);
        let row = text.row_of(at, wrap);
        if row.span.start < self.top_row(text, room).span.start {
            self.top = row.span.start;
        } else if self.offset_of(text, room, row).is_none() {
            let mut top = row;
            for _ in 1..room.height.max(1) {
                let Some(before) = text.row_before(top, wrap) else {
                    break;
                };
                top = before;
            }
            self.top = top.span.start;
        }
        self.reveal_cell(text, room, at);
    }

    /// Moves the caret by rows, keeping its column where it can.
    pub fn move_rows(&mut self, text: &Text, room: Room, rows: isize) {
        let wrap = self.wrap_at(room);
        let mut row = text.row_of(self.caret, wrap);
        let cell: usize = cells_between(text, row.span.start, self.caret.min(row.span.end));
        for _ in 0..rows.unsigned_abs() {
            let next = if rows < 0 {
                text.row_before(row, wrap)
            } else {
                text.next_row(row, wrap)
            };
            let Some(next) = next else { break };
            row = next;
        }
        self.caret = match wrap {
            None => text.byte_at(row.line, cell),
            Some(_) => byte_in_row(text, row, cell),
        };
        self.follow(text, room, self.caret);
    }

    /// Moves the caret by one glyph.
    pub fn move_glyphs(&mut self, text: &Text, room: Room, forward: bool) {
        let at = self.caret.min(text.len());
        let line = text.lines().line_of(at);
        let span = text.line(line);
        self.caret = if forward {
            match text.glyphs(Span::new(at.min(span.end), span.end)).next() {
                Some(glyph) => glyph.end,
                None => (span.end + 1).min(text.len()),
            }
        } else if at == span.start {
            at.saturating_sub(1)
        } else {
            let row = text.row_of(at - 1, Some(256));
            let before = text.glyphs(Span::new(row.span.start, at)).last();
            before.map_or(span.start, |glyph| glyph.at)
        };
        self.follow(text, room, self.caret);
    }

    /// The byte under a cell of the window: `x` columns behind the line numbers, `y` rows below the top.
    pub fn byte_under(&self, text: &Text, room: Room, x: usize, y: usize) -> u32 {
        let wrap = self.wrap_at(room);
        let mut row = self.top_row(text, room);
        for _ in 0..y {
            let Some(next) = text.next_row(row, wrap) else {
                return text.len();
            };
            row = next;
        }
        match wrap {
            None => text.byte_at(row.line, self.left + x),
            Some(_) => byte_in_row(text, row, x),
        }
    }

    /// How many rows below the top a row stands, if it is in the window.
    fn offset_of(&self, text: &Text, room: Room, row: Row) -> Option<usize> {
        let wrap = self.wrap_at(room);
        let mut at = self.top_row(text, room);
        for offset in 0..room.height {
            if at.span.start == row.span.start {
                return Some(offset);
            }
            at = text.next_row(at, wrap)?;
        }
        None
    }

    /// The top at which the last row of the text is the last of the window.
    fn last_top(&self, text: &Text, room: Room) -> u32 {
        let wrap = self.wrap_at(room);
        let mut row = text.row_of(text.len(), wrap);
        for _ in 1..room.height.max(1) {
            let Some(before) = text.row_before(row, wrap) else {
                break;
            };
            row = before;
        }
        row.span.start
    }

    fn reveal_cell(&mut self, text: &Text, room: Room, at: u32) {
        if self.wrap {
            self.left = 0;
            return;
        }
        let cell = text.cell_of(at);
        if cell < self.left || self.left + room.width.saturating_sub(1) <= cell {
            self.left = if cell < room.width {
                0
            } else {
                cell - room.width / 3
            };
        }
    }
}

fn cells_between(text: &Text, from: u32, to: u32) -> usize {
    if to.saturating_sub(from) < 4096 {
        text.glyphs(Span::new(from, to.max(from)))
            .map(|glyph| glyph.cells)
            .sum()
    } else {
        text.cell_of(to).saturating_sub(text.cell_of(from))
    }
}

fn byte_in_row(text: &Text, row: Row, cell: usize) -> u32 {
    let mut cells = 0;
    for glyph in text.glyphs(row.span) {
        cells += glyph.cells;
        if cell < cells {
            return glyph.at;
        }
    }
    // Behind the last glyph of a row that goes on, the place belongs to the next row.
    if row.closes {
        row.span.end
    } else {
        text.glyphs(row.span)
            .last()
            .map_or(row.span.end, |glyph| glyph.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn text(text: String) -> Text {
        Text::new(Arc::new(text))
    }

    const ROOM: Room = Room {
        width: 10,
        height: 6,
    };

    #[test]
    fn a_revealed_byte_comes_to_the_middle_third() {
        let lines = text((0..100).map(|line| format!("line {line}\n")).collect());
        for wrap in [false, true] {
            let mut pane = Pane {
                wrap,
                ..Pane::default()
            };
            for (line, top) in [
                (50, 48),
                (51, 48),
                (52, 50),
                (0, 0),
                (3, 0),
                (99, 95),
                (100, 95),
            ] {
                pane.reveal(&lines, ROOM, lines.line(line).start);
                assert_eq!(
                    lines.lines().line_of(pane.top),
                    top,
                    "line {line}, wrap {wrap}"
                );
            }
        }
        let short = text("a\nb\nc".into());
        let mut pane = Pane::default();
        pane.reveal(&short, ROOM, 4);
        assert_eq!(pane.top, 0);
    }

    #[test]
    fn the_caret_keeps_its_column_over_wide_characters() {
        let lines = text("abcdef\n日本語\nabcdef".into());
        let mut pane = Pane {
            caret: 3,
            ..Pane::default()
        };
        pane.move_rows(&lines, ROOM, 1);
        assert_eq!(pane.caret, 10);
        pane.move_glyphs(&lines, ROOM, true);
        assert_eq!(pane.caret, 13);
        pane.move_glyphs(&lines, ROOM, false);
        pane.move_glyphs(&lines, ROOM, false);
        assert_eq!(pane.caret, 7);
        pane.move_glyphs(&lines, ROOM, false);
        assert_eq!(pane.caret, 6);
    }

    #[test]
    fn a_click_finds_its_byte_wrapped_or_not() {
        let one = text("0123456789abcdefghij日本".into());
        let wrapped = Pane::default();
        assert_eq!(wrapped.byte_under(&one, ROOM, 3, 1), 13);
        assert_eq!(wrapped.byte_under(&one, ROOM, 3, 2), 23);
        let flat = Pane {
            wrap: false,
            left: 18,
            ..Pane::default()
        };
        assert_eq!(flat.byte_under(&one, ROOM, 3, 0), 20);
        assert_eq!(flat.byte_under(&one, ROOM, 3, 4), one.len());
    }

    #[test]
    fn scrolling_stops_at_both_ends() {
        let lines = text((0..20).map(|line| format!("{line}\n")).collect());
        let mut pane = Pane::default();
        pane.scroll(&lines, ROOM, 1000);
        assert_eq!(lines.lines().line_of(pane.top), 15);
        pane.scroll(&lines, ROOM, -1000);
        assert_eq!(pane.top, 0);
    }
}
