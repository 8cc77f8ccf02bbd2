//! What agents write about their tool calls. Pure: bytes in, facts out.

mod call;
mod event;

pub use call::{
    Badge, FailedCall, Kind, Kinds, Origin, Outcome, RawFrom, Retry, Status, json_line, judge,
};
pub use event::{Counts, FeedEvent, How};
