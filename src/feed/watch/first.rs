//! Where a watch begins, and what it leaves for the next one.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::Loop;
use super::keep::Haste;
use crate::feed::file::{self, FileId};
use crate::feed::places;
use crate::feed::positions::{self, Saved};
use crate::feed::scan::{self, units};
use crate::feed::tail::{Start, Text};
use crate::feed::walk::{Unread, walk};
use crate::transcript::FeedEvent;
use crate::visible::visible_bytes;

/// How often progress is told.
const TELL: Duration = Duration::from_millis(100);

impl Loop {
    /// Reads what is there, as far as it is wanted, and begins to follow it.
    pub(super) fn first_look(&mut self) {
        let found = walk(&self.places());
        self.tell_unread(found.unread);
        if self.options.places.is_empty() {
            self.tell_unread(places::stores());
        }
        let total = found.files.len() as u64;
        let saved = self.load();
        let now = Instant::now();
        match saved {
            Some(saved) => self.resume(&found.files, &saved, now),
            None if self.options.from_start => self.read_from_start(&found.files, now),
            None => {
                for (read, path) in found.files.iter().enumerate() {
                    self.begin(path, Start::End, now);
                    self.tell_progress(read as u64, total, 0);
                    if self.is_over() {
                        return;
                    }
                }
            }
        }
        self.follower.register.counts.files = self.follower.tailer.len() as u64;
        self.tell_events();
        self.say(FeedEvent::Progress {
            files: total,
            total,
            bytes: 0,
            found: self.follower.register.listed(),
        });
        // Whatever happens from here on, the next run knows where this one began.
        self.save(Haste::Now);
        let files = self.follower.tailer.len() as u64;
        let how = self.how;
        self.say(FeedEvent::Ready { files, how });
    }

    fn load(&mut self) -> Option<Saved> {
        let path = self.options.resume.clone()?;
        match positions::load(&path) {
            Ok(Some(saved)) => Some(saved),
            Ok(None) => {
                let note = "no saved positions; beginning at the end of each log".to_owned();
                self.say(FeedEvent::Note(note));
                None
            }
            Err(error) => {
                let name = visible_bytes(path.as_os_str().as_encoded_bytes());
                let why = file::words(&error);
                self.say(FeedEvent::Note(format!(
                    "{name}: {why}; beginning at the end of each log"
                )));
                None
            }
        }
    }

    /// Goes on where the last run stopped. What it did not know has come since.
    fn resume(&mut self, files: &[PathBuf], saved: &Saved, now: Instant) {
        self.follower.register.have_seen(&saved.seen);
        let tailer = &mut self.follower.tailer;
        tailer.have_read(saved.files.iter().chain(&saved.past).cloned());
        let mut by_path: HashMap<&Path, &Text> = HashMap::new();
        let mut by_id: HashMap<FileId, &Text> = HashMap::new();
        // Of a file that lost its name, its last place is among what is past.
        for text in saved.past.iter().chain(&saved.files) {
            by_id.insert(text.position.id, text);
        }
        for text in &saved.files {
            by_path.insert(&text.path, text);
        }
        for (read, path) in files.iter().enumerate() {
            self.tell_progress(read as u64, files.len() as u64, 0);
            let id = std::fs::metadata(path)
                .ok()
                .map(|about| file::id_of(&about, path));
            let moved = id.and_then(|id| by_id.get(&id));
            let start = match moved.or_else(|| by_path.get(path.as_path())) {
                Some(text) => Start::At((*text).clone()),
                None => Start::Beginning,
            };
            self.begin(path, start, now);
            self.hint(path, now);
            if self.is_over() {
                return;
            }
        }
    }

    fn read_from_start(&mut self, files: &[PathBuf], now: Instant) {
        let total = files.len() as u64;
        let wanted = self.options.wanted.clone();
        let (mut read, mut bytes) = (0, 0);
        scan::read_all(&units(files), &wanted, true, &mut |mut log| {
            read += log.paths.len() as u64;
            bytes += log.bytes;
            self.tell_unread(std::mem::take(&mut log.unread));
            let unfollowed: Vec<PathBuf> = log
                .paths
                .iter()
                .zip(&log.ends)
                .filter(|(_, end)| log.adapter.is_none() || end.is_none())
                .map(|(path, _)| path.clone())
                .collect();
            self.follower.adopt(log, now);
            for path in unfollowed {
                // No log yet, but it may become one.
                self.begin(&path, Start::End, now);
            }
            self.tell_events();
            self.tell_progress(read, total, bytes);
            !self.is_over()
        });
    }

    /// Tells how far the first look is, now and then.
    fn tell_progress(&mut self, files: u64, total: u64, bytes: u64) {
        if TELL <= self.told.elapsed() {
            self.told = Instant::now();
            let found = self.follower.register.listed();
            self.say(FeedEvent::Progress {
                files,
                total,
                bytes,
                found,
            });
        }
    }

    fn begin(&mut self, path: &Path, start: Start, now: Instant) {
        if let Err(error) = self.follower.follow(path, start, now) {
            self.tell_unread(vec![Unread {
                path: path.to_owned(),
                why: file::words(&error),
                is_named: false,
            }]);
        }
    }
}
