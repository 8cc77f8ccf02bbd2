//! The first line: program, screen, text, and how many failed calls wait.

use ratatui::buffer::Buffer;
use ratatui::style::Style;

use super::ink::{Piece, put, put_all};
use super::theme::Paint;
use crate::app::layout::{Area, Size};
use crate::app::text::cells;
use crate::app::words::clock;
use crate::app::{App, Focus, Screen};
use crate::visible::{visible, visible_bytes};

/// Draws the title line.
pub fn draw(app: &App, area: Area, paint: Paint, buf: &mut Buffer) {
    super::ink::fill(buf, area, paint.title());
    let one = Size::of(app.size) == Size::One;
    let screen = if app.screen == Screen::Bench {
        "BENCH"
    } else {
        "FEED"
    };
    let right = match app.screen {
        Screen::Bench => calls(app, paint),
        Screen::Feed => {
            let feed = &app.feed;
            let all = feed.counts.all().max(feed.calls.len() as u64);
            let fresh = if 0 < feed.fresh {
                format!("+{}  ", feed.fresh)
            } else {
                String::new()
            };
            format!("{fresh}{} of {all}", feed.listed.len())
        }
    };
    let right = match &app.screen {
        Screen::Bench if Size::Wide <= Size::of(app.size) => {
            format!("{right}  {} ", clock(app.now.unix, app.now.offset))
        }
        _ => format!("{right} "),
    };
    let needs = cells(&right) as u16;
    let room = area.width.saturating_sub(needs + 1);
    let name = if one { " " } else { " jsonmedic  " };
    let gap = if one { "  " } else { "   " };
    let style = paint.title();
    let text = match app.screen {
        Screen::Bench => document(app, paint, room),
        Screen::Feed => roots(app),
    };
    let pieces: [Piece<'_>; 4] = [
        (name.into(), style.patch(paint.strong())),
        (screen.into(), style.patch(paint.strong())),
        (gap.into(), style),
        (text.into(), style),
    ];
    put_all(buf, area.x, area.y, room, &pieces);
    put(
        buf,
        area.x + area.width - needs.min(area.width),
        area.y,
        needs,
        &right,
        style,
    );
}

/// Tool, format and place of the text on the Bench.
fn document(app: &App, paint: Paint, room: u16) -> String {
    let bench = &app.bench;
    let dot = format!(" {} ", paint.signs().dot);
    let Some(call) = &bench.doc.call else {
        let typed = app.typed.as_ref().unwrap_or(&bench.doc.source);
        let name = if bench.doc.name.is_empty() && !typed.is_empty() {
            "typed text"
        } else if bench.doc.name.is_empty() {
            "no text"
        } else {
            &bench.doc.name
        };
        return with_part(app, visible(name).into_owned());
    };
    let tool = visible(call.tool.as_deref().unwrap_or("no tool")).into_owned();
    let place = |path: String| match call.origin.line {
        Some(line) => format!("{path}:{line}"),
        None => path,
    };
    let full = place(home(&visible_bytes(
        call.origin.path.as_os_str().as_encoded_bytes(),
    )));
    let text = [tool.clone(), call.format.to_owned(), full].join(&dot);
    // The whole path where it fits beside the name of the program, else the file alone.
    if Size::Wide <= Size::of(app.size) && cells(&text) + 24 < usize::from(room) {
        return with_part(app, text);
    }
    with_part(
        app,
        [tool, call.format.to_owned(), crate::app::feed::place(call)].join(&dot),
    )
}

fn with_part(app: &App, text: String) -> String {
    match &app.bench.parts {
        Some(parts) => format!("{text} (call {} of {})", parts.at + 1, parts.texts.len()),
        None => text,
    }
}

/// A path under a home folder begins with `~`.
fn home(path: &str) -> String {
    for root in ["/home/", "/Users/"] {
        if let Some((_, inside)) = path
            .strip_prefix(root)
            .and_then(|rest| rest.split_once('/'))
        {
            return format!("~/{inside}");
        }
    }
    path.to_owned()
}

/// How many failed calls were not looked at, and how many came in since.
fn calls(app: &App, paint: Paint) -> String {
    let feed = &app.feed;
    if app.options.roots.is_empty() && feed.calls.is_empty() {
        return "no feed".to_owned();
    }
    let live = Size::Wide <= Size::of(app.size);
    let sign = if live {
        format!("{} ", paint.signs().new)
    } else {
        String::new()
    };
    let fresh = if 0 < feed.fresh {
        format!(" +{}", feed.fresh)
    } else {
        String::new()
    };
    format!("{sign}feed {} new{fresh}", feed.new_count())
}

/// What is watched, and how.
fn roots(app: &App) -> String {
    let feed = &app.feed;
    let roots: Vec<String> = app
        .options
        .roots
        .iter()
        .map(|root| visible(root).into_owned())
        .collect();
    let roots = if roots.is_empty() {
        "no folders".to_owned()
    } else {
        roots.join(", ")
    };
    match (feed.progress, feed.ready) {
        (Some((files, total)), _) => {
            let percent = (files * 100).checked_div(total).unwrap_or(0);
            format!("{roots}  scanning {total} files ... {percent} %")
        }
        (None, Some((files, how))) => format!("{roots} ({}, {files} files)", how.word()),
        (None, None) => roots,
    }
}

/// The names of the panes where only one fits; and what Output would say, since it may not be the one.
pub fn tabs(app: &App, area: Area, paint: Paint, buf: &mut Buffer) {
    let (words, style) = outcome(app, paint);
    let x = area.width.saturating_sub(cells(words) as u16 + 1);
    put(buf, area.x + x, area.y, area.width - x, words, style);
    let mut x = area.x;
    for (focus, name) in [
        (Focus::Source, "1 Source"),
        (Focus::Output, "2 Output"),
        (Focus::Edits, "3 Edits"),
    ] {
        let style = if app.focus == focus {
            paint.chosen()
        } else {
            paint.plain()
        };
        x += put(
            buf,
            x,
            area.y,
            area.width.saturating_sub(x - area.x),
            name,
            style,
        ) + 1;
    }
}

fn outcome(app: &App, paint: Paint) -> (&'static str, Style) {
    let bench = &app.bench;
    match &bench.shown {
        _ if bench.refusal().is_some() => ("refused", paint.bad()),
        None => ("", paint.plain()),
        Some(shown) if shown.fault.is_some() => ("not valid", paint.bad()),
        Some(_) => ("valid", paint.good()),
    }
}
