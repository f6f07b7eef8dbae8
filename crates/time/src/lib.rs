//! Logical time: whole numbers only.
//!
//! An [`Instant`] is a point on a time line, a [`Delay`] a distance, a [`Period`] a distance that is
//! never zero. A [`Tag`] is an instant of one domain plus a microstep, and a [`Key`] is what orders
//! every pending timed callback of a program. Nothing here is a float and nothing wraps: sums stop
//! at the end of time, half a million years away.
//!
//! ```
//! use hemiola_time::{Delay, Instant, Unit};
//!
//! let delay = Delay::from_number(1.9, Unit::Millisecond).unwrap();
//! assert_eq!(Instant::ZERO + delay, Instant::from_micros(1_000));
//! assert!(Delay::from_number(f64::INFINITY, Unit::Millisecond).is_err());
//! ```
#![forbid(unsafe_code)]

mod delay;
mod key;
mod label;

pub use delay::{Delay, Period, RangeError, Unit};
pub use key::{Key, Microstep, Ordinal, Tag};
pub use label::Label;

use std::fmt;
use std::ops::{Add, Sub};

/// A point on a time line, in microseconds since the line's origin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(u64);

impl Instant {
    /// The origin of the line.
    pub const ZERO: Self = Self(0);
    /// The end of time: what is due then is never due.
    pub const MAX: Self = Self(u64::MAX);

    /// The instant that many microseconds after the origin.
    pub const fn from_micros(micros: u64) -> Self {
        Self(micros)
    }

    /// The instant that many milliseconds after the origin.
    pub const fn from_millis(millis: u64) -> Self {
        Self(millis.saturating_mul(1_000))
    }

    /// Microseconds since the origin.
    pub const fn as_micros(self) -> u64 {
        self.0
    }

    /// Whole milliseconds since the origin, rounded down.
    pub const fn as_millis(self) -> u64 {
        self.0 / 1_000
    }

    /// How far this is after `earlier`; nothing when it is not after it.
    pub const fn since(self, earlier: Self) -> Delay {
        Delay::from_micros(self.0.saturating_sub(earlier.0))
    }

    /// The last instant at or before this one that is a whole number of `unit`s.
    ///
    /// This is the mapping from physical to logical time of rule TIME-2.
    pub const fn floor(self, unit: Unit) -> Self {
        Self(self.0 - self.0 % unit.micros())
    }
}

impl Add<Delay> for Instant {
    type Output = Self;

    fn add(self, delay: Delay) -> Self {
        Self(self.0.saturating_add(delay.as_micros()))
    }
}

impl Sub<Delay> for Instant {
    type Output = Self;

    fn sub(self, delay: Delay) -> Self {
        Self(self.0.saturating_sub(delay.as_micros()))
    }
}

/// Seconds with three decimals, six where microseconds matter: `1.500`, `0.000250`.
impl fmt::Display for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (seconds, micros) = (self.0 / 1_000_000, self.0 % 1_000_000);
        if micros % 1_000 == 0 {
            write!(f, "{seconds}.{:03}", micros / 1_000)
        } else {
            write!(f, "{seconds}.{micros:06}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_stop_at_the_end_of_time() {
        assert_eq!(Instant::MAX + Delay::from_millis(1), Instant::MAX);
        assert_eq!(Instant::ZERO - Delay::from_millis(1), Instant::ZERO);
        assert_eq!(Instant::from_millis(u64::MAX), Instant::MAX);
    }

    #[test]
    fn the_floor_is_a_whole_number_of_units() {
        let now = Instant::from_micros(1_999);
        assert_eq!(now.floor(Unit::Millisecond), Instant::from_micros(1_000));
        assert_eq!(now.floor(Unit::Microsecond), now);
    }

    #[test]
    fn instants_print_as_seconds() {
        assert_eq!(Instant::from_millis(1_500).to_string(), "1.500");
        assert_eq!(Instant::from_micros(250).to_string(), "0.000250");
    }
}
