//! Places at which a program is to stop.

use crate::model::{Breakpoint, Place, Step};
use std::fmt;

/// What a user asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// The line.
    pub line: u32,
    /// Stops only if this is true.
    pub condition: Option<String>,
    /// Stops only some of the times.
    pub hits: Option<HitRule>,
    /// Does not stop: says this instead.
    pub log: Option<String>,
    /// Stops only in these invocations, which are in order.
    pub chain: Option<Vec<u64>>,
}

/// At which of its hits a breakpoint counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HitRule {
    /// At this one.
    Nth(u64),
    /// From this one on.
    From(u64),
    /// Up to this one.
    UpTo(u64),
    /// At every so-manieth.
    Every(u64),
}

impl HitRule {
    /// Reads one: `3`, `== 3`, `> 3`, `>= 3`, `< 3`, `<= 3`, `% 3`.
    pub fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        let number = |rest: &str| rest.trim().parse::<u64>().ok();
        let all = [
            ("===", Self::Nth as fn(u64) -> Self),
            ("==", Self::Nth),
            ("=", Self::Nth),
            (">=", Self::From),
            (">", |count| Self::From(count.saturating_add(1))),
            ("<=", Self::UpTo),
            ("<", |count| Self::UpTo(count.saturating_sub(1))),
            ("%", Self::Every),
            ("", Self::Nth),
        ];
        let (sign, rule) = all.into_iter().find(|(sign, _)| text.starts_with(sign))?;
        number(&text[sign.len()..]).filter(|&count| count > 0 || sign != "%").map(rule)
    }

    /// Whether the hit with that number counts, the first being 1.
    pub fn holds(&self, hit: u64) -> bool {
        match *self {
            Self::Nth(count) => hit == count,
            Self::From(count) => hit >= count,
            Self::UpTo(count) => hit <= count,
            Self::Every(count) => hit.is_multiple_of(count),
        }
    }
}

impl fmt::Display for HitRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nth(count) => write!(f, "hit {count}"),
            Self::From(count) => write!(f, "hits from {count} on"),
            Self::UpTo(count) => write!(f, "hits up to {count}"),
            Self::Every(count) => write!(f, "every {count}. hit"),
        }
    }
}

/// All of them.
#[derive(Clone, Debug, Default)]
pub struct Breakpoints {
    next: u64,
    all: Vec<(Breakpoint, Option<HitRule>)>,
}

impl Breakpoints {
    /// Adds one at a place and gives its number.
    pub fn add(&mut self, place: Place, wanted: Wanted) -> u64 {
        self.next += 1;
        let Wanted { condition, hits, log, chain, line: _ } = wanted;
        let point = Breakpoint { id: self.next, place, condition, log, only: None, chain };
        self.all.push((point, hits));
        self.next
    }

    /// Removes all that are in a file.
    pub fn clear_file(&mut self, file: &str) {
        self.all.retain(|(point, _)| point.place.file != file);
    }

    /// Removes one; false if there is none of that number.
    pub fn remove(&mut self, id: u64) -> bool {
        let before = self.all.len();
        self.all.retain(|(point, _)| point.id != id);
        self.all.len() < before
    }

    /// Gives one another condition; false if there is none of that number.
    pub fn set_condition(&mut self, id: u64, condition: Option<String>) -> bool {
        let found = self.all.iter_mut().find(|(point, _)| point.id == id);
        found
            .map(|(point, _)| {
                point.condition = condition;
                point.only = None;
            })
            .is_some()
    }

    /// Gives one a rule about its hits; false if there is none of that number.
    pub fn set_hits(&mut self, id: u64, rule: HitRule) -> bool {
        let found = self.all.iter_mut().find(|(point, _)| point.id == id);
        found
            .map(|(point, hits)| {
                point.only = None;
                *hits = Some(rule);
            })
            .is_some()
    }

    /// A number that no other has.
    pub fn next_id(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = (&Breakpoint, Option<&HitRule>)> {
        self.all.iter().map(|(point, rule)| (point, rule.as_ref()))
    }

    /// Those that stop a program.
    pub(crate) fn stopping(&self) -> Vec<Breakpoint> {
        let stopping = self.all.iter().filter(|(point, _)| point.log.is_none());
        stopping.map(|(point, _)| point.clone()).collect()
    }

    /// Those that count only some of the times, which is not known yet.
    pub(crate) fn uncounted(&self) -> Vec<(Breakpoint, HitRule)> {
        let all = self.all.iter();
        all.filter(|(point, _)| point.only.is_none() && point.log.is_none())
            .filter_map(|(point, rule)| Some((point.clone(), (*rule)?)))
            .collect()
    }

    /// Says at which positions one counts.
    pub(crate) fn count(&mut self, id: u64, only: Vec<Step>) {
        if let Some((point, _)) = self.all.iter_mut().find(|(point, _)| point.id == id) {
            point.only = Some(only);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hit_rules_are_read() {
        let hits = |text: &str| {
            let rule = HitRule::read(text)?;
            Some((1..=6).filter(|&hit| rule.holds(hit)).collect::<Vec<_>>())
        };
        assert_eq!(hits("3"), Some(vec![3]));
        assert_eq!(hits(" == 2 "), Some(vec![2]));
        assert_eq!(hits("> 4"), Some(vec![5, 6]));
        assert_eq!(hits(">=4"), Some(vec![4, 5, 6]));
        assert_eq!(hits("<3"), Some(vec![1, 2]));
        assert_eq!(hits("<= 1"), Some(vec![1]));
        assert_eq!(hits("%2"), Some(vec![2, 4, 6]));
        for bad in ["", "x", "% 0", "> ", "-1", "1.5"] {
            assert_eq!(HitRule::read(bad), None, "{bad:?}");
        }
    }
}
