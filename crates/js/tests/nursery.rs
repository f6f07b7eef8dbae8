//! An engine that is put back is a new engine: whatever programs ran in it before, the next one cannot
//! tell. Outputs, exit codes and whole traces are compared with those of engines that nobody has used.
#![expect(clippy::disallowed_methods, reason = "the test reads programs")]

use crate::common::{options, with_stack};
use hemiola_gate::{Reason, Stop};
use hemiola_js::{Ending, Entry, JavaScript, Nursery, Options};
use hemiola_live::SystemTree;
use hemiola_machine::{Delay, Event, First, Stream, World};
use hemiola_world::{Frozen, Overlay, Virtual};
use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What is seen of a run.
#[derive(Debug, PartialEq)]
struct Seen {
    code: Option<i32>,
    output: String,
    events: Vec<Event>,
}

fn see(
    options: Options,
    run: impl FnOnce(Options, &mut dyn FnMut(Stream, &[u8]), Arc<Overlay>) -> (Option<i32>, Vec<Event>),
) -> Seen {
    see_on(Overlay::new(Arc::new(SystemTree::default())), options, run)
}

fn see_on(
    files: Overlay,
    options: Options,
    run: impl FnOnce(Options, &mut dyn FnMut(Stream, &[u8]), Arc<Overlay>) -> (Option<i32>, Vec<Event>),
) -> Seen {
    let output = RefCell::new(Vec::new());
    let files = Arc::new(files);
    let options = Options { disk: files.clone(), ..options };
    let mut write = |_: Stream, bytes: &[u8]| output.borrow_mut().extend_from_slice(bytes);
    let (code, events) = run(options, &mut write, files);
    let output = String::from_utf8_lossy(&output.borrow()).into_owned();
    Seen { code, output, events }
}

fn world(
    write: &mut dyn FnMut(Stream, &[u8]),
    files: Arc<Overlay>,
) -> impl World<JavaScript> + use<'_> {
    let write = move |stream, bytes: &[u8]| {
        write(stream, bytes);
        Ok(())
    };
    Virtual::new(7, files, write).until(Delay::from_millis(10_000))
}

fn fresh(options: Options) -> Seen {
    see(options, |options, write, files| {
        let mut events = Vec::new();
        let mut world = world(write, files);
        let code = hemiola_js::run(options, Ending::Freed, &mut world, &mut First, &mut events);
        (code.ok(), events)
    })
}

fn again(nursery: &mut Nursery, options: Options) -> Seen {
    again_on(Overlay::new(Arc::new(SystemTree::default())), nursery, options)
}

fn again_on(files: Overlay, nursery: &mut Nursery, options: Options) -> Seen {
    see_on(files, options, |options, write, files| {
        let mut events = Vec::new();
        let mut world = world(write, files);
        let code = nursery.run(options, &mut world, &mut First, &mut events);
        (code.ok(), events)
    })
}

fn text(source: &str) -> Options {
    options(Entry::Text { source: source.into(), name: "[eval]".into() })
}

fn programs(folders: &[&str]) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for folder in folders {
        for entry in fs::read_dir(root.join(folder)).expect("the programs are there") {
            let path = entry.expect("the folder can be read").path();
            if path.extension().is_some_and(|end| end == "js" || end == "mjs") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// Programs that leave as much behind as they can.
const POLLUTERS: &[&str] = &[
    "globalThis.leak = 1; Object.prototype.leak = 2; Array.prototype.push = function () { return 'gone'; };
     delete globalThis.Promise; delete globalThis.setTimeout; process.exitCode = 9; console.log = () => {};",
    "require('fs').readFile = null; require('module')._cache = null; Date.now = () => 0; Math.random = () => 4;
     Function.prototype.call = null; Object.freeze(globalThis); process.env.HEMIOLA_LEAK = 'x'; process.argv.push('y');",
    "for (const key of Reflect.ownKeys(globalThis)) { try { delete globalThis[key]; } catch {} }",
    "const b = require('buffer').Buffer.from('abc'); const c = b.buffer.transfer ? b.buffer.transfer() : 0;
     globalThis.kept = [c, new SharedArrayBuffer(100), new Uint8Array(3e6)]; throw new Error('thrown');",
    "const zlib = require('zlib'); const h = require('crypto').createHash('sha256'); h.update('x');
     globalThis.z = zlib.createGzip(); z.write('hello'); const d = require('fs').readFileSync('/dev/null');
     setInterval(() => {}, 10, 'A', d); setTimeout(() => process.exit(3), 25, 'A', 1, 2, 3); z.on('data', () => {});",
    "const big = []; for (let i = 0; i < 3e5; ++i) big.push({ i }); globalThis.big = big; Promise.reject(new Error('no'));",
    "const cycle = {}; cycle.self = [cycle, () => cycle]; globalThis.gc?.(); let s = ''; for (let i = 0; i < 2e5; ++i) { const o = {}; o.o = o; s += i; }
     console.log(s.length);",
    "function f(n) { return f(n + 1) + 1; } try { f(0); } catch (e) { console.log(e.message); } f(0);",
    "const { AsyncLocalStorage } = require('async_hooks'); const a = new AsyncLocalStorage();
     a.run({ x: 1 }, async () => { setTimeout(() => {}, 5, 'A'); await null; setTimeout(() => process.exit(0), 10, 'A'); });",
    "import fs from 'fs'; export let x = 1; console.log(import.meta.url, Object.keys(fs).length); await new Promise(() => {});",
    "import { nope } from 'fs';",
    "process.on('exit', (code) => console.log('exit', code)); process.on('uncaughtException', (e) => console.log(e.message)); throw 1;",
    "const http = require('http'); http.createServer((q, r) => r.end('hello ' + q.url)).listen(0, function () {
       http.get({ port: this.address().port, path: '/x' }, (r) => { r.on('data', (d) => console.log(String(d))); r.on('end', () => this.close()); }); });",
    "new FinalizationRegistry(() => {}).register({}, 1); structuredClone(new Map([[1, new Uint8Array(8)]])); console.log(new Date(), Math.random());",
    "require('fs').writeFileSync('/tmp/hemiola-nursery.txt', 'x'); console.log(require('fs').readFileSync('/tmp/hemiola-nursery.txt', 'utf8'));
     console.log(performance.now(), process.memoryUsage().rss, process.hrtime());",
    "console.log(require('fs').existsSync('/tmp/hemiola-nursery.txt'), globalThis.leak, ({}).leak, [].push(1), process.exitCode, process.argv.length);
     console.log(Object.getOwnPropertyNames(globalThis).join(), typeof Promise, typeof setTimeout, process.env.HEMIOLA_LEAK);",
    "eval('function ( {');",
];

/// Where exactly a program runs out of memory may differ: blocks are of other sizes.
const TOO_LARGE: &str =
    "const a = []; for (;;) a.push({ x: [1, 2, 3], s: 'x'.repeat(100) + a.length });";

#[test]
fn a_program_cannot_tell_what_ran_before() {
    with_stack(|| {
        let limited = |source: &str| Options { memory_limit: 64 << 20, ..text(source) };
        let expected: Vec<Seen> = POLLUTERS.iter().map(|source| fresh(limited(source))).collect();
        let mut nursery = Nursery::new();
        // Each after each, in a mixed order.
        for round in 0..4 {
            for at in 0..POLLUTERS.len() {
                let at = (at * (2 * round + 1)) % POLLUTERS.len();
                let seen = again(&mut nursery, limited(POLLUTERS[at]));
                assert_eq!(seen, expected[at], "round {round}: {}", POLLUTERS[at]);
            }
            assert_eq!(again(&mut nursery, limited(TOO_LARGE)).code, Some(134));
        }
        assert!(nursery.sizes().is_some(), "engines are put back here");
    });
}

#[test]
fn files_of_the_suites_do_the_same_in_one_engine() {
    with_stack(|| {
        let files = programs(&[
            "js/tests/time",
            "js/tests/timers",
            "js/tests/async",
            "js/tests/event_loop",
            "cli/tests/files",
            "cli/tests/http",
            "cli/tests/datagrams",
            "cli/tests/zlib",
            "cli/tests/web",
            "cli/tests/keys",
        ]);
        assert!(files.len() > 200);
        let mut nursery = Nursery::new();
        for file in files {
            let busy = fs::read_to_string(&file).expect("a program can be read");
            // Time does not pass while a program waits for it in a loop.
            if ["now() <", "now() -", "spend"].iter().any(|word| busy.contains(word)) {
                continue;
            }
            let entry = || options(Entry::File(file.to_string_lossy().into_owned()));
            assert_eq!(again(&mut nursery, entry()), fresh(entry()), "{}", file.display());
        }
    });
}

/// Files of programs: the first of each is the main one. What comes again begins at its first line.
const TREES: &[&[(&str, &str)]] = &[
    &[
        ("a.js", "const b = require('./b'); console.log(b.n, module.id, module.loaded, require.main === module,
          module.paths.length, Object.keys(require.cache).length, module.children.length, __filename.slice(-4));
          setTimeout(() => console.log(module.loaded, new Error('x').stack.split('\\n').length), 5);"),
        ("b.js", "exports.n = 1; exports.parent = module.parent.id;"),
    ],
    // Files that are not any more what they were when the program was read.
    &[
        ("a.js", "const fs = require('fs'); console.log(require('./b')); fs.writeFileSync(__dirname + '/b.js', 'module.exports = 2');
          delete require.cache[require.resolve('./b')]; console.log(require('./b'));
          fs.writeFileSync(__filename, 'console.log(\"another\")'); delete require.cache[__filename]; require(__filename);
          fs.unlinkSync(__dirname + '/b.js'); delete require.cache[__dirname + '/b.js'];
          try { require('./b'); } catch (e) { console.log(e.code); }
          fs.writeFileSync(__dirname + '/c.json', '[1]'); console.log(require('./c'), fs.statSync(__dirname + '/c.json').ino);"),
        ("b.js", "module.exports = 1;"),
    ],
    &[
        ("a.mjs", "import { n } from './b.mjs'; import fs from 'fs'; console.log(n, import.meta.url.slice(-5), this);
          await null; console.log(fs.existsSync('/'));"),
        ("b.mjs", "export const n = 1;"),
    ],
    // Modules whose bytecode is kept, and one that has what bytecode does not.
    &[
        ("a.mjs", "import { again, n, others, place } from './b.mjs'; import data from './d.json' with { type: 'json' };
          import * as all from './b.mjs'; const tag = (parts) => parts.raw[0] + Object.isFrozen(parts);
          class A { #x = 2n; get x() { return this.#x; } static { A.y = /\\d+/y; } }
          console.log(n, others(), again === all.again, Object.keys(all), data.x, new A().x, A.y.source, tag`a\\n`);
          console.log(tag.toString(), place(), import.meta.resolve('./b.mjs').slice(-5));
          await import('./b.mjs').then((found) => console.log(found === all)); export const own = () => n;"),
        ("b.mjs", "import { own } from './a.mjs'; export * from './c.mjs'; export { default as again } from './c.mjs';
          export const n = 1; export const others = () => own();
          export const place = () => new Error('x').stack.split('\\n')[1].slice(-11);"),
        ("c.mjs", "await null; export default class C {} export const c = 3;"),
        ("d.json", "{\"x\": 1}"),
    ],
    // What other forms give among ES modules is read when their turn comes, also if they change each other.
    &[
        ("a.mjs", "import './first.cjs'; import fs, { existsSync, readFileSync, promises } from 'fs'; import own, { n } from './second.cjs';
          import data from './d.json' with { type: 'json' }; import { createRequire } from 'module';
          console.log(existsSync('/'), fs.existsSync('/'), readFileSync(), promises === fs.promises, n, own.n, data.x);
          const require = createRequire(import.meta.url); console.log(require('./d.json') === data, require('./second.cjs') === own);
          data.x = 2; console.log(require('./d.json').x, (await import('./third.mjs')).n);"),
        ("first.cjs", "const fs = require('fs'); fs.existsSync = () => 'changed'; Object.defineProperty(fs, 'readFileSync', { get() { return () => 'got'; } });
          fs.writeFileSync(__dirname + '/second.cjs', 'exports.n = 7'); fs.writeFileSync(__dirname + '/third.mjs', 'export const n = 8');"),
        ("second.cjs", "exports.n = 1;"),
        ("third.mjs", "export const n = 3;"),
        ("d.json", "{\"x\": 1}"),
    ],
    // A text that is read with the others, though nothing imports it yet.
    &[
        ("a.mjs", "// import { n } from './b.mjs'
          import fs from 'fs'; fs.writeFileSync(new URL('./b.mjs', import.meta.url), 'export const n = 2'); console.log((await import('./b.mjs')).n);"),
        ("b.mjs", "export const n = 1;"),
    ],
    // Modules that wait for others, that are imported later, and that fail.
    &[
        ("a.mjs", "import './b.mjs'; console.log((await import('./b.mjs')).n, (await import('./c.mjs')).n); await import('./bad.mjs').catch((e) => console.log(e.message));
          await import('./none.mjs').catch((e) => console.log(e.code)); await import('./linked.mjs').catch((e) => console.log(e.message)); throw new Error('late');"),
        ("b.mjs", "export { n } from './c.mjs';"),
        ("c.mjs", "await null; export const n = 1;"),
        ("bad.mjs", "const x = ;"),
        ("linked.mjs", "import { none } from './b.mjs';"),
    ],
    &[("a.mjs", "import './b.mjs'; console.log(1);"), ("b.mjs", "import './none.mjs';")],
    &[("a.mjs", "import { none } from './b.mjs'; console.log(1);"), ("b.mjs", "console.log(2); export {};")],
    &[("a.mjs", "import './b.mjs'; console.log(1);"), ("b.mjs", "let x = ;")],
    &[("a.mjs", "import { n } from './b.mjs'; console.log(n);"), ("b.mjs", "export const n = 1; throw new Error('at once');")],
    // An ES module by its syntax, and by its package.
    &[("a.js", "import fs from 'fs'; console.log(typeof require, typeof fs.stat); await 1; throw new Error('late');")],
    &[
        ("a.js", "console.log(typeof module, typeof require); export {};"),
        ("package.json", "{\"type\": \"module\"}"),
    ],
    &[("a.ts", "const x: number = 1; async function f(): Promise<void> { await null; console.log(x, f.toString()); } f();")],
    &[("a.json", "{\"x\": 1}")],
    &[("a.js", "const x = ;")],
    &[("a.js", "console.log(1); throw new Error('at once');")],
    &[("a.js", "console.log(await 1);")],
    &[("a.js", "process.on('exit', () => console.log(process.mainModule === module)); Module = require('module');
          Module.prototype._compile = null; Module._extensions['.js'] = null; console.log(Object.keys(Module._cache).length);")],
    &[("a", "console.log(__filename.length > 3, module.exports === this)")],
];

#[test]
fn a_program_that_comes_again_is_read_once_and_does_the_same() {
    let root = std::env::temp_dir().join(format!("hemiola-trees-{}", std::process::id()));
    with_stack(move || {
        for (number, tree) in TREES.iter().enumerate() {
            let folder = root.join(number.to_string());
            fs::create_dir_all(&folder).expect("a folder can be made");
            for (name, source) in *tree {
                fs::write(folder.join(name), source).expect("a file can be written");
            }
            let main = folder.join(tree[0].0).to_string_lossy().into_owned();
            let entry = || options(Entry::File(main.clone()));
            let expected = fresh(entry());
            let frozen = || Arc::new(Frozen::new(Arc::new(SystemTree::default())));
            let (disk, mut nursery) = (frozen(), Nursery::new());
            for run in 0..4 {
                let seen = again_on(Overlay::over(&disk), &mut nursery, entry());
                assert_eq!(seen, expected, "{run}: {tree:?}");
            }
            // Another text in the same place, for those who look at the disk anew.
            fs::write(&main, "console.log(7)").expect("a file can be written");
            let seen = again_on(Overlay::over(&disk), &mut nursery, entry());
            assert_eq!(seen, expected, "{tree:?}");
            let seen = again_on(Overlay::over(&frozen()), &mut nursery, entry());
            assert_eq!(seen, fresh(entry()), "{tree:?}");
            assert!(nursery.sizes().is_some(), "engines are put back here");
        }
        fs::remove_dir_all(&root).expect("the folder can be removed");
    });
}

#[test]
fn a_run_that_is_stopped_leaves_nothing_behind() {
    with_stack(|| {
        let mut nursery = Nursery::new();
        for _ in 0..3 {
            let stop = Stop::default();
            let stopped = Options { stop: stop.clone(), ..text("console.log('now'); for (;;) {}") };
            let mut world = world_that_stops(stop);
            let code = nursery.run(stopped, &mut world, &mut First, &mut Vec::new());
            assert_eq!(code.ok(), Some(124));
            let plain = || text("console.log('hello'); setTimeout(console.log, 5, 'bye')");
            assert_eq!(again(&mut nursery, plain()), fresh(plain()));
        }
    });
}

/// Asks the program to stop as soon as it says something.
fn world_that_stops(stop: Stop) -> impl World<JavaScript> {
    let files = Arc::new(Overlay::new(Arc::new(SystemTree::default())));
    Virtual::new(7, files, move |_, _: &[u8]| {
        stop.ask(Reason::TimedOut);
        Ok(())
    })
}

#[test]
fn threads_have_nurseries_of_their_own() {
    let threads: Vec<_> = (0..4)
        .map(|_| {
            std::thread::Builder::new().stack_size(32 << 20).spawn(|| {
                let source = "require('fs').readFile('/dev/null', (e, d) => console.log(d))";
                let expected = fresh(text(source));
                let mut nursery = Nursery::new();
                for _ in 0..20 {
                    assert_eq!(again(&mut nursery, text(source)), expected);
                }
            })
        })
        .collect();
    for thread in threads {
        thread.expect("a thread can be started").join().expect("no thread fails");
    }
}
