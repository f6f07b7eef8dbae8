//! `hemiola verify` from the outside; what it says of many traces is tested beside the monitor.

use crate::common::session;

const DOUBLE: &str = r#"{"time_unit": "ms", "params": {"a": 0, "b": 100, "tlag": 20},
 "tasks": {"a": {"id": "A", "rd": 300000}},
 "lists": {"R": {"tasks": ["a"], "valid": true}},
 "events": [
  {"t": 10, "ev": "InitStart", "R": "R", "call": 1},
  {"t": 20, "ev": "InitSuccess", "R": "R", "call": 1},
  {"t": 60000, "ev": "Due", "x": "a"},
  {"t": 60005, "ev": "RunStart", "x": "a"},
  {"t": 60010, "ev": "RunSuccess", "x": "a"},
  {"t": 60020, "ev": "RunStart", "x": "a"}]}
"#;

const LATE: &str = r#"{"tasks": {"a": {"id": "A", "rd": 300000}},
 "lists": {"R": {"tasks": ["a"], "valid": true}},
 "events": [
  {"t": 10, "ev": "InitStart", "R": "R", "call": "first"},
  {"t": 20, "ev": "InitSuccess", "R": "R", "call": "first"},
  {"t": 60000, "ev": "Due", "x": "a"},
  {"t": 60300, "ev": "Compute", "n": 200}]}
"#;

/// One place for two tasks, something that no axiom knows of, and too little compute to decide.
const FULL: &str = r#"{"tasks": {"a": {"id": "A", "rd": 300000}, "b": {"id": "B", "rd": 300000}},
 "lists": {"R": {"tasks": ["a", "b"], "concurrency": 1}},
 "events": [
  {"t": 10, "ev": "InitStart", "R": "R", "call": 1},
  {"t": 20, "ev": "InitSuccess", "R": "R", "call": 1},
  {"t": 60000, "ev": "Due", "x": "a"},
  {"t": 60000, "ev": "Due", "x": "b"},
  {"t": 60005, "ev": "RunStart", "x": "a"},
  {"t": 60007, "ev": "Supernatural", "kind": "cosmic ray"},
  {"t": 60900, "ev": "Compute", "n": 800},
  {"t": 61000, "ev": "RunSuccess", "x": "a"},
  {"t": 61030, "ev": "Compute", "n": 10}]}
"#;

const LOOP: &str = r#"{"tasks": {"a": {"id": "A", "rd": 300000}},
 "lists": {"R": {"tasks": ["a"], "valid": true}},
 "events": [{"t": 0, "ev": "Due", "x": "a"}, {"t": 60000, "ev": "Minute"}],
 "loop": {"from_t": 60000, "period": 60000}}
"#;

const CALM: &str = "\
# Starts are at least a minute apart, as far as minutes are told.
axiom Calm \"one start a minute\" of scheduler:
  each x: always RunStart(~x) -> not previous (not MinuteStart since RunStart(~x))
";

#[test]
fn sessions() {
    session(
        "verify",
        &[
            ("double.json", DOUBLE),
            ("late.json", LATE),
            ("full.json", FULL),
            ("loop.json", LOOP),
            ("calm.theory", CALM),
        ],
        &[
            "hemiola verify double.json",
            "hemiola verify double.json --format json",
            "hemiola verify late.json",
            "hemiola verify late.json --b 500 --format json",
            "hemiola verify late.json --a 1 --b 0 --tlag 0 --format json",
            "hemiola verify full.json",
            "hemiola verify full.json --format json",
            "hemiola verify loop.json --format json",
            "hemiola verify double.json --theory calm.theory",
            "hemiola verify - --theory calm.theory --format json < double.json",
        ],
    );
}

#[test]
fn wrong_input() {
    session(
        "verify_wrong",
        &[
            ("trace.json", LATE),
            ("half.json", "{\"tasks\": {\"a\": "),
            ("task.json", &LATE.replace("\"x\": \"a\"", "\"x\": \"A\"")),
            ("event.json", &LATE.replace("\"Due\"", "\"Du\"")),
            ("time.json", &LATE.replace("60300", "300")),
            ("cron.json", &LATE.replace("\"rd\"", "\"cron\": \"* * * * *\", \"rd\"")),
            ("call.json", &LATE.replace("InitSuccess", "InitStart")),
            (
                "wrong.theory",
                "axiom S1 of scheduler:\n  each x: always RunStart(x) -> previous Obligation(x)\n",
            ),
        ],
        &[
            "hemiola verify",
            "hemiola verify none.json",
            "hemiola verify half.json",
            "hemiola verify task.json",
            "hemiola verify event.json",
            "hemiola verify time.json",
            "hemiola verify cron.json",
            "hemiola verify call.json",
            "hemiola verify trace.json --theory none.theory",
            "hemiola verify trace.json --theory wrong.theory",
            "hemiola verify trace.json --b -1",
            "hemiola verify trace.json --tlag much",
        ],
    );
}
