//! `hemiola explore` on a file of tests: each of them is explored on its own.

use super::Done;
use super::explore::{FAILED, Searched, code, explore};
use crate::args::{ExploreArgs, Format, Given, ScheduleFlags, TestPath};
use crate::outcomes::{self, Exploration};
use crate::render::count;
use crate::report::Failure;
use hemiola_js::TestCase;
use serde_json::{Value, json};
use std::fmt::Write;

/// The version of the JSON object.
const VERSION: u32 = 1;

/// What became of the tests.
#[derive(Default)]
struct Tally {
    passed: usize,
    failed: usize,
    skipped: usize,
    todo: usize,
    /// The exit code: a failure counts for more than a search that stopped early.
    code: u8,
}

pub(super) fn run(args: &ExploreArgs, given: &Given, cases: &[TestCase]) -> Result<Done, Failure> {
    let mut tally = Tally::default();
    let mut text = String::new();
    let mut objects = Vec::new();
    for case in cases {
        let path = TestPath(case.path.clone());
        let name = case.names.join(" > ");
        if case.skipped {
            tally.skipped += 1;
            let _ = writeln!(text, "﹣ {name}: skipped");
            objects.push(object(case, &path, "skipped", Value::Null));
            continue;
        }
        let flags = ScheduleFlags { test_case: Some(path.clone()), ..args.schedules.clone() };
        let Searched { search, failed, resumed } = explore(args, &flags, given)?;
        let (mark, result, counter) = match (&failed, case.todo) {
            // As in Node, what is to be done is that, whatever becomes of it.
            (_, true) => ("⚠", "todo", &mut tally.todo),
            (None, false) => ("✔", "passed", &mut tally.passed),
            (Some(_), false) => ("✖", "failed", &mut tally.failed),
        };
        *counter += 1;
        // A test that is to be done may fail.
        let counts = failed.as_ref().filter(|_| !case.todo);
        tally.code = match (tally.code, code(&search, counts, args)) {
            (FAILED, _) | (_, FAILED) => FAILED,
            (one, other) => one.max(other),
        };
        let steps = args.schedules.max_steps;
        let _ = writeln!(text, "{mark} {name}: {}", outcomes::coverage(&search, steps));
        if let Some(failed) = &failed {
            let mut told = String::new();
            outcomes::failure_text(failed, &mut told);
            for line in told.lines() {
                let _ = writeln!(text, "  {line}");
            }
        }
        let exploration = Exploration { search: &search, failed, steps, resumed };
        objects.push(object(case, &path, result, outcomes::value(&exploration)));
    }
    let Tally { passed, failed, skipped, todo, code } = tally;
    let _ = writeln!(
        text,
        "{}: {passed} passed, {failed} failed, {skipped} skipped, {todo} to be done",
        count(cases.len(), "test"),
    );
    let output = match args.format {
        Format::Text => text,
        Format::Json => format!("{}\n", json!({ "version": VERSION, "tests": objects })),
    };
    Ok(Done { output, notes: String::new(), code })
}

fn object(case: &TestCase, path: &TestPath, result: &str, exploration: Value) -> Value {
    json!({
        "name": case.names,
        "case": path.to_string(),
        "result": result,
        "exploration": exploration,
    })
}
