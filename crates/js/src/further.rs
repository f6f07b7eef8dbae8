//! Moments after the first choice of runs that are alike: where schedules part.
//!
//! A search makes schedules one after the other that have all of their choices in common up to the one where they part. The
//! moment before it is kept, with what differs from the one before, where so much happens between the two that it pays; the
//! next run begins at the last of these moments that lies on its way.

use crate::around::Surroundings;
use crate::moment::Moment;
use crate::noted::{Exchange, Way};
use hemiola_engine::image::Change;

/// Such a moment.
pub(crate) struct Further {
    /// In which step it comes.
    pub(crate) steps: u64,
    /// What was chosen by then.
    pub(crate) way: Way,
    pub(crate) around: Surroundings,
    /// What was written, and told of tests, since the moment before.
    pub(crate) written: Vec<Exchange>,
    pub(crate) told: Vec<String>,
    pub(crate) moment: Moment,
    /// The engine's memory, as far as it differs from the image of the first choice.
    pub(crate) change: Change,
    /// Whether the engine has put its objects into another order by then.
    pub(crate) is_reordered: bool,
}
