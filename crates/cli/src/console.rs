//! Standard output and standard error: nobody else writes to them but a status line and a running program.

use crate::harmless::{self, Harmless};
use crate::input;
use crate::report::Failure;
use anstyle::Style;
use hemiola_machine::Stream;
use std::io::{self, IsTerminal, Write};

/// Writes a result. A reader that wants no more of it, as `head` does, is no failure.
pub(crate) fn print(output: &str) -> Result<(), Failure> {
    if io::stdout().is_terminal() { styled(&harmless::shown(output)) } else { styled(output) }
}

/// Writes a text with colours of our own, and nothing of a program's.
pub(crate) fn styled(output: &str) -> Result<(), Failure> {
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

/// Writes to standard error, where titles are coloured; there is nobody left to tell when that fails.
pub(crate) fn complain(text: &str) {
    let mut stderr = anstream::stderr();
    let _ = if io::stderr().is_terminal() {
        stderr.write_all(harmless::colored(text).as_bytes())
    } else {
        stderr.write_all(text.as_bytes())
    };
}

/// Writes what a program may have said to standard error.
pub(crate) fn remark(text: &str) {
    let mut stderr = io::stderr();
    let _ = if stderr.is_terminal() {
        stderr.write_all(harmless::shown(text).as_bytes())
    } else {
        stderr.write_all(text.as_bytes())
    };
}

/// Writes a line of one of several programs behind the name of its host. Nothing of others comes in between; a reader
/// that wants no more of it is no failure.
pub(crate) fn line_of(host: &str, style: Style, stream: Stream, line: &str) {
    let written = |is_terminal: bool, to: &mut dyn Write| {
        let line = if is_terminal { harmless::shown(line) } else { line.to_owned() };
        to.write_all(format!("{style}{host} |{style:#} {line}").as_bytes())
            .and_then(|()| to.flush())
    };
    let _ = match stream {
        Stream::Out => written(io::stdout().is_terminal(), &mut anstream::stdout().lock()),
        Stream::Err => written(io::stderr().is_terminal(), &mut anstream::stderr().lock()),
    };
}

/// Standard output, on which nothing reaches a terminal but letters and the ends of lines.
pub(crate) fn shown() -> Box<dyn Write> {
    let stdout = io::stdout().lock();
    if !stdout.is_terminal() {
        return Box::new(stdout);
    }
    Box::new(Harmless::new(stdout))
}
