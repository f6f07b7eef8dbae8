//! Events as lines, written without a detour.
//!
//! A program that lives on promises has two events for each of its jobs. Those, and what else is as
//! frequent, are written digit by digit; what is rare goes through [`wire::to_json`], whose form is the
//! format.

use crate::event::{Event, Origin, Outcome};
use crate::wire;
use hemiola_time::{Microstep, Ordinal, Tag};
use std::io::Write;

/// Appends an event as a line of a trace.
pub fn push(line: &mut Vec<u8>, event: &Event) {
    match event {
        Event::Began { invocation, class, domain, tag, origin, link, cause, at } => {
            let mut object = Fields::new(line, "began");
            object.number("n", invocation.0);
            if let Some(class) = class {
                object.word("class", class.name());
            }
            object.domain(*domain);
            if let Some(tag) = tag {
                object.tag(*tag);
            }
            match origin {
                Some(Origin::Release(release)) => object.number("release", release.0),
                Some(Origin::Queued(number)) => object.number("queued", number.0),
                Some(Origin::Operation(operation)) => object.number("op", operation.0),
                None => {}
            }
            object.number("link", link.0);
            object.number("cause", cause.0);
            object.number("at", at.as_micros());
        }
        Event::Ended { invocation, outcome: Outcome::Returned } => {
            Fields::new(line, "ended").number("n", invocation.0);
        }
        Event::Queued { number, class, link } => {
            let mut object = Fields::new(line, "queued");
            object.number("queued", number.0);
            object.word("class", class.name());
            object.number("link", link.0);
        }
        Event::Released { release, domain, tag, delay, period, by } => {
            let mut object = Fields::new(line, "released");
            object.number("release", release.0);
            object.domain(*domain);
            object.tag(*tag);
            object.number("delay", delay.as_micros());
            if let Some(period) = period {
                object.number("period", period.delay().as_micros());
            }
            object.number("by", by.0);
        }
        Event::Entered { invocation, link, cause } => {
            let mut object = Fields::new(line, "entered");
            object.number("n", invocation.0);
            object.number("link", link.0);
            object.number("cause", cause.0);
        }
        Event::Left { invocation } => Fields::new(line, "left").number("n", invocation.0),
        rare => {
            writeln!(line, "{}", wire::to_json(rare)).expect("memory takes any text");
            return;
        }
    }
    line.extend_from_slice(b"}\n");
}

/// An object whose fields need no escapes. The closing brace is not written.
struct Fields<'a>(&'a mut Vec<u8>);

impl<'a> Fields<'a> {
    fn new(line: &'a mut Vec<u8>, event: &str) -> Self {
        line.extend_from_slice(b"{\"ev\":\"");
        line.extend_from_slice(event.as_bytes());
        line.push(b'"');
        Self(line)
    }

    fn name(&mut self, name: &str) {
        self.0.extend_from_slice(b",\"");
        self.0.extend_from_slice(name.as_bytes());
        self.0.extend_from_slice(b"\":");
    }

    fn word(&mut self, name: &str, word: &str) {
        self.name(name);
        self.0.push(b'"');
        self.0.extend_from_slice(word.as_bytes());
        self.0.push(b'"');
    }

    fn number(&mut self, name: &str, mut number: u64) {
        self.name(name);
        let mut digits = [0; 20];
        let mut first = digits.len();
        loop {
            first -= 1;
            digits[first] = b'0' + (number % 10) as u8;
            number /= 10;
            if number == 0 {
                break;
            }
        }
        self.0.extend_from_slice(&digits[first..]);
    }

    fn domain(&mut self, domain: Option<Ordinal>) {
        if let Some(domain) = domain {
            self.number("domain", domain.0);
        }
    }

    fn tag(&mut self, tag: Tag) {
        self.number("time", tag.time.as_micros());
        if tag.microstep != Microstep::default() {
            self.number("microstep", u64::from(tag.microstep.0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Class, Invocation, Operation};
    use hemiola_time::{Delay, Instant, Period, Unit};

    /// What is written by hand is what the format says.
    #[test]
    fn a_line_is_the_events_json() {
        let numbers = [0, 1, 9, 10, 99, 100, 4_294_967_296, u64::MAX];
        let mut events = Vec::new();
        for (at, &number) in numbers.iter().enumerate() {
            let other = numbers[(at + 3) % numbers.len()];
            let [invocation, link, cause] = [number, other, 7].map(Invocation);
            let (time, microstep) = (Instant::from_micros(number), Microstep(at as _));
            let tag = Tag { time, microstep };
            let class = Class::ALL[at % Class::ALL.len()];
            let origins = [
                None,
                Some(Origin::Release(Ordinal(number))),
                Some(Origin::Queued(Ordinal(other))),
                Some(Origin::Operation(Operation(number))),
            ];
            let domains = [None, Some(Ordinal(other))];
            for origin in origins {
                for domain in domains {
                    events.extend(
                        [(None, None), (Some(class), Some(tag)), (Some(class), None)].map(
                            |(class, tag)| Event::Began {
                                invocation,
                                class,
                                domain,
                                tag,
                                origin,
                                link,
                                cause,
                                at: time,
                            },
                        ),
                    );
                }
            }
            let delay = Delay::from_micros(other);
            let period = Period::at_least_one(delay, Unit::Microsecond);
            events.extend(domains.map(|domain| Event::Released {
                release: Ordinal(number),
                domain,
                tag,
                delay,
                period: domain.map(|_| period),
                by: link,
            }));
            events.extend([
                Event::Ended { invocation, outcome: Outcome::Returned },
                Event::Ended { invocation, outcome: Outcome::Threw("a \"b\"\n".into()) },
                Event::Queued { number: Ordinal(other), class, link },
                Event::Entered { invocation, link, cause },
                Event::Left { invocation },
                Event::Labelled { name: "GET /".into() },
            ]);
        }
        for event in events {
            let mut line = Vec::new();
            push(&mut line, &event);
            assert_eq!(String::from_utf8_lossy(&line), format!("{}\n", wire::to_json(&event)));
        }
    }
}
