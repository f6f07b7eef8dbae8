//! `hemiola:scheduler`: declared tasks in virtual time, through kills, and over stores that are none.

use crate::common::{directory, hemiola, text};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Output, Stdio};

fn run(folder: &Path, command: &str, source: &str) -> Output {
    let mut words = hemiola(folder);
    let words = words.args([command, "--input-type", "module", "-e", source]);
    words.output().expect("hemiola runs")
}

fn shown(output: Output) -> String {
    assert!(output.status.success(), "{}", text(output.stderr));
    text(output.stdout)
}

/// Rules SCHED-3 and SCHED-8: a due, its retry after the delay, and no second run for the same due.
#[test]
fn two_days_of_tasks_in_virtual_time() {
    let source = "import { initialize, stop, status, history } from 'hemiola:scheduler';
        const seen = [];
        const at = () => new Date().toISOString().slice(5, 16);
        console.log(await initialize([
          ['backup', '0 3 * * *', ({ attempt, due, reason }) => {
            seen.push(`${at()} ${reason} ${attempt}`);
            if (attempt === 1) throw new Error('no disk');
          }, 5 * 60_000],
          { id: 'poll', cron: '0 */12 * * *', run: async () => { seen.push(`${at()} poll`); }, zone: 'Europe/Paris' },
        ], { store: 'tasks.db', log: false }));
        setTimeout(async () => {
          console.log(seen.join('\\n'));
          const [backup] = status();
          console.log(backup.lastResult, backup.nextDue.toISOString(), (await history('backup', 2)).map((run) => run.result));
          await stop();
          console.log(status());
        }, 2 * 86_400_000);";
    let folder = directory("scheduler-days", &[]);
    let expected = "{ added: [ 'backup', 'poll' ], removed: [], changed: [], orphaned: [] }
01-01T03:00 due 1
01-01T03:05 retry 2
01-01T11:00 poll
01-01T23:00 poll
01-02T03:00 due 1
01-02T03:05 retry 2
01-02T11:00 poll
01-02T23:00 poll
success 2024-01-03T03:00:00.000Z [ 'success', 'failure' ]
[]
";
    assert_eq!(shown(run(&folder, "simulate", source)), expected);
    assert!(!folder.join("tasks.db").exists(), "a simulation leaves the disk alone");
}

/// Rule SCHED-5: the whole list or nothing, and the entry and the field are named.
#[test]
fn a_bad_list_is_rejected_as_a_whole() {
    let source = "import { initialize, status } from 'hemiola:scheduler';
        const f = () => {};
        const every = '* * * * *';
        for (const list of [
          [['', every, f]], [['a', every, f], ['a', every, f]], [['a', '0 0 31 2 *', f]], [['a', '* * *', f]],
          [['a', every, f, -1]], [['a', every, f, NaN]], [{ id: 'a', cron: every, run: f, zone: 'Mars/X' }],
          [{ id: 'a', cron: every, run: f, dst: 'no' }], [{ id: 'a', cron: every, run: 5 }], [5],
          [{ id: 'a', cron: every, run: f, foo: 1 }], [['a', every]], [{ id: 'a', cron: every, run: f, timeout: 0 }],
        ]) try { await initialize(list); console.log('taken'); } catch (error) {
          console.log(error.name, error.entry, error.field);
        }
        console.log(status());
        await initialize([['a', every, f]]);
        try { await initialize([]); } catch (error) { console.log(error.message); }
        process.exit();";
    let expected = "TaskIdError 0 id
DuplicateTaskError 1 id
TaskCronError 0 cron
TaskCronError 0 cron
TaskDelayError 0 retryDelay
TaskDelayError 0 retryDelay
TaskZoneError 0 zone
TaskDstError 0 dst
TaskCallbackError 0 run
TaskShapeError 0 entry
TaskShapeError 0 foo
TaskShapeError 0 entry
TaskDelayError 0 timeout
[]
cannot initialize: the scheduler is running already; wait for it, or call stop first
";
    assert_eq!(shown(run(&directory("scheduler-lists", &[]), "simulate", source)), expected);
}

/// An id is kept as text, which an unpaired surrogate is not.
#[test]
fn an_id_with_a_lone_surrogate_is_refused() {
    let source = "import { initialize, trigger, history } from 'hemiola:scheduler';
        const lone = 'a\\ud800';
        const every = '* * * * *';
        for (const task of [[lone, every, () => {}], ['a', lone, () => {}], { id: 'a', cron: every, run() {}, zone: lone }]) {
          await initialize([task]).catch((error) => console.log(error.name, error.code, error.entry, error.field));
        }
        await initialize([['a\\ud83d\\ude00', every, () => {}]], { log: false });
        await trigger(lone).catch((error) => console.log(error.name, error.code));
        console.log(await history(lone));
        process.exit();";
    let expected = "TaskIdError ERR_TASK_ID 0 id
TaskCronError ERR_TASK_CRON 0 cron
TaskZoneError ERR_TASK_ZONE 0 zone
UnknownTaskError ERR_TASK_UNKNOWN
[]
";
    let folder = directory("scheduler-surrogate", &[]);
    for world in ["run", "simulate"] {
        assert_eq!(shown(run(&folder, world, source)), expected, "{world}");
    }
}

/// Without a retry delay there is one of a minute: a task that always fails does not keep the loop busy.
#[test]
fn a_task_that_always_fails_does_not_spin() {
    let source = "import { initialize, status } from 'hemiola:scheduler';
        const seen = [];
        await initialize([['broken', '0 0 * * *', ({ attempt, reason }) => {
          seen.push(`${new Date().toISOString().slice(14, 19)} ${reason} ${attempt}`);
          throw new Error('always');
        }]], { log: false });
        setTimeout(() => { console.log(seen.join('\\n')); process.exit(); }, 150_000);";
    let folder = directory("scheduler-failing", &[]);
    let expected = "00:00 boot-due 1\n01:00 retry 2\n02:00 retry 3\n";
    assert_eq!(shown(run(&folder, "simulate", source)), expected);
}

const LONG: &str = "import { initialize } from 'hemiola:scheduler';
    const { orphaned } = await initialize([['long', '* * * * *', ({ reason }) => {
      console.log(reason);
      return new Promise((resolve) => setTimeout(resolve, 100_000));
    }, 1000]], { store: 'tasks.db', log: false });
    console.log(orphaned);";

/// Rule SCHED-4: who is killed while a task runs finds it interrupted, and one process holds a store.
#[test]
fn a_killed_process_starts_its_task_again() {
    let folder = directory("scheduler-kill", &[]);
    for round in 0..3 {
        let mut words = hemiola(&folder);
        let words = words.args(["run", "--input-type", "module", "-e", LONG]);
        let mut running = words.stdout(Stdio::piped()).spawn().expect("hemiola runs");
        let mut lines = BufReader::new(running.stdout.take().expect("it is piped")).lines();
        let mut line = || lines.next().expect("there is more").expect("it is text");
        let said = [line(), line()];
        if round == 0 {
            assert_eq!(said, ["[]", "boot-due"]);
            let second = run(&folder, "run", LONG);
            assert_eq!(second.status.code(), Some(1));
            let error = text(second.stderr);
            assert!(error.contains("ERR_STORE_LOCKED"), "{error}");
            assert!(error.contains("another process holds"), "{error}");
        } else {
            assert_eq!(said, ["[ 'long' ]", "orphaned"], "round {round}");
        }
        running.kill().expect("it runs until then");
        running.wait().expect("it has ended");
    }
    // Whoever found it interrupted wrote that down.
    let looked = hemiola(&folder)
        .args(["tasks", "tasks.db", "history", "long", "--format", "json"])
        .output()
        .expect("hemiola runs");
    let looked: serde_json::Value = serde_json::from_str(&text(looked.stdout)).expect("JSON");
    let runs = looked["runs"].as_array().expect("runs");
    let facts = |run: &serde_json::Value| {
        (run["outcome"].clone(), run["attempt"].clone(), run["fence"].clone())
    };
    let expected = [2, 1].map(|fence| ("interrupted".into(), 1.into(), fence.into()));
    assert_eq!(runs.iter().map(facts).collect::<Vec<_>>(), expected);
}

/// What cannot be a store is left as it is.
#[test]
fn what_is_no_store_is_refused_and_kept() {
    let source = "import { initialize } from 'hemiola:scheduler';
        await initialize([], { store: 'bad.db' }).catch((error) => console.log(error.code));";
    let folder =
        directory("scheduler-stores", &[("bad.db", "this is no database at all, but text\n")]);
    let before = std::fs::read(folder.join("bad.db")).expect("it is there");
    assert_eq!(shown(run(&folder, "run", source)), "ERR_STORE_DAMAGED\n");
    assert_eq!(std::fs::read(folder.join("bad.db")).expect("it is there"), before);
    let mut words = hemiola(&folder);
    let words = words.args(["run", "--permission", "--input-type", "module", "-e", source]);
    assert_eq!(shown(words.output().expect("hemiola runs")), "ERR_ACCESS_DENIED\n");
    let nowhere = source.replace("bad.db", "no/such/directory.db");
    assert_eq!(shown(run(&folder, "run", &nowhere)), "ERR_STORE_OPEN\n");
}

/// A store needs grants to read and to write its file, in every world.
#[test]
fn a_store_obeys_the_grants_of_its_program() {
    let source = "import { initialize, stop } from 'hemiola:scheduler';
        for (const store of ['in/tasks.db', 'out/tasks.db', 'in/link/tasks.db']) {
          try {
            await initialize([['a', '* * * * *', () => {}]], { store, log: false });
            await stop();
            console.log(store, 'opened');
          } catch ({ name, code, permission, resource }) {
            console.log(store, name, code, permission, resource.replace(process.cwd(), ''));
          }
        }";
    for command in ["run", "simulate"] {
        let name = format!("scheduler-grants-{command}");
        let folder = directory(&name, &[("app.mjs", source)]);
        for inner in ["in", "out"] {
            std::fs::create_dir(folder.join(inner)).expect("it can be made");
        }
        std::os::unix::fs::symlink("../out", folder.join("in/link")).expect("a link can be made");
        let granted = |grants: &[&str]| {
            let mut words = hemiola(&folder);
            let words = words.args([command, "--permission"]);
            shown(words.args(grants).arg("app.mjs").output().expect("hemiola runs"))
        };
        let denied = |permission: &str, stores: &[&str]| -> String {
            let line = |store| format!("{store} Error ERR_ACCESS_DENIED {permission} /{store}\n");
            stores.iter().map(line).collect()
        };
        let all = ["in/tasks.db", "out/tasks.db", "in/link/tasks.db"];
        let none = granted(&["--allow-read=app.mjs"]);
        assert_eq!(none, denied("FileSystemRead", &all), "{command}");
        assert_eq!(granted(&["--allow-read=*"]), denied("FileSystemWrite", &all), "{command}");
        let within = granted(&["--allow-read=*", "--allow-write=in"]);
        let refused = denied("FileSystemWrite", &all[1..]);
        assert_eq!(within, format!("in/tasks.db opened\n{refused}"), "{command}");
        let left = std::fs::read_dir(folder.join("out")).expect("it is there").count();
        assert_eq!(left, 0, "{command}: nothing was made there");
    }
}

/// A store of the version before rows had checksums, with two tasks and a run.
const VERSION_1: &[u8] = include_bytes!("durable/version-1.db");

/// Opens it with a list of one of its tasks.
const OLD: &str = "import { initialize, stop, history } from 'hemiola:scheduler';
    try {
      console.log(await initialize([['yearly', '0 0 1 1 *', () => {}, 0]], { store: 'tasks.db', log: false }));
      console.log((await history('yearly')).map(({ result }) => result));
      await stop();
    } catch ({ name, code, message }) {
      console.log(name, code, message.includes('tasks.db is damaged'));
    }";

#[test]
fn a_store_without_checksums_is_opened_and_has_them_from_then_on() {
    let folder = directory("scheduler-version-1", &[]);
    let path = folder.join("tasks.db");
    std::fs::write(&path, VERSION_1).expect("it can be written");
    let expected = |removed: &str| {
        format!("{{ added: [], removed: [{removed}], changed: [], orphaned: [] }}\n[ 'success' ]\n")
    };
    assert_eq!(shown(run(&folder, "run", OLD)), expected(" 'monthly' "));
    assert_eq!(shown(run(&folder, "run", OLD)), expected(""));
    let with_checksums = std::fs::read(&path).expect("it is there");
    // One letter of the states: noticed by their checksums now, and before where they cannot be read any more.
    for mut bytes in [VERSION_1.to_vec(), with_checksums] {
        let places = bytes.windows(8).enumerate().filter(|(_, window)| *window == b"failures");
        let places: Vec<usize> = places.map(|(at, _)| at).collect();
        assert!(!places.is_empty(), "states are in there as text");
        places.iter().for_each(|at| bytes[*at] = b'F');
        std::fs::write(&path, &bytes).expect("it can be written");
        assert_eq!(shown(run(&folder, "run", OLD)), "StoreError ERR_STORE_DAMAGED true\n");
        assert!(std::fs::read(&path).expect("it is there") == bytes, "it is left as it is");
    }
}
