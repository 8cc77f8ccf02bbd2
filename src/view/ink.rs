//! Writing on a buffer: every text goes through the glyphs of `app::text`, so nothing hostile reaches a cell.

use ratatui::buffer::Buffer;
use ratatui::style::Style;

use super::theme::Paint;
use crate::app::layout::Area;
use crate::app::text::{cells, glyphs};

/// Writes `text` from cell (`x`, `y`) on in at most `width` cells; says how many it took.
pub fn put(buf: &mut Buffer, x: u16, y: u16, width: u16, text: &str, style: Style) -> u16 {
    let mut used = 0;
    for glyph in glyphs(text) {
        let cells = glyph.cells as u16;
        if width < used + cells {
            break;
        }
        put_sign(buf, x + used, y, &glyph.sign, cells, style);
        used += cells;
    }
    used
}

/// Writes one visible sign that takes `cells` cells. A sign of several narrow characters is spread over its cells.
pub fn put_sign(buf: &mut Buffer, x: u16, y: u16, sign: &str, cells: u16, style: Style) {
    let spread = 2 < cells || (cells == 2 && sign.chars().count() == 2 && sign.is_ascii());
    if spread {
        for (offset, character) in (0..cells).zip(sign.chars()) {
            let mut bytes = [0; 4];
            cell(buf, x + offset, y, character.encode_utf8(&mut bytes), style);
        }
        return;
    }
    cell(buf, x, y, sign, style);
    for offset in 1..cells {
        // The cells behind a wide character hold nothing of their own.
        if let Some(cell) = buf.cell_mut((x + offset, y)) {
            cell.reset();
            cell.set_style(style);
        }
    }
}

fn cell(buf: &mut Buffer, x: u16, y: u16, symbol: &str, style: Style) {
    if let Some(cell) = buf.cell_mut((x, y)) {
        cell.reset();
        cell.set_symbol(symbol).set_style(style);
    }
}

/// Fills an area with one style and spaces.
pub fn fill(buf: &mut Buffer, area: Area, style: Style) {
    for y in area.y..area.y + area.height {
        for x in area.x..area.x + area.width {
            cell(buf, x, y, " ", style);
        }
    }
}

/// A piece of a line with its style.
pub type Piece<'a> = (std::borrow::Cow<'a, str>, Style);

/// Writes pieces after each other in at most `width` cells; says how many they took.
pub fn put_all(buf: &mut Buffer, x: u16, y: u16, width: u16, pieces: &[Piece<'_>]) -> u16 {
    let mut used = 0;
    for (text, style) in pieces {
        used += put(buf, x + used, y, width - used, text, *style);
    }
    used
}

/// Writes a line with something at its right end, which gives way where both do not fit.
pub fn put_both(buf: &mut Buffer, area: Area, left: &[Piece<'_>], right: &[Piece<'_>]) {
    let length = |pieces: &[Piece<'_>]| pieces.iter().map(|(text, _)| cells(text)).sum::<usize>();
    let (wanted, needs) = (length(left), length(right));
    let width = usize::from(area.width);
    if wanted + needs + 2 <= width {
        put_all(
            buf,
            area.x + (width - needs) as u16,
            area.y,
            needs as u16,
            right,
        );
    }
    put_cut(buf, area, left);
}

/// Writes a line with `…` in its last cell where it is too long.
pub fn put_cut(buf: &mut Buffer, area: Area, pieces: &[Piece<'_>]) {
    let used = put_all(buf, area.x, area.y, area.width, pieces);
    let wanted: usize = pieces.iter().map(|(text, _)| cells(text)).sum();
    if usize::from(used) < wanted && 0 < area.width {
        let style = pieces.last().map_or(Style::new(), |(_, style)| *style);
        put(
            buf,
            area.x + used.min(area.width - 1),
            area.y,
            1,
            "…",
            style,
        );
    }
}

/// Puts ASCII in place of every other character, where the locale is not UTF-8: the terminal could show none of them.
pub fn ascii(buf: &mut Buffer) {
    const KNOWN: [(&str, &str); 12] = [
        ("…", "~"),
        ("·", "-"),
        ("→", ">"),
        ("⏎", "$"),
        ("⇥", ">"),
        ("␛", "^"),
        ("│", "|"),
        ("─", "-"),
        ("◂", "<"),
        ("▸", ">"),
        ("✗", "x"),
        ("∅", "0"),
    ];
    for cell in &mut buf.content {
        if !cell.symbol().is_ascii() {
            let known = KNOWN.iter().find(|(sign, _)| *sign == cell.symbol());
            cell.set_symbol(known.map_or("?", |(_, plain)| plain));
        }
    }
}

/// A border with titles. Borders of the pane with the focus are thick. The right title gives way to the left one.
pub fn frame(
    buf: &mut Buffer,
    area: Area,
    paint: Paint,
    focused: bool,
    left: &[Piece<'_>],
    right: &str,
) {
    if area.width < 2 || area.height < 2 {
        return;
    }
    let signs = paint.signs();
    let [top_left, top_right, bottom_left, bottom_right, across, down] =
        if focused { signs.thick } else { signs.thin };
    let style = if focused {
        paint.focus()
    } else {
        paint.faint()
    };
    let (last_x, last_y) = (area.x + area.width - 1, area.y + area.height - 1);
    for x in area.x..=last_x {
        cell(buf, x, area.y, across, style);
        cell(buf, x, last_y, across, style);
    }
    for y in area.y..=last_y {
        cell(buf, area.x, y, down, style);
        cell(buf, last_x, y, down, style);
    }
    cell(buf, area.x, area.y, top_left, style);
    cell(buf, last_x, area.y, top_right, style);
    cell(buf, area.x, last_y, bottom_left, style);
    cell(buf, last_x, last_y, bottom_right, style);
    // `┌─ left ── right ─┐`: a space on each side of both.
    let room = area.width.saturating_sub(4);
    let wanted: usize = left.iter().map(|(text, _)| cells(text)).sum();
    if 0 < wanted && 2 < room {
        let x = area.x + 2;
        cell(buf, x, area.y, " ", style);
        let used = put_all(buf, x + 1, area.y, room - 2, left);
        cell(buf, x + 1 + used, area.y, " ", style);
    }
    let taken = if wanted == 0 {
        0
    } else {
        (wanted as u16 + 2).min(room)
    };
    let needs = cells(right) as u16;
    if 0 < needs && taken + needs + 2 <= area.width.saturating_sub(4) {
        let x = last_x - 2 - needs;
        cell(buf, x - 1, area.y, " ", style);
        put(
            buf,
            x,
            area.y,
            needs,
            right,
            if focused {
                paint.strong()
            } else {
                paint.plain()
            },
        );
        cell(buf, last_x - 2, area.y, " ", style);
    }
}
