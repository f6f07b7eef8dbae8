//! Expressions in zones (SCHED-8): against another program's reading of cron, against looking at every minute,
//! and forwards against backwards.

use croner::parser::CronParser;
use hemiola_scheduler::{Cron, Dst, Dues, Zone};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use std::collections::BTreeSet;

/// Zones, and instants near which their clocks changed.
const CHANGES: [(&str, [&str; 2]); 6] = [
    ("America/New_York", ["2024-03-10T07:00:00Z", "2024-11-03T06:00:00Z"]),
    // By half an hour.
    ("Australia/Lord_Howe", ["2024-04-06T15:00:00Z", "2024-10-05T15:30:00Z"]),
    // A whole day left out.
    ("Pacific/Apia", ["2011-12-30T10:00:00Z", "2012-03-31T14:00:00Z"]),
    // At midnight.
    ("America/Sao_Paulo", ["2018-02-18T02:00:00Z", "2018-11-04T03:00:00Z"]),
    // Four times in the year.
    ("Africa/Casablanca", ["2024-03-10T02:00:00Z", "2024-04-14T02:00:00Z"]),
    ("Europe/London", ["2024-03-31T01:00:00Z", "2024-10-27T01:00:00Z"]),
];

/// Numbers that look random and are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % end
    }

    fn field(&mut self, least: u64, most: u64, stars: u64) -> String {
        let parts = match self.below(10) {
            star if star < stars => return "*".into(),
            9 => 2 + self.below(3),
            _ => 1,
        };
        let part = |numbers: &mut Self| {
            let first = least + numbers.below(most - least + 1);
            let last = first + numbers.below(most - first + 1);
            match numbers.below(5) {
                0 => format!("*/{}", 1 + numbers.below(most)),
                1 => format!("{first}-{last}"),
                2 => format!("{first}-{last}/{}", 1 + numbers.below(most / 2)),
                _ => first.to_string(),
            }
        };
        (0..parts).map(|_| part(self)).collect::<Vec<_>>().join(",")
    }

    /// An expression; now and then it can never match.
    fn expression(&mut self) -> String {
        let fields = [
            self.field(0, 59, 3),
            self.field(0, 23, 4),
            self.field(1, 31, 6),
            self.field(1, 12, 6),
            self.field(0, 7, 6),
        ];
        fields.join(" ")
    }

    fn cron(&mut self) -> (String, Cron) {
        loop {
            let text = self.expression();
            if let Ok(cron) = Cron::parse(&text) {
                return (text, cron);
            }
        }
    }
}

fn second(text: &str) -> i64 {
    text.parse::<Timestamp>().expect("an instant").as_second()
}

fn dues(text: &str, zone: &str, dst: Dst) -> Dues {
    Dues::new(Cron::parse(text).expect("an expression"), Zone::named(zone).expect("a zone"), dst)
}

/// The dues in a stretch of time, in UTC.
fn list(dues: &Dues, from: &str, until: &str) -> Vec<String> {
    let (mut from, until) = (second(from), second(until));
    let mut found = Vec::new();
    while let Some(due) = dues.at_or_after(from).filter(|due| *due < until) {
        found.push(Timestamp::from_second(due).expect("an instant").to_string());
        from = due + 1;
    }
    found
}

#[test]
fn a_minute_is_due_where_croner_says_that_it_matches() {
    let mut numbers = Numbers(0x5eed);
    let parser = CronParser::builder().build();
    let zones = CHANGES.map(|(name, _)| Zone::named(name).expect("a zone"));
    let (mut samples, mut matching) = (0, 0);
    while samples < 12_000 {
        let (text, cron) = numbers.cron();
        let theirs = parser.parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let zone = numbers.below(6) as usize;
        let (name, changes) = CHANGES[zone];
        let dues = Dues::new(cron, zones[zone].clone(), Dst::Theory);
        let tz = TimeZone::get(name).expect("a zone");
        let change = second(changes[numbers.below(2) as usize]);
        for _ in 0..4 {
            // Near the change, or anywhere in forty years, and near a due as often as not.
            let minute = match numbers.below(3) {
                0 => change + (numbers.below(600) as i64 - 300) * 60,
                1 => second("1990-01-01T00:00:00Z") + numbers.below(21_000_000) as i64 * 60,
                _ => {
                    let from = change + (numbers.below(6_000) as i64 - 3_000) * 60;
                    dues.at_or_after(from).expect("a due") + numbers.below(2) as i64 * 60
                }
            };
            let there = Timestamp::from_second(minute).expect("an instant").to_zoned(tz.clone());
            let expected = theirs.is_time_matching(&there).expect("a verdict");
            assert_eq!(dues.at_or_after(minute) == Some(minute), expected, "{text} at {there}");
            samples += 1;
            matching += usize::from(expected);
        }
    }
    assert!(matching > samples / 8, "only {matching} of {samples} were due");
}

#[test]
fn searching_finds_what_looking_at_every_minute_finds() {
    let mut numbers = Numbers(0xc0de);
    for round in 0..400 {
        let (name, changes) = CHANGES[round % 6];
        let (text, cron) = numbers.cron();
        let change = second(changes[round / 6 % 2]);
        let (from, until) = (change - 3 * 86_400, change + 3 * 86_400);
        let zone = Zone::named(name).expect("a zone");
        let theory = Dues::new(cron.clone(), zone.clone(), Dst::Theory);
        let shows = |minute: i64| minute + zone.offset(minute);
        let expected: BTreeSet<i64> =
            (from..until).step_by(60).filter(|minute| cron.matches(shows(*minute))).collect();
        compare(&theory, &expected, from, until, &text);

        // Once: what is shown for the second time does not count, what is skipped counts at the end.
        let once = Dues::new(cron.clone(), zone.clone(), Dst::Once);
        if !cron.has_fixed_time() {
            compare(&once, &expected, from, until, &text);
            continue;
        }
        let mut expected = BTreeSet::new();
        let mut shown = shows(from - 60);
        for minute in (from..until).step_by(60) {
            let now = shows(minute);
            let skipped = (shown + 60..now).step_by(60).any(|local| cron.matches(local));
            if skipped || now > shown && cron.matches(now) {
                expected.insert(minute);
            }
            shown = shown.max(now);
        }
        compare(&once, &expected, from, until, &text);
    }
}

/// Forwards, backwards, and from where nothing is.
fn compare(dues: &Dues, expected: &BTreeSet<i64>, from: i64, until: i64, text: &str) {
    let zone = dues.zone().name();
    let mut seen = BTreeSet::new();
    let mut at = from;
    while let Some(due) = dues.at_or_after(at).filter(|due| *due < until) {
        assert!(due >= at && seen.insert(due), "{text} in {zone} stands still at {due}");
        at = due + 1;
    }
    assert_eq!(&seen, expected, "{text} in {zone}, forwards");
    let mut seen = BTreeSet::new();
    let mut at = until;
    while let Some(due) = dues.before(at).filter(|due| *due >= from) {
        assert!(due < at && seen.insert(due), "{text} in {zone} stands still at {due}");
        at = due;
    }
    assert_eq!(&seen, expected, "{text} in {zone}, backwards");
}

#[test]
fn next_and_previous_are_inverse() {
    let mut numbers = Numbers(0xfeed);
    let names = Zone::names();
    for _ in 0..1_500 {
        let (text, cron) = numbers.cron();
        let name = &names[numbers.below(names.len() as u64) as usize];
        let dst = if numbers.below(2) == 0 { Dst::Theory } else { Dst::Once };
        let dues = Dues::new(cron, Zone::named(name).expect("a zone"), dst);
        // From 1850, when local time had its own seconds, to 2160.
        let from = numbers.below(9_780_000_000) as i64 - 3_786_825_600;
        let first = dues.at_or_after(from).expect("a due");
        let second = dues.at_or_after(first + 1).expect("a due");
        assert!(from <= first && first < second, "{text} in {name}");
        assert_eq!(dues.before(second), Some(first), "{text} in {name} from {from}");
        assert_eq!(dues.at_or_after(first), Some(first), "{text} in {name} from {from}");
        let last = dues.before(from).expect("a due");
        assert!(last < from, "{text} in {name}");
        assert_eq!(dues.at_or_after(last + 1), Some(first), "{text} in {name} from {from}");
    }
}

#[test]
fn skipped_and_repeated_minutes() {
    let spring = ("2024-03-09T12:00:00Z", "2024-03-11T12:00:00Z");
    let skipped = dues("30 2 * * *", "America/New_York", Dst::Theory);
    assert_eq!(list(&skipped, spring.0, spring.1), ["2024-03-11T06:30:00Z"]);
    let skipped = dues("30 2 * * *", "America/New_York", Dst::Once);
    let right_after = ["2024-03-10T07:00:00Z", "2024-03-11T06:30:00Z"];
    assert_eq!(list(&skipped, spring.0, spring.1), right_after);
    // Several skipped times are due once, and so is one with the time right after.
    let several = dues("0,10,50 2,3 * * *", "America/New_York", Dst::Once);
    let seen = list(&several, "2024-03-10T06:00:00Z", "2024-03-10T08:00:00Z");
    assert_eq!(seen, ["2024-03-10T07:00:00Z", "2024-03-10T07:10:00Z", "2024-03-10T07:50:00Z"]);
    // An expression with a star says how often, not when.
    let often = dues("*/30 * * * *", "America/New_York", Dst::Once);
    let seen = list(&often, "2024-03-10T06:30:00Z", "2024-03-10T07:30:00Z");
    assert_eq!(seen, ["2024-03-10T06:30:00Z", "2024-03-10T07:00:00Z"]);

    let autumn = ("2024-11-03T00:00:00Z", "2024-11-04T00:00:00Z");
    let repeated = dues("30 1 * * *", "America/New_York", Dst::Theory);
    let twice = ["2024-11-03T05:30:00Z", "2024-11-03T06:30:00Z"];
    assert_eq!(list(&repeated, autumn.0, autumn.1), twice);
    let repeated = dues("30 1 * * *", "America/New_York", Dst::Once);
    assert_eq!(list(&repeated, autumn.0, autumn.1), twice[..1]);
    // Asked in the middle of what is shown again.
    assert_eq!(list(&repeated, "2024-11-03T06:10:00Z", autumn.1), [""; 0]);

    // Samoa had no 30th of December 2011.
    let apia = dues("0 12 30 12 *", "Pacific/Apia", Dst::Theory);
    let years = ("2010-06-01T00:00:00Z", "2013-06-01T00:00:00Z");
    assert_eq!(list(&apia, years.0, years.1), ["2010-12-30T22:00:00Z", "2012-12-29T22:00:00Z"]);
    let apia = dues("0 12 30 12 *", "Pacific/Apia", Dst::Once);
    assert_eq!(
        list(&apia, years.0, years.1),
        ["2010-12-30T22:00:00Z", "2011-12-30T10:00:00Z", "2012-12-29T22:00:00Z"]
    );
    // Midnight was skipped in São Paulo.
    let midnight = dues("0 0 * * *", "America/Sao_Paulo", Dst::Theory);
    let days = ("2018-11-03T12:00:00Z", "2018-11-05T12:00:00Z");
    assert_eq!(list(&midnight, days.0, days.1), ["2018-11-05T02:00:00Z"]);
    let midnight = dues("0 0 * * *", "America/Sao_Paulo", Dst::Once);
    let both = ["2018-11-04T03:00:00Z", "2018-11-05T02:00:00Z"];
    assert_eq!(list(&midnight, days.0, days.1), both);
}

#[test]
fn time_has_an_end() {
    let leap = dues("0 0 29 2 *", "UTC", Dst::Theory);
    assert_eq!(leap.at_or_after(second("9996-03-01T00:00:00Z")), None);
    assert_eq!(leap.at_or_after(i64::MAX), None);
    assert_eq!(leap.before(i64::MIN), None);
    assert_eq!(leap.before(i64::MAX), Some(second("9996-02-29T00:00:00Z")));
    assert!(leap.at_or_after(i64::MIN).is_some());
    assert_eq!(
        leap.at_or_after(second("2096-03-01T00:00:00Z")),
        Some(second("2104-02-29T00:00:00Z"))
    );
}

#[test]
fn no_text_makes_it_panic() {
    const PARTS: [&str; 16] = [
        "*",
        "/",
        "-",
        ",",
        " ",
        "0",
        "7",
        "31",
        "59",
        "99999999999",
        "sun",
        "FEB",
        "é",
        "@",
        "\t",
        "*/2",
    ];
    let mut numbers = Numbers(0xabad_1dea);
    for _ in 0..50_000 {
        let length = 5 + numbers.below(9);
        let text: String = (0..length).map(|_| PARTS[numbers.below(16) as usize]).collect();
        let spaced = text.replace(",,", " ");
        for text in [text, spaced] {
            match Cron::parse(&text) {
                Ok(cron) => assert!(!cron.explain().is_empty(), "{text:?}"),
                Err(error) => {
                    let (start, end) = (error.span.start as usize, error.span.end as usize);
                    assert!(text.get(start..end).is_some(), "{text:?}: {error}");
                }
            }
        }
    }
    // Others are made from fields that are right.
    for _ in 0..2_000 {
        let (text, cron) = numbers.cron();
        assert!(!cron.explain().is_empty(), "{text}");
    }
}
