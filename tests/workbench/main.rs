//! The workbench through its state and its picture: no terminal, no threads, no clock.

mod bed;
mod drawings;
