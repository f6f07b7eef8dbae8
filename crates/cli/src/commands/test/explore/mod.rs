//! `hemiola test --explore`: every test by itself, under many schedules in the virtual world.
//!
//! [`file`](mod@file) runs a test file there, [`case`] searches the schedules of one test, [`groups`](mod@groups) says which
//! failures are the same, and [`cause`] how one comes about.

mod again;
mod case;
mod cause;
mod changed;
mod file;
mod groups;
mod journal;

pub(in super::super) use again::Followed;
pub(super) use again::again;
pub(super) use groups::{blame, groups};
pub(super) use journal::{Saved, SavedTest, write as write_journal};

use super::jobs;
use super::outcome::{Failed, FileResult, Outcome, TestResult};
use super::parallel::{self, InOrder};
use super::process::Wish;
use super::reporters::Report;
use super::told::Case;
use crate::args::{Shard, TestArgs};
use crate::commands::explored::stack_of_runs;
use crate::commands::searching::{Clock, hear_interrupts, is_interrupted};
use crate::report::Failure;
use case::Limits;
use changed::Changed;
use file::{Listed, TestFile};
use hemiola_explore::schedules::Part;
use hemiola_machine::Delay;
use journal::Journal;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Explores all tests of all files, several at a time; results are reported in the order of the files.
pub(super) fn run_all(
    wishes: Vec<Wish>,
    args: &TestArgs,
    root: &Path,
    report: &mut Report,
) -> Result<Vec<FileResult>, Failure> {
    let time = Time::new(args.exploring.time);
    let changed = args.exploring.changed.as_deref();
    let changed = changed.map(|commit| Changed::since(root, commit)).transpose()?;
    let mut files = list_all(wishes, args, &time, changed.as_ref());
    let journal = Journal::open(args, root)?;
    for pending in &files {
        let Some(file) = &pending.file else { continue };
        let wanted = pending.cases.iter().filter(|case| case.left_out.is_none());
        wanted.map(|case| file.in_journal(case, root)).try_for_each(|test| journal.check(&test))?;
    }
    // As long as nothing is known, Ctrl-C ends the process.
    hear_interrupts();
    let mut results = InOrder::new(report);
    let mut tests = Vec::new();
    for (at, pending) in files.iter().enumerate() {
        let Some(file) = &pending.file else { continue };
        let wanted = pending.cases.iter().enumerate().filter(|(_, case)| case.left_out.is_none());
        tests.extend(wanted.map(|(number, case)| Unit {
            file: Arc::clone(file),
            case: case.clone(),
            at: (at, number),
        }));
    }
    for (at, file) in files.iter_mut().enumerate() {
        file.take_if_over(at, &mut results);
    }
    let (count, left) = (tests.len(), AtomicUsize::new(tests.len()));
    let is_stopped = AtomicBool::new(false);
    let threads = (jobs(args) / count.max(1)).max(1);
    let part = args.shard.map_or(Part::WHOLE, |Shard { part, of }| {
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Part { number: number(part - 1), of: number(of) }
    });
    let places: Vec<(usize, usize)> = tests.iter().map(|unit| unit.at).collect();
    let explore = |unit: Unit| {
        let share = time.share(left.fetch_sub(1, Ordering::Relaxed), jobs(args));
        if is_stopped.load(Ordering::Relaxed) || is_interrupted() {
            return None;
        }
        let schedules = args.exploring.schedules.into();
        let limits = Limits { schedules, share, threads, part, journal: &journal };
        let result = case::explore(&unit.file, &unit.case, &limits, root)?;
        let is_bad = matches!(result.outcome, Outcome::Fail | Outcome::Flaky);
        if args.bail && is_bad || journal.is_refused() {
            is_stopped.store(true, Ordering::Relaxed);
        }
        Some(result)
    };
    parallel::each(tests, jobs(args), Some(stack_of_runs()), explore, |at, result| {
        let (at, number) = places[at];
        let file = &mut files[at];
        file.tests[number] = Some(result);
        file.left -= 1;
        file.take_if_over(at, &mut results);
    });
    journal.end(is_interrupted())?;
    // With --bail and after Ctrl-C, some tests were never run.
    for (at, mut file) in files.into_iter().enumerate() {
        if file.left > 0 && file.tests.iter().any(Option::is_some) {
            file.left = 0;
            file.take_if_over(at, &mut results);
        }
    }
    Ok(results.finish())
}

/// A test that is to be explored, and its numbers: of its file, and there.
struct Unit {
    file: Arc<TestFile>,
    case: Case,
    at: (usize, usize),
}

/// A file whose tests are being explored.
struct Pending {
    /// Nothing for one of which nothing can be explored.
    file: Option<Arc<TestFile>>,
    cases: Vec<Case>,
    tests: Vec<Option<TestResult>>,
    /// How many tests are not over.
    left: usize,
    /// What is known of it already.
    result: Option<FileResult>,
}

impl Pending {
    fn of(listed: Listed) -> Self {
        match listed {
            Listed::Live(result) => Self {
                file: None,
                cases: Vec::new(),
                tests: Vec::new(),
                left: 0,
                result: Some(result),
            },
            Listed::Tests { file, cases, .. } => {
                let result = FileResult::new(&file.wish.file);
                let tests: Vec<Option<TestResult>> = cases.iter().map(left_out).collect();
                let left = tests.iter().filter(|test| test.is_none()).count();
                Self { file: Some(file), cases, tests, left, result: Some(result) }
            }
        }
    }

    /// Hands over what became of the file, once all of its tests are over.
    fn take_if_over(&mut self, at: usize, results: &mut InOrder<'_>) {
        if self.left > 0 {
            return;
        }
        // Its engines are not needed any more.
        self.file = None;
        if let Some(mut result) = self.result.take() {
            result.tests.extend(self.tests.drain(..).flatten());
            results.take(at, result);
        }
    }
}

/// What becomes of a test that does not run.
fn left_out(case: &Case) -> Option<TestResult> {
    let (outcome, reason) = case.left_out.clone()?;
    Some(TestResult { line: case.line, reason, ..TestResult::new(case.name.clone(), outcome) })
}

/// Finds the tests of all files, or what becomes of a file whose tests cannot be found; of those that changed files
/// are about, if these are known.
fn list_all(
    wishes: Vec<Wish>,
    args: &TestArgs,
    time: &Time,
    changed: Option<&Changed>,
) -> Vec<Pending> {
    let list = |wish: Wish| {
        if is_interrupted() {
            return None;
        }
        let path = wish.file.clone();
        let clock = Clock::new(time.left().map(delay));
        let listed = TestFile::new(wish, args.exploring.slow);
        let listed = listed.and_then(|file| file.list(clock.limit()));
        let listed = listed.unwrap_or_else(|failure| {
            let mut result = FileResult::new(&path);
            result.broken.push(Failed::new(failure.to_string()));
            Listed::Live(result)
        });
        let is_wanted = match &listed {
            Listed::Tests { modules, .. } => changed.is_none_or(|changed| changed.reaches(modules)),
            Listed::Live(_) => true,
        };
        is_wanted.then(|| Pending::of(listed))
    };
    let mut files: Vec<Option<Pending>> = wishes.iter().map(|_| None).collect();
    parallel::each(wishes, jobs(args), Some(stack_of_runs()), list, |at, file| {
        files[at] = Some(file)
    });
    files.into_iter().flatten().collect()
}

/// How long all tests may take together.
struct Time {
    until: Option<Instant>,
}

impl Time {
    fn new(limit: Option<Delay>) -> Self {
        let limit = limit.map(|limit| Duration::from_micros(limit.as_micros()));
        Self { until: limit.and_then(|limit| now().checked_add(limit)) }
    }

    fn left(&self) -> Option<Duration> {
        self.until.map(|until| until.saturating_duration_since(now()))
    }

    /// How long one of so many tests may take that are left, so many at a time.
    fn share(&self, tests: usize, jobs: usize) -> Option<Delay> {
        let rounds = tests.div_ceil(jobs.max(1)).max(1);
        let rounds = u32::try_from(rounds).unwrap_or(u32::MAX);
        self.left().map(|left| delay(left / rounds))
    }
}

fn delay(duration: Duration) -> Delay {
    Delay::from_micros(u64::try_from(duration.as_micros()).unwrap_or(u64::MAX))
}

#[expect(clippy::disallowed_methods, reason = "the user limits real time")]
fn now() -> Instant {
    Instant::now()
}
