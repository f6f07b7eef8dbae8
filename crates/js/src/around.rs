//! What surrounds runs that are alike, kept at the moment that they go on from.

use hemiola_engine::JavaScript;
use hemiola_machine::{Keep, Kept, Sink, World};

/// What a world and those who listen have by some moment.
pub(crate) struct Surroundings {
    world: Kept,
    sink: Kept,
}

/// Keeps what surrounds a run.
pub(crate) trait Keeper<W, S> {
    /// What they have by now; nothing if that cannot be kept.
    fn keep(&self, world: &W, sink: &S) -> Option<Surroundings>;

    /// Whether others may go on from there.
    fn fits(&self, kept: &Surroundings, world: &W, sink: &S) -> bool;

    /// Lets them.
    fn go_on(&self, kept: &Surroundings, world: &mut W, sink: &mut S);

    /// Whether the run parts at its next choice from others that are much like it so far.
    fn parts(&self, world: &W) -> bool;
}

/// Keeps it if it can be.
pub(crate) struct Keeping;

impl<W: World<JavaScript> + Keep, S: Sink + Keep> Keeper<W, S> for Keeping {
    fn keep(&self, world: &W, sink: &S) -> Option<Surroundings> {
        Some(Surroundings { world: world.keep()?, sink: sink.keep()? })
    }

    fn fits(&self, kept: &Surroundings, world: &W, sink: &S) -> bool {
        world.fits(&kept.world) && sink.fits(&kept.sink)
    }

    fn go_on(&self, kept: &Surroundings, world: &mut W, sink: &mut S) {
        world.go_on(&kept.world);
        sink.go_on(&kept.sink);
    }

    fn parts(&self, world: &W) -> bool {
        world.parts()
    }
}

/// For runs that nobody goes on from.
pub(crate) struct Forgetting;

impl<W, S> Keeper<W, S> for Forgetting {
    fn keep(&self, _: &W, _: &S) -> Option<Surroundings> {
        None
    }

    fn fits(&self, _: &Surroundings, _: &W, _: &S) -> bool {
        false
    }

    fn go_on(&self, _: &Surroundings, _: &mut W, _: &mut S) {
        unreachable!("nothing fits")
    }

    fn parts(&self, _: &W) -> bool {
        false
    }
}
