//! `fix`: one text or a batch of them, without a screen.

use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::args::{Choice, Fix, Pick, ReportForm};
use super::input::{self, Input};
use super::output::{self, Screen};
use super::report::{self, Answer};
use super::{Exit, Trouble, say, tell, words};
use crate::files;
use crate::repair::encoding::{self, decode};
use crate::repair::layout::Layout;
use crate::repair::{
    self, LADDER, Level, Repair, Schema, Span, Strategy, ToolContext, Verdict, strategy,
};
use crate::transcript::tools::Tools;
use crate::visible::visible_bytes;

/// Runs the verb.
pub(super) fn run(args: Fix) -> Result<Exit, Trouble> {
    let known = Known::new(&args)?;
    if args.batch {
        if args.report == Some(ReportForm::Text) {
            return Err(
                "--batch always writes JSON reports; leave out `--report text`"
                    .to_owned()
                    .into(),
            );
        }
        return batch(&args, &known);
    }
    if args.report == Some(ReportForm::Json) && args.output.as_deref().is_some_and(is_stdout) {
        return Err("`-o -` and `--report json` both write standard output"
            .to_owned()
            .into());
    }
    let input = input::read(args.file.as_deref())?;
    let answer = match decode(&input.bytes) {
        Ok(source) => answer(source, &args, &known.tool(args.tool.tool.as_deref())),
        Err(unreadable) => Answer::unreadable(answering(&args), args.allow, unreadable),
    };
    tell(&args, &input, &answer)
}

/// A hyphen is standard output here, as it is standard input where a text is read.
fn is_stdout(path: &Path) -> bool {
    path == Path::new("-")
}

/// Writes result and report of one text where the flags say.
fn tell(args: &Fix, input: &Input, answer: &Answer) -> Result<Exit, Trouble> {
    let is_valid = answer.repair.verdict == Verdict::Valid;
    let file = args.output.as_deref().filter(|path| !is_stdout(path));
    if let Some(path) = file.filter(|_| is_valid) {
        files::write_file(path, |out| {
            lay_out(args, answer, |text| out.write_all(text.as_bytes()))
        })
        .map_err(|why| format!("{}: {why}", files::shown(path)))?;
    }
    let to_stdout = || -> io::Result<()> {
        if args.report == Some(ReportForm::Json) {
            let mut out = output::stdout()?;
            report::json(&mut out, None, answer)?;
            return out.flush();
        }
        if is_valid && file.is_none() {
            let mut screen = Screen::new()?;
            lay_out(args, answer, |text| screen.put(text))?;
            return screen.finish();
        }
        if !is_valid && args.keep {
            let mut screen = Screen::new()?;
            screen.put_bytes(&input.bytes)?;
            return screen.finish();
        }
        Ok(())
    };
    to_stdout().map_err(Trouble::stdout)?;
    if args.report != Some(ReportForm::Json) {
        for line in tell::refusal_lines(&input.name, answer) {
            say(format_args!("{line}"));
        }
        if !answer.repair.edits.is_empty() {
            let stopped = if is_valid { "" } else { "before the stop: " };
            say(format_args!("{stopped}{}", tell::summary(&answer.repair)));
        }
        if args.report.is_none()
            && let Some(line) = tell::misses(&answer.repair)
        {
            say(format_args!("{line}"));
        }
    }
    if args.report == Some(ReportForm::Text) {
        // Where nobody reads the list there is nobody to tell.
        let mut out = BufWriter::new(io::stderr().lock());
        let _ = tell::text(&mut out, answer).and_then(|()| out.flush());
    }
    Ok(if is_valid { Exit::Done } else { Exit::Refused })
}

/// Hands the laid out result to `put`, piece by piece.
fn lay_out(
    args: &Fix,
    answer: &Answer,
    mut put: impl FnMut(&str) -> io::Result<()>,
) -> io::Result<()> {
    let mut layout = Layout::new(args.style);
    let mut pieces = answer.repair.edits.pieces(answer.source, |_| true);
    pieces.try_for_each(|piece| layout.feed(piece.text(), &mut put))
}

/// Repairs one text as the flags say.
fn answer<'a>(source: &'a str, args: &Fix, tool: &ToolContext) -> Answer<'a> {
    // A batch line may hold UTF-16 whose NULs were escaped.
    if encoding::wide(source.as_bytes()).is_some()
        && let Err(unreadable) = decode(source.as_bytes())
    {
        return Answer::unreadable(answering(args), args.allow, unreadable);
    }
    let (strategy, repair) = match args.strategy {
        Choice::Auto => repair::auto(source, args.allow, tool),
        Choice::ChatCli => chatcli(source, args.allow, tool),
        Choice::Rung(rung) => (rung, repair::repair_within(source, rung, args.allow, tool)),
    };
    let (strategy, repair) = match (args.pick, &repair.verdict) {
        (Some(pick), Verdict::Refused(refusal)) if !refusal.candidates.is_empty() => {
            picked(source, pick, refusal.candidates.clone(), args.allow, tool)
                .unwrap_or((strategy, repair))
        }
        _ => (strategy, repair),
    };
    let reported = args.batch || args.report.is_some();
    let notices = if reported {
        repair::notices(source, &repair, tool)
    } else {
        Vec::new()
    };
    Answer {
        source,
        strategy,
        allow: args.allow,
        alone: matches!(args.strategy, Choice::Rung(_)),
        pick: args.pick,
        repair,
        notices,
        unreadable: None,
    }
}

/// The candidate or candidates that the user asked for; `None` where there is no such number.
fn picked(
    source: &str,
    pick: Pick,
    candidates: Vec<Span>,
    allow: Level,
    tool: &ToolContext,
) -> Option<(&'static Strategy, Repair)> {
    let one = match pick {
        Pick::All => return Some(repair::repair_all_picked(source, &candidates, allow)),
        Pick::First => candidates.first(),
        Pick::Last => candidates.last(),
        Pick::Nth(number) => candidates.get(number.get() as usize - 1),
    };
    let kept = *one?;
    let (rung, _) = repair::auto(kept.text(source), allow, tool);
    Some((rung, repair::repair_picked(source, kept, rung, allow, tool)))
}

/// The strategy that answers where no scan is made.
fn answering(args: &Fix) -> &'static Strategy {
    match args.strategy {
        Choice::Auto => strategy::widest(args.allow),
        Choice::ChatCli => &LADDER[0],
        Choice::Rung(rung) => rung,
    }
}

/// The first of the seven that gives valid JSON; 6 and 7 are skipped where guesses are not allowed. If none does,
/// the one that came furthest tells where it stopped, the lowest number first.
fn chatcli(source: &str, allow: Level, tool: &ToolContext) -> (&'static Strategy, Repair) {
    let count = if allow == Level::Guess { 7 } else { 5 };
    let mut furthest: Option<(u32, &'static Strategy, Repair)> = None;
    for (rung, repair) in repair::climb(source, allow, tool).take(count) {
        let Verdict::Refused(refusal) = &repair.verdict else {
            return (rung, repair);
        };
        let at = refusal.at;
        if furthest.as_ref().is_none_or(|(far, ..)| *far < at) {
            furthest = Some((at, rung, repair));
        }
    }
    match furthest {
        Some((_, rung, repair)) => (rung, repair),
        // The ladder has rungs, so one was tried.
        None => unreachable!("no rung was tried"),
    }
}

/// What the flags say about tools.
struct Known<'a> {
    args: &'a Fix,
    tools: Tools,
}

impl<'a> Known<'a> {
    fn new(args: &'a Fix) -> Result<Known<'a>, String> {
        let tools = match &args.tool.tools {
            None => Tools::default(),
            Some(path) => {
                let name = visible_bytes(path.as_os_str().as_encoded_bytes());
                let read = files::read_file(path).and_then(|bytes| Tools::parse(&bytes));
                let tools = read.map_err(|why| format!("{name}: {why}"))?;
                if let Some(tool) = args.tool.tool.as_deref().filter(|tool| !tools.has(tool)) {
                    let names = tools.names().join(", ");
                    return Err(format!("{name}: expected a tool `{tool}`, found {names}"));
                }
                tools
            }
        };
        Ok(Known { args, tools })
    }

    /// What is known about a tool, and the field that the user named.
    fn tool(&self, name: Option<&str>) -> ToolContext {
        let context = name.map(|name| self.tools.context(name));
        ToolContext {
            field: self.args.tool.field.clone(),
            ..context.unwrap_or_default()
        }
    }
}

/// One line of a batch. The values are held as text, so that one that cannot be read does not hide the `id`.
#[derive(Deserialize)]
struct Request<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    text: Option<&'a RawValue>,
    #[serde(borrow)]
    tool: Option<&'a RawValue>,
    #[serde(borrow)]
    schema: Option<&'a RawValue>,
}

/// A line longer than this is skipped and named, so that memory stays bounded.
const LONGEST_LINE: u64 = 1 << 30;

/// Room that is kept for the next line.
const ROOM: usize = 1 << 20;

/// Reads requests from standard input and writes one report line each, in order.
fn batch(args: &Fix, known: &Known) -> Result<Exit, Trouble> {
    let mut requests = BufReader::with_capacity(ROOM, io::stdin().lock());
    let mut out = output::stdout().map_err(Trouble::stdout)?;
    let mut line = Vec::new();
    let mut all_read = true;
    for number in 1.. {
        line.clear();
        line.shrink_to(ROOM);
        let length = read_line(&mut requests, &mut line)
            .map_err(|error| format!("standard input: {}", words(&error)))?;
        if length == 0 {
            break;
        }
        let written = match one_of_batch(&line, length, args, known, &mut out) {
            Ok(written) => written,
            Err((id, why)) => {
                all_read = false;
                report::json_error(&mut out, id, number, &why)
            }
        };
        // A program at the other end may wait for this answer before it asks again.
        let more_is_here = memchr::memchr(b'\n', requests.buffer()).is_some();
        written
            .and_then(|()| if more_is_here { Ok(()) } else { out.flush() })
            .map_err(Trouble::stdout)?;
    }
    out.flush().map_err(Trouble::stdout)?;
    Ok(if all_read { Exit::Done } else { Exit::Trouble })
}

/// Reads up to and with the next line break, and says how long the line is: 0 at the end. Of a line that is too long
/// only the beginning is kept.
fn read_line(requests: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<u64> {
    let mut length = requests
        .by_ref()
        .take(LONGEST_LINE)
        .read_until(b'\n', line)? as u64;
    if length == LONGEST_LINE && line.last() != Some(&b'\n') {
        length += requests.skip_until(b'\n')? as u64;
    }
    Ok(length)
}

/// Why a line could not be read, and its `id` if that could.
type Unread<'a> = (Option<&'a RawValue>, String);

/// Answers one line; the outer result says whether it could be read, the inner one whether the answer was written.
fn one_of_batch<'a>(
    line: &'a [u8],
    length: u64,
    args: &Fix,
    known: &Known,
    out: &mut impl Write,
) -> Result<io::Result<()>, Unread<'a>> {
    let none = |why: String| (None, why);
    if (line.len() as u64) < length {
        return Err(none(format!(
            "a line of {length} bytes; up to {LONGEST_LINE} are read"
        )));
    }
    let line = std::str::from_utf8(line).map_err(|error| {
        none(format!(
            "expected UTF-8, found another byte at {}",
            error.valid_up_to()
        ))
    })?;
    let line = line.trim_start_matches('\u{feff}').trim();
    if !line.starts_with('{') {
        let found = if line.is_empty() {
            "an empty line"
        } else {
            "another value"
        };
        return Err(none(format!("expected an object, found {found}")));
    }
    let request: Request = serde_json::from_str(line).map_err(|error| none(in_line(&error)))?;
    let id = request.id;
    let field =
        |name: &str, error: serde_json::Error| (id, format!("`{name}`: {}", in_line(&error)));
    let Some(text) = request.text else {
        return Err((id, "expected a member `text`".to_owned()));
    };
    let text: String = serde_json::from_str(text.get()).map_err(|error| field("text", error))?;
    let name: Option<String> = match request.tool {
        Some(tool) => serde_json::from_str(tool.get()).map_err(|error| field("tool", error))?,
        None => None,
    };
    let mut tool = known.tool(name.as_deref().or(args.tool.tool.as_deref()));
    if let Some(schema) = request.schema {
        let schema: serde_json::Value =
            serde_json::from_str(schema.get()).map_err(|error| field("schema", error))?;
        if !schema.is_object() && !schema.is_boolean() {
            return Err((id, "`schema`: expected an object".to_owned()));
        }
        tool.schema = Some(Arc::new(Schema::new(schema)));
    }
    Ok(report::json(out, id, &answer(&text, args, &tool)))
}

/// The parser's words without its line number: there is only one line.
fn in_line(error: &serde_json::Error) -> String {
    let words = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let words = words.replace(
        "unexpected end of hex escape",
        "lone leading surrogate in hex escape",
    );
    match words.strip_suffix(&place) {
        Some(words) if 0 < error.column() => format!("{words} at column {}", error.column()),
        Some(words) => words.to_owned(),
        None => words,
    }
}
