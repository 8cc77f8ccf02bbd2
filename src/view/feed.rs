//! The Feed: failed calls, newest first, with the chosen one below.

use ratatui::buffer::Buffer;
use ratatui::style::Style;

use super::ink::{Piece, fill, frame, put, put_all};
use super::theme::Paint;
use super::viewer::{Viewer, no_notes};
use crate::app::feed::{Entry, State};
use crate::app::keys::Action;
use crate::app::layout::{Area, Layout};
use crate::app::text::cells;
use crate::app::words::{brief, clock, fold, size};
use crate::app::{App, Screen};
use crate::repair::Level;
use crate::visible::visible;

/// Draws the list and the preview.
pub fn draw(app: &App, layout: &Layout, paint: Paint, buf: &mut Buffer) {
    if let Some(area) = layout.feed {
        list(app, area, paint, buf);
    }
    if let Some(area) = layout.preview {
        preview(app, area, paint, buf);
    }
}

fn list(app: &App, area: Area, paint: Paint, buf: &mut Buffer) {
    let feed = &app.feed;
    let focused = app.screen == Screen::Feed && !feed.in_preview && app.overlay.is_none();
    let dot = paint.signs().dot;
    let kinds = feed.filter.kinds();
    let names: Vec<&str> = crate::app::kinds(kinds).collect();
    let title: [Piece<'_>; 2] = [
        ("Failed calls".into(), paint.strong()),
        (format!(" {dot} {}", names.join(", ")).into(), paint.plain()),
    ];
    let mut right = if feed.at == 0 {
        "follow on".to_owned()
    } else {
        "follow off".to_owned()
    };
    if !feed.filter.text.is_empty() {
        right.push_str(&format!(" {dot} /{}", brief(&feed.filter.text, 30)));
    }
    frame(buf, area, paint, focused, &title, &right);
    let inner = area.inner();
    if feed.listed.is_empty() {
        let lines = fold(&empty(app), usize::from(inner.width).saturating_sub(2));
        for (y, line) in (inner.y..inner.y + inner.height).zip(lines) {
            let width = inner.width.saturating_sub(1);
            put(buf, inner.x + 1, y, width, &line, paint.faint());
        }
        return;
    }
    let columns = Columns::new(inner.width);
    let window = feed
        .listed
        .iter()
        .enumerate()
        .skip(feed.top)
        .take(usize::from(inner.height));
    for (y, (row, index)) in (inner.y..).zip(window) {
        let Some(entry) = feed.calls.get(*index) else {
            continue;
        };
        let chosen = row == feed.at;
        draw_row(
            app,
            entry,
            chosen,
            columns,
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

fn empty(app: &App) -> String {
    let feed = &app.feed;
    match (feed.progress, feed.ready) {
        _ if !feed.filter.is_empty() => {
            "No failed call passes the filter; esc takes it off.".to_owned()
        }
        (Some((files, total)), _) => format!("Scanning {total} files, {files} read."),
        (None, Some((files, _))) => format!("No failed calls in {files} files. Watching."),
        (None, None) if app.options.roots.is_empty() => {
            "No folders are watched. `jsonmedic watch` lists the failed calls of the agents here."
                .to_owned()
        }
        (None, None) => "Looking for logs.".to_owned(),
    }
}

/// Where the columns of a row begin: as drawn at 78, and what is more goes to rule and place.
#[derive(Clone, Copy)]
struct Columns {
    tool: u16,
    format: u16,
    outcome: u16,
    rule: u16,
    retry: u16,
    place: u16,
}

impl Columns {
    fn new(width: u16) -> Columns {
        // Where it is narrower, the preview says what the retry was.
        let retry = if width < 98 { 0 } else { 15 };
        let spare = width.saturating_sub(78 + retry);
        let (tool, format, outcome, rule) = match width {
            0..48 => (12, 0, 9, 0),
            48..66 => (12, 0, 9, 15),
            _ => (
                12 + (spare / 4).min(14),
                13 + (spare / 8).min(6),
                9,
                17 + (spare / 4).min(16),
            ),
        };
        let start = 13;
        Columns {
            tool: start,
            format: start + tool,
            outcome: start + tool + format,
            rule: start + tool + format + outcome,
            retry: start + tool + format + outcome + rule,
            place: start + tool + format + outcome + rule + retry,
        }
    }
}

fn draw_row(
    app: &App,
    entry: &Entry,
    chosen: bool,
    columns: Columns,
    paint: Paint,
    area: Area,
    buf: &mut Buffer,
) {
    let signs = paint.signs();
    let base = if chosen {
        paint.chosen()
    } else {
        paint.plain()
    };
    if chosen {
        fill(buf, area, base);
    }
    let time = entry
        .unix
        .map_or("--:--:--".to_owned(), |unix| clock(unix, app.now.offset));
    let (sign, style) = match entry.state {
        State::New => (signs.new, paint.strong()),
        State::Seen => (signs.seen, paint.plain()),
        State::Done(_) => (signs.done, paint.good()),
        State::Dismissed => (signs.dismissed, paint.faint()),
    };
    let marker = if chosen { signs.chosen } else { " " };
    put(buf, area.x, area.y, 11, &format!("{marker} {time} "), base);
    put(buf, area.x + 11, area.y, 1, sign, style.patch(base));
    let mut cell = |from: u16, to: u16, text: &str, style: Style| {
        let end = if to < area.width { to - 1 } else { area.width };
        put(
            buf,
            area.x + from,
            area.y,
            end.saturating_sub(from),
            text,
            style.patch(base),
        );
    };
    let tool = entry
        .call
        .tool
        .as_deref()
        .map_or("-".to_owned(), |tool| brief(tool, 26));
    cell(columns.tool, columns.format, &tool, paint.plain());
    cell(
        columns.format,
        columns.outcome,
        entry.call.format,
        paint.plain(),
    );
    let outcome = entry.outcome();
    cell(
        columns.outcome,
        columns.rule,
        &outcome,
        outcome_style(entry, paint),
    );
    let mut rule = entry.rule.unwrap_or_default().to_owned();
    if 0 < entry.more {
        rule.push_str(&format!(" +{}", entry.more));
    }
    let badges = entry.badges(signs.badges());
    if !badges.is_empty() {
        rule.push_str(&format!(" {badges}"));
    }
    cell(columns.rule, columns.retry, &rule, paint.plain());
    if columns.retry < columns.place {
        let (words, style) = match &entry.call.retry {
            None => ("", paint.plain()),
            Some(retry) if retry.equal => ("retry same", paint.good()),
            Some(_) => ("retry differs", paint.level(Level::Lossy)),
        };
        cell(columns.retry, columns.place, words, style);
    }
    let room = usize::from(area.width.saturating_sub(columns.place));
    cell(
        columns.place,
        area.width,
        &fit(entry.place(), room),
        paint.plain(),
    );
}

/// File and line in so many cells: the ending goes first, then the middle of the name; the line stays.
fn fit(place: String, room: usize) -> String {
    if cells(&place) <= room {
        return place;
    }
    let Some((name, line)) = place.rsplit_once(':') else {
        return place;
    };
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let short = format!("{stem}:{line}");
    if cells(&short) <= room {
        return short;
    }
    let kept = room.saturating_sub(line.len() + 2);
    let head: String = stem.chars().take(kept).collect();
    format!("{head}…:{line}")
}

fn outcome_style(entry: &Entry, paint: Paint) -> Style {
    match entry.level_word() {
        _ if matches!(entry.state, State::Done(_)) => paint.good(),
        "refused" => paint.bad(),
        "safe" => paint.level(Level::Safe),
        "lossy" => paint.level(Level::Lossy),
        "guess" => paint.level(Level::Guess),
        _ => paint.plain(),
    }
}

fn preview(app: &App, area: Area, paint: Paint, buf: &mut Buffer) {
    let feed = &app.feed;
    let focused = feed.in_preview && app.overlay.is_none();
    let entry = feed.chosen();
    let right = entry.map_or(String::new(), |entry| {
        let line = entry.call.origin.line.map_or(String::new(), |line| {
            format!("line {line} {} ", paint.signs().dot)
        });
        format!("{line}{}", size(feed.preview.len() as usize))
    });
    frame(
        buf,
        area,
        paint,
        focused,
        &[("Preview".into(), paint.strong())],
        &right,
    );
    let inner = area.inner();
    let Some(entry) = entry else { return };
    let notes = notes(entry, usize::from(inner.width));
    // The text keeps at least a third of the room.
    let rows = (notes.len() as u16).min(inner.height * 2 / 3);
    let width = usize::from(inner.width);
    let told = if notes.is_empty() { 0 } else { rows + 1 };
    let needs = text_rows(app, width, inner.height.saturating_sub(told));
    let text = Area {
        height: needs,
        ..inner
    };
    if entry.call.raw.is_some() {
        let viewer = Viewer {
            text: &feed.preview,
            pane: &feed.preview_pane,
            gutter: 0,
            caret: None,
            marks: &|span, marks| {
                if focused {
                    super::source::found(app, feed.preview.as_str(), span, paint, marks);
                }
            },
            notes: &no_notes,
            end: None,
        };
        viewer.draw(text, paint, buf);
    } else {
        put(
            buf,
            inner.x,
            inner.y,
            inner.width,
            "The log lost the text of this call.",
            paint.faint(),
        );
    }
    for (y, line) in (inner.y + needs + 1..inner.y + inner.height).zip(notes) {
        put_all(
            buf,
            inner.x,
            y,
            inner.width,
            &[(line.into(), paint.plain())],
        );
    }
}

/// Rows that the text needs, at most `most`.
fn text_rows(app: &App, width: usize, most: u16) -> u16 {
    let feed = &app.feed;
    let wrap = feed.preview_pane.wrap.then_some(width.max(2));
    let mut row = feed.preview.row_of(feed.preview_pane.top, wrap);
    let mut rows = 1;
    while rows < most {
        let Some(next) = feed.preview.next_row(row, wrap) else {
            break;
        };
        row = next;
        rows += 1;
    }
    rows.min(most.max(1))
}

/// Where the auto rung stopped, what the agent said, what its retry shows, and what to know about the text.
fn notes(entry: &Entry, width: usize) -> Vec<String> {
    let call = &entry.call;
    let mut lines = Vec::new();
    if let Some(stop) = &entry.stop {
        lines.extend(fold(&visible(stop), width));
    }
    if let Some(complaint) = &call.complaint {
        lines.extend(fold(
            &format!("complaint: {}", brief(complaint, 400)),
            width,
        ));
    }
    if let Some(retry) = &call.retry {
        let words = if retry.equal {
            "the same value as the repair"
        } else {
            "not the value of the repair"
        };
        let line = retry
            .line
            .map_or(String::new(), |line| format!(" (line {line})"));
        lines.push(format!("retry{line}: {words}"));
    }
    for badge in &call.badges {
        lines.extend(fold(&format!("{}: {}", badge.id(), badge.about()), width));
    }
    lines
}

/// The list beside the Bench on a full screen.
pub fn column(app: &App, area: Area, paint: Paint, buf: &mut Buffer) {
    let feed = &app.feed;
    let fresh = if 0 < feed.fresh {
        format!("+{}", feed.fresh)
    } else {
        String::new()
    };
    frame(
        buf,
        area,
        paint,
        false,
        &[("Failed calls".into(), paint.strong())],
        &fresh,
    );
    let inner = area.inner();
    if feed.listed.is_empty() {
        let mut words = empty(app);
        if let Some(key) = app.keymap.key(app.contexts(), Action::FeedColumn) {
            words.push_str(&format!(" {key} hides this column."));
        }
        for (y, line) in (inner.y..inner.y + inner.height)
            .zip(fold(&words, usize::from(inner.width).saturating_sub(2)))
        {
            put(
                buf,
                inner.x + 1,
                y,
                inner.width.saturating_sub(1),
                &line,
                paint.faint(),
            );
        }
        return;
    }
    let columns = Columns::new(inner.width);
    let window = feed
        .listed
        .iter()
        .enumerate()
        .skip(feed.top)
        .take(usize::from(inner.height));
    for (y, (row, index)) in (inner.y..).zip(window) {
        if let Some(entry) = feed.calls.get(*index) {
            draw_row(
                app,
                entry,
                row == feed.at,
                columns,
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
}
