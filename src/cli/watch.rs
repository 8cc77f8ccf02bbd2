//! `watch --json`: one JSON line a failed call, as it happens.

use std::io::{self, Write};
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Instant;

use super::args::Watch;
use super::filter::Sieve;
use super::{Exit, NO_FOLDER, Trouble, output, say, words};
use crate::feed::{self, Options, positions};
use crate::transcript::FeedEvent;
use crate::visible::{visible, visible_bytes, write_json};

/// What the waiting is for, beside time.
enum Message {
    /// Nobody takes what is written.
    Broken(io::Error),
    Signal(i32),
}

/// What to follow by these arguments, and which of the failed calls to tell. `None` where no folder is named and
/// there is no known one, which is said.
fn follow(args: &Watch) -> Result<Option<(Options, Sieve)>, Trouble> {
    let sieve = Sieve::new(&args.filter)?;
    for path in &args.paths {
        let name = || visible_bytes(path.as_os_str().as_encoded_bytes());
        if path == Path::new("-") {
            return Err(Trouble::Said(
                "`-` is not followed; `jsonmedic scan -` reads a log on standard input".into(),
            ));
        }
        std::fs::metadata(path).map_err(|error| format!("{}: {}", name(), words(&error)))?;
    }
    let resume = match args.resume {
        true => Some(
            positions::default_path()
                .ok_or_else(|| "--resume: no folder for state; set HOME".to_owned())?,
        ),
        false => None,
    };
    let options = Options {
        places: args.paths.clone(),
        kinds: sieve.kinds,
        wanted: sieve.wanted.clone(),
        from_start: args.from_start,
        resume,
        poll: args.poll,
    };
    if options.places.is_empty() && feed::places::known().is_empty() {
        for store in feed::places::stores() {
            let name = visible_bytes(store.path.as_os_str().as_encoded_bytes());
            say(format_args!("jsonmedic: {name}: {}", store.why));
        }
        say(format_args!("jsonmedic: {NO_FOLDER}"));
        return Ok(None);
    }
    Ok(Some((options, sieve)))
}

/// The same for the workbench.
#[cfg(feature = "tui")]
pub(super) fn on_screen(args: &Watch) -> Result<Option<crate::runtime::Follow>, Trouble> {
    let follow = follow(args)?;
    Ok(follow.map(|(options, sieve)| crate::runtime::Follow {
        options,
        keeps: Box::new(move |call| sieve.keeps(call)),
    }))
}

/// Follows logs until a signal comes, time is over, or nobody reads the output any more.
pub(super) fn run(args: Watch) -> Result<Exit, Trouble> {
    let Some((options, sieve)) = follow(&args)? else {
        return Ok(Exit::Done);
    };
    let until = args
        .seconds
        .and_then(|seconds| Instant::now().checked_add(seconds));
    let (send, receive) = mpsc::channel();
    listen_for_signals(send.clone())?;
    let mut out = output::stdout().map_err(Trouble::stdout)?;
    // Written where it is read: what counts as told is on standard output, whatever ends the program next.
    let watch = feed::Watch::start(options, move |event| match put(event, &sieve, &mut out) {
        Ok(()) => true,
        Err(error) => {
            let _ = send.send(Message::Broken(error));
            false
        }
    });
    let message = match until {
        None => receive.recv().map_err(|_| RecvTimeoutError::Disconnected),
        Some(until) => receive.recv_timeout(until.saturating_duration_since(Instant::now())),
    };
    // What was read before the end is told.
    watch.stop();
    let broken = receive.try_iter().find_map(|message| match message {
        Message::Broken(error) => Some(error),
        Message::Signal(_) => None,
    });
    match (message, broken) {
        (Ok(Message::Broken(error)), _) | (_, Some(error)) => Err(Trouble::stdout(error)),
        // To be interrupted is how a watch ends.
        (Ok(Message::Signal(number)), None) if number != signal_hook::consts::SIGINT => {
            Ok(Exit::Signal(number as u8))
        }
        _ => Ok(Exit::Done),
    }
}

/// Sends signals that end the program as messages.
#[cfg(unix)]
fn listen_for_signals(send: mpsc::Sender<Message>) -> Result<(), Trouble> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP])
        .map_err(|error| format!("signals: {}", words(&error)))?;
    thread::spawn(move || {
        for signal in signals.forever() {
            if send.send(Message::Signal(signal)).is_err() {
                return;
            }
        }
    });
    Ok(())
}

/// Elsewhere the system ends the program.
#[cfg(not(unix))]
fn listen_for_signals(_: mpsc::Sender<Message>) -> Result<(), Trouble> {
    Ok(())
}

fn put(event: FeedEvent, sieve: &Sieve, out: &mut impl Write) -> io::Result<()> {
    match event {
        FeedEvent::Failed(call) if sieve.keeps(&call) => {
            write_json(&mut *out, &call)?;
            out.write_all(b"\n")?;
            // Whoever reads along wants the line now.
            out.flush()
        }
        FeedEvent::Note(note) => {
            say(format_args!("jsonmedic: {}", visible(&note)));
            Ok(())
        }
        _ => Ok(()),
    }
}
