//! L programs as systems that can be explored.

use super::bounds::{Bounds, Mode};
use super::env::{Env, Slot, Value};
use super::host::{Callback, L, Queued, Setting, watched_in};
use super::oracle::Oracle;
use super::syntax::Program;
use crate::hunt::Hunt;
use crate::study::{self, Following};
use hemiola_explore::{End, Next};
use hemiola_machine::{Chooser, Class, Machine, Named, Sink, Step};
use std::rc::Rc;

/// A program of L on the machine, with all that decides its future.
#[derive(Clone)]
pub struct Execution {
    machine: Machine<L>,
    host: L,
    world: Oracle,
}

/// A program of L, how its rules are read, and how far it is followed.
#[derive(Clone, Copy, Debug)]
pub struct Study<'a> {
    /// The program.
    pub program: &'a Program,
    /// How the rules are read.
    pub mode: Mode,
    /// How far it is followed.
    pub bounds: &'a Bounds,
}

impl study::Study for Study<'_> {
    type Execution = Execution;

    fn start(&self, following: Following) -> Execution {
        let Self { program, mode, bounds } = *self;
        let setting = Rc::new(Setting::new(program.clone(), mode, bounds.clone(), following));
        let budgets = bounds.external.iter().map(|&(_, budget)| budget).collect();
        let world = Oracle::new(setting.values.clone(), budgets);
        Execution { machine: Machine::new(Callback::Main), host: L::new(setting), world }
    }
}

impl study::Execution for Execution {
    fn take_step(&mut self, chooser: &mut impl Chooser, sink: &mut impl Sink) -> Next {
        let Self { machine, host, world } = self;
        if host.setting.hunt.as_ref().is_some_and(Hunt::is_over) {
            return Next::End(End::Dropped);
        }
        match machine.step(host, &Named::Machine, world, chooser, sink) {
            Step::Moved => Next::Configuration,
            Step::Finished if host.setting.hunt.is_some() => Next::End(End::Dropped),
            Step::Finished => Next::End(End::Final),
            Step::Halted => Next::End(host.end.take().expect("a host that halts says why")),
        }
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        let mut writer = Writer { host: &self.host, bytes, cells: Vec::new() };
        let host = &self.host;
        if !host.setting.following.endless {
            for count in [host.observations, host.calls, host.dispatches] {
                writer.number(count);
            }
        }
        writer.number(host.waited.map_or(0, |waited| waited + 1));
        writer.number(u32::from(self.machine.is_new()) + 2 * u32::from(self.machine.is_paused()));
        writer.number(host.stack.len() as u32);
        for frame in &host.stack {
            writer.env(frame.env);
            writer.number(frame.block.0);
            writer.number(frame.next);
        }
        for class in [Class::Tick, Class::Io, Class::Immediate] {
            let queue = self.machine.ready(class);
            writer.number(queue.len() as u32);
            for ready in queue {
                writer.queued(queued(&ready.callback), ready.answer().map(|answer| &**answer));
            }
        }
        writer.outstanding(&self.machine);
        writer.number(host.listeners.len() as u32);
        for listener in &host.listeners {
            writer.number(listener.event.0);
            writer.env(listener.env);
            writer.number(listener.callbacks.len() as u32);
            listener.callbacks.iter().for_each(|name| writer.number(name.0));
        }
        writer.number(host.globals.len() as u32);
        for &(name, value) in &host.globals {
            writer.number(name.0);
            writer.value(value);
        }
        self.world.external.iter().for_each(|&left| writer.number(left));
        writer.heap();
    }

    fn awaited(&self, tell: &mut dyn FnMut(&[u8])) {
        let mut bytes = Vec::new();
        for (_, _, callback) in self.machine.outstanding() {
            let queued = queued(callback);
            bytes.clear();
            // Which cells it sees cannot be told across configurations: those with the same names count
            // as one.
            let mut writer = Writer { host: &self.host, bytes: &mut bytes, cells: Vec::new() };
            writer.number(head(queued));
            if self.host.envs.has_cells(queued.env) {
                self.host
                    .envs
                    .slots(queued.env)
                    .iter()
                    .for_each(|&(name, _)| writer.number(name.0));
            } else {
                writer.number(queued.env.0);
            }
            tell(&bytes);
        }
    }

    fn watched(&self) -> Option<&str> {
        watched_in(&self.machine).map(|name| self.host.setting.text(name))
    }
}

fn queued(callback: &Callback) -> &Queued {
    match callback {
        Callback::Call(queued) => queued,
        Callback::Main => unreachable!("the main program is never in a queue"),
    }
}

/// Whom a queued call is to, and whether it is watched.
fn head(queued: &Queued) -> u32 {
    2 * queued.function.0 + u32::from(queued.watched)
}

/// Writes a configuration down. Cells get their numbers in the order in which they are met, so that
/// where the heap keeps them does not matter, nor what nobody refers to any more.
struct Writer<'a> {
    host: &'a L,
    bytes: &'a mut Vec<u8>,
    cells: Vec<u32>,
}

impl Writer<'_> {
    /// Small numbers take one byte.
    fn number(&mut self, mut number: u32) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    fn queued(&mut self, queued: &Queued, answer: Option<&[Value]>) {
        self.number(head(queued));
        self.env(queued.env);
        let args = answer.unwrap_or(&queued.args);
        self.number(args.len() as u32);
        args.iter().for_each(|&value| self.value(value));
    }

    /// Operations are a multiset: where no cell is involved, the order in which they were asked for
    /// is forgotten, and equal ones are counted.
    fn outstanding(&mut self, machine: &Machine<L>) {
        let callbacks = || machine.outstanding().map(|(_, _, callback)| queued(callback));
        self.number(callbacks().count() as u32);
        if callbacks().any(|queued| self.host.envs.has_cells(queued.env)) {
            callbacks().for_each(|queued| self.queued(queued, None));
            return;
        }
        let mut forms: Vec<(u32, u32)> =
            callbacks().map(|queued| (head(queued), queued.env.0)).collect();
        forms.sort_unstable();
        for equal in forms.chunk_by(|left, right| left == right) {
            self.number(equal.len() as u32);
            self.number(equal[0].0);
            self.number(equal[0].1);
        }
    }

    fn env(&mut self, env: Env) {
        if !self.host.envs.has_cells(env) {
            self.number(2 * env.0);
            return;
        }
        let slots = self.host.envs.slots(env);
        self.number(2 * slots.len() as u32 + 1);
        for &(name, slot) in slots.iter() {
            self.number(name.0);
            match slot {
                Slot::Value(value) => {
                    self.bytes.push(0);
                    self.value(value);
                }
                Slot::Cell(cell) => {
                    self.bytes.push(1);
                    let known = self.cells.iter().position(|&known| known == cell);
                    let at = known.unwrap_or_else(|| {
                        self.cells.push(cell);
                        self.cells.len() - 1
                    });
                    self.number(at as u32);
                }
            }
        }
    }

    fn value(&mut self, value: Value) {
        match value {
            Value::Undefined => self.bytes.push(0),
            Value::Number(number) => {
                self.bytes.push(1);
                self.bytes.extend_from_slice(&number.to_le_bytes());
            }
            Value::Name(name) => {
                self.bytes.push(2);
                self.number(name.0);
            }
            Value::Function(id, env) => {
                self.bytes.push(3);
                self.number(id.0);
                self.env(env);
            }
        }
    }

    /// The values of all cells that were met, and of those met on the way.
    fn heap(&mut self) {
        let mut written = 0;
        while let Some(&cell) = self.cells.get(written) {
            self.value(self.host.heap[cell as usize]);
            written += 1;
        }
    }
}
