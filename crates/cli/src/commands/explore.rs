//! `hemiola explore`: a program in JavaScript under every schedule.

use super::explored::Explored;
use super::searching::{Clock, Searched, code, explore, hear_interrupts, interruption, reduced};
use super::{closed, crashes, explore_tests, test};
use crate::args::{ExploreArgs, Format, Given, JavaScript, exploring};
use crate::done::Done;
use crate::input::is_javascript;
use crate::render::outcomes::{self, Exploration};
use crate::report::Failure;
use std::path::{Path, PathBuf};

pub(super) fn run(args: &ExploreArgs, given: &Given) -> Result<Done, Failure> {
    if let Some(crashes) = &args.crashes.crashes {
        return crashes::run(args, crashes, given);
    }
    match meant(&args.program) {
        Meant::Results(files) => {
            let journal = args.search.resume.as_ref().map(Option::as_deref);
            return test::merge(&files, args.format, journal);
        }
        Meant::Tests => return explore_files(args, given),
        Meant::Program => {}
    }
    hear_interrupts();
    let clock = Clock::new(args.search.limits.time);
    let mut explored = Explored::new(&args.program, &args.schedules, given)?;
    if args.schedules.test_case.is_none() {
        let cases = explored.tests(clock.limit())?;
        if !cases.is_empty() {
            return explore_tests::run(args, given, &cases);
        }
        // It may be for another runner than node:test.
        if args.program.words.first().is_some_and(|file| test::is_named(Path::new(file))) {
            return explore_files(args, given);
        }
    }
    let explored = reduced(explored, args.search.reduction).slow_after(args.search.limits.slow);
    let searched = explore(&explored, args, &args.schedules, given, &clock);
    // The process is about to end: to take its engines apart would only delay that.
    std::mem::forget(explored);
    let Searched { search, failed, resumed, starves } = searched?;
    let code = code(&search, failed.as_ref());
    let steps = args.schedules.max_steps;
    let exploration = Exploration { search: &search, failed, steps, resumed, starves };
    let output = match args.format {
        Format::Text => outcomes::text(&exploration),
        Format::Json => outcomes::json(&exploration),
    };
    let notes = interruption() + &closed::note_of(&search, &output, code);
    Ok(Done { output, notes, code })
}

/// The flags of a search that test files have, too.
const OF_TESTS: [&str; 8] =
    ["max-schedules", "time", "jobs", "slow", "fail-fast", "format", "resume", "color"];

/// Does what `hemiola test --explore` does.
fn explore_files(args: &ExploreArgs, given: &Given) -> Result<Done, Failure> {
    if let Some(flag) = given.other_than(&OF_TESTS) {
        return Err(Failure::new(format!("--{flag} is for one program, and these are test files"))
            .help("leave it out, or give one program"));
    }
    test::run(&exploring(args)?)
}

/// What the words after `explore` mean.
enum Meant {
    Program,
    /// The tests in files and directories.
    Tests,
    /// Results that are to be joined.
    Results(Vec<PathBuf>),
}

fn meant(program: &JavaScript) -> Meant {
    let JavaScript { eval: None, print: None, words, .. } = program else { return Meant::Program };
    let paths: Vec<&Path> = words.iter().map(Path::new).collect();
    let is_script = |path: &&Path| path.is_file() && is_javascript(path);
    let is_source = |path: &&Path| path.is_dir() || is_script(path);
    // A directory after a program is the program's argument.
    let begins_tests = |first: &Path| first.is_dir() || test::is_named(first);
    match paths.as_slice() {
        [merge, results @ ..] if *merge == Path::new("merge") && !merge.exists() => {
            Meant::Results(results.iter().map(PathBuf::from).collect())
        }
        [one] if one.is_dir() => Meant::Tests,
        [_, _, ..] if paths.iter().all(is_script) => Meant::Tests,
        [first, _, ..] if begins_tests(first) && paths.iter().all(is_source) => Meant::Tests,
        _ => Meant::Program,
    }
}
