//! What the executions of a small program show, for people and for programs.

use super::words::{break_of, count, one_line, word, words};
use hemiola_explore::{End, Sequences};
use hemiola_machine::{Event, Observation, Schedule};
use hemiola_monitor::Spec;
use hemiola_trace::{text, wire};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The version of the JSON objects.
const VERSION: u32 = 1;

/// A bound that cut a search.
#[derive(Debug)]
pub(crate) struct Cut {
    /// As JSON tells it.
    pub(crate) name: &'static str,
    /// The flag that sets it, and its value; none for one that is fixed.
    pub(crate) flag: Option<(&'static str, u64)>,
    /// Whether the user left it as it is.
    pub(crate) by_default: bool,
}

/// Everything that a program can show.
#[derive(Debug)]
pub(crate) struct Listing {
    pub(crate) sequences: Sequences,
    pub(crate) starves: BTreeSet<String>,
    pub(crate) states: usize,
    pub(crate) cuts: Vec<Cut>,
}

/// A single run.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) events: Vec<Event>,
    pub(crate) trace: Vec<Observation>,
    pub(crate) end: End,
}

/// Whether a program conforms to a property.
#[derive(Debug)]
pub(crate) struct Verdict {
    pub(crate) property: String,
    pub(crate) spec: Spec,
    pub(crate) violation: Option<Violation>,
    pub(crate) states: usize,
    pub(crate) cuts: Vec<Cut>,
}

/// A run that breaks a property, and how to repeat it.
#[derive(Debug)]
pub(crate) struct Violation {
    pub(crate) run: Run,
    pub(crate) schedule: Schedule,
    pub(crate) command: String,
}

// For programs.

pub(crate) fn listing_json(listing: &Listing) -> String {
    let Listing { sequences, starves, states, cuts } = listing;
    let stuck = sequences.stuck.iter();
    line(&json!({
        "version": VERSION,
        "traces": sequences.traces,
        "cut": sequences.cut,
        "stuck": stuck.map(|(trace, reason)| json!({ "trace": trace, "reason": reason }))
            .collect::<Vec<_>>(),
        "starves": starves,
        "complete": cuts.is_empty(),
        "states": states,
        "cut_by": names(cuts),
    }))
}

pub(crate) fn run_json(run: &Run) -> String {
    let (end, reason) = ending(&run.end);
    line(&json!({
        "version": VERSION,
        "trace": run.trace,
        "end": end,
        "reason": reason,
        "events": run.events.iter().map(wire::to_json).collect::<Vec<_>>(),
    }))
}

pub(crate) fn verdict_json(verdict: &Verdict) -> String {
    let violation = verdict.violation.as_ref();
    line(&json!({
        "version": VERSION,
        "property": verdict.property,
        "conforms": violation.is_none(),
        "counterexample": violation.map(|found| &found.run.trace),
        "end": violation.map(|found| ending(&found.run.end).0),
        "schedule": violation.map(|found| found.schedule.to_string()),
        "complete": verdict.cuts.is_empty(),
        "states": verdict.states,
        "cut_by": names(&verdict.cuts),
    }))
}

fn line(object: &Value) -> String {
    format!("{object}\n")
}

fn names(cuts: &[Cut]) -> Vec<&'static str> {
    cuts.iter().map(|cut| cut.name).collect()
}

/// How a run ended, in a word, and why.
fn ending(end: &End) -> (&'static str, Option<&str>) {
    match end {
        End::Final => ("final", None),
        End::Cut(bound) => ("cut", Some(bound)),
        End::Stuck(reason) => ("stuck", Some(reason)),
        End::Starved(_) | End::Dropped => unreachable!("no callback is watched in such a run"),
    }
}

// For people.

pub(crate) fn listing_text(listing: &Listing) -> String {
    let Listing { sequences, starves, states, cuts } = listing;
    let traces: Vec<_> = sequences.traces.iter().map(|trace| words(trace)).collect();
    let cut: Vec<_> = sequences.cut.iter().map(|trace| words(trace)).collect();
    let stuck: Vec<_> = sequences.stuck.iter().map(|(trace, _)| words(trace)).collect();
    // Reasons in one column, unless a sequence is so long that they would be out of sight.
    let width = stuck.iter().map(|shown| shown.chars().count()).max().unwrap_or(0).min(60);
    let reasons = sequences.stuck.iter().map(|(_, reason)| reason);
    let stuck = stuck.iter().zip(reasons);
    let stuck: Vec<_> = stuck.map(|(shown, why)| format!("{shown:width$}  {why}")).collect();
    let starves: Vec<_> = starves.iter().map(|name| word(name)).collect();
    let mut out = String::new();
    section("traces", &traces, &mut out);
    for (title, lines) in [("cut", cut), ("stuck", stuck), ("starves", starves)] {
        if !lines.is_empty() {
            section(title, &lines, &mut out);
        }
    }
    let _ = writeln!(out, "{}", summary(cuts, *states));
    out
}

fn section(title: &str, lines: &[String], out: &mut String) {
    let _ = writeln!(out, "{title} ({})", lines.len());
    for line in lines {
        let _ = writeln!(out, "  {line}");
    }
}

/// `bound` tells more about a bound than its name.
pub(crate) fn run_text(run: &Run, bound: impl Fn(&'static str) -> Cut) -> String {
    let mut out = text::render(&run.events);
    let _ = writeln!(out, "trace: {}\nended: {}", words(&run.trace), in_words(&run.end, bound));
    out
}

/// `bound` tells more about a bound than its name.
pub(crate) fn verdict_text(verdict: &Verdict, bound: impl Fn(&'static str) -> Cut) -> String {
    let Verdict { property, spec, violation, states, cuts } = verdict;
    let property = one_line(property);
    let Some(Violation { run, schedule, command }) = violation else {
        let headline = if cuts.is_empty() {
            "conforms: every execution keeps to the property"
        } else {
            "conforms up to the bounds: no execution that was followed breaks the property"
        };
        return format!("{headline}\n  {property}\n{}\n", summary(cuts, *states));
    };
    let (at, remark) = break_of(spec, &run.trace);
    let end = in_words(&run.end, bound);
    let deviations = count(schedule.deviations(), "deviation");
    format!(
        "violated: an execution breaks the property\n  {property}\nexecution\n  {}\n  {:at$}^ {remark}\n\
         ended: {end}\n{deviations} from the default order; run it again with\n{command}\n",
        words(&run.trace),
        "",
    )
}

/// How a run ended.
fn in_words(end: &End, bound: impl Fn(&'static str) -> Cut) -> String {
    match (end, ending(end)) {
        (End::Cut(name), _) => format!("cut by {}", cut_by(&bound(name))),
        (_, (word, Some(reason))) => format!("{word}, {reason}"),
        (_, (_, None)) => "nothing was left to do".into(),
    }
}

/// `complete: 16 configurations`, or what cut the search.
fn summary(cuts: &[Cut], states: usize) -> String {
    let by: Vec<_> = cuts.iter().map(cut_by).collect();
    let how = if by.is_empty() { "complete".into() } else { format!("cut by {}", by.join(", ")) };
    format!("{how}: {}", count(states, "configuration"))
}

fn cut_by(cut: &Cut) -> String {
    match cut.flag {
        Some((flag, value)) => format!("--{flag} {value}"),
        None => format!("the {}", cut.name),
    }
}
