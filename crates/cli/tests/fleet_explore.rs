//! `hemiola fleet simulate --explore`: every order in which messages between hosts may arrive.

use crate::common::{HEMIOLA, hemiola, text};
use crate::fleet::{place, result, simulate};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Two versions are on their way to a host that keeps the newest, or what came last.
fn versions(is_careful: bool, link: &Value) -> Value {
    let args = if is_careful { vec!["--careful"] } else { Vec::new() };
    json!({
        "hosts": {
            "newest": { "program": { "file": "newest.js", "args": args } },
            "versions": { "program": "versions.js" },
        },
        "link": link,
        "invariant": "newest.mjs",
        "until": "1s",
    })
}

/// Runs the line that a search printed.
fn repeated(directory: &Path, line: &str) -> (String, Option<i32>) {
    let words = line.strip_prefix("hemiola ").expect(line);
    let mut command = Command::new("sh");
    command.args(["-c", &format!("exec \"$0\" {words}")]).arg(HEMIOLA);
    let output = command.current_dir(directory).output().expect("it can be run");
    (text(output.stdout), output.status.code())
}

#[test]
fn an_order_that_fails_is_found_told_and_repeated() {
    let link = json!({ "latency": "1ms..50ms" });
    let directory = place("fleet_explore", &versions(false, &link));
    let (found, code) = result(&directory, &["--explore"]);
    assert_eq!(code, Some(100), "{found}");
    assert_eq!(
        (&found["complete"], &found["failures"][0]["class"]),
        (&json!(true), &json!("order"))
    );
    let failure = &found["failure"];
    assert_eq!(failure["failure"], "version 1 after 2 (on newest)");
    assert_eq!(found["outcomes"][0]["schedule"], "default", "the default order is as it should be");
    assert_eq!(found["outcomes"][0]["observations"], json!(["newest", 1, 2]));
    let taken = failure["deviations"][0]["taken"].as_str().expect("words");
    assert!(
        taken.starts_with("a datagram of 1 bytes from versions to newest only after"),
        "{taken}"
    );
    let (said, code) = repeated(&directory, failure["command"].as_str().expect("a line"));
    assert_eq!(code, Some(100), "{said}");
    assert!(said.contains("version 1 after 2"), "{said}");
}

#[test]
fn what_is_mended_is_clean_in_all_orders() {
    let link = json!({ "latency": "1ms..50ms" });
    let directory = place("fleet_explore_good", &versions(true, &link));
    let told = text(simulate(&directory, &["--explore"]).stdout);
    assert!(told.contains("observed newest 1 2\n"), "{told}");
    assert!(told.contains("observed newest 2 2\n"), "{told}");
    let last = told.lines().last().expect("a line");
    assert!(last.starts_with("all schedules: "), "{told}");
    // It does not matter how many run side by side, and it is the same every time.
    let again = simulate(&directory, &["--explore", "--jobs", "4"]);
    assert_eq!((text(again.stdout), again.status.code()), (told, Some(0)));
}

#[test]
fn what_takes_slow_messages_is_told_apart() {
    let directory = place("fleet_explore_slow", &versions(false, &json!({ "latency": "1ms" })));
    let (found, code) = result(&directory, &["--explore", "--slow", "2ms"]);
    assert_eq!((&found["failures"][0]["class"], code), (&json!("slow"), Some(100)), "{found}");
    // A link that takes as long by itself is not slow.
    let link = json!({ "latency": "1ms..50ms" });
    let directory = place("fleet_explore_link", &versions(false, &link));
    let (found, _) = result(&directory, &["--explore", "--slow", "2ms", "--fail-fast"]);
    assert_eq!(found["failures"][0]["class"], "order", "{found}");
}

#[test]
fn datagrams_get_lost_and_come_twice_where_links_do_that() {
    let link = json!({ "latency": "1ms", "loss": 0.1, "doubled": 0.1 });
    let directory = place("fleet_explore_lost", &versions(true, &link));
    let (found, code) = result(&directory, &["--explore", "--deviations", "1"]);
    assert_eq!(code, Some(0), "{found}");
    let all: Vec<&Value> = found["outcomes"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| &one["observations"])
        .collect();
    for wanted in [json!(["newest", 1, 2]), json!(["newest", 2]), json!(["newest", 1, 1, 2])] {
        assert!(all.contains(&&wanted), "{wanted} is not among {all:?}");
    }
    assert_eq!((&found["covered"], &found["complete"]), (&json!("deviations"), &json!(false)));
}

/// FLEET-1 for an order that was found.
#[test]
fn the_trace_of_an_order_is_replayed() {
    let link = json!({ "latency": "1ms..50ms" });
    let directory = place("fleet_explore_trace", &versions(false, &link));
    let (found, _) = result(&directory, &["--explore", "--fail-fast"]);
    let schedule = found["failure"]["schedule"].as_str().expect("a schedule");
    let [first, second] = ["first", "second"].map(|file| {
        let output = simulate(&directory, &["--schedule", schedule, "--trace", file]);
        assert_eq!(output.status.code(), Some(100));
        fs::read(directory.join(file)).expect("a trace")
    });
    assert!(first == second, "an order is not repeated");
    let replayed = hemiola(&directory).args(["replay", "first"]).output().expect("it can be run");
    assert_eq!(replayed.status.code(), Some(0), "{}", text(replayed.stderr));
}

#[test]
fn what_cannot_be_explored_is_refused() {
    let directory = place("fleet_explore_bad", &versions(false, &json!({})));
    for (flags, why) in [
        (&["--explore", "--seeds", "1..3"][..], "cannot be used with"),
        (&["--explore", "--trace", "a.jsonl"], "cannot be used with"),
        (&["--explore", "--schedule", "0:1"], "cannot be used with"),
        (&["--deviations", "2"], "--explore"),
        (&["--schedule", "nonsense"], "must be a schedule"),
        (&["--schedule", "77:1"], "the schedule `77:1` does not fit this fleet"),
        (&["--schedule", "0:99"], "wanted: alternative 99 at choice 0"),
        (&["--explore", "--max-schedules", "0"], "--max-schedules"),
    ] {
        let output = simulate(&directory, flags);
        let said = text(output.stderr);
        assert_eq!(output.status.code(), Some(2), "{flags:?}: {said}");
        assert!(said.contains(why), "{flags:?}: {said}");
    }
    // An invariant that fails for its own fault is no failing order.
    fs::write(directory.join("newest.mjs"), "export default () => nothing.at.all;")
        .expect("a file");
    let output = simulate(&directory, &["--explore"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(output.stdout));
    assert!(text(output.stderr).contains("it fails by itself"));
    // Nor is a budget that was too small a result.
    let directory =
        place("fleet_explore_budget", &versions(true, &json!({ "latency": "1ms..50ms" })));
    let (found, code) = result(&directory, &["--explore", "--max-schedules", "2"]);
    assert_eq!((code, &found["complete"]), (Some(102), &json!(false)), "{found}");
}
