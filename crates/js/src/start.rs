//! How runs begin that differ by nothing but what is chosen: the moment of their first choice.

use crate::around::{Keeper, Surroundings};
use crate::host::{Js, Queued};
use crate::noted::{self, Exchanged};
use crate::program::Driving;
use hemiola_engine::JavaScript;
use hemiola_engine::foreign::Foreign;
use hemiola_engine::image::Image;
use hemiola_engine::instrument::Instrument;
use hemiola_engine::state::Holds;
use hemiola_machine::{Sink, World};
use hemiola_node::{Options, State, Tests};
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

/// What runs have in common that differ by nothing but what is chosen.
#[derive(Clone, Default)]
pub struct Likeness(Arc<()>);

impl PartialEq for Likeness {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// What is known of how runs begin that are alike.
pub(crate) struct Start {
    pub(crate) likeness: Likeness,
    /// How many of them there were.
    runs: u32,
    /// How many steps they take before the first choice, once that was counted; none if they cannot be shared.
    pub(crate) steps: Option<u64>,
    /// Whether much happens before the first choice.
    pub(crate) is_long: bool,
}

/// So many runs are made as a whole: most searches are over by then, and engines have what they need. Of those that
/// are long before the first choice one is enough.
const WHOLE: u32 = 4;

/// To exchange so much takes longer than to make an engine that has what it needs.
pub(crate) const LONG: usize = 5_000;

/// What is done of a run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// All of it.
    Whole,
    /// All of it, and the steps before its first choice are counted.
    Counted,
    /// All of it, and others are to go on from where it is after so many steps.
    Taken(u64),
    /// What follows that moment.
    Rest,
}

impl Start {
    pub(crate) fn new(likeness: Likeness) -> Self {
        Self { likeness, runs: 0, steps: None, is_long: false }
    }

    /// Whether runs with such options can be shared: nobody looks at what happens within a callback.
    pub(crate) fn suits(options: &Options) -> bool {
        let is_plain = matches!(options.instrument, Instrument::Off);
        is_plain
            && options.debug.is_none()
            && options.max_action.is_none()
            && !matches!(options.tests, Tests::List(_))
    }

    /// What is done of the next run; `is_there` says whether there is an engine at their common moment.
    pub(crate) fn next(&mut self, is_there: bool) -> Part {
        self.runs = self.runs.saturating_add(1);
        match self.steps {
            _ if is_there => Part::Rest,
            None => Part::Counted,
            Some(_) if self.runs <= WHOLE && !self.is_long => Part::Counted,
            Some(0) => Part::Whole,
            Some(steps) => Part::Taken(steps),
        }
    }
}

/// The moment of their first choice, and how a world comes to it.
pub(crate) struct Later {
    pub(crate) likeness: Likeness,
    pub(crate) exchanged: Exchanged,
    /// What world and listeners had, where that is less than what was exchanged.
    pub(crate) around: Option<Surroundings>,
    /// What was told of tests by then.
    pub(crate) told: Vec<String>,
    pub(crate) moment: Moment,
}

impl Later {
    /// Whether a new world and new listeners can be brought there.
    pub(crate) fn brings<W, S>(&self, keeper: &impl Keeper<W, S>, world: &W, sink: &S) -> bool {
        !self.exchanged.is_cut || self.copied(keeper, world, sink).is_some()
    }

    /// Brings them there.
    pub(crate) fn bring<W: World<JavaScript>, S: Sink>(
        &self,
        keeper: &impl Keeper<W, S>,
        world: &mut W,
        sink: &mut S,
    ) {
        match self.copied(keeper, world, sink) {
            Some(around) => {
                noted::write_again(&self.exchanged.list, world);
                keeper.go_on(around, world, sink);
            }
            None => noted::repeat(&self.exchanged.list, world, sink),
        }
    }

    /// What they may go on from.
    fn copied<W, S>(
        &self,
        keeper: &impl Keeper<W, S>,
        world: &W,
        sink: &S,
    ) -> Option<&Surroundings> {
        self.around.as_ref().filter(|around| keeper.fits(around, world, sink))
    }

    /// Tells once more what was told of tests.
    pub(crate) fn tell(&self, options: &Options) {
        if let Tests::Suite(suite) = &options.tests {
            self.told.iter().for_each(|event| (suite.tell)(event));
        }
    }
}

/// A moment between two callbacks of a run.
pub(crate) struct Moment {
    pub(crate) driving: Driving,
    pub(crate) past: Rc<State>,
    pub(crate) queued: Queued,
    pub(crate) holds: Holds,
    pub(crate) foreign: Foreign,
    pub(crate) image: Image,
}

impl Moment {
    /// Begins a run there.
    pub(crate) fn enter(&self, host: &mut Js, options: Options) -> Driving {
        host.go_on(&self.past, &self.queued, &self.holds, options);
        self.driving.copy().expect("it could be copied when it was taken")
    }
}

/// What is told of tests, until somebody takes it.
#[derive(Clone)]
pub(crate) struct Told(Arc<Mutex<Option<Vec<String>>>>);

impl Told {
    /// What was told up to now; what follows is not kept.
    pub(crate) fn take(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take().unwrap_or_default()
    }
}

/// Keeps what is told of tests, if anything is.
pub(crate) fn hear(options: &mut Options) -> Option<Told> {
    let Tests::Suite(suite) = &mut options.tests else { return None };
    let told = Told(Arc::new(Mutex::new(Some(Vec::new()))));
    let (kept, tell) = (told.clone(), Arc::clone(&suite.tell));
    suite.tell = Arc::new(move |event| {
        if let Some(kept) = &mut *kept.0.lock().unwrap_or_else(PoisonError::into_inner) {
            kept.push(event.to_owned());
        }
        tell(event);
    });
    Some(told)
}
