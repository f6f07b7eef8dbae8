//! Where two runs part.

/// The lines of a run, kept to be compared with those of another.
#[derive(Debug, Default)]
pub struct Kept(Vec<u8>);

/// The first place at which two runs differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The number of the event, the first being 1.
    pub event: u64,
    /// What the first run has there, as it is written; nothing at its end.
    pub first: Option<String>,
    /// What the second has there.
    pub second: Option<String>,
}

/// A run that is compared with one before, as it goes on.
#[derive(Debug)]
pub struct Comparison {
    kept: Vec<u8>,
    /// Up to where the lines have been the same.
    at: usize,
    /// How many there were.
    events: u64,
    difference: Option<Difference>,
}

impl Kept {
    /// Takes an event, as it is written.
    pub fn push(&mut self, line: &[u8]) {
        self.0.extend_from_slice(line);
    }

    /// Begins to compare another run with it.
    pub fn compare(self) -> Comparison {
        Comparison { kept: self.0, at: 0, events: 0, difference: None }
    }
}

impl Comparison {
    /// Takes an event of the other run, as it is written.
    pub fn push(&mut self, line: &[u8]) {
        if self.difference.is_some() {
            return;
        }
        self.events += 1;
        let first = rest(&self.kept, self.at);
        if first == line {
            self.at += line.len();
        } else {
            let first = (!first.is_empty()).then(|| text(first));
            let second = Some(text(line));
            self.difference = Some(Difference { event: self.events, first, second });
        }
    }

    /// Where the runs part, now that the other one is over; nothing if they were the same.
    pub fn finish(self) -> Option<Difference> {
        let is_shorter = self.difference.is_none() && self.at < self.kept.len();
        let missing = || Difference {
            event: self.events + 1,
            first: Some(text(rest(&self.kept, self.at))),
            second: None,
        };
        is_shorter.then(missing).or(self.difference)
    }
}

/// The line that begins there; nothing at the end.
fn rest(lines: &[u8], at: usize) -> &[u8] {
    let rest = &lines[at..];
    let end = rest.iter().position(|&byte| byte == b'\n').map_or(rest.len(), |end| end + 1);
    &rest[..end]
}

fn text(line: &[u8]) -> String {
    String::from_utf8_lossy(line).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Event, Observation, wire};

    fn written(number: i64) -> Vec<u8> {
        let mut line = Vec::new();
        wire::push(&mut line, &Event::Observed(Observation::Number(number)));
        line
    }

    fn compared(first: &[i64], second: &[i64]) -> Option<Difference> {
        let mut kept = Kept::default();
        first.iter().for_each(|number| kept.push(&written(*number)));
        let mut comparison = kept.compare();
        second.iter().for_each(|number| comparison.push(&written(*number)));
        comparison.finish()
    }

    #[test]
    fn the_first_difference_is_named_with_both_sides() {
        let shown = |number| Some(text(&written(number)));
        assert_eq!(compared(&[1, 2], &[1, 2]), None);
        let difference = compared(&[1, 2, 4], &[1, 3, 5]).expect("they differ");
        assert_eq!(difference, Difference { event: 2, first: shown(2), second: shown(3) });
        let shorter = compared(&[1, 2], &[1]).expect("one has more");
        assert_eq!(shorter, Difference { event: 2, first: shown(2), second: None });
        let longer = compared(&[1], &[1, 2]).expect("one has more");
        assert_eq!(longer, Difference { event: 2, first: None, second: shown(2) });
    }
}
