//! Differences: the output against its source, from the edit list; and against the agent's own retry.

use ratatui::buffer::Buffer;
use ratatui::style::Style;

use super::detail::compared;
use super::ink::{Piece, put, put_all};
use super::theme::Paint;
use crate::app::App;
use crate::app::change::render;
use crate::app::layout::Area;
use crate::app::words::{brief, size};
use crate::repair::Span;

/// From this width both sides stand beside each other.
const SIDE_BY_SIDE: u16 = 118;

/// Longer lines are cut before they are compared.
const LINE: usize = 400;

/// Source lines from the window's top on: an untouched one as it is, touched ones as what goes and what comes.
/// Only the visible lines are made.
pub fn against_source(app: &App, area: Area, paint: Paint, buf: &mut Buffer) {
    let bench = &app.bench;
    let Some(review) = &bench.review else { return };
    let text = &bench.doc.source;
    let edits = &review.repair().edits;
    let lines = text.lines();
    // The chosen edit is what the view is about: its line is in the first third.
    let place = bench
        .fix()
        .and_then(|fix| bench.place(fix))
        .map_or(0, |place| place.span.start);
    let mut line = lines
        .line_of(place)
        .saturating_sub(usize::from(area.height / 3));
    let side_by_side = SIDE_BY_SIDE <= area.width;
    let mut y = area.y;
    let bottom = area.y + area.height;
    while y < bottom && line < lines.lines() {
        let mut span = text.line(line);
        let mut last = line;
        // An edit that takes line breaks ties its lines together; a screenful of them is enough.
        let mut index = edits.first_after(span.start);
        let mut touched = false;
        while let Some(edit) = edits.get(index).filter(|edit| edit.span.start <= span.end) {
            touched |= review.is_live(edit.fix);
            while span.end < edit.span.end
                && last + 1 < lines.lines()
                && last < line + usize::from(area.height)
            {
                last += 1;
                span.end = text.line(last).end;
            }
            if 4_096 < index - edits.first_after(span.start) {
                break;
            }
            index += 1;
        }
        let number = format!("{:>4} ", line + 1);
        if touched {
            let before = brief_lines(span.text(text.as_str()));
            let reach = Span::new(span.start, (span.start + 64 * LINE as u32).min(span.end));
            let reach = if text.as_str().is_char_boundary(reach.end as usize) {
                reach
            } else {
                span
            };
            let after = brief_lines(&render(text.as_str(), review, reach, |fix| {
                review.is_live(fix)
            }));
            y = pair(
                &number,
                &before,
                &after,
                side_by_side,
                Area {
                    y,
                    height: bottom - y,
                    ..area
                },
                paint,
                buf,
            );
        } else {
            put(buf, area.x, y, area.width, &number, paint.faint());
            let same = brief(
                text.as_str()
                    .get(span.start as usize..cut(text.as_str(), span))
                    .unwrap_or_default(),
                LINE,
            );
            put(
                buf,
                area.x + 5,
                y,
                area.width.saturating_sub(5),
                &format!("  {same}"),
                paint.plain(),
            );
            y += 1;
        }
        line = last + 1;
    }
}

/// What goes and what comes, over each other or side by side; says the next free row.
fn pair(
    number: &str,
    before: &[String],
    after: &[String],
    side_by_side: bool,
    area: Area,
    paint: Paint,
    buf: &mut Buffer,
) -> u16 {
    let bottom = area.y + area.height;
    let mut y = area.y;
    put(buf, area.x, y, area.width, number, paint.faint());
    let half = if side_by_side {
        (area.width.saturating_sub(5)) / 2
    } else {
        area.width.saturating_sub(5)
    };
    let none = String::new();
    let count = before.len().max(after.len());
    let row =
        |y: u16, x: u16, sign: &str, style: Style, pieces: Vec<Piece<'_>>, buf: &mut Buffer| {
            put(buf, x, y, half, sign, style);
            put_all(buf, x + 2, y, half.saturating_sub(2), &pieces);
        };
    if side_by_side {
        for index in 0..count {
            if bottom <= y {
                return y;
            }
            let (one, two) = compared(
                before.get(index).unwrap_or(&none),
                after.get(index).unwrap_or(&none),
                paint,
            );
            row(y, area.x + 5, "-", paint.gone(), one, buf);
            row(y, area.x + 5 + half, "+", paint.come(), two, buf);
            y += 1;
        }
        return y;
    }
    let compared: Vec<_> = (0..count)
        .map(|index| {
            compared(
                before.get(index).unwrap_or(&none),
                after.get(index).unwrap_or(&none),
                paint,
            )
        })
        .collect();
    let (ones, twos): (Vec<_>, Vec<_>) = compared.into_iter().unzip();
    for (index, one) in ones.into_iter().enumerate().take(before.len()) {
        if bottom <= y || before[index].is_empty() && before.len() == 1 {
            break;
        }
        row(y, area.x + 5, "-", paint.gone(), one, buf);
        y += 1;
    }
    for (index, two) in twos.into_iter().enumerate().take(after.len()) {
        if bottom <= y || after[index].is_empty() && after.len() == 1 {
            break;
        }
        row(y, area.x + 5, "+", paint.come(), two, buf);
        y += 1;
    }
    y.max(area.y + 1)
}

fn brief_lines(text: &str) -> Vec<String> {
    text.split('\n')
        .take(64)
        .map(|line| brief(line, LINE))
        .collect()
}

/// Where a long line is cut before it is shown.
fn cut(text: &str, span: Span) -> usize {
    let mut end = (span.start as usize + 4 * LINE).min(span.end as usize);
    while !text.is_char_boundary(end) {
        end += 1;
    }
    end
}

/// The output against the arguments of the agent's own second try.
pub fn against_retry(app: &App, area: Area, paint: Paint, buf: &mut Buffer) {
    let (Some(shown), Some(retry)) = (&app.bench.shown, app.retry()) else {
        return;
    };
    let mut y = area.y;
    let words = match app.bench.same_as_retry {
        Some(true) => "the same JSON value as the agent's own retry",
        _ => "the agent's own retry: - ours, + theirs",
    };
    put(
        buf,
        area.x + 1,
        y,
        area.width.saturating_sub(1),
        words,
        paint.strong(),
    );
    y += 1;
    if app.bench.retry_lines.is_empty() {
        let words = format!(
            "not compared: {} against {}",
            size(shown.text.len() as usize),
            size(retry.raw.len())
        );
        put(
            buf,
            area.x + 1,
            y,
            area.width.saturating_sub(1),
            &words,
            paint.faint(),
        );
        return;
    }
    for (sign, line) in app.bench.retry_lines.iter().skip(app.bench.retry_top) {
        if area.y + area.height <= y {
            break;
        }
        let style = match sign {
            '-' => paint.gone(),
            '+' => paint.come(),
            _ => paint.plain(),
        };
        let text = brief(line, LINE);
        put(
            buf,
            area.x + 1,
            y,
            area.width.saturating_sub(1),
            &format!("{sign} {text}"),
            style,
        );
        y += 1;
    }
}
