//! Pane 3: one row a fix, equal ones folded.

use ratatui::buffer::Buffer;
use ratatui::style::Modifier;

use super::ink::{Piece, frame, put, put_cut};
use super::theme::Paint;
use crate::app::change::{before_after, remark};
use crate::app::layout::{Area, Size};
use crate::app::rows::{EditRow, Tally};
use crate::app::text::cells;
use crate::app::{App, Focus};
use crate::repair::{Decision, LADDER, Level, Review};

/// Draws the pane.
pub fn draw(app: &App, area: Area, paint: Paint, buf: &mut Buffer) {
    let bench = &app.bench;
    let focused = app.focus == Focus::Edits && app.overlay.is_none();
    let right = right(app, paint);
    let room = usize::from(area.width).saturating_sub(6);
    let mut title = title(app, paint, false);
    let length = |pieces: &[Piece<'_>]| pieces.iter().map(|(text, _)| cells(text)).sum::<usize>();
    if room < length(&title) + 2 + cells(&right) {
        title = self::title(app, paint, true);
    }
    frame(buf, area, paint, focused, &title, &right);
    let inner = area.inner();
    let Some(review) = &bench.review else { return };
    if bench.rows.is_empty() {
        let words = match (bench.rows.blank, bench.refusal()) {
            (0, _) => "No edits: nothing was changed.".to_owned(),
            (hidden, _) => format!("{hidden} edits of white space only are hidden: b shows them."),
        };
        put(
            buf,
            inner.x + 1,
            inner.y,
            inner.width.saturating_sub(1),
            &words,
            paint.faint(),
        );
        return;
    }
    let chosen = bench.row();
    let list = bench.rows.list();
    let window = list
        .iter()
        .enumerate()
        .skip(bench.rows_top)
        .take(usize::from(inner.height));
    let named: Vec<_> = window
        .map(|(index, row)| {
            // Where there is no room for the place, Source shows it.
            let place = if inner.width < 48 {
                String::new()
            } else {
                place(app, review, row)
            };
            (index, row, name(row), place)
        })
        .collect();
    // The drawings' columns, wider only where a name or place needs it; on narrow screens as narrow as they can be.
    let wide = 56 <= inner.width;
    let least = |least: usize| if wide { least } else { 0 };
    let names = named
        .iter()
        .map(|(.., name, _)| cells(name))
        .max()
        .unwrap_or(0)
        .max(least(16))
        .min(28);
    let places = named
        .iter()
        .map(|(.., place)| cells(place))
        .max()
        .unwrap_or(0)
        .max(least(4));
    for (y, (index, row, name, place)) in (inner.y..).zip(named) {
        draw_row(
            app,
            review,
            row,
            chosen == Some(index),
            &name,
            names,
            &place,
            places,
            paint,
            Area {
                y,
                height: 1,
                ..inner
            },
            buf,
        );
    }
}

#[allow(clippy::too_many_arguments)]
fn draw_row(
    app: &App,
    review: &Review,
    row: &EditRow,
    chosen: bool,
    name: &str,
    names: usize,
    place: &str,
    places: usize,
    paint: Paint,
    area: Area,
    buf: &mut Buffer,
) {
    let signs = paint.signs();
    let level = app.bench.level(row.rule);
    let mark = match row.decision {
        Decision::On => "[x]",
        Decision::Off => "[ ]",
        Decision::Undecided => "[?]",
    };
    let word = match level {
        Level::Safe => "safe",
        Level::Lossy => "LOSSY",
        Level::Guess => "guess",
    };
    let fix = review.fixes()[row.first];
    let (before, after) = before_after(app.bench.doc.source.as_str(), review, fix);
    let or_nothing = |text: String| {
        if text.is_empty() {
            signs.nothing.to_owned()
        } else {
            text
        }
    };
    let mut change = format!(
        "{} {} {}",
        or_nothing(before),
        signs.arrow,
        or_nothing(after)
    );
    if !remark(row.rule).is_empty() {
        change.push_str("   ");
        change.push_str(remark(row.rule));
    }
    if let Some(number) = app.bench.needs(fix) {
        change.push_str(&format!("   needs #{number}"));
    }
    let style = if chosen {
        paint.strong().add_modifier(Modifier::REVERSED)
    } else {
        paint.plain()
    };
    let off = if row.decision == Decision::Off {
        paint.faint()
    } else {
        paint.plain()
    };
    let style = style.patch(off);
    if chosen {
        super::ink::fill(buf, area, style);
    }
    let marker = if chosen { signs.chosen } else { " " };
    let gap = if area.width < 56 { " " } else { "  " };
    let pieces: [Piece<'_>; 6] = [
        (format!("{marker} ").into(), style),
        (format!("{mark} ").into(), style),
        (
            format!("{word:<5}{gap}").into(),
            paint.level(level).patch(style),
        ),
        (
            format!(
                "{name}{}",
                " ".repeat(names.saturating_sub(cells(name)) + gap.len())
            )
            .into(),
            style,
        ),
        (
            format!(
                "{place}{}",
                " ".repeat(if places == 0 {
                    0
                } else {
                    places.saturating_sub(cells(place)) + gap.len()
                })
            )
            .into(),
            style,
        ),
        (change.into(), style),
    ];
    put_cut(buf, area, &pieces);
}

fn name(row: &EditRow) -> String {
    match row.count {
        1 => row.rule.id().to_owned(),
        count => format!("{} x{count}", row.rule.id()),
    }
}

fn place(app: &App, review: &Review, row: &EditRow) -> String {
    let edit = review.repair().edits.get(review.fixes()[row.first].first);
    edit.map_or(String::new(), |edit| {
        app.bench.doc.source.position(edit.span.start).to_string()
    })
}

/// `3 Edits 8 safe · 2 lossy (2 undecided)`; short where that does not fit.
fn title(app: &App, paint: Paint, short: bool) -> Vec<Piece<'static>> {
    let rows = &app.bench.rows;
    let dot = format!(" {} ", paint.signs().dot);
    let mut pieces: Vec<Piece<'static>> = vec![("3 Edits".into(), paint.strong())];
    let (all, _) = rows.totals();
    if app.bench.review.is_none() {
        return pieces;
    }
    if all == 0 {
        pieces.push((" 0".into(), paint.plain()));
        return pieces;
    }
    if short {
        pieces.push((format!(" {all}").into(), paint.plain()));
        let open = rows.undecided();
        if 0 < open {
            pieces.push((
                format!("{dot}{open} undecided").into(),
                paint.level(Level::Lossy),
            ));
        }
        return pieces;
    }
    let mut between = " ".to_owned();
    for level in Level::ALL {
        let tally = rows.levels[level as usize];
        if tally.all == 0 {
            continue;
        }
        pieces.push((
            std::mem::replace(&mut between, dot.clone()).into(),
            paint.plain(),
        ));
        pieces.push((
            format!("{} {}{}", tally.all, level.name(), details(tally)).into(),
            paint.level(level),
        ));
    }
    if 0 < rows.blank {
        pieces.push((format!("{dot}{} hidden", rows.blank).into(), paint.faint()));
    }
    pieces
}

/// ` (2 undecided, 1 off)`; of a single fix without its number.
fn details(tally: Tally) -> String {
    let mut parts = Vec::new();
    for (number, word) in [(tally.undecided, "undecided"), (tally.off, "off")] {
        match number {
            0 => {}
            _ if tally.all == 1 => parts.push(word.to_owned()),
            _ => parts.push(format!("{number} {word}")),
        }
    }
    if parts.is_empty() {
        String::new()
    } else {
        format!(" ({})", parts.join(", "))
    }
}

/// The rung where there is no strip, else how many edits are on.
fn right(app: &App, paint: Paint) -> String {
    let ladder = &app.bench.ladder;
    if app.bench.doc.source.is_empty() || ladder.current().is_none() {
        return String::new();
    }
    if Size::Wide <= Size::of(app.size) {
        let (all, on) = app.bench.rows.totals();
        return if all == 0 {
            String::new()
        } else {
            format!("{on}/{all}")
        };
    }
    let strategy = ladder.strategy();
    let valid = ladder.current().is_some_and(|slot| slot.place.is_none());
    let auto = if valid && ladder.auto == Some(ladder.at) {
        format!(" {} auto", paint.signs().dot)
    } else {
        String::new()
    };
    format!(
        "rung {}/{} {}{auto}",
        strategy.number,
        LADDER.len(),
        strategy.id
    )
}
