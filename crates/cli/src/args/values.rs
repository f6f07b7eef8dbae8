//! How the values of flags are read.

use crate::report::BadValue;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use hemiola_machine::{Delay, Instant, Schedule};
use hemiola_scheduler::Zone;
use hemiola_world::fleet::{Fault, Kind, Rates, Unreadable, hourly};
use hemiola_world::{Environment, Faults};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// A length of time: a whole number and its unit.
pub(super) fn duration(text: &str) -> Result<Delay, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let millis = match &text[digits.len()..] {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        "d" => 86_400_000,
        _ => return Err("write an integer with ms, s, m, h or d, such as 90s".into()),
    };
    let number: u64 = digits.parse().map_err(|_| format!("`{digits}` is not an integer"))?;
    Ok(Delay::from_millis(number.saturating_mul(millis)))
}

/// One of the names of a closed set.
pub(super) fn one_of<T>(
    names: impl IntoIterator<Item = &'static str>,
) -> impl TypedValueParser<Value = T>
where
    T: FromStr + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(names).map(|name| match name.parse() {
        Ok(value) => value,
        Err(_) => unreachable!("every name that is offered means something"),
    })
}

/// A test of a program: its place among the children of the program, of those, and so on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TestPath(pub(crate) Vec<u32>);

impl fmt::Display for TestPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers: Vec<String> = self.0.iter().map(u32::to_string).collect();
        f.write_str(&numbers.join("."))
    }
}

pub(super) fn test_path(text: &str) -> Result<TestPath, BadValue> {
    let numbers = text.split('.').map(|number| number.parse().ok().filter(|&number| number > 0));
    numbers.collect::<Option<Vec<u32>>>().map(TestPath).ok_or_else(|| BadValue {
        message: format!("is not a path of a test: `{}`", text.escape_debug()),
        help: "write numbers separated by dots, as `explore` does: --test-case 2.1".into(),
    })
}

/// A command, and the file of the program that stands in for it.
pub(super) fn stand_in(text: &str) -> Result<(String, PathBuf), BadValue> {
    let bad = |message: String| BadValue {
        message,
        help: "write the name of the command and a file: --stand-in ffmpeg=stand-ins/ffmpeg.js"
            .into(),
    };
    let parts = text.split_once('=').filter(|(name, file)| !name.is_empty() && !file.is_empty());
    let (name, file) =
        parts.ok_or_else(|| bad(format!("names no file: `{}`", text.escape_debug())))?;
    match std::path::absolute(file) {
        Ok(path) if path.is_file() => Ok((name.to_owned(), path)),
        _ => Err(bad(format!("there is no file `{}`", file.escape_debug()))),
    }
}

/// What may go wrong; nothing by default.
pub(super) fn faults(text: &str) -> Result<Faults, BadValue> {
    if text.is_empty() {
        return Ok(Faults::NONE);
    }
    text.parse().map_err(|_| BadValue {
        message: format!("does not know the faults `{}`", text.escape_debug()),
        help: "write fs, net, or both separated by a comma: --faults fs,net".into(),
    })
}

/// What may go wrong in a simulation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mishaps {
    pub(crate) faults: Faults,
    /// Whether the seed decides on steps of the clock.
    pub(crate) steps_by_seed: bool,
    /// What goes wrong at given times, on the only host there is.
    pub(crate) given: Vec<Fault>,
    /// How often something goes wrong that the seed decides on.
    pub(crate) rates: Rates,
}

impl Mishaps {
    /// What can go wrong with one program at a time, or so often.
    const KINDS: [&str; 3] = ["pause", "clock", "disk"];

    /// A fault of the only host, as people write it.
    pub(crate) fn written(fault: &Fault) -> String {
        fault.written(&[String::new()]).replacen("  ", " ", 1)
    }

    /// Refuses what goes wrong only where there are several programs, or one that is started again.
    fn check(kind: &str) -> Result<(), BadValue> {
        if Self::KINDS.contains(&kind) {
            return Ok(());
        }
        let known = Self::KINDS.join(", ");
        Err(BadValue {
            message: match Rates::NAMES.contains(&kind) {
                true => format!("cannot have `{kind}`: that goes wrong in fleets"),
                false => format!("does not know the faults `{}`", kind.escape_debug()),
            },
            help: format!("there are {known} at times; a fleet may have one host: docs/fleets.md"),
        })
    }

    /// Takes one fault.
    fn take(&mut self, part: &str) -> Result<bool, BadValue> {
        let unreadable = |error: Unreadable| BadValue {
            message: format!("cannot be read: {error}"),
            help: "write it like `pause at 3s for 10s` or `clock=1/min`".into(),
        };
        if let Some((kind, rate)) = part.split_once('=') {
            Self::check(kind.trim())?;
            self.rates.set(kind.trim(), hourly(rate.trim()).map_err(unreadable)?);
            return Ok(true);
        }
        if let Some((kind, rest)) = part.split_once(char::is_whitespace) {
            Self::check(kind)?;
            const ONLY: &str = "it";
            let text = format!("{kind} {ONLY} {rest}");
            self.given.push(Fault::read(&text, &[ONLY.into()], &[1]).map_err(unreadable)?);
            return Ok(true);
        }
        Ok(false)
    }
}

pub(super) fn mishaps(text: &str) -> Result<Mishaps, BadValue> {
    let mut mishaps = Mishaps::default();
    let mut rest = Vec::new();
    for part in text.split([',', ';']).map(str::trim) {
        if mishaps.take(part)? {
            continue;
        }
        match part.strip_prefix("clock") {
            Some("") => mishaps.steps_by_seed = true,
            Some(step) => {
                let (at, by) = clock_step(step).ok_or_else(|| BadValue {
                    message: format!("has no step of the clock in `{}`", part.escape_debug()),
                    help: "write when and by how much: --faults clock@10s+40s, or clock@1h-10m"
                        .into(),
                })?;
                mishaps.given.push(Fault { at, kind: Kind::Clock { host: 0, by } });
            }
            None => rest.push(part),
        }
    }
    let rest = rest.join(",");
    if !rest.is_empty() {
        mishaps.faults = rest.parse().map_err(|_| BadValue {
            message: format!("does not know the faults `{}`", rest.escape_debug()),
            help: "write fs, net or clock, or several separated by commas: --faults fs,net".into(),
        })?;
    }
    Ok(mishaps)
}

/// A date, or an instant in UTC, in microseconds since 1970.
pub(super) fn date(text: &str) -> Result<u64, BadValue> {
    let bad = || BadValue {
        message: format!("must be a date since 1970, not `{}`", text.escape_debug()),
        help: "write it like 2024-02-29, or like 2024-02-29T23:59:50Z".into(),
    };
    let zone = Zone::named("UTC").expect("UTC is known");
    let seconds = zone.read(text).ok_or_else(bad)?;
    u64::try_from(seconds).ok().and_then(|seconds| seconds.checked_mul(1_000_000)).ok_or_else(bad)
}

/// When the clock is set, and by how much: `@10s+40s`, `@1h-10m`.
fn clock_step(text: &str) -> Option<(Instant, i64)> {
    let text = text.strip_prefix('@')?;
    let at = text.find(['+', '-'])?;
    let (when, by) = text.split_at(at);
    let amount = i64::try_from(duration(&by[1..]).ok()?.as_micros()).ok()?;
    let by = if by.starts_with('-') { -amount } else { amount };
    Some((Instant::ZERO + duration(when).ok()?, by))
}

/// When a simulated computer runs.
pub(super) fn environment(text: &str) -> Result<Environment, BadValue> {
    text.parse().map_err(|_| BadValue {
        message: format!("does not know the environment `{}`", text.escape_debug()),
        help: "write freezing, thawing=U, dense=E,D or burst, with times in ms: --environment dense=0.1,2000"
            .into(),
    })
}

pub(super) fn bound(text: &str) -> Result<u32, BadValue> {
    within(text, 10_000)
}

pub(super) fn states(text: &str) -> Result<u32, BadValue> {
    within(text, 100_000_000)
}

pub(super) fn traces(text: &str) -> Result<u32, BadValue> {
    within(text, 1_000_000)
}

fn within(text: &str, most: u32) -> Result<u32, BadValue> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let message = match text.parse::<u32>() {
        _ if !is_number => format!("must be an integer, not `{}`", text.escape_debug()),
        Ok(number) if (1..=most).contains(&number) => return Ok(number),
        Ok(0) => "must be at least 1".into(),
        _ if text.starts_with('-') => "must be at least 1".into(),
        _ => format!("must be at most {most}"),
    };
    Err(BadValue { message, help: format!("give an integer from 1 to {most}") })
}

/// The values of `--values`: different names and whole numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Values(pub(super) Vec<String>);

impl std::fmt::Display for Values {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.join(","))
    }
}

impl FromStr for Values {
    type Err = BadValue;

    fn from_str(text: &str) -> Result<Self, BadValue> {
        let fail = |message: String| BadValue {
            message,
            help: "separate distinct names and integers by commas: --values d,e,0".into(),
        };
        let mut values: Vec<String> = Vec::new();
        for word in text.split(',') {
            let shown = word.escape_debug();
            let value = match word.parse::<i64>() {
                Ok(number) if !word.starts_with('+') => number.to_string(),
                _ if is_name(word) => word.to_owned(),
                _ if word.is_empty() => return Err(fail("has an empty value".into())),
                _ => {
                    return Err(fail(format!("has `{shown}`, neither a name nor a number")));
                }
            };
            if values.contains(&value) {
                return Err(fail(format!("has `{shown}` twice")));
            }
            values.push(value);
        }
        Ok(Self(values))
    }
}

/// An event that comes from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct External {
    pub(super) event: String,
    pub(super) times: u32,
}

impl FromStr for External {
    type Err = BadValue;

    fn from_str(text: &str) -> Result<Self, BadValue> {
        let fail = |message: String| BadValue {
            message,
            help: "name the event and how often it may happen: --external click=2".into(),
        };
        match text.split_once('=') {
            Some((event, times)) if is_name(event) => {
                let times = bound(times)
                    .map_err(|bad| fail(format!("{event}: the number {}", bad.message)))?;
                Ok(Self { event: event.to_owned(), times })
            }
            _ => Err(fail(format!("must be EVENT=N, not `{}`", text.escape_debug()))),
        }
    }
}

fn is_name(text: &str) -> bool {
    let mut letters = text.bytes();
    letters.next().is_some_and(|first| first == b'_' || first.is_ascii_alphabetic())
        && letters.all(|next| next == b'_' || next == b'\'' || next.is_ascii_alphanumeric())
}

pub(super) fn schedule(text: &str) -> Result<Schedule, BadValue> {
    text.parse().map_err(|_| BadValue {
        message: format!("must be a schedule, not `{}`", text.escape_debug()),
        help: "write CHOICE:ALTERNATIVE with increasing choices, such as 2:1,5:3, or `default`"
            .into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_different_names_and_numbers() {
        let values = |text: &str| text.parse::<Values>().map(|values| values.0);
        assert_eq!(
            values("d,x',-3,07"),
            Ok(vec!["d".into(), "x'".into(), "-3".into(), "7".into()])
        );
        let wrong =
            ["", "d,", "d,,e", "d,d", "7,07", "1.5", "+1", "a b", "é", "-", "99999999999999999999"];
        for wrong in wrong {
            assert!(values(wrong).is_err(), "{wrong:?} must not be values");
        }
    }
}
