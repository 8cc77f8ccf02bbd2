//! What ratatui draws on: cells become one block of bytes a frame.
//!
//! Not ratatui's own backend: that one writes piecemeal, asks the terminal for its size through a child process when the
//! device is gone, knows no double and dotted underline, and sends what a cell holds. Here a control character in a cell
//! ends as a space, whatever drew it.

use std::io::{self, Write};

use ratatui::backend::{Backend, ClearType, WindowSize};
use ratatui::buffer::Cell;
use ratatui::layout::{Position, Size};
use ratatui::style::{Color, Modifier};

use super::terminal::Device;

/// Collects a frame and hands it to the device in one piece.
#[derive(Debug)]
pub struct Screen {
    device: &'static Device,
    frame: Vec<u8>,
    cursor: Position,
    cursor_shown: bool,
}

impl Screen {
    /// A screen on this device.
    pub fn new(device: &'static Device) -> Screen {
        Screen {
            device,
            frame: Vec::new(),
            cursor: Position::ORIGIN,
            cursor_shown: false,
        }
    }

    /// Adds bytes that are no cells: a clipboard sequence, the cursor's shape.
    pub fn push(&mut self, bytes: &[u8]) {
        self.frame.extend_from_slice(bytes);
    }

    /// Sends what was collected, as one synchronized update: also when nothing changed, so that whoever watches the
    /// terminal knows that an event was dealt with.
    pub fn send(&mut self) -> io::Result<()> {
        let mut all = Vec::with_capacity(self.frame.len() + 16);
        all.extend_from_slice(b"\x1b[?2026h");
        all.append(&mut self.frame);
        all.extend_from_slice(b"\x1b[?2026l");
        self.device.write(&all)
    }
}

impl Backend for Screen {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, content: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        cells(&mut self.frame, content)
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.cursor_shown) {
            self.push(b"\x1b[?25l");
        }
        Ok(())
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        if !std::mem::replace(&mut self.cursor_shown, true) {
            self.push(b"\x1b[?25h");
        }
        Ok(())
    }

    /// The place that was set last: the terminal is never asked.
    fn get_cursor_position(&mut self) -> io::Result<Position> {
        Ok(self.cursor)
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        self.cursor = position.into();
        move_to(&mut self.frame, self.cursor.x, self.cursor.y)
    }

    fn clear(&mut self) -> io::Result<()> {
        self.clear_region(ClearType::All)
    }

    fn clear_region(&mut self, region: ClearType) -> io::Result<()> {
        self.push(match region {
            ClearType::All => b"\x1b[0m\x1b[2J",
            ClearType::AfterCursor => b"\x1b[0J",
            ClearType::BeforeCursor => b"\x1b[1J",
            ClearType::CurrentLine => b"\x1b[2K",
            ClearType::UntilNewLine => b"\x1b[0K",
        });
        Ok(())
    }

    fn size(&self) -> io::Result<Size> {
        self.device.size().map(Size::from)
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        Ok(WindowSize {
            columns_rows: self.size()?,
            pixels: Size::ZERO,
        })
    }

    /// Frames are sent by `send`, so that the cursor and the cells arrive together.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The cells that changed, with as few moves and styles as they need.
fn cells<'a>(
    out: &mut Vec<u8>,
    content: impl Iterator<Item = (u16, u16, &'a Cell)>,
) -> io::Result<()> {
    let plain = Cell::EMPTY;
    let mut pen = &plain;
    let mut next: Option<(u16, u16)> = None;
    for (x, y, cell) in content {
        if next != Some((x, y)) {
            move_to(out, x, y)?;
        }
        // A wide cell leaves the cursor where the terminal thinks it ends, so the next one is always aimed at.
        let symbol = cell.symbol();
        next = (symbol.len() == 1).then_some((x + 1, y));
        if !same_style(pen, cell) {
            style(out, cell)?;
            pen = cell;
        }
        if symbol.chars().any(char::is_control) {
            out.push(b' ');
        } else {
            out.extend_from_slice(symbol.as_bytes());
        }
    }
    if !same_style(pen, &plain) {
        out.extend_from_slice(b"\x1b[0m");
    }
    Ok(())
}

fn move_to(out: &mut Vec<u8>, x: u16, y: u16) -> io::Result<()> {
    write!(out, "\x1b[{};{}H", u32::from(y) + 1, u32::from(x) + 1)
}

fn same_style(a: &Cell, b: &Cell) -> bool {
    (a.fg, a.bg, a.underline_color, a.modifier) == (b.fg, b.bg, b.underline_color, b.modifier)
}

/// A whole style from nothing: shorter to reason about than a difference, and short on the wire all the same.
fn style(out: &mut Vec<u8>, cell: &Cell) -> io::Result<()> {
    out.extend_from_slice(b"\x1b[0");
    let modifier = cell.modifier;
    for (bit, code) in [
        (Modifier::BOLD, "1"),
        (Modifier::DIM, "2"),
        (Modifier::ITALIC, "3"),
        (Modifier::REVERSED, "7"),
        (Modifier::HIDDEN, "8"),
        (Modifier::CROSSED_OUT, "9"),
    ] {
        if modifier.contains(bit) {
            write!(out, ";{code}")?;
        }
    }
    if modifier.contains(Modifier::UNDERLINED) {
        write!(out, ";4")?;
    }
    colour(out, cell.fg, 30)?;
    colour(out, cell.bg, 40)?;
    out.push(b'm');
    // In a sequence of their own: a terminal that does not know them skips only them.
    if modifier.contains(Modifier::UNDERLINED) {
        // ratatui knows one underline, so the blink bits, which nothing here uses, say which kind it is.
        let slow = modifier.contains(Modifier::SLOW_BLINK);
        match (slow, modifier.contains(Modifier::RAPID_BLINK)) {
            (true, true) => out.extend_from_slice(b"\x1b[4:5m"),
            (true, false) => out.extend_from_slice(b"\x1b[4:2m"),
            (false, true) => out.extend_from_slice(b"\x1b[4:4m"),
            (false, false) => {}
        }
        match cell.underline_color {
            Color::Rgb(r, g, b) => write!(out, "\x1b[58:2::{r}:{g}:{b}m")?,
            Color::Indexed(index) => write!(out, "\x1b[58:5:{index}m")?,
            _ => {}
        }
    }
    Ok(())
}

/// `base` is 30 for the text, 40 for what is behind it.
fn colour(out: &mut Vec<u8>, colour: Color, base: u8) -> io::Result<()> {
    let number = match colour {
        Color::Reset => return Ok(()),
        Color::Indexed(index) => return write!(out, ";{};5;{index}", base + 8),
        Color::Rgb(r, g, b) => return write!(out, ";{};2;{r};{g};{b}", base + 8),
        Color::Black => 0,
        Color::Red => 1,
        Color::Green => 2,
        Color::Yellow => 3,
        Color::Blue => 4,
        Color::Magenta => 5,
        Color::Cyan => 6,
        Color::Gray => 7,
        Color::DarkGray => 60,
        Color::LightRed => 61,
        Color::LightGreen => 62,
        Color::LightYellow => 63,
        Color::LightBlue => 64,
        Color::LightMagenta => 65,
        Color::LightCyan => 66,
        Color::White => 67,
    };
    write!(out, ";{}", base + number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::style::Style;

    fn sent(row: &[(u16, u16, &str, Style)]) -> String {
        let made: Vec<(u16, u16, Cell)> = row
            .iter()
            .map(|(x, y, symbol, style)| {
                let mut cell = Cell::EMPTY;
                cell.set_symbol(symbol).set_style(*style);
                (*x, *y, cell)
            })
            .collect();
        let mut out = Vec::new();
        cells(&mut out, made.iter().map(|(x, y, cell)| (*x, *y, cell))).unwrap_or_default();
        out.escape_ascii().to_string()
    }

    #[test]
    fn cells_become_bytes() {
        let none = Style::new();
        let red = Style::new().fg(Color::Red);
        let lossy = Style::new().add_modifier(Modifier::UNDERLINED | Modifier::SLOW_BLINK);
        let guess = Style::new().add_modifier(Modifier::UNDERLINED | Modifier::RAPID_BLINK);
        let open = lossy.add_modifier(Modifier::RAPID_BLINK);
        for (cells, want) in [
            (
                vec![(0, 0, "a", none), (1, 0, "b", none), (0, 2, "c", none)],
                r"\x1b[1;1Hab\x1b[3;1Hc",
            ),
            (
                vec![(4, 1, "a", red), (5, 1, "b", none)],
                r"\x1b[2;5H\x1b[0;31ma\x1b[0mb",
            ),
            (
                vec![(0, 0, "x", lossy)],
                r"\x1b[1;1H\x1b[0;4m\x1b[4:2mx\x1b[0m",
            ),
            // Undecided is dashed, a guess dotted; a terminal that knows neither keeps the plain line before it.
            (
                vec![(0, 0, "x", open), (1, 0, "y", guess)],
                r"\x1b[1;1H\x1b[0;4m\x1b[4:5mx\x1b[0;4m\x1b[4:4my\x1b[0m",
            ),
            // Whatever a widget lets through, no control character leaves.
            (
                vec![(0, 0, "\x1b]52;c;AA\x07", none), (1, 0, "\u{9d}", none)],
                r"\x1b[1;1H \x1b[1;2H ",
            ),
        ] {
            assert_eq!(sent(&cells), want);
        }
    }
}
