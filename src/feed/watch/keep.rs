//! What a watch leaves for the next one while it runs: a slow disk must not keep it from its logs.

use std::io;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, Sender, TryRecvError};
use std::thread;

use super::Loop;
use crate::feed::file;
use crate::feed::positions::{self, Saved};
use crate::transcript::FeedEvent;
use crate::visible::visible_bytes;

/// How long the watch waits for the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Haste {
    /// Until it is written.
    Now,
    /// Not at all; what cannot be begun now is begun later.
    Later,
}

/// What is to be written, and where.
type Job = (PathBuf, Saved);

/// Writes positions on a thread of its own.
#[derive(Default)]
pub(super) struct Keeper {
    /// The thread, once there was something to write.
    lines: Option<(Sender<Job>, Receiver<io::Result<()>>)>,
    is_writing: bool,
    /// What was written last, and the state of the follower at that time.
    saved: Option<Saved>,
    version: u64,
}

impl Keeper {
    fn write(&mut self, path: PathBuf, saved: Saved) {
        let (send, _) = self.lines.get_or_insert_with(|| {
            let (send, jobs) = mpsc::channel::<Job>();
            let (tell, done) = mpsc::channel();
            // It ends when nothing can be sent any more.
            thread::spawn(move || {
                for (path, saved) in jobs {
                    if tell.send(positions::save(&path, &saved)).is_err() {
                        return;
                    }
                }
            });
            (send, done)
        });
        self.is_writing = send.send((path, saved)).is_ok();
    }

    /// How the writing ended, if it has ended.
    fn outcome(&mut self, haste: Haste) -> Option<io::Result<()>> {
        let (_, done) = self.lines.as_ref().filter(|_| self.is_writing)?;
        let outcome = match haste {
            Haste::Now => done.recv().ok(),
            Haste::Later => match done.try_recv() {
                Err(TryRecvError::Empty) => return None,
                outcome => outcome.ok(),
            },
        };
        self.is_writing = false;
        outcome
    }
}

impl Loop {
    /// Writes positions if they have changed.
    pub(super) fn save(&mut self, haste: Haste) {
        let Some(path) = self.options.resume.clone() else {
            return;
        };
        self.take_outcome(haste);
        let version = self.follower.version();
        if self.keeper.is_writing
            || haste == Haste::Later && self.keeper.version == version
            || self.options.resume.is_none()
        {
            return;
        }
        let mut saved = Saved {
            files: self.follower.positions(),
            past: self.follower.tailer.past_texts(),
            seen: self.follower.register.seen().to_vec(),
        };
        saved
            .files
            .sort_by(|left, right| left.path.cmp(&right.path));
        self.keeper.version = version;
        if self.keeper.saved.as_ref() == Some(&saved) {
            return;
        }
        self.follower.register.newly_seen();
        positions::close_notes(&path);
        self.keeper.saved = Some(saved.clone());
        self.keeper.write(path, saved);
        if haste == Haste::Now {
            self.take_outcome(haste);
        }
    }

    /// Says what went wrong with the last writing.
    fn take_outcome(&mut self, haste: Haste) {
        if let Some(Err(error)) = self.keeper.outcome(haste)
            && let Some(path) = self.options.resume.take()
        {
            let name = visible_bytes(path.as_os_str().as_encoded_bytes());
            let note = format!("{name}: {}; positions are not kept", file::words(&error));
            self.say(FeedEvent::Note(note));
        }
    }

    /// Notes what was told since positions were written.
    pub(super) fn note_seen(&mut self) {
        let Some(path) = &self.options.resume else {
            return;
        };
        let hashes = self.follower.register.newly_seen();
        if !hashes.is_empty() {
            // Positions are written within a second, and say what is wrong.
            let _ = positions::note_seen(path, hashes);
        }
    }
}
