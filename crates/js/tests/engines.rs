//! Engines are made and dropped by the dozen: each gives back all that it took, whatever its program did.
#![expect(clippy::disallowed_methods, reason = "the test reads programs")]

use crate::common::{options, run, with_stack};
use hemiola_gate::{Reason, Stop};
use hemiola_js::{Entry, Options};
use std::fs;
use std::path::{Path, PathBuf};

/// Programs that end in the middle of something.
const CUT_SHORT: &[&str] = &[
    "setTimeout(() => { Promise.resolve().then(() => process.exit(3)); setInterval(() => {}, 10); }, 5);
     const p = new Promise(() => {}); (async () => { await p; })();",
    "function* g() { try { yield 1; yield process.exit(1); } finally { console.log('no'); } } for (const x of g());",
    "function f(n) { return f(n + 1) + 1; } f(0);",
    "const a = []; for (;;) a.push({ x: [1, 2, 3], s: 'x'.repeat(100) + a.length });",
    "const s = 'y'.repeat(1e6); const a = []; (async () => { for (;;) { a.push(s + a.length); await null; } })();",
    "import fs from 'fs'; export let x = 1; await new Promise(() => {});",
    "import { nope } from 'fs';",
    "import 'data:text/javascript,throw new Error(1)';",
    "import('./nowhere.mjs').catch(() => {}); import('data:text/javascript,throw 1');",
    "require('fs').readFile('/', () => process.exit()); require('fs').readFile('/dev/null', () => {});
     process.stdin.on('data', () => {}); process.on('SIGINT', () => {});",
    "const { AsyncLocalStorage } = require('async_hooks'); const a = new AsyncLocalStorage();
     a.run({ x: 1 }, async () => { setTimeout(() => {}, 5, 'A'); await null; setTimeout(() => process.exit(0), 10, 'A');
     for await (const x of (async function* () { yield 1; await new Promise(() => {}); })()); });",
    "const w = new WeakRef({}); new FinalizationRegistry(() => {}).register({}, 1);
     const r = new ReadableStream({ pull(c) { c.enqueue(1); } }); r.getReader().read().then(() => { throw new Error('bad'); });",
    "const { port1, port2 } = new MessageChannel(); port1.onmessage = () => process.exit(4);
     port2.postMessage(new Map([[1, { a: 1 }]])); new BroadcastChannel('x');",
    "eval('function ( {');",
    "const s = new SharedArrayBuffer(16, { maxByteLength: 64 }); s.grow(32); globalThis.kept = new Int32Array(s); structuredClone(s);",
    "for (;;) {}",
];

fn files() -> Vec<PathBuf> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut files = Vec::new();
    for folder in ["time", "timers", "async"] {
        for entry in fs::read_dir(tests.join(folder)).expect("the programs are there") {
            let path = entry.expect("the folder can be read").path();
            let is_program = path.extension().is_some_and(|end| end == "js" || end == "mjs");
            // Time does not pass while a program waits for it in a loop.
            if is_program && !is_busy(&path) {
                files.push(path);
            }
        }
    }
    files.sort();
    assert!(files.len() > 60);
    files
}

fn is_busy(path: &Path) -> bool {
    let text = fs::read_to_string(path).expect("a program can be read");
    ["now() <", "now() -", "spend"].iter().any(|word| text.contains(word))
}

#[test]
fn every_program_leaves_nothing_behind() {
    with_stack(|| {
        for file in files() {
            let entry = Entry::File(file.to_str().expect("the path is text").into());
            run(options(entry));
        }
    });
}

#[test]
fn programs_that_are_cut_short_leave_nothing_behind() {
    with_stack(|| {
        for source in CUT_SHORT {
            let entry = Entry::Text { source: (*source).into(), name: "[eval]".into() };
            // Asked to stop from the start, every one of them ends in its first loop.
            for stops in [false, true] {
                if *source == "for (;;) {}" && !stops {
                    continue;
                }
                let stop = Stop::default();
                if stops {
                    stop.ask(Reason::TimedOut);
                }
                let memory_limit = 32 * 1024 * 1024;
                run(Options { stop, memory_limit, ..options(entry.clone()) });
            }
        }
    });
}
