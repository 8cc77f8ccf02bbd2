//! Reading logs as they lie there: one file, or a folder of files that belong together.

use std::fs::File;
use std::io::{self, BufRead, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use super::file::{self, Opened};
use super::walk::Unread;
use crate::transcript::formats::Adapter;
use crate::transcript::{Chunk, Entry, Fault, MAX_LINE, Pause, Reader, is_document};

/// Bytes that are read of a file to find out whether it is a log at all.
const HEAD: usize = 64 << 10;
/// Files up to this size are read at once.
const WHOLE: u64 = 32 << 20;
/// Bytes of a larger file that are read at a time.
const PART: usize = 8 << 20;
/// Room that a buffer keeps from file to file.
const KEEP: usize = 8 << 20;

const SQLITE: &[u8] = b"SQLite format 3\0";
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
    fn has(&self, adapter: &Adapter) -> bool {
        self.formats.is_empty() || self.formats.contains(&adapter.id)
    }
}

/// What the reading of a log gave.
#[derive(Debug, Default)]
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
}

/// Only one thread at a time holds a text of this kind, so that memory stays bounded.
static LARGE: Mutex<()> = Mutex::new(());

/// Reads the files of a log to their end.
pub fn read(paths: &[PathBuf], wanted: &Wanted, buffer: &mut Vec<u8>) -> Log {
    let mut log = Log {
        paths: paths.to_vec(),
        ..Log::default()
    };
    let mut reader = Reader::default();
    for (file, path) in paths.iter().enumerate() {
        if let Err(error) = read_file(path, file as u32, wanted, buffer, &mut reader, &mut log) {
            log.unread.push(Unread {
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
    log.adapter = reader.adapter().filter(|adapter| wanted.has(adapter));
    log.entries = reader.settle(Pause::End);
    log.skipped = reader.take_skipped();
    log.faults = reader.take_faults();
    log
}

/// Reads one log that comes through a pipe, and keeps its text if that is not too long.
pub fn read_stream(name: &Path, source: &mut dyn Read) -> io::Result<(Log, Vec<u8>)> {
    let mut log = Log {
        paths: vec![name.to_owned()],
        ..Log::default()
    };
    let mut reader = Reader::default();
    let mut buffer = Vec::new();
    Read::take(&mut *source, WHOLE).read_to_end(&mut buffer)?;
    if (buffer.len() as u64) < WHOLE {
        reader.file(&buffer, 0);
        log.is_document = is_document(&buffer);
        log.bytes = buffer.len() as u64;
    } else {
        log.bytes = WHOLE
            + in_parts(
                source,
                std::mem::take(&mut buffer),
                0,
                &mut reader,
                &mut log,
            )?;
    }
    log.adapter = reader.adapter();
    log.entries = reader.settle(Pause::End);
    log.skipped = reader.take_skipped();
    log.faults = reader.take_faults();
    Ok((log, buffer))
}

fn read_file(
    path: &Path,
    number: u32,
    wanted: &Wanted,
    buffer: &mut Vec<u8>,
    reader: &mut Reader,
    log: &mut Log,
) -> io::Result<()> {
    let opened = file::open(path)?;
    if wanted.since.is_some_and(|since| opened.modified < since) {
        return Ok(());
    }
    let Opened {
        mut file, length, ..
    } = opened;
    buffer.clear();
    read_up_to(&mut file, HEAD, buffer)?;
    log.bytes += buffer.len() as u64;
    if buffer.starts_with(SQLITE) {
        return Err(io::Error::other("an SQLite store; not read yet"));
    }
    if buffer.starts_with(ZSTD) {
        return read_compressed(path, file, number, buffer, reader, log);
    }
    if is_no_log(buffer, number, reader) {
        return Ok(());
    }
    if reader.adapter().is_some_and(|adapter| !wanted.has(adapter)) {
        return Ok(());
    }
    if buffer.len() < HEAD {
        reader.file(buffer, number);
        log.is_document |= is_document(buffer);
        return Ok(());
    }
    let head = buffer.len() as u64;
    if length <= WHOLE {
        // The file may have grown since; what is there now is read, but no more than that at once.
        let rest = (length - head.min(length)) as usize;
        buffer.reserve(rest);
        log.bytes += read_up_to(&mut file, rest, buffer)? as u64;
        reader.file(buffer, number);
        log.is_document |= is_document(buffer);
        return Ok(());
    }
    let _one = LARGE.lock().unwrap_or_else(PoisonError::into_inner);
    let text = std::mem::take(buffer);
    log.bytes += in_parts(&mut file, text, number, reader, log)?;
    Ok(())
}

/// Whether the beginning of a file shows that it is no log of a known format.
fn is_no_log(head: &[u8], number: u32, reader: &mut Reader) -> bool {
    if memchr::memchr(0, &head[..head.len().min(1024)]).is_some() && reader.adapter().is_none() {
        return true;
    }
    let lines = memchr::memrchr(b'\n', head).map_or(0, |lf| lf + 1);
    // A folder of events has the format of its first file.
    if number == 0 {
        reader.learn(&head[..lines]);
    }
    let opens = matches!(head.trim_ascii_start().first(), Some(b'{' | b'['));
    reader.is_foreign() && !opens
}

fn read_compressed(
    path: &Path,
    file: File,
    number: u32,
    head: &[u8],
    reader: &mut Reader,
    log: &mut Log,
) -> io::Result<()> {
    // A log that was compressed a moment ago may still lie beside its copy.
    if path.extension().is_some_and(|name| name == "zst") && path.with_extension("").exists() {
        return Ok(());
    }
    let _one = LARGE.lock().unwrap_or_else(PoisonError::into_inner);
    let packed = io::Cursor::new(head).chain(io::BufReader::new(file));
    let mut plain = ruzstd::decoding::StreamingDecoder::new(packed)
        .map_err(|error| io::Error::other(format!("not readable as zstd: {error}")))?;
    let mut text = Vec::new();
    plain.by_ref().take(WHOLE).read_to_end(&mut text)?;
    log.bytes += text.len() as u64;
    if (text.len() as u64) < WHOLE {
        reader.file(&text, number);
        return Ok(());
    }
    log.bytes += in_parts(&mut plain, text, number, reader, log)?;
    Ok(())
}

/// Reads lines part by part, beginning with what is in `text` already. A line that grows beyond the limit is let go
/// until it ends. Returns the bytes read.
fn in_parts(
    source: &mut dyn Read,
    mut text: Vec<u8>,
    number: u32,
    reader: &mut Reader,
    log: &mut Log,
) -> io::Result<u64> {
    let (mut line, mut byte, mut read) = (1, 0, 0);
    let mut is_too_long = false;
    loop {
        let got = read_up_to(source, PART, &mut text)?;
        read += got as u64;
        let is_end = got == 0;
        let whole = match memchr::memrchr(b'\n', &text) {
            Some(lf) => lf + 1,
            None if is_end => text.len(),
            None => 0,
        };
        let whole = if is_end { text.len() } else { whole };
        let mut from = 0;
        if is_too_long {
            // The rest of the line that was let go.
            from = memchr::memchr(b'\n', &text[..whole]).map_or(whole, |lf| lf + 1);
            if 0 < from && text[from - 1] == b'\n' {
                is_too_long = false;
                line += 1;
            }
        }
        let lines = &text[from..whole];
        reader.lines(Chunk {
            text: lines,
            file: number,
            line,
            byte: byte + from as u64,
        });
        line += memchr::memchr_iter(b'\n', lines).count() as u64;
        byte += whole as u64;
        text.drain(..whole);
        if is_end {
            return Ok(read);
        }
        if MAX_LINE < text.len() {
            if !is_too_long {
                log.skipped += 1;
                log.faults.push(Fault {
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

fn read_up_to(source: &mut dyn Read, limit: usize, into: &mut Vec<u8>) -> io::Result<usize> {
    Read::take(source, limit as u64).read_to_end(into)
}

/// Text of a log from byte `at` on, as much as may be needed to find the arguments of a call there.
pub fn lines_at(path: &Path, at: u64) -> io::Result<Vec<u8>> {
    let mut file = file::open(path)?.file;
    file.seek(io::SeekFrom::Start(at))?;
    let mut text = Vec::new();
    // One line of any length that is read at all; of short lines, some more.
    let mut reader = io::BufReader::new(file).take(MAX_LINE as u64);
    while text.len() < KEEP / 8 && 0 < reader.read_until(b'\n', &mut text)? {}
    Ok(text)
}
