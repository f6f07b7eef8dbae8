//! What the program's thread waits for at the system: sockets, pipes, children.
//!
//! There is no thread for this. The program's thread asks the system when it has nothing else to do, and once
//! in every turn of the loop. What has become ready is read or written at once, as far as that goes; answers
//! go to the inbox. The system tells of every change once, so a source notes what it has not used up.

use crate::deliveries::Sender;
use hemiola_gate::Fault;
use rustix::buffer::spare_capacity;
use rustix::event::epoll::{self, CreateFlags, Event, EventData, EventFlags};
use rustix::time::Timespec;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::rc::Rc;

/// How many changes are taken from the system at once.
const AT_ONCE: usize = 1024;

/// When a source is called that wants to try again what the system has refused.
const RETRY: Timespec = Timespec { tv_sec: 0, tv_nsec: 10_000_000 };

const NOT_AT_ALL: Timespec = Timespec { tv_sec: 0, tv_nsec: 0 };

/// Numbers below are of the inbox's own descriptors.
const FIRST: u64 = 3;

/// Something that the system tells of.
pub(crate) trait Source {
    /// Is called when something has changed, or because the source wanted to be.
    fn ready(self: Rc<Self>, ready: Ready);
}

/// What has changed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ready {
    /// There is something to read: bytes, an end, an error.
    pub(crate) read: bool,
    /// There is room to write, or nobody who reads.
    pub(crate) write: bool,
    /// Behind what there is to read comes the end, or an error.
    pub(crate) closing: bool,
}

/// What wakes the program's thread besides sources: descriptors of the inbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    Bell,
    Alarm,
    Wall,
}

/// Which of these have.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Called {
    pub(crate) bell: bool,
    pub(crate) wall: bool,
}

/// Where the system tells what has changed.
pub(crate) struct Queue(OwnedFd);

/// A way to what the program's thread waits for.
#[derive(Clone)]
pub(crate) struct Reactor {
    shared: Rc<Shared>,
    pub(crate) sender: Sender,
}

struct Shared {
    queue: Queue,
    /// What is watched. Numbers are never used twice, so that what is told of something closed means nothing else.
    sources: RefCell<BTreeMap<u64, Rc<dyn Source>>>,
    last: Cell<u64>,
    /// Who wants to be called although the system has nothing new to tell.
    again: RefCell<Vec<u64>>,
    /// The same, but not at once.
    later: RefCell<Vec<u64>>,
    /// What the system has told and nobody has heard yet.
    events: RefCell<Vec<Event>>,
}

/// A descriptor that is watched as long as this lives.
pub(crate) struct Watched {
    fd: OwnedFd,
    number: u64,
    reactor: Reactor,
}

impl Queue {
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self(epoll::create(CreateFlags::CLOEXEC)?))
    }

    /// Lets a descriptor of the inbox end waits as long as there is something to read.
    pub(crate) fn heed(&self, fd: impl AsFd, call: Call) -> io::Result<()> {
        Ok(epoll::add(&self.0, fd, EventData::new_u64(call as u64), EventFlags::IN)?)
    }
}

impl Reactor {
    pub(crate) fn new(queue: Queue, sender: Sender) -> Self {
        let shared = Shared {
            queue,
            sources: RefCell::default(),
            last: Cell::new(FIRST),
            again: RefCell::default(),
            later: RefCell::default(),
            events: RefCell::default(),
        };
        Self { shared: Rc::new(shared), sender }
    }

    /// Where the system tells what has changed.
    pub(crate) fn queue(&self) -> &Queue {
        &self.shared.queue
    }

    /// Watches a descriptor, which must not block, for a source that is still to be named.
    pub(crate) fn watch(&self, fd: OwnedFd) -> io::Result<Watched> {
        let number = self.shared.last.get() + 1;
        self.shared.last.set(number);
        let flags = EventFlags::IN | EventFlags::OUT | EventFlags::RDHUP | EventFlags::ET;
        epoll::add(&self.shared.queue.0, &fd, EventData::new_u64(number), flags)?;
        Ok(Watched { fd, number, reactor: self.clone() })
    }

    /// Whether there is no source that could be called.
    pub(crate) fn is_idle(&self) -> bool {
        self.shared.sources.borrow().is_empty()
    }

    /// Whether a source is to be called without the system.
    pub(crate) fn is_wanted(&self) -> bool {
        !self.shared.again.borrow().is_empty()
    }

    /// Asks the system what has changed; waits until something has, if that is wanted.
    pub(crate) fn ask(&self, waits: bool) {
        let timeout = if !waits || self.is_wanted() {
            Some(NOT_AT_ALL)
        } else if self.shared.later.borrow().is_empty() {
            None
        } else {
            Some(RETRY)
        };
        let mut events = self.shared.events.borrow_mut();
        events.reserve(AT_ONCE);
        // Woken too early, by a signal or for nothing, the caller looks again and comes back.
        let _ = epoll::wait(&self.shared.queue.0, spare_capacity(&mut events), timeout.as_ref());
    }

    /// Calls the sources of which the system has told something, and those that wanted it.
    pub(crate) fn call(&self) -> Called {
        let mut called = Called::default();
        let again = self.shared.again.take();
        let later = self.shared.later.take();
        let mut events = self.shared.events.take();
        for event in events.drain(..) {
            match event.data.u64() {
                number if number == Call::Bell as u64 => called.bell = true,
                number if number == Call::Wall as u64 => called.wall = true,
                // All that an alarm does is to end a wait.
                number if number == Call::Alarm as u64 => {}
                number => self.tell(number, Ready::new(event.flags)),
            }
        }
        self.shared.events.replace(events);
        for number in again.into_iter().chain(later) {
            self.tell(number, Ready::default());
        }
        called
    }

    /// Lets everything be heard that has happened by now.
    pub(crate) fn settle(&self) {
        let mut is_all = false;
        while !is_all {
            self.ask(false);
            is_all = self.shared.events.borrow().len() < AT_ONCE;
            self.call();
        }
    }

    fn tell(&self, number: u64, ready: Ready) {
        let source = self.shared.sources.borrow().get(&number).cloned();
        if let Some(source) = source {
            source.ready(ready);
        }
    }

    /// Gives up all sources.
    pub(crate) fn close(&self) {
        // What a source holds is dropped after the table can be used again.
        drop(self.shared.sources.take());
    }
}

impl Watched {
    /// Names the source.
    pub(crate) fn tell(&self, source: Rc<dyn Source>) {
        let before = self.reactor.shared.sources.borrow_mut().insert(self.number, source);
        drop(before);
    }

    /// Lets the source be called before the next wait.
    pub(crate) fn again(&self) {
        self.reactor.shared.again.borrow_mut().push(self.number);
    }

    /// Lets the source be called a little later.
    pub(crate) fn later(&self) {
        self.reactor.shared.later.borrow_mut().push(self.number);
    }

    /// A second descriptor for the same.
    pub(crate) fn try_clone(&self) -> io::Result<OwnedFd> {
        self.fd.try_clone()
    }
}

impl AsFd for Watched {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        // The system forgets it when its last copy is closed; another process may have one.
        let _ = epoll::delete(&self.reactor.shared.queue.0, &self.fd);
        let source = self.reactor.shared.sources.borrow_mut().remove(&self.number);
        drop(source);
    }
}

impl Ready {
    fn new(flags: EventFlags) -> Self {
        let over = flags.intersects(EventFlags::HUP | EventFlags::ERR);
        let closing = over || flags.contains(EventFlags::RDHUP);
        Self {
            read: closing || flags.contains(EventFlags::IN),
            write: over || flags.contains(EventFlags::OUT),
            closing,
        }
    }
}

/// What a failed call of the system means for the program.
pub(crate) fn failed(error: &io::Error, syscall: &str) -> Fault {
    const EIO: i32 = 5;
    Fault::system(error.raw_os_error().unwrap_or(EIO), syscall)
}
