//! What is due next, and what becomes of it when it runs.

use super::lists::{Kind, List, ListIndex};
use super::tags::PendingTag;
use super::{Handle, Member, NONE, Slot, SlotIndex, TAKEN, Timers};
use crate::domains::{ANONYMOUS, DomainIndex};
use crate::heap::{TagIndex, TagKey};
use hemiola_time::{Instant, Ordinal, Period};
use hemiola_trace::Invocation;

/// What is due next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) key: TagKey,
    pub(crate) domain: DomainIndex,
    pub(crate) born: Ordinal,
}

/// The anonymous tag whose members are being taken, and how many of them were.
#[derive(Clone, Copy, Debug)]
pub(super) struct Taking {
    pub(super) head: Head,
    pub(super) next: usize,
}

impl<C> Timers<C> {
    /// The smallest key of all.
    #[inline]
    pub(crate) fn head(&mut self) -> Option<Head> {
        // Not before: who clears a timer often sets another for the same instant.
        if self.dead > 0 {
            self.drop_dead();
        }
        while let Some(taking) = &mut self.taking {
            let Some(&(member, _)) = self.taken.get(taking.next) else {
                self.taking = None;
                break;
            };
            let slot = self.slots.get(member.slot as usize);
            if slot.is_some_and(|slot| slot.release == member.release()) {
                // What was taken out of the heap was smallest then; only a smaller key overtakes it.
                let head = taking.head;
                return if self.heap.precedes(head.key) { self.first() } else { Some(head) };
            }
            taking.next += 1;
        }
        self.first()
    }

    /// The smallest key in the heap.
    fn first(&self) -> Option<Head> {
        let PendingTag { key, domain, born, .. } = self.tags[self.heap.first()? as usize];
        Some(Head { key, domain, born })
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

    /// Takes the next callback of the head, which is anonymous. A periodic one is released again, for when
    /// `again` says.
    pub(crate) fn take_one(&mut self, again: impl FnOnce(Instant, Period) -> Instant) -> Member {
        let mut taking = self.begin_taking();
        let (member, period) = self.taken[taking.next];
        taking.next += 1;
        if let Some(period) = period {
            let key = TagKey { time: again(taking.head.key.time, period), ..taking.head.key };
            let tag = self.tag(key, taking.head.domain);
            let (place, at) = self.add(tag, Some(Kind::Again(period)), member.slot);
            let slot = &mut self.slots[member.slot as usize];
            (slot.place, slot.at) = (place, at);
        }
        self.taking = (taking.next < self.taken.len()).then_some(taking);
        member
    }

    /// Takes what is due with the head out of the heap, unless that was done.
    fn begin_taking(&mut self) -> Taking {
        if let Some(taking) = self.taking.take() {
            return taking;
        }
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

    /// Lets another callback of the head, which is anonymous, be the one that [`Timers::take_one`] takes: `draw`
    /// picks one of so many.
    pub(crate) fn change_places(&mut self, draw: impl FnOnce(usize) -> usize) {
        let taking = self.begin_taking();
        let is_pending = |at: &usize| self.is_pending(self.taken[*at].0);
        let rest: Vec<usize> = (taking.next..self.taken.len()).filter(is_pending).collect();
        if rest.len() > 1 {
            let first = rest[draw(rest.len())];
            self.taken[taking.next..=first].rotate_right(1);
        }
        self.taking = Some(taking);
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
        Some(Handle::new(slot, self.slots[slot as usize].release))
    }

    /// Takes a member's callback out to run it; nothing when it was cleared (rule TIME-9).
    pub(crate) fn begin(&mut self, member: Member) -> Option<(C, Invocation)> {
        let slot = self.slots.get_mut(member.slot as usize)?;
        if slot.release != member.release() {
            return None;
        }
        let callback = slot.callback.take().expect("a callback does not run within itself");
        Some((callback, slot.link))
    }

    /// Whether a member of an action is periodic, or released again: it stands in a list.
    pub(crate) fn comes_again(&self, member: Member) -> bool {
        let slot = self.slots.get(member.slot as usize);
        slot.is_none_or(|slot| slot.release != member.release() || slot.place != TAKEN)
    }

    /// Puts a callback back after it ran; says which domain lost a release if it was the last time.
    pub(crate) fn end(&mut self, member: Member, callback: C) -> Option<DomainIndex> {
        let slot = self.slots.get_mut(member.slot as usize)?;
        if slot.release != member.release() {
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
                    _ => Member::new(slot, self.slots[slot as usize].release),
                };
                each(member, Some(kind.period()));
            }
            list = next;
        }
    }
}

/// Marks a slot as taken out to run.
fn take_out<C>(slots: &mut [Slot<C>], slot: SlotIndex, domain: DomainIndex) -> Member {
    let taken = &mut slots[slot as usize];
    (taken.place, taken.at) = (TAKEN, domain);
    Member::new(slot, taken.release)
}
