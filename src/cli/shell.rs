//! `completions` and `man`, made from the definitions of the command line and from the tables of the core.

use std::io::{self, Write};

use clap::{Command, CommandFactory};
use clap_mangen::Man;

use super::args::Args;
use super::{Exit, Trouble, output};
use crate::repair::{LADDER, Level, RULES};
use crate::visible::visible;

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

/// The page: the program, each verb with its options, and what levels, strategies and rules there are.
fn page() -> io::Result<Vec<u8>> {
    let mut command = Args::command();
    command.build();
    let mut page = Vec::new();
    let man = Man::new(command.clone());
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    for verb in command.get_subcommands() {
        if verb.get_name() != "help" {
            verb_section(&mut page, verb)?;
        }
    }
    writeln!(page, ".SH LEVELS")?;
    for level in Level::ALL {
        item(&mut page, level.name(), level.meaning())?;
    }
    writeln!(page, ".SH STRATEGIES")?;
    for rung in &LADDER {
        let about = format!("{}. {}", rung.number, rung.about);
        item(&mut page, rung.id, &about)?;
    }
    writeln!(page, ".SH RULES")?;
    for row in &RULES {
        let about = format!("{}: {}. {}", row.level, row.title, row.why);
        item(&mut page, row.id, &about)?;
    }
    #[cfg(feature = "tui")]
    {
        writeln!(page, ".SH KEYS")?;
        for (place, keys) in crate::runtime::manual::keys() {
            writeln!(page, ".SS {}", roff(place))?;
            for (key, help) in keys {
                item(&mut page, &key, help)?;
            }
        }
    }
    // Examples and exit statuses stand in lines of their own.
    if let Some(last) = command.get_after_help() {
        writeln!(page, ".SH NOTES\n.nf")?;
        for line in last.to_string().lines() {
            writeln!(page, "{}", roff(line))?;
        }
        writeln!(page, ".fi")?;
    }
    Ok(page)
}

fn verb_section(page: &mut Vec<u8>, verb: &Command) -> io::Result<()> {
    let name = verb.get_name().to_uppercase();
    let about = verb.get_about().map(ToString::to_string);
    let usage = verb.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ");
    writeln!(page, ".SH {name}\n\\fB{}\\fR\n.PP", roff(usage))?;
    writeln!(page, "{}.", roff(&about.unwrap_or_default()))?;
    let mut options = Vec::new();
    Man::new(verb.clone()).render_options_section(&mut options)?;
    let lines = String::from_utf8_lossy(&options).into_owned();
    for line in lines.lines().filter(|line| *line != ".SH OPTIONS") {
        writeln!(page, "{line}")?;
    }
    if let Some(last) = verb.get_after_help() {
        writeln!(page, ".PP\n{}", roff(&last.to_string()))?;
    }
    Ok(())
}

fn item(page: &mut Vec<u8>, name: &str, about: &str) -> io::Result<()> {
    writeln!(page, ".TP\n\\fB{}\\fR\n{}", roff(name), roff(about))
}

/// Text that roff takes as text: no escapes of its own, ASCII only, and no line that begins as a request.
fn roff(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    if text.starts_with(['.', '\'']) {
        out.push_str("\\&");
    }
    for character in visible(text).chars() {
        match character {
            '\\' => out.push_str("\\e"),
            '-' => out.push_str("\\-"),
            ' '..='~' => out.push(character),
            _ => out.push_str(&format!("\\[u{:04X}]", character as u32)),
        }
    }
    out
}
