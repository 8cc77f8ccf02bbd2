//! The mouse: clicks, drags and the wheel.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};

use super::layout::{Area, Share, Size, layout};
use super::overlay::{Move, Overlay};
use super::{App, Focus, Screen};

impl App {
    /// The mouse.
    pub(super) fn mouse(&mut self, mouse: MouseEvent) {
        let (x, y) = (mouse.column, mouse.row);
        match mouse.kind {
            MouseEventKind::ScrollDown => self.wheel(x, y, 3),
            MouseEventKind::ScrollUp => self.wheel(x, y, -3),
            MouseEventKind::Down(MouseButton::Left) => self.click(x, y),
            MouseEventKind::Drag(MouseButton::Left) => self.drag(x, y),
            MouseEventKind::Up(MouseButton::Left) => self.dragging = None,
            _ => {}
        }
    }

    fn wheel(&mut self, x: u16, y: u16, rows: isize) {
        if self.overlay.is_some() {
            return self.move_list(Move::Rows(rows));
        }
        let layout = layout(self);
        let over = |area: Option<Area>| area.is_some_and(|area| area.holds(x, y));
        if over(layout.preview) {
            let (room, text) = (self.preview_room(), self.feed.preview.clone());
            self.feed.preview_pane.scroll(&text, room, rows);
        } else if over(layout.feed) {
            let page = self.feed_rows();
            let most = self.feed.listed.len().saturating_sub(page);
            self.feed.top = self.feed.top.saturating_add_signed(rows).min(most);
        } else if over(layout.source) {
            let (room, text) = (self.source_room(), self.bench.doc.source.clone());
            self.bench.source_pane.scroll(&text, room, rows);
        } else if over(layout.output) {
            self.scroll_output(rows);
        } else if over(layout.edits) {
            let most = self
                .bench
                .rows
                .list()
                .len()
                .saturating_sub(self.rows_room());
            self.bench.rows_top = self.bench.rows_top.saturating_add_signed(rows).min(most);
        }
    }

    fn click(&mut self, x: u16, y: u16) {
        if self.ask.is_some() || self.prompt.is_some() {
            return;
        }
        let layout = layout(self);
        if let Some(list) = layout.list.filter(|_| self.overlay.is_some()) {
            return self.click_list(list, x, y);
        }
        if let Some(share) = self.border_at(x, y) {
            self.dragging = Some((share, x, y));
            return;
        }
        let inside = |area: Option<Area>| {
            area.filter(|area| area.holds(x, y))
                .map(|area| (area, area.inner().holds(x, y)))
        };
        if let Some(tabs) = layout.tabs.filter(|tabs| tabs.holds(x, y)) {
            self.focus = match (x - tabs.x) / 9 {
                0 => Focus::Source,
                1 => Focus::Output,
                _ => Focus::Edits,
            };
        } else if let Some((area, in_list)) = inside(layout.feed) {
            self.feed.in_preview = false;
            if in_list {
                let row = self.feed.top + usize::from(y - area.inner().y);
                let again = self.screen == Screen::Bench || row == self.feed.at;
                if row < self.feed.listed.len() {
                    let rows = self.feed_rows();
                    self.feed.go(row, rows);
                    if again {
                        self.open_chosen();
                    }
                }
            }
        } else if inside(layout.preview).is_some() {
            self.feed.in_preview = true;
        } else if let Some((area, in_text)) = inside(layout.source) {
            self.focus = Focus::Source;
            if in_text {
                self.click_source(area.inner(), x, y);
            }
        } else if let Some((area, in_text)) = inside(layout.output) {
            if self.insert.is_none() {
                self.focus = Focus::Output;
                if in_text {
                    self.click_output(area.inner(), x, y);
                }
            }
        } else if let Some((area, in_rows)) = inside(layout.edits)
            && self.insert.is_none()
        {
            self.focus = Focus::Edits;
            if in_rows {
                self.choose_row(self.bench.rows_top + usize::from(y - area.inner().y));
            }
        }
    }

    fn click_list(&mut self, list: Area, x: u16, y: u16) {
        if !list.inner().holds(x, y) {
            return;
        }
        let row = usize::from(y - list.inner().y);
        match &mut self.overlay {
            // The first line of these lists holds what is typed, or headings.
            Some(Overlay::Palette(finder)) if 0 < row => {
                finder.at = (row - 1).min(finder.found.len().saturating_sub(1))
            }
            Some(Overlay::Tools(finder)) if 0 < row => {
                finder.at = (row - 1).min(finder.found.len().saturating_sub(1))
            }
            Some(Overlay::Strategies(list)) if (1..=10).contains(&row) => list.at = row - 1,
            Some(Overlay::Candidates(list)) => list.at = row,
            Some(Overlay::CopyMenu { forms, at }) => *at = row.min(forms.len().saturating_sub(1)),
            _ => {}
        }
        // A row past the last is the last.
        self.move_list(Move::Rows(0));
    }

    fn click_source(&mut self, inner: Area, x: u16, y: u16) {
        let room = self.source_room();
        let text = self
            .typed
            .clone()
            .unwrap_or_else(|| self.bench.doc.source.clone());
        let gutter = self.gutter(&text);
        let column = usize::from(x - inner.x).saturating_sub(gutter);
        let at = self
            .bench
            .source_pane
            .byte_under(&text, room, column, usize::from(y - inner.y));
        self.bench.source_pane.caret = at;
        match &mut self.insert {
            Some(insert) => insert.set_caret(at),
            None => self.choose_under_source(),
        }
    }

    fn click_output(&mut self, inner: Area, x: u16, y: u16) {
        let room = self.output_room();
        let row = usize::from(y - inner.y);
        if let Some(tree) = &mut self.bench.tree {
            tree.go(tree.top + row, room.height);
            let at = tree.chosen().map_or(0, |node| node.span.start);
            return self.choose_under_output(at);
        }
        let Some(shown) = &self.bench.shown else {
            return;
        };
        let text = shown.text.clone();
        let column = usize::from(x - inner.x).saturating_sub(self.gutter(&text));
        let at = self.bench.output_pane.byte_under(&text, room, column, row);
        self.bench.output_pane.caret = at;
        self.choose_under_output(at);
    }

    /// The border under a cell that can be dragged.
    fn border_at(&self, x: u16, y: u16) -> Option<Share> {
        let layout = layout(self);
        if self.screen == Screen::Feed {
            let preview = layout.preview.filter(|_| layout.feed.is_some())?;
            return (y == preview.y).then_some(Share::Feed);
        }
        let (source, output, edits) = (layout.source?, layout.output?, layout.edits?);
        if Size::of(self.size) == Size::Stacked {
            return match y {
                _ if y == output.y => Some(Share::Source),
                _ if y == edits.y => Some(Share::Output),
                _ => None,
            };
        }
        let border =
            |left: Area, right: Area| left.holds(left.x, y) && (x == right.x || x + 1 == right.x);
        match layout.detail {
            _ if border(source, output) && y != source.y => Some(Share::Columns),
            Some(detail) if border(edits, detail) && y != edits.y => Some(Share::Detail),
            _ if y == edits.y && edits.x <= x => Some(Share::Rows),
            _ => None,
        }
    }

    fn drag(&mut self, x: u16, y: u16) {
        let Some((share, from_x, from_y)) = self.dragging else {
            return;
        };
        let by = match share {
            Share::Columns | Share::Detail => x as i16 - from_x as i16,
            _ => y as i16 - from_y as i16,
        };
        self.move_share(share, by);
        self.dragging = Some((share, x, y));
    }
}
