//! Drawing. Pure: [`draw`] reads the state and fills a frame; it decides nothing.

use ratatui::Frame;

use crate::app::App;

/// Draws the whole screen.
pub fn draw(app: &App, frame: &mut Frame<'_>) {
    let _ = (app, frame);
}
