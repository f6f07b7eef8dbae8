//! A test file whose tests are explored: how it is run in the virtual world, and which tests it has.

use super::super::outcome::{Failed, FileResult};
use super::super::process::{self, Wish};
use super::super::reporters::shown;
use super::super::told::{Case, Told};
use super::journal::Test;
use crate::args::{ScheduleFlags, Timers, javascript};
use crate::commands::explored::{Ears, Explored, Heard, Modules, SuiteJudge};
use crate::report::Failure;
use hemiola_explore::schedules::{Outcome, Plan, TimeLimit, Watchers, short_name};
use hemiola_machine::{Delay, Named, Schedule, Stream};
use hemiola_world::Faults;
use serde_json::{Map, Value, json};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

/// After so many callbacks a run is cut.
const STEPS: u64 = 10_000;

/// A test file.
pub(super) struct TestFile {
    pub(super) wish: Wish,
    settings: Map<String, Value>,
    /// The file in the virtual world, without any settings.
    base: Explored,
    slow: Delay,
    judge: Arc<SuiteJudge>,
}

/// What a file has, or how it is if nothing of it can be explored.
pub(super) enum Listed {
    Tests {
        file: Arc<TestFile>,
        cases: Vec<Case>,
        /// The files that it loads.
        modules: Vec<PathBuf>,
    },
    /// What becomes of it live.
    Live(FileResult),
}

impl TestFile {
    /// The file that is wished for; answers that take longer than that are slow.
    pub(super) fn new(wish: Wish, slow: Delay) -> Result<Self, Failure> {
        let mut program = javascript(&wish.file, Named::NodePhases)?;
        // Test files know nothing of labels.
        program.timers = Timers::Node;
        let flags = ScheduleFlags {
            seed: 0,
            faults: Faults::NONE,
            max_steps: STEPS,
            deadlocks: false,
            potential: false,
            test_case: None,
        };
        let base = Explored::plain(&program, &flags)?.without_input().slow_after(slow);
        let mut settings = match serde_json::from_str(&wish.settings) {
            Ok(Value::Object(settings)) => settings,
            _ => Map::new(),
        };
        for (name, value) in
            [("explore", json!(true)), ("repeat", json!(1)), ("bail", json!(false))]
        {
            settings.insert(name.to_owned(), value);
        }
        let judge = judge(wish.file.clone());
        Ok(Self { wish, settings, base, slow, judge })
    }

    /// One of its tests in the virtual world.
    pub(super) fn case(&self, case: &Case) -> Explored {
        match case.place.is_empty() {
            true => self.with(&[]),
            false => self.with(&[("wanted", json!(case.place)), ("at", case.at.clone())]),
        }
    }

    /// One of its tests as journals know it.
    pub(super) fn in_journal(&self, case: &Case, root: &Path) -> Test {
        let file = &self.wish.file;
        let text = std::fs::File::open(file).and_then(|mut file| {
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).map(|_| bytes)
        });
        let mut settings = self.settings.clone();
        // Which tests are wanted does not matter to one of them, nor where they are, nor who asks.
        for name in ["grep", "only", "names", "update", "retries", "root"] {
            settings.remove(name);
        }
        let settings = Value::Object(settings).to_string();
        let settings = settings.replace(&format!("{}/", root.display()), "");
        let text = String::from_utf8_lossy(&text.unwrap_or_default()).into_owned();
        Test {
            file: shown(root, file),
            place: case.place.clone(),
            name: case.name.clone(),
            subject: short_name(&format!("{settings} {:?} {text}", self.slow)),
        }
    }

    fn with(&self, more: &[(&str, Value)]) -> Explored {
        let mut settings = self.settings.clone();
        settings.extend(more.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
        self.base.as_suite(&Value::Object(settings).to_string(), &self.judge)
    }

    /// What becomes of one of its tests live.
    pub(super) fn live(&self, case: &Case) -> FileResult {
        let mut wish = self.wish.clone();
        if !case.place.is_empty()
            && let Ok(Value::Object(mut settings)) = serde_json::from_str(&wish.settings)
        {
            settings.insert("names".to_owned(), json!([case.name]));
            wish.settings = Value::Object(settings).to_string();
        }
        process::run(&wish)
    }

    /// Finds out which tests it has.
    pub(super) fn list(self, limit: TimeLimit) -> Result<Listed, Failure> {
        let (heard, modules) = (Heard::default(), Modules::default());
        // Many files are listed before one of them is explored.
        let listing = self.with(&[("list", json!(true))]).in_new_engines();
        let plan = Plan::Follow(Schedule::default());
        let silent = |_: Stream, _: &[u8]| Ok(());
        let ears = Ears {
            heard: Some(heard.clone()),
            modules: Some(Arc::clone(&modules)),
            ..Ears::default()
        };
        listing.run_heard(&plan, &Watchers::alone().within(limit), false, silent, ears)?;
        let (events, missed) = heard.take();
        let (told, result) = read(&self.wish.file, &events);
        let mut modules = paths(&modules);
        modules.push(self.wish.file.clone());
        if told.is_plain {
            let name = self.wish.file.file_name().unwrap_or_default();
            let name = vec![name.to_string_lossy().into_owned()];
            let case =
                Case { name, place: Vec::new(), line: None, at: Value::Null, left_out: None };
            return Ok(Listed::Tests { file: Arc::new(self), cases: vec![case], modules });
        }
        if told.is_done && result.broken.is_empty() {
            return Ok(Listed::Tests { file: Arc::new(self), cases: told.listed, modules });
        }
        let mut live = process::run(&self.wish);
        if !live.is_failed() {
            let why = result.broken.first().map_or("", |failed| failed.message.as_str());
            let why = why.lines().next().unwrap_or_default();
            let reached = reached(&missed).map_or_else(String::new, |words| format!("; {words}"));
            live.notes.push(format!(
                "not explored: the file cannot be loaded in the virtual world: {why}{reached}"
            ));
        }
        Ok(Listed::Live(live))
    }
}

fn paths(modules: &Modules) -> Vec<PathBuf> {
    let modules = modules.lock().unwrap_or_else(PoisonError::into_inner);
    modules.keys().map(PathBuf::from).collect()
}

/// What a program reached for that is not in its world, in words.
pub(super) fn reached(missed: &[String]) -> Option<String> {
    (!missed.is_empty()).then(|| format!("it reached for {}", missed.join(", ")))
}

/// Reads what a run told.
pub(super) fn read(file: &Path, events: &[String]) -> (Told, FileResult) {
    let (mut told, mut result) = (Told::default(), FileResult::new(file));
    for event in events.iter().filter_map(|event| serde_json::from_str(event).ok()) {
        told.take(&event, &mut result);
    }
    (told, result)
}

/// Says what is wrong with a run, as [`failure`] reads it.
fn judge(file: PathBuf) -> Arc<SuiteJudge> {
    Arc::new(move |events: &[String], outcome: &Outcome, is_cut: bool| {
        if is_cut {
            return None;
        }
        let (told, result) = read(&file, events);
        Some(told.failure(result, outcome)?.value().to_string())
    })
}

/// What is wrong with a run.
pub(super) fn failure(text: &str) -> Failed {
    Failed::read(&serde_json::from_str(text).unwrap_or_default())
}
