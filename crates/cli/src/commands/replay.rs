//! `hemiola replay`: a run that was kept, exactly.

use super::again::run_again;
use super::recordings::{all, refused};
use crate::args::ReplayArgs;
use crate::done::Done;
use crate::report::Failure;

pub(super) fn run(args: &ReplayArgs) -> Result<Done, Failure> {
    match all().find(&args.run) {
        Ok(run) => run_again(&run, args.trace.as_deref(), args.stacks),
        Err(error) => refused(&error),
    }
}
