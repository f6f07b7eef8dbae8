//! `hemiola test`: the test files of a project, each in a process of its own.
//!
//! [`find`] says which files there are, [`project`] what the project says about them, [`process`] runs one,
//! [`file`](mod@file) is that process, [`outcome`] what becomes of tests, and [`reporters`](mod@reporters) write it.
//! [`explore`] runs tests under many schedules instead.

mod coverage;
mod explore;
mod failed;
mod file;
mod find;
mod glob;
mod merge;
mod outcome;
mod parallel;
mod process;
mod project;
mod reporters;
mod told;
mod watching;

pub(super) use explore::Followed;
pub(super) use file::run as run_file;
pub(super) use find::{is_named, normal};
pub(super) use merge::run as merge;

use crate::args::{FollowArgs, Format, Given, Reporter, ReporterKind, Shard, TestArgs, following};
use crate::commands::explored::Explored;
use crate::commands::searching::{interruption, is_interrupted};
use crate::console::complain;
use crate::done::Done;
use crate::exit::{FOUND, STOPPED};
use crate::report::{Failure, note};
use coverage::Collecting;
use hemiola_explore::schedules::TimeLimit;
use outcome::{FileResult, Summary};
use parallel::InOrder;
use process::{Around, Wish};
use project::Project;
use reporters::Report;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// Flags of a program under a schedule that tests do not have.
const OF_PROGRAMS: [&str; 6] =
    ["seed", "faults", "max-steps", "deadlocks", "potential", "strategy"];

pub(super) fn run(args: &TestArgs) -> Result<Done, Failure> {
    let root = root()?;
    if !args.watch {
        return once(args, &root, None);
    }
    watching::run(&root, |changed| once(args, &root, changed))
}

/// The directory of the project.
fn root() -> Result<PathBuf, Failure> {
    std::env::current_dir().map_err(|error| {
        Failure::new(format!("cannot tell the current directory: {error}"))
            .help("change to a directory that exists")
    })
}

/// Runs the tests once: all, or those that changed files are about.
fn once(args: &TestArgs, root: &Path, changed: Option<&[PathBuf]>) -> Result<Done, Failure> {
    let mut project = Project::read(root);
    let files = find::files(root, &args.files, &project);
    let mut files = files.inspect_err(|_| {
        // It may be why there are none.
        project.notes().iter().for_each(|text| complain(&note(text)));
    })?;
    // With --explore it is schedules that are shared.
    if let Some(Shard { part, of }) = args.shard.filter(|_| !args.exploring.explore) {
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
    let is_live = !args.exploring.explore && args.exploring.schedule.is_none();
    let coverage = args.coverage.wishes(&project.coverage).filter(|_| is_live);
    let collecting = Collecting::begin(coverage)?;
    let around = project.begin()?;
    let wishes = wishes(args, root, &project, files, collecting.as_ref())?;
    let notes = project.notes();
    let mut report = Report::begin(&reporters(args), root, wishes.len(), args.shard, notes)?;
    let results = match (&args.exploring.schedule, args.exploring.explore) {
        (Some(schedule), _) => explore::again(wishes, args, schedule, &mut report)?,
        (None, true) => explore::run_all(wishes, args, root, &mut report)?,
        (None, false) => run_all(wishes, args, project.is_serial(), &mut report),
    };
    failed::keep(root, &results);
    let is_torn_down = around.is_none_or(torn_down);
    let done = ended(report, &results)?;
    let is_enough = match collecting {
        Some(collecting) => collecting.end(root, &project, is_for_people(args))?,
        None => true,
    };
    let code = match (is_enough && is_torn_down, done.code) {
        (false, _) => 1,
        (true, 0) if is_interrupted() => STOPPED,
        (true, code) => code,
    };
    Ok(Done { code, notes: interruption(), ..done })
}

/// Does what the project wants done after all files; false if that failed.
fn torn_down(around: Around) -> bool {
    match around.end() {
        Ok(printed) => {
            complain(&printed);
            true
        }
        Err(reason) => {
            complain(&note(&format!("the globalTeardown of the tests failed: {reason}")));
            false
        }
    }
}

/// Reports about all, and says it by the exit status.
fn ended(report: Report, results: &[FileResult]) -> Result<Done, Failure> {
    let summary = Summary::of(results);
    report.end(results, &summary)?;
    let code = match (summary.is_failed(), summary.unsure > 0) {
        (true, _) => 1,
        (false, true) => FOUND,
        (false, false) => 0,
    };
    Ok(Done::silent(code))
}

/// What is to be followed in a schedule; and the test, if it is one and none of node:test.
pub(super) fn followed(
    args: &FollowArgs,
    given: &Given,
) -> Result<(Explored, Option<Followed>), Failure> {
    let mut explored = Explored::new(&args.program, &args.schedules, given)?;
    let Some(case) = &args.schedules.test_case else { return Ok((explored, None)) };
    if !explored.tests(TimeLimit::default())?.is_empty() {
        return Ok((explored.in_new_engines(), None));
    }
    if let Some(flag) = OF_PROGRAMS.iter().find(|flag| given.has(flag)) {
        return Err(Failure::new(format!("--{flag} is for programs, and this is a test"))
            .help("leave it out: `hemiola test --explore` has found the schedule without it"));
    }
    let (args, root) = (following(args, case)?, root()?);
    let mut project = Project::read(&root);
    let files = find::files(&root, &args.files, &project)?;
    // All that is left of it in the virtual world are the variables that it sets.
    project.begin()?.map(torn_down);
    let wishes = wishes(&args, &root, &project, files, None)?;
    let followed = Followed::find(wishes, args)?;
    Ok((followed.explored(), Some(followed)))
}

/// What is wanted of each file.
fn wishes(
    args: &TestArgs,
    root: &Path,
    project: &Project,
    files: Vec<PathBuf>,
    collecting: Option<&Collecting>,
) -> Result<Vec<Wish>, Failure> {
    let failed = if args.rerun_failed { Some(failed::last(root)?) } else { None };
    let wishes = files.into_iter().filter_map(|file| {
        let names = match &failed {
            None => None,
            Some(failed) => failed.iter().find(|(path, _)| *path == file)?.1.clone(),
        };
        let settings = project.settings(args, names);
        let limit = project.limit(args);
        let variable = collecting.map(Collecting::variable);
        Some(Wish { file, settings: settings.to_string(), limit, variable })
    });
    Ok(wishes.collect())
}

/// The reporters that were asked for, or the usual ones.
fn reporters(args: &TestArgs) -> Vec<Reporter> {
    if !args.reporter.is_empty() {
        return args.reporter.clone();
    }
    let on_screen = |kind| Reporter { kind, file: None };
    match args.format {
        Some(Format::Json) => return vec![on_screen(ReporterKind::Json)],
        Some(Format::Text) => return vec![on_screen(ReporterKind::Spec)],
        None => {}
    }
    let mut usual = vec![on_screen(ReporterKind::Spec)];
    if std::env::var_os("GITHUB_ACTIONS").is_some() {
        usual.push(on_screen(ReporterKind::Github));
    }
    usual
}

/// Whether what is on the screen is for people.
fn is_for_people(args: &TestArgs) -> bool {
    reporters(args).iter().filter(|reporter| reporter.file.is_none()).all(|reporter| match reporter
        .kind
    {
        ReporterKind::Spec | ReporterKind::Dot | ReporterKind::Github => true,
        ReporterKind::Tap | ReporterKind::Junit | ReporterKind::Json => false,
    })
}

/// Runs all files, several at a time; results are reported in the order of the files.
fn run_all(
    wishes: Vec<Wish>,
    args: &TestArgs,
    is_serial: bool,
    report: &mut Report,
) -> Vec<FileResult> {
    let is_stopped = AtomicBool::new(false);
    let run = |wish: Wish| {
        if is_stopped.load(Ordering::Relaxed) {
            return None;
        }
        let result = process::run(&wish);
        if args.bail && result.is_failed() {
            is_stopped.store(true, Ordering::Relaxed);
        }
        Some(result)
    };
    let mut results = InOrder::new(report);
    let jobs = if is_serial && args.jobs.is_none() { 1 } else { jobs(args) };
    parallel::each(wishes, jobs, None, run, |at, result| results.take(at, result));
    results.finish()
}

/// How much is done at the same time.
fn jobs(args: &TestArgs) -> usize {
    args.jobs.map_or_else(cores, |jobs| jobs as usize)
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
