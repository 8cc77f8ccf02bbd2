//! Pane 1: the source as it came in, with the places of the edits.

use ratatui::buffer::Buffer;
use ratatui::style::Modifier;

use super::ink::{Piece, frame, put};
use super::theme::Paint;
use super::viewer::{Mark, Note, Viewer};
use crate::app::layout::{Area, Size};
use crate::app::overlay::Overlay;
use crate::app::text::Row;
use crate::app::words::{count, size};
use crate::app::{App, Focus, Screen};
use crate::repair::{Rule, Span};
use crate::visible::visible;

/// What an empty Bench says.
const EMPTY: [&str; 2] = [
    "Paste or type JSON. esc, then: o open, p clipboard,",
    "f feed, ? help, q quit (F1 and ctrl-c work now)",
];

/// Draws the pane; says where the cursor stands.
pub fn draw(app: &App, area: Area, paint: Paint, buf: &mut Buffer) -> Option<(u16, u16)> {
    let bench = &app.bench;
    let typing = app.insert.is_some();
    let focused = app.focus == Focus::Source && app.overlay.is_none();
    let mut title: Vec<Piece<'_>> = vec![("1 Source".into(), paint.strong())];
    if typing {
        title.push((format!(" {} ", paint.signs().dot).into(), paint.plain()));
        title.push(("INSERT".into(), paint.chosen()));
    }
    let text = app.typed.as_ref().unwrap_or(&bench.doc.source);
    let right = facts(app, paint);
    frame(buf, area, paint, focused, &title, &right);
    let inner = area.inner();
    if text.is_empty() {
        let whole = EMPTY.join(" ");
        let lines: Vec<&str> = if whole.len() <= usize::from(inner.width) {
            vec![&whole]
        } else {
            EMPTY.to_vec()
        };
        for (y, line) in (inner.y + u16::from(1 < inner.height)..inner.y + inner.height).zip(lines)
        {
            put(
                buf,
                inner.x + 1,
                y,
                inner.width.saturating_sub(1),
                line,
                paint.faint(),
            );
        }
    }
    let caret = match &app.insert {
        Some(insert) => Some(insert.caret()),
        None => (focused && app.screen == Screen::Bench && !text.is_empty())
            .then_some(bench.source_pane.caret),
    };
    let cut = bench.review.as_ref().is_some_and(|review| {
        review
            .repair()
            .edits
            .iter()
            .next_back()
            .is_some_and(|edit| edit.rule == Rule::CutOff)
    });
    let signs = paint.signs();
    let viewer = Viewer {
        text,
        pane: &bench.source_pane,
        gutter: app.gutter(text),
        caret,
        marks: &|span, marks| self::marks(app, paint, span, marks),
        notes: &|row| notes(app, paint, row),
        end: (cut && app.typed.is_none())
            .then(|| (signs.cut, paint.level(crate::repair::Level::Lossy))),
    };
    viewer.draw(inner, paint, buf)
}

/// Length, and what the log says about the call.
fn facts(app: &App, paint: Paint) -> String {
    let doc = &app.bench.doc;
    let text = app.typed.as_ref().unwrap_or(&doc.source);
    let mut facts = vec![size(text.len() as usize)];
    if Size::Wide <= Size::of(app.size) {
        facts.push(count(text.lines().lines(), "line"));
    }
    if let Some(reason) = doc
        .call
        .as_ref()
        .and_then(|call| call.stop_reason.as_deref())
    {
        facts.push(format!("stop {}", visible(reason)));
    }
    if doc.is_clipped() {
        facts.push(format!("{} log-clipped", paint.signs().clipped));
    }
    facts.join(&format!(" {} ", paint.signs().dot))
}

/// The edits in a stretch of the source, underlined by level, the chosen one reversed; and matches of the search.
fn marks(app: &App, paint: Paint, slice: Span, marks: &mut Vec<Mark>) {
    let bench = &app.bench;
    if app.typed.is_some() {
        return;
    }
    if let Some(review) = &bench.review {
        let edits = &review.repair().edits;
        let chosen = bench.fix().map(|fix| fix.id);
        let mut index = edits.first_after(slice.start);
        while let Some(edit) = edits.get(index).filter(|edit| edit.span.start <= slice.end) {
            let mut style = paint.span(bench.level(edit.rule), review.decision(edit.fix));
            if Some(edit.fix) == chosen {
                style = style.add_modifier(Modifier::REVERSED);
            }
            // An insertion takes no byte: it shows only when it is the chosen one.
            if !edit.span.is_empty() || Some(edit.fix) == chosen {
                marks.push(Mark {
                    span: edit.span,
                    style,
                });
            }
            index += 1;
        }
    }
    if let Some(refusal) = bench.refusal() {
        marks.push(Mark {
            span: Span::new(refusal.at, refusal.found.end.max(refusal.at + 1)),
            style: paint.bad(),
        });
        if let Some(Overlay::Candidates(list)) = &app.overlay
            && let Some(span) = refusal.candidates.get(list.at)
        {
            marks.push(Mark {
                span: *span,
                style: paint.chosen(),
            });
        }
    }
    found(app, bench.doc.source.as_str(), slice, paint, marks);
}

/// Matches of the search in a stretch of a text.
pub fn found(app: &App, text: &str, slice: Span, paint: Paint, marks: &mut Vec<Mark>) {
    if app.search.is_empty() {
        return;
    }
    let start = (slice.start as usize).saturating_sub(app.search.len());
    let end = (slice.end as usize + app.search.len()).min(text.len());
    let bytes = &text.as_bytes()[start..end.max(start)];
    for at in memchr::memmem::find_iter(bytes, &app.search).take(200) {
        let from = (start + at) as u32;
        marks.push(Mark {
            span: Span::new(from, from + app.search.len() as u32),
            style: paint.found(),
        });
    }
}

/// `▲` under the place of a refusal; brackets under candidates while they are listed.
fn notes(app: &App, paint: Paint, row: Row) -> Vec<Note> {
    let Some(refusal) = app.bench.refusal().filter(|_| app.typed.is_none()) else {
        return Vec::new();
    };
    let in_row =
        |at: u32| row.span.start <= at && (at < row.span.end || (row.closes && at == row.span.end));
    if let Some(Overlay::Candidates(_)) = &app.overlay {
        let signs = paint.signs();
        let [left, middle, right] = signs.under;
        let own = refusal
            .candidates
            .iter()
            .enumerate()
            .filter(|(_, span)| in_row(span.start));
        let below: Vec<_> = own
            .map(|(index, span)| {
                let end = Span::new(span.start, span.end.min(row.span.end));
                let width: usize = app
                    .bench
                    .doc
                    .source
                    .glyphs(end)
                    .map(|glyph| glyph.cells)
                    .sum();
                let number = (index + 1).to_string();
                let dashes = width.saturating_sub(number.len() + 2);
                (
                    *span,
                    format!("{left}{number}{}{right}", middle.repeat(dashes)),
                    paint.strong(),
                )
            })
            .collect();
        return if below.is_empty() {
            Vec::new()
        } else {
            vec![Note::Below(below)]
        };
    }
    if in_row(refusal.at) {
        let sign = paint.signs().here.to_owned();
        return vec![Note::Below(vec![(Span::at(refusal.at), sign, paint.bad())])];
    }
    Vec::new()
}
