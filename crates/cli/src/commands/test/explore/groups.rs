//! Failures of one test that are the same: they are at one place and of one kind, whatever their messages say.

use super::super::outcome::{Class, Failed};
use super::file::failure;
use hemiola_explore::schedules::Search;
use hemiola_machine::Schedule;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Where something failed, and what: the name of the error, or the message where there is no place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in super::super) struct Key(Option<(PathBuf, u64)>, String);

impl Key {
    pub(in super::super) fn of(failed: &Failed) -> Self {
        let place = failed.places.first().map(|place| (place.file.clone(), place.line));
        let first = failed.message.lines().next().unwrap_or_default();
        let what = match (&place, first.split_once(':')) {
            (Some(_), Some((name, _))) if is_error(name) => name.to_owned(),
            (Some(_), _) => String::new(),
            // Numbers differ between runs.
            (None, _) => first.chars().filter(|letter| !letter.is_ascii_digit()).collect(),
        };
        Self(place, what)
    }
}

/// Whether a word is the name of an error.
fn is_error(word: &str) -> bool {
    (word.ends_with("Error") || word.ends_with("Exception")) && !word.contains(' ')
}

/// Failures that are the same.
pub(super) struct Group {
    pub(super) key: Key,
    pub(super) class: Class,
    /// The most telling of them.
    pub(super) failed: Failed,
    pub(super) schedule: Schedule,
}

/// The failures that a search found, the most telling first: those that only need another order, those whose place
/// is known, those with few deviations.
pub(super) fn groups(search: &Search) -> Vec<Group> {
    let mut groups: BTreeMap<Key, Group> = BTreeMap::new();
    for found in search.found() {
        let Some(text) = &found.outcome.failure else { continue };
        let (class, failed) = failure(text);
        let key = Key::of(&failed);
        let group = Group { key: key.clone(), class, failed, schedule: found.schedule.clone() };
        let better = |known: &Group| telling(&group) < telling(known);
        if groups.get(&key).is_none_or(better) {
            groups.insert(key, group);
        }
    }
    let mut groups: Vec<Group> = groups.into_values().collect();
    groups.sort_by_key(telling);
    groups
}

fn telling(group: &Group) -> (Class, bool, usize) {
    (group.class, group.key.0.is_none(), group.schedule.deviations())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::test::outcome::Place;

    fn key(message: &str, line: Option<u64>) -> Key {
        let place = |line| Place { file: "a.js".into(), line, column: 1 };
        let places = line.map(place).into_iter().collect();
        Key::of(&Failed { places, ..Failed::new(message) })
    }

    #[test]
    fn a_place_and_a_kind_of_error_make_a_group() {
        let first = key("AssertionError: 3 != 4", Some(7));
        assert_eq!(first, key("AssertionError: 5 != 4", Some(7)), "the values do not matter");
        assert_ne!(first, key("AssertionError: 3 != 4", Some(8)), "the place does");
        assert_ne!(first, key("TypeError: 3 != 4", Some(7)), "so does the kind");
        assert_eq!(key("port 41231 is taken", None), key("port 5 is taken", None));
        assert_ne!(key("port 5 is taken", None), key("file 5 is taken", None));
    }
}
