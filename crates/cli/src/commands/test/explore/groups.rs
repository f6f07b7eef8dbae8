//! Failures of one test that are the same: they are at one place and of one kind, whatever their messages say.

use super::super::outcome::{Class, Failed};
use super::file::failure;
use hemiola_explore::schedules::{Blame, Search};
use hemiola_machine::{Place, Schedule};

/// Failures that are the same.
pub(in super::super) struct Group {
    pub(in super::super) blame: Blame,
    pub(super) class: Class,
    /// The most telling of them.
    pub(super) failed: Failed,
    pub(in super::super) schedule: Schedule,
}

/// The failures that a search found, the most telling first: those that only need another order, those whose place
/// is known, those with few deviations.
pub(in super::super) fn groups(search: &Search) -> Vec<Group> {
    let told = |text: &String| failure(text);
    let failures =
        search.failures_by(|outcome| outcome.failure.as_ref().map(|text| blame(&told(text))));
    let groups = failures.into_iter().map(|failing| {
        let found = failing.found[0];
        let failed = found.outcome.failure.as_ref().map(told).unwrap_or_default();
        let class = Class::of(failing.slow);
        Group { blame: failing.blame, class, failed, schedule: found.schedule.clone() }
    });
    groups.collect()
}

/// What failed, and where.
pub(in super::super) fn blame(failed: &Failed) -> Blame {
    let number = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    let place = failed.places.first().map(|place| Place {
        file: place.file.to_string_lossy().into(),
        line: number(place.line),
        column: number(place.column),
    });
    Blame::new(failed.message.lines().next().unwrap_or_default(), place)
}
