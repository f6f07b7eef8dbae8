//! Levels, deadlines, and what callbacks are known to take (rules PRIO-1 to PRIO-5).
//!
//! The strategy `priority` ranks everything that is able to run. The machine gathers the candidates
//! and says of each whether it would make the next timed action late, or get in the way of operations that
//! are more urgent; ranking them is the strategy's.

use crate::timers::Handle;
use hemiola_time::{Delay, Instant};
use hemiola_trace::Operation;
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

    /// Where it is at that time, for a callback with that standing.
    pub(crate) fn rank(&self, standing: Standing, now: Instant) -> Rank {
        let level = standing.at(now).least(self.level_at(now));
        let deadline = self.deadline.unwrap_or(Instant::MAX);
        Rank { level, deadline, begins: !self.continues }
    }

    /// What a callback with that standing hands on when it runs at that time.
    ///
    /// A task whose deadline has passed is promoted, and with it all that it causes; one whose deadline is
    /// yet to come hands on the deadline, so that what it has begun is not starved either.
    pub(crate) fn handed_on(&self, standing: Standing, now: Instant) -> Standing {
        let standing = standing.at(now).with_level(self.level);
        match self.deadline {
            Some(_) if self.level == Level::High => standing,
            Some(deadline) if deadline <= now => standing.promoted(),
            Some(deadline) => standing.promoted_by(deadline),
            None => standing,
        }
    }
}

/// What a callback hands on to all that it starts (rule PRIO-2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// The level that it has.
    pub level: Level,
    /// The level that a promotion has brought it to: nothing that it causes is less urgent.
    raised: Option<Level>,
    /// When it will be promoted: the deadline of the task that it is part of.
    promoted_at: Option<Instant>,
    /// The level of who asked for it, if it was given a level of its own.
    asked_by: Option<Level>,
}

impl Standing {
    /// What something is handed that is given a level of its own.
    pub fn given(self, level: Level) -> Self {
        Self { asked_by: Some(self.asker()), ..self.with_level(level) }
    }

    /// The level of who asked for what is started with this. Only who is more urgent than that promotes it: a level
    /// that somebody gives to what they await themselves is what they want.
    pub fn asker(self) -> Level {
        self.asked_by.unwrap_or(self.level)
    }

    /// The same for the body of a task, which asks for what it starts itself.
    pub(crate) fn of_task(self) -> Self {
        Self { asked_by: None, ..self }
    }

    /// The same with a level of its own, which is no less urgent than a promotion allows.
    pub fn with_level(self, level: Level) -> Self {
        Self { level: self.least(level), ..self }
    }

    /// The same after a promotion to that level; what is as urgent already needs none.
    pub fn raised_to(self, level: Level) -> Self {
        if self.level <= level {
            return self;
        }
        Self { level, raised: Some(self.least(level)), ..self }
    }

    /// What a continuation has that was attached with this standing, and that one with the other made able
    /// to run: the level of its link, and the promotions of both. Who is as urgent without it is not promoted:
    /// most often that is who awaited, and what it starts may be less urgent again.
    pub fn caused_by(self, cause: Self) -> Self {
        let by_cause = cause.raised.filter(|&raised| raised < self.level);
        let raised = self.raised.into_iter().chain(by_cause).min();
        let deadline = cause.promoted_at.filter(|_| self.level != Level::High);
        let promoted_at = self.promoted_at.into_iter().chain(deadline).min();
        Self { raised, promoted_at, ..self }.with_level(self.level)
    }

    /// The same after a promotion by deadline, which nothing can come after.
    fn promoted(self) -> Self {
        Self { level: Level::High, raised: Some(Level::High), promoted_at: None, ..self }
    }

    fn promoted_by(self, deadline: Instant) -> Self {
        let promoted_at = self.promoted_at.into_iter().chain([deadline]).min();
        Self { promoted_at, ..self }
    }

    /// What it is at that time.
    pub(crate) fn at(self, now: Instant) -> Self {
        match self.promoted_at {
            Some(time) if time <= now => self.promoted(),
            _ => self,
        }
    }

    /// When it will be promoted, if it will.
    pub(crate) fn promotion(self) -> Option<Instant> {
        self.promoted_at
    }

    fn least(self, level: Level) -> Level {
        self.raised.map_or(level, |raised| raised.min(level))
    }
}

/// Something that waits, for whoever awaits what it will do (rule PRIO-2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Awaited {
    /// A callback that is able to run.
    Queued(TaskId),
    /// What goes on with the task that asked for it, as urgent as that is.
    Continued(TaskId),
    /// An operation that the world has not answered, or whose callback has not run.
    Operation(Operation),
    /// A timed callback.
    Timer(Handle),
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
        let usual = Standing::default();
        assert_eq!(by_10.rank(usual, at(9)), rank(Level::Background, at(10)));
        assert_eq!(by_10.rank(usual, at(10)), rank(Level::High, at(10)));
        assert_eq!(Urgency::from(Level::Low).rank(usual, at(99)), rank(Level::Low, Instant::MAX));
    }

    #[test]
    fn a_promotion_is_handed_on_and_a_level_of_ones_own_is_not_below_it() {
        let at = |micros| Instant::ZERO + Delay::from_micros(micros);
        let by_10 = Urgency { deadline: Some(at(10)), ..Level::Background.into() };
        let early = by_10.handed_on(Standing::default(), at(9));
        assert_eq!(early.level, Level::Background);
        assert_eq!(early.at(at(10)).level, Level::High);
        let late = by_10.handed_on(Standing::default(), at(10));
        assert_eq!(late.with_level(Level::Background).level, Level::High);
        // Who is `high` anyway is not promoted: what it starts may be less urgent.
        let urgent = Urgency { deadline: Some(at(10)), ..Level::High.into() };
        let urgent = urgent.handed_on(Standing::default(), at(10));
        assert_eq!(urgent.with_level(Level::Background).level, Level::Background);
        let linked = Standing { level: Level::Low, ..Standing::default() };
        assert_eq!(linked.caused_by(late).level, Level::High);
        let awaited = Standing { level: Level::High, ..Standing::default() }.caused_by(late);
        assert_eq!(awaited.with_level(Level::Background).level, Level::Background);
        assert_eq!(linked.caused_by(early).level, Level::Low);
    }
}
