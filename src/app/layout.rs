//! Where everything stands: one computation for every size, used for drawing, for the mouse and for scrolling.

use super::{App, Focus, Overlay, Screen};

/// A rectangle of the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Area {
    /// First column.
    pub x: u16,
    /// First row.
    pub y: u16,
    /// Columns.
    pub width: u16,
    /// Rows.
    pub height: u16,
}

impl Area {
    /// What a border leaves.
    pub fn inner(self) -> Area {
        Area {
            x: self.x + 1,
            y: self.y + 1,
            width: self.width.saturating_sub(2),
            height: self.height.saturating_sub(2),
        }
    }

    /// Whether a cell lies inside.
    pub fn holds(self, x: u16, y: u16) -> bool {
        (self.x..self.x + self.width).contains(&x) && (self.y..self.y + self.height).contains(&y)
    }

    /// Cuts `rows` off at the top.
    fn top(&mut self, rows: u16) -> Area {
        let rows = rows.min(self.height);
        let cut = Area {
            height: rows,
            ..*self
        };
        self.y += rows;
        self.height -= rows;
        cut
    }

    /// Cuts `rows` off at the bottom.
    fn bottom(&mut self, rows: u16) -> Area {
        let rows = rows.min(self.height);
        self.height -= rows;
        Area {
            y: self.y + self.height,
            height: rows,
            ..*self
        }
    }

    /// Cuts `columns` off at the left.
    fn left(&mut self, columns: u16) -> Area {
        let columns = columns.min(self.width);
        let cut = Area {
            width: columns,
            ..*self
        };
        self.x += columns;
        self.width -= columns;
        cut
    }
}

/// How much room there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Size {
    /// Below 40x10: one line that names the size needed.
    Tiny,
    /// One pane at a time.
    One,
    /// Panes over each other.
    Stacked,
    /// Source and Output side by side.
    Wide,
    /// As `Wide`, with the Feed at the left.
    Full,
}

impl Size {
    /// The class of a screen.
    pub fn of((width, height): (u16, u16)) -> Size {
        match (width, height) {
            (0..40, _) | (_, 0..10) => Size::Tiny,
            (0..60, _) | (_, 0..18) => Size::One,
            (0..100, _) => Size::Stacked,
            (0..160, _) => Size::Wide,
            _ => Size::Full,
        }
    }
}

/// Everything that can stand on the screen; what is not shown now has no area.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// The first line.
    pub title: Area,
    /// The ten rungs.
    pub strip: Option<Area>,
    /// The names of the panes where only one fits.
    pub tabs: Option<Area>,
    /// Pane 1.
    pub source: Option<Area>,
    /// Pane 2.
    pub output: Option<Area>,
    /// Pane 3.
    pub edits: Option<Area>,
    /// About the chosen edit.
    pub detail: Option<Area>,
    /// The failed calls.
    pub feed: Option<Area>,
    /// The chosen call.
    pub preview: Option<Area>,
    /// A list that lies over the panes.
    pub list: Option<Area>,
    /// What belongs to the chosen row of that list.
    pub list_preview: Option<Area>,
    /// What is to be said.
    pub status: Area,
    /// The keys that matter now.
    pub hints: Area,
}

/// Columns of the Feed beside the Bench.
const FEED_COLUMN: u16 = 44;

/// Borders that the user moves: index into [`App::shares`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share {
    /// Source against Output, side by side.
    Columns,
    /// Source and Output against Edits and Detail.
    Rows,
    /// Edits against Detail.
    Detail,
    /// Rows for Source in a stack.
    Source,
    /// Rows for Output in a stack.
    Output,
    /// Rows for Edits in a stack.
    Edits,
    /// The Feed's list against its preview.
    Feed,
}

/// How many shares there are.
pub const SHARES: usize = 7;

/// Lays out the screen as it is now.
pub fn layout(app: &App) -> Layout {
    let (width, height) = app.size;
    let mut rest = Area {
        x: 0,
        y: 0,
        width,
        height,
    };
    let mut out = Layout::default();
    let size = Size::of(app.size);
    if size == Size::Tiny {
        out.title = rest.top(1);
        return out;
    }
    out.title = rest.top(1);
    out.hints = rest.bottom(1);
    out.status = rest.bottom(1);
    match app.screen {
        Screen::Feed => feed(app, size, rest, &mut out),
        Screen::Bench => bench(app, size, rest, &mut out),
    }
    out
}

fn feed(app: &App, size: Size, mut rest: Area, out: &mut Layout) {
    if app.overlay.is_some() {
        out.list = Some(rest);
        return;
    }
    if size == Size::One || app.zoom {
        match app.feed.in_preview {
            true => out.preview = Some(rest),
            false => out.feed = Some(rest),
        }
        return;
    }
    let list = share(
        rest.height * 12 / 21,
        app.share(Share::Feed),
        3,
        rest.height.saturating_sub(3),
    );
    out.feed = Some(rest.top(list));
    out.preview = Some(rest);
}

fn bench(app: &App, size: Size, mut rest: Area, out: &mut Layout) {
    match &app.overlay {
        Some(Overlay::Candidates(_)) if size != Size::One => return candidates(rest, out),
        Some(Overlay::Strategies(_)) if size != Size::One => {
            let rows = 16.min(rest.height.saturating_sub(5));
            out.list = Some(rest.top(rows));
            out.list_preview = Some(rest);
            return;
        }
        Some(_) => {
            out.list = Some(rest);
            return;
        }
        None => {}
    }
    if size == Size::Full {
        out.strip = Some(rest.top(1));
    }
    if size == Size::Full && app.feed_column && !app.zoom {
        out.feed = Some(rest.left(FEED_COLUMN));
    }
    if size == Size::Wide {
        out.strip = Some(rest.top(2));
    }
    if size == Size::One {
        out.tabs = Some(rest.top(1));
    }
    if size == Size::One || app.zoom {
        match app.focus {
            Focus::Source => out.source = Some(rest),
            Focus::Output => out.output = Some(rest),
            Focus::Edits => out.edits = Some(rest),
        }
        return;
    }
    if size == Size::Stacked {
        return stacked(app, rest, out);
    }
    let below = match size {
        Size::Full => (rest.height * 2 / 5).min(16),
        _ => rest.height * 2 / 5,
    };
    // On a low screen a list without rows leaves its room to what is to be read.
    let below = match rest.height < 30 && app.bench.rows.is_empty() {
        true => below.min(4),
        false => below,
    };
    let below = share(
        below,
        -app.share(Share::Rows),
        3,
        rest.height.saturating_sub(3),
    );
    let mut bottom = rest.bottom(below);
    let source = share(
        rest.width / 2,
        app.share(Share::Columns),
        12,
        rest.width.saturating_sub(12),
    );
    out.source = Some(rest.left(source));
    out.output = Some(rest);
    if app.size.0 < 110 {
        out.edits = Some(bottom);
        return;
    }
    let edits = match size {
        Size::Full => bottom.width * 8 / 13,
        _ => bottom.width * 11 / 20,
    };
    let edits = share(
        edits,
        app.share(Share::Detail),
        20,
        bottom.width.saturating_sub(20),
    );
    out.edits = Some(bottom.left(edits));
    out.detail = Some(bottom);
}

/// Source, Output and Edits over each other. The focused pane gets two rows more; a pane without edits needs one row.
fn stacked(app: &App, mut rest: Area, out: &mut Layout) {
    let short = app.focus != Focus::Edits && app.bench.rows.is_empty();
    let edits = if short { Some(rest.bottom(3)) } else { None };
    let panes: &[Focus] = match short {
        true => &[Focus::Source, Focus::Output],
        false => &[Focus::Source, Focus::Output, Focus::Edits],
    };
    let count = panes.len() as u16;
    let even = rest.height.saturating_sub(2) / count;
    let spare = rest.height.saturating_sub(2) % count;
    let wanted = |focus: Focus, index: u16| {
        let base = even + u16::from(index < spare) + if app.focus == focus { 2 } else { 0 };
        let moved = app.share(match focus {
            Focus::Source => Share::Source,
            Focus::Output => Share::Output,
            Focus::Edits => Share::Edits,
        });
        share(base, moved, 3, rest.height.saturating_sub(3 * (count - 1)))
    };
    let mut heights: Vec<u16> = panes
        .iter()
        .zip(0..)
        .map(|(focus, index)| wanted(*focus, index))
        .collect();
    settle(
        &mut heights,
        rest.height,
        panes.iter().position(|pane| *pane == app.focus),
    );
    for (focus, rows) in panes.iter().zip(heights) {
        let area = rest.top(rows);
        match focus {
            Focus::Source => out.source = Some(area),
            Focus::Output => out.output = Some(area),
            Focus::Edits => out.edits = Some(area),
        }
    }
    if edits.is_some() {
        out.edits = edits;
    }
}

/// Makes heights add up to `total` again, giving and taking at the panes that are not `kept`, none below 3.
fn settle(heights: &mut [u16], total: u16, kept: Option<usize>) {
    loop {
        let sum: u16 = heights.iter().sum();
        if sum == total {
            return;
        }
        let others = || (0..heights.len()).filter(|index| Some(*index) != kept);
        if sum < total {
            let smallest = others().min_by_key(|index| heights[*index]).unwrap_or(0);
            heights[smallest] += 1;
        } else {
            let biggest = others().max_by_key(|index| heights[*index]).unwrap_or(0);
            let index = if 3 < heights[biggest] {
                biggest
            } else {
                kept.unwrap_or(biggest)
            };
            if heights[index] <= 1 {
                return;
            }
            heights[index] -= 1;
        }
    }
}

fn candidates(mut rest: Area, out: &mut Layout) {
    let source = 5.min(rest.height / 4).max(3);
    out.source = Some(rest.top(source));
    out.output = Some(rest.top(4));
    out.list = Some(rest.left(rest.width / 2));
    out.list_preview = Some(rest);
}

/// A length moved by the user, within bounds.
fn share(base: u16, moved: i16, least: u16, most: u16) -> u16 {
    let moved = (i32::from(base) + i32::from(moved)).max(i32::from(least));
    (moved as u16).min(most.max(1))
}
