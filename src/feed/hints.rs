//! What the system tells of changes: hints, which the watch looks into.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use notify::event::{EventKind, ModifyKind};

/// Paths that are remembered as changed; beyond, everything is looked at.
const MAX_HINTS: usize = 10_000;

/// What the system tells, until the loop takes it: each path once, so that a storm of events stays small.
#[derive(Debug, Default)]
pub(super) struct Hints {
    pub told: Mutex<Told>,
    pub wake: Condvar,
}

#[derive(Debug, Default)]
pub(super) struct Told {
    pub paths: HashSet<PathBuf>,
    /// Something was missed: everything has to be looked at.
    pub is_incomplete: bool,
    /// What the event source complains about.
    pub trouble: Option<notify::Error>,
    pub is_over: bool,
}

impl Hints {
    pub fn lock(&self) -> MutexGuard<'_, Told> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes what the system tells.
    pub fn take_event(&self, event: notify::Result<notify::Event>) {
        let mut told = self.lock();
        match event {
            Ok(event) => {
                told.is_incomplete |= event.need_rescan();
                // Our own reads are told too; whoever listened to them would wake himself for ever.
                let is_ours = matches!(
                    event.kind,
                    EventKind::Access(_) | EventKind::Modify(ModifyKind::Metadata(_))
                );
                if is_ours && !event.need_rescan() {
                    return;
                }
                told.paths.extend(event.paths);
                if MAX_HINTS < told.paths.len() {
                    told.paths.clear();
                    told.is_incomplete = true;
                }
            }
            Err(error) => {
                told.is_incomplete = true;
                told.trouble = Some(error);
            }
        }
        self.wake.notify_one();
    }
}
