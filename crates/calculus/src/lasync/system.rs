//! λasync programs as systems that can be explored.

use super::bounds::Bounds;
use super::host::{Lasync, Reaction, Setting, Task, Value, watched_in};
use super::oracle::Oracle;
use super::syntax::{Program, Resolution, Statement, Term};
use crate::hunt::Hunt;
use crate::names::Symbol;
use crate::study::{self, Following};
use hemiola_explore::{End, Next};
use hemiola_machine::{Chooser, Class, Machine, Named, Sink, Step};
use hemiola_trace::source::SourceError;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The strategies that λasync programs can be run with.
pub const STRATEGIES: [Named; 6] =
    [Named::All, Named::Micro, Named::Edge, Named::Node, Named::NodeLiteral, Named::NodePhases];

/// A program of λasync on the machine, with all that decides its future.
#[derive(Clone)]
pub struct Execution {
    machine: Machine<Lasync>,
    host: Lasync,
    world: Oracle,
}

/// A program of λasync, how it is scheduled, and how far it is followed.
#[derive(Clone, Copy, Debug)]
pub struct Study<'a> {
    /// The program.
    pub program: &'a Program,
    /// How it is scheduled.
    pub strategy: Named,
    /// How far it is followed.
    pub bounds: &'a Bounds,
}

impl study::Study for Study<'_> {
    type Execution = Execution;

    fn start(&self, following: Following) -> Execution {
        let Self { program, strategy, bounds } = *self;
        let (mut program, bounds) = (program.clone(), bounds.clone());
        let hunt = following.hunting.then(|| Hunt::for_any_of(callbacks(&program)));
        let values = bounds.values.iter().map(|text| program.names.intern(text)).collect();
        let world = Oracle::new(values, shared(&program), following);
        let setting = Rc::new(Setting { program, strategy, bounds, following, hunt });
        let machine = Machine::new(Task::Main);
        let ordered = strategy == Named::NodePhases;
        Execution {
            machine: if ordered { machine } else { machine.unordered() },
            host: Lasync::new(setting),
            world,
        }
    }
}

/// The names of all callbacks.
fn callbacks(program: &Program) -> BTreeSet<Symbol> {
    let statements = program.bodies.iter().flat_map(|body| &body.statements);
    statements.filter_map(Statement::callback).map(|callback| callback.name).collect()
}

/// The events that several may wait for, or that promises of other priorities than I/O wait for: for
/// these it matters when they occur, not only when the loop looks at them.
fn shared(program: &Program) -> Rc<[Symbol]> {
    let mentions = |statement: &Statement| match statement {
        Statement::Call { body, .. } => Some(*body),
        other => other.callback().map(|callback| callback.body),
    };
    // How often each body may run: not at all, once, or more than that.
    let mut runs = vec![0u8; program.bodies.len()];
    loop {
        let mut next = vec![0u8; runs.len()];
        next[program.main.0 as usize] = 1;
        for (body, &times) in program.bodies.iter().zip(&runs) {
            for callee in body.statements.iter().filter_map(mentions) {
                let callee = &mut next[callee.0 as usize];
                *callee = (*callee + times).min(2);
            }
        }
        if next == runs {
            break;
        }
        runs = next;
    }
    let mut waits: BTreeMap<Symbol, u8> = BTreeMap::new();
    for (body, &times) in program.bodies.iter().zip(&runs) {
        for statement in &body.statements {
            if let Statement::Io { name: event, .. } | Statement::Register { event, .. } = statement
            {
                let other = matches!(statement, Statement::Register { priority: 0..3, .. });
                let count = waits.entry(*event).or_default();
                *count = (*count + times + u8::from(other)).min(2);
            }
        }
    }
    waits.into_iter().filter(|&(_, count)| count > 1).map(|(event, _)| event).collect()
}

/// What a program uses that its strategy does not have: `edge` knows no immediates.
pub fn unsupported(program: &Program, strategy: Named) -> Option<SourceError> {
    if strategy != Named::Edge {
        return None;
    }
    let statements = program.bodies.iter().flat_map(|body| body.statements.iter().zip(&body.spans));
    let mut immediates =
        statements.filter(|(statement, _)| matches!(statement, Statement::Immediate(_)));
    immediates.next().map(|(_, &span)| SourceError {
        message: "strategy `edge` has no immediates".into(),
        span,
        label: "an immediate".into(),
        help: "use another strategy, such as `micro`, or `timeout 0` instead of `immediate`".into(),
    })
}

impl study::Execution for Execution {
    fn take_step(&mut self, chooser: &mut impl Chooser, sink: &mut impl Sink) -> Next {
        let Self { machine, host, world } = self;
        let strategy = host.setting.strategy;
        if host.setting.hunt.as_ref().is_some_and(Hunt::is_over) {
            return Next::End(End::Dropped);
        }
        match machine.step(host, &strategy, world, chooser, sink) {
            Step::Moved
                if !host.setting.following.endless
                    && machine.turns() > host.setting.bounds.ticks =>
            {
                Next::End(host.end_at(Bounds::TICKS, watched_in(machine)))
            }
            Step::Moved => Next::Configuration,
            Step::Finished if host.setting.hunt.is_some() => Next::End(End::Dropped),
            Step::Finished => Next::End(End::Final),
            Step::Halted => host.end.take().expect("a host that halts says why"),
        }
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        let Self { machine, host, world } = self;
        let mut writer = Writer(bytes);
        if !host.setting.following.endless {
            writer.number(machine.turns());
            writer.number(host.logs);
            writer.number(host.callbacks);
        }
        writer.number(host.waited.map_or(0, |waited| waited + 1));
        let (phase, draining) = machine.phase();
        writer.number(phase as u32 * 4 + u32::from(draining) * 2 + u32::from(machine.is_new()));
        for class in Class::ALL {
            let queue = machine.ready(class);
            writer.number(queue.len() as u32);
            writer.number(machine.frozen(class) as u32);
            for (at, ready) in queue.iter().enumerate() {
                // Which group it is matters only as far as others are of the same.
                let first = queue.iter().position(|other| other.group == ready.group);
                writer.number(first.map_or(at, |first| first) as u32);
                let promise = host.promises.iter().position(|one| one.group == ready.group);
                writer.number(promise.map_or(0, |promise| promise as u32 + 1));
                writer.task(&ready.callback, host);
                writer.value(ready.answer().copied().flatten());
            }
        }
        let open = machine.open_group().map(|(class, group)| {
            let queue = machine.ready(class);
            let at = queue.iter().position(|ready| ready.group == group);
            1 + class as u32 + 8 * at.map_or(0, |at| at as u32)
        });
        writer.number(open.unwrap_or(0));
        // Those that wait for one event are answered in order; else there is none.
        let mut forms: Vec<_> = machine
            .outstanding()
            .map(|(operation, class, task)| {
                let event = world.event(operation);
                let mut form = Vec::new();
                form_of(event, class, task, host, &mut form);
                (event, event.map(|_| operation), form)
            })
            .collect();
        forms.sort_unstable();
        writer.number(forms.len() as u32);
        forms.iter().for_each(|(_, _, form)| writer.0.extend_from_slice(form));
        writer.number(host.promises.len() as u32);
        for promise in &host.promises {
            writer.number(promise.name.0);
            let is = [promise.named, promise.registered, promise.resolved.is_some()];
            writer.number(is.into_iter().fold(0, |bits, bit| 2 * bits + u32::from(bit)));
            writer.number(promise.priority);
            writer.value(promise.resolved.flatten());
            writer.number(promise.waiting.len() as u32);
            promise.waiting.iter().for_each(|(reaction, _)| writer.reaction(reaction));
        }
        writer.number(host.flags.len() as u32);
        host.flags.iter().for_each(|flag| writer.number(flag.0));
        self.write_timers(&mut writer, world);
    }

    fn awaited(&self, tell: &mut dyn FnMut(&[u8])) {
        let Self { machine, host, world } = self;
        let mut form = Vec::new();
        for (operation, class, task) in machine.outstanding() {
            form.clear();
            match task {
                // Where it stands among the others says nothing about it.
                Task::Settle(id) => {
                    let promise = host.promises.iter().find(|promise| promise.id == *id);
                    let name = promise.map_or(0, |promise| promise.name.0);
                    Writer(&mut form).number(1u32);
                    Writer(&mut form).number(name);
                    Writer(&mut form).number(world.event(operation).map_or(0, |event| event.0));
                }
                task => {
                    Writer(&mut form).number(0u32);
                    form_of(world.event(operation), class, task, host, &mut form);
                }
            }
            tell(&form);
        }
        // A timer that is due is the loop's to run.
        for (_, task) in machine.pending().filter(|&(time, _)| time > world.now) {
            form.clear();
            form_of(None, Class::Timer, task, host, &mut form);
            tell(&form);
        }
    }

    fn watched(&self) -> Option<&str> {
        let name = watched_in(&self.machine)?.callback.name;
        Some(self.host.setting.program.names.text(name))
    }
}

/// An operation, as configurations know it.
fn form_of(event: Option<Symbol>, class: Class, task: &Task, host: &Lasync, form: &mut Vec<u8>) {
    let mut writer = Writer(form);
    writer.number(class as u32);
    writer.number(event.map_or(0, |event| event.0 + 1));
    writer.task(task, host);
}

impl Execution {
    /// Pending timers, relative to now: only how they lie to each other and to now matters.
    fn write_timers(&self, writer: &mut Writer<'_>, world: &Oracle) {
        let now = world.now.as_micros();
        let mut pending: Vec<_> = self.machine.pending().collect();
        pending.sort_by_key(|&(time, _)| time);
        writer.number(pending.len() as u32);
        let mut base = 0;
        for (time, task) in pending {
            // In whole milliseconds from now; what is overdue keeps its distance to the next.
            let ahead = (time.as_micros() as i64 - now as i64) / 1_000;
            writer.0.extend_from_slice(&(ahead - base).to_le_bytes());
            base = ahead;
            writer.task(task, &self.host);
        }
        // A turn takes what was due when it began; what it releases itself is due later than that.
        let turn = self.machine.timed_turn().map(|(turn_now, _)| turn_now.as_micros() as i64);
        let turn = turn.map_or(i64::MAX, |turn_now| turn_now - now as i64);
        writer.0.extend_from_slice(&turn.to_le_bytes());
    }
}

/// Writes a configuration down.
struct Writer<'a>(&'a mut Vec<u8>);

impl Writer<'_> {
    fn number(&mut self, number: impl Into<u64>) {
        let mut number = number.into();
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    fn task(&mut self, task: &Task, host: &Lasync) {
        match task {
            Task::Main => unreachable!("the main program is never in a queue"),
            Task::Run(reaction, value) => {
                self.number(0u32);
                self.reaction(reaction);
                self.value(*value);
            }
            Task::Settle(id) => {
                self.number(1u32);
                let at = host.promises.iter().position(|promise| promise.id == *id);
                self.number(at.map_or(0, |at| at as u32 + 1));
            }
            Task::Trip { left, reaction } => {
                self.number(2 + u32::from(*left));
                self.reaction(reaction);
            }
        }
    }

    fn value(&mut self, value: Value) {
        self.number(value.map_or(0, |text| text.0 + 1));
    }

    fn reaction(&mut self, Reaction { callback, env, resolves, watched }: &Reaction) {
        self.number(callback.name.0);
        self.number(callback.body.0);
        self.number(env.len() as u32);
        env.iter().for_each(|&value| self.value(value));
        self.number(resolves.map_or(0, |resolution| resolution.promise.0 + 1));
        match resolves.and_then(|Resolution { value, .. }| value) {
            None => self.number(0u32),
            Some(Term::Text(text)) => self.number(2 * u64::from(text.0) + 1),
            Some(Term::Param(at)) => self.number(2 * u64::from(at) + 2),
        }
        self.number(u32::from(*watched));
    }
}
