//! Log files: finding, reading and following them. The only place that reads logs.
//!
//! [`scan()`] reads what is there now. [`Watch`] follows what comes, on a thread of its own:
//!
//! ```no_run
//! use jsonmedic::feed::{Options, Watch};
//! use jsonmedic::transcript::{FeedEvent, Kinds};
//!
//! let options = Options {
//!     places: vec!["/home/me/.claude/projects".into()], // empty: every known log folder that exists
//!     kinds: Kinds::ALL,                                // the default is malformed and truncated
//!     from_start: true,                                 // first tell what is there already
//!     ..Options::default()
//! };
//! let list = std::sync::Mutex::new(Vec::new());
//! let watch = Watch::start(options, move |event| {
//!     match event {
//!         FeedEvent::Failed(call) => list.lock().unwrap().push(*call),
//!         FeedEvent::Ready { files, how } => drop((files, how.word())),
//!         _ => {}
//!     }
//!     true // false ends the watch: nobody listens any more
//! });
//! watch.stop(); // or drop it
//! ```
//!
//! Order of what is told: `Progress` now and then while logs are read for the first time, with `Failed` in between
//! where `from_start` is on or positions are resumed; then `Ready`; then `Failed` as calls fail. `Explained` and
//! `Retried` refer to a call by its number and always come after its `Failed`. `Counts` comes whenever a number in it
//! has changed and counts all kinds. `Note` may come at any time; its text is visible text already.
//!
//! A [`Follower`] is the same without a thread and without a clock: tests hand it hints and moments.

pub mod file;
pub mod follow;
mod followed;
mod hints;
mod log;
pub mod mark;
mod original;
mod past;
pub mod places;
pub mod positions;
pub mod scan;
pub mod tail;
mod walk;
mod watch;

pub use follow::Follower;
pub use log::{Log, Wanted, corrected_line, read_stream};
pub use scan::{Summary, scan};
pub use tail::{News, Start, Tailer, Text, What};
pub use walk::{Found, Unread, walk};
pub use watch::{Options, Watch};
