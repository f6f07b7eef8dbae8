//! How the repository is laid out: ARCHITECTURE.md knows every crate and every arrow between two, no test is
//! forgotten, and only the live world speaks to the system.

use crate::common::compare;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What the manifests say.
fn packages() -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut metadata: Value = serde_json::from_slice(&output.stdout).expect("it writes JSON");
    metadata["packages"].as_array_mut().map(std::mem::take).expect("there are packages")
}

fn list<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value[key].as_array().into_iter().flatten()
}

/// The crate's name as we say it; nothing for a crate of somebody else. The one with the program has the program's.
fn name(package: &Value) -> Option<String> {
    match package["name"].as_str()? {
        "hemiola" => Some("cli".to_owned()),
        name => name.strip_prefix("hemiola-").map(str::to_owned),
    }
}

/// Every crate of ours with those that it depends on, outside of tests and build scripts.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let of = |package: &Value| {
        let normal =
            list(package, "dependencies").filter(|dependency| dependency["kind"].is_null());
        Some((name(package)?, normal.filter_map(name).collect()))
    };
    packages().iter().filter_map(of).collect()
}

/// The arrows as they are written: whoever is depended on stands above.
fn arrows(dependencies: &BTreeMap<String, BTreeSet<String>>) -> String {
    let mut text = String::new();
    let mut done = BTreeSet::new();
    while done.len() < dependencies.len() {
        let next = dependencies
            .iter()
            .find(|(name, needs)| !done.contains(*name) && needs.is_subset(&done));
        let name = next.expect("crates do not depend on each other in a circle").0;
        done.insert(name.clone());
        let users = dependencies.iter().filter(|(_, needs)| needs.contains(name));
        let users: Vec<&str> = users.map(|(user, _)| user.as_str()).collect();
        if !users.is_empty() {
            let _ = writeln!(text, "    {name} <- {}", users.join(", "));
        }
    }
    text
}

/// `UPDATE=1` writes the arrows anew.
#[test]
fn the_architecture_has_every_crate_and_every_arrow() {
    let path = root().join("ARCHITECTURE.md");
    let text = fs::read_to_string(&path).expect("there is an architecture");
    let dependencies = dependencies();
    let (before, rest) = text.split_once("\n## Crates\n").expect("it has a part about crates");
    let is_arrow = |line: &&str| line.starts_with("    ");
    let intro: String = rest.split_inclusive('\n').take_while(|line| !is_arrow(line)).collect();
    let after: String = rest
        .split_inclusive('\n')
        .skip_while(|line| !is_arrow(line))
        .skip_while(is_arrow)
        .collect();
    let arrows = arrows(&dependencies);
    compare(&path, &format!("{before}\n## Crates\n{intro}{arrows}{after}"));

    let table = after.lines().skip_while(|line| !line.starts_with("| crate |")).skip(2);
    let rows = table.take_while(|line| line.starts_with('|'));
    let rows: Vec<&str> = rows.filter_map(|row| row.split('`').nth(1)).collect();
    assert_eq!(
        rows.iter().copied().collect::<BTreeSet<_>>().len(),
        rows.len(),
        "a crate has one row"
    );
    let crates: Vec<&str> = dependencies.keys().map(String::as_str).collect();
    let mut rows = rows;
    rows.sort_unstable();
    assert_eq!(rows, crates, "the table of crates");
}

/// With one binary for each crate, a file that is not a module of it would never run.
#[test]
fn every_file_of_tests_is_in_a_binary() {
    for package in packages() {
        let manifest = Path::new(package["manifest_path"].as_str().expect("a crate is a file"));
        let folder = manifest.with_file_name("tests");
        let targets: Vec<PathBuf> = list(&package, "targets")
            .filter(|target| list(target, "kind").any(|kind| kind == "test"))
            .filter_map(|target| target["src_path"].as_str().map(PathBuf::from))
            .collect();
        let binaries: String = targets
            .iter()
            .map(|path| fs::read_to_string(path).expect("a binary has a file"))
            .collect();
        for entry in fs::read_dir(&folder).into_iter().flatten() {
            let path = entry.expect("the folder can be read").path();
            let is_rust = path.extension().is_some_and(|end| end == "rs");
            let module = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
            let is_module = binaries.lines().any(|line| line == format!("mod {module};"));
            assert!(
                !is_rust || is_module || targets.contains(&path),
                "{} never runs: it is in no test binary",
                path.display()
            );
        }
    }
}

/// Clippy takes the list of a crate's own folder instead of the workspace's. Such a list is that of the
/// workspace without the groups that its first line names; `UPDATE=1` writes it anew.
#[test]
fn lists_of_bans_differ_by_whole_groups() {
    let whole = fs::read_to_string(root().join("clippy.toml")).expect("there is a list");
    let start = whole.find("disallowed-methods").expect("it bans functions");
    for package in packages() {
        let manifest = Path::new(package["manifest_path"].as_str().expect("a crate is a file"));
        let path = manifest.with_file_name("clippy.toml");
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let first = text.lines().next().unwrap_or_default();
        let groups = first.strip_prefix("# Without ").and_then(|first| first.split_once(": "));
        let (groups, _) = groups.expect("the first line says what is not banned, and why");
        let groups: Vec<&str> = groups.split(", ").collect();
        let mut expected = format!("{first}\n");
        let mut group = "";
        for line in whole[start..].lines() {
            group = match line.strip_prefix("  # ") {
                Some(name) => name,
                None if line.starts_with(']') => "",
                None => group,
            };
            if !groups.contains(&group) {
                let _ = writeln!(expected, "{line}");
            }
        }
        compare(&path, &expected);
    }
}

/// Crates that speak to the system, and whose they may be. The engine asks for memory and for copies of a
/// process; the debugger speaks to the processes that are its checkpoints.
const SYSTEM: &[(&str, &[&str])] = &[
    ("command-fds", &["live"]),
    ("dns-lookup", &["live"]),
    ("libc", &["engine", "live"]),
    ("mio", &["live"]),
    ("nix", &["live"]),
    ("postgres", &["live"]),
    ("process-wrap", &["live"]),
    ("rusqlite", &["live"]),
    ("rustix", &["debug", "live"]),
    ("signal-hook", &["live"]),
    ("socket2", &["live"]),
    ("tokio", &["live"]),
    ("tokio-rustls", &["live"]),
];

#[test]
fn only_some_crates_speak_to_the_system() {
    for package in packages() {
        let Some(user) = name(&package) else { continue };
        for dependency in list(&package, "dependencies").filter(|one| one["kind"].is_null()) {
            let system = SYSTEM.iter().find(|(name, _)| dependency["name"] == *name);
            if let Some((system, users)) = system {
                assert!(users.contains(&user.as_str()), "{user} must not depend on {system}");
            }
        }
    }
}

/// What is published says the same of itself everywhere; where the source is, all say or none.
#[test]
fn what_is_published_says_the_same_of_itself() {
    let all = packages();
    let published: Vec<&Value> = all
        .iter()
        .filter(|package| package["publish"].as_array().is_none_or(|to| !to.is_empty()))
        .collect();
    let of = |package: &Value| {
        let shared = ["version", "license", "rust_version", "keywords", "categories", "repository"];
        shared.map(|field| package[field].clone())
    };
    let manifest = |path: &str| -> Value {
        let text = fs::read_to_string(root().join(path)).expect("there is a manifest");
        serde_json::from_str(&text).expect("it is JSON")
    };
    let first = of(published[0]);
    for package in &published {
        let name = &package["name"];
        assert_eq!(of(package), first, "{name}");
        assert!(package["description"].is_string() && package["readme"].is_string(), "{name}");
    }
    for path in ["npm/package.json", "npm/types/package.json", "editors/vscode/package.json"] {
        let manifest = manifest(path);
        assert_eq!([&manifest["version"], &manifest["license"]], [&first[0], &first[1]], "{path}");
        assert_eq!(manifest["repository"].is_null(), first[5].is_null(), "{path}");
    }
}

/// Workflows and the image name files that are there, and the versions that we say.
#[test]
fn workflows_name_what_is_there() {
    let read = |path: &str| fs::read_to_string(root().join(path)).expect("it is there");
    let files = [".github/workflows/ci.yml", ".github/workflows/release.yml", "Dockerfile"];
    let rust = packages()[0]["rust_version"].as_str().expect("it is said").to_owned();
    let mut count = 0;
    for file in files {
        let text = read(file);
        let is_end = |letter: char| letter.is_whitespace() || "\"'{}(),:;".contains(letter);
        for word in text.split(is_end) {
            let word = word.trim_start_matches("./");
            if ["scripts/", ".ci/", "examples/"].iter().any(|start| word.starts_with(start)) {
                assert!(root().join(word).exists(), "{file}: {word}");
                count += 1;
            }
        }
        for (_, version) in
            text.match_indices("rust:").map(|(at, found)| (at, &text[at + found.len()..]))
        {
            assert!(version.starts_with(&rust), "{file}: rust:{}", &version[..8]);
            count += 1;
        }
    }
    assert!(count > 6, "{count}");
}

/// The files of Rust below a directory.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("it is a directory");
    let paths = entries.map(|entry| entry.expect("it can be read").path());
    let below = |path: PathBuf| match path.is_dir() {
        true => sources(&path),
        false => vec![path],
    };
    paths.flat_map(below).filter(|path| path.extension().is_some_and(|end| end == "rs")).collect()
}

/// Programs are told which version of a crate they use.
#[test]
fn the_version_of_brotli_is_that_of_the_crate() {
    let lock = fs::read_to_string(root().join("Cargo.lock")).expect("it can be read");
    let told = hemiola_js::VERSIONS.iter().find(|(name, _)| *name == "brotli");
    let (_, version) = told.expect("programs are told");
    assert!(lock.contains(&format!("name = \"brotli\"\nversion = \"{version}\"")), "{version}");
}

/// What a crate is compiled with is in its package: nothing is taken from beside it.
#[test]
fn crates_include_what_is_theirs() {
    let mut count = 0;
    let is_published =
        |package: &Value| package["publish"].as_array().is_none_or(|to| !to.is_empty());
    for package in packages().into_iter().filter(is_published) {
        let manifest = Path::new(package["manifest_path"].as_str().expect("a crate is a file"));
        let folder = manifest.parent().expect("it is in a directory");
        for file in sources(&folder.join("src")) {
            let text = fs::read_to_string(&file).expect("it can be read");
            let included = ["include_str!(", "include_bytes!("];
            for part in included.iter().flat_map(|start| text.split(start).skip(1)) {
                let Some(path) = part.trim_start().strip_prefix('"') else { continue };
                let path = path.split('"').next().expect("it has an end");
                let up = path.split('/').filter(|name| *name == "..").count();
                let below = file.strip_prefix(folder).expect("it is in the crate").components();
                let name = file.display();
                assert!(up < below.count(), "{name} includes {path}, which is not in its crate");
                assert!(file.parent().is_some_and(|at| at.join(path).exists()), "{name}: {path}");
                count += 1;
            }
        }
    }
    assert!(count > 3, "{count}");
}
