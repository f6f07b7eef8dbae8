//! What a program prints, which may wait a little before the system gets it.

use crate::clock::Moment;
use hemiola_machine::Stream;
use std::io::{self, BufWriter, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockResult};
use std::time::Duration;

/// What was written may wait so long before it is handed to the system, while the program computes.
const FLUSH_AFTER: Duration = Duration::from_millis(5);

/// The standard streams of the process, for every thread.
#[derive(Clone)]
pub struct Streams(Arc<Mutex<Output>>);

impl Streams {
    pub(crate) fn new() -> Self {
        Self(Arc::new(Mutex::new(Output::new())))
    }

    /// Nobody else has it for long, unless the process ends.
    pub(crate) fn out(&self) -> MutexGuard<'_, Output> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The same for who does not wait for others.
    pub(crate) fn try_out(&self) -> TryLockResult<MutexGuard<'_, Output>> {
        self.0.try_lock()
    }

    /// Writes; what is said on standard output may wait a little.
    pub fn write(&self, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        match stream {
            Stream::Out => self.out().write(bytes),
            Stream::Err => {
                // What was written first is seen first.
                let _ = self.flush();
                io::stderr().write_all(bytes)
            }
        }
    }

    /// Hands what was written to the system. When it refuses, the next write hears of it, too.
    pub fn flush(&self) -> io::Result<()> {
        self.out().flush()
    }
}

/// Standard output.
pub(crate) struct Output {
    out: BufWriter<io::Stdout>,
    /// When something was last handed to the system. What is written first does not wait: the program may compute for
    /// long after it.
    flushed: Option<Moment>,
    /// The number of the error with which the system last refused output.
    refused: Option<i32>,
}

impl Output {
    fn new() -> Self {
        Self { out: BufWriter::new(io::stdout()), flushed: None, refused: None }
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
        let is_early = self.flushed.is_some_and(|flushed| flushed.elapsed() < FLUSH_AFTER);
        if self.out.buffer().is_empty() || is_early {
            return Ok(());
        }
        self.flushed = Some(Moment::now());
        self.flush()
    }

    /// What waits.
    pub(crate) fn waiting(&self) -> &[u8] {
        self.out.buffer()
    }
}
