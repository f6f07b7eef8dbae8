//! The programs of the papers do what the papers say: examples/papers.

mod common;

use common::{directory, hemiola, text};
use std::path::{Path, PathBuf};

fn paper(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/papers").join(name)
}

#[expect(clippy::disallowed_methods, reason = "the test reads the examples")]
fn read(name: &str) -> String {
    std::fs::read_to_string(paper(name)).expect("the example is there")
}

fn run(args: &[&str], program: &Path) -> String {
    let mut command = hemiola(program.parent().expect("a program is in a folder"));
    let output = command.args(args).arg(program).output().expect("the command can be started");
    let error = text(output.stderr);
    assert!(output.status.success(), "{args:?} {}: {error}", program.display());
    text(output.stdout) + &error
}

/// What the example shows, which must be the same twice.
fn simulated(args: &[&str], name: &str) -> String {
    let args = [&["simulate"], args].concat();
    let shown = run(&args, &paper(name));
    assert_eq!(run(&args, &paper(name)), shown, "two runs show the same");
    shown
}

/// A copy of a text as a program of that name.
fn copy(name: &str, source: &str) -> PathBuf {
    directory(&format!("papers_{name}"), &[(name, source)]).join(name)
}

#[test]
fn programs_that_end() {
    for (name, shown) in [
        ("clocks-order.js", "F 3\nG 4\n"),
        ("loop-no-race.js", "hello world\n"),
        ("loop-index.js", "hi\nbye\n"),
        ("loop-linking.js", "hi\n"),
        ("loop-context.js", "Hello Context World!\n"),
        ("loop-two-files.js", "data\nerror\n"),
        ("loop-priority.js", "data\n"),
        ("machine-read-file.js", "ok\nthe data of abc.txt\n"),
        ("machine-closure.js", "10\n"),
    ] {
        assert_eq!(simulated(&[], name), shown, "{name}");
        assert_eq!(run(&["run"], &paper(name)), shown, "{name}, in real time");
    }
}

#[test]
fn counters_and_observer_in_virtual_time() {
    for (name, shown) in [
        ("clocks-fig1.js", "0\n0\n0\n0\n0\n"),
        ("clocks-fig1-one-label.js", "0\n0\n0\n0\n0\n"),
        ("clocks-fig1-two-labels.js", "2\n2\n2\n2\n2\n"),
    ] {
        assert_eq!(simulated(&["--until", "20s"], name), shown, "{name}");
    }
    assert_eq!(simulated(&["--until", "8s"], "clocks-fig2.js"), "0\n1\n0\n1\n0\n1\n0\n");
}

/// Makes every timed callback take longer than the shortest period, and ends after six observations.
const LATE: &str = "{ const { spend } = require('hemiola:clock'); const { setInterval: set } = globalThis; \
    globalThis.setInterval = (callback, ...args) => set(() => { spend(13); callback(); }, ...args); \
    const { log } = console; let seen = 0; \
    console.log = (what) => { log(what); if (++seen === 6) process.exit(); }; } ";

/// With periods that are a hundredth, and callbacks that are always late, nothing changes.
#[test]
fn counters_and_observer_in_real_time_under_load() {
    for (name, shown) in [
        ("clocks-fig1-one-label.js", "0\n0\n0\n0\n0\n0\n"),
        ("clocks-fig1-two-labels.js", "2\n2\n2\n2\n2\n2\n"),
    ] {
        let source = read(name).replace("000", "0");
        let program = copy(name, &format!("{LATE}{source}"));
        assert_eq!(run(&["run"], &program), shown, "{name}");
        assert_eq!(run(&["simulate"], &program), shown, "{name}, in virtual time");
    }
    // Where the request arrives depends on physical time; that it joins in step does not.
    let source = read("clocks-fig2.js").replace("000", "0").replace("1500", "15");
    let program = copy("clocks-fig2.js", &format!("{LATE}{source}"));
    let shown = run(&["run"], &program);
    assert!(shown == "0\n1\n0\n1\n0\n1\n" || shown == "1\n0\n1\n0\n1\n0\n", "{shown}");
}

/// Ends the program after so many ticks, or immediates.
fn ends_after(count: u32, object: &str, function: &str) -> String {
    format!(
        "{{ const real = {object}.{function}; let count = 0; {object}.{function} = (...args) => {{ \
         if (++count > {count}) process.exit(); return real(...args); }}; }} "
    )
}

#[test]
fn ticks_starve_and_immediates_are_fair() {
    let tick = ends_after(20_000, "process", "nextTick");
    let immediate = ends_after(20, "globalThis", "setImmediate");
    for (name, bound, shown) in [
        ("loop-fig1.js", &tick, "hi"),
        ("loop-fig2.js", &immediate, "hidone"),
        ("loop-tick-promise.js", &tick, ""),
    ] {
        let program = copy(name, &format!("{bound}{}", read(name)));
        for mode in ["simulate", "run"] {
            assert_eq!(run(&[mode], &program), shown, "{mode} {name}");
        }
    }
}

/// The immediates go on until the timeout has come, which it does: a zero delay is a millisecond.
#[test]
fn a_timeout_comes_between_immediates() {
    let name = "loop-immediate-timeout.js";
    let program =
        copy(name, &read(name).replace("console.log('f');", "console.log('f'); process.exit();"));
    assert_eq!(run(&["run"], &program), "f\n");
}

/// An endless loop is where these programs stop: nothing that waits can run any more.
#[test]
fn nothing_runs_in_an_endless_loop() {
    for (name, shown) in [("machine-emit.js", "ok\n"), ("machine-emit-immediate.js", "")] {
        let source = read(name);
        assert!(source.contains("while (true);"));
        let program = copy(name, &source.replace("while (true);", "process.exit();"));
        assert_eq!(run(&["run"], &program), shown, "{name}");
    }
}

#[test]
fn every_program_has_a_test() {
    for entry in std::fs::read_dir(paper("")).expect("the examples are there").flatten() {
        let name = entry.file_name().into_string().expect("names are text");
        let tested = include_str!("papers.rs").contains(&name);
        assert!(tested || !name.ends_with(".js"), "{name} is not tested");
    }
}
