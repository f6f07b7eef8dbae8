//! λasync as a host: promises, flags and bodies.
//!
//! Everything asynchronous is a callback on a promise of some priority. Promises that are always
//! resolved (`nextTick`, `immediate`, `timeout 0`) are groups of the machine's ready queues;
//! registered events (timers, I/O) are operations that the oracle answers at will. Under
//! `node-phases` timers live on the machine's clock instead, as in Node.

use super::bounds::Bounds;
use super::syntax::{BodyId, Callback, Program, Resolution, Statement, Term};
use crate::hunt::Hunt;
use crate::names::Symbol;
use crate::study::Following;
use hemiola_explore::{End, Next};
use hemiola_machine::{
    Class, Context, Delay, DomainId, Eagerness, Group, Host, Input, Invocation, Language, Named,
    Observation, Place, Progress, Signal, Site,
};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A text, or `undefined`.
pub(crate) type Value = Option<Symbol>;

/// The values of the parameters that a body sees, outer ones first.
pub(crate) type Env = Rc<[Value]>;

/// What is asked of the oracle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Request {
    /// The event that answers it, and all others that wait for it; without one it is answered alone.
    pub(crate) event: Option<Symbol>,
    /// Whether the answer brings a value.
    pub(crate) draws: bool,
}

/// Something that the machine can run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    /// The program.
    Main,
    /// A callback, and the value it is given unless an answer gives one; afterwards it resolves a
    /// promise.
    Run(Reaction, Value),
    /// A round trip of an operation that needs `left` more before its callback runs.
    Trip { left: u8, reaction: Reaction },
    /// Resolves a promise as soon as its event has occurred.
    Settle(PromiseId),
}

/// A callback, and what it resolves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reaction {
    pub(crate) callback: Callback,
    /// What was seen where it was attached, as far as it matters.
    pub(crate) env: Env,
    pub(crate) resolves: Option<Resolution>,
    /// Whether this is the one whose waiting is measured.
    pub(crate) watched: bool,
}

/// Which of the promises of the run it is: a `promise` that runs again makes another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PromiseId(u32);

/// A promise that the program made: (n, r, fs).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Promise {
    pub(crate) id: PromiseId,
    pub(crate) name: Symbol,
    /// Whether the name still stands for it.
    pub(crate) named: bool,
    /// Whether an event will resolve it.
    pub(crate) registered: bool,
    pub(crate) priority: u8,
    pub(crate) group: Group,
    /// What it is resolved to, once it is.
    pub(crate) resolved: Option<Value>,
    pub(crate) waiting: Vec<(Reaction, Invocation)>,
}

/// The queue of callbacks on promises of that priority.
fn class(priority: u8) -> Class {
    match priority {
        0 => Class::Promise,
        1 => Class::Immediate,
        2 => Class::Timer,
        _ => Class::Io,
    }
}

/// What all executions of a program share.
#[derive(Debug)]
pub(crate) struct Setting {
    pub(crate) program: Program,
    pub(crate) strategy: Named,
    pub(crate) bounds: Bounds,
    pub(crate) following: Following,
    /// The hunt for callbacks that starve, if this is one.
    pub(crate) hunt: Option<Hunt>,
}

/// The state of a λasync program.
#[derive(Clone, Debug)]
pub(crate) struct Lasync {
    pub(crate) setting: Rc<Setting>,
    /// The latest promise of each name, and those that an event will resolve.
    pub(crate) promises: Vec<Promise>,
    /// Sorted.
    pub(crate) flags: Vec<Symbol>,
    pub(crate) logs: u32,
    pub(crate) callbacks: u32,
    pub(crate) waited: Option<u32>,
    /// Groups that have been given out.
    groups: u32,
    /// Promises that have been made.
    made: u32,
    /// What a callback led to that did not return.
    pub(crate) end: Option<Next>,
}

/// The promises that always exist, by their class.
const RESOLVED: Group = Group(0);
/// The one of zero timeouts, where it has priority 0.
const TIMEOUT_0: Group = Group(1);
const FIRST_FRESH: u32 = 2;

/// What Node does not take for a delay is a millisecond.
const LONGEST_MS: u64 = (1 << 31) - 1;

/// How many synchronous calls may nest, and how many statements one callback may take: a program
/// that calls itself without end is cut there.
const DEEPEST: usize = 10_000;
const LONGEST: usize = 1_000_000;

impl Lasync {
    pub(crate) fn new(setting: Rc<Setting>) -> Self {
        Self {
            setting,
            promises: Vec::new(),
            flags: Vec::new(),
            logs: 0,
            callbacks: 0,
            waited: None,
            groups: FIRST_FRESH,
            made: 0,
            end: None,
        }
    }

    fn phases(&self) -> bool {
        self.setting.strategy == Named::NodePhases
    }

    /// Runs a body, and the bodies that it calls, to their end.
    ///
    /// Nothing in a body is done only if something else holds, but which of two texts is logged, and that depends
    /// on values and flags. So whoever is called again with the same of both, before it has returned, never returns.
    fn body(
        &mut self,
        body: BodyId,
        env: Env,
        context: &mut Context<'_, Self>,
    ) -> Result<(), Next> {
        let setting = Rc::clone(&self.setting);
        let mut stack = vec![(body, 0, env)];
        let mut taken = 0;
        let mut shown = 0;
        let mut called: FxHashMap<(BodyId, Env, Vec<Symbol>), (usize, usize)> =
            FxHashMap::default();
        while let Some((body, next, env)) = stack.last_mut() {
            let Some(statement) = setting.program.bodies[body.0 as usize].statements.get(*next)
            else {
                stack.pop();
                continue;
            };
            *next += 1;
            taken += 1;
            if let Statement::Call { body: callee, value } = *statement {
                let env = self.inner(callee, &none(), value.and_then(|value| get(value, env)));
                if setting.following.endless {
                    let key = (callee, Env::clone(&env), self.flags.clone());
                    match called.get(&key) {
                        // It is still on the stack, where it was.
                        Some(&(depth, from))
                            if stack
                                .get(depth)
                                .is_some_and(|(body, _, with)| *body == callee && *with == env) =>
                        {
                            return Err(Next::Endless { from });
                        }
                        _ => called.insert(key, (stack.len(), shown)),
                    };
                }
                if stack.len() == DEEPEST || taken > LONGEST {
                    return Err(Next::End(self.cut(Bounds::DEPTH, context)));
                }
                stack.push((callee, 0, env));
            } else {
                let env = Env::clone(env);
                self.statement(statement, &env, context).map_err(Next::End)?;
                shown += usize::from(statement.shows());
            }
        }
        Ok(())
    }

    /// What a body sees that is given a value, where it was attached in that environment.
    fn inner(&self, body: BodyId, outer: &Env, value: Value) -> Env {
        let body = &self.setting.program.bodies[body.0 as usize];
        match body.param {
            None if body.outer as usize == outer.len() => Env::clone(outer),
            param => {
                let outer = outer[..body.outer as usize].iter().copied();
                outer.chain(param.map(|_| value)).collect()
            }
        }
    }

    fn statement(
        &mut self,
        statement: &Statement,
        env: &Env,
        context: &mut Context<'_, Self>,
    ) -> Result<(), End> {
        match *statement {
            Statement::Log(term) => self.log(get(term, env), context)?,
            Statement::NextTick(callback) => {
                self.queue(Class::Tick, RESOLVED, callback, env, context);
            }
            Statement::Immediate(callback) => {
                self.queue(Class::Immediate, RESOLVED, callback, env, context);
            }
            Statement::Timeout { ms, callback } => self.timeout(ms, callback, env, context),
            Statement::Micro(callback) => {
                let group = self.fresh();
                self.queue(Class::Promise, group, callback, env, context);
            }
            Statement::Promise { name, priority } => {
                self.make(name, priority);
            }
            Statement::Register { event, priority, promise } => {
                let at = self.make(promise, priority);
                let Promise { id, group, registered, .. } = &mut self.promises[at];
                *registered = true;
                let request = Request { event: Some(event), draws: true };
                context.request(class(priority), *group, request, Task::Settle(*id));
            }
            Statement::Then { promise, callback, resolves } => {
                if let Some(resolves) = resolves {
                    self.declare(resolves.promise);
                }
                let at = self.declare(promise);
                let reaction = self.reaction(callback, resolves, env, context);
                let Promise { group, priority, resolved, waiting, .. } = &mut self.promises[at];
                match *resolved {
                    Some(value) => {
                        let (group, class) = (*group, class(*priority));
                        context.queue(class, group, Task::Run(reaction, value));
                    }
                    None => waiting.push((reaction, context.invocation())),
                }
            }
            Statement::Resolve { promise, value } => {
                let value = value.and_then(|value| get(value, env));
                self.resolve(promise, value, context);
            }
            Statement::Io { name, callback } => {
                let request = Request { event: Some(name), draws: self.takes(callback) };
                let reaction = self.reaction(callback, None, env, context);
                self.request(Class::Io, request, Task::Run(reaction, None), context);
            }
            Statement::ReadFile { name: _, callback } => {
                let reaction = self.reaction(callback, None, env, context);
                // Open, size, read, close. An oracle that answers at will may do all at once; in
                // Node each comes back through the loop.
                let left = if self.phases() { 3 } else { 0 };
                self.trip(left, reaction, context);
            }
            Statement::Call { .. } => unreachable!("calls are made by the body"),
            Statement::Set(flag) => {
                if let Err(at) = self.flags.binary_search(&flag) {
                    self.flags.insert(at, flag);
                }
            }
            Statement::IfLog { flag, yes, no } => {
                let raised = self.flags.binary_search(&flag).is_ok();
                self.log(get(if raised { yes } else { no }, env), context)?;
            }
        }
        Ok(())
    }

    fn log(&mut self, shown: Value, context: &mut Context<'_, Self>) -> Result<(), End> {
        if !self.setting.following.endless {
            if self.logs == self.setting.bounds.logs {
                return Err(self.cut(Bounds::LOGS, context));
            }
            self.logs += 1;
        }
        context.observe(match shown {
            Some(text) => Observation::Name(self.setting.program.names.text(text).clone()),
            None => Observation::name("undefined"),
        });
        Ok(())
    }

    fn timeout(&mut self, ms: u64, callback: Callback, env: &Env, context: &mut Context<'_, Self>) {
        match self.setting.strategy {
            Named::NodePhases => {
                let ms = if (1..=LONGEST_MS).contains(&ms) { ms } else { 1 };
                let delay = Delay::from_millis(ms);
                let reaction = Reaction {
                    callback,
                    env: self.kept(callback, None, env),
                    resolves: None,
                    watched: false,
                };
                context.let_time_pass(None, delay, |_| true);
                context.release(None, delay, Task::Run(reaction, None));
            }
            Named::Edge if ms == 0 => {
                self.queue(Class::Promise, TIMEOUT_0, callback, env, context);
            }
            _ if ms == 0 => self.queue(Class::Timer, RESOLVED, callback, env, context),
            _ => {
                let reaction = self.reaction(callback, None, env, context);
                let request = Request { event: None, draws: false };
                self.request(Class::Timer, request, Task::Run(reaction, None), context);
            }
        }
    }

    /// Makes a pending promise; from now on the name stands for it.
    fn make(&mut self, name: Symbol, priority: u8) -> usize {
        // What an event will resolve is still there for those who wait for it.
        self.promises.retain(|promise| promise.name != name || promise.registered);
        for promise in self.promises.iter_mut().filter(|promise| promise.name == name) {
            promise.named = false;
        }
        self.made += 1;
        let group = self.fresh();
        self.promises.push(Promise {
            id: PromiseId(self.made),
            name,
            named: true,
            registered: false,
            priority,
            group,
            resolved: None,
            waiting: Vec::new(),
        });
        self.promises.len() - 1
    }

    /// The index of the promise with that name, made if there is none.
    fn declare(&mut self, name: Symbol) -> usize {
        let known = self.promises.iter().position(|promise| promise.name == name && promise.named);
        known.unwrap_or_else(|| self.make(name, 0))
    }

    /// Resolves a promise; the second time is a no-op.
    fn resolve(&mut self, name: Symbol, value: Value, context: &mut Context<'_, Self>) {
        let at = self.declare(name);
        self.resolve_at(at, value, context);
    }

    fn resolve_at(&mut self, at: usize, value: Value, context: &mut Context<'_, Self>) {
        let Promise { group, priority, resolved, waiting, .. } = &mut self.promises[at];
        let value = *resolved.get_or_insert(value);
        let (group, class) = (*group, class(*priority));
        for (reaction, link) in std::mem::take(waiting) {
            context.queue_caused(class, group, Task::Run(reaction, value), link);
        }
    }

    fn queue(
        &mut self,
        class: Class,
        group: Group,
        callback: Callback,
        env: &Env,
        context: &mut Context<'_, Self>,
    ) {
        let reaction = self.reaction(callback, None, env, context);
        context.queue(class, group, Task::Run(reaction, None));
    }

    fn request(
        &mut self,
        class: Class,
        request: Request,
        task: Task,
        context: &mut Context<'_, Self>,
    ) {
        let group = self.fresh();
        context.request(class, group, request, task);
    }

    /// Asks for a round trip, after which so many are left; the last one brings a value.
    fn trip(&mut self, left: u8, reaction: Reaction, context: &mut Context<'_, Self>) {
        let request = Request { event: None, draws: left == 0 && self.takes(reaction.callback) };
        self.request(Class::Io, request, Task::Trip { left, reaction }, context);
    }

    /// Whether a callback looks at the value that it is given.
    fn takes(&self, callback: Callback) -> bool {
        self.setting.program.bodies[callback.body.0 as usize].param.is_some()
    }

    /// What a callback keeps of an environment: configurations differ only in what matters.
    fn kept(&self, callback: Callback, resolves: Option<Resolution>, env: &Env) -> Env {
        let outer = self.setting.program.bodies[callback.body.0 as usize].outer;
        let given_on = resolves.and_then(|resolution| resolution.value);
        if outer == 0 && !matches!(given_on, Some(Term::Param(_))) {
            none()
        } else {
            Env::clone(env)
        }
    }

    /// A group of its own. Where promises are ordered, all are one.
    fn fresh(&mut self) -> Group {
        if self.phases() {
            return RESOLVED;
        }
        self.groups += 1;
        Group(self.groups - 1)
    }

    fn reaction(
        &mut self,
        callback: Callback,
        resolves: Option<Resolution>,
        env: &Env,
        context: &mut Context<'_, Self>,
    ) -> Reaction {
        let hunt = self.setting.hunt.as_ref();
        let wanted = self.waited.is_none() && hunt.is_some_and(|hunt| hunt.wants(callback.name));
        let watched = wanted && context.draw(2) == 1;
        if watched {
            self.waited = Some(0);
        }
        Reaction { callback, env: self.kept(callback, resolves, env), resolves, watched }
    }

    /// Runs a callback, unless that exceeds a bound.
    fn react(
        &mut self,
        reaction: &Reaction,
        value: Value,
        context: &mut Context<'_, Self>,
    ) -> Result<(), Next> {
        if self.setting.following.endless {
            if reaction.watched {
                return Err(Next::End(End::Dropped));
            }
        } else {
            self.count(reaction, context).map_err(Next::End)?;
        }
        let Reaction { callback, env, resolves, .. } = reaction;
        let inner = self.inner(callback.body, env, value);
        self.body(callback.body, inner, context)?;
        if let Some(Resolution { promise, value: given }) = *resolves {
            // It sees what was seen where the callback was attached, and the callback's own value.
            let given = given.and_then(|term| match term {
                Term::Param(at) if at as usize == env.len() => value,
                term => get(term, env),
            });
            self.resolve(promise, given, context);
        }
        Ok(())
    }

    /// Counts a callback, unless that exceeds a bound.
    fn count(&mut self, reaction: &Reaction, context: &mut Context<'_, Self>) -> Result<(), End> {
        // Where a turn is one callback, it has already begun.
        let bound = if context.machine().turns() > self.setting.bounds.ticks {
            Some(Bounds::TICKS)
        } else {
            (self.callbacks == self.setting.bounds.callbacks).then_some(Bounds::CALLBACKS)
        };
        if let Some(bound) = bound {
            // What was picked still sat in its queue.
            let watched = if reaction.watched { Some(reaction) } else { watched(context) };
            return Err(self.end_at(bound, watched));
        }
        if reaction.watched {
            return Err(End::Dropped);
        }
        self.callbacks += 1;
        if let Some(waited) = self.waited
            && watched(context).is_some()
        {
            self.waited = Some((waited + 1).min(self.setting.bounds.starve_window));
        }
        Ok(())
    }

    fn cut(&self, bound: &'static str, context: &Context<'_, Self>) -> End {
        self.end_at(bound, watched(context))
    }

    /// How a run ends at a bound, if this callback is the one that is watched in a queue.
    pub(crate) fn end_at(&self, bound: &'static str, watched: Option<&Reaction>) -> End {
        let Some(hunt) = &self.setting.hunt else { return End::Cut(bound) };
        match watched {
            Some(reaction) if self.waited >= Some(self.setting.bounds.starve_window) => {
                hunt.found(reaction.callback.name);
                End::Starved(self.setting.program.names.text(reaction.callback.name).to_string())
            }
            _ => End::Dropped,
        }
    }
}

/// The watched callback, if it sits in a queue.
fn watched<'c>(context: &'c Context<'_, Lasync>) -> Option<&'c Reaction> {
    watched_in(context.machine())
}

/// No parameters.
fn none() -> Env {
    Rc::new([])
}

/// What a term stands for.
fn get(term: Term, env: &[Value]) -> Value {
    match term {
        Term::Text(text) => Some(text),
        Term::Param(at) => env[at as usize],
    }
}

/// The watched callback, if it sits in a queue of that machine.
pub(crate) fn watched_in(machine: &hemiola_machine::Machine<Lasync>) -> Option<&Reaction> {
    let mut ready = Class::ALL.into_iter().flat_map(|class| machine.ready(class));
    ready.find_map(|ready| match &ready.callback {
        Task::Run(reaction, _) | Task::Trip { reaction, left: 0 } if reaction.watched => {
            Some(reaction)
        }
        _ => None,
    })
}

impl Language for Lasync {
    type Callback = Task;
    type Request = Request;
    type Answer = Value;

    fn describe(_: &Request) -> String {
        String::new()
    }

    fn place() -> Option<Place> {
        None
    }
}

impl Host for Lasync {
    type Language = Self;

    fn run(
        &mut self,
        task: &mut Task,
        input: Input<Value>,
        context: &mut Context<'_, Self>,
    ) -> Progress {
        let answer = |otherwise| match input {
            Input::Answer(value) => value,
            Input::Nothing | Input::Lag(_) => otherwise,
        };
        let result = match task {
            Task::Main => self.body(self.setting.program.main, none(), context),
            Task::Run(reaction, value) => self.react(reaction, answer(*value), context),
            Task::Trip { left: 0, reaction } => self.react(reaction, answer(None), context),
            Task::Trip { left, reaction } => {
                self.trip(*left - 1, reaction.clone(), context);
                Ok(())
            }
            Task::Settle(_) => unreachable!("a promise is settled at once"),
        };
        match result {
            Ok(()) => Progress::RETURNED,
            Err(next) => {
                self.end = Some(next);
                Progress::Halted
            }
        }
    }

    fn site(&self, _: &Task) -> Option<Site> {
        None
    }

    fn dropped_holds(&mut self) -> Vec<DomainId> {
        Vec::new()
    }

    fn eagerness(&self, _: &Task) -> Eagerness {
        Eagerness::Free
    }

    fn begin_batch(&mut self) {}

    fn is_batch(&self, _: &Task) -> bool {
        false
    }

    /// E-Oracle: everything on the promise becomes able to run.
    fn take_in(
        &mut self,
        task: Task,
        answer: Value,
        context: &mut Context<'_, Self>,
    ) -> Option<(Task, Value)> {
        let Task::Settle(id) = task else { return Some((task, answer)) };
        let at = self.promises.iter().position(|promise| promise.id == id);
        let at = at.expect("a promise is kept until its event has occurred");
        self.promises[at].registered = false;
        self.resolve_at(at, answer, context);
        if !self.promises[at].named {
            self.promises.remove(at);
        }
        None
    }

    fn endless(&mut self, _: &str) -> Option<<Self::Language as Language>::Callback> {
        None
    }

    fn resume(&mut self, _: &mut Context<'_, Self>) -> Progress {
        unreachable!("a callback of this host runs to its end")
    }

    fn signal(&mut self, _: Signal, _: &mut Context<'_, Self>) {
        unreachable!("no world of this host does anything by itself")
    }
}
