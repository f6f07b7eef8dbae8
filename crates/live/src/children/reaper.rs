//! Whoever waits for children to end.

use crate::inbox::Sender;
use hemiola_js::{Answer, Datum, Fault};
use hemiola_machine::Operation;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, WaitId, WaitIdOptions, pidfd_open, waitid};
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::process::Child;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A child that several threads know. Its number is its own as long as nobody has waited for it.
pub(crate) type Shared = Arc<Mutex<Child>>;

/// Whoever panicked while holding it left it whole: it is only asked.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One thread for all children.
pub(crate) struct Reaper {
    sender: Sender,
    waiting: Arc<Mutex<Vec<Waiting>>>,
    /// Tells the thread that there is somebody new.
    bell: Option<UnixStream>,
}

struct Waiting {
    operation: Operation,
    child: Shared,
    pidfd: Arc<OwnedFd>,
}

impl Reaper {
    pub(crate) fn new(sender: Sender) -> Self {
        Self { sender, waiting: Arc::default(), bell: None }
    }

    /// Answers the operation when the child has ended.
    pub(crate) fn wait(&mut self, operation: Operation, child: Shared) -> Result<(), Fault> {
        let refused = |error: io::Error| {
            Fault::system(error.raw_os_error().unwrap_or(Errno::IO.raw_os_error()), "wait")
        };
        let id = lock(&child).id();
        let pid = Pid::from_raw(id as i32).expect("a child has a number");
        match pidfd_open(pid, PidfdFlags::empty()) {
            Ok(pidfd) => {
                let pidfd = Arc::new(pidfd);
                lock(&self.waiting).push(Waiting { operation, child, pidfd });
            }
            Err(_) => {
                // A system that does not know them: each child has a thread that waits for it.
                let sender = self.sender.clone();
                std::thread::spawn(move || {
                    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
                    while waitid(WaitId::Pid(pid), options).err() == Some(Errno::INTR) {}
                    sender.deliver(operation, ended(&child));
                });
                return Ok(());
            }
        }
        match &mut self.bell {
            // A bell that is full of rings is rung.
            Some(bell) => drop(bell.write(&[1])),
            none => *none = Some(start(&self.waiting, &self.sender).map_err(refused)?),
        }
        Ok(())
    }
}

/// Starts the thread; gives its bell.
fn start(waiting: &Arc<Mutex<Vec<Waiting>>>, sender: &Sender) -> io::Result<UnixStream> {
    let (bell, rung) = UnixStream::pair()?;
    bell.set_nonblocking(true)?;
    rung.set_nonblocking(true)?;
    let (waiting, sender) = (Arc::clone(waiting), sender.clone());
    // It ends with the process.
    std::thread::spawn(move || {
        loop {
            sleep(&waiting, &rung);
            let mut ended_now = Vec::new();
            lock(&waiting).retain(|one| match ended(&one.child) {
                Ok(Datum::Undefined) => true,
                answer => {
                    ended_now.push((one.operation, answer));
                    false
                }
            });
            for (operation, answer) in ended_now {
                sender.deliver(operation, answer);
            }
        }
    });
    Ok(bell)
}

/// Sleeps until a child has ended or the bell rings.
fn sleep(waiting: &Mutex<Vec<Waiting>>, rung: &UnixStream) {
    // Copies, so that nobody who has a new child must wait for the old ones.
    let pidfds: Vec<Arc<OwnedFd>> =
        lock(waiting).iter().map(|one| Arc::clone(&one.pidfd)).collect();
    let mut fds = vec![PollFd::from_borrowed_fd(rung.as_fd(), PollFlags::IN)];
    fds.extend(pidfds.iter().map(|fd| PollFd::from_borrowed_fd(fd.as_fd(), PollFlags::IN)));
    let _ = poll(&mut fds, None);
    let mut bytes = [0; 64];
    while matches!((&*rung).read(&mut bytes), Ok(count) if count > 0) {}
}

/// How a child ended; undefined if it has not.
fn ended(child: &Mutex<Child>) -> Answer {
    let number = |number: Option<i32>| number.map_or(Datum::Null, |it| Datum::Number(it.into()));
    match lock(child).try_wait() {
        Ok(None) => Ok(Datum::Undefined),
        Ok(Some(status)) => Ok(Datum::Record(vec![
            ("code".into(), number(status.code())),
            ("signal".into(), number(status.signal())),
        ])),
        Err(error) => Err(Fault::system(error.raw_os_error().unwrap_or(0), "wait")),
    }
}
