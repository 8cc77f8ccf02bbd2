//! Starts the real program and says what came of it.

// Each test program uses its part of this.
#![allow(dead_code)]

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// What one run of the program came to.
#[derive(Debug, PartialEq, Eq)]
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

/// Runs the program with `line` as its arguments and `stdin` on its standard input.
pub fn run(line: &[&str], stdin: &[u8]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jsonmedic"));
    let child = command
        .args(line)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = child.expect("the program was built for this test");
    let mut input = child.stdin.take().expect("stdin is a pipe");
    let stdin = stdin.to_vec();
    // A program that ends before it has read everything closes the pipe; that is no fault of the test.
    let feeder = std::thread::spawn(move || drop(input.write_all(&stdin)));
    let Output {
        status,
        stdout,
        stderr,
    } = child.wait_with_output().expect("the program ends");
    feeder.join().expect("the feeder does not panic");
    Ran {
        code: status.code().expect("no signal ended it"),
        out: String::from_utf8_lossy(&stdout).into_owned(),
        err: String::from_utf8_lossy(&stderr).into_owned(),
    }
}

/// Runs `fix` with flags that hold no white space.
pub fn fix(flags: &str, stdin: impl AsRef<[u8]>) -> Ran {
    let line: Vec<&str> = std::iter::once("fix")
        .chain(flags.split_whitespace())
        .collect();
    run(&line, stdin.as_ref())
}

/// The JSON report of one text.
pub fn report(flags: &str, stdin: impl AsRef<[u8]>) -> Value {
    let ran = fix(&format!("--report json {flags}"), stdin);
    assert_eq!(ran.err, "", "a report has nothing to say on stderr");
    serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {}", ran.out))
}
