//! The accounts of a run, from its events.

use crate::books::{Books, Closed, Row};
use crate::cost::{Cost, Quantity};
use crate::served::route;
use crate::site::Site;
use hemiola_trace::{Class, Event, Invocation, Origin, Place, Sink};
use std::cmp::Reverse;

/// How many invocations that have ended are remembered although nothing is known to wait for them. Promise
/// jobs are not announced, and under strategies with batches they may come after other callbacks.
const LINGERING: usize = 1_024;

/// Takes the events of a run, and keeps what its invocations cost: by site, and by request.
#[derive(Clone, Debug)]
pub struct Accounts {
    books: Books<Site>,
    /// What was registered last: a place that follows is its place.
    last: Option<Origin>,
    /// A promise job that has begun and whose place may follow.
    begun: Option<(Invocation, Invocation)>,
    /// Whether it was told what invocations cost.
    told: bool,
}

/// What a run cost.
#[derive(Clone, Debug)]
pub struct Report {
    /// Everything.
    pub total: Cost,
    /// By site, the most expensive first.
    pub sites: Vec<(Site, Row)>,
    /// By name of requests, the most expensive first: what the labelled invocations took themselves, and
    /// what the requests took.
    pub requests: Vec<(String, Row)>,
    /// Whether the events told of time and bytes.
    pub told: bool,
}

impl Default for Accounts {
    fn default() -> Self {
        Self {
            books: Books::new(Site::Main, Site::Others, LINGERING),
            last: None,
            begun: None,
            told: false,
        }
    }
}

impl Accounts {
    /// Ends whatever is still open, and says what all of it cost.
    pub fn finish(mut self) -> Report {
        self.begin_job(None);
        let Closed { keys: mut sites, mut requests } = self.books.finish();
        let mut total = Cost::default();
        for (_, row) in &sites {
            total += row.exclusive.total();
        }
        sort(&mut sites);
        sort(&mut requests);
        Report { total, sites, requests, told: self.told }
    }

    /// How much space is taken beside that for each site and each name.
    pub fn open_ends(&self) -> usize {
        self.books.open_ends()
    }

    fn registered(&mut self, origin: Origin, by: Invocation, site: &Site, repeats: bool) {
        self.books.registered(origin, by, site, repeats);
        self.last = Some(origin);
    }

    /// A promise job begins once it is known whether its place is told.
    fn begin_job(&mut self, place: Option<Place>) {
        let Some((invocation, cause)) = self.begun.take() else { return };
        let site = match place {
            Some(place) => Site::Place(Class::Promise, place),
            None => Site::Class(Class::Promise, String::new()),
        };
        self.books.began(invocation, cause, None, &site);
    }

    fn charge(&mut self, cost: Cost) {
        self.told = true;
        self.books.charge(cost);
    }
}

/// The most expensive first: by time, then by bytes, then by number.
fn sort<K: Ord + Clone>(rows: &mut [(K, Row)]) {
    rows.sort_by_cached_key(|(key, row)| {
        let total = row.inclusive.total();
        let bytes: u64 = Quantity::ALL[2..].iter().map(|&quantity| total.get(quantity)).sum();
        let amounts = (total.get(Quantity::Time), bytes, total.get(Quantity::Invocations));
        (Reverse(amounts), Reverse(row.exclusive.total().get(Quantity::Time)), key.clone())
    });
}

impl Sink for Accounts {
    const LISTENS: bool = true;

    fn event(&mut self, event: Event) {
        if let Event::Site(place) = event {
            if self.begun.is_some() {
                self.begin_job(Some(place));
            } else if let Some(origin) = self.last.take() {
                self.books.rename(origin, |site| site.at(place));
            }
            return;
        }
        self.begin_job(None);
        self.last = None;
        match event {
            Event::Released { release, by, period, .. } => {
                let site = Site::Class(Class::Timer, String::new());
                self.registered(Origin::Release(release), by, &site, period.is_some());
            }
            Event::Cleared { release } => self.books.dropped(Origin::Release(release)),
            Event::Queued { number, class, link } => {
                let by = self.books.running().unwrap_or(link);
                let site = Site::Class(class, String::new());
                self.registered(Origin::Queued(number), by, &site, false);
            }
            Event::Requested { operation, by, what } => {
                // Its kind, without what it is about.
                let kind = what.split(' ').next().unwrap_or_default();
                let site = Site::Class(Class::Io, kind.to_owned());
                self.registered(Origin::Operation(operation), by, &site, false);
            }
            Event::Dropped { what } => self.books.dropped(what),
            Event::Began { invocation, class, origin, link, cause, .. } => {
                if !matches!(class, Some(Class::Tick | Class::Promise)) {
                    self.books.tail_is_over();
                }
                match class {
                    Some(Class::Promise) if origin.is_none() => {
                        self.begun = Some((invocation, cause));
                    }
                    None if invocation == link => {
                        self.books.began(invocation, cause, None, &Site::Main);
                    }
                    None => self.books.began(invocation, cause, None, &Site::End),
                    Some(class) => {
                        let site = Site::Class(class, String::new());
                        self.books.began(invocation, cause, origin, &site);
                    }
                }
            }
            Event::Entered { invocation, cause, .. } => {
                self.books.began(invocation, cause, None, &Site::Entered);
            }
            Event::Ended { .. } | Event::Left { .. } => {
                self.books.ended();
            }
            Event::Spent { nanos } => self.charge(Cost::of(Quantity::Time, nanos)),
            Event::Transferred { medium, read, written } => {
                self.charge(Cost::moved(medium, read, written));
            }
            Event::Labelled { name } => self.books.labelled(&route(&name)),
            _ => {}
        }
    }
}
