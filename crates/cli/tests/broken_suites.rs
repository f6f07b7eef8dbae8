//! `hemiola test` and files that do what nobody wants: each says so itself, and the others go on.

use crate::common::{directory, hemiola, text};

/// Runs the tests of a directory; gives the exit status and all that is said.
fn told(name: &str, files: &[(&str, &str)]) -> (Option<i32>, String) {
    let directory = directory(name, files);
    let output = hemiola(&directory).args(["test", "--jobs", "2"]).output().expect("it runs");
    (output.status.code(), text(output.stdout) + &text(output.stderr))
}

#[test]
fn files_of_node_that_break_are_told_by_their_test() {
    let files = [
        ("a.test.js", "require('node:test')('fine', () => {});"),
        (
            "exits.test.js",
            "const test = require('node:test');
test('stays', () => {});
test('leaves', () => { process.exit(3); });",
        ),
        (
            "leaks.test.js",
            "const test = require('node:test');
test('leaks', () => { require('node:net').createServer().listen(0); });
test('leaks no more', async () => { await null; });",
        ),
        ("loops.test.js", "require('node:test')('loops', { timeout: 10 }, () => { for (;;); });"),
    ];
    let (code, told) = told("broken-node", &files);
    assert_eq!(code, Some(1), "{told}");
    for line in [
        "✔ fine",
        "✔ stays",
        "✖ leaves",
        "✔ leaks",
        "✔ leaks no more",
        "note: TCPServerWrap kept the process alive when its tests were over",
        "✖ loops",
        "the test ended its process: exit status 3. The tests after it did not run",
        "and never returned to the event loop",
        "6 tests in 4 files: 4 passed, 2 failed",
    ] {
        assert!(told.contains(line), "{line} is not in {told}");
    }
}

#[test]
fn a_module_that_cannot_be_compiled_is_told_with_its_place() {
    let files = [
        ("a.test.mjs", "import { test } from 'vitest';\ntest('x', () => { const = 3; });"),
        ("b.test.mjs", "import { test } from 'vitest';\ntest('fine', () => {});"),
    ];
    let (code, told) = told("broken-module", &files);
    assert_eq!(code, Some(1), "{told}");
    assert!(told.contains("SyntaxError") && told.contains("a.test.mjs:2:25"), "{told}");
    assert!(told.contains("✔ fine"), "{told}");
}

#[test]
fn a_configuration_that_cannot_be_read_is_told_also_where_there_are_no_tests() {
    let (code, told) = told("broken-configuration", &[(".mocharc.json", "{ \"spec\": ")]);
    assert_eq!(code, Some(2), "{told}");
    assert!(told.contains(".mocharc.json cannot be read"), "{told}");
    assert!(told.contains("there are no test files here"), "{told}");
}
