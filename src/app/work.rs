//! What the worker thread does, as functions: tests call them without a thread.

use std::sync::Arc;

use super::decide::Deciding;
use super::event::{Event, News, Turn};
use super::history::Decided;
use super::text::Text;
use super::tree::Tree;
use crate::repair::{
    Fix, LADDER, Level, Notice, PositionMap, Refusal, Repair, Review, Rule, RuleSet, Span,
    Strategy, ToolContext, auto, notices, repair_picked_with, repair_with,
};

/// A source to be read with every rung.
#[derive(Clone, Debug)]
pub struct Job {
    /// Its turn; a newer one makes it stale.
    pub turn: Turn,
    /// The source.
    pub source: Arc<String>,
    /// Rules above this level are off in every rung.
    pub allow: Level,
    /// Rules that the user switched on by hand: on in every rung, whatever its own set.
    pub by_hand: RuleSet,
    /// The tool whose arguments the source is.
    pub tool: Arc<ToolContext>,
    /// The candidate that the user keeps, where the source holds several.
    pub pick: Option<Span>,
    /// How to decide about the fixes, where the output of the first rung is wanted with it.
    pub shown: Option<(Deciding, Arc<Decided>)>,
}

/// One rung and what it made of the source.
#[derive(Clone, Debug)]
pub struct Rung {
    /// The rung.
    pub strategy: &'static Strategy,
    /// What it made.
    pub repair: Arc<Repair>,
    /// How many fixes of each level it makes.
    pub levels: [usize; 3],
    /// What a reader should know of text that no edit changed. Found out for the ladder, after the first picture.
    pub notices: Vec<Notice>,
}

impl Rung {
    /// Counts the fixes by level: O(edits), so it is done where the rung was worked out.
    fn new(strategy: &'static Strategy, repair: Repair) -> Rung {
        let mut seen = vec![false; repair.edits.fixes()];
        let mut levels = [0; 3];
        for edit in repair.edits.iter() {
            if !std::mem::replace(&mut seen[edit.fix.0 as usize], true) {
                levels[edit.rule.level() as usize] += 1;
            }
        }
        Rung {
            strategy,
            repair: Arc::new(repair),
            levels,
            notices: Vec::new(),
        }
    }
}

/// Up to this size every rung gets its notices.
const NOTICED: usize = 1 << 20;

/// What is known once all rungs are.
#[derive(Clone, Copy, Debug)]
pub struct Climbed {
    /// Whether typographic signs in strings are to be pointed out, as something that the user may replace.
    pub typographic: bool,
}

/// Runs a job: the auto rung first, then the whole ladder. `send` hands over each piece of news; `stale` is asked
/// between the rungs, and a stale job ends without another word.
pub fn work(job: &Job, mut send: impl FnMut(Event), stale: impl Fn() -> bool) {
    let turn = job.turn;
    let whole = Span::new(0, job.source.len() as u32);
    let text = job.pick.unwrap_or(whole).text(&job.source);
    let (strategy, repair) = auto(text, job.allow, &job.tool);
    let first = match job.pick {
        None if job.by_hand.is_empty() => Rung::new(strategy, repair),
        _ => rung(job, strategy),
    };
    let review = job.shown.as_ref().filter(|_| first.repair.is_valid());
    let review = review.map(|(deciding, decided)| {
        let mut review = Review::new(Arc::clone(&first.repair), Level::Safe);
        deciding.decide_all(decided, &mut review);
        Box::new(review)
    });
    send(Event::Repaired {
        turn,
        news: News::Auto(first.clone(), review.clone()),
    });
    // While the screen takes the edits in, before the other rungs, which nobody waits for.
    if let Some(review) = review {
        let shown = Box::new(show(&job.source, &review));
        send(Event::Shown { turn, shown });
    }
    let auto = usize::from(first.strategy.number) - 1;
    for (index, strategy) in LADDER.iter().enumerate() {
        if stale() {
            return;
        }
        let mut rung = if index == auto {
            first.clone()
        } else {
            rung(job, strategy)
        };
        // They cost a second reading, which of a big text only the rung that is shown gets.
        if index == auto || job.source.len() <= NOTICED {
            rung.notices = notices(&job.source, &rung.repair, &job.tool);
        }
        send(Event::Repaired {
            turn,
            news: News::Rung(rung),
        });
    }
    let typographic = offers_typographic(job, first.strategy);
    send(Event::Repaired {
        turn,
        news: News::Ladder(Climbed { typographic }),
    });
}

fn rung(job: &Job, strategy: &'static Strategy) -> Rung {
    let own = strategy.rules.and(RuleSet::up_to(job.allow));
    Rung::new(strategy, made(job, strategy, own.union(job.by_hand)))
}

fn made(job: &Job, strategy: &Strategy, rules: RuleSet) -> Repair {
    match job.pick {
        None => repair_with(&job.source, strategy, rules, &job.tool),
        Some(kept) => repair_picked_with(&job.source, kept, strategy, rules, &job.tool),
    }
}

/// Whether `typographic-text` would change something, and is to be offered: strings of tool arguments may be program
/// code, in which curly quotes are a fault; elsewhere they are what the writer meant.
fn offers_typographic(job: &Job, strategy: &Strategy) -> bool {
    let rule = Rule::TypographicText;
    let is_tools = job.tool.name.is_some() || job.tool.schema.is_some();
    if !is_tools || job.by_hand.has(rule) || NOTICED < job.source.len() || job.source.is_ascii() {
        return false;
    }
    let own = strategy.rules.and(RuleSet::up_to(job.allow));
    made(job, strategy, own.union(RuleSet::of(&[rule])))
        .used()
        .has(rule)
}

/// A review whose output is to be put together.
#[derive(Clone, Debug)]
pub struct Show {
    /// Its turn.
    pub turn: Turn,
    /// The source of the review.
    pub source: Arc<String>,
    /// The repair and the decisions.
    pub review: Review,
    /// Whether the output is wanted as a tree too.
    pub tree: bool,
}

/// Answers a question: O(output).
pub fn answer(question: &Show) -> Shown {
    let mut shown = show(&question.source, &question.review);
    if question.tree && shown.fault.is_none() {
        shown.tree = Some(Tree::new(shown.text.as_str()));
    }
    shown
}

/// An output, ready to be drawn.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The output with its lines.
    pub text: Text,
    /// Source bytes to output bytes and back.
    pub map: PositionMap,
    /// `None` when the output is JSON by RFC 8259.
    pub fault: Option<Fault>,
    /// The output as a tree, where it was asked for.
    pub tree: Option<Tree>,
    /// Tells the decisions it was made of from others.
    pub decisions: u64,
}

/// Why an output is not JSON.
#[derive(Clone, Debug)]
pub struct Fault {
    /// The refusal, with places in the output.
    pub refusal: Refusal,
    /// The rejected fix that is the likely cause.
    pub cause: Option<Fix>,
}

/// Puts an output together and checks it: O(output).
pub fn show(source: &str, review: &Review) -> Shown {
    let output = review.output(source);
    let fault = review
        .verify(&output)
        .err()
        .map(|(refusal, cause)| Fault { refusal, cause });
    Shown {
        text: Text::new(Arc::new(output)),
        map: review.positions(),
        fault,
        tree: None,
        decisions: decisions_print(review),
    }
}

/// A number that two lists of decisions share only if they are the same, by all odds: FNV-1a.
pub fn decisions_print(review: &Review) -> u64 {
    review
        .decisions()
        .iter()
        .fold(0xCBF2_9CE4_8422_2325, |print, decision| {
            (print ^ *decision as u64).wrapping_mul(0x100_0000_01B3)
        })
}
