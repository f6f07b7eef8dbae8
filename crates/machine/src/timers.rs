//! Pending timed callbacks.
//!
//! Callbacks with the same time, domain and microstep share one **tag**; a heap orders the tags, and
//! a hash map finds the tag of a new release. Within a tag the callbacks stand in lists: one of the
//! one-shot callbacks, and one for each period. Firing a labelled tag moves each periodic list as a
//! whole to its next tag, so the price of re-arming is one heap operation for all its members.
//!
//! All anonymous domains that were created between two labelled ones share an order (nothing
//! labelled can come between them), so a million unlabelled timers of one delay are one tag too;
//! their callbacks are then taken one at a time, each an atomic action of its own.

use crate::domains::{DomainIndex, Order};
use crate::heap::{TagHeap, TagIndex, TagKey};
use hemiola_time::{Instant, Microstep, Ordinal, Period};
use hemiola_trace::Invocation;
use rustc_hash::FxHashMap;

/// A release that can be cleared. Never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Handle {
    slot: u32,
    release: Ordinal,
}

impl Handle {
    /// The ordinal of the release: a number that no other release of the run has.
    pub fn release(self) -> Ordinal {
        self.release
    }
}

/// A callback of an atomic action: where it is kept and which release it was.
///
/// It is stale when the slot has been given to another release since.
pub(crate) type Member = Handle;

/// One release. The slot is free when `release` is [`FREE`].
#[derive(Clone, Debug)]
struct Slot<C> {
    release: Ordinal,
    /// Out while it runs.
    callback: Option<C>,
    /// The list that counts it, or [`NONE`] once it has been taken out to run for the last time.
    list: u32,
    domain: DomainIndex,
    period: Option<Period>,
    link: Invocation,
}

const FREE: Ordinal = Ordinal(0);
const NONE: u32 = u32::MAX;

/// Why a list exists at its tag; one list for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Once,
    /// All of a labelled domain's callbacks with this period and next instant; of an anonymous one,
    /// only those released for this tag.
    Every(Period),
    /// An anonymous domain's callbacks that already ran at the instant one period earlier. They come
    /// one at a time, between newer releases; each list on its own stays in release order.
    Again(Period),
}

/// Members in release order. Cleared ones stay as stale entries until they outnumber the live.
#[derive(Clone, Debug)]
struct List {
    kind: Kind,
    tag: TagIndex,
    live: u32,
    members: Vec<Member>,
}

#[derive(Clone, Debug)]
struct PendingTag {
    key: TagKey,
    domain: DomainIndex,
    /// How many tags there had been: what was pending before a turn is told from what it added.
    born: Ordinal,
    live: u32,
    /// The list of one-shot callbacks, or [`NONE`].
    once: u32,
    periodic: Vec<u32>,
}

/// What is due next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) key: TagKey,
    pub(crate) domain: DomainIndex,
    pub(crate) born: Ordinal,
}

#[derive(Clone, Debug)]
pub(crate) struct Timers<C> {
    slots: Vec<Slot<C>>,
    free_slots: Vec<u32>,
    tags: Vec<PendingTag>,
    free_tags: Vec<TagIndex>,
    lists: Vec<List>,
    free_lists: Vec<u32>,
    tag_of: FxHashMap<TagKey, TagIndex>,
    periodic_of: FxHashMap<(TagIndex, Kind), u32>,
    heap: TagHeap,
    /// An empty vector that keeps its memory: the lists of the tag that is being fired.
    scratch: Vec<u32>,
    /// The anonymous tag whose members are being taken one by one.
    taking: Option<Taking>,
    taken: Vec<Member>,
    releases: u64,
    /// Tags made so far.
    made: u64,
    pending: usize,
}

#[derive(Clone, Copy, Debug)]
struct Taking {
    head: Head,
    next: usize,
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
            tag_of: FxHashMap::default(),
            periodic_of: FxHashMap::default(),
            heap: TagHeap::default(),
            scratch: Vec::new(),
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
        self.heap.len()
    }

    /// The ordinal of the latest tag.
    pub(crate) fn latest(&self) -> Ordinal {
        Ordinal(self.made)
    }

    /// Every pending tag's key and its live callbacks in release order, unsorted by key.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (TagKey, &C)> + '_ {
        let in_heap = self.heap.iter().flat_map(move |(key, tag)| {
            self.lists_of(tag).flat_map(move |list| {
                self.lists[list as usize].members.iter().map(move |&member| (key, member))
            })
        });
        let half_taken = self.taking.iter().flat_map(move |taking| {
            self.taken[taking.next..].iter().map(move |&member| (taking.head.key, member))
        });
        half_taken.chain(in_heap).filter_map(|(key, member)| {
            let slot = &self.slots[member.slot as usize];
            let callback = slot.callback.as_ref().filter(|_| slot.release == member.release);
            callback.map(|callback| (key, callback))
        })
    }

    pub(crate) fn insert(
        &mut self,
        key: TagKey,
        domain: DomainIndex,
        period: Option<Period>,
        callback: C,
        link: Invocation,
    ) -> Handle {
        self.releases += 1;
        let release = Ordinal(self.releases);
        let slot = Slot { release, callback: Some(callback), list: NONE, domain, period, link };
        let slot = match self.free_slots.pop() {
            Some(free) => {
                self.slots[free as usize] = slot;
                free
            }
            None => {
                self.slots.push(slot);
                (self.slots.len() - 1) as u32
            }
        };
        let member = Member { slot, release };
        let tag = self.tag(key, domain);
        self.add(tag, period.map_or(Kind::Once, Kind::Every), member);
        self.pending += 1;
        member
    }

    /// Forgets a release; says on which domain it was, or nothing when it was gone already.
    pub(crate) fn clear(&mut self, handle: Handle) -> Option<DomainIndex> {
        let slot = self.slots.get_mut(handle.slot as usize)?;
        if slot.release != handle.release {
            return None;
        }
        let (list, domain) = (slot.list, slot.domain);
        self.free(handle);
        if list != NONE {
            self.forget_one(list);
        }
        Some(domain)
    }

    pub(crate) fn is_pending(&self, handle: Handle) -> bool {
        self.slots.get(handle.slot as usize).is_some_and(|slot| slot.release == handle.release)
    }

    /// The smallest key of all.
    pub(crate) fn head(&mut self) -> Option<Head> {
        let first = self.heap.first().map(|(key, tag)| {
            let tag = &self.tags[tag as usize];
            Head { key, domain: tag.domain, born: tag.born }
        });
        let Some(mut taking) = self.taking else { return first };
        while let Some(&member) = self.taken.get(taking.next) {
            if self.is_pending(member) {
                self.taking = Some(taking);
                // What was taken out of the heap was smallest then; only a smaller key overtakes it.
                return match first {
                    Some(first) if first.key < taking.head.key => Some(first),
                    _ => Some(taking.head),
                };
            }
            taking.next += 1;
        }
        self.taking = None;
        first
    }

    /// Takes the callbacks of the head, which is on a labelled domain, in release order, and moves
    /// the periodic ones on to their next instant (rules TIME-3 and TIME-4).
    pub(crate) fn take_action(&mut self, out: &mut Vec<Member>) {
        let (key, tag) = self.heap.first().expect("a head that is due is pending");
        self.gather(tag, out);
        let domain = self.tags[tag as usize].domain;
        let mut periodic = self.unlink(tag);
        for list in periodic.drain(..) {
            if let Kind::Every(period) = self.lists[list as usize].kind {
                self.move_list(list, key, period, domain);
            }
        }
        self.scratch = periodic;
    }

    /// Takes the next callback of the head, which is anonymous. A periodic one is released again.
    pub(crate) fn take_one(&mut self) -> Member {
        let mut taking = match self.taking.take() {
            Some(taking) => taking,
            None => {
                let (key, tag) = self.heap.first().expect("a head that is due is pending");
                let PendingTag { domain, born, .. } = self.tags[tag as usize];
                let mut taken = std::mem::take(&mut self.taken);
                taken.clear();
                self.gather(tag, &mut taken);
                self.taken = taken;
                let mut periodic = self.unlink(tag);
                periodic.drain(..).for_each(|list| self.release_list(list));
                self.scratch = periodic;
                Taking { head: Head { key, domain, born }, next: 0 }
            }
        };
        let member = self.taken[taking.next];
        taking.next += 1;
        if let Some(period) = self.slots[member.slot as usize].period {
            let key = TagKey { time: taking.head.key.time + period.delay(), ..taking.head.key };
            let tag = self.tag(key, taking.head.domain);
            self.add(tag, Kind::Again(period), member);
        }
        self.taking = (taking.next < self.taken.len()).then_some(taking);
        member
    }

    /// Takes a member's callback out to run it; nothing when it was cleared (rule TIME-9).
    pub(crate) fn begin(&mut self, member: Member) -> Option<(C, Invocation)> {
        let slot = &mut self.slots[member.slot as usize];
        if slot.release != member.release {
            return None;
        }
        let callback = slot.callback.take().expect("a callback does not run within itself");
        Some((callback, slot.link))
    }

    /// Puts a callback back after it ran; says which domain lost a release if it was the last time.
    pub(crate) fn end(&mut self, member: Member, callback: C) -> Option<DomainIndex> {
        let slot = &mut self.slots[member.slot as usize];
        if slot.release != member.release {
            return None; // It cleared itself; that was accounted for then.
        }
        if slot.period.is_some() {
            slot.callback = Some(callback);
            return None;
        }
        let domain = slot.domain;
        self.free(member);
        Some(domain)
    }

    /// Moves every periodic list of the head that has missed a whole period to `resume(period)`,
    /// where that is later, and says how many invocations were dropped (rule TIME-14).
    pub(crate) fn skip_missed(
        &mut self,
        now: Instant,
        resume: impl Fn(Instant, Period) -> Instant,
        mut report: impl FnMut(u64, Instant),
    ) {
        let Some((key, tag)) = self.heap.first() else { return };
        let late = now.since(key.time);
        let domain = self.tags[tag as usize].domain;
        let mut missed = Vec::new();
        for &list in &self.tags[tag as usize].periodic {
            if let List { kind: Kind::Every(period), live: 1.., .. } = self.lists[list as usize]
                && late >= period.delay()
                && resume(key.time, period) > key.time
            {
                missed.push((list, period));
            }
        }
        for (list, period) in missed {
            let until = resume(key.time, period);
            let periods = until.since(key.time).as_micros() / period.delay().as_micros();
            let live = self.lists[list as usize].live;
            report(periods.saturating_mul(u64::from(live)), until);
            self.tags[tag as usize].live -= live;
            self.tags[tag as usize].periodic.retain(|&other| other != list);
            self.periodic_of.remove(&(tag, Kind::Every(period)));
            let key = TagKey { time: until - period.delay(), ..key };
            self.move_list(list, key, period, domain);
        }
        if self.tags[tag as usize].live == 0 {
            self.drop_tag(tag);
        }
    }

    /// The pending tag with that key, made if need be.
    fn tag(&mut self, key: TagKey, domain: DomainIndex) -> TagIndex {
        if let Some(&tag) = self.tag_of.get(&key) {
            return tag;
        }
        self.made += 1;
        let born = Ordinal(self.made);
        let tag = match self.free_tags.pop() {
            Some(tag) => {
                let periodic = std::mem::take(&mut self.tags[tag as usize].periodic);
                self.tags[tag as usize] =
                    PendingTag { key, domain, born, live: 0, once: NONE, periodic };
                tag
            }
            None => {
                let periodic = Vec::new();
                self.tags.push(PendingTag { key, domain, born, live: 0, once: NONE, periodic });
                (self.tags.len() - 1) as TagIndex
            }
        };
        self.tag_of.insert(key, tag);
        self.heap.insert(key, tag);
        tag
    }

    /// The list of that kind at that tag, made if need be.
    fn list(&mut self, tag: TagIndex, kind: Kind) -> u32 {
        let found = match kind {
            Kind::Once => Some(self.tags[tag as usize].once).filter(|&list| list != NONE),
            Kind::Every(_) | Kind::Again(_) => self.periodic_of.get(&(tag, kind)).copied(),
        };
        if let Some(list) = found {
            return list;
        }
        let list = match self.free_lists.pop() {
            Some(list) => {
                let reused = &mut self.lists[list as usize];
                (reused.kind, reused.tag, reused.live) = (kind, tag, 0);
                list
            }
            None => {
                self.lists.push(List { kind, tag, live: 0, members: Vec::new() });
                (self.lists.len() - 1) as u32
            }
        };
        self.link_list(list, tag);
        list
    }

    fn link_list(&mut self, list: u32, tag: TagIndex) {
        self.lists[list as usize].tag = tag;
        match self.lists[list as usize].kind {
            Kind::Once => self.tags[tag as usize].once = list,
            kind @ (Kind::Every(_) | Kind::Again(_)) => {
                self.tags[tag as usize].periodic.push(list);
                self.periodic_of.insert((tag, kind), list);
            }
        }
    }

    fn lists_of(&self, tag: TagIndex) -> impl Iterator<Item = u32> + '_ {
        let PendingTag { once, periodic, .. } = &self.tags[tag as usize];
        let once = (*once != NONE).then_some(*once);
        once.into_iter().chain(periodic.iter().copied())
    }

    fn add(&mut self, tag: TagIndex, kind: Kind, member: Member) {
        let list = self.list(tag, kind);
        self.lists[list as usize].members.push(member);
        self.lists[list as usize].live += 1;
        self.tags[tag as usize].live += 1;
        self.slots[member.slot as usize].list = list;
    }

    /// Hangs a list that was taken off its tag at `period` after `key`.
    fn move_list(&mut self, list: u32, key: TagKey, period: Period, domain: DomainIndex) {
        let live = self.lists[list as usize].live;
        if live == 0 {
            self.release_list(list);
            return;
        }
        let key =
            TagKey { time: key.time + period.delay(), microstep: Microstep::default(), ..key };
        let tag = self.tag(key, domain);
        self.tags[tag as usize].live += live;
        match self.periodic_of.get(&(tag, Kind::Every(period))).copied() {
            None => self.link_list(list, tag),
            Some(there) => self.merge(list, there),
        }
    }

    /// Adds the members of one list to another. Only a skipped list ever meets one of its own kind.
    fn merge(&mut self, from: u32, into: u32) {
        let moved = std::mem::take(&mut self.lists[from as usize].members);
        for member in &moved {
            let slot = &mut self.slots[member.slot as usize];
            if slot.release == member.release {
                slot.list = into;
            }
        }
        self.lists[into as usize].live += self.lists[from as usize].live;
        let members = &mut self.lists[into as usize].members;
        members.extend_from_slice(&moved);
        members.sort_unstable_by_key(|member| member.release);
        self.lists[from as usize].members = moved;
        self.release_list(from);
    }

    /// Appends the live members of all lists of a tag, in release order.
    fn gather(&self, tag: TagIndex, out: &mut Vec<Member>) {
        let start = out.len();
        let mut lists = 0;
        for list in self.lists_of(tag) {
            lists += 1;
            let List { members, live, .. } = &self.lists[list as usize];
            if members.len() == *live as usize {
                out.extend_from_slice(members);
            } else {
                out.extend(members.iter().copied().filter(|&member| self.is_pending(member)));
            }
        }
        if lists > 1 {
            // The lists are sorted runs, which a stable sort merges.
            out[start..].sort_by_key(|member| member.release);
        }
    }

    /// Takes a tag out of the heap, forgets its one-shot list and hands over its periodic ones. The
    /// caller puts the emptied vector into `scratch`.
    fn unlink(&mut self, tag: TagIndex) -> Vec<u32> {
        self.heap.remove(tag);
        let scratch = std::mem::take(&mut self.scratch);
        let PendingTag { key, once, periodic, .. } = &mut self.tags[tag as usize];
        let periodic = std::mem::replace(periodic, scratch);
        let once = std::mem::replace(once, NONE);
        self.tag_of.remove(key);
        self.free_tags.push(tag);
        for &list in &periodic {
            self.periodic_of.remove(&(tag, self.lists[list as usize].kind));
        }
        if once != NONE {
            self.release_list(once);
        }
        periodic
    }

    fn drop_tag(&mut self, tag: TagIndex) {
        let mut periodic = self.unlink(tag);
        periodic.drain(..).for_each(|list| self.release_list(list));
        self.scratch = periodic;
    }

    /// Gives a list's memory back; those who stood in it stand in no list.
    fn release_list(&mut self, list: u32) {
        let members = &mut self.lists[list as usize].members;
        for member in members.drain(..) {
            let slot = &mut self.slots[member.slot as usize];
            if slot.release == member.release && slot.list == list {
                slot.list = NONE;
            }
        }
        // Keep what is cheap to keep; a list that was huge once need not stay huge.
        if members.capacity() > 256 {
            members.shrink_to(64);
        }
        self.free_lists.push(list);
    }

    fn free(&mut self, member: Member) {
        let slot = &mut self.slots[member.slot as usize];
        slot.release = FREE;
        slot.callback = None;
        self.free_slots.push(member.slot);
        self.pending -= 1;
    }

    /// Accounts for a cleared member of a list; drops its tag when it was the last one there, and
    /// sweeps the list when most of it is stale.
    fn forget_one(&mut self, list: u32) {
        let tag = self.lists[list as usize].tag;
        self.lists[list as usize].live -= 1;
        self.tags[tag as usize].live -= 1;
        if self.tags[tag as usize].live == 0 {
            self.drop_tag(tag);
            return;
        }
        let List { live, members, .. } = &mut self.lists[list as usize];
        if members.len() > 2 * *live as usize + 16 {
            let slots = &self.slots;
            members.retain(|member| slots[member.slot as usize].release == member.release);
        }
    }
}

/// The key of a release on a domain of that order.
pub(crate) fn tag_key(time: Instant, order: Order, microstep: Microstep) -> TagKey {
    TagKey { time, order: order.0, microstep }
}
