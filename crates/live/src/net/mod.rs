//! Sockets: connections, whoever listens for them, and all other streams of bytes.
//!
//! The program's thread holds [`Net`], and what waits is called by its [`Reactor`]. Both look at the same
//! [`table`].

mod connecting;
mod listener;
mod reading;
mod socket;
mod stream;
mod table;
mod writing;

pub(crate) use socket::inherited;
pub(crate) use stream::Kind;

use crate::clock::Moment;
use crate::inbox::Inbox;
use crate::reactor::{Reactor, failed};
use crate::zones;
use connecting::Connecting;
use hemiola_gate::sockets::{self, Connect, Listen, Settings};
use hemiola_gate::{Answer, Datum, Fault, NetCall, StreamCall};
use hemiola_machine::Operation;
use listener::Listener;
use std::collections::BTreeMap;
use std::io;
use std::os::fd::OwnedFd;
use std::rc::Rc;
use stream::Stream;
use table::Shared;

const EBADF: i32 = 9;

/// The sockets of a program.
pub(crate) struct Net {
    shared: Rc<Shared>,
    reactor: Reactor,
    connecting: BTreeMap<Operation, Rc<Connecting>>,
}

impl Net {
    pub(crate) fn new(reactor: Reactor) -> Self {
        Self { shared: Rc::default(), reactor, connecting: BTreeMap::new() }
    }

    /// Takes in an end of a pipe, or a connected socket, that must not block; gives its number.
    ///
    /// It is not read from before the program asks for it: it may be for another process.
    pub(crate) fn adopt(&mut self, fd: OwnedFd, kind: Kind) -> io::Result<u64> {
        let stream = Stream::new(self.reactor.watch(fd)?, kind, &self.reactor.sender);
        Ok(self.shared.table().add(stream))
    }

    /// What calls them, for others to be called, too.
    pub(crate) fn reactor(&self) -> &Reactor {
        &self.reactor
    }

    /// A second descriptor for a stream or for a socket that listens, for another process.
    pub(crate) fn descriptor(&self, id: u64) -> io::Result<OwnedFd> {
        let table = self.shared.table();
        if let Some(stream) = table.streams.get(&id) {
            return stream.descriptor();
        }
        let listener = table.listeners.get(&id);
        listener.ok_or_else(|| io::Error::from_raw_os_error(EBADF))?.descriptor()
    }

    /// Begins an operation.
    pub(crate) fn begin(
        &mut self,
        operation: Operation,
        call: NetCall,
        inbox: &Inbox,
    ) -> Result<(), Fault> {
        match call {
            NetCall::Accept { listener } => {
                let listener = self.shared.table().listeners.get(&listener).cloned();
                let listener = listener.ok_or_else(|| Fault::system(EBADF, "accept"))?;
                if let Some(answer) = listener.accept(operation) {
                    inbox.put(operation, Moment::now(), answer);
                }
                Ok(())
            }
            NetCall::Connect { place } => {
                let request = Connect::new(&zones::numbered(&place))?;
                let shared = &self.shared;
                let connecting = Connecting::begin(operation, &request, shared, &self.reactor)?;
                self.connecting.insert(operation, connecting);
                Ok(())
            }
            NetCall::Listen { .. } | NetCall::Close { .. } | NetCall::Open { .. } => {
                Err(unknown(call.name()))
            }
        }
    }

    /// Begins an operation on a stream.
    pub(crate) fn begin_on_stream(
        &mut self,
        operation: Operation,
        call: StreamCall,
        inbox: &Inbox,
    ) -> Result<(), Fault> {
        let answer = match call {
            StreamCall::Read { stream } => {
                if let Some((since, answer)) = self.stream(stream, "read")?.read(operation) {
                    inbox.put(operation, since, answer);
                }
                None
            }
            StreamCall::Write { stream, bytes } => {
                self.stream(stream, "write")?.write(operation, bytes.whole())
            }
            StreamCall::Shutdown { stream } => self.stream(stream, "shutdown")?.shutdown(operation),
            StreamCall::TryWrite { .. }
            | StreamCall::TryShutdown { .. }
            | StreamCall::Recall { .. }
            | StreamCall::Set { .. }
            | StreamCall::Close { .. } => return Err(unknown(call.name())),
        };
        if let Some(answer) = answer {
            inbox.put(operation, Moment::now(), answer);
        }
        Ok(())
    }

    /// Does what is done at once.
    pub(crate) fn perform(&mut self, call: NetCall) -> Answer {
        match call {
            NetCall::Listen { place } => {
                let request = Listen::new(&zones::numbered(&place))?;
                let (listener, at) = Listener::open(&request, &self.shared, &self.reactor)?;
                let mut table = self.shared.table();
                let id = table.number();
                table.listeners.insert(id, listener);
                Ok(zones::named(sockets::listening(id, at.as_ref())))
            }
            NetCall::Open { fd } => {
                let (fd, kind) = socket::inherited(fd, "open")?;
                let id = self.adopt(fd, kind).map_err(|error| failed(&error, "open"))?;
                let stream = self.shared.stream(id);
                let (near, far) = stream.map(|stream| stream.ends()).unwrap_or_default();
                Ok(zones::named(sockets::connection(id, near.as_ref(), far.as_ref())))
            }
            NetCall::Close { listener } => {
                let listener = self.shared.table().listeners.remove(&listener);
                if let Some(listener) = listener {
                    listener.close();
                }
                Ok(Datum::Undefined)
            }
            NetCall::Accept { .. } | NetCall::Connect { .. } => Err(not_at_once(call.name())),
        }
    }

    /// Does at once what is done on a stream.
    pub(crate) fn perform_on_stream(&mut self, call: StreamCall) -> Answer {
        match call {
            StreamCall::TryWrite { stream, bytes } => {
                self.stream(stream, "write")?.try_write(&bytes.whole())
            }
            StreamCall::TryShutdown { stream } => self.stream(stream, "shutdown")?.try_shutdown(),
            // Whoever takes the stream over must know whether bytes are on their way to the program.
            StreamCall::Recall { stream } => Ok(Datum::Bool(self.stream(stream, "read")?.recall())),
            StreamCall::Set { stream, settings } => {
                self.stream(stream, "setsockopt")?.set(Settings::new(&settings))
            }
            StreamCall::Close { stream, reset } => {
                let stream = self.shared.table().streams.remove(&stream);
                stream.map_or(Ok(()), |stream| stream.close(reset.0 == Some(true)))?;
                Ok(Datum::Undefined)
            }
            StreamCall::Read { .. } | StreamCall::Write { .. } | StreamCall::Shutdown { .. } => {
                Err(not_at_once(call.name()))
            }
        }
    }

    /// Forgets an operation: a connection that it was to give, or has given unseen, is closed.
    pub(crate) fn cancel(&mut self, operation: Operation) {
        if let Some(connecting) = self.connecting.remove(&operation) {
            connecting.abort();
        }
        let mut table = self.shared.table();
        let arrived = table.arriving.remove(&operation);
        if let Some(stream) = arrived.and_then(|id| table.streams.remove(&id)) {
            let _ = stream.close(false);
        }
    }

    /// Is told that the program hears of an answer.
    pub(crate) fn heard(&mut self, operation: Operation) {
        self.connecting.remove(&operation);
        self.shared.table().arriving.remove(&operation);
    }

    fn stream(&self, id: u64, syscall: &str) -> Result<Rc<Stream>, Fault> {
        self.shared.stream(id).ok_or_else(|| Fault::system(EBADF, syscall))
    }
}

impl Drop for Net {
    fn drop(&mut self) {
        // What a worker leaves open ends with it, and paths of local sockets do not stay behind.
        let mut table = self.shared.table();
        let (streams, listeners) =
            (std::mem::take(&mut table.streams), std::mem::take(&mut table.listeners));
        drop(table);
        for listener in listeners.values() {
            listener.close();
        }
        for stream in streams.values() {
            let _ = stream.close(false);
        }
    }
}

fn unknown(name: &str) -> Fault {
    Fault::new("ENOSYS", format!("sockets know no {name}"))
}

fn not_at_once(name: &str) -> Fault {
    Fault::new("ENOSYS", format!("sockets cannot do {name} at once"))
}
