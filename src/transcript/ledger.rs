//! Joins calls with what became of them. The one place with memory: adapters state facts, the ledger knows which
//! call an answer belongs to, which failed, and which later call made good for it.

mod calls;

use std::collections::{HashMap, VecDeque};

use super::call::{Badge, Kind, RawFrom};
use super::classify;
use super::fact::{Answer, Call, Fact, Reading, Verdict};
use super::streams::Streams;

/// Calls without an answer that are remembered; beyond, the oldest is forgotten and found again in the log.
const MAX_WAITING: usize = 65_536;
/// Bytes of argument text that waiting calls may hold.
const MAX_WAITING_BYTES: usize = 8 << 20;
/// Calls whose end is known, remembered so that a replay is not taken for a new call.
const MAX_DONE: usize = 100_000;
/// Messages whose stop reason is remembered.
const MAX_STOPS: usize = 10_000;
/// How many calls after a failure its retry is looked for.
pub(super) const RETRY_CALLS: u64 = 10;
/// Bytes of a complaint that are kept.
const MAX_COMPLAINT: usize = 2048;

/// What the ledger has to say.
#[derive(Clone, Debug)]
pub enum Entry {
    /// A call failed.
    Failed(Box<Row>),
    /// The answer to a failed call came after it was listed.
    Explained {
        /// `Row::serial` of the call.
        serial: u64,
        /// The complaint.
        complaint: String,
    },
    /// A later call made good for a failed one.
    Retried {
        /// `Row::serial` of the failed call.
        serial: u64,
        /// Id of the later call.
        call_id: Option<String>,
        /// Its line.
        line: u64,
        /// Its arguments.
        raw: String,
    },
}

/// A call that failed.
#[derive(Clone, Debug)]
pub struct Row {
    /// Counts up within a ledger.
    pub serial: u64,
    /// The call.
    pub call: Call,
    /// How it failed.
    pub kind: Kind,
}

/// How much of a log is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pause {
    /// The lines that are there now; more may come at any moment.
    Batch,
    /// Nothing has come for a while.
    Quiet,
    /// Nothing will come.
    End,
}

/// The calls of one log, or of a folder of logs that belong together.
#[derive(Debug, Default)]
pub struct Ledger {
    session: Option<String>,
    model: Option<String>,
    /// Calls by id.
    calls: HashMap<String, State>,
    /// Ids of waiting calls, oldest first. May hold ids that wait no longer.
    waiting: VecDeque<String>,
    waiting_bytes: usize,
    /// Number of waiting calls of each message.
    waiting_of: HashMap<String, usize>,
    done: usize,
    /// Failed calls that wait for the end of the batch, since their answer may stand in the next line. By serial.
    fresh: Vec<Fresh>,
    /// Calls of messages whose end has not been told, by the message's id.
    unended: HashMap<String, Vec<Of>>,
    /// Answers that report a failure of a call that was never seen.
    strays: Vec<Answer>,
    streams: Streams,
    leaks: Vec<Call>,
    /// Why messages ended, by their id.
    stops: HashMap<String, String>,
    frame: Option<Call>,
    /// Number of calls of each session so far.
    counted: HashMap<Option<String>, u64>,
    /// Failures whose retry has not come, by session, oldest first.
    tries: HashMap<Option<String>, VecDeque<Try>>,
    serial: u64,
    out: Vec<Entry>,
}

#[derive(Debug)]
enum State {
    /// No answer yet.
    Waiting(Box<Call>, u64),
    /// Failed by its own text and listed as the row of that serial.
    Failed(u64),
    /// Over.
    Done,
}

/// A failed call before it is listed.
#[derive(Debug)]
struct Fresh {
    serial: u64,
    call: Call,
    kind: Option<Kind>,
}

/// A call of a message.
#[derive(Debug)]
enum Of {
    /// By its id, if it still waits.
    Waiting(String),
    /// By its serial, if it is still fresh.
    Fresh(u64),
}

#[derive(Debug)]
struct Try {
    serial: u64,
    tool: String,
    /// The failed call's number in its session.
    at: u64,
}

impl Ledger {
    /// Takes the facts of one record.
    pub fn take(&mut self, facts: impl IntoIterator<Item = Fact>) {
        for fact in facts {
            self.take_one(fact);
        }
    }

    fn take_one(&mut self, fact: Fact) {
        match fact {
            Fact::Session(session) => self.session = Some(session),
            Fact::Model(model) => self.model = Some(model),
            Fact::Called(call) => self.called(call),
            Fact::Answered(answer) => self.answered(answer),
            Fact::Stopped { message, reason } => self.stopped(&message, &reason),
            Fact::Leaked(call) => self.leaked(call),
            Fact::Garbled(call) => self.frame = Some(call),
            Fact::ParseError { complaint } => {
                if let Some(mut call) = self.frame.take() {
                    call.complaint = Some(complaint);
                    call.verdict = Some(Verdict::Unreadable);
                    self.called(call);
                }
            }
            Fact::Opened { stream, call } => {
                // A call whose number is given to another one is over.
                if let Some(over) = self.streams.open(stream, call) {
                    self.called(over);
                }
            }
            Fact::Piece { stream, text } => self.streams.piece(stream, &text),
            Fact::Whole { stream, text } => self.streams.whole(&stream, text),
            Fact::Closed { streams, stop } => self.closed(&streams, stop),
            Fact::Reconnected => {
                self.calls.clear();
                self.waiting.clear();
                self.waiting_bytes = 0;
                self.waiting_of.clear();
            }
            Fact::Aborted { streams } => self.aborted(&streams),
            Fact::Done => {
                let response = self.streams.response_of_last();
                self.closed(&response, None);
            }
        }
    }

    /// What is known now. At a pause longer than a batch, leaks and open streams are counted as they stand.
    pub fn settle(&mut self, pause: Pause) -> Vec<Entry> {
        if Pause::Quiet <= pause {
            self.flush_leaks(None);
        }
        if pause == Pause::End {
            self.aborted("");
            self.flush_leaks(None);
        }
        self.fresh.reserve(self.strays.len());
        for answer in std::mem::take(&mut self.strays) {
            let call = call_of_stray(&answer);
            self.failed_by(call, answer, 0);
        }
        self.out.reserve(self.fresh.len());
        for fresh in std::mem::take(&mut self.fresh) {
            if let Some(kind) = fresh.kind {
                self.out.push(Entry::Failed(Box::new(Row {
                    serial: fresh.serial,
                    call: fresh.call,
                    kind,
                })));
            }
        }
        // Retries refer to rows, so rows come first.
        let mut out = std::mem::take(&mut self.out);
        out.sort_by_key(|entry| !matches!(entry, Entry::Failed(_)));
        out
    }

    /// Lets long texts of failed calls go that whoever lists them can read again.
    pub fn let_go(&mut self) {
        for fresh in &mut self.fresh {
            if fresh.kind.is_some() {
                fresh.call.let_go();
            }
        }
    }

    /// Ids of calls that failed by an answer and have not been seen. Whoever can finds their records and hands
    /// them to [`Ledger::recall`] before the ledger settles.
    pub fn strays(&self) -> Vec<String> {
        self.strays.iter().map(|answer| answer.id.clone()).collect()
    }

    /// Takes the facts of an earlier record, found again since an answer refers to it.
    pub fn recall(&mut self, facts: impl IntoIterator<Item = Fact>) {
        for fact in facts {
            let Fact::Called(mut call) = fact else {
                continue;
            };
            let Some(id) = &call.id else { continue };
            let Some(index) = self.strays.iter().position(|answer| answer.id == *id) else {
                continue;
            };
            let answer = self.strays.swap_remove(index);
            self.complete(&mut call);
            // Its own number is not known; the calls that come now are the ones after it.
            let at = self.counted.get(&call.session).copied().unwrap_or(1);
            self.failed_by(call, answer, at);
        }
    }

    /// Whether nothing would be lost if the ledger were dropped: all that waits can be found again in the log.
    pub fn is_idle(&self) -> bool {
        self.streams.is_empty()
            && self.leaks.is_empty()
            && self.frame.is_none()
            && self.tries.is_empty()
    }

    /// Whether text waits for its end: a stream, a leak.
    pub fn is_waiting(&self) -> bool {
        !self.leaks.is_empty() || !self.streams.is_empty()
    }

    fn called(&mut self, mut call: Call) {
        // Some servers write an empty id, which names nothing.
        call.id = call.id.filter(|id| !id.is_empty());
        if let Some(id) = &call.id {
            // What is known as a whole is no stream any more.
            self.streams.forget(id);
        }
        self.leaks
            .retain(|leak| leak.message.is_none() || leak.message != call.message);
        self.flush_leaks(call.message.as_deref());
        self.complete(&mut call);
        let id = call.id.clone();
        if let Some(id) = &id {
            match self.calls.get_mut(id) {
                Some(State::Waiting(first, _)) => {
                    let mut first = std::mem::take(first);
                    self.release(&first);
                    merge(&mut first, call);
                    self.hold(&first);
                    if let Some(State::Waiting(call, _)) = self.calls.get_mut(id) {
                        *call = first;
                    }
                    return self.judge_waiting(id);
                }
                Some(State::Failed(serial)) => {
                    let serial = *serial;
                    return self.amend(serial, call);
                }
                Some(State::Done) => return,
                None => {}
            }
        }
        let at = self.count(&call.session);
        if classify::fails_alone(&call) {
            return self.failed(call, None, at);
        }
        let Some(id) = id else { return };
        self.hold(&call);
        self.is_of_message(&call, || Of::Waiting(id.clone()));
        self.calls
            .insert(id.clone(), State::Waiting(Box::new(call), at));
        self.waiting.push_back(id);
        self.forget_oldest();
    }

    /// A repetition of a waiting call may have brought a text that does not parse.
    fn judge_waiting(&mut self, id: &str) {
        if let Some(State::Waiting(call, _)) = self.calls.get(id)
            && classify::fails_alone(call)
            && let Some((call, at)) = self.stop_waiting(id)
        {
            self.failed(call, None, at);
        }
    }

    /// A repetition of a failed call in the same batch may know more: the stop reason, the whole text.
    fn amend(&mut self, serial: u64, later: Call) {
        if let Some(fresh) = self.fresh_of(serial) {
            merge(&mut fresh.call, later);
            fresh.kind = classify::kind_of_call(&fresh.call, None).or(fresh.kind);
        }
    }

    fn answered(&mut self, answer: Answer) {
        self.flush_leaks(None);
        match self.calls.get(&answer.id) {
            Some(State::Waiting(..)) => {
                let Some((call, at)) = self.stop_waiting(&answer.id) else {
                    return;
                };
                match classify::kind_of_call(&call, Some(&answer)) {
                    Some(_) => self.failed_by(call, answer, at),
                    None => self.succeeded(call, at),
                }
            }
            Some(State::Failed(serial)) => {
                let serial = *serial;
                self.explained(serial, answer);
            }
            Some(State::Done) => {}
            None if answer.verdict != Verdict::Fine => self.strays.push(answer),
            None => {}
        }
    }

    fn explained(&mut self, serial: u64, answer: Answer) {
        let Some(complaint) = answer.complaint else {
            return;
        };
        let complaint = clip(complaint);
        match self.fresh_of(serial) {
            Some(fresh) => {
                fresh.call.complaint.get_or_insert(complaint);
            }
            None => self.out.push(Entry::Explained { serial, complaint }),
        }
    }

    /// A call that failed by what was said to it.
    fn failed_by(&mut self, mut call: Call, mut answer: Answer, at: u64) {
        if answer.is_of_cut && classify::is_cut(call.stop.as_deref()) {
            answer.verdict = Verdict::Cut;
            answer.raw_lost = true;
        }
        let kind = classify::kind_of_call(&call, Some(&answer));
        call.complaint = answer.complaint.or(call.complaint);
        call.tool = call.tool.or(answer.tool);
        call.stop = call.stop.or(answer.stop);
        call.badges.extend(answer.badges);
        if answer.verdict == Verdict::Denied {
            call.badges.push(Badge::Denied);
        }
        if call.doubtful && kind == Some(Kind::Schema) {
            call.badges.push(Badge::MaybeMalformed);
        }
        if answer.raw_lost {
            call.raw = None;
            call.raw_from = None;
        }
        self.failed(call, kind, at);
    }

    /// A call that failed; without a kind, by its own text. Listed at the end of the batch.
    fn failed(&mut self, mut call: Call, kind: Option<Kind>, at: u64) {
        let kind = kind.or_else(|| classify::kind_of_call(&call, None));
        self.complete(&mut call);
        self.serial += 1;
        let serial = self.serial;
        if let Some(id) = &call.id {
            self.end(id.clone(), State::Failed(serial));
        }
        if let Some(tool) = &call.tool
            && 0 < at
        {
            let tries = self.tries.entry(call.session.clone()).or_default();
            tries.push_back(Try {
                serial,
                tool: tool.clone(),
                at,
            });
        }
        call.complaint = call.complaint.map(clip);
        if call.raw_from == Some(RawFrom::ReEncoded) {
            call.badges.push(Badge::ReEncoded);
        }
        if call.clipped {
            call.badges.push(Badge::LogClipped);
        }
        call.badges.sort_unstable();
        call.badges.dedup();
        self.is_of_message(&call, || Of::Fresh(serial));
        self.fresh.push(Fresh { serial, call, kind });
    }

    fn succeeded(&mut self, call: Call, at: u64) {
        if let Some(id) = &call.id {
            self.end(id.clone(), State::Done);
        }
        let makes_good = |open: &Try| {
            call.tool.as_ref() == Some(&open.tool)
                && (open.at + 1..=open.at + RETRY_CALLS).contains(&at)
        };
        let out = &mut self.out;
        let Some(tries) = self.tries.get_mut(&call.session) else {
            return;
        };
        tries.retain(|open| {
            let is_retry = makes_good(open);
            if is_retry {
                out.push(Entry::Retried {
                    serial: open.serial,
                    call_id: call.id.clone(),
                    line: call.place.line,
                    raw: call.raw.clone().unwrap_or_default(),
                });
            }
            !is_retry
        });
        if tries.is_empty() {
            self.tries.remove(&call.session);
        }
    }

    fn stopped(&mut self, message: &str, reason: &str) {
        if MAX_STOPS <= self.stops.len() {
            self.stops.clear();
        }
        self.stops.insert(message.to_owned(), reason.to_owned());
        for of in self.unended.remove(message).unwrap_or_default() {
            match of {
                Of::Waiting(id) => {
                    if let Some(State::Waiting(call, _)) = self.calls.get_mut(&id) {
                        call.stop.get_or_insert_with(|| reason.to_owned());
                    }
                }
                Of::Fresh(serial) => {
                    if let Some(fresh) = self.fresh_of(serial)
                        && fresh.call.stop.is_none()
                    {
                        fresh.call.stop = Some(reason.to_owned());
                        fresh.kind = classify::kind_of_call(&fresh.call, None).or(fresh.kind);
                    }
                }
            }
        }
        for leak in &mut self.leaks {
            if leak.message.as_deref() == Some(message) {
                leak.stop.get_or_insert_with(|| reason.to_owned());
            }
        }
    }

    fn leaked(&mut self, mut call: Call) {
        self.flush_leaks(call.message.as_deref());
        // The text of a call stands beside the call itself: the model explained what it does.
        if let Some(message) = &call.message
            && self.waiting_of.contains_key(message)
        {
            return;
        }
        self.complete(&mut call);
        call.badges.push(Badge::MarkupLeak);
        call.verdict = Some(Verdict::Unreadable);
        self.leaks.push(call);
    }

    /// Lists the leaks of messages that are over, since another one has begun.
    fn flush_leaks(&mut self, message: Option<&str>) {
        if self.leaks.is_empty() {
            return;
        }
        let (same, over): (Vec<Call>, Vec<Call>) = std::mem::take(&mut self.leaks)
            .into_iter()
            .partition(|leak| leak.message.is_some() && leak.message.as_deref() == message);
        self.leaks = same;
        for call in over {
            let at = self.count(&call.session);
            self.failed(call, None, at);
        }
    }

    fn closed(&mut self, streams: &str, stop: Option<String>) {
        for mut call in self.streams.close(streams) {
            call.stop = call.stop.or_else(|| stop.clone());
            self.called(call);
        }
    }

    /// A stream without an end cuts the text wherever it stands.
    fn aborted(&mut self, streams: &str) {
        for mut call in self.streams.close(streams) {
            if call.verdict == Some(Verdict::Cut) || !classify::is_readable(&call) {
                call.verdict = Some(Verdict::Cut);
                self.called(call);
            }
        }
    }

    /// Fills in what holds for the whole log.
    fn complete(&self, call: &mut Call) {
        if call.session.is_none() {
            call.session.clone_from(&self.session);
        }
        if call.model.is_none() {
            call.model.clone_from(&self.model);
        }
        if call.stop.is_none()
            && let Some(message) = &call.message
        {
            call.stop = self.stops.get(message).cloned();
        }
    }

    /// The number of the next call of a session, from 1.
    fn count(&mut self, session: &Option<String>) -> u64 {
        match self.counted.get_mut(session) {
            Some(count) => {
                *count += 1;
                let reached = *count;
                // A try whose ten calls are long over waits for nothing.
                if let Some(tries) = self.tries.get_mut(session) {
                    while tries
                        .front()
                        .is_some_and(|open| open.at + 8 * RETRY_CALLS <= reached)
                    {
                        tries.pop_front();
                    }
                    if tries.is_empty() {
                        self.tries.remove(session);
                    }
                }
                reached
            }
            None => {
                self.counted.insert(session.clone(), 1);
                1
            }
        }
    }
}

fn text_len(call: &Call) -> usize {
    call.raw.as_ref().map_or(0, String::len)
}

/// Takes over what a repetition of a call knows better.
fn merge(first: &mut Call, later: Call) {
    first.stop = later.stop.or(first.stop.take());
    first.tool = first.tool.take().or(later.tool);
    first.model = first.model.take().or(later.model);
    first.verdict = later.verdict.or(first.verdict);
    first.complaint = first.complaint.take().or(later.complaint);
    let has_text = |raw: &Option<String>| raw.as_ref().is_some_and(|raw| !raw.is_empty());
    if !has_text(&first.raw) && first.far.is_none() && has_text(&later.raw) {
        first.raw = later.raw;
        first.raw_from = later.raw_from;
        first.clipped = later.clipped;
        first.reading = later.reading;
    }
}

/// All that is known about a call which stands in no log that was read.
fn call_of_stray(answer: &Answer) -> Call {
    Call {
        place: answer.place,
        id: Some(answer.id.clone()),
        session: answer.session.clone(),
        time: answer.time.clone(),
        reading: Reading::Free,
        ..Call::default()
    }
}

/// A complaint of bearable length.
fn clip(mut complaint: String) -> String {
    if MAX_COMPLAINT < complaint.len() {
        let end = (0..=MAX_COMPLAINT)
            .rev()
            .find(|end| complaint.is_char_boundary(*end))
            .unwrap_or(0);
        complaint.truncate(end);
    }
    complaint
}
