//! The run of a joined trace once more: from its seed, its faults and the programs as they are now.

use super::joint;
use super::once::{Recorded, Which, Wishes};
use super::simulate::Simulated;
use super::study::Subject;
use crate::done::Done;
use crate::exit::LEFT;
use crate::input;
use crate::report::{Failure, note};
use hemiola_trace::joined::{self, Header};
use std::path::Path;

/// Runs it again with what its programs print, and says whether it does the same.
pub(in crate::commands) fn replay(
    name: &str,
    header: &Header,
    trace: Option<&Path>,
) -> Result<Done, Failure> {
    let study = Simulated::of_trace(name, header)?;
    let (written, _) = once_more(&study, header, true, None)?;
    if let Some(path) = trace {
        joint::write(path, &written)?;
    }
    Ok(match difference(name, &written)? {
        None => {
            let events = written.iter().filter(|&&byte| byte == b'\n').count() - 1;
            Done::noted(note(&format!("the same: {events} events")), 0)
        }
        Some(failure) => Done::noted(failure.to_string(), LEFT),
    })
}

/// Runs it again and records one of its processes: the id of the recording, and what there is to be said.
pub(in crate::commands) fn record(
    name: &str,
    header: &Header,
    host: Option<&str>,
    process: Option<u32>,
) -> Result<(String, String), Failure> {
    let study = Simulated::of_trace(name, header)?;
    let started = started(name, header)?;
    let is_meant = |(number, program): &&(u32, String)| match (process, host) {
        (Some(process), _) => *number == process,
        (None, Some(host)) => joined::is_of(program, host),
        (None, None) => false,
    };
    let meant: Vec<&(u32, String)> = started.iter().filter(is_meant).collect();
    let mut names: Vec<&str> = meant.iter().map(|(_, program)| program.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let known = || {
        let mut all: Vec<&str> = started.iter().map(|(_, program)| program.as_str()).collect();
        all.sort_unstable();
        all.dedup();
        format!("choose one: --host {}", all.join(", --host "))
    };
    let number = match (&meant[..], &names[..]) {
        ([], _) if host.is_none() && process.is_none() => {
            return Err(
                Failure::new(format!("`{name}` is the joined trace of a fleet")).help(known())
            );
        }
        ([], _) => {
            let wanted = match process {
                Some(process) => format!("no process {process}"),
                None => format!("no program `{}`", host.unwrap_or_default()),
            };
            return Err(Failure::new(format!("`{name}` has {wanted}")).help(known()));
        }
        ([first, ..], [_]) => first.0,
        ([..], [..]) => {
            return Err(Failure::new(format!(
                "`--host {}` may be any of {}",
                host.unwrap_or_default(),
                names.join(", ")
            ))
            .help(known()));
        }
    };
    let (written, recorded) = once_more(&study, header, false, Some(Which::One(number)))?;
    let mut notes = String::new();
    if meant.len() > 1 {
        let numbers: Vec<String> = meant.iter().map(|(number, _)| number.to_string()).collect();
        notes += &note(&format!(
            "{} was started {} times; this is process {number} of {}, choose another with --process",
            names[0],
            meant.len(),
            numbers.join(", ")
        ));
    }
    if difference(name, &written)?.is_some() {
        notes += &note(&format!(
            "the fleet does something else than in the trace, and this is what it does now; see where: hemiola replay {name}"
        ));
    }
    let Some(Recorded { id, .. }) = recorded.into_iter().next() else {
        return Err(Failure::new(format!("process {number} does not begin any more"))
            .help(format!("see where the run has changed: hemiola replay {name}")));
    };
    Ok((id, notes))
}

/// Makes the run of a trace again: what it writes, and what was recorded of it.
fn once_more(
    study: &Simulated,
    header: &Header,
    print: bool,
    record: Option<Which>,
) -> Result<(Vec<u8>, Vec<Recorded>), Failure> {
    let conditions = study.conditions(header.seed);
    let trace = study.header(Path::new(&header.fleet), &conditions);
    let shown = study.run(&conditions, &Wishes { print, trace: Some(trace), record })?;
    Ok((shown.trace, shown.recorded))
}

/// Where what was written now is not what a trace has.
fn difference(name: &str, now: &[u8]) -> Result<Option<Failure>, Failure> {
    let then = std::fs::read(name).map_err(|error| {
        Failure::new(format!("cannot read {name}: {}", input::reason(&error)))
            .help("write it again: hemiola fleet simulate FILE --trace FILE")
    })?;
    let mut lines = [then.as_slice(), now].map(|bytes| bytes.split(|&byte| byte == b'\n'));
    for number in 1.. {
        let [first, second] = lines.each_mut().map(Iterator::next);
        if first.is_none() && second.is_none() {
            break;
        }
        if first != second {
            let text = |line: Option<&[u8]>| match line.filter(|line| !line.is_empty()) {
                None => "nothing more".to_owned(),
                Some(line) => String::from_utf8_lossy(line).into_owned(),
            };
            return Ok(Some(
                Failure::new(format!(
                    "the fleet does something else at line {number} of the trace"
                ))
                .fact(format!("then: {}", text(first)))
                .fact(format!("now:  {}", text(second)))
                .help("its file or one of its programs has changed since"),
            ));
        }
    }
    Ok(None)
}

/// The processes of a trace, each with the name of its program.
fn started(name: &str, header: &Header) -> Result<Vec<(u32, String)>, Failure> {
    let bytes = std::fs::read(name).map_err(|error| {
        Failure::new(format!("cannot read {name}: {}", input::reason(&error)))
            .help("write it again: hemiola fleet simulate FILE --trace FILE")
    })?;
    let text = String::from_utf8_lossy(&bytes);
    let lines = text.lines().filter(|line| line.contains("\"ev\":\"started\""));
    let process = |line: &str| {
        let line = joined::line(&serde_json::from_str(line).ok()?).ok()?;
        let (host, process) = line.of?;
        let program = match line.event {
            hemiola_machine::Event::Fleet(hemiola_trace::FleetFact::Started {
                program, ..
            }) => program,
            _ => return None,
        };
        Some((process, header.name(&host, program)))
    };
    Ok(lines.filter_map(process).collect())
}
