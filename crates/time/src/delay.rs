//! Delays and periods, and how a program's numbers become them (rule TIME-12).

use crate::Instant;
use std::fmt;

/// What one step of a domain's clock is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unit {
    /// A thousandth of a second.
    #[default]
    Millisecond,
    /// A millionth of a second.
    Microsecond,
}

impl Unit {
    /// How many microseconds one unit is.
    pub const fn micros(self) -> u64 {
        match self {
            Self::Millisecond => 1_000,
            Self::Microsecond => 1,
        }
    }
}

/// A distance in logical time, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Delay(u64);

impl Delay {
    /// No distance at all.
    pub const ZERO: Self = Self(0);

    /// That many microseconds.
    pub const fn from_micros(micros: u64) -> Self {
        Self(micros)
    }

    /// That many milliseconds.
    pub const fn from_millis(millis: u64) -> Self {
        Self(millis.saturating_mul(1_000))
    }

    /// A program's number as a delay: a whole number of units, truncated (rule TIME-12).
    ///
    /// NaN and everything negative count as zero; infinity is refused.
    pub fn from_number(number: f64, unit: Unit) -> Result<Self, RangeError> {
        if number == f64::INFINITY {
            return Err(RangeError);
        }
        // A float cast saturates and turns NaN into zero, which is what the rule asks for.
        Ok(Self((number.trunc() as u64).saturating_mul(unit.micros())))
    }

    /// Microseconds.
    pub const fn as_micros(self) -> u64 {
        self.0
    }

    /// Whole milliseconds, rounded down.
    pub const fn as_millis(self) -> u64 {
        self.0 / 1_000
    }
}

/// A delay that is not zero: what a periodic callback repeats by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Period(Delay);

impl Period {
    /// The given delay, or one unit when it is shorter than that (rule TIME-12).
    pub fn at_least_one(delay: Delay, unit: Unit) -> Self {
        Self(delay.max(Delay::from_micros(unit.micros())))
    }

    /// The period as a delay.
    pub const fn delay(self) -> Delay {
        self.0
    }

    /// When a callback comes again that was due at an instant and runs now: one period later, and if a whole
    /// period has passed, at the first instant of its grid that is ahead. One run stands for those that have
    /// passed (rule LOOP-7).
    pub fn again(self, due: Instant, now: Instant) -> Instant {
        let next = due + self.0;
        if next > now {
            return next;
        }
        let missed = now.since(due).as_micros() / self.0.as_micros();
        next + Delay::from_micros(self.0.as_micros().saturating_mul(missed))
    }
}

/// A delay that is infinite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RangeError;

impl fmt::Display for RangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a delay must be a finite number")
    }
}

impl std::error::Error for RangeError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_12_numbers_become_whole_units() {
        let millis = |number| Delay::from_number(number, Unit::Millisecond).unwrap();
        assert_eq!(millis(2.999), Delay::from_millis(2));
        assert_eq!(millis(-0.5), Delay::ZERO);
        assert_eq!(millis(-7.0), Delay::ZERO);
        assert_eq!(millis(f64::NAN), Delay::ZERO);
        assert_eq!(millis(f64::NEG_INFINITY), Delay::ZERO);
        assert_eq!(millis(4_294_967_296.0), Delay::from_millis(1 << 32), "nothing wraps at 2^31");
        assert_eq!(millis(1e300), Delay::from_micros(u64::MAX));
        assert_eq!(Delay::from_number(f64::INFINITY, Unit::Millisecond), Err(RangeError));
        assert_eq!(Delay::from_number(7.9, Unit::Microsecond), Ok(Delay::from_micros(7)));
    }

    #[test]
    fn time_12_a_period_is_at_least_one_unit() {
        let shortest = Period::at_least_one(Delay::ZERO, Unit::Millisecond);
        assert_eq!(shortest.delay(), Delay::from_millis(1));
        let micro = Period::at_least_one(Delay::ZERO, Unit::Microsecond);
        assert_eq!(micro.delay(), Delay::from_micros(1));
    }
}
