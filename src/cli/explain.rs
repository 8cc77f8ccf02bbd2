//! `explain`: what a rule or a strategy does, with its example run on the spot.

use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::Arc;

use super::tell::{short, summary};
use super::{Exit, Trouble, output};
use crate::repair::rule::Needs;
use crate::repair::strategy::Gate;
use crate::repair::{
    LADDER, Level, RULES, Rule, RuleInfo, Schema, Strategy, ToolContext, Why, auto,
};

/// Writes the list, or one rule or strategy.
pub(super) fn run(name: Option<&str>) -> Result<Exit, Trouble> {
    let text = match name {
        None => list(),
        Some(name) => one(name).ok_or_else(|| unknown(name))?,
    };
    let put = || {
        let mut out = output::stdout()?;
        out.write_all(text.as_bytes())?;
        out.flush()
    };
    put().map_err(Trouble::stdout)?;
    Ok(Exit::Done)
}

fn one(name: &str) -> Option<String> {
    let rule = RULES.iter().find(|row| row.id == name).map(rule);
    rule.or_else(|| Strategy::find(name).or_else(|| rung(name)).map(strategy))
        .or_else(|| {
            let about = CHOICES.iter().find(|(choice, _)| *choice == name)?.1;
            Some(format!("{name}\n\n{about}\n"))
        })
        .or_else(|| {
            let why = Why::OTHERS.iter().find(|why| why.word() == name)?;
            let reason = why.reason();
            Some(format!(
                "{name}\n\nWhy a text is refused, and no rule: {reason}.\n"
            ))
        })
}

/// A strategy by its number.
fn rung(number: &str) -> Option<&'static Strategy> {
    LADDER.iter().find(|rung| rung.number.to_string() == number)
}

/// The two choices of `--strategy` that are no single strategy.
const CHOICES: [(&str, &str); 2] = [
    (
        "auto",
        "Of the strategies that give valid JSON the one with the lowest worst level, then the fewest schema problems,\n\
         then the lowest number. If none does, the widest that the level allows tells where it stopped.",
    ),
    (
        "chatcli",
        "Strategies 1 to 7 in sequence: the first that gives valid JSON answers. Without `--allow guess` 6 and 7 are\n\
         skipped. If none does, the one that came furthest tells where it stopped.",
    ),
];

fn list() -> String {
    let mut out = String::from("Strategies, each from the source on its own:\n");
    for rung in &LADDER {
        let _ = writeln!(out, "  {:>2} {:<18} {}", rung.number, rung.id, rung.title);
    }
    for level in Level::ALL {
        let _ = writeln!(out, "\nRules, {level}: {}", level.meaning());
        for row in RULES.iter().filter(|row| row.level == level) {
            let _ = writeln!(out, "  {:<24} {}", row.id, row.title);
        }
    }
    out
}

fn rule(row: &RuleInfo) -> String {
    let mut out = format!(
        "{}: {}\n{}: {}\n\n{}\n",
        row.id,
        row.title,
        row.level,
        row.level.meaning(),
        row.why
    );
    let on: Vec<&str> = LADDER
        .iter()
        .filter(|rung| rung.rules.has(row.rule))
        .map(|rung| rung.id)
        .collect();
    let on = match on.is_empty() {
        true => "none; it is on only where you switch it on".to_owned(),
        false => on.join(", "),
    };
    let _ = writeln!(out, "\nStrategies with it: {on}");
    example(row, &mut out);
    out
}

/// Runs the rule's example and shows what came of it.
fn example(row: &RuleInfo, out: &mut String) {
    let (source, documented) = row.example;
    if source.is_empty() {
        return;
    }
    let _ = writeln!(out, "\nExample:");
    let tool = match row.needs {
        Needs::Nothing => ToolContext::default(),
        Needs::Tool(name) => {
            let _ = writeln!(out, "  tool    {name}");
            ToolContext::named(name)
        }
        Needs::Schema(text) => {
            let _ = writeln!(out, "  schema  {text}");
            let schema = serde_json::from_str(text)
                .ok()
                .map(|value| Arc::new(Schema::new(value)));
            ToolContext {
                schema,
                ..ToolContext::default()
            }
        }
    };
    let _ = writeln!(out, "  before  {}", short(source));
    let (rung, repair) = auto(source, row.level, &tool);
    if !repair.is_valid() || !repair.used().has(row.rule) {
        // A rule that no strategy has on.
        let _ = writeln!(out, "  after   {}", short(documented));
        return;
    }
    let output = repair.edits.apply(source, |_| true);
    let _ = writeln!(out, "  after   {}", short(&output));
    let _ = writeln!(out, "  by      {} ({})", rung.id, summary(&repair));
}

fn strategy(rung: &'static Strategy) -> String {
    let mut out = format!(
        "{} (strategy {}): {}\n\n{}\n",
        rung.id, rung.number, rung.title, rung.about
    );
    if rung.gate == Gate::ToolKnown {
        out.push_str("It applies where a tool or a field is known.\n");
    }
    let rules: Vec<Rule> = rung.rules.iter().collect();
    if rules.is_empty() {
        out.push_str("\nIt has no rule on.\n");
    }
    for level in Level::ALL {
        let names: Vec<&str> = rules
            .iter()
            .filter(|rule| rule.level() == level)
            .map(|rule| rule.id())
            .collect();
        if !names.is_empty() {
            let _ = writeln!(out, "\nRules, {level}:");
            names.iter().for_each(|name| {
                let _ = writeln!(out, "  {name}");
            });
        }
    }
    out
}

/// Names what is near: those that share a word with the name asked for.
fn unknown(name: &str) -> String {
    let words: Vec<&str> = name
        .split(['-', '_', ' '])
        .filter(|word| 2 < word.len())
        .collect();
    let ids = RULES
        .iter()
        .map(|row| row.id)
        .chain(LADDER.iter().map(|rung| rung.id));
    let near: Vec<&str> = ids
        .filter(|id| words.iter().any(|word| id.contains(word)))
        .collect();
    match near.is_empty() {
        true => format!("no rule or strategy `{name}`; `jsonmedic explain` lists them"),
        false => format!("no rule or strategy `{name}`; near: {}", near.join(", ")),
    }
}
