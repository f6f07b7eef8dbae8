//! What commands share that follow every execution of a small program: the search and its bounds.

use crate::args::{Format, Given, Search};
use crate::done::Done;
use crate::exit::STOPPED;
use crate::language::Program;
use crate::progress::Status;
use crate::render::executions::{self, Cut, Decided, Listing, Run};
use crate::render::misfit::misfit;
use crate::report::{self, Failure};
use hemiola_explore::{End, Endless, Graph, Lassos, Limits, Outcomes, Progress, Sequences};
use hemiola_machine::{Event, Given as Follow, Observation, Schedule};
use std::collections::BTreeSet;

/// The bounds of the search itself, as results tell them.
pub(super) const STATES: &str = "states";
const TRACES: &str = "traces";

/// Lists what a program can show; with a schedule, what that one run shows.
pub(super) fn show(
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
    let (graph, endless) = decide(program, search, given);
    if let Some(endless) = endless {
        return list_endless(program, &endless, search, given);
    }
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
    let listing = Listing { sequences, starves, states: graph.states(), cuts, decided: None };
    Done {
        output: match search.format {
            Format::Text => executions::listing_text(&listing),
            Format::Json => executions::listing_json(&listing),
        },
        notes: notes(&listing.cuts, search.format),
        code: if stopped { STOPPED } else { 0 },
    }
}

/// Lists what a program can show that never ends and has finitely many configurations.
fn list_endless(program: &Program, endless: &Endless, search: &Search, given: &Given) -> Done {
    let fair = search.fair;
    let Lassos { traces, stuck, lassos, repeats, more } =
        endless.lassos(fair, search.max_traces as usize);
    // With a callback watched there are as many configurations for each that can be.
    let hunt = |limits: Limits, report: &mut dyn FnMut(Progress)| {
        program.endless(fair, true, limits, report)
    };
    let hunted = watching(search.max_states, hunt).0;
    let mut names = BTreeSet::new();
    names.extend(hunted.is_none().then_some(STATES));
    names.extend(more.then_some(TRACES));
    let starves = hunted.map(|hunted| hunted.starved(fair)).unwrap_or_default();
    let cuts = cuts(names, program, search, given);
    let sequences = Sequences { traces, stuck, more, cut: Vec::new() };
    let decided = Some(Decided { lassos, repeats, fair });
    let code = if cuts.is_empty() { 0 } else { STOPPED };
    let listing = Listing { sequences, starves, states: endless.states(), cuts, decided };
    Done {
        output: match search.format {
            Format::Text => executions::listing_text(&listing),
            Format::Json => executions::listing_json(&listing),
        },
        notes: notes(&listing.cuts, search.format),
        code,
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
        Format::Text => executions::run_text(&run, |name| cut(name, program, search, given)),
        Format::Json => executions::run_json(&run),
    };
    Ok(Done::with(output, 0))
}

/// Runs a schedule, which must fit the program.
pub(super) fn follow(program: &Program, schedule: &Schedule) -> Result<Run, Failure> {
    let mut chooser = Follow::new(schedule.clone());
    let (events, end) = program.run(&mut chooser);
    let Some(missed) = chooser.missed() else {
        let trace = events.iter().filter_map(observed).cloned().collect();
        return Ok(Run { events, trace, end });
    };
    let choices = events.iter().filter(|event| matches!(event, Event::Chose { .. })).count();
    Err(misfit(schedule, "this run", missed, choices)
        .help("use the flags that the schedule was found with, or start with --schedule default"))
}

fn observed(event: &Event) -> Option<&Observation> {
    match event {
        Event::Observed(observation) => Some(observation),
        _ => None,
    }
}

/// How many configurations a program may have to be decided before its executions are bounded.
const FEW: u32 = 20_000;

/// Explores every execution of a program. One that never ends and has finitely many configurations is
/// decided, unless the user wants it bounded; then the graph is empty.
pub(super) fn decide(
    program: &Program,
    search: &Search,
    given: &Given,
) -> (Graph, Option<Endless>) {
    if program.bounds().iter().any(|flag| given.has(flag)) {
        return (explore(program, search), None);
    }
    let endless = |states: u32| {
        watching(states, |limits, report| program.endless(search.fair, false, limits, report)).0
    };
    let few = endless(FEW.min(search.max_states));
    let known = few.is_some();
    if let Some(few) = few.filter(Endless::never_ends) {
        return (Graph::default(), Some(few));
    }
    let graph = explore(program, search);
    let cut: BTreeSet<_> = graph
        .ends()
        .iter()
        .filter_map(|end| match end {
            End::Cut(bound) => Some(*bound),
            _ => None,
        })
        .collect();
    // Where it ends within its bounds, or is too large anyway, nothing more can be said.
    if known || cut.is_empty() || cut.contains(STATES) {
        return (graph, None);
    }
    match endless(search.max_states).filter(Endless::never_ends) {
        Some(endless) => (Graph::default(), Some(endless)),
        None => (graph, None),
    }
}

/// Explores every execution of a program, up to the bounds.
pub(super) fn explore(program: &Program, search: &Search) -> Graph {
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
        status.update(progress, limits.states);
    });
    // Everything that is found is looked at, unless it is more than the budget.
    (result, found > limits.states)
}

pub(super) fn cuts(
    names: BTreeSet<&'static str>,
    program: &Program,
    search: &Search,
    given: &Given,
) -> Vec<Cut> {
    names.into_iter().map(|name| cut(name, program, search, given)).collect()
}

pub(super) fn cut(name: &'static str, program: &Program, search: &Search, given: &Given) -> Cut {
    let flag = match name {
        STATES => Some(("max-states", search.max_states.into())),
        TRACES => Some(("max-traces", search.max_traces.into())),
        _ => program.bound(name),
    };
    Cut { name, flag, by_default: flag.is_none_or(|(flag, _)| !given.has(flag)) }
}

/// What the user may want to know about bounds that nobody asked for.
pub(super) fn notes(cuts: &[Cut], format: Format) -> String {
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
