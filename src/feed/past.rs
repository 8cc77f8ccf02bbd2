//! Looking back in a log: the call that an answer refers to, the number of a line.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use memchr::memmem;

use super::file;
use super::mark::read_at;
use crate::transcript::{MAX_LINE, Reader};

/// How far a call is looked for before the whole log is read once.
const REACH: u64 = 256 << 10;
/// How far the lines of a log are counted.
const MAX_COUNTED: u64 = 1 << 30;
/// Bytes that are counted at a time.
const PART: u64 = 1 << 20;

/// The first bytes of a log, up to the last line break among them.
pub fn head(path: &Path, length: u64) -> io::Result<Vec<u8>> {
    let mut text = read_at(&file::open(path)?.file, 0, length)?;
    let lines = memchr::memrchr(b'\n', &text).map_or(0, |last| last + 1);
    text.truncate(lines);
    Ok(text)
}

/// The number of the line that begins at a byte; 0 where counting would take too long.
pub fn line_at(path: &Path, byte: u64) -> io::Result<u64> {
    if MAX_COUNTED < byte {
        return Ok(0);
    }
    count_lines(&file::open(path)?.file, 0, byte).map(|lines| lines + 1)
}

/// Hands the records that hold the calls of these ids to the reader. `before` is a byte and the number of its line.
/// Returns whether all were found.
pub fn recall(
    reader: &mut Reader,
    path: &Path,
    number: u32,
    ids: &[String],
    before: (u64, u64),
) -> io::Result<bool> {
    let file = file::open(path)?.file;
    let start = before.0.saturating_sub(REACH);
    let near = read_at(&file, start, before.0 - start)?;
    for id in ids {
        let quoted = format!("\"{id}\"");
        let mut end = near.len();
        while let Some(at) = memmem::rfind(&near[..end], quoted.as_bytes()) {
            let from = memchr::memrchr(b'\n', &near[..at]).map_or(0, |lf| lf + 1);
            let to = memchr::memchr(b'\n', &near[at..]).map_or(near.len(), |lf| at + lf);
            end = from;
            // The first line of the window may lack its beginning.
            if from == 0 && 0 < start {
                break;
            }
            let byte = start + from as u64;
            let lines = memchr::memchr_iter(b'\n', &near[from..]).count() as u64;
            let line = before.1.saturating_sub(lines);
            reader.recall(&near[from..to], number, line, byte);
        }
    }
    let rest = reader.strays();
    if rest.is_empty() || start == 0 {
        return Ok(rest.is_empty());
    }
    recall_far(reader, file, number, &rest, start)
}

/// Reads the whole log up to `end` once, looking for all ids.
fn recall_far(
    reader: &mut Reader,
    file: File,
    number: u32,
    ids: &[String],
    end: u64,
) -> io::Result<bool> {
    let quoted: Vec<String> = ids.iter().map(|id| format!("\"{id}\"")).collect();
    let finders: Vec<memmem::Finder<'_>> = quoted.iter().map(memmem::Finder::new).collect();
    let mut source = BufReader::with_capacity(PART as usize, file);
    let (mut text, mut line, mut byte) = (Vec::new(), 1, 0);
    while byte < end {
        text.clear();
        let read = source
            .by_ref()
            .take(MAX_LINE as u64)
            .read_until(b'\n', &mut text)?;
        if read == 0 {
            break;
        }
        if finders.iter().any(|finder| finder.find(&text).is_some()) {
            let record = text.strip_suffix(b"\n").unwrap_or(&text);
            reader.recall(record, number, line, byte);
        }
        byte += read as u64;
        line += u64::from(text.ends_with(b"\n"));
    }
    Ok(reader.strays().is_empty())
}

fn count_lines(file: &File, from: u64, to: u64) -> io::Result<u64> {
    let (mut at, mut lines) = (from, 0);
    while at < to {
        let part = read_at(file, at, PART.min(to - at))?;
        if part.is_empty() {
            break;
        }
        lines += memchr::memchr_iter(b'\n', &part).count() as u64;
        at += part.len() as u64;
    }
    Ok(lines)
}
