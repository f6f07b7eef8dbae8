//! `hemiola fleet run`: the programs of a fleet as processes of this computer.

use crate::common::{directory, hemiola, text};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The directory of a test with a fleet and its programs.
fn place(name: &str, fleet: &Value, programs: &[(&str, &str)]) -> PathBuf {
    let fleet = fleet.to_string();
    directory(name, &[&[("test.fleet.json", fleet.as_str())], programs].concat())
}

fn command(directory: &Path, flags: &[&str]) -> Command {
    let mut command = hemiola(directory);
    command.args(["fleet", "run", "test.fleet.json"]).args(flags).stdin(Stdio::null());
    command
}

fn run(directory: &Path, flags: &[&str]) -> (String, String, Option<i32>) {
    let Output { status, stdout, stderr } =
        command(directory, flags).output().expect("it can be run");
    (text(stdout), text(stderr), status.code())
}

/// The lines of a text, in an order that does not depend on which program was faster.
fn sorted(said: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = said.lines().collect();
    lines.sort_unstable();
    lines
}

const SERVER: &str = "
const dns = require('node:dns/promises');
const http = require('node:http');
const os = require('node:os');

const server = http.createServer(async (request, response) => {
  const { hostname } = await dns.lookupService(request.socket.remoteAddress, 80);
  const [own] = os.networkInterfaces().eth0;
  const isOwn = (await dns.lookup(os.hostname())).address === own.address;
  response.end(`${os.hostname()} answers ${hostname} ${isOwn} ${process.argv[2]} ${process.env.COLOUR}`);
  if (request.url === '/last') server.close();
});
server.listen(18080);
";

/// FLEET-3.
#[test]
fn names_of_hosts_are_addresses_and_hosts_have_ports_of_their_own() {
    const CLIENT: &str = "
const dgram = require('node:dgram');

async function ask(url) {
  for (;;) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer) return answer.text();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
(async () => {
  console.log(await ask('http://one:18080/'));
  console.log(await ask('http://two:18080/last'));
  console.log(await ask('http://ONE:18080/last'));
  console.log(await ask('http://localhost:18080/').then((answer) => answer, (error) => error.message));
})();
const [near, far] = ['udp4', 'udp6'].map((type) => dgram.createSocket(type));
near.bind(18081, () => far.bind(18082, () => near.send('x', 18082)));
far.on('message', (bytes, { port }) => {
  console.log(`datagram ${bytes} from ${port}`);
  near.close();
  far.close();
});
";
    const ITSELF: &str = "
const server = require('node:http').createServer((request, response) => {
  response.end('itself');
  server.close();
});
server.listen(18080, '127.0.0.1');
";
    let server = |argument: &str| json!({ "program": { "file": "server.js", "args": [argument], "env": { "COLOUR": "red" } } });
    let fleet = json!({ "hosts": {
        "one": server("first"),
        "two": server("second"),
        "client": { "programs": ["client.js", "itself.js"] },
    } });
    let programs = [("server.js", SERVER), ("client.js", CLIENT), ("itself.js", ITSELF)];
    let (out, err, code) = run(&place("fleet_run_names", &fleet, &programs), &[]);
    assert_eq!(code, Some(0), "{out}{err}");
    assert_eq!(
        sorted(&out),
        [
            "client | datagram x from 18081",
            "client | itself",
            "client | one answers client true first red",
            "client | one answers client true first red",
            "client | two answers client true second red",
        ]
    );
    assert!(err.contains("note: two: server.js ended with exit status 0\n"), "{err}");
}

#[test]
fn lines_stay_whole_and_have_the_name_of_their_host() {
    const CHATTY: &str = "
let count = 0;
const timer = setInterval(() => {
  for (let at = 0; at < 200; at += 1) {
    process.stdout.write('x'.repeat(50));
    process.stdout.write('y'.repeat(50) + '\\n');
  }
  if ((count += 1) === 5) clearInterval(timer);
}, 1);
process.on('exit', () => process.stderr.write('without an end'));
";
    let host = json!({ "program": "chatty.js" });
    let fleet = json!({ "hosts": { "a": host, "b": host, "c": host } });
    let (out, err, code) = run(&place("fleet_run_lines", &fleet, &[("chatty.js", CHATTY)]), &[]);
    assert_eq!(code, Some(0), "{err}");
    let whole = format!("{}{}", "x".repeat(50), "y".repeat(50));
    for host in ["a", "b", "c"] {
        let line = format!("{host} | {whole}");
        assert_eq!(out.lines().filter(|one| **one == line).count(), 1000, "{host}");
        assert!(err.contains(&format!("{host} | without an end\n")), "{err}");
    }
    assert_eq!(out.lines().count(), 3000);
}

#[test]
fn a_program_that_fails_is_started_again_in_its_folder_or_not() {
    const SHAKY: &str = "
const fs = require('node:fs');
fs.appendFileSync('starts', 'x');
const starts = fs.readFileSync('starts', 'utf8').length;
console.log('start', starts);
process.exit(starts < 3 ? 7 : 0);
";
    let fleet = |restart: &str, may_fail: bool| {
        json!({ "hosts": { "a": {
        "program": { "file": "shaky.js", "restart": restart, "mayFail": may_fail },
        "disk": "data",
    } } })
    };
    let programs = [("shaky.js", SHAKY), ("data/other", "")];
    let directory = place("fleet_run_again", &fleet("on-failure", false), &programs);
    let (out, err, code) = run(&directory, &[]);
    assert_eq!((out.as_str(), code), ("a | start 1\na | start 2\na | start 3\n", Some(0)), "{err}");
    assert!(err.contains("a: shaky.js ended with exit status 7; it is started again in 0.1 s\n"));
    assert!(err.contains("a: shaky.js ended with exit status 7; it is started again in 0.2 s\n"));
    assert!(directory.join("data/starts").is_file());

    let directory = place("fleet_run_failed", &fleet("never", false), &programs);
    let (out, err, code) = run(&directory, &[]);
    assert_eq!((out.as_str(), code), ("a | start 1\n", Some(100)), "{err}");
    assert!(err.contains("error: a: shaky.js ended with exit status 7\n"), "{err}");

    let directory = place("fleet_run_may_fail", &fleet("never", true), &programs);
    assert_eq!(run(&directory, &[]).2, Some(0));
}

const OBSERVES: &str = "
let count = 0;
setInterval(() => obs((count += 1)), 5);
obs('begins');
";

#[test]
fn observations_are_judged_while_programs_run() {
    let mut fleet =
        json!({ "hosts": { "a": { "program": "observes.js" } }, "invariant": "below.mjs" });
    let below = "export default ({ host, value }) => { if (value > 3) throw new Error(`${value} on ${host}`); };";
    let programs = [("observes.js", OBSERVES), ("below.mjs", below)];
    let (_, err, code) = run(&place("fleet_run_invariant", &fleet, &programs), &[]);
    assert_eq!(code, Some(100), "{err}");
    assert!(err.contains("error: the invariant is violated: 4 on a\n"), "{err}");
    assert!(err.contains("observed on a after"), "{err}");

    let own =
        [("observes.js", OBSERVES), ("below.mjs", "export default ({ valeu }) => valeu.length;")];
    let (_, err, code) = run(&place("fleet_run_own", &fleet, &own), &[]);
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("it fails by itself: TypeError"), "{err}");

    fleet = json!({ "hosts": { "a": { "program": "observes.js" } }, "eventually": ["begins", "leader"] });
    let directory = place("fleet_run_missing", &fleet, &programs);
    let (_, err, code) = run(&directory, &["--until", "300ms"]);
    assert_eq!(code, Some(100), "{err}");
    assert!(err.contains("error: `leader` did not come\n"), "{err}");
}

/// One that ends when it is asked to, and one that does not.
const POLITE: &str = "
process.on('SIGTERM', () => {
  console.log('bye');
  process.exit(3);
});
setInterval(() => {}, 1000);
console.log('ready');
";
const STUBBORN: &str = "
process.on('SIGTERM', () => {});
setInterval(() => {}, 1000);
console.log('ready');
";

#[test]
fn a_signal_stops_all_programs_and_what_they_have_started() {
    const PARENT: &str = "
const { spawn } = require('node:child_process');
spawn('/bin/sleep', ['1000'], { stdio: 'inherit' }).on('spawn', () => console.log('ready'));
";
    let fleet = json!({ "hosts": {
        "a": { "program": "polite.js" },
        "b": { "program": "stubborn.js" },
        "c": { "program": "parent.js" },
    } });
    let programs = [("polite.js", POLITE), ("stubborn.js", STUBBORN), ("parent.js", PARENT)];
    let directory = place("fleet_run_signal", &fleet, &programs);
    for (signal, number) in [("INT", 2), ("TERM", 15)] {
        let mut command = command(&directory, &["--grace", "200ms"]);
        let mut child = command.stdout(Stdio::piped()).spawn().expect("it can be run");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let mut said: Vec<String> =
            lines.by_ref().take(3).map(|line| line.expect("UTF-8")).collect();
        said.sort_unstable();
        assert_eq!(said, ["a | ready", "b | ready", "c | ready"]);
        let mut kill = Command::new("kill");
        kill.args([&format!("-{signal}"), &child.id().to_string()]);
        assert!(kill.status().expect("there is kill").success());
        // The pipe ends only when nobody has it any more.
        let rest: Vec<String> = lines.map(|line| line.expect("UTF-8")).collect();
        assert_eq!(rest, ["a | bye"]);
        assert_eq!(child.wait().expect("it ends").signal(), Some(number));
    }
}

#[test]
fn programs_can_be_killed_and_stopped_for_a_while() {
    const TICKS: &str = "
const began = process.hrtime.bigint();
console.log('begins');
let last = began;
setInterval(() => {
  const now = process.hrtime.bigint();
  if (now - last > 250_000_000n) console.log('time jumps');
  last = now;
}, 10);
";
    let fleet = json!({ "hosts": { "a": { "program": "ticks.js" } }, "until": "1500ms" });
    let directory = place("fleet_run_faults", &fleet, &[("ticks.js", TICKS)]);
    let faults = "crash a at 400ms for 50ms; pause a at 800ms for 400ms";
    let (out, err, code) = run(&directory, &["--faults", faults]);
    assert_eq!(code, Some(0), "{err}");
    assert_eq!(out.matches("a | begins\n").count(), 2, "{out}");
    assert!(out.contains("a | time jumps\n"), "{out}");
}

#[test]
fn every_program_is_recorded_and_can_be_replayed() {
    const DRAWS: &str = "console.log(require('node:os').hostname(), Math.random());";
    let host = json!({ "program": "draws.js" });
    let fleet = json!({ "hosts": { "a": host, "b": host } });
    let directory = place("fleet_run_record", &fleet, &[("draws.js", DRAWS)]);
    let mut command = command(&directory, &["--record"]);
    let output = command.env("HEMIOLA_RUNS", "runs").output().expect("it can be run");
    let (out, err) = (text(output.stdout), text(output.stderr));
    let mut replayed = Vec::new();
    for host in ["a", "b"] {
        let note = format!("{host} | note: recorded; run it again: hemiola replay ");
        let id = err.lines().find_map(|line| line.strip_prefix(&note)).expect(&err);
        let mut replay = hemiola(&directory);
        replay.args(["replay", id]).env("HEMIOLA_RUNS", "runs");
        let said = text(replay.output().expect("it can be run").stdout);
        assert!(said.starts_with(&format!("{host} 0.")), "{said}");
        replayed.push(format!("{host} | {}", said.trim_end()));
    }
    assert_eq!(sorted(&out), replayed);
}

#[test]
fn what_only_a_simulation_has_is_refused_by_name() {
    let fleet = json!({
        "hosts": {
            "a": { "program": "ends.js", "clock": { "drift": 100 } },
            "b": { "program": "ends.js" },
        },
        "link": { "latency": "5ms" },
        "links": [{ "between": ["a", "b"], "loss": 0.1 }],
        "faults": { "crash": "1/h", "power": "1/h", "schedule": ["cut a at 3s"] },
    });
    let directory = place("fleet_run_refused", &fleet, &[("ends.js", "console.log('ends')")]);
    let (_, err, code) = run(&directory, &[]);
    assert_eq!(code, Some(2));
    for fact in ["links: latency, loss", "clocks: of a", "faults: cut, power"] {
        assert!(err.contains(fact), "{fact}: {err}");
    }
    assert!(err.contains("hemiola fleet run test.fleet.json --without-faults"), "{err}");
    let (out, err, code) = run(&directory, &["--without-faults"]);
    assert_eq!((sorted(&out), code), (vec!["a | ends", "b | ends"], Some(0)), "{err}");
    let (out, _, code) = run(&directory, &["--without-faults", "--hosts", "b"]);
    assert_eq!((out.as_str(), code), ("b | ends\n", Some(0)));
}

#[test]
fn what_is_wrong_is_told() {
    const LISTENS: &str = "require('node:net').createServer().listen(18090).unref();";
    let program = json!({ "file": "listens.js", "restart": "never" });
    let fleet = json!({ "hosts": { "a": { "programs": [program, program] } } });
    let waits = LISTENS.replace(".unref()", "");
    let directory = place("fleet_run_wrong", &fleet, &[("listens.js", &waits)]);
    let (_, err, code) = run(&directory, &["--until", "2s"]);
    assert_eq!(code, Some(100), "{err}");
    assert!(err.contains("EADDRINUSE: address already in use"), "{err}");

    for (flags, why) in [
        (vec!["--hosts", "z"], "there is no host `z`"),
        (vec!["--faults", "cut a at 3s"], "faults: cut"),
        (vec!["--until", "soon"], "must be a length of time"),
    ] {
        let (_, err, code) = run(&directory, &flags);
        assert!(err.contains(why), "{err}");
        assert_eq!(code, Some(2));
    }
    let mut command = hemiola(&directory);
    let output = command.args(["fleet", "run", "gone.json"]).output().expect("it can be run");
    assert!(text(output.stderr).contains("cannot read `gone.json`"));
    assert_eq!(output.status.code(), Some(2));
}
