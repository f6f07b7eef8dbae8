//! `hemiola test`: test files of all runners, what goes wrong in them, and how it is reported.

use crate::common::{directory, hemiola, text};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

/// Runs `hemiola test` with these flags.
fn test(directory: &Path, flags: &[&str]) -> Output {
    hemiola(directory).arg("test").args(flags).output().expect("the command can be started")
}

/// Each test with its outcome, one to a line, as the JSON object tells it; failures of files have no name.
fn outcomes(directory: &Path, flags: &[&str]) -> (Option<i32>, String) {
    let output = test(directory, &[&["--reporter", "json"], flags].concat());
    let shown = text(output.stdout);
    let script = "const { tests, files } = JSON.parse(process.argv[1]);
        for (const { file, name, outcome } of tests) console.log(`${file}: ${name}: ${outcome}`);
        for (const { file, failures } of files) for (const { message } of failures) console.log(`${file}: ${message.split('\\n')[0]}`);";
    let told = hemiola(directory).args(["run", "-e", script, &shown]).output();
    let lines = text(told.expect("the command can be started").stdout);
    assert!(!lines.is_empty(), "{shown}\n{}", text(output.stderr));
    (output.status.code(), lines)
}

#[test]
fn files_of_all_runners_run_without_these_runners() {
    let directory = directory(
        "suites_of_all_runners",
        &[
            ("a.test.js", "describe('jest', () => { it('globals', () => { expect({ a: 1 }).toEqual({ a: 1 }); }); });"),
            (
                "b.test.mjs",
                "import { expect, it, vi } from 'vitest';
                 it('vitest', ({ task }) => { const f = vi.fn(); f(task.name); expect(f).toHaveBeenCalledWith('vitest'); });",
            ),
            ("c.test.mjs", "import { expect, jest, test } from '@jest/globals'; test('jest globals', () => { expect(jest.fn()()).toBeUndefined(); });"),
            ("d.test.ts", "import { expect, test, mock } from 'bun:test'; test('bun', (): void => { expect(mock(() => 1)()).toBe(1); });"),
            (
                "e_test.js",
                "const assert = require('assert');
                 describe('mocha', function () {
                   this.timeout(5000);
                   const order = [];
                   before(function () { this.shared = 1; });
                   it('context', function (done) { assert.equal(this.shared, 1); setTimeout(done, 1); });
                   context('inner', () => { specify('inside', () => {}); });
                   it('pending');
                   it('skips itself', function () { this.skip(); });
                   it('again', function () { this.retries(1); if (this.test.currentRetry() === 0) throw new Error('first'); });
                 });",
            ),
            ("f.spec.cjs", "const test = require('node:test'); test('node', async (t) => { await t.test('inner', () => {}); });"),
            ("g-test.js", "require('assert').ok(true);"),
        ],
    );
    let (code, told) = outcomes(&directory, &[]);
    let expected = "a.test.js: jest > globals: pass
b.test.mjs: vitest: pass
c.test.mjs: jest globals: pass
d.test.ts: bun: pass
e_test.js: mocha > context: pass
e_test.js: mocha > inner > inside: pass
e_test.js: mocha > pending: skipped
e_test.js: mocha > skips itself: skipped
e_test.js: mocha > again: flaky
f.spec.cjs: node > inner: pass
f.spec.cjs: node: pass
g-test.js: g-test.js: pass
";
    assert_eq!((code, told.as_str()), (Some(0), expected));
}

#[test]
fn a_file_that_breaks_does_not_stop_the_others() {
    let directory = directory(
        "suites_that_break",
        &[
            ("a.test.js", "const x = ;"),
            (
                "b.test.js",
                "test('first', () => {}); test('exits', () => process.exit(3)); test('never runs', () => {});",
            ),
            (
                "c.test.js",
                "test('before', () => {}); test('loops', () => { for (;;); }, 100); test('never runs', () => {});",
            ),
            (
                "d.test.js",
                "test('waits', () => new Promise(() => {}), 50); test('goes on', () => {});",
            ),
            ("e.test.js", "test('leaks', () => { setInterval(() => {}, 1000); });"),
            (
                "f.test.js",
                "test('throws late', () => new Promise((done) => { setTimeout(() => { throw new Error('late'); }, 1); setTimeout(done, 1000); })); test('goes on', () => {});",
            ),
            (
                "g.test.js",
                "test('is over', () => { setTimeout(() => { throw new Error('too late'); }, 50); });",
            ),
            ("h.test.js", "describe('suite', () => { throw new Error('in a suite'); });"),
            (
                "i.test.js",
                "beforeAll(() => { throw new Error('hook'); }); test('one', () => {}); describe('s', () => { test('two', () => {}); });",
            ),
            ("j.test.js", "throw new Error('while loading');"),
            ("k.test.js", "test('is well', () => {});"),
        ],
    );
    let (code, told) = outcomes(&directory, &["--jobs", "4"]);
    let expected = "b.test.js: first: pass
b.test.js: exits: fail
c.test.js: before: pass
c.test.js: loops: fail
d.test.js: waits: fail
d.test.js: goes on: pass
e.test.js: leaks: pass
f.test.js: throws late: fail
f.test.js: goes on: pass
g.test.js: is over: pass
i.test.js: one: fail
i.test.js: s > two: fail
k.test.js: is well: pass
a.test.js: SyntaxError: Unexpected token ';'
g.test.js: too late
h.test.js: in a suite
j.test.js: while loading
";
    assert_eq!((code, told.as_str()), (Some(1), expected));
    let shown = text(test(&directory, &["--reporter", "spec", "b", "c", "e", "a.test"]).stdout);
    for words in [
        "the test ended its process: exit status 3. The tests after it did not run",
        "never returned to the event loop",
        "kept the process alive when its tests were over",
        "a.test.js:1:11",
    ] {
        assert!(shown.contains(words), "{words}\n{shown}");
    }
}

#[test]
fn some_tests_of_some_files_run() {
    let directory = directory(
        "suites_selected",
        &[
            (
                "a.test.js",
                "test('one', () => {}); test('two', () => { throw new Error('no'); }); test('three', () => {});",
            ),
            (
                "b.test.js",
                "test.only('chosen', () => {}); test('left out', () => { throw new Error('no'); });",
            ),
            (
                "c.test.mjs",
                "import test from 'node:test'; test('one', () => {}); test('other', () => { throw new Error('no'); });",
            ),
            ("helper.js", "throw new Error('no test');"),
        ],
    );
    assert_eq!(
        outcomes(&directory, &["--grep", "^one$"]).1,
        "a.test.js: one: pass\nc.test.mjs: one: pass\n"
    );
    assert_eq!(
        outcomes(&directory, &["b.test"]).1,
        "b.test.js: chosen: pass\nb.test.js: left out: skipped\n"
    );
    let (code, told) = outcomes(&directory, &["--shard", "2/3"]);
    assert_eq!(
        (code, told.as_str()),
        (Some(0), "b.test.js: chosen: pass\nb.test.js: left out: skipped\n")
    );
    let bailed = outcomes(&directory, &["--bail", "--jobs", "1"]).1;
    assert_eq!(bailed, "a.test.js: one: pass\na.test.js: two: fail\n");
    outcomes(&directory, &[]);
    let again = outcomes(&directory, &["--rerun-failed"]).1;
    assert_eq!(again, "a.test.js: two: fail\nc.test.mjs: other: fail\n");
    let unknown = test(&directory, &["nowhere"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(text(unknown.stderr).contains("no test file matches `nowhere`"));
}

#[test]
fn a_test_that_fails_only_sometimes_is_flaky() {
    let source = "let count = 0; test('third time', () => { if (++count === 3) throw new Error('unlucky'); }); test('always', () => {});";
    let directory = directory("suites_flaky", &[("a.test.js", source)]);
    assert_eq!(outcomes(&directory, &[]).0, Some(0));
    let (code, told) = outcomes(&directory, &["--repeat", "5"]);
    assert_eq!(
        (code, told.as_str()),
        (Some(100), "a.test.js: third time: flaky\na.test.js: always: pass\n")
    );
    let (code, told) = outcomes(&directory, &["--repeat", "3", "--retries", "1"]);
    assert_eq!((code, told.lines().next()), (Some(0), Some("a.test.js: third time: flaky")));
}

#[test]
fn a_test_that_is_repeated_has_its_snapshots_once() {
    let source = "test('again', () => { expect(1).toMatchSnapshot(); expect({ a: 1 }).toMatchInlineSnapshot(); });";
    let directory = directory("suites_repeated_snapshots", &[("a.test.js", source)]);
    let shown = text(test(&directory, &["--repeat", "3"]).stdout);
    assert!(shown.ends_with("snapshots: 2 written\n"), "{shown}");
    let again = text(test(&directory, &["--repeat", "2"]).stdout);
    assert!(again.ends_with("1 test in 1 file: 1 passed\n"), "{again}");
}

#[test]
fn results_are_written_in_the_forms_of_other_tools() {
    let directory = directory(
        "suites_reported",
        &[(
            "a.test.js",
            "describe('s', () => { test('well', () => {}); test('<bad> & \"ill\"', () => { expect(1).toBe(2); }); test.todo('later'); });",
        )],
    );
    let shown = |name: &str| text(test(&directory, &["--reporter", name]).stdout);
    let tap = shown("tap");
    assert!(tap.starts_with("TAP version 13\nok 1 - a.test.js > s > well\nnot ok 2 - "), "{tap}");
    assert!(
        tap.contains("ok 3 - a.test.js > s > later # TODO\n") && tap.contains("\n1..3\n"),
        "{tap}"
    );
    let junit = shown("junit");
    assert!(
        junit.contains("<testsuites tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\""),
        "{junit}"
    );
    assert!(
        junit.contains("name=\"&lt;bad&gt; &amp; &quot;ill&quot;\" classname=\"s\""),
        "{junit}"
    );
    let github = shown("github");
    assert!(
        github.starts_with(
            "::error file=a.test.js,line=1,col=87,title=s > <bad> & \"ill\"::expect(received)"
        ),
        "{github}"
    );
    assert!(github.contains("%0A%0AExpected: 2%0AReceived: 1"), "{github}");
    let dot = shown("dot");
    assert!(dot.starts_with(".X-\n\n✖ a.test.js > s > <bad>"), "{dot}");
    let spec = shown("spec");
    assert!(
        spec.starts_with("a.test.js\n  s\n    ✔ well\n    ✖ <bad> & \"ill\"\n    … later: to do\n"),
        "{spec}"
    );
    assert!(spec.ends_with("3 tests in 1 file: 1 passed, 1 failed, 1 to do\n"), "{spec}");
    test(&directory, &["--reporter", "dot", "--reporter", "junit=reports/of/tests.xml"]);
    let file =
        fs::read_to_string(directory.join("reports/of/tests.xml")).expect("the report is there");
    assert!(file.starts_with("<?xml"), "{file}");
}

#[test]
fn snapshots_are_written_compared_and_updated() {
    let source = |value: &str| {
        format!(
            "test('snap', () => {{ expect({value}).toMatchSnapshot(); }});\ntest('inline', () => {{\n  expect({{ b: [1] }}).toMatchInlineSnapshot();\n}});\n"
        )
    };
    let directory = directory("suites_snapshots", &[("a.test.js", &source("{ a: 1 }"))]);
    let shown = text(test(&directory, &[]).stdout);
    assert!(shown.contains("snapshots: 2 written"), "{shown}");
    let path = directory.join("__snapshots__/a.test.js.snap");
    let written = fs::read_to_string(&path).expect("the snapshots are there");
    assert_eq!(
        written,
        "// Jest Snapshot v1, https://jestjs.io/docs/snapshot-testing\n\nexports[`snap 1`] = `\n{\n  \"a\": 1,\n}\n`;\n"
    );
    // What an earlier jest has written stays as it is until all are written anew.
    let earlier =
        written.replace("https://jestjs.io/docs/snapshot-testing", "https://goo.gl/fbAQLP");
    fs::write(&path, &earlier).expect("the snapshots can be written");
    assert_eq!(outcomes(&directory, &[]).0, Some(0));
    assert_eq!(fs::read_to_string(&path).expect("they are there"), earlier);
    assert_eq!(outcomes(&directory, &["--update-snapshots"]).0, Some(0));
    assert_eq!(fs::read_to_string(&path).expect("they are there"), written);
    // What fails after a snapshot that was written into the file is shown where it is now.
    let later = format!("{}test('later', () => {{ throw new Error('no'); }});\n", source("1"));
    fs::write(directory.join("b.test.js"), later).expect("a test can be written");
    let shown = text(test(&directory, &["b.test.js"]).stdout);
    assert!(shown.contains("b.test.js:11:29\n"), "{shown}");
    assert!(shown.contains(">   11 │ test('later', () => { throw"), "{shown}");
    fs::remove_file(directory.join("b.test.js")).expect("it can be removed");
    let inline = fs::read_to_string(directory.join("a.test.js")).expect("the test is there");
    assert!(
        inline.contains(
            "toMatchInlineSnapshot(`\n    {\n      \"b\": [\n        1,\n      ],\n    }\n  `);"
        ),
        "{inline}"
    );
    assert_eq!(outcomes(&directory, &[]).0, Some(0));

    fs::write(directory.join("a.test.js"), inline.replace("{ a: 1 }", "{ a: 2 }"))
        .expect("the test can be written");
    let output = test(&directory, &[]);
    let shown = text(output.stdout);
    assert_eq!(output.status.code(), Some(1));
    assert!(shown.contains("-   \"a\": 1,") && shown.contains("+   \"a\": 2,"), "{shown}");
    assert!(
        text(test(&directory, &["--update-snapshots"]).stdout).contains("snapshots: 1 updated")
    );
    assert_eq!(outcomes(&directory, &[]).0, Some(0));

    fs::write(&path, "exports[`snap 1`] = `").expect("the snapshots can be damaged");
    let shown = text(test(&directory, &[]).stdout);
    assert_eq!(shown.matches("cannot read the snapshots in").count(), 1, "{shown}");
    assert!(shown.contains("--update-snapshots"), "{shown}");

    let written = hemiola(&directory)
        .args(["test"])
        .env("CI", "1")
        .output()
        .expect("the command can be started");
    assert_eq!(written.status.code(), Some(1));
}

#[test]
fn modules_are_mocked_before_they_are_imported() {
    let directory = directory(
        "suites_mocks",
        &[
            ("dep.mjs", "export default 1; export const named = 2; export const fn = () => 'real';"),
            ("lib.mjs", "import dep, { named } from './dep.mjs'; export const sum = () => dep + named;"),
            ("dep.cjs", "exports.fn = () => 'real'; exports.K = class { m() { return 1; } };"),
            ("lib.cjs", "const { fn } = require('./dep.cjs'); exports.call = () => fn();"),
            (
                "a.test.mjs",
                "import { expect, it, vi } from 'vitest';
import { sum } from './lib.mjs';
import dep, * as all from './dep.mjs';
const { ten } = vi.hoisted(() => ({ ten: 10 }));
it('is hoisted', () => { expect(sum()).toBe(13); expect(dep).toBe(10); expect(all.fn()).toBe('real'); });
vi.mock('./dep.mjs', async (importOriginal) => ({
  ...(await importOriginal()),
  default: ten,
  named: 3,
}));
it('is itself elsewhere', async () => { expect((await vi.importActual('./dep.mjs')).named).toBe(2); });
it('has its place', () => { expect(new Error().stack).toMatch(/a\\.test\\.mjs:12:3\\d/); });",
            ),
            (
                "b.test.js",
                "const { call } = require('./lib.cjs');
const mockFn = jest.fn(() => 'mock');
jest.mock('./dep.cjs', () => ({ ...jest.requireActual('./dep.cjs'), fn: (...args) => mockFn(...args) }));
test('is hoisted', () => { expect(call()).toBe('mock'); expect(mockFn).toHaveBeenCalledTimes(1); });
test('by itself', () => {
  jest.resetModules();
  jest.doMock('./dep.cjs');
  const { fn, K } = require('./dep.cjs');
  expect(fn()).toBeUndefined();
  expect(jest.isMockFunction(fn)).toBe(true);
  expect(new K().m()).toBeUndefined();
});
test('is gone', () => { jest.resetModules(); jest.dontMock('./dep.cjs'); expect(require('./lib.cjs').call()).toBe('real'); });",
            ),
            (
                "c.test.js",
                "import * as os from 'os';
import { call } from './lib.cjs';
jest.mock('os', () => ({ __esModule: true, platform: () => 'mine' }));
jest.mock('nowhere', () => 5, { virtual: true });
test('in ES syntax', () => { expect(os.platform()).toBe('mine'); expect(call()).toBe('real'); expect(require('nowhere')).toBe(5); });",
            ),
        ],
    );
    let (code, told) = outcomes(&directory, &[]);
    let failed: Vec<&str> = told.lines().filter(|line| !line.ends_with(": pass")).collect();
    assert_eq!(
        (code, told.lines().count()),
        (Some(0), 7),
        "{failed:?}\n{}",
        text(test(&directory, &[]).stdout)
    );
}

#[test]
fn time_is_moved_by_the_test() {
    let directory = directory(
        "suites_time",
        &[(
            "a.test.js",
            "afterEach(() => { jest.useRealTimers(); });
test('timers', async () => {
  jest.useFakeTimers({ now: 1000 });
  const seen = [];
  setTimeout(() => seen.push(`b ${Date.now()}`), 20);
  setTimeout(() => seen.push('a'), 10);
  const every = setInterval(() => seen.push('i'), 15);
  setImmediate(() => seen.push('now'));
  jest.advanceTimersByTime(30);
  expect(seen).toEqual(['now', 'a', 'i', 'b 1020', 'i']);
  expect(jest.getTimerCount()).toBe(1);
  clearInterval(every);
  jest.setSystemTime(new Date('2020-01-01'));
  expect(new Date().getFullYear()).toBe(2020);
  const waited = new Promise((done) => setTimeout(done, 1_000_000)).then(() => 'done');
  await jest.advanceTimersByTimeAsync(1_000_000);
  expect(await waited).toBe('done');
});
test('an endless chain', () => {
  jest.useFakeTimers({ timerLimit: 100 });
  const again = () => setTimeout(again, 1);
  again();
  expect(() => jest.runAllTimers()).toThrow('infinite loop');
  jest.clearAllTimers();
});
test('is real again', () => new Promise((done) => setTimeout(done, 1)));",
        )],
    );
    let (code, told) = outcomes(&directory, &[]);
    assert_eq!(
        (code, told.lines().filter(|line| line.ends_with(": pass")).count()),
        (Some(0), 3),
        "{told}"
    );
}

#[test]
fn tables_fixtures_and_marks_are_understood() {
    let directory = directory(
        "suites_forms",
        &[
            (
                "a.test.js",
                "test.each([[1, 2, 3], [2, 3, 5]])('%d + %d = %d', (a, b, c) => { expect(a + b).toBe(c); });
test.each`a | b
${1} | ${2}
${'x'} | ${{ y: 1 }}`('$a before $b', ({ a, b }) => { expect(a).toBeDefined(); expect(b).toBeDefined(); });
describe.each([{ n: 1 }])('suite $n', ({ n }) => { it('inside', () => expect(n).toBe(1)); });
test.failing('fails as it should', () => { throw new Error('yes'); });
test.failing('does not', () => {});
test('counts', () => { expect.assertions(1); });
test.concurrent('one', async () => {});
test.concurrent('two', async () => {});
xtest('not', () => { throw new Error('no'); });",
            ),
            (
                "b.test.mjs",
                "import { expect, test } from 'vitest';
const mine = test.extend({ list: async ({}, use) => { const list = [1]; await use(list); list.length = 0; }, twice: async ({ list }, use) => use(list.concat(list)) });
mine('fixture', ({ list, twice }) => { expect(list).toEqual([1]); expect(twice).toEqual([1, 1]); });
test.skipIf(true)('skipped', () => {});
test.for([[1, 1]])('for %i', ([a, b]) => { expect(a).toBe(b); });
test('soft', () => { expect.soft(1).toBe(2); expect.soft(2).toBe(3); });",
            ),
        ],
    );
    let expected = "a.test.js: 1 + 2 = 3: pass
a.test.js: 2 + 3 = 5: pass
a.test.js: 1 before 2: pass
a.test.js: x before {\"y\": 1}: pass
a.test.js: suite 1 > inside: pass
a.test.js: fails as it should: pass
a.test.js: does not: fail
a.test.js: counts: fail
a.test.js: one: pass
a.test.js: two: pass
a.test.js: not: skipped
b.test.mjs: fixture: pass
b.test.mjs: skipped: skipped
b.test.mjs: for 1: pass
b.test.mjs: soft: fail
";
    assert_eq!(outcomes(&directory, &[]).1, expected);
}

/// A directory with files, some of them in folders.
fn project(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let directory = directory(name, &[]);
    for (file, source) in files {
        let path = directory.join(file);
        fs::create_dir_all(path.parent().expect("a file is in a directory"))
            .expect("it can be made");
        fs::write(path, source).expect("a file can be written");
    }
    directory
}

#[test]
fn configurations_of_runners_are_read() {
    let jest = project(
        "suites_of_jest",
        &[
            (
                "jest.config.js",
                "module.exports = { setupFilesAfterEnv: ['<rootDir>/setup.js'], moduleNameMapper: { '^@/(.*)$': '<rootDir>/src/$1' },
                   testMatch: ['<rootDir>/checks/**/*.js'], testEnvironment: 'jsdom', strange: 1 };",
            ),
            ("setup.js", "expect.extend({ toBeOurs(value) { return { pass: value === 'ours', message: () => 'not ours' }; } });"),
            ("src/a.js", "module.exports = 'ours';"),
            ("checks/x.js", "test('mapped', () => { expect(require('@/a')).toBeOurs(); });"),
            ("not.test.js", "throw new Error('is not meant');"),
        ],
    );
    assert_eq!(outcomes(&jest, &[]), (Some(0), "checks/x.js: mapped: pass\n".into()));
    let notes = text(test(&jest, &[]).stderr);
    assert!(notes.contains("`strange` is not understood"), "{notes}");
    assert!(notes.contains("testEnvironment jsdom: there is only `node` here"), "{notes}");

    let vitest = project(
        "suites_of_vitest",
        &[
            (
                "vitest.config.ts",
                "import { defineConfig } from 'vitest/config';
                 export default defineConfig({ test: { include: ['src/**/*.check.ts'], globals: true, setupFiles: './setup.ts' } });",
            ),
            ("tsconfig.json", "{ /* comments */ \"compilerOptions\": { \"paths\": { \"~/*\": [\"./src/*\"] }, } }"),
            ("setup.ts", "(globalThis as any).ready = true;"),
            ("src/a.ts", "export const a: number = 1;"),
            ("src/a.check.ts", "import { a } from '~/a'; import { a as same } from './a'; test('mapped', () => { expect(a).toBe(same); expect(ready).toBe(true); });"),
        ],
    );
    assert_eq!(outcomes(&vitest, &[]), (Some(0), "src/a.check.ts: mapped: pass\n".into()));

    let mocha = project(
        "suites_of_mocha",
        &[
            (".mocharc.yml", "timeout: 50\nrequire:\n  - ./helper.js\nspec: spec\n"),
            (
                "helper.js",
                "beforeEach(function () { this.fresh = true; });
                 exports.mochaGlobalSetup = async function () { this.begun = 1; };
                 exports.mochaGlobalTeardown = function () { console.log('global', this.begun); };
                 exports.mochaHooks = async () => ({
                   beforeAll() { console.log('all'); },
                   beforeEach: [function () { this.root = 1; }, (done) => setImmediate(done)],
                   afterAll: [() => console.log('over')] });",
            ),
            (
                "spec/a.js",
                "it('has hooks', function () { if (!this.fresh || this.root !== 1) throw new Error('no'); }); it('is slow', () => new Promise(() => {}));",
            ),
        ],
    );
    assert_eq!(
        outcomes(&mocha, &[]),
        (Some(1), "spec/a.js: has hooks: pass\nspec/a.js: is slow: fail\n".into())
    );
    let shown = text(test(&mocha, &[]).stdout);
    assert!(shown.contains("all\n") && shown.contains("over\n    global 1\n"), "{shown}");

    let broken = project(
        "suites_misconfigured",
        &[("jest.config.js", "module.exports = {"), ("a.test.js", "test('runs', () => {});")],
    );
    assert_eq!(outcomes(&broken, &[]), (Some(0), "a.test.js: runs: pass\n".into()));
    let notes = text(test(&broken, &[]).stderr);
    assert!(notes.contains("jest.config.js cannot be read, and is ignored"), "{notes}");

    let unclear = project(
        "suites_of_a_bad_expression",
        &[
            ("package.json", r#"{ "jest": { "testRegex": "([" } }"#),
            ("a.test.js", "test('runs', () => {});"),
        ],
    );
    assert_eq!(outcomes(&unclear, &[]), (Some(0), "a.test.js: runs: pass\n".into()));
    let notes = text(test(&unclear, &[]).stderr);
    assert!(notes.contains("package.json: Invalid regular expression: /([/"), "{notes}");
}

#[test]
fn what_npm_test_tells_its_runner_is_understood() {
    let shared = |name: &str| {
        format!(
            "const fs = require('fs');
             suite('{name}', () => {{
               test('alone', async () => {{
                 fs.writeFileSync('shared', '{name}');
                 for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve, 5));
                 if (fs.readFileSync('shared', 'utf8') !== '{name}') throw new Error('another file ran meanwhile');
                 if (!globalThis.isReady) throw new Error('not set up');
               }});
             }});"
        )
    };
    let mocha = project(
        "suites_told_by_scripts",
        &[
            (
                "package.json",
                r#"{ "scripts": { "test": "npm run lint && npm run unit -- --exit", "lint": "eslint .",
                     "unit": "NODE_ENV=test nyc --all mocha -u tdd -r ./ready.js 'checks/**/*_check.js'" } }"#,
            ),
            ("ready.js", "globalThis.isReady = true;"),
            ("checks/a_check.js", &shared("a")),
            ("checks/deep/b_check.js", &shared("b")),
            ("checks/c.js", "throw new Error('is not meant');"),
        ],
    );
    assert_eq!(
        outcomes(&mocha, &[]),
        (
            Some(0),
            "checks/a_check.js: a > alone: pass\nchecks/deep/b_check.js: b > alone: pass\n".into()
        )
    );

    let old = project(
        "suites_told_by_a_file",
        &[
            (
                "package.json",
                r#"{ "scripts": { "test": "mocha" }, "devDependencies": { "mocha": "^3.0.0" } }"#,
            ),
            ("test/mocha.opts", "--ui qunit\n# a comment\n--require ./ready.js\n"),
            ("ready.js", ""),
            (
                "test/a.js",
                "test('first', () => {}); suite('One'); test('second', () => {}); suite('Two'); test('third', () => {});",
            ),
            ("test/helpers.js", "exports.help = () => {};"),
        ],
    );
    let expected =
        "test/a.js: first: pass\ntest/a.js: One > second: pass\ntest/a.js: Two > third: pass\n";
    assert_eq!(outcomes(&old, &[]), (Some(0), expected.into()));

    let node = project(
        "suites_told_to_node",
        &[
            (
                "package.json",
                r#"{ "scripts": { "test": "c8 node --import ./ready.mjs --test unit" } }"#,
            ),
            ("ready.mjs", "globalThis.isReady = true;"),
            (
                "unit/a.js",
                "require('node:test')('set up', () => { if (!isReady) throw new Error('no'); });",
            ),
            ("other.test.js", "throw new Error('is not meant');"),
        ],
    );
    assert_eq!(outcomes(&node, &[]), (Some(0), "unit/a.js: set up: pass\n".into()));
}

#[test]
fn jest_finds_files_by_expressions_and_gives_them_globals() {
    let jest = project(
        "suites_of_expressions",
        &[
            (
                "package.json",
                r#"{ "jest": { "rootDir": "src", "testRegex": ".*\\.check\\.js$", "testPathIgnorePatterns": ["/old/"],
                     "globals": { "VERSION": 3 }, "snapshotSerializers": ["./serializer.js"] } }"#,
            ),
            (
                "src/serializer.js",
                "module.exports = { test: (value) => value?.isMoney, serialize: ({ cents }) => `${cents} cents` };",
            ),
            (
                "src/a.check.js",
                "test('global', () => { expect(VERSION).toBe(3); });
                 test('serialized', () => { expect({ isMoney: true, cents: 5 }).toMatchInlineSnapshot(`5 cents`); });
                 test('expressions are escaped', () => { expect(/^(1\\.1)$/).toMatchInlineSnapshot(`/\\\\^\\\\(1\\\\\\\\\\\\.1\\\\)\\\\$/`); });",
            ),
            ("src/old/b.check.js", "throw new Error('is not meant');"),
            ("c.check.js", "throw new Error('is not meant');"),
        ],
    );
    let expected = "src/a.check.js: global: pass\nsrc/a.check.js: serialized: pass\nsrc/a.check.js: expressions are escaped: pass\n";
    assert_eq!(outcomes(&jest, &[]), (Some(0), expected.into()));
}

#[test]
fn what_comes_before_all_files_and_after_them_is_done_once() {
    let check = "test('set up', () => { expect(process.env.ADDRESS).toBe('there'); });";
    let jest = project(
        "suites_with_a_setup_of_jest",
        &[
            (
                "package.json",
                r#"{ "jest": { "globalSetup": "./up.js", "globalTeardown": "./down.js" } }"#,
            ),
            (
                "up.js",
                "module.exports = async () => { require('fs').appendFileSync('log', 'up '); process.env.ADDRESS = 'there'; globalThis.kept = 1; };",
            ),
            (
                "down.js",
                "module.exports = async () => { require('fs').appendFileSync('log', `down ${kept} `); };",
            ),
            ("a.test.js", check),
            ("b.test.js", check),
        ],
    );
    let expected = "a.test.js: set up: pass\nb.test.js: set up: pass\n";
    assert_eq!(outcomes(&jest, &[]), (Some(0), expected.into()));
    assert_eq!(fs::read_to_string(jest.join("log")).expect("it was written"), "up down 1 ");

    let vitest = project(
        "suites_with_a_setup_of_vitest",
        &[
            ("vitest.config.mjs", "export default { test: { globalSetup: ['./up.mjs'], env: { MODE: 'mine' } } };"),
            (
                "up.mjs",
                "import { appendFileSync } from 'node:fs';
                 import { createServer } from 'node:net';
                 export default async function ({ provide }) {
                   const server = createServer((socket) => socket.end('hello')).listen(0, '127.0.0.1');
                   await new Promise((resolve) => server.on('listening', resolve));
                   provide('port', server.address().port);
                   return () => { appendFileSync('log', 'down'); server.close(); };
                 }",
            ),
            (
                "a.test.mjs",
                "import { expect, inject, test } from 'vitest';
                 import { connect } from 'node:net';
                 test('the server is there', async () => {
                   let said = '';
                   for await (const part of connect(inject('port'), '127.0.0.1')) said += part;
                   expect(said).toBe('hello');
                   expect(process.env.MODE).toBe('mine');
                 });",
            ),
        ],
    );
    let expected = "a.test.mjs: the server is there: pass\n";
    assert_eq!(outcomes(&vitest, &[]), (Some(0), expected.into()));
    assert_eq!(fs::read_to_string(vitest.join("log")).expect("it was written"), "down");

    let broken = project(
        "suites_with_a_broken_setup",
        &[
            ("package.json", r#"{ "jest": { "globalSetup": "./up.js" } }"#),
            ("up.js", "module.exports = () => { throw new Error('no database'); };"),
            ("a.test.js", "test('never runs', () => {});"),
        ],
    );
    let output = test(&broken, &[]);
    let said = text(output.stderr);
    assert!(
        said.contains("the globalSetup of the tests failed: ") && said.contains("no database"),
        "{said}"
    );
    assert_eq!((output.status.code(), text(output.stdout).as_str()), (Some(2), ""));
}

#[test]
fn what_runners_refuse_is_refused() {
    let files = |flavour: &str| {
        let manifest = format!(r#"{{ "scripts": {{ "test": "{flavour}" }} }}"#);
        project(
            &format!("suites_that_{flavour}_refuses"),
            &[
                ("package.json", &manifest),
                ("test/a.test.js", "it('both', (done) => { done(); return Promise.resolve(); });"),
                ("test/b.test.js", "exports.help = 1;"),
            ],
        )
    };
    assert_eq!(outcomes(&files("mocha"), &[]), (Some(1), "test/a.test.js: both: fail\n".into()));
    let (code, told) = outcomes(&files("jest"), &[]);
    assert_eq!(code, Some(1));
    assert!(
        told.starts_with("test/a.test.js: both: fail\ntest/b.test.js: the file has no tests."),
        "{told}"
    );
}

#[test]
fn who_spies_on_the_exports_of_a_module_is_told_what_to_do() {
    let directory = directory(
        "suites_that_spy_on_modules",
        &[
            ("part.mjs", "export const one = () => 1;"),
            (
                "a.test.mjs",
                "import { expect, test, vi } from 'vitest';
                 import * as part from './part.mjs';
                 test('spies', () => { expect(() => vi.spyOn(part, 'one')).toThrow('Cannot spy on the export `one`: what a module exports cannot be replaced from outside. Mock the module with vi.mock()'); });",
            ),
        ],
    );
    assert_eq!(outcomes(&directory, &[]), (Some(0), "a.test.mjs: spies: pass\n".into()));
}

#[test]
fn a_test_of_node_belongs_to_the_test_whose_function_declares_it_later() {
    let directory = directory(
        "suites_nested_later",
        &[
            (
                "a.test.js",
                "const { describe, it, test } = require('node:test');
                 test('waits', async () => { await 1; await test('inner', () => {}); });
                 test('loads', async () => { await import('./part.mjs'); });
                 describe('suite', async () => { await 1; it('declared late', () => {}); });
                 test('planned', (t, done) => { t.plan(1); done(); Promise.resolve().then(() => {}).then(() => {}).then(() => {}).then(() => t.assert.ok(true)); });",
            ),
            ("part.mjs", "import { test } from 'node:test'; await test('of a module', () => {});"),
        ],
    );
    let expected = "a.test.js: waits > inner: pass
a.test.js: waits: pass
a.test.js: loads > of a module: pass
a.test.js: loads: pass
a.test.js: suite > declared late: pass
a.test.js: planned: pass
";
    assert_eq!(outcomes(&directory, &[]), (Some(0), expected.into()));
}

/// `expect/golden.json` is what jest 29 says; scripts/compare-expect-with-jest writes it.
#[test]
fn expect_says_what_jest_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/expect");
    let copy = |name: &str| fs::read_to_string(folder.join(name)).expect("it is there");
    let (cases, golden) = (copy("cases.js"), copy("golden.json"));
    let source = "const { readFileSync } = require('fs');
const { expectations, printed } = require('./cases');
const golden = JSON.parse(readFileSync(`${__dirname}/golden.json`, 'utf8'));
const plain = (text) => text.replace(/\\n +at [^]*$/, '').trimEnd();
for (const [at, code] of expectations.entries()) {
  let said = null;
  test(code, () => {
    try {
      new Function('expect', 'jest', `return (() => { ${code.includes(';') && code.startsWith('const') ? code : `return ${code}`} })()`)(expect, jest);
    } catch (error) {
      said = plain(error.message);
    }
    if (said !== golden.expectations[at]) throw new Error(`jest says ${golden.expectations[at]}\\n\\nwe say ${said}`);
  });
}
for (const [at, code] of printed.entries()) {
  test(`prints ${code}`, () => {
    const value = new Function('expect', 'jest', `return ${code}`)(expect, jest);
    const text = golden.printed[at];
    expect(value).toMatchInlineSnapshot(text.includes('\\n') ? `\\n${text}\\n` : text);
  });
}";
    let directory = directory(
        "suites_expect",
        &[("a.test.js", source), ("cases.js", &cases), ("golden.json", &golden)],
    );
    let output = hemiola(&directory).args(["test", "--reporter", "dot"]).env("CI", "1").output();
    let shown = text(output.expect("the command can be started").stdout);
    assert!(shown.contains(": 1158 passed\n"), "{shown}");
}

#[test]
fn where_several_runners_are_installed_all_globals_are_there() {
    let directory = directory(
        "suites_several_runners",
        &[
            (
                "package.json",
                r#"{ "devDependencies": { "jest": "29", "vitest": "2", "mocha": "10" } }"#,
            ),
            ("a.test.js", "test('a', () => { expect(jest.fn()()).toBeUndefined(); });"),
            (
                "b.test.js",
                "context('b', function () { specify('c', function () { this.timeout(1000); }); });",
            ),
        ],
    );
    let (code, lines) = outcomes(&directory, &[]);
    assert_eq!((code, lines.as_str()), (Some(0), "a.test.js: a: pass\nb.test.js: b > c: pass\n"));
}

/// What the rows of tables are in a project of jest or vitest: names, and what the tests are called with.
const TABLES: &str = "const tables = { mixed: [1, 'x', null, [1]], rows: [[1, 2], [3, 4]], uneven: [[1], [2, 3]], objects: [{ a: 'q', b: { c: [1] } }] };
for (const [name, table] of Object.entries(tables)) test.each(table)(`${name} %s %j`, (...given) => { console.log(JSON.stringify(given)); });
test.each(tables.objects)('parts $a $b.c $# $none', () => {});
test.each(tables.objects)('both $a %s', () => {});
test.each([[Symbol('s'), -0]])('%d %s %%', () => {});
";

#[test]
fn rows_of_tables_are_called_and_named_as_their_runner_does() {
    let of = |flavour: &str| {
        let manifest = format!(r#"{{ "scripts": {{ "test": "{flavour}" }} }}"#);
        let import = "import { test } from 'vitest';\n";
        let text = format!("{}{TABLES}", if flavour == "vitest" { import } else { "" });
        let name = format!("suites_tables_of_{flavour}");
        project(&name, &[("package.json", &manifest), ("a.test.mjs", &text)])
    };
    let jest = of("jest");
    let told = outcomes(&jest, &[]).1;
    let names: Vec<&str> = told
        .lines()
        .filter_map(|line| line.strip_prefix("a.test.mjs: ")?.strip_suffix(": pass"))
        .collect();
    let expected = [
        "mixed 1 %j",
        "mixed x %j",
        "mixed null %j",
        "mixed [ 1 ] %j",
        "rows 1 2",
        "rows 3 4",
        "uneven 1 %j",
        "uneven 2 3",
        "objects { a: 'q', b: [Object] } %j",
        "parts q [1] 0 $none",
        "both $a { a: 'q', b: [Object] }",
        "NaN -0 %",
    ];
    assert_eq!(names, expected, "{told}");
    let vitest = of("vitest");
    let told = outcomes(&vitest, &[]).1;
    for name in ["mixed 1 undefined", "uneven 2 3", "parts 'q' [ 1 ] $# undefined", "NaN -0 %"] {
        assert!(told.contains(&format!("a.test.mjs: {name}: pass\n")), "{name}\n{told}");
    }
    let given = "[1]\n    [\"x\"]\n    [null]\n    [[1]]\n    [1,2]\n    [3,4]\n    [1]\n    [2,3]\n    [{\"a\":\"q\",\"b\":{\"c\":[1]}}]\n";
    for directory in [jest, vitest] {
        let shown = text(test(&directory, &[]).stdout);
        assert!(shown.contains(given), "{shown}");
    }
}

#[test]
fn jest_takes_no_table_without_rows_and_no_value_of_a_test() {
    let directory = project(
        "suites_refused_by_jest",
        &[
            ("package.json", r#"{ "scripts": { "test": "jest" } }"#),
            (
                "a.test.js",
                "test.each([])('no row %s', () => {}); test.each('text')('no table', () => {}); test.each()('nothing', () => {});
                 test('gives a value', () => 5); test('gives a promise', async () => 5);
                 test('waits for what it yields', function* () { expect(yield Promise.resolve(1)).toBe(1); });
                 test('fails in the middle', function* () { yield Promise.reject(new Error('middle')); });",
            ),
        ],
    );
    let expected = "a.test.js: no row %s: fail
a.test.js: no table: fail
a.test.js: nothing: fail
a.test.js: gives a value: fail
a.test.js: gives a promise: pass
a.test.js: waits for what it yields: pass
a.test.js: fails in the middle: fail
";
    assert_eq!(outcomes(&directory, &[]), (Some(1), expected.into()));
}

#[test]
fn the_tests_of_a_suite_share_this_in_mocha() {
    let text = "const assert = require('assert');
describe('suite', () => {
  beforeEach(function () { this.count = (this.count ?? 0) + 1; });
  it('sets', function () { this.left = 1; });
  it('finds', function () { assert.deepStrictEqual([this.left, this.count], [1, 2]); });
  describe('inner', () => {
    it('finds what is around', function () { assert.deepStrictEqual([this.left, this.count], [1, 3]); this.left = 2; });
    after(function () { assert.strictEqual(this.left, 2); });
  });
  after(function () { assert.strictEqual(this.left, 1); });
});";
    let of = |flavour: &str| {
        let manifest = format!(r#"{{ "scripts": {{ "test": "{flavour}" }} }}"#);
        let hooks = text.replace("after(", "afterAll(");
        let text = if flavour == "mocha" { text } else { &hooks };
        project(
            &format!("suites_with_this_in_{flavour}"),
            &[("package.json", &manifest), ("test/a.test.js", text)],
        )
    };
    assert_eq!(outcomes(&of("mocha"), &[]).0, Some(0));
    let (code, told) = outcomes(&of("jest"), &[]);
    assert!(code == Some(1) && told.contains("suite > finds: fail\n"), "{told}");
}

#[test]
fn an_error_nobody_catches_belongs_to_the_test_that_started_what_failed() {
    let late = "('rejects', () => { Promise.reject(new Error('unhandled')); });
TEST('is well', () => new Promise((done) => setTimeout(done, 20)));
TEST('throws late', () => { setTimeout(() => { throw new Error('late'); }, 5); });
TEST('is well, too', () => new Promise((done) => setTimeout(done, 50)));
TEST('throws', () => new Promise((done) => { setTimeout(() => { throw new Error('in time'); }, 5); setTimeout(done, 1000); }));
";
    let jest = format!("test{}", late.replace("TEST", "test"));
    let node = format!("const test = require('node:test');\n{jest}");
    let directory =
        directory("suites_with_stray_errors", &[("a.test.js", &jest), ("b.test.js", &node)]);
    let (code, told) = outcomes(&directory, &[]);
    let expected = "a.test.js: rejects: fail
a.test.js: is well: pass
a.test.js: throws late: pass
a.test.js: is well, too: pass
a.test.js: throws: fail
b.test.js: rejects: pass
b.test.js: is well: pass
b.test.js: throws late: pass
b.test.js: is well, too: pass
b.test.js: throws: fail
a.test.js: \"throws late\" caused this after it was over:
b.test.js: \"rejects\" caused this after it was over:
b.test.js: \"throws late\" caused this after it was over:
";
    assert_eq!((code, told.as_str()), (Some(1), expected));
    let output = hemiola(&directory).args(["--test", "b.test.js"]).output();
    let shown = text(output.expect("the command can be started").stdout);
    for line in [
        "Error: Test \"rejects\" at b.test.js:2:1 generated asynchronous activity after the test ended. This activity created the error \"Error: unhandled\" and would have caused the test to fail, but instead triggered an unhandledRejection event.",
        "Error: Test \"throws late\" at b.test.js:4:1 generated asynchronous activity after the test ended. This activity created the error \"Error: late\" and would have caused the test to fail, but instead triggered an uncaughtException event.",
    ] {
        assert!(shown.contains(line), "{shown}");
    }
}

#[test]
fn modules_of_vitest_have_their_surroundings() {
    let part = "export const mode = () => [import.meta.env.MODE, import.meta.env.DEV, import.meta.env.PROD, import.meta.env.BASE_URL];";
    let directory = directory(
        "suites_with_surroundings",
        &[
            ("part.mjs", part),
            (
                "a.test.mjs",
                "import { expect, test, vi } from 'vitest';
import { mode } from './part.mjs';
test('are told', () => { expect(mode()).toEqual(['test', true, false, '/']); expect('SSR' in import.meta.env).toBe(true); });
test('change', () => {
  vi.stubEnv('VITE_KEY', 'k'); vi.stubEnv('PROD', true);
  expect([import.meta.env.VITE_KEY, { ...import.meta.env }.VITE_KEY, process.env.VITE_KEY]).toEqual(['k', 'k', 'k']);
  vi.unstubAllEnvs();
  import.meta.env.DEV = false;
  expect([import.meta.env.VITE_KEY, import.meta.env.DEV, process.env.DEV]).toEqual([undefined, false, '']);
});
let tries = 0;
test('know the attempt', { retry: 1 }, ({ task }) => { expect(task.result.retryCount).toBe(tries++); throw new Error('again'); });
test.for([[1, 2]])('rows with a context', ([a, b], { expect, task }) => { expect([a, b, task.name]).toEqual([1, 2, 'rows with a context']); });
const mine = test.extend({ base: async ({}, use) => use(1), never: async () => { throw new Error('nobody asks'); } });
mine.for([[1, 2]])('rows with fixtures', ([a, b], { base }) => { expect(a).toBe(base); });",
            ),
        ],
    );
    let expected = "a.test.mjs: are told: pass
a.test.mjs: change: pass
a.test.mjs: know the attempt: fail
a.test.mjs: rows with a context: pass
a.test.mjs: rows with fixtures: pass
";
    assert_eq!(outcomes(&directory, &[]), (Some(1), expected.into()));
    let shown = text(test(&directory, &["--grep", "attempt"]).stdout);
    assert!(shown.contains("again") && !shown.contains("Expected"), "{shown}");
}

#[test]
fn configurations_name_places_as_seen_from_their_file() {
    let jest = project(
        "suites_of_jest_elsewhere",
        &[
            (
                "package.json",
                r#"{ "scripts": { "test": "jest --config config/jest.config.js" } }"#,
            ),
            (
                "config/jest.config.js",
                "module.exports = { rootDir: '..', moduleDirectories: ['node_modules', 'shared'],
                   testMatch: ['**/*.spec.js', '!**/not.spec.js'], setupFiles: ['<rootDir>/setup.js', './more.js', './setup.js'] };",
            ),
            // As in Jest, a file that is named twice runs once.
            ("setup.js", "globalThis.count = (globalThis.count ?? 0) + 1;"),
            ("more.js", "globalThis.count = (globalThis.count ?? 0) + 1;"),
            ("src/a.spec.js", "test('set up', () => expect(count).toBe(2));"),
            ("src/not.spec.js", "test('not', () => { throw new Error('no'); });"),
            ("config/b.test.js", "test('not', () => { throw new Error('no'); });"),
        ],
    );
    assert_eq!(outcomes(&jest, &[]), (Some(0), "src/a.spec.js: set up: pass\n".into()));
    let said = text(test(&jest, &[]).stderr);
    assert_eq!(
        said,
        "note: jest.config.js: moduleDirectories shared: packages are only found in `node_modules`\n"
    );

    let vitest = project(
        "suites_of_vitest_with_paths",
        &[
            ("package.json", r#"{ "type": "module", "scripts": { "test": "vitest run" } }"#),
            (
                "vitest.config.ts",
                "import { defineConfig } from 'vitest/config';
import path from 'node:path';
export default defineConfig({
  define: { __VERSION__: JSON.stringify('1.2'), 'import.meta.env.VITE_NAME': '\"name\"', __CODE__: 'a + b' },
  resolve: { alias: [{ find: '@', replacement: path.resolve(__dirname, 'src') }, { find: /^~(\\w)\\//, replacement: `${__dirname}/src/$1/` }, { find: /x$/, replacement: 'y' }] },
});",
            ),
            (
                "tsconfig.json",
                r#"{ "extends": "./config/base", "compilerOptions": { "strict": true } }"#,
            ),
            (
                "config/base.json",
                r#"{ "compilerOptions": { "paths": { "$lib/*": ["../lib/*"] } } }"#,
            ),
            ("src/one.ts", "export const one = 1;"),
            ("src/a/two.ts", "export const two = 2;"),
            ("lib/three.ts", "export const three = 3;"),
            (
                "a.test.ts",
                "import { expect, test } from 'vitest';
import { one } from '@/one';
import { two } from '~a/two';
import { three } from '$lib/three';
test('found', () => { expect([one, two, three, __VERSION__, import.meta.env.VITE_NAME]).toEqual([1, 2, 3, '1.2', 'name']); });",
            ),
        ],
    );
    assert_eq!(outcomes(&vitest, &[]), (Some(0), "a.test.ts: found: pass\n".into()));
    let said = text(test(&vitest, &[]).stderr);
    let expected = "note: vitest.config.ts: the alias /x$/ is not understood, and is ignored
note: vitest.config.ts: `define` of __CODE__ is not understood, and is ignored\n";
    assert_eq!(said, expected);

    fs::write(vitest.join("vitest.config.ts"), "import 'not-there';").expect("it can be written");
    fs::write(vitest.join("a.test.ts"), "test('has globals', () => {});")
        .expect("it can be written");
    assert_eq!(outcomes(&vitest, &[]), (Some(0), "a.test.ts: has globals: pass\n".into()));
}
