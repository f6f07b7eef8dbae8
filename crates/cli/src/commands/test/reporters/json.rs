//! One object, with a version.

use super::super::outcome::{Failed, FileResult, Found, Outcome, Place, Summary, TestResult};
use super::{Writer, full_name, shown};
use crate::args::Shard;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// The version of the object.
pub(in super::super) const VERSION: u32 = 1;

pub(super) struct Json {
    root: PathBuf,
    /// Which part this is, if others do the others.
    shard: Option<Shard>,
}

impl Json {
    pub(super) fn new(root: &Path, shard: Option<Shard>) -> Self {
        Self { root: root.to_owned(), shard }
    }

    fn test(&self, file: &str, test: &TestResult) -> Value {
        let outcome = match test.outcome {
            Outcome::Pass => "pass",
            Outcome::Fail => "fail",
            Outcome::Flaky => "flaky",
            Outcome::Skip | Outcome::Todo => "skipped",
        };
        // Live, one order is tried, the one that comes.
        let explored = test.explored.as_ref();
        json!({
            "file": file,
            "name": full_name(test),
            "path": test.name,
            "outcome": outcome,
            "todo": test.outcome == Outcome::Todo,
            "exhaustive": explored.is_some_and(|explored| explored.exhaustive),
            "schedules": explored.map_or(1, |explored| explored.schedules),
            "failing": explored.map(|explored| explored.failing),
            "cut": explored.map(|explored| explored.cut),
            "note": explored.and_then(|explored| explored.instead.as_ref()),
            "ms": test.ms,
            "line": test.line,
            "failures": test.failures.iter().map(|failed| self.failure(failed)).collect::<Vec<_>>(),
        })
    }

    fn failure(&self, failed: &Failed) -> Value {
        let found = failed.found.as_deref();
        // The race behind a failure says more than where it was noticed.
        let racing = found.and_then(|found| found.race.as_ref());
        let racing =
            racing.iter().flat_map(|race| race.sides.iter().filter_map(|side| side.1.as_ref()));
        let places: Vec<Value> =
            racing.chain(&failed.places).map(|place| self.place(place)).collect();
        json!({
            "class": failed.class().word(),
            "message": failed.message,
            "schedule": found.map(|found| &found.schedule),
            "command": found.map(|found| &found.command),
            "deviations": found.map(deviations),
            "race": found.and_then(|found| found.race.as_ref()).map(|race| json!({
                "what": race.what,
                "sides": race.sides.iter().map(|(does, place)| json!({
                    "does": does,
                    "place": place.as_ref().map(|place| self.place(place)),
                })).collect::<Vec<_>>(),
            })),
            "places": places,
        })
    }

    fn place(&self, place: &Place) -> Value {
        let Place { file, line, column } = place;
        json!({ "file": shown(&self.root, file), "line": line, "column": column })
    }
}

fn deviations(found: &Found) -> Vec<Value> {
    let deviations = found.deviations.iter();
    deviations.map(|(taken, instead)| json!({ "taken": taken, "instead": instead })).collect()
}

impl Writer for Json {
    fn begin(&mut self) -> String {
        String::new()
    }

    fn file(&mut self, _: &FileResult) -> String {
        String::new()
    }

    fn end(&mut self, results: &[FileResult], summary: &Summary) -> String {
        let mut tests = Vec::new();
        let mut files = Vec::new();
        for result in results {
            let file = shown(&self.root, &result.file);
            tests.extend(result.tests.iter().map(|test| self.test(&file, test)));
            files.push(json!({
                "file": file,
                "outcome": if result.is_failed() { "fail" } else { "pass" },
                "ms": result.ms,
                "failures": result.broken.iter().map(|failed| self.failure(failed)).collect::<Vec<_>>(),
                "notes": result.notes,
                "output": result.output,
            }));
        }
        let summary = json!({
            "files": summary.files,
            "failedFiles": summary.failed_files,
            "tests": summary.tests,
            "passed": summary.passed,
            "failed": summary.failed,
            "flaky": summary.flaky,
            "skipped": summary.skipped + summary.todo,
            "broken": summary.broken,
        });
        let shard = self.shard.map(|Shard { part, of }| json!({ "part": part, "of": of }));
        let object = json!({
            "version": VERSION,
            "shard": shard,
            "tests": tests,
            "files": files,
            "summary": summary,
        });
        format!("{object}\n")
    }
}
