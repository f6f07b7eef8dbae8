//! A heap of tags.

use hemiola_time::{Instant, Microstep};

/// Which pending tag: an index into the timers' table.
pub(crate) type TagIndex = u32;

/// The first three parts of a key; the fourth, the release, orders the callbacks within one tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct TagKey {
    pub(crate) time: Instant,
    /// See [`crate::domains::Order`].
    pub(crate) order: u64,
    pub(crate) microstep: Microstep,
}

/// A four-ary heap of tags, smallest key first.
///
/// Only the first can be removed: a tag that loses its last callback stays as a dead one until it
/// gets there, or until [`TagHeap::retain`] sweeps. So an entry need not know where it stands.
#[derive(Clone, Debug, Default)]
pub(crate) struct TagHeap {
    entries: Vec<Keyed>,
}

/// A key and its tag, laid out without gaps: four of them, the children of one, are 96 bytes.
#[derive(Clone, Copy, Debug)]
struct Keyed {
    time: u64,
    order: u64,
    microstep: u32,
    tag: TagIndex,
}

impl Keyed {
    fn new(TagKey { time, order, microstep }: TagKey, tag: TagIndex) -> Self {
        Self { time: time.as_micros(), order, microstep: microstep.0, tag }
    }

    /// Whether this comes before the other. Time and order are compared as one number, since which
    /// of them decides is not to be predicted.
    fn precedes(&self, other: &Self) -> bool {
        let high = |entry: &Self| u128::from(entry.time) << 64 | u128::from(entry.order);
        let (own, others) = (high(self), high(other));
        own < others || own == others && self.microstep < other.microstep
    }
}

const ARITY: usize = 4;

impl TagHeap {
    pub(crate) fn first(&self) -> Option<TagIndex> {
        self.entries.first().map(|entry| entry.tag)
    }

    /// Whether the first comes before that key.
    pub(crate) fn precedes(&self, key: TagKey) -> bool {
        let key = Keyed::new(key, 0);
        self.entries.first().is_some_and(|first| first.precedes(&key))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = TagIndex> + '_ {
        self.entries.iter().map(|entry| entry.tag)
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn insert(&mut self, key: TagKey, tag: TagIndex) {
        self.entries.push(Keyed::new(key, tag));
        self.rise(self.entries.len() - 1);
    }

    /// Gives the first another key, which is not smaller.
    pub(crate) fn move_first(&mut self, key: TagKey) {
        let first = &mut self.entries[0];
        *first = Keyed::new(key, first.tag);
        self.sink(0);
    }

    /// Removes the first.
    pub(crate) fn remove_first(&mut self) {
        let last = self.entries.pop().expect("a heap that has a first is not empty");
        if self.entries.is_empty() {
            return;
        }
        // The last one belongs near the bottom: let the hole sink all the way, then rise from it.
        let mut hole = 0;
        while let Some(child) = self.least_child(hole) {
            self.entries[hole] = self.entries[child];
            hole = child;
        }
        self.entries[hole] = last;
        self.rise(hole);
    }

    /// Removes every tag for which `keep` says no.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(TagIndex) -> bool) {
        self.entries.retain(|entry| keep(entry.tag));
        for at in (0..self.entries.len().div_ceil(ARITY)).rev() {
            self.sink(at);
        }
    }

    fn rise(&mut self, mut at: usize) {
        let entry = self.entries[at];
        while at > 0 {
            let parent = (at - 1) / ARITY;
            if !entry.precedes(&self.entries[parent]) {
                break;
            }
            self.entries[at] = self.entries[parent];
            at = parent;
        }
        self.entries[at] = entry;
    }

    fn sink(&mut self, mut at: usize) {
        let entry = self.entries[at];
        while let Some(child) = self.least_child(at) {
            if !self.entries[child].precedes(&entry) {
                break;
            }
            self.entries[at] = self.entries[child];
            at = child;
        }
        self.entries[at] = entry;
    }

    fn least_child(&self, at: usize) -> Option<usize> {
        let first = at * ARITY + 1;
        if let Some([a, b, c, d]) = self.entries.get(first..first + ARITY) {
            // Two independent comparisons and one of their winners.
            let (left, right) = (usize::from(b.precedes(a)), 2 + usize::from(d.precedes(c)));
            let (l, r) = (&self.entries[first + left], &self.entries[first + right]);
            return Some(first + if r.precedes(l) { right } else { left });
        }
        let rest = self.entries.get(first..)?;
        let least = (0..rest.len()).reduce(|a, b| if rest[b].precedes(&rest[a]) { b } else { a });
        least.map(|offset| first + offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::btree_map::{BTreeMap, Entry};

    proptest! {
        #[test]
        fn agrees_with_a_sorted_map(
            operations in prop::collection::vec((0..5u8, 0..20u64, 0..3u64, 0..3u32), 0..300),
        ) {
            let mut heap = TagHeap::default();
            let mut sorted = BTreeMap::new();
            for (tag, (operation, time, order, microstep)) in operations.into_iter().enumerate() {
                let (time, microstep) = (Instant::from_micros(time), Microstep(microstep));
                let key = TagKey { time, order, microstep };
                match operation {
                    0 if !sorted.is_empty() => {
                        heap.remove_first();
                        sorted.pop_first();
                    }
                    2 if !sorted.is_empty() => {
                        let (first, tag) = sorted.pop_first().expect("it is not empty");
                        let key = key.max(first);
                        if sorted.contains_key(&key) {
                            sorted.insert(first, tag);
                        } else {
                            heap.move_first(key);
                            sorted.insert(key, tag);
                        }
                    }
                    1 if tag % 10 == 0 => {
                        heap.retain(|tag| tag % 3 != 0);
                        sorted.retain(|_, tag| *tag % 3 != 0);
                    }
                    _ => {
                        if let Entry::Vacant(vacant) = sorted.entry(key) {
                            heap.insert(key, tag as TagIndex);
                            vacant.insert(tag as TagIndex);
                        }
                    }
                }
                prop_assert_eq!(heap.first(), sorted.first_key_value().map(|(_, tag)| *tag));
                prop_assert_eq!(heap.len(), sorted.len());
                let comes_before = sorted.first_key_value().is_some_and(|(first, _)| *first < key);
                prop_assert_eq!(heap.precedes(key), comes_before);
            }
        }
    }
}
