//! When a scheduler of declared tasks could have computed: what its theory calls granted compute.
//!
//! A turn of the loop is a grant at its instant, and so is every instant of a wait in which the loop had nothing
//! to do. Where a wait ends later than it should, the process or the computer stood still: that is none. A
//! callback that computes for long grants nothing either, and nor does a wait for the scheduler's own store.
//!
//! Nothing is noted before a scheduler tells of itself, and no clock is asked for it: a replay asks for what was
//! asked when it was recorded, whoever listens.

use hemiola_time::Instant;
use hemiola_trace::{Event, TaskFact};

/// As soon as so many milliseconds have been granted, somebody is told.
const TELL_AFTER: i64 = 100;

/// A clock on the wall that is off by fewer microseconds was not set: it is read in milliseconds.
const SLACK: i64 = 1000;

/// What was granted, as far as nobody was told of it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Compute {
    /// Whether there is a scheduler.
    is_on: bool,
    /// Whether it waits for its store.
    awaits: bool,
    /// By how much the clock on the wall is ahead of physical time, in microseconds, as a scheduler has seen it.
    ahead: Option<i64>,
    /// When the loop began to wait, and until when it wanted to.
    wait: Option<(Instant, Option<Instant>)>,
    /// The first and the last millisecond by the clock on the wall.
    granted: Option<(i64, i64)>,
}

impl Compute {
    /// Whether grants are noted.
    #[inline(always)]
    pub(crate) fn is_on(&self) -> bool {
        self.is_on
    }

    /// A scheduler tells something: what it was granted before is told first.
    pub(crate) fn tells(&mut self) -> Option<Event> {
        self.is_on = true;
        self.granted.take().map(told)
    }

    /// The scheduler begins to wait for its store, or has waited.
    pub(crate) fn set_awaiting(&mut self, awaits: bool) {
        self.awaits = awaits;
    }

    /// Forgets how the clocks compare: a scheduler begins.
    pub(crate) fn forget_wall(&mut self) {
        self.ahead = None;
    }

    /// A scheduler has looked at the clock on the wall, between two readings of physical time: so it is known by
    /// how much that clock is ahead at least and at most. Gives by how many microseconds somebody has set it since
    /// the last look; the difference is taken to be as small as it can have been, and what is less than
    /// [`SLACK`] is nobody's doing.
    pub(crate) fn looked(&mut self, before: Instant, wall: u64, after: Instant) -> i64 {
        let ahead_of = |instant: Instant| micros(wall) - micros(instant.as_micros());
        let (least, most) = (ahead_of(after), ahead_of(before));
        let known = self.ahead.unwrap_or(least);
        let ahead = known.clamp(least, most.max(least));
        self.ahead = Some(ahead);
        if (ahead - known).abs() < SLACK { 0 } else { ahead - known }
    }

    /// The loop has nothing to do and waits.
    pub(crate) fn waits(&mut self, now: Instant, until: Option<Instant>) {
        self.wait = Some((now, until));
    }

    /// The loop turns, and has looked at its clock. Gives what is to be told.
    pub(crate) fn turns(&mut self, now: Instant) -> [Option<Event>; 2] {
        let wait = self.wait.take();
        let Some(ahead) = self.ahead.filter(|_| !self.awaits) else { return [None, None] };
        let millis = |instant: Instant| (micros(instant.as_micros()) + ahead).div_euclid(1000);
        let idle = wait.and_then(|(from, until)| {
            let end = until.map_or(now, |until| until.min(now));
            self.grant(millis(from), millis(end.max(from)))
        });
        [idle, self.grant(millis(now), millis(now))]
    }

    /// Adds milliseconds; what does not adjoin to them is told, and so is what has become long.
    fn grant(&mut self, first: i64, last: i64) -> Option<Event> {
        let adjoins = |(_, end): &(i64, i64)| first <= *end + 1;
        let apart = self.granted.take_if(|granted| !adjoins(granted));
        let (first, last) = match self.granted {
            Some((known, end)) => (known, end.max(last)),
            None => (first, last),
        };
        self.granted = Some((first, last));
        if apart.is_some() {
            return apart.map(told);
        }
        self.granted.take_if(|(first, last)| *last - *first >= TELL_AFTER).map(told)
    }
}

fn told((since, at): (i64, i64)) -> Event {
    Event::Task { at, what: TaskFact::Compute { since } }
}

fn micros(of: u64) -> i64 {
    i64::try_from(of).unwrap_or(i64::MAX / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: u64) -> Instant {
        Instant::from_micros(millis * 1000)
    }

    /// A wait from an instant until another, if there is one, and the turn after it.
    type Step = (Option<(u64, Option<u64>)>, u64);

    /// The intervals that are told of turns and waits, with the clock on the wall a second ahead.
    fn intervals(steps: &[Step]) -> Vec<(i64, i64)> {
        let mut compute = Compute::default();
        let _ = compute.tells();
        compute.looked(at(0), 1_000_000, at(0));
        let mut told = Vec::new();
        for (wait, turn) in steps {
            if let Some((from, until)) = wait {
                compute.waits(at(*from), until.map(at));
            }
            told.extend(compute.turns(at(*turn)).into_iter().flatten());
        }
        told.extend(compute.tells());
        let interval = |event: &Event| match event {
            Event::Task { at, what: TaskFact::Compute { since } } => (*since, *at),
            other => panic!("{other:?}"),
        };
        told.iter().map(interval).collect()
    }

    #[test]
    fn turns_and_waits_are_grants() {
        assert_eq!(intervals(&[(None, 5), (None, 5), (None, 6)]), [(1005, 1006)]);
        assert_eq!(intervals(&[(None, 5), (Some((5, Some(60))), 60)]), [(1005, 1060)]);
        assert_eq!(intervals(&[(None, 5), (Some((5, None)), 60)]), [(1005, 1060)]);
        // What is long is told at once.
        assert_eq!(
            intervals(&[(Some((5, Some(300))), 300), (None, 301)]),
            [(1005, 1300), (1300, 1301)]
        );
    }

    #[test]
    fn callbacks_that_take_long_and_freezes_are_none() {
        assert_eq!(intervals(&[(None, 5), (None, 40)]), [(1005, 1005), (1040, 1040)]);
        assert_eq!(intervals(&[(Some((5, Some(20))), 90)]), [(1005, 1020), (1090, 1090)]);
    }

    #[test]
    fn a_clock_on_the_wall_that_is_set_is_noticed_as_far_as_it_must_have_been() {
        let mut compute = Compute::default();
        assert_eq!(compute.looked(at(5), 1_005_000, at(5)), 0, "nothing was known before");
        // Long between two readings it may be anything from 900 to 1000 ms ahead.
        assert_eq!(compute.looked(at(200), 1_200_000, at(300)), 0);
        assert_eq!(compute.looked(at(300), 1_300_900, at(300)), 0, "less than a millisecond");
        // It is put forward, and back.
        assert_eq!(compute.looked(at(400), 61_400_900, at(400)), 60_000_000);
        assert_eq!(compute.looked(at(500), 500_900, at(500)), -61_000_000);
        assert_eq!(compute.looked(at(600), 700_900, at(650)), 50_000, "at least by that");
        compute.forget_wall();
        assert_eq!(compute.looked(at(700), 0, at(700)), 0);
    }

    #[test]
    fn waits_for_a_store_are_none() {
        let mut compute = Compute::default();
        let _ = compute.tells();
        compute.looked(at(0), 0, at(0));
        compute.set_awaiting(true);
        compute.waits(at(1), Some(at(500)));
        assert_eq!(compute.turns(at(500)), [None, None]);
        compute.set_awaiting(false);
        assert_eq!(compute.turns(at(501)), [None, None]);
        let told = Event::Task { at: 501, what: TaskFact::Compute { since: 501 } };
        assert_eq!(compute.tells(), Some(told));
    }
}
