//! Finds the tag of a key.

use crate::heap::{TagIndex, TagKey};
use std::hash::Hasher;

/// A hash table of tags that leaves the keys where they are, with the tags.
///
/// Eight bytes for each place keep it in the cache where a map with its own copy of the keys is not.
/// Places are probed one after the other; a removal closes the gap, so nothing wears out.
///
/// Invariant: from the place where a tag's hash points to the place where it stands there is no
/// empty one, and at least half of the places are empty.
#[derive(Clone, Debug, Default)]
pub(crate) struct TagTable {
    places: Vec<Place>,
    len: usize,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    hash: u32,
    tag: TagIndex,
}

const EMPTY: Place = Place { hash: 0, tag: TagIndex::MAX };

impl TagTable {
    /// The tag with that key; `key_of` knows the keys.
    pub(crate) fn get(
        &self,
        key: &TagKey,
        key_of: impl Fn(TagIndex) -> TagKey,
    ) -> Option<TagIndex> {
        if self.places.is_empty() {
            return None;
        }
        let hash = hash(key);
        let mut at = self.start(hash);
        loop {
            let place = self.places[at];
            if place.tag == EMPTY.tag {
                return None;
            }
            if place.hash == hash && key_of(place.tag) == *key {
                return Some(place.tag);
            }
            at = self.next(at);
        }
    }

    /// Adds a tag whose key is not in the table.
    pub(crate) fn insert(&mut self, key: &TagKey, tag: TagIndex) {
        if self.places.len() <= 2 * self.len {
            let larger = vec![EMPTY; (4 * self.len).next_power_of_two().max(64)];
            let old = std::mem::replace(&mut self.places, larger);
            old.into_iter().filter(|place| place.tag != EMPTY.tag).for_each(|old| self.put(old));
        }
        self.put(Place { hash: hash(key), tag });
        self.len += 1;
    }

    /// Removes a tag that is in the table.
    pub(crate) fn remove(&mut self, key: &TagKey, tag: TagIndex) {
        let mut gap = self.start(hash(key));
        while self.places[gap].tag != tag {
            gap = self.next(gap);
        }
        // Whoever stands further on only because this place was taken moves up.
        let mut at = self.next(gap);
        while self.places[at].tag != EMPTY.tag {
            let mask = self.places.len() - 1;
            let from_start = at.wrapping_sub(self.start(self.places[at].hash)) & mask;
            if from_start >= at.wrapping_sub(gap) & mask {
                self.places[gap] = self.places[at];
                gap = at;
            }
            at = self.next(at);
        }
        self.places[gap] = EMPTY;
        self.len -= 1;
    }

    fn put(&mut self, place: Place) {
        let mut at = self.start(place.hash);
        while self.places[at].tag != EMPTY.tag {
            at = self.next(at);
        }
        self.places[at] = place;
    }

    fn start(&self, hash: u32) -> usize {
        hash as usize & (self.places.len() - 1)
    }

    fn next(&self, at: usize) -> usize {
        (at + 1) & (self.places.len() - 1)
    }
}

fn hash(key: &TagKey) -> u32 {
    let mut hasher = rustc_hash::FxHasher::default();
    hasher.write_u64(key.time.as_micros());
    // Microsteps are nearly always zero, and a clash with another domain's only costs a look.
    hasher.write_u64(key.order ^ u64::from(key.microstep.0) << 32);
    // The lower half of a finished hash is its better one.
    hasher.finish() as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_time::{Instant, Microstep};
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn agrees_with_a_map(
            operations in prop::collection::vec((any::<bool>(), 0..60u64, 0..4u64), 0..600),
        ) {
            let (mut table, mut map) = (TagTable::default(), BTreeMap::new());
            let mut keys = Vec::new();
            for (insert, time, order) in operations {
                let time = Instant::from_micros(time);
                let key = TagKey { time, order, microstep: Microstep(0) };
                let found = table.get(&key, |tag| keys[tag as usize]);
                prop_assert_eq!(found, map.get(&key).copied());
                match (insert, found) {
                    (true, None) => {
                        let tag = keys.len() as TagIndex;
                        keys.push(key);
                        table.insert(&key, tag);
                        map.insert(key, tag);
                    }
                    (false, Some(tag)) => {
                        table.remove(&key, tag);
                        map.remove(&key);
                    }
                    _ => {}
                }
                prop_assert_eq!(table.len, map.len());
            }
            for (key, tag) in map {
                prop_assert_eq!(table.get(&key, |tag| keys[tag as usize]), Some(tag));
            }
        }
    }
}
