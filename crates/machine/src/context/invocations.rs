//! Invocations that begin and end within a running callback.

use super::Context;
use crate::current::Current;
use crate::language::Language;
use hemiola_trace::{Class, Event, Invocation, Outcome};

impl<L: Language> Context<'_, L> {
    /// The running invocation.
    pub fn invocation(&self) -> Invocation {
        self.machine.current.invocation
    }

    /// Who attached the running callback, and who made it able to run; not for a job.
    pub fn relations(&self) -> (Invocation, Invocation) {
        self.machine.relations
    }

    /// Begins a job of the running batch (see `Host::is_batch`): an invocation of its own (rule
    /// CTX-1), which that one made able to run. Who attached it may turn out while it runs.
    pub fn begin_job(&mut self, cause: Invocation) {
        let machine = &mut *self.machine;
        machine.invocations += 1;
        let (invocation, standing) = (Invocation(machine.invocations), machine.current.standing);
        machine.current = Current { invocation, domain: None, standing };
        machine.unannounced = self.gate.listens().then_some(cause);
        if machine.is_over_with_job() {
            // It is an action by itself, and so are the clocks that it makes (rule TIME-2).
            machine.omega = None;
        }
        if machine.is_watched() {
            machine.begin_limit();
            self.gate.began();
        }
    }

    /// Says who attached the job that has begun; only what is said before anything else happens in it
    /// counts.
    pub fn link_job(&mut self, link: Invocation) {
        let Some(cause) = self.machine.unannounced.take() else { return };
        let invocation = self.machine.current.invocation;
        self.gate.event(Event::Began {
            invocation,
            class: Some(Class::Promise),
            domain: None,
            tag: None,
            origin: None,
            link,
            cause,
            at: self.machine.seen,
        });
    }

    /// Takes back a job in which nothing happened: it was none of the program's.
    pub fn drop_job(&mut self) {
        self.machine.unannounced = None;
        self.machine.invocations -= 1;
        self.machine.current.invocation = Invocation(self.machine.invocations);
    }

    /// Ends the job that has begun.
    pub fn end_job(&mut self, outcome: Outcome) {
        if self.gate.listens() {
            let invocation = self.machine.current.invocation;
            self.tell(Event::Ended { invocation, outcome });
        }
        let Self { machine, gate } = self;
        if machine.is_over_with_job() && machine.domains.may_collect() {
            machine.domains.collect(|domain| {
                if gate.listens() {
                    gate.event(Event::Collected { domain });
                }
            });
        }
    }

    /// Whatever happens in a job happens after its beginning. One of which nobody said who attached it
    /// was attached when it became able to run.
    pub(super) fn announce(&mut self) {
        if let Some(cause) = self.machine.unannounced {
            self.link_job(cause);
        }
    }

    /// Begins an invocation within the running one: a callback out of a queue of the program's own
    /// (rule CTX-5). Gives what [`Context::leave`] needs.
    pub fn enter(&mut self, link: Invocation, cause: Invocation) -> Invocation {
        self.machine.invocations += 1;
        let invocation = Invocation(self.machine.invocations);
        if self.gate.listens() {
            self.tell(Event::Entered { invocation, link, cause });
        }
        std::mem::replace(&mut self.machine.current.invocation, invocation)
    }

    /// Ends an invocation within another, which goes on.
    pub fn leave(&mut self, outer: Invocation) {
        let invocation = std::mem::replace(&mut self.machine.current.invocation, outer);
        if self.gate.listens() {
            self.tell(Event::Left { invocation });
        }
    }
}
