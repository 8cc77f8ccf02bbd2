//! All keys, and what the signs mean.

use ratatui::buffer::Buffer;

use super::ink::{fill, frame, put};
use super::theme::Paint;
use crate::app::App;
use crate::app::help::{HelpLine, keys_width, lines};
use crate::app::layout::Area;

/// Draws the help from line `top` on.
pub fn draw(app: &App, top: usize, area: Area, paint: Paint, buf: &mut Buffer) {
    fill(buf, area, paint.plain());
    let inner = area.inner();
    let lines = lines(&app.keymap, usize::from(inner.width));
    let page = usize::from(inner.height);
    let last = (top + page).min(lines.len());
    let right = format!("{}-{last} of {}", top + 1, lines.len());
    frame(
        buf,
        area,
        paint,
        true,
        &[("Help".into(), paint.strong())],
        &right,
    );
    let left = keys_width(&lines, usize::from(inner.width)) as u16;
    for (y, line) in (inner.y..inner.y + inner.height).zip(lines.iter().skip(top)) {
        match line {
            HelpLine::Title(title) => {
                put(
                    buf,
                    inner.x + 1,
                    y,
                    inner.width.saturating_sub(1),
                    title,
                    paint.strong(),
                );
            }
            HelpLine::Row(keys, help) => {
                put(buf, inner.x + 2, y, left, keys, paint.focus());
                let x = left + 4;
                put(
                    buf,
                    inner.x + x,
                    y,
                    inner.width.saturating_sub(x),
                    help,
                    paint.plain(),
                );
            }
            HelpLine::Blank => {}
        }
    }
}
