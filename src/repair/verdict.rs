//! What a scan came to: valid, or refused with the place and the reason. Words are made here, from facts.

use super::rule::{Level, Rule};
use super::span::{Position, Span, position};

/// The outcome of one scan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Source and edits together are JSON by RFC 8259.
    Valid,
    /// No result: the scan stopped.
    Refused(Refusal),
}

/// Where a scan stopped and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The first byte of what cannot be read, or the byte where something was due.
    pub at: u32,
    /// What would have been read there.
    pub expected: Expected,
    /// What stands there; empty at the end of the text.
    pub found: Span,
    /// Why the scan did not go on.
    pub why: Why,
    /// End of the last value or separator that was read well.
    pub good: u32,
    /// The values among which the user has to choose, in source order; mostly empty.
    pub candidates: Vec<Span>,
}

/// What a place in a JSON text calls for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// Any value.
    Value,
    /// A member name.
    Name,
    /// The colon behind a member name.
    Colon,
    /// A comma between members or elements, or the closer.
    CommaOrCloser,
    /// The closing bracket.
    Closer,
    /// The quote that ends a string.
    Quote,
    /// An escape of RFC 8259 section 7.
    Escape,
    /// A character that may stand in a string as it is.
    StringCharacter,
    /// A digit.
    Digit,
    /// Nothing more.
    End,
    /// An object, since the tool takes one.
    Object,
    /// Text that can be the tool's main argument.
    PlainText,
    /// UTF-8.
    Utf8,
}

impl std::fmt::Display for Expected {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Expected::Value => "a value",
            Expected::Name => "a member name in double quotes",
            Expected::Colon => "`:`",
            Expected::CommaOrCloser => "`,` or a closer",
            Expected::Closer => "a closer",
            Expected::Quote => "a closing quote",
            Expected::Escape => "an escape that JSON knows",
            Expected::StringCharacter => "a string character",
            Expected::Digit => "a digit",
            Expected::End => "the end",
            Expected::Object => "an object",
            Expected::PlainText => "plain text",
            Expected::Utf8 => "UTF-8",
        })
    }
}

/// Why a scan stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// No rule covers it.
    Syntax,
    /// This rule covers it and is off.
    RuleOff(Rule),
    /// Several different values, and nothing says which one is meant.
    SeveralValues,
    /// There is no JSON in the text.
    NoJson,
    /// A value is missing in text that is not cut off.
    MissingValue,
    /// An ellipsis stands for what was left out.
    Ellipsis,
    /// Program code stands where a value must stand.
    Code,
    /// Digits in groups, whose number nobody can be sure of.
    GroupedNumber,
    /// A constructor without exactly one argument.
    Constructor,
    /// The bytes are not UTF-8.
    NotUtf8,
    /// The bytes are UTF-16.
    Utf16,
    /// The text has more than 4 GiB.
    TooLarge,
    /// More edits than the limit.
    TooManyEdits,
    /// The rung reads plain text and this looks like JSON.
    LooksLikeJson,
    /// The rung reads plain text and this looks like prose.
    LooksLikeProse,
    /// The rung reads plain text and this has flags that the field cannot hold.
    HasFlags,
    /// The tool is unknown, so no field is known.
    UnknownTool,
    /// The tool wants an object.
    NotAnObject,
}

impl Why {
    /// The reasons that no rule stands for and that have words of their own.
    pub const OTHERS: [Why; 16] = [
        Why::SeveralValues,
        Why::NoJson,
        Why::MissingValue,
        Why::Ellipsis,
        Why::Code,
        Why::GroupedNumber,
        Why::Constructor,
        Why::NotUtf8,
        Why::Utf16,
        Why::TooLarge,
        Why::TooManyEdits,
        Why::LooksLikeJson,
        Why::LooksLikeProse,
        Why::HasFlags,
        Why::UnknownTool,
        Why::NotAnObject,
    ];

    /// One word for a title: the rule that is off, or the kind of refusal.
    pub fn word(self) -> &'static str {
        match self {
            Why::Syntax => "syntax",
            Why::RuleOff(rule) => rule.id(),
            Why::SeveralValues => "several-values",
            Why::NoJson => "no-json",
            Why::MissingValue => "missing-value",
            Why::Ellipsis => "ellipsis",
            Why::Code => "code",
            Why::GroupedNumber => "grouped-number",
            Why::Constructor => "constructor",
            Why::NotUtf8 => "not-utf-8",
            Why::Utf16 => "utf-16",
            Why::TooLarge => "too-large",
            Why::TooManyEdits => "too-many-edits",
            Why::LooksLikeJson => "looks-like-json",
            Why::LooksLikeProse => "looks-like-prose",
            Why::HasFlags => "has-flags",
            Why::UnknownTool => "unknown-tool",
            Why::NotAnObject => "not-an-object",
        }
    }

    /// One sentence on the reason, without place or full stop; empty for plain syntax.
    pub fn reason(self) -> String {
        match self {
            Why::Syntax => String::new(),
            Why::RuleOff(rule) => format!("{} is off", rule.id()),
            Why::SeveralValues => {
                "several different values, and nothing says which one is meant".into()
            }
            Why::NoJson => "no JSON in this text".into(),
            Why::MissingValue => "a value is missing, and nothing says which".into(),
            Why::Ellipsis => "left-out items: nothing says what they were".into(),
            Why::Code => "program code has no JSON form".into(),
            Why::GroupedNumber => "digits in groups: nothing says which number is meant".into(),
            Why::Constructor => "only a constructor with one argument has a JSON form".into(),
            Why::NotUtf8 => "JSON is UTF-8; convert the text first".into(),
            Why::Utf16 => "this is UTF-16; convert it to UTF-8 first".into(),
            Why::TooLarge => "texts over 4 GiB are not read".into(),
            Why::TooManyEdits => format!("over {} edits", super::Limits::default().max_edits),
            Why::LooksLikeJson => "this reads as JSON, which is not wrapped".into(),
            Why::LooksLikeProse => "this reads as a sentence, which is no path".into(),
            Why::HasFlags => "this has command-line flags, which the field cannot hold".into(),
            Why::UnknownTool => "no field is known for the tool; name one".into(),
            Why::NotAnObject => "the tool takes an object".into(),
        }
    }
}

impl Refusal {
    /// The rule that would pass at this place, and its level: no promise that the rest passes.
    pub fn rule(&self) -> Option<Rule> {
        match self.why {
            Why::RuleOff(rule) => Some(rule),
            _ => None,
        }
    }

    /// The level of the rule that would pass.
    pub fn needs(&self) -> Option<Level> {
        self.rule().map(Rule::level)
    }

    /// What stands at the place, in back quotes and cut to 24 characters; `the end` at the end of the text.
    /// Control characters are written as `\u{..}`, so that the words can be printed.
    pub fn found(&self, source: &str) -> String {
        let text = source.get(self.found.range()).unwrap_or("");
        if text.is_empty() {
            return "the end".into();
        }
        let mut out = String::from("`");
        for (count, character) in text.chars().enumerate() {
            if count == 24 {
                out.push('…');
                break;
            }
            if character.is_control() {
                out.extend(character.escape_default());
            } else {
                out.push(character);
            }
        }
        out.push('`');
        out
    }

    /// Line and column of the place.
    pub fn position(&self, source: &str) -> Position {
        position(source, self.at.min(source.len() as u32))
    }

    /// Place, expected, found and reason: ``1:7: expected `,`, found `b` (missing-comma is off)``.
    pub fn message(&self, source: &str) -> String {
        let reason = self.why.reason();
        let tail = if reason.is_empty() {
            reason
        } else {
            format!(" ({reason})")
        };
        format!(
            "{}: expected {}, found {}{tail}",
            self.position(source),
            self.expected,
            self.found(source)
        )
    }
}
