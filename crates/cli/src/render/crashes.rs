//! What came of crashes, for people and for programs.

use super::words::count;
use hemiola_world::crash::{CrashPoint, Loss, Points};
use serde_json::json;
use std::fmt::Write;

/// The version of the JSON object.
const VERSION: u32 = 1;

/// Crashes that were tried.
pub(crate) struct Tried<'a> {
    /// What the program does without a crash.
    pub(crate) whole: &'a Ran,
    /// Single crashes, then pairs.
    pub(crate) levels: Vec<Level>,
    /// Whether it is not even known how many more there are.
    pub(crate) is_cut: bool,
    /// Whether a run was stopped because the time was up.
    pub(crate) interrupted: bool,
    pub(crate) failures: usize,
    /// The first that failed.
    pub(crate) first: Option<Failed>,
}

/// How many of a kind were made, of those that there are.
pub(crate) struct Level {
    pub(crate) made: usize,
    pub(crate) of: usize,
}

impl Tried<'_> {
    /// Whether all of them were tried.
    pub(crate) fn is_complete(&self) -> bool {
        !self.is_cut && self.levels.iter().all(|level| level.made == level.of)
    }
}

/// Crashes after which a program failed.
pub(crate) struct Failed {
    /// None if it fails without.
    pub(crate) points: Vec<CrashPoint>,
    pub(crate) ran: Ran,
    /// What makes the same crash.
    pub(crate) command: String,
}

/// What became of a program that crashed and started again.
#[derive(Clone)]
pub(crate) struct Ran {
    /// The points that each process came to.
    pub(crate) points: Vec<Points>,
    /// The exit code in the end.
    pub(crate) code: i32,
    /// The violations in words, each with its axiom.
    pub(crate) violations: Vec<(String, String)>,
    pub(crate) blame: &'static str,
    /// Whether it was stopped because the time was up: then the rest says nothing.
    pub(crate) interrupted: bool,
}

impl Ran {
    /// The points of its first process.
    pub(crate) fn first(&self) -> Points {
        self.points.first().copied().unwrap_or_default()
    }

    /// What is violated, in words, if anything is.
    pub(crate) fn failure(&self) -> Option<String> {
        (!self.violations.is_empty())
            .then(|| self.violations.iter().map(|(_, text)| text.as_str()).collect())
    }

    /// Whether it failed after a crash. Whatever the program does without one is its own business.
    pub(crate) fn fails_beside(&self, whole: &Self) -> bool {
        !self.violations.is_empty() || self.code != whole.code
    }
}

pub(crate) fn text(tried: &Tried<'_>) -> String {
    let Tried { whole, levels, is_cut, interrupted, failures, first } = tried;
    let points = whole.first();
    let writes = count(points.writes as usize, "write");
    let callbacks = count(points.callbacks as usize, "callback");
    let tried = levels.iter().zip(["crashes", "pairs of crashes"]);
    let tried: Vec<String> =
        tried.map(|(Level { made, of }, word)| format!("{made} of {of} {word}")).collect();
    if levels.is_empty() {
        let when = "when the time was up, before the run ended";
        return format!("{writes}, {callbacks} {when}: no crashes tried\n");
    }
    let cut = if *is_cut && levels.len() == 1 { ", no pairs" } else { "" };
    let cut = if *interrupted { format!("{cut}; the time is up") } else { cut.to_owned() };
    let mut out = format!("{writes}, {callbacks}: {} tried{cut}\n", tried.join(" and "));
    let Some(Failed { points, ran, command }) = first else {
        let _ = writeln!(out, "after every one of them the theory holds");
        return out;
    };
    let _ = match failures {
        0 | 1 => writeln!(out, "one fails:"),
        failures => writeln!(out, "{failures} fail; the first:"),
    };
    if points.is_empty() {
        let _ = writeln!(out, "\nwithout any crash");
    }
    for (&point, word) in points.iter().zip(["\ncrash", "and after the restart"]) {
        let _ = writeln!(out, "{word} at {point}, {}", place(point));
    }
    out += &ran.failure().unwrap_or_else(|| {
        format!("exit status {} after the restart, {} without a crash\n", ran.code, whole.code)
    });
    let _ = writeln!(out, "\nto see it again:\n  {command}");
    out
}

/// Points as they are given to `--crashes`.
pub(crate) fn written(points: &[CrashPoint]) -> String {
    points.iter().map(CrashPoint::to_string).collect::<Vec<_>>().join(",")
}

fn place(point: CrashPoint) -> String {
    match point {
        CrashPoint::Write(number, Loss::Before) => format!("just before write {number}"),
        CrashPoint::Write(number, Loss::Lost) => {
            format!("while write {number} was under way, which is lost")
        }
        CrashPoint::Write(number, Loss::After) => {
            format!("when write {number} was durable, before the program knew")
        }
        CrashPoint::Callback(number) => {
            format!("where callback {number} begins or a fact is known")
        }
    }
}

pub(crate) fn json(tried: &Tried<'_>) -> String {
    let Tried { whole, levels, interrupted, failures, first, is_cut: _ } = tried;
    let first = first.as_ref().map(|Failed { points, ran, command }| {
        let violated: Vec<&str> = ran.violations.iter().map(|(axiom, _)| axiom.as_str()).collect();
        json!({
            "point": (!points.is_empty()).then(|| written(points)),
            "violated": violated,
            "blame": ran.blame,
            "code": ran.code,
            "command": command,
        })
    });
    let level = |at: usize| levels.get(at).map_or((0, 0), |level| (level.made, level.of));
    let ((made, of), (pairs_made, pairs)) = (level(0), level(1));
    let mut object = json!({
        "version": VERSION,
        "writes": whole.first().writes,
        "callbacks": whole.first().callbacks,
        "points": of,
        "crashes": made,
        "failures": failures,
        "first": first,
    });
    if *interrupted {
        object["interrupted"] = json!(true);
    }
    if levels.len() > 1 {
        object["pairs"] = json!({ "points": pairs, "crashes": pairs_made });
    }
    format!("{object}\n")
}
