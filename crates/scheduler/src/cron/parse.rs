//! From text to bits.

use super::fields::Cron;
use hemiola_trace::source::{SourceError, Span};

/// What a field may hold.
struct Field {
    name: &'static str,
    least: u32,
    most: u32,
    /// Words for the numbers from `least` on.
    words: &'static [&'static str],
}

const FIELDS: [Field; 5] = [
    Field { name: "minute", least: 0, most: 59, words: &[] },
    Field { name: "hour", least: 0, most: 23, words: &[] },
    Field { name: "day of the month", least: 1, most: 31, words: &[] },
    Field { name: "month", least: 1, most: 12, words: &MONTHS },
    // 7 is Sunday again.
    Field { name: "day of the week", least: 0, most: 7, words: &WEEKDAYS },
];

const SECOND: Field = Field { name: "second", least: 0, most: 59, words: &[] };

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS: [&str; 7] = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/// What other programs write for an expression.
const NICKNAMES: [(&str, &str); 7] = [
    ("@yearly", "0 0 1 1 *"),
    ("@annually", "0 0 1 1 *"),
    ("@monthly", "0 0 1 * *"),
    ("@weekly", "0 0 * * 0"),
    ("@daily", "0 0 * * *"),
    ("@midnight", "0 0 * * *"),
    ("@hourly", "0 * * * *"),
];

impl Cron {
    /// Reads an expression: minute, hour, day of the month, month, day of the week, with `*`, lists,
    /// ranges and steps, and with names of months and weekdays.
    pub fn parse(text: &str) -> Result<Self, SourceError> {
        let words = words(text);
        if words.len() != FIELDS.len() {
            return Err(wrong_count(text, &words));
        }
        Self::of_words(&words)
    }

    /// Reads an expression, which may also have six fields, the first for seconds, or be a nickname such as `@daily`.
    pub fn read(text: &str) -> Result<Self, SourceError> {
        let all = words(text);
        match all.as_slice() {
            [(word, _)] => {
                let known = NICKNAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(word));
                Self::parse(known.map_or(text, |(_, meant)| *meant))
            }
            [(word, start), minutes @ ..] if minutes.len() == FIELDS.len() => {
                let seconds = SECOND.parse(word, *start)?;
                let cron = Self::of_words(minutes)?;
                Ok(Self { seconds, fixed: cron.fixed && !word.contains('*'), ..cron })
            }
            _ => Self::parse(text),
        }
    }

    fn of_words(words: &[(&str, usize)]) -> Result<Self, SourceError> {
        let mut bits = [0_u64; 5];
        let mut stars = [false; 5];
        let mut fixed = true;
        for (at, (&(word, start), field)) in words.iter().zip(&FIELDS).enumerate() {
            bits[at] = field.parse(word, start)?;
            stars[at] = word == "*";
            fixed &= at > 1 || !word.contains('*');
        }
        let sunday = bits[4] >> 7 & 1;
        let cron = Self {
            seconds: 1,
            minutes: bits[0],
            hours: bits[1] as u32,
            days: bits[2] as u32,
            months: bits[3] as u32,
            weekdays: (bits[4] & 0x7f | sunday) as u32,
            stars,
            fixed,
        };
        if cron.can_match() {
            return Ok(cron);
        }
        let (day, month) = (words[2], words[3]);
        Err(SourceError {
            message: "an expression that never matches".into(),
            span: Span::new(day.1, month.1 + month.0.len()),
            label: "no such month has such a day".into(),
            help: "name a day that the month has; 28 is in every month".into(),
        })
    }
}

/// The words of a text, and where they begin.
fn words(text: &str) -> Vec<(&str, usize)> {
    let start = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
    text.split_ascii_whitespace().map(|word| (word, start(word))).collect()
}

fn wrong_count(text: &str, words: &[(&str, usize)]) -> SourceError {
    if let [(word, start)] = words
        && word.starts_with('@')
    {
        let known = NICKNAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(word));
        return SourceError {
            message: "a cron expression has five fields, and no nicknames".into(),
            span: Span::new(*start, start + word.len()),
            label: "not a field".into(),
            help: match known {
                Some((_, meant)) => format!("write `{meant}`"),
                None => "write minute, hour, day of the month, month, day of the week".into(),
            },
        };
    }
    let span = match words.get(FIELDS.len()) {
        Some((_, start)) => Span::new(*start, text.trim_end().len()),
        None => Span::new(text.len(), text.len()),
    };
    let (label, help) = match words.len() {
        0..=4 => (
            format!("the {} is missing", FIELDS[words.len()].name),
            "write minute, hour, day of the month, month, day of the week: `0 3 * * *`",
        ),
        6 => ("one field more".into(), "leave seconds out: the first field is the minute"),
        _ => ("more than five fields".into(), "put no spaces within a field: `1,2`, not `1, 2`"),
    };
    SourceError {
        message: format!("a cron expression has five fields, not {}", words.len()),
        span,
        label,
        help: help.into(),
    }
}

impl Field {
    /// The bits of a field that begins at that place.
    fn parse(&self, word: &str, start: usize) -> Result<u64, SourceError> {
        let mut bits = 0;
        let mut at = start;
        for part in word.split(',') {
            bits |= self.part(part, at)?;
            at += part.len() + 1;
        }
        Ok(bits)
    }

    /// The bits of `*`, `a` or `a-b`, perhaps with a step.
    fn part(&self, part: &str, at: usize) -> Result<u64, SourceError> {
        let (range, step) = match part.split_once('/') {
            None => (part, None),
            Some((range, step)) => (range, Some((step, at + range.len() + 1))),
        };
        let (first, last) = match range.split_once('-') {
            // All weekdays are seven, not eight.
            None if range == "*" => {
                (self.least, self.most.min(if self.most == 7 { 6 } else { 59 }))
            }
            None => {
                let value = self.value(range, at)?;
                if let Some((step, _)) = step {
                    return Err(SourceError {
                        message: format!("a step of the {} without a range", self.name),
                        span: Span::new(at, at + part.len()),
                        label: "a step goes with `*` or with a range".into(),
                        help: format!("write `{range}-{}/{step}` to go on to the end", self.most),
                    });
                }
                (value, value)
            }
            Some((from, to)) => self.range(from, to, at)?,
        };
        let step = step.map_or(Ok(1), |(step, at)| self.step(step, at))?;
        Ok((first..=last).step_by(step).fold(0, |bits, value| bits | 1 << value))
    }

    fn range(&self, from: &str, to: &str, at: usize) -> Result<(u32, u32), SourceError> {
        let first = self.value(from, at)?;
        let mut last = self.value(to, at + from.len() + 1)?;
        if self.most == 7 && last == 0 && first > 0 {
            // Up to Sunday, the end of the week.
            last = 7;
        }
        if first <= last {
            return Ok((first, last));
        }
        Err(SourceError {
            message: format!("a range of the {} that goes backwards", self.name),
            span: Span::new(at, at + from.len() + 1 + to.len()),
            label: format!("{first} comes after {last}"),
            help: format!(
                "split it into two: `{from}-{},{}-{to}`",
                if self.most == 7 { 6 } else { self.most },
                self.least
            ),
        })
    }

    fn step(&self, text: &str, at: usize) -> Result<usize, SourceError> {
        let bad = |label: String| SourceError {
            message: format!("a step of the {} must be an integer of at least 1", self.name),
            span: Span::new(at, at + text.len()),
            label,
            help: format!("write a number after the `/`, as in `*/{}`", self.most.min(5)),
        };
        if text.is_empty() {
            return Err(bad("nothing follows the `/`".into()));
        }
        if !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(bad("not an integer".into()));
        }
        match text.parse::<usize>() {
            Ok(0) => Err(bad("goes nowhere".into())),
            Ok(step) if step <= self.most as usize => Ok(step),
            _ => Err(bad(format!("further than the {} goes", self.name))),
        }
    }

    fn value(&self, text: &str, at: usize) -> Result<u32, SourceError> {
        let bad = |message: String, label: &str| SourceError {
            message,
            span: Span::new(at, at + text.len()),
            label: label.into(),
            help: match self.words {
                [] => format!("write a number from {} to {}", self.least, self.most),
                [first, ..] => format!(
                    "write a number from {} to {}, or a name such as `{first}`",
                    self.least, self.most
                ),
            },
        };
        let known = self.words.iter().position(|word| word.eq_ignore_ascii_case(text));
        if let Some(known) = known {
            return Ok(self.least + known as u32);
        }
        if text.is_empty() {
            return Err(bad(
                format!("a value of the {} is missing", self.name),
                "nothing stands here",
            ));
        }
        if !text.bytes().all(|byte| byte.is_ascii_digit()) {
            let shown = text.escape_debug();
            return Err(bad(format!("the {} cannot be `{shown}`", self.name), "not a number"));
        }
        match text.parse() {
            Ok(value) if (self.least..=self.most).contains(&value) => Ok(value),
            _ => Err(bad(format!("the {} cannot be {text}", self.name), "out of range")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weekdays(text: &str) -> u32 {
        Cron::parse(&format!("0 0 * * {text}")).expect("an expression").weekdays
    }

    #[test]
    fn sunday_is_0_and_7_and_the_end_of_a_range() {
        assert_eq!(weekdays("0"), 1);
        assert_eq!(weekdays("7"), 1);
        assert_eq!(weekdays("5-7"), 0b110_0001);
        assert_eq!(weekdays("fri-SUN"), 0b110_0001);
        assert_eq!(weekdays("sun-sat"), 0x7f);
        assert_eq!(weekdays("0-7"), 0x7f);
        assert_eq!(weekdays("*"), 0x7f);
        assert_eq!(weekdays("*/2"), 0b101_0101);
        assert_eq!(weekdays("*/6"), 0b100_0001);
        assert_eq!(weekdays("1-7/3"), 0b001_0011);
    }

    #[test]
    fn what_is_no_expression_is_refused_with_its_place() {
        let cases = [
            ("", 0, 0),
            ("* * * *", 7, 7),
            ("0 * * * * *", 10, 11),
            ("0 0 1, 2 * *", 11, 12),
            ("@daily", 0, 6),
            ("60 * * * *", 0, 2),
            ("* 24 * * *", 2, 4),
            ("* * 0 * *", 4, 5),
            ("* * 32 * *", 4, 6),
            ("* * * 13 *", 6, 8),
            ("* * * 0 *", 6, 7),
            ("* * * * 8", 8, 9),
            ("* * * * moon", 8, 12),
            ("mon * * * *", 0, 3),
            ("1,,2 * * * *", 2, 2),
            ("1, * * * *", 2, 2),
            ("5-1 * * * *", 0, 3),
            ("1-2-3 * * * *", 2, 5),
            ("*/0 * * * *", 2, 3),
            ("*/x * * * *", 2, 3),
            ("*/ * * * *", 2, 2),
            ("*/60 * * * *", 2, 4),
            ("/5 * * * *", 0, 0),
            ("5/10 * * * *", 0, 4),
            ("-1 * * * *", 0, 0),
            ("+1 * * * *", 0, 2),
            ("1.5 * * * *", 0, 3),
            ("** * * * *", 0, 2),
            ("*-5 * * * *", 0, 1),
            ("L * * * *", 0, 1),
            ("? * * * *", 0, 1),
            ("99999999999999999999 * * * *", 0, 20),
            ("é * * * *", 0, 2),
            ("0 0 30 2 *", 4, 8),
            ("0 0 31 4,6,9,11 *", 4, 15),
            ("0 0 30-31 feb *", 4, 13),
        ];
        for (text, start, end) in cases {
            let error = Cron::parse(text).expect_err(text);
            assert_eq!((error.span.start, error.span.end), (start, end), "{text}: {error}");
            assert!(!error.help.is_empty(), "{text}");
        }
    }

    #[test]
    fn what_can_match_is_taken() {
        for text in [
            "0 0 29 2 *",
            "0 0 30 2 1",
            "0 0 31 * *",
            "0 0 31 4,5 *",
            "  0\t0  1-31/2 JAN-dec/11 *  ",
            "0,0,0 00 01 1 07",
        ] {
            assert!(Cron::parse(text).is_ok(), "{text}");
        }
    }
}
