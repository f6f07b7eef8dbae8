//! Standard input, read on a thread of its own: nobody knows when something comes.

use crate::inbox::Sender;
use hemiola_js::{Datum, Fault};
use hemiola_machine::Operation;
use std::io::{self, Read};
use std::sync::mpsc;

/// How much is read at once, as in Node.
const CHUNK: usize = 64 * 1024;

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

fn read() -> hemiola_js::Answer {
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
        Err(error) => Err(Fault::new("EIO", error.to_string())),
    }
}
