//! Keys that arrive faster than anyone types are a paste from a terminal without bracketed paste.
//!
//! The run loop drains all waiting events. While [`is_burst`] holds for what it has, it waits up to [`QUIET_MS`] for more;
//! then [`gather`] makes each burst one [`Event::Burst`], so that pasted text never acts as commands. Where the terminal is
//! known to mark pastes there is nothing to guess, and the run loop leaves the keys as they are.

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::event::Event;

/// So many printable keys waiting at once are no typing.
pub const BURST_KEYS: usize = 8;

/// A burst is over when no key came for so many milliseconds.
pub const QUIET_MS: u64 = 5;

/// Keys that only move. Eight of the same are a key held down over a slow line, and as commands they lose nothing.
const MOTIONS: &str = "jkhlJKHLnN[]{}<>,.+-";

/// Whether the events hold a run of keys that is a paste, one that more keys may still belong to.
pub fn is_burst(waiting: &[Event]) -> bool {
    let tail = waiting
        .iter()
        .rev()
        .take_while(|event| printable(event).is_some() || is_release(event));
    BURST_KEYS <= tail.filter(|event| !is_release(event)).count()
}

/// The same events with each run of [`BURST_KEYS`] or more printable keys as one paste.
pub fn gather(waiting: Vec<Event>) -> Vec<Event> {
    let mut out = Vec::with_capacity(waiting.len());
    let mut run: Vec<Event> = Vec::new();
    for event in waiting {
        if is_release(&event) {
            continue;
        }
        if printable(&event).is_some() {
            run.push(event);
            continue;
        }
        end_run(&mut run, &mut out);
        out.push(event);
    }
    end_run(&mut run, &mut out);
    out
}

fn end_run(run: &mut Vec<Event>, out: &mut Vec<Event>) {
    if run.len() < BURST_KEYS || is_held_down(run) {
        out.append(run);
    } else {
        out.push(Event::Burst(
            run.drain(..)
                .filter_map(|event| printable(&event))
                .collect(),
        ));
    }
}

/// Whether all of a run is one motion, repeated.
fn is_held_down(run: &[Event]) -> bool {
    let first = run.first().and_then(printable);
    first.is_some_and(|key| MOTIONS.contains(key))
        && run.iter().all(|event| printable(event) == first)
}

/// The character a key types. Enter is LF: raw terminals send CR for it, and a bare CR is no line end in JSON.
fn printable(event: &Event) -> Option<char> {
    let Event::Key(KeyEvent {
        code,
        modifiers,
        kind,
        ..
    }) = event
    else {
        return None;
    };
    let plain =
        modifiers.difference(KeyModifiers::SHIFT).is_empty() && *kind != KeyEventKind::Release;
    match code {
        KeyCode::Char(character) if plain => Some(*character),
        KeyCode::Enter if plain => Some('\n'),
        KeyCode::Tab if plain => Some('\t'),
        // Terminals send ctrl-j for a line feed in pasted text.
        KeyCode::Char('j') if *modifiers == KeyModifiers::CONTROL => Some('\n'),
        _ => None,
    }
}

fn is_release(event: &Event) -> bool {
    matches!(
        event,
        Event::Key(KeyEvent {
            kind: KeyEventKind::Release,
            ..
        })
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &str) -> Vec<Event> {
        let key = |character| match character {
            '\n' => KeyCode::Enter,
            '\t' => KeyCode::Tab,
            '^' => KeyCode::Esc,
            _ => KeyCode::Char(character),
        };
        text.chars()
            .map(|character| Event::Key(KeyEvent::new(key(character), KeyModifiers::NONE)))
            .collect()
    }

    fn shown(events: &[Event]) -> String {
        let one = |event: &Event| match event {
            Event::Burst(text) => format!("<{text}>"),
            Event::Key(KeyEvent {
                code: KeyCode::Esc, ..
            }) => "^".into(),
            event => printable(event).map(String::from).unwrap_or_default(),
        };
        events.iter().map(one).collect()
    }

    #[test]
    fn rows() {
        for (typed, got, burst) in [
            ("", "", false),
            ("jjjj", "jjjj", false),
            ("jjjjjjj", "jjjjjjj", false),
            ("{\"q\": 1}\n", "<{\"q\": 1}\n>", true),
            ("^{\"q\":\t1}^", "^<{\"q\":\t1}>^", false),
            ("]]^aaaaaaaa", "]]^<aaaaaaaa>", true),
            // A key held down over a slow line.
            ("jjjjjjjjjjjj", "jjjjjjjjjjjj", true),
            ("jjjjjjjjk", "<jjjjjjjjk>", true),
        ] {
            assert_eq!(shown(&gather(keys(typed))), got);
            assert_eq!(is_burst(&keys(typed)), burst, "{typed:?}");
        }
    }

    #[test]
    fn a_burst_of_commands_with_control_keys_is_not_text() {
        let control = Event::Key(KeyEvent::new(KeyCode::Char('d'), KeyModifiers::CONTROL));
        assert_eq!(gather(vec![control; 20]).len(), 20);
    }
}
