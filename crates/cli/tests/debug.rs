//! Clients of the debugger: by the Debug Adapter Protocol, and at a terminal.

use crate::common;
use crate::common::{directory, hemiola, text};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The program of the paper on lineage, section 5, with two files that are not there.
const FILES: &str = "\
const fs = require('fs');
function tryReadFile(file) {
  fs.readFile(file, function read1(err, data) {
    if (err) {
      setTimeout(function timeout1() {
        console.error('error');
      }, 100);
    } else {
      console.log(data);
    }
  });
}
tryReadFile('foo.txt');
tryReadFile('bar.txt');
";

const AWAITS: &str = "\
const later = (value) => new Promise((done) => setTimeout(done, 2, value));
async function work(name) {
  const before = name + '!';
  const got = await later(5);
  const after = got + 1;
  console.log(before, after);
  return after;
}
async function main() {
  const all = await Promise.all([work('a'), work('b')]);
  console.log(all.join());
}
main();
";

const TOTAL: &str = "\
let total = 0;
function add(n) {
  total += n;
}
function look(n) {
  return n * 2;
}
for (let i = 1; i <= 5; i++) {
  setTimeout(() => {
    look(i);
    if (i % 2) add(i);
    look(i);
  }, i);
}
setTimeout(() => console.log('total', total), 20);
";

/// A directory with programs, and recordings of its own.
struct Place(PathBuf);

impl Place {
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        Self(directory(name, files))
    }

    fn hemiola(&self) -> Command {
        let mut command = hemiola(&self.0);
        command.env("HEMIOLA_RUNS", self.0.join("runs"));
        command
    }

    fn record(&self, program: &str) {
        let output =
            self.hemiola().args(["run", "--record", program]).stdin(Stdio::null()).output();
        let output = output.expect("hemiola can be run");
        let notes = text(output.stderr);
        assert!(notes.contains("recorded"), "{program} is recorded: {notes}");
    }

    fn path(&self, file: &str) -> String {
        let path = std::fs::canonicalize(self.0.join(file)).expect("the file is there");
        path.to_str().expect("the path is text").to_owned()
    }

    /// Everything that a script of commands prints.
    fn terminal(&self, words: &[&str], script: &str) -> String {
        let mut command = self.hemiola();
        command.args(["debug", "--tty"]).args(words);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("hemiola can be run");
        child.stdin.take().expect("it is piped").write_all(script.as_bytes()).expect("it reads");
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(0), "{}", text(output.stderr));
        text(output.stdout)
    }

    fn client(&self, words: &[&str]) -> Client {
        let mut command = self.hemiola();
        command.arg("debug").args(words);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("hemiola can be run");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        let runs = self.0.join("runs").display().to_string();
        let (events, printed) = (VecDeque::new(), String::new());
        Client { child, input, output, seq: 0, events, printed, runs }
    }

    /// A client that has launched the latest recording and set breakpoints at lines of a file.
    fn launched(&self, file: &str, breakpoints: Value) -> Client {
        let mut client = self.client(&[]);
        client.ask("initialize", json!({ "adapterID": "hemiola" }));
        client.event("initialized");
        client.ask("launch", json!({ "run": "latest" }));
        let set = client.ask(
            "setBreakpoints",
            json!({ "source": { "path": self.path(file) }, "breakpoints": breakpoints }),
        );
        for breakpoint in set["breakpoints"].as_array().expect("it is a list") {
            assert_eq!(breakpoint["verified"], true, "{breakpoint}");
        }
        client.ask("configurationDone", json!({}));
        client
    }
}

/// A client of the protocol.
struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    seq: u64,
    events: VecDeque<Value>,
    printed: String,
    /// Where its recordings are.
    runs: String,
}

impl Client {
    fn send(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("it is open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the adapter reads");
    }

    fn request(&mut self, command: &str, arguments: Value) -> u64 {
        self.seq += 1;
        let message = json!({ "seq": self.seq, "type": "request", "command": command, "arguments": arguments });
        let message = message.to_string();
        self.send(format!("Content-Length: {}\r\n\r\n{message}", message.len()).as_bytes());
        self.seq
    }

    fn read(&mut self) -> Option<Value> {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line).expect("the adapter writes text") == 0 {
                return None;
            }
            match line.trim().split_once(": ") {
                Some(("Content-Length", value)) => length = value.parse().expect("a number"),
                Some(_) => {}
                None => break,
            }
        }
        let mut bytes = vec![0; length];
        self.output.read_exact(&mut bytes).expect("a whole message");
        Some(serde_json::from_slice(&bytes).expect("it is JSON"))
    }

    /// The response to a request; events are kept.
    fn response(&mut self, seq: u64) -> Value {
        loop {
            let message = self.read().expect("the adapter goes on");
            if message["type"] == "response" && message["request_seq"] == seq {
                return message;
            }
            self.keep(message);
        }
    }

    fn keep(&mut self, message: Value) {
        if message["event"] == "output" {
            self.printed += message["body"]["output"].as_str().expect("output is text");
        }
        self.events.push_back(message);
    }

    /// What a request is answered with, if it is done.
    fn ask(&mut self, command: &str, arguments: Value) -> Value {
        let seq = self.request(command, arguments);
        let response = self.response(seq);
        assert_eq!(response["success"], true, "{command}: {response}");
        response["body"].clone()
    }

    /// Why a request is not done.
    fn refused(&mut self, command: &str, arguments: Value) -> String {
        let seq = self.request(command, arguments);
        let response = self.response(seq);
        assert_eq!(response["success"], false, "{command}: {response}");
        response["message"].as_str().expect("there is a reason").to_owned()
    }

    fn event(&mut self, name: &str) -> Value {
        loop {
            if let Some(at) = self.events.iter().position(|event| event["event"] == name) {
                return self.events.remove(at).expect("it is there")["body"].clone();
            }
            let message = self.read().unwrap_or_else(|| panic!("there is an event {name}"));
            self.keep(message);
        }
    }

    /// Where the program stops next: the reason, and the line of the innermost frame.
    fn stop(&mut self) -> (String, u64) {
        let stop = self.event("stopped");
        let reason = stop["reason"].as_str().expect("a stop has a reason").to_owned();
        (reason, self.line())
    }

    fn line(&mut self) -> u64 {
        self.frames()[0]["line"].as_u64().expect("a frame has a line")
    }

    fn frames(&mut self) -> Vec<Value> {
        let stack = self.ask("stackTrace", json!({ "threadId": 1 }));
        stack["stackFrames"].as_array().expect("it is a list").clone()
    }

    /// Moves, and says where to.
    fn go(&mut self, command: &str) -> (String, u64) {
        self.ask(command, json!({ "threadId": 1 }));
        self.stop()
    }

    fn value(&mut self, expression: &str) -> String {
        let value = self.ask("evaluate", json!({ "expression": expression, "frameId": 1 }));
        value["result"].as_str().expect("a value is text").to_owned()
    }

    /// The number of the running invocation, and that of its link.
    fn invocation(&mut self) -> (u64, u64) {
        let at = self.ask("hemiola/where", json!({}));
        let number = |name: &str| at["hemiola"][name].as_u64().expect("it is a number");
        (number("invocation"), number("link"))
    }

    /// The variables of the innermost scope that has some.
    fn variables(&mut self) -> Vec<(String, String)> {
        let scopes = self.ask("scopes", json!({ "frameId": 1 }));
        let mut all = Vec::new();
        for scope in scopes["scopes"].as_array().expect("it is a list") {
            if scope["expensive"] == true {
                continue;
            }
            let reference = &scope["variablesReference"];
            let found = self.ask("variables", json!({ "variablesReference": reference }));
            for variable in found["variables"].as_array().expect("it is a list") {
                let text = |name: &str| variable[name].as_str().expect("it is text").to_owned();
                all.push((text("name"), text("value")));
            }
        }
        all
    }

    fn variable(&mut self, name: &str) -> Option<String> {
        self.variables().into_iter().find(|(other, _)| other == name).map(|(_, value)| value)
    }

    /// Leaves, and sees that everything is over.
    fn leave(mut self) {
        self.ask("disconnect", json!({}));
        self.gone();
    }

    fn gone(mut self) {
        drop(self.input.take());
        let status = self.child.wait().expect("it can be waited for");
        assert_eq!(status.code(), Some(0));
        nobody_replays(&self.runs);
    }
}

/// Waits until no process replays a recording of that directory any more.
fn nobody_replays(runs: &str) {
    let is_one = |path: &Path| {
        let words = std::fs::read(path.join("cmdline")).unwrap_or_default();
        let words = String::from_utf8_lossy(&words);
        words.contains("--replaying") && words.contains(runs)
    };
    // Those whose front end was killed notice it by themselves, at once.
    for _ in 0..2000 {
        let entries = std::fs::read_dir("/proc").expect("there are processes");
        if !entries.flatten().any(|entry| is_one(&entry.path())) {
            return;
        }
        std::thread::yield_now();
    }
    panic!("somebody is left behind");
}

#[test]
fn from_an_error_back_to_the_call_that_led_to_it() {
    let place = Place::new("debug-files", &[("files.js", FILES)]);
    place.record("files.js");
    let mut client = place.launched("files.js", json!([{ "line": 6 }]));
    let mut seen = Vec::new();
    for _ in 0..2 {
        assert_eq!(
            if seen.is_empty() { client.stop() } else { client.go("continue") },
            ("breakpoint".into(), 6)
        );
        let frames = client.frames();
        assert_eq!(frames[0]["name"], "timeout1");
        let labels: Vec<&Value> =
            frames.iter().filter(|frame| frame["presentationHint"] == "label").collect();
        assert_eq!(labels.len(), 2, "who attached it is below: {frames:?}");
        let (timeout, read) = client.invocation();
        // To the very call of `read1` that set this timeout, not to the other one.
        assert_eq!(client.go("hemiola/reverseToLink"), ("step".into(), 5));
        assert_eq!(client.invocation().0, read);
        let path = client.value("err.path");
        // And on to the call of `readFile` in the main program.
        assert_eq!(client.go("hemiola/reverseToLink"), ("step".into(), 3));
        assert_eq!(client.invocation().0, 1);
        assert_eq!(client.value("file"), path, "it is the file of this error");
        assert_eq!(client.variable("file"), Some(path.clone()));
        assert!(client.refused("hemiola/reverseToLink", json!({})).contains("main program"));
        seen.push(path);
        // The way forward leads to the same place.
        while client.invocation().0 != timeout {
            assert_eq!(client.go("continue"), ("breakpoint".into(), 6));
        }
    }
    seen.sort();
    assert_eq!(seen, ["'bar.txt'", "'foo.txt'"]);
    client.leave();
}

#[test]
fn a_step_back_over_an_await_stays_in_the_function() {
    let place = Place::new("debug-awaits", &[("awaits.js", AWAITS)]);
    place.record("awaits.js");
    let breakpoint = json!([{ "line": 5, "condition": "before === 'b!'" }]);
    let mut client = place.launched("awaits.js", breakpoint);
    assert_eq!(client.stop(), ("breakpoint".into(), 5));
    assert_eq!(client.variable("got").as_deref(), Some("5"));
    assert_eq!(client.value("name"), "'b'");
    assert_eq!(client.go("stepBack"), ("step".into(), 4));
    assert_eq!(client.value("name"), "'b'", "it is the same call");
    assert_ne!(client.variable("got").as_deref(), Some("5"), "that is not known yet");
    assert_eq!(client.go("stepBack"), ("step".into(), 3));
    assert_eq!(client.go("next"), ("step".into(), 4));
    assert_eq!(client.go("next"), ("breakpoint".into(), 5));
    assert_eq!(client.value("name + got"), "'b5'");
    assert_eq!(client.go("next"), ("step".into(), 6));
    assert_eq!(client.value("after"), "6");
    client.leave();
}

#[test]
fn back_to_the_write_of_a_watched_variable() {
    let place = Place::new("debug-total", &[("total.js", TOTAL)]);
    place.record("total.js");
    let mut client = place.launched("total.js", json!([{ "line": 15 }]));
    // The main program passes there, too, and then the callback.
    let mut stops = vec![client.stop()];
    while client.value("typeof total") != "'number'" || client.value("total") != "9" {
        stops.push(client.go("continue"));
    }
    let info = client.ask("dataBreakpointInfo", json!({ "name": "total", "frameId": 1 }));
    let id = info["dataId"].as_str().expect("changes of it can be told").to_owned();
    client.ask(
        "setBreakpoints",
        json!({ "source": { "path": place.path("total.js") }, "breakpoints": [] }),
    );
    client.ask("setDataBreakpoints", json!({ "breakpoints": [{ "dataId": id }] }));
    for (before, n) in [("4", "5"), ("1", "3"), ("0", "1")] {
        assert_eq!(client.go("reverseContinue"), ("data breakpoint".into(), 3));
        assert_eq!(client.value("total"), before, "it stands before the write");
        assert_eq!(client.value("n"), n);
    }
    let stop = client.go("continue");
    assert_eq!(stop.0, "data breakpoint");
    assert_eq!(client.value("total"), "1", "it stands after the write");
    client.leave();
}

#[test]
fn conditions_counts_and_log_points() {
    let program = "\
let sum = 0;
for (let i = 0; i < 10; i++) {
  sum += i;
}
console.log(sum);
";
    let place = Place::new("debug-conditions", &[("sum.js", program)]);
    place.record("sum.js");
    let breakpoints = json!([
        { "line": 3, "condition": "i === 7" },
        { "line": 4, "logMessage": "never" },
    ]);
    let mut client = place.launched("sum.js", breakpoints);
    assert_eq!(client.stop(), ("breakpoint".into(), 3));
    assert_eq!(client.value("[i, sum].join()"), "'7,21'");
    let set = |breakpoints: Value| json!({ "source": { "path": place.path("sum.js") }, "breakpoints": breakpoints });
    client.ask("setBreakpoints", set(json!([{ "line": 3, "hitCondition": "% 4" }])));
    assert_eq!(client.go("reverseContinue"), ("breakpoint".into(), 3));
    assert_eq!(client.value("i"), "3", "the fourth time");
    assert_eq!(client.go("continue"), ("breakpoint".into(), 3));
    assert_eq!(client.value("i"), "7", "the eighth time");
    client.printed.clear();
    client.ask("setBreakpoints", set(json!([{ "line": 3, "logMessage": "i is {i}, {sum}" }])));
    client.ask("threads", json!({}));
    let lines: Vec<&str> = client.printed.lines().collect();
    assert_eq!(lines.len(), 10, "it printed for the whole run: {lines:?}");
    assert!(lines[0].ends_with("i is 0, 0") && lines[9].ends_with("i is 9, 36"), "{lines:?}");
    assert_eq!(client.value("i"), "7", "nobody has moved");
    // At the end the program has printed, and there is a way back.
    client.printed.clear();
    assert_eq!(client.go("continue").0, "pause");
    assert_eq!(client.printed, "45\n");
    assert_eq!(client.go("stepBack").0, "step");
    assert_eq!(client.printed, "45\n", "what was printed is not printed again");
    client.leave();
}

#[test]
fn exceptions_stop_where_they_are_thrown() {
    let program = "\
function check(value) {
  if (value > 1) throw new RangeError('too much: ' + value);
}
try { check(2); } catch {}
setTimeout(() => check(3), 1);
";
    let place = Place::new("debug-exceptions", &[("throws.js", program)]);
    place.record("throws.js");
    let mut client = place.client(&["latest"]);
    client.ask("initialize", json!({}));
    client.ask("setExceptionBreakpoints", json!({ "filters": ["uncaught"] }));
    client.ask("attach", json!({}));
    client.ask("configurationDone", json!({}));
    assert_eq!(client.stop(), ("exception".into(), 2));
    assert_eq!(client.value("value"), "3");
    let info = client.ask("exceptionInfo", json!({ "threadId": 1 }));
    assert!(
        info["description"].as_str().is_some_and(|text| text.contains("too much: 3")),
        "{info}"
    );
    client.ask("setExceptionBreakpoints", json!({ "filters": ["all"] }));
    assert_eq!(client.go("reverseContinue").0, "exception");
    assert_eq!(client.value("value"), "2");
    client.leave();
}

#[test]
fn a_program_that_was_edited_is_shown_as_it_was() {
    let program = "let a = 1;\na++;\nconsole.log(a);\n";
    let place = Place::new("debug-edited", &[("edited.js", program)]);
    place.record("edited.js");
    std::fs::write(place.0.join("edited.js"), "// a remark\n\n\nnothing;\n").expect("it is ours");
    let mut client = place.launched("edited.js", json!([{ "line": 2 }]));
    assert_eq!(client.stop(), ("breakpoint".into(), 2));
    let source = client.frames()[0]["source"].clone();
    let reference = &source["sourceReference"];
    assert!(reference.as_u64().is_some_and(|number| number > 0), "{source}");
    let shown = client.ask("source", json!({ "source": source, "sourceReference": reference }));
    assert_eq!(shown["content"], program);
    let loaded = client.ask("loadedSources", json!({}));
    assert_eq!(loaded["sources"].as_array().map(Vec::len), Some(1));
    client.leave();
}

#[test]
fn places_in_typescript_are_those_of_its_text() {
    let program = "\
interface Shape {
  sides: number;
}
enum Colour { Red = 1, Green }
class Square implements Shape {
  constructor(public sides: number, private colour: Colour) {}
  area<T extends number>(size: T): number {
    const squared: number = (size as number) ** 2;
    return squared;
  }
}
console.log(new Square(4, Colour.Green).area(3));
";
    let place = Place::new("debug-types", &[("shapes.ts", program)]);
    place.record("shapes.ts");
    let mut client = place.launched("shapes.ts", json!([{ "line": 9 }]));
    assert_eq!(client.stop(), ("breakpoint".into(), 9));
    assert_eq!(client.value("squared + this.sides"), "13");
    assert_eq!(client.go("stepBack"), ("step".into(), 8));
    assert_eq!(client.go("stepBack"), ("step".into(), 12));
    client.leave();
}

#[test]
fn a_client_that_goes_away_leaves_nobody_behind() {
    let program = "\
let n = 0;
for (let i = 0; i < 3e6; i++) n += i % 7;
console.log(n);
";
    let place = Place::new("debug-away", &[("long.js", program)]);
    place.record("long.js");
    // In the middle of a run, without a word.
    let mut client = place.client(&["latest"]);
    client.ask("initialize", json!({}));
    client.ask("launch", json!({ "stopOnEntry": true }));
    client.ask("configurationDone", json!({}));
    client.stop();
    client.request("continue", json!({ "threadId": 1 }));
    client.gone();
    // Killed: those that replay notice.
    let mut client = place.client(&["latest"]);
    client.ask("initialize", json!({}));
    client.ask("launch", json!({ "stopOnEntry": true }));
    client.ask("configurationDone", json!({}));
    client.stop();
    client.child.kill().expect("it can be killed");
    client.child.wait().expect("it can be waited for");
    nobody_replays(&client.runs);
    // A pause, while it runs.
    let mut client = place.client(&["latest"]);
    client.ask("initialize", json!({}));
    client.ask("launch", json!({ "stopOnEntry": true }));
    client.ask("configurationDone", json!({}));
    client.stop();
    client.request("continue", json!({ "threadId": 1 }));
    client.ask("pause", json!({ "threadId": 1 }));
    let (reason, _) = client.stop();
    assert_eq!(reason, "pause");
    client.leave();
}

#[test]
fn garbage_is_answered() {
    let place = Place::new("debug-garbage", &[("total.js", TOTAL)]);
    place.record("total.js");
    let mut client = place.client(&["latest"]);
    client.send(b"what is this\r\n\r\nContent-Length: nine\r\n\r\nContent-Length: 3\r\n\r\n{x}");
    for _ in 0..3 {
        let message = client.read().expect("the adapter goes on");
        assert_eq!(message["success"], false, "{message}");
    }
    client.ask("initialize", json!({}));
    assert!(client.refused("fly", json!({})).contains("fly"));
    assert!(client.refused("continue", json!({})).contains("launch"));
    client.ask("launch", json!({}));
    client.ask("configurationDone", json!({}));
    assert_eq!(client.stop().0, "pause", "it is at the end");
    assert!(client.refused("evaluate", json!({ "expression": "no such name" })).contains("rror"));
    client.leave();
}

#[test]
fn what_cannot_be_replayed_is_refused() {
    let place = Place::new("debug-refused", &[("total.js", TOTAL)]);
    place.record("total.js");
    let mut client = place.client(&[]);
    client.ask("initialize", json!({}));
    assert!(client.refused("launch", json!({ "run": "zzz" })).contains("zzz"));
    client.event("terminated");
    drop(client);
    let runs = std::fs::read_dir(place.0.join("runs")).expect("there are recordings");
    let run = runs.flatten().next().expect("there is one").path();
    let manifest = run.join("manifest.json");
    let newer = std::fs::read_to_string(&manifest).expect("it is text");
    let newer = newer.replacen("\"version\":", "\"version\":9", 1);
    std::fs::write(&manifest, newer).expect("it is ours");
    let output = place.hemiola().args(["debug", "--tty", "--"]).arg(&run).output();
    let output = output.expect("hemiola can be run");
    assert_eq!(output.status.code(), Some(103), "{}", text(output.stderr));
}

#[test]
fn a_script_at_the_terminal() {
    let place = Place::new("debug-terminal", &[("total.js", TOTAL)]);
    place.record("total.js");
    let script = "\
break 3 if n === 3
continue
where
print n
locals
back
next
next
list 3
watch total
rc
p total
c
link
goto 4
info
rcontinue
out
fly
end
rnext
quit
";
    let first = place.terminal(&["latest"], script);
    assert_eq!(first, place.terminal(&[], script), "it is the same every time");
    let snapshot = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots/debug-terminal.txt");
    common::compare(&snapshot, &first);
}

#[test]
fn log_points_come_between_what_the_program_prints() {
    let program = "\
function f(x) {
  return x * 2;
}
console.log('one', f(1));
setTimeout(() => console.log('two', f(2)), 1);
";
    let place = Place::new("debug-log", &[("log.js", program)]);
    place.record("log.js");
    let output = place
        .hemiola()
        .args(["debug", "--log", "log.js:2 x", "--log", "log.js:2 twice is {x * 2}", "latest"])
        .output()
        .expect("hemiola can be run");
    assert_eq!(output.status.code(), Some(0), "{}", text(output.stderr.clone()));
    let printed = text(output.stdout);
    let lines: Vec<&str> =
        printed.lines().map(|line| line.rsplit("] ").next().unwrap_or(line)).collect();
    assert_eq!(lines, ["1", "twice is 2", "one 2", "2", "twice is 4", "two 4"], "{printed}");
    let output = place.hemiola().args(["debug", "--log", "nowhere.js:2 x"]).output();
    assert_eq!(output.expect("hemiola can be run").status.code(), Some(2));
}

#[test]
fn a_program_is_recorded_and_then_debugged() {
    let place = Place::new("debug-live", &[("total.js", TOTAL)]);
    let printed = place.terminal(&["total.js"], "break 3\nc\nc\nc\np n\nc\nquit\n");
    assert!(printed.contains("total 9"), "{printed}");
    assert!(printed.contains("\n5\n"), "{printed}");
    let mut client = place.client(&[]);
    client.ask("initialize", json!({}));
    client.ask("launch", json!({ "program": place.path("total.js"), "stopOnEntry": true }));
    client.ask("configurationDone", json!({}));
    assert_eq!(client.stop(), ("entry".into(), 1));
    client.leave();
}

#[test]
fn a_schedule_is_debugged() {
    let program = "\
const fs = require('fs');
let order = '';
fs.readFile('a.txt', () => { order += 'a'; });
fs.readFile('b.txt', () => { order += 'b'; });
setTimeout(() => { if (order === 'ba') throw new Error('b came first'); }, 50);
";
    let files = [("race.js", program), ("a.txt", "a"), ("b.txt", "b")];
    let place = Place::new("debug-schedule", &files);
    let output = place.hemiola().args(["explore", "race.js"]).output().expect("hemiola can be run");
    let said = text(output.stdout) + &text(output.stderr);
    let line =
        said.lines().find(|line| line.contains("--schedule")).unwrap_or_else(|| panic!("{said}"));
    let words = line.split_whitespace().skip_while(|word| *word != "--schedule");
    let schedule = words.clone().nth(1).expect("there is a schedule");
    let printed = place.terminal(
        &["--schedule", schedule, "race.js"],
        "catch uncaught\nc\np order\nbreak 3 if order === 'b'\nrc\np order\nquit\n",
    );
    assert!(printed.contains("b came first"), "{printed}");
    assert!(printed.contains("'ba'"), "{printed}");
}

#[test]
fn a_client_comes_through_a_port() {
    let place = Place::new("debug-port", &[("total.js", TOTAL)]);
    place.record("total.js");
    let mut command = place.hemiola();
    command.args(["debug", "--port", "0", "latest"]).stderr(Stdio::piped());
    let mut child = command.spawn().expect("hemiola can be run");
    let mut said = BufReader::new(child.stderr.take().expect("it is piped"));
    let mut line = String::new();
    said.read_line(&mut line).expect("it says where");
    let address = line.trim().rsplit(' ').next().expect("there is an address");
    let mut stream = std::net::TcpStream::connect(address).expect("somebody listens");
    let message = json!({ "seq": 1, "type": "request", "command": "initialize" }).to_string();
    write!(stream, "Content-Length: {}\r\n\r\n{message}", message.len()).expect("it reads");
    let mut line = String::new();
    BufReader::new(stream.try_clone().expect("it can be"))
        .read_line(&mut line)
        .expect("it answers");
    assert!(line.starts_with("Content-Length"), "{line}");
    drop(stream);
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

/// Says something at a port, and gives what comes back until that or the end.
fn said_at(address: &str, messages: &[&str], until: &str) -> String {
    let mut stream = std::net::TcpStream::connect(address).expect("somebody listens");
    for message in messages {
        // Who is sent away may find the connection reset.
        let _ = stream.write_all(message.as_bytes());
    }
    let (mut answer, mut chunk) = (Vec::new(), [0; 4096]);
    while let Ok(count @ 1..) = stream.read(&mut chunk) {
        answer.extend_from_slice(&chunk[..count]);
        if String::from_utf8_lossy(&answer).contains(until) {
            break;
        }
    }
    text(answer)
}

fn message(command: &str, arguments: Value) -> String {
    let message =
        json!({ "seq": 1, "type": "request", "command": command, "arguments": arguments });
    let message = message.to_string();
    format!("Content-Length: {}\r\n\r\n{message}", message.len())
}

/// Starts `debug --port` on the latest recording: the process, its address and its token.
fn at_a_port(place: &Place) -> (Child, String, String) {
    let mut command = place.hemiola();
    command.args(["debug", "--port", "0", "latest"]).stderr(Stdio::piped());
    let mut child = command.spawn().expect("hemiola can be run");
    let mut said = BufReader::new(child.stderr.as_mut().expect("it is piped"));
    let (mut address, mut token) = (String::new(), String::new());
    said.read_line(&mut address).expect("it says where");
    said.read_line(&mut token).expect("it says its token");
    let last = |line: &str| line.trim().rsplit(' ').next().expect("it has words").replace('"', "");
    (child, last(&address), last(&token))
}

#[test]
fn a_page_in_a_browser_cannot_drive_a_debugger() {
    let place = Place::new("debug-http", &[("total.js", TOTAL)]);
    place.record("total.js");
    let (mut child, address, token) = at_a_port(&place);
    assert!(address.starts_with("127.0.0.1:"), "{address}");
    let launch = message("launch", json!({ "token": token }));
    for head in ["POST / HTTP/1.1\r\nHost: x\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "\r\n\r\n", "{}"] {
        assert_eq!(said_at(&address, &[head, &launch], "}"), "", "{head:?} is sent away");
    }
    // Whoever speaks the protocol still comes, and with the token is let in.
    let done = message("configurationDone", json!({}));
    let first = message("initialize", json!({}));
    let asked = [&first, &launch, &done].map(String::as_str);
    let stopped = "\"event\":\"stopped\"";
    let printed = said_at(&address, &asked, stopped);
    assert!(printed.contains("\"event\":\"initialized\""), "{printed}");
    assert!(printed.contains(stopped), "{printed}");
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

#[test]
fn a_client_at_a_port_needs_the_token() {
    let place = Place::new("debug-token", &[("total.js", TOTAL)]);
    place.record("total.js");
    let breakpoints = json!({ "source": { "path": place.path("total.js") }, "breakpoints": [] });
    for (command, arguments) in [
        ("launch", json!({})),
        ("attach", json!({ "token": "0123456789abcdef0123456789abcdef" })),
        ("launch", json!({ "token": true })),
        ("setBreakpoints", breakpoints),
        ("loadedSources", json!({})),
        ("evaluate", json!({ "expression": "process.exit()" })),
    ] {
        let (mut child, address, _) = at_a_port(&place);
        let asked = message(command, arguments);
        let first = message("initialize", json!({}));
        let asked = [&first, &asked].map(String::as_str);
        let printed = said_at(&address, &asked, "no end but the connection's");
        assert!(printed.contains("this needs the token"), "{command}: {printed}");
        assert!(!printed.contains("\"event\""), "{command}: {printed}");
        assert_eq!(child.wait().expect("it ends").code(), Some(0));
    }
}

#[test]
fn a_session_on_a_recording_starts_no_other_program() {
    let harm = "require('node:fs').writeFileSync('harm.txt', '')";
    let place = Place::new("debug-other-program", &[("total.js", TOTAL), ("harm.js", harm)]);
    place.record("total.js");
    let mut client = place.client(&["latest"]);
    client.ask("initialize", json!({}));
    let seq = client.request("launch", json!({ "program": place.path("harm.js") }));
    let refused = client.response(seq);
    assert_eq!(refused["success"], false, "{refused}");
    // Neither once a recording was what was asked for.
    let mut client = place.client(&[]);
    client.ask("initialize", json!({}));
    client.ask("launch", json!({ "run": "latest" }));
    client.ask("terminate", json!({}));
    let seq = client.request("launch", json!({ "program": place.path("harm.js") }));
    let refused = client.response(seq);
    assert_eq!(refused["success"], false, "{refused}");
    assert!(refused["message"].as_str().is_some_and(|text| text.contains("does not start")));
    assert!(!place.0.join("harm.txt").exists());
}

#[test]
fn link_and_cause_lead_to_the_statement_in_its_own_function() {
    let program = "\
const later = (value) => new Promise((done) => setTimeout(done, 2, value));
async function work(name) {
  const x = await new Promise((done) => {
    const t = 2;
    setTimeout(() => {
      const v = name;
      done(v);
      later(v);
    }, t);
  });
  console.log(x);
  const y = await later(name);
  console.log(y);
  return later(y);
}
work('a').then((z) => {
  console.log(z);
});
work('b');
";
    let place = Place::new("debug-own-frame", &[("own.js", program)]);
    place.record("own.js");
    let mut client = place.launched("own.js", json!([{ "line": 11, "condition": "x === 'b'" }]));
    assert_eq!(client.stop(), ("breakpoint".into(), 11));
    let at = client.ask("hemiola/where", json!({}))["hemiola"]["step"].clone();
    assert_eq!(client.go("hemiola/reverseToLink"), ("step".into(), 3), "the await, not the timer");
    assert_eq!(client.value("name"), "'b'", "it is the same call");
    assert_eq!(client.frames()[0]["name"], "work");
    client.ask("hemiola/goto", json!({ "step": at }));
    client.stop();
    assert_eq!(client.go("hemiola/reverseToCause"), ("step".into(), 7), "not what came after it");
    assert_eq!(client.value("v"), "'b'");
    let set = |breakpoints: Value| json!({ "source": { "path": place.path("own.js") }, "breakpoints": breakpoints });
    client.ask("setBreakpoints", set(json!([{ "line": 13, "condition": "y === 'b'" }])));
    assert_eq!(client.go("continue"), ("breakpoint".into(), 13));
    assert_eq!(client.go("hemiola/reverseToLink"), ("step".into(), 12));
    assert_eq!(client.value("name"), "'b'");
    assert_eq!(client.go("stepBack"), ("step".into(), 11));
    assert_eq!(client.go("stepBack"), ("step".into(), 3), "over an await that calls functions");
    client.leave();
}

#[test]
fn the_cause_of_a_rejection_is_the_statement_that_rejected() {
    let program = "\
let fail;
const promise = new Promise((_, reject) => { fail = reject; });
promise.catch((error) => {
  console.log(error.message);
});
setTimeout(() => {
  const why = 'no';
  fail(new Error(why));
  const after = () => why + '!';
  after();
}, 1);
";
    let place = Place::new("debug-rejected", &[("rejected.js", program)]);
    place.record("rejected.js");
    let mut client = place.launched("rejected.js", json!([{ "line": 4 }]));
    assert_eq!(client.stop(), ("breakpoint".into(), 4));
    assert_eq!(client.go("hemiola/reverseToCause"), ("step".into(), 8));
    assert_eq!(client.value("why"), "'no'");
    client.leave();
}

/// The program of the paper, section 5, with a breakpoint at its `if`.
#[test]
fn only_the_chain_of_an_invocation_counts() {
    let place = Place::new("debug-chain", &[("files.js", FILES)]);
    place.record("files.js");
    let mut client = place.launched("files.js", json!([{ "line": 4 }, { "line": 6 }]));
    let mut seen = Vec::new();
    loop {
        let stop = if seen.is_empty() { client.stop() } else { client.go("continue") };
        seen.push(stop.1);
        if stop.1 == 6 {
            break;
        }
    }
    assert_eq!(seen, [4, 4, 6], "both files are read before the first timer");
    let first = client.invocation().0;
    assert_eq!(client.go("continue"), ("breakpoint".into(), 6));
    for (timeout, wanted) in [(client.invocation().0, 1), (first, 1)] {
        while client.invocation().0 != timeout {
            client.go("reverseContinue");
        }
        let read = client.invocation().1;
        // Whichever file it is, it is the one that led here.
        for _ in 0..wanted {
            assert_eq!(client.go("hemiola/reverseContinueChain"), ("breakpoint".into(), 4));
        }
        assert_eq!(client.invocation().0, read);
        assert_eq!(client.go("hemiola/reverseContinueChain").0, "entry", "there is no other");
        // The same with a box that is ticked at the stop.
        while client.invocation().0 != timeout {
            client.go("continue");
        }
        client.ask("setExceptionBreakpoints", json!({ "filters": ["chain"] }));
        assert_eq!(client.go("reverseContinue"), ("breakpoint".into(), 4));
        assert_eq!(client.invocation().0, read);
        assert_eq!(client.go("continue"), ("breakpoint".into(), 6));
        assert_eq!(client.invocation().0, timeout, "it goes both ways");
        client.ask("setExceptionBreakpoints", json!({ "filters": [] }));
    }
    client.leave();
    let script = "break 6\nc\nc\nbreak 4 chain\ninfo\nstart\nc\ndelete 1\nc\n";
    let printed = place.terminal(&[], script);
    assert!(printed.contains("breakpoint 2 at files.js:4:5, in the chain of #"), "{printed}");
    assert_eq!(printed.matches("breakpoint 2: ").count(), 1, "one of two files: {printed}");
}

#[test]
fn what_is_in_a_watched_value_counts() {
    let program = "\
const m = new Map();
const s = new Set([1]);
const o = { a: { b: 1 } };
class C { #p = 1; bump() { this.#p++; } }
const c = new C();
function f() { m.set('k', 1); }
console.log('start');
f();
m.set('k', 2);
s.add(2);
o.a.b = 2;
o.c = 3;
c.bump();
delete o.c;
console.log('end');
";
    let place = Place::new("debug-watched", &[("watched.js", program)]);
    place.record("watched.js");
    let changes = |expression: &str| {
        let script = format!("break 7\nc\nwatch {expression}\nc\nc\nc\n");
        let printed = place.terminal(&[], &script);
        let lines = printed.lines().filter(|line| line.contains("changed from"));
        let short = |line: &str| {
            let (what, at) = line.split_once(": step").expect("it says where");
            let place = at.rsplit("watched.js:").next().and_then(|at| at.split(':').next());
            let what = what.split_once("changed from ").expect("it says what").1;
            format!("{what} before line {}", place.unwrap_or_default())
        };
        lines.map(short).collect::<Vec<_>>()
    };
    assert_eq!(
        changes("m"),
        [
            "Map(0) {} to Map(1) { 'k' => 1 } before line 9",
            "Map(1) { 'k' => 1 } to Map(1) { 'k' => 2 } before line 10",
        ]
    );
    assert_eq!(changes("s"), ["Set(1) { 1 } to Set(2) { 1, 2 } before line 11"]);
    assert_eq!(changes("o.a.b"), ["1 to 2 before line 12"]);
    assert_eq!(changes("o.a"), ["{ b: 1 } to { b: 2 } before line 12"]);
    assert_eq!(changes("o.c"), ["undefined to 3 before line 13", "3 to undefined before line 15"]);
    assert_eq!(changes("c.#p"), ["1 to 2 before line 14"]);
    for (expression, reason) in [("m.size", "computed by code"), ("m.get('k')", "name a variable")]
    {
        let printed = place.terminal(&[], &format!("break 7\nc\nwatch {expression}\n"));
        assert!(printed.contains("cannot be watched") && printed.contains(reason), "{printed}");
    }
}

/// Six minutes when each of them took a copy of the process.
#[test]
fn a_condition_on_a_line_that_runs_a_hundred_thousand_times() {
    let program = "\
const seen = new Map();
let sum = 0;
for (let i = 0; i < 100000; i++) {
  sum += i;
  if (i % 50000 === 0) seen.set('name' + i, { i });
}
console.log(sum);
";
    let place = Place::new("debug-often", &[("often.js", program)]);
    place.record("often.js");
    let script = "break 4 if i === 99999 && seen.size > 1 && seen.get('name0').i < 1\nc\np i\n";
    let printed = place.terminal(&[], script);
    assert!(printed.contains("breakpoint 1: ") && printed.contains("\n99999\n"), "{printed}");
    // What may change something is evaluated in a copy, and changes nothing here.
    let script = "break 5 if i > 9 || (seen.clear(), sum = 0, false)\nc\np [i, sum, seen.size]\n";
    let printed = place.terminal(&[], script);
    assert!(printed.contains("[ 10, 55, 1 ]"), "{printed}");
}

#[test]
fn a_killed_run_ends_as_killed() {
    let program = "\
let n = 0;
setTimeout(() => console.log('later'), 900);
setInterval(() => {
  n++;
}, 10);
";
    let place = Place::new("debug-killed", &[("killed.js", program)]);
    let mut command = place.hemiola();
    command.args(["run", "--record", "killed.js"]).stdin(Stdio::null()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("hemiola can be run");
    let mut line = String::new();
    let mut printed = BufReader::new(child.stdout.take().expect("it is piped"));
    printed.read_line(&mut line).expect("it prints");
    assert_eq!(line, "later\n");
    child.kill().expect("it can be killed");
    child.wait().expect("it can be waited for");
    let said = place.terminal(&[], "c\ninfo\nrc\n");
    assert!(said.contains("the end, killed: step"), "{said}");
    assert!(said.contains("steps and was killed"), "{said}");
    assert!(!said.contains("exit status"), "{said}");
}

#[test]
fn a_session_begins_in_the_program_itself() {
    let files = [
        ("main.mjs", "import { f } from './lib.mjs';\nconsole.log('main', f());\n"),
        (
            "lib.mjs",
            "export const x = 1;\nexport function f() { return x; }\nconsole.log('lib');\n",
        ),
    ];
    let place = Place::new("debug-entry", &files);
    place.record("main.mjs");
    let said = place.terminal(&[], "rc\nc\nstart\n");
    let stops: Vec<&str> = said.lines().filter(|line| line.contains("step ")).collect();
    assert!(stops[0].starts_with("the beginning: step 2") && stops[0].contains("main.mjs:2"));
    assert!(stops[1].contains("step 0") && stops[1].contains("lib.mjs:1"), "{said}");
    assert!(stops[3].contains("main.mjs:2"), "{said}");
    assert!(said.starts_with("lib\n"), "what was printed before is printed: {said}");
    let mut client = place.client(&["latest"]);
    client.ask("initialize", json!({}));
    client.ask("launch", json!({ "stopOnEntry": true }));
    client.ask("configurationDone", json!({}));
    assert_eq!(client.stop(), ("entry".into(), 2));
    client.leave();
    // A breakpoint in what it imports is not passed over.
    let mut client = place.launched("lib.mjs", json!([{ "line": 3 }]));
    assert_eq!(client.stop(), ("breakpoint".into(), 3));
    client.leave();
}

#[test]
fn clocks_stand_where_the_program_does() {
    let program = "\
const { clock, spend } = require('hemiola:clock');
const a = clock('A');
let n = 0;
const timer = setInterval(function tick() {
  n++;
  if (n === 4) clearInterval(timer);
}, 10, 'A');
setTimeout(() => {}, 100);
";
    let place = Place::new("debug-clocks", &[("clocks.js", program)]);
    place.record("clocks.js");
    let script = "break 5 if currentTime('A') > none\nbreak 5\nc\np currentTime('A') > 0\n\
        p a.now() === currentTime('A')\np typeof a.lag()\np currentTime() >= currentTime('A')\n\
        p Math.abs(Date.now() - 1e12) < 1e12\np currentTime('B')\np performance.now() > 0\nquit\n";
    let said = place.terminal(&[], script);
    let values: Vec<&str> =
        said.lines().filter(|line| !line.contains(' ') || *line == "'number'").collect();
    assert_eq!(values, ["true", "true", "'number'", "true", "true", "undefined", "true"], "{said}");
    // The clock moves by ten at every tick: the third is twenty after the first.
    let said = place.terminal(&[], "break 5\nc\np currentTime('A')\n");
    let first: u64 = said.lines().last().and_then(|line| line.parse().ok()).expect("it is whole");
    let due = first + 20;
    let said = place.terminal(&[], &format!("break 5 if currentTime('A') === {due}\nc\np n\n"));
    assert_eq!(said.lines().last(), Some("2"), "{said}");
}
