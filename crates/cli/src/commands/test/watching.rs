//! `--watch`: the tests again whenever a file changes.

use super::find;
use crate::commands::searching::is_interrupted;
use crate::console::complain;
use crate::done::Done;
use crate::exit::WRONG;
use crate::report::Failure;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, IsTerminal, stdin};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, SystemTime};

/// How often files are looked at.
const PAUSE: Duration = Duration::from_millis(300);
/// So many files that changed are named.
const NAMED: usize = 3;
/// Beside programs, what tests read may have changed.
const DATA: [&str; 9] = ["json", "snap", "txt", "yaml", "yml", "csv", "html", "xml", "sql"];

/// Runs all tests, and once more after each change those that changed files are about, until somebody ends that.
pub(super) fn run(
    root: &Path,
    mut once: impl FnMut(Option<&[PathBuf]>) -> Result<Done, Failure>,
) -> Result<Done, Failure> {
    let keys = Keys::listen();
    let mut changed: Option<Vec<PathBuf>> = None;
    // What tests write themselves, run after run, is no change.
    let mut own: BTreeSet<PathBuf> = BTreeSet::new();
    loop {
        let before = times(root);
        let code = match once(changed.as_deref()) {
            Ok(done) => {
                complain(&done.notes);
                done.code
            }
            Err(failure) => {
                complain(&failure.to_string());
                WRONG
            }
        };
        if is_interrupted() {
            return Ok(Done::silent(code));
        }
        let mut seen = times(root);
        let mut during = differing(&before, &seen);
        during.retain(|path| find::is_source(path));
        let is_own = during.iter().all(|path| own.contains(path));
        own.extend(during.iter().cloned());
        if !is_own {
            changed = Some(told(root, during));
            continue;
        }
        complain(keys.hint());
        changed = loop {
            match keys.wait() {
                Key::Nothing => {}
                Key::All => break None,
                Key::End => return Ok(Done::silent(code)),
            }
            if is_interrupted() {
                return Ok(Done::silent(code));
            }
            let now = times(root);
            let found = differing(&seen, &now);
            seen = now;
            if !found.is_empty() {
                break Some(told(root, found));
            }
        };
    }
}

/// Says which files have changed.
fn told(root: &Path, changed: Vec<PathBuf>) -> Vec<PathBuf> {
    let name = |path: &PathBuf| path.strip_prefix(root).unwrap_or(path).display().to_string();
    let mut names: Vec<String> = changed.iter().take(NAMED).map(name).collect();
    if changed.len() > NAMED {
        names.push(format!("{} more", changed.len() - NAMED));
    }
    complain(&format!("\nchanged: {}\n", names.join(", ")));
    changed
}

type Times = BTreeMap<PathBuf, SystemTime>;

/// When each file of the project was last written.
fn times(root: &Path) -> Times {
    let time = |path: PathBuf| {
        let time = fs::metadata(&path).and_then(|found| found.modified()).ok()?;
        Some((path, time))
    };
    let is_data = |path: &Path| {
        path.extension().is_some_and(|end| DATA.iter().any(|one| end.eq_ignore_ascii_case(one)))
    };
    let files = find::below(root, |path| find::is_source(path) || is_data(path));
    files.into_iter().filter_map(time).collect()
}

/// The files that are there in only one of two, or have another time.
fn differing(one: &Times, other: &Times) -> Vec<PathBuf> {
    let all: BTreeSet<&PathBuf> = one.keys().chain(other.keys()).collect();
    all.into_iter().filter(|path| one.get(*path) != other.get(*path)).cloned().collect()
}

/// What somebody wants who types.
enum Key {
    Nothing,
    All,
    End,
}

/// Lines that are typed; none where nobody can.
struct Keys(Option<Receiver<Key>>);

impl Keys {
    fn listen() -> Self {
        if !stdin().is_terminal() {
            return Self(None);
        }
        let (sender, lines) = channel();
        let read = move || {
            for line in stdin().lock().lines().map_while(Result::ok) {
                let key = if line.trim() == "q" { Key::End } else { Key::All };
                if sender.send(key).is_err() {
                    break;
                }
            }
        };
        let is_started = std::thread::Builder::new().spawn(read).is_ok();
        Self(is_started.then_some(lines))
    }

    fn hint(&self) -> &'static str {
        match self.0 {
            Some(_) => "waiting for a change; Enter runs all tests, q and Enter ends\n",
            None => "waiting for a change; end with Ctrl-C\n",
        }
    }

    /// Waits for a while.
    fn wait(&self) -> Key {
        let Some(lines) = &self.0 else {
            std::thread::sleep(PAUSE);
            return Key::Nothing;
        };
        match lines.recv_timeout(PAUSE) {
            Ok(key) => key,
            Err(RecvTimeoutError::Timeout) => Key::Nothing,
            // Nobody types any more.
            Err(RecvTimeoutError::Disconnected) => {
                std::thread::sleep(PAUSE);
                Key::Nothing
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_came_went_or_were_written_differ() {
        let at = |second| SystemTime::UNIX_EPOCH + Duration::from_secs(second);
        let times = |files: &[(&str, u64)]| -> Times {
            files.iter().map(|&(path, second)| (path.into(), at(second))).collect()
        };
        let before = times(&[("gone.js", 1), ("same.js", 1), ("written.js", 1)]);
        let after = times(&[("new.js", 1), ("same.js", 1), ("written.js", 2)]);
        let expected = ["gone.js", "new.js", "written.js"].map(PathBuf::from);
        assert_eq!(differing(&before, &after), expected);
        assert!(differing(&after, &after).is_empty());
    }
}
