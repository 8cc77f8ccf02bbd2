//! Paths that are typed: completed by `tab`; and paths that a terminal types for a file that was dropped on it.

use super::App;
use super::Waiting;
use super::event::Effect;
use super::insert::Insert;
use super::line::Line;
use super::overlay::PromptKind;

/// A longer paste is a text.
const LONGEST: usize = 4096;

/// What a folder holds that begins as typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completed {
    /// What was typed when it was asked for.
    pub typed: String,
    /// The same with what all names have in common.
    pub text: String,
    /// The names, folders with a slash behind them.
    pub names: Vec<String>,
}

impl App {
    /// Asks what a folder holds that begins as typed.
    pub(super) fn complete(&mut self) {
        let Some(prompt) = self.prompt.as_ref().filter(|prompt| prompt.kind.is_path()) else {
            return;
        };
        let typed = prompt.line.text.clone();
        let id = self.ask_world(Waiting::Complete);
        self.effects.push(Effect::Complete { id, typed });
    }

    /// Takes the answer, if the line is still as it was.
    pub(super) fn completed(&mut self, found: Completed) {
        let Some(prompt) = &mut self.prompt else {
            return;
        };
        if prompt.line.text != found.typed {
            return;
        }
        if found.names.is_empty() {
            return self.say("no file or folder begins so");
        }
        prompt.line = Line::new(&found.text);
        // One name stands in the line already.
        prompt.names = match found.names.len() {
            1 => Vec::new(),
            _ => found.names,
        };
    }

    /// A paste that may be the path of a file dropped on the terminal: if there is such a file it is opened, else the
    /// paste is a text after all. Says whether it was taken.
    pub(super) fn take_dropped(&mut self, text: &str) -> bool {
        let is_free = self.ask.is_none() && self.prompt.is_none() && self.overlay.is_none();
        let is_empty = self.insert.as_ref().is_none_or(Insert::is_empty);
        let Some(path) = dropped(text).filter(|_| is_free && is_empty) else {
            return false;
        };
        let id = self.ask_world(Waiting::Dropped {
            text: text.to_owned(),
        });
        self.effects.push(Effect::OpenFile {
            id,
            path: path.into(),
        });
        true
    }
}

impl PromptKind {
    /// Whether a path is typed.
    pub fn is_path(self) -> bool {
        matches!(
            self,
            PromptKind::Open | PromptKind::Write | PromptKind::Tools
        )
    }
}

/// The path that a terminal types for a dropped file: plain, with backslashes, in single quotes, or as a `file:` address.
pub fn dropped(text: &str) -> Option<String> {
    let text = text.trim();
    if LONGEST < text.len() || text.contains(['\n', '\r', '\0']) {
        return None;
    }
    let path = if let Some(address) = text.strip_prefix("file://") {
        percent(address.strip_prefix("localhost").unwrap_or(address))?
    } else if let Some(quoted) = text.strip_prefix('\'') {
        quoted.strip_suffix('\'')?.replace("'\\''", "'")
    } else {
        unescaped(text)?
    };
    let rooted = path.starts_with('/') || path.starts_with("~/");
    (rooted && 1 < path.len()).then_some(path)
}

/// Without the backslashes that a shell would take away; `None` where a space stands without one.
fn unescaped(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => out.push(letters.next()?),
            ' ' | '"' | '{' | '[' => return None,
            letter => out.push(letter),
        }
    }
    Some(out)
}

/// With `%20` and its like as the bytes they stand for.
fn percent(text: &str) -> Option<String> {
    let mut out = Vec::new();
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'%' => {
                let digits = [bytes.next()?, bytes.next()?];
                let digits = std::str::from_utf8(&digits).ok()?;
                out.push(u8::from_str_radix(digits, 16).ok()?);
            }
            byte => out.push(byte),
        }
    }
    String::from_utf8(out).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dropped_path_is_told_from_a_text() {
        for (text, path) in [
            ("/tmp/a.json", Some("/tmp/a.json")),
            ("/tmp/a.json \n", Some("/tmp/a.json")),
            ("~/a.json", Some("~/a.json")),
            ("'/tmp/a b.json' ", Some("/tmp/a b.json")),
            ("'/tmp/it'\\''s'", Some("/tmp/it's")),
            ("/tmp/a\\ b.json", Some("/tmp/a b.json")),
            ("file:///tmp/a%20b.json", Some("/tmp/a b.json")),
            ("file://localhost/tmp/a", Some("/tmp/a")),
            ("file:///tmp/%zz", None),
            ("/tmp/a and more", None),
            ("/tmp/a\n/tmp/b", None),
            ("/", None),
            ("a.json", None),
            ("'a': 1", None),
            ("'/tmp/a", None),
            ("{\"a\": 1}", None),
            ("/tmp/{\"a\"}", None),
            ("", None),
        ] {
            assert_eq!(dropped(text).as_deref(), path, "{text}");
        }
    }
}
