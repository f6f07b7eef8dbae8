//! When a simulated computer lets its programs run: the environments of the theory of declarative schedulers.
//!
//! Time goes on while a computer is frozen, and what is due then happens at the first instant at which it is not.

use hemiola_machine::Instant;
use std::str::FromStr;

/// How long a spike lasts, and the first pause after one, in milliseconds.
const SPIKE: u64 = 100;
const PAUSE: u64 = 1_600;
/// How many parts a pause has: between two of them there is one instant.
const PARTS: u64 = 16;

/// The first time that a freezing computer runs, in milliseconds, and the first freeze.
const THAW: u64 = 1_000;

/// An environment. At the origin of time all of them let programs run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Environment {
    /// It runs for a second and is frozen for a second, then both take two, and so on: there is no longest freeze.
    Freezing,
    /// It runs for a millisecond every so many.
    Thawing(u64),
    /// It runs at the beginning of every period.
    Dense {
        /// How long a period is, in milliseconds.
        period: u64,
        /// How long it runs.
        run: u64,
    },
    /// It runs for a tenth of a second; in the pauses, of which each is twice as long as the one before, there are
    /// single milliseconds.
    Burst,
}

/// What is no environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownEnvironment;

impl Environment {
    /// One in which of any `delta` milliseconds or more at least a share of `epsilon` are granted.
    fn dense(epsilon: f64, delta: u64) -> Option<Self> {
        if !(epsilon > 0.0 && epsilon <= 1.0) || delta == 0 {
            return None;
        }
        let period = (delta / 8).max(1);
        // A window may begin right behind a run, and so miss a part of one period.
        let whole =
            if delta > period { delta as f64 / (delta - period) as f64 } else { f64::INFINITY };
        let run = (epsilon * period as f64 * whole).ceil().min(period as f64) as u64;
        Some(Self::Dense { period, run: run.max(1) })
    }

    /// The first interval in which it runs that is not over before an instant, in milliseconds.
    fn running(self, at: u64) -> (u64, u64) {
        match self {
            Self::Thawing(every) => {
                let next = at.div_ceil(every).saturating_mul(every);
                (next, next)
            }
            Self::Dense { period, run } => {
                let begin = at / period * period;
                let begin = if at < begin + run { begin } else { begin.saturating_add(period) };
                (begin, begin.saturating_add(run - 1))
            }
            Self::Freezing => {
                let (mut begin, mut length) = (0_u64, THAW);
                while at > begin.saturating_add(length - 1) {
                    begin = begin.saturating_add(2 * length);
                    length = length.saturating_mul(2).min(u64::MAX / 4);
                }
                (begin, begin.saturating_add(length - 1))
            }
            Self::Burst => {
                let (mut begin, mut pause) = (0_u64, PAUSE);
                while at > begin.saturating_add(SPIKE + pause - 1) {
                    begin = begin.saturating_add(SPIKE + pause);
                    pause = pause.saturating_mul(2).min(u64::MAX / 4);
                }
                let spike = begin + SPIKE;
                if at < spike {
                    return (begin, spike - 1);
                }
                let part = (at - spike).div_ceil(pause / PARTS).max(1);
                let next = spike.saturating_add(part * (pause / PARTS));
                // Behind the last part comes the next spike.
                if part < PARTS { (next, next) } else { (next, next + SPIKE - 1) }
            }
        }
    }

    /// The first instant at or after one at which it runs.
    pub(crate) fn thaw(self, instant: Instant) -> Instant {
        let (begin, _) = self.running(instant.as_millis());
        instant.max(Instant::from_millis(begin))
    }

    /// The intervals within one in which it runs, in milliseconds since 1970 by the clock on the wall.
    pub fn granted(self, since: i64, until: i64) -> Vec<(i64, i64)> {
        let origin = (crate::WALL_ORIGIN / 1000) as i64;
        let (Ok(since), Ok(until)) = (u64::try_from(since - origin), u64::try_from(until - origin))
        else {
            return Vec::new();
        };
        let mut granted = Vec::new();
        let mut at = since;
        while at <= until {
            let (begin, end) = self.running(at);
            if begin > until {
                break;
            }
            granted.push((begin.max(since) as i64 + origin, end.min(until) as i64 + origin));
            at = end.saturating_add(1);
        }
        granted
    }
}

impl FromStr for Environment {
    type Err = UnknownEnvironment;

    /// Reads `freezing`, `thawing=U`, `dense=E,D` and `burst`, with times in milliseconds.
    fn from_str(text: &str) -> Result<Self, UnknownEnvironment> {
        let (name, value) =
            text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
        let environment = match (name, value) {
            ("freezing", None) => Some(Self::Freezing),
            ("burst", None) => Some(Self::Burst),
            ("thawing", Some(within)) => {
                within.parse().ok().filter(|within| *within > 0).map(Self::Thawing)
            }
            ("dense", Some(value)) => value.split_once(',').and_then(|(epsilon, delta)| {
                Self::dense(epsilon.parse().ok()?, delta.parse().ok()?)
            }),
            _ => None,
        };
        environment.ok_or(UnknownEnvironment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [&str; 5] = ["freezing", "thawing=7", "dense=0.2,40", "dense=1,1", "burst"];

    fn runs(environment: Environment, at: u64) -> bool {
        let (begin, end) = environment.running(at);
        assert!(end >= at && begin <= end);
        begin <= at
    }

    #[test]
    fn instants_and_intervals_agree() {
        for text in ALL {
            let environment: Environment = text.parse().expect("an environment");
            let set: Vec<u64> = (0..60_000).filter(|at| runs(environment, *at)).collect();
            assert_eq!(set[0], 0, "{text}");
            let origin = (crate::WALL_ORIGIN / 1000) as i64;
            let granted = environment.granted(origin, origin + 59_999);
            let told = granted.iter().flat_map(|(from, to)| *from..=*to);
            let told: Vec<u64> = told.map(|at| (at - origin) as u64).collect();
            assert_eq!(told, set, "{text}");
            for at in [0, 1, 99, 100, 999, 1_000, 4_321, 30_000] {
                let next = *set.iter().find(|one| **one >= at).expect("it goes on");
                assert_eq!(
                    environment.thaw(Instant::from_millis(at)),
                    Instant::from_millis(next),
                    "{text} {at}"
                );
            }
        }
    }

    #[test]
    fn each_keeps_its_promise() {
        let count = |environment: Environment, from: u64, length: u64| {
            (from..from + length).filter(|at| runs(environment, *at)).count() as u64
        };
        let thawing: Environment = "thawing=7".parse().expect("an environment");
        let dense: Environment = "dense=0.2,40".parse().expect("an environment");
        for from in 0..200 {
            assert!(count(thawing, from, 7) >= 1);
            for length in 40..100 {
                assert!(count(dense, from, length) * 5 >= length, "{from} {length}");
            }
        }
        // No bound holds for ever.
        assert_eq!(count(Environment::Freezing, 22_000, 8_000), 0);
        assert!(count(Environment::Burst, 30_000, 1_000) < 5);
    }

    #[test]
    fn what_is_none_is_refused() {
        let wrong = [
            "",
            "frozen",
            "freezing=1",
            "thawing",
            "thawing=0",
            "thawing=x",
            "dense",
            "dense=1",
            "dense=0,5",
            "dense=2,5",
            "dense=0.5,0",
            "dense=NaN,5",
            "burst=1",
        ];
        for text in wrong {
            assert_eq!(text.parse::<Environment>(), Err(UnknownEnvironment), "{text}");
        }
    }
}
