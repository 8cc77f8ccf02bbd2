//! What is listed over a whole run: each failure once, numbered, with its repair and its retry.

use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

use super::call::{Badge, FailedCall, Kind, Kinds, Origin, Retry, judge};
use super::event::{Counts, FeedEvent};
use super::fact::Call;
use super::formats::Adapter;
use super::ledger::{Entry, Row};
use super::same::same_json;

/// A call id shorter than this is taken to be unique only in its file.
const SHORT_ID: usize = 8;
/// Listed calls whose retry is still waited for.
const MAX_OPEN: usize = 10_000;
/// Hashes that outlive a run.
const MAX_KEPT: usize = 50_000;

/// Where entries come from.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// Names the ledger; a new one for every reader, but the same for a document that is read again.
    pub ledger: u64,
    /// The format.
    pub adapter: &'static Adapter,
    /// The files, by `Place::file`.
    pub paths: &'a [PathBuf],
    /// Reads the argument text of a call again that was let go.
    pub far: Option<FarText>,
    /// Whether the text is one document over many lines, whose places move when it is rewritten.
    pub is_document: bool,
    /// Where a single file's text was read first, if that is not where it lies: a failure without a call id is known by
    /// the place at which it stood.
    pub name: Option<&'a Path>,
    /// Whether this text was read before, at least in part: then a failure without a call id that stands where one
    /// stood is the same.
    pub again: bool,
}

/// Reads a call's argument text from the file.
pub type FarText = fn(&'static Adapter, &Path, &Call) -> Option<String>;

/// Remembers what was listed.
pub struct Register {
    kinds: Kinds,
    /// Hashes of what was seen, so that a million rows stay small.
    seen: HashSet<u64>,
    /// The same, oldest first.
    order: Vec<u64>,
    /// How many of these were handed out as new.
    noted: usize,
    /// Failures without a call id, and how often each was seen at its place.
    places: HashMap<u64, u32>,
    /// Listed calls, by hash.
    open: HashMap<u64, Listed>,
    /// The hash of a ledger's row.
    serials: HashMap<(u64, u64), u64>,
    number: u64,
    /// The numbers so far.
    pub counts: Counts,
}

/// A failure that may still be explained or made good.
struct Listed {
    number: u64,
    output: Option<String>,
}

/// Whether a failure was seen before, and the hash that stands for it.
struct Novelty {
    is_new: bool,
    hash: u64,
}

impl Register {
    /// An empty register that lists these kinds.
    pub fn new(kinds: Kinds) -> Register {
        Register {
            kinds,
            seen: HashSet::new(),
            order: Vec::new(),
            noted: 0,
            places: HashMap::new(),
            open: HashMap::new(),
            serials: HashMap::new(),
            number: 0,
            counts: Counts::default(),
        }
    }

    /// Takes what a ledger says and tells what is new in it. The entries of a document come all at once.
    pub fn take(
        &mut self,
        source: Source<'_>,
        entries: Vec<Entry>,
        tell: &mut dyn FnMut(FeedEvent),
    ) {
        // A retry that is known in the same breath belongs into the row.
        let (rows, rest): (Vec<Entry>, Vec<Entry>) = entries
            .into_iter()
            .partition(|entry| matches!(entry, Entry::Failed(_)));
        let serial_of = |entry: &Entry| match entry {
            Entry::Retried { serial, .. } => Some(*serial),
            _ => None,
        };
        let retried: HashMap<u64, usize> = rest
            .iter()
            .enumerate()
            .filter_map(|(index, entry)| Some((serial_of(entry)?, index)))
            .collect();
        let mut rest: Vec<Option<Entry>> = rest.into_iter().map(Some).collect();
        let mut met = HashMap::new();
        for row in rows {
            let Entry::Failed(row) = row else { continue };
            let serial = row.serial;
            if let Some(mut call) = self.failed(source, *row, &mut met) {
                let retry = retried.get(&serial).and_then(|index| rest[*index].take());
                call.retry = retry
                    .and_then(|retry| self.made_good(source.ledger, retry))
                    .map(|(_, retry)| retry);
                tell(FeedEvent::Failed(Box::new(call)));
            }
        }
        for entry in rest.into_iter().flatten() {
            match entry {
                Entry::Explained { serial, complaint } => {
                    let hash = self.serials.get(&(source.ledger, serial));
                    if let Some(open) = hash.and_then(|hash| self.open.get(hash)) {
                        let number = open.number;
                        tell(FeedEvent::Explained { number, complaint });
                    }
                }
                entry => {
                    if let Some((number, retry)) = self.made_good(source.ledger, entry) {
                        tell(FeedEvent::Retried { number, retry });
                    }
                }
            }
        }
    }

    /// The retry of a listed call, and the call's number.
    fn made_good(&mut self, ledger: u64, entry: Entry) -> Option<(u64, Retry)> {
        let Entry::Retried {
            serial,
            call_id,
            line,
            raw,
        } = entry
        else {
            return None;
        };
        let hash = self.serials.get(&(ledger, serial))?;
        let open = self.open.remove(hash)?;
        let equal = open.output.is_some_and(|output| same_json(&output, &raw));
        self.counts.retried += 1;
        self.counts.confirmed += u64::from(equal);
        let retry = Retry {
            call_id,
            line: Some(line).filter(|line| 0 < *line),
            equal,
            raw,
        };
        Some((open.number, retry))
    }

    /// Takes what a ledger says of a text from before the run: nothing of it is listed, now or later.
    pub fn take_as_seen(&mut self, source: Source<'_>, entries: Vec<Entry>) {
        let mut met = HashMap::new();
        for entry in entries {
            if let Entry::Failed(row) = entry
                && let Some(path) = source.paths.get(row.call.place.file as usize)
            {
                self.novelty(source, path, &row, &mut met);
            }
        }
    }

    /// Failures listed so far.
    pub fn listed(&self) -> u64 {
        self.number
    }

    /// Hashes of what was seen, the latest ones: for a run that goes on where this one stops.
    pub fn seen(&self) -> &[u64] {
        &self.order[self.order.len().saturating_sub(MAX_KEPT)..]
    }

    /// Those since the last call.
    pub fn newly_seen(&mut self) -> &[u64] {
        let from = std::mem::replace(&mut self.noted, self.order.len());
        &self.order[from..]
    }

    /// Takes over what an earlier run has seen.
    pub fn have_seen(&mut self, hashes: &[u64]) {
        for hash in hashes {
            self.remember(*hash);
            // A place is known once for each time that it was seen there.
            *self.places.entry(*hash).or_insert(0) += 1;
        }
    }

    /// Forgets what a ledger may still have said.
    pub fn close(&mut self, ledger: u64) {
        let open = &mut self.open;
        self.serials.retain(|(of, _), hash| {
            let stays = *of != ledger;
            if !stays {
                open.remove(hash);
            }
            stays
        });
    }

    fn failed(
        &mut self,
        source: Source<'_>,
        mut row: Row,
        met: &mut HashMap<u64, u32>,
    ) -> Option<FailedCall> {
        let path = source.paths.get(row.call.place.file as usize)?;
        if row.call.far.is_some() {
            row.call.raw = source
                .far
                .and_then(|read| read(source.adapter, path, &row.call));
            row.call.raw_from = row.call.raw_from.filter(|_| row.call.raw.is_some());
        }
        let novelty = self.novelty(source, path, &row, met);
        if MAX_OPEN <= self.serials.len() {
            self.serials.clear();
            self.open.clear();
        }
        self.serials
            .insert((source.ledger, row.serial), novelty.hash);
        if !novelty.is_new {
            return None;
        }
        self.counts.failed[row.kind as usize] += 1;
        if !self.kinds.has(row.kind) {
            return None;
        }
        self.number += 1;
        let call = finish(source.adapter, path, row.call, row.kind, self.number);
        let output = call
            .repair
            .as_ref()
            .and_then(|repair| repair.output.as_ref());
        let listed = Listed {
            number: call.number,
            output: output.cloned(),
        };
        self.open.insert(novelty.hash, listed);
        Some(call)
    }

    fn novelty(
        &mut self,
        source: Source<'_>,
        path: &Path,
        row: &Row,
        met: &mut HashMap<u64, u32>,
    ) -> Novelty {
        let format = source.adapter.id;
        let Some(id) = &row.call.id else {
            return self.novelty_of_place(source, path, row, met);
        };
        let is_local = source.adapter.local_ids || id.len() < SHORT_ID;
        let file = is_local.then_some(path);
        let call = hash(&(format, id, file));
        let whole = hash(&(format, id, file, &row.call.raw, row.kind.id()));
        let was_seen = !self.remember(call);
        let is_new = self.remember(whole) && !(was_seen && row.call.replayed);
        Novelty {
            is_new,
            hash: whole,
        }
    }

    /// Without a call id a failure is never merged by content, but the same text read again is no second failure.
    fn novelty_of_place(
        &mut self,
        source: Source<'_>,
        path: &Path,
        row: &Row,
        met: &mut HashMap<u64, u32>,
    ) -> Novelty {
        // In a document the places move; what counts is how often the failure stands there.
        let place = (!source.is_document).then_some(row.call.place.byte);
        // Lines are copied and renamed within a folder, whatever the names are; documents are not.
        let path = source.name.unwrap_or(path);
        let path = match source.is_document {
            true => path,
            false => path.parent().unwrap_or(path),
        };
        let key = hash(&(path, place, &row.call.tool, &row.call.raw, row.kind.id()));
        let nth = met.entry(key).or_insert(0);
        *nth += 1;
        let known = self.places.entry(key).or_insert(0);
        let is_new = !source.again || *known < *nth;
        if is_new {
            *known += 1;
            self.order.push(key);
        }
        Novelty {
            is_new,
            hash: hash(&(key, *nth)),
        }
    }

    /// Whether this was not seen before.
    fn remember(&mut self, hash: u64) -> bool {
        let is_new = self.seen.insert(hash);
        if is_new {
            self.order.push(hash);
        }
        if 4 * MAX_KEPT < self.order.len() {
            self.order.drain(..2 * MAX_KEPT);
            self.noted = self.noted.saturating_sub(2 * MAX_KEPT);
        }
        is_new
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
            line: Some(call.place.line).filter(|line| 0 < *line),
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

/// FNV-1a: the same in every version of this program, since hashes outlive a run.
struct Fnv(u64);

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = Fnv(0xcbf2_9ce4_8422_2325);
    value.hash(&mut hasher);
    hasher.finish()
}
