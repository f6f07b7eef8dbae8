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

#[test]
fn no_process_has_a_number_below_zero() {
    let source = "const os = require('os');
        for (const act of [() => os.getPriority(-1), () => os.setPriority(-1, 0), () => os.getPriority(-(2 ** 31))]) {
          try { act(); } catch ({ info }) { console.log(info.errno, info.code, info.syscall); }
        }";
    let expected =
        ["get", "set", "get"].map(|act| format!("-3 ESRCH uv_os_{act}priority\n")).concat();
    assert_eq!(shows("run", source), expected);
    assert_eq!(shows("simulate", source), expected);
}

#[test]
fn a_simulated_process_stays_whose_it_is() {
    let source = "const show = (act) => { try { console.log(act()); } catch (error) { console.log(error.code, error.message); } };
        show(() => process.setuid('root')); show(() => process.seteuid(0)); show(() => process.setgid('nogroup'));
        show(() => process.setuid(1000)); show(() => process.setegid('user')); show(() => process.setgid('wheel'));
        show(() => process.setgroups([1000])); show(() => process.initgroups(1000, 1000)); show(() => process.initgroups(7, 0));
        process.title = 'new'; show(() => [process.title, process.getuid(), process.getegid(), process.getgroups()]);";
    let refused = "EPERM EPERM, Operation not permitted\n";
    let expected = format!(
        "{refused}{refused}{refused}undefined\nundefined\nERR_UNKNOWN_CREDENTIAL Group identifier does not exist: wheel\n\
         {refused}{refused}ERR_UNKNOWN_CREDENTIAL User identifier does not exist: 7\n[ 'new', 1000, 1000, [ 1000 ] ]\n"
    );
    assert_eq!(shows("simulate", source), expected);
}

/// What lists of processes show; and who it is run by, if whoever runs this may change that.
#[test]
#[cfg(target_os = "linux")]
fn a_real_process_has_the_title_and_the_user_that_it_takes() {
    let source = "const fs = require('fs'); process.title = 'a title';
        const shown = fs.readFileSync('/proc/self/cmdline', 'latin1');
        console.log(JSON.stringify(shown.replace(/\\0+$/, '')), JSON.stringify(fs.readFileSync('/proc/self/comm', 'latin1')));
        const isRoot = process.getuid() === 0;
        if (isRoot) { process.setgroups([5, 4]); process.setgid(7); process.seteuid(8); process.seteuid(0); process.setuid(9); }
        const now = [process.getuid(), process.geteuid(), process.getgid(), process.getgroups().sort().join()];
        // Every thread has changed, also those that read files.
        fs.readFile('/proc/thread-self/status', 'latin1', (error, status) => {
          const ids = (line) => line.exec(status).slice(1).map(Number);
          console.log(isRoot ? now.join(' ') === '9 9 7 4,5,7' : true, ids(/^Uid:\\s(\\d+)/m)[0] === now[0], ids(/^Gid:\\s\\d+\\s(\\d+)/m)[0] === now[2]);
        });";
    assert_eq!(shows("run", source), "\"a title\" \"a title\\n\"\ntrue true true\n");
}
