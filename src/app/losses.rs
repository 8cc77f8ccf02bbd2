//! What would be lost, in words: for the question before anything leaves, and for Detail.

use super::App;
use super::change::before_after;
use super::words::brief;
use crate::repair::{Decision, Fix, Rule};
use crate::visible::visible;

/// What a provider advises where its reply was cut: how its stop reason is spelled, and the way on. The beginning, up to
/// the comma, also fits a narrow screen.
const ADVICE: [(&[&str], &str); 5] = [
    (
        &["max_tokens", "output_truncated"],
        "raise `max_tokens`, or let the model go on",
    ),
    (
        &["length", "max_output_tokens", "incomplete"],
        "raise `max_output_tokens`, or ask for less at once",
    ),
    (
        &["MAX_TOKENS"],
        "raise `maxOutputTokens`, or ask for less at once",
    ),
    (
        &["model_context_window_exceeded"],
        "shorten the conversation, then send it again",
    ),
    (
        &["refusal", "content_filter", "SAFETY"],
        "ask in other words, since the provider stopped it",
    ),
];

/// What helps where the log names no reason.
const NO_REASON: &str = "ask for it again, in smaller parts if it is long";

/// The way on after a reply that ended with this reason.
pub fn advice(stop_reason: Option<&str>) -> &'static str {
    let known = ADVICE
        .iter()
        .find(|(reasons, _)| stop_reason.is_some_and(|reason| reasons.contains(&reason)));
    known.map_or(NO_REASON, |(_, advice)| advice)
}

impl App {
    /// What waits for a decision, rule by rule: `non-finite 4:11 NaN → null`, `single-quotes x6`.
    pub(super) fn losses(&self) -> Vec<String> {
        let bench = &self.bench;
        let Some(review) = &bench.review else {
            return Vec::new();
        };
        let open = review.fixes().iter();
        let open = open.filter(|fix| review.decision(fix.id) == Decision::Undecided);
        let mut rules: Vec<(Fix, usize)> = Vec::new();
        for fix in open {
            match rules.iter_mut().find(|(first, _)| first.rule == fix.rule) {
                Some((_, count)) => *count += 1,
                None => rules.push((*fix, 1)),
            }
        }
        let word = |(fix, count): (Fix, usize)| {
            if 1 < count {
                return format!("{} x{count}", fix.rule.id());
            }
            let edit = review.repair().edits.get(fix.first);
            let place = edit.map_or(String::new(), |edit| {
                bench.doc.source.position(edit.span.start).to_string()
            });
            let what = match fix.rule {
                Rule::CutOff => self.stop_words(),
                _ => {
                    let (before, after) = before_after(bench.doc.source.as_str(), review, fix);
                    let arrow = if self.options.look.unicode {
                        "→"
                    } else {
                        "->"
                    };
                    match after.as_str() {
                        "" => brief(&before, 16),
                        _ => format!("{} {arrow} {}", brief(&before, 12), brief(&after, 12)),
                    }
                }
            };
            format!("{} {place} {what}", fix.rule.id())
                .trim_end()
                .to_owned()
        };
        rules.into_iter().map(word).collect()
    }

    /// `(stop max_tokens)`, where the log says why the reply ended.
    fn stop_words(&self) -> String {
        match self.stop_reason() {
            Some(reason) => format!("(stop {})", visible(reason)),
            None => "(no stop reason)".to_owned(),
        }
    }

    /// Why the reply ended, as the log spells it.
    pub fn stop_reason(&self) -> Option<&str> {
        self.bench.doc.call.as_ref()?.stop_reason.as_deref()
    }

    /// The way on where a cut reply would be closed by what is asked about; `None` where nothing is.
    pub fn cut_advice(&self) -> Option<&'static str> {
        let review = self.bench.review.as_ref()?;
        let cut = review
            .fixes()
            .iter()
            .rev()
            .find(|fix| fix.rule == Rule::CutOff)?;
        review.is_live(cut.id).then(|| advice(self.stop_reason()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_a_cut_has_its_way_on() {
        for (reason, part) in [
            (Some("max_tokens"), "`max_tokens`"),
            (Some("length"), "`max_output_tokens`"),
            (Some("MAX_TOKENS"), "`maxOutputTokens`"),
            (Some("model_context_window_exceeded"), "shorten"),
            (Some("end_turn"), "again"),
            (None, "again"),
        ] {
            assert!(advice(reason).contains(part), "{reason:?}");
        }
    }
}
