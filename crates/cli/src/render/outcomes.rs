//! What the schedules of a program led to, for people and for programs.

use super::words::{break_of, count, one_line, words};
use hemiola_explore::schedules::{Counts, Covered, Deviation, Found, Outcome, Search};
use hemiola_machine::Schedule;
use hemiola_monitor::Spec;
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
            "schedule": failed.schedule.to_string(),
            "deviations": deviations.collect::<Vec<_>>(),
            "command": failed.command,
        })
    });
    json!({
        "version": VERSION,
        "outcomes": search.found().iter().map(outcome_json).collect::<Vec<_>>(),
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
    for found in search.found() {
        outcome_text(found, &mut out);
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

fn outcome_text(found: &Found, out: &mut String) {
    let Outcome { failure, code, observations, out: shown, .. } = &found.outcome;
    let runs = count(found.runs as usize, "schedule");
    let how = match failure {
        None => "ended well".into(),
        Some(failure) if *code == 0 => format!("failed: {failure}"),
        Some(failure) => format!("failed with exit status {code}: {failure}"),
    };
    let _ = writeln!(out, "  {how}\n    {runs}, such as {}", found.schedule);
    if !observations.is_empty() {
        let _ = writeln!(out, "    observed {}", words(observations));
    }
    let shown = String::from_utf8_lossy(shown);
    for line in shown.lines().take(LINES) {
        let _ = writeln!(out, "    | {line}");
    }
    let more = shown.lines().count().saturating_sub(LINES);
    if more > 0 {
        let _ = writeln!(out, "    | and {}", count(more, "more line"));
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
        let _ = write!(text, "; the time was up in the middle of {runs}");
    }
    if misfits > 0 {
        let _ = write!(text, "; {misfits} did not offer what they had offered before");
    }
    text
}

pub(crate) fn failure_text(failed: &Failed, out: &mut String) {
    let Failed { failure, schedule, deviations, command } = failed;
    let _ =
        writeln!(out, "failed: {}", failure.as_deref().unwrap_or("an exit status other than 0"));
    if schedule.deviations() == 0 {
        let _ = writeln!(out, "  in the default order");
    }
    for Deviation { choice, taken, instead } in deviations {
        let _ = writeln!(out, "  at choice {choice}: {taken}\n    by default: {instead}");
    }
    let _ = writeln!(out, "run it again with\n{command}");
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
