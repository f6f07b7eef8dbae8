//! Operations: what was asked of the world, and what becomes of its answers.

use super::{Machine, Outstanding, Step};
use crate::chooser::Chooser;
use crate::context::Context;
use crate::current::Current;
use crate::host::Host;
use crate::language::Language;
use crate::priority::Level;
use crate::queues::{Group, Ready};
use crate::through::{Gate, Through, choose};
use crate::world::{Answered, Completion, Move, World};
use hemiola_time::Instant;
use hemiola_trace::{Class, Event, Medium, Operation, Origin, Sink};

impl<L: Language> Machine<L> {
    pub(crate) fn ask(
        &mut self,
        medium: Option<Medium>,
        class: Class,
        group: Group,
        callback: L::Callback,
    ) -> Operation {
        self.operations += 1;
        let operation = Operation(self.operations);
        let Current { invocation: link, domain, standing } = self.current;
        self.domains.hold(domain);
        self.learned.registered(Origin::Operation(operation), class, false);
        let referenced = true;
        self.outstanding.insert(
            operation,
            Outstanding { class, group, callback, link, domain, standing, medium, referenced },
        );
        operation
    }

    /// Says whether an outstanding operation keeps the program alive.
    pub(crate) fn refer(&mut self, operation: Operation, referenced: bool) {
        if let Some(outstanding) = self.outstanding.get_mut(&operation) {
            outstanding.referenced = referenced;
        }
    }

    /// Gives an outstanding operation another level.
    pub(crate) fn set_operation_level(&mut self, operation: Operation, level: Level) {
        if let Some(outstanding) = self.outstanding.get_mut(&operation) {
            outstanding.standing = outstanding.standing.with_level(level);
        }
    }

    /// Forgets an outstanding operation; whether there was one.
    pub(crate) fn give_up(&mut self, operation: Operation) -> bool {
        let outstanding = self.outstanding.remove(&operation).map(|one| one.domain);
        let on_its_way = || self.queues.withdraw_operation(operation).map(|one| one.domain());
        let Some(domain) = outstanding.or_else(on_its_way) else { return false };
        self.domains.drop_hold(domain);
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
                match world.answer(operation, &mut |count| choose(*chooser, *sink, count)) {
                    Answered::Whole(completion) => self.take_in(completion, host, gate),
                    Answered::Part { trips } => self.get_on(operation, trips),
                }
                // What answers one operation may answer others that wait for the same.
                while let Some(completion) = gate.world.receive() {
                    self.take_in(completion, host, gate);
                }
            }
            Move::Pass(_) => gate.world.moved(taken),
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
        if let Some(outstanding) = self.answered(completion.operation, completion.stamp, gate) {
            self.enqueue(completion, outstanding, 0);
        }
    }

    /// As [`Machine::complete`], unless the host takes in the answer at once.
    fn take_in<W: World<L>, C: Chooser, S: Sink>(
        &mut self,
        completion: Completion<L::Answer>,
        host: &mut impl Host<Language = L>,
        gate: &mut Through<'_, L, W, C, S>,
    ) {
        let Completion { operation, stamp, answer, trips } = completion;
        let Some(outstanding) = self.answered(operation, stamp, gate) else { return };
        let Outstanding { link, domain, standing, .. } = outstanding;
        // A callback may stand still in the middle; what comes after it is its own again.
        let asked = Current { invocation: link, domain, standing };
        let running = std::mem::replace(&mut self.current, asked);
        let context = &mut Context { machine: self, gate };
        let left = host.take_in(outstanding.callback, answer, context);
        self.current = running;
        match left {
            None => self.domains.drop_hold(domain),
            Some((callback, answer)) => {
                let completion = Completion { operation, stamp, answer, trips };
                // Of what arrives together, what was answered earlier may have been done later.
                let others = gate.draw(1 + self.queues.meets(outstanding.class, trips));
                self.enqueue(completion, Outstanding { callback, ..outstanding }, others);
            }
        }
    }

    /// Notes that an operation was answered; nothing if it was given up before.
    fn answered<W: World<L>, C: Chooser, S: Sink>(
        &mut self,
        operation: Operation,
        stamp: Instant,
        gate: &mut Through<'_, L, W, C, S>,
    ) -> Option<Outstanding<L::Callback>> {
        let outstanding = self.outstanding.remove(&operation)?;
        self.seen = self.seen.max(stamp);
        if S::LISTENS {
            gate.sink.event(Event::Completed { operation, at: stamp });
        }
        Some(outstanding)
    }

    fn enqueue(
        &mut self,
        completion: Completion<L::Answer>,
        outstanding: Outstanding<L::Callback>,
        others: usize,
    ) {
        let Completion { operation, stamp, answer, trips } = completion;
        let Outstanding { class, group, callback, link, domain, standing, .. } = outstanding;
        // An operation causes its callback where it was asked for (rule CTX-3).
        let asked = Current { invocation: link, domain, standing };
        let ready = Ready::new(callback, group, link, asked);
        let ready = ready.answered(operation, stamp, answer, trips);
        self.queues.push_before(class, ready, others);
    }

    /// Lets the loop see an operation of which a part is done.
    fn get_on(&mut self, operation: Operation, trips: u32) {
        let Some(outstanding) = self.outstanding.remove(&operation) else { return };
        let Outstanding { class, group, callback, link, domain, standing, medium, referenced } =
            outstanding;
        debug_assert!(referenced, "what is done in parts keeps the program alive");
        let asked = Current { invocation: link, domain, standing };
        let ready = Ready::new(callback, group, link, asked);
        self.queues.push(class, ready.in_part(operation, self.seen, medium, trips));
    }

    /// Sees an operation that is on its way, and does not run it (rule LOOP-7).
    pub(super) fn pass_by<W: World<L>, C: Chooser, S: Sink>(
        &mut self,
        class: Class,
        mut ready: Ready<L>,
        gate: &mut Through<'_, L, W, C, S>,
    ) -> Step {
        let operation = ready.operation();
        if ready.is_seen_again() {
            ready.see(1);
            self.queues.push(class, ready);
        } else {
            let medium = ready.medium();
            let (domain, standing) = (ready.domain(), ready.standing());
            let Ready { callback, group, link, .. } = ready;
            let referenced = true;
            self.outstanding.insert(
                operation,
                Outstanding { class, group, callback, link, domain, standing, medium, referenced },
            );
        }
        gate.world.seen(operation, 1);
        Step::Moved
    }
}
