//! What happens when the program itself is at fault: terminal first, then one message.

use std::backtrace::Backtrace;
use std::io::Write;
use std::panic::PanicHookInfo;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use super::{clock, terminal};
use crate::files;

/// Installs the hook. `last_words` writes the draft that waits, and says whether one is on disk.
pub fn install(state: Option<&Path>, last_words: impl Fn() -> bool + Send + Sync + 'static) {
    static STRUCK: AtomicBool = AtomicBool::new(false);
    let state = state.map(Path::to_owned);
    std::panic::set_hook(Box::new(move |info| {
        if STRUCK.swap(true, Ordering::SeqCst) {
            // Another thread is already at it, and ends the program.
            std::thread::park();
            return;
        }
        terminal::restore();
        let kept = last_words();
        let place = place(info);
        let log = state.as_deref().and_then(|state| write_log(state, &place));
        let details = match &log {
            Some(path) => format!("details in {}", files::shown(path)),
            None => "there is no folder for the details".into(),
        };
        let draft = if kept {
            "; the draft is kept and offered at the next start"
        } else {
            ""
        };
        let _ = writeln!(
            std::io::stderr(),
            "jsonmedic: stopped by a fault of its own at {place}; {details}{draft}"
        );
        std::process::exit(101);
    }));
}

/// Where it happened. Never the panic's own text: that may quote the user's.
fn place(info: &PanicHookInfo) -> String {
    let thread = std::thread::current();
    let thread = thread.name().unwrap_or("unnamed").to_owned();
    match info.location() {
        Some(at) => format!(
            "{}:{}:{} (thread {thread})",
            at.file(),
            at.line(),
            at.column()
        ),
        None => format!("an unknown place (thread {thread})"),
    }
}

fn write_log(state: &Path, place: &str) -> Option<PathBuf> {
    let path = state.join("panic.log");
    let time = crate::transcript::date::stamp(clock::unix());
    let version = env!("CARGO_PKG_VERSION");
    let trace = Backtrace::force_capture();
    let entry = format!("{time} jsonmedic {version} {place}\n{trace}\n");
    files::append_private(&path, &entry).ok()?;
    Some(path)
}
