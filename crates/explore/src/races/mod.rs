//! Races: accesses to one location that no rule orders (rules RACE-1 and RACE-2).
//!
//! A [`Probe`] hears everything that happens in a run. Its [`Order`] says which parts of the run happen
//! before which in every schedule; accesses of the others to one location, of which one writes, are a
//! [`Race`]. A [`Judge`] compares runs in which the two come in either order.

mod bits;
mod judge;
mod order;
mod probe;

pub use judge::{Account, Also, Judge, Judged, Named, Shown, Verdict};
pub use order::{Identity, Kind, Order, Part, PartId};
pub use probe::{Outside, Probe, Race, Side, Subject};

#[cfg(test)]
mod tests;
