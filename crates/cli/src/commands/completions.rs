//! `hemiola completions` and `hemiola man`: the command line as shells and `man` want to read it.

use crate::args::{self, CompletionsArgs, ManArgs};
use crate::done::Done;
use crate::input::reason;
use crate::report::Failure;

pub(super) fn run(args: &CompletionsArgs) -> Result<Done, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut args::shown(), "hemiola", &mut script);
    Ok(Done::with(String::from_utf8_lossy(&script).into_owned(), 0))
}

pub(super) fn man(args: &ManArgs) -> Result<Done, Failure> {
    let directory = &args.directory;
    match clap_mangen::generate_to(args::shown(), directory) {
        Ok(()) => Ok(Done::with(format!("{}\n", directory.join("hemiola.1").display()), 0)),
        Err(error) => {
            let why = reason(&error);
            Err(Failure::new(format!("cannot write to {}: {why}", directory.display()))
                .help(format!("make it first: mkdir -p {}", directory.display())))
        }
    }
}
