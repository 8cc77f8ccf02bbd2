//! The texts that can be copied, made from what is on the Bench.

use std::fmt::Write;
use std::sync::Arc;

use serde_json::{Value, json};
use similar::TextDiff;

use super::App;
use super::change::before_after;
use super::excerpt::excerpt;
use super::leave::Form;
use crate::repair::layout::{Style, lay_out};
use crate::repair::{Fix, Level, Rule};
use crate::transcript::corrected_line;
use crate::visible::visible;

/// Longer texts are not compared here: the edit list already is the difference.
const COMPARED: usize = 256 * 1024;

/// The text of a form, or why there is none.
pub fn text(app: &App, form: Form) -> Result<Arc<String>, String> {
    let bench = &app.bench;
    let source = bench.doc.source.shared();
    let output = || {
        let shown = bench
            .shown
            .as_ref()
            .ok_or_else(|| "there is no output yet".to_owned())?;
        Ok::<_, String>(shown.text.shared())
    };
    match form {
        Form::Source => Ok(source),
        Form::Output | Form::Broken => output(),
        Form::Compact => Ok(Arc::new(lay_out(&output()?, Style::Compact))),
        Form::Pretty => Ok(Arc::new(lay_out(&output()?, Style::Pretty))),
        Form::Edits => Ok(Arc::new(edits(app))),
        Form::Message if bench.refusal().is_none() && is_untouched(app) => {
            Err("valid JSON as it is: there is nothing to ask for again".to_owned())
        }
        Form::Message => Ok(Arc::new(message(app))),
        Form::Diff => diff(&source, &output()?).map(Arc::new),
        Form::Line => Err("the log line is read first".to_owned()),
    }
}

fn is_untouched(app: &App) -> bool {
    let review = app.bench.review.as_ref();
    review.is_some_and(|review| review.fixes().is_empty())
}

/// The edits that are on, as a report has them.
fn edits(app: &App) -> String {
    let bench = &app.bench;
    let text = &bench.doc.source;
    let Some(review) = &bench.review else {
        return "[]".to_owned();
    };
    let live = review
        .repair()
        .edits
        .iter()
        .filter(|edit| review.is_live(edit.fix));
    let rows: Vec<Value> = live
        .map(|edit| {
            let place = text.position(edit.span.start);
            json!({
                "fix": edit.fix.0,
                "start": edit.span.start,
                "end": edit.span.end,
                "line": place.line,
                "column": place.column,
                "before": edit.span.text(text.as_str()),
                "after": edit.after,
                "rule": edit.rule.id(),
                "safety": edit.rule.level().name(),
            })
        })
        .collect();
    serde_json::to_string_pretty(&rows).unwrap_or_default()
}

fn diff(source: &str, output: &str) -> Result<String, String> {
    if COMPARED < source.len() + output.len() {
        return Err("too long to compare here: `Y` `e` copies the edits".to_owned());
    }
    let diff = TextDiff::from_lines(source, output);
    Ok(diff
        .unified_diff()
        .header("source", "output")
        .context_radius(3)
        .to_string())
}

/// What to say to the model: what could not be read, where, and what to send.
fn message(app: &App) -> String {
    let bench = &app.bench;
    let text = &bench.doc.source;
    let mut out = String::new();
    let (what, is) = match &bench.doc.tool.name {
        Some(tool) => (format!("The arguments of your call of `{tool}`"), "are"),
        None => ("The JSON in your last reply".to_owned(), "is"),
    };
    match bench.refusal() {
        Some(refusal) => {
            let place = text.position(refusal.at);
            let _ = writeln!(
                out,
                "{what} could not be read. Line {}, column {} (byte {}): expected {}, found {}.",
                place.line,
                place.column,
                refusal.at,
                refusal.expected,
                refusal.found(text.as_str())
            );
            let reason = refusal.why.reason();
            if !reason.is_empty() {
                let _ = writeln!(out, "Reason: {reason}.");
            }
            let view = excerpt(text, refusal.at, refusal.found.end, 72);
            let margin = " ".repeat(view.number.to_string().len());
            let _ = writeln!(out, "\n{} | {}", view.number, view.line);
            let _ = writeln!(
                out,
                "{margin} | {}{}\n",
                " ".repeat(view.offset),
                "^".repeat(view.cells)
            );
        }
        None => {
            let _ = writeln!(
                out,
                "{what} {is} not valid JSON (RFC 8259). To read it, these changes had to be made:"
            );
            changes(app, &mut out);
        }
    }
    let cut = bench
        .review
        .as_ref()
        .is_some_and(|review| review.fixes().iter().any(|fix| fix.rule == Rule::CutOff));
    if cut {
        out.push_str("The text ends too early. Send it whole; if it is too long for one reply, send it in smaller parts.\n");
    }
    // Names and texts in it come from elsewhere, and a clipboard ends in terminals too.
    let mut out: String = out
        .lines()
        .flat_map(|line| [visible(line), "\n".into()])
        .collect();
    out.push_str("Send it again as one JSON value: names and strings in double quotes, no comments, no trailing commas, nothing left out, nothing around it.\n");
    out
}

/// The edits in words, a line a rule: where, what, how often, and why it is no JSON.
fn changes(app: &App, out: &mut String) {
    let Some(review) = &app.bench.review else {
        return;
    };
    let text = &app.bench.doc.source;
    let mut counts: Vec<(Fix, usize)> = Vec::new();
    for fix in review.fixes() {
        match counts.iter_mut().find(|(first, _)| first.rule == fix.rule) {
            Some((_, count)) => *count += 1,
            None => counts.push((*fix, 1)),
        }
    }
    for (fix, count) in counts {
        let Some(edit) = review.repair().edits.get(fix.first) else {
            continue;
        };
        let or_nothing = |text: String| match text.as_str() {
            "" => "nothing".to_owned(),
            _ => format!("`{text}`"),
        };
        let (before, after) = before_after(text.as_str(), review, fix);
        let (before, after) = match fix.rule {
            Rule::ProseAround | Rule::PickedCandidate => (before, or_nothing(after)),
            _ => (or_nothing(before), or_nothing(after)),
        };
        let times = match count {
            1 => String::new(),
            _ => format!(", {count} times"),
        };
        let level = match fix.rule.level() {
            Level::Safe => "",
            Level::Lossy => ", loses data",
            Level::Guess => ", a guess",
        };
        let place = text.position(edit.span.start);
        let _ = writeln!(
            out,
            "- {place}: {before} became {after}: {}{times}{level}. {}",
            fix.rule.title(),
            fix.rule.info().why
        );
    }
}

/// A log line with the output in place of the argument text it holds.
pub fn line(app: &App, line: &str) -> Result<String, String> {
    let bench = &app.bench;
    let (Some(call), Some(shown)) = (&bench.doc.call, &bench.shown) else {
        return Err("this text comes from no log".to_owned());
    };
    // The line holds what the user accepted, not what `auto` would give.
    corrected_line(line.as_bytes(), call, shown.text.as_str()).map_err(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_not_compared() {
        assert_eq!(
            diff("a\n", "b\n").unwrap(),
            "--- source\n+++ output\n@@ -1 +1 @@\n-a\n+b\n"
        );
        assert!(diff(&"a\n".repeat(200_000), "").is_err());
    }
}
