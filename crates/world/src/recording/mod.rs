//! What a world said, so that it can be said again.
//!
//! [`Recorder`] passes everything on to a world and notes its answers on a [`Tape`]; [`Recorded`] is a
//! world that gives them again, and stops where it is asked something else (rules GATE-1, GATE-2).
//! Calls come in the same order in both, so a tape needs no times of its own: it holds the answers that
//! are not the usual ones, in order.

mod digest;
mod entry;
mod modules;
mod recorded;
mod recorder;
mod wire;

pub use digest::Digest;
pub use entry::{Entry, Kept, Question, Variable};
pub use modules::{RecordedModules, RecordingModules};
pub use recorded::{Divergence, Recorded};
pub use recorder::{IsInherited, IsOver, Recorder, Tape};
pub use wire::{Sums, read, write};
