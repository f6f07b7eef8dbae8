//! `hemiola test --schedule`: one test under one schedule.

use super::super::outcome::{Failed, FileResult, Outcome, Place, TestResult};
use super::super::process::Wish;
use super::super::reporters::{Report, shown};
use super::super::told::Case;
use super::file::{Listed, TestFile, failure};
use crate::args::{TestArgs, TestPath};
use crate::commands::explored::{Explored, does_not_fit};
use crate::report::Failure;
use crate::shell;
use hemiola_explore::schedules::{Ended, Plan, TimeLimit, Watchers};
use hemiola_machine::{Schedule, Stream};
use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

/// Runs a test once more as it failed, and shows what it prints.
pub(in super::super) fn again(
    wishes: Vec<Wish>,
    args: &TestArgs,
    schedule: &Schedule,
    report: &mut Report,
) -> Result<Vec<FileResult>, Failure> {
    let (file, case) = find(wishes, args)?;
    let explored = file.case(&case);
    let write = |stream: Stream, bytes: &[u8]| match stream {
        Stream::Out => std::io::stdout().write_all(bytes),
        Stream::Err => std::io::stderr().write_all(bytes),
    };
    let plan = Plan::Follow(schedule.clone());
    let (ran, _) = explored.run(&plan, &Watchers::alone(), false, write)?;
    let failed = match ran.ended {
        Ended::Outcome(outcome) => outcome.failure.map(|text| failure(&text)),
        Ended::Misfit(misfit) => return Err(does_not_fit(schedule, misfit, ran.choices.len())),
        Ended::Cut | Ended::Known(_) | Ended::Interrupted => {
            return Err(Failure::new("the test goes on for ever in this schedule")
                .help("look for what it waits for"));
        }
    };
    let outcome = if failed.is_some() { Outcome::Fail } else { Outcome::Pass };
    let failures = failed.into_iter().collect();
    let test =
        TestResult { failures, line: case.line, ..TestResult::new(case.name.clone(), outcome) };
    let mut result = FileResult::new(&file.wish.file);
    result.tests.push(test);
    report.file(&result);
    Ok(vec![result])
}

/// A test that others show under a schedule.
pub(in super::super::super) struct Followed {
    file: Arc<TestFile>,
    case: Case,
    args: TestArgs,
}

impl Followed {
    /// The test that is meant.
    pub(in super::super) fn find(wishes: Vec<Wish>, args: TestArgs) -> Result<Self, Failure> {
        let (file, case) = find(wishes, &args)?;
        Ok(Self { file, case, args })
    }

    /// The test in the virtual world.
    pub(in super::super) fn explored(&self) -> Explored {
        self.file.case(&self.case)
    }

    /// What `hemiola test` is asked for to run it so.
    pub(in super::super::super) fn args(&self) -> &TestArgs {
        &self.args
    }

    /// What is wrong with a run of it, in words, with paths as seen from a directory.
    pub(in super::super::super) fn told(&self, text: &str, root: &Path) -> String {
        let Failed { message, diff, places, .. } = failure(text);
        let mut told = format!("✖ {}\n", self.case.name.join(" > "));
        let diff = diff.unwrap_or_default();
        for line in message.lines().chain(diff.lines()) {
            told += format!("  {line}").trim_end();
            told.push('\n');
        }
        for Place { file, line, column } in places.iter().take(1) {
            told += &format!("    at {}:{line}:{column}\n", shown(root, file));
        }
        told
    }

    /// The command that runs a schedule of it.
    pub(in super::super::super) fn command(&self, schedule: &Schedule, root: &Path) -> String {
        command(&self.file, &self.case, schedule, root)
    }
}

/// The command that runs a schedule of a test.
pub(super) fn command(file: &TestFile, case: &Case, schedule: &Schedule, root: &Path) -> String {
    let file = &file.wish.file;
    let file = file.strip_prefix(root).unwrap_or(file);
    let place: Vec<String> = case.place.iter().map(u32::to_string).collect();
    let schedule = schedule.to_string();
    let words = ["hemiola", "test", "--schedule", &schedule].map(OsString::from);
    let case = ["--test-case", &place.join(".")].map(OsString::from);
    let case = case.into_iter().filter(|_| !place.is_empty());
    shell::line(words.into_iter().chain(case).chain([file.into()]))
}

/// The test that is meant.
fn find(mut wishes: Vec<Wish>, args: &TestArgs) -> Result<(Arc<TestFile>, Case), Failure> {
    let (Some(wish), true) = (wishes.pop(), wishes.is_empty()) else {
        return Err(Failure::new("a schedule is one of a test in one file")
            .help("give the file that the failure was found in, as it was told"));
    };
    let wanted = args.exploring.test_case.clone().unwrap_or(TestPath(Vec::new()));
    let listed = TestFile::new(wish, args.exploring.slow)?.list(TimeLimit::default())?;
    let found = match listed {
        Listed::Tests { file, cases, .. } => {
            let case = cases.into_iter().find(|case| case.place == wanted.0);
            case.map(|case| (file, case))
        }
        Listed::Live(_) => None,
    };
    found.ok_or_else(|| {
        Failure::new(format!("there is no test {wanted} in this file"))
            .help("find the schedule anew: hemiola test --explore")
    })
}
