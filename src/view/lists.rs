//! Lists that lie over a screen: palette, tools, forms to copy, messages.

use ratatui::buffer::Buffer;

use super::ink::{fill, frame, put, put_cut};
use super::theme::Paint;
use crate::app::App;
use crate::app::keys::{Action, Context};
use crate::app::layout::Area;
use crate::app::leave::Form;
use crate::app::overlay::{Choice, Finder};
use crate::app::text::cells;
use crate::visible::visible;

/// Every command by its name; says where the cursor stands.
pub fn palette(
    app: &App,
    finder: &Finder<Action>,
    area: Area,
    paint: Paint,
    buf: &mut Buffer,
) -> (u16, u16) {
    let rows: Vec<[String; 3]> = finder
        .found
        .iter()
        .map(|action| {
            let row = action.row();
            let keys = Context::ALL
                .iter()
                .find_map(|context| app.keymap.key(&[*context], *action));
            [
                row.id.to_owned(),
                keys.unwrap_or_default().to_owned(),
                row.help.to_owned(),
            ]
        })
        .collect();
    found("Commands", finder, &rows, area, paint, buf)
}

/// Tools to choose from; says where the cursor stands.
pub fn tools(
    app: &App,
    finder: &Finder<Choice>,
    area: Area,
    paint: Paint,
    buf: &mut Buffer,
) -> (u16, u16) {
    let now = app.bench.doc.tool.name.as_deref();
    let rows: Vec<[String; 3]> = finder
        .found
        .iter()
        .map(|choice| match choice {
            Choice::None => [
                "no tool".to_owned(),
                String::new(),
                "any JSON value is fine".to_owned(),
            ],
            Choice::Known(name, about) => {
                let mark = if now == Some(name.as_str()) {
                    "now"
                } else {
                    ""
                };
                [
                    visible(name).into_owned(),
                    mark.to_owned(),
                    (*about).to_owned(),
                ]
            }
            Choice::Typed(name) => [
                visible(name).into_owned(),
                String::new(),
                "as typed".to_owned(),
            ],
            Choice::File => [
                "from a file ...".to_owned(),
                String::new(),
                "tool definitions: OpenAI, Anthropic, MCP, Gemini".to_owned(),
            ],
        })
        .collect();
    found("Schema and tool", finder, &rows, area, paint, buf)
}

fn found<T>(
    title: &str,
    finder: &Finder<T>,
    rows: &[[String; 3]],
    area: Area,
    paint: Paint,
    buf: &mut Buffer,
) -> (u16, u16) {
    fill(buf, area, paint.plain());
    let right = format!("{}", rows.len());
    frame(
        buf,
        area,
        paint,
        true,
        &[(title.to_owned().into(), paint.strong())],
        &right,
    );
    let inner = area.inner();
    let used = put(buf, inner.x, inner.y, inner.width, "> ", paint.strong());
    let room = inner.width.saturating_sub(used + 1);
    put(
        buf,
        inner.x + used,
        inner.y,
        room,
        &finder.line.text,
        paint.plain(),
    );
    let cursor =
        inner.x + used + (cells(&finder.line.text[..finder.line.caret()]) as u16).min(room);
    let body = Area {
        y: inner.y + 1,
        height: inner.height.saturating_sub(1),
        ..inner
    };
    table(rows, finder.at, body, paint, buf);
    (cursor, inner.y)
}

/// Three columns, the chosen row reversed and in the window.
fn table(rows: &[[String; 3]], at: usize, area: Area, paint: Paint, buf: &mut Buffer) {
    let page = usize::from(area.height).max(1);
    let top = (at + 1).saturating_sub(page);
    let widest = |column: usize| {
        rows.iter()
            .map(|row| cells(&row[column]))
            .max()
            .unwrap_or(0) as u16
    };
    let (first, second) = (widest(0).min(area.width / 3).max(8), widest(1).min(12));
    for (y, (index, [name, mark, about])) in
        (area.y..area.y + area.height).zip(rows.iter().enumerate().skip(top))
    {
        let chosen = index == at;
        let style = if chosen {
            paint.chosen()
        } else {
            paint.plain()
        };
        if chosen {
            fill(
                buf,
                Area {
                    y,
                    height: 1,
                    ..area
                },
                style,
            );
        }
        let marker = if chosen { paint.signs().chosen } else { " " };
        put(buf, area.x, y, 2, marker, style);
        put(buf, area.x + 2, y, first, name, style);
        let x = 2 + first + 2;
        put(
            buf,
            area.x + x,
            y,
            area.width.saturating_sub(x).min(second),
            mark,
            paint.strong().patch(style),
        );
        let x = x + second + 2;
        let rest = Area {
            x: area.x + x,
            y,
            width: area.width.saturating_sub(x),
            height: 1,
        };
        put_cut(buf, rest, &[(about.as_str().into(), style)]);
    }
}

/// Forms in which something can be copied.
pub fn copy_menu(_: &App, forms: &[Form], at: usize, area: Area, paint: Paint, buf: &mut Buffer) {
    fill(buf, area, paint.plain());
    frame(
        buf,
        area,
        paint,
        true,
        &[("Copy".into(), paint.strong())],
        "",
    );
    let rows: Vec<[String; 3]> = forms
        .iter()
        .map(|form| {
            [
                form.letter().to_string(),
                String::new(),
                form.about().to_owned(),
            ]
        })
        .collect();
    table(&rows, at, area.inner(), paint, buf);
}

/// What was said before, the newest first.
pub fn messages(app: &App, top: usize, area: Area, paint: Paint, buf: &mut Buffer) {
    fill(buf, area, paint.plain());
    let log = &app.messages.log;
    frame(
        buf,
        area,
        paint,
        true,
        &[("Messages".into(), paint.strong())],
        &log.len().to_string(),
    );
    let inner = area.inner();
    if log.is_empty() {
        put(
            buf,
            inner.x + 1,
            inner.y,
            inner.width.saturating_sub(1),
            "Nothing was said yet.",
            paint.faint(),
        );
    }
    for (y, (time, text)) in (inner.y..inner.y + inner.height).zip(log.iter().rev().skip(top)) {
        put(buf, inner.x, y, inner.width, time, paint.faint());
        put(
            buf,
            inner.x + 10,
            y,
            inner.width.saturating_sub(10),
            text,
            paint.plain(),
        );
    }
}
