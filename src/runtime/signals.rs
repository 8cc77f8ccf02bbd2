//! Signals as messages, and a watchdog for the case that nobody reads them.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;
use std::time::Duration;

use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGWINCH};
use signal_hook::iterator::Signals;

use super::{Message, jobs, terminal};

/// How long the run loop has to end by itself after a signal that ends it.
const GRACE: Duration = Duration::from_millis(1500);

/// Whether a child has the terminal: its keys are not for this process.
static HANDED_OVER: AtomicBool = AtomicBool::new(false);

/// What a signal asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// To end with 128 plus this number.
    End(i32),
    /// To stop as ctrl-z does.
    Stop,
    /// To go on after a stop.
    Continue,
    /// To look at the size of the window.
    Size,
}

/// Says whether a child has the terminal for now.
pub fn hand_over(handed: bool) {
    HANDED_OVER.store(handed, Ordering::SeqCst);
}

/// Starts listening. `last_words` runs when the run loop did not end in time.
pub fn start(out: SyncSender<Message>, last_words: impl Fn() + Send + 'static) -> io::Result<()> {
    let all = [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH];
    let mut signals = Signals::new(all)?;
    std::thread::Builder::new()
        .name("signals".into())
        .spawn(move || {
            for signal in signals.forever() {
                let handed = HANDED_OVER.load(Ordering::SeqCst);
                let asked = match signal {
                    SIGWINCH => Asked::Size,
                    SIGCONT => Asked::Continue,
                    SIGTSTP if jobs::own_echo() => continue,
                    // The child stopped its group, and the terminal is not ours to restore.
                    SIGTSTP if handed => {
                        jobs::stop_self();
                        continue;
                    }
                    SIGTSTP => Asked::Stop,
                    // Ctrl-c and ctrl-\ typed into the child.
                    SIGINT | SIGQUIT if handed => continue,
                    signal => Asked::End(signal),
                };
                // A full channel means a stuck loop, which the watchdog ends and a missed size does not hurt.
                let _ = out.try_send(Message::Signal(asked));
                if let Asked::End(signal) = asked {
                    std::thread::sleep(GRACE);
                    last_words();
                    terminal::restore();
                    std::process::exit(128 + signal);
                }
            }
        })?;
    Ok(())
}
