//! What agents write about their tool calls. Pure: bytes in, facts out.

mod call;
mod event;
mod node;
pub mod tools;

pub use call::{Badge, FailedCall, Kind, Kinds, Origin, Outcome, RawFrom, Retry, Status, judge};
pub use event::{Counts, FeedEvent, How};
