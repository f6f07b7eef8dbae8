//! Pending timed callbacks.
//!
//! Callbacks with the same time, domain and microstep share one **tag**; a heap orders the tags, and
//! a hash map finds the tag of a new release. A tag holds its one-shot callbacks, and a list of the
//! periodic ones for each period. Firing a labelled tag moves each periodic list as a whole to its
//! next tag, so the price of re-arming is one heap operation for all its members.
//!
//! All anonymous domains that were created between two labelled ones share an order (nothing
//! labelled can come between them), so a million unlabelled timers of one delay are one tag too;
//! their callbacks are then taken one at a time, each an atomic action of its own.
//!
//! Clearing scans nothing: a release knows its place and leaves a gap there. A tag that has lost its
//! last callback is *dead*; it stays in the heap until it comes first, or until the dead outnumber
//! the living, and comes back to life when somebody is released for it.

mod firing;
mod lists;
mod members;
mod tags;

use crate::domains::{DomainIndex, Order};
use crate::heap::{TagHeap, TagIndex, TagKey};
use crate::table::TagTable;
pub(crate) use firing::Head;
use firing::Taking;
use hemiola_time::{Instant, Microstep, Ordinal, Period};
use hemiola_trace::Invocation;
use lists::{Kind, List, ListIndex};
use members::Members;
use rustc_hash::FxHashMap;
use std::num::NonZeroU64;
use tags::PendingTag;

/// A release that can be cleared. Never reused.
///
/// There are many, in several places: it is no longer than what it knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(C, packed(4))]
pub struct Handle {
    slot: SlotIndex,
    /// The ordinal, so that the lack of a handle takes no more memory than a handle.
    release: NonZeroU64,
}

impl Handle {
    fn new(slot: SlotIndex, Ordinal(release): Ordinal) -> Self {
        Self { slot, release: NonZeroU64::new(release).expect("the slot is in use") }
    }

    /// The ordinal of the release: a number that no other release of the run has.
    pub fn release(self) -> Ordinal {
        let Self { release, .. } = self;
        Ordinal(release.get())
    }
}

/// A callback of an atomic action: where it is kept and which release it was.
///
/// It is stale when the slot has been given to another release since.
pub(crate) type Member = Handle;

type SlotIndex = u32;

/// One release. The slot is free when `release` is [`FREE`].
#[derive(Clone, Debug)]
struct Slot<C> {
    release: Ordinal,
    /// Out while it runs.
    callback: Option<C>,
    link: Invocation,
    /// Where it stands: a one-shot in a tag, a periodic one in a list, which [`PERIODIC`] says; or
    /// [`TAKEN`] out to run, for the last time or before it is put into a list again.
    place: u32,
    /// At which position there; when it is taken out, the domain it belongs to.
    at: u32,
}

const FREE: Ordinal = Ordinal(0);
const TAKEN: u32 = u32::MAX;
const PERIODIC: u32 = 1 << 31;
const NONE: u32 = u32::MAX;

/// Invariant: `dead` counts the dead tags in the heap, `tag_of` knows all of them, and after
/// [`Timers::head`] the first is not dead.
#[derive(Clone, Debug)]
pub(crate) struct Timers<C> {
    slots: Vec<Slot<C>>,
    free_slots: Vec<SlotIndex>,
    tags: Vec<PendingTag>,
    free_tags: Vec<TagIndex>,
    lists: Vec<List>,
    free_lists: Vec<ListIndex>,
    tag_of: TagTable,
    periodic_of: FxHashMap<(TagIndex, Kind), ListIndex>,
    heap: TagHeap,
    dead: usize,
    /// The tag and the list that were used last: the next release is often for the same.
    last_tag: TagIndex,
    last_list: ListIndex,
    /// The anonymous tag whose members are being taken one by one.
    taking: Option<Taking>,
    taken: Vec<(Member, Option<Period>)>,
    releases: u64,
    /// Tags made so far.
    made: u64,
    pending: usize,
}

impl<C> Default for Timers<C> {
    fn default() -> Self {
        Self {
            slots: Vec::new(),
            free_slots: Vec::new(),
            tags: Vec::new(),
            free_tags: Vec::new(),
            lists: Vec::new(),
            free_lists: Vec::new(),
            tag_of: TagTable::default(),
            periodic_of: FxHashMap::default(),
            heap: TagHeap::default(),
            dead: 0,
            last_tag: 0,
            last_list: 0,
            taking: None,
            taken: Vec::new(),
            releases: 0,
            made: 0,
            pending: 0,
        }
    }
}

impl<C> Timers<C> {
    /// Releases that are outstanding, periodic ones included.
    pub(crate) fn pending(&self) -> usize {
        self.pending
    }

    /// Distinct tags that are pending: what the cost of a firing depends on.
    pub(crate) fn distinct_tags(&self) -> usize {
        self.heap.len() - self.dead
    }

    /// The ordinal of the latest tag.
    pub(crate) fn latest(&self) -> Ordinal {
        Ordinal(self.made)
    }

    /// Every pending tag's key and its live callbacks in release order, unsorted by key.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (TagKey, &C)> + '_ {
        let in_heap = self.heap.iter().flat_map(move |tag| {
            let PendingTag { key, once, .. } = &self.tags[tag as usize];
            let lists = self.lists_of(tag).map(|list| &self.lists[list as usize].members);
            std::iter::once(once)
                .chain(lists)
                .flat_map(Members::iter)
                .map(|slot| (*key, &self.slots[slot as usize]))
        });
        let half_taken = self.taking.iter().flat_map(move |taking| {
            let rest = self.taken[taking.next..].iter().map(|&(member, _)| member);
            let rest = rest.filter(|&member| self.is_pending(member));
            rest.map(|member| (taking.head.key, &self.slots[member.slot as usize]))
        });
        let all = half_taken.chain(in_heap);
        all.filter_map(|(key, slot)| slot.callback.as_ref().map(|callback| (key, callback)))
    }

    pub(crate) fn insert(
        &mut self,
        key: TagKey,
        domain: DomainIndex,
        period: Option<Period>,
        callback: C,
        link: Invocation,
    ) -> Handle {
        if self.pending == 0 {
            // Nothing is kept any more: slots are given out in the order of their addresses again.
            self.slots.clear();
            self.free_slots.clear();
        }
        self.releases += 1;
        self.pending += 1;
        let release = Ordinal(self.releases);
        let tag = self.tag(key, domain);
        let slot = self.free_slots.pop().unwrap_or(self.slots.len() as SlotIndex);
        let (place, at) = self.add(tag, period.map(Kind::Every), slot);
        let new = Slot { release, callback: Some(callback), link, place, at };
        match self.slots.get_mut(slot as usize) {
            Some(free) => *free = new,
            None => self.slots.push(new),
        }
        Handle::new(slot, release)
    }

    /// Forgets a release; says on which domain it was, or nothing when it was gone already.
    pub(crate) fn clear(&mut self, handle: Handle) -> Option<DomainIndex> {
        if !self.is_pending(handle) {
            return None;
        }
        let Slot { place, at, .. } = self.slots[handle.slot as usize];
        self.free(handle.slot);
        if place == TAKEN {
            return Some(at);
        }
        let tag = if place & PERIODIC == 0 {
            place
        } else {
            let List { tag, live, members, .. } = &mut self.lists[(place & !PERIODIC) as usize];
            *live -= 1;
            members.remove(at, *live, &mut self.slots);
            *tag
        };
        let PendingTag { live, domain, once, .. } = &mut self.tags[tag as usize];
        let domain = *domain;
        *live -= 1;
        if place & PERIODIC == 0 {
            once.remove(at, *live, &mut self.slots);
        }
        if *live == 0 {
            self.bury(tag);
        }
        Some(domain)
    }

    pub(crate) fn is_pending(&self, handle: Handle) -> bool {
        self.slots.get(handle.slot as usize).is_some_and(|slot| slot.release == handle.release())
    }

    /// The callback of a release that is pending.
    pub(crate) fn callback(&self, handle: Handle) -> Option<&C> {
        let slot = self.slots.get(handle.slot as usize)?;
        if slot.release == handle.release() { slot.callback.as_ref() } else { None }
    }

    fn free(&mut self, slot: SlotIndex) {
        let freed = &mut self.slots[slot as usize];
        freed.release = FREE;
        freed.callback = None;
        self.free_slots.push(slot);
        self.pending -= 1;
    }
}

/// The key of a release on a domain of that order.
pub(crate) fn tag_key(time: Instant, order: Order, microstep: Microstep) -> TagKey {
    TagKey { time, order: order.0, microstep }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chooser::{Chooser, Seeded};
    use hemiola_time::{Delay, Unit};

    #[test]
    fn churn_leaves_nothing_behind() {
        // Few keys: lists that live for ever and are full of gaps. Many: tags that come and go.
        churn(1);
        churn(100);
    }

    #[test]
    fn dead_tags_are_swept() {
        let mut timers = Timers::default();
        let release = |timers: &mut Timers<()>, time| {
            let key = tag_key(Instant::from_millis(time), Order(2), Microstep(0));
            timers.insert(key, 0, None, (), Invocation::MAIN)
        };
        // One that stays and comes first, so that the dead never do.
        release(&mut timers, 0);
        for time in 1..100_000 {
            let handle = release(&mut timers, time);
            timers.clear(handle);
        }
        assert_eq!(timers.distinct_tags(), 1);
        assert!(timers.tags.len() < 200, "{} tags for one that lives", timers.tags.len());
    }

    fn churn(keys: usize) {
        const PENDING: usize = 1_000;
        let mut random = Seeded::new(7);
        let mut timers = Timers::default();
        let mut release = |timers: &mut Timers<()>| {
            let time = Instant::from_millis(random.choose(keys) as u64);
            let order = Order(2 * random.choose(10) as u64 + 2);
            let period = Delay::from_millis(random.choose(4) as u64);
            let period = Some(Period::at_least_one(period, Unit::Millisecond));
            let period = period.filter(|_| random.choose(2) == 0);
            let key = tag_key(time, order, Microstep(0));
            let handle = timers.insert(key, 0, period, (), Invocation::MAIN);
            (handle, random.choose(PENDING))
        };
        let mut handles: Vec<_> = (0..PENDING).map(|_| release(&mut timers).0).collect();
        for _ in 0..200_000 {
            let (handle, victim) = release(&mut timers);
            let victim = std::mem::replace(&mut handles[victim], handle);
            assert_eq!(timers.clear(victim), Some(0));
        }
        assert_eq!(timers.pending(), PENDING);
        assert_eq!(timers.iter().count(), PENDING);
        assert_eq!(timers.slots.len(), PENDING + 1);
        assert!(timers.tags.len() <= 10 * keys, "a tag for each key is enough");
        assert!(timers.lists.len() <= 40 * keys, "a list for each key and period is enough");
        let lists = timers.lists.iter().map(|list| &list.members);
        let all = lists.chain(timers.tags.iter().map(|tag| &tag.once));
        let places: usize = all.map(|members| members.rest.len()).sum();
        assert!(places <= 2 * PENDING + 16 * 50 * keys, "gaps are closed: {places} places");

        for handle in handles {
            timers.clear(handle);
        }
        assert_eq!((timers.pending(), timers.distinct_tags()), (0, 0));
        assert_eq!(timers.head(), None);
        assert_eq!(timers.free_slots.len(), timers.slots.len());
        assert_eq!(timers.free_lists.len(), timers.lists.len());
        assert_eq!(timers.free_tags.len() + timers.heap.len(), timers.tags.len());
    }
}
