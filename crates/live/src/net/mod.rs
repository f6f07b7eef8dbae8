//! Sockets: connections, whoever listens for them, and all other streams of bytes.
//!
//! The program's thread holds [`Net`]; what has to wait does so on the reactor's thread. Both look
//! at the same [`table`].

mod connecting;
mod listener;
mod reading;
mod socket;
mod stream;
mod table;
mod writing;

pub(crate) use stream::Kind;

use crate::inbox::Inbox;
use crate::reactor::{Reactor, Running, failed};
use connecting::Connecting;
use hemiola_gate::sockets::{self, Connect, Listen, Settings};
use hemiola_gate::{Answer, Datum, Fault, Wire};
use hemiola_machine::Operation;
use listener::Listener;
use std::collections::BTreeMap;
use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use stream::Stream;
use table::Shared;

const EBADF: i32 = 9;

/// The sockets of a program.
pub(crate) struct Net {
    shared: Arc<Shared>,
    reactor: Reactor,
    connecting: BTreeMap<Operation, Arc<Connecting>>,
    _running: Running,
}

impl Net {
    pub(crate) fn new(reactor: Reactor, running: Running) -> Self {
        let connecting = BTreeMap::new();
        Self { shared: Arc::default(), reactor, connecting, _running: running }
    }

    /// Whether requests of that kind are for here.
    pub(crate) fn knows(kind: &str) -> bool {
        kind.starts_with("stream.") || kind.starts_with("net.")
    }

    /// Takes in an end of a pipe, or a connected socket, that must not block; gives its number.
    pub(crate) fn adopt(&mut self, fd: OwnedFd, kind: Kind, readable: bool) -> io::Result<u64> {
        let stream = Stream::new(self.reactor.watch(fd)?, kind, &self.reactor);
        if readable {
            stream.start();
        }
        Ok(self.shared.lock().add(stream))
    }

    /// The thread that they wait on, for others to wait on, too.
    pub(crate) fn reactor(&self) -> &Reactor {
        &self.reactor
    }

    /// A second descriptor for a stream or for a socket that listens, for another process.
    pub(crate) fn descriptor(&self, id: u64) -> io::Result<OwnedFd> {
        let table = self.shared.lock();
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
        request: Wire,
        inbox: &Inbox,
    ) -> Result<(), Fault> {
        let Wire { kind, mut arguments } = request;
        let answer = match kind.as_str() {
            "stream.read" => {
                if let Some((since, answer)) = self.stream(&arguments, "read")?.read(operation) {
                    inbox.put(operation, since, answer);
                }
                return Ok(());
            }
            "stream.write" => {
                let stream = self.stream(&arguments, "write")?;
                stream.write(operation, sockets::bytes(second(&mut arguments)))
            }
            "stream.shutdown" => self.stream(&arguments, "shutdown")?.shutdown(operation),
            "net.accept" => {
                let listener = self.shared.lock().listeners.get(&id(&arguments)).cloned();
                listener.ok_or_else(|| Fault::system(EBADF, "accept"))?.accept(operation)
            }
            "net.connect" => {
                let request = Connect::new(arguments.first().unwrap_or(&Datum::Undefined))?;
                let shared = &self.shared;
                let connecting = Connecting::begin(operation, &request, shared, &self.reactor)?;
                self.connecting.insert(operation, connecting);
                return Ok(());
            }
            kind => return Err(Fault::new("ENOSYS", format!("sockets know no {kind}"))),
        };
        if let Some(answer) = answer {
            inbox.put(operation, std::time::Instant::now(), answer);
        }
        Ok(())
    }

    /// Does what is done at once.
    pub(crate) fn perform(&mut self, request: Wire) -> Answer {
        let Wire { kind, mut arguments } = request;
        match kind.as_str() {
            "stream.tryWrite" => {
                let stream = self.stream(&arguments, "write")?;
                stream.try_write(&sockets::bytes(second(&mut arguments)))
            }
            "stream.tryShutdown" => self.stream(&arguments, "shutdown")?.try_shutdown(),
            // Whoever takes the stream over must know whether bytes are on their way to the program.
            "stream.recall" => Ok(Datum::Bool(self.stream(&arguments, "read")?.recall())),
            "stream.set" => {
                let settings = Settings::new(&second(&mut arguments));
                self.stream(&arguments, "setsockopt")?.set(settings)
            }
            "stream.close" => {
                let reset = second(&mut arguments) == Datum::Bool(true);
                let stream = self.shared.lock().streams.remove(&id(&arguments));
                stream.map_or(Ok(()), |stream| stream.close(reset))?;
                Ok(Datum::Undefined)
            }
            "net.listen" => {
                let request = Listen::new(arguments.first().unwrap_or(&Datum::Undefined))?;
                let (listener, at) = Listener::open(&request, &self.shared, &self.reactor)?;
                let mut table = self.shared.lock();
                let id = table.number();
                table.listeners.insert(id, listener);
                Ok(sockets::listening(id, at.as_ref()))
            }
            "net.open" => {
                let number = arguments.first().and_then(Datum::as_number).unwrap_or(-1.0);
                let (fd, kind) = socket::inherited(number as i32, "open")?;
                let id = self.adopt(fd, kind, false).map_err(|error| failed(&error, "open"))?;
                let stream = self.shared.stream(id);
                let (near, far) = stream.map(|stream| stream.ends()).unwrap_or_default();
                Ok(sockets::connection(id, near.as_ref(), far.as_ref()))
            }
            "net.close" => {
                let listener = self.shared.lock().listeners.remove(&id(&arguments));
                if let Some(listener) = listener {
                    listener.close();
                }
                Ok(Datum::Undefined)
            }
            kind => Err(Fault::new("ENOSYS", format!("sockets cannot do {kind} at once"))),
        }
    }

    /// Forgets an operation: a connection that it was to give, or has given unseen, is closed.
    pub(crate) fn cancel(&mut self, operation: Operation) {
        if let Some(connecting) = self.connecting.remove(&operation) {
            connecting.abort();
        }
        let mut table = self.shared.lock();
        let arrived = table.arriving.remove(&operation);
        if let Some(stream) = arrived.and_then(|id| table.streams.remove(&id)) {
            let _ = stream.close(false);
        }
    }

    /// Is told that the program hears of an answer.
    pub(crate) fn heard(&mut self, operation: Operation) {
        self.connecting.remove(&operation);
        self.shared.lock().arriving.remove(&operation);
    }

    fn stream(&self, arguments: &[Datum], syscall: &str) -> Result<Arc<Stream>, Fault> {
        self.shared.stream(id(arguments)).ok_or_else(|| Fault::system(EBADF, syscall))
    }
}

impl Drop for Net {
    fn drop(&mut self) {
        // What a worker leaves open ends with it, and paths of local sockets do not stay behind.
        let mut table = self.shared.lock();
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

fn id(arguments: &[Datum]) -> u64 {
    arguments.first().and_then(Datum::as_number).unwrap_or(0.0) as u64
}

fn second(arguments: &mut [Datum]) -> Datum {
    arguments.get_mut(1).map_or(Datum::Undefined, |datum| std::mem::replace(datum, Datum::Null))
}
