//! `formats`: the transcript formats that are known.

use std::fmt::Write as _;
use std::io::Write as _;

use super::{Exit, Trouble, output};
use crate::transcript::formats::{FORMATS, NOT_READ};

/// Writes where each format lives and what of a broken call survives in it.
pub(super) fn run() -> Result<Exit, Trouble> {
    let put = || {
        let mut out = output::stdout()?;
        out.write_all(text().as_bytes())?;
        out.flush()
    };
    put().map_err(Trouble::stdout)?;
    Ok(Exit::Done)
}

fn text() -> String {
    let mut out = String::from("Formats are told apart by content, whatever a file is called.\n");
    for adapter in FORMATS {
        let _ = write!(
            out,
            "\n{}\n  where  {}\n  keeps  {}\n",
            adapter.id, adapter.lives, adapter.keeps
        );
    }
    out.push_str("\nKnown and not read:\n");
    for (name, lives, why) in NOT_READ {
        let _ = write!(out, "\n{name}\n  where  {lives}\n  why    {why}\n");
    }
    out
}
