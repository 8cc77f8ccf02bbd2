//! The run loop and what stands between the workbench and the machine.

pub mod decode;
pub mod backend;
pub mod clock;
pub mod jobs;
pub mod terminal;
