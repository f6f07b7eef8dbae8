//! An expression in words.

use super::fields::Cron;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const WEEKDAYS: [&str; 7] =
    ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
/// More times than this are not listed one by one.
const MOST_TIMES: u32 = 6;

impl Cron {
    /// Says in words when it is due, as `at 03:00, every day`.
    pub fn explain(&self) -> String {
        let mut text = self.time();
        text.push_str(", ");
        text.push_str(&self.date());
        text
    }

    fn time(&self) -> String {
        let (minutes, hours) = (values(self.minutes, 0), values(self.hours.into(), 0));
        let times = minutes.len() as u32 * hours.len() as u32;
        if times <= MOST_TIMES {
            let times = hours.iter().flat_map(|hour| {
                minutes.iter().map(move |minute| format!("{hour:02}:{minute:02}"))
            });
            return format!("at {}", listed(times.collect(), "and"));
        }
        let minute = match rhythm(&minutes, 0, 60) {
            Some(1) => "every minute".into(),
            Some(step) => format!("every {step} minutes"),
            None if minutes.len() == 1 => format!("at minute {}", minutes[0]),
            None => format!("at the minutes {}", ranges(&minutes, |value| value.to_string())),
        };
        let hour = match rhythm(&hours, 0, 24) {
            Some(1) if minutes.len() == 1 => " of every hour".into(),
            Some(1) => String::new(),
            Some(step) => format!(" of every {} hour from 00:00 on", ordinal(step)),
            None => format!(
                " of the hour{} {}",
                if hours.len() == 1 { "" } else { "s" },
                ranges(&hours, |hour| format!("{hour:02}"))
            ),
        };
        minute + &hour
    }

    fn date(&self) -> String {
        let days = values(self.days.into(), 0);
        let weekdays = values(self.weekdays.into(), 0);
        let every_day = days.len() == 31;
        let every_weekday = weekdays.len() == 7;
        let numbers = match rhythm(&days, 1, 32) {
            Some(step) if step > 1 => {
                format!("every {} day of the month from the 1st", ordinal(step))
            }
            _ => format!("on the {}", ranges(&days, ordinal)),
        };
        let names = format!("on {}", ranges(&weekdays, |day| WEEKDAYS[day as usize].to_owned()));
        let day = match (self.stars[2] || every_day, self.stars[4] || every_weekday) {
            (true, true) => "every day".into(),
            // Restricted in words only, both fields let every day pass.
            _ if !self.stars[2] && !self.stars[4] && (every_day || every_weekday) => {
                "every day".into()
            }
            (true, false) => names,
            (false, true) => numbers,
            (false, false) => format!("{numbers} and {names}, whichever it is"),
        };
        let months = values(self.months.into(), 0);
        match months.len() {
            12 => day,
            _ => format!(
                "{day}, in {}",
                ranges(&months, |month| MONTHS[month as usize - 1].to_owned())
            ),
        }
    }
}

/// The numbers whose bits are set.
fn values(bits: u64, from: u32) -> Vec<u32> {
    (from..64).filter(|value| bits >> value & 1 == 1).collect()
}

/// The step, if these are all numbers from `least` on, up to but not `end`, that far apart, and enough
/// of them to speak of a step.
fn rhythm(values: &[u32], least: u32, end: u32) -> Option<u32> {
    let [first, second, ..] = values else { return None };
    let step = second - first;
    let all = (least..end).step_by(step as usize);
    (values.len() > 2 && all.eq(values.iter().copied())).then_some(step)
}

/// Numbers in words, neighbours put together.
fn ranges(values: &[u32], name: impl Fn(u32) -> String) -> String {
    let mut parts = Vec::new();
    let mut rest = values;
    while let Some(first) = rest.first() {
        let length = rest.iter().zip(*first..).take_while(|(value, expected)| *value == expected);
        let length = length.count();
        match length {
            1 => parts.push(name(*first)),
            2 => parts.extend([name(*first), name(first + 1)]),
            _ => parts.push(format!("{} to {}", name(*first), name(first + length as u32 - 1))),
        }
        rest = &rest[length..];
    }
    listed(parts, "and")
}

fn listed(parts: Vec<String>, word: &str) -> String {
    match parts.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, before)) => format!("{} {word} {last}", before.join(", ")),
        None => String::new(),
    }
}

fn ordinal(number: u32) -> String {
    let end = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_in_words() {
        for (text, words) in [
            ("* * * * *", "every minute, every day"),
            ("*/5 * * * *", "every 5 minutes, every day"),
            ("0 3 * * *", "at 03:00, every day"),
            ("15,45 9,17 * * 1-5", "at 09:15, 09:45, 17:15 and 17:45, on Monday to Friday"),
            ("30 * * * *", "at minute 30 of every hour, every day"),
            ("0 */2 * * *", "at minute 0 of every 2nd hour from 00:00 on, every day"),
            ("*/15 8-17 * * *", "every 15 minutes of the hours 08 to 17, every day"),
            ("* 2 * * *", "every minute of the hour 02, every day"),
            ("1-3,30 * * * *", "at the minutes 1 to 3 and 30, every day"),
            ("0 0 1,15 * *", "at 00:00, on the 1st and 15th"),
            ("0 0 1 * 1", "at 00:00, on the 1st and on Monday, whichever it is"),
            ("0 0 * 2,6-8 *", "at 00:00, every day, in February and June to August"),
            ("0 0 */10 * *", "at 00:00, every 10th day of the month from the 1st"),
            ("0 0 13 * *", "at 00:00, on the 13th"),
            ("0 0 * * 6,7", "at 00:00, on Sunday and Saturday"),
            ("0 0 */1 * 1", "at 00:00, every day"),
        ] {
            assert_eq!(Cron::parse(text).expect("an expression").explain(), words, "{text}");
        }
    }
}
