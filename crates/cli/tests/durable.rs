//! Tasks of `hemiola:scheduler` on real stores: through `kill -9` under load, on a disk that is full and on
//! one that cannot be written.
//!
//! `HEMIOLA_KILLS` says how many processes are killed, `HEMIOLA_SEED` where they are.

use crate::common::{directory, hemiola, shell, skip, text};
use hemiola_machine::Seeded;
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

const LOAD: &str = include_str!("durable/load.mjs");

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).map_or(default, |value| value.parse().expect("a number"))
}

/// What the scheduler of a process did, as far as its trace was written.
fn facts(trace: &Path) -> Vec<Value> {
    // The process may not have come as far as its trace, and its last line may be cut.
    let written = std::fs::read_to_string(trace).unwrap_or_default();
    let lines = written.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    lines.filter(|event| event["ev"] == "task").collect()
}

/// The tasks that a process found interrupted in its store, if it came to open it.
fn interrupted(facts: &[Value]) -> Option<BTreeSet<String>> {
    let stored = facts.iter().find(|fact| fact["what"] == "Stored")?;
    let pairs = stored["tasks"].as_array().expect("a list");
    let states = pairs.iter().map(|pair| {
        let state = pair[1].as_str().expect("a text");
        (&pair[0], serde_json::from_str::<Value>(state).expect("a state"))
    });
    let orphans = states.filter(|(_, state)| state["running"] == true || state["orphaned"] == true);
    Some(orphans.map(|(id, _)| id.as_str().expect("an id").to_owned()).collect())
}

/// The tasks whose callbacks a process entered.
fn started(facts: &[Value]) -> BTreeSet<String> {
    let starts = facts.iter().filter(|fact| fact["what"] == "RunStart");
    starts.map(|fact| fact["id"].as_str().expect("an id").to_owned()).collect()
}

/// Rule SCHED-4: whatever moment a process is killed at, what it ran is started again, and all processes
/// together have kept the contract.
#[test]
fn processes_that_are_killed_under_load_keep_the_contract() {
    let folder = directory("durable-kills", &[("load.mjs", LOAD)]);
    let start = |number: u64| -> (Command, String) {
        let trace = format!("{number:03}.jsonl");
        let mut command = hemiola(&folder);
        command.args(["run", "--trace", &trace, "load.mjs"]).stderr(Stdio::inherit());
        (command, trace)
    };
    let kills = number("HEMIOLA_KILLS", 50);
    let mut random = Seeded::new(number("HEMIOLA_SEED", 1));
    let mut traces = Vec::new();
    for number in 0..kills {
        let (mut command, trace) = start(number);
        let mut process = command.stdout(Stdio::piped()).spawn().expect("hemiola runs");
        let mut lines = BufReader::new(process.stdout.take().expect("its output is piped")).lines();
        // Some do not even come to declare their tasks.
        for _ in 0..random.number() % 40 {
            lines.next().expect("it goes on until it is killed").expect("a line");
        }
        // Between two lines, too.
        for _ in 0..random.number() % 200_000 {
            std::hint::spin_loop();
        }
        process.kill().expect("it can be killed");
        process.wait().expect("it ends");
        traces.push(trace);
    }
    let (mut last, trace) = start(kills);
    let ended = last.arg("last").output().expect("hemiola runs");
    assert!(ended.status.success());
    traces.push(trace);

    let mut owed = BTreeSet::new();
    let mut restarted = 0;
    for trace in &traces {
        let facts = facts(&folder.join(trace));
        let Some(orphans) = interrupted(&facts) else { continue };
        assert!(owed.is_subset(&orphans), "{trace}: {owed:?} were not started before {orphans:?}");
        let started = started(&facts);
        restarted += orphans.intersection(&started).count();
        owed = orphans.difference(&started).cloned().collect();
    }
    assert_eq!(owed, BTreeSet::new(), "every orphan was started again");
    assert!(restarted as u64 > kills / 2, "most kills were under load: {restarted}");

    // Who was killed before it ran has told nothing.
    traces.retain(|trace| !facts(&folder.join(trace)).is_empty());
    let verified = hemiola(&folder).arg("verify").args(&traces).output().expect("hemiola runs");
    assert_eq!(verified.status.code(), Some(0), "{}", text(verified.stdout));
}

/// Runs a script where `disk` is a file system of 200 kB, which nobody else sees; nothing if this machine
/// does not let anybody mount one.
fn with_small_disk(folder: &Path, script: &str) -> Option<std::process::Output> {
    let mounted = |script: &str| {
        shell(
            folder,
            &format!(
                "mkdir -p disk && unshare --mount --map-root-user sh -c \
                 'mount -t tmpfs -o size=200k tmpfs disk && {script}'"
            ),
        )
    };
    if !mounted("true").status.success() {
        skip("durable", "this machine mounts no file system for a test");
        return None;
    }
    Some(mounted(script))
}

/// A store whose disk is full: nothing is lost, tasks wait, and go on when there is room.
#[test]
fn a_full_disk_holds_tasks_back_until_there_is_room() {
    let program = "
        import { initialize, stop, trigger, history } from 'hemiola:scheduler';
        import { spawnSync } from 'node:child_process';
        import { rmSync } from 'node:fs';
        const ran = Promise.withResolvers();
        const list = [['yearly', '0 0 1 1 *', () => ran.resolve('ran'), 0]];
        const options = { store: 'disk/tasks.db', log: false };
        await initialize(list, options);
        spawnSync('sh', ['-c', 'cat /dev/zero > disk/full']);
        process.on('warning', ({ message }) => { console.log(message); rmSync('disk/full'); });
        await trigger('yearly').catch((error) => console.log(error.name, error.code));
        console.log(await ran.promise);
        await stop();
        await initialize(list, options);
        console.log((await history('yearly')).map((run) => run.result));
        await stop();";
    let folder = directory("durable-full", &[("full.mjs", program)]);
    let Some(output) = with_small_disk(&folder, "hemiola run full.mjs") else { return };
    let (shown, errors) = (text(output.stdout), text(output.stderr));
    assert!(output.status.success(), "{shown}{errors}");
    let lines: Vec<&str> = shown.lines().collect();
    let [refused, warned, ran, history] = lines[..] else { panic!("{shown}{errors}") };
    assert_eq!(refused, "StoreError ENOSPC");
    assert!(warned.contains("disk is full") && warned.contains("tasks wait until"), "{warned}");
    assert_eq!((ran, history), ("ran", "[ 'success' ]"));
}

/// A store that cannot be written is refused by name before anything is declared.
#[test]
fn a_store_that_cannot_be_written_is_refused() {
    let program = "
        import { initialize } from 'hemiola:scheduler';
        try {
          await initialize([['a', '* * * * *', () => {}, 0]], { store: 'disk/tasks.db', log: false });
        } catch (error) {
          console.log(error.name, error.code, error.message);
        }";
    let folder = directory("durable-read-only", &[("refused.mjs", program)]);
    let run = "hemiola run refused.mjs";
    for script in [
        // There is none, and none can be made.
        format!("mount -o remount,ro tmpfs disk && {run}"),
        // There is one.
        format!("cp made.db disk/tasks.db && mount -o remount,ro tmpfs disk && {run}"),
        // There is no room for one.
        format!("cat /dev/zero > disk/full 2> /dev/null; {run}"),
    ] {
        let make = "hemiola run -e \"require('hemiola:scheduler').initialize([], { store: 'made.db' })\
                    .then(() => require('hemiola:scheduler').stop())\"";
        assert!(shell(&folder, make).status.success());
        let Some(output) = with_small_disk(&folder, &script) else { return };
        let (shown, errors) = (text(output.stdout), text(output.stderr));
        assert!(shown.starts_with("StoreError "), "{script}: {shown}{errors}");
        assert!(shown.contains("disk/tasks.db"), "{script}: {shown}{errors}");
    }
}

/// Ten thousand tasks that are not due cost nothing: the scheduler wakes once for each instant at which some
/// are.
#[test]
fn ten_thousand_tasks_wake_it_once_for_each_due() {
    let program = "
        const { initialize } = require('hemiola:scheduler');
        const yearly = Array.from({ length: 10_000 }, (_, n) => [`yearly ${n}`, `0 0 1 ${1 + n % 5} *`, () => {}, 0]);
        const hourly = Array.from({ length: 5 }, (_, n) => [`hourly ${n}`, '30 * * * *', () => obs(n), 0]);
        initialize([...yearly, ...hourly], { log: false });";
    let folder = directory("durable-idle", &[("idle.js", program)]);
    let words = ["simulate", "--until", "700h", "--trace", "trace.jsonl", "idle.js"];
    let output = hemiola(&folder).args(words).output().expect("hemiola runs");
    assert!(output.stdout.is_empty(), "{}", text(output.stdout));
    let trace = std::fs::read_to_string(folder.join("trace.jsonl")).expect("a trace");
    let events = trace.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let events: Vec<Value> = events.collect();
    let clock = events.iter().find(|event| event["label"] == "hemiola:scheduler");
    let domain = &clock.expect("it has a clock")["domain"];
    let wakes = events.iter().filter(|event| event["ev"] == "began" && event["domain"] == *domain);
    let runs = events.iter().filter(|event| event["ev"] == "observed").count();
    assert_eq!((wakes.count(), runs), (700, 5 * 700));
}
