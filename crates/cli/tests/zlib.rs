//! Compression: one suite for both worlds, whose expected output is what Node prints, and two runtimes
//! that read what the other wrote.

use crate::common::has;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/zlib")
}

fn run(program: &str, words: &[&str]) -> Output {
    Command::new(program).args(words).stdin(Stdio::null()).output().expect("it can be run")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("the path is text")
}

#[test]
fn programs_do_the_same_in_both_worlds() {
    for name in ["errors", "shapes", "streams"] {
        let program = programs().join(name).with_extension("js");
        let expected = fs::read_to_string(program.with_extension("out")).expect("it is there");
        for world in ["run", "simulate"] {
            let output = run(env!("CARGO_BIN_EXE_hemiola"), &[world, text(&program)]);
            assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{world} {name}");
            assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{world} {name}");
        }
    }
}

#[test]
fn what_is_compressed_can_be_read_again() {
    let output = run(env!("CARGO_BIN_EXE_hemiola"), &["run", text(&programs().join("round.js"))]);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "1395\n");
}

#[test]
fn node_reads_what_hemiola_writes_and_the_other_way_round() {
    if !has("node", "--version", "zlib") {
        return;
    }
    let program = programs().join("round.js");
    let written = std::env::temp_dir().join(format!("hemiola-{}-zlib.json", std::process::id()));
    let (program, file) = (text(&program), text(&written));
    let node = |command: &str| run("node", &[program, command, file]);
    let hemiola =
        |command: &str| run(env!("CARGO_BIN_EXE_hemiola"), &["run", program, command, file]);
    for outputs in [[node("write"), hemiola("read")], [hemiola("write"), node("read")]] {
        for output in outputs {
            assert_eq!(String::from_utf8_lossy(&output.stderr), "");
            assert_eq!(String::from_utf8_lossy(&output.stdout), "1395\n");
        }
    }
    fs::remove_file(written).expect("it was written");
}
