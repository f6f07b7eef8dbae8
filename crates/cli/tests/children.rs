//! Children: programs whose expected output is what Node prints, and what only we promise.

use crate::common::{HEMIOLA, has, isolated};
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn hemiola(words: &[&str]) -> Output {
    let mut command = isolated(HEMIOLA);
    command.args(words).stdin(Stdio::null());
    command.output().expect("hemiola can be run")
}

fn shown(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn does_as_node(name: &str) {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/children").join(name);
    let expected = fs::read_to_string(program.with_extension("out")).expect("Node has printed it");
    let output = hemiola(&["run", program.to_str().expect("the path is text")]);
    assert_eq!(errors(&output), "", "{name}");
    let shown = shown(&output);
    for (shown, expected) in shown.lines().zip(expected.lines()) {
        assert_eq!(shown, expected, "{name}");
    }
    assert_eq!(shown.lines().count(), expected.lines().count(), "{name}");
}

#[test]
fn files_that_are_no_programs_are_run_by_the_shell() {
    does_as_node("scripts.js");
}

#[test]
fn children_that_are_waited_for() {
    does_as_node("at_once.js");
}

#[test]
fn tools_wrap_what_starts_children() {
    does_as_node("wrapped.js");
}

#[test]
fn no_child_is_started_as_a_user_with_a_negative_number() {
    does_as_node("ids.js");
}

#[test]
fn children_that_run_beside_the_program() {
    does_as_node("beside.js");
}

#[test]
fn children_whose_output_is_gathered() {
    does_as_node("gathered.js");
}

#[test]
fn children_that_are_spoken_with() {
    does_as_node("forked.js");
}

#[test]
fn values_as_v8_writes_them() {
    does_as_node("serialized.js");
}

#[test]
fn workers_of_a_cluster_that_have_enough_leave_connections_to_others() {
    does_as_node("full.js");
}

#[test]
fn children_that_share_streams() {
    does_as_node("shared.js");
}

#[test]
fn children_that_are_given_sockets() {
    does_as_node("handles.js");
}

#[test]
fn connections_that_a_child_has_count_as_their_servers() {
    does_as_node("counted.js");
}

#[test]
fn children_that_serve_together() {
    does_as_node("clustered.js");
}

#[test]
fn sockets_of_datagrams_that_several_processes_have() {
    does_as_node("datagrams.js");
}

#[test]
fn nothing_is_left_of_many_children() {
    does_as_node("many.js");
}

#[test]
fn a_program_needs_no_command() {
    let directory = std::env::temp_dir().join(format!("hemiola-{}-bare", std::process::id()));
    fs::create_dir_all(&directory).expect("the directory can be made");
    let program = directory.join("app.js");
    fs::write(&program, "console.log(process.argv.length, process.argv[2], process.execArgv)")
        .expect("a program can be written");
    let program = program.to_str().expect("the path is text");
    assert_eq!(shown(&hemiola(&[program, "--seed"])), "3 --seed []\n");
    let flags = ["--no-warnings", "--permission", "--allow-read", "*", "--allow-run", program, "x"];
    let told = "3 x [ '--no-warnings', '--permission', '--allow-read=*', '--allow-run' ]\n";
    assert_eq!(shown(&hemiola(&flags)), told);
    let print = ["-p", "[1 + 1, typeof require, process.argv.length]", "x"];
    assert_eq!(shown(&hemiola(&print)), "[ 2, 'function', 2 ]\n");
    assert_eq!(shown(&hemiola(&["-e", "console.log(process.argv[1])", "x"])), "x\n");
    let misspelt = hemiola(&["chekc", "x.l"]);
    assert_eq!(misspelt.status.code(), Some(2));
    assert!(errors(&misspelt).contains("check"), "{}", errors(&misspelt));
    let _ = fs::remove_dir_all(&directory);
}

#[test]
fn who_started_a_program_sees_by_which_signal_it_ended() {
    for (program, signal) in [
        ("process.kill(process.pid)", 15),
        ("process.kill(process.pid, 'SIGKILL')", 9),
        ("process.kill(process.pid, 'SIGUSR1')", 10),
        ("process.abort()", 6),
    ] {
        let output = hemiola(&["run", "-e", &format!("console.log('out'); {program}")]);
        assert_eq!(output.status.signal(), Some(signal), "{program}");
        assert_eq!(shown(&output), "out\n", "{program}");
    }
}

/// Programs of ours and of Node's speak with each other; where there is no Node, nothing is tried.
#[test]
fn a_channel_reaches_from_here_to_node_and_back() {
    if !has("node", "--version", "children") {
        return;
    }
    let directory = std::env::temp_dir().join(format!("hemiola-{}-node", std::process::id()));
    fs::create_dir_all(&directory).expect("the directory can be made");
    let program = directory.join("both.js");
    let source = "
        const { fork } = require('child_process');
        const net = require('net');
        if (process.argv[2] === 'child') {
          process.on('message', (message, handle) => {
            if (handle !== undefined) handle.end(message);
            process.send({ message, hasHandle: handle !== undefined }, () => message === 'end' && process.disconnect());
          });
        } else {
          const [, , execPath, serialization] = process.argv;
          const child = fork(__filename, ['child'], { execPath, serialization, execArgv: [] });
          child.on('message', (message) => console.log(message));
          const server = net.createServer({ pauseOnConnect: true }, (socket) => {
            child.send('for the socket', socket);
            child.send({ text: 'äö日', list: [1, null] });
            child.send('end');
            server.close();
          });
          server.listen(0, '127.0.0.1', () => {
            net.connect(server.address().port, '127.0.0.1').on('data', (text) => child.once('exit', (...args) => console.log(`${text}`, ...args)));
          });
        }";
    fs::write(&program, source).expect("a program can be written");
    let program = program.to_str().expect("the path is text");
    let ours = env!("CARGO_BIN_EXE_hemiola");
    let expected = "{ message: 'for the socket', hasHandle: true }\n\
        { message: { text: 'äö日', list: [ 1, null ] }, hasHandle: false }\n\
        { message: 'end', hasHandle: false }\nfor the socket 0 null\n";
    for serialization in ["json", "advanced"] {
        for (parent, child) in [(ours, "node"), ("node", ours), (ours, ours)] {
            let words = [program, child, serialization];
            let output = Command::new(parent).args(words).output().expect("it can be run");
            assert_eq!(errors(&output), "", "{parent} {child} {serialization}");
            assert_eq!(shown(&output), expected, "{parent} {child} {serialization}");
        }
    }
    let _ = fs::remove_dir_all(&directory);
}
