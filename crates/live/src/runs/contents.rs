//! What a recording holds, in few words: whom it may be given to is for its owner to decide.

use super::{Run, RunError, is_secret};
use hemiola_world::recording::{Entry, Kept};
use std::collections::{BTreeMap, BTreeSet};

/// What a recording holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// The environment variables that the program read, and whether their values are in it.
    pub variables: BTreeMap<String, bool>,
    /// Those whose values are in it and look like secrets.
    pub secrets: BTreeSet<String>,
    /// Files of the program, whose text is in it.
    pub sources: BTreeSet<String>,
    /// Files and directories that it asked for.
    pub files: BTreeSet<String>,
    /// Whom it talked with, or asked about.
    pub hosts: BTreeSet<String>,
    /// Programs that it started.
    pub programs: BTreeSet<String>,
    /// About how many bytes it was told.
    pub bytes: u64,
}

impl Run {
    /// What it holds.
    pub fn contents(&self) -> Result<Contents, RunError> {
        let mut contents = Contents::default();
        for (name, value) in &self.manifest.env {
            contents.variable(name, Some(value));
        }
        self.lines(|_, entries| {
            entries.iter().for_each(|entry| contents.take(entry));
            Ok(())
        })?;
        Ok(contents)
    }
}

impl Contents {
    fn take(&mut self, entry: &Entry) {
        self.bytes += entry.told() as u64;
        if let Some((path, _)) = entry.module() {
            self.sources.insert(path.display().to_string());
        }
        if let Some(variable) = entry.variable() {
            let value = match &variable.kept {
                Kept::Value(value) => Some(value),
                Kept::Digest { .. } => None,
            };
            self.variable(&variable.name, value);
        }
        let Some(question) = entry.question() else { return };
        let family = question.kind.split('.').next().unwrap_or_default();
        let about = without_numbers(&question.about);
        match family {
            // The others are about descriptors.
            "fs" if about.starts_with('/') => {
                self.files.insert(about.to_owned());
            }
            "process" => {
                let file = about.split(' ').find_map(|part| part.strip_prefix("file="));
                self.programs.extend(file.map(str::to_owned));
            }
            "dns" | "net" | "udp" if !about.is_empty() => {
                self.hosts.insert(about.to_owned());
            }
            _ => {}
        }
    }

    fn variable(&mut self, name: &str, value: Option<&String>) {
        self.variables.insert(name.to_owned(), value.is_some());
        if value.is_some_and(|value| is_secret(name, value)) {
            self.secrets.insert(name.to_owned());
        }
    }
}

/// What a request is about, without the numbers after it: flags, sizes, modes.
fn without_numbers(about: &str) -> &str {
    let mut about = about;
    while let Some((rest, last)) = about.rsplit_once(' ')
        && last.parse::<f64>().is_ok()
    {
        about = rest;
    }
    if about.parse::<f64>().is_ok() { "" } else { about }
}
