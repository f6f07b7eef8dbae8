//! What becomes of tests, written for people and for programs.

mod dot;
mod github;
mod json;
mod junit;
mod spec;
mod tap;

pub(super) use json::VERSION as JSON_VERSION;

use super::outcome::{FileResult, Outcome, Summary, TestResult};
use crate::args::{Reporter, ReporterKind, Shard};
use crate::console::{complain, styled};
use crate::harmless;
use crate::input::reason;
use crate::progress::{self, Ticking};
use crate::report::Failure;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// A way to write results: a piece for each file as it comes, and the rest.
trait Writer {
    fn begin(&mut self) -> String;
    fn file(&mut self, result: &FileResult) -> String;
    fn end(&mut self, results: &[FileResult], summary: &Summary) -> String;
}

/// All reporters that were asked for.
pub(super) struct Report {
    writers: Vec<(Box<dyn Writer>, Sink)>,
    status: Status,
}

/// Where a reporter writes to.
enum Sink {
    Screen,
    File(PathBuf, String),
}

impl Report {
    pub(super) fn begin(
        reporters: &[Reporter],
        root: &Path,
        files: usize,
        shard: Option<Shard>,
        notes: &[String],
    ) -> Result<Self, Failure> {
        for note in notes {
            complain(&format!("note: {note}\n"));
        }
        let mut report = Self { writers: Vec::new(), status: Status::new(files) };
        for Reporter { kind, file } in reporters {
            let writer: Box<dyn Writer> = match kind {
                ReporterKind::Spec => Box::new(spec::Spec::new(root)),
                ReporterKind::Dot => Box::new(dot::Dot::new(root)),
                ReporterKind::Tap => Box::new(tap::Tap::new(root)),
                ReporterKind::Junit => Box::new(junit::Junit::new(root)),
                ReporterKind::Github => Box::new(github::Github::new(root)),
                ReporterKind::Json => Box::new(json::Json::new(root, shard)),
            };
            let sink = match file {
                None => Sink::Screen,
                Some(path) => Sink::File(path.clone(), String::new()),
            };
            report.writers.push((writer, sink));
        }
        for at in 0..report.writers.len() {
            let text = report.writers[at].0.begin();
            report.write(at, &text);
        }
        Ok(report)
    }

    /// A file is over, though perhaps not yet its turn.
    pub(super) fn progress(&mut self, result: &FileResult) {
        self.status.take(result);
    }

    /// Reports about a file.
    pub(super) fn file(&mut self, result: &FileResult) {
        for at in 0..self.writers.len() {
            let text = self.writers[at].0.file(result);
            self.write(at, &text);
        }
    }

    /// Reports about all.
    pub(super) fn end(mut self, results: &[FileResult], summary: &Summary) -> Result<(), Failure> {
        self.status.hide();
        for at in 0..self.writers.len() {
            let text = self.writers[at].0.end(results, summary);
            self.write(at, &text);
        }
        for (_, sink) in self.writers {
            let Sink::File(path, text) = sink else { continue };
            if let Some(directory) = path.parent() {
                // Where that is not possible, neither is the file.
                let _ = std::fs::create_dir_all(directory);
            }
            std::fs::write(&path, anstream::adapter::strip_str(&text).to_string()).map_err(
                |error| {
                    Failure::new(format!("cannot write `{}`: {}", path.display(), reason(&error)))
                        .help("give a file that can be written: --reporter junit=report.xml")
                },
            )?;
        }
        Ok(())
    }

    fn write(&mut self, at: usize, text: &str) {
        if text.is_empty() {
            return;
        }
        match &mut self.writers[at].1 {
            Sink::Screen => {
                self.status.hide();
                // Who wants no more of it sees the exit status.
                let _ = styled(text);
                self.status.show();
            }
            Sink::File(_, whole) => whole.push_str(text),
        }
    }
}

/// A line on the terminal that says how far the tests are.
struct Status {
    line: progress::Status,
    /// What is shown until the first file is over.
    waiting: Option<Ticking>,
    files: usize,
    summary: Summary,
}

impl Status {
    fn new(files: usize) -> Self {
        let waiting = Some(Ticking::words(format!("0 of {files} files")));
        Self { line: progress::Status::new(), waiting, files, summary: Summary::default() }
    }

    fn take(&mut self, result: &FileResult) {
        self.waiting = None;
        self.summary.add(result);
        self.show();
    }

    fn show(&mut self) {
        let Summary { files, tests, failed, .. } = self.summary;
        if files >= self.files {
            return;
        }
        let all = self.files;
        let line = || format!("{files} of {all} files, {tests} tests, {failed} failed");
        self.line.share(files as u64, all as u64, line);
    }

    fn hide(&mut self) {
        if let Some(waiting) = &self.waiting {
            waiting.hide();
        }
        self.line.make_room();
    }
}

/// A path as it is written from the directory of the project.
pub(super) fn shown(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).display().to_string()
}

/// What a program said, without what would do something to a terminal.
fn safe(text: &str) -> String {
    if std::io::stdout().is_terminal() { harmless::shown(text) } else { text.to_owned() }
}

/// The name of a test, with those of the suites around it.
fn full_name(test: &TestResult) -> String {
    test.name.join(" > ")
}

/// The place of the first failure of a test: where it failed in the test file, or else where at all.
fn place(result: &FileResult, test: &TestResult) -> Option<(PathBuf, u64, u64)> {
    let places = test.failures.first().map(|failure| failure.places.as_slice()).unwrap_or_default();
    let own = places.iter().find(|place| place.file == result.file).or_else(|| places.first());
    match own {
        Some(place) => Some((place.file.clone(), place.line, place.column)),
        None => test.line.map(|line| (result.file.clone(), line, 1)),
    }
}

/// Whether a test is listed as a failure.
fn is_bad(test: &TestResult) -> bool {
    matches!(test.outcome, Outcome::Fail)
        || (test.outcome == Outcome::Flaky && !test.failures.is_empty())
}
