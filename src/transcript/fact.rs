//! What an adapter makes of a record: facts, in the order in which the record states them.

use super::call::{Badge, RawFrom};
use super::node::Node;

/// One line of a log, or one whole document.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    /// The text, without the line break at its end.
    pub bytes: &'a [u8],
    /// Number of the file among those that share a ledger.
    pub file: u32,
    /// The JSON value in it, past a `data:` in front; `None` if there is none that is valid.
    pub node: Option<Node<'a>>,
    /// Line number of the first line, from 1.
    pub line: u64,
    /// Byte of the file at which the first line begins.
    pub byte: u64,
}

impl Record<'_> {
    /// The line that holds byte `at` of this record.
    pub fn place(&self, at: usize) -> Place {
        let head = &self.bytes[..at.min(self.bytes.len())];
        match memchr::memrchr(b'\n', head) {
            None => Place {
                file: self.file,
                line: self.line,
                byte: self.byte,
            },
            Some(last) => Place {
                file: self.file,
                line: self.line + memchr::memchr_iter(b'\n', head).count() as u64,
                byte: self.byte + last as u64 + 1,
            },
        }
    }

    /// The first line of this record that holds the call `id`; without one the line of `node`.
    pub fn place_of(&self, id: Option<&str>, node: Node<'_>) -> Place {
        // Of two ids one may begin the other, so what stands around it counts.
        let is_part = |byte: Option<&u8>| {
            byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        };
        let found = id.and_then(|id| {
            memchr::memmem::find_iter(self.bytes, id.as_bytes()).find(|at| {
                let before = at.checked_sub(1).and_then(|before| self.bytes.get(before));
                !is_part(before) && !is_part(self.bytes.get(at + id.len()))
            })
        });
        self.place(found.unwrap_or_else(|| self.offset_of(node)))
    }

    /// The line of `node`.
    pub fn place_at(&self, node: Node<'_>) -> Place {
        self.place(self.offset_of(node))
    }

    /// The byte of the record at which `node` begins. A node may belong to the part behind `data:`.
    fn offset_of(&self, node: Node<'_>) -> usize {
        let skipped = self
            .node
            .map_or(0, |root| self.bytes.len() - root.text_len());
        skipped + node.offset()
    }
}

/// Lines of one file: where they stand, and their text.
#[derive(Clone, Copy, Debug)]
pub struct Chunk<'a> {
    /// Whole lines; the last may lack its line break if nothing will follow.
    pub text: &'a [u8],
    /// Number of the file among those that share the reader.
    pub file: u32,
    /// Number of the first line, from 1.
    pub line: u64,
    /// Byte of the file at which it begins.
    pub byte: u64,
}

impl<'a> Chunk<'a> {
    /// A whole file.
    pub fn whole(text: &'a [u8], file: u32) -> Chunk<'a> {
        Chunk {
            text,
            file,
            line: 1,
            byte: 0,
        }
    }
}

/// A line of a log file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Number of the file among those that share a ledger.
    pub file: u32,
    /// Line number from 1.
    pub line: u64,
    /// Byte at which it begins.
    pub byte: u64,
}

/// One thing a record says.
#[derive(Clone, Debug)]
pub enum Fact {
    /// The session that this record and the following ones belong to.
    Session(String),
    /// The model that answers from here on.
    Model(String),
    /// A tool was called.
    Called(Call),
    /// A call came to an end.
    Answered(Answer),
    /// The message of that id ended for this reason, which its earlier lines did not know.
    Stopped {
        /// Id of the message.
        message: String,
        /// The reason, as the log spells it.
        reason: String,
    },
    /// A call stands as text in a message. It counts if the message of `Call::message` has no real call.
    Leaked(Call),
    /// A line that is no JSON but looks like a call. It counts if a parse error is the next answer.
    Garbled(Call),
    /// The other side could not read the last line.
    ParseError {
        /// What it said.
        complaint: String,
    },
    /// A call begins whose arguments come in pieces.
    Opened {
        /// Names the stream; pieces and ends of the same name belong to it.
        stream: String,
        /// The call, with the text known so far.
        call: Call,
    },
    /// A piece of the arguments.
    Piece {
        /// The stream.
        stream: String,
        /// The text.
        text: String,
    },
    /// All of the arguments at once; it counts over the pieces.
    Whole {
        /// The stream.
        stream: String,
        /// The text.
        text: String,
    },
    /// Every stream whose name begins so is at its end.
    Closed {
        /// Beginning of the names.
        streams: String,
        /// Why the model stopped.
        stop: Option<String>,
    },
    /// Every stream whose name begins so will never come to its end.
    Aborted {
        /// Beginning of the names.
        streams: String,
    },
    /// A new connection: ids count from the start again.
    Reconnected,
    /// The streams of the response that the last piece belonged to are at their end; no reason was given.
    Done,
}

/// How the argument text of a call is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reading {
    /// As JSON: a text that does not parse is a failure.
    #[default]
    Json,
    /// The agent has parsed it before it was stored.
    Parsed,
    /// As free text, which is never parsed.
    Free,
}

/// A tool call as a log states it.
#[derive(Clone, Debug, Default)]
pub struct Call {
    /// Its line.
    pub place: Place,
    /// Its id.
    pub id: Option<String>,
    /// The tool.
    pub tool: Option<String>,
    /// The argument text; `None` if the log lost it.
    pub raw: Option<String>,
    /// Where the text comes from.
    pub raw_from: Option<RawFrom>,
    /// Whether the log clipped the text.
    pub clipped: bool,
    /// How the text is read.
    pub reading: Reading,
    /// Why the model stopped.
    pub stop: Option<String>,
    /// Id of the message that holds the call.
    pub message: Option<String>,
    /// Its session, where it is stored with the call.
    pub session: Option<String>,
    /// Its model, where it is stored with the call.
    pub model: Option<String>,
    /// When.
    pub time: Option<String>,
    /// What the call's own record says about its fate.
    pub verdict: Option<Verdict>,
    /// What the call's own record says the agent complained about.
    pub complaint: Option<String>,
    /// What a reader should know.
    pub badges: Vec<Badge>,
    /// Whether unreadable text may have stood here, if the arguments are rejected.
    pub doubtful: bool,
    /// Whether this is a repetition in a stored history: it is listed only if the call was never seen before.
    pub replayed: bool,
    /// Length of an unreadable text that was let go; it stands in the log still.
    pub far: Option<usize>,
}

/// Argument texts beyond this length are not held while their log is read.
const LONG: usize = 1 << 20;

impl Call {
    /// A call whose arguments the log holds as a value: the text that the model wrote is gone.
    pub fn parsed(arguments: Option<Node<'_>>) -> Call {
        Call {
            raw: arguments.map(Node::minified),
            raw_from: arguments.map(|_| RawFrom::ReEncoded),
            reading: Reading::Parsed,
            ..Call::default()
        }
    }

    /// Lets a long text go that whoever lists the call can read again from its line.
    pub fn let_go(&mut self) {
        let is_long = |raw: &String| LONG < raw.len();
        if self.raw_from == Some(RawFrom::Verbatim) && self.raw.as_ref().is_some_and(is_long) {
            self.far = self.raw.take().map(|raw| raw.len());
        }
    }
}

/// The end of a call as a log states it.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// Its line.
    pub place: Place,
    /// Id of the call.
    pub id: String,
    /// What became of it.
    pub verdict: Verdict,
    /// What the agent said, if it failed.
    pub complaint: Option<String>,
    /// The tool, where the answer names it.
    pub tool: Option<String>,
    /// Its session, where it is stored with the answer.
    pub session: Option<String>,
    /// When.
    pub time: Option<String>,
    /// What a reader should know.
    pub badges: Vec<Badge>,
    /// The argument text is worthless, whatever the call holds.
    pub raw_lost: bool,
    /// If the model was cut off, that is why the arguments were rejected, and what is left of them is worthless.
    pub is_of_cut: bool,
    /// Why the model stopped, where only the answer knows it.
    pub stop: Option<String>,
}

/// What an agent said about a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Verdict {
    /// It went well.
    #[default]
    Fine,
    /// The arguments could not be read.
    Unreadable,
    /// The arguments were cut off.
    Cut,
    /// The arguments were rejected before anything ran.
    Schema,
    /// There is no such tool.
    UnknownTool,
    /// The tool failed.
    ToolError,
    /// The call was not allowed.
    Denied,
}
