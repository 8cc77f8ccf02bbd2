//! How long the screen's thread is busy with a key and with its picture, on big texts. Ignored, since only an optimized
//! build on a quiet machine tells: `cargo test --release --test workbench -- --ignored --nocapture speed`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use jsonmedic::app::work::{answer, work};
use jsonmedic::app::{App, Document, Effect, Event, Options, update};
use jsonmedic::view::draw;
use ratatui::Terminal;
use ratatui::backend::TestBackend;

fn big(unit: &str, bytes: usize) -> String {
    let mut text = String::from("[");
    while text.len() < bytes {
        text.push_str(unit);
    }
    text.push_str("{}]");
    text
}

/// Tells an event and all that follows from it; the longest time that one update took. The worker's time is not in it.
fn tell(app: &mut App, event: Event) -> Duration {
    let mut events = vec![event];
    let mut longest = Duration::ZERO;
    while let Some(event) = events.pop() {
        let start = Instant::now();
        let effects = update(app, event);
        longest = longest.max(start.elapsed());
        for effect in effects {
            match effect {
                Effect::Repair(job) => work(&job, |event| events.insert(0, event), || false),
                Effect::Show(question) => events.insert(
                    0,
                    Event::Shown {
                        turn: question.turn,
                        shown: Box::new(answer(&question)),
                    },
                ),
                _ => {}
            }
        }
    }
    longest
}

#[test]
#[ignore = "needs an optimized build and a quiet machine"]
fn keys_and_pictures_on_ten_megabytes() {
    let lines = "{\"id\": 1, \"name\": \"日本語 ñandú\", \"tags\": [true, null, 1.5]},\n";
    let flat = "{\"id\": 1, \"name\": \"plain\", \"tags\": [true, null, 1.5]},";
    let dense = "{'id': 1, 'name': 'x y', 'tags': [True, None]},\n";
    for (name, unit) in [("lines", lines), ("one line", flat), ("dense edits", dense)] {
        let mut app = App::new(Options::default());
        update(&mut app, Event::Resize(240, 70));
        let text = Arc::new(big(unit, 10 << 20));
        let opened = tell(
            &mut app,
            Event::Open(Document {
                name: "big".into(),
                text,
                ..Document::default()
            }),
        );
        println!("{name:12} open     state {opened:>10.2?}");
        let mut terminal =
            Terminal::new(TestBackend::new(240, 70)).expect("a test backend has no errors");
        for keys in [
            "1G", "1gg", "1j", "1W", "1L", "2G", "3]", "3G", "3x", "3 ", "3u", "3[x", "v", "v",
            "v", "v",
        ] {
            let (mut state, mut picture) = (Vec::new(), Vec::new());
            for _ in 0..5 {
                let mut longest = Duration::ZERO;
                for letter in keys.chars() {
                    let key = KeyEvent::new(KeyCode::Char(letter), KeyModifiers::NONE);
                    longest = longest.max(tell(&mut app, Event::Key(key)));
                }
                state.push(longest);
                let start = Instant::now();
                terminal
                    .draw(|frame| draw(&app, frame))
                    .expect("a test backend has no errors");
                picture.push(start.elapsed());
            }
            state.sort();
            picture.sort();
            println!(
                "{name:12} {keys:8} state {:>10.2?} picture {:>10.2?}",
                state[2], picture[2]
            );
        }
    }
}
