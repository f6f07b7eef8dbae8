//! Reports, written down so that a search can go on where it was broken off.
//!
//! A search follows from the reports that it takes. So a journal is the list of them, one on each line,
//! after a line that says what was searched; a line that was not written to its end is left out.

use super::plan::{Choice, Ended, Misfit, Outcome, Plan, Report, State};
use hemiola_trace::Observation;
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// The version of the format.
const VERSION: u64 = 1;

/// Why a journal cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JournalError {
    /// It is no journal.
    Unknown,
    /// It was written by a newer version.
    Newer(u64),
    /// It is of another program, or of other flags.
    Other,
}

/// The first line of a journal of what that text names.
pub(super) fn heading(subject: &str) -> String {
    json!({ "hemiola": "exploration", "version": VERSION, "subject": subject }).to_string()
}

/// A report on one line.
pub(super) fn line(plan: &Plan, report: &Report) -> String {
    let Report { choices, ended, reads_clock, coarse, slow, starves: _ } = report;
    let mut line = String::with_capacity(160 + choices.len() * 5);
    put(&mut line, format_args!("{{\"plan\":\"{}\",\"choices\":\"", plan_text(plan)));
    for (at, Choice { count, taken, state, later }) in choices.iter().enumerate() {
        if at > 0 {
            line.push(',');
        }
        put_number(&mut line, *count);
        line.push(':');
        put_number(&mut line, *taken);
        if let Some(State(state)) = state {
            put(&mut line, format_args!("@{state:x}"));
        }
        for &later in later {
            line.push('/');
            put_number(&mut line, later);
        }
    }
    line.push('"');
    for (name, is_so) in [("clock", reads_clock), ("coarse", coarse), ("slow", slow)] {
        line.extend([",\"", name, "\":", if *is_so { "true" } else { "false" }]);
    }
    line.push_str(",\"ended\":");
    match ended {
        Ended::Outcome(outcome) => put_outcome(&mut line, outcome),
        Ended::Known(Some(State(state))) => put(&mut line, format_args!("\"known@{state:x}\"")),
        Ended::Known(None) => line.push_str("\"known\""),
        Ended::Cut => line.push_str("\"cut\""),
        Ended::Misfit(Misfit { choice, wanted, count }) => {
            put(&mut line, format_args!("[{choice},{wanted},{count}]"));
        }
        Ended::Interrupted => unreachable!("a run that was interrupted is made again"),
    }
    line.push('}');
    line
}

/// A report as an object.
pub(super) fn object(plan: &Plan, report: &Report) -> Map<String, Value> {
    serde_json::from_str(&line(plan, report)).expect("a line is an object")
}

fn put(line: &mut String, words: std::fmt::Arguments<'_>) {
    line.write_fmt(words).expect("a text takes whatever is written");
}

/// The numbers of choices are small, and many.
fn put_number(line: &mut String, number: u32) {
    match u8::try_from(number) {
        Ok(digit @ 0..=9) => line.push(char::from(b'0' + digit)),
        _ => put(line, format_args!("{number}")),
    }
}

/// The reports of a journal of what that text names, each with the plan of its run as
/// [`is_of`] compares it.
pub(super) fn read(text: &str, subject: &str) -> Result<Vec<(String, Report)>, JournalError> {
    let mut lines = text.lines();
    let first = lines.next().and_then(|line| serde_json::from_str::<Value>(line).ok());
    let first = first.filter(|first| first["hemiola"] == "exploration");
    let Some(first) = first else { return Err(JournalError::Unknown) };
    match first["version"].as_u64() {
        Some(VERSION) => {}
        Some(newer) if newer > VERSION => return Err(JournalError::Newer(newer)),
        _ => return Err(JournalError::Unknown),
    }
    if first["subject"] != subject {
        return Err(JournalError::Other);
    }
    Ok(lines.map_while(entry).collect())
}

/// Whether a plan is the one of a journal's entry.
pub(super) fn is_of(plan: &Plan, text: &str) -> bool {
    plan_text(plan) == text
}

fn entry(line: &str) -> Option<(String, Report)> {
    report(&serde_json::from_str(line).ok()?)
}

/// The plan and the report of an object.
pub(super) fn report(object: &Value) -> Option<(String, Report)> {
    let choices = object["choices"].as_str()?;
    let choices: Option<Vec<Choice>> = match choices {
        "" => Some(Vec::new()),
        choices => choices.split(',').map(choice).collect(),
    };
    let ended = match &object["ended"] {
        Value::String(word) if word == "cut" => Ended::Cut,
        Value::String(word) => Ended::Known(match word.strip_prefix("known")? {
            // Those of earlier versions do not say where.
            "" => None,
            state => Some(State(u128::from_str_radix(state.strip_prefix('@')?, 16).ok()?)),
        }),
        Value::Array(numbers) => {
            let number = |at: usize| u32::try_from(numbers.get(at)?.as_u64()?).ok();
            Ended::Misfit(Misfit { choice: number(0)?, wanted: number(1)?, count: number(2)? })
        }
        outcome => Ended::Outcome(outcome_of(outcome)?),
    };
    let (reads_clock, coarse) = (object["clock"].as_bool()?, object["coarse"].as_bool()?);
    // Those of earlier versions do not say.
    let slow = object["slow"].as_bool().unwrap_or_default();
    let starves = Vec::new();
    let report = Report { choices: choices?, ended, reads_clock, coarse, slow, starves };
    Some((object["plan"].as_str()?.to_owned(), report))
}

fn choice(text: &str) -> Option<Choice> {
    let mut parts = text.split('/');
    let text = parts.next()?;
    let later: Option<Vec<u32>> = parts.map(|later| later.parse().ok()).collect();
    let (numbers, state) = match text.split_once('@') {
        Some((numbers, state)) => (numbers, Some(State(u128::from_str_radix(state, 16).ok()?))),
        None => (text, None),
    };
    let (count, taken) = numbers.split_once(':')?;
    let (count, taken) = (count.parse().ok()?, taken.parse().ok()?);
    Some(Choice { count, taken, state, later: later? })
}

pub(super) fn plan_text(plan: &Plan) -> String {
    match plan {
        Plan::Follow(schedule) => schedule.to_string(),
        Plan::Priorities { seed, changes, length } => format!("pct {seed} {changes} {length}"),
        Plan::Random { seed } => format!("random {seed}"),
    }
}

fn put_outcome(line: &mut String, outcome: &Outcome) {
    let Outcome { failure, code, observations, out, err } = outcome;
    let failure =
        failure.as_ref().map_or_else(|| "null".to_owned(), |text| json!(text).to_string());
    put(line, format_args!("{{\"failure\":{failure},\"code\":{code},\"observations\":"));
    match observations.is_empty() {
        true => line.push_str("[]"),
        false => put(line, format_args!("{}", json!(observations))),
    }
    for (name, bytes) in [("out", out), ("err", err)] {
        line.extend([",\"", name, "\":\""]);
        line.extend(bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]).map(digit));
        line.push('"');
    }
    line.push('}');
}

/// A half of a byte in hexadecimal.
fn digit(half: u8) -> char {
    char::from(b"0123456789abcdef"[usize::from(half)])
}

fn outcome_of(object: &Value) -> Option<Outcome> {
    let failure = match &object["failure"] {
        Value::Null => None,
        failure => Some(failure.as_str()?.to_owned()),
    };
    let observation = |value: &Value| match value {
        Value::String(name) => Some(Observation::name(name.as_str())),
        number => Some(Observation::Number(number.as_i64()?)),
    };
    let observations: Option<Vec<Observation>> =
        object["observations"].as_array()?.iter().map(observation).collect();
    Some(Outcome {
        failure,
        code: i32::try_from(object["code"].as_i64()?).ok()?,
        observations: observations?,
        out: bytes(object["out"].as_str()?)?,
        err: bytes(object["err"].as_str()?)?,
    })
}

fn bytes(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes().chunks(2);
    digits.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reports() -> Vec<(Plan, Report)> {
        let outcome = Outcome {
            failure: Some("Error: \"x\"\n".into()),
            code: 7,
            observations: vec![Observation::Number(-3), "a b".into(), "3".into()],
            out: vec![0, 255, b'\n'],
            err: Vec::new(),
        };
        let choices = vec![
            Choice { count: 3, taken: 2, state: None, later: vec![] },
            Choice { count: 4, taken: 0, state: Some(State(u128::MAX - 5)), later: vec![1, 3] },
        ];
        let report = |ended, choices| {
            let starves = Vec::new();
            Report { choices, ended, reads_clock: true, coarse: false, slow: true, starves }
        };
        vec![
            (
                Plan::Follow("0:2".parse().expect("a schedule")),
                report(Ended::Outcome(outcome), choices.clone()),
            ),
            (Plan::Random { seed: 9 }, report(Ended::Known(Some(State(77))), Vec::new())),
            (Plan::Random { seed: 10 }, report(Ended::Known(None), Vec::new())),
            (Plan::Priorities { seed: 1, changes: 2, length: 3 }, report(Ended::Cut, choices)),
            (
                Plan::Follow("9:1".parse().expect("a schedule")),
                report(Ended::Misfit(Misfit { choice: 9, wanted: 1, count: 0 }), Vec::new()),
            ),
        ]
    }

    fn written(subject: &str) -> String {
        let lines = reports().iter().map(|(plan, report)| line(plan, report)).collect::<Vec<_>>();
        format!("{}\n{}\n", heading(subject), lines.join("\n"))
    }

    #[test]
    fn what_is_written_is_read() {
        let read = read(&written("app.js"), "app.js").expect("a journal");
        assert_eq!(read.len(), reports().len());
        for ((plan, report), (text, again)) in reports().iter().zip(&read) {
            assert_eq!(report, again);
            assert!(is_of(plan, text));
        }
        assert!(!is_of(&reports()[1].0, &read[0].0));
    }

    #[test]
    fn a_torn_line_ends_it_and_another_subject_is_refused() {
        let whole = written("app.js");
        let start = whole.find('\n').expect("a line") + 1;
        for end in start..whole.len() {
            if whole.is_char_boundary(end) {
                let read = read(&whole[..end], "app.js").expect("a journal");
                let lines = whole[start..end].matches('\n').count();
                assert!(read.len() == lines || read.len() == lines + 1, "cut at {end}");
            }
        }
        assert_eq!(read(&whole, "other.js"), Err(JournalError::Other));
        assert_eq!(read("", "app.js"), Err(JournalError::Unknown));
        assert_eq!(read("{}\n", "app.js"), Err(JournalError::Unknown));
        let newer = whole.replacen("\"version\":1", "\"version\":2", 1);
        assert_eq!(read(&newer, "app.js"), Err(JournalError::Newer(2)));
    }
}
