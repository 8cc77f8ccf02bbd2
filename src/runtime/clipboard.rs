//! The clipboard: by the display server where there is one of this machine, else by the terminal, and never "copied"
//! without proof.

use std::ffi::OsString;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::Message;
use crate::app::{EffectId, Outcome};

/// Terminals drop what is longer, and nothing says so.
pub const TERMINAL_LIMIT: usize = 65_536;

/// How long the display server may take. An X server that never answers is given up after it.
const LIMIT_MS: u64 = 900;

const BUSY: &str = "the display server has not answered the question before";

/// Where a text goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Plan {
    /// To the display server; the name says which.
    Native(&'static str),
    /// To the terminal, as OSC 52; the reason says why not to a display server.
    Terminal(&'static str),
}

/// How OSC 52 must be wrapped to get through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrap {
    /// The terminal reads it itself.
    Plain,
    /// tmux takes it, and passes a second, wrapped one on.
    Tmux,
    /// GNU screen passes short wrapped pieces on.
    Screen,
}

/// The user's word on the route.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// By what the environment says.
    #[default]
    Auto,
    /// Always the display server.
    Native,
    /// Always the terminal.
    Terminal,
}

/// What is to be done at once after a request or an answer.
#[derive(Debug, Default, PartialEq)]
pub struct Step {
    /// Bytes that the drawing thread sends to the terminal.
    pub bytes: Vec<u8>,
    /// What the workbench is told.
    pub done: Option<(EffectId, Result<Told, String>)>,
}

/// An outcome that can be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// On the clipboard, read back.
    Copied(String),
    /// Sent where nothing answers.
    Sent(String),
    /// The clipboard's text.
    Text(String),
}

impl From<Told> for Outcome {
    fn from(told: Told) -> Outcome {
        match told {
            Told::Copied(route) => Outcome::Copied { route },
            Told::Sent(route) => Outcome::Sent { route },
            Told::Text(text) => Outcome::Clipboard(text),
        }
    }
}

/// The answer of the clipboard thread to the request of that number.
#[derive(Debug)]
pub struct Answer {
    serial: u64,
    result: Result<Option<String>, String>,
}

enum Request {
    Put { serial: u64, text: Arc<String> },
    Get { serial: u64 },
}

/// A request that the thread has not answered yet.
struct Waiting {
    serial: u64,
    id: EffectId,
    /// The text to be put; `None` for a question.
    text: Option<Arc<String>>,
    deadline: u64,
}

/// The clipboard as the run loop sees it.
pub struct Clipboard {
    plan: Plan,
    wrap: Wrap,
    out: SyncSender<Message>,
    /// The thread with the one handle of the run; begun with the first request.
    thread: Option<(Sender<Request>, Receiver<()>)>,
    waiting: Vec<Waiting>,
    serial: u64,
    /// Whether the last text put on the clipboard lives in this process.
    holds: bool,
}

impl Clipboard {
    /// Decides on the route; nothing is opened before it is needed.
    pub fn new(choice: Choice, out: SyncSender<Message>) -> Clipboard {
        let look = |name: &str| std::env::var_os(name);
        Clipboard {
            plan: plan(choice, cfg!(target_os = "macos"), look),
            wrap: wrap(look),
            out,
            thread: None,
            waiting: Vec::new(),
            serial: 0,
            holds: false,
        }
    }

    /// Puts a text on the clipboard.
    pub fn put(&mut self, id: EffectId, text: Arc<String>, now: u64) -> Step {
        if let Plan::Terminal(why) = self.plan {
            return self.send(id, &text, why);
        }
        if self.ask(id, Some(Arc::clone(&text)), now) {
            return Step::default();
        }
        self.send(id, &text, BUSY)
    }

    /// Asks for the clipboard's text.
    pub fn get(&mut self, id: EffectId, now: u64) -> Step {
        if let Plan::Terminal(why) = self.plan {
            let why = format!(
                "{why}, and a terminal is never asked for its clipboard: paste with the terminal's own key"
            );
            return fail(id, &why);
        }
        if self.ask(id, None, now) {
            return Step::default();
        }
        fail(id, BUSY)
    }

    /// Takes the thread's answer. One that came too late is dropped.
    pub fn answer(&mut self, answer: Answer) -> Step {
        let Some(at) = self
            .waiting
            .iter()
            .position(|waiting| waiting.serial == answer.serial)
        else {
            return Step::default();
        };
        let Waiting { id, text, .. } = self.waiting.remove(at);
        let Plan::Native(name) = self.plan else {
            return Step::default();
        };
        match (answer.result, text) {
            (Ok(Some(got)), None) => done(id, Ok(Told::Text(got))),
            (Ok(_), Some(_)) => {
                self.holds = name != "macOS";
                done(id, Ok(Told::Copied(format!("clipboard: {name}"))))
            }
            (Ok(None), None) => fail(id, "the clipboard holds no text"),
            (Err(why), Some(text)) => self.send(id, &text, &why),
            (Err(why), None) => fail(id, &why),
        }
    }

    /// Gives up on answers that are due.
    pub fn expire(&mut self, now: u64) -> Step {
        let Some(at) = self
            .waiting
            .iter()
            .position(|waiting| waiting.deadline <= now)
        else {
            return Step::default();
        };
        let Waiting { id, text, .. } = self.waiting.remove(at);
        // The thread hangs; a new one with a new handle is tried with the next request.
        self.thread = None;
        let why = "the display server did not answer";
        match text {
            Some(text) => self.send(id, &text, why),
            None => fail(id, why),
        }
    }

    /// When `expire` must be called.
    pub fn deadline(&self) -> Option<u64> {
        self.waiting.iter().map(|waiting| waiting.deadline).min()
    }

    /// Lets the handle go, which offers the text to a clipboard manager. Whether a copied text may end with the program.
    pub fn close(&mut self) -> bool {
        if let Some((requests, ended)) = self.thread.take() {
            drop(requests);
            let _ = ended.recv_timeout(Duration::from_millis(400));
        }
        self.holds
    }

    /// Whether the thread could be asked.
    fn ask(&mut self, id: EffectId, text: Option<Arc<String>>, now: u64) -> bool {
        if !self.waiting.is_empty() {
            return false;
        }
        if self.thread.is_none() {
            self.thread = start(self.out.clone()).ok();
        }
        let Some((requests, _)) = &self.thread else {
            return false;
        };
        self.serial += 1;
        let serial = self.serial;
        let request = match &text {
            Some(text) => Request::Put {
                serial,
                text: Arc::clone(text),
            },
            None => Request::Get { serial },
        };
        self.waiting.push(Waiting {
            serial,
            id,
            text,
            deadline: now + LIMIT_MS,
        });
        requests.send(request).is_ok()
    }

    /// The way over the terminal; `why` the better one was not taken.
    fn send(&mut self, id: EffectId, text: &str, why: &str) -> Step {
        if TERMINAL_LIMIT < text.len() {
            return fail(
                id,
                &format!(
                    "{why}, and a terminal takes at most {TERMINAL_LIMIT} B (OSC 52), not {}",
                    text.len()
                ),
            );
        }
        self.holds = false;
        Step {
            bytes: osc52(text, self.wrap),
            done: Some((id, Ok(Told::Sent("to the terminal (OSC 52)".into())))),
        }
    }
}

fn done(id: EffectId, told: Result<Told, String>) -> Step {
    Step {
        bytes: Vec::new(),
        done: Some((id, told)),
    }
}

fn fail(id: EffectId, why: &str) -> Step {
    done(id, Err(why.into()))
}

/// The route, by what the environment says.
fn plan(choice: Choice, macos: bool, look: impl Fn(&str) -> Option<OsString>) -> Plan {
    let set = |name: &str| look(name).filter(|value| !value.is_empty());
    let wayland = set("WAYLAND_DISPLAY").is_some();
    let display = set("DISPLAY").map(|name| name.to_string_lossy().into_owned());
    // Also behind Wayland: where that fails, the library goes on to X11.
    let remote = display.as_deref().is_some_and(|name| !is_local(name));
    if choice == Choice::Terminal {
        return Plan::Terminal("the configuration says so");
    }
    // The display server of the machine that the program runs on is not the one before the user's eyes.
    if choice == Choice::Auto && (set("SSH_CONNECTION").is_some() || set("SSH_TTY").is_some()) {
        return Plan::Terminal("the clipboard is on the other end of the SSH connection");
    }
    match (macos, wayland, display) {
        (true, ..) => Plan::Native("macOS"),
        _ if remote => Plan::Terminal("the display is on another machine"),
        (_, true, None) => Plan::Native("Wayland"),
        (_, true, Some(_)) => Plan::Native("Wayland or X11"),
        (_, false, Some(_)) => Plan::Native("X11"),
        (_, false, None) => Plan::Terminal("there is no display server"),
    }
}

/// Whether an X display is a socket of this machine: `:0`, `unix:0`, `/path/to/socket:0`. With anything else the
/// library would open an Internet connection.
fn is_local(display: &str) -> bool {
    let host = display.split(':').next().unwrap_or_default();
    display.contains(':') && (host.is_empty() || host == "unix" || host.starts_with('/'))
}

/// The socket of a local display is there and takes connections. Without it the library would go on to a TCP port.
#[cfg(target_os = "linux")]
fn socket_answers() -> Result<(), String> {
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::net::{SocketAddr, UnixStream};
    let Some(display) = std::env::var_os("DISPLAY").filter(|name| !name.is_empty()) else {
        return Ok(());
    };
    let display = display.to_string_lossy();
    if display.starts_with('/') {
        return Ok(());
    }
    let number = display.rsplit(':').next().unwrap_or_default();
    let number = number.split('.').next().unwrap_or_default();
    let path = format!("/tmp/.X11-unix/X{number}");
    let hidden = SocketAddr::from_abstract_name(&path);
    let found = hidden.is_ok_and(|address| UnixStream::connect_addr(&address).is_ok())
        || UnixStream::connect(&path).is_ok();
    if found {
        Ok(())
    } else {
        Err(format!("no display server answers at {path}"))
    }
}

#[cfg(not(target_os = "linux"))]
fn socket_answers() -> Result<(), String> {
    Ok(())
}

fn wrap(look: impl Fn(&str) -> Option<OsString>) -> Wrap {
    let set = |name: &str| look(name).filter(|value| !value.is_empty());
    let term = set("TERM").unwrap_or_default();
    if set("TMUX").is_some() || term.to_string_lossy().starts_with("tmux") {
        return Wrap::Tmux;
    }
    if set("STY").is_some() {
        return Wrap::Screen;
    }
    Wrap::Plain
}

/// The clipboard sequence. tmux gets two: one for itself (`set-clipboard on`), one it passes to the terminal around it
/// (`allow-passthrough on`); whichever is allowed arrives, and both say the same.
fn osc52(text: &str, wrap: Wrap) -> Vec<u8> {
    let plain = format!("\x1b]52;c;{}\x07", STANDARD.encode(text));
    let wrapped = match wrap {
        Wrap::Plain => return plain.into_bytes(),
        Wrap::Tmux => {
            let inner = plain.replace('\x1b', "\x1b\x1b");
            format!("{plain}\x1bPtmux;{inner}\x1b\\")
        }
        Wrap::Screen => {
            // screen cuts long strings off, so they go in pieces; the terminal behind it sees one.
            let pieces = plain.as_bytes().chunks(500);
            let pieces =
                pieces.map(|piece| format!("\x1bP{}\x1b\\", String::from_utf8_lossy(piece)));
            pieces.collect()
        }
    };
    wrapped.into_bytes()
}

/// One thread, one handle for the whole run: an X11 selection dies with its handle.
fn start(out: SyncSender<Message>) -> std::io::Result<(Sender<Request>, Receiver<()>)> {
    let (requests, todo) = mpsc::channel();
    let (end, ended) = mpsc::channel();
    std::thread::Builder::new()
        .name("clipboard".into())
        .spawn(move || {
            let mut handle = None;
            for request in todo {
                let (serial, result) = match request {
                    Request::Put { serial, text } => {
                        (serial, put(&mut handle, &text).map(|()| None))
                    }
                    Request::Get { serial } => (serial, get(&mut handle)),
                };
                if out
                    .send(Message::Clipboard(Answer { serial, result }))
                    .is_err()
                {
                    break;
                }
            }
            drop(handle);
            let _ = end.send(());
        })?;
    Ok((requests, ended))
}

fn put(handle: &mut Option<arboard::Clipboard>, text: &str) -> Result<(), String> {
    let handle = open(handle)?;
    handle.set_text(text).map_err(words)?;
    match handle.get_text() {
        Ok(back) if back == text => Ok(()),
        Ok(_) => Err("the clipboard holds something else than was put there".into()),
        Err(error) => Err(format!(
            "the clipboard did not keep the text ({})",
            words(error)
        )),
    }
}

fn get(handle: &mut Option<arboard::Clipboard>) -> Result<Option<String>, String> {
    match open(handle)?.get_text() {
        Ok(text) => Ok(Some(text)),
        Err(arboard::Error::ContentNotAvailable) => Ok(None),
        Err(error) => Err(words(error)),
    }
}

fn open(handle: &mut Option<arboard::Clipboard>) -> Result<&mut arboard::Clipboard, String> {
    if handle.is_none() {
        socket_answers()?;
        *handle = Some(arboard::Clipboard::new().map_err(words)?);
    }
    handle.as_mut().ok_or_else(String::new)
}

/// The library's own text for a missing display speaks of a time-out that never was.
fn words(error: arboard::Error) -> String {
    match error {
        arboard::Error::ContentNotAvailable => "the clipboard holds no text",
        arboard::Error::ClipboardNotSupported => "the display server has no clipboard",
        arboard::Error::ClipboardOccupied => "another program holds the clipboard",
        arboard::Error::ConversionFailure => "the clipboard's text is no UTF-8",
        _ => "the display server could not be reached",
    }
    .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn env<'a>(pairs: &'a [(&'a str, &'a str)]) -> impl Fn(&str) -> Option<OsString> + 'a {
        move |name| {
            let pair = pairs.iter().find(|pair| pair.0 == name);
            pair.map(|pair| pair.1.into())
        }
    }

    #[test]
    fn the_environment_decides_on_the_route() {
        type Row<'a> = (Choice, &'a [(&'a str, &'a str)], &'a str);
        let rows: &[Row] = &[
            (Choice::Auto, &[], "terminal: there is no display server"),
            (Choice::Auto, &[("DISPLAY", ":0")], "X11"),
            (Choice::Auto, &[("DISPLAY", "unix:1.0")], "X11"),
            (
                Choice::Auto,
                &[("DISPLAY", "")],
                "terminal: there is no display server",
            ),
            (
                Choice::Auto,
                &[("DISPLAY", "10.0.0.7:0")],
                "terminal: the display is on another machine",
            ),
            (
                Choice::Native,
                &[
                    ("DISPLAY", "localhost:10.0"),
                    ("WAYLAND_DISPLAY", "wayland-0"),
                ],
                "terminal: the display is on another machine",
            ),
            (
                Choice::Auto,
                &[("DISPLAY", "host"), ("SSH_TTY", "/dev/pts/3")],
                "terminal: the clipboard is on the other end of the SSH connection",
            ),
            (
                Choice::Auto,
                &[("DISPLAY", ":0"), ("SSH_CONNECTION", "a 1 b 22")],
                "terminal: the clipboard is on the other end of the SSH connection",
            ),
            (
                Choice::Native,
                &[("DISPLAY", ":0"), ("SSH_CONNECTION", "a 1 b 22")],
                "X11",
            ),
            (Choice::Auto, &[("WAYLAND_DISPLAY", "wayland-0")], "Wayland"),
            (
                Choice::Auto,
                &[("WAYLAND_DISPLAY", "wayland-0"), ("DISPLAY", ":0")],
                "Wayland or X11",
            ),
            (
                Choice::Terminal,
                &[("DISPLAY", ":0")],
                "terminal: the configuration says so",
            ),
        ];
        for (choice, pairs, want) in rows {
            let got = match plan(*choice, false, env(pairs)) {
                Plan::Native(name) => name.to_owned(),
                Plan::Terminal(why) => format!("terminal: {why}"),
            };
            assert_eq!(got, *want, "{pairs:?}");
        }
        assert_eq!(plan(Choice::Auto, true, env(&[])), Plan::Native("macOS"));
    }

    #[test]
    fn sequences_are_wrapped_for_what_stands_between() {
        let long = "x".repeat(600);
        for (pairs, text, want) in [
            (&[][..], "{}", "\x1b]52;c;e30=\x07".to_owned()),
            (
                &[("TMUX", "/tmp/s,1,0"), ("TERM", "screen-256color")][..],
                "{}",
                "\x1b]52;c;e30=\x07\x1bPtmux;\x1b\x1b]52;c;e30=\x07\x1b\\".to_owned(),
            ),
            (
                &[("STY", "1.pts-0"), ("TERM", "screen")][..],
                long.as_str(),
                {
                    let plain = format!("\x1b]52;c;{}\x07", STANDARD.encode(&long));
                    let (first, second) = plain.split_at(500);
                    format!("\x1bP{first}\x1b\\\x1bP{second}\x1b\\")
                },
            ),
        ] {
            assert_eq!(osc52(text, wrap(env(pairs))), want.into_bytes());
        }
    }

    fn unreached(plan: Plan) -> Clipboard {
        let (out, _) = mpsc::sync_channel(1);
        Clipboard {
            plan,
            wrap: Wrap::Plain,
            out,
            thread: None,
            waiting: Vec::new(),
            serial: 0,
            holds: false,
        }
    }

    #[test]
    fn a_text_too_long_for_the_terminal_is_not_cut() {
        let mut clipboard = unreached(Plan::Terminal("there is no display server"));
        let id = EffectId(1);
        let fits = Arc::new("x".repeat(TERMINAL_LIMIT));
        let step = clipboard.put(id, fits, 0);
        assert_eq!(
            step.done,
            Some((id, Ok(Told::Sent("to the terminal (OSC 52)".into()))))
        );
        let long = Arc::new("x".repeat(TERMINAL_LIMIT + 1));
        let step = clipboard.put(id, long, 0);
        assert!(step.bytes.is_empty());
        assert_eq!(
            step.done,
            Some((id, Err("there is no display server, and a terminal takes at most 65536 B (OSC 52), not 65537".into())))
        );
    }

    #[test]
    fn a_display_server_that_never_answers_gives_way_to_the_terminal() {
        let mut clipboard = unreached(Plan::Native("X11"));
        // A thread that takes requests and says nothing.
        let (requests, _kept) = mpsc::channel();
        let (_end, ended) = mpsc::channel();
        clipboard.thread = Some((requests, ended));
        let id = EffectId(7);
        let text = Arc::new("{}".to_owned());
        assert_eq!(clipboard.put(id, text, 1000), Step::default());
        assert_eq!(clipboard.deadline(), Some(1900));
        assert_eq!(clipboard.expire(1899), Step::default());
        let step = clipboard.expire(1900);
        assert_eq!(step.bytes, b"\x1b]52;c;e30=\x07");
        assert_eq!(
            step.done,
            Some((id, Ok(Told::Sent("to the terminal (OSC 52)".into()))))
        );
        // The late answer changes nothing.
        let late = Answer {
            serial: 1,
            result: Ok(None),
        };
        assert_eq!(clipboard.answer(late), Step::default());
        assert_eq!(clipboard.deadline(), None);
    }

    #[test]
    fn an_answer_names_the_route() {
        let mut clipboard = unreached(Plan::Native("X11"));
        let (requests, _kept) = mpsc::channel();
        let (_end, ended) = mpsc::channel();
        clipboard.thread = Some((requests, ended));
        let text = Arc::new("{}".to_owned());
        clipboard.put(EffectId(1), text, 0);
        let step = clipboard.answer(Answer {
            serial: 1,
            result: Ok(None),
        });
        assert_eq!(
            step.done,
            Some((EffectId(1), Ok(Told::Copied("clipboard: X11".into()))))
        );
        assert!(clipboard.holds);
    }
}
