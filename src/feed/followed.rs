//! One followed file: what is new in it, whatever was done to it.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use super::file::Opened;
use super::log::{NOT_READ, SQLITE};
use super::mark::{Position, WINDOW, read_at};
use super::original::{Known, Likeness, Original};
use super::tail::{News, What};
use crate::repair::{self, Verdict};
use crate::transcript::{MAX_LINE, without_mark};

/// Bytes that are read at a time.
const PART: u64 = 4 << 20;
/// How long a document must rest before it is read: whoever writes it may be in the middle.
pub const QUIET: Duration = Duration::from_millis(100);
/// Places before a text was cut that are remembered.
const MAX_BEFORE: usize = 32;
/// How long the rest of a copy is waited for.
const COPYING: Duration = Duration::from_secs(2);

/// A file and where its reader stands.
#[derive(Debug)]
pub(super) struct Followed {
    pub stream: u64,
    /// The name under which the text was read first: that of the original if it is a copy.
    pub name: PathBuf,
    pub position: Position,
    /// Where the reader began: what comes before was there already and is nobody's news.
    pub begin: Position,
    /// No line break stands between the offset and here.
    pub searched: u64,
    pub shape: Shape,
    /// The line at the offset is too long and is being skipped.
    pub is_skipping: bool,
    pub handle: Option<File>,
    pub length: u64,
    pub modified: SystemTime,
    /// When the last change was noticed.
    pub changed: Instant,
    /// A document has changed and was not read since.
    pub is_due: bool,
    /// Where the reader began and where it stood each time before the text was cut, the last few times: copies of old
    /// texts may turn up.
    pub before: Vec<(Position, Position)>,
    /// This is a copy that is being made: what comes before this place was read in the original.
    pub copies: Option<Copying>,
    /// Whether it was asked if this is a copy.
    pub is_compared: bool,
    /// The text was read as a document.
    pub was_document: bool,
}

/// What is expected of a text that begins like another: that it will be its copy.
#[derive(Clone, Copy, Debug)]
pub(super) struct Copying {
    /// What comes before this place in the other text is not news.
    place: Position,
    since: Instant,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Nothing is in it yet.
    Unknown,
    /// Lines that are appended.
    Lines,
    /// One value that is written anew each time, or a first line that is not whole yet.
    Document,
}

impl Followed {
    /// When the file has to be looked at again, if nothing else happens.
    pub fn is_due_at(&self) -> Option<Instant> {
        match (self.shape, self.copies) {
            (_, Some(copying)) => Some(copying.since + COPYING),
            (Shape::Document, None) if self.is_due => Some(self.changed + QUIET),
            _ => None,
        }
    }

    /// What is known of the text, for the search for copies of it.
    pub fn known(&self) -> Known<'_> {
        Known {
            name: &self.name,
            stream: Some(self.stream),
            begin: self.begin,
            position: self.position,
            is_gone: false,
        }
    }

    /// Whether nothing of the text was read, and nobody asked yet whether it is a copy. Until then it is not read.
    pub fn is_unknown(&self) -> bool {
        self.shape == Shape::Lines && !self.is_compared && self.position.offset == 0
    }

    /// Whether it can be told if the text is a copy: its first line is there.
    pub fn is_to_be_compared(&self, file: &File) -> io::Result<bool> {
        if !self.is_unknown() {
            return Ok(false);
        }
        let head = read_at(file, 0, WINDOW)?;
        Ok(head.len() as u64 == WINDOW || head.contains(&b'\n'))
    }

    /// Takes note of what the text is a copy of.
    pub fn is_compared_with(
        &mut self,
        original: Option<Original>,
        path: &Path,
        now: Instant,
        news: &mut Vec<News>,
    ) {
        self.is_compared = true;
        let Some(original) = original else { return };
        // What was told of the original is known by its place; what was there before that is not.
        let place = match original.likeness {
            Likeness::Whole => original.position,
            Likeness::FirstLine => original.begin,
        };
        self.copies = (0 < place.offset).then_some(Copying { place, since: now });
        self.name = original.name;
        let (of, stream) = (self.name.clone(), original.stream);
        news.push(self.told(path, What::Copy { of, stream }));
    }

    /// Whether all of an original that is no news is in its copy. Where it does not come, this is another text.
    pub fn copy_is_made(&mut self, file: &File, now: Instant) -> io::Result<bool> {
        let Some(Copying { place, since }) = self.copies else {
            return Ok(true);
        };
        let offset = match place.holds_in(file)? {
            true => place.offset,
            false if self.length < place.offset && now.duration_since(since) < COPYING => {
                return Ok(false);
            }
            // It went its own way.
            false => 0,
        };
        self.copies = None;
        self.position = Position::of(file, self.position.id, offset)?;
        self.begin = self.position;
        self.searched = offset;
        Ok(true)
    }

    /// Whether the text up to our place is what it was.
    pub fn still_holds(&self, file: &File) -> io::Result<bool> {
        self.position.holds_in(file)
    }

    /// Whether all whole lines of the file, also those that nobody has read, stand at the beginning of another one.
    pub fn is_contained_in(&self, other: &File) -> bool {
        let end = || -> io::Result<Position> {
            let handle = self.handle.as_ref().ok_or(io::ErrorKind::NotFound)?;
            let length = handle.metadata()?.len();
            Position::of(handle, self.position.id, last_line_end(handle, length)?)
        };
        end().is_ok_and(|end| end.holds_in(other).unwrap_or(false))
    }

    /// The text at a path begins anew.
    pub fn restart(
        &mut self,
        opened: &Opened,
        stream: u64,
        path: &Path,
        news: &mut Vec<News>,
    ) -> io::Result<()> {
        // What was read as a document is read again as lines.
        let alike = self.was_document || self.position.is_alike(&opened.file)?;
        news.push(News {
            stream,
            path: path.to_owned(),
            what: What::Restarted {
                old: self.stream,
                alike,
            },
        });
        if self.before.len() == MAX_BEFORE {
            self.before.remove(0);
        }
        self.before.push((self.begin, self.position));
        self.was_document = false;
        self.stream = stream;
        self.position = Position::of(&opened.file, opened.id, 0)?;
        self.begin = self.position;
        self.searched = 0;
        self.is_skipping = false;
        (self.copies, self.is_compared) = (None, false);
        Ok(())
    }

    /// Reads the whole lines that are new.
    pub fn read_lines(&mut self, file: &File, path: &Path, news: &mut Vec<News>) -> io::Result<()> {
        loop {
            let from = self.position.offset;
            // What was searched before holds no line break, so only the rest is looked at.
            let fresh = read_at(file, self.searched, PART)?;
            if fresh.is_empty() {
                return Ok(());
            }
            let Some(last) = memchr::memrchr(b'\n', &fresh) else {
                self.searched += fresh.len() as u64;
                if (MAX_LINE as u64) < self.searched - from {
                    if !self.is_skipping {
                        news.push(self.told(path, What::TooLong { byte: from }));
                    }
                    self.is_skipping = true;
                    self.position = Position::of(file, self.position.id, self.searched)?;
                }
                continue;
            };
            let end = self.searched + last as u64 + 1;
            let mut start = from;
            if self.is_skipping {
                let first = memchr::memchr(b'\n', &fresh).unwrap_or(last);
                start = self.searched + first as u64 + 1;
                self.is_skipping = false;
            }
            let mut text = match start < self.searched {
                true => read_at(file, start, self.searched - start)?,
                false => Vec::new(),
            };
            let skipped = start.saturating_sub(self.searched) as usize;
            text.extend_from_slice(&fresh[skipped..=last]);
            let position = Position::of(file, self.position.id, end)?;
            // The file may have been cut and filled again while it was read.
            if (text.len() as u64) < end - start || !self.still_holds(file)? {
                return Ok(());
            }
            self.position = position;
            self.searched = end;
            if !text.is_empty() {
                news.push(self.told(path, What::Lines { text, byte: start }));
            }
        }
    }

    pub fn read_document(
        &mut self,
        opened: &Opened,
        path: &Path,
        news: &mut Vec<News>,
    ) -> io::Result<()> {
        if (MAX_LINE as u64) < opened.length {
            news.push(self.told(path, What::Note("a document over 64 MiB is not read")));
            return Ok(());
        }
        let text = read_at(&opened.file, 0, opened.length)?;
        if is_json(&text) {
            self.was_document = true;
            news.push(self.told(path, What::Document(text)));
        } else if text.split(|byte| *byte == b'\n').skip(1).any(is_record) {
            // Lines, of which the first is broken.
            self.shape = Shape::Lines;
            self.read_lines(&opened.file, path, news)?;
        }
        // Else half of a document; whoever writes it will touch it again.
        Ok(())
    }

    /// Reads what a handle still holds.
    pub fn drain(&mut self, path: &Path, news: &mut Vec<News>) {
        self.learn_shape();
        if self.shape != Shape::Lines {
            return;
        }
        let Some(handle) = self.handle.take() else {
            return;
        };
        // Nobody can be told of an error of a file that is gone.
        let is_whole = |followed: &mut Followed| {
            let end = followed
                .copies
                .map_or(followed.changed, |copying| copying.since + COPYING);
            Ok::<bool, io::Error>(
                followed.still_holds(&handle)? && followed.copy_is_made(&handle, end)?,
            )
        };
        if is_whole(self).unwrap_or(false) {
            let _ = self.read_lines(&handle, path, news);
        }
        self.handle = Some(handle);
    }

    /// Finds out whether a file holds lines or one value, by its content.
    pub fn find_shape(&mut self, file: &File, length: u64) -> io::Result<()> {
        let head = read_at(file, 0, WINDOW * 64)?;
        if head.starts_with(SQLITE) {
            return Err(io::Error::other(NOT_READ));
        }
        let start = head.len() - without_mark(&head).trim_ascii_start().len();
        self.shape = match head.get(start) {
            None => Shape::Unknown,
            Some(b'{' | b'[') => match self.first_line_end(file, &head, start, length)? {
                Some(end) if is_json(&read_at(file, start as u64, end - start as u64)?) => {
                    Shape::Lines
                }
                None if (MAX_LINE as u64) < length => Shape::Lines,
                _ => Shape::Document,
            },
            Some(_) => Shape::Lines,
        };
        Ok(())
    }

    /// The first line break behind the beginning of a file. What was searched before is not searched again, since a
    /// long line comes in many pieces.
    fn first_line_end(
        &mut self,
        file: &File,
        head: &[u8],
        start: usize,
        length: u64,
    ) -> io::Result<Option<u64>> {
        if let Some(end) = memchr::memchr(b'\n', &head[start..]) {
            return Ok(Some((start + end) as u64));
        }
        let mut at = self.searched.max(head.len() as u64);
        while at < length {
            let part = read_at(file, at, PART.min(length - at))?;
            if let Some(end) = memchr::memchr(b'\n', &part) {
                return Ok(Some(at + end as u64));
            }
            if part.is_empty() {
                break;
            }
            at += part.len() as u64;
        }
        self.searched = at.min(length);
        Ok(None)
    }

    /// What was half a line when it was last looked at may be whole in the meantime.
    pub fn learn_shape(&mut self) {
        if self.shape == Shape::Lines || self.was_document {
            return;
        }
        if let Some(handle) = self.handle.take() {
            if let Ok(about) = handle.metadata() {
                // A file that cannot be read any more stays what it was.
                let _ = self.find_shape(&handle, about.len());
            }
            self.handle = Some(handle);
        }
    }

    pub fn told(&self, path: &Path, what: What) -> News {
        News {
            stream: self.stream,
            path: path.to_owned(),
            what,
        }
    }
}

/// Whether a line is a record of its own: inside a document objects are indented or end with a comma.
fn is_record(line: &[u8]) -> bool {
    line.first() == Some(&b'{') && is_json(line)
}

fn is_json(text: &[u8]) -> bool {
    let text = std::str::from_utf8(without_mark(text));
    text.is_ok_and(|text| repair::check(text) == Verdict::Valid)
}

/// The byte behind the last line break.
pub(super) fn last_line_end(file: &File, length: u64) -> io::Result<u64> {
    let mut end = length;
    while 0 < end {
        let start = end.saturating_sub(WINDOW * 64);
        let part = read_at(file, start, end - start)?;
        if let Some(last) = memchr::memrchr(b'\n', &part) {
            return Ok(start + last as u64 + 1);
        }
        // A line longer than is ever read has no beginning that is worth the search.
        if (MAX_LINE as u64) < length - start {
            return Ok(length);
        }
        end = start;
    }
    Ok(0)
}
