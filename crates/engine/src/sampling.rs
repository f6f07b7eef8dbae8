//! Where a program spends its time: now and then, while it computes, its stack is looked at.
//!
//! That happens where the engine counts steps, which are calls and jumps. The stack is then that of the function which
//! calls or jumps; so one that does neither counts as part of its caller. [`Sampling`] belongs to a whole command and is
//! told when a program is over. [`Samples`] belongs to one run.
#![expect(unsafe_code, reason = "it reads frames of the engine")]

use crate::debug::{function_name, text_of};
use crate::executing::layout;
use crate::interrupts::Interrupts;
use crate::state::State;
use crate::texts::Texts;
use rquickjs::{Ctx, qjs};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::ptr::NonNull;
use std::sync::Arc;
use std::time::Duration;

/// After how many steps the clocks are looked at, in turns: far fewer than take a millisecond, and not always as many, so
/// that a loop is not always met at the same place.
pub(crate) static STEPS_BETWEEN: [i32; 8] = [433, 509, 467, 541, 479, 523, 449, 503];
/// Of a deeper stack only so many functions are told, the innermost ones.
const DEEPEST: usize = 255;

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

/// A node by its caller, and as the engine tells functions apart: by name, text, line and column.
type Key = (Option<usize>, (String, String, (u32, u32)));

/// What was seen in one run.
pub struct Samples {
    sampling: Arc<Sampling>,
    began: Clocks,
    seen: RefCell<Seen>,
}

struct Seen {
    nodes: BTreeMap<Key, usize>,
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

    /// Looks at the stack, if it is time for that.
    ///
    /// # Safety
    ///
    /// The context is alive, and its engine does nothing meanwhile.
    unsafe fn look(&self, ctx: NonNull<qjs::JSContext>, interrupts: &Interrupts) {
        let now = (self.sampling.clocks)();
        let seen = &mut *self.seen.borrow_mut();
        if now.computed.saturating_sub(seen.last.computed) < self.sampling.interval {
            return;
        }
        // SAFETY: the caller's; frames and their functions are alive until the engine goes on.
        let node = unsafe { seen.node(ctx, interrupts) };
        seen.pass(now, node, self.sampling.interval);
    }

    /// Tells what was seen.
    pub fn tell(&self, texts: &Texts, machine: u64) {
        let seen = &mut *self.seen.borrow_mut();
        let now = (self.sampling.clocks)();
        let last = seen.samples.iter().rev().find_map(|sample| sample.node);
        seen.pass(now, last, self.sampling.interval);
        let mut nodes: Vec<(&Key, usize)> = seen.nodes.iter().map(|(key, &at)| (key, at)).collect();
        nodes.sort_by_key(|&(_, at)| at);
        let node = |((caller, (name, file, (line, column))), _): (&Key, usize)| {
            let column = texts.column(file, *line, *column).unwrap_or(*column);
            Node { caller: *caller, name: name.clone(), file: file.clone(), place: (*line, column) }
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

impl State {
    /// The engine asks whether it is to give up what it does: the stack is looked at, if somebody wants that and it is
    /// time for it. Whether it asked for nothing else.
    pub fn looks(&self) -> bool {
        let (Some(samples), Some(ctx)) = (&self.samples, self.interrupts.who_looks()) else {
            return false;
        };
        // SAFETY: the context is let go of before it ends, and the engine waits for an answer.
        unsafe { samples.look(ctx, &self.interrupts) };
        self.interrupts.looked()
    }
}

impl Seen {
    /// The function that is running; nothing where none is.
    ///
    /// # Safety
    ///
    /// As for [`Samples::look`].
    unsafe fn node(
        &mut self,
        ctx: NonNull<qjs::JSContext>,
        interrupts: &Interrupts,
    ) -> Option<usize> {
        // SAFETY: the caller's.
        let ctx = unsafe { Ctx::from_raw(ctx) };
        let layout = layout(&ctx, interrupts)?;
        let raw = ctx.as_raw().as_ptr();
        let activations: Vec<_> = layout.activations(raw).take(DEEPEST).collect();
        let mut node = None;
        for activation in activations.into_iter().rev() {
            let name = function_name(&ctx, activation.function());
            let key = (node, (name, text_of(raw, activation.file()), activation.begins()));
            let next = self.nodes.len();
            node = Some(*self.nodes.entry(key).or_insert(next));
        }
        node
    }

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
