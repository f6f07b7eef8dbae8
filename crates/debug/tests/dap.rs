//! A client of the protocol, with a toy behind the adapter.

use crate::common::{Shelf, random};
use hemiola_debug::dap::{codec, serve};
use serde_json::{Value, json};
use std::io::Write;
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};

#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("nobody panics").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// What comes of some bytes.
fn session(input: &[u8]) -> Vec<Value> {
    let (sender, incoming) = channel();
    let mut input = input;
    while let Some(message) = codec::read(&mut input).expect("memory can be read") {
        sender.send(message).expect("somebody listens");
    }
    drop(sender);
    let written = Written::default();
    serve(Shelf(random(2, 100)), None, incoming, Box::new(written.clone()));
    let bytes = written.0.lock().expect("nobody panics").clone();
    let mut bytes = bytes.as_slice();
    let mut all = Vec::new();
    while let Some(message) = codec::read(&mut bytes).expect("memory can be read") {
        match message {
            codec::Incoming::Message(message) => all.push(message),
            codec::Incoming::Bad(reason) => panic!("the adapter wrote garbage: {reason}"),
        }
    }
    all
}

fn requests(all: &[(&str, Value)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (seq, (command, arguments)) in (1..).zip(all) {
        let request =
            json!({ "seq": seq, "type": "request", "command": command, "arguments": arguments });
        codec::write(&mut bytes, &request).expect("memory can be written");
    }
    bytes
}

fn response<'a>(all: &'a [Value], command: &str) -> &'a Value {
    let is_it = |message: &&Value| message["type"] == "response" && message["command"] == command;
    all.iter().find(is_it).unwrap_or_else(|| panic!("{command} is answered: {all:#?}"))
}

fn stops(all: &[Value]) -> Vec<(&str, u64)> {
    let stops = all.iter().filter(|message| message["event"] == "stopped");
    let stops = stops.map(|stop| {
        let reason = stop["body"]["reason"].as_str().expect("a stop has a reason");
        (reason, stop["body"]["hemiola"]["step"].as_u64().expect("a stop has a step"))
    });
    stops.collect()
}

#[test]
fn a_session_forward_and_back() {
    let run = random(2, 100);
    let hits: Vec<u64> = (1..100).filter(|&at| run.spots[at as usize].line == 5).collect();
    let all = session(&requests(&[
        ("initialize", json!({})),
        ("launch", json!({ "run": "toy" })),
        (
            "setBreakpoints",
            json!({
                "source": { "path": "/toy.js" },
                "breakpoints": [{ "line": 5 }, { "line": 70 }],
            }),
        ),
        ("configurationDone", json!({})),
        ("continue", json!({ "threadId": 1 })),
        ("reverseContinue", json!({ "threadId": 1 })),
        ("stackTrace", json!({ "threadId": 1 })),
        ("scopes", json!({ "frameId": 1 })),
        ("variables", json!({ "variablesReference": 1 })),
        ("evaluate", json!({ "expression": "value", "frameId": 1 })),
        ("evaluate", json!({ "expression": "nothing", "frameId": 1 })),
        ("disconnect", json!({})),
    ]));
    let expected = [("breakpoint", hits[0]), ("breakpoint", hits[1]), ("breakpoint", hits[0])];
    assert_eq!(stops(&all), expected);
    let set = &response(&all, "setBreakpoints")["body"]["breakpoints"];
    assert_eq!((&set[0]["verified"], &set[0]["line"]), (&json!(true), &json!(5)));
    assert_eq!(set[1]["verified"], false);
    let frame = &response(&all, "stackTrace")["body"]["stackFrames"][0];
    assert_eq!((&frame["line"], &frame["source"]["path"]), (&json!(5), &json!("/toy.js")));
    let value = run.spots[hits[0] as usize].value.to_string();
    assert_eq!(response(&all, "variables")["body"]["variables"][0]["value"], value);
    assert_eq!(response(&all, "evaluate")["body"]["result"], value);
    assert_eq!(response(&all, "initialize")["body"]["supportsStepBack"], true);
    let seqs: Vec<u64> = all.iter().filter_map(|message| message["seq"].as_u64()).collect();
    assert_eq!(seqs, (1..=all.len() as u64).collect::<Vec<_>>());
}

#[test]
fn the_end_is_a_place_to_go_back_from_and_then_the_end() {
    let all = session(&requests(&[
        ("initialize", json!({})),
        ("attach", json!({ "run": "toy", "stopOnEntry": true })),
        ("configurationDone", json!({})),
        ("continue", json!({ "threadId": 1 })),
        ("continue", json!({ "threadId": 1 })),
    ]));
    assert_eq!(stops(&all), [("entry", 0), ("pause", 99)]);
    let exited = all.iter().find(|message| message["event"] == "exited").expect("it is told");
    assert_eq!(exited["body"]["exitCode"], 3);
    assert!(all.iter().any(|message| message["event"] == "terminated"));
}

#[test]
fn what_cannot_be_done_is_refused_and_the_session_goes_on() {
    let all = session(&requests(&[
        ("continue", json!({})),
        ("variables", json!(null)),
        ("initialize", json!({})),
        ("setBreakpoints", json!({})),
        ("dance", json!({})),
        ("launch", json!({ "run": "another" })),
        ("launch", json!({ "run": "toy" })),
        ("hemiola/reverseToLink", json!({})),
        ("hemiola/goto", json!({ "step": "x" })),
        ("threads", json!(7)),
    ]));
    for command in [
        "continue",
        "variables",
        "setBreakpoints",
        "dance",
        "hemiola/reverseToLink",
        "hemiola/goto",
    ] {
        let response = response(&all, command);
        assert_eq!(response["success"], false, "{command}");
        assert!(response["message"].as_str().is_some_and(|text| !text.is_empty()), "{command}");
    }
    assert_eq!(response(&all, "threads")["success"], true);
}

#[test]
fn breakpoints_before_the_launch_are_placed_by_it() {
    let all = session(&requests(&[
        ("initialize", json!({ "linesStartAt1": false })),
        (
            "setBreakpoints",
            json!({
                "source": { "path": "/toy.js" },
                "breakpoints": [{ "line": 4 }],
            }),
        ),
        ("configurationDone", json!({})),
        ("launch", json!({ "run": "toy" })),
        ("threads", json!({})),
    ]));
    assert_eq!(response(&all, "setBreakpoints")["body"]["breakpoints"][0]["verified"], false);
    let placed = all.iter().find(|message| message["event"] == "breakpoint").expect("it is told");
    assert_eq!(placed["body"]["breakpoint"]["line"], 4, "counted as the client counts");
    assert_eq!(stops(&all)[0].0, "breakpoint");
}

#[test]
fn garbage_is_answered_or_ends_the_session() {
    let good = requests(&[("initialize", json!({})), ("threads", json!({}))]);
    let mut state = 1_u64;
    for _ in 0..2000 {
        let mut bytes = good.clone();
        for _ in 0..3 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let at = (state >> 33) as usize % bytes.len();
            match state % 3 {
                0 => bytes[at] = (state >> 20) as u8,
                1 => drop(bytes.remove(at)),
                _ => bytes.insert(at, (state >> 20) as u8),
            }
        }
        session(&bytes);
    }
}
