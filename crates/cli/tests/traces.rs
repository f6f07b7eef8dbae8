//! What `--trace` writes, what `obs` puts there, and `--paranoid` (rule GATE-2).

use crate::common::{directory, hemiola, text};
use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};

/// Something of everything that comes through the gate.
const LIVELY: &str = "
    const fs = require('node:fs'), net = require('node:net');
    obs(Math.random()); obs(Date.now()); obs(performance.now());
    setTimeout(() => obs('timer'), 2); setImmediate(() => obs('immediate')); process.nextTick(() => obs('tick'));
    setTimeout(() => obs(`A ${currentTime('A')}`), 3, 'A');
    fs.readFile('data.txt', 'utf8', (error, text) => obs(text));
    fs.promises.stat('nothing').catch((error) => obs(error));
    const server = net.createServer((socket) => socket.end('hello')).listen(0, '127.0.0.1', () => {
        net.connect(server.address().port, '127.0.0.1').on('data', (bytes) => obs(bytes)).on('close', () => server.close());
    });
    process.stdout.write(new Uint8Array([0xff, 0x0a]));
    console.error('to the other stream');
";

fn call(directory: &Path, words: &[&str]) -> Output {
    let mut command = hemiola(directory);
    command.env("HEMIOLA_RUNS", directory.join("runs")).stdin(Stdio::null());
    command.args(words).output().expect("hemiola runs")
}

fn succeeds(directory: &Path, words: &[&str]) -> Vec<u8> {
    let output = call(directory, words);
    assert_eq!(output.status.code(), Some(0), "{words:?}: {}", text(output.stderr));
    output.stdout
}

fn read(directory: &Path, file: &str) -> String {
    fs::read_to_string(directory.join(file)).expect("it was written")
}

/// What was observed, as it stands in the trace.
fn observed(trace: &str) -> Vec<&str> {
    let start = "{\"ev\":\"observed\",\"value\":";
    trace.lines().filter_map(|line| line.strip_prefix(start)?.strip_suffix('}')).collect()
}

#[test]
fn a_replay_writes_the_trace_of_the_run() {
    let directory = directory("trace-replay", &[("lively.js", LIVELY), ("data.txt", "content")]);
    succeeds(&directory, &["run", "--record", "--trace", "first", "lively.js"]);
    fs::remove_file(directory.join("data.txt")).expect("it is there");
    let first = read(&directory, "first");
    assert!(first.starts_with("{\"format\":\"hemiola-trace\",\"version\":1}\n"), "{first}");
    assert!(first.contains("{\"ev\":\"wrote\",\"stream\":\"out\",\"hex\":\"ff0a\"}"), "{first}");
    for word in ["\"timer\"", "\"immediate\"", "\"tick\"", "\"content\""] {
        assert!(observed(&first).contains(&word), "{word} is not in {first}");
    }
    succeeds(&directory, &["replay", "--trace", "second"]);
    assert_eq!(first, read(&directory, "second"));
    // Whether a run was watched makes no difference to what it is.
    succeeds(
        &directory,
        &[
            "run",
            "--record",
            "-e",
            "obs(Math.random()); obs({ [require('util').inspect.custom]() { return String(Math.random()) } })",
        ],
    );
    succeeds(&directory, &["replay", "--trace", "unseen"]);
    assert_eq!(observed(&read(&directory, "unseen")).len(), 2);
}

#[test]
fn a_seed_decides_the_trace_of_a_simulation() {
    let directory = directory("trace-simulate", &[("lively.js", LIVELY), ("data.txt", "content")]);
    let trace = |seed: &str, file: &str| {
        succeeds(&directory, &["simulate", "--seed", seed, "--trace", file, "lively.js"]);
        read(&directory, file)
    };
    let first = trace("7", "first");
    assert_eq!(first, trace("7", "second"));
    assert_ne!(first, trace("8", "other"));
}

#[test]
fn an_observation_is_a_number_or_a_text() {
    let program = "
        obs(3); obs(-0); obs(10n); obs(2n ** 70n); obs(1.5); obs(NaN); obs(2 ** 53);
        obs('a text'); obs('two\\nlines'); obs('\\ud800x'); obs(true); obs(null); obs(); obs(Symbol('s'));
        obs(function named() {}); obs(() => {}); obs(class Some {}); obs(Object.assign(() => {}, { [Symbol.iterator]: 1 }));
        obs(new TypeError('wrong')); obs([1, 'x']); obs({ a: { b: { c: { d: { e: { f: 1 } } } } } });
        obs(Buffer.from('b')); obs(new Map([[1, 2]])); obs(Promise.resolve(1));
        require('hemiola:observe').observe('by the module');
        import('hemiola:observe').then(({ obs, observe, default: whole }) => obs(obs === observe && whole.obs === obs));
        obs({ get a() { throw new Error('not asked') } });
        try { obs({ [require('util').inspect.custom]() { throw new Error('asked') } }); } catch (error) { obs(error); }
        obs = 5; obs2 = obs; require('hemiola:observe').obs(obs2);
    ";
    let directory = directory("observations", &[("all.js", program)]);
    for command in ["run", "simulate"] {
        succeeds(&directory, &[command, "--trace", "trace", "all.js"]);
        let expected = [
            "3",
            "0",
            "10",
            "\"1180591620717411303424\"",
            "\"1.5\"",
            "\"NaN\"",
            "\"9007199254740992\"",
            "\"a text\"",
            "\"two\\nlines\"",
            "\"\u{fffd}x\"",
            "\"true\"",
            "\"null\"",
            "\"undefined\"",
            "\"Symbol(s)\"",
            "\"named\"",
            "\"(anonymous)\"",
            "\"Some\"",
            "\"(anonymous)\"",
            "\"TypeError: wrong\"",
            "\"[ 1, 'x' ]\"",
            "\"{ a: { b: { c: { d: { e: [Object] } } } } }\"",
            "\"<Buffer 62>\"",
            "\"Map(1) { 1 => 2 }\"",
            "\"Promise { 1 }\"",
            "\"by the module\"",
            "\"{ a: [Getter] }\"",
            "\"Error: asked\"",
            "5",
            "\"true\"",
        ];
        assert_eq!(observed(&read(&directory, "trace")), expected, "{command}");
    }
}

#[test]
fn a_trace_goes_to_a_file_that_can_be_written() {
    let directory = directory("trace-files", &[]);
    for (file, part) in [("-", "needs a file"), ("no/where", "cannot write the trace to no/where")]
    {
        let output = call(&directory, &["run", "--trace", file, "-e", "console.log(1)"]);
        let message = text(output.stderr);
        assert_eq!((output.status.code(), output.stdout), (Some(2), Vec::new()), "{message}");
        assert!(message.contains(part) && message.contains("help: "), "{message}");
    }
    let full = ["run", "--trace", "/dev/full", "-e", "console.log(1)"];
    let output = call(&directory, &full);
    assert_eq!((output.status.code(), text(output.stdout)), (Some(2), "1\n".into()));
    let output = call(&directory, &["run", "--trace", "/dev/full", "-e", "process.exitCode = 3"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(text(output.stderr).contains("cannot write the trace"));
}

#[test]
fn paranoid_runs_are_the_same_twice_and_shown_once() {
    let directory = directory("paranoid", &[("lively.js", LIVELY), ("data.txt", "content")]);
    for command in ["run", "simulate"] {
        let output = call(&directory, &[command, "--paranoid", "lively.js"]);
        assert_eq!(output.status.code(), Some(0), "{command}: {}", text(output.stderr));
        assert_eq!(output.stdout, [0xff, 0x0a], "{command}");
        assert_eq!(text(output.stderr), "to the other stream\n", "{command}");
    }
    assert_eq!(fs::read_dir(directory.join("runs")).map_or(0, Iterator::count), 0, "none is kept");
    let output = call(&directory, &["run", "--paranoid", "-e", "process.exit(101)"]);
    assert_eq!((output.status.code(), text(output.stderr)), (Some(101), String::new()));
    let output = call(&directory, &["run", "--paranoid", "--record", "-e", "1"]);
    assert!(text(output.stderr).contains("hemiola replay"), "what is to be kept is");
    let output =
        call(&directory, &["simulate", "--paranoid", "--timeout", "200ms", "-e", "for (;;);"]);
    assert_eq!(output.status.code(), Some(124));
    assert!(text(output.stderr).contains("nothing to compare"));
}

/// Where something could come in past the gate: garbage, memory, depth, temporary names, keys, workers.
#[test]
fn nothing_comes_in_past_the_gate() {
    let program = "
        const fs = require('fs'), os = require('os'), crypto = require('crypto');
        console.log(process.memoryUsage(), require('v8').getHeapStatistics(), os.freemem(), os.loadavg(), os.cpus());
        console.log(process.resourceUsage(), process.cpuUsage(), process.hrtime.bigint(), performance.timeOrigin, new Date());
        const directory = fs.mkdtempSync(os.tmpdir() + '/hemiola-leaks-');
        for (const name of ['c', 'a', 'b']) fs.writeFileSync(`${directory}/${name}`, directory);
        console.log(directory, fs.readdirSync(directory), fs.statSync(`${directory}/a`), fs.statfsSync(directory));
        fs.rmSync(directory, { recursive: true });
        function depth(n) { try { return depth(n + 1); } catch { return n; } }
        console.log(depth(0), new Intl.DateTimeFormat().resolvedOptions(), new Error('here').stack);
        console.log(crypto.generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'der' }));
        const refs = [];
        const registry = new FinalizationRegistry((number) => console.log('gone', number));
        for (let i = 0; i < 20; i++) { const o = { text: 'x'.repeat(800 + i) }; o.o = o; refs.push(new WeakRef(o)); registry.register(o, i); }
        let rounds = 0;
        const interval = setInterval(() => {
            const kept = [];
            for (let i = 0; i < 2000; i++) { const a = { list: [i, i], text: 'y'.repeat(2500 + Math.floor(Math.random() * 600)) }; a.a = a; if (i % 900 == 0) kept.push(a); }
            console.log(refs.map((ref) => ref.deref() !== undefined).join(), process.memoryUsage().heapTotal, registry !== undefined);
            if (++rounds > 4) clearInterval(interval);
        }, 1);
        const server = require('http').createServer((request, response) => response.end(String(request.socket.remotePort)));
        server.listen(0, '127.0.0.1', async () => {
            const response = await fetch(`http://127.0.0.1:${server.address().port}`);
            console.log(await response.text(), [...response.headers]);
            server.close();
        });
        const { Worker } = require('worker_threads');
        new Worker(`console.log('from a worker', Math.random()); require('worker_threads').parentPort.postMessage(Date.now())`, { eval: true })
            .on('message', (message) => console.log(message)).on('exit', (code) => console.log('exit', code));
        // How many objects there is room for until garbage is collected: what is in use, to a hundred bytes.
        let room = 0;
        for (const last = new WeakRef(circle()); last.deref() !== undefined; room++) circle();
        function circle() { const o = {}; return o.o = o; }
        console.log(room, process.env.HOME);
    ";
    let directory = directory("leaks", &[("leaks.js", program)]);
    for command in ["run", "simulate"] {
        let output = call(&directory, &[command, "--paranoid", "leaks.js"]);
        assert_eq!(output.status.code(), Some(0), "{command}: {}", text(output.stderr));
        let shown = text(output.stdout);
        assert!(shown.contains("gone") && shown.contains("from a worker"), "{command}: {shown}");
    }
    assert_eq!(
        succeeds(&directory, &["simulate", "leaks.js"]),
        succeeds(&directory, &["simulate", "leaks.js"])
    );
}
