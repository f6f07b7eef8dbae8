//! `hemiola verify`: a trace of a scheduler, held to its theory.

use super::Done;
use crate::args::{Format, VerifyArgs};
use crate::input::Source;
use crate::report::Failure;
use hemiola_monitor::theory::{
    Owner, Report, Story, Subject, Theory, Trace, Verdict, Violation, Wait,
};
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// An axiom is violated.
const VIOLATED: u8 = 100;

pub(super) fn run(args: &VerifyArgs) -> Result<Done, Failure> {
    let theory = match &args.theory {
        None => Theory::declarative_scheduler(),
        Some(path) => {
            let source = Source::read_of(path, "a theory")?;
            Theory::parse(&source.text).map_err(|error| Failure::at(source, error))?
        }
    };
    let source = Source::read_of(&args.trace, "a trace")?;
    let trace = match Trace::parse(&source.text) {
        Ok(trace) => trace,
        Err(error) => return Err(Failure::at(source, error)),
    };
    let report = trace.check(&theory, trace.params(&theory, [args.a, args.b, args.tlag]));
    let output = match args.format {
        Format::Text => text(&report, &trace),
        Format::Json => json(&report, &trace),
    };
    let code = if report.blame.is_some() { VIOLATED } else { 0 };
    Ok(Done { output, notes: String::new(), code })
}

fn blame(owner: Option<Owner>) -> &'static str {
    match owner {
        None => "none",
        Some(Owner::Environment) => "environment",
        Some(Owner::Scheduler) => "scheduler",
    }
}

// For programs.

fn json(report: &Report, trace: &dyn Story) -> String {
    let mut verdicts = Map::new();
    let mut witness = Map::new();
    for (axiom, verdict) in &report.verdicts {
        verdicts.insert(axiom.name.clone(), verdict.name().into());
        let shown = match verdict {
            Verdict::Holds => continue,
            Verdict::Violated(violation) => violation_json(violation, axiom.owner, trace),
            Verdict::Undetermined(waits) => {
                let waits: Vec<Value> = waits.iter().map(|wait| wait_json(wait, trace)).collect();
                json!({ "awaits": waits })
            }
        };
        witness.insert(axiom.name.clone(), shown);
    }
    let object = json!({
        "version": 1,
        "verdicts": verdicts,
        "blame": blame(report.blame),
        "witness": witness,
    });
    format!("{object}\n")
}

fn violation_json(violation: &Violation, owner: Owner, trace: &dyn Story) -> Value {
    let mut object = Map::new();
    if let Some((position, _)) = violation.event.and_then(|event| trace.position(event)) {
        object.insert("position".into(), position.into());
        object.insert("t".into(), violation.time.into());
    }
    name(&violation.subject, trace, &mut object);
    let events = violation.events.iter().filter_map(|event| {
        let (position, time) = trace.position(*event)?;
        Some(json!({ "position": position, "t": time, "event": trace.describe(*event) }))
    });
    object.insert("events".into(), events.collect());
    object.extend(violation.awaited.iter().map(|goal| ("awaited".into(), goal.as_str().into())));
    object.insert("blame".into(), blame(Some(owner)).into());
    object.into()
}

fn wait_json(wait: &Wait, trace: &dyn Story) -> Value {
    let mut object = Map::new();
    object.insert("for".into(), wait.goal.as_str().into());
    name(&wait.subject, trace, &mut object);
    if let Some((position, _)) = wait.since.and_then(|event| trace.position(event)) {
        object.insert("since".into(), position.into());
    }
    object.into()
}

fn name(subject: &Option<Subject>, trace: &dyn Story, object: &mut Map<String, Value>) {
    let (key, value) = match subject {
        None => return,
        Some(Subject::Id(id)) => ("id", id.clone()),
        Some(Subject::Task(task)) => ("task", task.clone()),
        Some(Subject::Call(call)) => ("call", trace.call(*call)),
    };
    object.insert(key.into(), value.into());
}

// For people.

fn text(report: &Report, trace: &dyn Story) -> String {
    let mut out = String::new();
    let width =
        report.verdicts.iter().map(|(axiom, _)| axiom.name.chars().count()).max().unwrap_or(0);
    for (axiom, verdict) in &report.verdicts {
        let line = format!("{:width$}  {:<12}  {}", axiom.name, verdict.name(), axiom.title);
        let _ = writeln!(out, "{}", line.trim_end());
        let indent = width + 2;
        match verdict {
            Verdict::Holds => {}
            Verdict::Violated(violation) => violation_text(violation, trace, indent, &mut out),
            Verdict::Undetermined(waits) => {
                for wait in waits {
                    let whom = whom(&wait.subject, trace, "of ");
                    let since =
                        wait.since.and_then(|event| trace.position(event).map(|at| (event, at)));
                    let since = since.map_or(String::new(), |(event, (position, time))| {
                        format!(", since position {position} (t {time}): {}", trace.describe(event))
                    });
                    let _ = writeln!(out, "{:indent$}awaits {}{whom}{since}", "", wait.goal);
                }
            }
        }
    }
    let params = report.params;
    let _ = writeln!(out, "budgets with a {}, b {}, tlag {}", params.a, params.b, params.tlag);
    let _ = writeln!(out, "blame: {}", blame(report.blame));
    out
}

fn violation_text(violation: &Violation, trace: &dyn Story, indent: usize, out: &mut String) {
    let whom = whom(&violation.subject, trace, "for ");
    match violation.event.and_then(|event| trace.position(event)) {
        Some((position, _)) => {
            let _ =
                writeln!(out, "{:indent$}at position {position} (t {}){whom}", "", violation.time);
        }
        None => {
            let _ = writeln!(out, "{:indent$}in what repeats for ever{whom}", "");
        }
    }
    if let Some(goal) = &violation.awaited {
        let _ = writeln!(out, "{:indent$}in vain: {goal}", "");
    }
    for event in &violation.events {
        if let Some((position, time)) = trace.position(*event) {
            let _ = writeln!(
                out,
                "{:indent$}  {position:>4}  t {time:<10}  {}",
                "",
                trace.describe(*event)
            );
        }
    }
}

fn whom(subject: &Option<Subject>, trace: &dyn Story, word: &str) -> String {
    match subject {
        None => String::new(),
        Some(Subject::Id(id)) => format!(", {word}tasks with the id {id}"),
        Some(Subject::Task(task)) => format!(", {word}task {task}"),
        Some(Subject::Call(call)) => format!(", {word}call {}", trace.call(*call)),
    }
}
