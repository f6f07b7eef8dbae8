//! What became of every axiom, in the sense of rule SCHED-9.

use super::compile::{AxiomInfo, Params, Theory};
use super::syntax::Owner;

/// Whom a verdict is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// All tasks with this id.
    Id(String),
    /// The registration with this name.
    Task(String),
    /// The call with this number.
    Call(u32),
}

/// How an axiom was violated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The step of the watch at which no continuation could help any more.
    pub step: u64,
    /// Its time.
    pub time: i64,
    /// The last event up to there.
    pub event: Option<u32>,
    /// Whom it is about.
    pub subject: Option<Subject>,
    /// The events that show it: the latest ones of whom it is about.
    pub events: Vec<u32>,
    /// What should have come in time.
    pub awaited: Option<String>,
}

/// Something that an axiom still waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    pub(super) axiom: usize,
    /// Whom it is about.
    pub subject: Option<Subject>,
    /// The event since which.
    pub since: Option<u32>,
    /// What, in the words of the theory.
    pub goal: String,
    /// How many units of compute were granted since, of how many that it may take.
    pub spent: Option<(u64, u64)>,
    /// Whether it will never come, in a trace that repeats.
    pub(super) never: bool,
}

/// What became of an axiom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing violates it, and nothing is awaited.
    Holds,
    /// No continuation can help.
    Violated(Violation),
    /// It depends on what is missing.
    Undetermined(Vec<Wait>),
}

impl Verdict {
    /// As results tell it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Violated(_) => "violated",
            Self::Undetermined(_) => "undetermined",
        }
    }
}

/// A trace that reports are about: what its events are, by their numbers.
pub trait Story {
    /// Where an event stands, counted from 0, and its time.
    fn position(&self, event: u32) -> Option<(usize, i64)>;

    /// An event in words, as `RunStart a`.
    fn describe(&self, event: u32) -> String;

    /// The name of a call.
    fn call(&self, call: u32) -> String;

    /// What the theory does not know of.
    fn supernatural(&self) -> Vec<Phenomenon>;
}

/// Something that happened and that no axiom knows of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phenomenon {
    /// What kind of thing.
    pub kind: String,
    /// How often.
    pub count: u64,
    /// When for the first time.
    pub first: i64,
}

impl Phenomenon {
    /// Adds one to those that are known; they come in the order of time.
    pub fn add(known: &mut Vec<Self>, kind: &str, time: i64) {
        match known.iter_mut().find(|known| known.kind == kind) {
            Some(known) => known.count += 1,
            None => known.push(Self { kind: kind.into(), count: 1, first: time }),
        }
    }
}

/// What became of a trace.
#[derive(Clone, Debug)]
pub struct Report {
    /// The axioms with their verdicts, in the order of the theory.
    pub verdicts: Vec<(AxiomInfo, Verdict)>,
    /// The owner of the axiom that was violated first; the environment, if two were at once.
    pub blame: Option<Owner>,
    /// The witnesses that were used.
    pub params: Params,
    /// The smallest witnesses, in the order a, b, t_lag, with which no budget is exceeded.
    pub needs: Params,
}

pub(super) fn report(
    theory: &Theory,
    params: Params,
    needs: Params,
    waits: Vec<Wait>,
    violations: Vec<Option<Violation>>,
) -> Report {
    let mut verdicts: Vec<(AxiomInfo, Verdict)> = Vec::new();
    for (number, (info, violation)) in theory.axioms.iter().zip(violations).enumerate() {
        let mut open: Vec<Wait> =
            waits.iter().filter(|wait| wait.axiom == number).cloned().collect();
        let never = open.iter().position(|wait| wait.never).map(|at| open.swap_remove(at));
        let verdict = match (violation, never) {
            (Some(violation), _) => Verdict::Violated(violation),
            (None, Some(wait)) => Verdict::Violated(Violation {
                step: u64::MAX,
                time: i64::MAX,
                event: None,
                subject: wait.subject,
                events: Vec::new(),
                awaited: Some(wait.goal),
            }),
            (None, None) if open.is_empty() => Verdict::Holds,
            _ => Verdict::Undetermined(open),
        };
        verdicts.push((info.clone(), verdict));
    }
    let violated = verdicts.iter().filter_map(|(info, verdict)| match verdict {
        Verdict::Violated(violation) => Some((violation.step, info.owner)),
        _ => None,
    });
    let blame = violated.min().map(|(_, owner)| owner);
    Report { verdicts, blame, params, needs }
}
