//! Promises and async functions as ECMA-262 has them: the programs of crates/js/tests/async.
//!
//! Each prints a line for every check, `ok` or `failed`, and the `.out` file beside it is what Node 20
//! printed; `UPDATE=1` writes it anew, where Node is installed. Every program runs in real time, in virtual
//! time, in an action of a labelled clock, and without being told of every `await`: all the same. Where the
//! engine deviates, `deviations.txt` says so.

use crate::common::{compare, directory, hemiola, isolated, text};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../js/tests/async")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("the file can be read")
}

fn programs() -> Vec<PathBuf> {
    let mut programs: Vec<PathBuf> = std::fs::read_dir(folder())
        .expect("the programs are there")
        .map(|entry| entry.expect("the folder can be listed").path())
        .filter(|path| path.extension().is_some_and(|kind| kind == "js" || kind == "mjs"))
        .collect();
    programs.sort();
    programs
}

fn name(program: &Path) -> &str {
    program.file_name().and_then(|name| name.to_str()).expect("a program has a name")
}

/// Who reads a program.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reader {
    /// The loader, as always.
    Loader,
    /// The engine, without being told of every `await`.
    Engine,
}

/// The checks in which what runs a program deviates.
fn deviations(program: &Path, reader: Reader) -> BTreeSet<String> {
    let listed = read(&folder().join("deviations.txt"));
    let lines = listed.lines().filter(|line| !line.starts_with('#'));
    let checks = lines.filter_map(|line| match line.split(" | ").collect::<Vec<_>>()[..] {
        [of, check, reason] => {
            let applies = reader == Reader::Engine || !reason.starts_with("bare: ");
            (of == name(program) && applies).then(|| check.to_owned())
        }
        _ => panic!("not a program, a check and a reason: {line}"),
    });
    checks.collect()
}

fn run(args: &[&str], program: &Path) -> String {
    let mut command = hemiola(&folder());
    let output = command.args(args).arg(program).output().expect("the command can be started");
    let (shown, error) = (text(output.stdout), text(output.stderr));
    assert!(output.status.success(), "{args:?} {}: {error}", program.display());
    shown
}

/// What Node printed, with the known deviations as they look here.
fn expected(program: &Path, shown: &str, reader: Reader) -> String {
    let deviations = deviations(program, reader);
    let printed = read(&program.with_extension("out"));
    let lines = printed.lines().map(|line| {
        let check = line.strip_prefix("ok ").expect("Node passes every check");
        let deviates = deviations.contains(check);
        let failed = format!("failed {check}: ");
        match shown.lines().find(|line| line.starts_with(&failed)) {
            Some(failure) if deviates => format!("{failure}\n"),
            _ if deviates => panic!("take it off deviations.txt: {}: {check}", name(program)),
            _ => format!("{line}\n"),
        }
    });
    lines.collect()
}

/// Lets Node write what it prints; without Node, nothing.
fn update(program: &Path) {
    let output = isolated("node").arg(program).output();
    let Ok(output) = output else { return };
    let shown = text(output.stdout);
    assert!(shown.lines().all(|line| line.starts_with("ok ")), "Node: {shown}");
    compare(&program.with_extension("out"), &shown);
}

#[test]
fn async_functions_are_those_of_the_standard() {
    let mut checks = 0;
    for program in programs() {
        if std::env::var_os("UPDATE").is_some() {
            update(&program);
        }
        let shown = run(&["run"], &program);
        assert_eq!(shown, expected(&program, &shown, Reader::Loader), "{}", program.display());
        assert_eq!(run(&["simulate"], &program), shown, "{}", program.display());
        let bare = run(&["run", "--no-context"], &program);
        assert_eq!(bare, expected(&program, &bare, Reader::Engine), "{}", program.display());
        checks += shown.lines().count();
    }
    assert!(checks > 600, "{checks} checks");
}

/// In an action of a clock every continuation has a context to keep, and nothing may be seen of it.
#[test]
fn and_so_they_are_in_an_action_of_a_clock() {
    for program in programs() {
        let start = format!("setTimeout(() => import({:?}), 1, 'A')", program);
        let labelled = directory("async_labelled", &[("main.mjs", &start)]).join("main.mjs");
        let shown = run(&["simulate"], &labelled);
        assert_eq!(shown, expected(&program, &shown, Reader::Loader), "{}", program.display());
    }
}
