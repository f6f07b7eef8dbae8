//! What one exploration would have found, from the runs that several have saved.

use super::super::explore::{Saved, SavedTest, groups};
use super::super::outcome::{Explored, Failed, FileResult, Outcome, TestResult};
use super::super::reporters::shown;
use super::{Part, blame};
use crate::report::Failure;
use hemiola_explore::schedules::{Made, Search, Settings};
use std::path::{Path, PathBuf};

/// Nothing bounds it: all runs are there.
const SETTINGS: Settings =
    Settings { deviations: None, schedules: u64::MAX, seed: 0, first_failure: false };

/// A test of which all runs are there.
pub(super) struct Joined {
    file: String,
    name: Vec<String>,
    place: Vec<u32>,
    search: Search,
}

/// All tests of which no run is missing.
pub(super) fn all(saved: &[(PathBuf, Saved)]) -> Result<Vec<Joined>, Failure> {
    let mut seen: Vec<&SavedTest> = Vec::new();
    let mut joined = Vec::new();
    for (_, part) in saved {
        for one in &part.tests {
            if seen.iter().any(|other| is_same(other, one)) {
                continue;
            }
            seen.push(one);
            let mut made = Made::default();
            for (path, part) in saved {
                for other in part.tests.iter().filter(|other| is_same(other, one)) {
                    other.must_be(&one.test, path)?;
                    other.add_to(&mut made, path)?;
                }
            }
            let test = &one.test;
            joined.extend(made.search(SETTINGS).map(|search| Joined {
                file: test.file.clone(),
                name: test.name.clone(),
                place: test.place.clone(),
                search,
            }));
        }
    }
    Ok(joined)
}

fn is_same(one: &SavedTest, other: &SavedTest) -> bool {
    (&one.test.file, &one.test.place) == (&other.test.file, &other.test.place)
}

impl Joined {
    /// Says in the results what one exploration would have said of the test.
    pub(super) fn tell(
        &self,
        results: &mut [FileResult],
        parts: &[Part],
        saved: &[(PathBuf, Saved)],
        root: &Path,
    ) {
        let mut results = results.iter_mut().filter(|one| shown(root, &one.file) == self.file);
        let tests = results.next().into_iter().flat_map(|result| &mut result.tests);
        // Where several have one name it is not known which is meant.
        let mut tests: Vec<&mut TestResult> = tests.filter(|test| test.name == self.name).collect();
        let [test] = tests.as_mut_slice() else { return };
        let is_flaky = test.outcome == Outcome::Flaky;
        if let Some(known) = test.explored.as_mut().filter(|one| one.instead.is_none() || is_flaky)
        {
            let found = self.search.found().iter();
            let failing = found.filter(|found| found.outcome.failure.is_some());
            *known = Explored {
                schedules: self.search.counts().runs(),
                failing: failing.map(|found| found.runs).sum(),
                exhaustive: self.search.is_complete(),
                cut: self.search.counts().cut,
                instead: None,
            };
        }
        if is_flaky {
            let groups = groups(&self.search).into_iter();
            let told = groups.map(|group| {
                let schedule = group.schedule.to_string();
                let part = self.part_with(&schedule, saved);
                let in_part = parts.iter().filter(|one| part.is_some() && one.shard == part);
                let results = in_part.flat_map(|part| &part.results);
                let results = results.filter(|one| shown(root, &one.file) == self.file);
                let tests = results.flat_map(|result| &result.tests);
                let tests = tests.filter(|test| test.name == self.name);
                let mut failures = tests.flat_map(|test| &test.failures).chain(&test.failures);
                failures.find(|failed| blame(failed) == group.blame).cloned()
            });
            if let Some(mut told) = told.collect::<Option<Vec<Failed>>>() {
                told.sort_by_key(Failed::class);
                test.failures = told;
            }
        }
    }

    /// Which part has made the run of a schedule.
    fn part_with(&self, schedule: &str, saved: &[(PathBuf, Saved)]) -> Option<(u64, u64)> {
        let has = |one: &SavedTest| {
            (&one.test.file, &one.test.place) == (&self.file, &self.place)
                && one.has_outcome(schedule)
        };
        let (_, part) = saved.iter().find(|(_, part)| part.tests.iter().any(has))?;
        part.shard
    }
}
