//! The joined trace of a fleet, in every tool that reads traces.

use crate::common::{directory, hemiola, text};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

/// The directory of a test, with a fleet of three: a user asks an api, which asks a store that is cut off at first.
fn place(name: &str) -> PathBuf {
    let fleet = json!({
        "hosts": {
            "api": { "program": "api.js" },
            "store": { "program": "store.js", "clock": { "drift": 500 } },
            "user": { "program": { "file": "user.js", "args": ["--once"] } },
        },
        "link": { "latency": "2ms..5ms" },
        "faults": ["cut store at 50ms for 100ms"],
        "until": "2s",
    });
    let path = directory(name, &[("shop.fleet.json", &fleet.to_string())]);
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/joined");
    for entry in fs::read_dir(programs).expect("the programs are there") {
        let entry = entry.expect("a program").path();
        fs::copy(&entry, path.join(entry.file_name().expect("a name"))).expect("a copy");
    }
    path
}

fn run(directory: &Path, words: &[&str]) -> Output {
    hemiola(directory).args(words).output().expect("it can be run")
}

/// What a command prints that ends well.
fn said(directory: &Path, words: &[&str]) -> String {
    let output = run(directory, words);
    assert_eq!(output.status.code(), Some(0), "{words:?}: {}", text(output.stderr));
    text(output.stdout)
}

/// Writes the trace of a seed, and gives its lines.
fn trace(directory: &Path, seed: &str, file: &str) -> Vec<Value> {
    said(directory, &["fleet", "simulate", "shop.fleet.json", "--seed", seed, "--trace", file]);
    let written = fs::read_to_string(directory.join(file)).expect("a trace");
    written.lines().map(|line| serde_json::from_str(line).expect("an object")).collect()
}

/// FLEET-1: the header says what it is of, and every line whose it is.
#[test]
fn a_joined_trace_says_whose_everything_is() {
    let directory = place("joined_lines");
    let lines = trace(&directory, "3", "a.jsonl");
    let header = &lines[0];
    assert_eq!((&header["version"], &header["seed"]), (&json!(2), &json!(3)));
    assert_eq!(header["faults"], json!(["cut store at 50ms for 100ms"]));
    assert_eq!(
        header["hosts"][1],
        json!({ "name": "store", "programs": ["store.js"], "drift": 500 })
    );
    assert_eq!(header["hosts"][2]["programs"], json!(["user.js --once"]));
    for line in &lines[1..] {
        let is_whole = line["host"].is_string() && line["process"].is_u64();
        assert!(is_whole || line["ev"] == "fault", "{line}");
    }
    let count = |event: &str| lines.iter().filter(|line| line["ev"] == event).count();
    assert_eq!((count("started"), count("stopped"), count("fault")), (3, 1, 1));
    // What is received was sent before, by another process.
    let mut sent = BTreeMap::new();
    for line in &lines {
        if line["ev"] == "sent" {
            sent.insert(line["message"].as_u64(), line["process"].clone());
        }
        for message in line["messages"].as_array().into_iter().flatten() {
            let by = sent.get(&message.as_u64()).expect("it was sent");
            assert_ne!(*by, line["process"]);
        }
    }
    assert!(sent.len() >= 8, "{sent:?}");
    let again = trace(&directory, "3", "b.jsonl");
    assert!(lines == again, "a seed repeats its trace");
}

/// A request's cause crosses the wire.
#[test]
fn lineage_crosses_hosts() {
    let directory = place("joined_lineage");
    trace(&directory, "1", "a.jsonl");
    let told = said(&directory, &["lineage", "a.jsonl", "--tree", "cause", "--format", "json"]);
    let told: Value = serde_json::from_str(&told).expect("an object");
    let nodes = told["invocations"].as_array().expect("a list");
    let by_number: BTreeMap<u64, &Value> =
        nodes.iter().map(|node| (node["n"].as_u64().expect("a number"), node)).collect();
    // Where the store answers: everything that led there.
    let mut at = nodes
        .iter()
        .find(|node| node["host"] == "store" && node["kind"] == "timer")
        .expect("the store waits a little");
    let mut hosts = vec![at["host"].as_str().expect("a host")];
    while at["cause"] != at["n"] {
        at = by_number[&at["cause"].as_u64().expect("a number")];
        hosts.push(at["host"].as_str().expect("a host"));
    }
    hosts.dedup();
    assert_eq!(hosts, ["store", "api", "user"]);
    assert_eq!(at["kind"], "main program");

    let tree = said(&directory, &["lineage", "a.jsonl", "--tree", "cause", "--depth", "40"]);
    assert!(tree.contains("store: stream.read \"GET /items/7\""), "{tree}");
    let dot = said(&directory, &["lineage", "a.jsonl", "--tree", "cause", "--format", "dot"]);
    assert!(dot.contains("user: main program"), "{dot}");
}

#[test]
fn traces_of_fleets_are_shown_and_compared() {
    let directory = place("joined_trace");
    for (seed, file) in [("1", "a.jsonl"), ("1", "b.jsonl"), ("2", "c.jsonl")] {
        trace(&directory, seed, file);
    }
    let shown = said(&directory, &["trace", "show", "a.jsonl", "--host", "user"]);
    assert!(shown.contains("user                      sent m1 to api: a request for"), "{shown}");
    assert!(!shown.contains("turn of api") && !shown.contains("fault"), "{shown}");
    let shown =
        said(&directory, &["trace", "show", "a.jsonl", "--host", "store", "--grep", "fault"]);
    assert!(shown.contains("fault cut store at 50ms for 100ms"), "{shown}");
    // What is shown as JSON is a trace again, woven together.
    let flat = said(&directory, &["trace", "export", "a.jsonl", "--to", "jsonl"]);
    fs::write(directory.join("flat.jsonl"), flat).expect("it is written");
    for other in ["b.jsonl", "flat.jsonl"] {
        let same = said(&directory, &["trace", "diff", "--exact", "a.jsonl", other]);
        assert!(same.starts_with("the same: "), "{same}");
    }
    let differ = run(&directory, &["trace", "diff", "--exact", "a.jsonl", "c.jsonl"]);
    let told = text(differ.stdout);
    assert_eq!(differ.status.code(), Some(100), "{told}");
    assert!(told.contains("the runs are the same for") && told.contains("user "), "{told}");

    for form in ["perfetto", "chrome", "otlp"] {
        let refused =
            run(&directory, &["trace", "export", "a.jsonl", "--to", form, "--out", "out"]);
        assert_eq!(refused.status.code(), Some(2));
        let why = text(refused.stderr);
        assert!(why.contains("`trace export` cannot write the joined trace of a fleet"), "{why}");
    }
}

#[test]
fn the_page_of_a_fleet_has_its_messages_and_faults() {
    let directory = place("joined_view");
    trace(&directory, "1", "a.jsonl");
    said(&directory, &["view", "a.jsonl", "--out", "a.html"]);
    let page = fs::read_to_string(directory.join("a.html")).expect("a page");
    assert!(page.contains(r#"["store","store.js",0,null]"#), "no processes");
    assert!(
        page.contains(r#"[["cut store at 50ms for 100ms",["store"],50000,100000]]"#),
        "no faults"
    );
    assert!(page.contains(r#""a request for a connection","api""#), "no messages");
    assert!(page.contains("fleet simulate shop.fleet.json --seed 1"), "no command");
}

/// FLEET-8: a property over the observations of all hosts, each with its host before it.
#[test]
fn a_fleet_is_held_to_a_property() {
    let apart = "(^host in host out)*";
    let fleet = |second: &str| {
        let program = |at: &str| json!({ "program": { "file": "turns.js", "args": [at] } });
        json!({ "hosts": { "a": program("100"), "b": program(second) }, "until": "1s" })
    };
    let directory = place("joined_property");
    fs::write(directory.join("apart.spec"), format!("{apart}\n")).expect("it is written");
    let simulate = |name: &str, second: &str, spec: &str| {
        fs::write(directory.join(name), fleet(second).to_string()).expect("it is written");
        let words = ["fleet", "simulate", name, "--spec", spec, "--trace", "a.jsonl"];
        let output = run(&directory, &words);
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    assert_eq!(simulate("good.fleet.json", "200", "apart.spec").0, Some(0));
    let told = said(&directory, &["check", "a.jsonl", "--spec", apart]);
    assert_eq!(
        told,
        format!("conforms: the run keeps to the property\n  {apart}\n4 observations\n")
    );
    // Whether it is enough that nothing more comes is known where nothing can.
    let (code, told, _) = simulate("good.fleet.json", "200", "a in a out b in $");
    assert_eq!(code, Some(100), "{told}");

    let (code, told, _) = simulate("bad.fleet.json", "120", apart);
    assert_eq!(code, Some(100), "{told}");
    assert!(told.contains("seed 0 fails at 0.120 s on b: `in` breaks the property"), "{told}");
    let repeat = told.lines().find_map(|line| line.trim().strip_prefix("repeat: hemiola "));
    let repeat = repeat.unwrap_or_else(|| panic!("{told}"));
    assert!(repeat.ends_with("--spec '(^host in host out)*'"), "{repeat}");
    let checked = run(&directory, &["check", "a.jsonl", "--spec", apart]);
    assert_eq!(checked.status.code(), Some(100));
    assert_eq!(
        text(checked.stdout),
        "violated: the run breaks the property\n  (^host in host out)*\nobserved\n  a in b in\n       \
         ^ not allowed here\nat 0.120 s on b\n"
    );
    let checked = run(&directory, &["check", "a.jsonl", "--spec", apart, "--format", "json"]);
    let told: Value = serde_json::from_str(&text(checked.stdout)).expect("an object");
    assert_eq!((&told["conforms"], &told["host"]), (&json!(false), &json!("b")));
    assert_eq!(told["counterexample"], json!(["in", "in"]));

    let (code, _, why) = simulate("bad.fleet.json", "120", "(in");
    assert_eq!(code, Some(2), "{why}");
    let wrong = run(&directory, &["check", "a.jsonl", "--spec", apart, "--seed", "3"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(text(wrong.stderr).contains("is for programs, but `a.jsonl` is a trace"));
}

/// The trace of one program is held to a property, too.
#[test]
fn a_trace_is_held_to_a_property() {
    let directory = place("trace_property");
    said(&directory, &["simulate", "--trace", "one.jsonl", "turns.js", "5"]);
    let told = said(&directory, &["check", "one.jsonl", "--spec", "in out $"]);
    assert!(told.ends_with("2 observations\n"), "{told}");
    let broken = run(&directory, &["check", "one.jsonl", "--spec", "in out again $"]);
    assert_eq!(broken.status.code(), Some(100));
    assert!(text(broken.stdout).contains("  in out\n         ^ may not end here\n"));
}

/// Each scheduler of a fleet is held to its theory, its processes one after the other.
#[test]
fn schedulers_of_a_fleet_are_verified() {
    let directory = place("joined_verify");
    let fleet = json!({
        "hosts": {
            "one": { "program": "tasks.mjs" },
            "two": { "programs": ["tasks.mjs", "turns.js"] },
        },
        "faults": ["crash one at 90s for 45s"],
        "until": "5m",
    });
    fs::write(directory.join("tasks.fleet.json"), fleet.to_string()).expect("it is written");
    let simulate = |faults: &[&str]| {
        let words = ["fleet", "simulate", "tasks.fleet.json", "--trace", "a.jsonl"];
        said(&directory, &[&words, faults].concat());
    };
    simulate(&[]);
    let told = said(&directory, &["verify", "a.jsonl"]);
    let names: Vec<&str> = told.lines().filter(|line| matches!(*line, "one" | "two/1")).collect();
    assert_eq!(names, ["one", "two/1"], "{told}");
    assert_eq!(told.matches("blame: none").count(), 2, "{told}");
    let told = said(&directory, &["verify", "a.jsonl", "--format", "json"]);
    let hosts: Vec<Value> = told
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("an object")["host"].clone())
        .collect();
    assert_eq!(hosts, ["one", "two/1"]);

    simulate(&["--faults", "pause two at 70s for 90s"]);
    let refused = run(&directory, &["verify", "a.jsonl"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(refused.stderr).contains("`verify` cannot judge two/1: it was paused"));
    let twice = run(&directory, &["verify", "a.jsonl", "a.jsonl"]);
    assert!(text(twice.stderr).contains("is the joined trace of a fleet"));
}

/// A joined trace is run again from what its header says, and compared.
#[test]
fn a_joined_trace_is_replayed() {
    let directory = place("joined_replay");
    let fleet = fs::read_to_string(directory.join("shop.fleet.json")).expect("the fleet");
    let mut fleet: Value = serde_json::from_str(&fleet).expect("an object");
    fleet["faults"] = json!({ "crash": "20/min", "cut": "20/min", "pause": "10/min" });
    fleet["until"] = json!("10s");
    fs::write(directory.join("shop.fleet.json"), fleet.to_string()).expect("it is written");
    let words =
        ["fleet", "simulate", "shop.fleet.json", "--seed", "4", "--hosts", "api,store,user"];
    run(&directory, &[&words[..], &["--trace", "a.jsonl"]].concat());
    let again = run(&directory, &["replay", "a.jsonl", "--trace", "b.jsonl"]);
    let notes = text(again.stderr);
    assert_eq!(again.status.code(), Some(0), "{notes}");
    assert!(notes.contains("note: the same: "), "{notes}");
    let [first, second] =
        ["a.jsonl", "b.jsonl"].map(|file| fs::read(directory.join(file)).expect("a trace"));
    assert!(first == second, "the trace is another one");

    let store = fs::read_to_string(directory.join("store.js")).expect("the program");
    fs::write(directory.join("store.js"), store.replace("}, 5)", "}, 6)")).expect("a change");
    let again = run(&directory, &["replay", "a.jsonl"]);
    let notes = text(again.stderr);
    assert_eq!(again.status.code(), Some(101), "{notes}");
    assert!(notes.contains("the fleet does something else at line"), "{notes}");
    fs::remove_file(directory.join("store.js")).expect("it is there");
    assert_eq!(run(&directory, &["replay", "a.jsonl"]).status.code(), Some(2));
}

/// One program of a fleet is debugged in the world that the fleet gave it.
#[test]
fn a_program_of_a_fleet_is_debugged() {
    let directory = place("joined_debug");
    trace(&directory, "1", "a.jsonl");
    let log = ["--log", "store.js:6 request.url", "a.jsonl"];
    let debugged = run(&directory, &[&["debug", "--host", "store"][..], &log].concat());
    // It waited when the world ended.
    assert_eq!(debugged.status.code(), Some(137), "{}", text(debugged.stderr));
    let told = text(debugged.stdout);
    assert!(told.contains("store.js:6] /items/7"), "{told}");

    let which = run(&directory, &["debug", "--tty", "a.jsonl"]);
    assert_eq!(which.status.code(), Some(2));
    let why = text(which.stderr);
    assert!(why.contains("choose one: --host api, --host store, --host user"), "{why}");
    let which = run(&directory, &["debug", "--tty", "a.jsonl", "--host", "nobody"]);
    assert!(text(which.stderr).contains("has no program `nobody`"));
    let which = run(&directory, &["debug", "--tty", "--host", "user", "user.js"]);
    assert!(text(which.stderr).contains("choose a program of a fleet"));
}

/// A program that is killed is followed up to there, and its next process can be chosen.
#[test]
fn processes_that_were_killed_are_debugged() {
    let directory = place("joined_killed");
    let words = ["fleet", "simulate", "shop.fleet.json", "--trace", "a.jsonl"];
    said(&directory, &[&words[..], &["--faults", "crash store at 20ms for 50ms"]].concat());
    let log = ["debug", "--log", "store.js:5 'asked'", "a.jsonl"];
    let first = run(&directory, &[&log[..], &["--host", "store"]].concat());
    let notes = text(first.stderr);
    assert!(notes.contains("store was started 2 times; this is process 1 of 1, 3"), "{notes}");
    assert!(!text(first.stdout).contains("asked"), "nobody asks it before");
    let second = run(&directory, &[&log[..], &["--process", "3"]].concat());
    let (told, notes) = (text(second.stdout), text(second.stderr));
    assert!(told.contains("asked"), "{told}{notes}");
}

/// Every process of a fleet can be recorded; each recording is one like any other.
#[test]
fn processes_of_a_fleet_are_recorded() {
    let directory = place("joined_record");
    let words = ["fleet", "simulate", "shop.fleet.json", "--record", "--trace", "a.jsonl"];
    let output = run(&directory, &words);
    let notes = text(output.stderr);
    assert_eq!(output.status.code(), Some(0), "{notes}");
    let ids: Vec<(&str, &str)> = notes
        .lines()
        .filter_map(|line| line.split_once(": note: recorded; run it again: hemiola replay "))
        .collect();
    let hosts: Vec<&str> = ids.iter().map(|(host, _)| *host).collect();
    assert_eq!(hosts, ["api", "store", "user"], "{notes}");
    // Recording changes nothing.
    trace(&directory, "0", "b.jsonl");
    let [first, second] =
        ["a.jsonl", "b.jsonl"].map(|file| fs::read(directory.join(file)).expect("a trace"));
    assert!(first == second, "who is recorded does something else");
    for (host, id) in ids {
        let again = run(&directory, &["replay", id, "--trace", "one.jsonl"]);
        let notes = text(again.stderr);
        // A program that waited when the world ended was stopped there.
        let is_well =
            matches!((host, again.status.code()), ("user", Some(0)) | ("api" | "store", Some(101)));
        assert!(is_well, "{host}: {:?} {notes}", again.status);
        let own = |line: &Value| line["host"] == host && line["ev"] == "began";
        let fleet = fs::read_to_string(directory.join("a.jsonl")).expect("a trace");
        let began = |text: &str, of: &dyn Fn(&Value) -> bool| -> Vec<Value> {
            let lines = text.lines().map(|line| serde_json::from_str(line).expect("an object"));
            let keep = |line: &Value| json!([line["n"], line["class"], line["at"]]);
            lines.filter(of).map(|line: Value| keep(&line)).collect()
        };
        let one = fs::read_to_string(directory.join("one.jsonl")).expect("a trace");
        let (then, now) = (began(&fleet, &own), began(&one, &|line| line["ev"] == "began"));
        assert_eq!(now[..then.len().min(now.len())], then[..], "{host}");
    }
}

/// Whatever is done to a joined trace, no command dies of it.
#[test]
fn damaged_joined_traces_are_refused() {
    let directory = place("joined_damaged");
    trace(&directory, "1", "a.jsonl");
    let whole = fs::read_to_string(directory.join("a.jsonl")).expect("a trace");
    let lines: Vec<&str> = whole.lines().collect();
    let with = |change: &dyn Fn(&str) -> String| {
        let lines: Vec<String> = lines.iter().map(|line| change(line)).collect();
        lines.join("\n") + "\n"
    };
    let damaged = [
        ("no hosts", with(&|line| line.replace("\"hosts\":[{", "\"hosts\":7,\"x\":[{"))),
        ("other processes", with(&|line| line.replace("\"process\":1", "\"process\":4294967295"))),
        ("no starts", with(&|line| line.replace("\"ev\":\"started\"", "\"ev\":\"left\",\"n\":9"))),
        ("one number", with(&|line| line.replace("\"n\":2", "\"n\":1"))),
        ("no ends", with(&|line| line.replace("\"ev\":\"ended\"", "\"ev\":\"left\""))),
        ("wild drift", with(&|line| line.replace("\"drift\":500", "\"drift\":-1000000"))),
        ("no process", with(&|line| line.replace("\"process\":0,", ""))),
        (
            "backwards",
            lines[..1].iter().chain(lines[1..].iter().rev()).map(|l| format!("{l}\n")).collect(),
        ),
        ("half", whole[..whole.len() / 2].to_owned()),
    ];
    for (what, text_of) in damaged {
        fs::write(directory.join("bad.jsonl"), text_of).expect("it is written");
        for words in [
            &["trace", "show", "bad.jsonl"][..],
            &["lineage", "bad.jsonl"],
            &["view", "bad.jsonl", "--out", "bad.html"],
            &["trace", "diff", "a.jsonl", "bad.jsonl"],
            &["check", "bad.jsonl", "--spec", ". .*"],
            &["verify", "bad.jsonl"],
            &["replay", "bad.jsonl"],
            &["debug", "--log", "api.js:5 1", "bad.jsonl", "--host", "api"],
        ] {
            let output = run(&directory, words);
            let code = output.status.code();
            assert!(
                matches!(code, Some(0 | 2 | 100 | 101 | 103 | 137)),
                "{what}, {words:?}: {code:?} {}",
                text(output.stderr)
            );
        }
    }
    fs::write(directory.join("newer.jsonl"), whole.replace("\"version\":2", "\"version\":3"))
        .expect("it is written");
    let newer = run(&directory, &["trace", "show", "newer.jsonl"]);
    assert_eq!(newer.status.code(), Some(103));
    assert!(text(newer.stderr).contains("this build reads 1 to 2"));
}
