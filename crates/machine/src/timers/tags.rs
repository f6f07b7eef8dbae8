//! Tags: made when a callback is released for them, and dead when they have lost the last one.

use super::lists::{List, ListIndex};
use super::members::Members;
use super::{NONE, Timers};
use crate::domains::DomainIndex;
use crate::heap::{TagIndex, TagKey};
use hemiola_time::{Microstep, Ordinal};

/// A tag in the heap; dead when `live` is zero.
#[derive(Clone, Debug)]
pub(super) struct PendingTag {
    pub(super) key: TagKey,
    pub(super) domain: DomainIndex,
    /// One-shot and periodic members together.
    pub(super) live: u32,
    /// How many tags there had been: what was pending before a turn is told from what it added.
    pub(super) born: Ordinal,
    pub(super) once: Members,
    /// The first of its lists, or [`NONE`].
    pub(super) periodic: ListIndex,
}

impl<C> Timers<C> {
    /// The tag with that key, made if need be. The caller adds to it.
    pub(super) fn tag(&mut self, key: TagKey, domain: DomainIndex) -> TagIndex {
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

    pub(super) fn new_tag(&mut self, key: TagKey, domain: DomainIndex) -> TagIndex {
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

    /// Moves the first tag as a whole to one period later. It can if all that it has is one list, and if
    /// there is no tag yet where that goes: so it is with most intervals, which have their instants for
    /// themselves.
    pub(super) fn move_first(&mut self) -> bool {
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
    pub(super) fn unlink_first(&mut self) -> ListIndex {
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
    pub(super) fn bury(&mut self, tag: TagIndex) {
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
    pub(super) fn drop_dead(&mut self) {
        while let Some(tag) = self.heap.first()
            && self.tags[tag as usize].live == 0
        {
            self.heap.remove_first();
            self.tag_of.remove(&self.tags[tag as usize].key, tag);
            self.free_tags.push(tag);
            self.dead -= 1;
        }
    }
}
