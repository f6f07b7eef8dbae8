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

/// What was granted, as far as nobody was told of it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Compute {
    /// Whether there is a scheduler.
    is_on: bool,
    /// Whether it waits for its store.
    awaits: bool,
    /// By how much the clock on the wall is ahead of physical time, in microseconds, as far as that is known.
    ahead: Option<i64>,
    /// What the clock on the wall said when somebody last looked at it, and the latest that was known of physical
    /// time then.
    look: Option<(u64, Instant)>,
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

    /// Somebody looked at the clock on the wall; the latest that is known of physical time is `seen`.
    pub(crate) fn looked(&mut self, wall: u64, seen: Instant) {
        self.look = Some((wall, seen));
    }

    /// Compares the clocks. The look was between two readings of physical time, so what is known is by how much
    /// the clock on the wall is ahead at least and at most. The least is taken: what is granted never seems to be
    /// later than it was.
    fn compare(&mut self, now: Instant) {
        let Some((wall, seen)) = self.look.take() else { return };
        let ahead_of = |instant: Instant| micros(wall) - micros(instant.as_micros());
        let (least, most) = (ahead_of(now), ahead_of(seen));
        if self.ahead.is_none_or(|known| !(least..=most).contains(&known)) {
            self.ahead = Some(least);
        }
    }

    /// The loop has nothing to do and waits.
    pub(crate) fn waits(&mut self, now: Instant, until: Option<Instant>) {
        self.wait = Some((now, until));
    }

    /// The loop turns, and has looked at its clock. Gives what is to be told.
    pub(crate) fn turns(&mut self, now: Instant) -> [Option<Event>; 2] {
        self.compare(now);
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
        compute.looked(1_000_000, at(0));
        compute.compare(at(0));
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
    fn the_clock_on_the_wall_is_never_taken_for_later_than_it_is() {
        let mut compute = Compute::default();
        // Somebody looks at it long after the loop has looked at its own: it is ahead by 900 to 1000 ms.
        compute.looked(1_005_000, at(5));
        compute.compare(at(105));
        assert_eq!(compute.ahead, Some(900_000));
        // A better look, and one that is worse.
        compute.looked(1_200_000, at(200));
        compute.compare(at(201));
        assert_eq!(compute.ahead, Some(999_000));
        compute.looked(1_300_000, at(250));
        compute.compare(at(350));
        assert_eq!(compute.ahead, Some(999_000));
        // It is put forward, and back.
        compute.looked(61_400_000, at(400));
        compute.compare(at(400));
        assert_eq!(compute.ahead, Some(61_000_000));
        compute.looked(500_000, at(500));
        compute.compare(at(500));
        assert_eq!(compute.ahead, Some(0));
    }

    #[test]
    fn waits_for_a_store_are_none() {
        let mut compute = Compute::default();
        let _ = compute.tells();
        compute.looked(0, at(0));
        compute.compare(at(0));
        compute.set_awaiting(true);
        compute.waits(at(1), Some(at(500)));
        assert_eq!(compute.turns(at(500)), [None, None]);
        compute.set_awaiting(false);
        assert_eq!(compute.turns(at(501)), [None, None]);
        let told = Event::Task { at: 501, what: TaskFact::Compute { since: 501 } };
        assert_eq!(compute.tells(), Some(told));
    }
}
