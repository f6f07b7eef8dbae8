//! Whose `setTimeout` it is decides whether a third argument is a label (rule TIME-15).

use crate::common::{options, with_stack};
use hemiola_js::{Ending, Entry, TimerMeaning};
use hemiola_live::SystemTree;
use hemiola_machine::{First, Silent, Stream};
use hemiola_world::{Overlay, Virtual};
use std::cell::RefCell;
use std::sync::Arc;

/// What every program begins with: `make` writes a package, `clock` tells whether the clock `A` is in use,
/// and so whether somebody has just set a labelled timer.
const START: &str = "
    const fs = require('fs');
    const make = (name, files) => {
      fs.mkdirSync(`/tmp/hemiola-labels/node_modules/${name}`, { recursive: true });
      for (const [file, text] of Object.entries(files)) {
        fs.writeFileSync(`/tmp/hemiola-labels/node_modules/${name}/${file}`, text);
      }
      return `/tmp/hemiola-labels/node_modules/${name}`;
    };
    const clock = () => (currentTime('A') === undefined ? 'free' : 'used');
    const shown = (name, begin) => {
      const timer = begin((...args) => console.log(name, 'got', ...args));
      console.log(name, clock());
      return timer;
    };
";

/// What a program prints, line by line.
fn run(source: &str, timers: TimerMeaning) -> Vec<String> {
    let output = RefCell::new(String::new());
    let write = |_: Stream, bytes: &[u8]| {
        output.borrow_mut().push_str(&String::from_utf8_lossy(bytes));
        Ok(())
    };
    let files = Arc::new(Overlay::new(Arc::new(SystemTree::default())));
    let entry = Entry::Text { source: format!("{START}{source}"), name: "[eval]".into() };
    let mut options = options(entry);
    options.disk = Arc::clone(&files) as Arc<dyn hemiola_gate::Disk>;
    options.timers = timers;
    let mut world = Virtual::new(0, files, write);
    hemiola_js::run(options, Ending::Freed, &mut world, &mut First, &mut Silent)
        .expect("an engine starts");
    drop(world);
    output.into_inner().lines().map(str::to_owned).collect()
}

fn check(source: &'static str, expected: &'static [&'static str]) {
    with_stack(move || assert_eq!(run(source, TimerMeaning::Labelled), expected, "{source}"));
}

#[test]
fn time_15_to_a_package_a_third_argument_is_an_argument() {
    check(
        "const folder = make('dep', { 'index.js': `
           exports.plain = (f) => setTimeout(f, 1, 'A');
           exports.spread = (f) => setTimeout(...[f, 1, 'A']);
           exports.call = (f) => setTimeout.call(null, f, 1, 'A');
           exports.bound = (f) => setTimeout.bind(null, f, 1)('A');
           exports.taken = (f) => { const { setTimeout: start } = { setTimeout }; return start(f, 1, 'A'); };
           exports.global = (f) => globalThis.setTimeout(f, 1, 'A');
           const captured = setTimeout;
           exports.captured = (f) => captured(f, 1, 'A');
           exports.awaited = async (f) => { await null; setTimeout(f, 1, 'A'); };
         ` });
         for (const [name, begin] of Object.entries(require(folder))) shown(name, begin);",
        &[
            "plain free",
            "spread free",
            "call free",
            "bound free",
            "taken free",
            "global free",
            "captured free",
            "awaited free",
            "plain got A",
            "spread got A",
            "call got A",
            "bound got A",
            "taken got A",
            "global got A",
            "captured got A",
            "awaited got A",
        ],
    );
}

#[test]
fn time_15_packages_that_are_modules_have_nodes_timers_too() {
    check(
        "const folder = make('dep', {
           'a.mjs': `export const begin = (f) => { const timer = setInterval((...args) => {
             clearInterval(timer);
             f(...args);
           }, 1, 'A'); };`,
           // One that has a variable of that name.
           'b.mjs': `import { setTimeout } from 'timers'; export const begin = (f) => setTimeout(f, 1, 'A');`,
         });
         import(folder + '/a.mjs').then(({ begin }) => shown('a', begin));
         import(folder + '/b.mjs').then(({ begin }) => shown('b', begin));",
        &["a free", "b free", "a got A", "b got A"],
    );
}

/// Whoever reads the stack would take the callback for the package's.
#[test]
fn time_15_a_callback_that_a_package_calls_is_the_programs() {
    check(
        "const dep = require(make('dep', { 'index.js': 'exports.call = (f) => f();' }));
         dep.call(() => shown('own', (f) => setTimeout(f, 1, 'A')));
         shown('given', (f) => dep.call(setTimeout.bind(null, f, 2, 'A')));",
        &["own used", "given used", "own got A", "given got A"],
    );
}

#[test]
fn time_15_a_function_belongs_to_whoever_made_it() {
    check(
        "const { theirs, use } = require(make('dep', { 'index.js': `
           exports.theirs = setTimeout;
           exports.use = (begin, f) => begin(f, 1, 'A');
         ` }));
         shown('theirs', (f) => theirs(f, 1, 'A'));
         shown('ours', (f) => use(setTimeout, f));",
        &["theirs free", "ours used", "theirs got A", "ours got A"],
    );
}

#[test]
fn time_15_who_replaces_the_global_replaces_it_for_packages() {
    check(
        "const dep = require(make('dep', { 'index.js': `
           const captured = setTimeout;
           exports.late = (f) => setTimeout(f, 1, 'A');
           exports.early = (f) => captured(f, 1, 'A');
           exports.few = (f) => setTimeout(f, 1);
           exports.fakes = () => ({ is: setTimeout.isFake, type: typeof setTimeout, own: setTimeout === globalThis.setTimeout });
         ` }));
         // As libraries of fake timers do it.
         const fake = require(make('fake', { 'index.js': `
           exports.install = (target) => {
             const original = target['setTimeout'];
             target.setTimeout = Object.assign((f, delay, ...args) => { console.log('fake', delay, ...args); }, { isFake: true });
             return () => { target.setTimeout = original; };
           };
         ` }));
         console.log(JSON.stringify(dep.fakes()));
         const restore = fake.install(globalThis);
         dep.late();
         dep.few();
         shown('early', dep.early);
         console.log(JSON.stringify(dep.fakes()));
         restore();
         shown('late', dep.late);
         shown('own', (f) => setTimeout(f, 1, 'A'));",
        &[
            r#"{"type":"function","own":true}"#,
            "fake 1 A",
            "fake 1",
            "early free",
            r#"{"is":true,"type":"function","own":true}"#,
            "late free",
            "own used",
            "early got A",
            "late got A",
            "own got A",
        ],
    );
}

/// What is made while a program runs belongs to no file, and so to the program.
#[test]
fn time_15_made_code_is_the_programs() {
    check(
        "const dep = require(make('dep', { 'index.js': `
           exports.made = (f) => new Function('f', \"return setTimeout(f, 1, 'A')\")(f);
           exports.evaluated = (f) => eval(\"setTimeout(f, 2, 'A')\");
         ` }));
         for (const [name, begin] of Object.entries(dep)) shown(name, begin);",
        &["made used", "evaluated used", "made got A", "evaluated got A"],
    );
}

#[test]
fn a_package_shows_its_own_text_and_places() {
    check(
        "const dep = require(make('dep', { 'index.js': `\
           exports.f = (f) => [setTimeout(f, 1, 'A'), { setTimeout }];
           exports.g = () => { setTimeout(1, 2, 'A'); };
           exports.h = (x) => { setTimeout(() => {}, 2, x.y); };` }));
         console.log(String(dep.f));
         for (const f of [dep.g, dep.h]) {
           try { f(); } catch (error) { console.log(error.stack.match(/index.js:[0-9:]*/)[0]); }
         }",
        &["(f) => [setTimeout(f, 1, 'A'), { setTimeout }]", "index.js:2:32", "index.js:3:59"],
    );
}

#[test]
fn time_15_with_nodes_timers_nothing_is_a_label() {
    with_stack(|| {
        let source = "const dep = require(make('dep', {
             'index.js': `exports.begin = (f) => setTimeout(f, 1, 'A'); exports.same = setTimeout;`,
           }));
           shown('own', (f) => setTimeout(f, 1, 'A'));
           shown('dep', dep.begin);
           console.log(dep.same === setTimeout);";
        let expected = ["own free", "dep free", "true", "own got A", "dep got A"];
        assert_eq!(run(source, TimerMeaning::Node), expected);
    });
}
