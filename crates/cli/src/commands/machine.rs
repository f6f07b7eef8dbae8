//! `hemiola machine`: everything that a program in L can show.

use super::executions::show;
use crate::args::{Given, MachineArgs};
use crate::done::Done;
use crate::input;
use crate::language::Program;
use crate::report::Failure;

pub(super) fn run(args: &MachineArgs, given: &Given) -> Result<Done, Failure> {
    let source = input::read(&args.file)?;
    let program = Program::l(source, &args.flags, &args.search)?;
    show(&program, &args.search, args.once.schedule.as_ref(), given)
}
