//! The workbench through its state and its picture: no terminal, no threads, no clock.

mod actions;
mod bed;
mod decide;
mod feed;
mod hostile;
mod leave;
mod mended;
mod paths;
mod pictures;
mod speed;
mod storm;
mod texts;
mod typing;
mod walk;
