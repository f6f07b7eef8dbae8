//! What callbacks are known to cost (rule PRIO-3).
//!
//! What is counted for a callback is its run and its tail, or the atomic action that it began: the clock is
//! read between those. Accounts are kept by [`Books`], which say why an inclusive cost takes constant space
//! even if it never ends.

use crate::priority::{Estimate, Site};
use hemiola_lineage::{Books, Cost, Quantity, Row};
use hemiola_time::{Delay, Instant};
use hemiola_trace::{Class, Invocation, Medium, Origin};
use std::collections::BTreeMap;

/// What is more than one packet or page among others: what streams of files take at a time.
const BURDEN_BYTES: f64 = 65_536.0;

/// What callbacks are grouped by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Main,
    Site(Site),
    /// Those of which nobody knows where they were written.
    Class(Class),
    Others,
}

/// What is known of all sites, and of the callback that runs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Learned {
    sites: BTreeMap<Site, Estimate>,
    /// When the running callback began, and where it was written.
    running: Option<(Option<Site>, Instant)>,
    /// Kept for strategies that rank.
    books: Option<Box<Books<Key>>>,
    /// The running callback, whatever of its tail runs.
    unit: Invocation,
}

impl Learned {
    /// Keeps accounts from now on.
    pub(crate) fn turn_on(&mut self) {
        // A tail belongs to its callback: nothing comes of one that is over, but what is registered.
        self.books.get_or_insert_with(|| Box::new(Books::new(Key::Main, Key::Others, 0)));
    }

    /// The main program begins, or what is called in its place.
    pub(crate) fn begin_main(&mut self, unit: Invocation, now: Instant) {
        if let Some(books) = &mut self.books {
            books.began(unit, Invocation::MAIN, None, &Key::Main);
            self.running = Some((None, now));
            self.unit = unit;
        }
    }

    /// A callback begins, with what belongs to it.
    pub(crate) fn begin(
        &mut self,
        unit: Invocation,
        class: Class,
        origin: Option<Origin>,
        site: Option<Site>,
        now: Instant,
    ) {
        self.running = Some((site, now));
        self.unit = unit;
        if let Some(books) = &mut self.books {
            let key = site.map_or(Key::Class(class), Key::Site);
            let cause = origin.and_then(|origin| {
                books.rename(origin, |_| key);
                books.registrar(origin)
            });
            books.began(unit, cause.unwrap_or(Invocation::MAIN), origin, &key);
        }
    }

    /// It is over.
    pub(crate) fn end(&mut self, now: Instant) {
        let Some((site, began)) = self.running.take() else { return };
        let took = now.since(began);
        if let Some(site) = site {
            self.sites.entry(site).or_default().learn(took);
        }
        if let Some(books) = &mut self.books {
            books.charge(Cost::of(Quantity::Time, took.as_micros().saturating_mul(1_000)));
            books.ended();
            books.tail_is_over();
        }
    }

    /// The running callback registers another.
    pub(crate) fn registered(&mut self, origin: Origin, class: Class, repeats: bool) {
        if let Some(books) = &mut self.books {
            books.registered(origin, self.unit, &Key::Class(class), repeats);
        }
    }

    /// What was registered will not run.
    pub(crate) fn dropped(&mut self, origin: Origin) {
        if let Some(books) = &mut self.books {
            books.dropped(origin);
        }
    }

    /// The running callback moves bytes.
    pub(crate) fn transferred(&mut self, medium: Medium, read: u64, written: u64) {
        if let Some(books) = &mut self.books {
            books.charge(Cost::moved(medium, read, written));
        }
    }

    /// How long a callback of that site may well take: one deviation above the mean.
    pub(crate) fn expected(&self, site: Option<Site>) -> Delay {
        let estimate = site.and_then(|site| self.sites.get(&site)).copied().unwrap_or_default();
        Delay::from_micros(
            estimate.mean().as_micros().saturating_add(estimate.deviation().as_micros()),
        )
    }

    /// Whether a callback of that site may well move so much through a medium, itself or with all that it
    /// causes, that operations which are more urgent would wait for it.
    pub(crate) fn burdens(&self, site: Option<Site>, medium: Medium) -> bool {
        let Some(row) = site.and_then(|site| self.account(site)) else { return false };
        [&row.exclusive, &row.inclusive].into_iter().any(|tally| {
            let (mean, deviation) = tally.moved(medium);
            mean + deviation >= BURDEN_BYTES
        })
    }

    pub(crate) fn estimate(&self, site: Site) -> Option<Estimate> {
        self.sites.get(&site).copied()
    }

    pub(crate) fn running_site(&self) -> Option<Site> {
        self.running.and_then(|(site, _)| site)
    }

    pub(crate) fn account(&self, site: Site) -> Option<&Row> {
        self.books.as_ref()?.row(&Key::Site(site))
    }
}
