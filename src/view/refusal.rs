//! A refusal: where, what was expected and found, why, and the ways on that exist.

use ratatui::buffer::Buffer;

use super::ink::{put, put_all};
use super::theme::Paint;
use crate::app::App;
use crate::app::excerpt::excerpt;
use crate::app::keys::Action;
use crate::app::layout::Area;
use crate::app::overlay::Overlay;
use crate::app::words::fold;
use crate::repair::{Level, Refusal};
use crate::visible::visible;

/// Draws the refusal.
pub fn draw(app: &App, refusal: &Refusal, area: Area, paint: Paint, buf: &mut Buffer) {
    let text = &app.bench.doc.source;
    let place = text.position(refusal.at);
    let found = visible(&refusal.found(text.as_str())).into_owned();
    let head = format!(
        "refused at line {}, column {} (byte {}): expected {}, found {found}",
        place.line, place.column, refusal.at, refusal.expected
    );
    let reason = refusal.why.reason();
    let mut lines: Vec<(String, ratatui::style::Style)> = Vec::new();
    let width = usize::from(area.width).saturating_sub(2).max(10);
    let folded = fold(&head, width);
    lines.extend(folded.into_iter().map(|line| (line, paint.plain())));
    // How many they are is plain to see here.
    let reason = match refusal.candidates.len() {
        2 => reason.replace("several different", "two different"),
        _ => reason,
    };
    if matches!(app.overlay, Some(Overlay::Candidates(_))) {
        lines.extend(
            fold(&sentence(&reason), width)
                .into_iter()
                .map(|line| (line, paint.plain())),
        );
    } else {
        body(app, refusal, &reason, width, paint, &mut lines);
    }
    let height = usize::from(area.height);
    if height < lines.len() {
        lines.retain(|(line, _)| !line.is_empty());
    }
    // What still does not fit is scrolled to.
    let top = app
        .bench
        .refusal_top
        .min(lines.len().saturating_sub(height));
    for (y, (line, style)) in (area.y..area.y + area.height).zip(lines.into_iter().skip(top)) {
        put(
            buf,
            area.x + 1,
            y,
            area.width.saturating_sub(1),
            &line,
            style,
        );
    }
}

fn body(
    app: &App,
    refusal: &Refusal,
    reason: &str,
    width: usize,
    paint: Paint,
    lines: &mut Vec<(String, ratatui::style::Style)>,
) {
    let text = &app.bench.doc.source;
    let bar = paint.signs().bar;
    let plain = paint.plain();
    lines.push((String::new(), plain));
    let view = excerpt(text, refusal.at, refusal.found.end, width.saturating_sub(8));
    let number = view.number.to_string();
    let margin = " ".repeat(number.len());
    lines.push((format!("{number} {bar} {}", view.line), plain));
    let carets = "^".repeat(view.cells.min(width));
    let under = format!(
        "{margin} {bar} {}{carets} {reason}",
        " ".repeat(view.offset)
    );
    if under.chars().count() <= width {
        lines.push((under, paint.bad()));
    } else {
        lines.push((
            format!("{margin} {bar} {}{carets}", " ".repeat(view.offset)),
            paint.bad(),
        ));
        lines.extend(
            fold(reason, width)
                .into_iter()
                .map(|line| (line, paint.bad())),
        );
    }
    lines.push((String::new(), plain));
    let good = text.position(refusal.good);
    let last = match refusal.good {
        0 => "no good point before it".to_owned(),
        _ => format!(
            "last good point: line {}, column {}",
            good.line, good.column
        ),
    };
    let passes = match refusal.rule() {
        None => "No level allows it. Ways on:".to_owned(),
        Some(rule) => format!("{} ({}) would pass. Ways on:", rule.id(), rule.level()),
    };
    lines.extend(
        fold(&format!("{last}. {passes}"), width)
            .into_iter()
            .map(|line| (line, plain)),
    );
    let mut ways: Vec<(Action, &str)> = Vec::new();
    if refusal.needs() == Some(Level::Guess) && !app.bench.guesses {
        ways.push((Action::AllowGuesses, "allow guesses"));
    }
    if refusal.rule().is_some() && app.bench.ladder.at + 1 < crate::repair::LADDER.len() {
        ways.push((Action::RungNext, "the next rung"));
    }
    if !refusal.candidates.is_empty() {
        ways.push((Action::Candidates, "choose one of the values"));
    }
    ways.push((Action::Insert, "edit the source here"));
    ways.push((Action::Message, "copy a message that asks for it again"));
    ways.push((Action::CopyMenu, "copy the source as it is"));
    let named: Vec<String> = ways
        .iter()
        .filter_map(|(action, words)| {
            let key = app.keymap.key(app.contexts(), *action)?;
            Some(format!("{key}  {words}"))
        })
        .collect();
    // Two ways a line where they fit.
    for pair in named.chunks(2) {
        let both = match pair {
            [one, two] if one.chars().count() <= 27 && 29 + two.chars().count() <= width => {
                format!("  {one:<28} {two}")
            }
            [one, two] => {
                lines.push((format!("  {one}"), plain));
                format!("  {two}")
            }
            [one] => format!("  {one}"),
            _ => String::new(),
        };
        lines.push((both, plain));
    }
}

/// A reason as a sentence: `Two different values, and nothing says which one is meant.`
fn sentence(reason: &str) -> String {
    let mut letters = reason.chars();
    match letters.next() {
        Some(first) => format!("{}{}.", first.to_uppercase(), letters.as_str()),
        None => String::new(),
    }
}

/// Writes folded lines with one style into an area; says how many rows it took.
pub fn write(buf: &mut Buffer, area: Area, lines: &[String], style: ratatui::style::Style) -> u16 {
    for (y, line) in (area.y..area.y + area.height).zip(lines) {
        put_all(buf, area.x, y, area.width, &[(line.as_str().into(), style)]);
    }
    (lines.len() as u16).min(area.height)
}
