//! The thread that reads the terminal, and the rules for what is a paste.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use crossterm::event::{KeyCode, KeyModifiers};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::Message;
use super::decode::{Decoder, Input, PASTE_END};
use crate::app::Event;
use crate::app::burst::{BURST_KEYS, QUIET_MS, gather};
use crate::repair::encoding;

/// How long a lone escape waits for the rest of a sequence. Slow lines cut sequences in two.
const ESCAPE: Duration = Duration::from_millis(30);
/// Two keys in one read are a fast typist or the start of a paste: this tells them apart.
const QUIET: Duration = Duration::from_millis(QUIET_MS);
/// Once it is a burst, a short stop does not end it, or the rest would replace the beginning.
const BURST_QUIET: Duration = Duration::from_millis(30);
/// A paste whose end never comes must not swallow the keys for ever.
const PASTE: Duration = Duration::from_secs(2);
/// So many inputs are handed on even if the burst has no end.
const MOST_HELD: usize = 1 << 20;

/// The reading thread, which can be told to leave the terminal alone.
pub struct Keys {
    control: Arc<Control>,
    bell: UnixStream,
}

#[derive(Default)]
struct Control {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    pause: bool,
    parked: bool,
    ended: bool,
}

/// Starts reading. `out` gets batches of events, and [`Message::Gone`] when the window is closed.
pub fn start(terminal: File, out: SyncSender<Message>) -> io::Result<Keys> {
    let (bell, ring) = UnixStream::pair()?;
    ring.set_nonblocking(true)?;
    let control = Arc::new(Control::default());
    let mut reader = Reader {
        terminal,
        ring,
        control: Arc::clone(&control),
        out,
        decoder: Decoder::default(),
        held: Vec::new(),
        marks: false,
    };
    std::thread::Builder::new()
        .name("keys".into())
        .spawn(move || {
            let _ = reader.run();
            let mut state = lock(&reader.control.state);
            state.ended = true;
            reader.control.changed.notify_all();
            drop(state);
            let _ = reader.out.send(Message::Gone);
        })?;
    Ok(Keys { control, bell })
}

impl Keys {
    /// Leaves the terminal to others; returns when the thread has let go of it. `meanwhile` runs now and then until it has.
    pub fn pause(&mut self, mut meanwhile: impl FnMut()) {
        let mut state = lock(&self.control.state);
        state.pause = true;
        let _ = self.bell.write_all(&[1]);
        while !state.parked && !state.ended {
            let waited = self.control.changed.wait_timeout(state, ESCAPE);
            state = waited.unwrap_or_else(|broken| broken.into_inner()).0;
            drop(state);
            meanwhile();
            state = lock(&self.control.state);
        }
    }

    /// Reads on.
    pub fn resume(&mut self) {
        lock(&self.control.state).pause = false;
        self.control.changed.notify_all();
    }
}

struct Reader {
    terminal: File,
    ring: UnixStream,
    control: Arc<Control>,
    out: SyncSender<Message>,
    decoder: Decoder,
    /// Inputs that may turn out to be part of a paste.
    held: Vec<Input>,
    /// Whether the terminal marks pastes: it said so, or did so. Then keys are keys, however fast they come.
    marks: bool,
}

enum Ready {
    Bytes,
    Bell,
    Time,
}

impl Reader {
    /// Reads until the terminal is gone or nobody listens.
    fn run(&mut self) -> io::Result<()> {
        let mut buffer = vec![0; 1 << 16];
        loop {
            match self.wait()? {
                Ready::Bytes => match self.terminal.read(&mut buffer) {
                    Ok(0) => return Ok(()),
                    Ok(count) => self.decoder.feed(&buffer[..count], &mut self.held),
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) => return Err(error),
                },
                Ready::Time if self.decoder.waits() => self.decoder.give_up(&mut self.held),
                Ready::Time => self.deliver()?,
                Ready::Bell => self.park(),
            }
            let tells = |input: &Input| matches!(input, Input::MarksPastes | Input::Paste(_));
            self.marks = self.marks || self.held.iter().any(tells);
            if patience(&self.held, self.marks).is_zero() || MOST_HELD < self.held.len() {
                self.deliver()?;
            }
        }
    }

    fn wait(&self) -> io::Result<Ready> {
        let limit = match (self.decoder.in_paste(), self.decoder.waits()) {
            (true, _) => Some(PASTE),
            (_, true) => Some(ESCAPE),
            _ => Some(patience(&self.held, self.marks)).filter(|limit| !limit.is_zero()),
        };
        let limit = limit.map(|limit| Timespec {
            tv_sec: limit.as_secs() as i64,
            tv_nsec: i64::from(limit.subsec_nanos()),
        });
        let mut files = [
            PollFd::new(&self.terminal, PollFlags::IN),
            PollFd::new(&self.ring, PollFlags::IN),
        ];
        match poll(&mut files, limit.as_ref()) {
            Ok(0) => return Ok(Ready::Time),
            Ok(_) => {}
            Err(rustix::io::Errno::INTR) => return self.wait(),
            Err(error) => return Err(error.into()),
        }
        if !files[1].revents().is_empty() {
            return Ok(Ready::Bell);
        }
        let gone = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
        if files[0].revents().intersects(gone) {
            return Err(io::Error::from(io::ErrorKind::BrokenPipe));
        }
        Ok(Ready::Bytes)
    }

    /// Stays off the terminal until told otherwise.
    fn park(&mut self) {
        let mut rings = [0; 16];
        while matches!(self.ring.read(&mut rings), Ok(count) if 0 < count) {}
        let mut state = lock(&self.control.state);
        if !state.pause {
            return;
        }
        state.parked = true;
        self.control.changed.notify_all();
        while state.pause {
            state = self
                .control
                .changed
                .wait(state)
                .unwrap_or_else(|broken| broken.into_inner());
        }
        state.parked = false;
        // What was begun before belongs to the time before.
        self.decoder.reset();
        self.held.clear();
    }

    fn deliver(&mut self) -> io::Result<()> {
        let events = events(std::mem::take(&mut self.held), self.marks);
        if events.is_empty() {
            return Ok(());
        }
        self.out
            .send(Message::Input(events))
            .map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))
    }
}

/// How long to wait for more before these inputs are handed on; zero for at once, as for any single key.
fn patience(held: &[Input], marks: bool) -> Duration {
    if marks && !has_paste(held) {
        return Duration::ZERO;
    }
    let typed = held.iter().rev().take_while(|input| types(input).is_some());
    match typed.count() {
        keys if BURST_KEYS <= keys => BURST_QUIET,
        keys if 2 <= keys => QUIET,
        // A stray end may follow, and then what comes between was pasted.
        keys if matches!(held.iter().rev().nth(keys), Some(Input::Paste(_))) => QUIET,
        _ => Duration::ZERO,
    }
}

/// The events that a batch of inputs stands for.
fn events(inputs: Vec<Input>, marks: bool) -> Vec<Event> {
    let guess = !marks || has_paste(&inputs);
    let mut out = Vec::with_capacity(inputs.len());
    for input in join_strays(inputs) {
        match input {
            Input::Key(key) => out.push(Event::Key(key)),
            Input::Mouse(mouse) => out.push(Event::Mouse(mouse)),
            Input::Focus(here) => out.push(Event::Focus(here)),
            Input::Paste(bytes) => paste(bytes, &mut out),
            Input::StrayEnd | Input::MarksPastes => {}
        }
    }
    if guess { gather(out) } else { out }
}

/// Keys right behind a marked paste may be the rest of it, where the text held an end marker.
fn has_paste(inputs: &[Input]) -> bool {
    inputs.iter().any(|input| matches!(input, Input::Paste(_)))
}

/// A paste that holds an end marker itself arrives as a paste, keys and a marker too many: all of it is text.
fn join_strays(inputs: Vec<Input>) -> Vec<Input> {
    let Some(last) = inputs
        .iter()
        .rposition(|input| matches!(input, Input::StrayEnd))
    else {
        return inputs;
    };
    let mut inputs = inputs;
    let rest = inputs.split_off(last + 1);
    inputs.pop();
    // Where the paste itself went out in an earlier batch, what was typed before the marker is still text.
    let from = inputs
        .iter()
        .position(|input| matches!(input, Input::Paste(_)))
        .unwrap_or(0);
    let mut text = Vec::new();
    for input in inputs.split_off(from) {
        match input {
            // The marker that seemed to end it was part of the text.
            Input::Paste(mut bytes) => {
                text.append(&mut bytes);
                text.extend_from_slice(PASTE_END);
            }
            Input::StrayEnd => text.extend_from_slice(PASTE_END),
            input => {
                if let Some(c) = types(&input) {
                    text.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                }
            }
        }
    }
    inputs.push(Input::Paste(text));
    inputs.extend(rest);
    inputs
}

/// The character that a key puts into a text.
fn types(input: &Input) -> Option<char> {
    let Input::Key(key) = input else { return None };
    let plain = key.modifiers.difference(KeyModifiers::SHIFT).is_empty();
    match key.code {
        KeyCode::Char(c) if plain => Some(c),
        KeyCode::Enter if plain => Some('\r'),
        KeyCode::Tab if plain => Some('\t'),
        // In pasted text a line feed looks like ctrl-j.
        KeyCode::Char('j') if key.modifiers == KeyModifiers::CONTROL => Some('\n'),
        _ => None,
    }
}

fn paste(bytes: Vec<u8>, out: &mut Vec<Event>) {
    if let Err(unreadable) = encoding::decode(&bytes) {
        let message = format!("the paste was not taken: {}", unreadable.message());
        out.push(Event::Say(message));
        return;
    }
    if let Ok(text) = String::from_utf8(bytes) {
        out.push(Event::Paste(text));
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|broken| broken.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs(bytes: &[u8]) -> Vec<Input> {
        let mut out = Vec::new();
        Decoder::default().feed(bytes, &mut out);
        out
    }

    fn words(bytes: &[u8]) -> String {
        let word = |event: &Event| match event {
            Event::Paste(text) => format!("<{}>", text.escape_debug()),
            Event::Burst(text) => format!("burst<{}>", text.escape_debug()),
            Event::Key(key) => key.code.to_string().to_lowercase(),
            Event::Say(text) => format!("say: {text}"),
            _ => "other".into(),
        };
        let inputs = inputs(bytes);
        let marks = inputs
            .iter()
            .any(|input| matches!(input, Input::MarksPastes));
        let events = events(inputs, marks);
        events.iter().map(word).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn batches_become_events() {
        for (bytes, want) in [
            (&b"jk"[..], "j k"),
            (b"{\"a\": 1,}\r", r#"burst<{\"a\": 1,}\n>"#),
            // A terminal that marks pastes: keys are keys.
            (b"\x1b[?2004;1$yjjaaxxjj", "j j a a x x j j"),
            (b"\x1b[?2004;2$yjjaaxxjj", "burst<jjaaxxjj>"),
            (b"jjjjjjjjj", "j j j j j j j j j"),
            (b"\x1b[200~a\r\nb\x1b[201~", r"<a\r\nb>"),
            // The end marker inside a paste: `q` is text, and no command.
            (b"\x1b[200~a\x1b[201~q\x1b[201~j", r"<a\u{1b}[201~q> j"),
            (
                b"\x1b[200~a\x1b[201~q\x1b[201~x\x1b[201~",
                r"<a\u{1b}[201~q\u{1b}[201~x>",
            ),
            (b"q\x1b[201~", "<q>"),
            (
                b"\x1b[200~a\xff\x1b[201~",
                "say: the paste was not taken: 1:2: expected UTF-8, found the byte FF (JSON is UTF-8; convert the text first)",
            ),
        ] {
            assert_eq!(words(bytes), want, "{}", bytes.escape_ascii());
        }
    }

    #[test]
    fn a_single_key_never_waits() {
        for (bytes, want) in [
            (&b"j"[..], Duration::ZERO),
            (b"\x1b[A\x1b[A\x1b[A", Duration::ZERO),
            (b"jj", QUIET),
            (b"{\"a\": 1}", BURST_QUIET),
            (b"\x1b[200~a\x1b[201~", QUIET),
            (b"\x1b[200~a\x1b[201~q", QUIET),
            (b"\x1b[<0;1;1M", Duration::ZERO),
        ] {
            assert_eq!(
                patience(&inputs(bytes), false),
                want,
                "{}",
                bytes.escape_ascii()
            );
        }
        assert_eq!(patience(&inputs(b"jjaaxxjj"), true), Duration::ZERO);
        assert_eq!(patience(&inputs(b"\x1b[200~a\x1b[201~q"), true), QUIET);
    }
}
