//! The README says what the tables say, and its commands are commands. `UPDATE_README=1 cargo test --test readme` writes
//! the generated sections anew.

#![cfg(feature = "cli")]

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::{CommandFactory, Parser};
use jsonmedic::cli::args::Args;
use jsonmedic::repair::rule::Needs;
use jsonmedic::repair::strategy::Gate;
use jsonmedic::repair::{LADDER, Level, RULES, RuleInfo, ToolContext, auto};
use jsonmedic::transcript::formats::FORMATS;

/// A generated section: the name in the markers, and what makes the text between them.
type Section = (&'static str, fn() -> String);

const SECTIONS: &[Section] = &[
    ("verbs", verbs),
    ("flags", flags),
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

fn flags() -> String {
    let mut out = String::new();
    let mut command = Args::command();
    command.build();
    let verbs = ["fix", "watch", "scan"];
    let verbs = verbs.map(|name| command.find_subcommand(name).expect("a verb"));
    for (name, verb) in [("", &command)]
        .into_iter()
        .chain(verbs.map(|verb| (verb.get_name(), verb)))
    {
        let of = if name.is_empty() { "" } else { " " };
        let _ = write!(
            out,
            "**`jsonmedic{of}{name}`**\n\n| flag | does |\n|---|---|\n"
        );
        let is_said = |arg: &&clap::Arg| {
            !arg.is_positional() && !["help", "version"].contains(&arg.get_id().as_str())
        };
        for arg in verb.get_arguments().filter(is_said) {
            let short = arg.get_short().map(|short| format!("`-{short}` "));
            let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(
                out,
                "| {}`{}` | {help}{} |",
                short.unwrap_or_default(),
                arg.to_string().replace('|', "\\|"),
                values(arg)
            );
        }
        let exit = verb.get_after_help().map(ToString::to_string);
        let exit = exit
            .as_deref()
            .and_then(|text| text.find("Exit").map(|at| &text[at..]));
        let _ = write!(out, "\n{}\n\n", exit.unwrap_or_default());
    }
    out.pop();
    out
}

/// What a flag may be, and what it is where it is not given.
fn values(arg: &clap::Arg) -> String {
    if !arg.get_action().takes_values() {
        return String::new();
    }
    let names: Vec<String> = arg
        .get_possible_values()
        .iter()
        .map(|value| format!("`{}`", value.get_name()))
        .collect();
    let default = arg
        .get_default_values()
        .first()
        .map(|value| format!("default `{}`", value.display()));
    let said = [names.join(", "), default.unwrap_or_default()];
    let said: Vec<&str> = said
        .iter()
        .map(String::as_str)
        .filter(|said| !said.is_empty())
        .collect();
    match said.is_empty() {
        true => String::new(),
        false => format!(" ({})", said.join("; ")),
    }
}

fn levels() -> String {
    let mut out = String::from("| level | meaning | `fix` |\n|---|---|---|\n");
    for level in Level::ALL {
        let flag = match level {
            Level::Safe => "applied".to_owned(),
            Level::Lossy => "needs `--allow lossy`; `--pick` is the consent itself".to_owned(),
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
                "| `{}` | {} | {}{} | {} |",
                row.id,
                row.title,
                if before.is_empty() && !after.is_empty() {
                    "empty text".to_owned()
                } else {
                    code(before)
                },
                condition(row),
                code(after)
            );
        }
        out.push('\n');
    }
    out.pop();
    out
}

/// What an example takes beside its level.
fn condition(row: &RuleInfo) -> String {
    match row.needs {
        _ if row.example.0.is_empty() && row.example.1.is_empty() => String::new(),
        _ if LADDER.iter().all(|rung| !rung.rules.has(row.rule)) => {
            ", where you switch it on".to_owned()
        }
        Needs::Nothing => String::new(),
        Needs::Tool(name) => format!(", with `--tool {name}`"),
        Needs::Schema(_) => ", with a schema".to_owned(),
    }
}

#[test]
fn an_example_without_a_condition_runs_by_its_level_alone() {
    for row in &RULES {
        let (before, after) = row.example;
        let (_, repair) = auto(before, row.level, &ToolContext::default());
        let runs = repair.is_valid()
            && repair.used().has(row.rule)
            && repair.edits.apply(before, |_| true) == after;
        let is_shown = !(before.is_empty() && after.is_empty());
        assert_eq!(runs, is_shown && condition(row).is_empty(), "{}", row.id);
    }
}

/// The example of a configuration sets everything there is, and is right.
#[cfg(feature = "tui")]
#[test]
fn the_configuration_in_the_readme_is_one() {
    use jsonmedic::runtime::config::{Config, read as read_config};
    let readme = read(&root().join("README.md"));
    let (_, block) = readme.split_once("```toml\n").expect("an example");
    let (block, _) = block.split_once("```").expect("its end");
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), block).expect("it can be written");
    let (config, faults) = read_config(file.path());
    assert_eq!(faults, Vec::<String>::new());
    let default = Config::default();
    assert_ne!(config.theme, default.theme);
    assert_ne!(config.session, default.session);
    assert_ne!(config.audit, default.audit);
    assert_ne!(config.clipboard, default.clipboard);
    assert_ne!(config.keys, default.keys);
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
