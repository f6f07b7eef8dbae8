//! The computer that a program sees. `crates/js/tests/against_node/os.js` holds the real one to Node's.

use crate::common::{HEMIOLA, isolated};

fn shows(command: &str, source: &str) -> String {
    let output = isolated(HEMIOLA)
        .args([command, "-e", source])
        .env("HOME", "/h")
        .output()
        .expect("the command can be started");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn the_computer_is_always_the_same_in_a_simulation() {
    let source = "const os = require('os');
        console.log(os.hostname(), os.release(), os.totalmem(), os.freemem(), os.cpus().length, os.loadavg(), os.uptime(), os.homedir());
        console.log(os.userInfo().username, os.getPriority(), os.networkInterfaces(), os.availableParallelism());";
    let expected = "localhost 6.0.0 2147483648 1073741824 1 [ 0, 0, 0 ] 0 /h\nuser 0 {} 1\n";
    assert_eq!(shows("simulate", source), expected);
}

#[test]
#[cfg(target_os = "linux")]
fn the_computer_is_the_real_one_in_a_run() {
    let source = "const os = require('os');
        console.log(os.totalmem() > os.freemem(), os.uptime() > 0, os.cpus().length >= os.availableParallelism());
        console.log(os.release() !== '', os.cpus()[0].times.idle > 0, os.homedir());";
    assert_eq!(shows("run", source), "true true true\ntrue true /h\n");
}
