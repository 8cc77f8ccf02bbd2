//! Pictures of the real program for the README. `UPDATE_SCREENSHOTS=1` writes them to `screenshots/`; without it only
//! the maker itself is tested, since a picture of every change would be noise.

#![cfg(feature = "tui")]

mod support;

use support::picture;

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
