//! What commands share that search the schedules of a program.

use super::explored::{Explored, OF_SEARCH};
use super::journal::Journal;
use super::overdue;
use crate::args::{ExploreArgs, Given, JavaScript, Reduction, ScheduleFlags, ScheduleSearch};
use crate::exit::{FOUND, STOPPED};
use crate::progress::Status;
use crate::render::outcomes::Failed;
use crate::report::Failure;
use crate::shell;
use hemiola_explore::schedules::{
    Deviation, Found, Job, Plan, Pool, Report, Search, Settings, Stage, TimeLimit, Watchers,
    shrink_failure,
};
use hemiola_machine::{Delay, Schedule};
use std::ffi::OsString;
use std::time::{Duration, Instant};

/// What became of a search.
pub(super) struct Searched {
    pub(super) search: Search,
    pub(super) failed: Option<Failed>,
    /// How many reports an earlier search had made.
    pub(super) resumed: usize,
    /// What waited for long in a run that was cut.
    pub(super) starves: Vec<String>,
}

/// The exit code after a search.
pub(super) fn code(search: &Search, failed: Option<&Failed>) -> u8 {
    match failed {
        Some(_) => FOUND,
        None if search.is_complete() => 0,
        None => STOPPED,
    }
}

/// A program that tells what its reduction needs.
pub(super) fn reduced(explored: Explored, reduction: Reduction) -> Explored {
    match reduction {
        Reduction::Accesses => explored.instrumented(&[], false),
        Reduction::None | Reduction::Order => explored,
    }
}

/// Searches the schedules of a program, or of one of its tests.
pub(super) fn explore(
    explored: &Explored,
    args: &ExploreArgs,
    flags: &ScheduleFlags,
    given: &Given,
    clock: &Clock,
) -> Result<Searched, Failure> {
    let threads = threads(args.search.limits.jobs);
    let run = |plan: &Plan, watchers: &Watchers| explored.report(plan, watchers);
    explored.with_pool(threads, &run, |pool| {
        let (search, resumed) = search(pool, explored, &args.search, flags.seed, clock)?;
        let again = Watchers::alone().within(clock.as_long_again());
        let failed = first_failure(&search);
        let failed =
            failed.map(|found| explain(explored, found, args, flags, given, &again)).transpose()?;
        let starves = match search.cut() {
            Some(schedule) => starving(explored, schedule, args, flags, given, &again)?,
            None => Vec::new(),
        };
        Ok(Searched { search, failed, resumed, starves })
    })
}

/// What waits for long in a run that is cut, in words.
fn starving(
    explored: &Explored,
    schedule: &Schedule,
    args: &ExploreArgs,
    flags: &ScheduleFlags,
    given: &Given,
    again: &Watchers,
) -> Result<Vec<String>, Failure> {
    let telling = Explored::new(&args.program, flags, given)?.instrumented(&[], true);
    let plan = Plan::Follow(schedule.clone());
    let (report, _) = telling.run(&plan, again, true, |_, _| Ok(()))?;
    let here = format!("({}/", explored.directory());
    Ok(report.starves.iter().map(|one| one.replace(&here, "(")).collect())
}

/// The first outcome with which something is wrong.
pub(super) fn first_failure(search: &Search) -> Option<&Found> {
    search.found().iter().find(|found| found.outcome.failure.is_some())
}

/// Makes the schedule of a failure as small as possible, and tells it in words.
fn explain(
    explored: &Explored,
    found: &Found,
    args: &ExploreArgs,
    flags: &ScheduleFlags,
    given: &Given,
    again: &Watchers,
) -> Result<Failed, Failure> {
    let failure = found.outcome.failure.clone();
    let schedule = smallest(explored, &found.schedule, failure.as_deref(), again);
    // Who tells of its accesses also tells of its places.
    let telling = Explored::new(&args.program, flags, given)?.instrumented(&[], true);
    let deviations = in_words(explored, &telling, &schedule, again)?;
    let command = command(&args.program, flags, &schedule, given);
    Ok(Failed { failure, schedule, deviations, command })
}

/// The deviations of a schedule in words: by a program that tells of its places, if it can follow it.
pub(super) fn in_words(
    explored: &Explored,
    telling: &Explored,
    schedule: &Schedule,
    again: &Watchers,
) -> Result<Vec<Deviation>, Failure> {
    let plan = Plan::Follow(schedule.clone());
    let told = |explored: &Explored| explored.run(&plan, again, true, |_, _| Ok(()));
    let (_, mut deviations) = match told(telling) {
        Ok(ran) if ran.1.len() == schedule.deviations() => ran,
        _ => told(explored)?,
    };
    // Places are told as seen from here.
    let here = format!("({}/", explored.directory());
    for Deviation { taken, instead, .. } in &mut deviations {
        *taken = taken.replace(&here, "(");
        *instead = instead.replace(&here, "(");
    }
    Ok(deviations)
}

/// Runs schedules until there are none left or the budget is spent; says also how many reports an
/// earlier search had made.
pub(super) fn search(
    pool: &mut Pool<'_, Report, Failure>,
    explored: &Explored,
    args: &ScheduleSearch,
    seed: u64,
    clock: &Clock,
) -> Result<(Search, usize), Failure> {
    let settings = Settings {
        deviations: args.limits.deviations,
        schedules: args.max_schedules.into(),
        seed,
        first_failure: args.fail_fast,
    };
    let subject =
        format!("{} {:?} {:?}", explored.subject(), args.limits.deviations, args.reduction);
    let named = args.resume.as_ref().and_then(Option::as_deref);
    let mut journal = Journal::open(&subject, named, args.resume.is_some())?;
    let search = in_waves(settings, clock, |search, jobs| {
        let watchers = Watchers::of(search, args.reduction.into()).within(clock.limit());
        journal.wave(search, jobs, |jobs| pool.run_all(jobs, &watchers))
    })?;
    Ok((search, journal.finish()))
}

/// Hands out schedules, a wave of them at a time, until there are none left or the budget is spent.
pub(super) fn in_waves(
    settings: Settings,
    clock: &Clock,
    mut wave: impl FnMut(&mut Search, &[Job]) -> Result<(), Failure>,
) -> Result<Search, Failure> {
    let mut status = Status::new();
    Search::in_waves(
        settings,
        |stage| clock.is_up(stage),
        |search, jobs| {
            wave(search, jobs)?;
            status.schedules(search);
            Ok(())
        },
    )
}

/// How long a search may take.
pub(super) struct Clock {
    started: Instant,
    limit: Option<Duration>,
}

impl Clock {
    #[expect(clippy::disallowed_methods, reason = "the user limits real time")]
    pub(super) fn new(limit: Option<Delay>) -> Self {
        let limit = limit.map(|limit| Duration::from_micros(limit.as_micros()));
        Self { started: Instant::now(), limit }
    }

    /// Whether the time of a stage is up.
    pub(super) fn is_up(&self, stage: Stage) -> bool {
        let end = self.limit.and_then(|limit| stage.end(limit));
        end.is_some_and(|end| self.started.elapsed() >= end)
    }

    /// The same for a search that explains what another has found, and may take as long again.
    pub(super) fn is_up_again(&self, stage: Stage) -> bool {
        let end = self.limit.and_then(|limit| stage.end(limit * 2));
        end.is_some_and(|end| self.started.elapsed() >= end)
    }

    /// Ends runs when all of the time is up.
    pub(super) fn limit(&self) -> TimeLimit {
        self.limit_of(1)
    }

    /// Ends runs by which what was found is made small and told in words: they may take as long again.
    pub(super) fn as_long_again(&self) -> TimeLimit {
        self.limit_of(2)
    }

    fn limit_of(&self, times: u32) -> TimeLimit {
        let (started, limit) = (self.started, self.limit.map(|limit| limit * times));
        match limit {
            Some(limit) => {
                if let Some(until) = started.checked_add(limit) {
                    overdue::limit(until);
                }
                TimeLimit::new(move || {
                    overdue::looked();
                    started.elapsed() >= limit
                })
            }
            None => TimeLimit::default(),
        }
    }
}

/// How many runs are made at a time: as many as there are processors, unless somebody says how many.
pub(super) fn threads(wanted: Option<u16>) -> usize {
    let processors = || std::thread::available_parallelism().map_or(1, usize::from);
    wanted.map_or_else(processors, usize::from)
}

/// The smallest schedule that fails in the same way.
pub(super) fn smallest(
    explored: &Explored,
    schedule: &Schedule,
    failure: Option<&str>,
    again: &Watchers,
) -> Schedule {
    shrink_failure(schedule, failure, |plan| {
        explored.report(plan, again).ok().map(|report| report.ended)
    })
}

/// The command that runs a schedule again.
pub(super) fn command(
    program: &JavaScript,
    flags: &ScheduleFlags,
    schedule: &Schedule,
    given: &Given,
) -> String {
    let start = ["hemiola", "replay", "--schedule"].map(OsString::from);
    // A test may be run alone without having been asked for.
    let case = flags.test_case.as_ref().filter(|_| !given.has("test-case"));
    let case = case.map(|case| OsString::from(format!("--test-case={case}")));
    let flags = given.whole_words(OF_SEARCH).into_iter().map(OsString::from).chain(case);
    let schedule = OsString::from(schedule.to_string());
    shell::line(
        start.into_iter().chain([schedule]).chain(flags).chain(shell::apart(&program.words)),
    )
}
