//! The list of strategies: what each rung found, where it stopped, and what would pass.

use ratatui::buffer::Buffer;

use super::ink::{Piece, fill, frame, put, put_all};
use super::output;
use super::theme::Paint;
use super::viewer::{Viewer, no_marks};
use crate::app::App;
use crate::app::ladder::Slot;
use crate::app::layout::Area;
use crate::app::overlay::Strategies;
use crate::app::words::{brief, fold};
use crate::repair::{Expected, LADDER, Level, Refusal, Why};
use crate::visible::visible;

/// Columns: where each begins.
const OUTCOME: u16 = 21;
const FOUND: u16 = 35;
const PASSES: u16 = 59;
const LEVEL: u16 = 73;

/// What holds for all rungs.
const NOTES: [&str; 2] = [
    "Every rung starts from the source; nothing is carried from one to the next.",
    "* auto: lowest worst level, fewest schema problems, lowest number.",
];

/// Draws the list and, below it, what the chosen rung would give.
pub fn draw(app: &App, list: &Strategies, area: Area, below: Area, paint: Paint, buf: &mut Buffer) {
    let ladder = &app.bench.ladder;
    let chatcli = match ladder.chatcli() {
        _ if !ladder.is_complete() => String::new(),
        None => "chatcli: none of 1 to 7 passes".to_owned(),
        Some(index) => format!("chatcli: rung {} {}", index + 1, LADDER[index].id),
    };
    fill(buf, area, paint.plain());
    frame(
        buf,
        area,
        paint,
        true,
        &[("Strategies".into(), paint.strong())],
        &chatcli,
    );
    let inner = area.inner();
    let bottom = inner.y + inner.height;
    let stretch = Stretch::new(inner.width);
    header(inner, stretch, paint, buf);
    let rows = usize::from(inner.height.saturating_sub(1)).max(1);
    let top = (list.at + 1).saturating_sub(rows);
    let mut y = inner.y + 1;
    for (index, rung) in LADDER.iter().enumerate().skip(top).take(rows) {
        let chosen = index == list.at;
        let row = Area {
            y,
            height: 1,
            ..inner
        };
        let style = if chosen {
            paint.chosen()
        } else {
            paint.plain()
        };
        if chosen {
            fill(buf, row, style);
        }
        let marker = if chosen { paint.signs().chosen } else { " " };
        let auto = if ladder.auto == Some(index) { " *" } else { "" };
        let name = format!("{marker}{:>3} {}{auto}", rung.number, rung.id);
        put(
            buf,
            inner.x,
            y,
            stretch.outcome.min(inner.width),
            &name,
            style,
        );
        if let Some(slot) = ladder.slot(index) {
            outcome(app, slot, row, stretch, paint, style, buf);
        }
        y += 1;
    }
    y += 1;
    for line in NOTES
        .iter()
        .flat_map(|note| fold(note, usize::from(inner.width).saturating_sub(3)))
    {
        if bottom <= y {
            break;
        }
        put(
            buf,
            inner.x + 3,
            y,
            inner.width.saturating_sub(3),
            &line,
            paint.faint(),
        );
        y += 1;
    }
    preview(app, list, below, paint, buf);
}

/// The columns on this width: as drawn at 78, the gain of wider screens between them.
#[derive(Clone, Copy)]
struct Stretch {
    outcome: u16,
    found: u16,
    passes: u16,
    level: u16,
}

impl Stretch {
    fn new(width: u16) -> Stretch {
        let spare = width.saturating_sub(78).min(40);
        Stretch {
            outcome: OUTCOME,
            found: FOUND,
            passes: PASSES + spare / 2,
            level: LEVEL + spare,
        }
    }
}

fn header(inner: Area, stretch: Stretch, paint: Paint, buf: &mut Buffer) {
    for (x, word) in [
        (3, "# strategy"),
        (stretch.outcome, "outcome"),
        (stretch.found, "found"),
        (stretch.passes, "would pass"),
        (stretch.level, "level"),
    ] {
        // A column of which only a stub fits is left out; the status row tells the same of the chosen rung.
        if x + 8 <= inner.width || word == "level" {
            let width = inner.width.saturating_sub(x);
            put(buf, inner.x + x, inner.y, width, word, paint.faint());
        }
    }
}

fn outcome(
    app: &App,
    slot: &Slot,
    row: Area,
    stretch: Stretch,
    paint: Paint,
    style: ratatui::style::Style,
    buf: &mut Buffer,
) {
    let mut cell = |x: u16, to: u16, text: &str, style| {
        // One space to the next column; the last one goes to the border.
        let end = if to < row.width { to - 1 } else { row.width };
        if x + 8 <= row.width || 5 <= end.saturating_sub(x) {
            put(buf, row.x + x, row.y, end.saturating_sub(x), text, style);
        }
    };
    let Some(refusal) = slot.refusal() else {
        let fixes = if slot.fixes == 0 {
            "valid".to_owned()
        } else {
            format!("valid +{}", slot.fixes)
        };
        cell(
            stretch.outcome,
            stretch.found,
            &fixes,
            paint.good().patch(style),
        );
        cell(stretch.found, row.width, &tally(slot), style);
        return;
    };
    let place = slot
        .place
        .map_or(String::new(), |place| format!("stopped {place}"));
    cell(stretch.outcome, stretch.found, &place, style);
    cell(stretch.found, stretch.passes, &found(app, refusal), style);
    match refusal.rule() {
        Some(rule) => {
            cell(stretch.passes, stretch.level, rule.id(), style);
            cell(
                stretch.level,
                row.width,
                rule.level().name(),
                paint.level(rule.level()).patch(style),
            );
        }
        None if refusal.why == Why::Syntax || refusal.why == Why::LooksLikeJson => {
            cell(stretch.passes, stretch.level, "-", style)
        }
        None => cell(stretch.passes, row.width, refusal.why.word(), style),
    }
}

/// `12 safe 1 lossy 1 guess`.
fn tally(slot: &Slot) -> String {
    if slot.fixes == 0 {
        return "no edit".to_owned();
    }
    let parts = Level::ALL
        .iter()
        .zip(slot.levels)
        .filter(|(_, number)| 0 < *number);
    let words: Vec<String> = parts
        .map(|(level, number)| format!("{number} {level}"))
        .collect();
    words.join(" ")
}

/// What stands at the place; for single signs also what was due.
fn found(app: &App, refusal: &Refusal) -> String {
    let source = app.bench.doc.source.as_str();
    let found = visible(&refusal.found(source)).into_owned();
    match refusal.why {
        Why::LooksLikeJson => {
            let first = source.trim_start().chars().next().unwrap_or(' ');
            let field = app.bench.doc.tool.plain_field().unwrap_or("the field");
            match field {
                "file" | "dir" | "file_path" | "path" => format!("`{first}`: {field} is a path"),
                _ => format!("`{first}`: reads as JSON"),
            }
        }
        Why::UnknownTool => "no tool is known".to_owned(),
        Why::LooksLikeProse => "a sentence".to_owned(),
        Why::HasFlags => "flags".to_owned(),
        _ if found.chars().count() <= 3 || !found.starts_with('`') => {
            format!("{found}, {} was due", due(refusal.expected))
        }
        _ => brief(&found, 23),
    }
}

fn due(expected: Expected) -> String {
    match expected {
        Expected::Name => "a name".to_owned(),
        other => other.to_string(),
    }
}

fn preview(app: &App, list: &Strategies, area: Area, paint: Paint, buf: &mut Buffer) {
    if area.height < 3 {
        return;
    }
    let Some(slot) = app.bench.ladder.slot(list.at) else {
        return;
    };
    let title: [Piece<'_>; 1] = [(
        format!("If you pick {}", list.at + 1).into(),
        paint.strong(),
    )];
    let right = match (&list.preview, slot.refusal()) {
        (_, Some(_)) => "refused".to_owned(),
        (Some(preview), None) => match &preview.shown.fault {
            None => "valid JSON".to_owned(),
            Some(fault) => match fault.cause {
                Some(fix) => format!("not valid until {} is allowed", fix.rule.id()),
                None => "not valid".to_owned(),
            },
        },
        (None, None) => String::new(),
    };
    fill(buf, area, paint.plain());
    frame(buf, area, paint, false, &title, &right);
    let inner = area.inner();
    match (&list.preview, slot.refusal()) {
        (_, Some(refusal)) => {
            let message = visible(&refusal.message(app.bench.doc.source.as_str())).into_owned();
            let lines = fold(&message, usize::from(inner.width).saturating_sub(2));
            for (y, line) in (inner.y..inner.y + inner.height).zip(lines) {
                put_all(
                    buf,
                    inner.x + 1,
                    y,
                    inner.width.saturating_sub(1),
                    &[(line.into(), paint.plain())],
                );
            }
        }
        (Some(preview), None) => {
            let viewer = Viewer {
                text: &preview.shown.text,
                pane: &crate::app::pane::Pane::default(),
                gutter: app.gutter(&preview.shown.text),
                caret: None,
                marks: &no_marks,
                notes: &|row| output::off_notes(app, &preview.review, &preview.shown, paint, row),
                end: None,
            };
            viewer.draw(inner, paint, buf);
        }
        (None, None) => {
            put(
                buf,
                inner.x + 1,
                inner.y,
                inner.width,
                "too long to show here: enter shows it",
                paint.faint(),
            );
        }
    }
}
