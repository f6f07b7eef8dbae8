//! The last resort: who ends a process whose program does not stop when it is asked to.
//!
//! The engine looks up between the steps of a program, and so a program usually stops within a few
//! milliseconds. It cannot look up within one long step, such as the joining of a thousand million strings,
//! nor while the system keeps it waiting. Then a thread of its own ends the process, after what was printed
//! and recorded has been written.

use crate::ending::{end_by, signal_of};
use crate::output::Streams;
use crate::patience::{Patience, this_thread};
use hemiola_gate::{Reason, Stop};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::thread::Pid;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

/// How often is looked at least whether there is time left.
const LOOK: Duration = Duration::from_millis(1);

/// How long it may take to say where it was, once it has heard.
const HEARD: Duration = Duration::from_secs(2);

/// How long whoever reads the output may take for the last of it.
const LAST_WORDS: Duration = Duration::from_millis(50);

/// How long the last act may take.
const LAST_ACT: Duration = Duration::from_secs(3);

/// What fits into a pipe that can be written to.
const PIPE: usize = 4096;

/// What is done before the process ends, such as writing down what was recorded; gives what is to be said
/// of that.
pub type LastAct = Box<dyn FnOnce(Reason) -> String + Send>;

/// Ends the process if its program does not; its copies are one.
#[derive(Clone)]
pub struct Guard(Arc<Shared>);

struct Shared {
    stop: Stop,
    bell: UnixStream,
    out: Streams,
    phase: Mutex<Phase>,
    changed: Condvar,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// The program runs.
    Watching,
    /// The program has stopped by itself, or was never watched.
    Over,
    /// The process is being ended.
    Ending,
}

impl Guard {
    /// A guard that sleeps, and its bell.
    pub(crate) fn new(stop: Stop, out: Streams) -> io::Result<(Self, UnixStream)> {
        let (bell, other) = UnixStream::pair()?;
        // Who rings never waits.
        other.set_nonblocking(true)?;
        let phase = Mutex::new(Phase::Over);
        let shared = Shared { stop, bell: other, out, phase, changed: Condvar::new() };
        Ok((Self(Arc::new(shared)), bell))
    }

    /// Watches over the program of this thread until [`Guard::over`]. `last` is what is done before the process ends.
    pub(crate) fn watch(&self, bell: UnixStream, last: LastAct) -> io::Result<()> {
        *self.0.phase() = Phase::Watching;
        let guard = self.clone();
        let program = this_thread();
        let thread = std::thread::Builder::new().name("guard".into());
        thread.spawn(move || guard.run(program, bell, last)).map(drop)
    }

    /// Something that wakes the guard when it is written to, also from a signal's handler.
    pub(crate) fn bell(&self) -> io::Result<OwnedFd> {
        self.0.bell.try_clone().map(OwnedFd::from)
    }

    /// Wakes the guard after somebody asked for a stop.
    pub(crate) fn ring(&self) {
        // A bell that is full has been rung.
        let _ = (&self.0.bell).write(&[0]);
    }

    /// Is told that the program has stopped. Does not come back if that was too late.
    pub fn over(&self) {
        let mut phase = self.0.phase();
        while *phase == Phase::Ending {
            phase = self.0.changed.wait(phase).unwrap_or_else(PoisonError::into_inner);
        }
        *phase = Phase::Over;
        self.0.changed.notify_all();
    }

    fn run(self, program: Pid, mut bell: UnixStream, last: LastAct) {
        let mut byte = [0];
        let reason = loop {
            match bell.read(&mut byte) {
                Ok(0) => return,
                Ok(_) => self.0.stop.insist(),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return,
            }
            if let Some(reason) = self.0.stop.asked() {
                break reason;
            }
        };
        let patience = Patience::with(program);
        if self.stops_while(|| patience.left()) {
            return;
        }
        let until = Instant::now() + HEARD;
        let left = || match self.0.stop.is_heard() {
            true => until.saturating_duration_since(Instant::now()),
            false => Duration::ZERO,
        };
        if self.stops_while(left) {
            return;
        }
        self.end(reason, last);
    }

    /// Waits for the program to stop, while there is time left.
    fn stops_while(&self, left: impl Fn() -> Duration) -> bool {
        let mut phase = self.0.phase();
        while *phase == Phase::Watching {
            let left = left();
            if left.is_zero() {
                return false;
            }
            // Who has a little time left is not asked without end.
            let waited = self.0.changed.wait_timeout(phase, left.max(LOOK));
            (phase, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
        true
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "the program's thread does not come back to main"
    )]
    fn end(&self, reason: Reason, last: LastAct) {
        {
            let mut phase = self.0.phase();
            if *phase != Phase::Watching {
                return;
            }
            *phase = Phase::Ending;
        }
        // Nothing is printed any more from here on.
        let out = self.0.out.try_out();
        let mut out = match out {
            Ok(out) => Some(out),
            Err(TryLockError::Poisoned(out)) => Some(out.into_inner()),
            // It waits for whoever reads its output: they do not want the rest.
            Err(TryLockError::WouldBlock) => None,
        };
        if let Some(out) = &mut out {
            let mut stdout = io::stdout();
            if is_ready(&stdout, LAST_WORDS) {
                // What was printed before that may wait there, and is less than fits.
                let _ = stdout.flush();
                write_now(&stdout, out.waiting());
            }
        }
        let why = match reason {
            Reason::Interrupted => "interrupted",
            Reason::Terminated => "asked to end",
            Reason::TimedOut => "the time is up (--timeout)",
            Reason::OutOfMemory => "out of memory (--memory-limit)",
            Reason::PastTheEnd => "the virtual time is up (--until)",
            Reason::Ended => "ended",
        };
        let text = format!("{why}, while running something that cannot be interrupted\n");
        // If nobody can be told, the exit status still says it.
        write_now(&io::stderr(), text.as_bytes());
        // A disk that does not answer, or a file that nobody reads, is not waited for.
        let late = std::thread::Builder::new().name("late".into());
        let _ = late.spawn(move || {
            std::thread::sleep(LAST_ACT);
            std::process::exit(reason.exit_code());
        });
        write_now(&io::stderr(), last(reason).as_bytes());
        if let Some(signal) = signal_of(reason) {
            end_by(signal);
        }
        let _ = crate::terminal::restore();
        std::process::exit(reason.exit_code());
    }
}

impl Shared {
    fn phase(&self) -> MutexGuard<'_, Phase> {
        self.phase.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a stream takes something, within so much time.
fn is_ready(stream: &impl AsFd, limit: Duration) -> bool {
    let until = Instant::now() + limit;
    loop {
        let left = until.saturating_duration_since(Instant::now());
        let timeout = Timespec { tv_sec: 0, tv_nsec: i64::from(left.subsec_nanos()) };
        match poll(&mut [PollFd::new(stream, PollFlags::OUT)], Some(&timeout)) {
            Err(Errno::INTR) => {}
            Ok(ready) => return ready > 0,
            Err(_) => return false,
        }
    }
}

/// Writes what a stream takes, without the locks of who may be writing to it.
fn write_now(stream: &impl AsFd, mut bytes: &[u8]) {
    while !bytes.is_empty() && is_ready(stream, LAST_WORDS) {
        match rustix::io::write(stream, &bytes[..bytes.len().min(PIPE)]) {
            Ok(count) => bytes = &bytes[count..],
            Err(Errno::INTR | Errno::AGAIN) => {}
            Err(_) => return,
        }
    }
}
