//! Where answers arrive, and how the program's thread sleeps until one does.

use crate::clock::{Alarm, Moment, WallWatch};
use crate::deliveries::{Sender, Shared};
use crate::reactor::{Call, Queue, Reactor};
use hemiola_gate::{Answer, Datum};
use hemiola_machine::{Completion, Instant, Operation};
use std::collections::VecDeque;
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// The program's end: receives and waits.
pub(crate) struct Inbox {
    shared: Arc<Shared>,
    /// What was taken out of the queue at once with something before it.
    taken: VecDeque<Completion<Answer>>,
    /// What this thread waits for at the system.
    reactor: Reactor,
    /// Whether the system was asked since the turn began.
    asked: bool,
    /// A byte arrives here when there may be something to look at.
    bell: UnixStream,
    alarm: Alarm,
    /// What tells that the clock on the wall was set, once somebody wants to know.
    wall: Option<WallWatch>,
    /// Whether it was set when nobody waited for that.
    was_set: bool,
    /// Who wants to know that now.
    awaits_setting: Vec<Operation>,
}

/// An inbox that is not in use yet, and can still go to another thread.
pub(crate) struct Unopened {
    shared: Arc<Shared>,
    queue: Queue,
    bell: UnixStream,
    alarm: Alarm,
}

impl Unopened {
    /// An inbox whose stamps count from `start`.
    pub(crate) fn new(start: Moment) -> io::Result<Self> {
        let (bell, other) = UnixStream::pair()?;
        bell.set_nonblocking(true)?;
        other.set_nonblocking(true)?;
        let (queue, alarm) = (Queue::new()?, Alarm::new()?);
        queue.heed(&bell, Call::Bell)?;
        queue.heed(&alarm, Call::Alarm)?;
        Ok(Self { shared: Arc::new(Shared::new(start, other)), queue, bell, alarm })
    }

    /// A way to deliver from another thread.
    pub(crate) fn sender(&self) -> Sender {
        Sender::to(&self.shared)
    }

    /// The inbox of this thread.
    pub(crate) fn open(self) -> Inbox {
        let sender = self.sender();
        let reactor = Reactor::new(self.queue, sender);
        Inbox {
            shared: self.shared,
            taken: VecDeque::new(),
            reactor,
            asked: false,
            bell: self.bell,
            alarm: self.alarm,
            wall: None,
            was_set: false,
            awaits_setting: Vec::new(),
        }
    }
}

impl Inbox {
    /// A way to what this thread waits for at the system.
    pub(crate) fn reactor(&self) -> &Reactor {
        &self.reactor
    }

    /// A way to deliver from another thread.
    pub(crate) fn sender(&self) -> Sender {
        Sender::to(&self.shared)
    }

    /// Something that rings the bell when it is written to, also from a signal's handler.
    pub(crate) fn bell(&self) -> io::Result<OwnedFd> {
        self.shared.bell.try_clone().map(OwnedFd::from)
    }

    /// Puts in an answer that was there already when the program's thread asked: nobody is asleep.
    pub(crate) fn put(&self, operation: Operation, since: Moment, answer: Answer) {
        self.put_in(operation, since, answer, 1);
    }

    /// The same for an answer that the poll phase sees that often.
    pub(crate) fn put_in(&self, operation: Operation, since: Moment, answer: Answer, trips: u32) {
        let stamp = since.in_run(self.shared.start);
        let mut queue = self.shared.queue();
        queue.push_back(Completion { operation, stamp, answer, trips });
        self.shared.any.store(true, Ordering::Release);
    }

    /// The next answer.
    #[inline]
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
            let wall = WallWatch::new()?;
            self.reactor.queue().heed(&wall, Call::Wall)?;
            self.wall = Some(wall);
        }
        self.awaits_setting.push(operation);
        self.tell_of_setting();
        Ok(())
    }

    /// Is told that an operation does not wait any more.
    pub(crate) fn cancel(&mut self, operation: Operation) {
        self.awaits_setting.retain(|&one| one != operation);
    }

    /// Answers who waits for the clock on the wall, if it was set.
    pub(crate) fn look_at_wall(&mut self) {
        if !self.awaits_setting.is_empty() {
            self.read_wall();
        }
    }

    fn read_wall(&mut self) {
        self.was_set |= self.wall.as_ref().is_some_and(WallWatch::was_set);
        self.tell_of_setting();
    }

    fn tell_of_setting(&mut self) {
        if self.was_set && !self.awaits_setting.is_empty() {
            self.was_set = false;
            for operation in std::mem::take(&mut self.awaits_setting) {
                self.put(operation, Moment::now(), Ok(Datum::Undefined));
            }
        }
    }

    /// Lets in what has become ready at the system, without waiting; not twice in a turn.
    pub(crate) fn look(&mut self) {
        if !std::mem::take(&mut self.asked) && !self.reactor.is_idle() {
            self.reactor.ask(false);
            self.hear();
        }
    }

    /// Sleeps until the bell rings, something becomes ready at the system, or until that instant; not while
    /// there is something to take.
    pub(crate) fn sleep(&mut self, until: Option<Instant>) {
        if !self.taken.is_empty() {
            return;
        }
        // Whoever delivers after this rings, and what was delivered before is seen.
        self.shared.asleep.store(true, Ordering::SeqCst);
        let is_empty = !self.shared.any.load(Ordering::SeqCst);
        if is_empty {
            let moment =
                |until: Instant| self.shared.start.after(Duration::from_micros(until.as_micros()));
            self.alarm.set(until.map(moment));
            self.reactor.ask(true);
        }
        self.shared.asleep.store(false, Ordering::SeqCst);
        if is_empty {
            self.asked = true;
            self.hear();
        }
    }

    /// Lets in what the system has told.
    fn hear(&mut self) {
        let called = self.reactor.call();
        if called.bell {
            let mut rung = [0; 64];
            while matches!(self.bell.read(&mut rung), Ok(count) if count == rung.len()) {}
        }
        if called.wall {
            self.read_wall();
        }
    }
}

impl Drop for Inbox {
    fn drop(&mut self) {
        // Sources know the reactor, and it knows them.
        self.reactor.close();
    }
}
