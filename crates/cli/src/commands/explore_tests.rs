//! `hemiola explore` on a file of tests: each of them is explored on its own.

use super::closed;
use super::explored::Explored;
use super::searching::{Clock, Searched, code, explore, interruption, is_interrupted, reduced};
use crate::args::{ExploreArgs, Format, Given, ScheduleFlags, TestPath};
use crate::done::Done;
use crate::exit::{FOUND, STOPPED};
use crate::render::outcomes::{self, Exploration};
use crate::render::words::count;
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
    /// For people.
    text: String,
    /// For programs.
    objects: Vec<Value>,
    /// How many of those that failed passed in other schedules.
    flaky: usize,
    /// The file of the tests.
    file: String,
}

pub(super) fn run(args: &ExploreArgs, given: &Given, cases: &[TestCase]) -> Result<Done, Failure> {
    let file = args.program.words.first().map(|file| file.to_string_lossy().into_owned());
    let mut tally = Tally { file: file.unwrap_or_default(), ..Tally::default() };
    for case in cases {
        if is_interrupted() {
            if tally.code != FOUND {
                tally.code = STOPPED;
            }
            break;
        }
        if case.skipped {
            tally.skip(case);
            continue;
        }
        let test_case = Some(TestPath(case.path.clone()));
        let flags = ScheduleFlags { test_case, ..args.schedules.clone() };
        let explored = Explored::new(&args.program, &flags, given)?;
        let explored = reduced(explored, args.search.reduction);
        let explored = explored.slow_after(args.search.limits.slow);
        // Each of them has all the time.
        let clock = Clock::new(args.search.limits.time);
        let searched = explore(&explored, args, &flags, given, &clock)?;
        tally.take(case, searched, args.schedules.max_steps);
    }
    let code = tally.code;
    let output = match args.format {
        Format::Text => tally.text(),
        Format::Json => format!("{}\n", tally.json()),
    };
    let notes = interruption() + &closed::note_for(&output, code);
    Ok(Done { output, notes, code })
}

impl Tally {
    fn skip(&mut self, case: &TestCase) {
        self.skipped += 1;
        let _ = writeln!(self.text, "﹣ {}: skipped", name(case));
        let object = self.object(case, "skipped", "skipped", Value::Null);
        self.objects.push(object);
    }

    /// Takes what became of the search through the schedules of a test.
    fn take(&mut self, case: &TestCase, searched: Searched, steps: u64) {
        let Searched { search, failed, resumed, starves } = searched;
        let (mark, result, counter) = match (&failed, case.todo) {
            // As in Node, what is to be done is that, whatever becomes of it.
            (_, true) => ("⚠", "todo", &mut self.todo),
            (None, false) => ("✔", "passed", &mut self.passed),
            (Some(_), false) => ("✖", "failed", &mut self.failed),
        };
        *counter += 1;
        // A test that is to be done may fail.
        let counts = failed.as_ref().filter(|_| !case.todo);
        self.code = match (self.code, code(&search, counts)) {
            (FOUND, _) | (_, FOUND) => FOUND,
            (one, other) => one.max(other),
        };
        let coverage = outcomes::coverage(&search, steps);
        let _ = writeln!(self.text, "{mark} {}: {coverage}", name(case));
        if let Some(failed) = &failed {
            let mut told = String::new();
            outcomes::failure_text(failed, &mut told);
            for line in told.lines() {
                let _ = writeln!(self.text, "  {line}");
            }
        }
        let passes = search.found().iter().any(|found| found.outcome.failure.is_none());
        let outcome = match (counts.is_some(), case.todo) {
            (_, true) => "skipped",
            (false, false) => "pass",
            (true, false) if passes => "flaky",
            (true, false) => "fail",
        };
        self.flaky += usize::from(outcome == "flaky");
        let exploration = Exploration { search: &search, failed, steps, resumed, starves };
        let object = self.object(case, result, outcome, outcomes::value(&exploration));
        self.objects.push(object);
    }

    /// A test as `hemiola test --explore` tells it, and all that is known of its exploration.
    fn object(&self, case: &TestCase, result: &str, outcome: &str, exploration: Value) -> Value {
        let failed = &exploration["failure"];
        let failure = json!({
            "class": failed["class"],
            "message": failed["failure"],
            "schedule": failed["schedule"],
            "command": failed["command"],
            "places": failed["places"],
        });
        let failures = if failed.is_object() { vec![failure] } else { Vec::new() };
        json!({
            "file": self.file,
            "name": name(case),
            "path": case.names,
            "case": TestPath(case.path.clone()).to_string(),
            "result": result,
            "outcome": outcome,
            "exhaustive": exploration["complete"] == true,
            "schedules": exploration["schedules"].as_u64().unwrap_or_default(),
            "failures": failures,
            "exploration": exploration,
        })
    }

    fn json(&self) -> Value {
        let summary = json!({
            "tests": self.objects.len(),
            "passed": self.passed,
            "failed": self.failed - self.flaky,
            "flaky": self.flaky,
            "skipped": self.skipped + self.todo,
        });
        json!({ "version": VERSION, "tests": self.objects, "summary": summary })
    }

    fn text(self) -> String {
        let Self { passed, failed, skipped, todo, objects, mut text, .. } = self;
        let tests = count(objects.len(), "test");
        let _ = writeln!(
            text,
            "{tests}: {passed} passed, {failed} failed, {skipped} skipped, {todo} to be done"
        );
        text
    }
}

fn name(case: &TestCase) -> String {
    case.names.join(" > ")
}
