//! `hemiola lineage` and `--profile`: trees and costs of runs.

use crate::common::{directory, hemiola, shell, text};
use serde_json::Value;
use std::path::Path;

/// A program of the paper's, as the tests of contexts have it.
fn paper(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../js/tests/contexts/own");
    std::fs::read_to_string(folder.join(name)).expect("the program is there")
}

/// Simulates a program twice and gives what `lineage` says of its trace with those words.
fn lineage(name: &str, program: &str, words: &str) -> String {
    let place = directory(name, &[("app.js", program)]);
    let line = format!(
        "hemiola simulate --profile-out costs.txt --trace t.jsonl app.js > out && hemiola lineage t.jsonl {words}"
    );
    let (first, second) = (shell(&place, &line), shell(&place, &line));
    assert_eq!(first, second, "two runs differ");
    assert_eq!(text(first.stderr), "");
    text(first.stdout)
}

fn costs(directory: &Path, words: &[&str]) -> Value {
    let output = hemiola(directory)
        .args(words)
        .args(["--profile=json", "--profile-out", "costs.json", "app.js"])
        .output()
        .expect("the command can be started");
    assert_eq!(text(output.stderr), "");
    let json = std::fs::read_to_string(directory.join("costs.json")).expect("it was written");
    serde_json::from_str(&json).expect("it is JSON")
}

#[test]
fn ctx_4_the_trees_of_the_papers_examples() {
    let callbacks = "\
        let ctr = 0;\n\
        function f() { console.log(ctr++ === 0 ? 'hi' : 'bye'); }\n\
        setTimeout(f, 10);\n\
        setTimeout(f, 20);\n";
    let tree = "\
        #1 main program\n\
        ├─ #2 timer app.js:3:1\n\
        ├─ #3 timer app.js:4:1\n\
        └─ 2× #4 end of the program\n";
    let expected = format!("tree of links\n{tree}\ntree of causes\n{tree}");
    assert_eq!(lineage("lineage_4_1", callbacks, "--tree both"), expected);
    // Fig. 7: `then1` hangs below `immediate1` by its link and below `timeout1` by its cause.
    let promise = "\
        (function foo() {\n\
          const p = new Promise(function promise1(res) {\n\
            setTimeout(function timeout1() { res(42); }, 200);\n\
          });\n\
          setImmediate(function immediate1() {\n\
            p.then(function then1() { console.log('Hello Context World!'); });\n\
          });\n\
        })();\n";
    let expected = "\
        tree of links\n\
        #1 main program\n\
        ├─ #2 immediate app.js:5:1\n\
        │  └─ #4 promise app.js:6:3\n\
        ├─ #3 timer app.js:3:1\n\
        └─ 2× #5 end of the program\n\
        \n\
        tree of causes\n\
        #1 main program\n\
        ├─ #2 immediate app.js:5:1\n\
        ├─ #3 timer app.js:3:1\n\
        │  └─ #4 promise app.js:6:3\n\
        └─ 2× #5 end of the program\n";
    assert_eq!(lineage("lineage_4_4", promise, "--tree both"), expected);
}

#[test]
fn ctx_5_what_is_unpacked_is_in_the_trees() {
    let trees = lineage("lineage_4_5", &paper("paper-4.5-bound.js"), "--tree link");
    assert!(trees.contains("unpack"), "{trees}");
}

const SERVER: &str = "\
const http = require('http');
const net = require('net');
const fs = require('fs');
fs.writeFileSync('big.txt', 'x'.repeat(5000));
const server = http.createServer((request, response) => {
  response.sendDate = false;
  if (request.url.startsWith('/file')) {
    fs.readFile('big.txt', (_, text) => setTimeout(() => response.end(text), 1));
  } else {
    request.resume();
    request.on('end', () => fs.writeFile('got.txt', 'y'.repeat(70), () => response.end('ok')));
  }
});
const asked = [
  'GET /file?n=1 HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n',
  'POST /form HTTP/1.1\\r\\nHost: a\\r\\nContent-Length: 30\\r\\n\\r\\n' + 'z'.repeat(30),
  'GET /file?n=2#x HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n',
];
server.listen(0, () => {
  const lengths = [];
  const socket = net.connect(server.address().port);
  let got = '';
  const next = () => (asked.length > 0 ? socket.write(asked.shift()) : (console.log(lengths.join(' ')), socket.end(), server.close()));
  socket.on('data', (bytes) => {
    got += bytes;
    const head = got.indexOf('\\r\\n\\r\\n');
    const length = head < 0 ? Infinity : head + 4 + Number(/content-length: (\\d+)/i.exec(got)?.[1]);
    if (got.length < length) return;
    lengths.push(length);
    got = '';
    next();
  });
  socket.on('connect', next);
});
";

#[test]
fn prio_3_requests_on_one_connection_are_told_apart_to_the_byte() {
    for world in ["simulate", "run"] {
        let place = directory(&format!("lineage_server_{world}"), &[("app.js", SERVER)]);
        let output = hemiola(&place).args([world, "app.js"]).output();
        let shown = text(output.expect("the command can be started").stdout);
        let lengths: Vec<u64> =
            shown.split_whitespace().map(|length| length.parse().expect("a number")).collect();
        let costs = costs(&place, &[world]);
        let request = |name: &str| {
            let requests = costs["requests"].as_array().expect("a list");
            requests.iter().find(|request| request["name"] == name).expect("it was served").clone()
        };
        let (file, form) = (request("GET /file"), request("POST /form"));
        let total = |request: &Value, field: &str| {
            request["inclusive"]["total"][field].as_u64().expect("a number")
        };
        assert_eq!(file["inclusive"]["count"], 2);
        assert_eq!(
            total(&file, "networkRead"),
            "GET /file?n=1 HTTP/1.1\r\nHost: a\r\n\r\n".len() as u64 * 2 + 2
        );
        assert_eq!(total(&file, "networkWritten"), lengths[0] + lengths[2]);
        assert_eq!((total(&file, "diskRead"), total(&file, "diskWritten")), (10_000, 0));
        assert_eq!(form["inclusive"]["count"], 1);
        let head = "POST /form HTTP/1.1\r\nHost: a\r\nContent-Length: 30\r\n\r\n".len() as u64;
        assert_eq!(total(&form, "networkRead"), head + 30);
        assert_eq!(total(&form, "networkWritten"), lengths[1]);
        assert_eq!((total(&form, "diskRead"), total(&form, "diskWritten")), (0, 70));
        // Own costs of all sites are everything, and so is what the main program caused.
        let sites = costs["sites"].as_array().expect("a list");
        let main = sites.iter().find(|site| site["kind"] == "main program").expect("it ran");
        for field in
            ["invocations", "cpuNanos", "networkRead", "networkWritten", "diskRead", "diskWritten"]
        {
            let everything = costs["total"][field].as_u64().expect("a number");
            let own: u64 = sites
                .iter()
                .map(|site| site["exclusive"]["total"][field].as_u64().unwrap_or(0))
                .sum();
            assert_eq!(own, everything, "{field}");
            assert_eq!(main["inclusive"]["total"][field], everything, "{field}");
        }
        assert!(costs["total"]["cpuNanos"].as_u64().is_some_and(|nanos| nanos > 0));
    }
}

#[test]
fn labels_name_requests_and_the_last_one_counts() {
    let program = "\
        const { label } = require('hemiola:context');\n\
        const fs = require('fs');\n\
        fs.writeFileSync('a', '12345');\n\
        const serve = (name, times) => setTimeout(async () => {\n\
          label('something'); label(name);\n\
          for (let i = 0; i < times; i++) await fs.promises.readFile('a');\n\
        }, 1);\n\
        serve('long', 3); serve('short', 1); serve('long', 1);\n";
    let place = directory("lineage_labels", &[("app.js", program)]);
    let costs = costs(&place, &["simulate"]);
    let rows: Vec<(&str, u64, u64)> = costs["requests"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|row| {
            let inclusive = &row["inclusive"];
            let number = |value: &Value| value.as_u64().expect("a number");
            let read = number(&inclusive["total"]["diskRead"]);
            (row["name"].as_str().expect("a name"), number(&inclusive["count"]), read)
        })
        .collect();
    let mut rows = rows;
    rows.sort_unstable();
    assert_eq!(rows, [("long", 2, 20), ("short", 1, 5)]);
}

#[test]
fn a_profile_is_told_however_the_program_ends() {
    let place = directory("lineage_ends", &[]);
    let told = |line: &str, code: i32| {
        let output = shell(&place, line);
        assert_eq!(output.status.code(), Some(code), "{line}");
        let error = text(output.stderr);
        assert!(error.contains("of processor time") && error.contains("main program"), "{error}");
    };
    told("hemiola run --profile -e 'setTimeout(() => { throw new Error(1) }, 1)'", 1);
    told("hemiola run --profile -e 'setTimeout(() => process.exit(7), 1)'", 7);
    told("hemiola run --profile -e 'Promise.reject(1)'", 1);
    told("hemiola run --profile --timeout 50ms -e 'setInterval(() => {}, 1)'", 124);
    told("hemiola run --profile --timeout 50ms -e 'for (;;) {}'", 124);
    // Ctrl-C.
    told(
        "hemiola run --profile -e 'console.log(process.pid); setInterval(() => {}, 9)' | \
         while read pid; do kill -INT $pid; done",
        0,
    );
    told("hemiola simulate --profile --until 1s -e 'setInterval(() => {}, 1)'", 0);
}

#[test]
fn a_recording_has_trees_and_costs() {
    let place = directory("lineage_recorded", &[("app.js", SERVER)]);
    let script = "export HEMIOLA_HOME=$PWD/home XDG_STATE_HOME=$PWD/state; hemiola run --record app.js > first 2> /dev/null; \
        hemiola lineage latest --requests --format json > one.json && hemiola lineage latest > all.txt; echo $?";
    let output = shell(&place, script);
    assert_eq!((text(output.stdout).as_str(), text(output.stderr).as_str()), ("0\n", ""));
    let read = |name: &str| std::fs::read_to_string(place.join(name)).expect("it was written");
    let one: Value = serde_json::from_str(&read("one.json")).expect("it is JSON");
    assert_eq!((&one["format"], &one["version"]), (&"hemiola-lineage".into(), &1.into()));
    let names: Vec<&Value> =
        one["requests"].as_array().expect("a list").iter().map(|row| &row["name"]).collect();
    assert_eq!(names.len(), 2, "{names:?}");
    let all = read("all.txt");
    assert!(all.starts_with("tree of causes\n#1 main program\n"), "{all}");
    assert!(all.contains("GET /file") && all.contains("timer app.js:8:"), "{all}");
}

#[test]
fn what_is_asked_wrongly_is_said() {
    let place = directory("lineage_wrong", &[("not.jsonl", "hello\n")]);
    let refused = |line: &str, code: i32, words: &str| {
        let output = shell(&place, line);
        let error = text(output.stderr);
        assert_eq!(output.status.code(), Some(code), "{line}: {error}");
        assert!(error.contains(words), "{line}: {error}");
    };
    refused("hemiola lineage not.jsonl", 2, "not a trace");
    refused("hemiola lineage none.jsonl", 2, "cannot read none.jsonl");
    refused("hemiola lineage x --format dot --sites", 2, "cannot be drawn");
    refused("hemiola lineage x --format dot --tree both", 2, "one tree");
    refused("hemiola run --profile --paranoid -e 1", 2, "--paranoid");
    refused("hemiola run --profile-out /nowhere/x -e 1", 2, "cannot write the profile");
}

/// Physical time is in the trace as the loop knew it: nothing timed begins before it is due.
#[test]
fn a_timed_invocation_begins_when_it_is_due() {
    let program = "\
        setTimeout(() => {}, 10, 'A'); setInterval(function () { clearInterval(this); }, 20, 'B');\n\
        setTimeout(() => setTimeout(() => setImmediate(() => {}), 5), 30);\n\
        require('fs').readFile('app.js', () => Promise.resolve().then(() => setTimeout(() => {}, 3)));\n";
    let place = directory("lineage_at", &[("app.js", program)]);
    for strategy in ["node-phases", "all", "priority"] {
        let line = format!("hemiola simulate --strategy {strategy} --trace t.jsonl app.js");
        assert_eq!(shell(&place, &line).status.code(), Some(0));
        let trace = std::fs::read_to_string(place.join("t.jsonl")).expect("it was written");
        let mut last = 0;
        let mut timed = 0;
        for line in trace.lines() {
            let event: Value = serde_json::from_str(line).expect("it is JSON");
            if event["ev"] != "began" {
                continue;
            }
            let at = event["at"].as_u64().expect("every invocation has it");
            assert!(at >= last, "{line}");
            last = at;
            if let Some(due) = event["time"].as_u64() {
                assert!(at >= due, "{line}");
                timed += 1;
            }
        }
        assert_eq!(timed, 5);
    }
}

/// A long run takes no more space than a short one: what is over is forgotten.
#[test]
fn many_callbacks_are_counted() {
    let program = "\
        let left = 50000;\n\
        function again() { if (--left > 0) { Promise.resolve().then(() => {}); setImmediate(again); } }\n\
        again();\n";
    let place = directory("lineage_many", &[("app.js", program)]);
    let costs = costs(&place, &["simulate"]);
    assert_eq!(costs["total"]["invocations"], 1 + 2 * 49_999 + 2);
}
