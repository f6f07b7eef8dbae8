//! Days and dates of the Gregorian calendar, which here has neither beginning nor end.

/// A day by its year, month from 1 and day of the month from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Date {
    pub(super) year: i64,
    pub(super) month: u32,
    pub(super) day: u32,
}

/// The date of a day that is counted from 1970, in the calendar of years that start in March.
pub(super) fn date(days: i64) -> Date {
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let of_era_year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * of_era_year + of_era_year / 4 - of_era_year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = of_era_year + era * 400 + i64::from(month <= 2);
    Date { year, month: month as u32, day: day as u32 }
}

/// The day, counted from 1970, on which a month begins.
pub(super) fn month_start(year: i64, month: u32) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * i64::from((month + 9) % 12) + 2) / 5;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// How many days a month has.
pub(super) fn month_length(year: i64, month: u32) -> u32 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// The weekday of a day that is counted from 1970; Sunday is 0.
pub(super) fn weekday(days: i64) -> u32 {
    (days + 4).rem_euclid(7) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_dates_are_inverse_and_months_follow_each_other() {
        for days in (-1_000_000..3_000_000).step_by(17) {
            let Date { year, month, day } = date(days);
            let start = month_start(year, month);
            assert_eq!(start + i64::from(day) - 1, days);
            let (next, after) = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
            assert_eq!(start + i64::from(month_length(year, month)), month_start(next, after));
        }
        assert_eq!(date(0), Date { year: 1970, month: 1, day: 1 });
        assert_eq!(weekday(0), 4, "it was a Thursday");
    }
}
