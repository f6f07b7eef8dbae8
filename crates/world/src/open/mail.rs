//! What the hub of a lone machine answers: it waits here until the world is told to pass it on.

use hemiola_gate::{Answer, Datum, Fault, Hub, HubCall, MAIN, Member, Post, WorkerCall};
use hemiola_machine::Operation;
use std::sync::{Arc, Mutex, PoisonError};

/// A machine's hub, and what it has answered.
pub(crate) struct Mail {
    hub: Arc<Hub>,
    slot: Arc<Slot>,
}

#[derive(Default)]
struct Slot(Mutex<Vec<(Operation, Answer)>>);

impl Slot {
    fn take(&self) -> Vec<(Operation, Answer)> {
        // Only one thread comes here, and nothing in here panics.
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Post for Slot {
    fn deliver(&self, operation: Operation, answer: Answer) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push((operation, answer));
    }

    fn ring(&self) {}
}

impl Mail {
    pub(crate) fn new(member: Member) -> Self {
        let slot = Arc::new(Slot::default());
        member.hub.reach(MAIN, Arc::clone(&slot) as Arc<dyn Post>);
        Self { hub: member.hub, slot }
    }

    pub(crate) fn submit(&self, operation: Operation, call: HubCall) {
        self.hub.submit(MAIN, operation, call);
    }

    pub(crate) fn cancel(&self, operation: Operation) {
        self.hub.cancel(MAIN, operation);
    }

    pub(crate) fn take(&self) -> Vec<(Operation, Answer)> {
        self.slot.take()
    }

    /// Does what a call asks for. Nobody else is there who could wake one that sleeps.
    pub(crate) fn perform(&self, call: HubCall) -> Answer {
        if let HubCall::Worker(WorkerCall::Start { .. }) = call {
            let message = "workers cannot be explored: run this program with hemiola simulate";
            return Err(Fault::new("ENOSYS", message));
        }
        let Some(asked) = call.sleep() else { return self.hub.perform(MAIN, call) };
        let Some(sleep) = self.hub.fall_asleep(MAIN, asked) else {
            return Ok(Datum::Text("not-equal".into()));
        };
        self.hub.wake_up(sleep);
        if asked.limit_ms.is_some() {
            return Ok(Datum::Text("timed-out".into()));
        }
        Err(asked.endless())
    }
}
