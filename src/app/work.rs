//! What the worker thread does, as functions: tests call them without a thread.

use std::sync::Arc;

use super::event::{Event, News, Turn};
use super::text::Text;
use crate::repair::{
    Fix, LADDER, Level, PositionMap, Refusal, Repair, Review, Span, Strategy, ToolContext, auto,
    climb,
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
    /// The tool whose arguments the source is.
    pub tool: Arc<ToolContext>,
    /// The candidate that the user keeps, where the source holds several.
    pub pick: Option<Span>,
}

/// One rung and what it made of the source.
#[derive(Clone, Debug)]
pub struct Rung {
    /// The rung.
    pub strategy: &'static Strategy,
    /// What it made.
    pub repair: Arc<Repair>,
}

/// All ten rungs over one source.
#[derive(Clone, Debug)]
pub struct Climbed {
    /// Index into `rungs` of the one that `auto` takes.
    pub auto: usize,
    /// The rungs in order.
    pub rungs: Vec<Rung>,
}

/// Runs a job: the auto rung first, then the whole ladder. `send` hands over each piece of news; `stale` is asked
/// between the rungs, and a stale job ends without another word.
pub fn work(job: &Job, mut send: impl FnMut(Event), stale: impl Fn() -> bool) {
    let turn = job.turn;
    let (strategy, repair) = auto(&job.source, job.allow, &job.tool);
    let first = Rung {
        strategy,
        repair: Arc::new(repair),
    };
    send(Event::Repaired {
        turn,
        news: News::Auto(first.clone()),
    });
    let mut rungs = Vec::with_capacity(LADDER.len());
    for (strategy, repair) in climb(&job.source, job.allow, &job.tool) {
        if stale() {
            return;
        }
        rungs.push(Rung {
            strategy,
            repair: Arc::new(repair),
        });
    }
    let auto = usize::from(first.strategy.number) - 1;
    send(Event::Repaired {
        turn,
        news: News::Ladder(Climbed { auto, rungs }),
    });
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
