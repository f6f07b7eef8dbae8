//! What the schedules of a program led to, for people and for programs.

use super::words::{break_of, count, from_here, one_line, words};
use hemiola_explore::schedules::{
    Blame, Counts, Covered, Deviation, Failing, Found, Outcome, Search, Unsettled, tells,
};
use hemiola_machine::Schedule;
use hemiola_monitor::Spec;
use hemiola_trace::Place;
use serde_json::{Value, json};
use std::fmt::Write;

/// The version of the JSON object.
const VERSION: u32 = 1;

/// A search that is over.
pub(crate) struct Exploration<'a> {
    pub(crate) search: &'a Search,
    pub(crate) failed: Option<Failed>,
    pub(crate) steps: u64,
    /// How many of the runs an earlier search made.
    pub(crate) resumed: usize,
    /// What waited for long in a run that was cut.
    pub(crate) starves: Vec<String>,
}

/// A schedule that fails, as small as it could be made.
pub(crate) struct Failed {
    pub(crate) failure: Option<String>,
    /// Where it fails, if that is known.
    pub(crate) place: Option<Place>,
    /// Whether it takes an answer that is slow.
    pub(crate) slow: bool,
    /// What it shows, and what a run shows that does not fail, if there is one.
    pub(crate) shown: Outcome,
    pub(crate) instead: Option<Outcome>,
    /// The promises that nothing settles, of a deadlock.
    pub(crate) unsettled: Vec<Unsettled>,
    pub(crate) schedule: Schedule,
    pub(crate) deviations: Vec<Deviation>,
    pub(crate) command: String,
}

pub(crate) fn json(exploration: &Exploration<'_>) -> String {
    format!("{}\n", value(exploration))
}

/// The object that JSON tells.
pub(crate) fn value(exploration: &Exploration<'_>) -> Value {
    let Exploration { search, failed, resumed, starves, .. } = exploration;
    let counts = search.counts();
    let (covered, deviations) = match search.covered() {
        Covered::All => ("all", None),
        Covered::Deviations { up_to, .. } => ("deviations", Some(up_to)),
    };
    let failure = failed.as_ref().map(|failed| {
        let deviations = failed
            .deviations
            .iter()
            .map(|one| json!({ "choice": one.choice, "taken": one.taken, "instead": one.instead }));
        json!({
            "failure": failed.failure,
            "class": class(failed.slow),
            "places": failed.place.iter().map(place_json).collect::<Vec<_>>(),
            "awaited": failed.unsettled.iter().flat_map(|one| &one.awaited).map(place_json).collect::<Vec<_>>(),
            "unsettled": failed.unsettled.iter().map(|one| json!({
                "made": one.made.as_ref().map(place_json),
                "awaited": one.awaited.iter().map(place_json).collect::<Vec<_>>(),
            })).collect::<Vec<_>>(),
            "schedule": failed.schedule.to_string(),
            "deviations": deviations.collect::<Vec<_>>(),
            "command": failed.command,
        })
    });
    json!({
        "version": VERSION,
        "outcomes": search.found().iter().map(outcome_json).collect::<Vec<_>>(),
        "failures": search.failures().iter().map(failing_json).collect::<Vec<_>>(),
        "failure": failure,
        "schedules": counts.runs(),
        "resumed": resumed,
        "pruned": counts.pruned,
        "cut": counts.cut,
        "interrupted": counts.interrupted,
        "starves": starves,
        "complete": covered == "all" && counts.cut == 0,
        "covered": covered,
        "deviations": deviations,
        "sampled": { "priorities": counts.priorities, "random": counts.random },
    })
}

/// What it takes for a failure, in a word.
fn class(slow: bool) -> &'static str {
    if slow { "slow" } else { "order" }
}

fn place_json(place: &Place) -> Value {
    json!({ "file": &*place.file, "line": place.line, "column": place.column })
}

fn failing_json(failing: &Failing<'_>) -> Value {
    let Failing { blame: Blame { place, .. }, slow, found } = failing;
    json!({
        "class": class(*slow),
        "message": found[0].outcome.failure,
        "places": place.iter().map(place_json).collect::<Vec<_>>(),
        "schedule": found[0].schedule.to_string(),
        "outcomes": found.len(),
        "count": found.iter().map(|one| one.runs).sum::<u64>(),
    })
}

fn outcome_json(found: &Found) -> Value {
    let Outcome { failure, code, observations, out, err } = &found.outcome;
    json!({
        "count": found.runs,
        "schedule": found.schedule.to_string(),
        "code": code,
        "failure": failure,
        "observations": observations,
        "stdout": String::from_utf8_lossy(out),
        "stderr": String::from_utf8_lossy(err),
    })
}

pub(crate) fn text(exploration: &Exploration<'_>) -> String {
    let Exploration { search, failed, steps, resumed, starves } = exploration;
    let mut out = String::new();
    let _ = writeln!(out, "{}", count(search.found().len(), "outcome"));
    // Each is told from the first, and the first from the second.
    let beside = |outcome: &Outcome| {
        let mut outcomes = search.found().iter().map(|found| &found.outcome);
        outcomes.find(|other| *other != outcome)
    };
    for found in search.found().iter().filter(|found| found.outcome.failure.is_none()) {
        let runs = count(found.runs as usize, "schedule");
        let _ = writeln!(out, "  ended well\n    {runs}, such as {}", found.schedule);
        shown_text(&found.outcome, beside(&found.outcome), &mut out);
    }
    for failing in search.failures() {
        failing_text(&failing, beside(&failing.found[0].outcome), &mut out);
    }
    let _ = write!(out, "{}", coverage(search, *steps));
    let _ = match resumed {
        0 => writeln!(out),
        resumed => writeln!(out, "; {resumed} had been made before"),
    };
    if let Some(schedule) = search.cut().filter(|_| !starves.is_empty()) {
        let _ = writeln!(out, "starves, where nothing else ends it, as in {schedule}");
        for one in starves {
            let _ = writeln!(out, "  {one}");
        }
    }
    if let Some(failed) = failed {
        failure_text(failed, &mut out);
    }
    out
}

/// Lines of output that are shown of an outcome.
const LINES: usize = 8;

fn failing_text(failing: &Failing<'_>, other: Option<&Outcome>, out: &mut String) {
    let Failing { blame, slow, found } = failing;
    let Outcome { failure, code, .. } = &found[0].outcome;
    let status = if *code == 0 { String::new() } else { format!(" with exit status {code}") };
    let slow = match (*slow, status.is_empty()) {
        (false, _) => "",
        (true, true) => ", only if answers are slow",
        (true, false) => ", only if answers are slow,",
    };
    let _ = writeln!(out, "  failed{slow}{status}: {}", failure.as_deref().unwrap_or_default());
    if let Some(place) = &blame.place {
        let _ = writeln!(out, "    at {}", from_here(place));
    }
    let runs = count(found.iter().map(|one| one.runs as usize).sum(), "schedule");
    let outputs = match found.len() {
        1 => String::new(),
        several => format!(" with {several} different outputs"),
    };
    let _ = writeln!(out, "    {runs}{outputs}, such as {}", found[0].schedule);
    shown_text(&found[0].outcome, other, out);
}

/// What an outcome shows: all of it if that is little, else what it shows otherwise than another.
fn shown_text(outcome: &Outcome, other: Option<&Outcome>, out: &mut String) {
    if !outcome.observations.is_empty() {
        let _ = writeln!(out, "    observed {}", words(&outcome.observations));
    }
    lines_text("|", &lines(&outcome.out), other.map(|other| lines(&other.out)), out);
    let others = other.map(beside_failure);
    lines_text("!", &beside_failure(outcome), others, out);
}

fn lines(bytes: &[u8]) -> Vec<String> {
    String::from_utf8_lossy(bytes).lines().map(str::to_owned).collect()
}

/// What an outcome shows on standard error beside the error that it fails with, which is told by itself.
fn beside_failure(outcome: &Outcome) -> Vec<String> {
    let mut lines = lines(&outcome.err);
    if let Some(failure) = &outcome.failure
        && let Some(at) = lines.iter().position(|line| tells(line, failure))
    {
        lines.truncate(at);
        // Above an error that nobody caught stand its place, the line and a mark.
        let marked = lines.iter().rposition(|line| !line.is_empty());
        let is_mark = |line: &str| !line.is_empty() && line.chars().all(|c| " ^~".contains(c));
        if let Some(mark) = marked.filter(|&mark| mark >= 2 && is_mark(&lines[mark])) {
            lines.truncate(mark - 2);
        }
    }
    lines
}

/// Some lines, with a mark before each: all if they are few, else from the first on that another has otherwise.
fn lines_text(mark: &str, lines: &[String], other: Option<Vec<String>>, out: &mut String) {
    let other = other.filter(|_| lines.len() > LINES).unwrap_or_default();
    let same = lines.iter().zip(&other).take_while(|(one, other)| one == other).count();
    let from = if same < lines.len() { same.saturating_sub(1) } else { 0 };
    if from > 0 {
        let _ = writeln!(out, "    {mark} {} that others show, too", count(from, "line"));
    }
    for line in lines.iter().skip(from).take(LINES) {
        let _ = writeln!(out, "    {mark} {line}");
    }
    let more = lines.len().saturating_sub(from + LINES);
    if more > 0 {
        let _ = writeln!(out, "    {mark} and {}", count(more, "more line"));
    }
}

/// Which schedules the result is about, and no more than that.
pub(crate) fn coverage(search: &Search, steps: u64) -> String {
    let Counts { pruned, cut, priorities, random, misfits, interrupted, .. } = search.counts();
    let runs = search.counts().runs() as usize;
    let mut text = match search.covered() {
        _ if !search.has_begun() => {
            "not even the default order came to its end in the time that there was".to_owned()
        }
        Covered::All => format!("all schedules: {}", count(runs, "run")),
        Covered::Deviations { up_to, tried, waiting } => {
            let up_to_words = match up_to {
                0 => "only the default order".to_owned(),
                _ => format!("all schedules with up to {}", count(up_to as usize, "deviation")),
            };
            let mut text = format!("{up_to_words}: {}", count(runs, "run"));
            if tried > 0 && waiting > 0 {
                let _ = write!(
                    text,
                    "; with {}, {tried} of {} that are known",
                    up_to + 1,
                    tried + waiting
                );
            }
            text
        }
    };
    if pruned > 0 {
        let _ = write!(text, ", {pruned} of them only until they met another");
    }
    if priorities + random > 0 {
        let _ = write!(text, "; drawn at random: {}", priorities + random);
    }
    if cut > 0 {
        let _ = write!(
            text,
            "; {cut} cut after {steps} callbacks, and what comes later is not covered"
        );
    }
    if interrupted > 0 {
        let runs = count(interrupted as usize, "run");
        let _ = write!(text, "; {runs} broken off before the end");
    }
    if misfits > 0 {
        let _ = write!(text, "; {misfits} did not offer what they had offered before");
    }
    text
}

/// Where a promise was made that nothing settles, if that is known, and where it is awaited.
pub(crate) fn unsettled_in_words(Unsettled { made, awaited }: &Unsettled) -> String {
    let awaited: Vec<String> = awaited.iter().map(from_here).collect();
    let made = made
        .as_ref()
        .map_or_else(String::new, |made| format!("a promise made at {}, ", from_here(made)));
    format!("{made}awaited at {}", awaited.join(" and "))
}

pub(crate) fn failure_text(failed: &Failed, out: &mut String) {
    let Failed { failure, place, slow, unsettled, schedule, deviations, command, .. } = failed;
    let _ =
        writeln!(out, "failed: {}", failure.as_deref().unwrap_or("an exit status other than 0"));
    if let Some(place) = place {
        let _ = writeln!(out, "  at {}", from_here(place));
    }
    for promise in unsettled {
        let _ = writeln!(out, "  {}", unsettled_in_words(promise));
    }
    difference_text(failed, out);
    if *slow {
        let _ = writeln!(out, "  only if answers are slow, more than --slow allows");
    }
    if schedule.deviations() == 0 {
        let _ = writeln!(out, "  in the default order");
    }
    for Deviation { choice, taken, instead } in deviations {
        let _ = writeln!(out, "  at choice {choice}: {taken}\n    by default: {instead}");
    }
    let _ = writeln!(out, "run it again with\n{command}");
}

/// The lines that differ between a run that fails and one that does not, of both outputs.
fn difference_text(failed: &Failed, out: &mut String) {
    let Some(instead) = &failed.instead else { return };
    let both = |outcome: &Outcome| [lines(&outcome.out), beside_failure(outcome)].concat();
    let (shown, instead) = (both(&failed.shown), both(instead));
    let only = |some: &[String], others: &[String]| -> Vec<String> {
        some.iter().filter(|line| !others.contains(line)).cloned().collect()
    };
    let (missing, added) = (only(&instead, &shown), only(&shown, &instead));
    if !missing.is_empty() || !added.is_empty() {
        let _ = writeln!(out, "  shows, other than a run that ends well:");
    }
    for (mark, lines) in [("-", missing), ("+", added)] {
        for line in lines.iter().take(LINES) {
            let _ = writeln!(out, "    {mark} {line}");
        }
        if let Some(more) = lines.len().checked_sub(LINES).filter(|more| *more > 0) {
            let _ = writeln!(out, "    {mark} and {}", count(more, "more line"));
        }
    }
}

/// Whether every schedule conforms to a property.
pub(crate) struct Judgement<'a> {
    pub(crate) property: &'a str,
    pub(crate) spec: &'a Spec,
    pub(crate) search: &'a Search,
    pub(crate) broken: Option<Break>,
    pub(crate) steps: u64,
}

/// A run that breaks a property.
pub(crate) struct Break {
    pub(crate) outcome: Outcome,
    pub(crate) schedule: Schedule,
    pub(crate) command: String,
}

pub(crate) fn judgement_json(judgement: &Judgement<'_>) -> String {
    let Judgement { property, search, broken, .. } = judgement;
    let (covered, deviations) = match search.covered() {
        Covered::All => ("all", None),
        Covered::Deviations { up_to, .. } => ("deviations", Some(up_to)),
    };
    let object = json!({
        "version": VERSION,
        "property": property,
        "conforms": broken.is_none(),
        "counterexample": broken.as_ref().map(|broken| &broken.outcome.observations),
        "code": broken.as_ref().map(|broken| broken.outcome.code),
        "schedule": broken.as_ref().map(|broken| broken.schedule.to_string()),
        "command": broken.as_ref().map(|broken| &broken.command),
        "complete": covered == "all" && search.counts().cut == 0,
        "covered": covered,
        "deviations": deviations,
        "schedules": search.counts().runs(),
    });
    format!("{object}\n")
}

pub(crate) fn judgement_text(judgement: &Judgement<'_>) -> String {
    let Judgement { property, spec, search, broken, steps } = judgement;
    let property = one_line(property);
    let coverage = coverage(search, *steps);
    let Some(Break { outcome, schedule, command }) = broken else {
        let headline = match search.covered() {
            Covered::All if search.counts().cut == 0 => {
                "conforms: every schedule keeps to the property"
            }
            _ => "conforms as far as it was tried: no schedule breaks the property",
        };
        return format!("{headline}\n  {property}\n{coverage}\n");
    };
    let (at, remark) = break_of(spec, &outcome.observations);
    let deviations = count(schedule.deviations(), "deviation");
    format!(
        "violated: a schedule breaks the property\n  {property}\nexecution\n  {}\n  {:at$}^ {remark}\n\
         ended: exit status {}\n{deviations} from the default order; run it again with\n{command}\n",
        words(&outcome.observations),
        "",
        outcome.code,
    )
}
