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

/// A server whose client keeps its connection: what comes in later is caused by what came in before.
const SHOP: &str = "\
const http = require('node:http');
const server = http.createServer((request, response) => {
  console.log('serving', request.url);
  const id = request.url.split('/')[2];
  setTimeout(() => {
    console.log('answering', id);
    response.end('item ' + id);
    if (id === '3') setTimeout(() => { throw new Error('too late for ' + id); }, 5);
  }, id * 10);
});
process.on('uncaughtException', () => {});
server.listen(0, async () => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const get = (path) => new Promise((done) => {
    http.get({ port: server.address().port, path, agent }, (response) => {
      response.resume().on('end', done);
    });
  });
  for (const id of [1, 2, 3]) await get('/items/' + id);
  setTimeout(() => { agent.destroy(); server.close(); }, 50);
});
";

/// Runs the server in both worlds, and gives the place of its trace in each.
fn shops(name: &str) -> [std::path::PathBuf; 2] {
    ["run", "simulate"].map(|world| {
        let place = directory(&format!("{name}_{world}"), &[("app.js", SHOP)]);
        let line = format!("hemiola {world} --profile-out costs.txt --trace t.jsonl app.js > out");
        assert_eq!(text(shell(&place, &line).stderr), "");
        place
    })
}

#[test]
fn a_request_has_its_own_time_log_and_errors() {
    for place in shops("requests_one") {
        let output = shell(&place, "hemiola lineage t.jsonl --requests --format json");
        let all: Value = serde_json::from_str(&text(output.stdout)).expect("it is JSON");
        let served = all["served"].as_array().expect("it is a list");
        assert_eq!(served.len(), 3, "{all}");
        let mut before = Vec::new();
        for (index, request) in served.iter().enumerate() {
            let id = index as u64 + 1;
            assert_eq!(request["name"], format!("GET /items/{id}"));
            assert_eq!(request["route"], "GET /items/:id");
            let number = |name: &str| request[name].as_u64().expect("it is a number");
            let wall = number("wallNanos");
            // Timers without a label are due at whole milliseconds.
            assert!(((id * 10 - 1) * 1_000_000..2_000_000_000).contains(&wall), "{request}");
            assert!(number("waitingNanos") <= wall, "{request}");
            assert_eq!(wall, number("answeredNanos") - number("arrivedNanos"));
            assert!(number("arrivedNanos") > before.last().map_or(0, |&(_, at)| at), "{request}");
            let written = &request["cost"]["networkWritten"];
            assert!(written.as_u64() > Some(6), "the answer is counted: {request}");
            let log = serde_json::json!([
                ["out", format!("serving /items/{id}\n")],
                ["out", format!("answering {id}\n")]
            ]);
            assert_eq!(request["log"], log);
            let errors = request["errors"].as_array().expect("it is a list");
            assert_eq!(errors.len(), usize::from(id == 3), "{request}");
            // None of it is part of another.
            for invocation in request["invocations"].as_array().expect("it is a list") {
                let is_new = before.iter().all(|(other, _)| other != invocation);
                assert!(is_new, "{invocation} is of two requests");
                before.push((invocation.clone(), number("arrivedNanos")));
            }
        }
        let output = shell(&place, "hemiola lineage t.jsonl --requests");
        let table = text(output.stdout);
        let line = table.lines().last().expect("there is a table");
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(words[0], "3", "{table}");
        assert_eq!(words[words.len() - 4..], ["6", "1", "GET", "/items/:id"], "{table}");
        assert!(!table.contains("/items/1"), "routes are together: {table}");
    }
}

#[test]
fn a_trace_of_one_request() {
    for place in shops("requests_show") {
        let shown = text(shell(&place, "hemiola trace show t.jsonl --request 2").stdout);
        assert!(shown.starts_with("request 2: GET /items/2\n  arrived "), "{shown}");
        assert!(shown.contains("\n  out: serving /items/2\n  out: answering 2\n"), "{shown}");
        assert!(shown.contains("waiting ") && shown.contains("processor time "), "{shown}");
        for other in ["/items/1", "answering 1", "/items/3", "answering 3"] {
            assert!(!shown.contains(other), "{other} is of another request: {shown}");
        }
        let both =
            text(shell(&place, "hemiola trace show t.jsonl --request 'GET /items/:id'").stdout);
        assert!(both.contains("request 1: ") && both.contains("request 3: "), "{both}");
        assert!(both.contains("  error: "), "{both}");
        let output = shell(&place, "hemiola trace show t.jsonl --request 'GET /nothing'");
        assert_eq!(output.status.code(), Some(2));
        assert!(text(output.stderr).contains("no request `GET /nothing` among 3"));
    }
}

#[test]
fn the_chain_of_a_request_begins_with_its_arrival() {
    let program = SHOP.replace(
        "console.log('answering', id);",
        "console.log(context.linkChain().length, context.causeChain().length);",
    );
    let program = format!("const context = require('hemiola:context');\n{program}");
    for world in ["run", "simulate"] {
        let place = directory(&format!("requests_chain_{world}"), &[("app.js", &program)]);
        let printed = text(shell(&place, &format!("hemiola {world} app.js")).stdout);
        let lengths: Vec<&str> = printed.lines().filter(|line| !line.contains("serving")).collect();
        assert_eq!(lengths.len(), 3, "{printed}");
        assert!(lengths.iter().all(|length| *length == lengths[0]), "none is longer: {printed}");
    }
}

#[test]
fn a_span_is_around_each_request() {
    for place in shops("requests_spans") {
        let output = shell(&place, "hemiola trace export --costs --to otlp t.jsonl");
        let all: Value = serde_json::from_str(&text(output.stdout)).expect("it is JSON");
        let spans = all["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array();
        let spans = spans.expect("it is a list");
        let around: Vec<&Value> = spans.iter().filter(|span| span["kind"] == 2).collect();
        assert_eq!(around.len(), 3);
        for span in around {
            assert_eq!(span["name"], "GET /items/:id");
            assert_eq!(span.get("parentSpanId"), None, "it begins with its arrival: {span}");
            let inside = spans.iter().filter(|other| other["parentSpanId"] == span["spanId"]);
            assert_eq!(inside.count(), 1, "the callback that took it");
            let long = |name: &str| span[name].as_str().and_then(|at| at.parse::<u64>().ok());
            let took = long("endTimeUnixNano").zip(long("startTimeUnixNano"));
            assert!(took.is_some_and(|(end, start)| end - start >= 9_000_000), "{span}");
        }
    }
}

/// The names of requests, and when they were answered, are known without costs: from a trace, and from a recording.
#[test]
fn requests_have_spans_without_costs() {
    let server = SHOP.replace("server.close()", "setTimeout(() => server.close(), 300)");
    for world in ["run", "simulate"] {
        let place = directory(&format!("requests_plain_{world}"), &[("app.js", &server)]);
        shell(&place, &format!("hemiola {world} --trace t.jsonl app.js > out"));
        let exports = match world {
            "run" => {
                shell(&place, "hemiola run --record app.js > out");
                vec!["t.jsonl", "latest"]
            }
            _ => vec!["t.jsonl"],
        };
        for from in exports {
            let output = shell(&place, &format!("hemiola trace export --to otlp {from}"));
            let told = text(output.stderr);
            let all: Value = serde_json::from_str(&text(output.stdout)).expect(&told);
            let spans = all["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array();
            let spans = spans.expect("it is a list");
            let around: Vec<&Value> = spans.iter().filter(|span| span["kind"] == 2).collect();
            assert_eq!(around.len(), 3, "{world}, {from}");
            for (id, span) in (1..).zip(around) {
                assert_eq!(span["name"], "GET /items/:id");
                let attributes = span["attributes"].as_array().expect("it is a list");
                let of = |key: &str| attributes.iter().find(|one| one["key"] == key);
                let value = |key: &str| of(key).map(|one| one["value"]["stringValue"].clone());
                assert_eq!(value("http.request.method"), Some("GET".into()), "{span}");
                assert_eq!(value("url.path"), Some(format!("/items/{id}").into()), "{span}");
                let long = |name: &str| span[name].as_str().and_then(|at| at.parse::<u64>().ok());
                let took = long("endTimeUnixNano").zip(long("startTimeUnixNano"));
                let took = took.map(|(end, start)| end - start).expect("two instants");
                assert!(took >= 9_000_000, "{span}");
                if from == "latest" {
                    assert!(of("hemiola.networkWritten").is_some(), "{span}");
                }
            }
        }
    }
}

#[test]
fn the_page_has_requests_by_their_routes() {
    for place in shops("requests_page") {
        shell(&place, "hemiola view t.jsonl --out page.html");
        let page = std::fs::read_to_string(place.join("page.html")).expect("it was written");
        let (_, rest) = page.split_once(r#"id="data">"#).expect("the page has data");
        let (data, _) = rest.split_once("</script>").expect("the data end");
        let data: Value = serde_json::from_str(data).expect("the data are JSON");
        let requests = data["runs"][0]["requests"].as_array().expect("it is a list");
        assert_eq!(requests.len(), 3, "{requests:?}");
        for (id, request) in (1..).zip(requests) {
            assert_eq!(request[0], "GET /items/:id");
            assert_eq!(request[1], format!("GET /items/{id}"));
            assert!(request[2].as_u64() < request[3].as_u64(), "from its action to the answer");
            assert_eq!(request[4].as_u64(), Some(u64::from(id == 3)), "{request}");
        }
    }
}
