//! `hemiola explore merge`: the results of several that shared one exploration.

mod joined;

use super::explore::{Saved, blame, write_journal};
use super::outcome::{
    Class, Explored, Failed, FileResult, Found, Outcome, Place, Race, TestResult,
};
use super::reporters::{JSON_VERSION, Report};
use super::{ended, root};
use crate::args::{Format, Reporter, ReporterKind};
use crate::console::complain;
use crate::done::Done;
use crate::input;
use crate::report::{Failure, note};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Reads what `hemiola test --explore --format json` wrote in several parts, and writes it as one. The same for what was
/// saved of their runs, into the file that is named for it.
pub(in crate::commands) fn run(
    files: &[PathBuf],
    format: Format,
    journal: Option<Option<&Path>>,
) -> Result<Done, Failure> {
    let root = root()?;
    let (mut parts, mut saved) = (Vec::new(), Vec::new());
    for file in files {
        let text = input::read_of(file, "a result of `hemiola test --format json`")?.text;
        match Saved::is_one(&text) {
            true => saved.push((file.clone(), Saved::read(&text, file, &root)?)),
            false => parts.push(Part::read(file, &text, &root)?),
        }
    }
    let joined = joined::all(&saved)?;
    write_saved(journal, &root, &saved)?;
    if parts.is_empty() && !saved.is_empty() {
        return Ok(Done::silent(0));
    }
    let missing = missing(&parts);
    if let Some(words) = &missing {
        complain(&note(words));
    }
    let mut results: Vec<FileResult> = Vec::new();
    for part in &parts {
        part.results.iter().for_each(|result| add(&mut results, result.clone()));
    }
    for test in joined {
        test.tell(&mut results, &parts, &saved, &root);
    }
    if missing.is_some() {
        let tests = results.iter_mut().flat_map(|result| &mut result.tests);
        tests.flat_map(|test| &mut test.explored).for_each(|known| known.exhaustive = false);
    }
    let kind = match format {
        Format::Text => ReporterKind::Spec,
        Format::Json => ReporterKind::Json,
    };
    let reporters = [Reporter { kind, file: None }];
    let mut report = Report::begin(&reporters, &root, results.len(), None, &[])?;
    results.iter().for_each(|result| report.file(result));
    ended(report, &results)
}

/// Writes down what was saved of several.
fn write_saved(
    journal: Option<Option<&Path>>,
    root: &Path,
    saved: &[(PathBuf, Saved)],
) -> Result<(), Failure> {
    match journal {
        Some(Some(path)) if !saved.is_empty() => write_journal(path, root, saved),
        Some(Some(_)) => Err(Failure::new("there is nothing to go on from in these files")
            .help("give what --resume=FILE has saved in each part, too")),
        Some(None) => Err(Failure::new("where to write what was saved is not said")
            .help("name the file: --resume=all.jsonl")),
        None => Ok(()),
    }
}

/// The result of one part.
struct Part {
    /// Which one of how many; nothing for a whole.
    shard: Option<(u64, u64)>,
    results: Vec<FileResult>,
}

impl Part {
    fn read(file: &Path, text: &str, root: &Path) -> Result<Self, Failure> {
        let value: Value = serde_json::from_str(text).unwrap_or_default();
        if value["version"] != JSON_VERSION || !value["tests"].is_array() {
            let path = file.display();
            return Err(Failure::new(format!(
                "`{path}` is not a result of `hemiola test --format json`"
            ))
            .help(
                "give files that `hemiola test --explore --shard 1/4 --format json` has written",
            ));
        }
        let number = |name: &str| value["shard"][name].as_u64();
        let shard = number("part").zip(number("of"));
        let mut results: Vec<FileResult> =
            list(&value["files"]).map(|one| file_of(one, root)).collect();
        for test in list(&value["tests"]) {
            let path = root.join(text_of(test, "file"));
            match results.iter_mut().find(|result| result.file == path) {
                Some(result) => result.tests.push(test_of(test, root)),
                None => {
                    let mut result = FileResult::new(&path);
                    result.tests.push(test_of(test, root));
                    results.push(result);
                }
            }
        }
        Ok(Self { shard, results })
    }
}

/// Which parts are not there, in words.
fn missing(parts: &[Part]) -> Option<String> {
    let of = parts.iter().filter_map(|part| part.shard).map(|shard| shard.1).max()?;
    let there: BTreeSet<u64> =
        parts.iter().filter_map(|part| part.shard).map(|shard| shard.0).collect();
    let missing: Vec<String> =
        (1..=of).filter(|part| !there.contains(part)).map(|part| format!("{part}/{of}")).collect();
    (!missing.is_empty())
        .then(|| format!("not all schedules are there: without {}", missing.join(", ")))
}

/// Adds the result of a file to others.
fn add(results: &mut Vec<FileResult>, result: FileResult) {
    let Some(known) = results.iter_mut().find(|known| known.file == result.file) else {
        results.push(result);
        return;
    };
    let FileResult { tests, broken, notes, .. } = result;
    for failed in broken {
        if !known.broken.iter().any(|one| blame(one) == blame(&failed)) {
            known.broken.push(failed);
        }
    }
    known
        .notes
        .extend(notes.into_iter().filter(|note| !known.notes.contains(note)).collect::<Vec<_>>());
    for test in tests {
        match known.tests.iter_mut().find(|one| one.name == test.name) {
            Some(one) => join(one, test),
            None => known.tests.push(test),
        }
    }
}

/// Joins what two parts know of one test.
fn join(known: &mut TestResult, other: TestResult) {
    known.outcome = match (known.outcome, other.outcome) {
        (Outcome::Flaky, _) | (_, Outcome::Flaky) => Outcome::Flaky,
        (Outcome::Pass, Outcome::Fail) | (Outcome::Fail, Outcome::Pass) => Outcome::Flaky,
        (Outcome::Fail, _) | (_, Outcome::Fail) => Outcome::Fail,
        (Outcome::Pass, _) | (_, Outcome::Pass) => Outcome::Pass,
        (Outcome::Todo, _) | (_, Outcome::Todo) => Outcome::Todo,
        (Outcome::Skip, Outcome::Skip) => Outcome::Skip,
    };
    if let (Some(known), Some(other)) = (&mut known.explored, other.explored) {
        // Every part has run the default order.
        known.schedules += other.schedules.saturating_sub(1);
        known.failing += other.failing;
        known.exhaustive &= other.exhaustive;
        known.cut += other.cut;
    }
    for failed in other.failures {
        match known.failures.iter_mut().find(|one| blame(one) == blame(&failed)) {
            Some(one) if failed.class() < one.class() => *one = failed,
            Some(_) => {}
            None => known.failures.push(failed),
        }
    }
    known.failures.sort_by_key(Failed::class);
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text_of<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

fn file_of(value: &Value, root: &Path) -> FileResult {
    let mut result = FileResult::new(&root.join(text_of(value, "file")));
    result.broken = list(&value["failures"]).map(|failed| failed_of(failed, root)).collect();
    result.notes = list(&value["notes"]).filter_map(Value::as_str).map(str::to_owned).collect();
    result.output = text_of(value, "output").to_owned();
    result.ms = value["ms"].as_f64().unwrap_or_default();
    result
}

fn test_of(value: &Value, root: &Path) -> TestResult {
    let name = list(&value["path"]).filter_map(Value::as_str).map(str::to_owned).collect();
    let outcome = match text_of(value, "outcome") {
        "pass" => Outcome::Pass,
        "flaky" => Outcome::Flaky,
        "skipped" if value["todo"] == true => Outcome::Todo,
        "skipped" => Outcome::Skip,
        _ => Outcome::Fail,
    };
    let explored = value["failing"].as_u64().map(|failing| Explored {
        schedules: value["schedules"].as_u64().unwrap_or_default(),
        failing,
        exhaustive: value["exhaustive"] == true,
        cut: value["cut"].as_u64().unwrap_or_default(),
        instead: value["note"].as_str().map(str::to_owned),
    });
    TestResult {
        failures: list(&value["failures"]).map(|failed| failed_of(failed, root)).collect(),
        ms: value["ms"].as_f64().unwrap_or_default(),
        line: value["line"].as_u64(),
        explored,
        ..TestResult::new(name, outcome)
    }
}

fn failed_of(value: &Value, root: &Path) -> Failed {
    let place = |value: &Value| Place {
        file: root.join(text_of(value, "file")),
        line: value["line"].as_u64().unwrap_or_default(),
        column: value["column"].as_u64().unwrap_or_default(),
    };
    let race = value["race"].is_object().then(|| Race {
        what: text_of(&value["race"], "what").to_owned(),
        sides: list(&value["race"]["sides"])
            .map(|side| {
                let at = &side["place"];
                (text_of(side, "does").to_owned(), at.is_object().then(|| place(at)))
            })
            .collect(),
    });
    // Those of the race come first, and are written again.
    let of_race = race.iter().flat_map(|race| &race.sides).filter(|side| side.1.is_some()).count();
    let places = list(&value["places"]).map(place).skip(of_race).collect();
    let found = value["schedule"].as_str().map(|schedule| Found {
        class: Class::of(value["class"] == Class::Slow.word()),
        schedule: schedule.to_owned(),
        deviations: list(&value["deviations"])
            .map(|one| (text_of(one, "taken").to_owned(), text_of(one, "instead").to_owned()))
            .collect(),
        command: text_of(value, "command").to_owned(),
        race,
    });
    Failed { places, found: found.map(Box::new), ..Failed::new(text_of(value, "message")) }
}
