//! A socket that listens.

use crate::net::socket;
use crate::net::stream::{Kind, Stream};
use crate::net::table::Shared;
use crate::reactor::{Reactor, Ready, Source, Watched, failed};
use hemiola_gate::sockets::{AHEAD, Listen, Place};
use hemiola_gate::{Answer, Fault};
use hemiola_machine::Operation;
use rustix::fs::{CWD, Mode, OFlags};
use rustix::io::Errno;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::os::fd::OwnedFd;
use std::rc::Rc;

/// A listening socket.
pub(crate) struct Listener {
    kind: Kind,
    /// Whether connections are not read from before the program does.
    paused: bool,
    /// The file to be removed in the end.
    path: Option<Vec<u8>>,
    shared: Rc<Shared>,
    reactor: Reactor,
    state: RefCell<State>,
}

struct State {
    /// Nothing once it is closed.
    fd: Option<Watched>,
    /// What was accepted ahead of the program, or why nothing can be.
    ready: VecDeque<Result<Rc<Stream>, Fault>>,
    asked: Option<Operation>,
    /// Whether there may be somebody to accept.
    readable: bool,
    /// A descriptor to give up when there are no others: then a connection can be taken and closed,
    /// instead of being offered again and again.
    spare: Option<OwnedFd>,
}

impl Listener {
    /// A second descriptor for it.
    pub(crate) fn descriptor(&self) -> std::io::Result<OwnedFd> {
        match &self.state.borrow().fd {
            Some(fd) => fd.try_clone(),
            None => Err(Errno::BADF.into()),
        }
    }

    /// Begins to listen.
    pub(crate) fn open(
        request: &Listen,
        shared: &Rc<Shared>,
        reactor: &Reactor,
    ) -> Result<(Rc<Self>, Option<Place>), Fault> {
        let (fd, kind) = socket::listen(request)?;
        let path = match &request.at {
            Place::Path(path) if path.first() != Some(&0) => Some(path.clone()),
            _ => None,
        };
        let at = path.clone().map(Place::Path).or_else(|| socket::near(&fd));
        let fd = reactor.watch(fd).map_err(|error| failed(&error, "listen"))?;
        let state = State {
            fd: Some(fd),
            ready: VecDeque::new(),
            asked: None,
            readable: false,
            spare: spare(),
        };
        let listener = Rc::new(Self {
            kind,
            paused: request.paused,
            path,
            shared: Rc::clone(shared),
            reactor: reactor.clone(),
            state: RefCell::new(state),
        });
        if let Some(fd) = &listener.state.borrow().fd {
            fd.tell(Rc::clone(&listener) as Rc<dyn Source>);
        }
        Ok((listener, at))
    }

    /// Asks for a connection. Gives the answer if there is one.
    pub(crate) fn accept(&self, operation: Operation) -> Option<Answer> {
        let mut state = self.state.borrow_mut();
        let Some(next) = state.ready.pop_front() else {
            state.asked = Some(operation);
            return None;
        };
        if let (true, Some(fd)) = (state.readable, &state.fd) {
            fd.again();
        }
        Some(next.map(|stream| self.shared.enter(operation, stream)))
    }

    /// Ends it; connections that nobody asked for are cut off.
    pub(crate) fn close(&self) {
        let mut state = self.state.borrow_mut();
        if state.fd.take().is_some()
            && let Some(path) = &self.path
        {
            // Whoever removed it before is not in the way.
            let _ = rustix::fs::unlink(path.as_slice());
        }
        for stream in state.ready.drain(..).flatten() {
            let _ = stream.close(true);
        }
        state.spare = None;
        state.asked = None;
    }

    /// Accepts ahead. False when there is nobody more, or no room.
    fn accept_one(&self, state: &mut State) -> bool {
        let (Some(fd), true) = (&state.fd, state.ready.len() < AHEAD) else { return false };
        let next = match socket::accept(fd) {
            Err(Errno::AGAIN) => {
                state.readable = false;
                return false;
            }
            Err(Errno::INTR | Errno::CONNABORTED | Errno::PROTO) => return true,
            Err(Errno::MFILE | Errno::NFILE) => {
                if turn_away(fd, &mut state.spare) {
                    state.readable = false;
                } else {
                    // Somebody else was faster: it is tried again when a descriptor may be free.
                    fd.later();
                }
                return false;
            }
            Err(error) => {
                // The system says again when there is something new to accept.
                state.readable = false;
                Err(failed(&error.into(), "accept"))
            }
            Ok(socket) => self.stream(socket),
        };
        match state.asked.take() {
            Some(operation) => {
                let answer = next.map(|stream| self.shared.enter(operation, stream));
                self.reactor.sender.deliver(operation, answer);
            }
            None => state.ready.push_back(next),
        }
        true
    }

    fn stream(&self, socket: OwnedFd) -> Result<Rc<Stream>, Fault> {
        let fd = self.reactor.watch(socket).map_err(|error| failed(&error, "accept"))?;
        let stream = Stream::new(fd, self.kind, &self.reactor.sender);
        if !self.paused {
            stream.start();
        }
        Ok(stream)
    }
}

impl Source for Listener {
    fn ready(self: Rc<Self>, ready: Ready) {
        let mut state = self.state.borrow_mut();
        state.readable |= ready.read;
        while state.readable && self.accept_one(&mut state) {}
    }
}

fn spare() -> Option<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC;
    rustix::fs::openat(CWD, "/", flags, Mode::empty()).ok()
}

/// Takes all connections that wait, and closes them. False when there is no descriptor for that either.
fn turn_away(fd: &Watched, spare_fd: &mut Option<OwnedFd>) -> bool {
    *spare_fd = None;
    let is_done = loop {
        match socket::accept(fd) {
            Ok(connection) => drop(connection),
            Err(Errno::INTR | Errno::CONNABORTED | Errno::PROTO) => {}
            Err(error) => break error == Errno::AGAIN,
        }
    };
    *spare_fd = spare();
    is_done
}
