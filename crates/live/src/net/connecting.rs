//! A connection on its way.

use crate::net::socket;
use crate::net::stream::{Kind, Stream};
use crate::net::table::Shared;
use crate::reactor::{Reactor, failed};
use hemiola_gate::sockets::Connect;
use hemiola_gate::{Answer, Fault};
use hemiola_machine::Operation;
use std::future::poll_fn;
use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use tokio::io::unix::AsyncFd;

/// A socket that is being connected.
pub(crate) struct Connecting {
    operation: Operation,
    kind: Kind,
    shared: Arc<Shared>,
    reactor: Reactor,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Nothing once it is connected, or given up.
    fd: Option<AsyncFd<OwnedFd>>,
    waker: Option<Waker>,
}

impl Connecting {
    /// Sets out; the answer is delivered.
    pub(crate) fn begin(
        operation: Operation,
        request: &Connect,
        shared: &Arc<Shared>,
        reactor: &Reactor,
    ) -> Result<Arc<Self>, Fault> {
        let (fd, kind, arrived) = socket::connect(request)?;
        let fd = reactor.watch(fd).map_err(|error| failed(&error, "connect"))?;
        let connecting = Arc::new(Self {
            operation,
            kind,
            shared: Arc::clone(shared),
            reactor: reactor.clone(),
            state: Mutex::default(),
        });
        if arrived {
            let answer = connecting.connected(fd);
            reactor.sender.deliver(operation, answer);
        } else {
            connecting.lock().fd = Some(fd);
            let task = Arc::clone(&connecting);
            reactor.spawn(async move { poll_fn(|context| task.poll_connect(context)).await });
        }
        Ok(connecting)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Whoever panicked while holding it left it whole.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives it up.
    pub(crate) fn abort(&self) {
        let State { fd, waker } = std::mem::take(&mut *self.lock());
        drop(fd);
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    fn poll_connect(&self, context: &mut Context<'_>) -> Poll<()> {
        let mut state = self.lock();
        let Some(fd) = &state.fd else { return Poll::Ready(()) };
        let Poll::Ready(ready) = fd.poll_write_ready(context) else {
            state.waker = Some(context.waker().clone());
            return Poll::Pending;
        };
        if ready.is_err() {
            return Poll::Ready(());
        }
        let result = rustix::net::sockopt::socket_error(fd).and_then(|result| result);
        let Some(fd) = state.fd.take() else { return Poll::Ready(()) };
        let answer = match result {
            Ok(()) => self.connected(fd),
            Err(error) => Err(failed(&error.into(), "connect")),
        };
        self.reactor.sender.deliver(self.operation, answer);
        Poll::Ready(())
    }

    fn connected(&self, fd: AsyncFd<OwnedFd>) -> Answer {
        let stream = Stream::new(fd, self.kind, &self.reactor);
        stream.start();
        Ok(self.shared.enter(self.operation, stream))
    }
}
