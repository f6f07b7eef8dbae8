//! Random async programs do the same with and without the loader's changes to every `await`, and in Node.
//!
//! `crates/js/tests/random/generate.cjs` makes them. `HEMIOLA_PROGRAMS` is how many, `HEMIOLA_SEED` is the
//! first one's seed; a failure names the seed of the program that differs.

use crate::common::{directory, hemiola, isolated, text};
use std::path::{Path, PathBuf};
use std::process::Output;

/// How many programs go into one file.
const FILE: u64 = 25;

fn number(variable: &str, default: u64) -> u64 {
    let asked = std::env::var(variable).ok();
    asked.map_or(default, |asked| asked.parse().expect("a number"))
}

fn generator() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../js/tests/random/generate.cjs")
}

/// What a command shows; it must end well.
fn shown(output: std::io::Result<Output>) -> String {
    let output = output.expect("the command can be started");
    let error = text(output.stderr);
    assert!(output.status.success(), "{error}");
    text(output.stdout)
}

fn run(folder: &Path, args: &[&str]) -> String {
    shown(hemiola(folder).args(args).output())
}

/// Fails with the seed of the first program that does not do the same.
fn compare(what: &str, one: &str, other: &str, kind: &str) {
    for (one, other) in one.split("== ").zip(other.split("== ")) {
        let seed = one.lines().next().unwrap_or_default();
        assert!(
            one == other,
            "{what}: program {seed} differs\n--- one\n{one}\n--- other\n{other}\nhelp: see the program: \
             hemiola run {} {seed} 1 {kind}",
            generator().display(),
        );
    }
    assert_eq!(one, other, "{what}");
}

/// Makes the programs file by file and hands each to a check, with its path and what it is called.
fn every_file(name: &str, kind: &str, check: impl Fn(&Path, &str)) {
    let first = number("HEMIOLA_SEED", 1);
    let count = number("HEMIOLA_PROGRAMS", 2 * FILE);
    for seed in (first..first + count).step_by(FILE as usize) {
        let generator = generator();
        let generator = generator.to_str().expect("the path is text");
        let (seed, many) = (seed.to_string(), FILE.min(first + count - seed).to_string());
        let folder = directory(name, &[]);
        let programs = run(&folder, &["run", generator, &seed, &many, kind]);
        assert_eq!(programs.matches("programs.push").count().to_string(), many);
        check(&directory(name, &[("main.cjs", &programs)]), "main.cjs");
    }
}

/// Where it is installed.
fn compare_with_node(folder: &Path, main: &str, ours: &str, kind: &str) {
    let node = isolated("node").args(["--no-warnings", main]).current_dir(folder).output();
    if node.is_ok() {
        compare("in Node", ours, &shown(node), kind);
    }
}

#[test]
fn programs_do_the_same_with_contexts_and_without_and_in_node() {
    every_file("random_programs", "", |folder, main| {
        let ours = run(folder, &["run", "--no-warnings", main]);
        assert!(ours.lines().count() > 100, "they do something");
        compare("in virtual time", &ours, &run(folder, &["simulate", "--no-warnings", main]), "");
        let bare = run(folder, &["run", "--no-warnings", "--no-context", main]);
        compare("without contexts", &ours, &bare, "");
        compare_with_node(folder, main, &ours, "");
    });
}

#[test]
fn programs_whose_errors_leave_loops_do_the_same_in_node() {
    every_file("random_throwing_programs", "throwing", |folder, main| {
        let ours = run(folder, &["run", "--no-warnings", main]);
        let simulated = run(folder, &["simulate", "--no-warnings", main]);
        compare("in virtual time", &ours, &simulated, "throwing");
        compare_with_node(folder, main, &ours, "throwing");
    });
}

#[test]
fn programs_with_clocks_do_the_same_with_contexts_and_without() {
    every_file("random_labelled_programs", "labelled", |folder, main| {
        let ours = run(folder, &["simulate", "--no-warnings", main]);
        assert!(ours.lines().count() > 100, "they do something");
        let bare = run(folder, &["simulate", "--no-warnings", "--no-context", main]);
        compare("without contexts", &ours, &bare, "labelled");
    });
}
