//! Files of the user and of the program itself: read only what is a file, written whole or not at all.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, BufWriter, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

use crate::visible::visible_bytes;

/// Room for small pieces; larger ones pass it by.
const ROOM: usize = 64 * 1024;

/// Places are 32-bit, and a longer text is not held in memory to be refused.
const LIMIT: u64 = u32::MAX as u64;

/// Reads a regular file, or an open descriptor by its name: a shell's `<(...)` is one.
pub fn read_file(path: &Path) -> Result<Vec<u8>, String> {
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
pub fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    if !path.starts_with("/dev") && !path.starts_with("/proc/self/fd") {
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32);
    }
    options.open(path)
}

/// Everything that `source` gives; `size` is a hint, since a file may grow while it is read.
pub fn read_all(source: impl Read, size: u64) -> io::Result<Vec<u8>> {
    let too_large = || Err(io::Error::other("texts over 4 GiB are not read"));
    if LIMIT < size {
        return too_large();
    }
    let mut bytes = Vec::with_capacity(size as usize + 1);
    source.take(LIMIT + 1).read_to_end(&mut bytes)?;
    if LIMIT < bytes.len() as u64 {
        return too_large();
    }
    Ok(bytes)
}

/// Writes `path` so that it holds either its old content or all of the new one, also when the machine stops: to a
/// file beside it that only the user can read, onto the disk, then by rename. A file that is replaced keeps its
/// mode, and a link its target.
pub fn write_file(
    path: &Path,
    content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), String> {
    let old = fs::metadata(path).ok();
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        return Err("expected a regular file to replace, found a folder, pipe or device".into());
    }
    let target = match old {
        Some(_) => fs::canonicalize(path).map_err(|error| words(&error))?,
        None => path.to_owned(),
    };
    let folder = match target.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let write = || -> io::Result<()> {
        // Errors of the builder name its own file, of which the user knows nothing; the system's own do not.
        let mut trouble = None;
        let fresh = tempfile::Builder::new()
            .prefix(".jsonmedic-")
            .make_in(folder, |path| {
                let mut options = OpenOptions::new();
                options.read(true).write(true).create_new(true).mode(0o600);
                options
                    .open(path)
                    .inspect_err(|error| trouble = error.raw_os_error())
            });
        let mut fresh = match trouble {
            Some(number) if fresh.is_err() => return Err(io::Error::from_raw_os_error(number)),
            _ => fresh?,
        };
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
        if let Ok(folder) = File::open(folder) {
            let _ = folder.sync_all();
        }
        Ok(())
    };
    write().map_err(|error| words(&error))
}

/// The folder for what outlives a run, made for the user alone if it is not there.
pub fn state_folder() -> Result<PathBuf, String> {
    let base = etcetera::base_strategy::Xdg::new()
        .map_err(|_| "there is no home folder (HOME is not set)".to_owned())?;
    let folder = base
        .state_dir()
        .unwrap_or_else(|| base.data_dir())
        .join("jsonmedic");
    private_folder(&folder)?;
    Ok(folder)
}

/// The configuration file, whether it is there or not.
pub fn config_file() -> Option<PathBuf> {
    let base = etcetera::base_strategy::Xdg::new().ok()?;
    Some(base.config_dir().join("jsonmedic").join("config.toml"))
}

/// Makes a folder that only the user can look into.
pub fn private_folder(folder: &Path) -> Result<(), String> {
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)
        .map_err(|error| format!("{}: {}", shown(folder), words(&error)))
}

/// Adds a line to a file that only the user can read.
pub fn append_private(path: &Path, line: &str) -> io::Result<()> {
    let mut file = OpenOptions::new()
        .append(true)
        .create(true)
        .mode(0o600)
        .open(path)?;
    file.write_all(line.as_bytes())
}

/// A path as messages show it.
pub fn shown(path: &Path) -> String {
    visible_bytes(path.as_os_str().as_encoded_bytes())
}

/// An error of the system as this program says things: lower case, without its number.
pub fn words(error: &io::Error) -> String {
    let words = error.to_string();
    let words = match error.raw_os_error() {
        Some(number) => words
            .strip_suffix(&format!(" (os error {number})"))
            .unwrap_or(&words),
        None => &words,
    };
    let mut characters = words.chars();
    let first = characters.next().map(|first| first.to_ascii_lowercase());
    first.into_iter().chain(characters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn only_files_are_read() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let pipe = folder.path().join("pipe");
        rustix::fs::mknodat(
            rustix::fs::CWD,
            &pipe,
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR,
            0,
        )?;
        let file = folder.path().join("file");
        fs::write(&file, "text")?;
        for (path, want) in [
            (&file, Ok(b"text".to_vec())),
            (
                &pipe,
                Err(
                    "expected a regular file, found a pipe, socket or device; use standard input"
                        .into(),
                ),
            ),
            (
                &folder.path().to_owned(),
                Err(
                    "expected a file, found a folder; `jsonmedic scan` reads folders of logs"
                        .into(),
                ),
            ),
            (
                &folder.path().join("none"),
                Err("no such file or directory".into()),
            ),
        ] {
            assert_eq!(read_file(path), want);
        }
        Ok(())
    }

    #[test]
    fn a_failed_write_leaves_the_old_file_whole() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("result.json");
        fs::write(&file, "old")?;
        let failed = write_file(&file, |out| {
            out.write_all(b"half of the new")?;
            Err(io::Error::other("disk full"))
        });
        assert_eq!(failed, Err("disk full".into()));
        assert_eq!(fs::read(&file)?, b"old");
        assert_eq!(
            fs::read_dir(folder.path())?.count(),
            1,
            "nothing is left behind"
        );
        Ok(())
    }

    #[test]
    fn new_files_are_private_and_old_ones_keep_their_mode() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let mode = |path: &Path| fs::metadata(path).map(|about| about.permissions().mode() & 0o777);
        let fresh = folder.path().join("fresh");
        assert_eq!(write_file(&fresh, |out| out.write_all(b"new")), Ok(()));
        assert_eq!(mode(&fresh)?, 0o600);
        let old = folder.path().join("old");
        fs::write(&old, "old")?;
        fs::set_permissions(&old, PermissionsExt::from_mode(0o640))?;
        assert_eq!(write_file(&old, |out| out.write_all(b"new")), Ok(()));
        assert_eq!((mode(&old)?, fs::read(&old)?), (0o640, b"new".to_vec()));
        Ok(())
    }
}
