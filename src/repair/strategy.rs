//! The ladder: ten strategies as data. A strategy is a set of rules over one scan of the source.

use super::rule::{Level, Rule, RuleSet};

/// How a strategy reads the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// As the structure of a JSON text.
    Structure,
    /// As one plain string for the tool's field.
    PlainText,
}

/// When a strategy applies at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gate {
    /// To every text.
    Always,
    /// Only where a tool or a field is known.
    ToolKnown,
}

/// One rung of the ladder.
#[derive(Debug)]
pub struct Strategy {
    /// Its name in flags and reports.
    pub id: &'static str,
    /// Its number, from 1.
    pub number: u8,
    /// Its short label on the screen.
    pub strip: &'static str,
    /// What it does in a few words.
    pub title: &'static str,
    /// Where it comes from and what it is good for.
    pub about: &'static str,
    /// When it applies.
    pub gate: Gate,
    /// How it reads the text.
    pub reading: Reading,
    /// The rules that are on.
    pub rules: RuleSet,
}

impl Strategy {
    /// The rung of that name.
    pub fn find(id: &str) -> Option<&'static Strategy> {
        LADDER.iter().find(|rung| rung.id == id)
    }
}

const QUOTES: RuleSet = RuleSet::of(&[Rule::SingleQuotes, Rule::EscapedApostrophe]);
const KEYS: RuleSet = RuleSet::of(&[Rule::BareKey]);
const WRAP: RuleSet = RuleSet::of(&[
    Rule::ByteOrderMark,
    Rule::CodeFence,
    Rule::PlainString,
    Rule::CommandLine,
    Rule::EmptyArguments,
]);
const LITERAL: RuleSet = QUOTES.union(KEYS).union(RuleSet::of(&[
    Rule::TrailingComma,
    Rule::SurplusComma,
    Rule::LiteralCase,
    Rule::NoneLiteral,
    Rule::BareValue,
]));

/// All rungs, in order. The first seven are ChatCLI's strategies.
pub static LADDER: [Strategy; 10] = [
    Strategy {
        id: "parse",
        number: 1,
        strip: "parse",
        title: "standard parse",
        about: "No rule is on: the text is JSON by RFC 8259 and comes out as it is, or the first place that is not JSON is named.",
        gate: Gate::Always,
        reading: Reading::Structure,
        rules: RuleSet::EMPTY,
    },
    Strategy {
        id: "quotes-only",
        number: 2,
        strip: "quotes",
        title: "single quotes",
        about: "Strings in single quotes become strings in double quotes; nothing else is mended.",
        gate: Gate::Always,
        reading: Reading::Structure,
        rules: QUOTES,
    },
    Strategy {
        id: "unquoted-keys",
        number: 3,
        strip: "keys",
        title: "bare member names",
        about: "Member names without quotes are quoted; nothing else is mended.",
        gate: Gate::Always,
        reading: Reading::Structure,
        rules: KEYS,
    },
    Strategy {
        id: "quotes-and-keys",
        number: 4,
        strip: "both",
        title: "single quotes and bare names",
        about: "Rungs 2 and 3 in one scan.",
        gate: Gate::Always,
        reading: Reading::Structure,
        rules: QUOTES.union(KEYS),
    },
    Strategy {
        id: "commas-only",
        number: 5,
        strip: "commas",
        title: "trailing commas",
        about: "Commas before a closer are removed; nothing else is mended.",
        gate: Gate::Always,
        reading: Reading::Structure,
        rules: RuleSet::of(&[Rule::TrailingComma]),
    },
    Strategy {
        id: "wrap",
        number: 6,
        strip: "wrap",
        title: "plain text into the tool's field",
        about: "The text is no JSON but the main argument of a known tool: it becomes the value of the tool's field.",
        gate: Gate::ToolKnown,
        reading: Reading::PlainText,
        rules: WRAP,
    },
    Strategy {
        id: "object-literal",
        number: 7,
        strip: "literal",
        title: "object literal without quotes",
        about: "Bare names and bare words, at any depth: literals and numbers keep their type, every other word becomes a string.",
        gate: Gate::Always,
        reading: Reading::Structure,
        rules: LITERAL,
    },
    Strategy {
        id: "one-answer",
        number: 8,
        strip: "one answer",
        title: "corrections with one answer",
        about: "Every safe rule: fences and sentences around the value are taken off, and what has exactly one reading is corrected.",
        gate: Gate::Always,
        reading: Reading::Structure,
        rules: RuleSet::up_to(Level::Safe),
    },
    Strategy {
        id: "with-losses",
        number: 9,
        strip: "losses",
        title: "corrections that lose something",
        about: "Every safe and every lossy rule: cut replies are closed, values JSON cannot write become null.",
        gate: Gate::Always,
        reading: Reading::Structure,
        rules: RuleSet::up_to(Level::Lossy),
    },
    Strategy {
        id: "best-guess",
        number: 10,
        strip: "guess",
        title: "every rule",
        about: "Every rule but typographic-text, the tool and its schema included.",
        gate: Gate::Always,
        reading: Reading::Structure,
        rules: RuleSet::up_to(Level::Guess),
    },
];

/// The rung that answers for a level where none is valid: rung 8, 9 or 10.
pub fn widest(level: Level) -> &'static Strategy {
    &LADDER[7 + level as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_count_up_and_names_are_found() {
        for (index, rung) in LADDER.iter().enumerate() {
            assert_eq!(rung.number as usize, index + 1);
            assert_eq!(
                Strategy::find(rung.id).map(|found| found.number),
                Some(rung.number)
            );
        }
        assert_eq!(Level::ALL.map(|level| widest(level).number), [8, 9, 10]);
    }
}
