//! The callbacks that stand together, one behind the other.

use super::{Slot, SlotIndex};

/// Where a cleared member stood.
const GAP: SlotIndex = u32::MAX;

/// Slots in release order (a merged list is not), with gaps where members were cleared. A member
/// knows its position.
///
/// The first stands inside, so that the many tags with one callback need no memory of their own.
#[derive(Clone, Debug)]
pub(super) struct Members {
    first: SlotIndex,
    pub(super) rest: Vec<SlotIndex>,
}

impl Default for Members {
    fn default() -> Self {
        Self { first: GAP, rest: Vec::new() }
    }
}

impl Members {
    pub(super) fn iter(&self) -> impl Iterator<Item = SlotIndex> + '_ {
        let all = std::iter::once(self.first).chain(self.rest.iter().copied());
        all.filter(|&slot| slot != GAP)
    }

    /// Adds a slot at the end and says at which position.
    pub(super) fn push(&mut self, slot: SlotIndex) -> u32 {
        if self.first == GAP && self.rest.is_empty() {
            self.first = slot;
            return 0;
        }
        self.rest.push(slot);
        self.rest.len() as u32
    }

    /// Leaves a gap at a position. Closes the gaps when there are more of them than `live` members.
    pub(super) fn remove<C>(&mut self, at: u32, live: u32, slots: &mut [Slot<C>]) {
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

    pub(super) fn empty(&mut self) {
        self.first = GAP;
        self.rest.clear();
        // Keep what is cheap to keep; a list that was huge once need not stay huge.
        if self.rest.capacity() > 1024 {
            self.rest.shrink_to(64);
        }
    }
}
