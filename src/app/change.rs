//! What one edit changes, in words: for the list of edits and for Detail.

use super::bench::Bench;
use super::words::{brief, size};
use crate::repair::{Decision, Edit, Fix, FixId, Review, Rule, Span};

/// So much of an edit is shown in its row.
const SHOWN: u32 = 120;

/// Before and after of a fix, each brief and visible; empty for nothing.
pub fn before_after(source: &str, review: &Review, fix: Fix) -> (String, String) {
    let edits = &review.repair().edits;
    let Some(first) = edits.get(fix.first) else {
        return Default::default();
    };
    if matches!(fix.rule, Rule::ProseAround | Rule::PickedCandidate) {
        return (around(source, review, fix), String::new());
    }
    if fix.rule == Rule::RawControl {
        return (brief(first.span.text(source), 40), brief(first.after, 40));
    }
    // Both quotes of a string are one fix: the string between them is part of the picture.
    let tail = (fix.first..).map_while(|index| edits.get(index));
    let near = tail.take_while(|edit| edit.span.start < first.span.start + SHOWN);
    let last = near
        .filter(|edit| edit.fix == fix.id)
        .last()
        .unwrap_or(first);
    let hull = Span::new(first.span.start, last.span.end);
    let whole = fix.edits == 1
        || (fix.first..)
            .map_while(|index| edits.get(index))
            .take(64)
            .filter(|edit| edit.fix == fix.id)
            .count()
            == fix.edits;
    let hull = if whole || matches!(fix.rule, Rule::CodeFence) {
        hull
    } else {
        cut(source, hull.start, SHOWN / 4)
    };
    let before = hull.text(source).trim_end_matches(['\n', '\r']);
    let after = render(source, review, hull, |id| id == fix.id);
    let after = after.trim_end_matches(['\n', '\r']);
    let only_breaks = before.is_empty() && !hull.is_empty();
    let before = if only_breaks {
        hull.text(source)
    } else {
        before
    };
    (brief(before, 40), brief(after, 40))
}

/// What goes around the value: `24 B before, 12 B behind the value`.
fn around(source: &str, review: &Review, fix: Fix) -> String {
    let mut parts = Vec::new();
    for edit in review.edits(fix) {
        let side = if is_last(source, review, edit.span.end) {
            "behind"
        } else {
            "before"
        };
        parts.push(format!("{} {side}", size(edit.span.len() as usize)));
    }
    format!("{} the value", parts.join(", "))
}

/// Whether only white space and what edits take away follows on byte `at`.
fn is_last(source: &str, review: &Review, mut at: u32) -> bool {
    let edits = &review.repair().edits;
    let mut index = edits.first_after(at);
    let blank = |from: u32, to: usize| {
        let kept = source.get(from as usize..to).unwrap_or_default();
        kept.trim().is_empty()
    };
    while let Some(edit) = edits.get(index) {
        if edit.span.start < at {
            index += 1;
            continue;
        }
        if !blank(at, edit.span.start as usize) || !edit.after.trim().is_empty() {
            return false;
        }
        at = edit.span.end;
        index += 1;
    }
    blank(at, source.len())
}

/// A stretch of the source with the edits in it for which `live` holds.
pub fn render(source: &str, review: &Review, span: Span, live: impl Fn(FixId) -> bool) -> String {
    let edits = &review.repair().edits;
    let mut out = String::new();
    let mut at = span.start;
    let mut index = edits.first_after(span.start);
    while let Some(edit) = edits.get(index) {
        index += 1;
        if span.end < edit.span.start || (span.end == edit.span.start && !edit.span.is_empty()) {
            break;
        }
        if edit.span.start < at || !live(edit.fix) {
            continue;
        }
        out.push_str(
            source
                .get(at as usize..edit.span.start as usize)
                .unwrap_or_default(),
        );
        out.push_str(edit.after);
        at = edit.span.end;
    }
    if at < span.end {
        out.push_str(
            source
                .get(at as usize..span.end as usize)
                .unwrap_or_default(),
        );
    }
    out
}

/// The stretch around a fix that shows it in its place: from the separator before it to the one behind it.
pub fn context(source: &str, review: &Review, fix: Fix) -> Span {
    const REACH: u32 = 32;
    let edits = &review.repair().edits;
    let Some(first) = edits.get(fix.first) else {
        return Span::default();
    };
    let near = (fix.first..)
        .map_while(|index| edits.get(index))
        .take_while(|edit| edit.span.start < first.span.start + 64);
    let last = near
        .filter(|edit: &Edit<'_>| edit.fix == fix.id)
        .last()
        .unwrap_or(first);
    let start = first.span.start.saturating_sub(REACH);
    let start = (start..=first.span.start)
        .find(|at| source.is_char_boundary(*at as usize))
        .unwrap_or(first.span.start);
    let head = &source[start as usize..first.span.start as usize];
    let stops = |character: char| matches!(character, '\n' | ',' | '{' | '[' | '}' | ']');
    let start = start + head.rfind(stops).map_or(0, |at| at + 1) as u32;
    let start = start
        + (source[start as usize..first.span.start as usize].len()
            - source[start as usize..first.span.start as usize]
                .trim_start()
                .len()) as u32;
    let end = cut(source, last.span.end, REACH).end;
    let tail = &source[last.span.end as usize..end as usize];
    let end = match tail.char_indices().find(|(_, character)| stops(*character)) {
        Some((at, ',')) => last.span.end + at as u32 + 1,
        Some((at, _)) => last.span.end + at as u32,
        None => end,
    };
    Span::new(start, end)
}

/// From byte `at` about `bytes` on, to a character border.
fn cut(source: &str, at: u32, bytes: u32) -> Span {
    let mut end = (at as usize + bytes as usize).min(source.len());
    while !source.is_char_boundary(end) {
        end += 1;
    }
    Span::new(at, end as u32)
}

/// What else the text could have meant; empty where nothing is known.
pub fn other_reading(rule: Rule, before: &str) -> String {
    match rule {
        Rule::NumberRadix => match before.trim_start_matches(['-', '+']) {
            octal
                if 1 < octal.len()
                    && octal.starts_with('0')
                    && octal.bytes().all(|byte| (b'0'..=b'7').contains(&byte)) =>
            {
                match u64::from_str_radix(octal, 8) {
                    Ok(value) => {
                        format!("{}{value}", if before.starts_with('-') { "-" } else { "" })
                    }
                    Err(_) => String::new(),
                }
            }
            _ => format!("\"{before}\""),
        },
        Rule::NoneLiteral => format!("\"{before}\""),
        Rule::ArrayComma => "null in the hole".to_owned(),
        Rule::MissingCommaStrings | Rule::AdjacentStrings => {
            "one joined string, or two values".to_owned()
        }
        Rule::DoubtfulBackslash => "the escapes as they stand".to_owned(),
        Rule::ForeignEscape => "the backslash as it stands".to_owned(),
        Rule::JsonLines => "one of the values alone".to_owned(),
        Rule::PlainString => "no arguments at all".to_owned(),
        Rule::QuotedDocument => "a string".to_owned(),
        Rule::EmptyArguments => "a lost text".to_owned(),
        Rule::InnerQuote | Rule::MissingQuote => "another quote ends the string".to_owned(),
        Rule::MismatchedCloser
        | Rule::EarlyClose
        | Rule::SurplusCloserInside
        | Rule::MissingOpener => "another nesting".to_owned(),
        _ => String::new(),
    }
}

/// Why, in a line: of what was found where that is shorter than the rule's own sentence.
pub fn why(rule: Rule, before: &str) -> String {
    match rule {
        Rule::NonFinite => format!("{} has no JSON form: the value is lost.", brief(before, 20)),
        _ => rule.info().why.to_owned(),
    }
}

/// What a row says behind the change.
pub fn remark(rule: Rule) -> &'static str {
    match rule {
        Rule::CutOff => "data may be missing",
        _ => "",
    }
}

impl Bench {
    /// The row, counted from 1, that has to be on for `fix` to mean anything and is off: the innermost rejected fix
    /// whose edits stand around it.
    pub fn needs(&self, fix: Fix) -> Option<usize> {
        if self.rows.totals().0 == self.rows.totals().1 {
            return None;
        }
        let review = self.review.as_ref()?;
        let edits = &review.repair().edits;
        let at = edits.get(fix.first)?.span.start;
        let list = self.rows.list();
        let mut found: Option<(u32, usize)> = None;
        for (number, row) in list
            .iter()
            .enumerate()
            .filter(|(_, row)| row.decision == Decision::Off)
        {
            for other in row
                .fixes(review)
                .take(256)
                .filter(|other| other.id != fix.id && 1 < other.edits)
            {
                let Some(first) = edits.get(other.first) else {
                    continue;
                };
                let Some(last) = review.edits(other).last() else {
                    continue;
                };
                if first.span.start <= at
                    && at < last.span.end
                    && found.is_none_or(|(start, _)| start <= first.span.start)
                {
                    found = Some((first.span.start, number + 1));
                }
            }
        }
        found.map(|(_, number)| number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repair::{Level, ToolContext, auto};
    use std::sync::Arc;

    fn changes(source: &str) -> Vec<String> {
        let (_, repair) = auto(source, Level::Guess, &ToolContext::default());
        let review = Review::new(Arc::new(repair), Level::Guess);
        let one = |fix: &Fix| {
            let (before, after) = before_after(source, &review, *fix);
            format!("{}: {before} -> {after}", fix.rule.id())
        };
        review.fixes().iter().map(one).collect()
    }

    #[test]
    fn changes_in_words() {
        for (source, rows) in [
            (
                "{'path': 1,}",
                vec!["single-quotes: 'path' -> \"path\"", "trailing-comma: , -> "],
            ),
            ("[NaN]", vec!["non-finite: NaN -> null"]),
            (
                "{a: 012}",
                vec!["bare-key: a -> \"a\"", "number-radix: 012 -> 12"],
            ),
            (
                "So: {\"a\": 1} done",
                vec![
                    "prose-around: 4 B before the value -> ",
                    "prose-around: 5 B behind the value -> ",
                ],
            ),
            (
                "{\"a\": 1}\nbye\n",
                vec!["prose-around: 4 B behind the value -> "],
            ),
            (
                "\nSo:\n{\"a\": 1}\n```\nbye\n",
                vec![
                    "prose-around: 5 B before the value -> ",
                    "code-fence: ⏎``` -> ",
                    "prose-around: 4 B behind the value -> ",
                ],
            ),
            ("[\"a\nb\"]", vec!["raw-control: ⏎ -> \\n"]),
            ("[\"a", vec!["cut-off:  -> \"]"]),
        ] {
            assert_eq!(changes(source), rows, "{source}");
        }
    }

    #[test]
    fn a_fix_is_shown_between_its_separators() {
        let source = "{'path': 'src', lines: 012,\n 'b': 1}";
        let (_, repair) = auto(source, Level::Guess, &ToolContext::default());
        let review = Review::new(Arc::new(repair), Level::Guess);
        let fix = review
            .fixes()
            .iter()
            .copied()
            .find(|fix| fix.rule == Rule::NumberRadix)
            .unwrap();
        let span = context(source, &review, fix);
        assert_eq!(span.text(source), "lines: 012,");
        assert_eq!(render(source, &review, span, |_| true), "\"lines\": 12,");
        assert_eq!(other_reading(Rule::NumberRadix, "012"), "10");
    }
}
