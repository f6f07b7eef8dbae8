//! Every rule of docs/semantics.md is cited where it is implemented and where it is tested.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

/// All Rust files below a folder, and the programs of tests.
fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
            sources(&path, files);
        } else if path.extension().is_some_and(|kind| kind == "rs" || kind == "js") {
            files.push(path);
        }
    }
}

/// Whether a text cites a rule: `TIME-1`, but not `TIME-12`; in names of functions, `time_1`.
fn cites(text: &str, rule: &str) -> bool {
    let snake = rule.to_lowercase().replace('-', "_");
    let ends = |rest: &str| !rest.starts_with(|c: char| c.is_ascii_digit());
    [rule, &snake]
        .iter()
        .any(|name| text.match_indices(name).any(|(at, _)| ends(&text[at + name.len()..])))
}

#[test]
fn every_rule_is_cited_by_code_and_by_a_test() {
    let semantics = read(&root().join("docs/semantics.md"));
    let rules: Vec<&str> = semantics
        .lines()
        .filter_map(|line| line.strip_prefix("- **")?.split_whitespace().next())
        .collect();
    assert!(rules.len() > 30, "the rules are found: {rules:?}");
    let mut files = Vec::new();
    sources(&root().join("crates"), &mut files);
    let (tests, code): (Vec<_>, Vec<_>) =
        files.iter().partition(|path| path.components().any(|part| part.as_os_str() == "tests"));
    let of = |files: &[&PathBuf]| files.iter().map(|path| read(path)).collect::<String>();
    let (tests, code) = (of(&tests), of(&code));
    let lacking =
        |text: &str| rules.iter().copied().filter(|rule| !cites(text, rule)).collect::<Vec<_>>();
    assert_eq!(lacking(&code), [""; 0], "rules that no code cites");
    assert_eq!(lacking(&tests), [""; 0], "rules that no test cites");
    // The rules of time are also shown by programs in JavaScript.
    let mut programs = Vec::new();
    sources(&root().join("crates/js/tests/time"), &mut programs);
    let programs = of(&programs.iter().collect::<Vec<_>>());
    let mut missing = lacking(&programs);
    missing.retain(|rule| rule.starts_with("TIME-"));
    assert_eq!(missing, [""; 0], "rules of time that no program shows");
}
