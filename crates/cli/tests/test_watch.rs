//! `hemiola test --watch`: the tests again when files change.

use crate::common::{directory, hemiola};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdout, Stdio};

struct Watching {
    child: Child,
    out: BufReader<ChildStdout>,
    err: BufReader<ChildStderr>,
}

impl Watching {
    fn start(root: &Path) -> Self {
        let mut command = hemiola(root);
        command.args(["test", "--watch", "--jobs", "1"]).stdin(Stdio::null());
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let mut child = child.expect("the command can be started");
        let out = BufReader::new(child.stdout.take().expect("it is piped"));
        let err = BufReader::new(child.stderr.take().expect("it is piped"));
        Self { child, out, err }
    }

    /// Reads what it prints up to the line that sums up.
    fn results(&mut self) -> String {
        let mut told = String::new();
        while !told.lines().last().is_some_and(|line| line.contains(" in ")) {
            assert_ne!(self.out.read_line(&mut told).expect("it is text"), 0, "it goes on: {told}");
        }
        told
    }

    /// Reads what it says until it waits.
    fn waits(&mut self) -> String {
        let mut said = String::new();
        while !said.contains("waiting for a change") {
            assert_ne!(self.err.read_line(&mut said).expect("it is text"), 0, "it goes on: {said}");
        }
        said
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn tests_run_again_when_a_file_changes() {
    let files = [
        ("lib.js", "exports.value = 1;"),
        ("a.test.js", "test('a', () => { expect(require('./lib').value).toBe(1); });"),
        // It writes a program each time: that is no change.
        (
            "b.test.js",
            "test('b', () => { require('fs').writeFileSync('made.js', `${process.hrtime()}`); });",
        ),
    ];
    let root = directory("test-watch", &files);
    fs::write(root.join("made.js"), "0").expect("a file");
    let mut watching = Watching::start(&root);
    assert!(watching.results().ends_with("2 tests in 2 files: 2 passed\n"));
    // Once somebody might have saved it meanwhile.
    assert!(watching.results().ends_with("2 tests in 2 files: 2 passed\n"));
    assert!(watching.waits().contains("changed: made.js"));

    fs::write(root.join("lib.js"), "exports.value = 2;").expect("a file");
    let told = watching.results();
    assert!(told.ends_with("2 tests in 2 files: 1 passed, 1 failed\n"), "{told}");
    assert_eq!(watching.waits().trim_start().lines().next(), Some("changed: lib.js"));

    let test = "test('a', () => { expect(require('./lib').value).toBe(2); });";
    fs::write(root.join("a.test.js"), test).expect("a file");
    let told = watching.results();
    assert!(told.ends_with("1 test in 1 file: 1 passed\n"), "only what changed: {told}");
    watching.waits();

    fs::write(root.join("data.json"), "{}").expect("a file");
    assert!(watching.results().ends_with("2 tests in 2 files: 2 passed\n"));
    assert_eq!(watching.waits().trim_start().lines().next(), Some("changed: data.json"));
}
