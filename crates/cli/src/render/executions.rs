//! What the executions of a small program show, for people and for programs.

use super::words::{break_of, count, one_line, word, words};
use hemiola_explore::{End, Finish, Lasso, Sequences};
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
    /// What its endless executions show, if it was decided.
    pub(crate) decided: Option<Decided>,
}

/// What the endless executions of a program show.
#[derive(Debug)]
pub(crate) struct Decided {
    pub(crate) lassos: Vec<Lasso>,
    /// Whether executions may go round and end nevertheless.
    pub(crate) repeats: bool,
    /// Whether every answer was taken to come.
    pub(crate) fair: bool,
}

/// Whether an endless program conforms to a property.
#[derive(Debug)]
pub(crate) struct Decision<'a> {
    pub(crate) property: String,
    pub(crate) spec: &'a Spec,
    pub(crate) broken: Option<BrokenFor>,
    pub(crate) states: usize,
    pub(crate) fair: bool,
}

/// A run that breaks a property, for good, and how to repeat its beginning.
#[derive(Debug)]
pub(crate) struct BrokenFor {
    pub(crate) trace: Vec<Observation>,
    pub(crate) end: Finish,
    pub(crate) repeat: Option<(Schedule, String)>,
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
    let Listing { sequences, starves, states, cuts, decided } = listing;
    let stuck = sequences.stuck.iter();
    let mut object = json!({
        "version": VERSION,
        "traces": sequences.traces,
        "cut": sequences.cut,
        "stuck": stuck.map(|(trace, reason)| json!({ "trace": trace, "reason": reason }))
            .collect::<Vec<_>>(),
        "starves": starves,
        "complete": cuts.is_empty(),
        "states": states,
        "cut_by": names(cuts),
    });
    if let Some(Decided { lassos, repeats, fair }) = decided {
        let lassos =
            lassos.iter().map(|Lasso { stem, again }| json!({ "stem": stem, "again": again }));
        object["lassos"] = lassos.collect();
        object["repeats"] = (*repeats).into();
        object["fair"] = (*fair).into();
    }
    line(&object)
}

pub(crate) fn decision_json(decision: &Decision<'_>) -> String {
    let broken = decision.broken.as_ref();
    let again = broken.and_then(|broken| match &broken.end {
        Finish::Again(again) => Some(again),
        Finish::End(_) => None,
    });
    let end = broken.map(|broken| match &broken.end {
        Finish::Again(_) => "never",
        Finish::End(end) => ending(end).0,
    });
    let schedule = broken.and_then(|broken| broken.repeat.as_ref());
    line(&json!({
        "version": VERSION,
        "property": decision.property,
        "conforms": broken.is_none(),
        "counterexample": broken.map(|broken| &broken.trace),
        "again": again,
        "end": end,
        "schedule": schedule.map(|(schedule, _)| schedule.to_string()),
        "complete": true,
        "states": decision.states,
        "cut_by": [],
        "fair": decision.fair,
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
    let Listing { sequences, starves, states, cuts, decided } = listing;
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
    if decided.as_ref().is_some_and(|decided| decided.repeats) {
        let _ = writeln!(out, "  and more, for every round before the end");
    }
    let lassos = decided.iter().flat_map(|decided| &decided.lassos).map(lasso).collect();
    for (title, lines) in [("lassos", lassos), ("cut", cut), ("stuck", stuck), ("starves", starves)]
    {
        if !lines.is_empty() {
            section(title, &lines, &mut out);
        }
    }
    let summary = match decided {
        Some(decided) if cuts.is_empty() => decided_summary(decided.fair, *states),
        _ => summary(cuts, *states),
    };
    let _ = writeln!(out, "{summary}");
    out
}

/// `a b, then x y again and again`.
fn lasso(Lasso { stem, again }: &Lasso) -> String {
    match (stem.as_slice(), again.as_slice()) {
        ([], []) => "never anything".into(),
        (stem, []) => format!("{}, then never anything", words(stem)),
        ([], again) => format!("{} again and again", words(again)),
        (stem, again) => format!("{}, then {} again and again", words(stem), words(again)),
    }
}

fn decided_summary(fair: bool, states: usize) -> String {
    let assumed = if fair { ", if every answer comes" } else { "" };
    format!("decided{assumed}: {}", count(states, "configuration"))
}

pub(crate) fn decision_text(decision: &Decision<'_>) -> String {
    let Decision { property, spec, broken, states, fair } = decision;
    let property = one_line(property);
    let Some(BrokenFor { trace, end, repeat }) = broken else {
        let headline = "conforms: every execution keeps to the property";
        return format!("{headline}\n  {property}\n{}\n", decided_summary(*fair, *states));
    };
    let mut out = format!("violated: an execution breaks the property\n  {property}\nexecution\n");
    let mut standing = spec.start();
    let mut fails = false;
    for shown in trace {
        standing = spec.advance(&standing, shown);
        fails |= spec.failed(&standing);
    }
    let shown = match end {
        Finish::End(_) => words(trace),
        Finish::Again(again) => lasso(&Lasso { stem: trace.clone(), again: again.clone() }),
    };
    let _ = writeln!(out, "  {shown}");
    if fails || matches!(end, Finish::End(_)) {
        let (at, remark) = break_of(spec, trace);
        let _ = writeln!(out, "  {:at$}^ {remark}", "");
    }
    let ended = match end {
        Finish::Again(_) => "never".into(),
        Finish::End(end) => match ending(end) {
            (word, Some(reason)) => format!("{word}, {reason}"),
            (_, None) => "nothing was left to do".to_owned(),
        },
    };
    let _ = writeln!(out, "ended: {ended}");
    if let Some((schedule, command)) = repeat {
        let deviations = count(schedule.deviations(), "deviation");
        let begins = match end {
            Finish::End(_) => "run it again with",
            Finish::Again(_) => "see its beginning with",
        };
        let _ = writeln!(out, "{deviations} from the default order; {begins}\n{command}");
    }
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
