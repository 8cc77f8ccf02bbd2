//! The threads that do what takes time. Each has one place for its next task, and a newer task takes the place of one
//! that was not begun.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Condvar, Mutex};

use super::Message;
use crate::app::work::{Job, Show, answer, work};
use crate::app::{Event, Turn};

/// The newest task that was not begun.
type Slot<T> = Arc<(Mutex<Option<T>>, Condvar)>;

/// Repairs on one thread, and puts outputs together on another: a chosen edit is not kept waiting by a ladder.
pub struct Worker {
    jobs: Slot<Job>,
    shows: Slot<Box<Show>>,
    /// The newest turn; a job of an older one stops between two rungs.
    newest: Arc<AtomicU64>,
}

impl Worker {
    /// Starts both threads.
    pub fn start(out: &SyncSender<Message>) -> std::io::Result<Worker> {
        let newest = Arc::new(AtomicU64::new(0));
        let (send, turns) = (out.clone(), Arc::clone(&newest));
        let jobs = thread("worker", move |job: Job| {
            if super::panics_on_purpose("worker") {
                panic!("asked for by the environment");
            }
            let stale = || job.turn.0 < turns.load(Ordering::Relaxed);
            work(&job, |event| drop(send.send(Message::Event(event))), stale);
        })?;
        let send = out.clone();
        let shows = thread("output", move |task: Box<Show>| {
            let shown = answer(&task);
            let _ = send.send(Message::Event(Event::Shown {
                turn: task.turn,
                shown: Box::new(shown),
            }));
        })?;
        Ok(Worker {
            jobs,
            shows,
            newest,
        })
    }

    /// Reads a source with every rung.
    pub fn repair(&self, job: Job) {
        self.newest.fetch_max(job.turn.0, Ordering::Relaxed);
        put(&self.jobs, job);
    }

    /// Jobs before this turn are not wanted any more: they end at their next rung.
    pub fn stop(&self, turn: Turn) {
        self.newest.fetch_max(turn.0, Ordering::Relaxed);
    }

    /// Puts an output together.
    pub fn show(&self, task: Box<Show>) {
        put(&self.shows, task);
    }
}

fn put<T>(slot: &Slot<T>, task: T) {
    let (place, changed) = &**slot;
    *place.lock().unwrap_or_else(|broken| broken.into_inner()) = Some(task);
    changed.notify_one();
}

/// A thread that does one task after the other for as long as the program runs.
fn thread<T: Send + 'static>(
    name: &str,
    mut act: impl FnMut(T) + Send + 'static,
) -> std::io::Result<Slot<T>> {
    let slot: Slot<T> = Arc::default();
    let ours = Arc::clone(&slot);
    std::thread::Builder::new()
        .name(name.into())
        .spawn(move || {
            let (place, changed) = &*ours;
            loop {
                let mut next = place.lock().unwrap_or_else(|broken| broken.into_inner());
                let task = loop {
                    match next.take() {
                        Some(task) => break task,
                        None => {
                            next = changed
                                .wait(next)
                                .unwrap_or_else(|broken| broken.into_inner());
                        }
                    }
                };
                drop(next);
                act(task);
            }
        })?;
    Ok(slot)
}
