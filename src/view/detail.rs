//! About the chosen edit: rule, level, why, before and after, who makes it, what the schema and the retry say.

use ratatui::buffer::Buffer;
use ratatui::style::Style;
use similar::{ChangeTag, TextDiff};

use super::ink::{Piece, frame, put_all};
use super::theme::Paint;
use crate::app::App;
use crate::app::change::{context, other_reading, render};
use crate::app::layout::Area;
use crate::app::losses::advice;
use crate::app::words::{brief, fold};
use crate::repair::{Decision, Fix, LADDER, Level, Review, Rule};
use crate::visible::visible;

type Line = Vec<Piece<'static>>;

/// Draws the pane.
pub fn draw(app: &App, area: Area, paint: Paint, buf: &mut Buffer) {
    frame(
        buf,
        area,
        paint,
        false,
        &[("Detail".into(), paint.strong())],
        "",
    );
    let inner = area.inner();
    for (y, line) in
        (inner.y..inner.y + inner.height).zip(lines(app, usize::from(inner.width), paint))
    {
        put_all(buf, inner.x, y, inner.width, &line);
    }
}

fn lines(app: &App, width: usize, paint: Paint) -> Vec<Line> {
    let bench = &app.bench;
    let mut out: Vec<Line> = Vec::new();
    if let (Some(review), Some(fix)) = (&bench.review, bench.fix()) {
        head(app, review, fix, width, paint, &mut out);
        blank(&mut out);
        changes(app, review, fix, width, paint, &mut out);
        blank(&mut out);
        for line in fold(&makers(app, review, fix), width) {
            plain(&mut out, line, paint.plain());
        }
    }
    schema(app, width, paint, &mut out);
    if let Some(same) = bench.same_as_retry {
        let words = if same {
            "same as the agent's own retry"
        } else {
            "differs from the agent's own retry: v shows how"
        };
        plain(
            &mut out,
            words.to_owned(),
            if same {
                paint.good()
            } else {
                paint.level(Level::Lossy)
            },
        );
    }
    notices(app, width, paint, &mut out);
    if let Some(offer) = app.offer() {
        for line in fold(&offer, width) {
            plain(&mut out, line, paint.faint());
        }
    }
    out
}

/// Rule, level, and what is decided; then why, and what to do better.
fn head(app: &App, review: &Review, fix: Fix, width: usize, paint: Paint, out: &mut Vec<Line>) {
    let bench = &app.bench;
    let dot = paint.signs().dot;
    let level = bench.level(fix.rule);
    let allowed =
        bench.guesses || bench.by_hand.has(fix.rule) || app.options.allow == Some(Level::Guess);
    let state = match (review.decision(fix.id), level) {
        (Decision::On, _) => "on",
        (Decision::Off, Level::Guess) if !allowed => "off until allowed (M)",
        (Decision::Off, _) => "off",
        (Decision::Undecided, _) => "undecided",
    };
    out.push(vec![
        (fix.rule.id().into(), paint.strong()),
        (format!(" {dot} ").into(), paint.plain()),
        (level.name().into(), paint.level(level)),
        (format!(" {dot} {state}").into(), paint.plain()),
    ]);
    blank(out);
    for line in fold(fix.rule.info().why, width) {
        plain(out, line, paint.plain());
    }
    if fix.rule.level() < level {
        for line in fold(
            "The source was clipped or repaired before: nothing about it is safe.",
            width,
        ) {
            plain(out, line, paint.level(level));
        }
    }
    if fix.rule == Rule::CutOff {
        let stop = app
            .stop_reason()
            .map(|reason| format!("The reply ended with `{}`.", visible(reason)));
        let better = format!("Better: {}.", advice(app.stop_reason()));
        for line in stop.into_iter().chain([better]) {
            for line in fold(&line, width) {
                plain(out, line, paint.faint());
            }
        }
    }
}

/// The edit in its place, before and after, with what differs marked.
fn changes(app: &App, review: &Review, fix: Fix, width: usize, paint: Paint, out: &mut Vec<Line>) {
    let source = app.bench.doc.source.as_str();
    let span = context(source, review, fix);
    let room = width.saturating_sub(9).min(64);
    let before = brief(span.text(source), room);
    let after = brief(
        &render(source, review, span, |id| {
            id == fix.id || review.is_live(id)
        }),
        room,
    );
    let other = review
        .repair()
        .edits
        .get(fix.first)
        .map(|edit| other_reading(fix.rule, edit.span.text(source)));
    let other = other
        .filter(|other| !other.is_empty())
        .map(|other| format!("other reading: {}", visible(&other)));
    let (mut one, mut two) = compared(&before, &after, paint);
    one.insert(0, ("before   ".into(), paint.faint()));
    two.insert(0, ("after    ".into(), paint.faint()));
    out.push(one);
    let used = 9 + crate::app::text::cells(&after);
    match other {
        Some(other) if used.max(29) + other.chars().count() <= width => {
            let gap = " ".repeat(29usize.saturating_sub(used).max(2));
            two.push((gap.into(), paint.plain()));
            two.push((other.into(), paint.plain()));
            out.push(two);
        }
        Some(other) => {
            out.push(two);
            plain(out, format!("         {other}"), paint.plain());
        }
        None => out.push(two),
    }
}

/// Both texts in pieces: what only one of them has is marked.
pub fn compared(before: &str, after: &str, paint: Paint) -> (Line, Line) {
    let diff = TextDiff::from_chars(before, after);
    let (mut one, mut two): (Line, Line) = (Vec::new(), Vec::new());
    let mark = |style: Style| style.add_modifier(ratatui::style::Modifier::UNDERLINED);
    for change in diff.iter_all_changes() {
        let text = change.value().to_string();
        match change.tag() {
            ChangeTag::Equal => {
                grow(&mut one, &text, paint.plain());
                grow(&mut two, &text, paint.plain());
            }
            ChangeTag::Delete => grow(&mut one, &text, mark(paint.gone())),
            ChangeTag::Insert => grow(&mut two, &text, mark(paint.come())),
        }
    }
    (one, two)
}

fn grow(line: &mut Line, text: &str, style: Style) {
    match line.last_mut() {
        Some((last, own)) if *own == style => last.to_mut().push_str(text),
        _ => line.push((text.to_owned().into(), style)),
    }
}

/// `from rung 10 best-guess; rungs 4, 7, 8, 9 stop here`.
fn makers(app: &App, review: &Review, fix: Fix) -> String {
    let ladder = &app.bench.ladder;
    let Some(edit) = review.repair().edits.get(fix.first) else {
        return String::new();
    };
    let makers = ladder.makers(fix.rule, edit.span.start);
    let from = match makers.as_slice() {
        [] => String::new(),
        [one] => format!("from rung {one} {}", LADDER[usize::from(*one) - 1].id),
        many => format!("from rungs {}", list(many)),
    };
    let stopped = ladder.stopped_at(edit.span.start);
    match (stopped.as_slice(), from.is_empty()) {
        ([], _) => from,
        ([one], false) => format!("{from}; rung {one} stops here"),
        (many, false) => format!("{from}; rungs {} stop here", list(many)),
        (many, true) => format!("rungs {} stop here", list(many)),
    }
}

fn list(numbers: &[u8]) -> String {
    let words: Vec<String> = numbers.iter().map(u8::to_string).collect();
    words.join(", ")
}

fn schema(app: &App, width: usize, paint: Paint, out: &mut Vec<Line>) {
    let Some(review) = &app.bench.review else {
        return;
    };
    if let Some(wants) = &app.bench.schema_wants {
        for line in fold(&format!("schema: {}", visible(wants)), width) {
            plain(out, line, paint.plain());
        }
    }
    for problem in review.repair().problems.iter().take(4) {
        let path = if problem.path.is_empty() {
            "/"
        } else {
            &problem.path
        };
        let words = format!("schema: {} {}", visible(path), visible(&problem.message));
        for line in fold(&words, width) {
            plain(out, line, paint.level(Level::Lossy));
        }
    }
}

fn notices(app: &App, width: usize, paint: Paint, out: &mut Vec<Line>) {
    let bench = &app.bench;
    let Some(slot) = bench.ladder.current() else {
        return;
    };
    let notices = &slot.notices;
    for notice in notices.iter().take(6) {
        let place = bench.doc.source.position(notice.span.start);
        let words = format!("{place} {}: {}", notice.topic.id(), notice.topic.message());
        for line in fold(&words, width) {
            plain(out, line, paint.faint());
        }
    }
    if 6 < notices.len() {
        plain(
            out,
            format!("and {} notices more", notices.len() - 6),
            paint.faint(),
        );
    }
}

fn plain(out: &mut Vec<Line>, text: String, style: Style) {
    out.push(vec![(text.into(), style)]);
}

fn blank(out: &mut Vec<Line>) {
    out.push(Vec::new());
}
