//! Where answers arrive, and how the program's thread sleeps until one does.

use crate::clock::{Alarm, Moment, WallWatch};
use hemiola_gate::{Answer, Datum};
use hemiola_machine::{Completion, Instant, Operation};
use rustix::event::{PollFd, PollFlags, poll};
use std::collections::VecDeque;
use std::io::{self, Read, Write};
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
    alarm: Alarm,
    /// What tells that the clock on the wall was set, once somebody wants to know.
    wall: Option<WallWatch>,
    /// Who wants to know that now.
    awaits_setting: Vec<Operation>,
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
    start: Moment,
    bell: UnixStream,
}

impl Inbox {
    /// An inbox whose stamps count from `start`.
    pub(crate) fn new(start: Moment) -> io::Result<Self> {
        let (bell, other) = UnixStream::pair()?;
        bell.set_nonblocking(true)?;
        other.set_nonblocking(true)?;
        let shared = Shared {
            any: AtomicBool::new(false),
            asleep: AtomicBool::new(false),
            queue: Mutex::default(),
            start,
            bell: other,
        };
        let shared = Arc::new(shared);
        let (alarm, awaits_setting) = (Alarm::new()?, Vec::new());
        Ok(Self { shared, taken: VecDeque::new(), bell, alarm, wall: None, awaits_setting })
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
    pub(crate) fn put(&self, operation: Operation, since: Moment, answer: Answer) {
        let stamp = since.in_run(self.shared.start);
        let mut queue = self.shared.queue();
        queue.push_back(Completion::new(operation, stamp, answer));
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

    /// Lets an operation wait until somebody sets the clock on the wall.
    pub(crate) fn await_setting(&mut self, operation: Operation) -> io::Result<()> {
        if self.wall.is_none() {
            self.wall = Some(WallWatch::new()?);
        }
        self.awaits_setting.push(operation);
        Ok(())
    }

    /// Is told that an operation does not wait any more.
    pub(crate) fn cancel(&mut self, operation: Operation) {
        self.awaits_setting.retain(|&one| one != operation);
    }

    /// Answers who waits for the clock on the wall, if it was set.
    pub(crate) fn look_at_wall(&mut self) {
        if self.awaits_setting.is_empty() || !self.wall.as_ref().is_some_and(WallWatch::was_set) {
            return;
        }
        for operation in std::mem::take(&mut self.awaits_setting) {
            self.put(operation, Moment::now(), Ok(Datum::Undefined));
        }
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
        let moment =
            |until: Instant| self.shared.start.after(Duration::from_micros(until.as_micros()));
        self.alarm.set(until.map(moment));
        let wall = self.wall.as_ref().filter(|_| !self.awaits_setting.is_empty());
        // Without anybody who waits for the wall the last one is not looked at.
        let fds =
            [self.bell.as_fd(), self.alarm.as_fd(), wall.map_or(self.bell.as_fd(), AsFd::as_fd)];
        let mut waits = fds.map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN));
        let count = if wall.is_some() { 3 } else { 2 };
        // Woken too early, by a signal or for nothing, the caller looks again and comes back.
        if poll(&mut waits[..count], None).is_err() {
            return;
        }
        let [is_rung, _, is_set] = waits.map(|one| !one.revents().is_empty());
        if is_rung {
            let mut rung = [0; 64];
            while matches!(self.bell.read(&mut rung), Ok(count) if count == rung.len()) {}
        }
        if is_set {
            self.look_at_wall();
        }
    }
}

impl Sender {
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

impl Shared {
    fn queue(&self) -> std::sync::MutexGuard<'_, VecDeque<Completion<Answer>>> {
        // Whoever panicked while holding it left it whole: it only pushes and pops.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
