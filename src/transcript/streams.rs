//! Calls whose arguments come in pieces.

use super::call::RawFrom;
use super::fact::Call;

/// Calls whose arguments come in pieces at the same time; beyond, the oldest is forgotten.
const MAX_STREAMS: usize = 1024;

/// The streams that have not come to their end.
#[derive(Debug, Default)]
pub(super) struct Streams {
    /// By name, oldest first.
    open: Vec<(String, Call)>,
    /// The name of the one that the last piece belonged to.
    touched: String,
}

impl Streams {
    /// Whether none is open.
    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Begins a stream. Returns the call that had this name and is over now.
    pub fn open(&mut self, name: String, call: Call) -> Option<Call> {
        self.touched.clone_from(&name);
        if let Some(open) = self.find(&name) {
            // Some servers say id and name with every piece.
            if open.id == call.id || call.id.is_none() {
                let text = call.raw.unwrap_or_default();
                open.raw.get_or_insert_default().push_str(&text);
                return None;
            }
        }
        // Others give every call the same number.
        let over = self.close(&name).pop();
        self.open.push((name, call));
        if MAX_STREAMS < self.open.len() {
            self.open.remove(0);
        }
        over
    }

    /// Adds a piece.
    pub fn piece(&mut self, name: String, text: &str) {
        if let Some(call) = self.find(&name) {
            call.raw.get_or_insert_default().push_str(text);
            self.touched = name;
        }
    }

    /// Takes the text as a whole, which counts over the pieces.
    pub fn whole(&mut self, name: &str, text: String) {
        if let Some(call) = self.find(name) {
            call.raw = Some(text);
            call.raw_from = Some(RawFrom::Verbatim);
        }
    }

    /// Takes the streams out whose names begin so.
    pub fn close(&mut self, names: &str) -> Vec<Call> {
        let all = std::mem::take(&mut self.open);
        let (over, open): (Vec<_>, Vec<_>) = all
            .into_iter()
            .partition(|(name, _)| name.starts_with(names));
        self.open = open;
        over.into_iter().map(|(_, call)| call).collect()
    }

    /// The beginning of the names of all streams of the response that the last piece belonged to.
    pub fn response_of_last(&mut self) -> String {
        let touched = std::mem::take(&mut self.touched);
        let response = touched.split_once('/').map_or("", |(response, _)| response);
        format!("{response}/")
    }

    /// Drops the stream of a call.
    pub fn forget(&mut self, id: &str) {
        self.open.retain(|(_, open)| open.id.as_deref() != Some(id));
    }

    fn find(&mut self, name: &str) -> Option<&mut Call> {
        let found = self.open.iter_mut().find(|(open, _)| open == name);
        found.map(|(_, call)| call)
    }
}
