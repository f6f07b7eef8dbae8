//! What `hemiola:scheduler` does, held to its theory: while it runs, from traces, and through crashes.

use crate::common::{directory, hemiola, session, shell, text};
use std::io::{BufRead, BufReader};
use std::process::Stdio;

/// Tasks of all kinds, some of which fail, while somebody stops, restarts, holds back and asks; the store may
/// fail, too.
const BUSY: &str = "import { initialize, stop, trigger, pause, resume } from 'hemiola:scheduler';
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const fails = () => { if (Math.random() < 0.3) throw new Error('bad luck'); };
const lists = [
  [['a', '* * * * *', fails, 20_000], ['b', '*/5 * * * *', async () => { await sleep(Math.random() * 90_000); fails(); }, 1000]],
  [{ id: 'a', cron: '*/2 * * * *', run: fails, retryDelay: 7_000, jitter: 9_000 },
   { id: 'c', cron: '* * * * *', run: () => sleep(70_000), timeout: 65_000 },
   { id: 'd', cron: '0 * * * *', run() {}, zone: 'Europe/Paris', dst: 'once' }],
];
for (let round = 0; round < 12; round += 1) {
  try {
    await initialize(lists[Math.floor(Math.random() * 2)], { store: 'tasks.db', log: false, concurrency: 1 + round % 3 });
  } catch (error) {
    console.log(error.code);
    continue;
  }
  for (const act of [trigger, pause, resume, trigger]) {
    await sleep(Math.random() * 200_000);
    await act('a').catch((error) => console.log(error.code));
  }
  if (round % 4 === 3) initialize([]).catch((error) => console.log(error.code));
  await stop().catch((error) => console.log('stop', error.code));
  if (round % 2) await sleep(Math.random() * 300_000);
}
";

/// Rules SCHED-1 to SCHED-7, as far as the theory states them, in the library's module.
#[test]
fn the_module_keeps_the_theory_whatever_goes_wrong() {
    let folder = directory("contract-busy", &[("busy.mjs", BUSY)]);
    let mut troubles = 0;
    for seed in 0..12 {
        let seed = seed.to_string();
        let mut command = hemiola(&folder);
        let command = command.args(["simulate", "--verify", "--faults", "fs", "--seed", &seed]);
        let output = command.args(["--trace", "t.jsonl", "busy.mjs"]).output().expect("it runs");
        let (said, told) = (text(output.stdout), text(output.stderr));
        assert_eq!(output.status.code(), Some(0), "seed {seed}: {told}{said}");
        troubles += told.matches("SchedulerWarning: the scheduler's store").count();
        // The trace says the same as the run.
        let output = hemiola(&folder).args(["verify", "t.jsonl"]).output().expect("it runs");
        assert_eq!(output.status.code(), Some(0), "seed {seed}: {}", text(output.stdout));
    }
    assert!(troubles > 3, "the store failed only {troubles} times");
}

/// Its clock goes forth and back: a task starts before it is due.
const LYING: &str = "import { initialize, resume } from 'hemiola:scheduler';
await initialize([['a', '30 * * * *', () => console.log('a runs')]], { log: false });
const { now } = Date;
let looks = 0;
Date.now = () => now() + (looks++ === 1 ? 1_800_000 : 0);
await resume('a');
setTimeout(() => process.exit(3), 60_000);
";

const PLAIN: &str = "import { initialize } from 'hemiola:scheduler';
await initialize([
  ['a', '* * * * *', ({ attempt }) => { if (attempt === 1) throw new Error('once'); }, 10_000],
  ['b', '*/2 * * * *', () => new Promise((resolve) => setTimeout(resolve, 50))],
], { store: 'tasks.db', log: false });
";

const MARKED: &str = "import { initialize } from 'hemiola:scheduler';
import { existsSync, unlinkSync, writeFileSync } from 'node:fs';
await initialize([['once', '* * * * *', async () => {
  if (existsSync('running')) { console.log('it runs already'); process.exit(7); }
  writeFileSync('running', '');
  await new Promise((resolve) => setTimeout(resolve, 50));
  unlinkSync('running');
}]], { store: 'tasks.db', log: false });
";

#[test]
fn sessions() {
    let swap =
        "sed -e 's/\"RunStart\",\"id\":\"a\"/\"RunStart\",\"id\":\"b\"/' trace.jsonl > bad.jsonl";
    let torn = "head -c -20 trace.jsonl > torn.jsonl";
    session(
        "contract",
        &[("plain.mjs", PLAIN), ("marked.mjs", MARKED), ("lying.mjs", LYING), ("none.mjs", "")],
        &[
            "hemiola simulate --verify --until 3m --trace trace.jsonl plain.mjs",
            "hemiola verify trace.jsonl",
            &format!("{swap}; hemiola verify bad.jsonl"),
            "hemiola verify bad.jsonl --format json",
            &format!("{torn}; hemiola verify torn.jsonl | tail -n 1"),
            "sed 5s/what/wat/ trace.jsonl > wrong.jsonl; grep -n wat wrong.jsonl; hemiola verify wrong.jsonl",
            "echo '{\"tasks\": {}}' > hand.json; hemiola verify trace.jsonl hand.json",
            "hemiola simulate --verify lying.mjs",
            "hemiola simulate --verify -e 'console.log(1)'",
            "hemiola simulate --trace none.jsonl none.mjs; hemiola verify none.jsonl | tail -n 1",
            "hemiola explore --crashes --until 3m plain.mjs",
            "hemiola explore --crashes --until 20s --format json plain.mjs",
            "hemiola explore --crashes --until 20s --max-schedules 5 plain.mjs",
            "hemiola explore --crashes --until 30s marked.mjs",
            "hemiola explore --crashes --until 30s --fail-fast --format json marked.mjs",
            "hemiola explore --crashes=c6 --until=30s marked.mjs",
            "hemiola explore --crashes=w99-lost --until=30s marked.mjs",
            "hemiola explore --crashes=middle marked.mjs",
            "hemiola explore --crashes none.mjs",
        ],
    );
}

/// The clock of its scheduler stands still from the first run on: the retry never comes, and nothing is told.
const SILENT: &str = "import { initialize } from 'hemiola:scheduler';
const { now } = Date;
await initialize([['a', '* * * * *', () => {
  if (process.argv[2] === 'silent') { const stuck = now(); Date.now = () => stuck; }
  throw new Error('it fails');
}, 50]], { log: false, concurrency: 1 });
setTimeout(() => process.exit(), 1_500);
";

/// Rule SCHED-9: turns of the loop and idle waits are granted compute, so that silence violates L1: while the
/// program runs, and in its trace, live and in virtual time.
#[test]
fn a_scheduler_that_falls_silent_violates_liveness() {
    let folder = directory("contract-silent", &[("app.mjs", SILENT)]);
    for command in ["run", "simulate"] {
        let run = |word: &str| {
            let words = [command, "--verify", "--trace", "t.jsonl", "app.mjs", word];
            let ran = hemiola(&folder).args(words).output().expect("hemiola runs");
            let verify = ["verify", "t.jsonl"];
            let verified = hemiola(&folder).args(verify).output().expect("hemiola runs");
            (ran, verified)
        };
        let (ran, verified) = run("silent");
        let told = text(ran.stderr);
        assert_eq!(ran.status.code(), Some(100), "{command}: {told}");
        assert!(told.starts_with("violated: L1"), "{command}: {told}");
        assert!(told.contains("blame: scheduler"), "{command}: {told}");
        let said = text(verified.stdout);
        assert_eq!(verified.status.code(), Some(100), "{command}: {said}");
        assert!(said.contains("L1   violated"), "{command}: {said}");
        // The same program whose clock goes on starts again and again.
        let (ran, verified) = run("lively");
        assert_eq!(ran.status.code(), Some(0), "{command}: {}", text(ran.stderr));
        let said = text(verified.stdout);
        assert_eq!(verified.status.code(), Some(0), "{command}: {said}");
        // A machine that is busy with other things grants what it can.
        let named =
            if command == "simulate" { "\nenvironment: dense, " } else { "\nenvironment: " };
        assert!(said.contains(named), "{command}: {said}");
    }
}

/// Environments are made by name, and known again by what they grant. Lateness in a freeze is no violation.
#[test]
fn environments_are_made_and_named() {
    let program = "import { initialize } from 'hemiola:scheduler';
        await initialize([['a', '* * * * *', ({ attempt }) => { if (attempt === 1) throw new Error('once'); }, 10_000],
          ['b', '*/2 * * * *', () => new Promise((resolve) => setTimeout(resolve, 50))]], { log: false, concurrency: 1 });";
    let folder = directory("contract-environments", &[("app.mjs", program)]);
    let kinds = [
        ("freezing", "freezing, longest freeze "),
        ("thawing=5000", "thawing, U 5000 ms, "),
        ("dense=0.1,2000", "dense, ε 0.1"),
        ("burst", "burst, up to 100 ms in a row, "),
    ];
    for (kind, name) in kinds {
        let words = ["simulate", "--verify", "--until", "3h", "--environment", kind];
        let mut command = hemiola(&folder);
        let command = command.args(words).args(["--trace", "t.jsonl", "app.mjs"]);
        let ran = command.output().expect("hemiola runs");
        assert_eq!(ran.status.code(), Some(0), "{kind}: {}", text(ran.stderr));
        let verified = hemiola(&folder).args(["verify", "t.jsonl"]).output().expect("hemiola runs");
        let said = text(verified.stdout);
        assert_eq!(verified.status.code(), Some(0), "{kind}: {said}");
        assert!(said.contains(&format!("\nenvironment: {name}")), "{kind}: {said}");
    }
}

/// A computer that is frozen runs nothing, workers included: what comes meanwhile is done when it runs again.
#[test]
fn workers_run_only_when_their_environment_lets_them() {
    let program = "const { Worker, isMainThread, parentPort } = require('worker_threads');
        const say = (who, what) => console.log(who, what, Date.now() % 5000);
        if (isMainThread) {
          const worker = new Worker(__filename);
          worker.on('message', () => say('main', 'message'));
          setInterval(() => worker.postMessage('a'), 1700);
        } else {
          say('worker', 'begins');
          setInterval(() => { say('worker', 'interval'); parentPort.postMessage('b'); }, 700);
          parentPort.on('message', () => say('worker', 'message'));
        }";
    let folder = directory("contract-workers", &[("app.js", program)]);
    let words = ["simulate", "--until", "1m", "--environment", "thawing=5000", "app.js"];
    let output = hemiola(&folder).args(words).output().expect("hemiola runs");
    let said = text(output.stdout);
    for what in ["worker begins 0", "worker interval 0", "worker message 0", "main message 0"] {
        assert!(said.lines().any(|line| line == what), "{what}: {said}{}", text(output.stderr));
    }
    assert!(said.lines().all(|line| line.ends_with(" 0")), "{said}");
}

/// It survives one crash, but not one in the process that follows: who is started a third time gives up.
const THRICE: &str = "import { initialize } from 'hemiola:scheduler';
import { appendFileSync, readFileSync } from 'node:fs';
appendFileSync('starts', 'x');
if (readFileSync('starts').length > 2) process.exit(9);
await initialize([['a', '0 * * * *', () => {}]], { store: 'tasks.db', log: false });
";

/// Rule SCHED-4, twice: a crash while what a crash left behind is made up for.
#[test]
fn pairs_of_crashes_are_tried() {
    let hourly = "import { initialize } from 'hemiola:scheduler';
        await initialize([['a', '0 * * * *', () => {}]], { store: 'tasks.db', log: false });";
    let folder = directory("contract-pairs", &[("hourly.mjs", hourly), ("thrice.mjs", THRICE)]);
    let output = shell(&folder, "hemiola explore --crashes=2 --until 20s hourly.mjs");
    let (said, told) = (text(output.stdout), text(output.stderr));
    assert_eq!(output.status.code(), Some(0), "{told}{said}");
    assert!(said.contains(" pairs of crashes tried\n"), "{said}");
    assert!(said.ends_with("after every one of them the theory holds\n"), "{said}");

    let output = shell(&folder, "hemiola explore --crashes --until 20s thrice.mjs");
    assert_eq!(output.status.code(), Some(0), "{}", text(output.stdout));
    let output = shell(&folder, "hemiola explore --crashes=2 --until 20s --fail-fast thrice.mjs");
    let said = text(output.stdout);
    assert_eq!(output.status.code(), Some(100), "{said}");
    assert!(said.contains("and after the restart at "), "{said}");
    let command = said.lines().last().expect("a command comes last");
    let output = shell(&folder, command);
    assert_eq!(output.status.code(), Some(100), "{command}: {}", text(output.stderr));
    let output =
        shell(&folder, "hemiola explore --crashes=w1-lost,w99-lost --until 20s hourly.mjs");
    let told = text(output.stderr);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("does not come to the point w99-lost"), "{told}");
}

/// Traces of processes in the wrong order are refused.
#[test]
fn traces_in_the_wrong_order_are_refused() {
    let program = "import { initialize } from 'hemiola:scheduler';
        await initialize([['a', '0 0 1 1 *', () => {}]], { store: 'tasks.db', log: false });
        process.exit();";
    let folder = directory("contract-order", &[("app.mjs", program)]);
    for trace in ["1.jsonl", "2.jsonl"] {
        let words = ["run", "--trace", trace, "app.mjs"];
        assert!(hemiola(&folder).args(words).output().expect("hemiola runs").status.success());
        std::thread::sleep(std::time::Duration::from_millis(3));
    }
    assert!(shell(&folder, "hemiola verify 1.jsonl 2.jsonl").status.success());
    let output = shell(&folder, "hemiola verify 2.jsonl 1.jsonl");
    assert_eq!(output.status.code(), Some(2));
    let told = text(output.stderr);
    assert!(told.contains("`1.jsonl` begins before `2.jsonl` and cannot follow it"), "{told}");
}

/// Where a program may crash, time passes while it computes as in any other simulation. It went on for ever
/// when it did not.
#[test]
fn a_task_that_spends_time_crashes_and_ends() {
    let program = "import { initialize } from 'hemiola:scheduler';
        import { spend } from 'hemiola:clock';
        await initialize([['slow', '* * * * *', () => spend(5)]], { store: 'tasks.db', log: false });";
    let folder = directory("contract-spend", &[("slow.mjs", program)]);
    let output = shell(&folder, "timeout 120 hemiola explore --crashes --until 30s slow.mjs");
    let (said, told) = (text(output.stdout), text(output.stderr));
    assert_eq!(output.status.code(), Some(0), "{told}{said}");
    assert!(said.ends_with("after every one of them the theory holds\n"), "{said}");
}

#[test]
fn the_time_for_crashes_ends_also_within_a_run() {
    let program = |endless: &str| {
        format!(
            "import {{ initialize }} from 'hemiola:scheduler';
            const go = () => Promise.resolve().then(go);
            await initialize([['endless', '* * * * *', () => {{ {endless} }}]],
              {{ store: 'tasks.db', log: false }});"
        )
    };
    let files = [("computes.mjs", program("for (;;);")), ("promises.mjs", program("return go();"))];
    let files = files.each_ref().map(|(name, text)| (*name, text.as_str()));
    let folder = directory("contract-time", &files);
    for name in ["computes.mjs", "promises.mjs"] {
        let command = format!("timeout 300 hemiola explore --crashes --time 1s {name}");
        let output = shell(&folder, &command);
        let (said, told) = (text(output.stdout), text(output.stderr));
        assert_eq!(output.status.code(), Some(102), "{name}: {told}{said}");
        assert!(said.ends_with("before the run ended: no crashes tried\n"), "{said}");
    }
    let command = "timeout 300 hemiola explore --crashes --time 1s --format json computes.mjs";
    let said = text(shell(&folder, command).stdout);
    assert!(said.contains("\"interrupted\":true"), "{said}");
}

/// The command that is printed for a failure without any crash shows that failure.
#[test]
fn a_failure_without_a_crash_comes_with_a_command_that_shows_it() {
    let lying = LYING.replace("log: false", "log: false, store: 'tasks.db'");
    let folder = directory("contract-command", &[("lying.mjs", &lying)]);
    let output = shell(&folder, "hemiola explore --crashes --max-schedules 1 lying.mjs");
    let said = text(output.stdout);
    assert!(said.contains("without any crash\nviolated: S1"), "{said}");
    let command = said.lines().last().expect("a command comes last");
    let output = shell(&folder, command);
    let told = text(output.stderr);
    assert_eq!(output.status.code(), Some(100), "{command}: {told}");
    assert!(told.starts_with("violated: S1"), "{command}: {told}");
}

/// Rule SCHED-4: the traces of processes that were killed are one, and keep the theory.
#[test]
fn traces_of_killed_processes_are_joined() {
    let program = "import { initialize, trigger } from 'hemiola:scheduler';
        const work = (id) => ({ reason }) => {
          console.log(id, reason);
          return new Promise((resolve, reject) => setTimeout(Math.random() < 0.5 ? resolve : reject, 2));
        };
        await initialize([['a', '* * * * *', work('a'), 5], ['b', '* * * * *', work('b'), 15]],
          { store: 'tasks.db', log: false });
        setInterval(() => trigger('a'), 3);";
    let folder = directory("contract-kill", &[("app.mjs", program)]);
    let mut traces = Vec::new();
    for round in 0..6 {
        let trace = format!("{round}.jsonl");
        let mut command = hemiola(&folder);
        let command = command.args(["run", "--trace", &trace, "app.mjs"]).stdout(Stdio::piped());
        let mut running = command.spawn().expect("hemiola runs");
        let lines = BufReader::new(running.stdout.take().expect("it is piped")).lines();
        lines.take(3 + round * 5).for_each(|line| drop(line.expect("it is text")));
        running.kill().expect("it runs until then");
        running.wait().expect("it has ended");
        traces.push(trace);
    }
    let output = hemiola(&folder).arg("verify").args(&traces).output().expect("hemiola runs");
    assert_eq!(output.status.code(), Some(0), "{}", text(output.stdout));
    let text = std::fs::read_to_string(folder.join("3.jsonl")).expect("there is a trace");
    assert!(text.contains("\"Stored\"") && text.contains("\"RunStart\""), "{text}");
}
