//! Pane 2: the output, or why there is none.

use ratatui::buffer::Buffer;
use ratatui::style::Modifier;

use super::ink::{Piece, frame, put};
use super::theme::Paint;
use super::viewer::{Mark, Note, Viewer};
use super::{diff, refusal, source, tree};
use crate::app::bench::OutputView;
use crate::app::layout::{Area, Size};
use crate::app::text::Row;
use crate::app::work::Shown;
use crate::app::{App, Focus};
use crate::repair::{Bias, Edit, Review, Span};

/// Draws the pane; says where the cursor stands.
pub fn draw(app: &App, area: Area, paint: Paint, buf: &mut Buffer) -> Option<(u16, u16)> {
    let bench = &app.bench;
    let focused = app.focus == Focus::Output && app.overlay.is_none();
    // Beside the list of candidates the refusal is part of the choice.
    let thick = focused
        || matches!(
            app.overlay,
            Some(crate::app::overlay::Overlay::Candidates(_))
        );
    let mut title: Vec<Piece<'_>> = vec![("2 Output".into(), paint.strong())];
    let (words, style) = state(app, paint);
    if !words.is_empty() {
        title.push((format!(" {} ", paint.signs().dot).into(), paint.plain()));
        title.push((words.into(), style));
    }
    frame(buf, area, paint, thick, &title, &right(app));
    let inner = area.inner();
    if let Some(found) = bench.refusal() {
        refusal::draw(app, found, inner, paint, buf);
        return None;
    }
    let Some(shown) = &bench.shown else {
        if app.spinner().is_some() {
            put(
                buf,
                inner.x + 1,
                inner.y,
                inner.width.saturating_sub(1),
                "working; esc stops",
                paint.faint(),
            );
        }
        return None;
    };
    match (bench.view, &bench.tree) {
        (OutputView::Tree, Some(branches)) => {
            tree::draw(shown.text.as_str(), branches, inner, paint, buf);
            None
        }
        (OutputView::Diff, _) => {
            diff::against_source(app, inner, paint, buf);
            None
        }
        (OutputView::Retry, _) if app.retry().is_some() => {
            diff::against_retry(app, inner, paint, buf);
            None
        }
        _ => {
            let viewer = Viewer {
                text: &shown.text,
                pane: &bench.output_pane,
                gutter: app.gutter(&shown.text),
                caret: focused.then_some(bench.output_pane.caret),
                marks: &|span, marks| self::marks(app, paint, span, marks),
                notes: &|row| notes(app, paint, row),
                end: None,
            };
            viewer.draw(inner, paint, buf)
        }
    }
}

/// `valid JSON`, `REFUSED`, `not valid: RULE off`; beside it that the other rungs are still being worked out.
fn state(app: &App, paint: Paint) -> (String, ratatui::style::Style) {
    let (mut words, style) = outcome(app, paint);
    if let Some(at) = app.spinner() {
        let pictures = paint.signs().spinner;
        let picture = pictures[at % pictures.len()];
        if words.is_empty() {
            return (format!("{picture} working"), paint.faint());
        }
        let (done, all) = app.bench.ladder.progress();
        words.push_str(&format!(
            " {} {picture} rung {done} of {all}",
            paint.signs().dot
        ));
    }
    (words, style)
}

fn outcome(app: &App, paint: Paint) -> (String, ratatui::style::Style) {
    let bench = &app.bench;
    if bench.refusal().is_some() {
        return ("REFUSED".into(), paint.bad());
    }
    let Some(shown) = &bench.shown else {
        return (String::new(), paint.plain());
    };
    match &shown.fault {
        _ if bench.stale => ("putting it together".into(), paint.faint()),
        None => ("valid JSON".into(), paint.good()),
        Some(fault) => {
            let cause = match fault.cause {
                Some(fix) => format!("{} off", fix.rule.id()),
                None => fault.refusal.why.word().to_owned(),
            };
            (format!("not valid: {cause}"), paint.bad())
        }
    }
}

fn right(app: &App) -> String {
    if let Some(refusal) = app.bench.refusal() {
        return refusal.why.word().to_owned();
    }
    let word = app.bench.view.word();
    if Size::of(app.size) < Size::Wide {
        format!("view: {word}")
    } else {
        word.to_owned()
    }
}

/// Where an edit stands in the output.
pub fn place_in_output(app: &App, edit: Edit<'_>) -> Option<Span> {
    let (shown, review) = (app.bench.shown.as_ref()?, app.bench.review.as_ref()?);
    let place = if review.is_live(edit.fix) {
        let start = shown.map.to_output(edit.span.start, Bias::Before);
        Span::new(start, start + edit.after.len() as u32)
    } else {
        let start = shown.map.to_output(edit.span.start, Bias::After);
        Span::new(
            start,
            shown.map.to_output(edit.span.end, Bias::Before).max(start),
        )
    };
    let len = shown.text.len();
    Some(Span::new(place.start.min(len), place.end.min(len)))
}

fn marks(app: &App, paint: Paint, slice: Span, marks: &mut Vec<Mark>) {
    let bench = &app.bench;
    let (Some(shown), Some(review)) = (&bench.shown, &bench.review) else {
        return;
    };
    if !bench.stale {
        let edits = &review.repair().edits;
        let chosen = bench.fix().map(|fix| fix.id);
        let from = shown.map.to_source(slice.start, Bias::Before);
        let to = shown.map.to_source(slice.end, Bias::After);
        let first = edits.first_after(from.saturating_sub(1));
        // A run of deletions takes no room in the output, however long it is: only so many are looked at.
        for index in first..first + 4_096 {
            let Some(edit) = edits.get(index).filter(|edit| edit.span.start <= to) else {
                break;
            };
            let Some(span) = place_in_output(app, edit) else {
                continue;
            };
            let is_chosen = Some(edit.fix) == chosen;
            if span.is_empty() && !is_chosen {
                continue;
            }
            let mut style = paint.span(bench.level(edit.rule), review.decision(edit.fix));
            if is_chosen {
                style = style.add_modifier(Modifier::REVERSED);
            }
            marks.push(Mark { span, style });
        }
    }
    if let Some(fault) = &shown.fault {
        let at = fault.refusal.at;
        marks.push(Mark {
            span: Span::new(at, fault.refusal.found.end.max(at + 1)),
            style: paint.bad(),
        });
    }
    source::found(app, shown.text.as_str(), slice, paint, marks);
}

/// A row says where an edit in it is off, since the output then shows the source.
fn notes(app: &App, paint: Paint, row: Row) -> Vec<Note> {
    match (&app.bench.review, &app.bench.shown) {
        (Some(review), Some(shown)) if !app.bench.stale => {
            off_notes(app, review, shown, paint, row)
        }
        _ => Vec::new(),
    }
}

/// The first edit of a row that is off.
pub fn off_notes(app: &App, review: &Review, shown: &Shown, paint: Paint, row: Row) -> Vec<Note> {
    let edits = &review.repair().edits;
    let from = shown.map.to_source(row.span.start, Bias::Before);
    let to = shown.map.to_source(row.span.end, Bias::After);
    let first = edits.first_after(from.saturating_sub(1));
    // A row holds few edits but in hostile texts, where the first ones are enough.
    for index in first..first + 256 {
        let Some(edit) = edits.get(index).filter(|edit| edit.span.start <= to) else {
            break;
        };
        if review.is_live(edit.fix) || (edit.span.end <= from && !edit.span.is_empty()) {
            continue;
        }
        let level = app.bench.level(edit.rule);
        let text = format!("{} {}, off", paint.signs().back, level.name());
        return vec![Note::Behind(text, paint.level(level))];
    }
    Vec::new()
}
