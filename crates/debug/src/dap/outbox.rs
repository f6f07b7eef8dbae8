//! What goes to a client and what comes from it.

use super::codec::{self, Incoming};
use super::progress::Progress;
use crate::replica::Way;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io::Write;
use std::sync::mpsc::{Receiver, TryRecvError};

/// The way to a client.
pub(super) struct Outbox {
    output: Box<dyn Write>,
    seq: u64,
    /// Whether the client is gone.
    pub(super) is_closed: bool,
    pub(super) progress: Progress,
}

impl Outbox {
    pub(super) fn new(output: Box<dyn Write>) -> Self {
        Self { output, seq: 0, is_closed: false, progress: Progress::default() }
    }

    fn send(&mut self, mut message: Value) {
        self.seq += 1;
        message["seq"] = self.seq.into();
        // A client that is gone is noticed where it is listened to, too.
        self.is_closed |= codec::write(&mut *self.output, &message).is_err();
    }

    pub(super) fn event(&mut self, name: &str, body: Value) {
        self.send(json!({ "seq": 0, "type": "event", "event": name, "body": body }));
    }

    pub(super) fn response(&mut self, request: &Value, result: Result<Value, String>) {
        let mut message = json!({
            "seq": 0,
            "type": "response",
            "request_seq": request["seq"].as_i64().unwrap_or(0),
            "success": result.is_ok(),
            "command": request["command"].as_str().unwrap_or(""),
        });
        match result {
            Ok(body) => message["body"] = body,
            Err(reason) => {
                message["message"] = reason.clone().into();
                message["body"] =
                    json!({ "error": { "id": 1, "format": escaped(&reason), "showUser": true } });
            }
        }
        self.send(message);
    }

    /// Says how far the run is.
    pub(super) fn is_at(&mut self, way: &Way) {
        if let Some((name, body)) = self.progress.at(way) {
            self.event(name, body);
        }
    }

    /// Says that the run is where it was to go.
    pub(super) fn has_arrived(&mut self) {
        if let Some((name, body)) = self.progress.over() {
            self.event(name, body);
        }
    }

    /// Shows a text in the client's console.
    pub(super) fn output(&mut self, category: &str, text: &str) {
        self.event("output", json!({ "category": category, "output": text }));
    }
}

/// A text in which a client finds no variables.
fn escaped(text: &str) -> String {
    text.replace('{', "(").replace('}', ")")
}

/// The way from a client.
pub(super) struct Inbox {
    incoming: Receiver<Incoming>,
    waiting: VecDeque<Incoming>,
    is_closed: bool,
}

impl Inbox {
    pub(super) fn new(incoming: Receiver<Incoming>) -> Self {
        Self { incoming, waiting: VecDeque::new(), is_closed: false }
    }

    /// The next message; nothing at the end.
    pub(super) fn next(&mut self) -> Option<Incoming> {
        self.waiting.pop_front().or_else(|| self.incoming.recv().ok())
    }

    /// Takes in what has come, without waiting.
    pub(super) fn look(&mut self) {
        loop {
            match self.incoming.try_recv() {
                Ok(incoming) => self.waiting.push_back(incoming),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => {
                    self.is_closed = true;
                    break;
                }
            }
        }
    }

    /// Whether the client is gone, or has said that it is going; what it asked for before that is done.
    pub(super) fn is_leaving(&self) -> bool {
        match self.waiting.front() {
            None => self.is_closed,
            Some(next) => ["disconnect", "terminate"].iter().any(|name| is_request(next, name)),
        }
    }

    /// Takes the first request with that name.
    pub(super) fn take(&mut self, name: &str) -> Option<Value> {
        let at = self.waiting.iter().position(|incoming| is_request(incoming, name))?;
        match self.waiting.remove(at) {
            Some(Incoming::Message(message)) => Some(message),
            _ => None,
        }
    }
}

fn is_request(incoming: &Incoming, name: &str) -> bool {
    matches!(incoming, Incoming::Message(message) if message["command"] == name)
}
