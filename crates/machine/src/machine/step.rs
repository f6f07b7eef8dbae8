//! One step, and the steps of a callback that stands still.

use super::{Machine, Paused};
use crate::chooser::Chooser;
use crate::context::Context;
use crate::host::Host;
use crate::language::Language;
use crate::strategy::Strategy;
use crate::through::{Gate, Through};
use crate::world::{Gap, World};
use hemiola_trace::{Event, Sink};

/// What a step did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Something happened; there may be more.
    Moved,
    /// Nothing is able to run and nothing can come: the program is over.
    Finished,
    /// The host cannot go on, and knows why.
    Halted,
}

impl<L: Language> Machine<L> {
    /// Takes one step: lets the outside in, asks the strategy and the world what may happen, lets
    /// the chooser pick, and does it.
    pub fn step<W: World<L>, S: Sink>(
        &mut self,
        host: &mut impl Host<Language = L>,
        strategy: &impl Strategy,
        world: &mut W,
        chooser: &mut impl Chooser,
        sink: &mut S,
    ) -> Step {
        let mut gate = Through { world, chooser, sink, language: std::marker::PhantomData };
        self.receive(&mut gate);
        if strategy.ranks() {
            self.learned.turn_on();
        }
        if self.paused.is_some() {
            return self.step_paused(host, &mut gate);
        }
        if let Some(fault) = self.fault.take() {
            return self.run_fault(fault, host, &mut gate);
        }
        if self.acting.is_some() {
            return self.act(host, &mut gate);
        }
        if let Some(main) = self.main.take() {
            return self.run_main(main, host, &mut gate);
        }
        for domain in host.dropped_holds() {
            self.domains.drop_hold(Some(domain));
        }
        self.divides_tails = strategy.divides_tails();
        let is_in_tail =
            self.tail_is_pending() && (self.round.acted.is_some() || !self.divides_tails);
        if self.domains.may_collect() && !is_in_tail {
            self.domains.collect(|domain| {
                if S::LISTENS {
                    gate.sink.event(Event::Collected { domain });
                }
            });
        }
        loop {
            let step = self.pick(host, strategy, &mut gate);
            // A phase that begins shows nothing and leaves nothing to choose.
            if !std::mem::take(&mut self.entered) || W::ORACLE {
                return step;
            }
            self.receive(&mut gate);
        }
    }

    /// Whether a promise job that has run is over by itself, and no part of a tail.
    pub(crate) fn is_over_with_job(&self) -> bool {
        self.divides_tails && self.round.acted.is_none()
    }

    /// Lets in what the world has answered.
    fn receive<W: World<L>, C: Chooser, S: Sink>(&mut self, gate: &mut Through<'_, L, W, C, S>) {
        while let Some(completion) = gate.world.receive() {
            self.complete(completion, gate);
        }
    }

    fn step_paused<W: World<L>, C: Chooser, S: Sink>(
        &mut self,
        host: &mut impl Host<Language = L>,
        gate: &mut Through<'_, L, W, C, S>,
    ) -> Step {
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        if W::ORACLE {
            gate.world.moves(Gap::Instruction, None, &mut moves);
        }
        let taken = gate.draw(1 + moves.len());
        let step = match taken {
            0 => {
                let Paused { timed, hold } = self.paused.take().expect("the step is for a pause");
                let progress = host.resume(&mut Context { machine: self, gate });
                self.ended(&progress, gate);
                self.settle(progress, timed, hold)
            }
            taken => self.make(moves[taken - 1], host, gate),
        };
        self.moves = moves;
        step
    }
}
