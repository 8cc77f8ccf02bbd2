//! The verbs: arguments in, text on the standard streams, an exit status out.

pub mod args;

mod explain;
mod filter;
mod fix;
mod formats;
mod input;
mod output;
mod report;
mod scan;
mod shell;
mod table;
mod tell;
mod watch;
mod workbench;

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use clap::Parser;

use crate::files::words;
use crate::visible::visible;
use args::{Args, Verb};

/// What is said where no path is named and nothing is known to read.
const NO_FOLDER: &str =
    "no log folder of a known agent here; name a path, or see `jsonmedic formats`";

/// How a verb ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// What was asked for was done.
    Done,
    /// No result: refused, or left without one.
    Refused,
    /// Usage or input/output error.
    Trouble,
    /// Ended by the signal of that number.
    Signal(u8),
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(match exit {
            Exit::Done => 0,
            Exit::Refused => 1,
            Exit::Trouble => 2,
            Exit::Signal(number) => 128 + number,
        })
    }
}

/// Why a verb could not do its work.
#[derive(Debug)]
enum Trouble {
    /// Nobody reads standard output any more: the end, and no error.
    Closed,
    /// Anything else, in words.
    Said(String),
}

impl Trouble {
    /// What is wrong with standard output.
    fn stdout(error: std::io::Error) -> Trouble {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Trouble::Closed,
            _ => Trouble::Said(format!("standard output: {}", words(&error))),
        }
    }
}

impl From<String> for Trouble {
    fn from(words: String) -> Trouble {
        Trouble::Said(words)
    }
}

/// The command line as [`Args`]; where there is nothing to do (help, version, a wrong usage), how to end.
pub fn parse(line: impl IntoIterator<Item = OsString>) -> Result<Args, Exit> {
    Args::try_parse_from(line).map_err(|error| {
        if !error.use_stderr() {
            // Help on a closed pipe is no error either.
            let _ = error.print();
            return Exit::Done;
        }
        // The words quote the command line, which may hold a hostile file name.
        let words = error.render().to_string();
        for line in words.lines() {
            say(format_args!("{}", visible(line)));
        }
        Exit::Trouble
    })
}

/// Does what the command line says.
pub fn run(args: Args) -> ExitCode {
    let outcome = match args.verb {
        None => workbench::bench(args.bench),
        Some(Verb::Demo) => workbench::demo(),
        Some(Verb::Watch(args)) if !args.json => workbench::watch(&args),
        Some(Verb::Watch(args)) => watch::run(args).map(ExitCode::from),
        Some(Verb::Fix(args)) => fix::run(args).map(ExitCode::from),
        Some(Verb::Explain(args)) => explain::run(args.name.as_deref()).map(ExitCode::from),
        Some(Verb::Completions { shell }) => shell::completions(shell).map(ExitCode::from),
        Some(Verb::Man) => shell::man().map(ExitCode::from),
        Some(Verb::Formats) => formats::run().map(ExitCode::from),
        Some(Verb::Scan(args)) => scan::run(args).map(ExitCode::from),
    };
    match outcome {
        Ok(exit) => exit,
        Err(Trouble::Closed) => Exit::Done.into(),
        Err(Trouble::Said(words)) => {
            say(format_args!("jsonmedic: {}", visible(&words)));
            Exit::Trouble.into()
        }
    }
}

/// One line on standard error. Where nobody reads it there is nobody to tell.
fn say(line: std::fmt::Arguments) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}
