//! The instants at which the environment grants a unit of compute.

/// A set of instants, as intervals.
#[derive(Clone, Debug, Default)]
pub struct Grants {
    /// First and last instant of each, apart from each other and in order, with the number of instants
    /// before.
    intervals: Vec<(i64, i64, u64)>,
}

impl Grants {
    /// The union of intervals, given by their first and last instants.
    pub fn new(mut given: Vec<(i64, i64)>) -> Self {
        given.sort_unstable();
        let mut intervals: Vec<(i64, i64, u64)> = Vec::new();
        for (first, last) in given {
            match intervals.last_mut() {
                Some((_, end, _)) if first <= end.saturating_add(1) => *end = last.max(*end),
                known => {
                    let before =
                        known.map_or(0, |&mut (first, last, before)| before + length(first, last));
                    intervals.push((first, last, before));
                }
            }
        }
        Self { intervals }
    }

    /// The intervals, apart from each other and in order.
    pub fn intervals(&self) -> impl Iterator<Item = (i64, i64)> {
        self.intervals.iter().map(|(first, last, _)| (*first, *last))
    }

    /// How many there are before an instant, and whether it is one.
    pub fn at(&self, time: i64) -> (u64, bool) {
        let after = self.intervals.partition_point(|(first, ..)| *first < time);
        let before = after.checked_sub(1).map_or(0, |at| {
            let (first, last, before) = self.intervals[at];
            before + length(first, last.min(time.saturating_sub(1)))
        });
        let inside = |at: usize| {
            self.intervals.get(at).is_some_and(|(first, last, _)| (*first..=*last).contains(&time))
        };
        (before, inside(after) || after > 0 && inside(after - 1))
    }
}

fn length(first: i64, last: i64) -> u64 {
    last.abs_diff(first).saturating_add(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_count_once() {
        let grants = Grants::new(vec![(10, 12), (20, 20), (11, 14), (15, 15), (20, 20), (-3, -2)]);
        let set = [-3, -2, 10, 11, 12, 13, 14, 15, 20];
        for time in -10..30 {
            let before = set.iter().filter(|instant| **instant < time).count() as u64;
            assert_eq!(grants.at(time), (before, set.contains(&time)), "{time}");
        }
        let grants = Grants::new(vec![(i64::MIN, -1), (5, i64::MAX)]);
        assert!(grants.at(i64::MAX).1 && !grants.at(0).1);
    }
}
