//! What schedules have in common is not run again: a search finds the same, byte for byte, as one that makes every run
//! from its start.

use crate::common::{directory, hemiola, text};
use std::fs;
use std::path::{Path, PathBuf};

/// What a search prints, and how it ends.
fn searched(folder: &Path, sharing: &str, args: &[&str]) -> (Option<i32>, String, String) {
    let output = hemiola(folder)
        .env("HEMIOLA_TEST_SHARING", sharing)
        .env("XDG_STATE_HOME", folder.join("state"))
        .args(args)
        .output()
        .expect("hemiola runs");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// Compares searches that share nothing, what pays, and all that can be.
fn compare(folder: &Path, words: &[&str], file: &str) {
    let with = |sharing, jobs| {
        searched(
            folder,
            sharing,
            &[words, &["--max-schedules", "40", "--jobs", jobs, file]].concat(),
        )
    };
    let expected = with("nothing", "1");
    for (sharing, jobs) in [("plain", "1"), ("all", "1"), ("all", "2")] {
        assert_eq!(with(sharing, jobs), expected, "{words:?} {file}: {sharing}, {jobs} at once");
    }
}

/// The programs of a folder of the repository.
fn programs(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = fs::read_dir(folder).expect("the folder can be read");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry can be read").path())
        .filter(|path| path.extension().is_some_and(|end| end == "js" || end == "mjs"))
        .collect();
    files.sort();
    files
}

fn compare_all(name: &str, folder: &str) {
    let own = directory(name, &[]);
    for file in programs(folder) {
        compare(&own, &["explore"], &file.to_string_lossy());
    }
}

#[test]
fn programs_with_races_are_searched_alike() {
    compare_all("sharing-racy", "tests/schedules/racy");
}

#[test]
fn programs_without_races_are_searched_alike() {
    compare_all("sharing-free", "tests/schedules/free");
}

#[test]
fn bugs_of_packages_are_found_alike() {
    compare_all("sharing-published", "tests/published");
}

/// Two that take some steps, with a round trip before each, and what they do between.
fn rivals(between: &str) -> String {
    format!(
        "const fs = require('fs');
         async function step(name) {{
           for (let round = 0; round < 3; ++round) {{
             await new Promise((done) => fs.stat(__filename, done));
             {between}
             console.log(name, round);
           }}
         }}
         for (const name of ['a', 'b']) step(name);"
    )
}

/// What is done between two choices.
const BETWEEN: &[&str] = &[
    "for (let i = 0; i < 60; ++i) await null;",
    "for (let i = 0; i < 30; ++i) await new Promise((done) => setImmediate(done, 1, 2, 3));",
    "for (let i = 0; i < 5; ++i) await new Promise((done) => setTimeout(done, 3, name, i));",
    "const text = await fs.promises.readFile(__filename, 'utf8'); console.log(text.length, Math.random(), Date.now());",
    "const bytes = await fs.promises.readFile(__filename); console.error(bytes.length, performance.now());",
    "fs.appendFileSync('/tmp/hemiola-sharing.txt', name + round); console.log(fs.readFileSync('/tmp/hemiola-sharing.txt', 'utf8'));",
    // More than there was, and what the engine finds only when it looks for cycles.
    "globalThis.kept = Array.from({ length: 5000 }, (_, i) => { const o = { i }; o.o = o; return o; }); for (let i = 0; i < 40; ++i) await i; console.log(kept.length);",
    "globalThis.large = new Uint8Array(3e6).fill(round); await null; console.log(large[5]);",
    "globalThis.bytes = require('crypto').createHash('sha256').update(name).digest(); for (let i = 0; i < 40; ++i) await i; console.log(bytes[0], require('crypto').randomUUID());",
    "require(['util', 'url', 'events'][round]); for (let i = 0; i < 40; ++i) await i; if (round === 2 && name === 'b') process.exit(7);",
    "globalThis.both = (globalThis.both ?? '') + name; await 0; if (both === 'aabb') throw new Error(both);",
    "Promise.reject(new Error(name)).catch(() => {}); const late = Promise.reject(new Error('late')); process.once('unhandledRejection', (e) => console.log(e.message)); await new Promise((done) => setImmediate(done)); late.catch(() => {});",
    "const { AsyncLocalStorage } = require('async_hooks'); globalThis.store ??= new AsyncLocalStorage(); await store.run(name, async () => { for (let i = 0; i < 40; ++i) await null; console.log(store.getStore()); });",
    "globalThis.buffer ??= Buffer.alloc(100000); buffer[round]++; globalThis.moved = new ArrayBuffer(50000).transfer?.(); for (let i = 0; i < 40; ++i) await null; console.log(buffer[0], moved?.byteLength);",
];

#[test]
fn whatever_happens_between_two_choices_is_shared() {
    let folder = directory("sharing-between", &[]);
    for (number, between) in BETWEEN.iter().enumerate() {
        let file = format!("{number}.js");
        fs::write(folder.join(&file), rivals(between)).expect("a program can be written");
        compare(&folder, &["explore", "--reduction", "none"], &file);
    }
}

#[test]
fn tests_are_searched_alike() {
    let folder = directory("sharing-tests", &[]);
    let source = "
        const test = require('node:test'), assert = require('node:assert'), fs = require('fs');
        const wait = async (times) => { for (let i = 0; i < times; ++i) await null; };
        for (const limit of [3, 9]) test(`adds up to ${limit}`, async (t) => {
          let sum = 0; const seen = [];
          const add = async (n) => { for (let i = 0; i < 3; ++i) { const before = sum; await fs.promises.stat(__filename); await wait(40); sum = before + 1; seen.push(n); t.diagnostic(`${n} ${sum}`); } };
          await Promise.all([add('a'), add('b')]);
          assert.ok(sum <= limit && seen.join('') !== 'abbaab', `${sum} by ${seen}`);
        });";
    fs::write(folder.join("sum.test.js"), source).expect("a program can be written");
    compare(&folder, &["test", "--explore"], "sum.test.js");
}
