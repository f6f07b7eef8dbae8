//! `hemiola view`: the page as a file and from a server, and what it refuses.

use crate::common::{directory, hemiola, text};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

const PROGRAM: &str = "
function observe() { console.log('seen'); }
setInterval(observe, 5, 'A');
setTimeout(() => process.exit(3), 12);
";

struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        Self(directory(name, &[("app.js", PROGRAM)]))
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = hemiola(&self.0);
        command.env("HEMIOLA_RUNS", self.0.join("runs")).env_remove("DISPLAY");
        command.env_remove("WAYLAND_DISPLAY").args(words).stdin(Stdio::null());
        command
    }

    fn call(&self, words: &[&str]) -> Output {
        self.command(words).output().expect("hemiola runs")
    }

    fn record(&self) -> String {
        let output = self.call(&["run", "--record", "app.js"]);
        let notes = text(output.stderr);
        notes.trim_end().rsplit(' ').next().expect("there is an id").to_owned()
    }

    /// What it says and its exit code.
    fn refused(&self, words: &[&str]) -> (String, i32) {
        let output = self.call(words);
        assert_eq!(text(output.stdout), "", "{words:?}");
        (text(output.stderr), output.status.code().expect("it is not killed"))
    }
}

/// What the page was given.
fn data(page: &str) -> serde_json::Value {
    let (_, rest) = page.split_once(r#"id="data">"#).expect("the page has data");
    let (data, _) = rest.split_once("</script>").expect("the data end");
    serde_json::from_str(data).expect("the data are JSON")
}

#[test]
fn a_file_has_everything_in_it() {
    let place = Place::new("view-file");
    let id = place.record();
    let output = place.call(&["view", "--out", "report.html"]);
    assert_eq!((text(output.stdout).as_str(), output.status.code()), ("report.html\n", Some(0)));
    let page = fs::read_to_string(place.0.join("report.html")).unwrap();
    for outside in ["src=", "href=\"http", "@import", "url(http"] {
        assert!(!page.contains(outside), "{outside}");
    }
    let data = data(&page);
    let run = &data["runs"][0];
    assert_eq!(run["name"], id);
    assert_eq!(run["command"], "hemiola run --record app.js");
    assert_eq!(run["domains"][0][0], "A");
    assert_eq!(run["texts"][0], PROGRAM);
    assert_eq!(run["effects"]["texts"][0], "seen\n");
    assert_eq!(run["hasTimes"], true);
    assert_eq!(data["difference"], serde_json::Value::Null);
}

#[test]
fn a_program_that_was_edited_is_shown_as_it_ran() {
    let place = Place::new("view-edited");
    place.record();
    fs::write(place.0.join("app.js"), "throw new Error('other');\n").unwrap();
    let output = place.call(&["view", "--out", "report.html"]);
    assert!(text(output.stderr).contains("app.js has changed since; it ran as recorded"));
    let page = fs::read_to_string(place.0.join("report.html")).unwrap();
    assert_eq!(data(&page)["runs"][0]["texts"][0], PROGRAM);
}

#[test]
fn two_runs_are_shown_with_their_first_difference() {
    let place = Place::new("view-two");
    let first = place.record();
    let other = PROGRAM.replace("'seen'", "'looked'");
    fs::write(place.0.join("app.js"), other).unwrap();
    let second = place.record();
    let output = place.call(&["view", &first, &second, "--out", "two.html"]);
    assert_eq!(output.status.code(), Some(0));
    let page = fs::read_to_string(place.0.join("two.html")).unwrap();
    let data = data(&page);
    assert_eq!(data["runs"].as_array().map(Vec::len), Some(2));
    assert_eq!(data["difference"]["what"], "output");
    assert_eq!(data["difference"]["left"], "out \"seen\\n\"");
    assert_eq!(data["difference"]["right"], "out \"looked\\n\"");
}

#[test]
fn a_trace_with_accesses_is_shown_with_its_races() {
    let place = Place::new("view-races");
    let program = "let x = 0;
        setTimeout(() => { x = 1; }, 1);
        require('fs').readFile('app.js', () => { console.log(x); });";
    fs::write(place.0.join("app.js"), program).unwrap();
    place.record();
    place.call(&["view", "--races", "--out", "races.html"]);
    let page = fs::read_to_string(place.0.join("races.html")).unwrap();
    let data = data(&page);
    let races = data["runs"][0]["races"].as_array().unwrap();
    assert!(races.iter().any(|race| race["what"] == "variable x"), "{races:?}");
}

#[test]
fn what_cannot_be_shown_is_refused() {
    let place = Place::new("view-refused");
    fs::write(place.0.join("no-trace.jsonl"), "hello\n").unwrap();
    let newer = "{\"format\":\"hemiola-trace\",\"version\":99}\n";
    fs::write(place.0.join("newer.jsonl"), newer).unwrap();
    let broken = "{\"format\":\"hemiola-trace\",\"version\":1}\n{\"ev\":\"what\"}\n";
    fs::write(place.0.join("broken.jsonl"), broken).unwrap();
    let (words, code) = place.refused(&["view", "no-trace.jsonl", "--out", "x.html"]);
    assert!(words.contains("not a trace") && code == 2, "{words} {code}");
    let (words, code) = place.refused(&["view", "newer.jsonl", "--out", "x.html"]);
    assert!(words.contains("written by format 99") && code == 103, "{words} {code}");
    let (words, code) = place.refused(&["view", "broken.jsonl", "--out", "x.html"]);
    assert!(words.contains("line 2") && code == 103, "{words} {code}");
    let (words, code) = place.refused(&["view", "missing", "--out", "x.html"]);
    assert!(words.contains("hemiola runs list") && code == 2, "{words} {code}");
    let id = place.record();
    let (words, code) = place.refused(&["view", &id, "--out", "no/such/place.html"]);
    assert!(words.contains("cannot write no/such/place.html") && code == 2, "{words} {code}");
    assert!(words.contains("help: "), "{words}");
    let (_, code) = place.refused(&["view", "--port", "70000"]);
    assert_eq!(code, 2);
    // A recording of another version.
    let manifest = place.0.join("runs").join(&id).join("manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    let mut newer: serde_json::Value = serde_json::from_str(&text).unwrap();
    newer["version"] = 99.into();
    fs::write(&manifest, newer.to_string()).unwrap();
    let (words, code) = place.refused(&["view", &id, "--out", "x.html"]);
    assert!(words.contains("99") && code == 103, "{words} {code}");
    assert!(!place.0.join("x.html").exists());
}

#[test]
fn a_port_that_is_taken_is_told() {
    let place = Place::new("view-port");
    place.record();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let (words, code) = place.refused(&["view", "--port", &port]);
    assert!(words.contains(&format!("cannot listen on port {port}")) && code == 2, "{words}");
    assert!(words.contains("leave out --port"), "{words}");
}

/// A server that ends with the test.
struct Served {
    child: Child,
    host: String,
    /// The path of the page, which nobody guesses.
    root: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Served {
    fn of(place: &Place) -> Self {
        let mut command = place.command(&["view", "--no-open"]);
        let mut child = command.stdout(Stdio::piped()).spawn().expect("hemiola runs");
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim_end().strip_prefix("http://").expect("an address is printed");
        let (host, root) = address.split_once('/').expect("it has a path");
        Self { child, host: host.to_owned(), root: format!("/{root}") }
    }

    fn ask(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }
}

#[test]
fn the_page_is_served_to_this_computer() {
    let place = Place::new("view-served");
    let id = place.record();
    let served = Served::of(&place);
    let host = &served.host;
    assert!(host.starts_with("127.0.0.1:"), "{host}");
    // A connection that says nothing keeps nobody waiting.
    let silent = TcpStream::connect(host).unwrap();
    let root = &served.root;
    assert!(root.len() == 34 && root.ends_with('/'), "{root}");
    let page = served.ask(&format!("GET {root} HTTP/1.1\r\nHost: {host}\r\n\r\n"));
    assert!(page.starts_with("HTTP/1.1 200 OK\r\n"), "{}", &page[..200.min(page.len())]);
    assert_eq!(data(&page)["runs"][0]["name"], id);
    for field in ["Referrer-Policy: no-referrer", "Cross-Origin-Resource-Policy: same-origin"] {
        assert!(page.contains(&format!("\r\n{field}\r\n")), "{field}");
    }
    let head = served.ask(&format!("HEAD {root} HTTP/1.1\r\nHost: {host}\r\n\r\n"));
    assert!(head.ends_with("\r\n\r\n"), "a head has no body");
    let other = served.ask(&format!("GET {root} HTTP/1.1\r\nHost: example.com\r\n\r\n"));
    assert!(other.starts_with("HTTP/1.1 421 "), "{other}");
    let post = served.ask(&format!("POST {root} HTTP/1.1\r\nHost: {host}\r\n\r\n"));
    assert!(post.starts_with("HTTP/1.1 405 "), "{post}");
    // Whoever does not know the address finds nothing, also on this computer.
    for path in
        ["/", "/other", &root[..33], &format!("{root}other"), "/00000000000000000000000000000000/"]
    {
        let none = served.ask(&format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n"));
        assert!(none.starts_with("HTTP/1.1 404 "), "{path}: {none}");
        assert!(!none.contains(&id), "{path}");
    }
    drop(silent);
}

/// A page that follows a program is sent what is new: it grows with what happened, not with what there is.
#[test]
fn a_page_that_follows_a_program_is_sent_what_is_new() {
    let place = Place::new("view-live");
    let program = "const { existsSync } = require('node:fs');
        for (let n = 0; n < 2000; n += 1) setImmediate(() => {});
        const timer = setInterval(() => { if (existsSync('sign')) clearInterval(timer); }, 5, 'A');\n";
    fs::write(place.0.join("app.js"), program).unwrap();
    let mut command = place.command(&["run", "--view", "app.js"]);
    let mut child = command.stderr(Stdio::piped()).spawn().expect("hemiola runs");
    let mut line = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim_end().rsplit("http://").next().unwrap();
    let (host, root) = address.split_once('/').unwrap();
    let served = Served { child, host: host.to_owned(), root: format!("/{root}") };
    let asked = |query: &str| -> (serde_json::Value, usize) {
        let Served { host, root, .. } = &served;
        let request = format!("GET {root}data?{query} HTTP/1.1\r\nHost: {host}\r\n\r\n");
        let answer = served.ask(&request);
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
        (serde_json::from_str(body).unwrap(), body.len())
    };
    // All immediates have run when the clock ticks.
    let (mut data, mut whole) = asked("after=0");
    while data["runs"][0]["effects"].is_null()
        || data["runs"][0]["actions"]["kind"].as_str().is_none_or(|kinds| !kinds.contains("id"))
    {
        (data, whole) = asked(&format!("after={}", data["seen"]));
    }
    let next = |data: &serde_json::Value| format!("after={}&to={}", data["seen"], data["answer"]);
    let (news, size) = asked(&next(&data));
    assert!(news["runs"].is_null() && news["news"][0] == "object", "{news}");
    assert!(size * 5 < whole, "{size} of {whole} bytes");
    // Who has no answer that is known gets all of it.
    let (other, _) = asked(&format!("after={}&to=999", data["seen"]));
    assert_eq!(other["runs"][0]["name"], "app.js");
    fs::write(place.0.join("sign"), "").unwrap();
    let mut last = news;
    while last["over"] != true {
        last = asked(&next(&last)).0;
    }
    assert_eq!(last["news"][1]["facts"][3][0][1][0][1], "exit 0", "{last}");
}
