//! What agents write about their tool calls. Pure: bytes in, facts out.

pub mod tools;
