//! Pictures of the real program for the README. `UPDATE_SCREENSHOTS=1` writes them to `screenshots/`; without it the maker
//! and the way to each screen are tested, since a picture of every change would be noise.

#![cfg(feature = "tui")]

mod support;

use std::fs;
use std::path::Path;

use support::{Setup, picture};

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
    let svg = picture::svg(parser.screen());
    assert!(
        svg.contains(r##"x="50.52" y="45.52" fill="#e0626b">本</text>"##),
        "{svg}"
    );
    assert!(svg.contains("&lt;") && svg.contains("&amp;"), "{svg}");
    assert!(svg.contains(r##"<rect x="21.63" y="49.24""##), "{svg}");
    let png = picture::png(&svg);
    assert!(png.starts_with(b"\x89PNG"));
}

/// One picture: its name, the size, how to get there.
struct Shot {
    name: &'static str,
    size: (u16, u16),
    arguments: &'static [&'static str],
    /// Keys, and the text that shows that they arrived.
    steps: &'static [(&'static str, &'static str)],
}

const SHOTS: &[Shot] = &[
    Shot {
        name: "feed",
        size: (80, 24),
        arguments: &["demo"],
        steps: &[("", "api.log:2")],
    },
    Shot {
        name: "bench",
        size: (80, 24),
        arguments: &["demo"],
        steps: &[("jj", "▸ 13:59:40"), ("\r", "non-finite")],
    },
    Shot {
        name: "bench",
        size: (120, 40),
        arguments: &["demo"],
        steps: &[("jj", "▸ 13:59:40"), ("\r", "from rungs")],
    },
    Shot {
        name: "refusal",
        size: (80, 24),
        arguments: &["demo"],
        steps: &[("\r", "nothing says what they were")],
    },
    Shot {
        name: "candidates",
        size: (80, 24),
        arguments: &["demo"],
        steps: &[
            ("jjjjjjjjj", "▸ 13:46:20"),
            ("\r", "REFUSED"),
            ("c", "enter"),
        ],
    },
    Shot {
        name: "strategies",
        size: (80, 24),
        arguments: &["demo"],
        steps: &[
            ("jj", "▸ 13:59:40"),
            ("\r", "non-finite"),
            ("t", "Strategies"),
        ],
    },
    Shot {
        name: "help",
        size: (100, 36),
        arguments: &["demo"],
        steps: &[("?", "Help")],
    },
];

#[test]
fn the_screens_of_the_readme_can_be_reached() {
    let update = std::env::var_os("UPDATE_SCREENSHOTS").is_some();
    let missing = picture::missing_fonts();
    if update && !missing.is_empty() {
        println!("no pictures: no font files {missing:?} (fonts-dejavu-core, fonts-noto-cjk)");
    }
    for shot in SHOTS {
        let (columns, rows) = shot.size;
        let tty = Setup::program(shot.arguments).size(columns, rows).start();
        // All of the demo's calls are listed.
        tty.wait("12 of 12");
        for (keys, text) in shot.steps {
            tty.keys(keys);
            tty.wait(text);
        }
        if update && missing.is_empty() {
            let screen = tty.still();
            let svg = picture::svg(&screen);
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("screenshots");
            fs::create_dir_all(&folder).expect("the folder can be made");
            let path = folder.join(format!("{}-{columns}x{rows}", shot.name));
            fs::write(path.with_extension("png"), picture::png(&svg)).expect("written");
            fs::write(path.with_extension("svg"), svg).expect("written");
        }
    }
}
