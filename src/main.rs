//! Arguments -> verb -> exit code, nothing else.

use std::process::ExitCode;

#[cfg(feature = "tui")]
use jsonmedic::cli::args::Verb;
use jsonmedic::cli::{self, args::Bench};
#[cfg(feature = "tui")]
use jsonmedic::runtime::{self, Start, What};

fn main() -> ExitCode {
    let args = match cli::parse(std::env::args_os()) {
        Ok(args) => args,
        Err(exit) => return exit.into(),
    };
    match args.verb {
        #[cfg(feature = "tui")]
        Some(Verb::Demo) => runtime::run(Start {
            what: What::Demo,
            ..Start::default()
        }),
        Some(verb) => cli::run(verb).into(),
        None => bench(args.bench),
    }
}

#[cfg(feature = "tui")]
fn bench(args: Bench) -> ExitCode {
    runtime::run(Start {
        what: match args.file {
            Some(path) if path.as_os_str() != "-" => What::File(path),
            _ => What::Stdin,
        },
        allow: args.allow,
        tool: args.tool.tool,
        field: args.tool.field,
        tools: args.tool.tools,
    })
}

#[cfg(not(feature = "tui"))]
fn bench(_: Bench) -> ExitCode {
    eprintln!("jsonmedic: built without the workbench; `jsonmedic fix` repairs without it");
    ExitCode::from(2)
}
