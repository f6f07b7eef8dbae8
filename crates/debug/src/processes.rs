//! Replicas that are processes: each stands somewhere in the run and waits for orders on its socket.

use crate::model::{Answer, Goal, Order, Question, Report};
use crate::replica::{End, Halt, Listener, Replica, Trouble};
use rustix::io::Errno;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
};
use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};
use std::io::{self, IoSlice, IoSliceMut, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process::{Command, Stdio};
use std::time::Duration;

/// How often somebody who waits looks up.
const LOOK: Duration = Duration::from_millis(50);
/// How often a question is looked up for before it is given up.
const PATIENCE: u32 = 200;

/// A process that replays.
#[derive(Debug)]
pub struct Process {
    stream: UnixStream,
    /// What came after the last line.
    rest: Vec<u8>,
    number: u32,
}

impl Process {
    /// Starts one. The command gets its socket as standard input.
    #[expect(
        clippy::disallowed_methods,
        reason = "checkpoints are processes, and this is how they hear"
    )]
    pub fn start(mut command: Command) -> io::Result<Self> {
        // Processes whose own parent is gone become ours, so that they can be waited for.
        #[cfg(target_os = "linux")]
        let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
        let (ours, theirs) = UnixStream::pair()?;
        let child =
            command.stdin(Stdio::from(OwnedFd::from(theirs))).stdout(Stdio::null()).spawn()?;
        Self::new(ours, child.id())
    }

    fn new(stream: UnixStream, number: u32) -> io::Result<Self> {
        stream.set_read_timeout(Some(LOOK))?;
        Ok(Self { stream, rest: Vec::new(), number })
    }

    /// The number of the process.
    pub fn number(&self) -> u32 {
        self.number
    }

    fn order(&mut self, order: &Order) -> Result<(), Trouble> {
        send(&mut self.stream, order).map_err(|error| lost(&error))
    }

    /// The next report; nothing if none came for a while.
    fn report(&mut self) -> Result<Option<Report>, Trouble> {
        loop {
            if let Some(line) = take_line(&mut self.rest) {
                return read(&line).map(Some);
            }
            let mut bytes = [0; 64 * 1024];
            match self.stream.read(&mut bytes) {
                Ok(0) => return Err(Trouble::Lost("it has ended".into())),
                Ok(count) => self.rest.extend_from_slice(&bytes[..count]),
                Err(error) if is_timeout(&error) => return Ok(None),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(lost(&error)),
            }
        }
    }

    /// The report of a process that has become two, and the socket of the other.
    fn forked(&mut self) -> Result<(Report, Option<OwnedFd>), Trouble> {
        let mut socket = None;
        loop {
            if let Some(line) = take_line(&mut self.rest) {
                return Ok((read(&line)?, socket));
            }
            let mut bytes = [0; 4096];
            let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
            let mut control = RecvAncillaryBuffer::new(&mut space);
            let buffers = &mut [IoSliceMut::new(&mut bytes)];
            match recvmsg(&self.stream, buffers, &mut control, RecvFlags::CMSG_CLOEXEC) {
                Ok(message) if message.bytes == 0 => {
                    return Err(Trouble::Lost("it has ended".into()));
                }
                Ok(message) => {
                    for message in control.drain() {
                        if let RecvAncillaryMessage::ScmRights(mut sockets) = message {
                            socket = sockets.next().or(socket);
                        }
                    }
                    self.rest.extend_from_slice(&bytes[..message.bytes]);
                }
                Err(Errno::AGAIN | Errno::INTR) => {}
                Err(error) => return Err(lost(&error.into())),
            }
        }
    }
}

impl Replica for Process {
    fn run(&mut self, goal: &Goal, listener: &mut dyn Listener) -> Result<Halt, Trouble> {
        self.order(&Order::Run(goal.clone()))?;
        loop {
            match self.report()? {
                None if listener.is_leaving() => return Err(Trouble::Left),
                None => {}
                Some(Report::Printed { err, text }) => listener.printed(err, &text),
                Some(Report::Hit(hit)) => listener.hit(hit),
                Some(Report::Stopped(stop)) => return Ok(Halt::Stopped(stop)),
                Some(Report::Ended { code, steps, printed, trouble, is_killed }) => {
                    return Ok(Halt::Ended(End { code, steps, printed, trouble, is_killed }));
                }
                Some(other) => return Err(unexpected(&other)),
            }
        }
    }

    fn fork(&mut self) -> Result<Self, Trouble> {
        self.order(&Order::Fork)?;
        match self.forked()? {
            (Report::Forked(Ok(number)), Some(socket)) => {
                Self::new(UnixStream::from(socket), number).map_err(|error| lost(&error))
            }
            (Report::Forked(Err(reason)), _) => Err(Trouble::Lost(reason)),
            (other, _) => Err(unexpected(&other)),
        }
    }

    fn ask(&mut self, question: &Question) -> Result<Answer, Trouble> {
        self.order(&Order::Ask(question.clone()))?;
        for _ in 0..PATIENCE {
            match self.report()? {
                None => {}
                Some(Report::Answer(answer)) => return Ok(answer),
                // Nobody is to see what an evaluation prints.
                Some(Report::Printed { .. }) => {}
                Some(other) => return Err(unexpected(&other)),
            }
        }
        Err(Trouble::Refused("it takes too long".into()))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let Some(pid) = i32::try_from(self.number).ok().and_then(Pid::from_raw) else { return };
        // It may be over already.
        let _ = kill_process(pid, Signal::KILL);
        // If it is not ours, its parent does not wait for it either.
        let _ = waitpid(Some(pid), WaitOptions::empty());
    }
}

/// The socket of a process that replays, on its own side.
#[derive(Debug)]
pub struct Line {
    stream: UnixStream,
    rest: Vec<u8>,
}

impl Line {
    /// The one that is standard input.
    pub fn from_input() -> io::Result<Self> {
        let stream = UnixStream::from(rustix::stdio::stdin().try_clone_to_owned()?);
        // Whoever starts this by hand hears of it.
        stream.local_addr()?;
        Ok(Self { stream, rest: Vec::new() })
    }

    /// The next order; nothing when nobody gives any more.
    pub fn order(&mut self) -> Option<Order> {
        loop {
            if let Some(line) = take_line(&mut self.rest) {
                return serde_json::from_slice(&line).ok();
            }
            let mut bytes = [0; 64 * 1024];
            match self.stream.read(&mut bytes) {
                Ok(0) => return None,
                Ok(count) => self.rest.extend_from_slice(&bytes[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return None,
            }
        }
    }

    /// Reports; false when nobody hears it.
    #[must_use]
    pub fn report(&mut self, report: &Report) -> bool {
        send(&mut self.stream, report).is_ok()
    }

    /// Becomes two. The one that was there reports it, with the socket of the other.
    pub fn fork(&mut self) -> bool {
        match self.try_fork() {
            Ok(()) => true,
            Err(error) => self.report(&Report::Forked(Err(error.to_string()))),
        }
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "checkpoints are processes, and this is how they hear"
    )]
    fn try_fork(&mut self) -> io::Result<()> {
        use hemiola_js::checkpoint::{Side, fork};
        let (ours, theirs) = UnixStream::pair()?;
        match fork()? {
            Side::Other => {
                self.stream = theirs;
                Ok(())
            }
            Side::Same(number) => {
                drop(theirs);
                let line = written(&Report::Forked(Ok(number)));
                let sockets = [ours.as_fd()];
                let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
                let mut control = SendAncillaryBuffer::new(&mut space);
                control.push(SendAncillaryMessage::ScmRights(&sockets));
                sendmsg(&self.stream, &[IoSlice::new(&line)], &mut control, SendFlags::empty())?;
                Ok(())
            }
        }
    }
}

fn written(message: &impl serde::Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(message).expect("a message can be written");
    line.push(b'\n');
    line
}

fn send(stream: &mut UnixStream, message: &impl serde::Serialize) -> io::Result<()> {
    stream.write_all(&written(message))
}

/// Takes the first whole line.
fn take_line(rest: &mut Vec<u8>) -> Option<Vec<u8>> {
    let end = rest.iter().position(|&byte| byte == b'\n')?;
    let left = rest.split_off(end + 1);
    let mut line = std::mem::replace(rest, left);
    line.pop();
    Some(line)
}

fn read(line: &[u8]) -> Result<Report, Trouble> {
    serde_json::from_slice(line)
        .map_err(|error| Trouble::Lost(format!("it sent an unknown message: {error}")))
}

fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}

fn lost(error: &io::Error) -> Trouble {
    Trouble::Lost(error.to_string())
}

fn unexpected(report: &Report) -> Trouble {
    Trouble::Lost(format!("it said something else than was asked: {report:?}"))
}
