//! λasync programs as systems that can be explored.

use super::bounds::Bounds;
use super::host::{Lasync, Reaction, Setting, Task, watched_in};
use super::oracle::Oracle;
use super::syntax::{Program, Statement};
use crate::hunt::Hunt;
use crate::names::Symbol;
use crate::study;
use hemiola_explore::{End, Next};
use hemiola_machine::{Chooser, Class, Machine, Named, Sink, Step};
use hemiola_trace::source::SourceError;
use std::collections::BTreeSet;
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

    fn start(&self, hunting: bool) -> Execution {
        let Self { program, strategy, bounds } = *self;
        let (program, bounds) = (program.clone(), *bounds);
        let hunt = hunting.then(|| Hunt::for_any_of(callbacks(&program)));
        let setting = Rc::new(Setting { program, strategy, bounds, hunt });
        let machine = Machine::new(Task::Main);
        let ordered = strategy == Named::NodePhases;
        Execution {
            machine: if ordered { machine } else { machine.unordered() },
            host: Lasync::new(setting),
            world: Oracle::new(hunting),
        }
    }
}

/// The names of all callbacks.
fn callbacks(program: &Program) -> BTreeSet<Symbol> {
    let statements = program.bodies.iter().flat_map(|body| &body.statements);
    let names = statements.filter_map(|statement| match statement {
        Statement::NextTick(callback)
        | Statement::Immediate(callback)
        | Statement::Micro(callback)
        | Statement::Timeout { callback, .. }
        | Statement::Then { callback, .. }
        | Statement::Io { callback, .. }
        | Statement::ReadFile { callback, .. } => Some(callback.name),
        Statement::Log(_)
        | Statement::Promise(_)
        | Statement::Resolve(_)
        | Statement::Call(_)
        | Statement::Set(_)
        | Statement::IfLog { .. } => None,
    });
    names.collect()
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
            Step::Moved if machine.turns() > host.setting.bounds.ticks => {
                Next::End(host.end_at(Bounds::TICKS, watched_in(machine)))
            }
            Step::Moved => Next::Configuration,
            Step::Finished if host.setting.hunt.is_some() => Next::End(End::Dropped),
            Step::Finished => Next::End(End::Final),
            Step::Halted => Next::End(host.end.take().expect("a host that halts says why")),
        }
    }
    fn write(&self, bytes: &mut Vec<u8>) {
        let Self { machine, host, world } = self;
        let mut writer = Writer(bytes);
        writer.number(machine.turns());
        writer.number(host.logs);
        writer.number(host.callbacks);
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
                writer.task(&ready.callback);
            }
        }
        let open = machine.open_group().map(|(class, group)| {
            let queue = machine.ready(class);
            let at = queue.iter().position(|ready| ready.group == group);
            1 + class as u32 + 8 * at.map_or(0, |at| at as u32)
        });
        writer.number(open.unwrap_or(0));
        let mut forms: Vec<Vec<u8>> = machine
            .outstanding()
            .map(|(_, class, task)| {
                let mut form = vec![class as u8];
                Writer(&mut form).task(task);
                form
            })
            .collect();
        forms.sort_unstable();
        writer.number(forms.len() as u32);
        forms.iter().for_each(|form| writer.0.extend_from_slice(form));
        writer.number(host.promises.len() as u32);
        for promise in &host.promises {
            writer.number(promise.name.0);
            writer.number(u32::from(promise.resolved));
            writer.number(promise.waiting.len() as u32);
            promise.waiting.iter().for_each(|(reaction, _)| writer.reaction(reaction));
        }
        writer.number(host.flags.len() as u32);
        host.flags.iter().for_each(|flag| writer.number(flag.0));
        self.write_timers(&mut writer, world);
    }
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
            writer.task(task);
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

    fn task(&mut self, task: &Task) {
        match task {
            Task::Main => unreachable!("the main program is never in a queue"),
            Task::Run(reaction) => {
                self.number(0u32);
                self.reaction(reaction);
            }
            Task::Trip { left, reaction } => {
                self.number(1 + u32::from(*left));
                self.reaction(reaction);
            }
        }
    }

    fn reaction(&mut self, Reaction { callback, resolves, watched }: &Reaction) {
        self.number(callback.name.0);
        self.number(callback.body.0);
        self.number(resolves.map_or(0, |promise| promise.0 + 1));
        self.number(u32::from(*watched));
    }
}
