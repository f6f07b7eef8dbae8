//! Failures are found, repeated and made small; readers survive the first damaged inputs.
#![allow(clippy::disallowed_methods, reason = "tests have files and processes")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn fuzz(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fuzz")).args(words).output().expect("it can be started")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a directory can be made");
    path
}

#[test]
fn panics_aborts_overflows_and_wrong_answers_are_found_and_made_small() {
    let out = directory("found");
    let done = fuzz(&["run", "traps", "--runs", "60", "--out", &out.display().to_string()]);
    let said = text(&done.stdout);
    assert_eq!(done.status.code(), Some(100), "{said}{}", text(&done.stderr));
    for what in ["there is a trap in it", "signal 6", "it says that it is wrong"] {
        assert!(said.contains(what), "{what}: {said}");
    }
    let files: Vec<PathBuf> = fs::read_dir(&out)
        .expect("failures are kept")
        .map(|entry| entry.expect("it can be read").path())
        .collect();
    assert!(files.len() >= 3, "{files:?}");
    for file in files {
        let kept = text(&fs::read(&file).expect("a failure is a file"));
        let words = ["panic", "abort", "overflow", "wrong"];
        assert!(words.iter().any(|word| kept.contains(word)), "it still fails: {kept:?}");
        assert!(kept.len() < 80, "it is smaller than all of the corpus: {kept:?}");
        let again = fuzz(&["repeat", &file.display().to_string()]);
        assert_eq!(again.status.code(), Some(100), "{}", text(&again.stdout));
    }
}

#[test]
fn what_never_ends_is_found() {
    let file = directory("endless").join("traps-1-1");
    fs::write(&file, "for ever").expect("a file can be written");
    let done = fuzz(&["repeat", "--limit", "2", &file.display().to_string()]);
    assert_eq!(done.status.code(), Some(100));
    assert!(
        text(&done.stdout).contains("hang: it takes longer than 2 s"),
        "{}",
        text(&done.stdout)
    );
}

#[test]
fn a_line_repeats_an_input() {
    let input = |number: &str| fuzz(&["show", "http-server", number, "--seed", "7"]).stdout;
    assert_eq!(input("3"), input("3"));
    assert_ne!(input("3"), input("4"));
}

#[test]
fn every_reader_survives_its_first_damaged_inputs() {
    let out = directory("readers");
    let done = fuzz(&["run", "all", "--runs", "40", "--out", &out.display().to_string()]);
    assert!(done.status.success(), "{}{}", text(&done.stdout), text(&done.stderr));
}

/// Some of them are what a reader did not survive once.
#[test]
fn every_reader_survives_its_corpus() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let entries = |folder: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).expect("the corpus is there");
        entries.map(|entry| entry.expect("it can be read").path()).collect()
    };
    for file in entries(&corpus).iter().flat_map(|folder| entries(folder)) {
        let done = fuzz(&["repeat", &file.display().to_string()]);
        let said = text(&done.stdout) + &text(&done.stderr);
        assert!(done.status.success(), "{}: {said}", file.display());
    }
}

#[test]
fn a_target_that_is_not_there_is_told() {
    let done = fuzz(&["run", "nothing"]);
    assert_eq!(done.status.code(), Some(2));
    assert!(text(&done.stderr).contains("there is no target `nothing`"), "{}", text(&done.stderr));
}
