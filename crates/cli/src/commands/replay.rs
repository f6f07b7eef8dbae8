//! `hemiola replay`: a run that was kept, exactly.

use super::again::run_again;
use super::recordings::{all, last, refused};
use super::{fleet, traced};
use crate::args::ReplayArgs;
use crate::console::complain;
use crate::done::Done;
use crate::report::Failure;

pub(super) fn run(args: &ReplayArgs) -> Result<Done, Failure> {
    if let Some(header) = traced::header(&args.run) {
        if args.stacks.is_some() {
            return Err(Failure::new("`--stacks` is for the recording of one program")
                .help("leave it out: this is the joined trace of a fleet"));
        }
        return fleet::replay(&args.run, &header, args.trace.as_deref());
    }
    if args.run == "latest" {
        match last() {
            Err(error) => return refused(&error),
            Ok(Some((run, note))) => {
                complain(&note);
                return run_again(&run, args.trace.as_deref(), args.stacks);
            }
            // It may be that what is there cannot be read.
            Ok(None) => {}
        }
    }
    match all().find(&args.run) {
        Ok(run) => run_again(&run, args.trace.as_deref(), args.stacks),
        Err(error) => refused(&error),
    }
}
