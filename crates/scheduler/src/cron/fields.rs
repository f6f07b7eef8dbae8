//! An expression as bits, and its minutes on the calendar.

use super::calendar::{Date, date, month_length, month_start, weekday};

/// How many months a search looks at: two leap days are at most eight years apart.
const MONTHS: u32 = 12 * 8 + 1;
const DAY: i64 = 86_400;

/// A cron expression of five fields.
///
/// Minutes are given as seconds since 1970 *on the clock of the place*, as if that clock never
/// changed; a [`super::Dues`] knows what the place's clock really shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cron {
    /// The seconds of its minutes; only the first if it has five fields.
    pub(super) seconds: u64,
    pub(super) minutes: u64,
    pub(super) hours: u32,
    /// Days of the month from 1.
    pub(super) days: u32,
    /// Months from 1.
    pub(super) months: u32,
    /// Days of the week; Sunday is 0.
    pub(super) weekdays: u32,
    /// Which of the five are written as `*`.
    pub(super) stars: [bool; 5],
    /// Whether minute and hour are named, without any `*`: what `dst: 'once'` is about.
    pub(super) fixed: bool,
}

impl Cron {
    /// Never matches; no text says that.
    pub(crate) const NEVER: Self = Self {
        seconds: 0,
        minutes: 0,
        hours: 0,
        days: 0,
        months: 0,
        weekdays: 0,
        stars: [false; 5],
        fixed: false,
    };

    /// Whether it never matches.
    pub(super) fn is_never(&self) -> bool {
        self.minutes == 0
    }

    /// Whether the minute that begins at `local` is one of the expression's.
    pub fn matches(&self, local: i64) -> bool {
        let (days, within) = (local.div_euclid(DAY), local.rem_euclid(DAY));
        let on = date(days);
        let (hour, minute) = (within / 3_600, within / 60 % 60);
        self.days_of(on.year, on.month, first_of(days, on)) >> on.day & 1 == 1
            && self.hours >> hour & 1 == 1
            && self.minutes >> minute & 1 == 1
    }

    /// Whether minute and hour are named, without any `*`.
    pub fn has_fixed_time(&self) -> bool {
        self.fixed
    }

    /// The first second of the expression at or after `local`.
    pub(super) fn second_from(&self, local: i64) -> i64 {
        let within = local.rem_euclid(60);
        let minute = local - within;
        let later = self.seconds & !0 << within;
        if within > 0 && later != 0 && self.matches(minute) {
            return minute + i64::from(later.trailing_zeros());
        }
        self.minute_from(local) + i64::from(self.seconds.trailing_zeros())
    }

    /// The last second of the expression before `local`.
    pub(super) fn second_before(&self, local: i64) -> i64 {
        let within = local.rem_euclid(60);
        let minute = local - within;
        let earlier = self.seconds & ((1 << within) - 1);
        if earlier != 0 && self.matches(minute) {
            return minute + i64::from(earlier.ilog2());
        }
        self.minute_before(minute) + i64::from(self.seconds.ilog2())
    }

    /// The first minute of the expression at or after `local`.
    pub(super) fn minute_from(&self, local: i64) -> i64 {
        let minute = local.div_euclid(60) + i64::from(local.rem_euclid(60) != 0);
        let (days, within) = (minute.div_euclid(1_440), minute.rem_euclid(1_440) as u32);
        let on = date(days);
        let mut start = first_of(days, on);
        let mut found = self.days_of(on.year, on.month, start) & !0 << on.day;
        if found >> on.day & 1 == 1 {
            if let Some(within) = self.time_from(within) {
                return days * DAY + i64::from(within) * 60;
            }
            found &= !1 << on.day;
        }
        let Date { mut year, mut month, .. } = on;
        for _ in 0..MONTHS {
            if found != 0 {
                let day = start + i64::from(found.trailing_zeros()) - 1;
                let first = self.hours.trailing_zeros() * 60 + self.minutes.trailing_zeros();
                return day * DAY + i64::from(first) * 60;
            }
            start += i64::from(month_length(year, month));
            (year, month) = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
            found = self.days_of(year, month, start);
        }
        unreachable!("an expression that never matches is refused by the parser")
    }

    /// The last minute of the expression before `local`.
    pub(super) fn minute_before(&self, local: i64) -> i64 {
        let minute = (local - 1).div_euclid(60);
        let (days, within) = (minute.div_euclid(1_440), minute.rem_euclid(1_440) as u32);
        let on = date(days);
        let mut start = first_of(days, on);
        let mut found = self.days_of(on.year, on.month, start) & ((2_u64 << on.day) - 1) as u32;
        if found >> on.day & 1 == 1 {
            if let Some(within) = self.time_to(within) {
                return days * DAY + i64::from(within) * 60;
            }
            found &= (1 << on.day) - 1;
        }
        let Date { mut year, mut month, .. } = on;
        for _ in 0..MONTHS {
            if found != 0 {
                let day = start + i64::from(found.ilog2()) - 1;
                let last = self.hours.ilog2() * 60 + self.minutes.ilog2();
                return day * DAY + i64::from(last) * 60;
            }
            (year, month) = if month == 1 { (year - 1, 12) } else { (year, month - 1) };
            start -= i64::from(month_length(year, month));
            found = self.days_of(year, month, start);
        }
        unreachable!("an expression that never matches is refused by the parser")
    }

    /// Whether there is any month in which the expression has a day.
    pub(super) fn can_match(&self) -> bool {
        // Any leap year will do: every weekday is in every month.
        (1..=12).any(|month| self.days_of(2_024, month, month_start(2_024, month)) != 0)
    }

    /// The days of a month that begins on that day, bit 1 for the first.
    fn days_of(&self, year: i64, month: u32, start: i64) -> u32 {
        if self.months >> month & 1 == 0 {
            return 0;
        }
        let all = ((1_u32 << month_length(year, month)) - 1) << 1;
        if self.stars[4] {
            return self.days & all;
        }
        let first = weekday(start);
        // The weekdays from the first of the month on, for five weeks.
        let week = (self.weekdays >> first | self.weekdays << (7 - first)) & 0x7f;
        let by_weekday = ((u64::from(week) * 0x1020_4081) << 1) as u32;
        // Restricted both, a day has to be in only one of them.
        let days = if self.stars[2] { by_weekday } else { self.days | by_weekday };
        days & all
    }

    /// The first minute of a day at or after one, both counted from midnight.
    fn time_from(&self, within: u32) -> Option<u32> {
        let (hour, minute) = (within / 60, within % 60);
        let minutes = self.minutes & !0 << minute;
        if self.hours >> hour & 1 == 1 && minutes != 0 {
            return Some(hour * 60 + minutes.trailing_zeros());
        }
        let hours = self.hours & !1 << hour;
        (hours != 0).then(|| hours.trailing_zeros() * 60 + self.minutes.trailing_zeros())
    }

    /// The last minute of a day at or before one, both counted from midnight.
    fn time_to(&self, within: u32) -> Option<u32> {
        let (hour, minute) = (within / 60, within % 60);
        let minutes = self.minutes & ((2 << minute) - 1);
        if self.hours >> hour & 1 == 1 && minutes != 0 {
            return Some(hour * 60 + minutes.ilog2());
        }
        let hours = self.hours & ((1 << hour) - 1);
        (hours != 0).then(|| hours.ilog2() * 60 + self.minutes.ilog2())
    }
}

/// The day on which the month of a day begins.
fn first_of(days: i64, on: Date) -> i64 {
    days - i64::from(on.day) + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searching_finds_what_looking_at_every_minute_finds() {
        for text in ["0 0 29 2 *", "59 23 31 * *", "7-9 */5 1 * mon", "* * * * *", "30 2 31 12 0"] {
            let cron = Cron::parse(text).expect("an expression");
            // From the middle of a minute in 2099, over years that have no leap day.
            let from = 4_072_999_997;
            let mut last = None;
            for minute in 0..30_000 {
                let local = from - 17 + minute * 60;
                let matches = cron.matches(local);
                assert_eq!(cron.minute_from(local) == local, matches, "{text}");
                if let Some(last) = last {
                    assert_eq!(cron.minute_before(local), last, "{text}");
                }
                last = if matches { Some(local) } else { last };
            }
            let next = cron.minute_from(from);
            assert!(cron.matches(next) && next >= from, "{text}");
            let then = cron.minute_from(next + 1);
            assert_eq!(cron.minute_before(then), next, "{text}");
        }
        for text in ["*/7 * * * * *", "5,59 */3 * * * *", "30 59 23 31 12 *", "0 * * * * *"] {
            let cron = Cron::read(text).expect("an expression");
            let from = 4_102_444_000;
            let is_due = |local: i64| {
                cron.matches(local - local.rem_euclid(60))
                    && cron.seconds >> local.rem_euclid(60) & 1 == 1
            };
            let (mut last, mut next) = (cron.second_before(from), cron.second_from(from));
            for local in from..from + 2_000 {
                assert_eq!(
                    (cron.second_before(local), cron.second_from(local)),
                    (last, next),
                    "{text}"
                );
                assert_eq!(local == next, is_due(local), "{text} at {local}");
                if local == next {
                    (last, next) = (local, cron.second_from(local + 1));
                }
            }
        }
        let leap = Cron::parse("0 0 29 2 *").expect("an expression");
        // 2100 is no leap year.
        assert_eq!(leap.minute_from(3_981_312_000 + 1), 4_233_686_400, "2096 to 2104");
    }
}
