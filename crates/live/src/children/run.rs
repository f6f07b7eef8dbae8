//! A child that the program waits for: it is fed, its output is gathered, and it is killed when it takes
//! too long or says too much.

use super::command::{End, field, list, number};
use crate::clock::{Alarm, Moment};
use hemiola_gate::{Answer, Datum, Room, Stop};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open};
use std::io::{self, Read, Write};
use std::net::Shutdown;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ExitStatus};
use std::time::Duration;

/// How much is read at once, as in Node.
const CHUNK: usize = 64 * 1024;

/// How often a system that does not tell of a child's end, or of a deadline, is asked.
const ASK_AGAIN: Timespec = Timespec { tv_sec: 0, tv_nsec: 5_000_000 };

/// How often a stop is looked for.
const LOOK_UP: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };

/// One pipe of the child.
struct Pipe {
    stream: Option<UnixStream>,
    /// What it is to be fed with, and how much of that it has.
    input: Option<(Vec<u8>, usize)>,
    output: Vec<u8>,
}

/// A child that is waited for.
struct Run {
    child: Child,
    pidfd: Option<OwnedFd>,
    status: Option<ExitStatus>,
    pipes: Vec<Option<Pipe>>,
    signal: i32,
    deadline: Option<Moment>,
    /// Is set to the deadline, if the system has alarms left.
    alarm: Option<Alarm>,
    /// How many bytes it may say, and has said.
    most: f64,
    said: usize,
    /// Where there must be room for that.
    room: Room,
    /// What went wrong with it, and else with a pipe.
    error: Option<Errno>,
    pipe_error: Option<Errno>,
    is_killed: bool,
}

/// Waits for a child that was started with that record.
pub(super) fn finish(
    child: Child,
    ends: Vec<End>,
    spec: &Datum,
    stop: &Stop,
    room: Room,
) -> Answer {
    let pid = Pid::from_raw(child.id() as i32);
    let timeout = number(spec, "timeout").filter(|&timeout| timeout > 0.0);
    let pipes = ends.into_iter().enumerate().map(|(at, end)| match end {
        End::None => None,
        End::Pipe(stream) => Some(Pipe::new(stream, at, list(spec, "stdio"))),
    });
    let deadline = timeout
        .map(|timeout| Moment::now().after(Duration::from_secs_f64((timeout / 1000.0).min(1e12))));
    let mut run = Run {
        pidfd: pid.and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok()),
        status: None,
        pipes: pipes.collect(),
        signal: number(spec, "killSignal").unwrap_or(15.0) as i32,
        deadline,
        alarm: deadline.and_then(alarm),
        most: number(spec, "maxBuffer").unwrap_or(0.0),
        said: 0,
        room,
        error: None,
        pipe_error: None,
        is_killed: false,
        child,
    };
    // Somebody who stops the program does not want to wait for its children either.
    while stop.asked().is_none() && run.goes_on() {}
    Ok(run.told())
}

/// An alarm for a deadline.
fn alarm(deadline: Moment) -> Option<Alarm> {
    let mut alarm = Alarm::new().ok()?;
    alarm.set(Some(deadline));
    Some(alarm)
}

impl Pipe {
    fn new(stream: UnixStream, at: usize, stdio: &[Datum]) -> Self {
        let input = stdio.get(at).map_or(&Datum::Undefined, |item| field(item, "input"));
        let input = match input {
            Datum::Bytes(bytes) => Some((bytes.clone(), 0)),
            // Nobody says anything to its standard input.
            _ if at == 0 => Some((Vec::new(), 0)),
            _ => None,
        };
        // A stream that cannot be told so would make us wait where we should not; it always can.
        let _ = stream.set_nonblocking(true);
        Self { stream: Some(stream), input, output: Vec::new() }
    }

    /// What to wait for. Nobody reads from a standard input, whatever the child says there.
    fn interest(&self, at: usize) -> PollFlags {
        let reads = if at == 0 { PollFlags::empty() } else { PollFlags::IN };
        if self.input.is_some() { reads | PollFlags::OUT } else { reads }
    }

    /// Gives the child more of its input. True once it has all of it.
    fn feed(&mut self) -> io::Result<bool> {
        let (Some(stream), Some((bytes, given))) = (&mut self.stream, &mut self.input) else {
            return Ok(false);
        };
        while *given < bytes.len() {
            match stream.write(&bytes[*given..]) {
                Ok(count) => *given += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(false),
                Err(error) => return Err(error),
            }
        }
        self.input = None;
        stream.shutdown(Shutdown::Write)?;
        Ok(true)
    }
}

impl Run {
    /// Waits for the next thing to happen and does it. False when there is nothing left to wait for.
    fn goes_on(&mut self) -> bool {
        let open = self.pipes.iter().flatten().any(|pipe| pipe.stream.is_some());
        if self.status.is_some() && !open {
            return false;
        }
        if self.deadline.is_some_and(|deadline| deadline <= Moment::now()) {
            (self.deadline, self.alarm) = (None, None);
            self.error = Some(Errno::TIMEDOUT);
            self.kill();
            return true;
        }
        self.sleep();
        if self.status.is_none() {
            self.status = self.child.try_wait().ok().flatten();
        }
        for at in 0..self.pipes.len() {
            self.serve(at);
        }
        true
    }

    /// Sleeps until a pipe or the child has something to tell, or until the deadline.
    fn sleep(&self) {
        let mut timeout = LOOK_UP;
        let mut fds = Vec::new();
        match &self.alarm {
            Some(alarm) => fds.push(PollFd::from_borrowed_fd(alarm.as_fd(), PollFlags::IN)),
            None if self.deadline.is_some() => timeout = ASK_AGAIN,
            None => {}
        }
        if self.status.is_none() {
            match &self.pidfd {
                Some(pidfd) => fds.push(PollFd::from_borrowed_fd(pidfd.as_fd(), PollFlags::IN)),
                None => timeout = ASK_AGAIN,
            }
        }
        for (at, pipe) in self.pipes.iter().enumerate() {
            if let Some(pipe) = pipe
                && let Some(stream) = &pipe.stream
            {
                fds.push(PollFd::from_borrowed_fd(stream.as_fd(), pipe.interest(at)));
            }
        }
        // Woken for nothing, or by a signal, the caller looks and comes back.
        let _ = poll(&mut fds, Some(&timeout));
    }

    /// Feeds a pipe and reads from it, as far as that goes.
    fn serve(&mut self, at: usize) {
        let Some(pipe) = self.pipes[at].as_mut().filter(|pipe| pipe.stream.is_some()) else {
            return;
        };
        let fed = pipe.feed();
        let is_input = at == 0;
        match fed {
            Err(error) => {
                self.pipe_failed(at, &error);
                return;
            }
            Ok(true) if is_input => {
                pipe.stream = None;
                return;
            }
            Ok(_) if is_input => return,
            Ok(_) => {}
        }
        let mut chunk = [0; CHUNK];
        let Some(stream) = &mut pipe.stream else { return };
        match stream.read(&mut chunk) {
            Ok(0) => pipe.stream = None,
            Ok(count) => {
                pipe.output.extend_from_slice(&chunk[..count]);
                self.said += count;
                if self.most > 0.0 && self.said as f64 > self.most {
                    self.error.get_or_insert(Errno::NOBUFS);
                    self.kill();
                } else if self.said.saturating_mul(2) > self.room.left() {
                    self.error.get_or_insert(Errno::NOMEM);
                    self.kill();
                }
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => self.pipe_failed(at, &error),
        }
    }

    fn pipe_failed(&mut self, at: usize, error: &io::Error) {
        let error = Errno::from_io_error(error).unwrap_or(Errno::IO);
        self.pipe_error.get_or_insert(error);
        if let Some(pipe) = &mut self.pipes[at] {
            pipe.stream = None;
        }
    }

    /// Ends the child as the program wants it to be ended, and listens to it no more.
    fn kill(&mut self) {
        if std::mem::replace(&mut self.is_killed, true) {
            return;
        }
        if self.status.is_none() {
            let signal = Signal::from_named_raw(self.signal).unwrap_or(Signal::KILL);
            let pid = Pid::from_raw(self.child.id() as i32);
            let sent = pid.map_or(Ok(()), |pid| kill_process(pid, signal));
            if let Err(error) = sent
                && error != Errno::SRCH
            {
                self.error.get_or_insert(error);
                let _ = self.child.kill();
            }
        }
        self.deadline = None;
        for pipe in self.pipes.iter_mut().flatten() {
            pipe.stream = None;
        }
    }

    fn told(self) -> Datum {
        let signal = self.status.and_then(|status| status.signal());
        let code = self.status.and_then(|status| status.code());
        let number =
            |number: Option<i32>| number.map_or(Datum::Null, |it| Datum::Number(it.into()));
        let errno = self.error.or(self.pipe_error).map(Errno::raw_os_error);
        let pid = Datum::Number(self.child.id().into());
        let outputs = self.pipes.into_iter().enumerate().map(|(at, pipe)| match pipe {
            Some(pipe) if at > 0 => Datum::Bytes(pipe.output),
            _ => Datum::Null,
        });
        let outputs = Datum::List(outputs.collect());
        let fields = [
            ("pid", pid),
            ("code", number(code)),
            ("signal", number(signal)),
            ("errno", number(errno)),
            ("output", outputs),
        ];
        Datum::Record(fields.map(|(name, value)| (name.to_owned(), value)).into())
    }
}
