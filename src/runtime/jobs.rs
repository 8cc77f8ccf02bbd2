//! Job control: whose turn at the terminal it is, and how the whole process group stops.

use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

// A process group or session that lies outside the own pid namespace is told as 0, which `rustix` takes for impossible.
use nix::unistd::{Pid, getpgid, getpgrp, getppid, getsid, tcgetpgrp};
use rustix::process::{Signal, getpid};

/// Stands for a process that this pid namespace cannot name.
const OUTSIDE: Pid = Pid::from_raw(0);

/// Whether the next SIGTSTP is the echo of our own.
static OWN_STOP: AtomicBool = AtomicBool::new(false);

/// How long that echo is waited for. It would otherwise be read after the return, and stop the program again.
const ECHO: Duration = Duration::from_millis(300);

/// Waits until this process group owns the terminal, stopped like any job that reads from the background.
/// An error where nobody could ever bring it to the front.
pub fn wait_for_terminal(terminal: &File) -> io::Result<()> {
    loop {
        let owner = tcgetpgrp(terminal)?;
        if owner == getpgrp() {
            return Ok(());
        }
        if orphaned() {
            return Err(io::Error::other(
                "the program runs in the background, and no shell can bring it to the front",
            ));
        }
        // Stops the group here; `fg` continues it. Where the signal is ignored the loop turns slowly.
        let _ = rustix::process::kill_current_process_group(Signal::TTOU);
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Whether a shell could continue the process group if it stopped.
pub fn can_stop() -> bool {
    !orphaned()
}

/// Stops the process group as ctrl-z does, and returns when it goes on.
pub fn stop_group() {
    OWN_STOP.store(true, Ordering::SeqCst);
    // The others get the signal they may handle; this process handles it, so it stops itself the sure way.
    let _ = rustix::process::kill_current_process_group(Signal::TSTP);
    let start = Instant::now();
    while OWN_STOP.load(Ordering::SeqCst) && start.elapsed() < ECHO {
        std::thread::sleep(Duration::from_millis(1));
    }
    OWN_STOP.store(false, Ordering::SeqCst);
    stop_self();
}

/// Stops this process alone: for a stop that the group got from elsewhere.
pub fn stop_self() {
    let _ = rustix::process::kill_process(getpid(), Signal::STOP);
}

/// Whether a SIGTSTP that just came is the echo of [`stop_group`].
pub fn own_echo() -> bool {
    OWN_STOP.swap(false, Ordering::SeqCst)
}

/// Whether the process group has no member whose parent is a shell of the same session: nobody would continue it.
fn orphaned() -> bool {
    let (group, session) = (getpgrp(), getsid(None).ok());
    let mut pid = getppid();
    // A wrapper in the same group is stopped with us; what counts is who stands above it.
    for _ in 0..64 {
        if pid == OUTSIDE || getsid(Some(pid)).ok() != session {
            return true;
        }
        if getpgid(Some(pid)).ok() != Some(group) {
            return false;
        }
        match parent_of(pid) {
            Some(parent) => pid = parent,
            None => return true,
        }
    }
    true
}

/// The parent of another process, where the system tells it in a file.
fn parent_of(pid: Pid) -> Option<Pid> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name before the last parenthesis may hold anything.
    let rest = status.rsplit_once(')')?.1;
    Some(Pid::from_raw(rest.split_whitespace().nth(1)?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents_are_found() {
        if std::path::Path::new("/proc/self/stat").exists() {
            assert_eq!(parent_of(Pid::this()), Some(getppid()));
        }
    }
}
