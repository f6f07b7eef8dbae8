//! How runs begin that differ by nothing but what is chosen: the moment of their first choice.

use crate::around::{Keeper, Surroundings};
use crate::further::Further;
use crate::moment::Moment;
use crate::noted::{self, Exchanged, Way};
use hemiola_engine::JavaScript;
use hemiola_engine::foreign::Foreign;
use hemiola_engine::image::Image;
use hemiola_engine::instrument::Instrument;
use hemiola_machine::{Sink, World};
use hemiola_node::{Options, Tests};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// What runs have in common that differ by nothing but what is chosen.
#[derive(Clone, Default)]
pub struct Likeness(Arc<Common>);

#[derive(Default)]
struct Common {
    /// In which step each choice comes, by what was chosen before it.
    known: Mutex<BTreeMap<Way, u64>>,
    /// Whether a moment is kept also where it does not pay.
    keeps_all: bool,
}

/// Of so many choices is known in which step they come.
const KNOWN: usize = 1 << 18;

impl Likeness {
    /// The same for a test: moments are kept wherever schedules part, whether that pays or not.
    pub fn keeping_all() -> Self {
        Self(Arc::new(Common { keeps_all: true, ..Common::default() }))
    }

    /// Notes in which steps choices came.
    pub(crate) fn note(&self, met: Vec<(Way, u64)>) {
        let mut known = self.0.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() < KNOWN {
            known.extend(met);
        }
    }

    /// In which step the choice comes before which this was chosen, if any run has met it.
    pub(crate) fn step(&self, way: Way) -> Option<u64> {
        self.0.known.lock().unwrap_or_else(PoisonError::into_inner).get(&way).copied()
    }
}

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
    /// How many moments could not be kept that come after it.
    pub(crate) misses: u32,
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
        Self { likeness, runs: 0, steps: None, is_long: false, misses: 0 }
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
    /// In which step it comes.
    pub(crate) steps: u64,
    pub(crate) moment: Moment,
    pub(crate) foreign: Foreign,
    pub(crate) image: Image,
    /// Moments after it, each after the one before.
    pub(crate) further: Vec<Further>,
}

impl Later {
    /// Whether a new world and new listeners can be brought there.
    pub(crate) fn brings<W, S>(&self, keeper: &impl Keeper<W, S>, world: &W, sink: &S) -> bool {
        !self.exchanged.is_cut || self.copied(keeper, world, sink).is_some()
    }

    /// Brings them there, or to the last moment after it.
    pub(crate) fn bring<W: World<JavaScript>, S: Sink>(
        &self,
        keeper: &impl Keeper<W, S>,
        world: &mut W,
        sink: &mut S,
    ) {
        if let Some(last) = self.further.last() {
            noted::write_again(&self.exchanged.list, world);
            self.further.iter().for_each(|one| noted::write_again(&one.written, world));
            return keeper.go_on(&last.around, world, sink);
        }
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
            let further = self.further.iter().flat_map(|one| &one.told);
            self.told.iter().chain(further).for_each(|event| (suite.tell)(event));
        }
    }

    /// The last moment of all.
    pub(crate) fn last(&self) -> &Moment {
        self.further.last().map_or(&self.moment, |one| &one.moment)
    }

    /// Puts the engine's memory back to there.
    pub(crate) fn restore(&self) {
        self.image.restore_to(self.further.last().map(|one| &one.change));
        self.foreign.set_reordered(self.further.last().is_some_and(|one| one.is_reordered));
    }

    /// How many steps come before it, and what was chosen by then.
    pub(crate) fn place(&self) -> (u64, Way) {
        self.further.last().map_or((self.steps, Way::default()), |one| (one.steps, one.way))
    }

    /// Whether it pays to keep a moment after it, up to which so many callbacks have run.
    pub(crate) fn pays(&self, invocations: u64) -> bool {
        let since = invocations - self.last().driving.machine.invocations();
        let copied = self.image.sizes().1 as u64;
        let pays = since >= FEWEST + copied / BYTES || self.likeness.0.keeps_all;
        self.further.len() < DEEPEST && pays
    }
}

/// To keep a moment takes about as long as so many callbacks, and another one for so many bytes that are copied.
const FEWEST: u64 = 24;
const BYTES: u64 = 64 << 10;

/// So many moments are kept after the first.
const DEEPEST: usize = 12;

/// What is told of tests, until somebody takes it.
#[derive(Clone)]
pub(crate) struct Told(Arc<Mutex<Vec<String>>>);

impl Told {
    /// What was told since somebody last took it.
    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Keeps what is told of tests, if anything is.
pub(crate) fn hear(options: &mut Options) -> Option<Told> {
    let Tests::Suite(suite) = &mut options.tests else { return None };
    let told = Told(Arc::default());
    let (kept, tell) = (told.clone(), Arc::clone(&suite.tell));
    suite.tell = Arc::new(move |event| {
        kept.0.lock().unwrap_or_else(PoisonError::into_inner).push(event.to_owned());
        tell(event);
    });
    Some(told)
}
