//! TLS: one suite for both worlds (rule GATE-4), whose expected output is what Node prints; and talks
//! with Node and OpenSSL.

use crate::common::{HEMIOLA, has, isolated};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tls")
}

fn both_worlds(name: &str) {
    let expected = fs::read_to_string(folder().join(name).with_extension("out"));
    let expected = expected.expect("there is an expected output");
    for command in ["run", "simulate"] {
        let program = folder().join(name).with_extension("js");
        let output = isolated(HEMIOLA).arg(command).arg(program).output();
        let output = output.expect("hemiola can be run");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{command} {name}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{command} {name}");
    }
}

#[test]
fn handshakes_end_as_in_node() {
    both_worlds("handshakes");
}

#[test]
fn peers_are_believed_as_in_node() {
    both_worlds("trust");
}

#[test]
fn sockets_are_used_as_in_node() {
    both_worlds("uses");
}

#[test]
fn requests_are_made_as_in_node() {
    both_worlds("requests");
}

#[test]
fn certificates_are_shown_as_in_node() {
    both_worlds("certificates");
}

#[test]
fn a_simulation_is_the_same_every_time() {
    let once = || {
        let words = ["simulate", "--seed", "7", "uses.js"];
        let output = isolated(HEMIOLA).args(words).current_dir(folder()).output();
        output.expect("hemiola can be run").stdout
    };
    assert_eq!(once(), once());
}

#[test]
fn a_talk_is_recorded_as_it_was_said() {
    // What goes over the wire differs each time; a recording holds what the two sides said.
    let runs = std::env::temp_dir().join(format!("hemiola-{}-tls-runs", std::process::id()));
    let hemiola = |words: &[&str]| {
        let mut command = isolated(HEMIOLA);
        command.args(words).current_dir(folder()).env("HEMIOLA_RUNS", &runs);
        command.output().expect("hemiola can be run")
    };
    let recorded = hemiola(&["run", "--record=always", "requests.js"]);
    let replayed = hemiola(&["replay"]);
    let _ = fs::remove_dir_all(&runs);
    assert_eq!(text(&replayed), String::from_utf8_lossy(&recorded.stdout));
    assert!(recorded.status.success() && replayed.status.success());
}

/// `node` or Hemiola, as a program that runs `peer.js` in a role.
fn peer(runner: &str, words: &[&str]) -> Command {
    let mut command = Command::new(runner);
    if runner == HEMIOLA {
        command.arg("run");
    }
    command.arg(folder().join("peer.js")).args(words);
    command
}

/// A server in the background, and its port.
struct Server {
    child: Child,
    port: String,
    file: PathBuf,
}

impl Server {
    fn start(runner: &str, role: &str, count: &str, name: &str) -> Self {
        let file = std::env::temp_dir().join(format!("hemiola-{}-{name}", std::process::id()));
        let _ = fs::remove_file(&file);
        let mut command = peer(runner, &[role, file.to_str().expect("the path is text"), count]);
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the server can be started");
        let port = loop {
            if let Ok(port) = fs::read_to_string(&file) {
                break port;
            }
            assert_eq!(child.try_wait().expect("it can be asked"), None, "the server ended");
            std::thread::yield_now();
        };
        Self { child, port, file }
    }

    fn finish(self) -> String {
        let output = self.child.wait_with_output().expect("the server ends");
        let _ = fs::remove_file(self.file);
        text(&output)
    }
}

fn text(output: &Output) -> String {
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn hemiola_and_node_understand_each_other() {
    if !has("node", "--version", "tls") {
        return;
    }
    for (ours, theirs, name) in [(HEMIOLA, "node", "ours"), ("node", HEMIOLA, "theirs")] {
        let server = Server::start(ours, "server", "3", name);
        let client = peer(theirs, &["client", &server.port]).output().expect("the client runs");
        let heard = "TLSv1.3 echo localhost false undefined\nhello\n\
                     TLSv1.2 echo localhost true a client\nhello\n\
                     TLSv1.3 echo elsewhere.example false undefined\nhello\n";
        let said = "true TLSv1.3 TLS_AES_256_GCM_SHA384 echo localhost\nHELLO\n\
                    true TLSv1.2 ECDHE-RSA-AES128-GCM-SHA256 echo localhost\nHELLO\n\
                    true TLSv1.3 TLS_AES_256_GCM_SHA384 echo localhost\nHELLO\n";
        assert_eq!(text(&client), said, "{name}");
        assert_eq!(server.finish(), heard, "{name}");
    }
}

#[test]
fn hemiola_and_node_make_requests_of_each_other() {
    if !has("node", "--version", "tls") {
        return;
    }
    for (ours, theirs, name) in [(HEMIOLA, "node", "https"), ("node", HEMIOLA, "of-node")] {
        let server = Server::start(ours, "https", "", name);
        let client = peer(theirs, &["request", &server.port]).output().expect("the client runs");
        assert_eq!(text(&client), "200 GET / 0\n200 POST /much 300000\n200 GET /end 0\n", "{name}");
        server.finish();
    }
}

#[test]
fn a_server_talks_to_openssl_and_survives_garbage() {
    if !has("openssl", "version", "tls") {
        return;
    }
    let server = Server::start(HEMIOLA, "server", "2", "openssl");
    for version in ["-tls1_3", "-tls1_2"] {
        // Who speaks no TLS is turned away, and others are served.
        let mut stranger = std::net::TcpStream::connect(format!("127.0.0.1:{}", server.port))
            .expect("the server listens");
        stranger.write_all(b"\0\x01\x02 nonsense").expect("it can be told");
        let mut command = isolated("openssl");
        command.args(["s_client", "-quiet", "-verify_return_error", version, "-alpn", "echo"]);
        command.args([
            "-connect",
            &format!("127.0.0.1:{}", server.port),
            "-servername",
            "localhost",
        ]);
        command.arg("-CAfile").arg(folder().join("certificates/ca.pem"));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut client = command.spawn().expect("openssl can be started");
        let mut input = client.stdin.take().expect("it has an input");
        input.write_all(b"from openssl\n").expect("it can be told");
        let output = client.wait_with_output().expect("openssl ends");
        assert_eq!(String::from_utf8_lossy(&output.stdout), "FROM OPENSSL\n", "{version}");
    }
    let heard = server.finish();
    let talks = heard.lines().filter(|line| !line.starts_with("tlsClientError"));
    assert_eq!(
        talks.collect::<Vec<_>>(),
        [
            "TLSv1.3 echo localhost false undefined",
            "from openssl",
            "TLSv1.2 echo localhost false undefined",
            "from openssl"
        ]
    );
    assert_eq!(heard.matches("ERR_SSL_WRONG_VERSION_NUMBER").count(), 2, "{heard}");
}
