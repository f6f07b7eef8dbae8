//! Streams against what Node 20 printed for the same programs.

use crate::common::{HEMIOLA, isolated};
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../js/tests/streams")
}

/// Runs a program of the folder and compares line by line, so that a failure names the line.
fn agrees(program: &str, args: &[&str]) {
    let path = folder().join(program);
    let output = isolated(HEMIOLA).arg("run").arg(&path).args(args).output().expect("hemiola runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program}: {}\n{errors}", output.status);
    let seen = String::from_utf8(output.stdout).expect("hemiola writes UTF-8");
    let expected =
        std::fs::read_to_string(path.with_extension("out")).expect("Node's output is there");
    for (ours, nodes) in seen.lines().zip(expected.lines()) {
        assert_eq!(ours, nodes, "{program}");
    }
    assert_eq!(seen.lines().count(), expected.lines().count(), "{program}");
}

/// Each case names the rule of `docs/library/streams.md` that it shows; `scripts/library-rules` finds rules without one.
#[test]
fn streams_keep_their_rules() {
    agrees("rules.js", &[]);
}

#[test]
fn events_come_in_the_ticks_of_node() {
    agrees("order.js", &[]);
}

#[test]
fn pipelines_end_as_in_node() {
    agrees("pipelines.js", &[]);
}

#[test]
fn streams_that_stand_for_others_end_as_in_node() {
    agrees("ends.js", &[]);
}

/// The stream asks the world itself unless the program has a `read` of its own.
#[test]
fn files_are_read_as_in_node() {
    agrees("files.js", &[]);
}

#[test]
fn chunks_and_encodings_are_taken_as_in_node() {
    agrees("encodings.js", &[]);
}

#[test]
fn web_streams_settle_in_the_microtasks_of_node() {
    agrees("web_order.mjs", &[]);
}

#[test]
fn functions_take_and_refuse_what_they_do_in_node() {
    agrees("api.mjs", &[]);
}

#[test]
fn streams_of_both_kinds_meet_as_in_node() {
    agrees("consumers.mjs", &[]);
    agrees("blob.mjs", &[]);
}

#[test]
fn lines_and_keys_are_read_as_in_node() {
    agrees("readline.mjs", &[]);
}

#[test]
fn channels_tell_as_in_node() {
    agrees("diagnostics.js", &[]);
}

/// Each line of the expectation is a seed and the hash of its log; `fuzz.js SEED 1 --log` shows it.
#[test]
fn random_programs_run_as_in_node() {
    agrees("fuzz.js", &["1", "400"]);
}

#[test]
fn random_programs_on_web_streams_run_as_in_node() {
    agrees("web_fuzz.js", &["1", "800"]);
}
