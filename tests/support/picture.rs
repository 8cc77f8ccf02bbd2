//! A picture of a screen: SVG with every character on a fixed grid, and PNG made of it; and a recording, which is one
//! SVG that shows a screen after the other.

use std::fmt::Write;
use std::path::Path;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use vt100::{Cell, Color, Screen};

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

/// The colours of a terminal.
pub struct Colours {
    paper: &'static str,
    ink: &'static str,
    palette: [&'static str; 16],
}

/// Light on dark.
pub const DARK: Colours = Colours {
    paper: "#15181e",
    ink: "#d6dae0",
    palette: [
        "#15181e", "#e0626b", "#8fbf6f", "#e0b35b", "#6aa4e0", "#c38be0", "#5fbfc4", "#c3c8d0",
        "#6b7380", "#f08a92", "#aedb8f", "#f0cd85", "#93c0f0", "#d8aef0", "#8adce0", "#ffffff",
    ],
};

/// Dark on light.
pub const LIGHT: Colours = Colours {
    paper: "#fbfbf8",
    ink: "#24292f",
    palette: [
        "#24292f", "#cf222e", "#116329", "#7d4e00", "#0969da", "#8250df", "#1b7c83", "#6e7781",
        "#57606a", "#a40e26", "#1a7f37", "#633c01", "#218bff", "#a475f9", "#3192aa", "#fbfbf8",
    ],
};

/// Which font files are missing; pictures cannot be made without them.
pub fn missing_fonts() -> Vec<&'static str> {
    let missing = FONTS.into_iter().filter(|file| !Path::new(file).exists());
    missing.collect()
}

/// The screen as SVG.
pub fn svg(screen: &Screen, colours: &Colours) -> String {
    document(screen.size(), colours, "", &drawn(screen, colours))
}

/// Screens after each other as one SVG, each with the seconds it stays; it begins again at its end.
pub fn recording(frames: &[(Screen, f32)], colours: &Colours) -> String {
    let all: f32 = frames.iter().map(|(_, seconds)| seconds).sum();
    let mut style = String::new();
    let mut body = String::new();
    let mut start = 0.0;
    for (index, (screen, seconds)) in frames.iter().enumerate() {
        let (from, to) = (start / all * 100.0, (start + seconds) / all * 100.0);
        // What shows no movement, or is told to show none, shows the end.
        let still = match index + 1 == frames.len() {
            true => "visible",
            false => "hidden",
        };
        // Steps, so that no two screens are ever seen through each other.
        let _ = write!(
            style,
            "@keyframes f{index}{{0%{{visibility:hidden}}{from:.3}%{{visibility:visible}}{to:.3}%{{visibility:hidden}}100%{{visibility:hidden}}}}\
             #f{index}{{visibility:{still};animation:f{index} {all:.1}s step-end infinite}}"
        );
        let _ = writeln!(body, "<g id=\"f{index}\">\n{}</g>", drawn(screen, colours));
        start += seconds;
    }
    style += "@media(prefers-reduced-motion:reduce){g{animation:none!important}}";
    let size = frames.first().map(|(screen, _)| screen.size());
    size.map_or(String::new(), |size| document(size, colours, &style, &body))
}

fn document(
    (rows, columns): (std::num::NonZero<u16>, std::num::NonZero<u16>),
    colours: &Colours,
    style: &str,
    body: &str,
) -> String {
    let width = f32::from(columns.get()) * WIDTH + 2.0 * MARGIN;
    let height = f32::from(rows.get()) * HEIGHT + 2.0 * MARGIN;
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0}" height="{height:.0}" viewBox="0 0 {width:.2} {height:.2}">
<style>text{{font-size:16px;text-anchor:middle;white-space:pre}}.n{{font-family:'DejaVu Sans Mono',monospace}}.w{{font-family:'Noto Sans Mono CJK JP',monospace}}{style}</style>
<rect x="0.5" y="0.5" width="{:.2}" height="{:.2}" rx="8" fill="{}" stroke="{}"/>
{body}</svg>
"#,
        width - 1.0,
        height - 1.0,
        colours.paper,
        colours.palette[8]
    )
}

/// One cell as it is drawn.
struct Drawn<'a> {
    cell: &'a Cell,
    row: u16,
    column: u16,
    ink: String,
    paper: String,
}

impl Drawn<'_> {
    fn span(&self) -> f32 {
        if self.cell.is_wide() { 2.0 } else { 1.0 }
    }

    fn x(&self) -> f32 {
        MARGIN + f32::from(self.column) * WIDTH
    }

    fn y(&self) -> f32 {
        MARGIN + f32::from(self.row) * HEIGHT
    }

    /// What neighbours must share to be drawn as one.
    fn style(&self) -> String {
        let cell = self.cell;
        let mut style = format!(
            r#" class="{}" fill="{}""#,
            if cell.is_wide() { "w" } else { "n" },
            self.ink
        );
        if cell.bold() {
            // There is no bold file: a thin stroke in the same colour stands for it.
            let _ = write!(style, r#" stroke="{}" stroke-width="0.45""#, self.ink);
        }
        if cell.dim() {
            style += r#" opacity="0.62""#;
        }
        if cell.italic() {
            style += r#" font-style="italic""#;
        }
        style
    }
}

/// Backgrounds, underlines and characters; each character at its own place, though neighbours of one style share an
/// element.
fn drawn(screen: &Screen, colours: &Colours) -> String {
    let (rows, columns) = screen.size();
    let mut backs = String::new();
    let mut lines = String::new();
    let mut texts = String::new();
    for row in 0..rows.get() {
        let cells = (0..columns.get()).filter_map(|column| {
            let cell = screen.cell(row, column)?;
            let (ink, paper) = inks(cell, colours);
            (!cell.is_wide_continuation()).then_some(Drawn {
                cell,
                row,
                column,
                ink,
                paper,
            })
        });
        let cells: Vec<Drawn<'_>> = cells.collect();
        for run in cells.chunk_by(|one, two| one.paper == two.paper) {
            let span: f32 = run.iter().map(Drawn::span).sum();
            if run[0].paper != colours.paper {
                // A hair wider and higher than the cells, or seams show between neighbours.
                let _ = writeln!(
                    backs,
                    r#"<rect x="{:.2}" y="{:.2}" width="{:.2}" height="{:.2}" fill="{}"/>"#,
                    run[0].x(),
                    run[0].y(),
                    WIDTH * span + 0.05,
                    HEIGHT + 0.05,
                    run[0].paper
                );
            }
        }
        let lined = |cell: &Drawn<'_>| cell.cell.underline().then(|| cell.ink.clone());
        for run in cells.chunk_by(|one, two| lined(one) == lined(two)) {
            if let Some(ink) = lined(&run[0]) {
                let span: f32 = run.iter().map(Drawn::span).sum();
                let _ = writeln!(
                    lines,
                    r#"<path d="M{:.2} {:.2}h{:.2}" stroke="{ink}" stroke-width="1.1"/>"#,
                    run[0].x(),
                    run[0].y() + BASELINE + 2.2,
                    WIDTH * span
                );
            }
        }
        let seen = |cell: &&Drawn<'_>| cell.cell.has_contents() && cell.cell.contents() != " ";
        let seen: Vec<&Drawn<'_>> = cells.iter().filter(seen).collect();
        for run in seen
            .chunk_by(|one, two| one.style() == two.style() && !is_cluster(one) && !is_cluster(two))
        {
            let places: Vec<String> = run
                .iter()
                .map(|cell| format!("{:.2}", cell.x() + WIDTH * cell.span() / 2.0))
                .collect();
            let text: String = run.iter().map(|cell| cell.cell.contents()).collect();
            let _ = writeln!(
                texts,
                r#"<text x="{}" y="{:.2}"{}>{}</text>"#,
                places.join(" "),
                run[0].y() + BASELINE,
                run[0].style(),
                escaped(&text)
            );
        }
    }
    format!("<g shape-rendering=\"crispEdges\">\n{backs}</g>\n{lines}{texts}")
}

/// Several characters in one cell count as several places, so such a cell stands alone.
fn is_cluster(cell: &Drawn<'_>) -> bool {
    1 < cell.cell.contents().chars().count()
}

/// The picture at one and a half times its size, as PNG.
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

fn inks(cell: &Cell, colours: &Colours) -> (String, String) {
    let ink = named(cell.fgcolor(), colours, colours.ink);
    let paper = named(cell.bgcolor(), colours, colours.paper);
    if cell.inverse() {
        return (paper, ink);
    }
    (ink, paper)
}

fn named(colour: Color, colours: &Colours, otherwise: &str) -> String {
    match colour {
        Color::Default => otherwise.into(),
        Color::Rgb(r, g, b) => format!("#{r:02x}{g:02x}{b:02x}"),
        Color::Idx(index @ 0..16) => colours.palette[usize::from(index)].into(),
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
