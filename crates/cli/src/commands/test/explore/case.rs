//! The schedules of one test.

use super::super::outcome::{Explored, Failed, FileResult, Outcome, TestResult};
use super::super::told::Case;
use super::cause::Cause;
use super::file::{TestFile, failure, reached};
use super::groups::groups;
use super::journal::{Journal, Test};
use crate::commands::explored::{self, Ears, Heard};
use crate::commands::searching::{Clock, is_interrupted};
use crate::report::Failure;
use hemiola_explore::schedules::{Job, Part, Plan, Reduction, Search, Settings, Watchers};
use hemiola_machine::{Delay, Schedule, Stream};
use std::path::Path;

/// So many failures of one test are made small and told in words; others are listed as they were found.
const TOLD: usize = 3;

/// What bounds the search for one test.
pub(super) struct Limits<'a> {
    pub(super) schedules: u64,
    /// How long it may take.
    pub(super) share: Option<Delay>,
    /// How many runs are made at a time.
    pub(super) threads: usize,
    /// What of the search is done here.
    pub(super) part: Part,
    /// Where its runs are noted.
    pub(super) journal: &'a Journal,
}

/// Runs a test under many schedules; gives nothing if that was interrupted before anything was known of it.
pub(super) fn explore(
    file: &TestFile,
    case: &Case,
    limits: &Limits<'_>,
    root: &Path,
) -> Option<TestResult> {
    let clock = Clock::new(limits.share);
    let explored = file.case(case);
    let test = file.in_journal(case, root);
    let result = search(&explored, &test, limits, &clock).and_then(|search| {
        let is_known = !search.found().is_empty() || !is_interrupted();
        is_known.then(|| judged(file, case, &explored, &search, &clock, root)).transpose()
    });
    let result = result.unwrap_or_else(|failure| {
        let failures = vec![Failed::new(failure.to_string())];
        Some(TestResult { failures, ..TestResult::new(case.name.clone(), Outcome::Fail) })
    });
    result.map(|result| TestResult { line: case.line, ..result })
}

/// Runs schedules until there are none left or the budget is spent.
fn search(
    explored: &explored::Explored,
    test: &Test,
    limits: &Limits<'_>,
    clock: &Clock,
) -> Result<Search, Failure> {
    let settings =
        Settings { deviations: None, schedules: limits.schedules, seed: 0, first_failure: false };
    let run = |plan: &Plan, watchers: &Watchers| explored.report(plan, watchers);
    let Limits { journal, .. } = limits;
    let mut made = journal.made(test);
    explored.with_pool(limits.threads, &run, |pool| {
        Search::new(settings).part(limits.part).to_its_end(
            |stage| clock.is_up(stage),
            |search, jobs| {
                let run = |search: &Search, jobs: &[Job]| {
                    let watchers = Watchers::of(search, Reduction::Order).within(clock.limit());
                    pool.run_all(jobs, &watchers)
                };
                let mut notes = Vec::new();
                let note = |report| notes.push(report);
                made.wave(search, jobs, run, note, || journal.changed(test))?;
                journal.note(test, notes);
                Ok(())
            },
        )
    })
}

/// What the runs of a test say about it.
fn judged(
    file: &TestFile,
    case: &Case,
    explored: &explored::Explored,
    search: &Search,
    clock: &Clock,
    root: &Path,
) -> Result<TestResult, Failure> {
    let runs_of = |is_failing: bool| -> u64 {
        let found = search.found().iter();
        let found = found.filter(|found| found.outcome.failure.is_some() == is_failing);
        found.map(|found| found.runs).sum()
    };
    let counts = search.counts();
    let known = Explored {
        schedules: counts.runs(),
        failing: runs_of(true),
        exhaustive: search.is_complete(),
        cut: counts.cut,
        instead: None,
    };
    let result = |outcome, failures, explored| TestResult {
        failures,
        explored: Some(explored),
        ..TestResult::new(case.name.clone(), outcome)
    };
    match (known.failing, runs_of(false)) {
        (0, 0) => {
            let instead = Some(match counts.cut {
                0 => "not explored: the time was up before it ended once".to_owned(),
                _ => "not explored: it goes on for ever in the virtual world".to_owned(),
            });
            lived(file, case, Explored { instead, ..known })
        }
        (0, _) => Ok(result(Outcome::Pass, Vec::new(), known)),
        (_, 0) => {
            let instead = Some(missing(explored, search)?);
            lived(file, case, Explored { instead, ..known })
        }
        _ => {
            let groups = groups(search);
            let mut failures = Vec::new();
            for (number, group) in groups.into_iter().enumerate() {
                let cause = Cause { file, case, explored, clock, root };
                failures.push(if number < TOLD { cause.told(group)? } else { cause.found(group) });
            }
            // What could be made small may be of a better class than it was found with.
            failures.sort_by_key(Failed::class);
            Ok(result(Outcome::Flaky, failures, known))
        }
    }
}

/// What becomes live of a test of which no schedule passes in the virtual world.
fn lived(file: &TestFile, case: &Case, known: Explored) -> Result<TestResult, Failure> {
    let FileResult { tests, broken, .. } = file.live(case);
    let test = tests.into_iter().rfind(|test| test.name == case.name || case.place.is_empty());
    let mut test = test.unwrap_or_else(|| TestResult::new(case.name.clone(), Outcome::Pass));
    if test.outcome != Outcome::Fail && !broken.is_empty() {
        test.outcome = Outcome::Fail;
        test.failures = broken;
    }
    // A failure is one everywhere; only what passes live lacks something here.
    let explored = match test.outcome {
        Outcome::Fail => Explored { instead: None, ..known },
        // Live, one order is tried, the one that comes.
        Outcome::Pass | Outcome::Flaky | Outcome::Skip | Outcome::Todo => {
            Explored { schedules: 1, failing: 0, exhaustive: false, ..known }
        }
    };
    Ok(TestResult { explored: Some(explored), ..test })
}

/// Why a test fails in every schedule: what it reached for, or how it fails.
fn missing(explored: &explored::Explored, search: &Search) -> Result<String, Failure> {
    let heard = Heard::default();
    let silent = |_: Stream, _: &[u8]| Ok(());
    let ears = Ears { heard: Some(heard.clone()), ..Ears::default() };
    let plan = Plan::Follow(Schedule::default());
    explored.run_heard(&plan, &Watchers::alone(), false, silent, ears)?;
    let (_, missed) = heard.take();
    let reached = reached(&missed).map(|words| format!("not explored: {words}"));
    Ok(reached.unwrap_or_else(|| {
        let text = search.found().iter().find_map(|found| found.outcome.failure.as_deref());
        let message = text.map(|text| failure(text).message).unwrap_or_default();
        let first = message.lines().next().unwrap_or_default();
        format!("not explored: it fails in the virtual world: {first}")
    }))
}
