//! All outcomes of the example programs, as files that can be read.
//!
//! `UPDATE=1 cargo test -p hemiola-calculus examples` rewrites them.

use crate::support::examples::examples;
use hemiola_calculus::Study as _;
use hemiola_calculus::l::{self, Mode};
use hemiola_calculus::lasync;
use hemiola_explore::{Graph, Limits, Outcomes};
use hemiola_trace::Observation;
use std::collections::BTreeSet;
use std::path::Path;

const LIMITS: Limits = Limits { states: 1_000_000 };

#[test]
fn programs_of_l_have_these_outcomes() {
    for example in examples("l") {
        let program = l::parse(&example.text)
            .unwrap_or_else(|error| panic!("{}: {}", example.name, error.message));
        let bounds = example.l_bounds();
        let outcomes = Mode::ALL.into_iter().map(|mode| {
            let outcome = twice(|| {
                let graph = l::Study { program: &program, mode, bounds: &bounds }
                    .executions(LIMITS, &mut |_| {});
                (
                    graph,
                    l::Study { program: &program, mode, bounds: &bounds }
                        .starving(LIMITS, &mut |_| {}),
                )
            });
            (mode.name(), outcome)
        });
        compare(&example.name, "l", &grouped(outcomes));
    }
}

#[test]
fn programs_of_lasync_have_these_outcomes() {
    for example in examples("lasync") {
        let program = lasync::parse(&example.text)
            .unwrap_or_else(|error| panic!("{}: {}", example.name, error.message));
        let bounds = example.lasync_bounds();
        let outcomes = lasync::STRATEGIES.into_iter().map(|strategy| {
            if lasync::unsupported(&program, strategy).is_some() {
                return (strategy.name(), "  has no immediates\n".to_owned());
            }
            let outcome = twice(|| {
                let graph = lasync::Study { program: &program, strategy, bounds: &bounds }
                    .executions(LIMITS, &mut |_| {});
                (
                    graph,
                    lasync::Study { program: &program, strategy, bounds: &bounds }
                        .starving(LIMITS, &mut |_| {}),
                )
            });
            (strategy.name(), outcome)
        });
        compare(&example.name, "lasync", &grouped(outcomes));
    }
}

/// What an exploration gives, which must be the same the second time.
fn twice(explore: impl Fn() -> (Graph, BTreeSet<String>)) -> String {
    let [(first, once), (second, again)] = [explore(), explore()].map(|(graph, starves)| {
        let text = outcome(&graph, &starves);
        (graph, text)
    });
    assert_eq!(once, again, "two explorations give the same");
    assert_eq!(first.states(), second.states(), "two explorations take as many steps");
    once
}

fn outcome(graph: &Graph, starves: &BTreeSet<String>) -> String {
    let outcomes = Outcomes::of(graph);
    let found = outcomes.sequences(usize::MAX);
    assert!(!outcomes.bounds().contains("states"), "the exploration is complete");
    let line = |trace: &Vec<Observation>| {
        let shown: Vec<String> = trace.iter().map(ToString::to_string).collect();
        format!("[{}]", shown.join(" "))
    };
    let stuck = |(trace, reason): &(Vec<Observation>, String)| format!("{} {reason}", line(trace));
    let mut text = String::new();
    for (what, lines) in [
        ("traces", found.traces.iter().map(line).collect::<Vec<_>>()),
        ("cut", found.cut.iter().map(line).collect()),
        ("stuck", found.stuck.iter().map(stuck).collect()),
        ("starves", starves.iter().cloned().collect()),
    ] {
        for (at, line) in lines.iter().enumerate() {
            let what = if at == 0 { what } else { "" };
            text.push_str(&format!("  {what:<8} {line}\n"));
        }
    }
    assert!(!text.is_empty(), "every program does something");
    text
}

/// Those with the same outcome together.
fn grouped(outcomes: impl Iterator<Item = (&'static str, String)>) -> String {
    let mut groups: Vec<(Vec<&str>, String)> = Vec::new();
    for (name, outcome) in outcomes {
        match groups.iter_mut().find(|(_, known)| *known == outcome) {
            Some((names, _)) => names.push(name),
            None => groups.push((vec![name], outcome)),
        }
    }
    let shown = groups.iter().map(|(names, outcome)| format!("{}\n{outcome}", names.join(", ")));
    shown.collect::<Vec<_>>().join("\n")
}

#[expect(clippy::disallowed_methods, reason = "expectations are files of this repository")]
fn compare(name: &str, folder: &str, found: &str) {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(folder);
    let path = golden.join(format!("{name}.txt"));
    if std::env::var("UPDATE").is_ok_and(|update| update == "1") {
        std::fs::create_dir_all(&golden).expect("the folder of expectations can be made");
        std::fs::write(&path, found).expect("an expectation can be written");
        return;
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        expected == found,
        "the outcomes of examples/{folder}/{name} are not those of {}\n--- expected\n{expected}--- \
         found\n{found}",
        path.display(),
    );
}
