//! A trace as people read it: one line for each thing that happened.

use crate::event::{Event, Origin, Outcome};
use crate::fleet::FleetFact;
use hemiola_time::{Label, Ordinal};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

/// Renders events line by line; remembers the labels of the domains it has seen.
#[derive(Clone, Debug, Default)]
pub struct Text {
    labels: BTreeMap<Ordinal, Label>,
    /// Whose events these are, in the trace of a fleet.
    name: Option<Arc<str>>,
}

/// The whole trace as text, one line for each event.
pub fn render<'a>(events: impl IntoIterator<Item = &'a Event>) -> String {
    let mut text = Text::default();
    let mut out = String::new();
    for event in events {
        text.line(event, &mut out);
    }
    out
}

impl Text {
    /// Appends the line of one event.
    ///
    /// The first column is where it happened (a domain and its tag), the second what happened. In the trace of a fleet,
    /// the name of the program comes before.
    pub fn line(&mut self, event: &Event, out: &mut String) {
        let (place, what) = self.columns(event);
        if let Event::Fleet(FleetFact::Turned { name, .. }) = event {
            self.name = Some(Arc::clone(name));
        }
        let is_of_all = matches!(event, Event::Fleet(FleetFact::Fault { .. }));
        match &self.name {
            Some(name) if !is_of_all => drop(write!(out, "{:9} ", name.escape_debug().to_string())),
            Some(_) => drop(write!(out, "{:10}", "")),
            None => {}
        }
        if place.is_empty() {
            let _ = writeln!(out, "{:16}{what}", "");
        } else {
            let _ = writeln!(out, "{place:15} {what}");
        }
    }

    fn columns(&mut self, event: &Event) -> (String, String) {
        let nowhere = String::new();
        match event {
            Event::Opened { domain, label, origin } => {
                self.labels.insert(*domain, label.clone());
                (format!("{label} {origin}"), "opened".into())
            }
            Event::Collected { domain } => (self.domain(Some(*domain)), "collected".into()),
            Event::Released { release, domain, tag, period, by, .. } => {
                let mut what =
                    format!("released r{} for {} {tag}", release.0, self.domain(*domain));
                if let Some(period) = period {
                    let _ = write!(what, " every {} us", period.delay().as_micros());
                }
                let _ = write!(what, " by {by}");
                (nowhere, what)
            }
            Event::Cleared { release } => (nowhere, format!("cleared r{}", release.0)),
            Event::Skipped { domain, count, until } => {
                (self.domain(Some(*domain)), format!("skipped {count} until {until}"))
            }
            Event::Queued { class, link, .. } => {
                (nowhere, format!("queued {} link {link}", class.name()))
            }
            Event::Requested { operation, by, what } => {
                let space = if what.is_empty() { "" } else { " " };
                (nowhere, format!("asked op {} by {by}{space}{}", operation.0, what.escape_debug()))
            }
            Event::Completed { operation, at } => {
                (nowhere, format!("answered op {} at {at}", operation.0))
            }
            Event::Dropped { what } => (nowhere, format!("dropped {}", name(*what))),
            Event::Began { invocation, class, domain, tag, link, cause, .. } => {
                let place = match tag {
                    Some(tag) => format!("{} {tag}", self.domain(*domain)),
                    None => class.map_or("main", |class| class.name()).to_owned(),
                };
                (place, format!("ran {invocation} link {link} cause {cause}"))
            }
            Event::Spent { nanos } => (nowhere, format!("spent {nanos} ns")),
            Event::Transferred { medium, read, written } => {
                (nowhere, format!("{} read {read} wrote {written}", medium.name()))
            }
            Event::Labelled { name } => (nowhere, format!("is {}", name.escape_debug())),
            Event::Ended { outcome: Outcome::Returned, .. } => (nowhere, "ended".into()),
            Event::Ended { outcome: Outcome::Threw(error), .. } => {
                (nowhere, format!("threw {error}"))
            }
            Event::Attached { reaction, promise: None } => {
                (nowhere, format!("attached {reaction}"))
            }
            Event::Attached { reaction, promise: Some(promise) } => {
                (nowhere, format!("attached {reaction} to promise {promise}"))
            }
            Event::Settled { promise } => (nowhere, format!("settled promise {promise}")),
            Event::Reacted { reaction } => (nowhere, format!("reaction {reaction}")),
            Event::Entered { invocation, link, cause } => {
                (nowhere, format!("entered {invocation} link {link} cause {cause}"))
            }
            Event::Left { invocation } => (nowhere, format!("left {invocation}")),
            Event::Observed(value) => (nowhere, format!("obs {value}")),
            Event::Wrote { stream, text } => {
                let text = text.trim_end_matches('\n').escape_debug();
                (nowhere, format!("{} {text}", stream.name()))
            }
            Event::WroteBytes { stream, bytes } => {
                (nowhere, format!("{} bytes {}", stream.name(), bytes.escape_ascii()))
            }
            Event::Lagged { domain, lag } => {
                (self.domain(Some(*domain)), format!("lags {} us", lag.as_micros()))
            }
            Event::Site(place) => (nowhere, format!("at {place}")),
            Event::Accessed { location, access, site } => {
                (nowhere, format!("{} l{} at s{site}", access.name(), location.0))
            }
            Event::Located { location, what } => {
                (nowhere, format!("l{} is {}", location.0, what.escape_debug()))
            }
            Event::Placed { site, place } => (nowhere, format!("s{site} is {place}")),
            Event::Task { what, .. } => (nowhere, format!("task {}", what.describe())),
            Event::Fleet(fact) => (nowhere, fact.describe()),
            Event::Chose { taken, of } => (nowhere, format!("chose {taken} of {of}")),
        }
    }

    fn domain(&self, domain: Option<Ordinal>) -> String {
        match domain {
            None => "-".into(),
            Some(domain) => match self.labels.get(&domain) {
                Some(label) => label.to_string(),
                None => format!("domain {}", domain.0),
            },
        }
    }
}

fn name(origin: Origin) -> String {
    match origin {
        Origin::Release(release) => format!("r{}", release.0),
        Origin::Queued(number) => format!("q{}", number.0),
        Origin::Operation(operation) => format!("op {}", operation.0),
    }
}
