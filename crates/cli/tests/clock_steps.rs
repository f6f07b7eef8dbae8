//! Somebody sets the clock on the wall while a scheduler waits for a due (rule SCHED-8).

use crate::common::{directory, hemiola, text};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Is due within five minutes, once.
const SOON: &str = "
    const { initialize, stop } = require('hemiola:scheduler');
    const due = new Date(Date.now() + 5 * 60_000);
    const began = performance.now();
    const cron = `${due.getUTCMinutes()} ${due.getUTCHours()} * * *`;
    initialize([{ id: 'soon', cron, zone: 'UTC', run() {
      console.log('ran', performance.now() - began < 60_000, Date.now() >= due - due % 60_000);
      stop();
    } }]).then(() => console.log('ready'));
";

/// Compiles what sets the clock of a process.
fn shim(directory: &Path) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clock_steps/shim.c");
    let library = directory.join("shim.so");
    let mut command = Command::new("cc");
    command.args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).arg(source);
    assert!(command.status().expect("there is a C compiler").success());
    library
}

#[test]
fn a_live_scheduler_notices_within_a_second_that_the_clock_was_set() {
    let directory = directory("clock_steps_live", &[("soon.js", SOON)]);
    let library = shim(&directory);
    let mut command = hemiola(&directory);
    command.args(["run", "--record", "--timeout", "60s", "soon.js"]).stdout(Stdio::piped());
    command.env("LD_PRELOAD", library).env("CLOCK_STEP", "360");
    command.env("HEMIOLA_RUNS", directory.join("runs"));
    let mut child = command.spawn().expect("the program starts");
    let mut out = BufReader::new(child.stdout.take().expect("it is piped"));
    let mut line = String::new();
    out.read_line(&mut line).expect("it says something");
    assert_eq!(line, "ready\n");
    let set = Instant::now();
    let status = Command::new("kill").args(["-USR2", &child.id().to_string()]).status();
    assert!(status.expect("kill can be run").success());
    let mut rest = String::new();
    out.read_to_string(&mut rest).expect("it goes on to its end");
    assert!(child.wait().expect("it ends").success());
    assert_eq!(rest, "ran true true\n");
    assert!(set.elapsed() < Duration::from_secs(1), "it took {:?}", set.elapsed());

    let mut command = hemiola(&directory);
    command.arg("replay").env("HEMIOLA_RUNS", directory.join("runs"));
    let replayed = command.output().expect("hemiola runs");
    assert_eq!(text(replayed.stdout), "ready\nran true true\n", "{}", text(replayed.stderr));
}

/// Says when its tasks run, by the clock on the wall and by the other one.
const DAILY: &str = "
    const { initialize } = require('hemiola:scheduler');
    const say = (id) => () => console.log(id, new Date().toISOString().slice(11, 19), Math.floor(performance.now() / 1000));
    initialize([['quarter', '15 * * * *', say('quarter')], ['often', '*/5 * * * *', say('often')]]);
";

fn simulate(directory: &Path, words: &[&str]) -> Output {
    let mut command = hemiola(directory);
    command.args(["simulate", "--verify", "--until", "32m"]).args(words).arg("daily.js");
    command.output().expect("hemiola runs")
}

#[test]
fn a_simulated_clock_is_set_and_dues_are_noticed() {
    let directory = directory("clock_steps_virtual", &[("daily.js", DAILY)]);
    let said = |faults: &str| {
        let output = simulate(&directory, &["--faults", faults]);
        assert!(output.status.success(), "{faults}: {}", text(output.stderr));
        text(output.stdout)
    };
    // What was jumped over is made up for at once, as one.
    assert_eq!(
        said("clock@630s+10m"),
        "often 00:00:00 0\noften 00:05:00 300\noften 00:10:00 600\n\
         quarter 00:20:30 630\noften 00:20:30 630\n\
         often 00:25:00 900\noften 00:30:00 1200\noften 00:35:00 1500\noften 00:40:00 1800\n"
    );
    // A minute that began meanwhile is due, and what comes next is 40 s nearer.
    assert_eq!(
        said("clock@890s+40s"),
        "often 00:00:00 0\noften 00:05:00 300\noften 00:10:00 600\n\
         quarter 00:15:30 890\noften 00:15:30 890\n\
         often 00:20:00 1160\noften 00:25:00 1460\noften 00:30:00 1760\n"
    );
    // The seed decides; the same seed decides the same.
    let by_seed = simulate(&directory, &["--faults", "clock", "--seed", "3"]);
    assert!(by_seed.status.success(), "{}", text(by_seed.stderr));
    assert_eq!(by_seed, simulate(&directory, &["--faults", "clock", "--seed", "3"]));
}

#[test]
fn steps_that_cannot_be_read_are_refused() {
    let directory = directory("clock_steps_refused", &[("daily.js", DAILY)]);
    let said = |faults: &str| {
        let output = simulate(&directory, &["--faults", faults]);
        assert_eq!(output.status.code(), Some(2), "{faults}");
        text(output.stderr)
    };
    assert!(said("clock@10s").contains("clock@10s+40s"));
    assert!(said("clocks").contains("clock@10s+40s"));
    assert!(said("disk").contains("write fs, net or clock"));
}
