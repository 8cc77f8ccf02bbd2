//! Recognising a text that was read before: where a reader stands in a file, and what the bytes there look like.

use std::fs::File;
use std::io;

use super::file::FileId;

/// Bytes at the beginning of a file, and before a reader's place, that are remembered.
pub const WINDOW: u64 = 1024;

/// What some bytes look like: their number and a hash.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Mark {
    /// How many bytes.
    pub length: u64,
    /// FNV-1a: the same in every version of this program, since positions outlive a run.
    pub hash: u64,
}

impl Mark {
    /// The mark of these bytes.
    pub fn of(bytes: &[u8]) -> Mark {
        let fold = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        Mark {
            length: bytes.len() as u64,
            hash: bytes.iter().fold(0xcbf2_9ce4_8422_2325, fold),
        }
    }
}

/// Where a reader stands in a file, and how the file can be recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The file.
    pub id: FileId,
    /// The byte behind the last whole line that was read.
    pub offset: u64,
    /// The first bytes, none of them behind the offset.
    pub head: Mark,
    /// The first line, or as much of it as the first bytes hold: a text that begins with it is taken for kin.
    pub first: Mark,
    /// The bytes before the offset.
    pub tail: Mark,
}

impl Position {
    /// The position at `offset` of a file.
    pub fn of(file: &File, id: FileId, offset: u64) -> io::Result<Position> {
        let head = read_at(file, 0, offset.min(WINDOW))?;
        let start = offset.saturating_sub(WINDOW);
        let tail = match start {
            0 => Mark::of(&head),
            _ => Mark::of(&read_at(file, start, offset - start)?),
        };
        Ok(Position {
            id,
            offset,
            head: Mark::of(&head),
            first: Mark::of(first_line(&head)),
            tail,
        })
    }

    /// Whether a file holds the same text up to the offset, as far as marks can tell.
    pub fn holds_in(&self, file: &File) -> io::Result<bool> {
        if file.metadata()?.len() < self.offset {
            return Ok(false);
        }
        Ok(self.head_holds_in(file)?
            && Mark::of(&read_at(
                file,
                self.offset - self.tail.length,
                self.tail.length,
            )?) == self.tail)
    }

    fn head_holds_in(&self, file: &File) -> io::Result<bool> {
        Ok(Mark::of(&read_at(file, 0, self.head.length)?) == self.head)
    }

    /// Whether a file begins with the same line.
    pub fn is_alike(&self, file: &File) -> io::Result<bool> {
        Ok(self.begins_with(first_line_of(file)?))
    }

    /// Whether the text begins with the line of this mark.
    pub fn begins_with(&self, first: Mark) -> bool {
        0 < self.first.length && self.first == first
    }
}

/// The mark of a file's first line, by which kin is known.
pub fn first_line_of(file: &File) -> io::Result<Mark> {
    Ok(Mark::of(first_line(&read_at(file, 0, WINDOW)?)))
}

fn first_line(head: &[u8]) -> &[u8] {
    &head[..memchr::memchr(b'\n', head).unwrap_or(head.len())]
}

/// The bytes from `at` on, fewer at the end of the file. Does not move a shared place in the file.
pub fn read_at(file: &File, at: u64, length: u64) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; length as usize];
    let mut filled = 0;
    while filled < bytes.len() {
        match read_some_at(file, &mut bytes[filled..], at + filled as u64) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    bytes.truncate(filled);
    Ok(bytes)
}

#[cfg(unix)]
fn read_some_at(file: &File, into: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, into, at)
}

#[cfg(windows)]
fn read_some_at(file: &File, into: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, into, at)
}
