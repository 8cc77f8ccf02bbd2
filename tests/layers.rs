//! The layers hold: reads the sources and fails where one uses what it may not.

use std::fs;
use std::path::{Path, PathBuf};

/// What a layer may use of this crate beside itself, and the words it may not use.
struct Layer {
    name: &'static str,
    may_use: &'static [&'static str],
    banned: &'static [&'static str],
}

/// Pure layers read no files, start no threads, ask no clock and print nothing.
const PURE: &[&str] = &[
    "std::fs",
    "std::thread",
    "std::net",
    "std::process",
    "Instant::now",
    "SystemTime::now",
    "println!",
    "print!",
    "eprintln!",
    "eprint!",
    "dbg!",
];

const LAYERS: &[Layer] = &[
    Layer {
        name: "visible",
        may_use: &[],
        banned: PURE,
    },
    Layer {
        name: "repair",
        may_use: &[],
        banned: PURE,
    },
    Layer {
        name: "transcript",
        may_use: &["repair", "visible"],
        banned: PURE,
    },
    Layer {
        name: "files",
        may_use: &["visible"],
        banned: &["println!", "print!", "dbg!"],
    },
    Layer {
        name: "feed",
        may_use: &["repair", "transcript", "visible", "files"],
        banned: &["println!", "print!", "dbg!"],
    },
    Layer {
        name: "app",
        may_use: &["repair", "transcript", "visible"],
        banned: PURE,
    },
    Layer {
        name: "view",
        may_use: &["app", "repair", "visible"],
        banned: PURE,
    },
    Layer {
        name: "runtime",
        may_use: &[
            "repair",
            "transcript",
            "feed",
            "app",
            "view",
            "visible",
            "files",
        ],
        banned: &["println!", "print!", "dbg!"],
    },
    Layer {
        name: "cli",
        may_use: &[
            "repair",
            "transcript",
            "feed",
            "runtime",
            "visible",
            "files",
        ],
        // The macros panic on a closed pipe.
        banned: &["println!", "print!", "eprintln!", "eprint!", "dbg!"],
    },
];

/// Words that stand for a decision which belongs elsewhere.
const BANNED_NAMES: &[(&str, &str, &str)] =
    &[("view", "scan", "the view shows verdicts, it asks for none")];

#[test]
fn no_layer_uses_what_it_may_not() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut read = 0;
    let mut found = Vec::new();
    for path in sources(&src) {
        let inside = path.strip_prefix(&src).expect("it was found under src");
        let Some(layer) = layer_of(inside) else {
            assert!(
                inside == Path::new("lib.rs") || inside == Path::new("main.rs"),
                "{} belongs to no layer",
                inside.display()
            );
            continue;
        };
        let text = fs::read_to_string(&path).expect("a source is readable");
        found.extend(breaches(layer, inside, &text));
        read += 1;
    }
    assert!(LAYERS.len() <= read, "only {read} sources were read");
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn unsafe_code_is_forbidden_everywhere() {
    let manifest = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"));
    let manifest: String = manifest
        .expect("the manifest is readable")
        .split_whitespace()
        .collect();
    assert!(manifest.contains("unsafe_code=\"forbid\""));
}

#[test]
fn a_breach_is_seen() {
    for (file, text, expected) in [
        (
            "repair/edit.rs",
            "use crate::app::App;",
            "repair/edit.rs uses app",
        ),
        (
            "repair/edit.rs",
            "use super::super::view;",
            "repair/edit.rs uses view",
        ),
        (
            "repair/mod.rs",
            "fn f() { super::feed::walk() }",
            "repair/mod.rs uses feed",
        ),
        (
            "repair/scan/mod.rs",
            "use crate::{repair::Rule, cli};",
            "repair/scan/mod.rs uses cli",
        ),
        (
            "transcript/mod.rs",
            "use crate::{\n    repair,\n    feed::{self, Tail},\n};",
            "transcript/mod.rs uses feed",
        ),
        ("app/mod.rs", "use crate :: view;", "app/mod.rs uses view"),
        (
            "runtime/mod.rs",
            "crate::cli::run()",
            "runtime/mod.rs uses cli",
        ),
        ("cli/fix.rs", "use crate::app;", "cli/fix.rs uses app"),
        ("visible.rs", "use crate::repair;", "visible.rs uses repair"),
        (
            "repair/mod.rs",
            "let now = std::time::Instant::now();",
            "repair/mod.rs says `Instant::now`",
        ),
        (
            "view/mod.rs",
            "std::fs::read(path)",
            "view/mod.rs says `std::fs`",
        ),
        (
            "view/mod.rs",
            "repair::scan(text)",
            "view/mod.rs names `scan`: the view shows verdicts, it asks for none",
        ),
        (
            "app/mod.rs",
            "println!(\"x\")",
            "app/mod.rs says `println!`",
        ),
        (
            "repair/mod.rs",
            "use std::{fs, fmt};",
            "repair/mod.rs says `std::fs`",
        ),
    ] {
        let layer = layer_of(Path::new(file)).expect("the sample is in a layer");
        assert_eq!(breaches(layer, Path::new(file), text), [expected], "{text}");
    }
    for (file, text) in [
        (
            "repair/edit.rs",
            "use crate::repair::Rule; use super::rule; // crate::app is no use",
        ),
        (
            "repair/edit.rs",
            "/* crate::view \" */ let text = \"crate::app println!\"; let c = '\"'; let d = b'\"';",
        ),
        (
            "repair/edit.rs",
            "let raw = r#\"crate::app \" println!\"#; let life: &'static str = \"\";",
        ),
        (
            "app/mod.rs",
            "use crate::visible::visible; use crate::{repair::{Rule, view}, transcript};",
        ),
        ("view/mod.rs", "let scanning = app.scanned;"),
    ] {
        let layer = layer_of(Path::new(file)).expect("the sample is in a layer");
        assert_eq!(
            breaches(layer, Path::new(file), text),
            Vec::<String>::new(),
            "{text}"
        );
    }
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a source folder is readable");
    let paths = entries.map(|entry| entry.expect("an entry is readable").path());
    paths
        .flat_map(|path| match path.is_dir() {
            true => sources(&path),
            false => vec![path],
        })
        .filter(|path| path.extension().is_some_and(|end| end == "rs"))
        .collect()
}

fn layer_of(inside: &Path) -> Option<&'static Layer> {
    let top = inside.components().next()?.as_os_str().to_str()?;
    let name = top.strip_suffix(".rs").unwrap_or(top);
    LAYERS.iter().find(|layer| layer.name == name)
}

fn breaches(layer: &Layer, inside: &Path, text: &str) -> Vec<String> {
    let words = words(text);
    let file = inside.display();
    let mut found = Vec::new();
    for used in uses(&words, depth(inside)) {
        let is_layer = LAYERS.iter().any(|layer| layer.name == used);
        if is_layer && used != layer.name && !layer.may_use.contains(&used) {
            found.push(format!("{file} uses {used}"));
        }
    }
    let paths = paths(&words);
    for banned in layer.banned {
        let steps = self::words(banned);
        let said = words.windows(steps.len()).any(|run| run == steps)
            || paths
                .iter()
                .any(|path| path.starts_with(banned) && banned.contains("::"));
        if said {
            found.push(format!("{file} says `{banned}`"));
        }
    }
    for (name, word, why) in BANNED_NAMES {
        if *name == layer.name && words.contains(word) {
            found.push(format!("{file} names `{word}`: {why}"));
        }
    }
    found
}

/// How many `super` lead from the module of a file to the root of the crate.
fn depth(inside: &Path) -> usize {
    let steps = inside.components().count();
    if inside.ends_with("mod.rs") {
        steps - 1
    } else {
        steps
    }
}

/// The modules at the root of the crate that a source names.
fn uses<'a>(words: &[&'a str], depth: usize) -> Vec<&'a str> {
    let mut found: Vec<&str> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let mut next = at + 1;
        match *word {
            "crate" => {}
            // Only the first of a chain, and only a chain that reaches the root.
            "super" if at < 2 || words[at - 2] != "super" => {
                let mut climbed = 1;
                while words.get(next) == Some(&"::") && words.get(next + 1) == Some(&"super") {
                    climbed += 1;
                    next += 2;
                }
                if climbed < depth {
                    continue;
                }
            }
            _ => continue,
        }
        if words.get(next) == Some(&"::") {
            found.extend(heads(&words[next + 1..]));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The first names of a path, or of each path in a group.
fn heads<'a>(words: &[&'a str]) -> Vec<&'a str> {
    if words.first() != Some(&"{") {
        return words.first().copied().into_iter().collect();
    }
    let mut found = Vec::new();
    let mut open = 0;
    for (at, word) in words.iter().enumerate() {
        match *word {
            "{" => open += 1,
            "}" => open -= 1,
            _ if open == 1 && matches!(words[at - 1], "{" | ",") => found.push(*word),
            _ => {}
        }
        if open == 0 {
            break;
        }
    }
    found
}

/// The paths that groups directly behind `std::` spell: `std::{fs, fmt}` names `std::fs`.
fn paths(words: &[&str]) -> Vec<String> {
    let std_groups = words
        .windows(3)
        .enumerate()
        .filter(|(_, run)| *run == ["std", "::", "{"]);
    std_groups
        .flat_map(|(at, _)| heads(&words[at + 2..]))
        .map(|head| format!("std::{head}"))
        .collect()
}

/// The words and signs of a source, without white space, comments, strings and characters.
fn words(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let taken = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(hashes) = raw_string(rest) {
            let open = rest.find('"').map_or(rest.len(), |quote| quote + 1);
            let close = format!("\"{}", "#".repeat(hashes));
            rest[open..]
                .find(&close)
                .map_or(rest.len(), |end| open + end + close.len())
        } else if first == '"' {
            quoted(rest, '"')
        } else if first == '\'' {
            // A lifetime has no closing quote behind its first character.
            let mut after = rest[1..].chars();
            match (after.next(), after.next()) {
                (Some('\\'), _) => quoted(rest, '\''),
                (Some(one), Some('\'')) => 2 + one.len_utf8(),
                _ => 1,
            }
        } else if is_word(first) {
            let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            // The prefix of a byte string is no word.
            if !(end == 1 && matches!(rest.as_bytes().get(1), Some(b'"' | b'\'')) && first == 'b') {
                found.push(&rest[..end]);
            }
            end
        } else if rest.starts_with("::") {
            found.push(&rest[..2]);
            2
        } else {
            let end = first.len_utf8();
            if !first.is_whitespace() {
                found.push(&rest[..end]);
            }
            end
        };
        rest = &rest[taken..];
    }
    found
}

/// The number of `#` where a raw string begins.
fn raw_string(text: &str) -> Option<usize> {
    let body = text.strip_prefix("br").or_else(|| text.strip_prefix('r'))?;
    let hashes = body.len() - body.trim_start_matches('#').len();
    body[hashes..].starts_with('"').then_some(hashes)
}

/// Bytes of a string or character up to its closing quote.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if character == quote => return at + quote.len_utf8(),
            _ => {}
        }
    }
    text.len()
}
