//! One line of typed text with a caret: for prompts, the palette and the tool picker.

use crossterm::event::KeyCode;

use super::keys::Press;

/// A line being typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The text.
    pub text: String,
    /// The caret's byte; on a character border.
    caret: usize,
}

impl Line {
    /// A line with `text` in it and the caret at its end.
    pub fn new(text: &str) -> Line {
        Line {
            text: text.to_owned(),
            caret: text.len(),
        }
    }

    /// The caret's byte.
    pub fn caret(&self) -> usize {
        self.caret
    }

    /// A key; says whether the text changed.
    pub fn key(&mut self, press: Press) -> bool {
        if let Some(letter) = press.typed() {
            self.text.insert(self.caret, letter);
            self.caret += letter.len_utf8();
            return true;
        }
        match press.code() {
            _ if press.is("ctrl-u") => {
                self.text.drain(..self.caret);
                self.caret = 0;
                return true;
            }
            _ if press.is("ctrl-a") => self.caret = 0,
            _ if press.is("ctrl-e") => self.caret = self.text.len(),
            _ if press.is("ctrl-w") => {
                let head = self.text[..self.caret].trim_end();
                let start = head.rfind(char::is_whitespace).map_or(0, |at| at + 1);
                self.text.drain(start..self.caret);
                self.caret = start;
                return true;
            }
            KeyCode::Backspace => {
                let Some(before) = self.text[..self.caret].chars().next_back() else {
                    return false;
                };
                self.caret -= before.len_utf8();
                self.text.remove(self.caret);
                return true;
            }
            KeyCode::Delete if self.caret < self.text.len() => {
                self.text.remove(self.caret);
                return true;
            }
            KeyCode::Left => {
                self.caret -= self.text[..self.caret]
                    .chars()
                    .next_back()
                    .map_or(0, char::len_utf8)
            }
            KeyCode::Right => {
                self.caret += self.text[self.caret..]
                    .chars()
                    .next()
                    .map_or(0, char::len_utf8)
            }
            KeyCode::Home => self.caret = 0,
            KeyCode::End => self.caret = self.text.len(),
            _ => {}
        }
        false
    }

    /// A paste: only its first line, since a line break ends nothing here.
    pub fn paste(&mut self, text: &str) {
        let first = text.lines().next().unwrap_or_default();
        self.text.insert_str(self.caret, first);
        self.caret += first.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows() {
        for (keys, text, caret) in [
            ("a b c", "abc", 3),
            ("a ñ left left x", "xañ", 1),
            ("a ñ backspace", "a", 1),
            ("a b home delete", "b", 0),
            ("a space b ctrl-w", "a ", 2),
            ("a b ctrl-u c", "c", 1),
            ("backspace delete left right", "", 0),
        ] {
            let mut line = Line::default();
            for word in keys.split(' ') {
                line.key(Press::parse(word).unwrap());
            }
            assert_eq!((line.text.as_str(), line.caret), (text, caret), "{keys}");
        }
        let mut line = Line::new("ac");
        line.key(Press::parse("left").unwrap());
        line.paste("b\nrest");
        assert_eq!(
            line,
            Line {
                text: "abc".into(),
                caret: 2
            }
        );
    }
}
