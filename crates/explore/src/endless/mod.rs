//! Programs that never end, and have finitely many configurations all the same.
//!
//! The graph of such a program has cycles, and its infinite runs are what goes round in them: a
//! **lasso**, a way to a cycle and the cycle, again and again. Whether an infinite run exists with some
//! property is then a question about the strongly connected parts of the graph, and is decided.
//!
//! A run is **fair** when every answer that it waits for comes at some time. Answers of one kind cannot
//! be told apart, so the oldest may be taken to come first; then a part of the graph has a fair run that
//! goes round in it exactly if every kind that is awaited everywhere in it is also answered in it.

mod lassos;
mod parts;
mod property;

pub use lassos::{Lasso, Lassos};
pub use property::{Broken, Finish};

use crate::graph::{End, Graph, Limits, Notes, Progress, System, Target, explore_noting};
use parts::Parts;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// A system that can say what it waits for.
pub trait Waiting: System {
    /// Tells what it waits for from outside, each answer that is still to come once. Equal ones need
    /// not be told apart.
    fn awaited(&self, tell: &mut dyn FnMut(&[u8]));

    /// The name of the callback that is watched, if it sits in a queue.
    fn queued(&self) -> Option<&str>;
}

/// All executions of a program, none of them cut.
#[derive(Debug)]
pub struct Endless {
    pub(crate) graph: Graph,
    /// What each node waits for: an index into the sets.
    waits: Vec<u32>,
    /// Kinds of answers, sorted, with how many of each are awaited.
    sets: Vec<Box<[(u32, u32)]>>,
    /// The callback that sits in a queue at each node, if it is watched.
    queued: Vec<Option<u32>>,
    names: Vec<String>,
}

/// How many bytes of configurations are written before a program counts as one without an end of them.
const MOST_BYTES: usize = 1 << 25;

/// Takes notes of what nodes wait for.
#[derive(Default)]
struct Noted {
    waits: Vec<u32>,
    queued: Vec<Option<u32>>,
    kind_of: FxHashMap<Box<[u8]>, u32>,
    set_of: FxHashMap<Box<[(u32, u32)]>, u32>,
    sets: Vec<Box<[(u32, u32)]>>,
    names: Vec<String>,
    now: Vec<u32>,
    gave_up: std::cell::Cell<bool>,
}

impl<S: Waiting> Notes<S> for Noted {
    fn configuration(&mut self, system: &S) {
        let Self { kind_of, now, .. } = self;
        now.clear();
        system.awaited(&mut |kind| {
            let next = kind_of.len() as u32;
            now.push(match kind_of.get(kind) {
                Some(&known) => known,
                None => *kind_of.entry(kind.into()).or_insert(next),
            });
        });
        now.sort_unstable();
        let set: Box<[(u32, u32)]> =
            now.chunk_by(u32::eq).map(|equal| (equal[0], equal.len() as u32)).collect();
        let next = self.sets.len() as u32;
        let set = *self.set_of.entry(set).or_insert_with_key(|set| {
            self.sets.push(set.clone());
            next
        });
        self.waits.push(set);
        self.watch(system);
    }

    fn place(&mut self, from: u32) {
        // What is awaited there is settled where the step ends.
        self.waits.push(self.waits[from as usize]);
        self.queued.push(self.queued[from as usize]);
    }

    /// Whatever is answered while a callback runs for ever, nobody sees it: that is no reason for it to end.
    fn place_for_ever(&mut self, system: &S) {
        let next = self.sets.len() as u32;
        let nothing = *self.set_of.entry(Box::default()).or_insert_with(|| {
            self.sets.push(Box::default());
            next
        });
        self.waits.push(nothing);
        self.watch(system);
    }

    fn goes_on(&self, bytes: usize) -> bool {
        self.gave_up.set(self.gave_up.get() || bytes > MOST_BYTES);
        !self.gave_up.get()
    }
}

impl Noted {
    /// Notes which callback sits in a queue, if it is watched.
    fn watch(&mut self, system: &impl Waiting) {
        let queued = system.queued().map(|name| {
            let known = self.names.iter().position(|known| known == name);
            known.unwrap_or_else(|| {
                self.names.push(name.to_owned());
                self.names.len() - 1
            }) as u32
        });
        self.queued.push(queued);
    }
}

impl Endless {
    /// Explores every execution of a system that no bound cuts. Nothing, if it has more configurations
    /// than the limits allow, or if something cuts it nevertheless.
    pub fn of<S: Waiting>(
        initial: S,
        limits: Limits,
        report: &mut dyn FnMut(Progress),
    ) -> Option<Self> {
        let mut noted = Noted::default();
        let graph = explore_noting(initial, limits, report, &mut noted);
        if graph.ends().iter().any(|end| matches!(end, End::Cut(_))) {
            return None;
        }
        let Noted { waits, queued, sets, names, .. } = noted;
        Some(Self { graph, waits, sets, queued, names })
    }

    /// How many different configurations there are.
    pub fn states(&self) -> usize {
        self.graph.states()
    }

    /// Whether some run never ends, be it fair or not.
    pub fn never_ends(&self) -> bool {
        self.parts(|_, _| true).rounds(self, false).next().is_some()
    }

    /// The names of the watched callbacks that sit in a queue for ever in some run.
    pub fn starved(&self, fair: bool) -> BTreeSet<String> {
        let waits = |node: u32| self.queued[node as usize].is_some();
        let parts = self
            .parts(|from, edge| waits(from) && matches!(edge.to, Target::Node(to) if waits(to)));
        let rounds = parts.rounds(self, fair);
        let names = rounds.filter_map(|part| self.queued[part.nodes[0] as usize]);
        names.map(|name| self.names[name as usize].clone()).collect()
    }

    fn parts(&self, follow: impl Fn(u32, &crate::graph::Edge) -> bool) -> Parts {
        Parts::of(&self.graph, follow)
    }

    /// What a node waits for.
    fn awaited(&self, node: u32) -> &[(u32, u32)] {
        &self.sets[self.waits[node as usize] as usize]
    }

    /// How many answers of a kind a node waits for.
    fn count(&self, node: u32, kind: u32) -> u32 {
        let set = self.awaited(node);
        set.binary_search_by_key(&kind, |&(kind, _)| kind).map_or(0, |at| set[at].1)
    }
}
