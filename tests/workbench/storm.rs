//! Keys, pastes, clicks and resizes in any order: no panic, no cell out of place, no loss that leaves unasked.

use jsonmedic::app::keys::ROWS;
use jsonmedic::app::{Effect, Event, Outcome};
use jsonmedic::repair::Decision;
use jsonmedic::transcript::{Badge, FeedEvent, How};

use crate::bed::*;
use crate::texts::*;

/// A small generator with a period long enough: the same storm on every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % sides
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.roll(list.len())]
    }
}

const TEXTS: [&str; 9] = [
    LOSSY,
    REFUSED,
    GUESS,
    SEVERAL,
    SAFE,
    VALID,
    "",
    "日本\u{202e}語\r\n{'ñ\u{301}': \"\u{1f469}\u{200d}\u{1f4bb}\t\", b: [NaN, 012, 'x\ny', {c: undefined",
    "{\"a\":1}\n{\"b\":2}\n'c'",
];

const SIZES: [(u16, u16); 8] = [
    (80, 24),
    (120, 40),
    (200, 60),
    (40, 10),
    (39, 9),
    (1, 1),
    (60, 18),
    (109, 19),
];

#[test]
fn no_order_of_events_breaks_it() {
    let keys: Vec<&str> = ROWS
        .iter()
        .flat_map(|row| row.keys.iter().flat_map(|(_, keys)| keys.iter().copied()))
        .filter(|key| *key != "ctrl-c" && *key != "q")
        .chain([
            "q", "x", "a", "enter", "esc", "esc", "1", "c", "b", "Y", "\"ab{",
        ])
        .collect();
    let mut dice = Dice(0x2545_F491_4F6C_DD1D);
    for round in 0..60 {
        let mut bed = Bed::new(80, 24).open(
            "t",
            dice.pick(&TEXTS),
            Some(dice.pick(&["Bash", "read_file", "x"])),
        );
        let mut told = vec![format!("round {round}")];
        for step in 0..60 {
            let what = dice.roll(20);
            bed = match what {
                0 => bed.paste(dice.pick(&TEXTS)),
                1 => {
                    let (width, height) = dice.pick(&SIZES);
                    bed.resize(width, height)
                }
                2 => bed.click(dice.roll(120) as u16, dice.roll(40) as u16),
                3 => {
                    let from = (dice.roll(120) as u16, dice.roll(40) as u16);
                    bed.drag(from, (dice.roll(120) as u16, dice.roll(40) as u16))
                }
                4 => bed.wheel(
                    dice.roll(2) == 0,
                    dice.roll(120) as u16,
                    dice.roll(40) as u16,
                ),
                5 => bed.wait(dice.pick(&[10, 130, 2_000, 7_000])),
                6 => {
                    let mut one = call(
                        1_000 * round + step,
                        dice.pick(&["Edit", "Bash"]),
                        dice.pick(&TEXTS),
                    );
                    if dice.roll(3) == 0 {
                        one.badges = vec![Badge::LogClipped];
                    }
                    bed.fail(one)
                }
                7 => {
                    bed.send(Event::Feed(FeedEvent::Ready {
                        files: 3,
                        how: How::Events,
                    }));
                    bed
                }
                _ => {
                    let key = dice.pick(&keys);
                    told.push(key.to_owned());
                    bed.press(key)
                }
            };
            // What left is no output with a loss that nobody saw.
            let left = std::mem::take(&mut bed.asked);
            for effect in &left {
                if let Effect::Copy {
                    what: "output" | "compact output" | "pretty output",
                    ..
                }
                | Effect::Accept { .. }
                | Effect::Write { .. } = effect
                {
                    let review = bed
                        .app
                        .bench
                        .review
                        .as_ref()
                        .expect("an output has a review");
                    let open = review
                        .fixes()
                        .iter()
                        .any(|fix| review.decision(fix.id) == Decision::Undecided);
                    assert!(!open, "{told:?}");
                    let verdict = jsonmedic::repair::check(bed.output());
                    assert_eq!(verdict, jsonmedic::repair::Verdict::Valid, "{told:?}");
                    assert!(bed.app.bench.is_valid(), "{told:?}");
                }
            }
            if let Some(
                Effect::Copy { id, .. }
                | Effect::OpenFile { id, .. }
                | Effect::EditExternally { id, .. }
                | Effect::ReadClipboard { id },
            ) = left.last()
            {
                let answer = match dice.roll(3) {
                    0 => Err("no".to_owned()),
                    1 => Ok(Outcome::Copied {
                        route: "clipboard: X11".into(),
                    }),
                    _ => Ok(Outcome::Edited(dice.pick(&TEXTS).to_owned())),
                };
                bed.send(Event::Done(*id, answer));
            }
            let screen = bed.screen();
            assert_eq!(
                screen.lines().count(),
                usize::from(bed.app.size.1),
                "{told:?}"
            );
        }
    }
}
