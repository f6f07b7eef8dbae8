//! What kind of environment a trace was in: when it let the scheduler compute.
//!
//! The paper's kinds are about traces without end. What is said here of a finite one is true of it, and the kind
//! is the one that its length lets see: a freeze is taken for unbounded if it takes more than an eighth of the
//! trace, and a density for lasting if it is met at every place from some length on that is at most an eighth.

use super::compute::Grants;

/// How many times a length must go into a trace to be taken for something that lasts.
const OFTEN: u64 = 8;

/// A density is even where no window has less than such a share of what there is on the whole. The first is asked
/// for, then the second.
const EVEN: [(u64, u64); 2] = [(9, 10), (1, 2)];

/// An environment in which at least one instant of so many is granted is dense.
const DENSE: u64 = 100;

/// An environment, as far as a trace tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Environment {
    /// Which kind.
    pub nature: Nature,
    /// The first and the last instant of the longest freeze; nothing if there is none.
    pub freeze: Option<(i64, i64)>,
}

/// The kinds of environments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nature {
    /// There are freezes of which no bound can be seen.
    Freezing,
    /// Among so many instants in a row there is one at which something is granted.
    Thawing {
        /// How many, at least.
        within: u64,
    },
    /// Among any number of instants in a row from `delta` on, a share is granted.
    Dense {
        /// The share: so many of so many.
        epsilon: (u64, u64),
        /// From which number on.
        delta: u64,
    },
    /// Much is granted in short spikes, and little for long times between them.
    Burst {
        /// The most instants in a row that were granted.
        spike: u64,
    },
}

impl Nature {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Freezing => "freezing",
            Self::Thawing { .. } => "thawing",
            Self::Dense { .. } => "dense",
            Self::Burst { .. } => "burst",
        }
    }
}

impl Environment {
    /// The environment of a trace from one instant to another, with what it granted.
    pub fn of_intervals(granted: Vec<(i64, i64)>, first: i64, last: i64) -> Self {
        Self::of(&Grants::new(granted), first, last)
    }

    pub(super) fn of(grants: &Grants, first: i64, last: i64) -> Self {
        let windows = Windows { grants, first, last };
        let freeze = windows.longest_freeze();
        let frozen = freeze.map_or(0, |(from, to)| to.abs_diff(from) + 1);
        Self { nature: windows.nature(frozen), freeze }
    }
}

/// A trace, looked at through windows of any length.
struct Windows<'g> {
    grants: &'g Grants,
    first: i64,
    last: i64,
}

impl Windows<'_> {
    fn length(&self) -> u64 {
        self.last.abs_diff(self.first).saturating_add(1)
    }

    /// How many instants from one to another are granted.
    fn units(&self, from: i64, to: i64) -> u64 {
        let (before, _) = self.grants.at(from);
        let (more, is_last) = self.grants.at(to);
        more + u64::from(is_last) - before
    }

    /// The granted intervals within the trace.
    fn granted(&self) -> impl Iterator<Item = (i64, i64)> {
        let within =
            self.grants.intervals().map(|(from, to)| (from.max(self.first), to.min(self.last)));
        within.filter(|(from, to)| from <= to)
    }

    fn longest_freeze(&self) -> Option<(i64, i64)> {
        let mut longest: Option<(i64, i64)> = None;
        let mut from = self.first;
        let end = (self.last.saturating_add(1), self.last.saturating_add(1));
        for (first, last) in self.granted().chain([end]) {
            let is_longer =
                longest.is_none_or(|(start, end)| first.abs_diff(from) > end.abs_diff(start) + 1);
            if first > from && is_longer {
                longest = Some((from, first - 1));
            }
            from = last.saturating_add(1);
        }
        longest
    }

    /// The fewest units in any window of that length.
    fn fewest(&self, length: u64) -> u64 {
        // Instants may be at either end of what a number can be.
        let wide = i128::from;
        let length = i128::from(length.min(self.length()));
        // They are where a window begins behind a granted interval, or ends before one.
        let starts = self.granted().flat_map(|(from, to)| [wide(to) + 1, wide(from) - length]);
        let latest = wide(self.last) - length + 1;
        let starts = starts.chain([wide(self.first), latest]);
        let starts = starts.filter(|start| (wide(self.first)..=latest).contains(start));
        // A window within the trace has both of its ends there.
        starts.map(|start| self.units(start as i64, (start + length - 1) as i64)).min().unwrap_or(0)
    }

    fn nature(&self, frozen: u64) -> Nature {
        let length = self.length();
        if frozen.saturating_mul(OFTEN) > length {
            return Nature::Freezing;
        }
        let within = frozen.saturating_add(1);
        let all = u128::from(self.units(self.first, self.last));
        let mut deltas = vec![within];
        while let Some(delta) = deltas.last().and_then(|delta| delta.checked_mul(2))
            && delta.checked_mul(OFTEN).is_some_and(|often| often <= length)
        {
            deltas.push(delta);
        }
        let fewest: Vec<(u64, u64)> =
            deltas.into_iter().map(|delta| (delta, self.fewest(delta))).collect();
        let even = EVEN.iter().find_map(|&(share, of)| {
            let is_even = |(delta, fewest): &&(u64, u64)| {
                let (delta, fewest) = (u128::from(*delta), u128::from(*fewest));
                let shown =
                    fewest.saturating_mul(u128::from(of)).saturating_mul(u128::from(length));
                shown >= all.saturating_mul(u128::from(share)).saturating_mul(delta)
            };
            fewest.iter().find(is_even).map(|(delta, _)| *delta)
        });
        let Some(delta) = even else {
            let spikes = self.granted().map(|(from, to)| to.abs_diff(from) + 1);
            return Nature::Burst { spike: spikes.max().unwrap_or(0) };
        };
        let epsilon = self.epsilon(delta);
        if epsilon.0.saturating_mul(DENSE) >= epsilon.1 {
            Nature::Dense { epsilon, delta }
        } else {
            Nature::Thawing { within }
        }
    }

    /// A share that every window from that length on has: longer ones are put together of those below
    /// twice the length.
    fn epsilon(&self, delta: u64) -> (u64, u64) {
        let step = (delta / 32).max(1);
        let mut least = (1, 1);
        let mut length = delta;
        let end = delta.saturating_mul(2);
        while length < end && length <= self.length() {
            let share = (self.fewest(length), length.saturating_add(step - 1).min(end - 1));
            if u128::from(share.0) * u128::from(least.1) < u128::from(least.0) * u128::from(share.1)
            {
                least = share;
            }
            length = length.saturating_add(step);
        }
        least
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Numbers that look random and are the same in every run.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, end: u64) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 11) % end
        }
    }

    /// The fewest units in any window of that length, by counting all.
    fn fewest(set: &BTreeSet<i64>, length: i64, windows: i64) -> u64 {
        let count = |from: i64| set.range(from..from + length).count() as u64;
        (0..=windows - length).map(count).min().expect("a window")
    }

    #[test]
    fn what_is_said_of_an_environment_is_true_of_every_window() {
        let mut numbers = Numbers(0x5eed);
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        for round in 0..600 {
            let length = 1 + numbers.below(400) as i64;
            let mut intervals = Vec::new();
            let mut at = numbers.below(6) as i64;
            let (gap, run) = (1 + numbers.below(40), 1 + numbers.below(6));
            while at < length {
                let last = (at + numbers.below(run) as i64).min(length - 1);
                intervals.push((at, last));
                at = last + 2 + numbers.below(gap) as i64 * numbers.below(3) as i64;
            }
            let set: BTreeSet<i64> = intervals.iter().flat_map(|(from, to)| *from..=*to).collect();
            let environment = Environment::of_intervals(intervals, 0, length - 1);
            let frozen = environment.freeze.map_or(0, |(from, to)| to - from + 1);
            let shown = || format!("round {round}: {environment:?} of {length}: {set:?}");
            if let Some((from, to)) = environment.freeze {
                assert_eq!(set.range(from..=to).count(), 0, "{}", shown());
            }
            if frozen < length {
                assert!(fewest(&set, frozen + 1, length) > 0, "{}", shown());
            }
            seen.insert(environment.nature.name());
            match environment.nature {
                Nature::Freezing => assert!(frozen * 8 > length, "{}", shown()),
                Nature::Thawing { within } => assert_eq!(within as i64, frozen + 1, "{}", shown()),
                Nature::Dense { epsilon: (units, of), delta } => {
                    for window in delta as i64..=length {
                        let least = fewest(&set, window, length);
                        assert!(least * of >= units * window as u64, "{window}: {}", shown());
                    }
                }
                Nature::Burst { spike } => assert!(spike > 0, "{}", shown()),
            }
        }
        assert!(seen.contains("freezing") && seen.contains("dense"), "{seen:?}");
    }

    #[test]
    fn instants_may_be_as_far_away_as_numbers_go() {
        // Whoever writes a trace by hand may go to the end; traces of runs have microseconds.
        let of_runs = (i64::MIN / 1000, i64::MAX / 1000);
        for (first, last) in [(0, i64::MAX), (i64::MAX, i64::MAX), of_runs] {
            for granted in [vec![], vec![(first, first)], vec![(first, last)], vec![(last, last)]] {
                let environment = Environment::of_intervals(granted, first, last);
                assert!(!environment.nature.name().is_empty());
            }
        }
    }

    #[test]
    fn the_four_kinds_are_told_apart() {
        let nature =
            |intervals: Vec<(i64, i64)>, last| Environment::of_intervals(intervals, 0, last).nature;
        assert_eq!(nature(vec![(0, 999)], 999), Nature::Dense { epsilon: (1, 1), delta: 1 });
        let every =
            |period: i64, run: i64| (0..100).map(move |n| (n * period, n * period + run - 1));
        assert_eq!(nature(every(500, 1).collect(), 49_999), Nature::Thawing { within: 500 });
        let dense = nature(every(100, 20).collect(), 9_999);
        assert!(
            matches!(dense, Nature::Dense { epsilon: (units, of), .. } if units * 10 >= of),
            "{dense:?}"
        );
        assert_eq!(nature(vec![(0, 400), (700, 999)], 999), Nature::Freezing);
        assert_eq!(nature(Vec::new(), 999), Nature::Freezing);
        // Spikes, and between them less and less.
        let mut bursts = Vec::new();
        let mut at = 0;
        for gap in (0..10).map(|power| 1600 << power) {
            bursts.push((at, at + 99));
            bursts
                .extend((1..16).map(|part| at + part * gap / 16).map(|one| (one + 100, one + 100)));
            at += gap + 100;
        }
        assert_eq!(nature(bursts, at), Nature::Burst { spike: 100 });
    }
}
