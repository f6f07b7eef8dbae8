//! Programs that always have something ready, and those that have nothing left.

use crate::common::{HEMIOLA, isolated};

/// What a program shows in virtual time, in one line; it must be the same twice.
fn simulated(flags: &[&str], source: &str) -> String {
    let run = || {
        let mut command = isolated(HEMIOLA);
        let output = command.arg("simulate").args(flags).args(["-e", source]).output();
        let output = output.expect("the command can be started");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("output is text")
    };
    let (first, second) = (run(), run());
    assert_eq!(first, second, "two runs show the same");
    first.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn loop_7_immediates_without_end_do_not_hold_virtual_time() {
    let program = "let n = 0; (function again() { n++; setImmediate(again); })();
        setTimeout(() => { console.log(n, performance.now()); process.exit(); }, 0);";
    assert_eq!(simulated(&[], program), "1001 1");
    assert_eq!(simulated(&["--strategy", "micro"], program), "1002 1");
}

#[test]
fn loop_3_ticks_without_end_do_not_hold_virtual_time_under_all() {
    let program = "let n = 0; (function again() { n++; process.nextTick(again); })();
        setTimeout(() => { console.log(n, performance.now()); process.exit(); }, 0);";
    assert_eq!(simulated(&["--strategy", "all"], program), "1002 1");
}

#[test]
fn immediates_without_end_stop_with_the_world() {
    let program = "let n = 0; (function again() { n++; setImmediate(again); })();
        process.on('exit', () => console.log(n, performance.now()));";
    assert_eq!(simulated(&["--until", "3ms"], program), "4000 3");
}

#[test]
fn a_program_that_is_always_late_stops_with_the_world() {
    let program = "const { spend } = require('hemiola:clock'); let n = 0;
        setInterval(() => { n++; spend(2); }, 1);
        process.on('exit', () => console.log(n, performance.now()));";
    assert_eq!(simulated(&["--until", "10ms"], program), "5 11");
    let labelled = program.replace("}, 1)", "}, 1, 'A')");
    assert_eq!(simulated(&["--until", "10ms"], &labelled), "5 11");
}

#[test]
fn a_farewell_is_repeated_for_what_waits_and_not_for_a_tail() {
    let tail = "process.on('beforeExit', () => {
        console.log('farewell');
        Promise.resolve().then(() => console.log('job'));
        process.nextTick(() => console.log('tick'));
    });";
    assert_eq!(simulated(&[], tail), "farewell tick job");
    let timer = "let n = 0; process.on('beforeExit', async () => {
        console.log('farewell');
        if (n++ < 2) setTimeout(() => console.log('timer'), 1);
        await null;
        process.nextTick(() => console.log('tick'));
    });";
    assert_eq!(simulated(&[], timer), "farewell tick timer farewell tick timer farewell tick");
}
