//! Results, for people and for programs.

use crate::commands::Cut;
use hemiola_explore::{End, Sequences};
use hemiola_machine::{Event, Observation, Schedule};
use hemiola_monitor::Spec;
use hemiola_trace::{text, wire};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The version of the JSON objects.
const VERSION: u32 = 1;

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

/// Where in the written trace a run breaks a property, and what is wrong there.
pub(crate) fn break_of(spec: &Spec, trace: &[Observation]) -> (usize, &'static str) {
    let mut standing = spec.start();
    for (at, observation) in trace.iter().enumerate() {
        standing = spec.advance(&standing, observation);
        if spec.failed(&standing) {
            let before = if at == 0 { 0 } else { words(&trace[..at]).chars().count() + 1 };
            return (before, "not allowed here");
        }
    }
    let written = if trace.is_empty() { 0 } else { words(trace).chars().count() + 1 };
    (written, "may not end here")
}

/// A property, without line breaks and other signs that would move the cursor.
pub(crate) fn one_line(property: &str) -> String {
    if property.trim().is_empty() {
        return "(nothing)".into();
    }
    property.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
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

/// A number of things.
pub(crate) fn count(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

/// A sequence of observations.
pub(crate) fn words(trace: &[Observation]) -> String {
    if trace.is_empty() {
        return "(nothing)".into();
    }
    let shown = trace.iter().map(|observation| match observation {
        Observation::Number(number) => number.to_string(),
        Observation::Name(name) => word(name),
    });
    shown.collect::<Vec<_>>().join(" ")
}

/// A name as a property has it: in quotes, unless it can only be read as a name.
fn word(name: &str) -> String {
    let starts = |letter: char| letter == '_' || letter.is_alphabetic();
    let goes_on = |letter: char| starts(letter) || letter.is_ascii_digit() || letter == '\'';
    if name.starts_with(starts) && name.chars().all(goes_on) {
        return name.to_owned();
    }
    let mut quoted = String::from('"');
    for letter in name.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            _ if letter.is_control() => quoted.extend(letter.escape_default()),
            _ => quoted.push(letter),
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_shown_as_a_property_has_it() {
        for (name, shown) in [
            ("done", "done"),
            ("x'", "x'"),
            ("λ1", "λ1"),
            ("12", "\"12\""),
            ("", "\"\""),
            ("a b", "\"a b\""),
            ("say \"hi\\\"", r#""say \"hi\\\"""#),
            ("\u{1b}[31m", r#""\u{1b}[31m""#),
        ] {
            assert_eq!(word(name), shown);
            if !name.contains('\u{1b}') {
                let spec = Spec::parse(shown).expect("it can be pasted");
                assert!(!spec.failed(&spec.advance(&spec.start(), &name.into())));
            }
        }
    }

    #[test]
    fn a_break_is_marked_under_its_observation() {
        let spec = Spec::parse("ab c $").expect("a spec");
        let at = |names: &[&str]| {
            let trace: Vec<Observation> = names.iter().map(|&name| name.into()).collect();
            break_of(&spec, &trace)
        };
        assert_eq!(at(&["ab", "d", "c"]), (3, "not allowed here"));
        assert_eq!(at(&["c"]), (0, "not allowed here"));
        assert_eq!(at(&["ab"]), (3, "may not end here"));
        assert_eq!(at(&[]), (0, "may not end here"));
    }
}
