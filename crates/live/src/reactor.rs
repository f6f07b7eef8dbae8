//! The thread that waits for sockets.

use crate::inbox::Sender;
use hemiola_gate::Fault;
use std::io;
use std::os::fd::OwnedFd;
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;
use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;
use tokio::task::AbortHandle;

/// A way to the thread on which everything waits that the system says nothing about yet.
#[derive(Clone)]
pub(crate) struct Reactor {
    handle: Handle,
    pub(crate) sender: Sender,
}

/// Lets a reactor's thread live as long as this does.
pub(crate) struct Running(
    #[expect(dead_code, reason = "it is there to be dropped")] oneshot::Sender<()>,
);

impl Reactor {
    /// Starts the thread. It ends, with all that waits on it, when what is given besides is dropped.
    pub(crate) fn start(sender: Sender) -> io::Result<(Self, Running)> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let handle = runtime.handle().clone();
        let (running, stopped) = oneshot::channel();
        std::thread::Builder::new().name("sockets".into()).spawn(move || {
            // Nothing is ever sent: it ends when the other end is gone.
            let _ = runtime.block_on(stopped);
        })?;
        Ok((Self { handle, sender }, Running(running)))
    }

    /// Lets the thread watch a descriptor, which must not block.
    #[expect(deprecated, reason = "what owns a descriptor keeps it, so nothing is unsound here")]
    pub(crate) fn watch(&self, fd: OwnedFd) -> io::Result<AsyncFd<OwnedFd>> {
        let _entered = self.handle.enter();
        AsyncFd::new(fd)
    }

    /// The same for a descriptor of which errors are to be heard that come without anything to read.
    #[expect(deprecated, reason = "what owns a descriptor keeps it, so nothing is unsound here")]
    pub(crate) fn watch_errors(&self, fd: OwnedFd) -> io::Result<AsyncFd<OwnedFd>> {
        let _entered = self.handle.enter();
        AsyncFd::with_interest(fd, Interest::READABLE | Interest::WRITABLE | Interest::ERROR)
    }

    /// Lets a task run on the thread that is given up some time.
    pub(crate) fn spawn_for_now(
        &self,
        task: impl Future<Output = ()> + Send + 'static,
    ) -> AbortHandle {
        self.handle.spawn(task).abort_handle()
    }

    /// Lets a task run on the thread.
    pub(crate) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        self.handle.spawn(task);
    }
}

/// What a failed call of the system means for the program.
pub(crate) fn failed(error: &io::Error, syscall: &str) -> Fault {
    const EIO: i32 = 5;
    Fault::system(error.raw_os_error().unwrap_or(EIO), syscall)
}
