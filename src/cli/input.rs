//! Reading one text: a regular file, or standard input.

use std::io;
use std::path::Path;

use crate::files::{read_all, read_file, shown, words};

/// A text as it was read.
#[derive(Debug)]
pub(super) struct Input {
    /// How messages name it.
    pub name: String,
    /// What was read.
    pub bytes: Vec<u8>,
}

/// Reads `path`, or standard input for none and for `-`.
pub(super) fn read(path: Option<&Path>) -> Result<Input, String> {
    let Some(path) = path.filter(|path| *path != Path::new("-")) else {
        let bytes = read_all(io::stdin().lock(), 0)
            .map_err(|error| format!("standard input: {}", words(&error)))?;
        let name = "stdin".to_owned();
        return Ok(Input { name, bytes });
    };
    let name = shown(path);
    let bytes = read_file(path).map_err(|why| format!("{name}: {why}"))?;
    Ok(Input { name, bytes })
}
