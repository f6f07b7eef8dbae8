//! Workers: one suite for both worlds (rule GATE-4), whose expected output is what Node prints; and what a
//! simulated run promises about them.

use crate::common::{directory, hemiola, text};
use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};

fn run(folder: &Path, words: &[&str]) -> Output {
    hemiola(folder).args(words).stdin(Stdio::null()).output().expect("hemiola runs")
}

/// Runs a program of the folder twice in each world, and in the simulated one with another seed, too.
fn agrees(program: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/workers");
    let path = folder.join(program);
    let expected = fs::read_to_string(path.with_extension("out")).expect("Node's output is there");
    for command in [&["run"][..], &["simulate"], &["simulate", "--seed", "7"]] {
        for _ in 0..2 {
            let output = run(&folder, &[command, &[program]].concat());
            assert_eq!(text(output.stderr), "", "{command:?} {program}");
            // Wherever the folder is.
            let shown = text(output.stdout).replace(&format!("{}/", folder.display()), "…/");
            assert_eq!(shown, expected, "{command:?} {program}");
            assert_eq!(output.status.code(), Some(0), "{command:?} {program}");
        }
    }
}

#[test]
fn messages_carry_every_kind_of_value() {
    agrees("messages.js");
}

#[test]
fn ports_travel() {
    agrees("ports.js");
}

#[test]
fn blobs_are_copied_and_signals_and_open_files_change_hands() {
    agrees("transfer.js");
}

#[test]
fn descriptors_are_those_of_the_process() {
    agrees("descriptors.js");
}

#[test]
fn what_a_worker_leaves_open_is_closed_with_it_unless_told_otherwise() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/workers");
    let shown = text(run(&folder, &["run", "descriptors.js", "ends"]).stdout);
    let left: Vec<_> = shown.lines().filter(|line| line.starts_with("left open")).collect();
    assert_eq!(left, ["left open EBADF", "left open EBADF", "left open // Descriptors"]);
}

#[test]
fn errors_of_workers_of_workers_stay_what_they_are() {
    agrees("nested_errors.js");
}

#[test]
fn a_worker_tells_how_busy_its_loop_is() {
    agrees("loops.js");
}

#[test]
fn workers_end_as_in_node() {
    agrees("errors.js");
}

#[test]
fn workers_begin_with_what_they_are_given() {
    agrees("environment.js");
}

#[test]
fn standard_streams_go_through_the_parent() {
    agrees("streams.js");
}

#[test]
fn memory_is_shared() {
    agrees("shared_memory.js");
}

#[test]
fn memory_is_waited_for_by_promises() {
    agrees("wait_async.js");
}

#[test]
fn broadcasts_reach_every_machine() {
    agrees("broadcast.js");
}

#[test]
fn flags_of_workers_come_from_their_options() {
    agrees("flags.js");
}

#[test]
fn threads_that_do_not_listen_yet_are_waited_for() {
    agrees("early.js");
}

#[test]
fn threads_write_to_each_other() {
    agrees("threads.js");
}

#[test]
fn sockets_of_workers_reach_each_other() {
    agrees("sockets.js");
}

#[test]
fn hooks_of_the_module_loader_have_a_thread_of_their_own() {
    agrees("module_hooks.mjs");
}

#[test]
fn workers_have_workers() {
    agrees("nested.js");
}

/// Two workers that race each other, with timers, files and random numbers of their own.
const RACE: &str = r#"
const { Worker, isMainThread, workerData, parentPort, threadId } = require('worker_threads');
const fs = require('fs');
const log = (...words) => console.log(performance.now().toFixed(3), Date.now(), ...words);
if (isMainThread) {
  const words = new Int32Array(new SharedArrayBuffer(8));
  for (let i = 0; i < 3; ++i) {
    const worker = new Worker(__filename, { workerData: words });
    worker.on('message', (message) => log('main', i, message));
    worker.on('exit', (code) => log('exit', i, code, Atomics.load(words, 0)));
  }
} else {
  const id = threadId;
  setTimeout(() => fs.writeFile(`/tmp/race-${Math.floor(Math.random() * 3)}`, `${id}`, () => parentPort.postMessage(Math.random())), 1);
  setInterval(function () { if (Atomics.add(workerData, 0, 1) > 20) clearInterval(this); }, 1);
  let spun = 0;
  while (Atomics.load(workerData, 1) < 2 && spun < 1e6) { spun++; if (spun === 1000 * id) Atomics.add(workerData, 1, 1); }
  parentPort.postMessage([id, spun, Atomics.wait(workerData, 0, -1, id), fs.readdirSync('/tmp').filter((name) => name.startsWith('race-'))]);
}
"#;

#[test]
fn a_simulation_of_workers_depends_on_program_and_seed() {
    // Rule GATE-2.
    let folder = directory("workers-race", &[("race.js", RACE)]);
    let seeds = ["1", "2", "3"];
    let runs = seeds.map(|seed| {
        let once = || run(&folder, &["simulate", "--seed", seed, "race.js"]);
        let (first, second) = (once(), once());
        assert_eq!(text(first.stdout.clone()), text(second.stdout), "seed {seed}");
        assert_eq!(text(first.stderr), "", "seed {seed}");
        assert_eq!(first.status.code(), Some(0), "seed {seed}");
        text(first.stdout)
    });
    assert_ne!(runs[0], runs[1], "the seed decides who is first");
}

#[test]
fn nobody_waits_for_ever_in_a_simulation() {
    let folder = directory("workers-deadlock", &[]);
    let program = "const w = new (require('worker_threads').Worker)(
        'require(\"worker_threads\").parentPort.on(\"message\", () => {})', { eval: true });
        w.on('exit', () => console.log('never'));
        process.on('exit', () => console.log('nothing happens any more'));";
    let output = run(&folder, &["simulate", "-e", program]);
    assert_eq!(text(output.stdout), "nothing happens any more\n");
    let program = "try { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0) } catch (e) { console.log(e.code) }";
    let output = run(&folder, &["simulate", "-e", program]);
    assert_eq!(text(output.stdout), "EDEADLK\n");
}

#[test]
fn virtual_time_is_shared_and_costs_nothing() {
    let folder = directory("workers-time", &[]);
    let program = "const { Worker } = require('worker_threads');
        const w = new Worker(`setTimeout(() => {
            const words = new Int32Array(new SharedArrayBuffer(4));
            require('worker_threads').parentPort.postMessage(Atomics.wait(words, 0, 0, 3600_000));
        }, 3600_000)`, { eval: true });
        w.on('message', (m) => console.log(m, Math.floor(performance.now() / 3600_000)));";
    let output = run(&folder, &["simulate", "-e", program]);
    assert_eq!(text(output.stdout), "timed-out 2\n");
    let output = run(&folder, &["simulate", "--until", "1h", "-e", program]);
    assert_eq!(text(output.stdout), "");
}

#[test]
fn a_program_ends_with_its_workers_running() {
    let folder = directory("workers-ends", &[]);
    for command in ["run", "simulate"] {
        let program = "const { Worker } = require('worker_threads');
            for (let i = 0; i < 3; ++i) {
                const w = new Worker('for (;;) {}', { eval: true });
                w.on('online', () => { if (++count === 3) process.exit(5); });
            }
            let count = 0;";
        let output = run(&folder, &[command, "-e", program]);
        assert_eq!(output.status.code(), Some(5), "{command}: {}", text(output.stderr));
        let program = "new (require('worker_threads').Worker)('for (;;) {}', { eval: true })";
        let output = run(&folder, &[command, "--timeout", "300ms", "-e", program]);
        assert_eq!(output.status.code(), Some(124), "{command}: {}", text(output.stderr));
    }
}

#[test]
fn an_error_of_a_worker_that_nobody_takes_ends_the_program() {
    let folder = directory("workers-uncaught", &[]);
    for command in ["run", "simulate"] {
        let program = "new (require('worker_threads').Worker)('throw new TypeError(`in the worker`)', { eval: true })";
        let output = run(&folder, &[command, "-e", program]);
        let shown = text(output.stderr);
        assert!(
            shown.contains("TypeError") && shown.contains(": in the worker"),
            "{command}: {shown}"
        );
        assert_eq!(output.status.code(), Some(1), "{command}");
    }
}
