//! A schedule for an execution that is known to exist.

use crate::fingerprint::Fingerprint;
use crate::graph::{End, Next, System};
use crate::script::Script;
use hemiola_machine::Schedule;
use hemiola_trace::Observation;
use rustc_hash::FxHashSet;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How many configurations are looked at for the sake of few deviations.
const PATIENCE: usize = 100_000;

/// A schedule with which a system shows this trace and ends in this way, if there is one; without
/// an end, one after which the trace has been shown and the run may go on.
///
/// The graph of executions cannot always tell. Its edges say what one of several equal
/// configurations chose, and another may offer the same alternatives in another order, such as the
/// answers of operations that were asked for in another order. So this follows real runs, those with
/// fewer deviations first; equal configurations are followed once, so there may be a schedule with
/// fewer still.
pub fn find<S: System>(initial: S, trace: &[Observation], end: Option<&End>) -> Option<Schedule> {
    let goal = Goal { trace, end };
    // Where few deviations are too many to try, any will do: depth first, as `explore` goes.
    goal.search(initial.clone(), false, PATIENCE).or_else(|| goal.search(initial, true, usize::MAX))
}

struct Goal<'a> {
    trace: &'a [Observation],
    end: Option<&'a End>,
}

/// A configuration on the way, and what was chosen since the one before.
struct Step {
    before: usize,
    choices: Vec<u32>,
}

/// A configuration to go on from.
struct Open<S> {
    system: S,
    seen: usize,
    deviations: usize,
    step: usize,
    fingerprint: Fingerprint,
}

impl<S: System> Open<S> {
    fn new(system: S, seen: usize, deviations: usize, step: usize) -> Self {
        let mut bytes = Vec::new();
        system.configuration(&mut bytes);
        Self { system, seen, deviations, step, fingerprint: Fingerprint::of(&bytes) }
    }
}

impl Goal<'_> {
    fn search<S: System>(&self, initial: S, depth_first: bool, limit: usize) -> Option<Schedule> {
        let mut steps = vec![Step { before: 0, choices: Vec::new() }];
        let mut open = vec![Some(Open::new(initial, 0, 0, 0))];
        let mut queue = BinaryHeap::from([Reverse((0, 0, 0))]);
        let mut known = FxHashSet::default();
        let mut script = Script::default();
        let mut observed = Vec::new();
        let mut expanded = 0;
        while let Some(Reverse((_, _, at))) = queue.pop() {
            let from: Open<S> = open[at].take().expect("everything is in the queue once");
            if self.end.is_none() && from.seen == self.trace.len() {
                return Some(schedule(&steps, from.step));
            }
            if !depth_first && !known.insert((from.fingerprint, from.seen)) {
                continue;
            }
            if expanded == limit {
                return None;
            }
            expanded += 1;
            script.restart();
            loop {
                let mut system = from.system.clone();
                observed.clear();
                let next = system.step(&mut script, &mut observed);
                if self.trace[from.seen..].starts_with(&observed) {
                    let seen = from.seen + observed.len();
                    let choices = script.taken().to_vec();
                    let deviated = choices.iter().filter(|&&taken| taken > 0).count();
                    let step = steps.len();
                    steps.push(Step { before: from.step, choices });
                    match next {
                        Next::End(end) => {
                            if seen == self.trace.len() && self.end.is_none_or(|goal| *goal == end)
                            {
                                return Some(schedule(&steps, step));
                            }
                        }
                        // Nothing comes after it, and it is no end.
                        Next::Endless { .. } => {}
                        Next::Configuration => {
                            let next = Open::new(system, seen, from.deviations + deviated, step);
                            let key = (next.fingerprint, seen);
                            let number = open.len();
                            let (is_new, priority) = if depth_first {
                                (known.insert(key), (0, usize::MAX - number, number))
                            } else {
                                (!known.contains(&key), (next.deviations, number, number))
                            };
                            if is_new {
                                open.push(Some(next));
                                queue.push(Reverse(priority));
                            }
                        }
                    }
                }
                if !script.advance() {
                    break;
                }
            }
        }
        None
    }
}

fn schedule(steps: &[Step], last: usize) -> Schedule {
    let mut path = Vec::new();
    let mut at = last;
    while at != 0 {
        path.push(&steps[at].choices);
        at = steps[at].before;
    }
    let choices = path.into_iter().rev().flatten();
    Schedule::from_choices(choices.map(|&taken| taken as usize))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_machine::Chooser;

    /// Shows three letters of its choice.
    #[derive(Clone)]
    struct Letters(u8);

    impl System for Letters {
        fn step(&mut self, script: &mut Script, observed: &mut Vec<Observation>) -> Next {
            if self.0 == 3 {
                return Next::End(End::Final);
            }
            self.0 += 1;
            observed.push(["a", "b"][script.choose(2)].into());
            Next::Configuration
        }

        fn configuration(&self, bytes: &mut Vec<u8>) {
            bytes.push(self.0);
        }
    }

    #[test]
    fn both_orders_of_search_find_a_run() {
        let trace: Vec<Observation> = ["a", "b", "b"].map(Observation::from).into();
        let goal = Goal { trace: &trace, end: Some(&End::Final) };
        for depth_first in [false, true] {
            let found = goal.search(Letters(0), depth_first, usize::MAX);
            assert_eq!(found.map(|found| found.to_string()).as_deref(), Some("1:1,2:1"));
            assert_eq!(goal.search(Letters(0), depth_first, 2), None, "the limit holds");
        }
    }
}
