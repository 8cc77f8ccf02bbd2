//! What is listed over a whole run: each failure once, numbered, with its repair and its retry.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use super::call::{Badge, FailedCall, Kind, Kinds, Origin, Retry, judge};
use super::event::{Counts, FeedEvent};
use super::fact::{Call, Place};
use super::formats::Adapter;
use super::ledger::{Entry, Row};
use super::same::same_json;

/// A call id shorter than this is taken to be unique only in its file.
const SHORT_ID: usize = 8;
/// Listed calls whose retry is still waited for.
const MAX_OPEN: usize = 10_000;

/// Where entries come from.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// Names the ledger; a new one for every reader.
    pub ledger: u64,
    /// The format.
    pub adapter: &'static Adapter,
    /// The files, by `Place::file`.
    pub paths: &'a [PathBuf],
    /// Whether the text is one document, which is rewritten as a whole.
    pub is_document: bool,
    /// Whether this text was read before, at least in part: then a failure without a call id that stands where one
    /// stood is the same.
    pub again: bool,
}

/// Remembers what was listed.
pub struct Register {
    kinds: Kinds,
    /// Hashes of what was seen, so that a million rows stay small.
    seen: HashSet<u64>,
    /// Failures without a call id, and how often each was seen at its place.
    places: HashMap<u64, u32>,
    open: HashMap<(u64, u64), Listed>,
    number: u64,
    /// The numbers so far.
    pub counts: Counts,
}

/// A failure that may still be explained or made good.
struct Listed {
    number: u64,
    output: Option<String>,
}

impl Register {
    /// An empty register that lists these kinds.
    pub fn new(kinds: Kinds) -> Register {
        Register {
            kinds,
            seen: HashSet::new(),
            places: HashMap::new(),
            open: HashMap::new(),
            number: 0,
            counts: Counts::default(),
        }
    }

    /// Takes what a ledger says and tells what is new in it. The entries of a document come all at once.
    pub fn take(&mut self, source: Source<'_>, entries: Vec<Entry>) -> Vec<FeedEvent> {
        let mut out = Vec::new();
        let mut listed: HashMap<u64, usize> = HashMap::new();
        let mut met = HashMap::new();
        for entry in entries {
            match entry {
                Entry::Failed(row) => {
                    let serial = row.serial;
                    if let Some(call) = self.failed(source, *row, &mut met) {
                        listed.insert(serial, out.len());
                        out.push(FeedEvent::Failed(Box::new(call)));
                    }
                }
                Entry::Explained { serial, complaint } => {
                    if let Some(open) = self.open.get(&(source.ledger, serial)) {
                        out.push(FeedEvent::Explained {
                            number: open.number,
                            complaint,
                        });
                    }
                }
                Entry::Retried {
                    serial,
                    call_id,
                    line,
                    raw,
                } => {
                    let Some(open) = self.open.remove(&(source.ledger, serial)) else {
                        continue;
                    };
                    let equal = open.output.is_some_and(|output| same_json(&output, &raw));
                    let retry = Retry {
                        call_id,
                        line: Some(line),
                        equal,
                        raw,
                    };
                    self.counts.retried += 1;
                    self.counts.confirmed += u64::from(equal);
                    // A retry in the same breath belongs into the row.
                    match listed.get(&serial).and_then(|index| out.get_mut(*index)) {
                        Some(FeedEvent::Failed(call)) => call.retry = Some(retry),
                        _ => out.push(FeedEvent::Retried {
                            number: open.number,
                            retry,
                        }),
                    }
                }
            }
        }
        out
    }

    /// Failures listed so far.
    pub fn listed(&self) -> u64 {
        self.number
    }

    /// Forgets what a ledger may still have said.
    pub fn close(&mut self, ledger: u64) {
        self.open.retain(|(of, _), _| *of != ledger);
    }

    fn failed(
        &mut self,
        source: Source<'_>,
        row: Row,
        met: &mut HashMap<u64, u32>,
    ) -> Option<FailedCall> {
        let path = source.paths.get(row.call.place.file as usize)?;
        if !self.is_new(source, path, &row, met) {
            return None;
        }
        self.counts.failed[row.kind as usize] += 1;
        if !self.kinds.has(row.kind) {
            return None;
        }
        self.number += 1;
        let call = finish(source.adapter, path, row.call, row.kind, self.number);
        if self.open.len() < MAX_OPEN {
            self.open.insert(
                (source.ledger, row.serial),
                Listed {
                    number: call.number,
                    output: call
                        .repair
                        .as_ref()
                        .and_then(|repair| repair.output.clone()),
                },
            );
        }
        Some(call)
    }

    /// Whether a failure was not seen before.
    fn is_new(
        &mut self,
        source: Source<'_>,
        path: &Path,
        row: &Row,
        met: &mut HashMap<u64, u32>,
    ) -> bool {
        let format = source.adapter.id;
        let Some(id) = &row.call.id else {
            return self.is_new_here(source, path, row, met);
        };
        let is_local = source.adapter.local_ids || id.len() < SHORT_ID;
        let file = is_local.then_some(path);
        let call = hash(&(format, id, file));
        let whole = hash(&(format, id, file, &row.call.raw, row.kind.id()));
        let was_seen = self.seen.contains(&call);
        self.seen.insert(call);
        let is_new = self.seen.insert(whole);
        is_new && !(was_seen && row.call.replayed)
    }

    /// Without a call id a failure is never merged by content, but the same text read again is no second failure.
    fn is_new_here(
        &mut self,
        source: Source<'_>,
        path: &Path,
        row: &Row,
        met: &mut HashMap<u64, u32>,
    ) -> bool {
        let Place { line, byte, .. } = row.call.place;
        // In a document the places move with every rewriting; what counts is how often the failure stands there.
        let place = (!source.is_document).then_some((line, byte));
        let key = hash(&(path, place, &row.call.tool, &row.call.raw, row.kind.id()));
        let counted = met.entry(key).or_insert(0);
        *counted += 1;
        let known = self.places.entry(key).or_insert(0);
        if source.again && *counted <= *known {
            return false;
        }
        *known += 1;
        true
    }
}

/// A row as it is shown.
fn finish(
    adapter: &'static Adapter,
    path: &Path,
    call: Call,
    kind: Kind,
    number: u64,
) -> FailedCall {
    let repair = call
        .raw
        .as_deref()
        .map(|raw| judge(raw, call.tool.as_deref(), &call.badges));
    FailedCall {
        number,
        format: adapter.id,
        origin: Origin {
            path: path.to_owned(),
            line: Some(call.place.line),
            byte: Some(call.place.byte),
        },
        session: call.session,
        call_id: call.id,
        tool: call.tool,
        time: call.time,
        kind,
        raw_complete: !call.badges.contains(&Badge::LogClipped),
        raw: call.raw,
        raw_from: call.raw_from,
        stop_reason: call.stop,
        model: call.model,
        complaint: call.complaint,
        badges: call.badges,
        repair,
        retry: None,
    }
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
