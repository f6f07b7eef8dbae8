//! `hemiola test`: the test files of a project, each in a process of its own.
//!
//! [`find`] says which files there are, [`project`] what the project says about them, [`process`] runs one,
//! [`file`](mod@file) is that process, [`outcome`] what becomes of tests, and [`reporters`](mod@reporters) write it.

mod failed;
mod file;
mod find;
mod glob;
mod outcome;
mod process;
mod project;
mod reporters;
mod watching;

pub(super) use file::run as run_file;

use crate::args::{Reporter, ReporterKind, Shard, TestArgs};
use crate::done::Done;
use crate::exit::FOUND;
use crate::report::Failure;
use outcome::{FileResult, Summary};
use process::Wish;
use project::Project;
use reporters::Report;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};

pub(super) fn run(args: &TestArgs) -> Result<Done, Failure> {
    let root = std::env::current_dir().map_err(|error| {
        Failure::new(format!("cannot tell the current directory: {error}"))
            .help("change to a directory that exists")
    })?;
    let done = once(args, &root, None)?;
    if !args.watch {
        return Ok(done);
    }
    watching::run(&root, done, |changed| once(args, &root, Some(changed)))
}

/// Runs the tests once: all, or those that changed files are about.
fn once(args: &TestArgs, root: &Path, changed: Option<&[PathBuf]>) -> Result<Done, Failure> {
    let project = Project::read(root);
    let mut files = find::files(root, &args.files, &project)?;
    if let Some(Shard { part, of }) = args.shard {
        files = files
            .into_iter()
            .enumerate()
            .filter(|(at, _)| at % of == part - 1)
            .map(|(_, file)| file)
            .collect();
    }
    if let Some(changed) = changed
        && changed.iter().all(|path| files.contains(path))
    {
        files.retain(|file| changed.contains(file));
    }
    let wishes = wishes(args, root, &project, files)?;
    let mut report = Report::begin(&reporters(args), root, wishes.len(), project.notes())?;
    let results = run_all(wishes, args, &mut report);
    failed::keep(root, &results);
    let summary = Summary::of(&results);
    report.end(&results, &summary)?;
    let code = match (summary.is_failed(), summary.unsure > 0) {
        (true, _) => 1,
        (false, true) => FOUND,
        (false, false) => 0,
    };
    Ok(Done::silent(code))
}

/// What is wanted of each file.
fn wishes(
    args: &TestArgs,
    root: &Path,
    project: &Project,
    files: Vec<PathBuf>,
) -> Result<Vec<Wish>, Failure> {
    let failed = if args.rerun_failed { Some(failed::last(root)?) } else { None };
    let wishes = files.into_iter().filter_map(|file| {
        let names = match &failed {
            None => None,
            Some(failed) => failed.iter().find(|(path, _)| *path == file)?.1.clone(),
        };
        let settings = project.settings(args, names);
        let limit = project.limit(args);
        Some(Wish { file, settings: settings.to_string(), limit })
    });
    Ok(wishes.collect())
}

/// The reporters that were asked for, or the usual ones.
fn reporters(args: &TestArgs) -> Vec<Reporter> {
    if !args.reporter.is_empty() {
        return args.reporter.clone();
    }
    let on_screen = |kind| Reporter { kind, file: None };
    let mut usual = vec![on_screen(ReporterKind::Spec)];
    if std::env::var_os("GITHUB_ACTIONS").is_some() {
        usual.push(on_screen(ReporterKind::Github));
    }
    usual
}

/// Runs all files, several at a time; results are reported in the order of the files.
fn run_all(wishes: Vec<Wish>, args: &TestArgs, report: &mut Report) -> Vec<FileResult> {
    let jobs = args.jobs.map_or_else(cores, |jobs| jobs as usize).min(wishes.len().max(1));
    let queue: Mutex<VecDeque<(usize, Wish)>> =
        Mutex::new(wishes.into_iter().enumerate().collect());
    let is_stopped = AtomicBool::new(false);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            let sender = sender.clone();
            let (queue, is_stopped) = (&queue, &is_stopped);
            scope.spawn(move || {
                while !is_stopped.load(Ordering::Relaxed) {
                    let next = queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
                    let Some((at, wish)) = next else { return };
                    let result = process::run(&wish);
                    if args.bail && result.is_failed() {
                        is_stopped.store(true, Ordering::Relaxed);
                    }
                    if sender.send((at, result)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        in_order(&receiver, report)
    })
}

/// Takes results as they come, and reports each when those before it are there.
fn in_order(
    receiver: &mpsc::Receiver<(usize, FileResult)>,
    report: &mut Report,
) -> Vec<FileResult> {
    let mut early = std::collections::BTreeMap::new();
    let mut results = Vec::new();
    for (at, result) in receiver {
        report.progress(&result);
        early.insert(at, result);
        while let Some(next) = early.remove(&results.len()) {
            report.file(&next);
            results.push(next);
        }
    }
    // With --bail, some were never run.
    for (_, result) in early {
        report.file(&result);
        results.push(result);
    }
    results
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
