//! What came of one text, and the JSON report about it.

use std::fmt;
use std::io::{self, Write};

use serde::Serialize;
use serde::ser::{SerializeStruct, Serializer};
use serde_json::value::RawValue;

use super::args::Pick;
use crate::repair::encoding::Unreadable;
use crate::repair::schema::Problem;
use crate::repair::span::position;
use crate::repair::{
    Edits, Level, Notice, Position, Refusal, Repair, Rule, Span, Strategy, Verdict,
};
use crate::visible::write_json;

/// What came of one source.
pub(super) struct Answer<'a> {
    /// The text, empty where it is unreadable.
    pub source: &'a str,
    /// The strategy that answers.
    pub strategy: &'static Strategy,
    /// The highest level that was allowed.
    pub allow: Level,
    /// Whether `strategy` was asked for by name, so that `needs` may name a level that is allowed already.
    pub alone: bool,
    /// Which of several values was asked for.
    pub pick: Option<Pick>,
    /// Its edits and its verdict.
    pub repair: Repair,
    /// What a reader should know; empty where no report is asked for.
    pub notices: Vec<Notice>,
    /// Why there is no text at all.
    pub unreadable: Option<Box<Unreadable>>,
}

impl<'a> Answer<'a> {
    /// An answer about bytes that hold no text.
    pub(super) fn unreadable(
        strategy: &'static Strategy,
        allow: Level,
        unreadable: Box<Unreadable>,
    ) -> Answer<'a> {
        let repair = Repair {
            edits: Edits::default(),
            verdict: Verdict::Refused(unreadable.refusal.clone()),
            problems: Vec::new(),
        };
        Answer {
            source: "",
            strategy,
            allow,
            alone: false,
            pick: None,
            repair,
            notices: Vec::new(),
            unreadable: Some(unreadable),
        }
    }

    /// The status word of the report.
    pub(super) fn status(&self) -> &'static str {
        match (&self.repair.verdict, self.repair.edits.is_empty()) {
            (Verdict::Valid, true) => "valid",
            (Verdict::Valid, false) => "repaired",
            (Verdict::Refused(_), _) => "refused",
        }
    }

    pub(super) fn refusal(&self) -> Option<&Refusal> {
        match &self.repair.verdict {
            Verdict::Refused(refusal) => Some(refusal),
            Verdict::Valid => None,
        }
    }

    pub(super) fn position(&self, refusal: &Refusal) -> Position {
        match &self.unreadable {
            Some(unreadable) => unreadable.position,
            None => refusal.position(self.source),
        }
    }

    pub(super) fn found(&self, refusal: &Refusal) -> String {
        match &self.unreadable {
            Some(unreadable) => unreadable.found.clone(),
            None => refusal.found(self.source),
        }
    }

    fn message(&self, refusal: &Refusal) -> String {
        match &self.unreadable {
            Some(unreadable) => unreadable.message(),
            None => refusal.message(self.source),
        }
    }
}

/// Writes the report as one JSON line. Linear, and without a copy of the output.
pub(super) fn json(mut out: impl Write, id: Option<&RawValue>, answer: &Answer) -> io::Result<()> {
    write_json(&mut out, &Report { id, answer })?;
    out.write_all(b"\n")
}

/// Writes the report line of a batch line that could not be read. `line` counts from 1.
pub(super) fn json_error(
    mut out: impl Write,
    id: Option<&RawValue>,
    line: u64,
    message: &str,
) -> io::Result<()> {
    write_json(&mut out, &Unread { id, line, message })?;
    out.write_all(b"\n")
}

/// The version of the report's shape.
const VERSION: u8 = 1;

struct Report<'a> {
    id: Option<&'a RawValue>,
    answer: &'a Answer<'a>,
}

impl Serialize for Report<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Report { id, answer } = self;
        let repair = &answer.repair;
        let refusal = answer.refusal();
        let output = refusal.is_none().then_some(Output(answer));
        let mut row = serializer.serialize_struct("Report", 10)?;
        row.serialize_field("version", &VERSION)?;
        row.serialize_field("id", id)?;
        row.serialize_field("status", answer.status())?;
        row.serialize_field("strategy", answer.strategy.id)?;
        row.serialize_field("worst", &repair.worst().map(Level::name))?;
        row.serialize_field("output", &output)?;
        row.serialize_field("edits", &EditRows(answer))?;
        row.serialize_field("notices", &NoticeRows(answer))?;
        row.serialize_field("schema", &ProblemRows(&repair.problems))?;
        row.serialize_field(
            "refusal",
            &refusal.map(|refusal| refusal_row(answer, refusal)),
        )?;
        row.end()
    }
}

struct Unread<'a> {
    id: Option<&'a RawValue>,
    line: u64,
    message: &'a str,
}

impl Serialize for Unread<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        const NONE: Option<()> = None;
        const EMPTY: [(); 0] = [];
        let mut row = serializer.serialize_struct("Report", 12)?;
        row.serialize_field("version", &VERSION)?;
        row.serialize_field("id", &self.id)?;
        row.serialize_field("status", "error")?;
        for name in ["strategy", "worst", "output"] {
            row.serialize_field(name, &NONE)?;
        }
        for name in ["edits", "notices", "schema"] {
            row.serialize_field(name, &EMPTY)?;
        }
        row.serialize_field("refusal", &NONE)?;
        row.serialize_field("message", self.message)?;
        row.serialize_field("line", &self.line)?;
        row.end()
    }
}

/// The output as one JSON string, piece by piece.
struct Output<'a>(&'a Answer<'a>);

impl Serialize for Output<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl fmt::Display for Output<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Answer { source, repair, .. } = self.0;
        let mut pieces = repair.edits.pieces(source, |_| true);
        pieces.try_for_each(|piece| f.write_str(piece.text()))
    }
}

struct EditRows<'a>(&'a Answer<'a>);

impl Serialize for EditRows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Row<'a> {
            fix: u32,
            start: u32,
            end: u32,
            line: usize,
            column: usize,
            before: &'a str,
            after: &'a str,
            rule: &'static str,
            safety: &'static str,
        }
        let Answer { source, repair, .. } = self.0;
        let mut walk = Walk::new(source);
        serializer.collect_seq(repair.edits.iter().map(|edit| {
            let place = walk.to(edit.span.start);
            Row {
                fix: edit.fix.0,
                start: edit.span.start,
                end: edit.span.end,
                line: place.line,
                column: place.column,
                before: edit.span.text(source),
                after: edit.after,
                rule: edit.rule.id(),
                safety: edit.rule.level().name(),
            }
        }))
    }
}

struct NoticeRows<'a>(&'a Answer<'a>);

impl Serialize for NoticeRows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Row {
            rule: &'static str,
            start: u32,
            end: u32,
            line: usize,
            column: usize,
            message: &'static str,
        }
        let mut walk = Walk::new(self.0.source);
        serializer.collect_seq(self.0.notices.iter().map(|notice| {
            let place = walk.to(notice.span.start);
            Row {
                rule: notice.topic.id(),
                start: notice.span.start,
                end: notice.span.end,
                line: place.line,
                column: place.column,
                message: notice.topic.message(),
            }
        }))
    }
}

struct ProblemRows<'a>(&'a [Problem]);

impl Serialize for ProblemRows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Row<'a> {
            path: &'a str,
            message: &'a str,
        }
        serializer.collect_seq(self.0.iter().map(|problem| Row {
            path: &problem.path,
            message: &problem.message,
        }))
    }
}

#[derive(Serialize)]
struct RefusalRow {
    offset: u32,
    line: usize,
    column: usize,
    expected: String,
    found: String,
    rule: Option<&'static str>,
    needs: Option<&'static str>,
    message: String,
    candidates: Vec<SpanRow>,
}

#[derive(Serialize)]
struct SpanRow {
    start: u32,
    end: u32,
}

fn refusal_row(answer: &Answer, refusal: &Refusal) -> RefusalRow {
    let place = answer.position(refusal);
    // A level that is allowed already only helps to understand a strategy that was asked for alone.
    let needs = refusal
        .needs()
        .filter(|level| answer.alone || answer.allow < *level);
    RefusalRow {
        offset: refusal.at,
        line: place.line,
        column: place.column,
        expected: refusal.expected.to_string(),
        found: answer.found(refusal),
        rule: refusal.rule().map(Rule::id),
        needs: needs.map(Level::name),
        message: answer.message(refusal),
        candidates: refusal
            .candidates
            .iter()
            .map(|span| SpanRow {
                start: span.start,
                end: span.end,
            })
            .collect(),
    }
}

/// Lines and columns of places that are asked for in order: O(text) for all of them together.
pub(super) struct Walk<'a> {
    source: &'a str,
    at: u32,
    place: Position,
}

impl<'a> Walk<'a> {
    pub(super) fn new(source: &'a str) -> Walk<'a> {
        Walk {
            source,
            at: 0,
            place: Position { line: 1, column: 1 },
        }
    }

    /// The position of byte `to`, which is not before the one asked for last.
    pub(super) fn to(&mut self, to: u32) -> Position {
        let between = Span::new(self.at, to).text(self.source);
        let step = position(between, between.len() as u32);
        self.place = match step.line {
            1 => Position {
                line: self.place.line,
                column: self.place.column + step.column - 1,
            },
            _ => Position {
                line: self.place.line + step.line - 1,
                column: step.column,
            },
        };
        self.at = to;
        self.place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_agrees_with_direct_counts() {
        let text = "{\n\"ñ日\": 1,\r\n\n}\n";
        let mut walk = Walk::new(text);
        for (at, _) in text.char_indices().chain([(text.len(), ' ')]) {
            assert_eq!(walk.to(at as u32), position(text, at as u32), "byte {at}");
            assert_eq!(walk.to(at as u32), position(text, at as u32), "byte {at}");
        }
    }
}
