//! What a run is told, and what it tells.

use hemiola_machine::Schedule;
use hemiola_trace::Observation;
use rustc_hash::FxHashSet;
use std::sync::RwLock;

/// How a run is to be scheduled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Plan {
    /// With these deviations, and in the default order elsewhere.
    Follow(Schedule),
    /// By random priorities, of which so many change within the first `length` choices (PCT).
    Priorities {
        /// What the priorities and the places of the changes follow from.
        seed: u64,
        /// How many changes.
        changes: u32,
        /// How many choices a run is expected to have.
        length: u32,
    },
    /// With any alternative, each as likely as the others.
    Random {
        /// What the choices follow from.
        seed: u64,
    },
}

/// A stand-in for all that decides the future of a run: equal ones have the same future.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State(pub u128);

/// The states from which all alternatives have been or will be tried.
#[derive(Debug, Default)]
pub struct Known(RwLock<FxHashSet<State>>);

impl Known {
    /// Whether a state is among them.
    pub fn contains(&self, state: State) -> bool {
        self.0.read().is_ok_and(|known| known.contains(&state))
    }

    /// Adds a state; false if it was there.
    pub(crate) fn insert(&self, state: State) -> bool {
        self.0.write().is_ok_and(|mut known| known.insert(state))
    }

    /// Forgets all of them.
    pub(crate) fn clear(&self) {
        if let Ok(mut known) = self.0.write() {
            known.clear();
        }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.read().map_or(0, |known| known.len())
    }
}

/// A choice that a run met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// How many alternatives there were.
    pub count: u32,
    /// Which one was taken.
    pub taken: u32,
    /// Where the run stood, if somebody knows.
    pub state: Option<State>,
    /// Alternatives that need not be tried here: a later choice of the run offers the same.
    pub later: Vec<u32>,
}

/// What became of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The choices that it met, in order.
    pub choices: Vec<Choice>,
    /// How it ended.
    pub ended: Ended,
    /// Whether the program looked at a clock.
    pub reads_clock: bool,
    /// Whether the program depends on more than its accesses tell.
    pub coarse: bool,
    /// Whether an answer was kept waiting for longer than answers usually take. Whoever has the world says so.
    pub slow: bool,
    /// Of a run that was cut and told in words: what waited for long.
    pub starves: Vec<String>,
}

impl Report {
    /// The schedule that the run followed.
    pub fn schedule(&self) -> Schedule {
        Schedule::from_choices(self.choices.iter().map(|choice| choice.taken as usize))
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The program came to its end.
    Outcome(Outcome),
    /// It came to a state that is known: another run goes on from there. With the state, if somebody has noted it.
    Known(Option<State>),
    /// It went on for too long.
    Cut,
    /// It did not offer what the plan asked for.
    Misfit(Misfit),
    /// The time for all runs was up before it ended: nothing is known of it.
    Interrupted,
}

/// A deviation that a run did not offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// At which choice.
    pub choice: u32,
    /// Which alternative was asked for.
    pub wanted: u32,
    /// How many there were; none when the run ended before.
    pub count: u32,
}

/// What a program showed, and how it ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Outcome {
    /// What is wrong with it, in a line; nothing if it is as it should be.
    pub failure: Option<String>,
    /// The exit code.
    pub code: i32,
    /// What was observed, in order.
    pub observations: Vec<Observation>,
    /// What was written to standard output.
    pub out: Vec<u8>,
    /// What was written to standard error.
    pub err: Vec<u8>,
}
