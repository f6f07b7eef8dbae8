//! Local time and Intl, as a program sees them: the zone is an input of a run.

use crate::common::{HEMIOLA, isolated};
use std::process::Output;

/// What a program in virtual time shows when `TZ` has a value, or none.
fn simulated(zone: Option<&str>, source: &str) -> String {
    let run = || -> Output {
        let mut command = isolated(HEMIOLA);
        command.args(["simulate", "-e", source]).env_remove("TZ");
        if let Some(zone) = zone {
            command.env("TZ", zone);
        }
        command.output().expect("the command can be started")
    };
    let (first, second) = (run(), run());
    assert_eq!(first.stdout, second.stdout, "two runs show the same");
    assert!(first.status.success(), "{}", String::from_utf8_lossy(&first.stderr));
    String::from_utf8(first.stdout).expect("output is text").trim_end().to_owned()
}

fn shows(zone: &str, source: &str, expected: &str) {
    assert_eq!(simulated(Some(zone), source), expected);
}

mod zone {
    use super::{shows, simulated};

    const NOW: &str = "console.log(String(new Date()), new Date().getTimezoneOffset())";

    #[test]
    fn a_simulation_is_in_utc_wherever_it_runs() {
        let expected = "Mon Jan 01 2024 00:00:00 GMT+0000 (Coordinated Universal Time) 0";
        assert_eq!(simulated(None, NOW), expected);
    }

    #[test]
    fn a_simulation_is_where_tz_says() {
        let berlin = "Mon Jan 01 2024 01:00:00 GMT+0100 (Central European Standard Time) -60";
        shows("Europe/Berlin", NOW, berlin);
        shows(":Europe/Berlin", NOW, berlin);
        let kolkata = "Mon Jan 01 2024 05:30:00 GMT+0530 (India Standard Time) -330";
        shows("Asia/Kolkata", NOW, kolkata);
    }

    #[test]
    fn a_zone_that_does_not_exist_is_utc() {
        shows("Nowhere/Land", NOW, "Mon Jan 01 2024 00:00:00 GMT+0000 (GMT+00:00) 0");
        shows("", NOW, "Mon Jan 01 2024 00:00:00 GMT+0000 (GMT+00:00) 0");
    }

    #[test]
    fn a_program_may_move() {
        let program = "const date = new Date(0), hours = () => date.getHours();
            const shown = [hours()];
            process.env.TZ = 'America/New_York'; shown.push(hours());
            process.env.TZ = 'Asia/Tokyo'; shown.push(hours());
            delete process.env.TZ; shown.push(hours());
            console.log(shown.join());";
        shows("Europe/Paris", program, "1,19,9,0");
    }

    #[test]
    fn intl_is_where_tz_says() {
        let program = "console.log(Intl.DateTimeFormat().resolvedOptions().timeZone, new Date().toLocaleString())";
        shows("America/New_York", program, "America/New_York 12/31/2023, 7:00:00 PM");
    }
}

mod summer_time {
    use super::shows;

    /// Local times of one day as instants, and the hour that each reads back.
    fn day(year: u32, month: u32, date: u32) -> String {
        format!(
            "const shown = [];
             for (const [hour, minute] of [[0, 30], [1, 30], [2, 0], [2, 30], [3, 0], [3, 30]]) {{
               const date = new Date({year}, {month}, {date}, hour, minute);
               shown.push(date.toISOString().slice(11, 16) + '=' + date.toTimeString().slice(0, 5));
             }}
             console.log(shown.join(' '));"
        )
    }

    #[test]
    fn a_time_that_is_skipped_counts_from_before_the_change() {
        let berlin = "23:30=00:30 00:30=01:30 01:00=03:00 01:30=03:30 01:00=03:00 01:30=03:30";
        shows("Europe/Berlin", &day(2024, 2, 31), berlin);
        let new_york = "05:30=00:30 06:30=01:30 07:00=03:00 07:30=03:30 07:00=03:00 07:30=03:30";
        shows("America/New_York", &day(2024, 2, 10), new_york);
    }

    #[test]
    fn of_a_time_that_comes_twice_it_is_the_first() {
        let berlin = "22:30=00:30 23:30=01:30 00:00=02:00 00:30=02:30 02:00=03:00 02:30=03:30";
        shows("Europe/Berlin", &day(2024, 9, 27), berlin);
        // Half an hour only.
        let lord_howe = "13:30=00:30 14:30=01:30 15:30=02:00 16:00=02:30 16:30=03:00 17:00=03:30";
        shows("Australia/Lord_Howe", &day(2024, 3, 7), lord_howe);
    }

    #[test]
    fn a_whole_day_may_be_missing() {
        let program = "const date = new Date(2011, 11, 30, 12); console.log(date.getDate(), date.toISOString())";
        shows("Pacific/Apia", program, "31 2011-12-30T22:00:00.000Z");
    }

    #[test]
    fn adding_a_day_keeps_the_hour() {
        let program = "const date = new Date(2024, 2, 30, 12); date.setDate(31);
            console.log(date.getHours(), date.toISOString())";
        shows("Europe/Berlin", program, "12 2024-03-31T10:00:00.000Z");
    }
}

mod texts {
    use super::shows;

    #[test]
    fn a_text_without_offset_is_local_and_a_date_alone_is_not() {
        let program = "console.log(['2024-07-01T12:00', '2024-07-01', '2024-07-01T12:00Z', 'Jul 1 2024', '1/2/2024 5:00 PM']
            .map((text) => new Date(text).toISOString().slice(0, 16)).join(' '))";
        let expected =
            "2024-07-01T16:00 2024-07-01T00:00 2024-07-01T12:00 2024-07-01T04:00 2024-01-02T22:00";
        shows("America/New_York", program, expected);
    }

    #[test]
    fn dates_in_english() {
        let program = "const date = new Date(2024, 1, 29, 18, 5, 9);
            console.log([
              date.toLocaleString(), date.toLocaleDateString('en-GB'), date.toLocaleTimeString('en-GB'),
              date.toLocaleDateString('en-US', { dateStyle: 'full' }),
              date.toLocaleString('en-US', { dateStyle: 'long', timeStyle: 'long', timeZone: 'America/Los_Angeles' }),
              date.toLocaleString('en-US', { month: 'short', day: 'numeric', hour: 'numeric', timeZoneName: 'short' }),
              Intl.DateTimeFormat('en', { month: 'long', day: 'numeric' }).formatRange(date, new Date(2024, 2, 2)),
            ].join('\\n'))";
        let expected = "2/29/2024, 6:05:09 PM
29/02/2024
18:05:09
Thursday, February 29, 2024
February 29, 2024 at 9:05:09 AM PST
Feb 29, 6 PM GMT+1
February 29\u{2009}–\u{2009}March 2";
        shows("Europe/Berlin", program, expected);
    }

    #[test]
    fn numbers_in_english() {
        let program = "console.log([
              (1234567.891).toLocaleString(), (0.256).toLocaleString('en', { style: 'percent' }),
              (1234.5).toLocaleString('en-US', { style: 'currency', currency: 'USD' }), (2n ** 64n).toLocaleString(),
              new Intl.NumberFormat('en', { notation: 'compact' }).format(1234567),
              new Intl.PluralRules('en', { type: 'ordinal' }).select(22),
              new Intl.ListFormat('en').format(['a', 'b', 'c']),
              new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(-1, 'day'),
            ].join('\\n'))";
        let expected = "1,234,567.891
26%
$1,234.50
18,446,744,073,709,551,616
1.2M
two
a, b, and c
yesterday";
        shows("UTC", program, expected);
    }

    #[test]
    fn what_is_refused_is_refused_as_in_node() {
        let program = "for (const act of [
              () => Intl.DateTimeFormat('en', { timeZone: 'Nowhere' }),
              () => Intl.DateTimeFormat('en', { dateStyle: 'full', hour: 'numeric' }),
              () => new Date(NaN).toISOString(),
              () => Intl.DateTimeFormat().format(NaN),
              () => Date.prototype.getHours.call({}),
            ]) { try { act(); } catch (error) { console.log(String(error)); } }";
        let expected = "RangeError: Invalid time zone specified: Nowhere
TypeError: Can't set option hour when dateStyle is used
RangeError: Invalid time value
RangeError: Invalid time value
TypeError: this is not a Date object.";
        shows("UTC", program, expected);
    }
}
