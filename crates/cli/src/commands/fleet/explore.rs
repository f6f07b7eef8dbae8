//! `hemiola fleet simulate --explore`: a fleet under every order in which its messages may arrive.

use super::conditions::Conditions;
use super::judge;
use super::once::{Shown, Wishes};
use super::order::Ordered;
use super::simulate::{Simulated, fleet};
use super::study::Subject;
use crate::args::{FleetSimulateArgs, Format};
use crate::commands::explored::stack_of_runs;
use crate::commands::searching::{
    Clock, code, ended_well, hear_interrupts, in_waves, interruption, most_telling, threads,
};
use crate::done::Done;
use crate::render::outcomes::{self, Exploration, Failed};
use crate::report::Failure;
use hemiola_explore::schedules::{
    Blame, Deviation, Ended, Found, Outcome, Plan, Reduction, Report, Search, Settings, Watchers,
    shrink_failure, with_pool,
};
use hemiola_gate::Stop;
use hemiola_machine::{Delay, Observation};

/// Searches the orders of a fleet.
pub(super) fn run(args: &FleetSimulateArgs) -> Result<Done, Failure> {
    hear_interrupts();
    let fleet = &fleet(args, &Stop::default())?;
    let clock = Clock::new(args.time);
    let explored = Explored { fleet, conditions: fleet.conditions(args.seed), slow: args.slow };
    let settings = Settings {
        deviations: args.deviations,
        schedules: args.max_schedules.into(),
        seed: args.seed,
        first_failure: args.fail_fast,
    };
    let run = |plan: &Plan, watchers: &Watchers| explored.run(plan, watchers, false);
    with_pool(threads(args.jobs), stack_of_runs(), &run, |pool| {
        let search = in_waves(settings, &clock, |search, jobs| {
            let watchers = Watchers::of(search, Reduction::Order).within(clock.limit());
            for (job, (report, _)) in jobs.iter().zip(pool.run_all(jobs, &watchers)?) {
                search.take(job, &report);
            }
            Ok(())
        })?;
        let again = Watchers::alone().within(clock.as_long_again());
        let failed = most_telling(&search);
        let failed =
            failed.map(|found| explained(&explored, &search, found, &again)).transpose()?;
        let code = code(&search, failed.as_ref());
        let (resumed, starves) = (0, Vec::new());
        let exploration = Exploration { search: &search, failed, steps: 0, resumed, starves };
        let output = match args.format {
            Format::Text => outcomes::text(&exploration),
            Format::Json => outcomes::json(&exploration),
        };
        Ok(Done { output, notes: interruption(), code })
    })
}

/// A fleet, and everything that decides its runs but the order.
struct Explored<'f> {
    fleet: &'f Simulated,
    conditions: Conditions,
    slow: Delay,
}

impl Explored<'_> {
    /// Makes a run, in silence: what became of it, and its deviations in words if they are wanted.
    fn run(
        &self,
        plan: &Plan,
        watchers: &Watchers,
        explain: bool,
    ) -> Result<(Report, Vec<Deviation>), Failure> {
        let stop = Stop::default();
        let ordered = Ordered::new(plan, watchers, explain, &stop);
        let arrivals = Some(ordered.arrivals(self.slow));
        let shown = self.fleet.run_with(&self.conditions, &Wishes::default(), &stop, arrivals)?;
        let mut picker = ordered.lock();
        let report = picker.report(shown.outcome.is_slow, || self.outcome(&shown))?;
        Ok((report, picker.deviations()))
    }

    /// What a run shows, and what is wrong with it.
    fn outcome(&self, shown: &Shown) -> Result<Outcome, Failure> {
        let verdict = self.fleet.verdict(&self.conditions, shown)?;
        let mut observations = Vec::new();
        for &at in &self.conditions.hosts {
            let name = &self.fleet.description().hosts[at].name;
            let own = shown.seen.iter().filter(|seen| seen.host == *name);
            let mut own = own.map(|seen| seen.value.clone()).peekable();
            if own.peek().is_some() {
                observations.push(Observation::Name(name.as_str().into()));
            }
            observations.extend(own);
        }
        let failure = verdict.map(|judge::Verdict { why, host, .. }| match host {
            Some(host) if !why.starts_with(&host) => format!("{why} (on {host})"),
            _ => why,
        });
        Ok(Outcome { failure, observations, ..Outcome::default() })
    }
}

/// Makes the schedule of a failure as small as possible, and tells it in words.
fn explained(
    explored: &Explored<'_>,
    search: &Search,
    found: &Found,
    again: &Watchers,
) -> Result<Failed, Failure> {
    let run = |plan: &Plan| explored.run(plan, again, false).ok().map(|(report, _)| report);
    let schedule = shrink_failure(found, run);
    let (report, deviations) = explored.run(&Plan::Follow(schedule.clone()), again, true)?;
    let (shown, slow) = match report.ended {
        Ended::Outcome(outcome) if outcome.failure.is_some() => (outcome, report.slow),
        _ => (found.outcome.clone(), found.slow),
    };
    Ok(Failed {
        failure: shown.failure.clone(),
        place: Blame::of(&shown).and_then(|blame| blame.place),
        slow,
        shown,
        instead: ended_well(search).cloned(),
        unsettled: Vec::new(),
        command: explored.fleet.line(&explored.conditions, Some(&schedule)),
        schedule,
        deviations,
    })
}
