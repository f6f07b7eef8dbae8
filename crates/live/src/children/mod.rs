//! Processes that the program starts.

mod command;
mod descriptors;
mod reaper;
mod run;

pub(crate) use descriptors::inherited;

use crate::inbox::Sender;
use crate::tree::SystemTree;
use command::{End, number, text};
use hemiola_js::{Answer, Datum, Fault, Request, Stop};
use hemiola_machine::Operation;
use reaper::{Reaper, Shared, lock};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use std::collections::BTreeMap;
use std::io;
use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex};

/// The children of one program, by the numbers under which it knows them.
pub(crate) struct Children {
    running: BTreeMap<u64, Shared>,
    next: u64,
    reaper: Reaper,
}

impl Children {
    pub(crate) fn new(sender: Sender) -> Self {
        Self { running: BTreeMap::new(), next: 1, reaper: Reaper::new(sender) }
    }

    /// Does what is asked for at once.
    pub(crate) fn perform(&mut self, request: &Request, files: &SystemTree, stop: &Stop) -> Answer {
        let spec = request.arguments.first().unwrap_or(&Datum::Undefined);
        let open = |item: &Datum| descriptor(item, files);
        match request.kind.as_str() {
            "process.run" => {
                let (child, ends) = command::start(spec, &open)?;
                run::finish(child, ends, spec, stop)
            }
            "process.kill" => {
                let signal = request.arguments.get(1).and_then(Datum::as_number);
                self.kill(spec, signal.unwrap_or_default() as i32)
            }
            kind => Err(Fault::new("ENOSYS", format!("this world cannot do {kind} at once"))),
        }
    }

    /// Lets an operation wait for the end of a child.
    pub(crate) fn wait(&mut self, operation: Operation, request: &Request) -> Result<(), Fault> {
        let id = request.arguments.first().and_then(Datum::as_number).unwrap_or_default() as u64;
        // Whoever waits for it needs it no more here; a signal finds it while it runs.
        let child = self.running.get(&id).ok_or_else(no_such_process)?;
        self.reaper.wait(operation, Arc::clone(child))
    }

    fn kill(&mut self, id: &Datum, signal: i32) -> Answer {
        let id = id.as_number().unwrap_or_default() as u64;
        let child = self.running.get(&id).ok_or_else(no_such_process)?;
        let mut child = lock(child);
        // Under the lock nobody waits for it, and its number cannot become another's.
        if let Ok(Some(_)) = child.try_wait() {
            return Err(no_such_process());
        }
        let pid = Pid::from_raw(child.id() as i32).expect("a child has a number");
        let sent = match Signal::from_named_raw(signal) {
            _ if signal == 0 => test_kill_process(pid),
            Some(signal) => kill_process(pid, signal),
            None => Err(Errno::INVAL),
        };
        sent.map(|()| Datum::Undefined)
            .map_err(|error| Fault::system(error.raw_os_error(), "kill"))
    }
}

fn no_such_process() -> Fault {
    Fault::system(Errno::SRCH.raw_os_error(), "kill")
}

/// A copy of what an entry of `stdio` names: a descriptor.
fn descriptor(item: &Datum, files: &SystemTree) -> io::Result<OwnedFd> {
    let fd = number(item, "fd").unwrap_or(-1.0);
    files.descriptor(fd as i32)
}
