//! What `hemiola explore` and `hemiola races` say of what they find: the most telling first, each thing once, in words
//! that tell one from another.

use crate::common::{directory, hemiola, text};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn run(folder: &Path, args: &[&str]) -> Output {
    let state = folder.join("state");
    hemiola(folder).env("XDG_STATE_HOME", state).args(args).output().expect("hemiola runs")
}

fn shown(folder: &Path, args: &[&str]) -> String {
    let output = run(folder, args);
    let code = output.status.code().expect("it is not killed");
    assert!([0, 100, 102].contains(&code), "{}", text(output.stderr));
    text(output.stdout)
}

fn told(folder: &Path, args: &[&str]) -> Value {
    let shown = shown(folder, &[args, &["--format", "json"]].concat());
    serde_json::from_str(&shown).expect("one object")
}

/// The races that do harm.
fn harmful(found: &Value) -> Vec<&Value> {
    let races = found["races"].as_array().expect("a list").iter();
    races.filter(|race| race["verdict"] == "harmful").collect()
}

fn places(race: &Value) -> Vec<(String, u64)> {
    let accesses = race["accesses"].as_array().expect("a list").iter();
    let place = |access: &Value| {
        let file = access["place"]["file"].as_str().unwrap_or_default();
        let name = file.rsplit('/').next().unwrap_or_default();
        (name.to_owned(), access["place"]["line"].as_u64().unwrap_or_default())
    };
    accesses.map(place).collect()
}

/// Modules that are loaded late are there before the program in the later runs of an engine.
const LATE: &str = "\
const fs = require('fs');
const shared = { n: 0, log: [] };
async function step(k) {
  await fs.promises.stat('.');
  const util = require('util');
  const before = shared.n;
  await fs.promises.stat('/');
  shared.n = before + k;
  shared.log.push(util.inspect({ k }));
}
Promise.all([step(1), step(2)]).then(() => { if (shared.n !== 3) throw new Error(`n is ${shared.n}`); });
";

#[test]
fn the_races_that_are_found_do_not_depend_on_how_many_runs_are_made_at_once() {
    let folder = directory("findings-jobs", &[("late.js", LATE)]);
    let races = |jobs| {
        shown(
            &folder,
            &["races", "--format", "json", "--max-schedules", "60", "--jobs", jobs, "late.js"],
        )
    };
    let one = races("1");
    assert_eq!(one, races("2"));
    assert_eq!(one, races("5"));
    let found: Value = serde_json::from_str(&one).expect("an object");
    let race = harmful(&found)[0];
    assert_eq!(race["location"], "property n of an object", "{found}");
    assert!(race["seen"].as_u64() > found["schedules"].as_u64(), "every run shows it: {found}");
}

#[test]
fn objects_are_the_same_ones_in_every_run_of_an_engine() {
    let program = "const fs = require('fs'); const shared = { x: 0 };
        for (const k of [1, 2]) fs.stat('/', () => { shared.x = shared.x * 3 + k; });
        for (let i = 0; i < 2; i++) fs.stat('/', () => { console.log(shared.x); });";
    let folder = directory("findings-objects", &[("objects.js", program)]);
    let outcomes = |reduction| {
        let found = told(&folder, &["explore", "--reduction", reduction, "objects.js"]);
        assert_eq!(found["complete"], true, "{found}");
        found["outcomes"].as_array().map(Vec::len)
    };
    assert_eq!(outcomes("order"), Some(11));
    assert_eq!(outcomes("accesses"), Some(11));
}

#[test]
fn a_write_through_a_stream_has_the_place_where_the_stream_was_made() {
    let logger = "const fs = require('fs');
module.exports = (path) => {
  return fs.createWriteStream(path);
};
";
    let program = "const fs = require('fs');
const open = require('logger');
const streams = [open('log'), open('log')];
streams[0].end('aaaa');
streams[1].end('bb');
let closed = 0;
for (const one of streams) {
  one.on('close', () => { if (++closed === 2) console.log(fs.readFileSync('log', 'utf8')); });
}
";
    let folder = directory("findings-stream", &[("app.js", program)]);
    let package = folder.join("node_modules/logger");
    std::fs::create_dir_all(&package).expect("a directory can be made");
    std::fs::write(package.join("index.js"), logger).expect("a file can be written");
    let found = told(&folder, &["races", "app.js"]);
    let race = harmful(&found)[0];
    assert!(race["location"].as_str().is_some_and(|what| what.ends_with("/log")), "{found}");
    assert_eq!(places(race), [("index.js".into(), 3), ("index.js".into(), 3)], "{found}");
}

/// Two calls of `ask`, whose body is given, and which the second of is answered first in a run that fails.
fn asking(ask: &str) -> String {
    format!(
        "const fs = require('fs');
const {{ promisify }} = require('util');
let last;
const folders = ['/', '/tmp'];
const folder = (n) => folders.at(n);
const stat = promisify(fs.stat);
const look = fs.stat;
const ask = async (n, named, given) => {{
  console.log(folder(n));
{ask}
}};
ask(0, 'stat', fs.stat); ask(1, 'stat', fs.stat);
process.on('exit', () => {{ if (last === 0) throw new Error('the first was last'); }});
"
    )
}

#[test]
fn a_call_is_named_where_it_is_made() {
    // However the function is reached, and whatever its arguments call or wait for; columns are V8's.
    let asks = [
        ("  fs.stat(await folder(n), () => { last = n; });", "10:6"),
        ("  fs.stat(\n    folder(n),\n    () => { last = n; });", "10:6"),
        ("  fs.stat(\n    folders[\n      await n],\n    () => { last = n; });", "10:6"),
        ("  await stat(folder(n)); last = n;", "10:9"),
        ("  look(folder(n), () => { last = n; });", "10:3"),
        ("  given(\n    folder(n),\n    () => { last = n; });", "10:3"),
        ("  fs[named](folder(n), () => { last = n; });", "10:12"),
        ("  fs?.stat?.(folder(n), () => { last = n; });", "10:7"),
        ("  await fs.promises.stat(await folder(n)); last = n;", "10:21"),
    ];
    for (number, (ask, place)) in asks.into_iter().enumerate() {
        let folder = directory(&format!("findings-call-{number}"), &[("ask.js", &asking(ask))]);
        let shown = shown(&folder, &["explore", "ask.js"]);
        let choice = format!("choice 0: fs.stat \"/tmp\" (ask.js:{place}) is answered");
        let default = format!("by default: fs.stat \"/\" (ask.js:{place}) is answered");
        assert!(shown.contains(&choice) && shown.contains(&default), "{ask}\n{shown}");
    }
}

#[test]
fn a_port_is_a_location_like_a_file() {
    let program = "const net = require('net');
const fs = require('fs');
fs.stat('.', () => {
  const server = net.createServer((socket) => { socket.end('hi'); server.close(); });
  server.listen(8123);
});
fs.stat('/', () => {
  net.connect(8123, '127.0.0.1').on('data', (data) => console.log(String(data)));
});
";
    let folder = directory("findings-port", &[("port.js", program)]);
    let found = told(&folder, &["races", "port.js"]);
    let race = harmful(&found)[0];
    assert_eq!(race["location"], "port 8123", "{found}");
    assert_eq!(places(race), [("port.js".into(), 5), ("port.js".into(), 8)], "{found}");
    assert!(race["failure"].as_str().is_some_and(|told| told.contains("ECONNREFUSED")), "{found}");
    // Who asks for any free port gets one of its own.
    let own = "const net = require('net'); const fs = require('fs');
for (const path of ['.', '/']) {
  fs.stat(path, () => { const server = net.createServer().listen(0, () => server.close()); });
}
";
    std::fs::write(folder.join("own.js"), own).expect("a file can be written");
    let found = told(&folder, &["races", "own.js"]);
    assert_eq!(found["races"], serde_json::json!([]), "{found}");
}

#[test]
fn a_port_for_datagrams_is_one_too() {
    let program = "const dgram = require('dgram');
const fs = require('fs');
const server = dgram.createSocket('udp4');
let heard = false;
server.on('message', () => { heard = true; server.close(); });
fs.stat('.', () => server.bind(4123, '127.0.0.1'));
fs.stat('/', () => {
  const client = dgram.createSocket('udp4');
  client.send('hello', 4123, '127.0.0.1', () => client.close());
});
setTimeout(() => { if (!heard) throw new Error('nobody heard it'); }, 1000);
";
    let folder = directory("findings-udp", &[("udp.js", program)]);
    let found = told(&folder, &["races", "udp.js"]);
    let race = harmful(&found)[0];
    assert_eq!(race["location"], "udp port 4123", "{found}");
    assert_eq!(places(race), [("udp.js".into(), 6), ("udp.js".into(), 9)], "{found}");
    assert!(race["failure"].as_str().is_some_and(|told| told.contains("nobody heard")), "{found}");
    // Who asks for any port has one of its own.
    let own = "const dgram = require('dgram'); const fs = require('fs');
for (const path of ['.', '/']) {
  fs.stat(path, () => { const one = dgram.createSocket('udp4'); one.bind(0, () => one.close()); });
}
";
    std::fs::write(folder.join("own.js"), own).expect("a file can be written");
    let found = told(&folder, &["races", "own.js"]);
    assert_eq!(found["races"], serde_json::json!([]), "{found}");
}

#[test]
fn races_that_do_the_same_harm_are_one_report_and_temporary_files_are_not_the_first() {
    let program = "const fs = require('fs/promises');
const file = 'data.json';
async function save(key) {
  const data = JSON.parse(await fs.readFile(file, 'utf8').catch(() => '{}'));
  data[key] = true;
  await fs.writeFile(file + '~', JSON.stringify(data));
  await fs.rename(file + '~', file);
}
save('a').then(() => {}, () => {});
setTimeout(() => save('b').then(async () => {
  const data = JSON.parse(await fs.readFile(file, 'utf8'));
  if (!data.a || !data.b) throw new Error(`lost one of ${Object.keys(data)}`);
}, () => {}), 5);
";
    let folder = directory("findings-cause", &[("save.js", program)]);
    let found = told(&folder, &["races", "--max-schedules", "200", "save.js"]);
    let harmful = harmful(&found);
    assert_eq!(harmful.len(), 1, "{found}");
    assert!(
        harmful[0]["location"].as_str().is_some_and(|what| what.ends_with("data.json")),
        "{found}"
    );
    assert!(harmful[0]["also"].as_array().is_some_and(|also| !also.is_empty()), "{found}");
    let text = shown(&folder, &["races", "--max-schedules", "200", "save.js"]);
    assert!(text.contains("  = with it: "), "{text}");
}

/// Fails in two ways: where a file takes longer than 10 ms, and where it takes longer than 5 s.
const TIMERS: &str = "\
const fs = require('fs');
let late, early;
fs.stat('.', () => { late = 'x'; });
setTimeout(() => { console.log(late.length); }, 5000);
fs.stat('/', () => { early = 'y'; });
setTimeout(() => { if (!early) throw new RangeError('early'); }, 10);
";

#[test]
fn failures_that_need_a_slow_answer_are_listed_last() {
    let folder = directory("findings-slow", &[("timers.js", TIMERS)]);
    let classes = |found: &Value| -> Vec<(String, u64)> {
        let failures = found["failures"].as_array().expect("a list").iter();
        let line = |one: &Value| one["places"][0]["line"].as_u64().unwrap_or_default();
        failures.map(|one| (one["class"].as_str().unwrap_or_default().into(), line(one))).collect()
    };
    let found = told(&folder, &["explore", "timers.js"]);
    assert_eq!(classes(&found), [("order".into(), 6), ("slow".into(), 4)], "{found}");
    assert_eq!(found["failure"]["class"], "order", "{found}");
    let patient = told(&folder, &["explore", "--slow", "10s", "timers.js"]);
    assert!(classes(&patient).iter().all(|(class, _)| class == "order"), "{patient}");
    let impatient = told(&folder, &["explore", "--slow", "1ms", "timers.js"]);
    assert!(classes(&impatient).iter().all(|(class, _)| class == "slow"), "{impatient}");
    let text = shown(&folder, &["explore", "timers.js"]);
    assert!(
        text.contains("  failed, only if answers are slow, with exit status 1: TypeError"),
        "{text}"
    );
    let races = told(&folder, &["races", "timers.js"]);
    let classes: Vec<&str> =
        harmful(&races).iter().filter_map(|race| race["class"].as_str()).collect();
    assert_eq!(classes, ["order", "slow"], "{races}");
}

#[test]
fn failures_are_the_same_by_where_they_are_and_not_by_their_words() {
    let program = "const fs = require('fs'); const assert = require('assert');
let n = 0;
for (const k of [1, 2, 3]) fs.stat('/', () => { n = n * 2 + k; });
setTimeout(() => { assert.strictEqual(n, 11); }, 20);
";
    let folder = directory("findings-same", &[("same.js", program)]);
    let found = told(&folder, &["explore", "same.js"]);
    let failures = found["failures"].as_array().expect("a list");
    assert_eq!(failures.len(), 1, "{found}");
    assert!(failures[0]["outcomes"].as_u64() > Some(3), "{found}");
    let message = failures[0]["message"].as_str().expect("a text");
    assert!(message.contains(" !== 11"), "what follows the first line is told: {message}");
    let text = shown(&folder, &["explore", "same.js"]);
    assert!(text.contains(" different outputs, such as "), "{text}");
    assert!(text.contains("\n    at same.js:4:"), "{text}");
}

#[test]
fn what_differs_between_outcomes_is_shown() {
    let program = "const fs = require('fs');
let n = 0;
for (const k of [1, 2]) fs.stat('/', () => { n = n * 2 + k; });
process.on('exit', () => {
  for (let i = 0; i < 30; i++) console.log(`line ${i}`);
  console.log(`n is ${n}`);
  console.error(`and n - 1 is ${n - 1}`);
});
";
    let folder = directory("findings-differs", &[("long.js", program)]);
    let text = shown(&folder, &["explore", "long.js"]);
    assert!(text.contains("    | n is 5\n") && text.contains("    ! and n - 1 is 4\n"), "{text}");
    assert!(text.contains("    ! and n - 1 is 3\n"), "{text}");
    assert!(text.contains("    | 29 lines that others show, too\n"), "{text}");
    assert!(text.contains("    | n is 4\n"), "{text}");
    let failing = program
        .replace("console.error(`and", "if (n > 4) process.exitCode = 3; console.error(`and");
    std::fs::write(folder.join("fails.js"), failing).expect("a file can be written");
    let text = shown(&folder, &["explore", "fails.js"]);
    assert!(text.contains("  shows, other than a run that ends well:\n    - n is 4\n"), "{text}");
    assert!(text.contains("    + n is 5\n"), "{text}");
}

#[test]
fn which_of_two_calls_alike_is_answered_is_said() {
    let program = "const fs = require('fs/promises');
const done = [];
async function client(n) {
  await fs.access('lock').catch(() => {});
  await fs.stat('/');
  done.push(n);
}
Promise.all([client(1), client(2)]).then(() => { if (done[0] !== 1) throw new Error('2 was first'); });
";
    let folder = directory("findings-words", &[("lock.js", program)]);
    let found = told(&folder, &["explore", "--fail-fast", "lock.js"]);
    let deviations = found["failure"]["deviations"].as_array().expect("a list");
    for one in deviations {
        assert_ne!(one["taken"], one["instead"], "{found}");
    }
    let words: Vec<&str> = deviations
        .iter()
        .flat_map(|one| [&one["taken"], &one["instead"]])
        .filter_map(Value::as_str)
        .collect();
    assert!(
        words.iter().any(|one| one.contains("the 2nd fs.access \"lock\" (lock.js:4:")),
        "{words:?}"
    );
}

#[test]
fn a_deadlock_says_where_promises_are_awaited_that_nothing_settles() {
    let program = "const fs = require('fs');
let ready, told = false;
const wait = new Promise((resolve) => { ready = resolve; });
fs.stat(__filename, () => { if (told) ready(); });
setTimeout(() => { told = true; }, 0);
(async () => {
  await wait;
  console.log('on');
})();
";
    let folder = directory("findings-deadlock", &[("late.js", program)]);
    let text = shown(&folder, &["explore", "--deadlocks", "late.js"]);
    let told_so = "\n  a promise made at late.js:3:18, awaited at late.js:7:13\n";
    assert!(text.contains(told_so), "{text}");
    let found = told(&folder, &["explore", "--deadlocks", "late.js"]);
    assert_eq!(found["failure"]["awaited"][0]["line"], 7, "{found}");
    assert_eq!(found["failure"]["unsettled"][0]["made"]["line"], 3, "{found}");
    // Whatever makes it: a function that is async, a combinator, an event, a stream.
    let program = "const { once, EventEmitter } = require('events');
const { Readable } = require('stream');
const { finished } = require('stream/promises');
const never = new Promise(() => {});
const calls = async () => {
  await never;
};
calls().then(() => {});
(async () => { await Promise.all([
  Promise.resolve(1), never]); })();
(async () => {
  await once(new EventEmitter(), 'ready'); })();
(async () => { await finished(
  new Readable({ read() {} })); })();
";
    std::fs::write(folder.join("many.js"), program).expect("a file can be written");
    let found = told(&folder, &["explore", "--deadlocks", "many.js"]);
    let promises = found["failure"]["unsettled"].as_array().expect("promises").iter();
    let lines = promises.map(|one| {
        let awaited = one["awaited"].as_array().expect("places").iter();
        (one["made"]["line"].as_u64(), awaited.map(|at| at["line"].as_u64()).collect::<Vec<_>>())
    });
    let lines: Vec<(Option<u64>, Vec<Option<u64>>)> = lines.collect();
    assert_eq!(
        lines,
        [
            (Some(4), vec![Some(6), Some(9)]),
            (Some(8), vec![Some(8)]),
            (Some(9), vec![Some(10)]),
            (Some(12), vec![Some(12)]),
            (Some(13), vec![Some(14)]),
        ],
        "{found}"
    );
}

#[test]
fn an_interrupted_search_says_what_it_has_found() {
    let program = "const fs = require('fs/promises');
const step = async (k) => { for (let i = 0; i < 6; i++) { await fs.stat('/'); obs(k); } };
step(1); step(2); step(3); step(4);
";
    let folder = directory("findings-interrupt", &[("many.js", program)]);
    for command in ["explore", "races"] {
        let mut hemiola = hemiola(&folder);
        hemiola.args([command, "--max-schedules", "10000000", "--jobs", "2", "many.js"]);
        hemiola.env("XDG_STATE_HOME", folder.join("state"));
        let search = hemiola.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let mut search = search.expect("hemiola runs");
        // It has begun when it listens to Ctrl-C.
        let status = format!("/proc/{}/status", search.id());
        let hears = || {
            let status = std::fs::read_to_string(&status).unwrap_or_default();
            let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
            mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0) >> 1 & 1
                == 1
        };
        while !hears() && search.try_wait().expect("it can be asked").is_none() {
            std::thread::yield_now();
        }
        let interrupt = Command::new("kill").args(["-INT", &search.id().to_string()]).status();
        assert!(interrupt.expect("it can be sent").success());
        let output = search.wait_with_output().expect("it ends");
        let (out, err) = (text(output.stdout), text(output.stderr));
        assert_eq!(output.status.code(), Some(102), "{command}: {out}{err}");
        assert!(err.contains("interrupted; this is what was found until then"), "{err}");
        assert!(out.contains("outcome") || out.contains("race"), "{command}: {out}");
    }
}

#[test]
fn the_page_of_a_schedule_has_the_sources() {
    let folder = directory("findings-page", &[("timers.js", TIMERS)]);
    let output =
        run(&folder, &["view", "--schedule", "default", "--out", "page.html", "timers.js"]);
    assert_eq!((output.status.code(), text(output.stderr)), (Some(0), String::new()));
    let page = std::fs::read_to_string(folder.join("page.html")).expect("a page");
    assert!(page.contains("late.length") && page.contains("schedule default"), "it has the source");
    assert!(page.contains("hemiola replay --schedule default timers.js"), "it has the command");
    let other = told(&folder, &["explore", "timers.js"]);
    let schedule = other["failure"]["schedule"].as_str().expect("a schedule");
    run(&folder, &["view", "--schedule", schedule, "--out", "page.html", "timers.js"]);
    let page = std::fs::read_to_string(folder.join("page.html")).expect("a page");
    assert!(
        page.contains("time passes by 10 ms") || page.contains("time passes by 11 ms"),
        "choices have words"
    );
    let misfit = run(&folder, &["view", "--schedule", "77:1", "--out", "page.html", "timers.js"]);
    assert_eq!(misfit.status.code(), Some(2));
    assert!(text(misfit.stderr).contains("does not fit this program"));
}
