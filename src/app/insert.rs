//! Insert mode: a text area behind a thin wrapper, for editing only. Drawing is our own view's.
//!
//! The area is never given a paste: its `insert_str` drops CR. Pastes are spliced into the whole text, and the area is
//! filled anew.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use tui_textarea::{CursorMove, Input, TextArea};

/// The longest text that is edited here; longer ones go to the user's editor.
pub const LIMIT: usize = 64 * 1024;

/// A text being edited.
pub struct Insert {
    area: TextArea<'static>,
    /// What the area was filled with before each paste, since filling it clears its own history.
    before: Vec<(String, u32)>,
    /// When the last key changed the text and it has not been repaired since.
    pub changed: Option<u64>,
}

impl Insert {
    /// Begins to edit `text` with the caret at byte `caret`.
    pub fn new(text: &str, caret: u32) -> Insert {
        let mut insert = Insert {
            area: TextArea::default(),
            before: Vec::new(),
            changed: None,
        };
        insert.fill(text, caret);
        insert
    }

    /// The text as it stands.
    pub fn text(&self) -> String {
        self.area.lines().join("\n")
    }

    /// Whether nothing stands there.
    pub fn is_empty(&self) -> bool {
        self.area.lines().iter().all(String::is_empty) && self.area.lines().len() < 2
    }

    /// The caret's byte.
    pub fn caret(&self) -> u32 {
        let (row, column) = self.area.cursor();
        let lines = self.area.lines();
        let above: usize = lines.iter().take(row).map(|line| line.len() + 1).sum();
        let before: usize = lines.get(row).map_or(0, |line| {
            line.chars().take(column).map(char::len_utf8).sum()
        });
        (above + before) as u32
    }

    /// Puts the caret at a byte.
    pub fn set_caret(&mut self, caret: u32) {
        let (row, column) = place(&self.text(), caret);
        self.area.cancel_selection();
        // Both fit: a text edited here is no longer than `LIMIT`.
        self.area
            .move_cursor(CursorMove::Jump(row as u16, column as u16));
    }

    /// A key of the text area; says whether the text changed.
    pub fn key(&mut self, key: KeyEvent) -> bool {
        let control = key.modifiers == KeyModifiers::CONTROL;
        match key.code {
            KeyCode::Char('u') if control => self.undo(),
            // The area's own yank drops CR.
            KeyCode::Char('y') if control => {
                let text = self.area.yank_text();
                self.paste(&text);
                !text.is_empty()
            }
            _ => self.area.input(Input::from(key)),
        }
    }

    /// Puts a text in at the caret, every byte of it.
    pub fn paste(&mut self, pasted: &str) {
        let mut text = self.text();
        let at = self.caret();
        self.before.push((text.clone(), at));
        text.insert_str(at as usize, pasted);
        self.fill(&text, at + pasted.len() as u32);
    }

    fn undo(&mut self) -> bool {
        if self.area.undo() {
            return true;
        }
        let Some((text, caret)) = self.before.pop() else {
            return false;
        };
        self.fill(&text, caret);
        true
    }

    fn fill(&mut self, text: &str, caret: u32) {
        // At LF only: the CR of a CR LF stays in its line.
        self.area = TextArea::new(text.split('\n').map(str::to_owned).collect());
        self.set_caret(caret);
    }
}

/// Line and character of a byte, both from 0.
fn place(text: &str, caret: u32) -> (usize, usize) {
    let head = text.get(..caret as usize).unwrap_or(text);
    let line = head.rfind('\n').map_or(head, |at| &head[at + 1..]);
    (head.matches('\n').count(), line.chars().count())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(insert: &mut Insert, keys: &str) {
        for letter in keys.chars() {
            insert.key(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::NONE));
        }
    }

    #[test]
    fn every_byte_survives_coming_and_going() {
        for text in [
            "",
            "a",
            "a\r\nb\r\n",
            "\r",
            "a\rb",
            "x\t\0\u{1b}\u{200b}\u{feff}",
            "日本\n\n語",
            "\n",
        ] {
            for caret in (0..=text.len()).filter(|at| text.is_char_boundary(*at)) {
                let insert = Insert::new(text, caret as u32);
                assert_eq!(insert.text(), text);
                assert_eq!(insert.caret(), caret as u32, "{text:?}");
            }
        }
    }

    #[test]
    fn a_paste_keeps_its_carriage_returns_and_is_one_step() {
        let mut insert = Insert::new("{}", 1);
        insert.paste("\"a\":\r\n\"b\rc\"");
        assert_eq!(insert.text(), "{\"a\":\r\n\"b\rc\"}");
        typed(&mut insert, "xy");
        assert_eq!(insert.text(), "{\"a\":\r\n\"b\rc\"xy}");
        let undo = KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL);
        while insert.text() != "{\"a\":\r\n\"b\rc\"}" {
            assert!(insert.key(undo));
        }
        assert!(insert.key(undo));
        assert_eq!((insert.text().as_str(), insert.caret()), ("{}", 1));
        assert!(!insert.key(undo));
    }

    #[test]
    fn what_was_cut_comes_back_with_its_carriage_return() {
        let mut insert = Insert::new("ab\r\ncd", 0);
        let control = |letter| KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL);
        insert.key(control('k'));
        assert_eq!(insert.text(), "\ncd");
        insert.key(control('y'));
        assert_eq!(insert.text(), "ab\r\ncd");
    }
}
