//! The clock on the wall of a simulated computer, which somebody may set.

use hemiola_machine::{Chooser, Delay, Instant, Seeded};
use std::collections::VecDeque;

/// Where wall clocks start: the first second of 2024, in microseconds since 1970.
pub const WALL_ORIGIN: u64 = 1_704_067_200_000_000;

/// Keeps these numbers apart from all others that follow from the seed.
const STEPS_SEED: u64 = 0x7377_6f6c_6c61_7721;

/// How long it is at most between two steps that a seed decides, in milliseconds.
const BETWEEN_MS: usize = 7_200_000;

/// By how much such a step sets the clock forward or back at most, in milliseconds.
const FARTHEST_MS: usize = 600_000;

/// When somebody sets the clock on the wall, and by how much.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClockSteps {
    /// By so many microseconds at that instant.
    pub given: Vec<(Instant, i64)>,
    /// Now and then, as that seed decides.
    pub seed: Option<u64>,
}

/// How the clocks of a computer go (rule FLEET-2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pace {
    /// By how many microseconds the clock on the wall is ahead at first.
    pub offset: i64,
    /// How many microseconds too many all of its clocks count in a second.
    pub drift: i64,
}

impl Pace {
    const SECOND: i128 = 1_000_000;

    /// What a computer's own clock shows at an instant.
    pub fn inside(self, instant: Instant) -> Instant {
        if self.drift == 0 || instant == Instant::MAX {
            return instant;
        }
        let micros = i128::from(instant.as_micros());
        let shown = micros + (micros * i128::from(self.drift)).div_euclid(Self::SECOND);
        Instant::from_micros(shown.clamp(0, u64::MAX.into()) as u64)
    }

    /// The first instant at which it shows that.
    pub fn outside(self, shown: Instant) -> Instant {
        if self.drift == 0 || shown == Instant::MAX {
            return shown;
        }
        let rate = Self::SECOND + i128::from(self.drift);
        let guess = (i128::from(shown.as_micros()) * Self::SECOND).div_euclid(rate.max(1));
        let at = |micros: i128| Instant::from_micros(micros.clamp(0, u64::MAX.into()) as u64);
        let near = (guess - 2..=guess + 2).map(at);
        near.into_iter().find(|&instant| self.inside(instant) >= shown).unwrap_or(at(guess + 2))
    }
}

/// A clock on a wall.
pub(crate) struct WallClock {
    /// What is ahead of what was given, in order.
    given: VecDeque<(Instant, i64)>,
    /// What draws the others, and the next of them.
    drawn: Option<(Seeded, (Instant, i64))>,
    /// By how many microseconds it was ahead at first, and was set forward since, in all.
    ahead: i64,
}

impl WallClock {
    pub(crate) fn new(steps: ClockSteps) -> Self {
        let mut given = steps.given;
        given.sort_by_key(|&(at, _)| at);
        let drawn = steps.seed.map(|seed| {
            let mut random = Seeded::new(seed ^ STEPS_SEED);
            let first = draw(&mut random, Instant::ZERO);
            (random, first)
        });
        Self { given: given.into(), drawn, ahead: 0 }
    }

    /// The same on a computer whose clock is ahead.
    pub(crate) fn ahead_by(self, offset: i64) -> Self {
        Self { ahead: self.ahead.saturating_add(offset), ..self }
    }

    /// What it shows, in microseconds since 1970, when all steps up to then were made.
    pub(crate) fn read(&self, now: Instant) -> u64 {
        (WALL_ORIGIN + now.as_micros()).saturating_add_signed(self.ahead)
    }

    /// When it is set next.
    pub(crate) fn next(&self) -> Option<Instant> {
        let given = self.given.front().map(|&(at, _)| at);
        let drawn = self.drawn.as_ref().map(|&(_, (at, _))| at);
        given.into_iter().chain(drawn).min()
    }

    /// Sets it as often as it should have been by now; whether it was.
    pub(crate) fn set(&mut self, now: Instant) -> bool {
        let mut any = false;
        while let Some((_, by)) = self.given.pop_front_if(|(at, _)| *at <= now) {
            self.ahead = self.ahead.saturating_add(by);
            any = true;
        }
        if let Some((random, next)) = &mut self.drawn {
            while next.0 <= now {
                self.ahead = self.ahead.saturating_add(next.1);
                *next = draw(random, next.0);
                any = true;
            }
        }
        any
    }
}

/// The next step after an instant that a seed decides.
fn draw(random: &mut Seeded, after: Instant) -> (Instant, i64) {
    let between = Delay::from_millis(1 + random.choose(BETWEEN_MS) as u64);
    let by = random.choose(2 * FARTHEST_MS + 1) as i64 - FARTHEST_MS as i64;
    (after + between, by * 1000)
}

#[cfg(test)]
mod tests {
    use super::Pace;
    use hemiola_machine::Instant;

    #[test]
    fn a_clock_that_drifts_shows_every_time_once() {
        for drift in [-50_000, -100, -1, 0, 1, 100, 50_000] {
            let pace = Pace { offset: 0, drift };
            for micros in [0, 1, 2, 999, 1_000_000, 1_000_001, 3_600_000_000, 86_400_000_017] {
                let shown = Instant::from_micros(micros);
                let at = pace.outside(shown);
                assert!(pace.inside(at) >= shown, "{drift} {micros}");
                let before = at.as_micros().checked_sub(1).map(Instant::from_micros);
                assert!(
                    before.is_none_or(|before| pace.inside(before) < shown),
                    "{drift} {micros}"
                );
            }
        }
        let fast = Pace { offset: 0, drift: 100 };
        let hour = Instant::from_millis(3_600_000);
        assert_eq!(fast.inside(hour), Instant::from_millis(3_600_360));
    }
}
