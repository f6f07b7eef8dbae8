//! `hemiola check` for programs in JavaScript: every schedule, held to a property.

use super::explored::Explored;
use super::property::Property;
use super::searching::{
    Clock, command, hear_interrupts, interruption, most_telling, reduced, search, smallest, threads,
};
use crate::args::{CheckArgs, Format, Given, LFlags, javascript};
use crate::done::Done;
use crate::exit::{FOUND, STOPPED};
use crate::render::outcomes::{self, Break, Judgement};
use crate::report::Failure;
use hemiola_explore::schedules::{Ended, Outcome, Plan, Pool, Report, Watchers};
use hemiola_monitor::{End, Spec};

/// What is wrong with an outcome that breaks the property.
const BREAKS: &str = "it breaks the property";

pub(super) fn run(args: &CheckArgs, given: &Given) -> Result<Done, Failure> {
    if let Some(flag) = given.first_of::<LFlags>() {
        let shown = args.file.display();
        return Err(Failure::new(format!("`--{flag}` is for L, but `{shown}` is in JavaScript"))
            .help("leave it out; `hemiola check --help` lists the options of each language"));
    }
    let Property { spec, .. } = Property::parse(&args.spec)?;
    let program = javascript(&args.file, args.lasync.strategy)?;
    let held = spec.clone();
    let judge = move |outcome: &Outcome, _: Option<&str>, cut: bool| {
        let start = held.start();
        let standing = outcome.observations.iter().fold(start, |at, one| held.advance(&at, one));
        let end = if cut { End::Cut } else { End::Complete };
        (!held.conforms(&standing, end)).then(|| BREAKS.to_owned())
    };
    let explored = Explored::new(&program, &args.flags, given)?.judged_by(Box::new(judge));
    let explored =
        reduced(explored, args.schedules.reduction).slow_after(args.schedules.limits.slow);
    let threads = threads(args.schedules.limits.jobs);
    let run = |plan: &Plan, watchers: &Watchers| explored.report(plan, watchers);
    explored.with_pool(threads, &run, |pool| check(pool, &explored, args, given, &spec))
}

fn check(
    pool: &mut Pool<'_, Report, Failure>,
    explored: &Explored,
    args: &CheckArgs,
    given: &Given,
    spec: &Spec,
) -> Result<Done, Failure> {
    hear_interrupts();
    let clock = Clock::new(args.schedules.limits.time);
    let (search, _) = search(pool, explored, &args.schedules, args.flags.seed, &clock)?;
    let broken = match most_telling(&search) {
        None => None,
        Some(found) => {
            let again = Watchers::alone().within(clock.as_long_again());
            let schedule = smallest(explored, found, &again);
            let plan = Plan::Follow(schedule.clone());
            let report = explored.report(&plan, &again)?;
            let outcome = match report.ended {
                Ended::Outcome(outcome) => outcome,
                _ => found.outcome.clone(),
            };
            let program = javascript(&args.file, args.lasync.strategy)?;
            let command = command(&program, &args.flags, &schedule, given);
            Some(Break { outcome, schedule, command })
        }
    };
    let code = match broken {
        Some(_) => FOUND,
        None if search.is_complete() => 0,
        None => STOPPED,
    };
    let steps = args.flags.max_steps;
    let judgement = Judgement { property: &args.spec, spec, search: &search, broken, steps };
    let output = match args.search.format {
        Format::Text => outcomes::judgement_text(&judgement),
        Format::Json => outcomes::judgement_json(&judgement),
    };
    Ok(Done { output, notes: interruption(), code })
}
