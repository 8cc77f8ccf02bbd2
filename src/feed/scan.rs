//! All failed calls in the logs there are now: two threads read, one lists.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use super::log::{self, Log, Wanted};
use super::walk::{self, Unread};
use crate::transcript::{FeedEvent, Register, Source, formats};
use crate::visible::visible_bytes;

/// Threads that read. More do not help: the memory is the limit.
const THREADS: usize = 2;
/// Logs that may be ahead of the one that is listed next.
const AHEAD: usize = 64;
/// How often progress is told.
const TELL: Duration = Duration::from_millis(100);

/// What a scan came to.
#[derive(Debug, Default)]
pub struct Summary {
    /// Files of known formats.
    pub logs: u64,
    /// Files looked at.
    pub files: u64,
    /// Bytes read.
    pub bytes: u64,
    /// What could not be read.
    pub unread: Vec<Unread>,
}

/// Reads every log below the places and hands out what is found, in the order of the files. Ends early when `tell`
/// returns false.
pub fn scan(
    places: &[PathBuf],
    wanted: &Wanted,
    register: &mut Register,
    tell: &mut dyn FnMut(FeedEvent) -> bool,
) -> Summary {
    let found = walk::walk(places);
    let units = units(&found.files);
    let mut summary = Summary {
        unread: found.unread,
        ..Summary::default()
    };
    let named = |path: &Path| places.iter().any(|place| place == path);
    let total = found.files.len() as u64;
    let mut told = Instant::now();
    let mut serial = 0;
    read_all(&units, wanted, false, &mut |log| {
        summary.files += log.paths.len() as u64;
        summary.bytes += log.bytes;
        summary
            .unread
            .extend(log.unread.into_iter().map(|unread| Unread {
                is_named: named(&unread.path),
                ..unread
            }));
        register.counts.skipped += log.skipped;
        let mut goes_on = true;
        if let Some(adapter) = log.adapter {
            summary.logs += log.paths.len() as u64;
            register.counts.files += log.paths.len() as u64;
            for fault in log.faults {
                let path = log.paths.get(fault.file as usize);
                let name = path.map(|path| visible_bytes(path.as_os_str().as_encoded_bytes()));
                let note = format!(
                    "{}:{}: {}",
                    name.unwrap_or_default(),
                    fault.line,
                    fault.what
                );
                goes_on &= tell(FeedEvent::Note(note));
            }
            serial += 1;
            let source = Source {
                ledger: serial,
                adapter,
                paths: &log.paths,
                is_document: log.is_document,
                far: Some(log::far_text),
                name: None,
                again: false,
            };
            register.take(source, log.entries, &mut |event| {
                goes_on = goes_on && tell(event);
            });
            register.close(serial);
        }
        if TELL <= told.elapsed() {
            told = Instant::now();
            goes_on = goes_on
                && tell(FeedEvent::Progress {
                    files: summary.files,
                    total,
                    bytes: summary.bytes,
                    found: register.listed(),
                });
        }
        goes_on
    });
    summary
}

/// Files that share their calls, and single ones.
pub(super) fn units(files: &[PathBuf]) -> Vec<Vec<PathBuf>> {
    let mut units: Vec<Vec<PathBuf>> = Vec::new();
    let mut last = None;
    for file in files {
        let group = formats::group(file);
        match units.last_mut() {
            Some(unit) if group.is_some() && group == last => unit.push(file.clone()),
            _ => units.push(vec![file.clone()]),
        }
        last = group;
    }
    units
}

/// Reads units on several threads and hands them on in order.
pub(super) fn read_all(
    units: &[Vec<PathBuf>],
    wanted: &Wanted,
    will_follow: bool,
    take: &mut dyn FnMut(Log) -> bool,
) {
    let next = AtomicUsize::new(0);
    let taken = AtomicUsize::new(0);
    let is_over = AtomicBool::new(false);
    let (send, receive) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..THREADS.min(units.len()) {
            let send = send.clone();
            let (next, taken, is_over) = (&next, &taken, &is_over);
            scope.spawn(move || {
                let mut buffer = Vec::new();
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(unit) = units.get(index) else { return };
                    // Whoever is far ahead of a slow log waits, so that results do not pile up.
                    while taken.load(Ordering::Acquire) + AHEAD < index {
                        if is_over.load(Ordering::Relaxed) {
                            return;
                        }
                        thread::park_timeout(Duration::from_millis(1));
                    }
                    if is_over.load(Ordering::Relaxed)
                        || send
                            .send((index, log::read(unit, wanted, will_follow, &mut buffer)))
                            .is_err()
                    {
                        return;
                    }
                }
            });
        }
        drop(send);
        let mut early = BTreeMap::new();
        let mut due = 0;
        for (index, log) in receive {
            early.insert(index, log);
            while let Some(log) = early.remove(&due) {
                due += 1;
                taken.store(due, Ordering::Release);
                if !is_over.load(Ordering::Relaxed) && !take(log) {
                    is_over.store(true, Ordering::Relaxed);
                }
            }
        }
    });
}
