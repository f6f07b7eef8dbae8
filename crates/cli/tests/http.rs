//! HTTP: one suite for both worlds (rule GATE-4), whose expected output is what Node prints.
#![expect(clippy::disallowed_methods, reason = "the test reads its programs from the disk")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn hemiola(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hemiola"))
        .env("HEMIOLA_RECORD", "off")
        .args(words)
        .stdin(Stdio::null())
        .output()
        .expect("hemiola can be run")
}

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/http");
    let entries = fs::read_dir(folder).expect("the programs are there");
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|end| end == "js")).collect();
    paths.sort();
    paths
}

#[test]
fn programs_do_the_same_in_both_worlds() {
    for program in programs() {
        let expected = fs::read_to_string(program.with_extension("out")).unwrap_or_default();
        let path = program.to_str().expect("the path is text");
        for words in [
            &["run", "--timeout", "60s", path][..],
            &["simulate", path],
            &["simulate", "--seed", "7", path],
        ] {
            let output = hemiola(words);
            let shown = String::from_utf8_lossy(&output.stdout);
            let errors = String::from_utf8_lossy(&output.stderr);
            assert_eq!(errors, "", "{words:?}");
            assert_eq!(shown, expected, "{words:?}");
        }
    }
}
