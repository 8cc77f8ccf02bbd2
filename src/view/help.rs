//! All keys, and what the signs mean.

use ratatui::buffer::Buffer;

use super::ink::{fill, frame, put};
use super::theme::Paint;
use crate::app::App;
use crate::app::help::{HelpLine, lines};
use crate::app::layout::Area;
use crate::app::text::cells;

/// Draws the help from line `top` on.
pub fn draw(app: &App, top: usize, area: Area, paint: Paint, buf: &mut Buffer) {
    let lines = lines(&app.keymap);
    fill(buf, area, paint.plain());
    let inner = area.inner();
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
    let keys = lines.iter().map(|line| match line {
        HelpLine::Row(keys, _) if cells(keys) <= 24 => cells(keys),
        _ => 0,
    });
    let left = keys
        .max()
        .unwrap_or(0)
        .min(usize::from(inner.width) / 3)
        .max(8) as u16;
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
                let used = put(
                    buf,
                    inner.x + 2,
                    y,
                    inner.width.saturating_sub(2),
                    keys,
                    paint.focus(),
                );
                let x = used.max(left) + 4;
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
