//! The workbench's state. Pure: [`update`] takes an event and answers with wishes; no io, no clock, no threads.

pub mod burst;
pub mod event;
pub mod text;
pub mod work;

pub use event::{Document, Draft, Effect, EffectId, Event, News, Now, Outcome, Session, Turn};

use crate::repair::{Level, ToolContext};

/// How the screen looks, as the run loop found it out before the first key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Colours for this background.
    pub theme: Theme,
    /// Whether colours may be used at all: `NO_COLOR` keeps bold, underline and reverse.
    pub colour: bool,
    /// Whether the locale is UTF-8; else symbols come from the ASCII set.
    pub unicode: bool,
}

impl Default for Look {
    fn default() -> Look {
        Look {
            theme: Theme::Dark,
            colour: true,
            unicode: true,
        }
    }
}

/// Sets of colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// For dark backgrounds.
    #[default]
    Dark,
    /// For light backgrounds.
    Light,
    /// Only the strongest contrasts.
    HighContrast,
}

/// What was said on the command line and in the configuration.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The level that was allowed beforehand; `None` climbs with all levels and asks about them.
    pub allow: Option<Level>,
    /// The tool named for the text.
    pub tool: ToolContext,
    /// Known tool definitions, for the picker and for calls from the feed.
    pub tools: Vec<ToolContext>,
    /// Stdout is no terminal: an accepted result goes there.
    pub stdout: bool,
    /// Begin in the Feed.
    pub feed: bool,
    /// The folders that are watched, as shown: `~/.claude/projects`. Empty where there is no feed.
    pub roots: Vec<String>,
    /// Colours and symbols.
    pub look: Look,
    /// Keys by the user's own choice: action id and key, `edit.accept` and `ctrl-a`.
    pub keys: Vec<(String, String)>,
    /// Whether the audit file is on.
    pub audit: bool,
    /// Whether the session is kept, and what it held.
    pub session: Option<Session>,
}

/// The whole state of the workbench.
pub struct App {
    /// Columns and rows of the screen.
    pub size: (u16, u16),
    /// The last time that was told.
    pub now: Now,
    /// What was said on the command line.
    pub options: Options,
}

impl App {
    /// A workbench on an empty text. The run loop then sends [`Event::Resize`], and [`Event::Open`] if there is a text.
    pub fn new(options: Options) -> App {
        App {
            size: (80, 24),
            now: Now::default(),
            options,
        }
    }

    /// When the next [`Event::Tick`] is due, by the clock of [`Now::millis`]; `None` while nothing waits for time.
    pub fn wake(&self) -> Option<u64> {
        None
    }
}

/// Takes one event and answers with what the world should do.
pub fn update(app: &mut App, event: Event) -> Vec<Effect> {
    match event {
        Event::Resize(width, height) => app.size = (width, height),
        Event::Tick(now) => app.now = now,
        _ => {}
    }
    Vec::new()
}
