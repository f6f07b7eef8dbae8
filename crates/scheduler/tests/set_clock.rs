//! Dues on a clock that somebody sets (rule SCHED-8), beside a reference that walks the clock second by second.

use crate::simulated::Numbers;
use hemiola_scheduler::{Declaration, Dst, Ended, List, Millis, Roster, TaskIndex};
use std::collections::BTreeMap;

/// A field of an expression, and what it means: all values, every so many, or one.
#[derive(Clone, Copy, Debug)]
enum Field {
    All,
    Every(i64),
    One(i64),
}

impl Field {
    fn text(self) -> String {
        match self {
            Self::All => "*".into(),
            Self::Every(step) => format!("*/{step}"),
            Self::One(value) => value.to_string(),
        }
    }

    fn matches(self, value: i64) -> bool {
        match self {
            Self::All => true,
            Self::Every(step) => value % step == 0,
            Self::One(only) => value == only,
        }
    }
}

/// A task, on a clock that is so many seconds ahead of UTC.
#[derive(Clone, Debug)]
struct Case {
    minute: Field,
    hour: Field,
    zone: (&'static str, i64),
    once: bool,
    /// How long a run takes, in seconds.
    length: i64,
    /// When somebody sets the clock, in seconds from the beginning, and by how much.
    steps: Vec<(i64, i64)>,
    /// What the clock shows at first.
    begin: i64,
}

/// How long a case goes on.
const SECONDS: i64 = 3 * 3_600;

impl Case {
    fn draw(numbers: &mut Numbers) -> Self {
        let begin = 1_704_067_200 + numbers.below(86_400) as i64;
        let zone = [("UTC", 0), ("Asia/Kolkata", 19_800)][numbers.below(2) as usize];
        let hour_at_first = (begin + zone.1) / 3_600 % 24;
        let minute = match numbers.below(4) {
            0 => Field::All,
            1 => Field::Every([2, 5, 15][numbers.below(3) as usize]),
            _ => Field::One(numbers.below(60) as i64),
        };
        let hour = match numbers.below(3) {
            0 => Field::All,
            1 => Field::Every(2),
            _ => Field::One((hour_at_first + numbers.below(3) as i64) % 24),
        };
        let mut steps = Vec::new();
        for _ in 0..numbers.below(5) {
            let farthest = [90, 900, 7_200][numbers.below(3) as usize];
            let by = numbers.below(2 * farthest + 1) as i64 - farthest as i64;
            steps.push((1 + numbers.below(SECONDS as u64 - 1) as i64, by));
        }
        steps.sort_unstable();
        steps.dedup_by_key(|(at, _)| *at);
        let (once, length) = (numbers.chance(30), [0, 0, 45, 500][numbers.below(4) as usize]);
        Self { minute, hour, zone, once, length, steps, begin }
    }

    fn matches(&self, second: i64) -> bool {
        let local = second + self.zone.1;
        self.minute.matches(local / 60 % 60) && self.hour.matches(local / 3_600 % 24)
    }

    /// When it starts, in seconds from the beginning: by what the clock shows, second by second.
    fn walk(&self) -> Vec<i64> {
        // With a `*` an expression says how often, not when.
        let is_fixed = matches!((self.minute, self.hour), (Field::One(_), Field::One(_)));
        let is_once = self.once && is_fixed;
        let (mut shown, mut seen) = (None, self.begin / 60 - 1);
        let (mut clock, mut owed, mut busy_until) = (self.begin, false, -1);
        let mut starts = Vec::new();
        for at in 0..=SECONDS {
            // The clock is set at the end of a second.
            let by = self.steps.iter().find(|(when, _)| *when == at).map(|(_, by)| *by);
            for clock in [Some(clock), by.map(|by| clock + by)].into_iter().flatten() {
                let minute = clock / 60;
                if is_once {
                    owed |= (seen + 1..=minute).any(|minute| self.matches(minute * 60));
                    seen = seen.max(minute);
                } else if shown.replace(minute) != Some(minute) {
                    owed |= self.matches(clock);
                }
            }
            clock += by.unwrap_or(0);
            if owed && at >= busy_until {
                (owed, busy_until) = (false, at + self.length);
                starts.push(at);
            }
            clock += 1;
        }
        starts
    }

    /// The same by the roster.
    fn run(&self) -> Vec<i64> {
        let declaration = Declaration {
            id: "a".into(),
            cron: format!("{} {} * * *", self.minute.text(), self.hour.text()),
            zone: self.zone.0.into(),
            dst: if self.once { Dst::Once } else { Dst::Theory },
            retry_delay: 0,
            ..Declaration::default()
        };
        let list = List::new(&[declaration]).expect("a valid list");
        let (mut roster, _) = Roster::new(list, BTreeMap::new(), 1, self.begin * 1000, 0);
        let mut steps = self.steps.iter().copied().peekable();
        let (mut at, mut ahead) = (0, self.begin);
        let mut ends: Option<i64> = None;
        let mut starts = Vec::new();
        while at <= SECONDS {
            if let Some((_, by)) = steps.next_if(|(when, _)| *when == at) {
                let from = (at + ahead) * 1000;
                ahead += by;
                roster.set_clock(from, from + by * 1000);
            }
            let now: Millis = (at + ahead) * 1000;
            if ends == Some(at) {
                ends = None;
                roster.ended(TaskIndex(0), now, Ended::Success);
                roster.settled(TaskIndex(0), now);
            }
            if let Some(start) = roster.start(now, &mut |_, _| 0) {
                roster.started(start.task, now);
                starts.push(at);
                ends = Some(at + self.length);
                continue;
            }
            // Straight on to what comes next.
            let wake = roster.wake().map(|wake| wake / 1000 - ahead);
            let step = steps.peek().map(|(when, _)| *when);
            at = [wake, step, ends].into_iter().flatten().min().unwrap_or(SECONDS + 1).max(at + 1);
        }
        starts
    }
}

#[test]
fn minutes_happen_as_often_as_a_clock_that_is_set_shows_them() {
    let mut numbers = Numbers(0x5eed_c10c);
    let (mut runs, mut again) = (0, 0);
    for number in 0..4_000 {
        let case = Case::draw(&mut numbers);
        let expected = case.walk();
        assert_eq!(case.run(), expected, "case {number}: {case:?}");
        let plain = Case { steps: Vec::new(), ..case };
        runs += expected.len();
        again += usize::from(expected.len() > plain.walk().len());
    }
    assert!(runs > 4_000 && again > 200, "{runs} runs, {again} cases with repeated minutes");
}
