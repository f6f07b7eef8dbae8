//! The direction of a stream that comes in.

use crate::clock::Moment;
use crate::inbox::Sender;
use crate::net::stream::{Shared, Task};
use crate::reactor::failed;
use hemiola_gate::sockets::CHUNK;
use hemiola_gate::{Answer, Datum, Fault};
use hemiola_machine::Operation;
use rustix::io::Errno;
use std::cell::RefCell;
use std::task::{Context, Poll, ready};

thread_local! {
    /// Where bytes are read to before it is known how many there are.
    static SCRATCH: RefCell<Vec<u8>> = RefCell::new(vec![0; CHUNK]);
}

/// What has arrived, and who waits for it.
pub(crate) struct Reading {
    /// Nothing once the stream is closed.
    pub(crate) fd: Option<Shared>,
    /// What was read and not asked for, and since when there is something.
    pub(crate) incoming: Vec<u8>,
    since: Moment,
    /// How reading ended: with the end of the stream, or with an error that is told once.
    pub(crate) end: Option<Result<(), Fault>>,
    /// Who waits for bytes.
    pub(crate) asked: Option<Operation>,
    /// Whether another process reads, until the program asks for bytes itself.
    lent: bool,
    pub(crate) task: Task,
}

impl Reading {
    pub(crate) fn new(fd: Shared) -> Self {
        Self {
            fd: Some(fd),
            incoming: Vec::new(),
            since: Moment::now(),
            end: None,
            asked: None,
            lent: false,
            task: Task::Absent,
        }
    }

    /// Another process may read: what it is to have is not read ahead here, unless the program waits for it.
    pub(crate) fn lend(&mut self) {
        if self.asked.is_none() && !matches!(self.task, Task::Absent) {
            self.lent = true;
            self.task.wake();
        }
    }

    /// Notes who waits for bytes.
    pub(crate) fn ask(&mut self, operation: Operation) {
        self.asked = Some(operation);
        self.lent = false;
    }

    /// What has arrived, if anything has.
    pub(crate) fn take(&mut self) -> Option<(Moment, Answer)> {
        if !self.incoming.is_empty() {
            let bytes = std::mem::take(&mut self.incoming);
            return Some((self.since, Ok(Datum::Bytes(bytes))));
        }
        let end = std::mem::replace(self.end.as_mut()?, Ok(()));
        Some((self.since, end.map(|()| Datum::Bytes(Vec::new()))))
    }

    /// Reads ahead until the stream ends or is closed.
    pub(crate) fn poll(&mut self, context: &mut Context<'_>, sender: &Sender) -> Poll<()> {
        loop {
            if self.end.is_some() {
                return Poll::Ready(());
            }
            if self.lent {
                self.task = Task::Absent;
                return Poll::Ready(());
            }
            let room = CHUNK.saturating_sub(self.incoming.len());
            if room == 0 {
                self.task = Task::Full(context.waker().clone());
                return Poll::Pending;
            }
            match SCRATCH.with_borrow_mut(|scratch| self.fill(context, &mut scratch[..room])) {
                Poll::Ready(true) => self.tell(sender),
                Poll::Ready(false) => return Poll::Ready(()),
                Poll::Pending => {
                    self.task.note(context);
                    return Poll::Pending;
                }
            }
        }
    }

    /// Reads what is there without waiting for more, if there is a task that reads ahead. What else
    /// happens to the stream is then heard after it.
    pub(crate) fn catch_up(&mut self, sender: &Sender) {
        let room = CHUNK.saturating_sub(self.incoming.len());
        if let (Task::Waiting(_), None, Some(fd), 1.., false) =
            (&self.task, &self.end, &self.fd, room, self.lent)
        {
            let fd = Shared::clone(fd);
            SCRATCH.with_borrow_mut(|scratch| {
                let result = rustix::io::read(&*fd, &mut scratch[..room]);
                self.took(result.map(|count| &scratch[..count]));
            });
            self.tell(sender);
        }
    }

    /// Reads once, as much as `scratch` holds. False when the stream is closed.
    fn fill(&mut self, context: &mut Context<'_>, scratch: &mut [u8]) -> Poll<bool> {
        let Some(fd) = &self.fd else { return Poll::Ready(false) };
        let Ok(mut ready) = ready!(fd.poll_read_ready(context)) else {
            return Poll::Ready(false);
        };
        let result = rustix::io::read(fd, &mut *scratch);
        // A stream that gave less has no more; its end is told apart from that.
        if result.map_or_else(|error| error == Errno::AGAIN, |count| count < scratch.len()) {
            ready.clear_ready();
        }
        self.took(result.map(|count| &scratch[..count]));
        Poll::Ready(true)
    }

    /// Notes what came of a read.
    fn took(&mut self, result: rustix::io::Result<&[u8]>) {
        match result {
            Ok(bytes) => self.arrived(bytes),
            Err(Errno::AGAIN | Errno::INTR) => {}
            Err(error) => self.end = Some(Err(failed(&error.into(), "read"))),
        }
    }

    /// Notes what the system gave; nothing means that the stream has ended.
    fn arrived(&mut self, bytes: &[u8]) {
        if self.incoming.is_empty() && self.asked.is_none() {
            self.since = Moment::now();
        }
        if bytes.is_empty() {
            self.end = Some(Ok(()));
        } else {
            self.incoming.extend_from_slice(bytes);
        }
    }

    /// Answers whoever waits for bytes, if there are any.
    fn tell(&mut self, sender: &Sender) {
        if self.asked.is_some()
            && let Some((_, answer)) = self.take()
            && let Some(operation) = self.asked.take()
        {
            sender.deliver(operation, answer);
        }
    }
}
