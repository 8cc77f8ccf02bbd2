//! A terminal for the real program: starts it in a pty, reads its screen, types, and waits for what must come.

// Each test program uses its part of this.
#![allow(dead_code)]

pub mod picture;
pub mod tmux;

use std::ffi::OsString;
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, SlavePty, native_pty_system};
use rustix::process::{Pid, Signal, kill_process};

/// How long anything may take before the test fails. Never slept through: each wait ends with what it waits for.
const LIMIT: Duration = Duration::from_secs(20);

/// The program under test.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_jsonmedic");

/// How to start.
pub struct Setup {
    pub columns: u16,
    pub rows: u16,
    /// The command line; its first word is the program.
    pub command: Vec<OsString>,
    pub env: Vec<(String, String)>,
    /// Whether the terminal shows what is typed while no program has switched that off.
    pub echo: bool,
    /// The home folder, with a configuration that asks the terminal nothing.
    pub home: Home,
}

/// A home folder of a test, removed with it.
pub struct Home(tempfile::TempDir);

impl Home {
    pub fn new() -> Home {
        let home = Home(tempfile::tempdir().expect("a temporary folder can be made"));
        home.put(".config/jsonmedic/config.toml", "theme = \"dark\"\n");
        // Whatever a shell in the terminal switches on is not ours.
        home.put(".inputrc", "set enable-bracketed-paste off\n");
        home
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file below it.
    pub fn put(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path().join(name);
        let folder = path.parent().expect("a name below the folder");
        std::fs::create_dir_all(folder).expect("the folder can be made");
        std::fs::write(&path, text).expect("the file can be written");
        path
    }

    /// Names below the state folder.
    pub fn state(&self, folder: &str) -> Vec<String> {
        let path = self.path().join(".local/state/jsonmedic").join(folder);
        let Ok(entries) = std::fs::read_dir(path) else {
            return Vec::new();
        };
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        names.collect()
    }
}

impl Setup {
    /// The program with these arguments at 80 by 24.
    pub fn program(arguments: &[&str]) -> Setup {
        let words = std::iter::once(PROGRAM).chain(arguments.iter().copied());
        Setup::command(&words.collect::<Vec<_>>())
    }

    /// A shell line, in which `$JSONMEDIC` is the program.
    pub fn shell(line: &str) -> Setup {
        Setup::command(&["/bin/sh", "-c", line])
    }

    pub fn command(words: &[&str]) -> Setup {
        Setup::command_os(words.iter().map(Into::into).collect())
    }

    /// As [`Setup::command`], for words that are no UTF-8.
    pub fn command_os(command: Vec<OsString>) -> Setup {
        Setup {
            columns: 80,
            rows: 24,
            command,
            env: Vec::new(),
            echo: true,
            home: Home::new(),
        }
    }

    pub fn size(mut self, columns: u16, rows: u16) -> Setup {
        (self.columns, self.rows) = (columns, rows);
        self
    }

    pub fn env(mut self, name: &str, value: &str) -> Setup {
        self.env.push((name.into(), value.into()));
        self
    }

    pub fn home(mut self, home: Home) -> Setup {
        self.home = home;
        self
    }

    /// On a terminal that never shows by itself what is typed: whatever comes is the program's.
    pub fn silent(mut self) -> Setup {
        self.echo = false;
        self
    }

    pub fn start(self) -> Tty {
        Tty::start(self)
    }
}

/// What the terminal has seen so far.
struct Seen {
    parser: vt100::Parser,
    raw: Vec<u8>,
    /// Whether nobody reads any more.
    ended: bool,
    /// Whether the reading is to end with the next bytes.
    closing: bool,
}

/// A running program and the terminal before it.
pub struct Tty {
    pub home: Home,
    child: Box<dyn Child + Send + Sync>,
    master: Option<Box<dyn MasterPty + Send>>,
    /// Kept open, so that the modes can be read when the program is gone.
    slave: Option<Box<dyn SlavePty + Send>>,
    writer: Arc<Mutex<Option<Box<dyn Write + Send>>>>,
    seen: Arc<(Mutex<Seen>, Condvar)>,
    modes: String,
}

impl Tty {
    fn start(setup: Setup) -> Tty {
        let size = PtySize {
            rows: setup.rows,
            cols: setup.columns,
            pixel_width: 0,
            pixel_height: 0,
        };
        let pair = native_pty_system().openpty(size).expect("a pty");
        let mut command = CommandBuilder::from_argv(setup.command);
        command.env_clear();
        let home = setup.home.path().to_string_lossy().into_owned();
        let fixed = [
            ("PATH", "/usr/local/bin:/usr/bin:/bin"),
            ("TERM", "xterm-256color"),
            ("LANG", "C.UTF-8"),
            ("HOME", &home),
            ("JSONMEDIC", PROGRAM),
            // A shell in the terminal keeps no history and says little.
            ("PS1", "$ "),
            ("HISTFILE", ""),
        ];
        for (name, value) in fixed {
            command.env(name, value);
        }
        for (name, value) in &setup.env {
            command.env(name, value);
        }
        command.cwd(setup.home.path());
        if !setup.echo {
            let name = pair.master.tty_name().expect("a pty has a name");
            let device = std::fs::File::open(name).expect("it can be opened");
            let mut modes = rustix::termios::tcgetattr(&device).expect("it has modes");
            modes.local_modes.remove(rustix::termios::LocalModes::ECHO);
            rustix::termios::tcsetattr(&device, rustix::termios::OptionalActions::Now, &modes)
                .expect("modes can be set");
        }
        let modes = format!("{:?}", pair.master.get_termios());
        let mut reader = pair.master.try_clone_reader().expect("a reader");
        let writer = pair.master.take_writer().expect("a writer");
        let writer = Arc::new(Mutex::new(Some(writer)));
        let child = pair
            .slave
            .spawn_command(command)
            .expect("the program starts");
        let seen = Seen {
            parser: vt100::Parser::new(rows(setup.rows), rows(setup.columns), 0),
            raw: Vec::new(),
            ended: false,
            closing: false,
        };
        let seen = Arc::new((Mutex::new(seen), Condvar::new()));
        let (theirs, answers) = (Arc::clone(&seen), Arc::clone(&writer));
        std::thread::spawn(move || {
            let mut buffer = [0; 1 << 16];
            while let Ok(count @ 1..) = reader.read(&mut buffer) {
                let bytes = &buffer[..count];
                let mut seen = lock(&theirs.0);
                if seen.closing {
                    break;
                }
                seen.raw.extend_from_slice(bytes);
                seen.parser.process(bytes);
                drop(seen);
                theirs.1.notify_all();
                // Whoever asks for the cursor gets an answer.
                if bytes.windows(4).any(|four| four == b"\x1b[6n")
                    && let Some(writer) = lock(&answers).as_mut()
                {
                    let _ = writer.write_all(b"\x1b[1;1R");
                }
            }
            drop(reader);
            lock(&theirs.0).ended = true;
            theirs.1.notify_all();
        });
        Tty {
            home: setup.home,
            child,
            master: Some(pair.master),
            slave: Some(pair.slave),
            writer,
            seen,
            modes,
        }
    }

    /// Sends bytes as if typed, in one write.
    pub fn send(&self, bytes: &[u8]) {
        let mut writer = lock(&self.writer);
        let writer = writer.as_mut().expect("the terminal is open");
        writer.write_all(bytes).expect("the terminal takes bytes");
        writer.flush().expect("the terminal takes bytes");
    }

    /// Types keys one after the other, each seen by the program on its own: so they are never a paste.
    pub fn keys(&self, text: &str) {
        for key in text.split_inclusive(|_| true) {
            let before = self.frames();
            self.send(key.as_bytes());
            self.wait_for(&format!("a frame after the key {key:?}"), |seen| {
                before < frames(&seen.raw)
            });
        }
    }

    /// A paste as terminals bracket it.
    pub fn paste(&self, text: &str) {
        self.send(format!("\x1b[200~{text}\x1b[201~").as_bytes());
    }

    /// Waits until the screen shows `text`.
    pub fn wait(&self, text: &str) {
        self.wait_for(&format!("{text:?}"), |seen| {
            seen.parser.screen().contents().contains(text)
        });
    }

    /// Waits until the screen does not show `text`.
    pub fn wait_gone(&self, text: &str) {
        self.wait_for(&format!("no {text:?}"), |seen| {
            !seen.parser.screen().contents().contains(text)
        });
    }

    /// Waits until the screen holds what `holds` asks for.
    pub fn wait_screen(&self, what: &str, holds: impl Fn(&vt100::Screen) -> bool) {
        self.wait_for(what, |seen| holds(seen.parser.screen()));
    }

    /// Waits until these bytes have come, wherever they went.
    pub fn wait_raw(&self, bytes: &[u8]) {
        self.wait_for(&bytes.escape_ascii().to_string(), |seen| {
            seen.raw.windows(bytes.len()).any(|part| part == bytes)
        });
    }

    fn wait_for(&self, what: &str, holds: impl Fn(&Seen) -> bool) {
        let start = Instant::now();
        let mut seen = lock(&self.seen.0);
        while !holds(&seen) {
            let left = LIMIT.saturating_sub(start.elapsed());
            if left.is_zero() || seen.ended {
                panic!(
                    "waited for {what}; the screen:\n{}\nthe last bytes: {}",
                    seen.parser.screen().contents(),
                    seen.raw[seen.raw.len().saturating_sub(400)..].escape_ascii()
                );
            }
            let waited = self.seen.1.wait_timeout(seen, left);
            seen = waited.unwrap_or_else(|broken| broken.into_inner()).0;
        }
    }

    /// What the screen shows now.
    pub fn contents(&self) -> String {
        lock(&self.seen.0).parser.screen().contents()
    }

    /// All bytes that have come so far.
    pub fn raw(&self) -> Vec<u8> {
        lock(&self.seen.0).raw.clone()
    }

    /// The screen once nothing comes any more for a moment.
    pub fn still(&self) -> vt100::Screen {
        let mut seen = lock(&self.seen.0);
        loop {
            let before = seen.raw.len();
            let waited = self.seen.1.wait_timeout(seen, Duration::from_millis(300));
            seen = waited.unwrap_or_else(|broken| broken.into_inner()).0;
            if seen.raw.len() == before {
                return seen.parser.screen().clone();
            }
        }
    }

    /// Waits until nothing has come for a moment that a busy program may need.
    pub fn pause(&self) {
        let mut seen = lock(&self.seen.0);
        loop {
            let before = seen.raw.len();
            let waited = self.seen.1.wait_timeout(seen, Duration::from_millis(30));
            seen = waited.unwrap_or_else(|broken| broken.into_inner()).0;
            if seen.raw.len() == before {
                return;
            }
        }
    }

    /// Of a program that has ended: waits for its last bytes, which a closed terminal marks.
    pub fn drain(&mut self) {
        self.slave.take();
        let mut seen = lock(&self.seen.0);
        while !seen.ended {
            let waited = self.seen.1.wait_timeout(seen, LIMIT);
            let (still, timeout) = waited.unwrap_or_else(|broken| broken.into_inner());
            assert!(!timeout.timed_out(), "the terminal stays open");
            seen = still;
        }
    }

    /// The home folder, for the next program.
    pub fn take_home(&mut self) -> Home {
        std::mem::replace(&mut self.home, Home::new())
    }

    /// The screen as it is now.
    pub fn screen(&self) -> vt100::Screen {
        lock(&self.seen.0).parser.screen().clone()
    }

    /// How many frames were drawn.
    pub fn frames(&self) -> usize {
        frames(&lock(&self.seen.0).raw)
    }

    /// Waits until more frames were drawn than these.
    pub fn wait_frame(&self, before: usize) {
        self.wait_for("a frame", |seen| before < frames(&seen.raw));
    }

    pub fn resize(&self, columns: u16, lines: u16) {
        lock(&self.seen.0)
            .parser
            .screen_mut()
            .set_size(rows(lines), rows(columns));
        let master = self.master.as_ref().expect("the terminal is open");
        let size = PtySize {
            rows: lines,
            cols: columns,
            pixel_width: 0,
            pixel_height: 0,
        };
        master.resize(size).expect("the size can be set");
    }

    pub fn pid(&self) -> Pid {
        let pid = self.child.process_id().expect("the program runs");
        Pid::from_raw(pid as i32).expect("a process id is not 0")
    }

    pub fn signal(&self, signal: Signal) {
        kill_process(self.pid(), signal).expect("the program runs");
    }

    /// Closes the window: no more reading, no more writing, no more terminal.
    pub fn close(&mut self) {
        lock(&self.seen.0).closing = true;
        // The reader wakes up with the next frame.
        self.resize(81, 25);
        let mut seen = lock(&self.seen.0);
        while !seen.ended {
            let waited = self.seen.1.wait_timeout(seen, LIMIT);
            let (still, timeout) = waited.unwrap_or_else(|broken| broken.into_inner());
            assert!(!timeout.timed_out(), "no frame after a new size");
            seen = still;
        }
        drop(seen);
        lock(&self.writer).take();
        self.slave.take();
        self.master.take();
    }

    /// Ends it with these bytes, sent again as long as they are not heard: an editor may have the terminal.
    pub fn end_by(&mut self, bytes: &[u8]) -> u32 {
        let start = Instant::now();
        loop {
            self.send(bytes);
            let sent = Instant::now();
            while sent.elapsed() < Duration::from_millis(500) {
                let ended = self.child.try_wait().expect("it can be waited for");
                if ended.is_some() || LIMIT < start.elapsed() {
                    return self.end();
                }
                std::thread::sleep(Duration::from_millis(5));
            }
        }
    }

    /// Waits for the end; the exit status.
    pub fn end(&mut self) -> u32 {
        let start = Instant::now();
        loop {
            if let Some(status) = self
                .child
                .try_wait()
                .expect("the program can be waited for")
            {
                return status.exit_code();
            }
            if LIMIT < start.elapsed() {
                let raw = self.raw();
                panic!(
                    "the program does not end; the screen:\n{}\nthe last bytes: {}",
                    self.contents(),
                    raw[raw.len().saturating_sub(400)..].escape_ascii()
                );
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Whether the terminal is as it was before the program.
    pub fn assert_restored(&self) {
        self.wait_screen("the main screen", |screen| !screen.alternate_screen());
        let screen = self.screen();
        assert!(!screen.bracketed_paste(), "bracketed paste is off");
        assert!(!screen.hide_cursor(), "the cursor is shown");
        let mouse = screen.mouse_protocol_mode();
        assert_eq!(mouse, vt100::MouseProtocolMode::None, "the mouse is off");
        let raw = self.raw();
        for (on, off) in [
            ("\x1b[>1u", "\x1b[<1u"),
            ("\x1b[?1004h", "\x1b[?1004l"),
            ("\x1b[6 q", "\x1b[0 q"),
            ("\x1b[?2026h", "\x1b[?2026l"),
        ] {
            let last = |text: &str| {
                raw.windows(text.len())
                    .rposition(|part| part == text.as_bytes())
            };
            assert!(last(on) < last(off), "{off:?} after {on:?}");
        }
        self.assert_modes();
    }

    /// Whether the line discipline is as it was.
    pub fn assert_modes(&self) {
        let master = self.master.as_ref().expect("the terminal is open");
        assert_eq!(format!("{:?}", master.get_termios()), self.modes);
    }
}

/// What a terminal sends for a key of the key table.
pub fn key_bytes(word: &str) -> Vec<u8> {
    let named = [
        ("esc", "\x1b"),
        ("enter", "\r"),
        ("tab", "\t"),
        ("shift-tab", "\x1b[Z"),
        ("space", " "),
        ("up", "\x1b[A"),
        ("down", "\x1b[B"),
        ("right", "\x1b[C"),
        ("left", "\x1b[D"),
        ("home", "\x1b[H"),
        ("end", "\x1b[F"),
        ("pgup", "\x1b[5~"),
        ("pgdn", "\x1b[6~"),
        ("F1", "\x1bOP"),
        ("F5", "\x1b[15~"),
    ];
    if let Some((_, bytes)) = named.iter().find(|(name, _)| *name == word) {
        return bytes.as_bytes().to_vec();
    }
    match word.strip_prefix("ctrl-") {
        Some(letter) => vec![letter.as_bytes()[0] & 0x1f],
        None => word.as_bytes().to_vec(),
    }
}

/// Waits until a process is stopped by a signal.
pub fn wait_stopped(pid: Pid) {
    let stat = format!("/proc/{}/stat", pid.as_raw_nonzero());
    let start = Instant::now();
    loop {
        let line = std::fs::read_to_string(&stat).unwrap_or_default();
        let state = line
            .rsplit_once(')')
            .and_then(|(_, rest)| rest.trim().chars().next());
        if state == Some('T') {
            return;
        }
        assert!(start.elapsed() < LIMIT, "not stopped: {line}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

impl Drop for Tty {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn frames(raw: &[u8]) -> usize {
    let end = b"\x1b[?2026l";
    raw.windows(end.len()).filter(|part| part == end).count()
}

fn rows(number: u16) -> NonZeroU16 {
    NonZeroU16::new(number).expect("a screen has rows and columns")
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|broken| broken.into_inner())
}
