//! The run loop and what stands between the workbench and the machine.

pub mod decode;
