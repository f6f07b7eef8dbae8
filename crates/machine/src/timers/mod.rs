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

use crate::domains::{ANONYMOUS, DomainIndex, Order};
use crate::heap::{TagHeap, TagIndex, TagKey};
use crate::table::TagTable;
use hemiola_time::{Instant, Microstep, Ordinal, Period};
use hemiola_trace::Invocation;
use rustc_hash::FxHashMap;

/// A release that can be cleared. Never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Handle {
    slot: SlotIndex,
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

type SlotIndex = u32;
type ListIndex = u32;

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
/// Where a cleared member stood.
const GAP: SlotIndex = u32::MAX;
const NONE: u32 = u32::MAX;

/// Slots in release order (a merged list is not), with gaps where members were cleared. A member
/// knows its position.
///
/// The first stands inside, so that the many tags with one callback need no memory of their own.
#[derive(Clone, Debug)]
struct Members {
    first: SlotIndex,
    rest: Vec<SlotIndex>,
}

/// Why a list exists at its tag; one list for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    /// All of a labelled domain's callbacks with this period and next instant; of an anonymous one,
    /// only those released for this tag.
    Every(Period),
    /// An anonymous domain's callbacks that already ran at the instant one period earlier. They come
    /// one at a time, between newer releases; each list on its own stays in release order.
    Again(Period),
}

impl Kind {
    fn period(self) -> Period {
        let (Self::Every(period) | Self::Again(period)) = self;
        period
    }
}

/// Periodic callbacks of one tag.
#[derive(Clone, Debug)]
struct List {
    kind: Kind,
    /// Where it hangs; [`NONE`] while it is unused.
    tag: TagIndex,
    /// The next list of the same tag, or [`NONE`].
    next: ListIndex,
    live: u32,
    members: Members,
}

/// A tag in the heap; dead when `live` is zero.
#[derive(Clone, Debug)]
struct PendingTag {
    key: TagKey,
    domain: DomainIndex,
    /// One-shot and periodic members together.
    live: u32,
    /// How many tags there had been: what was pending before a turn is told from what it added.
    born: Ordinal,
    once: Members,
    /// The first of its lists, or [`NONE`].
    periodic: ListIndex,
}

/// What is due next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) key: TagKey,
    pub(crate) domain: DomainIndex,
    pub(crate) born: Ordinal,
}

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
        Handle { slot, release }
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
        self.slots.get(handle.slot as usize).is_some_and(|slot| slot.release == handle.release)
    }

    /// The smallest key of all.
    #[inline]
    pub(crate) fn head(&mut self) -> Option<Head> {
        // Not before: who clears a timer often sets another for the same instant.
        if self.dead > 0 {
            self.drop_dead();
        }
        let first = self.heap.first().map(|tag| {
            let PendingTag { key, domain, born, .. } = self.tags[tag as usize];
            Head { key, domain, born }
        });
        let Some(mut taking) = self.taking else { return first };
        while let Some(&(member, _)) = self.taken.get(taking.next) {
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

    /// Takes the callbacks of the head, which is on a labelled domain, in release order, into an
    /// empty vector, and moves the periodic ones on to their next instant (rules TIME-3 and TIME-4).
    pub(crate) fn take_action(&mut self, out: &mut Vec<Member>) {
        let tag = self.heap.first().expect("a head that is due is pending");
        let PendingTag { key, domain, .. } = self.tags[tag as usize];
        self.gather(tag, |member, _| out.push(member));
        if self.tags[tag as usize].periodic != NONE && out.len() > 1 {
            // The lists are sorted runs, all but merged ones, and a stable sort merges runs.
            out.sort_by_key(|member| member.release);
        }
        if self.move_first() {
            return;
        }
        let mut next = self.unlink_first();
        while next != NONE {
            let list = next;
            next = self.lists[list as usize].next;
            self.move_list(list, key, domain);
        }
    }

    /// Takes the next callback of the head, which is anonymous. A periodic one is released again.
    pub(crate) fn take_one(&mut self) -> Member {
        let mut taking = match self.taking.take() {
            Some(taking) => taking,
            None => {
                let tag = self.heap.first().expect("a head that is due is pending");
                let PendingTag { key, domain, born, .. } = self.tags[tag as usize];
                let mut taken = std::mem::take(&mut self.taken);
                taken.clear();
                self.gather(tag, |member, period| taken.push((member, period)));
                if self.tags[tag as usize].periodic != NONE {
                    taken.sort_by_key(|(member, _)| member.release);
                }
                self.taken = taken;
                let lists = self.unlink_first();
                self.release_lists(lists);
                Taking { head: Head { key, domain, born }, next: 0 }
            }
        };
        let (member, period) = self.taken[taking.next];
        taking.next += 1;
        if let Some(period) = period {
            let key = TagKey { time: taking.head.key.time + period.delay(), ..taking.head.key };
            let tag = self.tag(key, taking.head.domain);
            let (place, at) = self.add(tag, Some(Kind::Again(period)), member.slot);
            let slot = &mut self.slots[member.slot as usize];
            (slot.place, slot.at) = (place, at);
        }
        self.taking = (taking.next < self.taken.len()).then_some(taking);
        member
    }

    /// The callback that [`Timers::take_one`] will take after as many others, if it is known by now.
    pub(crate) fn upcoming(&self, after: usize) -> Option<&C> {
        let &(member, _) = self.taken.get(self.taking?.next + after)?;
        self.slots[member.slot as usize].callback.as_ref()
    }

    /// Where the machine keeps what [`Timers::take_one`] will take after as many others.
    pub(crate) fn upcoming_place(&self, after: usize) -> Option<*const u8> {
        let &(member, _) = self.taken.get(self.taking?.next + after)?;
        self.slots.get(member.slot as usize).map(|slot| std::ptr::from_ref(slot).cast())
    }

    /// The callback of a release that is pending.
    pub(crate) fn callback(&self, handle: Handle) -> Option<&C> {
        self.slots.get(handle.slot as usize)?.callback.as_ref()
    }

    /// The release that [`Timers::head`] would run first, or one of those that run with it.
    pub(crate) fn first_of_head(&mut self) -> Option<Handle> {
        let head = self.head()?;
        if let Some(taking) = self.taking
            && taking.head == head
            && let Some(&(member, _)) = self.taken.get(taking.next)
        {
            return Some(member);
        }
        let tag = self.heap.first()?;
        let lists = self.lists_of(tag).flat_map(|list| self.lists[list as usize].members.iter());
        let slot = self.tags[tag as usize].once.iter().chain(lists).next()?;
        Some(Handle { slot, release: self.slots[slot as usize].release })
    }

    /// Takes a member's callback out to run it; nothing when it was cleared (rule TIME-9).
    pub(crate) fn begin(&mut self, member: Member) -> Option<(C, Invocation)> {
        let slot = self.slots.get_mut(member.slot as usize)?;
        if slot.release != member.release {
            return None;
        }
        let callback = slot.callback.take().expect("a callback does not run within itself");
        Some((callback, slot.link))
    }

    /// Puts a callback back after it ran; says which domain lost a release if it was the last time.
    pub(crate) fn end(&mut self, member: Member, callback: C) -> Option<DomainIndex> {
        let slot = self.slots.get_mut(member.slot as usize)?;
        if slot.release != member.release {
            return None; // It cleared itself; that was accounted for then.
        }
        if slot.place != TAKEN {
            slot.callback = Some(callback); // It stands in a list: it comes again.
            return None;
        }
        let domain = slot.at;
        self.free(member.slot);
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
        let Some(tag) = self.heap.first() else { return };
        let PendingTag { key, domain, .. } = self.tags[tag as usize];
        let late = now.since(key.time);
        let is_missed = |&list: &ListIndex| {
            let List { kind, live, .. } = self.lists[list as usize];
            let period = kind.period();
            live > 0 && late >= period.delay() && resume(key.time, period) > key.time
        };
        let missed: Vec<ListIndex> = self.lists_of(tag).filter(is_missed).collect();
        for list in missed {
            let List { kind, live, .. } = self.lists[list as usize];
            let period = kind.period();
            let until = resume(key.time, period);
            let periods = until.since(key.time).as_micros() / period.delay().as_micros();
            report(periods.saturating_mul(u64::from(live)), until);
            self.tags[tag as usize].live -= live;
            self.unlink_list(list, tag);
            self.move_list(list, TagKey { time: until - period.delay(), ..key }, domain);
        }
        if self.tags[tag as usize].live == 0 {
            self.bury(tag);
        }
    }

    /// The tag with that key, made if need be. The caller adds to it.
    fn tag(&mut self, key: TagKey, domain: DomainIndex) -> TagIndex {
        let last = self.tags.get(self.last_tag as usize);
        if last.is_some_and(|last| last.live > 0 && last.key == key) {
            return self.last_tag;
        }
        let tag = match self.tag_of.get(&key, |tag| self.tags[tag as usize].key) {
            Some(tag) => {
                let pending = &mut self.tags[tag as usize];
                if pending.live == 0 {
                    self.dead -= 1;
                    self.made += 1;
                    pending.born = Ordinal(self.made);
                }
                tag
            }
            None => self.new_tag(key, domain),
        };
        self.last_tag = tag;
        tag
    }

    fn new_tag(&mut self, key: TagKey, domain: DomainIndex) -> TagIndex {
        self.made += 1;
        let born = Ordinal(self.made);
        let tag = match self.free_tags.pop() {
            Some(tag) => {
                let free = &mut self.tags[tag as usize];
                (free.key, free.domain, free.born) = (key, domain, born);
                tag
            }
            None => {
                let (once, periodic) = (Members::default(), NONE);
                self.tags.push(PendingTag { key, domain, live: 0, born, once, periodic });
                (self.tags.len() - 1) as TagIndex
            }
        };
        self.tag_of.insert(&key, tag);
        self.heap.insert(key, tag);
        tag
    }

    /// The list of that kind at that tag, made if need be.
    fn list(&mut self, tag: TagIndex, kind: Kind) -> ListIndex {
        let last = self.lists.get(self.last_list as usize);
        if last.is_some_and(|last| last.tag == tag && last.kind == kind) {
            return self.last_list;
        }
        let list = match self.periodic_of.get(&(tag, kind)) {
            Some(&list) => list,
            None => {
                let list = match self.free_lists.pop() {
                    Some(list) => {
                        self.lists[list as usize].kind = kind;
                        list
                    }
                    None => {
                        let members = Members::default();
                        self.lists.push(List { kind, tag, next: NONE, live: 0, members });
                        (self.lists.len() - 1) as ListIndex
                    }
                };
                self.link_list(list, tag);
                list
            }
        };
        self.last_list = list;
        list
    }

    fn link_list(&mut self, list: ListIndex, tag: TagIndex) {
        let PendingTag { periodic, .. } = &mut self.tags[tag as usize];
        let List { kind, tag: hangs_at, next, .. } = &mut self.lists[list as usize];
        *hangs_at = tag;
        *next = std::mem::replace(periodic, list);
        self.periodic_of.insert((tag, *kind), list);
    }

    /// Takes one list off its tag.
    fn unlink_list(&mut self, list: ListIndex, tag: TagIndex) {
        let List { kind, next, .. } = self.lists[list as usize];
        self.periodic_of.remove(&(tag, kind));
        let before = self.lists_of(tag).find(|&before| self.lists[before as usize].next == list);
        match before {
            Some(before) => self.lists[before as usize].next = next,
            None => self.tags[tag as usize].periodic = next,
        }
    }

    fn lists_of(&self, tag: TagIndex) -> impl Iterator<Item = ListIndex> + '_ {
        let some = |list: ListIndex| (list != NONE).then_some(list);
        let first = some(self.tags[tag as usize].periodic);
        std::iter::successors(first, move |&list| some(self.lists[list as usize].next))
    }

    /// Puts a slot at the end of a tag's one-shots, or of its list of that kind; says where it is.
    fn add(&mut self, tag: TagIndex, kind: Option<Kind>, slot: SlotIndex) -> (u32, u32) {
        self.tags[tag as usize].live += 1;
        match kind {
            None => (tag, self.tags[tag as usize].once.push(slot)),
            Some(kind) => {
                let list = self.list(tag, kind);
                let List { live, members, .. } = &mut self.lists[list as usize];
                *live += 1;
                (list | PERIODIC, members.push(slot))
            }
        }
    }

    /// Hangs a list that was taken off the tag of `key` at one period after it.
    fn move_list(&mut self, list: ListIndex, key: TagKey, domain: DomainIndex) {
        let List { kind, live, .. } = self.lists[list as usize];
        if live == 0 {
            self.release_list(list);
            return;
        }
        let time = key.time + kind.period().delay();
        let key = TagKey { time, microstep: Microstep::default(), ..key };
        let tag = self.tag(key, domain);
        self.tags[tag as usize].live += live;
        match self.periodic_of.get(&(tag, kind)).copied() {
            None => self.link_list(list, tag),
            Some(there) => self.merge(list, there),
        }
    }

    /// Adds the members of one list to another. Only a skipped list ever meets one of its own kind.
    fn merge(&mut self, from: ListIndex, into: ListIndex) {
        let moved = std::mem::take(&mut self.lists[from as usize].members);
        self.release_list(from);
        let List { live, members, .. } = &mut self.lists[into as usize];
        for slot in moved.iter() {
            *live += 1;
            let at = members.push(slot);
            let slot = &mut self.slots[slot as usize];
            (slot.place, slot.at) = (into | PERIODIC, at);
        }
    }

    /// Hands over the live members of a tag with their periods, list by list. Those that do not stay
    /// in their list are marked as taken.
    fn gather(&mut self, tag: TagIndex, mut each: impl FnMut(Member, Option<Period>)) {
        let PendingTag { ref once, periodic, domain, .. } = self.tags[tag as usize];
        once.iter().for_each(|slot| each(take_out(&mut self.slots, slot, domain), None));
        let mut list = periodic;
        while list != NONE {
            let List { kind, ref members, next, .. } = self.lists[list as usize];
            for slot in members.iter() {
                let member = match domain {
                    ANONYMOUS => take_out(&mut self.slots, slot, ANONYMOUS),
                    _ => Member { slot, release: self.slots[slot as usize].release },
                };
                each(member, Some(kind.period()));
            }
            list = next;
        }
    }

    /// Moves the first tag as a whole to one period later. It can if all that it has is one list, and if
    /// there is no tag yet where that goes: so it is with most intervals, which have their instants for
    /// themselves.
    fn move_first(&mut self) -> bool {
        let Self { heap, tags, tag_of, lists, .. } = self;
        let tag = heap.first().expect("the tag that is fired comes first");
        let PendingTag { key, live, periodic, .. } = tags[tag as usize];
        let Some(List { kind, next: NONE, live: listed, .. }) = lists.get(periodic as usize) else {
            return false;
        };
        let time = key.time + kind.period().delay();
        let later = TagKey { time, microstep: Microstep::default(), ..key };
        if *listed != live
            || live == 0
            || tag_of.get(&later, |tag| tags[tag as usize].key).is_some()
        {
            return false;
        }
        tag_of.remove(&key, tag);
        tag_of.insert(&later, tag);
        heap.move_first(later);
        self.made += 1;
        let pending = &mut tags[tag as usize];
        pending.once.empty();
        (pending.key, pending.born) = (later, Ordinal(self.made));
        true
    }

    /// Takes the first tag out of the heap and hands over its periodic lists, which are still linked
    /// to each other.
    fn unlink_first(&mut self) -> ListIndex {
        let tag = self.heap.first().expect("the tag that is fired comes first");
        let PendingTag { once, periodic, live, .. } = &mut self.tags[tag as usize];
        once.empty();
        *live = 0;
        self.dead += 1;
        let first = std::mem::replace(periodic, NONE);
        let mut list = first;
        while list != NONE {
            let List { kind, tag: hangs_at, next, .. } = &mut self.lists[list as usize];
            self.periodic_of.remove(&(tag, *kind));
            *hangs_at = NONE;
            list = *next;
        }
        self.drop_dead();
        first
    }

    /// Gives up what a tag keeps that has lost its last member, and sweeps the dead.
    fn bury(&mut self, tag: TagIndex) {
        self.dead += 1;
        self.tags[tag as usize].once.empty();
        let lists = std::mem::replace(&mut self.tags[tag as usize].periodic, NONE);
        self.release_lists(lists);
        // Dead tags stand in the way of the living; sweeping half of them pays for itself.
        if self.dead > 64 && self.dead > self.distinct_tags() {
            let Self { heap, tags, tag_of, free_tags, .. } = self;
            heap.retain(|tag| {
                let PendingTag { live, key, .. } = &tags[tag as usize];
                if *live == 0 {
                    tag_of.remove(key, tag);
                    free_tags.push(tag);
                }
                *live > 0
            });
            self.dead = 0;
        }
    }

    /// Takes the dead tags that come first out of the heap.
    fn drop_dead(&mut self) {
        while let Some(tag) = self.heap.first()
            && self.tags[tag as usize].live == 0
        {
            self.heap.remove_first();
            self.tag_of.remove(&self.tags[tag as usize].key, tag);
            self.free_tags.push(tag);
            self.dead -= 1;
        }
    }

    /// Gives up a chain of lists.
    fn release_lists(&mut self, mut next: ListIndex) {
        while next != NONE {
            let list = next;
            let List { kind, tag, next: after, .. } = self.lists[list as usize];
            if tag != NONE {
                self.periodic_of.remove(&(tag, kind));
            }
            self.release_list(list);
            next = after;
        }
    }

    /// Gives a list's memory back.
    fn release_list(&mut self, list: ListIndex) {
        let released = &mut self.lists[list as usize];
        (released.tag, released.live) = (NONE, 0);
        released.members.empty();
        self.free_lists.push(list);
    }

    fn free(&mut self, slot: SlotIndex) {
        let freed = &mut self.slots[slot as usize];
        freed.release = FREE;
        freed.callback = None;
        self.free_slots.push(slot);
        self.pending -= 1;
    }
}

impl Default for Members {
    fn default() -> Self {
        Self { first: GAP, rest: Vec::new() }
    }
}

impl Members {
    fn iter(&self) -> impl Iterator<Item = SlotIndex> + '_ {
        let all = std::iter::once(self.first).chain(self.rest.iter().copied());
        all.filter(|&slot| slot != GAP)
    }

    /// Adds a slot at the end and says at which position.
    fn push(&mut self, slot: SlotIndex) -> u32 {
        if self.first == GAP && self.rest.is_empty() {
            self.first = slot;
            return 0;
        }
        self.rest.push(slot);
        self.rest.len() as u32
    }

    /// Leaves a gap at a position. Closes the gaps when there are more of them than `live` members.
    fn remove<C>(&mut self, at: u32, live: u32, slots: &mut [Slot<C>]) {
        match at.checked_sub(1) {
            None => self.first = GAP,
            Some(at) => self.rest[at as usize] = GAP,
        }
        if self.rest.len() > 2 * live as usize + 16 {
            self.rest.retain(|&slot| slot != GAP);
            for (at, &slot) in self.rest.iter().enumerate() {
                slots[slot as usize].at = at as u32 + 1;
            }
        }
    }

    fn empty(&mut self) {
        self.first = GAP;
        self.rest.clear();
        // Keep what is cheap to keep; a list that was huge once need not stay huge.
        if self.rest.capacity() > 1024 {
            self.rest.shrink_to(64);
        }
    }
}

/// Marks a slot as taken out to run.
fn take_out<C>(slots: &mut [Slot<C>], slot: SlotIndex, domain: DomainIndex) -> Member {
    let taken = &mut slots[slot as usize];
    (taken.place, taken.at) = (TAKEN, domain);
    Member { slot, release: taken.release }
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
