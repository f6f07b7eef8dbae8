//! `hemiola races`: accesses of a program that come in either order.

use super::closed;
use super::explored::Explored;
use super::searching::{Clock, command, hear_interrupts, in_waves, interruption, threads};
use crate::args::{Format, Given, RacesArgs};
use crate::done::Done;
use crate::exit::{FOUND, STOPPED};
use crate::render::races::{self, Report};
use crate::report::Failure;
use hemiola_explore::races::{Judge, Shown, Verdict};
use hemiola_explore::schedules::{Covered, Plan, Reduction, Search, Settings, Watchers};

pub(super) fn run(args: &RacesArgs, given: &Given) -> Result<Done, Failure> {
    let explored =
        Explored::new(&args.program, &args.schedules, given)?.instrumented(&args.skip, true);
    let explored = explored.slow_after(args.limits.slow);
    let (search, judge) = judge(&explored, args)?;
    let complete = search.covered() == Covered::All && search.counts().cut == 0;
    let judged = judge.verdicts(complete);
    let harmful = judged.iter().any(|race| matches!(race.verdict, Verdict::Harmful { .. }));
    let fails = judge.always_fails();
    let unseen = explored.unseen();
    let report = Report {
        fails,
        unseen: &unseen,
        potential: args.schedules.potential,
        races: &judged,
        search: &search,
        steps: args.schedules.max_steps,
        directory: explored.directory(),
        command: &|schedule| command(&args.program, &args.schedules, schedule, given),
    };
    let output = match args.format {
        Format::Text => races::text(&report),
        Format::Json => races::json(&report),
    };
    let bounded = args.limits.deviations.is_some()
        && matches!(search.covered(), Covered::Deviations { waiting: 0, .. });
    let code = match harmful || fails.is_some() {
        true => FOUND,
        false if complete || bounded => 0,
        false => STOPPED,
    };
    let notes = interruption() + &closed::note_of(&search, &output, code);
    Ok(Done { output, notes, code })
}

/// Runs schedules until there are none left or the budget is spent, and listens.
fn judge(explored: &Explored, args: &RacesArgs) -> Result<(Search, Judge), Failure> {
    let settings = Settings {
        deviations: args.limits.deviations,
        schedules: args.max_schedules.into(),
        seed: args.schedules.seed,
        first_failure: false,
    };
    hear_interrupts();
    let clock = Clock::new(args.limits.time);
    let mut judge = Judge::default();
    let threads = threads(args.limits.jobs);
    let potential = args.schedules.potential;
    let run = |plan: &Plan, watchers: &Watchers| explored.probed(plan, watchers, potential);
    let search = explored.with_pool(threads, &run, |pool| {
        in_waves(settings, &clock, |search, jobs| {
            let watchers = Watchers::of(search, Reduction::Order).within(clock.limit());
            for (job, (report, probe)) in jobs.iter().zip(pool.run_all(jobs, &watchers)?) {
                judge.take(&probe, report.schedule(), Shown::of(&report));
                search.take(job, &report);
            }
            Ok(())
        })
    })?;
    Ok((search, judge))
}
