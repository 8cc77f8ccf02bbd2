//! The last two lines: what is to be said, and the keys that matter now.

use ratatui::buffer::Buffer;

use super::ink::{Piece, put, put_all, put_both, put_cut};
use super::theme::Paint;
use crate::app::change::why;
use crate::app::keys::{Action, Context, Situation};
use crate::app::layout::{Area, Layout, Size};
use crate::app::overlay::{Ask, Overlay, PromptKind};
use crate::app::text::cells;
use crate::app::words::count;
use crate::app::{App, Screen};
use crate::repair::Level;
use crate::visible::visible;

/// Draws both lines; says where the cursor stands while a line is typed.
pub fn draw(app: &App, layout: &Layout, paint: Paint, buf: &mut Buffer) -> Option<(u16, u16)> {
    hints(app, layout.hints, paint, buf);
    let area = Area {
        x: layout.status.x + 1,
        width: layout.status.width.saturating_sub(2),
        ..layout.status
    };
    if let Some(prompt) = &app.prompt {
        let label = prompt.kind.label();
        let used = put(buf, area.x, area.y, area.width, label, paint.strong());
        // The end of a long line is what is being typed.
        let room = area.width.saturating_sub(used + 1);
        let head = &prompt.line.text[..prompt.line.caret()];
        let skip = cells(head).saturating_sub(usize::from(room));
        let shown = skip_cells(&prompt.line.text, skip);
        put(buf, area.x + used, area.y, room + 1, shown, paint.plain());
        let x = area.x + used + cells(head).saturating_sub(skip) as u16;
        return Some((x, area.y));
    }
    if let Some(question) = app.question() {
        let question = visible(&question);
        put_cut(buf, area, &[(question, paint.level(Level::Lossy))]);
        return None;
    }
    let left = match app.message() {
        Some(message) => {
            let room = usize::from(area.width);
            (ends_in_the_list(message, room), paint.plain())
        }
        None => summary(app, paint),
    };
    let right = right(app);
    put_both(
        buf,
        area,
        &[(left.0.into(), left.1)],
        &[(right.into(), paint.faint())],
    );
    None
}

/// A message that does not fit ends in the key of the list that holds all of it.
fn ends_in_the_list(message: &str, room: usize) -> String {
    const END: &str = "… !";
    if cells(message) <= room {
        return message.to_owned();
    }
    let mut used = 0;
    let mut out = String::new();
    for glyph in crate::app::text::glyphs(message) {
        used += glyph.cells;
        if room < used + cells(END) {
            break;
        }
        out.push_str(&glyph.sign);
    }
    out.push_str(END);
    out
}

fn skip_cells(text: &str, skip: usize) -> &str {
    let mut used = 0;
    for glyph in crate::app::text::glyphs(text) {
        if skip <= used {
            return &text[glyph.at as usize..];
        }
        used += glyph.cells;
    }
    if skip == 0 { text } else { "" }
}

/// What the state comes to, in one sentence.
fn summary(app: &App, paint: Paint) -> (String, ratatui::style::Style) {
    let bench = &app.bench;
    let signs = paint.signs();
    if app.screen == Screen::Feed {
        return (feed(app), paint.plain());
    }
    match &app.overlay {
        Some(Overlay::Strategies(list)) => {
            let slot = bench.ladder.slot(list.at);
            let stopped = slot.and_then(|slot| Some((slot.place?, slot.refusal()?)));
            let words = match (stopped, slot.map(|slot| slot.repair.worst())) {
                (Some((place, refusal)), _) => match refusal.rule() {
                    Some(rule) => format!(": {place}, {} ({}) would pass", rule.id(), rule.level()),
                    None => format!(": {place}, {}", refusal.why.word()),
                },
                (None, Some(Some(level))) => format!(": worst level {level}"),
                (None, Some(None)) => ": no edit".to_owned(),
                (None, None) => String::new(),
            };
            return (format!("rung {} of 10{words}", list.at + 1), paint.plain());
        }
        Some(Overlay::Candidates(_)) => {
            let words = format!(
                "{} refused: pick a value or split; nothing is chosen for you",
                signs.cross
            );
            return (words, paint.plain());
        }
        _ => {}
    }
    if bench.doc.source.is_empty() {
        return (String::new(), paint.plain());
    }
    if bench.refusal().is_some() {
        let words = match (bench.ladder.is_complete(), bench.ladder.all_refused()) {
            (true, true) => format!(
                "{} refused: stopped in all ten rungs (t lists them)",
                signs.cross
            ),
            (true, false) => format!(
                "{} refused on this rung; another gives valid JSON: = goes there, t lists all",
                signs.cross
            ),
            (false, _) => format!("{} refused", signs.cross),
        };
        return (words, paint.plain());
    }
    let open = bench.rows.undecided();
    let guesses = bench.rows.levels[Level::Guess as usize];
    let waiting = if open == 0 {
        String::new()
    } else {
        format!("{} undecided", count(open, "lossy edit"))
    };
    if let Some(fault) = bench.shown.as_ref().and_then(|shown| shown.fault.as_ref()) {
        let mut words = match fault.cause {
            Some(fix) => format!("not valid JSON while {} is off", fix.rule.id()),
            None => "not valid JSON".to_owned(),
        };
        let cause = fault.cause.map(|fix| bench.level(fix.rule));
        if cause == Some(Level::Guess) && !bench.guesses {
            words.push_str(": M allows guesses");
        }
        if !waiting.is_empty() {
            words.push_str(&format!("; {waiting}"));
        }
        return (words, paint.plain());
    }
    // Where there is no Detail, the reason of the chosen edit stands here.
    let detail = Size::Wide <= Size::of(app.size) && 110 <= app.size.0;
    if !detail && let (Some(fix), Some(review)) = (bench.fix(), &bench.review) {
        let edit = review.repair().edits.get(fix.first);
        let before = edit.map_or("", |edit| edit.span.text(bench.doc.source.as_str()));
        return (why(fix.rule, before), paint.plain());
    }
    let words = match (&bench.shown, waiting.is_empty()) {
        (None, _) => String::new(),
        (Some(_), false) => format!("valid JSON; {waiting}: }} goes there"),
        (Some(_), true) if 0 < guesses.off => {
            "valid JSON; guesses are off: M allows them".to_owned()
        }
        (Some(_), true) if bench.rows.totals().0 == 0 => notice(app),
        (Some(_), true) => "valid JSON; nothing waits for a decision".to_owned(),
    };
    (words, paint.plain())
}

/// A text that needed no edit: its first notice, if it has one.
fn notice(app: &App) -> String {
    let bench = &app.bench;
    let first = bench.ladder.current().and_then(|slot| slot.notices.first());
    match first {
        Some(notice) => {
            let place = bench.doc.source.position(notice.span.start);
            format!(
                "valid JSON; {place} {}: {}",
                notice.topic.id(),
                notice.topic.message()
            )
        }
        None => match app.offer() {
            Some(offer) => format!("valid JSON; {offer}"),
            None => "valid JSON as it is: nothing was changed".to_owned(),
        },
    }
}

/// What came in last, and what is not listed.
fn feed(app: &App) -> String {
    let feed = &app.feed;
    let mut parts = Vec::new();
    if 0 < feed.fresh {
        let newest = feed.newest.and_then(|index| feed.calls.get(index));
        let who = newest.map_or(String::new(), |entry| {
            let tool = visible(entry.call.tool.as_deref().unwrap_or("no tool")).into_owned();
            format!(": {tool} ({})", entry.call.format)
        });
        parts.push(format!("+ {} new{who}", feed.fresh));
    }
    let hidden = feed.hidden();
    if !hidden.is_empty() {
        parts.push(format!("hidden: {}", hidden.join(", ")));
    }
    parts.join("   ")
}

fn right(app: &App) -> String {
    if app.screen == Screen::Feed {
        let feed = &app.feed;
        return match (feed.progress, feed.ready) {
            (Some(_), _) => "scanning".to_owned(),
            (None, Some(_)) => "idle".to_owned(),
            (None, None) => String::new(),
        };
    }
    let bench = &app.bench;
    let tool = &bench.doc.tool;
    let Some(name) = tool.name.as_deref().map(|name| visible(name).into_owned()) else {
        return if tool.field.is_some() {
            "field named".to_owned()
        } else {
            "no tool".to_owned()
        };
    };
    if tool.schema.is_none() {
        return name;
    }
    let problems = bench
        .review
        .as_ref()
        .map_or(0, |review| review.repair().problems.len());
    match problems {
        0 => "schema: no problem".to_owned(),
        _ => format!("{name} schema: {}", count(problems, "problem")),
    }
}

/// The keys that matter now, as many as fit, and `? help` at the end.
fn hints(app: &App, area: Area, paint: Paint, buf: &mut Buffer) {
    let area = Area {
        x: area.x + 1,
        width: area.width.saturating_sub(2),
        ..area
    };
    let contexts = app.contexts();
    // Where a line is typed, a letter is text.
    let for_help = match app.situation() {
        Situation::Finder => &[Context::Always],
        _ => contexts,
    };
    let help = app
        .keymap
        .key(for_help, Action::Help)
        .map(|key| format!("{key} help"))
        .unwrap_or_default();
    let needs = cells(&help) as u16;
    put(
        buf,
        area.x + area.width.saturating_sub(needs),
        area.y,
        needs,
        &help,
        paint.faint(),
    );
    let room = area.width.saturating_sub(needs + 1);
    let mut x = 0;
    if let Some(ask) = &app.ask {
        // Only what is asked about matters now: it has the whole line.
        super::ink::fill(buf, area, paint.plain());
        let used = named_keys(app.answers(), area.x, area.y, area.width, paint, buf);
        let leaves = matches!(ask, Ask::Undecided(_) | Ask::Cut(_));
        if let Some(advice) = app.cut_advice().filter(|_| leaves) {
            let area = Area {
                x: area.x + used,
                width: area.width.saturating_sub(used),
                ..area
            };
            let short = advice.split(',').next().unwrap_or(advice);
            let fits = |advice: &&str| cells(advice) + 9 <= usize::from(area.width);
            let advice = [advice, short].into_iter().find(fits).unwrap_or_default();
            if !advice.is_empty() {
                let words = format!(" better: {advice}");
                put(buf, area.x, area.y, area.width, &words, paint.faint());
            }
        }
        return;
    }
    if let Some(prompt) = &app.prompt {
        if prompt.kind == PromptKind::Filter
            && let Some(why) = app.feed.filter.unknown()
        {
            put(buf, area.x, area.y, room, &visible(&why), paint.plain());
            return;
        }
        if !prompt.names.is_empty() {
            let names: Vec<_> = prompt.names.iter().map(|name| visible(name)).collect();
            super::ink::fill(buf, area, paint.plain());
            put_cut(buf, area, &[(names.join("  ").into(), paint.plain())]);
            return;
        }
        let keys = [
            ("enter", prompt.kind.does()),
            ("tab", "completes"),
            ("esc", prompt.kind.ends()),
        ];
        let keys = keys
            .iter()
            .filter(|(key, _)| *key != "tab" || prompt.kind.is_path());
        let keys: Vec<_> = keys.copied().collect();
        named_keys(&keys, area.x, area.y, room, paint, buf);
        return;
    }
    let wide = Size::Wide <= Size::of(app.size);
    for (actions, word) in app.situation().hints(wide) {
        let keys: Vec<&str> = actions
            .iter()
            .filter_map(|action| app.keymap.key(contexts, *action))
            .collect();
        if keys.len() < actions.len() || !applies(app, actions[0]) {
            continue;
        }
        let keys = keys.join(" ");
        let own = word_of(app, actions[0]);
        let word = if !own.is_empty() {
            own.as_str()
        } else if word.is_empty() {
            actions[0].row().hint
        } else {
            word
        };
        let width = (cells(&keys) + 1 + cells(word)) as u16;
        if room < x + width {
            break;
        }
        put(buf, area.x + x, area.y, width, &keys, paint.strong());
        put(
            buf,
            area.x + x + cells(&keys) as u16 + 1,
            area.y,
            width,
            word,
            paint.plain(),
        );
        x += width + 2;
    }
}

/// Keys that no table holds, with what they do; says how many cells they took.
fn named_keys(
    keys: &[(&str, &str)],
    x: u16,
    y: u16,
    room: u16,
    paint: Paint,
    buf: &mut Buffer,
) -> u16 {
    let mut pieces: Vec<Piece<'_>> = Vec::new();
    let mut used = 0;
    for (key, word) in keys {
        // Half a word says nothing.
        used += cells(key) + cells(word) + 1;
        if usize::from(room) < used {
            break;
        }
        used += 2;
        pieces.push(((*key).into(), paint.strong()));
        pieces.push((format!(" {word}  ").into(), paint.plain()));
    }
    put_all(buf, x, y, room, &pieces)
}

/// A hint that depends on what is there.
fn word_of(app: &App, action: Action) -> String {
    match (action, app.bench.refusal()) {
        (Action::CandidateSplit, Some(refusal)) => {
            format!("split into {} calls", refusal.candidates.len())
        }
        (Action::LeaveInsert, _) if app.bench.review.is_some() && app.typed.is_none() => after(app),
        (Action::Filter, _) if app.feed.in_preview => "search".to_owned(),
        _ => String::new(),
    }
}

/// What can be done once Insert mode is left: `to review: a accept, x reject, y copy`.
fn after(app: &App) -> String {
    let actions = [Action::EditAccept, Action::EditReject, Action::Copy];
    let named = actions.into_iter().filter_map(|action| {
        let key = app.keymap.key(&[Context::Bench], action)?;
        Some(format!("{key} {}", action.row().hint))
    });
    format!("to review: {}", named.collect::<Vec<_>>().join(", "))
}

/// Whether a hinted command can do something now.
fn applies(app: &App, action: Action) -> bool {
    match action {
        Action::Candidates => app
            .bench
            .refusal()
            .is_some_and(|refusal| !refusal.candidates.is_empty()),
        _ => true,
    }
}
