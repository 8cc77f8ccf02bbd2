//! The core: text in, edits and a verdict out. No files, threads, clocks or terminal words.

pub mod edit;
pub mod encoding;
pub mod layout;
pub mod notice;
mod pick;
pub mod review;
pub mod rule;
pub mod schema;
pub mod span;
pub mod strategy;
pub mod tool;
pub mod verdict;

mod guide;
mod scan;
mod tree;
mod typographic;

pub use edit::{Bias, Edit, Edits, FixId, Piece, PositionMap};
pub use notice::{Notice, Topic, notices};
pub use pick::{repair_all_picked, repair_picked, repair_picked_with};
pub use review::{Decision, Fix, Review};
pub use rule::{Level, RULES, Rule, RuleInfo, RuleSet};
pub use schema::Schema;
pub use span::{LineIndex, Position, Span};
pub use strategy::{LADDER, Strategy};
pub use tool::ToolContext;
pub use typographic::is_code_file;
pub use verdict::{Expected, Refusal, Verdict, Why};

/// Bounds that keep hostile texts from eating the machine.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Edits beyond which a text is refused.
    pub max_edits: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            max_edits: edit::MOST,
        }
    }
}

/// What one strategy makes of one source. Owns no text; `edits.source_len()` guards against a mix-up.
#[derive(Clone, Debug)]
pub struct Repair {
    /// All changes, also those made before a refusal.
    pub edits: Edits,
    /// Whether source and edits together are JSON.
    pub verdict: Verdict,
    /// Where the result misses the tool's schema; empty without one.
    pub problems: Vec<schema::Problem>,
}

impl Repair {
    /// Whether source and edits together are JSON.
    pub fn is_valid(&self) -> bool {
        self.verdict == Verdict::Valid
    }

    /// The worst level among the edits; `None` without edits.
    pub fn worst(&self) -> Option<Level> {
        self.used().iter().map(Rule::level).max()
    }

    /// The rules that made edits.
    pub fn used(&self) -> RuleSet {
        self.edits.rules()
    }
}

/// Checks a text against RFC 8259: the scan with no rule on.
pub fn check(text: &str) -> Verdict {
    scan::check(text)
}

/// Checks bytes against RFC 8259, UTF-8 included (section 8.1): as [`check`], with a refusal for bytes that are no text.
pub fn check_bytes(bytes: &[u8]) -> Verdict {
    match encoding::decode(bytes) {
        Ok(text) => check(text),
        Err(unreadable) => Verdict::Refused(unreadable.refusal),
    }
}

/// Reads `source` with one strategy. Never panics, never fails: a text that cannot be read is a refusal.
pub fn repair(source: &str, strategy: &Strategy, tool: &ToolContext) -> Repair {
    repair_within(source, strategy, Level::Guess, tool)
}

/// As [`repair`], with the strategy's rules above `allow` off.
pub fn repair_within(
    source: &str,
    strategy: &Strategy,
    allow: Level,
    tool: &ToolContext,
) -> Repair {
    scan::repair(
        source,
        strategy,
        strategy.rules.and(RuleSet::up_to(allow)),
        tool,
    )
}

/// As [`repair`], with `rules` in place of the strategy's own: for a rule that the user switched on or off by hand, such
/// as `typographic-text`, which no rung has.
pub fn repair_with(
    source: &str,
    strategy: &Strategy,
    rules: RuleSet,
    tool: &ToolContext,
) -> Repair {
    scan::repair(source, strategy, rules, tool)
}

/// Reads `source` with every rung in turn, each from the source: lazy.
pub fn climb<'a>(
    source: &'a str,
    allow: Level,
    tool: &'a ToolContext,
) -> impl Iterator<Item = (&'static Strategy, Repair)> + 'a {
    LADDER
        .iter()
        .map(move |rung| (rung, repair_within(source, rung, allow, tool)))
}

/// The rung that `auto` takes: among those that give valid JSON the lowest worst level, then the fewest schema
/// problems, then the lowest number; if none is valid, the widest rung of `allow`, with its refusal.
///
/// Ten scans are not needed: rungs below 9 have no lossy rule and only rungs 6, 7 and 10 have guesses; a rule that is
/// off only ever stops a scan, so a narrower rung makes the same edits as a wider one if its set holds all rules that
/// were needed. Valid text whose schema problems a rule mends is mended, at the lowest level that does so.
/// `tests/property.rs` compares with the climb over all ten.
pub fn auto(source: &str, allow: Level, tool: &ToolContext) -> (&'static Strategy, Repair) {
    let (parse, plain) = scan::parse(source, tool);
    if parse.is_valid() {
        return mend_by_schema(source, allow, tool, parse);
    }
    let rung = strategy::widest(allow.min(Level::Lossy));
    let wide = scan::repair_broken(source, rung, tool, &plain);
    // Where the value has to be looked for, a lossy rule can find another one than the safe rules do.
    let in_prose = !source.trim_start().starts_with(['{', '[']);
    let unsettled = in_prose && wide.worst() == Some(Level::Lossy);
    if unsettled {
        let rung = strategy::widest(Level::Safe);
        let safe = scan::repair_broken(source, rung, tool, &plain);
        if safe.is_valid() {
            return (narrowest(&safe, rung), safe);
        }
    }
    // And the guesses yet another one.
    if wide.is_valid() && !(unsettled && allow == Level::Guess) {
        return (narrowest(&wide, rung), wide);
    }
    if allow < Level::Guess {
        return (rung, wide);
    }
    // One after the other: of lists that may be long, no more than two are held.
    let guesses = [&LADDER[5], &LADDER[6], &LADDER[9]].into_iter();
    let repairs = guesses.map(|rung| (rung, scan::repair_broken(source, rung, tool, &plain)));
    let rank = |(rung, repair): &(&'static Strategy, Repair)| {
        (
            !repair.is_valid(),
            repair.worst(),
            repair.problems.len(),
            rung.number,
        )
    };
    let mut best = match wide.is_valid() {
        true => (narrowest(&wide, rung), wide),
        false => (rung, wide),
    };
    for found in repairs {
        let better = match found.1.is_valid() {
            true => rank(&found) < rank(&best),
            // The last one is the widest, whose refusal counts.
            false => !best.1.is_valid(),
        };
        if better {
            best = found;
        }
    }
    best
}

/// The first rung whose set holds the rules that `repair` needed.
fn narrowest(repair: &Repair, widest: &'static Strategy) -> &'static Strategy {
    let needed = repair.edits.needed();
    let structure = LADDER
        .iter()
        .filter(|rung| rung.reading == strategy::Reading::Structure);
    structure
        .take_while(|rung| rung.number < widest.number)
        .find(|rung| rung.rules.holds(needed))
        .unwrap_or(widest)
}

/// Valid text that misses its schema: the lowest level at which a rule mends that.
fn mend_by_schema(
    source: &str,
    allow: Level,
    tool: &ToolContext,
    parse: Repair,
) -> (&'static Strategy, Repair) {
    if tool.schema.is_some() && !parse.problems.is_empty() {
        for level in Level::ALL.into_iter().filter(|level| *level <= allow) {
            let rung = strategy::widest(level);
            let mended = repair_within(source, rung, level, tool);
            if mended.is_valid()
                && !mended.edits.is_empty()
                && mended.problems.len() < parse.problems.len()
            {
                return (rung, mended);
            }
        }
    }
    (&LADDER[0], parse)
}
