//! What the tool's schema says about the place of an edit.

use serde_json::Value;

use super::bench::Bench;
use super::change::other_reading;
use super::tree::pointer;
use crate::repair::Bias;

/// Longer outputs are not walked for one place.
const WALKED: usize = 64 * 1024;

impl Bench {
    /// `/lines wants an integer, both fit`; `None` without a schema that says something.
    pub(super) fn wants(&self) -> Option<String> {
        let schema = self.doc.tool.schema.as_ref()?;
        let (shown, review, fix) = (self.shown.as_ref()?, self.review.as_ref()?, self.fix()?);
        let output = shown.text.as_str();
        if WALKED < output.len() {
            return None;
        }
        let edit = review.repair().edits.get(fix.first)?;
        let at = shown.map.to_output(edit.span.start, Bias::Before);
        let path = pointer(output, at.min(shown.text.len()));
        let kind = kind_at(schema.value(), &path)?;
        let place = if path.is_empty() { "/" } else { &path };
        let other = other_reading(fix.rule, edit.span.text(self.doc.source.as_str()));
        let both = !other.is_empty() && fits(kind, edit.after) && fits(kind, &other);
        let article = if kind.starts_with(['a', 'i', 'o']) {
            "an"
        } else {
            "a"
        };
        Some(format!(
            "{place} wants {article} {kind}{}",
            if both { ", both fit" } else { "" }
        ))
    }
}

/// The one type that a schema wants at a place.
fn kind_at<'a>(root: &'a Value, path: &str) -> Option<&'a str> {
    let mut schema = root;
    for step in path.split('/').skip(1) {
        let name = step.replace("~1", "/").replace("~0", "~");
        let member = schema
            .get("properties")
            .and_then(|members| members.get(&name));
        schema = member.or_else(|| schema.get("items"))?;
    }
    schema.get("type")?.as_str()
}

/// Whether a literal is of a type, by its look.
fn fits(kind: &str, literal: &str) -> bool {
    match kind {
        "integer" => literal.parse::<i128>().is_ok(),
        "number" => literal.parse::<f64>().is_ok(),
        "string" => literal.starts_with('"'),
        "null" => literal == "null",
        "boolean" => matches!(literal, "true" | "false"),
        _ => false,
    }
}
