//! What invocations cost, one and many.

use hemiola_trace::Medium;
use std::ops::AddAssign;

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Quantity {
    /// How many invocations there were.
    Invocations,
    /// The time they took, in nanoseconds.
    Time,
    /// Bytes that came from the network.
    NetworkRead,
    /// Bytes that went to the network.
    NetworkWritten,
    /// Bytes that came from files.
    DiskRead,
    /// Bytes that went to files.
    DiskWritten,
}

impl Quantity {
    /// All of them, in order.
    pub const ALL: [Self; 6] = [
        Self::Invocations,
        Self::Time,
        Self::NetworkRead,
        Self::NetworkWritten,
        Self::DiskRead,
        Self::DiskWritten,
    ];

    /// The word for it, as JSON has it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Invocations => "invocations",
            Self::Time => "cpuNanos",
            Self::NetworkRead => "networkRead",
            Self::NetworkWritten => "networkWritten",
            Self::DiskRead => "diskRead",
            Self::DiskWritten => "diskWritten",
        }
    }
}

/// So much of everything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost([u64; 6]);

impl Cost {
    /// One invocation, of which nothing else is known.
    pub const ONE: Self = Self([1, 0, 0, 0, 0, 0]);

    /// So much of one quantity and nothing else.
    pub fn of(quantity: Quantity, amount: u64) -> Self {
        let mut cost = Self::default();
        cost.0[quantity as usize] = amount;
        cost
    }

    /// Bytes that went through a medium.
    pub fn moved(medium: Medium, read: u64, written: u64) -> Self {
        let (reading, writing) = match medium {
            Medium::Network => (Quantity::NetworkRead, Quantity::NetworkWritten),
            Medium::Disk => (Quantity::DiskRead, Quantity::DiskWritten),
        };
        let mut cost = Self::of(reading, read);
        cost += Self::of(writing, written);
        cost
    }

    /// How much of a quantity it is.
    pub fn get(&self, quantity: Quantity) -> u64 {
        self.0[quantity as usize]
    }
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Self) {
        for (sum, more) in self.0.iter_mut().zip(other.0) {
            *sum = sum.saturating_add(more);
        }
    }
}

/// Many costs: their number, their sum, and how they are spread. The space is constant: mean and squares
/// of deviations go along (Welford).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    count: u64,
    total: Cost,
    means: [f64; 6],
    squares: [f64; 6],
}

impl Tally {
    /// Takes one more into account.
    pub fn add(&mut self, cost: Cost) {
        self.count += 1;
        self.total += cost;
        for (at, amount) in cost.0.into_iter().enumerate() {
            let amount = amount as f64;
            let before = amount - self.means[at];
            self.means[at] += before / self.count as f64;
            self.squares[at] += before * (amount - self.means[at]);
        }
    }

    /// How many there were.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// All of them together.
    pub fn total(&self) -> Cost {
        self.total
    }

    /// The mean of a quantity.
    pub fn mean(&self, quantity: Quantity) -> f64 {
        self.means[quantity as usize]
    }

    /// The standard deviation of a quantity.
    pub fn deviation(&self, quantity: Quantity) -> f64 {
        (self.squares[quantity as usize] / self.count.max(1) as f64).max(0.0).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_and_deviation_go_along() {
        let mut tally = Tally::default();
        for nanos in [2, 4, 4, 4, 5, 5, 7, 9] {
            tally.add(Cost::of(Quantity::Time, nanos));
        }
        assert_eq!((tally.count(), tally.total().get(Quantity::Time)), (8, 40));
        assert_eq!((tally.mean(Quantity::Time), tally.deviation(Quantity::Time)), (5.0, 2.0));
        assert_eq!(tally.deviation(Quantity::DiskRead), 0.0);
    }
}
