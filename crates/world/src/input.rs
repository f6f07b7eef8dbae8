//! Standard input of a simulated world: all of it is there when the program first asks.

use hemiola_gate::{Answer, Datum, Fault};
use std::io;

/// How much is given at once, as in the world of the system.
const CHUNK: usize = 64 * 1024;

/// Gives the whole of standard input.
pub type Source = Box<dyn FnOnce() -> io::Result<Vec<u8>> + Send>;

/// What is left of standard input.
#[derive(Default)]
pub(crate) struct Input {
    /// Where it comes from, until it was asked for.
    source: Option<Source>,
    bytes: Vec<u8>,
    /// How much of it was given.
    given: usize,
}

impl Input {
    pub(crate) fn new(source: Source) -> Self {
        Self { source: Some(source), ..Self::default() }
    }

    /// The next bytes; none at the end.
    ///
    /// However slowly they come into this process, no virtual time passes: a run depends on what the
    /// input says, not on how it was cut and when it came.
    pub(crate) fn read(&mut self) -> Answer {
        if let Some(source) = self.source.take() {
            let fault = |error: io::Error| Fault::new("EIO", error.to_string());
            self.bytes = source().map_err(fault)?;
        }
        let rest = &self.bytes[self.given..];
        let chunk = rest[..rest.len().min(CHUNK)].to_vec();
        self.given += chunk.len();
        Ok(Datum::Bytes(chunk))
    }
}
