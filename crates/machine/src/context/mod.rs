//! What a running callback may do.

mod clocks;
mod invocations;
mod outside;
mod queues;
mod releases;
mod watchdog;

use crate::chooser::First;
use crate::language::Language;
use crate::machine::Machine;
use crate::through::{Gate, Through};
use crate::world::World;
use hemiola_trace::{Event, Observation, Silent};

/// The way out of a running callback: to the machine, and through the gate.
pub struct Context<'a, L: Language> {
    pub(crate) machine: &'a mut Machine<L>,
    pub(crate) gate: &'a mut dyn Gate<L>,
}

impl<L: Language> Context<'_, L> {
    /// The machine, to look at.
    pub fn machine(&self) -> &Machine<L> {
        self.machine
    }

    /// Whether the world leaves open what happens when, and a chooser picks.
    pub fn is_open(&self) -> bool {
        self.gate.is_open()
    }

    /// Whether anybody listens to events.
    pub fn listens(&self) -> bool {
        self.gate.listens()
    }

    /// Tells of something that happened in the running callback, if anybody listens.
    pub fn event(&mut self, event: Event) {
        if self.gate.listens() {
            self.tell(event);
        }
    }

    /// Tells what the host alone knows of: accesses, and what their numbers stand for.
    pub fn tell(&mut self, event: Event) {
        self.announce();
        if matches!(event, Event::Task { .. })
            && let Some(granted) = self.machine.compute.tells()
        {
            self.gate.event(granted);
        }
        self.gate.event(event);
    }

    /// Tells where the thing just told of was registered, if that is asked for.
    fn tell_place(&mut self) {
        if let Some(place) = L::place() {
            self.gate.event(Event::Site(place));
        }
    }

    /// Shows a value.
    pub fn observe(&mut self, value: Observation) {
        self.tell(Event::Observed(value));
    }

    /// One of `count` values, drawn by the chooser.
    pub fn draw(&mut self, count: usize) -> usize {
        self.announce();
        self.gate.draw(count)
    }

    /// Keeps the program alive, as an outstanding operation would, until [`Context::let_end`].
    pub fn keep_alive(&mut self) {
        self.machine.kept_alive += 1;
    }

    /// Gives up what [`Context::keep_alive`] asked for.
    pub fn let_end(&mut self) {
        self.machine.kept_alive -= 1;
    }

    /// Lets `act` believe that it is the running callback: what it starts is forgotten, and what it asks
    /// for, it asks of that world. It sees the clocks as they are. The machine and its own world learn
    /// nothing.
    pub fn aside<R>(
        &self,
        world: &mut impl World<L>,
        act: impl FnOnce(&mut Context<'_, L>) -> R,
    ) -> R {
        let mut machine = Machine::default();
        machine.current = self.machine.current;
        machine.invocations = self.machine.invocations;
        machine.relations = self.machine.relations;
        machine.omega = self.machine.omega;
        machine.seen = self.machine.seen;
        machine.domains = self.machine.domains.unwatched();
        let mut gate = Through {
            world,
            chooser: &mut First,
            sink: &mut Silent,
            language: std::marker::PhantomData,
        };
        act(&mut Context { machine: &mut machine, gate: &mut gate })
    }
}
