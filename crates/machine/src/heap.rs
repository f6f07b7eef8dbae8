//! A heap of pending tags from which any tag can be removed.

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
/// Invariant: `position[tag]` is where `tag` stands in `entries`, for every tag that stands there.
#[derive(Clone, Debug, Default)]
pub(crate) struct TagHeap {
    entries: Vec<(TagKey, TagIndex)>,
    position: Vec<u32>,
}

const ARITY: usize = 4;

impl TagHeap {
    pub(crate) fn first(&self) -> Option<(TagKey, TagIndex)> {
        self.entries.first().copied()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (TagKey, TagIndex)> + '_ {
        self.entries.iter().copied()
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn insert(&mut self, key: TagKey, tag: TagIndex) {
        if self.position.len() <= tag as usize {
            self.position.resize(tag as usize + 1, 0);
        }
        self.entries.push((key, tag));
        self.rise(self.entries.len() - 1);
    }

    /// Removes a tag that stands in the heap.
    pub(crate) fn remove(&mut self, tag: TagIndex) {
        let at = self.position[tag as usize] as usize;
        debug_assert_eq!(self.entries[at].1, tag, "the tag stands where its position says");
        let last = self.entries.pop().expect("a tag that is removed stands in the heap");
        if at < self.entries.len() {
            self.entries[at] = last;
            // The one that fills the hole may belong further up or further down.
            if at > 0 && last.0 < self.entries[(at - 1) / ARITY].0 {
                self.rise(at);
            } else {
                self.sink(at);
            }
        }
    }

    fn rise(&mut self, mut at: usize) {
        let entry = self.entries[at];
        while at > 0 {
            let parent = (at - 1) / ARITY;
            if self.entries[parent].0 <= entry.0 {
                break;
            }
            self.put(at, self.entries[parent]);
            at = parent;
        }
        self.put(at, entry);
    }

    fn sink(&mut self, mut at: usize) {
        let entry = self.entries[at];
        loop {
            let first = at * ARITY + 1;
            let last = (first + ARITY).min(self.entries.len());
            let Some(child) = (first..last).min_by_key(|&child| self.entries[child].0) else {
                break;
            };
            if entry.0 <= self.entries[child].0 {
                break;
            }
            self.put(at, self.entries[child]);
            at = child;
        }
        self.put(at, entry);
    }

    fn put(&mut self, at: usize, entry: (TagKey, TagIndex)) {
        self.entries[at] = entry;
        self.position[entry.1 as usize] = at as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn key(time: u64, order: u64) -> TagKey {
        TagKey { time: Instant::from_micros(time), order, microstep: Microstep(0) }
    }

    proptest! {
        #[test]
        fn agrees_with_a_sorted_map(
            operations in prop::collection::vec((any::<bool>(), 0u64..20, 0u32..40), 0..300),
        ) {
            let mut heap = TagHeap::default();
            let mut sorted = BTreeMap::new();
            for (insert, time, tag) in operations {
                let present = sorted.iter().find(|(_, t)| **t == tag).map(|(k, _)| *k);
                match (insert, present) {
                    (true, None) => {
                        let key = key(time, u64::from(tag));
                        heap.insert(key, tag);
                        sorted.insert(key, tag);
                    }
                    (false, Some(key)) => {
                        heap.remove(tag);
                        sorted.remove(&key);
                    }
                    _ => {}
                }
                prop_assert_eq!(heap.first(), sorted.first_key_value().map(|(k, t)| (*k, *t)));
                prop_assert_eq!(heap.len(), sorted.len());
            }
        }
    }
}
