//! Typographic signs inside strings: replaced only where the user switched the rule on.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::edit::Edits;
use super::rule::Rule;
use super::span::Span;
use super::tree::{Kind, Tree, decode};

/// Members that name the file a tool call is about.
const PATHS: [&str; 7] = [
    "file",
    "path",
    "file_path",
    "filename",
    "filepath",
    "target_file",
    "file_name",
];

/// The edits of `typographic-text` on a valid text: in all string values, unless the arguments name a file that holds
/// no program code. Without a path the text counts as code.
pub(super) fn edits(text: &str) -> Edits {
    let mut edits = Edits::new(text.len() as u32);
    let tree = Tree::new(text);
    let path = PATHS.iter().find_map(|name| {
        let member = tree.nodes.first().and_then(|_| tree.member(0, name))?;
        (tree.nodes[member].kind == Kind::Text).then(|| decode(tree.raw(member)))
    });
    if path.is_some_and(|path| !is_code_file(&path)) {
        return edits;
    }
    for node in tree.nodes.iter().filter(|node| node.kind == Kind::Text) {
        let mut fix = None;
        for (at, character) in node.span.text(text).char_indices() {
            let Some(plain) = plain(character) else {
                continue;
            };
            let fix = *fix.get_or_insert_with(|| edits.next_fix());
            let start = node.span.start + at as u32;
            let span = Span::new(start, start + character.len_utf8() as u32);
            edits.push(Rule::TypographicText, fix, span, plain);
        }
    }
    edits
}

/// What program code has in place of a printed sign, as it stands in a JSON string.
fn plain(character: char) -> Option<&'static str> {
    Some(match character {
        '\u{2018}' | '\u{2019}' | '\u{2032}' => "'",
        '\u{201C}' | '\u{201D}' | '\u{2033}' => "\\\"",
        '\u{AB}' => "<<",
        '\u{BB}' => ">>",
        _ => return None,
    })
}

/// Whether a path names a file of program code, by `assets/code_extensions.txt`.
pub fn is_code_file(path: &str) -> bool {
    static KNOWN: LazyLock<HashSet<&str>> = LazyLock::new(|| {
        let lines = include_str!("../../assets/code_extensions.txt").lines();
        lines
            .filter(|line| !line.starts_with('#'))
            .flat_map(str::split_whitespace)
            .collect()
    });
    let base = path
        .rsplit(['/', '\\'])
        .next()
        .unwrap_or(path)
        .to_lowercase();
    let extension = base.rsplit_once('.').map(|(_, extension)| extension);
    KNOWN.contains(format!("={base}").as_str())
        || extension.is_some_and(|extension| KNOWN.contains(extension))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_files_are_known_by_extension_or_name() {
        for (path, code) in [
            ("src/main.rs", true),
            ("MAIN.GO", true),
            ("Makefile", true),
            ("a/Dockerfile", true),
            ("C:\\x\\build.ps1", true),
            (".gitignore", true),
            ("go.mod", true),
            ("notes.md", false),
            ("readme", false),
            ("letter.txt", false),
            ("rs", false),
        ] {
            assert_eq!(is_code_file(path), code, "{path}");
        }
    }

    #[test]
    fn signs_are_replaced_in_values_of_code_alone() {
        for (text, output) in [
            (
                r#"{"cmd":"echo “a” ‘b’ 5′ 6″ «c»"}"#,
                r#"{"cmd":"echo \"a\" 'b' 5' 6\" <<c>>"}"#,
            ),
            (r#"{"“n”":["“x”"]}"#, r#"{"“n”":["\"x\""]}"#),
            (
                r#"{"path":"a.rs","content":"“x”"}"#,
                r#"{"path":"a.rs","content":"\"x\""}"#,
            ),
            (
                r#"{"path":"a.md","content":"“x”"}"#,
                r#"{"path":"a.md","content":"“x”"}"#,
            ),
            (
                r#"{"t":"NBSP\u00a0– … × −"}"#,
                r#"{"t":"NBSP\u00a0– … × −"}"#,
            ),
        ] {
            assert_eq!(edits(text).apply(text, |_| true), output);
        }
    }
}
