//! `hemiola test --explore`: tests that pass only in some orders.

use crate::common::{directory, hemiola, shell, text};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};

/// Explores the tests in a directory; gives the exit status and the JSON object.
fn explore(directory: &Path, flags: &[&str]) -> (Option<i32>, Value) {
    let mut command = hemiola(directory);
    let command = command.args(["test", "--explore", "--format", "json"]).args(flags);
    let output = command.output().expect("the command can be started");
    let shown = text(output.stdout);
    let found = serde_json::from_str(&shown);
    let found = found.unwrap_or_else(|error| panic!("{error}: {shown}\n{}", text(output.stderr)));
    (output.status.code(), found)
}

/// Each test with its outcome, whether all schedules were tried, and the classes of its failures.
fn outcomes(found: &Value) -> Vec<String> {
    let tests = found["tests"].as_array().expect("a list of tests").iter();
    let words = tests.map(|test| {
        let word = |name: &str| test[name].as_str().unwrap_or_default();
        let classes = test["failures"].as_array().expect("a list of failures").iter();
        let classes: Vec<&str> = classes.filter_map(|failed| failed["class"].as_str()).collect();
        let exhaustive = if test["exhaustive"] == true { " exhaustive" } else { "" };
        let line =
            format!("{}: {}{exhaustive} {}", word("name"), word("outcome"), classes.join(" "));
        line.trim_end().to_owned()
    });
    words.collect()
}

fn named<'a>(found: &'a Value, name: &str) -> &'a Value {
    let tests = found["tests"].as_array().expect("a list of tests");
    tests.iter().find(|test| test["name"] == name).unwrap_or_else(|| panic!("{name}: {found}"))
}

const TESTS: &str = "const { stat } = require('node:fs/promises');
test('sure', async () => { await stat('.'); });
test('in order', async () => {
  const seen = [];
  const look = async (name) => { await stat('.'); seen.push(name); };
  await Promise.all([look('a'), look('b')]);
  expect(seen).toEqual(['a', 'b']);
});
test('patient', async () => {
  let found = false;
  const looking = stat('.').then(() => { found = true; });
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(found).toBe(true);
  await looking;
});
test('wrong', () => { expect(1).toBe(2); });
test.skip('later', () => { throw new Error('never'); });
test('outside', () => { require('node:child_process').execFileSync('true'); });
test('limited', async () => { await stat('.'); await stat('.'); }, 1);
test('stuck', () => new Promise(() => {}), 50);
";

#[test]
fn each_test_is_explored_by_itself() {
    let directory = directory("flaky-each", &[("a.test.js", TESTS)]);
    let (code, found) = explore(&directory, &[]);
    assert_eq!(found["version"], 1);
    let expected = [
        "sure: pass exhaustive",
        "in order: flaky exhaustive order",
        "patient: flaky exhaustive slow",
        "wrong: fail exhaustive order",
        "later: skipped",
        "outside: pass",
        "limited: pass exhaustive",
        "stuck: fail exhaustive order",
    ];
    assert_eq!(outcomes(&found), expected, "{found}");
    assert_eq!(code, Some(1), "a test fails");
    let note = named(&found, "outside")["note"].as_str().expect("it says what it lacks");
    assert!(note.contains("it reached for the process `") && note.contains("true"), "{note}");
    let message = named(&found, "stuck")["failures"][0]["message"].as_str().unwrap_or_default();
    assert!(message.contains("did not end within 50 ms"), "live there is a limit: {message}");
}

#[test]
fn a_flaky_test_is_told_with_its_cause_and_can_be_run_again() {
    let directory = directory("flaky-cause", &[("a.test.js", TESTS)]);
    let (code, found) = explore(&directory, &["--grep", "in order"]);
    assert_eq!(code, Some(100), "no test fails for sure");
    let failed = &named(&found, "in order")["failures"][0];
    assert_eq!(failed["deviations"].as_array().map(Vec::len), Some(1), "{failed}");
    let lines: Vec<u64> = failed["places"]
        .as_array()
        .expect("places")
        .iter()
        .filter(|place| place["file"] == "a.test.js")
        .filter_map(|place| place["line"].as_u64())
        .collect();
    assert!(lines.contains(&5), "the race is where `seen` changes: {failed}");
    assert!(lines.contains(&7), "it is noticed where that is expected: {failed}");
    let command = failed["command"].as_str().expect("a command");
    let again = shell(&directory, command);
    let shown = text(again.stdout);
    assert_eq!(again.status.code(), Some(1), "{shown}");
    assert!(shown.contains("✖ in order"), "{shown}");

    let mut command = hemiola(&directory);
    let output = command.args(["test", "--explore", "--grep", "order|patient|sure"]).output();
    let shown = text(output.expect("the command can be started").stdout);
    for words in [
        "✔ sure: passes in all schedules (exhaustive, ",
        "≈ in order: flaky: fails in ",
        "≈ patient: flaky, only if answers are slow: fails in ",
        "the race behind it: ",
        "hemiola test --schedule ",
    ] {
        assert!(shown.contains(words), "{words}\n{shown}");
    }
    let at = |words: &str| shown.find(words).unwrap_or_else(|| panic!("{words}\n{shown}"));
    assert!(at("≈ a.test.js > in order") < at("\nonly if answers are slow"), "{shown}");
    assert!(at("\nonly if answers are slow") < at("≈ a.test.js > patient"), "{shown}");
}

#[test]
fn each_way_to_fail_has_its_race_also_where_the_first_schedule_fails() {
    let tests = "const { readFile, writeFile } = require('node:fs/promises');
const text = (count) => JSON.stringify({ count });
test('counts', async () => {
  const add = async () => {
    const before = await readFile('/tmp/count').catch(() => text(0));
    await writeFile(
      '/tmp/count',
      text(JSON.parse(before).count + 1));
  };
  await Promise.all([add(), add()]);
  expect(await readFile('/tmp/count', 'utf8')).toBe(text(2));
});
";
    let directory = directory("flaky-ways", &[("a.test.js", tests)]);
    let (_, found) = explore(&directory, &[]);
    let failures = named(&found, "counts")["failures"].as_array().expect("a list of failures");
    assert_eq!(failures.len(), 2, "lost or damaged: {found}");
    assert_eq!(failures[0]["schedule"], "default", "{found}");
    for failed in failures {
        let sides = failed["race"]["sides"].as_array().expect("a race");
        let lines: Vec<_> = sides.iter().map(|side| side["place"]["line"].as_u64()).collect();
        assert_eq!(lines, [Some(5), Some(6)], "{failed}");
    }
}

#[test]
fn tests_of_all_runners_are_explored() {
    let body = "async () => {
        const seen = [];
        const look = async (name) => { await stat('.'); seen.push(name); };
        await Promise.all([look('a'), look('b')]);
        if (seen[0] !== 'a') throw new Error('b was first');
    }";
    let node = format!(
        "const {{ describe, it, test, before }} = require('node:test'); const {{ stat }} = require('node:fs/promises');
         let ready = false;
         describe('suite', () => {{
           before(() => {{ ready = true; }});
           it('racy', {{ timeout: 1 }}, {body});
           it('ready', () => {{ if (!ready) throw new Error('no hook'); }});
           it.todo('later');
         }});
         test('parts', async (t) => {{ await t.test('part', {body}); }});"
    );
    let mocha = format!(
        "const {{ stat }} = require('node:fs/promises');
         describe('mocha', function () {{ this.timeout(1); beforeEach((done) => {{ stat('.').then(() => done()); }}); it('racy', {body}); it('calls', (done) => {{ setTimeout(done, 50); }}); }});"
    );
    let vitest = format!(
        "import {{ expect, it, vi }} from 'vitest'; import {{ stat }} from 'node:fs/promises';
         it('racy', {body});
         it('fake time', () => {{ vi.useFakeTimers(); const f = vi.fn(); setTimeout(f, 1000); vi.advanceTimersByTime(1000); expect(f).toHaveBeenCalled(); }});"
    );
    // By then the engine has everything of vitest ready before the file says that it is written for it.
    let many = "import { it } from 'vitest'; import { stat } from 'node:fs/promises';
         it('given a context', async (given) => {
           await Promise.all([1, 2, 3, 4].map(() => stat('.')));
           given.expect(process.env.NODE_ENV).toBe('test');
         });";
    let files = [
        ("a.test.js", node.as_str()),
        ("b.test.js", mocha.as_str()),
        ("c.test.mjs", vitest.as_str()),
        ("d.test.js", "setTimeout(() => {}, 10);"),
        ("e.test.js", "const x = ;"),
        ("f.test.mjs", many),
    ];
    let directory = directory("flaky-runners", &files);
    let (code, found) = explore(&directory, &[]);
    let expected = [
        "suite > racy: flaky exhaustive order",
        "suite > ready: pass exhaustive",
        "suite > later: skipped",
        "parts: flaky exhaustive order",
        "mocha > racy: flaky exhaustive order",
        "mocha > calls: pass exhaustive",
        "racy: flaky exhaustive order",
        "fake time: pass exhaustive",
        "d.test.js: pass exhaustive",
        "given a context: pass exhaustive",
    ];
    assert_eq!(outcomes(&found), expected, "{found}");
    assert_eq!(code, Some(1), "a file cannot be loaded");
    let broken = &found["files"][4]["failures"][0]["message"];
    assert!(broken.as_str().is_some_and(|text| text.starts_with("SyntaxError")), "{broken}");

    for (file, case) in [("b.test.js", "1.1"), ("c.test.mjs", "1")] {
        let words = ["--schedule", "0:1", "--test-case", case];
        let run = |start: &[&str]| {
            let mut command = hemiola(&directory);
            let output = command.args(start).args(words).arg(file).output();
            let output = output.expect("the command can be started");
            (output.status.code(), text(output.stdout), text(output.stderr))
        };
        let (code, shown, _) = run(&["replay"]);
        assert!(code == Some(1) && shown.contains("b was first"), "{file}: {code:?} {shown}");
        let (code, shown, said) = run(&["debug", &format!("--log={file}:6 seen[0]")]);
        let logged = shown.lines().next().and_then(|line| line.rsplit(' ').next());
        assert_eq!((code, logged), (Some(1), Some("b")), "{file}: {shown} {said}");
        assert!(format!("{shown}{said}").contains("b was first"), "{file}: {shown} {said}");
        let page = format!("{file}.html");
        let (code, _, said) = run(&["view", "--out", &page]);
        assert_eq!((code, said.as_str()), (Some(0), ""), "{file}");
        let html = std::fs::read_to_string(directory.join(page)).expect("the page is there");
        let again = format!("hemiola test --schedule 0:1 --test-case {case} {file}");
        assert!(html.contains(&again) && html.contains("b was first"), "{file}");
        let (code, _, said) = run(&["view", "--seed", "1"]);
        assert_eq!(code, Some(2), "{said}");
    }
}

#[test]
fn the_budget_is_kept() {
    let source = "const { stat } = require('node:fs/promises');
        test('many', async () => { await Promise.all([1, 2, 3, 4, 5, 6].map(() => stat('.'))); });";
    let directory = directory("flaky-budget", &[("a.test.js", source)]);
    let (code, found) = explore(&directory, &["--schedules", "20"]);
    let test = named(&found, "many");
    assert_eq!(
        (code, &test["schedules"], &test["exhaustive"]),
        (Some(0), &20.into(), &false.into())
    );
    let (code, found) = explore(&directory, &["--schedules", "1000000", "--time", "300ms"]);
    assert_eq!((code, &named(&found, "many")["outcome"]), (Some(0), &"pass".into()));
}

const SHARED: &str = "const { stat } = require('node:fs/promises');
test('four', async () => {
  const seen = [];
  await Promise.all(['a', 'b', 'c', 'd'].map(async (name) => { await stat('.'); seen.push(name); }));
  expect(seen[0]).not.toBe('d');
});
test('one', async () => { await stat('.'); });
";

#[test]
fn several_share_one_exploration() {
    let directory = directory("flaky-shards", &[("a.test.js", SHARED)]);
    let (_, whole) = explore(&directory, &[]);
    let mut parts = Vec::new();
    for part in 1..=3 {
        let (_, found) = explore(&directory, &["--shard", &format!("{part}/3")]);
        let path = format!("{part}.json");
        std::fs::write(directory.join(&path), found.to_string()).expect("a result can be kept");
        parts.push(path);
    }
    let merge = |parts: &[String]| {
        let mut command = hemiola(&directory);
        let output = command.args(["explore", "merge", "--format", "json"]).args(parts).output();
        let output = output.expect("the command can be started");
        let found: Value = serde_json::from_slice(&output.stdout).expect("an object");
        (output.status.code(), found, text(output.stderr))
    };
    let (code, merged, notes) = merge(&parts);
    assert_eq!((code, notes.as_str()), (Some(100), ""));
    assert_eq!(outcomes(&merged), outcomes(&whole));
    let schedules = |found: &Value| named(found, "four")["schedules"].as_u64().expect("a number");
    assert!(schedules(&merged) >= schedules(&whole), "nothing is left out: {merged}");
    let (_, some, notes) = merge(&parts[..2]);
    assert_eq!(named(&some, "one")["exhaustive"], false);
    assert!(notes.contains("not all schedules are there: without 3/3"), "{notes}");

    std::fs::write(directory.join("other.json"), "{}").expect("a file can be written");
    let output = hemiola(&directory).args(["explore", "merge", "other.json"]).output();
    let output = output.expect("the command can be started");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(output.stderr).contains("`other.json` is not a result of"));
}

#[test]
fn what_several_have_saved_is_joined_and_gone_on_from() {
    let files = [("a.test.js", SHARED), ("b.test.js", "test('other', async () => { await 0; });")];
    let directory = directory("flaky-journals", &files);
    let run = |arguments: &[&str]| {
        let output = hemiola(&directory).args(arguments).output().expect("it can be started");
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let test = ["test", "--explore", "--jobs=1", "--format", "json"];
    let (_, whole, _) = run(&test);
    for part in ["1", "2", "3"] {
        let (shard, saved) = (format!("--shard={part}/3"), format!("--resume={part}.jsonl"));
        let (_, found, _) = run(&[&test[..], &[&shard, &saved]].concat());
        std::fs::write(directory.join(format!("{part}.json")), found).expect("it can be kept");
    }
    let merge = ["explore", "merge", "--format", "json"];
    let results = ["1.json", "2.json", "3.json"];
    let saved = ["2.jsonl", "3.jsonl", "1.jsonl"];
    let all = [&merge[..], &["--resume=all.jsonl"], &results, &saved].concat();
    assert_eq!(run(&all), (Some(100), whole.clone(), String::new()));

    // Who goes on from there has nothing left to do, and notes nothing.
    let journal = directory.join("all.jsonl");
    let joined = std::fs::read_to_string(&journal).expect("it is written");
    let goes_on = [&test[..], &["--resume=all.jsonl"]].concat();
    assert_eq!(run(&goes_on), (Some(100), whole.clone(), String::new()));
    assert_eq!(std::fs::read_to_string(&journal).expect("it is kept"), joined);
    // Who goes on from a part of it, cut off in the middle of a line, makes the rest.
    let lines = joined.lines().count();
    let half = joined.len() / 2;
    std::fs::write(&journal, &joined[..half]).expect("it can be written");
    assert_eq!(run(&goes_on).1, whole);
    let again = std::fs::read_to_string(&journal).expect("it is kept");
    assert!(again.starts_with(&joined[..half][..joined[..half].rfind('\n').expect("a line") + 1]));
    assert!(again.lines().count() <= lines, "nothing is noted twice");
    assert_eq!(run(&goes_on).1, whole);

    let damage = |from: &str, to: &str| {
        assert!(joined.contains(from), "{joined}");
        std::fs::write(&journal, joined.replacen(from, to, 1)).expect("it can be written");
        let (code, _, complaint) = run(&goes_on);
        assert_eq!(code, Some(2), "{complaint}");
        let (code, _, of_merge) = run(&[&merge[..], &["all.jsonl", "1.jsonl"]].concat());
        assert_eq!(code, Some(2), "{of_merge}");
        (complaint, of_merge)
    };
    let second = joined.lines().nth(2).expect("a run");
    for (from, to, why) in [
        ("exploration of tests", "exploration", "line 1: it is not a saved exploration of tests"),
        ("\"version\":1", "\"version\":2", "line 1: it has version 2, and this build reads 1"),
        (second, "{\"test\":0,", "`all.jsonl`, line 3 is damaged"),
        ("\"tells\":0,\"test\":0", "\"tells\":0,\"test\":7", "line 3 is damaged"),
        ("\"plan\":", "\"plans\":", "`all.jsonl`, line 3 is damaged"),
    ] {
        let (complaint, of_merge) = damage(from, to);
        assert!(complaint.contains(why) && of_merge.contains(why), "{complaint}{of_merge}");
        assert!(complaint.contains("help: "), "{complaint}");
    }
    let (complaint, of_merge) = damage("\"slow\":false", "\"slow\":true");
    assert!(complaint.contains("what `a.test.js > four` does has changed since"), "{complaint}");
    assert!(of_merge.contains("line 3: `a.test.js > four` does something else than"), "{of_merge}");

    std::fs::write(&journal, &joined).expect("it can be written");
    let (_, _, complaint) = run(&[&goes_on[..], &["--slow=1s"]].concat());
    assert!(
        complaint.contains("cannot go on from `all.jsonl`, line 2: `a.test.js > four` has changed")
    );
    let (code, _, complaint) = run(&[&merge[..], &["--resume=x.jsonl", "1.json"]].concat());
    assert_eq!(code, Some(2), "{complaint}");
    assert!(complaint.contains("there is nothing to go on from in these files"), "{complaint}");
}

#[test]
fn explore_does_the_same_for_directories_and_several_files() {
    let directory = directory("flaky-explore", &[]);
    std::fs::create_dir(directory.join("test")).expect("a directory can be made");
    let node = "const test = require('node:test'); test('node', () => {});";
    for (path, source) in [
        ("test/a.js", node),
        ("test/b.js", "test('jest', () => {});"),
        ("c.test.js", "it('alone', () => {});"),
    ] {
        std::fs::write(directory.join(path), source).expect("a test can be written");
    }
    let run = |words: &[&str]| {
        let mut command = hemiola(&directory);
        let output = command.args(["explore", "--format", "json"]).args(words).output();
        let output = output.expect("the command can be started");
        let found: Value = serde_json::from_slice(&output.stdout).expect("an object");
        (output.status.code(), outcomes(&found))
    };
    let both = ["node: pass exhaustive", "jest: pass exhaustive"].map(str::to_owned);
    assert_eq!(run(&["test"]), (Some(0), both.to_vec()));
    assert_eq!(run(&["test/a.js", "test/b.js"]), (Some(0), both.to_vec()));
    assert_eq!(run(&["c.test.js"]), (Some(0), vec!["alone: pass exhaustive".to_owned()]));
}

#[test]
fn only_tests_that_reach_changed_files_are_explored() {
    if !crate::common::has("git", "--version", "changed-tests") {
        return;
    }
    let files = [
        ("a.js", "exports.a = 1;"),
        ("b.js", "exports.b = 1;"),
        ("a.test.js", "const { a } = require('./a'); test('a', () => {});"),
        ("b.test.js", "const { b } = require('./b'); test('b', () => {});"),
    ];
    let directory = directory("flaky-changed", &files);
    let git = "git -c user.name=t -c user.email=t@example.org -c commit.gpgsign=false";
    let made = shell(&directory, &format!("git init -q . && git add . && {git} commit -qm first"));
    assert!(made.status.success(), "{}", text(made.stderr));
    assert_eq!(outcomes(&explore(&directory, &["--changed"]).1), Vec::<String>::new());
    std::fs::write(directory.join("b.js"), "exports.b = 2;").expect("a file can be changed");
    assert_eq!(outcomes(&explore(&directory, &["--changed"]).1), ["b: pass exhaustive"]);
    let mut command = hemiola(&directory);
    let output = command.args(["test", "--explore", "--changed=nowhere"]).output();
    let output = output.expect("the command can be started");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(output.stderr).contains("cannot tell which files changed"));
}

#[test]
fn after_ctrl_c_it_says_what_was_found() {
    let tests = "const { stat } = require('node:fs/promises');
test('in order', async () => {
  const seen = [];
  const look = async (name) => { for (let i = 0; i < 6; i++) { await stat('.'); seen.push(name); } };
  await Promise.all([look('a'), look('b'), look('c'), look('d')]);
  expect(seen[0]).toBe('a');
});
test('never begun', () => {});
";
    let directory = directory("flaky-interrupt", &[("a.test.js", tests)]);
    let mut hemiola = hemiola(&directory);
    hemiola.args(["test", "--explore", "--schedules", "10000000", "--jobs", "1"]);
    let search = hemiola.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut search = search.expect("hemiola runs");
    let of_process = |name: &str| {
        let path = format!("/proc/{}/{name}", search.id());
        std::fs::read_to_string(path).unwrap_or_default()
    };
    let hears = || {
        let status = of_process("status");
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0) >> 1 & 1 == 1
    };
    let computed = || {
        let stat = of_process("stat");
        let user = stat.rsplit(')').next().and_then(|stat| stat.split_whitespace().nth(11));
        user.and_then(|ticks| ticks.parse::<u64>().ok()).unwrap_or(u64::MAX)
    };
    // It listens once it knows its tests, and some ticks later it has run the first of them a few times.
    while !hears() && search_goes_on(&of_process("status")) {
        std::thread::yield_now();
    }
    let start = computed();
    while computed().saturating_sub(start) < 30 {
        std::thread::yield_now();
    }
    let interrupt = Command::new("kill").args(["-INT", &search.id().to_string()]).status();
    assert!(interrupt.expect("it can be sent").success());
    let code = search.wait().expect("it ends").code();
    let output = search.wait_with_output().expect("it has ended");
    let (out, err) = (text(output.stdout), text(output.stderr));
    assert_eq!(code, Some(100), "{out}{err}");
    assert!(err.contains("interrupted; this is what was found until then"), "{err}");
    assert!(out.contains("in order: flaky") && out.contains("1 test in 1 file"), "{out}");
}

/// Whether a process has not ended, by what the system says of it.
fn search_goes_on(status: &str) -> bool {
    status.lines().any(|line| line.starts_with("State:") && !line.contains('Z'))
}

#[test]
fn explore_takes_the_bound_for_slow_answers() {
    let tests = "const { stat } = require('node:fs/promises');
test('patient', async () => {
  let found = false;
  const looking = stat('.').then(() => { found = true; });
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(found).toBe(true);
  await looking;
});
";
    let node = "const test = require('node:test'); const assert = require('node:assert');\n";
    let node = format!("{node}{}", tests.replace("expect(found).toBe(true)", "assert(found)"));
    let directory = directory("flaky-slow", &[("a.test.js", tests), ("b.test.js", &node)]);
    for (file, slow, class) in [
        ("a.test.js", "1s", "order"),
        ("a.test.js", "100ms", "slow"),
        ("b.test.js", "1s", "order"),
        ("b.test.js", "100ms", "slow"),
    ] {
        let mut command = hemiola(&directory);
        let command = command.args(["explore", "--format", "json", "--slow", slow, file]);
        let output = command.output().expect("the command can be started");
        let found: Value = serde_json::from_slice(&output.stdout).expect("an object");
        assert_eq!(named(&found, "patient")["failures"][0]["class"], class, "{file} {slow}");
    }
}

#[test]
fn a_test_that_cannot_go_on_names_the_promises_that_nothing_settles() {
    let source = "const { stat } = require('node:fs/promises');
test('waits', async () => {
  let open;
  const gate = new Promise((resolve) => { open = resolve; });
  let looked = 0;
  stat('/').then(() => { if (looked++ === 0) open(); });
  stat('/tmp').then(() => { looked++; });
  await gate;
});
";
    let directory = directory("flaky-deadlock", &[("a.test.js", source)]);
    let (code, found) = explore(&directory, &[]);
    assert_eq!(code, Some(100));
    let message = &found["tests"][0]["failures"][0]["message"];
    let expected = "the test waits for something that never comes

a promise made at a.test.js:4:20, awaited at a.test.js:8:13";
    assert_eq!(message, expected);
}
