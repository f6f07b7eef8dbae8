//! What commands share that search the schedules of a program.

use super::explored::{Ears, Explored, Listener, OF_PAGE, OF_SEARCH};
use super::facts::Facts;
use super::journal::Journal;
use super::overdue;
use crate::args::{
    ExploreArgs, Given, JavaScript, Reduction, ScheduleFlags, ScheduleSearch, SearchLimits,
};
use crate::exit::{FOUND, STOPPED};
use crate::progress::{Status, Ticking};
use crate::render::outcomes::Failed;
use crate::report::{Failure, note};
use crate::shell;
use hemiola_explore::schedules::{
    Awaited, Blame, Deviation, Ended, Found, Job, Outcome, Plan, Pool, Report, Search, Settings,
    Stage, TimeLimit, Unsettled, Watchers, shrink_failure,
};
use hemiola_machine::{Delay, Schedule};
use std::cell::RefCell;
use std::ffi::OsString;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
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
        let failed = most_telling(&search);
        let instead = ended_well(&search).filter(|_| flags.test_case.is_none());
        let failed = failed
            .map(|found| explain(explored, found, instead, args, flags, given, &again))
            .transpose()?;
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
    Ok(report.starves.iter().map(|one| from_here(one, explored.directory())).collect())
}

/// Of the outcomes with which something is wrong the one that tells most.
pub(super) fn most_telling(search: &Search) -> Option<&Found> {
    search.failures().first().map(|failing| failing.found[0])
}

/// The first outcome with which nothing is wrong.
pub(super) fn ended_well(search: &Search) -> Option<&Outcome> {
    let mut outcomes = search.found().iter().map(|found| &found.outcome);
    outcomes.find(|outcome| outcome.failure.is_none())
}

/// Makes the schedule of a failure as small as possible, and tells it in words.
fn explain(
    explored: &Explored,
    found: &Found,
    instead: Option<&Outcome>,
    args: &ExploreArgs,
    flags: &ScheduleFlags,
    given: &Given,
    again: &Watchers,
) -> Result<Failed, Failure> {
    let schedule = smallest(explored, found, again);
    // Who tells of its accesses also tells of its places.
    let telling = Explored::new(&args.program, flags, given)?.instrumented(&[], true);
    let deviations = in_words(explored, &telling, &schedule, again)?;
    // It fails in the same way, and not always with the same words.
    let plan = Plan::Follow(schedule.clone());
    let report = explored.report(&plan, again)?;
    let (shown, slow) = match report.ended {
        Ended::Outcome(outcome) if outcome.failure.is_some() => (outcome, report.slow),
        _ => (found.outcome.clone(), found.slow),
    };
    let unsettled = match flags.deadlocks {
        true => unsettled(Explored::new(&args.program, flags, given)?, &plan, again)?,
        false => Vec::new(),
    };
    let command = command(&args.program, flags, &schedule, given);
    Ok(Failed {
        failure: shown.failure.clone(),
        place: Blame::of(&shown).and_then(|blame| blame.place),
        slow,
        shown,
        instead: instead.cloned(),
        unsettled,
        schedule,
        deviations,
        command,
    })
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
    for Deviation { taken, instead, .. } in &mut deviations {
        *taken = from_here(taken, explored.directory());
        *instead = from_here(instead, explored.directory());
    }
    Ok(deviations)
}

/// Words with places and files as seen from a directory.
pub(super) fn from_here(words: &str, directory: &str) -> String {
    ["(", "\""]
        .iter()
        .fold(words.to_owned(), |words, mark| words.replace(&format!("{mark}{directory}/"), mark))
}

/// The promises that nothing settles, and where they were made and are awaited.
pub(super) fn unsettled(
    explored: Explored,
    plan: &Plan,
    again: &Watchers,
) -> Result<Vec<Unsettled>, Failure> {
    let telling = explored.telling(Facts { sites: true, awaits: true, ..Facts::default() });
    let awaited = Rc::new(RefCell::new(Awaited::default()));
    let heard = Rc::clone(&awaited);
    let trace: Listener = Box::new(move |event| heard.borrow_mut().hear(&event));
    let ears = Ears { trace: Some(trace), ..Ears::default() };
    telling.run_heard(plan, again, false, |_, _| Ok(()), ears)?;
    let unsettled = awaited.borrow().unsettled();
    Ok(unsettled)
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
    let SearchLimits { deviations, slow, .. } = args.limits;
    let subject = format!("{} {deviations:?} {:?} {slow:?}", explored.subject(), args.reduction);
    let named = args.resume.as_ref().and_then(Option::as_deref);
    let mut journal = Journal::open(&subject, named, args.resume.is_some())?;
    let search = in_waves(settings, clock, |search, jobs| {
        let watchers = Watchers::of(search, args.reduction.into()).within(clock.limit());
        journal.wave(search, jobs, |jobs| pool.run_all(jobs, &watchers))
    })?;
    Ok((search, if is_interrupted() { journal.leave() } else { journal.finish() }))
}

/// Hands out schedules, a wave of them at a time, until there are none left or the budget is spent.
pub(super) fn in_waves(
    settings: Settings,
    clock: &Clock,
    mut wave: impl FnMut(&mut Search, &[Job]) -> Result<(), Failure>,
) -> Result<Search, Failure> {
    let mut waiting = Some(Ticking::words("schedules 0"));
    let mut status = Status::new();
    let most = settings.schedules;
    Search::in_waves(
        settings,
        |stage| clock.is_up(stage),
        |search, jobs| {
            wave(search, jobs)?;
            drop(waiting.take());
            status.schedules(search, most, clock.left());
            Ok(())
        },
    )
}

/// How long a search may take: until its time is up, or until Ctrl-C.
pub(super) struct Clock {
    started: Instant,
    limit: Option<Duration>,
}

/// How long making what was found small and telling it may take after Ctrl-C.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// The flag that Ctrl-C sets; nothing where the system does not let us listen, or nobody wanted to.
static PRESSED: OnceLock<Option<Arc<AtomicBool>>> = OnceLock::new();

/// From now on the first Ctrl-C ends a search, which tells what it has found; the second ends the process.
pub(super) fn hear_interrupts() {
    PRESSED.get_or_init(|| hemiola_live::first_interrupt().ok());
}

/// Whether somebody has pressed Ctrl-C.
pub(super) fn is_interrupted() -> bool {
    let pressed = PRESSED.get().and_then(Option::as_ref);
    pressed.is_some_and(|pressed| pressed.load(Ordering::Relaxed))
}

/// What is said beside the result of a search.
pub(super) fn interruption() -> String {
    match is_interrupted() {
        true => note("interrupted; this is what was found until then"),
        false => String::new(),
    }
}

#[expect(clippy::disallowed_methods, reason = "the user limits real time")]
fn now() -> Instant {
    Instant::now()
}

impl Clock {
    pub(super) fn new(limit: Option<Delay>) -> Self {
        let limit = limit.map(|limit| Duration::from_micros(limit.as_micros()));
        Self { started: now(), limit }
    }

    /// Whether the time of a stage is up.
    pub(super) fn is_up(&self, stage: Stage) -> bool {
        let end = self.limit.and_then(|limit| stage.end(limit));
        stage != Stage::Over && is_interrupted()
            || end.is_some_and(|end| self.started.elapsed() >= end)
    }

    /// How much of the time is left, if it is limited.
    fn left(&self) -> Option<Duration> {
        self.limit.map(|limit| limit.saturating_sub(self.started.elapsed()))
    }

    /// The same for a search that explains what another has found, and may take as long again.
    pub(super) fn is_up_again(&self, stage: Stage) -> bool {
        let end = self.limit.and_then(|limit| stage.end(limit * 2));
        end.is_some_and(|end| self.started.elapsed() >= end)
    }

    /// Ends runs when all of the time is up.
    pub(super) fn limit(&self) -> TimeLimit {
        match self.limit {
            Some(limit) => self.ends_after(limit, is_interrupted),
            None => TimeLimit::new(is_interrupted),
        }
    }

    /// Ends runs by which what was found is made small and told in words: they may take as long again.
    pub(super) fn as_long_again(&self) -> TimeLimit {
        let last = is_interrupted().then(|| self.started.elapsed() + LAST_WORDS);
        match last.or(self.limit.map(|limit| limit * 2)) {
            Some(limit) => self.ends_after(limit, || false),
            None => TimeLimit::default(),
        }
    }

    fn ends_after(&self, limit: Duration, is_over: fn() -> bool) -> TimeLimit {
        let started = self.started;
        if let Some(until) = started.checked_add(limit) {
            overdue::limit(until);
        }
        TimeLimit::new(move || {
            overdue::looked();
            is_over() || started.elapsed() >= limit
        })
    }
}

/// How many runs are made at a time: as many as there are processors, unless somebody says how many.
pub(super) fn threads(wanted: Option<u16>) -> usize {
    let processors = || std::thread::available_parallelism().map_or(1, usize::from);
    wanted.map_or_else(processors, usize::from)
}

/// The smallest schedule that fails in the same way.
pub(super) fn smallest(explored: &Explored, found: &Found, again: &Watchers) -> Schedule {
    shrink_failure(found, |plan| explored.report(plan, again).ok())
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
    let without = [OF_SEARCH, &OF_PAGE, &["schedule"]].concat();
    let flags = given.whole_words(&without).into_iter().map(OsString::from).chain(case);
    let schedule = OsString::from(schedule.to_string());
    shell::line(
        start.into_iter().chain([schedule]).chain(flags).chain(shell::apart(&program.words)),
    )
}
