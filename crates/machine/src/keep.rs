//! What surrounds a host, kept in the middle of a run.

use hemiola_trace::Event;
use std::any::Any;

/// A world, or somebody who listens, that can be brought to where another of its kind was in the middle of a run: as if
/// it had been asked and told the same.
pub trait Keep {
    /// All that it has by now; nothing if it has what cannot be had twice.
    fn keep(&self) -> Option<Kept>;

    /// Whether it may go on from there: it is new, and made like the one that this is from.
    fn fits(&self, kept: &Kept) -> bool;

    /// Goes on from there.
    ///
    /// # Panics
    ///
    /// If it does not [fit](Self::fits).
    fn go_on(&mut self, kept: &Kept);

    /// Whether the run parts at its next choice from others that are much like it so far.
    fn parts(&self) -> bool {
        false
    }
}

/// The events of a run.
impl Keep for Vec<Event> {
    fn keep(&self) -> Option<Kept> {
        Some(Kept::new(self.clone()))
    }

    fn fits(&self, kept: &Kept) -> bool {
        kept.get::<Self>().is_some()
    }

    fn go_on(&mut self, kept: &Kept) {
        self.clone_from(kept.of());
    }
}

/// What was kept, by whoever knows what it is.
pub struct Kept(Box<dyn Any + Send>);

impl Kept {
    /// Keeps it.
    pub fn new(kept: impl Send + 'static) -> Self {
        Self(Box::new(kept))
    }

    /// What it is, if it is of that kind.
    pub fn get<T: 'static>(&self) -> Option<&T> {
        self.0.downcast_ref()
    }

    /// The same for who knows that it is.
    ///
    /// # Panics
    ///
    /// If it is of another kind.
    pub fn of<T: 'static>(&self) -> &T {
        self.get().expect("what was kept is taken by its own kind")
    }
}
