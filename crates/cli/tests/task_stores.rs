//! `hemiola tasks`: the tasks of a store, for people and for programs.

use crate::cluster::server::server;
use crate::common::{directory, hemiola, text};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;

const PREPARE: &str = include_str!("task_runs/prepare.mjs");

/// What it says, what it remarks, and its exit status.
fn tasks(folder: &Path, words: &[&str]) -> (String, String, Option<i32>) {
    let output = hemiola(folder).arg("tasks").args(words).output().expect("hemiola runs");
    (text(output.stdout), text(output.stderr), output.status.code())
}

fn prepare(folder: &Path, store: &str) {
    let output =
        hemiola(folder).args(["run", "prepare.mjs", store]).output().expect("hemiola runs");
    assert!(output.status.success(), "{}", text(output.stderr));
}

fn object(folder: &Path, words: &[&str]) -> Value {
    let (out, err, code) = tasks(folder, &[words, &["--format", "json"]].concat());
    assert_eq!(code, Some(0), "{words:?}: {err}");
    let value: Value = serde_json::from_str(&out).expect("one object");
    assert_eq!(value["version"], 1);
    value
}

/// What a store says that was prepared, whatever its kind.
fn look_at(folder: &Path, store: &str) {
    let all = object(folder, &[store]);
    let state =
        |task: &Value| (task["id"].clone(), task["state"].clone(), task["lastError"].clone());
    let states: Vec<_> = all["tasks"].as_array().expect("a list").iter().map(state).collect();
    let dead = (json!("backup"), json!("dead"), json!("no disk\nat all"));
    assert_eq!(states, [dead, (json!("poll"), json!("waiting"), Value::Null)]);
    assert!(all["tasks"][1]["nextDue"].as_str().expect("a time").ends_with("02-29T00:00:00Z"));
    let (list, _, _) = tasks(folder, &[store, "list"]);
    let mut lines = list.lines();
    assert!(lines.next().expect("titles").starts_with("id      state    next due"), "{list}");
    let backup = lines.next().expect("a task");
    assert!(backup.starts_with("backup  dead "), "{list}");
    assert!(backup.ends_with("Z  failure: no disk"), "{list}");
    let runs = object(folder, &[store, "history", "backup"]);
    assert_eq!(runs["runs"].as_array().map(Vec::len), Some(1));
    assert_eq!(runs["runs"][0]["outcome"], "failure");
    assert_eq!(runs["runs"][0]["attempt"], 1);
    let (history, _, _) = tasks(folder, &[store, "history", "poll"]);
    assert_eq!(history, "it has not run\n");
    let dead = object(folder, &[store, "dead"]);
    assert_eq!(dead["dead"][0]["dead"]["attempts"], 1);
    let job = &object(folder, &[store, "jobs", "poll"])["jobs"][0];
    assert_eq!((&job["id"], &job["due"]), (&json!("@poll=first"), &json!("2100-01-01T00:00:00Z")));
    assert_eq!(job["payload"], r#"{"page":1}"#);
    let shown = tasks(folder, &[store, "show", "@poll=first"]).0;
    assert!(shown.contains("task      poll\n"), "{shown}");
    // What is changed is told, and what is not there.
    assert_eq!(object(folder, &[store, "pause", "poll"])["changed"], "poll");
    assert_eq!(object(folder, &[store])["tasks"][1]["state"], "paused");
    assert_eq!(object(folder, &[store, "resume", "poll"])["changed"], "poll");
    assert_eq!(object(folder, &[store, "retry", "backup"])["changed"], "backup");
    assert_eq!(object(folder, &[store, "cancel", "@poll=first"])["changed"], "@poll=first");
    let (_, err, code) = tasks(folder, &[store, "retry", "poll"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("poll was not given up, and waits for no attempt"), "{err}");
    let (_, err, code) = tasks(folder, &[store, "trigger", "nobody"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("there is no task `nobody`") && err.contains("backup, poll"), "{err}");
}

/// A file is looked at while no program holds it; what is changed counts for the next one.
#[test]
fn tasks_of_a_file() {
    let folder = directory("task-store", &[("prepare.mjs", PREPARE)]);
    let (_, err, code) = tasks(&folder, &["tasks.db"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("there is no store tasks.db"), "{err}");
    let (_, err, code) = tasks(&folder, &["list"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("no store is named") && err.contains("HEMIOLA_STORE"), "{err}");
    prepare(&folder, "tasks.db");
    look_at(&folder, "tasks.db");
    let (_, err, code) = tasks(&folder, &["tasks.db", "nodes"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("a store in a file has no nodes"), "{err}");
    let said = tasks(&folder, &["tasks.db", "trigger", "poll"]).0;
    assert_eq!(said, "poll: triggered, when a program starts with this store\n");
    let mut named = hemiola(&folder);
    let output = named.args(["tasks", "show", "poll"]).env("HEMIOLA_STORE", "tasks.db").output();
    let shown = text(output.expect("hemiola runs").stdout);
    assert!(shown.contains("pending   triggered\n"), "{shown}");
    // A program that holds it is not disturbed; it has run what was triggered and what was to be tried again.
    let mut holder = hemiola(&folder);
    holder.args(["run", "prepare.mjs", "tasks.db", "hold"]);
    holder.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut holder = holder.spawn().expect("hemiola runs");
    let mut said = String::new();
    let out = holder.stdout.as_mut().expect("it is piped");
    BufReader::new(out).read_line(&mut said).expect("it can be read");
    assert_eq!(said, "held\n");
    let (_, err, code) = tasks(&folder, &["tasks.db"]);
    drop(holder.stdin.take());
    assert!(holder.wait().expect("it ends").success());
    assert_eq!(code, Some(2));
    assert!(
        err.contains("another process holds tasks.db") && err.contains("ERR_STORE_LOCKED"),
        "{err}"
    );

    assert_eq!(object(&folder, &["tasks.db"])["tasks"][1]["lastError"], Value::Null);
    assert!(object(&folder, &["tasks.db"])["tasks"][1]["lastEnd"].is_string());
    assert_eq!(
        object(&folder, &["tasks.db", "history", "backup"])["runs"].as_array().map(Vec::len),
        Some(2)
    );
}

/// The same of a database, with its schedulers by name, and no table is made by who only looks.
#[test]
fn tasks_of_a_database() {
    let Some(server) = server("task-database") else { return };
    let address = server.database("task_database");
    let folder = directory("task-database", &[("prepare.mjs", PREPARE)]);
    let (_, err, code) = tasks(&folder, &[&address]);
    assert_eq!(code, Some(2));
    assert!(err.contains("there is no scheduler in this database"), "{err}");
    assert_eq!(server.sql("task_database", "SELECT to_regnamespace('hemiola') IS NULL"), "t");
    prepare(&folder, &address);
    let (_, err, code) = tasks(&folder, &[&address, "--name", "billing", "nodes"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("there is no scheduler named billing; there are: default"), "{err}");
    look_at(&folder, &address);
    assert_eq!(tasks(&folder, &[&address, "nodes"]).0, "nobody has joined\n");
    let (_, err, code) = tasks(&folder, &["postgres://ann:secret@h/x?pool=1"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("there is no parameter pool") && !err.contains("secret"), "{err}");
}
