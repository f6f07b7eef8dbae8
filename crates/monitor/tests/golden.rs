//! Traces with the verdicts that they must get, and the texts that are no traces and no theories.
//!
//! Every file of `golden/` is a trace with two more fields: `expect` has the axioms that do not hold,
//! and `blame`. The reason why is in `why`.
#![expect(clippy::disallowed_methods, reason = "tests read their own files")]

use crate::naive;
use hemiola_monitor::theory::{Owner, Story, Theory, Trace, Verdict};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

fn golden() -> BTreeMap<String, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let entries = fs::read_dir(folder).expect("there are traces");
    let files = entries.map(|entry| entry.expect("the folder can be read").path());
    let name = |path: &Path| path.file_stem().expect("a name").to_string_lossy().into_owned();
    files.map(|path| (name(&path), fs::read_to_string(&path).expect("it can be read"))).collect()
}

#[test]
fn every_trace_gets_its_verdicts() {
    let theory = Theory::declarative_scheduler();
    let traces = golden();
    assert!(traces.len() >= 40);
    for (name, text) in &traces {
        let value: Value = serde_json::from_str(text).expect("JSON");
        let trace = Trace::parse(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let report = trace.check(&theory, trace.params(&theory, [None; 3]));
        let verdicts = report.verdicts.iter().filter(|(_, verdict)| *verdict != Verdict::Holds);
        let seen: BTreeMap<&str, &str> =
            verdicts.map(|(axiom, verdict)| (axiom.name.as_str(), verdict.name())).collect();
        let expected = value["expect"].as_object().expect("what is expected").iter();
        let expected: BTreeMap<&str, &str> = expected
            .map(|(axiom, verdict)| (axiom.as_str(), verdict.as_str().expect("a verdict")))
            .collect();
        assert_eq!(seen, expected, "{name}: {}", value["why"]);
        let blame = match report.blame {
            None => "none",
            Some(Owner::Environment) => "environment",
            Some(Owner::Scheduler) => "scheduler",
        };
        assert_eq!(value["blame"], blame, "{name}: {}", value["why"]);

        let mut whole = value.clone();
        if value.get("params").is_none() {
            whole["params"] = json!({"a": 0, "b": 100, "tlag": 20});
        }
        let (naive, whom, _) = naive::check(&whole);
        let naive = naive.into_iter().map(|(axiom, verdict)| (axiom, verdict.name()));
        let naive: BTreeMap<&str, &str> =
            naive.filter(|(_, verdict)| *verdict != "holds").collect();
        assert_eq!(naive, expected, "{name}, naively");
        assert_eq!(whom, blame, "{name}, naively");
    }
}

#[test]
fn every_axiom_is_violated_by_a_trace_and_held_by_another() {
    let traces = golden();
    for axiom in Theory::declarative_scheduler().axioms() {
        let mut kinds = traces.values().map(|text| {
            let value: Value = serde_json::from_str(text).expect("JSON");
            value["expect"].get(&axiom.name).map(|verdict| verdict == "violated")
        });
        assert!(kinds.any(|kind| kind == Some(true)), "no trace violates {}", axiom.name);
    }
}

/// The rules of docs/semantics.md, and traces that show each of them.
const RULES: [(&str, &[&str]); 6] = [
    (
        "SCHED-1",
        &[
            "good-changed-delay",
            "good-changed-schedule",
            "bad-S1-old-registration",
            "bad-S1-overlap",
        ],
    ),
    (
        "SCHED-2",
        &[
            "good-due-while-stopped",
            "good-due-while-crashed",
            "good-removed-and-added",
            "good-retry-of-removed",
        ],
    ),
    (
        "SCHED-3",
        &[
            "good-boot-due-two",
            "good-boot-due-written-apart",
            "good-due-at-start",
            "good-coalesced",
            "good-retry-superseded",
        ],
    ),
    ("SCHED-4", &["good-orphan-restarts", "good-orphan-of-removed", "bad-L1-orphan"]),
    (
        "SCHED-6",
        &[
            "good-stop-during-init",
            "good-two-stops",
            "bad-S1-stopped",
            "bad-L3",
            "open-stop-running",
        ],
    ),
    (
        "SCHED-9",
        &[
            "open-due",
            "open-S2",
            "good-budget-just-enough",
            "good-concurrency-waits",
            "good-supernatural",
            "bad-L1-late",
            "bad-L1-silent",
            "blame-tie",
        ],
    ),
];

#[test]
fn every_rule_has_its_traces() {
    let traces = golden();
    for (rule, names) in RULES {
        for name in names {
            assert!(traces.contains_key(*name), "{rule}: {name}");
        }
    }
}

#[test]
fn a_violation_says_where_it_is_and_shows_it() {
    let theory = Theory::declarative_scheduler();
    let trace = Trace::parse(&golden()["bad-S1-early-retry"]).expect("a trace");
    let report = trace.check(&theory, trace.params(&theory, [None; 3]));
    let violated = report.verdicts.iter().find_map(|(_, verdict)| match verdict {
        Verdict::Violated(violation) => Some(violation),
        _ => None,
    });
    let violation = violated.expect("it is violated");
    assert_eq!((violation.time, violation.event), (60_100, Some(5)));
    let events: Vec<String> = violation.events.iter().map(|event| trace.describe(*event)).collect();
    assert_eq!(events, ["Due a", "RunStart a", "RunFailure a", "RunStart a"]);
}

#[test]
fn the_witnesses_are_the_given_ones_or_the_traces_or_the_theorys() {
    let theory = Theory::declarative_scheduler();
    let trace = Trace::parse(&golden()["good-budget-of-input"]).expect("a trace");
    let params = trace.params(&theory, [None, Some(7), None]);
    assert_eq!((params.a, params.b, params.tlag), (1, 7, 0));
    let trace = Trace::parse(&golden()["good-normal"]).expect("a trace");
    let params = trace.params(&theory, [None; 3]);
    assert_eq!((params.a, params.b, params.tlag), (0, 100, 20));
}

#[test]
fn what_is_no_trace_is_refused_at_its_place() {
    const HEAD: &str =
        r#""tasks": {"a": {"id": "A", "rd": 1}}, "lists": {"R": {"tasks": ["a"], "valid": true}}"#;
    let events = |events: &str| format!("{{{HEAD}, \"events\": [{events}]}}");
    let cases: [(String, &str, &str); 31] = [
        ("".into(), "", "not JSON"),
        ("[]".into(), "[]", "JSON object"),
        ("{".into(), "", "not JSON"),
        ("{}".into(), "{}", "no `tasks`"),
        (r#"{"tasks": [], "lists": {}, "events": []}"#.into(), "[]", "`tasks` must be an object"),
        (r#"{"tasks": {"a": 1}, "lists": {}, "events": []}"#.into(), "1", "must be an object"),
        (
            r#"{"tasks": {"a": {"rd": 1}}, "lists": {}, "events": []}"#.into(),
            r#"{"rd": 1}"#,
            "`id`",
        ),
        (
            r#"{"tasks": {"a": {"id": "A", "rd": 1.5}}, "lists": {}, "events": []}"#.into(),
            "1.5",
            "`rd`",
        ),
        (
            r#"{"tasks": {}, "lists": {"R": {"tasks": ["a"]}}, "events": []}"#.into(),
            r#""a""#,
            "not in `tasks`",
        ),
        (
            r#"{"tasks": {}, "lists": {"R": {"tasks": [], "valid": 1}}, "events": []}"#.into(),
            "1",
            "`valid`",
        ),
        (r#"{"tasks": {}, "lists": {"R": []}, "events": []}"#.into(), "[]", "must be an object"),
        (format!("{{{HEAD}}}"), "", "`events`"),
        (format!("{{{HEAD}, \"events\": [], \"time_unit\": \"s\"}}"), "\"s\"", "time_unit"),
        (format!("{{{HEAD}, \"events\": [], \"params\": {{\"a\": -1}}}}"), "-1", "`a`"),
        (format!("{{{HEAD}, \"events\": [], \"params\": {{\"c\": 1}}}}"), "1", "no parameter `c`"),
        (
            format!("{{{HEAD}, \"events\": [], \"loop\": {{\"from_t\": 0, \"period\": 1}}}}"),
            "",
            "repeats nothing",
        ),
        (
            format!(
                "{{{HEAD}, \"events\": [{{\"t\":5,\"ev\":\"Minute\"}}], \"loop\": {{\"from_t\":0,\"period\":4}}}}"
            ),
            "",
            "shorter",
        ),
        (format!("{{{HEAD}, \"events\": [], \"loop\": {{\"from_t\": 0}}}}"), "", "`period`"),
        (events("7"), "7", "must be an object"),
        (events(r#"{"ev": "Minute"}"#), r#"{"ev": "Minute"}"#, "`t`"),
        (events(r#"{"t": -1, "ev": "Minute"}"#), "-1", "`t`"),
        (events(r#"{"t": 1.5, "ev": "Minute"}"#), "1.5", "`t`"),
        (events(r#"{"t": 1}"#), r#"{"t": 1}"#, "`ev`"),
        (events(r#"{"t": 1, "ev": "Run"}"#), r#""Run""#, "no event `Run`"),
        (events(r#"{"t": 1, "ev": "Due", "x": "A"}"#), r#""A""#, "name of a task"),
        (events(r#"{"t": 1, "ev": "InitStart", "R": "Q", "call": 1}"#), r#""Q""#, "name of a list"),
        (
            events(r#"{"t": 1, "ev": "InitStart", "R": "R"}"#),
            r#"{"t": 1, "ev": "InitStart", "R": "R"}"#,
            "`call`",
        ),
        (events(r#"{"t": 1, "ev": "Compute", "n": -4}"#), "-4", "`n`"),
        (events(r#"{"t": 2, "ev": "Minute"}, {"t": 1, "ev": "Minute"}"#), "1", "backwards"),
        (events(r#"{"t": 2, "ev": "Minute", "with_prev": true}"#), "true", "no event before"),
        (
            events(r#"{"t": 1, "ev": "Minute"}, {"t": 2, "ev": "Minute", "with_prev": true}"#),
            "2",
            "one position",
        ),
    ];
    for (text, place, message) in &cases {
        let error = Trace::parse(text).expect_err(text);
        assert!(error.message.contains(message), "{text}: {error}");
        let (start, end) = (error.span.start as usize, error.span.end as usize);
        if !place.is_empty() {
            assert_eq!(&text[start..end], *place, "{text}: {error}");
        }
        assert!(end <= text.len() + 1 && !error.help.is_empty(), "{text}: {error}");
    }
}

#[test]
fn what_is_no_theory_is_refused_at_its_place() {
    let axiom = |clause: &str| format!("axiom A of scheduler: {clause}");
    let cases: [(String, &str, &str); 31] = [
        ("".into(), "", "without axioms"),
        ("let A = Crash".into(), "", "without axioms"),
        ("axiom".into(), "", "name of an axiom"),
        ("axiom A: always Crash".into(), ":", "`of`"),
        ("axiom A of me: always Crash".into(), "me", "`environment` or `scheduler`"),
        (axiom("Crash"), "Crash", "`after`"),
        (axiom("always"), "", "a formula"),
        (axiom("always Crsh"), "Crsh", "nothing is called"),
        (axiom("always Due"), "Due", "nothing is called"),
        (axiom("always Due(x)"), "x", "which x?"),
        (axiom("each x: always InitStart(x)"), "InitStart(x)", "nothing is called"),
        (axiom("each c: always Due(c)"), "Due(c)", "nothing is called"),
        (axiom("each x: always Crash(x)"), "Crash(x)", "nothing is called"),
        (axiom("each y: always Crash"), "y", "`x` or `c`"),
        (
            axiom("each x: always some c: Due(x) and Valid(c)"),
            "Due(x) and Valid(c)",
            "a task and a call",
        ),
        (axiom("always (Crash"), "", "`)`"),
        (axiom("always Crash Crash"), "Crash", "`param`, `let` or `axiom`"),
        (axiom("always Crash since Crash since Crash"), "since", "two `since`"),
        (axiom("always Crash & Crash"), "&", "unexpected character"),
        (axiom("infinitely Crash"), "Crash", "`often`"),
        (axiom("after Crash, eventually Crash within 5"), "5", "`lin`"),
        (axiom("after Crash, eventually Crash within lin(c)"), "", "not about a call"),
        (axiom("after Crash Crash"), "Crash", "`,`"),
        (axiom("after Crash, Crash"), "", "`unless`"),
        (axiom("always balance(Crash, Crash)"), "balance(Crash, Crash)", "expected `balance"),
        (axiom("each x: always expired(~x, Due(x))"), "expired(~x, Due(x))", "about `~x`"),
        ("let A = A".into(), "A", "nothing is called `A`"),
        ("let Crash = true".into(), "Crash", "cannot be defined"),
        ("let A = true let A = true".into(), "A", "a second definition"),
        ("param q = 1".into(), "q", "no parameter"),
        ("axiom A \"half of scheduler: always Crash".into(), "\"", "unterminated"),
    ];
    for (text, place, message) in &cases {
        let error = Theory::parse(text).expect_err(text);
        assert!(error.message.contains(message), "{text}: {error}");
        let (start, end) = (error.span.start as usize, error.span.end as usize);
        if !place.is_empty() {
            assert_eq!(&text[start..end], *place, "{text}: {error}");
        }
        assert!(end <= text.len() + 1 && !error.help.is_empty(), "{text}: {error}");
    }
}

#[test]
fn a_theory_cannot_grow_for_ever() {
    let mut text = String::from("let D0(p) = p and not p\n");
    for level in 1..40 {
        text += &format!("let D{level}(p) = D{0}(D{0}(p) or Crash)\n", level - 1);
    }
    text += "axiom A of scheduler: always D39(Crash)";
    assert!(Theory::parse(&text).expect_err("too large").message.contains("too large"));
    let deep = format!("axiom A of scheduler: always {}Crash", "(".repeat(100_000));
    assert!(Theory::parse(&deep).expect_err("too deep").message.contains("deeper"));
    let deep = format!("axiom A of scheduler: always {}Crash", "not ".repeat(10_000));
    assert!(Theory::parse(&deep).expect_err("too deep").message.contains("deeper"));
}

#[test]
fn a_theory_of_ones_own() {
    // A task that fails three times in a row must not start again before the scheduler is stopped.
    let text = r#"
        let Failed(x) = RunFailure(~x)
        let Good(x) = RunSuccess(~x) or StopEnd
        let Once(x) = not Good(x) since Failed(x)
        let Twice(x) = not Good(x) since (Failed(x) and previous Once(x))
        let Thrice(x) = not Good(x) since (Failed(x) and previous Twice(x))
        axiom Patience "three failures are enough" of scheduler:
          each x: always RunStart(~x) -> not previous Thrice(x)
        axiom Calm of environment: always historically not Crash
    "#;
    let theory = Theory::parse(text).expect("a theory");
    let run = |failures: usize, stop: bool| {
        let mut events = Vec::new();
        for at in 0..failures {
            events.push(json!({"t": at * 10, "ev": "RunStart", "x": "a"}));
            events.push(json!({"t": at * 10 + 5, "ev": "RunFailure", "x": "a"}));
        }
        if stop {
            events.push(json!({"t": 1_000, "ev": "StopEnd"}));
        }
        events.push(json!({"t": 1_001, "ev": "RunStart", "x": "a"}));
        let trace = json!({"tasks": {"a": {"id": "A", "rd": 0}}, "lists": {}, "events": events});
        let trace = Trace::parse(&trace.to_string()).expect("a trace");
        let report = trace.check(&theory, trace.params(&theory, [None; 3]));
        report.verdicts.iter().map(|(_, verdict)| verdict.name()).collect::<Vec<_>>()
    };
    assert_eq!(run(2, false), ["holds", "holds"]);
    assert_eq!(run(3, false), ["violated", "holds"]);
    assert_eq!(run(3, true), ["holds", "holds"]);
}

#[test]
fn no_text_makes_it_panic() {
    const PARTS: [&str; 14] = [
        "9223372036854775807",
        "-1",
        "0",
        "\"",
        "{",
        "}",
        "[",
        ",",
        "null",
        "\"a\"",
        "true",
        "é",
        "(",
        " since ",
    ];
    let theory = Theory::declarative_scheduler();
    let traces: Vec<String> = golden().into_values().collect();
    let text = include_str!("../../../theories/declarative-scheduler.theory");
    let mut state = 0x5eed_u64;
    let mut below = |end: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as usize % end
    };
    let mut broken = |text: &str| {
        let mut text = text.to_owned();
        for _ in 0..=below(2) {
            let start = text.floor_char_boundary(below(text.len()));
            let end = text.ceil_char_boundary(start + below(6)).min(text.len());
            text.replace_range(start..end, PARTS[below(PARTS.len())]);
        }
        text
    };
    let mut taken = 0;
    for round in 0..6_000 {
        if let Ok(trace) = Trace::parse(&broken(&traces[round % traces.len()])) {
            taken += 1;
            trace.check(&theory, trace.params(&theory, [None, Some(u64::MAX), None]));
            trace.check(&theory, trace.params(&theory, [None; 3]));
        }
    }
    assert!(taken > 300, "only {taken} were traces");
    for _ in 0..600 {
        let _ = Theory::parse(&broken(text));
    }
}
