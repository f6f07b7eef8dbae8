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
use hemiola_calculus::lasync::syntax::{
    Body, BodyId, Callback, Program, Resolution, Statement, Term,
};
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

/// A text, or `undefined`.
type Value = Option<String>;

/// A callback, what it sees, the promise that is resolved when it has run, and how many others it has
/// seen run while it was ready.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Reaction {
    name: Symbol,
    body: BodyId,
    env: Vec<Value>,
    resolves: Option<(Symbol, Option<Given>)>,
    age: u32,
}

/// What a callback gives on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Given {
    Text(String),
    Param(usize),
}

fn text(program: &Program, name: Symbol) -> String {
    program.names.text(name).to_string()
}

fn value(program: &Program, term: Term, env: &[Value]) -> Value {
    match term {
        Term::Text(name) => Some(text(program, name)),
        Term::Param(at) => env[at as usize].clone(),
    }
}

impl Reaction {
    fn new(callback: &Callback, env: &[Value]) -> Self {
        Self { name: callback.name, body: callback.body, env: env.to_vec(), resolves: None, age: 0 }
    }

    fn resolving(self, program: &Program, resolves: Option<Resolution>) -> Self {
        let resolves = resolves.map(|Resolution { promise, value }| {
            let given = value.map(|term| match term {
                Term::Text(name) => Given::Text(text(program, name)),
                Term::Param(at) => Given::Param(at as usize),
            });
            (promise, given)
        });
        Self { resolves, ..self }
    }

    /// What its body sees, given a value.
    fn inner(&self, program: &Program, value: &Value) -> Vec<Value> {
        let body = body(program, self.body);
        let mut env = self.env[..body.outer as usize].to_vec();
        env.extend(body.param.map(|_| value.clone()));
        env
    }

    /// What it resolves, and to what.
    fn resolution(&self, program: &Program, value: &Value) -> Option<(Symbol, Value)> {
        let (promise, given) = self.resolves.clone()?;
        // Where the body stands at its place, it is the body that sees; else who attached it.
        let mut env = self.env.clone();
        env.extend(body(program, self.body).param.map(|_| value.clone()));
        let given = given.and_then(|given| match given {
            Given::Text(text) => Some(text),
            Given::Param(at) => env[at].clone(),
        });
        Some((promise, given))
    }
}

fn body(program: &Program, id: BodyId) -> &Body {
    &program.bodies[id.0 as usize]
}

fn show(value: Value) -> Observation {
    value.as_deref().unwrap_or("undefined").into()
}

/// (n, r, fs)
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Promise {
    priority: u8,
    resolved: Option<Value>,
    callbacks: Vec<Reaction>,
}

/// What may occur outside.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outside {
    Named(Symbol),
    /// An event that only one promise waits for, and whether it brings a value.
    Own(usize, bool),
}

/// O and H, what is left of the current tick, what was logged so far and what the bounds count.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    trace: Vec<Observation>,
    ticks: u64,
    callbacks: u32,
    scheduled: Vec<(Reaction, Value)>,
    heap: Vec<Promise>,
    /// O: the promises that events will resolve.
    outstanding: BTreeMap<Outside, Vec<usize>>,
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
        let global = |priority| Promise { priority, resolved: Some(None), callbacks: vec![] };
        formal.next.push(State {
            trace: vec![],
            ticks: 0,
            callbacks: 0,
            scheduled: vec![],
            heap: vec![global(0), global(1), global(timeout_0)],
            outstanding: BTreeMap::new(),
            named: BTreeMap::new(),
            flags: BTreeSet::new(),
        });
        let mut start = formal.next.pop().expect("it was just put there");
        if formal.run(program.main, &[], &mut start) {
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
        for (event, promises) in &now.outstanding {
            let values: Vec<Value> = match event {
                Outside::Own(_, false) => vec![None],
                _ => self.bounds.values.iter().cloned().map(Some).collect(),
            };
            for value in values {
                let mut then = now.clone();
                then.outstanding.remove(event);
                for &promise in promises {
                    then.heap[promise].resolved.get_or_insert(value.clone());
                }
                self.next.push(then);
            }
        }
        if let Some(((first, value), rest)) = now.scheduled.split_first() {
            let mut then = now.clone();
            if now.callbacks == self.bounds.callbacks {
                return self.cut(now);
            }
            then.callbacks += 1;
            then.scheduled = rest.to_vec();
            for promise in then.heap.iter_mut().filter(|promise| promise.resolved.is_some()) {
                promise.callbacks.iter_mut().for_each(|reaction| reaction.age += 1);
            }
            then.scheduled.iter_mut().for_each(|(reaction, _)| reaction.age += 1);
            if self.run(first.body, &first.inner(self.program, value), &mut then) {
                if let Some((promise, given)) = first.resolution(self.program, value) {
                    resolve_named(promise, given, &mut then);
                }
                self.next.push(then);
            }
            return;
        }
        // E-Tick
        let ready: Vec<usize> = (0..now.heap.len())
            .filter(|&at| now.heap[at].resolved.is_some() && !now.heap[at].callbacks.is_empty())
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
                    let Promise { resolved, callbacks, .. } = &mut then.heap[one];
                    let value = resolved.clone().expect("it is ready");
                    then.scheduled.push((callbacks.remove(0), value));
                    self.next.push(then);
                }
            }
            other => unreachable!("{other:?} is no strategy of the calculus"),
        }
    }

    fn cut(&mut self, now: &State) {
        self.results.cut.insert(now.trace.clone());
        let resolved = now.heap.iter().filter(|promise| promise.resolved.is_some());
        let scheduled = now.scheduled.iter().map(|(reaction, _)| reaction);
        let ready = resolved.flat_map(|promise| &promise.callbacks).chain(scheduled);
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
                let Promise { resolved, callbacks, .. } = &mut then.heap[promise];
                let value = resolved.clone().expect("it is ready");
                let callbacks = std::mem::take(callbacks);
                then.scheduled.extend(callbacks.into_iter().map(|one| (one, value.clone())));
            }
            self.next.push(then);
        }
    }

    /// Runs a body to its end; not if it is cut.
    fn run(&mut self, id: BodyId, env: &[Value], state: &mut State) -> bool {
        let program = self.program;
        let reaction = |callback: &Callback| Reaction::new(callback, env);
        for statement in &body(program, id).statements {
            match statement {
                Statement::Log(term) => {
                    if state.trace.len() as u32 == self.bounds.logs {
                        self.cut(state);
                        return false;
                    }
                    state.trace.push(show(value(program, *term, env)));
                }
                Statement::IfLog { flag, yes, no } => {
                    let term = if state.flags.contains(flag) { yes } else { no };
                    state.trace.push(show(value(program, *term, env)));
                }
                Statement::Set(flag) => {
                    state.flags.insert(*flag);
                }
                Statement::NextTick(callback) => then(NEXT_TICK, reaction(callback), state),
                Statement::Immediate(callback) => then(IMMEDIATE, reaction(callback), state),
                Statement::Timeout { ms: 0, callback } => {
                    then(TIMEOUT_0, reaction(callback), state);
                }
                Statement::Timeout { callback, .. } => {
                    let promise = create(2, None, state);
                    register(Outside::Own(promise, false), promise, state);
                    then(promise, reaction(callback), state);
                }
                Statement::Io { name, callback } => {
                    let promise = create(3, None, state);
                    register(Outside::Named(*name), promise, state);
                    then(promise, reaction(callback), state);
                }
                Statement::ReadFile { callback, .. } => {
                    let promise = create(3, None, state);
                    register(Outside::Own(promise, true), promise, state);
                    then(promise, reaction(callback), state);
                }
                Statement::Register { event, priority, promise: name } => {
                    let promise = create(*priority, None, state);
                    state.named.insert(*name, promise);
                    register(Outside::Named(*event), promise, state);
                }
                Statement::Micro(callback) => {
                    let promise = create(0, Some(None), state);
                    then(promise, reaction(callback), state);
                }
                Statement::Promise { name, priority } => {
                    let promise = create(*priority, None, state);
                    state.named.insert(*name, promise);
                }
                Statement::Then { promise, callback, resolves } => {
                    let promise = promise_named(*promise, state);
                    then(promise, reaction(callback).resolving(program, *resolves), state);
                }
                Statement::Resolve { promise, value: given } => {
                    let given = given.and_then(|term| value(program, term, env));
                    resolve_named(*promise, given, state);
                }
                Statement::Call { body: id, value: given } => {
                    let given = given.and_then(|term| value(program, term, env));
                    let env: Vec<Value> =
                        body(program, *id).param.map(|_| given).into_iter().collect();
                    if !self.run(*id, &env, state) {
                        return false;
                    }
                }
            }
        }
        true
    }
}

/// E-Create
fn create(priority: u8, resolved: Option<Value>, state: &mut State) -> usize {
    state.heap.push(Promise { priority, resolved, callbacks: vec![] });
    state.heap.len() - 1
}

/// E-Then
fn then(promise: usize, reaction: Reaction, state: &mut State) {
    state.heap[promise].callbacks.push(reaction);
}

/// E-Register
fn register(event: Outside, promise: usize, state: &mut State) {
    state.outstanding.entry(event).or_default().push(promise);
}

/// E-Resolve
fn resolve_named(name: Symbol, value: Value, state: &mut State) {
    let promise = promise_named(name, state);
    state.heap[promise].resolved.get_or_insert(value);
}

fn promise_named(name: Symbol, state: &mut State) -> usize {
    if let Some(&promise) = state.named.get(&name) {
        return promise;
    }
    let promise = create(0, None, state);
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

/// The events that more than one waits for in some run, and those of promises that are not I/O.
fn shared(program: &Program) -> BTreeSet<Symbol> {
    fn visit(program: &Program, id: BodyId, path: &mut Vec<BodyId>, found: &mut Vec<Symbol>) {
        // Twice is as good as more often.
        if path.iter().filter(|&&other| other == id).count() > 1 {
            return;
        }
        path.push(id);
        for statement in &body(program, id).statements {
            let inner = match statement {
                Statement::NextTick(callback)
                | Statement::Immediate(callback)
                | Statement::Micro(callback)
                | Statement::Timeout { callback, .. }
                | Statement::Then { callback, .. }
                | Statement::ReadFile { callback, .. } => Some(callback.body),
                Statement::Io { name, callback } => {
                    found.push(*name);
                    Some(callback.body)
                }
                Statement::Register { event, priority, .. } => {
                    let times = if *priority == 3 { 1 } else { 2 };
                    found.extend(vec![*event; times]);
                    None
                }
                Statement::Call { body, .. } => Some(*body),
                _ => None,
            };
            if let Some(inner) = inner {
                visit(program, inner, path, found);
            }
        }
        path.pop();
    }
    let mut found = Vec::new();
    visit(program, program.main, &mut Vec::new(), &mut found);
    found.sort();
    found
        .chunk_by(|one, other| one == other)
        .filter(|same| same.len() > 1)
        .map(|same| same[0])
        .collect()
}

/// Where Node's loop is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    Timers,
    Poll,
    Check,
}

/// A callback that is able to run, with its value; of a file's, how many round trips are left.
type Able = (Reaction, Value, u32);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Loop {
    trace: Vec<Observation>,
    phase: Phase,
    /// Whether microtasks are being run: ticks wait for the last of them.
    draining: bool,
    /// What this phase took when it began, and has not run yet.
    batch: Vec<Able>,
    ticks: Vec<Able>,
    micros: Vec<Able>,
    immediates: Vec<Able>,
    /// What is to run after the timers of a turn.
    timely: Vec<Able>,
    /// What is complete, in order.
    polled: Vec<Able>,
    /// Milliseconds left and callback, by due time and then by arming. What is overdue has none left.
    timers: Vec<(u64, Reaction)>,
    /// Operations that are answered alone: round trips left and callback, sorted, for there is no order
    /// in them.
    operations: Vec<(u32, Reaction)>,
    /// Those who wait for events, in order.
    events: BTreeMap<Symbol, Vec<Waiter>>,
    /// The promise that a name stands for.
    named: BTreeMap<Symbol, usize>,
    /// Priority, value once it is resolved, and who waits.
    promises: Vec<(u8, Option<Value>, Vec<Reaction>)>,
    flags: BTreeSet<Symbol>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Waiter {
    Callback(Reaction),
    Promise(usize),
}

struct Phases<'a> {
    program: &'a Program,
    values: &'a [String],
    /// Events that may occur at any time; the loop looks at others when it polls.
    shared: BTreeSet<Symbol>,
    seen: BTreeSet<Loop>,
    next: Vec<Loop>,
    traces: BTreeSet<Vec<Observation>>,
}

impl Phases<'_> {
    fn enumerate(
        program: &Program,
        values: &[String],
        most: usize,
    ) -> Option<BTreeSet<Vec<Observation>>> {
        let (seen, next, traces) = (BTreeSet::new(), Vec::new(), BTreeSet::new());
        let shared = shared(program);
        let mut phases = Phases { program, values, shared, seen, next, traces };
        // Main leads into the first turn as if it were the last callback of a check phase.
        let started = Loop {
            trace: vec![],
            phase: Phase::Check,
            draining: false,
            batch: vec![],
            ticks: vec![],
            micros: vec![],
            immediates: vec![],
            timely: vec![],
            polled: vec![],
            timers: vec![],
            operations: vec![],
            events: BTreeMap::new(),
            named: BTreeMap::new(),
            promises: vec![],
            flags: BTreeSet::new(),
        };
        phases.next = phases.run(program.main, &[], vec![started]);
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
        // An event for which others may begin to wait may occur at any time. A loop that has nothing to do
        // waits in its poll phase, so that what occurs then is seen there.
        let (early, polled): (Vec<Symbol>, Vec<Symbol>) =
            now.events.keys().copied().partition(|event| self.shared.contains(event));
        let able = [&now.batch, &now.ticks, &now.micros, &now.immediates];
        let waits = now.phase == Phase::Poll && able.iter().all(|queue| queue.is_empty());
        for event in early.into_iter().filter(|_| !waits) {
            self.occurs(event, now);
        }
        // All ticks, then all microtasks, until there are neither.
        let mut then = now.clone();
        let tail = if now.micros.is_empty() || !now.draining && !now.ticks.is_empty() {
            then.draining = false;
            (!now.ticks.is_empty()).then(|| then.ticks.remove(0))
        } else {
            then.draining = true;
            Some(then.micros.remove(0))
        };
        if let Some(first) = tail {
            let ran = self.react(&first, vec![then]);
            self.next.extend(ran);
            return;
        }
        if let Some((first, rest)) = now.batch.split_first() {
            let then = Loop { batch: rest.to_vec(), draining: false, ..now.clone() };
            let ran = self.react(first, vec![then]);
            self.next.extend(ran);
            return;
        }
        match now.phase {
            Phase::Check => {
                let idle =
                    now.timers.is_empty() && now.operations.is_empty() && now.events.is_empty();
                let able = [&now.immediates, &now.timely, &now.polled];
                if idle && able.iter().all(|queue| queue.is_empty()) {
                    self.traces.insert(now.trace.clone());
                    return;
                }
                // Timers: all that have expired when the phase begins.
                for mut then in times(now) {
                    then.phase = Phase::Timers;
                    let due = then.timers.iter().take_while(|(left, _)| *left == 0).count();
                    then.batch =
                        then.timers.drain(..due).map(|(_, reaction)| (reaction, None, 1)).collect();
                    then.batch.append(&mut then.timely);
                    self.next.push(then);
                }
            }
            Phase::Timers => {
                // Poll: whatever is complete when the phase begins, in any order.
                let mut then = Loop { phase: Phase::Poll, ..now.clone() };
                then.batch = std::mem::take(&mut then.polled);
                self.next.push(then);
                for at in 0..now.operations.len() {
                    let (trips, reaction) = &now.operations[at];
                    for value in self.answers(*trips == 1) {
                        let mut then = now.clone();
                        then.operations.remove(at);
                        then.polled.push((reaction.clone(), value, *trips));
                        self.next.push(then);
                    }
                }
                for event in polled {
                    self.occurs(event, now);
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

    fn answers(&self, brings: bool) -> Vec<Value> {
        if brings { self.values.iter().cloned().map(Some).collect() } else { vec![None] }
    }

    /// An event occurs: all that wait for it have it.
    fn occurs(&mut self, event: Symbol, now: &Loop) {
        for value in self.answers(true) {
            let mut then = now.clone();
            for waiter in then.events.remove(&event).unwrap_or_default() {
                match waiter {
                    Waiter::Callback(reaction) => then.polled.push((reaction, value.clone(), 1)),
                    Waiter::Promise(promise) => settle(promise, &value, &mut then),
                }
            }
            self.next.push(then);
        }
    }

    fn react(&self, (reaction, value, trips): &Able, mut states: Vec<Loop>) -> Vec<Loop> {
        if *trips > 1 {
            states.iter_mut().for_each(|state| start((trips - 1, reaction.clone()), state));
            return states;
        }
        let mut states = self.run(reaction.body, &reaction.inner(self.program, value), states);
        if let Some((promise, given)) = reaction.resolution(self.program, value) {
            for state in &mut states {
                let promise = self.promise(promise, state);
                settle(promise, &given, state);
            }
        }
        states
    }

    /// Runs a body; time may pass before a timer is armed.
    fn run(&self, id: BodyId, env: &[Value], mut states: Vec<Loop>) -> Vec<Loop> {
        for statement in &body(self.program, id).statements {
            if let Statement::Call { body: id, value: given } = statement {
                let given = given.and_then(|term| value(self.program, term, env));
                let env: Vec<Value> =
                    body(self.program, *id).param.map(|_| given).into_iter().collect();
                states = self.run(*id, &env, states);
                continue;
            }
            if let Statement::Timeout { ms, callback } = statement {
                let timer = (1.max(*ms), Reaction::new(callback, env));
                states = states.iter().flat_map(times).collect();
                for Loop { timers, .. } in &mut states {
                    timers.insert(
                        timers.partition_point(|&(left, _)| left <= timer.0),
                        timer.clone(),
                    );
                }
                states.sort();
                states.dedup();
                continue;
            }
            states.iter_mut().for_each(|state| self.statement(statement, env, state));
        }
        states
    }

    fn statement(&self, statement: &Statement, env: &[Value], state: &mut Loop) {
        let program = self.program;
        let reaction = |callback| Reaction::new(callback, env);
        let able = |callback| (reaction(callback), None, 1);
        match statement {
            Statement::Log(term) => state.trace.push(show(value(program, *term, env))),
            Statement::IfLog { flag, yes, no } => {
                let term = if state.flags.contains(flag) { yes } else { no };
                state.trace.push(show(value(program, *term, env)));
            }
            Statement::Set(flag) => {
                state.flags.insert(*flag);
            }
            Statement::NextTick(callback) => state.ticks.push(able(callback)),
            Statement::Immediate(callback) => state.immediates.push(able(callback)),
            Statement::Micro(callback) => state.micros.push(able(callback)),
            Statement::Io { name, callback } => {
                let waiter = Waiter::Callback(reaction(callback));
                state.events.entry(*name).or_default().push(waiter);
            }
            Statement::ReadFile { callback, .. } => start((4, reaction(callback)), state),
            Statement::Promise { name, priority } => self.make(*name, *priority, state),
            Statement::Register { event, priority, promise } => {
                self.make(*promise, *priority, state);
                let waiter = Waiter::Promise(state.named[promise]);
                state.events.entry(*event).or_default().push(waiter);
            }
            Statement::Then { promise, callback, resolves } => {
                let reaction = reaction(callback).resolving(program, *resolves);
                let promise = self.promise(*promise, state);
                state.promises[promise].2.push(reaction);
                if let Some(value) = state.promises[promise].1.clone() {
                    settle(promise, &value, state);
                }
            }
            Statement::Resolve { promise, value: given } => {
                let given = given.and_then(|term| value(program, term, env));
                let promise = self.promise(*promise, state);
                settle(promise, &given, state);
            }
            Statement::Timeout { .. } | Statement::Call { .. } => unreachable!("these may branch"),
        }
    }

    fn make(&self, name: Symbol, priority: u8, state: &mut Loop) {
        state.promises.push((priority, None, vec![]));
        state.named.insert(name, state.promises.len() - 1);
    }

    fn promise(&self, name: Symbol, state: &mut Loop) -> usize {
        if !state.named.contains_key(&name) {
            self.make(name, 0, state);
        }
        state.named[&name]
    }
}

fn start(operation: (u32, Reaction), state: &mut Loop) {
    state.operations.push(operation);
    state.operations.sort();
}

/// Resolves a promise, if it is not, and makes what waits for it able to run.
fn settle(promise: usize, value: &Value, state: &mut Loop) {
    let (priority, resolved, waiting) = &mut state.promises[promise];
    let value = resolved.get_or_insert_with(|| value.clone()).clone();
    let able = std::mem::take(waiting).into_iter().map(|reaction| (reaction, value.clone(), 1));
    let queue = match priority {
        0 => &mut state.micros,
        1 => &mut state.immediates,
        2 => &mut state.timely,
        _ => &mut state.polled,
    };
    queue.extend(able);
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
pub struct Case {
    pub text: String,
    pub bounds: Bounds,
    /// Whether it may not end.
    endless: bool,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Bounds { ticks, callbacks, starve_window, values, .. } = &self.bounds;
        let values = values.join(",");
        writeln!(
            f,
            "# ticks={ticks} callbacks={callbacks} window={starve_window} values={values}"
        )?;
        f.write_str(&self.text)
    }
}

pub struct Grower<'c> {
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
const EVENTS: [&str; 2] = ["file", "socket"];

impl Grower<'_> {
    pub fn case(choices: &mut Choices) -> Case {
        let endless = choices.once_in(4);
        let immediates = !choices.once_in(4);
        let left = 2 + choices.below(5);
        let text = String::new();
        let mut grower = Grower { choices, text, names: 0, left, endless, immediates };
        let priority = grower.choices.pick(&["", "", " 1", " 2", " 3"]);
        let _ = writeln!(grower.text, "promise p{priority}\npromise q");
        while grower.left > 0 {
            grower.statement(0);
        }
        // What the program may call and refer to.
        grower.left = 1;
        grower.text.push_str("def d(y) {\n  log y\n");
        grower.statement(1);
        grower.text.push_str("}\n");
        let Grower { choices, text, endless, .. } = grower;
        let tight = endless || choices.once_in(4);
        let bounds = Bounds {
            ticks: if tight { 3 + choices.below(4) as u64 } else { 99 },
            callbacks: if tight { 3 + choices.below(5) as u32 } else { 99 },
            starve_window: 1 + choices.below(4) as u32,
            values: if choices.once_in(4) {
                vec!["v".into(), "w".into()]
            } else {
                vec!["v".into()]
            },
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
                let value = self.choices.pick(&["", " 1", " x"]);
                self.write(depth, &format!("resolve {name}{value}\n"));
                self.left = self.left.saturating_sub(usize::from(self.choices.once_in(2)));
                return;
            }
            17 if self.choices.once_in(3) => {
                let name = self.choices.pick(&PROMISES);
                if self.choices.once_in(2) {
                    return self.write(depth, &format!("promise {name}\n"));
                }
                self.left = self.left.saturating_sub(1);
                let (event, n) = (self.choices.pick(&EVENTS), self.choices.below(4));
                return self.write(depth, &format!("register {event} {n} -> {name}\n"));
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
            10 | 11 => format!("io {}", self.choices.pick(&EVENTS)),
            12 => "readFile file".into(),
            _ => format!("then {promise}"),
        };
        let resolves = kind >= 13 && self.choices.once_in(3);
        if (!self.text.contains("def d") || self.endless) && self.choices.once_in(8) {
            return self.write(depth, &format!("{head} d\n"));
        }
        self.names += 1;
        let name = format!("c{}", self.names);
        // A callback of promises and I/O may look at its value, also where another asks for more.
        let takes = kind >= 10 && self.choices.once_in(2);
        let param = if takes { "(x)" } else { "" };
        self.write(depth, &format!("{head} {name}{param} {{\n"));
        self.write(depth + 1, &format!("log {}\n", self.names));
        if takes || self.choices.once_in(6) {
            self.write(depth + 1, "log x\n");
        }
        if depth < 2 {
            for _ in 0..self.choices.below(3).min(self.left) {
                self.statement(depth + 1);
            }
        }
        let given = if resolves { self.choices.pick(&["", " x", " 2"]) } else { "" };
        let resolves = if resolves { " -> q" } else { "" };
        self.write(depth, &format!("}}{resolves}{given}\n"));
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
        let Some(phases) = Phases::enumerate(&program, &case.bounds.values, MOST) else {
            counts.add("too large", true);
            return Ok(());
        };
        counts.add("with several sequences", phases.len() > 1);
        keeps_to_the_phases(&program, &case.bounds.values, &phases)
    });
    println!("{counts}");
    let all = counts.get("programs");
    assert!(counts.get("too large") * 4 < all, "most programs are small enough to enumerate");
    assert!(counts.get("with several sequences") * 5 > all, "the programs are worth running");
}

/// The schedules of `node-phases` are those of Node's loop, and all are schedules of `node`.
fn keeps_to_the_phases(
    program: &Program,
    values: &[String],
    phases: &Traces,
) -> Result<(), String> {
    let bounds = Bounds { values: values.to_vec(), ..Bounds::default() };
    let machine = explored(program, Named::NodePhases, &bounds);
    let node = explored(program, Named::Node, &bounds);
    let mut text = lacking("not what Node may do", phases, &machine.traces)
        + &lacking("not what strategy `node` may do", &node.traces, &machine.traces)
        + &lacking("cut", &BTreeSet::new(), &machine.cut);
    // Where it matters when an event occurs, an idle loop stays in its phase, and does not go round
    // to be met in another: there are fewer schedules.
    if shared(program).is_empty() {
        text += &lacking("missing", &machine.traces, phases);
    }
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
        if (Bounds { values: Bounds::default().values, ..bounds.clone() }) == Bounds::default() {
            let values = &bounds.values;
            let phases = Phases::enumerate(&program, values, 100_000).expect("an example is small");
            let result = keeps_to_the_phases(&program, values, &phases);
            assert_eq!(result, Ok(()), "in examples/lasync/{}.la", example.name);
        }
    }
}
