//! `hemiola cron` from the outside.

use crate::common::{directory, hemiola, session, text};

#[test]
fn sessions() {
    session(
        "cron",
        &[],
        &[
            "hemiola cron next '0 3 * * *' --from 2024-01-01T00:00:00Z -n 2",
            "hemiola cron next '30 2 * * *' --zone America/New_York --from 2024-03-09 --until 2024-03-12",
            "hemiola cron next '30 2 * * *' --zone America/New_York --from 2024-03-09 --until 2024-03-12 --dst once",
            "hemiola cron next '30 1 * * *' --zone America/New_York --from 2024-11-03T05:30:00Z --until 2024-11-04T06:30:00Z --format json",
            "hemiola cron next '30 1 * * *' --zone America/New_York --from 2024-11-03T05:30:00Z --until 2024-11-04T06:30:00Z --dst once --format json",
            "hemiola cron next '0 12 30 12 *' --zone Pacific/Apia --from 2010-06-01 --until 2013-06-01",
            "hemiola cron next '0 0 29 2 *' --from 2024-03-01 --until 2024-12-01",
            "hemiola cron next '0 0 29 2 *' --from 2024-03-01 --until 2024-12-01 --format json",
            "hemiola cron next '*/20 * * * *' --from '2024-01-01 00:00:00.5' -n 3 --zone asia/kathmandu",
            "hemiola cron next '0 0 * * *' --from 1900-01-01 -n 1 --zone Europe/Paris",
            "hemiola cron explain '15,45 9,17 1,15 * mon-fri' --from 2024-01-01",
            "hemiola cron explain '0 3 * * *' --from 2024-01-01 -n 1 --zone Europe/Paris --format json",
        ],
    );
}

#[test]
fn wrong_input() {
    session(
        "cron_wrong",
        &[],
        &[
            "hemiola cron",
            "hemiola cron next",
            "hemiola cron next '* * * *'",
            "hemiola cron next '0 * * * * *'",
            "hemiola cron next @daily",
            "hemiola cron next '0 0 31 4,6 *'",
            "hemiola cron next '-5 * * * *'",
            "hemiola cron next '0 22-2 * * *'",
            "hemiola cron explain '0 0 * * funday'",
            "hemiola cron next '* * * * *' --zone Mars/Olympus",
            "hemiola cron next '* * * * *' --zone new_york",
            "hemiola cron next '* * * * *' --from yesterday",
            "hemiola cron next '* * * * *' --until 2024-13-01",
            "hemiola cron next '* * * * *' -n 0",
            "hemiola cron next '* * * * *' -n many",
            "hemiola cron next '* * * * *' --from 2024-01-01 --until 2030-01-01",
            "hemiola cron next '* * * * *' --dst twice",
        ],
    );
}

#[test]
fn without_a_start_it_is_now() {
    let directory = directory("cron_now", &[]);
    let output =
        hemiola(&directory).args(["cron", "next", "* * * * *", "--format", "json"]).output();
    let output = text(output.expect("hemiola can be run").stdout);
    assert_eq!(output.matches(":00Z\"").count(), 10, "{output}");
}
