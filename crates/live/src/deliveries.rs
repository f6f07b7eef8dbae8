//! How answers come to a program's thread from wherever they are made.

use crate::clock::Moment;
use hemiola_gate::Answer;
use hemiola_machine::{Completion, Operation};
use std::collections::VecDeque;
use std::io::Write;
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What whoever delivers and the inbox share.
pub(crate) struct Shared {
    /// Whether the queue may hold anything: asked far more often than it does.
    pub(crate) any: AtomicBool,
    /// Whether the program's thread sleeps, or is about to.
    pub(crate) asleep: AtomicBool,
    queue: Mutex<VecDeque<Completion<Answer>>>,
    /// What stamps count from.
    pub(crate) start: Moment,
    pub(crate) bell: UnixStream,
}

impl Shared {
    pub(crate) fn new(start: Moment, bell: UnixStream) -> Self {
        let (any, asleep) = (AtomicBool::new(false), AtomicBool::new(false));
        Self { any, asleep, queue: Mutex::default(), start, bell }
    }

    pub(crate) fn queue(&self) -> MutexGuard<'_, VecDeque<Completion<Answer>>> {
        // Whoever panicked while holding it left it whole: it only pushes and pops.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Everybody else's end of an inbox: delivers.
#[derive(Clone)]
pub(crate) struct Sender(Arc<Shared>);

impl Sender {
    pub(crate) fn to(shared: &Arc<Shared>) -> Self {
        Self(Arc::clone(shared))
    }

    /// Delivers an answer that has just become ready.
    pub(crate) fn deliver(&self, operation: Operation, answer: Answer) {
        self.deliver_in(operation, answer, 1);
    }

    /// The same for an answer that the poll phase sees that often.
    pub(crate) fn deliver_in(&self, operation: Operation, answer: Answer, trips: u32) {
        let stamp = Moment::now().in_run(self.0.start);
        let mut queue = self.0.queue();
        queue.push_back(Completion { operation, stamp, answer, trips });
        self.0.any.store(true, Ordering::SeqCst);
        drop(queue);
        if self.0.asleep.swap(false, Ordering::SeqCst) {
            self.ring();
        }
    }

    /// Wakes the program's thread.
    pub(crate) fn ring(&self) {
        // A bell that is full of rings is rung.
        let _ = (&self.0.bell).write(&[1]);
    }
}
