//! The texts that can be copied, made from what is on the Bench.

use std::fmt::Write;
use std::sync::Arc;

use serde_json::{Value, json};
use similar::TextDiff;

use super::App;
use super::excerpt::excerpt;
use super::leave::Form;
use super::words;
use crate::repair::layout::{Style, lay_out};
use crate::repair::{Level, Rule};
use crate::transcript::corrected_line;

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
        Form::Message => Ok(Arc::new(message(app))),
        Form::Diff => diff(&source, &output()?).map(Arc::new),
        Form::Line => Err("the log line is read first".to_owned()),
    }
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
    let what = match &bench.doc.tool.name {
        Some(tool) => format!("The arguments of your call of `{tool}`"),
        None => "The JSON in your last reply".to_owned(),
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
            let _ = writeln!(out, "{what} are not JSON by RFC 8259 as they were sent.");
            if let Some(review) = &bench.review {
                let doubtful = review
                    .fixes()
                    .iter()
                    .filter(|fix| Level::Safe < fix.rule.level());
                for fix in doubtful.take(20) {
                    let Some(edit) = review.repair().edits.get(fix.first) else {
                        continue;
                    };
                    let before = match words::brief(edit.span.text(text.as_str()), 40) {
                        nothing if nothing.is_empty() => "nothing".to_owned(),
                        before => format!("`{before}`"),
                    };
                    let place = text.position(edit.span.start);
                    let _ = writeln!(
                        out,
                        "- {place}: {before}: {} ({})",
                        fix.rule.title(),
                        fix.rule.level()
                    );
                }
            }
        }
    }
    let cut = bench
        .review
        .as_ref()
        .is_some_and(|review| review.fixes().iter().any(|fix| fix.rule == Rule::CutOff));
    if cut {
        out.push_str("The text ends too early. Send it whole; if it is too long for one reply, send it in smaller parts.\n");
    }
    out.push_str("Send it again as one JSON value: names and strings in double quotes, no comments, no trailing commas, nothing left out, nothing around it.\n");
    out
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
