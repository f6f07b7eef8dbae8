//! The thermostat of examples/thermostat: exact in virtual time, whatever the network's latencies, and
//! started by one command in real time.

use crate::common;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::OnceLock;

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/thermostat")
}

/// A copy of the example with its packages; nothing, if they cannot be had.
fn installed() -> Option<&'static Path> {
    static PLACE: OnceLock<Option<PathBuf>> = OnceLock::new();
    PLACE.get_or_init(|| common::install(&example(), "thermostat")).as_deref()
}

/// A sensor falls silent, and a computer is too busy: the heaters go off, and what happens when is exact.
#[test]
fn a_minute_is_always_the_same() {
    let Some(place) = installed() else { return };
    for seed in ["0", "7", "8"] {
        let words = ["simulate", "--timeout", "120s", "--seed", seed, "scenario.js"];
        let output = common::hemiola(place).args(words).output().expect("hemiola can be run");
        let seen = common::text(output.stdout);
        assert_eq!(common::text(output.stderr), "", "seed {seed}");
        assert_eq!(output.status.code(), Some(0), "seed {seed}");
        common::compare(&example().join("scenario.out"), &seen);
    }
}

#[test]
fn one_command_starts_it() {
    let Some(place) = installed() else { return };
    let mut command = common::hemiola(place);
    let command = command.args(["run", "--timeout", "120s", "main.js", "0", "0"]);
    let mut child = command.stdout(Stdio::piped()).spawn().expect("hemiola can be run");
    let mut lines = BufReader::new(child.stdout.take().expect("its output is ours")).lines();
    let first = lines.next().expect("it says something").expect("that is text");
    let address = first.split("http://").nth(1).expect("it says where the page is");
    let address = address.trim_end_matches('/');
    let ask = |path: &str| {
        let mut socket = std::net::TcpStream::connect(address).expect("the page is there");
        let request =
            format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        socket.write_all(request.as_bytes()).expect("it takes a request");
        let mut response = String::new();
        socket.read_to_string(&mut response).expect("it answers");
        response
    };
    assert!(ask("/").contains("<title>Thermostat</title>"));
    // When that is depends on how busy this computer is; that it comes does not.
    let mut heating = lines.map(|line| line.expect("it says text"));
    let heating = heating.find(|line| line.contains("kitchen") && line.ends_with("heater on"));
    assert!(heating.is_some(), "the kitchen is cold");
    let state = ask("/state");
    assert!(state.contains(r#"{"name":"kitchen","celsius":1"#), "{state}");
    child.kill().expect("it can be ended");
    child.wait().expect("it ends");
}
