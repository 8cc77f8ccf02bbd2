//! Repair of JSON that language models broke, with every change listed.
//!
//! The text that comes in is the *source*; what goes out is source + *edits*. An edit belongs to a [`Rule`], and a rule
//! has a [`Level`]: safe (one reasonable reading, nothing lost), lossy, or guess. What has no defensible reading is
//! refused with its place.
//!
//! ```
//! use jsonmedic::repair::{Level, ToolContext, auto};
//!
//! let source = "{'file': 'main.go',}";
//! let (strategy, repair) = auto(source, Level::Safe, &ToolContext::default());
//! assert!(repair.is_valid());
//! assert_eq!(strategy.id, "object-literal");
//! assert_eq!(repair.worst(), Some(Level::Safe));
//! assert_eq!(repair.edits.apply(source, |_| true), r#"{"file": "main.go"}"#);
//!
//! let comma = repair.edits.iter().last().unwrap();
//! assert_eq!((comma.span.start, comma.rule.id()), (18, "trailing-comma"));
//! ```
//!
//! Nothing here panics on a text or fails on it: a text that cannot be read comes back as a
//! [`Refusal`](repair::Refusal), with what was expected, what was found, and the rule that would pass.
//!
//! In reading order: [`repair`] is the core and needs nothing else; [`transcript`] reads what agents write about their
//! tool calls; `feed` follows log files (feature `cli`); `app`, `view` and `runtime` are the workbench (feature
//! `tui`); `cli` holds the verbs. [`visible`] is the one place that decides which characters a terminal may get.
//!
//! [`Rule`]: repair::Rule
//! [`Level`]: repair::Level

pub mod repair;
pub mod transcript;
pub mod visible;

#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "cli")]
pub mod feed;
#[cfg(feature = "cli")]
pub mod files;

#[cfg(feature = "tui")]
pub mod app;
#[cfg(feature = "tui")]
pub mod runtime;
#[cfg(feature = "tui")]
pub mod view;
