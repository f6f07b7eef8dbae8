//! `hemiola trace`: what happened in a run, for people and for other tools.

mod diff;
mod export;
mod lines;
mod show;

use super::traced::Refusal;
use crate::args::{TraceArgs, TraceCommand};
use crate::done::Done;
use crate::report::Failure;

pub(super) fn run(args: &TraceArgs) -> Result<Done, Failure> {
    let done = match &args.what {
        TraceCommand::Show(args) => show::run(args),
        TraceCommand::Diff(args) => diff::run(args),
        TraceCommand::Export(args) => export::run(args),
    };
    done.or_else(Refusal::answer)
}
