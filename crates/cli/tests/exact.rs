//! A replay is exact, or says that it is not (rule GATE-2): what workers and children write is shown again, shared
//! memory ends it by name, and a run that was killed is there up to its last second.

use crate::common::text;
use crate::recordings::Place;
use hemiola_live::runs::Run;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// Records a program, and its replay; both streams and the exit status of both.
fn twice(place: &Place, words: &[&str]) -> [(String, String, Option<i32>); 2] {
    let first = place.call(words);
    let again = place.call(&["replay"]);
    // The run says that it was recorded.
    let notes = text(first.stderr);
    let notes =
        notes.lines().filter(|line| !line.starts_with("note: recorded")).collect::<Vec<_>>();
    let notes = notes.iter().map(|line| format!("{line}\n")).collect();
    [
        (text(first.stdout), notes, first.status.code()),
        (text(again.stdout), text(again.stderr), again.status.code()),
    ]
}

#[test]
fn what_workers_write_themselves_is_shown_again() {
    let program = "
        const { Worker, isMainThread, parentPort } = require('node:worker_threads'), fs = require('node:fs');
        if (isMainThread) {
            console.log('before');
            const worker = new Worker(__filename);
            worker.on('message', (message) => { console.log('main', message); worker.postMessage('on'); });
            worker.on('exit', () => console.log('after'));
        } else {
            fs.writeSync(1, 'straight from a worker\\n');
            fs.writeSync(2, 'and to the other stream\\n');
            parentPort.postMessage('sent');
            parentPort.once('message', () => fs.writeSync(1, 'once more\\n'));
        }
    ";
    let place = Place::new("exact-workers", &[("main.js", program)]);
    let [first, again] = twice(&place, &["run", "--record", "main.js"]);
    assert!(first.0.contains("straight from a worker\n") && first.0.contains("once more\n"));
    assert_eq!(first, again);
}

#[test]
fn what_children_write_to_the_same_streams_is_shown_again() {
    let program = "
        const { spawn, spawnSync, execSync } = require('node:child_process');
        console.log('first');
        execSync('echo waited for; echo aside >&2', { stdio: 'inherit' });
        console.log('second');
        spawnSync('sh', ['-c', 'echo by number'], { stdio: [0, 1, 2] });
        spawnSync('sh', ['-c', 'echo crossed'], { stdio: ['ignore', 2, 1] });
        const child = spawn('sh', ['-c', 'seq 20000; echo last'], { stdio: ['ignore', process.stdout, 'inherit'] });
        child.on('exit', (code) => { console.log('third', code); process.exitCode = 3; });
    ";
    let place = Place::new("exact-children", &[("main.js", program)]);
    let [first, again] = twice(&place, &["run", "--record", "main.js"]);
    assert!(first.0.starts_with("first\nwaited for\nsecond\nby number\n1\n2\n"), "{}", first.0);
    assert!(
        first.0.ends_with("20000\nlast\nthird 3\n") || first.0.ends_with("20000\nlast\nthird 0\n")
    );
    assert_eq!(first.1, "aside\ncrossed\n");
    assert_eq!(first, again);
    // What is kept because it failed has not been asked for, and says that something is missing.
    let [first, again] = twice(&place, &["run", "main.js"]);
    assert!(first.0.contains("waited for\n"));
    assert_eq!(again.0, "first\nsecond\nthird 0\n");
    assert!(again.1.contains("children wrote to the program's own streams"), "{}", again.1);
}

#[test]
fn shared_memory_ends_a_replay_by_name() {
    let posting = "
        const { Worker, isMainThread, workerData, parentPort } = require('node:worker_threads');
        if (isMainThread) {
            const words = new Int32Array(new SharedArrayBuffer(4));
            console.log('before');
            const worker = new Worker(__filename, { workerData: words });
            worker.on('message', () => console.log(Atomics.load(words, 0)));
        } else {
            parentPort.postMessage(Atomics.add(workerData, 0, 7));
        }
    ";
    let receiving = "
        const { Worker, isMainThread, parentPort } = require('node:worker_threads');
        if (isMainThread) {
            console.log('before');
            new Worker(__filename).on('message', (words) => console.log(words[0]));
        } else {
            const words = new Int32Array(new SharedArrayBuffer(4));
            words[0] = 7;
            parentPort.postMessage(words);
        }
    ";
    // Memory that nobody else has is no reason.
    let own = "console.log(Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1))";
    let files = [("posting.js", posting), ("receiving.js", receiving), ("own.js", own)];
    let place = Place::new("exact-memory", &files);
    for file in ["posting.js", "receiving.js"] {
        let [first, again] = twice(&place, &["run", "--record", file]);
        assert_eq!((first.0.as_str(), first.2), ("before\n7\n", Some(0)), "{file}");
        assert_eq!((again.0.as_str(), again.2), ("before\n", Some(101)), "{file}: {}", again.1);
        for words in
            [&["replay"][..], &["lineage"], &["view", "--out", "page.html"], &["trace", "show"]]
        {
            place.refuses(words, 101, "the program shares memory with a worker");
        }
        let compared = place.call(&["run", "--paranoid", file]);
        let note = text(compared.stderr);
        assert_eq!(compared.status.code(), Some(0), "{file}: {note}");
        assert!(note.contains("the program shares memory with a worker"), "{file}: {note}");
    }
    let [first, again] = twice(&place, &["run", "--record", "own.js"]);
    assert_eq!(first, again);
}

/// Starts a program that is recorded.
fn start(place: &Place, file: &str) -> Child {
    let mut command = place.command();
    command.args(["run", "--record", file]).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("hemiola runs")
}

/// Waits until that is so, and says how long it took.
fn wait_until(mut is_so: impl FnMut() -> bool) -> Duration {
    let begin = Instant::now();
    while !is_so() {
        assert!(begin.elapsed() < Duration::from_secs(60), "it never comes");
        std::thread::yield_now();
    }
    begin.elapsed()
}

/// What a recording holds that has no end.
fn known(run: &Path) -> usize {
    Run::open(run.to_owned()).and_then(|run| run.inputs()).map_or(0, |inputs| inputs.len())
}

#[test]
fn a_killed_run_is_there_up_to_its_last_second() {
    let program = "let n = 0; setInterval(() => console.log(++n, Math.random()), 5);";
    let place = Place::new("exact-killed", &[("main.js", program)]);
    let mut child = start(&place, "main.js");
    let mut output = BufReader::new(child.stdout.take().expect("it is piped")).lines();
    let mut lines = Vec::new();
    for _ in 0..20 {
        lines.push(output.next().expect("it prints").expect("it is text"));
    }
    // All that it was told by now is on the disk soon, and then more; the last part will be torn.
    let run = place.only();
    for _ in 0..3 {
        let already = known(&run);
        let took = wait_until(|| known(&run) > already);
        assert!(took < Duration::from_secs(10), "it took {took:?}");
    }
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    lines.extend(output.map(|line| line.expect("it is text")));
    let shown = |again: &str| {
        let again: Vec<&str> = again.lines().collect();
        assert!(again.len() <= lines.len() + 1, "it shows no more than there was");
        let both = again.iter().zip(&lines);
        both.for_each(|(again, line)| assert_eq!(again, line));
        again.len()
    };
    let again = place.call(&["replay"]);
    assert_eq!(again.status.code(), Some(101));
    assert!(text(again.stderr).contains("the run was killed"));
    let whole = shown(&text(again.stdout));
    assert!(whole >= 20, "{whole} lines are there");
    // Wherever the end was torn, what is before it counts; also if what follows makes no sense.
    let inputs = run.join("inputs.jsonl.zst");
    let bytes = fs::read(&inputs).expect("it is there");
    let mut most = 0;
    for cut in [0, 1, 7, bytes.len() / 3, bytes.len() / 2, bytes.len() - 1] {
        for rest in [&[][..], &[0; 4096], &[0xa5; 4096]] {
            fs::write(&inputs, [&bytes[..cut], rest].concat()).expect("it can be written");
            let again = place.call(&["replay"]);
            assert_eq!(again.status.code(), Some(101), "{cut}: {}", text(again.stderr));
            most = most.max(shown(&text(again.stdout)));
        }
    }
    assert!(most >= 20, "what is before the end is shown: {most} lines");
}

#[test]
fn the_replay_of_a_run_that_was_killed_while_it_computed_ends() {
    let program = "console.log('begin'); for (;;) {}";
    let place = Place::new("exact-computing", &[("main.js", program)]);
    let mut child = start(&place, "main.js");
    let mut output = BufReader::new(child.stdout.take().expect("it is piped"));
    output.read_line(&mut String::new()).expect("it prints");
    let run = place.only();
    wait_until(|| known(&run) > 0);
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    let again = place.call(&["replay"]);
    assert_eq!(text(again.stdout), "begin\n");
    let message = text(again.stderr);
    assert_eq!(again.status.code(), Some(101), "{message}");
    assert!(message.contains("the recording ends while the program computes"), "{message}");
}

#[test]
fn a_replay_may_take_longer_than_the_run_was_allowed_to() {
    let program = "let sum = 0; for (let at = 0; at < 2e6; at++) sum += at; console.log(sum);";
    let place = Place::new("exact-limits", &[("main.js", program)]);
    let first = place.call(&["run", "--record", "--timeout", "500s", "main.js"]);
    assert_eq!(first.status.code(), Some(0));
    // A slower computer is one on which the same limit is less: the first version does not notice that it is edited.
    let manifest = place.only().join("manifest.json");
    let whole = fs::read_to_string(&manifest).expect("it is there");
    let edited = whole.replace("\"500s\"", "\"1ms\"").replace("\"version\": 5", "\"version\": 1");
    assert_ne!(whole, edited);
    fs::write(&manifest, edited).expect("it can be written");
    let again = place.call(&["replay"]);
    assert_eq!(text(again.stdout), text(first.stdout), "{}", text(again.stderr));
    assert_eq!(again.status.code(), Some(0));
}
