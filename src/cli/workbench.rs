//! The verbs with a screen: what is said on the command line, handed to the run loop.

#[cfg(feature = "tui")]
use std::io::Write;
use std::process::ExitCode;

#[cfg(feature = "tui")]
use super::Exit;
use super::Trouble;
use super::args::{Bench, Watch};
#[cfg(feature = "tui")]
use crate::runtime::{self, Start, What};
#[cfg(feature = "tui")]
use crate::visible::visible;

/// The workbench on one text.
#[cfg(feature = "tui")]
pub(super) fn bench(args: Bench) -> Result<ExitCode, Trouble> {
    if args.print_config {
        return print_config();
    }
    has_terminal("jsonmedic fix")?;
    Ok(runtime::run(Start {
        what: match args.file {
            Some(path) if path.as_os_str() != "-" => What::File(path),
            _ => What::Stdin,
        },
        allow: args.allow,
        tool: args.tool.tool,
        field: args.tool.field,
        tools: args.tool.tools,
    }))
}

/// The configuration in force; what is wrong in the file goes to standard error.
#[cfg(feature = "tui")]
fn print_config() -> Result<ExitCode, Trouble> {
    let (text, faults) = runtime::config::print();
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(Trouble::stdout)?;
    for fault in &faults {
        super::say(format_args!("jsonmedic: {}", visible(fault)));
    }
    Ok(match faults.is_empty() {
        true => Exit::Done.into(),
        false => Exit::Trouble.into(),
    })
}

/// The workbench on the live list of failed calls.
#[cfg(feature = "tui")]
pub(super) fn watch(args: &Watch) -> Result<ExitCode, Trouble> {
    let Some(follow) = super::watch::on_screen(args)? else {
        // As when the list is left without a result.
        return Ok(Exit::Refused.into());
    };
    has_terminal("jsonmedic watch --json")?;
    Ok(runtime::run(Start {
        what: What::Watch(follow),
        ..Start::default()
    }))
}

/// The workbench on the logs inside the program.
#[cfg(feature = "tui")]
pub(super) fn demo() -> Result<ExitCode, Trouble> {
    has_terminal("jsonmedic fix")?;
    Ok(runtime::run(Start {
        what: What::Demo,
        ..Start::default()
    }))
}

/// Whether there is a terminal that a screen can be drawn on. What does the same without one is named.
#[cfg(feature = "tui")]
fn has_terminal(instead: &str) -> Result<(), Trouble> {
    let why = match std::env::var_os("TERM") {
        Some(term) if term.is_empty() || term == "dumb" => {
            let term = term.display();
            format!(" that can move its cursor (TERM is `{term}`)")
        }
        _ => match runtime::terminal::device() {
            Ok(_) => return Ok(()),
            Err(_) => String::new(),
        },
    };
    Err(Trouble::Said(format!(
        "the workbench needs a terminal{why}; `{instead}` works without one"
    )))
}

#[cfg(not(feature = "tui"))]
pub(super) fn bench(_: Bench) -> Result<ExitCode, Trouble> {
    Err(no_screen())
}

#[cfg(not(feature = "tui"))]
pub(super) fn watch(_: &Watch) -> Result<ExitCode, Trouble> {
    Err(no_screen())
}

#[cfg(not(feature = "tui"))]
pub(super) fn demo() -> Result<ExitCode, Trouble> {
    Err(no_screen())
}

#[cfg(not(feature = "tui"))]
fn no_screen() -> Trouble {
    Trouble::Said(
        "built without the workbench; `fix`, `scan` and `watch --json` work without it".into(),
    )
}
