//! Who picks for a run of several machines: it follows a plan, and notes what the choices were.

use super::decide::Decider;
use super::history::Reduction;
use super::plan::{Choice, Ended, Known, Outcome, Plan, Report, State};
use super::pool::Watchers;
use super::watch::{Deviation, TimeLimit};
use std::sync::Arc;

/// Picks by a plan. Whoever has the run says what state it is in.
pub struct Picker {
    decider: Decider,
    /// The states that need not be gone on from, if states count.
    known: Option<Arc<Known>>,
    /// From which choice on the run may be given up.
    fresh: usize,
    limit: TimeLimit,
    choices: Vec<Choice>,
    /// The deviations in words, if they are wanted.
    deviations: Option<Vec<Deviation>>,
    /// Why the run was given up, if it was.
    over: Option<Ended>,
}

impl Picker {
    /// For a run that follows a plan; with words for its deviations if `explain`.
    pub fn new(plan: &Plan, watchers: &Watchers, explain: bool) -> Self {
        let fresh = match plan {
            Plan::Follow(schedule) => schedule.pairs().last().map_or(0, |last| last.0 as usize + 1),
            Plan::Priorities { .. } | Plan::Random { .. } => usize::MAX,
        };
        let counts = watchers.reduction != Reduction::None;
        Self {
            decider: Decider::new(plan),
            known: counts.then(|| Arc::clone(&watchers.known)),
            fresh,
            limit: watchers.limit.clone(),
            choices: Vec::new(),
            deviations: explain.then(Vec::new),
            over: None,
        }
    }

    /// Takes one of so many alternatives, of which the first is the default; nothing if the run is given up.
    pub fn pick(
        &mut self,
        count: usize,
        state: State,
        words: impl Fn(usize) -> String,
    ) -> Option<usize> {
        if self.is_over() {
            return None;
        }
        let at = self.choices.len();
        let is_known = self.known.as_ref().is_some_and(|known| known.contains(state));
        if at >= self.fresh && is_known {
            self.over = Some(Ended::Known(Some(state)));
            return None;
        }
        let taken = self.decider.decide(at as u32, count, |_| None);
        self.choices.push(Choice {
            count: count as u32,
            taken: taken as u32,
            state: self.known.is_some().then_some(state),
            later: Vec::new(),
        });
        if let Some(deviations) = self.deviations.as_mut().filter(|_| taken > 0) {
            let (taken, instead) = (words(taken), words(0));
            deviations.push(Deviation { choice: at as u32, taken, instead });
        }
        Some(taken)
    }

    /// Whether the run is given up, because the time for it is up or because it has come to a known state.
    pub fn is_over(&mut self) -> bool {
        if self.over.is_none() && self.limit.is_up() {
            self.over = Some(Ended::Interrupted);
        }
        self.over.is_some()
    }

    /// What the run did, once it is over; `outcome` is that of a run that came to its end, and `slow` whether it took
    /// something that is.
    pub fn report<E>(
        &mut self,
        slow: bool,
        outcome: impl FnOnce() -> Result<Outcome, E>,
    ) -> Result<Report, E> {
        let over = self.over.take().or_else(|| self.decider.misfit().map(Ended::Misfit));
        let ended = match over {
            Some(over) => over,
            None => Ended::Outcome(outcome()?),
        };
        let choices = std::mem::take(&mut self.choices);
        let (reads_clock, coarse, starves) = (false, false, Vec::new());
        Ok(Report { choices, ended, reads_clock, coarse, slow, starves })
    }

    /// The deviations from the default order, in words, if they were asked for.
    pub fn deviations(&mut self) -> Vec<Deviation> {
        self.deviations.take().unwrap_or_default()
    }
}
