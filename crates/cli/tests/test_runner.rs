//! `node:test` from the command line. `crates/js/tests/test_runner` holds all of it to Node's.

use crate::common::{HEMIOLA, isolated};

/// The exit code of a program, and what it prints without durations.
fn reports(command: &str, flags: &[&str], source: &str) -> (Option<i32>, String) {
    let output = isolated(HEMIOLA)
        .arg(command)
        .args(flags)
        .args(["-e", source])
        .output()
        .expect("the command can be started");
    let shown = String::from_utf8_lossy(&output.stdout);
    let lines = shown.lines().filter(|line| !line.contains("duration_ms"));
    let lines = lines.map(|line| line.split(" (").next().unwrap_or_default().to_owned() + "\n");
    (output.status.code(), lines.collect())
}

#[test]
fn a_failing_test_fails_the_program() {
    let source = "const { describe, it } = require('node:test');
        describe('sums', () => {
          it('adds', () => console.log('printed'));
          it('fails', () => { throw 5; });
        });";
    for command in ["run", "simulate"] {
        let (code, shown) = reports(command, &["--test-reporter=spec"], source);
        assert_eq!(code, Some(1));
        let start = "printed\n▶ sums\n  ✔ adds\n  ✖ fails\n    5\n\n✖ sums\nℹ tests 2\n";
        assert!(shown.starts_with(start), "{shown}");
        let (code, shown) = reports(command, &[], source);
        assert_eq!(code, Some(1));
        assert!(shown.starts_with("printed\nTAP version 13\n# Subtest: sums\n"), "{shown}");
    }
}

#[test]
fn only_some_tests_run_when_asked_for() {
    let source = "const test = require('node:test');
        test('left out', () => { throw 1; });
        test.only('chosen', () => console.log('chosen'));";
    assert_eq!(reports("run", &["--test-only"], source).0, Some(0));
    assert_eq!(reports("run", &[], source).0, Some(1));
}
