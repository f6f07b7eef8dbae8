//! Datagrams in a world that leaves open who gets what when: what is sent has arrived, and waits.

use super::Datagrams;
use crate::open::{Access, Location};
use hemiola_gate::UdpCall;
use hemiola_machine::{Instant, Operation};
use std::collections::BTreeMap;

impl Datagrams {
    /// Lets nothing take time from now on.
    pub(crate) fn leave_open(&mut self) {
        self.is_open = true;
    }

    /// Lets everything arrive that was sent.
    pub(crate) fn settle(&mut self) {
        while self.next(self.machine).is_some() {
            self.happen();
        }
    }

    /// Who waits for something that is there.
    pub(crate) fn able(&self, operations: &mut Vec<Operation>) {
        let waiting = self.sockets.values().filter(|socket| !socket.incoming.is_empty());
        operations.extend(waiting.filter_map(|socket| socket.asked));
    }

    /// Gives them the first of it.
    pub(crate) fn deliver(&mut self, now: Instant, operation: Operation) {
        if let Some(id) = self.asks(operation) {
            self.give(now, id);
        }
    }

    /// The socket where somebody waits.
    pub(crate) fn asks(&self, operation: Operation) -> Option<u64> {
        let mut sockets = self.sockets.iter();
        sockets.find(|(_, socket)| socket.asked == Some(operation)).map(|(&id, _)| id)
    }

    /// Nobody waits for that any more.
    pub(crate) fn forget(&mut self, operation: Operation) {
        for socket in self.sockets.values_mut() {
            socket.asked = socket.asked.filter(|&asked| asked != operation);
        }
    }

    /// How much waits at every socket.
    pub(crate) fn waiting(&self) -> BTreeMap<u64, usize> {
        self.sockets.iter().map(|(&id, socket)| (id, socket.incoming.len())).collect()
    }

    /// The port that a call binds, sends to or leaves. Whoever asks for any port has one of his own.
    pub(crate) fn port(&self, call: &UdpCall) -> Option<(Location, Access)> {
        let socket = |id: &u64| self.sockets.get(id);
        let (port, access) = match call {
            UdpCall::Bind { port, .. } => (*port, Access::Write),
            UdpCall::Close { socket: id } => (socket(id)?.at.port(), Access::Write),
            UdpCall::Send { socket: id, port, .. } => {
                let peer = || socket(id)?.peer.map(|peer| peer.port());
                (port.0.or_else(peer)?, Access::Read)
            }
            UdpCall::Open { .. }
            | UdpCall::Connect { .. }
            | UdpCall::Address { .. }
            | UdpCall::Set { .. }
            | UdpCall::Receive { .. } => return None,
        };
        (port != 0).then_some((Location::Receiver(port), access))
    }

    /// What a call touched that asked who is there, or changed it, if so much waited at every socket before:
    /// who gets a datagram depends on who is there.
    pub(crate) fn touched(
        &self,
        access: Access,
        before: &BTreeMap<u64, usize>,
    ) -> Vec<(Location, Access)> {
        let mut touches = vec![(Location::Receivers, access)];
        let now = self.waiting();
        let grown = now.iter().filter(|&(id, count)| before.get(id).unwrap_or(&0) != count);
        touches.extend(grown.map(|(&id, _)| (Location::Socket(id), Access::Write)));
        touches
    }
}
