//! Reading one text: a regular file, or standard input.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

use super::words;
use crate::visible::visible_bytes;

/// A text as it was read.
#[derive(Debug)]
pub(super) struct Input {
    /// How messages name it.
    pub name: String,
    /// What was read.
    pub bytes: Vec<u8>,
}

/// Places are 32-bit, and a longer text is not held in memory to be refused.
const LIMIT: u64 = u32::MAX as u64;

/// Reads `path`, or standard input for none and for `-`.
pub(super) fn read(path: Option<&Path>) -> Result<Input, String> {
    let Some(path) = path.filter(|path| *path != Path::new("-")) else {
        let bytes = read_all(io::stdin().lock(), 0)
            .map_err(|error| format!("standard input: {}", words(&error)))?;
        let name = "stdin".to_owned();
        return Ok(Input { name, bytes });
    };
    let name = visible_bytes(path.as_os_str().as_encoded_bytes());
    let bytes = read_file(path).map_err(|why| format!("{name}: {why}"))?;
    Ok(Input { name, bytes })
}

/// Reads a regular file, or an open descriptor by its name: a shell's `<(...)` is one.
pub(super) fn read_file(path: &Path) -> Result<Vec<u8>, String> {
    let file = open(path).map_err(|error| words(&error))?;
    let about = file.metadata().map_err(|error| words(&error))?;
    let descriptor = ["/dev/fd", "/proc/self/fd", "/dev/stdin"]
        .iter()
        .any(|folder| path.starts_with(folder));
    if about.is_dir() {
        return Err(
            "expected a file, found a folder; `jsonmedic scan` reads folders of logs".into(),
        );
    }
    if !about.is_file() && !descriptor {
        return Err(
            "expected a regular file, found a pipe, socket or device; use standard input".into(),
        );
    }
    read_all(file, about.len()).map_err(|error| words(&error))
}

/// A named pipe without a writer must not hang the program, so nothing blocks on opening.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    if !path.starts_with("/dev") && !path.starts_with("/proc/self/fd") {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32);
    }
    options.open(path)
}

fn read_all(source: impl Read, size: u64) -> io::Result<Vec<u8>> {
    let too_large = || Err(io::Error::other("texts over 4 GiB are not read"));
    if LIMIT < size {
        return too_large();
    }
    // The size is a hint: a file may grow while it is read.
    let mut bytes = Vec::with_capacity(size as usize + 1);
    source.take(LIMIT + 1).read_to_end(&mut bytes)?;
    if LIMIT < bytes.len() as u64 {
        return too_large();
    }
    Ok(bytes)
}
