//! Operations: what was asked of the world, and what becomes of its answers.

use super::{Machine, Outstanding, Step};
use crate::chooser::Chooser;
use crate::context::Context;
use crate::current::Current;
use crate::host::Host;
use crate::language::Language;
use crate::queues::{Group, Ready};
use crate::through::{Through, choose};
use crate::world::{Completion, Move, World};
use hemiola_trace::{Class, Event, Operation, Origin, Sink};

impl<L: Language> Machine<L> {
    pub(crate) fn ask(&mut self, class: Class, group: Group, callback: L::Callback) -> Operation {
        self.operations += 1;
        let operation = Operation(self.operations);
        let Current { invocation: link, domain, level } = self.current;
        self.domains.hold(domain);
        self.learned.registered(Origin::Operation(operation), class, false);
        let referenced = true;
        self.outstanding.insert(
            operation,
            Outstanding { class, group, callback, link, domain, level, referenced },
        );
        operation
    }

    /// Says whether an outstanding operation keeps the program alive.
    pub(crate) fn refer(&mut self, operation: Operation, referenced: bool) {
        if let Some(outstanding) = self.outstanding.get_mut(&operation) {
            outstanding.referenced = referenced;
        }
    }

    /// Forgets an outstanding operation; whether there was one.
    pub(crate) fn give_up(&mut self, operation: Operation) -> bool {
        let Some(outstanding) = self.outstanding.remove(&operation) else { return false };
        self.domains.drop_hold(outstanding.domain);
        self.learned.dropped(Origin::Operation(operation));
        true
    }

    /// Lets the world do what an oracle chose.
    pub(super) fn make<W: World<L>, C: Chooser, S: Sink>(
        &mut self,
        taken: Move,
        host: &mut impl Host<Language = L>,
        gate: &mut Through<'_, L, W, C, S>,
    ) -> Step {
        match taken {
            Move::Answer(operation) => {
                let Through { world, chooser, sink, .. } = gate;
                let completion =
                    world.answer(operation, &mut |count| choose(*chooser, *sink, count));
                self.complete(completion, gate);
            }
            Move::Pass(_) | Move::Advance(_) => gate.world.moved(taken),
            Move::Signal(signal) => {
                gate.world.moved(taken);
                let mut context = Context { machine: self, gate };
                host.signal(signal, &mut context);
            }
        }
        Step::Moved
    }

    /// Puts the callback of an answered operation into its queue.
    pub(super) fn complete<W: World<L>, C: Chooser, S: Sink>(
        &mut self,
        completion: Completion<L::Answer>,
        gate: &mut Through<'_, L, W, C, S>,
    ) {
        let Completion { operation, stamp, answer } = completion;
        let Some(outstanding) = self.outstanding.remove(&operation) else {
            return; // Given up before the answer came.
        };
        let Outstanding { class, group, callback, link, domain, level, .. } = outstanding;
        self.seen = self.seen.max(stamp);
        if S::LISTENS {
            gate.sink.event(Event::Completed { operation, at: stamp });
        }
        // An operation causes its callback where it was asked for (rule CTX-3).
        let answer = Some(answer);
        let asked = Current { invocation: link, domain, level };
        let ready = Ready { answer, stamp, operation, ..Ready::new(callback, group, link, asked) };
        self.queues.push(class, ready);
    }
}
