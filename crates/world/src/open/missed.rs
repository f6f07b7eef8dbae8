//! What a program reached for that is not in its world.

use crate::net::NetworkCall;
use hemiola_gate::sockets::{Connect, Place};
use hemiola_gate::{Answer, ChildCall, NamesCall, NetCall, WorkerCall};
use hemiola_machine::Operation;
use std::collections::BTreeMap;

/// What was not there, in words.
#[derive(Clone, Default)]
pub(super) struct Missed {
    words: Vec<String>,
    /// Where operations connect to that are not answered.
    connecting: BTreeMap<Operation, Place>,
}

impl Missed {
    pub(super) fn words(&self) -> &[String] {
        &self.words
    }

    fn add(&mut self, words: String) {
        if !self.words.contains(&words) {
            self.words.push(words);
        }
    }

    /// Something was asked of another process.
    pub(super) fn process(&mut self, call: &ChildCall) {
        match call {
            ChildCall::Spawn { program } | ChildCall::Run { program } => {
                self.add(format!("the process `{}`", program.file().display()));
            }
            // These are about a process that was started.
            ChildCall::Wait { .. }
            | ChildCall::Kill { .. }
            | ChildCall::Forget { .. }
            | ChildCall::Raise { .. }
            | ChildCall::Settle => {}
        }
    }

    /// Something was asked of a worker: there are none where everything is left open.
    pub(super) fn worker(&mut self, call: &WorkerCall) {
        match call {
            WorkerCall::Start { .. } => self.add("a worker".to_owned()),
            WorkerCall::Stop { .. } | WorkerCall::Wait { .. } | WorkerCall::Loop { .. } => {}
        }
    }

    /// A name was asked for, with that answer.
    pub(super) fn name(&mut self, call: &NamesCall, answer: &Answer) {
        match (call, answer) {
            (NamesCall::Lookup { name, .. }, Err(_)) => self.add(format!("the name {name}")),
            (NamesCall::LookupService { address, .. }, Err(_)) => {
                self.add(format!("the address {address}"));
            }
            (NamesCall::Lookup { .. } | NamesCall::LookupService { .. }, Ok(_))
            | (NamesCall::Servers | NamesCall::Hosts { .. }, _) => {}
        }
    }

    /// An operation of the network begins.
    pub(super) fn begin(&mut self, operation: Operation, call: &NetworkCall) {
        if let NetworkCall::Net(NetCall::Connect { place }) = call
            && let Ok(asked) = Connect::new(place)
        {
            self.connecting.insert(operation, asked.to);
        }
    }

    /// An operation of the network has that answer.
    pub(super) fn place(&mut self, operation: Operation, answer: &Answer) {
        let to = self.connecting.remove(&operation);
        let Some(to) = to.filter(|_| answer.is_err()) else { return };
        match to {
            Place::Ip(to) => self.add(format!("a connection to {to}")),
            Place::Path(path) => {
                self.add(format!("a connection to `{}`", String::from_utf8_lossy(&path)));
            }
            Place::Descriptor(_) => {}
        }
    }
}
