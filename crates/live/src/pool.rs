//! Threads that do what takes a while: files may be on slow disks.

use crate::deliveries::Sender;
use hemiola_gate::Answer;
use hemiola_machine::Operation;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// How many operations run at a time, as in Node.
const THREADS: usize = 4;

/// What is to be done: gives the answer, and how often the poll phase sees it.
type Work = Box<dyn FnOnce() -> (Answer, u32) + Send>;

/// A few threads, started when there is work for them.
///
/// Waking a thread takes about as long as reading a small file. So as long as one is at work, further
/// operations only join the queue; the program's thread calls for more hands when it has nothing else
/// to do, see [`Pool::hurry`].
pub(crate) struct Pool {
    sender: Sender,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    wake: Condvar,
}

#[derive(Default)]
struct State {
    queue: VecDeque<(Operation, Work)>,
    threads: usize,
    /// How many threads wait for work, and how many of them were called.
    idle: usize,
    called: usize,
    closed: bool,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        // Whoever panicked did so while at work, which is not under the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Pool {
    pub(crate) fn new(sender: Sender) -> Self {
        Self { sender, shared: Arc::default() }
    }

    /// Does the work on some thread, and delivers what comes of it.
    pub(crate) fn run(&mut self, operation: Operation, work: Work) {
        let mut state = self.shared.state();
        state.queue.push_back((operation, work));
        let at_work = state.threads - (state.idle - state.called);
        if at_work == 0 {
            self.call(&mut state);
        }
    }

    /// Lets as many threads work as there is work for.
    pub(crate) fn hurry(&mut self) {
        let mut state = self.shared.state();
        let at_work = state.threads - (state.idle - state.called);
        let unattended = state.queue.len().saturating_sub(state.called);
        for _ in 0..unattended.min(THREADS - at_work) {
            self.call(&mut state);
        }
    }

    /// Calls one more thread to work.
    fn call(&self, state: &mut State) {
        if state.called < state.idle {
            state.called += 1;
            self.shared.wake.notify_one();
        } else if state.threads < THREADS {
            state.threads += 1;
            let (sender, shared) = (self.sender.clone(), Arc::clone(&self.shared));
            // It ends with the process, or with the pool.
            let thread = std::thread::Builder::new().name("hemiola-files".into());
            thread.spawn(move || work(&shared, &sender)).expect("a thread can be started");
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.state().closed = true;
        self.shared.wake.notify_all();
    }
}

/// What a thread does: whatever is next, until the pool is no more.
fn work(shared: &Shared, sender: &Sender) {
    let mut state = shared.state();
    loop {
        if let Some((operation, work)) = state.queue.pop_front() {
            drop(state);
            let (answer, trips) = work();
            sender.deliver_in(operation, answer, trips);
            state = shared.state();
        } else if state.closed {
            return;
        } else {
            state.idle += 1;
            state = shared.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.idle -= 1;
            state.called = state.called.saturating_sub(1);
        }
    }
}
