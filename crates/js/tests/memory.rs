//! Memory of the process stays flat however many engines come and go. A test binary of its own: nothing else
//! may use memory meanwhile.
#![expect(clippy::disallowed_methods, reason = "the test reads how much memory it uses")]

mod common;

use common::{options, run, with_stack};
use hemiola_js::{Entry, Nursery};
use hemiola_live::SystemTree;
use hemiola_machine::{First, Silent};
use hemiola_world::{Overlay, Virtual};
use std::fs;
use std::sync::Arc;

fn resident_bytes() -> usize {
    let pages = fs::read_to_string("/proc/self/statm").expect("the system tells");
    let pages = pages.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok());
    pages.expect("the second number") * 4096
}

#[test]
fn memory_stays_flat() {
    with_stack(|| {
        let source = "const m = new Map(); for (let i = 0; i < 1000; ++i) m.set(i, { i, next: m });
            setTimeout(() => {}, 5, 'A'); setInterval(() => {}, 1).unref(); new Promise(() => {}).then(() => m);
            require('fs').readFile('/dev/null', () => process.exit());";
        let round = || {
            for _ in 0..20 {
                run(options(Entry::Text { source: source.into(), name: "[eval]".into() }));
            }
        };
        round();
        let before = resident_bytes();
        for _ in 0..10 {
            round();
        }
        let more = resident_bytes().saturating_sub(before);
        assert!(more < 2 * 1024 * 1024, "200 programs left {more} bytes behind");
        one_engine();
    });
}

/// The same with one engine that is put back: what its objects own outside of its memory goes with them.
fn one_engine() {
    let source = "const fs = require('fs'); const bytes = fs.readFileSync('/dev/null');
        globalThis.kept = [Buffer.from('x'.repeat(50_000)), new SharedArrayBuffer(100_000), bytes];
        kept.push(require('crypto').createHash('sha256').update('x'), require('zlib').createGzip());
        const t = setInterval((...args) => args, 1, 'A', 'x'.repeat(5_000), 2, 3, kept);
        setTimeout(() => { clearInterval(t); new TextEncoder().encode('y'.repeat(30_000)); }, 5, 'A');
        for (let i = 0; i < 100; ++i) setTimeout(() => {}, 1e6, 'label' + i, 1, 2, 3);
        fs.readFile('/proc/self/status', () => process.exit()); Promise.reject(kept);
        process.on('unhandledRejection', () => {}); kept.push(kept);";
    let files = Arc::new(Overlay::new(Arc::new(SystemTree::default())));
    let mut nursery = Nursery::new();
    let mut round = || {
        for _ in 0..50 {
            let options = options(Entry::Text { source: source.into(), name: "[eval]".into() });
            let mut world = Virtual::new(0, Arc::clone(&files), |_, _| Ok(()));
            let code = nursery.run(options, &mut world, &mut First, &mut Silent);
            assert_eq!(code.ok(), Some(0));
        }
    };
    round();
    round();
    let before = resident_bytes();
    for _ in 0..8 {
        round();
    }
    let more = resident_bytes().saturating_sub(before);
    assert!(more < 1024 * 1024, "400 runs of one engine left {more} bytes behind");
}
