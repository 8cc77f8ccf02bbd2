//! Drawing. Pure: [`draw`] reads the state and fills a frame; it decides nothing.

mod candidates;
mod detail;
mod diff;
mod edits;
mod feed;
mod help;
mod ink;
mod lists;
mod output;
mod refusal;
mod source;
mod status;
mod strategies;
mod strip;
mod theme;
mod title;
mod tree;
mod viewer;

use ratatui::Frame;
use ratatui::layout::Rect;

use crate::app::layout::{Layout, Size, layout};
use crate::app::overlay::Overlay;
use crate::app::{App, Screen};
use theme::Paint;

/// Draws the whole screen, and puts the cursor where text is typed.
pub fn draw(app: &App, frame: &mut Frame<'_>) {
    let Rect { width, height, .. } = frame.area();
    // Between a resize of the terminal and its event both sizes may differ: nothing is drawn past the smaller one.
    if (width, height) != app.size {
        return;
    }
    let paint = Paint::new(app.options.look);
    let layout = layout(app);
    let buf = frame.buffer_mut();
    if Size::of(app.size) == Size::Tiny {
        let text = format!("needs 40x10, has {width}x{height}; q quits");
        let lines = crate::app::words::fold(&text, usize::from(width.max(1)));
        for (y, line) in (0..height).zip(lines) {
            ink::put(buf, 0, y, width, &line, paint.plain());
        }
        return;
    }
    title::draw(app, layout.title, paint, buf);
    let cursor = match app.screen {
        Screen::Bench => bench(app, &layout, paint, buf),
        Screen::Feed => {
            feed::draw(app, &layout, paint, buf);
            None
        }
    };
    let cursor = over(app, &layout, paint, buf).or(cursor);
    let typed = status::draw(app, &layout, paint, buf);
    if !app.options.look.unicode {
        ink::ascii(buf);
    }
    if let Some(cursor) = typed.or(cursor) {
        frame.set_cursor_position(cursor);
    }
}

fn bench(
    app: &App,
    layout: &Layout,
    paint: Paint,
    buf: &mut ratatui::buffer::Buffer,
) -> Option<(u16, u16)> {
    if let Some(area) = layout.strip {
        strip::draw(app, area, paint, buf);
    }
    if let Some(area) = layout.tabs {
        title::tabs(app, area, paint, buf);
    }
    if let Some(area) = layout.feed {
        feed::column(app, area, paint, buf);
    }
    let mut cursor = None;
    if let Some(area) = layout.source {
        cursor = source::draw(app, area, paint, buf);
    }
    if let Some(area) = layout.output {
        cursor = output::draw(app, area, paint, buf).or(cursor);
    }
    if let Some(area) = layout.edits {
        edits::draw(app, area, paint, buf);
    }
    if let Some(area) = layout.detail {
        detail::draw(app, area, paint, buf);
    }
    cursor
}

/// What lies over the screen.
fn over(
    app: &App,
    layout: &Layout,
    paint: Paint,
    buf: &mut ratatui::buffer::Buffer,
) -> Option<(u16, u16)> {
    let list = layout.list?;
    let preview = layout.list_preview.unwrap_or_default();
    match app.overlay.as_ref()? {
        Overlay::Help { top } => help::draw(app, *top, list, paint, buf),
        Overlay::Strategies(strategies) => {
            strategies::draw(app, strategies, list, preview, paint, buf)
        }
        Overlay::Candidates(chosen) => candidates::draw(app, chosen, list, preview, paint, buf),
        Overlay::CopyMenu { forms, at } => lists::copy_menu(app, forms, *at, list, paint, buf),
        Overlay::Messages { top } => lists::messages(app, *top, list, paint, buf),
        Overlay::Palette(finder) => return Some(lists::palette(app, finder, list, paint, buf)),
        Overlay::Tools(finder) => return Some(lists::tools(app, finder, list, paint, buf)),
    }
    None
}
