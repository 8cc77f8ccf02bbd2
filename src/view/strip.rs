//! The strategy strip: ten rungs, each with its outcome.

use ratatui::buffer::Buffer;

use super::ink::put;
use super::theme::Paint;
use crate::app::App;
use crate::app::layout::Area;
use crate::app::text::cells;
use crate::repair::LADDER;

/// Cells of a rung before its outcome, where there are two rows.
const IN_FRONT: usize = 16;

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
    let all = |most: usize| -> usize {
        let slots = (0..LADDER.len()).filter_map(|index| ladder.slot(index));
        slots
            .map(|slot| cells(&slot.outcome(signs.cross, most)))
            .sum()
    };
    // In one row the outcomes share what the names leave, after the gaps have given way.
    let names: usize = LADDER
        .iter()
        .map(|rung| cells(&format!(" {} {}*", rung.number, rung.strip)))
        .sum();
    let spare = usize::from(area.width).saturating_sub(names);
    let gaps = 2 * LADDER.len() - 1;
    let tight = !in_two && spare < all(usize::MAX) + gaps;
    let most = match in_two {
        true => usize::from(width).saturating_sub(IN_FRONT),
        false if tight => (1..spare)
            .rev()
            .find(|most| all(*most) <= spare)
            .unwrap_or(1),
        false => usize::MAX,
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
            (Some(slot), _) => slot.outcome(signs.cross, most),
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
            false => format!("{marker}{} {}{auto}{outcome}", rung.number, rung.strip),
        };
        let room = if in_two {
            width
        } else {
            area.width.saturating_sub(column - area.x)
        };
        put(buf, column, row, room, &text, style);
        x += cells(&text) as u16 + if tight { 0 } else { 2 };
    }
}
