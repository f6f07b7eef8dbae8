//! Processes that the program starts, and the channel to the one that started it.

mod channel;
mod command;
mod descriptors;
mod reaper;
mod run;

pub(crate) use descriptors::inherited;

use crate::net::{Kind, Net};
use crate::reactor::failed;
use crate::tree::SystemTree;
use channel::Channel;
use command::{End, number, text};
use hemiola_gate::{Answer, Datum, Fault, Stop, Wire, sockets};
use hemiola_machine::Operation;
use reaper::{Shared, lock};
use rustix::io::Errno;
use rustix::process::{Signal, kill_process, test_kill_process};
use std::collections::BTreeMap;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::sync::{Arc, LazyLock, Mutex};

/// The channel to whoever started this process, until the program has it. It belongs to the process.
static PARENT: LazyLock<Mutex<Option<OwnedFd>>> = LazyLock::new(|| {
    let number = std::env::var("NODE_CHANNEL_FD").ok().and_then(|text| text.parse().ok());
    Mutex::new(number.and_then(|number| descriptors::take_inherited(number).ok()))
});

/// The children of one program and their channels, by the numbers under which it knows them.
pub(crate) struct Children {
    last: u64,
    running: BTreeMap<u64, Shared>,
    channels: BTreeMap<u64, Arc<Channel>>,
    /// Sockets that came through a channel, until the program has opened them.
    arrived: BTreeMap<i32, OwnedFd>,
}

impl Children {
    pub(crate) fn new() -> Self {
        // Taken before there is any child, which would get it, too.
        LazyLock::force(&PARENT);
        Self {
            last: 0,
            running: BTreeMap::new(),
            channels: BTreeMap::new(),
            arrived: BTreeMap::new(),
        }
    }

    /// Whether requests of that kind are for here.
    pub(crate) fn knows(kind: &str) -> bool {
        kind.starts_with("process.") || kind.starts_with("channel.")
    }

    /// Starts a child, and waits for it.
    pub(crate) fn run(
        &mut self,
        request: &Wire,
        files: &SystemTree,
        net: Option<&Net>,
        stop: &Stop,
    ) -> Answer {
        let spec = request.arguments.first().unwrap_or(&Datum::Undefined);
        let (child, ends) = command::start(spec, &|item| descriptor(item, files, net))?;
        run::finish(child, ends, spec, stop)
    }

    /// Does what is done at once.
    pub(crate) fn perform(&mut self, request: &Wire, files: &SystemTree, net: &mut Net) -> Answer {
        let first = request.arguments.first().unwrap_or(&Datum::Undefined);
        match request.kind.as_str() {
            "process.spawn" => self.spawn(first, files, net),
            "process.kill" => {
                let signal = request.arguments.get(1).and_then(Datum::as_number);
                self.kill(first, signal.unwrap_or_default() as i32)
            }
            // The program has heard of its end, and asks for nothing more.
            "process.forget" => {
                self.running.remove(&id(first));
                Ok(Datum::Undefined)
            }
            "channel.open" => {
                let no_channel = || Fault::system(Errno::BADF.raw_os_error(), "open");
                let fd = lock(&PARENT).take().ok_or_else(no_channel)?;
                self.connect(fd, net).map(|id| Datum::Number(id as f64))
            }
            "channel.tryWrite" => {
                let socket = socket(request.arguments.get(2), net)?;
                let Some(Datum::Bytes(bytes)) = request.arguments.get(1) else {
                    return Ok(Datum::Number(0.0));
                };
                self.channel(first)?.try_write(bytes, socket.as_ref())
            }
            "channel.take" => {
                let socket = self.channel(first)?.take();
                let Some(socket) = socket else { return Ok(Datum::Null) };
                let fd = socket.as_raw_fd();
                self.arrived.insert(fd, socket);
                Ok(Datum::Number(fd.into()))
            }
            "channel.taken" => {
                self.arrived.remove(&(first.as_number().unwrap_or(-1.0) as i32));
                Ok(Datum::Undefined)
            }
            "channel.close" => {
                if let Some(channel) = self.channels.remove(&id(first)) {
                    channel.close();
                }
                Ok(Datum::Undefined)
            }
            kind => Err(Fault::new("ENOSYS", format!("this world cannot do {kind} at once"))),
        }
    }

    /// Begins an operation.
    pub(crate) fn begin(
        &mut self,
        operation: Operation,
        request: Wire,
        net: &Net,
    ) -> Result<(), Fault> {
        let Wire { kind, mut arguments } = request;
        let first = arguments.first().cloned().unwrap_or(Datum::Undefined);
        let reactor = net.reactor();
        match kind.as_str() {
            "process.wait" => {
                let child = self.running.get(&id(&first)).ok_or_else(no_such_process)?;
                reaper::wait(operation, Arc::clone(child), reactor);
            }
            "process.settle" => reaper::settle(operation, reactor),
            "channel.read" => self.channel(&first)?.read(operation, reactor),
            "channel.write" => {
                let socket = socket(arguments.get(2), net)?;
                let bytes = sockets::bytes(arguments.swap_remove(1));
                self.channel(&first)?.write(operation, bytes, socket, reactor);
            }
            kind => return Err(Fault::new("ENOSYS", format!("this world knows no {kind}"))),
        }
        Ok(())
    }

    fn number(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    fn channel(&self, number: &Datum) -> Result<Arc<Channel>, Fault> {
        let closed = || Fault::system(Errno::BADF.raw_os_error(), "write");
        self.channels.get(&id(number)).cloned().ok_or_else(closed)
    }

    fn connect(&mut self, fd: OwnedFd, net: &Net) -> Result<u64, Fault> {
        let channel = Channel::new(fd, net.reactor()).map_err(|error| failed(&error, "open"))?;
        let id = self.number();
        self.channels.insert(id, channel);
        Ok(id)
    }

    fn spawn(&mut self, spec: &Datum, files: &SystemTree, net: &mut Net) -> Answer {
        let (child, ends) = command::start(spec, &|item| descriptor(item, files, Some(net)))?;
        let pid = child.id();
        let mut numbers = Vec::new();
        for (at, end) in ends.into_iter().enumerate() {
            let End::Pipe(stream) = end else {
                numbers.push(Datum::Null);
                continue;
            };
            let item = command::list(spec, "stdio").get(at).unwrap_or(&Datum::Undefined);
            let id = if text(item, "type") == Some("ipc") {
                self.connect(stream.into(), net)?
            } else {
                let refused = |error: io::Error| failed(&error, "spawn");
                stream.set_nonblocking(true).map_err(refused)?;
                net.adopt(stream.into(), Kind::Unix, at > 0).map_err(refused)?
            };
            numbers.push(Datum::Number(id as f64));
        }
        let id = self.number();
        self.running.insert(id, Arc::new(Mutex::new(child)));
        Ok(Datum::Record(vec![
            ("pid".into(), Datum::Number(pid.into())),
            ("id".into(), Datum::Number(id as f64)),
            ("stdio".into(), Datum::List(numbers)),
        ]))
    }

    fn kill(&mut self, number: &Datum, signal: i32) -> Answer {
        let child = self.running.get(&id(number)).ok_or_else(no_such_process)?;
        let mut child = lock(child);
        // Under the lock nobody waits for it, and its number cannot become another's.
        if let Ok(Some(_)) = child.try_wait() {
            return Err(no_such_process());
        }
        let pid = reaper::pid(&child);
        let sent = match Signal::from_named_raw(signal) {
            _ if signal == 0 => test_kill_process(pid),
            Some(signal) => kill_process(pid, signal),
            None => Err(Errno::INVAL),
        };
        sent.map(|()| Datum::Undefined).map_err(|error| Fault::system(error.raw_os_error(), "kill"))
    }
}

fn id(number: &Datum) -> u64 {
    number.as_number().unwrap_or_default() as u64
}

/// A copy of the socket that is to go with a message, if one is.
fn socket(id: Option<&Datum>, net: &Net) -> Result<Option<OwnedFd>, Fault> {
    let Some(id) = id.and_then(Datum::as_number) else { return Ok(None) };
    net.descriptor(id as u64).map(Some).map_err(|error| failed(&error, "write"))
}

fn no_such_process() -> Fault {
    Fault::system(Errno::SRCH.raw_os_error(), "kill")
}

/// A copy of what an entry of `stdio` names: a descriptor, or a stream.
fn descriptor(item: &Datum, files: &SystemTree, net: Option<&Net>) -> io::Result<OwnedFd> {
    if let Some(id) = number(item, "id") {
        let net = net.ok_or_else(|| io::Error::from(Errno::BADF))?;
        let fd = net.descriptor(id as u64)?;
        // Programs expect to wait where they read; who shares it with one that does not must cope.
        rustix::io::ioctl_fionbio(&fd, false)?;
        return Ok(fd);
    }
    files.descriptor(number(item, "fd").unwrap_or(-1.0) as i32)
}
