//! Whoever waits for children to end.

use super::echo::Tee;
use super::lock::lock;
use crate::deliveries::Sender;
use crate::reactor::{Reactor, Ready, Source, Watched};
use hemiola_gate::{Answer, Datum, Fault};
use hemiola_machine::Operation;
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, WaitId, WaitIdOptions, pidfd_open, waitid};
use std::cell::RefCell;
use std::os::unix::process::ExitStatusExt;
use std::process::Child;
use std::rc::Rc;
use std::sync::{Arc, Mutex};

/// A child that two threads may know. Its number is its own as long as nobody has waited for it.
pub(crate) type Shared = Arc<Mutex<Child>>;

/// The number of a child.
pub(crate) fn pid(child: &Child) -> Pid {
    Pid::from_raw(child.id() as i32).expect("a child has a number")
}

/// Answers the operation when the child has ended, and what it wrote has been passed on.
pub(super) fn wait(operation: Operation, child: Shared, tees: Vec<Arc<Tee>>, reactor: &Reactor) {
    let pid = pid(&lock(&child));
    let sender = reactor.sender.clone();
    let watch = || reactor.watch(pidfd_open(pid, PidfdFlags::NONBLOCK).ok()?).ok();
    // To pass something on may take a while, and the program does not wait for it.
    if let Some(pidfd) = tees.is_empty().then(watch).flatten() {
        let ending = Rc::new(Ending { operation, child, sender, pidfd: RefCell::default() });
        pidfd.tell(Rc::clone(&ending) as Rc<dyn Source>);
        ending.pidfd.replace(Some(pidfd));
        return;
    }
    // On a system that has no such descriptors, or none left, a thread waits.
    std::thread::spawn(move || {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        while waitid(WaitId::Pid(pid), options).err() == Some(Errno::INTR) {}
        tees.iter().for_each(|tee| tee.settle());
        sender.deliver(operation, ended(&child));
    });
}

/// Somebody who waits for a child without a thread.
struct Ending {
    operation: Operation,
    child: Shared,
    sender: Sender,
    /// Nothing once it has ended.
    pidfd: RefCell<Option<Watched>>,
}

impl Source for Ending {
    fn ready(self: Rc<Self>, ready: Ready) {
        // It is said once, and then for ever.
        if ready.read && self.pidfd.take().is_some() {
            self.sender.deliver(self.operation, ended(&self.child));
        }
    }
}

/// Answers once everything has been looked at that was there to be read before: what a child has said
/// is heard before its end is.
pub(crate) fn settle(operation: Operation, reactor: &Reactor) {
    reactor.settle();
    reactor.sender.deliver(operation, Ok(Datum::Undefined));
}

/// How a child ended.
fn ended(child: &Mutex<Child>) -> Answer {
    let number = |number: Option<i32>| number.map_or(Datum::Null, |it| Datum::Number(it.into()));
    let status = lock(child).wait();
    let status =
        status.map_err(|error| Fault::system(error.raw_os_error().unwrap_or(0), "wait"))?;
    Ok(Datum::Record(vec![
        ("code".into(), number(status.code())),
        ("signal".into(), number(status.signal())),
    ]))
}
