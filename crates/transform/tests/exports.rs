//! The exports of CommonJS texts are those that Node finds.
//!
//! `exports.txt` has the texts, each with the names that Node v20.20.2 gave `import * as m` of it;
//! `./dep.cjs` exports `depA` and `depB`, `./dep2.cjs` exports `depC`.

use hemiola_transform::{Exports, common_js_exports};
use std::collections::BTreeSet;

#[test]
fn names_are_those_that_node_finds() {
    for case in include_str!("exports.txt").trim_end().split("\n----\n") {
        let (text, expected) = case.rsplit_once("\n=>").expect("a case ends with its names");
        let Exports { names, reexports } = common_js_exports(text);
        let mut found: BTreeSet<&str> = names.iter().map(String::as_str).collect();
        found.remove("default");
        for specifier in &reexports {
            match specifier.as_str() {
                "./dep.cjs" => found.extend(["depA", "depB"]),
                "./dep2.cjs" => found.extend(["depC"]),
                other => panic!("{other} is not required in {text}"),
            }
        }
        assert_eq!(found, expected.split_whitespace().collect(), "in {text}");
    }
}

#[test]
fn names_come_in_the_order_of_the_text() {
    let found = common_js_exports("exports.b = exports.a = 1; exports.c = 2; exports.b = 3");
    assert_eq!(found.names, ["b", "a", "c"]);
}

#[test]
fn a_text_that_does_not_parse_exports_nothing() {
    assert_eq!(common_js_exports("exports.a = 1; let let = ;"), Exports::default());
}
