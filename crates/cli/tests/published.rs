//! Races that were published, in the real packages that had them: drivers in `published`, which
//! `scripts/published-bugs` explains, installs packages for, and runs.

use crate::common::{HEMIOLA, has, text};
use std::path::Path;
use std::process::{Command, Stdio};

#[test]
fn published_races_are_found_and_their_repairs_are_not_blamed() {
    if !has("node", "--version", "published-bugs") {
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/published-bugs");
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
