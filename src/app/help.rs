//! The lines of the help: keys from the table, signs from here.

use super::keys::{Context, Keymap, ROWS};
use super::text::cells;
use super::words::fold;

/// A line of the help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HelpLine {
    /// A heading.
    Title(String),
    /// A key or a sign, and what it means.
    Row(String, String),
    /// Nothing.
    Blank,
}

impl HelpLine {
    /// What stands in it, for searching.
    pub fn words(&self) -> String {
        match self {
            HelpLine::Title(title) => title.clone(),
            HelpLine::Row(keys, help) => format!("{keys} {help}"),
            HelpLine::Blank => String::new(),
        }
    }
}

/// What the signs of the screen mean.
const SIGNS: [(&str, &str); 21] = [
    (
        "[x] [ ] [?]",
        "an edit is on, off, or undecided (shown as on, and asked about before anything leaves)",
    ),
    (
        "safe",
        "one reasonable reading, nothing lost: plain underline",
    ),
    (
        "LOSSY",
        "something is lost or may be missing: double underline",
    ),
    (
        "guess",
        "one of several readings: dotted underline; off until allowed (M)",
    ),
    ("needs #3", "this edit means nothing while row 3 is off"),
    ("▸", "the chosen row; the rung on the screen"),
    (
        "*",
        "the rung that auto takes: lowest worst level, fewest schema problems, lowest number",
    ),
    ("●", "a call that came in and was not looked at"),
    ("○", "a call that was opened"),
    (
        "✓",
        "you accepted it; the outcome says how it left: copied, sent (OSC 52), written",
    ),
    ("–", "dismissed"),
    (
        "◧",
        "the log holds only the beginning of the text: nothing about it is safe",
    ),
    (
        "◆",
        "the agent repaired the text before it was logged: nothing about it is safe",
    ),
    (
        "≈",
        "the log holds the parsed object, not the model's own text",
    ),
    (
        "¿",
        "the agent replaces what it cannot read: this may have been unreadable text",
    ),
    ("⊘", "the user or a policy refused the call"),
    ("‹", "the call stands as text in a message"),
    ("✂", "the text was cut off here"),
    ("▲", "the place where the rung stopped"),
    ("∅", "nothing: the text goes, or comes in where nothing was"),
    (
        "⏎ ⇥ ␛ ⟨202E⟩",
        "stand-ins for line break, tab, escape and characters that hide or reorder; copies hold the true bytes",
    ),
];

/// Keys of the text area, which are no commands either.
const TYPING: [(&str, &str); 3] = [
    ("ctrl-a ctrl-e", "to the start or the end of the line"),
    (
        "ctrl-k ctrl-w ctrl-y",
        "cut to the end of the line, cut a word, put back",
    ),
    ("ctrl-u ctrl-r", "undo, redo"),
];

/// Keys of questions and prompts, which are no commands.
const ANSWERS: [(&str, &str); 6] = [
    (
        "a",
        "yes: accepts what is asked about; the key that asked never does",
    ),
    ("esc", "no: goes back"),
    ("a enter", "to the question about leaving: leaves"),
    (
        "a d esc q",
        "to an unfinished text of an earlier run: takes it, deletes it, keeps it for later, keeps it and quits",
    ),
    ("enter", "in a prompt: does it"),
    ("tab", "in a prompt for a file: completes the path"),
];

/// What is good to know about copying.
const COPYING: [(&str, &str); 3] = [
    (
        "copied",
        "the text is on the clipboard named, and was read back",
    ),
    (
        "sent",
        "the terminal was asked (OSC 52); nothing answers. tmux drops it unless `set -g set-clipboard on`",
    ),
    (
        "written",
        "the file was written whole and put in place by rename",
    ),
];

/// All lines, the explanations folded where `width` columns are too few.
pub fn lines(keymap: &Keymap, width: usize) -> Vec<HelpLine> {
    let lines = whole(keymap);
    let room = width.saturating_sub(keys_width(&lines, width) + 6).max(12);
    let mut out = Vec::new();
    for line in lines {
        let HelpLine::Row(keys, help) = line else {
            out.push(line);
            continue;
        };
        for (index, part) in fold(&help, room).into_iter().enumerate() {
            out.push(HelpLine::Row(
                if index == 0 {
                    keys.clone()
                } else {
                    String::new()
                },
                part,
            ));
        }
    }
    out
}

/// Columns for the keys, before the explanations.
pub fn keys_width(lines: &[HelpLine], width: usize) -> usize {
    let keys = lines.iter().map(|line| match line {
        HelpLine::Row(keys, _) => cells(keys),
        _ => 0,
    });
    keys.max().unwrap_or(0).min(width / 3).max(8)
}

fn whole(keymap: &Keymap) -> Vec<HelpLine> {
    let mut out = Vec::new();
    for context in Context::ALL {
        out.push(HelpLine::Title(context.title().to_owned()));
        for row in &ROWS {
            let keys: Vec<&str> = keymap.keys(context, row.action).collect();
            if !keys.is_empty() {
                out.push(HelpLine::Row(keys.join(" "), row.help.to_owned()));
            }
        }
        if context == Context::Typing {
            let rows = TYPING.iter();
            out.extend(rows.map(|(keys, help)| HelpLine::Row((*keys).into(), (*help).into())));
        }
        out.push(HelpLine::Blank);
    }
    for (title, rows) in [
        ("questions and prompts", &ANSWERS[..]),
        ("signs", &SIGNS[..]),
        ("how a text left", &COPYING[..]),
    ] {
        out.push(HelpLine::Title(title.to_owned()));
        out.extend(
            rows.iter()
                .map(|(sign, means)| HelpLine::Row((*sign).to_owned(), (*means).to_owned())),
        );
        out.push(HelpLine::Blank);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::keys::Action;

    #[test]
    fn every_action_is_in_the_help_with_its_own_keys() {
        let own = [("edit.accept".to_owned(), "F4".to_owned())];
        let (keymap, _) = Keymap::new(&own);
        let lines = lines(&keymap, 200);
        for row in &ROWS {
            let found = lines
                .iter()
                .any(|line| matches!(line, HelpLine::Row(_, help) if help == row.help));
            assert!(found, "{}", row.id);
        }
        let accept = Action::EditAccept.row().help;
        assert!(lines.contains(&HelpLine::Row("F4".into(), accept.into())));
    }
}
