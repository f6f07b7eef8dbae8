//! How far commands are that take long: a line on a terminal, which goes away.

use crate::common::{directory, hemiola, text};
use crate::repl::session;

/// Nothing of these comes to an end before somebody has seen how far it is.
const ENDLESS: &str = "let n = 0; console.log('be' + 'gun'); for (;;) n += 1;\n";
const TICKS: &str = "setInterval(() => {}, 1);\n";

const CONTROL_C: &str = "\u{3}";

#[test]
fn simulations_and_searches_say_how_far_they_are() {
    let files = [
        ("endless.js", ENDLESS),
        ("ticks.js", TICKS),
        ("endless.test.js", "require('node:test')('it', () => { for (;;); });\n"),
        ("fleet.json", r#"{ "hosts": { "a": { "program": "ticks.js" } } }"#),
    ];
    let folder = directory("progress-simulate", &files);
    let shows = |words: &[&str], line: &str| {
        let shown = session(&folder, "simulations_and_searches", words, &[(line, CONTROL_C)])?;
        assert!(!shown.contains("never shown"), "{words:?}: {shown}");
        Some(shown)
    };
    let words = ["simulate", "--until", "300d", "ticks.js"];
    let Some(shown) = shows(&words, " of 300.0 days, about ") else { return };
    assert!(shown.contains("status 130\n"), "{shown}");
    let words = ["simulate", "--until", "300d", "--seeds", "1..7", "ticks.js"];
    shows(&words, "seeds 0 of 7");
    shows(&["simulate", "endless.js"], "virtual time 0.0 s");
    shows(&["races", "endless.js"], "schedules 0");
    shows(&["explore", "endless.js"], "schedules 0");
    shows(&["fleet", "simulate", "--until", "300d", "fleet.json"], " of 300.0 days, about ");
    shows(&["test", "endless.test.js"], "0 of 1 files");
}

#[test]
fn replays_say_how_far_they_are() {
    let folder = directory("progress-replay", &[("endless.js", ENDLESS)]);
    let name = "replays_say_how_far";
    let record = ["run", "--record", "endless.js"];
    let Some(_) = session(&folder, name, &record, &[("begun", CONTROL_C)]) else { return };
    let shown = |words: &[&str], steps: &[(&str, &str)]| {
        let shown = session(&folder, name, words, steps).expect("as before");
        assert!(!shown.contains("never shown"), "{words:?}: {shown}");
        shown
    };
    // What the program prints is above the line, and is there once.
    let replayed = shown(&["replay"], &[("replaying, input ", CONTROL_C)]);
    assert_eq!(replayed.matches("begun").count(), 1, "{replayed}");
    let viewed = shown(&["view", "--out", "page.html"], &[("left", "")]);
    assert!(viewed.ends_with("page.html\n\nstatus 0\n"), "{viewed}");
    let words = ["trace", "export", "--to", "chrome", "--out", "trace.json"];
    let exported = shown(&words, &[("left", "")]);
    assert!(exported.ends_with("trace.json\n\nstatus 0\n"), "{exported}");
    let steps =
        [("(hemiola)", "continue\r"), ("running, step ", CONTROL_C), ("paused: ", "quit\r")];
    shown(&["debug", "--tty", "latest"], &steps);
}

#[test]
fn nobody_is_told_who_is_no_terminal() {
    let folder = directory("progress-piped", &[("ticks.js", TICKS)]);
    let output = hemiola(&folder)
        .args(["simulate", "--until", "20000s", "--timeout", "1s", "ticks.js"])
        .output()
        .expect("hemiola runs");
    assert!(!text(output.stderr).contains("virtual time"));
}
