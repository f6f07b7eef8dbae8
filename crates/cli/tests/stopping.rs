//! How a program is stopped from outside, whatever it does, and what it may do about it.

use crate::common::{HEMIOLA, Scratch, isolated};
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStderr, ChildStdout, Command, Output, Stdio};
use std::time::{Duration, Instant};

fn hemiola(args: &[&str]) -> Output {
    let output = isolated(HEMIOLA).args(args).output();
    output.expect("the command can be started")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("messages are text")
}

/// A program that runs, and says so by its first line.
struct Running {
    child: Child,
    out: BufReader<ChildStdout>,
    err: ChildStderr,
}

impl Running {
    fn start(source: &str) -> Self {
        let mut command = isolated(HEMIOLA);
        command.args(["run", "-e", source]).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the command can be started");
        let out = BufReader::new(child.stdout.take().expect("its output is piped"));
        let err = child.stderr.take().expect("its messages are piped");
        let mut running = Self { child, out, err };
        assert_eq!(running.line(), "ready");
        running
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.out.read_line(&mut line).expect("its output can be read");
        line.trim_end().to_owned()
    }

    fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        let sent = Command::new("kill").args([name, &pid]).status().expect("there is a kill");
        assert!(sent.success());
    }

    /// Exit code and messages.
    fn end(mut self) -> (Option<i32>, String) {
        let mut messages = String::new();
        self.err.read_to_string(&mut messages).expect("its messages can be read");
        let status = self.child.wait().expect("it ends");
        // As a shell tells it.
        (status.code().or(status.signal().map(|signal| 128 + signal)), messages)
    }
}

#[test]
fn an_endless_loop_is_stopped_where_it_is() {
    let loops = "function spin() { for (let i = 0; ; i++) Math.abs(i); }\nspin();";
    let output = hemiola(&["run", "--timeout", "100ms", "-e", loops]);
    assert_eq!(output.status.code(), Some(124));
    let text = stderr(&output);
    assert!(text.starts_with("the time is up (--timeout), while running:\n"), "{text}");
    assert!(text.contains("at spin ("), "{text}");
}

#[test]
fn no_handler_of_the_program_delays_a_stop() {
    let program = "process.on('exit', () => console.log('never'));
        (async () => { try { for (;;); } catch { console.log('never'); } finally { console.log('never'); } })()
          .catch(() => console.log('never'));";
    let output = hemiola(&["run", "--timeout", "100ms", "-e", program]);
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(124), &b""[..]));
}

/// Neither what takes errors out of their way, nor what a program does to errors, keeps it from ending.
#[test]
fn what_a_program_does_to_errors_does_not_delay_a_stop() {
    for program in [
        "process.on('uncaughtException', () => { for (;;); }); throw new Error('first');",
        "process.on('unhandledRejection', () => { for (;;); }); Promise.reject(new Error('first'));",
        "process.setUncaughtExceptionCaptureCallback(() => { for (;;); }); throw new Error('first');",
        "Error.prepareStackTrace = () => { for (;;); }; new Error('first').stack;",
        "Object.defineProperty(Error, Symbol.hasInstance, { value() { for (;;); } }); for (;;);",
        "require('async_hooks').createHook({ init() { Promise.resolve().then(() => {}); } }).enable();
        setTimeout(() => {}, 1);",
    ] {
        for command in ["run", "simulate"] {
            let output = hemiola(&[command, "--timeout", "500ms", "-e", program]);
            let said = stderr(&output);
            assert_eq!(output.status.code(), Some(124), "{command} {program}: {said}");
            assert!(said.starts_with("the time is up (--timeout)"), "{command} {program}: {said}");
            assert!(!said.contains("cannot be interrupted"), "{command} {program}: {said}");
        }
    }
}

#[test]
fn a_starved_loop_is_stopped() {
    for program in [
        "function again() { process.nextTick(again); } again();",
        "function again() { Promise.resolve().then(again); } again();",
        "function again() { queueMicrotask(again); } again();",
        "function again() { setImmediate(again); } again();",
        "(async () => { for (;;) await 0; })();",
        "function again() { setTimeout(again, 0, 'A'); } again();",
    ] {
        // A clock that lets nobody else run is warned of.
        let words = ["run", "--no-warnings", "--timeout", "100ms", "-e", program];
        let output = hemiola(&words);
        assert_eq!(output.status.code(), Some(124), "{program}: {}", stderr(&output));
        assert!(stderr(&output).starts_with("the time is up (--timeout)"), "{program}");
    }
}

/// What the engine does in one step, and what the system keeps waiting, cannot look up.
#[test]
fn a_step_that_cannot_be_interrupted_is_ended_with_its_process() {
    for program in [
        "Array(1e9).join('')",
        "Array(1e9).join('x')",
        "require('crypto').pbkdf2Sync('a', 'b', 1e8, 64, 'sha512')",
        "require('crypto').scryptSync('a', 'b', 64, { N: 2 ** 20, r: 8, p: 8, maxmem: 2 ** 33 })",
        "const text = '[' + '1,'.repeat(2e7) + '1]'; JSON.parse(text)",
        "'a,'.repeat(5e7).split(',')",
        "Array(4e9).fill(0)",
        "for (;;) 'abc'.repeat(1e8)",
        "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)",
        "require('child_process').execSync('sleep 60')",
    ] {
        let source = format!("process.stdout.write('said'); {program}");
        for command in ["run", "simulate"] {
            // Simulated, nothing outside is reached, and a sleep that nobody can end is an error.
            let waits = program.contains("child_process") || program.contains("Atomics");
            if command == "simulate" && waits {
                continue;
            }
            let began = Instant::now();
            let output = hemiola(&[command, "--timeout", "300ms", "-e", &source]);
            let text = stderr(&output);
            assert_eq!(output.status.code(), Some(124), "{command} {program}: {text}");
            assert!(text.starts_with("the time is up (--timeout), while "), "{program}: {text}");
            assert_eq!(output.stdout, b"said", "{command} {program}");
            // It takes half a second; alone, none of these ends within a minute.
            assert!(began.elapsed() < Duration::from_secs(10), "{command} {program}");
        }
    }
}

#[test]
fn a_search_does_not_wait_for_a_step_that_cannot_be_interrupted() {
    for command in ["explore", "races"] {
        for program in ["Array(1e9).join('x');", "setTimeout(() => Array(1e9).join('x'), 1);"] {
            let output = hemiola(&[command, "--time", "500ms", "-e", program]);
            let said = stderr(&output);
            assert_eq!(output.status.code(), Some(102), "{command} {program}: {said}");
            let expected = "error: the time is up (--time), while a run does something that cannot";
            assert!(said.starts_with(expected), "{command} {program}: {said}");
        }
    }
}

#[test]
fn a_signal_ends_a_step_that_cannot_be_interrupted() {
    for (name, code) in [("-INT", 130), ("-TERM", 143)] {
        let running = Running::start("process.stdout.write('ready\\n'); Array(1e9).join('');");
        running.signal(name);
        let (ended, messages) = running.end();
        assert_eq!(ended, Some(code), "{messages}");
        let expected = ", while running something that cannot be interrupted\n";
        assert!(messages.ends_with(expected), "{messages}");
    }
}

/// Recording, trace and output of a process that was ended are as whole as those of one that ended.
#[test]
fn nothing_is_lost_of_a_process_that_was_ended() {
    let folder = Scratch::new("ended");
    let trace = folder.0.join("trace.jsonl");
    let source = "console.log('first', Math.random());
        setTimeout(() => { console.log('second'); Array(1e9).join(''); }, 1);";
    let mut command = isolated(HEMIOLA);
    command.env("HEMIOLA_RUNS", folder.0.join("runs"));
    command.args(["run", "--record=always", "--timeout", "500ms", "--trace"]).arg(&trace);
    let output = command.args(["-e", source]).output().expect("the command can be started");
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(124), "{text}");
    assert!(text.contains("note: recorded; run it again: hemiola replay "), "{text}");
    let id = text.trim_end().rsplit(' ').next().expect("there is an id");
    let printed = String::from_utf8(output.stdout).expect("it prints text");
    assert_eq!(printed.lines().count(), 2, "{printed}");
    let events = std::fs::read_to_string(&trace).expect("there is a trace");
    assert!(events.ends_with('\n') && events.contains("second"), "{events}");
    let mut command = isolated(HEMIOLA);
    command.env("HEMIOLA_RUNS", folder.0.join("runs"));
    let again = command.args(["replay", id]).output().expect("the command can be started");
    assert_eq!(String::from_utf8(again.stdout).expect("it prints text"), printed);
}

#[test]
fn a_program_that_waits_is_stopped_and_told_what_for() {
    let output = hemiola(&["run", "--timeout", "50ms", "-e", "setTimeout(() => {}, 1e8)"]);
    assert_eq!(output.status.code(), Some(124));
    let expected = "the time is up (--timeout), while waiting: 1 timers and 0 operations are \
                    outstanding\n";
    assert_eq!(stderr(&output), expected);
}

#[test]
fn virtual_time_without_end_is_stopped_in_real_time() {
    let output = hemiola(&["simulate", "--timeout", "100ms", "-e", "setInterval(() => {}, 1)"]);
    assert_eq!(output.status.code(), Some(124));
}

#[test]
fn an_interrupt_stops_a_loop_with_its_stack() {
    let running = Running::start(
        "process.stdout.write('ready\\n');
        setTimeout(function later() { (function spin() { for (let i = 0; ; i++) Math.abs(i); })(); }, 20);",
    );
    running.signal("-INT");
    let (code, _) = running.end();
    assert_eq!(code, Some(130));
    let mut running = Running::start(
        "console.log('ready');
        setImmediate(() => { console.log('spins'); (function spin() { for (;;) Math.abs(1); })(); });",
    );
    assert_eq!(running.line(), "spins");
    running.signal("-INT");
    let (code, messages) = running.end();
    assert_eq!(code, Some(130));
    assert!(messages.starts_with("interrupted, while running:\n    at spin ("), "{messages}");
}

#[test]
fn a_program_that_is_asked_to_end_ends() {
    let running = Running::start("console.log('ready'); setInterval(() => {}, 1e6);");
    running.signal("-TERM");
    assert_eq!(running.end(), (Some(143), String::new()));
}

#[test]
fn a_program_may_listen_to_signals_and_stop_listening() {
    let mut running = Running::start(
        "const alive = setInterval(() => {}, 1e6);
        let count = 0;
        process.on('SIGINT', function heard(name, number) {
          console.log(name, number);
          if (++count === 2) process.off('SIGINT', heard);
        });
        process.once('SIGUSR2', () => console.log('usr2'));
        console.log('ready');",
    );
    running.signal("-INT");
    assert_eq!(running.line(), "SIGINT 2");
    running.signal("-USR2");
    assert_eq!(running.line(), "usr2");
    running.signal("-INT");
    assert_eq!(running.line(), "SIGINT 2");
    running.signal("-INT");
    assert_eq!(running.end(), (Some(130), String::new()));
}

#[test]
fn listening_to_a_signal_keeps_no_program_alive() {
    let output = hemiola(&["run", "-e", "process.on('SIGTERM', () => {}); console.log('done')"]);
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(0), &b"done\n"[..]));
    let output = hemiola(&["run", "-e", "process.on('SIGKILL', () => {})"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("uv_signal_start EINVAL"), "{}", stderr(&output));
}

#[test]
fn running_out_of_memory_ends_the_program_and_nothing_else() {
    for program in [
        "const all = []; for (;;) all.push({});",
        "const all = []; for (;;) all.push('x'.repeat(1000) + all.length);",
        "const all = []; for (;;) try { all.push({}); } catch {}",
        "(async () => { const all = []; for (;;) { all.push([1]); await 0; } })();",
        "const all = new Map(); for (let i = 0; ; i++) all.set({}, i);",
        "const all = []; function more() { for (let i = 0; i < 1e4; i++) all.push({}); } setInterval(more, 1);",
        "const all = []; function more() { all.push(new Promise(() => {})); Promise.resolve().then(more); } more();",
    ] {
        let output = hemiola(&["run", "--memory-limit", "32", "-e", program]);
        assert_eq!(output.status.code(), Some(134), "{program}: {}", stderr(&output));
        let text = stderr(&output);
        assert!(text.starts_with("out of memory: the limit is 32 MiB (--memory-limit)"), "{text}");
    }
}

/// Whatever holds memory for a program counts: not only what its engine allocates.
#[test]
fn memory_outside_of_the_engine_counts() {
    for (program, expected) in [
        ("const all = []; for (;;) all.push(Buffer.from('x'.repeat(1e5)));", Some(134)),
        (
            "const all = [];
            const child = require('child_process').spawn('cat', ['/dev/zero']);
            child.stdout.on('data', (data) => all.push(data));",
            Some(134),
        ),
        ("new SharedArrayBuffer(1e9);", Some(1)),
        ("const all = []; for (;;) all.push(new SharedArrayBuffer(1e6));", Some(1)),
        ("require('fs').readFileSync('/dev/zero');", Some(1)),
        (
            "require('crypto').scryptSync('a', 'b', 64, { N: 2 ** 17, r: 32, maxmem: 2 ** 33 });",
            Some(1),
        ),
        ("require('crypto').pbkdf2Sync('a', 'b', 1, 2e9, 'sha1');", Some(1)),
    ] {
        let output = hemiola(&["run", "--memory-limit", "32", "-e", program]);
        assert_eq!(output.status.code(), expected, "{program}: {}", stderr(&output));
    }
    let caught = "try { new SharedArrayBuffer(1e9); } catch (error) { console.log(error.message); }
        const { spawnSync } = require('child_process');
        console.log(spawnSync('cat', ['/dev/zero'], { maxBuffer: Infinity }).error.code);
        const fs = require('fs');
        try { fs.readFileSync('/dev/zero'); } catch ({ code }) { console.log(code); }
        fs.readFile('/dev/zero', ({ code }) => console.log(code));
        fs.promises.readFile('/dev/zero').catch(({ code }) => console.log(code));";
    let output = hemiola(&["run", "--memory-limit", "32", "-e", caught]);
    let expected = "out of memory\nENOMEM\nENOMEM\nENOMEM\nENOMEM\n";
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{}", stderr(&output));
    // The error has what the child wrote, and there is no memory left to inspect that.
    let thrown = "require('child_process').execSync('cat /dev/zero', { maxBuffer: Infinity });";
    let output = hemiola(&["run", "--memory-limit", "64", "-e", thrown]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("spawnSync /bin/sh ENOMEM"), "{}", stderr(&output));
}

/// What goes with operations under way counts until they are over.
#[test]
fn what_is_about_to_be_written_counts() {
    let greedy = "const fs = require('fs');
        const bytes = new Uint8Array(1e6);
        const told = { null: 0 };
        for (let asked = 0; asked < 200; ++asked) {
          fs.writeFile('/dev/null', bytes, (error) => {
            const name = error && error.message;
            told[name] = (told[name] ?? 0) + 1;
          });
        }
        process.on('exit', () => {
          console.log(...Object.keys(told), told.null > 8, told.null < 64, told.null + told['out of memory']);
        });";
    for command in ["run", "simulate"] {
        let output = hemiola(&[command, "--memory-limit", "64", "-e", greedy]);
        let expected = "null out of memory true true 200\n";
        let shown = String::from_utf8_lossy(&output.stdout);
        assert_eq!(shown, expected, "{command}: {}", stderr(&output));
    }
}

/// What was read for a program counts from the moment at which it is read, though the program may get it later; and a
/// device without an end is one in a simulation, too.
#[test]
fn what_is_read_counts_before_it_is_delivered() {
    let parallel = "const fs = require('fs');
        fs.writeFileSync(process.argv[1], Buffer.alloc(4e6));
        const told = {};
        const read = () => new Promise((resolve) => {
          fs.readFile(process.argv[1], (error, bytes) => {
            const name = error ? error.code : bytes.length;
            told[name] = (told[name] ?? 0) + 1;
            resolve();
          });
        });
        const all = Array.from({ length: 100 }, read);
        // They are read while nobody can take them; the last of all is done when the flag is there.
        const flag = `${process.argv[1]}.flag`;
        fs.writeFile(flag, '', () => {});
        const word = new Int32Array(new SharedArrayBuffer(4));
        while (!fs.existsSync(flag)) Atomics.wait(word, 0, 0, 20);
        const most = Math.round(process.memoryUsage.rss() / 1e6);
        Promise.all(all).then(() => {
          fs.unlinkSync(process.argv[1]);
          fs.unlinkSync(flag);
          console.log(told[4e6] > 3, told.ENOMEM > 3, told[4e6] + told.ENOMEM, most < 240 || most);
        });";
    let file = std::env::temp_dir().join(format!("hemiola-parallel-{}", std::process::id()));
    let file = file.to_string_lossy();
    let output = hemiola(&["run", "--memory-limit", "64", "-e", parallel, &file]);
    let shown = String::from_utf8_lossy(&output.stdout);
    assert_eq!(shown, "true true 100 true\n", "{}", stderr(&output));
    let endless = "const fs = require('fs');
        const told = (act) => { try { return act(); } catch (error) { return error.code; } };
        const read = (path) => told(() => fs.readFileSync(path).length);
        const piece = told(() => fs.readSync(fs.openSync('/dev/zero'), Buffer.alloc(10, 1)));
        const full = told(() => fs.writeFileSync('/dev/full', 'x'));
        console.log(read('/dev/zero'), read('/dev/full'), read('/dev/null'), piece, full);";
    for command in ["run", "simulate"] {
        let output = hemiola(&[command, "--memory-limit", "64", "-e", endless]);
        let shown = String::from_utf8_lossy(&output.stdout);
        assert_eq!(shown, "ENOMEM ENOMEM 0 10 ENOSPC\n", "{command}: {}", stderr(&output));
    }
    let other = "try { require('fs').readFileSync('/dev/urandom'); } catch (error) { console.log(error.code); }";
    assert_eq!(hemiola(&["simulate", "-e", other]).stdout, b"ENXIO\n");
}

/// Workers, what they share and what they send each other have the memory of their program together.
#[test]
fn workers_have_their_memory_together() {
    for command in ["run", "simulate"] {
        let greedy = "const { Worker } = require('worker_threads');
            const body = `const all = []; for (let i = 0; i < 80; ++i) all.push(new Array(2e4).fill(i));
              require('worker_threads').parentPort.once('message', () => {});
              require('worker_threads').parentPort.postMessage('full');`;
            (async () => {
              const workers = [];
              let [full, refused] = [0, 0];
              while (workers.length < 5) {
                const worker = new Worker(body, { eval: true });
                workers.push(worker);
                await new Promise((resolve) => {
                  worker.on('message', () => resolve(full++)).on('error', () => resolve(refused++));
                });
              }
              console.log(full > 0, refused > 0);
              for (const worker of workers) worker.postMessage('end');
            })();";
        let output = hemiola(&[command, "--memory-limit", "96", "-e", greedy]);
        assert_eq!(output.stdout, b"true true\n", "{command}: {}", stderr(&output));
    }
    let flood = "const { Worker } = require('worker_threads');
        const body = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)';
        const worker = new Worker(body, { eval: true });
        const bytes = new Uint8Array(1e6);
        try { for (;;) worker.postMessage(bytes); } catch (error) { console.log(error.name); }
        worker.terminate();";
    let output = hemiola(&["run", "--memory-limit", "64", "-e", flood]);
    // Which of the two is refused first, the message or what it is made of, is a matter of bytes.
    let shown = String::from_utf8_lossy(&output.stdout);
    let (code, text) = (output.status.code(), stderr(&output));
    assert!(shown == "DataCloneError\n" || code == Some(134), "{shown}{text}");
}

/// Whatever stack a worker asks for is what it gets, or it does not begin.
#[test]
fn a_worker_has_the_stack_that_it_asks_for_or_none() {
    let deep = "const { Worker } = require('worker_threads');
        const body = 'let depth = 0; const deep = () => { depth++; deep(); };' +
          'try { deep(); } catch (error) { require(\"worker_threads\").parentPort.postMessage([error.name, depth]); }';
        const run = (stackSizeMb) => new Promise((resolve) => {
          const worker = new Worker(body, { eval: true, resourceLimits: { stackSizeMb } });
          worker.on('message', resolve).on('error', resolve);
        });
        (async () => {
          const [[first, shallow], [second, deeper], [third]] = [await run(4), await run(64), await run(NaN)];
          console.log(first, second, third, deeper > 12 * shallow);
          for (const size of [5000, 1e9, Infinity]) {
            try { await run(size); } catch ({ code }) { console.log(code); }
          }
        })();";
    for command in ["run", "simulate"] {
        let output = hemiola(&[command, "-e", deep]);
        let expected = "RangeError RangeError RangeError true\n".to_owned()
            + &"ERR_WORKER_INIT_FAILED\n".repeat(3);
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{}", stderr(&output));
    }
}

/// Timers, immediates and the end of workers have their turn, however much others send.
#[test]
fn a_flood_of_messages_leaves_others_their_turn() {
    let flood = "const { Worker } = require('worker_threads');
        const body = 'const { parentPort } = require(\"worker_threads\"); for (;;) parentPort.postMessage({ a: 1, b: \"text\" });';
        const workers = Array.from({ length: 4 }, () => new Worker(body, { eval: true }));
        let messages = 0;
        let began;
        for (const worker of workers) {
          worker.on('message', () => {
            began ??= setTimeout(async () => {
              const before = messages;
              for (const worker of workers) await worker.terminate();
              console.log('ended', before > 0);
            }, 100);
            messages++;
          });
        }";
    let output = hemiola(&["run", "--timeout", "60s", "-e", flood]);
    assert_eq!(output.stdout, b"ended true\n", "{}", stderr(&output));
}

#[test]
fn sources_that_are_nested_deeply_are_errors_like_any_other() {
    let folder = Scratch::new("deep");
    for (start, end) in [
        ("(", ")"),
        ("[", "]"),
        ("{", "}"),
        ("await ", ""),
        ("`${", "}`"),
        ("!", ""),
        ("a=>", ""),
        ("class A{m(){", "}}"),
        ("async function f(){", "}"),
        // The engine's time for these grows with the square of their number.
        ("a?b:", ""),
        ("a?", ":b"),
    ] {
        for depth in [3_000, 30_000] {
            let text = start.repeat(depth) + "1" + &end.repeat(depth);
            for (name, text) in [("a.mjs", format!("export default 1;\n{text};\n")), ("a.ts", text)]
            {
                let path = folder.0.join(name);
                std::fs::write(&path, text).expect("the file can be written");
                let mut command = isolated(HEMIOLA);
                let output = command.args(["run", "--timeout", "60s"]).arg(&path).output();
                let output = output.expect("the command can be started");
                let code = output.status.code();
                let text = stderr(&output);
                assert!(matches!(code, Some(0 | 1)), "{start} {depth} {name}: {code:?} {text}");
            }
        }
    }
}

#[test]
fn what_is_too_large_by_itself_is_an_error_like_any_other() {
    for program in ["new Uint8Array(1e9);", "let text = 'x'; for (;;) text += text;"] {
        let output = hemiola(&["run", "--memory-limit", "32", "-e", program]);
        assert_eq!(output.status.code(), Some(1), "{program}: {}", stderr(&output));
    }
    let caught = "try { new Uint8Array(1e9); } catch { console.log('goes on'); }";
    let output = hemiola(&["run", "--memory-limit", "32", "-e", caught]);
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(0), &b"goes on\n"[..]));
}

#[test]
fn a_stack_that_overflows_is_an_error_like_any_other() {
    let output = hemiola(&["run", "-e", "function deep() { return 1 + deep(); } deep();"]);
    assert_eq!(output.status.code(), Some(1));
    let expected = "RangeError: Maximum call stack size exceeded\n    at deep ([eval]:1:";
    assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    let caught = "let depth = 0; const deep = () => { depth++; deep(); };
        try { deep(); } catch (error) { console.log(error instanceof RangeError, depth > 1000); }";
    let output = hemiola(&["run", "-e", caught]);
    assert_eq!(output.stdout, b"true true\n");
}

/// A program that comes from standard input and does not come is waited for, but not against a signal.
#[test]
fn who_waits_for_a_program_from_standard_input_is_ended_by_a_signal() {
    for words in [&["run", "-"][..], &[]] {
        let mut command = isolated(HEMIOLA);
        command.args(words).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the command can be started");
        let pid = child.id().to_string();
        let is_waiting = || {
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('S'))
        };
        let until = Instant::now() + Duration::from_secs(20);
        while !is_waiting() && Instant::now() < until {
            std::thread::yield_now();
        }
        let sent = Command::new("kill").args(["-TERM", &pid]).status().expect("there is a kill");
        assert!(sent.success());
        while Instant::now() < until && child.try_wait().expect("it can be asked for").is_none() {
            std::thread::yield_now();
        }
        let ended = child.try_wait().expect("it can be asked for");
        let _ = child.kill();
        let signal = ended.and_then(|status| status.signal());
        assert_eq!(signal, Some(15), "{words:?}");
    }
}
