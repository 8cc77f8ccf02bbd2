//! Searching in texts and lists.

use super::bench::OutputView;
use super::layout::layout;
use super::overlay::Overlay;
use super::pane::Room;
use super::{App, Focus, Screen, help};
use crate::repair::LADDER;

impl App {
    /// Starts a search in the focused pane.
    pub(super) fn search_for(&mut self, text: String) {
        if let Some(Overlay::Strategies(list)) = &mut self.overlay {
            list.search = text;
            return self.search_strategies(false);
        }
        if self.overlay.is_some() {
            self.search = text;
            return self.search_list(false);
        }
        self.search = text;
        if !self.search.is_empty() {
            self.search_again(false);
        }
    }

    /// To the next or previous match, round the end.
    pub(super) fn search_again(&mut self, back: bool) {
        if matches!(self.overlay, Some(Overlay::Strategies(_))) {
            return self.search_strategies(back);
        }
        if self.search.is_empty() {
            return self.say("nothing to search for: `/`");
        }
        if self.overlay.is_some() {
            return self.search_list(back);
        }
        let found = match self.focus {
            _ if self.screen == Screen::Feed => {
                if !self.feed.in_preview {
                    return self.say("`/` filters the Feed; in the preview it searches");
                }
                let whole = self.preview_room();
                // What is told about the call leaves the text a third at least.
                let room = Room {
                    height: (whole.height / 3).max(1),
                    ..whole
                };
                let text = self.feed.preview.clone();
                let pane = &mut self.feed.preview_pane;
                let hit = find(text.as_str(), &self.search, pane.caret, back);
                if let Some(at) = hit {
                    pane.caret = at;
                    pane.reveal(&text, room, at);
                }
                hit.is_some()
            }
            Focus::Source => {
                let text = self.bench.doc.source.clone();
                let hit = find(
                    text.as_str(),
                    &self.search,
                    self.bench.source_pane.caret,
                    back,
                );
                let room = self.source_room();
                if let Some(at) = hit {
                    self.bench.source_pane.caret = at;
                    self.bench.source_pane.reveal(&text, room, at);
                    self.choose_under_source();
                }
                hit.is_some()
            }
            Focus::Output if self.bench.view == OutputView::Diff => self.search_edits(back),
            Focus::Output
                if self.bench.view == OutputView::Retry && !self.bench.retry_lines.is_empty() =>
            {
                let lines = self.bench.retry_lines.iter().map(|(_, line)| line.as_str());
                let hit = line_with(lines, &self.search, self.bench.retry_top, back);
                self.bench.retry_top = hit.unwrap_or(self.bench.retry_top);
                hit.is_some()
            }
            Focus::Output => {
                let Some(shown) = &self.bench.shown else {
                    return self.say("no output to search in");
                };
                let text = shown.text.clone();
                let hit = find(
                    text.as_str(),
                    &self.search,
                    self.bench.output_pane.caret,
                    back,
                );
                let room = self.output_room();
                if let Some(at) = hit {
                    self.bench.output_pane.caret = at;
                    self.bench.output_pane.reveal(&text, room, at);
                    self.choose_under_output(at);
                    if let Some(tree) = &mut self.bench.tree {
                        tree.open_to(at, room.height);
                    }
                }
                hit.is_some()
            }
            Focus::Edits => self.search_edits(back),
        };
        if !found {
            let text = super::words::brief(&self.search, 24);
            self.say(format!("`{text}` is not there"));
        }
    }

    /// Searches the help or the messages, from the line behind the top one or before it.
    fn search_list(&mut self, back: bool) {
        let inner = layout(self).list.unwrap_or_default().inner();
        let wanted = self.search.clone();
        let hit = match &mut self.overlay {
            Some(Overlay::Help { top }) => {
                let lines = help::lines(&self.keymap, usize::from(inner.width));
                let lines: Vec<String> = lines.iter().map(help::HelpLine::words).collect();
                let hit = line_with(lines.iter().map(String::as_str), &wanted, *top, back);
                *top = hit.unwrap_or(*top);
                hit
            }
            Some(Overlay::Messages { top }) => {
                let lines = self.messages.log.iter().rev();
                let hit = line_with(lines.map(|(_, text)| text.as_str()), &wanted, *top, back);
                *top = hit.unwrap_or(*top);
                hit
            }
            _ => return self.say("this list is short: there is no search in it"),
        };
        if hit.is_none() && !wanted.is_empty() {
            let text = super::words::brief(&wanted, 24);
            self.say(format!("`{text}` is not there"));
        }
    }

    fn search_edits(&mut self, back: bool) -> bool {
        let bench = &self.bench;
        let Some(review) = &bench.review else {
            return false;
        };
        let list = bench.rows.list();
        let count = list.len();
        let start = bench.row().unwrap_or(0);
        let hit = (1..=count)
            .map(|step| {
                if back {
                    (start + count - step) % count
                } else {
                    (start + step) % count
                }
            })
            .find(|index| {
                let row = list[*index];
                let edit = review.repair().edits.get(review.fixes()[row.first].first);
                let before = edit.map_or("", |edit| edit.span.text(bench.doc.source.as_str()));
                let after = edit.map_or("", |edit| edit.after);
                [row.rule.id(), before, after]
                    .iter()
                    .any(|text| text.contains(&self.search))
            });
        if let Some(index) = hit {
            self.choose_row(index);
        }
        hit.is_some()
    }

    /// Searches the list of strategies from the row behind the chosen one, or before it.
    pub(super) fn search_strategies(&mut self, back: bool) {
        let Some(Overlay::Strategies(list)) = &self.overlay else {
            return;
        };
        let wanted = list.search.to_lowercase();
        let count = LADDER.len();
        let hit = (1..=count)
            .map(|step| {
                if back {
                    (list.at + count - step) % count
                } else {
                    (list.at + step) % count
                }
            })
            .find(|index| {
                let rung = &LADDER[*index];
                let outcome = self
                    .bench
                    .ladder
                    .slot(*index)
                    .and_then(|slot| slot.refusal());
                let why = outcome.map_or("", |refusal| refusal.why.word());
                [rung.id, rung.title, why]
                    .iter()
                    .any(|text| text.contains(&wanted))
            });
        match (hit, &mut self.overlay) {
            (Some(index), Some(Overlay::Strategies(list))) => {
                list.at = index;
                self.look_at_chosen();
            }
            _ => self.say(format!("`{wanted}` is not in the list")),
        }
    }
}

/// The next line behind `from` that holds the words, or the last one before it; round the end, in any case of letters.
fn line_with<'a>(
    lines: impl Iterator<Item = &'a str>,
    wanted: &str,
    from: usize,
    back: bool,
) -> Option<usize> {
    let wanted = wanted.to_lowercase();
    let hits = lines
        .enumerate()
        .filter(|(_, line)| line.to_lowercase().contains(&wanted));
    let hits: Vec<usize> = hits.map(|(index, _)| index).collect();
    let next = match back {
        false => hits.iter().find(|index| from < **index),
        true => hits.iter().rev().find(|index| **index < from),
    };
    let round = if back { hits.last() } else { hits.first() };
    next.or(round).copied()
}

/// The next match behind byte `from`, or the last one before it; round the end.
fn find(text: &str, wanted: &str, from: u32, back: bool) -> Option<u32> {
    let bytes = text.as_bytes();
    let from = (from as usize).min(bytes.len());
    let found = if back {
        let finder = memchr::memmem::FinderRev::new(wanted);
        finder
            .rfind(&bytes[..(from + wanted.len()).saturating_sub(1).min(bytes.len())])
            .or_else(|| finder.rfind(bytes))
    } else {
        let finder = memchr::memmem::Finder::new(wanted);
        let start = (from + 1).min(bytes.len());
        finder
            .find(&bytes[start..])
            .map(|at| start + at)
            .or_else(|| finder.find(bytes))
    };
    found.map(|at| at as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_are_found_round_the_end() {
        for (from, back, hit) in [
            (0, false, Some(4)),
            (4, false, Some(0)),
            (4, true, Some(0)),
            (0, true, Some(4)),
            (9, true, Some(4)),
        ] {
            assert_eq!(
                find("ab, abc", "ab", from, back),
                hit,
                "from {from}, back {back}"
            );
        }
        assert_eq!(find("", "ab", 0, false), None);
        assert_eq!(find("x", "ab", 1, true), None);
    }
}
