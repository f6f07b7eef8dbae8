//! Joined traces: how several processes become one run.

use hemiola_trace::joined::{self, Header, Host};
use hemiola_trace::{Event, FleetFact, Invocation, wire};

fn header() -> Header {
    let host = |name: &str, drift: i64, programs: &[&str]| Host {
        name: name.into(),
        drift,
        programs: programs.iter().map(|&program| program.to_owned()).collect(),
        ..Host::default()
    };
    Header {
        fleet: "test.fleet.json".into(),
        seed: 7,
        hosts: vec![host("a", 0, &["a.js"]), host("b", 1_000, &["b.js", "c.js"])],
        ..Header::default()
    }
}

fn woven(lines: &[&str]) -> Vec<Event> {
    let text = header().line() + &lines.join("\n") + "\n";
    wire::read(text.as_bytes()).expect("it is a trace")
}

/// The invocations that begin, with the name of their program, their link and their cause.
fn begun(events: &[Event]) -> Vec<(String, [u64; 3])> {
    let mut of = String::new();
    let mut all = Vec::new();
    for event in events {
        match event {
            Event::Fleet(FleetFact::Turned { name, .. }) => of = name.to_string(),
            Event::Began { invocation, link, cause, .. } => {
                all.push((of.clone(), [invocation.0, link.0, cause.0]));
            }
            _ => {}
        }
    }
    all
}

#[test]
fn the_header_is_read_as_it_is_written() {
    assert_eq!(Header::read(&header().line()), Some(header()));
    assert_eq!(Header::read("{\"format\":\"hemiola-trace\",\"version\":1}"), None);
}

#[test]
fn what_a_message_makes_able_to_run_is_caused_by_who_sent_it() {
    let events = woven(&[
        r#"{"host":"a","process":0,"ev":"started","program":1,"file":"a.js","at":0}"#,
        r#"{"host":"b","process":1,"ev":"started","program":2,"file":"c.js","at":0}"#,
        r#"{"host":"b","process":1,"ev":"began","n":1,"link":1,"cause":1,"at":0}"#,
        r#"{"host":"b","process":1,"ev":"requested","op":1,"by":1,"what":"udp.receive"}"#,
        r#"{"host":"b","process":1,"ev":"ended","n":1}"#,
        r#"{"host":"a","process":0,"ev":"began","n":1,"link":1,"cause":1,"at":5}"#,
        r#"{"host":"a","process":0,"ev":"sent","message":1,"to":"b","what":"datagram","size":3,"at":5,"arrives":900}"#,
        r#"{"host":"a","process":0,"ev":"ended","n":1}"#,
        r#"{"host":"b","process":1,"ev":"received","messages":[1],"op":1,"at":900}"#,
        r#"{"host":"b","process":1,"ev":"completed","op":1,"at":901}"#,
        r#"{"host":"b","process":1,"ev":"began","n":2,"class":"io","op":1,"link":1,"cause":1,"at":1001}"#,
        r#"{"host":"b","process":1,"ev":"ended","n":2}"#,
    ]);
    let wanted = [("b/2", [1, 1, 1]), ("a", [2, 2, 2]), ("b/2", [3, 1, 2])];
    assert_eq!(begun(&events), wanted.map(|(name, numbers)| (name.to_owned(), numbers)));
    let sender = events.iter().find_map(|event| match event {
        Event::Fleet(FleetFact::Sent { by, .. }) => *by,
        _ => None,
    });
    assert_eq!(sender, Some(Invocation(2)));
    // The clock of b counts a thousandth too many.
    let last = events.iter().rev().find_map(|event| match event {
        Event::Began { at, .. } => Some(at.as_micros()),
        _ => None,
    });
    assert_eq!(last, Some(1000));
}

/// A program that computes for long lets others run meanwhile.
#[test]
fn callbacks_do_not_overlap() {
    let events = woven(&[
        r#"{"host":"a","process":0,"ev":"began","n":1,"link":1,"cause":1,"at":0}"#,
        r#"{"host":"b","process":1,"ev":"began","n":1,"link":1,"cause":1,"at":1}"#,
        r#"{"host":"a","process":0,"ev":"observed","value":"first"}"#,
        r#"{"host":"b","process":1,"ev":"observed","value":"second"}"#,
        r#"{"host":"a","process":0,"ev":"ended","n":1}"#,
        r#"{"host":"c","process":2,"ev":"began","n":1,"link":1,"cause":1,"at":2}"#,
        r#"{"host":"b","process":1,"ev":"stopped","at":3}"#,
    ]);
    let shown: Vec<String> = events
        .iter()
        .map(|event| match event {
            Event::Fleet(FleetFact::Turned { name, .. }) => name.to_string(),
            Event::Began { invocation, .. } => invocation.to_string(),
            Event::Observed(value) => value.to_string(),
            Event::Ended { .. } => "ended".into(),
            Event::Fleet(FleetFact::Stopped { .. }) => "killed".into(),
            other => panic!("{other:?}"),
        })
        .collect();
    let wanted = ["a", "#1", "first", "ended", "b/1", "#2", "second", "killed", "c", "#3"];
    assert_eq!(shown, wanted);
}

#[test]
fn a_woven_trace_is_a_trace() {
    let events = woven(&[
        r#"{"host":"a","process":0,"ev":"started","program":1,"file":"a.js","at":0}"#,
        r#"{"ev":"fault","what":"cut a at 1s for 2s","hosts":["a"],"at":1000000,"lasts":2000000}"#,
        r#"{"host":"a","process":0,"ev":"sent","message":4,"op":3,"worker":true,"to":"b","what":"connect","at":5}"#,
        r#"{"host":"a","process":0,"ev":"stopped","code":-1,"at":7}"#,
    ]);
    let mut written = Vec::new();
    wire::write(&mut written, &events).expect("memory takes it");
    assert_eq!(wire::read(written.as_slice()).expect("it is a trace"), events);
    assert_eq!(events.len(), 5);
}

#[test]
fn programs_are_meant_by_their_hosts() {
    assert!(joined::is_of("b", "b") && joined::is_of("b/2", "b") && joined::is_of("b/2", "b/2"));
    assert!(
        !joined::is_of("b/2", "b/1") && !joined::is_of("bc", "b") && !joined::is_of("b/x", "b")
    );
}

#[test]
fn lines_that_are_no_events_are_named() {
    for (line, why) in [
        (
            r#"{"host":"a","process":0,"ev":"sent","message":1,"to":"b","what":"pigeon","at":1}"#,
            "unknown message `pigeon`",
        ),
        (r#"{"process":0,"ev":"observed","value":1}"#, "no string `host`"),
        (
            r#"{"host":"a","process":5000000000,"ev":"observed","value":1}"#,
            "`process` is too large",
        ),
        (
            r#"{"host":"a","process":0,"ev":"received","messages":["x"],"op":1,"at":1}"#,
            "a message is no integer",
        ),
        (r#"{"host":"a","process":0,"ev":"stopped","code":1.5,"at":1}"#, "`code` is no exit code"),
    ] {
        let text = header().line() + line;
        let error = wire::read(text.as_bytes()).expect_err("it is no event").to_string();
        assert_eq!(error, format!("line 2 of the trace: {why}"));
    }
}
