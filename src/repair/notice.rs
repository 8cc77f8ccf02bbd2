//! Notices: what a reader should know about text that is not changed.

use super::span::Span;

/// What a notice is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Topic {
    /// A member name that stands twice in one object (RFC 8259 section 4).
    DuplicateName,
    /// An integer that a double does not hold exactly (RFC 8259 section 6).
    BigInteger,
    /// A valid scalar where the tool wants an object.
    NotAnObject,
    /// Legal escapes that look like the backslashes of a path or a formula.
    PathEscape,
    /// Content that seems to be escaped once too often or too seldom.
    EscapeLevel,
    /// The log holds only the beginning of the text.
    LogClipped,
    /// The agent repaired the text before it was logged.
    RepairedUpstream,
}

impl Topic {
    /// Its name in reports.
    pub const fn id(self) -> &'static str {
        match self {
            Topic::DuplicateName => "duplicate-name",
            Topic::BigInteger => "big-integer",
            Topic::NotAnObject => "not-an-object",
            Topic::PathEscape => "path-escape",
            Topic::EscapeLevel => "escape-level",
            Topic::LogClipped => "log-clipped",
            Topic::RepairedUpstream => "repaired-upstream",
        }
    }

    /// What it means, in one sentence without a full stop.
    pub const fn message(self) -> &'static str {
        match self {
            Topic::DuplicateName => {
                "this name stands twice in its object; most readers take the last one"
            }
            Topic::BigInteger => "beyond 2^53: a reader that uses doubles rounds it",
            Topic::NotAnObject => "valid JSON, but the tool takes an object",
            Topic::PathEscape => {
                "the escapes are legal, but the text looks like a path or a formula"
            }
            Topic::EscapeLevel => "the content seems to be escaped once too often or too seldom",
            Topic::LogClipped => "the log holds only the beginning of this text",
            Topic::RepairedUpstream => "the agent repaired this text before it was logged",
        }
    }
}

/// One notice about one place of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notice {
    /// What it is about.
    pub topic: Topic,
    /// The bytes it is about.
    pub span: Span,
}
