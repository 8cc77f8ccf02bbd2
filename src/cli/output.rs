//! Writing results: to standard output, with stand-ins where that is a terminal.

use std::io::{self, BufWriter, IsTerminal, Write};

use crate::visible::{stand_in, visible_bytes};

/// Room for small pieces; larger ones pass it by.
const ROOM: usize = 64 * 1024;

/// Standard output, for any thread.
pub(super) type Out = BufWriter<Box<dyn Write + Send>>;

/// Standard output without line buffering: a result is one run of bytes, not lines.
pub(super) fn stdout() -> io::Result<Out> {
    #[cfg(unix)]
    let out: Box<dyn Write + Send> = {
        use std::os::fd::AsFd;
        let own = io::stdout().as_fd().try_clone_to_owned()?;
        Box::new(std::fs::File::from(own))
    };
    #[cfg(not(unix))]
    let out: Box<dyn Write + Send> = Box::new(io::stdout());
    Ok(BufWriter::with_capacity(ROOM, out))
}

/// Writes text to standard output. A pipe gets the bytes; a terminal gets stand-ins for what it would act on.
pub(super) struct Screen {
    out: Out,
    is_terminal: bool,
}

impl Screen {
    pub(super) fn new() -> io::Result<Screen> {
        Ok(Screen {
            out: stdout()?,
            is_terminal: io::stdout().is_terminal(),
        })
    }

    pub(super) fn put(&mut self, text: &str) -> io::Result<()> {
        if !self.is_terminal {
            return self.out.write_all(text.as_bytes());
        }
        let mut kept = 0;
        for (at, character) in text.char_indices() {
            // Line breaks and tabs are the layout of the result.
            let Some(sign) = stand_in(character).filter(|_| !matches!(character, '\n' | '\t'))
            else {
                continue;
            };
            self.out.write_all(&text.as_bytes()[kept..at])?;
            self.out.write_all(sign.as_bytes())?;
            kept = at + character.len_utf8();
        }
        self.out.write_all(&text.as_bytes()[kept..])
    }

    /// The source unchanged, whatever bytes it holds.
    pub(super) fn put_bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        if !self.is_terminal {
            return self.out.write_all(bytes);
        }
        for chunk in bytes.utf8_chunks() {
            self.put(chunk.valid())?;
            self.out
                .write_all(visible_bytes(chunk.invalid()).as_bytes())?;
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> io::Result<()> {
        self.out.flush()
    }
}
