//! The written form of traces, of one program and of a fleet.

use crate::event::Event;
use crate::{joined, line};
use serde_json::Value;
use std::io::BufRead;

pub use crate::line::{VERSION, WireError, from_json, push, to_json, write};

/// Reads a trace that [`write()`] wrote.
pub fn read(input: impl BufRead) -> Result<Vec<Event>, WireError> {
    events(input)?.collect()
}

/// The events of a trace that [`write()`] wrote, read one by one: a long trace needs no room. Those of a joined trace
/// are woven into one run.
pub fn events(
    input: impl BufRead,
) -> Result<impl Iterator<Item = Result<Event, WireError>>, WireError> {
    let mut lines = input.lines();
    let header = lines.next().ok_or(WireError::NotATrace)??;
    let header: Value = serde_json::from_str(&header).map_err(|_| WireError::NotATrace)?;
    if header["format"] != line::FORMAT {
        return Err(WireError::NotATrace);
    }
    let is_joined = match header["version"].as_u64() {
        Some(1..=VERSION) => false,
        Some(joined::VERSION) => true,
        Some(version) if version > joined::VERSION => return Err(WireError::Newer(version)),
        _ => return Err(WireError::NotATrace),
    };
    let objects = lines.enumerate().map(|(index, line)| -> Result<(usize, Value), WireError> {
        let (line, number) = (line?, index + 2);
        let fail = |reason: String| WireError::Line { number, reason };
        let value = serde_json::from_str(&line).map_err(|error| fail(error.to_string()))?;
        Ok((number, value))
    });
    Ok(match is_joined {
        false => Either::One(objects.map(|object| {
            let (number, value) = object?;
            line::from_json(&value).map_err(|reason| WireError::Line { number, reason })
        })),
        true => {
            let lines = objects.map(|object| {
                let (number, value) = object?;
                joined::line(&value).map_err(|reason| WireError::Line { number, reason })
            });
            Either::Other(joined::woven(joined::Header::of(&header), lines))
        }
    })
}

/// One of two ways to the same things.
enum Either<A, B> {
    One(A),
    Other(B),
}

impl<T, A: Iterator<Item = T>, B: Iterator<Item = T>> Iterator for Either<A, B> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        match self {
            Self::One(one) => one.next(),
            Self::Other(other) => other.next(),
        }
    }
}
