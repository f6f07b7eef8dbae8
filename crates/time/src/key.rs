//! The order of timed callbacks (rule TIME-1).

use crate::Instant;
use std::fmt;

/// A position in an order of creation: of domains, or of releases. A counter, never a clock reading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ordinal(pub u64);

/// The place of an atomic action among those of one domain at one instant (rule TIME-6).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Microstep(pub u32);

impl Microstep {
    /// The one after this.
    pub const fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

/// An instant of a domain and a microstep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tag {
    /// Logical time.
    pub time: Instant,
    /// Which atomic action at that time.
    pub microstep: Microstep,
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", self.time, self.microstep.0)
    }
}

/// What orders every pending timed callback: *(T, o, m, r)* of rule TIME-1.
///
/// The derived order compares the fields as they stand here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// Logical time *T*.
    pub time: Instant,
    /// When the domain was created, *o*.
    pub domain: Ordinal,
    /// The microstep *m*.
    pub microstep: Microstep,
    /// When the callback was released, *r*.
    pub release: Ordinal,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(time: u64, domain: u64, microstep: u32, release: u64) -> Key {
        Key {
            time: Instant::from_millis(time),
            domain: Ordinal(domain),
            microstep: Microstep(microstep),
            release: Ordinal(release),
        }
    }

    #[test]
    fn time_1_orders_by_time_then_domain_then_microstep_then_release() {
        let sorted = [key(1, 9, 9, 9), key(2, 1, 9, 9), key(2, 2, 1, 9), key(2, 2, 2, 1)];
        assert!(sorted.is_sorted());
        assert!(key(2, 2, 2, 1) < key(2, 2, 2, 2));
    }
}
