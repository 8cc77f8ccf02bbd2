//! Arguments -> verb -> exit code, nothing else.

use std::process::ExitCode;

use jsonmedic::cli::{self, args::Verb};

fn main() -> ExitCode {
    let args = match cli::parse(std::env::args_os()) {
        Ok(args) => args,
        Err(exit) => return exit.into(),
    };
    let exit = match args.verb {
        Some(verb) => cli::run(verb),
        None => cli::run(Verb::Demo),
    };
    exit.into()
}
