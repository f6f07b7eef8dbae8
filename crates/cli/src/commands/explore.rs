//! `hemiola explore`: a program in JavaScript under every schedule, and `replay --schedule`: under one.

use super::check::quoted;
use super::explore_tests;
use super::javascript::{world, written};
use super::journal::Journal;
pub(super) use super::schedules::must_exist;
use super::schedules::{Ears, Explored, Listener, OF_SEARCH, Pool, Watchers};
use super::watch::Watch;
use super::{Done, STOPPED};
use crate::args::{
    ExploreArgs, FollowArgs, Format, Given, JavaScript, Reduction as Wanted, ScheduleFlags,
    ScheduleSearch,
};
use crate::outcomes::{self, Exploration, Failed};
use crate::progress::Status;
use crate::report::Failure;
use hemiola_explore::schedules::{
    Covered, Ended, Job, Outcome, Plan, Reduction, Report, Search, Settings, Stage, shrink,
};
use hemiola_machine::{Delay, Schedule, Sink, Stream};
use std::cell::RefCell;
use std::ffi::OsString;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// A program ends while somebody waits for a promise.
const UNSETTLED: u8 = 13;

/// A schedule fails.
pub(super) const FAILED: u8 = 100;

pub(super) fn run(args: &ExploreArgs, given: &Given) -> Result<Done, Failure> {
    if let Some(crashes) = args.crashes.crashes {
        return super::crashes::run(args, crashes, given);
    }
    let mut explored = Explored::new(&args.program, &args.schedules, given)?;
    if args.schedules.test_case.is_none() {
        let cases = explored.tests()?;
        if !cases.is_empty() {
            return explore_tests::run(args, given, &cases);
        }
    }
    let explored = reduced(explored, args);
    let searched = search_all(&explored, args, &args.schedules, given);
    // The process is about to end: to take its engines apart would only delay that.
    std::mem::forget(explored);
    let Searched { search, failed, resumed } = searched?;
    let code = code(&search, failed.as_ref(), args);
    let steps = args.schedules.max_steps;
    let exploration = Exploration { search: &search, failed, steps, resumed };
    let output = match args.format {
        Format::Text => outcomes::text(&exploration),
        Format::Json => outcomes::json(&exploration),
    };
    Ok(Done { output, notes: String::new(), code })
}

/// What became of a search.
pub(super) struct Searched {
    pub(super) search: Search,
    pub(super) failed: Option<Failed>,
    /// How many reports an earlier search had made.
    pub(super) resumed: usize,
}

/// The exit code after a search.
pub(super) fn code(search: &Search, failed: Option<&Failed>, args: &ExploreArgs) -> u8 {
    match failed {
        Some(_) => FAILED,
        None if is_complete(search, &args.search) => 0,
        None => STOPPED,
    }
}

/// Searches the schedules of a program, or of one of its tests.
pub(super) fn explore(
    args: &ExploreArgs,
    flags: &ScheduleFlags,
    given: &Given,
) -> Result<Searched, Failure> {
    let explored = reduced(Explored::new(&args.program, flags, given)?, args);
    search_all(&explored, args, flags, given)
}

/// A program that tells what its reduction needs.
fn reduced(explored: Explored, args: &ExploreArgs) -> Explored {
    match args.search.reduction {
        Wanted::Accesses => explored.instrumented(&[], false),
        _ => explored,
    }
}

fn search_all(
    explored: &Explored,
    args: &ExploreArgs,
    flags: &ScheduleFlags,
    given: &Given,
) -> Result<Searched, Failure> {
    let new = || Explored::new(&args.program, flags, given);
    let threads = args.search.limits.jobs.map_or_else(processors, usize::from);
    let run = |plan: &Plan, watchers: &Watchers| explored.report(plan, watchers);
    explored.with_pool(threads, &run, |pool| {
        let (search, resumed) = search(pool, explored, &args.search, flags.seed)?;
        let failed = search.found().iter().find(|found| found.outcome.failure.is_some());
        let failed = match failed {
            None => None,
            Some(found) => {
                let failure = found.outcome.failure.clone();
                let schedule = smallest(explored, &found.schedule, failure.as_deref());
                let plan = Plan::Follow(schedule.clone());
                // Who tells of its accesses also tells of its places.
                let telling = new()?.instrumented(&[], true);
                let ran = telling.run(&plan, &Watchers::alone(), true, |_, _| Ok(()));
                let (_, mut deviations) = match ran {
                    Ok(ran) if ran.1.len() == schedule.deviations() => ran,
                    _ => explored.run(&plan, &Watchers::alone(), true, |_, _| Ok(()))?,
                };
                // Places are told as seen from here.
                let here = format!("({}/", explored.directory());
                for one in &mut deviations {
                    one.taken = one.taken.replace(&here, "(");
                    one.instead = one.instead.replace(&here, "(");
                }
                let command = command(&args.program, flags, &schedule, given);
                Some(Failed { failure, schedule, deviations, command })
            }
        };
        Ok(Searched { search, failed, resumed })
    })
}

/// Whether everything was tried that was asked for.
pub(super) fn is_complete(search: &Search, args: &ScheduleSearch) -> bool {
    let covers = match search.covered() {
        Covered::All => true,
        Covered::Deviations { waiting, .. } => args.limits.deviations.is_some() && waiting == 0,
    };
    covers && search.counts().cut == 0 && search.counts().misfits == 0
}

/// Runs schedules until there are none left or the budget is spent; says also how many reports an
/// earlier search had made.
pub(super) fn search(
    pool: &mut Pool<'_, Report>,
    explored: &Explored,
    args: &ScheduleSearch,
    seed: u64,
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
    let mut resumed = 0;
    let search = in_waves(settings, args.limits.time, |search, jobs| {
        let reduction = match args.reduction {
            Wanted::None => Reduction::None,
            Wanted::Accesses if !search.coarse() => Reduction::Accesses,
            Wanted::Order | Wanted::Accesses => Reduction::Order,
        };
        let watchers = Watchers { reduction, known: search.known(), clock: search.clock() };
        let mut reports: Vec<Report> =
            jobs.iter().map_while(|job| journal.next(&job.plan)).collect();
        if resumed == 0
            && let Some(first) = reports.first()
        {
            // What the journal tells of the default order must still be so.
            let again = pool.run_all(&jobs[..1], &watchers)?;
            if again.first() != Some(first) {
                return Err(journal.changed());
            }
        }
        resumed += reports.len();
        reports.extend(pool.run_all(&jobs[reports.len()..], &watchers)?);
        for (job, report) in jobs.iter().zip(&reports) {
            search.take(job, report);
            journal.note(&job.plan, report);
        }
        journal.flush();
        Ok(())
    })?;
    journal.finish();
    Ok((search, resumed))
}

/// Hands out schedules, a wave of them at a time, until there are none left or the budget is spent.
pub(super) fn in_waves(
    settings: Settings,
    time: Option<Delay>,
    mut wave: impl FnMut(&mut Search, &[Job]) -> Result<(), Failure>,
) -> Result<Search, Failure> {
    let mut search = Search::new(settings);
    let mut status = Status::new();
    let clock = Clock::new(time.map(|time| Duration::from_micros(time.as_micros())));
    loop {
        while clock.is_up(search.stage()) {
            search.hurry();
        }
        let jobs = search.wave();
        if jobs.is_empty() {
            return Ok(search);
        }
        wave(&mut search, &jobs)?;
        status.schedules(&search);
    }
}

/// How long a search may take.
pub(super) struct Clock {
    started: Instant,
    limit: Option<Duration>,
}

impl Clock {
    #[expect(clippy::disallowed_methods, reason = "the user limits real time")]
    pub(super) fn new(limit: Option<Duration>) -> Self {
        Self { started: Instant::now(), limit }
    }

    /// Whether the time of a stage is up: three quarters are for schedules by their deviations.
    pub(super) fn is_up(&self, stage: Stage) -> bool {
        let Some(limit) = self.limit else { return false };
        let share = match stage {
            Stage::Deviations => limit * 3 / 4,
            Stage::Priorities => limit * 7 / 8,
            Stage::Random => limit,
            Stage::Over => return false,
        };
        self.started.elapsed() >= share
    }
}

pub(super) fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The smallest schedule that fails in the same way.
pub(super) fn smallest(
    explored: &Explored,
    schedule: &Schedule,
    failure: Option<&str>,
) -> Schedule {
    shrink(schedule, |tried| {
        let plan = Plan::Follow(tried.clone());
        let ran = explored.report(&plan, &Watchers::alone());
        matches!(
            ran.map(|ran| ran.ended),
            Ok(Ended::Outcome(outcome)) if outcome.failure.as_deref() == failure
        )
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
    let is_flag = |word: &OsString| word.as_encoded_bytes().starts_with(b"-") && word != "-";
    // What would be taken for a flag of ours comes after two dashes.
    let dashes = program.words.iter().any(is_flag).then(|| OsString::from("--"));
    let words = start
        .into_iter()
        .chain([schedule.to_string().into()])
        .chain(flags)
        .chain(dashes)
        .chain(program.words.iter().cloned());
    words.map(|word| quoted(&word.to_string_lossy())).collect::<Vec<_>>().join(" ")
}

/// Runs a program under one schedule.
pub(super) fn follow(args: &FollowArgs, given: &Given) -> Result<Done, Failure> {
    let explored = Explored::new(&args.program, &args.schedules, given)?;
    let (_, mut live) = world(&args.program)?;
    let write = |stream: Stream, bytes: &[u8]| live.write(stream, bytes);
    let plan = Plan::Follow(args.schedule.clone());
    let watch = Rc::new(RefCell::new(Watch::new(args.program.trace.as_deref(), false)?));
    let trace = args.program.trace.as_ref().map(|_| {
        let watch = Rc::clone(&watch);
        Box::new(move |event| watch.borrow_mut().event(event)) as Listener
    });
    let ears = Ears { trace, ..Ears::default() };
    let (report, _) = explored.run_heard(&plan, &Watchers::alone(), false, write, ears)?;
    let done = |notes: String, code: u8| Done { output: String::new(), notes, code };
    let done = match &report.ended {
        // A deadlock is nothing that the program says itself; Node has this code for it.
        Ended::Outcome(Outcome { code: 0, failure: Some(failure), .. }) => {
            done(crate::report::note(failure), UNSETTLED)
        }
        Ended::Outcome(outcome) => done(String::new(), outcome.code as u8),
        Ended::Known => unreachable!("nothing is known to a run alone"),
        Ended::Cut => {
            let steps = args.schedules.max_steps;
            let note = format!("cut after {steps} callbacks; see more with --max-steps");
            done(crate::report::note(&note), STOPPED)
        }
        Ended::Misfit(misfit) => {
            live.flush().ok();
            let found = match misfit.count {
                0 => {
                    format!("the run made {}", crate::render::count(report.choices.len(), "choice"))
                }
                count => format!("there were {count} alternatives, 0 to {}", count - 1),
            };
            let schedule = &args.schedule;
            return Err(Failure::new(format!(
                "the schedule `{schedule}` does not fit this program"
            ))
            .fact(format!("wanted: alternative {} at choice {}", misfit.wanted, misfit.choice))
            .fact(format!("found:  {found}"))
            .help("use the program and the flags that the schedule was found with"));
        }
    };
    watch.borrow_mut().close(written(live.flush(), done)?)
}
