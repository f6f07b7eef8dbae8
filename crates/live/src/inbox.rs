//! Where answers arrive, and how the program's thread sleeps until one does.

use hemiola_gate::Answer;
use hemiola_machine::{Completion, Instant, Operation};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::num::NonZeroU64;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The program's end: receives and waits.
pub(crate) struct Inbox {
    shared: Arc<Shared>,
    /// What was taken out of the queue at once with something before it.
    taken: VecDeque<Completion<Answer>>,
    /// A byte arrives here when there may be something to look at.
    bell: UnixStream,
}

/// Everybody else's end: delivers.
#[derive(Clone)]
pub(crate) struct Sender(Arc<Shared>);

struct Shared {
    /// Whether the queue may hold anything: asked far more often than it does.
    any: AtomicBool,
    /// Whether the program's thread sleeps, or is about to.
    asleep: AtomicBool,
    queue: Mutex<VecDeque<Completion<Answer>>>,
    start: std::time::Instant,
    bell: UnixStream,
}

impl Inbox {
    /// An inbox whose stamps count from `start`.
    pub(crate) fn new(start: std::time::Instant) -> io::Result<Self> {
        let (bell, other) = UnixStream::pair()?;
        bell.set_nonblocking(true)?;
        other.set_nonblocking(true)?;
        // A timer that the system may round to 50 microseconds would fire so much later.
        let _ = rustix::thread::set_current_timer_slack(NonZeroU64::new(1));
        let shared = Shared {
            any: AtomicBool::new(false),
            asleep: AtomicBool::new(false),
            queue: Mutex::default(),
            start,
            bell: other,
        };
        Ok(Self { shared: Arc::new(shared), taken: VecDeque::new(), bell })
    }

    /// A way to deliver from another thread.
    pub(crate) fn sender(&self) -> Sender {
        Sender(Arc::clone(&self.shared))
    }

    /// Something that rings the bell when it is written to, also from a signal's handler.
    pub(crate) fn bell(&self) -> io::Result<OwnedFd> {
        self.shared.bell.try_clone().map(OwnedFd::from)
    }

    /// Puts in an answer that was there already when the program's thread asked: nobody is asleep.
    pub(crate) fn put(&self, operation: Operation, since: std::time::Instant, answer: Answer) {
        let since = since.duration_since(self.shared.start).as_micros();
        let stamp = Instant::from_micros(since as u64);
        let mut queue = self.shared.queue();
        queue.push_back(Completion { operation, stamp, answer });
        self.shared.any.store(true, Ordering::Release);
    }

    /// The next answer.
    pub(crate) fn take(&mut self) -> Option<Completion<Answer>> {
        if self.taken.is_empty() && self.shared.any.load(Ordering::Acquire) {
            let mut queue = self.shared.queue();
            std::mem::swap(&mut *queue, &mut self.taken);
            self.shared.any.store(false, Ordering::Release);
        }
        self.taken.pop_front()
    }

    /// Sleeps until the bell rings, or until that instant; not while there is something to take.
    pub(crate) fn sleep(&mut self, until: Option<Instant>) {
        if !self.taken.is_empty() {
            return;
        }
        // Whoever delivers after this rings, and what was delivered before is seen.
        self.shared.asleep.store(true, Ordering::SeqCst);
        if !self.shared.any.load(Ordering::SeqCst) {
            self.doze(until);
        }
        self.shared.asleep.store(false, Ordering::SeqCst);
    }

    fn doze(&mut self, until: Option<Instant>) {
        let mut bell = [PollFd::from_borrowed_fd(self.bell.as_fd(), PollFlags::IN)];
        loop {
            let left = until.map(|until| {
                let due = Duration::from_micros(until.as_micros());
                due.saturating_sub(self.shared.start.elapsed())
            });
            let asked = left.map(sooner);
            let timeout = asked.map(|asked| Timespec {
                // More seconds than the system can count are for ever enough.
                tv_sec: i64::try_from(asked.as_secs()).unwrap_or(i64::MAX),
                tv_nsec: asked.subsec_nanos().into(),
            });
            match poll(&mut bell, timeout.as_ref()) {
                Ok(0) if asked < left => {}
                Ok(0) => break,
                Ok(_) => {
                    let mut rung = [0; 64];
                    while matches!(self.bell.read(&mut rung), Ok(count) if count == rung.len()) {}
                    break;
                }
                // Woken too early, by a signal or for nothing, the caller looks again and comes back.
                Err(_) => break,
            }
        }
    }
}

/// How long to ask the system to wait. It may take a thousandth longer than it is asked, to save power: so
/// of a long time it is first asked for less.
fn sooner(left: Duration) -> Duration {
    if left < Duration::from_millis(100) { left } else { left - left / 500 }
}

impl Sender {
    /// Delivers an answer that has just become ready.
    pub(crate) fn deliver(&self, operation: Operation, answer: Answer) {
        let stamp = Instant::from_micros(self.0.start.elapsed().as_micros() as u64);
        let mut queue = self.0.queue();
        queue.push_back(Completion { operation, stamp, answer });
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

impl Shared {
    fn queue(&self) -> std::sync::MutexGuard<'_, VecDeque<Completion<Answer>>> {
        // Whoever panicked while holding it left it whole: it only pushes and pops.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
