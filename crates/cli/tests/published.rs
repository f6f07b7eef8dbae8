//! Published packages: the races that some of them had, with the drivers in `published`, and the suites that they were
//! published with. `scripts/published-bugs` and `scripts/suites` explain them, install packages and run.

use crate::common::{HEMIOLA, has, text};
use std::path::Path;
use std::process::{Command, Stdio};

#[test]
fn published_races_are_found_and_their_repairs_are_not_blamed() {
    quickly("published-bugs");
}

#[test]
fn suites_of_packages_have_the_results_that_they_have_under_their_runners() {
    quickly("suites");
}

fn quickly(name: &str) {
    if !has("node", "--version", name) {
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts").join(name);
    // With the tester's environment: npm is told there how to reach its registry.
    let output = Command::new("node")
        .arg(script)
        .args(["--quick", HEMIOLA])
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .expect("node runs");
    assert!(output.status.success(), "{}", text(output.stdout));
}
