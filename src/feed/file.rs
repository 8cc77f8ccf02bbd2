//! Opening a log: never blocks, regular files only, and knows which file it has.

use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::path::Path;
use std::time::SystemTime;

pub use crate::files::words;

/// Which file it is, whatever its name: device and inode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FileId {
    /// The device.
    pub device: u64,
    /// The inode.
    pub inode: u64,
}

/// An open log.
#[derive(Debug)]
pub struct Opened {
    /// The handle.
    pub file: File,
    /// Which file it is.
    pub id: FileId,
    /// Its length when it was opened.
    pub length: u64,
    /// When it was last written.
    pub modified: SystemTime,
}

/// Opens a regular file. A pipe without a writer must not hang the program, so nothing blocks on opening; what it is
/// is asked of the handle, since the name may change hands in between.
pub fn open(path: &Path) -> io::Result<Opened> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY;
        options.custom_flags(flags.bits() as i32);
    }
    let file = options.open(path)?;
    let about = file.metadata()?;
    if !about.is_file() {
        return Err(io::Error::other(what_it_is(&about)));
    }
    Ok(Opened {
        id: id_of(&about, path),
        length: about.len(),
        modified: about.modified().unwrap_or(SystemTime::UNIX_EPOCH),
        file,
    })
}

/// Device and inode of a file.
#[cfg(unix)]
pub fn id_of(about: &Metadata, _: &Path) -> FileId {
    use std::os::unix::fs::MetadataExt;
    FileId {
        device: about.dev(),
        inode: about.ino(),
    }
}

/// Where the system tells no file number without a handle of its own, the name has to do.
#[cfg(not(unix))]
pub fn id_of(_: &Metadata, path: &Path) -> FileId {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    path.hash(&mut hasher);
    FileId {
        device: 0,
        inode: hasher.finish(),
    }
}

/// What stands at a path where a log is wanted, in words.
pub fn what_it_is(about: &Metadata) -> &'static str {
    if about.is_dir() {
        return "expected a log file, found a folder";
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        let kind = about.file_type();
        if kind.is_fifo() {
            return "expected a regular file, found a named pipe";
        }
        if kind.is_socket() {
            return "expected a regular file, found a socket";
        }
    }
    "expected a regular file, found a device"
}
