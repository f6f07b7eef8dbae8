//! The file in which the runs of all tests are noted, so that an exploration can go on from it, or from several that
//! shared it.
//!
//! The first line says what it is, and which part of an exploration. A line with a `subject` names a test and gives it a
//! number, the others are runs of a test with its number. Their order does not matter, but that a test comes before its
//! runs; a last line without an end is left out.

use crate::args::{Shard, TestArgs};
use crate::commands::recordings::state_directory;
use crate::input::reason;
use crate::report::Failure;
use hemiola_explore::schedules::{Made, MadeError, short_name};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What the first line says that it is.
const KIND: &str = "exploration of tests";

/// The version of the format.
const VERSION: u64 = 1;

/// What is done sooner is not worth a file.
const PATIENCE: usize = 64;

/// A test, and what its runs follow from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in super::super) struct Test {
    pub(in super::super) file: String,
    pub(in super::super) place: Vec<u32>,
    pub(in super::super) name: Vec<String>,
    /// A short name for the text of its file and the flags that matter.
    pub(in super::super) subject: String,
}

impl Test {
    fn is(&self, other: &Self) -> bool {
        (&self.file, &self.place) == (&other.file, &other.place)
    }

    /// In words.
    fn words(&self) -> String {
        format!("{} > {}", self.file, self.name.join(" > "))
    }
}

/// What a journal has of one test.
pub(in super::super) struct SavedTest {
    pub(in super::super) test: Test,
    /// The line that names it.
    line: usize,
    /// Its runs, each with its line.
    runs: Vec<(usize, Value)>,
}

impl SavedTest {
    /// Adds its runs to others.
    pub(in super::super) fn add_to(&self, made: &mut Made, path: &Path) -> Result<(), Failure> {
        for (line, run) in &self.runs {
            made.add(run).map_err(|error| match error {
                MadeError::Unknown => damaged(path, *line),
                MadeError::Other => Failure::new(format!(
                    "`{}`, line {line}: `{}` does something else than in the other files",
                    path.display(),
                    self.test.words()
                ))
                .help("explore all parts anew, of the same files"),
            })?;
        }
        Ok(())
    }

    /// Whether it has a run of this plan that went on until its end.
    pub(in super::super) fn has_outcome(&self, plan: &str) -> bool {
        let mut runs = self.runs.iter().map(|(_, run)| run);
        runs.any(|run| run["plan"] == plan && run["ended"].is_object())
    }

    /// Says where two that should be of one test differ.
    pub(in super::super) fn must_be(&self, test: &Test, path: &Path) -> Result<(), Failure> {
        if self.test.subject == test.subject {
            return Ok(());
        }
        Err(Failure::new(format!(
            "`{}`, line {}: `{}` is of another version of the file, or of other flags",
            path.display(),
            self.line,
            self.test.words()
        ))
        .help("explore all parts anew, of the same files and with the same flags"))
    }
}

/// A journal as it was written.
pub(in super::super) struct Saved {
    /// Which part it is of how many; nothing for a whole.
    pub(in super::super) shard: Option<(u64, u64)>,
    pub(in super::super) tests: Vec<SavedTest>,
    /// How many of its bytes are whole lines.
    whole: usize,
}

impl Saved {
    /// Whether a text is a journal of some kind, and no result.
    pub(in super::super) fn is_one(text: &str) -> bool {
        let first: Option<Value> =
            text.lines().next().and_then(|one| serde_json::from_str(one).ok());
        first.is_some_and(|first| first["hemiola"].is_string())
    }

    /// Reads the text of a file. Places below the directory in which it was written are in this one.
    pub(in super::super) fn read(text: &str, path: &Path, root: &Path) -> Result<Self, Failure> {
        // What was being written when the process was killed has no end.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut lines = text[..whole].lines().enumerate().map(|(at, line)| (at + 1, line));
        let refused = |why: String| {
            Failure::new(format!("`{}`, line 1: {why}", path.display()))
                .help("give a file that `hemiola test --explore --resume=FILE` has written")
        };
        let first = lines.next().and_then(|(_, line)| serde_json::from_str::<Value>(line).ok());
        let first = first.filter(|first| first["hemiola"] == KIND);
        let first =
            first.ok_or_else(|| refused("it is not a saved exploration of tests".to_owned()))?;
        match first["version"].as_u64() {
            Some(VERSION) => {}
            Some(newer) if newer > VERSION => {
                return Err(refused(format!("it has version {newer}, and this build reads 1")));
            }
            _ => return Err(refused("it does not say which version it has".to_owned())),
        }
        let number = |name: &str| first["shard"][name].as_u64();
        let shard = number("part").zip(number("of"));
        let there = format!("{}/", first["root"].as_str().unwrap_or_default());
        let here = format!("{}/", root.display());
        let mut tests: Vec<SavedTest> = Vec::new();
        for (at, line) in lines {
            let value = serde_json::from_str::<Value>(line).ok();
            let number =
                value.as_ref().and_then(|value| usize::try_from(value["test"].as_u64()?).ok());
            let Some((mut value, number)) = value.zip(number) else {
                return Err(damaged(path, at));
            };
            if value["subject"].is_string() {
                let test = test_of(&value).filter(|_| number == tests.len());
                let test = test.ok_or_else(|| damaged(path, at))?;
                tests.push(SavedTest { test, line: at, runs: Vec::new() });
                continue;
            }
            if let Some(Value::String(failure)) = value.pointer_mut("/ended/failure")
                && there != here
            {
                *failure = failure.replace(&there, &here);
            }
            let test = tests.get_mut(number).ok_or_else(|| damaged(path, at))?;
            test.runs.push((at, value));
        }
        Ok(Self { shard, tests, whole })
    }
}

/// Writes what several have saved into one file.
pub(in super::super) fn write(
    path: &Path,
    root: &Path,
    parts: &[(PathBuf, Saved)],
) -> Result<(), Failure> {
    let mut text = heading(root, None) + "\n";
    let mut tests: Vec<&Test> = Vec::new();
    // All parts have made the run in the default order.
    let mut written: BTreeSet<String> = BTreeSet::new();
    for saved in parts.iter().flat_map(|(_, part)| &part.tests) {
        let number = tests.iter().position(|test| **test == saved.test).unwrap_or_else(|| {
            text += &(test_line(tests.len(), &saved.test) + "\n");
            tests.push(&saved.test);
            tests.len() - 1
        });
        for (_, run) in &saved.runs {
            let mut run = run.clone();
            run["test"] = number.into();
            let line = format!("{run}\n");
            if !written.contains(&line) {
                text += &line;
                written.insert(line);
            }
        }
    }
    let written = File::create(path).and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|error| {
        Failure::new(format!("cannot write `{}`: {}", path.display(), reason(&error)))
            .help("name a file that can be written after --resume=")
    })
}

fn damaged(path: &Path, line: usize) -> Failure {
    Failure::new(format!("`{}`, line {line} is damaged", path.display()))
        .help("take the file that was written, or explore anew without it")
}

fn heading(root: &Path, shard: Option<Shard>) -> String {
    let shard = shard.map(|Shard { part, of }| json!({ "part": part, "of": of }));
    let root = root.to_string_lossy();
    json!({ "hemiola": KIND, "version": VERSION, "root": root, "shard": shard }).to_string()
}

fn test_line(number: usize, test: &Test) -> String {
    let Test { file, place, name, subject } = test;
    json!({ "test": number, "file": file, "place": place, "name": name, "subject": subject })
        .to_string()
}

fn test_of(value: &Value) -> Option<Test> {
    let place = value["place"].as_array()?.iter().map(|one| u32::try_from(one.as_u64()?).ok());
    let name = value["name"].as_array()?.iter().map(|one| one.as_str().map(str::to_owned));
    Some(Test {
        file: value["file"].as_str()?.to_owned(),
        place: place.collect::<Option<Vec<u32>>>()?,
        name: name.collect::<Option<Vec<String>>>()?,
        subject: value["subject"].as_str()?.to_owned(),
    })
}

/// The journal of an exploration that is made.
pub(super) struct Journal {
    path: PathBuf,
    /// Whether the user named the file, and so keeps it.
    named: bool,
    notes: Mutex<Notes>,
}

struct Notes {
    /// What was noted before.
    saved: Vec<SavedTest>,
    /// The tests that have a number.
    tests: Vec<Test>,
    /// Lines that are not written yet; nothing if they cannot be.
    lines: Option<Vec<String>>,
    file: Option<File>,
    /// Why it cannot be gone on from what was noted.
    refused: Option<Failure>,
}

impl Journal {
    /// The journal of these tests, in the file that is named or where such files are kept. If the exploration is to go on,
    /// with what is in the file.
    pub(super) fn open(args: &TestArgs, root: &Path) -> Result<Self, Failure> {
        let wanted = args.exploring.resume.as_ref();
        let file = wanted.and_then(Option::as_deref);
        let default = || {
            let (shard, files) = (args.shard.map(|one| (one.part, one.of)), &args.files);
            let name = short_name(&format!("{} {files:?} {shard:?}", root.display()));
            state_directory().join("explore").join(format!("tests-{name}.jsonl"))
        };
        let path = file.map_or_else(default, Path::to_owned);
        let mut notes = Notes {
            saved: Vec::new(),
            tests: Vec::new(),
            lines: Some(vec![heading(root, args.shard)]),
            file: None,
            refused: None,
        };
        if wanted.is_some() {
            notes.resume(&path, root)?;
        }
        Ok(Self { path, named: file.is_some(), notes: Mutex::new(notes) })
    }

    fn notes(&self) -> MutexGuard<'_, Notes> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Refuses what was noted of another version of a test.
    pub(super) fn check(&self, test: &Test) -> Result<(), Failure> {
        let notes = self.notes();
        match notes.saved.iter().find(|saved| saved.test.is(test)) {
            Some(saved) if saved.test != *test => Err(self.refused(
                &format!(", line {}", saved.line),
                &format!("`{}` has changed since, or is explored with other flags", test.words()),
            )),
            Some(_) | None => Ok(()),
        }
    }

    /// The runs of a test that were made before.
    pub(super) fn made(&self, test: &Test) -> Made {
        let mut made = Made::default();
        let mut notes = self.notes();
        let saved = notes.saved.iter().filter(|saved| saved.test == *test);
        let added = saved.map(|saved| saved.add_to(&mut made, &self.path)).find_map(Result::err);
        match added {
            None => made,
            Some(failure) => {
                notes.refused.get_or_insert(failure);
                Made::default()
            }
        }
    }

    /// Notes runs of a test. An exploration whose journal cannot be written is worth no less.
    pub(super) fn note(&self, test: &Test, runs: Vec<Map<String, Value>>) {
        let notes = &mut *self.notes();
        let Some(lines) = notes.lines.as_mut().filter(|_| !runs.is_empty()) else { return };
        let number = notes.tests.iter().position(|one| one == test).unwrap_or_else(|| {
            lines.push(test_line(notes.tests.len(), test));
            notes.tests.push(test.clone());
            notes.tests.len() - 1
        });
        lines.extend(runs.into_iter().map(|mut run| {
            run.insert("test".to_owned(), number.into());
            Value::Object(run).to_string()
        }));
        if notes.file.is_none() && lines.len() < PATIENCE && !self.named {
            return;
        }
        let text = lines.drain(..).fold(String::new(), |text, line| text + &line + "\n");
        if notes.write(&self.path, &text).is_err() {
            notes.lines = None;
        }
    }

    /// A test does something else than it did.
    pub(super) fn changed(&self, test: &Test) -> Failure {
        let what = format!("what `{}` does has changed since", test.words());
        self.notes().refused.get_or_insert_with(|| self.refused("", &what));
        self.refused("", &what)
    }

    fn refused(&self, place: &str, why: &str) -> Failure {
        Failure::new(format!("cannot go on from `{}`{place}: {why}", self.path.display()))
            .help("leave out --resume, and it is begun anew")
    }

    /// Whether it cannot be gone on from what was noted.
    pub(super) fn is_refused(&self) -> bool {
        self.notes().refused.is_some()
    }

    /// The exploration is over, or somebody may go on from here.
    pub(super) fn end(self, is_interrupted: bool) -> Result<(), Failure> {
        let mut notes = self.notes.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(failure) = notes.refused {
            return Err(failure);
        }
        let lines = notes.lines.take().unwrap_or_default();
        if (self.named || is_interrupted && !notes.tests.is_empty()) && !lines.is_empty() {
            let text = lines.iter().fold(String::new(), |text, line| text + line + "\n");
            let _ = notes.write(&self.path, &text);
        }
        if !self.named && !is_interrupted && notes.file.is_some() {
            let _ = std::fs::remove_file(&self.path);
        }
        Ok(())
    }
}

impl Notes {
    /// Reads what is in the file, and goes on there.
    fn resume(&mut self, path: &Path, root: &Path) -> Result<(), Failure> {
        let refused = |error: &io::Error| {
            Failure::new(format!("cannot go on from `{}`: {}", path.display(), reason(error)))
                .help("leave out --resume, and it is begun anew")
        };
        let mut text = String::new();
        match File::open(path).and_then(|mut file| file.read_to_string(&mut text)) {
            Ok(_) => {}
            // There is nothing to go on from.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(refused(&error)),
        }
        if text.is_empty() {
            return Ok(());
        }
        let saved = Saved::read(&text, path, root)?;
        let file = OpenOptions::new().append(true).open(path).and_then(|file| {
            file.set_len(saved.whole as u64)?;
            Ok(file)
        });
        self.file = Some(file.map_err(|error| refused(&error))?);
        self.lines = Some(Vec::new());
        self.tests = saved.tests.iter().map(|saved| saved.test.clone()).collect();
        self.saved = saved.tests;
        Ok(())
    }

    fn write(&mut self, path: &Path, text: &str) -> io::Result<()> {
        if self.file.is_none() {
            if let Some(directory) = path.parent() {
                std::fs::create_dir_all(directory)?;
            }
            self.file = Some(File::create(path)?);
        }
        let Some(file) = &mut self.file else { return Ok(()) };
        file.write_all(text.as_bytes())
    }
}
