//! What hooks of `node:async_hooks` hear of, case by case (rule CTX-5).
//!
//! `cases.out` is what Node 20 printed; `deviations.out` is what Hemiola prints where it differs, each with its
//! reason in docs/contexts.md.

use crate::common::{hemiola, text};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../js/tests/contexts/hooks")
}

fn sections(name: &str) -> BTreeMap<String, String> {
    let whole = std::fs::read_to_string(folder().join(name)).expect("the file can be read");
    let sections = whole.split("== ").skip(1).filter_map(|section| section.split_once('\n'));
    sections.map(|(case, lines)| (case.to_owned(), lines.to_owned())).collect()
}

fn heard(mode: &str, case: &str) -> String {
    let output = hemiola(&folder()).args([mode, "cases.cjs", case]).output();
    let output = output.expect("the command can be started");
    assert_eq!(text(output.stderr), "", "{case}");
    text(output.stdout)
}

#[test]
fn ctx_5_hooks_hear_what_they_hear_in_node() {
    let (node, deviations) = (sections("cases.out"), sections("deviations.out"));
    assert!(node.len() >= 80, "{} cases", node.len());
    for (case, expected) in &node {
        if let Some(own) = deviations.get(case) {
            assert_ne!(own, expected, "{case} does what Node does: take it out of deviations.out");
        }
        let expected = deviations.get(case).unwrap_or(expected);
        assert_eq!(&heard("simulate", case), expected, "{case}");
    }
    for case in deviations.keys() {
        assert!(node.contains_key(case), "{case} is no case");
    }
}

/// Nothing of it depends on the world.
#[test]
fn ctx_5_hooks_hear_the_same_live() {
    let node = sections("cases.out");
    for case in ["then", "awaitPromise", "clearedTimeout", "readFile", "unhandled"] {
        assert_eq!(heard("run", case), node[case], "{case}");
    }
}

/// With a store promises have numbers for a program that asks, as in Node.
#[test]
fn ids_beside_a_store() {
    let source = "
        const { AsyncLocalStorage, executionAsyncId, triggerAsyncId } = require('async_hooks');
        console.log(executionAsyncId(), triggerAsyncId());
        new AsyncLocalStorage().run(1, () => {
          Promise.resolve().then(() => console.log(executionAsyncId() > 1, triggerAsyncId() > 1));
          (async () => { await null; console.log(executionAsyncId() > 1, triggerAsyncId() > 1); })();
        });";
    for mode in ["run", "simulate"] {
        let output = hemiola(&folder()).args([mode, "-e", source]).output();
        let output = output.expect("the command can be started");
        assert_eq!(text(output.stdout), "1 0\ntrue true\ntrue true\n", "{mode}");
    }
}
