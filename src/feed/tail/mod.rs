//! Following files that grow: new whole lines, each once, whatever happens to the file and its name.
//!
//! A hint that a file changed is only that. What is new is decided by asking the file: which one it is (device and
//! inode), how long it is, and whether it still begins, and still reads before our place, as it did.

mod copies;

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use crate::feed::file::{self, FileId, Opened};
use crate::feed::followed::{Followed, QUIET, Shape, last_line_end};
use crate::feed::mark::Position;

/// Open handles that are kept, so that a file which loses its name can be read to its end.
const MAX_HANDLES: usize = 256;
/// How long a file without a name is asked for late writes.
const LINGER: Duration = Duration::from_secs(60);
/// How long a file without a name is remembered, in case it gets another.
const FORGET: Duration = Duration::from_secs(3600);
/// Files without a name that are remembered.
const MAX_NAMELESS: usize = 1024;

/// Something new about a file.
#[derive(Debug, PartialEq, Eq)]
pub struct News {
    /// Names the log; the same before and after it is renamed, another one when its text begins anew.
    pub stream: u64,
    /// Where the file lies, or lay last.
    pub path: PathBuf,
    /// What is new.
    pub what: What,
}

/// What is new about a file.
#[derive(Debug, PartialEq, Eq)]
pub enum What {
    /// Whole lines.
    Lines {
        /// The lines, each with its line break.
        text: Vec<u8>,
        /// Byte of the file at which they begin.
        byte: u64,
    },
    /// A document, at rest.
    Document(Vec<u8>),
    /// The text begins anew under this stream; what another stream said of this path is over.
    Restarted {
        /// The stream whose text it was.
        old: u64,
        /// Whether the new text begins like the old one, so that some of it may have been read before.
        alike: bool,
    },
    /// The text of this stream is one that was read under this name before, at least in part: a copy.
    Copy {
        /// The name.
        of: PathBuf,
        /// The stream of the other text, if it is still followed. What was read of the copy first, is no news there.
        stream: Option<u64>,
    },
    /// A line grew beyond what is read; it is skipped to its end.
    TooLong {
        /// Byte of the file at which it begins.
        byte: u64,
    },
    /// Something a reader should know; the path is the subject of the sentence.
    Note(&'static str),
}

/// Where the following of a file begins.
#[derive(Clone, Debug)]
pub enum Start {
    /// At its first byte.
    Beginning,
    /// Behind its last whole line.
    End,
    /// Where it was left, if it is still the same text; else at its first byte.
    At(Text),
    /// Where it was read to a moment ago, when it was of this length and time.
    Read(Position, u64, SystemTime),
}

/// A text that was read, up to a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// Where it lies, or lay last.
    pub path: PathBuf,
    /// The name under which it was read first: that of the original if it is a copy.
    pub name: PathBuf,
    /// How far it was read.
    pub position: Position,
}

/// Follows files.
#[derive(Default)]
pub struct Tailer {
    files: HashMap<PathBuf, Followed>,
    /// The path under which a file is followed.
    names: HashMap<FileId, PathBuf>,
    /// Files that lost their name; they may get another.
    nameless: Vec<(PathBuf, Followed, Instant)>,
    /// Texts that an earlier run has read, by their folder: copies of them may turn up.
    texts: HashMap<PathBuf, Vec<Text>>,
    /// Files that only time will complete.
    due: HashSet<PathBuf>,
    /// About how many handles are open; counted anew whenever there are too many.
    handles: usize,
    streams: u64,
}

impl Tailer {
    /// Begins to follow a file. Its present text is not news, unless the start says so.
    ///
    /// Returns the stream; `None` if the file is followed under another name.
    pub fn follow(&mut self, path: &Path, start: Start, now: Instant) -> io::Result<Option<u64>> {
        let opened = file::open(path)?;
        if self.is_alias(path, opened.id) {
            return Ok(None);
        }
        let mut known = None;
        let offset = match &start {
            Start::End => last_line_end(&opened.file, opened.length)?,
            Start::At(text) if text.position.holds_in(&opened.file)? => {
                known = Some(text.name.clone());
                text.position.offset
            }
            Start::Read(position, ..) if position.holds_in(&opened.file)? => position.offset,
            Start::Beginning | Start::At(..) | Start::Read(..) => 0,
        };
        let mut followed = self.new_file(path, &opened, offset, now)?;
        followed.name = known.unwrap_or(followed.name);
        followed.find_shape(&opened.file, opened.length)?;
        followed.is_due = match start {
            Start::End => false,
            Start::Read(_, length, modified) => {
                (length, modified) != (opened.length, opened.modified)
            }
            Start::Beginning | Start::At(..) => true,
        };
        followed.was_document = !followed.is_due && followed.shape == Shape::Document;
        // A file that has rested for long is not in use, although it is new here.
        let age = opened.modified.elapsed().unwrap_or_default();
        let long = || now.checked_sub(Duration::from_secs(3600));
        followed.changed = now.checked_sub(age).or_else(long).unwrap_or(now);
        let stream = followed.stream;
        self.names.insert(opened.id, path.to_owned());
        self.files.insert(path.to_owned(), followed);
        self.schedule(path);
        Ok(Some(stream))
    }

    /// What is new in the file at `path`. A file that is not followed yet is followed from its beginning.
    pub fn poll(&mut self, path: &Path, now: Instant) -> io::Result<Vec<News>> {
        let news = self.look(path, now);
        match &news {
            Ok(_) => self.schedule(path),
            // What cannot be read is looked at again when it changes.
            Err(_) => drop(self.due.remove(path)),
        }
        news
    }

    /// Notes whether the file has to be looked at again.
    fn schedule(&mut self, path: &Path) {
        let waits = self
            .files
            .get(path)
            .is_some_and(|followed| followed.is_due_at().is_some());
        if waits {
            self.due.insert(path.to_owned());
        } else {
            self.due.remove(path);
        }
    }

    fn look(&mut self, path: &Path, now: Instant) -> io::Result<Vec<News>> {
        let mut news = Vec::new();
        let opened = match file::open(path) {
            Ok(opened) => opened,
            Err(error) => {
                let is_gone = error.kind() == io::ErrorKind::NotFound;
                if is_gone {
                    self.lose(path, now, &mut news);
                    return Ok(news);
                }
                return Err(error);
            }
        };
        self.attach(path, &opened, now, &mut news)?;
        let Some(followed) = self.files.get_mut(path) else {
            return Ok(news);
        };
        let has_changed = followed.length != opened.length || followed.modified != opened.modified;
        if has_changed {
            followed.changed = now;
            followed.is_due = true;
        }
        followed.length = opened.length;
        followed.modified = opened.modified;
        if followed.shape != Shape::Lines && (has_changed || followed.shape == Shape::Unknown) {
            followed.find_shape(&opened.file, opened.length)?;
            if followed.shape == Shape::Lines && followed.was_document {
                self.streams += 1;
                followed.restart(&opened, self.streams, path, &mut news)?;
            }
        }
        if followed.shape == Shape::Lines && !followed.still_holds(&opened.file)? {
            self.streams += 1;
            followed.restart(&opened, self.streams, path, &mut news)?;
            let note = "was cut or rewritten; reading it from its start";
            news.push(followed.told(path, What::Note(note)));
        }
        if followed.is_to_be_compared(&opened.file)? {
            let original = self.original_of(path, &opened.file)?;
            let Some(followed) = self.files.get_mut(path) else {
                return Ok(news);
            };
            followed.is_compared_with(original, path, now, &mut news);
        }
        let Some(followed) = self.files.get_mut(path) else {
            return Ok(news);
        };
        if followed.is_unknown() || !followed.copy_is_made(&opened.file, now)? {
            self.keep_handle(path, opened.file);
            return Ok(news);
        }
        match followed.shape {
            Shape::Unknown => {}
            Shape::Lines => followed.read_lines(&opened.file, path, &mut news)?,
            Shape::Document => {
                if followed.is_due && QUIET <= now.duration_since(followed.changed) {
                    followed.is_due = false;
                    followed.read_document(&opened, path, &mut news)?;
                }
            }
        }
        self.keep_handle(path, opened.file);
        Ok(news)
    }

    /// Late writes to files that lost their name.
    pub fn poll_nameless(&mut self, now: Instant) -> Vec<News> {
        let mut news = Vec::new();
        self.nameless.retain_mut(|(path, followed, last)| {
            let before = news.len();
            followed.drain(path, &mut news);
            if before < news.len() {
                *last = now;
            }
            let rests = now.duration_since(*last);
            if LINGER <= rests {
                followed.handle = None;
            }
            rests < FORGET
        });
        let surplus = self.nameless.len().saturating_sub(MAX_NAMELESS);
        self.nameless.drain(..surplus);
        news
    }

    /// Whether length or time of the file at `path` are not as they were at the last poll. Costs one look.
    pub fn has_changed(&self, path: &Path) -> bool {
        let Some(followed) = self.files.get(path) else {
            return true;
        };
        match fs::metadata(path) {
            Ok(about) => {
                about.len() != followed.length
                    || about.modified().is_ok_and(|time| time != followed.modified)
                    || file::id_of(&about, path) != followed.position.id
            }
            Err(_) => true,
        }
    }

    /// Files that have to be polled again, and when: documents that will have rested long enough, copies whose rest
    /// does not come.
    pub fn due(&self) -> impl Iterator<Item = (&Path, Instant)> {
        self.due
            .iter()
            .filter_map(|path| Some((path.as_path(), self.files.get(path)?.is_due_at()?)))
    }

    /// The files that are followed.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files.keys().map(PathBuf::as_path)
    }

    /// The files that changed last, not before a moment, and not more than `most`.
    pub fn changed_since(&self, since: Instant, most: usize) -> Vec<&Path> {
        let changed = self
            .files
            .iter()
            .filter(|(_, followed)| since <= followed.changed);
        // A log that has just gone comes again under the same name, most often.
        let gone = self
            .nameless
            .iter()
            .filter(|(path, _, last)| since <= *last && !self.files.contains_key(path))
            .map(|(path, _, last)| (*last, path.as_path()));
        let mut changed: Vec<(Instant, &Path)> = changed
            .map(|(path, followed)| (followed.changed, path.as_path()))
            .chain(gone)
            .collect();
        changed.sort_unstable_by_key(|(_, path)| *path);
        changed.dedup_by_key(|(_, path)| *path);
        if most < changed.len() {
            changed.select_nth_unstable_by(most, |left, right| right.0.cmp(&left.0));
            changed.truncate(most);
        }
        changed.into_iter().map(|(_, path)| path).collect()
    }

    /// Number of files that are followed.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether no file is followed.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Where the reader of each file stands, and its stream.
    pub fn positions(&self) -> impl Iterator<Item = (Text, u64)> {
        self.files.iter().map(|(path, followed)| {
            let text = Text {
                path: path.clone(),
                name: followed.name.clone(),
                position: followed.position,
            };
            (text, followed.stream)
        })
    }

    /// Whether the file at `path` is a document.
    pub fn is_document(&self, path: &Path) -> bool {
        self.files
            .get(path)
            .is_some_and(|followed| followed.shape == Shape::Document)
    }

    /// Makes `files[path]` the file that lies there now.
    fn attach(
        &mut self,
        path: &Path,
        opened: &Opened,
        now: Instant,
        news: &mut Vec<News>,
    ) -> io::Result<()> {
        if let Some(followed) = self.files.get_mut(path) {
            if followed.position.id == opened.id {
                return Ok(());
            }
            followed.learn_shape();
            if followed.shape == Shape::Document {
                // Written aside and renamed: that is how such files change.
                self.names.remove(&followed.position.id);
                self.names.insert(opened.id, path.to_owned());
                followed.position.id = opened.id;
                followed.changed = now;
                followed.is_due = true;
                return Ok(());
            }
            // Replaced by a copy with more in it: only the rest is new. Where the old file has lines that the copy
            // lacks, they are read first.
            if followed.position.holds_in(&opened.file)? {
                if !followed.is_contained_in(&opened.file) {
                    self.compare_last(path, now, news);
                    if let Some(followed) = self.files.get_mut(path) {
                        followed.drain(path, news);
                    }
                }
                let followed = self.files.get(path);
                if followed.is_some_and(|it| it.position.holds_in(&opened.file).unwrap_or(false)) {
                    return self.replaced(path, opened);
                }
            }
            self.lose(path, now, news);
            news.push(News {
                stream: self.streams + 1,
                path: path.to_owned(),
                what: What::Note("was rotated; following the new file"),
            });
        }
        if self.is_alias(path, opened.id) {
            return Ok(());
        }
        if let Some(found) = self.find_moved(opened) {
            self.names.insert(opened.id, path.to_owned());
            self.files.insert(path.to_owned(), found);
            return Ok(());
        }
        let followed = self.new_file(path, opened, 0, now)?;
        self.names.insert(opened.id, path.to_owned());
        self.files.insert(path.to_owned(), followed);
        Ok(())
    }

    /// The file at `path` gave way to a longer copy of itself, which may have been read under another name already.
    fn replaced(&mut self, path: &Path, opened: &Opened) -> io::Result<()> {
        let known = match self.is_alias(path, opened.id) {
            true => None,
            false => self.find_moved(opened),
        };
        let Some(followed) = self.files.get_mut(path) else {
            return Ok(());
        };
        self.names.remove(&followed.position.id);
        self.names.insert(opened.id, path.to_owned());
        followed.position.id = opened.id;
        followed.handle = None;
        if let Some(known) = known
            && followed.position.offset < known.position.offset
            && known.position.holds_in(&opened.file)?
        {
            followed.position = known.position;
            followed.searched = known.searched;
        }
        Ok(())
    }

    /// The file at `path` is no longer there: what its handle still holds is read, and it may turn up elsewhere.
    fn lose(&mut self, path: &Path, now: Instant, news: &mut Vec<News>) {
        self.compare_last(path, now, news);
        let Some(mut followed) = self.files.remove(path) else {
            return;
        };
        if self
            .names
            .get(&followed.position.id)
            .is_some_and(|name| name == path)
        {
            self.names.remove(&followed.position.id);
        }
        followed.drain(path, news);
        if followed.shape == Shape::Lines {
            self.nameless.push((path.to_owned(), followed, now));
        }
    }

    /// Whether the file is followed under another name that it still has: a hard or symbolic link.
    fn is_alias(&self, path: &Path, id: FileId) -> bool {
        let Some(other) = self.names.get(&id).filter(|other| *other != path) else {
            return false;
        };
        fs::metadata(other).is_ok_and(|about| file::id_of(&about, other) == id)
    }

    /// The file, if it was followed under another name. Its number may have been given out again, so the text has to
    /// be the same too.
    fn find_moved(&mut self, opened: &Opened) -> Option<Followed> {
        let is_it = |followed: &Followed| {
            followed.position.id == opened.id
                && followed.position.holds_in(&opened.file).unwrap_or(false)
        };
        if let Some(name) = self.names.get(&opened.id)
            && self.files.get(name).is_some_and(is_it)
        {
            let name = self.names.remove(&opened.id)?;
            return self.files.remove(&name);
        }
        let mut nameless = self.nameless.iter();
        let index = nameless.position(|(_, followed, _)| is_it(followed))?;
        Some(self.nameless.swap_remove(index).1)
    }

    fn new_file(
        &mut self,
        path: &Path,
        opened: &Opened,
        offset: u64,
        now: Instant,
    ) -> io::Result<Followed> {
        self.streams += 1;
        let position = Position::of(&opened.file, opened.id, offset)?;
        Ok(Followed {
            stream: self.streams,
            name: path.to_owned(),
            position,
            begin: position,
            searched: offset,
            shape: Shape::Unknown,
            is_skipping: false,
            handle: None,
            length: opened.length,
            modified: opened.modified,
            changed: now,
            is_due: true,
            before: Vec::new(),
            copies: None,
            is_compared: false,
            was_document: false,
        })
    }

    fn keep_handle(&mut self, path: &Path, handle: File) {
        let Some(followed) = self.files.get_mut(path) else {
            return;
        };
        if followed.handle.replace(handle).is_none() {
            self.handles += 1;
        }
        if self.handles <= MAX_HANDLES {
            return;
        }
        // The files that have rested longest are the least likely to be read through an old handle.
        let mut open: Vec<&mut Followed> = self
            .files
            .values_mut()
            .filter(|followed| followed.handle.is_some())
            .collect();
        open.sort_by_key(|followed| followed.changed);
        let closed = open.len() / 2;
        self.handles = open.len() - closed;
        for followed in open.into_iter().take(closed) {
            followed.handle = None;
        }
    }
}
