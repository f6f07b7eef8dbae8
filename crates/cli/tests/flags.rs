//! Words that look like flags, and the flags of Node.

use crate::common::{HEMIOLA, compare, directory, isolated};
use hemiola_js::flags::{ABOUT_V8, Effect, Flag, TABLE, Value, read};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

#[test]
fn a_flag_that_does_not_exist_is_not_taken_for_a_file() {
    for command in ["run", "simulate"] {
        let output = isolated(HEMIOLA).args([command, "--nope", "a.js"]).output();
        let output = output.expect("the command can be started");
        assert_eq!(output.status.code(), Some(2));
        let text = String::from_utf8(output.stderr).expect("messages are text");
        assert!(text.starts_with("error: there is no flag `--nope`\nhelp: "), "{text}");
    }
}

#[test]
fn flags_after_the_program_are_its_own() {
    let mut command = isolated(HEMIOLA);
    command.args([
        "run",
        "-e",
        "console.log(process.argv.slice(1).join())",
        "--nope",
        "-x",
        "--",
        "--timeout",
    ]);
    let output = command.output().expect("the command can be started");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "--nope,-x,--,--timeout\n");
}

/// Runs a command line and gives its exit status, what it printed and what it said.
fn ran(words: &[&str]) -> (Option<i32>, String, String) {
    let output = isolated(HEMIOLA).args(words).output().expect("the command can be started");
    let text = |bytes| String::from_utf8(bytes).expect("messages are text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// A flag with something for it to work with.
fn example(flag: &Flag) -> String {
    match flag.value {
        Value::No => flag.name.to_owned(),
        Value::Needs(value) | Value::Joined(value) | Value::May(value) => {
            format!("{}={value}", flag.name)
        }
        Value::OneOf(values) => format!("{}={}", flag.name, values[0]),
    }
}

#[test]
fn every_flag_of_node_does_what_its_row_says() {
    let profiles = directory("flags-profiles", &[]);
    let profiles = format!("--cpu-prof-dir={}", profiles.display());
    for flag in TABLE {
        let word = example(flag);
        // These say themselves what to run, or go with another flag.
        let words: Vec<&str> = match flag.name {
            "--eval" | "--print" | "--version" => vec![&word],
            "--test" | "--check" => vec![&word, "/dev/null"],
            // It warns that it is old.
            "--experimental-loader" => vec![&word, "--no-warnings", "-e", "0"],
            // They do not end by themselves: `node_watch` has tests of them.
            "--watch" | "--watch-path" => continue,
            // They write a file.
            "--cpu-prof" => vec![&word, &profiles, "-e", "0"],
            "--cpu-prof-dir" | "--cpu-prof-interval" | "--cpu-prof-name" => {
                vec!["--cpu-prof", &word, &profiles, "-e", "0"]
            }
            "--input-type" => vec!["--input-type=commonjs", "-e", "0"],
            "--allow-worker" | "--allow-fs-read" | "--allow-fs-write" | "--allow-child-process" => {
                vec!["--experimental-permission", &word, "-e", "0"]
            }
            _ => vec![&word, "-e", "0"],
        };
        let words: Vec<&str> =
            if flag.name == "--version" { vec!["-v"] } else { [&["run"], &words[..]].concat() };
        let (code, _, said) = ran(&words);
        match flag.effect {
            Effect::Works | Effect::Already | Effect::Means(_) => {
                assert_eq!((code, said.as_str()), (Some(0), ""), "{word}");
            }
            Effect::Nothing => {
                assert_eq!(code, Some(0), "{word}: {said}");
                let told = format!("note: without effect: {} ({})\n", flag.name, flag.about);
                assert_eq!(said, told, "{word}");
            }
            Effect::Refused => {
                assert_eq!(code, Some(2), "{word}: {said}");
                let told =
                    format!("error: `{}` is not supported: {}\nhelp: ", flag.name, flag.about);
                assert!(said.starts_with(&told), "{word}: {said}");
            }
        }
    }
}

#[test]
fn options_of_v8_are_known_and_have_no_effect() {
    let names = include_str!("../../node/src/flags/v8-options");
    let words: Vec<String> = names.lines().map(|name| format!("--{name}=1")).collect();
    // Some are flags of ours or of Node, too.
    let words: Vec<&str> = words
        .iter()
        .map(String::as_str)
        .filter(|word| match read(&[word]) {
            Ok(Some(found)) => found.about == ABOUT_V8 && found.normal != "--trace",
            _ => false,
        })
        .collect();
    assert!(words.len() > 600, "{}", words.len());
    let (code, _, said) = ran(&[&["run"], &words[..], &["-e", "0"]].concat());
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(said.lines().count(), 1);
    assert_eq!(said.matches(ABOUT_V8).count(), words.len());
    assert!(said.contains("--harmony-temporal (") && said.contains("--stack-size ("), "{said}");
}

#[test]
fn flags_without_effect_are_noted_once_and_not_by_children() {
    let start = "require('child_process').execFileSync(process.execPath, [...process.execArgv, '-e', '0'], \
                 { stdio: 'inherit' })";
    let (code, _, said) = ran(&["--prof", "--prof", "-e", start]);
    assert_eq!((code, said.lines().count()), (Some(0), 1), "{said}");
    for quiet in [&["--no-warnings", "--prof", "-e", "0"][..], &["--expose-gc", "-e", "gc()"]] {
        assert_eq!(ran(quiet).2, "");
    }
    let output =
        isolated(HEMIOLA).env("NODE_NO_WARNINGS", "1").args(["--prof", "-e", "0"]).output();
    assert!(output.expect("it starts").stderr.is_empty());
}

#[test]
fn node_options_in_a_file_of_the_environment_are_flags() {
    let folder = directory(
        "flags-env-file",
        &[
            ("a.env", "A=1\nNODE_OPTIONS=\"--title=file --no-warnings\" # both\n"),
            ("b.env", "NODE_OPTIONS='--title=\"a b\"'\n"),
            ("c.env", "NODE_OPTIONS=--test\n"),
        ],
    );
    let ran = |variable: &str, words: &[&str]| {
        let mut command = isolated(HEMIOLA);
        command.current_dir(&folder).args(words).args(["-p", "process.title"]);
        let output = command.env("NODE_OPTIONS", variable).output().expect("it starts");
        let text = |bytes| String::from_utf8(bytes).expect("messages are text");
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let out = |text: &str| (Some(0), format!("{text}\n"), String::new());
    assert_eq!(ran("", &["--env-file=a.env"]), out("file"));
    assert_eq!(ran("", &["--env-file", "a.env", "--env-file=b.env"]), out("a b"));
    assert_eq!(ran("", &["--env-file=a.env", "--title=word"]), out("word"));
    assert_eq!(ran("--title=variable", &["--env-file=a.env"]), out("variable"));
    let (code, _, said) = ran("", &["--env-file=c.env"]);
    assert_eq!(code, Some(2));
    assert!(said.starts_with("error: `--test` is not allowed in NODE_OPTIONS\n"), "{said}");
}

#[test]
fn node_options_are_flags() {
    let with = |options: &str, words: &[&str]| {
        let mut command = isolated(HEMIOLA);
        let output = command.env("NODE_OPTIONS", options).args(words).output().expect("it starts");
        let text = |bytes| String::from_utf8(bytes).expect("messages are text");
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let print = ["-p", "[process.title, process.execArgv.length]"];
    let out = |text: &str| (Some(0), format!("{text}\n"), String::new());
    assert_eq!(with(r#"--title="a b" -r node:path"#, &print), out("[ 'a b', 2 ]"));
    // Who writes a command line has the last word.
    let both = [&["--title=c"], &print[..]].concat();
    assert_eq!(with("--title=a", &both), out("[ 'c', 3 ]"));
    assert_eq!(with("--no-warnings", &["-e", "process.emitWarning('x')"]).2, "");
    for command in ["run", "simulate"] {
        let words = [&[command], &print[..]].concat();
        assert_eq!(with("--title=a", &words), out("[ 'a', 2 ]"));
    }
    for (options, message) in [
        ("-e 1", "`-e` is not allowed in NODE_OPTIONS"),
        ("-p", "`-p` is not allowed in NODE_OPTIONS"),
        ("--nope", "`--nope` is not allowed in NODE_OPTIONS"),
        ("--harmony", "`--harmony` is not allowed in NODE_OPTIONS"),
        ("--title=\"a", "NODE_OPTIONS has a quotation mark that is not closed"),
        ("--title", "`--title` requires a value"),
        ("--frozen-intrinsics", "`--frozen-intrinsics` is not supported: "),
    ] {
        let (code, _, said) = with(options, &print);
        assert_eq!(code, Some(2), "{options}");
        assert!(
            said.starts_with(&format!("error: {message}")) && said.contains("help: "),
            "{said}"
        );
    }
    // Other commands do not run programs.
    assert_eq!(with("--nope", &["cron", "next", "--help"]).0, Some(0));
}

#[test]
fn a_program_can_come_from_standard_input() {
    let program =
        "console.log(process.argv.slice(1), typeof require, __filename, process.execArgv)";
    let of_input = |words: &[&str], text: &str| {
        let root = directory("flags-stdin", &[("program.js", text)]);
        let input = fs::File::open(root.join("program.js")).expect("it was written");
        let output = isolated(HEMIOLA).args(words).stdin(input).output().expect("it starts");
        let text = |bytes| String::from_utf8(bytes).expect("messages are text");
        text(output.stdout) + &text(output.stderr)
    };
    assert_eq!(of_input(&[], program), "[] function [stdin] []\n");
    assert_eq!(of_input(&["-", "a", "b"], program), "[ '-', 'a', 'b' ] function [stdin] []\n");
    assert_eq!(of_input(&["--expose-gc"], program), "[] function [stdin] [ '--expose-gc' ]\n");
    assert_eq!(of_input(&["run"], program), "[] function [stdin] []\n");
    assert_eq!(of_input(&["simulate"], program), "[] function [stdin] []\n");
    assert_eq!(
        of_input(&["--input-type=module"], "console.log(typeof require, await 1)"),
        "undefined 1\n"
    );
    assert_eq!(of_input(&["-p", "2"], program), "2\n");
    let value = "[process._eval.length, ...process.execArgv, ...process.argv.slice(1)]";
    assert!(of_input(&["-e"], value).starts_with("error: a value is required for '--eval <CODE>'"));
    assert_eq!(of_input(&["-p"], value), "[ 69, '-p' ]\n");
    assert_eq!(of_input(&["-p", "-", "a"], value), "[ 69, '-p', '-', 'a' ]\n");
    assert_eq!(of_input(&["-p", "--expose-gc"], value), "[ 69, '-p', '--expose-gc' ]\n");
    let prompt = of_input(&["-i"], "1 + 1\n");
    assert!(prompt.ends_with("> 2\n> "), "{prompt}");
    let flags = "[typeof gc, ...process.execArgv]\n";
    for words in [["-i", "--expose-gc"], ["repl", "--expose-gc"], ["--expose-gc", "-i"]] {
        let prompt = of_input(&words, flags);
        assert!(prompt.ends_with("> [ 'function', '--expose-gc' ]\n> "), "{prompt}");
    }
    assert_eq!(of_input(&["--version"], program), ran(&["--version"]).1);
    assert_eq!(of_input(&["-c"], program), "");
    let both = of_input(&["-c", "-e", "0"], program);
    assert!(
        both.starts_with("error: either `--check` or `--eval` can be used, not both\n"),
        "{both}"
    );
    let wrong = of_input(&["-c"], "let a = ;");
    assert!(wrong.starts_with("[stdin]:1\nlet a = ;\n        ^\n\nSyntaxError: "), "{wrong}");
    // Longer than what is read of other programs.
    let long = format!("/*{}*/ console.log('to its end')", "x".repeat(3 << 20));
    assert_eq!(of_input(&[], &long), "to its end\n");
}

#[test]
fn code_is_among_the_flags_and_children_are_started_without_it() {
    let shown = "console.log(process.execArgv.at(-2), process._eval === process.execArgv.at(-1))";
    let told = |words: &[&str]| {
        let (code, out, said) = ran(words);
        assert_eq!((code, said.as_str()), (Some(0), ""), "{words:?}");
        out
    };
    assert_eq!(told(&["-e", shown, "-x"]), "-e true\n");
    assert_eq!(told(&["-e", "x", "-e", shown]), "-e true\n");
    let value = "process.execArgv";
    assert_eq!(told(&["-pe", value, "-x"]), format!("[ '-pe', '{value}' ]\n"));
    assert_eq!(told(&["-e", value, "-p"]), format!("[ '-e', '{value}', '-p' ]\n"));
    let root = directory(
        "flags-forked",
        &[("child.js", "console.log(process.execArgv, '_eval' in process)")],
    );
    let child = root.join("child.js");
    let fork = format!("require('child_process').fork({child:?}), 0");
    assert_eq!(told(&["--expose-gc", "-e", &fork]), "[ '--expose-gc' ] false\n");
    assert_eq!(told(&["--expose-gc", &format!("--eval={fork}")]), "[ '--expose-gc' ] false\n");
    // A flag without code of its own, before a file.
    let child = child.to_str().expect("it is text");
    assert_eq!(told(&["-p", "--expose-gc", child]), "[ '-p', '--expose-gc' ] false\n");
}

#[test]
fn the_limit_of_the_memory_is_known() {
    let limit = "require('v8').getHeapStatistics().heap_size_limit / 2 ** 20";
    assert_eq!(ran(&["--max-old-space-size=64", "-p", limit]).1, "64\n");
    assert_eq!(ran(&["-p", limit]).1, "4096\n");
}

#[test]
fn a_recording_has_the_flags_of_the_environment_and_the_program_of_standard_input() {
    let program = "console.log(process.title, process.argv.length); process.exitCode = 3";
    let root = directory("flags-recorded", &[("program.js", program)]);
    let input = fs::File::open(root.join("program.js")).expect("it was written");
    let here = || {
        let mut command = isolated(HEMIOLA);
        command.env("HEMIOLA_RUNS", root.join("runs")).env_remove("HEMIOLA_RECORD");
        command
    };
    let mut run = here();
    let run = run.env("NODE_OPTIONS", "--title=told").arg("--expose-gc").stdin(input).output();
    let run = run.expect("it starts");
    assert_eq!((run.stdout.as_slice(), run.status.code()), (&b"told 1\n"[..], Some(3)));
    let again = here().arg("replay").output().expect("it starts");
    assert_eq!((again.stdout, again.status.code()), (run.stdout, Some(3)));
}

#[test]
fn the_memory_of_a_program_is_limited_as_that_of_v8() {
    let program = "const all = []; for (;;) all.push(new Array(1e5).fill(1))";
    for flag in ["--max-old-space-size=64", "--max_old_space_size=64"] {
        let (code, _, said) = ran(&[flag, "-e", program]);
        assert_ne!(code, Some(0), "{said}");
    }
}

#[test]
fn warnings_can_go_to_a_file() {
    let root = directory("flags-warnings", &[]);
    let file = root.join("warnings.txt");
    let flag = format!("--redirect-warnings={}", file.display());
    let (_, _, said) = ran(&[&flag, "-e", "process.emitWarning('told')"]);
    assert_eq!(said, "");
    assert!(fs::read_to_string(file).expect("it was written").contains(") Warning: told\n"));
}

#[test]
fn the_page_about_flags_is_what_the_table_says() {
    let mut page = String::from(
        "# Flags of Node\n\n\
         This page is written from the table that the command line reads: `UPDATE=1 cargo test -p hemiola \
         flags` writes it anew. Flags come before the program, as in Node, with `hemiola FILE` as well as with \
         `run`, `simulate`, `explore` and `races`; underscores count as dashes, and `--no-NAME` takes a switch back. \
         `NODE_OPTIONS` has those marked with a star. [cli.md](cli.md) has the flags of our own.\n",
    );
    let head = |page: &mut String, title: &str, about: &str, last: &str| {
        let _ = write!(page, "\n## {title}\n\n{about}\n\n| flag | {last} |\n| --- | --- |\n");
    };
    let rows = |page: &mut String, wanted: &dyn Fn(Effect) -> bool| {
        for flag in TABLE.iter().filter(|flag| wanted(flag.effect)) {
            let names =
                flag.also.iter().copied().chain([flag.name]).collect::<Vec<_>>().join("`, `");
            let value = match flag.value {
                Value::No => String::new(),
                Value::Needs(_) | Value::Joined(_) => "=…".into(),
                Value::May(_) => "[=…]".into(),
                Value::OneOf(values) => format!("={}", values.join("\\|")),
            };
            let star = if flag.in_environment { " *" } else { "" };
            let _ = writeln!(page, "| `{names}{value}`{star} | {} |", flag.about);
        }
    };
    head(&mut page, "They do what they do in Node", "Some under a name of ours.", "what");
    rows(&mut page, &|effect| matches!(effect, Effect::Works | Effect::Means(_)));
    head(&mut page, "They ask for what is so anyhow", "They are accepted.", "why");
    rows(&mut page, &|effect| effect == Effect::Already);
    let about = format!(
        "They are accepted, and one line on standard error says so, unless `--no-warnings` is given. So are all \
         options of V8 that `node --v8-options` lists: {ABOUT_V8}."
    );
    head(&mut page, "They have no effect", &about, "why");
    rows(&mut page, &|effect| effect == Effect::Nothing);
    let about = "The exit status is 2: a program would do something else than was meant.";
    head(&mut page, "They are refused", about, "why, or what to do instead");
    rows(&mut page, &|effect| effect == Effect::Refused);
    compare(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/flags.md"), &page);
}

#[test]
fn an_uncaught_error_can_abort_the_process_whoever_listens() {
    use std::os::unix::process::ExitStatusExt as _;
    let listening = "process.on('uncaughtException', () => console.log('never')); setTimeout(() => { throw new Error('boom'); }, 1)";
    let heard = "const d = require('domain').create(); d.on('error', () => {}); d.run(() => { throw new Error('boom'); })";
    let captured = "process.setUncaughtExceptionCaptureCallback(() => {}); throw new Error('boom')";
    for (code, aborts) in [(listening, true), (heard, false), (captured, false)] {
        for world in ["run", "simulate"] {
            let output = isolated(HEMIOLA)
                .args([world, "--abort_on_uncaught_exception", "-e", code])
                .output()
                .expect("the command can be started");
            let status = output.status;
            let ended = status.signal().or_else(|| status.code().filter(|&code| code != 0));
            let expected = aborts.then_some(if world == "run" { 6 } else { 134 });
            assert_eq!(ended, expected, "{world} {code}");
            assert_eq!(String::from_utf8_lossy(&output.stdout), "", "{world} {code}");
            assert_eq!(String::from_utf8_lossy(&output.stderr).contains("boom"), aborts, "{code}");
        }
    }
}
