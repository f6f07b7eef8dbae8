//! Dues without a zone are read on the host's local clock, and in UTC when asked (rule SCHED-8).

use crate::common::{directory, hemiola, text};
use std::path::Path;

fn said(directory: &Path, zone: &str, words: &[&str]) -> String {
    let output = hemiola(directory).env("TZ", zone).args(words).output().expect("hemiola runs");
    assert!(output.status.success(), "{words:?}: {}", text(output.stderr));
    text(output.stdout)
}

#[test]
fn cron_next_reads_an_expression_on_the_hosts_clock() {
    let directory = directory("local_dues_next", &[]);
    let next = |zone: &str, more: &[&str]| {
        let words = ["cron", "next", "0 12 * * *", "--from", "2024-07-01T00:00:00Z", "-n", "1"];
        said(&directory, zone, &[&words[..], more].concat())
    };
    let utc = "Mon 2024-07-01 12:00 +00:00  2024-07-01T12:00:00Z\n";
    assert_eq!(next("Europe/Paris", &[]), "Mon 2024-07-01 12:00 +02:00  2024-07-01T10:00:00Z\n");
    assert_eq!(next(":Asia/Tokyo", &[]), "Mon 2024-07-01 12:00 +09:00  2024-07-01T03:00:00Z\n");
    assert_eq!(next("Europe/Paris", &["--zone", "UTC"]), utc);
    // As for programs, a zone that is not known is UTC.
    assert_eq!(next("Mars/Olympus", &[]), utc);
}

const TASKS: &str = "
    const { initialize, status, stop } = require('hemiola:scheduler');
    const say = (id) => () => console.log(id, new Date().toISOString());
    initialize([
      { id: 'local', cron: '30 7 * * *', run: say('local') },
      { id: 'utc', cron: '30 7 * * *', zone: 'UTC', run: say('utc') },
    ]).then(() => {
      const [local, utc] = status().map(({ nextDue }) => nextDue);
      console.log(local.getHours(), local.getMinutes(), utc.getUTCHours(), utc.getUTCMinutes());
      if (process.argv[2] === 'stop') stop();
    });
";

#[test]
fn a_task_without_a_zone_is_due_by_the_hosts_clock_live_and_simulated() {
    let directory = directory("local_dues_tasks", &[("tasks.js", TASKS)]);
    let zone = "Asia/Kolkata";
    let noticed = said(&directory, zone, &["simulate", "--until", "12h", "--verify", "tasks.js"]);
    assert_eq!(
        noticed,
        "7 30 7 30\nlocal 2024-01-01T02:00:00.000Z\nutc 2024-01-01T07:30:00.000Z\n"
    );
    assert_eq!(said(&directory, zone, &["run", "tasks.js", "stop"]), "7 30 7 30\n");
    assert_eq!(said(&directory, "UTC", &["run", "tasks.js", "stop"]), "7 30 7 30\n");
}
