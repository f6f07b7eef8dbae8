//! The programs of the papers do what the papers say: examples/papers.

use crate::common::{directory, hemiola, text};
use std::path::{Path, PathBuf};

fn paper(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/papers").join(name)
}

fn read(name: &str) -> String {
    std::fs::read_to_string(paper(name)).expect("the example is there")
}

fn run(args: &[&str], program: &Path) -> String {
    let mut command = hemiola(program.parent().expect("a program is in a folder"));
    let output = command.args(args).arg(program).output().expect("the command can be started");
    let error = text(output.stderr);
    assert!(output.status.success(), "{args:?} {}: {error}", program.display());
    text(output.stdout) + &error
}

/// What the example shows, which must be the same twice.
fn simulated(args: &[&str], name: &str) -> String {
    let args = [&["simulate"], args].concat();
    let shown = run(&args, &paper(name));
    assert_eq!(run(&args, &paper(name)), shown, "two runs show the same");
    shown
}

/// A copy of a text as a program of that name.
fn copy(name: &str, source: &str) -> PathBuf {
    directory(&format!("papers_{name}"), &[(name, source)]).join(name)
}

#[test]
fn programs_that_end() {
    for (name, shown) in [
        ("clocks-order.js", "F 3\nG 4\n"),
        ("loop-no-race.js", "hello world\n"),
        ("loop-index.js", "hi\nbye\n"),
        ("loop-linking.js", "hi\n"),
        ("loop-context.js", "Hello Context World!\n"),
        ("loop-two-files.js", "data\nerror\n"),
        ("loop-priority.js", "data\n"),
        ("machine-read-file.js", "ok\nthe data of abc.txt\n"),
        ("machine-closure.js", "10\n"),
    ] {
        assert_eq!(simulated(&[], name), shown, "{name}");
        assert_eq!(run(&["run"], &paper(name)), shown, "{name}, in real time");
    }
}

#[test]
fn counters_and_observer_in_virtual_time() {
    for (name, shown) in [
        ("clocks-fig1.js", "0\n0\n0\n0\n0\n"),
        ("clocks-fig1-one-label.js", "0\n0\n0\n0\n0\n"),
        ("clocks-fig1-two-labels.js", "2\n2\n2\n2\n2\n"),
    ] {
        assert_eq!(simulated(&["--until", "20s"], name), shown, "{name}");
    }
    let shown = simulated(&["--until", "8s"], "clocks-fig2-request.js");
    assert_eq!(shown, "0\n1\n0\n1\n0\n1\n0\n");
}

/// Whenever the request arrives, its observer joins in step: over the whole period of the counters, in
/// steps of 10 ms of virtual time, with a request that takes its time over the network of the run.
#[test]
fn an_observer_joins_in_step_whenever_it_comes() {
    const UNTIL_S: u32 = 8;
    const UNDER_WAY_MS: u32 = 10;
    let program = paper("clocks-fig2-request.js");
    // At k seconds, both counters have run, x is 0 if k is even and else 1.
    let alternating = |first: u32| -> String {
        (first..=UNTIL_S).map(|second| format!("{}\n", second % 2)).collect()
    };
    let check = |arrival: u32| {
        let mut command = hemiola(program.parent().expect("a program is in a folder"));
        let arrives = arrival.to_string();
        let seed = (arrival / 10).to_string();
        let words = ["simulate", "--until", "8s", "--seed", &seed];
        let output = command.args(words).arg(&program).arg(arrives).output();
        let shown = text(output.expect("the command can be started").stdout);
        // The clock shows the last second that has begun when the request is there.
        let expected = [arrival, arrival + UNDER_WAY_MS].map(|at| alternating(at / 1000 + 1));
        assert!(expected.contains(&shown), "a request at {arrival} ms: {shown}");
    };
    std::thread::scope(|scope| {
        for half in 0..2 {
            scope.spawn(move || (0..=2000).step_by(10).skip(half).step_by(2).for_each(check));
        }
    });
}

/// A real request over a real socket: what comes of it is the same, wherever in a period it arrives.
#[test]
fn an_observer_joins_in_step_over_a_socket() {
    use std::io::{BufRead, BufReader, Read, Write};
    const ENDS: &str = "{ const { log } = console; let seen = 0; \
        console.log = (what) => { log(what); if (++seen === 6) process.exit(); }; \
        setInterval(() => process.stderr.write('.'), 3); } ";
    let name = "clocks-fig2.js";
    let listens = "server.listen(8080, 'localhost');";
    let source = read(name).replace("000", "0");
    assert!(source.contains(listens));
    let tells =
        "server.listen(0, 'localhost', () => console.error(`\\n${server.address().port}`));";
    let source = source.replace(listens, tells);
    for (prefix, moments) in [("", 1), ("", 4), ("", 6), (LATE, 2)] {
        let program = copy(name, &format!("{ENDS}{prefix}{source}"));
        let mut command = hemiola(program.parent().expect("a program is in a folder"));
        let mut child = command
            .args(["run", "--timeout", "60s", name])
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("the command can be started");
        let mut told = BufReader::new(child.stderr.take().expect("its errors are ours"));
        let mut port = String::new();
        while port.trim().parse::<u16>().is_err() {
            port.clear();
            assert!(told.read_line(&mut port).expect("it tells its port") > 0, "it never listens");
        }
        let mut passed = vec![0; moments];
        told.read_exact(&mut passed).expect("time passes");
        let address = format!("localhost:{}", port.trim());
        let mut socket = std::net::TcpStream::connect(address).expect("it listens");
        let request = b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        socket.write_all(request).expect("it takes a request");
        let mut response = String::new();
        socket.read_to_string(&mut response).expect("it answers");
        assert!(response.starts_with("HTTP/1.1 200") && response.contains("Started"), "{response}");
        let mut rest = Vec::new();
        told.read_to_end(&mut rest).expect("it ends");
        let shown = text(child.wait_with_output().expect("it ends").stdout);
        let in_step = ["0\n1\n0\n1\n0\n1\n", "1\n0\n1\n0\n1\n0\n"];
        assert!(in_step.contains(&shown.as_str()), "after {moments}: {shown}");
    }
}

/// Makes every timed callback take longer than the shortest period, and ends after six observations.
const LATE: &str = "{ const { spend } = require('hemiola:clock'); const { setInterval: set } = globalThis; \
    globalThis.setInterval = (callback, ...args) => set(() => { spend(13); callback(); }, ...args); \
    const { log } = console; let seen = 0; \
    console.log = (what) => { log(what); if (++seen === 6) process.exit(); }; } ";

/// With periods that are a hundredth, and callbacks that are always late, nothing changes.
#[test]
fn counters_and_observer_in_real_time_under_load() {
    for (name, shown) in [
        ("clocks-fig1-one-label.js", "0\n0\n0\n0\n0\n0\n"),
        ("clocks-fig1-two-labels.js", "2\n2\n2\n2\n2\n2\n"),
    ] {
        let source = read(name).replace("000", "0");
        let program = copy(name, &format!("{LATE}{source}"));
        assert_eq!(run(&["run"], &program), shown, "{name}");
        assert_eq!(run(&["simulate"], &program), shown, "{name}, in virtual time");
    }
}

/// Ends the program after so many ticks, or immediates.
fn ends_after(count: u32, object: &str, function: &str) -> String {
    format!(
        "{{ const real = {object}.{function}; let count = 0; {object}.{function} = (...args) => {{ \
         if (++count > {count}) process.exit(); return real(...args); }}; }} "
    )
}

#[test]
fn ticks_starve_and_immediates_are_fair() {
    let tick = ends_after(20_000, "process", "nextTick");
    let immediate = ends_after(20_000, "globalThis", "setImmediate");
    for (name, bound, shown) in [
        ("loop-fig1.js", &tick, "hi"),
        ("loop-fig2.js", &immediate, "hidone"),
        ("loop-tick-promise.js", &tick, ""),
    ] {
        let program = copy(name, &format!("{bound}{}", read(name)));
        for mode in ["simulate", "run"] {
            assert_eq!(run(&[mode], &program), shown, "{mode} {name}");
        }
    }
}

/// The same programs as they are: they never end, and until they are stopped the one has printed "done"
/// and the other has not.
#[test]
fn an_endless_program_prints_done_only_if_it_is_fair() {
    for (name, shown) in [("loop-fig1.js", "hi"), ("loop-fig2.js", "hidone")] {
        for mode in ["run", "simulate"] {
            let program = paper(name);
            let mut command = hemiola(program.parent().expect("a program is in a folder"));
            let output = command.args([mode, "--timeout", "1s", name]).output();
            let output = output.expect("the command can be started");
            assert_eq!(output.status.code(), Some(124), "{mode} {name} is stopped");
            assert_eq!(text(output.stdout), shown, "{mode} {name}");
        }
    }
    assert_eq!(simulated(&["--until", "10ms"], "loop-fig2.js"), "hidone");
}

/// The immediates go on until the timeout has come, which it does: a zero delay is a millisecond.
#[test]
fn a_timeout_comes_between_immediates() {
    let name = "loop-immediate-timeout.js";
    let program =
        copy(name, &read(name).replace("console.log('f');", "console.log('f'); process.exit();"));
    assert_eq!(run(&["run"], &program), "f\n");
}

/// An endless loop is where these programs stop: nothing that waits can run any more.
#[test]
fn nothing_runs_in_an_endless_loop() {
    for (name, shown) in [("machine-emit.js", "ok\n"), ("machine-emit-immediate.js", "")] {
        let source = read(name);
        assert!(source.contains("while (true);"));
        let program = copy(name, &source.replace("while (true);", "process.exit();"));
        assert_eq!(run(&["run"], &program), shown, "{name}");
    }
}

#[test]
fn every_program_has_a_test() {
    for entry in std::fs::read_dir(paper("")).expect("the examples are there").flatten() {
        let name = entry.file_name().into_string().expect("names are text");
        let tested = include_str!("papers.rs").contains(&name);
        assert!(tested || !name.ends_with(".js"), "{name} is not tested");
    }
}
