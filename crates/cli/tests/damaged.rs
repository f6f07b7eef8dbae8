//! Traces and recordings that a disk, or somebody, has changed: no command that reads them fails otherwise than by
//! saying so. `HEMIOLA_DAMAGE` is how many of each are tried.

use crate::common::{HEMIOLA, isolated, text};
use crate::recordings::Place;
use hemiola_live::runs::{Manifest, Run};
use hemiola_machine::{Chooser, Seeded};
use hemiola_world::recording::{self, Entry, Sums};
use serde_json::{Value, json};
use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};

/// Some of everything that traces tell of.
const PROGRAM: &str = "
const fs = require('node:fs'), http = require('node:http');
let count = 0;
setInterval(function () { count++; console.log('A', count); if (count > 2) clearInterval(this); }, 2, 'A');
setTimeout(() => { count = 5; queueMicrotask(() => console.log('job')); }, 3);
fs.readFile(__filename, (error, bytes) => console.log('length', bytes.length));
fs.promises.readFile('nothing').catch((error) => console.log(error.code));
process.nextTick(() => obs('tick'));
(async () => { for await (const item of [1, 2]) { await null; obs(item); } })();
const server = http.createServer((request, response) => { setImmediate(() => response.end('hello ' + request.url)); });
server.listen(0, async () => {
  const response = await fetch(`http://127.0.0.1:${server.address().port}/user/17?x=1`);
  console.log(await response.text());
  server.close();
});
";

/// Numbers that a seed decides.
struct Dice(Seeded);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0.choose(bound)
    }

    fn one<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

/// How many are tried.
fn tries() -> u64 {
    std::env::var("HEMIOLA_DAMAGE").ok().and_then(|tries| tries.parse().ok()).unwrap_or(12)
}

/// What stands where a number should.
fn wrong(dice: &mut Dice) -> Value {
    let all = [
        json!(0),
        json!(1),
        json!(-1),
        json!(u32::MAX),
        json!(1_u64 << 53),
        json!(i64::MAX),
        json!(u64::MAX),
        json!(1e300),
        json!(1.5),
        json!("x"),
        json!(null),
        json!(true),
        json!([]),
        json!({}),
    ];
    dice.one(&all).clone()
}

/// Changes something in a value.
fn change(value: &mut Value, dice: &mut Dice) {
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            let names: Vec<String> = fields.keys().cloned().collect();
            let name = dice.one(&names).clone();
            match dice.below(8) {
                0 => drop(fields.remove(&name)),
                1 => {
                    let others =
                        ["n", "link", "cause", "op", "time", "at", "by", "queued", "period"];
                    let other = (*dice.one(&others)).to_owned();
                    fields.insert(other, wrong(dice));
                }
                _ => change(fields.get_mut(&name).expect("it is its name"), dice),
            }
        }
        Value::Array(items) if !items.is_empty() && dice.below(8) > 0 => {
            let at = dice.below(items.len());
            change(&mut items[at], dice);
        }
        other => *other = wrong(dice),
    }
}

/// Changes some lines; the first is a header, or like all others.
fn damage(lines: &[String], first: usize, dice: &mut Dice) -> Vec<String> {
    let mut lines = lines.to_vec();
    for _ in 0..=dice.below(5) {
        if lines.len() < first + 3 {
            break;
        }
        let at = first + dice.below(lines.len() - first);
        let other = first + dice.below(lines.len() - first);
        match dice.below(8) {
            0 => drop(lines.remove(at)),
            1 => lines.insert(at, lines[other].clone()),
            2 => lines.swap(at, other),
            3 => drop(lines.drain(at.min(other)..at.max(other).min(at.min(other) + 40))),
            _ => {
                let Ok(mut value) = serde_json::from_str(&lines[at]) else { continue };
                change(&mut value, dice);
                lines[at] = value.to_string();
            }
        }
    }
    lines
}

/// Changes bytes, or cuts.
fn flip(bytes: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    match dice.below(4) {
        0 => bytes.truncate(dice.below(bytes.len())),
        _ => {
            for _ in 0..=dice.below(4) {
                let at = dice.below(bytes.len());
                bytes[at] = dice.below(256) as u8;
            }
        }
    }
    bytes
}

/// Runs a command, which must say what is wrong and not fail in any other way.
fn survives(command: &mut Command, what: &str) {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("hemiola runs");
    let mut errors = Vec::new();
    child.stderr.take().expect("it is piped").read_to_end(&mut errors).expect("it can be read");
    let status = child.wait().expect("it ends");
    let message = String::from_utf8_lossy(&errors);
    let bad = message.contains("bug in hemiola") || message.contains("panicked");
    let code = status.code();
    assert!(code.is_some_and(|code| code != 70) && !bad, "{what}: {status}\n{message}");
}

/// What reads a run, without its name.
const READERS: &[&[&str]] = &[
    &["view", "--out", "page.html"],
    &["view", "--races", "--out", "page.html"],
    &["lineage"],
    &["lineage", "--format", "json"],
    &["lineage", "--format", "dot"],
    &["trace", "show"],
    &["trace", "export", "--to", "perfetto", "--out", "out.pftrace"],
    &["trace", "export", "--to", "chrome", "--out", "out.json"],
    &["trace", "export", "--to", "otlp", "--out", "out.otlp"],
];

fn hemiola(directory: &Path, words: &[&str]) -> Command {
    let mut command = isolated(HEMIOLA);
    // Whatever a recording says now, it ends.
    command.current_dir(directory).args(words).env("HEMIOLA_UNPACK_LIMIT", "64");
    command
}

#[test]
fn a_damaged_trace_is_read_or_refused() {
    let place = Place::new("damaged-traces", &[("rich.js", PROGRAM)]);
    let directory = &place.directory;
    let words: [&[&str]; 3] = [
        &["run", "--profile", "--trace", "one.jsonl", "rich.js"],
        &["simulate", "--instrument", "--trace", "two.jsonl", "rich.js"],
        &["simulate", "--trace", "three.jsonl", "-e", "setInterval(() => {}, 1, 'B').unref()"],
    ];
    for words in words {
        assert_eq!(place.call(words).status.code(), Some(0), "{words:?}");
    }
    let traces = ["one.jsonl", "two.jsonl", "three.jsonl"].map(|name| {
        let all = fs::read_to_string(directory.join(name)).expect("it was written");
        all.lines().map(str::to_owned).collect::<Vec<_>>()
    });
    for seed in 1..=tries() {
        let mut dice = Dice(Seeded::new(seed));
        let whole = dice.one(&traces);
        let damaged = match dice.below(5) {
            0 => flip(whole.join("\n").as_bytes(), &mut dice),
            _ => (damage(whole, 1, &mut dice).join("\n") + "\n").into_bytes(),
        };
        fs::write(directory.join("damaged.jsonl"), damaged).expect("it can be written");
        let more: [&[&str]; 2] = [&["verify"], &["trace", "diff", "one.jsonl"]];
        for words in READERS.iter().chain(&more) {
            let command = &mut hemiola(directory, words);
            survives(command.arg("damaged.jsonl"), &format!("seed {seed}: {words:?}"));
        }
    }
}

/// Writes a recording with other inputs, and sums that are theirs.
fn rewrite(directory: &Path, manifest: &Manifest, entries: &[Entry]) {
    let mut sums = Sums::default();
    let mut lines = Vec::new();
    recording::write(&mut lines, entries, &mut sums).expect("memory takes any text");
    let manifest = Manifest {
        inputs: manifest.inputs.map(|_| sums.count),
        digest: Some(sums.lines.hex()),
        program: Some(sums.modules.hex()),
        ..manifest.clone()
    };
    let packed = zstd::encode_all(lines.as_slice(), 1).expect("it can be packed");
    fs::write(directory.join("inputs.jsonl.zst"), packed).expect("it can be written");
    fs::write(directory.join("manifest.json"), manifest.to_json().to_string())
        .expect("it can be written");
}

#[test]
fn a_damaged_recording_is_replayed_or_refused() {
    let place = Place::new("damaged-recordings", &[("rich.js", PROGRAM)]);
    let output = place.call(&["run", "--record", "--timeout", "20s", "rich.js"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(output.stderr));
    let directory = place.only();
    let path = directory.to_str().expect("the path is text");
    let run = Run::open(directory.clone()).expect("it is whole");
    let entries = run.inputs().expect("it is whole");
    let mut lines = Vec::new();
    recording::write(&mut lines, &entries, &mut Sums::default()).expect("memory takes any text");
    let lines = text(lines).lines().map(str::to_owned).collect::<Vec<_>>();
    let files = ["manifest.json", "inputs.jsonl.zst"]
        .map(|name| (name, fs::read(directory.join(name)).expect("it is there")));
    for seed in 1..=tries() {
        for (name, bytes) in &files {
            fs::write(directory.join(name), bytes).expect("it can be written");
        }
        let mut dice = Dice(Seeded::new(seed));
        if dice.below(4) == 0 {
            let (name, bytes) = dice.one(&files);
            fs::write(directory.join(name), flip(bytes, &mut dice)).expect("it can be written");
        } else {
            let damaged = damage(&lines, 0, &mut dice);
            let damaged: Vec<Entry> =
                damaged.iter().filter_map(|line| recording::read(line).ok()).flatten().collect();
            let inputs = run.manifest.inputs.filter(|_| dice.below(3) > 0);
            rewrite(&directory, &Manifest { inputs, ..run.manifest.clone() }, &damaged);
        }
        let more: [&[&str]; 5] = [
            &["replay"],
            &["runs", "show"],
            &["runs", "pack", "--out", "packed.hemiola"],
            &["trace", "diff", path],
            &["debug", "--log", "rich.js:5 count"],
        ];
        for words in READERS.iter().chain(&more) {
            let command = &mut hemiola(&place.directory, words);
            survives(command.arg(path), &format!("seed {seed}: {words:?}"));
        }
        survives(&mut hemiola(&place.directory, &["runs", "list"]), "runs list");
    }
}
