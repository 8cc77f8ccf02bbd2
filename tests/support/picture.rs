//! A picture of a screen: SVG with one text a cell on a fixed grid, and PNG made of it.

use std::fmt::Write;
use std::path::Path;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use vt100::{Color, Screen};

/// Only these two, so that a picture is the same on every machine that has them.
const FONTS: [&str; 2] = [
    "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf",
    "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
];

/// A cell of DejaVu Sans Mono at 16 pixels: box drawing joins at exactly this size.
const WIDTH: f32 = 9.63;
const HEIGHT: f32 = 18.62;
const BASELINE: f32 = 14.9;
const MARGIN: f32 = 12.0;

const PAPER: &str = "#15181e";
const INK: &str = "#d6dae0";
const PALETTE: [&str; 16] = [
    "#15181e", "#e0626b", "#8fbf6f", "#e0b35b", "#6aa4e0", "#c38be0", "#5fbfc4", "#c3c8d0",
    "#6b7380", "#f08a92", "#aedb8f", "#f0cd85", "#93c0f0", "#d8aef0", "#8adce0", "#ffffff",
];

/// Which font files are missing; pictures cannot be made without them.
pub fn missing_fonts() -> Vec<&'static str> {
    let missing = FONTS.into_iter().filter(|file| !Path::new(file).exists());
    missing.collect()
}

/// The screen as SVG.
pub fn svg(screen: &Screen) -> String {
    let (rows, columns) = screen.size();
    let (rows, columns) = (rows.get(), columns.get());
    let width = f32::from(columns) * WIDTH + 2.0 * MARGIN;
    let height = f32::from(rows) * HEIGHT + 2.0 * MARGIN;
    let mut backs = String::new();
    let mut texts = String::new();
    for row in 0..rows {
        for column in 0..columns {
            let Some(cell) = screen.cell(row, column) else {
                continue;
            };
            if cell.is_wide_continuation() {
                continue;
            }
            let span = if cell.is_wide() { 2.0 } else { 1.0 };
            let (x, y) = (
                MARGIN + f32::from(column) * WIDTH,
                MARGIN + f32::from(row) * HEIGHT,
            );
            let (ink, paper) = colours(cell);
            if paper != PAPER {
                // A hair wider and higher than the cell, or seams show between neighbours.
                let _ = writeln!(
                    backs,
                    r#"<rect x="{x:.2}" y="{y:.2}" width="{:.2}" height="{:.2}" fill="{paper}"/>"#,
                    WIDTH * span + 0.05,
                    HEIGHT + 0.05
                );
            }
            if cell.underline() {
                let line = y + BASELINE + 2.2;
                let _ = writeln!(
                    texts,
                    r#"<path d="M{x:.2} {line:.2}h{:.2}" stroke="{ink}" stroke-width="1.1"/>"#,
                    WIDTH * span
                );
            }
            if !cell.has_contents() || cell.contents() == " " {
                continue;
            }
            let mut style = String::new();
            if cell.bold() {
                // There is no bold file: a thin stroke in the same colour stands for it.
                let _ = write!(style, r#" stroke="{ink}" stroke-width="0.45""#);
            }
            if cell.dim() {
                style += r#" opacity="0.62""#;
            }
            if cell.italic() {
                style += r#" font-style="italic""#;
            }
            let family = if cell.is_wide() { "w" } else { "n" };
            let _ = writeln!(
                texts,
                r#"<text class="{family}" x="{:.2}" y="{:.2}" fill="{ink}"{style}>{}</text>"#,
                x + WIDTH * span / 2.0,
                y + BASELINE,
                escaped(cell.contents())
            );
        }
    }
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0}" height="{height:.0}" viewBox="0 0 {width:.2} {height:.2}">
<style>text{{font-size:16px;text-anchor:middle;white-space:pre}}.n{{font-family:'DejaVu Sans Mono',monospace}}.w{{font-family:'Noto Sans Mono CJK JP',monospace}}</style>
<rect width="100%" height="100%" rx="8" fill="{PAPER}"/>
<g shape-rendering="crispEdges">
{backs}</g>
{texts}</svg>
"#
    )
}

/// The picture at twice its size, as PNG.
pub fn png(svg: &str) -> Vec<u8> {
    let mut options = Options::default();
    let fonts = options.fontdb_mut();
    for file in FONTS {
        fonts.load_font_data(std::fs::read(file).expect("the font file was there"));
    }
    let tree = Tree::from_str(svg, &options).expect("the picture is SVG");
    let scale = 1.5;
    let size = tree.size();
    let pixels = |length: f32| (length * scale).ceil() as u32;
    let mut pixmap = Pixmap::new(pixels(size.width()), pixels(size.height())).expect("a size");
    let larger = Transform::from_scale(scale, scale);
    resvg::render(&tree, larger, &mut pixmap.as_mut());
    pixmap.encode_png().expect("a picture in memory is PNG")
}

fn colours(cell: &vt100::Cell) -> (String, String) {
    let ink = named(cell.fgcolor(), INK);
    let paper = named(cell.bgcolor(), PAPER);
    if cell.inverse() {
        return (paper, ink);
    }
    (ink, paper)
}

fn named(colour: Color, otherwise: &str) -> String {
    match colour {
        Color::Default => otherwise.into(),
        Color::Rgb(r, g, b) => format!("#{r:02x}{g:02x}{b:02x}"),
        Color::Idx(index @ 0..16) => PALETTE[usize::from(index)].into(),
        Color::Idx(index @ 16..232) => {
            let cube = index - 16;
            let step = |part: u8| if part == 0 { 0 } else { 55 + 40 * part };
            let (r, g, b) = (step(cube / 36), step(cube / 6 % 6), step(cube % 6));
            format!("#{r:02x}{g:02x}{b:02x}")
        }
        Color::Idx(index) => {
            let grey = 8 + 10 * (index - 232);
            format!("#{grey:02x}{grey:02x}{grey:02x}")
        }
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
