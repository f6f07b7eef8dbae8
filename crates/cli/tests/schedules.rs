//! Programs with a race fail under some schedule, and the race is found and called harmful; programs
//! without one never fail, and none of theirs is (rules RACE-1 and RACE-2).
//!
//! `schedules/racy` and `schedules/free` hold the programs; each begins with what it is about. Of the
//! free ones, those that say `Benign` have accesses that come in either order and do no harm.

use crate::common::{Scratch, hemiola, programs, text};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A directory of its own, for tests that run side by side.
fn directory() -> Scratch {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    Scratch::new(&format!("schedules-{}", NEXT.fetch_add(1, Ordering::Relaxed)))
}

/// The exit code of a command on a program in a directory of its own, and its last line as JSON.
fn ask(words: &[&str], program: &Path) -> (i32, Value) {
    let name = program.file_stem().expect("a program has a name").to_string_lossy();
    let scratch = directory();
    let output = hemiola(&scratch.0).args(words).arg(program).output().expect("hemiola can be run");
    let (out, err) = (text(output.stdout), text(output.stderr));
    assert_eq!(err, "", "{words:?} {name}");
    let code = output.status.code().expect("hemiola is not killed");
    let object = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{words:?} {name}: {out}"));
    (code, object)
}

fn racy() -> Vec<PathBuf> {
    let programs = programs("schedules/racy");
    assert!(programs.len() >= 30, "there are {}", programs.len());
    programs
}

fn free() -> Vec<PathBuf> {
    let programs = programs("schedules/free");
    assert!(programs.len() >= 20, "there are {}", programs.len());
    programs
}

fn verdicts(races: &Value) -> Vec<&str> {
    let races = races["races"].as_array().expect("a list of races");
    races.iter().filter_map(|race| race["verdict"].as_str()).collect()
}

const EXPLORE: [&str; 6] =
    ["explore", "--format", "json", "--max-schedules", "1000", "--fail-fast"];
const RACES: [&str; 5] = ["races", "--format", "json", "--max-schedules", "300"];

#[test]
fn a_racy_program_works_by_default_and_fails_under_some_schedule() {
    for program in racy() {
        let (code, found) = ask(&EXPLORE, &program);
        assert_eq!(code, 100, "{}: {found}", program.display());
        assert_eq!(found["outcomes"][0]["code"], 0, "{}: {found}", program.display());
        assert_ne!(found["failure"]["schedule"], "default");
    }
}

#[test]
fn a_racy_program_has_a_harmful_race() {
    for program in racy() {
        let (code, found) = ask(&RACES, &program);
        assert_eq!(code, 100, "{}: {found}", program.display());
        assert!(verdicts(&found).contains(&"harmful"), "{}: {found}", program.display());
    }
}

#[test]
fn a_schedule_of_a_harmful_race_fails_again() {
    for program in racy().iter().step_by(7) {
        let (_, found) = ask(&RACES, program);
        let schedule = found["races"][0]["schedule"].as_str().expect("a schedule");
        let scratch = directory();
        let words = ["replay", "--schedule", schedule];
        let output = hemiola(&scratch.0).args(words).arg(program).output().expect("it can be run");
        assert_eq!(output.status.code(), Some(1), "{} under {schedule}", program.display());
    }
}

#[test]
fn a_program_without_a_race_never_fails() {
    for program in free() {
        let (code, found) = ask(&EXPLORE, &program);
        assert_eq!(code, 0, "{}: {found}", program.display());
        let outcomes = found["outcomes"].as_array().expect("a list of outcomes");
        assert_eq!(outcomes.len(), 1, "{}: {found}", program.display());
    }
}

#[test]
fn what_is_ordered_is_not_reported_and_what_is_benign_does_no_harm() {
    for program in free() {
        let source = std::fs::read_to_string(&program).expect("the program can be read");
        let (code, found) = ask(&RACES, &program);
        assert_eq!(code, 0, "{}: {found}", program.display());
        let verdicts = verdicts(&found);
        if source.starts_with("// Benign:") {
            assert!(!verdicts.is_empty(), "{}: {found}", program.display());
            assert!(verdicts.iter().all(|&verdict| verdict == "benign"), "{}", program.display());
        } else {
            assert!(verdicts.is_empty(), "{}: {found}", program.display());
        }
    }
}

#[test]
fn a_run_in_the_world_keeps_to_a_schedule() {
    let program = "const fs = require('fs'); const log = (text) => () => console.log(text);
        setTimeout(log('timer'), 2);
        fs.stat('/', log('first'));
        fs.stat('/', log('second'));
        setImmediate(log('immediate'));";
    let scratch = directory();
    let file = scratch.0.join("four.js");
    std::fs::write(&file, program).expect("a file can be written");
    let (_, found) = ask(&["explore", "--format", "json"], &file);
    let outcomes = found["outcomes"].as_array().expect("a list of outcomes");
    assert!(outcomes.len() >= 8, "{found}");
    for outcome in outcomes.iter().step_by(5) {
        let schedule = outcome["schedule"].as_str().expect("a schedule");
        let words = ["run", "--schedule", schedule];
        let output = hemiola(&scratch.0).args(words).arg(&file).output().expect("it can be run");
        assert_eq!(text(output.stdout), outcome["stdout"], "under {schedule}");
        let told = format!("note: kept to schedule {schedule} for 4 callbacks\n");
        assert_eq!(text(output.stderr), told, "under {schedule}");
    }
}

#[test]
fn a_run_in_the_world_says_where_it_left_a_schedule() {
    // Under a schedule standard input is empty; in the world nobody ends it.
    let program = "process.stdin.on('end', () => console.log('end')).resume();
        setTimeout(() => { console.log('timer'); process.exit(); }, 5);";
    let scratch = directory();
    let file = scratch.0.join("reads.js");
    std::fs::write(&file, program).expect("a file can be written");
    let mut command = hemiola(&scratch.0);
    command.args(["run", "--schedule", "default"]).arg(&file);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it can be run");
    let input = child.stdin.take();
    let output = child.wait_with_output().expect("it ends");
    drop(input);
    assert_eq!(text(output.stdout), "timer\n");
    let err = text(output.stderr);
    assert!(err.starts_with("note: left schedule default after 0 callbacks: "), "{err}");
}

/// A program in a directory of its own.
fn written(source: &str) -> (Scratch, PathBuf) {
    let scratch = directory();
    let program = scratch.0.join("program.js");
    std::fs::write(&program, source).expect("a program can be written");
    (scratch, program)
}

/// Loring et al., section 3: two immediates, of which one reads what the other writes.
#[test]
fn only_the_order_of_two_registrations_keeps_a_program_from_failing() {
    let used_first =
        "let x; setImmediate(() => console.log(x.f)); setImmediate(() => { x = { f: 1 }; });";
    let (_kept, program) = written(used_first);
    let (code, found) = ask(&RACES, &program);
    assert_eq!((code, verdicts(&found)), (100, vec![]), "{found}");
    let failure = found["fails"]["failure"].as_str().expect("every run fails");
    assert!(failure.starts_with("TypeError: Cannot read properties of undefined"), "{failure}");
    assert_eq!(found["fails"]["schedule"], "default");
    let potential = [&RACES[..], &["--potential"]].concat();
    let (code, found) = ask(&potential, &program);
    assert_eq!((code, verdicts(&found)), (100, vec!["potential"]), "{found}");
    assert_eq!(found["fails"], Value::Null, "in the other order it does not fail");

    let defined_first =
        "let x; setImmediate(() => { x = { f: 1 }; }); setImmediate(() => console.log(x.f));";
    let (_kept, program) = written(defined_first);
    let (code, found) = ask(&RACES, &program);
    assert_eq!((code, verdicts(&found)), (0, vec![]), "{found}");
    let (code, found) = ask(&potential, &program);
    assert_eq!((code, verdicts(&found)), (100, vec!["potential"]), "{found}");
    let schedule = found["races"][0]["schedule"].as_str().expect("a schedule");
    let words = ["replay", "--potential", "--schedule", schedule];
    let output = hemiola(&_kept.0).args(words).arg(&program).output().expect("it can be run");
    assert_eq!(output.status.code(), Some(1), "under {schedule}");

    // A tick is before an immediate whatever the order of registrations.
    let tick =
        "let x; setImmediate(() => console.log(x.f)); process.nextTick(() => { x = { f: 1 }; });";
    let (_kept, program) = written(tick);
    let (code, found) = ask(&potential, &program);
    assert_eq!((code, verdicts(&found)), (0, vec![]), "{found}");
}

#[test]
fn ticks_and_timers_that_are_due_at_once_may_change_places_too() {
    let potential = [&RACES[..], &["--potential"]].concat();
    let programs = [
        "process.nextTick(() => { x = { f: 1 }; }); process.nextTick(() => console.log(x.f));",
        "setTimeout(() => { x = { f: 1 }; }, 5); setTimeout(() => console.log(x.f), 5);",
        "setTimeout(() => { x = { f: 1 }; }, 5, 'A'); setTimeout(() => console.log(x.f), 5, 'A');",
    ];
    for source in programs {
        let (_kept, program) = written(&format!("let x; {source}"));
        let (code, found) = ask(&RACES, &program);
        assert_eq!((code, verdicts(&found)), (0, vec![]), "{source}: {found}");
        let (code, found) = ask(&potential, &program);
        assert_eq!((code, verdicts(&found)), (100, vec!["potential"]), "{source}: {found}");
        let schedule = found["races"][0]["schedule"].as_str().expect("a schedule");
        let words = ["replay", "--potential", "--schedule", schedule];
        let output = hemiola(&_kept.0).args(words).arg(&program).output().expect("it can be run");
        assert_eq!(output.status.code(), Some(1), "{source} under {schedule}");
    }
    // What one registers for the other stays behind it, and what the library registers is where it is.
    let ordered = [
        "process.nextTick(() => { x = { f: 1 }; process.nextTick(() => console.log(x.f)); });",
        "setTimeout(() => { x = { f: 1 }; }, 5); setTimeout(() => console.log(x.f), 6);",
        "process.nextTick(() => { x = { f: 1 }; });\
         const s = new (require('stream').PassThrough)(); s.on('end', () => console.log(x.f)); s.resume().end();",
    ];
    for source in ordered {
        let (_kept, program) = written(&format!("let x; {source}"));
        let (code, found) = ask(&potential, &program);
        assert_eq!((code, verdicts(&found)), (0, vec![]), "{source}: {found}");
    }
}

/// Reactions to promises come in the order in which these are settled: who settles them may change places.
#[test]
fn reactions_to_promises_that_others_settle_change_places_with_these() {
    let potential = [&RACES[..], &["--potential"]].concat();
    let later = [
        "process.nextTick(done)",
        "setImmediate(done)",
        "setTimeout(done, 5)",
        "setTimeout(done, 5, 'A')",
    ];
    for later in later {
        let first = format!("const first = new Promise((done) => {later});");
        let second = format!("const second = new Promise((done) => {later});");
        let reactions = [
            "first.then(() => { x = { f: 1 }; }); second.then(() => console.log(x.f));",
            "(async () => { await first; x = { f: 1 }; })(); (async () => { await second; console.log(x.f); })();",
            "first.then(() => {}).then(() => { x = { f: 1 }; }); second.then(() => {}).then(() => console.log(x.f));",
        ];
        for reactions in reactions {
            let source = format!("let x; {first} {second} {reactions}");
            let (_kept, program) = written(&source);
            let (code, found) = ask(&RACES, &program);
            assert_eq!((code, verdicts(&found)), (0, vec![]), "{source}: {found}");
            let (code, found) = ask(&potential, &program);
            assert_eq!((code, verdicts(&found)), (100, vec!["potential"]), "{source}: {found}");
        }
    }
    // By rule: of one promise, of promises that one source settles, and of one chain.
    let ordered = [
        "first.then(() => { x = { f: 1 }; }); first.then(() => console.log(x.f));",
        "first.then(() => { x = { f: 1 }; }).then(() => console.log(x.f));",
        "process.nextTick(() => { x = { f: 1 }; }); first.then(() => console.log(x.f));",
        "Promise.resolve().then(() => { x = { f: 1 }; }); Promise.resolve().then(() => console.log(x.f));",
    ];
    for reactions in ordered {
        let first = "const first = new Promise((done) => process.nextTick(done));";
        let (_kept, program) = written(&format!("let x; {first} {reactions}"));
        let (code, found) = ask(&potential, &program);
        assert_eq!((code, verdicts(&found)), (0, vec![]), "{reactions}: {found}");
    }
}

/// Known from the order of the loop, not from having tried all schedules: only one is run.
#[test]
fn an_operation_does_not_race_with_what_its_trips_let_go_first() {
    let chain = "setImmediate(() => { n = 1; setImmediate(() => { n = 2; setImmediate(() => { n = 3; }); }); });";
    let words = ["races", "--format", "json", "--max-schedules", "1"];
    let read =
        format!("let n = 0; require('fs').readFile(__filename, () => console.log(n)); {chain}");
    let (_kept, program) = written(&read);
    let (_, found) = ask(&words, &program);
    assert_eq!(verdicts(&found), Vec::<&str>::new(), "{found}");
    // One trip lets none of them go first.
    let stat = format!("let n = 0; require('fs').stat(__filename, () => console.log(n)); {chain}");
    let (_kept, program) = written(&stat);
    let (_, found) = ask(&words, &program);
    assert_ne!(verdicts(&found), Vec::<&str>::new(), "{found}");
}

#[test]
fn accesses_that_are_not_seen_are_told() {
    let evaluates = "let x = 0; require('fs').stat('.', () => { eval('x = 1'); });\n\
                     setTimeout(() => { console.log(x); new Function('return 1')(); }, 5);";
    let maps = "function f(a) { const all = arguments; require('fs').stat('.', () => { all[0] = 1; });\n\
                setTimeout(() => { console.log(a); }, 5); } f(0);";
    let strict = format!("'use strict'; {maps}");
    for (source, unseen) in [
        (evaluates, vec![("eval", 1, 44), ("eval", 2, 36)]),
        (maps, vec![("arguments", 1, 29)]),
        (&strict, vec![]),
        ("function f() { return arguments.length + arguments[0]; } f(1);", vec![]),
        ("function f(a) { return g.apply(this, arguments); } function g() {} f(1);", vec![]),
        ("function f(a) { a = 2; return arguments[0]; } f(1);", vec![("arguments", 1, 31)]),
        ("function f(a) { [arguments[0]] = [2]; return a; } f(1);", vec![("arguments", 1, 18)]),
        ("function f(a) { [].shift.call(arguments); return a; } f(1);", vec![("arguments", 1, 31)]),
        ("function f(a) { [].slice.call(arguments); return a; } f(1);", vec![]),
        (
            "function f(a) { g(arguments); return a; } function g() {} f(1);",
            vec![("arguments", 1, 19)],
        ),
        // Whichever way the function comes that makes code, its place is told.
        (
            "(0, eval)('1'); const e = eval; globalThis.eval('1');",
            vec![("eval", 1, 5), ("eval", 1, 27), ("eval", 1, 33)],
        ),
        (
            "(async () => {}).constructor('1'); Reflect.construct(Function, ['1']);",
            vec![("eval", 1, 1), ("eval", 1, 54)],
        ),
        (
            "require('vm').runInThisContext('1'); import('node:vm');",
            vec![("eval", 1, 1), ("eval", 1, 38)],
        ),
        ("const o = {}; o instanceof Function; Function.prototype.toString.call(isNaN);", vec![]),
        (
            "function eval2() {} eval2('1'); o = { x: 1 }; with (o) { x = 2; }",
            vec![("with", 1, 47)],
        ),
    ] {
        let (_kept, program) = written(source);
        let (_, found) = ask(&RACES, &program);
        let told = found["unseen"].as_array().expect("a list").iter();
        let told: Vec<_> = told
            .map(|one| {
                (
                    one["what"].as_str(),
                    one["place"]["line"].as_u64(),
                    one["place"]["column"].as_u64(),
                )
            })
            .collect();
        let unseen: Vec<_> = unseen
            .into_iter()
            .map(|(what, line, column)| (Some(what), Some(line), Some(column)))
            .collect();
        assert_eq!(told, unseen, "{source}");
    }
}

#[test]
fn variables_that_another_module_changes_are_told_where_they_are_read() {
    let scratch = directory();
    let file = |name: &str, text: &str| {
        let path = scratch.0.join(name);
        std::fs::write(&path, text).expect("a file can be written");
        path
    };
    file(
        "state.mjs",
        "export let n = 0; export const set = (value) => { n = value; };\nlet m = 0; export { m as other };",
    );
    let program = file(
        "main.mjs",
        "import { n, set, other } from './state.mjs'; import * as all from './state.mjs';\n\
         import { stat } from 'node:fs'; stat('/', () => set(1)); set(other);\n\
         stat('/', () => console.log(n, all.n, n));",
    );
    let (_, found) = ask(&RACES, &program);
    let places: Vec<_> = found["unseen"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| {
            (one["what"].as_str(), one["place"]["line"].as_u64(), one["place"]["column"].as_u64())
        })
        .collect();
    let read = |column| (Some("import"), Some(3), Some(column));
    assert_eq!(places, [read(29), read(32)], "{found}");
}

/// Schedules that differ only in what nobody tells of are not taken for the same.
#[test]
fn what_is_not_seen_is_not_reduced() {
    let source = "const fs = require('fs'); globalThis.x = 0; const run = eval;
        for (const k of [1, 2]) fs.stat('/', () => { run(`x = x * 3 + ${k}`); });
        for (let i = 0; i < 2; i++) fs.stat('/', () => { console.log(run('x')); });";
    let (kept, program) = written(source);
    let outcomes = |reduction: &str| {
        let words = ["explore", "--format", "json", "--reduction", reduction];
        let output = hemiola(&kept.0).args(words).arg(&program).output().expect("it can be run");
        let found: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
        found["outcomes"].as_array().map(Vec::len)
    };
    assert_eq!(outcomes("order"), Some(11));
    assert_eq!(outcomes("accesses"), Some(11));
}

#[test]
fn timers_of_the_library_are_not_blamed_for_a_race_of_the_program() {
    let source = "const http = require('http'); let n = 0;
        const server = http.createServer((request, response) => {
          const mine = n;
          setTimeout(() => { n = mine + 1; response.end(); }, 5);
        });
        server.listen(0, () => {
          let done = 0;
          for (const path of ['/a', '/b']) {
            http.get({ port: server.address().port, path }, (response) => {
              response.resume();
              response.on('end', () => { if (++done === 2) { console.log(n); server.close(); } });
            });
          }
        });";
    let (_kept, program) = written(source);
    let (code, found) = ask(&RACES, &program);
    assert_eq!(code, 100, "{found}");
    let races = found["races"].as_array().expect("a list of races");
    let harmful: Vec<&str> = races
        .iter()
        .filter(|race| race["verdict"] == "harmful")
        .filter_map(|race| race["location"].as_str())
        .collect();
    assert!(
        !harmful.is_empty() && harmful.iter().all(|location| *location == "variable n"),
        "{found}"
    );
}
