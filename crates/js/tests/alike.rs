//! Runs that differ by nothing but what is chosen go on from their first choice in one engine, and nobody can tell:
//! outputs, exit codes and whole traces are those of engines that nobody has used.
#![expect(clippy::disallowed_methods, reason = "the test writes programs")]

use crate::common::{options, with_stack};
use hemiola_js::{Ending, Entry, Likeness, Nursery, Options};
use hemiola_live::SystemTree;
use hemiola_machine::{Event, Seeded, Stream};
use hemiola_world::{Faults, Frozen, Open, Overlay};
use std::fs;
use std::sync::Arc;

/// What is seen of a run: its exit code, its output, its trace.
type Seen = (Option<i32>, String, Vec<Event>);

/// Makes a run with the choices of a seed, in a new engine or in that of a nursery.
fn run(disk: &Arc<Frozen>, file: &str, seed: u64, kept: Option<(&mut Nursery, &Likeness)>) -> Seen {
    let files = Arc::new(Overlay::over(disk));
    let plain = options(Entry::File(file.to_owned()));
    let options = Options { disk: files.clone(), ..plain };
    let (mut output, mut events) = (Vec::new(), Vec::new());
    let write = |_: Stream, bytes: &[u8]| {
        output.extend_from_slice(bytes);
        Ok(())
    };
    let mut world = Open::new(0, files, Faults::NONE, write).member(options.member.clone());
    let chooser = &mut Seeded::new(seed);
    let code = match kept {
        Some((nursery, likeness)) => {
            nursery.run_alike(likeness, options, &mut world, chooser, &mut events)
        }
        None => hemiola_js::run(options, Ending::Freed, &mut world, chooser, &mut events),
    };
    drop(world);
    (code.ok(), String::from_utf8_lossy(&output).into_owned(), events)
}

/// Two calls that are answered in either order.
const RACE: &str = "
const fs = require('fs');
for (const name of ['a', 'b']) fs.stat(__filename, () => say(name));
";

/// What comes before the race, and whether the runs share it. Where `RACE` stands, the race does; else it comes last.
const STARTS: &[(&str, bool)] = &[
    ("function say(name) { console.log(name); }", true),
    // What was said, looked at and drawn is not said again, and what follows goes on from it.
    (
        "console.log('first', Date.now(), Math.random(), performance.now()); console.count('again');
         function say(name) { console.log(name, Date.now(), Math.random()); console.count('again'); process.stdout.write('x'); }",
        true,
    ),
    // Promises that wait, with a context.
    (
        "const { AsyncLocalStorage } = require('async_hooks'); const store = new AsyncLocalStorage(); const all = [];
         let go; const gate = new Promise((resolve) => { go = resolve; });
         for (const n of [1, 2]) store.run(n, async () => { await gate; all.push(store.getStore()); await null; console.log(all.join(), store.getStore()); });
         function say(name) { store.run(name, go); Promise.resolve(name).then((v) => console.log(v, store.getStore())); }",
        true,
    ),
    // Timers and immediates that wait. With several timers the first choice comes while they are set.
    (
        "setTimeout(console.log, 5); setTimeout(() => console.log('none'), 7); const end = setInterval(say, 3, 7); let left = 4;
         setImmediate(console.log, 8); function say(name) { console.log(name); if (!--left) clearInterval(end); }",
        false,
    ),
    ("const end = setTimeout(say, 5); function say(name) { console.log(name); clearTimeout(end); }", true),
    ("setImmediate(console.log, 8); function say(name) { console.log(name); }", true),
    // Clocks with a name, what waits on them, and several arguments.
    ("setTimeout(console.log, 5, 'one', 'two', 'three'); setImmediate(console.log, 'now', 'too'); function say(name) { console.log(name); }", true),
    (
        "let left = 20; const end = setInterval(console.log, 4, 'B', 'again', 5); let go; const gate = new Promise((resolve) => { go = resolve; });
         setTimeout(async () => { await gate; await null; console.log('A went on'); }, 1, 'A');
         (function step() { if (left--) setTimeout(step, 1, 'A', left, 'x'); else { RACE } })();
         function say(name) { go(); const t = setTimeout(console.log, 2, 'A', name, 1); t.refresh(); if (name === 'b') clearInterval(end); }",
        true,
    ),
    // Files that were written, and are the run's own.
    (
        "const w = require('fs'); w.writeFileSync('/tmp/hemiola-alike.txt', 'start;');
         function say(name) { w.appendFileSync('/tmp/hemiola-alike.txt', name); console.log(w.readFileSync('/tmp/hemiola-alike.txt', 'utf8')); }",
        true,
    ),
    // Several trips to the world, one after the other, before anything is open.
    (
        "async function before() { const p = require('fs/promises'); for (let i = 0; i < 5; ++i) await p.stat(__filename); }
         function say(name) { console.log(name); before().then(() => console.log('then', name)); }",
        true,
    ),
    // What nobody handled, what is handled late, and errors that know where they were made.
    (
        "const late = Promise.reject(new Error('late')); process.on('unhandledRejection', (e) => console.log(e.message));
         process.on('rejectionHandled', () => console.log('handled')); const made = new Error('made');
         function say(name) { console.log(name, made.stack.split('\\n')[1].length); late.catch(() => {}); if (name === 'b') setTimeout(() => { throw made; }); }
         process.on('uncaughtException', (e) => console.log('caught', e === made));",
        true,
    ),
    // What belongs to nobody but us: it is not shared, or put back.
    ("const held = Buffer.from('abc'); const hash = require('crypto').createHash('sha256').update('x'); function say(name) { hash.update(name); held[0]++; console.log(held); if (name === 'b') console.log(hash.digest('hex')); }", false),
    ("const { EventEmitter, once } = require('events'); const e = new EventEmitter(); once(e, 'x').then((v) => console.log(v)); const m = new Map([[e, 1]]); function say(name) { m.set(name, m.size); e.emit('x', [...m.values()]); }", true),
    ("const weak = new WeakRef({}); const kept = new FinalizationRegistry((v) => console.log('gone', v)); let t = setTimeout(() => {}, 1); kept.register(t, 'timer'); function say(name) { t = null; console.log(name, typeof weak.deref()); }", true),
    ("process.nextTick(console.log, 'tick'); queueMicrotask(() => console.log('micro')); function say(name) { console.log(name); process.exitCode = 3; require('util'); }", true),
    ("const clock = require('hemiola:clock'); setTimeout.label?.('A'); async_(); async function async_() { await null; } require('async_hooks').createHook({ init() {} }).enable(); function say(name) { console.log(name, clock !== null); }", false),
    ("process.stdout.write('begins\\n'); const held = Buffer.from('abc'); setTimeout(() => process.stdout.write('late\\n'), 5); function say(name) { held[0]++; process.stdout.write(`${name} ${held} ${process.stderr.fd}\\n`); }", true),
    ("const p = require('fs').promises; async function miss() { try { await p.stat('/none'); } catch (error) { console.log(error.stack); } } miss(); function say(name) { console.log(name); miss(); }", true),
    // Much happens first, of every kind: what surrounds a run is copied then.
    ("(async () => { for (let i = 0; i < 400; ++i) await null; RACE })(); function say(name) { console.log(name); }", true),
    (
        "let left = 300; (function step() { if (left--) setTimeout(step, left % 3); else { RACE } })();
         function say(name) { console.log(name, performance.now(), Date.now(), Math.random()); }",
        true,
    ),
    (
        "let left = 300; (function step() { if (left--) { console.log(left, Math.random()); setImmediate(step); } else { RACE } })();
         function say(name) { console.log(name, Math.random()); console.error(name); }",
        true,
    ),
    (
        "const f = require('fs'); let left = 100; const seen = new Set();
         (function step() { if (left--) f.stat('/', (e, stats) => { seen.add(stats.ino); f.readFile(__filename, 'utf8', (e, text) => { seen.add(text.length); step(); }); }); else { RACE } })();
         function say(name) { f.readdir('/', (e, names) => console.log(name, names.length, [...seen].join())); }",
        true,
    ),
    // Files that were made, changed and left open, and of which only what is known has changed.
    (
        "const f = require('fs'), at = '/tmp/hemiola-alike-many'; f.mkdirSync(at);
         for (let i = 0; i < 60; ++i) f.writeFileSync(`${at}/${i % 9}`, `${i}`, { flag: 'a' });
         const fd = f.openSync(`${at}/new`, 'w+'); f.writeSync(fd, 'one '); f.chmodSync(`${at}/3`, 0o600); f.symlinkSync('3', `${at}/link`);
         for (let i = 0; i < 60; ++i) f.statSync(`${at}/${i % 9}`);
         function say(name) { f.writeSync(fd, name); f.appendFileSync(`${at}/link`, name); f.writeFileSync(`${at}/of-${name}`, ''); f.rmSync(`${at}/${name === 'a' ? 1 : 2}`);
           console.log(f.readFileSync(`${at}/new`, 'utf8'), f.readFileSync(`${at}/3`, 'utf8'), f.statSync(`${at}/link`).mode, f.readdirSync(at).join(), f.statSync(`${at}/of-${name}`).ino); }",
        true,
    ),
    ("const f = require('fs'); f.chmodSync(__filename, 0o640); for (let i = 0; i < 250; ++i) f.accessSync('/'); function say(name) { console.log(name, f.statSync(__filename).mode); }", true),
    // A half-done operation, and one that nobody waits for: its choice comes with it.
    (
        "const f = require('fs'); for (let i = 0; i < 250; ++i) f.accessSync('/'); const c = new AbortController();
         (async () => { for (let i = 0; i < 50; ++i) await f.promises.readFile(__filename); f.readFile(__filename, { signal: c.signal }, (e) => console.log(e && e.name)); c.abort(); RACE })();
         function say(name) { console.log(name); }",
        true,
    ),
    // What cannot be copied is told once more.
    (
        "const net = require('net'); const server = net.createServer((s) => s.end('x')).listen(0, () => server.close(() => { for (let i = 0; i < 250; ++i) require('fs').accessSync('/'); RACE }));
         function say(name) { console.log(name); }",
        true,
    ),
    ("function say(name) { console.log(name); Object.prototype.leak = name; process.exit(name === 'a' ? 4 : 5); }", true),
];

#[test]
fn runs_go_on_from_their_first_choice_and_are_as_from_the_start() {
    let folder = std::env::temp_dir().join(format!("hemiola-alike-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder can be made");
    with_stack(move || {
        let disk = Arc::new(Frozen::new(Arc::new(SystemTree::default())));
        let mut one_for_all = Nursery::new();
        for (number, (start, is_shared)) in STARTS.iter().enumerate() {
            let file = folder.join(format!("{number}.js"));
            let program = match start.contains("RACE") {
                true => start.replace("RACE", RACE),
                false => format!("{start}\n{RACE}"),
            };
            fs::write(&file, program).expect("a file can be written");
            let file = file.to_string_lossy().into_owned();
            let expected: Vec<Seen> = (0..3).map(|seed| run(&disk, &file, seed, None)).collect();
            let (mut nursery, likeness) = (Nursery::new(), Likeness::default());
            for turn in 0..10 {
                let seed = turn % 3;
                let seen = run(&disk, &file, seed, Some((&mut nursery, &likeness)));
                assert_eq!(seen, expected[seed as usize], "{turn}: {start}");
            }
            assert_eq!(nursery.is_ahead(), *is_shared, "{start}");
            assert!(nursery.sizes().is_some(), "engines are put back here");
            // Others that are not alike, before and after.
            let other = Likeness::default();
            for (turn, likeness) in [&other, &likeness, &likeness, &other].into_iter().enumerate() {
                let seed = turn as u64 % 3;
                let seen = run(&disk, &file, seed, Some((&mut nursery, likeness)));
                assert_eq!(seen, expected[seed as usize], "after others, {turn}: {start}");
            }
            for seed in [1, 2] {
                let seen = run(&disk, &file, seed, Some((&mut one_for_all, &other)));
                assert_eq!(seen, expected[seed as usize], "in an engine for all: {start}");
            }
        }
        fs::remove_dir_all(&folder).expect("the folder can be removed");
    });
}
