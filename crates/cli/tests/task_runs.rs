//! Runs of tasks in every kind of store, in both worlds: what callbacks are given, how they are tried again and given
//! up, and that none overlaps itself.

use crate::cluster::server::server;
use crate::common::{directory, hemiola, text};
use std::path::Path;
use std::process::Output;

/// Stores of a simulated world.
const SIMULATED: [&str; 3] = ["", "tasks.db", "postgres://user@nowhere/base"];

fn run(folder: &Path, words: &[&str], store: &str) -> Output {
    let mut command = hemiola(folder);
    command.args(words).args((!store.is_empty()).then_some(store));
    command.output().expect("hemiola runs")
}

fn shown(output: Output) -> (String, String) {
    let (out, err) = (text(output.stdout), text(output.stderr));
    assert!(output.status.success(), "{out}{err}");
    (out, err)
}

/// Runs a program on every store of both worlds, in the simulated one twice: it says the same on all of them.
fn same_on_every_store(test: &str, file: &str, source: &str, check: impl Fn(&str, &str, &str)) {
    let folder = directory(test, &[(file, source)]);
    for store in SIMULATED {
        let first = shown(run(&folder, &["simulate", "--seed", "7", file], store));
        let again = shown(run(&folder, &["simulate", "--seed", "7", file], store));
        assert_eq!(first, again, "{store}");
        check(store, &first.0, &first.1);
    }
    for store in ["", "tasks.db"] {
        let (out, err) = shown(run(&folder, &["run", file], store));
        check(store, &out, &err);
    }
    if let Some(server) = server(test) {
        let address = server.database(&test.replace('-', "_"));
        let (out, err) = shown(run(&folder, &["run", file], &address));
        check(&address, &out, &err);
    }
}

/// A failing task is tried again after delays that grow, is given up with its error, and begins anew when it is told
/// to. One that goes on after its limit starts again only when it has ended.
#[test]
fn tasks_are_tried_again_and_given_up() {
    let expected = "on log flaky 1  try 1
run triggered 1 1 one true false
on failure flaky 1 false
on log flaky 2  try 2
run retry 2 2 one true false
on failure flaky 2 false
on log flaky 3  try 3
run retry 3 3 one true false
on failure flaky 3 true
dead 0 3 no disk
on log flaky 1  try 1
run retry 1 4 one true false
on success flaky 1
true false
enter 1 1
on timeout deaf 1
leave 1 TimeoutError
on failure deaf 1 false
enter 2 1
on timeout deaf 2
leave 2 TimeoutError
on failure deaf 2 true
stopped 0
";
    let source = include_str!("task_runs/retries.mjs");
    same_on_every_store("task-retries", "retries.mjs", source, |_, out, err| {
        let lines: Vec<&str> = out.lines().map(str::trim_end).collect();
        assert_eq!(lines, expected.lines().collect::<Vec<_>>());
        assert!(err.contains("scheduler: flaky (run 2): try 2\n"), "{err}");
        assert!(err.contains("flaky failed (attempt 1): no disk; tried again at 2"), "{err}");
        assert!(err.contains("flaky failed (attempt 3): no disk; given up\n"), "{err}");
        assert!(err.contains("is told to stop: The task did not end within 5 ms\n"), "{err}");
    });
}

/// Delays grow up to the longest, a due that was given up is over, and the next one begins with the first attempt.
/// Whoever stops and initialises again, or restarts, is not tried earlier. The theory of schedulers holds.
#[test]
fn delays_grow_and_the_next_due_begins_anew() {
    let source = "import { initialize, stop } from 'hemiola:scheduler';
        const [store] = process.argv.slice(2);
        const tasks = [{
          id: 'a', cron: '0 3 * * *', zone: 'UTC', retryDelay: 60_000, backoff: 2, maxRetryDelay: 180_000, attempts: 5,
          run({ attempt }) {
            console.log(new Date().toISOString().slice(8, 16), attempt);
            throw new Error('no');
          },
        }];
        await initialize(tasks, { store, log: false });
        setTimeout(async () => {
          await stop();
          await initialize(tasks, { store, log: false });
        }, 3 * 3_600_000 + 90_000);
        setTimeout(stop, 28 * 3_600_000);";
    let kept = "01T03:00 1
01T03:01 2
01T03:03 3
01T03:06 4
01T03:09 5
02T03:00 1
02T03:01 2
02T03:03 3
02T03:06 4
02T03:09 5
";
    // Nothing is known after `stop` without a store.
    let forgotten = "01T03:00 1
01T03:01 2
02T03:00 1
02T03:01 2
02T03:03 3
02T03:06 4
02T03:09 5
";
    let folder = directory("task-delays", &[("delays.mjs", source)]);
    for (store, expected) in SIMULATED.into_iter().zip([forgotten, kept, kept]) {
        let (out, _) = shown(run(&folder, &["simulate", "delays.mjs"], store));
        assert_eq!(out, expected, "{store}");
    }
    let (out, err) = shown(run(&folder, &["simulate", "--verify", "delays.mjs"], "tasks.db"));
    assert_eq!(out, kept, "{err}");
    assert!(!err.contains("violated"), "{err}");
    // A crash at any point forgets nothing, either.
    let mut explored = hemiola(&folder);
    explored.args([
        "explore",
        "--crashes",
        "--until",
        "4h",
        "--time",
        "5s",
        "delays.mjs",
        "tasks.db",
    ]);
    let output = explored.output().expect("hemiola runs");
    let (out, err) = (text(output.stdout), text(output.stderr));
    assert!(matches!(output.status.code(), Some(0 | 102)), "{out}{err}");
}

/// A job runs once with its payload, and no second one has its key meanwhile; it is tried again, given up, and kept
/// through restarts and lists without its task. A task without an expression only runs jobs.
#[test]
fn jobs_run_once_with_their_payload() {
    let runs = r#"[["@mail=a","waiting",{"to":"a"},0]]
run @mail=bad bad {"bad":true} 1 enqueued true
failure @mail=bad 1 false
run @mail=bad bad {"bad":true} 2 retry true
failure @mail=bad 2 true
run @mail=a a {"to":"a"} 1 triggered true
success @mail=a 1
[["@mail=bad","dead",{"bad":true},0]]
run @mail=bad bad {"bad":true} 1 retry true
failure @mail=bad 1 false
run @mail=bad bad {"bad":true} 2 retry true
failure @mail=bad 2 true
"#;
    let later = r#"run @mail=later later "later" 1 enqueued true
success @mail=later 1
"#;
    let answers = r#"{"job":"@mail=a","added":true}
{"job":"@mail=a","added":false}
true
true 0
ERR_TASK_UNKNOWN
ERR_TASK_UNKNOWN
ERR_INVALID_ARG_TYPE
ERR_INVALID_ARG_VALUE
ERR_INVALID_ARG_VALUE
{"job":"@mail=a","added":true}
true true
mail waiting  ,other waiting  1
"#;
    let history = "success,success,failure,failure,success,failure,failure\n";
    let source = include_str!("task_runs/jobs.mjs");
    same_on_every_store("task-jobs", "jobs.mjs", source, |store, out, _| {
        let out: String = out.lines().map(|line| format!("{}\n", line.trim_end())).collect();
        // Two jobs that are due at once are started by one question, or by two.
        let (first, rest) = out.split_at(runs.len().min(out.len()));
        assert_eq!(first, runs, "{store}: {out}");
        for line in
            ["run @mail=a a  1 enqueued true\n", "success @N 1\n", "run @N  [1] 1 enqueued true\n"]
        {
            assert_eq!(rest.matches(line).count(), 1, "{store}: {out}");
        }
        let end = match store {
            "" => answers.to_owned(),
            _ => format!("{later}{answers}{history}"),
        };
        assert!(rest.ends_with(&end), "{store}: {out}");
    });
}

/// History has all of every run, in every kind of store and without one, also after a stop. Seconds, nicknames and more
/// have to be asked for; a task whose labels the process has is run.
#[test]
fn what_was_run_is_known_after_a_stop() {
    let expected = r#"ERR_TASK_CRON task 0 (a): cron: a cron expression has five fields, and no nicknames: pass { cron: { seconds: true } } to `initialize` to have seconds and nicknames
ERR_TASK_CRON task 0 (a): cron: a cron expression has five fields, not 6: pass { cron: { seconds: true } } to `initialize` to have seconds and nicknames
ERR_TASK_CRON task 0 (a): cron: a cron expression has five fields, not 7: put no spaces within a field: `1,2`, not `1, 2`
[["success",2,"one",null,null,2,true],["failure",1,"one","no",null,1,true]]
[["success",2,"one",null,null,2,true],["failure",1,"one","no",null,1,true]]
success success 1 0
true []
"#;
    let source = include_str!("task_runs/past.mjs");
    same_on_every_store("task-past", "past.mjs", source, |store, out, _| {
        assert_eq!(out, expected, "{store}");
    });
}

/// Callbacks that start together are given facts of their own and do not share a context; whatever they return or
/// throw, their runs end.
#[test]
fn callbacks_are_given_their_facts_and_return_what_they_like() {
    let expected = "keys enters 1 true undefined
due,reason,attempt,fence,node,log,signal
signal enters 1 true undefined
true true false
number enters 1 true undefined
nothing enters 1 true undefined
error enters 1 true undefined
promise enters 1 true undefined
thenable enters 1 true undefined
function enters 1 true undefined
true
error failure
function success
keys success
nothing failure
number success
promise success
signal success
thenable failure
number success undefined 1
nothing failure undefined 1
thenable failure later 1
";
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    let source = include_str!("task_runs/given.mjs");
    same_on_every_store("task-given", "given.mjs", source, |store, out, err| {
        // A database says in its own order what starts.
        assert_eq!(sorted(out), sorted(expected), "{store}: {err}");
    });
}

/// Tasks that are due by the second keep the contract.
#[test]
fn tasks_are_due_by_the_second() {
    let folder =
        directory("task-seconds", &[("seconds.mjs", include_str!("task_runs/seconds.mjs"))]);
    let expected = "every 2024-01-01T00:59:20.000Z boot-due
every 2024-01-01T00:59:40.000Z due
every 2024-01-01T01:00:00.000Z due
hourly 2024-01-01T01:00:00.000Z due
every 2024-01-01T01:00:07.000Z due
every 2024-01-01T01:00:20.000Z due
every 2024-01-01T01:00:40.000Z due
";
    for store in SIMULATED {
        let words = ["simulate", "--verify", "--seed", "7", "seconds.mjs"];
        let first = shown(run(&folder, &words, store));
        assert_eq!(first, shown(run(&folder, &words, store)), "{store}");
        assert_eq!(first.0, expected, "{store}: {}", first.1);
    }
}

/// What cannot be used is refused in a simulated world as outside, and nobody is told the password.
#[test]
fn bad_input_is_refused_in_a_simulated_world() {
    let expected = "port ERR_STORE_ADDRESS options.store: the port is a number from 1 to 65535
sslmode ERR_STORE_ADDRESS options.store: sslmode is one of disable, prefer, require, verify-full
parameter ERR_STORE_ADDRESS options.store: there is no parameter nonsense; there are host, port, sslmode, sslrootcert
lease ERR_OUT_OF_RANGE The value of \"options.lease\" is out of range. It must be >= 100 && <= 9007199254740991. Received 5
first list joined
other list ERR_CLUSTER_LIST another list of generation 7 is in force, given by node N: give a changed list a greater generation, or another cluster another name
older list joined
other name joined
where ERR_TASK_SHAPE task 0 (a): where: it is an array of labels, not 'gpu'
nobody ERR_TASK_SHAPE task 0 (a): where: this process has no label 'gpu', and no other shares its store: pass it in the option labels
labels joined
";
    let source = include_str!("task_runs/refused.mjs");
    let folder = directory("task-refused", &[("refused.mjs", source)]);
    let words = ["simulate", "--seed", "7", "refused.mjs"];
    let first = shown(run(&folder, &words, ""));
    assert_eq!(first, shown(run(&folder, &words, "")));
    // What a list differs in is told elsewhere.
    assert_eq!(first.0, expected, "{}", first.1);
}
