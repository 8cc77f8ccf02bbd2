//! Pictures of the real program for the README. `UPDATE_SCREENSHOTS=1` writes them to `screenshots/`; without it the maker
//! and the way to each screen are tested, since a picture of every change would be noise.

#![cfg(feature = "tui")]

mod support;

use std::fs;
use std::path::Path;

use support::{Setup, Tty, picture};

#[test]
fn box_drawing_wide_cells_and_colours_come_out_on_the_grid() {
    let missing = picture::missing_fonts();
    if !missing.is_empty() {
        println!("skipped: no font files {missing:?} (fonts-dejavu-core, fonts-noto-cjk)");
        return;
    }
    let size = std::num::NonZeroU16::new;
    let (Some(rows), Some(columns)) = (size(3), size(20)) else {
        return;
    };
    let mut parser = vt100::Parser::new(rows, columns, 0);
    parser.process("┌──┐\r\n│\x1b[31m日本\x1b[0m│\r\n└\x1b[7m──\x1b[0m┘ <&>".as_bytes());
    let svg = picture::svg(parser.screen(), &picture::DARK);
    // Each character at its own place, though both share an element.
    let wide = r##"<text x="31.26 50.52" y="45.52" class="w" fill="#e0626b">日本</text>"##;
    assert!(svg.contains(wide), "{svg}");
    assert!(svg.contains("&lt;") && svg.contains("&amp;"), "{svg}");
    assert!(svg.contains(r##"<rect x="21.63" y="49.24""##), "{svg}");
    let png = picture::png(&svg);
    assert!(png.starts_with(b"\x89PNG"));
}

/// One picture: its name, the size, how to get there.
struct Shot {
    name: &'static str,
    size: (u16, u16),
    light: bool,
    arguments: &'static [&'static str],
    /// What is done, and the text that shows that it arrived.
    steps: &'static [(&'static str, &'static str)],
}

/// A step that begins so pastes the reply of the README.
const PASTE: &str = "\u{1b}paste";

/// What a newcomer has: a reply with a call in it, single quotes, a NaN and a cut end.
const REPLY: &str = "Sure, here is the call:\n```json\n{'path': 'src/main.rs', 'lines': 12,\n 'score': NaN, 'body': \"fn main() {\n  run();";

const fn shot(
    name: &'static str,
    size: (u16, u16),
    light: bool,
    arguments: &'static [&'static str],
    steps: &'static [(&'static str, &'static str)],
) -> Shot {
    Shot {
        name,
        size,
        light,
        arguments,
        steps,
    }
}

const SMALL: (u16, u16) = (80, 24);
const WIDE: (u16, u16) = (120, 40);

/// In the order of the journey: a pasted reply first, then the calls that failed.
const SHOTS: &[Shot] = &[
    shot("empty", SMALL, false, &[], &[("", "Paste or type JSON")]),
    shot(
        "bench",
        SMALL,
        false,
        &["demo"],
        &[("jj", "▸ 13:59:40"), ("\r", "non-finite")],
    ),
    shot(
        "bench",
        SMALL,
        true,
        &["demo"],
        &[("jj", "▸ 13:59:40"), ("\r", "non-finite")],
    ),
    shot(
        "bench",
        WIDE,
        false,
        &["demo"],
        &[("jj", "▸ 13:59:40"), ("\r", "from rungs")],
    ),
    shot(
        "bench",
        WIDE,
        true,
        &["demo"],
        &[("jj", "▸ 13:59:40"), ("\r", "from rungs")],
    ),
    shot(
        "ask",
        SMALL,
        false,
        &["demo"],
        &[
            ("jj", "▸ 13:59:40"),
            ("\r", "non-finite"),
            ("y", "losses undecided"),
        ],
    ),
    shot(
        "copy-menu",
        SMALL,
        false,
        &["demo"],
        &[
            ("jj", "▸ 13:59:40"),
            ("\r", "non-finite"),
            ("Y", "the edits as JSON"),
        ],
    ),
    shot(
        "strategies",
        SMALL,
        false,
        &["demo"],
        &[
            ("jj", "▸ 13:59:40"),
            ("\r", "non-finite"),
            ("t", "Strategies"),
        ],
    ),
    shot(
        "strategies",
        WIDE,
        true,
        &["demo"],
        &[
            ("jj", "▸ 13:59:40"),
            ("\r", "from rungs"),
            ("t", "Strategies"),
        ],
    ),
    shot(
        "refusal",
        SMALL,
        false,
        &["demo"],
        &[("\r", "nothing says what they were")],
    ),
    shot(
        "candidates",
        SMALL,
        false,
        &["demo"],
        &[
            ("jjjjjjjjj", "▸ 13:46:20"),
            ("\r", "REFUSED"),
            ("c", "enter"),
        ],
    ),
    shot("feed", SMALL, false, &["demo"], &[("", "api.log:2")]),
    shot("feed", WIDE, true, &["demo"], &[("", "retry same")]),
    shot(
        "retry",
        WIDE,
        false,
        &["demo"],
        &[
            ("jjjjjjj", "▸ 13:48:47"),
            ("\r", "from rung"),
            ("V", "the same JSON value"),
        ],
    ),
    shot(
        "tree",
        WIDE,
        true,
        &["demo"],
        &[
            ("jj", "▸ 13:59:40"),
            ("\r", "from rungs"),
            ("vv", "{4 members}"),
        ],
    ),
    shot(
        "palette",
        SMALL,
        true,
        &["demo"],
        &[(":", "Commands"), ("rung", "rung.next")],
    ),
    shot("help", WIDE, false, &["demo"], &[("?", "Help")]),
];

impl Shot {
    /// Starts the program and walks the way; `seen` is called at its start and after each step.
    fn walk(&self, mut seen: impl FnMut(&Tty)) -> Tty {
        let (columns, rows) = self.size;
        let setup = Setup::program(self.arguments).size(columns, rows);
        if self.light {
            setup
                .home
                .put(".config/jsonmedic/config.toml", "theme = \"light\"\n");
        }
        let tty = setup.start();
        // All of the demo's calls are listed.
        tty.wait(if self.arguments.is_empty() {
            "no feed"
        } else {
            "12 of 12"
        });
        seen(&tty);
        for (keys, text) in self.steps {
            if *keys == PASTE {
                tty.paste(REPLY);
            } else {
                tty.keys(keys);
            }
            tty.wait(text);
            seen(&tty);
        }
        tty
    }

    fn colours(&self) -> &'static picture::Colours {
        if self.light {
            &picture::LIGHT
        } else {
            &picture::DARK
        }
    }

    fn file(&self) -> String {
        let (columns, rows) = self.size;
        let light = if self.light { "-light" } else { "" };
        format!("{}-{columns}x{rows}{light}", self.name)
    }
}

/// From a broken reply to a copied result, with the time each screen stays.
const JOURNEY: Shot = shot(
    "journey",
    SMALL,
    false,
    &[],
    &[
        (PASTE, "valid JSON"),
        ("\u{1b}", "x reject  ] next"),
        ("t", "Strategies"),
        ("\u{1b}", "x reject  ] next"),
        ("a", "▸ [?] LOSSY  cut-off"),
        ("y", "1 loss undecided"),
        ("a", "sent "),
    ],
);

/// Where pictures go, if they are wanted and can be made.
fn folder() -> Option<std::path::PathBuf> {
    std::env::var_os("UPDATE_SCREENSHOTS")?;
    let missing = picture::missing_fonts();
    if !missing.is_empty() {
        println!("no pictures: no font files {missing:?} (fonts-dejavu-core, fonts-noto-cjk)");
        return None;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("screenshots");
    fs::create_dir_all(&folder).expect("the folder can be made");
    Some(folder)
}

#[test]
fn the_screens_of_the_readme_can_be_reached() {
    let folder = folder();
    for shot in SHOTS {
        let tty = shot.walk(|_| {});
        if let Some(folder) = &folder {
            let svg = picture::svg(&tty.still(), shot.colours());
            let path = folder.join(shot.file());
            fs::write(path.with_extension("png"), picture::png(&svg)).expect("written");
            fs::write(path.with_extension("svg"), svg).expect("written");
        }
    }
}

#[test]
fn the_journey_of_the_readme_goes_through() {
    let folder = folder();
    let mut frames = Vec::new();
    JOURNEY.walk(|tty| {
        if folder.is_some() {
            frames.push((tty.still(), 2.4));
        }
    });
    if let Some(folder) = folder {
        if let Some((_, seconds)) = frames.last_mut() {
            *seconds = 4.0;
        }
        let svg = picture::recording(&frames, JOURNEY.colours());
        fs::write(folder.join("journey-80x24.svg"), svg).expect("written");
    }
}

#[test]
fn every_picture_is_in_the_readme_and_every_picture_of_the_readme_is_made() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(root.join("README.md")).expect("the README is there");
    let shown: Vec<&str> = readme
        .split("](screenshots/")
        .skip(1)
        .filter_map(|rest| rest.split(')').next())
        .collect();
    let made: Vec<String> = SHOTS.iter().map(|shot| shot.file() + ".png").collect();
    for name in &shown {
        assert!(
            *name == "journey-80x24.svg" || made.contains(&(*name).to_owned()),
            "{name}"
        );
        assert!(root.join("screenshots").join(name).exists(), "{name}");
    }
    assert!(10 <= shown.len(), "{shown:?}");
}
