//! A channel between a child and its parent: bytes, and sockets that go with them.

use super::lock::lock;
use crate::reactor::{Reactor, failed};
use hemiola_gate::sockets::CHUNK;
use hemiola_gate::{Answer, Datum};
use hemiola_machine::Operation;
use rustix::io::Errno;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, Shutdown, recvmsg, sendmsg, shutdown,
};
use std::collections::VecDeque;
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::{Arc, Mutex};
use tokio::io::unix::AsyncFd;

/// How many sockets may come with one chunk; whoever sends waits for each to be taken.
const SOCKETS: usize = 4;

/// One end of a channel, known to the program's thread and to the reactor's.
pub(crate) struct Channel {
    fd: AsyncFd<OwnedFd>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
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
    pub(crate) fn new(fd: OwnedFd, reactor: &Reactor) -> io::Result<Arc<Self>> {
        rustix::io::ioctl_fionbio(&fd, true)?;
        Ok(Arc::new(Self { fd: reactor.watch(fd)?, state: Mutex::default() }))
    }

    /// Answers with the next bytes; none are the end.
    pub(crate) fn read(self: &Arc<Self>, operation: Operation, reactor: &Reactor) {
        let (channel, sender) = (Arc::clone(self), reactor.sender.clone());
        reactor.spawn(async move {
            loop {
                let Ok(mut ready) = channel.fd.readable().await else { return };
                match channel.receive() {
                    Err(Errno::AGAIN) => ready.clear_ready(),
                    Err(Errno::INTR) => {}
                    // A peer that is gone has nothing more to say, however it went.
                    Err(_) => return sender.deliver(operation, Ok(Datum::Bytes(Vec::new()))),
                    Ok(bytes) => return sender.deliver(operation, Ok(Datum::Bytes(bytes))),
                }
            }
        });
    }

    fn receive(&self) -> Result<Vec<u8>, Errno> {
        let mut bytes = vec![0; CHUNK];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(SOCKETS))];
        let mut control = RecvAncillaryBuffer::new(&mut space);
        let into = &mut [IoSliceMut::new(&mut bytes)];
        let count = recvmsg(&self.fd, into, &mut control, RecvFlags::CMSG_CLOEXEC)?.bytes;
        for message in control.drain() {
            if let RecvAncillaryMessage::ScmRights(sockets) = message {
                lock(&self.state).arrived.extend(sockets);
            }
        }
        bytes.truncate(count);
        Ok(bytes)
    }

    /// The next socket that came and was not taken.
    pub(crate) fn take(&self) -> Option<OwnedFd> {
        lock(&self.state).arrived.pop_front()
    }

    /// Hands to the system what it takes at once; a socket goes with the first byte.
    pub(crate) fn try_write(&self, bytes: &[u8], socket: Option<&OwnedFd>) -> Answer {
        let state = lock(&self.state);
        let mut sent = 0;
        while state.outgoing.is_empty() && sent < bytes.len() {
            match send_some(&self.fd, &bytes[sent..], socket.filter(|_| sent == 0)) {
                Ok(count) => sent += count,
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => break,
                // What was taken before counts; the error comes again with the rest.
                Err(_) if sent > 0 => break,
                Err(error) => return Err(failed(&error.into(), "write")),
            }
        }
        Ok(Datum::Number(sent as f64))
    }

    /// Answers when the system has taken all; a socket goes along.
    pub(crate) fn write(
        self: &Arc<Self>,
        operation: Operation,
        bytes: Vec<u8>,
        socket: Option<OwnedFd>,
        reactor: &Reactor,
    ) {
        let mut state = lock(&self.state);
        state.outgoing.push_back(Outgoing { operation, bytes, sent: 0, socket });
        // Whoever was first has a task that goes on with the others.
        if state.outgoing.len() > 1 {
            return;
        }
        let done = self.send(&mut state);
        drop(state);
        match done {
            Some((operation, answer)) => reactor.sender.deliver(operation, answer),
            None => self.send_later(reactor),
        }
    }

    fn send_later(self: &Arc<Self>, reactor: &Reactor) {
        let (channel, sender) = (Arc::clone(self), reactor.sender.clone());
        reactor.spawn(async move {
            loop {
                let Ok(mut ready) = channel.fd.writable().await else { return };
                let mut state = lock(&channel.state);
                match channel.send(&mut state) {
                    Some((operation, answer)) => sender.deliver(operation, answer),
                    None => ready.clear_ready(),
                }
                if state.outgoing.is_empty() {
                    return;
                }
            }
        });
    }

    /// Sends from the first that waits; gives who it was and its answer once that is known.
    fn send(&self, state: &mut State) -> Option<(Operation, Answer)> {
        let first = state.outgoing.front_mut()?;
        let answer = loop {
            if first.sent == first.bytes.len() {
                break Ok(Datum::Number(first.sent as f64));
            }
            match send_some(&self.fd, &first.bytes[first.sent..], first.socket.as_ref()) {
                Ok(count) => {
                    first.sent += count;
                    first.socket = None;
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return None,
                Err(error) => break Err(failed(&error.into(), "write")),
            }
        };
        let operation = first.operation;
        state.outgoing.pop_front();
        Some((operation, answer))
    }

    /// Ends it for both sides; who waits for bytes hears of that.
    pub(crate) fn close(&self) {
        lock(&self.state).outgoing.clear();
        // One that the peer has left is closed already.
        let _ = shutdown(&self.fd, Shutdown::Both);
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
