//! What becomes of tests.

use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// What became of one file.
#[derive(Clone, Debug)]
pub(super) struct FileResult {
    pub(super) file: PathBuf,
    pub(super) tests: Vec<TestResult>,
    /// What went wrong outside of its tests.
    pub(super) broken: Vec<Failed>,
    /// What there is to be noticed besides.
    pub(super) notes: Vec<String>,
    /// What it printed.
    pub(super) output: String,
    pub(super) snapshots: Snapshots,
    /// How long it took, in milliseconds.
    pub(super) ms: f64,
}

impl FileResult {
    /// Of a file of which nothing is known yet.
    pub(super) fn new(file: &Path) -> Self {
        Self {
            file: file.to_owned(),
            tests: Vec::new(),
            broken: Vec::new(),
            notes: Vec::new(),
            output: String::new(),
            snapshots: Snapshots::default(),
            ms: 0.0,
        }
    }

    pub(super) fn is_failed(&self) -> bool {
        !self.broken.is_empty() || self.tests.iter().any(|test| test.outcome == Outcome::Fail)
    }
}

/// What became of one test.
#[derive(Clone, Debug)]
pub(super) struct TestResult {
    /// Its name, after those of the suites around it.
    pub(super) name: Vec<String>,
    pub(super) outcome: Outcome,
    pub(super) failures: Vec<Failed>,
    pub(super) ms: f64,
    pub(super) line: Option<u64>,
    /// Why it was skipped.
    pub(super) reason: Option<String>,
    /// Of a test that ran under many schedules: how many.
    pub(super) explored: Option<Explored>,
}

impl TestResult {
    /// Of a test of which nothing else is known.
    pub(super) fn new(name: Vec<String>, outcome: Outcome) -> Self {
        Self {
            name,
            outcome,
            failures: Vec::new(),
            ms: 0.0,
            line: None,
            reason: None,
            explored: None,
        }
    }

    /// Whether it fails, but only if answers are slow.
    pub(super) fn is_only_slow(&self) -> bool {
        let is_slow = |failed: &Failed| failed.class() == Class::Slow;
        !self.failures.is_empty() && self.failures.iter().all(is_slow)
    }
}

/// How far the schedules of a test were tried.
#[derive(Clone, Debug, Default)]
pub(super) struct Explored {
    /// How many ran.
    pub(super) schedules: u64,
    /// In how many of them it failed.
    pub(super) failing: u64,
    /// Whether there are no others.
    pub(super) exhaustive: bool,
    /// How many went on for too long and were cut.
    pub(super) cut: u64,
    /// Why what it does live says more: it needs something that is not in the virtual world.
    pub(super) instead: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Pass,
    Fail,
    /// It failed, and passed as well.
    Flaky,
    Skip,
    Todo,
}

/// A failure.
#[derive(Clone, Debug, Default)]
pub(super) struct Failed {
    pub(super) message: String,
    /// How what was expected differs from what is.
    pub(super) diff: Option<String>,
    pub(super) stack: String,
    pub(super) places: Vec<Place>,
    /// Of a failure in some schedules: in which, and why.
    pub(super) found: Option<Box<Found>>,
}

/// How a failure comes about.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) class: Class,
    /// As small as it could be made.
    pub(super) schedule: String,
    /// What happens in it, and what would have happened by default.
    pub(super) deviations: Vec<(String, String)>,
    /// The command that runs it again.
    pub(super) command: String,
    pub(super) race: Option<Race>,
}

/// What a failure needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Class {
    /// Another order.
    Order,
    /// Answers that take long.
    Slow,
}

impl Class {
    /// Of a failure that takes slow answers, or does not.
    pub(super) fn of(slow: bool) -> Self {
        if slow { Self::Slow } else { Self::Order }
    }

    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Order => "order",
            Self::Slow => "slow",
        }
    }
}

/// Two accesses that come in either order.
#[derive(Clone, Debug)]
pub(super) struct Race {
    /// To what; empty if only an order of callbacks is known to matter.
    pub(super) what: String,
    /// What each does, and where.
    pub(super) sides: Vec<(String, Option<Place>)>,
}

impl Failed {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), ..Self::default() }
    }

    /// A failure as the test's process tells it.
    pub(super) fn read(value: &Value) -> Self {
        let text = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
        let places = value["places"].as_array().into_iter().flatten().map(|place| Place {
            file: PathBuf::from(place["file"].as_str().unwrap_or_default()),
            line: place["line"].as_u64().unwrap_or_default(),
            column: place["column"].as_u64().unwrap_or_default(),
        });
        Self {
            message: text("message"),
            diff: value["diff"].as_str().map(str::to_owned),
            stack: text("stack"),
            places: places.collect(),
            found: None,
        }
    }

    /// A failure as it is told, to be read again.
    pub(super) fn value(&self) -> Value {
        let Self { message, diff, stack, places, found: _ } = self;
        let places = places.iter().map(|Place { file, line, column }| {
            json!({ "file": file.to_string_lossy(), "line": line, "column": column })
        });
        let places: Vec<Value> = places.collect();
        json!({ "message": message, "diff": diff, "stack": stack, "places": places })
    }

    pub(super) fn class(&self) -> Class {
        self.found.as_ref().map_or(Class::Order, |found| found.class)
    }
}

/// A place in a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) file: PathBuf,
    pub(super) line: u64,
    pub(super) column: u64,
}

/// What became of snapshots.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Snapshots {
    pub(super) written: u64,
    pub(super) updated: u64,
    pub(super) removed: u64,
    pub(super) obsolete: u64,
}

/// How many of each there are.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Summary {
    pub(super) files: usize,
    pub(super) failed_files: usize,
    pub(super) tests: usize,
    pub(super) passed: usize,
    pub(super) failed: usize,
    pub(super) flaky: usize,
    /// Those of the flaky ones that failed when they were last tried.
    pub(super) unsure: usize,
    pub(super) skipped: usize,
    pub(super) todo: usize,
    /// Failures that belong to no test.
    pub(super) broken: usize,
    pub(super) snapshots: Snapshots,
}

impl Summary {
    pub(super) fn of(results: &[FileResult]) -> Self {
        let mut summary = Self::default();
        for result in results {
            summary.add(result);
        }
        summary
    }

    pub(super) fn add(&mut self, result: &FileResult) {
        self.files += 1;
        self.failed_files += usize::from(result.is_failed());
        self.broken += result.broken.len();
        for test in &result.tests {
            self.tests += 1;
            self.unsure += usize::from(test.outcome == Outcome::Flaky && !test.failures.is_empty());
            *match test.outcome {
                Outcome::Pass => &mut self.passed,
                Outcome::Fail => &mut self.failed,
                Outcome::Flaky => &mut self.flaky,
                Outcome::Skip => &mut self.skipped,
                Outcome::Todo => &mut self.todo,
            } += 1;
        }
        let Snapshots { written, updated, removed, obsolete } = result.snapshots;
        self.snapshots.written += written;
        self.snapshots.updated += updated;
        self.snapshots.removed += removed;
        self.snapshots.obsolete += obsolete;
    }

    pub(super) fn is_failed(&self) -> bool {
        self.failed > 0 || self.broken > 0
    }
}
