//! `hemiola:federation`: one clock in several processes (rules FED-1 to FED-8).

use crate::common::{directory, hemiola, text};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/federation")
}

fn run(place: &Path, words: &[&str]) -> Output {
    hemiola(place).args(words).stdin(Stdio::null()).output().expect("hemiola runs")
}

/// Runs a program live, in virtual time with several seeds, and recorded and replayed.
fn agrees(program: &str) {
    let path = folder().join("programs").join(program);
    let expected = fs::read_to_string(path.with_extension("out")).expect("an expectation");
    let place = directory(&format!("federation_{program}"), &[]);
    let name = path.to_str().expect("the path is text");
    for words in [
        &["run", name][..],
        &["simulate", name],
        &["simulate", name],
        &["simulate", "--seed", "1", name],
        &["simulate", "--seed", "2", name],
        &["run", "--record", name],
        &["replay"],
    ] {
        let mut command = hemiola(&place);
        command.env("HEMIOLA_RUNS", place.join("runs"));
        let output = command.args(words).stdin(Stdio::null()).output().expect("hemiola runs");
        let errors = text(output.stderr);
        assert_eq!(text(output.stdout), expected, "{words:?} {errors}");
        assert_eq!(output.status.code(), Some(0), "{words:?} {errors}");
    }
}

/// FED-2, FED-3, FED-6.
#[test]
fn messages_are_actions_at_their_tags() {
    agrees("memory.mjs");
}

/// FED-1.
#[test]
fn its_clock_is_a_labelled_clock() {
    agrees("clock.mjs");
}

/// FED-1, FED-4, FED-5 and FED-8.
#[test]
fn members_come_late_fall_silent_and_come_back() {
    agrees("gone.mjs");
}

/// FED-1 and FED-5: what is for the very instant at which a member comes.
#[test]
fn who_comes_late_hears_what_is_later() {
    agrees("comes.mjs");
}

/// FED-6.
#[test]
fn who_is_behind_says_how_far_it_is() {
    agrees("busy.mjs");
}

#[test]
fn what_is_wrong_is_told() {
    agrees("wrong.mjs");
}

#[test]
fn workers_can_be_members() {
    agrees("workers.mjs");
}

const FEDERATIONS: [(&str, &[&str]); 3] = [
    ("pipeline", &["controller", "filter", "left", "right"]),
    ("ring", &["a", "b", "c"]),
    ("rooms", &["controller", "kitchen", "study"]),
];

/// The directory of a fleet of one federation. Clocks are wrong and drift; datagrams are lost, doubled and reordered.
fn fleet(name: &str, members: &[&str], max_wait: &str, latency: &str, invariant: &str) -> PathBuf {
    let hosts = members.iter().zip(1_i64..).map(|(member, number)| {
        let program = json!({ "file": format!("{name}.mjs"), "args": [member, max_wait] });
        let clock =
            json!({ "offset": (number * 37) % 50 - 25, "drift": (number * 173) % 400 - 200 });
        ((*member).to_owned(), json!({ "program": program, "clock": clock }))
    });
    let done = members.iter().map(|member| json!({ "host": member, "obs": "done" }));
    let fleet = json!({
        "hosts": hosts.collect::<serde_json::Map<String, Value>>(),
        "link": { "latency": latency, "loss": 0.05, "doubled": 0.05 },
        "invariant": invariant,
        "eventually": done.collect::<Vec<_>>(),
        "until": "30s",
    });
    let expected = fs::read_to_string(folder().join(format!("expected/{name}.json")));
    let place = directory(
        &format!("federation_{name}_{invariant}_{latency}"),
        &[
            ("test.fleet.json", &fleet.to_string()),
            ("expected.json", &expected.expect("there is an expectation")),
        ],
    );
    for entry in fs::read_dir(folder().join("fleet")).expect("the programs are there") {
        let entry = entry.expect("a program").path();
        fs::copy(&entry, place.join(entry.file_name().expect("a name"))).expect("a copy");
    }
    place
}

fn fails_never(place: &Path, seeds: &str) {
    let words = ["fleet", "simulate", "test.fleet.json", "--seeds", seeds, "--format", "json"];
    let output = run(place, &words);
    let said = text(output.stdout);
    let result: Value = serde_json::from_str(&said).expect("a result");
    assert_eq!(result["failing"], json!([]), "{}", text(output.stderr));
    assert_eq!(output.status.code(), Some(0), "{said}");
}

/// FED-4, FED-7: latencies, clocks, and what is lost on the way do not matter. `scripts/federation-seeds` tries more.
#[test]
fn the_order_of_actions_is_one_and_the_same() {
    for (name, members) in FEDERATIONS {
        fails_never(&fleet(name, members, "Infinity", "1ms..20ms", "same.mjs"), "1..3");
    }
}

/// FED-5, FED-7: where nobody waits long enough, what comes too late is told.
#[test]
fn nothing_is_late_in_silence() {
    let (name, members) = FEDERATIONS[0];
    fails_never(&fleet(name, members, "4", "1ms..40ms", "told.mjs"), "1..4");
}

/// FED-7, FLEET-1: a seed repeats every event.
#[test]
fn a_seed_repeats_a_federation() {
    let (name, members) = FEDERATIONS[1];
    let place = fleet(name, members, "Infinity", "1ms..9ms", "same.mjs");
    for file in ["first", "second"] {
        let words = ["fleet", "simulate", "test.fleet.json", "--seed", "7", "--trace", file];
        assert_eq!(run(&place, &words).status.code(), Some(0));
    }
    let [first, second] =
        ["first", "second"].map(|file| fs::read(place.join(file)).expect("a trace"));
    assert!(first == second, "two runs with one seed differ");
}

/// FED-4, FED-7: who is cut off or stands still for a while is waited for, and clocks that are set do not matter.
#[test]
fn cuts_pauses_and_clock_steps_change_nothing() {
    let (name, members) = FEDERATIONS[1];
    let place = fleet(name, members, "Infinity", "1ms..8ms", "same.mjs");
    for faults in [
        "cut a at 300ms for 2s; pause b at 500ms for 1s; clock c at 400ms by -1h",
        "cut a b at 350ms for 3s; clock a at 360ms by 1h; clock b at 370ms by -1m",
    ] {
        let words = ["fleet", "simulate", "test.fleet.json", "--seed", "3", "--faults", faults];
        let output = run(&place, &words);
        assert_eq!(output.status.code(), Some(0), "{faults}: {}", text(output.stdout));
    }
}

/// FED-1: of two members with one name, one is refused, whether they come together or not.
#[test]
fn a_name_belongs_to_one_member() {
    for delay in ["0", "1000"] {
        let host = |other: &str, delay: &str| json!({ "program": { "file": "twice.mjs", "args": [other, delay] } });
        let fleet = json!({
            "hosts": { "one": host("two", "0"), "two": host("one", delay) },
            "link": { "latency": "1ms..50ms" },
            "invariant": "once.mjs",
            "eventually": ["joined", "ERR_FEDERATION_NAME"],
            "until": "10s",
        });
        let place = directory(
            &format!("federation_names_{delay}"),
            &[("test.fleet.json", &fleet.to_string())],
        );
        for file in ["twice.mjs", "once.mjs", "udp.mjs"] {
            fs::copy(folder().join("fleet").join(file), place.join(file)).expect("a copy");
        }
        fails_never(&place, "1..3");
    }
}

/// FED-1: a founder that waits says once whom it waits for.
#[test]
fn who_waits_for_founders_says_so() {
    let program = "
import { join, memory } from 'hemiola:federation';
const founders = ['one', 'two', 'three'];
const transport = memory();
const signal = AbortSignal.timeout(30_000);
setTimeout(() => join('plant', { as: 'two', transport, founders, signal }).catch(() => {}), 1000);
await join('plant', { as: 'one', transport, founders, signal }).catch((error) => console.log(error.name));
";
    let place = directory("federation_waits", &[("waits.mjs", program)]);
    let [first, second] = [(); 2].map(|()| run(&place, &["simulate", "waits.mjs"]));
    let said = text(first.stderr);
    let told = |who: &str| {
        format!("FederationWarning: the federation plant: {who} waits for three, who found it too")
    };
    for who in ["one", "two"] {
        assert_eq!(said.matches(&told(who)).count(), 1, "{said}");
    }
    assert_eq!((said, first.stdout), (text(second.stderr), second.stdout));
}

/// FED-8: who crashes comes back as a later incarnation, at the present, and all come to their end.
#[test]
fn a_crash_holds_nobody_up_for_ever() {
    for ((name, members), crashes) in FEDERATIONS.into_iter().zip(["filter", "b", "controller"]) {
        let place = fleet(name, members, "Infinity", "1ms..10ms", "any.mjs");
        for (at, step) in [("50", "1h"), ("300", "-1h"), ("600", "1m")] {
            // It comes back with a clock that somebody has set.
            let faults =
                format!("clock {crashes} at 10ms by {step}; crash {crashes} at {at}ms for 300ms");
            let words = ["fleet", "simulate", "test.fleet.json", "--seed", at, "--faults", &faults];
            let output = run(&place, &words);
            assert_eq!(output.status.code(), Some(0), "{name}, {faults}: {}", text(output.stdout));
        }
    }
}
