//! Writing results: to standard output, with stand-ins where that is a terminal, or to a file by rename.

use std::fs;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;

use super::words;
use crate::visible::{stand_in, visible_bytes};

/// Room for small pieces; larger ones pass it by.
const ROOM: usize = 64 * 1024;

/// Standard output without line buffering: a result is one run of bytes, not lines.
pub(super) fn stdout() -> io::Result<BufWriter<Box<dyn Write>>> {
    #[cfg(unix)]
    let out: Box<dyn Write> = {
        use std::os::fd::AsFd;
        let own = io::stdout().as_fd().try_clone_to_owned()?;
        Box::new(fs::File::from(own))
    };
    #[cfg(not(unix))]
    let out: Box<dyn Write> = Box::new(io::stdout().lock());
    Ok(BufWriter::with_capacity(ROOM, out))
}

/// Writes text to standard output. A pipe gets the bytes; a terminal gets stand-ins for what it would act on.
pub(super) struct Screen {
    out: BufWriter<Box<dyn Write>>,
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

/// Writes `path` so that it holds either its old content or all of the new one, also when the machine stops: to a
/// file beside it that only the user can read, onto the disk, then by rename. A file that is replaced keeps its
/// mode, and a link its target.
pub(super) fn write_file(
    path: &Path,
    content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), String> {
    let fail = |why: &str| {
        format!(
            "{}: {why}",
            visible_bytes(path.as_os_str().as_encoded_bytes())
        )
    };
    let old = fs::metadata(path).ok();
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        return Err(fail(
            "expected a regular file to replace, found a folder, pipe or device",
        ));
    }
    let target = match old {
        Some(_) => fs::canonicalize(path).map_err(|error| fail(&words(&error)))?,
        None => path.to_owned(),
    };
    let folder = match target.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let write = || -> io::Result<()> {
        let mut fresh = tempfile::Builder::new()
            .prefix(".jsonmedic-")
            .tempfile_in(folder)?;
        let mut room = BufWriter::with_capacity(ROOM, fresh.as_file_mut());
        content(&mut room)?;
        room.flush()?;
        drop(room);
        if let Some(old) = &old {
            fresh.as_file().set_permissions(old.permissions())?;
        }
        fresh.as_file().sync_all()?;
        fresh.persist(&target).map_err(|error| error.error)?;
        // Not every file system lets a folder be synced; the content is safe already.
        if let Ok(folder) = fs::File::open(folder) {
            let _ = folder.sync_all();
        }
        Ok(())
    };
    write().map_err(|error| fail(&words(&error)))
}
