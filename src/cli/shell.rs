//! `completions` and `man`, made from the definitions of the command line.

use std::io::Write;

use clap::CommandFactory;

use super::args::Args;
use super::{Exit, Trouble, output};

/// Writes a completion script.
pub(super) fn completions(shell: clap_complete::Shell) -> Result<Exit, Trouble> {
    // The generator panics on a closed pipe, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "jsonmedic", &mut script);
    write(&script)
}

/// Writes the manual page.
pub(super) fn man() -> Result<Exit, Trouble> {
    let page = page().map_err(|error| Trouble::Said(error.to_string()))?;
    write(&page)
}

fn write(bytes: &[u8]) -> Result<Exit, Trouble> {
    let put = || {
        let mut out = output::stdout()?;
        out.write_all(bytes)?;
        out.flush()
    };
    put().map_err(Trouble::stdout)?;
    Ok(Exit::Done)
}

/// The page of the program, with the options of each verb under a heading of its own.
fn page() -> std::io::Result<Vec<u8>> {
    let mut command = Args::command();
    command.build();
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    for verb in command
        .get_subcommands()
        .filter(|verb| verb.get_name() != "help")
    {
        let name = verb.get_name().to_uppercase();
        let about = verb
            .get_about()
            .map(ToString::to_string)
            .unwrap_or_default();
        writeln!(page, ".SH {name}\n{}", roff(&about))?;
        let mut options = Vec::new();
        clap_mangen::Man::new(verb.clone()).render_options_section(&mut options)?;
        for line in String::from_utf8_lossy(&options).lines() {
            if line != ".SH OPTIONS" {
                writeln!(page, "{line}")?;
            }
        }
    }
    Ok(page)
}

/// Text that roff takes as text.
fn roff(text: &str) -> String {
    text.replace('\\', "\\\\").replace('-', "\\-")
}
