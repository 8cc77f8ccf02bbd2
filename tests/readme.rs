//! The README says what the tables say, and its commands are commands. `UPDATE_README=1 cargo test --test readme` writes
//! the generated sections anew.

#![cfg(feature = "cli")]

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::{CommandFactory, Parser};
use jsonmedic::cli::args::Args;
use jsonmedic::repair::strategy::Gate;
use jsonmedic::repair::{LADDER, Level, RULES};
use jsonmedic::transcript::formats::FORMATS;

/// A generated section: the name in the markers, and what makes the text between them.
type Section = (&'static str, fn() -> String);

const SECTIONS: &[Section] = &[
    ("verbs", verbs),
    ("levels", levels),
    ("strategies", strategies),
    ("rules", rules),
    ("formats", formats),
    #[cfg(feature = "tui")]
    ("keys", jsonmedic::app::keys::markdown),
];

#[test]
fn generated_sections_are_as_the_tables_say() {
    let path = root().join("README.md");
    let readme = read(&path);
    let mut fresh = readme.clone();
    for (name, make) in SECTIONS {
        fresh = replace(&fresh, name, &make());
    }
    if std::env::var_os("UPDATE_README").is_some() {
        std::fs::write(&path, fresh).expect("the README can be written");
    } else {
        assert!(
            readme == fresh,
            "README.md is behind the tables: UPDATE_README=1 cargo test --test readme"
        );
    }
}

#[test]
fn a_stale_section_is_seen() {
    let stale = "a\n<!-- x -->\nold\n<!-- /x -->\nb\n";
    assert_eq!(
        replace(stale, "x", "new\n"),
        "a\n<!-- x -->\nnew\n<!-- /x -->\nb\n"
    );
}

#[test]
fn commands_in_the_documents_are_commands() {
    let mut seen = 0;
    for name in [
        "README.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "ARCHITECTURE.md",
    ] {
        let mut text = read(&root().join(name));
        if name == "README.md" {
            // Generated tables have placeholders, and are compared already.
            for (section, _) in SECTIONS {
                text = replace(&text, section, "");
            }
        }
        for command in commands(&text) {
            let parsed = Args::try_parse_from(command.split_whitespace());
            if let Err(error) = parsed {
                panic!("{name}: `{command}`: {error}");
            }
            seen += 1;
        }
    }
    assert!(5 < seen, "only {seen} commands were found");
    assert!(Args::try_parse_from("jsonmedic fix --no-such-flag".split(' ')).is_err());
}

#[test]
fn links_in_the_documents_lead_somewhere() {
    for name in [
        "README.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "ARCHITECTURE.md",
    ] {
        let text = read(&root().join(name));
        for (before, _) in text.match_indices("](") {
            let target: String = text[before + 2..]
                .chars()
                .take_while(|c| *c != ')')
                .collect();
            // Pictures are of the running program, and made later than the program.
            let is_picture =
                target.starts_with("screenshots/") && !root().join("screenshots").exists();
            if !target.contains("://") && !target.starts_with('#') && !is_picture {
                assert!(root().join(&target).exists(), "{name}: {target}");
            }
        }
    }
}

/// Every command line in code, block or span, that calls the program: the parts of a pipe on their own.
fn commands(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut in_block = false;
    for line in text.lines() {
        if line.starts_with("```") {
            in_block = !in_block;
            continue;
        }
        let spans: Vec<&str> = match in_block {
            true => vec![line],
            // Every other part stands between back quotes.
            false => line.split('`').skip(1).step_by(2).collect(),
        };
        for part in spans.iter().flat_map(|span| span.split('|')) {
            let part = part.trim();
            let called = part
                .strip_prefix("cargo run --release -- ")
                .map(|rest| format!("jsonmedic {rest}"));
            let command = called.unwrap_or_else(|| part.to_owned());
            if command.starts_with("jsonmedic ") {
                found.push(command);
            }
        }
    }
    found
}

fn replace(text: &str, name: &str, content: &str) -> String {
    let (open, close) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let start = text
        .find(&open)
        .unwrap_or_else(|| panic!("no marker {open}"))
        + open.len();
    let end = start
        + text[start..]
            .find(&close)
            .unwrap_or_else(|| panic!("no marker {close}"));
    format!("{}{content}{}", &text[..start], &text[end..])
}

fn verbs() -> String {
    let mut out = String::from("| command | does |\n|---|---|\n");
    let mut command = Args::command();
    command.build();
    let bench = command
        .get_about()
        .map(ToString::to_string)
        .unwrap_or_default();
    let _ = writeln!(out, "| `jsonmedic [FILE]` | {bench} |");
    for verb in command
        .get_subcommands()
        .filter(|verb| verb.get_name() != "help")
    {
        let positional: String = verb
            .get_positionals()
            .map(|arg| format!(" {arg}"))
            .collect();
        let about = verb
            .get_about()
            .map(ToString::to_string)
            .unwrap_or_default();
        let _ = writeln!(
            out,
            "| `jsonmedic {}{positional}` | {about} |",
            verb.get_name()
        );
    }
    out
}

fn levels() -> String {
    let mut out = String::from("| level | meaning | `fix` |\n|---|---|---|\n");
    for level in Level::ALL {
        let flag = match level {
            Level::Safe => "applied".to_owned(),
            _ => format!("needs `--allow {level}`"),
        };
        let _ = writeln!(out, "| **{level}** | {} | {flag} |", level.meaning());
    }
    out.push_str("| **refuse** | no reading can be defended | never changed: place, expected, found, reason |\n");
    out
}

fn strategies() -> String {
    let mut out = String::from("| # | strategy | does |\n|---|---|---|\n");
    for rung in &LADDER {
        let gate = match rung.gate {
            Gate::Always => "",
            Gate::ToolKnown => " (where a tool or a field is known)",
        };
        let _ = writeln!(
            out,
            "| {} | `{}` | {}{gate} |",
            rung.number, rung.id, rung.title
        );
    }
    out
}

fn rules() -> String {
    let mut out = String::new();
    for level in Level::ALL {
        let _ = write!(
            out,
            "**{level}**\n\n| rule | fault | example | becomes |\n|---|---|---|---|\n"
        );
        for row in RULES.iter().filter(|row| row.level == level) {
            let (before, after) = row.example;
            let _ = writeln!(
                out,
                "| `{}` | {} | {} | {} |",
                row.id,
                row.title,
                code(before),
                code(after)
            );
        }
        out.push('\n');
    }
    out.pop();
    out
}

fn formats() -> String {
    let mut out = String::from(
        "| format | where it lives | what survives of a broken call |\n|---|---|---|\n",
    );
    for format in FORMATS {
        let _ = writeln!(
            out,
            "| `{}` | {} | {} |",
            format.id, format.lives, format.keeps
        );
    }
    out
}

/// Text as code in a table cell.
fn code(text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let shown = jsonmedic::visible::visible(text).replace('|', "\\|");
    // A back quote inside needs a longer fence.
    match shown.contains('`') {
        true => format!("```` {shown} ````"),
        false => format!("`{shown}`"),
    }
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}
