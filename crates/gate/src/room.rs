//! How much memory the machines of a run may use together.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The memory of a run: engines, what they share, and what the world holds for them. Its copies are one.
#[derive(Clone, Debug, Default)]
pub struct Room(Option<Arc<Account>>);

#[derive(Debug)]
struct Account {
    used: AtomicUsize,
    /// How much is meant to be used.
    limit: usize,
    /// How much is granted at most: who is past the limit must be able to say so.
    last: usize,
}

impl Room {
    /// So many bytes; 0 is no limit.
    pub fn new(limit: usize) -> Self {
        if limit == 0 {
            return Self::default();
        }
        let last = Self::last(limit);
        Self(Some(Arc::new(Account { used: AtomicUsize::new(0), limit, last })))
    }

    /// How much is granted at most where so much is meant to be used.
    pub const fn last(limit: usize) -> usize {
        limit.saturating_add(limit / 8).saturating_add(4 * 1024 * 1024)
    }

    /// Takes so many bytes, if there are.
    pub fn take(&self, bytes: usize) -> bool {
        let Some(account) = &self.0 else { return true };
        let more = |used: usize| used.checked_add(bytes).filter(|&used| used <= account.last);
        account.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).is_ok()
    }

    /// Gives back what was taken.
    pub fn give(&self, bytes: usize) {
        if let Some(account) = &self.0 {
            account.used.fetch_sub(bytes, Ordering::Relaxed);
        }
    }

    /// How many bytes are left of what is meant to be used.
    pub fn left(&self) -> usize {
        let Some(account) = &self.0 else { return usize::MAX };
        account.limit.saturating_sub(account.used.load(Ordering::Relaxed))
    }

    /// How many bytes are meant to be used; the largest number if there is no limit.
    pub fn limit(&self) -> usize {
        self.0.as_ref().map_or(usize::MAX, |account| account.limit)
    }
}

/// Bytes of a room that are given back with this.
#[derive(Debug)]
pub struct Taken {
    room: Room,
    bytes: usize,
}

impl Taken {
    /// Takes so many bytes; nothing if there are not as many.
    pub fn from(room: &Room, bytes: usize) -> Option<Self> {
        room.take(bytes).then(|| Self { room: room.clone(), bytes })
    }

    /// How many they are.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Takes more of them; whether there were as many.
    pub fn grow(&mut self, bytes: usize) -> bool {
        let is_there = self.room.take(bytes);
        if is_there {
            self.bytes += bytes;
        }
        is_there
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.room.give(self.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_together_stays_within_the_room() {
        let room = Room::new(1 << 20);
        let other = room.clone();
        let first = Taken::from(&room, 1 << 20).expect("there is as much");
        assert_eq!(other.left(), 0);
        assert!(Taken::from(&other, Room::last(1 << 20)).is_none());
        drop(first);
        assert_eq!(other.left(), 1 << 20);
        let mut second = Taken::from(&room, 1 << 10).expect("there is as much");
        assert!(second.grow(1 << 10) && !second.grow(Room::last(1 << 20)));
        assert_eq!((second.bytes(), other.left()), (2 << 10, (1 << 20) - (2 << 10)));
        drop(second);
        assert_eq!(other.left(), 1 << 20);
        assert!(Room::default().take(usize::MAX));
    }
}
