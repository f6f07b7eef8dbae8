//! `hemiola simulate` for many seeds, and what can go wrong with one program.

use crate::common::{HEMIOLA, directory, hemiola, text};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

fn simulate(directory: &Path, words: &[&str]) -> (String, String, Option<i32>) {
    let mut command = hemiola(directory);
    let output = command.arg("simulate").args(words).output().expect("it can be run");
    (text(output.stdout), text(output.stderr), output.status.code())
}

/// Runs what is printed after `repeat:`.
fn repeated(directory: &Path, line: &str) -> (String, Option<i32>) {
    let words = line.strip_prefix("hemiola simulate ").expect(line);
    let mut command = Command::new("sh");
    command.args(["-c", &format!("exec \"$0\" simulate {words}")]).arg(HEMIOLA);
    let output = command.current_dir(directory).output().expect("it can be run");
    (text(output.stderr), output.status.code())
}

#[test]
fn a_search_that_is_stopped_does_not_wait_for_the_runs_under_way() {
    let directory = directory("seeds_stopped", &[("app.js", "setInterval(() => {}, 1);")]);
    let words = ["--seeds", "1..2", "--until", "100000h", "--timeout", "300ms", "app.js"];
    let (said, err, code) = simulate(&directory, &words);
    assert_eq!(code, Some(102), "{err}");
    assert!(said.starts_with("0 seeds, no failure, stopped early"), "{said}");
}

#[test]
fn failing_seeds_are_listed_and_repeated() {
    let program = "const drawn = Math.random();\n\
        setTimeout(() => { if (drawn < 0.4) throw new Error(`unlucky with ${process.argv[2]}`); }, 1500);\n";
    let directory = directory("seeds_random", &[("app.js", program)]);
    let words = ["--seeds", "1..12", "--format", "json", "app.js", "--fast"];
    let (first, err, code) = simulate(&directory, &words);
    assert_eq!(code, Some(100), "{err}");
    let (second, ..) =
        simulate(&directory, &["--jobs", "1"].iter().chain(&words).copied().collect::<Vec<_>>());
    assert_eq!(first, second);
    let found: Value = serde_json::from_str(&first).expect(&first);
    assert_eq!((&found["version"], &found["seeds"]), (&1.into(), &12.into()));
    let failing = found["failing"].as_array().expect("a list");
    assert!((1..12).contains(&failing.len()), "{found}");
    for one in failing {
        assert_eq!(one["why"], "exit status 1: Error: unlucky with --fast", "{one}");
        assert_eq!((&one["host"], &one["at_ms"]), (&Value::Null, &1500.into()));
        let (said, code) = repeated(&directory, one["repeat"].as_str().expect("a line"));
        assert!(said.contains("Error: unlucky with --fast"), "{said}");
        assert_eq!(code, Some(1));
    }

    let (out, _, code) =
        simulate(&directory, &["--seeds", "1..3", "-e", "setInterval(() => {}, 60_000)"]);
    assert_eq!(code, Some(0));
    assert!(out.starts_with("3 seeds, no failure; 3.00 hours of virtual time"), "{out}");
}

#[test]
fn a_program_may_stand_still_and_clocks_may_be_set() {
    let program = "let [wall, time] = [Date.now(), performance.now()];\n\
        setInterval(() => {\n\
          if (Date.now() < wall) throw new Error('the clock went back');\n\
          if (performance.now() - time > 500) throw new Error('time jumped');\n\
          [wall, time] = [Date.now(), performance.now()];\n\
        }, 100);\n";
    let directory = directory("seeds_faults", &[("app.js", program)]);
    for (faults, why, small) in [
        ("clock=20/min", "the clock went back", "clock at "),
        ("pause=10/min", "time jumped", "pause at "),
        ("pause at 3s for 2s; clock at 9s by -1s", "time jumped", "pause at 3s for 2s"),
        ("clock@2s-10s, pause at 9s", "the clock went back", "clock at 2s by -10s"),
    ] {
        let words =
            ["--seeds", "1..3", "--until", "1m", "--faults", faults, "--format", "json", "app.js"];
        let (out, err, code) = simulate(&directory, &words);
        assert_eq!(code, Some(100), "{faults}: {out}{err}");
        let found: Value = serde_json::from_str(&out).expect(&out);
        let failing = found["failing"].as_array().expect("a list");
        let is_meant = |one: &&Value| {
            let faults = one["small"]["faults"].as_array().expect("a list");
            one["why"].as_str().is_some_and(|text| text.contains(why)) && faults.len() == 1
        };
        let one = failing.iter().find(is_meant).unwrap_or_else(|| panic!("{faults}: {found}"));
        assert!(one["small"]["faults"][0].as_str().is_some_and(|fault| fault.starts_with(small)));
        let (said, code) = repeated(&directory, one["repeat"].as_str().expect("a line"));
        assert!(said.contains(why), "{one}: {said}");
        assert_eq!(code, Some(1));
    }
    let disk = "require('fs').writeFileSync('/tmp/x', 'x'); setTimeout(() => require('fs').writeFileSync('/tmp/x', 'y'), 3500);";
    let (_, err, code) = simulate(&directory, &["--faults", "disk at 3s for 1s", "-e", disk]);
    assert_eq!(code, Some(1), "{err}");
}

#[test]
fn time_begins_when_it_is_said_and_the_network_takes_as_long() {
    let directory = directory("seeds_date", &[]);
    let show = "console.log(new Date().toISOString(), performance.now() < 100)";
    for (date, shown) in [
        ("2031-05-06", "2031-05-06T00:00:00.000Z true\n"),
        ("2000-02-29T23:59:50Z", "2000-02-29T23:59:50.000Z true\n"),
    ] {
        let (out, err, _) = simulate(&directory, &["--date", date, "-e", show]);
        assert_eq!(out, shown, "{err}");
    }
    let echo = "const net = require('net');\n\
        const server = net.createServer((socket) => socket.end('x')).listen(0, () => {\n\
          const began = performance.now();\n\
          net.connect(server.address().port).on('data', () => {}).on('close', () => {\n\
            console.log(performance.now() - began > 400);\n\
            server.close();\n\
          });\n\
        });\n";
    for (latency, is_long) in [("200ms..300ms", "true\n"), ("1ms", "false\n")] {
        let (out, err, _) = simulate(&directory, &["--latency", latency, "-e", echo]);
        assert_eq!(out, is_long, "{err}");
    }
}

#[test]
fn what_one_program_cannot_have_is_refused() {
    let directory = directory("seeds_wrong", &[]);
    for (words, why) in [
        (["--faults", "crash=1/h"], "cannot have `crash`: that goes wrong in fleets"),
        (["--faults", "cut at 3s"], "cannot have `cut`"),
        (["--faults", "melt at 3s"], "does not know the faults `melt`"),
        (["--faults", "pause=often"], "`often` is no rate"),
        (["--faults", "pause at soon"], "`soon` is no length of time"),
        (["--seeds", "9..1"], "must be two numbers"),
        (["--date", "yesterday"], "must be a date since 1970"),
        (["--date", "1969-12-31"], "must be a date since 1970"),
        (["--latency", "20ms..1ms"], "has a least that is more than the most"),
        (["--format", "json"], "--seeds"),
    ] {
        let (_, err, code) = simulate(&directory, &[&words[..], &["-e", "1"]].concat());
        assert!(err.contains(why), "{words:?}: {err}");
        assert_eq!(code, Some(2), "{err}");
    }
}
