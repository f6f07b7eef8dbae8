//! What holds for every invocation, whatever it prints.

use crate::common::{directory, hemiola, shell, text};
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};

/// Answers of operations that were asked for in either order: equal configurations, and yet their
/// alternatives come in another order.
const ASKED: &str = "let f = \\. obs(f1), g = \\. obs(g1),
  h = \\. obs(x); call(op, f), k = \\. obs(y); call(op, g) in
call(a, h); call(b, k)
";

/// Prints the whole of a run, and gives the lines.
fn lines(output: Output) -> Vec<String> {
    text(output.stdout).lines().map(str::to_owned).collect()
}

/// Checks a property that must be violated, runs the command on the last line, and compares.
fn reproduce(directory: &Path, check: &str) -> String {
    let violated = shell(directory, check);
    assert_eq!(violated.status.code(), Some(100), "{check}");
    assert_eq!(text(violated.stderr.clone()), "", "{check}");
    let lines = lines(violated);
    let command = lines.last().expect("a violation says how to run it again");
    let at = lines.iter().position(|line| line == "execution").expect("it shows the run");
    let ended = lines.iter().find(|line| line.starts_with("ended: ")).expect("and how it ended");

    let again = shell(directory, command);
    assert_eq!(again.status.code(), Some(0), "{command}: {}", text(again.stderr));
    let again = text(again.stdout);
    assert!(
        again.ends_with(&format!("\ntrace: {}\n{ended}\n", lines[at + 1].trim_start())),
        "{command} does not repeat the run of {check}:\n{again}"
    );

    // The same for programs that read the output.
    let verdict = text(shell(directory, &format!("{check} --format json")).stdout);
    let verdict: serde_json::Value = serde_json::from_str(&verdict).expect("one JSON object");
    let run = text(shell(directory, &format!("{command} --format json")).stdout);
    let run: serde_json::Value = serde_json::from_str(&run).expect("one JSON object");
    assert_eq!(run["trace"], verdict["counterexample"], "{command}");
    assert_eq!(run["end"], verdict["end"], "{command}");
    let schedule = verdict["schedule"].as_str().expect("a violation has a schedule");
    assert!(command.ends_with(&format!(" --schedule {schedule}")), "{command}");
    command.clone()
}

#[test]
fn the_last_line_of_a_violation_repeats_it() {
    let endless = "let f = \\. obs(x); nexttick(f) in f()\n";
    let directory = directory(
        "reproduce",
        &[
            ("asked.l", ASKED),
            ("it's asked.l", ASKED),
            ("endless.l", endless),
            ("any.l", "let f = \\x. obs(x); obs(x + 1) in obs(start); call(op, f)\n"),
            ("click.l", "let f = \\. obs(hit) in reg(click, [f]); reg(quit, [f])\n"),
            (
                "io.la",
                "io a f { log x; io c h { log h } }\nio b g { log y; io d k { log k } }\ntimeout 5 t { log t }\n",
            ),
        ],
    );
    let at = |check: &str| reproduce(&directory, check);
    assert_eq!(at("hemiola check asked.l --spec 'x y'"), "hemiola machine asked.l --schedule 2:1");
    at(r#"hemiola check "it's asked.l" --max-obs 7 --values "d,x'" --max-calls 99 --spec 'x y'"#);
    at("hemiola check endless.l --spec 'x x'");
    at("hemiola check endless.l --spec 'x x' --max-states 4");
    at("hemiola check endless.l --spec 'x x' --max-dispatch 4 --starve-window 2");
    at("hemiola check any.l --spec 'start d' --values d,-1,5");
    at("hemiola check any.l --spec 'start (d | -1 0)' --values=-1,d,5 --mode lexical");
    at("hemiola check click.l --spec 'hit?' --external click=1 --external quit=2");
    at("hemiola check io.la --spec 'x' --strategy node");
    at("hemiola check io.la --spec '(x|y|t)' --max-callbacks 20");
}

#[test]
fn every_listed_trace_can_be_repeated() {
    let programs = [
        ("asked.l", ASKED, ""),
        (
            "asked.la",
            "io a f { log x; io c h { log h } }\nio b g { log y; io d k { log k } }\n",
            "",
        ),
        (
            "asked.la",
            "io a f { log x; io c h { log h } }\nio b g { log y; io d k { log k } }\n",
            " --strategy node",
        ),
    ];
    for (file, program, flags) in programs {
        let directory = directory("repeat", &[(file, program)]);
        let command = if file.ends_with(".l") { "machine" } else { "lasync" };
        let listed = lines(shell(&directory, &format!("hemiola {command} {file}{flags}")));
        let traces: Vec<&str> = listed.iter().filter_map(|line| line.strip_prefix("  ")).collect();
        assert!(traces.len() > 3, "{listed:?}");
        for trace in &traces {
            let others: Vec<&str> =
                traces.iter().filter(|other| other != &trace).copied().collect();
            let spec = others.join(" | ");
            reproduce(&directory, &format!("hemiola check {file}{flags} --spec '({spec}) $'"));
        }
    }
}

#[test]
fn a_reader_that_has_had_enough_is_no_failure() {
    let program = format!("{}\n", vec!["obs(any)"; 13].join("; "));
    let directory = directory("pipe", &[("many.l", &program)]);
    let long = shell(&directory, "hemiola machine many.l --values a,b");
    assert!(long.stdout.len() > 200_000, "longer than any pipe keeps");
    let output = shell(&directory, "hemiola machine many.l --values a,b | head -n 1");
    assert_eq!(
        (text(output.stdout), text(output.stderr)),
        ("traces (8192)\n".into(), String::new())
    );

    // The reader is gone before anything is written: they wait for the program.
    let fifo = shell(&directory, "mkfifo late.l");
    assert!(fifo.status.success());
    let spec = ["check", "late.l", "--values", "a,b", "--spec", "a*"];
    for (words, code) in [(&["machine", "late.l", "--values", "a,b"][..], 0), (&spec[..], 100)] {
        let mut child = hemiola(&directory)
            .args(words)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("hemiola starts");
        drop(child.stdout.take());
        let mut late = File::create(directory.join("late.l")).expect("it reads the program");
        late.write_all(program.as_bytes()).expect("it reads all of it");
        drop(late);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!((output.status.code(), text(output.stderr)), (Some(code), String::new()));
    }
}

#[test]
fn colours_follow_the_terminal_and_the_wish() {
    let directory = directory("colours", &[]);
    let coloured = |script: &str| {
        let output = shell(&directory, script);
        output.stdout.contains(&0x1b) || output.stderr.contains(&0x1b)
    };
    for (script, expected) in [
        ("hemiola machine none.l", false),
        ("hemiola machine none.l --color always", true),
        ("hemiola --color=always machine none.l", true),
        ("hemiola machine none.l --color never", false),
        ("CLICOLOR_FORCE=1 hemiola machine none.l", true),
        ("CLICOLOR_FORCE=1 hemiola machine none.l --color never", false),
        ("CLICOLOR_FORCE=1 NO_COLOR=1 hemiola machine none.l", false),
        ("hemiola --help", false),
        ("hemiola --help --color always", true),
        ("hemiola nonsense --color always", true),
        ("hemiola nonsense -- --color always", false),
    ] {
        assert_eq!(coloured(script), expected, "{script}");
    }
}

#[test]
fn no_input_makes_it_panic() {
    let directory = directory("noise", &[]);
    let pieces: [&[u8]; 12] = [
        b"let f = \\x. ",
        b"obs(",
        b"f)",
        b";",
        b" in ",
        b"then p { log ",
        b"}",
        b"\n",
        b"\"",
        "λ·".as_bytes(),
        b"nextTick f ",
        b"9",
    ];
    let mut state = 7u64;
    let mut random = move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    for round in 0..120 {
        let mut program = Vec::new();
        for _ in 0..random() % 60 {
            match round % 3 {
                0 => program.push(random() as u8),
                1 => program.push((random() % 96) as u8 + 32),
                _ => program.extend_from_slice(pieces[random() % pieces.len()]),
            }
        }
        for command in ["machine", "lasync"] {
            let mut child = hemiola(&directory)
                .args([command, "-", "--max-states", "1000"])
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .expect("hemiola starts");
            let mut stdin = child.stdin.take().expect("it reads standard input");
            stdin.write_all(&program).expect("it reads everything");
            drop(stdin);
            let output = child.wait_with_output().expect("it ends");
            let code = output.status.code();
            let stderr = text(output.stderr);
            match code {
                Some(0 | 102) => assert!(!output.stdout.is_empty()),
                Some(2) => assert!(
                    output.stdout.is_empty()
                        && stderr.starts_with("error: ")
                        && stderr.contains("\nhelp: "),
                    "{program:?}: {stderr}"
                ),
                _ => panic!("{command} {program:?}: {code:?} {stderr}"),
            }
        }
    }
}
