//! From hints to rows: what the tailer finds is read by the log's reader, and what is new in it is told.
//!
//! Everything here is driven by calls; the thread around it is `watch`.

use std::collections::HashMap;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::file;
use super::log::{End, Log, Wanted};
use super::mark::Position;
use super::past;
use super::tail::{News, Start, Tailer, Text, What};
use crate::transcript::formats::{self, Adapter};
use crate::transcript::{
    Chunk, Entry, Fault, FeedEvent, MAX_LINE, Pause, Reader, Register, Source,
};
use crate::visible::visible_bytes;

/// Bytes at the beginning of a log from which its format is learned, when reading begins further down.
const HEAD: u64 = 256 << 10;
/// After this time without a line, a message that could have gone on is taken to be whole.
const QUIET: Duration = Duration::from_secs(2);
/// After this time without a piece, a stream is taken to be aborted.
const ABORTED: Duration = Duration::from_secs(60);
/// After this time without a line, a reader that has nothing open is dropped; it is made anew when it is needed.
const IDLE: Duration = Duration::from_secs(600);

/// Follows logs and tells what is new in them.
pub struct Follower {
    /// What the files do.
    pub tailer: Tailer,
    /// What was listed.
    pub register: Register,
    wanted: Wanted,
    streams: HashMap<u64, Stream>,
    /// Streams of folders whose files share their calls.
    groups: HashMap<PathBuf, u64>,
    /// Counts down, so that folders and files never share a number.
    last_group: u64,
    events: Vec<FeedEvent>,
    /// Counts up with whatever a later run has to know.
    version: u64,
}

/// One log that is being read.
struct Stream {
    reader: Reader,
    /// The files, by number.
    paths: Vec<PathBuf>,
    /// Their numbers.
    numbers: HashMap<PathBuf, u32>,
    /// The name under which the text was read first, by which what was told of it is known.
    name: PathBuf,
    /// Whether it is a folder of files that share their calls.
    is_grouped: bool,
    /// Where the last lines ended, and the number of the next one.
    cursor: (u64, u64),
    /// Where a reader has to begin so that nothing is lost that is half known now.
    safe: Option<Position>,
    /// Whether the text, or some of it, was read before.
    again: bool,
    /// Whether earlier parts of the log are worth a search for a call.
    has_past: bool,
    last: Instant,
}

impl Stream {
    fn new(path: &Path, now: Instant) -> Stream {
        Stream {
            reader: Reader::default(),
            paths: Vec::new(),
            numbers: HashMap::new(),
            name: path.to_owned(),
            is_grouped: formats::group(path).is_some(),
            cursor: (0, 1),
            safe: None,
            again: false,
            has_past: true,
            last: now,
        }
    }

    /// The name of a single file's text.
    fn text_name(&self) -> Option<&Path> {
        (!self.is_grouped).then_some(&self.name)
    }

    /// The number of a file among those of the stream.
    fn number_of(&mut self, path: &Path) -> u32 {
        if let Some(number) = self.numbers.get(path) {
            return *number;
        }
        let number = self.paths.len() as u32;
        self.paths.push(path.to_owned());
        self.numbers.insert(path.to_owned(), number);
        number
    }
}

impl Follower {
    /// A follower of nothing yet.
    pub fn new(register: Register, wanted: Wanted) -> Follower {
        Follower {
            tailer: Tailer::default(),
            register,
            wanted,
            streams: HashMap::new(),
            groups: HashMap::new(),
            last_group: u64::MAX,
            events: Vec::new(),
            version: 0,
        }
    }

    /// What there is to tell since the last call.
    pub fn events(&mut self) -> Vec<FeedEvent> {
        std::mem::take(&mut self.events)
    }

    /// Begins to follow a file. What is in it is taken as seen, unless the start says otherwise.
    pub fn follow(&mut self, path: &Path, start: Start, now: Instant) -> io::Result<()> {
        let is_at_end = matches!(start, Start::End);
        let Some(stream) = self.tailer.follow(path, start, now)? else {
            return Ok(());
        };
        let is_grouped = formats::group(path).is_some();
        if is_at_end && (self.tailer.is_document(path) || is_grouped) {
            // Its failures will be there again when it is written anew.
            let text = whole_text(path)?;
            self.document(stream, path, &text, now, true);
        }
        let name = self.tailer.name_of(path).map(Path::to_owned);
        if !is_at_end && let Some(stream) = self.stream(stream, path, now) {
            stream.again = true;
            stream.name = name.unwrap_or_else(|| path.to_owned());
        }
        Ok(())
    }

    /// Goes on behind what a first reading of the logs has read, and tells what it found.
    pub fn adopt(&mut self, mut log: Log, now: Instant) {
        let Some(adapter) = log.adapter else { return };
        let reader = log.reader.take().unwrap_or_default();
        let mut stream = None;
        for (index, path) in log.paths.iter().enumerate() {
            let Some(end) = log.ends.get(index).copied().flatten() else {
                continue;
            };
            let End {
                position,
                length,
                modified,
                line,
            } = end;
            let start = Start::Read(position, length, modified);
            match self.tailer.follow(path, start, now) {
                Ok(Some(number)) => {
                    let number = self.number_of(number, path);
                    stream = Some((number, (position.offset, line)));
                }
                Ok(None) => {}
                Err(error) => self.note(path, &file::words(&error)),
            }
        }
        let Some((number, cursor)) = stream else {
            return;
        };
        let first = log.paths.first().map_or(Path::new(""), PathBuf::as_path);
        let mut stream = Stream {
            reader,
            cursor,
            again: log.is_document,
            ..Stream::new(first, now)
        };
        for path in &log.paths {
            stream.number_of(path);
        }
        self.streams.insert(number, stream);
        let faults = std::mem::take(&mut log.faults);
        self.register.counts.skipped += log.skipped;
        self.tell_faults(&log.paths, faults);
        let source = Source {
            ledger: number,
            adapter,
            paths: &log.paths,
            is_document: log.is_document,
            far: Some(super::log::far_text),
            name: None,
            again: false,
        };
        let events = &mut self.events;
        self.register
            .take(source, log.entries, &mut |event| events.push(event));
    }

    /// Something may have changed at `path`. What is gone is no error.
    pub fn hint(&mut self, path: &Path, now: Instant) -> io::Result<()> {
        let news = self.tailer.poll(path, now)?;
        self.take(news, now);
        Ok(())
    }

    /// Looks after what only time completes: documents at rest, late writes, messages that go on no more.
    pub fn tick(&mut self, now: Instant) {
        // A call before its answer: files of an event each are numbered.
        let mut due: Vec<PathBuf> = self
            .tailer
            .due()
            .filter(|(_, at)| *at <= now)
            .map(|(path, _)| path.to_owned())
            .collect();
        due.sort();
        for path in due {
            // Whoever hints at the file next is told why it cannot be read.
            let _ = self.hint(&path, now);
        }
        let late = self.tailer.poll_nameless(now);
        self.take(late, now);
        let waiting: Vec<(u64, Pause)> = self
            .streams
            .iter()
            .filter_map(|(number, stream)| {
                let rests = now.duration_since(stream.last);
                let pause = match rests {
                    rests if ABORTED <= rests => Pause::End,
                    rests if QUIET <= rests => Pause::Quiet,
                    _ => return None,
                };
                stream.reader.is_waiting().then_some((*number, pause))
            })
            .collect();
        for (number, pause) in waiting {
            self.settle(number, pause);
        }
        let is_idle =
            |stream: &Stream| IDLE <= now.duration_since(stream.last) && stream.reader.is_idle();
        let idle: Vec<u64> = self
            .streams
            .iter()
            .filter(|(number, stream)| is_idle(stream) && **number < self.last_group)
            .map(|(number, _)| *number)
            .collect();
        for number in idle {
            self.streams.remove(&number);
            self.register.close(number);
        }
    }

    /// The next moment at which `tick` has something to do with documents and copies.
    pub fn next_due(&self) -> Option<Instant> {
        self.tailer.due().map(|(_, at)| at).min()
    }

    /// Where reading has to go on after this run, so that nothing is lost.
    pub fn positions(&self) -> Vec<Text> {
        self.tailer
            .positions()
            .map(|(mut text, stream)| {
                let safe = self.streams.get(&stream).and_then(|stream| stream.safe);
                text.position = safe.unwrap_or(text.position);
                text
            })
            .collect()
    }

    /// Another number whenever something has changed that a later run has to know.
    pub fn version(&self) -> u64 {
        self.version
    }

    fn take(&mut self, news: Vec<News>, now: Instant) {
        self.version += u64::from(!news.is_empty());
        for News { stream, path, what } in news {
            match what {
                What::Lines { text, byte } => self.lines(stream, &path, &text, byte, now),
                What::Document(text) => self.document(stream, &path, &text, now, false),
                What::Restarted { old, alike } => {
                    self.settle(old, Pause::End);
                    self.streams.remove(&old);
                    self.register.close(old);
                    if alike && let Some(fresh) = self.stream(stream, &path, now) {
                        fresh.again = true;
                    }
                }
                What::Copy { of, stream: other } => {
                    if let Some(other) = other.and_then(|other| self.streams.get_mut(&other)) {
                        other.again = true;
                    }
                    if let Some(stream) = self.stream(stream, &path, now) {
                        stream.again = true;
                        stream.name = of;
                    }
                }
                What::TooLong { byte } => {
                    self.register.counts.skipped += 1;
                    let mib = MAX_LINE >> 20;
                    self.note(
                        &path,
                        &format!("the line at byte {byte} is longer than {mib} MiB and is skipped"),
                    );
                }
                What::Note(note) => self
                    .events
                    .push(FeedEvent::Note(format!("{} {note}", name(&path)))),
            }
        }
    }

    fn lines(&mut self, stream: u64, path: &Path, text: &[u8], byte: u64, now: Instant) {
        let number = self.number_of(stream, path);
        let Some(stream) = self.stream(stream, path, now) else {
            return;
        };
        let file = stream.number_of(path);
        let line = match stream.cursor.0 == byte {
            true => stream.cursor.1,
            false => past::line_at(path, byte).unwrap_or(1),
        };
        if stream.reader.adapter().is_none() && 0 < byte {
            stream
                .reader
                .learn(&past::head(path, HEAD).unwrap_or_default());
        }
        let was_waiting = stream.reader.is_waiting();
        stream.reader.lines(Chunk {
            text,
            file,
            line,
            byte,
        });
        let lines = memchr::memchr_iter(b'\n', text).count() as u64;
        let next = if 0 < line { line + lines } else { 0 };
        stream.cursor = (byte + text.len() as u64, next);
        stream.last = now;
        match (was_waiting, stream.reader.is_waiting()) {
            (_, false) => stream.safe = None,
            (false, true) => stream.safe = position_at(path, byte).ok(),
            (true, true) => {}
        }
        let strays = stream.reader.strays();
        if !strays.is_empty() && stream.has_past {
            // A log that does not hold a call is not searched again for every answer.
            stream.has_past = past::recall(&mut stream.reader, path, file, &strays, (byte, line))
                .unwrap_or(false);
        }
        self.settle(number, Pause::Batch);
    }

    fn document(&mut self, stream: u64, path: &Path, text: &[u8], now: Instant, is_old: bool) {
        let number = self.number_of(stream, path);
        let Some(stream) = self.stream(stream, path, now) else {
            return;
        };
        if !stream.is_grouped {
            stream.reader = Reader::default();
        }
        let file = stream.number_of(path);
        stream.again = true;
        stream.last = now;
        stream.reader.file(text, file);
        let pause = match stream.is_grouped {
            true => Pause::Batch,
            false => Pause::End,
        };
        let entries = stream.reader.settle(pause);
        let is_document = memchr::memchr(b'\n', text.trim_ascii_end()).is_some();
        self.tell(number, entries, is_document, is_old);
    }

    /// Tells what a reader knows now.
    fn settle(&mut self, number: u64, pause: Pause) {
        let Some(stream) = self.streams.get_mut(&number) else {
            return;
        };
        let entries = stream.reader.settle(pause);
        self.tell(number, entries, false, false);
    }

    fn tell(&mut self, number: u64, entries: Vec<Entry>, is_document: bool, is_old: bool) {
        self.version += u64::from(!entries.is_empty());
        let Some(stream) = self.streams.get_mut(&number) else {
            return;
        };
        self.register.counts.skipped += stream.reader.take_skipped();
        let faults = stream.reader.take_faults();
        let wanted = stream
            .reader
            .adapter()
            .filter(|adapter| self.wanted.has(adapter));
        if let Some(adapter) = wanted {
            let source = Source {
                ledger: number,
                adapter,
                paths: &stream.paths,
                is_document,
                far: None,
                name: stream.text_name(),
                again: stream.again,
            };
            if is_old {
                self.register.take_as_seen(source, entries);
            } else {
                let events = &mut self.events;
                self.register
                    .take(source, entries, &mut |event| events.push(event));
            }
        }
        if !faults.is_empty() && !is_old {
            let paths = stream.paths.clone();
            self.tell_faults(&paths, faults);
        }
    }

    fn tell_faults(&mut self, paths: &[PathBuf], faults: Vec<Fault>) {
        for fault in faults {
            if let Some(path) = paths.get(fault.file as usize) {
                let note = format!("{}:{}: {}", name(path), fault.line, fault.what);
                self.events.push(FeedEvent::Note(note));
            }
        }
    }

    fn note(&mut self, path: &Path, what: &str) {
        self.events
            .push(FeedEvent::Note(format!("{}: {what}", name(path))));
    }

    /// The stream, made anew if there is none. `None` if its format is known and not wanted.
    fn stream(&mut self, stream: u64, path: &Path, now: Instant) -> Option<&mut Stream> {
        let number = self.number_of(stream, path);
        let is_wanted = |adapter: &'static Adapter| self.wanted.has(adapter);
        let stream = self
            .streams
            .entry(number)
            .or_insert_with(|| Stream::new(path, now));
        stream
            .reader
            .adapter()
            .is_none_or(is_wanted)
            .then_some(stream)
    }

    /// The number of a file's stream, or of its folder's.
    fn number_of(&mut self, stream: u64, path: &Path) -> u64 {
        let Some(group) = formats::group(path) else {
            return stream;
        };
        if let Some(number) = self.groups.get(group) {
            return *number;
        }
        self.last_group -= 1;
        self.groups.insert(group.to_owned(), self.last_group);
        self.last_group
    }
}

fn position_at(path: &Path, byte: u64) -> io::Result<Position> {
    let opened = file::open(path)?;
    Position::of(&opened.file, opened.id, byte)
}

fn whole_text(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = file::open(path)?.file;
    file.rewind()?;
    let mut text = Vec::new();
    file.take(MAX_LINE as u64).read_to_end(&mut text)?;
    Ok(text)
}

/// The last part of a path, as it is shown.
fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    visible_bytes(name.as_encoded_bytes())
}
