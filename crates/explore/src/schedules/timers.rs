//! The pending timers of a run, as its events tell them.

use super::digest::Digest;
use super::identity::{Id, Identities};
use hemiola_machine::{Instant, Period, Tag};
use hemiola_time::{Ordinal, Unit};
use std::collections::BTreeMap;

/// When a release comes, among others (rule TIME-1): time, order of its domain, microstep, release.
type Key = (Instant, u64, u32, u64);

#[derive(Clone, Copy, Debug)]
struct Timer {
    id: Id,
    domain: Option<u64>,
    period: Option<Period>,
}

/// Releases that have not run for the last time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Timers {
    pending: BTreeMap<Key, Timer>,
    keys: BTreeMap<u64, Key>,
    /// The order of a domain without a label that is made now.
    anonymous: u64,
    /// Whether intervals without a label count from when they ran.
    drifting: bool,
}

impl Timers {
    pub(crate) fn new(drifting: bool) -> Self {
        Self { drifting, ..Self::default() }
    }

    pub(crate) fn is_made_like(&self, other: &Self) -> bool {
        self.drifting == other.drifting
    }

    pub(crate) fn opened(&mut self, domain: Ordinal) {
        self.anonymous = domain.0 + 1;
    }

    pub(crate) fn insert(
        &mut self,
        release: Ordinal,
        id: Id,
        domain: Option<Ordinal>,
        tag: Tag,
        period: Option<Period>,
    ) {
        let domain = domain.map(|domain| domain.0);
        let order = domain.unwrap_or(self.anonymous);
        let key = (tag.time, order, tag.microstep.0, release.0);
        self.put(key, Timer { id, domain, period });
    }

    fn put(&mut self, key: Key, timer: Timer) {
        self.keys.insert(key.3, key);
        self.pending.insert(key, timer);
    }

    pub(crate) fn clear(&mut self, release: Ordinal) {
        if let Some(key) = self.keys.remove(&release.0) {
            self.pending.remove(&key);
        }
    }

    /// Takes a release that runs now; a periodic one comes again.
    pub(crate) fn fire(&mut self, release: Ordinal, now: Instant) -> Option<Id> {
        let key = self.keys.remove(&release.0)?;
        let timer = self.pending.remove(&key)?;
        if let Some(period) = timer.period {
            let next = match (timer.domain, self.drifting) {
                (Some(_), _) => key.0 + period.delay(),
                (None, true) => now.floor(Unit::default()) + period.delay(),
                (None, false) => period.again(key.0, now),
            };
            self.put((next, key.1, 0, key.3), timer);
        }
        Some(timer.id)
    }

    /// Lets the periodic releases of a domain go on at an instant: what was before was dropped.
    pub(crate) fn skip(&mut self, domain: Ordinal, until: Instant) {
        let late: Vec<Key> = self
            .pending
            .iter()
            .filter_map(|(&key, timer)| {
                (timer.domain == Some(domain.0) && timer.period.is_some() && key.0 < until)
                    .then_some(key)
            })
            .collect();
        for key in late {
            if let Some(timer) = self.pending.remove(&key) {
                self.put((until, key.1, 0, key.3), timer);
            }
        }
    }

    /// Who waits.
    pub(crate) fn ids(&self) -> impl Iterator<Item = Id> + '_ {
        self.pending.values().map(|timer| timer.id)
    }

    /// Who waits, in order, and how far off it is.
    pub(crate) fn digest(&self, now: Instant, ids: &Identities, digest: Digest) -> Digest {
        let digest = digest.and(self.pending.len() as u128);
        self.pending.iter().fold(digest, |digest, (key, timer)| {
            let (ahead, late) = (key.0.since(now).as_micros(), now.since(key.0).as_micros());
            let labelled = u128::from(timer.domain.is_some());
            let when = u128::from(ahead) | u128::from(late) << 64;
            digest.and(when).and(labelled << 32 | u128::from(key.2)).then(ids.digest(timer.id))
        })
    }
}
