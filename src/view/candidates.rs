//! The values among which the user has to choose.

use ratatui::buffer::Buffer;

use super::ink::{Piece, fill, frame, put};
use super::refusal::write;
use super::theme::Paint;
use super::viewer::{Viewer, no_marks, no_notes};
use crate::app::App;
use crate::app::layout::Area;
use crate::app::overlay::Candidates;
use crate::app::text::cells;
use crate::app::words::{count, fold, size};
use crate::visible::visible;

/// Draws the list and the chosen value.
pub fn draw(
    app: &App,
    list: &Candidates,
    area: Area,
    beside: Area,
    paint: Paint,
    buf: &mut Buffer,
) {
    let bench = &app.bench;
    let Some(refusal) = bench.refusal() else {
        return;
    };
    let spans = &refusal.candidates;
    fill(buf, area, paint.plain());
    let title: [Piece<'_>; 1] = [(format!("Candidates {}", spans.len()).into(), paint.strong())];
    frame(buf, area, paint, true, &title, "");
    let inner = area.inner();
    let notes = fold(
        why_no_array(app),
        usize::from(inner.width).saturating_sub(4),
    );
    let rows = usize::from(inner.height)
        .saturating_sub(if notes.is_empty() { 0 } else { notes.len() + 1 })
        .max(1);
    let top = (list.at + 1).saturating_sub(rows);
    let places: Vec<String> = spans
        .iter()
        .skip(top)
        .take(rows)
        .map(|span| bench.doc.source.position(span.start).to_string())
        .collect();
    let widest = places
        .iter()
        .map(|place| cells(place))
        .max()
        .unwrap_or(0)
        .max(4);
    let mut y = inner.y;
    for ((index, span), place) in spans.iter().enumerate().skip(top).take(rows).zip(&places) {
        let chosen = index == list.at;
        let style = if chosen {
            paint.chosen()
        } else {
            paint.plain()
        };
        let row = Area {
            y,
            height: 1,
            ..inner
        };
        if chosen {
            fill(buf, row, style);
        }
        let marker = if chosen { paint.signs().chosen } else { " " };
        let outcome = list.outcomes.get(index).map_or("", String::as_str);
        let text = format!(
            "{marker} {}  {place:<widest$}  {}  {outcome}",
            index + 1,
            size(span.len() as usize)
        );
        put(buf, inner.x, y, inner.width, &text, style);
        y += 1;
    }
    let below = Area {
        x: inner.x + 2,
        y: y + 1,
        width: inner.width.saturating_sub(2),
        height: (inner.y + inner.height).saturating_sub(y + 1),
    };
    write(buf, below, &notes, paint.faint());
    preview(app, list, beside, paint, buf);
}

fn why_no_array(app: &App) -> &'static str {
    let bench = &app.bench;
    let Some(refusal) = bench.refusal() else {
        return "";
    };
    let lines = bench.doc.source.lines();
    let mut own: Vec<usize> = refusal
        .candidates
        .iter()
        .take(1_000)
        .map(|span| lines.line_of(span.start))
        .collect();
    own.dedup();
    if own.len() < 2 {
        return "All on one line: no JSON Lines, so no array is offered.";
    }
    if bench.doc.tool.name.is_some() || bench.doc.tool.schema.is_some() {
        return "A tool takes one object, so no array is offered.";
    }
    ""
}

fn preview(app: &App, list: &Candidates, area: Area, paint: Paint, buf: &mut Buffer) {
    if area.width == 0 {
        return;
    }
    let number = list.at + 1;
    let title: [Piece<'_>; 1] = [(format!("Preview of {number}").into(), paint.strong())];
    fill(buf, area, paint.plain());
    frame(
        buf,
        area,
        paint,
        false,
        &title,
        &size(list.text.len() as usize),
    );
    let inner = area.inner();
    let others = app
        .bench
        .refusal()
        .map_or(0, |refusal| refusal.candidates.len());
    let dropped = match others {
        2 => format!("dropping {}", 3 - number),
        _ => format!("dropping {} others", others.saturating_sub(1)),
    };
    let ways = [
        format!("enter  keep {number}; {dropped} is listed"),
        format!("b      split: {}, each repaired", count(others, "call")),
        "       on its own, . and , walk them".to_owned(),
        "m      ask the model which one".to_owned(),
    ];
    let schema = match (&app.bench.doc.tool.schema, list.problems) {
        (Some(_), problems) => {
            let tool =
                visible(app.bench.doc.tool.name.as_deref().unwrap_or("the tool")).into_owned();
            let words = if problems == 0 {
                "no problem".to_owned()
            } else {
                count(problems, "problem")
            };
            Some(format!("schema {tool}: {words}"))
        }
        (None, _) => None,
    };
    let tail = ways.len() as u16 + 1 + if schema.is_some() { 2 } else { 0 };
    let text = Area {
        height: inner.height.saturating_sub(tail).max(1),
        ..inner
    };
    let viewer = Viewer {
        text: &list.text,
        pane: &crate::app::pane::Pane::default(),
        gutter: app.gutter(&list.text),
        caret: None,
        marks: &no_marks,
        notes: &no_notes,
        end: None,
    };
    viewer.draw(text, paint, buf);
    let mut y = text.y + text.height;
    let mut say = |y: u16, line: &str, style| {
        if y < inner.y + inner.height {
            put(buf, inner.x, y, inner.width, line, style);
        }
    };
    if let Some(schema) = schema {
        say(y, &schema, paint.plain());
        y += 2;
    }
    for line in &ways {
        say(y, line, paint.plain());
        y += 1;
    }
}
