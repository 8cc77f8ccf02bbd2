//! What can be said on the command line. Help, completions and the man page come from these definitions.

use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand, ValueHint};

use crate::repair::layout::Style;
use crate::repair::{LADDER, Level, Strategy};

/// The whole command line.
#[derive(Debug, Parser)]
#[command(
    name = "jsonmedic",
    version,
    about = "A terminal workbench for JSON that language models broke",
    long_about = "Repairs JSON that language models broke. Every edit is listed with its place, its rule and its \
        level: safe, lossy or guess. What has no defensible reading is refused, with its place and the reason. \
        Nothing leaves the machine.\n\n\
        Without a verb: the workbench on FILE, on piped standard input, or empty.",
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  jsonmedic demo                      see everything at work
  pbpaste | jsonmedic | jq .          repair by hand in the middle of a pipe
  jsonmedic fix reply.txt > out.json  only what is certain, or exit 1 with the reason
  jsonmedic watch                     failed tool calls of the agents on this machine, live

Exit: 0 a result was written or accepted; 1 refused, or left without a result; 2 usage or input/output error;
130 interrupted."
)]
pub struct Args {
    /// What to do; without one, the workbench opens.
    #[command(subcommand)]
    pub verb: Option<Verb>,
    /// The workbench on one text.
    #[command(flatten)]
    pub bench: Bench,
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Repair one text, or a stream of them, without a screen
    Fix(Fix),
    /// The workbench on the live list of failed tool calls, or one JSON line a failure
    Watch(Watch),
    /// List all failed tool calls in the logs there are now
    Scan(Scan),
    /// The workbench on transcripts and texts inside the program
    Demo,
    /// What a rule or a strategy does, why, at which level, with an example
    Explain(Explain),
    /// The transcript formats known, where they live, what survives in them
    Formats,
    /// A completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// The manual page, in roff
    Man,
}

/// What is known about the tool that a text was written for.
#[derive(Debug, Default, clap::Args)]
pub struct ToolArgs {
    /// The tool that the arguments belong to
    #[arg(long, value_name = "NAME")]
    pub tool: Option<String>,
    /// The field that a plain string goes to
    #[arg(long, value_name = "NAME")]
    pub field: Option<String>,
    /// Tool definitions (OpenAI, Anthropic, MCP tools/list or Gemini shape): the tool's JSON Schema guides the repair and checks the result
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub tools: Option<PathBuf>,
}

/// The workbench on one text.
#[derive(Debug, Default, clap::Args)]
pub struct Bench {
    /// The text; without it, piped standard input, or an empty bench
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: Option<PathBuf>,
    /// The tool.
    #[command(flatten)]
    pub tool: ToolArgs,
    /// Accept edits up to this level without asking; by default lossy edits wait for a decision and guesses are off
    #[arg(long, value_name = "LEVEL", value_parser = level())]
    pub allow: Option<Level>,
    /// Print the configuration in force as TOML, with every setting and key, and end
    #[arg(long)]
    pub print_config: bool,
}

/// `fix`: repair without a screen.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "jsonmedic fix [OPTIONS] [FILE]\n       jsonmedic fix --batch [OPTIONS] < REQUESTS",
    after_help = "\
Exit: 0 valid JSON was written; 1 refused, no result on standard output, the reason on standard error; 2 usage or \
input/output error. With --batch: 0 when every line was read, whatever the outcomes; 2 otherwise."
)]
pub struct Fix {
    /// The text; without it, or as -, standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: Option<PathBuf>,
    /// The highest level of edits that may be made
    #[arg(long, value_name = "LEVEL", default_value = "safe", value_parser = level())]
    pub allow: Level,
    /// auto: the surest that gives valid JSON; chatcli: the first of 1 to 7 that does; or one strategy alone
    #[arg(long, value_name = "STRATEGY", default_value = "auto", value_parser = choice())]
    pub strategy: Choice,
    /// The tool.
    #[command(flatten)]
    pub tool: ToolArgs,
    /// Where the text holds several values, keep this one: a number from 1, first, last, or all as an array
    #[arg(long, value_name = "N|first|last|all", value_parser = pick)]
    pub pick: Option<Pick>,
    /// When refused, write the source to standard output unchanged; the exit status is still 1
    #[arg(long)]
    pub keep: bool,
    /// Layout of the result; digits, escapes, order and duplicates stay
    #[arg(long, value_name = "STYLE", default_value = "as-is", value_parser = style())]
    pub style: Style,
    /// text: list the edits on standard error; json: one JSON object on standard output in place of the result
    #[arg(long, value_name = "FORM", value_parser = report())]
    pub report: Option<ReportForm>,
    /// Read JSON Lines {"id"?, "text", "tool"?, "schema"?} from standard input and write one report line each, in order
    #[arg(long, conflicts_with_all = ["file", "output", "keep", "style"])]
    pub batch: bool,
    /// Write the result there, - for standard output: the file appears whole or not at all, readable by you alone if it is new
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
}

/// Which strategy answers.
#[derive(Clone, Copy, Debug)]
pub enum Choice {
    /// The surest that gives valid JSON.
    Auto,
    /// The first of the seven of ChatCLI that gives valid JSON.
    ChatCli,
    /// One alone.
    Rung(&'static Strategy),
}

/// Which of several values is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    /// The value of that number, from 1.
    Nth(NonZeroU32),
    /// The first.
    First,
    /// The last.
    Last,
    /// All, as an array.
    All,
}

/// How the edits are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportForm {
    /// A list on standard error.
    Text,
    /// A JSON object on standard output.
    Json,
}

/// Which failed calls are wanted.
#[derive(Debug, Default, clap::Args)]
pub struct Filter {
    /// Kinds of failure, or all [default: malformed,truncated]
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = ["malformed", "truncated", "schema", "unknown-tool", "tool-error", "all"])]
    pub kind: Vec<String>,
    /// Only calls of this tool (may be given more than once)
    #[arg(long, value_name = "NAME")]
    pub tool: Vec<String>,
    /// Only logs of this format, as `jsonmedic formats` names them (may be given more than once)
    #[arg(long, value_name = "FORMAT")]
    pub format: Vec<String>,
    /// Only calls from then on: a duration back from now (90m, 2h, 3d) or a date (2026-11-30, 2026-11-30T14:00:00Z)
    #[arg(long, value_name = "TIME")]
    pub since: Option<String>,
    /// Only calls of this session
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,
}

/// `watch`: the live list.
#[derive(Debug, Default, clap::Args)]
#[command(after_help = "\
Exit with --json: 0 interrupted, time is over, nobody reads on, or no path is named and no agent is known here; \
2 usage or input/output error, or a named path that cannot be read; 143 or 129 ended by SIGTERM or SIGHUP. \
The workbench: as without a verb.")]
pub struct Watch {
    /// Logs or folders of logs; without one, every known agent log folder that exists
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub paths: Vec<PathBuf>,
    /// No screen: one JSON line a failure as it happens
    #[arg(long)]
    pub json: bool,
    /// End after this many seconds
    #[arg(long = "for", value_name = "SECONDS", requires = "json", value_parser = seconds)]
    pub seconds: Option<std::time::Duration>,
    /// First report the failures that are there already
    #[arg(long, conflicts_with = "resume")]
    pub from_start: bool,
    /// Go on where the last run stopped; after kill -9 the failures of its last moments may be told again
    #[arg(long)]
    pub resume: bool,
    /// Look at the files every other second, where file events do not work
    #[arg(long)]
    pub poll: bool,
    /// Which calls.
    #[command(flatten)]
    pub filter: Filter,
}

/// `scan`: all failed calls there now.
#[derive(Debug, Default, clap::Args)]
#[command(after_help = "\
Exit: 0 done, whether any were found or not; 2 usage or input/output error, or a named path that cannot be read.")]
pub struct Scan {
    /// Logs or folders of logs, - for one log on standard input; without one, every known agent log folder that exists
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub paths: Vec<PathBuf>,
    /// One JSON line a failed call
    #[arg(long, conflicts_with_all = ["score", "emit_line"])]
    pub json: bool,
    /// How many repairs the agents' own retries confirm, by level and rule
    #[arg(long, conflicts_with = "emit_line")]
    pub score: bool,
    /// Print the log line of each call with the repaired arguments in it
    #[arg(long)]
    pub emit_line: bool,
    /// Which calls.
    #[command(flatten)]
    pub filter: Filter,
}

/// `explain`: a rule or a strategy.
#[derive(Debug, clap::Args)]
pub struct Explain {
    /// The rule or the strategy; without one, the list of both
    #[arg(value_name = "RULE or STRATEGY")]
    pub name: Option<String>,
}

fn level() -> impl TypedValueParser<Value = Level> {
    PossibleValuesParser::new(Level::ALL.map(Level::name)).try_map(|name| name.parse::<Level>())
}

fn choice() -> impl TypedValueParser<Value = Choice> {
    let names = ["auto", "chatcli"].into_iter();
    PossibleValuesParser::new(names.chain(LADDER.iter().map(|rung| rung.id))).try_map(|name| {
        match name.as_str() {
            "auto" => Ok(Choice::Auto),
            "chatcli" => Ok(Choice::ChatCli),
            id => Strategy::find(id)
                .map(Choice::Rung)
                .ok_or_else(|| format!("no strategy `{id}`")),
        }
    })
}

fn style() -> impl TypedValueParser<Value = Style> {
    PossibleValuesParser::new(["as-is", "compact", "pretty"]).map(|name| match name.as_str() {
        "compact" => Style::Compact,
        "pretty" => Style::Pretty,
        _ => Style::AsIs,
    })
}

fn report() -> impl TypedValueParser<Value = ReportForm> {
    PossibleValuesParser::new(["text", "json"]).map(|name| match name.as_str() {
        "json" => ReportForm::Json,
        _ => ReportForm::Text,
    })
}

fn pick(text: &str) -> Result<Pick, String> {
    match text {
        "first" => Ok(Pick::First),
        "last" => Ok(Pick::Last),
        "all" => Ok(Pick::All),
        number => number
            .parse()
            .map(Pick::Nth)
            .map_err(|_| "expected a number from 1, first, last or all".to_owned()),
    }
}

fn seconds(text: &str) -> Result<std::time::Duration, String> {
    let number: f64 = text
        .parse()
        .map_err(|_| "expected a number of seconds".to_owned())?;
    std::time::Duration::try_from_secs_f64(number).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definitions_are_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn command_lines() {
        for (line, fits) in [
            ("", true),
            ("reply.txt --tool read_file --allow lossy", true),
            ("--allow certain", false),
            (
                "fix - --strategy object-literal --pick 2 --report json -o x",
                true,
            ),
            ("fix --strategy 3", false),
            ("fix --pick 0", false),
            (
                "fix --batch --report json --allow guess --tool x --tools y",
                true,
            ),
            ("fix --batch file", false),
            ("fix --batch --style pretty", false),
            ("watch --json --for 0.5 --from-start a b", true),
            ("watch --for 1", false),
            ("watch --from-start --resume", false),
            ("scan --json --kind malformed,schema --since 2h -", true),
            ("scan --kind broken", false),
            ("explain trailing-comma", true),
            ("completions zsh", true),
            ("man", true),
        ] {
            let words = std::iter::once("jsonmedic").chain(line.split_whitespace());
            assert_eq!(Args::try_parse_from(words).is_ok(), fits, "{line}");
        }
    }
}
