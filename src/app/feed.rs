//! The Feed: failed calls, newest first, and what became of them.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::event::Session;
use super::filter::{Filter, Matching};
use super::pane::Pane;
use super::text::Text;
use super::words;
use crate::repair::{Level, Strategy, ToolContext, Verdict, repair};
use crate::transcript::{Badge, Counts, FailedCall, FeedEvent, How, Kind, Status};

/// Longer argument texts are not read again to count their losses.
const COUNTED: usize = 64 * 1024;

/// From so many listed calls on, those of the first reading are listed together.
const MANY: usize = 2_000;

/// What became of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It came in and was not looked at.
    New,
    /// It was opened.
    Seen,
    /// Its result left: `copied`, `sent`, `written`, `accepted`.
    Done(&'static str),
    /// It was dismissed.
    Dismissed,
}

/// One failed call as it is listed.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The call.
    pub call: Arc<FailedCall>,
    /// What became of it.
    pub state: State,
    /// What it was before it was dismissed.
    before: State,
    /// Its time in seconds since 1970, where the log's spelling is known.
    pub unix: Option<i64>,
    /// The first rule, or the reason of the refusal.
    pub rule: Option<&'static str>,
    /// How many more rules made edits.
    pub more: usize,
    /// Fixes that lose something.
    pub lossy: usize,
    /// Where the auto rung stopped, in words.
    pub stop: Option<String>,
}

impl Entry {
    fn new(call: Box<FailedCall>, tool: &ToolContext) -> Entry {
        let unix = call.time.as_deref().and_then(words::unix);
        let mut entry = Entry {
            call: Arc::from(call),
            state: State::New,
            before: State::New,
            unix,
            rule: None,
            more: 0,
            lossy: 0,
            stop: None,
        };
        entry.judge(tool);
        entry
    }

    /// Reads the text once more with the rung that `auto` took: for what the list shows beside its outcome.
    fn judge(&mut self, tool: &ToolContext) {
        let Some(outcome) = &self.call.repair else {
            return;
        };
        self.rule = outcome.rule.map(|rule| rule.id());
        let raw = match &self.call.raw {
            Some(raw) if raw.len() <= COUNTED => raw,
            _ => return,
        };
        let Some(strategy) = Strategy::find(outcome.strategy) else {
            return;
        };
        let found = repair(raw, strategy, tool);
        let rules = found.used();
        self.more = rules.iter().count().saturating_sub(1);
        let floor = self.call.badges.iter().any(|badge| badge.is_lossy());
        let mut fixes: HashSet<u32> = HashSet::new();
        let lossy = |level: Level| level == Level::Lossy || (floor && level == Level::Safe);
        fixes.extend(
            found
                .edits
                .iter()
                .filter(|edit| lossy(edit.rule.level()))
                .map(|edit| edit.fix.0),
        );
        self.lossy = fixes.len();
        // The most doubtful rule is the one to name.
        let worst = found
            .edits
            .iter()
            .max_by_key(|edit| (edit.rule.level(), std::cmp::Reverse(edit.span.start)));
        if let Some(edit) = worst {
            self.rule = Some(edit.rule.id());
        }
        if let Verdict::Refused(refusal) = &found.verdict {
            self.rule = Some(refusal.why.word());
            self.more = 0;
            let passes = match refusal.rule() {
                Some(rule) => format!("{} ({}) would pass", rule.id(), rule.level()),
                None => "no rule passes".to_owned(),
            };
            self.stop = Some(format!(
                "rung {} {} stops at {}: {}, {passes}",
                strategy.number,
                strategy.id,
                refusal.position(raw),
                refusal.why.word(),
            ));
        }
    }

    /// The outcome in a word: how it left if it did, else what a repair costs.
    pub fn outcome(&self) -> String {
        match (self.state, &self.call.repair) {
            (State::Done(how), _) => how.to_owned(),
            (_, None) => "no text".to_owned(),
            (_, Some(outcome)) => match (outcome.status, outcome.worst) {
                (Status::Refused, _) => "refused".to_owned(),
                (_, None) => "valid".to_owned(),
                (_, Some(Level::Lossy)) if 0 < self.lossy => format!("{} lossy", self.lossy),
                (_, Some(level)) => level.name().to_owned(),
            },
        }
    }

    /// The level for `level:` in a filter.
    pub fn level_word(&self) -> &'static str {
        match &self.call.repair {
            Some(outcome) if outcome.status == Status::Refused => "refused",
            Some(outcome) => outcome.worst.map_or("valid", Level::name),
            None => "none",
        }
    }

    /// Names the call across runs.
    pub fn key(&self) -> String {
        let call = &self.call;
        match &call.call_id {
            Some(id) => format!("{}:{id}", call.format),
            None => format!(
                "{}:{}:{}",
                call.format,
                call.origin.path.to_string_lossy(),
                call.origin.byte.or(call.origin.line).unwrap_or_default()
            ),
        }
    }

    /// File and line, as shown: `0f3c.jsonl:412`.
    pub fn place(&self) -> String {
        place(&self.call)
    }

    /// The badges by their signs, given in the order of [`Badge::ALL`].
    pub fn badges(&self, signs: [&str; 6]) -> String {
        let own = Badge::ALL
            .iter()
            .zip(signs)
            .filter(|(badge, _)| self.call.has(**badge));
        own.map(|(_, sign)| sign).collect()
    }
}

/// File and line of a call, as shown.
pub fn place(call: &FailedCall) -> String {
    let name = words::file_name(&call.origin.path);
    match call.origin.line {
        Some(line) => format!("{name}:{line}"),
        None => name,
    }
}

/// How the calls are sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FeedOrder {
    /// Newest first.
    #[default]
    Time,
    /// By tool, newest first among equals.
    Tool,
    /// Refused first, then by level.
    Outcome,
}

/// The list of failed calls.
#[derive(Debug, Default)]
pub struct Feed {
    /// In order of arrival.
    pub calls: Vec<Entry>,
    by_number: HashMap<u64, usize>,
    /// Indices of what is listed, in order.
    pub listed: Vec<usize>,
    /// Whether calls of the first reading wait to be listed together.
    unlisted: bool,
    /// Index into `listed` of the chosen one.
    pub at: usize,
    /// First one on the screen.
    pub top: usize,
    /// Calls that came in behind the choice since the Feed was last at its newest.
    pub fresh: usize,
    /// Index of the call that came in last.
    pub newest: Option<usize>,
    /// Numbers of all kinds.
    pub counts: Counts,
    /// Files read and to be read, while the first reading lasts.
    pub progress: Option<(u64, u64)>,
    /// Files followed and how, once the first reading is done.
    pub ready: Option<(u64, How)>,
    /// What is typed behind `/`.
    pub filter: Filter,
    /// How the list is sorted.
    pub order: FeedOrder,
    /// Whether dismissed calls are listed.
    pub show_dismissed: bool,
    /// Whether the list is looked at: what comes in while its newest row is chosen is seen at once.
    pub watched: bool,
    /// Whether the preview has the focus.
    pub in_preview: bool,
    /// The chosen call's text.
    pub preview: Text,
    /// Number of the call whose text that is.
    previewed: Option<u64>,
    /// The window over it.
    pub preview_pane: Pane,
    /// Calls dismissed in an earlier run.
    pub dismissed: HashSet<String>,
    matching: Matching,
}

impl Feed {
    /// Takes one thing the feed tells. The answer is a line for the user, if there is one.
    pub fn take(&mut self, event: FeedEvent, tools: &[ToolContext], unix: i64) -> Option<String> {
        match event {
            FeedEvent::Progress { files, total, .. } => {
                self.progress = Some((files, total));
                self.list_waiting(unix);
            }
            FeedEvent::Ready { files, how } => {
                self.progress = None;
                self.ready = Some((files, how));
                self.list_waiting(unix);
            }
            FeedEvent::Counts(counts) => {
                self.counts = counts;
                if let Some((files, _)) = &mut self.ready {
                    *files = counts.files;
                }
            }
            FeedEvent::Note(note) => return Some(note),
            FeedEvent::Failed(call) => self.add(call, tools, unix),
            FeedEvent::Explained { number, complaint } => {
                let entry = self
                    .by_number
                    .get(&number)
                    .and_then(|index| self.calls.get_mut(*index));
                if let Some(entry) = entry {
                    Arc::make_mut(&mut entry.call).complaint = Some(complaint);
                }
            }
            FeedEvent::Retried { number, retry } => {
                let entry = self
                    .by_number
                    .get(&number)
                    .and_then(|index| self.calls.get_mut(*index));
                if let Some(entry) = entry {
                    Arc::make_mut(&mut entry.call).retry = Some(retry);
                }
            }
        }
        None
    }

    fn add(&mut self, call: Box<FailedCall>, tools: &[ToolContext], unix: i64) {
        let number = call.number;
        let tool = tool_of(&call, tools);
        let mut entry = Entry::new(call, &tool);
        if self.dismissed.contains(&entry.key()) {
            entry.state = State::Dismissed;
        }
        let index = self.calls.len();
        self.calls.push(entry);
        self.by_number.insert(number, index);
        if self.ready.is_none() && MANY < self.listed.len() {
            // The first reading of many logs: sorting each call in would take longer than reading it.
            self.unlisted = true;
            return;
        }
        if !self.passes(index, unix) {
            return;
        }
        let following = self.at == 0;
        let place = self.place_for(index);
        self.listed.insert(place, index);
        if self.ready.is_some() {
            self.newest = Some(index);
            self.fresh += usize::from(!(self.watched && following));
        }
        // The list follows only while the newest row is chosen; else the choice stays on its call.
        if 1 < self.listed.len() && place <= self.at && !(following && place == 0) {
            self.at += 1;
        }
        self.preview_chosen();
    }

    /// Lists the calls of the first reading that were not sorted in one by one.
    fn list_waiting(&mut self, unix: i64) {
        if std::mem::take(&mut self.unlisted) {
            self.relist(unix);
        }
    }

    /// Keeps the chosen row among `rows`, after rows came in above it or the window changed.
    pub fn keep_in_view(&mut self, rows: usize) {
        let rows = rows.max(1);
        self.top = self
            .top
            .min(self.at)
            .max((self.at + 1).saturating_sub(rows));
    }

    /// Lists again after filter, order or states changed; the choice stays on its call if that is still listed.
    pub fn relist(&mut self, unix: i64) {
        let chosen = self.listed.get(self.at).copied();
        let all: Vec<usize> = (0..self.calls.len())
            .filter(|index| self.passes(*index, unix))
            .collect();
        self.listed = all;
        let mut listed = std::mem::take(&mut self.listed);
        listed.sort_by(|one, two| self.compare(*one, *two));
        self.listed = listed;
        let kept = chosen.and_then(|chosen| self.listed.iter().position(|index| *index == chosen));
        self.at = kept.unwrap_or_else(|| self.at.min(self.listed.len().saturating_sub(1)));
        self.preview_chosen();
    }

    /// The chosen call.
    pub fn chosen(&self) -> Option<&Entry> {
        self.calls.get(*self.listed.get(self.at)?)
    }

    /// The chosen call, to be changed.
    pub fn chosen_mut(&mut self) -> Option<&mut Entry> {
        self.calls.get_mut(*self.listed.get(self.at)?)
    }

    /// The entry of a call by its number.
    pub fn by_number(&mut self, number: u64) -> Option<&mut Entry> {
        self.calls.get_mut(*self.by_number.get(&number)?)
    }

    /// Chooses a row and keeps it among `rows`.
    pub fn go(&mut self, to: usize, rows: usize) {
        self.at = to.min(self.listed.len().saturating_sub(1));
        let rows = rows.max(1);
        self.keep_in_view(rows);
        self.top = self.top.min(self.listed.len().saturating_sub(rows));
        if self.at == 0 {
            self.fresh = 0;
        }
        self.preview_chosen();
    }

    /// Dismisses the chosen call, or brings it back.
    pub fn dismiss(&mut self) {
        let Some(entry) = self.chosen_mut() else {
            return;
        };
        if entry.state == State::Dismissed {
            entry.state = entry.before;
        } else {
            entry.before = entry.state;
            entry.state = State::Dismissed;
        }
    }

    /// How many calls were not looked at.
    pub fn new_count(&self) -> usize {
        self.calls
            .iter()
            .filter(|entry| entry.state == State::New && Kinds::is_default(entry))
            .count()
    }

    /// The calls that are not listed, by kind, and the dismissed ones.
    pub fn hidden(&self) -> Vec<String> {
        let kinds = self.filter.kinds();
        let mut out = Vec::new();
        for kind in [
            Kind::ToolError,
            Kind::Schema,
            Kind::UnknownTool,
            Kind::Malformed,
            Kind::Truncated,
        ] {
            let all = self.counts.of(kind);
            if !kinds.has(kind) && 0 < all {
                out.push(format!("{all} {}", kind.id()));
            }
        }
        let dismissed = self
            .calls
            .iter()
            .filter(|entry| entry.state == State::Dismissed)
            .count();
        if !self.show_dismissed && 0 < dismissed {
            out.push(format!("{dismissed} dismissed"));
        }
        out
    }

    /// What of it outlives a run.
    pub fn keep(&self, session: &mut Session) {
        let now = self
            .calls
            .iter()
            .filter(|entry| entry.state == State::Dismissed)
            .map(Entry::key);
        let back: HashSet<String> = self
            .calls
            .iter()
            .filter(|entry| entry.state != State::Dismissed)
            .map(Entry::key)
            .collect();
        let before = self
            .dismissed
            .iter()
            .filter(|key| !back.contains(*key))
            .cloned();
        let mut all: Vec<String> = now.chain(before).collect();
        all.sort_unstable();
        all.dedup();
        session.dismissed = all;
    }

    fn passes(&mut self, index: usize, unix: i64) -> bool {
        let entry = &self.calls[index];
        (self.show_dismissed || entry.state != State::Dismissed)
            && self.filter.passes(entry, unix, &mut self.matching)
    }

    fn place_for(&self, index: usize) -> usize {
        self.listed
            .partition_point(|other| self.compare(*other, index).is_lt())
    }

    fn compare(&self, one: usize, two: usize) -> std::cmp::Ordering {
        let (a, b) = (&self.calls[one], &self.calls[two]);
        let age = || b.unix.cmp(&a.unix).then(two.cmp(&one));
        let weight = |entry: &Entry| match entry.level_word() {
            "refused" => 0,
            "guess" => 1,
            "lossy" => 2,
            "safe" => 3,
            _ => 4,
        };
        match self.order {
            FeedOrder::Time => age(),
            FeedOrder::Tool => a.call.tool.cmp(&b.call.tool).then_with(age),
            FeedOrder::Outcome => weight(a).cmp(&weight(b)).then_with(age),
        }
    }

    /// Shows the chosen call's text in the preview.
    fn preview_chosen(&mut self) {
        let number = self.chosen().map(|entry| entry.call.number);
        if number != self.previewed {
            let raw = self
                .chosen()
                .and_then(|entry| entry.call.raw.clone())
                .unwrap_or_default();
            self.preview = Text::new(Arc::new(raw));
            self.preview_pane = Pane {
                wrap: self.preview_pane.wrap,
                ..Pane::default()
            };
            self.previewed = number;
        }
    }
}

/// What is known about the tool of a call.
pub fn tool_of(call: &FailedCall, tools: &[ToolContext]) -> ToolContext {
    let Some(name) = &call.tool else {
        return ToolContext::default();
    };
    let known = tools.iter().find(|tool| tool.name.as_ref() == Some(name));
    known.cloned().unwrap_or_else(|| ToolContext::named(name))
}

/// Which kinds count as new: those that are listed without being asked for.
struct Kinds;

impl Kinds {
    fn is_default(entry: &Entry) -> bool {
        crate::transcript::Kinds::default().has(entry.call.kind)
    }
}
