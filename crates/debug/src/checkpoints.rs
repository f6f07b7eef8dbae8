//! Replicas that are kept, so that going back does not begin at the start.

use crate::model::Step;

/// How many are kept at most.
pub const MOST: usize = 40;

/// Replicas in the order of their positions. The first stands at the first statement and stays.
///
/// What a checkpoint costs to be without is the time it takes to run from the one before it to the one
/// after it. Far from where the user is that may be long: the next is wanted near. So the one is given
/// up whose gap is smallest in relation to its distance, which leaves them dense around the current
/// position and ever sparser away from it.
pub(crate) struct Checkpoints<R> {
    kept: Vec<Checkpoint<R>>,
}

/// One of them.
pub(crate) struct Checkpoint<R> {
    pub(crate) replica: R,
    /// Where it stands.
    pub(crate) step: Step,
    /// How long it takes to run there from the start, in microseconds.
    pub(crate) spent_us: u64,
}

impl<R> Checkpoints<R> {
    pub(crate) fn new(first: R, step: Step) -> Self {
        Self { kept: vec![Checkpoint { replica: first, step, spent_us: 0 }] }
    }

    /// The last one at a position or before it.
    pub(crate) fn at_or_before(&mut self, step: Step) -> &mut Checkpoint<R> {
        let after = self.kept.partition_point(|kept| kept.step <= step);
        &mut self.kept[after.saturating_sub(1)]
    }

    /// Whether one that took so long to get to is far enough from the others to be worth keeping.
    pub(crate) fn lacks(&self, step: Step, spent_us: u64, spacing_us: u64) -> bool {
        let after = self.kept.partition_point(|kept| kept.step <= step);
        let before = &self.kept[after.saturating_sub(1)];
        let next = self.kept.get(after).map_or(u64::MAX, |next| next.spent_us);
        before.step < step
            && spent_us.saturating_sub(before.spent_us) >= spacing_us
            && next.saturating_sub(spent_us) >= spacing_us
    }

    /// Keeps one, and gives up another if there are too many.
    pub(crate) fn keep(&mut self, checkpoint: Checkpoint<R>) {
        let (step, here_us) = (checkpoint.step, checkpoint.spent_us);
        let at = self.kept.partition_point(|kept| kept.step < step);
        self.kept.insert(at, checkpoint);
        if self.kept.len() > MOST {
            let least =
                (1..self.kept.len() - 1).filter(|&index| index != at).min_by_key(|&index| {
                    let gap = self.kept[index + 1].spent_us
                        - self.kept[index - 1].spent_us.min(self.kept[index + 1].spent_us);
                    let distance = self.kept[index].spent_us.abs_diff(here_us).max(1);
                    // Both are below 2^63 microseconds; the quotient in thousandths is exact enough.
                    u128::from(gap) * 1000 / u128::from(distance)
                });
            if let Some(least) = least {
                self.kept.remove(least);
            }
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.kept.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(count: u64) -> Checkpoints<()> {
        let mut checkpoints = Checkpoints::new((), 0);
        for step in 1..=count {
            checkpoints.keep(Checkpoint { replica: (), step, spent_us: step * 1000 });
        }
        checkpoints
    }

    #[test]
    fn they_are_dense_behind_the_current_position_and_cover_the_whole_run() {
        let checkpoints = filled(100_000);
        assert_eq!(checkpoints.len(), MOST);
        let steps: Vec<Step> = checkpoints.kept.iter().map(|kept| kept.step).collect();
        assert_eq!(steps[0], 0, "the start stays");
        assert_eq!(steps[MOST - 1], 100_000);
        assert!(steps[MOST - 2] >= 99_990, "the one before is near: {steps:?}");
        for pair in steps.windows(2) {
            let (gap, distance) = (pair[1] - pair[0], 100_000 - pair[0]);
            assert!(gap <= distance.max(2), "no gap is longer than its distance: {steps:?}");
        }
        let widest = steps.windows(2).map(|pair| pair[1] - pair[0]).max().expect("there are some");
        assert!(widest < 60_000, "the far part is covered, too: {steps:?}");
    }

    #[test]
    fn the_nearest_one_is_found() {
        let mut checkpoints = filled(10);
        assert_eq!(checkpoints.at_or_before(7).step, 7);
        assert_eq!(checkpoints.at_or_before(700).step, 10);
        assert_eq!(checkpoints.at_or_before(0).step, 0);
        assert!(!checkpoints.lacks(7, 7000, 1000), "there is one");
        assert!(checkpoints.lacks(11, 11_000, 1000));
        assert!(!checkpoints.lacks(11, 10_500, 1000), "that is too near");
    }
}
