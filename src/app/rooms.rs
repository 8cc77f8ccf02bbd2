//! How much room each pane has for its text.

use super::App;
use super::layout::{Area, Size, layout};
use super::pane::Room;
use super::text::Text;

impl App {
    /// Columns and rows for text in Source.
    pub(super) fn source_room(&self) -> Room {
        let area = layout(self).source.unwrap_or_default().inner();
        self.room(area, self.typed.as_ref().unwrap_or(&self.bench.doc.source))
    }

    /// Columns and rows for text in Output.
    pub(super) fn output_room(&self) -> Room {
        let area = layout(self).output.unwrap_or_default().inner();
        match &self.bench.shown {
            Some(shown) => self.room(area, &shown.text),
            None => self.room(area, &self.bench.doc.source),
        }
    }

    /// Rows of the Edits pane.
    pub(super) fn rows_room(&self) -> usize {
        usize::from(layout(self).edits.unwrap_or_default().inner().height)
    }

    fn room(&self, area: Area, text: &Text) -> Room {
        let gutter = self.gutter(text);
        Room {
            width: usize::from(area.width).saturating_sub(gutter).max(1),
            height: usize::from(area.height).max(1),
        }
    }

    /// Columns of the line numbers and the space behind them.
    pub fn gutter(&self, text: &Text) -> usize {
        let digits = text.lines().lines().ilog10() as usize + 1;
        let least = if Size::of(self.size) < Size::Wide {
            1
        } else {
            3
        };
        digits.max(least) + 1
    }

    /// Rows of the Feed's list.
    pub(super) fn feed_rows(&self) -> usize {
        usize::from(layout(self).feed.unwrap_or_default().inner().height).max(1)
    }

    /// Room of the Feed's preview.
    pub(super) fn preview_room(&self) -> Room {
        let area = layout(self).preview.unwrap_or_default().inner();
        Room {
            width: usize::from(area.width).max(2),
            height: usize::from(area.height).max(1),
        }
    }
}
