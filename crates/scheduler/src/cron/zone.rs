//! A time zone as a row of segments within which local time runs evenly.

use super::calendar::{date, weekday};
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::{Offset, TimeZone, db};

const WEEKDAYS: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/// The last second that a zone knows: the end of the year 9999, but for a day that local time may
/// be behind.
pub const LAST_SECOND: i64 = 253_402_207_200;

/// The first second that a zone knows.
const FIRST_SECOND: i64 = -LAST_SECOND;

/// Up to here segments are kept in a table; 2100 is far for a schedule.
const KEPT: i64 = 4_102_444_800;

/// A stretch of time with one offset, in seconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    pub(super) start: i64,
    /// The first second after it.
    pub(super) end: i64,
    /// By how much local time is ahead of UTC.
    pub(super) offset: i64,
    /// By how much it was before; the same for the first.
    pub(super) before: i64,
}

/// A time zone of the bundled database.
#[derive(Clone, Debug)]
pub struct Zone {
    zone: TimeZone,
    /// The segments up to [`KEPT`], without gaps.
    kept: Vec<Segment>,
}

impl Zone {
    /// The zone with that name in any case, as `Europe/Paris` or `UTC`; none if there is none.
    pub fn named(name: &str) -> Option<Self> {
        // Whoever writes no letters means an offset, or nothing; the database has neither.
        let zone =
            if name.eq_ignore_ascii_case("utc") { TimeZone::UTC } else { db().get(name).ok()? };
        let mut kept = vec![segment(&zone, FIRST_SECOND)];
        while let Some(last) = kept.last().filter(|last| last.end < KEPT) {
            kept.push(segment(&zone, last.end));
        }
        Some(Self { zone, kept })
    }

    /// All names.
    pub fn names() -> Vec<String> {
        db().available().map(|name| name.as_str().to_owned()).collect()
    }

    /// Its name.
    pub fn name(&self) -> &str {
        self.zone.iana_name().unwrap_or("UTC")
    }

    /// By how many seconds local time is ahead of UTC at an instant.
    pub fn offset(&self, second: i64) -> i64 {
        self.segment(second).offset
    }

    /// The instant at which a local time is shown for the first time; for one that is skipped, when
    /// the clock has jumped over it.
    pub fn instant(&self, local: i64) -> i64 {
        // No offset is further from UTC than this.
        let mut segment = self.segment(local - 2 * 86_400);
        while local >= segment.end + segment.offset && segment.end <= LAST_SECOND {
            segment = self.segment(segment.end);
        }
        (local - segment.offset).max(segment.start)
    }

    /// Reads an instant: one with its offset, as `2024-03-10T07:00:00Z`, or a local date or time, as
    /// `2024-03-10` or `2024-03-10T02:00`. Parts of a second count as one.
    pub fn read(&self, text: &str) -> Option<i64> {
        let (second, rest) = if let Ok(instant) = text.parse::<Timestamp>() {
            (instant.as_second(), instant.subsec_nanosecond())
        } else {
            let local = Offset::UTC.to_timestamp(text.parse::<DateTime>().ok()?).ok()?;
            (self.instant(local.as_second()), local.subsec_nanosecond())
        };
        Some(second + i64::from(rest > 0))
    }

    /// What its clock shows at an instant, as `Sun 2024-03-10 03:00 -04:00`; at the first or the last second that
    /// it knows for one further out.
    pub fn show(&self, second: i64) -> String {
        let second = second.clamp(FIRST_SECOND, LAST_SECOND);
        let offset = self.offset(second);
        let local = second + offset;
        let on = date(local.div_euclid(86_400));
        let weekday = WEEKDAYS[weekday(local.div_euclid(86_400)) as usize];
        let within = local.rem_euclid(86_400);
        let (sign, ahead) = if offset < 0 { ('-', -offset) } else { ('+', offset) };
        let two = |number: i64| match number {
            0 => String::new(),
            _ => format!(":{number:02}"),
        };
        format!(
            "{weekday} {:04}-{:02}-{:02} {:02}:{:02}{} {sign}{:02}:{:02}{}",
            on.year,
            on.month,
            on.day,
            within / 3_600,
            within / 60 % 60,
            two(within % 60),
            ahead / 3_600,
            ahead / 60 % 60,
            two(ahead % 60)
        )
    }

    /// The segment of an instant; the first or the last one for an instant further out.
    pub(super) fn segment(&self, second: i64) -> Segment {
        let second = second.clamp(FIRST_SECOND, LAST_SECOND);
        let after = self.kept.partition_point(|segment| segment.start <= second);
        let known = self.kept[after - 1];
        if second < known.end { known } else { segment(&self.zone, second) }
    }
}

/// An instant in UTC, as `2024-03-10T07:00:00Z`.
pub fn utc(second: i64) -> String {
    timestamp(second).to_string()
}

/// Asks the database. Changes that leave the offset as it is are none.
fn segment(zone: &TimeZone, second: i64) -> Segment {
    let at = timestamp(second);
    let offset = zone.to_offset(at);
    let seconds = |timestamp: Timestamp| timestamp.as_second();
    let end = zone.following(at).find(|change| change.offset() != offset);
    // The change at this very instant began the segment, and is not before it.
    let just_after = timestamp(second + 1);
    let (mut start, mut earlier) = (FIRST_SECOND, offset);
    let mut changes = zone.preceding(just_after).peekable();
    while let Some(change) = changes.next() {
        let before = changes.peek().map(|change| change.offset());
        let before = before.unwrap_or_else(|| zone.to_offset(Timestamp::MIN));
        if before != offset {
            (start, earlier) = (seconds(change.timestamp()), before);
            break;
        }
    }
    Segment {
        start,
        end: end.map_or(LAST_SECOND + 1, |change| seconds(change.timestamp())),
        offset: i64::from(offset.seconds()),
        before: i64::from(earlier.seconds()),
    }
}

fn timestamp(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap_or(if second < 0 {
        Timestamp::MIN
    } else {
        Timestamp::MAX
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_follow_each_other_and_offsets_are_the_databases() {
        for name in ["America/New_York", "Africa/Casablanca", "Pacific/Apia", "Asia/Manila", "UTC"]
        {
            let zone = Zone::named(name).expect("a zone");
            let mut second = FIRST_SECOND;
            for _ in 0..500 {
                let segment = zone.segment(second);
                assert_eq!(segment.start, second, "{name}");
                assert!(segment.end > second, "{name}");
                for at in [segment.start, segment.end - 1] {
                    let offset = zone.zone.to_offset(timestamp(at)).seconds();
                    assert_eq!(i64::from(offset), segment.offset, "{name} at {at}");
                    assert_eq!(zone.segment(at), segment, "{name} at {at}");
                }
                if segment.end > LAST_SECOND {
                    break;
                }
                let next = zone.segment(segment.end);
                assert_ne!(next.offset, segment.offset, "{name}");
                assert_eq!(next.before, segment.offset, "{name}");
                second = segment.end;
            }
        }
    }

    #[test]
    fn instants_further_out_than_a_zone_knows_are_shown() {
        let zone = Zone::named("Pacific/Apia").expect("a zone");
        assert_eq!(zone.show(i64::MAX), zone.show(LAST_SECOND));
        assert_eq!(zone.show(i64::MIN), zone.show(FIRST_SECOND));
    }

    #[test]
    fn names_are_those_of_the_database() {
        assert_eq!(
            Zone::named("europe/paris").map(|zone| zone.name().to_owned()).as_deref(),
            Some("Europe/Paris")
        );
        for wrong in ["", "Mars/Olympus", "+02:00", "../UTC", "Europe"] {
            assert!(Zone::named(wrong).is_none(), "{wrong:?}");
        }
        assert!(Zone::names().len() > 400);
    }
}
