//! `hemiola races`: accesses of a program that come in either order.

use super::explored::{Ears, Explored};
use super::searching::{Clock, command, in_waves, threads};
use crate::args::{Format, Given, RacesArgs};
use crate::done::Done;
use crate::exit::{FOUND, STOPPED};
use crate::render::races::{self, Report};
use crate::report::Failure;
use hemiola_explore::races::{Judge, Probe, Shown, Verdict};
use hemiola_explore::schedules::{Covered, Ended, Plan, Reduction, Search, Settings, Watchers};
use hemiola_machine::Stream;
use std::cell::RefCell;
use std::rc::Rc;

pub(super) fn run(args: &RacesArgs, given: &Given) -> Result<Done, Failure> {
    let explored =
        Explored::new(&args.program, &args.schedules, given)?.instrumented(&args.skip, true);
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
    Ok(Done::with(output, code))
}

/// Runs schedules until there are none left or the budget is spent, and listens.
fn judge(explored: &Explored, args: &RacesArgs) -> Result<(Search, Judge), Failure> {
    let settings = Settings {
        deviations: args.limits.deviations,
        schedules: args.max_schedules.into(),
        seed: args.schedules.seed,
        first_failure: false,
    };
    let clock = Clock::new(args.limits.time);
    let mut judge = Judge::default();
    let threads = threads(args.limits.jobs);
    let run = |plan: &Plan, watchers: &Watchers| {
        let probe = match args.schedules.potential {
            true => Probe::potential(),
            false => Probe::default(),
        };
        let probe = Rc::new(RefCell::new(probe));
        let silent = |_: Stream, _: &[u8]| Ok(());
        let ears = Ears { probe: Some(Rc::clone(&probe)), ..Ears::default() };
        let (report, _) = explored.run_heard(plan, watchers, false, silent, ears)?;
        Ok((report, probe.take()))
    };
    let search = explored.with_pool(threads, &run, |pool| {
        in_waves(settings, &clock, |search, jobs| {
            let watchers = Watchers::of(search, Reduction::Order).within(clock.limit());
            for (job, (report, probe)) in jobs.iter().zip(pool.run_all(jobs, &watchers)?) {
                let shown = match &report.ended {
                    Ended::Outcome(outcome) => {
                        Some(Shown { code: outcome.code, failure: outcome.failure.clone() })
                    }
                    _ => None,
                };
                judge.take(&probe, report.schedule(), shown);
                search.take(job, &report);
            }
            Ok(())
        })
    })?;
    Ok((search, judge))
}
