//! A process that is stopped and continued: waits end at their instants (rules TIME-8, TIME-14, LOOP-7).

use crate::common::{directory, hemiola, shell, text};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Is frozen after its first line until its timeout is overdue.
const FROZEN: &str = "
    const { clock } = require('hemiola:clock');
    let [last, burst] = [performance.now(), 0];
    const interval = setInterval(() => {
      if (performance.now() - last > 500) burst = 0;
      burst++;
      last = performance.now();
    }, 50);
    const clocks = ['all', 'skip', 'latest'].map((policy) => {
      const one = clock(policy);
      const runs = [];
      one.policy(policy);
      one.setInterval(() => runs.push(one.now()), 1000);
      return { one, runs, origin: one.now() };
    });
    setTimeout(() => {
      console.log('over');
      console.log('ticks', burst);
      clearInterval(interval);
    }, 2000);
    setTimeout(() => {
      for (const { one, runs, origin } of clocks) {
        console.log(one.label, one.skipped(), ...runs.map((at) => at - origin));
        one.close();
      }
    }, 2001);
    console.log('ready');
";

/// Starts a program, freezes it after its first line for that long, and says how long it took after that
/// until it said more, and what.
fn freeze(mut command: Command, frozen: Duration) -> (Duration, String) {
    let mut child = command.stdout(Stdio::piped()).spawn().expect("the program starts");
    let mut out = BufReader::new(child.stdout.take().expect("it is piped"));
    let mut line = String::new();
    out.read_line(&mut line).expect("it says something");
    assert_eq!(line, "ready\n");
    signal(&child, "STOP");
    // Time that passes is what this is about; nothing can be waited for.
    std::thread::sleep(frozen);
    signal(&child, "CONT");
    let continued = Instant::now();
    line.clear();
    out.read_line(&mut line).expect("it goes on");
    let waited = continued.elapsed();
    out.read_to_string(&mut line).expect("it goes on to its end");
    assert!(child.wait().expect("it ends").success());
    (waited, line)
}

fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status();
    assert!(status.expect("kill can be run").success());
}

const FREEZE: Duration = Duration::from_millis(2300);

/// One tick stands for forty; labelled clocks keep to their policies.
const SAID: &str = "over\nticks 1\nall 0 1000 2000\nskip 2\nlatest 1 2000\n";

fn program(directory: &Path, words: &[&str]) -> Command {
    let mut command = hemiola(directory);
    command.args(words).env("HEMIOLA_RUNS", directory.join("runs"));
    command
}

#[test]
fn after_a_freeze_what_is_due_runs_at_once_live_and_replayed() {
    let directory = directory("freeze_due", &[("frozen.js", FROZEN)]);
    let (waited, said) = freeze(program(&directory, &["run", "--record", "frozen.js"]), FREEZE);
    assert!(waited < Duration::from_millis(1000), "it waited {waited:?} for what was over");
    assert_eq!(said, SAID);
    let replayed = program(&directory, &["replay"]).output().expect("hemiola runs");
    assert_eq!(text(replayed.stdout), format!("ready\n{SAID}"), "{}", text(replayed.stderr));
}

/// A computation makes an interval late as a freeze does.
const LATE: &str = "
    const { spend } = require('hemiola:clock');
    const began = performance.now();
    const seen = [];
    setTimeout(() => {
      clearInterval(interval);
      console.log(...seen);
    }, 200);
    const interval = setInterval(() => {
      seen.push(Math.round(performance.now() - began));
      spend(seen.length === 2 ? 45 : 4);
    }, 20);
";

#[test]
fn an_interval_that_was_late_keeps_to_its_grid_and_under_node_counts_from_its_run() {
    let directory = directory("freeze_late", &[("late.js", LATE)]);
    let simulate = |flags: &str| {
        let output = shell(&directory, &format!("hemiola simulate {flags} late.js"));
        assert!(output.status.success(), "{}", text(output.stderr));
        text(output.stdout)
    };
    assert_eq!(simulate(""), "20 40 85 100 120 140 160 180\n");
    assert_eq!(simulate("--timers node"), "20 40 85 105 125 145 165 185\n");
}
