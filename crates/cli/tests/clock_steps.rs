//! Somebody sets the clock on the wall while a scheduler waits for a due (rule SCHED-8).

use crate::common::{directory, hemiola, text};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Says which of its tasks run, and in which minute counted from the first; ends with the second run of the first.
const MINUTES: &str = "
    const { initialize, stop } = require('hemiola:scheduler');
    const minute = () => Math.floor(Date.now() / 60_000);
    const first = minute();
    let count = 0;
    const task = (id, after) => {
      const due = new Date((first + after) * 60_000);
      const cron = `${due.getUTCMinutes()} ${due.getUTCHours()} * * *`;
      return { id, cron, zone: 'UTC', run() {
        console.log(id, minute() - first);
        if (id === 'now' && ++count === 2) stop();
      } };
    };
    initialize([task('now', 0), task('skipped', 3), task('entered', 5)]);
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
fn a_live_scheduler_goes_by_what_a_clock_shows_that_is_set() {
    let directory = directory("clock_steps_live", &[("minutes.js", MINUTES)]);
    let library = shim(&directory);
    // The clock begins ten seconds after a minute: so the test is over before another begins by itself.
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("it is after 1970").as_secs();
    let mut command = hemiola(&directory);
    command.args(["run", "--record", "--verify", "--timeout", "60s", "minutes.js"]);
    command.env("LD_PRELOAD", library).env("HEMIOLA_RUNS", directory.join("runs"));
    command.env("CLOCK_AHEAD", (70 - now % 60).to_string()).env("CLOCK_STEPS", "300,-300");
    let mut child = command.stdout(Stdio::piped()).spawn().expect("the program starts");
    let mut out = BufReader::new(child.stdout.take().expect("it is piped"));
    let mut line = || {
        let mut line = String::new();
        out.read_line(&mut line).expect("it says something");
        line
    };
    assert_eq!(line(), "now 0\n");
    // Minutes that are jumped over do not happen, one that the clock comes to show does, and one that comes again
    // happens again.
    for expected in ["entered 5\n", "now 0\n"] {
        let set = Instant::now();
        let status = Command::new("kill").args(["-USR2", &child.id().to_string()]).status();
        assert!(status.expect("kill can be run").success());
        assert_eq!(line(), expected);
        assert!(set.elapsed() < Duration::from_secs(1), "it took {:?}", set.elapsed());
    }
    assert_eq!(line(), "");
    assert!(child.wait().expect("it ends").success());

    let mut command = hemiola(&directory);
    command.arg("replay").env("HEMIOLA_RUNS", directory.join("runs"));
    let replayed = command.output().expect("hemiola runs");
    assert_eq!(text(replayed.stdout), "now 0\nentered 5\nnow 0\n", "{}", text(replayed.stderr));
}

/// Says when its tasks run, by the clock on the wall and by the other one.
const DAILY: &str = "
    const { initialize } = require('hemiola:scheduler');
    const say = (id) => () => console.log(id, new Date().toISOString().slice(11, 19), Math.floor(performance.now() / 1000));
    initialize([['quarter', '15 * * * *', say('quarter')], ['often', '*/5 * * * *', say('often')]]);
";

/// Says when a task of a fixed time runs that is due once.
const ONCE: &str = "
    const { initialize } = require('hemiola:scheduler');
    const run = () => console.log(new Date().toISOString().slice(11, 19), Math.floor(performance.now() / 1000));
    initialize([{ id: 'once', cron: '15 0 * * *', zone: 'UTC', dst: 'once', run }]);
";

fn simulate(directory: &Path, words: &[&str], program: &str) -> Output {
    let mut command = hemiola(directory);
    command.args(["simulate", "--verify", "--until", "32m"]).args(words).arg(program);
    command.output().expect("hemiola runs")
}

#[test]
fn a_simulated_clock_is_set_and_dues_are_noticed() {
    let directory = directory("clock_steps_virtual", &[("daily.js", DAILY), ("once.js", ONCE)]);
    let said = |faults: &str| {
        let output = simulate(&directory, &["--faults", faults], "daily.js");
        assert!(output.status.success(), "{faults}: {}", text(output.stderr));
        text(output.stdout)
    };
    // What is jumped over does not happen; the minute that the clock comes to show does.
    assert_eq!(
        said("clock@630s+10m"),
        "often 00:00:00 0\noften 00:05:00 300\noften 00:10:00 600\n\
         often 00:20:30 630\n\
         often 00:25:00 900\noften 00:30:00 1200\noften 00:35:00 1500\noften 00:40:00 1800\n"
    );
    // A minute that began meanwhile is due, and what comes next is 40 s nearer.
    assert_eq!(
        said("clock@890s+40s"),
        "often 00:00:00 0\noften 00:05:00 300\noften 00:10:00 600\n\
         quarter 00:15:30 890\noften 00:15:30 890\n\
         often 00:20:00 1160\noften 00:25:00 1460\noften 00:30:00 1760\n"
    );
    // What comes again is due again.
    assert_eq!(
        said("clock@1000s-10m"),
        "often 00:00:00 0\noften 00:05:00 300\noften 00:10:00 600\n\
         quarter 00:15:00 900\noften 00:15:00 900\n\
         often 00:10:00 1200\nquarter 00:15:00 1500\noften 00:15:00 1500\noften 00:20:00 1800\n"
    );
    // The minute before comes again, and then the one after it.
    assert_eq!(
        said("clock@305s-10s,clock@1000s+1m"),
        "often 00:00:00 0\noften 00:05:00 300\noften 00:05:00 310\noften 00:10:00 610\n\
         quarter 00:15:00 910\noften 00:15:00 910\n\
         often 00:20:00 1150\noften 00:25:00 1450\noften 00:30:00 1750\n"
    );
    // Who wants a fixed time once has it once.
    let once = |faults: &str| {
        let output = simulate(&directory, &["--faults", faults], "once.js");
        assert!(output.status.success(), "{faults}: {}", text(output.stderr));
        text(output.stdout)
    };
    assert_eq!(once("clock@630s+10m"), "00:20:30 630\n");
    assert_eq!(once("clock@1000s-10m"), "00:15:00 900\n");
    // The seed decides; the same seed decides the same.
    let by_seed = || simulate(&directory, &["--faults", "clock", "--seed", "3"], "daily.js");
    let first = by_seed();
    assert!(first.status.success(), "{}", text(first.stderr));
    assert_eq!(first, by_seed());
}

/// Tasks that fail, wait, overlap dues and have a store, on clocks that are set now and then.
const BUSY: &str = "
    const { initialize, stop, trigger, pause, resume } = require('hemiola:scheduler');
    let count = 0;
    const work = (ms) => async () => {
      await new Promise((resolve) => setTimeout(resolve, ms));
      if (++count % 3 === 0) throw new Error('now and then');
    };
    const list = [
      { id: 'often', cron: '*/5 * * * *', run: work(20), retryDelay: 90_000 },
      { id: 'long', cron: '*/7 * * * *', run: work(400_000), jitter: 30_000 },
      { id: 'hourly', cron: '30 * * * *', run: work(1000), retryDelay: 0 },
    ];
    const options = { store: 'tasks.db', concurrency: 2, log: false };
    initialize(list, options);
    // There is none for a moment.
    const refused = () => {};
    setInterval(() => { pause('often').catch(refused); trigger('hourly').catch(refused); }, 3_000_000);
    setInterval(() => resume('often').catch(refused), 3_700_000);
    setTimeout(async () => { await stop(); await initialize(list, options); }, 20_000_000);
";

#[test]
fn schedulers_keep_the_contract_on_clocks_that_are_set() {
    let directory = directory("clock_steps_contract", &[("busy.js", BUSY)]);
    let verified = |words: &[&str]| {
        let mut command = hemiola(&directory);
        command.args(["simulate", "--verify", "--until", "12h", "--faults", "clock"]).args(words);
        let output = command.arg("busy.js").output().expect("hemiola runs");
        assert!(output.status.success(), "{words:?}: {}", text(output.stderr));
    };
    for seed in 1..=8 {
        verified(&["--seed", &seed.to_string()]);
    }
    verified(&["--environment", "thawing=3000"]);
    verified(&["--environment", "burst", "--seed", "4"]);
}

#[test]
fn steps_that_cannot_be_read_are_refused() {
    let directory = directory("clock_steps_refused", &[("daily.js", DAILY)]);
    let said = |faults: &str| {
        let output = simulate(&directory, &["--faults", faults], "daily.js");
        assert_eq!(output.status.code(), Some(2), "{faults}");
        text(output.stderr)
    };
    assert!(said("clock@10s").contains("clock@10s+40s"));
    assert!(said("clocks").contains("clock@10s+40s"));
    assert!(said("disk").contains("write fs, net or clock"));
}
