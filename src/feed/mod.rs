//! Log files: finding, reading and following them. The only place that reads logs.

pub mod file;
mod log;
pub mod places;
pub mod scan;
mod walk;

pub use log::{Log, Wanted, lines_at, read_stream};
pub use scan::{Summary, scan};
pub use walk::{Found, Unread, walk};
