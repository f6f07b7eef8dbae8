//! `hemiola fleet`: several programs on several hosts.

mod again;
mod conditions;
mod explore;
mod file;
mod joint;
mod judge;
mod live;
mod once;
mod order;
mod processes;
mod simulate;
mod small;
mod study;
mod voice;

pub(super) use again::{record, replay};
pub(super) use conditions::Conditions;
pub(super) use joint::command;
pub(super) use judge::{Kind, Verdict};
pub(super) use once::reason;
pub(super) use study::{Study, Subject, Tried};

use crate::args::{FleetArgs, FleetCommand};
use crate::done::Done;
use crate::report::Failure;

pub(super) fn run(args: &FleetArgs) -> Result<Done, Failure> {
    match &args.what {
        FleetCommand::Simulate(args) if args.explore => explore::run(args),
        FleetCommand::Simulate(args) => simulate::run(args),
        FleetCommand::Run(args) => live::run(args),
    }
}
