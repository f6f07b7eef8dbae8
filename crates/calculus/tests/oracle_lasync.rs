//! λasync, held to interpreters that are nothing but its rules.
//!
//! [`Formal`] is the calculus of Loring et al.: a heap of priority promises, E-Tick with the choice
//! of promises that a strategy leaves, and E-Oracle at any time. [`Phases`] is the loop of Node 20:
//! timers, poll and check, with ticks and microtasks between callbacks, where time passes as it
//! likes. They share nothing with the machine but the parser.

use crate::support;
use crate::support::examples::examples;
use crate::support::{Choices, Counts, line};
use hemiola_calculus::Study as _;
use hemiola_calculus::Symbol;
use hemiola_calculus::lasync::syntax::{Body, BodyId, Callback, Program, Statement};
use hemiola_calculus::lasync::{self, Bounds};
use hemiola_explore::{Limits, Outcomes};
use hemiola_machine::Named;
use hemiola_trace::Observation;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write as _};

/// What a program can do.
#[derive(Debug, Default, PartialEq, Eq)]
struct Results {
    traces: BTreeSet<Vec<Observation>>,
    cut: BTreeSet<Vec<Observation>>,
    starves: BTreeSet<String>,
}

/// A callback, the promise that is resolved when it has run, and how many others it has seen run
/// while it was ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Reaction {
    name: Symbol,
    body: BodyId,
    resolves: Option<Symbol>,
    age: u32,
}

impl Reaction {
    fn new(callback: &Callback, resolves: Option<Symbol>) -> Self {
        Self { name: callback.name, body: callback.body, resolves, age: 0 }
    }
}

fn body(program: &Program, id: BodyId) -> &Body {
    &program.bodies[id.0 as usize]
}

fn show(program: &Program, name: Symbol) -> Observation {
    (&**program.names.text(name)).into()
}

/// (n, r, fs)
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Promise {
    priority: u8,
    resolved: bool,
    callbacks: Vec<Reaction>,
}

/// O and H, what is left of the current tick, what was logged so far and what the bounds count.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    trace: Vec<Observation>,
    ticks: u64,
    callbacks: u32,
    scheduled: Vec<Reaction>,
    heap: Vec<Promise>,
    /// The promises that events will resolve.
    outstanding: Vec<usize>,
    named: BTreeMap<Symbol, usize>,
    flags: BTreeSet<Symbol>,
}

const NEXT_TICK: usize = 0;
const IMMEDIATE: usize = 1;
const TIMEOUT_0: usize = 2;

struct Formal<'a> {
    program: &'a Program,
    strategy: Named,
    bounds: &'a Bounds,
    results: Results,
    next: Vec<State>,
}

impl Formal<'_> {
    fn enumerate(
        program: &Program,
        strategy: Named,
        bounds: &Bounds,
        most: usize,
    ) -> Option<Results> {
        let (results, next) = (Results::default(), Vec::new());
        let mut formal = Formal { program, strategy, bounds, results, next };
        let timeout_0 = if strategy == Named::Edge { 0 } else { 2 };
        let global = |priority| Promise { priority, resolved: true, callbacks: vec![] };
        formal.next.push(State {
            trace: vec![],
            ticks: 0,
            callbacks: 0,
            scheduled: vec![],
            heap: vec![global(0), global(1), global(timeout_0)],
            outstanding: vec![],
            named: BTreeMap::new(),
            flags: BTreeSet::new(),
        });
        let mut start = formal.next.pop().expect("it was just put there");
        if formal.run(program.main, &mut start) {
            formal.next.push(start);
        }
        let mut seen = BTreeSet::new();
        while let Some(state) = formal.next.pop() {
            if seen.contains(&state) {
                continue;
            }
            formal.successors(&state);
            seen.insert(state);
            if seen.len() > most {
                return None;
            }
        }
        Some(formal.results)
    }

    fn successors(&mut self, now: &State) {
        // E-Oracle
        for (at, &promise) in now.outstanding.iter().enumerate() {
            let mut then = now.clone();
            then.outstanding.remove(at);
            then.heap[promise].resolved = true;
            self.next.push(then);
        }
        if let Some((first, rest)) = now.scheduled.split_first() {
            let mut then = now.clone();
            if now.callbacks == self.bounds.callbacks {
                return self.cut(now);
            }
            then.callbacks += 1;
            then.scheduled = rest.to_vec();
            for promise in then.heap.iter_mut().filter(|promise| promise.resolved) {
                promise.callbacks.iter_mut().for_each(|reaction| reaction.age += 1);
            }
            then.scheduled.iter_mut().for_each(|reaction| reaction.age += 1);
            if self.run(first.body, &mut then) {
                if let Some(promise) = first.resolves {
                    let promise = promise_named(promise, &mut then);
                    then.heap[promise].resolved = true;
                }
                self.next.push(then);
            }
            return;
        }
        // E-Tick
        let ready: Vec<usize> = (0..now.heap.len())
            .filter(|&at| now.heap[at].resolved && !now.heap[at].callbacks.is_empty())
            .collect();
        if ready.is_empty() {
            if now.outstanding.is_empty() {
                self.results.traces.insert(now.trace.clone());
            }
            return;
        }
        if now.ticks == self.bounds.ticks {
            return self.cut(now);
        }
        let urgent: Vec<usize> =
            ready.iter().copied().filter(|&at| now.heap[at].priority == 0).collect();
        let either = if urgent.is_empty() { &ready } else { &urgent };
        match self.strategy {
            Named::All => self.tick(now, &ready),
            Named::Micro | Named::Edge => self.tick(now, either),
            Named::NodeLiteral => either.iter().for_each(|&one| self.tick(now, &[one])),
            Named::Node => {
                for &one in either {
                    let mut then = now.clone();
                    then.ticks += 1;
                    then.scheduled.push(then.heap[one].callbacks.remove(0));
                    self.next.push(then);
                }
            }
            other => unreachable!("{other:?} is no strategy of the calculus"),
        }
    }

    fn cut(&mut self, now: &State) {
        self.results.cut.insert(now.trace.clone());
        let resolved = now.heap.iter().filter(|promise| promise.resolved);
        let ready = resolved.flat_map(|promise| &promise.callbacks).chain(&now.scheduled);
        for reaction in ready.filter(|reaction| reaction.age >= self.bounds.starve_window) {
            self.results.starves.insert(self.program.names.text(reaction.name).to_string());
        }
    }

    /// Takes all callbacks of these promises, in every order that respects priorities.
    fn tick(&mut self, now: &State, chosen: &[usize]) {
        let mut orders = vec![vec![]];
        for priority in 0..=3 {
            let equal: Vec<usize> =
                chosen.iter().copied().filter(|&at| now.heap[at].priority == priority).collect();
            orders = orders
                .iter()
                .flat_map(|before| permutations(&equal).into_iter().map(move |p| (before, p)))
                .map(|(before, permutation)| [before.as_slice(), &permutation].concat())
                .collect();
        }
        for order in orders {
            let mut then = now.clone();
            then.ticks += 1;
            for promise in order {
                then.scheduled.append(&mut then.heap[promise].callbacks);
            }
            self.next.push(then);
        }
    }

    /// Runs a body to its end; not if it is cut.
    fn run(&mut self, id: BodyId, state: &mut State) -> bool {
        for statement in &body(self.program, id).statements {
            match statement {
                Statement::Log(text) => {
                    if state.trace.len() as u32 == self.bounds.logs {
                        self.cut(state);
                        return false;
                    }
                    state.trace.push(show(self.program, *text));
                }
                Statement::IfLog { flag, yes, no } => {
                    let text = if state.flags.contains(flag) { yes } else { no };
                    state.trace.push(show(self.program, *text));
                }
                Statement::Set(flag) => {
                    state.flags.insert(*flag);
                }
                Statement::NextTick(callback) => then(NEXT_TICK, callback, None, state),
                Statement::Immediate(callback) => then(IMMEDIATE, callback, None, state),
                Statement::Timeout { ms: 0, callback } => {
                    then(TIMEOUT_0, callback, None, state);
                }
                Statement::Timeout { callback, .. } => register(2, callback, state),
                Statement::Io { callback, .. } | Statement::ReadFile { callback, .. } => {
                    register(3, callback, state);
                }
                Statement::Micro(callback) => {
                    let promise = create(0, true, state);
                    then(promise, callback, None, state);
                }
                Statement::Promise(name) => {
                    let promise = create(0, false, state);
                    state.named.insert(*name, promise);
                }
                Statement::Then { promise, callback, resolves } => {
                    let promise = promise_named(*promise, state);
                    then(promise, callback, *resolves, state);
                }
                Statement::Resolve(name) => {
                    let promise = promise_named(*name, state);
                    state.heap[promise].resolved = true;
                }
                Statement::Call(id) => {
                    if !self.run(*id, state) {
                        return false;
                    }
                }
            }
        }
        true
    }
}

/// E-Create
fn create(priority: u8, resolved: bool, state: &mut State) -> usize {
    state.heap.push(Promise { priority, resolved, callbacks: vec![] });
    state.heap.len() - 1
}

/// E-Then
fn then(promise: usize, callback: &Callback, resolves: Option<Symbol>, state: &mut State) {
    state.heap[promise].callbacks.push(Reaction::new(callback, resolves));
}

/// E-Register
fn register(priority: u8, callback: &Callback, state: &mut State) {
    let promise = create(priority, false, state);
    state.outstanding.push(promise);
    then(promise, callback, None, state);
}

fn promise_named(name: Symbol, state: &mut State) -> usize {
    if let Some(&promise) = state.named.get(&name) {
        return promise;
    }
    let promise = create(0, false, state);
    state.named.insert(name, promise);
    promise
}

fn permutations(of: &[usize]) -> Vec<Vec<usize>> {
    if of.is_empty() {
        return vec![vec![]];
    }
    let first = |at: usize| {
        let mut rest = of.to_vec();
        let first = rest.remove(at);
        permutations(&rest).into_iter().map(move |rest| [&[first], &*rest].concat())
    };
    (0..of.len()).flat_map(first).collect()
}

/// Where Node's loop is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    Timers,
    Poll,
    Check,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Loop {
    trace: Vec<Observation>,
    phase: Phase,
    /// What this phase took when it began, and has not run yet.
    batch: Vec<Reaction>,
    ticks: Vec<Reaction>,
    micros: Vec<Reaction>,
    immediates: Vec<Reaction>,
    /// Milliseconds left and callback, by due time and then by arming. What is overdue has none left.
    timers: Vec<(u64, Reaction)>,
    /// Round trips left and callback; sorted, for there is no order in them.
    operations: Vec<(u32, Reaction)>,
    promises: BTreeMap<Symbol, (bool, Vec<Reaction>)>,
    flags: BTreeSet<Symbol>,
}

struct Phases<'a> {
    program: &'a Program,
    seen: BTreeSet<Loop>,
    next: Vec<Loop>,
    traces: BTreeSet<Vec<Observation>>,
}

impl Phases<'_> {
    fn enumerate(program: &Program, most: usize) -> Option<BTreeSet<Vec<Observation>>> {
        let (seen, next, traces) = (BTreeSet::new(), Vec::new(), BTreeSet::new());
        let mut phases = Phases { program, seen, next, traces };
        let start = Loop {
            trace: vec![],
            phase: Phase::Timers,
            batch: vec![],
            ticks: vec![],
            micros: vec![],
            immediates: vec![],
            timers: vec![],
            operations: vec![],
            promises: BTreeMap::new(),
            flags: BTreeSet::new(),
        };
        // Main leads into the first turn as if it were the last callback of a check phase.
        let started = Loop { phase: Phase::Check, ..start };
        let started = phases.run(program.main, vec![started]);
        for state in phases.drained(started) {
            phases.next.push(state);
        }
        while let Some(state) = phases.next.pop() {
            if phases.seen.contains(&state) {
                continue;
            }
            phases.successors(&state);
            phases.seen.insert(state);
            if phases.seen.len() > most {
                return None;
            }
        }
        Some(phases.traces)
    }

    fn successors(&mut self, now: &Loop) {
        if let Some((&first, rest)) = now.batch.split_first() {
            let then = Loop { batch: rest.to_vec(), ..now.clone() };
            let ran = self.react(first, vec![then]);
            let drained = self.drained(ran);
            self.next.extend(drained);
            return;
        }
        match now.phase {
            Phase::Check => {
                let idle = now.timers.is_empty() && now.operations.is_empty();
                if idle && now.immediates.is_empty() {
                    self.traces.insert(now.trace.clone());
                    return;
                }
                // Timers: all that have expired when the phase begins.
                for mut then in times(now) {
                    then.phase = Phase::Timers;
                    let due = then.timers.iter().take_while(|(left, _)| *left == 0).count();
                    then.batch = then.timers.drain(..due).map(|(_, reaction)| reaction).collect();
                    self.next.push(then);
                }
            }
            Phase::Timers => {
                // Poll: whatever is complete when the phase begins, in any order.
                let start = Loop { phase: Phase::Poll, ..now.clone() };
                let mut open = vec![(start, now.operations.clone())];
                // The second is what this phase may still take, the first what is left for later.
                open[0].0.operations.clear();
                while let Some((then, candidates)) = open.pop() {
                    let mut stop = then.clone();
                    stop.operations.extend(&candidates);
                    stop.operations.sort();
                    self.next.push(stop);
                    for at in 0..candidates.len() {
                        let mut then = then.clone();
                        let mut candidates = candidates.clone();
                        let (trips, reaction) = candidates.remove(at);
                        match trips {
                            1 => then.batch.push(reaction),
                            _ => then.operations.push((trips - 1, reaction)),
                        }
                        open.push((then, candidates));
                    }
                }
            }
            Phase::Poll => {
                // Check: the immediates of this turn.
                let mut then = Loop { phase: Phase::Check, ..now.clone() };
                then.batch = std::mem::take(&mut then.immediates);
                self.next.push(then);
            }
        }
    }

    /// All ticks, then all microtasks, until there are neither.
    fn drained(&self, states: Vec<Loop>) -> Vec<Loop> {
        let mut open = states;
        let mut done = Vec::new();
        while let Some(mut state) = open.pop() {
            if !state.ticks.is_empty() {
                let first = state.ticks.remove(0);
                open.extend(self.react(first, vec![state]));
            } else if !state.micros.is_empty() {
                // Microtasks run until none is left, whatever ticks they queue.
                let mut draining = vec![state];
                while let Some(mut state) = draining.pop() {
                    if state.micros.is_empty() {
                        open.push(state);
                    } else {
                        let first = state.micros.remove(0);
                        draining.extend(self.react(first, vec![state]));
                    }
                }
            } else {
                done.push(state);
            }
        }
        done
    }

    fn react(&self, reaction: Reaction, states: Vec<Loop>) -> Vec<Loop> {
        let mut states = self.run(reaction.body, states);
        if let Some(promise) = reaction.resolves {
            states.iter_mut().for_each(|state| resolve(promise, state));
        }
        states
    }

    /// Runs a body; time may pass before a timer is armed.
    fn run(&self, id: BodyId, mut states: Vec<Loop>) -> Vec<Loop> {
        for statement in &body(self.program, id).statements {
            if let Statement::Call(id) = statement {
                states = self.run(*id, states);
                continue;
            }
            if let Statement::Timeout { ms, callback } = statement {
                let timer = (1.max(*ms), Reaction::new(callback, None));
                states = states.iter().flat_map(times).collect();
                for Loop { timers, .. } in &mut states {
                    timers.insert(timers.partition_point(|&(left, _)| left <= timer.0), timer);
                }
                states.sort();
                states.dedup();
                continue;
            }
            states.iter_mut().for_each(|state| self.statement(statement, state));
        }
        states
    }

    fn statement(&self, statement: &Statement, state: &mut Loop) {
        let reaction = |callback| Reaction::new(callback, None);
        match statement {
            Statement::Log(text) => state.trace.push(show(self.program, *text)),
            Statement::IfLog { flag, yes, no } => {
                let text = if state.flags.contains(flag) { yes } else { no };
                state.trace.push(show(self.program, *text));
            }
            Statement::Set(flag) => {
                state.flags.insert(*flag);
            }
            Statement::NextTick(callback) => state.ticks.push(reaction(callback)),
            Statement::Immediate(callback) => state.immediates.push(reaction(callback)),
            Statement::Micro(callback) => state.micros.push(reaction(callback)),
            Statement::Io { callback, .. } => start((1, reaction(callback)), state),
            Statement::ReadFile { callback, .. } => start((4, reaction(callback)), state),
            Statement::Promise(name) => {
                state.promises.insert(*name, (false, vec![]));
            }
            Statement::Then { promise, callback, resolves } => {
                let reaction = Reaction::new(callback, *resolves);
                let (resolved, waiting) = state.promises.entry(*promise).or_default();
                if *resolved { state.micros.push(reaction) } else { waiting.push(reaction) }
            }
            Statement::Resolve(name) => resolve(*name, state),
            Statement::Timeout { .. } | Statement::Call(_) => unreachable!("these may branch"),
        }
    }
}

fn start(operation: (u32, Reaction), state: &mut Loop) {
    state.operations.push(operation);
    state.operations.sort();
}

fn resolve(name: Symbol, state: &mut Loop) {
    let (resolved, waiting) = state.promises.entry(name).or_default();
    *resolved = true;
    state.micros.append(waiting);
}

/// The same state after any time. More than the last timer has left makes no difference: what is
/// armed then is due later than all of them.
fn times(now: &Loop) -> Vec<Loop> {
    let most = now.timers.iter().map(|&(left, _)| left).max().unwrap_or(0);
    let after = |passed| {
        let mut then = now.clone();
        then.timers.iter_mut().for_each(|(left, _)| *left = left.saturating_sub(passed));
        then
    };
    (0..=most).map(after).collect()
}

/// What the machine makes of a program.
fn explored(program: &Program, strategy: Named, bounds: &Bounds) -> Results {
    let limits = Limits { states: 2_000_000 };
    let graph = lasync::Study { program, strategy, bounds }.executions(limits, &mut |_| {});
    let sequences = Outcomes::of(&graph).sequences(usize::MAX);
    assert!(sequences.stuck.is_empty(), "nothing gets stuck in λasync");
    Results {
        traces: sequences.traces.into_iter().collect(),
        cut: sequences.cut.into_iter().collect(),
        starves: lasync::Study { program, strategy, bounds }.starving(limits, &mut |_| {}),
    }
}

type Traces = BTreeSet<Vec<Observation>>;

/// What is in one set and not in the other.
fn lacking(what: &str, from: &Traces, of: &Traces) -> String {
    let list: Vec<String> = of.difference(from).map(|trace| line(trace)).collect();
    if list.is_empty() { String::new() } else { format!("  {what}: {}\n", list.join(" ")) }
}

fn agree(strategy: Named, rules: &Results, machine: &Results) -> Result<(), String> {
    let mut text = lacking("traces only by the rules", &machine.traces, &rules.traces)
        + &lacking("traces only by the machine", &rules.traces, &machine.traces)
        + &lacking("cut only by the rules", &machine.cut, &rules.cut)
        + &lacking("cut only by the machine", &rules.cut, &machine.cut);
    if rules.starves != machine.starves {
        let _ = writeln!(text, "  starves: {:?} by the rules", rules.starves);
        let _ = writeln!(text, "           {:?} by the machine", machine.starves);
    }
    if text.is_empty() { Ok(()) } else { Err(format!("{} disagrees:\n{text}", strategy.name())) }
}

/// A program and its bounds.
struct Case {
    text: String,
    bounds: Bounds,
    /// Whether it may not end.
    endless: bool,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Bounds { ticks, callbacks, starve_window, .. } = self.bounds;
        writeln!(f, "# ticks={ticks} callbacks={callbacks} window={starve_window}")?;
        f.write_str(&self.text)
    }
}

struct Grower<'c> {
    choices: &'c mut Choices,
    text: String,
    names: usize,
    /// How many more asynchronous statements may be written.
    left: usize,
    /// Whether a `def` refers to itself, so that the program may not end.
    endless: bool,
    immediates: bool,
}

const PROMISES: [&str; 2] = ["p", "q"];

impl Grower<'_> {
    fn case(choices: &mut Choices) -> Case {
        let endless = choices.once_in(4);
        let immediates = !choices.once_in(4);
        let left = 2 + choices.below(5);
        let text = String::new();
        let mut grower = Grower { choices, text, names: 0, left, endless, immediates };
        grower.text.push_str("promise p\npromise q\n");
        while grower.left > 0 {
            grower.statement(0);
        }
        // What the program may call and refer to.
        grower.left = 1;
        grower.text.push_str("def d {\n  log d\n");
        grower.statement(1);
        grower.text.push_str("}\n");
        let Grower { choices, text, endless, .. } = grower;
        let tight = endless || choices.once_in(4);
        let bounds = Bounds {
            ticks: if tight { 3 + choices.below(4) as u64 } else { 99 },
            callbacks: if tight { 3 + choices.below(5) as u32 } else { 99 },
            starve_window: 1 + choices.below(4) as u32,
            ..Bounds::default()
        };
        Case { text, bounds, endless }
    }

    fn write(&mut self, depth: usize, text: &str) {
        let _ = write!(self.text, "{:1$}{text}", "", 2 * depth);
    }

    fn statement(&mut self, depth: usize) {
        let kind = self.choices.below(20);
        match kind {
            16 => {
                let name = self.choices.pick(&PROMISES);
                self.write(depth, &format!("resolve {name}\n"));
                self.left = self.left.saturating_sub(usize::from(self.choices.once_in(2)));
                return;
            }
            17 if self.choices.once_in(3) => {
                let name = self.choices.pick(&PROMISES);
                return self.write(depth, &format!("promise {name}\n"));
            }
            17 => return self.write(depth, "set flag\n"),
            18 => return self.write(depth, "iflog flag yes no\n"),
            // `d` does not call itself: that would never return.
            19 if !self.text.contains("def d") => {
                self.left = self.left.saturating_sub(1);
                return self.write(depth, "call d\n");
            }
            _ => {}
        }
        self.left = self.left.saturating_sub(1);
        let promise = self.choices.pick(&PROMISES);
        let head = match kind {
            0..=2 => "nextTick".to_owned(),
            3 | 4 => "micro".into(),
            5..=7 if self.immediates => "immediate".into(),
            5..=9 => format!("timeout {}", self.choices.pick(&[0, 0, 1, 2, 3])),
            10 | 11 => "io file".into(),
            12 => "readFile file".into(),
            _ => format!("then {promise}"),
        };
        let resolves = kind >= 13 && self.choices.once_in(3);
        if (!self.text.contains("def d") || self.endless) && self.choices.once_in(8) {
            return self.write(depth, &format!("{head} d\n"));
        }
        self.names += 1;
        let name = format!("c{}", self.names);
        self.write(depth, &format!("{head} {name} {{\n"));
        self.write(depth + 1, &format!("log {}\n", self.names));
        if depth < 2 {
            for _ in 0..self.choices.below(3).min(self.left) {
                self.statement(depth + 1);
            }
        }
        self.write(depth, if resolves { "} -> q\n" } else { "}\n" });
    }
}

/// Those of the calculus.
const FORMAL: [Named; 5] = [Named::All, Named::Micro, Named::Edge, Named::Node, Named::NodeLiteral];

/// How many states of one program are enumerated at most.
const MOST: usize = 4_000;

/// LOOP-3, LOOP-4, LOOP-5, LOOP-6.
#[test]
fn grown_programs_do_what_the_calculus_says() {
    let counts = Counts::default();
    support::check(250, 200, Grower::case, |case| {
        let program = lasync::parse(&case.text).map_err(|error| error.message)?;
        for strategy in FORMAL {
            if lasync::unsupported(&program, strategy).is_some() {
                continue;
            }
            counts.add("explorations", true);
            let Some(rules) = Formal::enumerate(&program, strategy, &case.bounds, MOST) else {
                counts.add("too large", true);
                continue;
            };
            agree(strategy, &rules, &explored(&program, strategy, &case.bounds))?;
            counts.add("with several sequences", rules.traces.len() + rules.cut.len() > 1);
            counts.add("cut", !rules.cut.is_empty());
            counts.add("starving", !rules.starves.is_empty());
        }
        Ok(())
    });
    println!("{counts}");
    let all = counts.get("explorations");
    assert!(counts.get("too large") * 4 < all, "most programs are small enough to enumerate");
    assert!(counts.get("with several sequences") * 4 > all, "the programs are worth running");
}

/// LOOP-7.
#[test]
fn grown_programs_keep_to_the_phases_of_node() {
    let counts = Counts::default();
    support::check(400, 200, Grower::case, |case| {
        if case.endless {
            return Ok(());
        }
        counts.add("programs", true);
        let program = lasync::parse(&case.text).map_err(|error| error.message)?;
        let Some(phases) = Phases::enumerate(&program, MOST) else {
            counts.add("too large", true);
            return Ok(());
        };
        counts.add("with several sequences", phases.len() > 1);
        keeps_to_the_phases(&program, &phases)
    });
    println!("{counts}");
    let all = counts.get("programs");
    assert!(counts.get("too large") * 4 < all, "most programs are small enough to enumerate");
    assert!(counts.get("with several sequences") * 5 > all, "the programs are worth running");
}

/// The schedules of `node-phases` are those of Node's loop, and all are schedules of `node`.
fn keeps_to_the_phases(program: &Program, phases: &Traces) -> Result<(), String> {
    let machine = explored(program, Named::NodePhases, &Bounds::default());
    let node = explored(program, Named::Node, &Bounds::default());
    let mut text = lacking("not what Node may do", phases, &machine.traces)
        + &lacking("not what strategy `node` may do", &node.traces, &machine.traces)
        + &lacking("missing", &machine.traces, phases)
        + &lacking("cut", &BTreeSet::new(), &machine.cut);
    if machine.traces.is_empty() {
        text += "  there is no trace\n";
    }
    if text.is_empty() { Ok(()) } else { Err(format!("node-phases:\n{text}")) }
}

#[test]
fn examples_do_what_the_calculus_and_the_phases_say() {
    for example in examples("lasync") {
        let program = lasync::parse(&example.text).expect("an example is a program");
        let bounds = example.lasync_bounds();
        let formal = FORMAL.into_iter();
        for strategy in formal.filter(|&one| lasync::unsupported(&program, one).is_none()) {
            let rules = Formal::enumerate(&program, strategy, &bounds, 10_000);
            let rules = rules.expect("an example is small");
            let result = agree(strategy, &rules, &explored(&program, strategy, &bounds));
            assert_eq!(result, Ok(()), "in examples/lasync/{}.la", example.name);
        }
        // Those with bounds do not end.
        if bounds == Bounds::default() {
            let phases = Phases::enumerate(&program, 100_000).expect("an example is small");
            let result = keeps_to_the_phases(&program, &phases);
            assert_eq!(result, Ok(()), "in examples/lasync/{}.la", example.name);
        }
    }
}
