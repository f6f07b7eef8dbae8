//! `--coverage`: what of a project its tests execute.
//!
//! Every process that runs tests, or that these start, writes what it counted to a directory of ours
//! (`commands/coverage.rs`). [`lines`] makes lines, branches and functions of it, in the sources of compiled files
//! if there are maps ([`maps`]), and `text` and `lcov` write them.

mod lcov;
mod lines;
mod maps;
mod text;

use super::find;
use super::glob;
use super::project::Project;
use crate::args::{CoverageKind, CoverageReporter, CoverageWishes, Metric, Threshold};
use crate::commands::coverage::{self, Told, without_mark};
use crate::console::{complain, styled};
use crate::input::reason;
use crate::report::Failure;
use lines::{Covered, Share};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Where processes write what they count.
#[derive(Debug)]
pub(super) struct Collecting {
    wishes: CoverageWishes,
    directory: PathBuf,
}

impl Collecting {
    /// Makes the directory, if coverage is wanted.
    pub(super) fn begin(wishes: Option<CoverageWishes>) -> Result<Option<Self>, Failure> {
        let Some(wishes) = wishes else { return Ok(None) };
        let name = format!("hemiola-coverage-{}", hemiola_live::token());
        let directory = std::env::temp_dir().join(name);
        match fs::create_dir_all(&directory) {
            Ok(()) => Ok(Some(Self { wishes, directory })),
            Err(error) => {
                let place = directory.display();
                Err(Failure::new(format!("cannot make `{place}`: {}", reason(&error)))
                    .help("set TMPDIR to a directory that can be written"))
            }
        }
    }

    /// The variable that tells processes to count, and where to write.
    pub(super) fn variable(&self) -> (&'static str, PathBuf) {
        (coverage::OWN, self.directory.clone())
    }

    /// Reports what was covered. Gives whether that was enough.
    pub(super) fn end(
        self,
        root: &Path,
        project: &Project,
        on_screen: bool,
    ) -> Result<bool, Failure> {
        let wishes = &self.wishes;
        let told = coverage::read(&self.directory).map_err(|error| {
            Failure::new(format!("cannot read what was covered: {}", reason(&error)))
                .help("make room in the directory of temporary files, or set TMPDIR")
        })?;
        let files = covered(told, wishes, root, project);
        for CoverageReporter { kind, file } in &wishes.reporters {
            let report = match kind {
                CoverageKind::Text => text::report(&files, root),
                CoverageKind::Lcov => lcov::report(&files, root),
            };
            match file {
                Some(path) => write(&root.join(path), &report)?,
                None if on_screen => styled(&report)?,
                None => complain(&report),
            }
        }
        let missed = missed(wishes, &files, root);
        missed.iter().for_each(|missed| complain(&format!("error: {missed}\n")));
        Ok(missed.is_empty())
    }
}

impl Drop for Collecting {
    fn drop(&mut self) {
        // A directory of temporary files may stay.
        let _ = fs::remove_dir_all(&self.directory);
    }
}

fn write(path: &Path, report: &str) -> Result<(), Failure> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder).and_then(|()| fs::write(path, report)).map_err(|error| {
        Failure::new(format!("cannot write `{}`: {}", path.display(), reason(&error)))
            .help("give a file that can be written: --coverage-reporter lcov=lcov.info")
    })
}

/// What was covered of each file that counts, in the order of their paths.
fn covered(
    told: Vec<Told>,
    wishes: &CoverageWishes,
    root: &Path,
    project: &Project,
) -> Vec<Covered> {
    let mut found: BTreeMap<PathBuf, Covered> = BTreeMap::new();
    let counts = |path: &Path| counts(path, wishes, root, project);
    for told in added(told) {
        let source = told.source.clone().or_else(|| fs::read_to_string(&told.file).ok());
        let Some(source) = source else { continue };
        let source = without_mark(&source);
        let mapped = maps::sources(&told, source);
        let own = || vec![Covered::of(&told.file, source, &told.ranges())];
        for file in mapped.unwrap_or_else(own) {
            if !counts(&file.path) {
                continue;
            }
            match found.get_mut(&file.path) {
                Some(known) => known.add(file),
                None => drop(found.insert(file.path.clone(), file)),
            }
        }
    }
    if !wishes.include.is_empty() {
        for path in find::sources(root) {
            if !found.contains_key(&path)
                && counts(&path)
                && let Ok(source) = fs::read_to_string(&path)
            {
                found.insert(path.clone(), Covered::nothing(&path, &source));
            }
        }
    }
    found.into_values().collect()
}

/// One for each text, with what all processes counted in it.
fn added(told: Vec<Told>) -> Vec<Told> {
    let mut found: BTreeMap<PathBuf, Vec<Told>> = BTreeMap::new();
    for told in told {
        let known = found.entry(told.file.clone()).or_default();
        let same =
            known.iter_mut().find(|one| one.source == told.source && one.table == told.table);
        match same {
            Some(same) => {
                let sums = same.counts.iter_mut().zip(&told.counts);
                sums.for_each(|(sum, count)| *sum += count);
            }
            None => known.push(told),
        }
    }
    found.into_values().flatten().collect()
}

/// Directories with what belongs to tests.
const OF_TESTS: [&str; 4] = ["test", "tests", "__tests__", "__mocks__"];

/// Whether a file is to be covered.
fn counts(path: &Path, wishes: &CoverageWishes, root: &Path, project: &Project) -> bool {
    let Ok(relative) = path.strip_prefix(root) else { return false };
    let relative = relative.to_string_lossy();
    let any = |patterns: &[String]| {
        patterns.iter().any(|pattern| {
            let pattern = pattern.trim_start_matches("./");
            let inside = format!("{}/**", pattern.trim_end_matches('/'));
            glob::matches(pattern, &relative) || glob::matches(&inside, &relative)
        })
    };
    let parts: Vec<&str> = relative.split('/').collect();
    let (name, folders) = parts.split_last().expect("a path has a name");
    if folders.iter().any(|folder| *folder == "node_modules" || folder.starts_with('.')) {
        return false;
    }
    if !wishes.include.is_empty() && !any(&wishes.include) {
        return false;
    }
    if !wishes.exclude.is_empty() {
        return !any(&wishes.exclude);
    }
    !find::is_test(root, path, project)
        && !project.is_setup(path)
        && !folders.iter().any(|folder| OF_TESTS.contains(folder))
        && !name.contains(".config.")
}

/// What is covered less than it must be.
fn missed(wishes: &CoverageWishes, files: &[Covered], root: &Path) -> Vec<String> {
    let all = || vec![("all files".to_owned(), Shares::of(files))];
    let each = || {
        files.iter().map(|file| (shown(root, &file.path), Shares::of(std::slice::from_ref(file))))
    };
    let held: Vec<(String, Shares)> = if wishes.per_file { each().collect() } else { all() };
    let mut missed = Vec::new();
    for (whose, shares) in held {
        for &Threshold { metric, least } in &wishes.thresholds {
            let metrics = metric.map_or_else(|| Metric::ALL.to_vec(), |metric| vec![metric]);
            for metric in metrics {
                let share = shares.get(metric);
                let what = metric.name();
                if least < 0.0 && (share.of - share.covered) as f64 > -least {
                    let uncovered = share.of - share.covered;
                    missed.push(format!(
                        "{uncovered} {what} of {whose} are not covered, {} may be",
                        -least
                    ));
                } else if least >= 0.0 && share.percent() < least {
                    let percent = share.percent();
                    missed.push(format!(
                        "{percent} % of the {what} of {whose} are covered, {least} % must be"
                    ));
                }
            }
        }
    }
    missed
}

impl Metric {
    const ALL: [Self; 3] = [Self::Lines, Self::Branches, Self::Functions];

    fn name(self) -> &'static str {
        match self {
            Self::Lines => "lines",
            Self::Branches => "branches",
            Self::Functions => "functions",
        }
    }
}

/// How much of some files is covered.
#[derive(Clone, Copy, Debug, Default)]
struct Shares {
    lines: Share,
    branches: Share,
    functions: Share,
}

impl Shares {
    fn of(files: &[Covered]) -> Self {
        let mut shares = Self::default();
        for file in files {
            shares.lines.add(file.lines.iter().copied());
            shares.branches.add(file.branches.iter().map(|branch| branch.count));
            shares.functions.add(file.functions.iter().map(|function| function.count));
        }
        shares
    }

    fn get(self, metric: Metric) -> Share {
        match metric {
            Metric::Lines => self.lines,
            Metric::Branches => self.branches,
            Metric::Functions => self.functions,
        }
    }
}

/// A path as it is written from the directory of the project.
fn shown(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).display().to_string()
}
