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
    pub(crate) made: usize,
    pub(crate) of: usize,
    pub(crate) failures: usize,
    /// The first that failed.
    pub(crate) first: Option<Failed>,
}

/// A crash after which a program failed.
pub(crate) struct Failed {
    /// Nothing if it fails without one.
    pub(crate) point: Option<CrashPoint>,
    pub(crate) ran: Ran,
    /// What makes the same crash.
    pub(crate) command: String,
}

/// What became of a program that crashed and started again.
#[derive(Clone)]
pub(crate) struct Ran {
    /// The points that there were up to the crash.
    pub(crate) points: Points,
    /// The exit code in the end.
    pub(crate) code: i32,
    /// The violations in words, each with its axiom.
    pub(crate) violations: Vec<(String, String)>,
    pub(crate) blame: &'static str,
}

impl Ran {
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
    let Tried { whole, made, of, failures, first } = tried;
    let writes = count(whole.points.writes as usize, "write");
    let callbacks = count(whole.points.callbacks as usize, "callback");
    let mut out = format!("{writes}, {callbacks}: {made} of {of} crashes tried\n");
    let Some(Failed { point, ran, command }) = first else {
        let _ = writeln!(out, "after every one of them the theory holds");
        return out;
    };
    let _ = match failures {
        0 | 1 => writeln!(out, "one fails:"),
        failures => writeln!(out, "{failures} fail; the first:"),
    };
    let _ = match point {
        Some(point) => writeln!(out, "\ncrash at {point}, {}", place(*point)),
        None => writeln!(out, "\nwithout any crash"),
    };
    out += &ran.failure().unwrap_or_else(|| {
        format!("exit status {} after the restart, {} without a crash\n", ran.code, whole.code)
    });
    let _ = writeln!(out, "\nto see it again:\n  {command}");
    out
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
    let Tried { whole, made, of, failures, first } = tried;
    let first = first.as_ref().map(|Failed { point, ran, command }| {
        let violated: Vec<&str> = ran.violations.iter().map(|(axiom, _)| axiom.as_str()).collect();
        json!({
            "point": point.map(|point| point.to_string()),
            "violated": violated,
            "blame": ran.blame,
            "code": ran.code,
            "command": command,
        })
    });
    let object = json!({
        "version": VERSION,
        "writes": whole.points.writes,
        "callbacks": whole.points.callbacks,
        "points": of,
        "crashes": made,
        "failures": failures,
        "first": first,
    });
    format!("{object}\n")
}
