//! Periodic callbacks: those of one tag and one period are a list, which moves as a whole.

use super::members::Members;
use super::{NONE, PERIODIC, SlotIndex, Timers};
use crate::domains::DomainIndex;
use crate::heap::{TagIndex, TagKey};
use hemiola_time::{Microstep, Period};

pub(super) type ListIndex = u32;

/// Why a list exists at its tag; one list for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// All of a labelled domain's callbacks with this period and next instant; of an anonymous one,
    /// only those released for this tag.
    Every(Period),
    /// An anonymous domain's callbacks that already ran, most of them at the instant one period earlier.
    /// They come one at a time, between newer releases.
    Again(Period),
}

impl Kind {
    pub(super) fn period(self) -> Period {
        let (Self::Every(period) | Self::Again(period)) = self;
        period
    }
}

/// Periodic callbacks of one tag.
#[derive(Clone, Debug)]
pub(super) struct List {
    pub(super) kind: Kind,
    /// Where it hangs; [`NONE`] while it is unused.
    pub(super) tag: TagIndex,
    /// The next list of the same tag, or [`NONE`].
    pub(super) next: ListIndex,
    pub(super) live: u32,
    pub(super) members: Members,
}

impl<C> Timers<C> {
    /// Puts a slot at the end of a tag's one-shots, or of its list of that kind; says where it is.
    pub(super) fn add(&mut self, tag: TagIndex, kind: Option<Kind>, slot: SlotIndex) -> (u32, u32) {
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

    /// The list of that kind at that tag, made if need be.
    pub(super) fn list(&mut self, tag: TagIndex, kind: Kind) -> ListIndex {
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

    pub(super) fn lists_of(&self, tag: TagIndex) -> impl Iterator<Item = ListIndex> + '_ {
        let some = |list: ListIndex| (list != NONE).then_some(list);
        let first = some(self.tags[tag as usize].periodic);
        std::iter::successors(first, move |&list| some(self.lists[list as usize].next))
    }

    pub(super) fn link_list(&mut self, list: ListIndex, tag: TagIndex) {
        let periodic = &mut self.tags[tag as usize].periodic;
        let List { kind, tag: hangs_at, next, .. } = &mut self.lists[list as usize];
        *hangs_at = tag;
        *next = std::mem::replace(periodic, list);
        self.periodic_of.insert((tag, *kind), list);
    }

    /// Takes one list off its tag.
    pub(super) fn unlink_list(&mut self, list: ListIndex, tag: TagIndex) {
        let List { kind, next, .. } = self.lists[list as usize];
        self.periodic_of.remove(&(tag, kind));
        let before = self.lists_of(tag).find(|&before| self.lists[before as usize].next == list);
        match before {
            Some(before) => self.lists[before as usize].next = next,
            None => self.tags[tag as usize].periodic = next,
        }
    }

    /// Hangs a list that was taken off the tag of `key` at one period after it.
    pub(super) fn move_list(&mut self, list: ListIndex, key: TagKey, domain: DomainIndex) {
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
    pub(super) fn merge(&mut self, from: ListIndex, into: ListIndex) {
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

    /// Gives up a chain of lists.
    pub(super) fn release_lists(&mut self, mut next: ListIndex) {
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
    pub(super) fn release_list(&mut self, list: ListIndex) {
        let released = &mut self.lists[list as usize];
        (released.tag, released.live) = (NONE, 0);
        released.members.empty();
        self.free_lists.push(list);
    }
}
