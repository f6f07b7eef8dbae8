//! `hemiola verify`: a trace of a scheduler, held to its theory.

use super::verify_nodes::{self, Clusters, is_of_cluster};
use crate::args::{Format, VerifyArgs};
use crate::done::Done;
use crate::exit::FOUND;
use crate::input;
use crate::progress::Ticking;
use crate::report::{Failure, note};
use crate::source::Source;
use hemiola_machine::Event;
use hemiola_monitor::theory::{
    AxiomInfo, Environment, Nature, Owner, Params, Phenomenon, Report, Story, Subject, Theory,
    Trace, Verdict, Violation, Wait,
};
use hemiola_scheduler::{Contract, PARAMS};
use hemiola_trace::joined::{self, Header};
use hemiola_trace::{FleetFact, wire};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::PathBuf;

pub(super) fn run(args: &VerifyArgs) -> Result<Done, Failure> {
    let _status = Ticking::words("holding the trace to its theory");
    let given = match &args.theory {
        None => None,
        Some(path) => {
            let source = input::read_of(path, "a theory")?;
            Some(Theory::parse(&source.text).map_err(|error| Failure::at(source, error))?)
        }
    };
    let theory = given.as_ref().unwrap_or_else(|| Theory::of_schedulers());
    let read = |path: &PathBuf| input::read_of(path, "a trace");
    let mut sources = args.traces.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    if sources.len() == 1 && !is_of_run(&sources[0]) {
        return hand_written(sources.remove(0), theory, args);
    }
    let clusters = verify_nodes::gather(&sources)?;
    if let [source] = &sources[..]
        && let Some(header) = Header::read(source.text.lines().next().unwrap_or_default())
    {
        return fleet(source, &header, clusters, given.as_ref(), args);
    }
    if let Some(joined) = sources
        .iter()
        .find(|source| Header::read(source.text.lines().next().unwrap_or_default()).is_some())
    {
        return Err(Failure::new(format!("`{}` is the joined trace of a fleet", joined.name))
            .help("give it alone: all its processes are in it"));
    }
    if !clusters.is_empty() {
        let judged = judge(clusters, given.as_ref(), args);
        return Ok(Done { notes: verify_nodes::others(&sources), ..judged });
    }
    let params = params(args, theory);
    let mut contract = Contract::new(theory, params);
    contract.keep_grants();
    in_order(&sources)?;
    for (number, source) in sources.iter().enumerate() {
        if number > 0 {
            contract.end_process();
        }
        tell(&mut contract, source)?;
    }
    let notes = match contract.is_empty() {
        true => note(NO_SCHEDULER),
        false => String::new(),
    };
    let report = contract.report();
    let environment = contract.environment();
    Ok(done(&report, &contract, environment, args.format, notes))
}

const NO_SCHEDULER: &str = "the trace knows of no scheduler: the program did not call initialize";

fn params(args: &VerifyArgs, theory: &Theory) -> Params {
    let published = if args.theory.is_some() { theory.params() } else { PARAMS };
    Params {
        a: args.a.unwrap_or(published.a),
        b: args.b.unwrap_or(published.b),
        tlag: args.tlag.unwrap_or(published.tlag),
    }
}

/// Holds the schedulers that several nodes are to the theory, each by itself (rule CLUS-7).
fn judge(clusters: Clusters, theory: Option<&Theory>, args: &VerifyArgs) -> Done {
    let theory = theory.unwrap_or_else(|| Theory::of_clusters());
    let published = theory.params();
    let params = Params {
        a: args.a.unwrap_or(published.a),
        b: args.b.unwrap_or(published.b),
        tlag: args.tlag.unwrap_or(published.tlag),
    };
    let is_alone = clusters.len() == 1;
    let mut all = Done::silent(0);
    for (name, told) in clusters {
        let mut contract = Contract::of_cluster(theory, params, told);
        let report = contract.report();
        let one = done(&report, &contract, None, args.format, String::new());
        all.output += &match args.format {
            Format::Text if is_alone => one.output,
            Format::Text => format!("{name}\n{}", one.output),
            Format::Json => one.output.replacen('{', &format!("{{\"cluster\":{},", json!(name)), 1),
        };
        all.code = all.code.max(one.code);
    }
    all
}

/// What the schedulers of a fleet did, each program by itself: its processes took the place of each other.
fn fleet(
    source: &Source,
    header: &Header,
    clusters: Clusters,
    given: Option<&Theory>,
    args: &VerifyArgs,
) -> Result<Done, Failure> {
    let theory = given.unwrap_or_else(|| Theory::of_schedulers());
    let nodes: BTreeSet<u32> = match clusters.is_empty() {
        true => BTreeSet::new(),
        false => {
            source.text.lines().filter(|line| is_of_cluster(line)).filter_map(process).collect()
        }
    };
    let refuse = |number: usize, why: String| {
        Failure::new(format!("cannot read `{}`: line {number}: {why}", source.name))
            .help("write it again: hemiola fleet simulate FILE --trace FILE")
    };
    let mut names: BTreeMap<u32, String> = BTreeMap::new();
    let mut contracts: BTreeMap<String, (u32, Contract<'_>)> = BTreeMap::new();
    for (index, line) in source.text.lines().enumerate().skip(1) {
        if !(line.contains("\"ev\":\"task\"") || line.contains("\"ev\":\"started\"")) {
            continue;
        }
        let value: Value =
            serde_json::from_str(line).map_err(|error| refuse(index + 1, error.to_string()))?;
        let line = joined::line(&value).map_err(|why| refuse(index + 1, why))?;
        let Some((host, process)) = line.of else { continue };
        match line.event {
            Event::Fleet(FleetFact::Started { program, .. }) => {
                names.insert(process, header.name(&host, program));
            }
            // Nodes of one scheduler are judged together.
            Event::Task { .. } if nodes.contains(&process) => {}
            Event::Task { at, what } => {
                let name = names.entry(process).or_insert(host).clone();
                let new = || {
                    let mut contract = Contract::new(theory, params(args, theory));
                    contract.keep_grants();
                    (process, contract)
                };
                let (last, contract) = contracts.entry(name).or_insert_with(new);
                if std::mem::replace(last, process) != process {
                    contract.end_process();
                }
                contract.tell(at, &what);
            }
            _ => {}
        }
    }
    if contracts.is_empty() && clusters.is_empty() {
        return Ok(Done::noted(note(NO_SCHEDULER), 0));
    }
    // What a paused program could not compute counts as if it could.
    let is_paused = |name: &String| {
        let of = |fault: &String| {
            fault.strip_prefix("pause ").and_then(|rest| rest.split(' ').next().map(str::to_owned))
        };
        header
            .faults
            .iter()
            .filter_map(of)
            .any(|who| joined::is_of(name, &who) || joined::is_of(&who, name))
    };
    if let Some(paused) = contracts.keys().find(|name| is_paused(name)) {
        return Err(Failure::new(format!(
            "`verify` cannot judge {paused}: it was paused, and the trace does not say what it could compute meanwhile"
        ))
        .help("leave out the pauses: --faults"));
    }
    let mut all = judge(clusters, given, args);
    for (name, (_, contract)) in &mut contracts {
        let report = contract.report();
        let environment = contract.environment();
        let one = done(&report, contract, environment, args.format, String::new());
        all.output += &match args.format {
            Format::Text => format!("{name}\n{}", one.output),
            Format::Json => one.output.replacen('{', &format!("{{\"host\":{},", json!(name)), 1),
        };
        all.code = all.code.max(one.code);
    }
    Ok(all)
}

/// Whose line of a joined trace it is.
fn process(line: &str) -> Option<u32> {
    let value: Value = serde_json::from_str(line).ok()?;
    value.get("process")?.as_u64()?.try_into().ok()
}

/// A trace that somebody wrote down.
fn hand_written(source: Source, theory: &Theory, args: &VerifyArgs) -> Result<Done, Failure> {
    let trace = match Trace::parse(&source.text) {
        Ok(trace) => trace,
        Err(error) => return Err(Failure::at(source, error)),
    };
    let report = trace.check(theory, trace.params(theory, [args.a, args.b, args.tlag]));
    Ok(done(&report, &trace, trace.environment(), args.format, String::new()))
}

pub(super) fn done(
    report: &Report,
    story: &dyn Story,
    environment: Option<Environment>,
    format: Format,
    notes: String,
) -> Done {
    let output = match format {
        Format::Text => text(report, story, environment),
        Format::Json => json(report, story, environment),
    };
    let code = if report.blame.is_some() { FOUND } else { 0 };
    Done { output, notes, code }
}

/// Whether a text is the trace of a run, and not one that somebody wrote down.
fn is_of_run(source: &Source) -> bool {
    source.text.lines().next().is_some_and(|line| line.contains("\"hemiola-trace\""))
}

/// Traces of processes of which one took the place of the other are given in that order: one that begins earlier
/// than another cannot follow it.
fn in_order(sources: &[Source]) -> Result<(), Failure> {
    let begins = sources.iter().filter_map(|source| Some((source, first_instant(source)?)));
    let begins: Vec<(&Source, i64)> = begins.collect();
    match begins.windows(2).find(|pair| pair[1].1 < pair[0].1) {
        None => Ok(()),
        Some(pair) => {
            let [(before, _), (after, _)] = [pair[0], pair[1]];
            let (before, after) = (&before.name, &after.name);
            Err(Failure::new(format!("`{after}` begins before `{before}` and cannot follow it"))
                .help("give the traces in the order of the processes"))
        }
    }
}

/// The instant of the first fact that a trace has of a scheduler.
fn first_instant(source: &Source) -> Option<i64> {
    let line = source.text.lines().find(|line| line.contains("\"ev\":\"task\""))?;
    match wire::from_json(&serde_json::from_str(line).ok()?) {
        Ok(Event::Task { at, .. }) => Some(at),
        _ => None,
    }
}

/// Tells a contract what the trace of a process knows of its scheduler. The last line of a process that was
/// killed may be cut, and even the first.
fn tell(contract: &mut Contract<'_>, source: &Source) -> Result<(), Failure> {
    if source.text.is_empty() {
        return Ok(());
    }
    let help =
        "give traces that `run --trace` or `simulate --trace` wrote, in the order of the processes";
    let name = &source.name;
    let refuse = |why: String| Failure::new(format!("cannot read `{name}`: {why}")).help(help);
    let header = source.text.lines().next().unwrap_or_default();
    wire::read(header.as_bytes()).map_err(|error| refuse(error.to_string()))?;
    let is_whole = source.text.ends_with('\n');
    let mut lines = source.text.lines().enumerate().skip(1).peekable();
    while let Some((number, line)) = lines.next() {
        if !line.contains("\"ev\":\"task\"") {
            continue;
        }
        let parsed: Result<Value, String> =
            serde_json::from_str(line).map_err(|error| error.to_string());
        match parsed.and_then(|value| wire::from_json(&value)) {
            Ok(Event::Task { at, what }) => contract.tell(at, &what),
            Ok(_) => {}
            Err(_) if !is_whole && lines.peek().is_none() => {}
            Err(why) => return Err(refuse(format!("line {}: {why}", number + 1))),
        }
    }
    Ok(())
}

/// A violation, to be told when it happens.
pub(super) fn violation_line(
    axiom: &AxiomInfo,
    violation: &Violation,
    story: &dyn Story,
) -> String {
    let AxiomInfo { name, title, owner } = axiom;
    let mut out = format!("violated: {name}, {title}\n");
    violation_text(violation, story, 2, &mut out);
    let _ = writeln!(out, "  blame: {}", blame(Some(*owner)));
    out
}

pub(super) fn blame(owner: Option<Owner>) -> &'static str {
    match owner {
        None => "none",
        Some(Owner::Environment) => "environment",
        Some(Owner::Scheduler) => "scheduler",
    }
}

// For programs.

fn json(report: &Report, trace: &dyn Story, environment: Option<Environment>) -> String {
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
    let mut object = json!({
        "version": 1,
        "verdicts": verdicts,
        "blame": blame(report.blame),
        "witness": witness,
        "needs": { "a": report.needs.a, "b": report.needs.b, "tlag": report.needs.tlag },
        "environment": environment.map(environment_json),
    });
    let supernatural = trace.supernatural();
    if !supernatural.is_empty() {
        let kinds = supernatural.iter().map(
            |Phenomenon { kind, count, first }| json!({ "kind": kind, "count": count, "t": first }),
        );
        object["supernatural"] = kinds.collect();
    }
    format!("{object}\n")
}

fn environment_json(Environment { nature, freeze }: Environment) -> Value {
    let mut object = Map::new();
    object.insert("class".into(), nature.name().into());
    match nature {
        Nature::Freezing => {}
        Nature::Thawing { within } => drop(object.insert("U".into(), within.into())),
        Nature::Dense { epsilon, delta } => {
            object.insert("epsilon".into(), share(epsilon).into());
            object.insert("delta".into(), delta.into());
        }
        Nature::Burst { spike } => drop(object.insert("spike".into(), spike.into())),
    }
    object.insert("longestFreeze".into(), freeze.map_or(0, length).into());
    object.into()
}

/// How long an interval is, both ends included.
fn length((from, to): (i64, i64)) -> u64 {
    to.abs_diff(from) + 1
}

/// A share, not more than it is.
fn share((units, of): (u64, u64)) -> f64 {
    (units as f64 / of as f64 * 1e6).floor() / 1e6
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
    if let Some((granted, budget)) = wait.spent {
        object.insert("granted".into(), granted.into());
        object.insert("budget".into(), budget.into());
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

fn text(report: &Report, trace: &dyn Story, environment: Option<Environment>) -> String {
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
                    // As long as the budget lasts, it is not the scheduler that lets wait.
                    if let Some((granted, budget)) = wait.spent {
                        let _ = writeln!(
                            out,
                            "{:indent$}  the environment has granted {granted} of {budget} units",
                            ""
                        );
                    }
                }
            }
        }
    }
    let params = report.params;
    let _ = writeln!(out, "budgets with a {}, b {}, tlag {}", params.a, params.b, params.tlag);
    let needs = report.needs;
    let _ = writeln!(out, "the trace needs a {}, b {}, tlag {}", needs.a, needs.b, needs.tlag);
    if let Some(environment) = environment {
        let _ = writeln!(out, "environment: {}", environment_text(environment));
    }
    for Phenomenon { kind, count, first } in trace.supernatural() {
        let times = if count == 1 { String::new() } else { format!(", {count} times, first") };
        let _ = writeln!(out, "supernatural: {}{times} at t {first}", kind.escape_debug());
    }
    let _ = writeln!(out, "blame: {}", blame(report.blame));
    out
}

fn environment_text(Environment { nature, freeze }: Environment) -> String {
    let name = nature.name();
    let longest = freeze.map_or_else(String::new, |(from, to)| {
        format!(", longest freeze {} ms, t {from} to {to}", length((from, to)))
    });
    match nature {
        Nature::Freezing => format!("{name}{longest}"),
        Nature::Thawing { within } => format!("{name}, U {within} ms{longest}"),
        Nature::Dense { epsilon, delta } => {
            format!("{name}, ε {}, Δ {delta} ms{longest}", share(epsilon))
        }
        Nature::Burst { spike } => format!("{name}, up to {spike} ms in a row{longest}"),
    }
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
