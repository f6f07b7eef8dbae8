//! Where a program spends its time: now and then, while it computes, its stack is looked at.
//!
//! That happens where the engine counts steps, which are calls and jumps. The stack is then that of the function which
//! calls or jumps; so one that does neither counts as part of its caller. [`Sampling`] belongs to a whole command and is
//! told when a program is over. [`Samples`] belongs to one run.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// After how many steps the clocks are looked at, in turns: far fewer than take a millisecond, and not always as many, so
/// that a loop is not always met at the same place.
pub(crate) static STEPS_BETWEEN: [i32; 8] = [433, 509, 467, 541, 479, 523, 449, 503];
/// Of a deeper stack only so many functions are told, the innermost ones.
pub(crate) const DEEPEST: usize = 255;

/// Who wants to know where a program spends its time.
pub struct Sampling {
    interval: Duration,
    clocks: fn() -> Clocks,
    tell: Box<dyn Fn(Sampled) + Send + Sync>,
}

impl fmt::Debug for Sampling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sampling").field("interval", &self.interval).finish_non_exhaustive()
    }
}

impl Sampling {
    /// Looks at the stack whenever the program has computed for so long, by these clocks, and tells there.
    pub fn new(
        interval: Duration,
        clocks: fn() -> Clocks,
        tell: impl Fn(Sampled) + Send + Sync + 'static,
    ) -> Self {
        Self { interval, clocks, tell: Box::new(tell) }
    }
}

/// What the clocks of a thread show.
#[derive(Clone, Copy, Debug)]
pub struct Clocks {
    /// The time.
    pub time: Duration,
    /// How long the thread has computed.
    pub computed: Duration,
}

/// Where a program has spent its time.
#[derive(Clone, Debug)]
pub struct Sampled {
    /// By its number among the machines of the run: the program, or a worker.
    pub machine: u64,
    /// When that began, and ended.
    pub time: [Duration; 2],
    /// The functions that were running, each behind who called it.
    pub nodes: Vec<Node>,
    /// How the time went by.
    pub samples: Vec<Sample>,
}

/// A function that was running, in one of the ways in which it was called.
#[derive(Clone, Debug)]
pub struct Node {
    /// Who called it; nothing where the program was entered.
    pub caller: Option<usize>,
    /// Which one it is.
    pub function: Function,
}

/// A function of a program, or of the library.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Function {
    /// Its name; empty if it has none.
    pub name: String,
    /// The path or URL of its text.
    pub file: String,
    /// Line and column where it begins, counted from one.
    pub place: (u32, u32),
}

/// A part of the time.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// How long that was.
    pub took: Duration,
    /// Which function was running; nothing if none was.
    pub node: Option<usize>,
}

/// What was seen in one run.
pub struct Samples {
    sampling: Arc<Sampling>,
    began: Clocks,
    seen: RefCell<Seen>,
}

struct Seen {
    /// By caller and function, whose place is where the engine has it.
    nodes: BTreeMap<(Option<usize>, Function), usize>,
    samples: Vec<Sample>,
    last: Clocks,
}

impl Samples {
    /// Nothing has been seen yet.
    pub(crate) fn new(sampling: Arc<Sampling>) -> Self {
        let began = (sampling.clocks)();
        let seen = Seen { nodes: BTreeMap::new(), samples: Vec::new(), last: began };
        Self { sampling, began, seen: RefCell::new(seen) }
    }

    /// Looks at the stack, if it is time for that. It is given from the innermost function outwards.
    pub(crate) fn look(&self, stack: impl FnOnce() -> Vec<Function>) {
        let now = (self.sampling.clocks)();
        let seen = &mut *self.seen.borrow_mut();
        if now.computed.saturating_sub(seen.last.computed) < self.sampling.interval {
            return;
        }
        let node = stack().into_iter().rev().fold(None, |caller, function| {
            let next = seen.nodes.len();
            Some(*seen.nodes.entry((caller, function)).or_insert(next))
        });
        seen.pass(now, node, self.sampling.interval);
    }

    /// Tells what was seen. `column` gives the column in the source of where the engine has a function.
    pub fn tell(&self, machine: u64, column: impl Fn(&Function) -> Option<u32>) {
        let seen = &mut *self.seen.borrow_mut();
        let now = (self.sampling.clocks)();
        let last = seen.samples.iter().rev().find_map(|sample| sample.node);
        seen.pass(now, last, self.sampling.interval);
        let mut nodes: Vec<_> = seen.nodes.iter().collect();
        nodes.sort_by_key(|&(_, at)| at);
        let node = |((caller, function), _): (&(Option<usize>, Function), &usize)| {
            let mut function = function.clone();
            function.place.1 = column(&function).unwrap_or(function.place.1);
            Node { caller: *caller, function }
        };
        let nodes = nodes.into_iter().map(node).collect();
        let samples = std::mem::take(&mut seen.samples);
        (self.sampling.tell)(Sampled {
            machine,
            time: [self.began.time, now.time],
            nodes,
            samples,
        });
    }
}

impl Seen {
    /// The program has come to that time. What it did not compute it waited, before; less than `least` is not told.
    fn pass(&mut self, now: Clocks, node: Option<usize>, least: Duration) {
        let took = now.time.saturating_sub(self.last.time);
        let computed = now.computed.saturating_sub(self.last.computed);
        let waited = took.saturating_sub(computed);
        let waited = if waited < least { Duration::ZERO } else { waited };
        if !waited.is_zero() {
            self.samples.push(Sample { took: waited, node: None });
        }
        self.samples.push(Sample { took: took - waited, node });
        self.last = now;
    }
}
