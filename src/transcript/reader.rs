//! Reads a log: finds out its format, takes it apart into records and keeps its ledger.

use std::ops::Range;

use memchr::{memchr, memmem, memrchr};

use super::fact::{Chunk, Fact, Record};
use super::formats::{self, Adapter};
use super::ledger::{Entry, Ledger, Pause};
use super::node::Node;
use super::select;
use crate::repair::{self, Verdict};

/// A longer line is skipped and named.
pub const MAX_LINE: usize = 64 << 20;
/// Records that are looked at before a file counts as none of the known formats.
const MAX_SNIFFED: usize = 64;

/// A place in a log that is not as its writer meant it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Number of the file.
    pub file: u32,
    /// Line number from 1.
    pub line: u64,
    /// What is wrong there, without a full stop.
    pub what: &'static str,
}

/// One log, or a folder of logs that share their calls.
#[derive(Default)]
pub struct Reader {
    adapter: Option<&'static Adapter>,
    ledger: Ledger,
    facts: Vec<Fact>,
    /// Records seen while the format was unknown.
    sniffed: usize,
    skipped: u64,
    faults: Vec<Fault>,
}

impl Reader {
    /// The format, once it is known.
    pub fn adapter(&self) -> Option<&'static Adapter> {
        self.adapter
    }

    /// Whether enough was seen to say that this is no known format.
    pub fn is_foreign(&self) -> bool {
        self.adapter.is_none() && MAX_SNIFFED <= self.sniffed
    }

    /// Whether the reader may be dropped and made anew without a loss.
    pub fn is_idle(&self) -> bool {
        self.ledger.is_idle()
    }

    /// Whether something is known that only silence or more text completes.
    pub fn is_waiting(&self) -> bool {
        self.ledger.is_waiting()
    }

    /// Lines that could not be read as a record, since the last call.
    pub fn take_skipped(&mut self) -> u64 {
        std::mem::take(&mut self.skipped)
    }

    /// Places that are not as their writer meant them, since the last call.
    pub fn take_faults(&mut self) -> Vec<Fault> {
        std::mem::take(&mut self.faults)
    }

    /// Finds out the format from the beginning of a file, for a reader that begins further down.
    pub fn learn(&mut self, head: &[u8]) {
        self.sniff(Chunk::whole(head, 0));
    }

    /// Reads a file that is there as a whole.
    pub fn file(&mut self, text: &[u8], file: u32) {
        match is_document(text) {
            true => self.document(text, file),
            false => self.all_lines(text, file),
        }
    }

    /// Reads a file of lines that is there as a whole: of a log of agents only the lines that may matter. The last
    /// line counts although it has no line break, if it is a whole record.
    pub fn all_lines(&mut self, text: &[u8], file: u32) {
        let chunk = Chunk::whole(text, file);
        if self.sniff(chunk)
            && let Some(adapter) = self.adapter
        {
            match select::lines(text, adapter) {
                Some(lines) => self.selected(chunk, &lines),
                None => self.lines(chunk),
            }
        }
    }

    /// Reads a text that is no log as what a model wrote: somebody pasted it.
    pub fn pasted(&mut self, text: &[u8]) {
        let record = record(text, Chunk::whole(text, 0));
        self.adapter = formats::pasted(&record, &mut self.facts);
        self.ledger.take(self.facts.drain(..));
    }

    /// Reads a document: one JSON value over many lines.
    pub fn document(&mut self, text: &[u8], file: u32) {
        let record = record(text, Chunk::whole(text, file));
        if record.node.is_none() {
            self.skipped += 1;
            return;
        }
        self.adapter = self.adapter.or_else(|| formats::sniff(&record));
        match self.adapter {
            Some(adapter) => (adapter.read)(&record, &mut self.facts),
            None => self.sniffed = MAX_SNIFFED,
        }
        self.ledger.take(self.facts.drain(..));
    }

    /// Reads lines that follow those read before.
    pub fn lines(&mut self, chunk: Chunk<'_>) {
        if !self.sniff(chunk) {
            return;
        }
        let Some(adapter) = self.adapter else { return };
        let marks: Vec<memmem::Finder<'_>> =
            adapter.marks.iter().map(memmem::Finder::new).collect();
        let (mut line, mut at) = (chunk.line, 0);
        while at < chunk.text.len() {
            let end = line_end(chunk.text, at);
            let text = &chunk.text[at..end];
            if marks.is_empty() || marks.iter().any(|mark| mark.find(text).is_some()) {
                self.line(adapter, text, place(chunk, at, line));
            }
            // Lines without a number stay so.
            line += u64::from(0 < line);
            at = end + 1;
        }
    }

    /// Reads a record that was read before, since an answer refers to it.
    pub fn recall(&mut self, text: &[u8], file: u32, line: u64, byte: u64) {
        let Some(adapter) = self.adapter else { return };
        let at = Chunk {
            text,
            file,
            line,
            byte,
        };
        (adapter.read)(&record(text, at), &mut self.facts);
        self.ledger.recall(self.facts.drain(..));
    }

    /// Ids of calls that failed and have not been seen.
    pub fn strays(&self) -> Vec<String> {
        self.ledger.strays()
    }

    /// Lets long texts of failed calls go; see [`super::Call::let_go`].
    pub fn let_go(&mut self) {
        self.ledger.let_go();
    }

    /// What is known at this pause.
    pub fn settle(&mut self, pause: Pause) -> Vec<Entry> {
        self.ledger.settle(pause)
    }

    fn selected(&mut self, chunk: Chunk<'_>, lines: &[Range<usize>]) {
        let Some(adapter) = self.adapter else { return };
        let (mut line, mut counted) = (chunk.line, 0);
        for range in lines {
            line += memchr::memchr_iter(b'\n', &chunk.text[counted..range.start]).count() as u64;
            counted = range.start;
            self.line(
                adapter,
                &chunk.text[range.clone()],
                place(chunk, range.start, line),
            );
        }
    }

    fn line(&mut self, adapter: &Adapter, text: &[u8], at: Chunk<'_>) {
        if MAX_LINE < text.len() {
            self.skipped += 1;
            self.fault(at, "the line is longer than 64 MiB and is skipped");
            return;
        }
        let mut record = record(text, at);
        if record.node.is_none() {
            if let Some(tail) = glued(text) {
                self.fault(
                    at,
                    "a record is glued to the remains of another; the last one is read",
                );
                record = self::record(&text[tail..], at);
            } else if !text.trim_ascii().is_empty() && !adapter.reads_garbage {
                self.skipped += 1;
            }
        }
        (adapter.read)(&record, &mut self.facts);
        self.ledger.take(self.facts.drain(..));
    }

    fn fault(&mut self, at: Chunk<'_>, what: &'static str) {
        self.faults.push(Fault {
            file: at.file,
            line: at.line,
            what,
        });
    }

    /// Whether the format is known, after a look at the lines if it was not.
    fn sniff(&mut self, chunk: Chunk<'_>) -> bool {
        let mut at = 0;
        while self.adapter.is_none() && self.sniffed < MAX_SNIFFED && at < chunk.text.len() {
            let end = line_end(chunk.text, at);
            let text = &chunk.text[at..end];
            if !text.trim_ascii().is_empty() && text.len() <= MAX_LINE {
                self.sniffed += 1;
                self.adapter = formats::sniff(&record(text, place(chunk, at, 1)));
            }
            at = end + 1;
        }
        self.adapter.is_some()
    }
}

/// Whether a file is one JSON value over many lines, whatever its name says.
pub fn is_document(text: &[u8]) -> bool {
    let text = without_mark(text);
    let start = text.len() - text.trim_ascii_start().len();
    let first = &text[start..line_end(text, start)];
    if !matches!(first.first(), Some(b'{' | b'['))
        || first.len() == text[start..].trim_ascii_end().len()
    {
        return false;
    }
    is_json(first).is_none() && is_json(text).is_some()
}

/// A record from the bytes of a line or document.
pub(super) fn record<'a>(bytes: &'a [u8], at: Chunk<'_>) -> Record<'a> {
    let bytes = without_mark(bytes);
    let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
    let body = bytes.strip_prefix(b"data:").unwrap_or(bytes);
    let node = match body.trim_ascii_start().first() {
        Some(b'{' | b'[') => is_json(body).and_then(|text| Node::new(text.as_bytes())),
        _ => None,
    };
    Record {
        bytes,
        node,
        file: at.file,
        line: at.line,
        byte: at.byte,
    }
}

/// A text without the byte order mark that some programs begin a file with.
pub fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text)
}

fn is_json(bytes: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(bytes).ok()?;
    (repair::check(text) == Verdict::Valid).then_some(text)
}

/// Where the last record on a line begins, if its writer was killed while it wrote the one before. Records of one
/// log begin alike.
fn glued(text: &[u8]) -> Option<usize> {
    let start = text.len() - text.trim_ascii_start().len();
    if text.get(start) != Some(&b'{') {
        return None;
    }
    // The name of the first member, or what there is of it.
    let head = text[start..].get(..4)?;
    let mut end = text.len();
    // A few steps back: a record may hold another one's beginning.
    for _ in 0..8 {
        let at = memmem::rfind(&text[start + 1..end], head)? + start + 1;
        if is_json(&text[at..]).is_some() {
            return Some(at);
        }
        end = at;
    }
    None
}

fn place<'a>(chunk: Chunk<'a>, at: usize, line: u64) -> Chunk<'a> {
    Chunk {
        text: &[],
        line,
        byte: chunk.byte + at as u64,
        ..chunk
    }
}

/// The end of the line that begins at or holds byte `at`.
pub(super) fn line_end(text: &[u8], at: usize) -> usize {
    memchr(b'\n', &text[at..]).map_or(text.len(), |lf| at + lf)
}

/// The beginning of the line that holds byte `at`.
pub(super) fn line_start(text: &[u8], at: usize) -> usize {
    memrchr(b'\n', &text[..at]).map_or(0, |lf| lf + 1)
}
