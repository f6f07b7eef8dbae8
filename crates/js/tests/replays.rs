//! Random programs, recorded in the live world and replayed: the traces agree byte for byte (rule GATE-2).
#![expect(
    clippy::disallowed_methods,
    reason = "tests have files, threads and an environment of their own"
)]

use crate::common::{options, with_stack};
use hemiola_gate::{Member, Stop};
use hemiola_js::{Ending, Entry as Program, Options};
use hemiola_live::{Files, Live};
use hemiola_machine::{Chooser, Event, First, Seeded};
use hemiola_trace::wire;
use hemiola_world::Secure;
use hemiola_world::recording::{
    self, Entry, Recorded, RecordedModules, Recorder, RecordingModules, Sums, Tape,
};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

const PROGRAMS: u64 = 500;

/// What every program begins with. An error or a failure is an observation like any other.
const PRELUDE: &str = "
    for (const name of ['fs', 'net', 'http', 'child_process', 'dgram', 'zlib']) {
        Object.defineProperty(globalThis, name, { get: () => require(name) });
    }
    const clock = (label) => require('hemiola:clock').clock(label);
    const sleep = (ms) => require('timers/promises').setTimeout(ms);
    let n = 0;
    const directory = process.cwd();
    const next = () => obs(`#${n++}`);
    const settled = (error, value) => obs(error ? error.code ?? error.message : value);
    process.on('uncaughtException', (error) => obs(`uncaught ${error.message}`));
    process.on('unhandledRejection', (error) => obs(`unhandled ${error}`));
    const serve = (answer, ask) => {
        const server = net.createServer((socket) => { socket.on('error', settled); answer(socket); });
        server.listen(0, '127.0.0.1', () => {
            const socket = net.connect(server.address().port, '127.0.0.1');
            socket.on('error', settled).on('data', (bytes) => obs(bytes.length)).on('close', () => server.close(next));
            ask(socket);
        });
    };
    const fetched = (answer, then) => {
        const server = http.createServer((request, response) => { obs(request.socket.remotePort); answer(request, response); });
        server.listen(0, '127.0.0.1', () => {
            http.get({ port: server.address().port, host: '127.0.0.1', agent: false }, (response) => {
                obs(response.headers.date); response.on('data', (bytes) => obs(String(bytes)));
                response.on('end', () => { server.close(); then(); });
            }).on('error', (error) => { settled(error); server.close(); });
        });
    };
";

/// Writes a program.
struct Author {
    chooser: Seeded,
    /// How many statements it may still write.
    left: usize,
    /// How many of them may be costly.
    costly: usize,
}

impl Author {
    fn program(seed: u64) -> String {
        let mut author = Self { chooser: Seeded::new(seed), left: 0, costly: 2 };
        author.left = 6 + author.below(30);
        let mut text = format!("{PRELUDE}next();\n");
        while author.left > 0 {
            let statement = author.statement(0);
            let _ = writeln!(text, "{statement}");
        }
        text
    }

    fn below(&mut self, count: usize) -> usize {
        self.chooser.choose(count)
    }

    fn body(&mut self, depth: usize) -> String {
        let count = if depth > 3 { 1 } else { 1 + self.below(3) };
        (0..count).map(|_| self.statement(depth + 1)).collect()
    }

    fn file(&mut self) -> String {
        format!("`${{directory}}/f{}`", self.below(3))
    }

    fn label(&mut self) -> &'static str {
        ["", "", ", 'A'", ", 'B'"][self.below(4)]
    }

    fn statement(&mut self, depth: usize) -> String {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 || depth > 4 {
            return "next();".into();
        }
        let kind = self.below(34);
        if kind >= 28 {
            if self.costly == 0 {
                return "next();".into();
            }
            self.costly -= 1;
        }
        let (ms, file) = (self.below(4), self.file());
        let label = self.label();
        match kind {
            0 | 1 => "next();".into(),
            2 => "obs(Math.random()); obs(crypto.randomUUID()); obs(require('crypto').randomBytes(3));".into(),
            3 => "obs(Date.now()); obs(performance.now()); obs(process.hrtime.bigint());".into(),
            4 => {
                "obs(currentTime('A')); obs(process.memoryUsage().heapUsed); obs(process.uptime());"
                    .into()
            }
            5..=8 => format!("setTimeout(() => {{ {} }}, {ms}{label});", self.body(depth)),
            9 => format!("setImmediate(() => {{ {} }});", self.body(depth)),
            10 => format!("process.nextTick(() => {{ {} }});", self.body(depth)),
            11 => format!("queueMicrotask(() => {{ {} }});", self.body(depth)),
            12 => {
                format!("Promise.resolve().then(() => {{ {} }}).finally(next);", self.body(depth))
            }
            13 | 14 => format!(
                "(async () => {{ await null; {} await sleep({ms}); {} }})();",
                self.body(depth),
                self.body(depth)
            ),
            15 => format!(
                "{{ let k = 0; setInterval(function () {{ next(); if (++k > {ms}) {{ clearInterval(this); {} }} }}, 1{label}); }}",
                self.body(depth)
            ),
            16 => format!(
                "clock('C').sleep({ms}).then(() => {{ obs(clock('C').now()); {} }});",
                self.body(depth)
            ),
            17 => format!(
                "fs.readFile({file}, 'utf8', (error, text) => {{ settled(error, text); {} }});",
                self.body(depth)
            ),
            18 => format!(
                "fs.writeFile({file}, String(Math.random()), (error) => {{ settled(error); {} }});",
                self.body(depth)
            ),
            19 => format!(
                "fs.promises.appendFile({file}, 'x').then(() => fs.promises.stat({file})).then(({{ size, mtimeMs, ino }}) => {{ obs([size, mtimeMs, ino]); {} }}, settled);",
                self.body(depth)
            ),
            20 => format!(
                "try {{ obs(fs.readFileSync({file}, 'utf8')); fs.unlinkSync({file}); }} catch (error) {{ settled(error); }}"
            ),
            21 => "obs(fs.readdirSync(directory).join()); fs.mkdtemp(`${directory}/d-`, settled);"
                .into(),
            22 => format!(
                "fs.rename({file}, `${{directory}}/f0`, settled); fs.access({file}, settled);"
            ),
            23 => format!("setTimeout(() => {{ throw new Error({ms}) }}, {ms}{label});"),
            24 => "Promise.reject(Math.random());".into(),
            25 => format!(
                "require('events').once(AbortSignal.timeout({ms}), 'abort').then(() => {{ {} }});",
                self.body(depth)
            ),
            26 => format!(
                "zlib.gzip('x'.repeat(999), (error, bytes) => {{ settled(error, bytes?.length); {} }});",
                self.body(depth)
            ),
            27 => format!(
                "fs.createReadStream({file}).on('error', settled).on('data', (bytes) => obs(bytes)).on('close', () => {{ {} }});",
                self.body(depth)
            ),
            28 => format!(
                "serve((socket) => {{ socket.pipe(socket); {} }}, (socket) => socket.end('hello'));",
                self.body(depth)
            ),
            29 => format!(
                "serve((socket) => socket.end('x'.repeat({}000)), (socket) => {{ {} }});",
                1 + ms * 40,
                self.body(depth)
            ),
            30 => format!(
                "fetched((request, response) => {{ response.end(String(Math.random())); {} }}, () => {{ {} }});",
                self.body(depth),
                self.body(depth)
            ),
            31 => format!(
                "fetched((request, response) => request.socket.destroy(), next); {}",
                self.body(depth)
            ),
            32 => format!(
                "child_process.execFile('sh', ['-c', 'echo $$; exit {ms}'], (error, out) => {{ obs(error?.code); obs(out); {} }});",
                self.body(depth)
            ),
            _ => format!(
                "{{ const socket = dgram.createSocket('udp4', (bytes, from) => {{ obs(from.port); socket.close(); {} }}); \
                 socket.bind(0, '127.0.0.1', () => socket.send('x', socket.address().port, '127.0.0.1')); }}",
                self.body(depth)
            ),
        }
    }
}

fn trace(events: &[Event]) -> String {
    let mut text = Vec::new();
    wire::write(&mut text, events).expect("memory takes any text");
    String::from_utf8(text).expect("a trace is text")
}

fn of(program: &str, directory: &Path, disk: Arc<dyn hemiola_gate::Disk>) -> Options {
    let entry = Program::Text { source: program.to_owned(), name: "[random]".into() };
    Options { cwd: directory.display().to_string(), disk, ..options(entry) }
}

/// Runs a program live; gives its trace, what it was told, and its exit code.
fn record(program: &str, directory: &Path) -> (String, Vec<Entry>, i32) {
    let entries = Arc::new(Mutex::new(Vec::new()));
    let shared = Arc::clone(&entries);
    let tape = Tape::new(Box::new(move |part, _| {
        shared.lock().expect("nobody fails").extend(part);
        true
    }));
    let disk = Arc::new(RecordingModules::new(Arc::new(Files), tape.clone()));
    let options = of(program, directory, disk);
    let live = Live::worker(options.stop.clone(), Member::alone()).expect("there is a world");
    let mut live = live.enter();
    let mut world = Recorder::new(Secure::new(&mut live), tape.clone());
    let mut events: Vec<Event> = Vec::new();
    let code = hemiola_js::run(options, Ending::Freed, &mut world, &mut First, &mut events);
    tape.flush();
    let entries = std::mem::take(&mut *entries.lock().expect("nobody fails"));
    (trace(&events), entries, code.expect("the engine starts"))
}

/// The same as it comes back from a disk.
fn written(entries: &[Entry]) -> Vec<Entry> {
    let mut text = Vec::new();
    recording::write(&mut text, entries, &mut Sums::default()).expect("memory takes any text");
    let text = String::from_utf8(text).expect("a recording is text");
    text.lines().flat_map(|line| recording::read(line).expect("it was written")).collect()
}

fn replay(program: &str, directory: &Path, entries: Vec<Entry>) -> (String, i32) {
    let stop = Stop::default();
    let mut world = Recorded::new(entries, stop.clone(), |_, _| Ok(()));
    let disk = Arc::new(RecordedModules::of(&world));
    let options = Options { stop, ..of(program, directory, disk) };
    let mut events: Vec<Event> = Vec::new();
    let code = hemiola_js::run(options, Ending::Freed, &mut world, &mut First, &mut events);
    if let Some(divergence) = world.divergence_at_end() {
        return (format!("{}{divergence}\n", trace(&events)), -1);
    }
    (trace(&events), code.expect("the engine starts"))
}

fn check(seed: u64, directory: &Path) {
    let _ = std::fs::remove_dir_all(directory);
    std::fs::create_dir_all(directory).expect("the directory can be made");
    std::fs::write(directory.join("f1"), "content").expect("a file can be written");
    let program = Author::program(seed);
    let (first, entries, code) = record(&program, directory);
    // Nothing of the outside is needed any more.
    std::fs::remove_dir_all(directory).expect("it is there");
    let again = replay(&program, directory, written(&entries));
    if again != (first.clone(), code) {
        let at = first.lines().zip(again.0.lines()).take_while(|(one, other)| one == other).count();
        let line = |text: &str| text.lines().nth(at).unwrap_or("the end").to_owned();
        panic!(
            "seed {seed}: the traces part at line {}\n  recorded: {}\n  replayed: {}\n{program}",
            at + 1,
            line(&first),
            line(&again.0)
        );
    }
    assert!(first.contains("observed"), "seed {seed} shows nothing:\n{first}\n{program}");
}

#[test]
fn random_programs_are_replayed_byte_by_byte() {
    let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("replays");
    let half = |from: u64| {
        let root = root.clone();
        std::thread::spawn(move || {
            with_stack(move || {
                for seed in (from..PROGRAMS).step_by(2) {
                    check(seed, &root.join(seed.to_string()));
                }
            });
        })
    };
    let halves = [half(0), half(1)];
    for half in halves {
        if let Err(panic) = half.join() {
            std::panic::resume_unwind(panic);
        }
    }
}
