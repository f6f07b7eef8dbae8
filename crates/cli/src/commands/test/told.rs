//! What a test file tells while it runs, an object in JSON for each event.

use super::outcome::{Failed, FileResult, Outcome, Snapshots, TestResult};
use hemiola_explore::schedules::{Outcome as Ended, failure};
use serde_json::Value;
use std::path::Path;
use std::process::ExitStatus;
use std::time::Duration;

/// What is known of a file that runs.
#[derive(Default)]
pub(super) struct Told {
    /// The test that runs, and how long it may.
    pub(super) current: Option<(Vec<String>, Option<Duration>)>,
    pub(super) is_done: bool,
    /// The file has no tests, and is one itself.
    pub(super) is_plain: bool,
    /// It ended with this code before its tests were over.
    left: Option<i64>,
    /// It was ended because it took too long.
    pub(super) overdue: Option<Duration>,
    /// What the project says about its tests.
    pub(super) configuration: Option<Value>,
    /// What comes before all tests is done; with what files are told because of it.
    pub(super) ready: Option<Value>,
    /// The tests that it declared, if they are only listed.
    pub(super) listed: Vec<Case>,
}

/// A test that a file declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Case {
    /// Its name, after those of the suites around it.
    pub(super) name: Vec<String>,
    /// Where it is among the children of the file, of those, and so on, from 1; nothing for a file that is a test
    /// itself.
    pub(super) place: Vec<u32>,
    pub(super) line: Option<u64>,
    /// The file, line and column where it is declared, as the file told them.
    pub(super) at: Value,
    /// What becomes of it if it does not run, and why.
    pub(super) left_out: Option<(Outcome, Option<String>)>,
}

impl Told {
    /// Takes what the file tells.
    pub(super) fn take(&mut self, event: &Value, result: &mut FileResult) {
        let name = || {
            let parts = event["name"].as_array().into_iter().flatten();
            parts.map(|part| part.as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
        };
        match event["event"].as_str().unwrap_or_default() {
            "start" => {
                let limit = event["limit"].as_f64().filter(|limit| *limit > 0.0 && *limit < 1e12);
                self.current =
                    Some((name(), limit.map(|limit| Duration::from_secs_f64(limit / 1000.0))));
            }
            "end" => {
                self.current = None;
                result.tests.push(test(event, name()));
            }
            "broken" => result.broken.push(Failed::read(&event["failure"])),
            "configuration" => self.configuration = Some(event["configuration"].clone()),
            "ready" => self.ready = Some(event["settings"].clone()),
            "test" => self.listed.push(case(event, name())),
            "plain" => self.is_plain = true,
            "done" => self.is_done = true,
            "exit" => self.left = event["code"].as_i64().or(Some(0)),
            "left" => {
                let names =
                    event["resources"].as_array().into_iter().flatten().filter_map(Value::as_str);
                let names: Vec<&str> = names.collect();
                let kept = if names.is_empty() { "something".to_owned() } else { names.join(", ") };
                result.notes.push(format!(
                    "{kept} kept the process alive when its tests were over; close servers and clear timers \
                     in an after hook"
                ));
            }
            "moved" => {
                let moves = event["moves"].as_array().into_iter().flatten();
                move_down(result, &moves.collect::<Vec<&Value>>());
            }
            "snapshots" => {
                let count = |name: &str| event[name].as_u64().unwrap_or_default();
                result.snapshots = Snapshots {
                    written: count("written"),
                    updated: count("updated"),
                    removed: count("removed"),
                    obsolete: count("obsolete"),
                };
            }
            _ => {}
        }
    }

    /// Says what the end of the process means.
    pub(super) fn judge(self, result: &mut FileResult, status: Option<ExitStatus>) {
        let is_well = status.is_some_and(|status| status.success());
        if let Some(limit) = self.overdue {
            let ms = limit.as_millis();
            let words = "and never returned to the event loop, so that nothing could end it: look for a loop \
                         without end";
            match self.current {
                Some((name, _)) => {
                    let message =
                        format!("the test ran for {ms} ms {words}. The tests after it did not run");
                    result.tests.push(failed(name, message));
                }
                None if self.is_done => {
                    result.notes.push(
                        "the process did not end when its tests were over, and was ended".into(),
                    );
                }
                None => {
                    result.broken.push(Failed::new(format!("the file ran for {ms} ms {words}")))
                }
            }
            return;
        }
        if self.is_done {
            return;
        }
        if self.is_plain {
            self.judge_plain(result, is_well);
            return;
        }
        let how = ending(status, self.left);
        match self.current {
            Some((name, _)) => {
                let message =
                    format!("the test ended its process: {how}. The tests after it did not run");
                result.tests.push(failed(name, message));
            }
            None => result.broken.push(Failed::new(format!(
                "the file ended its process before its tests were over: {how}"
            ))),
        }
    }

    /// What is wrong with a run of one test in the virtual world: the first failure that it told of, or how it
    /// ended.
    pub(super) fn failure(self, result: FileResult, ended: &Ended) -> Option<Failed> {
        let FileResult { tests, broken, .. } = result;
        let failed = tests.into_iter().filter(|test| test.outcome == Outcome::Fail);
        let told = failed.flat_map(|test| test.failures).chain(broken).next();
        let code = ended.code;
        told.or_else(|| match (self.is_done, self.is_plain) {
            (true, _) => None,
            (false, true) => failure(ended, None, false).map(Failed::new),
            (false, false) => {
                Some(Failed::new(format!("the test ended its process: exit status {code}")))
            }
        })
    }

    /// A file without tests passes if it ends well.
    fn judge_plain(&self, result: &mut FileResult, is_well: bool) {
        if !result.broken.is_empty() {
            return;
        }
        let name = result.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut test = failed(
            vec![name],
            format!("the process failed. It printed:\n\n{}", result.output.trim_end()),
        );
        if is_well {
            test.outcome = Outcome::Pass;
            test.failures.clear();
        }
        result.tests.push(test);
    }
}

/// Lines were written into files after tests had failed there: their places are further down now.
fn move_down(result: &mut FileResult, moves: &[&Value]) {
    let moved = |file: &Path, line: u64| {
        let before = moves.iter().filter(|one| {
            one["file"].as_str().is_some_and(|name| Path::new(name) == file)
                && one["after"].as_u64().is_some_and(|after| after < line)
        });
        let by: i64 = before.filter_map(|one| one["by"].as_i64()).sum();
        line.saturating_add_signed(by)
    };
    let tests = result.tests.iter_mut();
    let failures = tests.flat_map(|test| &mut test.failures).chain(&mut result.broken);
    for place in failures.flat_map(|failed| &mut failed.places) {
        place.line = moved(&place.file, place.line);
    }
    for line in result.tests.iter_mut().filter_map(|test| test.line.as_mut()) {
        *line = moved(&result.file, *line);
    }
}

fn ending(status: Option<ExitStatus>, left: Option<i64>) -> String {
    use std::os::unix::process::ExitStatusExt;
    if let Some(signal) = status.and_then(|status| status.signal()) {
        return format!("it died of signal {signal}");
    }
    let code = status.and_then(|status| status.code()).map(i64::from).or(left).unwrap_or_default();
    format!("exit status {code}")
}

fn failed(name: Vec<String>, message: String) -> TestResult {
    let failures = vec![Failed::new(message)];
    TestResult { failures, ..TestResult::new(name, Outcome::Fail) }
}

fn case(event: &Value, name: Vec<String>) -> Case {
    let text = |name: &str| event[name].as_str();
    let place = event["place"].as_array().into_iter().flatten();
    let place = place.map(|number| number.as_u64().unwrap_or_default() as u32).collect();
    let left_out = text("reason").map(|reason| match reason {
        "todo" => (Outcome::Todo, None),
        _ => (Outcome::Skip, text("words").map(str::to_owned)),
    });
    Case { name, place, line: event["line"].as_u64(), at: event["at"].clone(), left_out }
}

fn test(event: &Value, name: Vec<String>) -> TestResult {
    let retries = event["retries"].as_u64().unwrap_or_default();
    let outcome = match event["outcome"].as_str().unwrap_or_default() {
        "pass" if retries > 0 => Outcome::Flaky,
        "pass" => Outcome::Pass,
        "flaky" => Outcome::Flaky,
        "skip" => Outcome::Skip,
        "todo" => Outcome::Todo,
        _ => Outcome::Fail,
    };
    TestResult {
        failures: event["failures"].as_array().into_iter().flatten().map(Failed::read).collect(),
        ms: event["ms"].as_f64().unwrap_or_default(),
        line: event["line"].as_u64(),
        reason: event["reason"].as_str().map(str::to_owned),
        ..TestResult::new(name, outcome)
    }
}
