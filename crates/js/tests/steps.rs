//! Programs that a debugger runs: where they stand still, and what is seen there.

#[path = "../../transform/tests/support/generator.rs"]
mod generator;

use crate::common::{options, with_stack};
use hemiola_gate::{Disk, FilePath, Kind};
use hemiola_js::debug::{
    Breakpoints, Debug, Debugger, Goal, Reason, ScopeKind, Stepping, Stopped, Throws, Until,
};
use hemiola_js::{Ending, Entry, Options};
use hemiola_live::SystemTree;
use hemiola_machine::{Delay, Event, First, Stream};
use hemiola_world::{Overlay, Virtual};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

type Act = Box<dyn FnMut(&mut Stopped<'_>) -> Goal + Send>;

/// A debugger that does the same at every stop.
struct Scripted {
    first: Until,
    act: Act,
}

impl Debugger for Scripted {
    fn begin(&mut self) -> Goal {
        Goal::Run(self.first.clone())
    }

    fn stopped(&mut self, at: &mut Stopped<'_>) -> Goal {
        (self.act)(at)
    }
}

/// A disk with one file.
struct One {
    path: PathBuf,
    source: String,
}

impl Disk for One {
    fn read(&self, file: &FilePath) -> io::Result<Vec<u8>> {
        self.kind(file)?;
        Ok(self.source.clone().into_bytes())
    }

    fn kind(&self, file: &FilePath) -> io::Result<Kind> {
        let is_there = file.as_path() == self.path;
        if is_there { Ok(Kind::File) } else { Err(io::ErrorKind::NotFound.into()) }
    }

    fn link(&self, _: &Path) -> io::Result<PathBuf> {
        Err(io::ErrorKind::InvalidInput.into())
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        Ok(path.to_owned())
    }
}

/// Runs a program and gives what it wrote, and its exit code.
fn run(name: &str, source: &str, debug: Option<Debug>) -> (String, i32) {
    let disk = Arc::new(One { path: name.into(), source: source.into() });
    let argv = vec!["/usr/bin/hemiola".into(), name.into()];
    let options = Options { debug, disk, argv, ..options(Entry::File(name.into())) };
    let files = Arc::new(Overlay::new(Arc::new(SystemTree::default())));
    let mut world = Virtual::new(0, files, |_, _| Ok(())).until(Delay::from_millis(100_000));
    let mut events = Vec::new();
    let code = hemiola_js::run(options, Ending::WithProcess, &mut world, &mut First, &mut events);
    let mut text = String::new();
    for event in events {
        if let Event::Wrote { text: one, stream: Stream::Out | Stream::Err } = event {
            text += &one;
        }
    }
    (text, code.expect("it starts"))
}

/// Runs a program under a debugger, twice; gives what `act` noted.
fn debug(
    source: &'static str,
    first: Until,
    act: impl FnMut(&mut Stopped<'_>, &mut Vec<String>) -> Goal + Clone + Send + 'static,
) -> Vec<String> {
    debug_named("/program.mjs", source, first, act)
}

fn debug_named(
    name: &'static str,
    source: &'static str,
    first: Until,
    act: impl FnMut(&mut Stopped<'_>, &mut Vec<String>) -> Goal + Clone + Send + 'static,
) -> Vec<String> {
    let (sender, receiver) = std::sync::mpsc::channel();
    with_stack(move || {
        let once = || {
            let notes = Arc::new(Mutex::new(Vec::new()));
            let mut act = act.clone();
            let inner = Arc::clone(&notes);
            let act: Act = Box::new(move |at| act(at, &mut inner.lock().expect("one at a time")));
            let scripted = Scripted { first: first.clone(), act };
            let debug = Debug::new(Arc::new(Mutex::new(scripted)));
            let (output, _) = run(name, source, Some(debug));
            let notes = std::mem::take(&mut *notes.lock().expect("it is over"));
            (notes, output)
        };
        let (notes, output) = once();
        assert_eq!((&notes, &output), (&once().0, &once().1), "two runs do the same");
        sender.send(notes).expect("somebody waits");
    });
    receiver.recv().expect("it ran")
}

fn line_of(at: &Stopped<'_>) -> u32 {
    at.place().map_or(0, |place| place.line)
}

fn next(at: &Stopped<'_>) -> Goal {
    Goal::Run(until_next(at))
}

fn at(step: u64) -> Until {
    Until { step: Some(step), ..Until::default() }
}

fn over() -> Goal {
    Goal::Run(Until { stepping: Some(Stepping::Over), ..Until::default() })
}

fn breakpoints(lines: &[u32]) -> Breakpoints {
    let lines: BTreeSet<u32> = lines.iter().copied().collect();
    Breakpoints(Arc::new(BTreeMap::from([("/program.mjs".to_owned(), lines)])))
}

fn until(lines: &[u32]) -> Until {
    Until { breakpoints: breakpoints(lines), ..Until::default() }
}

#[test]
fn every_statement_is_a_position() {
    let source =
        "let a = 1\nfor (let i = 0; i < 2; i++) {\n  a += i\n}\nconst f = (x) => x\nf(a)\n";
    let notes = debug(source, at(0), |at, notes| {
        notes.push(format!("{}:{}", at.step(), line_of(at)));
        next(at)
    });
    assert_eq!(notes, ["0:1", "1:2", "2:3", "3:2", "4:3", "5:2", "6:5", "7:6", "8:5"]);
    let notes = debug(source, at(7), |at, notes| {
        let place = at.place().expect("it is at a statement");
        notes.push(format!("{} {place} {:?}", at.step(), at.reason()));
        Goal::Quit
    });
    assert_eq!(notes, ["7 /program.mjs:6:1 Step"]);
}

#[test]
fn a_program_that_quits_does_nothing_more() {
    with_stack(|| {
        let source = "process.on('exit', () => console.log('exit'))\ntry { console.log('a'); console.log('b') } finally { console.log('c') }\n";
        let act: Act = Box::new(|_| Goal::Quit);
        let scripted = Scripted { first: until(&[]), act };
        let first = Until { step: Some(2), ..scripted.first.clone() };
        let scripted = Scripted { first, ..scripted };
        let debug = Debug::new(Arc::new(Mutex::new(scripted)));
        assert_eq!(run("/program.cjs", source, Some(debug)).0, "a\n");
    });
}

#[test]
fn programs_do_the_same() {
    with_stack(|| {
        let source = "
            const out = []
            function* g() { yield 1; yield* [2, 3] }
            async function f(x) { try { await null; if (x) throw new Error('no'); return x } catch (e) { out.push(e.message) } finally { out.push('f') } }
            class A { #p = 1; get p() { return this.#p } static s = 5; static { this.t = 6 } }
            for (const x of g()) { out.push(x) }
            label: for (let i = 0; ; i++) { while (true) { if (i > 2) break label; continue label } }
            do out.push('d'); while (out.length < 5)
            switch (out.length) { case 5: out.push('five'); default: out.push('default') }
            setTimeout(() => { f(0); f(1).then(() => console.log(out.join(), new A().p, A.s, A.t, f.toString())) }, 10)
            console.log(((a, b = () => 1) => a + b())(1), String(x => x), new Error('here').stack)
        ";
        for name in ["/program.mjs", "/program.cjs"] {
            let plain = run(name, source, None);
            let act: Act = Box::new(|at| next(at));
            let debug = Debug::new(Arc::new(Mutex::new(Scripted { first: at(0), act })));
            assert_eq!(run(name, source, Some(debug)), plain);
        }
    });
}

/// Whoever looks at everything changes nothing.
#[test]
fn random_programs_do_the_same_while_they_are_looked_at() {
    with_stack(|| {
        for seed in 1..=9 {
            let is_module = seed % 3 == 0;
            let source = generator::program(seed, is_module);
            let source = format!("const write = (text) => console.log(text);{source}");
            let name = if is_module { "/program.mjs" } else { "/program.cjs" };
            let plain = run(name, &source, None);
            let act: Act = Box::new(move |at| {
                if at.step() % 13 == 0 {
                    for frame in at.frames() {
                        scopes(at, frame.id);
                    }
                    assert!(at.evaluate(0, "[typeof log, this]").is_ok(), "seed {seed}");
                }
                Goal::Run(Until { remember: true, ..until_next(at) })
            });
            let debug = Debug::new(Arc::new(Mutex::new(Scripted { first: at(0), act })));
            let debugged = run(name, &source, Some(debug));
            assert!(plain == debugged, "seed {seed}\n{source}\n{}\n{}", plain.0, debugged.0);
        }
    });
}

fn until_next(at: &Stopped<'_>) -> Until {
    Until { step: Some(at.step() + 1), ..Until::default() }
}

#[test]
fn stepping_over_calls_and_awaits_stays_in_the_function() {
    let source = "import { setTimeout as sleep } from 'node:timers/promises'
async function inner(x) {
  await sleep(5)
  return x
}
async function outer() {
  const a = await inner(1)
  const b = plain(a)
  await inner(b)
  return b
}
function plain(x) {
  return x + 1
}
const noise = setInterval(() => { plain(0) }, 1)
await outer()
clearInterval(noise)
";
    let notes = debug(source, until(&[7]), |at, notes| {
        notes.push(line_of(at).to_string());
        over()
    });
    // Others run meanwhile.
    assert_eq!(notes, ["7", "8", "9", "10", "17"]);
}

#[test]
fn stepping_out_and_in() {
    let source = "function a() {
  b()
  return 1
}
function b() {
  [1, 2].map((x) => {
    return x
  })
}
a()
last()
function last() {}
";
    let notes = debug(source, until(&[7]), |at, notes| {
        notes.push(line_of(at).to_string());
        Goal::Run(Until { stepping: Some(Stepping::Out), ..Until::default() })
    });
    assert_eq!(notes, ["7", "3", "11"]);
    let notes = debug(source, until(&[2]), |at, notes| {
        notes.push(line_of(at).to_string());
        if notes.len() < 4 { next(at) } else { over() }
    });
    assert_eq!(notes, ["2", "6", "7", "7", "3", "11"]);
}

#[test]
fn breakpoints_move_to_the_next_statement() {
    let source = "let a = 1\n\n// nothing\nfunction f() {\n  a++\n}\nf()\nf()\n";
    let notes = debug(source, until(&[2, 5]), |at, notes| {
        notes.push(format!("{} {:?}", line_of(at), at.reason()));
        Goal::Run(until(&[2, 5]))
    });
    assert_eq!(notes, ["5 Breakpoint(5)", "5 Breakpoint(5)"]);
}

/// All scopes of a frame, in words.
fn scopes(at: &mut Stopped<'_>, frame: usize) -> String {
    let mut words = Vec::new();
    for scope in at.scopes(frame) {
        if scope.kind == ScopeKind::Global {
            continue;
        }
        let variables = at.variables(scope.reference).into_iter();
        let variables = variables.map(|one| format!("{}={}", one.name, one.value));
        words.push(format!("{:?} {}", scope.kind, variables.collect::<Vec<_>>().join(" ")));
    }
    words.join("; ")
}

#[test]
fn frames_show_their_variables() {
    let source = "const m = { k: [1, 2] }
let unused = 'u'
class C {
  #secret = 7
  method(p, { q }) {
    let local = p + q
    for (let i = 0; i < 1; i++) {
      const local = 'inner'
      this.call(() => { stop(local); return later })
    }
    let later = 1
  }
  call(f) { f() }
}
function stop(arg) {
  arg
}
new C().method(1, { q: 2 })
";
    let notes = debug(source, until(&[16]), |at, notes| {
        for frame in at.frames() {
            notes.push(format!("{} {}:{}", frame.name, frame.place.line, frame.place.column));
            notes.push(scopes(at, frame.id));
        }
        Goal::Quit
    });
    let module = "m={ k: [ 1, 2 ] } unused='u' C=[class C] stop=[Function: stop]";
    let expected = [
        "stop 16:3".to_owned(),
        format!("Local this=undefined arg='inner'; Module {module}"),
        " 9:25".into(),
        format!("Local ; Closure local='inner' later=<uninitialized>; Module {module}"),
        "call 13:13".into(),
        format!("Local this=C {{}} f=[Function (anonymous)]; Module {module}"),
        "method 9:12".into(),
        format!(
            "Block local='inner'; Block i=0; Local this=C {{}} p=1 q=2 later=<uninitialized>; Module {module}"
        ),
        " 18:9".into(),
        format!("Module {module}"),
    ];
    assert_eq!(notes, expected);
}

#[test]
fn values_open() {
    let source = "const o = { a: 1, get g() { throw 1 }, m: new Map([['k', { v: 1 }]]), s: new Set([1]), p: Promise.resolve(3), [Symbol.iterator]: 2 }
const proxy = new Proxy({ t: 1 }, { get() { throw 1 }, ownKeys() { throw 2 } })
class P { #x = 1; y = 2 }
const z = new P()
z.y
";
    let notes = debug(source, until(&[5]), |at, notes| {
        let module = at.scopes(0).into_iter().find(|scope| scope.kind == ScopeKind::Module);
        for variable in at.variables(module.expect("there is one").reference) {
            let children = at.variables(variable.reference).into_iter();
            let children = children.map(|one| format!("{}: {}", one.name, one.value));
            notes.push(format!("{} {}", variable.name, children.collect::<Vec<_>>().join(", ")));
        }
        Goal::Quit
    });
    assert_eq!(
        notes,
        [
            "o a: 1, g: (...), m: Map(1) { 'k' => { v: 1 } }, s: Set(1) { 1 }, p: Promise { 3 }, [Symbol(Symbol.iterator)]: 2",
            "proxy [[Target]]: { t: 1 }, [[Handler]]: { get: [Function: get], ownKeys: [Function: ownKeys] }",
            "P length: 0, name: 'P', prototype: {}",
            "z y: 2, #x: 1, [[Prototype]]: {}",
        ]
    );
}

#[test]
fn code_is_evaluated_in_a_frame() {
    let source = "let top = 1
class A {
  #p = 5
  m(x, ...rest) {
    let local = x * 2
    return inner(local, () => local)
    let never
  }
}
function inner(x, f) {
  'use strict'
  return f() + x
}
console.log(new A().m(4, 5, 6))
";
    let notes = debug(source, until(&[12]), |at, notes| {
        for (frame, text) in [
            (0, "x + top"),
            (1, "x + local"),
            (1, "this.#p"),
            (1, "arguments.length + rest.length"),
            (1, "{ a: local }"),
            (1, "let y = local; y + 1"),
            (1, "never"),
            (1, "nowhere"),
            (0, "1 +"),
            (0, "x = 3"),
            (0, "new A().m(1)"),
            (0, "throw new TypeError('mine')"),
            (0, "process.exit(3)"),
            (
                0,
                "console.log('not shown'); setTimeout(() => console.log('nor this'), 0); Promise.resolve().then(() => console.log('nor that')); Promise.reject(1); 1",
            ),
            (0, "require('fs').readFileSync('/x')"),
            (0, "this"),
            (9, "top"),
        ] {
            let value = at.evaluate(frame, text);
            notes.push(format!("{text} => {}", value.map_or_else(|error| error, |one| one.value)));
        }
        Goal::Run(Until::default())
    });
    let results: Vec<&str> =
        notes.iter().map(|note| note.rsplit_once(" => ").expect("it has one").1).collect();
    assert_eq!(
        results,
        [
            "9",
            "12",
            "5",
            "5",
            "{ a: 8 }",
            "9",
            "ReferenceError: Cannot access 'never' before initialization",
            "ReferenceError: nowhere is not defined",
            "SyntaxError: Unexpected end of input",
            "TypeError: Cannot change 'x': what a replay does is recorded",
            "4",
            "TypeError: mine",
            "the program cannot end while it stands still",
            "1",
            "ReferenceError: require is not defined",
            "undefined",
            "ReferenceError: top is not defined",
        ]
    );
}

#[test]
fn a_script_has_its_module_and_what_it_was_given() {
    let first = Until {
        breakpoints: Breakpoints(Arc::new(BTreeMap::from([(
            "/program.cjs".to_owned(),
            BTreeSet::from([3]),
        )]))),
        ..Until::default()
    };
    let source = "const os = 'mine'\nfunction f() {\n  return 1\n}\nf.call(5)\n";
    let notes = debug_named("/program.cjs", source, first, |at, notes| {
        notes.push(scopes(at, 0));
        for text in
            ["os", "require('path').basename(__filename)", "this + 1", "exports === module.exports"]
        {
            notes.push(at.evaluate(0, text).map_or_else(|error| error, |one| one.value));
        }
        Goal::Quit
    });
    let scopes = "Local this=[Number: 5]; Module os='mine' f=[Function: f]";
    assert_eq!(notes, [scopes, "'mine'", "'program.cjs'", "6", "true"]);
}

#[test]
fn what_is_evaluated_is_not_heard_of() {
    with_stack(|| {
        let source = "function f() {\n  return 1\n}\nPromise.resolve().then(() => console.log('job'))\nconsole.log(f())\n";
        let act: Act = Box::new(|at| {
            let text = "console.log('x'); Promise.resolve().then(() => console.log('y')); setTimeout(() => console.log('z')); f()";
            assert_eq!(at.evaluate(0, text).map(|one| one.value), Ok("1".into()));
            next(at)
        });
        let debug = Debug::new(Arc::new(Mutex::new(Scripted { first: at(0), act })));
        assert_eq!(run("/program.mjs", source, Some(debug)), run("/program.mjs", source, None));
    });
}

#[test]
fn typescript_has_the_places_of_its_source() {
    let source = "interface I { x: number }\nenum E { A = 3 }\nfunction f<T>(this: void, x: T, y?: I): T {\n  const z: T = x as T; return z\n}\nf(E.A)\n";
    let first = Until {
        breakpoints: Breakpoints(Arc::new(BTreeMap::from([(
            "/program.mts".to_owned(),
            BTreeSet::from([4]),
        )]))),
        ..Until::default()
    };
    let notes = debug_named("/program.mts", source, first, |at, notes| {
        let frames = at.frames();
        notes.push(frames.iter().map(|one| one.place.to_string()).collect::<Vec<_>>().join(" "));
        notes.push(scopes(at, 0).split(';').next().unwrap_or_default().to_owned());
        if notes.len() < 4 { next(at) } else { Goal::Quit }
    });
    assert_eq!(
        notes,
        [
            "/program.mts:4:3 /program.mts:6:1",
            "Local this=undefined x=3 y=undefined z=<uninitialized>",
            "/program.mts:4:24 /program.mts:6:1",
            "Local this=undefined x=3 y=undefined z=3",
        ]
    );
}

#[test]
fn what_is_thrown_stops() {
    let source = "function f(x) {
  if (x) throw new RangeError('mine')
  return x.y
}
try { f(1) } catch {}
try { f(null) } catch {}
const e = new Error('made')
try { JSON.parse('{') } catch {}
Promise.reject(2).catch(() => {})
async function g() { throw e }
g()
";
    let all = Until { throws: Throws::All, ..Until::default() };
    let notes = debug(source, all.clone(), move |at, notes| {
        notes.push(format!("{} {:?}", line_of(at), at.reason()));
        Goal::Run(all.clone())
    });
    assert_eq!(notes.len(), 5, "{notes:#?}");
    assert_eq!(notes[0], "2 Thrown(\"RangeError: mine\")");
    assert!(notes[1].starts_with("3 Thrown(\"TypeError: "), "{}", notes[1]);
    assert!(notes[2].starts_with("8 Thrown(\"SyntaxError: "), "{}", notes[2]);
    assert_eq!(notes[3], "10 Thrown(\"Error: made\")");
    assert!(notes[4].starts_with("0 Uncaught(\"Error: made\", Some("), "{}", notes[4]);
    let uncaught = Until { throws: Throws::Uncaught, ..Until::default() };
    let steps = debug(source, uncaught, |at, notes| {
        if let Reason::Uncaught(_, Some(step)) = at.reason() {
            notes.push(step.to_string());
        }
        Goal::Quit
    });
    let step: u64 = steps[0].parse().expect("it is a number");
    let notes = debug(source, at(step - 1), |at, notes| {
        notes.push(line_of(at).to_string());
        Goal::Quit
    });
    assert_eq!(notes, ["10"]);
}

#[test]
fn watched_values_stop_when_they_change() {
    let source = "let count = 0
const o = { p: { n: 1 } }
function bump() {
  count++
}
setTimeout(() => { bump(); o.p.n = 2 }, 1)
setTimeout(() => { o.p = { n: 2 }; o.p.n = 'three' }, 2)
function local(x) {
  let y = x
  y = x + 1
  return y
}
local(1)
local(5)
";
    let notes = debug(source, until(&[6]), |at, notes| {
        if let Reason::Changed(watch, from, to) = at.reason() {
            let by = at.changed_by().map_or(0, |place| place.line);
            notes.push(format!("{}{:?} {from} {to} by {by}", watch.name, watch.path));
        }
        let watch = |name: &str, declared, path: &[&str]| hemiola_js::debug::Watch {
            file: "/program.mjs".into(),
            declared,
            name: name.into(),
            path: path.iter().map(|&one| one.into()).collect(),
        };
        let watches = vec![
            watch("count", (1, 5), &[]),
            watch("o", (2, 7), &["p", "n"]),
            watch("y", (9, 7), &[]),
        ];
        Goal::Run(Until { watches, ..Until::default() })
    });
    assert_eq!(
        notes,
        [
            "y[] <uninitialized> 1 by 9",
            "y[] 1 2 by 10",
            "y[] <uninitialized> 5 by 9",
            "y[] 5 6 by 10",
            "count[] 0 1 by 4",
            "o[\"p\", \"n\"] 1 2 by 6",
            "o[\"p\", \"n\"] 2 'three' by 7",
        ]
    );
}

#[test]
fn the_statement_before_is_remembered() {
    let source = "async function f() {
  const a = await g()
  const b = a + 1
  return b
}
async function g() {
  await null
  return 1
}
f()
await f()
";
    let remember =
        |step| Until { step, breakpoints: breakpoints(&[4]), remember: true, ..Until::default() };
    let notes = debug(source, remember(Some(0)), move |at, notes| {
        if line_of(at) == 4 {
            notes.push(format!("{} {:?}", at.step(), at.previous(0)));
        }
        Goal::Run(remember(None))
    });
    let steps: Vec<(u64, u64)> = notes
        .iter()
        .map(|note| {
            let (step, previous) = note.split_once(" Some(").expect("there is one before");
            let number = |text: &str| text.parse().expect("it is a number");
            (number(step), number(previous.trim_end_matches(')')))
        })
        .collect();
    for (step, previous) in steps {
        let line = |step| {
            let notes = debug(source, at(step), |at, notes| {
                notes.push(line_of(at).to_string());
                Goal::Quit
            });
            notes[0].clone()
        };
        assert_eq!((line(step), line(previous)), ("4".into(), "3".into()));
    }
}

#[test]
fn invocations_and_debugger_statements_stop() {
    let source = "setTimeout(() => {\n  debugger\n}, 1)\nPromise.resolve().then(() => {\n  a()\n})\nfunction a() {}\n";
    let statements = Until { statements: true, ..Until::default() };
    let notes = debug(source, statements, |at, notes| {
        notes.push(format!("{} {:?} {}", line_of(at), at.reason(), at.invocation()));
        Goal::Quit
    });
    assert_eq!(notes.len(), 1);
    let (place, invocation) = notes[0].rsplit_once(' ').expect("it has a number");
    assert_eq!(place, "2 Statement");
    let invocation = invocation.parse().expect("it is a number");
    let first = Until { invocation: Some(invocation), ..Until::default() };
    let notes = debug(source, first, |at, notes| {
        notes.push(format!("{} {:?}", line_of(at), at.reason()));
        Goal::Run(Until::default())
    });
    assert_eq!(notes, ["2 Invocation"]);
}
