//! Repair of JSON that language models broke, with every change listed.
//!
//! The text that comes in is the *source*; what goes out is source + *edits*. An edit belongs to a [`Rule`], and a rule
//! has a [`Level`]. What has no defensible reading is refused with its place, and valid JSON comes out byte for byte.
//!
//! # Repair, review, output
//!
//! ```
//! use std::sync::Arc;
//! use jsonmedic::repair::{Decision, Level, Review, ToolContext, auto};
//!
//! let source = "{'file': main.go, 'at': NaN,}";
//! let (strategy, repair) = auto(source, Level::Guess, &ToolContext::default());
//! assert_eq!((strategy.id, repair.worst()), ("best-guess", Some(Level::Guess)));
//!
//! // Safe edits are on, lossy ones undecided, guesses off until somebody says otherwise.
//! let mut review = Review::new(Arc::new(repair), Level::Safe);
//! for fix in review.fixes().to_vec() {
//!     review.decide(fix.id, Decision::On);
//! }
//! let output = review.output(source);
//! assert_eq!(output, r#"{"file": "main.go", "at": null}"#);
//! assert!(review.verify(&output).is_ok());
//! ```
//!
//! Each edit says where it is, what it puts there, and which rule it belongs to. A text that cannot be read says where,
//! and which rule would pass:
//!
//! ```
//! use jsonmedic::repair::{Level, ToolContext, Verdict, auto};
//!
//! let (_, repair) = auto("[1, 2,]", Level::Safe, &ToolContext::default());
//! let comma = repair.edits.iter().next().unwrap();
//! assert_eq!((comma.span.start, comma.after, comma.rule.id()), (5, "", "trailing-comma"));
//!
//! let source = "[main.go]";
//! let (_, repair) = auto(source, Level::Safe, &ToolContext::default());
//! let Verdict::Refused(refusal) = &repair.verdict else { panic!() };
//! assert_eq!(refusal.message(source), "1:2: expected a value, found `main.go` (bare-value is off)");
//! ```
//!
//! # Levels
//!
//! | level | meaning |
//! |---|---|
//! | [`Level::Safe`] | one reasonable reading, and nothing the text says is lost |
//! | [`Level::Lossy`] | valid JSON, but something is lost or may be missing |
//! | [`Level::Guess`] | several readings exist, and one of them was picked |
//!
//! A level belongs to a rule; [`RULES`] says of each why it is right and why at its level. The level of a result is the
//! worst one among its edits, [`Repair::worst`].
//!
//! # Strategies
//!
//! A [`Strategy`] is a set of rules over one scan of the source; [`LADDER`] has the ten there are. [`auto`] takes the
//! surest that gives valid JSON, [`repair_within`] reads with one of them, [`climb`] with each in turn, and
//! [`check`] with none, which is the check against RFC 8259. A [`ToolContext`] names the tool that the arguments
//! belong to: its schema proves types, and its main field takes a plain text.
//!
//! # Limits
//!
//! Nothing here panics on a text or fails on it, and nothing recurses into one. Time is linear in the length of the text.
//! Valid text of up to 64 levels costs no memory, broken text some 30 bytes an edit and what it puts there. Texts of more
//! than 4 GiB and repairs of more than [`Limits::max_edits`] edits are refused. No value passes through a floating-point
//! number: digits, order, duplicate names and spelling stay as they were written.
//!
//! # Modules
//!
//! In reading order: [`repair`] is the core and needs nothing else; [`transcript`] reads what agents write about their
//! tool calls; `feed` follows log files (feature `cli`); `app`, `view` and `runtime` are the workbench (feature
//! `tui`); `cli` holds the verbs. [`visible`] is the one place that decides which characters a terminal may get. Without
//! default features there is the library alone, free of files, threads and terminals.
//!
//! [`RULES`]: repair::RULES
//! [`LADDER`]: repair::LADDER
//! [`Strategy`]: repair::Strategy
//! [`ToolContext`]: repair::ToolContext
//! [`Repair::worst`]: repair::Repair::worst
//! [`Limits::max_edits`]: repair::Limits::max_edits
//! [`auto`]: repair::auto
//! [`check`]: repair::check
//! [`climb`]: repair::climb
//! [`repair_within`]: repair::repair_within
//! [`Level::Safe`]: repair::Level::Safe
//! [`Level::Lossy`]: repair::Level::Lossy
//! [`Level::Guess`]: repair::Level::Guess
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
