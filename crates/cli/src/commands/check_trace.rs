//! `hemiola check` for traces: the observations of one run, held to a property.

use super::facts::Facts;
use super::property::{Property, Shown, named};
use super::traced::{self, Refusal};
use crate::args::{CheckArgs, Format, Given, LFlags, LasyncFlags, ScheduleFlags, ScheduleSearch};
use crate::done::Done;
use crate::exit::FOUND;
use crate::render::words::{break_of, one_line, words};
use crate::report::Failure;
use hemiola_machine::{Event, Instant};
use hemiola_monitor::End;
use hemiola_trace::{FleetFact, Observation};
use serde_json::json;
use std::cell::RefCell;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::Path;
use std::rc::Rc;

/// Of a run that breaks a property, so many observations are shown.
const LISTED: usize = 12;

/// Whether a file is a trace, and no program.
pub(super) fn is_trace(path: &Path) -> bool {
    let begins = || -> std::io::Result<bool> {
        // To open a pipe would take from it what is to be read.
        if !std::fs::metadata(path)?.is_file() {
            return Ok(false);
        }
        let mut start = [0; 32];
        let count = std::fs::File::open(path)?.read(&mut start)?;
        Ok(start[..count].starts_with(b"{\"format\":\"hemiola-trace\""))
    };
    path.extension().is_some_and(|end| end == "jsonl") || begins().unwrap_or_default()
}

/// What was observed: on which host of a fleet, when, and what.
#[derive(Default)]
struct Seen {
    all: Vec<(Option<String>, Instant, Observation)>,
    host: Option<String>,
    now: Instant,
}

impl Seen {
    fn event(&mut self, event: Event) {
        match event {
            Event::Fleet(FleetFact::Turned { name, .. }) => {
                // The host of a program: a name has no slash.
                let host = name.split('/').next().unwrap_or_default();
                self.host = Some(host.to_owned());
            }
            Event::Began { at, .. } => self.now = at,
            Event::Observed(value) => self.all.push((self.host.clone(), self.now, value)),
            _ => {}
        }
    }
}

pub(super) fn run(args: &CheckArgs, given: &Given) -> Result<Done, Failure> {
    let flag = given
        .first_of::<LFlags>()
        .or_else(|| given.first_of::<LasyncFlags>())
        .or_else(|| given.first_of::<ScheduleSearch>())
        .or_else(|| given.first_of::<ScheduleFlags>());
    if let Some(flag) = flag {
        let shown = args.file.display();
        return Err(Failure::new(format!("`--{flag}` is for programs, but `{shown}` is a trace"))
            .help("leave it out: a trace is one run"));
    }
    let property = Property::parse(&args.spec)?;
    match check(args, &property) {
        Ok(done) => Ok(done),
        Err(refusal) => refusal.answer(),
    }
}

fn check(args: &CheckArgs, property: &Property) -> Result<Done, Refusal> {
    let seen = Rc::new(RefCell::new(Seen::default()));
    let all = Rc::clone(&seen);
    let name = args.file.display().to_string();
    let notes = traced::open(&name)?.with_status().each(Facts::default(), move |event| {
        all.borrow_mut().event(event);
        ControlFlow::Continue(())
    })?;
    let seen = seen.take().all;
    let shown = seen.iter().map(|(host, _, value)| Shown { host: host.as_deref(), value });
    // A trace does not say whether its run was cut.
    let broken = property.broken(shown, End::Complete);
    let output = match args.search.format {
        Format::Text => text(property, &seen, broken),
        Format::Json => {
            let found = broken.map(|at| {
                let last = seen.get(at).or(seen.last());
                let trace: Vec<&Observation> =
                    seen.iter().take(at + 1).map(|(_, _, value)| value).collect();
                (last, trace)
            });
            let last = found.as_ref().and_then(|(last, _)| *last);
            let object = json!({
                "version": 1,
                "property": property.text,
                "conforms": broken.is_none(),
                "observations": seen.len(),
                "counterexample": found.as_ref().map(|(_, trace)| trace),
                "host": last.and_then(|(host, _, _)| host.as_ref()),
                "at_ms": last.map(|(_, at, _)| at.as_millis()),
            });
            format!("{object}\n")
        }
    };
    Ok(Done { output, notes, code: if broken.is_some() { FOUND } else { 0 } })
}

fn text(
    property: &Property,
    seen: &[(Option<String>, Instant, Observation)],
    broken: Option<usize>,
) -> String {
    let written = one_line(&property.text);
    let Some(at) = broken else {
        let count = seen.len();
        let s = if count == 1 { "" } else { "s" };
        return format!(
            "conforms: the run keeps to the property\n  {written}\n{count} observation{s}\n"
        );
    };
    let upto = &seen[..seen.len().min(at + 1)];
    let flat = |some: &[(Option<String>, Instant, Observation)]| -> Vec<Observation> {
        let both = some.iter().flat_map(|(host, _, value)| {
            host.as_deref().map(named).into_iter().chain([value.clone()])
        });
        both.collect()
    };
    let all = flat(upto);
    let (place, remark) = break_of(&property.spec, &all);
    let last = flat(&upto[upto.len().saturating_sub(LISTED)..]);
    // What is left out stands before what is shown.
    let left_out = words(&all).chars().count() - words(&last).chars().count();
    let (dots, place) = match left_out {
        0 => ("", place),
        _ => ("… ", (place + 2).saturating_sub(left_out)),
    };
    let shown = words(&last);
    let mut text = format!(
        "violated: the run breaks the property\n  {written}\nobserved\n  {dots}{shown}\n  {:place$}^ {remark}\n",
        ""
    );
    if let Some((host, at, _)) = seen.get(at) {
        let on = host.as_ref().map_or(String::new(), |host| format!(" on {host}"));
        text += &format!("at {:.3} s{on}\n", at.as_micros() as f64 / 1e6);
    }
    text
}
