//! The Debug Adapter Protocol, with a run behind it that is a list.

#[allow(dead_code, missing_docs, reason = "tests of the debugger need more of it")]
mod toy;

use super::{Verdict, hold};
use crate::rng::Rng;
use hemiola_debug::dap::{codec, serve};
use std::io::Write;
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use toy::{Shelf, random};

#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("nobody panics").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A session with a client that says this. Requests with a number are answered at most once each.
pub fn session(bytes: &[u8]) -> Verdict {
    let (sender, incoming) = channel();
    let mut input = bytes;
    let mut asked = 0;
    while let Some(message) = codec::read(&mut input).map_err(|error| error.to_string())? {
        asked += 1;
        sender.send(message).expect("somebody listens");
    }
    drop(sender);
    let written = Written::default();
    serve(Shelf(random(2, 100)), None, incoming, Box::new(written.clone()));
    let bytes = written.0.lock().expect("nobody panics").clone();
    let mut bytes = bytes.as_slice();
    let mut answered = 0;
    while let Some(message) = codec::read(&mut bytes).map_err(|error| error.to_string())? {
        match message {
            codec::Incoming::Message(message) => {
                answered += usize::from(message["type"] == "response")
            }
            codec::Incoming::Bad(reason) => {
                return Err(format!("the adapter wrote garbage: {reason}"));
            }
        }
    }
    hold(answered <= asked, || format!("{asked} messages have {answered} responses"))
}

/// Messages that stand in lines, each with its header.
pub fn framed(lines: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut framed = Vec::new();
    for line in lines.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
        let off_by = if rng.once_in(16) { 1 + rng.below(9) } else { 0 };
        let header = format!("Content-Length: {}\r\n\r\n", line.len() + off_by);
        framed.extend_from_slice(header.as_bytes());
        framed.extend_from_slice(line);
    }
    framed
}
