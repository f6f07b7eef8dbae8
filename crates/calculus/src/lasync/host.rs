//! λasync as a host: promises, flags and bodies.
//!
//! Everything asynchronous is a callback on a promise of some priority. Promises that are always
//! resolved (`nextTick`, `immediate`, `timeout 0`) are groups of the machine's ready queues;
//! registered events (timers, I/O) are operations that the oracle answers at will. Under
//! `node-phases` timers live on the machine's clock instead, as in Node.

use super::bounds::Bounds;
use super::syntax::{BodyId, Callback, Program, Statement};
use crate::hunt::Hunt;
use crate::names::Symbol;
use hemiola_explore::End;
use hemiola_machine::{
    Class, Context, Delay, DomainId, Eagerness, Group, Host, Input, Invocation, Language, Named,
    Observation, Place, Progress, Signal, Site,
};
use std::rc::Rc;

/// Something that the machine can run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    /// The program.
    Main,
    /// A callback; afterwards it resolves a promise.
    Run(Reaction),
    /// A round trip of an operation that needs `left` more before its callback runs.
    Trip { left: u8, reaction: Reaction },
}

/// A callback, and what it resolves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reaction {
    pub(crate) callback: Callback,
    pub(crate) resolves: Option<Symbol>,
    /// Whether this is the one whose waiting is measured.
    pub(crate) watched: bool,
}

/// A promise that the program declared. Its priority is 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Promise {
    pub(crate) name: Symbol,
    /// Which of the promises of the run it is: a `promise` that runs again makes another.
    pub(crate) group: Group,
    pub(crate) resolved: bool,
    pub(crate) waiting: Vec<(Reaction, Invocation)>,
}

/// What all executions of a program share.
#[derive(Debug)]
pub(crate) struct Setting {
    pub(crate) program: Program,
    pub(crate) strategy: Named,
    pub(crate) bounds: Bounds,
    /// The hunt for callbacks that starve, if this is one.
    pub(crate) hunt: Option<Hunt>,
}

/// The state of a λasync program.
#[derive(Clone, Debug)]
pub(crate) struct Lasync {
    pub(crate) setting: Rc<Setting>,
    /// The latest promise of each name.
    pub(crate) promises: Vec<Promise>,
    /// Sorted.
    pub(crate) flags: Vec<Symbol>,
    pub(crate) logs: u32,
    pub(crate) callbacks: u32,
    pub(crate) waited: Option<u32>,
    /// Groups that have been given out.
    groups: u32,
    pub(crate) end: Option<End>,
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
            end: None,
        }
    }

    fn phases(&self) -> bool {
        self.setting.strategy == Named::NodePhases
    }

    /// Runs a body, and the bodies that it calls, to their end.
    fn body(&mut self, body: BodyId, context: &mut Context<'_, Self>) -> Result<(), End> {
        let setting = Rc::clone(&self.setting);
        let mut stack = vec![(body, 0)];
        let mut taken = 0;
        while let Some((body, next)) = stack.last_mut() {
            let Some(statement) = setting.program.bodies[body.0 as usize].statements.get(*next)
            else {
                stack.pop();
                continue;
            };
            *next += 1;
            taken += 1;
            if let Statement::Call(callee) = statement {
                if stack.len() == DEEPEST || taken > LONGEST {
                    return Err(self.cut(Bounds::DEPTH, context));
                }
                stack.push((*callee, 0));
            } else {
                self.statement(statement, context)?;
            }
        }
        Ok(())
    }

    fn statement(
        &mut self,
        statement: &Statement,
        context: &mut Context<'_, Self>,
    ) -> Result<(), End> {
        match *statement {
            Statement::Log(text) => self.log(text, context)?,
            Statement::NextTick(callback) => {
                self.queue(Class::Tick, RESOLVED, callback, context);
            }
            Statement::Immediate(callback) => {
                self.queue(Class::Immediate, RESOLVED, callback, context);
            }
            Statement::Timeout { ms, callback } => self.timeout(ms, callback, context),
            Statement::Micro(callback) => {
                let group = self.fresh();
                self.queue(Class::Promise, group, callback, context);
            }
            Statement::Promise(name) => {
                self.promises.retain(|promise| promise.name != name);
                self.declare(name);
            }
            Statement::Then { promise, callback, resolves } => {
                if let Some(resolves) = resolves {
                    self.declare(resolves);
                }
                let at = self.declare(promise);
                let reaction = self.reaction(callback, resolves, context);
                let Promise { group, resolved, waiting, .. } = &mut self.promises[at];
                if *resolved {
                    let group = *group;
                    context.queue(Class::Promise, group, Task::Run(reaction));
                } else {
                    waiting.push((reaction, context.invocation()));
                }
            }
            Statement::Resolve(promise) => self.resolve(promise, context),
            Statement::Io { name: _, callback } => {
                let reaction = self.reaction(callback, None, context);
                self.request(Class::Io, Task::Run(reaction), context);
            }
            Statement::ReadFile { name: _, callback } => {
                let reaction = self.reaction(callback, None, context);
                // Open, size, read, close. An oracle that answers at will may do all at once; in
                // Node each comes back through the loop.
                let left = if self.phases() { 3 } else { 0 };
                self.request(Class::Io, Task::Trip { left, reaction }, context);
            }
            Statement::Call(_) => unreachable!("calls are made by the body"),
            Statement::Set(flag) => {
                if let Err(at) = self.flags.binary_search(&flag) {
                    self.flags.insert(at, flag);
                }
            }
            Statement::IfLog { flag, yes, no } => {
                let raised = self.flags.binary_search(&flag).is_ok();
                self.log(if raised { yes } else { no }, context)?;
            }
        }
        Ok(())
    }

    fn log(&mut self, text: Symbol, context: &mut Context<'_, Self>) -> Result<(), End> {
        if self.logs == self.setting.bounds.logs {
            return Err(self.cut(Bounds::LOGS, context));
        }
        self.logs += 1;
        context.observe(Observation::Name(self.setting.program.names.text(text).clone()));
        Ok(())
    }

    fn timeout(&mut self, ms: u64, callback: Callback, context: &mut Context<'_, Self>) {
        match self.setting.strategy {
            Named::NodePhases => {
                let ms = if (1..=LONGEST_MS).contains(&ms) { ms } else { 1 };
                let delay = Delay::from_millis(ms);
                let reaction = Reaction { callback, resolves: None, watched: false };
                context.let_time_pass(None, delay, |_| true);
                context.release(None, delay, Task::Run(reaction));
            }
            Named::Edge if ms == 0 => self.queue(Class::Promise, TIMEOUT_0, callback, context),
            _ if ms == 0 => self.queue(Class::Timer, RESOLVED, callback, context),
            _ => {
                let reaction = self.reaction(callback, None, context);
                self.request(Class::Timer, Task::Run(reaction), context);
            }
        }
    }

    /// The index of the promise with that name, made if there is none.
    fn declare(&mut self, name: Symbol) -> usize {
        let known = self.promises.iter().position(|promise| promise.name == name);
        known.unwrap_or_else(|| {
            let group = self.fresh();
            self.promises.push(Promise { name, group, resolved: false, waiting: Vec::new() });
            self.promises.len() - 1
        })
    }

    /// Resolves a promise; the second time is a no-op.
    fn resolve(&mut self, name: Symbol, context: &mut Context<'_, Self>) {
        let at = self.declare(name);
        let Promise { group, resolved, waiting, .. } = &mut self.promises[at];
        *resolved = true;
        let group = *group;
        for (reaction, link) in std::mem::take(waiting) {
            context.queue_caused(Class::Promise, group, Task::Run(reaction), link);
        }
    }

    fn queue(
        &mut self,
        class: Class,
        group: Group,
        callback: Callback,
        context: &mut Context<'_, Self>,
    ) {
        let reaction = self.reaction(callback, None, context);
        context.queue(class, group, Task::Run(reaction));
    }

    fn request(&mut self, class: Class, task: Task, context: &mut Context<'_, Self>) {
        let group = self.fresh();
        context.request(class, group, (), task);
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
        resolves: Option<Symbol>,
        context: &mut Context<'_, Self>,
    ) -> Reaction {
        let hunt = self.setting.hunt.as_ref();
        let wanted = self.waited.is_none() && hunt.is_some_and(|hunt| hunt.wants(callback.name));
        let watched = wanted && context.draw(2) == 1;
        if watched {
            self.waited = Some(0);
        }
        Reaction { callback, resolves, watched }
    }

    /// Runs a callback, unless that exceeds a bound.
    fn react(&mut self, reaction: Reaction, context: &mut Context<'_, Self>) -> Result<(), End> {
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
        self.body(reaction.callback.body, context)?;
        if let Some(promise) = reaction.resolves {
            self.resolve(promise, context);
        }
        Ok(())
    }

    fn cut(&self, bound: &'static str, context: &Context<'_, Self>) -> End {
        self.end_at(bound, watched(context))
    }

    /// How a run ends at a bound, if this callback is the one that is watched in a queue.
    pub(crate) fn end_at(&self, bound: &'static str, watched: Option<Reaction>) -> End {
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
fn watched(context: &Context<'_, Lasync>) -> Option<Reaction> {
    watched_in(context.machine())
}

/// The watched callback, if it sits in a queue of that machine.
pub(crate) fn watched_in(machine: &hemiola_machine::Machine<Lasync>) -> Option<Reaction> {
    let mut ready = Class::ALL.into_iter().flat_map(|class| machine.ready(class));
    ready.find_map(|ready| match ready.callback {
        Task::Run(reaction) | Task::Trip { reaction, left: 0 } if reaction.watched => {
            Some(reaction)
        }
        _ => None,
    })
}

impl Language for Lasync {
    type Callback = Task;
    type Request = ();
    type Answer = ();

    fn describe((): &()) -> String {
        String::new()
    }

    fn place() -> Option<Place> {
        None
    }
}

impl Host for Lasync {
    type Language = Self;

    fn run(&mut self, task: &mut Task, _: Input<()>, context: &mut Context<'_, Self>) -> Progress {
        let result = match *task {
            Task::Main => self.body(self.setting.program.main, context),
            Task::Run(reaction) | Task::Trip { left: 0, reaction } => self.react(reaction, context),
            Task::Trip { left, reaction } => {
                self.request(Class::Io, Task::Trip { left: left - 1, reaction }, context);
                Ok(())
            }
        };
        match result {
            Ok(()) => Progress::RETURNED,
            Err(end) => {
                self.end = Some(end);
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

    fn resume(&mut self, _: &mut Context<'_, Self>) -> Progress {
        unreachable!("a callback of this host runs to its end")
    }

    fn signal(&mut self, _: Signal, _: &mut Context<'_, Self>) {
        unreachable!("no world of this host does anything by itself")
    }
}
