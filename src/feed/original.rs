//! Recognising a copy: the text of a new file that was read under another name before.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use super::followed::Followed;
use super::mark::{Mark, Position, WINDOW, first_line_of};

/// What a new text is a copy of.
#[derive(Debug)]
pub(super) struct Original {
    /// The name under which it was read first.
    pub name: PathBuf,
    /// Its stream, if it is still followed.
    pub stream: Option<u64>,
    /// Where the reading of it began.
    pub begin: Position,
    /// Up to where it was read.
    pub position: Position,
    /// What is certain.
    pub likeness: Likeness,
}

/// A text that was read.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    /// The name under which it was read first.
    pub name: &'a Path,
    /// Its stream, if it is still followed.
    pub stream: Option<u64>,
    /// Where the reading of it began.
    pub begin: Position,
    /// Up to where it was read.
    pub position: Position,
    /// It was read by an earlier run, and is no longer where it was.
    pub is_gone: bool,
}

/// How much of a text is known to be that of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Likeness {
    /// The first line: the rest may be.
    FirstLine,
    /// All that was read of the original.
    Whole,
}

/// Looks for the original of a file among texts that were read.
pub(super) struct OriginalSearch<'a> {
    path: &'a Path,
    file: &'a File,
    length: u64,
    first: Mark,
    /// The best one, and of those the one that was read furthest.
    pub found: Option<Original>,
}

impl<'a> OriginalSearch<'a> {
    pub fn new(path: &'a Path, file: &'a File) -> io::Result<OriginalSearch<'a>> {
        Ok(OriginalSearch {
            path,
            file,
            length: file.metadata()?.len(),
            first: first_line_of(file)?,
            found: None,
        })
    }

    /// Looks at what stood in a file before it was cut.
    pub fn look_at_past(
        &mut self,
        path: &Path,
        is_beside: bool,
        followed: &Followed,
    ) -> io::Result<()> {
        for (begin, position) in &followed.before {
            let cut = Known {
                begin: *begin,
                position: *position,
                ..followed.known()
            };
            self.look_at(path, is_beside, cut)?;
        }
        Ok(())
    }

    /// Looks at a text that lies at `path`, beside the file or elsewhere.
    pub fn look_at(&mut self, path: &Path, is_beside: bool, text: Known<'_>) -> io::Result<()> {
        let position = text.position;
        if !position.begins_with(self.first) {
            return Ok(());
        }
        // Whichever of the two is met first.
        let is_kin = is_beside
            && (is_called_after(self.path, path)
                || is_called_after(self.path, text.name)
                || is_called_after(path, self.path)
                || is_temporary(self.path)
                || is_temporary(path));
        // A beginning alone proves nothing about a file with another name: sessions share their first prompt.
        let is_long = WINDOW <= position.head.length || text.is_gone && 0 < position.offset;
        let is_whole = (is_kin || is_long)
            && position.offset <= self.length
            && position.holds_in(self.file)?;
        let likeness = match is_whole {
            true => Likeness::Whole,
            false if is_kin => Likeness::FirstLine,
            false => return Ok(()),
        };
        let rank = (likeness, position.offset);
        let is_better = |found: &Original| (found.likeness, found.position.offset) < rank;
        if self.found.as_ref().is_none_or(is_better) {
            self.found = Some(Original {
                name: text.name.to_owned(),
                stream: text.stream,
                begin: text.begin,
                position,
                likeness,
            });
        }
        Ok(())
    }
}

/// Whether a name is that of another file with something behind it, as those of rotated logs are.
fn is_called_after(path: &Path, other: &Path) -> bool {
    let stem = other.file_stem().map(std::ffi::OsStr::as_encoded_bytes);
    let name = path.file_name().map(std::ffi::OsStr::as_encoded_bytes);
    let (Some(name), Some(stem)) = (name, stem) else {
        return false;
    };
    let rest = name.strip_prefix(stem);
    rest.is_some_and(|rest| !rest.first().is_some_and(u8::is_ascii_alphanumeric))
}

/// Whether programs give such names to what they write aside and rename.
fn is_temporary(path: &Path) -> bool {
    let Some(name) = path.file_name().map(std::ffi::OsStr::as_encoded_bytes) else {
        return false;
    };
    let name = name.to_ascii_lowercase();
    let has = |word: &[u8]| memchr::memmem::find(&name, word).is_some();
    name.starts_with(b".")
        || name.ends_with(b"~")
        || [&b"tmp"[..], b"temp", b".new", b".bak", b".part"]
            .iter()
            .any(|word| has(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_copies_and_of_what_is_written_aside() {
        for (path, other, wanted) in [
            ("/l/a.jsonl.1", "/l/a.jsonl", true),
            ("/l/a-2026.jsonl", "/l/a.jsonl", true),
            ("/l/b.jsonl", "/l/a.jsonl", false),
            ("/l/12.jsonl", "/l/1.jsonl", false),
            ("/l/.a.jsonl.swp", "/l/a.jsonl", true),
            ("/l/tmp4z9k", "/l/a.jsonl", true),
            ("/l/x.jsonl~", "/l/a.jsonl", true),
        ] {
            let (path, other) = (Path::new(path), Path::new(other));
            assert_eq!(
                is_called_after(path, other) || is_temporary(path),
                wanted,
                "{path:?}"
            );
        }
    }
}
