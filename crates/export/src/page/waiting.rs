//! Which registration an invocation came from.
//!
//! A trace says that a callback began, with its link and its tag, and not which of the releases,
//! queued callbacks and operations it is. The rules leave no doubt: callbacks of one class and one
//! link run in the order in which they became able to, and timed ones of one tag in the order of their
//! release (rule TIME-4).

use super::actions::Release;
use hemiola_time::{Ordinal, Tag};
use hemiola_trace::{Class, Invocation};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A place in the lists of releases, operations or sites of a run.
type Index = usize;

/// Timed callbacks of one domain and one link that are due at one tag.
type Due = (Option<Ordinal>, Invocation, Tag);

/// What is registered and has not run.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    releases: BTreeMap<Ordinal, Index>,
    due: BTreeMap<Due, BTreeSet<Ordinal>>,
    /// When each is due next.
    next: BTreeMap<Ordinal, Due>,
    /// Periodic ones of one domain and one link: they are found when their tag was moved, too.
    periodic: BTreeMap<(Option<Ordinal>, Invocation), BTreeSet<Ordinal>>,
    queued: BTreeMap<(Class, Invocation), VecDeque<Queued>>,
    answered: BTreeMap<Invocation, VecDeque<Index>>,
}

/// A callback that is able to run.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Queued {
    pub(super) site: Option<Index>,
    /// How many events came before.
    pub(super) since: usize,
}

impl Waiting {
    pub(super) fn release(&mut self, ordinal: Ordinal, index: Index, release: &Release) {
        let by = Invocation(release.by_number);
        self.releases.insert(ordinal, index);
        self.arm(ordinal, (release.domain_ordinal, by, release.tag));
        if release.period.is_some() {
            self.periodic.entry((release.domain_ordinal, by)).or_default().insert(ordinal);
        }
    }

    fn arm(&mut self, ordinal: Ordinal, due: Due) {
        self.due.entry(due).or_default().insert(ordinal);
        self.next.insert(ordinal, due);
    }

    fn disarm(&mut self, ordinal: Ordinal) -> Option<Due> {
        let due = self.next.remove(&ordinal)?;
        if let Some(others) = self.due.get_mut(&due) {
            others.remove(&ordinal);
            if others.is_empty() {
                self.due.remove(&due);
            }
        }
        Some(due)
    }

    /// The release is gone; says which it was.
    pub(super) fn clear(&mut self, ordinal: Ordinal) -> Option<Index> {
        if let Some((domain, by, _)) = self.disarm(ordinal)
            && let Some(periodic) = self.periodic.get_mut(&(domain, by))
        {
            periodic.remove(&ordinal);
        }
        self.releases.remove(&ordinal)
    }

    /// The release that a timed callback came from.
    pub(super) fn fire(
        &mut self,
        domain: Option<Ordinal>,
        link: Invocation,
        tag: Tag,
        all: &[Release],
    ) -> Option<Index> {
        let exact = self.due.get(&(domain, link, tag)).and_then(BTreeSet::first).copied();
        // An anonymous interval counts from when it ran, and a policy may drop invocations.
        let moved = || {
            let periodic = self.periodic.get(&(domain, link))?;
            let is_due = |ordinal: &&Ordinal| {
                self.next.get(ordinal).is_some_and(|(_, _, next)| *next <= tag)
            };
            periodic.iter().find(is_due).copied()
        };
        let ordinal = exact.or_else(moved)?;
        let index = *self.releases.get(&ordinal)?;
        self.disarm(ordinal);
        match all[index].period {
            Some(period) => {
                let next = Tag { time: tag.time + period.delay(), ..Tag::default() };
                self.arm(ordinal, (domain, link, next));
            }
            None => drop(self.releases.remove(&ordinal)),
        }
        Some(index)
    }

    pub(super) fn queue(&mut self, class: Class, link: Invocation, queued: Queued) {
        self.queued.entry((class, link)).or_default().push_back(queued);
    }

    /// Says where the callback that was queued last was.
    pub(super) fn sited(&mut self, class: Class, link: Invocation, site: Index) {
        if let Some(last) = self.queued.get_mut(&(class, link)).and_then(VecDeque::back_mut) {
            last.site = Some(site);
        }
    }

    pub(super) fn unqueue(&mut self, class: Class, link: Invocation) -> Option<Queued> {
        pop(&mut self.queued, (class, link))
    }

    pub(super) fn answer(&mut self, by: Invocation, operation: Index) {
        self.answered.entry(by).or_default().push_back(operation);
    }

    pub(super) fn unanswer(&mut self, by: Invocation) -> Option<Index> {
        pop(&mut self.answered, by)
    }
}

fn pop<K: Ord, V>(queues: &mut BTreeMap<K, VecDeque<V>>, key: K) -> Option<V> {
    let queue = queues.get_mut(&key)?;
    let first = queue.pop_front();
    if queue.is_empty() {
        queues.remove(&key);
    }
    first
}
