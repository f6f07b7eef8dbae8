//! The direction of a stream that goes out.

use crate::inbox::Sender;
use crate::net::stream::{Shared, Task};
use crate::reactor::failed;
use hemiola_gate::{Answer, Datum, Fault};
use hemiola_machine::Operation;
use rustix::io::Errno;
use std::collections::VecDeque;
use std::task::{Context, Poll};

/// What the system has not taken yet.
pub(crate) struct Writing {
    /// Nothing once the stream is closed.
    pub(crate) fd: Option<Shared>,
    pub(crate) outgoing: VecDeque<Outgoing>,
    pub(crate) task: Task,
}

/// Something that waits until the system takes it.
pub(crate) enum Outgoing {
    Bytes { bytes: Vec<u8>, sent: usize, operation: Operation },
    Shutdown { operation: Operation },
}

impl Writing {
    pub(crate) fn new(fd: Shared) -> Self {
        Self { fd: Some(fd), outgoing: VecDeque::new(), task: Task::Absent }
    }

    pub(crate) fn fd(&self) -> Result<&Shared, Fault> {
        const EBADF: i32 = 9;
        self.fd.as_ref().ok_or_else(|| Fault::system(EBADF, "write"))
    }

    /// Hands bytes to the system until it takes no more, and says how many it took.
    pub(crate) fn send(&mut self, bytes: &[u8]) -> Result<usize, Fault> {
        let fd = self.fd()?;
        let mut sent = 0;
        while sent < bytes.len() {
            match rustix::io::write(fd, &bytes[sent..]) {
                Ok(count) => sent += count,
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => break,
                // What was taken before counts; the error comes again with the rest.
                Err(_) if sent > 0 => break,
                Err(error) => return Err(failed(&error.into(), "write")),
            }
        }
        Ok(sent)
    }

    /// Hands on what waits, until nothing does or the stream is closed. `read_first` hears what has
    /// arrived: a peer that is gone is told by reading, not by writing, as long as both could tell.
    pub(crate) fn poll(
        &mut self,
        context: &mut Context<'_>,
        sender: &Sender,
        read_first: impl Fn(),
        half_close: impl Fn(&mut Self) -> Answer,
    ) -> Poll<()> {
        loop {
            let (Some(next), Some(fd)) = (self.outgoing.pop_front(), &self.fd) else {
                self.task = Task::Absent;
                return Poll::Ready(());
            };
            match next {
                Outgoing::Shutdown { operation } => {
                    let answer = half_close(self);
                    sender.deliver(operation, answer);
                }
                Outgoing::Bytes { bytes, mut sent, operation } => {
                    let Poll::Ready(ready) = fd.poll_write_ready(context) else {
                        self.outgoing.push_front(Outgoing::Bytes { bytes, sent, operation });
                        self.task.note(context);
                        return Poll::Pending;
                    };
                    let Ok(mut ready) = ready else { return Poll::Ready(()) };
                    read_first();
                    let answer = match rustix::io::write(fd, &bytes[sent..]) {
                        Ok(count) => {
                            sent += count;
                            (sent == bytes.len()).then_some(Ok(Datum::Number(sent as f64)))
                        }
                        Err(Errno::AGAIN) => {
                            ready.clear_ready();
                            None
                        }
                        Err(Errno::INTR) => None,
                        Err(error) => Some(Err(failed(&error.into(), "write"))),
                    };
                    match answer {
                        Some(answer) => sender.deliver(operation, answer),
                        None => {
                            self.outgoing.push_front(Outgoing::Bytes { bytes, sent, operation });
                        }
                    }
                }
            }
        }
    }
}
