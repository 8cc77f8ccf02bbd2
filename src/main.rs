//! Arguments -> verb -> exit code, nothing else.

use std::process::ExitCode;

use jsonmedic::cli;

fn main() -> ExitCode {
    match cli::parse(std::env::args_os()) {
        Ok(args) => cli::run(args),
        Err(exit) => exit.into(),
    }
}
