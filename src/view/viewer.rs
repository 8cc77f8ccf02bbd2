//! A window over a text of any size: only what is visible is read, measured and drawn.

use ratatui::buffer::Buffer;
use ratatui::style::Style;

use super::ink::{put, put_sign};
use super::theme::Paint;
use crate::app::layout::Area;
use crate::app::pane::{Pane, Room};
use crate::app::text::{Row, Text};
use crate::repair::Span;

/// A stretch of the text with a style of its own.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    /// Its bytes; an empty span marks the glyph behind it.
    pub span: Span,
    /// Its style, laid over the text's.
    pub style: Style,
}

/// A note that a row carries.
#[derive(Clone, Debug)]
pub enum Note {
    /// Behind the text of the row.
    Behind(String, Style),
    /// In a row of its own below, at these bytes' cells: sign and style.
    Below(Vec<(Span, String, Style)>),
}

/// What is to be drawn.
pub struct Viewer<'a> {
    /// The text.
    pub text: &'a Text,
    /// The window over it.
    pub pane: &'a Pane,
    /// Columns of the line numbers with the space behind them; 0 for none.
    pub gutter: usize,
    /// The caret, where one is to be seen.
    pub caret: Option<u32>,
    /// The marks of a stretch of the text.
    pub marks: &'a dyn Fn(Span, &mut Vec<Mark>),
    /// The notes of a row.
    pub notes: &'a dyn Fn(Row) -> Vec<Note>,
    /// A sign behind the last byte of the text.
    pub end: Option<(&'a str, Style)>,
}

/// No marks.
pub fn no_marks(_: Span, _: &mut Vec<Mark>) {}

/// No notes.
pub fn no_notes(_: Row) -> Vec<Note> {
    Vec::new()
}

impl Viewer<'_> {
    /// Draws the window into `area`; says where the caret stands.
    pub fn draw(&self, area: Area, paint: Paint, buf: &mut Buffer) -> Option<(u16, u16)> {
        let width = usize::from(area.width).saturating_sub(self.gutter);
        if width == 0 || area.height == 0 {
            return None;
        }
        let room = Room {
            width: width.max(1),
            height: usize::from(area.height),
        };
        let wrap = self.pane.wrap_at(room);
        let mut row = self.pane.top_row(self.text, room);
        let mut caret = None;
        let mut y = area.y;
        let bottom = area.y + area.height;
        loop {
            let found = self.row(area, y, row, room, paint, buf);
            caret = caret.or(found);
            y += 1;
            for note in (self.notes)(row) {
                if let Note::Below(signs) = note
                    && y < bottom
                {
                    self.below(area, y, row, width, &signs, buf);
                    y += 1;
                }
            }
            let Some(next) = self.text.next_row(row, wrap).filter(|_| y < bottom) else {
                break;
            };
            row = next;
        }
        caret
    }

    /// The first byte of a row that is in the window, and its cell within the row.
    fn start(&self, row: Row) -> (u32, usize) {
        if self.pane.wrap || self.pane.left == 0 {
            return (row.span.start, 0);
        }
        let at = self.text.byte_at(row.line, self.pane.left);
        (at, self.text.cell_of(at))
    }

    fn row(
        &self,
        area: Area,
        y: u16,
        row: Row,
        room: Room,
        paint: Paint,
        buf: &mut Buffer,
    ) -> Option<(u16, u16)> {
        if 0 < self.gutter && row.opens {
            let number = format!("{:>1$}", row.line + 1, self.gutter - 1);
            put(buf, area.x, y, self.gutter as u16, &number, paint.faint());
        }
        let left = area.x + self.gutter as u16;
        let (start, cell) = self.start(row);
        // A wide character cut by the left edge leaves one cell empty.
        let mut x = cell.saturating_sub(self.pane.left * usize::from(!self.pane.wrap));
        let mut caret = None;
        let mut marks = Vec::new();
        let slice = Span::new(
            start,
            (start.saturating_add(4 * room.width as u32 + 64)).min(row.span.end + 1),
        );
        (self.marks)(slice, &mut marks);
        marks.sort_by_key(|mark| mark.span.start);
        let mut passed = 0;
        let mut style_at = |at: u32, end: u32| {
            let mut style = Style::new();
            let mut marked = false;
            while marks.get(passed).is_some_and(|mark| mark.span.end < at) {
                passed += 1;
            }
            for mark in marks[passed..]
                .iter()
                .take_while(|mark| mark.span.start <= at)
            {
                let inside = mark.span.start < end && at < mark.span.end;
                if inside || (mark.span.is_empty() && mark.span.start == at) {
                    style = style.patch(mark.style);
                    marked = true;
                }
            }
            (style, marked)
        };
        for glyph in self.text.glyphs(Span::new(start, row.span.end.max(start))) {
            if room.width < x + glyph.cells {
                break;
            }
            if self.caret == Some(glyph.at) {
                caret = Some((left + x as u16, y));
            }
            let (mut style, marked) = style_at(glyph.at, glyph.end);
            let stands_in =
                glyph.sign.as_ref() != &self.text.as_str()[glyph.at as usize..glyph.end as usize];
            if stands_in && !marked {
                style = paint.stand_in();
            }
            put_sign(
                buf,
                left + x as u16,
                y,
                &glyph.sign,
                glyph.cells as u16,
                style,
            );
            x += glyph.cells;
        }
        if self.caret == Some(row.span.end) && row.closes && x < room.width {
            caret = Some((left + x as u16, y));
        }
        // A break is shown where an edit begins with it: one inside a longer edit is just where its lines end.
        let breaks = marks
            .iter()
            .any(|mark| mark.span.start == row.span.end && !mark.span.is_empty());
        let end_style = style_at(row.span.end, row.span.end + 1);
        self.row_end(row, (left, x, y), room, paint, buf, end_style, breaks);
        caret
    }

    /// What stands behind the last glyph of a row: a line break that an edit takes, the sign of the end, notes.
    #[allow(clippy::too_many_arguments)]
    fn row_end(
        &self,
        row: Row,
        (left, mut x, y): (u16, usize, u16),
        room: Room,
        paint: Paint,
        buf: &mut Buffer,
        (style, marked): (Style, bool),
        breaks: bool,
    ) {
        let is_end = row.span.end == self.text.len();
        if row.closes && x < room.width {
            let sign = match (is_end, self.end) {
                (true, Some((sign, own))) => Some((sign, own.patch(style))),
                (false, _) if breaks => Some((paint.signs().line_break, style)),
                (true, None) if marked => Some((" ", style)),
                _ => None,
            };
            if let Some((sign, style)) = sign {
                put_sign(buf, left + x as u16, y, sign, 1, style);
                x += 1;
            }
        }
        for note in (self.notes)(row) {
            if let Note::Behind(text, style) = note {
                let from = x + 3;
                if from < room.width {
                    put(
                        buf,
                        left + from as u16,
                        y,
                        (room.width - from) as u16,
                        &text,
                        style,
                    );
                }
            }
        }
    }

    fn below(
        &self,
        area: Area,
        y: u16,
        row: Row,
        width: usize,
        signs: &[(Span, String, Style)],
        buf: &mut Buffer,
    ) {
        let left = area.x + self.gutter as u16;
        let (start, _) = self.start(row);
        for (span, sign, style) in signs {
            let at = span.start.clamp(start, row.span.end.max(start));
            let head = self.text.glyphs(Span::new(start, at));
            let x: usize = head.map(|glyph| glyph.cells).take_while(|_| true).sum();
            if x < width {
                put(buf, left + x as u16, y, (width - x) as u16, sign, *style);
            }
        }
    }
}
