//! A chooser that can be made to take every combination of alternatives.

use hemiola_machine::Chooser;

/// Takes the alternatives it is told, then the first ones, and notes how many there were.
///
/// [`Script::advance`] makes it take the next combination, like the wheels of an odometer.
#[derive(Clone, Debug, Default)]
pub struct Script {
    taken: Vec<u32>,
    counts: Vec<u32>,
    at: usize,
}

impl Script {
    /// What was taken at each choice.
    pub fn taken(&self) -> &[u32] {
        &self.taken[..self.at]
    }

    /// Forgets everything: the next step takes the first alternatives.
    pub fn restart(&mut self) {
        self.taken.clear();
        self.counts.clear();
        self.at = 0;
    }

    /// Goes on to the next combination; false when all have been taken.
    pub fn advance(&mut self) -> bool {
        self.taken.truncate(self.at);
        self.counts.truncate(self.at);
        self.at = 0;
        while let (Some(taken), Some(&count)) = (self.taken.last_mut(), self.counts.last()) {
            if *taken + 1 < count {
                *taken += 1;
                return true;
            }
            self.taken.pop();
            self.counts.pop();
        }
        false
    }
}

impl Chooser for Script {
    fn choose(&mut self, count: usize) -> usize {
        if self.at == self.taken.len() {
            self.taken.push(0);
            self.counts.push(count as u32);
        }
        debug_assert_eq!(self.counts[self.at], count as u32, "equal choices offer equal counts");
        self.at += 1;
        self.taken[self.at - 1] as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_combination_is_taken_once() {
        let mut script = Script::default();
        let mut seen = Vec::new();
        loop {
            // The second wheel turns only when the first says so.
            let first = script.choose(3);
            let second = if first == 1 { script.choose(2) } else { 9 };
            seen.push((first, second));
            if !script.advance() {
                break;
            }
        }
        assert_eq!(seen, [(0, 9), (1, 0), (1, 1), (2, 9)]);
    }
}
