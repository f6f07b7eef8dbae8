//! A stream of bytes: a connection, or an end of a pipe.
//!
//! The reactor's thread reads ahead of the program, as far as the buffer has room, so that what has
//! arrived is stamped when it did, and a read mostly finds what it wants. The program's thread writes
//! itself; only what the system does not take at once waits on the other thread. The two directions
//! have a lock each: a write must not wait for a read.

use crate::clock::Moment;
use crate::net::reading::Reading;
use crate::net::socket;
use crate::net::writing::{Outgoing, Writing};
use crate::reactor::{Reactor, failed};
use hemiola_gate::sockets::{Place, Settings};
use hemiola_gate::{Answer, Datum, Fault};
use hemiola_machine::Operation;
use rustix::net::sockopt;
use std::future::poll_fn;
use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Waker};
use std::time::Duration;
use tokio::io::unix::AsyncFd;

/// What is behind a descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Tcp,
    Unix,
    /// One end of a pipe, for one direction.
    Pipe,
}

/// A descriptor that both directions share. It is closed when both have given it up.
pub(crate) type Shared = Arc<AsyncFd<OwnedFd>>;

/// A stream that the program and the reactor share.
pub(crate) struct Stream {
    kind: Kind,
    reactor: Reactor,
    reading: Mutex<Reading>,
    writing: Mutex<Writing>,
}

/// A task of the stream on the reactor's thread.
#[derive(Default)]
pub(crate) enum Task {
    /// There is none.
    #[default]
    Absent,
    /// It waits for the system.
    Waiting(Option<Waker>),
    /// It waits for room in the buffer.
    Full(Waker),
}

impl Task {
    pub(crate) fn wake(&mut self) {
        if let Self::Waiting(Some(waker)) | Self::Full(waker) =
            std::mem::replace(self, Self::Waiting(None))
        {
            waker.wake();
        }
    }

    /// Notes how the task is woken, should the program want that.
    pub(crate) fn note(&mut self, context: &Context<'_>) {
        if !matches!(self, Self::Waiting(Some(waker)) if waker.will_wake(context.waker())) {
            *self = Self::Waiting(Some(context.waker().clone()));
        }
    }
}

impl Stream {
    pub(crate) fn new(fd: AsyncFd<OwnedFd>, kind: Kind, reactor: &Reactor) -> Arc<Self> {
        let fd = Arc::new(fd);
        Arc::new(Self {
            kind,
            reactor: reactor.clone(),
            reading: Mutex::new(Reading::new(Arc::clone(&fd))),
            writing: Mutex::new(Writing::new(fd)),
        })
    }

    // Whoever panicked while holding a lock left what it guards whole.

    fn reading(&self) -> MutexGuard<'_, Reading> {
        self.reading.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn writing(&self) -> MutexGuard<'_, Writing> {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Where its two ends are, of a socket.
    pub(crate) fn ends(&self) -> (Option<Place>, Option<Place>) {
        match &self.writing().fd {
            Some(fd) if self.kind != Kind::Pipe => (socket::near(fd), socket::far(fd)),
            _ => (None, None),
        }
    }

    /// A second descriptor for it, for another process.
    pub(crate) fn descriptor(&self) -> std::io::Result<OwnedFd> {
        self.reading().lend();
        match &self.writing().fd {
            Some(fd) => fd.get_ref().try_clone(),
            None => Err(rustix::io::Errno::BADF.into()),
        }
    }

    /// Begins to read ahead.
    pub(crate) fn start(self: &Arc<Self>) {
        self.start_reader(&mut self.reading());
    }

    fn start_reader(self: &Arc<Self>, reading: &mut Reading) {
        if matches!(reading.task, Task::Absent) && reading.end.is_none() {
            reading.task = Task::Waiting(None);
            let stream = Arc::clone(self);
            let sender = self.reactor.sender.clone();
            self.reactor.spawn(async move {
                poll_fn(|context| stream.reading().poll(context, &sender)).await;
            });
        }
    }

    fn start_writer(self: &Arc<Self>, writing: &mut Writing) {
        if matches!(writing.task, Task::Absent) {
            writing.task = Task::Waiting(None);
            let stream = Arc::clone(self);
            self.reactor.spawn(async move {
                let half_close = |writing: &mut Writing| stream.half_close(writing);
                let sender = &stream.reactor.sender;
                let read_first = || stream.reading().catch_up(sender);
                poll_fn(|context| stream.writing().poll(context, sender, read_first, half_close))
                    .await;
            });
        }
    }

    /// Asks for bytes. Gives the answer if it is known, and since when.
    pub(crate) fn read(self: &Arc<Self>, operation: Operation) -> Option<(Moment, Answer)> {
        let mut reading = self.reading();
        if let Some(answer) = reading.take() {
            if matches!(reading.task, Task::Full(_)) {
                reading.task.wake();
            }
            return Some(answer);
        }
        reading.ask(operation);
        self.start_reader(&mut reading);
        None
    }

    /// Takes back what was asked for; false if it has been answered, or nothing was.
    pub(crate) fn recall(&self) -> bool {
        self.reading().asked.take().is_some()
    }

    /// Hands to the system what it takes at once.
    pub(crate) fn try_write(&self, bytes: &[u8]) -> Answer {
        let mut writing = self.writing();
        let sent = if writing.outgoing.is_empty() { writing.send(bytes)? } else { 0 };
        Ok(Datum::Number(sent as f64))
    }

    /// Hands all of it to the system. Gives the answer if that is done.
    pub(crate) fn write(self: &Arc<Self>, operation: Operation, bytes: Vec<u8>) -> Option<Answer> {
        let mut writing = self.writing();
        let mut sent = 0;
        if writing.outgoing.is_empty() {
            match writing.send(&bytes) {
                Err(fault) => return Some(Err(fault)),
                Ok(count) if count == bytes.len() => {
                    return Some(Ok(Datum::Number(count as f64)));
                }
                Ok(count) => sent = count,
            }
        }
        writing.outgoing.push_back(Outgoing::Bytes { bytes, sent, operation });
        self.start_writer(&mut writing);
        None
    }

    /// Says that nothing more will be written. Gives the answer if that is done.
    pub(crate) fn shutdown(&self, operation: Operation) -> Option<Answer> {
        let mut writing = self.writing();
        if writing.outgoing.is_empty() {
            return Some(self.half_close(&mut writing));
        }
        writing.outgoing.push_back(Outgoing::Shutdown { operation });
        None
    }

    /// Says the same if it can be said at once; false when writes still wait.
    pub(crate) fn try_shutdown(&self) -> Answer {
        let mut writing = self.writing();
        if !writing.outgoing.is_empty() {
            return Ok(Datum::Bool(false));
        }
        self.half_close(&mut writing).map(|_| Datum::Bool(true))
    }

    fn half_close(&self, writing: &mut Writing) -> Answer {
        if self.kind == Kind::Pipe {
            // A pipe has one direction.
            writing.fd = None;
            self.reading().fd = None;
            return Ok(Datum::Undefined);
        }
        let result = rustix::net::shutdown(writing.fd()?, rustix::net::Shutdown::Write);
        result.map(|()| Datum::Undefined).map_err(|error| failed(&error.into(), "shutdown"))
    }

    /// Frees the descriptor at once; with `reset` the peer is told that it was cut off.
    pub(crate) fn close(&self, reset: bool) -> Result<(), Fault> {
        let mut writing = self.writing();
        let mut result = Ok(());
        if let (true, Ok(fd)) = (reset, writing.fd()) {
            result = sockopt::set_socket_linger(fd, Some(Duration::ZERO));
        }
        writing.fd = None;
        writing.outgoing.clear();
        writing.task.wake();
        drop(writing);
        let mut reading = self.reading();
        reading.fd = None;
        reading.asked = None;
        reading.incoming = Vec::new();
        reading.task.wake();
        result.map_err(|error| failed(&error.into(), "setsockopt"))
    }

    pub(crate) fn set(&self, settings: Settings) -> Answer {
        if self.kind == Kind::Tcp {
            set_options(self.writing().fd()?, settings)
                .map_err(|error| failed(&error.into(), "setsockopt"))?;
        }
        Ok(Datum::Undefined)
    }
}

fn set_options(fd: &Shared, settings: Settings) -> rustix::io::Result<()> {
    if let Some(no_delay) = settings.no_delay {
        sockopt::set_tcp_nodelay(fd, no_delay)?;
    }
    if let Some(keep_alive) = settings.keep_alive {
        sockopt::set_socket_keepalive(fd, keep_alive)?;
        if keep_alive && settings.keep_alive_delay > 0 {
            // As often and as long as libuv asks.
            sockopt::set_tcp_keepidle(fd, Duration::from_secs(settings.keep_alive_delay.into()))?;
            sockopt::set_tcp_keepintvl(fd, Duration::from_secs(1))?;
            sockopt::set_tcp_keepcnt(fd, 10)?;
        }
    }
    Ok(())
}
