//! The open world: for small programs every schedule is tried, and the outcomes are those that are
//! written down here (rules EXPL-1 and EXPL-2).

use crate::common::{options, with_stack};
use hemiola_js::{Ending, Entry};
use hemiola_live::SystemTree;
use hemiola_machine::{Chooser, First, Seeded, Silent, Stream};
use hemiola_world::{Access, Effect, Faults, Frozen, Location, Open, Overlay};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// Takes given alternatives, then the first, and notes how many there were.
#[derive(Default)]
struct Path {
    taken: Vec<(usize, usize)>,
    at: usize,
}

impl Chooser for Path {
    fn choose(&mut self, count: usize) -> usize {
        if self.at == self.taken.len() {
            self.taken.push((0, count));
        }
        let (taken, of) = self.taken[self.at];
        assert_eq!(of, count, "the same choices offer the same");
        self.at += 1;
        taken
    }
}

impl Path {
    /// The next path in the tree of all.
    fn next(mut self) -> Option<Self> {
        while let Some((taken, of)) = self.taken.pop() {
            if taken + 1 < of {
                self.taken.push((taken + 1, of));
                return Some(Self { taken: self.taken, at: 0 });
            }
        }
        None
    }
}

/// What the program prints, on one line, under every schedule; the default's first.
fn outcomes(source: &str, faults: Faults) -> (String, BTreeSet<String>, usize) {
    let mut path = Some(Path::default());
    let (mut default, mut all, mut count) = (None, BTreeSet::new(), 0);
    while let Some(mut chooser) = path.take() {
        let shown = run(source, faults, &mut chooser);
        default.get_or_insert(shown.clone());
        all.insert(shown);
        count += 1;
        assert!(count < 20_000, "too many schedules of {source}");
        path = chooser.next();
    }
    (default.expect("there is a default"), all, count)
}

fn run(source: &str, faults: Faults, chooser: &mut impl Chooser) -> String {
    let output = RefCell::new(String::new());
    let write = |_: Stream, bytes: &[u8]| {
        output.borrow_mut().push_str(&String::from_utf8_lossy(bytes));
        Ok(())
    };
    let files = Arc::new(Overlay::new(Arc::new(SystemTree::default())));
    let entry = Entry::Text { source: source.into(), name: "[eval]".into() };
    let mut options = options(entry);
    options.disk = Arc::clone(&files) as Arc<dyn hemiola_gate::Disk>;
    let mut world = Open::new(0, files, faults, write).member(options.member.clone());
    let code = hemiola_js::run(options, Ending::Freed, &mut world, chooser, &mut Silent);
    let code = code.expect("an engine starts");
    drop(world);
    let shown = output.into_inner();
    if code != 0 {
        // Of an error that nobody caught, its message.
        let message = shown.lines().find_map(|line| line.strip_prefix("Error: "));
        return message.unwrap_or("failed").trim_end_matches(" {").to_owned();
    }
    shown.replace('\n', " ").trim_end().to_owned()
}

/// Checks the outcomes of a program: the default first, then all others.
fn check(source: &'static str, expected: &'static [&'static str]) {
    with_stack(move || {
        let (default, all, count) = outcomes(source, Faults::NONE);
        println!("{count} schedules of {source}");
        assert_eq!(default, expected[0], "by default: {source}");
        let expected: BTreeSet<String> = expected.iter().map(|&one| one.to_owned()).collect();
        assert_eq!(all, expected, "{source}");
    });
}

#[test]
fn a_zero_timer_and_an_immediate_come_in_either_order() {
    check(
        "setTimeout(() => console.log('t'), 0); setImmediate(() => console.log('i'));",
        &["i t", "t i"],
    );
}

#[test]
fn timers_of_one_delay_keep_their_order() {
    check(
        "setTimeout(() => console.log('a'), 1); setTimeout(() => console.log('b'), 1);",
        &["a b"],
    );
}

#[test]
fn time_may_pass_between_two_statements() {
    check(
        "setTimeout(() => console.log('a'), 3); setTimeout(() => console.log('b'), 2);",
        &["b a", "a b"],
    );
    check(
        "setTimeout(() => console.log('a'), 50); setTimeout(() => console.log('b'), 40);",
        &["b a", "a b"],
    );
    check(
        "setTimeout(() => console.log('a'), 2); setTimeout(() => console.log('b'), 3);",
        &["a b"],
    );
}

#[test]
fn operations_are_answered_in_any_order_and_outlast_timers() {
    check(
        "const fs = require('fs');
         fs.stat('/', () => console.log('a')); fs.stat('/', () => console.log('b'));",
        &["a b", "b a"],
    );
    check(
        "require('fs').stat('/', () => console.log('io')); setTimeout(() => console.log('t'), 1000);",
        &["io t", "t io"],
    );
}

#[test]
fn an_operation_takes_effect_when_it_is_answered() {
    check(
        "const fs = require('fs');
         fs.writeFile('/tmp/hemiola-open', 'x', () => {});
         setTimeout(() => console.log(fs.existsSync('/tmp/hemiola-open')), 5);",
        &["true", "false"],
    );
}

#[test]
fn what_nobody_waits_for_does_not_come() {
    check("setTimeout(() => console.log('no'), 5).unref(); console.log('end');", &["end"]);
    check(
        "setTimeout(() => console.log('u'), 5).unref(); setTimeout(() => console.log('t'), 9);",
        &["u t"],
    );
}

#[test]
fn a_program_that_looks_again_and_again_is_served() {
    with_stack(|| {
        let source = "let done = false; require('fs').stat('/', () => { done = true; });
            (function look() { if (!done) setImmediate(look); else console.log('done'); })();";
        assert_eq!(run(source, Faults::NONE, &mut Path::default()), "done");
        let source = "let done = false; setTimeout(() => { done = true; }, 50);
            (function look() { if (!done) setImmediate(look); else console.log('done'); })();";
        assert_eq!(run(source, Faults::NONE, &mut Path::default()), "done");
    });
}

#[test]
fn labelled_clocks_keep_their_promises() {
    check(
        "for (const [label, name] of [['A', 'a'], ['B', 'b']]) {
           let n = 0;
           const timer = setInterval(() => { console.log(name); if (++n === 2) clearInterval(timer); }, 10, label);
         }",
        &["a b a b"],
    );
    check(
        "setTimeout(() => console.log('u'), 12); setTimeout(() => console.log('l'), 10, 'A');",
        &["l u", "u l"],
    );
}

#[test]
fn a_server_without_clients_ends() {
    check(
        "require('net').createServer().listen(0, () => console.log('listening'));
         process.on('exit', () => console.log('end'));",
        &["listening end"],
    );
}

#[test]
fn both_ends_of_a_connection_hear_of_it_in_either_order() {
    check(
        "const net = require('net');
         const server = net.createServer((socket) => { console.log('in'); socket.end(); server.close(); });
         server.listen(0, () => {
           net.connect(server.address().port, '127.0.0.1', () => console.log('out')).resume();
         });",
        &["in out", "out in"],
    );
}

#[test]
fn bytes_come_in_order_and_in_pieces() {
    check(
        "const net = require('net');
         const server = net.createServer((socket) => {
           server.close();
           socket.on('data', (bytes) => console.log(String(bytes)));
         });
         server.listen(0, () => {
           const socket = net.connect(server.address().port, '127.0.0.1', () => {
             socket.write('a');
             setTimeout(() => socket.end('b'), 5);
           });
         });",
        &["a b", "ab"],
    );
}

#[test]
fn datagrams_wait_to_be_read() {
    check(
        "const { createSocket } = require('dgram');
         const [one, two] = [createSocket('udp4'), createSocket('udp4')];
         let left = 2;
         const heard = (name) => () => { console.log(name); if (--left === 0) { one.close(); two.close(); } };
         one.on('message', heard('1')); two.on('message', heard('2'));
         one.bind(0, '127.0.0.1', () => two.bind(0, '127.0.0.1', () => {
           two.send('x', one.address().port, '127.0.0.1'); one.send('y', two.address().port, '127.0.0.1');
         }));",
        &["1 2", "2 1"],
    );
}

/// The outcomes of programs with more schedules than can be tried: of the default, and of some seeds.
fn sample(source: &'static str, expected: &'static [&'static str]) {
    with_stack(move || {
        assert_eq!(run(source, Faults::NONE, &mut First), expected[0], "by default: {source}");
        let seen: BTreeSet<String> =
            (0..40).map(|seed| run(source, Faults::NONE, &mut Seeded::new(seed))).collect();
        let expected: BTreeSet<String> = expected.iter().map(|&one| one.to_owned()).collect();
        assert_eq!(seen, expected, "{source}");
    });
}

#[test]
fn responses_come_in_either_order() {
    sample(
        "const http = require('http');
         let left = 2;
         const server = http.createServer((request, response) => response.end(request.url));
         server.listen(0, () => {
           for (const path of ['/a', '/b']) {
             http.get({ port: server.address().port, host: '127.0.0.1', path, agent: false }, (response) => {
               console.log(path);
               response.resume().on('end', () => { if (--left === 0) server.close(); });
             });
           }
         });",
        &["/a /b", "/b /a"],
    );
}

#[test]
fn guards_of_the_library_win_no_race() {
    check(
        "require('http').createServer().listen(0, () => console.log('listening'));
         process.on('exit', () => console.log('end'));",
        &["listening end"],
    );
    // A connection that is kept alive is closed by the guard when nothing else can happen.
    sample(
        "const http = require('http');
         const server = http.createServer((request, response) => response.end('x'));
         const agent = new http.Agent({ keepAlive: true });
         server.on('connection', (socket) => socket.on('close', () => { console.log('closed'); server.close(); }));
         server.listen(0, () => {
           http.get({ port: server.address().port, host: '127.0.0.1', agent }, (response) => response.resume());
         });",
        &["closed"],
    );
}

#[test]
fn timeouts_that_the_program_asked_for_race() {
    check(
        "const signal = AbortSignal.timeout(100);
         signal.onabort = () => console.log('late');
         require('fs').stat('/', () => { console.log('done'); });",
        &["done", "late done"],
    );
    check(
        "scheduler.postTask(() => console.log('task'), { delay: 10 });
         setTimeout(() => console.log('timer'), 5);",
        &["timer task", "task timer"],
    );
    sample(
        "const { initialize, trigger } = require('hemiola:scheduler');
         const run = ({ signal }) => new Promise(() => {
           require('fs').stat('/', () => { console.log(signal.aborted ? 'late' : 'done'); process.exit(); });
         });
         initialize([{ id: 'a', cron: '0 0 1 1 *', timeout: 100, run }], { log: false }).then(() => trigger('a'));",
        &["done", "late"],
    );
}

#[test]
fn a_file_is_emptied_before_it_is_written() {
    check(
        "const fs = require('fs');
         fs.writeFileSync('/tmp/hemiola-open', 'old');
         fs.writeFile('/tmp/hemiola-open', 'new', () => {});
         fs.readFile('/tmp/hemiola-open', 'utf8', (error, text) => console.log(`<${text}>`));",
        &["<new>", "<old>", "<>"],
    );
}

#[test]
fn changes_of_watched_files_are_heard_of_later() {
    check(
        "const fs = require('fs');
         fs.writeFileSync('/tmp/hemiola-open', 'old');
         const watcher = fs.watch('/tmp/hemiola-open', () => { console.log('heard'); watcher.close(); });
         fs.writeFileSync('/tmp/hemiola-open', 'new');
         setTimeout(() => console.log('t'), 10);",
        &["heard t", "t heard"],
    );
}

#[test]
fn what_cannot_be_explored_is_refused_with_the_reason() {
    with_stack(|| {
        let shown = |source| run(source, Faults::NONE, &mut First);
        assert_eq!(
            shown(
                "try { new (require('worker_threads').Worker)('1', { eval: true }).on('error', (error) => \
                 console.log(error.message)); } catch (error) { console.log(error.message); }"
            ),
            "workers cannot be explored: run this program with hemiola simulate"
        );
        assert_eq!(
            shown(
                "try { require('child_process').spawn('true'); } catch (error) { console.log(error.message); }"
            ),
            "children cannot be explored: run this program with hemiola simulate"
        );
    });
}

#[test]
fn standard_input_is_there_when_it_is_asked_for() {
    check(
        "process.stdin.on('end', () => console.log('end')).resume(); setTimeout(() => console.log('t'), 5);",
        &["end t", "t end"],
    );
}

#[test]
fn messages_within_the_program_take_their_time() {
    check(
        "const [a, b] = [new BroadcastChannel('x'), new BroadcastChannel('x')];
         b.onmessage = () => { console.log('heard'); a.close(); b.close(); };
         a.postMessage(1);
         setTimeout(() => console.log('t'), 5);",
        &["heard t", "t heard"],
    );
}

/// What the operations of a program touch by default, one line for each effect.
fn effects(source: &str) -> Vec<String> {
    let files = Arc::new(Overlay::new(Arc::new(SystemTree::default())));
    let seen = Rc::new(RefCell::new(Vec::new()));
    let log = Rc::clone(&seen);
    let tap = move |effect: Effect| {
        let touch = |(location, access): &(Location, Access)| {
            format!("{} {location}", if *access == Access::Read { "r" } else { "w" })
        };
        let touches: Vec<String> = effect.touches.iter().map(touch).collect();
        let by = effect.operation.map_or("-".into(), |operation| operation.0.to_string());
        log.borrow_mut().push(format!("{by}: {}", touches.join(", ")));
    };
    let mut options = options(Entry::Text { source: source.into(), name: "[eval]".into() });
    options.disk = Arc::clone(&files) as Arc<dyn hemiola_gate::Disk>;
    let mut world = Open::new(0, files, Faults::NONE, |_, _| Ok(())).effects(tap);
    hemiola_js::run(options, Ending::Freed, &mut world, &mut First, &mut Silent).expect("it runs");
    drop(world);
    Rc::into_inner(seen).expect("nobody else listens").into_inner()
}

#[test]
fn effects_say_what_was_touched() {
    with_stack(|| {
        let shown = effects(
            "const fs = require('fs');
             fs.mkdirSync('/tmp/hemiola-open');
             fs.writeFile('/tmp/hemiola-open/a', 'x', () => {
               fs.stat('/tmp/hemiola-open/b', () => {
                 fs.rename('/tmp/hemiola-open/a', '/tmp/hemiola-open/b', () => {
                   fs.readFile('/tmp/hemiola-open/b', () => fs.readdir('/tmp/hemiola-open', () => {}));
                 });
               });
             });",
        );
        let directory = "r file /tmp/hemiola-open, r file /tmp";
        let (a, b) = ("file /tmp/hemiola-open/a", "file /tmp/hemiola-open/b");
        let entries = "entries of /tmp/hemiola-open";
        let expected = [
            "-: r file /tmp, r file /tmp/hemiola-open, w file /tmp/hemiola-open, w entries of /tmp"
                .to_owned(),
            format!("1: {directory}, r {a}, w {a}, w {entries}"),
            format!("1: w position of descriptor 3, w {a}"),
            // The trip that closes it.
            "1: ".to_owned(),
            format!("2: {directory}, r {b}"),
            format!(
                "3: w {a}, {directory}, r {a}, w {a}, w {entries}, {directory}, r {b}, w {b}, w {entries}"
            ),
            format!("4: {directory}, r {b}, r {a}"),
            format!("4: r {a}, w position of descriptor 3, r {a}"),
            "4: ".to_owned(),
            format!("5: r file /tmp, r file /tmp/hemiola-open, r {entries}"),
        ];
        assert_eq!(shown, expected);

        let shown = effects(
            "const net = require('net');
             const server = net.createServer((socket) => { socket.end('hi'); server.close(); });
             server.listen(4000, '127.0.0.1', () => net.connect(4000, '127.0.0.1').resume());",
        );
        let expected = [
            "-: w listener at port 4000",
            "-: r listener at port 4000, w connections to port 4000",
            "1: w connections to port 4000",
            "-: r bytes for connection 3, w bytes for connection 2",
            "-: r bytes for connection 3, w bytes for connection 2",
        ];
        assert_eq!(shown[..5], expected);
    });
}

#[test]
fn links_and_open_files_are_the_files_that_they_stand_for() {
    with_stack(|| {
        let shown = effects(
            "const fs = require('fs');
             fs.writeFileSync('/tmp/hemiola-open', 'x');
             fs.symlinkSync('/tmp/hemiola-open', '/tmp/hemiola-link');
             const fd = fs.openSync('/tmp/hemiola-link', 'r+');
             fs.unlinkSync('/tmp/hemiola-open');
             fs.writeSync(fd, 'y', 0);",
        );
        let (open, link) = ("file /tmp/hemiola-open", "file /tmp/hemiola-link");
        assert_eq!(
            shown[2..],
            [
                format!("-: r file /tmp, r {link}, r {open}"),
                format!("-: w {open}, r file /tmp, r {open}, w {open}, w entries of /tmp"),
                format!("-: w {open}"),
            ]
        );
    });
}

/// Checks the outcomes of a program with faults.
fn check_faults(faults: Faults, source: &'static str, expected: &'static [&'static str]) {
    with_stack(move || {
        let (default, all, _) = outcomes(source, faults);
        assert_eq!(default, expected[0], "by default: {source}");
        let expected: BTreeSet<String> = expected.iter().map(|&one| one.to_owned()).collect();
        assert_eq!(all, expected, "{source}");
    });
}

const FS: Faults = Faults { fs: true, net: false };
const NET: Faults = Faults { fs: false, net: true };

#[test]
fn every_fault_of_a_file_is_an_alternative() {
    check_faults(
        FS,
        "require('fs').readFile('/dev/null', (error, text) => console.log(error ? error.message : 'read'));",
        &[
            "read",
            "ENOENT: no such file or directory, open '/dev/null'",
            "EACCES: permission denied, open '/dev/null'",
            "EMFILE: too many open files, open '/dev/null'",
            "EIO: i/o error, fstat",
            "EIO: i/o error, read",
        ],
    );
    // Also where the program does not wait, and where less is done than was asked for.
    check_faults(
        FS,
        "const fs = require('fs');
         const fd = fs.openSync('/tmp/hemiola-open', 'w+');
         let shown;
         try { shown = fs.writeSync(fd, 'abcd'); } catch (error) { shown = error.code; }
         console.log(shown);",
        &[
            "4",
            "2",
            "ENOSPC",
            "EIO",
            "ENOSPC: no space left on device, open '/tmp/hemiola-open'",
            "EACCES: permission denied, open '/tmp/hemiola-open'",
            "EMFILE: too many open files, open '/tmp/hemiola-open'",
        ],
    );
    check_faults(
        FS,
        "const fs = require('fs');
         fs.rename('/tmp/hemiola-a', '/tmp/hemiola-b', (error) => console.log(error.message));",
        &[
            "ENOENT: no such file or directory, rename '/tmp/hemiola-a' -> '/tmp/hemiola-b'",
            "EACCES: permission denied, rename '/tmp/hemiola-a' -> '/tmp/hemiola-b'",
            "ENOSPC: no space left on device, rename '/tmp/hemiola-a' -> '/tmp/hemiola-b'",
            "EIO: i/o error, rename '/tmp/hemiola-a' -> '/tmp/hemiola-b'",
        ],
    );
}

#[test]
fn every_fault_of_a_connection_is_an_alternative() {
    check_faults(
        NET,
        "require('dns').lookup('localhost', (error) => console.log(error ? error.message : 'found'));",
        &["found", "getaddrinfo ENOTFOUND localhost", "getaddrinfo EAI_AGAIN localhost"],
    );
    check_faults(
        NET,
        "const net = require('net');
         const server = net.createServer((socket) => {
           server.close();
           socket.on('error', () => {}).end('x');
         });
         server.listen(4000, '127.0.0.1', () => {
           let text = '';
           const client = net.connect(4000, '127.0.0.1');
           client.on('data', (bytes) => { text += bytes; });
           client.on('error', (error) => { text += ' ' + error.message; });
           client.on('close', () => console.log(text));
         });",
        &[
            "x",
            " connect ECONNREFUSED 127.0.0.1:4000",
            " connect ETIMEDOUT 127.0.0.1:4000",
            " read ECONNRESET",
            "x read ECONNRESET",
        ],
    );
    check_faults(
        NET,
        "const socket = require('dgram').createSocket('udp4');
         socket.on('message', (bytes) => { console.log('heard'); socket.close(); });
         socket.bind(4000, '127.0.0.1', () => socket.send('x', 4000, '127.0.0.1'));
         process.on('exit', () => console.log('end'));",
        &["heard end", "end"],
    );
}

#[test]
fn all_runs_see_the_disk_as_it_was() {
    use hemiola_gate::files::{Tree, perform};
    use hemiola_gate::{Aside, Datum, FilePath, FileRef, FsCall, Trailing};
    let disk = Arc::new(Overlay::new(Arc::new(SystemTree::default())));
    let at = |path: &str| FilePath::from(std::path::Path::new(path));
    let file = || FileRef::Path(at("/tmp/hemiola-frozen"));
    let write = |text: &str| {
        let (flags, mode, bytes) = (0o1101, 0o644, text.into());
        let for_promise = Aside::default();
        let call =
            FsCall::WriteFile { file: file(), flags, mode, bytes, flush: false, for_promise };
        perform(&*disk, &call).expect("it is written");
    };
    write("before");
    let frozen = Arc::new(Frozen::new(Arc::clone(&disk) as _));
    let run = || Overlay::new(Arc::clone(&frozen) as _);
    let read =
        |tree: &dyn Tree| perform(tree, &FsCall::ReadFile { file: file(), flags: Trailing(None) });
    let list = |tree: &dyn Tree| perform(tree, &FsCall::Scandir { path: at("/tmp") });
    assert_eq!(read(&run()), Ok(Datum::Bytes(b"before".to_vec())));
    let listed = list(&run());
    write("and after");
    let made = FsCall::Mkdir { path: at("/tmp/hemiola-frozen-too"), mode: 0 };
    perform(&*disk, &made).expect("it is made");
    assert_eq!(read(&run()), Ok(Datum::Bytes(b"before".to_vec())));
    assert_eq!(list(&run()), listed);
    // What a run changes is its own.
    let one = run();
    let removed = FsCall::Unlink { path: at("/tmp/hemiola-frozen") };
    perform(&one, &removed).expect("it is removed");
    assert!(read(&one).is_err());
    assert!(read(&run()).is_ok());
}
