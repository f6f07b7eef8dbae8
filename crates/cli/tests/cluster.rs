//! `hemiola:scheduler` as several nodes on a PostgreSQL of the tests' own (rules CLUS-1 to CLUS-6).

mod hearing;
pub mod server;
mod trouble;

use crate::common::{directory, hemiola, text};
use server::{Server, own_server, server};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const NODE: &str = include_str!("cluster/node.mjs");

/// A process that is a node.
struct Node {
    child: Child,
    orders: ChildStdin,
    said: BufReader<ChildStdout>,
}

impl Node {
    fn start(folder: &Path, address: &str, name: &str, options: &str) -> Self {
        let mut command = hemiola(folder);
        let trace = format!("--trace={name}.jsonl");
        command.args(["run", "--verify", &trace, "node.mjs", address, name, options]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut child = command.spawn().expect("hemiola runs");
        let orders = child.stdin.take().expect("it is piped");
        let said = BufReader::new(child.stdout.take().expect("it is piped"));
        Self { child, orders, said }
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.said.read_line(&mut line).expect("it can be read");
        line.trim().to_owned()
    }

    /// Waits for a line that begins like that, and gives the rest of it.
    fn hear(&mut self, beginning: &str) -> String {
        let mut others = Vec::new();
        loop {
            let line = self.line();
            if let Some(rest) = line.strip_prefix(beginning) {
                return rest.trim().to_owned();
            }
            assert!(!line.is_empty(), "it ended without {beginning:?}: {others:#?}");
            others.push(line);
        }
    }

    /// Gives an order, and hears all that is said until it is done.
    fn order(&mut self, order: &str) -> Vec<String> {
        writeln!(self.orders, "{order}").expect("it listens");
        let done = format!("ok {}", order.split(' ').next().expect("a word"));
        let mut lines = Vec::new();
        loop {
            let line = self.line();
            if line == done {
                return lines;
            }
            assert!(!line.is_empty(), "it ended at {order:?}: {lines:#?}");
            lines.push(line);
        }
    }

    fn tell(&mut self, order: &str) {
        writeln!(self.orders, "{order}").expect("it listens");
    }

    /// Sends a signal, by the command that does so: the tests have no `libc`.
    fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([name, &self.child.id().to_string()]).status();
        assert!(sent.expect("kill runs").success());
    }

    fn stop(mut self) {
        self.tell("stop");
        self.hear("stopped");
        assert!(self.child.wait().expect("it ends").success());
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Rule CLUS-7: the traces of nodes are joined by what their database did, in whatever order they are given.
fn verify(folder: &Path, traces: &[&str]) -> String {
    let mut command = hemiola(folder);
    let output = command.arg("verify").args(traces).output().expect("hemiola runs");
    let (out, err) = (text(output.stdout), text(output.stderr));
    assert!(output.status.success() && err.is_empty(), "{out}{err}");
    assert_eq!(out.matches("  holds").count() + out.matches("  undetermined").count(), 12, "{out}");
    out
}

fn place(test: &str) -> Option<(std::sync::Arc<Server>, std::path::PathBuf, String)> {
    let server = server(test)?;
    let address = server.database(&test.replace('-', "_"));
    Some((server, directory(test, &[("node.mjs", NODE)]), address))
}

/// A node that runs the task `a`, and another one.
fn two_nodes(folder: &Path, address: &str) -> (Node, Node) {
    let mut one = Node::start(folder, address, "one", "{}");
    one.hear("joined");
    one.tell("trigger a");
    assert_eq!(one.hear("enter"), "a 1 triggered 1");
    let mut two = Node::start(folder, address, "two", "{}");
    two.hear("joined");
    (one, two)
}

/// Rules CLUS-1, CLUS-3: a trigger of one node is heard by the others at once, and each run is one node's.
#[test]
fn nodes_share_tasks() {
    let Some((server, folder, address)) = place("cluster-shared") else { return };
    // With a lease of a minute nobody looks by itself: what another node does is heard.
    let options = r#"{ "lease": 60000, "concurrency": 1 }"#;
    let mut one = Node::start(&folder, &address, "one", options);
    assert_eq!(one.hear("joined"), "a,b,c");
    assert_eq!(one.order("trigger x"), ["ERR_TASK_UNKNOWN"]);
    assert!(one.order("trigger a").is_empty());
    assert_eq!(one.hear("enter"), "a 1 triggered 1");
    // Any node may be the first to hear of a trigger: this one has no room from now on.
    let mut two = Node::start(&folder, &address, "two", options);
    assert_eq!(two.hear("joined"), "");
    assert!(one.order("trigger b").is_empty());
    assert_eq!(two.hear("enter"), "b 2 triggered 1");
    assert!(one.order("trigger c").is_empty());
    assert_eq!(
        one.order("status"),
        ["status a running one 1", "status b running two 2", "status c waiting"],
    );
    two.tell("end b fail");
    assert_eq!(two.hear("failure"), "b 2");
    assert_eq!(two.hear("enter"), "c 3 triggered 1");
    two.tell("end c");
    assert_eq!(two.hear("success"), "c 3");
    one.tell("end a");
    assert_eq!(one.hear("success"), "a 1");
    two.tell("history b");
    assert_eq!(two.hear("run"), "2 two failure 1 as it was told");
    one.stop();
    two.stop();
    assert_eq!(server.sql("cluster_shared", "SELECT count(*) FROM hemiola.nodes"), "0");
}

/// Rule CLUS-4: what a killed node ran starts again elsewhere, with a higher fence.
#[test]
fn a_killed_node_loses_its_runs() {
    let Some((_server, folder, address)) = place("cluster-killed") else { return };
    let (one, mut two) = two_nodes(&folder, &address);
    one.signal("-KILL");
    assert_eq!(two.hear("enter"), "a 2 orphaned 1");
    two.tell("end a");
    two.hear("success");
    two.order("history b");
    assert_eq!(two.order("history a"), ["run 2 two success 1", "run 1 one interrupted 1"]);
    two.stop();
    let joined = verify(&folder, &["two.jsonl", "one.jsonl"]);
    assert!(!joined.contains("supernatural"), "{joined}");
    // Of one node alone, what the others did is missing.
    let mut alone = hemiola(&folder);
    let alone = alone.args(["verify", "two.jsonl"]).output().expect("hemiola runs");
    assert!(!text(alone.stdout).contains("told by no trace"));
}

/// Rule CLUS-5: a node that stood still for longer than its lease is told that its run is lost, and its end does not
/// count; then it is a node again.
#[test]
fn a_node_that_stood_still_is_no_node() {
    let Some((_server, folder, address)) = place("cluster-still") else { return };
    let (mut one, mut two) = two_nodes(&folder, &address);
    one.signal("-STOP");
    assert_eq!(two.hear("enter"), "a 2 orphaned 1");
    one.signal("-CONT");
    assert_eq!(one.hear("abort"), "a 1 ERR_LEASE_LOST");
    one.tell("end a");
    assert_eq!(one.hear("refused"), "a 1");
    two.tell("end a");
    assert_eq!(two.hear("success"), "a 2");
    // It has joined again.
    one.tell("trigger b");
    one.hear("ok trigger");
    let nodes = one.order("nodes");
    let is_there = |name: &str| nodes.iter().any(|line| line == &format!("node {name} true true"));
    assert!(is_there("one") && is_there("two"), "{nodes:?}");
    verify(&folder, &["one.jsonl", "two.jsonl"]);
}

/// A database that is restarted loses nothing: what runs ends, and what is triggered then starts.
#[test]
fn a_database_is_restarted() {
    // Other tests have connections to the shared one.
    let Some(server) = own_server("cluster-restart") else { return };
    let address = server.database("cluster_restart");
    let folder = directory("cluster-restart", &[("node.mjs", NODE)]);
    let mut one = Node::start(&folder, &address, "one", r#"{ "lease": 20000 }"#);
    one.hear("joined");
    one.tell("trigger a");
    assert_eq!(one.hear("enter"), "a 1 triggered 1");
    server.stop();
    one.tell("end a");
    one.hear("warning the scheduler's cluster test: postgres://test@");
    server.begin();
    assert_eq!(one.hear("success"), "a 1");
    one.tell("trigger b");
    assert_eq!(one.hear("enter"), "b 2 triggered 1");
    one.tell("end b");
    assert_eq!(one.hear("success"), "b 2");
    // Whoever stops meanwhile does not go before its ends are known: nobody runs them again.
    one.tell("trigger c");
    assert_eq!(one.hear("enter"), "c 3 triggered 1");
    server.stop();
    one.tell("end c");
    one.tell("stop");
    one.hear("warning the scheduler's cluster test: postgres://test@");
    server.begin();
    assert_eq!(one.hear("success"), "c 3");
    one.hear("stopped");
    assert_eq!(server.sql("cluster_restart", "SELECT count(*) FROM hemiola.nodes"), "0");
    let runs = "SELECT count(*) FROM hemiola.runs WHERE outcome <> 'success'";
    assert_eq!(server.sql("cluster_restart", runs), "0");
    let exported = hemiola(&folder)
        .args(["trace", "export", "one.jsonl", "--to", "otlp-metrics"])
        .output()
        .expect("hemiola runs");
    let exported = text(exported.stdout);
    assert!(exported.contains("hemiola.task.starts") && exported.contains("\"one\""), "{exported}");
}

/// A node that is stopped while its database is away tells the end of its run when that is back, if its lease lasts so long.
#[test]
fn a_stopped_node_leaves_nothing_behind() {
    let fleet = r#"{ "hosts": { "one": { "program": "stops.mjs" }, "two": { "program": "stops.mjs" } }, "until": "110s" }"#;
    let files = [("stops.fleet.json", fleet), ("stops.mjs", include_str!("cluster/stops.mjs"))];
    let folder = directory("cluster-stops", &files);
    let run = |faults: &str, trace: &str| {
        let mut command = hemiola(&folder);
        command.args(["fleet", "simulate", "stops.fleet.json", "--seed", "1", "--faults", faults]);
        let output = command.args(["--trace", trace]).output().expect("hemiola runs");
        assert!(output.status.success(), "{}", text(output.stderr));
        let trace = std::fs::read_to_string(folder.join(trace)).expect("a trace");
        (text(output.stdout), trace)
    };
    for faults in [
        "none",
        "restart database at 62s for 3s",
        "cut one at 62s for 5s",
        "drop database at 61s for 10s",
        "slow database at 61s for 10s",
    ] {
        let (out, trace) = run(faults, "one.jsonl");
        assert!(
            run(faults, "other.jsonl") == (out.clone(), trace.clone()),
            "{faults}: two runs differ"
        );
        assert!(out.contains("one | stopped\n"), "{faults}: {out}");
        assert!(!out.contains("orphaned") && !trace.contains("\"lapsed\""), "{faults}: {out}");
        verify(&folder, &["one.jsonl"]);
    }
    // A lease does not last for ever, and nor does who stops.
    let (out, _) = run("restart database at 62s for 30s", "one.jsonl");
    assert!(out.contains("one | stopped ERR_STORE_UNREACHABLE\n"), "{out}");
    assert!(out.contains("two | start 3 orphaned\n"), "{out}");
}

/// Rule CLUS-6: a younger list is in force at once; the older node finishes what it runs and stands by.
#[test]
fn a_younger_list_takes_over() {
    let Some((_server, folder, address)) = place("cluster-lists") else { return };
    let old = r#"{ "lease": 60000, "generation": 7 }"#;
    let mut one = Node::start(&folder, &address, "one", old);
    one.hear("joined");
    one.tell("trigger a");
    one.hear("enter");
    let new = r#"{ "lease": 60000, "generation": 8, "list": ["a", "new"] }"#;
    let mut two = Node::start(&folder, &address, "two", new);
    assert_eq!(two.hear("joined"), "new b,c");
    assert_eq!(one.hear("stands-by"), "two");
    one.tell("end a");
    assert_eq!(one.hear("success"), "a 1");
    two.tell("trigger a");
    assert_eq!(two.hear("enter"), "a 2 triggered 1");
    let other = r#"{ "generation": 8, "list": ["other"] }"#;
    let mut three = Node::start(&folder, &address, "three", other);
    assert!(three.hear("StoreError ERR_CLUSTER_LIST").contains("given by node two"));
    let older = Node::start(&folder, &address, "four", old).hear("stands-by");
    assert_eq!(older, "two");
    two.tell("end a");
    two.hear("success");
    two.stop();
}

/// Every reason not to get in has a code of its own, and no message has the password.
#[test]
fn what_cannot_be_used_is_refused() {
    let Some((server, folder, address)) = place("cluster-refused") else { return };
    server.sql(
        "cluster_refused",
        "CREATE USER locked PASSWORD 'right'; CREATE USER poor; REVOKE CREATE ON DATABASE cluster_refused FROM PUBLIC",
    );
    let path = server.folder().display().to_string();
    let refused = |address: &str| {
        let line = Node::start(&folder, address, "one", "{}").hear("StoreError");
        assert!(!line.contains("wrong") && !line.contains("right"), "{line}");
        line.split(' ').next().expect("a code").to_owned()
    };
    let locked =
        |password: &str| format!("postgres://locked:{password}@/cluster_refused?host={path}");
    assert_eq!(refused(&locked("wrong")), "ERR_STORE_LOGIN");
    assert_eq!(refused(&server.address("locked", "cluster_refused")), "ERR_STORE_LOGIN");
    assert_eq!(refused(&server.address("poor", "cluster_refused")), "ERR_STORE_RIGHTS");
    assert_eq!(refused(&server.address("test", "nowhere")), "ERR_STORE_OPEN");
    assert_eq!(refused("postgres://test@/x?host=/nowhere"), "ERR_STORE_UNREACHABLE");
    assert_eq!(refused("postgres://test@127.0.0.1:9/x?sslmode=disable"), "ERR_STORE_UNREACHABLE");
    assert_eq!(refused("postgres://test@host/x?sslmode=maybe"), "ERR_STORE_ADDRESS");
    assert_eq!(refused("postgres://test@host/x?pool=3"), "ERR_STORE_ADDRESS");
    server.sql("postgres", "ALTER DATABASE cluster_refused SET default_transaction_read_only = on");
    assert_eq!(refused(&address), "EROFS");
    server.sql("postgres", "ALTER DATABASE cluster_refused RESET default_transaction_read_only");
    let mut one = Node::start(&folder, &address, "one", "{}");
    one.hear("joined");
    one.stop();
    // Whoever was let in before has what it needs without the right to make tables.
    server.sql(
        "cluster_refused",
        "GRANT USAGE ON SCHEMA hemiola TO poor; \
         GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA hemiola TO poor",
    );
    let mut poor = Node::start(&folder, &server.address("poor", "cluster_refused"), "one", "{}");
    poor.hear("joined");
    poor.stop();
    server.sql("cluster_refused", "UPDATE hemiola.version SET version = 99, oldest = 98");
    assert_eq!(refused(&address), "ERR_STORE_NEWER");
    // A newer one that older nodes may work with is let be.
    server.sql("cluster_refused", "UPDATE hemiola.version SET version = 99, oldest = 1");
    let mut one = Node::start(&folder, &address, "one", "{}");
    one.hear("joined");
    one.stop();
}

/// The place of the database needs a grant, and the password is in no recording.
#[test]
fn a_database_is_reached_through_the_gate() {
    let Some((server, folder, _)) = place("cluster-gate") else { return };
    server.sql("cluster_gate", "CREATE USER secretive PASSWORD 'hush-hush' CREATEDB; GRANT CREATE ON DATABASE cluster_gate TO secretive");
    let path = server.folder().display().to_string();
    let address = format!("postgres://secretive:hush-hush@/cluster_gate?host={path}");
    let source = "import { initialize, stop } from 'hemiola:scheduler';
        const { promise, resolve } = Promise.withResolvers();
        try {
          const run = () => { console.log('ran'); resolve(); };
          await initialize([['a', '* * * * *', run]], { store: process.env.DATABASE_URL, log: false });
          await promise;
          await stop();
        } catch (error) { console.log(error.code, error.permission); }";
    let run = |words: &[&str]| {
        let mut command = hemiola(&folder);
        command.args(words).args(["--input-type", "module", "-e", source]);
        let output = command.env("DATABASE_URL", &address).output().expect("hemiola runs");
        (text(output.stdout), text(output.stderr))
    };
    assert_eq!(run(&["run", "--permission", "--allow-env"]).0, "ERR_ACCESS_DENIED Net\n");
    let granted = format!("--allow-net={path}/.s.PGSQL.5432");
    assert_eq!(run(&["run", "--permission", "--allow-env", &granted]).0, "ran\n");
    // It is owed again.
    server.sql("cluster_gate", "DROP SCHEMA hemiola CASCADE");
    let (out, err) = run(&["run", "--record=always"]);
    assert_eq!((out.as_str(), err.contains("hush")), ("ran\n", false), "{err}");
    // Replayed, nobody asks the server.
    let shown = |words: &[&str]| {
        let mut command = hemiola(&folder);
        let output =
            command.args(words).env("DATABASE_URL", &address).output().expect("hemiola runs");
        text(output.stdout)
    };
    assert_eq!(shown(&["replay", "latest"]), "ran\n");
    assert!(!shown(&["runs", "show", "latest"]).contains("hush"));
}

/// In a simulated world the same address is a database of that world: no server is asked, and two runs are the same.
#[test]
fn a_simulated_cluster_has_a_database_of_its_own() {
    let source = "import { initialize, stop, status, history, nodes } from 'hemiola:scheduler';
        const at = () => new Date().toISOString().slice(5, 19);
        console.log(await initialize([
          ['backup', '0 3 * * *', ({ attempt, due, reason, fence, node }) => {
            console.log(at(), reason, attempt, fence, node);
            if (attempt === 1) throw new Error('no disk');
          }, 5 * 60_000],
        ], { store: 'postgres://user:word@nowhere/base', node: 'one', log: false }));
        setTimeout(async () => {
          console.log((await status())[0].lastResult, (await history('backup', 2)).map((run) => run.result), (await nodes()).length);
          await stop();
        }, 2 * 86_400_000);";
    let folder = directory("cluster-simulated", &[]);
    let run = |seed: &str| {
        let mut command = hemiola(&folder);
        command.args(["simulate", "--seed", seed, "--input-type", "module", "-e", source]);
        let output = command.output().expect("hemiola runs");
        assert!(output.status.success(), "{}", text(output.stderr));
        text(output.stdout)
    };
    let expected = "{ added: [ 'backup' ], removed: [], changed: [], orphaned: [] }
01-01T03:00:00 due 1 1 one
01-01T03:05:00 retry 2 2 one
01-02T03:00:00 due 1 3 one
01-02T03:05:00 retry 2 4 one
success [ 'success', 'failure' ] 1
";
    assert_eq!(run("1"), expected);
    assert_eq!(run("1"), run("2"));
}

/// Rule CLUS-2: a fleet of nodes shares one database: through crashes, pauses and clocks that are an hour wrong every due is started
/// by one node, and what counts is the run with the highest fence.
#[test]
fn a_fleet_of_nodes_shares_a_simulated_database() {
    let fleet = r#"{
      "hosts": {
        "one": { "program": "fleet.mjs" },
        "two": { "program": "fleet.mjs", "clock": { "offset": "-1h" } },
        "three": { "program": "fleet.mjs", "clock": { "offset": "1h", "drift": 200 } }
      },
      "faults": { "crash": "20/h", "pause": "20/h" },
      "invariant": "invariant.mjs",
      "until": "10m"
    }"#;
    let files = [
        ("nodes.fleet.json", fleet),
        ("fleet.mjs", include_str!("cluster/fleet.mjs")),
        ("invariant.mjs", include_str!("cluster/invariant.mjs")),
    ];
    let folder = directory("cluster-fleet", &files);
    let run = |words: &[&str]| {
        let mut command = hemiola(&folder);
        let output = command.args(["fleet", "simulate", "nodes.fleet.json"]).args(words).output();
        let output = output.expect("hemiola runs");
        let (out, err) = (text(output.stdout), text(output.stderr));
        assert!(output.status.success(), "{out}{err}");
        (out, err)
    };
    run(&["--seeds", "1..8"]);
    let trace = |name: &str| {
        let (out, _) = run(&["--seed", "3", "--trace", name]);
        assert!(out.matches("started").count() >= 8, "{out}");
        (out, std::fs::read(folder.join(name)).expect("a trace"))
    };
    assert!(trace("first.jsonl") == trace("second.jsonl"), "two runs of one seed differ");
    verify(&folder, &["first.jsonl"]);
    // A fence that was there before.
    let damaged = std::fs::read_to_string(folder.join("first.jsonl")).expect("a trace");
    let damaged = damaged.replace("\"fence\":4,", "\"fence\":1,");
    std::fs::write(folder.join("damaged.jsonl"), damaged).expect("a trace is written");
    let mut command = hemiola(&folder);
    let output = command.args(["verify", "damaged.jsonl"]).output().expect("hemiola runs");
    let out = text(output.stdout);
    assert!(out.contains("C4  violated") && out.contains("blame: scheduler"), "{out}");
    assert_eq!(output.status.code(), Some(100));
}

/// The starts of a simulated fleet of nodes with something wrong with their database: which task, and when by its clock,
/// in milliseconds. Two runs are the same, and the theory holds, unless the environment is to blame.
fn starts_with(folder: &Path, faults: &str, blame: &str) -> Vec<(String, i64)> {
    let run = |name: &str| {
        let mut command = hemiola(folder);
        command.args(["fleet", "simulate", "faulty.fleet.json", "--seed", "3", "--faults", faults]);
        let output = command.args(["--trace", name]).output().expect("hemiola runs");
        assert!(output.status.success(), "{}", text(output.stderr));
        std::fs::read_to_string(folder.join(name)).expect("a trace")
    };
    let trace = run("one.jsonl");
    assert!(trace == run("other.jsonl"), "two runs with {faults} differ");
    let verified = hemiola(folder).args(["verify", "one.jsonl"]).output().expect("hemiola runs");
    let verified = text(verified.stdout);
    assert!(verified.contains(&format!("blame: {blame}")), "{faults}: {verified}");
    let started = trace.lines().filter(|line| line.contains("\"fact\":\"started\""));
    let read = |line: &str| {
        let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let told = &line["told"];
        let at = told["at"].as_i64().expect("a time") - 1_704_067_200_000;
        (told["id"].as_str().expect("an id").to_owned(), at)
    };
    started.map(read).filter(|(_, at)| *at > 59_000).collect()
}

/// A start whose answer was lost is asked for again, though the lease is renewed meanwhile: nobody else would run it.
#[test]
fn a_start_whose_answer_is_lost_is_asked_for_again() {
    let fleet = r#"{ "hosts": { "one": { "program": "lossy.mjs" } }, "until": "900s" }"#;
    let files = [("lossy.fleet.json", fleet), ("lossy.mjs", include_str!("cluster/lossy.mjs"))];
    let folder = directory("cluster-lossy", &files);
    let mut command = hemiola(&folder);
    command.args(["fleet", "simulate", "lossy.fleet.json", "--seed", "1"]);
    command.args(["--faults", "drop database at 1s for 890s"]);
    let out = text(command.output().expect("hemiola runs").stdout);
    let slowest = out.lines().find_map(|line| line.split_once("slowest ")?.1.parse::<u32>().ok());
    assert!(slowest.is_some_and(|ms| ms < 3_000), "{out}");
}

/// What goes wrong with a simulated database does to nodes what it does outside.
#[test]
fn a_simulated_database_has_faults_of_its_own() {
    let fleet = r#"{ "hosts": { "one": { "program": "faulty.mjs" }, "two": { "program": "faulty.mjs" },
      "three": { "program": "faulty.mjs" } }, "until": "150s" }"#;
    let files = [("faulty.fleet.json", fleet), ("faulty.mjs", include_str!("cluster/faulty.mjs"))];
    let folder = directory("cluster-faults", &files);
    let first = |faults: &str, id: &str| {
        let starts = starts_with(&folder, faults, "none");
        let found = starts.into_iter().find(|(task, _)| task == id);
        found.unwrap_or_else(|| panic!("{faults}: {id} does not start")).1
    };
    let about = |faults: &str, id: &str, from: i64, until: i64| {
        let at = first(faults, id);
        assert!((from..until).contains(&at), "{faults}: {id} at {at}");
    };
    about("none", "a", 60_000, 60_010);
    about("none", "b", 60_500, 60_510);
    // Others look for themselves when they renew their lease.
    about("deaf database at 59s for 10s", "b", 60_510, 62_700);
    about("restart database at 59s for 4s", "a", 63_000, 65_000);
    about("slow database at 59s for 4s", "a", 60_150, 61_000);
    about("drop database at 59s for 4s", "a", 60_000, 66_000);
    // Two cannot reach it, the third one can; it has room for `b` when `a` has ended.
    about("cut one two at 59s for 5s", "a", 60_000, 60_010);
    about("cut one two at 59s for 5s", "b", 63_000, 63_100);
    about("cut one two three at 59s for 5s", "a", 64_000, 66_000);
    // Its clock decides, whatever those of hosts show.
    about("clock database at 30s by +25s", "a", 60_000, 60_010);
    let back = starts_with(&folder, "clock database at 70s by -12s", "environment");
    assert!(back.len() >= 4, "a minute that comes again is due again: {back:?}");
}

/// `hemiola tasks` is heard by nodes at once, and tells who they are.
#[test]
fn a_command_is_heard_by_nodes() {
    let Some((_server, folder, address)) = place("cluster-command") else { return };
    let mut one = Node::start(&folder, &address, "one", r#"{ "lease": 60000 }"#);
    one.hear("joined");
    let tasks = |words: &[&str]| {
        let mut command = hemiola(&folder);
        command.args(["tasks", &address, "--name", "test"]).args(words);
        let output = command.output().expect("hemiola runs");
        assert!(output.status.success(), "{}", text(output.stderr));
        text(output.stdout)
    };
    assert_eq!(tasks(&["trigger", "a"]), "a: triggered\n");
    assert_eq!(one.hear("enter"), "a 1 triggered 1");
    assert!(tasks(&["nodes"]).contains("\none   yes "));
    let list = tasks(&[]);
    assert!(list.contains("\na   running  "), "{list}");
    one.tell("end a");
    one.hear("success");
    one.stop();
}
