//! Timers, `timers/promises`, ports: programs in crates/js/tests/timers print what Node 20 printed.
//!
//! A program says on a line of its own which flags it needs (`// node: --timers node`), and whether it
//! cannot run in virtual time (`// only: run`).

use crate::common::{directory, hemiola, text};
use std::path::{Path, PathBuf};
use std::process::Output;

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("the file can be read")
}

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../js/tests/timers");
    let mut programs: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("the programs are there")
        .map(|entry| entry.expect("the folder can be listed").path())
        .filter(|path| path.extension().is_some_and(|kind| kind == "js" || kind == "mjs"))
        .collect();
    programs.sort();
    programs
}

/// What a line of the program says after this.
fn header<'a>(source: &'a str, key: &str) -> Option<&'a str> {
    source.lines().find_map(|line| line.strip_prefix(key))
}

fn run(mode: &str, program: &Path, source: &str) -> Output {
    let flags = header(source, "// node: ").unwrap_or_default();
    let mut command = hemiola(program.parent().expect("a program is in a folder"));
    command.arg(mode).args(flags.split_whitespace()).arg(program);
    command.output().expect("the command can be started")
}

#[test]
fn timers_do_what_node_does() {
    let programs = programs();
    assert!(programs.len() >= 15, "{} programs", programs.len());
    for program in programs {
        let source = read(&program);
        let expected = read(&program.with_extension("out"));
        let modes: &[&str] = match header(&source, "// only: ") {
            Some(_) => &["run"],
            None => &["run", "simulate", "simulate"],
        };
        for mode in modes {
            let output = run(mode, &program, &source);
            assert_eq!(text(output.stdout), expected, "{mode} {}", program.display());
        }
    }
}

/// In the application's own modules a text names a clock, in a dependency's it is an argument.
#[test]
fn time_15_a_dependency_has_nodes_timers() {
    let folder = directory("time_15_a_dependency_has_nodes_timers", &[("main.cjs", MAIN)]);
    let dependency = folder.join("node_modules/dep");
    let write = |name: &str, source: &str| {
        std::fs::create_dir_all(&dependency).expect("a folder can be made");
        std::fs::write(dependency.join(name), source).expect("a file can be written");
    };
    write("index.cjs", "exports.start = (f) => setTimeout(f, 1, 'A');");
    write("index.mjs", "export const start = (f) => setInterval(f, 1, 'A');");
    write("package.json", r#"{"exports": {"require": "./index.cjs", "import": "./index.mjs"}}"#);
    let mut command = hemiola(&folder);
    let output = command.args(["simulate", "main.cjs"]).output().expect("it can be started");
    let expected = "own A is used, called with [ 'A' ]\n\
         own A is used, called with [ 'A' ]\n\
         dependency A is free, called with [ 'A' ]\n\
         dependency A is free, called with [ 'A' ]\n";
    assert_eq!(text(output.stdout), expected, "{}", text(output.stderr));
}

/// Tools that put functions of their own in place of both ask whether they are one.
#[test]
fn time_15_to_a_dependency_the_global_is_the_function_of_the_module() {
    let name = "time_15_to_a_dependency_the_global_is_the_function_of_the_module";
    let main = "const dep = require('dep'); console.log(dep.compare(setTimeout)); dep.replace(); console.log(dep.compare());";
    let folder = directory(name, &[("main.cjs", main)]);
    let dependency = folder.join("node_modules/dep");
    std::fs::create_dir_all(&dependency).expect("a folder can be made");
    let source = "const timers = require('node:timers');
        exports.compare = (given) => [
          global.setTimeout === timers.setTimeout, timers.setInterval != globalThis.setInterval, timers['setTimeout'] == setTimeout,
          given === setTimeout, setTimeout === undefined];
        exports.replace = () => { global.setTimeout = () => {}; };";
    std::fs::write(dependency.join("index.js"), source).expect("a file can be written");
    for world in ["run", "simulate"] {
        let output =
            hemiola(&folder).args([world, "main.cjs"]).output().expect("it can be started");
        let expected =
            "[ true, false, true, true, false ]\n[ false, false, false, false, false ]\n";
        assert_eq!(text(output.stdout), expected, "{}", text(output.stderr));
    }
}

const MAIN: &str = "const { start } = require('dep');
    const used = () => (currentTime('A') === undefined ? 'A is free' : 'A is used');
    const show = (name, state, args) => console.log(name, `${state},`, 'called with', args);
    (async () => {
      const { start: startModule } = await import('dep');
      for (const begin of [(f) => setTimeout(f, 1, 'A'), (f) => setInterval(f, 1, 'A')]) {
        await new Promise((resolve) => {
          const timer = begin((...args) => { clearTimeout(timer); show('own', state, args); resolve(); });
          const state = used();
        });
        // Idle: the clock is given up.
        await new Promise((resolve) => { setTimeout(resolve, 5); });
      }
      for (const begin of [start, startModule]) {
        await new Promise((resolve) => {
          const timer = begin((...args) => { clearTimeout(timer); show('dependency', state, args); resolve(); });
          const state = used();
        });
      }
    })();";
