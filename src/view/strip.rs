//! The strategy strip: ten rungs, each with its outcome.

use ratatui::buffer::Buffer;

use super::ink::put;
use super::theme::Paint;
use crate::app::App;
use crate::app::layout::Area;
use crate::app::text::cells;
use crate::repair::LADDER;

/// Two rows of five where there are two rows, else all ten in one.
pub fn draw(app: &App, area: Area, paint: Paint, buf: &mut Buffer) {
    let ladder = &app.bench.ladder;
    let signs = paint.signs();
    let in_two = 1 < area.height;
    let width = if in_two {
        area.width / 5
    } else {
        area.width / 10
    };
    let mut x = area.x;
    for (index, rung) in LADDER.iter().enumerate() {
        let marker = if index == ladder.at && !app.bench.doc.source.is_empty() {
            signs.chosen
        } else {
            " "
        };
        let slot = ladder.slot(index);
        let outcome = match (slot, app.bench.doc.source.is_empty()) {
            (Some(slot), _) => slot.outcome(signs.cross),
            (None, true) => String::new(),
            (None, false) => signs.more.to_owned(),
        };
        let auto = if ladder.auto == Some(index) { "*" } else { " " };
        let style = match slot {
            _ if index == ladder.at && slot.is_some() => paint.strong(),
            Some(slot) if slot.place.is_none() => paint.good(),
            _ => paint.faint(),
        };
        let (column, row) = match in_two {
            true => (
                area.x + (index as u16 % 5) * width,
                area.y + index as u16 / 5,
            ),
            false => (x, area.y),
        };
        let text = match in_two {
            true => format!(
                "{marker}{:>2} {:<10}{auto} {outcome}",
                rung.number, rung.strip
            ),
            false => format!("{marker}{} {}{auto}{outcome} ", rung.number, rung.strip),
        };
        let room = if in_two {
            width
        } else {
            area.width.saturating_sub(column - area.x)
        };
        put(buf, column, row, room, &text, style);
        x += cells(&text) as u16 + u16::from(!in_two && index < 9);
    }
}
