//! Which tests failed last time.

use super::outcome::{FileResult, Outcome};
use crate::report::Failure;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// Files with the names of their tests; none of them where the file as a whole failed.
pub(super) type LastFailed = Vec<(PathBuf, Option<Vec<Vec<String>>>)>;

fn place(root: &Path) -> PathBuf {
    let modules = root.join("node_modules");
    let base =
        if modules.is_dir() { modules.join(".cache/hemiola") } else { root.join(".hemiola") };
    base.join("failed-tests.json")
}

/// Keeps what failed. A project in which nothing ever failed has no such file.
pub(super) fn keep(root: &Path, results: &[FileResult]) {
    let path = place(root);
    let failed: Vec<Value> = results
        .iter()
        .filter(|result| result.is_failed())
        .map(|result| {
            let tests = result.tests.iter().filter(|test| test.outcome == Outcome::Fail);
            let names: Vec<&Vec<String>> = tests.map(|test| &test.name).collect();
            let names = if result.broken.is_empty() { json!(names) } else { Value::Null };
            json!({ "file": result.file.to_string_lossy(), "names": names })
        })
        .collect();
    if failed.is_empty() && !path.exists() {
        return;
    }
    // Whoever cannot write there has no use for --rerun-failed.
    let _ = fs::create_dir_all(path.parent().unwrap_or(root))
        .and_then(|()| fs::write(path, json!({ "version": 1, "failed": failed }).to_string()));
}

pub(super) fn last(root: &Path) -> Result<LastFailed, Failure> {
    let path = place(root);
    let nothing = || {
        Failure::new(format!(
            "cannot tell which tests failed last time: there is no {}",
            path.display()
        ))
        .help("run `hemiola test` first, in the same directory")
    };
    let text = fs::read_to_string(&path).map_err(|_| nothing())?;
    let value: Value = serde_json::from_str(&text).map_err(|_| nothing())?;
    let list = value["failed"].as_array().ok_or_else(nothing)?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let name = |value: &Value| value.as_array().into_iter().flatten().map(text).collect::<Vec<_>>();
    Ok(list
        .iter()
        .map(|entry| {
            let names = entry["names"].as_array().map(|names| names.iter().map(name).collect());
            (PathBuf::from(text(&entry["file"])), names)
        })
        .collect())
}
