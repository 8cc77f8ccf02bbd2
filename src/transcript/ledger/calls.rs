//! The calls that a ledger keeps: those that wait for their answer, within bounds, and what became of the others.

use super::*;

impl Ledger {
    /// Remembers that the call belongs to its message, if the end of that is still to come.
    pub(super) fn is_of_message(&mut self, call: &Call, of: impl FnOnce() -> Of) {
        if let Some(message) = &call.message
            && !self.stops.contains_key(message)
        {
            if MAX_WAITING <= self.unended.len() {
                self.unended.clear();
            }
            self.unended.entry(message.clone()).or_default().push(of());
        }
    }

    pub(super) fn fresh_of(&mut self, serial: u64) -> Option<&mut Fresh> {
        let index = self
            .fresh
            .binary_search_by_key(&serial, |fresh| fresh.serial)
            .ok()?;
        Some(&mut self.fresh[index])
    }

    /// Counts a call that waits.
    pub(super) fn hold(&mut self, call: &Call) {
        self.waiting_bytes += text_len(call);
        if let Some(message) = &call.message {
            *self.waiting_of.entry(message.clone()).or_default() += 1;
        }
    }

    /// Counts a call that waits no longer.
    pub(super) fn release(&mut self, call: &Call) {
        self.waiting_bytes -= text_len(call);
        if let Some(message) = &call.message
            && let Some(count) = self.waiting_of.get_mut(message)
        {
            *count -= 1;
            if *count == 0 {
                self.waiting_of.remove(message);
            }
        }
    }

    pub(super) fn stop_waiting(&mut self, id: &str) -> Option<(Call, u64)> {
        match self.calls.remove(id)? {
            State::Waiting(call, at) => {
                self.release(&call);
                Some((*call, at))
            }
            other => {
                self.calls.insert(id.to_owned(), other);
                None
            }
        }
    }

    pub(super) fn end(&mut self, id: String, state: State) {
        if MAX_DONE <= self.done {
            self.calls
                .retain(|_, state| matches!(state, State::Waiting(..)));
            self.done = 0;
        }
        self.done += 1;
        self.calls.insert(id, state);
    }

    pub(super) fn forget_oldest(&mut self) {
        while MAX_WAITING < self.waiting.len() || MAX_WAITING_BYTES < self.waiting_bytes {
            let Some(id) = self.waiting.pop_front() else {
                return;
            };
            self.stop_waiting(&id);
        }
    }
}
