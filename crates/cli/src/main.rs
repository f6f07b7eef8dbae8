//! The `hemiola` command.
//!
//! [`args`] says what can be asked, `commands` answers it, [`render`] writes results for people and
//! for programs, [`report`] says what went wrong. A command gives back a value, [`Done`] or
//! [`report::Failure`], which is written to the [`console`] here.
#![forbid(unsafe_code)]

mod args;
mod bug;
mod commands;
mod console;
mod done;
mod exit;
mod harmless;
mod input;
mod language;
mod progress;
mod render;
mod report;
mod shell;
mod source;

use console::{complain, print, styled};
use done::Done;
use exit::WRONG;
use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(bug::guard(answer))
}

/// Does what was asked, and says what became of it.
fn answer() -> u8 {
    args::color(&std::env::args_os().collect::<Vec<_>>()).write_global();
    let result = args::words().and_then(args::parse).and_then(|(command, given)| {
        complain(&given.note());
        commands::run(&command, &given)
    });
    let written = match result {
        Ok(Done { output, notes, code }) => {
            complain(&notes);
            print(&output).map(|()| code)
        }
        Err(help) if help.is_wanted() => styled(&help.to_string()).map(|()| 0),
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
