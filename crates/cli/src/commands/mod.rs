//! One file for each command, and what several of them share.

mod again;
mod check;
mod check_javascript;
mod check_trace;
mod children;
mod closed;
mod completions;
mod coverage;
mod crashes;
mod cron;
mod debug;
mod doctor;
mod executions;
mod explore;
mod explore_tests;
mod explored;
mod facts;
mod fleet;
mod held;
mod journal;
mod keeping;
mod lasync;
mod lineage;
mod machine;
mod options;
mod overdue;
mod profile;
mod property;
mod races;
mod recordings;
mod repl;
mod replay;
mod replay_schedule;
mod run;
mod running;
mod runs;
mod sampling;
mod searching;
mod shown;
mod simulate;
mod standard_input;
mod tasks;
mod test;
mod trace;
mod traced;
mod verify;
mod verify_nodes;
mod view;
mod watch;
mod workers;

use crate::args::{Command, Given};
use crate::done::Done;
use crate::report::Failure;

/// Does what a command asks for.
pub(crate) fn run(command: &Command, given: &Given) -> Result<Done, Failure> {
    match command {
        Command::Run(args) => run::run(args, given),
        Command::Simulate(args) => simulate::run(args, given),
        Command::Fleet(args) => fleet::run(args),
        Command::Test(args) => test::run(args),
        Command::TestFile(args) => test::run_file(args),
        Command::Repl(args) => repl::run(args, given),
        Command::Replay(args) => replay::run(args),
        Command::Runs(args) => runs::run(args),
        Command::Debug(args) => debug::run(args),
        Command::DebugSchedule(args) => debug::run_schedule(args, given),
        Command::View(args) => view::run(args),
        Command::ViewSchedule(args) => view::run_schedule(args, given),
        Command::Lineage(args) => lineage::run(args),
        Command::Trace(args) => trace::run(args),
        Command::Machine(args) => machine::run(args, given),
        Command::Lasync(args) => lasync::run(args, given),
        Command::Check(args) => check::run(args, given),
        Command::Verify(args) => verify::run(args),
        Command::Cron(args) => cron::run(args),
        Command::Tasks(args) => tasks::run(args),
        Command::Completions(args) => completions::run(args),
        Command::Man(args) => completions::man(args),
        Command::Doctor => Ok(doctor::run()),
        Command::Explore(args) => explore::run(args, given),
        Command::Races(args) => races::run(args, given),
        Command::Follow(args) => replay_schedule::run(args, given),
    }
}
