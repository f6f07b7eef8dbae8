//! A program that tells of its reads and writes does what it does without (rule EXPL-4): the same
//! output, byte for byte, with the same places in its stacks.

use crate::common::{HEMIOLA, isolated};
use std::path::{Path, PathBuf};
use std::process::Output;

fn run(command: &str, file: &Path, instrumented: bool) -> Output {
    let mut program = isolated(HEMIOLA);
    program.arg(command);
    if instrumented {
        program.arg("--instrument");
    }
    let directory = file.parent().expect("a file is in a directory");
    let output = program.arg(file).current_dir(directory).output();
    output.expect("hemiola can be started")
}

fn same(command: &str, file: &Path) {
    let (plain, told) = (run(command, file, false), run(command, file, true));
    let text = |output: &Output| {
        let parts = [&output.stdout, &output.stderr];
        parts.map(|part| String::from_utf8_lossy(part).into_owned()).concat()
    };
    assert_eq!(text(&plain), text(&told), "{command} {}", file.display());
    assert_eq!(plain.status.code(), told.status.code(), "{command} {}", file.display());
}

fn programs(directory: &str) -> Vec<PathBuf> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(directory);
    let files = std::fs::read_dir(&tests).expect("the suite is there");
    let mut files: Vec<_> = files.map(|file| file.expect("it can be listed").path()).collect();
    files.retain(|file| {
        let extension = file.extension().and_then(|extension| extension.to_str());
        extension.is_some_and(|extension| ["js", "mjs", "cjs", "ts"].contains(&extension))
    });
    files.sort();
    assert!(!files.is_empty(), "{directory} has programs");
    files
}

#[test]
fn programs_about_the_language_do_the_same() {
    for file in programs("instrument") {
        same("run", &file);
        same("simulate", &file);
        let output = run("run", &file, true);
        assert_eq!(output.status.code(), Some(0), "{}", file.display());
    }
}

/// Programs of other suites: what they are about does not matter here, only that it is the same.
#[test]
fn programs_about_the_library_do_the_same() {
    for directory in ["datagrams", "files", "names", "web", "zlib"] {
        for file in programs(directory) {
            same("simulate", &file);
        }
    }
}
