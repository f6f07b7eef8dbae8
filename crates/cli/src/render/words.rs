//! Observations, properties and numbers in words.

use hemiola_machine::Observation;
use hemiola_monitor::Spec;
use hemiola_trace::Place;
use std::time::Duration;

/// A number of things.
pub(crate) fn count(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

/// How old something is, in words.
pub(crate) fn age(since: Duration) -> String {
    let seconds = since.as_secs();
    let (number, unit) = match seconds {
        0..60 => (seconds, "second"),
        60..3_600 => (seconds / 60, "minute"),
        3_600..172_800 => (seconds / 3_600, "hour"),
        _ => (seconds / 86_400, "day"),
    };
    format!("{} old", count(number as usize, unit))
}

/// A place as seen from the current directory.
pub(crate) fn from_here(place: &Place) -> String {
    let place = place.to_string();
    let here = std::env::current_dir().unwrap_or_default();
    let within =
        place.strip_prefix(&*here.to_string_lossy()).and_then(|rest| rest.strip_prefix('/'));
    within.map_or_else(|| place.clone(), str::to_owned)
}

/// Where in the written trace a run breaks a property, and what is wrong there.
pub(crate) fn break_of(spec: &Spec, trace: &[Observation]) -> (usize, &'static str) {
    let mut standing = spec.start();
    for (at, observation) in trace.iter().enumerate() {
        standing = spec.advance(&standing, observation);
        if spec.failed(&standing) {
            let before = if at == 0 { 0 } else { words(&trace[..at]).chars().count() + 1 };
            return (before, "not allowed here");
        }
    }
    let written = if trace.is_empty() { 0 } else { words(trace).chars().count() + 1 };
    (written, "may not end here")
}

/// A property, without line breaks and other signs that would move the cursor.
pub(crate) fn one_line(property: &str) -> String {
    if property.trim().is_empty() {
        return "(nothing)".into();
    }
    property.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

/// A sequence of observations.
pub(crate) fn words(trace: &[Observation]) -> String {
    if trace.is_empty() {
        return "(nothing)".into();
    }
    let shown = trace.iter().map(|observation| match observation {
        Observation::Number(number) => number.to_string(),
        Observation::Name(name) => word(name),
    });
    shown.collect::<Vec<_>>().join(" ")
}

/// A name as a property has it: in quotes, unless it can only be read as a name.
pub(crate) fn word(name: &str) -> String {
    let starts = |letter: char| letter == '_' || letter.is_alphabetic();
    let goes_on = |letter: char| starts(letter) || letter.is_ascii_digit() || letter == '\'';
    if name.starts_with(starts) && name.chars().all(goes_on) {
        return name.to_owned();
    }
    let mut quoted = String::from('"');
    for letter in name.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            _ if letter.is_control() => quoted.extend(letter.escape_default()),
            _ => quoted.push(letter),
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_shown_as_a_property_has_it() {
        for (name, shown) in [
            ("done", "done"),
            ("x'", "x'"),
            ("λ1", "λ1"),
            ("12", "\"12\""),
            ("", "\"\""),
            ("a b", "\"a b\""),
            ("say \"hi\\\"", r#""say \"hi\\\"""#),
            ("\u{1b}[31m", r#""\u{1b}[31m""#),
        ] {
            assert_eq!(word(name), shown);
            if !name.contains('\u{1b}') {
                let spec = Spec::parse(shown).expect("it can be pasted");
                assert!(!spec.failed(&spec.advance(&spec.start(), &name.into())));
            }
        }
    }

    #[test]
    fn a_break_is_marked_under_its_observation() {
        let spec = Spec::parse("ab c $").expect("a spec");
        let at = |names: &[&str]| {
            let trace: Vec<Observation> = names.iter().map(|&name| name.into()).collect();
            break_of(&spec, &trace)
        };
        assert_eq!(at(&["ab", "d", "c"]), (3, "not allowed here"));
        assert_eq!(at(&["c"]), (0, "not allowed here"));
        assert_eq!(at(&["ab"]), (3, "may not end here"));
        assert_eq!(at(&[]), (0, "may not end here"));
    }
}
