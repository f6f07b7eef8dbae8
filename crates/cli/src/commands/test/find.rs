//! Which files of a project are tests.

use super::glob;
use super::project::Project;
use crate::report::Failure;
use std::fs;
use std::path::{Path, PathBuf};

const EXTENSIONS: [&str; 8] = ["js", "mjs", "cjs", "ts", "mts", "cts", "tsx", "jsx"];
/// Directories in which every file is a test.
const FOLDERS: [&str; 2] = ["test", "__tests__"];
/// Directories among these that have what tests use.
const MATERIAL: [&str; 10] = [
    "fixtures",
    "fixture",
    "__fixtures__",
    "helpers",
    "support",
    "utils",
    "mocks",
    "__mocks__",
    "data",
    "snapshots",
];

/// The test files that the words on the command line mean, or all there are.
pub(super) fn files(
    root: &Path,
    words: &[String],
    project: &Project,
) -> Result<Vec<PathBuf>, Failure> {
    let all = sources(root);
    let tests: Vec<PathBuf> =
        all.iter().filter(|path| is_test(root, path, project)).cloned().collect();
    let mut found = Vec::new();
    for word in words {
        let before = found.len();
        found.extend(meant_by(word, root, &all, &tests));
        if found.len() == before {
            return Err(Failure::new(format!("no test file matches `{word}`"))
                .help("give a file, a directory, a pattern with `*`, or a part of the path of a test file"));
        }
    }
    if words.is_empty() {
        found = tests;
    }
    found.sort();
    found.dedup();
    if found.is_empty() {
        return Err(Failure::new("there are no test files here")
            .help("name files `*.test.js` or put them in `test`, or give their paths"));
    }
    Ok(found)
}

fn meant_by(word: &str, root: &Path, all: &[PathBuf], tests: &[PathBuf]) -> Vec<PathBuf> {
    let path = normal(&root.join(word));
    if path.is_file() {
        return vec![path];
    }
    if path.is_dir() {
        let inside: Vec<PathBuf> =
            tests.iter().filter(|test| test.starts_with(&path)).cloned().collect();
        // Where none looks like a test, all are meant.
        return if inside.is_empty() { within(&path, &sources(&path)) } else { inside };
    }
    let relative =
        |path: &PathBuf| path.strip_prefix(root).unwrap_or(path).to_string_lossy().into_owned();
    if glob::is_pattern(word) {
        let pattern = word.trim_start_matches("./");
        return all
            .iter()
            .filter(|path| glob::matches(pattern, &relative(path)))
            .cloned()
            .collect();
    }
    tests.iter().filter(|path| relative(path).contains(word)).cloned().collect()
}

/// A path without `.` and `..`.
pub(in crate::commands) fn normal(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut found, part| {
        match part {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir => {
                found.pop();
            }
            part => found.push(part),
        }
        found
    })
}

fn within(directory: &Path, all: &[PathBuf]) -> Vec<PathBuf> {
    all.iter().filter(|path| path.starts_with(directory)).cloned().collect()
}

/// All files of a project that may be programs, in the order of their paths.
pub(super) fn sources(root: &Path) -> Vec<PathBuf> {
    below(root, is_source)
}

/// The files of a project that are wanted, in the order of their paths.
pub(super) fn below(root: &Path, is_wanted: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() {
                if name != "node_modules" && !name.starts_with('.') {
                    folders.push(entry.path());
                }
            } else if is_wanted(&entry.path()) {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    found
}

/// Whether a file may be a program, by its name.
pub(super) fn is_source(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    EXTENSIONS.contains(&extension)
        && ![".d.ts", ".d.mts", ".d.cts"].iter().any(|end| name.ends_with(end))
}

/// Whether a file is a test.
pub(super) fn is_test(root: &Path, path: &Path, project: &Project) -> bool {
    let relative = path.strip_prefix(root).unwrap_or(path).to_string_lossy().into_owned();
    let any = |patterns: &[String]| {
        patterns.iter().any(|pattern| glob::matches(pattern.trim_start_matches("./"), &relative))
    };
    if any(&project.exclude) {
        return false;
    }
    if !project.include.is_empty() {
        return any(&project.include);
    }
    let parts: Vec<&str> = relative.split('/').collect();
    let (name, folders) = parts.split_last().expect("a path has a name");
    has_name(name) || is_in_folder(root, folders)
}

/// Whether a path is that of a test by its name.
pub(in crate::commands) fn is_named(path: &Path) -> bool {
    path.file_name().is_some_and(|name| has_name(&name.to_string_lossy()))
}

/// Whether the name of a file says that it is a test.
fn has_name(name: &str) -> bool {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    [".test", "_test", "-test", ".spec", "_spec", "-spec"].iter().any(|end| stem.ends_with(end))
        || stem.starts_with("test-")
        || stem == "test"
}

/// Whether a file is in a directory of tests that has none with the name of one, and is not what they use.
fn is_in_folder(root: &Path, folders: &[&str]) -> bool {
    let Some(at) = folders.iter().position(|folder| FOLDERS.contains(folder)) else { return false };
    if folders[at + 1..].iter().any(|folder| MATERIAL.contains(folder)) {
        return false;
    }
    let folder = root.join(folders[..=at].join("/"));
    !sources(&folder).iter().any(|path| is_named(path))
}
