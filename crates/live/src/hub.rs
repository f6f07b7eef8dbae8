//! Workers of the live world: each on a thread of its own, reached through its inbox.

use crate::deliveries::Sender;
use hemiola_gate::{Answer, Datum, Fault, HubCall, Member, Post};
use hemiola_machine::Operation;
use std::io;
use std::sync::Arc;
use std::time::Duration;

impl Post for Sender {
    fn deliver(&self, operation: Operation, answer: Answer) {
        Sender::deliver(self, operation, answer);
    }

    fn ring(&self) {
        Sender::ring(self);
    }
}

/// Says how a machine is reached.
pub(crate) fn join(member: &Member, sender: Sender) {
    member.hub.reach(member.machine, Arc::new(sender));
}

/// Answers a call for the hub at once. Who sleeps does so here.
pub(crate) fn perform(member: &Member, call: HubCall) -> Answer {
    let Some(sleep) = call.sleep() else { return member.hub.perform(member.machine, call) };
    let limit = sleep.limit_ms;
    let limit = limit.map(|ms| Duration::try_from_secs_f64(ms / 1000.0).unwrap_or(Duration::MAX));
    let text = match member.hub.fall_asleep(member.machine, sleep) {
        None => "not-equal",
        Some(sleep) if member.hub.sleep(sleep, limit) => "ok",
        Some(_) => "timed-out",
    };
    Ok(Datum::Text(text.into()))
}

/// How much of its stack a thread keeps for what the engine calls.
const SPARE: usize = 1024 * 1024;

/// Runs a worker on a thread of its own that has so much stack for the program.
pub fn spawn(stack: usize, body: impl FnOnce() + Send + 'static) -> Result<(), Fault> {
    let thread =
        std::thread::Builder::new().name("worker".into()).stack_size(stack.saturating_add(SPARE));
    let started = thread.spawn(body);
    started.map(|_| ()).map_err(|error: io::Error| {
        Fault::new("ERR_WORKER_INIT_FAILED", format!("Worker initialization failure: {error}"))
    })
}
