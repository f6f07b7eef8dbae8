//! What a program prints, which may wait a little before the system gets it.

use crate::clock::Moment;
use std::io::{self, BufWriter, Write};
use std::time::Duration;

/// What was written may wait so long before it is handed to the system, while the program computes.
const FLUSH_AFTER: Duration = Duration::from_millis(5);

/// Standard output.
pub(crate) struct Output {
    out: BufWriter<io::Stdout>,
    flushed: Moment,
    /// The number of the error with which the system last refused output.
    refused: Option<i32>,
}

impl Output {
    pub(crate) fn new(start: Moment) -> Self {
        Self { out: BufWriter::new(io::stdout()), flushed: start, refused: None }
    }

    /// Writes. When the system refused what was written before, this says so.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if let Some(number) = self.refused.take() {
            return Err(io::Error::from_raw_os_error(number));
        }
        self.out.write_all(bytes)?;
        self.flush_if_late()
    }

    /// Hands what was written to the system. When it refuses, the next write hears of it, too.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        let result = self.out.flush();
        self.refused = result.as_ref().err().and_then(io::Error::raw_os_error);
        result
    }

    /// Hands on what was written some time ago: somebody may be looking, and nothing is lost should the
    /// program be killed.
    pub(crate) fn flush_if_late(&mut self) -> io::Result<()> {
        if self.out.buffer().is_empty() || self.flushed.elapsed() < FLUSH_AFTER {
            return Ok(());
        }
        self.flushed = Moment::now();
        self.flush()
    }

    /// What waits.
    pub(crate) fn waiting(&self) -> &[u8] {
        self.out.buffer()
    }
}
