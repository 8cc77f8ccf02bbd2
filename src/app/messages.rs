//! What is said to the user: six seconds in the status row, then in the list of messages.

use super::App;
use super::words;
use crate::visible::visible;

/// So long a message stays in the status row.
const STAYS_MS: u64 = 6_000;

/// So many messages are kept.
const KEPT: usize = 200;

/// What was said.
#[derive(Clone, Debug, Default)]
pub struct Messages {
    /// Time of day and text, the newest last.
    pub log: Vec<(String, String)>,
    /// When the newest leaves the status row.
    pub until: Option<u64>,
}

impl App {
    /// Says something. The text may hold anything: it is made visible here.
    pub(super) fn say(&mut self, text: impl AsRef<str>) {
        let text = visible(text.as_ref()).into_owned();
        let log = &mut self.messages.log;
        if log.len() == KEPT {
            log.remove(0);
        }
        log.push((words::clock(self.now.unix, self.now.offset), text));
        self.messages.until = Some(self.now.millis + STAYS_MS);
    }

    /// The message in the status row.
    pub fn message(&self) -> Option<&str> {
        let until = self.messages.until?;
        let (_, text) = self.messages.log.last()?;
        (self.now.millis < until).then_some(text.as_str())
    }
}
