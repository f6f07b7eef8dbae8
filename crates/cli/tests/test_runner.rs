//! `node:test` from the command line. `crates/js/tests/test_runner` holds all of it to Node's.

use crate::common::{HEMIOLA, directory, hemiola, isolated, text};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

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

/// A project with tests in the places where `--test` looks for them.
fn project(name: &str) -> PathBuf {
    let tests = "const { describe, it, test } = require('node:test');
        console.log('printed');
        test('adds', () => {});
        describe('suite', () => { it('inner', () => {}); it('fails', () => { throw new Error('of a test'); }); });
        test('left out', { skip: true }, () => {});
        test('to do', { todo: true }, () => { throw new Error('not done'); });";
    directory(
        name,
        &[
            ("test/any.js", tests),
            ("test/deep/plain.mjs", "console.error('no tests')"),
            ("lib/code.test.js", "process.exit(3)"),
            ("lib/test-only.mjs", "import test from 'node:test'; test.only('chosen', () => {}); test('other', () => {});"),
            ("lib/code.js", "throw new Error('is no test')"),
            ("node_modules/x/test/no.js", "throw new Error('is of a package')"),
            ("reporter.mjs", "export default async function* (source) {
                for await (const { type, data } of source) {
                    if (type === 'test:pass' || type === 'test:fail') yield `${type} ${data.nesting} ${data.name}\n`;
                }
            }"),
        ],
    )
}

/// What `--test` with these words comes to: its exit status and what it prints, without times.
fn tested(root: &Path, words: &[&str]) -> (Option<i32>, String) {
    let mut command = hemiola(root);
    let output = command.arg("--test").args(words).stdin(Stdio::null()).output();
    let output = output.expect("the command can be started");
    assert_eq!(text(output.stderr), "", "{words:?}");
    let root = format!("{}/", root.canonicalize().expect("it is there").display());
    let shown = text(output.stdout).replace(&root, "");
    let lines = shown.lines().filter(|line| !line.contains("duration_ms"));
    (output.status.code(), lines.map(|line| format!("{line}\n")).collect())
}

#[test]
fn test_files_are_found_and_run_each_in_a_process() {
    let root = project("test-flag");
    let (code, shown) = tested(&root, &[]);
    assert_eq!(code, Some(1));
    let results: Vec<&str> = shown
        .lines()
        .filter(|line| {
            line.trim_start().starts_with("ok") || line.trim_start().starts_with("not ok")
        })
        .collect();
    assert_eq!(
        results,
        [
            "not ok 1 - lib/code.test.js",
            "ok 2 - chosen",
            "ok 3 - other",
            "ok 4 - adds",
            "    ok 1 - inner",
            "    not ok 2 - fails",
            "not ok 5 - suite",
            "ok 6 - left out # SKIP",
            "not ok 7 - to do # TODO",
            "ok 8 - test/deep/plain.mjs",
        ],
        "{shown}"
    );
    assert!(shown.starts_with("TAP version 13\n# Subtest: lib/code.test.js\n"), "{shown}");
    assert!(shown.contains("\n  exitCode: 3\n  signal: ~\n  error: 'test failed'\n"), "{shown}");
    assert!(shown.contains("\n# printed\n") && shown.contains("\n# no tests\n"), "{shown}");
    let summary =
        "1..8\n# tests 9\n# suites 1\n# pass 5\n# fail 2\n# cancelled 0\n# skipped 1\n# todo 1\n";
    assert!(shown.ends_with(summary), "{shown}");
}

#[test]
fn flags_choose_tests_and_files() {
    let root = project("test-flag-choice");
    let (code, shown) = tested(&root, &["--test-name-pattern=inner", "test/any.js"]);
    assert_eq!(code, Some(0), "{shown}");
    assert!(shown.contains("ok 1 - adds # SKIP test name does not match pattern\n"), "{shown}");
    assert!(shown.contains("# pass 1\n# fail 0\n# cancelled 0\n# skipped 4\n"), "{shown}");
    let (code, shown) = tested(&root, &["--test-name-pattern=/SUITE/i", "test/any.js"]);
    assert_eq!(code, Some(1), "{shown}");
    let (code, shown) = tested(&root, &["--test-only", "lib/test-only.mjs"]);
    assert_eq!(code, Some(0), "{shown}");
    assert!(shown.contains("ok 2 - other # SKIP 'only' option not set\n"), "{shown}");
    let (_, shown) = tested(&root, &["--test-shard=2/2", "lib"]);
    assert!(shown.contains("# tests 2\n") && shown.contains("ok 1 - chosen\n"), "{shown}");
    let missing = hemiola(&root).args(["--test", "none.js"]).output().expect("it starts");
    assert_eq!(missing.status.code(), Some(1));
    assert!(text(missing.stderr).starts_with("Could not find '"));
}

#[test]
fn a_program_with_tests_can_be_made_to_end_with_them() {
    let source = "const { after, test } = require('node:test');
        process.on('exit', (code) => console.log('exit', code));
        after(async () => { await null; console.log('after'); });
        setInterval(() => {}, 1000);
        test('one', async () => { await null; });
        test('two', () => { throw 1; });";
    for command in ["run", "simulate"] {
        let (code, shown) = reports(command, &["--test-force-exit"], source);
        assert_eq!(code, Some(1), "{shown}");
        let results = "after\nTAP version 13\n# Subtest: one\nok 1 - one\n  ---\n";
        assert!(shown.starts_with(results), "{shown}");
        assert!(
            shown.ends_with("# fail 1\n# cancelled 0\n# skipped 0\n# todo 0\nexit 1\n"),
            "{shown}"
        );
    }
    let root = directory("test-force-exit", &[("test/one.cjs", source)]);
    let (code, shown) = tested(&root, &["--test-force-exit"]);
    assert_eq!(code, Some(1), "{shown}");
    assert!(shown.contains("# pass 1\n# fail 1\n"), "{shown}");
    let watching = hemiola(&root).args(["--test", "--watch", "--test-force-exit"]).output();
    assert_eq!(watching.expect("it starts").status.code(), Some(2));
}

#[test]
fn reports_go_where_flags_say() {
    let root = project("test-flag-reports");
    let words = [
        "--test-reporter=./reporter.mjs",
        "--test-reporter-destination=stdout",
        "--test-reporter=junit",
        "--test-reporter-destination=report.xml",
        "test",
    ];
    let (code, shown) = tested(&root, &words);
    assert_eq!(code, Some(1));
    assert_eq!(
        shown,
        "test:pass 0 adds\ntest:pass 1 inner\ntest:fail 1 fails\ntest:fail 0 suite\ntest:pass 0 left out\n\
         test:fail 0 to do\ntest:pass 0 test/deep/plain.mjs\n"
    );
    let report = fs::read_to_string(root.join("report.xml")).expect("the report was written");
    assert!(
        report.contains("<testcase name=\"inner\"") && report.ends_with("</testsuites>\n"),
        "{report}"
    );
    let (_, shown) = tested(&root, &["--test-reporter=dot", "test/any.js"]);
    assert!(shown.starts_with("..XX.X\n"), "{shown}");
    // The same without `--test`.
    let (code, shown) =
        reports("run", &["--test-reporter=dot"], "require('node:test')('a', () => {})");
    assert_eq!((code, shown.as_str()), (Some(0), ".\n"));
}

#[test]
fn a_program_runs_test_files_and_hears_of_them() {
    let root = project("test-run");
    let source = "const { run } = require('node:test');
        const stream = run({ files: ['lib/test-only.mjs', 'lib/code.test.js'] });
        stream.on('test:pass', ({ name }) => console.log('pass', name));
        stream.on('test:fail', ({ name, details }) => console.log('fail', require('path').basename(name), details.error.exitCode));
        stream.on('end', () => console.log('end')).resume();";
    let output = hemiola(&root).args(["-e", source]).output().expect("it starts");
    assert_eq!(text(output.stderr), "");
    assert_eq!(text(output.stdout), "pass chosen\npass other\nfail code.test.js 3\nend\n");
}
