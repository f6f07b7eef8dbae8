//! Standard output and standard error: nobody else writes to them but a status line and a running program.

use crate::input;
use crate::report::Failure;
use std::io::{self, Write};

/// Writes a result. A reader that wants no more of it, as `head` does, is no failure.
pub(crate) fn print(output: &str) -> Result<(), Failure> {
    if output.is_empty() {
        return Ok(());
    }
    let mut stdout = anstream::stdout().lock();
    match stdout.write_all(output.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::new(format!("cannot write the result: {}", input::reason(&error)))
                .help("make room where standard output goes, or send it elsewhere"))
        }
        _ => Ok(()),
    }
}

/// Writes to standard error; there is nobody left to tell when that fails.
pub(crate) fn complain(text: &str) {
    let _ = anstream::stderr().write_all(text.as_bytes());
}
