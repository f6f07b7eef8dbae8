//! The file in which a search over schedules notes what it has done, to go on there when it is broken off.

use super::recordings::state_directory;
use crate::input::reason;
use crate::report::Failure;
use hemiola_explore::schedules::{Job, JournalError, Notes, Report, Search};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// What is done sooner is not worth a file.
const PATIENCE: usize = 64;

/// The journal of a search.
pub(super) struct Journal {
    notes: Notes,
    path: PathBuf,
    /// Whether the user named the file, and so keeps it.
    named: bool,
    file: Option<File>,
}

impl Journal {
    /// The journal of what `subject` names, in that file or where such files are kept. If the search is
    /// to go on, what is in the file comes first.
    pub(super) fn open(subject: &str, file: Option<&Path>, goes_on: bool) -> Result<Self, Failure> {
        let notes = Notes::new(subject);
        let default = || state_directory().join("explore").join(format!("{}.jsonl", notes.name()));
        let path = file.map_or_else(default, Path::to_owned);
        let mut journal = Self { notes, path, named: file.is_some(), file: None };
        if goes_on {
            journal.resume()?;
        }
        Ok(journal)
    }

    fn resume(&mut self) -> Result<(), Failure> {
        let mut text = String::new();
        match File::open(&self.path).and_then(|mut file| file.read_to_string(&mut text)) {
            Ok(_) => {}
            // There is nothing to go on from.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(refused(&self.path, &reason(&error))),
        }
        self.notes.resume(&text).map_err(|error| {
            let why = match error {
                JournalError::Other => "it is of another program, or of other flags".to_owned(),
                JournalError::Unknown => "it is not a saved exploration".to_owned(),
                JournalError::Newer(version) => {
                    format!("it has version {version}, and this build reads 1")
                }
            };
            refused(&self.path, &why)
        })
    }

    /// Takes the reports of a wave, and has those made by `run` that an earlier search has not made.
    pub(super) fn wave(
        &mut self,
        search: &mut Search,
        jobs: &[Job],
        run: impl FnMut(&[Job]) -> Result<Vec<Report>, Failure>,
    ) -> Result<(), Failure> {
        let changed = || refused(&self.path, "the program has changed since");
        self.notes.wave(search, jobs, run, changed)?;
        self.flush();
        Ok(())
    }

    /// Writes down what is noted, once there is enough of it, and more than an earlier search had noted. A
    /// search whose journal cannot be written is worth no less.
    fn flush(&mut self) {
        let waiting = self.notes.waiting();
        if waiting == 0 || self.file.is_none() && waiting < PATIENCE && !self.named {
            return;
        }
        if self.write().is_err() {
            self.notes.give_up();
        }
    }

    fn write(&mut self) -> io::Result<()> {
        let text = self.notes.take_lines();
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

    /// The search was broken off, and somebody may go on from here. Says how many runs an earlier search had made.
    pub(super) fn leave(mut self) -> usize {
        self.flush();
        self.notes.resumed()
    }

    /// The search has come to its end: nobody goes on from here, unless a file was named for it. Says how
    /// many runs an earlier search had made.
    pub(super) fn finish(mut self) -> usize {
        self.notes.end();
        self.flush();
        if self.file.is_some() && !self.named {
            let _ = std::fs::remove_file(&self.path);
        }
        self.notes.resumed()
    }
}

fn refused(path: &Path, why: &str) -> Failure {
    Failure::new(format!("cannot go on from `{}`: {why}", path.display()))
        .help("leave out --resume, and it is begun anew")
}
