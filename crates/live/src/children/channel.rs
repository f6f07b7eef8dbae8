//! A channel between a child and its parent: bytes, and sockets that go with them.

use crate::deliveries::Sender;
use crate::reactor::{Reactor, Ready, Source, Watched, failed};
use hemiola_gate::sockets::CHUNK;
use hemiola_gate::{Answer, Datum};
use hemiola_machine::Operation;
use rustix::io::Errno;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, Shutdown, recvmsg, sendmsg, shutdown,
};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::rc::Rc;

/// How many sockets may come with one chunk; whoever sends waits for each to be taken.
const SOCKETS: usize = 4;

/// One end of a channel.
pub(crate) struct Channel {
    sender: Sender,
    state: RefCell<State>,
}

struct State {
    /// Nothing once it is closed.
    fd: Option<Watched>,
    /// Who waits for bytes, in order.
    asked: VecDeque<Operation>,
    /// Whether the system may have something to give.
    readable: bool,
    /// Whether it takes nothing, and tells when it does again.
    is_full: bool,
    /// What the system has not taken yet, in order.
    outgoing: VecDeque<Outgoing>,
    /// Sockets that came, in order, and that nobody has taken.
    arrived: VecDeque<OwnedFd>,
}

struct Outgoing {
    operation: Operation,
    bytes: Vec<u8>,
    sent: usize,
    /// What goes with its first byte.
    socket: Option<OwnedFd>,
}

impl Channel {
    pub(crate) fn new(fd: OwnedFd, reactor: &Reactor) -> io::Result<Rc<Self>> {
        rustix::io::ioctl_fionbio(&fd, true)?;
        let state = State {
            fd: None,
            asked: VecDeque::new(),
            readable: false,
            is_full: false,
            outgoing: VecDeque::new(),
            arrived: VecDeque::new(),
        };
        let fd = reactor.watch(fd)?;
        let channel = Rc::new(Self { sender: reactor.sender.clone(), state: RefCell::new(state) });
        fd.tell(Rc::clone(&channel) as Rc<dyn Source>);
        channel.state.borrow_mut().fd = Some(fd);
        Ok(channel)
    }

    /// Answers with the next bytes; none are the end.
    pub(crate) fn read(&self, operation: Operation) {
        let mut state = self.state.borrow_mut();
        state.asked.push_back(operation);
        if let (true, Some(fd)) = (state.readable, &state.fd) {
            fd.again();
        }
    }

    /// Answers the next who waits for bytes. False when nobody does, or there are none.
    fn answer(&self, state: &mut State) -> bool {
        let Some(&operation) = state.asked.front() else { return false };
        let bytes = match state.receive() {
            Err(Errno::AGAIN) => {
                state.readable = false;
                return false;
            }
            Err(Errno::INTR) => return true,
            // A peer that is gone has nothing more to say, however it went.
            Err(_) => Vec::new(),
            Ok(bytes) => bytes,
        };
        state.asked.pop_front();
        self.sender.deliver(operation, Ok(Datum::Bytes(bytes)));
        true
    }

    /// The next socket that came and was not taken.
    pub(crate) fn take(&self) -> Option<OwnedFd> {
        self.state.borrow_mut().arrived.pop_front()
    }

    /// Hands to the system what it takes at once; a socket goes with the first byte.
    pub(crate) fn try_write(&self, bytes: &[u8], socket: Option<&OwnedFd>) -> Answer {
        let mut state = self.state.borrow_mut();
        let mut sent = 0;
        while let (true, Some(fd), true) =
            (state.outgoing.is_empty(), &state.fd, sent < bytes.len())
        {
            match send_some(fd, &bytes[sent..], socket.filter(|_| sent == 0)) {
                Ok(count) => sent += count,
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => {
                    state.is_full = true;
                    break;
                }
                // What was taken before counts; the error comes again with the rest.
                Err(_) if sent > 0 => break,
                Err(error) => return Err(failed(&error.into(), "write")),
            }
        }
        Ok(Datum::Number(sent as f64))
    }

    /// Answers when the system has taken all; a socket goes along.
    pub(crate) fn write(&self, operation: Operation, bytes: Vec<u8>, socket: Option<OwnedFd>) {
        let mut state = self.state.borrow_mut();
        state.outgoing.push_back(Outgoing { operation, bytes, sent: 0, socket });
        self.send(&mut state);
    }

    /// Sends what waits, until nothing does or the system takes no more.
    fn send(&self, state: &mut State) {
        while let (false, Some(fd), Some(first)) =
            (state.is_full, &state.fd, state.outgoing.front_mut())
        {
            let answer = if first.sent == first.bytes.len() {
                Ok(Datum::Number(first.sent as f64))
            } else {
                match send_some(fd, &first.bytes[first.sent..], first.socket.as_ref()) {
                    Ok(count) => {
                        first.sent += count;
                        first.socket = None;
                        continue;
                    }
                    Err(Errno::INTR) => continue,
                    Err(Errno::AGAIN) => {
                        state.is_full = true;
                        return;
                    }
                    Err(error) => Err(failed(&error.into(), "write")),
                }
            };
            self.sender.deliver(first.operation, answer);
            state.outgoing.pop_front();
        }
    }

    /// Ends it for both sides; who waits for bytes hears of that.
    pub(crate) fn close(&self) {
        let mut state = self.state.borrow_mut();
        state.outgoing.clear();
        if let Some(fd) = &state.fd {
            // One that the peer has left is closed already.
            let _ = shutdown(fd, Shutdown::Both);
        }
        while self.answer(&mut state) {}
        state.fd = None;
    }
}

impl State {
    fn receive(&mut self) -> Result<Vec<u8>, Errno> {
        let fd = self.fd.as_ref().ok_or(Errno::BADF)?;
        let mut bytes = vec![0; CHUNK];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(SOCKETS))];
        let mut control = RecvAncillaryBuffer::new(&mut space);
        let into = &mut [IoSliceMut::new(&mut bytes)];
        let count = recvmsg(fd, into, &mut control, RecvFlags::CMSG_CLOEXEC)?.bytes;
        for message in control.drain() {
            if let RecvAncillaryMessage::ScmRights(sockets) = message {
                self.arrived.extend(sockets);
            }
        }
        bytes.truncate(count);
        Ok(bytes)
    }
}

impl Source for Channel {
    fn ready(self: Rc<Self>, ready: Ready) {
        let mut state = self.state.borrow_mut();
        state.readable |= ready.read;
        state.is_full &= !ready.write;
        while state.readable && self.answer(&mut state) {}
        self.send(&mut state);
    }
}

fn send_some(fd: impl AsFd, bytes: &[u8], socket: Option<&OwnedFd>) -> Result<usize, Errno> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    let sockets = socket.map(|socket| [socket.as_fd()]);
    if let Some(sockets) = &sockets {
        control.push(SendAncillaryMessage::ScmRights(sockets));
    }
    sendmsg(fd, &[IoSlice::new(bytes)], &mut control, SendFlags::NOSIGNAL)
}
