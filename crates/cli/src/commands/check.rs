//! `hemiola check`: every execution of a program, held to a property.

use super::executions::{STATES, cut, cuts, decide, explore, follow, notes};
use super::property::Property;
use super::{check_javascript, check_trace};
use crate::args::{CheckArgs, Format, Given, LFlags, LasyncFlags, ScheduleFlags, ScheduleSearch};
use crate::done::Done;
use crate::exit::{FOUND, STOPPED};
use crate::input::{self, is_javascript, is_stdin};
use crate::language::Program;
use crate::render::executions::{self, BrokenFor, Decision, Run, Verdict, Violation};
use crate::report::Failure;
use crate::shell;
use hemiola_explore::{Broken, Counterexample, End, Endless, Finish, Outcomes};
use hemiola_machine::Schedule;
use hemiola_monitor::Spec;
use std::ffi::OsString;
use std::path::Path;

pub(super) fn run(args: &CheckArgs, given: &Given) -> Result<Done, Failure> {
    if check_trace::is_trace(&args.file) {
        return check_trace::run(args, given);
    }
    if is_javascript(&args.file) {
        return check_javascript::run(args, given);
    }
    let program = read(args, given)?;
    let Property { spec, .. } = Property::parse(&args.spec)?;
    let (mut graph, endless) = decide(&program, &args.search, given);
    if let Some(endless) = endless {
        let broken = endless.violation(&spec, args.search.fair);
        // What a run breaks by its beginning, a run within the bounds shows from its start to its end.
        let bounded = broken.as_ref().filter(|broken| begins_wrong(&spec, broken));
        let bounded = bounded.map(|_| explore(&program, &args.search));
        match bounded.filter(|graph| Outcomes::of(graph).violation(&spec).is_some()) {
            Some(bounded) => graph = bounded,
            None => return Ok(decided(&program, &endless, broken, &spec, args, given)),
        }
    }
    let outcomes = Outcomes::of(&graph);
    let cuts = cuts(outcomes.bounds(), &program, &args.search, given);
    let violation = outcomes.violation(&spec).map(|found| {
        let (run, schedule) = repeat(&program, found);
        let command = command(&program, &args.file, &schedule, given);
        Violation { run, schedule, command }
    });
    let stopped = cuts.iter().any(|cut| cut.by_default || cut.name == STATES);
    let (code, notes) = match violation {
        Some(_) => (FOUND, String::new()),
        None => (if stopped { STOPPED } else { 0 }, notes(&cuts, args.search.format)),
    };
    let property = args.spec.clone();
    let verdict = Verdict { property, spec, violation, states: graph.states(), cuts };
    let output = match args.search.format {
        Format::Text => {
            executions::verdict_text(&verdict, |name| cut(name, &program, &args.search, given))
        }
        Format::Json => executions::verdict_json(&verdict),
    };
    Ok(Done { output, notes, code })
}

/// Whether a run breaks a property before it goes round.
fn begins_wrong(spec: &Spec, broken: &Broken) -> bool {
    let advance = |standing, shown| spec.advance(&standing, shown);
    let standing = broken.trace.iter().fold(spec.start(), advance);
    matches!(broken.end, Finish::End(_)) || spec.failed(&standing)
}

/// What is known of a program that never ends and has finitely many configurations.
fn decided(
    program: &Program,
    endless: &Endless,
    broken: Option<Broken>,
    spec: &Spec,
    args: &CheckArgs,
    given: &Given,
) -> Done {
    let fair = args.search.fair;
    let broken = broken.map(|Broken { trace, end }| {
        // A finite schedule leads into the round, and once through it.
        let (begins, end_of_run) = match &end {
            Finish::End(end) => (trace.clone(), Some(end)),
            Finish::Again(again) => ([trace.as_slice(), again].concat(), None),
        };
        let schedule = program.schedule_of(&begins, end_of_run);
        let repeat = schedule.map(|schedule| {
            let command = command(program, &args.file, &schedule, given);
            (schedule, command)
        });
        BrokenFor { trace, end, repeat }
    });
    let code = if broken.is_some() { FOUND } else { 0 };
    let property = args.spec.clone();
    let decision = Decision { property, spec, broken, states: endless.states(), fair };
    let output = match args.search.format {
        Format::Text => executions::decision_text(&decision),
        Format::Json => executions::decision_json(&decision),
    };
    Done::with(output, code)
}

/// Reads the program; its extension says in which language it is.
fn read(args: &CheckArgs, given: &Given) -> Result<Program, Failure> {
    let search = &args.search;
    let shown = args.file.display();
    let foreign = |flag: &str, theirs: &str, ours: &str| {
        Failure::new(format!("`--{flag}` is for {theirs}, but `{shown}` is in {ours}"))
            .help("leave it out; `hemiola check --help` lists the options of each language")
    };
    match args.file.extension().and_then(|extension| extension.to_str()) {
        Some("l" | "la") if of_javascript(given).is_some() => {
            let flag = of_javascript(given).unwrap_or_default();
            Err(foreign(flag, "JavaScript", "another language"))
        }
        Some("l") => match given.first_of::<LasyncFlags>() {
            Some(flag) => Err(foreign(flag, "λasync", "L")),
            None => Program::l(input::read(&args.file)?, &args.l, search),
        },
        Some("la") => match given.first_of::<LFlags>() {
            Some(flag) => Err(foreign(flag, "L", "λasync")),
            None => Program::lasync(input::read(&args.file)?, &args.lasync, search),
        },
        _ if is_stdin(&args.file) => Err(Failure::new(
            "cannot tell the language of standard input",
        )
        .help("save the program in a file that ends in .l (L), .la (λasync) or .js (JavaScript)")),
        _ => Err(Failure::new(format!("cannot tell the language of `{shown}`"))
            .help("give a file that ends in .l (L), .la (λasync) or .js (JavaScript), or a trace")),
    }
}

/// The first flag that only programs in JavaScript have.
fn of_javascript(given: &Given) -> Option<&str> {
    given.first_of::<ScheduleSearch>().or_else(|| given.first_of::<ScheduleFlags>())
}

/// Runs the counterexample again, as the user will, with the schedule that does so.
fn repeat(program: &Program, found: Counterexample) -> (Run, Schedule) {
    let Counterexample { trace, end, schedule } = found;
    // Where the budget was spent, the run goes on; what it broke stays broken.
    let end = Some(&end).filter(|&end| *end != End::Cut(STATES));
    let fits = |run: &Run| match end {
        Some(end) => (&run.trace, &run.end) == (&trace, end),
        None => run.trace.starts_with(&trace),
    };
    if let Some(run) = follow(program, &schedule).ok().filter(fits) {
        return (run, schedule);
    }
    // Equal configurations may offer their alternatives in different orders, and the graph knows
    // only one of these.
    let schedule = program.schedule_of(&trace, end).expect("a counterexample has a schedule");
    let run = follow(program, &schedule).ok().filter(fits);
    (run.expect("a schedule that was found repeats its run"), schedule)
}

/// The command that runs it again.
fn command(program: &Program, file: &Path, schedule: &Schedule, given: &Given) -> String {
    let is_flag = file.as_os_str().as_encoded_bytes().starts_with(b"-");
    let file = if is_flag { Path::new(".").join(file) } else { file.to_owned() };
    let start = [OsString::from("hemiola"), program.command().into(), file.into()];
    let schedule = ["--schedule".into(), schedule.to_string().into()];
    shell::line(start.into_iter().chain(given.words(&["spec", "fair"])).chain(schedule))
}
