//! Memory of the process stays flat however many engines come and go. A test binary of its own: nothing else
//! may use memory meanwhile.
#![expect(clippy::disallowed_methods, reason = "the test reads how much memory it uses")]

mod common;

use common::{options, run, with_stack};
use hemiola_js::Entry;
use std::fs;

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
    });
}
