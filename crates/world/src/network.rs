//! The sockets of all machines of a run, which can reach each other.

use crate::datagrams::Datagrams;
use crate::net::Net;
use hemiola_js::files::Tree;
use hemiola_js::{Answer, Datum, Request};
use hemiola_machine::{Completion, Instant, Operation};
use std::collections::{BTreeMap, BTreeSet};

/// Streams and datagrams of every machine.
pub(crate) struct Network {
    net: Net,
    datagrams: Datagrams,
    /// What each machine has open, by the kind of request that closes it.
    open: BTreeMap<u64, BTreeSet<(&'static str, u64)>>,
}

/// An operation's number has the machine that it belongs to above these bits.
const OPERATION_BITS: u32 = 48;

/// What was answered, and for which machine.
pub(crate) type Done = Vec<(u64, Completion<Answer>)>;

impl Network {
    pub(crate) fn new(seed: u64) -> Self {
        Self { net: Net::new(seed), datagrams: Datagrams::new(seed), open: BTreeMap::new() }
    }

    /// Whether requests of that kind are for here.
    pub(crate) fn knows(kind: &str) -> bool {
        Net::knows(kind) || Datagrams::knows(kind)
    }

    /// When the next thing arrives.
    pub(crate) fn next(&self) -> Option<Instant> {
        self.net.next().into_iter().chain(self.datagrams.next()).min()
    }

    /// Begins an operation of a machine.
    pub(crate) fn begin(
        &mut self,
        machine: u64,
        now: Instant,
        operation: Operation,
        request: Request,
        files: &dyn Tree,
    ) -> Done {
        let operation = tagged(machine, operation);
        if Net::knows(&request.kind) {
            self.net.begin(now, operation, request, files);
        } else {
            self.datagrams.begin(now, operation, request);
        }
        self.done()
    }

    /// Does what is done at once, which may answer others.
    pub(crate) fn perform(
        &mut self,
        machine: u64,
        now: Instant,
        request: Request,
        files: &dyn Tree,
    ) -> (Answer, Done) {
        let closes = match request.kind.as_str() {
            "net.listen" | "net.open" => Some("net.close"),
            "udp.bind" => Some("udp.close"),
            _ => None,
        };
        self.forget(machine, &request);
        let answer = if Net::knows(&request.kind) {
            self.net.perform(now, request, files)
        } else {
            self.datagrams.perform(now, request)
        };
        if let Some(closes) = closes {
            self.note(machine, closes, &answer);
        }
        (answer, self.done())
    }

    /// Lets the first thing that is under way arrive.
    pub(crate) fn happen(&mut self) -> Done {
        if self.net.next() == self.next() {
            self.net.happen();
        } else {
            self.datagrams.happen();
        }
        self.done()
    }

    /// Forgets an operation of a machine.
    pub(crate) fn cancel(&mut self, machine: u64, now: Instant, operation: Operation) -> Done {
        self.net.cancel(now, tagged(machine, operation));
        self.done()
    }

    /// Closes the connection that an answer nobody hears would have given.
    pub(crate) fn abandon(&mut self, now: Instant, answer: &Answer) -> Done {
        self.net.abandon(now, answer);
        self.done()
    }

    /// Closes all that a machine has open: it is over.
    pub(crate) fn leave(&mut self, machine: u64, now: Instant, files: &dyn Tree) -> Done {
        for (closes, id) in self.open.remove(&machine).unwrap_or_default() {
            let arguments = vec![Datum::Number(id as f64), Datum::Bool(false)];
            let request = Request { kind: closes.into(), arguments };
            // What is closed already has nothing to say about it.
            let _ = if Net::knows(closes) {
                self.net.perform(now, request, files)
            } else {
                self.datagrams.perform(now, request)
            };
        }
        self.done()
    }

    fn done(&mut self) -> Done {
        let done: Vec<Completion<Answer>> = self.net.done().chain(self.datagrams.done()).collect();
        let sort = |one: Completion<Answer>| {
            let machine = one.operation.0 >> OPERATION_BITS;
            let operation = Operation(one.operation.0 & ((1 << OPERATION_BITS) - 1));
            // What an operation gives is a connection.
            self.note(machine, "stream.close", &one.answer);
            (machine, Completion { operation, ..one })
        };
        done.into_iter().map(sort).collect()
    }

    /// Notes what a machine has open from now on.
    fn note(&mut self, machine: u64, closes: &'static str, answer: &Answer) {
        let id = answer.as_ref().ok().and_then(|answer| answer.field("id"));
        if let Some(id) = id.and_then(Datum::as_number) {
            self.open.entry(machine).or_default().insert((closes, id as u64));
        }
    }

    /// Notes that a machine closes something itself.
    fn forget(&mut self, machine: u64, request: &Request) {
        let id = request.arguments.first().and_then(Datum::as_number).unwrap_or_default() as u64;
        for closes in ["net.close", "udp.close", "stream.close"] {
            if closes == request.kind
                && let Some(open) = self.open.get_mut(&machine)
            {
                open.remove(&(closes, id));
            }
        }
    }
}

fn tagged(machine: u64, operation: Operation) -> Operation {
    Operation(machine << OPERATION_BITS | operation.0)
}
