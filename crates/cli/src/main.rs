//! The `hemiola` command.
//!
//! [`args`] says what can be asked, `commands` answers it, [`render`] writes results for people and
//! for programs, [`report`] says what went wrong. A command gives back a value, [`Done`] or
//! [`Failure`]; only this file writes to the outside.
#![forbid(unsafe_code)]

mod args;
mod bug;
mod commands;
mod input;
mod language;
mod outcomes;
mod progress;
mod racing;
mod render;
mod report;

use commands::Done;
use report::Failure;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

/// The command line or the input is wrong.
const WRONG: u8 = 2;

fn main() -> ExitCode {
    ExitCode::from(bug::guard(|| answer(std::env::args_os().collect())))
}

/// Does what was asked, and says what became of it.
fn answer(words: Vec<OsString>) -> u8 {
    args::color(&words).write_global();
    let result = args::parse(words).and_then(|(command, given)| commands::run(&command, &given));
    let written = match result {
        Ok(Done { output, notes, code }) => {
            complain(&notes);
            print(&output).map(|()| code)
        }
        Err(help) if help.is_wanted() => print(&help.to_string()).map(|()| 0),
        Err(failure) => {
            complain(&failure.to_string());
            Ok(WRONG)
        }
    };
    written.unwrap_or_else(|failure| {
        complain(&failure.to_string());
        WRONG
    })
}

/// Writes a result. A reader that wants no more of it, as `head` does, is no failure.
fn print(output: &str) -> Result<(), Failure> {
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
fn complain(text: &str) {
    let _ = anstream::stderr().write_all(text.as_bytes());
}
