//! The output as a tree that folds.

use ratatui::buffer::Buffer;

use super::ink::{Piece, fill, put_all};
use super::theme::Paint;
use crate::app::layout::Area;
use crate::app::tree::Tree;
use crate::app::words::{brief, count};

/// Deeper levels are not indented further, so that their values stay in sight.
const DEEPEST: usize = 24;

/// Draws the nodes in the window.
pub fn draw(text: &str, tree: &Tree, area: Area, paint: Paint, buf: &mut Buffer) {
    let rows = area.y..area.y + area.height;
    for ((y, row), (index, node)) in rows.zip(tree.top..).zip(tree.listed(tree.top)) {
        let chosen = row == tree.at;
        let style = if chosen {
            paint.chosen()
        } else {
            paint.plain()
        };
        if chosen {
            fill(
                buf,
                Area {
                    y,
                    height: 1,
                    ..area
                },
                style,
            );
        }
        let [open, folded] = paint.signs().branch;
        let opener = text.as_bytes().get(node.span.start as usize).copied();
        let value = match (node.members, opener) {
            (Some(members), Some(b'{')) => format!("{{{}}}", count(members, "member")),
            (Some(members), _) => format!("[{}]", count(members, "element")),
            (None, _) => brief(node.span.text(text), 400),
        };
        let branch = match node.members {
            Some(members) if 0 < members => {
                if tree.is_folded(index) {
                    folded
                } else {
                    open
                }
            }
            _ => " ",
        };
        let name = if node.name.is_empty() {
            String::new()
        } else {
            format!("{}: ", brief(node.name.text(text), 60))
        };
        let pieces: [Piece<'_>; 3] = [
            (
                format!("{}{branch} ", "  ".repeat(node.depth.min(DEEPEST))).into(),
                style,
            ),
            (name.into(), paint.strong().patch(style)),
            (value.into(), style),
        ];
        put_all(buf, area.x, y, area.width, &pieces);
    }
}
