//! Where a search over schedules notes what it has done, to go on there when it is broken off.

use super::recordings::state_directory;
use crate::input::reason;
use crate::report::Failure;
use hemiola_explore::schedules::journal::{JournalError, heading, is_of, line, read};
use hemiola_explore::schedules::{Plan, Report};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// What is done sooner is not worth a file.
const PATIENCE: usize = 64;

/// The journal of a search.
pub(super) struct Journal {
    path: PathBuf,
    /// Whether the user named the file, and so keeps it.
    named: bool,
    /// Reports that were made before, and are not to be made again.
    before: VecDeque<(String, Report)>,
    /// Lines that are not in the file yet.
    lines: Vec<String>,
    file: Option<File>,
    /// Whether it could not be written: the search goes on without.
    broken: bool,
}

impl Journal {
    /// The journal of what `subject` names, in that file or where such files are kept. If the search is
    /// to go on, what is in the file comes first.
    pub(super) fn open(subject: &str, file: Option<&Path>, goes_on: bool) -> Result<Self, Failure> {
        let subject = &name(subject);
        let default = || state_directory().join("explore").join(format!("{subject}.jsonl"));
        let path = file.map_or_else(default, Path::to_owned);
        let mut journal = Self {
            path,
            named: file.is_some(),
            before: VecDeque::new(),
            lines: vec![heading(subject)],
            file: None,
            broken: false,
        };
        if goes_on {
            journal.read(subject)?;
        }
        Ok(journal)
    }

    fn read(&mut self, subject: &str) -> Result<(), Failure> {
        let mut text = String::new();
        match File::open(&self.path).and_then(|mut file| file.read_to_string(&mut text)) {
            Ok(_) => {}
            // There is nothing to go on from.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(self.refused(&reason(&error))),
        }
        self.before = match read(&text, subject) {
            Ok(before) => before.into(),
            Err(JournalError::Other) => {
                return Err(self.refused("it is of another program, or of other flags"));
            }
            Err(JournalError::Unknown) => return Err(self.refused("it is not a saved exploration")),
            Err(JournalError::Newer(version)) => {
                let why = format!("it has version {version}, and this build reads 1");
                return Err(self.refused(&why));
            }
        };
        Ok(())
    }

    fn refused(&self, why: &str) -> Failure {
        Failure::new(format!("cannot go on from `{}`: {why}", self.path.display()))
            .help("leave out --resume, and it is begun anew")
    }

    /// The report of a run that was made before, if this is the next one.
    pub(super) fn next(&mut self, plan: &Plan) -> Option<Report> {
        let (of, report) = self.before.pop_front()?;
        if is_of(plan, &of) {
            return Some(report);
        }
        // It was searched in another way from here on.
        self.before.clear();
        None
    }

    /// Says that the program does something else than it did: it has changed.
    pub(super) fn changed(&self) -> Failure {
        self.refused("the program has changed since")
    }

    /// Notes a report.
    pub(super) fn note(&mut self, plan: &Plan, report: &Report) {
        if !self.broken {
            self.lines.push(line(plan, report));
        }
    }

    /// Writes down what is noted, once there is enough of it, and more than an earlier search had noted. A
    /// search whose journal cannot be written is worth no less.
    pub(super) fn flush(&mut self) {
        if self.broken || !self.before.is_empty() {
            return;
        }
        if self.file.is_none() && self.lines.len() < PATIENCE && !self.named {
            return;
        }
        self.broken = self.write().is_err();
    }

    fn write(&mut self) -> io::Result<()> {
        let mut text = String::new();
        for line in self.lines.drain(..) {
            text.push_str(&line);
            text.push('\n');
        }
        if let Some(file) = &mut self.file {
            return file.write_all(text.as_bytes());
        }
        if let Some(directory) = self.path.parent() {
            std::fs::create_dir_all(directory)?;
        }
        // What an earlier search had noted stays until it is noted again.
        let new = self.path.with_added_extension("new");
        let mut file = File::create(&new)?;
        file.write_all(text.as_bytes())?;
        std::fs::rename(&new, &self.path)?;
        self.file = Some(file);
        Ok(())
    }

    /// The search has come to its end: nobody goes on from here, unless a file was named for it.
    pub(super) fn finish(mut self) {
        self.before.clear();
        self.flush();
        if self.file.is_some() && !self.named {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// A short name for a subject (FNV).
fn name(subject: &str) -> String {
    let start = 0xcbf2_9ce4_8422_2325u64;
    let hash = subject
        .bytes()
        .fold(start, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    format!("{hash:016x}")
}
