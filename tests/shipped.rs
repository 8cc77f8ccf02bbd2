//! The files that packages take along: the manual page and the completions, as the program makes them.
//! `UPDATE_ASSETS=1 cargo test --test shipped` writes them anew.

#![cfg(all(feature = "tui", feature = "schema"))]

mod common;

use std::path::Path;

use common::run;

/// The file below `assets/`, and the command that makes it.
const FILES: [(&str, &[&str]); 4] = [
    ("jsonmedic.1", &["man"]),
    ("completions/jsonmedic.bash", &["completions", "bash"]),
    ("completions/_jsonmedic", &["completions", "zsh"]),
    ("completions/jsonmedic.fish", &["completions", "fish"]),
];

#[test]
fn the_manual_and_the_completions_are_as_the_program_makes_them() {
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    for (name, line) in FILES {
        let made = run(line, b"");
        assert_eq!((made.code, made.err.as_str()), (0, ""), "{line:?}");
        let path = assets.join(name);
        if std::env::var_os("UPDATE_ASSETS").is_some() {
            let folder = path.parent().expect("it lies in a folder");
            std::fs::create_dir_all(folder).expect("the folder can be made");
            std::fs::write(&path, &made.out).expect("the file can be written");
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            kept == made.out,
            "{name} is not as `jsonmedic {}` makes it: UPDATE_ASSETS=1 cargo test --test shipped",
            line.join(" ")
        );
    }
}

#[test]
fn the_manual_names_every_key() {
    let manual = run(&["man"], b"").out;
    for row in &jsonmedic::app::keys::ROWS {
        // Roff escapes hyphens.
        let help = row.help.replace('-', "\\-");
        assert!(
            manual.contains(&help) || manual.contains(row.help),
            "{}",
            row.id
        );
    }
}
