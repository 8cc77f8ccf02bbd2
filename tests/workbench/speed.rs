//! How long a key and its picture take on big texts. Ignored, since only an optimized build on a quiet machine tells:
//! `cargo test --release --test workbench -- --ignored --nocapture speed`.

use std::time::{Duration, Instant};

use jsonmedic::app::{App, Event, Now, Options, update};
use jsonmedic::view::draw;
use ratatui::Terminal;
use ratatui::backend::TestBackend;

use crate::bed::*;

fn big(unit: &str, bytes: usize) -> String {
    let mut text = String::from("[");
    while text.len() < bytes {
        text.push_str(unit);
    }
    text.push_str("{}]");
    text
}

#[test]
#[ignore]
fn keys_and_pictures_on_ten_megabytes() {
    let unit_lines = "{\"id\": 1, \"name\": \"日本語 ñandú\", \"tags\": [true, null, 1.5]},\n";
    let unit_flat = "{\"id\": 1, \"name\": \"plain\", \"tags\": [true, null, 1.5]},";
    let unit_edits = "{'id': 1, 'name': 'x y', 'tags': [True, None]},\n";
    for (name, unit) in [
        ("lines", unit_lines),
        ("one line", unit_flat),
        ("dense edits", unit_edits),
    ] {
        let text = big(unit, 10 << 20);
        let start = Instant::now();
        let mut bed = Bed::on(&text, 240, 70);
        println!("{name}: opened and repaired in {:?}", start.elapsed());
        let mut terminal = Terminal::new(TestBackend::new(240, 70)).unwrap();
        terminal.draw(|frame| draw(&bed.app, frame)).unwrap();
        for keys in [
            "1 G", "1 gg", "1 pgdn", "1 j", "1 W", "1 L", "2 G", "3 ]", "3 G", "3 x", "3 space",
            "3 u", "v", "V",
        ] {
            let mut worst = Duration::ZERO;
            let mut drawn = Duration::ZERO;
            for _ in 0..5 {
                let start = Instant::now();
                bed = bed.press(keys);
                worst = worst.max(start.elapsed());
                let start = Instant::now();
                terminal.draw(|frame| draw(&bed.app, frame)).unwrap();
                drawn = drawn.max(start.elapsed());
            }
            println!("{name}: {keys:8} state {worst:>10.2?} picture {drawn:>10.2?}");
        }
    }
    let _ = (
        Options::default(),
        Now::default(),
        Event::Focus(true),
        update as fn(&mut App, Event) -> _,
    );
}
