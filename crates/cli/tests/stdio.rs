//! The standard streams of a program. What is expected here is what Node 20 shows.

use crate::common::{HEMIOLA, isolated};
use std::io::Write;
use std::process::{Output, Stdio};

/// Runs a program with that for its standard input.
fn piped(command: &str, source: &str, input: &[u8]) -> Output {
    let mut child = isolated(HEMIOLA)
        .args([command, "-e", source])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command can be started");
    // A program that does not read all of it closes the pipe.
    let _ = child.stdin.take().expect("it is piped").write_all(input);
    child.wait_with_output().expect("it ends")
}

/// What a program prints, the same in real and in virtual time.
fn prints(source: &str, input: &[u8]) -> String {
    let shown = |command: &str| {
        let output = piped(command, source, input);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{command}: {errors}");
        String::from_utf8_lossy(&output.stdout).into_owned() + &errors
    };
    let live = shown("run");
    assert_eq!(live, shown("simulate"));
    live
}

#[test]
fn input_comes_as_events() {
    let source = "const { stdin } = process;
        console.log(stdin.fd, stdin.isTTY, stdin.readableFlowing, stdin.setRawMode);
        for (const event of ['data', 'end', 'close', 'resume']) stdin.on(event, (data) => console.log(event, data?.length));";
    assert_eq!(
        prints(source, b"hi\n"),
        "0 undefined null undefined\nresume undefined\ndata 3\nend undefined\nclose undefined\n"
    );
    assert_eq!(
        prints(source, b""),
        "0 undefined null undefined\nresume undefined\nend undefined\nclose undefined\n"
    );
}

#[test]
fn input_can_be_iterated_piped_and_read_in_lines() {
    let iterate = "let text = ''; process.stdin.setEncoding('utf8');
        for await (const part of process.stdin) text += part;
        console.log(text.length);";
    // Longer than what is read at once, and cut within characters.
    assert_eq!(prints(iterate, "aé".repeat(100_000).as_bytes()), "200000\n");
    let pipe = "const { Transform } = require('stream');
        const upper = new Transform({ transform(part, _, done) { done(null, `${part}`.toUpperCase()); } });
        process.stdin.pipe(upper).pipe(process.stdout);";
    assert_eq!(prints(pipe, b"some text\n"), "SOME TEXT\n");
    let lines = "const lines = require('readline').createInterface({ input: process.stdin });
        (async () => { for await (const line of lines) console.log([line]); })();";
    assert_eq!(prints(lines, b"one\n\ntwo"), "[ 'one' ]\n[ '' ]\n[ 'two' ]\n");
    let question = "const io = require('readline').createInterface({ input: process.stdin, output: process.stdout });
        io.question('who? ', (name) => { console.log('hello', name); io.close(); });";
    assert_eq!(prints(question, b"you\nmore\n"), "who? hello you\n");
    let readable = "process.stdin.on('readable', () => {
          for (let part; (part = process.stdin.read()) !== null;) console.log(part.length);
        });";
    assert_eq!(prints(readable, b"12345"), "5\n");
}

/// A program with an input that stays open: it ends only if the program does not wait for it.
fn ends_before_its_input(source: &str) -> String {
    let mut child = isolated(HEMIOLA)
        .args(["run", "--timeout", "60s", "-e", source])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command can be started");
    let mut input = child.stdin.take().expect("it is piped");
    input.write_all(b"first\n").expect("the program reads");
    let output = child.wait_with_output().expect("it ends");
    drop(input);
    assert!(output.status.success(), "{:?}", output.status);
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_program_that_wants_no_more_input_ends() {
    assert_eq!(ends_before_its_input("process.stdin; console.log('not read')"), "not read\n");
    for stop in ["pause()", "unref()", "destroy()"] {
        let source = format!(
            "process.stdin.on('data', (data) => {{
               process.stdout.write(data);
               setTimeout(() => process.stdin.{stop}, 1);
             }});"
        );
        assert_eq!(ends_before_its_input(&source), "first\n", "{stop}");
    }
    let again =
        "process.stdin.pause(); process.stdin.resume(); process.stdin.once('data', (data) => {
          console.log(data.length); setTimeout(() => process.stdin.pause(), 1);
        });";
    assert_eq!(ends_before_its_input(again), "6\n");
}

#[test]
fn output_is_a_stream() {
    let source = "const { stdout } = process, seen = [];
        console.log(stdout instanceof require('stream').Writable, stdout.fd, stdout.writable, stdout.writableLength,
          stdout.writableHighWaterMark, stdout.isTTY, stdout.columns);
        seen.push(stdout.write('text\\n', () => seen.push('written')));
        process.nextTick(() => seen.push('tick'));
        stdout.write('74770a', 'hex');
        stdout.write(new Uint8Array([0x6f, 0x0a]));
        stdout.cork();
        stdout.write('corked\\n');
        seen.push(stdout.writableLength);
        stdout.uncork();
        for (const bad of [null, 1]) try { stdout.write(bad); } catch (error) { seen.push(error.code); }
        require('stream').pipeline(require('stream').Readable.from(['a', 'b\\n']), stdout, () => console.error(seen));";
    assert_eq!(
        prints(source, b""),
        "true 1 true 0 16384 undefined undefined\ntext\ntw\no\ncorked\nab\n\
         [\n  true,\n  7,\n  'ERR_STREAM_NULL_VALUES',\n  'ERR_INVALID_ARG_TYPE',\n  'written',\n  'tick'\n]\n"
    );
}

#[test]
fn ending_output_is_told_and_shuts_a_pipe_only() {
    let source = "const { stdout, stderr } = process;
        for (const event of ['prefinish', 'finish', 'close']) stdout.on(event, () => stderr.write(`${event}\\n`));
        stdout.on('error', (error) => stderr.write(`${error.message}\\n`));
        stdout.end('bye\\n', () => stderr.write('ended\\n'));
        setTimeout(() => { stderr.write(`${stdout.writable}\\n`); console.log('unseen'); }, 1);";
    assert_eq!(
        prints(source, b""),
        "bye\nprefinish\nended\nfinish\nclose\ntrue\nwrite EPIPE\nclose\n"
    );
    let destroyed = "process.stdout.destroy(); console.log('still here', process.stdout.destroyed)";
    assert_eq!(prints(destroyed, b""), "still here false\n");
}

#[test]
fn the_console_goes_through_what_a_program_puts_in_its_way() {
    let patched = "const seen = [], { write } = process.stdout;
        process.stdout.write = (text, callback) => { seen.push(text, typeof callback); return true; };
        console.log('a %d', 1); console.error('b'); console.info({ c: 1 });
        process.stdout.write = write;
        console.log(seen);
        process.stdout._write = (text, encoding, done) => { seen.push('_write'); done(); };
        console.log('hidden');
        delete process.stdout._write;
        console.log(seen.length);";
    assert_eq!(prints(patched, b""), "[ 'a 1\\n', 'function', '{ c: 1 }\\n', 'function' ]\n5\nb\n");
    let replaced = "const lines = [];
        Object.defineProperty(process, 'stdout', { value: { write: (text) => lines.push(text) } });
        console.log('kept');
        console.error(lines);";
    assert_eq!(prints(replaced, b""), "[ 'kept\\n' ]\n");
    let own = "const out = [], { Writable } = require('stream');
        const stdout = new Writable({ write(part, _, done) { out.push(`${part}`); done(); } });
        const own = new console.Console({ stdout });
        own.log('x'); own.error('y'); own.table([1]);
        console.log(out.length, out[1]);";
    assert_eq!(prints(own, b""), "3 y\n\n");
}

#[test]
fn a_pipe_whose_reader_wants_no_more_ends_the_program_without_a_word() {
    let endless = "const { Readable } = require('stream');
        new Readable({ read() { setImmediate(() => this.push('line\\n'.repeat(10000))); } }).pipe(process.stdout);";
    let mut child = isolated(HEMIOLA)
        .args(["run", "--timeout", "60s", "-e", endless])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command can be started");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
}
