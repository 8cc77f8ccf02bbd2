//! The output against the agent's own retry.

use similar::{ChangeTag, TextDiff};

use super::App;
use super::bench::{INLINE, OutputView};
use super::tree::Tree;
use crate::repair::layout::{Style, lay_out};
use crate::transcript::same_json;

/// Longer texts are not compared on the screen's thread.
const COMPARED: usize = 128 * 1024;

impl App {
    /// Brings what depends on the output in line with it: the tree, and the comparison with the agent's retry.
    pub(super) fn compare(&mut self) {
        let retry = self
            .bench
            .doc
            .call
            .as_ref()
            .and_then(|call| call.retry.clone());
        let bench = &mut self.bench;
        bench.tree = None;
        bench.same_as_retry = None;
        bench.retry_lines = Vec::new();
        bench.retry_top = 0;
        let Some(shown) = bench.shown.as_mut().filter(|shown| shown.fault.is_none()) else {
            return;
        };
        if bench.view == OutputView::Tree {
            bench.tree = shown.tree.take();
            if bench.tree.is_none() && shown.text.as_str().len() <= INLINE {
                bench.tree = Some(Tree::new(shown.text.as_str()));
            }
            if bench.tree.is_none() && !bench.stale {
                return self.ask_shown();
            }
        }
        let output = shown.text.as_str();
        let Some(retry) = retry.filter(|retry| output.len() + retry.raw.len() <= COMPARED) else {
            return;
        };
        bench.same_as_retry = Some(same_json(output, &retry.raw));
        if bench.view == OutputView::Retry {
            // One member a line on both sides, so that the lines that differ are the members that differ.
            let (ours, theirs) = (
                lay_out(output, Style::Pretty),
                lay_out(&retry.raw, Style::Pretty),
            );
            let diff = TextDiff::from_lines(ours.as_str(), theirs.as_str());
            let lines = diff.iter_all_changes().map(|change| {
                let sign = match change.tag() {
                    ChangeTag::Equal => ' ',
                    ChangeTag::Delete => '-',
                    ChangeTag::Insert => '+',
                };
                (sign, change.value().trim_end_matches('\n').to_owned())
            });
            bench.retry_lines = lines.collect();
        }
    }
}
