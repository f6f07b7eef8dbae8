//! `hemiola trace`: what happened in a run, shown, compared and in the forms of other tools.

use crate::common::{directory, hemiola, text};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Output, Stdio};
use std::thread;

/// Two clocks, of which one has an action with two callbacks and a tail; one callback of each class.
const CLOCKS: &str = "const fs = require('node:fs');
setTimeout(() => obs('a'), 10, 'A');
setTimeout(() => { obs('b'); Promise.resolve().then(() => obs('p')); }, 10, 'A');
setInterval(function () { obs('B'); clearInterval(this); }, 20, 'B');
setTimeout(() => {}, 1);
setImmediate(() => process.nextTick(() => console.log('now')));
fs.readFile(__filename, () => obs('read'));
";

struct Place {
    directory: PathBuf,
}

impl Place {
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        Self { directory: directory(name, files) }
    }

    fn call(&self, words: &[&str]) -> Output {
        let mut command = hemiola(&self.directory);
        command.env("HEMIOLA_RUNS", self.directory.join("runs")).stdin(Stdio::null());
        command.args(words).output().expect("hemiola runs")
    }

    /// What a command prints that must be well.
    fn good(&self, words: &[&str]) -> String {
        let output = self.call(words);
        let message = text(output.stderr);
        assert_eq!(output.status.code(), Some(0), "{words:?}: {message}");
        text(output.stdout)
    }

    fn refuses(&self, words: &[&str], code: i32, part: &str) {
        let output = self.call(words);
        let message = text(output.stderr);
        assert_eq!(output.status.code(), Some(code), "{words:?}: {message}");
        assert!(message.contains(part), "{words:?}: {message:?} does not say {part:?}");
        assert!(message.contains("help: "), "{words:?}: {message:?} does not say what to do");
    }

    fn record(&self, file: &str) {
        let output = self.call(&["run", "--record", file]);
        assert!(output.status.code().is_some(), "{}", text(output.stderr));
    }

    /// The events of the latest run.
    fn events(&self) -> Vec<Value> {
        lines(&self.good(&["trace", "export", "--to", "jsonl"]))
    }
}

/// The objects of a trace, without its header.
fn lines(text: &str) -> Vec<Value> {
    let objects = text.lines().map(|line| serde_json::from_str(line).expect("a line is an object"));
    objects.skip(1).collect()
}

fn began(events: &[Value]) -> Vec<&Value> {
    events.iter().filter(|event| event["ev"] == "began").collect()
}

#[test]
fn a_run_is_shown_with_places_and_sources() {
    let place = Place::new("trace_show", &[("clocks.js", CLOCKS)]);
    place.record("clocks.js");
    let shown = place.good(&["trace", "show"]);
    assert_eq!(shown, place.good(&["trace", "show", "latest"]), "two showings differ");
    let line = |part: &str| {
        shown.lines().find(|line| line.contains(part)).unwrap_or_else(|| panic!("{part}: {shown}"))
    };
    assert!(line("released r1").contains("[clocks.js:2:1  setTimeout(() => obs('a'), 10, 'A');]"));
    assert!(line("released r2").contains("[clocks.js:3:1  setTimeout(() => { obs('b');"));
    assert!(line("queued immediate").contains("[clocks.js:6:1  setImmediate("));
    assert!(line("fs.readFile").contains("clocks.js:7:4  readFile(__filename"));
    // What runs is shown where it was registered.
    let ran: Vec<&str> = shown.lines().filter(|line| line.contains(" ran ")).collect();
    assert!(ran.iter().any(|line| line.contains("B ") && line.contains("clocks.js:4:1")));
    assert!(ran.iter().any(|line| line.contains("io ") && line.contains("clocks.js:7:4")));
    assert!(shown.lines().all(|line| line == line.trim_end()), "lines end in spaces");
    // Every event but the places has a line with its number.
    let events = place.events();
    let told = events.iter().filter(|event| event["ev"] != "site").count();
    let numbers: Vec<usize> = shown
        .lines()
        .map(|line| line.split_whitespace().next().unwrap_or_default().parse().expect("a number"))
        .collect();
    assert_eq!(numbers, (1..=told).collect::<Vec<_>>());
}

/// Whether an event is wanted, by itself, by what runs then and by the labels of the clocks.
type Wants<'a> = dyn Fn(&Value, &Value, &BTreeMap<String, Value>) -> bool + 'a;

#[test]
fn filters_select_by_what_happened_where() {
    let place = Place::new("trace_filters", &[("clocks.js", CLOCKS)]);
    place.record("clocks.js");
    let all = lines(&place.good(&["trace", "show", "--format", "json"]));
    let events = place.events();
    let without: Vec<Value> = all
        .iter()
        .map(|event| {
            let mut event = event.clone();
            event.as_object_mut().expect("an object").shift_remove("event");
            event
        })
        .collect();
    assert_eq!(without, events, "all of a trace is shown, and is a trace again");
    // An oracle of its own: each event with the innermost callback that runs.
    let mut running = Value::Null;
    let mut labels = BTreeMap::new();
    let mut owned = Vec::new();
    for event in all.iter().filter(|event| event["ev"] != "site") {
        match event["ev"].as_str() {
            Some("began") => running = event.clone(),
            Some("opened") => {
                labels.insert(event["domain"].to_string(), event["label"].clone());
            }
            _ => {}
        }
        owned.push((event.clone(), running.clone(), labels.clone()));
        if event["ev"] == "ended" {
            running = Value::Null;
        }
    }
    let numbers = |words: &[&str]| -> Vec<u64> {
        let mut all = vec!["trace", "show", "--format", "json"];
        all.extend(words);
        let shown = lines(&place.good(&all));
        let shown = shown.iter().filter(|event| event["ev"] != "site");
        shown.map(|event| event["event"].as_u64().expect("a number")).collect()
    };
    let expected = |wants: &Wants<'_>| -> Vec<u64> {
        let wanted = owned.iter().filter(|(event, running, labels)| wants(event, running, labels));
        wanted.map(|(event, ..)| event["event"].as_u64().expect("a number")).collect()
    };
    for class in ["tick", "promise", "immediate", "timer", "io"] {
        let found = numbers(&["--class", class]);
        assert!(!found.is_empty(), "{class}");
        assert_eq!(
            found,
            expected(&|event, running, _| {
                running["class"] == class || event["ev"] == "queued" && event["class"] == class
            }),
            "{class}"
        );
    }
    assert_eq!(numbers(&["--class", "close"]), [0_u64; 0]);
    let of_clock = expected(&|event, running, labels| {
        let is_it = |value: &Value| labels.get(&value["domain"].to_string()) == Some(&json!("A"));
        is_it(running) || event["ev"] != "began" && is_it(event)
    });
    assert_eq!(numbers(&["--clock", "A"]), of_clock);
    assert_eq!(numbers(&["--domain", "A"]), of_clock);
    assert_eq!(numbers(&["--invocation", "1"]), expected(&|_, running, _| running["n"] == 1));
    let total = owned.len() as u64;
    assert_eq!(numbers(&["--at", "5", "-n", "3"]), [5, 6, 7]);
    assert_eq!(numbers(&["--at", &total.to_string()]), [total]);
    assert_eq!(numbers(&["--count", "0"]), [0_u64; 0]);
    assert_eq!(numbers(&["--from", "1h"]), [0_u64; 0]);
    assert_eq!(numbers(&["--until", "1h"]).len() as u64, total);
    let first = numbers(&["--until", "1ms"]);
    assert_eq!(first.first(), Some(&1));
    assert_eq!([first, numbers(&["--from", "1ms"])].concat(), (1..=total).collect::<Vec<_>>());
    assert_eq!(
        numbers(&["--grep", "obs a"]),
        expected(&|event, _, _| event["ev"] == "observed" && event["value"] == "a")
    );
    // A place counts as part of what it is of.
    assert!(place.good(&["trace", "show", "--grep", "clocks.js:2:1"]).contains("released r1"));
    // Filters are joined.
    let joined = numbers(&["--clock", "A", "--grep", "   obs ", "--class", "timer"]);
    assert_eq!(joined.len(), 2, "{joined:?}");
}

#[test]
fn the_first_difference_is_shown_side_by_side() {
    let program = "const last = process.argv[2];
setTimeout(() => obs('a'), 10, 'A');
setTimeout(() => obs(last), 20, 'A');
setTimeout(() => obs('z'), 30, 'A');
";
    let place = Place::new("trace_diff", &[("late.js", program)]);
    for (file, last, seed) in [("x.jsonl", "x", "1"), ("y.jsonl", "y", "2"), ("x2.jsonl", "x", "3")]
    {
        let words = ["simulate", "--seed", seed, "--trace", file, "late.js", last];
        place.good(&words);
    }
    let same = place.good(&["trace", "diff", "x.jsonl", "x.jsonl"]);
    let events = lines(&fs::read_to_string(place.directory.join("x.jsonl")).expect("a trace"));
    assert_eq!(same, format!("the same: {} events\n", events.len()));
    assert_eq!(place.good(&["trace", "diff", "x.jsonl", "x2.jsonl"]), same);
    let at = events.iter().position(|event| event["value"] == "x").expect("it is observed");

    let output = place.call(&["trace", "diff", "x.jsonl", "y.jsonl", "--context", "1"]);
    assert_eq!(output.status.code(), Some(100));
    let shown = text(output.stdout);
    let rows: Vec<&str> = shown.lines().collect();
    assert_eq!(rows[0], format!("the runs are the same for {at} events, then differ"));
    assert_eq!(rows[1].split_whitespace().collect::<Vec<_>>(), ["x.jsonl", "y.jsonl"]);
    assert_eq!(
        rows[3].split_whitespace().collect::<Vec<_>>(),
        [">", &(at + 1).to_string(), "obs", "x", "obs", "y"]
    );
    assert_eq!(rows.len(), 6, "{shown}");
    assert!(rows[5].contains("hemiola trace show x.jsonl --at"), "{shown}");
    let json = place.call(&["trace", "diff", "x.jsonl", "y.jsonl", "--format", "json"]);
    assert_eq!(
        text(json.stdout),
        format!(
            "{}\n",
            json!({
                "version": 1, "equal": false, "events": at,
                "left": { "ev": "observed", "value": "x" },
                "right": { "ev": "observed", "value": "y" },
            })
        )
    );
    // One that ends earlier is the same up to its end.
    let whole = fs::read_to_string(place.directory.join("x.jsonl")).expect("a trace");
    let part: String = whole.split_inclusive('\n').take(6).collect();
    fs::write(place.directory.join("part.jsonl"), part).expect("a trace can be written");
    for words in [["part.jsonl", "x.jsonl"], ["x.jsonl", "part.jsonl"]] {
        let output = place.call(&["trace", "diff", words[0], words[1]]);
        assert_eq!(output.status.code(), Some(100));
        let shown = text(output.stdout);
        assert!(shown.starts_with("the runs are the same for 5 events"), "{shown}");
        assert!(shown.contains("(the end)"), "{shown}");
    }
}

/// Two recordings are at other times: by default these do not count.
#[test]
fn times_count_by_their_clock_unless_all_count() {
    let program = "setTimeout(() => obs('a'), 2, 'A'); setTimeout(() => obs('b'), 5, 'A');";
    let place = Place::new("trace_times", &[("app.js", program)]);
    place.record("app.js");
    let first = place.good(&["runs", "list"]).split(' ').next().expect("an id").to_owned();
    place.record("app.js");
    assert!(place.good(&["trace", "diff", &first, "latest"]).starts_with("the same: "));
    assert!(place.good(&["trace", "diff", &first, &first, "--exact"]).starts_with("the same: "));
    let exact = place.call(&["trace", "diff", &first, "latest", "--exact"]);
    assert_eq!(exact.status.code(), Some(100), "two runs began at the same microseconds");
}

/// Slices of one lane are one within the other or apart; arrows go between the right callbacks. What must be
/// there is computed from the trace itself.
#[test]
fn a_chrome_trace_nests_and_has_all_arrows() {
    let place = Place::new("trace_chrome", &[("clocks.js", CLOCKS)]);
    place.record("clocks.js");
    let events = place.events();
    let exported = place.good(&["trace", "export", "--to", "chrome"]);
    assert_eq!(exported, place.good(&["trace", "export", "--to", "chrome"]), "two exports differ");
    let chrome: Vec<Value> = serde_json::from_str(&exported).expect("an array");
    let phase = |phase: &'static str| chrome.iter().filter(move |event| event["ph"] == phase);
    let nanos = |value: &Value| (value.as_f64().expect("a number") * 1000.0).round() as u64;
    let slices: Vec<(u64, u64, &Value)> = phase("X")
        .map(|event| (nanos(&event["ts"]), nanos(&event["ts"]) + nanos(&event["dur"]), event))
        .collect();
    for (begin, end, slice) in &slices {
        assert!(begin < end, "{slice} has no length");
        for (other_begin, other_end, other) in &slices {
            let is_apart = other_end <= begin || end <= other_begin;
            let is_within = begin < other_begin && other_end < end;
            let is_around = other_begin < begin && end < other_end;
            let is_fine = slice == other || slice["tid"] != other["tid"];
            assert!(is_fine || is_apart || is_within || is_around, "{slice} and {other} overlap");
        }
    }
    let callbacks = slices.iter().filter(|(.., slice)| slice["cat"] == "callback").count();
    assert_eq!(callbacks, began(&events).len());
    // One tag with two callbacks is one action.
    let action: Vec<_> = slices
        .iter()
        .filter(|(.., slice)| {
            slice["cat"] == "action"
                && slice["name"].as_str().is_some_and(|name| name.starts_with("A "))
        })
        .collect();
    assert_eq!(action.len(), 1, "{action:?}");
    let (begin, end, action) = action[0];
    let within = |(from, to, slice): &&(u64, u64, &Value)| {
        begin < from && to < end && slice["cat"] == "callback"
    };
    let inside: Vec<_> = slices.iter().filter(within).collect();
    let same_lane = inside.iter().filter(|(.., slice)| slice["tid"] == action["tid"]).count();
    assert_eq!(same_lane, 2, "{inside:?}");
    assert_eq!(inside.len(), 3, "the reaction is part of its action: {inside:?}");

    let around = |event: &Value| {
        let at = nanos(&event["ts"]);
        let found = slices.iter().filter(|(begin, end, slice)| {
            *begin <= at && at < *end && slice["tid"] == event["tid"]
        });
        let inner = found.max_by_key(|(begin, ..)| *begin).expect("an arrow is in a slice");
        inner.2["args"]["invocation"].as_u64().expect("of a callback")
    };
    let ends: BTreeMap<String, u64> =
        phase("f").map(|event| (event["id"].to_string(), around(event))).collect();
    let found: BTreeSet<(String, u64, u64)> = phase("s")
        .map(|event| {
            let kind = event["cat"].as_str().expect("a kind").to_owned();
            (kind, around(event), ends[&event["id"].to_string()])
        })
        .collect();
    let mut expected = BTreeSet::new();
    for event in began(&events) {
        let number = |name: &str| event[name].as_u64().expect("a number");
        for kind in ["cause", "link"] {
            if number(kind) != number("n") {
                expected.insert((kind.to_owned(), number(kind), number("n")));
            }
        }
    }
    assert_eq!(found, expected);
    assert_eq!(ends.len(), expected.len());
    let names: BTreeSet<&str> =
        phase("M").filter_map(|event| event["args"]["name"].as_str()).collect();
    for lane in [
        "clocks.js",
        "main program",
        "clock A",
        "clock B",
        "timers without a clock",
        "immediates",
        "I/O callbacks",
        "ticks and promises",
    ] {
        assert!(names.contains(lane), "no lane {lane}: {names:?}");
    }
    let asked = events.iter().filter(|event| event["ev"] == "requested").count();
    assert_eq!(phase("b").count(), asked);
    let sites = slices.iter().filter(|(.., slice)| slice["name"] == "clocks.js:2:1").count();
    assert_eq!(sites, 1, "a callback is called by its place");
}

/// `scripts/check-exports` reads it with Perfetto's own definitions; here it must be the same each time, and
/// consist of whole packets.
#[test]
fn a_perfetto_trace_is_packets_and_the_same_each_time() {
    let place = Place::new("trace_perfetto", &[("clocks.js", CLOCKS)]);
    place.record("clocks.js");
    let export = |file: &str| {
        assert_eq!(
            place.good(&["trace", "export", "--to", "perfetto", "--out", file]),
            format!("{file}\n")
        );
        fs::read(place.directory.join(file)).expect("it is written")
    };
    let first = export("first.pftrace");
    assert_eq!(first, export("second.pftrace"));
    let mut rest = first.as_slice();
    let mut packets = 0;
    while let Some((key, after)) = rest.split_first() {
        assert_eq!(*key, 0x0a, "a packet is field 1, with a length");
        let (mut length, mut shift, mut bytes) = (0_usize, 0, after);
        loop {
            let (byte, after) = bytes.split_first().expect("a length");
            length |= usize::from(byte & 0x7f) << shift;
            (shift, bytes) = (shift + 7, after);
            if byte & 0x80 == 0 {
                break;
            }
        }
        rest = &bytes[length..];
        packets += 1;
    }
    let events = place.events();
    assert!(packets > 2 * began(&events).len(), "{packets} packets");
}

#[test]
fn spans_have_their_cause_as_parent_and_their_link_as_link() {
    let program = "setTimeout(() => { throw new Error('late'); }, 1, 'A');
process.on('uncaughtException', () => Promise.resolve().then(() => console.log('caught')));
";
    let place = Place::new("trace_otlp", &[("late.js", program)]);
    place.record("late.js");
    let exported = place.good(&["trace", "export", "--to", "otlp"]);
    assert_eq!(exported, place.good(&["trace", "export", "--to", "otlp"]), "two exports differ");
    let request: Value = serde_json::from_str(&exported).expect("one request");
    let resource = &request["resourceSpans"][0];
    let service = json!({ "key": "service.name", "value": { "stringValue": "late.js" } });
    assert!(resource["resource"]["attributes"].as_array().expect("a list").contains(&service));
    let spans = resource["scopeSpans"][0]["spans"].as_array().expect("spans");
    let attribute = |span: &Value, key: &str| -> Option<u64> {
        let all = span["attributes"].as_array()?;
        let found = all.iter().find(|attribute| attribute["key"] == key)?;
        found["value"]["intValue"].as_str()?.parse().ok()
    };
    let invocation = |span: &Value| attribute(span, "hemiola.invocation").expect("a number");
    let by_id: BTreeMap<&str, u64> = spans
        .iter()
        .map(|span| (span["spanId"].as_str().expect("an id"), invocation(span)))
        .collect();
    assert_eq!(by_id.len(), spans.len(), "ids are different");
    assert!(by_id.keys().all(|id| id.len() == 16));
    let events = place.events();
    assert_eq!(spans.len(), began(&events).len());
    for event in began(&events) {
        let number = |name: &str| event[name].as_u64().expect("a number");
        let span = spans.iter().find(|span| invocation(span) == number("n")).expect("a span");
        assert_eq!(span["traceId"].as_str().map(str::len), Some(32));
        let parent = span["parentSpanId"].as_str().map(|id| by_id[id]);
        let link = span["links"][0]["spanId"].as_str().map(|id| by_id[id]);
        let other = |name: &str| (number(name) != number("n")).then(|| number(name));
        assert_eq!((parent, link), (other("cause"), other("link")), "{span}");
        let nanos =
            |name: &str| span[name].as_str().expect("a text").parse::<u64>().expect("a number");
        assert!(nanos("startTimeUnixNano") < nanos("endTimeUnixNano"));
        assert!(
            nanos("startTimeUnixNano") > 1_600_000_000_000_000_000,
            "it has the time of the run"
        );
    }
    let failed: Vec<&Value> = spans.iter().filter(|span| span["status"]["code"] == 2).collect();
    assert_eq!(failed.len(), 1);
    assert!(failed[0]["status"]["message"].as_str().is_some_and(|error| error.contains("late")));
    let written = spans
        .iter()
        .filter_map(|span| span["events"][0]["attributes"][0]["value"]["stringValue"].as_str());
    assert_eq!(written.collect::<Vec<_>>(), ["caught"]);
}

/// Answers one request with a status and a text, and gives back what was asked.
fn receiver(
    status: &'static str,
    said: &'static str,
) -> (String, thread::JoinHandle<(String, Vec<u8>)>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    let answer = thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("somebody connects");
        let (mut bytes, mut part) = (Vec::new(), [0; 4096]);
        loop {
            let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
            if let Some(end) = end {
                let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
                let length = head.lines().find_map(|line| line.strip_prefix("Content-Length: "));
                let length: usize = length.expect("a length").parse().expect("a number");
                if bytes.len() >= end + 4 + length {
                    let length = said.len();
                    let reply =
                        format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\n\r\n{said}");
                    stream.write_all(reply.as_bytes()).expect("it listens");
                    return (head, bytes[end + 4..].to_vec());
                }
            }
            let count = stream.read(&mut part).expect("it sends");
            bytes.extend_from_slice(&part[..count]);
        }
    });
    (format!("http://{address}"), answer)
}

#[test]
fn spans_are_sent_to_an_endpoint() {
    let place = Place::new("trace_endpoint", &[("clocks.js", CLOCKS)]);
    place.record("clocks.js");
    let (url, answer) = receiver("200 OK", "{}");
    let said = place.good(&["trace", "export", "--to", "otlp", "--endpoint", &url]);
    assert!(said.contains(&format!("spans to {url}/v1/traces")), "{said}");
    let (head, body) = answer.join().expect("it was asked");
    assert!(head.starts_with("POST /v1/traces HTTP/1.1\r\n"), "{head}");
    assert!(head.contains("Content-Type: application/json"), "{head}");
    let exported = place.good(&["trace", "export", "--to", "otlp"]);
    assert_eq!(text(body), exported.trim_end(), "what is sent is what is written");

    let (url, answer) = receiver("503 Service Unavailable", "said");
    let to = format!("{url}/other/path");
    let words = ["trace", "export", "--to", "otlp", "--endpoint", &to];
    place.refuses(&words, 2, "it answered 503 said");
    assert!(answer.join().expect("it was asked").0.starts_with("POST /other/path HTTP/1.1\r\n"));

    let part = "{\"partialSuccess\":{\"rejectedSpans\":\"2\",\"errorMessage\":\"too old\"}}";
    let (url, answer) = receiver("200 OK", part);
    let words = ["trace", "export", "--to", "otlp", "--endpoint", &url];
    place.refuses(&words, 2, "it rejected 2 spans too old");
    answer.join().expect("it was asked");

    // Nobody listens where somebody did.
    let gone = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address");
    let to = format!("http://{gone}");
    let words = ["trace", "export", "--to", "otlp", "--endpoint", &to];
    place.refuses(&words, 2, "cannot send the spans to");
    let words = ["trace", "export", "--to", "otlp", "--endpoint", "https://localhost"];
    place.refuses(&words, 2, "https is not supported");
    let words = ["trace", "export", "--to", "chrome", "--endpoint", "http://localhost"];
    place.refuses(&words, 2, "only OTLP has an endpoint");
}

/// Three tasks of which one runs at a time: what waits is owed, and late.
const TASKS: &str = "import { initialize, stop } from 'hemiola:scheduler';
let runs = 0;
await initialize([
  ['a', '*/10 * * * *', () => new Promise((resolve) => { setTimeout(resolve, 150_000); }), 60_000],
  ['b', '*/10 * * * *', () => { if (runs++ === 0) throw new Error('no'); }, 600_000],
  ['c', '*/10 * * * *', () => {}, 600_000],
], { store: process.argv[2], name: 'plant', node: 'one', concurrency: 1, log: false });
setTimeout(stop, 11 * 60_000);
";

/// The points of a metric: whose it is, when since the beginning of 2024, and a number.
fn points(exported: &Value, name: &str) -> Vec<String> {
    let metrics = exported["resourceMetrics"][0]["scopeMetrics"][0]["metrics"].as_array();
    let metric = metrics.and_then(|all| all.iter().find(|one| one["name"] == name));
    let metric = metric.expect("there is such a metric").as_object().expect("an object");
    let kinds = ["sum", "gauge", "histogram"].into_iter();
    let data = kinds.filter_map(|kind| metric.get(kind)).next().expect("it has data");
    let points = data["dataPoints"].as_array().expect("it has points").iter();
    let point = |point: &Value| {
        let attributes = point["attributes"].as_array().expect("it has attributes").iter();
        let whose: Vec<&str> =
            attributes.filter_map(|one| one["value"]["stringValue"].as_str()).collect();
        let at = point["timeUnixNano"].as_str().and_then(|at| at.parse::<u64>().ok());
        let at = at.expect("it has a time") / 1_000_000_000 - 1_704_067_200;
        let number = point["asInt"].as_str().map_or_else(
            || format!("{} in {}", point["count"].as_str().expect("a count"), point["sum"]),
            str::to_owned,
        );
        format!("{} at {at}: {number}", whose.join(" "))
    };
    points.map(point).collect()
}

/// What a scheduler does is told in numbers, of a file and of several nodes alike.
#[test]
fn metrics_of_tasks_are_exported() {
    let place = Place::new("trace_metrics", &[("tasks.mjs", TASKS)]);
    let export = ["trace", "export", "tasks.jsonl", "--to", "otlp-metrics"];
    for store in ["tasks.db", "postgres://me@db/tasks"] {
        let simulate = ["simulate", "--trace", "tasks.jsonl", "tasks.mjs", store];
        place.good(&simulate);
        let written = place.good(&export);
        place.good(&simulate);
        assert_eq!(written, place.good(&export), "a second run tells the same");
        let exported: Value = serde_json::from_str(&written).expect("one request");
        let path = place.directory.join(store).display().to_string();
        let whose = if store.starts_with("postgres") { "plant one" } else { &path };
        let told = |name: &str, expected: &[&str]| {
            let points = points(&exported, &format!("hemiola.task.{name}"));
            for part in expected {
                let (task, rest) = part.split_once(' ').expect("a task");
                let point = format!("{task} {whose} {rest}");
                assert!(points.contains(&point), "{store}: no {point:?} in {name}: {points:#?}");
            }
        };
        told("starts", &["a at 60: 1", "a at 660: 2", "b at 180: 1", "c at 180: 1"]);
        told("failures", &["a at 660: 0", "b at 180: 1", "c at 180: 0"]);
        let owed = points(&exported, "hemiola.task.owed");
        let owed = owed.iter().filter_map(|point| point.strip_prefix(whose)?.split_once(": "));
        assert_eq!(owed.map(|(_, owed)| owed).collect::<Vec<_>>(), ["2", "0", "2"], "{written}");
        let late = points(&exported, "hemiola.task.lateness");
        let sum = |task: &str| {
            let mut points = late.iter().filter(|point| point.starts_with(task));
            let sum = points.find_map(|point| point.split_once(" 1 in ")?.1.parse::<u64>().ok());
            sum.expect("a sum")
        };
        assert!(sum("a") < 100 && sum("b") > 150_000 && sum("c") > sum("b"), "{late:?}");
    }

    let (url, answer) = receiver("200 OK", "{}");
    let words = [&export[..], &["--endpoint", &url]].concat();
    let said = place.good(&words);
    assert!(said.contains(&format!("data points to {url}/v1/metrics")), "{said}");
    let (head, body) = answer.join().expect("it was asked");
    assert!(head.starts_with("POST /v1/metrics HTTP/1.1\r\n"), "{head}");
    assert_eq!(text(body), place.good(&export).trim_end(), "what is sent is what is written");
    let part = "{\"partialSuccess\":{\"rejectedDataPoints\":\"2\",\"errorMessage\":\"too old\"}}";
    let (url, answer) = receiver("200 OK", part);
    let words = [&export[..], &["--endpoint", &url]].concat();
    place.refuses(&words, 2, "it rejected 2 data points too old");
    answer.join().expect("it was asked");
}

#[test]
fn an_exported_trace_is_that_of_the_run() {
    let place = Place::new("trace_jsonl", &[("clocks.js", CLOCKS)]);
    place.good(&["run", "--record", "--trace", "run.jsonl", "clocks.js"]);
    place.good(&["trace", "export", "--to", "jsonl", "--out", "export.jsonl"]);
    let read = |file: &str| {
        let text = fs::read_to_string(place.directory.join(file)).expect("a trace");
        let mut events = lines(&text);
        events.retain(|event| event["ev"] != "site");
        events
    };
    assert_eq!(read("run.jsonl"), read("export.jsonl"));
    assert!(
        place.good(&["trace", "diff", "run.jsonl", "latest", "--exact"]).starts_with("the same")
    );
    // The file stands for the run everywhere.
    for form in ["chrome", "otlp"] {
        let exported = place.good(&["trace", "export", "export.jsonl", "--to", form]);
        assert!(exported.contains("clocks.js:2:1") || form == "otlp", "{exported}");
    }
}

/// With costs the order stays, and what computes for long is longer than what does not.
#[test]
fn callbacks_are_as_long_as_they_cost() {
    let program = "setTimeout(() => {}, 1, 'A');
setTimeout(() => { let sum = 0; for (let i = 0; i < 3e5; i++) sum += i; }, 2, 'A');
";
    let place = Place::new("trace_costs", &[("sum.js", program)]);
    place.record("sum.js");
    let words = ["trace", "export", "--to", "chrome", "--costs"];
    let chrome: Vec<Value> = serde_json::from_str(&place.good(&words)).expect("an array");
    let length = |name: &str| {
        let found = chrome.iter().find(|event| event["name"] == name && event["cat"] == "callback");
        found.and_then(|event| event["dur"].as_f64()).expect("a callback")
    };
    assert!(length("sum.js:2:1") > length("sum.js:1:1"), "{chrome:?}");
    let told = place.good(&["trace", "export", "--to", "jsonl", "--costs"]);
    assert!(told.contains("\"ev\":\"spent\""), "{told}");
}

/// A server is ended by a signal as a rule; what it did until then is worth seeing. Programs may throw.
#[test]
fn runs_that_were_stopped_or_failed_are_shown() {
    let place = Place::new(
        "trace_stopped",
        &[
            ("endless.js", "setTimeout(() => { for (;;) {} }, 1, 'A');"),
            ("fails.js", "setTimeout(() => { throw new Error('late'); }, 1, 'A');"),
        ],
    );
    let output = place.call(&["run", "--record", "--timeout", "300ms", "endless.js"]);
    assert_eq!(output.status.code(), Some(124));
    let output = place.call(&["trace", "show"]);
    let (shown, notes) = (text(output.stdout), text(output.stderr));
    assert_eq!(output.status.code(), Some(0), "{notes}");
    assert!(notes.contains("stopped from outside"), "{notes}");
    assert!(shown.lines().any(|line| line.contains("A ") && line.contains("ran #2")), "{shown}");
    place.record("fails.js");
    // Nobody catches it: the program ends there, with what it says of it.
    assert!(place.good(&["trace", "show"]).contains("Error: late"));
    assert!(place.good(&["trace", "export", "--to", "chrome"]).contains("Error: late"));
}

/// A program that was edited is shown from the source that was recorded.
#[test]
fn what_is_shown_is_what_was_recorded() {
    let place = Place::new("trace_edited", &[("app.js", "setTimeout(() => obs('old'), 1, 'A');")]);
    place.record("app.js");
    fs::write(place.directory.join("app.js"), "setImmediate(() => obs('new'));").expect("it can");
    let output = place.call(&["trace", "show"]);
    assert_eq!(output.status.code(), Some(0));
    let shown = text(output.stdout);
    assert!(
        shown.contains("setTimeout(() => obs('old'), 1, 'A');") && !shown.contains("new"),
        "{shown}"
    );
    assert!(text(output.stderr).contains("has changed since"));
}

#[test]
fn bad_input_is_refused_with_a_reason() {
    let header = "{\"format\":\"hemiola-trace\",\"version\":1}\n";
    let odd = concat!(
        "{\"format\":\"hemiola-trace\",\"version\":1}\n",
        "{\"ev\":\"ended\",\"n\":9}\n{\"ev\":\"left\",\"n\":3}\n{\"ev\":\"completed\",\"op\":7,\"at\":18446744073709551615}\n",
        "{\"ev\":\"began\",\"n\":18446744073709551615,\"class\":\"io\",\"op\":8,\"link\":4,\"cause\":18446744073709551614,\"at\":18446744073709551615}\n",
        "{\"ev\":\"site\",\"file\":\"\",\"line\":0,\"column\":0}\n",
        "{\"ev\":\"began\",\"n\":2,\"class\":\"timer\",\"domain\":77,\"time\":18446744073709551615,\"link\":2,\"cause\":2}\n",
        "{\"ev\":\"requested\",\"op\":7,\"by\":2}\n{\"ev\":\"requested\",\"op\":7,\"by\":2}\n",
        "{\"ev\":\"entered\",\"n\":3,\"link\":2,\"cause\":3}\n",
    );
    let newer = "{\"format\":\"hemiola-trace\",\"version\":99}\n";
    let files = [
        ("empty.jsonl", ""),
        ("other.jsonl", "{\"a\":1}\n"),
        ("newer.jsonl", newer),
        ("header.jsonl", header),
        ("broken.jsonl", "{\"format\":\"hemiola-trace\",\"version\":1}\n{\"ev\":\"began\"}\n"),
        ("odd.jsonl", odd),
    ];
    let place = Place::new("trace_bad", &files);
    place.refuses(&["trace", "show"], 2, "nothing has been recorded yet");
    place.refuses(&["trace", "show", "zzz"], 2, "there is no recording `zzz`");
    place.refuses(&["trace", "show", "nothing.jsonl"], 2, "there is no such file");
    for file in ["empty.jsonl", "other.jsonl"] {
        place.refuses(&["trace", "show", file], 2, "not a trace");
        place.refuses(&["trace", "diff", "header.jsonl", file], 2, "not a trace");
    }
    place.refuses(&["trace", "show", "newer.jsonl"], 103, "written by format 99");
    place.refuses(&["trace", "export", "--to", "chrome", "broken.jsonl"], 103, "line 2");
    place.refuses(&["trace", "diff", "header.jsonl", "broken.jsonl"], 103, "line 2");
    place.refuses(&["trace", "export", "--to", "svg"], 2, "`--to` does not know `svg`");
    let words = ["trace", "export", "--to", "chrome", "--out", "no/where", "header.jsonl"];
    place.refuses(&words, 2, "cannot write no/where");
    // What no run does is shown all the same, and harms nobody.
    for form in ["chrome", "otlp", "jsonl", "perfetto"] {
        for file in ["header.jsonl", "odd.jsonl"] {
            place.good(&["trace", "export", "--to", form, "--out", "out", file]);
        }
    }
    assert_eq!(place.good(&["trace", "show", "odd.jsonl"]).lines().count(), 8);
    assert_eq!(place.good(&["trace", "export", "--to", "otlp", "header.jsonl"]), "");
}
