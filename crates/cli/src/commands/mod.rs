//! One file for each command, and what they share: the search and its bounds.

mod check;
mod check_javascript;
mod crashes;
mod cron;
mod debug;
mod explore;
mod explore_tests;
mod held;
mod javascript;
mod journal;
mod lasync;
mod lineage;
mod machine;
mod profile;
mod races;
pub(crate) mod recordings;
mod schedules;
mod trace;
mod traced;
mod verify;
mod view;
mod watch;
mod workers;

use crate::args::{Command, Format, Given, Search};
use crate::language::Program;
use crate::progress::Status;
use crate::render::{self, Listing, Run};
use crate::report::{self, Failure};
use hemiola_explore::{Graph, Limits, Outcomes, Progress};
use hemiola_machine::{Event, Given as Follow, Observation, Schedule};
use std::collections::BTreeSet;

/// Nothing was found, but the search stopped early.
const STOPPED: u8 = 102;

/// The bounds of the search itself, as results tell them.
const STATES: &str = "states";
const TRACES: &str = "traces";

/// What a command has to say.
#[derive(Clone, Debug)]
pub(crate) struct Done {
    /// The result, for standard output.
    pub(crate) output: String,
    /// Remarks, for standard error.
    pub(crate) notes: String,
    /// The exit code.
    pub(crate) code: u8,
}

/// Does what a command asks for.
pub(crate) fn run(command: &Command, given: &Given) -> Result<Done, Failure> {
    match command {
        Command::Run(args) => javascript::run(args, given),
        Command::Simulate(args) => javascript::simulate(args, given),
        Command::Replay(args) => recordings::replay(args),
        Command::Runs(args) => recordings::runs(args),
        Command::Debug(args) => debug::run(args),
        Command::DebugSchedule(args) => debug::run_schedule(args, given),
        Command::View(args) => view::run(args),
        Command::Lineage(args) => lineage::run(args),
        Command::Trace(args) => trace::run(args),
        Command::Machine(args) => machine::run(args, given),
        Command::Lasync(args) => lasync::run(args, given),
        Command::Check(args) => check::run(args, given),
        Command::Verify(args) => verify::run(args),
        Command::Cron(args) => cron::run(args),
        Command::Explore(args) => explore::run(args, given),
        Command::Races(args) => races::run(args, given),
        Command::Follow(args) => explore::follow(args, given),
    }
}

/// Lists what a program can show; with a schedule, what that one run shows.
fn show(
    program: &Program,
    search: &Search,
    schedule: Option<&Schedule>,
    given: &Given,
) -> Result<Done, Failure> {
    match schedule {
        Some(schedule) => show_run(program, search, schedule, given),
        None => Ok(list(program, search, given)),
    }
}

fn list(program: &Program, search: &Search, given: &Given) -> Done {
    let graph = explore(program, search);
    let outcomes = Outcomes::of(&graph);
    let sequences = outcomes.sequences(search.max_traces as usize);
    let mut names = outcomes.bounds();
    let mut starves = BTreeSet::new();
    if !names.is_empty() {
        // The hunt is an extra: it gets a quarter of the budget.
        let budget = search.max_states.div_ceil(4);
        let (found, spent) = watching(budget, |limits, report| program.starving(limits, report));
        starves = found;
        names.extend(spent.then_some(STATES));
    }
    names.extend(sequences.more.then_some(TRACES));
    let cuts = cuts(names, program, search, given);
    let stopped = cuts.iter().any(|cut| [STATES, TRACES].contains(&cut.name));
    let listing = Listing { sequences, starves, states: graph.states(), cuts };
    Done {
        output: match search.format {
            Format::Text => render::listing_text(&listing),
            Format::Json => render::listing_json(&listing),
        },
        notes: notes(&listing.cuts, search.format),
        code: if stopped { STOPPED } else { 0 },
    }
}

fn show_run(
    program: &Program,
    search: &Search,
    schedule: &Schedule,
    given: &Given,
) -> Result<Done, Failure> {
    let run = follow(program, schedule)?;
    let output = match search.format {
        Format::Text => render::run_text(&run, |name| cut(name, program, search, given)),
        Format::Json => render::run_json(&run),
    };
    Ok(Done { output, notes: String::new(), code: 0 })
}

/// Runs a schedule, which must fit the program.
fn follow(program: &Program, schedule: &Schedule) -> Result<Run, Failure> {
    let mut chooser = Follow::new(schedule.clone());
    let (events, end) = program.run(&mut chooser);
    let Some(missed) = chooser.missed() else {
        let trace = events.iter().filter_map(observed).cloned().collect();
        return Ok(Run { events, trace, end });
    };
    let choices = events.iter().filter(|event| matches!(event, Event::Chose { .. })).count();
    let offered = match missed.count {
        0 => format!("the run made {}", render::count(choices, "choice")),
        count => format!("there were {count} alternatives, 0 to {}", count - 1),
    };
    Err(Failure::new(format!("the schedule `{schedule}` does not fit this run"))
        .fact(format!("wanted: alternative {} at choice {}", missed.wanted, missed.choice))
        .fact(format!("found:  {offered}"))
        .help("use the flags that the schedule was found with, or start with --schedule default"))
}

fn observed(event: &Event) -> Option<&Observation> {
    match event {
        Event::Observed(observation) => Some(observation),
        _ => None,
    }
}

/// Explores every execution of a program.
fn explore(program: &Program, search: &Search) -> Graph {
    watching(search.max_states, |limits, report| program.executions(limits, report)).0
}

/// Does a search with a status line; says also whether it spent the budget of configurations.
fn watching<T>(
    max_states: u32,
    work: impl FnOnce(Limits, &mut dyn FnMut(Progress)) -> T,
) -> (T, bool) {
    let limits = Limits { states: max_states as usize };
    let mut status = Status::new();
    let mut found = 0;
    let result = work(limits, &mut |progress| {
        found = progress.states;
        status.update(progress);
    });
    // Everything that is found is looked at, unless it is more than the budget.
    (result, found > limits.states)
}

/// A bound that cut a search.
#[derive(Debug)]
pub(crate) struct Cut {
    /// As JSON tells it.
    pub(crate) name: &'static str,
    /// The flag that sets it, and its value; none for one that is fixed.
    pub(crate) flag: Option<(&'static str, u64)>,
    /// Whether the user left it as it is.
    pub(crate) by_default: bool,
}

fn cuts(
    names: BTreeSet<&'static str>,
    program: &Program,
    search: &Search,
    given: &Given,
) -> Vec<Cut> {
    names.into_iter().map(|name| cut(name, program, search, given)).collect()
}

fn cut(name: &'static str, program: &Program, search: &Search, given: &Given) -> Cut {
    let flag = match name {
        STATES => Some(("max-states", search.max_states.into())),
        TRACES => Some(("max-traces", search.max_traces.into())),
        _ => program.bound(name),
    };
    Cut { name, flag, by_default: flag.is_none_or(|(flag, _)| !given.has(flag)) }
}

/// What the user may want to know about bounds that nobody asked for.
fn notes(cuts: &[Cut], format: Format) -> String {
    let by_default = cuts.iter().filter(|cut| cut.by_default && format == Format::Text);
    by_default
        .map(|cut| match cut.flag {
            Some((flag, value)) => report::note(&format!(
                "cut by the default bound --{flag} {value}; raise it to see more"
            )),
            None => report::note(&format!("cut by the {}, which no flag raises", cut.name)),
        })
        .collect()
}
