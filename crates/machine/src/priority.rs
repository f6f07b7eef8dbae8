//! Levels, deadlines, and what callbacks are known to take (rules PRIO-1 to PRIO-5).
//!
//! The strategy `priority` ranks everything that is able to run. The machine gathers the candidates
//! and says of each whether it would make the next timed action late; ranking them is the strategy's.

use hemiola_time::{Delay, Instant};
use std::fmt;
use std::str::FromStr;

/// How urgent a callback is; the most urgent comes first in the order (rule PRIO-1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Somebody waits for it.
    High,
    /// The level of a program that says nothing.
    #[default]
    Low,
    /// Whenever there is time.
    Background,
}

impl Level {
    /// All of them, the most urgent first.
    pub const ALL: [Self; 3] = [Self::High, Self::Low, Self::Background];

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::High => "high",
            Self::Low => "low",
            Self::Background => "background",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that no level has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownLevel(pub String);

impl fmt::Display for UnknownLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no level `{}`: high, low or background", self.0)
    }
}

impl std::error::Error for UnknownLevel {}

impl FromStr for Level {
    type Err = UnknownLevel;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|level| level.name() == text);
        found.ok_or_else(|| UnknownLevel(text.to_owned()))
    }
}

/// A level, and the logical instant by which the callback should have started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Urgency {
    /// The level.
    pub level: Level,
    /// The deadline, if there is one: from then on the level is `high`.
    pub deadline: Option<Instant>,
    /// Whether it goes on with something: then it comes before what only begins.
    pub continues: bool,
}

impl From<Level> for Urgency {
    fn from(level: Level) -> Self {
        Self { level, deadline: None, continues: false }
    }
}

impl Urgency {
    fn is_overdue(&self, now: Instant) -> bool {
        self.deadline.is_some_and(|deadline| deadline <= now)
    }

    /// The level that counts at that time.
    fn level_at(&self, now: Instant) -> Level {
        if self.is_overdue(now) { Level::High } else { self.level }
    }

    /// Where it stands at that time.
    pub(crate) fn rank(&self, now: Instant) -> Rank {
        let level = self.level_at(now);
        let deadline = self.deadline.unwrap_or(Instant::MAX);
        Rank { level, deadline, begins: !self.continues }
    }
}

/// What comes before what: the level, then the earlier deadline, then what has begun already.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank {
    /// The level that counts now.
    pub level: Level,
    /// The deadline, or the end of time.
    pub deadline: Instant,
    /// Whether it goes on with nothing.
    pub begins: bool,
}

/// A callback that waits in a queue and can be moved or withdrawn. Never reused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskId(pub u64);

/// Where a callback was written: callbacks of one site are expected to take alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site(pub u64);

/// What the callbacks of a site took so far. Sums of whole microseconds: nothing is rounded as it
/// goes, and the space is constant (rule PRIO-3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Estimate {
    count: u64,
    sum: u128,
    squares: u128,
}

impl Estimate {
    /// Takes one more measurement into account.
    pub fn learn(&mut self, took: Delay) {
        let took = u128::from(took.as_micros());
        self.count += 1;
        self.sum = self.sum.saturating_add(took);
        self.squares = self.squares.saturating_add(took.saturating_mul(took));
    }

    /// How many measurements there were.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Their mean.
    pub fn mean(&self) -> Delay {
        Delay::from_micros(u64::try_from(self.mean_us()).unwrap_or(u64::MAX))
    }

    /// Their standard deviation.
    pub fn deviation(&self) -> Delay {
        let count = u128::from(self.count.max(1));
        let mean = self.mean_us();
        let variance = (self.squares / count).saturating_sub(mean.saturating_mul(mean));
        Delay::from_micros(u64::try_from(variance.isqrt()).unwrap_or(u64::MAX))
    }

    fn mean_us(&self) -> u128 {
        self.sum / u128::from(self.count.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_give_mean_and_deviation() {
        let mut estimate = Estimate::default();
        assert_eq!((estimate.mean(), estimate.deviation()), (Delay::ZERO, Delay::ZERO));
        for micros in [2, 4, 4, 4, 5, 5, 7, 9] {
            estimate.learn(Delay::from_micros(micros));
        }
        assert_eq!(estimate.count(), 8);
        assert_eq!(estimate.mean(), Delay::from_micros(5));
        assert_eq!(estimate.deviation(), Delay::from_micros(2));
    }

    #[test]
    fn a_deadline_that_has_passed_makes_urgent() {
        let at = |micros| Instant::ZERO + Delay::from_micros(micros);
        let by_10 = Urgency { deadline: Some(at(10)), ..Level::Background.into() };
        let rank = |level, deadline| Rank { level, deadline, begins: true };
        assert_eq!(by_10.rank(at(9)), rank(Level::Background, at(10)));
        assert_eq!(by_10.rank(at(10)), rank(Level::High, at(10)));
        assert_eq!(Urgency::from(Level::Low).rank(at(99)), rank(Level::Low, Instant::MAX));
    }
}
