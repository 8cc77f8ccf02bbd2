//! The scanner: one cursor over the source, forward only, that asks before each edit whether its rule is on.
//!
//! With no rule on it is the check against RFC 8259. It does not recurse: open brackets are bits on a stack.

mod ahead;
mod around;
mod bare;
mod candidates;
mod closers;
mod compose;
mod endings;
mod escapes;
mod find;
mod finish;
mod glide;
mod incidental;
mod lost;
mod members;
mod mends;
mod names;
mod numbers;
mod outside;
mod quotes;
mod several;
mod stack;
mod strings;
mod taken;
mod trivia;
mod words;
mod wrap;

use super::*;
use edit::Mark;
use finish::finish;
use stack::{Frame, Stack};

/// A scan's step: done, or stopped with a refusal.
type Scan<T> = Result<T, Box<Refusal>>;

/// Checks a text with no rule on.
pub(super) fn check(text: &str) -> Verdict {
    strict(text).0
}

/// The check, and how far the text is plain JSON.
fn strict(text: &str) -> (Verdict, Plain) {
    if u32::try_from(text.len()).is_err() {
        return (Verdict::Refused(too_large()), Plain::default());
    }
    let mut scanner = Scanner::new(text, RuleSet::EMPTY);
    let mut plain = Plain::default();
    let verdict = match scanner.strict(&mut plain) {
        Ok(()) => Verdict::Valid,
        Err(refusal) => Verdict::Refused(*refusal),
    };
    (verdict, plain)
}

/// Where the fast lane of the check stood still for the first time: with any rules it comes to the same place, so no
/// later scan has to read what stands before.
#[derive(Debug, Default)]
pub(super) struct Plain {
    step: Step,
    at: usize,
    good: usize,
    mark: usize,
    last: Last,
    stack: Stack,
}

/// The check as a repair, and how far the text is plain JSON.
pub(super) fn parse(source: &str, tool: &ToolContext) -> (Repair, Plain) {
    let (verdict, plain) = strict(source);
    let repair = Repair {
        edits: Edits::new(length(source)),
        verdict,
        problems: Vec::new(),
    };
    (finish(source, repair, RuleSet::EMPTY, tool), plain)
}

/// Reads `source` with the rules of a strategy, guided and checked by the tool's schema.
pub(super) fn repair(
    source: &str,
    strategy: &Strategy,
    rules: RuleSet,
    tool: &ToolContext,
) -> Repair {
    finish(
        source,
        read(source, strategy, rules, Some(tool)),
        rules,
        tool,
    )
}

/// As [`repair`] with all rules of a strategy, for a text that is known not to be valid.
pub(super) fn repair_broken(
    source: &str,
    strategy: &Strategy,
    tool: &ToolContext,
    plain: &Plain,
) -> Repair {
    let rules = strategy.rules;
    finish(
        source,
        read_broken(source, strategy, rules, Some(tool), plain),
        rules,
        tool,
    )
}

/// Reads a text that stands inside another: no tool, no schema.
pub(super) fn repair_plain(source: &str, strategy: &Strategy, rules: RuleSet) -> Repair {
    read(source, strategy, rules, None)
}

fn read(source: &str, strategy: &Strategy, rules: RuleSet, tool: Option<&ToolContext>) -> Repair {
    let mut plain = Plain::default();
    if strategy.reading == strategy::Reading::Structure {
        let (verdict, found) = strict(source);
        if rules.is_empty() || verdict == Verdict::Valid {
            return Repair {
                edits: Edits::new(length(source)),
                verdict,
                problems: Vec::new(),
            };
        }
        plain = found;
    }
    read_broken(source, strategy, rules, tool, &plain)
}

fn read_broken(
    source: &str,
    strategy: &Strategy,
    rules: RuleSet,
    tool: Option<&ToolContext>,
    plain: &Plain,
) -> Repair {
    let mut repair = Repair {
        edits: Edits::new(length(source)),
        verdict: Verdict::Valid,
        problems: Vec::new(),
    };
    if u32::try_from(source.len()).is_err() {
        repair.verdict = Verdict::Refused(too_large());
        return repair;
    }
    let mut scanner = Scanner::new(source, rules);
    scanner.tool = tool;
    let result = match strategy.reading {
        strategy::Reading::Structure => scanner.document(plain),
        strategy::Reading::PlainText => scanner.wrap(),
    };
    repair.edits = scanner.edits;
    if let Err(refusal) = result {
        repair.verdict = Verdict::Refused(*refusal);
    }
    refuse_if_full(source, &mut repair);
    repair
}

/// Length of a text that is not too large; the largest number there is for one that is.
fn length(source: &str) -> u32 {
    u32::try_from(source.len()).unwrap_or(u32::MAX)
}

fn too_large() -> Refusal {
    beyond(Span::at(0), Why::TooLarge)
}

/// A list without room is a bound that was met, whatever else the scan found behind that place.
fn refuse_if_full(source: &str, repair: &mut Repair) {
    if let Some(at) = repair.edits.full_at() {
        let rest = source.get(at as usize..).unwrap_or_default();
        let found = rest.chars().next().map_or(0, char::len_utf8);
        let found = Span::new(at, at + found as u32);
        repair.verdict = Verdict::Refused(beyond(found, Why::TooManyEdits));
        repair.problems.clear();
    }
}

/// The refusal of a text that is beyond a bound at `found`.
fn beyond(found: Span, why: Why) -> Refusal {
    Refusal {
        at: found.start,
        expected: Expected::Value,
        found,
        why,
        good: found.start,
        candidates: Vec::new(),
    }
}

/// What comes next in a container.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Step {
    /// A bracket was just opened.
    Opened,
    /// A member name, then its value.
    Name,
    /// A value.
    #[default]
    Value,
    /// A value was read.
    After,
}

/// What kind of value was read last: decides whether two values side by side can belong together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Last {
    Text,
    Number,
    Literal,
    #[default]
    Container,
}

/// A level whose opener was edited.
#[derive(Clone, Copy, Debug)]
struct Edited {
    fix: FixId,
    /// The index of the opener's edit.
    opener: usize,
    /// Whether a comma stands in it: parentheses round one value are no tuple.
    comma: bool,
}

/// One scan of one source.
#[derive(Clone)]
struct Scanner<'a> {
    text: &'a str,
    bytes: &'a [u8],
    /// Next byte to read. Always on a character border.
    at: usize,
    /// Where the text counts as ended: its length, or the closing fence of a cut reply.
    limit: usize,
    rules: RuleSet,
    edits: Edits,
    stack: Stack,
    /// Open tuples, sets and calls, whose closers get an edit of the same fix.
    fixes: Vec<Edited>,
    /// End of what was complete before the current member or element, and the edits made by then.
    mark: (usize, Mark),
    /// End of the last token that was read well.
    good: usize,
    last: Last,
    /// Whether a value is due at `at`: there `#fff` is no comment.
    value_due: bool,
    /// The fix of doubled braces, until their second closer was seen.
    doubled: Option<(FixId, Rule)>,
    /// The fix of an opening bracket that is missing.
    headless: Option<FixId>,
    /// Whether the text was cut off and closed.
    was_cut: bool,
    /// What look-ahead may still cost, in bytes: keeps hostile texts linear.
    fuel: usize,
    /// What reading on behind a possible end of a string may still cost, in bytes.
    tail_fuel: usize,
    /// The part of a line that was searched for its end, and the place of that; empty before the first search.
    line: std::cell::Cell<(usize, usize)>,
    tool: Option<&'a ToolContext>,
    /// Behind the last container in which nothing but comments and the like stood.
    empty_end: usize,
    /// The fix of the fences around the value.
    fence_fix: Option<FixId>,
    /// The fix of the program code around the value.
    open_around: Option<FixId>,
    /// Where the last closing tag of a thinking block stands; 0 without one.
    last_thought: std::cell::OnceCell<usize>,
    /// The plain text to wrap stands in a fence.
    wrapped_in_fence: bool,
    /// The last value that was read on the side with the same rules.
    probed: Option<Box<Probed>>,
}

/// A value that was read on the side, so that it need not be read again when it is taken.
#[derive(Clone)]
struct Probed {
    start: usize,
    end: usize,
    limit: usize,
    good: usize,
    last: Last,
    was_cut: bool,
    edits: Edits,
}

impl<'a> Scanner<'a> {
    fn new(text: &'a str, rules: RuleSet) -> Scanner<'a> {
        let edits = Edits::new(text.len() as u32);
        let mark = (0, edits.mark());
        Scanner {
            text,
            bytes: text.as_bytes(),
            at: 0,
            limit: text.len(),
            rules,
            edits,
            stack: Stack::default(),
            fixes: Vec::new(),
            mark,
            good: 0,
            last: Last::Container,
            value_due: false,
            doubled: None,
            headless: None,
            was_cut: false,
            fuel: text.len().saturating_mul(16).saturating_add(1 << 16),
            tail_fuel: text.len().saturating_mul(4).saturating_add(1 << 16),
            line: std::cell::Cell::new((1, 0)),
            tool: None,
            empty_end: 0,
            fence_fix: None,
            open_around: None,
            last_thought: std::cell::OnceCell::new(),
            wrapped_in_fence: false,
            probed: None,
        }
    }

    /// One value and nothing else, without looking for it in prose.
    fn strict(&mut self, plain: &mut Plain) -> Scan<()> {
        let step = self.glide(Step::Value);
        *plain = Plain {
            step,
            at: self.at,
            good: self.good,
            mark: self.mark.0,
            last: self.last,
            stack: self.stack.clone(),
        };
        self.run(step)?;
        self.white();
        if self.at < self.limit {
            return Err(self.refuse(self.at, self.token_end(self.at), Expected::End, Why::Syntax));
        }
        Ok(())
    }

    /// Reads the value at the start of the text; what the check found plain is not read again.
    fn run_from(&mut self, plain: &Plain) -> Scan<()> {
        if plain.stack.is_empty() || self.limit < self.bytes.len() {
            return self.run(Step::Value);
        }
        (self.at, self.good, self.last) = (plain.at, plain.good, plain.last);
        self.mark = (plain.mark, self.edits.mark());
        self.stack = plain.stack.clone();
        self.run(plain.step)
    }

    /// Reads from `step` until every bracket is closed again.
    fn run(&mut self, mut step: Step) -> Scan<()> {
        loop {
            step = match self.glide(step) {
                Step::Value => self.value()?,
                Step::After if self.stack.is_empty() => return Ok(()),
                Step::After => self.after()?,
                Step::Name => self.member()?,
                Step::Opened => self.first()?,
            };
        }
    }

    #[inline]
    fn byte(&self, at: usize) -> Option<u8> {
        if at < self.limit {
            Some(self.bytes[at])
        } else {
            None
        }
    }

    /// The character at `at`; `None` at the end.
    fn character(&self, at: usize) -> Option<char> {
        if at < self.limit {
            self.text.get(at..).and_then(|rest| rest.chars().next())
        } else {
            None
        }
    }

    fn rest(&self, at: usize) -> &'a str {
        &self.text[at..self.limit.max(at)]
    }

    /// What stands at `at` up to the end of its line, or what a look at each word of a long line may cost.
    fn line_near(&self, at: usize) -> &'a str {
        const NEAR: usize = 2048;
        let most = self.border(self.limit.min(at + NEAR)).min(self.limit);
        let near = &self.bytes[at..most];
        let line = memchr::memchr2(b'\n', b'\r', near).map_or(most, |found| at + found);
        &self.text[at..line]
    }

    /// Goes on only where `rule` is on; else stops at `start` and names it.
    #[inline]
    fn need(&self, rule: Rule, start: usize, end: usize, expected: Expected) -> Scan<()> {
        if self.rules.has(rule) {
            return Ok(());
        }
        Err(self.refuse(start, end, expected, Why::RuleOff(rule)))
    }

    #[cold]
    fn refuse(&self, start: usize, end: usize, expected: Expected, why: Why) -> Box<Refusal> {
        let end = self.border(end.max(start).min(self.limit));
        let found = Span::new(start as u32, end as u32);
        // Where there is no JSON at all, no place is better than another.
        let at = if why == Why::NoJson { 0 } else { start };
        let good = self.good.min(at) as u32;
        Box::new(Refusal {
            at: at as u32,
            expected,
            found,
            why,
            good,
            candidates: Vec::new(),
        })
    }

    /// A fix of one edit.
    fn edit(&mut self, rule: Rule, start: usize, end: usize, after: &str) -> FixId {
        let fix = self.edits.next_fix();
        self.edit_as(fix, rule, start, end, after);
        fix
    }

    /// One more edit of a fix. What would change nothing is no edit.
    fn edit_as(&mut self, fix: FixId, rule: Rule, start: usize, end: usize, after: &str) {
        if self.text[start..end] != *after {
            self.edits
                .push(rule, fix, Span::new(start as u32, end as u32), after);
        }
    }

    /// The end of the last edit: no further one may begin before it.
    fn edited_to(&self) -> usize {
        let last = self.edits.get(self.edits.len().wrapping_sub(1));
        last.map_or(0, |edit| edit.span.end as usize)
    }

    /// What is due at the cursor, for a refusal between tokens.
    fn due(&self) -> Expected {
        if self.value_due || (self.stack.is_empty() && self.good == 0) {
            Expected::Value
        } else {
            Expected::CommaOrCloser
        }
    }

    /// Where the token at `at` ends, for showing it: a word, a number, or one character.
    fn token_end(&self, at: usize) -> usize {
        let rest = self.rest(at);
        let word =
            rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$' | '.' | '-' | '+')));
        match word {
            Some(0) => at + rest.chars().next().map_or(0, char::len_utf8),
            Some(end) => at + end,
            None => at + rest.len(),
        }
    }

    /// Pays for looking ahead; `false` when too much was looked at already.
    fn pay(&mut self, bytes: usize) -> bool {
        let enough = bytes <= self.fuel;
        self.fuel = self.fuel.saturating_sub(bytes);
        enough
    }

    /// The text is cut off: `[from, limit)` gives way to `text` and the closers of all that is open. One edit.
    fn cut(&mut self, from: usize, text: &str) -> Scan<Step> {
        if let (Some(fix), 1, "", true) = (self.headless, self.stack.depth(), text, from == self.at)
        {
            self.edit_as(fix, Rule::MissingOpener, from, self.limit, "}");
            return Ok(self.finish());
        }
        self.need(
            Rule::CutOff,
            self.limit,
            self.limit,
            if text == "\"" {
                Expected::Quote
            } else {
                Expected::Closer
            },
        )?;
        let after = format!("{text}{}", self.stack.closers());
        self.edit(Rule::CutOff, from, self.limit, &after);
        self.was_cut = true;
        Ok(self.finish())
    }

    fn finish(&mut self) -> Step {
        self.stack.clear();
        self.at = self.limit;
        self.good = self.limit;
        Step::After
    }

    /// The text is cut off in or before a member or element that has no value yet: it is taken back.
    fn cut_back(&mut self) -> Scan<Step> {
        self.need(Rule::CutOff, self.limit, self.limit, self.due())?;
        self.edits.take_back(self.mark.1);
        self.at = self.limit;
        self.cut(self.mark.0, "")
    }

    /// Remembers that all before the cursor is complete.
    fn set_mark(&mut self) {
        self.mark = (self.at, self.edits.mark());
    }
}
