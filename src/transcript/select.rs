//! Which lines of a log have to be read: those that may show a failure, the calls they speak of, and what follows
//! until a retry. All others cannot change a row, and a log of agents is nearly all others.

use std::collections::HashSet;
use std::ops::Range;

use memchr::memmem;

use super::classify;
use super::fact::{Call, Chunk, Fact, Verdict};
use super::formats::Adapter;
use super::ledger::RETRY_CALLS;
use super::reader::{line_end, line_start, record};

/// How far an id is looked for. A call and its answer stand close together; where they do not, reading every line
/// once is cheaper than looking far for each.
const REACH: usize = 256 << 10;
/// Failures in one file beyond which every line is read.
const MAX_FAILURES: usize = 256;

/// The lines to read, in order; `None` if every line has to be read.
pub(super) fn lines(text: &[u8], adapter: &'static Adapter) -> Option<Vec<Range<usize>>> {
    if adapter.alarms.is_empty() {
        return None;
    }
    let alarmed = alarmed(text, adapter)?;
    let bytes: usize = alarmed.iter().map(|line| line.len()).sum();
    if MAX_FAILURES < alarmed.len() || text.len() / 4 < bytes && REACH < text.len() {
        return None;
    }
    let mut search = Search {
        text,
        adapter,
        picked: alarmed.clone(),
        followed: HashSet::new(),
    };
    for line in alarmed {
        search.explain(&line)?;
    }
    search.add_context();
    Some(in_order(search.picked))
}

/// The lines that hold an alarm; `None` if they are so many that the rest may be read as well.
fn alarmed(text: &[u8], adapter: &Adapter) -> Option<Vec<Range<usize>>> {
    let mut found = Vec::new();
    for alarm in adapter.alarms {
        let finder = memmem::Finder::new(alarm.needle);
        let mut from = 0;
        while let Some(hit) = finder.find(&text[from..]) {
            let at = from + hit + alarm.needle.len();
            from = at;
            if (alarm.check)(text, at) {
                let line = line_around(text, at);
                from = line.end;
                found.push(line);
                // A line may hold each alarm once.
                if adapter.alarms.len() * MAX_FAILURES < found.len() {
                    return None;
                }
            }
        }
    }
    Some(in_order(found))
}

struct Search<'a> {
    text: &'a [u8],
    adapter: &'static Adapter,
    picked: Vec<Range<usize>>,
    /// Failed calls whose surroundings have been picked.
    followed: HashSet<String>,
}

impl Search<'_> {
    /// Picks what the failures of a line refer to. `None` if that lies out of reach.
    fn explain(&mut self, line: &Range<usize>) -> Option<()> {
        for fact in self.facts(line) {
            match fact {
                Fact::Answered(answer) if answer.verdict != Verdict::Fine => {
                    let (call, at) = self.call_before(line.end, &answer.id)?;
                    self.follow(&call, &at)?;
                }
                Fact::Called(call) if classify::fails_alone(&call) => self.follow(&call, line)?,
                Fact::Leaked(call) => {
                    self.pick_message_before(&call, line);
                    self.follow(&call, line)?;
                }
                _ => {}
            }
        }
        Some(())
    }

    /// The call of that id, looked for backwards.
    fn call_before(&mut self, before: usize, id: &str) -> Option<(Call, Range<usize>)> {
        let quoted = format!("\"{id}\"");
        let first = before.saturating_sub(REACH);
        let mut end = before;
        while let Some(at) = memmem::rfind(&self.text[first..end], quoted.as_bytes()) {
            let line = line_around(self.text, first + at);
            end = line.start.max(first);
            let call = self.facts(&line).into_iter().find_map(|fact| match fact {
                Fact::Called(call) if call.id.as_deref() == Some(id) => Some(call),
                _ => None,
            });
            if let Some(call) = call {
                self.picked.push(line.clone());
                return Some((call, line));
            }
        }
        None
    }

    /// Picks what follows a failed call: its answer, its message, and the next calls until one makes good for it.
    fn follow(&mut self, failed: &Call, line: &Range<usize>) -> Option<()> {
        if let Some(id) = &failed.id {
            if !self.followed.insert(id.clone()) {
                return Some(());
            }
            if let Some(answer) = self.next_line_with(line.end, id) {
                self.picked.push(answer);
            }
        }
        if let Some(message) = &failed.message {
            let mut from = line.end;
            while let Some(next) = self.next_line_with(from, message) {
                from = next.end;
                self.picked.push(next);
            }
        }
        let finder = memmem::Finder::new(self.adapter.call);
        let (mut from, mut calls) = (line.end, 0);
        while calls < RETRY_CALLS
            && let Some(hit) = finder.find(&self.text[from..])
        {
            let next = line_around(self.text, from + hit);
            from = next.end;
            self.picked.push(next.clone());
            for fact in self.facts(&next) {
                let Fact::Called(call) = fact else { continue };
                if call.session != failed.session {
                    continue;
                }
                calls += 1;
                if call.tool == failed.tool && self.makes_good(&call, &next)? {
                    return Some(());
                }
            }
        }
        Some(())
    }

    /// Whether a call succeeded; picks its answer. `None` if the answer lies out of reach.
    fn makes_good(&mut self, call: &Call, line: &Range<usize>) -> Option<bool> {
        let Some(id) = &call.id else {
            return Some(false);
        };
        if classify::fails_alone(call) {
            return Some(false);
        }
        let Some(answer) = self.next_line_with(line.end, id) else {
            return (self.text.len() - line.end <= REACH).then_some(false);
        };
        self.picked.push(answer.clone());
        let is_fine = |fact: Fact| matches!(fact, Fact::Answered(answer) if answer.id == *id && answer.verdict == Verdict::Fine);
        Some(self.facts(&answer).into_iter().any(is_fine))
    }

    /// Picks the earlier lines of a message: one of them may hold the real call.
    fn pick_message_before(&mut self, call: &Call, line: &Range<usize>) {
        let Some(message) = &call.message else {
            return;
        };
        let quoted = format!("\"{message}\"");
        let first = line.start.saturating_sub(REACH);
        let mut end = line.start;
        while let Some(at) = memmem::rfind(&self.text[first..end], quoted.as_bytes()) {
            let line = line_around(self.text, first + at);
            end = line.start.max(first);
            self.picked.push(line);
        }
    }

    /// Picks the last line before each picked one that says what holds from there on.
    fn add_context(&mut self) {
        let mut context = Vec::new();
        for needle in self.adapter.context {
            let finder = memmem::FinderRev::new(needle);
            let mut from = 0;
            for line in in_order(self.picked.clone()) {
                if let Some(at) = finder.rfind(&self.text[from..line.start]) {
                    context.push(line_around(self.text, from + at));
                }
                from = line.end;
            }
        }
        self.picked.extend(context);
    }

    /// The next line that holds an id, within reach.
    fn next_line_with(&self, from: usize, id: &str) -> Option<Range<usize>> {
        let quoted = format!("\"{id}\"");
        let end = self.text.len().min(from + REACH);
        let at = memmem::find(&self.text[from..end], quoted.as_bytes())?;
        Some(line_around(self.text, from + at))
    }

    fn facts(&self, line: &Range<usize>) -> Vec<Fact> {
        let mut facts = Vec::new();
        let text = &self.text[line.clone()];
        (self.adapter.read)(&record(text, Chunk::whole(&[], 0)), &mut facts);
        facts
    }
}

fn line_around(text: &[u8], at: usize) -> Range<usize> {
    line_start(text, at)..line_end(text, at)
}

fn in_order(mut lines: Vec<Range<usize>>) -> Vec<Range<usize>> {
    lines.sort_unstable_by_key(|line| line.start);
    lines.dedup();
    lines
}
