//! The library goes on whatever a program has made of the language: what Node does with replaced functions, we do,
//! and nothing of it ends in a failure of our own.
//!
//! `changed/node.txt` has the functions without which Node does all that `changed/program.js` asks for;
//! `changed/run-node` writes it. `changed/needed.txt` has those of them that the library still needs: it may only
//! become shorter. `UPDATE=1` writes it anew.

use crate::common::{hemiola, text};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// All that the program prints, if nothing is missing.
const ALL: &str = "shown { a: 1, b: [ 1, 'two' ] } 3n\nevent 1\nfile true\nhttp 200 hi b\nimmediate\n\
                   promise true\nstream data\ntimer x\nworker 1\n";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/changed")
}

fn lines(name: &str) -> BTreeSet<String> {
    let text = fs::read_to_string(folder().join(name)).expect("the list is there");
    text.lines().map(str::to_owned).collect()
}

/// Whether all comes of the program without these functions. Whatever comes, it is no failure of ours.
fn holds(command: &str, line: &str) -> bool {
    // Only functions of some holders are replaced one by one, and none of these has a space in it.
    let (holder, name) = match line.split_once(' ') {
        Some((holder, name)) if !line.contains('(') || line.contains(" Symbol(") => {
            (holder, Some(name))
        }
        _ => (line, None),
    };
    let mut run = hemiola(&folder());
    run.args([command, "program.js", holder]).args(name).stdin(Stdio::null());
    let output = run.output().expect("hemiola can be run");
    let code = output.status.code();
    let error = text(output.stderr);
    assert!(matches!(code, Some(0 | 1)), "{command} without {line}: {code:?} {error}");
    assert!(code == Some(0) || error.contains("Error: "), "{command} without {line}: {error}");
    code == Some(0) && text(output.stdout) == ALL
}

#[test]
fn what_node_does_without_a_function_of_the_language_is_done() {
    let mut needed = BTreeSet::new();
    for line in lines("node.txt") {
        if !holds("simulate", &line) {
            needed.insert(line);
        }
    }
    if std::env::var_os("UPDATE").is_some() {
        let text = needed.iter().map(|line| format!("{line}\n")).collect::<String>();
        fs::write(folder().join("needed.txt"), text).expect("the list can be written");
        return;
    }
    let known = lines("needed.txt");
    let new: Vec<_> = needed.difference(&known).collect();
    assert!(new.is_empty(), "the library needs more than before: {new:#?}");
    let gone: Vec<_> = known.difference(&needed).collect();
    assert!(gone.is_empty(), "UPDATE=1 takes out what is not needed any more: {gone:#?}");
}

/// A public function of each module is called while the methods of all collections throw, as Node does it.
#[test]
fn replaced_methods_of_collections_are_not_missed() {
    for command in ["run", "simulate"] {
        for class in ["Map", "Set", "WeakMap", "WeakSet"] {
            let mut run = hemiola(&folder());
            run.args([command, "collections.js", class]).stdin(Stdio::null());
            let output = run.output().expect("hemiola can be run");
            let (shown, error) = (text(output.stdout), text(output.stderr));
            assert_eq!(shown, "all done\n", "{command} without {class}: {error}");
        }
    }
}

/// The programs that used to end with exit code 7, or without a message, live as well.
#[test]
fn arrays_that_cannot_be_iterated_stop_nothing() {
    for line in [
        "Array.prototype Symbol(Symbol.iterator)",
        "Object.getPrototypeOf([][Symbol.iterator]())",
        "Reflect",
        "Math",
        "Number",
    ] {
        assert!(holds("run", line), "without {line}");
    }
}
