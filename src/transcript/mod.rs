//! What agents write about their tool calls. Pure: bytes in, facts out.
//!
//! A log is taken apart into records ([`Reader`]), an adapter ([`formats`]) states the facts of each record, the
//! [`Ledger`] joins calls with their answers, and the [`Register`] lists each failure once over a whole run.

mod call;
mod classify;
mod correct;
pub mod date;
mod event;
mod fact;
pub mod formats;
mod ledger;
mod node;
mod reader;
mod register;
mod same;
mod select;
mod streams;
#[cfg(test)]
mod tests;
pub mod tools;

use std::path::Path;

use formats::Adapter;

pub use call::{Badge, FailedCall, Kind, Kinds, Origin, Outcome, RawFrom, Retry, Status, judge};
pub use correct::corrected_line;
pub use event::{Counts, FeedEvent, How};
pub use fact::{Answer, Call, Chunk, Fact, Place, Reading, Record, Verdict};
pub use ledger::{Entry, Ledger, Pause, Row};
pub use node::{Items, Members, Node};
pub use reader::{Fault, MAX_LINE, Reader, is_document, without_mark};
pub use register::{FarText, Register, Source};
pub use same::same_json;

/// The argument text of a call of which the length is known, from the line that holds it.
pub fn argument_text(adapter: &Adapter, line: &[u8], call: &Call, length: usize) -> Option<String> {
    let mut facts = Vec::new();
    (adapter.read)(&reader::record(line, Chunk::whole(&[], 0)), &mut facts);
    facts.into_iter().find_map(|fact| match fact {
        Fact::Called(found) | Fact::Leaked(found) | Fact::Garbled(found) => found
            .raw
            .filter(|raw| found.id == call.id && raw.len() == length),
        _ => None,
    })
}

/// All failed calls of one log that is in memory, of every kind.
pub fn read_all(path: &Path, text: &[u8]) -> Vec<FailedCall> {
    let mut reader = Reader::default();
    reader.file(text, 0);
    let Some(adapter) = reader.adapter() else {
        return Vec::new();
    };
    let source = Source {
        ledger: 0,
        adapter,
        paths: &[path.to_owned()],
        is_document: is_document(text),
        far: None,
        name: None,
        again: false,
    };
    let mut rows = Vec::new();
    Register::new(Kinds::ALL).take(source, reader.settle(Pause::End), &mut |event| {
        if let FeedEvent::Failed(call) = event {
            rows.push(*call);
        }
    });
    rows
}
