//! The workbench's state. Pure: [`update`] takes an event and answers with wishes; no io, no clock, no threads.

mod act;
pub mod bench;
pub mod burst;
mod calls;
mod candidates;
pub mod change;
mod compare;
pub mod decide;
mod done;
mod draft;
pub mod event;
pub mod excerpt;
pub mod feed;
pub mod filter;
mod forms;
pub mod help;
pub mod history;
mod input;
pub mod insert;
pub mod keys;
pub mod ladder;
pub mod layout;
pub mod leave;
pub mod line;
pub mod losses;
pub mod messages;
mod mouse;
pub mod overlay;
pub mod pane;
pub mod paths;
mod rooms;
pub mod rows;
mod search;
pub mod text;
pub mod tree;
mod walk;
mod wants;
pub mod words;
pub mod work;

use std::collections::HashMap;
use std::path::PathBuf;

pub use event::{Document, Draft, Effect, EffectId, Event, News, Now, Outcome, Session, Turn};

use crate::repair::{Level, ToolContext};
use bench::{Bench, Doc};
use feed::Feed;
use filter::Matching;
use history::Decided;
use insert::Insert;
use keys::{Keymap, Press};
use layout::{SHARES, Share};
use leave::Form;
use messages::Messages;
use overlay::{Ask, Overlay, Prompt};
use text::Text;

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

/// The names of a set of kinds of failed calls.
pub fn kinds(kinds: crate::transcript::Kinds) -> impl Iterator<Item = &'static str> {
    let all = crate::transcript::Kind::ALL.into_iter();
    all.filter(move |kind| kinds.has(*kind))
        .map(crate::transcript::Kind::id)
}

/// The two screens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Screen {
    /// One text under repair.
    #[default]
    Bench,
    /// The failed calls.
    Feed,
}

/// The panes of the Bench that can have the focus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Focus {
    /// Pane 1.
    Source,
    /// Pane 2.
    Output,
    /// Pane 3.
    #[default]
    Edits,
}

/// The whole state of the workbench.
pub struct App {
    /// Columns and rows of the screen.
    pub size: (u16, u16),
    /// The last time that was told.
    pub now: Now,
    /// What was said on the command line.
    pub options: Options,
    /// Which screen is shown.
    pub screen: Screen,
    /// Which pane of the Bench has the focus.
    pub focus: Focus,
    /// Whether the focused pane has the whole screen.
    pub zoom: bool,
    /// Whether the Feed stands beside the Bench on a full screen.
    pub feed_column: bool,
    /// By how much the user moved each border, by [`Share`].
    pub shares: [i16; SHARES],
    /// The text under repair.
    pub bench: Bench,
    /// The failed calls.
    pub feed: Feed,
    /// The list that lies over the screen.
    pub overlay: Option<Overlay>,
    /// The line typed in the status row.
    pub prompt: Option<Prompt>,
    /// The question in the status row.
    pub ask: Option<Ask>,
    /// Insert mode.
    pub insert: Option<Insert>,
    /// The text in Insert mode since it was last repaired.
    pub typed: Option<Text>,
    /// The keys in force.
    pub keymap: Keymap,
    /// What was said.
    pub messages: Messages,
    /// What `n` looks for.
    pub search: String,
    /// Whether the terminal has the focus.
    pub in_front: bool,
    /// The first key of a chord.
    half: Option<Press>,
    /// The text and the decisions when Insert mode began to change them.
    before_insert: Option<(Doc, Decided)>,
    /// Decisions about calls that are not on the Bench now, by number.
    kept: HashMap<u64, Decided>,
    /// Whether a result was accepted: the exit code.
    accepted: bool,
    /// The text that a burst of keys became, and when the last of it came.
    last_burst: Option<(Turn, u64)>,
    /// When the draft is to be written.
    draft_due: Option<u64>,
    /// The border that the mouse holds, and where it was.
    dragging: Option<(Share, u16, u16)>,
    matching: Matching,
    effects: Vec<Effect>,
    waiting: HashMap<EffectId, Waiting>,
    next_id: u64,
}

/// What an answer from the world is for.
#[derive(Clone, Debug)]
enum Waiting {
    Copy {
        form: Form,
        bytes: usize,
        number: Option<u64>,
    },
    Write {
        path: PathBuf,
    },
    Accept,
    Open,
    Complete,
    /// A paste that looks like the path of a dropped file.
    Dropped {
        text: String,
    },
    Paste,
    Edit {
        turn: Turn,
    },
    Line,
    Tools,
}

/// Work over this is shown by a spinner.
const SPINNER_MS: u64 = 150;

/// How long one picture of the spinner stays.
const SPIN_MS: u64 = 100;

impl App {
    /// A workbench on an empty text. The run loop then sends [`Event::Resize`], and [`Event::Open`] if there is a text.
    pub fn new(options: Options) -> App {
        let (keymap, faults) = Keymap::new(&options.keys);
        let mut shares = [0; SHARES];
        let mut feed = Feed::default();
        if let Some(session) = &options.session {
            for (share, kept) in shares.iter_mut().zip(&session.shares) {
                *share = *kept;
            }
            feed.dismissed = session.dismissed.iter().cloned().collect();
        }
        let screen = if options.feed {
            Screen::Feed
        } else {
            Screen::Bench
        };
        let mut app = App {
            size: (80, 24),
            now: Now::default(),
            screen,
            focus: Focus::default(),
            zoom: false,
            feed_column: true,
            shares,
            bench: Bench::default(),
            feed,
            overlay: None,
            prompt: None,
            ask: None,
            insert: None,
            typed: None,
            keymap,
            messages: Messages::default(),
            search: String::new(),
            in_front: true,
            half: None,
            before_insert: None,
            kept: HashMap::new(),
            accepted: false,
            last_burst: None,
            draft_due: None,
            dragging: None,
            matching: Matching::default(),
            effects: Vec::new(),
            waiting: HashMap::new(),
            next_id: 0,
            options,
        };
        app.bench.doc.tool = std::sync::Arc::new(app.options.tool.clone());
        for fault in faults {
            app.say(fault);
        }
        app.insert_if_empty();
        app
    }

    /// When the next [`Event::Tick`] is due, by the clock of [`Now::millis`]; `None` while nothing waits for time.
    pub fn wake(&self) -> Option<u64> {
        let now = self.now.millis;
        let message = self.messages.until.filter(|until| now < *until);
        let typed = self
            .insert
            .as_ref()
            .and_then(|insert| insert.changed)
            .map(|at| at + input::TYPED_MS);
        let spinner = self
            .bench
            .working
            .map(|since| (since + SPINNER_MS).max(now + SPIN_MS));
        let wide = layout::Size::Wide <= layout::Size::of(self.size);
        // The clock in the title of a wide screen, at the next full second.
        let clock = wide.then(|| now + 1_000 - now % 1_000);
        [message, typed, spinner, self.draft_due, clock]
            .into_iter()
            .flatten()
            .min()
    }

    /// Which picture of the spinner is due; `None` while no work takes long.
    pub fn spinner(&self) -> Option<usize> {
        let since = self.bench.working?;
        let worked = self.now.millis.saturating_sub(since);
        (SPINNER_MS <= worked).then_some((worked / SPIN_MS) as usize)
    }

    /// By how much the user moved a border.
    pub fn share(&self, share: Share) -> i16 {
        self.shares[share as usize]
    }

    /// An id for an effect, with what its answer is for.
    fn ask_world(&mut self, waiting: Waiting) -> EffectId {
        self.next_id += 1;
        let id = EffectId(self.next_id);
        self.waiting.insert(id, waiting);
        id
    }

    fn tick(&mut self, now: Now) {
        self.now = now;
        if self.messages.until.is_some_and(|until| until <= now.millis) {
            self.messages.until = None;
        }
        let typed = self.insert.as_ref().and_then(|insert| insert.changed);
        if typed.is_some_and(|at| at + input::TYPED_MS <= now.millis) {
            self.repair_typed();
        }
        if self.draft_due.is_some_and(|due| due <= now.millis) {
            self.draft_due = None;
            self.save_draft();
        }
    }
}

/// Takes one event and answers with what the world should do.
pub fn update(app: &mut App, event: Event) -> Vec<Effect> {
    match event {
        Event::Key(key) => app.key(key),
        Event::Paste(text) => app.paste(text),
        Event::Burst(text) => app.burst(text),
        Event::Mouse(mouse) => app.mouse(mouse),
        Event::Resize(width, height) => {
            app.size = (width, height);
            app.reveal();
            let rows = app.feed_rows();
            app.feed.keep_in_view(rows);
        }
        Event::Focus(in_front) => app.in_front = in_front,
        Event::Open(document) => {
            app.insert = None;
            app.focus = Focus::default();
            app.open(document);
            app.insert_if_empty();
        }
        Event::Draft(draft) => app.ask = Some(Ask::Draft(Box::new(draft))),
        Event::Say(text) => app.say(text),
        Event::Repaired { turn, news } => app.take_news(turn, news),
        Event::Shown { turn, shown } => app.take_shown(turn, *shown),
        Event::Feed(event) => {
            app.feed.watched = app.screen == Screen::Feed;
            let note = app.feed.take(event, &app.options.tools, app.now.unix);
            let rows = app.feed_rows();
            app.feed.keep_in_view(rows);
            if let Some(note) = note {
                app.say(note);
            }
        }
        Event::Done(id, outcome) => app.done(id, outcome),
        Event::Tick(now) => app.tick(now),
    }
    std::mem::take(&mut app.effects)
}
