//! What is said about one repair on standard error: a line when edited, the edit list, the reason of a refusal.

use std::io::{self, Write};

use super::args::Pick;
use super::report::{Answer, Walk};
use crate::repair::span::position;
use crate::repair::{LADDER, Level, Refusal, Repair, Rule, Why};
use crate::visible::visible;

/// How many edits there are, the worst level, and the rules, the boldest first:
/// `3 edits, worst lossy: cut-off, single-quotes`.
pub(super) fn summary(repair: &Repair) -> String {
    let mut rules: Vec<Rule> = Vec::new();
    for edit in repair.edits.iter() {
        if !rules.contains(&edit.rule) {
            rules.push(edit.rule);
        }
    }
    rules.sort_by_key(|rule| std::cmp::Reverse(rule.level()));
    let names: Vec<&str> = rules.iter().map(|rule| rule.id()).collect();
    let count = match repair.edits.len() {
        1 => "1 edit".to_owned(),
        count => format!("{count} edits"),
    };
    let worst = repair.worst().map_or("", Level::name);
    format!("{count}, worst {worst}: {}", names.join(", "))
}

/// The first place where the result misses its schema, and how many more there are.
pub(super) fn misses(repair: &Repair) -> Option<String> {
    let (first, rest) = repair.problems.split_first()?;
    // The whole result has an empty path.
    let path = match first.path.as_str() {
        "" => String::new(),
        path => format!("{}: ", visible(path)),
    };
    let more = match rest.len() {
        0 => String::new(),
        count => format!("; {count} more with `--report text`"),
    };
    Some(format!("schema: {path}{}{more}", visible(&first.message)))
}

/// Writes the edit list, the notices and the schema problems, a line each.
pub(super) fn text(mut out: impl Write, answer: &Answer) -> io::Result<()> {
    let Answer { source, repair, .. } = answer;
    let mut walk = Walk::new(source);
    for edit in repair.edits.iter() {
        let place = walk.to(edit.span.start);
        writeln!(
            out,
            "  {:<9} {:<6} {:<22} {} -> {}",
            place.to_string(),
            edit.rule.level(),
            edit.rule.id(),
            short(edit.span.text(source)),
            short(edit.after),
        )?;
    }
    let mut walk = Walk::new(source);
    for notice in &answer.notices {
        let place = walk.to(notice.span.start);
        let (id, message) = (notice.topic.id(), notice.topic.message());
        writeln!(out, "  {:<9} notice {id:<22} {message}", place.to_string())?;
    }
    for problem in &repair.problems {
        let (path, message) = (visible(&problem.path), visible(&problem.message));
        writeln!(out, "  schema    {path}: {message}")?;
    }
    Ok(())
}

/// Text for one line: visible, in back quotes, cut to 40 characters; `∅` for none.
pub(super) fn short(text: &str) -> String {
    const MOST: usize = 40;
    if text.is_empty() {
        return "∅".to_owned();
    }
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("`{}…`", visible(&text[..end])),
        None => format!("`{}`", visible(text)),
    }
}

/// The lines that tell a refusal: place, expected and found; the reason; what next.
pub(super) fn refusal_lines(name: &str, answer: &Answer) -> Vec<String> {
    let Some(refusal) = answer.refusal() else {
        return Vec::new();
    };
    let place = answer.position(refusal);
    let found = answer.found(refusal);
    let mut lines = vec![format!(
        "{name}:{place}: expected {}, found {}",
        refusal.expected,
        visible(&found)
    )];
    let reason = match refusal.why {
        Why::RuleOff(rule) => format!("{} is off: {}", rule.id(), rule.title()),
        why => why.reason(),
    };
    let ways = ways_on(answer, refusal);
    lines.extend(
        [reason, ways]
            .into_iter()
            .filter(|line| !line.is_empty())
            .map(|line| format!("  {line}")),
    );
    lines
}

/// What the user can do about a refusal.
fn ways_on(answer: &Answer, refusal: &Refusal) -> String {
    const BY_HAND: &str = "no level allows it: mend it by hand, or ask the model to send it again";
    let count = refusal.candidates.len();
    if let Some(Pick::Nth(number)) = answer.pick
        && 0 < count
        && count < number.get() as usize
    {
        let values = values(answer, refusal);
        return format!("`--pick {number}` is none of the {count} values: {values}");
    }
    match refusal.why {
        Why::RuleOff(rule) => {
            let mut flags = Vec::new();
            if !answer.strategy.rules.has(rule)
                && let Some(rung) = LADDER.iter().find(|rung| rung.rules.has(rule))
                && (answer.alone || rule.level() <= answer.allow)
            {
                flags.push(format!("--strategy {}", rung.id));
            }
            if answer.allow < rule.level() {
                flags.push(format!("--allow {}", rule.level()));
            }
            match flags.is_empty() {
                true => format!("`jsonmedic explain {}` says more", rule.id()),
                false => format!(
                    "`{}` turns it on; `jsonmedic explain {}` says why it is {}",
                    flags.join(" "),
                    rule.id(),
                    rule.level()
                ),
            }
        }
        Why::SeveralValues => format!(
            "`--pick` keeps one by number, first, last or all: {}",
            values(answer, refusal)
        ),
        Why::NoJson => {
            "a plain text becomes an argument with `--tool` or `--field` and `--allow guess`"
                .to_owned()
        }
        Why::UnknownTool => "`--tool` names the tool, `--field` the field".to_owned(),
        Why::MissingValue | Why::Ellipsis | Why::Code | Why::GroupedNumber | Why::Constructor => {
            BY_HAND.to_owned()
        }
        Why::NotAnObject if answer.repair.edits.is_empty() => BY_HAND.to_owned(),
        Why::LooksLikeJson => "`--strategy auto` reads it as JSON".to_owned(),
        Why::TooManyEdits | Why::TooLarge => "split the text".to_owned(),
        Why::NotUtf8 | Why::Utf16 => {
            "`iconv` converts it; base64 of it is not accepted instead".to_owned()
        }
        Why::Syntax | Why::LooksLikeProse | Why::HasFlags | Why::NotAnObject => {
            "`jsonmedic FILE` shows how far each strategy comes".to_owned()
        }
    }
}

/// The numbers and the places of the values among which to choose.
fn values(answer: &Answer, refusal: &Refusal) -> String {
    const MOST: usize = 5;
    let numbered = refusal.candidates.iter().take(MOST).enumerate();
    let mut shown: Vec<String> = numbered
        .map(|(index, span)| {
            let place = position(answer.source, span.start);
            format!("{} at {place}", index + 1)
        })
        .collect();
    if shown.len() < refusal.candidates.len() {
        shown.push(format!("{} in all", refusal.candidates.len()));
    }
    shown.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_text_is_visible_and_short() {
        assert_eq!(short(""), "∅");
        assert_eq!(short("a\n\u{1b}"), "`a⏎␛`");
        assert_eq!(short(&"ñ".repeat(41)), format!("`{}…`", "ñ".repeat(40)));
    }
}
