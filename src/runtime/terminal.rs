//! The terminal device: opened apart from stdin and stdout, switched over, and always switched back.
//!
//! One place holds the modes of the terminal, since three parties must be able to restore them: the run loop at the
//! end, the panic hook in whatever thread it runs, and the watchdog of the signals when the run loop is stuck.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::sync::{Mutex, MutexGuard, OnceLock, TryLockError};
use std::time::{Duration, Instant};

use rustix::fs::OFlags;
use rustix::termios::{OptionalActions, Termios};

/// The screen is a second one beside the shell's.
const ALTERNATE: &[u8] = b"\x1b[?1049h";

/// What that screen is switched to: keys told apart (`esc` from the start of a sequence), bracketed paste, buttons and
/// drags of the mouse in the wide form, focus reports, a bar for a cursor, and the question whether pastes are marked now
/// (before the clearing: some terminals print what they do not know). The keyboard flags are a stack that belongs to
/// the alternate screen; what may be there of ours is taken off first.
const MODES: &[u8] = b"\x1b[<1u\x1b[>1u\x1b[?2004h\x1b[?1000h\x1b[?1002h\x1b[?1006h\x1b[?1004h\x1b[6 q\x1b[?25l\x1b[?2004$p\x1b[2J";

/// Everything back, in the reverse order; also an open synchronized update, colours, the scroll region and the cursor's shape.
const LEAVE: &[u8] = b"\x1b[?2026l\x1b[0m\x1b[r\x1b[?1004l\x1b[?1006l\x1b[?1002l\x1b[?1000l\x1b[?2004l\x1b[<1u\x1b[0 q\x1b[?25h\x1b[?1049l";

static DEVICE: OnceLock<Device> = OnceLock::new();

/// The terminal that the screen is drawn on.
#[derive(Debug)]
pub struct Device {
    file: File,
    /// Whether the terminal is switched over; nothing is written while it is not. Held while bytes are written, so that no
    /// half frame follows the restoring.
    entered: Mutex<bool>,
    /// The modes to go back to. Never held for long: they must be at hand also while a write is stuck.
    cooked: Mutex<Option<Termios>>,
}

/// Opens the terminal device of this process; later calls give the same one.
pub fn device() -> io::Result<&'static Device> {
    if let Some(device) = DEVICE.get() {
        return Ok(device);
    }
    let file = open(OFlags::empty())?;
    if !rustix::termios::isatty(&file) {
        return Err(io::Error::from(io::ErrorKind::NotFound));
    }
    Ok(DEVICE.get_or_init(|| Device {
        file,
        entered: Mutex::new(false),
        cooked: Mutex::new(None),
    }))
}

/// A second way to the same terminal, for reading keys without blocking.
pub fn open_for_keys() -> io::Result<File> {
    open(OFlags::NONBLOCK)
}

/// `/dev/tty`, or the terminal that one of the standard streams is: some systems cannot poll the former.
fn open(extra: OFlags) -> io::Result<File> {
    let flags = (OFlags::NOCTTY | OFlags::CLOEXEC | extra).bits() as i32;
    let mut options = OpenOptions::new();
    options.read(true).write(true).custom_flags(flags);
    if !cfg!(target_os = "macos")
        && let Ok(file) = options.open("/dev/tty")
    {
        return Ok(file);
    }
    let (stdin, stdout, stderr) = (io::stdin(), io::stdout(), io::stderr());
    let name = rustix::termios::ttyname(&stderr, Vec::new())
        .or_else(|_| rustix::termios::ttyname(&stdin, Vec::new()))
        .or_else(|_| rustix::termios::ttyname(&stdout, Vec::new()));
    match name.ok().and_then(|name| name.into_string().ok()) {
        Some(name) => options.open(name),
        None => options.open("/dev/tty"),
    }
}

/// Switches the terminal back if it is switched over. Never waits long: the lock may be held by a thread that is stuck
/// in a write, or by the one that panics.
pub fn restore() {
    let Some(device) = DEVICE.get() else { return };
    match device.entered_within(Duration::from_millis(300)) {
        Some(mut entered) => drop(device.leave_with(&mut entered)),
        None => drop(device.set_cooked()),
    }
}

impl Device {
    /// Switches the terminal over. The caller made sure that the process owns the terminal.
    pub fn enter(&self) -> io::Result<()> {
        let mut entered = lock(&self.entered);
        let mut cooked = lock(&self.cooked);
        if !*entered || cooked.is_none() {
            *cooked = Some(rustix::termios::tcgetattr(&self.file)?);
        }
        if let Some(mut raw) = cooked.clone() {
            raw.make_raw();
            rustix::termios::tcsetattr(&self.file, OptionalActions::Now, &raw)?;
        }
        // If somebody else stopped the process and continued it, it was never left: a second switch would forget
        // where the shell's cursor stands.
        if !std::mem::replace(&mut *entered, true) {
            (&self.file).write_all(ALTERNATE)?;
        }
        (&self.file).write_all(MODES)
    }

    /// Switches the terminal back.
    pub fn leave(&self) -> io::Result<()> {
        self.leave_with(&mut lock(&self.entered))
    }

    fn leave_with(&self, entered: &mut bool) -> io::Result<()> {
        if !std::mem::take(entered) {
            return Ok(());
        }
        let written = (&self.file).write_all(LEAVE);
        self.set_cooked()?;
        written
    }

    fn set_cooked(&self) -> io::Result<()> {
        if let Some(cooked) = &*lock(&self.cooked) {
            rustix::termios::tcsetattr(&self.file, OptionalActions::Now, cooked)?;
        }
        Ok(())
    }

    /// Writes a frame, all or nothing as far as the restoring is concerned.
    pub fn write(&self, bytes: &[u8]) -> io::Result<()> {
        let entered = lock(&self.entered);
        if !*entered {
            return Ok(());
        }
        (&self.file).write_all(bytes)
    }

    /// Columns and rows. A terminal that does not know them is taken as 80 by 24.
    pub fn size(&self) -> io::Result<(u16, u16)> {
        let size = rustix::termios::tcgetwinsize(&self.file)?;
        match (size.ws_col, size.ws_row) {
            (0, _) | (_, 0) => Ok((80, 24)),
            size => Ok(size),
        }
    }

    /// The open file, for questions about process groups and for a child that takes the terminal over.
    pub fn file(&self) -> &File {
        &self.file
    }

    fn entered_within(&self, limit: Duration) -> Option<MutexGuard<'_, bool>> {
        let start = Instant::now();
        loop {
            match self.entered.try_lock() {
                Ok(entered) => return Some(entered),
                Err(TryLockError::Poisoned(broken)) => return Some(broken.into_inner()),
                Err(TryLockError::WouldBlock) if start.elapsed() < limit => {
                    std::thread::sleep(Duration::from_millis(10));
                }
                Err(TryLockError::WouldBlock) => return None,
            }
        }
    }
}

/// A thread that panicked with the lock left a plain value behind, so it is as good as before.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|broken| broken.into_inner())
}
