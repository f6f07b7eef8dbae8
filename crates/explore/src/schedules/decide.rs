//! Which alternative a plan takes.

use super::digest::Digest;
use super::plan::{Misfit, Plan};
use hemiola_machine::{Chooser, Schedule, Seeded};
use std::collections::BTreeMap;

/// What an alternative belongs to, for whoever gives priorities: what is registered by one callback is
/// of one kind with it.
pub(crate) type Kind = Digest;

/// Takes alternatives as a plan has it.
pub(crate) enum Decider {
    Follow { schedule: Schedule, next: usize, misfit: Option<Misfit> },
    Priorities(Priorities),
    Random(Seeded),
}

/// PCT: the alternative of the highest priority is taken; at a few places it sinks to the lowest.
pub(crate) struct Priorities {
    random: Seeded,
    given: BTreeMap<Kind, i64>,
    /// At which choices a priority sinks, in no order.
    changes: Vec<u32>,
    sunk: i64,
}

impl Decider {
    pub(crate) fn new(plan: &Plan) -> Self {
        match plan {
            Plan::Follow(schedule) => {
                Self::Follow { schedule: schedule.clone(), next: 0, misfit: None }
            }
            &Plan::Priorities { seed, changes, length } => {
                let mut random = Seeded::new(seed);
                let draw = |_| random.choose(length.max(1) as usize) as u32;
                let changes = (0..changes).map(draw).collect();
                Self::Priorities(Priorities { random, given: BTreeMap::new(), changes, sunk: 0 })
            }
            Plan::Random { seed } => Self::Random(Seeded::new(*seed)),
        }
    }

    /// Takes one of `count` alternatives at a choice; `kind` says what each belongs to.
    pub(crate) fn decide(
        &mut self,
        choice: u32,
        count: usize,
        kind: impl Fn(usize) -> Option<Kind>,
    ) -> usize {
        match self {
            Self::Follow { schedule, next, misfit } => {
                let Some(&(at, wanted)) = schedule.pairs().get(*next).filter(|one| one.0 == choice)
                else {
                    return 0;
                };
                *next += 1;
                if (wanted as usize) < count {
                    return wanted as usize;
                }
                misfit.get_or_insert(Misfit { choice: at, wanted, count: count as u32 });
                0
            }
            Self::Priorities(priorities) => priorities.decide(choice, count, kind),
            Self::Random(random) => random.choose(count),
        }
    }

    /// Whether it deviates at a choice, and has done so wherever it was to before.
    pub(crate) fn deviates_at(&self, choice: u32) -> bool {
        match self {
            Self::Follow { schedule, next, misfit: None } => {
                schedule.pairs().get(*next).is_some_and(|one| one.0 == choice)
            }
            _ => false,
        }
    }

    /// Whether it takes the same at the first choices, and deviates at one that comes after them.
    pub(crate) fn begins_with(&self, taken: impl ExactSizeIterator<Item = u32>) -> bool {
        let Self::Follow { schedule, .. } = self else { return taken.len() == 0 };
        let count = taken.len();
        if count == 0 {
            return true;
        }
        let pairs = schedule.pairs();
        let before = pairs.iter().take_while(|pair| (pair.0 as usize) < count);
        let taken = taken.zip(0..).filter(|&(taken, _)| taken > 0);
        before.clone().count() < pairs.len()
            && before.copied().eq(taken.map(|(taken, at)| (at, taken)))
    }

    /// Goes on behind so many choices, which it [begins with](Self::begins_with).
    pub(crate) fn skip(&mut self, choices: usize) {
        if let Self::Follow { schedule, next, .. } = self {
            let before = schedule.pairs().iter().take_while(|pair| (pair.0 as usize) < choices);
            *next = before.count();
        }
    }

    /// The first deviation that the run did not offer; to be asked after the run.
    pub(crate) fn misfit(&self) -> Option<Misfit> {
        let Self::Follow { schedule, next, misfit } = self else { return None };
        let left = schedule.pairs().get(*next);
        misfit.or(left.map(|&(choice, wanted)| Misfit { choice, wanted, count: 0 }))
    }
}

impl Priorities {
    fn decide(&mut self, choice: u32, count: usize, kind: impl Fn(usize) -> Option<Kind>) -> usize {
        let kinds: Option<Vec<Kind>> = (0..count).map(kind).collect();
        let Some(kinds) = kinds else { return self.random.choose(count) };
        for &kind in &kinds {
            let drawn = (self.random.number() >> 2) as i64;
            self.given.entry(kind).or_insert(drawn);
        }
        // Of one kind, the oldest.
        let highest = (0..count).max_by_key(|&at| (self.given[&kinds[at]], std::cmp::Reverse(at)));
        let highest = highest.expect("a choice has alternatives");
        if self.changes.contains(&choice) {
            self.sunk -= 1;
            self.given.insert(kinds[highest], self.sunk);
        }
        highest
    }
}
