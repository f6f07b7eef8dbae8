//! Standard input, read on a thread of its own: nobody knows when something comes.

use crate::deliveries::Sender;
use hemiola_gate::{Datum, Fault};
use hemiola_machine::Operation;
use std::io::{self, IsTerminal, Read};
use std::sync::mpsc;

/// How much is read at once, as in Node.
const CHUNK: usize = 64 * 1024;

/// Everything that standard input gives, for a world that wants it before it goes on; nothing from a
/// terminal, where somebody would have to type it.
pub fn whole_input() -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if !io::stdin().is_terminal() {
        io::stdin().lock().read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// Reads when it is asked to.
pub(crate) struct Input(mpsc::Sender<Operation>);

impl Input {
    pub(crate) fn new(sender: Sender) -> Self {
        let (asked, questions) = mpsc::channel();
        // It ends with the process: a read that nobody needs any more cannot be taken back.
        std::thread::spawn(move || {
            while let Ok(operation) = questions.recv() {
                sender.deliver(operation, read());
            }
        });
        Self(asked)
    }

    /// Asks for the next bytes; none at the end.
    pub(crate) fn read(&self, operation: Operation) {
        self.0.send(operation).expect("the reader waits for questions as long as it is asked");
    }
}

fn read() -> hemiola_gate::Answer {
    let mut bytes = vec![0; CHUNK];
    let count = loop {
        match io::stdin().lock().read(&mut bytes) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => break result,
        }
    };
    match count {
        Ok(count) => {
            bytes.truncate(count);
            Ok(Datum::Bytes(bytes))
        }
        Err(error) => Err(fault(&error)),
    }
}

fn fault(error: &io::Error) -> Fault {
    let (code, message) = match error.kind() {
        io::ErrorKind::IsADirectory => ("EISDIR", "illegal operation on a directory".into()),
        io::ErrorKind::WouldBlock => ("EAGAIN", "resource temporarily unavailable".into()),
        _ => ("EIO", error.to_string()),
    };
    Fault::new(code, message)
}
