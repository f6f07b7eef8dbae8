//! A stream of bytes: a connection, or an end of a pipe.
//!
//! The reactor's thread reads ahead of the program, as far as the buffer has room, so that what has
//! arrived is stamped when it did, and a read mostly finds what it wants. The program's thread writes
//! itself; only what the system does not take at once waits on the other thread.

use crate::inbox::Sender;
use crate::net::layer::Layer;
use crate::net::socket;
use crate::reactor::{Reactor, failed};
use hemiola_js::sockets::{CHUNK, Place, Settings};
use hemiola_js::{Answer, Datum, Fault};
use hemiola_machine::Operation;
use rustix::net::sockopt;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::future::poll_fn;
use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};
use tokio::io::unix::AsyncFd;

/// What is behind a descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Tcp,
    Unix,
    /// One end of a pipe, for one direction.
    Pipe,
}

/// A stream that the program and the reactor share.
pub(crate) struct Stream {
    kind: Kind,
    reactor: Reactor,
    state: Mutex<State>,
}

struct State {
    /// Nothing once the stream is closed.
    fd: Option<AsyncFd<OwnedFd>>,
    layer: Layer,
    /// What was read and not asked for, and since when there is something.
    incoming: Vec<u8>,
    since: Instant,
    /// How reading ended: with the end of the stream, or with an error that is told once.
    end: Option<Result<(), Fault>>,
    /// Who waits for bytes.
    asked: Option<Operation>,
    reader: Task,
    /// What the system has not taken yet.
    outgoing: VecDeque<Outgoing>,
    writer: Task,
}

/// A task of the stream on the reactor's thread.
#[derive(Default)]
enum Task {
    /// There is none.
    #[default]
    Absent,
    /// It waits for the system.
    Waiting(Option<Waker>),
    /// It waits for room in the buffer.
    Full(Waker),
}

impl Task {
    fn wake(&mut self) {
        if let Self::Waiting(Some(waker)) | Self::Full(waker) =
            std::mem::replace(self, Self::Waiting(None))
        {
            waker.wake();
        }
    }

    /// Notes how the task is woken, should the program want that.
    fn note(&mut self, context: &Context<'_>) {
        if !matches!(self, Self::Waiting(Some(waker)) if waker.will_wake(context.waker())) {
            *self = Self::Waiting(Some(context.waker().clone()));
        }
    }
}

enum Outgoing {
    Bytes { bytes: Vec<u8>, sent: usize, operation: Operation },
    Shutdown { operation: Operation },
}

thread_local! {
    /// Where bytes are read to before it is known how many there are.
    static SCRATCH: RefCell<Vec<u8>> = RefCell::new(vec![0; CHUNK]);
}

impl Stream {
    pub(crate) fn new(fd: AsyncFd<OwnedFd>, kind: Kind, reactor: &Reactor) -> Arc<Self> {
        let state = State {
            fd: Some(fd),
            layer: Layer::Plain,
            incoming: Vec::new(),
            since: Instant::now(),
            end: None,
            asked: None,
            reader: Task::Absent,
            outgoing: VecDeque::new(),
            writer: Task::Absent,
        };
        Arc::new(Self { kind, reactor: reactor.clone(), state: Mutex::new(state) })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Whoever panicked while holding it left it whole.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Where its two ends are, of a socket.
    pub(crate) fn ends(&self) -> (Option<Place>, Option<Place>) {
        match &self.lock().fd {
            Some(fd) if self.kind != Kind::Pipe => (socket::near(fd), socket::far(fd)),
            _ => (None, None),
        }
    }

    /// A second descriptor for it.
    pub(crate) fn descriptor(&self) -> std::io::Result<OwnedFd> {
        match &self.lock().fd {
            Some(fd) => fd.get_ref().try_clone(),
            None => Err(rustix::io::Errno::BADF.into()),
        }
    }

    /// Begins to read ahead.
    pub(crate) fn start(self: &Arc<Self>) {
        self.start_reader(&mut self.lock());
    }

    fn start_reader(self: &Arc<Self>, state: &mut State) {
        if matches!(state.reader, Task::Absent) && state.end.is_none() {
            state.reader = Task::Waiting(None);
            let stream = Arc::clone(self);
            self.reactor.spawn(async move { poll_fn(|context| stream.poll_read(context)).await });
        }
    }

    fn start_writer(self: &Arc<Self>, state: &mut State) {
        if matches!(state.writer, Task::Absent) {
            state.writer = Task::Waiting(None);
            let stream = Arc::clone(self);
            self.reactor.spawn(async move { poll_fn(|context| stream.poll_write(context)).await });
        }
    }

    /// Asks for bytes. Gives the answer if it is known, and since when.
    pub(crate) fn read(self: &Arc<Self>, operation: Operation) -> Option<(Instant, Answer)> {
        let mut state = self.lock();
        if let Some(answer) = state.take_incoming() {
            if matches!(state.reader, Task::Full(_)) {
                state.reader.wake();
            }
            return Some(answer);
        }
        state.asked = Some(operation);
        self.start_reader(&mut state);
        None
    }

    /// Takes back what was asked for; false if it has been answered, or nothing was.
    pub(crate) fn recall(&self) -> bool {
        self.lock().asked.take().is_some()
    }

    /// Hands to the system what it takes at once.
    pub(crate) fn try_write(&self, bytes: &[u8]) -> Answer {
        let mut state = self.lock();
        let sent = if state.outgoing.is_empty() { state.send(bytes)? } else { 0 };
        Ok(Datum::Number(sent as f64))
    }

    /// Hands all of it to the system. Gives the answer if that is done.
    pub(crate) fn write(self: &Arc<Self>, operation: Operation, bytes: Vec<u8>) -> Option<Answer> {
        let mut state = self.lock();
        let mut sent = 0;
        if state.outgoing.is_empty() {
            match state.send(&bytes) {
                Err(fault) => return Some(Err(fault)),
                Ok(count) if count == bytes.len() => return Some(Ok(number(count))),
                Ok(count) => sent = count,
            }
        }
        state.outgoing.push_back(Outgoing::Bytes { bytes, sent, operation });
        self.start_writer(&mut state);
        None
    }

    /// Says that nothing more will be written. Gives the answer if that is done.
    pub(crate) fn shutdown(self: &Arc<Self>, operation: Operation) -> Option<Answer> {
        let mut state = self.lock();
        if state.outgoing.is_empty() {
            return Some(self.half_close(&mut state));
        }
        state.outgoing.push_back(Outgoing::Shutdown { operation });
        None
    }

    /// Says the same if it can be said at once; false when writes still wait.
    pub(crate) fn try_shutdown(&self) -> Answer {
        let mut state = self.lock();
        if !state.outgoing.is_empty() {
            return Ok(Datum::Bool(false));
        }
        self.half_close(&mut state).map(|_| Datum::Bool(true))
    }

    fn half_close(&self, state: &mut State) -> Answer {
        if self.kind == Kind::Pipe {
            // A pipe has one direction.
            state.fd = None;
            return Ok(Datum::Undefined);
        }
        let result = rustix::net::shutdown(state.fd()?, rustix::net::Shutdown::Write);
        result.map(|()| Datum::Undefined).map_err(|error| failed(&error.into(), "shutdown"))
    }

    /// Frees the descriptor at once; with `reset` the peer is told that it was cut off.
    pub(crate) fn close(&self, reset: bool) -> Result<(), Fault> {
        let mut state = self.lock();
        let mut result = Ok(());
        if let (true, Ok(fd)) = (reset, state.fd()) {
            result = sockopt::set_socket_linger(fd, Some(Duration::ZERO));
        }
        state.fd = None;
        state.asked = None;
        state.incoming = Vec::new();
        state.outgoing = VecDeque::new();
        state.reader.wake();
        state.writer.wake();
        result.map_err(|error| failed(&error.into(), "setsockopt"))
    }

    pub(crate) fn set(&self, settings: Settings) -> Answer {
        if self.kind == Kind::Tcp {
            let state = self.lock();
            set_options(state.fd()?, settings)
                .map_err(|error| failed(&error.into(), "setsockopt"))?;
        }
        Ok(Datum::Undefined)
    }

    /// Reads ahead until the stream ends or is closed.
    fn poll_read(&self, context: &mut Context<'_>) -> Poll<()> {
        loop {
            let mut guard = self.lock();
            let state = &mut *guard;
            if state.end.is_some() {
                return Poll::Ready(());
            }
            let room = CHUNK.saturating_sub(state.incoming.len());
            if room == 0 {
                state.reader = Task::Full(context.waker().clone());
                return Poll::Pending;
            }
            match SCRATCH.with_borrow_mut(|scratch| state.poll_fill(context, &mut scratch[..room]))
            {
                Poll::Ready(true) => {}
                Poll::Ready(false) => return Poll::Ready(()),
                Poll::Pending => {
                    state.reader.note(context);
                    return Poll::Pending;
                }
            }
            state.tell(&self.reactor.sender);
        }
    }

    /// Hands on what waits, until nothing does or the stream is closed.
    fn poll_write(&self, context: &mut Context<'_>) -> Poll<()> {
        loop {
            let mut guard = self.lock();
            let state = &mut *guard;
            let sender = &self.reactor.sender;
            let (Some(next), Some(fd)) = (state.outgoing.pop_front(), &state.fd) else {
                state.writer = Task::Absent;
                return Poll::Ready(());
            };
            match next {
                Outgoing::Shutdown { operation } => {
                    let answer = self.half_close(state);
                    sender.deliver(operation, answer);
                }
                Outgoing::Bytes { bytes, mut sent, operation } => {
                    let Poll::Ready(ready) = fd.poll_write_ready(context) else {
                        state.outgoing.push_front(Outgoing::Bytes { bytes, sent, operation });
                        state.writer.note(context);
                        return Poll::Pending;
                    };
                    let Ok(mut ready) = ready else { return Poll::Ready(()) };
                    let answer = match rustix::io::write(fd, &bytes[sent..]) {
                        Ok(count) => {
                            sent += count;
                            (sent == bytes.len()).then(|| Ok(number(sent)))
                        }
                        Err(rustix::io::Errno::AGAIN) => {
                            ready.clear_ready();
                            None
                        }
                        Err(rustix::io::Errno::INTR) => None,
                        Err(error) => Some(Err(failed(&error.into(), "write"))),
                    };
                    match answer {
                        Some(answer) => sender.deliver(operation, answer),
                        None => {
                            state.outgoing.push_front(Outgoing::Bytes { bytes, sent, operation });
                        }
                    }
                }
            }
        }
    }
}

impl State {
    fn fd(&self) -> Result<&AsyncFd<OwnedFd>, Fault> {
        const EBADF: i32 = 9;
        self.fd.as_ref().ok_or_else(|| Fault::system(EBADF, "write"))
    }

    /// What has arrived, if anything has.
    fn take_incoming(&mut self) -> Option<(Instant, Answer)> {
        if !self.incoming.is_empty() {
            let bytes = std::mem::take(&mut self.incoming);
            return Some((self.since, Ok(Datum::Bytes(bytes))));
        }
        let end = self.end.as_mut()?;
        let end = std::mem::replace(end, Ok(()));
        Some((self.since, end.map(|()| Datum::Bytes(Vec::new()))))
    }

    /// Reads once, as much as `scratch` holds. False when the stream is closed.
    fn poll_fill(&mut self, context: &mut Context<'_>, scratch: &mut [u8]) -> Poll<bool> {
        let Some(fd) = &self.fd else { return Poll::Ready(false) };
        let Ok(mut ready) = std::task::ready!(fd.poll_read_ready(context)) else {
            return Poll::Ready(false);
        };
        match rustix::io::read(fd, &mut *scratch) {
            Ok(count) => {
                // A stream that gave less has no more; its end is told apart from that.
                if count < scratch.len() {
                    ready.clear_ready();
                }
                self.arrived(&scratch[..count]);
            }
            Err(rustix::io::Errno::AGAIN) => ready.clear_ready(),
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => self.end = Some(Err(failed(&error.into(), "read"))),
        }
        Poll::Ready(true)
    }

    /// Notes what the system gave; nothing means that the stream has ended.
    fn arrived(&mut self, bytes: &[u8]) {
        if self.incoming.is_empty() {
            self.since = Instant::now();
        }
        if bytes.is_empty() {
            self.end = Some(Ok(()));
        } else {
            self.layer.incoming(bytes, &mut self.incoming);
        }
    }

    /// Answers whoever waits for bytes, if there are any.
    fn tell(&mut self, sender: &Sender) {
        if self.asked.is_some()
            && let Some((_, answer)) = self.take_incoming()
            && let Some(operation) = self.asked.take()
        {
            sender.deliver(operation, answer);
        }
    }

    /// Hands bytes to the system until it takes no more, and says how many it took.
    fn send(&mut self, bytes: &[u8]) -> Result<usize, Fault> {
        let mut sent = 0;
        while sent < bytes.len() {
            match rustix::io::write(self.fd()?, &bytes[sent..]) {
                Ok(count) => sent += count,
                Err(rustix::io::Errno::INTR) => {}
                Err(rustix::io::Errno::AGAIN) => break,
                // What was taken before counts; the error comes again with the rest.
                Err(_) if sent > 0 => break,
                Err(error) => return Err(failed(&error.into(), "write")),
            }
        }
        Ok(sent)
    }
}

fn set_options(fd: &AsyncFd<OwnedFd>, settings: Settings) -> rustix::io::Result<()> {
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

fn number(count: usize) -> Datum {
    Datum::Number(count as f64)
}
