//! Who picks, where more than one thing may happen next.

use crate::strategy::Pick;
use crate::world::Move;
use std::fmt;
use std::str::FromStr;

/// Picks one of the alternatives that a strategy or a world leaves open.
pub trait Chooser {
    /// An alternative from 0 to `count` - 1; `count` is at least 2.
    fn choose(&mut self, count: usize) -> usize;

    /// The same where it is known what the alternatives are: for whoever explains or weighs them.
    fn choose_from(&mut self, open: &Alternatives<'_>) -> usize {
        self.choose(open.count())
    }
}

/// What may happen next, in the order in which alternatives are counted: the end of the run, what the
/// strategy lets run, what the world may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alternatives<'a> {
    /// Whether the run may end here.
    pub may_end: bool,
    /// What may run.
    pub picks: &'a [Pick],
    /// What may come from outside. Where a callback lets time pass before it goes on, these are the
    /// instants until which it may, and the first of them is now.
    pub moves: &'a [Move],
}

/// One alternative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alternative {
    /// The run ends.
    End,
    /// The machine does this.
    Pick(Pick),
    /// The world does this.
    Move(Move),
}

impl Alternatives<'_> {
    /// How many there are.
    pub fn count(&self) -> usize {
        usize::from(self.may_end) + self.picks.len() + self.moves.len()
    }

    /// The alternative of that number; nothing if there are fewer.
    pub fn get(&self, at: usize) -> Option<Alternative> {
        let Some(at) = at.checked_sub(usize::from(self.may_end)) else {
            return Some(Alternative::End);
        };
        match self.picks.get(at) {
            Some(&pick) => Some(Alternative::Pick(pick)),
            None => self.moves.get(at - self.picks.len()).copied().map(Alternative::Move),
        }
    }
}

/// Always takes the first alternative: the default order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct First;

impl Chooser for First {
    fn choose(&mut self, _: usize) -> usize {
        0
    }
}

/// Takes random alternatives that follow from a seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seeded {
    state: u64,
}

impl Seeded {
    /// The chooser of that seed.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next random number.
    pub fn number(&mut self) -> u64 {
        // SplitMix64: every state is followed by the next, and its bits are mixed well.
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }
}

impl Chooser for Seeded {
    fn choose(&mut self, count: usize) -> usize {
        // Multiplying instead of dividing: the bias is below one in 2^32 for any count we meet.
        ((u128::from(self.number()) * count as u128) >> 64) as usize
    }
}

/// The deviations of a run from the default order (rule EXPL-3): at which choice which alternative
/// was taken.
///
/// It prints as `3:1,7:2` (at choice 3 alternative 1, at choice 7 alternative 2, both counted from
/// zero) and as `default` when there is none, and it parses what it prints.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Schedule {
    deviations: Vec<(u32, u32)>,
}

impl Schedule {
    /// The schedule that takes these alternatives, one for each choice.
    pub fn from_choices(choices: impl IntoIterator<Item = usize>) -> Self {
        let deviations = choices
            .into_iter()
            .enumerate()
            .filter(|&(_, taken)| taken != 0)
            .map(|(choice, taken)| (choice as u32, taken as u32))
            .collect();
        Self { deviations }
    }

    /// The schedule with these deviations: at which choice which alternative is taken. Choices grow,
    /// and alternatives are not the first.
    pub fn from_pairs(deviations: Vec<(u32, u32)>) -> Self {
        debug_assert!(deviations.is_sorted_by(|one, other| one.0 < other.0), "choices grow");
        debug_assert!(deviations.iter().all(|&(_, taken)| taken > 0), "the first is the default");
        Self { deviations }
    }

    /// The deviations: at which choice which alternative is taken.
    pub fn pairs(&self) -> &[(u32, u32)] {
        &self.deviations
    }

    /// How many choices deviate from the default.
    pub fn deviations(&self) -> usize {
        self.deviations.len()
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.deviations.is_empty() {
            return f.write_str("default");
        }
        for (index, (choice, taken)) in self.deviations.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            write!(f, "{comma}{choice}:{taken}")?;
        }
        Ok(())
    }
}

/// A text that is no schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduleError(String);

impl fmt::Display for ScheduleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is not a deviation: write CHOICE:ALTERNATIVE with increasing choices",
            self.0
        )
    }
}

impl std::error::Error for ScheduleError {}

impl FromStr for Schedule {
    type Err = ScheduleError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut deviations: Vec<(u32, u32)> = Vec::new();
        if text == "default" {
            return Ok(Self { deviations });
        }
        for part in text.split(',') {
            let fail = || ScheduleError(part.to_owned());
            let (choice, taken) = part.trim().split_once(':').ok_or_else(fail)?;
            let choice = choice.parse().map_err(|_| fail())?;
            let taken = taken.parse().map_err(|_| fail())?;
            if taken == 0 || deviations.last().is_some_and(|&(last, _)| last >= choice) {
                return Err(fail());
            }
            deviations.push((choice, taken));
        }
        Ok(Self { deviations })
    }
}

/// Follows a given schedule, and notices when the run does not offer what it says.
#[derive(Clone, Debug)]
pub struct Given {
    schedule: Schedule,
    next: usize,
    choices: u32,
    missed: Option<Missed>,
}

/// A deviation that could not be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missed {
    /// At which choice.
    pub choice: u32,
    /// Which alternative was asked for.
    pub wanted: u32,
    /// How many there were; none when the run ended before.
    pub count: usize,
}

impl Given {
    /// The chooser of that schedule.
    pub fn new(schedule: Schedule) -> Self {
        Self { schedule, next: 0, choices: 0, missed: None }
    }

    /// The first deviation that the run did not offer; to be asked after the run.
    pub fn missed(&self) -> Option<Missed> {
        let left = self.schedule.deviations.get(self.next);
        self.missed.or(left.map(|&(choice, wanted)| Missed { choice, wanted, count: 0 }))
    }
}

impl Chooser for Given {
    fn choose(&mut self, count: usize) -> usize {
        let choice = self.choices;
        self.choices += 1;
        match self.schedule.deviations.get(self.next) {
            Some(&(at, wanted)) if at == choice => {
                self.next += 1;
                if (wanted as usize) < count {
                    return wanted as usize;
                }
                self.missed = self.missed.or(Some(Missed { choice, wanted, count }));
                0
            }
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schedule_prints_what_it_parses() {
        let schedule = Schedule::from_choices([0, 2, 0, 0, 1]);
        assert_eq!(schedule.to_string(), "1:2,4:1");
        assert_eq!("1:2,4:1".parse(), Ok(schedule));
        assert_eq!("default".parse(), Ok(Schedule::default()));
        for bad in ["", "1", "1:x", "1:0", "2:1,1:1", "1:1,1:2", "1:1,,2:1", "-1:1"] {
            assert!(bad.parse::<Schedule>().is_err(), "{bad:?} must not be a schedule");
        }
    }

    #[test]
    fn a_given_schedule_is_followed_and_misses_are_told() {
        let mut given = Given::new("1:2".parse().unwrap());
        assert_eq!([given.choose(3), given.choose(3), given.choose(3)], [0, 2, 0]);
        assert_eq!(given.missed(), None);

        let mut given = Given::new("0:5".parse().unwrap());
        assert_eq!(given.choose(2), 0);
        assert_eq!(given.missed(), Some(Missed { choice: 0, wanted: 5, count: 2 }));

        let given = Given::new("9:1".parse().unwrap());
        assert_eq!(given.missed(), Some(Missed { choice: 9, wanted: 1, count: 0 }));
    }

    #[test]
    fn a_seed_decides_and_all_alternatives_occur() {
        let draw = |seed| {
            let mut seeded = Seeded::new(seed);
            (0..50).map(|_| seeded.choose(3)).collect::<Vec<_>>()
        };
        assert_eq!(draw(7), draw(7));
        assert_ne!(draw(7), draw(8));
        for alternative in 0..3 {
            assert!(draw(7).contains(&alternative));
        }
    }
}
