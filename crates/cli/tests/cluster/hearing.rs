//! What nodes say that they have told, where answers are lost (rule CLUS-7).

use super::verify;
use crate::common::{directory, hemiola, text};
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};

/// What a node said, and what it was told: the numbers of its starts and ends.
#[derive(Default)]
struct Hearing {
    /// Those that it has told.
    told: BTreeSet<i64>,
    /// Those that anything told brings along, with the incarnation.
    known: BTreeMap<i64, i64>,
    /// Who says that it has told what is after one number up to another, and what it had told by then.
    claims: Vec<(i64, [i64; 2], BTreeSet<i64>)>,
}

impl Hearing {
    fn of(trace: &str) -> Self {
        let mut hearing = Self::default();
        for line in trace.lines() {
            let line: Json = serde_json::from_str(line).expect("JSON");
            let asked = line["what"].as_str().and_then(|what| what.strip_prefix("cluster.ask "));
            // A question that is too long for a trace is no JSON there.
            if let Some(asked) = asked.and_then(|asked| serde_json::from_str::<String>(asked).ok())
            {
                let asked: Json = serde_json::from_str(&asked).expect("JSON");
                if let Ok(heard) = serde_json::from_value(asked["heard"].clone()) {
                    let me = asked["me"].as_i64().expect("an incarnation");
                    hearing.claims.push((me, heard, hearing.told.clone()));
                }
            }
            let mut told = &line["told"];
            for is_first in std::iter::once(true).chain(std::iter::repeat(false)) {
                let Some(n) = told["n"].as_i64() else { break };
                if told["fact"] == "started" || told["fact"] == "ended" {
                    hearing.known.insert(n, told["me"].as_i64().expect("an incarnation"));
                    hearing.told.extend(is_first.then_some(n));
                }
                told = &told["before"];
            }
        }
        hearing
    }
}

/// Rule CLUS-7: a node that has told a fact need not be asked for what was before it. So it never says so of one whose
/// answer was lost, though that one was asked for before others and decided after them.
#[test]
fn a_node_says_only_that_it_has_told_what_it_has() {
    let fleet = r#"{ "hosts": { "one": { "program": "hearing.mjs" } }, "until": "20s" }"#;
    let files = [("hearing.fleet.json", fleet), ("hearing.mjs", include_str!("hearing.mjs"))];
    let folder = directory("cluster-hearing", &files);
    let slow: String = (1..20).map(|at| format!("; slow database at {at}s for 300ms")).collect();
    let faults = format!("drop database at 1s for 60s{slow}");
    for seed in ["1", "8", "16"] {
        let mut command = hemiola(&folder);
        command.args(["fleet", "simulate", "hearing.fleet.json", "--seed", seed]);
        let output = command.args(["--faults", &faults, "--trace", "one.jsonl"]).output();
        let output = output.expect("hemiola runs");
        assert!(output.status.success(), "{}", text(output.stderr));
        verify(&folder, &["one.jsonl"]);
        let trace = std::fs::read_to_string(folder.join("one.jsonl")).expect("a trace");
        let Hearing { told, known, claims } = Hearing::of(&trace);
        assert!(known.len() > told.len() + 20, "seed {seed}: no answers are lost");
        let mut heard = 0;
        for (me, [first, last], told) in claims {
            for (n, by) in known.range(first + 1..last + 1).filter(|(_, by)| **by == me) {
                assert!(told.contains(n), "seed {seed}: node {by} says that it has told fact {n}");
                heard += 1;
            }
        }
        assert!(heard > 10, "seed {seed}: only {heard} facts are said to have been told");
    }
}
