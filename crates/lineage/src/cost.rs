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
        let [reading, writing] = Self::quantities(medium);
        let mut cost = Self::of(reading, read);
        cost += Self::of(writing, written);
        cost
    }

    /// What counts the bytes of a medium, in and out.
    fn quantities(medium: Medium) -> [Quantity; 2] {
        match medium {
            Medium::Network => [Quantity::NetworkRead, Quantity::NetworkWritten],
            Medium::Disk => [Quantity::DiskRead, Quantity::DiskWritten],
        }
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
    /// What went through the network and through files, both ways together.
    moved: [Moved; 2],
}

/// Mean and squares of the bytes that went through a medium.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Moved {
    mean: f64,
    squares: f64,
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
        for medium in [Medium::Network, Medium::Disk] {
            let [read, written] = Cost::quantities(medium);
            let bytes = cost.get(read).saturating_add(cost.get(written)) as f64;
            let moved = &mut self.moved[medium as usize];
            let before = bytes - moved.mean;
            moved.mean += before / self.count as f64;
            moved.squares += before * (bytes - moved.mean);
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
        self.root(self.squares[quantity as usize])
    }

    /// Mean and standard deviation of the bytes that went through a medium, both ways together.
    pub fn moved(&self, medium: Medium) -> (f64, f64) {
        let Moved { mean, squares } = self.moved[medium as usize];
        (mean, self.root(squares))
    }

    fn root(&self, squares: f64) -> f64 {
        (squares / self.count.max(1) as f64).max(0.0).sqrt()
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

    #[test]
    fn both_ways_of_a_medium_are_spread_together() {
        let mut tally = Tally::default();
        // What varies one way makes up for the other.
        for (read, written) in [(1, 9), (5, 5), (9, 1)] {
            tally.add(Cost::moved(Medium::Network, read, written));
        }
        assert_eq!(tally.moved(Medium::Network), (10.0, 0.0));
        assert!(tally.deviation(Quantity::NetworkRead) > 3.0);
        assert_eq!(tally.moved(Medium::Disk), (0.0, 0.0));
    }
}
