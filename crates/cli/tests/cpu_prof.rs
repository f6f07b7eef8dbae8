//! `--cpu-prof`: where a program spends its time, as V8 writes it.

use crate::common::{Scratch, hemiola, text};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Output;

/// Most of its time is spent in `hot`, called in two ways.
const PROGRAM: &str = "\
function hot(n) { let s = 0; for (let i = 0; i < n; i++) s += inner(i); return s; }
const inner = (i) => Math.sqrt(i);
setTimeout(function later() { hot(400000); }, 30);
class A { m() { return hot(400000); } }
new A().m();
";

fn ran(folder: &Path, words: &[&str]) -> Output {
    hemiola(folder).args(words).output().expect("the command can be started")
}

/// The only profile in a folder.
fn profile(folder: &Path) -> Value {
    let files = fs::read_dir(folder).expect("it is there").map(|file| file.expect("it is").path());
    let mut files = files.filter(|file| file.extension().is_some_and(|it| it == "cpuprofile"));
    let file = files.next().expect("a profile was written");
    assert_eq!(files.next(), None);
    read(&file)
}

fn read(file: &Path) -> Value {
    serde_json::from_slice(&fs::read(file).expect("it was written")).expect("it is JSON")
}

fn number(value: &Value) -> i64 {
    value.as_i64().expect("it is a number")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// What a tool relies on: a tree of all nodes, samples of those, and times that add up. Gives who calls whom.
fn callers(profile: &Value) -> BTreeMap<i64, i64> {
    let mut callers = BTreeMap::new();
    let mut hits = BTreeMap::new();
    for node in list(&profile["nodes"]) {
        let id = number(&node["id"]);
        assert_eq!(hits.insert(id, number(&node["hitCount"])), None, "{id} is there twice");
        for child in list(&node["children"]) {
            assert_eq!(callers.insert(number(child), id), None, "{child} is called by two");
        }
    }
    assert_eq!(callers.len() + 1, hits.len(), "all but the root have a caller");
    let samples = list(&profile["samples"]);
    for sample in samples {
        *hits.get_mut(&number(sample)).expect("the node is there") -= 1;
    }
    assert!(hits.values().all(|&left| left == 0), "{hits:?}");
    let deltas = list(&profile["timeDeltas"]);
    assert_eq!(deltas.len(), samples.len());
    let sum: i64 = deltas.iter().map(number).sum();
    assert_eq!(sum, number(&profile["endTime"]) - number(&profile["startTime"]));
    callers
}

/// The nodes of a function: who called it, from the outside inwards, and how often it was seen.
fn seen(profile: &Value, name: &str) -> Vec<(String, i64)> {
    let callers = callers(profile);
    let nodes: BTreeMap<i64, &Value> =
        list(&profile["nodes"]).iter().map(|node| (number(&node["id"]), node)).collect();
    let name_of = |id: i64| nodes[&id]["callFrame"]["functionName"].as_str().expect("a name");
    let of_program = |id: &i64| {
        let url = nodes[id]["callFrame"]["url"].as_str().expect("a URL");
        url.starts_with("file:")
    };
    let mut all = Vec::new();
    for (&id, node) in &nodes {
        if name_of(id) == name && of_program(&id) {
            let chain = std::iter::successors(Some(id), |id| callers.get(id).copied());
            let mut chain: Vec<&str> = chain.filter(of_program).map(name_of).collect();
            chain.reverse();
            all.push((chain.join(" > "), number(&node["hitCount"])));
        }
    }
    all.sort();
    all
}

#[test]
fn the_time_is_where_the_program_computes() {
    for command in ["run", "simulate"] {
        let folder = Scratch::new(&format!("cpu-prof-{command}"));
        fs::write(folder.0.join("a.js"), PROGRAM).expect("it can be written");
        let words = [command, "--cpu-prof", "--cpu-prof-interval", "100", "a.js"];
        let output = ran(&folder.0, &words);
        assert_eq!(text(output.stderr), "");
        assert_eq!(output.status.code(), Some(0));
        let profile = profile(&folder.0);
        let hot = seen(&profile, "hot");
        let ways: Vec<&str> = hot.iter().map(|(way, _)| way.as_str()).collect();
        assert_eq!(ways, [" > m > hot", "later > hot"], "{command}");
        let hits = |ways: &[(String, i64)]| ways.iter().map(|(_, hits)| hits).sum::<i64>();
        let [inner, elsewhere @ ..] =
            ["inner", "", "later", "m"].map(|name| hits(&seen(&profile, name)));
        let elsewhere: i64 = elsewhere.iter().sum();
        // What `hot` calls calls something, too, and is so seen as often.
        assert!(hits(&hot).min(inner) > 10 * elsewhere, "{command}: {hot:?}, {inner}, {elsewhere}");
        let place = |name: &str| {
            let node = list(&profile["nodes"]).iter().find(|node| {
                let frame = &node["callFrame"];
                frame["functionName"] == name
                    && frame["url"].as_str().unwrap_or("").ends_with("/a.js")
            });
            let frame = &node.expect("it was seen")["callFrame"];
            (number(&frame["lineNumber"]), number(&frame["columnNumber"]))
        };
        assert_eq!([place("hot"), place("later"), place("m")], [(0, 0), (2, 11), (3, 10)]);
    }
}

#[test]
fn workers_have_files_of_their_own() {
    let folder = Scratch::new("cpu-prof-workers");
    let program = "\
const { Worker, isMainThread } = require('worker_threads');
if (isMainThread) new Worker(__filename);
else (function inWorker() { let s = 0; for (let i = 0; i < 400000; i++) s += Math.sqrt(i); return s; })();
";
    fs::write(folder.0.join("a.js"), program).expect("it can be written");
    let words = ["run", "--cpu-prof", "--cpu-prof-dir=deep/er", "--cpu-prof-name=it", "a.js"];
    let output = ran(&folder.0, &words);
    assert_eq!((text(output.stderr).as_str(), output.status.code()), ("", Some(0)));
    let directory = folder.0.join("deep/er");
    assert_eq!(seen(&read(&directory.join("it")), "inWorker"), []);
    let [(way, hits)] = &seen(&read(&directory.join("it.1")), "inWorker")[..] else {
        panic!("it runs there")
    };
    assert!(way == " > inWorker" && *hits > 0, "{way}: {hits}");
}

#[test]
fn a_callback_is_interrupted_at_the_same_step() {
    let folder = Scratch::new("cpu-prof-overrun");
    let program = "\
let n = 0;
process.on('exit', () => console.log(n));
setTimeout(() => { for (;;) { n++; [1, 2].map((x) => x + n); } }, 1);
";
    fs::write(folder.0.join("a.js"), program).expect("it can be written");
    let words = ["simulate", "--max-action", "5", "a.js"];
    let plain = ran(&folder.0, &words);
    assert_eq!(plain.status.code(), Some(1));
    let looked = [&words[..1], &["--cpu-prof", "--cpu-prof-interval=50"], &words[1..]].concat();
    let looked = ran(&folder.0, &looked);
    assert_eq!(looked, plain);
    assert!(!seen(&profile(&folder.0), "").is_empty());
}

#[test]
fn wrong_words_are_told() {
    let folder = Scratch::new("cpu-prof-wrong");
    fs::write(folder.0.join("a.js"), "process.exitCode = 3").expect("it can be written");
    let told = |words: &[&str]| {
        let output = ran(&folder.0, words);
        (output.status.code(), text(output.stderr))
    };
    for (words, message) in [
        (
            &["run", "--cpu-prof-name=x", "a.js"][..],
            "error: `--cpu-prof-name` says how `--cpu-prof` is to be done, which is not asked for\n\
             help: add `--cpu-prof`\n",
        ),
        (
            &["run", "--cpu-prof", "--cpu-prof-interval=soon", "a.js"],
            "error: `--cpu-prof-interval` must be a number of microseconds, not `soon`\n\
             help: leave it out to look every millisecond: 1000\n",
        ),
        (
            &["explore", "--cpu-prof", "a.js"],
            "error: `--cpu-prof` does not go with `explore`\n\
             help: look at one run: hemiola run --cpu-prof FILE\n",
        ),
        (
            &["simulate", "--seeds", "1..2", "--cpu-prof", "a.js"],
            "error: `--cpu-prof` is about one run, and does not go with `--seeds`\n\
             help: take one of them: hemiola simulate --seed N --cpu-prof FILE\n",
        ),
    ] {
        assert_eq!(told(words), (Some(2), message.to_owned()), "{words:?}");
    }
    // The program is none the worse.
    let (code, message) =
        told(&["run", "--cpu-prof", "--cpu-prof-dir=a.js/x", "--cpu-prof-name=y", "a.js"]);
    assert_eq!(code, Some(3));
    let told = "note: where the time went cannot be written to ";
    assert!(message.starts_with(told), "{message}");
    assert!(message.ends_with("/a.js/x/y: a part of its path is no directory\n"), "{message}");
}
