//! Values and chains that follow the links between callbacks: `node:async_hooks`, `AsyncContext`,
//! `hemiola:context`, `--stacks` (rules CTX-1 to CTX-5).
//!
//! The programs in crates/js/tests/contexts/node print what Node 20 printed; those in `own` are about what
//! Node does not have.

use crate::common::{directory, hemiola, session, text};
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../js/tests/contexts").join(name)
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("the file can be read")
}

/// Runs all programs of a folder in both worlds, and compares what they print.
fn compare_all(name: &str, least: usize) {
    let entries = std::fs::read_dir(folder(name)).expect("the programs are there");
    let mut programs: Vec<PathBuf> = entries
        .map(|entry| entry.expect("the folder can be listed").path())
        .filter(|path| path.extension().is_some_and(|kind| kind == "js" || kind == "mjs"))
        .collect();
    programs.sort();
    assert!(programs.len() >= least, "{} programs", programs.len());
    for program in programs {
        for mode in ["run", "simulate"] {
            let output = hemiola(&folder(name)).arg(mode).arg(&program).output();
            let output = output.expect("the command can be started");
            let expected = read(&program.with_extension("out"));
            assert_eq!(text(output.stdout), expected, "{mode} {}", program.display());
        }
    }
}

#[test]
fn ctx_5_async_hooks_do_what_node_does() {
    compare_all("node", 5);
}

#[test]
fn ctx_4_and_5_the_papers_examples_and_bad_input() {
    compare_all("own", 8);
}

/// Every callback of random programs sees the store that it was given by hand.
#[test]
fn ctx_5_a_store_never_leaks() {
    for (mode, first) in [("run", "1"), ("simulate", "201")] {
        let output = hemiola(&folder("."))
            .args([mode, "carried.cjs", first, "200"])
            .output()
            .expect("the command can be started");
        let (shown, error) = (text(output.stdout), text(output.stderr));
        assert!(shown.starts_with("looked "), "{mode}: {shown}{error}");
    }
}

const CHAINS: &str = "\
function foo() {
  const p = new Promise(function promise1(res) {
    setTimeout(function timeout1() { res(42); }, 20);
  });
  setImmediate(function immediate1() {
    p.then(function then1() { console.trace('here'); bar(); });
  });
}
let n = 0;
async function bar() {
  await null;
  if (n++ < 50) return setTimeout(bar, 1);
  await new Promise((resolve) => setTimeout(resolve, 2));
  throw new Error('boom');
}
foo();
";

const THROWN: &str = "\
const { label } = require('hemiola:context');
setTimeout(function request() {
  label('request 7');
  process.nextTick(function later() { throw new TypeError('no'); });
}, 1);
";

const AT_ONCE: &str = "throw new Error('at once');\n";

/// Below a stack stand those who linked or caused what ran; what repeats itself is folded.
#[test]
fn long_stacks() {
    let files = [("chains.js", CHAINS), ("thrown.js", THROWN), ("at-once.js", AT_ONCE)];
    session(
        "long_stacks",
        &files,
        &[
            "hemiola simulate --stacks link chains.js 2>&1 | sed \"s|$PWD|.|\"",
            "hemiola simulate --stacks cause chains.js 2>&1 | sed \"s|$PWD|.|\"",
            "hemiola simulate --stacks both thrown.js 2>&1 | sed \"s|$PWD|.|\"",
            "hemiola simulate --stacks off thrown.js 2>&1 | sed \"s|$PWD|.|\"",
            "hemiola simulate --stacks link at-once.js 2>&1 | sed \"s|$PWD|.|\"",
            "hemiola simulate --stacks all thrown.js",
        ],
    );
}

const THEN_RECURSION: &str = "\
let n = 0;
function next() {
  return Promise.resolve().then(() => {
    if (++n === 1000) throw new Error('deep');
    return next();
  });
}
next();
";

const TAKING_TURNS: &str = "\
let n = 0;
const ping = async () => { await null; pong(); };
const pong = async () => { await null; if (++n === 300) throw new Error('out'); ping(); };
const timer = setInterval(function tick() {
  if (++n < 50) return;
  clearInterval(timer);
  console.trace('fifty times');
  n = 0;
  ping();
}, 1);
";

/// However long a chain is, it fits on a page; and an error that goes through many promises has the chain of
/// where it was made.
#[test]
fn long_stacks_fold() {
    let files = [("then.js", THEN_RECURSION), ("turns.js", TAKING_TURNS)];
    session(
        "long_stacks_fold",
        &files,
        &[
            "hemiola simulate --stacks link then.js 2>&1 | sed \"s|$PWD|.|\"",
            "hemiola simulate --stacks cause then.js 2>&1 | sed \"s|$PWD|.|\"",
            "hemiola simulate --stacks both turns.js 2>&1 | sed \"s|$PWD|.|\"",
        ],
    );
}

/// A run that failed without chains shows them when it is replayed.
#[test]
fn a_replay_shows_the_chains_of_a_run_without() {
    session(
        "long_stacks_replayed",
        &[("thrown.js", THROWN)],
        &[
            "HEMIOLA_RECORD=on-failure HEMIOLA_RUNS=runs hemiola run thrown.js 2>&1 | sed \"s|$PWD|.|; s|replay .*|replay RUN|\"",
            "HEMIOLA_RUNS=runs hemiola replay --stacks link 2>&1 | sed \"s|$PWD|.|\"",
        ],
    );
}

/// Numbers of invocations are the same whether anybody keeps records or not.
#[test]
fn ctx_1_indices_do_not_depend_on_who_asks() {
    let source = "\
        Promise.resolve().then(() => {}).then(() => {});\n\
        (async () => { await 1; await 2; })();\n\
        setTimeout(() => console.log(require('hemiola:context').current().index), 1);\n";
    let early = format!("require('hemiola:context');\n{source}");
    let folder = directory("indices", &[("late.js", source), ("early.js", &early)]);
    let index = |flags: &[&str], file: &str| {
        let output = hemiola(&folder).arg("simulate").args(flags).arg(file).output();
        text(output.expect("the command can be started").stdout)
    };
    let expected = index(&[], "late.js");
    assert_ne!(expected, "");
    assert_eq!(index(&[], "early.js"), expected);
    assert_eq!(index(&["--stacks", "link"], "late.js"), expected);
}
