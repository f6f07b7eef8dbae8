//! A connection on its way.

use crate::net::socket;
use crate::net::stream::{Kind, Stream};
use crate::net::table::Shared;
use crate::reactor::{Reactor, Ready, Source, Watched, failed};
use hemiola_gate::sockets::Connect;
use hemiola_gate::{Answer, Fault};
use hemiola_machine::Operation;
use std::cell::RefCell;
use std::rc::Rc;

/// A socket that is being connected.
pub(crate) struct Connecting {
    operation: Operation,
    kind: Kind,
    shared: Rc<Shared>,
    reactor: Reactor,
    /// Nothing once it is connected, or given up.
    fd: RefCell<Option<Watched>>,
}

impl Connecting {
    /// Sets out; the answer is delivered.
    pub(crate) fn begin(
        operation: Operation,
        request: &Connect,
        shared: &Rc<Shared>,
        reactor: &Reactor,
    ) -> Result<Rc<Self>, Fault> {
        let (fd, kind, arrived) = socket::connect(request)?;
        let fd = reactor.watch(fd).map_err(|error| failed(&error, "connect"))?;
        let connecting = Rc::new(Self {
            operation,
            kind,
            shared: Rc::clone(shared),
            reactor: reactor.clone(),
            fd: RefCell::default(),
        });
        if arrived {
            connecting.connected(fd, Ready::default());
        } else {
            fd.tell(Rc::clone(&connecting) as Rc<dyn Source>);
            connecting.fd.replace(Some(fd));
        }
        Ok(connecting)
    }

    /// Gives it up.
    pub(crate) fn abort(&self) {
        self.fd.take();
    }

    /// Answers with a stream, of which that is known already.
    fn connected(&self, fd: Watched, ready: Ready) {
        let stream = Stream::new(fd, self.kind, &self.reactor.sender);
        stream.start();
        self.answer(Ok(self.shared.enter(self.operation, Rc::clone(&stream))));
        stream.ready(ready);
    }

    fn answer(&self, answer: Answer) {
        self.reactor.sender.deliver(self.operation, answer);
    }
}

impl Source for Connecting {
    fn ready(self: Rc<Self>, ready: Ready) {
        // Something to read comes after the connection.
        let Some(fd) = ready.write.then(|| self.fd.take()).flatten() else { return };
        match rustix::net::sockopt::socket_error(&fd).and_then(|result| result) {
            Ok(()) => self.connected(fd, ready),
            Err(error) => self.answer(Err(failed(&error.into(), "connect"))),
        }
    }
}
