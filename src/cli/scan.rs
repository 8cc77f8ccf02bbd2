//! `scan`: all failed calls in the logs there are now, as a table, as JSON lines, as corrected log lines or as a score.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::args::Scan;
use super::filter::Sieve;
use super::table::{self, Bar, Table};
use super::{Exit, NO_FOLDER, Trouble, output, say, words};
use crate::feed::{self, Unread};
use crate::repair::{self, Level, Rule, ToolContext};
use crate::transcript::{Counts, FailedCall, FeedEvent, Register, Source, Status, corrected_line};
use crate::visible::{visible, write_json};

/// How long a row may wait in the buffer.
const WAIT: Duration = Duration::from_millis(50);

/// Scans and writes what is found.
pub(super) fn run(args: Scan) -> Result<Exit, Trouble> {
    let sieve = Sieve::new(&args.filter)?;
    let mut shown = Shown::new(&args).map_err(Trouble::stdout)?;
    let mut register = Register::new(sieve.kinds);
    let is_stream = args.paths.iter().any(|path| path == Path::new("-"));
    if is_stream && 1 < args.paths.len() {
        return Err(Trouble::Said(
            "`-` is one log on standard input and takes no other path".into(),
        ));
    }
    let unread = match is_stream {
        true => {
            scan_stream(&sieve, &mut register, &mut shown)?;
            Vec::new()
        }
        false => scan_places(args.paths, &sieve, &mut register, &mut shown)?,
    };
    shown.finish(&register.counts)?;
    Ok(tell_unread(&unread))
}

fn scan_places(
    paths: Vec<PathBuf>,
    sieve: &Sieve,
    register: &mut Register,
    shown: &mut Shown,
) -> Result<Vec<Unread>, Trouble> {
    let (places, stores) = match paths.is_empty() {
        true => (feed::places::known(), feed::places::stores()),
        false => (paths, Vec::new()),
    };
    if places.is_empty() && stores.is_empty() {
        say(format_args!("jsonmedic: {NO_FOLDER}"));
    }
    let mut failure = None;
    let summary = feed::scan(&places, &sieve.wanted, register, &mut |event| match shown
        .take(event, sieve, None)
    {
        Ok(()) => true,
        Err(error) => {
            failure = Some(error);
            false
        }
    });
    match failure {
        Some(error) => Err(Trouble::stdout(error)),
        None => Ok(summary.unread.into_iter().chain(stores).collect()),
    }
}

fn scan_stream(sieve: &Sieve, register: &mut Register, shown: &mut Shown) -> Result<(), Trouble> {
    let (log, text) = feed::read_stream(Path::new("-"), &mut io::stdin().lock())
        .map_err(|error| format!("standard input: {}", words(&error)))?;
    let Some(adapter) = log.adapter else {
        say(format_args!(
            "jsonmedic: standard input is no log of a known format"
        ));
        return Ok(());
    };
    if !sieve.wanted.formats.is_empty() && !sieve.wanted.formats.contains(&adapter.id) {
        return Ok(());
    }
    register.counts.files = 1;
    let source = Source {
        ledger: 0,
        adapter,
        paths: &log.paths,
        is_document: log.is_document,
        far: None,
        name: None,
        again: false,
    };
    let mut outcome = Ok(());
    register.take(source, log.entries, &mut |event| {
        if outcome.is_ok() {
            outcome = shown.take(event, sieve, Some(&text));
        }
    });
    outcome.map_err(Trouble::stdout)
}

/// Says what could not be read. Only a path that the user named makes it an error.
fn tell_unread(unread: &[Unread]) -> Exit {
    /// Lines of this kind that are printed; beyond, their number says enough.
    const LINES: usize = 20;
    for file in unread.iter().take(LINES) {
        say(format_args!(
            "jsonmedic: {}: {}",
            table::name(&file.path),
            visible(&file.why)
        ));
    }
    if LINES < unread.len() {
        say(format_args!(
            "jsonmedic: {} more could not be read",
            unread.len() - LINES
        ));
    }
    match unread.iter().any(|file| file.is_named) {
        true => Exit::Trouble,
        false => Exit::Done,
    }
}

/// What becomes of the rows.
enum Form {
    Table(Table),
    Json,
    Lines,
    Score(Score),
}

/// Where the rows go.
struct Shown {
    form: Form,
    out: output::Out,
    bar: Bar,
    is_terminal: bool,
    flushed: Instant,
    rows: u64,
    groups: Groups,
}

impl Shown {
    fn new(args: &Scan) -> io::Result<Shown> {
        Ok(Shown {
            form: match args {
                Scan { json: true, .. } => Form::Json,
                Scan { score: true, .. } => Form::Score(Score::default()),
                Scan {
                    emit_line: true, ..
                } => Form::Lines,
                _ => Form::Table(Table::new()),
            },
            out: output::stdout()?,
            bar: Bar::new(),
            is_terminal: io::stdout().is_terminal(),
            flushed: Instant::now(),
            rows: 0,
            groups: Groups::default(),
        })
    }

    fn take(&mut self, event: FeedEvent, sieve: &Sieve, text: Option<&[u8]>) -> io::Result<()> {
        match event {
            FeedEvent::Failed(call) if sieve.keeps(&call) => {
                self.bar.hide();
                self.row(&call, text)?;
                self.rows += 1;
            }
            FeedEvent::Progress {
                files,
                total,
                bytes,
                found,
            } => self.bar.show(files, total, bytes, found),
            FeedEvent::Note(note) => {
                self.bar.hide();
                say(format_args!("jsonmedic: {}", visible(&note)));
            }
            _ => {}
        }
        // The first rows are there to be read while the rest is looked for.
        if self.rows == 1 || WAIT <= self.flushed.elapsed() {
            self.out.flush()?;
            self.flushed = Instant::now();
        }
        Ok(())
    }

    fn row(&mut self, call: &FailedCall, text: Option<&[u8]>) -> io::Result<()> {
        match &mut self.form {
            Form::Json => {
                write_json(&mut self.out, call)?;
                self.out.write_all(b"\n")
            }
            Form::Table(table) => {
                if self.rows == 0 {
                    writeln!(self.out, "{}", table.head())?;
                }
                self.groups.add(call);
                writeln!(self.out, "{}", table.row(call))
            }
            Form::Lines => match corrected(call, text) {
                Ok(line) if self.is_terminal => writeln!(self.out, "{}", visible(&line)),
                Ok(line) => writeln!(self.out, "{line}"),
                Err(why) => {
                    say(format_args!("jsonmedic: {}: {why}", table::place(call)));
                    Ok(())
                }
            },
            Form::Score(score) => {
                score.add(call);
                Ok(())
            }
        }
    }

    fn finish(mut self, counts: &Counts) -> Result<(), Trouble> {
        self.bar.hide();
        if let Form::Score(score) = &self.form {
            self.out
                .write_all(score.text().as_bytes())
                .map_err(Trouble::stdout)?;
        }
        self.out.flush().map_err(Trouble::stdout)?;
        if let Form::Table(_) = self.form {
            say(format_args!("{}", summary(self.rows, counts)));
            for line in self.groups.lines() {
                say(format_args!("{line}"));
            }
        }
        Ok(())
    }
}

/// One line on what was found and what became of it.
fn summary(rows: u64, counts: &Counts) -> String {
    let logs = plural(counts.files, "log");
    let mut out = format!("{} in {logs}", plural(rows, "failed call"));
    if 0 < counts.retried {
        let _ = write!(
            out,
            "; {} sent again by the agent, {} of them as repaired (=)",
            counts.retried, counts.confirmed
        );
    }
    if 0 < counts.skipped {
        let _ = write!(
            out,
            "; {} skipped",
            plural(counts.skipped, "unreadable line")
        );
    }
    let hidden = counts.all().saturating_sub(rows);
    if 0 < hidden {
        let _ = write!(
            out,
            "; {hidden} of other kinds or filtered out (--kind all)"
        );
    }
    out
}

/// How many rows there are of each kind, tool, model and rule.
#[derive(Default)]
struct Groups {
    kinds: BTreeMap<String, u64>,
    tools: BTreeMap<String, u64>,
    models: BTreeMap<String, u64>,
    rules: BTreeMap<String, u64>,
}

impl Groups {
    fn add(&mut self, call: &FailedCall) {
        let rule = call.repair.as_ref().and_then(|repair| repair.rule);
        for (group, name) in [
            (&mut self.kinds, Some(call.kind.id())),
            (&mut self.tools, call.tool.as_deref()),
            (&mut self.models, call.model.as_deref()),
            (&mut self.rules, rule.map(Rule::id)),
        ] {
            if let Some(name) = name {
                *group.entry(visible(name).into_owned()).or_default() += 1;
            }
        }
    }

    /// A line a group, the most frequent first.
    fn lines(&self) -> Vec<String> {
        /// Names that are said of a group.
        const MOST: usize = 8;
        let groups = [
            ("kind", &self.kinds),
            ("tool", &self.tools),
            ("model", &self.models),
            ("rule", &self.rules),
        ];
        let line = |(head, group): (&str, &BTreeMap<String, u64>)| {
            let mut counts: Vec<(&String, u64)> =
                group.iter().map(|(name, n)| (name, *n)).collect();
            counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
            let mut words: Vec<String> = counts
                .iter()
                .take(MOST)
                .map(|(name, count)| format!("{name} {count}"))
                .collect();
            if MOST < counts.len() {
                words.push(format!("{} more", counts.len() - MOST));
            }
            (!words.is_empty()).then(|| format!("  {head:<6} {}", words.join(", ")))
        };
        groups.into_iter().filter_map(line).collect()
    }
}

fn plural(count: u64, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        _ => format!("{count} {noun}s"),
    }
}

/// The log line of a call with the repaired arguments in it.
fn corrected(call: &FailedCall, text: Option<&[u8]>) -> Result<String, String> {
    call.repair.as_ref().ok_or("the log lost the arguments")?;
    let output = call.repaired().ok_or("the repair is refused")?;
    let Some(text) = text else {
        return feed::corrected_line(call, &output);
    };
    let line = call.origin.byte.and_then(|at| text.get(at as usize..));
    Ok(corrected_line(line.unwrap_or_default(), call, &output)?)
}

/// How many repairs the agents' own retries confirm.
#[derive(Default)]
struct Score {
    levels: BTreeMap<Level, Tally>,
    rules: BTreeMap<Rule, Tally>,
    refused: u64,
    alone: u64,
}

/// Repairs with a retry, and those that are the same JSON value.
#[derive(Clone, Copy, Default)]
struct Tally {
    retried: u64,
    same: u64,
}

impl Tally {
    fn add(&mut self, is_same: bool) {
        self.retried += 1;
        self.same += u64::from(is_same);
    }
}

impl Score {
    fn add(&mut self, call: &FailedCall) {
        let (Some(raw), Some(outcome)) = (&call.raw, &call.repair) else {
            return;
        };
        if outcome.status == Status::Valid {
            return;
        }
        let Some(retry) = &call.retry else {
            self.alone += 1;
            return;
        };
        if outcome.status == Status::Refused {
            self.refused += 1;
            return;
        }
        if let Some(level) = outcome.worst {
            self.levels.entry(level).or_default().add(retry.equal);
        }
        let tool = call
            .tool
            .as_deref()
            .map(ToolContext::named)
            .unwrap_or_default();
        for rule in repair::auto(raw, Level::Guess, &tool).1.used().iter() {
            self.rules.entry(rule).or_default().add(retry.equal);
        }
    }

    fn text(&self) -> String {
        let mut out = String::from("repairs that the agents' own retries confirm\n\n");
        let mut table = |head: &str, rows: &[(&str, Tally)]| {
            let _ = writeln!(out, "{head:<24} retried   same  differs");
            for (name, tally) in rows {
                let differs = tally.retried - tally.same;
                let _ = writeln!(
                    out,
                    "{name:<24} {:>7} {:>6} {differs:>8}",
                    tally.retried, tally.same
                );
            }
            out.push('\n');
        };
        let of_level = |level: Level| self.levels.get(&level).copied().unwrap_or_default();
        table(
            "LEVEL",
            &Level::ALL.map(|level| (level.name(), of_level(level))),
        );
        let rules: Vec<(&str, Tally)> = self
            .rules
            .iter()
            .map(|(rule, tally)| (rule.id(), *tally))
            .collect();
        table("RULE", &rules);
        let _ = writeln!(
            out,
            "{} refused although the agent found an answer; {} without a retry",
            self.refused, self.alone
        );
        out
    }
}
