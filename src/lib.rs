//! Repair of JSON that language models broke, with every change listed.

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
