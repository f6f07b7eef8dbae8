//! What invocations cost by their keys, kept while they run, in constant space for each key.
//!
//! The exclusive cost of an invocation is what its own run took. Its inclusive cost is that of its whole
//! causal subtree, which may go on for ever: an interval that starts another, a connection that is read
//! again and again. So only the outermost invocation of a key on a path of causes has an inclusive cost
//! of its own: what comes below it with the same key is part of that one. A path then has at most one
//! open sum for each key, a sum is closed when nothing is left that could add to it, and the inclusive
//! costs of a key never count anything twice.
//!
//! A request is an invocation with a label and what it causes, except for what belongs to another request
//! that begins there: those that come in on one connection cause each other, and none is part of the one
//! before.
//!
//! Beside these, what waits is remembered until it has run, as the loop itself does.

use crate::cost::{Cost, Tally};
use crate::requests::{RequestIndex, Requests};
use hemiola_trace::{Invocation, Origin};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, VecDeque};

/// How many keys are told apart; what comes later counts for the one that stands for all others.
const MOST_KEYS: usize = 10_000;

/// What is known of a key.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Row {
    /// What its invocations took themselves.
    pub exclusive: Tally,
    /// What its outermost invocations and all that they caused took.
    pub inclusive: Tally,
}

/// The books.
#[derive(Clone, Debug)]
pub struct Books<K> {
    keys: BTreeMap<K, KeyIndex>,
    names: Vec<K>,
    rows: Vec<Row>,
    /// The key that stands for all others, once there are too many.
    others: K,
    sums: Vec<Sum>,
    free: Vec<SumIndex>,
    live: FxHashMap<Invocation, Live>,
    waiting: FxHashMap<Origin, Waiting>,
    /// Those that run, the innermost last.
    running: Vec<Running>,
    /// Those that have ended and wait for nothing that is known, the oldest first.
    lingering: VecDeque<Invocation>,
    /// How many of those are kept.
    kept: usize,
    requests: Requests,
}

type KeyIndex = u32;
type SumIndex = u32;

/// The sum that everything belongs to.
const ROOT: SumIndex = 0;

/// An inclusive cost that may still grow.
#[derive(Clone, Debug)]
struct Sum {
    key: KeyIndex,
    /// The sum that this one is added to when it is closed; its own for the root.
    parent: SumIndex,
    /// How many invocations, callbacks that wait, and sums may still add to it.
    holds: u32,
    cost: Cost,
}

/// An invocation that runs, or that may still cause something.
#[derive(Clone, Debug)]
struct Live {
    sum: SumIndex,
    /// The request that it belongs to, and whether it is the one with the label.
    request: Option<(RequestIndex, bool)>,
    /// How many callbacks wait that it caused; one more while it runs.
    holds: u32,
}

/// A callback that waits.
#[derive(Clone, Debug)]
struct Waiting {
    key: KeyIndex,
    by: Invocation,
    repeats: bool,
}

#[derive(Clone, Debug)]
struct Running {
    invocation: Invocation,
    key: KeyIndex,
    own: Cost,
}

impl<K: Ord + Clone> Books<K> {
    /// New books; `main` is the key of the root, `others` the one for what comes when there are too many.
    /// So many invocations that have ended are `kept` over the end of a tail, because something may turn
    /// out to be caused by them that nobody had announced.
    pub fn new(main: K, others: K, kept: usize) -> Self {
        let mut books = Self {
            keys: BTreeMap::new(),
            names: Vec::new(),
            rows: Vec::new(),
            others,
            sums: Vec::new(),
            free: Vec::new(),
            live: FxHashMap::default(),
            waiting: FxHashMap::default(),
            running: Vec::new(),
            lingering: VecDeque::new(),
            kept,
            requests: Requests::default(),
        };
        let key = books.key(&main);
        books.sums.push(Sum { key, parent: ROOT, holds: 1, cost: Cost::default() });
        books
    }

    /// A callback was registered by an invocation, and may run, more than once if it `repeats`.
    pub fn registered(&mut self, origin: Origin, by: Invocation, key: &K, repeats: bool) {
        let key = self.key(key);
        if let Some(live) = self.live.get_mut(&by) {
            live.holds += 1;
        }
        if let Some(before) = self.waiting.insert(origin, Waiting { key, by, repeats }) {
            self.let_go(before.by);
        }
    }

    /// The key of a callback that waits has become known better.
    pub fn rename(&mut self, origin: Origin, better: impl FnOnce(&K) -> K) {
        let Some(waiting) = self.waiting.get(&origin) else { return };
        let key = better(&self.names[waiting.key as usize]);
        let key = self.key(&key);
        if let Some(waiting) = self.waiting.get_mut(&origin) {
            waiting.key = key;
        }
    }

    /// Who registered a callback that waits.
    pub fn registrar(&self, origin: Origin) -> Option<Invocation> {
        self.waiting.get(&origin).map(|waiting| waiting.by)
    }

    /// A callback will not run, or not again.
    pub fn dropped(&mut self, origin: Origin) {
        if let Some(waiting) = self.waiting.remove(&origin) {
            self.let_go(waiting.by);
        }
    }

    /// An invocation begins, perhaps within another. Without an origin that is known its key is `key`.
    pub fn began(
        &mut self,
        invocation: Invocation,
        cause: Invocation,
        origin: Option<Origin>,
        key: &K,
    ) {
        let waiting = origin.and_then(|origin| self.waiting.get(&origin).cloned());
        let key = match &waiting {
            Some(waiting) => waiting.key,
            None => self.key(key),
        };
        // Whatever is not known any more began at the root.
        let (below, request) = match self.live.get(&cause) {
            Some(live) => (live.sum, live.request.map(|(request, _)| (request, false))),
            None => (ROOT, None),
        };
        let sum = self.open(below, key);
        if let Some((request, _)) = request {
            self.requests.hold(request);
        }
        // A number that is used twice is no invocation that anybody can have caused something by.
        if let Some(before) = self.live.insert(invocation, Live { sum, request, holds: 1 }) {
            self.forget(before);
        }
        self.running.push(Running { invocation, key, own: Cost::ONE });
        if let (Some(origin), Some(Waiting { repeats: false, .. })) = (origin, waiting) {
            self.dropped(origin);
        }
    }

    /// The running invocation, if any does.
    pub fn running(&self) -> Option<Invocation> {
        self.running.last().map(|running| running.invocation)
    }

    /// The running invocation costs so much more.
    pub fn charge(&mut self, cost: Cost) {
        if let Some(running) = self.running.last_mut() {
            running.own += cost;
        }
    }

    /// The running invocation serves a request of that name; the last one that is said counts.
    pub fn labelled(&mut self, name: &str) {
        let Some(running) = self.running.last() else { return };
        let Some(live) = self.live.get_mut(&running.invocation) else { return };
        match live.request {
            Some((request, true)) => self.requests.rename(request, name),
            before => {
                live.request = Some((self.requests.begin(name), true));
                if let Some((request, _)) = before {
                    self.requests.let_go(request);
                }
            }
        }
    }

    /// The running invocation ends; false when none runs.
    pub fn ended(&mut self) -> bool {
        let Some(Running { invocation, key, own }) = self.running.pop() else { return false };
        self.rows[key as usize].exclusive.add(own);
        if let Some(live) = self.live.get(&invocation) {
            self.sums[live.sum as usize].cost += own;
            if let Some((request, is_labelled)) = live.request {
                self.requests.add(request, own, is_labelled);
            }
            self.lingering.push_back(invocation);
        }
        true
    }

    /// A tail is over: those that have ended cause nothing more by promise jobs, but for the last few.
    pub fn tail_is_over(&mut self) {
        while self.lingering.len() > self.kept
            && let Some(invocation) = self.lingering.pop_front()
        {
            self.let_go(invocation);
        }
    }

    /// What is known of a key so far; inclusive costs that are not complete are left out.
    pub fn row(&self, key: &K) -> Option<&Row> {
        self.keys.get(key).map(|&key| &self.rows[key as usize])
    }

    /// How many sums are open, callbacks wait and invocations are remembered: the space that is taken
    /// beside that for keys.
    pub fn open_ends(&self) -> usize {
        let sums = self.sums.len() - self.free.len();
        sums + self.waiting.len() + self.live.len() + self.requests.len()
    }

    /// Ends whatever is still open, and gives the rows of all keys and of all names of requests.
    pub fn finish(mut self) -> (Vec<(K, Row)>, Vec<(String, Row)>) {
        while self.ended() {}
        // In order, so that the last digit of a mean is always the same.
        let mut lives: Vec<(Invocation, Live)> = self.live.drain().collect();
        lives.sort_unstable_by_key(|(invocation, _)| *invocation);
        lives.into_iter().for_each(|(_, live)| self.forget(live));
        self.close(ROOT);
        let rows = self.names.into_iter().zip(self.rows);
        let rows = rows.filter(|(_, row)| row.exclusive.count() > 0).collect();
        (rows, self.requests.into_rows())
    }

    fn key(&mut self, key: &K) -> KeyIndex {
        if let Some(&index) = self.keys.get(key) {
            return index;
        }
        let key = if self.names.len() < MOST_KEYS { key.clone() } else { self.others.clone() };
        let next = self.names.len() as KeyIndex;
        let index = *self.keys.entry(key.clone()).or_insert(next);
        if index == next {
            self.names.push(key);
            self.rows.push(Row::default());
        }
        index
    }

    /// The sum that an invocation of a key adds to, below another: a new one if the key is new on the
    /// path. It is held once more.
    fn open(&mut self, below: SumIndex, key: KeyIndex) -> SumIndex {
        let mut at = below;
        loop {
            let sum = &self.sums[at as usize];
            if sum.key == key {
                self.sums[below as usize].holds += 1;
                return below;
            }
            if at == ROOT {
                break;
            }
            at = sum.parent;
        }
        self.sums[below as usize].holds += 1;
        let sum = Sum { key, parent: below, holds: 1, cost: Cost::default() };
        match self.free.pop() {
            Some(index) => {
                self.sums[index as usize] = sum;
                index
            }
            None => {
                self.sums.push(sum);
                (self.sums.len() - 1) as SumIndex
            }
        }
    }

    /// Gives up a hold on a sum; the last one closes it, and with it perhaps those around it.
    fn close(&mut self, index: SumIndex) {
        let mut at = index;
        loop {
            let sum = &mut self.sums[at as usize];
            sum.holds -= 1;
            if sum.holds > 0 {
                return;
            }
            let Sum { key, parent, cost, .. } = *sum;
            self.rows[key as usize].inclusive.add(cost);
            if at == ROOT {
                return;
            }
            self.sums[parent as usize].cost += cost;
            self.free.push(at);
            at = parent;
        }
    }

    /// One thing less that an invocation may cause.
    fn let_go(&mut self, invocation: Invocation) {
        let Some(live) = self.live.get_mut(&invocation) else { return };
        live.holds -= 1;
        if live.holds == 0
            && let Some(live) = self.live.remove(&invocation)
        {
            self.forget(live);
        }
    }

    /// An invocation causes nothing any more.
    fn forget(&mut self, live: Live) {
        self.close(live.sum);
        if let Some((request, _)) = live.request {
            self.requests.let_go(request);
        }
    }
}
