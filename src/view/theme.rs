//! Colours and signs. Meaning is never in the colour alone: words, bold, underline and reverse carry it too.

use ratatui::style::{Color, Modifier, Style};

use crate::app::{Look, Theme};
use crate::repair::{Decision, Level};

/// Styles for one look.
#[derive(Clone, Copy, Debug)]
pub struct Paint {
    look: Look,
}

/// Signs that have an ASCII form, taken when the locale is not UTF-8.
#[derive(Clone, Copy, Debug)]
pub struct Signs {
    /// The chosen row.
    pub chosen: &'static str,
    /// A call that was not looked at.
    pub new: &'static str,
    /// A call that was opened.
    pub seen: &'static str,
    /// A call whose result left.
    pub done: &'static str,
    /// A dismissed call.
    pub dismissed: &'static str,
    /// A refusal.
    pub cross: &'static str,
    /// The place of a refusal.
    pub here: &'static str,
    /// The cut.
    pub cut: &'static str,
    /// Nothing.
    pub nothing: &'static str,
    /// A clipped text.
    pub clipped: &'static str,
    /// A text repaired before it was logged.
    pub upstream: &'static str,
    /// A text that the log holds only as its parsed object.
    pub re_encoded: &'static str,
    /// A text that may have been unreadable.
    pub doubtful: &'static str,
    /// A call that was refused.
    pub denied: &'static str,
    /// A call that stands as text in a message.
    pub leaked: &'static str,
    /// From before to after.
    pub arrow: &'static str,
    /// Points back to the text before it.
    pub back: &'static str,
    /// Between facts.
    pub dot: &'static str,
    /// A line break that is part of an edit.
    pub line_break: &'static str,
    /// Text goes on.
    pub more: &'static str,
    /// Left of a quoted line.
    pub bar: &'static str,
    /// Borders: top left, top right, bottom left, bottom right, across, down.
    pub thin: [&'static str; 6],
    /// The same for the pane with the focus.
    pub thick: [&'static str; 6],
    /// Under a candidate: left end, middle, right end.
    pub under: [&'static str; 3],
    /// A branch of the tree that is open, and one that is folded.
    pub branch: [&'static str; 2],
    /// Pictures of the spinner.
    pub spinner: &'static [&'static str],
}

const UNICODE: Signs = Signs {
    chosen: "▸",
    new: "●",
    seen: "○",
    done: "✓",
    dismissed: "–",
    cross: "✗",
    here: "▲",
    cut: "✂",
    nothing: "∅",
    clipped: "◧",
    upstream: "◆",
    re_encoded: "≈",
    doubtful: "¿",
    denied: "⊘",
    leaked: "‹",
    arrow: "→",
    back: "◂",
    dot: "·",
    line_break: "⏎",
    more: "…",
    bar: "│",
    thin: ["┌", "┐", "└", "┘", "─", "│"],
    thick: ["┏", "┓", "┗", "┛", "━", "┃"],
    under: ["└", "─", "┘"],
    branch: ["▾", "▸"],
    spinner: &["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧"],
};

const ASCII: Signs = Signs {
    chosen: ">",
    new: "*",
    seen: "o",
    done: "+",
    dismissed: "-",
    cross: "x",
    here: "^",
    cut: "%",
    nothing: "()",
    clipped: "<",
    upstream: "@",
    re_encoded: "=",
    doubtful: "?",
    denied: "/",
    leaked: "{",
    arrow: "->",
    back: "<",
    dot: "-",
    line_break: "$",
    more: "~",
    bar: "|",
    thin: ["+", "+", "+", "+", "-", "|"],
    thick: ["#", "#", "#", "#", "=", "#"],
    under: ["'", "-", "'"],
    branch: ["-", "+"],
    spinner: &["|", "/", "-", "\\"],
};

impl Signs {
    /// The signs of the badges, in the order of the badges.
    pub fn badges(&self) -> [&'static str; 6] {
        [
            self.clipped,
            self.re_encoded,
            self.upstream,
            self.doubtful,
            self.denied,
            self.leaked,
        ]
    }
}

impl Paint {
    /// The styles of a look.
    pub fn new(look: Look) -> Paint {
        Paint { look }
    }

    /// The signs of a look.
    pub fn signs(self) -> &'static Signs {
        if self.look.unicode { &UNICODE } else { &ASCII }
    }

    /// Text as it is.
    pub fn plain(self) -> Style {
        Style::new()
    }

    /// What matters less: line numbers, borders without the focus.
    pub fn faint(self) -> Style {
        match self.look.theme {
            Theme::HighContrast => Style::new(),
            _ if !self.look.colour => Style::new().add_modifier(Modifier::DIM),
            Theme::Dark => Style::new().fg(Color::Indexed(245)),
            Theme::Light => Style::new().fg(Color::Indexed(242)),
        }
    }

    /// Titles and names of keys.
    pub fn strong(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// The border of the pane with the focus.
    pub fn focus(self) -> Style {
        self.colour(Style::new().add_modifier(Modifier::BOLD), 81, 25)
    }

    /// The first line of the screen.
    pub fn title(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    /// What is chosen.
    pub fn chosen(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    /// The word of a level.
    pub fn level(self, level: Level) -> Style {
        match level {
            Level::Safe => self.colour(Style::new(), 114, 28),
            Level::Lossy => self.colour(Style::new().add_modifier(Modifier::BOLD), 221, 130),
            Level::Guess => self.colour(Style::new().add_modifier(Modifier::BOLD), 177, 91),
        }
    }

    /// A span of an edit: underlined plainly for safe, double for lossy, dotted for guess, dashed while undecided.
    ///
    /// ratatui knows one underline. The two blink bits, which nothing here uses, say which kind: slow for double, rapid
    /// for dotted, both for dashed; the run loop's backend turns them into the terminal's own.
    pub fn span(self, level: Level, decision: Decision) -> Style {
        let style = self
            .level(level)
            .remove_modifier(Modifier::BOLD)
            .add_modifier(Modifier::UNDERLINED);
        match (level, decision) {
            (_, Decision::Undecided) => {
                style.add_modifier(Modifier::SLOW_BLINK | Modifier::RAPID_BLINK)
            }
            (Level::Safe, _) => style,
            (Level::Lossy, _) => style.add_modifier(Modifier::SLOW_BLINK),
            (Level::Guess, _) => style.add_modifier(Modifier::RAPID_BLINK),
        }
    }

    /// A refusal or a fault.
    pub fn bad(self) -> Style {
        self.colour(Style::new().add_modifier(Modifier::BOLD), 210, 160)
    }

    /// All is well.
    pub fn good(self) -> Style {
        self.colour(Style::new(), 114, 28)
    }

    /// A stand-in for a character that is not shown.
    pub fn stand_in(self) -> Style {
        self.colour(Style::new().add_modifier(Modifier::DIM), 244, 246)
    }

    /// A match of the search.
    pub fn found(self) -> Style {
        self.colour(
            Style::new().add_modifier(Modifier::BOLD | Modifier::UNDERLINED),
            229,
            94,
        )
    }

    /// What a diff takes away.
    pub fn gone(self) -> Style {
        self.colour(Style::new(), 210, 160)
    }

    /// What a diff puts in.
    pub fn come(self) -> Style {
        self.colour(Style::new(), 114, 28)
    }

    fn colour(self, style: Style, dark: u8, light: u8) -> Style {
        match self.look.theme {
            _ if !self.look.colour => style,
            Theme::HighContrast => style,
            Theme::Dark => style.fg(Color::Indexed(dark)),
            Theme::Light => style.fg(Color::Indexed(light)),
        }
    }
}
