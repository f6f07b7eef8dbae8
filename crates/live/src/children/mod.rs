//! Processes that the program starts, and the channel to the one that started it.

mod channel;
mod command;
mod descriptors;
mod echo;
mod lock;
mod reaper;
mod run;

pub(crate) use descriptors::inherited;
pub use echo::Echo;

use crate::datagrams::Datagrams;
use crate::net::{Kind, Net};
use crate::reactor::failed;
use crate::tree::SystemTree;
use channel::Channel;
use command::{End, Started, number, text};
use echo::Tee;
use hemiola_gate::{Answer, ChannelCall, ChildCall, Datum, Fault, Program, Room, Stop};
use hemiola_machine::Operation;
use lock::lock;
use reaper::Shared;
use rustix::io::Errno;
use rustix::process::{Signal, kill_process, test_kill_process};
use std::collections::BTreeMap;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::rc::Rc;
use std::sync::{Arc, LazyLock, Mutex};

/// The channel to whoever started this process, until the program has it. It belongs to the process.
static PARENT: LazyLock<Mutex<Option<OwnedFd>>> = LazyLock::new(|| {
    let number = std::env::var("NODE_CHANNEL_FD").ok().and_then(|text| text.parse().ok());
    Mutex::new(number.and_then(|number| descriptors::take_inherited(number).ok()))
});

/// The children of one program and their channels, by the numbers under which it knows them.
pub(crate) struct Children {
    last: u64,
    running: BTreeMap<u64, (Shared, Vec<Arc<Tee>>)>,
    channels: BTreeMap<u64, Rc<Channel>>,
    /// Sockets that came through a channel, until the program has opened them.
    arrived: BTreeMap<i32, OwnedFd>,
    /// Where it is noted what they write to the program's own streams, if the run is recorded.
    echo: Option<Echo>,
}

impl Children {
    pub(crate) fn new(echo: Option<Echo>) -> Self {
        // Taken before there is any child, which would get it, too.
        LazyLock::force(&PARENT);
        Self {
            last: 0,
            running: BTreeMap::new(),
            channels: BTreeMap::new(),
            arrived: BTreeMap::new(),
            echo,
        }
    }

    /// Starts a child, and waits for it.
    pub(crate) fn run(
        &mut self,
        program: &Program,
        files: &SystemTree,
        net: Option<&Net>,
        stop: &Stop,
        room: Room,
    ) -> Answer {
        let Started { child, ends, tees } =
            command::start(program, self.echo.as_ref(), &|item| descriptor(item, files, net))?;
        let ended = run::finish(child, ends, program, stop, room);
        // What it wrote is seen before its end is.
        tees.iter().for_each(|tee| tee.settle());
        ended
    }

    /// Starts a child.
    pub(crate) fn spawn(&mut self, program: &Program, files: &SystemTree, net: &mut Net) -> Answer {
        let Started { child, ends, tees } = command::start(program, self.echo.as_ref(), &|item| {
            descriptor(item, files, Some(net))
        })?;
        let pid = child.id();
        let mut numbers = Vec::new();
        for (at, end) in ends.into_iter().enumerate() {
            let End::Pipe(stream) = end else {
                numbers.push(Datum::Null);
                continue;
            };
            let item = command::list(program, "stdio").get(at).unwrap_or(&Datum::Undefined);
            let id = if text(item, "type") == Some("ipc") {
                self.connect(stream.into(), net)?
            } else {
                let refused = |error: io::Error| failed(&error, "spawn");
                stream.set_nonblocking(true).map_err(refused)?;
                net.adopt(stream.into(), Kind::Unix).map_err(refused)?
            };
            numbers.push(Datum::Number(id as f64));
        }
        let id = self.number();
        self.running.insert(id, (Arc::new(Mutex::new(child)), tees));
        Ok(Datum::Record(vec![
            ("pid".into(), Datum::Number(pid.into())),
            ("id".into(), Datum::Number(id as f64)),
            ("stdio".into(), Datum::List(numbers)),
        ]))
    }

    /// Sends a signal to a child.
    pub(crate) fn kill(&mut self, child: u64, signal: i32) -> Answer {
        let (child, _) = self.running.get(&child).ok_or_else(no_such_process)?;
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

    /// The program has heard of a child's end, and asks for nothing more.
    pub(crate) fn forget(&mut self, child: u64) {
        self.running.remove(&child);
    }

    /// Does at once what is done on a channel.
    pub(crate) fn perform_on_channel(&mut self, call: ChannelCall, open: Sockets<'_>) -> Answer {
        match call {
            ChannelCall::Open => {
                let no_channel = || Fault::system(Errno::BADF.raw_os_error(), "open");
                let fd = lock(&PARENT).take().ok_or_else(no_channel)?;
                self.connect(fd, open.net).map(|id| Datum::Number(id as f64))
            }
            ChannelCall::TryWrite { channel, bytes, socket, of_datagrams } => {
                let socket = open.copy(socket.0, of_datagrams.0)?;
                self.channel(channel)?.try_write(&bytes, socket.as_ref())
            }
            ChannelCall::Take { channel } => {
                let Some(socket) = self.channel(channel)?.take() else { return Ok(Datum::Null) };
                let fd = socket.as_raw_fd();
                self.arrived.insert(fd, socket);
                Ok(Datum::Number(fd.into()))
            }
            ChannelCall::Taken { fd } => {
                self.arrived.remove(&fd);
                Ok(Datum::Undefined)
            }
            ChannelCall::Close { channel } => {
                if let Some(channel) = self.channels.remove(&channel) {
                    channel.close();
                }
                Ok(Datum::Undefined)
            }
            ChannelCall::Read { .. } | ChannelCall::Write { .. } => Err(not_at_once(call.name())),
        }
    }

    /// Begins to wait for children.
    pub(crate) fn begin(
        &mut self,
        operation: Operation,
        call: ChildCall,
        net: &Net,
    ) -> Result<(), Fault> {
        let reactor = net.reactor();
        match call {
            ChildCall::Wait { child } => {
                let (child, tees) = self.running.get(&child).ok_or_else(no_such_process)?;
                reaper::wait(operation, Arc::clone(child), tees.clone(), reactor);
            }
            ChildCall::Settle => reaper::settle(operation, reactor),
            ChildCall::Spawn { .. }
            | ChildCall::Run { .. }
            | ChildCall::Kill { .. }
            | ChildCall::Forget { .. }
            | ChildCall::Raise { .. } => return Err(unknown(call.name())),
        }
        Ok(())
    }

    /// Begins an operation on a channel.
    pub(crate) fn begin_on_channel(
        &mut self,
        operation: Operation,
        call: ChannelCall,
        open: Sockets<'_>,
    ) -> Result<(), Fault> {
        match call {
            ChannelCall::Read { channel } => self.channel(channel)?.read(operation),
            ChannelCall::Write { channel, bytes, socket, of_datagrams } => {
                let socket = open.copy(socket.0, of_datagrams.0)?;
                self.channel(channel)?.write(operation, bytes, socket);
            }
            ChannelCall::Open
            | ChannelCall::TryWrite { .. }
            | ChannelCall::Take { .. }
            | ChannelCall::Taken { .. }
            | ChannelCall::Close { .. } => return Err(unknown(call.name())),
        }
        Ok(())
    }

    fn number(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    fn channel(&self, number: u64) -> Result<Rc<Channel>, Fault> {
        let closed = || Fault::system(Errno::BADF.raw_os_error(), "write");
        self.channels.get(&number).cloned().ok_or_else(closed)
    }

    fn connect(&mut self, fd: OwnedFd, net: &Net) -> Result<u64, Fault> {
        let channel = Channel::new(fd, net.reactor()).map_err(|error| failed(&error, "open"))?;
        let id = self.number();
        self.channels.insert(id, channel);
        Ok(id)
    }
}

/// What a program has open that may go through a channel.
pub(crate) struct Sockets<'a> {
    pub(crate) net: &'a Net,
    pub(crate) datagrams: Option<&'a Datagrams>,
}

impl Sockets<'_> {
    /// A copy of the socket that is to go with a message, if one is.
    fn copy(&self, socket: Option<u64>, of_datagrams: bool) -> Result<Option<OwnedFd>, Fault> {
        let Some(id) = socket else { return Ok(None) };
        let none = || io::Error::from(Errno::BADF);
        let copy = match of_datagrams {
            true => self.datagrams.ok_or_else(none).and_then(|open| open.descriptor(id)),
            false => self.net.descriptor(id),
        };
        copy.map(Some).map_err(|error| failed(&error, "write"))
    }
}

fn unknown(name: &str) -> Fault {
    Fault::new("ENOSYS", format!("this world knows no {name}"))
}

pub(crate) fn not_at_once(name: &str) -> Fault {
    Fault::new("ENOSYS", format!("this world cannot do {name} at once"))
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
