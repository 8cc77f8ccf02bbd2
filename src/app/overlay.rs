//! What lies over a screen: lists, prompts and questions.

use std::path::PathBuf;

use super::App;
use super::event::{Draft, Effect};
use super::history::Step;
use super::keys::{Action, ROWS};
use super::leave::{Form, Leave};
use super::line::Line;
use super::text::Text;
use super::work::{Shown, show};
use crate::repair::{LADDER, Level, Review, ToolContext};

/// Longer texts are not read again for a preview.
pub(super) const PREVIEWED: usize = 256 * 1024;

/// A list that lies over a screen.
#[derive(Clone, Debug)]
pub enum Overlay {
    /// All keys, and what the signs mean.
    Help {
        /// First line shown.
        top: usize,
    },
    /// Every command by its name.
    Palette(Finder<Action>),
    /// What each rung found.
    Strategies(Strategies),
    /// The values among which to choose.
    Candidates(Candidates),
    /// Forms in which something can be copied.
    CopyMenu {
        /// The forms there are now.
        forms: Vec<Form>,
        /// Index of the chosen one.
        at: usize,
    },
    /// What was said before.
    Messages {
        /// How many are scrolled past, the newest first.
        top: usize,
    },
    /// Tools to choose from.
    Tools(Finder<Choice>),
}

/// A typed line and what it finds.
#[derive(Clone, Debug)]
pub struct Finder<T> {
    /// What is typed.
    pub line: Line,
    /// What was found, the best first.
    pub found: Vec<T>,
    /// Index of the chosen one.
    pub at: usize,
}

impl<T> Default for Finder<T> {
    fn default() -> Finder<T> {
        Finder {
            line: Line::default(),
            found: Vec::new(),
            at: 0,
        }
    }
}

/// A row of the tool picker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// No tool is known.
    None,
    /// This tool; the text says what is known about it.
    Known(String, &'static str),
    /// The name as typed.
    Typed(String),
    /// Definitions from a file.
    File,
}

/// The list of strategies.
#[derive(Clone, Debug, Default)]
pub struct Strategies {
    /// Index of the chosen rung.
    pub at: usize,
    /// What is searched for.
    pub search: String,
    /// What the chosen rung would give; `None` where it refuses or the text is long.
    pub preview: Option<Box<Preview>>,
}

/// What a rung would give, by the decisions it starts with.
#[derive(Clone, Debug)]
pub struct Preview {
    /// Its edits.
    pub review: Review,
    /// Its output.
    pub shown: Shown,
}

/// The list of candidates.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    /// Index of the chosen one.
    pub at: usize,
    /// What each comes to, as far as they were looked at.
    pub outcomes: Vec<String>,
    /// The chosen one's text.
    pub text: Text,
    /// How often the chosen one misses the schema.
    pub problems: usize,
}

/// A line typed in the status row.
#[derive(Clone, Debug)]
pub struct Prompt {
    /// What it is for.
    pub kind: PromptKind,
    /// What is typed.
    pub line: Line,
    /// Names that a path could go on with.
    pub names: Vec<String>,
}

/// What a prompt is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromptKind {
    /// A text to look for in the focused pane.
    Search,
    /// A filter for the Feed.
    Filter,
    /// A file to open.
    Open,
    /// A file to write to.
    Write,
    /// A file of tool definitions.
    Tools,
}

impl PromptKind {
    /// What stands before the typed text.
    pub fn label(self) -> &'static str {
        match self {
            PromptKind::Search => "/",
            PromptKind::Filter => "filter /",
            PromptKind::Open => "open file: ",
            PromptKind::Write => "write to file: ",
            PromptKind::Tools => "tool definitions from file: ",
        }
    }
}

impl PromptKind {
    /// What enter does.
    pub fn does(self) -> &'static str {
        match self {
            PromptKind::Search => "looks for it",
            PromptKind::Filter => "keeps the filter",
            PromptKind::Open => "opens it",
            PromptKind::Write => "writes it",
            PromptKind::Tools => "reads them",
        }
    }

    /// What esc does.
    pub fn ends(self) -> &'static str {
        match self {
            PromptKind::Filter => "lists all",
            _ => "goes back",
        }
    }
}

/// A question that is answered by `a` or esc.
#[derive(Clone, Debug)]
pub enum Ask {
    /// Lossy edits are undecided and something is about to leave.
    Undecided(Leave),
    /// A cut call of a tool that acts was closed, and something is about to leave.
    Cut(Leave),
    /// Guesses are to be allowed.
    Guesses,
    /// Decisions would be lost by leaving.
    Quit,
    /// A file is there.
    Overwrite(PathBuf),
    /// A draft of an earlier run.
    Draft(Box<Draft>),
}

impl App {
    /// The question in words.
    pub fn question(&self) -> Option<String> {
        let undecided = self.bench.rows.undecided();
        Some(match self.ask.as_ref()? {
            Ask::Undecided(_) => {
                let losses = if undecided == 1 {
                    "1 loss".to_owned()
                } else {
                    format!("{undecided} losses")
                };
                format!("{losses} undecided: {}", self.losses().join(", "))
            }
            Ask::Cut(_) => {
                let tool = self.bench.doc.tool.name.as_deref().unwrap_or("the tool");
                let stop = self
                    .stop_reason()
                    .map_or(String::new(), |reason| format!(" (stop {reason})"));
                format!("a cut {tool} call was closed{stop}: data may be missing")
            }
            Ask::Guesses => "a guess picks one of several readings of the text".to_owned(),
            Ask::Quit => "there are decisions that were not copied or written".to_owned(),
            Ask::Overwrite(path) => format!("{} is there", path.display()),
            Ask::Draft(draft) => {
                let name = match draft.name.as_str() {
                    "" => "typed text",
                    name => name,
                };
                let size = super::words::size(draft.source.len());
                let age = draft.saved.map_or(String::new(), |saved| {
                    format!(", {} old", super::words::span(self.now.unix - saved))
                });
                format!(
                    "an unfinished text is there ({}, {size}{age}): take it?",
                    super::words::brief(name, 24)
                )
            }
        })
    }

    /// The keys that answer the question, with what each does.
    pub fn answers(&self) -> &'static [(&'static str, &'static str)] {
        match &self.ask {
            None => &[],
            Some(Ask::Undecided(leave) | Ask::Cut(leave)) => leave.answers(),
            Some(Ask::Guesses) => &[("a", "allows guesses"), ("esc", "leaves them off")],
            Some(Ask::Quit) => &[("a enter", "leaves without them"), ("esc", "stays")],
            Some(Ask::Overwrite(_)) => &[("a", "replaces it"), ("esc", "goes back")],
            Some(Ask::Draft(_)) => &[
                ("a", "takes it"),
                ("d", "deletes it"),
                ("esc", "keeps it for later"),
                ("q", "quits"),
            ],
        }
    }

    /// The user said yes.
    pub(super) fn agree(&mut self) {
        match self.ask.take() {
            Some(Ask::Undecided(leave)) => {
                self.accept_undecided();
                self.leave(leave);
            }
            Some(Ask::Cut(leave)) => {
                self.bench.cut_agreed = true;
                self.leave(leave);
            }
            Some(Ask::Guesses) => {
                self.bench.guesses = true;
                self.bench.dirty = true;
                self.bench.history.push(Step::Guesses(true));
                self.after_guesses();
                self.touch_draft();
            }
            Some(Ask::Quit) => self.quit(),
            Some(Ask::Overwrite(path)) => self.write_to(path, true),
            Some(Ask::Draft(draft)) => self.take_draft(*draft),
            None => {}
        }
    }

    /// The user said no.
    pub(super) fn decline(&mut self) {
        match self.ask.take() {
            Some(Ask::Undecided(_)) => {
                self.go_undecided(true);
                self.say("nothing left: `a` accepts, `x` rejects the edit, `}` goes to the next");
            }
            Some(Ask::Draft(_)) => self.effects.push(Effect::LeaveOffered),
            _ => {}
        }
    }

    /// The user wants none of the draft that was offered.
    pub(super) fn drop_draft(&mut self) {
        if let Some(Ask::Draft(_)) = self.ask.take() {
            self.effects.push(Effect::DropOffered);
            self.say("the unfinished text is deleted");
        }
    }

    /// Opens the palette.
    pub(super) fn open_palette(&mut self) {
        self.overlay = Some(Overlay::Palette(Finder::default()));
        self.find_actions();
    }

    /// Finds the actions for what is typed in the palette.
    pub(super) fn find_actions(&mut self) {
        let Some(Overlay::Palette(finder)) = &mut self.overlay else {
            return;
        };
        let words = finder.line.text.clone();
        let mut found: Vec<(u32, Action)> = Vec::new();
        for row in &ROWS {
            if words.is_empty() {
                found.push((0, row.action));
            } else if let Some(score) = self
                .matching
                .score(&words, &format!("{} {}", row.id, row.help))
            {
                found.push((score, row.action));
            }
        }
        found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        finder.found = found.into_iter().map(|(_, action)| action).collect();
        finder.at = 0;
    }

    /// Opens the tool picker.
    pub(super) fn open_tools(&mut self) {
        self.overlay = Some(Overlay::Tools(Finder::default()));
        self.find_tools();
    }

    /// Finds the tools for what is typed in the picker.
    pub(super) fn find_tools(&mut self) {
        let Some(Overlay::Tools(finder)) = &mut self.overlay else {
            return;
        };
        let words = finder.line.text.trim().to_owned();
        let known = self.options.tools.iter().filter_map(|tool| {
            let about = if tool.schema.is_some() {
                "schema known"
            } else {
                "name known"
            };
            Some((tool.name.clone()?, about))
        });
        let mut names: Vec<(String, &'static str)> = known.collect();
        for call in self
            .feed
            .calls
            .iter()
            .filter_map(|entry| entry.call.tool.clone())
        {
            names.push((call, "seen in the Feed"));
        }
        let mut seen = std::collections::HashSet::new();
        names.retain(|(name, _)| seen.insert(name.clone()));
        let mut found: Vec<(u32, Choice)> = Vec::new();
        for (name, about) in names {
            let score = if words.is_empty() {
                Some(0)
            } else {
                self.matching.score(&words, &name)
            };
            if let Some(score) = score {
                found.push((score, Choice::Known(name, about)));
            }
        }
        found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        let exact = found
            .iter()
            .any(|(_, choice)| matches!(choice, Choice::Known(name, _) if *name == words));
        finder.found = found.into_iter().map(|(_, choice)| choice).collect();
        if words.is_empty() {
            finder.found.push(Choice::None);
        } else if !exact {
            finder.found.push(Choice::Typed(words));
        }
        finder.found.push(Choice::File);
        finder.at = 0;
    }

    /// Takes the chosen row of the list on the screen.
    pub(super) fn choose(&mut self) {
        match self.overlay.take() {
            Some(Overlay::Palette(finder)) => {
                if let Some(action) = finder.found.get(finder.at) {
                    self.act(*action);
                }
            }
            Some(Overlay::CopyMenu { forms, at }) => {
                if let Some(form) = forms.get(at) {
                    self.leave(Leave::Copy(*form));
                }
            }
            Some(Overlay::Tools(finder)) => match finder.found.get(finder.at) {
                Some(Choice::None) => self.set_tool(ToolContext::default()),
                Some(Choice::Known(name, _) | Choice::Typed(name)) => {
                    let known = self
                        .options
                        .tools
                        .iter()
                        .find(|tool| tool.name.as_ref() == Some(name));
                    let tool = known.cloned().unwrap_or_else(|| ToolContext::named(name));
                    self.set_tool(tool);
                }
                Some(Choice::File) => self.prompt(PromptKind::Tools, ""),
                None => {}
            },
            other => self.overlay = other,
        }
    }

    fn set_tool(&mut self, tool: ToolContext) {
        self.bench.doc.tool = std::sync::Arc::new(tool);
        self.reread(false);
    }

    /// Opens a prompt in the status row.
    pub(super) fn prompt(&mut self, kind: PromptKind, text: &str) {
        self.prompt = Some(Prompt {
            kind,
            line: Line::new(text),
            names: Vec::new(),
        });
    }

    /// The prompt's text was typed to its end.
    pub(super) fn submit(&mut self) {
        let Some(Prompt { kind, line, .. }) = self.prompt.take() else {
            return;
        };
        let text = line.text;
        match kind {
            PromptKind::Search => self.search_for(text),
            PromptKind::Filter => {
                self.set_filter(&text);
                if let Some(why) = self.feed.filter.unknown() {
                    self.say(why);
                }
            }
            _ if text.trim().is_empty() => self.say("no file named"),
            PromptKind::Open => {
                let id = self.ask_world(super::Waiting::Open);
                self.effects.push(Effect::OpenFile {
                    id,
                    path: PathBuf::from(text),
                });
            }
            PromptKind::Write => self.write_to(PathBuf::from(text), false),
            PromptKind::Tools => {
                let id = self.ask_world(super::Waiting::Tools);
                self.effects.push(Effect::LoadTools {
                    id,
                    path: PathBuf::from(text),
                });
            }
        }
    }

    /// Sets the Feed's filter as it is typed.
    pub(super) fn set_filter(&mut self, text: &str) {
        self.feed.filter = super::filter::Filter::new(text);
        self.feed.relist(self.now.unix);
        let rows = self.feed_rows();
        self.feed.go(self.feed.at, rows);
    }

    /// Moves the choice of the list on the screen.
    pub(super) fn move_list(&mut self, by: Move) {
        let inner = super::layout::layout(self).list.unwrap_or_default().inner();
        let page = inner.height;
        let help = super::help::lines(&self.keymap, usize::from(inner.width)).len();
        let said = self.messages.log.len();
        let candidates = self
            .bench
            .refusal()
            .map_or(0, |refusal| refusal.candidates.len());
        let moved = |at: usize, len: usize| by.apply(at, len, usize::from(page.max(1)));
        match &mut self.overlay {
            Some(Overlay::Help { top }) => {
                *top = moved(*top, (help + 1).saturating_sub(usize::from(page)))
            }
            Some(Overlay::Messages { top }) => *top = moved(*top, said),
            Some(Overlay::Palette(finder)) => finder.at = moved(finder.at, finder.found.len()),
            Some(Overlay::Tools(finder)) => finder.at = moved(finder.at, finder.found.len()),
            Some(Overlay::Strategies(list)) => list.at = moved(list.at, LADDER.len()),
            Some(Overlay::Candidates(list)) => list.at = moved(list.at, candidates),
            Some(Overlay::CopyMenu { forms, at }) => *at = moved(*at, forms.len()),
            None => {}
        }
        self.look_at_chosen();
    }

    /// Makes what belongs to the chosen row of the list on the screen.
    pub(super) fn look_at_chosen(&mut self) {
        match &self.overlay {
            Some(Overlay::Strategies(list)) => self.preview_rung(list.at),
            Some(Overlay::Candidates(list)) => self.preview_candidate(list.at),
            _ => {}
        }
    }

    fn preview_rung(&mut self, at: usize) {
        let source = self.bench.doc.source.shared();
        let slot = self.bench.ladder.slot(at);
        let valid = slot.filter(|slot| slot.place.is_none() && source.len() <= PREVIEWED);
        let made = valid.map(|slot| {
            let mut review = Review::new(std::sync::Arc::clone(&slot.repair), Level::Safe);
            self.decide_all(&mut review);
            let shown = show(&source, &review);
            Box::new(Preview { review, shown })
        });
        if let Some(Overlay::Strategies(list)) = &mut self.overlay {
            list.preview = made;
        }
    }
}

/// A move in a list or a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// So many rows down; up when negative.
    Rows(isize),
    /// So many half pages down; up when negative.
    Halves(isize),
    /// To the first.
    First,
    /// To the last.
    Last,
}

impl Move {
    /// The index after the move in a list of `len` with `page` rows on the screen.
    pub fn apply(self, at: usize, len: usize, page: usize) -> usize {
        let last = len.saturating_sub(1);
        match self {
            Move::First => 0,
            Move::Last => last,
            _ => (at.saturating_add_signed(self.rows(page))).min(last),
        }
    }

    /// The move in rows where a page has `page` of them.
    pub fn rows(self, page: usize) -> isize {
        match self {
            Move::Rows(rows) => rows,
            Move::Halves(halves) => halves * (page / 2).max(1) as isize,
            Move::First => isize::MIN / 2,
            Move::Last => isize::MAX / 2,
        }
    }
}
