//! Events as the objects that a trace is written in.
//!
//! The names of the fields, and their order, are the format. They are spelled out here, away from the
//! types of the program, so that renaming a field in Rust cannot change what a recording means.

use crate::event::{Event, Origin, Outcome, Place};
use crate::object::{Object, put};
use crate::{fleet, tasks};
use hemiola_time::{Microstep, Ordinal, Tag};
use serde::Serialize;
use serde_json::{Map, Value};

/// The line of an event, as far as it is written.
///
/// A program that lives on promises has two events for each of its jobs. Names and words are the
/// format's and need no escapes; to look for some, as a serializer does, would take half of the time
/// that a line takes.
struct Line<'a>(&'a mut Vec<u8>);

impl Line<'_> {
    #[inline]
    fn name(&mut self, name: &'static str) {
        self.0.extend_from_slice(b",\"");
        self.0.extend_from_slice(name.as_bytes());
        self.0.extend_from_slice(b"\":");
    }
}

impl Object for Line<'_> {
    #[inline]
    fn begin(&mut self, event: &'static str) {
        self.0.extend_from_slice(b"{\"ev\":\"");
        self.0.extend_from_slice(event.as_bytes());
        self.0.push(b'"');
    }

    #[inline]
    fn word(&mut self, name: &'static str, word: &'static str) {
        self.name(name);
        self.0.push(b'"');
        self.0.extend_from_slice(word.as_bytes());
        self.0.push(b'"');
    }

    #[inline]
    fn put<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) {
        self.name(name);
        serde_json::to_writer(&mut *self.0, value).expect("memory takes any text");
    }
}

impl Object for Map<String, Value> {
    fn begin(&mut self, event: &'static str) {
        self.word("ev", event);
    }

    fn word(&mut self, name: &'static str, word: &'static str) {
        self.insert(name.to_owned(), word.into());
    }

    fn put<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) {
        let value =
            serde_json::to_value(value).expect("every value of an event has a written form");
        self.insert(name.to_owned(), value);
    }
}

/// Appends an event as a line of a trace.
pub(crate) fn push(line: &mut Vec<u8>, event: &Event) {
    fields(&mut Line(line), event);
    line.extend_from_slice(b"}\n");
}

/// One event as an object.
pub(crate) fn object(event: &Event) -> Map<String, Value> {
    let mut object = Map::new();
    fields(&mut object, event);
    object
}

fn fields(object: &mut impl Object, event: &Event) {
    match event {
        Event::Opened { domain, label, origin } => put!(object,
            event "opened", "domain": domain.0, "label": label.as_str(), "origin": origin.as_micros(),
        ),
        Event::Collected { domain } => put!(object, event "collected", "domain": domain.0),
        Event::Released { release, domain, tag, delay, period, by } => {
            put!(object, event "released", "release": release.0);
            put_domain(object, *domain);
            put_tag(object, *tag);
            put!(object, "delay": delay.as_micros());
            if let Some(period) = period {
                put!(object, "period": period.delay().as_micros());
            }
            put!(object, "by": by.0);
        }
        Event::Cleared { release } => put!(object, event "cleared", "release": release.0),
        Event::Skipped { domain, count, until } => put!(object,
            event "skipped", "domain": domain.0, "count": count, "until": until.as_micros(),
        ),
        Event::Queued { number, class, link } => {
            put!(object, event "queued", "queued": number.0);
            object.word("class", class.name());
            put!(object, "link": link.0);
        }
        Event::Requested { operation, by, what } => {
            put!(object, event "requested", "op": operation.0, "by": by.0);
            if !what.is_empty() {
                put!(object, "what": what);
            }
        }
        Event::Completed { operation, at } => {
            put!(object, event "completed", "op": operation.0, "at": at.as_micros());
        }
        Event::Dropped { what } => {
            put!(object, event "dropped");
            put_origin(object, *what);
        }
        Event::Spent { nanos } => put!(object, event "spent", "nanos": nanos),
        Event::Transferred { medium, read, written } => put!(object,
            event "transferred", "medium": medium.name(), "read": read, "written": written,
        ),
        Event::Labelled { name } => put!(object, event "labelled", "name": name),
        Event::Began { invocation, class, domain, tag, origin, link, cause, at } => {
            put!(object, event "began", "n": invocation.0);
            if let Some(class) = class {
                object.word("class", class.name());
            }
            put_domain(object, *domain);
            if let Some(tag) = tag {
                put_tag(object, *tag);
            }
            if let Some(origin) = origin {
                put_origin(object, *origin);
            }
            put!(object, "link": link.0, "cause": cause.0, "at": at.as_micros());
        }
        Event::Ended { invocation, outcome } => {
            put!(object, event "ended", "n": invocation.0);
            match outcome {
                Outcome::Returned => {}
                Outcome::Threw(error) => put!(object, "threw": error),
            }
        }
        Event::Attached { reaction, promise } => {
            put!(object, event "attached", "reaction": reaction);
            if let Some(promise) = promise {
                put!(object, "promise": promise);
            }
        }
        Event::Settled { promise } => put!(object, event "settled", "promise": promise),
        Event::Reacted { reaction } => put!(object, event "reacted", "reaction": reaction),
        Event::Entered { invocation, link, cause } => {
            put!(object, event "entered", "n": invocation.0, "link": link.0, "cause": cause.0);
        }
        Event::Left { invocation } => put!(object, event "left", "n": invocation.0),
        Event::Observed(value) => put!(object, event "observed", "value": value),
        Event::Wrote { stream, text } => {
            put!(object, event "wrote", "stream": stream.name(), "text": text);
        }
        Event::WroteBytes { stream, bytes } => {
            let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            put!(object, event "wrote", "stream": stream.name(), "hex": hex);
        }
        Event::Lagged { domain, lag } => {
            put!(object, event "lagged", "domain": domain.0, "lag": lag.as_micros());
        }
        Event::Site(place) => {
            put!(object, event "site");
            put_place(object, place);
        }
        Event::Accessed { location, access, site } => put!(object,
            event "accessed", "location": location.0, "access": access.name(), "site": site,
        ),
        Event::Located { location, what } => {
            put!(object, event "located", "location": location.0, "what": what);
        }
        Event::Placed { site, place } => {
            put!(object, event "placed", "site": site);
            put_place(object, place);
        }
        Event::Task { at, what } => {
            put!(object, event "task");
            tasks::write(object, *at, what);
        }
        Event::Fleet(fact) => fleet::write(object, fact),
        Event::Chose { taken, of } => put!(object, event "chose", "taken": taken, "of": of),
    }
}

fn put_origin(object: &mut impl Object, origin: Origin) {
    match origin {
        Origin::Release(release) => put!(object, "release": release.0),
        Origin::Queued(number) => put!(object, "queued": number.0),
        Origin::Operation(operation) => put!(object, "op": operation.0),
    }
}

fn put_place(object: &mut impl Object, place: &Place) {
    put!(object, "file": *place.file, "line": place.line, "column": place.column);
}

fn put_domain(object: &mut impl Object, domain: Option<Ordinal>) {
    if let Some(domain) = domain {
        put!(object, "domain": domain.0);
    }
}

fn put_tag(object: &mut impl Object, tag: Tag) {
    put!(object, "time": tag.time.as_micros());
    if tag.microstep != Microstep::default() {
        put!(object, "microstep": tag.microstep.0);
    }
}
