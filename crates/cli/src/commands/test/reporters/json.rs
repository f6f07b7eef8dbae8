//! One object, with a version.

use super::super::outcome::{Failed, FileResult, Outcome, Summary, TestResult};
use super::{Writer, full_name, shown};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// The version of the object.
const VERSION: u32 = 1;

pub(super) struct Json {
    root: PathBuf,
}

impl Json {
    pub(super) fn new(root: &Path) -> Self {
        Self { root: root.to_owned() }
    }

    fn test(&self, file: &str, test: &TestResult) -> Value {
        let outcome = match test.outcome {
            Outcome::Pass => "pass",
            Outcome::Fail => "fail",
            Outcome::Flaky => "flaky",
            Outcome::Skip | Outcome::Todo => "skipped",
        };
        // One order was tried, the one that came.
        json!({
            "file": file,
            "name": full_name(test),
            "path": test.name,
            "outcome": outcome,
            "todo": test.outcome == Outcome::Todo,
            "exhaustive": false,
            "schedules": 1,
            "ms": test.ms,
            "line": test.line,
            "failures": test.failures.iter().map(|failed| self.failure(failed)).collect::<Vec<_>>(),
        })
    }

    fn failure(&self, failed: &Failed) -> Value {
        let places = failed.places.iter().map(|place| {
            json!({ "file": shown(&self.root, &place.file), "line": place.line, "column": place.column })
        });
        json!({
            "class": "order",
            "message": failed.message,
            "schedule": null,
            "places": places.collect::<Vec<_>>(),
        })
    }
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
        let object =
            json!({ "version": VERSION, "tests": tests, "files": files, "summary": summary });
        format!("{object}\n")
    }
}
