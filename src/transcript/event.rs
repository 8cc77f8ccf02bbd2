//! What the feed tells whoever listens: the workbench or a headless verb.

use super::call::{FailedCall, Kind, Retry};

/// One thing that happened while logs were read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FeedEvent {
    /// How far the first reading of the logs has come. Sent now and then until `Ready`.
    Progress {
        /// Files read.
        files: u64,
        /// Files to be read.
        total: u64,
        /// Bytes read.
        bytes: u64,
        /// Failed calls found, of the kinds asked for.
        found: u64,
    },
    /// A failed call, of the kinds asked for.
    Failed(Box<FailedCall>),
    /// What the agent said to the call of that number, which was listed before the answer came.
    Explained {
        /// `FailedCall::number` of the failed call.
        number: u64,
        /// The complaint, at most 2 KiB.
        complaint: String,
    },
    /// The agent has sent the call of that number again, right this time.
    Retried {
        /// `FailedCall::number` of the failed call.
        number: u64,
        /// The second try.
        retry: Retry,
    },
    /// Numbers of all kinds, also of those not asked for. Sent when they have changed.
    Counts(Counts),
    /// Something a reader should know: a log was rotated, a limit was reached, a file cannot be read.
    /// May hold hostile text from a path.
    Note(String),
    /// The first reading is done, and from here on changes are followed.
    Ready {
        /// Files that are followed.
        files: u64,
        /// How changes are noticed.
        how: How,
    },
}

/// How changes of files are noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// By events of the system.
    Events,
    /// By looking every two seconds.
    Polling,
}

impl How {
    /// A word for a title: `inotify` or `polling`; `events` on systems with another source.
    pub const fn word(self) -> &'static str {
        match self {
            How::Events if cfg!(target_os = "linux") => "inotify",
            How::Events => "events",
            How::Polling => "polling",
        }
    }
}

/// How many of what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Failed calls by kind, in the order of [`Kind::ALL`].
    pub failed: [u64; 5],
    /// Failed calls whose retry was seen.
    pub retried: u64,
    /// Retries that are the same JSON value as the repair.
    pub confirmed: u64,
    /// Files read or followed.
    pub files: u64,
    /// Log lines that could not be read as a record.
    pub skipped: u64,
}

impl Counts {
    /// Failed calls of one kind.
    pub const fn of(&self, kind: Kind) -> u64 {
        self.failed[kind as usize]
    }

    /// Failed calls of every kind.
    pub fn all(&self) -> u64 {
        self.failed.iter().sum()
    }
}
