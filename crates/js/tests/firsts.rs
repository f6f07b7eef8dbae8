//! Every public function of the library works as the first thing a program does: whatever it needs of the rest of
//! the library is loaded by then.

use crate::common::{options, with_stack};
use hemiola_js::{Ending, Entry, InputType, Options};
use hemiola_live::SystemTree;
use hemiola_machine::{Delay, First, Silent, Stream};
use hemiola_world::{Overlay, Virtual};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/firsts")
}

/// What a program of its own engine prints, and its exit code.
fn printed(source: String, input_type: InputType) -> (String, Option<i32>) {
    let output = RefCell::new(Vec::new());
    let files = Arc::new(Overlay::new(Arc::new(SystemTree::default())));
    let entry = Entry::Text { source, name: "[eval1]".into() };
    let options = Options {
        cwd: folder().join("folder").display().to_string(),
        disk: files.clone(),
        input_type,
        ..options(entry)
    };
    let write = |stream: Stream, bytes: &[u8]| {
        // What only warns is no outcome.
        if stream == Stream::Out {
            output.borrow_mut().extend_from_slice(bytes);
        }
        Ok(())
    };
    let mut world = Virtual::new(7, files, write).until(Delay::from_millis(1_000_000));
    let code = hemiola_js::run(options, Ending::Freed, &mut world, &mut First, &mut Silent);
    let text = String::from_utf8_lossy(&output.borrow()).into_owned();
    (text, code.ok())
}

/// Runs the driver on a task. Its lines begin with a word.
fn drive(task: &Value, word: &str) -> Vec<String> {
    let driver = fs::read_to_string(folder().join("driver.js")).expect("the driver is there");
    let (text, code) = printed(format!("const TASK = {task};\n{driver}"), InputType::CommonJs);
    let lines = text.lines().filter_map(|line| line.strip_prefix(word));
    let mut lines: Vec<String> = lines.map(str::to_owned).collect();
    if lines.is_empty() {
        lines.push(format!("ended with {code:?}"));
    }
    lines
}

/// What came of one call.
fn outcome(call: &Value, is_loaded: bool) -> String {
    let mut task = call.clone();
    task["loaded"] = is_loaded.into();
    drive(&task, "OUTCOME ").concat()
}

/// In an engine in which nothing else was called, and in one that has loaded the whole library, the same comes
/// of a call. Those that a program with everything loaded makes one after the other say what to expect; where a
/// call before has changed something, the call is made again alone.
#[test]
fn every_function_works_as_the_first_thing_a_program_does() {
    with_stack(|| {
        let known = fs::read_to_string(folder().join("calls.json")).unwrap_or_default();
        let known: Value = serde_json::from_str(&known).unwrap_or_default();
        let told = drive(&json!({ "known": known }), "CASE ");
        let calls: Vec<Value> = told
            .iter()
            .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("not a case: {line}")))
            .collect();
        assert!(calls.len() > 800, "there are {} calls", calls.len());
        let mut wrong = BTreeMap::new();
        for call in &calls {
            let first = outcome(call, false);
            if call["outcome"] != first.as_str() {
                let loaded = outcome(call, true);
                if loaded != first {
                    let mut shown = call.clone();
                    shown["outcome"] = Value::Null;
                    wrong.insert(shown.to_string(), (first, loaded));
                }
            }
        }
        assert!(wrong.is_empty(), "first, and with all loaded:\n{wrong:#?}");
        if std::env::var_os("UPDATE").is_some() {
            let mut all = calls;
            all.iter_mut().for_each(|call| {
                call.as_object_mut().map(|call| call.remove("outcome"));
            });
            let lines: Vec<String> = all.iter().map(Value::to_string).collect();
            let text = format!("[\n{}\n]\n", lines.join(",\n"));
            fs::write(folder().join("calls.json"), text).expect("it can be written");
        }
    });
}

/// Each line of `programs.mjs` is a program; `programs.out` has what Node 20 printed for it.
#[test]
fn first_calls_answer_what_node_answers() {
    with_stack(|| {
        let read = |name| fs::read_to_string(folder().join(name)).expect("it is there");
        let programs = read("programs.mjs");
        let programs = programs.lines().filter(|line| !line.starts_with("//"));
        let mut seen = String::new();
        for program in programs {
            let (text, code) = printed(program.to_owned(), InputType::Module);
            seen += &format!("{program}\n  {} {code:?}\n", text.trim_end().replace('\n', "\n  "));
        }
        assert_eq!(seen, read("programs.out"));
    });
}
