//! Reading logs as they lie there: one file, or a folder of files that belong together.

use std::fs::File;
use std::io::{self, BufRead, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use super::file;
use super::mark::Position;
use super::walk::Unread;
use crate::transcript::formats::Adapter;
use crate::transcript::{
    self, Call, Chunk, Entry, FailedCall, Fault, MAX_LINE, Pause, Reader, is_document,
};

/// Bytes that are read of a file to find out whether it is a log at all.
const HEAD: usize = 64 << 10;
/// Files up to this size are read at once.
const WHOLE: u64 = MAX_LINE as u64;
/// Bytes of a larger file that are read at a time.
const PART: usize = 8 << 20;
/// Room that a buffer keeps from file to file.
const KEEP: usize = 4 << 20;
/// Bytes of text that all threads together hold.
const ROOM: u64 = 96 << 20;
/// A log that was written within this time is in use: its reader is worth keeping.
const IN_USE: Duration = Duration::from_secs(600);

/// How an SQLite store begins.
pub(super) const SQLITE: &[u8] = b"SQLite format 3\0";
/// What is said of one.
pub(super) const NOT_READ: &str = "an SQLite store; not read yet";
const ZSTD: &[u8] = &[0x28, 0xB5, 0x2F, 0xFD];

/// What logs are wanted.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// Formats; empty for all.
    pub formats: Vec<&'static str>,
    /// Logs last written before this are not read.
    pub since: Option<SystemTime>,
}

impl Wanted {
    /// Whether logs of this format are wanted.
    pub fn has(&self, adapter: &Adapter) -> bool {
        self.formats.is_empty() || self.formats.contains(&adapter.id)
    }
}

/// Where the reading of a file ended.
#[derive(Clone, Copy, Debug)]
pub struct End {
    /// The place behind the last whole line.
    pub position: Position,
    /// Length of the file at that time.
    pub length: u64,
    /// When it was last written, at that time.
    pub modified: SystemTime,
    /// Number of the line that begins there.
    pub line: u64,
}

/// What the reading of a log gave.
#[derive(Default)]
pub struct Log {
    /// The files, by number.
    pub paths: Vec<PathBuf>,
    /// The format; `None` if this is no log.
    pub adapter: Option<&'static Adapter>,
    /// What its ledger says.
    pub entries: Vec<Entry>,
    /// Whether it is one document.
    pub is_document: bool,
    /// Lines that could not be read as a record.
    pub skipped: u64,
    /// Places that are not as their writer meant them.
    pub faults: Vec<Fault>,
    /// Files that could not be read.
    pub unread: Vec<Unread>,
    /// Bytes read.
    pub bytes: u64,
    /// For whoever follows the log: where each file ended, by number.
    pub ends: Vec<Option<End>>,
    /// For whoever follows the log: its reader, if the log is in use.
    pub reader: Option<Reader>,
}

/// Reads the files of a log to their end; to the end of their last whole line if they will be followed.
pub fn read(paths: &[PathBuf], wanted: &Wanted, will_follow: bool, buffer: &mut Vec<u8>) -> Log {
    let mut job = Job::new(paths, wanted, will_follow);
    for (number, path) in paths.iter().enumerate() {
        job.log.ends.push(None);
        if let Err(error) = job.read_file(path, number as u32, buffer) {
            job.log.unread.push(Unread {
                path: path.clone(),
                why: file::words(&error),
                is_named: false,
            });
        }
        if KEEP < buffer.capacity() {
            buffer.clear();
            buffer.shrink_to(KEEP);
        }
    }
    job.finish()
}

/// Reads one log that comes through a pipe, and keeps its text if that is not too long.
pub fn read_stream(name: &Path, source: &mut dyn Read) -> io::Result<(Log, Vec<u8>)> {
    let wanted = Wanted::default();
    let mut job = Job::new(&[name.to_owned()], &wanted, false);
    job.lets_go = false;
    let mut text = Vec::new();
    read_up_to(source, WHOLE as usize, &mut text)?;
    job.log.bytes = text.len() as u64;
    if (text.len() as u64) < WHOLE {
        job.whole(&text, 0);
        if job.reader.adapter().is_none() {
            job.reader.pasted(&text);
        }
        return Ok((job.finish(), text));
    }
    job.in_parts(source, text, 0)?;
    Ok((job.finish(), Vec::new()))
}

/// Text of a log from byte `at` on, as much as may be needed to find the arguments of a call there.
fn lines_at(path: &Path, at: u64) -> io::Result<Vec<u8>> {
    let mut file = file::open(path)?.file;
    file.seek(io::SeekFrom::Start(at))?;
    let mut text = Vec::new();
    // One line of any length that is read at all; of short lines, some more.
    let mut reader = io::BufReader::new(file).take(WHOLE);
    while text.len() < KEEP / 8 && 0 < reader.read_until(b'\n', &mut text)? {}
    Ok(text)
}

/// The argument text of a call that was let go while its log was read.
pub(super) fn far_text(adapter: &'static Adapter, path: &Path, call: &Call) -> Option<String> {
    let length = call.far?;
    let _room = Room::take(2 * length as u64);
    let mut file = file::open(path).ok()?.file;
    let mut magic = [0; 4];
    let is_packed = file.read_exact(&mut magic).is_ok() && magic == ZSTD;
    file.rewind().ok()?;
    let mut line = Vec::new();
    if is_packed {
        let mut plain = ruzstd::decoding::StreamingDecoder::new(io::BufReader::new(file)).ok()?;
        io::copy(&mut plain.by_ref().take(call.place.byte), &mut io::sink()).ok()?;
        let mut plain = io::BufReader::new(plain.take(WHOLE + 1));
        plain.read_until(b'\n', &mut line).ok()?;
    } else {
        file.seek(io::SeekFrom::Start(call.place.byte)).ok()?;
        let mut plain = io::BufReader::new(file.take(WHOLE + 1));
        plain.read_until(b'\n', &mut line).ok()?;
    }
    transcript::argument_text(
        adapter,
        line.strip_suffix(b"\n").unwrap_or(&line),
        call,
        length,
    )
}

/// The log line of a call with `output` in place of its arguments, or why there is none.
pub fn corrected_line(call: &FailedCall, output: &str) -> Result<String, String> {
    let at = call.origin.byte.ok_or("the log has no lines")?;
    let text = lines_at(&call.origin.path, at).map_err(|error| file::words(&error))?;
    Ok(transcript::corrected_line(&text, call, output)?)
}

struct Job<'a> {
    wanted: &'a Wanted,
    will_follow: bool,
    /// Whether what was read of the log can be read again.
    lets_go: bool,
    in_use: bool,
    reader: Reader,
    log: Log,
}

impl<'a> Job<'a> {
    fn new(paths: &[PathBuf], wanted: &'a Wanted, will_follow: bool) -> Job<'a> {
        Job {
            wanted,
            will_follow,
            lets_go: true,
            in_use: false,
            reader: Reader::default(),
            log: Log {
                paths: paths.to_vec(),
                ..Log::default()
            },
        }
    }

    fn finish(mut self) -> Log {
        let keeps = self.will_follow && (self.in_use || 1 < self.log.paths.len());
        let pause = match keeps {
            true => Pause::Batch,
            false => Pause::End,
        };
        self.log.adapter = self
            .reader
            .adapter()
            .filter(|adapter| self.wanted.has(adapter));
        self.log.entries = self.reader.settle(pause);
        if self.lets_go {
            for entry in &mut self.log.entries {
                if let Entry::Failed(row) = entry {
                    row.call.let_go();
                }
            }
        }
        self.log.skipped += self.reader.take_skipped();
        self.log.faults.extend(self.reader.take_faults());
        self.log.reader = keeps.then_some(self.reader);
        self.log
    }

    fn read_file(&mut self, path: &Path, number: u32, buffer: &mut Vec<u8>) -> io::Result<()> {
        let opened = file::open(path)?;
        if self
            .wanted
            .since
            .is_some_and(|since| opened.modified < since)
        {
            return self.end(number, &opened, 0, 1);
        }
        self.in_use |= opened.modified.elapsed().is_ok_and(|rest| rest < IN_USE);
        buffer.clear();
        self.log.bytes += read_up_to(&mut &opened.file, HEAD, buffer)? as u64;
        if buffer.starts_with(SQLITE) {
            return Err(io::Error::other(NOT_READ));
        }
        if buffer.starts_with(ZSTD) {
            return self.compressed(path, &opened.file, number, buffer);
        }
        if is_no_log(buffer, number, &mut self.reader)
            || self
                .reader
                .adapter()
                .is_some_and(|adapter| !self.wanted.has(adapter))
        {
            return Ok(());
        }
        let head = buffer.len() as u64;
        if head < HEAD as u64 || opened.length <= WHOLE {
            let _room = Room::take(opened.length);
            // The file may have grown since; what was there is read.
            let rest = opened.length.saturating_sub(head);
            buffer.reserve_exact(rest as usize);
            self.log.bytes += read_up_to(&mut &opened.file, rest as usize, buffer)? as u64;
            let (offset, line) = self.whole(buffer, number);
            return self.end(number, &opened, offset, line);
        }
        if matches!(
            first_line(transcript::without_mark(buffer)).trim_ascii(),
            b"{" | b"["
        ) {
            return Err(io::Error::other("a document over 64 MiB; not read"));
        }
        let _room = Room::take(ROOM);
        let (offset, line) = self.in_parts(&mut &opened.file, std::mem::take(buffer), number)?;
        self.end(number, &opened, offset, line)
    }

    /// Reads a text that is there as a whole. Returns where its last whole line ends, and the next line's number.
    fn whole(&mut self, text: &[u8], number: u32) -> (u64, u64) {
        let is_document = is_document(text);
        self.log.is_document |= is_document;
        self.lets_go &= !is_document;
        let lines = memchr::memrchr(b'\n', text).map_or(0, |last| last + 1);
        // A half line at the end will be read when it is whole. Without a line break there is no line at all, but
        // perhaps a document.
        let is_cut = self.will_follow && !is_document && 0 < lines;
        let text = if is_cut { &text[..lines] } else { text };
        match is_document {
            true => self.reader.document(text, number),
            false => self.reader.all_lines(text, number),
        }
        match is_document || !self.will_follow {
            true => (0, 1),
            false => (
                lines as u64,
                memchr::memchr_iter(b'\n', text).count() as u64 + 1,
            ),
        }
    }

    fn end(
        &mut self,
        number: u32,
        opened: &file::Opened,
        offset: u64,
        line: u64,
    ) -> io::Result<()> {
        if self.will_follow {
            self.log.ends[number as usize] = Some(End {
                position: Position::of(&opened.file, opened.id, offset)?,
                length: opened.length,
                modified: opened.modified,
                line,
            });
        }
        Ok(())
    }

    fn compressed(&mut self, path: &Path, file: &File, number: u32, head: &[u8]) -> io::Result<()> {
        // A log that was compressed a moment ago may still lie beside its copy.
        if path.extension().is_some_and(|name| name == "zst") && path.with_extension("").exists() {
            return Ok(());
        }
        let _room = Room::take(ROOM);
        let packed = io::Cursor::new(head).chain(io::BufReader::new(file));
        let mut plain = ruzstd::decoding::StreamingDecoder::new(packed)
            .map_err(|error| io::Error::other(format!("not readable as zstd: {error}")))?;
        let mut text = Vec::new();
        self.log.bytes += read_up_to(&mut plain, PART, &mut text)? as u64;
        if text.len() < PART {
            self.reader.file(&text, number);
            return Ok(());
        }
        self.in_parts(&mut plain, text, number)?;
        Ok(())
    }

    /// Reads lines part by part, beginning with what is in `text` already. A line that grows beyond the limit is let
    /// go until it ends. Returns where the last whole line ends, and the next line's number.
    fn in_parts(
        &mut self,
        source: &mut dyn Read,
        mut text: Vec<u8>,
        number: u32,
    ) -> io::Result<(u64, u64)> {
        let (mut line, mut byte) = (1, 0);
        let mut is_too_long = false;
        loop {
            let got = read_up_to(source, PART, &mut text)?;
            self.log.bytes += got as u64;
            let is_end = got == 0;
            let lines = memchr::memrchr(b'\n', &text).map_or(0, |last| last + 1);
            let whole = match is_end && !self.will_follow {
                true => text.len(),
                false => lines,
            };
            let mut from = 0;
            if is_too_long {
                // The rest of the line that was let go.
                from = memchr::memchr(b'\n', &text[..whole]).map_or(whole, |end| end + 1);
                is_too_long = whole == 0;
                line += u64::from(!is_too_long);
            }
            self.reader.lines(Chunk {
                text: &text[from..whole],
                file: number,
                line,
                byte: byte + from as u64,
            });
            if self.lets_go {
                self.reader.let_go();
            }
            line += memchr::memchr_iter(b'\n', &text[from..whole]).count() as u64;
            byte += whole as u64;
            text.drain(..whole);
            if is_end {
                return Ok((byte, line));
            }
            if MAX_LINE < text.len() {
                if !is_too_long {
                    self.log.skipped += 1;
                    self.log.faults.push(Fault {
                        file: number,
                        line,
                        what: "the line is longer than 64 MiB and is skipped",
                    });
                }
                is_too_long = true;
                byte += text.len() as u64;
                text.clear();
            }
        }
    }
}

/// Whether the beginning of a file shows that it is no log of a known format.
fn is_no_log(head: &[u8], number: u32, reader: &mut Reader) -> bool {
    if reader.adapter().is_none() && memchr::memchr(0, &head[..head.len().min(1024)]).is_some() {
        return true;
    }
    // A folder of events has the format of its first file.
    if number == 0 {
        let lines = memchr::memrchr(b'\n', head).map_or(0, |last| last + 1);
        reader.learn(&head[..lines]);
    }
    let text = transcript::without_mark(head).trim_ascii_start();
    let opens = matches!(text.first(), Some(b'{' | b'['));
    reader.is_foreign() && !opens
}

fn first_line(text: &[u8]) -> &[u8] {
    &text[..memchr::memchr(b'\n', text).unwrap_or(text.len())]
}

fn read_up_to(source: &mut dyn Read, limit: usize, into: &mut Vec<u8>) -> io::Result<usize> {
    Read::take(source, limit as u64).read_to_end(into)
}

/// A share of the memory that all threads have for texts; given back when it is dropped.
struct Room(u64);

static TAKEN: Mutex<u64> = Mutex::new(0);
static GIVEN_BACK: Condvar = Condvar::new();

impl Room {
    /// Waits until there is room. A text that is larger than all the room waits until it is alone.
    fn take(bytes: u64) -> Room {
        let bytes = bytes.min(ROOM);
        let taken = TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
        let mut taken = GIVEN_BACK
            .wait_while(taken, |taken| ROOM < *taken + bytes)
            .unwrap_or_else(PoisonError::into_inner);
        *taken += bytes;
        Room(bytes)
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        *TAKEN.lock().unwrap_or_else(PoisonError::into_inner) -= self.0;
        GIVEN_BACK.notify_all();
    }
}
