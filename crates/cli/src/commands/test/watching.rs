//! `--watch`: the tests again whenever a file changes.

use super::find;
use crate::console::complain;
use crate::done::Done;
use crate::report::Failure;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// How often files are looked at.
const PAUSE: Duration = Duration::from_millis(300);

/// Runs the tests once more after each change, until somebody ends the process.
pub(super) fn run(
    root: &Path,
    first: Done,
    mut again: impl FnMut(&[PathBuf]) -> Result<Done, Failure>,
) -> Result<Done, Failure> {
    complain(&first.notes);
    let mut seen = times(root);
    complain("waiting for a change; end with Ctrl-C\n");
    loop {
        std::thread::sleep(PAUSE);
        let now = times(root);
        if now == seen {
            continue;
        }
        let is_new = |path: &&PathBuf| now.get(*path) != seen.get(*path);
        let changed: Vec<PathBuf> = now.keys().chain(seen.keys()).filter(is_new).cloned().collect();
        match again(&changed) {
            Ok(done) => complain(&done.notes),
            Err(failure) => complain(&failure.to_string()),
        }
        // What the tests have written themselves is no change.
        seen = times(root);
        complain("waiting for a change; end with Ctrl-C\n");
    }
}

/// When each file of the project was last written.
fn times(root: &Path) -> BTreeMap<PathBuf, SystemTime> {
    let time = |path: PathBuf| {
        let time = fs::metadata(&path).and_then(|found| found.modified()).ok()?;
        Some((path, time))
    };
    find::sources(root).into_iter().filter_map(time).collect()
}
