//! Local time: zones of the bundled database, and the arithmetic of `Date` in them.
//!
//! The engine would ask the system for its zone; a run has it as an input instead. Scripts hold a zone
//! by a small number, its place in the list of zones that were opened.

mod collation;

use hemiola_engine::{native, raw};
use jiff::Timestamp;
use jiff::tz::{AmbiguousOffset, Offset, TimeZone, db};
use rquickjs::function::Rest;
use rquickjs::{Ctx, Function, Object, Result};
use std::cell::RefCell;
use std::rc::Rc;
use unicode_segmentation::UnicodeSegmentation;

const DAY: i64 = 86_400_000;
/// How far from 1970 an instant of `Date` may be, in milliseconds.
const END_OF_TIME: f64 = 8.64e15;
/// The calendar, and with it every rule for summer time, repeats after 400 years.
const CYCLE: i64 = 146_097 * DAY / 1_000;
/// The first second of 2800: later instants are looked up some cycles earlier.
const FOLD: i64 = 26_192_246_400;

type Zones = Rc<RefCell<Vec<TimeZone>>>;

/// The function of this file that goes by that name on `binding`.
pub(crate) fn native<'js>(ctx: &Ctx<'js>, name: &str) -> Option<Result<Function<'js>>> {
    Some(match name {
        "zones" => Function::new(ctx.clone(), functions),
        "compareTexts" => raw::function(ctx, c"", 2, 0, native!(collation::compare_texts))
            .and_then(Function::from_value),
        "collation" => Function::new(ctx.clone(), collation::functions),
        "segment" => Function::new(ctx.clone(), segment),
        _ => return None,
    })
}

/// `segment(text, granularity)`: where the parts of a text end, in units of UTF-16; twice that, and one more for what is
/// a word.
fn segment(text: String, granularity: String) -> Vec<f64> {
    let parts: Vec<&str> = match granularity.as_str() {
        "word" => text.split_word_bounds().collect(),
        "sentence" => text.split_sentence_bounds().collect(),
        _ => text.graphemes(true).collect(),
    };
    let mut end = 0;
    let ends = parts.into_iter().map(|part| {
        end += part.encode_utf16().count();
        let is_word = granularity == "word" && part.contains(char::is_alphanumeric);
        (2 * end + usize::from(is_word)) as f64
    });
    ends.collect()
}

fn functions(ctx: Ctx<'_>) -> Result<Object<'_>> {
    let object = Object::new(ctx.clone())?;
    // Number 0 is UTC.
    let zones: Zones = Rc::new(RefCell::new(vec![TimeZone::UTC]));
    let opened = Rc::clone(&zones);
    object.set("open", Function::new(ctx.clone(), move |name: String| open(&opened, &name))?)?;
    let opened = Rc::clone(&zones);
    let fixed = move |seconds: i32| {
        let offset = Offset::from_seconds(seconds).unwrap_or(Offset::UTC);
        remember(&opened, TimeZone::fixed(offset))
    };
    object.set("fixed", Function::new(ctx.clone(), fixed)?)?;
    let opened = Rc::clone(&zones);
    let name = move |zone: usize| opened.borrow()[zone].iana_name().map(str::to_owned);
    object.set("name", Function::new(ctx.clone(), name)?)?;
    let names = || db().available().map(|name| name.as_str().to_owned()).collect::<Vec<_>>();
    object.set("names", Function::new(ctx.clone(), names)?)?;
    let opened = Rc::clone(&zones);
    let at = move |zone: usize, time: f64| offset(&opened.borrow()[zone], time as i64);
    object.set("offset", Function::new(ctx.clone(), at)?)?;
    let opened = Rc::clone(&zones);
    let summer = move |zone: usize, time: f64| {
        opened.borrow()[zone].to_offset_info(timestamp(time as i64)).dst().is_dst()
    };
    object.set("isSummer", Function::new(ctx.clone(), summer)?)?;
    let opened = Rc::clone(&zones);
    let field = move |zone: usize, time: f64, field: usize| {
        if time.is_nan() { f64::NAN } else { fields(&opened.borrow()[zone], time as i64)[field] }
    };
    object.set("field", Function::new(ctx.clone(), field)?)?;
    let opened = Rc::clone(&zones);
    let all = move |zone: usize, time: f64| fields(&opened.borrow()[zone], time as i64).to_vec();
    object.set("fields", Function::new(ctx.clone(), all)?)?;
    let opened = Rc::clone(&zones);
    let set = move |zone: usize, time: f64, first: usize, values: Rest<f64>| {
        with_fields(&opened.borrow()[zone], time, first, &values)
    };
    object.set("set", Function::new(ctx.clone(), set)?)?;
    let utc = move |zone: usize, local: f64| instant(&zones.borrow()[zone], local);
    object.set("instant", Function::new(ctx.clone(), utc)?)?;
    Ok(object)
}

/// The number of a zone by its name in any case; -1 if there is none.
fn open(zones: &Zones, name: &str) -> i32 {
    db().get(name).map_or(-1, |zone| remember(zones, zone))
}

fn remember(zones: &Zones, zone: TimeZone) -> i32 {
    let mut zones = zones.borrow_mut();
    let at = zones.iter().position(|known| *known == zone).unwrap_or_else(|| {
        zones.push(zone);
        zones.len() - 1
    });
    i32::try_from(at).unwrap_or(0)
}

/// The instant by which rules are looked up: one that jiff can hold, with the same rules.
fn timestamp(time: i64) -> Timestamp {
    let mut second = time.div_euclid(1_000);
    if second >= FOLD {
        second = FOLD - CYCLE + (second - FOLD).rem_euclid(CYCLE);
    }
    Timestamp::from_second(second).unwrap_or(Timestamp::MIN)
}

/// The seconds by which local time is ahead of UTC at an instant.
fn offset(zone: &TimeZone, time: i64) -> i32 {
    if *zone == TimeZone::UTC { 0 } else { zone.to_offset(timestamp(time)).seconds() }
}

/// The instant of a local time. One that a clock skips or shows twice counts with the offset from
/// before the change.
fn instant(zone: &TimeZone, local: f64) -> f64 {
    // Further out no zone brings an instant back, and what follows fits its integers.
    if local.is_nan() || local.abs() > END_OF_TIME + DAY as f64 {
        return f64::NAN;
    }
    let local = local as i64;
    let civil = Offset::UTC.to_datetime(timestamp(local));
    let offset = match zone.to_ambiguous_timestamp(civil).offset() {
        AmbiguousOffset::Unambiguous { offset } => offset,
        AmbiguousOffset::Gap { before, .. } | AmbiguousOffset::Fold { before, .. } => before,
    };
    clip((local - i64::from(offset.seconds()) * 1_000) as f64)
}

fn clip(time: f64) -> f64 {
    // Adding 0 leaves no negative zero.
    if time.abs() <= END_OF_TIME { time.trunc() + 0.0 } else { f64::NAN }
}

/// Year, month from 0, day of month, hour, minute, second, millisecond, day of week from Sunday, of
/// the local time at an instant.
fn fields(zone: &TimeZone, time: i64) -> [f64; 8] {
    let local = time + i64::from(offset(zone, time)) * 1_000;
    let (days, within) = (local.div_euclid(DAY), local.rem_euclid(DAY));
    let (year, month, day) = civil(days);
    let weekday = (days + 4).rem_euclid(7);
    [
        year,
        month,
        day,
        within / 3_600_000,
        within / 60_000 % 60,
        within / 1_000 % 60,
        within % 1_000,
        weekday,
    ]
    .map(|field| field as f64)
}

/// The date of a day that is counted from 1970, in the calendar of years that start in March.
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let of_era_year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * of_era_year + of_era_year / 4 - of_era_year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = (shifted + 2) % 12;
    (of_era_year + era * 400 + i64::from(month <= 1), month, day)
}

/// The day, counted from 1970, on which a month of a year begins.
fn month_start(year: i64, month: i64) -> i64 {
    let year = if month <= 1 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 10) % 12) + 2) / 5;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// The instant that differs from `time` in the fields from `first` on. An invalid instant counts as
/// the start of 1970, for the one setter that mends it; other callers do not ask.
fn with_fields(zone: &TimeZone, time: f64, first: usize, values: &[f64]) -> f64 {
    let mut all = if time.is_nan() {
        [1970.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    } else {
        fields(zone, time as i64)
    };
    for (field, value) in all[first..7].iter_mut().zip(values) {
        *field = *value;
    }
    let day = make_day(all[0], all[1], all[2]);
    let within: f64 = all[3].trunc() * 3_600_000.0
        + all[4].trunc() * 60_000.0
        + all[5].trunc() * 1_000.0
        + all[6].trunc();
    let local = day * DAY as f64 + within;
    if local.is_finite() { instant(zone, local) } else { f64::NAN }
}

fn make_day(year: f64, month: f64, day: f64) -> f64 {
    let (year, month, day) = (year.trunc(), month.trunc(), day.trunc());
    let sum = year + (month / 12.0).floor();
    // Years beyond this are out of range whatever the day; NaN fails the test, too.
    if !(sum.abs() < 400_000.0 && month.abs() < 1e9 && day.is_finite()) {
        return f64::NAN;
    }
    month_start(sum as i64, month.rem_euclid(12.0) as i64) as f64 + day - 1.0
}

#[cfg(test)]
mod tests {
    use super::{civil, month_start};

    #[test]
    fn days_and_dates_are_inverse_over_all_of_time() {
        for days in (-100_000_100..100_000_100).step_by(997) {
            let (year, month, day) = civil(days);
            assert_eq!(month_start(year, month) + day - 1, days);
        }
    }
}
