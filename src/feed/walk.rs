//! Finding log files: all regular files below the places asked for, each once.

use std::collections::HashSet;
use std::fs::{self, DirEntry, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use super::file::{self, FileId};

/// What was found below the places.
#[derive(Debug, Default)]
pub struct Found {
    /// Files: those of a folder by name, then those of its folders. Each once even if it has several names.
    pub files: Vec<PathBuf>,
    /// Folders.
    pub folders: Vec<PathBuf>,
    /// What could not be read.
    pub unread: Vec<Unread>,
}

/// Something that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    /// Where.
    pub path: PathBuf,
    /// Why, in words.
    pub why: String,
    /// Whether the user named this very path.
    pub is_named: bool,
}

/// Looks through files and folders. A loop of links ends, since no folder is entered twice.
pub fn walk(places: &[PathBuf]) -> Found {
    let mut walk = Walk::default();
    for place in places {
        match fs::metadata(place) {
            Ok(about) => walk.take(place.clone(), &about, true),
            Err(error) => walk.unread(place.clone(), file::words(&error), true),
        }
        walk.enter_folders();
    }
    walk.found
}

#[derive(Default)]
struct Walk {
    found: Found,
    seen: HashSet<FileId>,
    /// Folders to enter, the next one last.
    ahead: Vec<(PathBuf, bool)>,
}

impl Walk {
    fn enter_folders(&mut self) {
        while let Some((folder, is_named)) = self.ahead.pop() {
            let below = self.ahead.len();
            if let Err(error) = self.enter(&folder) {
                self.unread(folder.clone(), file::words(&error), is_named);
            }
            self.ahead[below..].reverse();
            self.found.folders.push(folder);
        }
    }

    fn enter(&mut self, folder: &Path) -> io::Result<()> {
        let device = file::id_of(&fs::metadata(folder)?, folder).device;
        let mut entries = fs::read_dir(folder)?.collect::<io::Result<Vec<DirEntry>>>()?;
        entries.sort_by_key(DirEntry::file_name);
        for entry in entries {
            let path = entry.path();
            match entry.file_type() {
                // A file's number stands in its folder: no need to ask for each of a hundred thousand.
                Ok(kind) if kind.is_file() => {
                    if self.seen.insert(entry_id(&entry, device)) {
                        self.found.files.push(path);
                    }
                }
                _ => match fs::metadata(&path) {
                    Ok(about) => self.take(path, &about, false),
                    Err(error) => self.unread(path, file::words(&error), false),
                },
            }
        }
        Ok(())
    }

    fn take(&mut self, path: PathBuf, about: &Metadata, is_named: bool) {
        if about.is_dir() {
            if self.seen.insert(file::id_of(about, &path)) {
                self.ahead.push((path, is_named));
            }
        } else if about.is_file() {
            if self.seen.insert(file::id_of(about, &path)) {
                self.found.files.push(path);
            }
        } else {
            let why = file::what_it_is(about).to_owned();
            self.unread(path, why, is_named);
        }
    }

    fn unread(&mut self, path: PathBuf, why: String, is_named: bool) {
        self.found.unread.push(Unread {
            path,
            why,
            is_named,
        });
    }
}

#[cfg(unix)]
fn entry_id(entry: &DirEntry, device: u64) -> FileId {
    use std::os::unix::fs::DirEntryExt;
    FileId {
        device,
        inode: entry.ino(),
    }
}

#[cfg(not(unix))]
fn entry_id(entry: &DirEntry, _: u64) -> FileId {
    let path = entry.path();
    entry.metadata().map_or(
        FileId {
            device: 0,
            inode: 0,
        },
        |about| file::id_of(&about, &path),
    )
}
