//! `hemiola fleet`: several programs on several hosts.

mod file;
mod judge;
mod once;
mod simulate;
mod small;

use crate::args::{FleetArgs, FleetCommand};
use crate::done::Done;
use crate::report::Failure;

pub(super) fn run(args: &FleetArgs) -> Result<Done, Failure> {
    match &args.what {
        FleetCommand::Simulate(args) => simulate::run(args),
    }
}
