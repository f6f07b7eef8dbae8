//! `hemiola explore` on files of `node:test`.

use crate::common::{directory, hemiola, text};
use serde_json::Value;

const TESTS: &str = "const { describe, it, test, before, beforeEach } = require('node:test');
const assert = require('node:assert');
const { stat } = require('node:fs/promises');
let balance;
let opened = 0;
async function pay(amount) {
  const old = balance;
  await stat('.');
  balance = old - amount;
}
test('fails if it runs', { skip: true }, () => { throw 1; });
describe('payments', () => {
  before(() => { opened++; });
  beforeEach(() => { balance = 100; });
  it('one', async () => { await pay(10); assert.deepStrictEqual([opened, balance], [1, 90]); });
  it('two', { timeout: 5 }, async () => {
    const first = pay(10);
    await new Promise((resolve) => setTimeout(resolve, 10));
    await pay(20);
    await first;
    assert.deepStrictEqual([opened, balance], [1, 70]);
  });
  it.todo('later', () => { throw 2; });
  describe('deeper', () => {
    it('with parts', async (t) => { await t.test('part', async () => { await pay(1); }); });
  });
});
";

#[test]
fn each_test_is_explored_on_its_own() {
    let directory = directory("explore-tests", &[("a.test.js", TESTS)]);
    let run = |words: &[&str]| {
        let output = hemiola(&directory).args(words).output().expect("hemiola can be run");
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let (code, out, err) = run(&["explore", "--format", "json", "a.test.js"]);
    assert_eq!((code, err.as_str()), (Some(100), ""));
    let found: Value = serde_json::from_str(&out).expect("an object");
    let tests = found["tests"].as_array().expect("a list of tests");
    let field = |test: &Value, name: &str| test[name].as_str().unwrap_or_default().to_owned();
    let told: Vec<(String, String)> =
        tests.iter().map(|test| (field(test, "case"), field(test, "result"))).collect();
    let expected = [
        ("1", "skipped"),
        ("2.1", "passed"),
        ("2.2", "failed"),
        ("2.3", "todo"),
        ("2.4.1", "passed"),
    ];
    assert_eq!(told, expected.map(|(case, result)| (case.to_owned(), result.to_owned())));
    let outcomes: Vec<String> = tests.iter().map(|test| field(test, "outcome")).collect();
    assert_eq!(outcomes, ["skipped", "pass", "flaky", "skipped", "pass"], "as `test` tells them");
    assert_eq!(
        (&tests[2]["file"], &tests[2]["name"]),
        (&"a.test.js".into(), &"payments > two".into())
    );
    assert_eq!(tests[2]["failures"][0]["schedule"], tests[2]["exploration"]["failure"]["schedule"]);
    assert_eq!(found["summary"]["flaky"], 1);
    let failure = &tests[2]["exploration"]["failure"];
    assert_eq!(tests[2]["exploration"]["outcomes"][0]["code"], 0, "by default it passes");
    let schedule = failure["schedule"].as_str().expect("a schedule");
    let (code, _, err) =
        run(&["replay", "--schedule", schedule, "--test-case", "2.2", "a.test.js"]);
    assert_eq!(code, Some(1));
    assert!(err.starts_with("AssertionError"), "{err}");

    let (code, out, _) = run(&["explore", "a.test.js"]);
    assert_eq!(code, Some(100));
    assert!(out.contains("✖ payments > two: "), "{out}");
    assert!(out.ends_with("5 tests: 2 passed, 1 failed, 1 skipped, 1 to be done\n"), "{out}");
    assert!(out.contains("--test-case=2.2 a.test.js\n"), "{out}");
}

#[test]
fn one_test_can_be_asked_for() {
    let directory = directory("explore-one-test", &[("a.test.js", TESTS)]);
    let run = |case: &str| {
        let mut command = hemiola(&directory);
        let output = command.args(["explore", "--test-case", case, "a.test.js"]).output();
        output.expect("hemiola can be run").status.code()
    };
    assert_eq!(
        [run("2.1"), run("2.2"), run("0"), run("x")],
        [Some(0), Some(100), Some(2), Some(2)]
    );
}

#[test]
fn a_directory_after_a_program_is_an_argument() {
    let program = "console.log(process.argv[2]);";
    let directory = directory("explore-argument", &[("a.js", program), ("files/b.js", program)]);
    let output = hemiola(&directory).args(["explore", "a.js", "files"]).output();
    let output = output.expect("the command can be started");
    assert_eq!(output.status.code(), Some(0), "{}", text(output.stderr));
    assert!(text(output.stdout).contains("files"));
}
