//! What comes into the workbench and what it asks of the world.
//!
//! The run loop feeds one [`Event`] at a time to [`update`](super::update), carries out the [`Effect`]s it answers with,
//! and draws once all waiting events are in. An effect with an id is answered by [`Event::Done`] with the same id.

use std::path::PathBuf;
use std::sync::Arc;

use crossterm::event::{KeyEvent, MouseEvent};

use super::paths::Completed;
use super::work::{Climbed, Job, Rung, Show, Shown};
use crate::repair::{Decision, Review, Span, ToolContext};
use crate::transcript::FeedEvent;

/// Counts the texts and settings that were sent to the worker; an answer to an older turn is dropped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Turn(pub u64);

/// Names one effect, so that its answer finds its question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EffectId(pub u64);

/// What happens to the workbench.
#[derive(Clone, Debug)]
pub enum Event {
    /// A key was pressed or repeated. Releases may be sent too; they are ignored.
    Key(KeyEvent),
    /// A paste that the terminal marked as one.
    Paste(String),
    /// Keys too fast for typing that [`burst`](super::burst) put together: a paste from a terminal that marks none.
    Burst(String),
    /// A click, a drag or the wheel.
    Mouse(MouseEvent),
    /// The screen has this many columns and rows.
    Resize(u16, u16),
    /// The terminal gained or lost the focus.
    Focus(bool),
    /// A text to work on: the file or pipe of the command line.
    Open(Document),
    /// A draft of an earlier run that did not end cleanly; it is offered, never forced in.
    Draft(Draft),
    /// Something the user should read: a fault in the configuration, a follow-up of a signal.
    Say(String),
    /// The worker's answer to [`Effect::Repair`].
    Repaired {
        /// The turn of the job.
        turn: Turn,
        /// What was found.
        news: News,
    },
    /// The worker's answer to [`Effect::Show`].
    Shown {
        /// The turn of the question.
        turn: Turn,
        /// The output and what belongs to it.
        shown: Box<Shown>,
    },
    /// What the feed tells: a failed call, a retry, how far the first reading is.
    Feed(FeedEvent),
    /// An effect was carried out, or could not be; the error text says why, and is made visible before it is shown.
    Done(EffectId, Result<Outcome, String>),
    /// Time has passed. Sent before other events whenever the clock moved, and at the time that
    /// [`App::wake`](super::App::wake) names.
    Tick(Now),
}

/// The time as data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Now {
    /// Milliseconds of a clock that never goes back.
    pub millis: u64,
    /// Seconds since 1970, for `since:` in filters.
    pub unix: i64,
    /// Seconds that the local time is ahead of UTC.
    pub offset: i32,
}

/// What the worker found out so far about a job.
#[derive(Clone, Debug)]
pub enum News {
    /// The auto rung, sent first so that the picture is fast. With the review of a big text comes, as the next news,
    /// the output that belongs to it.
    Auto(Rung, Option<Box<Review>>),
    /// Another rung.
    Rung(Rung),
    /// All ten rungs have been told: the end of the job.
    Ladder(Climbed),
}

/// A text to work on.
#[derive(Clone, Debug, Default)]
pub struct Document {
    /// Where it comes from, as shown: a path, `pasted text`, `stdin`.
    pub name: String,
    /// The text.
    pub text: Arc<String>,
    /// The tool whose arguments it is.
    pub tool: ToolContext,
}

/// What is kept of unfinished work: written at most two seconds after a change, removed by a clean quit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Draft {
    /// Where the text came from.
    pub name: String,
    /// The source.
    pub source: Arc<String>,
    /// The tool's name.
    pub tool: Option<String>,
    /// The rung on the screen, if the user chose one.
    pub rung: Option<u8>,
    /// What the user decided: rule id, first edit's span, decision. A decision about all of a rule has an empty span at
    /// `u32::MAX`.
    pub decisions: Vec<(String, Span, Decision)>,
    /// When it was last written, in seconds since 1970; `None` if that is not known.
    pub saved: Option<i64>,
}

/// What the workbench asks for. Nothing here is waited for.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Run [`work`](super::work::work) with this job on the worker thread. A newer job makes it stale.
    Repair(Job),
    /// Jobs before this turn are not wanted any more.
    Stop(Turn),
    /// Run [`show`](super::work::show) on the worker thread: a big output is put together off the screen's thread.
    Show(Box<Show>),
    /// Put a text on the clipboard; answered by [`Outcome::Copied`] or [`Outcome::Sent`].
    Copy {
        /// Its id.
        id: EffectId,
        /// The text, true bytes.
        text: Arc<String>,
        /// What it is, for the message: `output`, `source`, `edits`.
        what: &'static str,
    },
    /// Write a file by rename; answered by [`Outcome::Written`].
    Write {
        /// Its id.
        id: EffectId,
        /// The file.
        path: PathBuf,
        /// Its content.
        text: Arc<String>,
        /// Whether a file that is there may be replaced. If not and it is there: [`Outcome::Exists`].
        replace: bool,
    },
    /// Keep this text for stdout, to be written when the screen is gone; replaces an earlier one.
    /// Answered by [`Outcome::Accepted`].
    Accept {
        /// Its id.
        id: EffectId,
        /// The text.
        text: Arc<String>,
    },
    /// Read a file; answered by [`Outcome::Opened`].
    OpenFile {
        /// Its id.
        id: EffectId,
        /// The file.
        path: PathBuf,
    },
    /// Look what a folder holds that begins as typed; answered by [`Outcome::Completed`].
    Complete {
        /// Its id.
        id: EffectId,
        /// The path so far.
        typed: String,
    },
    /// Read a file of tool definitions; answered by [`Outcome::Tools`].
    LoadTools {
        /// Its id.
        id: EffectId,
        /// The file.
        path: PathBuf,
    },
    /// Read the native clipboard; answered by [`Outcome::Clipboard`].
    ReadClipboard {
        /// Its id.
        id: EffectId,
    },
    /// Let `$VISUAL` or `$EDITOR` change the text; answered by [`Outcome::Edited`].
    EditExternally {
        /// Its id.
        id: EffectId,
        /// The text.
        text: Arc<String>,
    },
    /// Read one whole line of a log; answered by [`Outcome::Line`].
    ReadLine {
        /// Its id.
        id: EffectId,
        /// The log.
        path: PathBuf,
        /// Byte where the line begins.
        offset: u64,
    },
    /// Keep the draft. Not answered.
    SaveDraft(Draft),
    /// Remove the draft: the work is done. Not answered.
    RemoveDraft,
    /// Remove the draft that was offered: the user wants none of it.
    DropOffered,
    /// Leave the draft that was offered where it is, for a later run.
    LeaveOffered,
    /// Move the draft that was offered: the next draft that is kept takes its place.
    TakeOffered,
    /// Add a line to the audit file, if it is turned on. Answered only by an error.
    Audit {
        /// Its id.
        id: EffectId,
        /// What was accepted.
        record: Box<AuditRecord>,
    },
    /// Keep the session (pane sizes, dismissed calls), if it is turned on. Not answered.
    SaveSession(Session),
    /// Stop the process group as ctrl-z does.
    Suspend,
    /// Clear and draw everything again.
    Redraw,
    /// Leave with this exit code.
    Quit {
        /// 0 accepted, 1 left without a result, 130 interrupted.
        code: u8,
    },
}

/// The answer to an effect that was carried out.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// On the clipboard, read back; the route in words: `clipboard: X11`.
    Copied {
        /// The route.
        route: String,
    },
    /// Sent where nothing answers: `to the terminal (OSC 52)`.
    Sent {
        /// The route.
        route: String,
    },
    /// Written to this file.
    Written {
        /// The file as shown.
        path: String,
    },
    /// The file is there and was not touched.
    Exists {
        /// The file as shown.
        path: String,
    },
    /// Kept for stdout.
    Accepted,
    /// A file was read.
    Opened(Document),
    /// What a folder holds that begins as typed.
    Completed(Completed),
    /// The clipboard's text.
    Clipboard(String),
    /// The text as the editor left it.
    Edited(String),
    /// One line of a log without its line end.
    Line(String),
    /// Tool definitions, each with a name.
    Tools(Vec<ToolContext>),
}

/// One accepted result for the audit file. The run loop adds time and hashes.
#[derive(Clone, Debug, Default)]
pub struct AuditRecord {
    /// How it left: `copied`, `sent`, `written`, `accepted`.
    pub left: String,
    /// Where the source came from.
    pub name: String,
    /// The tool.
    pub tool: Option<String>,
    /// The rung.
    pub strategy: &'static str,
    /// Each live edit: rule id, level, source bytes.
    pub edits: Vec<(&'static str, &'static str, Span)>,
    /// The source; written only with `audit = full`, else hashed.
    pub source: Arc<String>,
    /// The output; written only with `audit = full`, else hashed.
    pub output: Arc<String>,
}

/// What outlives a run, if the user turned that on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Session {
    /// Rows or columns by which the borders between panes were moved.
    pub shares: Vec<i16>,
    /// Ids of dismissed calls.
    pub dismissed: Vec<String>,
}
