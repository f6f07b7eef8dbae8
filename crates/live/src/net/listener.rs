//! A socket that listens.

use crate::net::socket;
use crate::net::stream::{Kind, Stream};
use crate::net::table::Shared;
use crate::reactor::{Reactor, failed};
use hemiola_gate::sockets::{AHEAD, Listen, Place};
use hemiola_gate::{Answer, Fault};
use hemiola_machine::Operation;
use rustix::fs::{CWD, Mode, OFlags};
use rustix::io::Errno;
use std::collections::VecDeque;
use std::future::poll_fn;
use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use tokio::io::unix::AsyncFd;

/// When it is tried again to accept where no descriptor was left.
const RETRY: std::time::Duration = std::time::Duration::from_millis(10);

/// A listening socket that the program and the reactor share.
pub(crate) struct Listener {
    kind: Kind,
    /// Whether connections are not read from before the program does.
    paused: bool,
    /// The file to be removed in the end.
    path: Option<Vec<u8>>,
    shared: Arc<Shared>,
    reactor: Reactor,
    state: Mutex<State>,
}

struct State {
    /// Nothing once it is closed.
    fd: Option<AsyncFd<OwnedFd>>,
    /// What was accepted ahead of the program, or why nothing can be.
    ready: VecDeque<Result<Arc<Stream>, Fault>>,
    asked: Option<Operation>,
    waker: Option<Waker>,
    /// A descriptor to give up when there are no others: then a connection can be taken and closed,
    /// instead of being offered again and again.
    spare: Option<OwnedFd>,
}

impl Listener {
    /// A second descriptor for it.
    pub(crate) fn descriptor(&self) -> std::io::Result<OwnedFd> {
        match &self.lock().fd {
            Some(fd) => fd.get_ref().try_clone(),
            None => Err(Errno::BADF.into()),
        }
    }

    /// Begins to listen.
    pub(crate) fn open(
        request: &Listen,
        shared: &Arc<Shared>,
        reactor: &Reactor,
    ) -> Result<(Arc<Self>, Option<Place>), Fault> {
        let (fd, kind) = socket::listen(request)?;
        let at = socket::near(&fd);
        let path = match &request.at {
            Place::Path(path) if path.first() != Some(&0) => Some(path.clone()),
            _ => None,
        };
        let fd = reactor.watch(fd).map_err(|error| failed(&error, "listen"))?;
        let state = State {
            fd: Some(fd),
            ready: VecDeque::new(),
            asked: None,
            waker: None,
            spare: spare(),
        };
        let listener = Arc::new(Self {
            kind,
            paused: request.paused,
            path,
            shared: Arc::clone(shared),
            reactor: reactor.clone(),
            state: Mutex::new(state),
        });
        let task = Arc::clone(&listener);
        reactor.spawn(async move { poll_fn(|context| task.poll_accept(context)).await });
        Ok((listener, at))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Whoever panicked while holding it left it whole.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks for a connection. Gives the answer if there is one.
    pub(crate) fn accept(&self, operation: Operation) -> Option<Answer> {
        let mut state = self.lock();
        let Some(next) = state.ready.pop_front() else {
            state.asked = Some(operation);
            return None;
        };
        if state.ready.len() == AHEAD - 1
            && let Some(waker) = state.waker.take()
        {
            waker.wake();
        }
        Some(next.map(|stream| self.shared.enter(operation, stream)))
    }

    /// Ends it; connections that nobody asked for are cut off.
    pub(crate) fn close(&self) {
        let mut state = self.lock();
        if state.fd.take().is_some()
            && let Some(path) = &self.path
        {
            // Whoever removed it before is not in the way.
            let _ = rustix::fs::unlink(path.as_slice());
        }
        for stream in state.ready.drain(..).flatten() {
            let _ = stream.close(true);
        }
        state.spare = None;
        state.asked = None;
        if let Some(waker) = state.waker.take() {
            waker.wake();
        }
    }

    /// Accepts ahead until it is closed.
    fn poll_accept(&self, context: &mut Context<'_>) -> Poll<()> {
        loop {
            let mut guard = self.lock();
            let state = &mut *guard;
            let Some(fd) = &state.fd else { return Poll::Ready(()) };
            state.waker = Some(context.waker().clone());
            if state.ready.len() >= AHEAD {
                return Poll::Pending;
            }
            let Poll::Ready(ready) = fd.poll_read_ready(context) else { return Poll::Pending };
            let Ok(mut ready) = ready else { return Poll::Ready(()) };
            let next = match socket::accept(fd) {
                Err(Errno::AGAIN) => {
                    ready.clear_ready();
                    continue;
                }
                Err(Errno::INTR | Errno::CONNABORTED | Errno::PROTO) => continue,
                Err(Errno::MFILE | Errno::NFILE) => {
                    if state.spare.is_some() || spare().is_some() {
                        turn_away(fd, &mut state.spare);
                        continue;
                    }
                    // Somebody else was faster: it is tried again when a descriptor may be free.
                    let waker = context.waker().clone();
                    self.reactor.spawn(async move {
                        tokio::time::sleep(RETRY).await;
                        waker.wake();
                    });
                    return Poll::Pending;
                }
                Err(error) => {
                    // The system says again when there is something new to accept.
                    ready.clear_ready();
                    Err(failed(&error.into(), "accept"))
                }
                Ok(socket) => self.stream(socket),
            };
            match state.asked.take() {
                Some(operation) => {
                    let answer = next.map(|stream| self.shared.enter(operation, stream));
                    self.reactor.sender.deliver(operation, answer);
                }
                None => state.ready.push_back(next),
            }
        }
    }

    fn stream(&self, socket: OwnedFd) -> Result<Arc<Stream>, Fault> {
        let fd = self.reactor.watch(socket).map_err(|error| failed(&error, "accept"))?;
        let stream = Stream::new(fd, self.kind, &self.reactor);
        if !self.paused {
            stream.start();
        }
        Ok(stream)
    }
}

fn spare() -> Option<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC;
    rustix::fs::openat(CWD, "/", flags, Mode::empty()).ok()
}

/// Takes all connections that wait, and closes them.
fn turn_away(fd: &AsyncFd<OwnedFd>, spare_fd: &mut Option<OwnedFd>) {
    *spare_fd = None;
    while let Ok(connection) = socket::accept(fd) {
        drop(connection);
    }
    *spare_fd = spare();
}
