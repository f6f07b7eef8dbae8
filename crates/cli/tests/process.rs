//! What a program learns about its process, how it ends, and what becomes of what it prints.

use crate::common::{HEMIOLA, isolated};
use std::os::unix::process::ExitStatusExt;
use std::process::{Output, Stdio};

fn hemiola(args: &[&str]) -> Output {
    let mut command = isolated(HEMIOLA);
    let output = command.args(args).output();
    output.expect("the command can be started")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What a program prints in real time.
fn run(source: &str) -> String {
    let output = hemiola(&["run", "-e", source]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

/// Exit code, standard output and standard error with some flags.
fn ends(flags: &[&str], source: &str) -> (i32, String, String) {
    let output = hemiola(&[&["run"], flags, &["-e", source]].concat());
    // As a shell tells it, for one that ends itself by a signal.
    let code = output.status.code().or(output.status.signal().map(|signal| 128 + signal));
    let code = code.expect("it has ended");
    (code, text(&output.stdout), text(&output.stderr))
}

#[test]
fn the_process_is_the_real_one_in_a_run() {
    let child = isolated(HEMIOLA)
        .args(["run", "-e", "console.log(process.pid, process.ppid)"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command can be started");
    let pid = child.id();
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(text(&output.stdout), format!("{pid} {}\n", std::process::id()));
    let shown = run("const { rss, heapUsed, heapTotal } = process.memoryUsage();
        console.log(rss > heapTotal, heapTotal >= heapUsed, heapUsed > 1000, process.memoryUsage.rss() > 1e6);
        console.log(process.kill(process.pid, 0), process.cpuUsage().user >= 0, process.umask() < 0o1000);");
    assert_eq!(shown, "true true true true\ntrue true true\n");
}

#[test]
fn the_process_is_always_the_same_in_a_simulation() {
    let program = "console.log(process.pid, process.ppid, process.getuid(), process.umask(), process.memoryUsage().rss,
          process.cpuUsage(), process.stdout.isTTY, process.memoryUsage().heapUsed);
        try { process.kill(2, 0); } catch (error) { console.log(error.code); }";
    let run = || text(&hemiola(&["simulate", "-e", program]).stdout);
    let first = run();
    assert!(first.starts_with("1 0 1000 18 33554432 { user: 0, system: 0 } undefined "), "{first}");
    assert!(first.ends_with("\nESRCH\n"), "{first}");
    assert_eq!(first, run());
}

#[test]
fn the_environment_holds_texts() {
    let shown = run("process.env.A = 1; process.env.B = undefined;
        console.log(process.env.A === '1', process.env.B === 'undefined', 'A' in process.env, delete process.env.A, process.env.A);
        for (const act of [() => { process.env[Symbol('s')] = 1; }, () => { process.env.C = Symbol('s'); },
          () => Object.defineProperty(process.env, 'D', { value: 1 })]) {
          try { act(); } catch (error) { console.log(error.name, error.code); }
        }");
    let expected = "true true true true undefined\nTypeError undefined\nTypeError undefined\n\
        TypeError ERR_INVALID_OBJECT_DEFINE_PROPERTY\n";
    assert_eq!(shown, expected);
}

#[test]
fn exit_codes_are_checked_and_passed_on() {
    let (code, shown, _) = ends(
        &[],
        "for (const code of ['a', 1.5, {}, true]) {
           try { process.exitCode = code; } catch (error) { console.log(error.code); }
         }
         process.exitCode = '12';",
    );
    assert_eq!(code, 12);
    let [kind, range] = ["ERR_INVALID_ARG_TYPE", "ERR_OUT_OF_RANGE"];
    assert_eq!(shown, format!("{kind}\n{range}\n{kind}\n{kind}\n"));
    assert_eq!(ends(&[], "process.exit(-1)").0, 255);
    let handler = "process.on('exit', (code) => { console.log(code); process.exitCode = 9; }); process.exit(3);";
    assert_eq!(ends(&[], handler), (9, "3\n".into(), String::new()));
    // A handler of errors that fails itself has a code of its own, and nobody hears of the exit.
    let failing = "process.on('exit', () => console.log('exit'));
        process.on('uncaughtException', () => { throw new Error('second'); }); throw new Error('first');";
    let (code, shown, error) = ends(&[], failing);
    assert_eq!((code, shown.as_str()), (7, ""));
    assert!(error.contains("\nError: second") && !error.contains("\nError: first"), "{error}");
    // A signal to itself ends it as the system would; what it printed is out.
    assert_eq!(
        ends(&[], "console.log('a'); process.kill(process.pid)"),
        (143, "a\n".into(), String::new())
    );
}

#[test]
fn warnings_are_printed_once_explained() {
    let program = "process.emitWarning('one', { code: 'C', detail: 'more' }); process.emitWarning('two', 'Kind');";
    let (_, _, error) = ends(&[], program);
    let without_pid = error.replace(|c: char| c.is_ascii_digit(), "");
    assert_eq!(
        without_pid,
        "(node:) [C] Warning: one\nmore\n\
         (Use `hemiola run --trace-warnings ...` to show where the warning was created)\n\
         (node:) Kind: two\n"
    );
    assert_eq!(ends(&["--no-warnings"], program).2, "");
    let traced = ends(&["--trace-warnings"], program).2;
    assert!(traced.contains("Kind: two\n    at ") && !traced.contains("(Use"), "{traced}");
    let deprecated =
        "process.emitWarning('old', 'DeprecationWarning', 'DEP1'); console.log('after')";
    assert_eq!(ends(&["--no-deprecation"], deprecated), (0, "after\n".into(), String::new()));
    let (code, shown, error) = ends(&["--throw-deprecation"], deprecated);
    assert_eq!((code, shown.as_str()), (1, "after\n"));
    assert!(error.contains("DeprecationWarning: old"), "{error}");
}

#[test]
fn rejections_without_a_handler_follow_the_flag() {
    let program = "process.on('exit', (code) => console.log('exit', code)); Promise.reject(5);
        setTimeout(() => console.log('alive'), 1);";
    let with = |mode: &str| ends(&[&format!("--unhandled-rejections={mode}")], program);
    let (code, shown, error) = with("throw");
    assert_eq!((code, shown.as_str()), (1, "exit 1\n"));
    assert!(
        error.contains("UnhandledPromiseRejection: ") && error.contains("the reason \"5\"."),
        "{error}"
    );
    assert_eq!(with("none"), (0, "alive\nexit 0\n".into(), String::new()));
    let (code, shown, error) = with("warn");
    assert_eq!((code, shown.as_str()), (0, "alive\nexit 0\n"));
    assert!(error.contains("UnhandledPromiseRejectionWarning: 5\n"), "{error}");
    assert_eq!(with("warn-with-error-code").0, 1);
    assert_eq!(with("strict").0, 1);
    let (code, _, error) = with("maybe");
    assert_eq!(code, 2);
    assert!(error.contains("invalid value for --unhandled-rejections: `maybe`"), "{error}");
}

#[test]
fn bytes_arrive_as_they_are() {
    let program = "process.stdout.write(Buffer.from([0xff, 0x00, 0x0a])); process.stdout.write('c3a9', 'hex');
        process.stdout.write('\\ud800é\\n', (...args) => console.log(args));";
    for command in ["run", "simulate"] {
        let output = hemiola(&[command, "-e", program]);
        assert_eq!(output.stdout, b"\xff\0\n\xc3\xa9\xef\xbf\xbd\xc3\xa9\n[ null ]\n", "{command}");
    }
}

#[test]
fn the_console_writes_through_the_stream() {
    let shown = run("const { write } = process.stdout;
        process.stdout.write = function (text) { return write.call(this, `<${text.trim()}>\\n`); };
        console.log('a'); console.log(1, { b: 2 });");
    assert_eq!(shown, "<a>\n<1 { b: 2 }>\n");
}

#[test]
fn a_reader_that_has_seen_enough_ends_the_program_quietly() {
    let run = |source: &str| {
        let mut child = isolated(HEMIOLA)
            .args(["run", "-e", source])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command can be started");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        (output.status.code(), text(&output.stderr))
    };
    assert_eq!(run("setInterval(() => console.log('x'), 1)"), (Some(0), String::new()));
    assert_eq!(run("setInterval(() => process.stdout.write('x'), 1)"), (Some(0), String::new()));
    assert_eq!(run("for (let i = 0; i < 20000; i++) console.log('a line of text')").0, Some(0));
    let listening = "const timer = setInterval(() => process.stdout.write('x'), 1);
        process.stdout.on('error', (error) => { console.error(error.code); clearInterval(timer); });";
    assert_eq!(run(listening), (Some(0), "EPIPE\n".into()));
}

#[test]
fn the_end_goes_through_what_a_program_puts_in_its_way() {
    let program = "process.emit = (event, ...args) => console.log(event, args);
        const { reallyExit } = process;
        process.reallyExit = (code) => { console.log('really', code); reallyExit(code); };";
    assert_eq!(run(program), "beforeExit [ 0 ]\nexit [ 0 ]\n");
    assert_eq!(run(&format!("{program} process.exit(0)")), "exit [ 0 ]\nreally 0\n");
}

#[test]
fn an_emit_of_the_programs_own_swallows_no_error() {
    let emit = "const { emit } = process;
        process.emit = function (event, ...args) { console.log(event); return emit.call(this, event, ...args); };";
    for (failing, told) in [
        ("setTimeout(() => { throw new Error('lost'); });", ""),
        ("Promise.reject(new Error('lost'));", "unhandledRejection\n"),
    ] {
        let program = format!("{emit} {failing}");
        let (code, out, err) = ends(&[], &program);
        let expected = format!("{told}uncaughtExceptionMonitor\nuncaughtException\nexit\n");
        assert_eq!((code, out), (1, expected), "{failing}");
        assert!(err.contains("Error: lost"), "{err}");
        let simulated = hemiola(&["simulate", "-e", &program]);
        assert_eq!(simulated.status.code(), Some(1), "{failing}");
        let listener = "process.on('uncaughtException', () => console.log('handled'));";
        let (code, out, _) = ends(&[], &format!("{listener} {program}"));
        assert_eq!((code, out.contains("handled")), (0, true), "{failing}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_told() {
    let run = |source: &str| {
        let full = std::fs::File::options().write(true).open("/dev/full").expect("Linux has it");
        let output = isolated(HEMIOLA)
            .args(["run", "-e", source])
            .stdout(full)
            .output()
            .expect("the command can be started");
        (output.status.code(), text(&output.stderr))
    };
    let (code, error) = run("console.log('x')");
    assert_eq!(code, Some(2));
    assert!(error.starts_with("error: cannot write what the program printed: "), "{error}");
    let (code, error) = run("process.stdout.write('x'.repeat(100000))");
    assert_eq!(code, Some(1));
    assert!(error.contains("Error: ENOSPC: no space left on device, write"), "{error}");
    assert_eq!(run("process.exit(4); console.log('x')").0, Some(4));
}

#[test]
fn figures_of_performance_follow_virtual_time() {
    let program = "performance.mark('a'); setTimeout(() => {
          performance.mark('b'); console.log(performance.measure('m', 'a', 'b').duration, performance.now());
        }, 250);
        new PerformanceObserver((list) => console.log(list.getEntries().map(({ name }) => name)))
          .observe({ entryTypes: ['measure'] });";
    let output = hemiola(&["simulate", "-e", program]);
    assert_eq!(text(&output.stdout), "250 250\n[ 'm' ]\n");
}

#[test]
fn parts_of_the_library_are_had_by_name() {
    let source = "console.log(process.getBuiltinModule('node:fs') === require('fs'), process.getBuiltinModule('nothing'))";
    assert_eq!(run(source), "true undefined\n");
}

#[test]
fn all_signals_can_be_listened_to_that_node_lets_be() {
    let source = "const all = Object.keys(require('os').constants.signals);
        const listen = () => { throw new Error('nobody sends any'); };
        for (const name of all) {
          try { process.on(name, listen); } catch (error) { console.log(name, error.code); }
        }
        setImmediate(() => {
          for (const name of all) process.removeListener(name, listen);
          setTimeout(() => console.log('done'), 1);
        });";
    for world in ["run", "simulate"] {
        let output = hemiola(&[world, "-e", source]);
        assert_eq!(text(&output.stderr), "", "{world}");
        assert_eq!(text(&output.stdout), "SIGKILL EINVAL\nSIGSTOP EINVAL\ndone\n", "{world}");
    }
}
